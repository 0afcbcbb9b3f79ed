"""Champions and baselines on the command line, and the gate that fails for the worse."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from polars_fairness.answers.contrasts import TOGETHER
from polars_fairness.cli.commands.audit import as_annotations, as_junit, shown_verdicts
from polars_fairness.question.policy import FailOn
from polars_fairness.reporting.gate import EXCUSED, NAMED, Gate
from tests.cli.loans import answer_of
from tests.cli.test_build_servers import cases_of, outcome_of
from tests.conftest import Run

# A month of 400 people: of 100 women and 100 men each, so many are accepted.
ACCEPTED = {
    ("2026-01", "champion"): (50, 50),
    ("2026-01", "challenger"): (10, 90),
    ("2026-02", "champion"): (20, 80),
    ("2026-02", "challenger"): (20, 80),
}
MODELS = ["--predicted", "champion=champion", "--predicted", "challenger=challenger"]
SIDES = ["--facet", "sex", "--disfavored", "F", "--favored", "M"]
AUDIT = ["audit", "months.parquet", *SIDES, "--metric", "dppl", "--replicates", "200"]
JANUARY = [*AUDIT, "--where", "month = DATE '2026-01-01'", *MODELS, "--champion", "champion"]


@pytest.fixture(autouse=True)
def months(place: Path) -> None:
    """Write a file of two months, in which the first rows of each sex are the accepted ones."""
    rows = [
        {
            "month": date.fromisoformat(f"{month}-01"),
            "sex": sex,
            **{
                model: person < ACCEPTED[month, model][side] for model in ("champion", "challenger")
            },
        }
        for month in ("2026-01", "2026-02")
        for side, sex in enumerate("FM")
        for person in range(100)
    ]
    pl.DataFrame(rows).write_parquet(place / "months.parquet")


def records(run: Run, *words: str) -> list[dict[str, Any]]:
    code, out, err = run(*words, "--format", "json")
    assert (code, err) == (0, "")
    found: list[dict[str, Any]] = json.loads(out)
    return found


JANUARY_FILE = "january.parquet"


def write_january(run: Run) -> None:
    """Write the cells of January, which a later month is compared with."""
    words = ["--where", "month = DATE '2026-01-01'", "--facet", "sex", "--predicted", "champion"]
    assert run("cells", "months.parquet", *words, "--output", JANUARY_FILE)[0] == 0


def test_a_baseline_is_a_file_of_rows_or_cells(run: Run) -> None:
    """The champion accepts 50 and 50 in January, 20 and 80 in February."""
    write_january(run)
    pl.read_parquet("months.parquet").filter(pl.col("month") < date(2026, 2, 1)).write_csv("j.csv")
    words = ["audit", "months.parquet", *AUDIT[2:], "--predicted", "champion"]
    words += ["--where", "month = DATE '2026-02-01'"]
    of_cells = records(run, *words, "--baseline", JANUARY_FILE, "--baseline-count", "n")
    assert of_cells == records(run, *words, "--baseline", "j.csv")
    [row] = of_cells
    assert (row["reference"], row["difference"]) == (0, pytest.approx(0.6))
    code, _, err = run(*words, "--baseline", "j.csv", "--fail-on", "worse")
    assert (code, err) == (1, "polars-fairness: --fail-on: 1 of 1 changes are worse: 'dppl'\n")


def test_drift_is_expected_of_metrics_with_a_band(run: Run) -> None:
    """The rule of Clarify needs a band and an interval: gaps have no band, two_sd no interval."""
    write_january(run)
    words = ["audit", "months.parquet", *SIDES, "--predicted", "champion", "--replicates", "200"]
    words += ["--where", "month = DATE '2026-01-01'", "--baseline", JANUARY_FILE]
    words += ["--baseline-count", "n", "--drift", "clarify", "--fail-on", "worse"]
    code, out, err = run(*words, "--metric", "dppl,selection_rate_gap")
    assert code == 0
    assert "'selection_rate_gap' cannot be judged without an acceptable band" in err
    assert "no band" in out
    code, out, err = run(*words, "--metric", "dppl,two_sd")
    assert code == 1
    assert "1 of 2 changes are without an interval: 'two_sd'" in err
    assert "no interval" in out
    code, _, err = run(*words, "--metric", "selection_rate_gap")
    assert code == 2
    assert "nothing to judge: --drift clarify compares intervals with bands" in err


def groups(names: str) -> pl.DataFrame:
    """Of two thousand people of each group, half are accepted."""
    rows = [(group, person % 2 == 0) for group in names for person in range(2_000)]
    return pl.DataFrame(rows, schema=["race", "p"], orient="row")


GROUPS = ["audit", "today.parquet", "--facet", "race", "--predicted", "p", "--replicates", "50"]


@pytest.mark.parametrize(
    ("metric", "groups_today", "fail_on", "words"),
    [
        # Metrics with a band, without one, and of all groups together.
        ("dppl", "AB", "outside", "1 of 3 rows are gone: 'race: C against everyone else'"),
        ("cohens_d", "AB", "worse", "1 of 3 rows are gone: 'race: C against everyone else'"),
        ("selection_rate_gap", "AB", "uncertain", "1 of 2 rows are gone: 'race: C'"),
        ("dppl", "ABCD", "worse", "1 of 4 rows are new: 'race: D against everyone else'"),
        ("selection_rate_gap", "ABCD", "outside,worse", "1 of 2 rows are new: 'race: D'"),
    ],
)
def test_a_group_that_vanished_or_is_new_fails_the_gate(
    metric: str, groups_today: str, fail_on: str, words: str, run: Run
) -> None:
    groups("ABC").write_parquet("then.parquet")
    groups(groups_today).write_parquet("today.parquet")
    gate = ["--metric", metric, "--baseline", "then.parquet", "--fail-on", fail_on]
    code, out, err = run(*GROUPS, *gate)
    assert code == 1
    assert err.startswith(f"polars-fairness: --fail-on: {words}")
    kind = "row gone" if "gone" in words else "row new"
    code, out, _ = run(*GROUPS, *gate, "--format", "junit")
    types = [case[0].attrib["type"] for case in cases_of(out) if outcome_of(case) == "error"]
    # A gap of other groups has no change, which is an error of its own.
    assert (code, [each for each in types if each != "change undefined"]) == (1, [kind])
    code, out, _ = run(*GROUPS, *gate, "--format", "github")
    assert (code, "::error" in out) == (1, True)
    if metric == "dppl":
        assert run(*GROUPS, *gate, "--allow-undefined")[0] == 0


def test_a_window_that_vanished_fails_the_gate(run: Run) -> None:
    north = groups("AB").with_columns(region=pl.lit("n"))
    south = north.with_columns(region=pl.lit("s"))
    pl.concat([north, south]).write_parquet("then.parquet")
    north.write_parquet("today.parquet")
    words = ["--metric", "dppl,cohens_d", "--by", "region", "--baseline", "then.parquet"]
    code, out, err = run(*GROUPS, *words, "--fail-on", "outside")
    assert (code, err) == (1, "polars-fairness: --fail-on: 2 of 4 rows are gone: 'region s'\n")
    assert "region s, race: A (0) against B (0)" in out
    # Without a row today, all of it vanished.
    north.clear().write_parquet("today.parquet")
    code, _, err = run(*GROUPS, *words, "--fail-on", "outside,worse")
    assert code == 1
    assert "4 of 4 rows are gone: 'region n' and 'region s'" in err
    code, _, err = run(*GROUPS, *words, "--fail-on", "outside", "--allow-undefined")
    assert code == 2
    assert "nothing was judged" in err


def test_a_gate_fails_for_the_worse(run: Run) -> None:
    code, out, err = run(*JANUARY, "--fail-on", "worse")
    assert (code, err) == (1, "polars-fairness: --fail-on: 1 of 1 changes are worse: 'dppl'\n")
    assert "F        outside" in out
    code, _, err = run(*JANUARY, "--fail-on", "outside,worse")
    assert (code, err) == (
        1,
        "polars-fairness: --fail-on: 1 of 2 verdicts are outside: 'dppl', of 'model challenger, "
        "sex: F against M'; 1 of 1 changes are worse: 'dppl'\n",
    )


def test_an_unclear_change_passes_and_is_named(run: Run) -> None:
    """Both models accept 20 and 80 in February, so that the difference is 0."""
    words = [word.replace("2026-01-01", "2026-02-01") for word in JANUARY]
    unclear = "--fail-on: 1 of 1 changes are unclear, and pass: 'dppl'"
    code, _, err = run(*words, "--fail-on", "worse")
    assert (code, err) == (0, f"polars-fairness: {unclear}\n")
    code, out, _ = run(*words, "--fail-on", "worse", "--format", "junit")
    assert code == 0
    assert [outcome_of(case) for case in cases_of(out)] == ["skipped"]


# Rows of an audit with a contrast: what is known of each, and how a gate that fails for the worse
# shows it, first as it is, then with --allow-undefined.
ROWS: dict[str, tuple[dict[str, Any], str, str]] = {
    "worse": ({"change": "worse"}, "failure", "failure"),
    "worse by itself": ({"change": "worse", TOGETHER: "unclear"}, "skipped", "skipped"),
    "better": ({"change": "better"}, "passed", "passed"),
    "same": ({"change": "same"}, "passed", "passed"),
    "unclear": ({"change": "unclear"}, "skipped", "skipped"),
    "no interval": ({"change": "unclear", "difference_lower": None}, "error", "skipped"),
    "no value": ({"change": None, "value": None}, "error", "skipped"),
    "no reference": ({"change": None, "reference": None}, "error", "skipped"),
    "no ideal": ({"change": "unclear", "ideal": None}, "", ""),
    "excused": ({"change": None, "reference": None, EXCUSED: True}, "", ""),
}


def contrast(**changes: Any) -> pl.DataFrame:
    known = {"reference": 0.2, "difference": 0.3, "difference_lower": 0.1, "difference_upper": 0.4}
    row = known | {
        "change": None,
        EXCUSED: False,
        NAMED: True,
        "band_lower": -0.1,
        "band_upper": 0.1,
    }
    numbers = ("value", "reference", "ideal", "difference_lower")
    row |= changes
    columns = {name: [value] for name, value in ({TOGETHER: row["change"]} | row).items()}
    return answer_of(columns).with_columns(
        pl.col(numbers).cast(pl.Float64), pl.col("change", TOGETHER).cast(pl.String)
    )


@pytest.mark.parametrize("allow_undefined", [False, True])
@pytest.mark.parametrize("name", ROWS)
def test_what_is_not_judged_does_not_pass(name: str, allow_undefined: bool) -> None:
    changes, *shown = ROWS[name]
    answer = pl.concat([contrast(**changes), contrast(change="better")])
    gate = Gate(("worse",), allow_undefined=allow_undefined)
    verdicts = shown_verdicts(answer, gate, has_one_outcome=False)
    outcomes = [outcome_of(case) for case in cases_of(as_junit(verdicts))]
    expected = shown[allow_undefined]
    assert outcomes == [*filter(None, [expected]), "passed"]
    fails = expected in ("failure", "error")
    assert (gate.complaint(answer) is not None) is fails
    assert ("::error" in as_annotations(verdicts)) is fails
    assert (gate.note(answer) is not None) is (name in ("unclear", "worse by itself"))


@pytest.mark.parametrize("fail_on", [("outside", "worse"), ("uncertain", "worse"), ("outside",)])
@pytest.mark.parametrize("verdict", ["within", "uncertain", "outside"])
@pytest.mark.parametrize("change", ["worse", "better", "unclear"])
def test_verdicts_and_changes_fail_together(
    fail_on: tuple[FailOn, ...], verdict: str, change: str
) -> None:
    answer = contrast(verdict=verdict, change=change)
    gate = Gate(fail_on, allow_undefined=False)
    fails = {
        "outside": verdict == "outside",
        "uncertain": verdict != "within",
        "worse": change == "worse",
    }
    failed = any(fails[each] for each in fail_on)
    assert (gate.complaint(answer) is not None) is failed
    [case] = cases_of(as_junit(shown_verdicts(answer, gate, has_one_outcome=False)))
    assert (outcome_of(case) == "failure") is failed
    is_sure = verdict == "within" and (change == "better" or "worse" not in fail_on)
    assert (outcome_of(case) == "passed") is is_sure
