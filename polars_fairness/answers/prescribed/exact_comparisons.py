"""Comparisons of two rates in whole numbers, where floats would be off by one person.

In floats, four fifths of 3/4 of 5 people are 3.0000000000000004, rounded up 4 people; in whole
numbers they are 3.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Final

from polars_fairness.question.rounding import as_written

FOUR_FIFTHS: Final = Fraction(4, 5)

# Sums of weights differ in their last digits.
_ROUNDING: Final = 1e-12


@dataclass(frozen=True)
class ExactComparison:
    """A group's ``accepted`` of ``n`` rows, beside its reference's; sums of weights are floats."""

    accepted: Fraction
    n: Fraction
    reference_accepted: Fraction
    reference_n: Fraction
    is_weighted: bool = field(kw_only=True)

    @property
    def is_defined(self) -> bool:
        return self.n > 0 and self.reference_n > 0

    def shortfall(self, part: Fraction = Fraction(1)) -> float | int | None:
        """How many more rows would have to be accepted for this part of the reference's rate.

        The reference's rate stays as it is. Rows are whole, sums of weights are not rounded.

        Examples
        --------
        >>> group = ExactComparison(*map(Fraction, (0, 5, 3, 4)), is_weighted=False)
        >>> group.shortfall(), group.shortfall(FOUR_FIFTHS)
        (4, 3)
        """
        if not self.is_defined:
            return None
        needed = part * self.reference_accepted * self.n / self.reference_n
        if self.is_weighted:
            missing = float(needed - self.accepted)
            return missing if missing > _ROUNDING * float(self.n) else 0.0
        return max(0, ceil(needed) - int(self.accepted))

    def excess(self, part: Fraction = Fraction(1)) -> float | int | None:
        """How many rows fewer would have to be affected for the reference's rate by this part.

        Examples
        --------
        >>> group = ExactComparison(*map(Fraction, (4, 5, 1, 4)), is_weighted=False)
        >>> group.excess(), group.excess(FOUR_FIFTHS)
        (3, 3)
        """
        if not self.is_defined:
            return None
        allowed = self.reference_accepted * self.n / self.reference_n / part
        if self.is_weighted:
            missing = float(self.accepted - allowed)
            return missing if missing > _ROUNDING * float(self.n) else 0.0
        return max(0, int(self.accepted) - floor(allowed))

    @property
    def turned(self) -> ExactComparison:
        """The reference beside the group."""
        counts = (self.reference_accepted, self.reference_n, self.accepted, self.n)
        return ExactComparison(*counts, is_weighted=self.is_weighted)

    def is_below(self, ratio: float) -> bool | None:
        """Whether the group's rate is below this part of its reference's rate."""
        if not self.is_defined or not self.reference_accepted:
            return None
        missing = self.shortfall(as_written(ratio))
        return missing is not None and missing > 0

    def is_lower_by_more(self, points: float) -> bool | None:
        """Whether the group's rate is lower by more percentage points than these."""
        if not self.is_defined:
            return None
        less = self.reference_accepted / self.reference_n - self.accepted / self.n
        return less - as_written(points) / 100 > (_ROUNDING if self.is_weighted else 0)

    def differs_by_more(self, deviations: int) -> bool | None:
        """Whether the rates differ by more standard deviations than these, as `two_sd` has them."""
        if not self.is_defined:
            return None
        less = self.reference_accepted / self.reference_n - self.accepted / self.n
        pooled = (self.accepted + self.reference_accepted) / (self.n + self.reference_n)
        variance = pooled * (1 - pooled) * (1 / self.n + 1 / self.reference_n)
        return less**2 > deviations**2 * variance
