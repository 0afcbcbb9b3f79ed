"""Undefined values are null, never 0 or NaN; infinite only where the source says so."""

from __future__ import annotations

import math
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.frames import confusion, fairness, shared

INF = math.inf


@pytest.mark.parametrize(
    ("name", "a", "d", "expected", "clarify"),
    [
        # tp, fp, fn, tn of either side; the value; the value in Clarify's own arithmetic
        ("di", (0, 0, 2, 2), (1, 1, 1, 1), INF, INF),
        ("di", (0, 0, 2, 2), (0, 0, 1, 1), None, 0.0),
        ("success_ratio", (1, 1, 1, 1), (0, 0, 1, 1), INF, INF),
        ("odds_ratio", (1, 1, 1, 1), (1, 1, 0, 0), INF, INF),
        ("odds_ratio", (1, 1, 1, 1), (0, 0, 1, 1), 0.0, 0.0),
        ("odds_ratio", (1, 1, 0, 0), (1, 1, 0, 0), None, 0.0),
        ("te", (1, 0, 1, 1), (1, 1, 1, 1), -INF, -INF),
        ("te", (1, 1, 1, 1), (1, 0, 1, 1), INF, INF),
        ("te", (1, 0, 1, 1), (1, 0, 1, 1), None, 0.0),
        ("te", (1, 0, 0, 1), (1, 1, 1, 1), None, 1.0),
        ("te_inverse", (1, 1, 0, 1), (1, 1, 1, 1), INF, INF),
        ("dcacc", (0, 0, 1, 1), (1, 1, 1, 1), INF, INF),
        ("dcacc", (1, 1, 1, 1), (0, 0, 1, 1), -INF, -INF),
        ("dcr", (1, 1, 0, 0), (1, 1, 1, 1), -INF, -INF),
        ("dcr", (1, 1, 1, 1), (1, 1, 0, 0), INF, INF),
        ("rd", (0, 1, 0, 1), (1, 0, 1, 0), None, -0.5),
        ("dar", (0, 0, 1, 1), (1, 1, 0, 0), None, -0.5),
        ("four_fifths", (0, 0, 1, 1), (1, 1, 1, 1), 0.0, 0.0),
        ("four_fifths", (0, 0, 1, 1), (0, 0, 1, 1), None, 0.0),
        ("two_sd", (1, 1, 0, 0), (1, 1, 0, 0), None, 0.0),
        ("cohens_d", (1, 1, 0, 0), (0, 0, 1, 1), None, INF),
        ("cohens_d", (1, 0, 0, 0), (0, 0, 1, 0), None, INF),
        # (1/2 - 1) / s, and s² = (1·1/4 + 0) / (3 - 2)
        ("cohens_d", (1, 0, 1, 0), (1, 0, 0, 0), -1.0, -1.0),
        ("z_ratio", (1, 1, 1, 1), (0, 0, 1, 1), None, INF),
        ("z_ratio", (0, 0, 1, 1), (1, 1, 1, 1), None, -INF),
        ("ddpl", (1, 1, 0, 0), (1, 1, 0, 0), None, -0.5),
        ("ge", (0, 0, 3, 0), (0, 0, 2, 0), None, 0.0),
        ("kl", (1, 1, 1, 1), (2, 0, 2, 0), INF, INF),
        ("tpr_gap", (0, 1, 0, 1), (1, 0, 1, 0), None, 0.5),
        ("selection_rate_ratio", (0, 0, 1, 1), (0, 0, 1, 1), None, 0.0),
        ("equalized_odds_gap", (1, 0, 1, 0), (1, 0, 3, 0), None, 0.25),
        ("cdd_shares", (1, 1, 0, 0), (1, 1, 0, 0), None, -0.5),
    ],
)
def test_divisions_by_zero_are_null_infinite_or_as_requested(
    name: str,
    a: tuple[int, int, int, int],
    d: tuple[int, int, int, int],
    expected: float | None,
    clarify: float,
) -> None:
    question: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p", "disfavored": "d"}
    question |= {"count": "n"}
    frame = confusion(a=a, d=d)
    assert shared(pf.metrics, frame, name, **question)[name].item() == expected
    assert shared(pf.metrics, frame, name, zero_division=0.0, **question)[name].item() == clarify


ONE_SIDED: dict[str, Any] = {
    "facet": "sex",
    "label": "y",
    "predicted": "p",
    "score": "s",
    "subgroup": "branch",
    "controls": "branch",
    "by": "window",
}


def windows_with_one_side() -> pl.DataFrame:
    """The windows both, only F and only M: the same rows of each sex, with all outcomes."""
    cells = [
        (y, p, s, branch) for y in (0, 1) for p in (0, 1) for s in (0.2, 0.7) for branch in "nS"
    ]
    rows = [
        (window, sex, *cell, float(x))
        for window, sexes in (("both", "FM"), ("only F", "F"), ("only M", "M"))
        for sex in sexes
        for x, cell in enumerate(cells)
    ]
    names = ["window", "sex", "y", "p", "s", "branch", "x"]
    return pl.DataFrame(rows, names, orient="row")


@pytest.mark.extras
@pytest.mark.parametrize("sides", [("F", "M"), ("M", "F"), ("F", None), (None, "F"), (None, None)])
def test_every_comparison_with_a_side_without_rows_is_undefined(
    sides: tuple[str | None, str | None],
) -> None:
    names = [name for name, metric in pf.CATALOGUE.items() if metric.has_sides]
    others = [name for name in pf.CATALOGUE if name not in names]
    question: dict[str, Any] = {**ONE_SIDED, "disfavored": sides[0], "favored": sides[1]}
    question |= {
        "observed": pl.col("x").alias("o") * 2,
        "estimated": (pl.col("x") + pl.col("s")).alias("e"),
    }
    answer = pf.metrics(windows_with_one_side(), *names, *others, **question)
    assert answer["window"].to_list() == ["both", "only F", "only M"]
    both, *one_sided = answer.rows(named=True)
    # A test over strata needs strata that differ, and a quotient of rates a rate above 0.
    assert sum(both[name] is not None for name in names) > len(names) - 5
    for row in one_sided:
        # Without d there is no comparison with a named side a.
        assert row["disfavored"] is None or 0 in (row["n_disfavored"], row["n_favored"])
        assert {name: row[name] for name in names if row[name] is not None} == {}
        assert row["accuracy"] == row["selection_rate"] == 0.5


@pytest.mark.extras
def test_a_side_without_rows_has_no_bounds_no_p_value_and_no_change() -> None:
    """The shares of a side that is all rows are 1: `ddpl` would be 0, and better than before."""
    question: dict[str, Any] = {**ONE_SIDED, "disfavored": "F", "favored": "M"}
    question |= {"p_values": "exact", "replicates": 20, "baseline": "first"}
    bands = {"ddpl": (-0.1, 0.1), "cddpl": (-0.1, 0.1)}
    # Of the rejected in the first window, nine of ten are women.
    both = pl.col("window") == "both"
    skewed = windows_with_one_side().with_columns(
        p=pl.when(both).then(pl.col("sex") == "M").otherwise(pl.col("p") == 1)
    )
    answer = shared(pf.audit, skewed, "ddpl", "cddpl", bands=bands, **question).filter(
        pl.col("window") != "both"
    )
    nulls = answer.select("value", "lower", "upper", "p_value", "difference", "change").rows()
    assert nulls == [(None,) * 6] * 4
    assert answer["verdict"].to_list() == ["undefined"] * 4


def test_with_a_value_for_0_over_0_a_side_without_rows_has_the_value_of_the_formula() -> None:
    """By Clarify's formula, CI is 1 without d and -1 without a."""
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "label": "y", "by": "window"}
    answer = pf.metrics(windows_with_one_side(), "ci", "ddl", zero_division=0.0, **question)
    assert answer.select("ci", "ddl").rows() == [(0.0, 0.0), (-1.0, 0.0), (1.0, 0.0)]


def test_a_stratum_without_a_value_is_left_out_or_counts_as_zero() -> None:
    """North: d is 2 of 3 rejected and 1 of 2 accepted. South: no row is rejected."""
    frame = pl.DataFrame(
        {"sex": list("ddadaadd"), "p": [0, 0, 0, 1, 1, 1, 1, 1], "branch": ["n"] * 5 + ["s"] * 3}
    )
    question: dict[str, Any] = {"facet": "sex", "disfavored": "d", "predicted": "p"}
    question |= {"subgroup": "branch"}
    north, south = 2 / 3 - 1 / 2, 0 - 2 / 3
    got = fairness(frame).cddpl(**question)["cddpl"].item()
    assert got == pytest.approx(north, abs=1e-15)
    got = fairness(frame).cddpl(zero_division=0.0, **question)["cddpl"].item()
    assert got == pytest.approx((5 * north + 3 * south) / 8, abs=1e-15)


def test_sums_over_strata_leave_out_strata_without_variance() -> None:
    frame = pl.DataFrame(
        {
            "sex": ["d", "a", "a", "d", "a", "d", "x"],
            "branch": [1, 1, 2, 2, 3, 4, 5],
            "p": [1, 0, 1, 1, 1, 0, 0],
        }
    )
    defaults: dict[str, Any] = {"facet": "sex", "disfavored": "d", "favored": "a", "predicted": "p"}
    names = ["mh_odds_ratio", "cmh"]

    def sums(frame: pl.DataFrame, **question: Any) -> tuple[float | None, ...]:
        answer = pf.metrics(frame, *names, subgroup="branch", **defaults, **question)
        return answer.select(names).row(0)

    # Branch 1: 1·1/2 over 0; A − E = 0 − 1·1/2, V = 1·1·1·1 / (4·1). The others add nothing: all
    # are accepted, or there is one person, or no row on either side.
    assert sums(frame) == (INF, -1.0)
    assert sums(frame.filter(pl.col("branch") > 1)) == (None, None)
    assert sums(frame.filter(pl.col("branch") > 1), zero_division=0.5) == (0.5, 0.5)


@pytest.mark.parametrize("alpha", [-1, 0, 0.5, 1, 2, 3])
def test_generalised_entropy_of_any_order_follows_the_formula(alpha: float) -> None:
    question: dict[str, Any] = {"label": "y", "predicted": "p", "count": "n"}
    some = confusion(all=(4, 3, 0, 2))
    benefits = [1] * 6 + [2] * 3
    mean = sum(benefits) / len(benefits)
    shares = [b / mean for b in benefits]
    if alpha == 0:
        expected = -sum(math.log(s) for s in shares) / 9
    elif alpha == 1:
        expected = sum(s * math.log(s) for s in shares) / 9
    else:
        expected = sum(s**alpha - 1 for s in shares) / 9 / (alpha * (alpha - 1))
    got = fairness(some).ge(alpha=alpha, **question)["ge"].item()
    assert got == pytest.approx(expected, abs=1e-15)
    with_losers = confusion(all=(4, 3, 1, 2))
    got = fairness(with_losers).ge(alpha=alpha, **question)["ge"].item()
    assert (got is None) == (alpha <= 0)
