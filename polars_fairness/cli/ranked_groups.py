"""The printed table of ranked groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from polars_fairness.cli.tables import Column, column_of_sizes, headed
from polars_fairness.cli.words import Row, heading, interval, number, values


def ranked_table(answer: pl.DataFrame, rate: str, width: int, *, top: int) -> str:
    """The first groups of each window, below its name and the rate of all its rows."""
    if answer.is_empty():
        return "Nothing to rank: there are no groups."
    attributes = answer["fixed"].struct.fields
    windows = answer.columns[: answer.columns.index("n") - len(attributes)]
    shown = answer.group_by(windows, maintain_order=True).head(top) if windows else answer.head(top)
    rows = shown.rows(named=True)
    headings = [
        heading(row, windows, f"{rate} of all rows: {number(row['rate_of_all'])}") for row in rows
    ]
    text = headed(headings, _columns(rows, attributes, rate), width)
    if shown.height == answer.height:
        return text
    return f"{text}\n\n{shown.height:,} of {answer.height:,} groups; --top N shows more."


def _columns(rows: Sequence[Row], attributes: Sequence[str], rate: str) -> Iterator[Column]:
    def numbers(name: str) -> list[str]:
        return [number(row[name]) for row in rows]

    ranks = ["" if row["rank"] is None else f"{row['rank']:,}" for row in rows]
    groups = [values(row, [name for name in attributes if row["fixed"][name]]) for row in rows]
    yield Column("rank", ranks, is_number=True)
    yield Column("group", groups, least=16)
    yield column_of_sizes([row["n"] for row in rows])
    yield Column(rate, numbers("rate"), is_number=True)
    if "shrunken_rate" in rows[0]:
        yield Column("shrunken", numbers("shrunken_rate"), is_number=True)
    is_of_scores = "mean_score" in rows[0]
    if is_of_scores:
        yield Column("mean_score", numbers("mean_score"), is_number=True)
    yield Column("direction", [row["direction"] or "" for row in rows])
    if any(row["lower"] is not None for row in rows):
        yield Column("interval", [interval(row) for row in rows], is_optional=True)
    product = numbers("alpha*beta")
    yield Column("alpha*beta", product, is_number=True, is_optional=not is_of_scores)
