"""The section of the worst groups: for each metric that ranks groups, its tables and heat maps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import polars as pl

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.formula.groups import Each
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.rates import RATES
from polars_fairness.reporting.findings import Findings, Window
from polars_fairness.reporting.heat import heat_map
from polars_fairness.reporting.parts import Cell, Part, Section, Table
from polars_fairness.reporting.ranked_groups import RankedGroups
from polars_fairness.reporting.words import (
    confidence_in_words,
    groups_in_words,
    minimum_in_words,
    number,
    share,
    share_span,
    size,
    window_in_words,
)

_MOST_GROUPS: Final = 10
_MOST_TABLES: Final = 24

_OF_GROUPS: Final = (
    "A group is the rows that share a value of one facet, or values of several facets. Unknown is "
    "a value too, unless it is left out."
)
_BY_DEFAULT: Final = (
    "No metric over several facets was requested, so the report shows the metrics that the "
    "outcomes allow."
)
_OF_CHANCE: Final = (
    "Among many groups, some rates are far from the overall rate by chance alone: check whether "
    "the interval of a rate contains the overall rate."
)
_OF_MAPS: Final = (
    "On a heat map each cell is a group that fixes both facets. Orange is above the overall rate, "
    "blue is below it. The farther a rate is from the overall rate, the deeper the colour; the "
    "deepest is for the farthest rate, or for ten points if no rate is farther. A cell is empty if "
    "its group has no rate, or fewer rows than a group needs."
)


def worst_groups(findings: Findings) -> list[Section]:
    """An opening section, and a section for each metric."""
    if not findings.rankings:
        return []
    most = max(1, _MOST_TABLES // len(findings.rankings))
    of_metrics = [
        Section(
            f"{ranking.metric.name}: {ranking.metric.title}",
            tuple(_of_metric(findings, ranking, most)),
            level=3,
        )
        for ranking in findings.rankings
    ]
    has_maps = any(isinstance(part, tuple) for section in of_metrics for part in section.parts)
    opening = " ".join([_OF_GROUPS, *_by_default(findings), *_intervals(findings)])
    return [Section("Worst groups", (opening, _OF_MAPS) if has_maps else (opening,)), *of_metrics]


def _by_default(findings: Findings) -> list[str]:
    given = [metric for metric in findings.requested if isinstance(metric, Metric)]
    are_given = any(ranking.metric is metric for ranking in findings.rankings for metric in given)
    return [] if are_given else [_BY_DEFAULT]


def _intervals(findings: Findings) -> list[str]:
    if findings.confidence is None:
        return []
    confidence = confidence_in_words(findings.confidence)
    of = " of the effective number of rows" if findings.is_weighted else ""
    return [f"Intervals are {confidence} Wilson intervals{of}.", _OF_CHANCE]


def _of_metric(findings: Findings, ranking: RankedGroups, most: int) -> Iterator[Part]:
    rate = RATES[ranking.each.rate]
    yield f"{_metric_in_words(ranking)} {rate.title}: {rate.meaning}."
    yield _ranks_in_words(ranking.each)
    parts = list(ranking.by_window())
    if len(parts) > most:
        yield f"These are the last {most} of {len(parts):,} windows."
    yield from heat_map(ranking, rate.title, parts[-most:])
    for window, part in parts[-most:]:
        ranked = part.filter(pl.col("rank").is_not_null())
        if ranked.height:
            yield _worst_table(findings, ranking, window, ranked.head(_MOST_GROUPS))
        yield _left_out(ranking, window, part.height, ranked.height)


def _metric_in_words(ranking: RankedGroups) -> str:
    groups = f"groups are {groups_in_words(ranking.groups)}."
    definition = ranking.metric.definition
    return f"The metric is {definition}; the {groups}" if definition else f"The {groups}"


def _ranks_in_words(each: Each) -> str:
    alpha, beta = _factors(each)
    product = "smallest" if each.is_worst_where_small else "largest"
    return (
        f"Alpha is {alpha}; beta is {beta}. Groups are ranked by alpha times beta: rank 1 is the "
        f"worst, with the {product} product."
    )


def _factors(each: Each) -> tuple[str, str]:
    """What alpha and beta are; of metrics outside the catalogue, only that they are defined."""
    if not any(each is metric.parsed.each for metric in CATALOGUE.values()):
        return "the group's share", "its distance, both as the metric defines them"
    if each.is_worst_where_small:
        return "1", "the smallest ratio between the group's rate and the rate of another group"
    if not each.share.meta.root_names():
        return "1", "the distance of the group's rate from the farthest rate of another group"
    return (
        "the rows that the group's rate is about, as a share of all rows",
        "the distance of the group's rate from the overall rate",
    )


def _worst_table(
    findings: Findings, ranking: RankedGroups, window: Window, worst: pl.DataFrame
) -> Table:
    rows = "Weight" if findings.is_weighted else "Rows"
    heads = (
        rows,
        RATES[ranking.each.rate].title,
        "Overall rate",
        "Alpha",
        "Beta",
        "Alpha × beta",
        "Rank",
    )
    return Table(
        caption=f"Worst groups by {ranking.metric.name}{_in(window)}",
        heads=("Group", *heads),
        rows=tuple(
            (
                Cell(row["name"]),
                Cell(size(row["n"])),
                Cell(share(row["rate"]), share_span(row["lower"], row["upper"])),
                Cell(share(row["rate_of_all"])),
                Cell(number(row["alpha"])),
                Cell(number(row["beta"])),
                Cell(number(row["alpha*beta"], digits=4)),
                Cell(f"{row['rank']:,}"),
            )
            for row in worst.iter_rows(named=True)
        ),
        numbers=frozenset(heads),
    )


def _in(window: Window) -> str:
    return f", {window_in_words(window)}" if window else ""


def _left_out(ranking: RankedGroups, window: Window, groups: int, ranked: int) -> str:
    """How many groups are not in the table, and how many of them have no rate."""
    if not ranked:
        return f"No group has this rate{_in(window)}."
    counted = f"groups{minimum_in_words(ranking.groups)}"
    hidden = groups - min(ranked, _MOST_GROUPS)
    if not hidden:
        return f"These are all {counted}: {groups}."
    unrated = groups - ranked
    none = f", {unrated:,} of them without this rate" if unrated else ""
    return f"Not shown: {hidden:,} of {groups:,} {counted}{none}."
