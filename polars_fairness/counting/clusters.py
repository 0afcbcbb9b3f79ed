"""Clusters, rows that belong together: each is in one of 200 groups, by a hash of its value.

A group is one more key of the cells. The hash is made of arithmetic and MD5, so that a cluster is
in the same group in every file, engine and version of polars, and cells of several days add up.
"""

from __future__ import annotations

from hashlib import md5
from typing import Any, Final, TypeVar

import polars as pl

from polars_fairness.question.columns import is_text
from polars_fairness.question.roles import Roles

CLUSTER: Final = "cluster"
"""The key of cells that numbers the group of their clusters."""

GROUPS: Final = 200

REST: Final = 201
"""The group of what no group of clusters moves, where counts are no sums over clusters."""

PRIME: Final = 2**31 - 1  # the square of a smaller number fits into 64 bits
_FACTORS: Final = (48_271, 69_621)

# A column of one group number for each row, where an engine computes it by SQL.
OF_ENGINE: Final = "cluster\x1f"

OF_ROW: Final = "row\x1f"
"""The number of each row, where rows are left out: groups known in probability need that."""

Number = TypeVar("Number", bound=Any)


def shares_people(roles: Roles) -> bool:
    """Whether groups of rows share the people that a row stands for, who have one number."""
    is_sum = roles.uncertain_facets or any(number.has_sums for number in roles.numbers)
    return roles.left_out == "rows" and roles.count is not None and not is_sum


def group_of_number(number: Number) -> Number:
    """The group of a whole number of 64 bits, in polars or in an engine."""
    group: Number = scattered(number) % GROUPS
    return group


def scattered(number: Number) -> Number:
    """A number below `PRIME` for each whole number of 64 bits, as if drawn.

    Squares scatter numbers that follow each other: every second one may be of one side.
    """
    for factor in _FACTORS:
        number = (number % PRIME + PRIME) % PRIME * factor % PRIME
        number = (number * number + number) % PRIME
    return number


def is_group(dtype: pl.DataType) -> bool:
    """Whether values are groups already: those of `cells` have 8 bits, and are read again."""
    return dtype in (pl.UInt8, pl.Int8, pl.Boolean)


def group_left_out(roles: Roles) -> pl.Expr:
    """The number of the group that each row is left out with: that of its cluster, or its own."""
    if roles.cluster is None:
        return group_of_number(pl.col(OF_ROW).cast(pl.Int64)).cast(pl.UInt8)
    value, dtype = roles.cluster.expression, roles.cluster.dtype
    if is_text(dtype):
        return value.cast(pl.String).map_batches(
            _groups_of_texts, return_dtype=pl.UInt8, is_elementwise=True
        )
    if is_group(dtype):
        return ((value.cast(pl.Int16) % GROUPS + GROUPS) % GROUPS).cast(pl.UInt8)
    if dtype in (pl.UInt64, pl.Int128):
        value = value % PRIME
    return group_of_number(value.cast(pl.Int64)).cast(pl.UInt8)


def _groups_of_texts(texts: pl.Series) -> pl.Series:
    """The group of each text: the first 32 bits of its MD5, computed once for each text."""
    distinct = texts.drop_nulls().unique()
    groups = (int(md5(each.encode()).hexdigest()[:8], 16) % GROUPS for each in distinct)
    if distinct.is_empty():
        return pl.repeat(None, len(texts), dtype=pl.UInt8, eager=True)
    return texts.replace_strict(distinct, pl.Series(groups, dtype=pl.UInt8), default=None)


def group_in_sql(text: str, *, of_spark: bool) -> str:
    """The group of a text in Spark or in DuckDB, as polars computes it."""
    digits = f"substr(md5({text}), 1, 8)"
    if of_spark:
        return f"CAST(CAST(conv({digits}, 16, 10) AS BIGINT) % {GROUPS} AS SMALLINT)"
    return f"CAST(CAST('0x' || {digits} AS BIGINT) % {GROUPS} AS SMALLINT)"
