"""The function `decompose`: the contributions of the strata to a conditional metric."""

from __future__ import annotations

from functools import partial
from typing import Unpack

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.call import Call
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.signatures import answers
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError, either, listed
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question
from polars_fairness.values.contributions import columns as columns_of_contributions
from polars_fairness.values.contributions import contributed
from polars_fairness.values.contributions import schema as contributions_schema


@answers()
def decompose(frame: AnyFrame, metric: str | Metric, **question: Unpack[Question]) -> PolarsFrame:
    """Return the contribution of every subgroup to a conditional metric.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    metric
        The name of a conditional metric, such as "cddpl", or a metric of your own made with
        ``stratified``.
    **question
        As in `metrics`.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison and subgroup in which a side has rows, with the largest absolute
        contribution first. The columns are those of ``by``, ``facet``, ``disfavored``,
        ``favored``, those of ``subgroup``, then:

        ``n``
            The rows of both sides.
        ``share_of_rejected``, ``share_of_accepted``
            The share of d in the subgroup's rejected and accepted rows. A metric of labels has
            ``share_of_negative`` and ``share_of_positive`` instead.
        ``value``
            The metric inside the subgroup, null if undefined.
        ``contribution``
            ``value`` times ``n``, divided by the total ``n`` of all subgroups that have a value.
            The contributions of a comparison add up to the metric.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> question = {"facet": "sex", "disfavored": "Female", "predicted": "admitted", "count": "n"}
    >>> parts = pf.decompose(pf.datasets.berkeley(), "cddpl", subgroup="department", **question)
    >>> parts.select("department", "n", "value", "contribution").head(2)
    shape: (2, 4)
    ┌────────────┬─────┬───────────┬──────────────┐
    │ department ┆ n   ┆ value     ┆ contribution │
    │ ---        ┆ --- ┆ ---       ┆ ---          │
    │ str        ┆ i64 ┆ f64       ┆ f64          │
    ╞════════════╪═════╪═══════════╪══════════════╡
    │ A          ┆ 933 ┆ -0.090858 ┆ -0.01873     │
    │ F          ┆ 714 ┆ -0.047188 ┆ -0.007444    │
    └────────────┴─────┴───────────┴──────────────┘
    """
    call = Call.of(frame, question, "decompose").with_metric(metric)
    [found] = call.metrics.values()
    if not found.parsed.level.decomposes:
        known = [name for name, each in CATALOGUE.items() if each.parsed.level.decomposes]
        raise FairnessError(
            f"metric: {found.name!r} is no average over subgroups; give a conditional metric, "
            f"{listed(known, 'or')}{either(', or one made with stratified()', '')}"
        )
    refuse_taken_names(call.roles, {"by", "subgroup"}, columns_of_contributions(found))
    compute = partial(contributed, metric=found)
    schema = contributions_schema(call.roles, found)
    in_plan = not call.roles.uncertain_facets
    return call.answer(cells_of_all_rows, compute, schema, in_plan=in_plan)
