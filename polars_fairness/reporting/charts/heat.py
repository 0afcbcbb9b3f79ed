"""Heat maps: how far the groups of two attributes are from the overall rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import isfinite
from typing import Final

import polars as pl

from polars_fairness.reporting.charts.marks import Heat
from polars_fairness.reporting.findings import RankedGroups, Window
from polars_fairness.reporting.parts import Figure, Part
from polars_fairness.reporting.words import extremes_in_words, points, window_in_words

_MOST_VALUES: Final = 12
"""The largest number of values of a facet that a map has room for."""

_DEEPEST_AT_LEAST: Final = 0.1
"""The distance with the deepest colour is at least this: acceptable distances stay pale."""

Distances = Mapping[tuple[object, object], float]
"""The rate of each pair of values that has one, minus the overall rate."""


def heat_map(
    ranking: RankedGroups, rate: str, parts: Sequence[tuple[Window, pl.DataFrame]]
) -> tuple[Part, ...]:
    """One map for each window, if there are two facets and groups that fix both."""
    if len(ranking.facets) != 2:
        return ()
    distances = [_distances(part) for _, part in parts]
    if not any(distances):
        return ()
    axes = [_values(ranking, i) for i in range(2)]
    for facet, values in zip(ranking.facets, axes, strict=True):
        if len(values) > _MOST_VALUES:
            return (
                f"There is no heat map: {facet} has {len(values):,} values, and there is room "
                f"for {_MOST_VALUES}.",
            )
    farthest = max(
        [_DEEPEST_AT_LEAST, *(abs(far) for window in distances for far in window.values())]
    )
    about = f"by {' and '.join(ranking.facets)}"
    title = f"{rate} minus the overall rate, in percentage points, {about}"
    figures = tuple(
        _figure(
            ranking,
            ", ".join(filter(None, [title, window_in_words(window)])),
            axes,
            of_window,
            farthest,
        )
        for (window, _), of_window in zip(parts, distances, strict=True)
        if of_window
    )
    return (figures,)


def _about(window: Window) -> str:
    return f", {window_in_words(window)}" if window else ""


def _distances(part: pl.DataFrame) -> Distances:
    pairs = part.filter(pl.col("depth") == 2, pl.col("rate").is_not_null())
    rows = pairs.select("facet.0", "facet.1", pl.col("rate") - pl.col("rate_of_all"))
    return {(first, second): far for first, second, far in rows.iter_rows() if isfinite(far)}


def _values(ranking: RankedGroups, i: int) -> dict[object, str]:
    """The text of each value of a facet, in the order of the values, unknown last."""
    value, text = f"facet.{i}", f"value.{i}"
    fixed = ranking.table.select(value, text).filter(pl.col(text).is_not_null())
    return dict(fixed.unique().sort(value, nulls_last=True).iter_rows())


def _figure(
    ranking: RankedGroups,
    title: str,
    axes: Sequence[Mapping[object, str]],
    distances: Distances,
    farthest: float,
) -> Figure:
    down, across = axes
    marks, words, pairs = [], [], []
    for (row, first), (column, second) in product(enumerate(down), enumerate(across)):
        far = distances.get((first, second))
        text = "empty" if far is None else points(far)
        pair = f"{down[first]} and {across[second]}"
        words.append(f"{pair} {text}")
        pairs.append((pair, far))
        if far is not None:
            side, depth = "above" if far > 0 else "below", abs(far) / farthest
            mark = {"row": row, "column": column, "side": side, "depth": depth, "text": text}
            marks.append(mark)
    chart = Heat(marks, [*down.values()], [*across.values()], ranking.facets)
    in_words = f"{title}: {extremes_in_words(pairs, points)}. {'; '.join(words)}."
    return Figure(title, in_words, chart)
