"""What the columns of a page on lending mean, each with the sign of its values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from polars_fairness.reporting.parts import Cell, Table
from polars_fairness.reporting.prescribed.lending_findings import LendingFindings
from polars_fairness.reporting.prescribed.lending_tables import (
    AIR,
    BRESLOW_DAY,
    COCHRAN,
    COMMON_ODDS_RATIO,
    FLAG,
    FOUR_FIFTHS,
    ODDS_RATIO,
    POINTS,
    RATE,
    SEGMENTS,
    SHORTFALL,
    SMD,
    P,
)

_DEVIATIONS: Final = {
    "pooled": "the pooled standard deviation within the two groups, whose variances divide by n",
    "population": "the standard deviation of all rows",
}


def columns_table(findings: LendingFindings) -> Table:
    """The columns of the tables on the page, with their meaning and sign."""
    return Table(
        caption="The columns of the tables",
        heads=("Column", "Meaning", "Sign"),
        rows=tuple(
            (Cell(name), Cell(meaning), Cell(sign)) for name, meaning, sign in _columns(findings)
        ),
        look="dense",
    )


def _columns(findings: LendingFindings) -> Iterator[tuple[str, str, str]]:
    is_weighted = findings.question.get("weight") is not None
    more = "more" if findings.favorable else "less" if is_weighted else "fewer"
    how_many = f"how much {more} weight" if is_weighted else f"how many {more} rows"
    part = "four fifths" if findings.favorable else "five fourths"
    less = f"the group is {findings.accepted} less"
    test = (
        "of the normal test of two rates, with the effective number of rows"
        if is_weighted
        else "of Fisher’s exact test of the two rates"
    )
    adjusted = ""
    if method := findings.adjusted_by:
        adjusted = f", adjusted by the method of {method} for all comparisons of its section"
    yield RATE, f"the share of the rows of a group that are {findings.accepted}", ""
    yield (
        AIR,
        "adverse impact ratio: the group’s rate divided by that of the reference",
        f"below 1: {less}",
    )
    yield (
        POINTS,
        "the reference’s rate less that of the group, in percentage points",
        f"above 0: {less}",
    )
    yield (
        ODDS_RATIO,
        f"the group’s odds of being {findings.accepted} divided by those of the reference",
        f"below 1: {less}",
    )
    if findings.has_scores:
        deviation = _DEVIATIONS[findings.options["deviation"]]
        yield (
            SMD,
            "standardised mean difference: the reference’s mean score less that of the group, "
            f"divided by {deviation}",
            "above 0: the group’s scores are lower",
        )
    yield (
        SHORTFALL,
        f"{how_many} of the group would have to be {findings.accepted} to reach the rate of the "
        "reference",
        "0: the rate is reached",
    )
    yield FOUR_FIFTHS, f"the same for {part} of the rate of the reference", "0: it is reached"
    yield P, f"the two-sided p-value {test}{adjusted}", ""
    yield FLAG, findings.limits, ""
    if findings.segments is not None:
        yield from _columns_over_segments(adjusted, less)


def _columns_over_segments(adjusted: str, less: str) -> Iterator[tuple[str, str, str]]:
    yield (
        SEGMENTS,
        "the number of segments in which both sides and both outcomes are present",
        "",
    )
    yield (
        COMMON_ODDS_RATIO,
        "the odds ratio of Mantel and Haenszel, one for all segments together",
        f"below 1: {less} within segments",
    )
    yield (
        COCHRAN,
        "the signed square root of their chi-squared statistic, without a correction for "
        "continuity, that rates are the same within segments; then its p-value" + adjusted,
        f"above 0: {less} within segments",
    )
    yield (
        BRESLOW_DAY,
        "the chi-squared statistic, without Tarone’s correction, that all segments have one odds "
        "ratio; then its p-value" + adjusted,
        "",
    )
