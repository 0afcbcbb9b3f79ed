"""The commands `hiring` and `lending`: which table is written, and the gate of flagged groups."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from tests.conftest import Run

pytestmark = pytest.mark.extras  # p-values need scipy

# How many of a group are accepted, and how many there are.
GROUPS: Final = {"Asian": (45, 100), "Black": (30, 100), "White": (100, 200), None: (10, 20)}
APPLICANTS: Final = pl.DataFrame(
    [
        {"race": race, "approved": approved, "score": 0.7 if approved else 0.3, "people": people}
        for race, (accepted, n) in GROUPS.items()
        for approved, people in ((True, accepted), (False, n - accepted))
    ]
).with_columns(branch=pl.lit("N"), letter=pl.lit("a"))
# The people of the rule's own examples (6 RCNY 5-301), by race; by sex 34 of 76 and 50 of 92.
HIRED: Final = {"Hispanic": (18, 28), "White": (15, 40), "Black": (16, 32), "Asian": (10, 24)}
CANDIDATES: Final = pl.DataFrame(
    [
        {"race": race, "sex": sex, "hired": hired, "people": people, "score": 0.5 * hired}
        for race, (accepted, n) in HIRED.items()
        for hired, number in ((True, accepted), (False, n - accepted))
        for sex, people in (("F", number // 2), ("M", number - number // 2))
    ]
)
LEND: Final = "lending rows.parquet --facet race --favored White --count people --confidence none"
HIRE: Final = "hiring rows.parquet --sex sex --race race --count people --confidence none"


def typed(rows: pl.DataFrame, words: str, run: Run) -> tuple[int, str, str]:
    rows.write_parquet("rows.parquet")
    return run(*words.split())


DECIDED: Final = f"{LEND} --predicted approved"
BY_SCORE: Final = f"{LEND} --score score"
SELECTED: Final = f"{HIRE} --selected hired"
IS_BLACK: Final = pl.col("race") == "Black"
TWO_LETTERS: Final = pl.concat(
    [APPLICANTS, APPLICANTS.filter(~IS_BLACK).with_columns(letter=pl.lit("b"))]
)
APART: Final = APPLICANTS.with_columns(
    branch=pl.when(IS_BLACK).then(pl.lit("S")).otherwise(pl.lit("N"))
)
NONE_IN_THE_NORTH: Final = pl.DataFrame(
    {
        "sex": ["F", "M"] * 4,
        "race": ["A"] * 4 + ["B"] * 4,
        "office": ["N", "N", "S", "S"] * 2,
        "hired": [False, False, True, True] * 2,
        "people": 1,
    }
)

# What is typed, with the end of stderr; and the exit code with --allow-undefined.
GATES: Final[dict[str, tuple[pl.DataFrame, str, int, str, int]]] = {
    "flagged": (APPLICANTS, DECIDED, 1, "1 of 2 groups are flagged: 'race: Black'", 1),
    "no other": (APPLICANTS.filter(~IS_BLACK.fill_null(value=False)), DECIDED, 0, "", 0),
    "by share": (
        *(APPLICANTS, f"{DECIDED} --score score --table quantiles", 1),
        *("1 of 2 groups are flagged: 'race: Black'", 1),
    ),
    "one window": (
        *(TWO_LETTERS, f"{DECIDED} --by letter", 1),
        *("1 of 3 groups are flagged: 'letter a, race: Black'", 1),
    ),
    "no reference": (APART, f"{DECIDED} --by branch", 1, "could not be judged", 0),
    "no ratio": (
        *(APPLICANTS.filter(~IS_BLACK), f"{BY_SCORE} --threshold 0.7,0.8", 1),
        *("1 of 2 groups have no ratio: 'threshold 0.8, race: Asian'", 0),
    ),
    "all accepted": (
        *(APPLICANTS, f"{BY_SCORE} --threshold 0.1", 1, "all rows have one outcome", 0),
    ),
    "hiring": (CANDIDATES, SELECTED, 1, "1 of 4 groups are flagged: 'race: White'", 1),
    "one sex": (CANDIDATES.filter(sex="F"), SELECTED, 1, "could not be judged: 'sex'", 0),
    "none hired": (
        CANDIDATES.filter(~pl.col("hired")),
        SELECTED,
        2,
        "none of the 4 groups could be judged",
        2,
    ),
    "one office": (
        *(NONE_IN_THE_NORTH, f"{SELECTED} --by office", 1),
        *("could not be judged: 'office N, sex: M' and 'office N, race: B'", 0),
    ),
}


@pytest.mark.parametrize("name", GATES)
def test_flagged_groups_and_those_not_judged_fail_the_gate(name: str, run: Run) -> None:
    rows, words, code, said, allowed = GATES[name]
    found, _, err = typed(rows, f"{words} --fail-on flagged", run)
    assert (found, said in err) == (code, True), err
    assert typed(rows, f"{words} --fail-on flagged --allow-undefined", run)[0] == allowed


ABOUT: Final = {"title": "Loans", "author": "A", "date": "2026-01-31", "model": "credit"}
PUBLISHED: Final[dict[str, Any]] = {
    "audit_date": "2026-01-31",
    "data": "All",
    "distribution_date": "2025-06-30",
    "test_data": "Made",
}


def as_options(texts: dict[str, str]) -> str:
    return " ".join(f"--{name.replace('_', '-')} {text}" for name, text in texts.items())


def test_a_page_says_what_was_typed(run: Run) -> None:
    Path("notes.md").write_text("# Scope", "utf-8")
    files = f"{as_options(ABOUT)} --notes notes.md --html a.html --overwrite"
    texts: dict[str, Any] = {**ABOUT, "notes": "# Scope"}
    words = f"{DECIDED} --score score --shares 0.2 --subgroup branch --minimum-ratio 0.5"
    assert typed(APPLICANTS, f"{words} {files}", run)[0] == 0
    question: dict[str, Any] = {"facet": ["race"], "favored": {"race": "White"}, "count": "people"}
    question |= {"predicted": "approved", "score": "score", "subgroup": "branch"}
    lending = pf.lending.report(
        APPLICANTS, **question, shares=[0.2], minimum_ratio=0.5, confidence=None
    )
    lending.write_html("b.html", **texts)
    assert Path("a.html").read_bytes() == Path("b.html").read_bytes()
    assert "<h1>Loans</h1>" in Path("a.html").read_text("utf-8")
    assert typed(CANDIDATES, f"{SELECTED} {as_options(PUBLISHED)} {files}", run)[0] == 0
    people: dict[str, Any] = {"sex": "sex", "race": "race", "selected": "hired"}
    people |= {"count": "people", "confidence": None}
    pf.hiring.report(CANDIDATES, **people, **PUBLISHED).write_html("c.html", **texts)
    assert Path("a.html").read_bytes() == Path("c.html").read_bytes()
