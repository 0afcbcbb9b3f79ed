"""Numbers that may be undefined."""

from __future__ import annotations

import math
from fractions import Fraction

Value = Fraction | float | None


def size(x: Value) -> Value:
    """The absolute value."""
    return None if x is None else x if x >= 0 else -x


def half_of(x: Value, y: Value) -> Value:
    """The mean of two numbers."""
    return None if x is None or y is None else (x + y) / 2


def root(x: Value) -> Value:
    """The square root."""
    return None if x is None or x < 0 else math.sqrt(x)


def log(x: Value) -> Value:
    """The natural logarithm; -inf for 0."""
    if x is None or x < 0:
        return None
    return -math.inf if x == 0 else math.log(x)
