"""An answer is a plan of polars: it reads any scan, and sinks write it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import csv_of, ipc_of, ndjson_of, parquet_of, people, shared

DECIDED: Final[dict[str, Any]] = {"label": "y", "predicted": "p"}
SIDES: Final[dict[str, Any]] = {"facet": "sex", "favored": "M", "disfavored": "F", **DECIDED}

ANSWERS: Final[dict[str, Callable[[Any], Any]]] = {
    "metrics": lambda rows: pf.metrics(rows, "cddpl", "rd", "di", subgroup="branch", **SIDES),
    "several facets": lambda rows: shared(pf.metrics, rows, "di", facet=["sex", "race"], **DECIDED),
    "windows": lambda rows: pf.metrics(rows, "rd", "ad", by="month", **SIDES),
    "weights": lambda rows: shared(pf.metrics, rows, "di", weight="w", **SIDES),
    "a threshold": lambda rows: pf.metrics(
        rows, "di", facet="sex", favored="M", predicted="score", threshold=0.5
    ),
    "sides of the data": lambda rows: shared(
        pf.metrics, rows, "di", facet="sex", favored=pf.HIGHEST, **DECIDED
    ),
    "rates": lambda rows: pf.rates(rows, facet=["sex", "race"], **DECIDED),
    "rates of scores": lambda rows: pf.rates(rows, facet="sex", label="y", score="score"),
    "representation": lambda rows: pf.representation(rows, facet="sex", reference={"F": 1, "M": 2}),
    "cells": lambda rows: pf.cells(rows, facet=["sex", "race"], **DECIDED),
    "confusions": lambda rows: pf.confusions(rows, facet="sex", **DECIDED),
}


def check_answers(rows: pl.LazyFrame) -> None:
    """Compare the answers of a copy of the frame with those of the frame."""
    for name, make in ANSWERS.items():
        check_equal(make(rows).collect(), make(people()), name)


def check_equal(answer: pl.DataFrame, expected: pl.DataFrame, name: str) -> None:
    assert_frame_equal(answer, expected, check_row_order=name != "cells", rel_tol=1e-12)


SCANS: Final = {"Parquet": parquet_of, "CSV": csv_of, "NDJSON": ndjson_of, "IPC": ipc_of}


@pytest.mark.parametrize("kind", SCANS)
def test_rows_are_scanned_from_files(tmp_path: Path, kind: str) -> None:
    check_answers(SCANS[kind](people().lazy(), tmp_path))


SINKS: Final[dict[str, tuple[Callable[..., Any], Callable[[Path], pl.DataFrame]]]] = {
    "Parquet": (pl.LazyFrame.sink_parquet, pl.read_parquet),
    "IPC": (pl.LazyFrame.sink_ipc, pl.read_ipc),
    "CSV": (pl.LazyFrame.sink_csv, pl.read_csv),
    "NDJSON": (pl.LazyFrame.sink_ndjson, pl.read_ndjson),
}


@pytest.mark.parametrize("kind", SINKS)
def test_an_answer_is_written_by_a_sink(tmp_path: Path, kind: str) -> None:
    write, read = SINKS[kind]
    lazy, path = ANSWERS["metrics"](people().lazy()), tmp_path / "answer"
    write(lazy, path, engine="streaming")
    # Files of text do not say what type a column without values has.
    expected = ANSWERS["metrics"](people())
    assert_frame_equal(read(path).cast(dict(expected.schema)), expected, rel_tol=1e-12)
