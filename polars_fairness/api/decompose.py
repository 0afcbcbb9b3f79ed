"""A conditional metric, taken apart by stratum."""

from __future__ import annotations

from functools import partial
from typing import Unpack

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.call import Call
from polars_fairness.api.refusals import refuse_taken_names
from polars_fairness.api.signatures import takes
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.cells import cells_of_complete_rows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question
from polars_fairness.values.contributions import columns as columns_of_contributions
from polars_fairness.values.contributions import contributed
from polars_fairness.values.contributions import schema as contributions_schema


@takes()
def decompose(frame: AnyFrame, metric: str | Metric, **question: Unpack[Question]) -> PolarsFrame:
    """Take a conditional metric apart: what every subgroup adds to it.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine.
    metric
        The name of a conditional metric, such as "cddpl", or one of your own made with
        ``stratified``.
    **question
        As in `metrics`.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison and subgroup in which either side has rows, those that add most,
        or take most away, first: the columns of ``by``, ``facet``, ``disfavored``, ``favored``,
        the columns of ``subgroup``; ``n``, the rows of both sides; ``share_of_rejected`` and
        ``share_of_accepted``, the part of them that falls to d (of a metric of labels
        ``share_of_negative`` and ``share_of_positive``); ``value``, the metric inside the
        subgroup; ``contribution``, that value times n, over the n of all subgroups that have a
        value. The contributions of a comparison add up to the metric.

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
    call = Call.of(frame, question).with_metrics([metric])
    [found] = call.metrics.values()
    if not found.parsed.level.decomposes:
        known = [name for name, each in CATALOGUE.items() if each.parsed.level.decomposes]
        msg = (
            f"metric: {found.name!r} is no average over subgroups; give a conditional metric, "
            f"{listed(known, 'or')}, or one made with stratified()"
        )
        raise FairnessError(msg)
    refuse_taken_names(call.roles, {"by", "subgroup"}, columns_of_contributions(found))
    compute = partial(contributed, metric=found)
    return call.answer(cells_of_complete_rows, compute, contributions_schema(call.roles, found))
