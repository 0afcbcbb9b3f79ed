"""Cells to the counts and rates of every group, and of everybody."""

from __future__ import annotations

from typing import Final

import polars as pl

from polars_fairness.counting.counts import added_up, prepare, with_terms
from polars_fairness.formula.rates import COUNTS, RATES, outcomes_of
from polars_fairness.question.roles import Roles

COLUMNS: Final = ("n", "tp", "fp", "fn", "tn", *RATES)


def schema(roles: Roles) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    sizes = {column: roles.size if column in COUNTS else pl.Float64() for column in COLUMNS}
    return pl.Schema({**roles.windows.types, "facet": pl.String(), "value": pl.String(), **sizes})


def rated(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """Count and rate every group of every facet, and one row for everybody.

    What the outcomes given do not determine is there as well, as null.
    """
    cells = prepare(cells, roles)
    nobody = pl.lit(None, pl.String)
    everybody = cells.filter(roles.everybody).with_columns(facet=nobody, value=nobody)
    parts = [cells, everybody] if roles.facets else [everybody]
    groups = added_up(pl.concat(parts), [*roles.windows.keys, "facet", "value"], "g", roles)
    known = [column for column in COLUMNS if outcomes_of(column) <= roles.given]
    table = with_terms(groups, [f"g.{column}" for column in known], roles)
    dtypes = schema(roles)
    value = roles.written(pl.col("value")).alias("value")
    return table.sort(*roles.windows.keys, "facet", value, nulls_last=True).select(
        *roles.windows.as_named(),
        "facet",
        value,
        *(
            (pl.col(f"g.{column}") if column in known else pl.lit(None))
            .cast(dtypes[column])
            .alias(column)
            for column in COLUMNS
        ),
    )
