"""Several thresholds beside a prediction that has its own column."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf

ROWS = pl.DataFrame({"g": ["a", "b"] * 4, "y": [1, 0, 0, 1] * 2, "s": [0.1, 0.7, 0.4, 0.9] * 2})


@pytest.mark.parametrize("dtype", [pl.Boolean, pl.Int64, pl.Float64, pl.String])
@pytest.mark.parametrize("function", [pf.audit, pf.metrics, pf.rates, pf.explore])
def test_a_prediction_beside_a_score_is_to_be_left_out(function: Any, dtype: Any) -> None:
    rows = ROWS.with_columns(p=(pl.col("s") > 0.5).cast(pl.Int64).cast(dtype))
    threshold = {} if function is pf.explore else {"threshold": [0.3, 0.5]}
    metrics = () if function is pf.rates else ("di",)
    with pytest.raises(pf.FairnessError, match=r"^threshold: .* predicted= is given too; leave"):
        function(rows, *metrics, facet="g", label="y", score="s", predicted="p", **threshold)
