"""Wilson's intervals beside the rates of a report: expected numbers are worked out by hand."""

from __future__ import annotations

from typing import Any

import polars as pl

import polars_fairness as pf
from polars_fairness.reporting.wilson import bounds_of, with_intervals
from tests.reporting.reports import monthly


def test_wilson_bounds_equal_the_textbook_formula() -> None:
    # 8 of 10, z = 1.95996: (0.8 + 0.19207) / 1.38415 ∓ 1.95996·√(0.016 + 0.0096036) / 1.38415.
    rated = pl.DataFrame({"n": [10, 10, 10, 0], "selection_rate": [0.8, 0.0, 1.0, None]})
    bounds = with_intervals(rated, ["selection_rate"], 0.95)
    lower, upper = (bounds[name] for name in bounds_of("selection_rate"))
    # Of 0 in 10, the upper bound is z²/(n + z²) = 3.84146 / 13.84146; of 10, the lower is 1 − this.
    assert lower.round(4).to_list() == [0.4902, 0.0, 0.7225, None]
    assert upper.round(4).to_list() == [0.9433, 0.2775, 1.0, None]


def test_the_bounds_of_a_true_positive_rate_count_positive_rows() -> None:
    rated = pl.DataFrame({"n": [99], "tp": [8], "fn": [2], "fp": [0], "tn": [89], "tpr": [0.8]})
    assert round(with_intervals(rated, ["tpr"], 0.95)[bounds_of("tpr")[0]].item(), 4) == 0.4902


def test_rates_have_intervals_unless_rows_have_weights() -> None:
    weighted = monthly().with_columns(weight=pl.lit(1.5))
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "hired"}
    plain = pf.report(weighted, "dppl", **question).to_markdown()
    # 1 of 4: z² = 3.84146, n + z² = 7.84146; (1 + 1.92073 ∓ 1.95996·√(0.75 + 0.96036)) / 7.84146.
    assert "25.0 % (4.6 to 69.9 %)" in plain
    text = pf.report(weighted, "dppl", weight="weight", **question).to_markdown()
    assert "25.0 % |" in text
    assert "Rows have weights" in text
    none = pf.report(weighted, "dppl", confidence=None, **question).to_markdown()
    assert "No intervals were requested." in none
