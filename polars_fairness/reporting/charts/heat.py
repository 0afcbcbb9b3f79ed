"""Heat maps: how far the groups of two attributes are from the overall rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import isfinite
from typing import Any, Final

import polars as pl

from polars_fairness.reporting.charts.drawing import alt
from polars_fairness.reporting.charts.look import PER_LETTER, Look, apart, inline_data
from polars_fairness.reporting.findings import RankedGroups, Window
from polars_fairness.reporting.parts import Chart, Figure, Part
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
    figures = tuple(
        _figure(ranking, _title(ranking, rate, window), axes, of_window, farthest)
        for (window, _), of_window in zip(parts, distances, strict=True)
        if of_window
    )
    return (figures,)


def _title(ranking: RankedGroups, rate: str, window: Window) -> str:
    facets = " and ".join(ranking.facets)
    title = f"{rate} minus the overall rate, in percentage points, by {facets}"
    return f"{title}, {window_in_words(window)}" if window else title


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
            marks.append(_mark(row, column, far, farthest))
    chart = HeatChart(marks, [*down.values()], [*across.values()], ranking.facets)
    in_words = f"{title}: {extremes_in_words(pairs, points)}. {'; '.join(words)}."
    return Figure(title, in_words, chart)


def _mark(row: int, column: int, far: float, farthest: float) -> dict[str, Any]:
    return {
        "row": row,
        "column": column,
        "side": "above" if far > 0 else "below",
        "depth": abs(far) / farthest,
        "text": points(far),
    }


_ROW_HEIGHT: Final = 40
_LONGEST: Final = 130
"""How long a name above a column may be; names wider than their column stand upright."""
_LONGEST_TITLE: Final = 200

_DEEPEST: Final = 0.6
"""The opacity of the farthest cell, low enough that the number in it stays readable."""

_WIDEST: Final = 38
"""The width of a number with some space around it."""


@dataclass(frozen=True)
class HeatChart(Chart):
    """A map of marks with ``row`` and ``column`` as numbers, ``side``, ``depth`` and ``text``.

    ``depth`` is the distance of a cell, 1 for the deepest colour; a pair without a mark is empty.
    """

    down: Sequence[str]
    across: Sequence[str]
    titles: Sequence[str]

    def draw(self, look: Look) -> alt.LayerChart:
        names, heads = apart(self.down, look.most_letters), apart(self.across)
        data = inline_data(
            [
                {**mark, "row": names[mark["row"]], "column": heads[mark["column"]]}
                for mark in self.marks
            ]
        )
        of_rows, of_columns = self.titles
        widest = min(_LONGEST, PER_LETTER * max(map(len, heads)))
        where_narrow = partial(_where_narrow, len(heads))
        x = alt.X(
            "column:N",
            title=of_columns,
            scale=alt.Scale(domain=heads),
            axis=alt.Axis(
                orient="top",
                ticks=False,
                domain=False,
                labelColor=look.colours.ink,
                labelLimit=_LONGEST,
                titleLimit=_LONGEST_TITLE,
                labelAngle=where_narrow(widest, "270", "0"),
                labelAlign=where_narrow(widest, "'left'", "'center'"),
                labelBaseline=where_narrow(widest, "'middle'", "'bottom'"),
            ),
        )
        y = alt.Y(
            "row:N",
            title=of_rows,
            scale=alt.Scale(domain=names),
            axis=alt.Axis(
                ticks=False, domain=False, labelPadding=6, titleLimit=_ROW_HEIGHT * len(names)
            ),
        )
        base = alt.Chart(data).encode(x=x, y=y)
        shades = alt.Scale(domain=[0, 1], range=[0, _DEEPEST])
        cells = base.mark_rect(stroke=look.colours.line).encode(
            fill=alt.Fill("side:N", scale=look.of_sides(), legend=None),
            fillOpacity=alt.FillOpacity("depth:Q", scale=shades, legend=None),
        )
        numbers = base.mark_text(
            color=look.colours.ink, fontSize=12, angle=where_narrow(_WIDEST, "270", "0")
        ).encode(text=alt.Text("text:N"))
        return alt.LayerChart(layer=[cells, numbers], height=_ROW_HEIGHT * len(names))


_WIDTH: Final = 360
"""The width of a chart below another, whose scales have other names."""


def _where_narrow(columns: int, width: float, narrow: str, wide: str) -> alt.ExprRef:
    """One of two settings, by whether a column of the drawn chart is narrower than this width."""
    drawn = f"(bandwidth('x') || {_WIDTH / columns:g})"
    return alt.ExprRef(f"{drawn} < {width:g} ? {narrow} : {wide}")
