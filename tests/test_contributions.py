"""The contribution of each stratum to a conditional metric."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.terms import a_i, d_i, stratified, unbounded_ratio
from tests.frames import fairness, shared
from tests.strategies import EVERYTHING, examples, frames


@given(
    frames(least=3),
    st.sampled_from(["cddpl", "cddl"]),
    st.sampled_from([("F", None), ("F", "M"), (None, "M"), (None, None)]),
    st.sampled_from([None, 0.0]),
    st.sampled_from([None, "w"]),
    st.sampled_from([None, "k"]),
)
@examples(60)
def test_contributions_add_up_to_the_metric(
    frame: pl.DataFrame,
    metric: str,
    sides: tuple[str | None, str | None],
    zero_division: float | None,
    weight: str | None,
    by: str | None,
) -> None:
    question: dict[str, Any] = {**EVERYTHING}
    question |= {**dict(zip(("disfavored", "favored"), sides, strict=True))}
    question |= {"zero_division": zero_division, "weight": weight, "by": by}
    parts = shared(pf.decompose, frame, metric, **question)
    comparison = [*([by] if by else []), "facet", "disfavored", "favored"]
    contribution = pl.col("contribution")
    summed = parts.group_by(comparison).agg(
        pl.when(contribution.is_not_null().any()).then(contribution.sum()).alias(metric)
    )
    whole = shared(pf.metrics, frame, metric, **question)
    whole = whole.filter(pl.col("n_disfavored") + pl.col("n_favored") > 0)
    assert_frame_equal(
        summed.select(*comparison, metric),
        whole.select(*comparison, metric),
        check_row_order=False,
        rel_tol=1e-12,
        abs_tol=1e-14,
    )
    assert (parts["value"].is_null() == parts["contribution"].is_null()).all()
    lazy = shared(pf.decompose, frame.lazy(), metric, **question)
    assert lazy.collect_schema() == parts.schema
    if weight is None:
        assert_frame_equal(lazy.collect(), parts)


def test_a_subgroup_without_a_value_adds_nothing() -> None:
    frame = pl.DataFrame(
        {
            "sex": ["F", "F", "M", "F", "M", "X"],
            "branch": [None, None, None, "s", "s", "t"],
            "p": [0, 1, 1, 1, 1, 0],
        }
    )
    question = {"facet": "sex", "disfavored": "F", "favored": "M", "predicted": "p"}
    parts = fairness(frame).decompose("cddpl", subgroup="branch", **question)
    # F are 1 of 1 rejected and 1 of 2 accepted; the branch that has only X is in no comparison.
    assert parts.drop("facet", "disfavored", "favored").rows() == [
        (None, 3, 1.0, 0.5, 0.5, 0.5),
        ("s", 2, None, 0.5, None, None),
    ]
    clarifys = fairness(frame).decompose("cddpl", subgroup="branch", zero_division=0.0, **question)
    columns = clarifys.drop("facet", "disfavored", "favored").to_dict(as_series=False)
    assert columns.pop("contribution") == pytest.approx([0.3, -0.2])
    assert [*zip(*columns.values(), strict=True)] == [
        (None, 3, 1.0, 0.5, 0.5),
        ("s", 2, 0.0, 0.5, -0.5),
    ]


def test_a_user_metric_over_strata_is_taken_apart() -> None:
    odds = pf.Metric(
        "odds",
        "Difference of the odds of rejection",
        stratified(
            unbounded_ratio(d_i.rejected, d_i.accepted)
            - unbounded_ratio(a_i.rejected, a_i.accepted)
        ),
    )
    size = pf.Metric("size", "Mean size of d", stratified(d_i.n))
    precision = pf.Metric("precision", "Difference in precision", stratified(a_i.ppv - d_i.ppv))
    frame = pl.DataFrame({"sex": list("FFMFM"), "p": [0, 1, 1, 0, 0], "s": list("xxxyy")})
    question = {"facet": "sex", "disfavored": "F", "predicted": "p", "subgroup": "s"}
    # In y both odds are infinite, and their difference is undefined.
    parts = fairness(frame).decompose(odds, **question)
    assert parts["value"].to_list() == [1.0, None]
    assert fairness(frame).metrics(odds, **question)["odds"].item() == 1.0
    assert shared(pf.decompose, frame, size, **question).columns[3:] == [
        *("s", "n", "value", "contribution")
    ]
    parts = fairness(frame.with_columns(y=1)).decompose(precision, label="y", **question)
    assert parts.columns[5:7] == ["share_of_rejected", "share_of_accepted"]
