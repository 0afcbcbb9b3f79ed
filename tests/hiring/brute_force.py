"""The tables about hiring, person by person in plain Python, with exact fractions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

Person = dict[str, Any]


class Category(NamedTuple):
    """A row of the impact ratios without bounds."""

    n: int
    rate: float
    selected: int
    share: float
    n_unknown: int
    median: float | None
    impact_ratio: float | None
    is_excluded: bool


def impact_ratios(
    people: Sequence[Person],
    is_selected: Callable[[Person], bool],
    median: Fraction | None = None,
    exclude_below: str | None = None,
) -> dict[tuple[str, str], Category]:
    """Every category of sex, of race and of both, by table and name."""
    found = {}
    for table in (("sex",), ("race",), ("sex", "race")):
        values = [tuple(person[name] for name in table) for person in people]
        known = [value for value in values if None not in value]
        rates, excluded = {}, set()
        for value in set(known):
            own = [person for person, each in zip(people, values, strict=True) if each == value]
            rates[value] = Fraction(sum(map(is_selected, own)), len(own))
            if exclude_below and Fraction(len(own), len(known)) < Fraction(exclude_below):
                excluded.add(value)
        highest = max((rate for value, rate in rates.items() if value not in excluded), default=0)
        for value, rate in rates.items():
            n = known.count(value)
            is_compared = highest and value not in excluded
            found[" & ".join(table), " & ".join(value)] = Category(
                n=n,
                rate=float(rate),
                selected=int(rate * n),
                share=n / len(known),
                n_unknown=len(values) - len(known),
                median=None if median is None else float(median),
                impact_ratio=float(rate / highest) if is_compared else None,
                is_excluded=value in excluded,
            )
    return found


def median_of(scores: Sequence[float]) -> Fraction:
    """The score in the middle; of an even number, the mean of the two in the middle."""
    ordered = sorted(map(Fraction, scores))
    half, is_odd = divmod(len(ordered), 2)
    return ordered[half] if is_odd else (ordered[half - 1] + ordered[half]) / 2
