"""Forest plots: the metrics of one comparison, each on the scale of its own band."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf, isclose, isinf, log
from typing import Any

import polars as pl

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.formula.metric import Sign
from polars_fairness.question.judging import Band
from polars_fairness.reporting.findings import Comparison
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.verdicts import verdict_in_words
from polars_fairness.reporting.words import (
    band,
    band_of,
    comparison_in_words,
    favored_in_words,
    number,
    span,
)


def with_place(comparison: Comparison) -> Comparison:
    """The comparison with the metrics that have a place on the scale of their bands."""
    has_place = pl.col("value").is_not_null() & pl.col("band_lower").is_not_null()
    return replace(comparison, table=comparison.table.filter(has_place))


def forest_figures(comparison: Comparison, signs: Mapping[str, Sign | None]) -> list[Figure]:
    """One plot of the metrics that have a sign, and one of the metrics that have none.

    A metric without a value or a band has a row without a mark.
    """
    rows = comparison.table.rows(named=True)
    has_sides = comparison.disfavored is not None
    signed = [row for row in rows if has_sides and signs[row["metric"]]]
    unsigned = [row for row in rows if row not in signed]
    favored = favored_in_words(comparison)
    title = "Metrics on the scale of their bands"
    right = f"values to the right speak against {comparison.disfavored}"
    above = "values to the right are above; they do not show which side they speak against"
    plots = (
        (signed, f"{title}: {right}, values to the left against {favored}"),
        (unsigned, f"{title}: {above}"),
    )
    return [_forest_figure(comparison, signs, *plot) for plot in plots if plot[0]]


def _forest_figure(
    comparison: Comparison,
    signs: Mapping[str, Sign | None],
    rows: Sequence[Mapping[str, Any]],
    title: str,
) -> Figure:
    marks = [_mark(row, signs[row["metric"]] or 1, comparison) for row in rows]
    if all(mark["ideal"] is None for mark in marks):
        title = "Metrics without a band"
    words = "; ".join(
        f"{row['metric']} {number(row['value'])}, {mark['Verdict']}"
        for row, mark in zip(rows, marks, strict=True)
    )
    in_words = f"{title}, {comparison_in_words(comparison)}: {words}."
    return Figure(title, in_words, "forest", marks)


def _mark(row: Mapping[str, Any], sign: int, comparison: Comparison) -> dict[str, Any]:
    """A row of the audit on the scale of its band, where the right speaks against d."""
    limits = band_of(row)
    place = places(limits, row["ideal"], sign)
    return {
        "name": f"{row['metric']}  {number(row['value'])}",
        **{key: place(row[key]) for key in ("value", "lower", "upper", "ideal")},
        "tone": tone_of(row["verdict"]).name,
        "Interval": span(row["lower"], row["upper"]),
        "Band": band(limits),
        "Verdict": verdict_in_words(row, comparison),
    }


def places(limits: Band, ideal: float, sign: int) -> Callable[[float | None], float | None]:
    """The function that places a number on the scale of a band; without a band, nowhere."""
    if limits is None:
        return lambda _: None
    low, high = limits
    # 0.8 and 1.25 are equally far from 1: a band of ratios is drawn by its logarithms.
    read = _logarithm if low > 0 and isclose(low * high, 1) else float
    middle, half = _scale(read(low), read(high), read(ideal))
    return lambda value: None if value is None else sign * (read(value) - middle) / half


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
