"""Scales of values: linear, or logarithmic for ratios, for which 0.5 is as far from 1 as 2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, isclose, isfinite, log
from typing import Any, Final, Literal

from polars_fairness.reporting.charts.drawing import alt
from polars_fairness.reporting.words import band_of

_FARTHEST: Final = 10.0
"""How far a logarithmic scale reaches at most, as a factor; values beyond are at the edge."""

_ROOM: Final = 0.06
"""The room beyond the lowest and the highest value, as a share of what lies between them."""

_LEAST: Final = 0.1
"""How much a scale spans at least, relative to its values: a smaller span would show noise."""

_APART: Final = 0.125
"""The distance between two ticks as a share of the scale, so that their labels do not touch."""

_TINY: Final = 1e-3
_ROUNDEST: Final = (1, 0.8, 1.25, 0.5, 2, 0.2, 5, 0.1, 10)
_STEPS: Final = (1, 0.5, 0.1)
_FINE_STEPS: Final = (0.05, 0.02)


@dataclass(frozen=True)
class Values:
    """The scale of an axis of values, from ``low`` to ``high``."""

    low: float
    high: float
    is_log: bool

    @classmethod
    def of(cls, values: Iterable[float | None], *, is_log: bool) -> Values:
        """A scale on which these values have a place, apart from infinite ones and far ratios.

        There is a little room beyond them. Ratios have a place for 1.
        """
        known = [value for value in values if value is not None and isfinite(value)]
        if is_log:
            near = [min(_FARTHEST, max(1 / _FARTHEST, value)) for value in known]
            low, high = _with_room(log(min([1, *near])), log(max([1, *near])), _LEAST)
            return cls(exp(low), exp(high), is_log)
        low, high = min(known, default=0), max(known, default=1)
        widest = max(abs(low), abs(high))
        return cls(*_with_room(low, high, _LEAST * widest if isclose(low, high) else 0), is_log)

    @property
    def scale(self) -> alt.Scale:
        kind: Literal["log", "linear"] = "log" if self.is_log else "linear"
        # A nice domain of a logarithmic scale would end at powers of 10, an area begin at 0.
        return alt.Scale(type=kind, domain=[self.low, self.high], nice=False, zero=False)

    @property
    def axis(self) -> alt.Axis:
        if not self.is_log:
            # The general format writes 10 as 1e+1, the other writes 0.0000001 as 0.
            is_tiny = max(abs(self.low), abs(self.high)) < _TINY
            return alt.Axis(tickCount=4, format="~g" if is_tiny else ",~f")
        return alt.Axis(values=ratio_ticks(self.low, self.high), format="~g")

    def placed(self, mark: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
        """The mark with its values moved to the edge of the scale if they are beyond it."""
        return {
            **mark,
            **{
                key: None if mark[key] is None else max(self.low, min(self.high, mark[key]))
                for key in keys
            },
        }


def _with_room(low: float, high: float, least: float) -> tuple[float, float]:
    """The ends, farther apart; at least so far, or by some distance if it is 0."""
    room = max(_ROOM * (high - low), (least - (high - low)) / 2)
    if not room:
        room = _LEAST
    return low - room, high + room


def ratio_ticks(low: float, high: float) -> list[float]:
    """Round numbers on a logarithmic scale, the roundest first, as many as do not touch.

    Examples
    --------
    >>> from polars_fairness.reporting.charts.scales import ratio_ticks
    >>> ratio_ticks(0.1, 10)
    [0.1, 0.2, 0.5, 1, 2, 5, 10]
    >>> ratio_ticks(0.7, 1.3)
    [0.7, 0.8, 0.9, 1, 1.1, 1.25]
    """
    ticks: list[float] = []
    least = _APART * log(high / low)
    steps = (*_STEPS, *_FINE_STEPS) if high < 1.5 * low else _STEPS
    finer = (round(i * step, 2) for step in steps for i in range(1, int(high / step) + 1))
    for tick in (*_ROUNDEST, *finer):
        is_free = all(abs(log(tick / other)) >= least for other in ticks)
        if low <= tick <= high and is_free:
            ticks.append(tick)
    return sorted(ticks)


_ROOM_OF_INTERVALS: Final = 0.5


def ends_of(rows: Sequence[Mapping[str, Any]], *, is_log: bool) -> tuple[float, ...]:
    """The lowest and the highest number that charts of these rows of an audit are drawn to.

    All values, bands and ideals are between them, except infinite ones. Intervals take half as
    much again at most, else a wide one would press all others flat. Without numbers there are no
    ends.

    Examples
    --------
    >>> row = {"value": 0.2, "ideal": 0, "band_lower": -0.1, "band_upper": 0.1}
    >>> [round(end, 3) for end in ends_of([row | {"lower": 0.1, "upper": 9}], is_log=False)]
    [-0.1, 0.35]
    """
    inner = _known(
        number for row in rows for number in (row["value"], row["ideal"], *(band_of(row) or ()))
    )
    if is_log:
        inner = [each for each in inner if each > 0]
    if not inner:
        return ()
    low, high = min(inner), max(inner)
    if is_log:
        room = (high / low) ** _ROOM_OF_INTERVALS
        least, most = low / room, high * room
    else:
        room = _ROOM_OF_INTERVALS * (high - low)
        least, most = low - room, high + room
    bounds = _known(row[bound] for row in rows for bound in ("lower", "upper"))
    return max(least, min([low, *bounds])), min(most, max([high, *bounds]))


def _known(numbers: Iterable[float | None]) -> list[float]:
    return [each for each in numbers if each is not None and isfinite(each)]
