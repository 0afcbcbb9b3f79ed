"""What is wrong with a question about several models, and how to go on."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.counting.models import MOST_TOGETHER
from polars_fairness.formula.scores import MEASURES

ROWS = pl.DataFrame(
    {
        "sex": ["F", "F", "M", "M", None],
        "y": [1, 0, 1, 1, 0],
        "a": [True, False, False, True, True],
        "b": [True, False, True, True, False],
        "s": [0.1, 0.5, 0.9, 0.7, 0.2],
        "t": [0.3, 0.4, 0.2, 0.1, 0.6],
        "text": ["x", "y", "x", "x", "y"],
        "words": ["yes", "no", "no", "yes", "yes"],
        "points": [0, 1, 2, 1, 3],
    }
)
QUESTION: dict[str, Any] = {"facet": "sex", "label": "y"}


def test_a_decision_may_stand_beside_a_score_with_a_threshold() -> None:
    alone = {
        "new": pf.metrics(ROWS, predicted="s", threshold=0.5, **QUESTION),
        "old": pf.metrics(ROWS, predicted="a", **QUESTION),
    }
    for models in ({"old": "a", "new": "s"}, {"new": "s", "old": "a"}):
        answer = pf.metrics(ROWS, predicted=models, threshold={"new": 0.5}, **QUESTION)
        for model, expected in alone.items():
            assert answer.filter(model=model).drop("model").equals(expected)
        with pytest.raises(pf.FairnessError, match="score: auc_difference needs it"):
            pf.metrics(ROWS, "auc_difference", predicted=models, threshold={"new": 0.5}, **QUESTION)


def test_positive_values_are_for_the_models_whose_type_they_fit() -> None:
    """True is positive for a Boolean; each of two texts has one of the values."""
    models = {"a": "a", "text": "text", "words": "words"}
    answer = pf.rates(ROWS, facet="sex", predicted=models, positive=["x", "yes"])
    for model, positive in (("a", None), ("text", "x"), ("words", "yes")):
        alone = pf.rates(ROWS, facet="sex", predicted=model, positive=positive)
        assert answer.filter(model=model).drop("model").equals(alone)


# Complete in both: rows 0 and 4.
HOLES = ROWS.with_columns(
    a=pl.Series([True, None, False, True, True]),
    b=pl.Series([True, False, None, None, False]),
    s=pl.Series([0.1, None, 0.9, 0.7, 0.2]),
    t=pl.Series([0.3, 0.4, float("nan"), None, 0.6]),
)


def test_the_columns_with_missing_values_are_named() -> None:
    with pytest.raises(pf.FairnessError) as caught:
        pf.rates(HOLES, predicted={"old": "a", "new": "b", "again": "a"}, **QUESTION)
    assert str(caught.value) == (
        "predicted: missing values: 'a' has 1 (20.0 %); 'b' has 2 (40.0 %); fill them, or leave "
        "these rows out, for all models alike, with nulls='drop'"
    )


COUNTED: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    "decisions": ({"a": "a", "b": "b"}, {}),
    "more decisions than are counted together": (
        {**{f"a{i}": "a" for i in range(MOST_TOGETHER)}, "b": "b"},
        {},
    ),
    "scores": ({"a": "s", "b": "t"}, {}),
    "rounded scores": ({"a": "s", "b": "t"}, {"resolution": 0.1}),
    "a threshold": ({"a": "s", "b": "t"}, {"threshold": 0.5}),
    "several thresholds": ({"a": "s", "b": "t"}, {"threshold": [0.2, 0.5]}),
    "every threshold": ({"a": "s", "b": "t"}, {"threshold": "every"}),
    "decisions beside one score": ({"a": "a", "b": "b"}, {"score": "s"}),
}


@pytest.mark.parametrize(("models", "question"), COUNTED.values(), ids=COUNTED)
def test_a_row_that_one_model_lacks_is_dropped_for_all(
    models: dict[str, str], question: dict[str, Any]
) -> None:
    answer = pf.rates(HOLES, predicted=models, nulls="drop", **QUESTION, **question)
    complete = pf.rates(HOLES[[0, 4]], predicted=models, **QUESTION, **question)
    shared = ["model", *(["threshold"] if "threshold" in answer.columns else []), "facet", "value"]
    # The base rate needs no prediction, and measures of one score only this score.
    others = ["rows_dropped", "base_rate", *(MEASURES if "score" in question else ())]
    numbers = [name for name in complete.columns if name not in (*shared, *others)]
    found = answer.join(complete.select(shared), on=shared, nulls_equal=True).select(shared, "n")
    assert found.height > 0
    kept = answer.filter(pl.col("n") > 0).select(*shared, *numbers)
    assert kept.equals(complete.select(kept.columns))
    assert set(answer.filter(facet="(all)")["rows_dropped"]) == {3}
    labels = pf.rates(HOLES, **QUESTION)["base_rate"].to_list()
    for part in answer.partition_by(shared[:-2]):
        assert part["base_rate"].to_list() == labels


def test_scores_and_audits_drop_the_same_rows() -> None:
    question = {**QUESTION, "predicted": {"a": "s", "b": "t"}, "nulls": "drop"}
    audited = pf.audit(HOLES, "auc_gap", confidence=None, **question)
    assert audited.select("rows_seen", "rows_used", "rows_dropped").rows() == [(5, 2, 3)] * 2
    bins = pf.calibration(HOLES, bins=2, **question)
    assert bins.group_by("model", "facet").agg(pl.col("n").sum()).filter(facet="(all)")[
        "n"
    ].to_list() == [2, 2]
