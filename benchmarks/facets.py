"""Ten facets of text beside one: rows that are cheap to read, and rows that are dear."""

from __future__ import annotations

from functools import partial
from multiprocessing import get_context
from pathlib import Path

import memory
from markdown_tables import figure, table
from measure import Job, Result, in_turn
from side_by_side import Promise, table_of_promises

FOLDER = "facets"  # of the data, below that of the other parts
ROWS = {"Parquet": memory.STORED, "CSV": memory.OF_CSV}
BEFORE = {"": "nothing", " after a join": "a join"}

Results = dict[str, dict[str, Result]]


def name(source: str, before: str, facets: int) -> str:
    return f"{facets} facet{'s' if facets > 1 else ''} of text, {source}{before}"


JOBS = {
    name(source, before, facets): Job(
        partial(memory.scanned, source=f"{source}, text", rows=rows),
        partial(memory.answered, facets=facets, before=BEFORE[before]),
    )
    for source, rows in ROWS.items()
    for before in BEFORE
    for facets in (1, 10)
}

MOST_TIMES = {
    ("CSV", ""): 4,
    ("CSV", " after a join"): 5,
    ("Parquet", ""): 8,
    ("Parquet", " after a join"): 5,
}
PROMISES = [
    Promise(ROWS[source], name(source, before, 10), name(source, before, 1), times, at_least=False)
    for (source, before), times in MOST_TIMES.items()
]


def results(data: Path, most_rows: int) -> Results:
    """Measure one and ten facets of each source, of at most ``most_rows`` rows."""
    folder = data / FOLDER
    if not (folder / memory.CSV).exists():
        # In a separate process: the peak memory of child processes starts at that of this one.
        inventing = get_context("spawn").Process(target=memory.invent, args=(folder,))
        inventing.start()
        inventing.join()
    return {
        str(rows): in_turn("facets", [each for each in JOBS if f", {source}" in each], folder)
        for source, rows in ROWS.items()
        if rows <= most_rows
    }


def tables(results: Results) -> str:
    columns = ("what", "rows", "seconds", "peak MB")
    lines = [
        [each, f"{int(rows):,}", *figures(result)]
        for rows, of_rows in results.items()
        for each, result in of_rows.items()
    ]
    return "\n".join(
        [table("Several facets of text", columns, lines), table_of_promises(PROMISES, results)]
    )


def figures(result: Result) -> list[str]:
    if "gave_up" in result:
        return [result["gave_up"], ""]
    return [figure(result["seconds"]), figure(result["megabytes"])]
