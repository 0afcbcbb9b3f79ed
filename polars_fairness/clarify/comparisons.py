"""The comparisons of a report: for each facet one, or one for each of its values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from polars_fairness.clarify.reading import FacetReading


@dataclass(frozen=True)
class Comparison:
    """A comparison: its facet, and whether a cell, and whether a row, is on side d."""

    name: str
    text: str
    facet: FacetReading
    cell_in_d: pl.Expr
    row_in_d: pl.Expr


@dataclass(frozen=True)
class Result:
    """The value of a metric for a comparison; without a value, the reason."""

    value: float | None
    reason: str = ""


def comparisons_of(
    facet: FacetReading, cells: pl.DataFrame, *, as_clarify: bool
) -> Iterator[Comparison]:
    """The comparisons of a facet, whose values occur in the cells."""
    name = facet.counted.meta.output_name()
    if not facet.selection.takes_turns:
        yield Comparison(name, facet.selection.text, facet, pl.col(name), facet.counted)
        return
    for value in cells[name].drop_nulls().unique().sort():
        in_d = [column == value for column in (pl.col(name), facet.counted)]
        if as_clarify:
            in_d = [each.fill_null(value=False) for each in in_d]
        yield Comparison(f"{name} {value!r}", str(value), facet, *in_d)
