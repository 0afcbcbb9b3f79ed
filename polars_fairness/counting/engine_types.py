"""The types of an engine's columns as polars has them."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import polars as pl


def polars_type(dtype: Any) -> pl.DataType:
    """The type in polars, whose largest unit of time is the millisecond."""
    if isinstance(dtype, nw.Struct):
        fields = {field.name: polars_type(field.dtype) for field in dtype.fields}
        return pl.Struct(fields)
    if isinstance(dtype, nw.Datetime) and dtype.time_unit == "s":
        return pl.Datetime("ms", dtype.time_zone)
    if isinstance(dtype, nw.Duration) and dtype.time_unit == "s":
        return pl.Duration("ms")
    return nw.Schema({"": dtype}).to_polars()[""]


def has_no_polars_type(dtype: Any) -> bool:
    """Whether polars has no such type, or none of a part of it."""
    if isinstance(dtype, pl.Struct):
        return any(map(has_no_polars_type, dtype.to_schema().values()))
    inner = getattr(dtype, "inner", None)
    return has_no_polars_type(inner) if inner else dtype == pl.Unknown
