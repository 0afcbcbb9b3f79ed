"""The contract of every entry of the catalogue; a new entry has to be classified here."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Final, Literal

import polars as pl
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.values.formula_checks import sign_of
from tests.frames import fairness, shared
from tests.reference.groups import COMPARED
from tests.strategies import EVERY_OUTCOME, FULL, NUMBERS, WITH_SCORES, examples, frames

Swap = Literal["negates", "inverts", "keeps", "changes"]

QUANTILES: Final = [
    f"{number}_{quantile}"
    for number in ("estimate", "observed")
    for quantile in ("median", "quantile")
]

# The effect on the value when side a and side d change places. "changes": kl is not
# symmetric, in the flip test the rows of side a vote on the rows of side d, and bpsn_auc becomes
# bnsp_auc.
ON_SWAP: Final[dict[str, Swap]] = {
    **dict.fromkeys(
        [
            *("dppl", "statistical_parity", "cohens_d", "two_sd", "z_ratio", "ddpl", "cddpl"),
            *("adjusted_difference", "adjusted_base_rate_difference"),
            *("adjusted_estimate_difference", "adjusted_observed_difference"),
            *("mh_difference", "cmh", "dcacc", "dcr", "sd", "rd", "dar", "drr", "ad", "te"),
            *("te_inverse", "average_odds_difference", "disparity_change", "fdr_difference"),
            *("for_difference", "fnr_difference", "predictive_value_difference", "ci", "dpl"),
            *("ddl", "cddl", "auc_difference", "xauc_difference", "score_difference", "smd"),
            *("balance_positive", "balance_negative", "calibration_difference", "brier_difference"),
            *(f"{of}_{how}" for of in ("estimate", "observed") for how in ("difference", "smd")),
            *("conditional_estimate_difference", "conditional_observed_difference"),
            *("residual_difference", "mae_difference", "rmse_difference"),
            *("correlation_difference", "r2_difference"),
            *(f"{quantile}_difference" for quantile in QUANTILES),
        ],
        "negates",
    ),
    **dict.fromkeys(
        [
            *("di", "success_ratio", "odds_ratio", "mh_ratio", "mh_odds_ratio"),
            *("adjusted_ratio", "adjusted_odds_ratio", "adjusted_base_rate_ratio"),
            *("adjusted_estimate_ratio", "adjusted_observed_ratio"),
            *("estimate_ratio", "observed_ratio", "actual_to_expected_ratio"),
            *("mae_ratio", "rmse_ratio", "exposure_ratio"),
            *(f"{quantile}_ratio" for quantile in QUANTILES),
        ],
        "inverts",
    ),
    **dict.fromkeys(
        [
            *("four_fifths", "breslow_day", "average_abs_odds_difference", "confusion_distance"),
            *("js", "lp", "tvd", "ks", "ge", "theil", "coefficient_of_variation", "ge_between"),
            *(f"{rate}_{contrast}" for rate in COMPARED for contrast in ("gap", "ratio")),
            *("estimate_gap", "mae_gap", "rmse_gap", "worst_mse", "explained_by_group"),
            *("equalized_odds_gap", "equalized_odds_ratio", "fpsf", "fnsf", "spsf"),
            *("differential_fairness", "spread", "cdd_shares", "abroca", "score_ks"),
            *("score_wasserstein", "score_wasserstein_positive", "score_wasserstein_negative"),
            *("auc_gap", "brier_gap", "ece_gap", "miscalibration", "accuracy", "selection_rate"),
            *("utility", "ndkl"),
        ],
        "keeps",
    ),
    **dict.fromkeys(["kl", "bpsn_auc", "bnsp_auc", "skew_at"], "changes"),
}

UNBOUNDED: Final = {
    *("di", "success_ratio", "odds_ratio", "mh_ratio", "mh_odds_ratio"),
    *("adjusted_ratio", "adjusted_odds_ratio", "adjusted_base_rate_ratio"),
    *("te", "te_inverse", "dcacc", "dcr", "kl"),
}

# Not ideal for two equal sides: metrics of the whole population and of the sizes of groups, of how
# well scores rank or are calibrated.
NOT_IDEAL_FOR_EQUAL_SIDES: Final = {
    *("ge", "theil", "coefficient_of_variation", "accuracy"),
    *("bpsn_auc", "bnsp_auc", "miscalibration"),
    # Equal groups vary less than chance would make them vary.
    *("spread", "explained_by_group"),
    "worst_mse",
}


def values_of(frame: pl.DataFrame, d: str, a: str, **question: object) -> dict[str, float | None]:
    named = {"disfavored": d, "favored": a, **EVERY_OUTCOME, **question}
    return pf.metrics(frame, *pf.CATALOGUE, **named).row(0, named=True)


def with_equal_sides(frame: pl.DataFrame) -> pl.DataFrame:
    """Women's rows as they are and as men's: two equal sides."""
    women = frame.filter(sex="F")
    return pl.concat([women, women.with_columns(sex=pl.lit("M"))] * 3)


def test_every_entry_is_classified() -> None:
    assert set(ON_SWAP) == set(pf.CATALOGUE)


@pytest.mark.extras
def test_every_metric_has_a_value_in_the_full_frame() -> None:
    """The properties below leave out undefined values; in this frame they leave out none."""
    one, other = values_of(FULL, "F", "M"), values_of(FULL, "M", "F")
    of_equal_sides = values_of(with_equal_sides(FULL), "F", "M")
    values = {name: (one[name], other[name], of_equal_sides[name]) for name in pf.CATALOGUE}
    # An amount of 0 has no logarithm.
    undefined = [name for name, of_name in values.items() if None in of_name]
    assert undefined == ["adjusted_observed_ratio"]
    # An ideal value could not distinguish "negates" or "inverts" from "keeps".
    ideal = {
        name: pytest.approx(metric.ideal)
        for name, metric in pf.CATALOGUE.items()
        if metric.ideal is not None
    }
    assert [name for name in ideal if ideal[name] in values[name][:2]] == []


@pytest.mark.extras
@example(FULL)
@given(frames(least=3))
@examples(60)
def test_values_are_numbers_inside_their_range(frame: pl.DataFrame) -> None:
    for zero_division in (None, 0.0):
        values = values_of(frame, "F", "M", zero_division=zero_division)
        for name, metric in pf.CATALOGUE.items():
            value = values[name]
            low, high = metric.range
            if value is not None:
                assert not math.isnan(value), name
                if zero_division is None:
                    # A value that cannot be negative is not, not even by a rounding error.
                    assert (0 if low == 0 else low - 1e-12) <= value <= high + 1e-12, name
                    assert name in UNBOUNDED or math.isfinite(value), name


@pytest.mark.extras
@example(FULL)
@given(frames(least=3))
@examples(60)
def test_a_value_mirrors_where_the_sides_change_places(frame: pl.DataFrame) -> None:
    one, other = values_of(frame, "F", "M"), values_of(frame, "M", "F")
    for name, effect in ON_SWAP.items():
        value, swapped = one[name], other[name]
        if effect == "changes":
            continue
        assert (value is None) == (swapped is None), name
        if value is None or swapped is None:
            continue
        inverse = math.inf if value == 0 else 1 / value
        expected = {"negates": -value, "keeps": value, "inverts": inverse}[effect]
        assert swapped == pytest.approx(expected, rel=1e-12, abs=1e-12), name


@pytest.mark.extras
@pytest.mark.parametrize("name", [name for name, how in ON_SWAP.items() if how == "changes"])
def test_a_value_that_does_not_mirror_changes_where_the_sides_change_places(name: str) -> None:
    value, swapped = values_of(FULL, "F", "M")[name], values_of(FULL, "M", "F")[name]
    assert value is not None
    assert swapped != pytest.approx(value)
    assert swapped != pytest.approx(-value)


# The side that a value above the ideal speaks against, for formulas that do not show it.
STATED: Final[dict[str, tuple[int, str]]] = {
    "four_fifths": (0, "below 1 whoever is accepted less"),
    "breslow_day": (0, "a distance of the strata from each other"),
    "average_abs_odds_difference": (0, "a distance"),
    "confusion_distance": (0, "a distance"),
    **dict.fromkeys(["kl", "js", "lp", "tvd", "ks"], (0, "no label is better than another")),
    **dict.fromkeys(["abroca", "score_ks", "score_wasserstein"], (0, "a distance")),
    **dict.fromkeys(
        ["score_wasserstein_positive", "score_wasserstein_negative"], (0, "a distance")
    ),
    **dict.fromkeys(
        [
            *(f"{of}_{how}" for of in ("estimate", "observed") for how in ("difference", "smd")),
            *("conditional_estimate_difference", "conditional_observed_difference"),
            *(f"{quantile}_difference" for quantile in QUANTILES),
            *("adjusted_estimate_difference", "adjusted_observed_difference"),
        ],
        (1, "a has more, and more is good"),
    ),
    **dict.fromkeys(
        [
            *("estimate_ratio", "observed_ratio"),
            *("adjusted_estimate_ratio", "adjusted_observed_ratio"),
            *(f"{quantile}_ratio" for quantile in QUANTILES),
        ],
        (-1, "d has more, and more is good"),
    ),
    "exposure_ratio": (-1, "more attention is good"),
    "residual_difference": (-1, "d is overestimated beside a"),
    "actual_to_expected_ratio": (1, "d is underestimated beside a"),
    **dict.fromkeys(
        [
            *(f"{of}_{how}" for of in ("mae", "rmse") for how in ("difference", "ratio")),
            *("correlation_difference", "r2_difference"),
        ],
        (1, "d is served worse"),
    ),
    "predictive_value_difference": (
        0,
        "more of d accepted rightly raises its ppv and lowers its false omission rate",
    ),
}

# Clarify's documentation of values above the ideal: "against facet a" and "against facet d".
AGAINST_A: Final = {"di", "dcacc", "dcr", "drr"}
AGAINST_D: Final = {"dppl", "sd", "rd", "dar", "ad", "ddpl", "cddpl", "dpl", "ddl", "cddl"}


def test_signs_follow_formulas_and_sources() -> None:
    for name in pf.CATALOGUE:
        metric = pf.CATALOGUE[name]
        if not metric.has_sides:
            assert (metric.sign, sign_of(metric)) == (None, 0)
        elif name in STATED:
            assert metric.sign == STATED[name][0]
            assert sign_of(replace(metric, sign=None)) is None
        else:
            assert metric.sign is None
            assert sign_of(metric) in (1, -1)
        assert (sign_of(metric) == -1) >= (name in AGAINST_A)
        assert (sign_of(metric) == 1) >= (name in AGAINST_D)


BANDED: Final = [name for name, metric in pf.CATALOGUE.items() if metric.acceptable]


def test_bands_mirror_as_their_values_do() -> None:
    for name in BANDED:
        low, high = pf.CATALOGUE[name].acceptable or (0, 0)
        swapped = {
            "negates": (-high, -low),
            "inverts": (1 / high, 1 / low if low else math.inf),
            "keeps": (low, high),
        }[ON_SWAP[name]]
        assert swapped == pytest.approx((low, high))


KINDS: Final = [
    (branch, y, p, (0.7 if p else 0.05) + (0.05 if branch == "n" else 0))
    for branch in "ns"
    for y in (True, False)
    for p in (True, False)
]

# Every metric whose value mirrors, by its own band or one that mirrors.
BANDS: Final = {
    name: metric.acceptable
    or {"inverts": (0.8, 1.25)}.get(effect, (metric.ideal - 0.1, metric.ideal + 0.1))
    for name, effect in ON_SWAP.items()
    for metric in [pf.CATALOGUE[name]]
    if effect != "changes" and metric.ideal is not None
}

sides = st.lists(st.integers(0, 12), min_size=len(KINDS), max_size=len(KINDS))


Windows = list[tuple[list[int], list[int]]]

# Numbers of rows of F and M. In the first window F has the smaller true positive rate; in the
# second it has the smaller base rate and fewer rows.
LOPSIDED: Final[Windows] = [
    ([1, 7, 2, 9, 3, 8, 1, 7], [9, 1, 6, 4, 12, 2, 6, 5]),
    ([1, 1, 8, 9, 1, 1, 8, 9], [12, 6, 1, 12, 12, 6, 1, 12]),
]


def decisions_in(windows: Windows) -> pl.DataFrame:
    return (
        pl.DataFrame(
            [
                (window, sex, *kind, n)
                for window, both in enumerate(windows)
                for sex, numbers in zip("FM", both, strict=True)
                for kind, n in zip(KINDS, numbers, strict=True)
            ],
            schema=["window", "sex", "branch", "y", "p", "s", "n"],
            orient="row",
        )
        .filter(pl.col("n") > 0)
        .with_columns(o=2 + 3 * pl.col("y") + pl.col("s"), e=1 + 4 * pl.col("p") + 2 * pl.col("s"))
    )


def verdicts(frame: pl.DataFrame, d: str, a: str) -> pl.DataFrame:
    question = {
        **WITH_SCORES,
        **NUMBERS,
        "by": "window",
        "count": "n",
        "confidence": None,
        "bands": BANDS,
    }
    answer = pf.audit(frame, *BANDS, disfavored=d, favored=a, **question)
    return answer.select("window", "metric", "verdict", "against")


def test_every_metric_with_a_direction_is_against_a_side_of_the_lopsided_windows() -> None:
    """If no value were outside, the property below could not fail."""
    found = verdicts(decisions_in(LOPSIDED), "F", "M")
    against = found.drop_nulls("against")
    sided = {name for name in BANDS if pf.CATALOGUE[name].has_sides}
    of_scores = {
        name
        for name, (sign, _) in STATED.items()
        if sign == 0 and "score" in pf.CATALOGUE[name].needs
    }
    # In so few rows the highest tenth has no end.
    at_the_top = {name for name in sided if "_quantile_" in name}
    assert {*against["metric"]} - at_the_top == sided - at_the_top - {
        "js",
        "lp",
        "tvd",
        "ks",
        "confusion_distance",
    } - of_scores
    assert {*found.filter(pl.col("metric").is_in(of_scores))["verdict"]} <= {"within", "outside"}
    assert {*against.select("verdict", "against").rows()} == {("outside", "F"), ("outside", "M")}


@example(LOPSIDED)
@given(st.lists(st.tuples(sides, sides), min_size=1, max_size=12))
@examples(12)
def test_verdicts_stay_where_the_sides_change_places(windows: Windows) -> None:
    frame = decisions_in(windows)
    assume(frame["sex"].n_unique() == 2)
    one, other = verdicts(frame, "F", "M"), verdicts(frame, "M", "F")
    assert_frame_equal(other, one)


@pytest.mark.extras
@example(FULL)
@given(frames(("F", "M")))
@examples(40)
def test_a_value_is_ideal_for_equal_sides(frame: pl.DataFrame) -> None:
    values = values_of(with_equal_sides(frame), "F", "M")
    for name, metric in pf.CATALOGUE.items():
        has_ideal = metric.ideal is not None and name not in NOT_IDEAL_FOR_EQUAL_SIDES
        if has_ideal and values[name] is not None:
            assert values[name] == pytest.approx(metric.ideal, abs=1e-12), name


ALIASES: Final = [
    (alias, name) for name, metric in pf.CATALOGUE.items() for alias in metric.aliases
]


@pytest.mark.extras
@pytest.mark.parametrize(("alias", "name"), ALIASES)
def test_each_alias_is_its_metric(alias: str, name: str) -> None:
    both = shared(pf.metrics, FULL, name, alias, **EVERY_OUTCOME)
    assert both[alias].null_count() == 0
    assert both[alias].equals(both[name])


def test_entries_have_all_that_a_reader_needs() -> None:
    for name in pf.CATALOGUE:
        metric = pf.CATALOGUE[name]
        assert all([metric.title, metric.definition, metric.source]), name
        low, high = metric.range
        assert low < high
        if metric.ideal is None:
            assert (metric.above, metric.below, metric.acceptable) == ("", "", None)
            continue
        assert all([metric.above, metric.below]), name
        assert low <= metric.ideal <= high
        if metric.acceptable is not None:
            assert low <= metric.acceptable[0] <= metric.ideal <= metric.acceptable[1] <= high


LABELLED: Final = pf.datasets.berkeley().with_columns(y=pl.col("department") < "D")
OF_BERKELEY: Final[dict[str, Any]] = {
    "facet": "sex",
    "label": "y",
    "predicted": "admitted",
    "score": (pl.col("n") % 7 / 7).alias("score"),
    "observed": (pl.col("n") % 5).alias("observed"),
    "estimated": (pl.col("n") % 3 + 1).alias("estimated"),
    "subgroup": "department",
    "controls": "department",
    "count": "n",
}


@pytest.mark.extras
def test_a_method_gives_the_column_that_all_metrics_together_have() -> None:
    together = pf.metrics(LABELLED, [*pf.CATALOGUE], **OF_BERKELEY)
    question = fairness(LABELLED).of(**OF_BERKELEY)
    for name in pf.CATALOGUE.names:
        found = getattr(question, name)()
        keys = ["disfavored", "favored"] if pf.CATALOGUE[name].has_sides else []
        own = pl.col(pf.CATALOGUE[name].name).alias(name)
        expected = together.select(*keys, own).unique(maintain_order=True)
        assert_frame_equal(found.select(*keys, name), expected)
