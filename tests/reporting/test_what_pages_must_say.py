"""What a page must say, and on null data must not: each test states one rule."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf

PAGES: Final = 20


def first_page_of(report: pf.Report) -> str:
    return report.to_markdown().partition("\n## ")[0]


def decided(*groups: tuple[str, str, int, int]) -> pl.DataFrame:
    """Rows of groups by sex and race: how many there are, and how many of them are accepted."""
    return pl.concat(
        pl.DataFrame({"sex": [sex] * n, "race": [race] * n, "p": [i < accepted for i in range(n)]})
        for sex, race, n, accepted in groups
    )


@cache
def null_page(seed: int) -> str:
    """A page of 3,000 rows whose decisions, and those of a second model, depend on nothing."""
    draw = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "sex": draw.choice(["F", "M"], 3_000),
            "race": draw.choice([*"WBNO"], 3_000, p=[0.5, 0.3, 0.18, 0.02]),
            "old": draw.random(3_000) < 0.3,
            "is_switched": draw.random(3_000) < 0.08,
        }
    ).with_columns(new=pl.col("old") ^ pl.col("is_switched"))
    question: dict[str, Any] = {"facet": ["sex", "race"]}
    models = {"old": "old", "new": "new"}
    return first_page_of(pf.report(frame, "di", predicted=models, champion="old", **question))


def test_the_rule_that_names_the_lowest_group_stands_in_its_sentence() -> None:
    """F and O has the lowest rate; of B, more rows are known."""
    frame = decided(
        *(("F", "B", 1_000, 56), ("F", "O", 102, 5), ("F", "W", 1_000, 300)),
        *(("M", "B", 1_000, 300), ("M", "O", 102, 30), ("M", "W", 1_000, 320)),
    )
    page = first_page_of(pf.report(frame, facet=["sex", "race"], predicted="p", replicates=20))
    assert re.search(r"By the upper end of the interval of the selection rate, .*F &amp; B", page)
    assert "F &amp; O (4.9\u202f% of 102) has a lower rate here, but so few rows" in page


@pytest.mark.parametrize("more", [[], ["rd", "average_odds_difference"]])
def test_each_metric_that_is_asked_for_is_in_the_board_or_in_its_note(more: list[str]) -> None:
    draw = np.random.default_rng(0)
    frame = decided(("F", "B", 500, 100), ("M", "B", 500, 300)).with_columns(
        y=pl.Series(draw.random(1_000) < 0.5)
    )
    metrics = ["sd", "ad", "te", "ddpl", "cohens_d", "di", "dppl", *more]
    report = pf.report(frame, *metrics, facet="sex", predicted="p", label="y", replicates=20)
    page = first_page_of(report)
    board = page.partition("Every judged value, by verdict")[2].partition("\n\n")[2]
    table, _, notes = board.partition("\n\n")
    note, *_ = notes.split("\n\n")
    audit = report.answers.audited
    for name in metrics:
        is_judged = audit.filter(metric=name)["band_lower"].count() > 0
        title = pf.CATALOGUE[name].title
        assert f"({name})" in table if is_judged else title[1:] in note, name


def test_of_null_pages_none_has_a_value_outside_and_few_name_a_group() -> None:
    """A lowest group each at a level of 5 %: of 20 pages, more than four have a chance of 0.3 %."""
    pages = [null_page(seed) for seed in range(PAGES)]
    assert all("No value is outside its accepted band." in page for page in pages)
    assert sum("the lowest group" in page for page in pages) <= 4
    assert sum("not contain equality" in page for page in pages) <= 4


def test_of_null_pages_few_name_a_group_whose_decisions_are_switched_most() -> None:
    assert sum("most often for" in null_page(seed) for seed in range(PAGES)) <= 4


def test_a_group_whose_decisions_are_switched_most_is_named_with_its_interval() -> None:
    """Of N, 40 of 200 are decided otherwise; of W, 40 of 1,800: far from chance."""
    rows = pl.DataFrame({"race": ["N"] * 200 + ["W"] * 1_800, "old": [True, False] * 1_000})
    is_switched = pl.int_range(pl.len()).over("race") < 40
    rows = rows.with_columns(new=pl.col("old") ^ is_switched)
    models = {"old": "old", "new": "new"}
    page = first_page_of(
        pf.report(rows, "di", facet="race", predicted=models, champion="old", replicates=20)
    )
    assert re.search(r"most often for the group N \(20\.0\u202f%, [\d.]+ to [\d.]+\u202f%\)", page)


def controlled_notes(seed: int) -> str:
    """Notes on seven comparisons at equal controls, in which decisions depend on nothing."""
    draw = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "race": draw.choice([*"ABCDEFGH"], 2_000),
            "school": draw.choice([*"xyz"], 2_000),
            "branch": draw.choice([*"uvw"], 2_000),
            "p": draw.random(2_000) < 0.4,
        }
    )
    audit = pf.audit(
        frame,
        "adjusted_difference",
        facet="race",
        favored="A",
        predicted="p",
        controls=["school", "branch"],
    )
    return " ".join(audit["note"].drop_nulls())


def test_a_note_on_equal_combinations_names_its_pair() -> None:
    """Of B alone the schools decide the other way round in branch v, where most of B are."""
    draw = np.random.default_rng(5)
    race, school = draw.choice([*"ABC"], 6_000), draw.choice([*"xy"], 6_000)
    branch = np.where(draw.random(6_000) < np.where(race == "B", 0.8, 0.3), "v", "u")
    is_in = (race == "B") & ((school == "x") == (branch == "v"))
    chance = np.where(school == "x", 0.6, 0.4) - 0.35 * is_in
    frame = pl.DataFrame(
        {"race": race, "school": school, "branch": branch, "p": draw.random(6_000) < chance}
    )
    text = pf.report(
        frame, "adjusted_difference", facet="race", favored="A", predicted="p",
        controls=["school", "branch"],
    ).to_markdown()  # fmt: skip
    notes = re.findall(r"controls: [^\n]*", text)
    assert notes
    assert any("B against A" in note for note in notes)
    assert not any("C against A" in note and "B against A" not in note for note in notes)


def test_of_null_pages_few_have_a_note_on_equal_combinations() -> None:
    """A page has the notes of its audit, which takes a twentieth of the time."""
    found = ["inside equal combinations" in controlled_notes(seed) for seed in range(PAGES)]
    assert sum(found) <= 4


def test_a_count_of_intervals_does_not_stand_beside_their_percentage() -> None:
    """As in "Of 6 95 % intervals"."""
    assert not re.search(r"\d 95[ \u202f]%", null_page(0))


def test_groups_that_a_table_leaves_out_are_called_not_shown() -> None:
    rows = pl.DataFrame(
        {"race": [f"group {i:02}" for i in range(48) for _ in range(20)], "p": [0, 1] * 480}
    )
    text = pf.report(rows, facet="race", predicted="p", replicates=20).to_markdown()
    shown = re.search(r", (\d+) of 48\*\*", text)
    if not shown:
        pytest.fail("no table is cut, and nothing is tested")
    assert f"{48 - int(shown[1])} not shown" in text


def test_there_is_one_minus_sign() -> None:
    """The hyphen stands in names and dates, and before no number."""
    rows = decided(("F", "B", 500, 100), ("M", "W", 500, 300))
    text = pf.report(
        rows, "dppl", "adjusted_difference", facet="sex", favored="F", predicted="p",
        controls="race", replicates=20,
    ).to_markdown()  # fmt: skip
    assert "\N{MINUS SIGN}" in text
    assert re.findall(r"(?<![\w-])-\d[^\n]{0,20}", text) == []


def test_what_was_outside_in_earlier_windows_is_said_on_page_one() -> None:
    months = [("2024-01", 60), ("2024-02", 150), ("2024-03", 150)]
    frame = pl.concat(
        decided(("F", "", 300, women), ("M", "", 300, 150)).with_columns(
            month=pl.lit(f"{month}-01").str.to_date()
        )
        for month, women in months
    )
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "p", "by": "month"}
    page = first_page_of(pf.report(frame, "di", **question))
    assert "No value is outside its accepted band in the latest window, 2024-03-01." in page
    assert "**Over time.** In earlier windows, 1 value was outside its band." in page


@pytest.mark.parametrize(("women", "men"), [(0, 50), (50, 0)])
def test_a_ratio_without_a_number_of_times_is_said_by_both_rates(women: int, men: int) -> None:
    frame = decided(("F", "", 100, women), ("M", "", 100, men))
    words: dict[str, Any] = {"groups": {"sex": {"F": "women", "M": "men"}}, "decided": "hired"}
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "p"}
    page = pf.report(frame, "di", **question).to_markdown(words=words)
    assert f"{women}.0\u202f% of women and {men}.0\u202f% of men are hired: the" in page
    assert "times as often" not in page


def test_one_value_within_its_band_beside_others_is_singular() -> None:
    frame = decided(*(("F", "", 2_000, 980), ("M", "", 2_000, 1_000), ("X", "", 40, 18)))
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "p"}
    page = first_page_of(pf.report(frame, "di", **question))
    within = "1 of 2 judged values is within its band with its whole 95\u202f% interval."
    assert within in page
    assert "would settle the impact ratio of the group X." in page


def test_a_difference_of_all_points_has_its_decimal() -> None:
    frame = decided(("F", "", 100, 0), ("M", "", 100, 100))
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "p"}
    page = pf.report(frame, "dppl", **question).to_markdown()
    assert "100.0 (" in page


def test_a_name_in_a_title_keeps_its_capital_in_a_sentence() -> None:
    frame = decided(("F", "", 100, 20), ("M", "", 100, 80))
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "p"}
    assert "cohen's" not in pf.report(frame, "cohens_d", **question).to_markdown()


def test_tables_over_time_call_groups_by_the_words_of_the_author() -> None:
    frame = pl.concat(
        decided(("F", "", 100, 40), ("M", "", 100, 50)).with_columns(
            month=pl.lit(f"2024-0{month}-01").str.to_date()
        )
        for month in (1, 2)
    )
    words: dict[str, Any] = {"groups": {"sex": {"F": "women", "M": "men"}}}
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "p", "by": "month"}
    page = pf.report(frame, "di", **question).to_markdown(words=words)
    assert "| Impact ratio (di), sex: women against men |" in page
