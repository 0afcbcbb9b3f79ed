"""Intervals of differences hold the true difference as often as they say."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf

# What golden answers keep; test_false_alarms.py has the quick law.
pytestmark = [pytest.mark.simulation, pytest.mark.nightly]

SETS, ROWS = 400, 600

OLD = {"F": 0.4, "M": 0.55}
NEW = {"F": 0.8, "M": 0.3}
REDRAWN = 0.2


def simulated() -> pl.DataFrame:
    """Data sets in which the new model draws one of five decisions again, by another rate."""
    random = np.random.default_rng(7)
    size = SETS * ROWS
    sex = np.where(random.random(size) < 0.4, "F", "M")
    rates = {
        name: np.where(sex == "F", each["F"], each["M"])
        for name, each in (("old", OLD), ("new", NEW))
    }
    old = random.random(size) < rates["old"]
    again = random.random(size) < REDRAWN
    return pl.DataFrame(
        {
            "set": np.repeat(np.arange(SETS), ROWS),
            "sex": sex,
            "branch": random.integers(0, 2, size),
            "repaid": random.random(size) < 0.5,
            "old": old,
            "new": np.where(again, random.random(size) < rates["new"], old),
        }
    )


def true_differences() -> dict[str, float]:
    """Decisions do not depend on the label or the branch, so each rate is the selection rate."""
    after = {sex: (1 - REDRAWN) * OLD[sex] + REDRAWN * NEW[sex] for sex in "FM"}
    of_rates = (after["M"] - after["F"]) - (OLD["M"] - OLD["F"])
    return {
        "dppl": of_rates,
        "di": after["F"] / after["M"] - OLD["F"] / OLD["M"],
        "rd": of_rates,
        "cddpl": _dpl_of_shares(after) - _dpl_of_shares(OLD),
        "selection_rate_gap": abs(after["M"] - after["F"]) - abs(OLD["M"] - OLD["F"]),
    }


def _dpl_of_shares(rates: dict[str, float]) -> float:
    """The share of F among the rejected less their share among the accepted."""
    shares = {"F": 0.4, "M": 0.6}
    accepted = {sex: share * rates[sex] for sex, share in shares.items()}
    rejected = {sex: share * (1 - rates[sex]) for sex, share in shares.items()}
    return rejected["F"] / sum(rejected.values()) - accepted["F"] / sum(accepted.values())


def of_baseline() -> pl.DataFrame:
    """As many data sets as `simulated`, of other people, decided by the rates of both models."""
    random, size = np.random.default_rng(11), SETS * ROWS
    sex = np.where(random.random(size) < 0.4, "F", "M")
    by_both = {each: (1 - REDRAWN) * OLD[each] + REDRAWN * NEW[each] for each in "FM"}
    chance = np.where(sex == "F", by_both["F"], by_both["M"])
    return pl.DataFrame(
        {
            "set": np.repeat(np.arange(SETS), ROWS),
            "sex": sex,
            "branch": random.integers(0, 2, size),
            "repaid": random.random(size) < 0.5,
            "p": random.random(size) < chance,
        }
    )


@pytest.mark.parametrize("reference", ["champion", "baseline"])
def test_intervals_of_differences_cover_the_true_difference(reference: str) -> None:
    """The standard deviation of a coverage is 1.1 %."""
    truth, both = true_differences(), simulated()
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "label": "repaid"}
    question |= {"subgroup": "branch", "by": "set", "replicates": 500}
    if reference == "champion":
        models = {"old": "old", "new": "new"}
        answer = pf.audit(both, list(truth), predicted=models, champion="old", **question)
        answer = answer.filter(model="new")
    else:
        before = both.select("set", "sex", "branch", "repaid", p="old")
        answer = pf.audit(of_baseline(), list(truth), predicted="p", baseline=before, **question)
    true = pl.col("metric").replace_strict(truth)
    is_held = (pl.col("difference_lower") <= true) & (true <= pl.col("difference_upper"))
    shares = dict(answer.group_by("metric").agg(is_held.mean()).iter_rows())
    assert set(shares) == set(truth)
    assert all(0.925 <= share <= 0.985 for share in shares.values()), shares


def held_and_wide(answer: pl.DataFrame) -> pl.DataFrame:
    """How often 0 is held, and how wide intervals are beside what the difference varies."""
    return answer.group_by("metric").agg(
        held=pl.lit(0).is_between("difference_lower", "difference_upper").mean(),
        wide=(pl.col("difference_upper") - pl.col("difference_lower")).median()
        / (2 * 1.96 * pl.col("difference").std()),
    )


@pytest.mark.parametrize(("small", "large", "switching"), [(30, 3_000, 0.1), (500, 5_000, 0.005)])
def test_intervals_of_a_small_side_are_as_wide_as_its_difference_varies(
    small: int, large: int, switching: float
) -> None:
    """The standard deviation of a coverage is 1.8 %; of the difference itself, a twentieth."""
    sets, decided = 150, [0.5 * (1 - switching), 0.5 * switching]
    random = np.random.default_rng(3)
    rows = [
        (number, sex, both // 2, both in (0, 3), n)
        for sex, size in (("F", small), ("M", large))
        for number, of_set in enumerate(random.multinomial(size, [*decided, *decided], sets))
        for both, n in zip((3, 2, 0, 1), of_set.tolist(), strict=True)
    ]
    frame = pl.DataFrame(rows, ["set", "sex", "old", "is_alike", "n"], orient="row").select(
        "set", "sex", "old", "n", new=(pl.col("old") == 1) == pl.col("is_alike")
    )
    answer = pf.audit(
        frame.cast({"old": pl.Boolean}).filter(pl.col("n") > 0),
        "dppl",
        "di",
        facet="sex",
        disfavored="F",
        predicted={"old": "old", "new": "new"},
        champion="old",
        by="set",
        count="n",
    ).filter(model="new")
    found = held_and_wide(answer)
    assert found["held"].is_between(0.915, 1).all(), found
    assert found["wide"].is_between(0.85, 1.45).all(), found


def test_intervals_of_numbers_beside_a_champion_are_paired_over_clusters() -> None:
    """Recovered from both models' own intervals they were 7 to 11 times as wide as what varies."""
    sets, clusters, size = 80, 30, 20
    random = np.random.default_rng(1)
    cluster = np.repeat(np.arange(sets * clusters), size)
    shared = np.repeat(random.normal(0, 0.4, sets * clusters), size)
    noise = random.normal(0, (0.8, 0.3, 0.1), (len(cluster), 3))
    observed, old, new = np.exp(np.cumsum(noise, axis=1) + shared[:, np.newaxis]).T
    frame = pl.DataFrame({"set": cluster // clusters, "cluster": cluster, "observed": observed})
    answer = pf.audit(
        frame.with_columns(
            old=old, new=new, sex=np.where(random.random(len(cluster)) < 0.3, "F", "M")
        ),
        "rmse_difference",
        "mae_difference",
        "correlation_difference",
        facet="sex",
        disfavored="F",
        observed="observed",
        estimated={"old": "old", "new": "new"},
        champion="old",
        by="set",
        cluster="cluster",
    ).filter(model="new")
    found = held_and_wide(answer)
    assert found["held"].is_between(0.91, 1).all(), found
    assert found["wide"].is_between(0.65, 1.4).all(), found
