"""The interval of a rate as Wilson has it: the rates at most ``z`` standard errors away."""

from __future__ import annotations

from math import sqrt

Z = 1.959963984540054


def wilson(rate: float, rows: float, z: float = Z) -> tuple[float, float]:
    middle, whole = rate + z * z / (2 * rows), 1 + z * z / rows
    reach = z * sqrt(max(rate * (1 - rate), 0) / rows + (z / rows) ** 2 / 4)
    return (middle - reach) / whole, (middle + reach) / whole
