"""The loans that the tests of the command line read, and its answers about them."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import polars as pl

from tests.conftest import Run

LOANS = pl.DataFrame(
    {
        "sex": ["F", "F", "F", "F", "M", "M", "M", "M", None],
        "race": ["B", "W", "B", "W", "B", "W", "W", "W", "W"],
        "age": [1, 1, 2, 2, 1, 1, 2, 2, 2],
        "since": [date(2024, 1, 1), *[date(2025, 1, 1)] * 8],
        "branch": ["n", "s", "n", "s", "n", "s", "n", "s", "n"],
        "repaid": ["yes", "no", "yes", "yes", "no", "yes", "yes", "yes", "no"],
        "approved": [True, False, False, False, True, True, True, False, True],
        "score": [0.9, 0.2, 0.3, 0.4, 0.8, 0.7, 0.6, 0.1, 0.9],
    }
)

SEX = ["--facet", "sex", "--disfavored", "F", "--predicted", "approved"]

GAP = ["--metric", "dppl", "--metric", "di", "--confidence", "none"]


def records(run: Run, *words: str) -> list[dict[str, Any]]:
    code, out, err = run("audit", *words, "--format", "json")
    assert (code, err) == (0, "")
    found: list[dict[str, Any]] = json.loads(out)
    return found


def answer_of(changes: dict[str, list[Any]]) -> pl.DataFrame:
    """Return the answer of an audit, with these columns changed."""
    columns: dict[str, list[Any]] = {
        "facet": ["sex"],
        "disfavored": ["F"],
        "favored": ["M"],
        "metric": ["dppl"],
        "value": [0.5],
        "lower": [0.1],
        "upper": [0.8],
        "ideal": [0.0],
        "band_lower": [-0.1],
        "band_upper": [0.1],
        "verdict": ["outside"],
        "n_disfavored": [1200],
        "n_favored": [30],
        "n_unknown": [1],
        "rows_seen": [1240],
        "rows_used": [1231],
        "rows_dropped": [9],
    }
    rows = max(map(len, changes.values()), default=1)
    filled = {name: values * rows for name, values in columns.items()} | changes
    return pl.DataFrame(filled)
