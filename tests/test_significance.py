"""P-values against published examples, exact fractions and scipy."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb, isnan, sqrt
from typing import Any, cast

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, fisher_exact, norm

import polars_fairness as pf
from polars_fairness.formula.tree import literal
from polars_fairness.inference.significance import (
    adjusted,
    conditional_p,
    find_test,
    find_tests,
    fisher,
    normal_p,
)
from polars_fairness.question.arguments import Question
from polars_fairness.question.reading import find_roles
from polars_fairness.terms import a, a_i, across, across_strata, d, d_i, larger, ratio, stratified
from tests.frames import people, shared
from tests.reference.strata import conditional_p as sum_over_tables
from tests.strategies import EVERYTHING, examples, frames

ACCEPTANCE = "fisher.selection_rate"
TESTED = {
    **dict.fromkeys(["dppl", "statistical_parity", "di", "success_ratio"], ACCEPTANCE),
    **dict.fromkeys(["four_fifths", "cohens_d", "two_sd", "z_ratio", "ddpl"], ACCEPTANCE),
    **dict.fromkeys(["odds_ratio", "skew_at"], ACCEPTANCE),
    **dict.fromkeys(["dpl", "ddl"], "fisher.base_rate"),
    **dict.fromkeys(["rd", "fnr_difference"], "fisher.tpr"),
    **dict.fromkeys(["dar", "fdr_difference"], "fisher.ppv"),
    **dict.fromkeys(["drr", "for_difference"], "fisher.npv"),
    "sd": "fisher.fpr",
    "ad": "fisher.accuracy",
    **dict.fromkeys(
        ["cddpl", "mh_ratio", "mh_difference", "mh_odds_ratio", "cmh"],
        "cmh.selection_rate",
    ),
    "cddl": "cmh.base_rate",
    "breslow_day": "chi_squared.breslow_day",
}


def p_values(frame: pl.DataFrame, *metrics: str | pf.Metric, **question: Any) -> pl.DataFrame:
    described = [pf.CATALOGUE[each] if isinstance(each, str) else each for each in metrics]
    roles = find_roles(frame.schema, cast(Question, question))
    tests = find_tests({metric.name: metric for metric in described}, roles)
    table = pf.metrics(frame, *{test.name: test for test in tests.values()}.values(), **question)
    return table.select(pl.col(test.name).alias(name) for name, test in tests.items())


@given(st.lists(st.tuples(*[st.integers(0, 12)] * 4), min_size=1, max_size=5))
def test_fishers_p_value_is_the_sum_over_tables_no_likelier(
    tables: list[tuple[int, int, int, int]],
) -> None:
    for table in tables:
        p, (d_yes, d_no, a_yes, a_no) = fisher(*table), table
        n_d, n_a, yes = d_yes + d_no, a_yes + a_no, d_yes + a_yes
        if not n_d or not n_a:
            assert isnan(p)
            continue
        ways = {k: comb(n_d, k) * comb(n_a, yes - k) for k in range(min(n_d, yes) + 1)}
        no_likelier = sum(number for number in ways.values() if number <= ways[d_yes])
        assert p == pytest.approx(float(Fraction(no_likelier, comb(n_d + n_a, yes))), rel=1e-9)


def test_fishers_p_value_is_unknown_beyond_the_counts_that_scipy_takes() -> None:
    half = 250_000_000
    assert fisher(half, half, half, half) == pytest.approx(1)
    assert isnan(fisher(half + 1, half, half, half))


def test_p_values_of_normal_scores_are_both_tails() -> None:
    scores = [0.0, -1.0, 1.959963984540054, 6.0, 30.0]
    got = normal_p([*scores, None])
    assert got[:-1].to_list() == pytest.approx([2 * norm.sf(abs(z)) for z in scores], rel=1e-12)
    assert got[-1] is None


counts_within_strata = st.lists(st.tuples(*[st.integers(0, 9)] * 4), min_size=1, max_size=5)


@given(counts_within_strata)
def test_the_p_value_within_strata_is_the_sum_over_tables_no_likelier(
    strata: list[tuple[int, int, int, int]],
) -> None:
    expected = sum_over_tables(strata)
    found = conditional_p(*np.array(strata, dtype=float).T)
    assert found == (None if expected is None else pytest.approx(expected, rel=1e-11))
    mirrored = conditional_p(*np.array([(*each[2:], *each[:2]) for each in strata], dtype=float).T)
    assert mirrored == (None if found is None else pytest.approx(found, rel=1e-11))


def test_many_rows_within_strata_have_the_normal_p_value_with_continuity() -> None:
    strata = [(60, 140, 90, 110), (30, 170, 40, 160), (50, 150, 60, 140)]
    for times in (1, 20):  # a variance of 77 and of 1,530
        counts = times * np.array(strata, dtype=float)
        excess = sum(times * (d - (d + a) / 2) for d, _, a, _ in strata)
        variance = sum(
            times * (d + a) * (400 - d - a) / 4 * times / (400 * times - 1) for d, _, a, _ in strata
        )
        normal = 2 * norm.sf((abs(excess) - 0.5) / sqrt(variance))
        found = conditional_p(*counts.T)
        assert found == pytest.approx(normal, rel=1e-12 if times > 1 else 0.1)
        assert (found == pytest.approx(normal, rel=1e-12)) == (times > 1)


def test_what_an_enormous_stratum_adds_is_not_counted_one_by_one() -> None:
    """3 of 10^9 beside none of 10^10: by chance each row is one of d's with 1/11."""
    found = conditional_p(*np.array([(3, 10**9 - 3, 0, 10**10)], dtype=float).T)
    assert found == pytest.approx(1 / 11**3, rel=1e-6)


def test_holm_multiplies_by_the_tests_that_are_left() -> None:
    # The smallest of four counts four times, the next three times, and none less than the last.
    assert adjusted(pl.Series([0.01, 0.04, 0.03, 0.005]), "holm").to_list() == pytest.approx(
        [0.03, 0.06, 0.06, 0.02]
    )
    with_nulls = adjusted(pl.Series([None, 0.02, None, 0.6, 0.02, 0.7]), "holm")
    assert with_nulls.to_list() == [None, 0.08, None, 1.0, 0.08, 1.0]
    assert adjusted(pl.Series([None, None], dtype=pl.Float64), "holm").to_list() == [None, None]
    assert adjusted(pl.Series([], dtype=pl.Float64), "holm").to_list() == []


p_values_with_nulls = st.lists(
    st.none() | st.floats(0, 1) | st.sampled_from([0.0, 0.01, 0.05, 1.0]), max_size=30
)


@given(p_values_with_nulls)
def test_adjusted_p_values_agree_with_scipy_and_grow_with_p(given_ps: list[float | None]) -> None:
    of_tests = [p for p in given_ps if p is not None]
    p_values = pl.Series("p", given_ps, pl.Float64)
    bh, by_holm = adjusted(p_values, "bh"), adjusted(p_values, "holm")
    expected = false_discovery_control(of_tests).tolist() if of_tests else []
    assert bh.drop_nulls().to_list() == pytest.approx(expected, rel=1e-12)
    for each in (bh, by_holm):
        assert each.is_null().equals(p_values.is_null())
        found = each.drop_nulls().gather(pl.Series(of_tests, dtype=pl.Float64).arg_sort())
        assert found.is_sorted()
        assert (each >= p_values).drop_nulls().all()
        assert (each <= 1).drop_nulls().all()
    # A bound on the share of false discoveries is weaker than one on any false discovery.
    assert (bh <= by_holm * (1 + 1e-12)).drop_nulls().all()


def sum_over_branches(frame: pl.DataFrame, disfavored: object) -> Any:
    """The p-value within branches of one value of `sex` beside the others, by all tables."""
    known = frame.drop_nulls("sex").with_columns(in_d=pl.col("sex").eq_missing(disfavored))
    tables = [
        cast(
            "tuple[int, int, int, int]",
            tuple(part.filter(in_d=d, p=p).height for d in (True, False) for p in (True, False)),
        )
        for part in known.partition_by("branch")
    ]
    expected = sum_over_tables(tables)
    return None if expected is None else pytest.approx(expected, rel=1e-9)


def test_each_metric_has_the_test_of_its_rate() -> None:
    found = {name: find_test(metric) for name, metric in pf.CATALOGUE.items()}
    assert {name: test.name for name, test in found.items() if test is not None} == TESTED


@pytest.mark.parametrize(
    ("formula", "ideal", "expected"),
    [
        ((a.tpr - d.tpr).abs(), 0, "fisher.tpr"),
        (ratio(1 - d.ppv, 1 - a.ppv), 1, "fisher.ppv"),
        (stratified(a_i.tpr - d_i.tpr), 0, "cmh.tpr"),
        (across_strata((a_i.base_rate - d_i.base_rate).max()), 0, "cmh.base_rate"),
        # one side only, one direction only, another ideal, persons counted twice, sizes
        (d.selection_rate, 0, None),
        (larger(a.tpr - d.tpr, 0.0), 0, None),
        (a.tpr - d.tpr, 0.1, None),
        (a.f1 - d.f1, 0, None),
        (a.n - d.n, 0, None),
        (stratified(a_i.share - d_i.share), 0, None),
    ],
)
def test_a_user_metric_has_the_test_of_its_formula(
    formula: Any, ideal: float, expected: str | None
) -> None:
    test = find_test(pf.Metric("own", "Own", formula, ideal=ideal))
    assert (test and test.name) == expected


def test_a_user_metric_may_be_a_test_itself() -> None:
    """The square of `cmh` is near to chi-squared with one degree of freedom."""
    value = pf.CATALOGUE["cmh"].parsed.expression ** 2
    squared = pf.Metric(
        "squared", "Squared", across_strata(value), degrees_of_freedom=across_strata(literal(1.0))
    )
    question: dict[str, Any] = {"facet": "sex", "predicted": "p", "subgroup": "branch"}
    found = p_values(people(), squared, **question, by="month")
    scores = pf.metrics(people(), "cmh", **question, by="month")["cmh"]
    assert found.height == 3
    assert found["squared"].to_list() == pytest.approx(normal_p(scores).to_list(), rel=1e-9)
    never = replace(squared, degrees_of_freedom=across_strata(literal(0.0)))
    assert p_values(people(), never, **question, by="month")["squared"].null_count() == 3
    for wrong in (1, across_strata(d.n.sum())):
        with pytest.raises(pf.FairnessError, match=r"^formula: .*'squared\.freedom'"):
            replace(squared, degrees_of_freedom=cast("Any", wrong))
    with pytest.raises(pf.FairnessError, match=r"^formula: 'squared' and 'squared\.freedom' need"):
        replace(squared, degrees_of_freedom=across(literal(1.0)))


@given(frames(least=5), st.sampled_from([None, 0.0]))
@examples(30)
def test_p_values_are_of_the_rows_of_each_comparison(
    frame: pl.DataFrame, zero_division: float | None
) -> None:
    question = {**EVERYTHING, "by": "k"}
    found = p_values(frame, "rd", "cmh", **question, zero_division=zero_division)
    whole = shared(pf.metrics, frame, "cmh", **question)
    assert found.height > 0
    for p_inside, p, row in zip(
        found["cmh"], found["rd"], whole.iter_rows(named=True), strict=True
    ):
        assert p_inside == sum_over_branches(frame.filter(k=row["k"]), row["disfavored"])
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
    assert p == sum_over_branches(
        accepted.with_columns(p=pl.col("y")).filter(pl.col("sex").is_in(["F", "M"])), "F"
    )
