"""Rates of groups, each with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from polars_fairness.formula.rates import RATES
from polars_fairness.reporting.charts.drawing import alt
from polars_fairness.reporting.charts.look import (
    Look,
    finite,
    inline_data,
    named_rows,
    numbers_beside,
    sizes_beside,
)
from polars_fairness.reporting.findings import bounds_of, parts_of
from polars_fairness.reporting.parts import Chart, Figure, first_of
from polars_fairness.reporting.tables import (
    group_in_words,
    is_of_all_rows,
    rate_span,
)
from polars_fairness.reporting.words import (
    extremes_in_words,
    share,
    size,
    size_name,
    window_in_words,
)

_MOST_GROUPS: Final = 30


def rate_figures(rated: pl.DataFrame, shown: Sequence[str], windows: Sequence[str]) -> list[Figure]:
    """One figure for every window, facet and shown rate; the last group of each is all rows.

    Figures of the same rate have one scale.
    """
    ends = {rate: pl.max_horizontal(rate, bounds_of(rate)[1]).cast(pl.Float64) for rate in shown}
    known = [end.filter(end.is_finite()).max().alias(rate) for rate, end in ends.items()]
    highest = rated.select(known).row(0, named=True) if shown else {}
    figures = []
    for part in parts_of(rated, windows):
        table = part.to_dicts()
        all_rows = [row for row in table if is_of_all_rows(row)]
        window = window_in_words(tuple((name, table[0][name]) for name in windows))
        for facet in dict.fromkeys(row["facet"] for row in table if not is_of_all_rows(row)):
            groups = [row for row in table if row["facet"] == facet]
            about = f"{facet}, {window}" if window else facet
            about += first_of(groups, _MOST_GROUPS)
            drawn = groups[:_MOST_GROUPS] + all_rows
            figures += [_rate_figure(rate, about, drawn, highest[rate]) for rate in shown]
    return figures


def _rate_figure(
    rate: str, about: str, groups: Sequence[Mapping[str, Any]], highest: float | None
) -> Figure:
    lower, upper = bounds_of(rate)
    points = [
        {
            "name": group_in_words(row),
            "rate": row[rate],
            "lower": row[lower],
            "upper": row[upper],
            "Rate": share(row[rate]),
            "Interval": rate_span(row, rate),
            size_name(row["n"]): size(row["n"]),
        }
        for row in groups
    ]
    words = "; ".join(f"{group_in_words(row)} {_rate_in_words(row, rate)}" for row in groups)
    title = f"{RATES[rate].title} by {about}"
    of_groups = ((group_in_words(row), row[rate]) for row in groups if not is_of_all_rows(row))
    found = extremes_in_words(of_groups, share)
    return Figure(title, f"{title}: {found}. {words}.", RateChart(points, highest=highest))


def _rate_in_words(row: Mapping[str, Any], rate: str) -> str:
    interval = rate_span(row, rate)
    return f"{share(row[rate])}, {interval}" if interval else share(row[rate])


_ROW_HEIGHT: Final = 24
_PERCENT: Final = "format(100 * datum.value, '~g') + ' %'"


@dataclass(frozen=True)
class RateChart(Chart):
    """A chart of points with ``name``, ``rate``, ``lower`` and ``upper``; the first is on top.

    With the ``overall`` rate, a dashed line shows it, and each point has the colour of its
    ``side`` of this line. The scale ends at the ``highest`` number, or at that of the points.
    """

    overall: float | None = None
    highest: float | None = None

    has_heads = True

    def draw(self, look: Look) -> alt.LayerChart:
        colours, points = look.colours, [finite(point) for point in self.marks]
        known = [p[key] for p in points for key in ("rate", "upper") if p[key] is not None]
        highest = max(known, default=1) if self.highest is None else self.highest
        x = alt.X(
            "rate:Q",
            title=None,
            scale=alt.Scale(domain=[0, highest or 1], nice=True),
            axis=alt.Axis(
                labelExpr=_PERCENT, tickCount=4, labelOverlap="greedy", labelSeparation=6
            ),
        )
        data, y = named_rows(points, look)
        base = alt.Chart(data).encode(y=y)
        spans = base.mark_rule(color=colours.soft, strokeWidth=2).encode(
            x=alt.X("lower:Q"), x2=alt.X2("upper:Q")
        )
        marks = base.mark_point(color=colours.ink, filled=True, opacity=1, size=60).encode(x=x)
        layers = [spans, marks]
        if self.overall is not None:
            line = alt.Chart(inline_data([{"overall": self.overall}])).mark_rule(
                color=colours.ink, strokeDash=[3, 3]
            )
            coloured = alt.Color("side:N", scale=look.of_sides(), legend=None)
            layers = [line.encode(x=alt.X("overall:Q")), spans, marks.encode(color=coloured)]
        layers += sizes_beside(base, points, look)
        layers += numbers_beside(base, points, ("Rate", "Interval", "Rows", "Weight"), look)
        return alt.LayerChart(layer=layers, height=_ROW_HEIGHT * len(points))
