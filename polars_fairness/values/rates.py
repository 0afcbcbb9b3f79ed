"""Cells to the counts and rates of each group, and of all rows."""

from __future__ import annotations

from typing import Final

import polars as pl

from polars_fairness.counting.cells import of_one_facet
from polars_fairness.counting.counts import added_up, with_finest_counts, with_terms
from polars_fairness.counting.sides import written_key
from polars_fairness.formula.rates import COUNTS, RATES, outcomes_of
from polars_fairness.question.roles import Roles

FACET_OF_ALL_ROWS: Final = "(all)"
"""What stands for the facet in the row over all rows."""

COLUMNS: Final = ("n", *RATES, "tp", "fp", "fn", "tn")
"""The numbers of each group; polars prints the first of them with its name."""


def schema(roles: Roles) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    sizes = {column: roles.size if column in COUNTS else pl.Float64() for column in COLUMNS}
    return pl.Schema({**roles.windows.types, "facet": pl.String(), "value": pl.String(), **sizes})


def rated(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The counts and rates of each group of each facet, and of all rows.

    Counts and rates that need an outcome which the call does not name are null.
    """
    cells = with_finest_counts(cells, roles)
    no_group = pl.lit(None, pl.String)
    all_rows = of_one_facet(cells, roles).with_columns(facet=no_group, value=no_group)
    parts = [cells, all_rows] if roles.facets else [all_rows]
    groups = added_up(pl.concat(parts), [*roles.windows.keys, "facet", "value"], "g", roles)
    known = [column for column in COLUMNS if outcomes_of(column) <= roles.given]
    table = with_terms(groups, [f"g.{column}" for column in known], roles)
    dtypes = schema(roles)
    value = written_key(pl.col("value"), roles).alias("value")
    return table.sort(*roles.windows.keys, "facet", value, nulls_last=True).select(
        *roles.windows.as_named(),
        pl.col("facet").fill_null(FACET_OF_ALL_ROWS),
        value,
        *(
            (pl.col(f"g.{column}") if column in known else pl.lit(None))
            .cast(dtypes[column])
            .alias(column)
            for column in COLUMNS
        ),
    )
