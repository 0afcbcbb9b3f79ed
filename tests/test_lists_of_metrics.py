"""Metrics are named one by one, in lists, or both mixed; the answer is the same."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import fairness, people

QUESTION: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p"}
ACCURACY = pf.CATALOGUE["ad"].named("accuracy")
NAMES: list[Any] = ["di", ACCURACY, "rd", "dppl"]


def mixed(metrics: list[Any]) -> st.SearchStrategy[list[Any]]:
    """The same metrics in the same order, some of them in lists, tuples, and lists of lists."""

    def cut(places: set[int]) -> list[Any]:
        edges = [0, *sorted(places), len(metrics)]
        return [metrics[low:high] for low, high in pairwise(edges)]

    cuts = st.sets(st.integers(1, len(metrics) - 1)).map(cut)
    wrapped = st.sampled_from([tuple, list, lambda part: [tuple(part)], lambda part: [[*part]]])

    def some_in_lists(parts: list[Any], wraps: list[Any]) -> list[Any]:
        return [
            each
            for part, wrap in zip(parts, wraps, strict=False)
            for each in (part if wrap is list else [wrap(part)])
        ]

    return st.builds(some_in_lists, cuts, st.lists(wrapped, min_size=4, max_size=4))


@pytest.mark.parametrize("function", [pf.metrics, pf.audit])
def test_a_list_is_its_names_one_by_one(function: Callable[..., pl.DataFrame]) -> None:
    one_by_one = function(people(), *NAMES, **QUESTION)
    assert_frame_equal(function(people(), NAMES, **QUESTION), one_by_one)
    assert_frame_equal(function(people().lazy(), NAMES, **QUESTION).lazy().collect(), one_by_one)
    method = getattr(fairness(people()), function.__name__)
    assert_frame_equal(method(tuple(NAMES), **QUESTION), one_by_one)


@given(mixed(NAMES))
def test_lists_are_mixed_with_names(metrics: list[Any]) -> None:
    answer = pf.metrics(people(), *metrics, **QUESTION)
    assert answer.columns[-4:] == ["di", "accuracy", "rd", "dppl"]
