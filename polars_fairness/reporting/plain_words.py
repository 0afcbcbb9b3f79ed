"""Numbers, sides, windows and verdicts as a terminal shows them, with the words of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from polars_fairness.counting.sides import ALL
from polars_fairness.reporting.words import (
    ALL_ROWS,
    EVERYONE_ELSE,
    Beside,
    decimals,
    named_in_words,
    shows,
)

Row = Mapping[str, Any]


HIDDEN: Final = "hidden"
"""In place of the number of rows of a group of few people."""


def size(n: float | None) -> str:
    """A number of rows, or a sum of weights."""
    if n is None:
        return HIDDEN
    return f"{n:,}" if isinstance(n, int) else f"{n:,.1f}"


def number(value: float | None, beside: Beside = ()) -> str:
    """A number with three decimals, or as many as show on which side of others it is.

    A number other than 0 that rounds to 0 has two digits.
    """
    if value is None:
        return ""
    if 0 < abs(value) < 0.0005 and shows(f"{value:.1e}", value, beside):
        return f"{value:.1e}"
    return f"{value + 0.0:.{decimals(value, 3, beside)}f}"  # -0.0 is 0.0


def digits(value: float | None) -> str:
    """A score or a threshold with its digits; empty if there is none."""
    return "" if value is None else f"{value + 0.0:.10g}"  # -0.0 is 0.0


def interval(lower: float | None, upper: float | None, beside: Beside = ()) -> str:
    """The bounds of an interval, "?" for one that is missing; empty if there are none."""
    if lower is None and upper is None:
        return ""
    return f"{number(lower, beside) or '?'} to {number(upper, beside) or '?'}"


def span(bounds: tuple[float, float] | None) -> str:
    """A range or a band; empty if there is none."""
    return "" if bounds is None else f"{bounds[0]:.3g} to {bounds[1]:.3g}".replace("inf", "∞")


def comparison(row: Row, *, has_sizes: bool = True) -> str:
    """The facet and the two sides of a comparison; a group that is in none stands alone."""
    if row["facet"] is None:
        return "all rows"
    facet = row["facet"]
    if row["disfavored"] is None:
        return f"{facet}: all groups"
    is_alone = row.get("n_favored", 0) is None
    sides = " against ".join(
        f"{side(row, argument)} ({size(row[f'n_{argument}'])})"
        if has_sizes and f"n_{argument}" in row
        else side(row, argument)
        for argument in (("disfavored",) if is_alone else ("disfavored", "favored"))
    )
    return f"{facet}: {sides}"


def side(row: Row, argument: str) -> str:
    """Side d or side a of a comparison."""
    value = row[argument]
    return ALL_ROWS.lower() if value == ALL else value or EVERYONE_ELSE


def verdict(row: Row) -> str:
    """The verdict of a row, with the name of the side that it is against."""
    found = row["verdict"] or ""
    if not found.startswith("against_"):
        return str(found)
    return f"against {side(row, found.removeprefix('against_'))}"


def difference(row: Row) -> str:
    """The difference from the reference, with its interval."""
    if row["difference"] is None:
        return ""
    bounds = interval(row["difference_lower"], row["difference_upper"], (0,))
    return ", ".join(filter(None, [number(row["difference"], (0,)), bounds]))


def change(row: Row) -> str:
    """The change from the reference, or why there is none."""
    if row["change"] is not None:
        return str(row["change"])
    if row["difference"] is None:
        return "no reference" if row["reference"] is None else "undefined"
    # What the rule of Clarify compares.
    return "no band" if row["band_lower"] is None else "no interval"


def values(row: Row, names: Iterable[str]) -> str:
    """Columns with their values in a row, such as a window."""
    return ", ".join(named_in_words(name, row[name]) for name in names)


def heading(row: Row, windows: Iterable[str], subject: str) -> str:
    """A heading: the window of a row, if there is one, and a subject."""
    return ", ".join(filter(None, [values(row, windows), subject]))
