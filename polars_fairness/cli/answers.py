"""Answers about files: computed from the typed question, and printed."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from polars_fairness.cli.files import opened
from polars_fairness.cli.formats import WRITERS
from polars_fairness.cli.printed import say, time_shown, width
from polars_fairness.cli.typed import question_of
from polars_fairness.reporting.outputs import text_tables
from polars_fairness.reporting.shown.layouts import Layout


def answer_about(
    files: Sequence[str], arguments: Mapping[str, Any], compute: Callable[..., pl.LazyFrame]
) -> pl.DataFrame:
    """The answer of a function to the typed question about the rows of these files."""
    rows = opened(files, arguments)
    question = question_of(arguments, rows.collect_schema())
    with time_shown():
        return compute(rows, **question).collect(engine="streaming")


def say_answer(typed: Namespace, answer: pl.DataFrame, table: Callable[[], str]) -> int:
    """Print an answer in the typed format; the function writes the table of a terminal."""
    name = typed.command.replace("-", "_")
    say(table() if typed.format == "table" else WRITERS[typed.format](answer, name))
    return 0


def in_terminal(*layouts: Layout) -> str:
    """Tables as wide as the terminal, below each other."""
    return text_tables.in_terminal(layouts, width())
