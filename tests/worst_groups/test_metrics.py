"""Metrics whose groups `worst_groups` ranks."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.terms import Each, across, all_, g
from tests.frames import shared
from tests.strategies import JOINTLY, examples, people_of_many_groups
from tests.worst_groups.people import PEOPLE, QUESTION

# Groups by score have tests of their own.
TAKEN_APART = [
    name
    for name, metric in pf.CATALOGUE.items()
    if metric.parsed.each and "score" not in metric.needs and not metric.is_about_numbers
]


@given(
    people_of_many_groups(),
    st.sampled_from(TAKEN_APART),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, 3]),
)
@examples(80)
def test_the_top_row_is_the_metric(
    frame: pl.DataFrame, name: str, depth: int | None, least: int | None
) -> None:
    of: dict[str, Any] = {"depth": depth, "minimum_count": least}
    ranked = shared(pf.worst_groups, frame, name, harm="both", **of, **JOINTLY)["weighted_gap"]
    metric = getattr(pf.of(frame, **JOINTLY), name)(groups="conjunctions", **of)[name].to_list()
    if ranked.count() > 1:
        assert metric == [pytest.approx(ranked[0], abs=1e-12)]
    else:
        # One group is compared with nothing.
        assert metric in ([], [None])


def test_a_user_share_is_of_its_window() -> None:
    each = Each("selection_rate", g.n / g.n.max(), (g.selection_rate - all_.selection_rate).abs())
    metric = pf.Metric(
        name="own", title="", formula=across((each.share * each.distance).max(), each=each)
    )
    frame = PEOPLE.with_columns(month=pl.Series([1] * 12 + [2] * 8))
    answer = pf.worst_groups(frame, metric, by="month", **QUESTION)
    for month in (1, 2):
        alone = pf.worst_groups(frame.filter(month=month), metric, **QUESTION)
        assert_frame_equal(answer.filter(month=month).drop("month"), alone)
