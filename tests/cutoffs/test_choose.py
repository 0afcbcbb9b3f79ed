"""`choose`: thresholds beside each other, and the best of those within the bands."""

from __future__ import annotations

from functools import partial
from math import inf, log
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from tests.frames import shared
from tests.strategies import examples

QUESTION: dict[str, Any] = {"facet": "sex", "label": "y", "score": "s"}

# Accepted from 2: F 1 of 2, M 2 of 2. From 3: F 1 of 2, M 1 of 2.
ROWS = pl.DataFrame(
    {"sex": ["F", "F", "M", "M"], "s": [1, 3, 2, 3], "y": [False, True, True, True]}
)


def rows(answer: pl.DataFrame, *names: str) -> list[tuple[Any, ...]]:
    return answer.select("threshold", *names).rows()


def test_a_rounding_error_beyond_the_band_is_within_as_in_an_audit() -> None:
    """4 of 10 less 3 of 10 is above 0.1 as a float."""
    people = pl.DataFrame(
        {"sex": ["F"] * 10 + ["M"] * 10, "s": [1] * 3 + [0] * 7 + [1] * 4 + [0] * 6}
    ).with_columns(y=pl.col("s") == 1)
    question = QUESTION | {"disfavored": "F", "bands": {"dppl": (-0.1, 0.1)}}
    [within] = pf.choose(people, "dppl", threshold=[1], **question)["is_within"]
    [verdict] = shared(pf.audit, people, "dppl", threshold=[1], rule="point", **question)["verdict"]
    assert (within, verdict) == (True, "within")


def test_an_undefined_value_to_maximise_is_never_chosen() -> None:
    answer = shared(pf.choose, ROWS.with_columns(y=False), "di", maximise="tpr", **QUESTION)
    assert answer["tpr"].to_list() == [None] * 3
    assert answer["is_within"].to_list() == [True, False, True]
    assert answer["is_on_frontier"].to_list() == [None] * 3
    assert answer["is_chosen"].to_list() == [False] * 3


def test_ties_go_to_less_disparity_then_to_the_lowest_threshold() -> None:
    """From 1 on, all are accepted; from 2, F 1 of 2 and M 2 of 2; from 3, one of each."""
    frame = pl.DataFrame({"sex": ["F", "F", "M", "M"], "s": [1, 3, 2, 3], "y": [0, 1, 0, 1]})
    worthless = pf.entry("utility", tp=0, fp=0)
    answer = pf.choose(
        frame,
        "dppl",
        maximise=worthless,
        threshold=[2, 3, 2.5],
        bands={"dppl": (-1, 1)},
        **QUESTION,
    )
    assert rows(answer, "dppl", "is_chosen") == [(2, 0.5, False), (2.5, 0, True), (3, 0, False)]


@pytest.mark.parametrize("worth", [1, 1e9, 1e-9])
def test_values_that_only_rounding_distinguishes_are_ties(worth: float) -> None:
    """The rejected rows of label False weigh 0.1 + 0.2, a little more than 0.3 in floats."""
    frame = pl.DataFrame({"s": [1, 2, 2], "y": [True, False, False], "w": [0.3, 0.1, 0.2]})
    right = pf.entry("utility", tp=worth, fp=0, tn=worth)
    question: dict[str, Any] = {"label": "y", "score": "s", "weight": "w", "threshold": [1, 3]}
    answer = pf.choose(frame, maximise=right, **question)
    assert answer["utility"][0] < answer["utility"][1]
    assert rows(answer, "is_on_frontier", "is_chosen") == [(1, True, True), (3, True, False)]


scored = st.lists(
    st.tuples(
        st.sampled_from(["F", "M", "X", None]),
        st.integers(0, 4),
        st.booleans(),
        st.integers(1, 16).map(lambda eighths: eighths / 8),
        st.integers(1, 3),
    ),
    min_size=1,
    max_size=25,
).map(lambda drawn: pl.DataFrame(drawn, schema=["sex", "s", "y", "w", "k"], orient="row"))


def dominated(one: tuple[float, ...], others: list[tuple[float, ...]]) -> bool:
    """Whether another has nothing worse and something better: more first, less after it."""
    return any(
        other[0] >= one[0]
        and all(theirs <= own for theirs, own in zip(other[1:], one[1:], strict=True))
        and other != one
        for other in others
    )


def distance(name: str, value: float) -> float:
    if name != "di":
        return abs(value)
    return abs(log(value)) if 0 < value < inf else inf


@examples(20)
@given(scored, st.sampled_from([None, "w"]), st.sampled_from([None, "k"]))
def test_choices_are_those_of_the_metrics_one_by_one(
    frame: pl.DataFrame, weight: str | None, count: str | None
) -> None:
    """By trying all thresholds, from the answers of `metrics` and `rates`."""
    question = QUESTION | {"weight": weight, "count": count}
    answer = shared(pf.choose, frame, "di", "dppl", **question)
    points: dict[float, tuple[float, ...]] = {}
    within = []
    for threshold in sorted(frame["s"].unique()):
        at = question | {"threshold": threshold}
        values = shared(pf.metrics, frame, "di", "dppl", **at)
        [accuracy] = pf.rates(frame, **at).filter(facet="(all)")["accuracy"]
        row = answer.row(by_predicate=pl.col("threshold") == threshold, named=True)
        assert row["accuracy"] == pytest.approx(accuracy)
        if None in (*values["di"], *values["dppl"]):
            assert (row["is_within"], row["is_on_frontier"], row["is_chosen"]) == (
                None,
                None,
                False,
            )
            continue
        worst = {name: max(map(partial(distance, name), values[name])) for name in ("di", "dppl")}
        for name, disparity in worst.items():
            assert distance(name, row[name]) == pytest.approx(disparity)
        is_within = all(0.8 <= value <= 1.25 for value in values["di"]) and all(
            -0.1 <= value <= 0.1 for value in values["dppl"]
        )
        assert row["is_within"] is is_within
        points[threshold] = tuple(round(each, 9) for each in (accuracy, *worst.values()))
        if is_within:
            within.append(threshold)
    on_frontier = [t for t, point in points.items() if not dominated(point, [*points.values()])]
    assert answer.filter("is_on_frontier")["threshold"].to_list() == on_frontier
    ranked = sorted(within, key=lambda t: (-points[t][0], *points[t][1:], t))
    assert answer.filter("is_chosen")["threshold"].to_list() == ranked[:1]
