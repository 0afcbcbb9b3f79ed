"""What chance does among many judged values: how many it puts outside, and which it does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite, log
from statistics import NormalDist
from typing import Any, Final

import polars as pl

from polars_fairness.api.verdicts import UNFAIR
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.inference.significance import holm
from polars_fairness.question.arguments import Question
from polars_fairness.question.facets import Reference
from polars_fairness.reporting.findings import Findings
from polars_fairness.reporting.verdicts import comparisons_shown
from polars_fairness.reporting.words import band_of, confidence_in_words

_NORMAL: Final = NormalDist()

# By chance alone their values have a standard normal distribution.
_STATISTICS: Final = [
    name
    for name, metric in CATALOGUE.items()
    if metric.has_sides and not metric.has_interval and metric.acceptable is not None
]

# Of fewer values, such as four intervals of 95 %, hardly any is expected.
_FEWEST: Final = 0.2

OF_ALL_PAIRS: Final = (
    "The group that fares best does so by chance too: intervals, p-values and verdicts beside it "
    "hold for all pairs of groups."
)

Row = Mapping[str, Any]


def judged_by_interval(findings: Findings) -> pl.DataFrame:
    """The rows of the audit that the report shows, and judges by their intervals."""
    names = [name for name in findings.metrics() if findings.rule(name) == "interval"]
    is_judged = pl.col("metric").is_in(names) & pl.col("verdict").is_not_null()
    tables = [each.table for each in comparisons_shown(findings)]
    return pl.concat(tables).filter(is_judged, pl.col("lower").is_not_null())


def largest_sure(findings: Findings) -> float:
    """The largest p-value of a value outside its band that is not by chance; 0 without any.

    By Holm's method over all values that are judged by their intervals, so that the sentences of a
    page hold together. By single intervals 5 of 40 pages on three facets of five groups that do
    not differ had a sentence that said so of a value, and 8 of 40 beside the highest group.
    """
    judged = judged_by_interval(findings).iter_rows(named=True)
    p_values = [p_of_interval(findings, row) if row["verdict"] in UNFAIR else 1.0 for row in judged]
    p = pl.Series(p_values, dtype=pl.Float64)
    return max(p.filter(holm(p) <= 1 - (findings.confidence or 1.0)), default=0.0)


def p_of_interval(findings: Findings, row: Row) -> float:
    """The p-value of a value outside its band, from its distance and its interval.

    The interval of a ratio is one of its logarithm.
    """
    level = findings.confidence or 0.0
    limits, value = band_of(row), row["value"]
    if limits is None:
        return 1.0
    edge, bound = (limits[1], row["lower"]) if value > limits[1] else (limits[0], row["upper"])
    places = [value, edge, bound]
    if findings.metric(row["metric"]).is_ratio:
        if value == float("inf"):
            places = [0.0, 1 / edge, 1 / bound]
        elif min(places) > 0:
            places = [log(each) for each in places]
    value, edge, bound = places
    reach = abs(value - bound)
    if not isfinite(value) or not isfinite(reach):
        return 1 - level
    z = _NORMAL.inv_cdf((1 + level) / 2) * abs(value - edge) / reach if reach else float("inf")
    return 2 * _NORMAL.cdf(-z)


def chance_in_words(findings: Findings) -> Iterator[str]:
    """How many of the judged values are expected to be wrong by chance, where there are several."""
    confidence, intervals = findings.confidence, judged_by_interval(findings).height
    if confidence is not None and intervals * (1 - confidence) >= _FEWEST:
        most = (
            "at most "
            if any(is_chosen(findings.question, each) for each in findings.facets)
            else ""
        )
        yield (
            f"Of {intervals:,} {confidence_in_words(confidence)} intervals, {most}"
            f"{_about(intervals * (1 - confidence))} can be expected to miss the true value; “not "
            "by chance” holds for all."
        )
    shown = [each.table for each in comparisons_shown(findings)]
    yield from statistics_in_words(pl.concat(shown), findings.question)


def statistics_in_words(audited: pl.DataFrame, question: Question) -> Iterator[str]:
    """How many test statistics lie outside their bands by chance, where there are several.

    Where the data chose side a, their verdicts hold for all pairs of groups.
    """
    facets = [each for each in audited["facet"].unique() if not is_chosen(question, each)]
    judged = audited.filter(
        pl.col("facet").is_in(facets),
        pl.col("metric").is_in(_STATISTICS),
        pl.col("band_lower").is_not_null() & pl.col("value").is_not_null(),
    )
    bands = judged.select("band_lower", "band_upper").rows()
    beyond = sum(_NORMAL.cdf(low) + _NORMAL.cdf(-high) for low, high in bands)
    if beyond >= _FEWEST:
        names = ", ".join(judged["metric"].unique(maintain_order=True))
        yield (
            f"Of {judged.height:,} test statistics ({names}), each judged by "
            f"itself, {_about(beyond)} can be expected to lie outside the band by chance alone."
        )


def _about(expected: float) -> str:
    """A number of values that is expected, with a digit after the point if it is small."""
    return f"about {expected:,.0f}" if expected >= 1.5 else f"about {expected:.1g}"


def is_chosen(question: Question, facet: str | None) -> bool:
    """Whether side a of a facet is the group with the highest rate."""
    favored = question.get("favored")
    given = favored.get(facet) if isinstance(favored, Mapping) else favored
    return isinstance(given, Reference) and given.ranks_by_rate
