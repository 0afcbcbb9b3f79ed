"""Numbers that the tools themselves make, each by a convention that `compare` has to find."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from fairlearn import metrics as fairlearn

import polars_fairness as pf

from .frames import generated
from .quiet import importing_aif360

with importing_aif360():
    from aif360.datasets import BinaryLabelDataset
    from aif360.metrics import ClassificationMetric

FRAME: Final = generated(60, 500, groups={"a": 0.6, "d": 0.4})
QUESTION: Final[dict[str, Any]] = {"facet": "group", "disfavored": "d", "label": "label"}
ODDS: Final = "aif360.average_odds_difference"


def data_set(rows: pl.DataFrame, outcome: str, *, favorable: int, weighted: bool) -> Any:
    table = rows.select(
        pl.col("group").ne("d").cast(pl.Float64), pl.col(outcome).cast(pl.Float64), "weight"
    ).rename({outcome: "outcome"})
    return BinaryLabelDataset(
        favorable_label=favorable,
        unfavorable_label=1 - favorable,
        df=table.to_pandas(),
        label_names=["outcome"],
        protected_attribute_names=["group"],
        instance_weights_name="weight" if weighted else None,
    )


def of_aif360(
    *,
    rows: pl.DataFrame = FRAME,
    favorable: int = 1,
    weighted: bool = False,
    unprivileged: int = 0,
) -> Any:
    made = (
        data_set(rows, outcome, favorable=favorable, weighted=weighted)
        for outcome in ("label", "predicted")
    )
    groups = {
        "unprivileged_groups": [{"group": unprivileged}],
        "privileged_groups": [{"group": 1 - unprivileged}],
    }
    return ClassificationMetric(*made, **groups)


def words_of(metric: str, number: float, frame: pl.DataFrame = FRAME, **more: Any) -> list[str]:
    question = {"predicted": "predicted", **QUESTION, **more}
    answer = pf.compare(frame, metric, reported=float(number), **question)
    assert not answer["equal"].any()
    return answer["why"].to_list()


@pytest.mark.parametrize(
    ("given", "words", "more"),
    [
        ({"unprivileged": 1}, "the sides change places", {}),
        ({"favorable": 0}, "the other class of both outcomes is positive", {}),
        ({}, "weights are ignored", {"weight": "weight"}),
        (
            {"unprivileged": 1},
            "the sides change places and weights are ignored",
            {"weight": "weight"},
        ),
        (
            {"rows": FRAME.with_columns(predicted=(pl.col("score") > 0.5).cast(pl.Int64))},
            "a number equal to the threshold is negative",
            {"predicted": "score", "threshold": 0.5},
        ),
    ],
)
def test_a_number_of_aif360_by_another_convention(
    given: dict[str, Any], words: str, more: dict[str, Any]
) -> None:
    number = of_aif360(**given).average_odds_difference()
    assert f"equal if {words}" in words_of(ODDS, number, **more)


def test_a_number_of_weighted_rows_is_equal_with_the_weights() -> None:
    number = of_aif360(weighted=True).average_odds_difference()
    question = {"predicted": "predicted", "weight": "weight", **QUESTION}
    assert pf.compare(FRAME, ODDS, reported=float(number), **question)["equal"].item()


def test_numbers_of_fairlearn_whose_arguments_were_exchanged() -> None:
    label, predicted, group = (FRAME[name].to_numpy() for name in ("label", "predicted", "group"))
    exchanged = fairlearn.equalized_odds_difference(predicted, label, sensitive_features=group)
    name = "fairlearn.equalized_odds_difference"
    assert "equal if label and prediction change places" in words_of(name, exchanged)
    mean = fairlearn.equalized_odds_difference(
        label, predicted, sensitive_features=group, agg="mean"
    )
    assert any("agg is 'mean'" in words for words in words_of(name, mean))


def test_a_number_of_fairlearn_with_0_by_0_as_0() -> None:
    # Fairlearn has 0 for the true positive rate of a group without positive labels.
    frame = FRAME.with_columns(
        label=pl.when(pl.col("group") == "d").then(0).otherwise("label"),
    )
    columns = (frame[name].to_numpy() for name in ("label", "predicted"))
    gap = fairlearn.true_positive_rate_difference(*columns, sensitive_features=frame["group"])
    assert any("0/0 is 0" in words for words in words_of("rd", gap, frame))


def test_a_number_of_rows_without_missing_values() -> None:
    draw = np.random.default_rng(61)
    frame = FRAME.with_columns(
        pl.when(pl.Series(draw.random(FRAME.height) < 0.1)).then(None).otherwise(name).alias(name)
        for name in ("label", "predicted")
    )
    # A data set of AIF360 drops each row that lacks any value.
    of_complete = of_aif360(rows=frame.drop_nulls()).disparate_impact()
    name = "aif360.ClassificationMetric.disparate_impact"
    found = words_of(name, of_complete, frame, nulls="drop")
    assert "equal if rows that lack any value are left out" in found
