"""Rows of other engines (Spark, DuckDB, Ibis, pandas, pyarrow) to cells, by narwhals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from importlib import import_module
from itertools import chain
from math import inf
from operator import add, mul
from string import digits
from typing import Any, Final, Literal

import narwhals as nw
import polars as pl
from narwhals.exceptions import DuplicateError

from polars_fairness.counting.counts import (
    CLUSTER,
    GROUPS,
    OF_ENGINE,
    PRIME,
    group_in_sql,
    is_group,
    scattered,
)
from polars_fairness.counting.models import Count
from polars_fairness.counting.polars_rows import (
    ALL_KNOWN,
    INFINITE,
    LOWEST,
    LOWEST_N,
    MISSING,
    RESIDUAL,
    TALLIES,
    WHOLE,
    Counted,
    PolarsRows,
    blocks_of,
    blocks_with,
    columns_that_may_lack,
    is_tally,
    row_keys,
    sums_of_tallies,
    with_scores,
)
from polars_fairness.errors import FairnessError, listed, require_extra
from polars_fairness.formula.powers import DISTANCE, Power
from polars_fairness.formula.sides import SUMS_OF_NUMBERS
from polars_fairness.question.arguments import OF_COLUMNS, Question
from polars_fairness.question.columns import (
    Column,
    GivenAs,
    Probabilities,
    UncertainColumn,
    find_columns,
    is_text,
)
from polars_fairness.question.facets import Facet
from polars_fairness.question.outcomes import (
    ESTIMATED,
    NUMBERS,
    OBSERVED,
    Number,
    Outcome,
    powers_of,
    returned_sums,
)
from polars_fairness.question.probabilities import (
    ROWS,
    SQUARES,
    checked,
    has_probabilities,
    has_shares,
    returned_name,
    scaled,
    share,
    shares,
    sums_of,
)
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS, Arithmetic, Score, short
from polars_fairness.question.windows import Period

Frame = nw.LazyFrame[Any]


def _polars_type(dtype: Any) -> pl.DataType:
    """The type in polars, whose largest unit of time is the millisecond."""
    if isinstance(dtype, nw.Struct):
        fields = {field.name: _polars_type(field.dtype) for field in dtype.fields}
        return pl.Struct(fields)
    if isinstance(dtype, nw.Datetime) and dtype.time_unit == "s":
        return pl.Datetime("ms", dtype.time_zone)
    if isinstance(dtype, nw.Duration) and dtype.time_unit == "s":
        return pl.Duration("ms")
    return nw.Schema({"": dtype}).to_polars()[""]


def _has_no_polars_type(dtype: Any) -> bool:
    """Whether polars has no such type, or none of a part of it."""
    if isinstance(dtype, pl.Struct):
        return any(map(_has_no_polars_type, dtype.to_schema().values()))
    inner = getattr(dtype, "inner", None)
    return _has_no_polars_type(inner) if inner else dtype == pl.Unknown


class _EngineArithmetic(Arithmetic):
    """Arithmetic on expressions of narwhals."""

    def as_float(self, number: nw.Expr, bits: Literal[32, 64]) -> nw.Expr:
        return number.cast(nw.Float32() if bits == 32 else nw.Float64())

    def divided(self, number: nw.Expr, divisor: float) -> nw.Expr:
        return number / divisor

    def less_one(self, number: nw.Expr, condition: nw.Expr) -> nw.Expr:
        return nw.when(condition).then(number - 1.0).otherwise(number)

    def reached(self, number: nw.Expr, ascending: Sequence[float]) -> nw.Expr:
        return reduce(add, (self.as_float(number >= each, 64) for each in ascending))


_IN_ENGINE: Final = _EngineArithmetic()


def _adopted(frame: object) -> Any:
    """A frame as one of narwhals; any other object unchanged. Raise if two columns share a name."""
    native: Any = nw.to_native(frame, pass_through=True)
    try:
        adopted = nw.from_native(native, pass_through=True)
        if isinstance(adopted, nw.DataFrame):
            # Of pandas and pyarrow, narwhals looks at the names only here.
            adopted.collect_schema()
    except DuplicateError as error:
        names = list(getattr(native, "column_names", native.columns))
        twice = dict.fromkeys(name for name in names if names.count(name) > 1)
        raise FairnessError(
            f"frame: several columns are called {listed(twice)}; give each a name of its own"
        ) from error
    return adopted


def _refuse_ambiguous(frame: Frame, named: Sequence[tuple[str, str]]) -> None:
    """Raise if the engine takes another column for one that is named.

    Spark refuses to read ``d`` beside ``D``, and DuckDB reads the first for both.
    """
    engine, native = frame.implementation, nw.to_native(frame)
    if engine.is_pyspark() and native.sparkSession.conf.get("spark.sql.caseSensitive") == "true":
        return
    names = [str(name) for name in native.columns]
    for argument, name in named:
        alike = [each for each in names if each.lower() == name.lower()]
        if len(alike) > 1:
            raise FairnessError(
                f"{argument}: the frame has the columns {listed(alike)}, which its engine does not "
                "tell apart; rename one of them there first"
            )


def _read_into_polars(frame: nw.DataFrame[Any], named: Sequence[tuple[str, str]]) -> pl.DataFrame:
    """These columns of a frame in memory; raise about one whose values have several types."""
    try:
        table: pl.DataFrame = frame.to_polars()
    except Exception as error:
        # pandas, pyarrow and polars have their own errors about a number beside a text.
        for argument, name in named:
            try:
                frame.select(name).to_polars()
            except Exception:  # noqa: BLE001 - as above
                raise FairnessError(
                    f"{argument}: {name!r} has values of several types; make it a column of one "
                    "type first, such as with .astype(str)"
                ) from error
        raise
    return table


@dataclass(frozen=True)
class _EngineKey:
    """A key: its name in cells, the engine's column for it, its type in polars."""

    name: str
    column: nw.Expr
    dtype: pl.DataType

    @property
    def engine_name(self) -> str:
        """Its name in the engine, where a dot could be read as the field of a struct."""
        return self.name.replace(".", "_")

    @property
    def value(self) -> nw.Expr:
        """What the engine groups by."""
        if self.dtype.is_float():
            # Makes 0.0 of -0.0: for arrow they differ.
            return self.column + 0.0
        return self.column

    @property
    def null(self) -> nw.Expr:
        """A null of the type that the engine groups by."""
        of_type = pl.Series(dtype=self.dtype)
        return nw.lit(None, nw.from_native(of_type, series_only=True).dtype)


def _engine_column(engine: nw.Implementation, name: str) -> nw.Expr:
    """A column of an engine's frame, whatever characters its name has."""
    if engine.is_pyspark() or engine.is_pyspark_connect():
        # Unquoted, Spark reads a dot as the field of a struct and a star as all columns.
        name = _quoted(name, in_spark=True)
    elif engine.is_duckdb() and name == "*":
        raise FairnessError(
            "DuckDB reads a column named '*' as all columns; rename the column there first"
        )
    return nw.col(name)


def _without_collations(frame: Frame, schema: pl.Schema) -> Frame:
    """The frame whose columns of text are compared letter by letter, as polars compares them.

    Otherwise the rows of "F" and "f" are one group of the engine, named by the first row of each
    cell, and polars makes two groups of these cells.
    """
    engine, native = frame.implementation, nw.to_native(frame)
    if engine.is_duckdb():
        # DuckDB does not tell the collation of a column; to state none takes it no time.
        read = {_quoted(name): _uncollated(_quoted(name), dtype) for name, dtype in schema.items()}
        texts = [f"{sql} AS {name}" for name, sql in read.items() if sql != name]
        if texts:
            replaced: Frame = nw.from_native(native.project(f"* REPLACE ({', '.join(texts)})"))
            return replaced
    if _is_spark(frame):
        types, of_spark = frame.collect_schema(), native.schema
        plain = [
            _engine_column(engine, name).cast(types[name]).alias(name)
            for name in schema
            if "collate" in of_spark[name].dataType.simpleString()
        ]
        return frame.with_columns(plain) if plain else frame
    return frame


def _uncollated(value: str, dtype: Any) -> str:
    """A value in DuckDB, its text and the text in its fields without a collation."""
    if dtype in (pl.String, pl.Enum):
        return f'CAST({value} AS VARCHAR) COLLATE "C"'
    if not isinstance(dtype, pl.Struct):
        return value
    fields = (
        f"{_quoted(field.name)} := {_uncollated(f'{value}.{_quoted(field.name)}', field.dtype)}"
        for field in dtype.fields
    )
    return f"CASE WHEN {value} IS NOT NULL THEN struct_pack({', '.join(fields)}) END"


def _is_spark(frame: Frame) -> bool:
    return frame.implementation.is_pyspark() or frame.implementation.is_pyspark_connect()


def _quoted(name: str, *, in_spark: bool = False) -> str:
    mark = "`" if in_spark else '"'
    return mark + name.replace(mark, mark * 2) + mark


def _with_column(frame: Frame, sql: str, name: str) -> Frame:
    """The frame of DuckDB or Spark with a column more."""
    native, of_spark = nw.to_native(frame), _is_spark(frame)
    column = f"{sql} AS {_quoted(name, in_spark=of_spark)}"
    extended: Frame = nw.from_native(
        native.selectExpr("*", column) if of_spark else native.project(f"*, {column}")
    )
    return extended


_MOST_COUNTED: Final = 2**63 - 1

_FIRST: Final = 1_000
"""The numbers at whose mean sums are centred."""

_NO_KEY: Final = "no_key"

_GROUPING: Final = "grouping"
"""The column that numbers blocks, where the counts of several come from one query."""


@dataclass(frozen=True)
class EngineRows:
    """The rows of an engine's frame."""

    frame: Frame
    schema: pl.Schema

    def counted(
        self, groupings: Iterable[Sequence[Facet]], counts: Sequence[Count]
    ) -> list[list[Counted]]:
        """The cells of each grouping, of each count, counted by the engine in one query.

        The engine counts each block of facets, and polars adds up each grouping from one of them.
        """
        wanted = [tuple(grouping) for grouping in groupings]
        blocks = [blocks_of(wanted, count) for count in counts]
        keys: list[list[_EngineKey]] = []
        queries: list[tuple[int | None, Frame]] = []
        places_of_counts: list[dict[str, float]] = []
        for count, own in zip(counts, blocks, strict=True):
            measures = self._measures(count)
            places = {each.role: self._place(each.column) for each in count.roles.summed_numbers}
            places_of_counts.append(places)
            measures |= self._sums_of_numbers(count.roles, measures, places)
            measures |= self._shares(count, measures, {each for block in own for each in block})
            of_blocks = [list(self._keys(count, block)) for block in own]
            if len(own) > 1 and self._has_sets:
                queries.append((None, self._query_of_sets(of_blocks, measures, len(keys))))
            else:
                of_each = (self._query(each, measures) for each in of_blocks)
                queries += enumerate(of_each, len(keys))
            keys += of_blocks
        answers = iter(_answers(queries, keys))
        return [
            list(self._counted_groupings(wanted, own, [next(answers) for _ in own], count, places))
            for count, own, places in zip(counts, blocks, places_of_counts, strict=True)
        ]

    def values(self, facets: Sequence[Facet], count: Count) -> dict[str, int]:
        """How many values each key of rows has."""
        keys = {key.engine_name: key.value for key in self._keys(count, facets)}
        return _collected(self.frame.select(**keys).select(nw.all().n_unique())).row(0, named=True)

    def _counted_groupings(
        self,
        groupings: Sequence[tuple[Facet, ...]],
        blocks: Sequence[tuple[Facet, ...]],
        answers: Sequence[pl.DataFrame],
        count: Count,
        places: Mapping[str, float],
    ) -> Iterator[Counted]:
        counted, scores = _as_counted(count), [pl.col("score")] if count.score else []
        all_known = [pl.col(ALL_KNOWN)] if count.all_known else []
        counted_facets = dict(zip(count.roles.facets, counted.roles.facets, strict=True))
        for grouping, block in zip(groupings, blocks_with(groupings, blocks), strict=True):
            as_read = row_keys(counted, [counted_facets[each] for each in grouping])
            cells = _as_in_polars(
                answers[block],
                list(self._keys(count, grouping)),
                [*as_read, *all_known, *scores],
            )
            mass = pl.col(count.roles.mass)
            # Added up row by row, a large place would leave no digits.
            of_places = {f"{role}_place": mass * place for role, place in places.items()}
            cells = cells.with_columns(**of_places)
            yield Counted(with_scores(cells, count), grouping)

    @property
    def _has_sets(self) -> bool:
        """Whether the engine groups rows by several sets of columns at once."""
        engine = self.frame.implementation
        # Spark has them since version 4.
        is_spark = engine.is_pyspark() and hasattr(nw.to_native(self.frame), "groupingSets")
        return engine.is_duckdb() or is_spark

    def _query(self, keys: Sequence[_EngineKey], measures: Mapping[str, nw.Expr]) -> Frame:
        tallies = {
            name: nw.col(name).min() if name in LOWEST else nw.col(name).sum() for name in measures
        }
        tallies[_rows_of(measures)] = nw.len()
        # Ibis groups by at least one key.
        read = {key.engine_name: key.value for key in keys} or {_NO_KEY: nw.lit(0)}
        return self.frame.select(**read, **measures).group_by(*read).agg(**tallies)

    def _query_of_sets(
        self, blocks: Sequence[Sequence[_EngineKey]], measures: Mapping[str, nw.Expr], first: int
    ) -> Frame:
        """The counts of all blocks from one read of the rows, numbered from ``first``.

        narwhals has no GROUPING SETS. Of 4 million rows of CSV, DuckDB counts ten facets in 2.4 s,
        with a read for each in 10.7 s; of 12 million rows of Parquet in 1.1 s and 1.4 s.
        """
        of_spark = self.frame.implementation.is_pyspark()
        quoted = partial(_quoted, in_spark=of_spark)
        read = {key.engine_name: key.value for keys in blocks for key in keys}
        sets = [[quoted(key.engine_name) for key in keys] for keys in blocks]
        # The keys of a larger block may include those of a smaller one.
        numbers = (
            f"WHEN {' + '.join(f'GROUPING({key})' for key in keys) or '0'} = 0 THEN {number}"
            for number, keys in sorted(enumerate(sets, first), key=lambda each: -len(each[1]))
        )
        tallies = (
            f"{'min' if name in LOWEST else 'sum'}({quoted(name)}) AS {quoted(name)}"
            for name in measures
        )
        aggregates = [
            *tallies,
            f"count(*) AS {_rows_of(measures)}",
            f"CASE {' '.join(numbers)} END AS {_GROUPING}",
        ]
        keys = [*map(quoted, read)]
        rows: Any = nw.to_native(self.frame.select(**read, **measures))
        if of_spark:
            expr = import_module("pyspark.sql.functions").expr
            of_sets = [[*map(expr, own)] for own in sets]
            counted = rows.groupingSets(of_sets, *map(expr, keys)).agg(*map(expr, aggregates))
        else:
            by = ", ".join(f"({', '.join(own)})" for own in sets)
            counted = rows.aggregate(", ".join([*keys, *aggregates]), f"GROUPING SETS ({by})")
        answer: Frame = nw.from_native(counted)
        return answer

    def _column(self, name: str) -> nw.Expr:
        return _engine_column(self.frame.implementation, name)

    def _float(self, column: Column) -> nw.Expr:
        number = self._column(column.name).cast(nw.Float64)
        return number.fill_null(1.0) if column.is_filled else number

    def _keys(self, count: Count, facets: Sequence[Facet]) -> Iterator[_EngineKey]:
        roles = count.roles
        for name, column in roles.windows.by_key.items():
            yield _EngineKey(name, self._window(name, column, roles.windows.period), column.dtype)
        for name, column in chain.from_iterable(
            each.by_key.items() for each in (roles.strata, roles.controls)
        ):
            yield _EngineKey(name, self._column(column.name), column.dtype)
        for facet in facets:
            for name, part, (_, dtype) in zip(
                facet.keys, self._attributes(facet), facet.fields, strict=True
            ):
                yield _EngineKey(name, part, dtype)
        for outcome in count.outcomes:
            dtype = outcome.with_expression(pl.col(outcome.key)).column.dtype
            yield _EngineKey(outcome.key, self._outcome(outcome), dtype)
        if count.score is not None:
            key = count.score.rounding.key(self._score(count.score), _IN_ENGINE)
            yield _EngineKey("score", key, pl.Float64())
        if count.all_known:
            known = (self._known(column) for column in count.all_known)
            yield _EngineKey(ALL_KNOWN, nw.all_horizontal(*known, ignore_nulls=False), pl.Boolean())
        if roles.cluster is not None:
            yield _EngineKey(CLUSTER, self._group_left_out(roles.cluster), pl.UInt8())
        yield from self._keys_of_numbers(count)

    def _keys_of_numbers(self, count: Count) -> Iterator[_EngineKey]:
        """Whether numbers are known, or the numbers themselves."""
        for key, column in columns_that_may_lack(count).items():
            # As a number, since not every engine groups by true and null.
            is_known = nw.when(self._known(column)).then(nw.lit(1))
            yield _EngineKey(key, is_known, pl.Int64())
        for number in count.roles.numbers:
            if number.is_key:
                value = nw.when(self._known(number.column)).then(self._float(number.column))
                yield _EngineKey(number.role, value, pl.Float64())

    def _window(self, key: str, column: Column, period: Period | None) -> nw.Expr:
        """The values of a column of ``by``; moments rounded down, or each would be a cell.

        To one unit, and weeks to days, as not every engine rounds to others; polars does the rest.
        """
        value = self._column(column.name)
        if period is None or key != period.key or column.dtype != pl.Datetime:
            return value
        return value.dt.truncate(f"1{period.every.lstrip(digits).replace('w', 'd')}")

    def _group_left_out(self, cluster: Column) -> nw.Expr:
        """The group of each row's cluster, as in `group_left_out`."""
        if is_text(cluster.dtype):
            return self._column(OF_ENGINE)
        value = self._column(cluster.name)
        if is_group(cluster.dtype):
            return (value.cast(nw.Int64) % GROUPS + GROUPS) % GROUPS
        if cluster.dtype == pl.UInt64:
            value = value % PRIME
        return scattered(value.cast(nw.Int64)) % GROUPS

    def _attributes(self, facet: Facet) -> list[nw.Expr]:
        """The columns that an intersection is made of, or the fields of its one column."""
        columns = [self._column(each.name) for each in facet.columns]
        if facet.columns != (facet.column,) or not facet.is_intersection:
            return columns
        return [columns[0].struct.field(name) for name, _ in facet.fields]

    def _score(self, score: Score) -> nw.Expr:
        """The scores of rows, null where they are NaN: in engines NaN is above any number."""
        value, dtype = self._column(score.column.name), score.column.dtype
        if dtype.is_float():
            value = nw.when(self._known(score.column)).then(value)
        return value if dtype in (pl.Float32, pl.Float64) else value.cast(nw.Float64)

    def _known(self, column: Column) -> nw.Expr:
        value = self._column(column.name)
        is_known = ~value.is_null()
        return is_known & ~self._is_nan(value) if column.dtype.is_float() else is_known

    def _is_nan(self, value: nw.Expr) -> nw.Expr:
        engine = self.frame.implementation
        if engine.is_duckdb() or engine.is_ibis():
            # DuckDB 2.0 answers `isnan` by the largest value that a parquet file states, and polars
            # states the largest beside NaN. Of a power of e it knows no bounds.
            value = value.exp()
        return value.is_nan()

    def _outcome(self, outcome: Outcome) -> nw.Expr:
        value = self._column(outcome.column.name)
        if outcome.threshold is None:
            return value
        threshold = outcome.threshold
        if outcome.column.dtype == pl.Float32:
            # polars compares in 32 bits; an engine widens the column to 64.
            threshold = short(threshold)
        is_positive = nw.when(value >= threshold).then(nw.lit(1)).otherwise(nw.lit(0))
        # In the comparisons of engines, NaN is above any threshold.
        return nw.when(self._known(outcome.column)).then(is_positive)

    def _measures(self, counted: Count) -> dict[str, nw.Expr]:
        """What each row adds to its cell, as in `polars_fairness.counting.polars_rows`."""
        measures: dict[str, nw.Expr] = {}
        roles, score = counted.roles, counted.score
        if roles.may_be_cells:
            measures[LOWEST_N] = nw.col("n")
        if roles.count is not None:
            count, is_whole = self._count(roles.count)
            measures["n"] = nw.when(is_whole).then(count)
            measures["total_count"] = nw.when(is_whole).then(self._float(roles.count))
            measures["lowest_count"] = count
            measures["null_counts"] = _one_if(count.is_null())
            measures["broken_counts"] = _one_if(~count.is_null()) - _one_if(is_whole)
        if roles.weight is not None:
            weight = self._float(roles.weight)
            of_one = nw.when(weight > 0).then(weight)
            if roles.count is not None:
                measures["counted"] = measures["n"]
                counted_rows = self._float(roles.count)
                of_one = of_one / nw.when(counted_rows > 0).then(counted_rows)
            measures["lowest_weight"] = nw.when(weight < 0).then(weight).otherwise(of_one)
            measures["null_weights"] = _rows_where(weight.is_null(), roles, measures)
            if roles.count is None:
                measures["n"], measures["weight"] = _one_if(weight > 0), weight
            else:
                measures["n"] = nw.when(is_whole, weight > 0).then(count)
                measures["weight"] = nw.when(count > 0).then(weight)
            measures["weight_sq"] = self._squares(weight, roles)
        if score is not None and score.is_rounded:
            measures |= self._sums_of_scores(roles, score, measures)
        return measures

    def _shares(
        self, count: Count, measures: Mapping[str, nw.Expr], facets: Iterable[Facet]
    ) -> dict[str, nw.Expr]:
        """What each row adds to the sums of groups that are known in probability."""
        roles, terms = count.roles, dict[str, nw.Expr]()
        for facet in facets:
            if facet.is_uncertain and has_shares(roles):
                terms |= {
                    share(facet, *of): self._column(returned_name(facet, of))
                    for of in sums_of(facet, roles)
                }
            elif facet.is_uncertain:
                named = facet.probabilities.values()
                columns = [self._float(column).fill_null(0.0) for column in named]
                nans = [self._is_nan(column) for column in columns]
                sums = (*SUMS, *SUMS_OF_NUMBERS)
                beside = {name: measures[name] for name in sums if name in measures}
                if roles.count is not None or roles.weight is not None:
                    beside[ROWS] = measures[roles.mass]
                if roles.weight is not None:
                    beside[SQUARES] = measures["weight_sq"]
                known = scaled(columns, nw)
                terms |= shares(facet, roles, known, beside) | checked(facet, columns, nans, nw)
        return terms

    def _sums_of_scores(
        self, roles: Roles, score: Score, measures: Mapping[str, nw.Expr]
    ) -> dict[str, nw.Expr]:
        if score.has_sums:
            return {name: nw.col(name) for name in SUMS}
        value = self._score(score).cast(nw.Float64)
        mass = measures["weight"] if roles.weight else measures.get("n")
        sums = (value, value * value) if mass is None else (value * mass, value * value * mass)
        return dict(zip(SUMS, sums, strict=True))

    def _sums_of_numbers(
        self, roles: Roles, measures: Mapping[str, nw.Expr], places: Mapping[str, float]
    ) -> dict[str, nw.Expr]:
        """What each row adds to the sums of numbers, less a place near the first numbers."""
        mass = measures.get(roles.mass, nw.lit(1.0))
        terms: dict[str, nw.Expr] = {}
        moved: dict[str, nw.Expr] = {}
        of_cells: dict[str, nw.Expr] = {}
        if any(number.has_sums for number in roles.summed_numbers):
            names = returned_sums(roles.summed_numbers)
            of_cells = {word: self._column(name) for word, name in names.items()}
        values = {each.role: self._float(each.column) for each in roles.summed_numbers}
        for number in roles.summed_numbers:
            role, value, is_known = number.role, values[number.role], self._known(number.column)
            is_counted = is_known & (mass > 0)
            is_finite = is_counted & (value.abs() < inf)
            moved[role] = value - places[role]
            of_row = {
                "negative": _amount_if(value < 0.0),
            }
            if number.has_log:
                of_row["nonzero"] = mass * _amount_if(value != 0.0)
                of_row["log"] = _amount_if(value > 0.0, mass * value.log())
            sums = {word: of_cells.get(f"{role}_{word}", each) for word, each in of_row.items()}
            sums["sum"] = mass * moved[role]
            sums["squares"] = sums["sum"] * moved[role] + of_cells.get(f"{role}_squares", 0.0)
            terms |= {
                f"{role}_{word}": nw.when(is_finite).then(each) for word, each in sums.items()
            }
            terms[f"{role}{MISSING}"] = _rows_where(~is_known, roles, measures)
            terms[f"{role}{INFINITE}"] = _one_if(is_counted) - _one_if(is_finite)
        if len(values) > 1:
            apart = moved[ESTIMATED] - moved[OBSERVED]
            residual = values[ESTIMATED] - values[OBSERVED]
            are_known = nw.all_horizontal(
                mass > 0,
                *(self._known(number.column) for number in roles.summed_numbers),
                *(value.abs() < inf for value in values.values()),
                ignore_nulls=False,
            )
            of_pairs = {
                "squares": mass * apart * apart + of_cells.get("residual_squares", 0.0),
                "distance": of_cells.get("residual_distance", mass * residual.abs()),
            }
            terms |= {
                f"residual_{word}": nw.when(are_known).then(each) for word, each in of_pairs.items()
            }
            moved[RESIDUAL] = apart
            moved |= {} if of_cells else {DISTANCE: residual.abs()}
        if not of_cells:
            moved |= {
                f"{role}_log": _amount_if(value > 0.0, value.log())
                for role, value in values.items()
            }
        return terms | self._powers(roles, measures, values, moved, of_cells)

    def _powers(
        self,
        roles: Roles,
        measures: Mapping[str, nw.Expr],
        values: Mapping[str, nw.Expr],
        moved: Mapping[str, nw.Expr],
        of_cells: Mapping[str, nw.Expr],
    ) -> dict[str, nw.Expr]:
        """What each row adds to the sums of powers of numbers that are ``moved`` to places."""
        mass, terms = measures.get(roles.mass, nw.lit(1.0)), dict[str, nw.Expr]()

        def rows_weighed(weight: int) -> nw.Expr:
            if weight == 1 or weight == 2:
                return mass if weight == 1 else measures["weight_sq"]
            if of_cells:
                return of_cells[Power(weight).name]
            # Each of the rows counted has the same weight.
            one = mass / measures["n"] if roles.count is not None else mass
            return reduce(mul, [one] * (weight - 1), mass)

        def of_cell(power: Power) -> nw.Expr | None:
            return None if power.is_mean else of_cells.get(power.name)

        are_known_numbers = {
            number.role: self._known(number.column) & (values[number.role].abs() < inf)
            for number in roles.summed_numbers
        }
        for power in powers_of(roles.numbers):
            needed = [are_known_numbers[role] for role in sorted(power.needs)]
            is_counted = nw.all_horizontal(mass > 0, *needed, ignore_nulls=False)
            terms[power.name] = nw.when(is_counted).then(power.moved(of_cell, moved, rows_weighed))
        return terms

    def _place(self, column: Column) -> float:
        """The mean of the first numbers: a sum of squares around 0 would lose their digits."""
        value = self.frame.filter(self._known(column)).select(place=self._float(column))
        first = _collected(value.head(_FIRST))["place"]
        mean = first.filter(first.is_finite()).mean()
        return mean if isinstance(mean, float) else 0.0

    def _count(self, column: Column) -> tuple[nw.Expr, nw.Expr]:
        """The count of a row, and whether it is a whole number."""
        if column.dtype.is_integer():
            count = self._column(column.name)
            count = count.fill_null(1) if column.is_filled else count
            return count, count <= _MOST_COUNTED
        count = self._float(column)
        # Ibis rounds by a cast to 64-bit integers, and infinity does not fit into these.
        bounded = nw.when(count.abs() < float(_MOST_COUNTED)).then(count)
        return count, bounded == bounded.floor()

    def _squares(self, weight: nw.Expr, roles: Roles) -> nw.Expr:
        if roles.count is None:
            return weight * weight
        count = self._float(roles.count)
        known_count = nw.when(count > 0, weight > 0).then(count)
        if roles.has_squares:
            return nw.when(~known_count.is_null()).then(nw.col("weight_sq"))
        return weight * weight / known_count


def _as_counted(count: Count) -> Count:
    """The same count of frames that have the keys as columns."""
    roles = replace(
        count.roles,
        windows=count.roles.windows.read_from_cells(),
        facets=tuple(
            facet.with_attributes([pl.col(key) for key in facet.keys])
            for facet in count.roles.facets
        ),
        strata=count.roles.strata.read_from_cells(),
        controls=count.roles.controls.read_from_cells(),
        cluster=count.roles.cluster and Column(CLUSTER, pl.col(CLUSTER), pl.UInt8()),
        numbers=tuple(
            replace(
                each, column=Column(each.role, pl.col(each.role), dtype, each.role), has_sums=False
            )
            for each in count.roles.numbers
            for dtype in [pl.Float64() if each.is_key else pl.Int64()]
        ),
    )
    # The keys of the score, and of whether all predictions are known, are read as they are.
    return Count(
        roles,
        tuple(each.with_expression(pl.col(each.key)) for each in count.outcomes),
        None,
        may_lack=tuple(
            Column(each.name, pl.col(f"known.{each.argument}"), pl.Int64(), each.argument)
            for each in count.may_lack
        ),
    )


_COUNTING: Final = (
    nw.Implementation.POLARS,
    nw.Implementation.DUCKDB,
    nw.Implementation.IBIS,
    nw.Implementation.PYSPARK,
    nw.Implementation.PYSPARK_CONNECT,
)
"""The engines that count their own rows."""


def opened(frame: object) -> nw.DataFrame[Any] | Frame:
    """A frame of an engine that counts as polars does, or a frame in memory."""
    adopted = _adopted(frame)
    if not isinstance(adopted, nw.DataFrame | nw.LazyFrame):
        raise FairnessError(
            "frame: takes a polars LazyFrame or DataFrame, or a frame of an engine that narwhals "
            f"reads (Spark, DuckDB, Ibis, pyarrow, pandas, ...), got {type(frame).__name__}"
        )
    if isinstance(adopted, nw.LazyFrame) and adopted.implementation not in _COUNTING:
        raise FairnessError(
            f"frame: no test compares how {adopted.implementation.value} counts with polars; write "
            "the rows as Parquet and scan them"
        )
    return adopted


def rows_of_engine(frame: object, question: Question) -> PolarsRows | EngineRows:
    """Wrap a frame of any engine that narwhals supports."""
    adopted = opened(frame)
    if adopted.implementation.is_polars():
        return PolarsRows(adopted.lazy().to_native())
    require_extra(f"frame ({type(frame).__name__})", "engines", "pyarrow")
    types = adopted.collect_schema()
    names = [name for name in types if isinstance(name, str)]
    named = list(_columns_named(question, type(frame), names))
    sums: list[str] = [name for name in ("n", "weight_sq", *SUMS) if name in names]
    numbers = {argument: name for argument, name in named if argument in NUMBERS}
    for weighed in ("rows", "weights"):
        columns = [
            Number(Column(name, pl.col(name), pl.Float64(), role), has_log=True, powers_of=weighed)
            for role, name in numbers.items()
        ]
        sums += [name for name in returned_sums(columns).values() if name in names]
    if has_probabilities(question.get("facet")):
        sums += [name for name in names if "*" in name]
    read = dict.fromkeys([*(name for _, name in named), *sums])
    if isinstance(adopted, nw.DataFrame):
        # These columns are in memory already, and polars reads them without an engine.
        return PolarsRows(_read_into_polars(adopted.select(*read), named).lazy())
    _refuse_ambiguous(adopted, named)
    schema = pl.Schema({name: _polars_type(types[name]) for name in read})
    for argument, name in named:
        if _has_no_polars_type(schema[name]):
            raise FairnessError(
                f"{argument}: {name!r} is of a type that only its engine knows; cast it to text or "
                "to a number in the engine first"
            )
    rows = _with_groups_of_texts(adopted, schema, question.get("cluster"))
    return EngineRows(_without_collations(rows, schema), schema)


def _with_groups_of_texts(frame: Frame, schema: pl.Schema, cluster: Any) -> Frame:
    """The frame with the group of each cluster, where that is a text."""
    if cluster is None or not is_text(schema[cluster]):
        return frame
    is_duckdb = frame.implementation.is_duckdb()
    if not (is_duckdb or _is_spark(frame)):
        raise FairnessError(
            f"cluster: {cluster!r} is text, which polars, DuckDB and Spark number; name a column "
            "of whole numbers, such as a dense rank of it in the engine"
        )
    text = f"CAST({_quoted(cluster)} AS VARCHAR)" if is_duckdb else _quoted(cluster, in_spark=True)
    return _with_column(frame, group_in_sql(text, of_spark=not is_duckdb), OF_ENGINE)


def _columns_named(
    question: Question, engine: type, names: Sequence[str]
) -> Iterator[tuple[str, str]]:
    untyped = pl.Schema(dict.fromkeys(names, pl.Null()))
    for argument in (row.name for row in OF_COLUMNS):
        given: Any = question.get(argument)
        listed = [*given.values()] if isinstance(given, Mapping) else given
        for one in listed if isinstance(listed, list | tuple) else [listed]:
            named = one if isinstance(one, GivenAs) else GivenAs(argument, one)
            each = named.column
            for one_of in each.columns.values() if isinstance(each, Probabilities) else [each]:
                if isinstance(one_of, pl.Expr):
                    of_engine = f"{engine.__module__.partition('.')[0]} {engine.__name__}"
                    raise FairnessError(
                        f"{named.argument}: takes columns of a {of_engine} by name, got {one_of}; "
                        "add it to the frame as a column first"
                    )
            for column in find_columns(untyped, named.argument, each):
                parts = column.parts if isinstance(column, UncertainColumn) else (column,)
                yield from ((column.argument, part.name) for part in parts)


def _rows_of(measures: Mapping[str, nw.Expr]) -> str:
    """The tally that is the number of rows."""
    # Without a weight and a count there is nothing to add up but the rows.
    return "rows" if "n" in measures else "n"


def _answers(
    queries: Sequence[tuple[int | None, Frame]], keys: Sequence[Sequence[_EngineKey]]
) -> list[pl.DataFrame]:
    """The counts of each block, by queries with the number of their block, or of several blocks."""
    if len(keys) == 1:
        return [_collected(query) for _, query in queries]
    every = {key.engine_name: key for key in chain.from_iterable(keys)}
    aligned = []
    for number, query in queries:
        held = query.collect_schema().names()
        more = {name: key.null for name, key in every.items() if name not in held}
        if number is not None:
            more[_GROUPING] = nw.lit(number, nw.Int64)
        aligned.append(query.with_columns(**more) if more else query)
    columns = aligned[0].collect_schema().names()
    together = _collected(nw.concat([query.select(columns) for query in aligned]))
    return [together.filter(pl.col(_GROUPING) == number) for number in range(len(keys))]


def _collected(query: Frame) -> pl.DataFrame:
    counts: pl.DataFrame = query.collect(backend="polars").to_native()
    return counts


def _as_in_polars(
    answer: pl.DataFrame, keys: Sequence[_EngineKey], as_read: Sequence[pl.Expr]
) -> pl.LazyFrame:
    """The counts of an engine with the types and keys that they have when polars counts."""
    # In the order of polars: what follows the number of rows is no key.
    known = [*filter(is_tally, answer.columns)]
    tallies = sums_of_tallies(sorted(known, key=[*TALLIES, *known].index))
    rows = pl.col("rows" if "rows" in tallies else "n")
    return (
        answer.lazy()
        .with_columns(pl.when(rows == 1).then(pl.col(f"^{LOWEST_N}$")).otherwise(-1))
        .select(
            *(pl.col(key.engine_name).cast(key.dtype).alias(key.name) for key in keys),
            # DuckDB sums integers to Decimals. A sum beyond 64 bits is null: see `total_count`.
            *(
                pl.col(name).cast(pl.Int64, strict=False) if name in WHOLE else name
                for name in tallies
            ),
        )
        .select(*as_read, *tallies)
        # Two keys of the engine may be one key in polars: NaN and null, 0.0 and -0.0.
        .group_by([key.name for key in keys])
        .agg(**tallies)
    )


def _rows_where(condition: nw.Expr, roles: Roles, measures: Mapping[str, nw.Expr]) -> nw.Expr:
    """What a row adds to the number of rows seen for which a condition holds."""
    counted = "n" if roles.weight is None else "counted"
    rows = nw.lit(1) if roles.count is None else measures[counted].fill_null(1)
    return nw.when(condition).then(rows).otherwise(nw.lit(0))


def _one_if(condition: nw.Expr) -> nw.Expr:
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))


def _amount_if(condition: nw.Expr, amount: nw.Expr | None = None) -> nw.Expr:
    """An amount, or 1.0, where a condition holds."""
    return nw.when(condition).then(nw.lit(1.0) if amount is None else amount).otherwise(nw.lit(0.0))
