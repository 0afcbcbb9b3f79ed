"""Wilson's intervals beside the rates of a report: expected numbers are worked out by hand."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import polars as pl

import polars_fairness as pf

QUESTION: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "hired"}


def test_weighted_rates_stand_beside_rows_and_have_intervals_of_the_effective_rows() -> None:
    # Weights of women: 6 in all, 12 in squares, so 6²/12 = 3 effective rows, and 3 of 6 are hired.
    # (0.5·3 + 1.92073 ∓ 1.95996·√(0.25·3 + 0.96036)) / (3 + 3.84146) is 0.125 and 0.875.
    frame = pl.DataFrame(
        {
            "sex": ["F", "F", "F", "F", "M", "M", None, None, None],
            "hired": [0, 0, 0, 1, 1, 0, 1, 1, 0],
            "weight": [1.0, 1.0, 1.0, 3.0, 2.0, 2.0, 0.5, 0.5, 0.5],
        }
    )
    report = pf.report(frame, "dppl", weight="weight", **QUESTION)
    lines = report.to_markdown().splitlines()
    head = next(line for line in lines if "| Weight | Rows |" in line)
    women = next(line for line in lines[lines.index(head) :] if line.startswith("| F |"))
    assert "| 6.0 | 4 | 50.0\u202f% (12.5 to 87.5\u202f%) |" in women
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
    report = pf.report(frame, "dppl", weight="weight", count="people", **QUESTION).to_markdown()
    men = next(line for line in report.splitlines() if line.startswith("| M ") and "(12.3" in line)
    # Each of the 3 has weight 1 and each of the 2 weight 2: 7² / (3 + 8) = 4.4545 effective rows.
    # (3/7·4.4545 + 1.92073 ∓ 1.95996·√(12/49·4.4545 + 0.96036)) / 8.29600 is 0.1233 and 0.8000.
    assert "| 7.0 | 5 | 42.9\u202f% (12.3 to 80.0\u202f%) |" in men


def test_rows_without_a_label_count_in_the_interval_of_a_selection_rate_over_clusters() -> None:
    draw = np.random.default_rng(0)
    n = 400
    frame = pl.DataFrame(
        {
            "sex": draw.choice(["F", "M"], n),
            "branch": draw.integers(0, 20, n),
            "hired": (draw.random(n) < 0.4).astype(int),
        }
    ).with_columns(good=pl.when(hired=1).then(1))
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "hired"}
    question |= {"cluster": "branch"}
    every = pf.report(frame, "di", **question).to_markdown()
    labelled = pf.report(frame, "di", "rd", **question, label="good", nulls="drop").to_markdown()
    rows = re.compile(r"\| F \| \d+ \| .*% \(\d.*?\) \|")
    [row] = rows.findall(every.partition("Rates by")[2].partition("**Table")[0])
    assert row in labelled
