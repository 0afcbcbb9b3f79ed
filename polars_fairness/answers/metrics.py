"""The function `metrics`: the values of metrics for every comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Unpack

import polars as pl

from polars_fairness.api.bound import CheckedQuestion, read
from polars_fairness.api.plan import answer_of
from polars_fairness.api.requested import requested
from polars_fairness.api.signatures import answers
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.formula.levels import ROC
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.tree import ALONG, parts_of
from polars_fairness.question.arguments import Question
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import compared, prepared, types_of_values


@answers()
def metrics(
    frame: AnyFrame, *metrics: str | Metric | Sequence[str | Metric], **question: Unpack[Question]
) -> PolarsFrame:
    """Return the values of fairness metrics, one row for each comparison of two sides.

    If all metrics are about a facet or the whole population, such as `equalized_odds_difference` or
    `ge`, there is one row for each facet instead.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine: Spark,
        DuckDB, Ibis, pyarrow, pandas, ... (extra ``engines``). The other engine counts its own
        rows; its columns are given by name, and the answer is a DataFrame.
    *metrics
        Names from the catalogue, or metrics of your own, one by one or in lists. Without any, all
        metrics of the catalogue that the given columns allow, except `utility`, rankings,
        quantiles of numbers and, for two classes, `confusion_distance`.
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison. The columns are those of ``by``, then:

        ``facet``, ``disfavored``, ``favored``
            The facet and its two sides. ``favored`` is null if side a is everyone else, names the
            group that was found for a reference, and is "(all)" for ``pf.OVERALL``.
        ``n_disfavored``, ``n_favored``, ``n_unknown``
            The rows of each side, and the rows whose facet is unknown. If metrics need different
            columns, with ``nulls="drop"`` these are the rows that have what all metrics need.
        ``rows_dropped``
            The number of rows that a metric leaves out, also with ``weight``.
        one column for each metric
            Its value, null if undefined. Next to metrics with sides, the value of a metric without
            sides, such as `ge`, is repeated on every row of the facet. Without metrics with sides,
            it has one row, whose sides and their sizes are null.

        If a window has no comparison for the facet, because all its values are unknown, side d
        has no rows, or all rows were left out, there is one row with null sides.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.LazyFrame({"sex": ["F", "F", "M", "M"], "hired": [0, 1, 1, 1]})
    >>> values = pf.metrics(hired, "dppl", "di", facet="sex", disfavored="F", predicted="hired")
    >>> values.drop("n_unknown", "rows_dropped").collect()
    shape: (1, 7)
    ┌───────┬────────────┬─────────┬──────────────┬───────────┬──────┬─────┐
    │ facet ┆ disfavored ┆ favored ┆ n_disfavored ┆ n_favored ┆ dppl ┆ di  │
    │ ---   ┆ ---        ┆ ---     ┆ ---          ┆ ---       ┆ ---  ┆ --- │
    │ str   ┆ str        ┆ str     ┆ i64          ┆ i64       ┆ f64  ┆ f64 │
    ╞═══════╪════════════╪═════════╪══════════════╪═══════════╪══════╪═════╡
    │ sex   ┆ F          ┆ null    ┆ 2            ┆ 2         ┆ 0.5  ┆ 0.5 │
    └───────┴────────────┴─────────┴──────────────┴───────────┴──────┴─────┘
    """
    bound = read(frame, question, "metrics")
    return values_of(bound, *requested(metrics, bound.roles))


def values_of(bound: CheckedQuestion, metrics: Mapping[str, Metric], roles: Roles) -> PolarsFrame:
    """The values of metrics by name, as `metrics` returns them."""
    compute = partial(_compared, metrics=metrics)
    in_plan = not (roles.uncertain_facets or any(map(needs_cells, metrics.values())))
    return answer_of(bound, roles, compute, types_of_values(roles, metrics), in_plan=in_plan)


def needs_cells(metric: Metric) -> bool:
    """Whether a metric cannot be computed by a plan: it searches, ranks, or counts cells."""
    formula, level = metric.parsed, metric.parsed.level
    of_groups = [formula.measure.value] if formula.measure else []
    goes_by_rank = any(part.op in ALONG for part in parts_of(formula.expression, *of_groups))
    ranks = level.is_by_score and (goes_by_rank or level == ROC)
    return metric.is_joint or level.divided_by == "controls" or ranks or metric.is_about_ranks


def _compared(seen: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]) -> pl.LazyFrame:
    cells, scored, sided = prepared(seen, roles)
    values = compared(cells, sided, metrics, scored)
    if any(each.has_sides for each in metrics.values()):
        return values
    types = types_of_values(roles, metrics)
    places = (*roles.windows.types, "facet")
    of_sides = ("disfavored", "favored", "n_disfavored", "n_favored")
    return values.unique(places, keep="first", maintain_order=True).with_columns(
        pl.lit(None, types[name]).alias(name) for name in of_sides
    )
