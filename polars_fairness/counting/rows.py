"""The rows of a call, in polars or in another engine, which counts them itself.

Both give the same counts, so the modules that follow need not know the engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from polars_fairness.counting.connections import table_of
from polars_fairness.counting.engine_rows import EngineRows
from polars_fairness.counting.models import Count
from polars_fairness.counting.polars_rows import Counted, PolarsRows
from polars_fairness.errors import FairnessError, listed, require_extra
from polars_fairness.question.arguments import OF_COLUMNS, Question
from polars_fairness.question.facets import Facet
from polars_fairness.question.own_cells import columns_mentioned


class EngineFrame(Protocol):
    """A frame of another library: Spark, DuckDB, Ibis, pyarrow, pandas, or one of `from_sql`."""

    @property
    def columns(self) -> Any: ...


PolarsFrame = pl.LazyFrame | pl.DataFrame
AnyFrame = PolarsFrame | EngineFrame


class Rows(Protocol):
    """The user's rows, which a question only counts."""

    @property
    def schema(self) -> pl.Schema: ...

    def counted(
        self, groupings: Iterable[Sequence[Facet]], counts: Sequence[Count]
    ) -> list[list[Counted]]:
        """For each count, the cells of all groupings, by their facets and all other keys."""
        ...

    def values(self, facets: Sequence[Facet], count: Count) -> dict[str, int]:
        """About how many values each key of rows has, from one read of them."""
        ...


def is_frame(value: object) -> bool:
    """Whether this is a frame of polars or of another engine."""
    return isinstance(value, pl.LazyFrame | pl.DataFrame) or hasattr(value, "columns")


def column_names(frame: AnyFrame) -> list[str]:
    """The names of a frame's columns."""
    if isinstance(frame, pl.LazyFrame | pl.DataFrame):
        return frame.collect_schema().names()
    table = table_of(frame)
    return [*table.columns] if table else _names_in_memory(frame)


def rows_of(frame: AnyFrame, question: Question) -> Rows:
    """Wrap a frame by its engine."""
    if isinstance(frame, pl.LazyFrame | pl.DataFrame):
        return PolarsRows(frame.lazy(), in_memory=isinstance(frame, pl.DataFrame))
    if table := table_of(frame):
        return EngineRows(table)
    return PolarsRows(_read_into_polars(frame, _named(question)).lazy(), in_memory=True)


def rows_in_polars(frame: AnyFrame, question: Question) -> pl.LazyFrame:
    """The rows in polars; of another engine's frame the columns that the question names."""
    rows = rows_of(frame, question)
    if isinstance(rows, EngineRows):
        return rows.table.read(_named(question)).lazy()
    assert isinstance(rows, PolarsRows)
    return rows.frame


def _named(question: Question) -> dict[str, str]:
    """The columns that a question may name, with the argument of each."""
    given: dict[str, Any] = {each.name: question.get(each.name) for each in OF_COLUMNS}
    return {name: argument for argument in given for name in columns_mentioned(given[argument])}


def _names_in_memory(frame: Any) -> list[str]:
    """The names of the columns of a frame in memory, whose columns polars reads."""
    if isinstance(frame, str | Path):
        path = str(frame)
        scan = "scan_csv" if path.endswith(".csv") else "scan_parquet"
        raise FairnessError(f"frame: takes a frame, got {path!r}; give pl.{scan}({path!r})")
    if not (hasattr(frame, "columns") and hasattr(frame, "__arrow_c_stream__")):
        raise FairnessError(
            "frame: takes a polars LazyFrame or DataFrame, a frame of DuckDB, Spark, Ibis, pandas "
            "or Arrow, or a table of a connection, pf.from_sql(connection, table); got "
            f"{type(frame).__name__}"
        )
    names = [*getattr(frame, "column_names", frame.columns)]
    if twice := dict.fromkeys(name for name in names if names.count(name) > 1):
        raise FairnessError(
            f"frame: several columns are called {listed(twice)}; give each a name of its own"
        )
    return [name for name in names if isinstance(name, str)]


def _read_into_polars(frame: Any, named: dict[str, str]) -> pl.DataFrame:
    """A frame in memory; of rows that are no cells the columns that are named."""
    names = _names_in_memory(frame)
    if "count" not in named.values():
        names = [name for name in names if name in named or name == "n"]
    if type(frame).__module__.startswith("pandas"):
        require_extra("frame (DataFrame of pandas)", "engines", "pyarrow")
    chosen = frame.select(names) if hasattr(frame, "select") else frame[names]
    try:
        return pl.DataFrame(chosen)
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
        # pandas, pyarrow and polars have errors of their own about a number beside a text.
        for name in names:
            kinds = {type(value) for value in frame[name] if value is not None}
            if len(kinds) > 1:
                raise FairnessError(
                    f"{named.get(name, 'frame')}: {name!r} has values of several types; make it a "
                    "column of one type first, such as with .astype(str)"
                ) from error
        raise
