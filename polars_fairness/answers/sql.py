"""The function `sql`: the query of the cells of a question, for a warehouse to run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

import polars as pl

from polars_fairness.answers.cells import count_of_cells
from polars_fairness.api.bound import read
from polars_fairness.api.signatures import takes
from polars_fairness.counting.cells import with_incomplete_rows
from polars_fairness.counting.connections import dialect_called
from polars_fairness.counting.engine_rows import Statement
from polars_fairness.counting.sql import Reading
from polars_fairness.question.arguments import Question


@takes()
def sql(
    schema: Mapping[str, Any] | pl.DataFrame | pl.LazyFrame,
    *,
    table: str,
    dialect: str,
    **question: Unpack[Question],
) -> str:
    """Write the query whose answer `cells` would return for the rows of a table.

    It is one SELECT. Save its answer, and give it to any function with ``count="n"``. Unlike in
    `cells`, times are rounded down to one unit of ``every``, such as a month for a quarter; each
    column of a struct becomes a column, and rows that lack a count are one cell.

    Parameters
    ----------
    schema
        The columns of the table with their types, as polars has them; or a frame with these.
    table
        The table, or a query in parentheses with a name, as it is written after FROM.
    dialect
        The dialect of SQL: duckdb, sqlite, postgres, clickhouse, datafusion, spark, snowflake,
        bigquery or databricks.
    **question
        As in `cells`, with columns given by name.

    Returns
    -------
    str
        The query, without a semicolon.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> schema = {"sex": pl.String, "approved": pl.Boolean}
    >>> query = pf.sql(
    ...     schema, table="loans", dialect="postgres", facet="sex", predicted="approved"
    ... )
    >>> print(query.partition(" FROM ")[0])
    SELECT v_0 AS "sex", v_1 AS "approved", CAST(v_2 AS BIGINT) AS "n"
    """
    known = dialect_called(dialect, "dialect")
    types = schema.collect_schema() if isinstance(schema, pl.LazyFrame | pl.DataFrame) else schema
    frame = pl.LazyFrame(schema=types)
    count = with_incomplete_rows(
        count_of_cells(read(frame, question, "cells", {"hide_below": None}))
    )
    reading = Reading(table, known, frame.collect_schema().names(), "a table")
    return Statement(reading, count, decided=True).cells()
