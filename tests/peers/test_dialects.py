"""Other tools' metrics by their own names give the tools' numbers, to 12 digits.

Every entry of a table is compared with its tool, on frames of all peers, on frames of made-up rows
without some outcomes and groups, and on rows of real data. Side d is the group "d" of each; all
frames are windows of one call. A tool's public functions are all in its table, or on its list of
reasons.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from inspect import getmembers, isfunction, signature
from typing import Any, Final

import numpy as np
import pandas as pd
import polars as pl
import pytest
from aequitas import Audit
from aequitas.fairness import Fairness
from fairlearn import metrics as fairlearn
from holisticai.bias import metrics as holistic
from smclarify.bias import metrics as smclarify
from smclarify.bias.metrics import basic_stats

import polars_fairness as pf
from polars_fairness.elsewhere import tool_of
from polars_fairness.elsewhere.entries import Tool, ToolMetric
from tests.frames import shared

from .frames import FRAMES, ODD, generated
from .quiet import importing_aif360

with importing_aif360():
    from aif360.datasets import BinaryLabelDataset
    from aif360.metrics import BinaryLabelDatasetMetric, ClassificationMetric
    from aif360.sklearn import metrics as aif

OUTCOMES: Final = {"label", "predicted"}

Parameters = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Frame:
    """Rows that a tool counts, as a key of what is made of them."""

    rows: pl.DataFrame


There = Callable[[Frame, str, ToolMetric, bool, Parameters], float]

VARIANTS: Final[Mapping[str, tuple[Parameters, ...]]] = {
    "method": ({"method": "to_overall"},),
    "agg": ({"agg": "mean"}, {"agg": "mean", "method": "to_overall"}),
    "privileged": ({"privileged": True}, {"privileged": False}),
    "alpha": ({"alpha": 1}, {"alpha": 0}, {"alpha": 0.5}, {"alpha": 3}),
    "concentration": ({"concentration": 0.5},),
    "fill_divbyzero": ({"fill_divbyzero": 3.0},),
    "tau": ({"tau": 0.9},),
    "q": ({"q": 0.3},),
    "of": ({"of": "labels"},),
}


def _with_gaps(seed: int) -> pl.DataFrame:
    """Made-up rows, some of them without an outcome or a group."""
    frame = generated(seed, 90, groups={"a": 0.5, "b": 0.3, "d": 0.2})
    draw = np.random.default_rng(seed + 1)
    return frame.with_columns(
        pl.when(pl.Series(draw.random(frame.height) < 0.1)).then(None).otherwise(name).alias(name)
        for name in ("label", "predicted", "group")
    )


def _of_data(
    frame: pl.DataFrame, group: str, d: str, label: str, predicted: pl.Expr, score: pl.Expr
) -> pl.DataFrame:
    """Rows of a data set with the columns of all peers' frames."""
    if "n" in frame.columns:
        frame = frame.select(pl.exclude("n").repeat_by("n").explode(empty_as_null=False))
    return frame.select(
        group=pl.when(pl.col(group) == d).then(pl.lit("d")).otherwise(group),
        branch=pl.format("branch {}", pl.int_range(pl.len()) % 5),
        label=pl.col(label).cast(pl.Int64),
        predicted=predicted.cast(pl.Int64),
        score=score.cast(pl.Float64),
        weight=pl.int_range(pl.len()) % 7 / 3 + 0.5,
    ).drop_nulls()


_TENTHS: Final = pl.col("score") / 10
_LOANS: Final = pf.datasets.loans()
DATA: Final = {
    "loans": _of_data(_LOANS[:2000], "sex", "F", "repaid", pl.col("approved"), pl.col("score")),
    "loans by branch": _of_data(
        _LOANS[:1000], "branch", "North", "repaid", pl.col("approved"), pl.col("score")
    ),
    "compas": _of_data(
        pf.datasets.compas(), "race", "Other", "reoffended", pl.col("score") >= 5, _TENTHS
    ),
    "stops": _of_data(
        pf.datasets.stops().sample(80, seed=1),
        "race",
        "Black",
        "cited",
        pl.col("searched"),
        pl.lit(0.5),
    ),
}
GAPS: Final = {f"missing, seed {seed}": _with_gaps(seed) for seed in (50, 51)}
SOME: Final = (
    "balanced",
    "minority of 5 %",
    "five groups",
    "sparse strata",
    "one side missing in a stratum",
    "ten rows, seed 30",
    "ten rows, seed 31",
    "ten rows of three groups, seed 36",
    "ten rows of three groups, seed 37",
)
# HolisticAI's 150 quantiles are scores where 149 divides the number of rows less one, and rounding
# puts some of them above the score. scikit-learn subtracts to count true negatives: with weights,
# 1e-15 of them may remain of none, and the specificity is a quotient of rounding errors.
ROUNDED: Final = {
    *(
        (f"holisticai.{name}", frame)
        for name in ("max_statistical_parity", "statistical_parity_auc")
        for frame, rows in ODD.items()
        if rows.height % 149 == 1
    ),
    *(
        (f"aif360.sklearn.{name}", frame)
        for frame in ("no negative label", "no negative label in d")
        for name in (
            "average_odds_difference",
            "average_odds_error",
            "specificity_score",
            "false_positive_rate_error",
        )
    ),
}
ALL: Final = {**{name: FRAMES[name] for name in SOME}, **ODD, **GAPS, **DATA}
TOGETHER: Final = pl.concat(
    (frame.with_columns(frame=pl.lit(name)) for name, frame in ALL.items()), how="diagonal"
)


@cache
def _entries(tool: str) -> list[tuple[ToolMetric, Parameters]]:
    """Every entry of a tool, with the parameters of its function, under a name of its own."""
    return [
        (_named(name, given), given)
        for name in tool_of(tool).names
        for taken in [signature(tool_of(tool).factory(name)).parameters]
        for given in ({}, *(each for parameter in taken for each in VARIANTS[parameter]))
    ]


def _named(name: str, given: Parameters) -> ToolMetric:
    """The metric under a name of its own, so that all variants stand in one call."""
    metric = pf.entry(name, **given)
    assert isinstance(metric, ToolMetric)
    renamed = metric.named(" ".join([name, *(f"{key}={value}" for key, value in given.items())]))
    assert isinstance(renamed, ToolMetric)
    return renamed


def _number(ask: Callable[[], Any]) -> float | None:
    """The tool's number, null where it is nan."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        value = float(ask())
    return None if np.isnan(value) else value


def _is_near(here: float | None, there: float | None) -> bool:
    if here is None or there is None:
        return here is there
    return bool(np.isclose(here, there, rtol=1e-12, atol=1e-12))


@cache
def _here(tool: str, side: str, *, weighted: bool) -> dict[str, dict[str, Any]]:
    """Our numbers of all entries of a tool in each frame, in two calls."""
    found: dict[str, dict[str, Any]] = {name: {} for name in ALL}
    of_outcomes: dict[str, Any] = {"label": "label", "predicted": "predicted", "score": "score"}
    of_outcomes |= {"positive": 1, "subgroup": "branch"}
    of_numbers: dict[str, Any] = {"observed": "label", "estimated": "score"}
    for numbers in (False, True):
        metrics = [
            metric
            for metric, _ in _entries(tool)
            if (metric.takes_weights or not weighted) and metric.is_about_numbers == numbers
        ]
        if not metrics:
            continue
        answer = shared(
            pf.metrics,
            TOGETHER.drop_nulls(["label", "predicted"]) if numbers else TOGETHER,
            metrics,
            by="frame",
            facet="group",
            disfavored=side,
            weight="weight" if weighted else None,
            nulls="drop",
            # The tool's own 0/0 is that of the tool.
            zero_division=0.25,
            **(of_numbers if numbers else of_outcomes),
        )
        for row in answer.to_dicts():
            found[row["frame"]] |= row
    return found


def _of_fairlearn(
    frame: Frame, _: str, metric: ToolMetric, weighted: bool, given: Parameters
) -> float:
    function, rows = getattr(fairlearn, metric.function), frame.rows
    outcome = "score" if metric.is_about_numbers or "score" in metric.needs else "predicted"
    arguments: dict[str, Any] = dict(given)
    if "facet" in metric.needs:
        arguments["sensitive_features"] = rows["group"].to_numpy()
    if weighted:
        arguments["sample_weight"] = rows["weight"].to_numpy()
    return float(function(rows["label"].to_numpy(), rows[outcome].to_numpy(), **arguments))


def _data_set(
    frame: pl.DataFrame, outcome: str, facet: str, *, weighted: bool
) -> BinaryLabelDataset:
    table = frame.select(
        pl.col(facet).rank("dense").cast(pl.Float64).alias("group") - 1,
        pl.col(outcome).cast(pl.Float64).alias("outcome"),
        pl.col("score") if outcome == "predicted" else pl.lit(0.0).alias("score"),
        (pl.col("weight") if weighted else pl.lit(1.0)).alias("weight"),
    )
    return BinaryLabelDataset(
        df=table.to_pandas(),
        label_names=["outcome"],
        scores_names=["score"],
        protected_attribute_names=["group"],
        instance_weights_name="weight",
    )


@cache
def _classified(frame: Frame, side: str, *, by_side: bool, weighted: bool) -> Any:
    """The objects whose methods are the metrics: of two sides, or of all groups."""
    facet = "side" if by_side else "group"
    # A metric of one outcome counts the rows that lack the other.
    sides = frame.rows.with_columns(
        pl.col("label", "predicted").fill_null(0), side=pl.col("group") != side
    )
    groups = {"unprivileged_groups": [{"group": 0}], "privileged_groups": [{"group": 1}]}
    found = [
        _data_set(sides, outcome, facet, weighted=weighted) for outcome in ("label", "predicted")
    ]
    return (
        BinaryLabelDatasetMetric(found[0], **(groups if by_side else {})),
        ClassificationMetric(*found, **(groups if by_side else {})),
    )


# Functions that compare all groups, not two sides.
_OF_GROUPS: Final = ("smoothed_edf", "df_bias", "conditional", "between_group")


def _of_function(
    frame: Frame, side: str, metric: ToolMetric, weighted: bool, given: Parameters
) -> float:
    function, rows = getattr(aif, metric.function.partition(".")[2]), frame.rows
    takes = signature(function).parameters
    of_groups = metric.function.partition(".")[2].startswith(_OF_GROUPS)
    groups = rows["group"] if of_groups else rows["group"] != side
    index = pd.Index(groups.to_numpy(), name="group")
    outcome = "score" if "probas_pred" in takes else "predicted"
    label, decided = (
        pd.Series(rows[name].fill_null(0).to_numpy(), index=index) for name in ("label", outcome)
    )
    arguments: dict[str, Any] = {name: each for name, each in given.items() if name != "of"}
    if "y_pred" in takes and given.get("of") != "labels":
        arguments["y_pred"] = decided
    if "probas_pred" in takes:
        arguments["probas_pred"] = decided
    if "priv_group" in takes and not of_groups:
        arguments["priv_group"] = True
    if weighted:
        arguments["sample_weight"] = rows["weight"].to_numpy()
    try:
        return float(function(label, **arguments))
    except ZeroDivisionError:  # all outcomes are one value
        return float("nan")


def _of_aif360(
    frame: Frame, side: str, metric: ToolMetric, weighted: bool, given: Parameters
) -> float:
    owner, _, function = metric.function.partition(".")
    if owner == "sklearn":
        return _of_function(frame, side, metric, weighted, given)
    by_side = not (
        function.startswith(("smoothed", "differential", "between_all"))
        or ("facet" not in metric.needs and not given)
    )
    of_labels, of_predictions = _classified(frame, side, by_side=by_side, weighted=weighted)
    one = of_labels if owner == "BinaryLabelDatasetMetric" else of_predictions
    return float(getattr(one, function)(**given))


@cache
def _audited(frame: Frame, side: str, tau: float, fill_divbyzero: float) -> Mapping[str, Any]:
    """What Aequitas has of side d beside the others, its verdicts included."""
    rows = frame.rows.select(
        pl.col("label", "predicted").fill_null(0),
        side=pl.when(pl.col("group") == side).then(pl.lit("d")).otherwise(pl.lit("a")),
    )
    audit = Audit(
        rows.to_pandas(),
        score_column="predicted",
        label_column="label",
        sensitive_attribute_column=["side"],
        reference_groups={"side": "a"},
    )
    audit.audit(bias_args={"fill_divbyzero": fill_divbyzero})
    table = Fairness(tau=tau).get_group_value_fairness(audit.disparity_df)
    found: dict[str, Any] = table.set_index("attribute_value").loc["d"].to_dict()
    return found


def _of_aequitas(frame: Frame, side: str, metric: ToolMetric, _: bool, given: Parameters) -> float:
    arguments = {"tau": 0.8, "fill_divbyzero": 10.0, **given}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(_audited(frame, side, **arguments)[metric.function])


@cache
def _columns(frame: Frame, side: str, estimate: str) -> Mapping[str, Any]:
    """What functions of HolisticAI and of smclarify take, by the names of their arguments."""
    rows = frame.rows
    of_d, positive, accepted = (
        pd.Series((rows[name] == value).fill_null(value=False).to_numpy())
        for name, value in (("group", side), ("label", 1), ("predicted", 1))
    )
    return {
        "group_a": ~of_d.to_numpy(),
        "group_b": of_d.to_numpy(),
        "y_true": rows["label"].to_numpy(),
        "y_pred": rows[estimate].to_numpy(),
        "y_score": rows[estimate].to_numpy(),
        "feature": rows["group"].to_pandas(),
        "label": rows["label"].to_pandas(),
        "sensitive_facet_index": of_d,
        "positive_label_index": positive,
        "positive_predicted_label_index": accepted,
        "group_variable": rows["branch"].to_pandas(),
        "TP": (of_d & positive & accepted).sum(),
        "FP": (of_d & ~positive & accepted).sum(),
        "TN": (of_d & ~positive & ~accepted).sum(),
        "FN": (of_d & positive & ~accepted).sum(),
    }


def _of_functions(frame: Frame, side: str, metric: ToolMetric, _: bool, given: Parameters) -> float:
    of_module = {"HolisticAI": (holistic,), "smclarify": (smclarify, basic_stats)}[metric.tool]
    [function] = (
        vars(each)[metric.function] for each in of_module if metric.function in vars(each)
    )
    estimate = "score" if {"score", "estimated"} & {*metric.needs} else "predicted"
    known = _columns(frame, side, estimate)
    arguments = {name: known[name] for name in signature(function).parameters if name in known}
    try:
        return float(function(**arguments, **given))
    # A matrix of a side has one cell, no row has the outcome, or the sides have no common label.
    except (IndexError, ValueError):
        return float("nan")


@cache
def _counted(frame: str, *needed: str) -> Frame:
    """The rows that a tool counts: those that have what a metric needs, as with nulls="drop".

    Where groups do not matter, rows without one count too.
    """
    if frame not in GAPS and needed:
        return _counted(frame)
    rows = ALL[frame].drop_nulls(needed) if needed else ALL[frame]
    return Frame(rows.with_columns(pl.col("group").fill_null("a")))


OF_TOOLS: Final[dict[str, There]] = {
    "fairlearn": _of_fairlearn,
    "aif360": _of_aif360,
    "aequitas": _of_aequitas,
    "holisticai": _of_functions,
    "smclarify": _of_functions,
}


# By day a sixth of the frames, from another one on for each tool.
@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.nightly)])
@pytest.mark.parametrize(
    ("tool", "weighted"),
    [
        pytest.param(tool, weighted, id=f"{tool}{' weighted' if weighted else ''}")
        for tool in OF_TOOLS
        for weighted in (False, True)
        if not weighted or any(metric.takes_weights for metric, _ in _entries(tool))
    ],
)
def test_a_name_gives_the_number_of_its_tool(tool: str, step: int, *, weighted: bool) -> None:
    differ = {}
    compared = 0
    # Fairlearn takes 0.02 seconds for each number.
    least = 150 // step
    step *= (3 if weighted else 1) * (2 if tool == "fairlearn" else 1)
    for frame in [*ALL][[*OF_TOOLS].index(tool) % step :: step]:
        # Where all rows have one outcome, the sides are not alike. Fairlearn has no sides.
        is_swapped = frame in ODD and tool != "fairlearn" and not weighted
        for side in ("d", "a") if is_swapped else ("d",):
            for metric, given in _entries(tool):
                if weighted and not metric.takes_weights:
                    continue
                outcomes = OUTCOMES if metric.is_about_numbers else OUTCOMES & {*metric.needs}
                if "label values" in metric.needs:
                    outcomes = {"label"}
                groups = {"group"} if "facet" in metric.needs else set()
                rows = _counted(frame, *sorted(outcomes | groups))
                here = _here(tool, side, weighted=weighted)[frame][metric.name]
                there = _number(lambda: OF_TOOLS[tool](rows, side, metric, weighted, given))  # noqa: B023
                compared += 1
                name = metric.name.partition(" ")[0]
                if not _is_near(here, there) and (name, frame) not in ROUNDED:
                    differ[metric.name, frame, side] = (here, there)
    assert differ == {}
    assert compared > least


@pytest.mark.parametrize("frame", ["five groups", "stops"])
def test_rows_on_neither_side_count_as_in_aif360(frame: str) -> None:
    rows = ALL[frame].with_columns(
        group=pl.when(pl.col("group") == "d")
        .then(pl.lit("d"))
        .when(pl.int_range(pl.len()) % 3 == 0)
        .then(pl.lit("a"))
        .otherwise(pl.lit("other"))
    )
    sides = {"privileged_groups": [{"group": 0}], "unprivileged_groups": [{"group": 1}]}
    sets = [_data_set(rows, each, "group", weighted=False) for each in ("label", "predicted")]
    objects = {
        "BinaryLabelDatasetMetric": BinaryLabelDatasetMetric(sets[0], **sides),
        "ClassificationMetric": ClassificationMetric(*sets, **sides),
    }
    question: dict[str, Any] = {"facet": "group", "disfavored": "d", "favored": "a"}
    question |= {"label": "label", "predicted": "predicted", "score": "score"}
    entries = [
        (metric, given, objects[owner], function)
        for metric, given in _entries("aif360")
        for owner, _, function in [metric.function.partition(".")]
        if owner in objects
        if metric.has_sides or function.startswith(("generalized_", "num_generalized_"))
    ]
    here = pf.metrics(rows, [metric for metric, *_ in entries], **question).row(0, named=True)
    differ = {}
    for metric, given, of, function in entries:
        there = _number(lambda: float(getattr(of, function)(**given)))  # noqa: B023
        if not _is_near(here[metric.name], there):
            differ[metric.name] = (here[metric.name], there)
    assert differ == {}
    assert len(entries) > 40


def _public(tool: str) -> set[str]:
    """The public functions of a tool that say something of groups, or the columns of its table."""
    if tool == "fairlearn":
        return {*fairlearn.__all__}
    if tool == "holisticai":
        return {*holistic.__all__}
    if tool == "smclarify":
        imported = {"divide", "binary_confusion_matrix", "sklearn_confusion_matrix"}
        rates = {name for name, _ in getmembers(basic_stats, isfunction)} - imported
        return rates | {*smclarify.__all__}
    if tool == "aequitas":
        table = _audited(_counted("balanced"), "d", 0.8, 10.0)
        about = ("model_id", "score_threshold", "attribute_name")
        return {name for name in table if name not in about and not name.endswith("_group_value")}
    classes = (BinaryLabelDatasetMetric, ClassificationMetric)
    module = aif.difference.__module__
    in_manner_of_sklearn = {
        f"sklearn.{name}" for name, each in getmembers(aif, isfunction) if each.__module__ == module
    }
    return in_manner_of_sklearn | {
        f"{each.__name__}.{name}"
        for each in classes
        for name, _ in getmembers(each, isfunction)
        if not name.startswith("_")
    }


@pytest.mark.parametrize("tool", OF_TOOLS)
def test_every_public_function_has_an_entry_or_a_reason(tool: str) -> None:
    known = tool_of(tool)
    of_rows = {short for row in known.rows for short in (row.function, *row.shorts)}
    public = _public(tool)
    assert {name for name in public if name not in of_rows and not _reason(known, name)} == set()
    assert {row.function for row in known.rows} <= public
    assert {*known.reasons} <= public | {name.rpartition(".")[2] for name in public}


def _reason(tool: Tool, name: str) -> str | None:
    return tool.reasons.get(name) or tool.reasons.get(name.rpartition(".")[2])
