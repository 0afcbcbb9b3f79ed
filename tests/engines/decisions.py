"""Decisions of many types, with nulls, that every engine can read."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import polars as pl


def decisions(n: int = 400) -> pl.DataFrame:
    """Make them by arithmetic, so that values combine in many ways."""
    i = pl.int_range(n)

    def drawn(values: pl.Series, step: pl.Expr) -> pl.Expr:
        return pl.lit(values).gather(step % values.len())

    return pl.select(
        sex=drawn(pl.Series(["F", "M", "X", None]), i * i // 3),
        age=drawn(pl.Series([30, 40, 65, None], dtype=pl.Int8), i // 5),
        born=drawn(pl.Series([date(1980, 1, 1), date(1990, 6, 30), None]), i // 7),
        veteran=drawn(pl.Series([True, False, None]), i // 2),
        zone=drawn(pl.Series([0.0, -0.0, 1.5, float("nan"), None]), i // 11),
        rank=drawn(pl.Series([Decimal("1.50"), Decimal("2.25")]), i // 4),
        grade=drawn(pl.Series(["A", "B", "C"], dtype=pl.Enum(["C", "B", "A"])), i // 6),
        country=drawn(pl.Series(["DE", "FR"]), i // 2),
        city=drawn(pl.Series(["x", "y", None]), i // 3),
        branch=drawn(pl.Series(["n", "s", None]), i * 7 % 11),
        month=drawn(pl.Series([date(2025, 1, 1), date(2025, 2, 1)]), i // 9),
        seen=drawn(pl.Series([datetime(2025, 1, 1, 12, 30), datetime(2025, 2, 1)]), i // 13),
        y=i * 5 % 7 < 4,
        p=i * 3 % 8 < 4,
        y_int=(i * 5 % 7 < 4).cast(pl.Int32),
        p_text=drawn(pl.Series(["yes", "no", "perhaps"]), i * 3 % 8),
        score=(i * 13 % 16) / 16,
        score32=drawn(pl.Series([0.7, 0.1, 0.3], dtype=pl.Float32), i * 3 % 8),
        points=i * 11 % 50,
        y_holes=drawn(pl.Series([True, False, None]), i * 2 % 7),
        score_holes=drawn(pl.Series([0.25, 0.75, float("nan"), None]), i * 3 % 7),
        w=(1 + i % 8) / 8,
        w_zero=(i % 4) / 4,
        w_holes=drawn(pl.Series([0.5, 1.0, None]), i % 5),
        w_negative=pl.when(i == 7).then(-2.5).otherwise(1.0),
        w_infinite=pl.when(i == 7).then(float("inf")).otherwise(1.0),
        w_nan=pl.when(i == 7).then(float("nan")).otherwise(1.0),
        k_huge=pl.when(i == 7).then(2.0**63).otherwise(1.0),
        k_many=pl.lit(2**62),
        k=drawn(pl.Series([0, 1, 2, 5], dtype=pl.Int64), i % 7),
        k_float=drawn(pl.Series([1.0, 3.0]), i % 3),
        k_holes=drawn(pl.Series([1, 2, None], dtype=pl.Int64), i % 5),
        k_negative=pl.when(i == 7).then(-3).otherwise(1),
        p_north=pl.when(i % 17 != 0).then((i * 13 % 16) / 16),
        p_south=(1 - (i * 13 % 16) / 16) * (i % 4) / 4,
        u=i % 5,
        v=(i * 7 % 9) / 2,
    ).with_columns(home=pl.struct("country", "city"))
