"""What the text of CSV and NDJSON is read as: groups as text, numbers by all rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.conftest import Run

ENDINGS = ["csv", "ndjson"]


def written(rows: list[dict[str, Any]], ending: str) -> str:
    """The name of a file with these rows; JSON has numbers, and text in quotes."""
    name = f"rows.{ending}"
    if ending == "csv":
        lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
        Path(name).write_text("\n".join(lines) + "\n", "utf-8")
    else:
        Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return name


def rates(run: Run, *words: str) -> list[dict[str, Any]]:
    code, out, err = run("rates", *words, "--format", "json")
    assert (code, err) == (0, "")
    found: list[dict[str, Any]] = json.loads(out)
    return found


def groups(run: Run, *words: str) -> dict[str | None, int]:
    return {row["value"]: row["n"] for row in rates(run, *words) if row["value"]}


@pytest.mark.parametrize("ending", ENDINGS)
def test_groups_are_told_apart_by_their_text(ending: str, run: Run) -> None:
    zips = [2134, "02134"] if ending == "ndjson" else ["2134", "02134"]
    rows = [{"zip": zip_, "branch": zip_, "hired": 1} for zip_ in zips for _ in range(2)]
    name = written(rows, ending)
    assert groups(run, name, "--facet", "zip", "--predicted", "hired") == {"02134": 2, "2134": 2}
    windows = rates(run, name, "--facet", "zip", "--predicted", "hired", "--by", "branch")
    assert {row["branch"] for row in windows} == {"02134", "2134"}


@pytest.mark.parametrize("ending", ENDINGS)
def test_all_rows_decide_whether_a_column_holds_numbers(ending: str, run: Run) -> None:
    scores = [*[1] * 12_000, 0.5, 0.25]
    name = written([{"sex": "F", "score": score} for score in scores], ending)
    words = ("--facet", "sex", "--predicted", "score", "--threshold", "0.5")
    assert rates(run, name, *words)[0]["selection_rate"] == 12_001 / 12_002


@pytest.mark.parametrize("ending", ENDINGS)
def test_text_among_numbers_is_shown(ending: str, run: Run) -> None:
    scores = [*[0.5] * 2_000, "n/a", 0.5, "none"]
    name = written([{"sex": "F", "score": score} for score in scores], ending)
    for role in (("--score", "score"), ("--predicted", "score", "--threshold", "0.5")):
        code, out, err = run("rates", name, "--facet", "sex", *role)
        assert (code, out) == (2, "")
        assert err.startswith(f"polars-fairness: {role[0]}: 2 values of 'score' are not numbers, ")
        assert f"the first being 'n/a' in '{name}'; " in err
        assert "--nulls drop" in err


def test_windows_keep_the_order_of_numbers_and_days(run: Run) -> None:
    months = [
        {"month": month, "day": f"{month}/01/2025", "sex": sex, "hired": month % 2}
        for month in (2, 9, 10)
        for sex in "FM"
    ]
    name = written(months, "csv")
    words = ("--facet", "sex", "--predicted", "hired", "--metric", "dppl", "--confidence", "none")
    for by in ("month", "day"):
        code, out, err = run(
            "audit", name, *words, "--by", by, "--baseline", "previous", "--format", "json"
        )
        assert (code, err) == (0, "")
        assert [row[by] for row in json.loads(out)] == (
            [2, 9, 10] if by == "month" else ["2025-01-02", "2025-01-09", "2025-01-10"]
        )


def test_text_is_forced(run: Run) -> None:
    rows = [{"sex": "F", "code": code, "hired": code} for code in (1, 2, 2)]
    for ending in ENDINGS:
        name = written(rows, ending)
        words = ("--facet", "sex", "--predicted", "hired", "--positive", "2")
        for text in ([], ["--text", "hired"], ["--text", "hired", "--text", "code"]):
            compared = "'2'" if len(text) == 4 else "2"
            [row, _] = rates(run, name, *words, *text, "--where", f"code = {compared}")
            assert (row["n"], row["selection_rate"]) == (2, 1)
    code, _, err = run("rates", name, *words, "--text", "cod")
    assert code == 2
    assert err == "polars-fairness: --text: no column 'cod'; did you mean 'code'?\n"


@pytest.mark.parametrize("ending", ENDINGS)
def test_controls_that_are_rounded_are_numbers(ending: str, run: Run) -> None:
    rows = [
        {"sex": "FM"[i % 2], "income": 10_000 + i * 7_919 % 80_000, "hired": int(i * i % 7 < 3)}
        for i in range(400)
    ]
    name = written(rows, ending)
    Path("policy.toml").write_text(
        'name = "Loans"\n[question]\nfacet = "sex"\ndisfavored = "F"\npredicted = "hired"\n'
        "controls = {income = 10000}\n",
        "utf-8",
    )
    typed = ("--facet", "sex", "--disfavored", "F", "--predicted", "hired")
    expected = pf.metrics(
        pl.DataFrame(rows).with_columns((pl.col("income") / 10_000).round() * 10_000),
        "adjusted_difference",
        facet="sex",
        disfavored="F",
        predicted="hired",
        controls="income",
    )
    for words in ((*typed, "--control", "income=10000"), ("--policy", "policy.toml")):
        asked_of = (name, *words, "--metric", "adjusted_difference", "--format", "json")
        code, out, err = run("audit", *asked_of)
        assert (code, err) == (0, "")
        found = json.loads(out)
        found = found if isinstance(found, list) else found["rows"]
        assert found[0]["value"] == pytest.approx(expected["adjusted_difference"].item(), rel=1e-9)


def test_text_among_numbers_to_round_is_shown(run: Run) -> None:
    rows = [{"sex": "FM"[i % 2], "hired": i % 3 // 2, "income": i or "n/a"} for i in range(40)]
    name = written(rows, "csv")
    words = ("--facet", "sex", "--predicted", "hired", "--control", "income=10")
    code, out, err = run("audit", name, *words, "--metric", "adjusted_difference")
    assert (code, out) == (2, "")
    assert err.startswith("polars-fairness: --control: 1 values of 'income' are not numbers, ")
