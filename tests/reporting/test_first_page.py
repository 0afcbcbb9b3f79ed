"""The first page of a report: what it says, and in what order."""

from __future__ import annotations

from datetime import date
from itertools import pairwise, product
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.charts.marks import Values
from polars_fairness.reporting.findings import Comparison
from polars_fairness.reporting.parts import Sentences, Table
from polars_fairness.reporting.report import document_of
from polars_fairness.reporting.words import about_sides
from tests.reporting.reports import of_counts

QUESTION: dict[str, Any] = {"facet": "sex", "predicted": "hired", "confidence": None}


def first_page(report: pf.Report) -> tuple[list[str], Table, list[str]]:
    """The headline, the matrix and the notes of a first page."""
    parts = document_of(report.findings, {}).first
    headline, notes = (
        [*part.sentences]
        for look in ("headline", "notes")
        for part in parts
        if isinstance(part, Sentences) and part.look == look
    )
    (table,) = (part for part in parts if isinstance(part, Table))
    return headline, table, notes


# What a month has of F and of two other groups; one of these has the highest rate.
MONTHS: Final = {
    "so": {"F": (2, 10), "M": (8, 10), "X": (5, 10)},
    "not so": {"F": (7, 10), "M": (8, 10), "X": (5, 10)},
    "against M": {"F": (10, 10), "M": (5, 10), "X": (5, 10)},
    "other": {"F": (2, 10), "M": (5, 10), "X": (8, 10)},
    "absent": {"M": (8, 10), "X": (5, 10)},
}


@pytest.mark.parametrize(
    "before",
    [
        *product(("so", "other", "absent"), repeat=2),
        *(("so", "not so"), ("so", "against M"), ("so",), ("not so",)),
    ],
)
def test_a_headline_is_so_only_in_windows_with_the_same_sides(before: tuple[str, ...]) -> None:
    rows = pl.concat(
        of_counts(MONTHS[each]).with_columns(month=date(2025, month, 1))
        for month, each in enumerate((*before, "so"), start=1)
    )
    is_named = "against M" in before
    sides = {"disfavored": "F", "favored": "M"} if is_named else {"favored": pf.HIGHEST}
    question = QUESTION | sides
    headline, *_ = first_page(pf.report(rows, "di", by="month", **question))
    assert "F (10 rows) is accepted 0.25 times as often as M" in headline[0]
    last = f"month 2025-0{len(before)}-01"
    if {*before} == {"so"}:
        words = f"This is so in each of the {len(before) + 1} windows."
    elif before[-1] == "so":
        words = f"This is so in each window since {last}, 2 in a row."
    elif before[-1] in ("not so", "against M"):
        words = f"This is not so in the window before, {last}."
    else:
        words = f"This is not known of the window before, {last}."
    assert [each for each in headline[0].split(". ") if each.startswith("This ")] == [words]


def test_a_sentence_names_the_sides_in_its_slots_and_nowhere_else() -> None:
    """The words of a user's own metric stay, also a and d, and so do braces in names."""
    sides = Comparison((), "sex", "{a}", "Men", pl.DataFrame())
    sentence = "{d} has a better chance to be given a d than {a}: {value}"
    assert (
        about_sides(sentence, sides, "2") == "{a} has a better chance to be given a d than Men: 2"
    )


def test_no_side_stays_unnamed_in_the_catalogue() -> None:
    """With long names in place of both, no d is left, and each a is an article."""
    sides = Comparison((), "sex", "Women", "Men", pl.DataFrame())
    articles = set()
    for metric in pf.CATALOGUE.values():
        for sentence in (metric.above, metric.below, metric.reading) if metric.has_sides else ():
            words = about_sides(sentence, sides).replace(",", "").split()
            assert "d" not in words
            articles |= {after for word, after in pairwise(words) if word == "a"}
            if metric.reading:
                assert "Women" in words
    assert articles <= {"larger", "rejection"}


@pytest.mark.parametrize(
    ("values", "ideal", "is_log", "ends"),
    [
        ([0.8, 1.25], 1, True, ["0.667", "1", "1.5"]),
        ([0.3, 1.0], 1, True, ["0.25", "1", "4"]),
        ([0.001, float("inf")], 1, True, ["0.1", "1", "10"]),
        ([-0.1, 0.1], 0, False, ["−0.1", "0", "0.1"]),
        ([-0.1, 0.12], 0, False, ["−0.2", "0", "0.2"]),
        ([55.0], 0, False, ["−100", "0", "100"]),
        ([], 0, False, ["−0.1", "0", "0.1"]),
    ],
)
def test_a_scale_reaches_as_far_as_its_values(
    values: list[float], ideal: float, is_log: bool, ends: list[str]
) -> None:
    scale = Values.around(ideal, values, is_log=is_log)
    assert [f"{each:.3g}".replace("-", "−") for each in (scale.low, ideal, scale.high)] == ends
    assert scale.place(ideal) == pytest.approx(0.5, abs=1e-12)
    assert all(0 <= scale.place(value) <= 1 for value in values)


def test_a_ratio_of_nothing_is_at_the_left_edge() -> None:
    assert Values.around(1, [0.8, 1.25], is_log=True).place(0.0) == 0


def test_of_many_windows_it_says_first_what_holds_over_all_of_them() -> None:
    branches = [str(number) for number in range(30)]
    rows = {
        "branch": [each for each in branches for _ in range(20)],
        "sex": (["F"] * 8 + ["M"] * 12) * 30,
        # Of each branch 2 of 8 and 6 of 12, and of branch 7 no F: a ratio of 0.5, but for it.
        "hired": ([1, 1] + [0] * 6 + [1] * 6 + [0] * 6) * 30,
    }
    of_seven = (pl.col("branch") == "7") & (pl.col("sex") == "F")
    hired = pl.DataFrame(rows).with_columns(hired=pl.when(~of_seven).then("hired").otherwise(0))
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "hired"}
    page = pf.report(hired, "di", by="branch", **question).to_markdown()
    first, few, *_ = page.split("\n\n")[1:]
    # 29 strata of 2 of 8, one of 0 of 8, beside 6 of 12: (58 * 12 / 20) / (180 * 8 / 20).
    ratio = (58 * 12) / (180 * 8)
    within = "Over all 30 windows of branch, by sex, within subgroups, F (240 rows) is accepted"
    assert first.startswith(f"{within} {ratio:.2f} times as often as M: outside the band")
    row = pf.audit(hired, "mh_ratio", subgroup="branch", p_values="exact", **question).row(
        0, named=True
    )
    assert f"interval {row['lower']:.3f} to {row['upper']:.3f}" in first
    assert row["p_value"] < 0.0001
    assert first.endswith("The p-value of equal rates is &lt; 0.0001.")
    assert "30 of 30 comparisons have fewer than 30 rows on a side" in few
    # Each row weighs as much as ten: the sides are of as few rows.
    weighed = pf.report(hired.with_columns(w=10.0), "di", by="branch", weight="w", **question)
    assert "30 of 30 comparisons have fewer than 30 rows on a side" in weighed.to_markdown()
    table = page[page.index("| Group") :].splitlines()[2:]
    assert table[0].startswith("| F (branch 7) | 8 | 0.0 % (0 of 8; M 50.0 %) |")
    # Where groups are known for sure, the weighted estimator counts what is known.
    is_f = (pl.col("sex") == "F").cast(pl.Float64)
    estimated = {**question, "facet": pf.probabilities("sex", {"F": is_f, "M": 1 - is_f})}
    page = pf.report(hired, "di", by="branch", **estimated).to_markdown()
    people, first, few, *_ = page.split("\n\n")[1:]
    assert people == "Sex is estimated from probabilities: about 360 people are M and 240 F."
    within = within.replace("F (240 rows)", "F (estimator weighted, about 240 people)")
    assert first.startswith(f"{within} {ratio:.2f} times as often as M: outside the band")
    assert "60 of 60 comparisons have fewer than 30 people on a side" in few
    alone = pf.report(hired.filter(pl.col("branch") < "2"), "di", by="branch", **question)
    assert "Over all" not in alone.to_markdown()
