"""What is assumed of rows without a label: how often they are positive, beside those with one."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, Final, Literal

from polars_fairness.errors import FairnessError, shown

Unlabelled = Literal["any", "worse", "random"] | float | tuple[float, float]

_TAKES: Final = (
    "takes 'any', 'worse', 'random', a number such as 0.5, or a pair such as (0.5, 1): how many "
    "times as often as rows with a label those without one are positive"
)


@dataclass(frozen=True)
class Assumption:
    """What is assumed: anything, labels missing at random, or between ``low`` and ``high`` times.

    Labels missing at random say nothing if no row has a label.
    """

    kind: Literal["any", "random", "times"]
    low: float = 1.0
    high: float = 1.0

    @classmethod
    def of(cls, given: object) -> Assumption:
        """The assumption that an argument names.

        Examples
        --------
        >>> Assumption.of("worse")
        Assumption(kind='times', low=0.0, high=1.0)
        >>> Assumption.of((0.5, 1)).in_words
        'are taken to be positive 0.5 to 1 times as often as known ones'
        """
        if given == "any" or given == "random":
            return cls(given)
        ends: list[Any] = [*given] if isinstance(given, list | tuple) else [given, given]
        if given == "worse":
            ends = [0.0, 1.0]
        are_numbers = all(
            isinstance(end, int | float) and not isinstance(end, bool) for end in ends
        )
        if len(ends) != 2 or not are_numbers or not 0 <= ends[0] <= ends[1] < inf:
            raise FairnessError(f"unlabelled: {_TAKES}; got {shown(given)}")
        return cls("times", float(ends[0]), float(ends[1]))

    @property
    def in_words(self) -> str:
        """What is assumed of labels that are missing."""
        if self.kind == "any":
            return "may be anything"
        if self.kind == "random":
            return "are taken to be missing at random"
        times = f"{self.low:g}" if self.low == self.high else f"{self.low:g} to {self.high:g}"
        return f"are taken to be positive {times} times as often as known ones"
