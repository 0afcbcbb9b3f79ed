"""Verdicts and their rules as text, and how often a report has each verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isclose
from typing import Any, Final

from polars_fairness.answers.verdicts import TONES, tone_of, widened
from polars_fairness.formula.metric import Metric
from polars_fairness.question.judging import Band, Rule
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.parts import Part, Tally
from polars_fairness.reporting.words import about_sides, band_of, favored_in_words, value_in_words

_WITHIN, _OUTSIDE, _NO_BAND = "within the band", "outside the band", "no band"
_MOST_MODELS: Final = 4
_INSIGNIFICANT: Final = "not significantly outside the band"

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


def verdict_in_words(row: Mapping[str, Any], comparison: Comparison) -> str:
    """The verdict in a row of an audit as text, with the names of the sides."""
    verdict: str | None = row["verdict"]
    if verdict is None:
        return _NO_BAND
    if verdict in ("against_disfavored", "against_favored"):
        is_d = verdict == "against_disfavored"
        against = comparison.disfavored if is_d else favored_in_words(comparison)
        return f"outside, against {against}"
    # Only the rule "significant" calls a value outside the band fair.
    fair = _WITHIN if is_within(row["value"], band_of(row)) else _INSIGNIFICANT
    return {"fair": fair, "outside": _OUTSIDE}.get(verdict, verdict)


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
    """How often each verdict occurs, with the names of the sides if only two occur."""
    sides = {(each.disfavored, each.favored) for each in comparisons if each.disfavored}
    if len(sides) > 1:
        comparisons = [_with_roles(comparison) for comparison in comparisons]
    counts = Counter(
        (tone_of(row["verdict"]).name, verdict_in_words(row, comparison))
        for comparison in comparisons
        for row in comparison.table.iter_rows(named=True)
        if row["verdict"] is not None
    )
    order = list(TONES)
    ordered = sorted(counts, key=lambda key: (order.index(key[0]), -counts[key], key[1]))
    return tuple(Tally(counts[tone, words], words, tone) for tone, words in ordered)


def _with_roles(comparison: Comparison) -> Comparison:
    """The comparison with the roles of its sides in place of their names."""
    if comparison.disfavored is None:
        return comparison
    return replace(comparison, disfavored="the group", favored="the others")
