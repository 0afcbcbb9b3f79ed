"""The dialects of SQL that cells are written in: how each writes what the others write otherwise.

All else is common to them: SELECT within SELECT, CASE, CAST, IN, arithmetic, sum, avg, count, GROUP
BY. A dialect is added here, and to the engines of the tests if one can be started there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, Final

import polars as pl

Truncated = Callable[[str, str, bool], str]


def _by_function(value: str, unit: str, is_date: bool) -> str:  # noqa: FBT001
    """A date or a moment, rounded down to a unit; weeks begin on Monday."""
    cut = f"date_trunc('{unit}', {value})"
    return f"CAST({cut} AS DATE)" if is_date else cut


@dataclass(frozen=True)
class Dialect:
    """One dialect; ``{}`` stands for a value in what is written of it.

    Parameters
    ----------
    quote
        The mark around a name.
    escapes
        Whether a backslash escapes a character, in texts and in names between backticks.
    short
        The type of floats of 32 bits; empty where there is none.
    is_nan
        The condition that a float is NaN; empty where there is none.
    letters
        A text, compared letter by letter: with a collation "F" and "f" may be one group.
    place
        Where a text, the second value, first occurs in another.
    digits
        The MD5 of a text in hexadecimal digits.
    has_sets
        Whether rows are grouped by several sets of columns at once, in one read of them.
    folds_names
        Whether names that differ in their case only are one column.
    """

    name: str
    quote: str = '"'
    escapes: bool = False
    double: str = "DOUBLE"
    short: str = "REAL"
    bigint: str = "BIGINT"
    infinity: str = "CAST('inf' AS DOUBLE)"
    is_nan: str = "isnan({})"
    letters: str = "{}"
    place: str = "strpos({}, {})"
    digits: str = "md5({})"
    remainder: str = "({} % {})"
    truncated: Truncated = _by_function
    has_sets: bool = False
    folds_names: bool = False

    def column(self, name: str) -> str:
        """A name in quotation marks, whatever characters it has."""
        if self.escapes and self.name in ("bigquery", "clickhouse"):
            name = name.replace("\\", "\\\\").replace(self.quote, f"\\{self.quote}")
        else:
            name = name.replace(self.quote, self.quote * 2)
        return f"{self.quote}{name}{self.quote}"

    def number(self, value: float) -> str:
        """A float: a bare 0.5 is a decimal in most dialects."""
        if not isfinite(value):
            return self.infinity if value > 0 else f"(-{self.infinity})"
        return f"CAST('{value!r}' AS {self.double})"

    def literal(self, value: Any, dtype: pl.DataType) -> str:
        """A value of a column of this type."""
        if isinstance(value, bool) or dtype == pl.Boolean:
            return "TRUE" if value else "FALSE"
        if dtype.is_float():
            return self.number(float(value))
        if dtype.is_numeric():
            return str(value)
        text = str(value)
        if self.escapes:
            text = text.replace("\\", "\\\\")
        text = text.replace("'", "\\'" if self.escapes else "''")
        return f"'{text}'"


def _of_bigquery(value: str, unit: str, is_date: bool) -> str:  # noqa: FBT001
    part = "WEEK(MONDAY)" if unit == "week" else unit.upper()
    return f"{'DATE' if is_date else 'DATETIME'}_TRUNC({value}, {part})"


def _of_clickhouse(value: str, unit: str, is_date: bool) -> str:  # noqa: FBT001
    cut = f"date_trunc('{unit}', {value})"
    if unit == "week":
        # All weeks before 1970 are one to `toMonday`.
        days = f"addDays({value}, 1 - toDayOfWeek({value}))"
        cut = days if is_date else f"toStartOfWeek({value}, 1)"
    return f"CAST({cut} AS Nullable({'Date32' if is_date else 'DateTime64(6)'}))"


def _of_sqlite(value: str, unit: str, is_date: bool) -> str:  # noqa: FBT001
    months = f"((CAST(strftime('%m', {value}) AS INTEGER) - 1) % 3)"
    of_days = {
        "year": ", 'start of year'",
        "quarter": f", 'start of month', '-' || {months} || ' months'",
        "month": ", 'start of month'",
        "week": ", 'weekday 0', '-6 days'",
        "day": "",
    }
    if is_date:
        return f"date({value}{of_days[unit]})"
    parts = {"hour": "%Y-%m-%d %H:00:00", "minute": "%Y-%m-%d %H:%M:00"}
    form = parts.get(unit, "%Y-%m-%d %H:%M:%S" if unit == "second" else "%Y-%m-%d 00:00:00")
    return f"strftime('{form}', {value}{of_days.get(unit, '')})"


_SPARK: Final = Dialect(
    "spark",
    quote="`",
    escapes=True,
    short="FLOAT",
    letters="CAST({} AS STRING)",
    place="instr({}, {})",
    has_sets=True,
    folds_names=True,
)

DIALECTS: Final = {
    each.name: each
    for each in (
        Dialect(
            "duckdb",
            # DuckDB 2.0 answers `isnan` by the largest value that a Parquet file states, and polars
            # states the largest beside NaN. For a power of e it knows no bounds.
            is_nan="isnan(exp({}))",
            letters='CAST({} AS VARCHAR) COLLATE "C"',
            has_sets=True,
            folds_names=True,
        ),
        Dialect(
            "sqlite",
            double="REAL",
            short="",
            bigint="INTEGER",
            infinity="9e999",
            is_nan="",
            # An expression has no collation of a column.
            letters="({} || '')",
            place="instr({}, {})",
            truncated=_of_sqlite,
            folds_names=True,
        ),
        Dialect(
            "postgres",
            double="DOUBLE PRECISION",
            infinity="CAST('Infinity' AS DOUBLE PRECISION)",
            is_nan="{} = CAST('NaN' AS DOUBLE PRECISION)",
            letters='CAST({} AS TEXT) COLLATE "C"',
            has_sets=True,
        ),
        Dialect(
            "clickhouse",
            quote="`",
            escapes=True,
            double="Nullable(Float64)",
            short="Nullable(Float32)",
            bigint="Nullable(Int64)",
            infinity="CAST('inf' AS Nullable(Float64))",
            is_nan="isNaN({})",
            place="position({}, {})",
            digits="lower(hex(MD5({})))",
            truncated=_of_clickhouse,
        ),
        Dialect("datafusion", has_sets=True),
        _SPARK,
        replace(_SPARK, name="databricks"),
        Dialect(
            "snowflake",
            escapes=True,
            short="",
            is_nan="{} = CAST('NaN' AS DOUBLE)",
            place="charindex({1}, {0})",
            digits="md5_hex({})",
            has_sets=True,
        ),
        Dialect(
            "bigquery",
            quote="`",
            escapes=True,
            double="FLOAT64",
            short="",
            bigint="INT64",
            infinity="CAST('inf' AS FLOAT64)",
            is_nan="IS_NAN({})",
            digits="TO_HEX(MD5({}))",
            remainder="MOD({}, {})",
            truncated=_of_bigquery,
            has_sets=True,
            folds_names=True,
        ),
    )
}
"""The dialects by name, those that tests run first."""
