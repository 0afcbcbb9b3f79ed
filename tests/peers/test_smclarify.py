"""Amazon SageMaker Clarify's own package, whose arithmetic ``zero_division=0.0`` gives."""

from __future__ import annotations

from math import inf, log, sqrt
from typing import Any, Final

import numpy as np
import pandas as pd
import polars as pl
import pytest
from smclarify.bias import metrics as clarify
from smclarify.bias.metrics.common import GE

import polars_fairness as pf
from tests.frames import fairness

from .comparisons import Ask, Comparison, close, comparisons, ours, ours_of_grades, theirs
from .frames import FRAMES, GRADES, REGULAR, generated, with_both, with_one


def _rows(each: Comparison) -> dict[str, pd.Series]:
    """A comparison under the names of Clarify's parameters."""
    return {
        "feature": pd.Series(each.column("group")),
        "sensitive_facet_index": pd.Series(each.in_d),
        "positive_label_index": pd.Series(each.label),
        "positive_predicted_label_index": pd.Series(each.predicted),
        "group_variable": pd.Series(each.column("branch")),
        "one_stratum": pd.Series(["all"] * each.frame.height),
    }


def _asks(function: Any, *parameters: str, **otherwise: str) -> Ask:
    """Call a function with the columns named like its parameters, or with others."""
    named = dict(zip(parameters, parameters, strict=True)) | otherwise

    def ask(each: Comparison) -> float:
        rows = _rows(each)
        return float(function(**{parameter: rows[name] for parameter, name in named.items()}))

    return ask


_FACET: Final = ("feature", "sensitive_facet_index")
_LABEL: Final = (*_FACET, "positive_label_index")
_PREDICTED: Final = (*_FACET, "positive_predicted_label_index")
_BOTH: Final = (*_LABEL, "positive_predicted_label_index")

CLARIFY: Final = {
    "ci": _asks(clarify.CI, *_FACET),
    "dpl": _asks(clarify.DPL, *_LABEL),
    "dppl": _asks(clarify.DPPL, *_PREDICTED),
    "di": _asks(clarify.DI, *_PREDICTED),
    "dcacc": _asks(clarify.DCA, *_BOTH),
    "dcr": _asks(clarify.DCR, *_BOTH),
    "rd": _asks(clarify.RD, *_BOTH),
    "sd": _asks(clarify.SD, *_BOTH),
    "dar": _asks(clarify.DAR, *_BOTH),
    "drr": _asks(clarify.DRR, *_BOTH),
    "ad": _asks(clarify.AD, *_BOTH),
    "te": _asks(clarify.TE, *_BOTH),
    "ge": _asks(clarify.GE, "positive_label_index", "positive_predicted_label_index"),
}
CONDITIONAL: Final = {
    # In a single stratum, the conditional metric is the unconditional one.
    "ddl": ("label", _asks(clarify.CDDL, *_LABEL, group_variable="one_stratum")),
    "ddpl": ("predicted", _asks(clarify.CDDPL, *_PREDICTED, group_variable="one_stratum")),
    "cddl": ("label", _asks(clarify.CDDL, *_LABEL, "group_variable")),
    "cddpl": ("predicted", _asks(clarify.CDDPL, *_PREDICTED, "group_variable")),
}
DISTANCES: Final = {
    "kl": clarify.KL,
    "js": clarify.JS,
    "lp": clarify.LP,
    "tvd": clarify.TVD,
    "ks": clarify.KS,
}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("metric", CLARIFY)
def test_agrees_with_its_arithmetic_for_zero(metric: str, frame: str) -> None:
    assert ours(frame, metric, zero=0.0) == close(theirs(frame, CLARIFY[metric]))


@pytest.mark.parametrize("frame", REGULAR)
@pytest.mark.parametrize("metric", CLARIFY)
def test_agrees_without_that_where_every_rate_is_defined(metric: str, frame: str) -> None:
    assert ours(frame, metric) == close(theirs(frame, CLARIFY[metric]))


@pytest.mark.parametrize(
    ("metric", "frame"),
    [
        (metric, frame)
        for metric, (outcome, _) in CONDITIONAL.items()
        for frame in with_both(outcome)
    ],
)
def test_conditional_metrics_agree_where_both_outcomes_occur(metric: str, frame: str) -> None:
    _, ask = CONDITIONAL[metric]
    assert ours(frame, metric, zero=0.0) == close(theirs(frame, ask))


@pytest.mark.parametrize(
    ("metric", "frame"),
    [
        (metric, frame)
        for metric, (outcome, _) in CONDITIONAL.items()
        for frame in with_one(outcome)
    ],
)
def test_conditional_metrics_are_refused_by_clarify_and_null_here_where_one_outcome_occurs(
    metric: str, frame: str
) -> None:
    _, ask = CONDITIONAL[metric]
    for each in comparisons(FRAMES[frame]):
        with pytest.raises(ValueError, match=r"No (positive|negative) labels in set"):
            ask(each)
    assert set(ours(frame, metric).values()) == {None}


def test_a_stratum_without_rejections_counts_for_clarify_and_is_left_out_by_default() -> None:
    frame = FRAMES["no rejection in a stratum"]
    _, ask = CONDITIONAL["cddpl"]
    mixed = frame.filter(pl.col("branch") != "branch 1")
    left_out = (
        fairness(frame)
        .cddpl(facet="group", disfavored="d", predicted="predicted", subgroup="branch")["cddpl"]
        .item()
    )
    assert left_out == close(ask(Comparison(mixed, "d")))
    assert abs(left_out - ask(Comparison(frame, "d"))) > 0.01


def test_a_null_stratum_is_a_stratum_of_its_own() -> None:
    frame = generated(50, 200).with_columns(
        pl.when(pl.col("branch") != "branch 0").then(pl.col("branch"))
    )
    _, ask = CONDITIONAL["cddpl"]
    value = (
        fairness(frame)
        .cddpl(
            facet="group",
            disfavored="d",
            predicted="predicted",
            subgroup="branch",
            zero_division=0.0,
        )["cddpl"]
        .item()
    )
    named = frame.with_columns(pl.col("branch").fill_null("unknown"))
    assert value == close(ask(Comparison(named, "d")))


def test_named_sides_leave_all_others_out() -> None:
    frame = FRAMES["five groups"]
    answer = pf.metrics(
        frame,
        *CLARIFY,
        *CONDITIONAL,
        facet="group",
        disfavored=["d", "e"],
        favored=["a", "b"],
        label="label",
        predicted="predicted",
        subgroup="branch",
        zero_division=0.0,
    ).row(0, named=True)
    sides = frame.filter(pl.col("group") != "c").with_columns(
        pl.col("group").replace({"e": "d", "b": "a"})
    )
    asks = CLARIFY | {metric: ask for metric, (_, ask) in CONDITIONAL.items()}
    # The population has no sides: rows on neither side are part of it.
    of_sides = {metric: ask(Comparison(sides, "d")) for metric, ask in asks.items()}
    of_sides["ge"] = CLARIFY["ge"](Comparison(frame, "d"))
    assert {metric: answer[metric] for metric in asks} == close(of_sides)


@pytest.mark.parametrize("argument", ["weight", "count"])
def test_whole_weights_and_counts_give_what_repeated_rows_give(argument: str) -> None:
    times = np.random.default_rng(51).integers(5, size=200)
    frame = generated(51, 200).with_columns(times=times)
    asks = CLARIFY | {metric: ask for metric, (_, ask) in CONDITIONAL.items()}
    as_times: dict[str, Any] = {argument: "times"}
    answer = pf.metrics(
        frame,
        *asks,
        facet="group",
        disfavored="d",
        label="label",
        predicted="predicted",
        subgroup="branch",
        zero_division=0.0,
        **as_times,
    ).row(0, named=True)
    repeated = frame[np.repeat(np.arange(frame.height), times)]
    expected = {metric: ask(Comparison(repeated, "d")) for metric, ask in asks.items()}
    assert {metric: answer[metric] for metric in asks} == close(expected)


def test_ge_is_refused_by_clarify_and_null_here_where_every_prediction_is_a_false_negative() -> (
    None
):
    frame = pl.DataFrame({"group": ["a", "d"], "label": [1, 1], "predicted": [0, 0]})
    yes, no = pd.Series([True, True]), pd.Series([False, False])
    with pytest.raises(ValueError, match="All predicted labels are false negatives"):
        clarify.GE(yes, no)
    assert fairness(frame).ge(label="label", predicted="predicted")["ge"].item() is None


@pytest.mark.parametrize("alpha", [-1, 0.5, 2, 3])
def test_generalized_entropy_of_any_order_that_clarify_knows(alpha: float) -> None:
    # Without a false negative, so that orders below 0 have a value.
    frame = FRAMES["all accepted"]
    rows = _rows(Comparison(frame, "d"))
    expected = GE(rows["positive_label_index"], rows["positive_predicted_label_index"], alpha)
    assert fairness(frame).ge(alpha=alpha, label="label", predicted="predicted")[
        "ge"
    ].item() == close(expected)


@pytest.mark.parametrize("alpha", [0, 1])
def test_clarify_does_not_know_the_orders_that_need_a_logarithm(alpha: float) -> None:
    with pytest.raises(NotImplementedError, match="Not implemented for alpha 0 or 1"):
        GE(pd.Series([True, False]), pd.Series([True, True]), alpha)


def _distance(metric: str, column: str) -> Ask:
    def ask(each: Comparison) -> float:
        return float(DISTANCES[metric](pd.Series(each.column(column)), pd.Series(each.in_d)))

    return ask


def _occur_in_every_group(name: str, column: str, values: tuple[Any, ...]) -> bool:
    """Whether every group, and so either side, has all of these label values."""
    groups = FRAMES[name].partition_by("group")
    return all(set(group[column]) == set(values) for group in groups)


@pytest.mark.parametrize("metric", DISTANCES)
@pytest.mark.parametrize(
    "frame", [name for name in FRAMES if _occur_in_every_group(name, "label", (0, 1))]
)
def test_distances_of_two_labels_agree_where_both_sides_have_both(frame: str, metric: str) -> None:
    assert ours(frame, metric, zero=0.0) == close(theirs(frame, _distance(metric, "label")))


@pytest.mark.parametrize("metric", DISTANCES)
@pytest.mark.parametrize(
    "frame", [name for name in FRAMES if _occur_in_every_group(name, "grade", GRADES)]
)
def test_distances_of_four_labels_agree_where_both_sides_have_all(frame: str, metric: str) -> None:
    expected = theirs(frame, _distance(metric, "grade"))
    assert ours_of_grades(frame, metric) == close(expected)


def test_distances_count_what_one_side_lacks_and_clarify_drops() -> None:
    # No row of d has grade D; Clarify leaves the grade out and does not scale up the others.
    frame = FRAMES["balanced"].filter((pl.col("group") != "d") | (pl.col("grade") != "D"))
    missing = float(np.mean(frame.filter(group="a")["grade"].to_numpy() == "D"))
    dropped = {name: _distance(name, "grade")(Comparison(frame, "d")) for name in DISTANCES}
    whole = {
        "kl": inf,
        "js": dropped["js"] + missing * log(2) / 2,
        "lp": sqrt(dropped["lp"] ** 2 + missing**2),
        "tvd": dropped["tvd"] + missing / 2,
        "ks": max(dropped["ks"], missing),
    }
    answer = pf.metrics(frame, *DISTANCES, facet="group", disfavored="d", label="grade")
    assert answer.select(*DISTANCES).row(0, named=True) == close(whole)


def test_kl_agrees_where_it_is_side_a_that_lacks_a_label() -> None:
    # A share of 0 in a adds nothing, so that Clarify drops nothing.
    frame = FRAMES["balanced"].filter((pl.col("group") != "a") | (pl.col("grade") != "D"))
    answer = fairness(frame).kl(facet="group", disfavored="d", label="grade")
    assert answer["kl"].item() == close(_distance("kl", "grade")(Comparison(frame, "d")))


@pytest.mark.parametrize("metric", DISTANCES)
def test_sides_without_a_common_label_are_refused_by_clarify_and_furthest_apart_here(
    metric: str,
) -> None:
    frame = pl.DataFrame({"group": ["a", "a", "d"], "grade": ["A", "B", "C"]})
    with pytest.raises(ValueError, match="No instance of common facet found"):
        _distance(metric, "grade")(Comparison(frame, "d"))
    furthest = {"kl": inf, "js": log(2), "lp": sqrt(1.5), "tvd": 1, "ks": 1}
    value = pf.metrics(frame, metric, facet="group", disfavored="d", label="grade")[metric].item()
    assert value == close(furthest[metric])


def test_one_side_alone_is_refused_by_clarify_and_is_undefined_here() -> None:
    frame = FRAMES["balanced"].filter(group="d")
    sided = {metric: ask for metric, ask in CLARIFY.items() if metric != "ge"}
    for ask in sided.values():
        with pytest.raises(ValueError, match=r"(?i)facet set is empty"):
            ask(Comparison(frame, "d"))
    answer = pf.metrics(frame, *sided, facet="group", label="label", predicted="predicted")
    assert answer.select(*sided).row(0, named=True) == dict.fromkeys(sided)
