"""The scale of a column of dots: the ideal in the middle, as far as the values reach."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, isfinite, log
from typing import Final

from polars_fairness.question.judging import Band
from polars_fairness.reporting.parts import Axis

_RATIOS: Final = (1.5, 2, 3, 4, 5, 10)
_STEPS: Final = (0.1, 0.2, 0.3, 0.5)


@dataclass(frozen=True)
class Scale:
    """A scale that reaches equally far to both sides of the ideal, ratios by their logarithms."""

    ideal: float
    reach: float
    is_log: bool

    @classmethod
    def of(cls, values: Iterable[float | None], ideal: float | None, *, is_log: bool) -> Scale:
        """The scale with room for these values; far ratios and infinite values are at its edge."""
        middle = ideal or 0.0
        known = [value for value in values if value is not None and isfinite(value)]
        if is_log:
            far = max((abs(log(value)) for value in known if value > 0), default=0.0)
            reach = next((each for each in _RATIOS if log(each) >= far), _RATIOS[-1])
            return cls(1.0, log(reach), is_log)
        far = max((abs(value - middle) for value in known), default=0.0)
        unit = 1.0
        while far > 0.5 * unit:
            unit *= 10
        reach = next((step * unit for step in _STEPS if step * unit >= far), 0.5 * unit)
        return cls(middle, reach, is_log)

    def place(self, value: float) -> float:
        """Where a value is, from 0 at the left edge to 1."""
        logarithm = log(value) if self.is_log and value > 0 else -self.reach
        far = logarithm if self.is_log else value - self.ideal
        return 0.5 + max(-1.0, min(1.0, far / self.reach)) / 2

    def axis(self, band: Band) -> Axis:
        """The axis with ticks at the edges of the scale and at the ideal."""
        ends = (-self.reach, 0.0, self.reach)
        at = (exp(end) if self.is_log else self.ideal + end for end in ends)
        ticks = tuple((i / 2, f"{value:.3g}".replace("-", "−")) for i, value in enumerate(at))
        limits = None if band is None else (self.place(band[0]), self.place(band[1]))
        return Axis(ticks=ticks, ideal=0.5, band=limits)
