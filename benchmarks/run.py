"""Run the benchmarks: ``python benchmarks/run.py [FOLDER]`` prints tables and writes their page.

The first run writes the simulated logs to the folder (1 GB); later runs use them again. Every
figure is measured in a separate process, and every ratio compares figures of one run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import billion
import facets
import growth
import looks
import models
import page
import scores
import side_by_side
import small
from page import RESULTS

HERE = Path(__file__).parent
PARTS = [module.__name__ for module in page.PARTS.values()]
PACKAGES = (
    *("polars-fairness", "polars", "duckdb", "pandas", "numpy"),
    *("aequitas", "aif360", "holisticai", "smclarify", "fairlearn", "scikit-learn"),
)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=HERE / "data")
    parser.add_argument("--only", choices=PARTS, nargs="+", default=PARTS, metavar="PART")
    parser.add_argument("--most-rows", type=float, default=1e9, help="leave larger logs out")
    return parser.parse_args()


def invent(data: Path, most_rows: int) -> None:
    """Write the logs that are missing."""
    stored = {*side_by_side.ROWS, *scores.ROWS, *growth.SIZES["rows"]}
    sizes = [size for size in sorted(stored) if size <= min(most_rows, growth.STORED)]
    targets = [(str(size), size) for size in sizes] + [(growth.MANY_VALUED, 2_000_000)]
    if most_rows >= models.ROWS:
        targets.append((models.MODELS, models.ROWS))
    for target, rows in targets:
        if not (data / target).exists():
            # In a separate process: the peak memory of child processes starts at that of this one.
            command = [sys.executable, str(HERE / "generate.py"), str(data / target), str(rows)]
            subprocess.run(command, check=True)


def machine() -> dict[str, Any]:
    """Return the commit and the versions that the figures depend on."""
    changed = _git("status", "--porcelain", "--", "../polars_fairness")
    commit = _git("rev-parse", "--short", "HEAD") + (" and changes" if changed else "")
    try:
        versions = {package: version(package) for package in PACKAGES}
    except PackageNotFoundError as missing:
        raise SystemExit(f'{missing}; pip install ".[benchmarks]" first') from missing
    return {
        "commit": commit,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **versions,
    }


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(HERE), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    """Measure, print and draw; parts that are not requested keep results of the same commit."""
    given = arguments()
    most_rows = int(given.most_rows)
    invent(given.folder, most_rows)
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    found = machine()
    results = results if results.get("machine") == found else {"machine": found}
    print(", ".join(f"{name} {value}" for name, value in results["machine"].items()))
    measure: dict[str, Callable[[], Any]] = {
        "small": lambda: small.results(given.folder),
        "side_by_side": lambda: side_by_side.results(given.folder, most_rows),
        "models": lambda: models.results(given.folder, most_rows),
        "scores": lambda: scores.results(given.folder, most_rows),
        "facets": lambda: facets.results(given.folder, most_rows),
        "growth": lambda: growth.results(given.folder, most_rows),
        "billion": lambda: billion.results(given.folder),
        "looks": looks.results,
    }
    for part in given.only:
        results[part] = measure[part]()
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
        print(sys.modules[part].tables(results[part]), flush=True)
    page.write(results)


if __name__ == "__main__":
    main()
