"""Intervals of quantiles: by order statistics, over weights and clusters; how often they hold."""

from __future__ import annotations

from math import exp, inf, log, sqrt
from typing import Any

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.formula.formulas import Formula
from polars_fairness.formula.levels import BY_OBSERVED
from polars_fairness.formula.scores import quantile
from polars_fairness.formula.sides import a_s, d_s

MEDIANS = ("observed_median_difference", "observed_median_ratio")
BY_SEX: dict[str, Any] = {"facet": "sex", "disfavored": "F", "observed": "pay"}


CLUSTERED: tuple[dict[str, Any], ...] = ({}, {"cluster": "firm"})


def staff(size: int = 60, seed: int = 3) -> pl.DataFrame:
    draw = np.random.default_rng(seed)
    sex = np.array(["F", "M", "M"])[np.arange(size) % 3]
    pay = draw.lognormal(np.where(sex == "F", 3.0, 3.1), 0.6).round(2)
    return pl.DataFrame({"sex": sex, "pay": pay, "firm": np.arange(size) // 2 % 15})


def bounds(frame: pl.DataFrame, *names: Any, **question: Any) -> list[tuple[float, float]]:
    answer = pf.audit(frame, *(names or MEDIANS), **{**BY_SEX, **question})
    return answer["lower", "upper"].rows()


@pytest.mark.extras
def test_ranks_are_those_of_the_exact_binomial_distribution() -> None:
    from scipy.stats import binom

    from polars_fairness.inference.order_statistics import ranks

    for rows in (1, 5, 6, 25, 100, 2_500, 1_000_000):
        for at in (0.1, 0.5, 0.9):
            low, high = ranks(rows, at, 0.95)
            assert binom.cdf(low - 1, rows, at) <= 0.025 < binom.cdf(low, rows, at)
            assert binom.sf(high - 1, rows, at) <= 0.025 < binom.sf(high - 2, rows, at)


def test_intervals_by_hand() -> None:
    """Of ten values the second and the ninth hold the median, of twenty the sixth and the 15th."""
    frame = pl.DataFrame(
        {"sex": ["F"] * 10 + ["M"] * 20, "pay": [*range(1, 11), *range(10, 210, 10)]}
    )
    (low, high), (low_ratio, high_ratio) = bounds(frame)
    (d_low, d, d_high), (a_low, a, a_high) = (2, 5.5, 9), (60, 105, 150)
    assert low == pytest.approx(a - d - sqrt((a - a_low) ** 2 + (d_high - d) ** 2))
    assert high == pytest.approx(a - d + sqrt((a_high - a) ** 2 + (d - d_low) ** 2))
    below = sqrt(log(d / d_low) ** 2 + log(a_high / a) ** 2)
    above = sqrt(log(d_high / d) ** 2 + log(a / a_low) ** 2)
    assert (low_ratio, high_ratio) == pytest.approx((d / a * exp(-below), d / a * exp(above)))


def test_the_median_of_one_side_has_limits_of_its_own() -> None:
    """By hand those above; of other formulas of both sides no interval is known, and a note."""
    frame = pl.DataFrame(
        {"sex": ["F"] * 10 + ["M"] * 20, "pay": [*range(1, 11), *range(10, 210, 10)]}
    )
    of_a, of_d = (quantile(side, 0.5) for side in (a_s, d_s))
    medians = {"of_a": of_a, "of_d": of_d, "mean": (of_a + of_d) / 2}
    own = [
        pf.Metric(name, name, Formula(BY_OBSERVED, each, at=0.5)) for name, each in medians.items()
    ]
    assert bounds(frame, *own) == [(60, 150), (2, 9), (None, None)]
    notes = pf.audit(frame, *own, **BY_SEX)["note"].to_list()
    assert notes[:2] == [None, None]
    assert notes[2].startswith("observed: of quantiles")


def test_few_rows_leave_an_interval_open() -> None:
    few = staff(9)
    assert bounds(few) == [(-inf, inf), (0.0, inf)]
    [(low, high)] = bounds(staff(60), pf.entry("observed_quantile_ratio", at=0.95))
    assert (low, high) == (0.0, inf)


def test_a_window_without_rows_of_a_side_has_no_interval() -> None:
    frame = staff(90).with_columns(year=pl.int_range(pl.len()) % 2)
    lacking = frame.filter((pl.col("year") == 1) | (pl.col("sex") == "M"))
    for more in CLUSTERED:
        answer = pf.audit(lacking, *MEDIANS, by="year", **more, **BY_SEX)
        assert answer["lower"].is_null().to_list() == [True, True, False, False]
        assert answer["value"].is_null().to_list() == [True, True, False, False]
    alone = frame.filter(sex="M")
    answer = pf.audit(alone.with_columns(sex=pl.lit("F")), *MEDIANS, facet="sex", observed="pay")
    assert answer["lower"].null_count() == 2


def test_equal_numbers_have_one_point() -> None:
    for more in CLUSTERED:
        assert bounds(staff().with_columns(pay=5.0), **more) == [(0.0, 0.0), (1.0, 1.0)]


def test_counts_repeat_rows_and_units_of_weights_change_nothing() -> None:
    frame = staff()
    whole = bounds(frame)
    assert bounds(frame.group_by("sex", "pay").len("n"), count="n") == whole
    assert bounds(frame.lazy().collect(), weight=pl.lit(0.3).alias("w")) == whole
    uneven = frame.with_columns(w=1 + pl.int_range(pl.len()) % 5)
    same = bounds(uneven.with_columns(w=pl.col("w") * 0.7), weight="w")
    assert np.allclose(bounds(uneven, weight="w"), same)
    # 60 rows of uneven weights know less than 60 equal ones, and twice the same rows more.
    assert np.diff(same[0]) > np.diff(whole[0])
    assert np.diff(bounds(pl.concat([frame, frame]))[0]) < np.diff(whole[0])


def test_clusters_hold_copies_of_rows_together() -> None:
    frame = staff(180).with_columns(person=pl.int_range(pl.len()))
    once = bounds(frame, cluster="person")
    assert bounds(pl.concat([frame] * 4), cluster="person") == once
    # Of firms with rows on both sides, what they have in common cancels.
    alike = frame.with_columns(pay=pl.col("pay") + 20 * (pl.col("firm") % 5))
    of_side = pl.when(sex="F").then(pl.col("firm") + 100).otherwise("firm")
    [together, _], [apart, _] = (bounds(alike, cluster=each) for each in ("firm", of_side))
    assert np.diff(together) < 0.8 * np.diff(apart)
    answer = pf.audit(frame, *MEDIANS, cluster=pl.col("firm") % 4, **BY_SEX)
    assert answer["lower"].null_count() == 2
    assert all("effective clusters, and an interval needs 5" in note for note in answer["note"])


@pytest.mark.parametrize("at", [0.5, 0.8])
def test_intervals_hold_in_about_95_of_100_data_sets(at: float) -> None:
    """A window is a data set: 25 women beside 75 men, of log-normal pay."""
    draw, sets, z = np.random.default_rng(5), 250, {0.5: 0.0, 0.8: 0.8416}[at]
    sex = np.tile(["F", "M", "M", "M"], 25 * sets)
    pay = draw.lognormal(np.where(sex == "F", 3.0, 3.2), np.where(sex == "F", 0.5, 0.8))
    frame = pl.DataFrame({"sex": sex, "pay": pay, "set": np.repeat(np.arange(sets), 100)})
    names = [pf.entry(f"observed_quantile_{kind}", at=at) for kind in ("difference", "ratio")]
    answer = pf.audit(frame, *names, by="set", **BY_SEX)
    of_d, of_a = exp(3.0 + 0.5 * z), exp(3.2 + 0.8 * z)
    for name, truth in zip(names, (of_a - of_d, of_d / of_a), strict=True):
        own = answer.filter(metric=name.name)
        assert 0.93 <= own.select(pl.lit(truth).is_between("lower", "upper").mean()).item() <= 0.99
