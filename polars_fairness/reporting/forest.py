"""Forest plots: the metrics of one comparison, each on the scale of its own band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isclose, isinf, log
from typing import Any

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.verdicts import verdict_in_words
from polars_fairness.reporting.words import EVERYONE_ELSE, comparison_in_words, number


def forest_figures(findings: Findings, comparison: Comparison) -> list[Figure]:
    """One plot of the metrics that have a sign, and one of the metrics that have none."""
    judged = [
        row
        for row in comparison.table.iter_rows(named=True)
        if findings.band(row["metric"]) is not None and row["value"] is not None
    ]
    has_sides = comparison.disfavored is not None
    signed = [row for row in judged if has_sides and findings.sign(row["metric"])]
    unsigned = [row for row in judged if row not in signed]
    favored = comparison.favored or EVERYONE_ELSE
    title = "Metrics on the scale of their bands"
    right = f"values to the right speak against {comparison.disfavored}"
    above = "values to the right are above; they do not show which side they speak against"
    plots = (
        (signed, f"{title}: {right}, values to the left against {favored}"),
        (unsigned, f"{title}: {above}"),
    )
    return [_forest_figure(findings, comparison, *plot) for plot in plots if plot[0]]


def _forest_figure(
    findings: Findings,
    comparison: Comparison,
    rows: Sequence[Mapping[str, Any]],
    title: str,
) -> Figure:
    words = []
    for row in rows:
        verdict = verdict_in_words(row["verdict"], comparison, findings.rule(row["metric"]))
        words.append(f"{row['metric']} {number(row['value'])}, {verdict}")
    marks = [_mark(findings, row) for row in rows]
    in_words = f"{title}, {comparison_in_words(comparison)}: {'; '.join(words)}."
    return Figure(title, in_words, "forest", marks)


def _mark(findings: Findings, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the audit on the scale of its band, where the right speaks against d."""
    low, high = findings.band(row["metric"]) or (0.0, 0.0)
    sign = findings.sign(row["metric"]) or 1
    # 0.8 and 1.25 are equally far from 1: a band of ratios is drawn by its logarithms.
    read = _logarithm if low > 0 and isclose(low * high, 1) else float
    middle, half = _scale(read(low), read(high), read(row["ideal"]))

    def placed(value: float | None) -> float | None:
        return None if value is None else sign * (read(value) - middle) / half

    return {
        "name": f"{row['metric']}  {number(row['value'])}",
        "value": placed(row["value"]),
        "lower": placed(row["lower"]),
        "upper": placed(row["upper"]),
        "ideal": placed(row["ideal"]),
        "tone": tone_of(row["verdict"]).name,
    }


def _logarithm(value: float) -> float:
    return log(value) if value > 0 else -inf


def _scale(low: float, high: float, ideal: float) -> tuple[float, float]:
    """The middle of a band and half its width; a band with one end has its ideal in the middle."""
    if isinf(low) and isinf(high):
        return ideal, 1.0
    if isinf(high):
        return max(ideal, low + 1), max(ideal - low, 1.0)
    if isinf(low):
        return min(ideal, high - 1), max(high - ideal, 1.0)
    return (low + high) / 2, (high - low) / 2 or 1.0
