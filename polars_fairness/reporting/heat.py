"""The heat map of two facets: how far the rate of each pair of values is from that of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import isfinite
from typing import Any, Final

import polars as pl

from polars_fairness.reporting.findings import Window
from polars_fairness.reporting.groups import GroupsTold
from polars_fairness.reporting.parts import Figure, Part
from polars_fairness.reporting.words import points, window_in_words

_MOST_VALUES: Final = 12
"""How many values of a facet a map has room for."""

_GRAVE: Final = 0.1
"""A distance that has the deepest colour, if none is farther: what is usually tolerated is pale."""

Places = Mapping[tuple[object, object], float]
"""How far off each pair of values is that has rows."""


def heat_map(
    told: GroupsTold, rate: str, parts: Sequence[tuple[Window, pl.DataFrame]]
) -> tuple[Part, ...]:
    """Draw a map of every window, where there are two facets and groups that fix both."""
    if len(told.facets) != 2:
        return ()
    off = [_distances(part) for _, part in parts]
    if not any(off):
        return ()
    axes = [_values(told, i) for i in range(2)]
    for facet, values in zip(told.facets, axes, strict=True):
        if len(values) > _MOST_VALUES:
            return (
                f"There is no heat map: {facet} has {len(values):,} values, and there is room "
                f"for {_MOST_VALUES}.",
            )
    farthest = max([_GRAVE, *(abs(far) for places in off for far in places.values())])
    figures = tuple(
        _figure(told, _title(told, rate, window), axes, places, farthest)
        for (window, _), places in zip(parts, off, strict=True)
        if places
    )
    return (figures,)


def _title(told: GroupsTold, rate: str, window: Window) -> str:
    title = f"{rate} less that of all, in percentage points, by {' and '.join(told.facets)}"
    return f"{title}, {window_in_words(window)}" if window else title


def _distances(part: pl.DataFrame) -> Places:
    pairs = part.filter(pl.col("depth") == 2, pl.col("rate").is_not_null())
    off = pairs.select("facet.0", "facet.1", pl.col("rate") - pl.col("rate_of_all"))
    return {(first, second): far for first, second, far in off.iter_rows() if isfinite(far)}


def _values(told: GroupsTold, i: int) -> dict[object, str]:
    """The values of a facet in their own order, unknown last, each with its text."""
    value, text = f"facet.{i}", f"value.{i}"
    fixed = told.table.select(value, text).filter(pl.col(text).is_not_null())
    return dict(fixed.unique().sort(value, nulls_last=True).iter_rows())


def _figure(
    told: GroupsTold,
    title: str,
    axes: Sequence[Mapping[object, str]],
    places: Places,
    farthest: float,
) -> Figure:
    down, across = axes
    marks, words = [], []
    for (row, first), (column, second) in product(enumerate(down), enumerate(across)):
        far = places.get((first, second))
        text = "empty" if far is None else points(far)
        words.append(f"{down[first]} and {across[second]} {text}")
        if far is not None:
            marks.append(_mark(row, column, far, farthest))
    settings = {"down": [*down.values()], "across": [*across.values()], "titles": told.facets}
    return Figure(title, f"{title}: {'; '.join(words)}.", "heat", marks, settings)


def _mark(row: int, column: int, far: float, farthest: float) -> dict[str, Any]:
    return {
        "row": row,
        "column": column,
        "side": "above" if far > 0 else "below",
        "depth": abs(far) / farthest,
        "text": points(far),
    }
