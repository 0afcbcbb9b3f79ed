"""The section of the worst groups: expected numbers are worked out by hand."""

from __future__ import annotations

import re
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.formula.tree import literal
from polars_fairness.question.arguments import Question
from polars_fairness.terms import Each, across, all_, g
from tests.reporting.reports import BOTH, four_each, maps, worst


def test_every_group_of_two_facets_is_ranked() -> None:
    report = pf.report(four_each(), "dppl", harm="both", **BOTH)
    # 8 of 16 were hired. Of the women 2 of 8: z² = 3.84146, n + z² = 11.84146;
    # (2 + 1.92073 ∓ 1.95996·√(2·6/8 + 0.96036)) / 11.84146.
    assert worst(report)[0] == [
        *("sex F", "8", "25.0 % (7.1 to 59.1 %)", "50.0 %"),
        *("0.500", "0.250", "0.1250", "below", "1"),
    ]
    # Alpha times beta: half of the rows at a distance of 1/4 are as bad as a quarter at 1/2.
    # Race b has 3 of 8 hired, a distance of 1/8. Men of either race: 1/4 of all rows, at 1/4.
    assert [(row[0], *row[-2:]) for row in worst(report)] == [
        ("sex F", "below", "1"),
        ("sex M", "above", "1"),
        ("sex F, race b", "below", "1"),
        ("race b", "below", "4"),
        ("race w", "above", "4"),
        ("sex M, race b", "above", "4"),
        ("sex M, race w", "above", "4"),
        ("sex F, race w", "equal", "8"),
    ]
    products = [row[-3] for row in worst(report)]
    assert products == ["0.1250"] * 3 + ["0.0625"] * 4 + ["0.0000"]
    text = report.to_markdown()
    assert "Alpha is the rows that the group's rate is about, as a share of all rows" in text
    assert "No metric over several facets was requested" in text
    assert "These are all groups: 8." in text
    assert "spsf/sex & race" not in report.to_dict()


SPSF: Final = "spsf (Statistical parity subgroup fairness)"


def first_lines(report: pf.Report) -> str:
    return report.to_markdown().split("\n## ", 1)[0]


def test_page_one_says_that_intervals_are_not_adjusted_for_the_rank() -> None:
    """As docstrings say: the group that ranks worst was chosen in the same rows."""
    page = first_lines(pf.report(four_each(), "dppl", **BOTH))
    # Wilson: of 4 rows, none: z²/(n + z²) is 3.84146/7.84146.
    assert "is 0.0 % (95 % interval 0.0 to 49.0 %, not adjusted for the rank), beside" in page
    three = four_each().with_columns(race=pl.Series([*"aaabbbbccccccccc"]))
    page = first_lines(pf.report(three, "ci", facet="race", predicted="hired"))
    assert "Farthest from its ideal by race, with an interval not adjusted for the rank: ci" in page
    scores = four_each().with_columns(s=pl.int_range(pl.len()) % 5 / 5)
    page = first_lines(pf.report(scores, facet="sex", label="hired", score="s"))
    assert "the scores rank F (8 rows) worst" in page
    for sentence in page.split(". "):
        if " worst" in sentence or "farthest from" in sentence:
            assert sentence.count("95 % interval") == sentence.count("not adjusted for the rank")


def test_a_tiny_group_of_several_facets_is_not_the_worst_by_chance() -> None:
    """Of race x there is one woman, not hired: her interval reaches to 79 % (Wilson)."""
    many = pl.concat([four_each()] * 50)
    tiny = pl.DataFrame({"sex": ["F", "M"], "race": ["x", "x"], "hired": [0, 1]})
    many = many.with_columns(
        hired=pl.when(sex="F", race="b")
        .then(pl.int_range(pl.len()) % 10 == 0)
        .otherwise(pl.col("hired") == 1)
        .cast(pl.Int64)
    )
    text = first_lines(pf.report(pl.concat([many, tiny]), "dppl", **BOTH))
    assert "sex F &amp; race b (200 rows) fares worst" in text


def test_a_group_of_unknown_values_is_not_the_worst_on_the_first_page() -> None:
    """No woman of unknown race is hired."""
    unknown = four_each().with_columns(race=pl.col("race").replace("b", None))
    text = first_lines(pf.report(unknown, "dppl", **BOTH))
    # Of women of race w a half is hired, as of all rows.
    assert "fares worst" not in text


def test_the_worst_group_has_its_rows_or_its_weight() -> None:
    """Of the women 2 of 8 were hired, of all people 8 of 16; each weighs a half."""
    weighted = four_each().with_columns(weight=0.5)
    for weight, size in ((None, "8 rows"), ("weight", "weight 4.0")):
        text = pf.report(weighted, "dppl", weight=weight, **BOTH).to_markdown()
        rates = "with a selection rate of 25.0 %, below the 50.0 % of all rows together."
        sentence = f"sex F ({size}), {rates}"
        assert f"Worst group by {SPSF}: {sentence}" in text


def test_the_worst_group_is_the_worst_of_all_windows_that_are_no_times() -> None:
    """In branch a no woman was hired, in branch b 2 of 8; of the men 6 of 8 in each."""
    is_woman = pl.col("sex") == "F"
    fewer = four_each().with_columns(pl.when(~is_woman).then("hired").otherwise(0).alias("hired"))
    rows = pl.concat(
        frame.with_columns(branch=pl.lit(branch))
        for branch, frame in (("a", fewer), ("b", four_each()))
    )
    text = pf.report(rows, "dppl", by="branch", **BOTH).to_markdown()
    assert f"Worst group by {SPSF}, branch a: sex F (8 rows)" in text


def test_ten_groups_are_shown_and_the_others_counted() -> None:
    """Two sexes, four races and one unknown, ten pairs: 17 groups."""
    races = pl.DataFrame({"race": ["a", "b", "c", "d", None]})
    frame = four_each().drop("race").join(races, how="cross")
    report = pf.report(frame, "dppl", harm="both", **BOTH)
    assert len(worst(report)) == 10
    assert "Not shown: 7 of 17 groups." in report.to_markdown()
    # Each race has 8 of 16 hired; its women have 2 of 8, and are a tenth of all rows.
    assert [row[0] for row in worst(report)] == [
        *("sex F", "sex M"),
        *(f"sex F, race {race}" for race in ("a", "b", "c", "d", "unknown")),
        *(f"sex M, race {race}" for race in ("a", "b", "c")),
    ]
    harmed = pf.report(frame, "dppl", **BOTH)
    assert [row[0] for row in worst(harmed)] == [
        "sex F",
        *(f"sex F, race {race}" for race in ("a", "b", "c", "d", "unknown")),
    ]
    # Men, their five races, and five races of both sexes, at the overall rate.
    not_shown = "Not shown: 11 of 17 groups, 11 of them not below the overall rate."
    assert not_shown in harmed.to_markdown()


def test_the_worst_groups_are_on_the_side_that_fares_worse() -> None:
    report = pf.report(four_each(), "dppl", **BOTH)
    assert [(row[0], *row[-2:]) for row in worst(report)] == [
        ("sex F", "below", "1"),
        ("sex F, race b", "below", "1"),
        ("race b", "below", "3"),
    ]
    text = report.to_markdown()
    assert "### spsf: selection rate below the overall rate" in text
    assert (
        "The tables show groups whose rate is below the overall rate: they fare worse, as a "
        "positive outcome is good for the person."
    ) in text
    assert "| harm |" not in text
    stops = pf.report(four_each(), "dppl", harm="above", **BOTH)
    assert [(row[0], *row[-2:]) for row in worst(stops)] == [
        ("sex M", "above", "1"),
        ("race w", "above", "2"),
        ("sex M, race b", "above", "2"),
        ("sex M, race w", "above", "2"),
    ]
    text = stops.to_markdown()
    assert "### spsf: selection rate above the overall rate" in text
    assert "whose rate is above the overall rate, as harm says." in text
    assert "| harm | above |" in text
    both = pf.report(four_each(), "dppl", harm="both", **BOTH).to_markdown()
    assert "### spsf: selection rate below or above the overall rate" in both
    assert "the worst group by this metric may be the one that fares best" in both


def test_a_side_may_fare_worse_whatever_a_positive_outcome_means() -> None:
    frame = four_each().with_columns(due=pl.Series([1, 1, 0, 0] * 4))
    report = pf.report(frame, pf.entry("accuracy_gap", groups="conjunctions"), label="due", **BOTH)
    assert (
        "whose rate is below the overall rate: they fare worse, whether a positive outcome is "
        "good or bad for the person."
    ) in report.to_markdown()


def test_a_window_without_harmed_groups_says_so() -> None:
    frame = pl.concat(
        [
            four_each().with_columns(month=pl.lit(1)),
            four_each().with_columns(month=pl.lit(2), hired=pl.lit(1, pl.Int64)),
        ]
    )
    text = pf.report(frame, "dppl", by="month", **BOTH).to_markdown()
    assert "**Worst groups by spsf, month 1**" in text
    assert "**Worst groups by spsf, month 2**" not in text
    assert "No group has a rate below the overall rate, month 2." in text


def test_a_harm_that_does_not_exist_is_refused_at_once() -> None:
    with pytest.raises(
        pf.FairnessError, match=r"^harm: takes 'below', 'above' or 'both', or a dict.*, got 'high'"
    ):
        pf.report(four_each(), "dppl", harm="high", **BOTH)  # type: ignore[arg-type]
    with pytest.raises(pf.FairnessError, match=r"^harm: 'fpsf' is not among the metrics; did you"):
        pf.report(four_each(), "dppl", harm={"fpsf": "above"}, **BOTH)


def test_each_metric_of_a_report_may_have_a_side_of_its_own() -> None:
    """Where a positive outcome is a burden, false positives are the harm, false negatives are not.

    Each group has two rows that are due and two that are not. Hired are 0 and 0 of F b, 2 and 0 of
    F w, 2 and 1 of M b and of M w: 6 of the 8 that are due, and 2 of the other 8.
    """
    frame = four_each().with_columns(due=pl.Series([1, 1, 0, 0] * 4))
    report = pf.report(frame, "dppl", label="due", harm={"fpsf": "above", "fnsf": "below"}, **BOTH)
    assert [row[0] for row in worst(report, "fpsf")] == [
        *("sex M", "sex M, race b", "sex M, race w")
    ]
    assert {row[0] for row in worst(report, "fnsf")} == {
        *("sex M", "race w", "sex F, race w", "sex M, race b", "sex M, race w")
    }
    assert "| harm | fpsf: above; fnsf: below |" in report.to_markdown()
    one = pf.report(frame, "dppl", label="due", harm={"fpsf": "above"}, **BOTH).to_markdown()
    assert "fpsf: false positive rate above the overall rate" in one
    assert "fnsf: false negative rate above the overall rate" in one
    assert "they fare worse, as a positive outcome is good for the person." in one
    burden = pf.report(frame, "dppl", label="due", favorable=False, **BOTH).to_markdown()
    assert "fpsf: false positive rate above the overall rate" in burden
    assert "fnsf: false negative rate below the overall rate" in burden
    assert "they fare worse, as a positive outcome is bad for the person." in burden


def test_an_unknown_facet_is_a_group_by_name() -> None:
    frame = four_each().with_columns(race=pl.col("race").replace("b", None))
    names = [row[0] for row in worst(pf.report(frame, "dppl", harm="both", **BOTH))]
    assert {"race unknown", "sex F, race unknown", "sex M, race unknown"} < {*names}
    known = pf.entry("spsf", groups="conjunctions", include_unknown=False)
    report = pf.report(frame, known, harm="both", **BOTH)
    assert {*names} - {row[0] for row in worst(report)} == {
        *("race unknown", "sex F, race unknown", "sex M, race unknown")
    }
    assert "conjunctions of any number of facets, no facet unknown" in report.to_markdown()


def test_minimum_count_leaves_out_groups_unless_the_metric_has_its_own() -> None:
    report = pf.report(four_each(), "dppl", minimum_count=5, harm="both", **BOTH)
    assert [row[0] for row in worst(report)] == ["sex F", "sex M", "race b", "race w"]
    assert "These are all groups of 5 rows or more: 4." in report.to_markdown()
    everywhere = pf.entry("spsf", groups="conjunctions")
    requested = pf.report(four_each(), everywhere, minimum_count=5, harm="both", **BOTH)
    assert len(worst(requested)) == 8
    assert "No metric over several facets was requested" not in requested.to_markdown()


def test_groups_without_the_rate_have_no_rank() -> None:
    """No rows of race b are due. Of race w, 2 of the 4 women are missed, and 1 of the 4 men."""
    frame = four_each().with_columns(due=pl.col("race") == "w")
    report = pf.report(frame, pf.entry("fnsf", groups="conjunctions"), label="due", **BOTH)
    assert [row[0] for row in worst(report, "fnsf")] == [*("sex F", "sex F, race w")]
    assert (
        "Not shown: 6 of 8 groups, 3 of them not above the overall rate, 3 of them without this "
        "rate."
    ) in report.to_markdown()


def test_intersections_rank_among_themselves() -> None:
    gap, ratio = (
        pf.report(four_each(), pf.entry(name, groups="intersections"), harm="both", **BOTH)
        for name in ("selection_rate_gap", "selection_rate_ratio")
    )
    rows = worst(gap, "selection_rate_gap")
    # Rates are 0, 2/4, 3/4 and 3/4: women of race b and men are farthest from each other.
    assert [(row[0], row[-3], row[-1]) for row in rows] == [
        ("sex F, race b", "0.7500", "1"),
        ("sex M, race b", "0.7500", "1"),
        ("sex M, race w", "0.7500", "1"),
        ("sex F, race w", "0.5000", "4"),
    ]
    text = gap.to_markdown()
    assert "Alpha is 1; beta is the distance of the group's rate from the farthest rate" in text
    assert "(g over intersections of all facets)" in text
    text = ratio.to_markdown()
    assert "beta is the smallest ratio between the group's rate and the rate of another" in text
    assert "rank 1 is the worst, with the smallest product" in text
    assert worst(ratio, "selection_rate_ratio")[-1][-3:] == ["0.0000", "above", "1"]


def test_a_user_metric_ranks_groups_by_its_own_terms() -> None:
    low = (all_.selection_rate - g.selection_rate).clip(0)
    own = pf.Metric(
        name="overlooked",
        title="Hired less often",
        formula=across(low.max(), each=Each("selection_rate", literal(1.0), low)),
    )
    report = pf.report(four_each(), own.over("conjunctions"), **BOTH)
    assert worst(report, "overlooked")[0][0] == "sex F, race b"
    text = report.to_markdown()
    assert (
        "Alpha is the group's share; beta is its distance, both as the metric defines them" in text
    )
    assert "Hired less often. The groups are conjunctions of any number of facets." in text


def test_every_window_has_its_worst_groups() -> None:
    frame = pl.concat(
        [
            four_each().with_columns(month=pl.lit(1)),
            four_each().with_columns(month=pl.lit(2), sex=pl.col("sex").replace("F", "X")),
            four_each().with_columns(month=pl.lit(3), hired=pl.lit(None)),
        ]
    )
    report = pf.report(frame, "dppl", by="month", nulls="drop", harm="both", **BOTH)
    assert worst(report, month=1)[0][0] == "sex F"
    assert [row[0] for row in worst(report, month=2)][:2] == ["sex M", "sex X"]
    assert worst(report, month=2)[0][-1] == "1"
    assert "**Worst groups by spsf, month 3**" not in report.to_markdown()


def test_a_window_without_the_rate_has_a_sentence_instead_of_a_table() -> None:
    frame = pl.concat(
        four_each().with_columns(month=pl.lit(month), due=pl.lit(due))
        for month, due in ((1, True), (2, False))
    )
    everywhere = pf.entry("fnsf", groups="conjunctions")
    report = pf.report(frame, everywhere, label="due", by="month", confidence=None, **BOTH)
    text = report.to_markdown()
    assert "Worst groups by fnsf, month 1" in text
    assert "No group has this rate, month 2." in text
    assert "Worst groups by fnsf, month 2" not in text
    assert len(maps(report)) == 1


def test_a_metric_of_one_facet_does_not_choose_the_groups() -> None:
    report = pf.report(four_each(), pf.entry("spsf"), **BOTH)
    assert "The groups are conjunctions of at most 2 facets." in report.to_markdown()


def test_metrics_of_different_depths_stand_side_by_side() -> None:
    frame = four_each().with_columns(half=pl.Series([1, 2] * 8))
    one = pf.entry("spsf", groups="conjunctions", depth=1).named("one")
    two = pf.entry("spsf", groups="conjunctions", depth=2).named("two")
    question = BOTH | {"facet": ["sex", "race", "half"]}
    report = pf.report(frame, one, two, confidence=None, **question)
    assert {row[0].count(",") for row in worst(report, "one")} == {0}
    assert {row[0].count(",") for row in worst(report, "two")} == {0, 1}


def test_many_windows_show_the_last() -> None:
    months = pl.DataFrame({"month": range(1, 27)})
    frame = four_each().join(months, how="cross")
    by_default = pf.report(frame, "dppl", by="month", **BOTH).to_markdown()
    assert "These are the last 3 of 26 windows." in by_default
    report = pf.report(frame, "dppl", by="month", detail="full", **BOTH)
    text = report.to_markdown()
    shown = [int(month) for month in re.findall(r"Worst groups by spsf, month (\d+)", text)]
    assert shown == [*range(3, 27)]
    assert "These are the last 24 of 26 windows." in text
    assert len(maps(report)) == 24


def test_rows_of_equal_weight_have_the_intervals_of_unweighted_rows() -> None:
    frame = four_each().with_columns(weight=pl.lit(2.5))
    report = pf.report(frame, "dppl", weight="weight", **BOTH)
    assert worst(report)[0][:3] == ["sex F", "20.0", "25.0 % (7.1 to 59.1 %)"]
    assert "95 % Wilson intervals of the effective number of rows" in report.to_markdown()


def test_definitions_name_the_groups_of_a_metric() -> None:
    few = pf.entry("spsf", groups="conjunctions", depth=2, minimum_count=4)
    text = pf.report(four_each(), few, "selection_rate_gap", **BOTH).to_markdown()
    assert "(g over conjunctions of at most 2 facets, of 4 rows or more) |" in text
    assert "| max − min of q' over the groups |" in text
    single = pf.entry("spsf", groups="conjunctions", depth=1)
    assert "at most 1 facet)" in pf.report(four_each(), single, **BOTH).to_markdown()
    none_left_out = pf.entry("spsf", groups="conjunctions", minimum_count=1)
    assert "any number of facets)" in pf.report(four_each(), none_left_out, **BOTH).to_markdown()


@pytest.mark.extras
@pytest.mark.parametrize(
    ("frame", "question"),
    [
        (four_each(), {"facet": "sex"}),
        (four_each(), {"facet": None, "label": "half"}),
        (four_each(), {"facet": [pl.struct("sex", "race").alias("both"), "half"]}),
        (four_each(), {"predicted": None, "label": "hired"}),
        (four_each().clear(), {}),
        (four_each().with_columns(hired=pl.lit(None, pl.Int64)), {"nulls": "drop"}),
        (four_each().with_columns(hired=pl.lit(None, pl.Int64)), {"nulls": "drop", "by": "half"}),
    ],
    ids=["one facet", "no facet", "intersection", "labels", "empty", "dropped", "by"],
)
def test_there_is_no_ranking_where_there_are_no_groups(frame: pl.DataFrame, question: Any) -> None:
    frame = frame.with_columns(half=pl.lit(1))
    one, two = (pf.report(frame, confidence=None, **(BOTH | question)) for _ in range(2))
    assert "Worst groups" not in one.to_markdown()
    assert one._repr_html_() == two._repr_html_()


def test_a_report_with_harm_says_what_its_verdicts_are_about() -> None:
    """On stops, the groups that are searched most are the worst, and no verdict is against them.

    With favorable=False, verdicts are, and the page takes no outcome for good.
    """
    question = Question(
        facet="race", favored="White", predicted="searched", count="n", nulls="drop"
    )
    stops = pf.datasets.stops()
    sentence = "the worst groups are those that harm names."
    plain = pf.report(stops, "di", **question).to_markdown()
    assert sentence not in plain
    text = pf.report(stops, "di", **question, harm="above").to_markdown()
    assert sentence in text[: text.index("## The question")]
    question["favorable"] = False
    burden = pf.report(stops, "di", **question, harm="above").to_markdown()
    assert sentence not in burden
