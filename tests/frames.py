"""Small frames for several tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import polars as pl

import polars_fairness as pf
from polars_fairness.api.functions import METHODS
from polars_fairness.api.unused_arguments import unused_argument
from polars_fairness.question.arguments import DEFAULTS

QUESTION: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p"}


def fairness(frame: pl.DataFrame | pl.LazyFrame) -> Any:
    """The namespace of a frame, which polars adds to its classes when the package is imported."""
    return frame.fairness  # type: ignore[union-attr] # not in the types of polars


def shared(function: Callable[..., Any], frame: Any, *metrics: Any, **given: Any) -> Any:
    """The answer to a question that is about more than this function answers, and so is bound."""
    question = {name: value for name, value in given.items() if name in DEFAULTS}
    own = {name: value for name, value in given.items() if name not in DEFAULTS}
    return function(pf.of(frame, **question), *metrics, **own)


def used(function: str, metrics: Sequence[Any], given: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call without those of its question that nothing in its answer uses."""
    own = signature(METHODS[function]).parameters.values()
    defaults = {each.name: each.default for each in own if each.default is not Parameter.empty}
    while unused := unused_argument(function, (None, *metrics), defaults | given):
        given = {name: value for name, value in given.items() if name != unused}
    return given


def confusion(**sides: tuple[int, int, int, int]) -> pl.DataFrame:
    """Lay out tp, fp, fn, tn of every facet value as counted rows."""
    rows = [
        (value, y, p, n)
        for value, counts in sides.items()
        for (y, p), n in zip(((1, 1), (0, 1), (1, 0), (0, 0)), counts, strict=True)
    ]
    return pl.DataFrame(rows, schema=["sex", "y", "p", "n"], orient="row")


def predictions(**sides: tuple[int, int]) -> pl.DataFrame:
    """Lay out accepted and rejected of every facet value as counted rows."""
    rows = [
        (value, p, n)
        for value, counts in sides.items()
        for p, n in zip((1, 0), counts, strict=True)
    ]
    return pl.DataFrame(rows, schema=["sex", "p", "n"], orient="row")


def people(n: int = 240) -> pl.DataFrame:
    """Decisions about people, every combination with its own frequency."""
    index = pl.int_range(n)
    return pl.select(
        sex=pl.lit(pl.Series(["F", "M", "X"])).gather(index * index % 3),
        race=pl.lit(pl.Series(["White", "Black", None, "Asian"])).gather(index // 3 % 4),
        branch=pl.lit(pl.Series(["north", "south", None])).gather(index % 7 % 3),
        month=index // 100,
        y=index % 5 < 3,
        p=index % 11 % 4 < 2,
        score=(index % 11 % 4).cast(pl.Float64) / 4,
        w=1 + (index % 3) / 2,
    )


def one_row_each(counted: pl.DataFrame) -> pl.DataFrame:
    """The rows that the column ``n`` counts, without it."""
    rows = [row for row, n in enumerate(counted["n"]) for _ in range(n)]
    return counted.drop("n")[rows]


def by_outcome(counted: pl.DataFrame, outcome: str) -> pl.DataFrame:
    """Of each row, those with the outcome and those without, from its ``n`` and their number."""
    numbered = counted.with_row_index("row")
    positive = numbered.with_columns(pl.col(outcome).alias("n"), pl.lit(True).alias(outcome))
    negative = numbered.with_columns(pl.col("n") - pl.col(outcome), pl.lit(False).alias(outcome))
    return pl.concat([positive, negative]).sort("row", maintain_order=True).drop("row")


def parquet_of(rows: pl.LazyFrame, path: Path) -> pl.LazyFrame:
    rows.sink_parquet(path / "rows.parquet")
    return pl.scan_parquet(path / "rows.parquet")


def csv_of(rows: pl.LazyFrame, path: Path) -> pl.LazyFrame:
    rows.sink_csv(path / "rows.csv")
    return pl.scan_csv(path / "rows.csv", schema=rows.collect_schema())


def ndjson_of(rows: pl.LazyFrame, path: Path) -> pl.LazyFrame:
    rows.sink_ndjson(path / "rows.ndjson")
    return pl.scan_ndjson(path / "rows.ndjson", schema=rows.collect_schema())


def ipc_of(rows: pl.LazyFrame, path: Path) -> pl.LazyFrame:
    rows.sink_ipc(path / "rows.arrow")
    return pl.scan_ipc(path / "rows.arrow")
