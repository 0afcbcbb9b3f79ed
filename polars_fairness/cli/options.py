"""Options of commands, most of them made from the rows of the arguments."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace, _ArgumentGroup
from collections.abc import Callable, Container, Iterable, Mapping
from textwrap import dedent
from typing import Any, Final, Protocol

from polars_fairness.cli.printed import FORMATS, TRACEBACK
from polars_fairness.cli.typed import PROBABILITIES, REFERENCE
from polars_fairness.question.arguments import (
    CONFIDENCE,
    FLAG,
    HOW_MANY,
    MODELS,
    NAMES,
    NUMBER,
    NUMBERS,
    OF_QUESTION,
    SEED,
    SHARE,
    SHARES,
    Argument,
    Heading,
    Kind,
    Option,
)
from polars_fairness.question.scores import EVERY, Best, best

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


class Commands(Protocol):
    """The part of a parser to which commands are added."""

    def add_parser(self, name: str, **settings: Any) -> ArgumentParser: ...


def add_command_on_files(
    commands: Commands,
    name: str,
    run: Callable[[Namespace], int],
    *,
    summary: str,
    description: str,
    examples: str,
) -> ArgumentParser:
    """Add a command that reads files of rows."""
    command = commands.add_parser(
        name,
        help=summary,
        description=description,
        epilog=examples + EXIT_CODES,
        usage="%(prog)s PATH [PATH ...] [OPTIONS]",
    )
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
        type=read_by(int, "a whole number"),
        help="the length to which standard input is copied, unpacked; default 16000000000",
    )
    command.set_defaults(run=run)
    return command


def add_arguments(
    command: ArgumentParser,
    *headings: Heading,
    own: Iterable[Argument] = (),
    shared: Iterable[Argument] | None = None,
    without: Container[str] = (),
) -> None:
    """Add the options of a command's own and of its shared arguments, under these headings.

    The shared ones are those of a question if not given. ``without`` has the names of arguments
    that play no part in the command.
    """
    arguments = (*own, *((*OF_QUESTION, PROBABILITIES, REFERENCE) if shared is None else shared))
    for heading in headings:
        group = command.add_argument_group(*_HEADINGS[heading])
        for argument in arguments:
            option = argument.option
            if option and option.heading == heading and argument.name not in without:
                _add_argument(group, argument, option)


def add_metric(command: ArgumentParser, meaning: str) -> None:
    """Add the option that names the one metric of a command."""
    command.add_argument("--metric", metavar="NAME", required=True, help=meaning)


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
        help=f"a .parquet, .csv, .tsv, .ndjson or .arrow file{otherwise}",
    )
    add_overwrite(command)


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


def read_by(read: Callable[[str], object], takes: str) -> Callable[[str], object]:
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
    NUMBER: read_by(float, "a number"),
    SHARE: read_by(float, "a share, such as 0.02"),
    SHARES: read_by(_shares, "shares with commas between them, such as 0.1,0.2"),
    NUMBERS: read_by(
        _numbers_or_every, f"numbers with commas between them, {EVERY}, best:0.1, or MODEL=NUMBER"
    ),
    HOW_MANY: read_by(int, "a whole number"),
    SEED: read_by(int, "a whole number"),
    CONFIDENCE: read_by(_number_or_none, "a number or none"),
    NAMES: _names,
}
