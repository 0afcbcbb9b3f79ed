"""The forest of one comparison: every metric on the scale of its own band."""

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
    """Metrics that tell against whom they speak, then those that tell a distance only."""
    judged = [
        row
        for row in comparison.table.iter_rows(named=True)
        if findings.band(row["metric"]) is not None and row["value"] is not None
    ]
    has_sides = comparison.disfavored is not None
    telling = [row for row in judged if has_sides and findings.sign(row["metric"])]
    others = [row for row in judged if row not in telling]
    favored = comparison.favored or EVERYONE_ELSE
    title = "Metrics against their bands"
    captions = (
        (telling, f"{title}: to the right against {comparison.disfavored}, left against {favored}"),
        (others, f"{title}: the numbers alone do not tell against whom; right is above the band"),
    )
    return [_forest_figure(findings, comparison, *told) for told in captions if told[0]]


def _forest_figure(
    findings: Findings,
    comparison: Comparison,
    rows: Sequence[Mapping[str, Any]],
    title: str,
) -> Figure:
    told = []
    for row in rows:
        verdict = verdict_in_words(row["verdict"], comparison)
        told.append(f"{row['metric']} {number(row['value'])}, {verdict}")
    marks = [_mark(findings, row) for row in rows]
    in_words = f"{title}, {comparison_in_words(comparison)}: {'; '.join(told)}."
    return Figure(title, in_words, "forest", marks)


def _mark(findings: Findings, row: Mapping[str, Any]) -> dict[str, Any]:
    """Place a row of the audit on the scale of its band; to the right is against d."""
    low, high = findings.band(row["metric"]) or (0.0, 0.0)
    turned = findings.sign(row["metric"]) or 1
    # 0.8 and 1.25 are equally far from 1: a band of ratios is drawn by its logarithms.
    read = _logarithm if low > 0 and isclose(low * high, 1) else float
    middle, half = _scale(read(low), read(high), read(row["ideal"]))

    def placed(value: float | None) -> float | None:
        return None if value is None else turned * (read(value) - middle) / half

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
    """The middle of a band and half its width; one without an end is twice as far as its ideal."""
    if isinf(low) and isinf(high):
        return ideal, 1.0
    if isinf(high):
        return max(ideal, low + 1), max(ideal - low, 1.0)
    if isinf(low):
        return min(ideal, high - 1), max(high - ideal, 1.0)
    return (low + high) / 2, (high - low) / 2 or 1.0
