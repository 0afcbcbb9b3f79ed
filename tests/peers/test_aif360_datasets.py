"""AIF360's metrics of data sets: differences are unprivileged less privileged, our d less a.

A rate of no labels is nan there and null here, with weights and without.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from tests.frames import fairness

from .comparisons import (
    TOLERANCE,
    UNWEIGHTED_AND_WEIGHTED,
    Comparison,
    Values,
    close,
    comparisons,
    number,
    our_value,
    ours,
)
from .frames import FRAMES, ODD, REGULAR, TINY, generated, weighing_as_people
from .quiet import importing_aif360

with importing_aif360():
    from aif360.algorithms.preprocessing import Reweighing
    from aif360.datasets import BinaryLabelDataset
    from aif360.metrics import BinaryLabelDatasetMetric, ClassificationMetric

Ask = Callable[[ClassificationMetric], float]

D, A = {"side": 0}, {"side": 1}

OF_LABELS: Final[dict[str, Ask]] = {
    "statistical_parity": lambda metric: metric.statistical_parity_difference(),
    "di": lambda metric: metric.disparate_impact(),
    "rd": lambda metric: -metric.equal_opportunity_difference(),
    "sd": lambda metric: -metric.false_positive_rate_difference(),
    "fnr_difference": lambda metric: -metric.false_negative_rate_difference(),
    "average_odds_difference": lambda metric: -metric.average_odds_difference(),
    "average_abs_odds_difference": lambda metric: metric.average_abs_odds_difference(),
    # Error rate of d less error rate of a = accuracy of a less accuracy of d.
    "ad": lambda metric: metric.error_rate_difference(),
}
OF_DECISIONS: Final[dict[str, Ask]] = {
    "fdr_difference": lambda metric: -metric.false_discovery_rate_difference(),
    "for_difference": lambda metric: -metric.false_omission_rate_difference(),
    "predictive_value_difference": lambda metric: -metric.average_predictive_value_difference(),
}
OF_ALL_ROWS: Final[dict[str, Ask]] = {
    "ge": lambda metric: metric.generalized_entropy_index(),
    "theil": lambda metric: metric.theil_index(),
    "coefficient_of_variation": lambda metric: metric.coefficient_of_variation(),
}


def _dataset(
    frame: pl.DataFrame, outcome: str, attributes: Sequence[str], *, weighted: bool
) -> BinaryLabelDataset:
    """A data set of one outcome; protected attributes have to be numbers there."""
    weight = pl.col("weight") if weighted else pl.lit(1.0)
    table = frame.select(
        *(pl.col(name).rank("dense").cast(pl.Float64) - 1 for name in attributes),
        pl.col(outcome).cast(pl.Float64).alias("outcome"),
        weight.alias("weight"),
    )
    return BinaryLabelDataset(
        df=table.to_pandas(),
        label_names=["outcome"],
        protected_attribute_names=list(attributes),
        instance_weights_name="weight",
    )


def _classified(each: Comparison, *, weighted: bool) -> ClassificationMetric:
    sides = each.frame.with_columns(side=pl.Series(each.in_a).cast(pl.Int64))
    observed, predicted = (
        _dataset(sides, outcome, ["side"], weighted=weighted) for outcome in ("label", "predicted")
    )
    return ClassificationMetric(observed, predicted, unprivileged_groups=[D], privileged_groups=[A])


@cache
def _classifications(name: str, *, weighted: bool) -> Mapping[str, ClassificationMetric]:
    return {
        each.disfavored: _classified(each, weighted=weighted) for each in comparisons(FRAMES[name])
    }


def _theirs(name: str, ask: Ask, *, weighted: bool) -> Values:
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            side: number(ask(metric))
            for side, metric in _classifications(name, weighted=weighted).items()
        }


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("metric", OF_LABELS)
def test_agrees_with_nan_for_null(metric: str, frame: str, *, weighted: bool) -> None:
    expected = _theirs(frame, OF_LABELS[metric], weighted=weighted)
    assert ours(frame, metric, weighted=weighted) == close(expected)


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", REGULAR)
@pytest.mark.parametrize("metric", OF_DECISIONS)
def test_rates_of_decisions_agree_where_defined(metric: str, frame: str, *, weighted: bool) -> None:
    expected = _theirs(frame, OF_DECISIONS[metric], weighted=weighted)
    assert ours(frame, metric, weighted=weighted) == close(expected)


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", [*ODD, *TINY])
@pytest.mark.parametrize("metric", OF_DECISIONS)
def test_rates_of_no_decision_are_0_there_as_here_with_zero_division(
    metric: str, frame: str, *, weighted: bool
) -> None:
    expected = _theirs(frame, OF_DECISIONS[metric], weighted=weighted)
    assert ours(frame, metric, weighted=weighted, zero=0.0) == close(expected)


@pytest.mark.parametrize(
    ("metric", "frame"),
    [("fdr_difference", "d all rejected"), ("for_difference", "d all accepted")],
)
def test_rates_of_no_decision_are_0_there_and_null_here(metric: str, frame: str) -> None:
    assert None not in _theirs(frame, OF_DECISIONS[metric], weighted=False).values()
    assert set(ours(frame, metric).values()) == {None}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("metric", OF_ALL_ROWS)
def test_inequality_of_the_whole_population_agrees(metric: str, frame: str) -> None:
    expected = _theirs(frame, OF_ALL_ROWS[metric], weighted=False)
    assert ours(frame, metric) == close(expected)


def test_inequality_takes_no_weights_there_so_that_rows_are_repeated() -> None:
    times = np.random.default_rng(60).integers(5, size=200)
    frame = generated(60, 200).with_columns(times=times)
    metrics = (*OF_ALL_ROWS, "ge_between")
    answer = pf.metrics(
        frame, *metrics, facet="group", label="label", predicted="predicted", weight="times"
    )
    repeated = frame[np.repeat(np.arange(frame.height), times)]
    metric = _classified(Comparison(repeated, "d"), weighted=False)
    expected = {name: ask(metric) for name, ask in OF_ALL_ROWS.items()}
    expected["ge_between"] = metric.between_group_generalized_entropy_index()
    assert answer.select(*metrics).row(0, named=True) == close(expected)


def _of_predictions(
    frame: pl.DataFrame, attributes: Sequence[str], *, weighted: bool
) -> BinaryLabelDatasetMetric:
    return BinaryLabelDatasetMetric(_dataset(frame, "predicted", attributes, weighted=weighted))


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", FRAMES)
def test_differential_fairness_agrees(frame: str, *, weighted: bool) -> None:
    # There, the smoothing adds a fixed weight to each group, whatever the unit of the weights.
    people = weighing_as_people(FRAMES[frame])
    metric = _of_predictions(people, ["group"], weighted=weighted)
    expected = metric.smoothed_empirical_differential_fairness()
    assert our_value(frame, "differential_fairness", weighted=weighted) == close(expected)


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("concentration", [0, 0.5, 2, 10])
@pytest.mark.parametrize("frame", REGULAR)
def test_differential_fairness_of_any_concentration_and_of_intersections(
    frame: str, concentration: float, *, weighted: bool
) -> None:
    answer = pf.metrics(
        FRAMES[frame],
        pf.entry("differential_fairness", concentration=concentration),
        facet=[pl.col("group"), pl.struct("group", "branch").alias("both")],
        predicted="predicted",
        weight="weight" if weighted else None,
    )
    for facet, attributes in (("group", ["group"]), ("both", ["group", "branch"])):
        people = weighing_as_people(FRAMES[frame])
        metric = _of_predictions(people, attributes, weighted=weighted)
        # Unsmoothed, a stratum with one outcome only is infinitely far from others.
        with np.errstate(divide="ignore", invalid="ignore"):
            expected = metric.smoothed_empirical_differential_fairness(concentration)
        value = answer.filter(facet=facet)["differential_fairness"][0]
        assert value == close(expected)


@pytest.mark.parametrize("frame", FRAMES)
def test_entropy_between_all_groups_and_intersections(frame: str) -> None:
    answer = fairness(FRAMES[frame]).ge_between(
        facet=[pl.col("group"), pl.struct("group", "branch").alias("both")],
        label="label",
        predicted="predicted",
    )
    for facet, attributes in (("group", ["group"]), ("both", ["group", "branch"])):
        observed, predicted = (
            _dataset(FRAMES[frame], outcome, attributes, weighted=False)
            for outcome in ("label", "predicted")
        )
        metric = ClassificationMetric(observed, predicted)
        expected = metric.between_all_groups_generalized_entropy_index()
        assert answer.filter(facet=facet)["ge_between"][0] == close(expected)


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", REGULAR)
def test_reweighing_agrees(frame: str, *, weighted: bool) -> None:
    # There, all privileged values are one group.
    rows = FRAMES[frame].with_columns(pl.col("group") == "d")
    observed = _dataset(rows, "label", ["group"], weighted=weighted)
    theirs = Reweighing(unprivileged_groups=[{"group": 1}], privileged_groups=[{"group": 0}])
    expected = theirs.fit_transform(observed).instance_weights.tolist()
    weight = "weight" if weighted else None
    question: dict[str, Any] = {"facet": "group", "label": "label", "weight": weight}
    ours = pf.reweighed(rows, name="fair", **question)["fair"].to_list()
    assert ours == pytest.approx(expected, rel=TOLERANCE)
