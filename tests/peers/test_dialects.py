"""Other tools' metrics by their own names give the tools' numbers, to 12 digits.

Every entry of a table is compared with its tool, on the frames of all peers, on frames of made-up
rows without some outcomes, and on rows of real data. A tool's public functions are all in its
table, or on its list of reasons.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from inspect import getmembers, isfunction
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from fairlearn import metrics as fairlearn

import polars_fairness as pf
from polars_fairness.catalogue.dialects import TOOLS, parameters_of_tool, tool_of
from polars_fairness.catalogue.dialects.entries import Tool, ToolMetric

from .comparisons import UNWEIGHTED_AND_WEIGHTED
from .frames import FRAMES, generated
from .quiet import importing_aif360

with importing_aif360():
    from aif360.datasets import BinaryLabelDataset
    from aif360.metrics import BinaryLabelDatasetMetric, ClassificationMetric

OUTCOMES: Final = {"label", "predicted"}

Parameters = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Frame:
    """Rows that a tool counts, as a key of what is made of them."""

    rows: pl.DataFrame


There = Callable[[Frame, str, ToolMetric, bool, Parameters], float]

METHODS: Final[tuple[Parameters, ...]] = ({}, {"method": "to_overall"})
AGGREGATES: Final[tuple[Parameters, ...]] = (
    {"agg": "mean"},
    {"agg": "mean", "method": "to_overall"},
)
VARIANTS: Final[Mapping[str, tuple[Parameters, ...]]] = {
    "method": METHODS,
    "agg": AGGREGATES,
    "privileged": ({}, {"privileged": True}, {"privileged": False}),
    "alpha": ({}, {"alpha": 1}, {"alpha": 0}, {"alpha": 0.5}, {"alpha": 3}),
    "concentration": ({}, {"concentration": 0.5}),
}


def _with_gaps(seed: int) -> pl.DataFrame:
    """Made-up rows, some of them without an outcome."""
    frame = generated(seed, 90, groups={"a": 0.5, "b": 0.3, "d": 0.2})
    draw = np.random.default_rng(seed + 1)
    return frame.with_columns(
        pl.when(pl.Series(draw.random(frame.height) < 0.1)).then(None).otherwise(name).alias(name)
        for name in ("label", "predicted")
    )


def _of_data(
    frame: pl.DataFrame, group: str, label: str, predicted: pl.Expr, score: pl.Expr
) -> pl.DataFrame:
    """Rows of a data set with the columns of all peers' frames."""
    if "n" in frame.columns:
        frame = frame.select(pl.exclude("n").repeat_by("n").explode())
    weight = pl.int_range(pl.len()) % 7 / 3 + 0.5
    return frame.select(
        group=group,
        label=pl.col(label).cast(pl.Int64),
        predicted=predicted.cast(pl.Int64),
        score=score.cast(pl.Float64),
        weight=weight,
    ).drop_nulls()


_TENTHS: Final = pl.col("score") / 10
DATA: Final = {
    "loans": _of_data(
        pf.datasets.loans()[:4000], "sex", "repaid", pl.col("approved"), pl.col("score")
    ),
    "loans by branch": _of_data(
        pf.datasets.loans()[:3000], "branch", "repaid", pl.col("approved"), pl.col("score")
    ),
    "compas": _of_data(pf.datasets.compas(), "race", "reoffended", pl.col("score") >= 5, _TENTHS),
    "stops": _of_data(
        pf.datasets.stops().sample(80, seed=1), "race", "cited", pl.col("searched"), pl.lit(0.5)
    ),
}
GAPS: Final = {f"missing outcomes, seed {seed}": _with_gaps(seed) for seed in range(50, 54)}
ALL: Final = {**FRAMES, **GAPS, **DATA}


def _variants(known: Iterable[str]) -> Iterator[Parameters]:
    yield {}
    for parameter in known:
        yield from (given for given in VARIANTS[parameter] if given)


@cache
def _entries(tool: str) -> list[tuple[ToolMetric, Parameters]]:
    """Every entry of a tool, with the parameters of its function, under a name of its own."""
    return [
        (_named(name, given), given)
        for name in _tool(tool).names
        for given in _variants(parameters_of_tool(name))
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


def _of_numbers(metric: ToolMetric) -> bool:
    return "observed" in metric.needs


@cache
def _here(frame: str, tool: str, side: str, *, weighted: bool, numbers: bool) -> dict[str, Any]:
    """Our numbers of all entries of a tool, in one call."""
    metrics = [
        metric
        for metric, _ in _entries(tool)
        if (metric.takes_weights or not weighted) and _of_numbers(metric) == numbers
    ]
    question: dict[str, Any] = (
        {"observed": "label", "estimated": "score"}
        if numbers
        else {
            "label": "label",
            "predicted": "predicted",
            "score": "score",
            "nulls": "drop",
            "positive": 1,
        }
    )
    answer = pf.metrics(
        ALL[frame].drop_nulls() if numbers else ALL[frame],
        metrics,
        facet="group",
        disfavored=side,
        weight="weight" if weighted else None,
        # The tool's own 0/0 is that of the tool.
        zero_division=0.25,
        **question,
    )
    values: dict[str, Any] = answer.row(0, named=True)
    return values


def _tool(name: str) -> Tool:
    tool = tool_of(f"{name}.")
    assert tool is not None
    return tool


def _of_fairlearn(
    frame: Frame, _: str, metric: ToolMetric, weighted: bool, given: Parameters
) -> float:
    function, rows = getattr(fairlearn, metric.function), frame.rows
    outcome = "score" if _of_numbers(metric) or "score" in metric.needs else "predicted"
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
    sides = frame.rows.with_columns(side=pl.col("group") != side)
    if sides["label"].null_count() + sides["predicted"].null_count():
        # A metric of one outcome counts the rows that lack the other.
        sides = sides.with_columns(pl.col("label", "predicted").fill_null(0))
    groups = {"unprivileged_groups": [{"group": 0}], "privileged_groups": [{"group": 1}]}
    found = [
        _data_set(sides, outcome, facet, weighted=weighted) for outcome in ("label", "predicted")
    ]
    return (
        BinaryLabelDatasetMetric(found[0], **(groups if by_side else {})),
        ClassificationMetric(*found, **(groups if by_side else {})),
    )


def _of_aif360(
    frame: Frame, side: str, metric: ToolMetric, weighted: bool, given: Parameters
) -> float:
    owner, _, function = metric.function.partition(".")
    by_side = not (
        function.startswith(("smoothed", "differential", "between_all"))
        or ("facet" not in metric.needs and not given)
    )
    of_labels, of_predictions = _classified(frame, side, by_side=by_side, weighted=weighted)
    one = of_labels if owner == "BinaryLabelDatasetMetric" else of_predictions
    return float(getattr(one, function)(**given))


@cache
def _counted(frame: str, *needed: str) -> Frame:
    """The rows that a tool counts: those that have what a metric needs, as with nulls="drop"."""
    return Frame(ALL[frame].drop_nulls(needed) if needed else ALL[frame])


OF_TOOLS: Final[dict[str, There]] = {"fairlearn": _of_fairlearn, "aif360": _of_aif360}


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", ALL)
@pytest.mark.parametrize("tool", OF_TOOLS)
def test_a_name_gives_the_number_of_its_tool(tool: str, frame: str, *, weighted: bool) -> None:
    differ = {}
    compared = 0
    groups = ALL[frame]["group"].unique().sort().to_list()
    # Fairlearn has no sides.
    for side in groups if len(groups) < 3 and tool != "fairlearn" else groups[:1]:
        for metric, given in _entries(tool):
            if weighted and not metric.takes_weights:
                continue
            numbers = _of_numbers(metric)
            lacking = OUTCOMES if numbers else sorted(OUTCOMES & {*metric.needs})
            rows = _counted(frame, *(lacking if frame in GAPS else ()))
            here = _here(frame, tool, side, weighted=weighted, numbers=numbers)[metric.name]
            there = _number(lambda: OF_TOOLS[tool](rows, side, metric, weighted, given))  # noqa: B023
            compared += 1
            if not _is_near(here, there):
                differ[metric.name, side] = (here, there)
    assert differ == {}
    assert compared > 30


def _public(tool: str) -> set[str]:
    """The public functions of a tool that say something of groups."""
    if tool == "fairlearn":
        return {*fairlearn.__all__}
    classes = (BinaryLabelDatasetMetric, ClassificationMetric)
    return {
        f"{each.__name__}.{name}"
        for each in classes
        for name, _ in getmembers(each, isfunction)
        if not name.startswith("_")
    }


@pytest.mark.parametrize("tool", TOOLS)
def test_every_public_function_has_an_entry_or_a_reason(tool: str) -> None:
    known = _tool(tool)
    of_rows = {short for row in known.rows for short in (row.function, *row.shorts)}
    public = _public(tool)
    assert {name for name in public if name not in of_rows and not _reason(known, name)} == set()
    assert {row.function for row in known.rows} <= public
    assert {*known.reasons} <= public | {name.rpartition(".")[2] for name in public}


def _reason(tool: Tool, name: str) -> str | None:
    return tool.reasons.get(name) or tool.reasons.get(name.rpartition(".")[2])
