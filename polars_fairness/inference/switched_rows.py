"""McNemar's exact test: whether as many rows switch from one decision to the other as back."""

from __future__ import annotations

from math import atanh, erfc, exp, log1p, pi, sqrt
from typing import Final

# Up to this many switched rows the probabilities are added one by one, in 2 ms. Beyond, the error
# of the formula is below 1e-9 of a p-value above 1e-7, and below 1e-7 of any other.
MOST_ADDED: Final = 100_000

# So many standard deviations from the mean, a p-value is below the smallest float.
_FARTHEST: Final = 40.0


def mcnemar(one_way: int, other_way: int) -> float:
    """The two-sided p-value that a switched row goes either way with the same probability.

    It is twice the smaller tail of a binomial distribution; 1 if no row is switched.

    Examples
    --------
    >>> from polars_fairness.inference.switched_rows import mcnemar
    >>> mcnemar(0, 4)
    0.125
    """
    switched, fewer = one_way + other_way, min(one_way, other_way)
    if switched - 2 * fewer <= 1:
        return 1.0
    return _added(switched, fewer) if switched <= MOST_ADDED else _approximate(switched, fewer)


def _added(switched: int, fewer: int) -> float:
    """The sum of the tail over the sum of all terms, from the middle outwards.

    The terms are relative to the middle one, so that no factorial is computed.
    """
    at, term = switched // 2, 1.0
    half = tail = 0.0
    while term > 0:
        half += term if 2 * at < switched else 0.5
        tail += term if at <= fewer else 0.0
        term *= at / (switched - at + 1)
        at -= 1
    return tail / half


def _approximate(switched: int, fewer: int) -> float:
    """The tail by the saddle point of the distribution (Lugannani and Rice 1980).

    Between two whole numbers: at the end of the tail plus a half.
    """
    x = (switched - 2 * fewer - 1) / switched
    z = x * sqrt(switched)
    if z > _FARTHEST:
        return 0.0
    r = sqrt(switched * (2 * x * atanh(x) + log1p(-x * x)))
    return erfc(r / sqrt(2)) + 2 * exp(-r * r / 2) / sqrt(2 * pi) * (1 / z - 1 / r)
