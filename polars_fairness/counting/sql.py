"""The values of rows in SQL: a SELECT within another, around a table.

Only names of columns and values are written as they are given, in quotation marks, and in the
innermost and the outermost SELECT alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from polars_fairness.counting.dialects import Dialect
from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.columns import Column, column_called, is_text


class Term:
    """The SQL of one value of a row, and the SELECT, counted from the innermost, that can have it.

    It has the operators of an expression of polars, so that what both add up is written once.
    """

    def __init__(self, text: str, level: int, dialect: Dialect) -> None:
        self.text, self.level, self.dialect = text, level, dialect

    def made(self, text: str, *others: Term) -> Term:
        """The value of this text, which has this one and others as its parts."""
        return Term(text, max(self.level, *(each.level for each in others), 0), self.dialect)

    def _with(self, operator: str, other: Any) -> Term:
        other = self.of(other)
        return self.made(f"({self.text} {operator} {other.text})", other)

    def of(self, value: Any) -> Term:
        """A number as a value; a value as it is."""
        if isinstance(value, Term):
            return value
        text = self.dialect.number(value) if isinstance(value, float) else str(value)
        return Term(text, 0, self.dialect)

    def __add__(self, other: Any) -> Term:
        return self._with("+", other)

    def __sub__(self, other: Any) -> Term:
        return self._with("-", other)

    def __mul__(self, other: Any) -> Term:
        return self if isinstance(other, float) and other == 1 else self._with("*", other)

    def __truediv__(self, other: Any) -> Term:
        return self._with("/", other)

    def __rtruediv__(self, other: Any) -> Term:
        return self.of(other) / self

    def __mod__(self, other: int) -> Term:
        return self.made(self.dialect.remainder.format(self.text, other))

    def __neg__(self) -> Term:
        return self.made(f"(-{self.text})")

    def __ge__(self, other: Any) -> Term:
        return self._with(">=", other)

    def __gt__(self, other: Any) -> Term:
        return self._with(">", other)

    def __le__(self, other: Any) -> Term:
        return self._with("<=", other)

    def __lt__(self, other: Any) -> Term:
        return self._with("<", other)

    def __and__(self, other: Term) -> Term:
        return self._with("AND", other)

    def __or__(self, other: Term) -> Term:
        return self._with("OR", other)

    def equals(self, other: Any) -> Term:
        return self._with("=", other)

    def is_null(self) -> Term:
        return self.made(f"({self.text} IS NULL)")

    def is_not_null(self) -> Term:
        return self.made(f"({self.text} IS NOT NULL)")

    def abs(self) -> Term:
        return self.made(f"abs({self.text})")

    def floor(self) -> Term:
        return self._whole("floor")

    def ceil(self) -> Term:
        return self._whole("ceil")

    def _whole(self, function: str) -> Term:
        """A whole number beside this one; beyond 2^53 all are whole.

        Spark rounds to integers of 64 bits, and infinity is none of these.
        """
        return (self.abs() < 2.0**53).then(self.made(f"{function}({self.text})")).otherwise(self)

    def cast(self, kind: str) -> Term:
        return self.made(f"CAST({self.text} AS {kind})")

    def double(self) -> Term:
        return self.cast(self.dialect.double)

    def or_else(self, value: float) -> Term:
        """The value, and another one where it is null."""
        return self.made(f"coalesce({self.text}, {self.of(value).text})")

    def then(self, value: Any) -> Term:
        """A value where this condition holds; null elsewhere."""
        value = self.of(value)
        return self.made(f"CASE WHEN {self.text} THEN {value.text} END", value)

    def when(self, condition: Term, value: Any) -> Term:
        """The choice, and beyond it a value where another condition holds."""
        more, value = condition.then(value), self.of(value)
        return self.made(
            f"{self.text.removesuffix(' END')} {more.text.removeprefix('CASE ')}", more
        )

    def otherwise(self, value: Any) -> Term:
        """The choice, and a value elsewhere."""
        value = self.of(value)
        return self.made(f"{self.text.removesuffix(' END')} ELSE {value.text} END", value)


class Reading:
    """The values that a count reads of the rows of a table.

    What is computed of a row has a name, and is computed once: in the SELECT around those that
    have its parts. So a text is no longer than what it computes.
    """

    def __init__(self, table: str, dialect: Dialect, names: Sequence[str], frame: str) -> None:
        self.table, self.dialect = table, dialect
        self._names, self._frame = names, frame
        self._levels: list[dict[str, str]] = [{}]
        # A name of ours, where it is one of theirs too, ClickHouse takes for ours.
        taken = [name.lower() for name in names]
        self.prefix = next(
            prefix
            for prefix in (f"v{'_' * i}" for i in range(len(taken) + 1))
            if not any(name.startswith(prefix) for name in taken)
        )

    @property
    def source(self) -> str:
        """Each SELECT around the table that computes what has been named."""
        first, *others = self._levels
        read = ", ".join(f"{sql} AS {name}" for sql, name in first.items())
        text = f"SELECT {read or f'1 AS {self.prefix}'} FROM {self.table}"
        for level in others:
            more = "".join(f", {sql} AS {name}" for sql, name in level.items())
            text = f"SELECT r.*{more} FROM ({text}) r"
        return text

    def named(self, term: Term) -> Term:
        """The same value by a name."""
        if term.level and any(term.text in level.values() for level in self._levels):
            return term
        while len(self._levels) <= term.level:
            self._levels.append({})
        level = self._levels[term.level]
        number = sum(map(len, self._levels))
        name = level.setdefault(term.text, f"{self.prefix}{number}")
        return Term(name, term.level + 1, self.dialect)

    def aliased(self, columns: Sequence[str]) -> str:
        """The columns of an answer, by names that no other column has."""
        return ", ".join(f"{sql} AS {self.prefix}_{i}" for i, sql in enumerate(columns))

    @property
    def null(self) -> Term:
        return Term("NULL", 0, self.dialect)

    def constant(self, sql: str) -> Term:
        return self.named(Term(sql, 0, self.dialect))

    def raw(self, column: Column) -> Term:
        """The values of a column as the table has them, texts compared letter by letter."""
        expression = column.expression.meta.undo_aliases()
        # polars names no column of a name such as `^a$`, which it would read as a pattern.
        [name, *others] = expression.meta.root_names() or [column.name]
        plain = column_called(name)
        of_name = [plain, plain.fill_null(1), plain.cast(pl.Float64)]
        if column.width is None and (others or not any(map(expression.meta.eq, of_name))):
            raise FairnessError(
                f"{column.argument}: takes columns of {self._frame} by name, got "
                f"{column.expression}; add it to the frame as a column first"
            )
        if self.dialect.folds_names:
            alike = [each for each in self._names if each.lower() == name.lower()]
            if len(alike) > 1:
                raise FairnessError(
                    f"{column.argument}: the frame has the columns {listed(alike)}, which its "
                    "engine does not tell apart; rename one of them there first"
                )
        if column.dtype in (pl.Unknown, pl.Null):
            raise FairnessError(
                f"{column.argument}: {name!r} is of a type that only its engine knows; cast it to "
                "text or to a number in the engine first"
                if column.dtype == pl.Unknown
                else f"{column.argument}: the first values of {name!r} are null, and its type is "
                f"not known; give it, from_sql(..., schema={{{name!r}: pl.String}})"
            )
        text = self.dialect.column(name)
        is_letters = is_text(column.dtype)
        return self.constant(self.dialect.letters.format(text) if is_letters else text)

    def is_nan(self, value: Term) -> Term:
        condition = self.dialect.is_nan.format(value.text)
        return value.made(f"({condition or '1 = 0'})")

    def value(self, column: Column) -> Term:
        """The values of a column, numbers null where they are NaN, and rounded to a width."""
        value = self.raw(column)
        if column.width is not None:
            return self._rounded(value.double(), column.width)
        if not column.dtype.is_float() or not self.dialect.is_nan:
            return value
        return self.named(
            value.made(f"CASE WHEN NOT {self.is_nan(value).text} THEN {value.text} END")
        )

    def key_of(self, column: Column) -> Term:
        """The values of a column that rows are grouped by, NaN among them."""
        value = self.value(column) if column.width is not None else self.raw(column)
        return self.one_zero(value) if column.dtype.is_float() else value

    def number(self, column: Column) -> Term:
        """The numbers of a column, NaN among them; 1 in place of null if it is filled."""
        value = self.raw(column).double()
        return self.named(value.or_else(1.0) if column.is_filled else value)

    def known_float(self, column: Column) -> Term:
        value = self.value(column)
        return value if column.dtype == pl.Float64 else self.named(value.double())

    def one_zero(self, value: Term) -> Term:
        """A float, 0.0 for -0.0: for some engines they differ."""
        value = self.named(value)
        return self.named(value.equals(0).then(0.0).otherwise(value))

    def _rounded(self, value: Term, width: float) -> Term:
        """Multiples of a width, of two that are as near the even one, as polars rounds."""
        steps = self.named(value / width)
        below = self.named(steps.floor())
        rest, half = steps - below, below / 2.0
        to_even = (rest < 0.5) | (rest.equals(0.5) & half.equals(half.floor()))
        return self.named(to_even.then(below).otherwise(below + 1.0) * width)
