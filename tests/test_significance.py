"""P-values against published examples, exact fractions and scipy."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any, cast

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, fisher_exact, norm

import polars_fairness as pf
from polars_fairness.inference.significance import (
    ChiSquaredTest,
    RateTest,
    benjamini_hochberg,
    cmh_p,
    exact_p_values,
    find_test,
    find_tests,
    fisher,
    holm,
    parts_of,
)
from polars_fairness.question.arguments import Question
from polars_fairness.question.reading import find_roles
from polars_fairness.terms import a, a_i, across_strata, d, d_i, larger, ratio, stratified
from tests.frames import fairness, people
from tests.strategies import EVERYTHING, examples, frames

ANY_FORMULA = across_strata(pl.lit(0.0))  # tests are compared by name alone
ACCEPTANCE = RateTest("fisher", "selection_rate")
TESTED = {
    **dict.fromkeys(["dppl", "statistical_parity", "di", "success_ratio"], ACCEPTANCE),
    **dict.fromkeys(["four_fifths", "cohens_d", "two_sd", "z_ratio", "ddpl"], ACCEPTANCE),
    **dict.fromkeys(["odds_ratio", "skew_at"], ACCEPTANCE),
    **dict.fromkeys(["dpl", "ddl"], RateTest("fisher", "base_rate")),
    **dict.fromkeys(["rd", "fnr_difference"], RateTest("fisher", "tpr")),
    **dict.fromkeys(["dar", "fdr_difference"], RateTest("fisher", "ppv")),
    **dict.fromkeys(["drr", "for_difference"], RateTest("fisher", "npv")),
    "sd": RateTest("fisher", "fpr"),
    "ad": RateTest("fisher", "accuracy"),
    **dict.fromkeys(
        ["cddpl", "mh_ratio", "mh_difference", "mh_odds_ratio", "cmh"],
        RateTest("cmh", "selection_rate"),
    ),
    "cddl": RateTest("cmh", "base_rate"),
    "breslow_day": ChiSquaredTest("breslow_day", ANY_FORMULA, ANY_FORMULA),
}


def p_values(frame: pl.DataFrame, *metrics: str | pf.Metric, **question: Any) -> pl.DataFrame:
    described = [pf.CATALOGUE[each] if isinstance(each, str) else each for each in metrics]
    roles = find_roles(frame.schema, cast(Question, question))
    tests = find_tests({metric.name: metric for metric in described}, roles)
    table = pf.metrics(frame, *parts_of(tests).values(), **question)
    return exact_p_values(table, tests)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ((3, 1, 1, 3), 34 / 70),  # Fisher's lady tasting tea, both tails
        ((2, 15, 10, 3), 0.0005367),  # convicted twins, as R's fisher.test prints it
        ((5, 0, 5, 0), 1.0),  # all accepted: no evidence of a difference
        ((0, 0, 3, 4), None),  # no rows on one side
    ],
)
def test_fishers_p_values_are_the_published_ones(
    table: tuple[int, int, int, int], expected: float | None
) -> None:
    p = fisher(*([count] for count in table)).item()
    assert p == (None if expected is None else pytest.approx(expected, abs=5e-8))


@given(st.lists(st.tuples(*[st.integers(0, 12)] * 4), min_size=1, max_size=5))
def test_fishers_p_value_is_the_sum_over_tables_no_likelier(
    tables: list[tuple[int, int, int, int]],
) -> None:
    for table, p in zip(tables, fisher(*zip(*tables, strict=True)), strict=True):
        d_yes, d_no, a_yes, a_no = table
        n_d, n_a, yes = d_yes + d_no, a_yes + a_no, d_yes + a_yes
        if not n_d or not n_a:
            assert p is None
            continue
        ways = {k: comb(n_d, k) * comb(n_a, yes - k) for k in range(min(n_d, yes) + 1)}
        no_likelier = sum(number for number in ways.values() if number <= ways[d_yes])
        assert p == pytest.approx(float(Fraction(no_likelier, comb(n_d + n_a, yes))), rel=1e-9)


def test_fishers_p_value_is_null_beyond_the_counts_that_scipy_takes() -> None:
    half = 250_000_000
    most, more = (half, half, half, half), (half + 1, half, half, half)
    assert fisher(*zip(most, more, strict=True)).to_list() == [pytest.approx(1), None]


def test_p_values_of_cmh_are_the_two_tails_of_its_statistic() -> None:
    scores = [0.0, -1.0, 1.959963984540054, 6.0, 30.0]
    got = cmh_p([*scores, None])
    assert got[:-1].to_list() == pytest.approx([2 * norm.sf(abs(z)) for z in scores], rel=1e-12)
    assert got[-1] is None


def test_holm_multiplies_by_the_tests_that_are_left() -> None:
    # The smallest of four counts four times, the next three times, and none less than the last.
    assert holm(pl.Series([0.01, 0.04, 0.03, 0.005])).to_list() == pytest.approx(
        [0.03, 0.06, 0.06, 0.02]
    )
    with_nulls = holm(pl.Series([None, 0.02, None, 0.6, 0.02, 0.7]))
    assert with_nulls.to_list() == [None, 0.08, None, 1.0, 0.08, 1.0]
    assert holm(pl.Series([None, None], dtype=pl.Float64)).to_list() == [None, None]
    assert holm(pl.Series([], dtype=pl.Float64)).to_list() == []


def test_benjamini_and_hochbergs_own_example() -> None:
    """Benjamini and Hochberg 1995, section 4: four of fifteen are rejected at 0.05, by Holm three.

    The fourth becomes 0.0095 · 15/4. The sixth would become 0.0278 · 15/6, but may be no larger
    than the seventh, 0.0298 · 15/7.
    """
    published = (
        *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459),
        *(0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000),
    )
    adjusted = benjamini_hochberg(pl.Series(published))
    assert adjusted[3] == pytest.approx(0.035625, rel=1e-12)
    assert adjusted[5] == adjusted[6] == pytest.approx(0.447 / 7, rel=1e-12)
    assert (adjusted <= 0.05).sum() == 4
    assert (holm(pl.Series(published)) <= 0.05).sum() == 3


def test_benjamini_and_hochberg_divide_by_the_place() -> None:
    # The smallest of four times 4/1, the next times 4/2, 4/3 and 4/4, and none above the next.
    assert benjamini_hochberg(pl.Series([0.01, 0.04, 0.03, 0.005])).to_list() == pytest.approx(
        [0.02, 0.04, 0.04, 0.02]
    )
    with_nulls = benjamini_hochberg(pl.Series([None, 0.02, None, 0.6, 0.02, 0.7]))
    assert with_nulls.to_list() == [None, 0.04, None, 0.7, 0.04, 0.7]
    assert benjamini_hochberg(pl.Series([None, None], dtype=pl.Float64)).to_list() == [None, None]
    assert benjamini_hochberg(pl.Series([], dtype=pl.Float64)).to_list() == []


p_values_with_nulls = st.lists(
    st.none() | st.floats(0, 1) | st.sampled_from([0.0, 0.01, 0.05, 1.0]), max_size=30
)


@given(p_values_with_nulls)
def test_adjusted_p_values_agree_with_scipy_and_grow_with_p(given_ps: list[float | None]) -> None:
    of_tests = [p for p in given_ps if p is not None]
    p_values = pl.Series("p", given_ps, pl.Float64)
    bh, by_holm = benjamini_hochberg(p_values), holm(p_values)
    expected = false_discovery_control(of_tests).tolist() if of_tests else []
    assert bh.drop_nulls().to_list() == pytest.approx(expected, rel=1e-12)
    for adjusted in (bh, by_holm):
        assert adjusted.is_null().equals(p_values.is_null())
        found = adjusted.drop_nulls().gather(pl.Series(of_tests, dtype=pl.Float64).arg_sort())
        assert found.is_sorted()
        assert (adjusted >= p_values).drop_nulls().all()
        assert (adjusted <= 1).drop_nulls().all()
    # A bound on the share of false discoveries is weaker than one on any false discovery.
    assert (bh <= by_holm * (1 + 1e-12)).drop_nulls().all()


def test_each_metric_has_the_test_of_its_rate() -> None:
    found = {name: find_test(metric) for name, metric in pf.CATALOGUE.items()}
    assert {name: test for name, test in found.items() if test is not None} == TESTED


@pytest.mark.parametrize(
    ("formula", "ideal", "expected"),
    [
        ((a.tpr - d.tpr).abs(), 0, RateTest("fisher", "tpr")),
        (ratio(1 - d.ppv, 1 - a.ppv), 1, RateTest("fisher", "ppv")),
        (stratified(a_i.tpr - d_i.tpr), 0, RateTest("cmh", "tpr")),
        (across_strata((a_i.base_rate - d_i.base_rate).max()), 0, RateTest("cmh", "base_rate")),
        # one side only, one direction only, another ideal, persons counted twice, sizes
        (d.selection_rate, 0, None),
        (larger(a.tpr - d.tpr, pl.lit(0.0)), 0, None),
        (a.tpr - d.tpr, 0.1, None),
        (a.f1 - d.f1, 0, None),
        (a.n - d.n, 0, None),
        (stratified(a_i.share - d_i.share), 0, None),
    ],
)
def test_a_user_metric_has_the_test_of_its_formula(
    formula: Any, ideal: float, expected: RateTest | None
) -> None:
    assert find_test(pf.Metric("own", "Own", formula, ideal=ideal)) == expected


def test_a_user_metric_may_be_a_test_itself() -> None:
    """The square of `cmh` is chi-squared with one degree of freedom."""
    value = pf.CATALOGUE["cmh"].value ** 2
    squared = pf.Metric(
        "squared", "Squared", across_strata(value), degrees_of_freedom=across_strata(pl.lit(1.0))
    )
    question = {"facet": "sex", "predicted": "p", "subgroup": "branch", "by": "month"}
    found = p_values(people(), squared, "cmh", **question)
    assert found.height == 3
    assert found["squared"].to_list() == pytest.approx(found["cmh"].to_list(), rel=1e-9)
    never = replace(squared, degrees_of_freedom=across_strata(pl.lit(0.0)))
    assert p_values(people(), never, **question)["squared"].null_count() == 3
    for wrong in (1, across_strata(d.n.sum())):
        with pytest.raises(pf.FairnessError, match=r"^formula: .*'squared\.freedom'"):
            replace(squared, degrees_of_freedom=cast("Any", wrong))


def test_p_values_of_berkeley_equal_scipys_and_rs() -> None:
    """1,198 of 2,691 men and 557 of 1,835 women admitted; and R's `mantelhaen.test` without
    continuity correction, 1.5246 on one degree of freedom."""
    found = p_values(
        *(pf.datasets.berkeley(), "dppl", "di", "cddpl", "te"),
        facet="sex",
        disfavored="Female",
        predicted="admitted",
        subgroup="department",
        count="n",
    )
    assert found.columns == ["dppl", "di", "cddpl"]
    assert found["dppl"].item() == fisher_exact([[557, 1278], [1198, 1493]]).pvalue
    assert found["di"].item() == found["dppl"].item()
    assert found["cddpl"].item() == pytest.approx(0.2169, abs=1e-4)


@given(frames(least=5), st.sampled_from([None, 0.0]))
@examples(30)
def test_p_values_are_of_the_rows_of_each_comparison(
    frame: pl.DataFrame, zero_division: float | None
) -> None:
    question = {**EVERYTHING, "by": "k"}
    found = p_values(frame, "rd", "cmh", **question, zero_division=zero_division)
    whole = pf.metrics(frame, "cmh", **question)
    assert found.height > 0
    assert found["cmh"].to_list() == cmh_p(whole["cmh"]).to_list()
    for p, row in zip(found["rd"], whole.iter_rows(named=True), strict=True):
        positive = frame.filter("y", pl.col("k") == row["k"], pl.col("sex").is_not_null())
        in_d = positive["sex"].eq_missing(row["disfavored"])
        outcomes = (positive["p"], ~positive["p"])
        table = [[(side & outcome).sum() for outcome in outcomes] for side in (in_d, ~in_d)]
        assert p == (fisher_exact(table).pvalue if in_d.any() and not in_d.all() else None)


@given(frames(least=5))
@examples(30)
def test_the_test_of_a_rate_within_strata_is_of_the_rows_below_its_line(
    frame: pl.DataFrame,
) -> None:
    precision = pf.Metric("precision", "Precision", stratified(a_i.ppv - d_i.ppv))
    sides = {"facet": "sex", "disfavored": "F", "favored": "M", "subgroup": "branch"}
    p = p_values(frame, precision, label="y", predicted="p", **sides).item()
    accepted = frame.filter("p")
    if "M" not in accepted["sex"]:
        assert p is None
        return
    z = fairness(accepted).cmh(predicted="y", **sides)["cmh"].item()
    assert p == (None if z is None else pytest.approx(2 * norm.sf(abs(z)), rel=1e-9))


def test_weighted_rows_have_no_test() -> None:
    question = Question(facet="sex", predicted="p", weight="w")
    assert find_tests(pf.CATALOGUE, find_roles(people().schema, question)) == {}
