"""Reading a plan as polars explains it."""

from __future__ import annotations

import polars as pl


def scans_of(lazy: pl.LazyFrame) -> int:
    """Count the scans of rows; a part that the plan shares is read once."""
    lines = lazy.explain().splitlines()
    return sum(" SCAN [" in line or line.lstrip().startswith("DF [") for line in lines)
