"""Arithmetic in other engines, in which narwhals translates it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import Any, Final, Literal

import narwhals as nw


class EngineArithmetic:
    """Arithmetic on expressions of narwhals."""

    def as_float(self, number: nw.Expr, bits: Literal[32, 64]) -> nw.Expr:
        return number.cast(nw.Float32() if bits == 32 else nw.Float64())

    def divided(self, number: nw.Expr, divisor: float) -> nw.Expr:
        """The quotient without a division, which narwhals cannot call in Sail.

        The product with the inverse may be wrong in its last digit. Its product with the divisor,
        exact in two floats (Dekker 1971), shows by how much.
        """
        quotient = number * (1.0 / divisor)
        (high, low), (of_divisor, rest) = _halves(quotient), _halves(divisor)
        product = quotient * divisor
        error = ((high * of_divisor - product) + high * rest + low * of_divisor) + low * rest
        nearest: nw.Expr = quotient + ((number - product) - error) * (1.0 / divisor)
        return nearest

    def less_one(self, number: nw.Expr, condition: nw.Expr) -> nw.Expr:
        return nw.when(condition).then(number - 1.0).otherwise(number)

    def reached(self, number: nw.Expr, ascending: Sequence[float]) -> nw.Expr:
        return reduce(add, (self.as_float(number >= each, 64) for each in ascending))


def _halves(number: Any) -> tuple[Any, Any]:
    """Two numbers of half as many digits that add up to a number."""
    shifted = number * (2.0**27 + 1)
    high = shifted - (shifted - number)
    return high, number - high


IN_ENGINE: Final = EngineArithmetic()
