"""Facets of few values are counted jointly, and each has the same answer as alone."""

from __future__ import annotations

from typing import Any

import polars as pl
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.strategies import examples, people_of_many_groups

OF_MANY_TYPES: dict[str, pl.Expr] = {
    "number": pl.col("age").cast(pl.Int64),
    "day": pl.date(2026, 1, 1) + pl.duration(days="k"),
    "share": pl.col("w") - 1,
    "known": pl.col("race").is_not_null(),
    "kind": pl.col("race").cast(pl.Categorical),
    "few": pl.col("sex").cast(pl.Enum(["F", "M"])),
    "more": pl.col("race").cast(pl.Enum(["x", "y", "a", "w", "b"])),
    "both": pl.struct("sex", "race"),
    "other": pl.struct("branch", "age"),
}


@given(
    people_of_many_groups(least=1),
    st.sampled_from([{}, {"weight": "w"}, {"count": "k"}, {"weight": "w", "count": "k"}]),
    st.sampled_from([{}, {"by": "branch"}, {"subgroup": "branch"}, {"score": "v"}]),
)
@examples(20)
def test_facets_of_any_type_counted_together_give_what_each_gives_alone(
    frame: pl.DataFrame, weights: dict[str, str], more: dict[str, str]
) -> None:
    frame = frame.with_columns(v=pl.col("w") / 8).with_columns(**OF_MANY_TYPES)
    facets = ["sex", "race", *OF_MANY_TYPES]
    question: dict[str, Any] = {"label": "y", "predicted": "p", **weights, **more}
    together = pf.rates(frame.lazy(), facet=facets, **question)
    each = [pf.rates(frame, facet=facet, **question) for facet in facets]
    everyone = pl.col("value").is_null()
    answer = together.collect()
    for facet, alone in zip(facets, each, strict=True):
        found = answer.filter(pl.col("facet") == facet)
        assert_frame_equal(found, alone.filter(pl.col("facet") == facet), check_exact=True)
    assert_frame_equal(
        answer.filter(pl.col("facet").is_null() & everyone),
        each[0].filter(pl.col("facet").is_null() & everyone),
    )
