"""Numbers, values, windows and messages as the text of a terminal."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from shlex import quote
from typing import Any, Final

from polars_fairness.cli.printed import printable
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

_OPTIONS: Final = {
    name: f"--{(row.option.name or row.name).replace('_', '-')}"
    for row in _ROWS
    if row.option
    for name in (row.name, row.option.name)
    if name
}

# What Python offers and a shell does not, with what a shell offers in its place.
_IN_A_SHELL: Final = {
    r"with \.filter\(\)": "with --where",
    r"with \.alias\(\)": "in the file",
    r"encode it as numbers first: .*": "encode it as numbers in the file first",
    r"a pair \(low, high\)": "LOW:HIGH",
    r"pf\.utility\(\.\.\.\)": "--utility",
    r"rename one metric with \.named\(\)": "leave it out, or maximise another one",
    r"or a dictionary \{metric: rule\}": "or METRIC=RULE for one metric",
    r", or a dictionary \{metric: harm\}": "",
    r", or one made with stratified\(\)": "",
    r"attributes, or None for all": "attributes",
    r"rows, or None": "rows",
    r"or a frame\b": "or a file",
    r"a date, or text such as": "a date such as",
    r"call audit twice": "run audit twice",
    r"predicted=\{model: column\}": "--predicted MODEL=COLUMN for each model",
    r"threshold=\{model: number\}": "--threshold MODEL=NUMBER",
    r"\{(?:model|name): column\}": "MODEL=COLUMN",
    r"\{model: number\}": "MODEL=NUMBER",
    r"give a list, 'every',": "give several with commas, every,",
    r"None or a number": "a number",
    r"or None\b": "or none",
    r"polars_fairness\.CATALOGUE lists": "`polars-fairness metrics` lists",
}

# An apostrophe inside a word, as in "frame's", begins no text.
_TEXT: Final = r"""(?<!\w)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`)"""
_LIST: Final = rf"\[(?:{_TEXT}|[^\[\]'\"])*\]"
_DICTIONARY: Final = rf"\{{(?:{_TEXT}|[^{{}}'\"])*\}}"
_NUMBER: Final = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"

_NAME: Final = "|".join(_OPTIONS)
# `polars-fairness metrics` has names, but no option for them.
_HEAD: Final = re.compile(rf"\A(?!metrics:)(?:{_NAME})(?:, (?:{_NAME}))*(?=: )")
_PYTHON: Final = re.compile(
    rf"(?:\Afavored: |favored=)?pf\.(?P<reference>HIGHEST|LARGEST|OVERALL)"
    rf"|datetime\.(?:date|datetime)\((?P<time>\d+(?:, \d+){{2,5}})\)"
    rf"|(?P<advice>{'|'.join(_IN_A_SHELL)})"
    rf"|(?<![\w.-])(?P<name>{_NAME})=(?P<value>{_DICTIONARY}|{_LIST}|{_TEXT}|{_NUMBER})?"
    rf"|{_TEXT}"
)
_PAIR: Final = r"\([^()]*\)"
_ENTRY: Final = re.compile(rf"({_TEXT}): ({_LIST}|{_TEXT}|{_PAIR}|[^,{{}}]+)")
_WORD: Final = re.compile(rf"{_TEXT}|{_PAIR}|[^\s,\[\]]+")


def in_own_words(message: str) -> str:
    """A message of the package with options in place of arguments; text in quotes stays.

    Examples
    --------
    >>> from polars_fairness.cli.words import in_own_words
    >>> in_own_words("predicted: 'threshold=' is a score; give threshold= to make decisions")
    "--predicted: 'threshold=' is a score; give --threshold to make decisions"
    >>> in_own_words("favored: 'F' never occurs in 'race'; give favored={'sex': 'F'}")
    "--favored: 'F' never occurs in 'race'; give --favored sex=F"
    """
    return _HEAD.sub(_head, _PYTHON.sub(_typed, message))


def _head(found: re.Match[str]) -> str:
    return ", ".join(_OPTIONS[name] for name in found[0].split(", "))


def _typed(found: re.Match[str]) -> str:
    if found["reference"]:
        return f"--reference {found['reference'].lower()}"
    if found["time"]:
        year, month, day, *time = (int(number) for number in found["time"].split(", "))
        clock = ":".join(f"{number:02}" for number in time)
        return f"{date(year, month, day)} {clock}".rstrip()
    if found["name"]:
        option, value = _OPTIONS[found["name"]], found["value"]
        return " ".join(_joined(option, word) for word in _words(value)) if value else option
    if found["advice"]:
        return next(typed for python, typed in _IN_A_SHELL.items() if re.match(python, found[0]))
    return found[0]


def _words(value: str) -> Iterator[str]:
    """The words of a shell for a value as Python writes it: one for each of several values."""
    is_by_facet = value.startswith("{")
    entries = [(f"{literal_eval(name)}=", rest) for name, rest in _ENTRY.findall(value)]
    for start, values in entries if is_by_facet else [("", value)]:
        for word in _WORD.findall(values):
            yield start + _word(word)


def _word(word: str) -> str:
    if word[0] in "'\"":
        return str(literal_eval(word))
    # A band.
    return "none" if word == "None" else word.strip("()").replace(", ", ":")


def _joined(option: str, word: str) -> str:
    # An option would take a word that begins with a dash for another option.
    return f"{option}={quote(word)}" if word.startswith("-") else f"{option} {quote(word)}"
