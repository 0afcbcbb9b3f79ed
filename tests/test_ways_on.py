"""Calls that lead nowhere say how to go on, and name all that is missing at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.conftest import Run

LOANS = pf.datasets.loans().head(400)
QUESTION = ["--facet", "sex", "--predicted", "approved"]


@pytest.mark.parametrize("is_lazy", [False, True])
def test_check_does_not_take_an_audit(is_lazy: bool) -> None:
    audit = pf.audit(LOANS, "di", facet="sex", predicted="approved", confidence=None)
    with pytest.raises(pf.FairnessError) as error:
        pf.check(audit.lazy() if is_lazy else audit)
    assert str(error.value).startswith(
        "frame: check takes rows, got what audit returned; give the rows"
    )


@pytest.mark.parametrize("reported", [{}, {"reported": 0.5}])
def test_compare_of_several_models_says_what_compares_models(reported: dict[str, Any]) -> None:
    models = {"one": "approved", "two": "repaid"}
    with pytest.raises(pf.FairnessError, match=r"compare models by audit.*champion"):
        pf.compare(LOANS, "di", facet="sex", predicted=models, **reported)


def test_all_that_a_rule_has_published_is_asked_for_at_once(run: Run, tmp_path: Path) -> None:
    LOANS.write_parquet(tmp_path / "loans.parquet")
    people = ["--sex", "sex", "--race", "race", "--selected", "approved"]
    html = str(tmp_path / "page.html")
    code, _, err = run("hiring", str(tmp_path / "loans.parquet"), *people, "--html", html)
    assert code == 2
    assert err.startswith("polars-fairness: --audit-date, --data, --distribution-date: missing; ")
    assert err.endswith("; give --audit-date, --data and --distribution-date\n")


def test_a_gate_says_whether_rows_or_bands_are_missing(run: Run, tmp_path: Path) -> None:
    for name, rows in (("empty", LOANS.head(0)), ("loans", LOANS)):
        rows.write_parquet(tmp_path / f"{name}.parquet")
    words = [*QUESTION, "--fail-on", "uncertain"]
    code, _, err = run("audit", str(tmp_path / "empty.parquet"), *words)
    assert code != 0
    assert "there are no rows to compare; " in err
    assert "band" not in err
    gap = ["--metric", "selection_rate_gap"]
    code, _, err = run("audit", str(tmp_path / "loans.parquet"), *gap, *words)
    assert code != 0
    assert "no band for 'selection_rate_gap'; " in err
    assert "no rows" not in err


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_condition_on_a_day_says_how_to_write_it(kind: str, run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / f"loans.{kind}")
    LOANS.write_parquet(path) if kind == "parquet" else LOANS.write_csv(path)
    days = LOANS["decided_on"].unique().sort().to_list()
    first = days[0].isoformat()
    assert len(days) > 1
    code, _, err = run("cells", path, *QUESTION, "--where", f"decided_on > '{first}'")
    assert code == 2
    assert "compares a date or a time with text; write it as DATE '2026-11-23'" in err
    words = ["--where", f"decided_on > DATE '{first}'"]
    code, out, _ = run("cells", path, *QUESTION, *words)
    assert code == 0
    expected = LOANS.filter(pl.col("decided_on") > days[0]).height
    assert pl.read_csv(out.encode())["n"].sum() == expected
