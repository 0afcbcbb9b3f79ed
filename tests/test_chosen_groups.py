"""Groups that the data chose: with pf.HIGHEST, what is said of a pair holds for all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal, assert_series_equal
from scipy import stats

import polars_fairness as pf
from tests.frames import predictions

# Rates 0.3, 0.42, 0.5 and 0.6 of unequal numbers of rows.
GROUPS: Final = predictions(A=(30, 70), B=(21, 29), C=(40, 40), D=(72, 48))
QUESTION: Final[dict[str, Any]] = {"facet": "sex", "predicted": "p", "count": "n"}
ANSWER: Final = ("value", "lower", "upper", "verdict")


def of_a_pair(groups: int, confidence: float = 0.95) -> float:
    """The confidence of an interval of one pair, from the studentized range."""
    z = stats.studentized_range.ppf(confidence, groups, 1e7) / sqrt(2)
    return float(2 * stats.norm.cdf(z) - 1)


def audits(metric: str, frame: pl.DataFrame = GROUPS, **how: Any) -> tuple[pl.DataFrame, Any]:
    """The audit beside the group found, and a function for the one beside it by name."""
    question = {**QUESTION, **how}
    named = {"favored": "D", **question}
    found = pf.audit(frame, metric, favored=pf.HIGHEST, **question)
    return found.select(ANSWER), lambda confidence: pf.audit(
        frame, metric, **{**named, "confidence": confidence}
    ).select(ANSWER)


@pytest.mark.parametrize(("metric", "method"), [("dppl", "newcombe"), ("di", "log")])
def test_intervals_with_a_formula_have_the_level_of_the_studentized_range(
    metric: str, method: str
) -> None:
    found, named = audits(metric, method=method)
    assert_frame_equal(found, named(of_a_pair(4)), abs_tol=1e-5)


def test_intervals_of_strata_have_that_level_too() -> None:
    strata = GROUPS.join(pl.DataFrame({"s": ["x", "y"]}), how="cross")
    for metric in ("cddpl", "mh_odds_ratio"):
        found, named = audits(metric, strata, subgroup="s")
        assert_frame_equal(found, named(of_a_pair(4)), abs_tol=1e-4)


def test_bootstrapped_intervals_are_as_many_times_wider() -> None:
    factor = stats.studentized_range.ppf(0.95, 4, 1e7) / sqrt(2) / 1.959964
    for metric, scale in (("dppl", float), ("di", np.log)):
        found, named = audits(metric, replicates=4_000)
        for (_, *wide, _), (_, *narrow, _) in zip(found.rows(), named(0.95).rows(), strict=True):
            widths = [scale(upper) - scale(lower) for lower, upper in (wide, narrow)]
            # By Student's distribution, of 49 degrees of freedom or more, a little wider.
            assert factor < widths[0] / widths[1] < 1.05 * factor


def test_sequences_divide_their_chance_by_the_number_of_pairs() -> None:
    frame = GROUPS.with_columns(day=pl.lit(1))
    found, named = audits("dppl", frame, sequential="each", by="day")
    assert_frame_equal(found, named(1 - 0.05 / 6), abs_tol=1e-9)


def test_a_test_statistic_near_its_limit_is_uncertain() -> None:
    """Of A and D 4.4, of C and D 1.4; of B and D 2.1, less than 2.57/1.96 times 2."""
    found, named = audits("two_sd")
    assert [round(value, 1) for value in found["value"]] == [4.4, 2.1, 1.4]
    assert found["verdict"].to_list() == ["outside", "uncertain", "within"]
    assert named(0.95)["verdict"].to_list() == ["outside"] * 2 + ["within"]


@pytest.mark.parametrize("reference", [pf.HIGHEST, pf.LARGEST])
def test_two_groups_and_the_largest_group_leave_nothing_to_choose_by(reference: Any) -> None:
    two = predictions(A=(30, 70), D=(72, 48))
    frame = two if reference is pf.HIGHEST else GROUPS
    how: dict[str, Any] = {**QUESTION, "p_values": "holm"}
    found = pf.audit(frame, "di", "two_sd", favored=reference, **how)
    assert found.equals(pf.audit(frame, "di", "two_sd", favored="D", **how))


def test_a_side_that_is_named_is_compared_with_those_that_could_be_found() -> None:
    """D or one of B and C: with A, and each as another choice, three groups."""
    question: dict[str, Any] = {**QUESTION, "method": "newcombe", "p_values": "exact"}
    found = pf.audit(GROUPS, "dppl", disfavored=["A", "B"], favored=pf.HIGHEST, **question)
    named = {**question, "confidence": of_a_pair(3)}
    expected = pf.audit(GROUPS, "dppl", disfavored=["A", "B"], favored="D", **named)
    p_value = (pl.col("p_value") * 3).clip(upper_bound=1)
    assert_frame_equal(found, expected.with_columns(p_value), abs_tol=1e-5)


def adjusted_by(p_values: Any, frame: pl.DataFrame, facets: Sequence[str]) -> pl.DataFrame:
    return pf.audit(
        frame, "di", facet=[*facets], favored=pf.HIGHEST, predicted="p", p_values=p_values
    )


def test_pairs_of_one_facet_are_one_test_of_many() -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"x": rng.integers(0, 3, 400), "y": rng.integers(0, 4, 400)})
    frame = frame.with_columns(p=(rng.random(400) < 0.2 + 0.1 * frame["x"].to_numpy()) * 1)
    exact = adjusted_by("exact", frame, ["x", "y"])
    by_hand = exact["p_value"].to_list()  # two of x, three of y
    facets = exact["facet"].to_list()
    order = sorted(range(5), key=lambda i: by_hand[i])
    expected, most = [0.0] * 5, 0.0
    for place, i in enumerate(order):
        most = max(most, by_hand[i] * len({facets[j] for j in order[place:]}))
        expected[i] = min(most, 1.0)
    holm = adjusted_by("holm", frame, ["x", "y"])["p_value"]
    assert_series_equal(holm, pl.Series("p_value", expected))
    # Facets of two groups have one pair each: the adjustment of independent tests.
    two = frame.with_columns(pl.col("x", "y") % 2)
    p_values = adjusted_by("exact", two, ["x", "y"])["p_value"]
    small, large = sorted(p_values)
    assert small < large
    for how, of_small in (("holm", 2 * small), ("bh", min(2 * small, large))):
        adjusted = adjusted_by(how, two, ["x", "y"])["p_value"].to_list()
        of_large = max(of_small, large) if how == "holm" else large
        assert sorted(adjusted) == pytest.approx([of_small, of_large])


def test_bh_counts_facets_of_which_a_pair_differs() -> None:
    """Benjamini and Bogomolov 2014: inside facets, at the share of facets that were selected."""
    from polars_fairness.inference.significance import adjusted

    p_values, families = pl.Series([0.01, 0.02, 0.2, 0.5]), pl.Series(["a", "a", "b", "c"])
    # Three families: 0.01 · 3/1, 0.02 · 3/1, 0.2 · 3/2, 0.5 · 3/3.
    assert adjusted(p_values, "bh", families).to_list() == pytest.approx([0.03, 0.06, 0.3, 0.5])


def test_the_form_that_a_rule_prescribes_stays_as_it_is() -> None:
    impacts = pf.hiring.adverse_impact(GROUPS, facet="sex", selected="p", count="n")
    named = pf.audit(GROUPS, "di", favored="D", p_values="exact", **QUESTION)
    assert_series_equal(impacts["p_value"], named["p_value"])
    assert_series_equal(impacts["lower"], named["lower"])


@pytest.mark.simulation
def test_few_data_sets_without_a_disparity_have_a_group_that_is_flagged() -> None:
    """Ten groups of 50 rows at 30 %: of 100 tables, 46 had a flag by single p-values."""
    accepted = np.random.default_rng(1).binomial(50, 0.3, (60, 10))
    frame = pl.concat(
        predictions(**{f"{i}": (int(k), 50 - int(k)) for i, k in enumerate(of_set)}).with_columns(
            set=number
        )
        for number, of_set in enumerate(accepted)
    )
    question: dict[str, Any] = {**QUESTION, "favored": pf.HIGHEST, "by": "set"}
    table = pf.lending.table(frame, confidence=None, **question)
    audit = pf.audit(frame, "di", replicates=400, **question)
    assert table.height == audit.height == 60 * 9
    flagged = table.filter("is_flagged")["set"].n_unique()
    against = audit.filter(pl.col("verdict").str.starts_with("against"))["set"].n_unique()
    held = ((audit["lower"] <= 1) & (audit["upper"] >= 1)).sum()
    # With 3 expected, 8 or more are as rare as 1 in 100.
    assert max(flagged, against) < 8
    assert held / (60 * 9) > 0.95
