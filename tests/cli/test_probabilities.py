"""Groups known in probability on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tests.conftest import Run
from tests.test_probabilities import towns

RACE = ["--probabilities", "race:Black=p_black,White=p_white", "--predicted", "accepted"]


@pytest.fixture(params=["csv"])
def people(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    rows = towns().with_columns(town=pl.when(pl.col("p_black") > 0.5).then(pl.lit("N")))
    path = tmp_path / f"people.{request.param}"
    rows.write_csv(path) if request.param == "csv" else rows.write_parquet(path)
    return str(path)


def test_both_estimators(people: str, run: Run) -> None:
    code, out, _ = run("audit", people, "--metric", "dppl", *RACE, "--format", "json")
    assert code == 0
    found = {row["estimator"]: row["value"] for row in json.loads(out)}
    assert found == pytest.approx({"linear": 0.2, "weighted": 0.072})


def test_rows_are_counted_once_where_estimators_round_otherwise(tmp_path: Path, run: Run) -> None:
    """The rest of shares that hardly vary is a difference of large numbers to the regression."""
    i = pl.int_range(20_000, eager=True)
    shares = {"p_black": 0.22 + (i % 7) / 9_000, "p_white": 0.63 + (i % 11) / 7_000}
    path = tmp_path / "rows.parquet"
    pl.DataFrame({**shares, "accepted": i % 2}).write_parquet(path)
    _, out, err = run("audit", str(path), "--metric", "dppl", *RACE)
    assert (out + err).count("rows seen") == 1
    assert "20,000 rows seen, 0 dropped, 20,000 used" in out + err
