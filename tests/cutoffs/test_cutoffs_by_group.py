"""`cutoffs_by_group`: what a score could achieve with a cut-off for each group."""

from __future__ import annotations

from itertools import accumulate
from math import inf
from random import Random
from typing import Any, get_args

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from polars_fairness.question.audit_arguments import Equal
from polars_fairness.terms import g, population
from tests.cutoffs import brute_force
from tests.strategies import examples

QUESTION: dict[str, Any] = {"facet": "group", "label": "y", "score": "s"}

EQUAL = (None, *get_args(Equal))


def frame(**groups: brute_force.Steps) -> pl.DataFrame:
    """Counts of positive and negative labels of each group at the scores 9, 8, and so on."""
    rows = [
        (group, 9 - place, y, n)
        for group, steps in groups.items()
        for place, kinds in enumerate(steps)
        for y, n in zip((True, False), kinds, strict=True)
    ]
    return pl.DataFrame(rows, schema=["group", "s", "y", "n"], orient="row").filter(pl.col("n") > 0)


# The true positive rates of A are 1/2 at 9 and 1 at 8; those of B 1/4, 3/4 and 1.
COUNTS = frame(A=[(2, 1), (2, 3)], B=[(1, 0), (2, 2), (1, 2)])
COUNTED = QUESTION | {"count": "n"}


THRESHOLDS = ["threshold_0", "share_0", "threshold_1", "share_1"]


def thresholds(answer: pl.DataFrame) -> list[tuple[Any, ...]]:
    return answer.filter(pl.col("value").is_not_null()).select("value", *THRESHOLDS).rows()


def test_the_last_of_many_groups_may_be_the_first_with_two_thresholds() -> None:
    groups = {f"{i:03}": [(3, 0), (0, 1)] for i in range(150)} | {"last": [(2, 2)]}
    answer = pf.cutoffs_by_group(frame(**groups), equal="selection_rate", **COUNTED)
    assert thresholds(answer)[-2:] == [("149", 9, 1, None, 0), ("last", 9, 0.75, inf, 0.25)]


def test_no_rate_is_above_1() -> None:
    """A accepts its 3 positives at both thresholds; their two shares make a little more than 3."""
    counts = frame(A=[(3, 0), (0, 1)], B=[(5, 1), (1, 4)])
    worth = pf.entry("utility", tp=1, fp=-2.1875)
    answer = pf.cutoffs_by_group(counts, equal="fpr", maximise=worth, **COUNTED)
    assert answer["share_1"][0] == pytest.approx(0.8)
    assert answer["tpr"][0] == 1


@pytest.mark.parametrize(
    ("equal", "accuracy"), [(equal, 2 / 3 if equal == "selection_rate" else 1) for equal in EQUAL]
)
def test_groups_of_one_label_each_have_no_error_rate_in_common(
    equal: Equal | None, accuracy: float
) -> None:
    answer = pf.cutoffs_by_group(frame(A=[(2, 0)], B=[(0, 1)]), equal=equal, **COUNTED)
    assert answer["accuracy"][-1] == pytest.approx(accuracy)


step = st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(any)
several = st.lists(
    st.lists(step, min_size=1, max_size=5).filter(
        lambda steps: all(any(each[label] for each in steps) for label in (0, 1))
    ),
    min_size=1,
    max_size=3,
)


@examples(40)
@given(several, st.sampled_from(EQUAL), st.sampled_from([(1, -1), (1, -5), (3, 2)]), st.randoms())
def test_the_answer_keeps_what_it_says_and_nothing_is_better(
    groups: list[brute_force.Steps], equal: Equal | None, worth: tuple[int, int], random: Random
) -> None:
    """The numbers of an answer, computed again from its thresholds and shares, row by row."""
    counts = frame(**dict(zip("ABC", groups, strict=False))).sample(
        fraction=1, shuffle=True, seed=random.randint(0, 99)
    )
    utility = pf.entry("utility", tp=worth[0], fp=worth[1])
    answer = pf.cutoffs_by_group(counts, equal=equal, maximise=utility, **COUNTED)
    total = 0.0
    for row in answer.filter(facet="group").rows(named=True):
        of_group = counts.filter(group=row["value"])
        accepted = sum(
            row[f"share_{i}"] * (of_group["s"] >= row[f"threshold_{i}"]).cast(pl.Float64)
            for i in (0, 1)
            if row[f"share_{i}"]
        ) + row["share_at_random"] * (row["rate_at_random"] or 0)
        kinds = of_group.with_columns(accepted=pl.col("n") * accepted)
        n, by_label = int(of_group["n"].sum()), {True: 0.0, False: 0.0}
        by_label |= dict(kinds.group_by("y").agg(pl.col("accepted").sum()).rows())
        tp, fp = by_label[True], by_label[False]
        assert row["n"] == n
        assert row["selection_rate"] == pytest.approx((tp + fp) / n)
        assert row["tpr"] == pytest.approx(tp / int(of_group.filter("y")["n"].sum()))
        assert row["fpr"] == pytest.approx(fp / int(of_group.filter(~pl.col("y"))["n"].sum()))
        assert row["utility"] == pytest.approx((worth[0] * tp + worth[1] * fp) / n)
        total += worth[0] * tp + worth[1] * fp
    assert answer["utility"][-1] == pytest.approx(total / int(counts["n"].sum()))
    assert total == pytest.approx(float(best(groups, equal, worth)))


def best(groups: list[brute_force.Steps], equal: Equal | None, worth: tuple[int, int]) -> Any:
    """The most that the rows are worth, by trying everything."""
    if equal == "equalized_odds":
        return brute_force.best_at_equal_odds(groups, worth)
    if equal is None:
        return sum(
            max(accumulate((worth[0] * tp + worth[1] * fp for tp, fp in steps), initial=0))
            for steps in groups
        )
    share = {
        "selection_rate": lambda tp, fp: tp + fp,
        **dict.fromkeys(("tpr", "fnr"), lambda tp, _: tp),
        **dict.fromkeys(("fpr", "tnr"), lambda _, fp: fp),
    }[equal]
    return brute_force.best_at_equal_rate(
        brute_force.points(steps, share, worth) for steps in groups
    )


def test_a_metric_of_ones_own_may_depend_on_the_numbers_of_labels() -> None:
    balanced = pf.Metric("balanced", "Balanced accuracy", population((g.tpr + g.tnr).sum() / 2))
    answer = pf.cutoffs_by_group(COUNTS, maximise=balanced, **COUNTED)
    assert thresholds(answer) == [("A", 9, 1, None, 0), ("B", 8, 1, None, 0)]
    assert answer["balanced"].to_list() == [5 / 8] * 3


@pytest.mark.parametrize("equal", EQUAL)
def test_a_weight_below_the_last_digit_of_a_sum_hides_no_threshold(equal: Equal | None) -> None:
    """At 0.8 every row of weight 1 is right; the row at 0.7 repeats the sums of that threshold."""
    rows = pl.DataFrame(
        {
            "group": ["A"] * 5 + ["B"] * 4,
            "s": [0.9, 0.8, 0.7, 0.3, 0.2, 0.9, 0.8, 0.3, 0.2],
            "y": [1, 1, 1, 0, 0, 1, 1, 0, 0],
            "w": [1.0, 1.0, 1e-18, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        }
    )
    answer = pf.cutoffs_by_group(rows, **QUESTION, weight="w", equal=equal)
    assert answer["accuracy"].to_list() == [1, 1, 1]
