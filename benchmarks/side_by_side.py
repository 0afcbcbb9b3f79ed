"""The time of every tool for the same question of the same rows, and the ratios we require."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import ge, le
from pathlib import Path

from contestants import JOBS
from markdown_tables import figure, table
from measure import Result, in_turn

ROWS = (200_000, 2_000_000, 20_000_000)
OURS = "polars-fairness: all metrics"
CELLS = "polars-fairness: cells"
TOLERANCE = 1e-12

Results = dict[str, dict[str, Result]]


@dataclass(frozen=True)
class Promise:
    """A bound on a ratio of times: slower / faster is at least, or at most, ``times``."""

    rows: int
    slower: str
    faster: str
    times: float
    at_least: bool = True

    def line(self, results: Results) -> list[str]:
        of_rows = results.get(str(self.rows), {})
        slower, faster = (of_rows.get(name, {}) for name in (self.slower, self.faster))
        measured, holds = "", "not measured"
        if "seconds" in slower and "seconds" in faster:
            ratio = slower["seconds"] / faster["seconds"]
            measured = figure(ratio)
            holds = "yes" if (ge if self.at_least else le)(ratio, self.times) else "no"
        required = f"{'at least' if self.at_least else 'at most'} {self.times:g}"
        return [f"{self.rows:,}", f"{self.slower} / {self.faster}", required, measured, holds]


# A bare count of polars is 39 times as fast as HolisticAI at two million rows, and DuckDB counts
# faster than polars: no answer of polars can be ahead by more.
PROMISES = (
    Promise(2_000_000, "smclarify: twelve metrics", OURS, 50),
    Promise(2_000_000, "Fairlearn: eight metrics", OURS, 1_000),
    Promise(20_000_000, "HolisticAI: twelve metrics", OURS, 25),
    Promise(20_000_000, "AIF360: fourteen metrics", OURS, 30),
    Promise(20_000_000, CELLS, "polars by hand: cells", 1.1, at_least=False),
    Promise(20_000_000, CELLS, "floor: count by sex and branch", 1.25, at_least=False),
    Promise(20_000_000, OURS, "floor: count by sex and branch", 1.25, at_least=False),
)


def results(data: Path, most_rows: int) -> Results:
    """Measure every tool, except on more rows than the tool gave up on."""
    got: Results = {}
    out: dict[str, Result] = {}
    for rows in (size for size in ROWS if size <= most_rows):
        still_in = [name for name in JOBS if name not in out]
        answered = in_turn("contestants", still_in, data / str(rows))
        must_agree(answered)
        got[str(rows)] = {name: answered.get(name) or out[name] for name in JOBS}
        for name, result in answered.items():
            if "gave_up" in result:
                out[name] = {"gave_up": f"gave up at {rows:,} rows"}
    return got


def must_agree(answered: dict[str, Result]) -> None:
    """Raise if two tools give different values for the same question of the same rows."""
    values = {name: result["value"] for name, result in answered.items() if result.get("value")}
    for name, value in values.items():
        if abs(value - values[OURS]) > TOLERANCE:
            raise ValueError(f"{name} answers {value}, and {OURS} {values[OURS]}")


def table_of_promises(promises: Iterable[Promise], results: Results) -> str:
    """The ratios that a part of the benchmarks has to reach, and whether it does."""
    columns = ("rows", "ratio of seconds", "required", "measured", "holds")
    return table("Required ratios", columns, [promise.line(results) for promise in promises])


def tables(results: Results) -> str:
    of_rows = [table_of_rows(rows, all_) for rows, all_ in results.items()]
    return "\n".join([*of_rows, table_of_promises(PROMISES, results)])


def table_of_rows(rows: str, results: dict[str, Result]) -> str:
    columns = ("what", "seconds", "ratio", "seconds to load", "ratio with loading", "peak MB")
    lines = [line(name, results, results[OURS]) for name in results]
    return table(f"{int(rows):,} rows", columns, lines)


def line(name: str, results: dict[str, Result], ours: Result) -> list[str]:
    result = results[name]
    if "gave_up" in result:
        return [name, result["gave_up"], "", "", "", ""]
    seconds, load = result["seconds"], result["load_seconds"]
    times, times_with_load = seconds / ours["seconds"], (seconds + load) / ours["seconds"]
    return [name, *map(figure, (seconds, times, load, times_with_load, result["megabytes"]))]
