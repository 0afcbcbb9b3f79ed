"""Several models on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.cli.loans import LOANS
from tests.conftest import Run

ROWS = LOANS.filter(pl.col("sex").is_not_null()).with_columns(
    challenged=pl.Series([True, True, False, False, True, True, False, False]),
    other=pl.Series([0.1, 0.9, 0.2, 0.8, 0.7, 0.6, 0.55, 0.3]),
)
MODELS = ["--predicted", "champion=approved", "--predicted", "challenger=challenged"]
SIDES = ["--facet", "sex", "--disfavored", "F", "--favored", "M"]
AUDIT = ["audit", "rows.parquet", *SIDES, *MODELS, "--confidence", "none"]


@pytest.fixture(autouse=True)
def rows(place: Path) -> None:
    ROWS.write_parquet(place / "rows.parquet")


def printed(run: Run, *words: str) -> str:
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    return out


def records(run: Run, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(printed(run, *words, "--format", "json"))
    return found


@pytest.mark.parametrize(
    ("predicted", "expected"),
    [
        (["approved"], {None: "approved"}),
        (["x=y"], {None: "x=y"}),
        (["m=approved"], {"m": "approved"}),
        (["m=x=y"], {"m": "x=y"}),
        (["m=n=x=y", "o=approved"], {"m=n": "x=y", "o": "approved"}),
        (["x=y", "o=approved"], {"x": "y", "o": "approved"}),
    ],
)
def test_a_column_or_a_model_may_have_an_equals_sign(
    predicted: list[str], expected: dict[str | None, str], run: Run
) -> None:
    rows = ROWS.with_columns(pl.col("challenged").alias("x=y"), (~pl.col("approved")).alias("y"))
    rows.write_parquet("rows.parquet")
    typed = [word for text in predicted for word in ("--predicted", text)]
    found = records(run, "rates", "rows.parquet", *typed)
    of_columns = {model: rows[column].mean() for model, column in expected.items()}
    assert {row.get("model"): row["selection_rate"] for row in found} == of_columns


def test_positive_values_are_for_the_columns_of_models(run: Run) -> None:
    words = pl.col("approved", "challenged").replace_strict({True: "yes", False: "no"})
    ROWS.with_columns(words).write_parquet("rows.parquet")
    label = ["--label", "repaid"]
    for positive in (
        ["yes"],
        ["approved=yes", "challenged=yes", "repaid=yes"],
        ["repaid=yes", "yes"],
    ):
        typed = [word for text in positive for word in ("--positive", text)]
        assert records(run, *AUDIT, *label, *typed, "--metric", "dppl,dpl") == records(
            run, *AUDIT, *label, "--positive", "yes", "--metric", "dppl,dpl"
        )
    [_, champion] = records(run, *AUDIT, *label, "--positive", "yes", "--metric", "dppl")
    assert champion["value"] == 0.5
