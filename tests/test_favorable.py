"""The argument `favorable`: a positive outcome that is bad for the person turns what is judged."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.terms import a, d
from tests.frames import fairness
from tests.strategies import OF_COUNTS

# Both lists of metrics, as the specification of the argument has them.
TURN: Final = {
    # selection and base rates, odds
    *("dppl", "statistical_parity", "di", "success_ratio", "four_fifths", "cohens_d", "two_sd"),
    *("z_ratio", "ddpl", "cddpl", "odds_ratio", "mh_ratio", "mh_difference", "mh_odds_ratio"),
    *("cmh", "dpl", "ddl", "cddl", "disparity_change", "skew_at"),
    *(f"adjusted_{how}" for how in ("difference", "ratio", "odds_ratio")),
    *("adjusted_base_rate_difference", "adjusted_base_rate_ratio"),
    *(
        f"{number}_{how}"
        for of in ("estimate", "observed")
        for number in (f"adjusted_{of}", f"{of}_median", f"{of}_quantile")
        for how in ("difference", "ratio")
    ),
    # true and false positive and negative rates
    *("rd", "sd", "fnr_difference", "average_odds_difference", "average_abs_odds_difference"),
    *("dcacc", "dcr", "te", "te_inverse", "predictive_value_difference"),
    # scores
    *("score_difference", "smd", "balance_positive", "balance_negative"),
    *("calibration_difference", "xauc_difference", "bpsn_auc", "bnsp_auc", "exposure_ratio"),
    # numbers
    *(f"{of}_{how}" for of in ("estimate", "observed") for how in ("difference", "ratio", "smd")),
    *("residual_difference", "actual_to_expected_ratio"),
    *("conditional_estimate_difference", "conditional_observed_difference"),
}
STAY: Final = {
    *("dar", "drr", "ad", "fdr_difference", "for_difference"),
    *("auc_difference", "brier_difference", "ci"),
    *(f"{of}_{how}" for of in ("mae", "rmse") for how in ("difference", "ratio")),
    *("correlation_difference", "r2_difference"),
}
WITHOUT_SIDE: Final = {
    *("kl", "js", "lp", "tvd", "ks", "confusion_distance"),
    *("breslow_day", "abroca", "score_ks", "score_wasserstein"),
    *("score_wasserstein_positive", "score_wasserstein_negative"),
}

_DUALS: Final = {
    "rd": "sd",
    "dar": "drr",
    "fdr_difference": "for_difference",
    "dcacc": "dcr",
    "te": "te_inverse",
    "bpsn_auc": "bnsp_auc",
    # Those of one label have the other label, and rates the other outcome.
    "balance_positive": "balance_negative",
    "score_wasserstein_positive": "score_wasserstein_negative",
    **{
        f"{one}_{of}": f"{two}_{of}"
        for of in ("gap", "ratio")
        for one, two in (("tpr", "tnr"), ("fpr", "fnr"), ("ppv", "npv"))
    },
    "fpsf": "fnsf",
}
# The rate of false negatives is 1 less that of true positives, whose dual is the specificity.
DUALS: Final = {**_DUALS, **{two: one for one, two in _DUALS.items()}, "fnr_difference": "sd"}

# A ratio of rates is another number than that of their complements: 0.9 / 0.8, and 0.2 / 0.1.
OTHER_NUMBER: Final = {
    *("di", "success_ratio", "four_fifths", "mh_ratio", "selection_rate_ratio"),
    *("fpr_ratio", "fnr_ratio", "equalized_odds_ratio"),
    *("z_ratio", "skew_at", "adjusted_ratio", "adjusted_base_rate_ratio"),
}
BENEFITS: Final = ("ge", "theil", "coefficient_of_variation", "ge_between")

QUESTION: Final[dict[str, Any]] = {
    "facet": "group",
    "disfavored": "d",
    "favored": "a",
    "label": "y",
    "predicted": "p",
    "score": "s",
    "subgroup": "stratum",
    "controls": "stratum",
    "observed": "o",
    "estimated": "e",
}
JUDGEMENT: Final = pl.concat_str("verdict", "against", separator=" ", ignore_nulls=True)
OTHER_SIDE: Final = {"outside a": "outside d", "outside d": "outside a"}


def rows(seed: int, n: int = 300) -> pl.DataFrame:
    """Rows of two groups whose rates, errors, scores and sizes differ in a random direction."""
    chance = Random(seed)
    rates = {group: [chance.uniform(0.2, 0.8) for _ in range(3)] for group in "ad"}
    share = chance.choice([0.3, 0.4, 0.6, 0.7])
    drawn = []
    for _ in range(n):
        group = "d" if chance.random() < share else "a"
        base, tpr, fpr = rates[group]
        y = chance.random() < base
        p = chance.random() < (tpr if y else fpr)
        # Eighths: 1 − s is exact.
        s = min(8, max(0, round(8 * chance.gauss(0.35 + 0.15 * p + 0.15 * y, 0.2)))) / 8
        row = (group, y, p, s, chance.choice("xyz"), chance.random(), chance.random())
        drawn.append((*row, 1 + 3 * y + chance.random(), 2 + 2 * p + chance.random()))
    names = ["group", "y", "p", "s", "stratum", "u", "v", "o", "e"]
    return pl.DataFrame(drawn, schema=names, orient="row")


def complemented(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(y=~pl.col("y"), p=~pl.col("p"), s=1 - pl.col("s"))


def verdicts(
    frame: pl.DataFrame, bands: dict[str, Any] | None = None, **given: Any
) -> dict[str, str | None]:
    options = {"confidence": None, "rule": "point", **given}
    names = [
        each
        for each, metric in pf.CATALOGUE.items()
        if metric.ideal is not None and each == metric.name
    ]
    found = pf.audit(frame, *names, bands=bands, **options, **QUESTION)
    return dict(found.select("metric", JUDGEMENT).rows())


def without_width() -> dict[str, Any]:
    """Bands that hold the ideal and no other value, so that every verdict names a side."""
    return {
        name: (metric.ideal, metric.ideal)
        for name, metric in pf.CATALOGUE.items()
        if metric.ideal is not None and name == metric.name
    }


def bands_of_differences() -> dict[str, Any]:
    """Bands of some width, for the metrics whose values are mirrored."""
    return {
        name: None
        if name in OTHER_NUMBER
        else metric.acceptable or ((0.8, 1.25) if metric.is_ratio else (-0.1, 0.1))
        for name, metric in pf.CATALOGUE.items()
        if metric.ideal is not None and name == metric.name
    }


def test_the_lists_have_every_metric_with_sides() -> None:
    listed = [*TURN, *STAY, *WITHOUT_SIDE]
    assert len(listed) == len({*listed})
    assert {*listed} == {name for name, each in pf.CATALOGUE.items() if each.has_sides}


@pytest.mark.extras
@pytest.mark.parametrize("seed", range(2))
def test_verdicts_turn_for_the_metrics_of_one_list_and_stay_for_those_of_the_other(
    seed: int,
) -> None:
    frame = rows(seed)
    good, bad = (verdicts(frame, without_width(), favorable=each) for each in (True, False))
    sides = {name for name, verdict in good.items() if verdict in OTHER_SIDE}
    assert not WITHOUT_SIDE & sides
    assert sides >= (TURN | STAY)
    for name in good:
        turns = name in TURN and name in sides
        assert bad[name] == (OTHER_SIDE[str(good[name])] if turns else good[name]), name


@pytest.mark.extras
@pytest.mark.parametrize("favorable", [True, False])
@pytest.mark.parametrize("seed", range(2))
def test_complementing_outcomes_scores_and_favorable_changes_no_verdict(
    seed: int, favorable: bool
) -> None:
    """The law of the argument, over the whole catalogue: of the metric, or of its dual."""
    frame = rows(seed)
    for bands in (without_width(), bands_of_differences()):
        one = verdicts(frame, bands, favorable=favorable)
        other = verdicts(complemented(frame), bands, favorable=not favorable)
        assert "undefined" not in one.values()
        # No number is the complement of another.
        of_counts = {name: one[name] for name in one if name in OF_COUNTS}
        assert {name: other[DUALS.get(name, name)] for name in of_counts} == of_counts


@pytest.mark.parametrize("seed", range(3))
def test_benefits_are_those_of_the_other_outcome(seed: int) -> None:
    frame = rows(seed)
    question: dict[str, Any] = {"facet": "group", "label": "y", "predicted": "p"}
    one = pf.metrics(frame, *BENEFITS, pf.entry("ge", alpha=1).named("alpha"), **question)
    turned = pf.metrics(
        complemented(frame),
        *BENEFITS,
        pf.entry("ge", alpha=1).named("alpha"),
        favorable=False,
        **question,
    )
    names = [*BENEFITS, "alpha"]
    assert one.select(names).row(0) == pytest.approx(turned.select(names).row(0), rel=1e-12)


def test_no_other_value_depends_on_it() -> None:
    frame = rows(1)
    one, other = (pf.metrics(frame, favorable=each, **QUESTION) for each in (True, False))
    # Sums of numbers differ in their last digits from run to run.
    assert_frame_equal(one.drop(BENEFITS), other.drop(BENEFITS), abs_tol=1e-12)


STOPS: Final = pl.DataFrame(
    {"race": ["a", "b", "c"] * 2, "stopped": [1, 1, 1, 0, 0, 0], "n": [10, 40, 25, 90, 60, 75]}
)
OF_STOPS: Final[dict[str, Any]] = {"facet": "race", "predicted": "stopped", "count": "n"}


def test_the_highest_is_the_group_that_fares_best() -> None:
    """Stopped are 10, 40 and 25 of 100."""
    given = {"favored": pf.HIGHEST, "confidence": None, **OF_STOPS}
    found = pf.audit(STOPS, "di", favorable=False, **given)
    assert found.select("disfavored", "favored", "value", JUDGEMENT).rows() == [
        ("b", "a", pytest.approx(4.0), "outside b"),
        ("c", "a", pytest.approx(2.5), "outside c"),
    ]
    assert pf.audit(STOPS, "di", **given)["favored"].unique().to_list() == ["b"]
    # Of two groups with one rate, the first in order; and only those that are large enough.
    even = STOPS.with_columns(n=pl.Series([10, 10, 25, 90, 90, 75]))
    least = {"favorable": False, **OF_STOPS}
    assert fairness(even).di(favored=pf.HIGHEST, **least)["favored"].unique().to_list() == ["a"]
    few = even.with_columns(n=pl.Series([9, 40, 25, 90, 60, 75]))
    large = pf.HIGHEST(minimum_count=100)
    assert fairness(few).di(favored=large, **least)["favored"].unique().to_list() == ["c"]


@pytest.mark.extras
def test_lending_flags_the_group_with_the_higher_rate() -> None:
    """By hand: b is denied 40 of 100 beside 10 of 100; at 5/4 of that rate it would be 12.5."""
    given = {**OF_STOPS, "favored": pf.HIGHEST, "confidence": None}
    table = pf.lending.table(STOPS, favorable=False, **given)
    columns = ("disfavored", "points", "air", "shortfall", "shortfall_to_four_fifths", "is_flagged")
    assert table.select(columns).rows() == [
        ("b", pytest.approx(-30.0), pytest.approx(4.0), 30, 28, True),
        ("c", pytest.approx(-15.0), pytest.approx(2.5), 15, 13, True),
    ]
    near = pf.lending.table(STOPS, favorable=False, minimum_ratio=0.25, **given)
    # 10/40 is at the limit, and not below it.
    assert near["is_flagged"].to_list() == [False, False]
    few = pf.lending.table(STOPS, favorable=False, maximum_points=20, **given)
    assert few["is_flagged"].to_list() == [True, False]
    weighted = pf.lending.table(
        STOPS.with_columns(w=pl.col("n") * 1.0), favorable=False, weight="w", **given
    )
    assert weighted["shortfall_to_four_fifths"].to_list() == pytest.approx([27.5, 12.5])
    fair = pf.lending.table(STOPS, favorable=False, **given | {"favored": "b"})
    assert fair["is_flagged"].to_list() == [False, False]


def test_choose_compares_with_the_group_that_fares_best() -> None:
    """At 0.5, a is 1 of 2 positive, b and c 2 of 2; at 0.9, c alone is, 1 of 2."""
    frame = pl.DataFrame(
        {"race": ["a", "a", "b", "b", "c", "c"], "score": [0.1, 0.6, 0.6, 0.6, 0.6, 0.9]}
    )
    question: dict[str, Any] = {"facet": "race", "favored": pf.HIGHEST, "score": "score"}
    question |= {"threshold": [0.5], "maximise": "selection_rate"}
    # Beside b, a has 1/2; beside a, b and c have 2.
    assert pf.choose(frame, "di", **question)["di"].to_list() == [0.5]
    assert pf.choose(frame, "di", favorable=False, **question)["di"].to_list() == [2.0]


def test_metrics_of_a_user_follow_their_formulas() -> None:
    gap = (a.selection_rate - d.selection_rate).abs()
    metrics = [
        pf.Metric("selected", "", a.selection_rate - d.selection_rate),
        pf.Metric("right", "", a.accuracy - d.accuracy),
        pf.Metric("informed", "", (a.tpr - a.fpr) - (d.tpr - d.fpr)),
        # More rows that are accepted may be nearer or farther: the formula shows no sign.
        pf.Metric("stated", "", gap, sign=1),
        pf.Metric("stated_for_both", "", gap, sign=1, unfavorable={"sign": 1}),
        pf.Metric("own", "", a.tpr - d.tpr, unfavorable={"sign": 1}),
    ]
    question: dict[str, Any] = {"bands": {each.name: (0, 0) for each in metrics}, "rule": "point"}
    question |= {
        name: QUESTION[name] for name in ("facet", "disfavored", "favored", "label", "predicted")
    }
    good, bad = (
        pf.audit(rows(2), *metrics, favorable=each, **question).select(JUDGEMENT)
        for each in (True, False)
    )
    pairs = [*zip(good.to_series(), bad.to_series(), strict=True)]
    assert {each for pair in pairs for each in pair} == {*OTHER_SIDE}
    turned = [one != other for one, other in pairs]
    assert turned == [True, False, False, True, False, False]
