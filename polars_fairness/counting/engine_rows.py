"""Rows in an engine of their own: the same group-by, run where the data lives.

narwhals says it in the engine's words. Only counts come home, and what comes after cannot tell
them from those that polars makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import narwhals as nw
import polars as pl

from polars_fairness.counting.blocks import block_with, blocks_of
from polars_fairness.counting.polars_rows import LOWEST, RowsHere, added_up, keys_of
from polars_fairness.errors import FairnessError, require_extra
from polars_fairness.question.arguments import OF_QUESTION, Question, completed
from polars_fairness.question.columns import Column, find_columns
from polars_fairness.question.facets import Facet
from polars_fairness.question.outcomes import Outcome
from polars_fairness.question.roles import Roles

_WHOLE: Final = ("n", "rows", "counted", "null_weights", "null_counts", "broken_counts")
_TALLIES: Final = (*_WHOLE, *LOWEST, "total_count", "weight", "weight_sq")
_MOST_COUNTED: Final = 2**63 - 1

Frame = nw.LazyFrame[Any]


@dataclass(frozen=True)
class RowsElsewhere:
    """The rows of an engine's frame."""

    frame: Frame
    schema: pl.Schema

    def counted(self, groupings: Iterable[Sequence[Facet]], roles: Roles) -> list[pl.LazyFrame]:
        """Have the engine count by all groupings in one query.

        It counts each block of facets, and each grouping is added up here from one of them:
        narwhals has no words for the GROUPING SETS that some engines know.
        """
        groupings = [tuple(grouping) for grouping in groupings]
        blocks = blocks_of(groupings, roles)
        measures = self._measures(roles)
        keys = [list(self._keys(roles, block)) for block in blocks]
        answers = _answers([self._query(each, measures) for each in keys], keys)
        home = roles.as_counted()
        at_home = dict(zip(roles.facets, home.facets, strict=True))
        return [
            _at_home(
                answers[block_with(grouping, blocks)],
                list(self._keys(roles, grouping)),
                keys_of(home, [at_home[facet] for facet in grouping]),
            )
            for grouping in groupings
        ]

    def _query(self, keys: Sequence[_Key], measures: Mapping[str, nw.Expr]) -> Frame:
        tallies = {
            name: nw.col(name).min() if name in LOWEST else nw.col(name).sum() for name in measures
        }
        # Where rows are neither weighed nor counted there is nothing to add up.
        tallies["rows" if measures else "n"] = nw.len()
        read = {key.outside: key.value for key in keys}
        return self.frame.select(**read, **measures).group_by(*read).agg(**tallies)

    def _column(self, name: str) -> nw.Expr:
        engine = self.frame.implementation
        if engine.is_pyspark() or engine.is_pyspark_connect():
            # Unquoted, Spark reads a dot as a part of something and a star as everything.
            name = "`" + name.replace("`", "``") + "`"
        elif engine.is_duckdb() and name == "*":
            msg = "a column called '*' stands for all columns in DuckDB; rename it there first"
            raise FairnessError(msg)
        return nw.col(name)

    def _float(self, column: Column) -> nw.Expr:
        number = self._column(column.name)
        # In Dask a cast to what it is already would make null of NaN.
        return number if column.dtype == pl.Float64 else number.cast(nw.Float64)

    def _keys(self, roles: Roles, facets: Sequence[Facet]) -> Iterator[_Key]:
        named = chain(
            roles.windows.by_key.items(),
            roles.strata.by_key.items(),
            roles.points.by_key.items(),
        )
        for name, column in named:
            yield _Key(name, self._column(column.name), column.dtype)
        for facet in facets:
            whole = self._column(facet.name)
            for name, (field, dtype) in zip(facet.keys, facet.fields, strict=True):
                part = whole.struct.field(field) if facet.is_intersection else whole
                yield _Key(name, part, dtype)
        for outcome in roles.outcomes:
            dtype = outcome.at(pl.col(outcome.role)).column.dtype
            yield _Key(outcome.role, self._outcome(outcome), dtype)

    def _outcome(self, outcome: Outcome) -> nw.Expr:
        value = self._column(outcome.column.name)
        if outcome.threshold is None:
            return value
        is_known = ~value.is_null()
        if outcome.column.dtype.is_float():
            # To an engine that compares, NaN is more than any threshold.
            is_known &= ~value.is_nan()
        threshold = outcome.threshold
        if outcome.column.dtype == pl.Float32:
            # polars compares in 32 bits; an engine widens the column to 64.
            threshold = pl.Series([threshold], dtype=pl.Float64).cast(pl.Float32).item()
        is_positive = nw.when(value >= threshold).then(nw.lit(1)).otherwise(nw.lit(0))
        return nw.when(is_known).then(is_positive)

    def _measures(self, roles: Roles) -> dict[str, nw.Expr]:
        """What a row adds to its cell, as `polars_fairness.counting.polars_rows` tallies it."""
        measures: dict[str, nw.Expr] = {}
        if roles.count is not None:
            count, is_whole = self._count(roles.count)
            measures["n"] = nw.when(is_whole).then(count)
            measures["total_count"] = nw.when(is_whole).then(self._float(roles.count))
            measures["lowest_count"] = count
            measures["null_counts"] = _one_if(count.is_null())
            measures["broken_counts"] = _one_if(~count.is_null()) - _one_if(is_whole)
        if roles.weight is not None:
            weight = self._float(roles.weight)
            measures["lowest_weight"] = weight
            measures["null_weights"] = _one_if(weight.is_null())
            if roles.count is None:
                measures["n"], measures["weight"] = _one_if(weight > 0), weight
            else:
                measures["counted"] = measures["n"]
                measures["n"] = nw.when(is_whole, weight > 0).then(count)
                measures["weight"] = nw.when(count > 0).then(weight)
            measures["weight_sq"] = self._squares(weight, roles.count)
        return measures

    def _count(self, column: Column) -> tuple[nw.Expr, nw.Expr]:
        """How many a row stands for, and whether that is a whole number."""
        if column.dtype.is_integer():
            count = self._column(column.name)
            return count, count <= _MOST_COUNTED
        count = self._float(column)
        # Ibis rounds to 64 bits, into which infinity does not fit.
        bounded = nw.when(count.abs() < float(_MOST_COUNTED)).then(count)
        return count, bounded == bounded.floor()

    def _squares(self, weight: nw.Expr, counting: Column | None) -> nw.Expr:
        if counting is None:
            return weight * weight
        count = self._float(counting)
        stands_for = nw.when(count > 0, weight > 0).then(count)
        if "weight_sq" in self.schema:
            return nw.when(~stands_for.is_null()).then(nw.col("weight_sq"))
        # Sail has no division of floats that narwhals could ask it for.
        return weight * weight * stands_for**-1.0


@dataclass(frozen=True)
class _Key:
    """What is grouped by: its name inside, the engine's column for it, its type at home."""

    name: str
    column: nw.Expr
    dtype: pl.DataType

    @property
    def outside(self) -> str:
        """Its name in the engine, where a dot would be read as a part of something."""
        return self.name.replace(".", "_")

    @property
    def value(self) -> nw.Expr:
        if self.dtype.is_float():
            # 0.0 and -0.0 are one value; Dask mixes up groups that arrow does not know for one.
            return self.column + 0.0
        # Dask cannot group by what arrow keeps in a dictionary.
        return self.column.cast(nw.String) if self._is_listed else self.column

    @property
    def absent(self) -> nw.Expr:
        """Nothing, of the same type."""
        of_type = pl.Series(dtype=pl.String if self._is_listed else self.dtype)
        return nw.lit(None, nw.from_native(of_type, series_only=True).dtype)

    @property
    def _is_listed(self) -> bool:
        return self.dtype in (pl.Enum, pl.Categorical)


def rows_elsewhere(frame: object, question: Question) -> RowsHere | RowsElsewhere:
    """Take a frame of any engine that narwhals knows."""
    opened = nw.from_native(nw.to_native(frame, pass_through=True), pass_through=True)
    if not isinstance(opened, nw.DataFrame | nw.LazyFrame):
        msg = (
            "frame: takes a polars LazyFrame or DataFrame, or a frame of an engine that narwhals "
            f"knows (Spark, DuckDB, Ibis, Dask, pyarrow, pandas, ...), got {type(frame).__name__}"
        )
        raise FairnessError(msg)
    if opened.implementation.is_polars():
        return RowsHere(opened.lazy().to_native())
    require_extra(f"frame ({type(frame).__name__})", "engines", "pyarrow")
    completed(question)  # an argument that there is not is told before a column that there is not
    types = opened.collect_schema()
    names = [name for name in types if isinstance(name, str)]
    asked = list(_columns_named(question, type(frame), names))
    handed_on = [name for name in ("weight_sq",) if name in names]
    read = dict.fromkeys([*(name for _, name in asked), *handed_on])
    if isinstance(opened, nw.DataFrame):
        # In this machine's memory already: polars reads these columns where they lie.
        return RowsHere(opened.select(*read).to_polars().lazy())
    schema = pl.Schema({name: _type_at_home(types[name]) for name in read})
    for argument, name in asked:
        if _is_known_to_its_engine_only(schema[name]):
            msg = (
                f"{argument}: {name!r} is of a type that only its engine knows; cast it to text or "
                "to a number there first"
            )
            raise FairnessError(msg)
    return RowsElsewhere(opened, schema)


def _columns_named(
    question: Question, engine: type, names: Sequence[str]
) -> Iterator[tuple[str, str]]:
    untyped = pl.Schema(dict.fromkeys(names, pl.Null()))
    for argument in (row.name for row in OF_QUESTION if row.kind.names_columns):
        given: Any = question.get(argument)
        for each in given if isinstance(given, list | tuple) else [given]:
            if isinstance(each, pl.Expr):
                msg = (
                    f"{argument}: of a {engine.__module__.partition('.')[0]} {engine.__name__} "
                    f"columns are taken by name, got {each}; make it a column there first"
                )
                raise FairnessError(msg)
            for column in find_columns(untyped, argument, each):
                yield argument, column.name


def _type_at_home(dtype: Any) -> pl.DataType:
    """The type in polars, which counts time in no unit larger than milliseconds."""
    if isinstance(dtype, nw.Struct):
        fields = {field.name: _type_at_home(field.dtype) for field in dtype.fields}
        return pl.Struct(fields)
    if isinstance(dtype, nw.Datetime) and dtype.time_unit == "s":
        return pl.Datetime("ms", dtype.time_zone)
    if isinstance(dtype, nw.Duration) and dtype.time_unit == "s":
        return pl.Duration("ms")
    return nw.Schema({"": dtype}).to_polars()[""]


def _is_known_to_its_engine_only(dtype: Any) -> bool:
    if isinstance(dtype, pl.Struct):
        return any(map(_is_known_to_its_engine_only, dtype.to_schema().values()))
    inner = getattr(dtype, "inner", None)
    return _is_known_to_its_engine_only(inner) if inner else dtype == pl.Unknown


def _answers(queries: Sequence[Frame], keys: Sequence[Sequence[_Key]]) -> list[pl.DataFrame]:
    if len(queries) == 1 or queries[0].implementation.is_dask():
        # Dask computes in pandas, which makes floats of whole numbers where some are absent.
        return [_collected(query) for query in queries]
    every = {key.outside: key for key in chain.from_iterable(keys)}
    aligned = []
    for i, (query, own) in enumerate(zip(queries, keys, strict=True)):
        absent = every.keys() - {key.outside for key in own}
        nothing = {name: every[name].absent for name in absent}
        aligned.append(query.with_columns(**nothing, grouping=nw.lit(i, nw.Int64)))
    columns = aligned[0].collect_schema().names()
    together = _collected(nw.concat([query.select(columns) for query in aligned]))
    return [together.filter(grouping=i) for i in range(len(queries))]


def _collected(query: Frame) -> pl.DataFrame:
    counts: pl.DataFrame = query.collect(backend="polars").to_native()
    return counts


def _at_home(
    answer: pl.DataFrame, keys: Sequence[_Key], as_read: Sequence[pl.Expr]
) -> pl.LazyFrame:
    """Give counts the types and the keys that they have when polars counts."""
    tallies = added_up(name for name in _TALLIES if name in answer.columns)
    return (
        answer.lazy()
        .select(
            *(pl.col(key.outside).cast(key.dtype).alias(key.name) for key in keys),
            # A sum of whole numbers is a Decimal in DuckDB; of one beyond 64 bits the total tells.
            *(
                pl.col(name).cast(pl.Int64, strict=False) if name in _WHOLE else name
                for name in tallies
            ),
        )
        .select(*as_read, *tallies)
        # What the engine holds apart may be one key here: NaN and null, 0.0 and -0.0.
        .group_by([key.name for key in keys])
        .agg(**tallies)
    )


def _one_if(condition: nw.Expr) -> nw.Expr:
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))
