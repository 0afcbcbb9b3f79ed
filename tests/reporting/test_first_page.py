"""The first page of a report: what it says, and in what order."""

from __future__ import annotations

from datetime import date
from itertools import pairwise, product
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.findings import Comparison
from polars_fairness.reporting.parts import Bar, Dot, Sentences, Table
from polars_fairness.reporting.sections.order import document_of
from polars_fairness.reporting.sections.values import Scale
from polars_fairness.reporting.words import about_sides

NO_FACET: dict[str, Any] = {
    "label": "hired",
    "predicted": ~pl.col("hired").alias("predicted"),
    "bands": {"accuracy": (0.9, 1.0)},
    "confidence": None,
}
QUESTION: dict[str, Any] = {"facet": "sex", "predicted": "hired", "confidence": None}


def of_counts(counts: dict[str, tuple[int, int]], facet: str = "sex") -> pl.DataFrame:
    """So many hired of so many rows for each group."""
    return pl.DataFrame(
        [
            {facet: group, "hired": place < hired}
            for group, (hired, n) in counts.items()
            for place in range(n)
        ]
    )


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


def texts(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def test_the_headline_reads_the_value_aloud_with_the_names_of_the_groups() -> None:
    rows = of_counts({"F": (2, 10), "M": (8, 10)})
    headline, table, notes = first_page(pf.report(rows, "di", **QUESTION))
    # 2/10 over 8/10.
    assert headline == [
        "By sex, F (10 rows) is accepted 0.25 times as often as M: outside the band of 0.8 to "
        "1.25, judged by the value alone."
    ]
    assert texts(table) == [
        ["F", "10", "20.0 %", "0.25", "1 of 1"],
        ["M", "10", "80.0 %", "", ""],
    ]
    assert notes == [
        "A positive outcome is taken as good for the person.",
        "20 of 20 rows were used.",
    ]


def test_a_group_may_have_the_name_of_the_place_of_a_value() -> None:
    rows = of_counts({"a": (8, 10), "{value}": (2, 10)})
    headline, *_ = first_page(pf.report(rows, "di", **QUESTION))
    # 8/10 over 2/10.
    assert headline[0].startswith(
        "By sex, {value} (10 rows) is accepted 0.25 times as often as a: outside"
    )


@pytest.mark.extras
def test_a_value_outside_the_band_by_chance_is_not_said_to_be_within() -> None:
    """3/10 over 4/10 is 0.75, and Fisher's exact test gives a p-value of 1."""
    rows = of_counts({"F": (3, 10), "M": (4, 10)})
    headline, *_ = first_page(pf.report(rows, "di", rule="significant", **QUESTION))
    assert headline == [
        "By sex, F (10 rows) is accepted 0.75 times as often as M: not significantly outside the "
        "band of 0.8 to 1.25; its p-value is 1.0000."
    ]


def test_a_value_without_a_verdict_is_not_said_to_be_within() -> None:
    """F alone has all rejections and all acceptances, and no group is compared with it."""
    rows = of_counts({"F": (3, 10)})
    headline, *_ = first_page(pf.report(rows, "ddpl", bands={"ddpl": (-0.1, 0.1)}, **QUESTION))
    assert headline == [
        "By sex, ddpl (Demographic disparity in predicted labels) of F against everyone else is "
        "undefined: there is no verdict, as there are no rows to compare it with."
    ]


def test_an_interval_says_that_a_value_is_not_outside_by_chance() -> None:
    question = QUESTION | {"confidence": 0.95}
    for times, words in (
        (1, "perhaps outside the band"),
        (100, "and not by chance (95 % interval"),
    ):
        rows = of_counts({"F": (6 * times, 10 * times), "M": (9 * times, 10 * times)})
        headline, *_ = first_page(pf.report(rows, "di", **question))
        assert words in headline[0]


def test_another_metric_is_named_where_the_first_is_within_its_band() -> None:
    """0.18 of 0.2 is within 0.8 to 1.25, and the false positives differ."""
    rows = pl.DataFrame({"sex": ["F"] * 100 + ["M"] * 100}).with_columns(
        hired=pl.Series([*[True] * 19, *[False] * 81, *[True] * 20, *[False] * 80]),
        fits=pl.Series([*[False] * 19, *[True] * 19, *[False] * 62, *[True] * 20, *[False] * 80]),
    )
    question = QUESTION | {"label": "fits"}
    headline, *_ = first_page(pf.report(rows, "di", "rd", **question))
    # All 20 qualified men are hired, none of the 19 qualified women.
    assert headline == [
        "By sex, F (100 rows) is accepted 0.95 times as often as M: within the band of 0.8 to "
        "1.25, judged by the value alone. But qualified members of M are accepted more often than "
        "qualified members of F (Recall difference, rd 1.000): outside the band of −0.1 to 0.1, "
        "judged by the value alone."
    ]


def test_all_groups_outside_are_named_with_their_sizes_the_largest_first() -> None:
    """Beside half of the 40 rows of R: 0.4, 0.2 and 0.2 times as often, and twice as often."""
    counts = {"tiny": (1, 10), "large": (8, 40), "some": (2, 20), "high": (10, 10), "R": (20, 40)}
    question = QUESTION | {"facet": "race", "favored": {"race": "R"}}
    headline, *_ = first_page(pf.report(of_counts(counts, "race"), "di", **question))
    assert headline == [
        "By race, large (40 rows) is accepted 0.40 times as often as R: outside the band of 0.8 to "
        "1.25, judged by the value alone. Also outside: some (20 rows) 0.20, tiny (10 rows) 0.20. "
        "Outside on the other side: high (10 rows) 2.00."
    ]


def test_of_very_many_groups_outside_the_largest_are_named() -> None:
    counts = {f"g{i:02}": (i, 10 * i) for i in range(1, 21)} | {"R": (5, 10)}
    question = QUESTION | {"facet": "race", "favored": {"race": "R"}}
    headline, *_ = first_page(pf.report(of_counts(counts, "race"), "di", **question))
    assert "Also outside: g19 (190 rows) 0.20, g18 (180 rows) 0.20, g17" in headline[0]
    assert headline[0].endswith("g12 (120 rows) 0.20, and 11 more.")


@pytest.mark.parametrize("favorable", [True, False])
def test_a_sentence_is_about_the_side_that_is_worse_off_where_no_side_is_named(
    *, favorable: bool
) -> None:
    """A and B are accepted in 8 and in 2 of 10 rows: 4 times as often, or 0.25 times."""
    rows = of_counts({"A": (8, 10), "B": (2, 10)}).with_columns(
        sex=pl.col("sex") if favorable else pl.col("sex").replace({"A": "B", "B": "A"})
    )
    report = pf.report(rows, "di", favorable=favorable, **QUESTION | {"confidence": 0.95})
    headline, table, _ = first_page(report)
    verb, ratio = ("accepted", "0.25") if favorable else ("flagged", "4.00")
    assert headline[0].startswith(f"By sex, B (10 rows) is {verb} {ratio} times as often as A: ")
    # The answer has the sides that it had: A against B.
    row = report.findings.audited.row(0, named=True)
    assert (row["disfavored"], table.rows[0][0].text) == ("A", "A")
    assert row["value"] == pytest.approx(1 / float(ratio))
    low, high = sorted(1 / row[end] for end in ("lower", "upper"))
    assert f"interval {low:.3f} to {high:.3f}" in headline[0]
    named, *_ = first_page(pf.report(rows, "di", disfavored="A", favorable=favorable, **QUESTION))
    assert named[0].startswith("By sex, A (10 rows)")


def test_a_ratio_keeps_its_sides_where_the_band_is_not_the_same_for_both() -> None:
    rows = of_counts({"A": (8, 10), "B": (2, 10)})
    report = pf.report(rows, "di", bands={"di": (0.8, 1.5)}, **QUESTION)
    assert first_page(report)[0][0].startswith("By sex, A (10 rows) is accepted 4.00 times")


@pytest.mark.parametrize(
    ("hired", "words"),
    [
        ((2, 2, 2), "This is so in each of the 3 windows."),
        ((8, 2, 2), "This is so in each window since month 2025-02-01, 2 in a row."),
        ((2, 8, 2), "This is not so in the window before, month 2025-02-01."),
    ],
)
def test_a_headline_over_time_says_since_when(hired: tuple[int, ...], words: str) -> None:
    rows = pl.concat(
        of_counts({"F": (each, 10), "M": (8, 10)}).with_columns(month=date(2025, month, 1))
        for month, each in enumerate(hired, start=1)
    )
    headline, *_ = first_page(pf.report(rows, "di", by="month", **QUESTION))
    assert headline[0].startswith("By sex, in month 2025-03-01, F (10 rows) is accepted 0.25")
    assert headline[0].endswith(words)


# What a month has of F and of two other groups; one of these has the highest rate.
MONTHS: Final = {
    "so": {"F": (2, 10), "M": (8, 10), "X": (5, 10)},
    "not so": {"F": (7, 10), "M": (8, 10), "X": (5, 10)},
    "against M": {"F": (10, 10), "M": (5, 10), "X": (5, 10)},
    "other": {"F": (2, 10), "M": (5, 10), "X": (8, 10)},
    "absent": {"M": (8, 10), "X": (5, 10)},
}


@pytest.mark.parametrize(
    "before", [*product(("so", "other", "absent"), repeat=2), ("so", "not so"), ("so", "against M")]
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
    if before == ("so", "so"):
        words = "This is so in each of the 3 windows."
    elif before[1] == "so":
        words = "This is so in each window since month 2025-02-01, 2 in a row."
    elif before[1] in ("not so", "against M"):
        words = "This is not so in the window before, month 2025-02-01."
    else:
        words = "This is not known of the window before, month 2025-02-01."
    assert [each for each in headline[0].split(". ") if each.startswith("This ")] == [words]


def test_a_requested_metric_without_a_band_is_on_the_first_page() -> None:
    """Labels are positive for 1 of 10, for 5 of 10 and for all."""
    counts = {"F": (1, 10), "M": (5, 10), "X": (10, 10)}
    rows = of_counts(counts).with_columns(due=pl.col("hired"))
    question = QUESTION | {"label": "due", "favored": {"sex": "M"}}
    headline, table, _ = first_page(pf.report(rows, "di", "dpl", **question))
    assert headline[1:] == [
        "Farthest from its ideal by sex: dpl (Difference in proportions of labels) of X against M "
        "is −0.500: there is no verdict."
    ]
    assert table.titles == ["Group", "Rows", "Selection rate", "di", "dpl", "Outside"]
    assert [row[4] for row in texts(table)] == ["0.40", "−0.50", ""]
    # A metric without a verdict is not counted among those with one.
    assert [row[-1] for row in texts(table)] == ["1 of 1", "1 of 1", ""]
    headline, table, _ = first_page(pf.report(rows, "dpl", **question))
    assert headline[-1] == "No metric has a band, so there are no verdicts."
    assert table.titles == ["Group", "Rows", "Selection rate", "dpl"]
    assert {head.axis for head in table.heads} == {None}


def test_three_facets_have_a_sentence_and_more_are_named() -> None:
    rows = of_counts({"F": (2, 10), "M": (8, 10)})
    rows = rows.with_columns(pl.col("sex").alias(name) for name in "abcd")
    facets = ["sex", *"abcd"]
    headline, *_ = first_page(pf.report(rows, "di", **QUESTION | {"facet": facets}))
    assert [sentence.split(",")[0] for sentence in headline[:3]] == ["By sex", "By a", "By b"]
    assert headline[3] == "More facets: c, d."


def test_a_metric_of_sides_leads_and_five_more_stand_beside_it() -> None:
    """The gap of all groups has no value beside a group, although it is requested first."""
    others = ("dppl", "statistical_parity", "success_ratio", "cohens_d", "two_sd", "z_ratio")
    question = QUESTION | {"bands": {"selection_rate_gap": (0, 0.1)}}
    rows = of_counts({"F": (2, 10), "M": (8, 10)})
    _, table, _ = first_page(pf.report(rows, "selection_rate_gap", "di", *others, **question))
    assert table.titles == ["Group", "Rows", "Selection rate", "di", *others[:5], "Outside"]
    # All are outside, also those that have no column.
    assert [row[-1] for row in texts(table)] == ["7 of 7", "1 of 1", ""]


@pytest.mark.parametrize("order", [("F", "M"), ("M", "F")])
def test_two_groups_are_compared_once_whatever_the_order(order: tuple[str, str]) -> None:
    counts = {"F": (2, 10), "M": (8, 10)}
    rows = of_counts({group: counts[group] for group in order})
    question = QUESTION | {"disfavored": None}
    _, table, _ = first_page(pf.report(rows, "di", "dppl", **question))
    assert texts(table)[0] == ["F", "10", "20.0 %", "0.25", "0.60", "2 of 2"]


def test_the_matrix_has_sizes_dots_and_verdicts_in_words() -> None:
    rows = of_counts({"A": (1, 10), "B": (5, 10), "C": (6, 20)}, "race")
    question = QUESTION | {"facet": "race", "favored": {"race": "B"}}
    _, table, _ = first_page(pf.report(rows, "di", **question))
    assert table.caption == "Each group against B"
    first, second, _ = table.rows
    assert [cell.picture for cell in (first[1], second[1])] == [Bar(0.25), Bar(0.5)]
    dot = first[3].picture
    assert isinstance(dot, Dot)
    # 0.1/0.5 = 0.2: the scale reaches from 1/5 to 5.
    assert dot.value == pytest.approx(0, abs=1e-9)
    assert [text for _, text in dot.axis.ticks] == ["0.2", "1", "5"]
    assert (first[3].said, dot.tone) == ("outside, against A", "outside")


@pytest.mark.parametrize(
    ("favored", "details"),
    [
        (None, ["against M", "against everyone else"]),
        (pf.OVERALL, ["against all rows", "against all rows"]),
        (pf.LARGEST, ["against M", "against C"]),
    ],
)
def test_a_heading_names_each_facet_and_its_side_a(favored: Any, details: list[str]) -> None:
    """The largest are M of the sexes and C of the races, which no sex is compared with."""
    rows = of_counts({"A": (1, 10), "B": (5, 10), "C": (6, 20)}, "race")
    rows = rows.with_columns(sex=pl.Series(["F", "M", "M", "M"] * 10))
    question = QUESTION | {"facet": ["sex", "race"], "favored": favored}
    _, table, _ = first_page(pf.report(rows, "di", **question))
    assert table.caption == "Each group"
    headings = [row[0] for row in table.rows if len(row) == 1]
    assert [(each.text, each.detail) for each in headings] == [
        ("sex", details[0]),
        ("race", details[1]),
    ]


def test_the_group_on_side_a_has_a_row_without_values() -> None:
    rows = of_counts({"A": (1, 10), "B": (5, 10), "C": (6, 20)}, "race")
    question = QUESTION | {"facet": "race", "favored": {"race": "C"}}
    _, table, _ = first_page(pf.report(rows, "di", **question))
    assert [cell.text for cell in table.rows[-1]] == ["C", "20", "30.0 %", "", ""]
    assert (table.rows[-1][0].detail, table.rows[-1][1].picture) == ("reference", Bar(0.5))


def test_two_groups_may_be_compared_with_all_rows() -> None:
    rows = of_counts({"F": (2, 10), "M": (8, 10)})
    _, table, _ = first_page(pf.report(rows, "di", favored=pf.OVERALL, **QUESTION))
    assert table.caption == "Each group against all rows"


def test_many_groups_leave_the_worst() -> None:
    counts = {f"branch {i:02}": (i, 40) for i in range(1, 41)}
    question = QUESTION | {"facet": "branch", "favored": {"branch": "branch 40"}}
    _, table, _ = first_page(pf.report(of_counts(counts, "branch"), "di", **question))
    assert table.caption == "Each group against branch 40, the 20 worst of 39"
    names = [*(f"branch {i:02}" for i in range(1, 21)), "branch 40"]
    assert [row[0] for row in texts(table)] == names


def test_the_latest_window_is_shown_and_earlier_ones_are_counted() -> None:
    fair, unfair = of_counts({"F": (8, 10), "M": (8, 10)}), of_counts({"F": (2, 10), "M": (8, 10)})
    rows = pl.concat(
        frame.with_columns(month=pl.lit(date(2025, month, 1)))
        for month, frame in enumerate((fair, unfair, fair), start=1)
    )
    headline, table, notes = first_page(pf.report(rows, "di", by="month", **QUESTION))
    assert headline == [
        "By sex, in month 2025-03-01, F (10 rows) is accepted 1.00 times as often as M: within the "
        "band of 0.8 to 1.25, judged by the value alone."
    ]
    assert table.caption == "Each group against M, month 2025-03-01"
    assert notes[0] == (
        "All of this is about 2025-03-01, the latest window. In the others, 1 of 2 values were "
        "outside their bands."
    )


def test_rows_that_are_unknown_or_left_out_are_counted() -> None:
    rows = pl.DataFrame(
        {"sex": ["F", "F", None, "M", "M"], "hired": [True, None, True, True, False]}
    )
    *_, notes = first_page(pf.report(rows, "di", nulls="drop", **QUESTION))
    assert (
        notes[-1]
        == "4 of 5 rows were used; of these, 1 row of unknown sex (25.0 %) is in no comparison."
    )


def test_the_worst_facet_comes_first_and_rows_in_the_order_of_the_question() -> None:
    rows = of_counts({"F": (2, 10), "M": (8, 10)}).with_columns(
        age=pl.Series(["old", "young"] * 10)
    )
    for facets in (["sex", "age"], ["age", "sex"]):
        report = pf.report(rows, "di", **QUESTION | {"facet": facets})
        headline, table, _ = first_page(report)
        # As many of the old as of the young are hired.
        assert [sentence.split(",")[0] for sentence in headline[:2]] == ["By sex", "By age"]
        assert [row[0].text for row in table.rows if len(row) == 1] == facets


def test_a_window_of_unknown_time_is_not_said_to_be_earlier() -> None:
    rows = of_counts({"F": (2, 10), "M": (8, 10)})
    months = pl.concat(rows.with_columns(month=month) for month in (date(2025, 1, 1), None))
    *_, notes = first_page(pf.report(months, "di", by="month", **QUESTION))
    assert notes[0] == (
        "All of this is about 2025-01-01, the latest window. In the others, 1 of 1 values were "
        "outside their bands."
    )


def test_sizes_and_rates_beside_sequential_metrics_are_of_the_window() -> None:
    """F accepted 8 of 10 and then 2 of 30: by then 10 of 40, and M 20 of 40."""
    months = [
        of_counts({"F": (8, 10), "M": (10, 20)}).with_columns(month=date(2025, 1, 1)),
        of_counts({"F": (2, 30), "M": (10, 20)}).with_columns(month=date(2025, 2, 1)),
    ]
    question = QUESTION | {"by": "month", "sequential": "each", "confidence": 0.95}
    report = pf.report(pl.concat(months), "di", **question)
    _, table, notes = first_page(report)
    [[group, size, rate, ratio, _], _] = table.rows
    assert [cell.text for cell in (group, size, rate, ratio)] == ["F", "30", "6.7 %", "0.50"]
    assert size.picture == Bar(0.6)
    assert notes[:3] == [
        "All of this is about 2025-02-01, the latest window. In the others, 0 of 1 values were "
        "outside their bands.",
        "A positive outcome is taken as good for the person.",
        "Metrics of a window are about all rows up to it, sizes and rates of groups about its own "
        "rows.",
    ]
    assert notes[-1] == "80 of 80 rows were used."


def test_rows_of_a_sequential_report_are_counted_once() -> None:
    """Each of three weeks counts the rows of those before it, in each of two branches."""
    rows = of_counts({"F": (2, 5), "M": (6, 10), "": (1, 5)}).with_columns(
        sex=pl.col("sex").replace("", None)
    )
    weeks = pl.DataFrame({"week": [1, 2, 3]}).join(
        pl.DataFrame({"branch": ["n", "s"]}), how="cross"
    )
    question = QUESTION | {"sequential": "each", "confidence": 0.95}
    report = pf.report(rows.join(weeks, how="cross"), "di", by=["week", "branch"], **question)
    *_, notes = first_page(report)
    # In each of six windows 20 rows, 5 of them of unknown sex.
    unknown = "of these, 30 rows of unknown sex (25.0 %) are in no comparison."
    assert f"120 of 120 rows were used; {unknown}" in notes


def test_without_a_facet_no_row_is_listed_as_unknown() -> None:
    report = pf.report(of_counts({"F": (2, 10), "M": (8, 10)}), "accuracy", **NO_FACET)
    _, table, _ = first_page(report)
    assert table.rows[0][0].text == "all rows"
    (section,) = (
        each for each in document_of(report.findings, {}).sections if each.title == "The rows"
    )
    assert section.parts == ()


def test_without_rows_there_is_nothing_to_compare() -> None:
    report = pf.report(of_counts({"F": (2, 10), "M": (8, 10)}).clear(), "di", **QUESTION)
    assert document_of(report.findings, {}).first == (
        Sentences(
            "headline", ("There is nothing to compare: no rows, or no group with a known facet.",)
        ),
    )


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
    scale = Scale.of(values, ideal, is_log=is_log)
    assert [text for _, text in scale.axis(None).ticks] == ends
    assert scale.place(ideal) == 0.5
    assert all(0 <= scale.place(value) <= 1 for value in values)


def test_a_ratio_of_nothing_is_at_the_left_edge() -> None:
    assert Scale.of([0.8, 1.25], 1, is_log=True).place(0.0) == 0


def test_the_row_of_a_reference_names_its_window_where_several_are_shown() -> None:
    rows = of_counts({"F": (2, 10), "M": (8, 10)})
    branches = pl.concat(rows.with_columns(branch=pl.lit(branch)) for branch in ("n", "s"))
    _, table, _ = first_page(pf.report(branches, "di", by="branch", **QUESTION))
    assert [(row[0].text, row[0].detail) for row in table.rows] == [
        ("F", "branch n"),
        ("F", "branch s"),
        ("M", "reference, branch n"),
        ("M", "reference, branch s"),
    ]


def test_a_facet_may_have_an_empty_name() -> None:
    rows = of_counts({"F": (2, 10), "M": (8, 10)}, "").with_columns(age=pl.Series([1, 2] * 10))
    report = pf.report(rows, "di", **QUESTION | {"facet": ["", "age"]})
    headline, table, _ = first_page(report)
    assert headline[0].startswith("By , F (10 rows) is accepted 0.25 times as often as M")
    assert [row[0].text for row in table.rows if len(row) == 1] == ["", "age"]
    assert "**Rates by" in report.to_markdown()


def test_what_explains_a_picture_is_on_the_page_alone() -> None:
    report = pf.report(of_counts({"F": (2, 10), "M": (8, 10)}), "di", **QUESTION)
    (legend,) = (
        part.sentences
        for part in document_of(report.findings, {}).first
        if isinstance(part, Sentences) and part.look == "legend"
    )
    assert legend == (
        "The strip behind the values of di is its band, 0.8 to 1.25. ▲ is outside the band, "
        "◆ uncertain, ● within.",
    )
    assert "strip" not in report.to_markdown()


def test_a_weight_stands_beside_the_number_of_rows() -> None:
    rows = of_counts({"F": (2, 10), "M": (8, 10)}).with_columns(weight=2.5)
    _, table, _ = first_page(pf.report(rows, "di", weight="weight", **QUESTION))
    assert [(row[1].text, row[1].detail) for row in table.rows] == [("25.0", "10 rows")] * 2


def test_sizes_and_rows_are_those_of_each_metric() -> None:
    """Of 10 F, 4 are hired, of 10 M 8; only who was hired has a label."""
    rows = of_counts({"F": (4, 10), "M": (8, 10)})
    rows = rows.with_columns(stayed=pl.when("hired").then(pl.int_range(pl.len()) % 2))
    report = pf.report(rows, "di", "ppv_gap", label="stayed", nulls="drop", **QUESTION)
    _, table, notes = first_page(report)
    assert [[cell.text for cell in row[:3]] for row in table.rows] == [
        ["F", "10", "40.0 %"],
        ["all groups", "–", "–"],
        ["M", "10", "80.0 %"],
    ]
    assert notes[-1] == ("12 to 20 of 20 rows were used, as the metric needs.")
    lines = report.to_markdown().splitlines()
    assert "| sex | ppv_gap | 20 | 12 | 8 | 0 |" in lines


def test_the_change_that_is_worse_comes_before_a_larger_one_that_is_better() -> None:
    """From 0.25 to 0.75 of the rate of R in B, from 1 to 0.5 in A."""
    old = {"A": 80, "B": 20, "R": 80}
    new = {"A": 40, "B": 60, "R": 80}
    rows = of_counts(dict.fromkeys(old, (0, 100)), "race").select("race")
    place = pl.int_range(pl.len()).over("race")
    models = {
        name: (place < pl.col("race").replace_strict(rates)).alias(name)
        for name, rates in (("old", old), ("new", new))
    }
    report = pf.report(
        rows, "di", facet="race", favored={"race": "R"}, predicted=models, champion="old"
    )
    assert first_page(report)[0][0].startswith(
        "With new, by race, A (100 rows) is accepted 0.50 times as often as R, and with the "
        "champion, old, 1.00: worse, a difference of −0.500 (95 % interval "
    )


@pytest.mark.parametrize(
    ("more", "group"),
    [
        ({"by": "branch"}, "F (branch s, 2 rows)"),
        ({"score": "price", "threshold": pf.best(0.5)}, "F (4 rows)"),
        ({"weight": "w"}, "F (weight 10.0)"),
        ({"estimated": {"a": "price", "b": pl.col("price").alias("other")}}, "F (model b, 4 rows)"),
    ],
)
def test_a_mean_is_of_a_group_with_its_window_and_its_size(
    more: dict[str, Any], group: str
) -> None:
    rows = {
        "sex": ["F"] * 4 + ["M"] * 4,
        "branch": ["n", "s"] * 4,
        "price": [2.0, 9.0, 4.0, 11.0, 1.0, 2.0, 3.0, 4.0],
    }
    question = {"facet": "sex", "favored": "M", "estimated": "price", "favorable": False}
    frame = pl.DataFrame(rows).with_columns(w=2.5)
    report = pf.report(frame, "estimate_difference", "estimate_ratio", **{**question, **more})
    assert any(f" of {group} is " in each for each in first_page(report)[0])
    assert "\n\nThe mean of estimated is " in report.to_markdown()


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
    table = page[page.index("| Group") :].splitlines()[2:]
    assert table[0].startswith("| F (branch 7) | 8 | 0.0 % (0 of 8; M 50.0 %) |")
    alone = pf.report(hired.filter(pl.col("branch") < "2"), "di", by="branch", **question)
    assert "Over all" not in alone.to_markdown()
