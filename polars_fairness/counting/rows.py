"""The rows of a call, in polars or in another engine, which counts them itself.

Both give the same counts, so the modules that follow need not know the engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from polars_fairness.counting.models import Count
from polars_fairness.counting.polars_rows import Counted, PolarsRows
from polars_fairness.errors import FairnessError, MissingExtraError
from polars_fairness.question.arguments import Question
from polars_fairness.question.facets import Facet


class EngineFrame(Protocol):
    """A frame of another library: Spark, DuckDB, Ibis, pyarrow, pandas, and so on."""

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
    _require_engines(frame)
    from polars_fairness.counting.engine_rows import opened  # needs the extra

    return opened(frame).collect_schema().names()


def rows_of(frame: AnyFrame, question: Question) -> Rows:
    """Wrap a frame by its engine."""
    if isinstance(frame, pl.LazyFrame | pl.DataFrame):
        return PolarsRows(frame.lazy(), in_memory=isinstance(frame, pl.DataFrame))
    _require_engines(frame)
    from polars_fairness.counting.engine_rows import rows_of_engine  # needs the extra

    return rows_of_engine(frame, question)


def rows_in_polars(frame: AnyFrame, question: Question) -> pl.LazyFrame:
    """The rows in polars; of another engine's frame the columns that the question names."""
    rows: Any = rows_of(frame, question)
    if isinstance(rows, PolarsRows):
        return rows.frame
    read: pl.DataFrame = rows.frame.select(*rows.schema).collect("polars").to_native()
    return read.lazy()


def _require_engines(frame: object) -> None:
    if isinstance(frame, str | Path):
        path = str(frame)
        scan = "scan_csv" if path.endswith(".csv") else "scan_parquet"
        raise FairnessError(f"frame: takes a frame, got {path!r}; give pl.{scan}({path!r})")
    if find_spec("narwhals") is None:
        raise MissingExtraError(
            f"frame: takes a polars LazyFrame or DataFrame, got {type(frame).__name__}; for a "
            'frame of another engine pip install "polars-fairness[engines]"'
        )
