"""Numbers, values, windows and messages as the text of a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from polars_fairness.cli.printed import printable
from polars_fairness.errors import in_shell
from polars_fairness.hiring.arguments import OF_IMPACT_RATIOS, OF_PUBLICATION
from polars_fairness.lending.arguments import OF_LENDING_TABLE, OF_QUANTILES, OF_SEGMENTS
from polars_fairness.question.arguments import METRICS, OF_QUESTION
from polars_fairness.question.audit_arguments import HARM, OF_AUDIT, OF_CHOOSE, OF_SUBGROUPS
from polars_fairness.question.document_arguments import OF_DOCUMENT
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.words import value_in_words

Row = Mapping[str, Any]


def size(n: float) -> str:
    """A number of rows, or a sum of weights."""
    return f"{n:,}" if isinstance(n, int) else f"{n:,.1f}"


def number(value: float | None) -> str:
    """A number with three decimals; a number other than 0 that rounds to 0 has two digits."""
    if value is None:
        return ""
    if 0 < abs(value) < 0.0005:
        return f"{value:.1e}"
    return f"{value + 0.0:.3f}"  # -0.0 is 0.0


def threshold(row: Row) -> str:
    """The threshold of a row with its digits; empty if it has none."""
    value = row[THRESHOLD]
    return "" if value is None else f"{value + 0.0:.10g}"  # -0.0 is 0.0


def interval(row: Row) -> str:
    """The bounds of an interval."""
    if row["lower"] is None and row["upper"] is None:
        return ""
    return f"{number(row['lower'])} to {number(row['upper'])}"


def span(bounds: tuple[float, float] | None) -> str:
    """A range or a band; empty if there is none."""
    return "" if bounds is None else f"{bounds[0]:.3g} to {bounds[1]:.3g}".replace("inf", "∞")


def comparison(row: Row, *, has_sizes: bool = True) -> str:
    """The facet and the two sides of a comparison; a group that is in none stands alone."""
    if row["facet"] is None:
        return "all rows"
    facet = printable(row["facet"])
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
    return "everyone else" if row[argument] is None else printable(row[argument])


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
    bounds = interval({"lower": row["difference_lower"], "upper": row["difference_upper"]})
    return ", ".join(filter(None, [number(row["difference"]), bounds]))


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
    return ", ".join(f"{printable(name)} {printable(value_in_words(row[name]))}" for name in names)


def heading(row: Row, windows: Iterable[str], subject: str) -> str:
    """A heading: the window of a row, if there is one, and a subject."""
    return ", ".join(filter(None, [values(row, windows), subject]))


_ROWS: Final = (
    *(METRICS, *OF_QUESTION, *OF_AUDIT, *OF_CHOOSE, *OF_SUBGROUPS, HARM, *OF_DOCUMENT),
    *(*OF_IMPACT_RATIOS, *OF_LENDING_TABLE, *OF_QUANTILES, *OF_SEGMENTS, *OF_PUBLICATION),
)

OPTIONS: Final = {
    name: f"--{(row.option.name or row.name).replace('_', '-')}"
    for row in _ROWS
    if row.option
    for name in (row.name, row.option.name)
    if name
}


def in_own_words(message: str) -> str:
    """A message of the package with options in place of arguments.

    Examples
    --------
    >>> from polars_fairness.cli.words import in_own_words
    >>> from polars_fairness.errors import keyword
    >>> in_own_words(f"favored: 'F' is no race; give {keyword('favored', {'sex': 'F'})}")
    "--favored: 'F' is no race; give --favored sex=F"
    """
    head, colon, problem = in_shell(message, OPTIONS).partition(": ")
    # `polars-fairness metrics` has names, but no option for them.
    names = [OPTIONS.get(name) for name in head.split(", ")] if head != "metrics" else [None]
    is_of_options = bool(colon) and None not in names
    return (
        f"{', '.join(map(str, names))}: {problem}" if is_of_options else f"{head}{colon}{problem}"
    )
