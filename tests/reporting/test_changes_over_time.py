"""What changed from one window to the next: expected numbers are worked out by hand."""

from __future__ import annotations

from datetime import date
from math import sqrt
from statistics import NormalDist
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.answers.audit import audit_with_certainty
from polars_fairness.reporting import findings
from polars_fairness.reporting.charts.over_time import changes_over_time, trend_figures
from polars_fairness.reporting.findings import IS_MARKED, PREVIOUS, Findings
from polars_fairness.reporting.parts import Sentences
from polars_fairness.reporting.sections.order import document_of
from polars_fairness.reporting.verdicts import comparisons_shown
from tests.reporting.reports import HOSTILE

MONTHS = [date(2025, month, 1) for month in range(4, 10)]


def decisions(accepted: list[int], sex: str = "F") -> pl.DataFrame:
    """Of 10,000 women so many are accepted each month from April on, of as many men always half."""
    return pl.DataFrame(
        [
            {"month": month, "sex": group, "hired": hired, "n": n}
            for month, women in zip(MONTHS, accepted, strict=False)
            for group, positive in ((sex, women), ("M", 5_000))
            for hired, n in ((1, positive), (0, 10_000 - positive))
        ]
    )


QUESTION: dict[str, Any] = {
    "facet": "sex",
    "favored": "M",
    "predicted": "hired",
    "count": "n",
    "by": "month",
}

BROKEN = [5_000, 5_000, 5_000, 2_500, 2_500, 2_500]


def found(accepted: list[int], *metrics: str, **more: Any) -> Findings:
    return pf.report(decisions(accepted), *(metrics or ("di",)), **(QUESTION | more)).findings


def test_a_break_is_marked_in_its_month_only() -> None:
    steps = found(BROKEN).steps
    assert steps["month"].to_list() == MONTHS[1:]
    assert steps[PREVIOUS].to_list() == MONTHS[:-1]
    assert steps["difference"].to_list() == pytest.approx([0, 0, -0.5, 0, 0])
    assert steps[IS_MARKED].to_list() == [False, False, True, False, False]


def test_the_intervals_hold_for_all_steps_together() -> None:
    step = found(BROKEN).steps.filter(IS_MARKED)
    # The variance of the logarithm of di is (1 − p) / np of one side and of the other; times di².
    before = (0.5 / 5_000 + 0.5 / 5_000) * 1.0**2
    after = (0.75 / 2_500 + 0.5 / 5_000) * 0.5**2
    # Five steps: each interval leaves out a fifth of 5 %.
    reach = NormalDist().inv_cdf(1 - 0.05 / 5 / 2) * sqrt(before + after)
    assert step["difference_lower"].item() == pytest.approx(-0.5 - reach, abs=0.1 * reach)
    assert step["difference_upper"].item() == pytest.approx(-0.5 + reach, abs=0.1 * reach)


def test_the_largest_changes_are_those_of_the_first_page() -> None:
    """Two changes of a tenth, and then one from 0.8 to 0.1, which opens the section."""
    document = document_of(found([5_000, 4_500, 4_000, 500, 500, 500]), {})
    [changes] = (
        part.sentences
        for part in document.first
        if isinstance(part, Sentences) and part.look == "changes"
    )
    assert len(changes) == 3
    assert changes[2] == "Smaller changes, or changes that are over: 1; see “Over time”."
    largest = "fell from 0.800 in 2025-06-01 to 0.100 in 2025-07-01"
    assert largest in changes[1]
    (section,) = (each for each in document.sections if each.title == "Over time")
    assert largest in section.finding
    for part, ratio in zip(section.parts, ("0.900", "0.800"), strict=False):
        assert f"to {ratio} in 2025-0" in str(part)
    assert section.finding not in section.parts


def test_metrics_with_a_band_are_followed_if_any_is_requested() -> None:
    for requested, followed in ((["ci", "di"], ["di"]), (["ci"], ["ci"])):
        assert found(BROKEN, *requested).steps["metric"].unique().to_list() == followed


def test_one_sentence_for_a_facet_and_a_window() -> None:
    several = found(BROKEN, "di", "dppl")
    assert several.steps[IS_MARKED].sum() == 2
    (sentence,) = changes_over_time(several)
    assert sentence.startswith("di of sex: F against M fell from 1.000 in 2025-06-01")


def test_groups_that_change_places_are_shown_in_each_window() -> None:
    """Women are the reference in May, and men in all other months."""
    changing = found([2_500, 7_500], favored=pf.HIGHEST)
    shown = comparisons_shown(changing)
    assert [(each.disfavored, each.favored) for each in shown] == [("M", "F")]


def test_a_change_that_is_over_comes_after_one_in_force() -> None:
    """Women fell to a fifth for one month; the old fell to a half, and stay there."""
    cells = pl.DataFrame(
        [
            {"month": month, "sex": sex, "age": age, "hired": hired, "n": n}
            for i, month in enumerate(MONTHS)
            for sex in ("F", "M")
            for age in ("old", "young")
            for share in [
                (0.1 if (i, sex) == (1, "F") else 0.5) * (0.5 if i > 3 and age == "old" else 1)
            ]
            for hired, n in ((1, round(10_000 * share)), (0, round(10_000 * (1 - share))))
        ]
    )
    question = QUESTION | {"facet": ["sex", "age"], "favored": {"sex": "M", "age": "young"}}
    (first,) = changes_over_time(pf.report(cells, "di", **question).findings, 1)
    assert first.startswith("di of age: old against young fell from 1.000 in 2025-07-01 to 0.500")


@pytest.mark.simulation
def test_chance_marks_about_one_of_twenty_audits() -> None:
    """400 rows a month, accepted at random at one rate; 5 of 25 would be chance in 1 of 100."""
    marked = 0
    for seed in range(25):
        months = pl.DataFrame({"month": MONTHS}).join(
            pl.DataFrame({"sex": ["F", "M"]}), how="cross"
        )
        rows = pl.concat([months] * 200).with_columns(n=1)
        drawn = (pl.int_range(pl.len()).hash(seed) % 1_000 < 300).cast(pl.Int8)
        report = pf.report(rows.with_columns(hired=drawn), "di", replicates=300, **QUESTION)
        marked += report.findings.steps[IS_MARKED].any()
    assert marked <= 4


@pytest.mark.parametrize(
    "more",
    [
        {"confidence": None},
        {"sequential": "each"},
        {"by": None},
        {"by": pl.col("month").cast(pl.String).alias("month")},
    ],
)
def test_no_steps_without_intervals_or_time(more: dict[str, Any]) -> None:
    without = found(BROKEN, **more)
    assert without.steps.is_empty()
    assert changes_over_time(without) == []
    if "by" in more:
        assert trend_figures(without) == []


def test_steps_stand_beside_the_baseline_of_the_user() -> None:
    beside = found(BROKEN, baseline="first")
    assert beside.steps[IS_MARKED].to_list() == [False, False, True, False, False]
    (figure,) = trend_figures(beside)
    assert [mark["reference"] for mark in figure.chart.marks] == [None, *[pytest.approx(1)] * 5]


def test_a_figure_marks_the_step() -> None:
    (figure,) = trend_figures(found(BROKEN))
    assert [mark["step"] for mark in figure.chart.marks] == ["", "", "", "−0.500", "", ""]
    opening = (
        "di, sex: F against M, over time: di of sex: F against M fell from 1.000 in 2025-06-01"
    )
    assert figure.in_words.startswith(opening)


def test_two_trends_at_most_the_largest_change_first() -> None:
    regions = pl.concat(
        decisions(BROKEN if race == "w" else [5_000] * 6, sex=race) for race in ("w", "x", "y")
    ).rename({"sex": "race"})
    report = pf.report(regions, "di", **(QUESTION | {"facet": "race"}))
    first, _ = trend_figures(report.findings)
    assert first.caption == "di, race: w against M"


def test_hostile_names_and_one_window() -> None:
    frame = decisions(BROKEN, sex=HOSTILE)
    report = pf.report(frame, "di", **QUESTION)
    (sentence,) = changes_over_time(report.findings)
    assert HOSTILE in sentence
    alone = pf.report(frame.filter(month=MONTHS[0]), "di", **QUESTION)
    assert alone.findings.steps.is_empty()
    assert trend_figures(alone.findings) == []


def test_metrics_without_intervals_are_not_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    computed, audit = [], audit_with_certainty

    def counted(*arguments: Any, **question: Any) -> Any:
        computed.append(arguments[1:])
        return audit(*arguments, **question)

    monkeypatch.setattr(findings, "audit", counted)
    monkeypatch.setattr(findings, "audit_with_certainty", counted)
    assert found(BROKEN, "two_sd").steps.is_empty()
    assert computed == [("two_sd",)]
