"""Options of commands, most of them made from the rows of the arguments."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, _ArgumentGroup
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from textwrap import dedent
from typing import Final, cast, get_args

from polars_fairness.question.arguments import (
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
    DETAIL,
    FAIL_ON,
    HARM,
    MAXIMUM_FAIR,
    UNIT,
)
from polars_fairness.question.policy import FailOn
from polars_fairness.question.scores import EVERY, Best, best

TRACEBACK: Final = "POLARS_FAIRNESS_TRACEBACK"
"""The environment variable that makes errors print their traceback."""

FORMATS: Final = ("json", "csv", "markdown")
"""The formats of every answer, beside a table of the terminal."""

MONITORED: Final = (*FORMATS, "openmetrics")
"""The formats of answers whose numbers a server may watch over time."""

OF_BUILD_SERVERS: Final = ("junit", "github")
"""The formats of an audit's verdicts that servers of builds show."""

FILES: Final[Mapping[str, str]] = {
    "html": "also write a report, as an HTML page",
    "pdf": "also write a report, as a PDF",
    "json": "also write a report, as JSON with a schema",
}
"""The options that name the file of a report, with what they do."""

DIFFERING: Final = ("different", "unexplained")
"""What the gate of reported numbers fails on."""

FLAGGED: Final = "flagged"
"""What the gate of a table with flags fails on."""

REFERENCE: Final = Argument(
    Kind("names of references", "REFERENCE", is_several=True),
    "side a, found in the rows: the group with the highest rate, the largest group, or all rows",
    name="reference",
    option=Option("sides", note="highest, largest or overall"),
)
"""An argument of the command line only: in Python, a reference is given as ``favored``."""

PROBABILITIES: Final = Argument(
    Kind("probabilities of groups", "FACET:GROUP=COLUMN,...", is_several=True),
    "facets whose groups are known in probability, such as race:Black=p_black,White=p_white",
    name="probabilities",
    option=Option("columns"),
)

UTILITY: Final = Argument(
    Kind("the worth of outcomes", "WORTH"),
    "the mean worth of rows, such as tp=1,fp=-5; an outcome without a worth has 0",
    name="utility",
    option=Option("certainty"),
)

OF_REPORT: Final = (replace(HARM, meaning=f"with --html or --pdf: {HARM.meaning}"), DETAIL, UNIT)
"""The arguments of a report that an audit does not have."""

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
    "columns": ("columns (* may be given several times)",),
    "reading": ("how the columns are read",),
    "sides": (
        "sides",
        "VALUE; with several facets FACET=VALUE. Several values of a facet form one side.",
    ),
    "certainty": ("what is computed",),
    "document": ("the report, with --html, --pdf or --json",),
}


class WrongOptionsError(ValueError):
    """Words that are no options, or options without the words that they take."""


def add_rows(command: ArgumentParser) -> None:
    """Add the options of a command that reads files of rows."""
    rows = command.add_argument_group("rows")
    rows.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="files, folders or patterns, of one format: Parquet, CSV, TSV, NDJSON or Arrow IPC; - "
        "for standard input",
    )
    rows.add_argument(
        "--where", metavar="SQL", help="keep the rows for which this expression is true"
    )
    rows.add_argument(
        "--text",
        metavar="COLUMN",
        action="append",
        help="read this column as text, also where it looks like numbers or dates *",
    )
    rows.add_argument(
        "--most-bytes",
        metavar="N",
        type=_read_by(int, "a whole number"),
        help="how long standard input, or a packed file, may be when unpacked; default 16000000000",
    )


def add_arguments(
    command: ArgumentParser, headings: Iterable[Heading], arguments: Iterable[Argument]
) -> None:
    """Add the options of arguments, under these headings."""
    rows = [*arguments]
    for heading in headings:
        group = command.add_argument_group(*_HEADINGS[heading])
        for argument in rows:
            option = argument.option
            if option and option.heading == heading:
                _add_argument(group, argument, option)


def add_format(command: ArgumentParser, formats: Iterable[str] = FORMATS) -> None:
    """Add the option that chooses the format of the answer."""
    command.add_argument(
        "--format",
        choices=["table", *formats],
        default="table",
        help="format of the answer; default table",
    )


def add_table_file(command: ArgumentParser, otherwise: str) -> None:
    """Add the options of a file that the table is written to, and what is done without one."""
    command.add_argument(
        "--output",
        metavar="FILE",
        help=f"a .parquet, .csv, .tsv, .ndjson, .arrow, .json, .md, .html or .pdf file{otherwise}",
    )
    add_overwrite(command)


def add_page_file(command: ArgumentParser) -> None:
    """Add the options of a page that is always written."""
    command.add_argument("--output", metavar="FILE", required=True, help="the page, in HTML")
    add_overwrite(command)


def add_answer_of_audit(command: ArgumentParser) -> None:
    """Add the options about the formats of an audit, its report, and its gate."""
    add_format(command, (*MONITORED, *OF_BUILD_SERVERS))
    _add_report_files(command)
    add_table_file(command, "; a report for .html, .pdf and .json")
    command.add_argument(
        "--fail-on",
        metavar="WHAT",
        type=_read_by(_failing, f"{', '.join(get_args(FailOn))}, or several with commas"),
        help=f"exit with 1: {FAIL_ON.meaning}. Several with commas",
    )
    command.add_argument("--allow-undefined", action="store_true", help=ALLOW_UNDEFINED.meaning)
    command.add_argument(
        "--maximum-fair-p-value",
        metavar="P",
        type=_READERS[SHARE],
        help=f"exit with 1 {MAXIMUM_FAIR.meaning}",
    )


def _failing(text: str) -> tuple[FailOn, ...]:
    words = [word.strip() for word in text.split(",")]
    if not {*words} <= {*get_args(FailOn)}:
        raise ValueError
    return cast("tuple[FailOn, ...]", tuple(words))


def add_tables(command: ArgumentParser, names: Sequence[str], flags: str) -> None:
    """Add the options about the tables of a command, its report, and its gate."""
    command.add_argument(
        "--table", choices=names, help="print this table only; a format other than table has one"
    )
    add_format(command, MONITORED)
    _add_report_files(command)
    add_table_file(command, ", in place of stdout; a report for .html, .pdf and .json")
    command.add_argument(
        "--fail-on",
        choices=[FLAGGED],
        help=f"exit with 1 if a group is flagged, or could not be judged: {flags}",
    )
    command.add_argument(
        "--allow-undefined",
        action="store_true",
        help="groups that could not be judged pass --fail-on, and so does one outcome for all rows",
    )


def _add_report_files(command: ArgumentParser) -> None:
    for kind, meaning in FILES.items():
        command.add_argument(f"--{kind}", metavar="FILE", help=meaning)


def add_overwrite(command: ArgumentParser) -> None:
    """Add the option that allows an existing output to be replaced."""
    command.add_argument(
        "--overwrite", action="store_true", help="replace the output file if it exists"
    )


def _add_argument(group: _ArgumentGroup, argument: Argument, option: Option) -> None:
    kind, name = argument.kind, f"--{(option.name or argument.name).replace('_', '-')}"
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
    text = "; ".join(filter(None, [argument.meaning, option.note, _default(argument, option)]))
    return f"{text} *" if argument.kind.is_several else text


def _default(argument: Argument, option: Option) -> str:
    if argument.is_required:
        return "required"
    is_known = argument.default is None or "default" in option.note
    return "" if is_known else f"default {argument.default}"


def _read_by(read: Callable[[str], object], takes: str) -> Callable[[str], object]:
    """A reader of typed text whose error says what the option takes."""

    def reader(text: str) -> object:
        try:
            return read(text)
        except ValueError as error:
            raise ArgumentTypeError(f"takes {takes}, got {text!r}") from error

    return reader


def _number_or_none(text: str) -> float | None:
    return None if text.lower() == "none" else float(text)


def _numbers_or_every(text: str) -> list[float | str | tuple[str, float] | Best]:
    """Thresholds; that of one model with its name, which may have commas; or the best so many."""
    if text.lower().startswith("best:"):
        amounts = text[len("best:") :].split(",")
        return [best(*(int(word) if word.isdigit() else float(word) for word in amounts))]
    model, sign, number = text.rpartition("=")
    if sign:
        return [(model, float(number))]
    return [EVERY if word.lower() == EVERY else float(word) for word in text.split(",")]


def _shares(text: str) -> list[float]:
    return [float(word) for word in text.split(",")]


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if "" in names:
        raise ArgumentTypeError(f"takes names with commas between them, got {text!r}")
    return names


_READERS: Final[Mapping[Kind, Callable[[str], object]]] = {
    NUMBER: _read_by(float, "a number"),
    SHARE: _read_by(float, "a share, such as 0.02"),
    SHARES: _read_by(_shares, "shares with commas between them, such as 0.1,0.2"),
    NUMBERS: _read_by(
        _numbers_or_every, f"numbers with commas between them, {EVERY}, best:0.1, or MODEL=NUMBER"
    ),
    HOW_MANY: _read_by(int, "a whole number"),
    SEED: _read_by(int, "a whole number"),
    CONFIDENCE: _read_by(_number_or_none, "a number or none"),
    NAMES: _names,
}
