"""Small pictures inside the cells of tables: bars of shares, dots with their intervals."""

from __future__ import annotations

from html import escape
from typing import Final

from polars_fairness.answers.verdicts import TONES
from polars_fairness.reporting.colours import ON_PAGE
from polars_fairness.reporting.parts import Axis, Bar, Dot

_WIDTH: Final = 120
_HEIGHT: Final = 16
_BAR_WIDTH: Final = 48
_SHAPES: Final = {
    "circle": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
    "cross": "M-4-1H-1V-4H1V-1H4V1H1V4H-1V1H-4Z",
    "diamond": "M0-5L4 0L0 5L-4 0Z",
    "triangle-up": "M0-4.5L4.5 4H-4.5Z",
}
"""The shapes of `answers.verdicts.TONES`, around the place of a value."""
_EDGE: Final = 15
"""The room at either end of a scale, for a dot at its edge and for the label of a tick."""


def picture_drawn(picture: Bar | Dot) -> str:
    """The picture as SVG, hidden from screen readers: the text of its cell says the same."""
    return _bar(picture) if isinstance(picture, Bar) else _dot(picture)


def axis_drawn(axis: Axis) -> str:
    """The ticks of a scale with their labels, below the name of a column.

    Labels at the ends stand inside the picture, which would cut them.
    """
    ends: dict[float, tuple[float, str]] = {0: (0, "start"), 1: (_WIDTH, "end")}
    marks = ""
    for place, text in axis.ticks:
        x, anchor = ends.get(place, (_place(place), "middle"))
        marks += (
            f'<text x="{x}" y="11" fill="{ON_PAGE.soft}" font-size="10" '
            f'text-anchor="{anchor}">{escape(text)}</text>'
        )
    return _svg(_WIDTH, marks)


def _svg(width: int, marks: str) -> str:
    return (
        f'<svg aria-hidden="true" class="pf-picture" viewBox="0 0 {width} {_HEIGHT}" '
        f'width="{width}" height="{_HEIGHT}">{marks}</svg>'
    )


def _bar(bar: Bar) -> str:
    lengths = ((ON_PAGE.band, _BAR_WIDTH), (ON_PAGE.soft, _BAR_WIDTH * bar.share))
    return _svg(
        _BAR_WIDTH,
        "".join(
            f'<rect fill="{colour}" width="{length:.2f}" y="4" height="8"/>'
            for colour, length in lengths
        ),
    )


def _dot(dot: Dot) -> str:
    axis, marks = dot.axis, []
    if axis.band is not None:
        low, high = (_place(edge) for edge in axis.band)
        marks.append(
            f'<rect fill="{ON_PAGE.band}" x="{low}" width="{high - low:.2f}" height="{_HEIGHT}"/>'
        )
    if axis.ideal is not None:
        x = _place(axis.ideal)
        marks.append(f'<path stroke="{ON_PAGE.soft}" stroke-dasharray="2 2" d="M{x} 0V{_HEIGHT}"/>')
    if dot.lower is not None and dot.upper is not None:
        interval = f"M{_place(dot.lower)} 8H{_place(dot.upper)}"
        marks.append(f'<path stroke="{ON_PAGE.ink}" stroke-width="1.5" d="{interval}"/>')
    tone = TONES[dot.tone]
    place = f"translate({_place(dot.value)} 8)"
    colour, shape = getattr(ON_PAGE, tone.colour), _SHAPES[tone.shape]
    marks.append(f'<path fill="{colour}" transform="{place}" d="{shape}"/>')
    return _svg(_WIDTH, "".join(marks))


def _place(share: float) -> float:
    return round(_EDGE + share * (_WIDTH - 2 * _EDGE), 2)
