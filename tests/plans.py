"""Reading a plan as polars explains it."""

from __future__ import annotations

import re

import polars as pl

_PROJECTS = ("simple π", "SELECT", "WITH_COLUMNS", "FROM")


def scans_of(lazy: pl.LazyFrame) -> int:
    """Count the scans of rows; a part that the plan shares is read once."""
    lines = lazy.explain().splitlines()
    return sum(" SCAN [" in line or line.lstrip().startswith("DF [") for line in lines)


def held_by(lazy: pl.LazyFrame) -> list[str]:
    """List the parts that a plan computes once for several uses, and so holds in memory."""
    held: dict[str, str] = {}
    lines = map(str.strip, lazy.explain().splitlines())
    for line in lines:
        if (found := re.match(r"CACHE\[id: ([^],]+)", line)) and found[1] not in held:
            held[found[1]] = next(below for below in lines if not below.startswith(_PROJECTS))
    return [*held.values()]
