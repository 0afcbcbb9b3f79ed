"""Where nothing changed, a change is seldom found; where something did, it is."""

from __future__ import annotations

from itertools import product
from math import hypot
from typing import Any, Final

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from tests.frames import shared

SETS: Final = 150

# Of 150 unchanged pairs, 7.5 are expected beyond intervals of 95 %, with a deviation of 2.7.
MOST: Final = 15

FIVE: Final = dict.fromkeys("abcde", 0.2)
TWO: Final = {"F": 0.5, "M": 0.5}


def drawn(
    random: np.random.Generator,
    rows: int,
    groups: dict[str, float],
    *rates: float,
    strata: int = 1,
) -> pl.DataFrame:
    """Counts of data sets in which groups, labels and each model's decisions are independent."""
    decisions = [("y", 0.5), *((f"p{i}", rate) for i, rate in enumerate(rates))]
    keys = [*product(groups, range(strata), *([1, 0] for _ in decisions))]
    chances = []
    for group, _, *outcomes in keys:
        chance = groups[str(group)] / strata
        for outcome, (_, rate) in zip(outcomes, decisions, strict=True):
            chance *= rate if outcome else 1 - rate
        chances.append(chance)
    cells = random.multinomial(rows, chances, size=SETS)
    return pl.DataFrame(
        [
            (i, *key, int(n))
            for i in range(SETS)
            for key, n in zip(keys, cells[i], strict=True)
            if n
        ],
        ["set", "g", "stratum", *(name for name, _ in decisions), "n"],
        orient="row",
    )


QUESTION: Final[dict[str, Any]] = {
    "facet": "g",
    "label": "y",
    "predicted": "p0",
    "count": "n",
    "by": "set",
    "replicates": 400,
}


def found(answer: pl.DataFrame) -> dict[str, tuple[int, int]]:
    """For each metric, how many changes were found, and how many differences exclude 0."""
    is_found = pl.col("change").is_in(["worse", "better"]).sum()
    excludes = ((pl.col("difference_lower") > 0) | (pl.col("difference_upper") < 0)).sum()
    assert answer["change"].null_count() == 0
    return {
        name: (a, b) for name, a, b in answer.group_by("metric").agg(is_found, b=excludes).rows()
    }


@pytest.mark.simulation
@pytest.mark.parametrize("times", [pytest.param(1, marks=pytest.mark.nightly), 1_000])
@pytest.mark.parametrize(
    ("groups", "metrics"),
    [
        (TWO, ["dppl", "di", "rd", "four_fifths"]),
        (FIVE, ["selection_rate_gap", "equalized_odds_gap", "spsf", "ge_between"]),
    ],
)
def test_beside_a_baseline(times: int, groups: dict[str, float], metrics: list[str]) -> None:
    """A baseline of a thousand times the rows leaves the noise of the window alone."""
    random = np.random.default_rng(7)
    question = QUESTION | ({"disfavored": "F"} if groups is TWO else {})
    answer = pf.audit(
        drawn(random, 1_000, groups, 0.5),
        metrics,
        baseline=drawn(random, 1_000 * times, groups, 0.5),
        baseline_count="n",
        **question,
    )
    assert all(max(counts) <= MOST for counts in found(answer).values()), found(answer)


@pytest.mark.simulation
@pytest.mark.parametrize(("before", "after", "least"), [(0.05, 0.15, 0.8), (0.0, 0.1, 0.75)])
def test_a_true_change_is_found(before: float, after: float, least: float) -> None:
    random = np.random.default_rng(10)
    rows = {
        difference: pl.DataFrame(
            [
                (i, sex, decision, n)
                for sex, rate in (("F", 0.5 - difference / 2), ("M", 0.5 + difference / 2))
                for i, accepted in enumerate(random.binomial(1_000, rate, size=SETS).tolist())
                for decision, n in ((1, accepted), (0, 1_000 - accepted))
            ],
            ["set", "g", "p0", "n"],
            orient="row",
        )
        for difference in (before, after)
    }
    question = QUESTION | {"label": None, "disfavored": "F"}
    answer = pf.audit(rows[after], "dppl", baseline=rows[before], baseline_count="n", **question)
    assert (answer["change"] == "worse").mean() >= least  # type: ignore[operator]


@pytest.mark.parametrize("metric", ["di", "selection_rate_gap", "tvd", "cddpl", "mh_odds_ratio"])
def test_bounds_of_a_difference_follow_from_those_of_both_values(metric: str) -> None:
    """Zou and Donner 2008: v − r ± √((v − its bound)² + (the other bound − r)²)."""
    random = np.random.default_rng(11)
    one, other = (
        drawn(random, rows, {"F": 0.4, "M": 0.6}, rate, strata=2).filter(set=0)
        for rows, rate in ((500, 0.3), (2_000, 0.6))
    )
    question = QUESTION | {"disfavored": "F", "subgroup": "stratum", "by": None}
    answer = shared(pf.audit, one, metric, baseline=other, baseline_count="n", **question).row(
        0, named=True
    )
    reference = shared(pf.audit, other, metric, **question).row(0, named=True)
    v, low, high = (answer[name] for name in ("value", "lower", "upper"))
    r, low_there, high_there = (reference[name] for name in ("value", "lower", "upper"))
    # A frame beside a baseline is drawn by other random numbers than the baseline alone.
    tolerance = 0.1 if metric in ("di", "tvd") else 1e-9
    assert answer["difference"] == pytest.approx(v - r)
    assert answer["difference_lower"] == pytest.approx(
        v - r - hypot(v - low, high_there - r), rel=tolerance
    )
    assert answer["difference_upper"] == pytest.approx(
        v - r + hypot(high - v, r - low_there), rel=tolerance
    )
