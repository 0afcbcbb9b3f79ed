"""The best cut-offs of groups from their counts by score, beside trying all of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import inf
from random import Random

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polars_fairness.answers.cutoffs_by_group import (
    ACCEPTED,
    FALSE_POSITIVES,
    TRUE_POSITIVES,
    Cutoff,
    Group,
    Point,
    Quantity,
    best_apart,
    best_at_equal_odds,
    best_at_equal_rate,
    between,
    expected,
    hull,
    points_of,
)
from tests.cutoffs import brute_force
from tests.cutoffs.brute_force import Steps

SHARES = {
    ACCEPTED: lambda tp, fp: tp + fp,
    TRUE_POSITIVES: lambda tp, _: tp,
    FALSE_POSITIVES: lambda _, fp: fp,
}

step = st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(any)
both_labels = st.lists(step, min_size=1, max_size=5).filter(
    lambda steps: all(any(each[label] for each in steps) for label in (0, 1))
)
several = st.lists(both_labels, min_size=1, max_size=3)
worths = st.tuples(st.integers(-3, 3), st.integers(-3, 3))


def group(steps: Sequence[tuple[float, float]]) -> Group:
    """A group whose scores are 100, 99, and so on."""
    rows = [Point(100.0 - i, tp, fp) for i, (tp, fp) in enumerate(steps)]
    return Group(
        points_of(pl.DataFrame(rows, dict.fromkeys(Point._fields, pl.Float64), orient="row"))
    )


def worth_of(cutoffs: list[Cutoff], groups: list[Group], worth: tuple[int, int]) -> float:
    return sum(
        cutoff.expected(Quantity(*worth), each)
        for cutoff, each in zip(cutoffs, groups, strict=True)
    )


def rates(cutoffs: list[Cutoff], groups: list[Group], share: Quantity) -> list[float]:
    return [
        cutoff.expected(share, each) / each.total(share)
        for cutoff, each in zip(cutoffs, groups, strict=True)
        if each.total(share)
    ]


def thresholds(cutoffs: list[Cutoff]) -> list[list[tuple[float, float]]]:
    return [[(point.threshold, share) for point, share in each.mixture] for each in cutoffs]


@given(several, worths)
def test_a_group_by_itself_has_its_best_threshold(
    groups: list[Steps], worth: tuple[int, int]
) -> None:
    made = [group(steps) for steps in groups]
    found = best_apart(made, Quantity(*worth))
    for cutoff, each, steps in zip(found, made, groups, strict=True):
        values = [y for _, y in brute_force.points(steps, SHARES[ACCEPTED], worth)]
        assert cutoff.expected(Quantity(*worth), each) == pytest.approx(max(values))
        lowest = max(place for place, value in enumerate(values) if value == max(values))
        assert thresholds([cutoff]) == [[([inf, 100, 99, 98, 97, 96][lowest], 1)]]


@pytest.mark.parametrize("share", SHARES, ids=("selection rate", "tpr", "fpr"))
@given(several, worths)
def test_equal_rates_are_equal_and_the_best(
    share: Quantity, groups: list[Steps], worth: tuple[int, int]
) -> None:
    made = [group(steps) for steps in groups]
    found = best_at_equal_rate(made, Quantity(*worth), share)
    assert rates(found, made, share) == pytest.approx([rates(found, made, share)[0]] * len(made))
    best = brute_force.best_at_equal_rate(
        brute_force.points(steps, SHARES[share], worth) for steps in groups
    )
    assert worth_of(found, made, worth) == pytest.approx(float(best))


@given(several, worths.filter(lambda worth: worth[0] >= 0))
def test_equal_odds_are_equal_and_the_best(groups: list[Steps], worth: tuple[int, int]) -> None:
    made = [group(steps) for steps in groups]
    found = best_at_equal_odds(made, Quantity(*worth))
    for share in (TRUE_POSITIVES, FALSE_POSITIVES):
        equal = rates(found, made, share)
        assert equal == pytest.approx([equal[0]] * len(made))
    best = brute_force.best_at_equal_odds(groups, worth)
    assert worth_of(found, made, worth) == pytest.approx(float(best))
    for cutoff in found:
        assert 0 <= cutoff.share_at_random <= 1
        assert 0 <= cutoff.rate_at_random <= 1
        assert sum(share for _, share in cutoff.mixture) == pytest.approx(1)
        assert all(0 < share <= 1 for _, share in cutoff.mixture)


@given(both_labels)
def test_a_hull_has_no_point_that_a_mixture_of_others_reaches(steps: Steps) -> None:
    corners = hull(group(steps).points, FALSE_POSITIVES, TRUE_POSITIVES)
    curve = brute_force.points(steps, SHARES[FALSE_POSITIVES], (1, 0))
    negative = sum(fp for _, fp in steps)
    reached = [(Fraction(int(point.fp), negative), Fraction(int(point.tp))) for point in corners]
    for corner in reached:
        others = [point for point in curve if point != corner]
        if others and min(others)[0] <= corner[0] <= max(others)[0]:
            assert brute_force.highest(others, corner[0]) < corner[1]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("across", SHARES, ids=("selection rate", "tpr", "fpr"))
@pytest.mark.parametrize("up", [TRUE_POSITIVES, Quantity(1, -1), Quantity(-2, 1), Quantity(0, -1)])
def test_no_point_of_a_long_curve_lies_above_its_hull(
    seed: int, across: Quantity, up: Quantity
) -> None:
    draw = Random(seed)
    steps = [(draw.randint(0, 2 + i // 60), draw.randint(0, 12 - i // 60)) for i in range(600)]
    made = group([each for each in steps if any(each)])
    corners = hull(made.points, across, up)
    for row in made.points.iter_rows():
        at_corner = between(corners, across, across.value_at(Point(*row)))
        assert expected(at_corner, up) >= up.value_at(Point(*row)) - 1e-6
    edges = [
        (across.value_at(end) - across.value_at(start), up.value_at(end) - up.value_at(start))
        for start, end in pairwise(corners)
    ]
    assert {*corners} <= {Point(*row) for row in made.points.iter_rows()}
    assert all(run > 0 for run, _ in edges)
    slopes = [rise / run for run, rise in edges]
    assert slopes == sorted({*slopes}, reverse=True)


def test_where_three_hulls_cross_twice_between_corners() -> None:
    """At an fpr of x below 1/2 the hulls are .6 + .4x, 2x and .3 + 1.04x. The last lies below the
    crossing of the others; it crosses them where 2x = .3 + 1.04x and .3 + 1.04x = .6 + .4x."""
    groups = [
        group([(6, 0), (4, 10)]),
        group([(10, 5), (0, 5)]),
        group([(15, 0), (26, 5), (9, 5)]),
    ]
    for cost, fpr, tpr in ((3, 0.3125, 0.625), (2, 0.46875, 0.7875)):
        cutoffs = best_at_equal_odds(groups, Quantity(1, -cost))
        assert rates(cutoffs, groups, FALSE_POSITIVES) == pytest.approx([fpr] * 3)
        assert rates(cutoffs, groups, TRUE_POSITIVES) == pytest.approx([tpr] * 3)


def test_points_above_each_other_are_on_the_hull_where_they_are_highest() -> None:
    """The first and the last rows change the number of right decisions, at the same tpr."""
    points = group([(0, 1), (2, 0), (0, 1)]).points
    corners = hull(points, TRUE_POSITIVES, Quantity(1, -1))
    assert [point.threshold for point in corners] == [inf, 99]
    corners = hull(points, TRUE_POSITIVES, Quantity(1, 1))
    assert [point.threshold for point in corners] == [100, 98]


def test_a_group_without_a_rate_has_its_own_best_threshold() -> None:
    a, no_positives = group([(2, 1), (1, 4)]), group([(0, 2), (0, 1)])
    cutoffs = best_at_equal_rate([a, no_positives], Quantity(1, -1), TRUE_POSITIVES)
    assert thresholds(cutoffs) == [[(100, 1)], [(inf, 1)]]


def test_groups_of_one_label_have_the_rate_that_they_can_have() -> None:
    both, negatives, positives = group([(3, 1), (1, 3)]), group([(0, 4)]), group([(4, 0)])
    cutoffs = best_at_equal_odds([both, negatives, positives], Quantity(1, -1))
    [fpr, of_negatives] = rates(cutoffs, [both, negatives, positives], FALSE_POSITIVES)
    [tpr, of_positives] = rates(cutoffs, [both, negatives, positives], TRUE_POSITIVES)
    assert (fpr, tpr) == pytest.approx((1 / 4, 3 / 4))
    assert (of_negatives, of_positives) == pytest.approx((fpr, tpr))
