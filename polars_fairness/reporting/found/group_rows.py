"""The rates of groups, with the number of rows behind sums of weights."""

from __future__ import annotations

from functools import partial

import polars as pl

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.rates import call_of_rates, rates
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.question.arguments import Question
from polars_fairness.values.rates import ROWS, rated, schema


def rates_and_rows(frame: AnyFrame, question: Question) -> PolarsFrame:
    """The answer of `rates`; where ``n`` is not how many rows each rate has, also their number.

    With weights, this is the effective number, and the number of rows of a group is there too.
    """
    if question.get("weight") is None and question.get("nulls") != "drop":
        return rates(frame, **question)
    call = call_of_rates(frame, question)
    compute = partial(rated, has_rows=True)
    return call.answer(cells_of_all_rows, compute, schema(call.roles, has_rows=True))


def rows_used(rated: pl.DataFrame) -> pl.Expr:
    """The number of rows of each group in a table of rates, whatever their weights."""
    return pl.col(ROWS if ROWS in rated.columns else "n")
