"""A serialized plan is one of polars alone: it runs where the package is not installed."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from tests.frames import parquet_of, people
from tests.test_travel import ANSWERS, SIDES, check_equal

# Runs plans where the package cannot be imported, in a process that has never seen it.
ELSEWHERE: Final = """
import sys
from pathlib import Path
sys.modules["polars_fairness"] = None
import polars as pl
for path in sys.argv[1:]:
    try:
        pl.LazyFrame.deserialize(path).collect().write_parquet(path + ".answer")
    except pl.exceptions.ComputeError as error:
        Path(path + ".fault").write_text(str(error), "utf-8")
"""

FAULTS: Final[dict[str, tuple[Callable[[pl.DataFrame], pl.DataFrame], dict[str, Any], str]]] = {
    "an outcome is missing": (
        lambda rows: rows.with_columns(y=pl.when(pl.col("month") > 0).then("y")),
        SIDES,
        "missing values: 'y' has ",
    ),
    "another value": (
        lambda rows: rows.with_columns(p=pl.col("month")),
        SIDES,
        "other than 0 and 1",
    ),
    "a negative weight": (
        lambda rows: rows.with_columns(w=-pl.col("w")),
        {**SIDES, "weight": "w"},
        "'w' has negative values",
    ),
    "a group that never occurs": (
        lambda rows: rows,
        {**SIDES, "favored": "m"},
        "'m' never occurs in 'sex'",
    ),
}


def run_elsewhere(plans: dict[str, pl.LazyFrame], folder: Path) -> list[Path]:
    """Write plans to files, of whose names the answers and faults are found beside them."""
    paths = [folder / f"{i}" for i in range(len(plans))]
    for path, plan in zip(paths, plans.values(), strict=True):
        path.write_bytes(plan.serialize())
    subprocess.run([sys.executable, "-c", ELSEWHERE, *map(str, paths)], check=True, cwd=folder)
    return paths


def test_plans_give_their_answers_where_the_package_is_not(tmp_path: Path) -> None:
    rows = parquet_of(people().lazy(), tmp_path)
    plans = {name: make(rows) for name, make in ANSWERS.items()}
    paths = run_elsewhere(plans, tmp_path)
    for path, (name, make) in zip(paths, ANSWERS.items(), strict=True):
        check_equal(pl.read_parquet(f"{path}.answer"), make(people()), name)


def test_plans_raise_their_faults_where_the_package_is_not(tmp_path: Path) -> None:
    plans = {}
    for name, (broken, question, words) in FAULTS.items():
        folder = tmp_path / name
        folder.mkdir()
        rows = parquet_of(broken(people()).lazy(), folder)
        plans[name] = pf.metrics(rows, "di", "rd", **question)
        with pytest.raises(pf.FairnessError, match=words):
            pf.metrics(broken(people()), "di", "rd", **question)
    for path, (*_, words) in zip(run_elsewhere(plans, tmp_path), FAULTS.values(), strict=True):
        assert re.search(words, Path(f"{path}.fault").read_text("utf-8"))
