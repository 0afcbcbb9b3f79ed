"""The command `schema`: the JSON schema of an answer."""

from __future__ import annotations

import json
from argparse import Namespace

from polars_fairness.cli.formats import ANSWERS, schema_of
from polars_fairness.cli.printed import say
from polars_fairness.errors import require_words


def run(typed: Namespace) -> int:
    """Print a schema."""
    require_words("answer", typed.answer, ANSWERS)
    say(json.dumps(schema_of(typed.answer), indent=2, ensure_ascii=False))
    return 0
