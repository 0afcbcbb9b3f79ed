"""Weights say how much of the population a row speaks for: in any unit they say the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf

DECIDED: dict[str, Any] = {"predicted": "accepted", "score": "score"}
BY_CUT: dict[str, Any] = {"score": "score"}

QUESTIONS: dict[str, dict[str, Any]] = {
    "all metrics": {**DECIDED, "subgroup": "branch", "observed": "paid", "estimated": "expected"},
    "over clusters": {**DECIDED, "cluster": "officer", "observed": "paid"},
    "the best": {**BY_CUT, "threshold": pf.best(0.2)},
    "models": {"predicted": {"old": "score", "new": "other"}, "threshold": 0.5, "champion": "old"},
    "sides that the data chose": {"predicted": "accepted", "favored": pf.HIGHEST},
}


def people(rows: int = 160) -> pl.DataFrame:
    draw = np.random.default_rng(4)
    score, other = draw.random((2, rows)).round(2)
    return pl.DataFrame(
        {
            "group": draw.choice(["d", "a", "b"], rows),
            "branch": draw.choice(["north", "south"], rows),
            "officer": draw.integers(0, 30, rows),
            "score": score,
            "other": other,
            "accepted": score > 0.4,
            "repaid": draw.random(rows) < score,
            "paid": draw.exponential(50, rows).round(1),
            "expected": draw.exponential(50, rows).round(1),
            "weight": draw.lognormal(0, 0.7, rows),
        }
    )


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_unit_of_weights_changes_no_value_interval_and_verdict(name: str) -> None:
    """Where a count's last digit decided how it was drawn, limits moved by 1 to 8 %."""
    question: dict[str, Any] = {
        "label": "repaid",
        "weight": "weight",
        "replicates": 10,
    } | QUESTIONS[name]
    question |= {"facet": "group"} | ({} if "favored" in question else {"disfavored": "d"})
    before = pf.audit(people(), **question)
    assert len({*before["metric"]}) > 40
    sizes = [column for column in before.columns if column.startswith("n_")]
    after = pf.audit(people().with_columns(pl.col("weight") * 0.007), **question)
    for column in before.drop(sizes).columns:
        one, other = before[column], after[column]
        if one.dtype.is_float():
            was, is_now = (each.fill_null(9e9).to_numpy() for each in (one, other))
            np.testing.assert_allclose(is_now, was, rtol=1e-9, atol=1e-11, err_msg=column)
        else:
            assert other.equals(one, null_equal=True), column
