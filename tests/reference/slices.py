"""Numbers that rules prescribe of a group beside its reference, by fractions and scipy."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, inf, sqrt
from typing import Any

from scipy.stats import fisher_exact


def beside(yes: int, n: int, yes_of: int, n_of: int) -> dict[str, Any]:
    """Of ``yes`` of ``n`` people, beside ``yes_of`` of ``n_of`` of the reference."""
    rate, reference = Fraction(yes, n), Fraction(yes_of, n_of)
    agreeing, opposed = yes * (n_of - yes_of), (n - yes) * yes_of
    pooled = Fraction(yes + yes_of, n + n_of)
    variance = pooled * (1 - pooled) * (Fraction(1, n) + Fraction(1, n_of))
    return {
        "n_disfavored": n,
        "n_favored": n_of,
        "rate": rate,
        "reference_rate": reference,
        "ratio": rate / reference if reference else inf if rate else None,
        "points": 100 * (reference - rate),
        "odds_ratio": Fraction(agreeing, opposed) if opposed else inf if agreeing else None,
        "shortfall": max(0, ceil(reference * n) - yes),
        "shortfall_to_four_fifths": max(0, ceil(Fraction(4, 5) * reference * n) - yes),
        "two_sd": float(reference - rate) / sqrt(variance) if variance else None,
        "p_value": fisher_exact([[yes, n - yes], [yes_of, n_of - yes_of]]).pvalue,
    }


def assert_alike(row: dict[str, Any], expected: dict[str, Any]) -> None:
    """Each expected number is that of the row."""
    for name, number in expected.items():
        by_hand = float(number) if isinstance(number, Fraction) else number
        same = row[name] == by_hand
        assert same or abs(row[name] - by_hand) <= 1e-9 * max(1, abs(by_hand)), name
