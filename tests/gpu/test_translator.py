"""Which plans a GPU runs: what the translator of cudf-polars refuses, which needs no GPU."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
from cudf_polars.dsl.translate import Translator

import polars_fairness as pf

QUESTION: Final[dict[str, Any]] = {"facet": "sex", "predicted": "approved", "label": "repaid"}
ARGUMENTS: Final[dict[str, dict[str, Any]]] = {
    "none": {},
    "weights": {"weight": "w"},
    "counts": {"count": "k"},
    "text": {"predicted": "yes", "positive": {"yes": "yes"}},
    "numbers": {"predicted": "number"},
    "dropped nulls": {"nulls": "drop"},
    "windows": {"by": "branch"},
    "a threshold": {"predicted": "score", "threshold": 0.5},
    "an intersection": {"facet": pl.struct("sex", "branch").alias("both")},
    "several facets": {"facet": ["sex", "branch"]},
    "unknown": {"unknown": "X"},
}
ANSWERS: Final[dict[str, Callable[..., pl.LazyFrame]]] = {
    "cells": pf.cells,
    "rates": pf.rates,
    "sides": lambda rows, **question: pf.metrics(
        rows, "di", "ad", **{**question, "facet": "sex", "favored": "M"}
    ),
    "every pair": lambda rows, **question: pf.metrics(rows, "di", "rd", "dppl", **question),
}

WINDOW: Final = "GroupedWindow'> in groupby/rolling"
REFUSED: Final[dict[str, tuple[Callable[[pl.LazyFrame], pl.LazyFrame], set[str]]]] = {
    "conditional metrics": (
        lambda rows: pf.metrics(rows, "cddpl", subgroup="branch", **QUESTION),
        {WINDOW},
    ),
    "months": (
        lambda rows: pf.cells(rows, by="day", every="1mo", **QUESTION),
        {"Unsupported bucket: '1mo'"},
    ),
    "ranks of scores": (
        lambda rows: pf.rates(rows, facet="sex", label="repaid", score="score", resolution=0.125),
        {"Name.All", "Slice'> in groupby/rolling"},
    ),
}


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> pl.LazyFrame:
    path: Path = tmp_path_factory.mktemp("rows") / "loans.parquet"
    approved = pl.col("approved")
    pf.datasets.loans().with_columns(
        w=pl.lit(1.5),
        k=pl.lit(2),
        day=pl.date(2024, 1, 1),
        yes=pl.when(approved).then(pl.lit("yes")).otherwise(pl.lit("no")),
        number=approved.cast(pl.Int64),
    ).write_parquet(path)
    return pl.scan_parquet(path)


def refusals(plan: pl.LazyFrame) -> list[str]:
    """What the translator does not know of a plan."""
    found: list[str] = []

    def translated(nodes: Any, *_: Any) -> None:
        translator = Translator(nodes, pl.GPUEngine(executor="in-memory", raise_on_fail=True))
        translator.translate_ir()
        found.extend(map(str, translator.errors))

    more: dict[str, Any] = {"post_opt_callback": translated}
    plan.collect(engine="in-memory", **more)
    return found


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("more", ARGUMENTS)
def test_a_gpu_runs_the_plan(answer: str, more: str, rows: pl.LazyFrame) -> None:
    assert refusals(ANSWERS[answer](rows, **{**QUESTION, **ARGUMENTS[more]})) == []


@pytest.mark.parametrize("name", REFUSED)
def test_a_gpu_gives_the_plan_up(name: str, rows: pl.LazyFrame) -> None:
    """The page on large data says so; where one is translated, the page can say less."""
    answer, expected = REFUSED[name]
    found = refusals(answer(rows))
    assert all(any(each in one for each in expected) for one in found)
    assert all(any(each in one for one in found) for each in expected)
