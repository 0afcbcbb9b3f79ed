"""The command `lending`: groups beside their reference, by share accepted, and its gate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import polars.testing
import pytest

import polars_fairness as pf
from polars_fairness.cli.gates import complaint_of_flags
from tests.conftest import Run

pytestmark = pytest.mark.extras  # p-values need scipy

# How many of a group are accepted, and how many there are.
GROUPS = {"Asian": (45, 100), "Black": (30, 100), "White": (100, 200), None: (10, 20)}

APPLICANTS = pl.DataFrame(
    [
        {"race": race, "approved": approved, "score": 0.7 if approved else 0.3, "people": people}
        for race, (accepted, n) in GROUPS.items()
        for approved, people in ((True, accepted), (False, n - accepted))
    ]
)

RACE = ["--facet", "race", "--favored", "White", "--count", "people", "--confidence", "none"]
APPROVED = [*RACE, "--predicted", "approved"]


@pytest.fixture(autouse=True)
def applicants(place: Path) -> Path:
    path = place / "applicants.parquet"
    APPLICANTS.write_parquet(path)
    return path


def lending(run: Run, *words: str) -> tuple[int, str, str]:
    return run("lending", "applicants.parquet", *words)


def records(run: Run, *words: str) -> list[dict[str, Any]]:
    code, out, _ = lending(run, *words, "--format", "json")
    assert code == 0
    found: list[dict[str, Any]] = json.loads(out)
    return found


OF_GROUPS = """\
  group  rows   rate    air  points  odds_ratio    smd  shortfall  to_4/5       p  flag

race: against White (200, rate 0.500)
  Asian   100  0.450  0.900     5.0       0.818  0.100          5       0  0.4627  no
  Black   100  0.300  0.600    20.0       0.429  0.410         20      10  0.0013  flagged

race: 20 unknown, 0 dropped
flagged: air below 0.8, points above 0 and p below 0.05
"""


def test_a_terminal_shows_every_number_beside_the_reference(run: Run) -> None:
    """The odds are (30/70) / (100/100), and the p-values those of `scipy.stats.fisher_exact`.

    Scores vary as decisions do: 0.2 over the root of (200 · 0.25 + 100 · 0.21) / 298 is 0.410.
    """
    assert lending(run, *APPROVED, "--score", "score") == (0, OF_GROUPS, "")


def test_without_scores_there_are_no_numbers_of_them(run: Run) -> None:
    out = lending(run, *APPROVED)[1]
    assert "smd" not in out
    assert "shortfall" in out


OF_SHARES = """\
  share  threshold  accepted_share   rate  reference_rate    air  points  p

race: Asian (100) against White (200)
    0.1        0.7           0.100  0.102           0.114  0.900     1.1
    0.5        0.3           0.500  0.509           0.553  0.919     4.5

race: Black (100) against White (200)
    0.1        0.7           0.100  0.068           0.114  0.600     4.5
    0.5        0.3           0.500  0.374           0.553  0.677    17.9

race: 20 unknown, 0 dropped
"""


def test_shares_accept_the_best_scores(run: Run) -> None:
    """Of 420 rows 185 tie for 42 places; for 210 places, 235 more tie for the last 25."""
    assert lending(run, *RACE, "--score", "score", "--shares", "0.1,0.5") == (0, OF_SHARES, "")
    both = lending(run, *APPROVED, "--score", "score", "--shares", "0.1", "--shares", "0.5")[1]
    of_groups, _, notes = OF_GROUPS.partition("race: 20 unknown")
    of_shares, _, _ = OF_SHARES.partition("race: 20 unknown")
    assert both == f"{of_groups}{of_shares}race: 20 unknown{notes}"
    by_default = records(run, *RACE, "--score", "score", "--table", "quantiles")
    assert [row["share"] for row in by_default[::2]] == [n / 10 for n in range(1, 10)]


WITHIN_DEPARTMENTS = """\
  group    rows  segments  mh_odds_ratio  interval           cmh       p  breslow_day   its_p

sex: against Male (2,691)
  Female  1,835         6          1.105  0.943 to 1.295  -1.235  0.2278       18.826  0.0021

sex: 0 unknown, 0 dropped
"""


def test_segments_are_those_of_the_subgroups(run: Run) -> None:
    """`StratifiedTable` of statsmodels: `oddsratio_pooled`, `test_null_odds`, whose statistic is
    the square of 1.235, and `test_equal_odds`.
    """
    pf.datasets.berkeley().write_parquet("berkeley.parquet")
    words = ["--facet", "sex", "--favored", "Male", "--predicted", "admitted", "--count", "n"]
    call = ["lending", "berkeley.parquet", *words, "--subgroup", "department"]
    assert run(*call, "--table", "segments") == (0, WITHIN_DEPARTMENTS, "")
    assert run(*call)[1].count(WITHIN_DEPARTMENTS.partition("\n\nsex: 0")[0]) == 1


def test_shares_alone_need_no_decisions_and_leave_thresholds_alone(run: Run) -> None:
    words = [*RACE, "--score", "score", "--shares", "0.1,0.5"]
    assert lending(run, *words, "--subgroup", "approved") == (0, OF_SHARES, "")
    decided = lending(run, *words, "--threshold", "0.5", "--subgroup", "approved")[1]
    titles = [line for line in decided.splitlines() if line.startswith(("  group", "  share"))]
    assert [line.split()[2] for line in titles] == ["rate", "accepted_share", "segments"]
    assert OF_GROUPS.partition("\n\nrace: 20")[0] in decided


@pytest.mark.parametrize("name", ["table", "quantiles", "segments"])
def test_a_format_has_the_table_that_is_chosen(name: str, run: Run) -> None:
    question: dict[str, Any] = {"facet": "race", "favored": "White", "count": "people"}
    own: dict[str, Any] = {
        "table": {"predicted": "approved", "score": "score"},
        "quantiles": {"shares": [0.2], "score": "score"},
        "segments": {"predicted": "approved", "score": "score", "subgroup": "branch"},
    }
    rows = APPLICANTS.with_columns(branch=pl.lit("N"))
    rows.write_parquet("applicants.parquet")
    words = [*APPROVED, "--score", "score", "--shares", "0.2", "--subgroup", "branch"]
    words += ["--table", name]
    expected = getattr(pf.lending, name)(rows, **question, **own[name], confidence=None)
    assert lending(run, *words, "--output", "table.parquet") == (0, "", "")
    pl.testing.assert_frame_equal(pl.read_parquet("table.parquet"), expected)
    assert {row["schema"] for row in records(run, *words)} == {
        f"urn:polars-fairness:lending_{name}:1"
    }
    samples = lending(run, *words, "--format", "openmetrics")[1]
    # Of rows that are accepted in part there is no p-value.
    number = "air" if name == "quantiles" else "p_value"
    assert f"polars_fairness_lending_{name}_{number}{{" in samples


def test_models_and_thresholds_are_windows(run: Run) -> None:
    models = ["--predicted", "now=approved", "--predicted", "next=score", "--threshold", "next=0.3"]
    out = lending(run, *RACE, *models)[1]
    assert "\nmodel next, race: against White (200, rate 1.000)\n" in out
    assert "\nmodel now, race: against White (200, rate 0.500)\n" in out
    rows = records(run, *RACE, "--score", "score", "--threshold", "0.3,0.7")
    assert {(row["threshold"], row["reference_rate"]) for row in rows} == {(0.3, 1.0), (0.7, 0.5)}


def test_a_reference_is_found_in_the_rows(run: Run) -> None:
    words = [*APPROVED[:2], "--reference", "largest", *APPROVED[4:]]
    assert [row["favored"] for row in records(run, *words)] == ["White", "White"]


def test_flagged_groups_fail_the_gate(run: Run) -> None:
    code, _, err = lending(run, *APPROVED, "--fail-on", "flagged", "--format", "markdown")
    failed = "polars-fairness: --fail-on: 1 of 2 groups are flagged: 'race: Black'\n"
    assert (code, err) == (1, failed)
    others = ["--where", "race <> 'Black'"]
    assert lending(run, *APPROVED, "--fail-on", "flagged", *others)[::2] == (0, "")
    of_shares = [*APPROVED, "--score", "score", "--table", "quantiles", "--fail-on", "flagged"]
    code, out, err = lending(run, *of_shares)
    assert (code, err) == (1, failed)
    assert out.startswith("  share")


def test_the_gate_names_the_window_of_a_flagged_group(run: Run) -> None:
    """Black applicants, who are flagged, have applied under one letter only."""
    letters = pl.DataFrame({"letter": ["a", "b"]})
    applicants = APPLICANTS.join(letters, how="cross").filter(
        (pl.col("letter") == "a") | (pl.col("race") != "Black")
    )
    applicants.write_parquet("applicants.parquet")
    err = lending(run, *APPROVED, "--by", "letter", "--fail-on", "flagged")[2]
    assert "1 of 3 groups are flagged: 'letter a, race: Black'\n" in err


def test_groups_that_could_not_be_judged_fail_the_gate(run: Run) -> None:
    """No branch but the first has a reference."""
    branches = APPLICANTS.with_columns(
        branch=pl.when(pl.col("race") == "Black").then(pl.lit("S")).otherwise(pl.lit("N"))
    )
    branches.write_parquet("applicants.parquet")
    words = [*APPROVED, "--by", "branch", "--fail-on", "flagged"]
    code, out, err = lending(run, *words)
    assert code == 1
    assert "could not be judged" in err
    assert "not judged" in out
    assert lending(run, *words, "--allow-undefined")[::2] == (0, "")
    only = lending(run, *words, "--where", "branch = 'S'", "--allow-undefined")
    assert only[0] == 2


def test_groups_without_a_ratio_fail_the_gate(run: Run) -> None:
    """At 0.8 no one is accepted, so that no group is accepted less than another."""
    words = [*RACE, "--score", "score", "--threshold", "0.7,0.8", "--fail-on", "flagged"]
    code, out, err = lending(run, *words, "--where", "race <> 'Black'")
    assert code == 1
    assert "--fail-on: 1 of 2 groups have no ratio: 'threshold 0.8, race: Asian'; all rows" in err
    assert out.count(" no ratio\n") == 1


def test_a_gate_without_any_group_that_was_judged_is_an_error() -> None:
    columns = {"facet": ["race", "race"], "disfavored": ["Asian", "Black"]}
    ratios = {"air": [0.5, None], "is_flagged": [None, False]}
    answer = pl.DataFrame({**columns, **ratios})
    for is_allowed in (True, False):
        with pytest.raises(pf.FairnessError, match="nothing was judged: 2 of 2 groups"):
            complaint_of_flags(answer, "air", allow_undefined=is_allowed, has_one_outcome=False)


def test_a_threshold_that_accepts_all_rows_fails_the_gate(run: Run) -> None:
    words = [*RACE, "--score", "score", "--threshold", "0.1", "--fail-on", "flagged"]
    code, _, err = lending(run, *words)
    assert code == 1
    note, failed = err.splitlines()
    assert "--threshold: 0.1 makes every row of 'score' positive" in note
    assert failed == "polars-fairness: --fail-on: all rows have one outcome"
    assert lending(run, *words, "--allow-undefined")[0] == 0


ABOUT = {"title": "Loans", "subject": "2025", "author": "A", "date": "2026-01-31"}
TYPED = [word for name, text in ABOUT.items() for word in (f"--{name}", text)]


def test_a_page_says_what_was_typed(run: Run) -> None:
    rows = APPLICANTS.with_columns(branch=pl.lit("N"))
    rows.write_parquet("applicants.parquet")
    Path("notes.md").write_text("# Scope", "utf-8")
    words = [*APPROVED, "--score", "score", "--shares", "0.2", "--subgroup", "branch"]
    words += [*TYPED, "--model", "credit", "--model-version", "3", "--notes", "notes.md"]
    limits = ["--minimum-ratio", "0.5", "--maximum-points", "2.5", "--significance", "0.01"]
    code, out, err = lending(run, *words, *limits, "--html", "a.html", "--json", "a.json")
    assert (code, err) == (0, "")
    assert out.endswith("flagged: air below 0.5, points above 2.5 and p below 0.01\n")
    question: dict[str, Any] = {"facet": "race", "favored": "White", "count": "people"}
    question |= {"predicted": "approved", "score": "score", "subgroup": "branch"}
    options: dict[str, Any] = {
        "minimum_ratio": 0.5,
        "maximum_points": 2.5,
        "significance": 0.01,
        "confidence": None,
    }
    about: dict[str, Any] = {**ABOUT, "model": "credit", "version": "3", "notes": "# Scope"}
    report = pf.lending.report(rows, **question, **options, shares=[0.2])
    report.write_json("b.json", **about)
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()
    assert "<h1>Loans</h1>" in Path("a.html").read_text("utf-8")
