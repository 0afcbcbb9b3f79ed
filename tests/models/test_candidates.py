"""`choose` with several models: candidates beside each other, alone or at several thresholds."""

from __future__ import annotations

from math import ceil
from typing import Any

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from polars_fairness.counting.models import MOST_TOGETHER
from tests.frames import people, shared
from tests.plans import scans_of
from tests.strategies import examples

# Right: a 3 of 4, b 4 of 4, c 2 of 4. Accepted of F and M: a 1 of 2 each, b 1 of 2 and 2 of 2, c
# 2 of 2 each.
ROWS = pl.DataFrame(
    {
        "sex": ["F", "F", "M", "M"],
        "y": [True, False, True, True],
        "a": [True, False, True, False],
        "b": [True, False, True, True],
        "c": [False, True, True, True],
    }
)
QUESTION: dict[str, Any] = {"facet": "sex", "label": "y"}


def test_models_at_several_thresholds_are_one_choice() -> None:
    """At 2 and 3, as in `test_choose`: model "s" is right 4 and 3 times, "t" 2 and 1 times."""
    frame = ROWS.with_columns(s=pl.Series([3, 1, 2, 3]), t=pl.Series([1, 3, 2, 1]))
    answer = pf.choose(frame, "di", predicted={"t": "t", "s": "s"}, threshold=[3, 2], **QUESTION)
    names = ("model", "threshold", "accuracy", "is_on_frontier", "is_chosen")
    assert answer.columns[:2] == ["model", "threshold"]
    assert answer.select(names).rows() == [
        ("s", 2.0, 1.0, True, False),
        ("s", 3.0, 3 / 4, True, True),
        ("t", 2.0, 1 / 4, False, False),
        ("t", 3.0, 0.0, False, False),
    ]


candidates = st.lists(
    st.tuples(st.sampled_from(["F", "M", "X", None]), *[st.booleans()] * 5), min_size=1, max_size=25
)


@examples(30)
@given(candidates)
def test_values_are_those_of_single_calls(drawn: list[tuple[Any, ...]]) -> None:
    frame = pl.DataFrame(
        drawn, {"sex": pl.String, **dict.fromkeys("yabcd", pl.Boolean)}, orient="row"
    )
    names = [*"abcd"]
    answer = pf.choose(
        frame,
        "dppl",
        bands={"dppl": (-0.2, 0.2)},
        predicted={name: name for name in names},
        **QUESTION,
    )
    points = {}
    for name in names:
        values = shared(pf.metrics, frame, "dppl", predicted=name, **QUESTION)["dppl"].to_list()
        [accuracy] = pf.rates(frame, predicted=name, **QUESTION).filter(facet="(all)")["accuracy"]
        row = answer.row(by_predicate=pl.col("model") == name, named=True)
        assert row["accuracy"] == accuracy
        if not values or None in values:
            assert row["is_within"] is None
            continue
        disparity = max(map(abs, values))
        assert abs(row["dppl"]) == disparity
        # 0.6 - 0.8 lies a last digit outside of the band, which it reaches exactly.
        assert row["is_within"] == all(abs(value) <= 0.2 + 1e-12 for value in values)
        points[name] = (round(accuracy, 9), round(disparity, 9), row["is_within"])
    on_frontier = [
        name
        for name, (accuracy, disparity, _) in points.items()
        if not any(
            more >= accuracy and less <= disparity and (more, less) != (accuracy, disparity)
            for more, less, _ in points.values()
        )
    ]
    assert answer.filter("is_on_frontier")["model"].to_list() == on_frontier
    within = [name for name in points if points[name][2]]
    ranked = sorted(within, key=lambda name: (-points[name][0], points[name][1], name))
    assert answer.filter("is_chosen")["model"].to_list() == ranked[:1]


def test_fifty_candidates_are_counted_a_few_at_a_time() -> None:
    """Jointly, the decisions of fifty models would make almost as many cells as there are rows."""
    models = {f"model {i}": f"model {i}" for i in range(50)}
    index = pl.int_range(pl.len())
    frame = people().with_columns(
        (index * index % (3 + i) < 2).alias(name) for i, name in enumerate(models)
    )
    lazy = pf.choose(frame.lazy(), "di", predicted=models, **QUESTION)
    assert scans_of(lazy) == ceil(50 / MOST_TOGETHER)
    answer = lazy.collect()
    assert answer.height == 50
    assert answer["is_chosen"].sum() <= 1
    for name in ("model 0", "model 7", "model 8", "model 49"):
        alone = pf.rates(frame, predicted=name, **QUESTION).filter(facet="(all)")
        row = answer.row(by_predicate=pl.col("model") == name, named=True)
        assert row["accuracy"] == alone["accuracy"].item()
