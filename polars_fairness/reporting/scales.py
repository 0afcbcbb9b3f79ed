"""The scales of charts and of strips in tables: where a value lies, and the ticks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, exp, floor, inf, isclose, isfinite, isinf, log, log10
from typing import Any, Final

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.question.judging import Band

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


_PERCENT: Final = "format(100 * abs(datum.value), '~g') + ' %'"


@dataclass(frozen=True)
class Values:
    """The scale of an axis of values, from ``low`` to ``high``; shares are written in percent.

    Differences of shares may be written in points.
    """

    low: float
    high: float
    is_log: bool = False
    is_share: bool = False
    in_points: bool = False
    ticks: Sequence[float] = ()

    @classmethod
    def covering(
        cls, values: Iterable[float | None], *, is_log: bool = False, is_share: bool = False
    ) -> Values:
        """A scale on which these values have a place, apart from infinite ones and far ratios.

        There is a little room beyond them. Ratios have a place for 1.
        """
        known = _known(values)
        if is_log:
            near = [min(_FARTHEST, max(1 / _FARTHEST, value)) for value in known]
            low, high = _add_room(log(min([1, *near])), log(max([1, *near])), _LEAST)
            return cls(exp(low), exp(high), is_log)
        low, high = min(known, default=0), max(known, default=1)
        widest = max(abs(low), abs(high))
        ends = _add_room(low, high, _LEAST * widest if isclose(low, high) else 0)
        return cls(0 if is_share and low >= 0 else ends[0], ends[1], is_share=is_share)

    @classmethod
    def of_shares(cls, values: Iterable[float | None], start: float = 0) -> Values:
        """A scale of shares from the start to a little above the highest of these values."""
        highest = max(_known(values), default=1.0) or 1.0
        return cls(start, 1.04 * highest, is_share=True)

    def place(self, value: float) -> float:
        """Where a value is, from 0 at the left edge to 1."""
        read = _logarithm if self.is_log else float
        low, high = read(self.low), read(self.high)
        return max(0.0, min(1.0, (read(value) - low) / (high - low)))

    @property
    def channel(self) -> dict[str, Any]:
        """The scale and the axis, as Vega-Lite has them."""
        # A nice domain of a logarithmic scale would end at powers of 10, an area begin at 0.
        scale = {"type": "log" if self.is_log else "linear", "domain": [self.low, self.high]}
        return {"scale": scale | {"nice": self.is_share, "zero": False}, "axis": self._axis}

    @property
    def _axis(self) -> dict[str, Any]:
        if self.is_share:
            room = {"labelOverlap": "greedy", "labelSeparation": 6}
            return {"labelExpr": _PERCENT, "tickCount": 4, **room}
        if self.is_log or self.ticks:
            ticks = [*(self.ticks or ratio_ticks(self.low, self.high))]
            return {"values": ticks, "format": "~g", "grid": self.is_log}
        if self.in_points:
            return {"labelExpr": "format(100 * datum.value, ',~f')", "tickCount": 4}
        # The general format writes 10 as 1e+1, the other writes 0.0000001 as 0.
        is_tiny = max(abs(self.low), abs(self.high)) < _TINY
        return {"tickCount": 4, "format": "~g" if is_tiny else ",~f"}

    def placed(self, mark: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
        """The mark with its values moved to the edge of the scale if they are beyond it."""
        known = (key for key in keys if mark.get(key) is not None)
        return {**mark, **{key: max(self.low, min(self.high, mark[key])) for key in known}}


SHARES: Final = Values(0, 1, is_share=True)


def _add_room(low: float, high: float, least: float) -> tuple[float, float]:
    """The ends, farther apart; at least so far, or by some distance if it is 0."""
    room = max(_ROOM * (high - low), (least - (high - low)) / 2)
    if not room:
        room = _LEAST
    return low - room, high + room


def ratio_ticks(low: float, high: float) -> list[float]:
    """Round numbers on a logarithmic scale, the roundest first, as many as do not touch.

    Examples
    --------
    >>> from polars_fairness.reporting.scales import ratio_ticks
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


def scale_of(rows: Sequence[Mapping[str, Any]], *, is_log: bool) -> Values:
    """The scale that charts of these rows of an audit have in common.

    All values, bands and ideals are on it, except infinite ones. Intervals take half as much again
    at most, else a wide one would press all others flat.

    Examples
    --------
    >>> row = {"value": 0.2, "ideal": 0, "band_lower": -0.1, "band_upper": 0.1}
    >>> scale = scale_of([row | {"lower": 0.1, "upper": 9}], is_log=False)
    >>> round(scale.low, 3), round(scale.high, 3)
    (-0.127, 0.377)
    """
    inner = _known(
        row[key] for row in rows for key in ("value", "ideal", "band_lower", "band_upper")
    )
    if is_log:
        inner = [each for each in inner if each > 0]
    if not inner:
        return Values.covering([], is_log=is_log)
    low, high = min(inner), max(inner)
    if is_log:
        room = (high / low) ** _ROOM_OF_INTERVALS
        least, most = low / room, high * room
    else:
        room = _ROOM_OF_INTERVALS * (high - low)
        least, most = low - room, high + room
    bounds = _known(row[bound] for row in rows for bound in ("lower", "upper"))
    ends = (max(least, min([low, *bounds])), min(most, max([high, *bounds])))
    return Values.covering(ends, is_log=is_log)


def _known(numbers: Iterable[float | None]) -> list[float]:
    return [each for each in numbers if each is not None and isfinite(each)]


def places(limits: Band, ideal: float) -> Callable[[float | None], float | None]:
    """The function that places a number on the scale of a band; without a band, nowhere."""
    if limits is None:
        return lambda _: None
    low, high = limits
    read = _logarithm if is_of_ratios(limits) else float
    middle, half = _middle_and_half(read(low), read(high), read(ideal))
    return lambda value: None if value is None else (read(value) - middle) / half


def is_of_ratios(limits: Band) -> bool:
    """Whether a band is drawn by its logarithms: 0.8 and 1.25 are equally far from 1."""
    return limits is not None and limits[0] > 0 and isclose(limits[0] * limits[1], 1)


def is_logarithmic(name: str, ideal: float | None, limits: Band) -> bool:
    """Whether a metric is a ratio, by the catalogue, or else by a band such as 0.8 to 1.25."""
    if name in CATALOGUE:
        return ideal == 1 and isinf(CATALOGUE[name].range[1])
    return is_of_ratios(limits)


def _logarithm(value: float) -> float:
    return log(value) if value > 0 else -inf


def _middle_and_half(low: float, high: float, ideal: float) -> tuple[float, float]:
    """The middle of a band and half its width; a band with one end has its ideal in the middle."""
    if isinf(low) and isinf(high):
        return ideal, 1.0
    if isinf(high):
        return max(ideal, low + 1), max(ideal - low, 1.0)
    if isinf(low):
        return min(ideal, high - 1), max(high - ideal, 1.0)
    return (low + high) / 2, (high - low) / 2 or 1.0


_NEAR: Final = 11.0
"""How far two labels of a strip are apart at least, in per cent of its width."""
_TICKS_OF_RATIOS: Final = (0.1, 0.25, 0.5, 2, 4, 10)


@dataclass(frozen=True)
class Scale:
    """The scale that the strips of a column share, with the accepted band and the ideal.

    ``factor`` and ``sign`` write its ticks: 100 and " %" of shares, 100 of points.
    """

    values: Values
    band: Band = None
    ideal: float | None = None
    factor: int = 1
    sign: str = ""
    most: int = 4
    """How many steps its ticks have at most."""

    def place(self, value: float) -> float:
        """Where a value is, in per cent of the width of a cell."""
        return round(100 * self.values.place(value), 1)

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """The place and the text of each tick: the ideal and the edges of the band come first."""
        low, high = self.values.low, self.values.high
        standards = [] if self.values.is_share else [self.ideal, *(self.band or ())]
        if self.values.is_log:
            others: Iterable[float] = _TICKS_OF_RATIOS
        else:
            unit = 10.0 ** floor(log10((high - low) / 2))
            step = next(
                each * unit for each in (1, 2, 5, 10) if (high - low) / (each * unit) <= self.most
            )
            others = (
                round(i * step, 10)
                for i in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)
            )
        shown: dict[float, float] = {}
        for tick in (*standards, *others):
            if tick is not None and low <= tick <= high:
                place = self.place(tick)
                if all(abs(place - other) >= _NEAR for other in shown.values()):
                    shown[tick] = place
        return [(place, self._written(tick)) for tick, place in shown.items()]

    def _written(self, tick: float) -> str:
        return f"{float(f'{self.factor * tick:.6g}'):,.10g}".replace("-", "−") + self.sign
