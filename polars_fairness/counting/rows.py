"""Rows, wherever they lie, and who counts them: polars here, or the engine they are in.

Both count alike. What comes after the counts cannot tell where they were made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Any, Protocol

import polars as pl

from polars_fairness.counting.blocks import MOST_CELLS, chosen_blocks
from polars_fairness.counting.polars_rows import OWN, RowsHere, named, named_jointly
from polars_fairness.errors import MissingExtraError
from polars_fairness.question.arguments import Question
from polars_fairness.question.facets import Facet
from polars_fairness.question.roles import Roles

__all__ = [
    "MOST_CELLS",
    "OWN",
    "AnyFrame",
    "EngineFrame",
    "Rows",
    "RowsHere",
    "chosen_blocks",
    "named",
    "named_jointly",
    "rows_of",
]


class EngineFrame(Protocol):
    """A frame of any other library: of Spark, DuckDB, Ibis, Dask, pyarrow, pandas, and so on."""

    @property
    def columns(self) -> Any: ...


AnyFrame = pl.LazyFrame | pl.DataFrame | EngineFrame


class Rows(Protocol):
    """The user's data, as far as a question needs to see it."""

    @property
    def schema(self) -> pl.Schema: ...

    def counted(self, groupings: Iterable[Sequence[Facet]], roles: Roles) -> list[pl.LazyFrame]:
        """Count the rows once for each grouping, by its facets and whatever else is asked."""
        ...


def rows_of(frame: AnyFrame, question: Question) -> Rows:
    """Find out where a frame's rows lie."""
    if isinstance(frame, pl.LazyFrame | pl.DataFrame):
        return RowsHere(frame.lazy())
    if find_spec("narwhals") is None:
        msg = (
            f"frame: takes a polars LazyFrame or DataFrame, got {type(frame).__name__}; for a "
            'frame of another engine pip install "polars-fairness[engines]"'
        )
        raise MissingExtraError(msg)
    from polars_fairness.counting.engine_rows import rows_elsewhere  # brought by the extra

    return rows_elsewhere(frame, question)
