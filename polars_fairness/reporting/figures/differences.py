"""Figures of a contrast: how far each metric is from its reference, with intervals around 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isinf
from typing import Any, Final

import polars as pl

from polars_fairness.answers.contrasts import BOUNDS_OF_DIFFERENCE
from polars_fairness.answers.verdicts import CHANGES, tone_of_change
from polars_fairness.formula.metric import Sign
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.figures.forest import places
from polars_fairness.reporting.findings import Comparison, comparisons_of
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.words import (
    band_of,
    comparison_in_words,
    favored_in_words,
    number,
    span,
    window_in_words,
)

_MOST_ROWS: Final = 40
_MOST_NAMED: Final = 5
_SCALE: Final = "difference, in halves of the width of the band"
_NO_BANDS: Final = "metrics without a band have numbers, and no place on its scale"


def without_champion(audited: pl.DataFrame) -> pl.DataFrame:
    """The rows that have a difference, without a model that differs nowhere, as a champion does.

    If no model differs anywhere, there are the rows of each.
    """
    known = audited.filter(pl.col("change").is_not_null())
    if MODEL not in audited.columns:
        return known
    differs = pl.any_horizontal(pl.col(name) != 0 for name in ("difference", *BOUNDS_OF_DIFFERENCE))
    others = known.filter(differs.any().over(MODEL))
    return known if others.is_empty() else others


def difference_figures(
    audited: pl.DataFrame, windows: Sequence[str], signs: Mapping[str, Sign | None]
) -> list[Figure]:
    """For each two sides, one plot of the metrics that have a sign, and one of all others.

    A row is a metric in a window, and windows of the same metric follow each other.
    """
    figures = []
    for comparison in comparisons_of(audited, []) if audited.height else ():
        has_sides = comparison.disfavored is not None
        is_signed = pl.col("metric").is_in([name for name, sign in signs.items() if sign])
        d, a = comparison.disfavored, favored_in_words(comparison)
        for signed, meaning in (
            (True, f"values to the right moved against {d}, values to the left against {a}"),
            (False, "values to the right are higher than their references"),
        ):
            part = comparison.table.filter((is_signed & has_sides) == signed)
            if part.height:
                figures.append(_figure(replace(comparison, table=part), windows, signs, meaning))
    return figures


def _figure(
    comparison: Comparison,
    windows: Sequence[str],
    signs: Mapping[str, Sign | None],
    meaning: str,
) -> Figure:
    table = comparison.table
    by_metric = table.partition_by("metric", maintain_order=True)
    most, longest = max(1, _MOST_ROWS // len(by_metric)), max(part.height for part in by_metric)
    rows = [row for part in by_metric for row in part.tail(most).iter_rows(named=True)]
    # The only window is named once, in the title.
    is_only = not windows or table[[*windows]].n_unique() == 1
    named, titled = ([], windows) if is_only else (windows, [])
    marks = [_mark(row, named, signs[row["metric"]] or 1) for row in rows]
    last = f" (the last {most} of {longest:,} windows)" if longest > most else ""
    about = [comparison_in_words(comparison), _window_in_words(rows[0], titled)]
    title = f"Differences, {', '.join(filter(None, about))}{last}"
    words = "; ".join(f"{mark['name']} {mark['Difference']}, {mark['Change']}" for mark in marks)
    changes = (f"{change} for {names}" for change, names in _changes(marks))
    settings = {
        "title": _SCALE,
        "has_bands": False,
        "columns": ("Difference", "Interval", "Change"),
    }
    has_place = any(mark["ideal"] is not None for mark in marks)
    caption = f"{title}\n{meaning if has_place else _NO_BANDS}"
    in_words = f"{title}: {', '.join(changes)}. {words}."
    return Figure(caption, in_words, "forest", marks, settings)


def _changes(marks: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """The names of the marks with each change, the worst first."""
    for change in CHANGES:
        names = [mark["name"] for mark in marks if mark["Change"] == change]
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        if names:
            yield change, ", ".join(names[:_MOST_NAMED]) + more


def _window_in_words(row: Mapping[str, Any], windows: Sequence[str]) -> str:
    return window_in_words(tuple((name, row[name]) for name in windows))


def _mark(row: Mapping[str, Any], windows: Sequence[str], sign: int) -> dict[str, Any]:
    """A difference on the scale of the metric's band, where the right speaks against d.

    A ratio is drawn by its logarithm, so the interval is that of the value less the reference.
    """
    place, reference = places(band_of(row), row["ideal"], sign), row["reference"]
    origin = place(reference)

    def moved(difference: float | None) -> float | None:
        if difference is None or origin is None or isinf(origin):
            return None
        there = place(reference + difference)
        return None if there is None else there - origin

    lower, upper = (row[bound] for bound in BOUNDS_OF_DIFFERENCE)
    window = _window_in_words(row, windows)
    return {
        "name": f"{row['metric']}, {window}" if window else row["metric"],
        "value": moved(row["difference"]),
        "lower": moved(lower),
        "upper": moved(upper),
        "ideal": moved(0.0),
        "tone": tone_of_change(row["change"]).name,
        "Difference": number(row["difference"]),
        "Interval": span(lower, upper),
        "Change": row["change"],
    }
