"""Write ``docs/reference/benchmarks.md`` and its chart from the ``results.json`` of ``run.py``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import billion
import chart
import facets
import growth
import looks
import models
import scores
import side_by_side
import small

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
EXPLANATION = HERE / "explanation.md"
ALL_TABLES = HERE / "results.md"
TARGET = HERE.parent / "docs" / "reference" / "benchmarks.md"

INTRODUCTION = """\
# Benchmarks

`python benchmarks/run.py` measures, after an installation of `".[benchmarks]"`, and writes this
page; `benchmarks/results.md` has the tables of every part.

All tools answer the same question, from simulated decisions: how do the decisions on women compare
with the decisions on men, by branch if the tool has strata? Every tool that computes the difference
of selection rates must give the same value to 12 digits. Each figure is the best of a few rounds in
a separate process. "Ratio" is the time divided by the time of "polars-fairness: all metrics". The
other tools start from rows in memory; "with loading" adds the seconds to load these. The queries by
hand and polars-fairness read parquet while they answer.

This run used: {machine}.

![Seconds to answer one question of 2 million decisions](speed.svg)
"""

PARTS = {
    "Side by side": side_by_side,
    "Ten rows": small,
    "Several models": models,
    "Scores and thresholds": scores,
    "Several facets": facets,
    "How cost grows": growth,
    "A billion rows": billion,
    "Looks that repeat": looks,
}


def write(results: dict[str, Any]) -> None:
    """Write the page, all tables and the chart, from the parts that have results."""
    machine = ", ".join(f"{name} {value}" for name, value in results["machine"].items())
    parts = {title: module for title, module in PARTS.items() if module.__name__ in results}
    sections = [
        f"## {title}\n{module.tables(results[module.__name__])}\n"
        for title, module in parts.items()
    ]
    about = f"# Results\n\nThis run used: {machine}.\n"
    ALL_TABLES.write_text("\n".join([about, *sections]), "utf-8")
    lines = [INTRODUCTION.format(machine=machine)]
    if side_by_side.__name__ in results:
        of_rows = results[side_by_side.__name__]
        most = max(of_rows, key=int)
        lines += ["## Side by side", side_by_side.table_of_rows(most, of_rows[most]), ""]
    TARGET.write_text("\n".join([*lines, EXPLANATION.read_text("utf-8")]), "utf-8")
    if side_by_side.__name__ in results:
        chart.draw(results[side_by_side.__name__])


if __name__ == "__main__":
    write(json.loads(RESULTS.read_text("utf-8")))
