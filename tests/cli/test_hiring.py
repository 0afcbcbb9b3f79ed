"""The command `hiring`: impact ratios, the four-fifths rule, and its gate."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import polars as pl
import polars.testing
import pytest

import polars_fairness as pf
from tests.conftest import Run

QUESTION = ["--sex", "sex", "--race", "race"]
SELECTED = [*QUESTION, "--selected", "hired", "--confidence", "none"]

# The people of the rule's own examples (6 RCNY 5-301), by race, and those of unknown race.
HIRED = {"Hispanic": 18, "White": 15, "Black": 16, "Pacific": 5, "Asian": 10, None: 20}
REJECTED = {"Hispanic": 10, "White": 25, "Black": 16, "Pacific": 3, "Asian": 14, None: 16}
WOMEN = {True: 34, False: 42}


def people() -> Iterator[dict[str, Any]]:
    for hired, races in ((True, HIRED), (False, REJECTED)):
        of_races = [race for race, n in races.items() for _ in range(n)]
        for i, race in enumerate(of_races):
            sex = "Female" if i < WOMEN[hired] else "Male"
            yield {"sex": sex, "race": race, "hired": hired, "score": float(hired) + i / 100}


PEOPLE = pl.DataFrame(list(people()))


@pytest.fixture(autouse=True)
def applicants(place: Path) -> Path:
    path = place / "applicants.parquet"
    PEOPLE.write_parquet(path)
    return path


def hiring(run: Run, *words: str) -> tuple[int, str, str]:
    return run("hiring", "applicants.parquet", *words)


@pytest.mark.extras
def test_without_a_table_all_are_shown_and_the_unknown_people_once(run: Run) -> None:
    of_one = [
        hiring(run, *SELECTED, "--table", name)[1] for name in ("impact_ratios", "adverse_impact")
    ]
    (ratios, notes), (impact, _) = (text.rsplit("\n\n", 1) for text in of_one)
    code, out, err = hiring(run, *SELECTED)
    assert (code, err) == (0, "")
    assert out.startswith(ratios)
    assert impact in out
    assert out.endswith(f"\n\n{notes}")
    assert out.count("\nrace: 36 unknown") == 1


@pytest.mark.extras
def test_a_narrow_terminal_shows_every_number_whole(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    long = pl.col("race").str.replace("Black", "Black or African American")
    PEOPLE.with_columns(long).write_parquet("applicants.parquet")
    out = hiring(run, *SELECTED, "--replicates", "20")[1]
    assert max(map(len, out.splitlines())) <= 80
    assert {"0.778", "0.3052"} <= {*out.split()}


def test_scoring_rates_are_above_the_median(run: Run) -> None:
    """The 84 people who were hired have scores from 1.00 up, the other 84 down from 0.83."""
    words = [*QUESTION, "--score", "score"]
    out = hiring(run, *words)[1]
    assert "by sex, median 0.915\n" in out
    assert "scoring_rate" in out
    assert "against" not in out


def test_excluded_categories_have_a_reason(run: Run) -> None:
    """2 of 100 are no smaller share than 0.02, and 1 of 100 is."""
    rare = pl.DataFrame({"sex": ["F", "M", "X"], "race": ["A", "B", "B"], "n": [49, 50, 1]})
    rare.with_columns(hired=pl.Series([True, False, True])).write_parquet("rare.parquet")
    reason = ["--exclude-below", "0.02", "--justification", "one person"]
    words = ["--sex", "sex", "--race", "race", "--count", "n", "--selected", "hired"]
    run_of = ["hiring", "rare.parquet", *words, "--table", "impact_ratios"]
    code, out, _ = run(*run_of, *reason)
    assert code == 0
    assert re.search(r"^  X +1 +0\.010 +1 +1\.000 +excluded$", out, re.MULTILINE)
    assert re.search(r"^  F +49 +0\.490 +49 +1\.000 +1\.000$", out, re.MULTILINE)
    assert out.endswith("\nexcluded: less than 2 % of the people; one person\n")
    assert "excluded" not in run(*run_of)[1]


@pytest.mark.extras
@pytest.mark.parametrize("name", ["impact_ratios", "adverse_impact"])
def test_a_format_has_the_table_that_is_chosen(name: str, run: Run) -> None:
    words = [*SELECTED, "--table", name]
    question: dict[str, Any] = {"selected": "hired", "confidence": None}
    facets = (
        {"sex": "sex", "race": "race"} if name == "impact_ratios" else {"facet": ["sex", "race"]}
    )
    expected = getattr(pf.hiring, name)(PEOPLE, **facets, **question)
    assert hiring(run, *words, "--output", "table.parquet") == (0, "", "")
    pl.testing.assert_frame_equal(pl.read_parquet("table.parquet"), expected)
    found = json.loads(hiring(run, *words, "--format", "json")[1])
    assert {row["schema"] for row in found} == {f"urn:polars-fairness:hiring_{name}:1"}
    csv = pl.read_csv(StringIO(hiring(run, *words, "--format", "csv")[1]))
    assert (csv.columns, csv.height) == (expected.columns, expected.height)
    assert hiring(run, *words, "--format", "markdown")[1].count("\n") == expected.height + 2
    samples = hiring(run, *words, "--format", "openmetrics")[1]
    assert f'polars_fairness_hiring_{name}_rate{{facet="sex",' in samples


PUBLISHED: dict[str, Any] = {
    "audit_date": "2026-01-31",
    "data": "All applications of 2025",
    "distribution_date": "2025-06-30",
    "test_data": "Made up",
}
TEXTS = {"model": "Screener <2>", "author": "A. Auditor", "title": "Bias audit"}
TYPED = [
    w
    for name, text in {**PUBLISHED, **TEXTS}.items()
    for w in (f"--{name.replace('_', '-')}", text)
]


@pytest.mark.extras
def test_a_page_says_what_was_typed(run: Run) -> None:
    Path("notes.md").write_text("# Scope\n\nAll <people>.", "utf-8")
    words = [*TYPED, "--notes", "notes.md", "--html", "a.html", "--json", "a.json"]
    code, out, err = hiring(run, *SELECTED, *words)
    assert (code, err) == (0, "")
    assert "by sex & race" in out
    question: dict[str, Any] = {"sex": "sex", "race": "race", "selected": "hired"}
    notes = "# Scope\n\nAll <people>."
    report = pf.hiring.report(PEOPLE, **question, **PUBLISHED, confidence=None)
    report.write_html("b.html", **TEXTS, notes=notes)
    report.write_json("b.json", **TEXTS, notes=notes)
    for kind in ("html", "json"):
        assert Path(f"a.{kind}").read_bytes() == Path(f"b.{kind}").read_bytes()
    assert "Screener &lt;2&gt;" in Path("a.html").read_text("utf-8")


@pytest.mark.extras
def test_flagged_groups_fail_the_gate(run: Run) -> None:
    """15 of 40 beside 18 of 28 is below four fifths, and has a p-value of 0.048 in scipy."""
    code, out, err = hiring(run, *SELECTED, "--fail-on", "flagged", "--format", "csv")
    assert (code, err) == (
        1,
        "polars-fairness: --fail-on: 1 of 5 groups are flagged: 'race: White'\n",
    )
    assert out.startswith("facet,value,")
    words = [*SELECTED, "--where", "race <> 'White' OR race IS NULL", "--fail-on", "flagged"]
    assert hiring(run, *words)[::2] == (0, "")


@pytest.mark.extras
def test_groups_that_could_not_be_judged_fail_the_gate(run: Run) -> None:
    """By sex there is one group; with no one hired, there is no ratio at all."""
    words = [*SELECTED, "--fail-on", "flagged", "--where"]
    women = "sex = 'Female'"
    code, out, err = hiring(run, *words, women)
    assert code == 1
    assert err.endswith("1 of 3 groups could not be judged: 'sex'\n")
    assert "\nsex\n  no two groups" in out
    not_judged = err.partition("; ")[0] + "\n"
    assert hiring(run, *words, women, "--allow-undefined")[::2] == (1, not_judged)
    for nothing in ("NOT hired", "sex = 'X'"):
        code, out, err = hiring(run, *words, nothing, "--allow-undefined")
        assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.extras
def test_windows_without_a_ratio_fail_the_gate(run: Run) -> None:
    """In the north no one is hired, so that no rate there differs from the highest."""
    people = {
        "sex": ["F", "M"] * 4,
        "race": ["A"] * 4 + ["B"] * 4,
        "office": ["N", "N", "S", "S"] * 2,
    }
    hired = [False, False, True, True] * 2
    pl.DataFrame({**people, "hired": hired}).write_parquet("applicants.parquet")
    words = [*SELECTED, "--by", "office", "--fail-on", "flagged"]
    code, out, err = hiring(run, *words)
    names = "'office N, race: B' and 'office N, sex: M'"
    failed = f"--fail-on: 2 of 4 groups could not be judged: {names}"
    assert (code, err) == (1, f"polars-fairness: {failed}\n")
    assert out.count(" not judged\n") == 2
    assert hiring(run, *words, "--allow-undefined")[::2] == (0, "")


@pytest.mark.extras
def test_one_outcome_of_all_people_fails_the_gate(run: Run) -> None:
    words = pl.when("hired").then(pl.lit("yes")).otherwise(pl.lit("no"))
    PEOPLE.with_columns(hired=words).write_parquet("applicants.parquet")
    both = ["--positive", "yes", "--positive", "no", "--fail-on", "flagged"]
    code, _, err = hiring(run, *SELECTED, *both)
    assert code == 1
    note, failed = err.splitlines()
    assert "--positive: 'yes' and 'no' make every row of 'hired' positive" in note
    assert failed.endswith("all rows have one outcome")
