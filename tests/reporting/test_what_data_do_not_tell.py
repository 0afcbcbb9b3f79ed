"""Pages say no more than the data tell: of groups left out, of looks, of scores."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import polars as pl

import polars_fairness as pf
from tests.reporting.reports import of_counts


def test_the_lowest_group_is_named_among_those_with_enough_rows() -> None:
    frame = pl.concat(
        pl.DataFrame({"sex": [sex] * n, "race": [race] * n, "hired": [i < k for i in range(n)]})
        for sex, race, k, n in (
            *(("F", "B", 40, 200), ("F", "W", 200, 400), ("M", "B", 110, 200)),
            *(("M", "W", 280, 400), ("F", "O", 0, 29)),
        )
    )
    text = pf.report(frame, "di", facet=["sex", "race"], predicted="hired").to_markdown()
    assert "the lowest group of 30 rows or more is F &amp; B" in text


def test_values_of_all_windows_stand_beside_no_rates_of_the_last() -> None:
    months = [
        of_counts({"F": (n, 50), "M": (25, 50)}).with_columns(month=pl.lit(date(2025, i, 1)))
        for i, n in enumerate((5, 25), 1)
    ]
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "hired", "by": "month"}
    text = pf.report(pl.concat(months), "di", **question, sequential="each").to_markdown()
    assert "The selection rate of the group F is 0.60 times that of the group M. |" in text


def test_some_groups_of_many_are_not_called_the_worst() -> None:
    counts = {f"g{i}": (20 + i, 50) for i in range(25)}
    text = pf.report(of_counts(counts), "di", facet="sex", predicted="hired").to_markdown()
    assert ", 20 of 25**" in text
    assert "worst" not in text.partition("\n## ")[0]


def test_scores_that_are_alike_rank_no_group_worst() -> None:
    draw = np.random.default_rng(0)
    score = draw.random(200).round(2)
    women = pl.DataFrame({"score": score, "good": (draw.random(200) < score).astype(int)})
    frame = pl.concat(women.with_columns(sex=pl.lit(sex)) for sex in "FM")
    text = pf.report(
        frame, "auc_difference", facet="sex", score="score", label="good"
    ).to_markdown()
    assert "the AUC of no group is told apart from those of others" in text
    assert "every interval of the share of positive labels minus the mean score contains" in text


def test_one_mean_score_is_not_both_the_lowest_and_the_highest() -> None:
    frame = pl.DataFrame({"sex": [*"FFMM"], "score": [0.2, 0.6] * 2, "good": [0, 1, 0, 1]})
    text = pf.report(
        frame, "auc_difference", facet="sex", score="score", label="good"
    ).to_markdown()
    assert "the mean score is lowest" not in text
