"""Reading a plan as polars explains it, in any version."""

from __future__ import annotations

import re
from collections.abc import Iterator

import polars as pl

_PROJECTS = ("simple π", "SELECT", "WITH_COLUMNS", "FROM")


def scans_of(lazy: pl.LazyFrame) -> int:
    """Count the scans of rows; a part that the plan shares is read once."""
    lines = _lines_of(lazy)
    return sum(" SCAN [" in line or line.lstrip().startswith("DF [") for line in lines)


def held_by(lazy: pl.LazyFrame) -> list[str]:
    """List the parts that a plan computes once for several uses, and so holds in memory."""
    lines = iter(_lines_of(lazy))
    return [
        next(below for below in map(str.strip, lines) if not below.startswith(_PROJECTS))
        for line in lines
        if "CACHE[" in line and "held elsewhere" not in line
    ]


def _lines_of(lazy: pl.LazyFrame) -> list[str]:
    """The lines of a plan, each shared part once: polars 1.35 repeats it wherever it is used."""
    return [*_unrepeated(lazy.explain().splitlines())]


def _unrepeated(lines: list[str]) -> Iterator[str]:
    seen: set[str] = set()
    skipped_below = None
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if skipped_below is not None and indent > skipped_below:
            continue
        skipped_below = None
        if found := re.search(r"CACHE\[id: (\S+?)[\],]", line):
            if found[1] in seen:
                skipped_below = indent
                yield f"{line} held elsewhere"
                continue
            seen.add(found[1])
        yield line
