"""What controls account for, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.errors import listed
from polars_fairness.reporting.words import number, value_in_words

Row = Mapping[str, Any]


def part_in_words(row: Row) -> str:
    """What a row of an answer of `drivers` is about."""
    ends = {"raw": "as it stands", "adjusted": "at equal controls"}
    return ends.get(row["part"]) or value_in_words(row["control"])


def amount(row: Row, value: float | None) -> str:
    """A difference of two rates in points, and one of numbers as it is."""
    is_of_rates = CATALOGUE[row["metric"]].range == (-1, 1)
    return number(
        value if value is None or not is_of_rates else 100 * value, 1 if is_of_rates else 3
    )


def drivers_in_words(rows: Sequence[Row]) -> str:
    """What is left of a difference at equal controls, and what each accounts for; empty if unknown.

    Examples
    --------
    >>> parts = [("raw", None, 0.17), ("control", "score", 0.106), ("control", "purpose", -0.006)]
    >>> parts.append(("adjusted", None, 0.07))
    >>> rows = [
    ...     {"metric": "adjusted_difference", "part": part, "control": control, "contribution": of}
    ...     for part, control, of in parts
    ... ]
    >>> print(drivers_in_words(rows))
    Of 17.0 points, 7.0 are left at equal score and purpose; of the 10.0 explained, score accounts \
for 10.6 and purpose for −0.6 (averaged over all orders).
    """
    raw, *controls, adjusted = rows
    if any(row["contribution"] is None for row in rows):
        return ""
    unit = " points" if CATALOGUE[raw["metric"]].range == (-1, 1) else ""
    largest = sorted(controls, key=lambda row: -row["contribution"])
    of_each = [
        f"{row['control']}{'' if i else ' accounts'} for {amount(row, row['contribution'])}"
        for i, row in enumerate(largest)
    ]
    explained = amount(raw, raw["contribution"] - adjusted["contribution"])
    return (
        f"Of {amount(raw, raw['contribution'])}{unit}, "
        f"{amount(adjusted, adjusted['contribution'])} are left at equal "
        f"{listed((row['control'] for row in controls), write=str)}; of the {explained} explained, "
        f"{listed(of_each, write=str)} (averaged over all orders)."
    )
