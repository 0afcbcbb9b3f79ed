"""Columns of other engines that two names mean, or whose values polars cannot read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import polars as pl
from narwhals.exceptions import DuplicateError

from polars_fairness.errors import FairnessError, listed


def adopted(frame: object) -> Any:
    """A frame as one of narwhals; any other object unchanged. Raise if two columns share a name."""
    native: Any = nw.to_native(frame, pass_through=True)
    try:
        found = nw.from_native(native, pass_through=True)
        if isinstance(found, nw.DataFrame):
            # Of pandas and pyarrow, narwhals looks at the names only here.
            found.collect_schema()
    except DuplicateError as error:
        names = list(getattr(native, "column_names", native.columns))
        twice = dict.fromkeys(name for name in names if names.count(name) > 1)
        msg = f"frame: several columns are called {listed(twice)}; give each a name of its own"
        raise FairnessError(msg) from error
    return found


def refuse_ambiguous(frame: nw.LazyFrame[Any], named: Sequence[tuple[str, str]]) -> None:
    """Raise if the engine takes another column for one that is named.

    Spark refuses to read ``d`` beside ``D``, and DuckDB reads the first for both.
    """
    engine, native = frame.implementation, nw.to_native(frame)
    if engine.is_dask() or (engine.is_pyspark() and _tells_cases_apart(native)):
        return
    names = [str(name) for name in native.columns]
    for argument, name in named:
        alike = [each for each in names if each.lower() == name.lower()]
        if len(alike) > 1:
            msg = (
                f"{argument}: the frame has the columns {listed(alike)}, which its engine does not "
                "tell apart; rename one of them there first"
            )
            raise FairnessError(msg)


def _tells_cases_apart(native: Any) -> bool:
    return bool(native.sparkSession.conf.get("spark.sql.caseSensitive") == "true")


def read_into_polars(frame: nw.DataFrame[Any], named: Sequence[tuple[str, str]]) -> pl.DataFrame:
    """These columns of a frame in memory; raise about one whose values have several types."""
    try:
        found: pl.DataFrame = frame.to_polars()
    except Exception as error:
        # pandas, pyarrow and polars have their own errors about a number beside a text.
        for argument, name in named:
            try:
                frame.select(name).to_polars()
            except Exception:  # noqa: BLE001 - as above
                msg = (
                    f"{argument}: {name!r} has values of several types; make it a column of one "
                    "type first, such as with .astype(str)"
                )
                raise FairnessError(msg) from error
        raise
    return found
