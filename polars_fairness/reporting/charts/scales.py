"""Scales of values: linear, or logarithmic for ratios, for which 0.5 is as far from 1 as 2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

import altair as alt

_FARTHEST: Final = 10.0
"""How far a logarithmic scale reaches at most, as a factor; values beyond are at the edge."""

_TICKS: Final = (0.1, 0.2, 0.5, 0.8, 1, 1.25, 2, 5, 10)


@dataclass(frozen=True)
class Values:
    """The scale of an axis of values, from ``low`` to ``high``."""

    low: float
    high: float
    is_log: bool

    @classmethod
    def of(cls, values: Iterable[float | None], *, is_log: bool) -> Values:
        """A scale on which these values have a place, apart from infinite ones and far ratios."""
        known = [value for value in values if value is not None and isfinite(value)]
        if is_log:
            near = [min(_FARTHEST, max(1 / _FARTHEST, value)) for value in known]
            return cls(min([0.8, *near]), max([1.25, *near]), is_log)
        low, high = min(known, default=0), max(known, default=1)
        return cls(low, high if high > low else low + 1, is_log)

    @property
    def scale(self) -> alt.Scale:
        domain = [self.low, self.high]
        if self.is_log:
            return alt.Scale(type="log", domain=domain)
        # An area would draw from 0 otherwise.
        return alt.Scale(domain=domain, zero=False)

    @property
    def axis(self) -> alt.Axis:
        if not self.is_log:
            return alt.Axis(tickCount=4, format="~g")
        ticks = [tick for tick in _TICKS if self.low <= tick <= self.high]
        return alt.Axis(values=ticks, format="~g")

    def placed(self, mark: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
        """The mark with its values moved to the edge of the scale if they are beyond it."""
        return {
            **mark,
            **{
                key: None if mark[key] is None else max(self.low, min(self.high, mark[key]))
                for key in keys
            },
        }
