"""What the caller names as a column, found in the schema."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import polars as pl
from polars.exceptions import ColumnNotFoundError, PolarsError

from polars_fairness.errors import FairnessError, did_you_mean, reason_of

ColumnLike = str | pl.Expr
Columns = ColumnLike | Sequence[ColumnLike]


@dataclass(frozen=True)
class Column:
    """One column of the caller's: the name it goes by, how to compute it, its type."""

    name: str
    expression: pl.Expr = field(compare=False)
    dtype: pl.DataType

    def at(self, place: pl.Expr) -> Column:
        """The same column, standing elsewhere."""
        return replace(self, expression=place)

    def is_column_of(self, names: Sequence[str]) -> bool:
        """Whether this is a column of the frame as it stands, and not one made of it."""
        return self.name in names and self.expression.meta.is_column()

    def is_same(self, other: Column) -> bool:
        """Whether both are computed alike, whatever they are called."""
        return self.expression.meta.undo_aliases().meta.eq(other.expression.meta.undo_aliases())


def find_columns(schema: pl.Schema, argument: str, given: Columns | None) -> tuple[Column, ...]:
    """Look up one column or several, each a name or an expression."""
    if given is None:
        return ()
    listed = tuple(given) if isinstance(given, list | tuple) else (given,)
    columns = tuple(column for each in listed for column in _columns_of(schema, argument, each))
    names = [column.name for column in columns]
    for name in names:
        if names.count(name) > 1:
            msg = f"{argument}: two columns are called {name!r}; leave one out or alias it"
            raise FairnessError(msg)
    return columns


def find_column(schema: pl.Schema, argument: str, given: ColumnLike | None) -> Column | None:
    """Look up the one column of a role that takes no more."""
    columns = find_columns(schema, argument, given)
    if given is not None and len(columns) != 1:
        msg = f"{argument}: takes one column, got {[column.name for column in columns]}; name one"
        raise FairnessError(msg)
    return columns[0] if columns else None


def _columns_of(schema: pl.Schema, argument: str, given: object) -> list[Column]:
    if isinstance(given, str):
        if given not in schema:
            msg = f"{argument}: no column {given!r}; {did_you_mean(given, schema)}"
            raise FairnessError(msg)
        # `pl.col` reads a name such as `*` or `^a$` as a pattern.
        is_pattern = given == "*" or (given.startswith("^") and given.endswith("$"))
        expression = pl.nth(list(schema).index(given)) if is_pattern else pl.col(given)
        return [Column(given, expression, schema[given])]
    if not isinstance(given, pl.Expr):
        msg = f"{argument}: takes a column name, an expression or a list of these, got {given!r}"
        raise FairnessError(msg)
    try:
        # On no rows: the schema alone would not tell that text has no year.
        found = pl.DataFrame(schema=schema).select(given).schema
    except ColumnNotFoundError as error:
        missing = next((name for name in given.meta.root_names() if name not in schema), "")
        msg = f"{argument}: no column {missing!r}; {did_you_mean(missing, schema)}"
        raise FairnessError(msg) from error
    except PolarsError as error:
        msg = (
            f"{argument}: polars cannot evaluate {given}: {reason_of(error)}; "
            "correct the expression"
        )
        raise FairnessError(msg) from error
    if not found:
        msg = f"{argument}: the expression gives no column; select at least one"
        raise FairnessError(msg)
    if len(found) == 1:
        return [Column(name, given, dtype) for name, dtype in found.items()]
    # An expression that stands for several columns is taken apart through a struct, which
    # keeps every one of them elementwise and costs no copy.
    packed = pl.struct(given)
    return [Column(name, packed.struct.field(name), dtype) for name, dtype in found.items()]
