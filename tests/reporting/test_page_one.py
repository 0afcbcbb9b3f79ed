"""Page one: what it says, in what order, and that each of its numbers is in a row it names."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from typing import Any, Final

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.formula.metric import said
from polars_fairness.reporting.parts import Paragraph, Section
from tests.reporting.reports import of_counts
from tests.reporting.traced import document_of, untraced

QUESTION: Final[dict[str, Any]] = {"facet": "sex", "predicted": "hired", "confidence": None}


def first_page(report: pf.Report, **given: Any) -> Section:
    return document_of(report, **given).sections[0]


def points(report: pf.Report, **given: Any) -> dict[str, str]:
    """The paragraphs of page one by their labels; the lead has none."""
    found: dict[str, str] = {}
    for paragraph in first_page(report, **given).paragraphs:
        found[paragraph.label] = " ".join(
            filter(None, [found.get(paragraph.label), paragraph.text])
        )
    return found


# The law


@pytest.mark.parametrize(
    "seed", [*range(12), *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(12, 60))]
)
def test_each_number_of_a_sentence_is_in_a_row_that_it_names(seed: int) -> None:
    """Random rows of one or two facets of 2 to 14 groups, and some metrics; also of two models."""
    metrics = ("di", "rd", "mh_ratio", "dppl", "cddpl", "fpr_difference", "ad", "cohens_d")
    draw = np.random.default_rng(seed)
    n, groups, facets = (int(draw.choice(of)) for of in ((40, 200, 3_000), (2, 3, 6, 14), (1, 2)))
    rates = 0.2 + 0.6 * draw.random(groups)
    of = draw.integers(0, groups, n)
    frame = pl.DataFrame(
        {
            "f0": [f"g{i}" for i in of],
            "f1": [f"h{i}" for i in draw.integers(0, 3, n)],
            "p": draw.random(n) < rates[of],
            "y": draw.random(n) < 0.5,
            "s": [f"s{i}" for i in draw.integers(0, 4, n)],
        }
    )
    asked = [*dict.fromkeys([*draw.choice(metrics, 3), "di"])]
    question: dict[str, Any] = {"facet": ["f0", "f1"][:facets], "predicted": "p", "label": "y"}
    question |= {"favored": dict.fromkeys(question["facet"], pf.LARGEST), "replicates": 20}
    question |= {"subgroup": "s"} if {"mh_ratio", "cddpl"} & {*asked} else {}
    if seed % 5 == 4:
        others = pl.Series("q", draw.random(n) < rates[of])
        question |= {"predicted": {"now": "p", "next": others.name}, "champion": "now"}
        frame = frame.with_columns(others)
    assert untraced(document_of(pf.report(frame, *asked, **question))) == []


def test_a_number_of_no_row_is_found() -> None:
    report = pf.report(of_counts({"F": (2, 10), "M": (8, 10)}), "di", **QUESTION)
    document = document_of(report)
    first, *others = document.sections
    [lead, *paragraphs] = first.paragraphs
    sentence = lead.sentences[0]
    assert untraced(document) == []
    wrong = type(sentence)(sentence.text.replace("0.25", "0.26"), sentence.keys)
    changed = Section("", (Paragraph((wrong,)), *paragraphs), first.tables)
    lost = untraced(type(document)(document.title, (), (changed, *others), ()))
    assert [number for number, _ in lost] == ["0.26"]


# What leads


def test_the_words_of_the_author_stand_in_sentences_and_tables() -> None:
    report = pf.report(of_counts({"F": (200, 1_000), "M": (800, 1_000)}), "di", **QUESTION)
    words: dict[str, Any] = {
        "groups": {"sex": {"F": "women", "M": "men"}},
        "decided": "hired",
        "rows": "applicants",
    }
    found = points(report, words=words)
    assert found[""] == (
        "Women are hired 0.25 times as often as men: 20.0\u202f% against 80.0\u202f%."
    )
    assert found["Applicants"] == "All 2,000 applicants were used."
    text = report.to_markdown(words=words)
    assert "| Women | 1,000 | 200 |" in text
    assert "| Men (reference) | 1,000 | 800 |" in text
    assert "Being hired is taken as good" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"groups": {"sex": {"X": "others"}}}, "words: 'sex' has no value 'X'"),
        ({"grups": {}}, "words: there is no key 'grups'"),
        ({"decided": 3}, "words: 'decided' takes text"),
        ({"label": "repaid"}, "words: 'label' takes two texts"),
        ({"groups": {"sex": "women"}}, "words: 'groups' takes words for each value of 'sex'"),
        ({"groups": {"sex & race": {"F": "women"}}}, "takes a value of each of its facets"),
        ("women", "words: takes a table"),
    ],
)
def test_wrong_words_are_refused(words: Any, message: str) -> None:
    report = pf.report(of_counts({"F": (2, 10), "M": (8, 10)}), "di", **QUESTION)
    with pytest.raises(pf.FairnessError, match=message.replace("(", r"\(")):
        report.to_markdown(words=words)


def test_a_policy_has_words_and_a_call_may_have_others() -> None:
    policy = pf.Policy(
        name="Loans", words={"groups": {"sex": {"F": "women", "M": "men"}}, "decided": "hired"}
    )
    frame = of_counts({"F": (2, 10), "M": (8, 10)})
    report = pf.report(frame, "di", policy=policy, **QUESTION)
    assert points(report)[""].startswith("Women are hired 0.25 times")
    assert points(report, words={"decided": "taken"})[""].startswith("Women are taken 0.25 times")


def test_words_of_several_facets_name_their_group() -> None:
    rows = pl.concat(
        of_counts({"F": (f, 400), "M": (300, 400)}).with_columns(race=pl.lit(race))
        for race, f in (("Black", 60), ("White", 200))
    )
    report = pf.report(rows, "di", facet=["sex", "race"], predicted="hired")
    for key, value in (("sex & race", "F & Black"), (("sex", "race"), ("F", "Black"))):
        words = {"groups": {key: {value: "Black women"}}}
        assert (
            "the lowest group is Black women: 15.0\u202f%"
            in points(report, words=words)["By sex and race"]
        )


def test_a_group_that_is_outside_by_two_models_is_one_group() -> None:
    """Of 1,000 men 800; of 1,000 women 400 by one model and 200 by the other."""
    rows = of_counts({"F": (400, 1_000), "M": (800, 1_000)})
    next_of = pl.when(pl.col("sex") == "M").then("hired").otherwise(pl.int_range(pl.len()) < 200)
    models = {"old": "hired", "next": next_of.alias("next")}
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": models}
    found = points(pf.report(rows, "di", **question))
    lead = "the selection rate of the group F is {} times that of the group M: {}\u202f% against"
    assert found[""].startswith(f"With model next, {lead.format('0.25', '20.0')}")
    assert "With model old, it is 0.50 (0.46 to 0.54), also outside the band." in found["By sex"]
    assert "more group" not in found["By sex"]
    # A champion is there already: what may follow it leads.
    found = points(pf.report(rows, "di", **question, champion="next"))
    assert found[""].startswith(f"With model old, {lead.format('0.50', '40.0')}")
    assert "With model next, it is 0.25 (0.22 to 0.29), also outside the band." in found["By sex"]
    assert "of 1 value, none is worse and 1 is better." in found["Models"]


def test_values_without_an_interval_are_not_among_those_that_stay_outside() -> None:
    report = pf.report(
        of_counts({"F": (200, 1_000), "M": (800, 1_000)}),
        *("di", "dppl", "two_sd"),
        facet="sex",
        favored="M",
        predicted="hired",
    )
    said = points(report)["All values"]
    assert said == (
        "All 3 judged values are outside their bands. The 2 with an interval stay outside if the 2 "
        "intervals are widened to hold together."
    )


def test_what_was_not_measured_stands_beside_what_is_left_at_equal_controls() -> None:
    """Of Cinelli and Hazlett (2020): as many times as a control, or as a share of both."""
    draw = np.random.default_rng(0)
    n = 4_000
    sex, site = draw.random(n) < 0.5, draw.integers(0, 3, n)
    site = np.where(draw.random(n) < 0.3 * sex, 2, site)
    rate = 0.8 - 0.2 * sex - 0.15 * site
    frame = pl.DataFrame(
        {
            "sex": np.where(sex, "F", "M"),
            "site": [f"s{each}" for each in site],
            "hired": draw.random(n) < rate,
        }
    )
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "hired"}
    report = pf.report(frame, "di", "adjusted_difference", **question, controls="site")
    row = report.answers.audited.filter(metric="adjusted_difference").row(0, named=True)
    times = row["unmeasured_times"]
    assert times > 1
    said = points(report)["By sex"]
    assert f"At equal site, a difference of {100 * row['value']:.1f} points is left (" in said
    assert said.endswith(
        f"For an unmeasured confounder to bring this to 10 points, it would have to explain about "
        f"{times:.1f} times as much of sex, and of who is selected, as site does."
    )
    assert f"| {times:.1f} × site |" in report.to_markdown()
    assert untraced(document_of(report)) == []
    # A control that says nothing of the side is no measure.
    alone = frame.with_columns(site=pl.int_range(pl.len()) % 2)
    report = pf.report(alone, "adjusted_difference", **question, controls="site")
    row = report.answers.audited.row(0, named=True)
    assert row["unmeasured_times"] is None
    assert points(report)["By sex"].endswith(
        f"An unmeasured confounder would have to explain {100 * row['robustness']:.1f}\u202f% of "
        "the residual variance of both sex and who is selected to bring this to 10 points."
    )
    assert "confounder" not in pf.report(frame, "di", **question).to_markdown()


# Windows

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
        *(("so", "so"), ("other", "so"), ("so", "other"), ("so", "absent"), ("absent", "absent")),
        *(("so", "not so"), ("so", "against M"), ("so",), ("not so",)),
    ],
)
def test_it_is_so_only_in_windows_with_the_same_sides(before: tuple[str, ...]) -> None:
    rows = pl.concat(
        of_counts(MONTHS[each]).with_columns(month=date(2025, month, 1))
        for month, each in enumerate((*before, "so"), start=1)
    )
    is_named = "against M" in before
    sides = {"disfavored": "F", "favored": "M"} if is_named else {"favored": pf.HIGHEST}
    found = points(pf.report(rows, "di", by="month", **QUESTION | sides))
    assert "the group F is 0.25 times that of the group M" in found[""]
    last = f"month 2025-0{len(before)}-01"
    if {*before} == {"so"}:
        words = f" in each of the {len(before) + 1} windows."
    elif before[-1] == "so":
        words = f" in each window since {last}, 2 in a row."
    elif before[-1] in ("not so", "against M"):
        words = f"; in the window before, {last}, it was not."
    else:
        words = f"; in the window before, {last}, this is not known."
    outside = "has been outside" if words.startswith(" in each window since") else "is outside"
    assert found["Over time"].startswith(
        f"The impact ratio of the group F {outside} its band{words}"
    )


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
    report = pf.report(hired, "di", by="branch", **question)
    found = points(report)
    # 29 strata of 2 of 8, one of 0 of 8, beside 6 of 12: (58 * 12 / 20) / (180 * 8 / 20).
    ratio = (58 * 12) / (180 * 8)
    assert found[""] == (
        "Compared within each branch, the selection rate of the group F is "
        f"{ratio:.2f} times that of the group M."
    )
    assert "The p-value of equal rates is < 0.0001." in found["By sex, over all branch"]
    assert "30 of 30 comparisons have fewer than 30 rows on a side" in found["All windows"]
    alone = pf.report(hired.filter(pl.col("branch") < "2"), "di", by="branch", **question)
    assert "over all" not in alone.to_markdown()


# Sentences of metrics


def test_a_sentence_names_the_sides_in_its_slots_and_nowhere_else() -> None:
    """The words of a user's own metric stay, also a and d, and so do braces in names."""
    sentence = "{d} has a better chance to be given a d than {a}: {value}"
    assert said(sentence, "{a}", "Men", "2") == (
        "{a} has a better chance to be given a d than Men: 2"
    )


def test_no_side_stays_unnamed_in_the_catalogue() -> None:
    """With long names in place of both, no d is left, and each a is an article."""
    articles = set()
    for metric in pf.CATALOGUE.values():
        for sentence in (metric.above, metric.below, metric.reading) if metric.has_sides else ():
            words = said(sentence, "Women", "Men").replace(",", "").split()
            assert "d" not in words
            articles |= {after for word, after in pairwise(words) if word == "a"}
            if metric.reading:
                assert "Women" in words
    assert articles <= {"larger", "rejection"}


def test_a_metric_of_the_user_is_read_aloud() -> None:
    own = pf.Metric(
        "parts",
        "Parts",
        pf.terms.d.selection_rate - pf.terms.a.selection_rate,
        acceptable=(-0.1, 0.1),
        reading="{d} is accepted {value} parts more often than {a}",
    )
    report = pf.report(of_counts({"F": (2, 10), "M": (8, 10)}), own, **QUESTION)
    assert points(report)[""] == (
        "The group F is selected −0.600 parts more often than the group M."
    )
    words = {"groups": {"sex": {"F": "women", "M": "men"}}, "decided": "hired"}
    assert points(report, words=words)[""] == "Women are hired −0.600 parts more often than men."
