"""Intervals cover the true value, and only the rows and arguments they are about move them."""

from __future__ import annotations

import importlib
from dataclasses import replace
from itertools import accumulate
from math import exp, hypot, inf, log, sqrt
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy import stats

import polars_fairness as pf
from polars_fairness.inference.bounds import _largest_difference
from polars_fairness.inference.draws import _AT_ONCE, places_at_once
from polars_fairness.inference.quantiles import critical_value
from tests.frames import QUESTION, confusion, fairness, one_row_each, people, predictions, shared
from tests.paths import BENCHMARKS
from tests.reference.wilson import wilson
from tests.strategies import EVERYTHING, FULL, NUMBERS, OF_COUNTS, examples, frames

AUDITED = [name for name in OF_COUNTS if "score" not in pf.CATALOGUE[name].needs]
BOUNDS = ["lower", "upper"]
AT_BRANCHES: Final = {**EVERYTHING, "controls": "branch"}
F_BESIDE_M: Final[dict[str, Any]] = {"facet": "sex", "disfavored": "F", "predicted": "p"}
JOINTLY = [
    pf.entry(name, groups="conjunctions").named(f"{name} of conjunctions")
    for name in ("fpsf", "tpr_ratio", "differential_fairness", "equalized_odds_gap")
]


@pytest.fixture
def certainty(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The benchmark of intervals; the tests run smaller versions of it."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("certainty")


def bounds_of(frame: pl.DataFrame, metric: str | pf.Metric, **question: Any) -> tuple[Any, ...]:
    return pf.audit(frame, metric, **question).select(BOUNDS).row(0)


def at_length(*cases: tuple[float, ...]) -> list[Any]:
    """Cases of a simulation that the night runs."""
    return [pytest.param(*case, marks=pytest.mark.nightly) for case in cases]


# Sides


def many_small_groups() -> pl.DataFrame:
    """One group of 6,000 rows and 300 groups of 20; one row in a hundred is accepted."""
    small = [f"g{i}" for i in range(300) for _ in range(20)]
    groups = ["big"] * 6_000 + small
    return pl.DataFrame({"g": groups, "p": [i % 100 == 0 for i in range(len(groups))]})


def test_a_side_of_many_values_has_one_half_row() -> None:
    apart = many_small_groups()
    is_big = pl.col("g") == "big"
    together = apart.with_columns(g=pl.when(is_big).then("g").otherwise(pl.lit("others")))
    question = {"facet": "g", "disfavored": "big", "predicted": "p"}
    for metric in ("di", "dppl"):
        one, other = (bounds_of(frame, metric, **question) for frame in (apart, together))
        assert one == pytest.approx(other, rel=0.1)


@pytest.mark.simulation
@pytest.mark.nightly
def test_gaps_of_rare_outcomes_in_many_groups_are_covered(certainty: Any) -> None:
    """The largest of 150 groups, sized 1, 1/2, 1/3, ..., against all others; 1 % are accepted."""
    audits = certainty.of_rare_outcomes(8_430, groups=150).audited(200, "dppl")
    assert certainty.coverage(audits)["held"].item() > 90


def test_labels_of_text_have_the_intervals_of_numbers() -> None:
    """No M among 11 rows has a negative label: kl is infinite, but a small value is as likely."""
    frame = pl.DataFrame({"sex": ["F"] * 6 + ["M"] * 5, "y": [1] * 6 + [1, 1, 1, 1, 0]})
    words = frame.with_columns(y=pl.lit(pl.Series(["no", "yes"])).gather("y"))
    question = {"facet": "sex", "disfavored": "F", "label": "y"}
    lower, upper = bounds_of(words, "kl", **question)
    assert upper == inf
    assert 0 <= lower < 0.1
    assert (lower, upper) == bounds_of(frame, "kl", **question)


# Maxima over groups


@pytest.mark.parametrize("groups", [2, 3, 10, 50, 300])
def test_the_level_of_all_pairs_is_the_studentized_range(groups: int) -> None:
    expected = stats.studentized_range.ppf(0.95, groups, 1e6) / sqrt(2)
    assert critical_value(groups, 0.95) == pytest.approx(expected, abs=1e-4)


def test_the_gap_of_two_groups_is_their_difference() -> None:
    """Newcombe 1998, table II (a): 56 of 70 against 48 of 80, method 11."""
    frame = predictions(F=(48, 32), M=(56, 14))
    question = {"facet": "sex", "predicted": "p", "count": "n"}
    assert bounds_of(frame, "selection_rate_gap", **question) == pytest.approx(
        (0.0428, 0.3422), abs=5e-5
    )


positive = st.floats(0, 5) | st.just(inf)


@given(st.lists(st.tuples(st.floats(-5, 5), positive, positive), min_size=2, max_size=30))
def test_the_largest_difference_is_found_among_all_pairs(
    groups: list[tuple[float, float, float]],
) -> None:
    value, below, above = map(np.array, zip(*groups, strict=True))
    lower, upper = _largest_difference(value, value - below, value + above)
    pairs = [(i, j) for i in range(len(groups)) for j in range(len(groups)) if i != j]
    lowest = [groups[i][0] - groups[j][0] - np.hypot(groups[i][1], groups[j][2]) for i, j in pairs]
    highest = [groups[i][0] - groups[j][0] + np.hypot(groups[i][2], groups[j][1]) for i, j in pairs]
    assert (lower, upper) == pytest.approx((max(lowest), max(highest)))


MAXIMA: Final = [name for name, metric in pf.CATALOGUE.items() if metric.parsed.largest]


def test_every_maximum_has_bounds_in_the_full_frame() -> None:
    """The property below leaves out nulls; in this frame it leaves out none."""
    answer = pf.audit(FULL, *MAXIMA, *JOINTLY, **OF_MAXIMA, **NUMBERS).drop_nulls(
        ["value", "lower", "upper"]
    )
    assert {*answer["metric"]} == {*MAXIMA, *(metric.name for metric in JOINTLY)}


OF_SCORES: Final = [
    name
    for name, metric in pf.CATALOGUE.items()
    if "score" in metric.needs and not metric.is_about_ranks  # which have no interval
]
OF_MAXIMA: Final[dict[str, Any]] = {
    **EVERYTHING,
    "facet": ["sex", "branch"],
    "subgroup": None,
    "by": "k",
}
BY_SCORE: Final[dict[str, Any]] = {"facet": ["sex", "v"], "label": "y", "score": "s"}
CONTAINED: Final[dict[str, tuple[list[Any], dict[str, Any]]]] = {
    "decisions": (AUDITED, {**EVERYTHING, "controls": "branch"}),
    "maxima": ([*MAXIMA, *JOINTLY], {**OF_MAXIMA, **NUMBERS}),
    "maxima, 0/0 as 0": ([*MAXIMA, *JOINTLY], {**OF_MAXIMA, **NUMBERS, "zero_division": 0.0}),
    "scores": (OF_SCORES, BY_SCORE),
    "rounded scores": (OF_SCORES, {**BY_SCORE, "resolution": 0.1}),
}


@pytest.mark.extras
@pytest.mark.parametrize("name", CONTAINED)
@examples(15)
@example(FULL, {})
@example(FULL, {"weight": "w"})
@given(frames(least=2), st.sampled_from([{}, {"weight": "w"}, {"count": "k"}]))
def test_intervals_contain_their_value_and_stay_in_range(
    name: str, frame: pl.DataFrame, size: dict[str, str]
) -> None:
    metrics, question = CONTAINED[name]
    answer = pf.audit(frame, *metrics, replicates=20, **{**question, **size})
    assert not any(answer.select(pl.col("value", *BOUNDS).is_nan().any()).row(0))
    known = answer.filter(pl.col("value").is_not_null())
    assert (known["lower"] <= known["value"]).all()
    assert (known["value"] <= known["upper"]).all()
    for (metric,), of_metric in known.group_by("metric"):
        if metric in pf.CATALOGUE:
            low, high = pf.CATALOGUE[str(metric)].range
            assert (of_metric["lower"] >= low - 1e-9).all(), metric
            assert (of_metric["upper"] <= high + 1e-9).all(), metric
    unknown = answer.filter(pl.col("value").is_null())
    assert unknown.select(BOUNDS).null_count().row(0) == (unknown.height,) * 2


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("groups", "rows", "gap"), [(10, 50, 0.0), *at_length((50, 200, 0.2), (2, 50, 0.02))]
)
def test_intervals_of_maxima_cover_the_true_value(
    certainty: Any, groups: int, rows: int, gap: float
) -> None:
    """A smaller version of benchmarks/certainty.py; its standard deviation is 1.5 %."""
    audits = certainty.of_groups_apart(groups, rows, gap).audited(200, *certainty.OF_MAXIMA)
    shares = certainty.coverage(audits)
    assert {*shares["metric"]} == {*certainty.OF_MAXIMA}
    assert shares["held"].min() >= 90
    assert shares["farther"].max() <= 10


@pytest.mark.simulation
@pytest.mark.nightly
def test_intervals_of_maxima_over_conjunctions_cover_the_true_value(certainty: Any) -> None:
    """The values, and the pairs of values, of two attributes of three values, all with one rate."""
    apart = certainty.of_groups_apart(9, rows=100, gap=0.0)
    group = pl.col("group").cast(pl.Int64)
    kinds = apart.kinds.with_columns(one=group % 3, other=group // 3)
    together = replace(apart, kinds=kinds, question={**apart.question, "facet": ["one", "other"]})
    metrics = [pf.entry(name, groups="conjunctions") for name in certainty.OF_MAXIMA]
    shares = certainty.coverage(together.audited(100, *metrics))
    assert {*shares["metric"]} == {*certainty.OF_MAXIMA}
    assert shares["held"].min() >= 90


def test_the_spread_of_one_common_rate_is_0_on_average() -> None:
    """300 groups of 50: the gap is about 0.4, the spread is within three standard errors of 0."""
    random = np.random.default_rng(0)
    accepted = random.binomial(50, 0.4, 300)
    frame = pl.concat(
        pl.DataFrame({"g": range(300), "p": [p] * 300, "n": count})
        for p, count in ((1, accepted), (0, 50 - accepted))
    )
    question: dict[str, Any] = {"facet": "g", "predicted": "p", "count": "n"}
    answer = pf.metrics(frame, "selection_rate_gap", "spread", **question)
    assert answer["selection_rate_gap"][0] > 0.3
    assert abs(answer["spread"][0]) < 3 * 0.4 * 0.6 / 50 * sqrt(2 / 299)


def test_the_spread_is_the_variance_beyond_chance() -> None:
    """Rates of 1/4 and 3/4 among four rows each: S² = 1/8, less 3/16 over 3 for each."""
    answer = fairness(predictions(F=(1, 3), M=(3, 1))).spread(facet="sex", predicted="p", count="n")
    assert answer["spread"].to_list() == pytest.approx([1 / 8 - 1 / 16])
    beyond = pf.metrics(
        confusion(F=(1, 0, 3, 0), M=(3, 0, 1, 0)),
        pf.entry("spread", rate="tpr"),
        count="n",
        **QUESTION,
    )
    assert beyond["spread"].to_list() == pytest.approx([1 / 16])


# Strata


@pytest.mark.simulation
@pytest.mark.parametrize(("strata", "rows"), [(50, 20), *at_length((4, 250), (200, 5))])
def test_intervals_of_conditional_metrics_cover_the_true_value(
    certainty: Any, strata: int, rows: int
) -> None:
    """A smaller version of benchmarks/certainty.py; its standard deviation is 1.1 %."""
    audits = certainty.of_strata(strata, rows).audited(400, *certainty.OF_STRATA)
    shares = certainty.coverage(audits)
    assert {*shares["metric"]} == {*certainty.OF_STRATA}
    assert shares["held"].is_between(91.5, 98.5).all()


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("strata", "rows", "least"),
    [(1, 10, 0.95), *at_length((1, 20, 0.95), (1, 30, 0.95), (3, 8, 0.95), (3, 20, 0.93))],
)
def test_a_few_strata_of_few_rows_are_covered(strata: int, rows: int, least: float) -> None:
    """A tenth are in d: by the variances of the shares alone it was 63 to 87 of 100.

    The standard deviation of a coverage is 1 %, and 2 % of the shares leave no value.
    """
    chances = [
        ("F", True, 0.1 * 0.5),
        ("F", False, 0.1 * 0.5),
        ("M", True, 0.9 * 0.8),
        ("M", False, 0.9 * 0.2),
    ]
    random, sets = np.random.default_rng(1), 500
    drawn = random.multinomial(rows, [chance for *_, chance in chances], size=(sets, strata))
    samples, parts = (each.ravel() for each in np.indices((sets, strata)))
    frame = pl.concat(
        pl.DataFrame({"sample": samples, "part": parts, "n": drawn[..., i].ravel()}).with_columns(
            sex=pl.lit(sex), p=pl.lit(p)
        )
        for i, (sex, p, _) in enumerate(chances)
    )
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "favored": "M", "predicted": "p"}
    question |= {"subgroup": "part", "count": "n"}
    known = {"cddpl": 0.05 / 0.23 - 0.05 / 0.77, "mh_odds_ratio": 0.25}
    answer = pf.audit(frame, *known, by="sample", **question).drop_nulls(["value", *BOUNDS])
    for name, true in known.items():
        of_metric = answer.filter(metric=name)
        assert of_metric.height > 250
        assert of_metric.select(pl.lit(true).is_between("lower", "upper").mean()).item() >= least, (
            name
        )
        width = pl.col("upper") - pl.col("lower")
        assert of_metric.select((width > 0.01).all()).item()


def test_shares_without_variance_are_not_certain() -> None:
    """All of 8 rejected and none of 4 accepted are F: at 9/10 and 1/6, Agresti and Caffo 2000."""
    frame = predictions(F=(0, 8), M=(4, 0)).with_columns(branch=pl.lit("n"))
    question = {"facet": "sex", "disfavored": "F", "predicted": "p", "count": "n"}
    lower, upper = bounds_of(frame, "cddpl", subgroup="branch", **question)
    together = 10 / 16 * 6 / 16 * 16 / 15
    variance = 0.9 * 0.1 / 10 + together / 100 + 5 / 36 / 6 + together / 36
    freedom = 12 - 1
    middle = 9 / 10 - 1 / 6
    assert lower == pytest.approx(middle - stats.t.ppf(0.975, freedom) * sqrt(variance), rel=1e-3)
    assert upper == 1


def test_the_odds_ratio_of_matched_pairs_has_mcnemars_bounds() -> None:
    """200 pairs; only d was accepted in 60, only a in 20: McNemar's logarithm."""
    kinds = [(1, 0)] * 60 + [(0, 1)] * 20 + [(1, 1)] * 70 + [(0, 0)] * 50
    frame = pl.DataFrame(
        [(i, sex, p) for i, pair in enumerate(kinds) for sex, p in zip("FM", pair, strict=True)],
        schema=["pair", "sex", "p"],
        orient="row",
    )
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "p"}
    question |= {"subgroup": "pair"}
    reach = 1.959964 * sqrt(1 / 60 + 1 / 20)
    assert bounds_of(frame, "mh_odds_ratio", **question) == pytest.approx(
        (exp(log(3) - reach), exp(log(3) + reach)), rel=1e-6
    )
    tested = pf.audit(frame, "cmh", **question).row(0, named=True)
    assert tested["value"] == pytest.approx(-4.47, abs=0.005)
    assert (tested["lower"], tested["upper"]) == (None, None)
    assert tested["verdict"] == "outside"


def test_the_odds_ratio_of_berkeley_has_the_bounds_that_r_prints() -> None:
    """As R's mantelhaen.test prints it for UCBAdmissions, of men over women."""
    question: dict[str, Any] = {"facet": "sex", "disfavored": "Male", "predicted": "admitted"}
    question |= {"count": "n"}
    answer = pf.audit(
        pf.datasets.berkeley(), "mh_odds_ratio", subgroup="department", **question
    ).select("value", *BOUNDS)
    assert answer.row(0) == pytest.approx((0.9046968, 0.7719074, 1.0603298), abs=5e-7)


Stratum = tuple[int, int, int, int]

# Accepted and all rows of d, then of a. The last three strata have no pair of sides to compare.
FOUR_BRANCHES: Final[list[Stratum]] = [(3, 10, 30, 50), (1, 4, 9, 11), (0, 6, 2, 9), (5, 5, 1, 2)]
NOTHING_TO_COMPARE: Final[list[Stratum]] = [(3, 7, 0, 0), (0, 0, 4, 9), (0, 0, 0, 0)]


def in_branches(strata: list[Stratum]) -> pl.DataFrame:
    return pl.concat(
        predictions(F=(of_d, d - of_d), M=(of_a, a - of_a)).with_columns(branch=pl.lit(f"{i}"))
        for i, (of_d, d, of_a, a) in enumerate(strata)
    )


def clopper_pearson(rate: float, rows: float) -> tuple[float, float]:
    x = rate * rows
    lower = stats.beta.ppf(0.025, x, rows - x + 1) if x > 0 else 0.0
    return lower, stats.beta.ppf(0.975, x + 1, rows - x) if x < rows else 1.0


def as_recovered(strata: list[Stratum]) -> dict[str, tuple[float, float]]:
    """Both intervals from Wilson's of each side's mean rate, for as many rows as vary as much."""
    strata = [each for each in strata if each[1] and each[3]]
    total = sum(d * a / (d + a) for _, d, _, a in strata)
    shares = [d * a / (d + a) / total for _, d, _, a in strata]
    pooled = [(of_d + of_a) / (d + a) for of_d, d, of_a, a in strata]
    common = sum(share * p for share, p in zip(shares, pooled, strict=True))

    def limits(side: int) -> tuple[float, float, float]:
        of_side = [(each[side], each[side + 1], each[1] + each[3]) for each in strata]
        rate = sum(share * x / n for share, (x, n, _) in zip(shares, of_side, strict=True))
        whole = sum(share**2 / n for share, (_, n, _) in zip(shares, of_side, strict=True))
        inside = sum(
            share**2 / n * p * (1 - p) * both / (both - 1)
            for share, p, (_, n, both) in zip(shares, pooled, of_side, strict=True)
        )
        rows = 1 / (min(whole, inside / (common * (1 - common))) if inside else whole)
        ends = wilson(rate, rows)
        if min(common, 1 - common) * rows < 1:
            exact = clopper_pearson(rate, rows)
            ends = (min(ends[0], exact[0]), max(ends[1], exact[1]))
        return rate, *ends

    of_d, l_d, u_d = limits(0)
    of_a, l_a, u_a = limits(2)
    ratio = (
        exp(log(of_d / of_a) - hypot(log(of_d / l_d), log(u_a / of_a))) if of_d else 0.0,
        exp(log(of_d / of_a) + hypot(log(u_d / of_d), log(of_a / l_a))) if of_d else u_d / l_a,
    )
    value = of_a - of_d
    difference = value - hypot(of_a - l_a, u_d - of_d), value + hypot(u_a - of_a, of_d - l_d)
    return {"mh_ratio": ratio, "mh_difference": difference}


@pytest.mark.parametrize("metric", ["mh_ratio", "mh_difference"])
@pytest.mark.parametrize(
    "strata",
    [
        FOUR_BRANCHES,
        [*FOUR_BRANCHES, *NOTHING_TO_COMPARE],
        [(1, 1, 0, 1)] * 7 + [(0, 1, 1, 1)] * 30 + [(1, 1, 1, 1)] * 20 + [(0, 1, 0, 1)] * 9,
        [(0, 4, 10, 20), (0, 6, 5, 20)],
        [(1, 1, 1, 1), (0, 2, 0, 3)] * 9,
    ],
    ids=["four branches", "of one side", "matched pairs", "none of d", "strata of one outcome"],
)
def test_common_ratios_and_differences_have_the_bounds_of_both_mean_rates(
    strata: list[Stratum], metric: str
) -> None:
    question: dict[str, Any] = {**F_BESIDE_M, "count": "n", "subgroup": "branch"}
    expected = as_recovered(strata)[metric]
    assert bounds_of(in_branches(strata), metric, **question) == pytest.approx(expected, rel=1e-6)
    # Rows of equal weights are as many people, and a constant changes nothing.
    rows = one_row_each(in_branches(strata)).with_columns(w=pl.lit(0.3))
    question = {**F_BESIDE_M, "weight": "w", "subgroup": "branch"}
    assert bounds_of(rows, metric, **question) == pytest.approx(expected, rel=1e-6)


def test_weights_widen_the_bounds_of_a_common_difference_by_each_sides_own_effective_rows() -> None:
    """Both sides have a rate of 1/2; of 20 rows of F, half weigh 3: they are 40²/100 = 16 rows."""
    rows = [
        (sex, p, 3.0 if sex == "F" and i % 2 else 1.0)
        for sex in "FM"
        for p in (0, 1)
        for i in range(10)
    ]
    frame = pl.DataFrame(rows, schema=["sex", "p", "w"], orient="row").with_columns(branch=0)
    question: dict[str, Any] = {**F_BESIDE_M, "weight": "w", "subgroup": "branch"}
    # The pooled variance of 36 effective rows is 36/35 times as large as a rate's, but no larger.
    (_, u_d), (l_a, _) = (wilson(0.5, n) for n in (16, 20))
    reach = hypot(u_d - 0.5, 0.5 - l_a)
    assert bounds_of(frame, "mh_difference", **question) == pytest.approx((-reach, reach), rel=1e-6)


def test_few_expected_events_have_bounds_as_wide_as_exact_ones() -> None:
    """Three of 60 rows beside 20 of 6,000: 0.23 are expected. The exact bound is approximated."""
    strata = [(3, 60, 20, 6_000)]
    question: dict[str, Any] = {**F_BESIDE_M, "count": "n", "subgroup": "branch"}
    answer = pf.audit(in_branches(strata), "mh_ratio", "mh_difference", **question)
    for metric, *found in answer.select("metric", *BOUNDS).rows():
        assert found == pytest.approx(as_recovered(strata)[metric], rel=0.05)
        wilsons = pf.audit(in_branches(strata * 10), metric, **question)["note"].item()
        assert (wilsons is None) == (0.23 * 10 > 1)
    assert answer["note"].str.contains("less than one row of an outcome is expected").all()
    assert answer.filter(metric="mh_ratio")["verdict"].item() == "outside"


def test_bounds_of_one_stratum_follow_the_formula() -> None:
    """F is a third of 30 rejected and a third of 30 accepted; with two rows more, 11/32 of each."""
    frame = predictions(F=(10, 10), M=(20, 20)).with_columns(branch=pl.lit("n"))
    question = {"facet": "sex", "disfavored": "F", "predicted": "p", "count": "n"}
    # The variance of a row over 32, and one row of 32 of the pooled variance times 64/63.
    of_row = 11 / 32 * 21 / 32
    variance = 2 * (of_row / 32 + of_row * 64 / 63 / 32 / 32)
    reach = stats.t.ppf(0.975, 59) * sqrt(variance)
    bounds = bounds_of(frame, "cddpl", subgroup="branch", **question)
    assert bounds == pytest.approx((-reach, reach), rel=1e-4)


# Test statistics


@pytest.mark.parametrize(
    ("accepted", "verdict"), [(500, "within"), (540, "within"), (546, "outside")]
)
def test_a_test_statistic_is_judged_by_its_value(accepted: int, verdict: str) -> None:
    """2 standard errors of two rates of about 0.52 are 0.0447."""
    frame = predictions(F=(500, 500), M=(accepted, 1_000 - accepted))
    answer = pf.audit(
        frame, "two_sd", "z_ratio", facet="sex", disfavored="F", predicted="p", count="n"
    )
    assert answer.select(BOUNDS).null_count().row(0) == (2, 2)
    assert answer["verdict"].to_list() == [verdict] * 2


# Only F is seldom accepted, and is less often positive, so that every value lies outside its band.
ONE_SIDED: Final = pl.concat([FULL] * 5).with_columns(
    p=pl.when(sex="F")
    .then(pl.col("p") & (pl.col("k") == 1))
    .otherwise(pl.col("p") | (pl.col("k") > 1)),
    y=pl.when(sex="F").then(pl.col("y") & (pl.col("k") < 3)).otherwise("y"),
)
BANDED: Final = [name for name in AUDITED if pf.CATALOGUE[name].acceptable]


def test_every_value_is_outside_its_band_where_one_side_is_seldom_accepted() -> None:
    """If all verdicts were fair or uncertain, the property below could not fail."""
    answer = pf.audit(ONE_SIDED, *BANDED, disfavored="F", favored="M", replicates=50, **AT_BRANCHES)
    assert answer["verdict"].to_list() == ["outside"] * len(BANDED)


@examples(10)
@example(ONE_SIDED)
@given(frames(least=2))
def test_changing_places_mirrors_intervals_and_verdicts(frame: pl.DataFrame) -> None:
    one, other = (
        pf.audit(frame, *BANDED, disfavored=d, favored=a, replicates=50, **AT_BRANCHES)
        for d, a in (("F", "M"), ("M", "F"))
    )
    judgement = ("verdict", "against")
    assert other.select(judgement).rows() == one.select(judgement).rows()
    one, other = (each.filter(metric="dppl") for each in (one, other))
    turned = [None if bound is None else -bound for bound in other.select("upper", "lower").row(0)]
    assert list(one.select(BOUNDS).row(0)) == pytest.approx(turned, abs=1e-15)


@pytest.mark.parametrize("metric", ["di", "cohens_d", "kl", "ge_between", "cdd_shares"])
def test_draws_belong_to_a_comparison(metric: str) -> None:
    """Neither other metrics nor other facets nor other windows move an interval."""
    question = {"facet": "sex", "label": "y", "predicted": "p", "by": "month"}

    def bounds(frame: pl.DataFrame, *metrics: str, **more: Any) -> pl.DataFrame:
        answer: pl.DataFrame = shared(pf.audit, frame, *metrics, **{**question, **more})
        return answer.filter(metric=metric, month=1, facet="sex").select("disfavored", *BOUNDS)

    alone = bounds(people().filter(month=1), metric)
    assert alone.height > 0
    assert alone.null_count().select(BOUNDS).row(0) == (0, 0)
    assert bounds(people(), metric).equals(alone)
    assert bounds(people(), metric, facet=["race", "sex"]).equals(alone)
    assert bounds(people(), *AUDITED, subgroup="branch", controls="branch").equals(alone)


def test_every_audit_of_the_same_rows_is_equal_to_the_last_digit() -> None:
    random = np.random.default_rng(0)
    n = 50_000
    frame = pl.DataFrame(
        {
            "day": random.integers(0, 7, n),
            "branch": random.integers(0, 40, n),
            "sex": random.choice(["F", "M"], n),
            "race": random.choice(["a", "b", "c"], n),
            "y": random.random(n) < 0.5,
            "p": random.random(n) < 0.4,
        }
    )
    columns = {**EVERYTHING, "facet": ["sex", "race"]}
    once = pf.audit(frame, replicates=10, **columns)
    assert pf.audit(frame, replicates=10, **columns).equals(once)
    shards = pl.concat(pf.cells(frame.filter(day=day), **columns) for day in range(7))
    assert pf.audit(shards, count="n", replicates=10, **columns).equals(once)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=60), st.integers(1, 2_000))
def test_no_more_is_drawn_at_once_than_fits(sizes: list[int], replicates: int) -> None:
    """10,000 windows took 2.7 GB. A block is one place, or as many as have room."""
    ends = [0, *accumulate(sizes)]
    blocks = list(places_at_once(ends, replicates))
    assert [place for block in blocks for place in range(block.start, block.stop)] == [
        *range(len(sizes))
    ]
    for block in blocks:
        rows = ends[block.stop] - ends[block.start]
        assert rows * replicates <= _AT_ONCE or block.stop == block.start + 1


def test_an_audit_has_the_values_of_metrics() -> None:
    question = {**QUESTION, "controls": "branch", "subgroup": "branch", "by": "month"}
    wide = pf.metrics(people(), *AUDITED, **question)
    answer = pf.audit(people(), *AUDITED, replicates=5, **question)
    for name in AUDITED:
        values = answer.filter(metric=name)["value"]
        every = wide if pf.CATALOGUE[name].has_sides else wide.unique("month", maintain_order=True)
        assert values.to_list() == pytest.approx(every[name].to_list(), nan_ok=True)


def test_drawing_in_blocks_changes_no_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pf.audit(people(), "dppl", "rd", "ge", **QUESTION)
    monkeypatch.setattr("polars_fairness.inference.draws._AT_ONCE", 100)
    assert_frame_equal(pf.audit(people(), "dppl", "rd", "ge", **QUESTION), whole)


# Tuberculosis with and without vaccine in 13 trials (Colditz et al. 1994): ill and well of each.
BCG: Final = [
    *((4, 119, 11, 128), (6, 300, 29, 274), (3, 228, 11, 209), (62, 13_536, 248, 12_619)),
    *(
        (33, 5_036, 47, 5_761),
        (180, 1_361, 372, 1_079),
        (8, 2_537, 10, 619),
        (505, 87_886, 499, 87_892),
    ),
    *(
        (29, 7_470, 45, 7_232),
        (17, 1_699, 65, 1_600),
        (186, 50_448, 141, 27_197),
        (5, 2_493, 3, 2_338),
    ),
    (27, 16_886, 29, 17_825),
]


def test_common_values_of_trials_are_near_those_of_metafor() -> None:
    """As `rma.mh` of metafor prints them; of many events, the intervals are nearly the same."""
    strata = [(of_d, of_d + d, of_a, of_a + a) for of_d, d, of_a, a in BCG]
    names = ("mh_ratio", "mh_difference", "mh_odds_ratio")
    question: dict[str, Any] = {**F_BESIDE_M, "count": "n", "subgroup": "branch"}
    answer = pf.audit(in_branches(strata), *names, **question)
    found = {row["metric"]: row for row in answer.iter_rows(named=True)}
    for name, expected in (
        ("mh_ratio", (0.6353, 0.5881, 0.6862)),
        # The rate of the vaccinated less the other there, and the reverse here.
        ("mh_difference", (0.0033, 0.0027, 0.0039)),
        ("mh_odds_ratio", (0.6229, 0.5748, 0.6750)),
    ):
        values = [found[name][column] for column in ("value", "lower", "upper")]
        assert values == pytest.approx(expected, abs=1.5e-4)
    row = found["mh_difference"]
    standard_error = (row["upper"] - row["lower"]) / 2 / 1.959964
    assert row["value"] / standard_error == pytest.approx(11.4708, rel=0.01)


def test_few_weighted_rows_of_a_rare_outcome_are_no_surer_than_their_weights() -> None:
    """With log-normal weights, 86 of 100 intervals held the truth by a side's own weights."""
    random = np.random.default_rng(12)
    sides = np.tile(np.repeat(["F", "M"], [500, 5_000]), 100)
    rows = pl.DataFrame(
        {
            "data_set": np.repeat(np.arange(100), 5_500),
            "sex": sides,
            "p": random.random(sides.size) < 0.012,
            "w": random.lognormal(size=sides.size),
        }
    )
    audit = pf.audit(rows, "di", **F_BESIDE_M, weight="w", by="data_set", replicates=300)
    assert audit.select(pl.lit(1.0).is_between("lower", "upper").sum()).item() >= 91


def test_equal_weights_have_the_draws_of_rows() -> None:
    rows = people(400)
    question = {**F_BESIDE_M, "label": "y"}
    unweighted = pf.audit(rows, "di", "rd", "te", **question)
    weighted = pf.audit(rows.with_columns(w=0.5), "di", "rd", "te", **question, weight="w")
    assert_frame_equal(unweighted.select(BOUNDS), weighted.select(BOUNDS), rel_tol=1e-9)


def test_a_distance_of_few_positive_rows_reaches_its_ideal() -> None:
    """Two positive rows of d on average; by gamma draws of them, 91 of 100 intervals held 0."""
    random = np.random.default_rng(5)
    chances = [0.025, 0.025, 0.095, 0.855]
    drawn = {"F": 40, "M": 400}
    kinds = [(1, 1), (1, 0), (0, 1), (0, 0)]
    rows = pl.DataFrame(
        [
            (data_set, sex, *kind, n)
            for sex, size in drawn.items()
            for data_set, counts in enumerate(random.multinomial(size, chances, 300))
            for kind, n in zip(kinds, counts.tolist(), strict=True)
        ],
        schema=["data_set", "sex", "y", "p", "n"],
        orient="row",
    )
    question = {**F_BESIDE_M, "label": "y", "count": "n", "by": "data_set", "replicates": 200}
    audit = pf.audit(rows, "average_abs_odds_difference", **question).drop_nulls("lower")
    assert audit.select((pl.col("lower") <= 1e-9).mean()).item() >= 0.96


@pytest.mark.parametrize("undefined", [0.0, 1.0])
def test_distances_from_a_side_without_rows_have_intervals(undefined: float) -> None:
    """Half of d are accepted, and 0/0 counts as a number: chance alone is infinitely far."""
    frame = pl.DataFrame({"g": ["d", "d", "a"], "y": [True, False, True], "n": [3, 3, 0]})
    question: dict[str, Any] = {"facet": "g", "predicted": "y", "count": "n"}
    audit = shared(pf.audit, frame, zero_division=undefined, **question)
    assert audit.drop_nulls("lower").height
