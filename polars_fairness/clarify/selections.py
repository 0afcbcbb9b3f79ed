"""Which rows a list of values or a threshold of the configuration selects, as Clarify has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final

import polars as pl

from polars_fairness.clarify.configuration import Value
from polars_fairness.errors import FairnessError, listed

# Clarify takes whole numbers for continuous if they have so many values for each value known.
_CONTINUOUS: Final = 0.05

_TRUTH: Final = {"true": True, "false": False, "1": True, "0": False}


@dataclass(frozen=True)
class Given:
    """A column, and the values or the threshold that a key gives for it."""

    key: str
    name: str
    column: str
    values: tuple[Value, ...]
    is_outcome: bool = False


@dataclass(frozen=True)
class Selection:
    """The rows that are selected: those of some values, or those above a threshold.

    With neither, each value is selected in turn.
    """

    text: str
    values: tuple[Value, ...] = ()
    threshold: float | None = None

    @property
    def takes_turns(self) -> bool:
        """Whether each value is selected in turn."""
        return self.threshold is None and not self.values

    def of(self, column: pl.Expr, dtype: pl.DataType, key: str = "", holds: str = "") -> pl.Expr:
        """Whether a row of this column is selected; null if its value is unknown.

        An error names the key, and says what the column holds.
        """
        if self.threshold is not None:
            return _numbers(column, dtype) > self.threshold
        typed = [_typed(value, dtype) for value in self.values]
        known = [value for value in typed if value is not None]
        if not known:
            msg = f"{key}: {holds}, and never {listed(self.values, 'or')}, the favorable labels"
            raise FairnessError(msg)
        return reduce(or_, (comparable(column, dtype) == value for value in known))


@dataclass(frozen=True)
class _Facts:
    """What decides how Clarify reads a column."""

    dtype: pl.DataType
    known: int
    unknown: int
    distinct: int
    numbers: int
    largest: float | None
    occur: list[bool]

    def are_continuous(self, *, as_clarify: bool) -> bool:
        """Whether Clarify reads a single number as a threshold of the column, not as a value.

        pandas has no whole numbers beside missing values, so that Clarify reads floats there.
        """
        dtype = self.dtype
        if dtype.is_float() or dtype.is_decimal():
            return True
        if dtype.is_integer() and as_clarify and self.unknown:
            return True
        are_whole = dtype.is_integer() or (dtype == pl.String and self.numbers == self.known)
        return are_whole and self.known > 0 and self.distinct / self.known >= _CONTINUOUS


def selections(
    rows: pl.LazyFrame, all_given: Sequence[Given], *, as_clarify: bool
) -> list[Selection]:
    """The selections that the keys give, from one scan."""
    schema = rows.collect_schema()
    scanned = rows.select(
        _facts(given, schema[given.column]).alias(str(place))
        for place, given in enumerate(all_given)
    ).collect(engine="streaming")
    found = []
    for place, given in enumerate(all_given):
        facts = _Facts(schema[given.column], **scanned[str(place)].item())
        if not facts.known and not facts.unknown:
            msg = "no rows; give files with rows"
            raise FairnessError(msg)
        selection = _selection(given, facts, as_clarify=as_clarify)
        if selection.threshold is None:
            _require_occurring(given, facts, rows)
        found.append(selection)
    return found


def _selection(given: Given, facts: _Facts, *, as_clarify: bool) -> Selection:
    if len(given.values) > 1 or not facts.are_continuous(as_clarify=as_clarify):
        return Selection(",".join(map(str, given.values)), given.values)
    if not given.values:
        msg = (
            f"{given.key}: is missing, and {given.name!r} holds {facts.distinct:,} different "
            "numbers, so that Clarify reads it as continuous; give one threshold, as in [40]"
        )
        raise FairnessError(msg)
    [value] = given.values
    try:
        threshold = value if isinstance(value, int | float) else float(value)
    except ValueError as error:
        msg = (
            f"{given.key}: {value!r} is no number, and {given.name!r} holds {facts.distinct:,} "
            "different numbers, so that Clarify reads it as continuous; give one threshold"
        )
        raise FairnessError(msg) from error
    if threshold == facts.largest:
        # No row lies above it: Clarify's reports then hold errors alone. In a table of few rows,
        # its rule takes the 0 and 1 of a label for continuous too.
        return Selection(str(value), given.values)
    edges = sorted([threshold, *([] if facts.largest is None else [facts.largest])])
    if not all(isinstance(edge, int) for edge in edges) or (as_clarify and facts.unknown):
        edges = [float(edge) for edge in edges]
    return Selection(f"({edges[0]}, {edges[-1]}]", threshold=threshold)


def _require_occurring(given: Given, facts: _Facts, rows: pl.LazyFrame) -> None:
    """Raise for a value that never occurs, of a label if none of its values does."""
    missing = [value for value, occurs in zip(given.values, facts.occur, strict=True) if not occurs]
    if not missing or (given.is_outcome and len(missing) < len(given.values)):
        return
    column = comparable(pl.col(given.column), facts.dtype)
    there = rows.select(column.drop_nulls().unique().sort()).collect(engine="streaming")
    found = f"there are {listed(there.to_series())}" if len(there) else "all are missing"
    msg = f"{given.key}: {listed(missing)} never occurs in {given.name!r}; {found}"
    raise FairnessError(msg)


def _facts(given: Given, dtype: pl.DataType) -> pl.Expr:
    column = comparable(pl.col(given.column), dtype)
    numbers = _numbers(pl.col(given.column), dtype)
    typed = [_typed(value, dtype) for value in given.values]
    occur = [pl.lit(False) if value is None else (column == value).any() for value in typed]
    return pl.struct(
        known=column.count(),
        unknown=column.null_count(),
        distinct=column.drop_nulls().n_unique(),
        numbers=numbers.count(),
        largest=numbers.max(),
        occur=pl.concat_list(occur) if occur else pl.lit([], dtype=pl.List(pl.Boolean)),
    )


def comparable(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """The column with values that JSON has; NaN is unknown."""
    if dtype.is_float():
        return column.fill_nan(None)
    if dtype.is_decimal():
        return column.cast(pl.Float64)
    return column if dtype.is_integer() or dtype == pl.Boolean else column.cast(pl.String)


def _numbers(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """The column as numbers, null where a text is none."""
    values = comparable(column, dtype)
    return values if dtype.is_numeric() else values.cast(pl.Int64, strict=False)


def _typed(value: Value, dtype: pl.DataType) -> Value | None:
    """The value as the column would hold it, None if it cannot."""
    if dtype == pl.Boolean:
        return _TRUTH.get(str(value).lower())
    if not dtype.is_numeric():
        return str(value)
    if isinstance(value, int):
        return int(value)  # also True and False
    try:
        number = float(value)
    except ValueError:
        return None
    return int(number) if number.is_integer() else number
