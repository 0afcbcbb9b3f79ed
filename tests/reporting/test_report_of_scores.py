"""What a report shows of scores."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.sections.scores import scores_section
from polars_fairness.reporting.voice import Voice
from tests.pages import rows_below

SCORED: dict[str, Any] = {"facet": "sex", "label": "repaid", "score": "score", "confidence": None}


def charts(report: pf.Report) -> list[Figure]:
    return [*scores_section(Voice(report.answers)).figures]


def area(figure: Figure) -> float:
    """The area below the last curve, which is that of all rows."""
    last = figure.chart.marks[-1]["line"]
    corners = [(mark["x"], mark["y"]) for mark in figure.chart.marks if mark["line"] == last]
    steps = pairwise(corners)
    return float(sum((x0 - x1) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in steps))


@pytest.mark.parametrize(
    "scale",
    [
        pl.col("score"),
        100 * pl.col("score"),
        300 + 550 * pl.col("score"),
        (pl.col("score") / (1 - pl.col("score"))).log(),
        # Most scores are close to 0, and one is far away.
        pl.when(pl.int_range(pl.len()) == 0).then(1e6).otherwise(pl.col("score") ** 9 / 1e4),
        # Almost all labels are negative.
        pl.col("score") - 2 * (pl.int_range(pl.len()) >= 200),
    ],
    ids=["shares", "percent", "points", "log-odds", "skewed", "two heaps"],
)
def test_the_roc_curve_fits_any_scale(scale: pl.Expr) -> None:
    rng = np.random.default_rng(16)
    chance = rng.beta(2, 2, 1_000)
    labels = rng.random(1_000) < chance
    frame = pl.DataFrame({"sex": ["F", "M"] * 500, "repaid": labels, "score": chance})
    frame = frame.with_columns(score=scale)
    report = pf.report(frame, "auc_gap", **SCORED)
    auc = roc_auc_of(frame)
    roc = charts(report)[0]
    assert area(roc) == pytest.approx(auc, abs=0.0005)
    assert len(roc.chart.marks) <= 3 * (200 + 2)


@pytest.mark.parametrize(
    "threshold", [[0.3, 0.7], "every", pf.best(0.2, 0.5)], ids=["two", "every", "best"]
)
def test_a_page_is_about_one_threshold(threshold: Any) -> None:
    rows = pf.datasets.loans().head(100)
    with pytest.raises(pf.FairnessError) as error:
        pf.report(rows, "di", **SCORED, threshold=threshold)
    assert str(error.value) == (
        "threshold: a report is about the decisions at one threshold; give one number, or call "
        "audit for a table of several, or explore for a page with a slider"
    )


def roc_auc_of(frame: pl.DataFrame) -> float:
    """The share of pairs of a positive and a negative label that scores rank right."""
    positive = frame.filter("repaid")["score"].to_numpy()[:, None]
    negative = frame.filter(~pl.col("repaid"))["score"].to_numpy()
    return float(((positive > negative) + (positive == negative) / 2).mean())


@pytest.mark.parametrize("threshold", [None, 0.5, [0.5], pf.best(0.5)])
def test_how_scores_rank_is_said_at_any_threshold(threshold: Any) -> None:
    """Each label of F fits its score; of M the labels of two rows have changed places."""
    rows = pl.DataFrame(
        {
            "sex": ["F"] * 4 + ["M"] * 4,
            "score": [0.2, 0.4, 0.6, 0.8] * 2,
            "repaid": [False, False, True, True, False, True, False, True],
        }
    )
    report = pf.report(rows, **SCORED | {"facet": "sex", "threshold": threshold})
    text = report.to_markdown()
    first = "Scores by sex, the lowest AUC first"
    caption = first if first in text else "Scores by sex"
    # Three of the four pairs of a positive and a negative label of M are right.
    assert [row[:1] + row[2:3] for row in rows_below(text, caption)] == [
        ["M", "0.750"],
        ["F", "1.000"],
    ]


ALONE: dict[str, Any] = {"facet": "sex", "label": "y", "score": "s", "confidence": None}


def test_a_small_group_that_may_be_lower_by_chance_is_not_the_worst() -> None:
    """Of 400 rows 0.55, exactly; of three rows 0: its interval is almost of full width."""
    large = [(1, 1)] * 110 + [(1, 0)] * 90 + [(0, 1)] * 90 + [(0, 0)] * 110
    small = [(0, 1), (0, 1), (1, 0)]
    rows = [("large", *row) for row in large] + [("small", *row) for row in small]
    rows += [("best", y, y if i < 190 else 1 - y) for y in (0, 1) for i in range(200)]
    frame = pl.DataFrame(rows, schema=["sex", "y", "s"], orient="row")
    text = pf.report(frame, **ALONE | {"confidence": 0.95}).to_markdown()
    assert (
        "the scores rank the group large worst by the upper end of the interval: AUC 0.550 ("
        in text
    )
    assert "against 0.000 to 0.950 for the other groups" in text


def test_scores_that_rank_two_groups_nearly_alike_name_the_lowest_and_the_highest() -> None:
    """Of 400 rows 0.55, of 40 rows 0.6: the interval of the higher value ends above."""
    counts = {"many": (110, 90, 90, 110), "few": (12, 8, 8, 12)}
    rows = [
        (group, y, s)
        for group, ns in counts.items()
        for n, (s, y) in zip(ns, [(1, 1), (1, 0), (0, 1), (0, 0)], strict=True)
        for _ in range(n)
    ]
    frame = pl.DataFrame(rows, schema=["sex", "y", "s"], orient="row")
    text = pf.report(frame, **ALONE | {"confidence": 0.95}).to_markdown()
    assert "the lowest is that of the group many, 0.550 (" in text
    assert "the highest that of the group few, 0.600 (" in text
