"""Cells in place of rows: recognised without `count=`, and read as they were written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.conftest import Run

LOANS = pf.datasets.loans()
QUESTION: dict[str, Any] = {"facet": "sex", "predicted": "approved", "favored": "M"}
CELLS = pf.cells(LOANS, **QUESTION, subgroup="branch")
FOUND = r"^count: the column 'n' seems to count rows, .* it is the last, .* give count='n' if"

WITHOUT_COUNT: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "metrics": (("di",), {}),
    "audit": (("di",), {}),
    "check": (("di",), {"bands": {"di": (0.1, 10.0)}}),
    "report": (("di",), {}),
    "rates": ((), {}),
    "cells": ((), {}),
    "of": ((), {}),
    "bounds": (("di",), {}),
    "plan": (("di",), {}),
    "worst_groups": (("spsf",), {}),
    "representation": ((), {"reference": {"F": 0.5, "M": 0.5}}),
}


@pytest.mark.parametrize("name", WITHOUT_COUNT)
def test_cells_are_cells_whatever_the_question_leaves_out(name: str) -> None:
    """Cells by branch give a `di` of 1.0 for 0.685 where each is taken for one row."""
    metrics, own = WITHOUT_COUNT[name]
    question = QUESTION if name != "worst_groups" else QUESTION | {"favored": None}
    with pytest.raises(pf.FairnessError, match=FOUND):
        getattr(pf, name)(CELLS, *metrics, **question, **own)
    assert getattr(pf, name)(CELLS, *metrics, **question, count="n", **own) is not None


def test_tables_about_lending_know_cells_too() -> None:
    with pytest.raises(pf.FairnessError, match=FOUND):
        pf.lending.table(CELLS, **QUESTION)
    assert not pf.lending.table(CELLS, **QUESTION, count="n").is_empty()


N_AS_DATA: dict[str, pl.DataFrame] = {
    "rows repeat": LOANS.select("sex", "branch", "approved").with_columns(n=2),
    "not last": CELLS.select("n", pl.exclude("n")),
    "not whole": CELLS.with_columns(n=pl.col("n") + 0.5),
    "one row each": CELLS.with_columns(n=1),
    "unknown": CELLS.with_columns(n=pl.lit(None, pl.Int64)),
    "shards": pl.concat([CELLS, CELLS]),
    "renamed": CELLS.rename({"n": "trials"}),
    "more": LOANS.head(1)
    .select(pl.all().repeat_by(100_001).explode())
    .with_columns(branch=pl.int_range(pl.len()).cast(pl.String), n=pl.lit(2)),
}


@pytest.mark.parametrize("name", N_AS_DATA)
def test_other_rows_are_rows(name: str) -> None:
    assert pf.rates(N_AS_DATA[name], facet="sex", predicted="approved") is not None


@pytest.mark.parametrize(
    "mention",
    [
        {"by": "n"},
        {"controls": {"n": 10.0}},
        {"weight": "n"},
        {"by": (pl.col("n") // 10).alias("t")},
    ],
)
def test_a_column_that_an_argument_names_is_no_count(mention: dict[str, Any]) -> None:
    assert pf.audit(CELLS, "di", confidence=None, **QUESTION, **mention) is not None


@pytest.mark.parametrize("ending", ["csv", "tsv", "ndjson", "parquet"])
def test_files_of_cells_are_cells(ending: str, run: Run) -> None:
    written = CELLS.select("sex", "branch", "approved", "n")
    path = Path(f"cells.{ending}")
    if ending in ("csv", "tsv"):
        written.write_csv(path, separator="," if ending == "csv" else "\t")
    else:
        getattr(written, f"write_{ending}")(path)
    words = ["audit", str(path), "--facet", "sex", "--favored", "M", "--predicted", "approved"]
    code, out, err = run(*words, "--metric", "di")
    assert (code, out) == (2, "")
    assert "--count: the column 'n' seems to count rows" in err
    assert "give --count n if" in err
    assert run(*words, "--metric", "di", "--count", "n")[0] == 0
    assert run("rates", str(path), *words[2:4], *words[6:])[0] == 2
