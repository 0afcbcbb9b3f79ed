"""Run the benchmarks and print them as Markdown: ``python benchmarks/run.py [FOLDER]``.

Everything is a ratio within this run. The floor is a bare ``group_by(facet, subgroup)`` with a
count over the same files; the data is made on the first run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from generate import decisions
from measure import OUTCOMES, smallest

HERE = Path(__file__).parent
ROUNDS = 3


def measured(name: str, engine: str, paths: list[Path], times: int = 5) -> dict[str, float]:
    """Measure a question in processes of its own; the best of a few rounds."""
    command = [sys.executable, str(HERE / "measure.py"), name, engine, str(times), *map(str, paths)]
    runs = [
        json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for _ in range(ROUNDS if times > 1 else 1)
    ]
    return min(runs, key=lambda run: run["seconds"])


ALL = ("one_metric", "everything", "of_score", "weighted", "monthly")


def against_the_floor(paths: list[Path]) -> None:
    """Compare with a bare count over 20 and 100 million rows."""
    print("\nSex by 40 branches\n")
    print("| million rows | question | engine | seconds | times the floor | peak MB |")
    print("|---|---|---|---|---|---|")
    for millions, engine, names in (
        (20, "streaming", ALL),
        (100, "streaming", ALL[:2]),
        (20, "in-memory", ALL[:2]),
    ):
        files = paths * (millions // 20)
        floor = 0.0
        for name in ("floor", *names):
            got = measured(name, engine, files)
            floor = floor or got["seconds"]
            cells = f"{got['seconds']:.3f} | {got['seconds'] / floor:.2f} | {got['megabytes']:.0f}"
            print(f"| {millions} | {name} | {engine} | {cells} |", flush=True)


def many_facets(paths: list[Path]) -> None:
    """Compare ten facets of fifty values with one, over 4 million rows."""
    print("\n4 million rows, facets of fifty values, streaming\n")
    print("| facets | seconds | peak MB |\n|---|---|---|")
    for name in ("one_facet", "ten_facets"):
        got = measured(name, "streaming", paths[:2])
        print(f"| {name} | {got['seconds']:.3f} | {got['megabytes']:.0f} |", flush=True)


def memory(paths: list[Path]) -> None:
    """Stream 200 million rows: the same files ten times."""
    got = measured("everything", "streaming", paths * 10, times=1)
    print("\n200 million rows, streaming, all metrics\n")
    print(f"{got['seconds']:.2f} s, peak {got['megabytes']:.0f} MB", flush=True)


def small_frames() -> None:
    """Measure what a call costs when there is hardly any data."""
    print("\nAll metrics for one facet on a DataFrame\n")
    print("| rows | milliseconds |\n|---|---|")
    for rows in (10, 1_000):
        frame = decisions(rows, seed=0)
        seconds = smallest(lambda: frame.fairness.metrics(facet="sex", **OUTCOMES), 30)  # noqa: B023
        print(f"| {rows:,} | {seconds * 1e3:.1f} |")


def imports() -> None:
    """Measure what the import adds to that of polars."""

    def seconds(statement: str) -> float:
        timed = (
            "import polars, time; start = time.perf_counter(); "
            f"{statement}; print(time.perf_counter() - start)"
        )
        command = [sys.executable, "-c", timed]
        return min(
            float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            for _ in range(10)
        )

    print(f"\nImport, beside polars: {seconds('import polars_fairness') * 1e3:.0f} ms")


def main() -> None:
    """Print every table."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "data"
    if not folder.exists():
        # In a process of its own: the peak memory of those that follow starts at this one's.
        subprocess.run([sys.executable, str(HERE / "generate.py"), str(folder), "2e7"], check=True)
    paths = sorted(folder.glob("*.parquet"))
    imports()
    small_frames()
    against_the_floor(paths)
    many_facets(paths)
    memory(paths)


if __name__ == "__main__":
    main()
