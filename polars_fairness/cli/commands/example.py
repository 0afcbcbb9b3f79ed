"""The command `demo`: the example of the Berkeley applicants."""

from __future__ import annotations

from argparse import Namespace
from contextlib import redirect_stdout
from io import StringIO

from polars_fairness import demo as story
from polars_fairness.cli.options import Commands
from polars_fairness.cli.printed import say


def add_demo(commands: Commands) -> None:
    """Add the command to a parser."""
    summary = "print the example of the Berkeley applicants"
    description = f"{summary[0].upper()}{summary[1:]}."
    command = commands.add_parser("demo", help=summary, description=description)
    command.set_defaults(run=demo)


def demo(_: Namespace) -> int:
    """Print the example of the Berkeley applicants."""
    with redirect_stdout(StringIO()) as printed:
        story.main()
    say(printed.getvalue())
    return 0
