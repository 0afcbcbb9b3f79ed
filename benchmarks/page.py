"""Write ``docs/benchmarks.md`` and its chart from ``results.json``, which a run leaves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import billion
import chart
import growth
import side_by_side
import small

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
TARGET = HERE.parent / "docs" / "benchmarks.md"

TOLD = """\
# Benchmarks

Written by `python benchmarks/run.py`, which invents the data, measures and draws: install
`".[benchmarks]"` first. Every figure is from a process of its own, the best of a few rounds; every
ratio is within this run. {machine}

![Seconds to answer one question of 2 million decisions](speed.svg)

The question is the same for all: how do the decisions on women compare with those on men, by
branch where the tool knows strata. All who give the difference of selection rates give the same to
12 digits, or the run fails. Peers start from rows in memory in the types that suit them best; what
it took to get them there is a column of its own. Those by hand, and ours, read parquet while they
answer. smclarify's flip test has [a benchmark of its own](speed.md).
"""

PARTS = {
    "Side by side": side_by_side,
    "Ten rows": small,
    "How cost grows": growth,
    "A thousand million rows": billion,
}


def write(results: dict[str, Any]) -> None:
    """Write the page and draw the chart of the parts that there are."""
    machine = ", ".join(f"{name} {value}" for name, value in results["machine"].items())
    sections = [TOLD.format(machine=f"This one: {machine}.")]
    for title, module in PARTS.items():
        if module.__name__ in results:
            sections.append(f"## {title}\n{module.tables(results[module.__name__])}\n")
    TARGET.write_text("\n".join(sections), "utf-8")
    if side_by_side.__name__ in results:
        chart.draw(results[side_by_side.__name__])


if __name__ == "__main__":
    write(json.loads(RESULTS.read_text("utf-8")))
