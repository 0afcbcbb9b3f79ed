"""Options of commands, most of them made from the rows of the arguments."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, _ArgumentGroup
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf, isfinite
from textwrap import dedent
from typing import Any, Final, get_args

from polars_fairness.question.arguments import (
    BANDS,
    CHOICE,
    COLUMNS,
    CONFIDENCE,
    FLAG,
    HOW_MANY,
    MODELS,
    NAMES,
    NUMBER,
    NUMBERS,
    SEED,
    SHARE,
    SHARES,
    Argument,
    Heading,
    Kind,
    Option,
)
from polars_fairness.question.audit_arguments import (
    ALLOW_UNDEFINED,
    EXAMINED_COLUMNS,
    FAIL_ON,
    HARM,
    MAXIMUM_WITHIN,
    UNIT,
    UNJUDGED,
    UNLABELLED,
)
from polars_fairness.question.policy import FailOn
from polars_fairness.question.scores import EVERY, Best, best

TRACEBACK: Final = "POLARS_FAIRNESS_TRACEBACK"
"""The environment variable that makes errors print their traceback."""

FORMATS: Final = ("json", "csv", "markdown")
"""The formats of every answer, besides a table in the terminal."""

MONITORED: Final = (*FORMATS, "openmetrics")
"""The formats of answers whose numbers a server may monitor."""

OF_BUILD_SERVERS: Final = ("junit", "github")
"""The formats of an audit's verdicts that build servers show."""

REFERENCE: Final = Argument(
    Kind("names of references", "REFERENCE", is_several=True),
    "side a, found in the rows: the group with the highest rate, the largest group, or all rows",
    name="reference",
    option=Option("sides", note="highest, largest or overall"),
)
"""An argument of the command line only: in Python, a reference is given as ``favored``."""

PROBABILITIES: Final = Argument(
    Kind("probabilities of groups", "FACET:GROUP=COLUMN,...", is_several=True),
    "facets whose groups are known only as probabilities, such as race:Black=p_black,White=p_white",
    name="probabilities",
    option=Option("columns"),
)

UTILITY: Final = Argument(
    Kind("the worth of outcomes", "WORTH"),
    "the mean worth of rows, such as tp=1,fp=-5; an outcome without a worth counts 0",
    name="utility",
    option=Option("certainty"),
)

OF_REPORT: Final = (replace(HARM, option=Option("document")), UNIT, EXAMINED_COLUMNS)
"""The arguments of a report that an audit does not have."""

OF_ROWS: Final = tuple(
    Argument(kind, meaning, name=name, option=Option("rows", note=note))
    for name, kind, meaning, note in (
        ("where", Kind("SQL", "SQL"), "keep the rows for which this expression is true", ""),
        (
            "text",
            COLUMNS,
            "read this column as text, even if it looks like numbers or dates",
            "",
        ),
        (
            "most_bytes",
            HOW_MANY,
            "the most bytes of standard input, or of a file after decompression",
            "default 16000000000",
        ),
    )
)
"""How the files of a command are read."""


def _answer_argument(name: str, kind: Kind, meaning: str, **more: Any) -> Argument:
    """An argument of the command line only, about where an answer goes."""
    return Argument(kind, meaning, name=name, option=Option("answer", note=meaning), **more)


def format_of(*formats: str) -> Argument:
    """The argument that chooses the format of an answer."""
    choices = ("table", *formats)
    return _answer_argument(
        "format", CHOICE, "the format of the answer; default table", choices=choices
    )


_FILE: Final = Kind("a file", "FILE")
_ENDINGS: Final = "a .parquet, .csv, .tsv, .ndjson, .arrow, .json, .md, .html or .pdf file"
OVERWRITE: Final = _answer_argument("overwrite", FLAG, "replace the output file if it exists")
PAGE: Final = (_answer_argument("output", _FILE, "the page, in HTML", is_required=True), OVERWRITE)
"""The arguments of a page that is always written."""


def output(otherwise: str) -> tuple[Argument, Argument]:
    """The arguments of the file for the table; ``otherwise`` says what happens without one."""
    return _answer_argument("output", _FILE, f"{_ENDINGS}{otherwise}"), OVERWRITE


PAGES: Final = tuple(
    _answer_argument(name, _FILE, f"also write a report, as {what}")
    for name, what in (("html", "an HTML page"), ("pdf", "a PDF"))
)
FILES: Final = (*PAGES, _answer_argument("json", _FILE, "also write a report, as JSON"))
"""The arguments that name the file of a report; each has the name of its format."""

_FAILING: Final = Kind("what fails a gate", "WHAT")
DIFFERING: Final = _answer_argument(
    "fail_on",
    CHOICE,
    "exit with 1 if a number differs from that of the rows, or if no convention gives it",
    choices=("different", "unexplained"),
)
"""The gate of reported numbers."""

BEYOND: Final = _answer_argument(
    "fail_on",
    CHOICE,
    "exit with 1 if a number is outside its limit or undefined, or not within it",
    choices=("outside", "uncertain"),
)
"""The gate of data."""

OF_AUDIT_ANSWER: Final = (
    format_of(*MONITORED, *OF_BUILD_SERVERS),
    *FILES,
    *output("; a report for .html, .pdf and .json"),
    _answer_argument("fail_on", _FAILING, f"exit with 1: {FAIL_ON.meaning}. Several with commas"),
    _answer_argument("allow_undefined", FLAG, ALLOW_UNDEFINED.meaning),
    _answer_argument("maximum_within_p_value", SHARE, f"exit with 1 {MAXIMUM_WITHIN.meaning}"),
    _answer_argument("unjudged", CHOICE, UNJUDGED.meaning, choices=UNJUDGED.choices),
)
"""Where an audit goes, and its gate."""


def table_arguments(names: Sequence[str], flags: str = "") -> tuple[Argument, ...]:
    """Where the tables of a command go, and the gate of their flags, if they have any."""
    only = "print this table only; formats other than table have one table"
    flagged = f"exit with 1 if a group is flagged, or could not be judged: {flags}"
    undefined = "groups that could not be judged pass --fail-on, and so does one outcome in all"
    to = (
        _answer_argument("table", CHOICE, only, choices=tuple(names)),
        format_of(*MONITORED),
        *PAGES,
        *output(", in place of stdout; a report for .html and .pdf"),
    )
    if not flags:
        return to
    return (
        *to,
        _answer_argument("fail_on", CHOICE, flagged, choices=("flagged",)),
        _answer_argument("allow_undefined", FLAG, f"{undefined} rows"),
    )


EXIT_CODES: Final = dedent(f"""\

    exit code:
      0    success, and no gate failed
      1    a gate failed: that of --fail-on, or of the policy of an audit
      2    a wrong call, or data that cannot be read; one line on stderr says what to do
      3    a defect of this program; {TRACEBACK}=1 in the environment shows where
      130  interrupted
      143  terminated
    """)

_HEADINGS: Final[Mapping[Heading, tuple[str, ...]]] = {
    "rows": ("rows",),
    "columns": ("columns (* may be given several times)",),
    "reading": ("how the columns are read",),
    "sides": (
        "sides",
        "VALUE; with several facets FACET=VALUE. Several values of a facet form one side.",
    ),
    "certainty": ("what is computed",),
    "document": ("the report",),
    "answer": ("the answer",),
}


class WrongOptionsError(ValueError):
    """Words that are not options, or options without their values."""


def add_arguments(command: ArgumentParser, arguments: Sequence[Argument]) -> None:
    """Add the options of arguments, each under its heading."""
    for heading, words in _HEADINGS.items():
        options = [(each, each.option) for each in arguments if each.option]
        if of_heading := [each for each in options if each[1].heading == heading]:
            group = command.add_argument_group(*words)
            for argument, option in of_heading:
                _add_argument(group, argument, option)


def option_of(argument: Argument) -> str:
    """How the option of an argument is typed."""
    option = argument.option
    return f"--{((option and option.name) or argument.name).replace('_', '-')}"


def _add_argument(group: _ArgumentGroup, argument: Argument, option: Option) -> None:
    kind, name = argument.kind, option_of(argument)
    if kind is FLAG:
        changed = "store_false" if argument.default else "store_true"
        group.add_argument(name, dest=argument.name, action=changed, help=option.note)
        return
    group.add_argument(
        name,
        dest=argument.name,
        metavar=kind.word or None,
        action=_action_of(kind),
        type=_READERS.get(kind, str),
        choices=argument.choices or None,
        required=argument.is_required,
        help=_help(argument, option),
    )


def _action_of(kind: Kind) -> str:
    if kind in (NAMES, NUMBERS, SHARES):
        return "extend"
    return "append" if kind.is_several or kind is MODELS else "store"


def _help(argument: Argument, option: Option) -> str:
    is_known = argument.default is None or "default" in option.note
    default = "" if is_known else f"default {argument.default}"
    said = [argument.meaning, option.note, "required" if argument.is_required else default]
    text = "; ".join(filter(None, dict.fromkeys(said)))
    return f"{text} *" if argument.kind.is_several else text


def _read_by(read: Callable[[str], object], takes: str) -> Callable[[str], object]:
    """A reader of typed text whose error says what the option takes."""

    def reader(text: str) -> object:
        try:
            return read(text)
        except ValueError as error:
            raise ArgumentTypeError(f"takes {takes}, got {text!r}") from error

    return reader


def _numbers_or_every(text: str) -> list[float | str | tuple[str, float] | Best]:
    """Thresholds, also that of one model with its name, which may have commas; or the best."""
    if text.lower().startswith("best:"):
        amounts = text[len("best:") :].split(",")
        return [best(*(int(word) if word.isdigit() else float(word) for word in amounts))]
    model, sign, number = text.rpartition("=")
    if sign:
        return [(model, float(number))]
    return [EVERY if word.lower() == EVERY else float(word) for word in text.split(",")]


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if "" in names:
        raise ArgumentTypeError(f"takes names with commas between them, got {text!r}")
    return names


def _band(text: str) -> tuple[str, tuple[float, float] | None]:
    """A metric and its band, whose ends may be open."""
    name, sign, band = text.partition("=")
    low, colon, high = band.partition(":")
    if not (name and sign) or not (colon or band == "none"):
        raise ValueError
    return name, (float(low or -inf), float(high or inf)) if colon else None


def _pairs(text: str) -> dict[str, str]:
    """The values of names with commas between them, such as tp=1,fp=-5, each name once."""
    pairs = [pair.strip().partition("=")[::2] for pair in text.split(",")]
    values = dict(pairs)
    if len(values) < len(pairs) or not all((*values, *values.values())):
        raise ValueError
    return values


def _groups(text: str) -> tuple[str, dict[str, str]]:
    """A facet, and the column of each of its groups."""
    facet, _, columns = text.partition(":")
    if not facet:
        raise ValueError
    return facet, _pairs(columns)


def _worths(text: str) -> dict[str, float]:
    """The worth of each outcome."""
    given = {outcome: float(worth) for outcome, worth in _pairs(text).items()}
    outcomes = ("tp", "fp", "fn", "tn")
    if not {*given} <= {*outcomes} or not all(map(isfinite, given.values())):
        raise ValueError
    return dict.fromkeys(outcomes, 0.0) | given


def _times(text: str) -> object:
    """A word, a number, or two numbers with a colon between them."""
    if text in ("any", "worse", "random"):
        return text
    low, colon, high = text.partition(":")
    return (float(low), float(high)) if colon else float(low)


def _failing(text: str) -> tuple[str, ...]:
    words = tuple(word.strip() for word in text.split(","))
    if not {*words} <= {*get_args(FailOn)}:
        raise ValueError
    return words


_READERS: Final[Mapping[Kind, Callable[[str], object]]] = {
    _FAILING: _read_by(_failing, f"{', '.join(get_args(FailOn))}, or several with commas"),
    NUMBER: _read_by(float, "a number"),
    SHARE: _read_by(float, "a share, such as 0.02"),
    SHARES: _read_by(
        lambda text: [float(word) for word in text.split(",")],
        "shares with commas between them, such as 0.1,0.2",
    ),
    NUMBERS: _read_by(
        _numbers_or_every, f"numbers with commas between them, {EVERY}, best:0.1, or MODEL=NUMBER"
    ),
    HOW_MANY: _read_by(int, "a whole number"),
    SEED: _read_by(int, "a whole number"),
    CONFIDENCE: _read_by(
        lambda text: None if text.lower() == "none" else float(text), "a number or none"
    ),
    NAMES: _names,
    BANDS: _read_by(_band, "METRIC=LOW:HIGH, an open end as in di=0.8:, or METRIC=none"),
    PROBABILITIES.kind: _read_by(
        _groups, "FACET:GROUP=COLUMN,..., such as race:Black=p_black,White=p_white"
    ),
    UNLABELLED: _read_by(_times, "any, worse, random, a number, or two as in 0.5:1"),
    UTILITY.kind: _read_by(_worths, "the worth of tp, fp, fn and tn, such as tp=1,fp=-5"),
}
