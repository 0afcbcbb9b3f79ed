"""Every group that several attributes define, the worst first."""

from __future__ import annotations

from functools import partial
from typing import Unpack

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.answers.subgroups.blocks import cells_of_blocks
from polars_fairness.answers.subgroups.table import (
    find_options,
    own_columns,
    schema,
    subgroup_table,
)
from polars_fairness.api.call import Call
from polars_fairness.api.refusals import refuse_intersections, refuse_taken_names
from polars_fairness.api.signatures import takes
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError
from polars_fairness.formula.groups import Groups
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question


@takes()
def subgroups(
    frame: AnyFrame,
    metric: str | Metric,
    *,
    depth: int | None = None,
    minimum_count: int | None = None,
    unknown: bool = True,
    shrink: bool = False,
    confidence: float | None = 0.95,
    **question: Unpack[Question],
) -> PolarsFrame:
    """Tell of every group that the attributes define, alone and together, how far it is off.

    The top row is what the same metric comes to over ``groups="conjunctions"``.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine.
    metric
        "fpsf", "fnsf" or "spsf": alpha is the share of everybody that the group's rate is about,
        beta the distance of that rate from the rate of all. A gap, such as "tpr_gap": alpha is 1,
        beta the distance from the group farthest away. A ratio, such as "selection_rate_ratio":
        alpha is 1, beta the smallest ratio with another group. Or a metric of your own, made with
        ``across(..., each=...)``; or one that has its groups with it, such as
        ``fpsf(groups="intersections")``.
    depth
        How many attributes a group fixes at most: 1 for the values of each attribute; None for
        all.
    minimum_count
        Leave out groups of fewer rows.
    unknown
        Whether null is a value of an attribute; if not, groups that would fix it are left out, and
        their rows are part of everybody.
    shrink
        Draw the rates of groups of few rows to those of all groups that fix as many attributes:
        empirical Bayes with a Beta distribution fitted to them. ``beta`` and the rank are then of
        the shrunken rate.
    confidence
        How often the interval of a rate shall hold the truth; None for no intervals. Wilson's, of
        weighted rows as many as are worth the same; of a shrunken rate the middle of its Beta
        distribution, for which extra ``significance`` is needed.
    **question
        As in `metrics`. The columns of ``facet`` are the attributes; sides and subgroups play no
        part.

    Returns
    -------
    LazyFrame or DataFrame
        One row per group that occurs, the worst first: the columns of ``by``; the attributes, null
        where the group does not fix them; ``group``, the same as a struct; ``fixed``, a struct that
        says of each attribute whether the group fixes it, so that null for any value and null for
        unknown are told apart; ``depth``, how many it fixes; ``n`` and ``share``, its rows and
        their part of all; ``rate``, with ``shrink`` ``shrunken_rate``, and ``lower`` and ``upper``,
        the bounds of the latter of them; ``rate_of_all``; ``alpha``, ``beta``, ``alpha*beta``, and
        ``rank``, 1 for the worst of a window, null where the group has no rate.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.DataFrame(
    ...     {
    ...         "sex": ["F", "F", "F", "F", "M", "M", "M", "M"],
    ...         "race": ["b", "b", "w", "w", "b", "b", "w", "w"],
    ...         "hired": [0, 0, 1, 1, 1, 0, 0, 1],
    ...     }
    ... )
    >>> told = pf.subgroups(hired, "spsf", facet=["sex", "race"], predicted="hired")
    >>> told.select("sex", "race", "depth", "n", "rate", "alpha*beta", "rank").head(3)
    shape: (3, 7)
    ┌──────┬──────┬───────┬─────┬──────┬────────────┬──────┐
    │ sex  ┆ race ┆ depth ┆ n   ┆ rate ┆ alpha*beta ┆ rank │
    │ ---  ┆ ---  ┆ ---   ┆ --- ┆ ---  ┆ ---        ┆ ---  │
    │ str  ┆ str  ┆ i64   ┆ i64 ┆ f64  ┆ f64        ┆ i64  │
    ╞══════╪══════╪═══════╪═════╪══════╪════════════╪══════╡
    │ null ┆ b    ┆ 1     ┆ 4   ┆ 0.25 ┆ 0.125      ┆ 1    │
    │ null ┆ w    ┆ 1     ┆ 4   ┆ 0.75 ┆ 0.125      ┆ 1    │
    │ F    ┆ b    ┆ 2     ┆ 2   ┆ 0.0  ┆ 0.125      ┆ 1    │
    └──────┴──────┴───────┴─────┴──────┴────────────┴──────┘
    """
    groups = Groups("conjunctions", depth, minimum_count, unknown)
    call = Call.of(frame, question).with_metrics([metric]).without_strata()
    [found] = call.metrics.values()
    if found.is_joint:
        if groups != Groups("conjunctions"):
            msg = (
                f"depth, minimum_count, unknown: {found.name!r} has groups of its own; say there "
                "which these are, or give the metric without groups="
            )
            raise FairnessError(msg)
        groups = found.parsed.groups
    options = find_options(found, groups, shrink=shrink, confidence=confidence)
    refuse_intersections(call.roles)
    refuse_taken_names(call.roles, {"by", "facet"}, own_columns(call.roles, options))
    cells_of = partial(cells_of_blocks, groups=groups)
    return call.answer(
        cells_of, partial(subgroup_table, options=options), schema(call.roles, options)
    )
