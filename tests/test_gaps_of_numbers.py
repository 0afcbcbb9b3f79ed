"""Gaps of numbers over groups: their intervals by hand, and how often they hold."""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from tests.frames import shared
from tests.reference.moments import score_limits

QUESTION: dict[str, Any] = {"facet": "g", "estimated": "price", "observed": "claim"}
NAMES = ["estimate_gap", "mae_gap", "rmse_gap", "worst_mse", "explained_by_group"]
GROUPS = 40


def quotes(groups: str = "abc", rows: int = 1_200) -> pl.DataFrame:
    """Rows of 40 branches, each with every group, whose means and errors differ."""
    random, number = np.random.default_rng(7), np.arange(rows)
    group, branch = number % len(groups), number // len(groups) % GROUPS
    price = random.normal(5 + group / 2, 1 + group / 4, rows) + np.sin(branch)
    claim = price + random.normal(0, 1 + group / 2, rows)
    return pl.DataFrame(
        {"g": [groups[i] for i in group], "price": price, "claim": claim, "branch": branch}
    ).with_columns(pl.col("branch").cast(pl.UInt8))


def bounds(frame: pl.DataFrame, *names: str, **more: Any) -> dict[str, tuple[float, float]]:
    audit = shared(pf.audit, frame, *names, **{**QUESTION, "cluster": "branch", **more})
    return {row["metric"]: (row["lower"], row["upper"]) for row in audit.iter_rows(named=True)}


@pytest.mark.parametrize("name", ["estimate", "mae", "rmse"])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_gap_of_two_groups_has_the_interval_of_their_difference(name: str, sign: int) -> None:
    frame = quotes("ab").with_columns(pl.col("price", "claim") * sign)
    found = bounds(frame, f"{name}_gap", f"{name}_difference", disfavored="b", favored="a")
    lower, upper = found[f"{name}_difference"]
    folded = (max(0, lower, -upper), max(upper, -lower))
    assert found[f"{name}_gap"] == pytest.approx(folded, rel=1e-3)


def left_out(frame: pl.DataFrame, of: Any) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """A number of each group, and what each branch that is left out by hand moves in it."""
    groups = [part for _, part in frame.group_by("g", maintain_order=True)]
    value = np.array([of(part) for part in groups])
    left = [[of(part.filter(pl.col("branch") != i)) for i in range(GROUPS)] for part in groups]
    return value, (np.array(left) - value[:, np.newaxis]) * sqrt(1 - 1 / GROUPS)


def limits(value: Any, moved: Any, t: float) -> list[np.ndarray[Any, Any]]:
    """The score limits of each group, whose branches count as rows, beside those of all groups."""
    own = np.array([[(each**2).sum(), -(each**3).sum()] for each in moved])
    common = own.mean(axis=0)
    unseen = np.mean(own[:, 1] ** 2 * GROUPS / own[:, 0] ** 3)
    ends = []
    for variance, third in own:
        more = unseen if common[0] > variance else 0.0
        held = GROUPS * np.array([variance, third * GROUPS / (GROUPS + 10)]) + more * common
        v, k = held / (GROUPS + more)
        ends.append(score_limits(v, k, t))
    below, above = np.transpose(ends)
    return [value - below, value, value + above]


def mse(part: pl.DataFrame) -> float:
    return float(((part["price"] - part["claim"]).to_numpy() ** 2).mean())


@pytest.mark.extras
def test_the_gap_of_three_groups_has_limits_that_hold_together() -> None:
    from scipy.stats import t

    value, moved = left_out(frame := quotes(), mse)
    of_all = 3.4455 / sqrt(2)  # the studentized range of three groups and 39 degrees of freedom
    low, middle, high = map(np.sqrt, limits(value, moved, of_all))
    together = np.corrcoef(moved)
    ends = []
    for one, other in [*combinations(range(3), 2), *combinations((2, 1, 0), 2)]:
        down, up = middle[one] - low[one], high[one] - middle[one]
        x, y = middle[other] - low[other], high[other] - middle[other]
        apart, r = middle[one] - middle[other], together[one, other]
        ends.append(
            (
                apart - sqrt(down**2 + y**2 - 2 * r * down * y),
                apart + sqrt(up**2 + x**2 - 2 * r * up * x),
            )
        )
    lower, upper = np.max(ends, axis=0)
    found = bounds(frame, "rmse_gap", "worst_mse")
    assert found["rmse_gap"] == pytest.approx((max(0, lower), upper), rel=2e-3)
    alone = t.ppf((1 + 0.95 ** (1 / 3)) / 2, GROUPS - 1)
    squares = [each.max() for each in limits(value, moved, alone)]
    assert found["worst_mse"] == pytest.approx((squares[0], squares[2]), rel=2e-3)


@pytest.mark.extras
def test_the_share_explained_is_as_far_as_chance_adds_to_the_distances_of_groups() -> None:
    from scipy.stats import chi2, t

    frame = quotes()
    branches = [frame, *(frame.filter(pl.col("branch") != i) for i in range(GROUPS))]
    apart = []
    for part in branches:
        of_groups = [group["price"].to_numpy() for _, group in part.group_by("g")]
        of_groups.sort(key=lambda each: each.mean())
        within = sum(((each - each.mean()) ** 2).sum() for each in of_groups)
        whole = np.concatenate(of_groups).mean()
        apart.append([sqrt(len(x) / within) * (x.mean() - whole) for x in of_groups])
    moved = (np.array(apart[1:]) - apart[0]) * sqrt(1 - 1 / GROUPS)
    covariance = moved.T @ moved
    freedom = np.trace(covariance) ** 2 / np.trace(covariance @ covariance)
    reach = sqrt(np.trace(covariance) * chi2.ppf(0.95, freedom) / freedom)
    reach *= t.ppf(0.975, GROUPS - 1) / t.ppf(0.975, 1e9)
    length = sqrt(sum(each**2 for each in apart[0]))
    expected = [x**2 / (1 + x**2) for x in (length - reach, length + reach)]
    [found] = bounds(frame, "explained_by_group").values()
    assert found == pytest.approx(expected, rel=5e-3)


def test_intervals_hold_where_groups_are_alike() -> None:
    random, sets, sizes = np.random.default_rng(3), 60, [150, 100, 50]
    rows = sets * 300
    branch = random.integers(0, 40, rows)
    shift = random.normal(0, 0.4, (sets, 40))[np.arange(rows) // 300, branch]
    price = random.normal(5, 1, rows) + shift
    frame = pl.DataFrame(
        {
            "set": np.arange(rows) // 300,
            "g": np.tile(np.repeat(["a", "b", "c"], sizes), sets),
            "branch": branch + 100 * (np.arange(rows) // 300),
            "price": price,
            "claim": price + random.normal(0, 1, rows),
        }
    )
    audit = pf.audit(frame, NAMES, **QUESTION, by="set", cluster="branch").unique(["set", "metric"])
    assert audit["lower"].null_count() == 0
    true = {**dict.fromkeys(NAMES, 0.0), "worst_mse": 1.0}
    expected = pl.col("metric").replace_strict(true)
    holds = expected.is_between(pl.col("lower") - 1e-9, "upper").mean()
    shares = dict(audit.group_by("metric").agg(holds.alias("share")).iter_rows())
    assert min(shares.values()) >= 0.87


def test_a_group_of_few_branches_or_of_equal_numbers_leaves_no_interval() -> None:
    frame = quotes()
    few = frame.filter((pl.col("g") != "c") | (pl.col("branch") < 4))
    alike = frame.with_columns(
        claim=pl.when(g="c").then(pl.col("price") + 1).otherwise("claim"),
    )
    for part, name in ((few, "estimate_gap"), (alike, "mae_gap"), (alike, "rmse_gap")):
        [row] = (
            shared(pf.audit, part, name, **QUESTION, cluster="branch").unique("metric").to_dicts()
        )
        assert (row["lower"], row["upper"]) == (None, None)
        assert "a group has fewer than 5 effective clusters" in row["note"]
        assert "numbers that vary" in row["note"]
