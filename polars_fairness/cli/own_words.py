"""Messages of the package in the words of a shell: options in place of arguments."""

from __future__ import annotations

import datetime
import re
from ast import literal_eval
from collections.abc import Iterator, Mapping
from shlex import quote
from typing import Final

from polars_fairness.cli.commands import OPTIONS

# What Python does by its own means, and a shell otherwise.
_OTHERWISE: Final = {
    " with .filter()": " with --where",
    " with .alias()": " in the file",
    "rename one metric with .named()": "leave it out",
    ", such as with .str.to_date()": "",
    ", or one made with stratified()": "",
    "pl.struct(...) of several": "one column",
    "pf.probabilities(...)": "--probabilities",
    "(polars_fairness.CATALOGUE lists": "(`polars-fairness metrics` lists",
    "a pair (low, high) or None": "LOW:HIGH or none",
    "(low, high)": "'LOW:HIGH'",
    ", or None, got": ", or none, got",
    ", or {metric: harm}": "",
    ", or {metric: answer}": "",
    "a list or 'every'": "several with commas, or 'every'",
    "a dictionary with the number of each": "a file with that of each",
    "give a dictionary, such as": "give",
    "{metric: number}": "a file with columns metric and reported",
    " or a frame": " or a file",
}
_PHRASE: Final = "|".join(map(re.escape, _OTHERWISE))
_TEXT: Final = r"""(?<!\w)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_DATE: Final = r"datetime\.\w+\([\d, ]+\)"
_SEVERAL: Final = rf"\{{(?:{_TEXT}|[^{{}}'\"])*\}}|\[(?:{_TEXT}|[^\[\]'\"])*\]"
_VALUE: Final = rf"{_TEXT}|{_SEVERAL}|{_DATE}|-?\w(?:[-\w.]*\w)?"
_PARTS: Final = re.compile(
    rf"(?P<text>{_TEXT})|(?P<phrase>{_PHRASE})"
    rf"|(?<![\w.\-'({{\[])(?P<name>{'|'.join(OPTIONS)})=(?!=)(?P<value>{_VALUE})?"
    rf"|(?P<date>{_DATE})|pf\.(?P<side>HIGHEST|LARGEST|OVERALL)"
    r"|\{(?P<key>\w+): (?P<each>\w+)\}"
)


def name_options(message: str) -> str:
    """A message of the package with options in place of arguments.

    Examples
    --------
    >>> from polars_fairness.cli.own_words import name_options
    >>> name_options("favored: 'F' is no race; give favored={'sex': 'F'}")
    "--favored: 'F' is no race; give --favored sex=F"
    """
    head, colon, problem = message.partition(": ")
    names = [OPTIONS.get(name) for name in head.split(", ")]
    # `polars-fairness metrics` has names, but no option for them.
    if not colon or None in names or head == "metrics":
        return _PARTS.sub(_typed, message)
    return f"{', '.join(map(str, names))}: {_PARTS.sub(_typed, problem)}"


def _typed(match: re.Match[str]) -> str:
    """A part of a message as a shell takes it; quoted text of users stays."""
    if match["text"]:
        return match["text"]
    if match["phrase"]:
        return _OTHERWISE[match["phrase"]]
    if match["date"]:
        return str(_date(match["date"]))
    if match["side"]:
        return f"--reference {match['side'].lower()}"
    if match["key"]:
        return f"{match['key']}={match['each']}".upper()
    option = OPTIONS[match["name"]]
    value = re.sub(_PHRASE, lambda phrase: _OTHERWISE[phrase[0]], match["value"] or "True")
    if value.startswith("pf."):
        return f"--reference {value[3:].lower()}"
    try:
        known = _date(value) if value.startswith("datetime.") else literal_eval(value)
    except (SyntaxError, ValueError):
        known = re.sub(r"\{(\w+): (\w+)\}", r"\1=\2", value).upper() if "{" in value else value
    # A flag has no word; an option would take one that begins with a dash for another option.
    words = [] if isinstance(known, bool) else map(quote, _words(known))
    typed = [f"{option}{'=' if word.startswith('-') else ' '}{word}" for word in words]
    return " ".join(typed) or option


def _date(text: str) -> datetime.date:
    """A date or a time as Python writes it."""
    name, numbers = text.removeprefix("datetime.").rstrip(")").split("(")
    moment: datetime.date = getattr(datetime, name)(*map(int, numbers.split(",")))
    return moment


def _words(value: object, start: str = "") -> Iterator[str]:
    """The words of a shell for a value: one for each of several."""
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _words(each, f"{name}=")
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _words(each, start)
    else:
        yield f"{start}{'none' if value is None else 'VALUE' if value is ... else value}"
