"""The command `schema`: the JSON schema of an answer."""

from __future__ import annotations

import json
from argparse import Namespace
from textwrap import dedent
from typing import Final

from polars_fairness.cli.options import EXIT_CODES, Commands
from polars_fairness.cli.printed import say
from polars_fairness.cli.schemas import ANSWERS, schema_of

_EXAMPLES: Final = dedent("""\
    example:
      polars-fairness schema audit > audit.schema.json
    """)


def add_schema(commands: Commands) -> None:
    """Add the command to a parser."""
    command = commands.add_parser(
        "schema",
        help="print the JSON schema of an answer",
        description="Print the schema of what a command prints with --format json, of the "
        "dictionary of a report, or of a report in JSON.",
        epilog=_EXAMPLES + EXIT_CODES,
    )
    command.add_argument(
        "answer", choices=ANSWERS, help="the command, with its table; report or document"
    )
    command.set_defaults(run=schema)


def schema(typed: Namespace) -> int:
    """Print a schema."""
    say(json.dumps(schema_of(typed.answer), indent=2, ensure_ascii=False))
    return 0
