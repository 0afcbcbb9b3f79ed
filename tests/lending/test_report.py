"""The page of lending tables: what was found, the groups, shares accepted, segments, appendix."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.lending.page import LendingReport
from tests.frames import by_outcome
from tests.pages import rows_below as rows
from tests.reporting.reports import Elements

# 60 of 100 men and 40 of 100 women are accepted, 81 of 160 White and 24 of 50 Black applicants.
COUNTED: Final = pl.DataFrame(
    {
        "sex": ["M", "M", "F", "F", None],
        "race": ["White", "Black", "White", "Black", "White"],
        "n": [80, 20, 70, 30, 10],
        "approved": [48, 12, 28, 12, 5],
    }
)
APPLICANTS: Final = by_outcome(COUNTED, "approved")
QUESTION: Final[dict[str, Any]] = {
    "facet": ["sex", "race"],
    "favored": {"sex": "M", "race": "White"},
    "predicted": "approved",
    "count": "n",
}
# North accepts 3 of 4 women and of men, South 1 of 4; most women apply in the South.
BRANCHES: Final = pl.DataFrame(
    {
        "branch": ["N"] * 4 + ["S"] * 4,
        "sex": ["M", "M", "F", "F"] * 2,
        "approved": [True, False] * 4,
        "n": [60, 20, 15, 5, 5, 15, 20, 60],
    }
)
IN_BRANCHES: Final[dict[str, Any]] = {
    **QUESTION,
    "facet": "sex",
    "favored": "M",
    "subgroup": "branch",
}
SCORED: Final = pl.DataFrame(
    {
        "sex": ["M"] * 4 + ["F"] * 4,
        "score": [0.9, 0.8, 0.7, 0.6, 0.55, 0.85, 0.3, 0.2],
        "approved": [True] * 4 + [False] * 4,
    }
)
BY_SCORE: Final[dict[str, Any]] = {
    "facet": "sex",
    "favored": "M",
    "predicted": "approved",
    "score": "score",
    "shares": [0.25, 0.5],
}


def report(frame: Any = APPLICANTS, **given: Any) -> LendingReport:
    return pf.lending.report(frame, **{**QUESTION, "confidence": None, **given})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"minimum_ratio": 0.6, "maximum_points": 5, "significance": 0.01},
            "A group is flagged where its adverse impact ratio is below 0.6, its rate is more than "
            "5 points lower and the p-value is below 0.01. These are limits of this call, and not "
            "of a law.",
        ),
        ({"minimum_ratio": 0.6}, "By sex, 0 of 1 comparison"),
        ({"p_values": "holm"}, "the p-value, adjusted by Holm, is below 0.05"),
        ({"p_values": "bh"}, "the p-value, adjusted by Benjamini and Hochberg, is below 0.05"),
        (
            {"weight": pl.col("n") * 1.5},
            "Weight of rows of unknown group, which are in no comparison: 15.0 by sex.",
        ),
        ({"favorable": False}, "how many fewer to reach five fourths of that rate"),
    ],
)
def test_a_page_says_what_was_given(given: dict[str, Any], said: str) -> None:
    assert said in report(**given).to_markdown()


def test_rows_of_unknown_group_are_on_the_first_page() -> None:
    unknown = "Rows of unknown group, which are in no comparison: 10 by sex."
    assert unknown in report().to_markdown().partition("## ")[0].split("\n\n")
    outcome = pl.when(pl.int_range(pl.len()) > 0).then("approved")
    rows = APPLICANTS.filter(pl.col("sex").is_not_null()).with_columns(outcome)
    first, _, _ = report(rows, nulls="drop").to_markdown().partition("## ")
    assert f"Rows left out: {rows['n'][0]}." in first.split("\n\n")
    assert "in no comparison" not in first


def test_a_group_that_could_not_be_judged_is_named() -> None:
    whole = report()
    of_women = pl.col("facet") == "sex"
    unknown = whole.table.with_columns(is_flagged=pl.when(~of_women).then("is_flagged"))
    found = replace(whole, answers={"table": unknown}).to_markdown()
    assert "By sex, 0 of 1 comparison is flagged." in found
    assert "Not judged by sex, as a ratio or p-value is missing: F against M." in found
    assert rows(found, "By sex")[-1][-1] == "not judged"


def test_shares_accepted_have_a_table_and_a_chart(tmp_path: Path) -> None:
    """The best 2 of 8 are one man and one woman, the best 4 three men and one woman."""
    page = pf.lending.report(SCORED, **BY_SCORE)
    found = page.to_markdown()
    assert rows(found, "AIR against M by share accepted, by sex") == [
        ["All rows (accepted)", "25.0 %", "50.0 %"],
        ["F", "1.000", "0.333"],
    ]
    page.write_html(tmp_path / "page.html")
    labels = drawings(tmp_path / "page.html")
    assert "AIR against M, by sex: F 0.000 (0.000 to" in labels[0]
    expected = (
        "AIR of F by share accepted, by sex: lowest for F at 50 %, 0.333, highest for F at 25 %, "
        "1.000. F 1.000 at 25 %, 0.333 at 50 %."
    )
    assert labels[1] == expected
    assert "By share accepted" not in report().to_markdown()


def drawings(path: Path) -> list[str]:
    """The text alternatives of the charts of a page."""
    found = Elements(path.read_text("utf-8")).found
    return [each["aria-label"] or "" for _, each in found if each.get("role") == "img"]


def test_references_of_single_shares_are_named() -> None:
    """The best 2 of 8 are one man and one woman, the best 4 three men: side a changes."""
    found = pf.lending.report(
        SCORED.with_columns(score=pl.when(score=0.9).then(0.1).otherwise("score")),
        **{**BY_SCORE, "favored": pf.HIGHEST, "confidence": None},
    ).to_markdown()
    assert rows(found, "AIR by share accepted, by sex") == [
        ["All rows (accepted)", "25.0 %", "50.0 %"],
        ["M", "1.000 (against F)", "–"],
        ["F", "–", "0.333 (against M)"],
    ]


def test_windows_have_tables_of_their_own() -> None:
    found = report(BRANCHES, **{**IN_BRANCHES, "subgroup": None, "by": "branch"}).to_markdown()
    first, _, below = found.partition("## The groups")
    assert "By sex, 0 of 2 comparisons are flagged." in first
    assert rows(below, "By sex, branch N")[-1][:3] == ["F", "20", "75.0 %"]
    flagged = BRANCHES.with_columns(approved=pl.col("approved") & (pl.col("sex") == "M"))
    found = report(flagged, **{**IN_BRANCHES, "subgroup": None, "by": "branch"}).to_markdown()
    numbers = "0.0 % (0 of 20) and 75.0 % (60 of 80), ratio 0.000, 75.0 points less"
    assert f"F against M with branch N: {numbers}" in found


def test_the_lowest_ratios_of_many_stand_first() -> None:
    """Group 1 of 40 accepts 10 of 40, the others and the reference 20 of 40; 7 accepts 16."""
    accepted = pl.when(group=1).then(10).when(group=7).then(16).otherwise(20)
    many = pl.select(group=pl.int_range(41)).with_columns(approved=accepted, n=40)
    counted = by_outcome(many, "approved")
    first, _, below = report(counted, facet="group", favored=0).to_markdown().partition("## The")
    lowest = rows(first, "20 of 40 comparisons, flagged ones and low ratios first")
    assert len(lowest) == 20
    assert lowest[0][:6] == ["1 (group)", "0", "40", "25.0 %", "0.500", "25.0"]
    assert lowest[0][-1] == "flagged"
    assert lowest[1][:5] == ["7 (group)", "0", "40", "40.0 %", "0.800"]
    assert lowest[1][-1] == "no"
    assert len(rows(below, "By group")) == 41


def test_the_appendix_explains_the_columns_and_the_question() -> None:
    found = report(p_values="bh").to_markdown(notes="*Mind* this.")
    assert "Ratios below 1, points and statistics above 0: the group is accepted less." in found
    adjusted = "adjusted by the method of Benjamini and Hochberg for all comparisons of its section"
    assert f"P-values are two-sided, of Fisher’s exact test of the two rates, {adjusted}." in found
    assert "SMD" not in dict(rows(found, COLUMNS))
    assert rows(found, "Rows in no comparison") == [["sex", "10", "0"], ["race", "0", "0"]]
    question = {name: given for name, given, _ in rows(found, "The question, argument by argument")}
    assert question["favored"] == "sex: M; race: White"
    assert question["minimum\\_ratio".replace("\\", "")] == "0.8"
    assert "shares" not in question
    assert "## Notes\n\n*Mind* this." in found


COLUMNS: Final = "The columns of the tables"


def test_weights_are_named() -> None:
    found = report(APPLICANTS, count=None, weight="n").to_markdown()
    assert "the normal test of two rates, with the effective number of rows" in found
    assert rows(found, "By sex")[-1][:3] == ["F", "100.0", "40.0 %"]
    assert "| Group | Weight | Rate |" in found


@pytest.mark.parametrize(
    ("frame", "found"),
    [
        (BRANCHES.clear(), "Nothing to show: the answer has no rows."),
        (BRANCHES.filter(sex="M"), "By sex: there is nothing to compare: fewer than two groups"),
        (BRANCHES.with_columns(sex=pl.lit(None, pl.String)), "there is nothing to compare"),
        (BRANCHES.head(1), "there is nothing to compare"),
        (
            # Of FN 15 of 20 are accepted, of FS 20 of 80; women in all 35 of 100, men 65.
            pl.concat([BRANCHES, BRANCHES.with_columns(pl.col("sex") + pl.col("branch"))]),
            "FS against FN: 25.0 % (20 of 80) and 75.0 % (15 of 20), ratio 0.333, 50.0 points less",
        ),
    ],
)
def test_odd_frames_have_a_page(frame: pl.DataFrame, found: str, tmp_path: Path) -> None:
    page = report(frame, **{**IN_BRANCHES, "favored": pf.HIGHEST})
    assert found in page.to_markdown()
    page.write_html(tmp_path / "page.html")
    by = {**IN_BRANCHES, "subgroup": None, "favored": pf.HIGHEST, "by": "branch"}
    report(frame, **by).write_html(tmp_path / "page.html")


def test_columns_may_have_any_names() -> None:
    frame = BRANCHES.rename({"branch": "^.*$"})
    found = report(frame, **{**IN_BRANCHES, "subgroup": None, "by": "^.*$"}).to_markdown()
    assert [row[1] for row in rows(found, "Rows in no comparison")] == ["N", "S"]


def test_the_page_says_once_how_a_positive_outcome_is_taken() -> None:
    said = "A positive outcome is taken as good for the person."
    assert report().to_markdown().count(said) == 1
    for favorable in (True, False):
        assert said not in report(favorable=favorable).to_markdown()
