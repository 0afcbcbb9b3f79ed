"""The parser of the command line: the program and its commands."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from textwrap import dedent
from types import MappingProxyType
from typing import Any, Final, NoReturn

import polars as pl

import polars_fairness as pf
from polars_fairness.api.unknown_arguments import IN_OTHER_TOOLS
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.cli.commands import COMMANDS, OPTIONS
from polars_fairness.cli.options import EXIT_CODES, WrongOptionsError
from polars_fairness.cli.printed import say
from polars_fairness.errors import nearest

_PROGRAM: Final = dedent("""\
    examples:
      polars-fairness audit loans.parquet --facet sex --disfavored F --predicted approved
      polars-fairness metrics di dppl
      polars-fairness COMMAND --help
    """)


class _Parser(ArgumentParser):
    """A parser that raises mistakes as one line, and returns only the options that were typed."""

    commands: Mapping[str, ArgumentParser] = MappingProxyType({})

    def __init__(self, **settings: object) -> None:
        super().__init__(
            **settings,  # type: ignore[arg-type]
            argument_default=SUPPRESS,
            allow_abbrev=False,
            formatter_class=RawDescriptionHelpFormatter,
        )

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        typed, unknown = self.parse_known_args(args, namespace)
        if unknown:
            # The command's own parser knows the options that may be meant.
            known = self.commands.get(vars(typed).get("command", ""), self)
            known.error(f"unrecognized arguments: {' '.join(unknown)}")
        return typed

    def _print_message(self, message: str, file: Any = None) -> None:
        say(message)

    def error(self, message: str) -> NoReturn:
        hint = _hint(message, [*self._option_string_actions])
        # Python begins some with "argument --band:", and all others here begin with the option.
        message = message.removeprefix("argument ")
        raise WrongOptionsError(f"{message}{hint}; see {self.prog} --help")


def _hint(message: str, options: Sequence[str]) -> str:
    """What to type in place of the first word that is not known, if that can be known."""
    _, _, unknown = message.partition("unrecognized arguments: ")
    word, *_ = unknown.split() or [""]
    if word in CATALOGUE:
        return f"; write several metrics with commas between them, as in --metric di,{word}"
    if word and not word.startswith("-"):
        return f"; write the option before each value, as in --facet sex --facet {word}"
    argument = word.removeprefix("--").partition("=")[0].replace("-", "_")
    here = (
        each.here for each in IN_OTHER_TOOLS if word.startswith("--") and argument in each.there
    )
    found = next(here, None)
    if found:
        return f"; it is called {OPTIONS[found]} here"
    near = nearest(word.partition("=")[0], options) if word.startswith("--") else []
    return f"; did you mean {' or '.join(near)}?" if near else ""


def parser() -> ArgumentParser:
    """The parser of all commands."""
    program = _Parser(
        prog="polars-fairness",
        description="Compute fairness metrics from files of rows, or of cells counted from rows.",
        epilog=_PROGRAM + EXIT_CODES,
    )
    version = f"polars-fairness {pf.__version__} (polars {pl.__version__})"
    program.add_argument("--version", action="version", version=version, help="show both versions")
    commands = program.add_subparsers(metavar="COMMAND", dest="command", required=True)
    program.commands = commands.choices

    for name, command in COMMANDS.items():
        command.add(commands, name)
    return program
