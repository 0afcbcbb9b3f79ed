"""A number that another tool reported, as far as its printed digits go."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from math import isinf, isnan
from numbers import Real
from sys import float_info

from polars_fairness.errors import FairnessError, shown

_ROUNDING = 1e-12
"""How far two computations of one number may lie apart, of a number of at most 1."""


@dataclass(frozen=True)
class Reported:
    """A reported number, and how it was printed.

    Attributes
    ----------
    value
        The number; a percentage is a share.
    step
        The step of its last printed digit.
    has_decimals
        Whether digits after a decimal point were printed, without which none were cut off.
    may_be_percent
        Whether it may be a percentage without its sign: a single digit fits too many values.

    Examples
    --------
    >>> Reported.of("0.1300").agrees(0.1308), Reported.of(0.13).agrees(0.1308)
    (False, True)
    >>> Reported.of(0).agrees(0.685), Reported.of(0).agrees(0.385)
    (False, True)
    """

    value: float
    step: float
    has_decimals: bool
    may_be_percent: bool

    @classmethod
    def of(cls, given: object) -> Reported:
        """Read a number, or the text in which it was printed; a percentage becomes a share."""
        takes = "a number, or the text that was printed, such as '0.1300' or '13%'"
        text = str(given).strip().replace("\N{MINUS SIGN}", "-")
        if isinstance(given, bool) or not isinstance(given, Real | Decimal | str):
            raise FairnessError(f"reported: takes {takes}, got {shown(given)}")
        try:
            number = Decimal(text.removesuffix("%").strip())
        except InvalidOperation:
            raise FairnessError(f"reported: takes {takes}, got {shown(given)}") from None
        _, digits, last = number.as_tuple()
        is_percent = text.endswith("%")
        number = number.scaleb(-2) if is_percent else number
        if number.is_finite() and number.adjusted() > float_info.max_10_exp:
            raise FairnessError(f"reported: takes {takes}, got {shown(given)}; it is too large")
        exponent = number.as_tuple().exponent
        return cls(
            float(number),
            10.0**exponent if isinstance(exponent, int) else 0.0,
            has_decimals=isinstance(last, int) and last < 0,
            may_be_percent=len(digits) > 1 and not is_percent,
        )

    def agrees(self, value: float | None) -> bool:
        """Whether a value, rounded or truncated to the printed digits, is the reported number.

        A number without decimals is rounded: truncated, 0.97 would be 0. A number that was reported
        as nan agrees with an undefined value.
        """
        if value is None or isnan(self.value):
            return value is None and isnan(self.value)
        if isinf(value) or isinf(self.value):
            return value == self.value
        slack = _ROUNDING * max(1.0, abs(value))
        beyond = abs(value) - abs(self.value)
        is_truncated = (
            self.has_decimals and -slack <= beyond < self.step - slack and value * self.value >= 0
        )
        return is_truncated or abs(value - self.value) <= self.step / 2 + slack
