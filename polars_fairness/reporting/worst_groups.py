"""The groups that are off farthest, of every metric that says what each group has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import polars as pl

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.formula.groups import Each
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.rates import RATES
from polars_fairness.reporting.findings import Findings, Window
from polars_fairness.reporting.groups import GroupsTold
from polars_fairness.reporting.heat import heat_map
from polars_fairness.reporting.parts import Cell, Part, Section, Table
from polars_fairness.reporting.words import (
    confidence_in_words,
    groups_in_words,
    number,
    of_how_many_rows,
    share,
    share_span,
    size,
    window_in_words,
)

_MOST_GROUPS: Final = 10
_MOST_TABLES: Final = 24

_OF_GROUPS: Final = (
    "A group is whoever has the same value of one facet, or the same values of several; unknown is "
    "a value too, where it is not left out."
)
_UNASKED: Final = (
    "No metric over several facets was asked for, so those are shown that fit the outcomes."
)
_OF_CHANCE: Final = (
    "Of many groups some are far off by chance alone: see whether the interval of a rate holds the "
    "rate of all."
)
_OF_MAPS: Final = (
    "On a heat map every cell is a group that fixes both facets. Orange is above the rate of all, "
    "blue below; the deeper, the farther, up to the farthest or, where that is less, ten points. A "
    "cell is empty where there are no rows that the rate could be of, or fewer than a group has to "
    "have."
)


def worst_groups(findings: Findings) -> list[Section]:
    """One section for the whole, and one below it for each metric."""
    if not findings.grouped:
        return []
    most = max(1, _MOST_TABLES // len(findings.grouped))
    below = [
        Section(
            f"{told.metric.name}: {told.metric.title}",
            tuple(_of_metric(findings, told, most)),
            level=3,
        )
        for told in findings.grouped
    ]
    has_maps = any(isinstance(part, tuple) for section in below for part in section.parts)
    opening = " ".join([_OF_GROUPS, *_unasked(findings), *_intervals(findings)])
    return [Section("Worst groups", (opening, _OF_MAPS) if has_maps else (opening,)), *below]


def _unasked(findings: Findings) -> list[str]:
    asked = [metric for metric in findings.requested if isinstance(metric, Metric)]
    are_asked = any(told.metric is metric for told in findings.grouped for metric in asked)
    return [] if are_asked else [_UNASKED]


def _intervals(findings: Findings) -> list[str]:
    if findings.confidence is None:
        return []
    of = ", of as many rows as the weighted ones are worth" if findings.is_weighted else ""
    return [f"Intervals are Wilson's, {confidence_in_words(findings.confidence)}{of}.", _OF_CHANCE]


def _of_metric(findings: Findings, told: GroupsTold, most: int) -> Iterator[Part]:
    rate = RATES[told.each.rate]
    yield f"{_metric_in_words(told)} {rate.title}: {rate.meaning}."
    yield _ranks_in_words(told.each)
    parts = list(told.by_window())
    if len(parts) > most:
        yield f"These are the last {most} of {len(parts):,} windows."
    yield from heat_map(told, rate.title, parts[-most:])
    for window, part in parts[-most:]:
        ranked = part.filter(pl.col("rank").is_not_null())
        if ranked.height:
            yield _worst_table(findings, told, window, ranked.head(_MOST_GROUPS))
        yield _left_out(told, window, part.height, ranked.height)


def _metric_in_words(told: GroupsTold) -> str:
    groups = f"groups are {groups_in_words(told.groups)}."
    definition = told.metric.definition
    return f"The metric is {definition}; the {groups}" if definition else f"The {groups}"


def _ranks_in_words(each: Each) -> str:
    alpha, beta = _factors(each)
    worst = ", where the product is smallest" if each.is_worst_where_small else ""
    return f"Alpha is {alpha}, beta {beta}; groups rank by alpha times beta, 1 the worst{worst}."


def _factors(each: Each) -> tuple[str, str]:
    """What alpha and beta are; of a metric of the user's own only its formula tells."""
    if not any(each is metric.parsed.each for metric in CATALOGUE.values()):
        return "the group's share", "its distance, as the metric has them"
    if each.is_worst_where_small:
        return "1", "the smallest ratio between the group's rate and another's"
    if not each.share.meta.root_names():
        return "1", "the distance of the group's rate from the one farthest away"
    return (
        "the part of everybody that the group's rate is about",
        "the distance of that rate from the rate of all",
    )


def _worst_table(
    findings: Findings, told: GroupsTold, window: Window, worst: pl.DataFrame
) -> Table:
    rows = "Weight" if findings.is_weighted else "Rows"
    heads = (
        rows,
        RATES[told.each.rate].title,
        "Rate of all",
        "Alpha",
        "Beta",
        "Alpha × beta",
        "Rank",
    )
    return Table(
        caption=f"Worst groups by {told.metric.name}{_in(window)}",
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


def _left_out(told: GroupsTold, window: Window, groups: int, ranked: int) -> str:
    """Say how many groups the table has no room for, or no rate of."""
    if not ranked:
        return f"No group has this rate{_in(window)}."
    counted = f"groups{of_how_many_rows(told.groups)}"
    hidden = groups - min(ranked, _MOST_GROUPS)
    if not hidden:
        return f"These are all {counted}: {groups}."
    unrated = groups - ranked
    none = f", {unrated:,} of them without this rate" if unrated else ""
    return f"Not shown: {hidden:,} of {groups:,} {counted}{none}."
