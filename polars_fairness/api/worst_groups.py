"""The function `worst_groups`: every group that several attributes define, worst first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Unpack, cast

from polars_fairness.answers.criteria import of_metrics
from polars_fairness.answers.hidden import require_least
from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.answers.worst_groups import (
    cells_of_blocks,
    find_options,
    own_columns,
    schema,
    table_of_ranks,
)
from polars_fairness.api.call import Call
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.signatures import answers
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError, keyword
from polars_fairness.formula.groups import Groups
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question, parted
from polars_fairness.question.audit_arguments import HARM, OF_WORST_GROUPS, WorstGroupsQuestion
from polars_fairness.question.numbers import NUMBERS
from polars_fairness.question.outcomes import ROLES


@answers(*OF_WORST_GROUPS)
def worst_groups(
    frame: AnyFrame, metric: str | Metric, **given: Unpack[WorstGroupsQuestion]
) -> PolarsFrame:
    """Rank every group that the attributes define, alone and combined, by its disparity.

    Groups on the side of the overall rate that fares worse come first, the worst group at the top.
    With ``harm="both"`` its ``weighted_gap`` equals the value of the same metric with
    ``groups="conjunctions"``. Otherwise it is the worst on that side, and the value may belong to
    a group that fares best.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    metric
        A metric across groups. It decides what alpha, the weight of a group, and beta, its
        distance, are:

        - "fpsf", "fnsf" or "spsf": alpha is the share of all rows that the group's rate is
          about, beta the distance of this rate from the overall rate.
        - A gap, such as "tpr_gap": alpha is 1, beta the distance of the group's rate from the
          farthest rate of another group.
        - A ratio, such as "selection_rate_ratio": alpha is 1, beta the smallest ratio between the
          group's rate and the rate of another group.
        - A gap of numbers, such as "estimate_gap" or "mae_gap": the same, with the mean or the
          error of each group in place of a rate. The bounds of a mean are Student's; a root mean
          squared error has none.
        - A difference of two sides, such as "estimate_difference": the gap of the same rate, error
          or mean, where there is one.
        - "miscalibration": alpha is the share of all rows, beta the cumulative calibration error
          of the group's scores.
        - A metric of your own, made with ``across(..., each=...)``.
        - A metric that brings its groups, such as ``fpsf(groups="intersections")``.
    {own arguments}
    **question
        As in `metrics`. The columns of ``facet`` are the attributes. ``disfavored``, ``favored``
        and ``subgroup`` change nothing.

    Returns
    -------
    LazyFrame or DataFrame
        One row per group that has rows, in the order of ``rank``. The columns are those of
        ``by``, then:

        ``group``
            The values that the group fixes, as text: ``F & Black``. An unknown value is
            ``(unknown)``, and attributes that the group leaves open are left out.
        the attributes
            The same values in columns of their own types; null for an attribute that is unknown or
            open.
        ``n``, ``share``
            The rows of the group, and their share of all rows.
        ``depth``
            The number of attributes that the group fixes.
        ``fixed``
            A struct of Booleans, whether the group fixes each attribute.
        ``alpha``, ``beta``, ``weighted_gap``
            The weight of the group, its distance, and their product.
        ``lower``, ``upper``, ``rate_of_all``, ``rate``, ``shrunken_rate``
            The bounds of the group's rate, or of its shrunken rate if there is one; the overall
            rate; the group's rate; with ``shrink`` also its shrunken rate. The bounds are not
            adjusted for the rank: the worst of many groups is worst by chance too. Of thirty groups
            with one rate, those of 95 % held the rate of the worst in 4 of 10 cases; of groups
            whose rates differ, in 7 or 8.
        ``mean_score``
            With "miscalibration", whose rate is the base rate, also the group's mean score.
        ``direction``
            "below" or "above": where the group's rate is, seen from the overall rate; with
            "miscalibration", seen from its mean score. Null if they are equal, except for the last
            digits, or if the group has no rate.
        ``rank``
            1 for the worst group of a window. The groups on the side that ``harm`` names have the
            first ranks, then all others, both by ``weighted_gap``. Null for a group without
            a rate.
        ``note``
            With ``hide_below``: which groups are hidden. These are all groups of the same
            attributes as one with fewer people; they stand last in a window, without a rank.

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
    >>> groups = pf.worst_groups(hired, "spsf", facet=["sex", "race"], predicted="hired")
    >>> groups.select("group", "n", "rate", "weighted_gap", "direction", "rank").head(3)
    shape: (3, 6)
    ┌───────┬─────┬──────┬──────────────┬───────────┬──────┐
    │ group ┆ n   ┆ rate ┆ weighted_gap ┆ direction ┆ rank │
    │ ---   ┆ --- ┆ ---  ┆ ---          ┆ ---       ┆ ---  │
    │ str   ┆ i64 ┆ f64  ┆ f64          ┆ str       ┆ i64  │
    ╞═══════╪═════╪══════╪══════════════╪═══════════╪══════╡
    │ b     ┆ 4   ┆ 0.25 ┆ 0.125        ┆ below     ┆ 1    │
    │ F & b ┆ 2   ┆ 0.0  ┆ 0.125        ┆ below     ┆ 1    │
    │ w     ┆ 4   ┆ 0.75 ┆ 0.125        ┆ above     ┆ 3    │
    └───────┴─────┴──────┴──────────────┴───────────┴──────┘
    """
    own, question = parted(given, OF_WORST_GROUPS)
    require_least(own["hide_below"])
    call = Call.of(frame, cast("Question", question), "worst_groups", own)
    call = call.with_metric(ranking_metric(metric))
    groups = Groups("conjunctions", *map(own.pop, ("depth", "minimum_count", "include_unknown")))
    [found] = call.metrics.values()
    roles = call.roles.keeping((*ROLES, *NUMBERS, "features", "score")).needing(found.needs)
    if found.is_joint:
        if groups != Groups("conjunctions"):
            raise FairnessError(
                f"depth, minimum_count, include_unknown: {found.name!r} has groups of its own; "
                "give these arguments to the metric, or give the metric without "
                f"{keyword('groups')}"
            )
        groups = found.parsed.groups
    call = replace(call, roles=roles.of_scores if found.parsed.level.is_by_score else roles)
    options = find_options(found, groups, favorable=call.roles.favorable, **own)
    if isinstance(own[HARM.name], Mapping):
        of_metrics(HARM.name, own[HARM.name], call.metrics)
    refuse_taken_names(call.roles, {"by", "facet"}, own_columns(call.roles, options))
    compute = partial(table_of_ranks, options=options)
    cells_of = partial(cells_of_blocks, groups=groups)
    return call.answer(cells_of, compute, schema(call.roles, options))


def ranking_metric(metric: str | Metric) -> str | Metric:
    """The metric by which groups rank: in place of a difference of two sides, its gap."""
    if isinstance(metric, str) and metric in CATALOGUE and metric.endswith("_difference"):
        gap = f"{metric.removesuffix('_difference')}_gap"
        if gap in CATALOGUE and CATALOGUE[gap].parsed.each:
            return gap
    return metric
