"""Wilson's intervals beside the rates of a report: expected numbers are worked out by hand."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.findings import bounds_of, with_intervals
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


QUESTION: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "hired"}


def test_rates_of_rows_and_of_equal_weights_have_the_same_intervals() -> None:
    weighted = monthly().with_columns(weight=pl.lit(1.5))
    plain = pf.report(weighted, "dppl", **QUESTION).to_markdown()
    # 1 of 4: z² = 3.84146, n + z² = 7.84146; (1 + 1.92073 ∓ 1.95996·√(0.75 + 0.96036)) / 7.84146.
    assert "25.0 % (4.6 to 69.9 %)" in plain
    assert (
        "25.0 % (4.6 to 69.9 %)"
        in pf.report(weighted, "dppl", weight="weight", **QUESTION).to_markdown()
    )
    none = pf.report(weighted, "dppl", confidence=None, **QUESTION).to_markdown()
    assert "No intervals were requested." in none


@pytest.mark.parametrize("detail", ["findings", "full"])
def test_weighted_rates_stand_beside_rows_and_have_intervals_of_the_effective_rows(
    detail: Any,
) -> None:
    # Weights of women: 6 in all, 12 in squares, so 6²/12 = 3 effective rows, and 3 of 6 are hired.
    # (0.5·3 + 1.92073 ∓ 1.95996·√(0.25·3 + 0.96036)) / (3 + 3.84146) is 0.125 and 0.875.
    frame = pl.DataFrame(
        {
            "sex": ["F", "F", "F", "F", "M", "M", None, None, None],
            "hired": [0, 0, 0, 1, 1, 0, 1, 1, 0],
            "weight": [1.0, 1.0, 1.0, 3.0, 2.0, 2.0, 0.5, 0.5, 0.5],
        }
    )
    report = pf.report(frame, "dppl", detail=detail, weight="weight", **QUESTION)
    lines = report.to_markdown().splitlines()
    head = next(line for line in lines if "| Weight | Rows |" in line)
    women = next(line for line in lines[lines.index(head) :] if line.startswith("| F |"))
    assert "| 6.0 | 4 | 50.0 % (12.5 to 87.5 %) |" in women
    # Three rows of weight 0.5 are of unknown sex.
    assert any(line.endswith("| Weight, facet unknown | Facet unknown |") for line in lines)
    assert "| sex | 9 | 9 | 0 | 1.5 | 3 |" in lines


def test_rows_of_groups_are_counted_with_their_counts() -> None:
    # Two rows of men stand for 3 and for 2 people.
    frame = pl.DataFrame(
        {
            "sex": ["F", "M", "M"],
            "hired": [1, 1, 0],
            "people": [10, 3, 2],
            "weight": [10.0, 3.0, 4.0],
        }
    )
    report = pf.report(
        frame, "dppl", weight="weight", count="people", detail="full", **QUESTION
    ).to_markdown()
    men = next(line for line in report.splitlines() if line.startswith("| M | sex |"))
    # Each of the 3 has weight 1 and each of the 2 weight 2: 7² / (3 + 8) = 4.4545 effective rows.
    # (3/7·4.4545 + 1.92073 ∓ 1.95996·√(12/49·4.4545 + 0.96036)) / 8.29600 is 0.1233 and 0.8000.
    assert "| 7.0 | 5 | 42.9 % (12.3 to 80.0 %) |" in men
