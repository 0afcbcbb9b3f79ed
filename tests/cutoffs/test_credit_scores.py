"""The credit scores of four groups: cut-offs beside plain Python over the published weights.

A loan that is repaid earns 1/6, and one that is not costs 5/6.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any, Final

import pytest

import polars_fairness as pf

QUESTION: Final[dict[str, Any]] = {
    "facet": "race",
    "label": "repaid",
    "score": "score",
    "weight": "weight",
    "maximise": pf.entry("utility", tp=1 / 6, fp=-5 / 6),
}

Point = tuple[float, float, float, float]
"""A threshold; of the rows it accepts, the weight, the weight of those repaid, and the profit."""


@cache
def weights() -> dict[str, dict[float, tuple[float, float]]]:
    """The weight of loans that are repaid, and are not, at each score of each group."""
    found: dict[str, dict[float, tuple[float, float]]] = {}
    for race, score, repaid, weight in pf.datasets.fico().iter_rows():
        of_group = found.setdefault(race, {})
        good, bad = of_group.get(score, (0.0, 0.0))
        of_group[score] = (good + weight, bad) if repaid else (good, bad + weight)
    return found


@cache
def points(race: str) -> list[Point]:
    of_group = weights()[race]
    found = [(float("inf"), 0.0, 0.0, 0.0)]
    for score in sorted(of_group, reverse=True):
        good, bad = of_group[score]
        _, accepted, repaid, profit = found[-1]
        more = (accepted + good + bad, repaid + good, profit + good / 6 - bad * 5 / 6)
        found.append((score, *more))
    return found


def size(race: str) -> float:
    return points(race)[-1][1]


def highest_profit(race: str, rate: float) -> float:
    """The most that any mixture of two thresholds earns if this share of the group is accepted."""
    accepted = rate * size(race)
    below = [point for point in points(race) if point[1] <= accepted]
    above = [point for point in points(race) if point[1] > accepted]
    mixed = (
        low[3] + (high[3] - low[3]) * (accepted - low[1]) / (high[1] - low[1])
        for low in below
        for high in above
    )
    return max(mixed, default=points(race)[-1][3])


def test_the_common_cutoff_of_highest_profit() -> None:
    thresholds = sorted({score for of_group in weights().values() for score in of_group})
    profits = {
        threshold: sum(
            good / 6 - bad * 5 / 6
            for of_group in weights().values()
            for score, (good, bad) in of_group.items()
            if score >= threshold
        )
        for threshold in thresholds
    }
    answer = pf.choose(pf.datasets.fico(), **QUESTION)
    assert answer["threshold"].to_list() == thresholds
    total = sum(map(size, weights()))
    expected = [profit / total for profit in profits.values()]
    assert answer["utility"].to_list() == pytest.approx(expected)
    [chosen] = answer.filter("is_chosen")["threshold"]
    assert chosen == max(thresholds, key=profits.__getitem__)


def test_the_cutoffs_of_highest_profit_by_group() -> None:
    answer = pf.cutoffs_by_group(pf.datasets.fico(), **QUESTION)
    best = {race: max(points(race), key=lambda point: point[3]) for race in weights()}
    assert dict(answer.filter(facet="race").select("value", "threshold_0").iter_rows()) == {
        race: point[0] for race, point in best.items()
    }
    profits = [point[3] for point in best.values()]
    of_groups = [profit / size(race) for profit, race in zip(profits, best, strict=True)]
    of_all = sum(profits) / sum(map(size, best))
    assert answer["utility"].to_list() == pytest.approx([*of_groups, of_all])


def test_the_cutoffs_of_highest_profit_at_equal_selection_rates() -> None:
    """The profit is concave in the rate: a rate better than those around it is the best."""
    answer = pf.cutoffs_by_group(pf.datasets.fico(), equal="selection_rate", **QUESTION)
    found = answer["selection_rate"][-1]
    assert answer["selection_rate"].to_list() == pytest.approx([found] * 5)

    def profit(rate: float) -> float:
        return sum(highest_profit(race, rate) for race in weights()) / sum(map(size, weights()))

    assert answer["utility"][-1] == pytest.approx(profit(found))
    assert profit(found) > max(profit(found - 0.001), profit(found + 0.001))
    for row in answer.filter(facet="race").rows(named=True):
        shares = {row["threshold_0"]: row["share_0"], row["threshold_1"]: row["share_1"]}
        accepted = sum(shares.get(point[0], 0) * point[1] for point in points(row["value"]))
        assert accepted / size(row["value"]) == pytest.approx(found)


def test_equal_odds_are_those_of_the_lowest_hull() -> None:
    """No group reaches a higher true positive rate, at the false positive rate of all, than the
    lowest of the highest."""
    answer = pf.cutoffs_by_group(pf.datasets.fico(), equal="equalized_odds", **QUESTION)
    tpr, fpr = answer.select("tpr", "fpr").row(-1)
    for rate, name in ((tpr, "tpr"), (fpr, "fpr")):
        assert answer[name].to_list() == pytest.approx([rate] * 5)
    reached = {race: highest_tpr(race, fpr) for race in weights()}
    assert tpr == pytest.approx(min(reached.values()))
    at_random = dict(answer.filter(facet="race").select("value", "share_at_random").iter_rows())
    for race, share in at_random.items():
        assert share == pytest.approx((reached[race] - tpr) / (reached[race] - fpr), abs=1e-9)


def highest_tpr(race: str, fpr: float) -> float:
    positive, total = points(race)[-1][2], size(race)
    odds = [
        ((accepted - repaid) / (total - positive), repaid / positive)
        for _, accepted, repaid, _ in points(race)
    ]
    return max(
        y + (v - y) * (fpr - x) / (u - x)
        for (x, y), (u, v) in combinations(odds, 2)
        if x <= fpr < u
    )


def test_the_price_of_equality() -> None:
    """Each further demand costs profit, and one cut-off for all is no better than one for each."""
    scores = pf.datasets.fico()
    [common] = pf.choose(scores, **QUESTION).filter("is_chosen")["utility"]
    apart, equal_tpr, equal_odds = (
        pf.cutoffs_by_group(scores, equal=equal, **QUESTION)["utility"][-1]
        for equal in (None, "tpr", "equalized_odds")
    )
    assert apart > common
    assert apart > equal_tpr > equal_odds


def test_a_grid_of_scores_gives_the_same_cutoffs() -> None:
    """All scores are multiples of a half."""
    scores = pf.datasets.fico()
    fine = pf.cutoffs_by_group(scores, equal="tpr", **QUESTION)
    assert pf.cutoffs_by_group(scores, equal="tpr", resolution=0.5, **QUESTION).equals(fine)
    swept = pf.choose(scores, "di", favored="White", **QUESTION)
    on_grid = pf.choose(scores, "di", favored="White", resolution=0.5, **QUESTION)
    assert swept.filter("is_chosen").equals(on_grid.filter("is_chosen"))
