"""Columns that the caller names, looked up in the schema: keys and others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from re import escape
from typing import Final, Self

import polars as pl
from polars.exceptions import ColumnNotFoundError, PolarsError

from polars_fairness.errors import FairnessError, did_you_mean, reason_of, shown

ColumnLike = str | pl.Expr
Columns = ColumnLike | Sequence[ColumnLike]
Models = Mapping[str, ColumnLike]

# More rows than anyone keeps with .head(); polars evaluates an expression on them in 50 µs.
_ROWS_TO_TRY: Final = 1_000


@dataclass(frozen=True)
class Column:
    """One column that the caller named: its name, the expression that computes it, its type.

    ``argument`` is the argument that names it, for errors.
    """

    name: str
    expression: pl.Expr = field(compare=False)
    dtype: pl.DataType
    argument: str = field(default="", compare=False)
    # Whether a null stands for 1, as in the weights and counts of `cells`.
    is_filled: bool = field(default=False, compare=False)
    # The width to whose multiples the numbers of a control are rounded.
    width: float | None = field(default=None, compare=False)

    def filled(self) -> Column:
        """The same column of numbers, with 1 in place of null."""
        return replace(self, expression=self.expression.fill_null(1), is_filled=True)

    def with_expression(self, expression: pl.Expr) -> Column:
        """The same column, computed by another expression."""
        return replace(self, expression=expression)

    def is_same(self, other: Column) -> bool:
        """Whether both are computed by the same expression, whatever their names."""
        return self.expression.meta.undo_aliases().meta.eq(other.expression.meta.undo_aliases())


@dataclass(frozen=True)
class Probabilities:
    """The probability of each group of a facet, as columns; see `polars_fairness.probabilities`."""

    name: str
    columns: Mapping[str, ColumnLike]


Facets = ColumnLike | Probabilities | Sequence[ColumnLike | Probabilities]


@dataclass(frozen=True)
class UncertainColumn(Column):
    """A facet whose groups are known only as probabilities: the groups, and the column of each."""

    groups: tuple[str, ...] = ()
    parts: tuple[Column, ...] = ()


@dataclass(frozen=True)
class GivenAs:
    """One column that the caller gave as an argument of another name, for errors.

    ``check`` raises if its type is unsuitable. A selector ``may_be_several``.
    """

    argument: str
    column: ColumnLike
    check: Callable[[Column], None] = field(default=lambda _: None, kw_only=True)
    may_be_several: bool = field(default=False, kw_only=True)

    def columns_in(self, schema: pl.Schema) -> tuple[Column, ...]:
        """Look the column up under its argument."""
        find = find_columns if self.may_be_several else find_single_column
        columns = find(schema, self.argument, self.column)
        for column in columns:
            self.check(column)
        return columns


def column_called(name: str) -> pl.Expr:
    """The column of exactly this name; `pl.col` reads one such as `*` or `^a$` as a pattern.

    A pattern without a match would give no column, and `coalesce` raises for it.

    Examples
    --------
    >>> frame = pl.DataFrame({"*": [1], "^b$": [2], "b": [3]})
    >>> frame.select(column_called("*") + column_called("^b$")).item()
    3
    """
    if name == "*" or (name.startswith("^") and name.endswith("$")):
        return pl.coalesce(pl.col(f"^{escape(name)}$"))
    return pl.col(name)


def with_one_zero(floats: pl.Expr) -> pl.Expr:
    """The floats with 0.0 for -0.0, so that both are one group with one text.

    polars optimises a sum with 0.0 away. In a condition, the floats would occur three times, and
    polars computes a Python function as often.
    """
    return floats.replace(-0.0, 0.0)


def with_one_zero_in_streams(floats: pl.Expr) -> pl.Expr:
    """The floats as `with_one_zero` gives them, by a condition, which polars streams.

    It does not stream `replace`, and there may be almost as many cells as rows.
    """
    return pl.when(floats == 0).then(0.0).otherwise(floats)


def find_columns(schema: pl.Schema, argument: str, given: Facets | None) -> tuple[Column, ...]:
    """Look up the columns of an argument, each given as a name or an expression."""
    if given is None:
        return ()
    listed = tuple(given) if isinstance(given, list | tuple) else (given,)
    columns = tuple([column for each in listed for column in _columns_of(schema, argument, each)])
    names = [column.name for column in columns]
    for column in columns:
        if column.dtype == pl.Object:
            raise FairnessError(
                f"{column.argument}: {column.name!r} is Object, whose values polars cannot "
                "compare; cast it to text first, such as with .map_elements(str, "
                "return_dtype=pl.String)"
            )
    for name, times in Counter(names).items():
        if times > 1:
            arguments = dict.fromkeys(each.argument for each in columns if each.name == name)
            hint = "leave one out" if len(arguments) == 1 else "name another column for one"
            raise FairnessError(
                f"{', '.join(arguments)}: two columns are called {name!r}; {hint}, or rename it "
                f"with .alias()"
            )
    return columns


def find_single_column(
    schema: pl.Schema, argument: str, given: ColumnLike | Probabilities | Models | None
) -> tuple[Column, ...]:
    """Look up the column of an argument that takes one column only."""
    if isinstance(given, Mapping):
        raise FairnessError(
            f"{argument}: takes one column, got a dictionary; for several models, give "
            f"predicted={{model: column}}"
        )
    columns = find_columns(schema, argument, given)
    if given is not None and len(columns) != 1:
        raise FairnessError(
            f"{argument}: takes one column, got {[column.name for column in columns]}; name one"
        )
    return columns


def parts_of_struct(expression: pl.Expr) -> list[pl.Expr]:
    """The expressions that a struct without an alias is made of; empty for all other expressions.

    Examples
    --------
    >>> [len(parts_of_struct(each)) for each in (pl.struct("sex", "race"), pl.col("sex"))]
    [2, 0]
    """
    parts = expression.meta.pop()[::-1]
    return parts if parts and expression.meta.eq(pl.struct(parts)) else []


def expressions_in(given: object) -> Iterator[pl.Expr]:
    """The expressions of an argument, or of the parts of its structs, without selectors.

    Examples
    --------
    >>> given = [pl.struct(-pl.col("a"), pl.col("b") + 1), "c", pl.col("d").abs()]
    >>> [each.meta.root_names() for each in expressions_in(given)]
    [['a'], ['b'], ['d']]
    """
    if isinstance(given, Probabilities):
        yield from expressions_in(given.columns)
    elif isinstance(given, Mapping):
        yield from expressions_in([*given.values()])
    elif isinstance(given, list | tuple):
        for each in given:
            yield from expressions_in(each)
    elif isinstance(given, pl.Expr) and (parts := parts_of_struct(given)):
        yield from expressions_in(parts)
    elif isinstance(given, pl.Expr) and not given.meta.is_column_selection():
        yield given


def _columns_of(schema: pl.Schema, argument: str, given: object) -> Sequence[Column]:
    if isinstance(given, GivenAs):
        return given.columns_in(schema)
    if isinstance(given, Probabilities):
        return [_with_probabilities(schema, argument, given)]
    if isinstance(given, str):
        if given not in schema:
            raise FairnessError(f"{argument}: no column {given!r}; {did_you_mean(given, schema)}")
        return [Column(given, column_called(given), schema[given], argument)]
    if not isinstance(given, pl.Expr):
        raise FairnessError(
            f"{argument}: takes a column name, an expression or a list of these, got "
            f"{shown(given)}{_hint_on_values(schema, given)}"
        )
    no_rows = pl.DataFrame(schema=schema)
    evaluated = _evaluated(argument, given, no_rows)
    # An expression that gives several columns is split through a struct: so each of them stays
    # elementwise, without a copy.
    is_selection = given.meta.is_column_selection()
    each = column_called if is_selection else pl.struct(given).struct.field
    several = {name: each(name) for name in evaluated.columns}
    columns = several if is_selection or len(several) > 1 else dict.fromkeys(several, given)
    if not _is_constant(given):
        if evaluated.height == 1:
            raise FairnessError(
                f"{argument}: {given} gives one value for all rows, but a column needs one for "
                "each row; add .over() to it, or compare a column with it"
            )
        if not _keeps_length(given, no_rows):
            columns = {
                name: _with_length_checked(argument, column) for name, column in columns.items()
            }
    # polars calls a struct after its first field, as if it were that column.
    called = {}
    if argument == "facet" and parts_of_struct(given):
        called = {name: " & ".join(evaluated[name].struct.fields) for name in columns}
    return [
        Column(called.get(name, name), column, evaluated.schema[name], argument)
        for name, column in columns.items()
    ]


def _with_probabilities(schema: pl.Schema, argument: str, given: Probabilities) -> UncertainColumn:
    if argument != "facet":
        raise FairnessError(
            f"{argument}: takes a column, got the probabilities of {given.name!r}; groups known in "
            "probability can only be a facet"
        )
    parts = [
        part
        for column in given.columns.values()
        for part in find_single_column(schema, argument, column)
    ]
    for part in parts:
        if not (part.dtype.is_numeric() or part.dtype == pl.Null):
            raise FairnessError(
                f"facet: {part.name!r}, a probability of {given.name!r}, is {part.dtype}; name a "
                "column of numbers from 0 to 1"
            )
    names = [part.name for part in parts]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise FairnessError(
            f"facet: {twice[0]!r} is the probability of two groups of {given.name!r}; name a "
            "column for each group"
        )
    packed = pl.struct(part.expression.alias(part.name) for part in parts)
    return UncertainColumn(
        given.name, packed, pl.String(), argument, groups=tuple(given.columns), parts=tuple(parts)
    )


def _hint_on_values(schema: pl.Schema, given: object) -> str:
    """What to do about an array or a series, as other tools take them, in place of a column."""
    if not hasattr(given, "__array__"):
        return ""
    name = getattr(given, "name", None)
    if isinstance(name, str) and name in schema:
        return f"; give the name of its column, {name!r}"
    return "; add its values to the frame as a column, and give the name of that column"


def _evaluated(argument: str, given: pl.Expr, no_rows: pl.DataFrame) -> pl.DataFrame:
    try:
        # On no rows: the schema alone would not show that a text has no year.
        evaluated = no_rows.select(given)
    except ColumnNotFoundError as error:
        names = no_rows.columns
        missing = next((name for name in given.meta.root_names() if name not in names), "")
        raise FairnessError(
            f"{argument}: no column {missing!r}; {did_you_mean(missing, names)}"
        ) from error
    except PolarsError as error:
        raise FairnessError(
            f"{argument}: polars cannot evaluate {given}: {reason_of(error)}; "
            "correct the expression"
        ) from error
    if not evaluated.columns:
        raise FairnessError(f"{argument}: the expression gives no column; select at least one")
    return evaluated


def _is_constant(given: pl.Expr) -> bool:
    """Whether this is a literal or made of literals: one value, repeated on every row."""
    try:
        return pl.DataFrame().select(given).height == 1
    except PolarsError:
        return False


def _keeps_length(given: pl.Expr, no_rows: pl.DataFrame) -> bool:
    """Whether an expression has one value for each row, as far as nulls in place of rows show."""
    try:
        return given.meta.is_length_preserving()
    except (AttributeError, PolarsError):
        # polars 1 cannot say; polars 2 can, but of Python functions and of several columns.
        names = dict.fromkeys(given.meta.root_names())
        some = no_rows.select(list(names)) if names else no_rows
        # `clear` reads a name such as `^a$` as a pattern.
        nulls = some.rename({name: f"{i}\x1f" for i, name in enumerate(some.columns)})
        nulls = nulls.clear(_ROWS_TO_TRY)
        nulls.columns = some.columns
    try:
        return nulls.select(given).height == _ROWS_TO_TRY
    except Exception:  # noqa: BLE001 - a Python function may raise anything for nulls
        return True


def _with_length_checked(argument: str, column: pl.Expr) -> pl.Expr:
    """The column, in a plan that raises if it has not one value for each row."""
    # One list: what two expressions have in common, sinks in memory take for a column.
    held = column.implode()
    values, rows = held.list.len(), pl.len()
    words = [
        pl.lit(f"{argument}: {column} has "),
        values,
        pl.lit(" values for "),
        rows,
        pl.lit(
            " rows; name an expression with a value for each row, and choose rows with .filter() "
            "before the call"
        ),
    ]
    fault = pl.when(values != rows).then(pl.concat_str(words)).str.to_integer(strict=True)
    return pl.when(fault.is_null()).then(held).explode(empty_as_null=False)


@dataclass(frozen=True)
class KeyColumns:
    """Columns of one argument with their keys: names in cells that no user's column can have.

    Examples
    --------
    >>> strata = KeyColumns("subgroup", (Column("branch", pl.col("branch"), pl.String()),))
    >>> strata.keys, strata.names
    (['subgroup.0'], ['branch'])
    """

    argument: str
    columns: tuple[Column, ...]

    def __bool__(self) -> bool:
        return bool(self.columns)

    @cached_property
    def keys(self) -> list[str]:
        return list(self.by_key)

    @cached_property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    @cached_property
    def types(self) -> dict[str, pl.DataType]:
        """The types of these columns by the names that the user gave."""
        return {column.name: column.dtype for column in self.columns}

    @cached_property
    def by_key(self) -> dict[str, Column]:
        return {f"{self.argument}.{i}": column for i, column in enumerate(self.columns)}

    def as_keys(self) -> list[pl.Expr]:
        """The user's columns, named by their keys."""
        return [
            (with_one_zero(each.expression) if each.dtype.is_float() else each.expression).alias(
                key
            )
            for key, each in self.by_key.items()
        ]

    def as_named(self) -> list[pl.Expr]:
        """The keys, renamed to the names that the user gave."""
        return [pl.col(key).alias(each.name) for key, each in self.by_key.items()]

    def read_from_cells(self) -> Self:
        """The same columns, read from frames whose columns are the keys."""
        return self._with_columns(
            column.with_expression(pl.col(key)) for key, column in self.by_key.items()
        )

    def named_by_keys(self) -> Self:
        """The same columns, named by their keys, which are no patterns and no other column's."""
        return self._with_columns(replace(column, name=key) for key, column in self.by_key.items())

    def apart_from(self, others: Sequence[Column]) -> Self:
        """The same columns without those that are among others, by the same name."""
        return self._with_columns(
            column
            for column in self.columns
            if not any(column.name == each.name and column.is_same(each) for each in others)
        )

    def _with_columns(self, columns: Iterator[Column]) -> Self:
        return replace(self, columns=tuple(columns))


def can_be_named(dtype: pl.DataType) -> bool:
    """Whether values of a type can be named in a call and written in a text."""
    return not (dtype.is_nested() or dtype in (pl.Binary, pl.Object, pl.Duration))


def is_text(dtype: pl.DataType) -> bool:
    """Whether values are texts, or numbers that stand for texts."""
    return dtype in (pl.String, pl.Enum, pl.Categorical)


def refuse_odd_clusters(column: Column) -> None:
    """Raise for clusters that are not whole numbers, texts or Booleans."""
    dtype = column.dtype
    if not (dtype.is_integer() or is_text(dtype) or dtype == pl.Boolean):
        raise FairnessError(
            f"cluster: {column.name!r} is {dtype}; name a column of whole numbers or of text, or "
            "cast it to one"
        )
