"""Reading a plan as polars explains it."""

from __future__ import annotations

import re
from functools import partial
from itertools import takewhile

import polars as pl

_PROJECTS = ("simple π", "SELECT", "WITH_COLUMNS", "FROM")


def scans_of(lazy: pl.LazyFrame) -> int:
    """Count the scans of rows; a part that the plan shares is read once."""
    lines = lazy.explain().splitlines()
    return sum(" SCAN [" in line or line.lstrip().startswith("DF [") for line in lines)


def rows_held_by(lazy: pl.LazyFrame) -> list[str]:
    """List the parts that a plan computes once for several uses before any rows are counted."""
    lines, seen, found = lazy.explain().splitlines(), set(), []
    for place, line in enumerate(lines):
        cache = re.match(r" *CACHE\[id: ([^],]+)", line)
        if cache is None or cache[1] in seen:
            continue
        seen.add(cache[1])
        part = list(takewhile(partial(_is_below, line), lines[place + 1 :]))
        if part and not any("AGGREGATE" in below or "CACHE[" in below for below in part):
            found.append(
                next(below for below in map(str.strip, part) if not below.startswith(_PROJECTS))
            )
    return found


def _is_below(line: str, other: str) -> bool:
    return len(other) - len(other.lstrip()) > len(line) - len(line.lstrip())
