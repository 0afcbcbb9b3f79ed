"""The command `demo`: the example of the Berkeley applicants."""

from __future__ import annotations

from argparse import Namespace
from contextlib import redirect_stdout
from io import StringIO

from polars_fairness import demo as story
from polars_fairness.cli.printed import say


def run(_: Namespace) -> int:
    """Print the example of the Berkeley applicants."""
    with redirect_stdout(StringIO()) as printed:
        story.main()
    say(printed.getvalue())
    return 0
