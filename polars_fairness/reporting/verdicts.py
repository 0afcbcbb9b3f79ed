"""The comparisons that a report shows, and verdicts as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf, isclose, isfinite, log
from statistics import NormalDist
from typing import Any, Final

import polars as pl

from polars_fairness.api.verdicts import OUTSIDE, TONES, tone_of, widened
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.significance import adjusted
from polars_fairness.question.arguments import Question
from polars_fairness.question.facets import Reference
from polars_fairness.question.judging import Band, Rule
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.charts.marks import places
from polars_fairness.reporting.findings import Comparison, Findings, Window
from polars_fairness.reporting.parts import Part, Tally
from polars_fairness.reporting.words import (
    about_sides,
    band_of,
    confidence_in_words,
    value_in_words,
    verdict_in_words,
    window_in_words,
)


def latest_window(findings: Findings) -> object:
    """The last date or time of ``by``, None without one."""
    column = findings.time_column
    return None if column is None else findings.audited[column].max()


def latest_in_words(findings: Findings) -> list[str]:
    """The last date or time with the name of its column, none without one."""
    latest, column = latest_window(findings), findings.time_column
    return [] if column is None or latest is None else [window_in_words(((column, latest),))]


def filter_latest(findings: Findings, frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of the last date or time; all rows if ``by`` is none."""
    column = findings.time_column
    if column is None or latest_window(findings) is None:
        return frame
    # By the column itself: polars takes a name such as `^a$` for a pattern.
    return frame.filter(frame[column] == latest_window(findings))


def comparisons_shown(findings: Findings) -> list[Comparison]:
    """The comparisons of the latest window, or of all windows if these are no times."""
    return shown_among(findings, findings.comparisons())


def shown_among(findings: Findings, comparisons: Iterable[Comparison]) -> list[Comparison]:
    """Those of the comparisons, of any frame with sides, that the report shows."""
    latest, column = latest_window(findings), findings.time_column
    shown = [
        each
        for each in with_other_groups(findings, comparisons)
        if latest is None or dict(each.window)[str(column)] == latest
    ]
    # In the order of the question, which may put first what matters most.
    places: dict[str | None, int] = {facet: i for i, facet in enumerate(findings.facets)}
    shown.sort(key=lambda each: places.get(each.facet, len(places)))
    return shown


def with_other_groups(findings: Findings, comparisons: Iterable[Comparison]) -> list[Comparison]:
    """These comparisons, with the name of the other group where everyone else is one group."""
    named = []
    for each in comparisons:
        others = findings.groups_of(each.facet) - {str(each.disfavored)}
        is_one = each.favored is None and each.disfavored is not None and len(others) == 1
        named.append(replace(each, favored=others.pop()) if is_one else each)
    return named


def group_by_facet(comparisons: Iterable[Comparison]) -> dict[str | None, list[Comparison]]:
    """The comparisons of each facet; None stands for those of no facet."""
    facets: dict[str | None, list[Comparison]] = {}
    for comparison in comparisons:
        facets.setdefault(comparison.facet, []).append(comparison)
    return facets


def apart(findings: Findings, window: Window) -> Window:
    """The part of a window that tells it from others where only the latest time is shown."""
    return tuple((name, value) for name, value in window if name != findings.time_column)


_PLACES: Final = {tone: place for place, tone in enumerate(TONES)}


def requested_without_band(findings: Findings) -> list[str]:
    """The metrics that the call names and that have no band, so no verdict; with sides first."""
    if not findings.requested:
        return []
    metrics = findings.metrics()
    names = [name for name in metrics if findings.band(name) is None]
    return sorted(names, key=lambda name: not metrics[name].has_sides)


def is_ratio(metric: Metric) -> bool:
    """Whether 0.5 is as far from the ideal as 2, so that a scale has to be logarithmic."""
    return metric.ideal == 1 and metric.range[0] == 0


def farness(row: Mapping[str, Any]) -> float:
    """How far a value is from the middle of its band, in halves of the band's width."""
    band = band_of(row)
    if row["value"] is None or band is None:
        return -inf
    place = places(band, row["ideal"], 1)(row["value"])
    return -inf if place is None else abs(place)


def worst_first(row: Mapping[str, Any]) -> tuple[int, float]:
    """The key by which values outside their bands come first, the farthest of them before all."""
    return _PLACES[tone_of(row["verdict"]).name], -farness(row)


_MOST_MODELS: Final = 4

_WITHOUT: Final = "without an interval the value is judged"
_RULES: Final[Mapping[Rule, str]] = {
    "interval": (
        "a verdict is within or outside the band if the whole interval is, else uncertain; "
        f"{_WITHOUT}"
    ),
    "point": "the value alone is judged, without its interval",
    "significant": (
        "a value outside the band counts if its p-value is below 0.05; without a p-value a "
        "verdict is undefined"
    ),
}


def disadvantages_d(row: Mapping[str, Any]) -> bool:
    """Whether a row of an audit disadvantages its side d."""
    return row["against"] is not None and row["against"] == row["disfavored"]


def is_within(value: float | None, limits: Band) -> bool:
    """Whether a value lies in a band, as verdicts have it."""
    if value is None or limits is None:
        return True
    least, most = widened(limits)
    return least <= value <= most


def meaning_of(metric: Metric, row: Mapping[str, Any]) -> str:
    """What a value above or below the ideal means; empty where neither is shown.

    An interval that holds the ideal shows neither, nor does a test statistic within its band.
    """
    value, ideal = row["value"], metric.ideal
    if value is None or ideal is None or isclose(value, ideal, abs_tol=1e-9):
        return ""
    if row["lower"] is not None:
        is_shown = not row["lower"] <= ideal <= row["upper"]
    else:
        limits = band_of(row)
        is_shown = metric.has_interval or limits is None or not is_within(value, limits)
    return (metric.above if value > ideal else metric.below) if is_shown else ""


def direction_in_words(metric: Metric, row: Mapping[str, Any], comparison: Comparison) -> str:
    """What a value says of its sides; empty without a value or an ideal."""
    if row["value"] is None or metric.ideal is None:
        return ""
    return about_sides(meaning_of(metric, row) or "no direction is shown", comparison)


def rules_in_words(findings: Findings) -> str:
    """The rules by which the report judges, with the metrics of each if there are several."""
    metrics: dict[Rule, list[str]] = {}
    for name in findings.metrics():
        metrics.setdefault(findings.rule(name), []).append(name)
    rules = []
    for rule, names in metrics.items():
        of_metrics = f" for {', '.join(names)}" if len(metrics) > 1 else ""
        words = _RULES[rule]
        if findings.question.get("cluster") is not None:
            words = words.replace(_WITHOUT, "without one over clusters there is no verdict")
        rules.append(f"the rule {rule}{of_metrics}: {words}.")
    return f"Verdicts follow {' They follow '.join(rules)}"


def tallied(comparisons: Sequence[Comparison]) -> Iterator[Part]:
    """How often each verdict occurs, for each of several models unless there are many."""
    by_model: dict[object, list[Comparison]] = {}
    for each in comparisons:
        by_model.setdefault(dict(each.window).get(MODEL), []).append(each)
    if not 1 < len(by_model) <= _MOST_MODELS:
        yield _tallies(comparisons)
        return
    for model, of_model in by_model.items():
        yield f"Model {value_in_words(model)}:"
        yield _tallies(of_model)


def _tallies(comparisons: Sequence[Comparison]) -> tuple[Tally, ...]:
    """How often each verdict occurs."""
    counts = Counter(
        (tone_of(row["verdict"]).name, verdict_in_words(row))
        for comparison in comparisons
        for row in comparison.table.iter_rows(named=True)
        if row["verdict"] is not None
    )
    order = list(TONES)
    ordered = sorted(counts, key=lambda key: (order.index(key[0]), -counts[key], key[1]))
    return tuple(Tally(counts[tone, words], words, tone) for tone, words in ordered)


_NORMAL: Final = NormalDist()

# By chance alone their values have a standard normal distribution.
_STATISTICS: Final = [
    name for name, metric in CATALOGUE.items() if metric.has_sides and metric.is_test
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
    p_values = [
        p_of_interval(findings, row) if row["verdict"] == OUTSIDE else 1.0 for row in judged
    ]
    p = pl.Series(p_values, dtype=pl.Float64)
    return max(p.filter(adjusted(p, "holm") <= 1 - (findings.confidence or 1.0)), default=0.0)


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
            f"{_about(intervals * (1 - confidence))} can be expected to miss the true "
            "value."
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
