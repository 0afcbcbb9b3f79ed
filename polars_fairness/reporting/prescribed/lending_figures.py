"""The charts of a page on lending."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import polars as pl

from polars_fairness.question.judging import Band
from polars_fairness.reporting.figures.comparison_charts import value_of_group
from polars_fairness.reporting.figures.curves import MOST_LINES
from polars_fairness.reporting.figures.figures import first_of
from polars_fairness.reporting.figures.scale_ends import ends_of
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.prescribed.lending_findings import (
    air_or_last,
    favored_in_row,
    favored_of_all,
)
from polars_fairness.reporting.prescribed.windows import by_facet, compared
from polars_fairness.reporting.words import extremes_in_words, number

_MOST_ROWS: Final = 14

Row = Mapping[str, Any]


def _band_of(minimum_ratio: float) -> Band:
    """The ratios that are not below the limit, whichever side is divided by the other."""
    return (minimum_ratio, 1 / minimum_ratio) if 0 < minimum_ratio <= 1 else None


def air_figures(of_window: pl.DataFrame, minimum_ratio: float, *, favorable: bool) -> list[Figure]:
    """The AIR of the groups of each facet of one window, the worst first, on one scale."""
    band = _band_of(minimum_ratio)
    low, high = band or (None, None)
    limits = {"ideal": 1.0, "band_lower": low, "band_upper": high}
    of_facets = {
        facet: [
            {
                **row,
                **limits,
                "value": row["air"],
                "tone": _tone(row, minimum_ratio, favorable=favorable),
            }
            for row in part.iter_rows(named=True)
        ]
        for facet, part in by_facet(compared(of_window))
    }
    ends = ends_of([row for rows in of_facets.values() for row in rows], is_log=True)
    settings = {"band": band, "ideal": 1.0, "ends": ends, "is_log": True}
    settings["sign"] = -1 if favorable else 1
    return [
        _air_figure(
            facet, sorted(rows, key=lambda row: air_or_last(row, favorable=favorable)), settings
        )
        for facet, rows in of_facets.items()
        if rows and ends
    ]


def _tone(row: Row, minimum_ratio: float, *, favorable: bool) -> str:
    """Flagged; or below the limit of the ratio, but not flagged; or neither."""
    if row["air"] is None:
        return "open"
    if row["is_flagged"]:
        return "outside"
    is_beyond = row["air"] < minimum_ratio if favorable else row["air"] * minimum_ratio > 1
    return "uncertain" if is_beyond else "within"


def _air_figure(facet: str, rows: Sequence[Row], settings: Mapping[str, Any]) -> Figure:
    is_one = favored_of_all(rows) is not None
    names = [
        row["disfavored"] if is_one else f"{row['disfavored']} against {favored_in_row(row)}"
        for row in rows
    ]
    marks = [
        {
            "name": name,
            **{key: row[key] for key in ("value", "lower", "upper", "tone")},
            "text": number(row["air"]),
        }
        for name, row in zip(names, rows, strict=True)
    ]
    against = f" against {favored_of_all(rows)}" if is_one else ""
    title = f"AIR{against}, by {facet}"
    values = "; ".join(value_of_group(*each) for each in zip(names, rows, strict=True))
    first = "lowest" if settings["sign"] < 0 else "highest"
    most = f"\nthe {_MOST_ROWS} {first} of {len(marks):,}" if len(marks) > _MOST_ROWS else ""
    return Figure(
        f"{title}{most}", f"{title}: {values}.", "comparison", marks[:_MOST_ROWS], settings
    )


def quantile_figures(
    of_window: pl.DataFrame, about: str, minimum_ratio: float, accepted: str
) -> Iterator[Figure]:
    """For each facet of one window, the AIR of its groups over the share accepted."""
    for facet, part in by_facet(of_window):
        lines: dict[str, list[Row]] = {}
        for row in part.iter_rows(named=True):
            if row["air"] is not None:
                lines.setdefault(row["disfavored"], []).append(row)
        if not lines:
            continue
        drawn = dict([*lines.items()][:MOST_LINES])
        of_one = f" of {next(iter(lines))}" if len(lines) == 1 else ""
        title = f"AIR{of_one} by share {accepted}, by {facet}{about and ', '}{about}"
        title += first_of(lines, MOST_LINES)
        values = (
            (f"{name} at {100 * row['share']:g} %", row["air"])
            for name, rows in drawn.items()
            for row in rows
        )
        points = [
            {"line": place, "x": row["share"], "y": row["air"]}
            | {bound: row[bound] for bound in ("lower", "upper")}
            for place, rows in enumerate(drawn.values())
            for row in rows
        ]
        settings = {
            "names": [*drawn],
            "band": _band_of(minimum_ratio),
            "ideal": 1.0,
            "is_log": True,
            "over": f"Share {accepted}",
        }
        words = f"{title}: {extremes_in_words(values, number)}."
        yield Figure(title, words, "sweep", points, settings)
