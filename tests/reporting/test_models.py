"""Reports of several models: expected numbers are worked out by hand."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.outcome_notes import notes_on_outcomes
from tests.reporting.reports import worst

MODELS = {"now": "p", "new": "q"}


def eight() -> pl.DataFrame:
    """Of 4 women p accepts 1 and q accepts none, of 4 men p accepts 2 and q accepts 3."""
    return pl.DataFrame(
        {
            "sex": ["F"] * 4 + ["M"] * 4,
            "race": ["b", "w"] * 4,
            "p": [1, 0, 0, 0, 1, 1, 0, 0],
            "q": [0, 0, 0, 0, 1, 1, 1, 0],
            "s": [0.9, 0.2, 0.1, 0.3, 0.8, 0.7, 0.2, 0.1],
            "y": [1, 0, 1, 0] * 2,
        }
    )


def report(*metrics: str, **more: Any) -> pf.Report:
    question = {"facet": "sex", "predicted": MODELS, "confidence": None, **more}
    return pf.report(eight(), *metrics, **question)


def test_the_worst_groups_are_ranked_for_each_model() -> None:
    of_both = report("dppl", facet=["sex", "race"])
    # q accepts 3 of 8 and no woman: a share of 1/2 times a distance of 3/8.
    assert worst(of_both, model="new")[0][:3] == ["sex F", "4", "0.0 %"]
    # p accepts no woman of race w: 1/4 times 3/8 is more than 1/2 times 1/8 of all women.
    assert worst(of_both, model="now")[0][:3] == ["sex F, race w", "2", "0.0 %"]


def test_notes_on_outcomes_name_the_model() -> None:
    scores = {"now": "s", "new": (1 - pl.col("s")).alias("t")}
    question: dict[str, Any] = {"facet": "sex", "predicted": scores}
    question |= {"threshold": {"now": 0.5, "new": 9}}
    same = "so that groups have the same rate; compare the threshold with the values"
    notes = notes_on_outcomes(pf.rates(eight(), **question), question)  # type: ignore[arg-type]
    assert notes == [f"threshold: 9 makes no row of 't' positive, {same} (model new)"]
    question["threshold"] = {"now": 5, "new": 0.5}
    notes = notes_on_outcomes(pf.rates(eight(), **question), question)  # type: ignore[arg-type]
    assert notes == [f"threshold: 5 makes no row of 's' positive, {same} (model now)"]


@pytest.mark.parametrize("threshold", [[0.5], [0.2, 0.5], "every"])
def test_models_have_figures_over_thresholds(threshold: Any) -> None:
    scores: dict[str, Any] = {"now": "s", "new": (1 - pl.col("s")).alias("t")}
    made = pf.report(
        eight(),
        *("dppl", "auc_difference"),
        facet="sex",
        label="y",
        predicted=scores,
        threshold=threshold,
    )
    assert made.findings.audited["model"].unique().sort().to_list() == ["new", "now"]
    assert made.to_markdown().count("model new") > 0
