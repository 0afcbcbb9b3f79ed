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
TARGET = HERE.parent / "docs" / "reference" / "benchmarks.md"

INTRODUCTION = """\
# Benchmarks

`python benchmarks/run.py` writes this page. It simulates the data, measures, and draws the chart:
install `".[benchmarks]"` first. Every figure was measured in a separate process, and is the best of
a few rounds. Every ratio compares figures of the same run.

This run used: {machine}.

![Seconds to answer one question of 2 million decisions](speed.svg)

All tools answer the same question: how do the decisions on women compare with the decisions on men?
Tools that support strata compare them by branch. Every tool that computes the difference of
selection rates must give the same value to 12 digits, or the run fails. The other tools start from
rows in memory, in the types that suit each tool best; the time to load these rows is a separate
column. The queries by hand and polars-fairness read parquet while they answer. "Ratio" is the time
divided by the time of "polars-fairness: all metrics"; "with loading" adds the seconds to load. The
flip test of smclarify has [a separate benchmark](speed.md#neighbours).
"""

PARTS = {
    "Side by side": side_by_side,
    "Ten rows": small,
    "Several models": models,
    "Scores and thresholds": scores,
    "Several facets": facets,
    "How cost grows": growth,
    "A thousand million rows": billion,
    "Looks that repeat": looks,
}


def write(results: dict[str, Any]) -> None:
    """Write the page and draw the chart, from the parts that have results."""
    machine = ", ".join(f"{name} {value}" for name, value in results["machine"].items())
    sections = [INTRODUCTION.format(machine=machine)]
    for title, module in PARTS.items():
        if module.__name__ in results:
            sections.append(f"## {title}\n{module.tables(results[module.__name__])}\n")
    TARGET.write_text("\n".join(sections), "utf-8")
    if side_by_side.__name__ in results:
        chart.draw(results[side_by_side.__name__])


if __name__ == "__main__":
    write(json.loads(RESULTS.read_text("utf-8")))
