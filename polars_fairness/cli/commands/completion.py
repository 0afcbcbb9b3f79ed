"""The command `completion`: a script that completes what is typed."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from textwrap import dedent
from typing import Final

from polars_fairness.cli.completion import SHELLS, completion_script
from polars_fairness.cli.options import EXIT_CODES, Commands
from polars_fairness.cli.printed import say

_EXAMPLES: Final = dedent("""\
    example:
      polars-fairness completion fish > ~/.config/fish/completions/polars-fairness.fish
    """)


def add_completion(commands: Commands, program: ArgumentParser) -> None:
    """Add the command to a parser, whose commands it completes."""
    command = commands.add_parser(
        "completion",
        help="print a script by which a shell completes commands and options",
        description="Print a script by which a shell completes commands, options and metrics.",
        epilog=_EXAMPLES + EXIT_CODES,
    )
    command.add_argument("shell", choices=SHELLS, help="the shell that reads the script")
    command.set_defaults(run=partial(completion, program))


def completion(program: ArgumentParser, typed: Namespace) -> int:
    """Print the script of a shell."""
    say(completion_script(program, typed.shell))
    return 0
