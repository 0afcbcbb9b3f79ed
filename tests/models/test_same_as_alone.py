"""Each of several models has the answer that it has alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.counting.models import MOST_TOGETHER
from tests.frames import shared
from tests.plans import scans_of
from tests.strategies import FULL, examples, frames

QUESTION: dict[str, Any] = {"facet": "sex", "label": "y", "subgroup": "branch"}

Call = Callable[..., Any]

# Metrics of each level.
LEVELS = ("di", "rd", "kl", "cddpl", "selection_rate_gap", "accuracy", "ge")


def audited(frame: Any, **question: Any) -> Any:
    return pf.audit(frame, *LEVELS, replicates=10, **question)


OF_DECISIONS: dict[str, Call] = {
    "metrics": pf.metrics,
    "rates": pf.rates,
    "audit": audited,
    "closed forms": partial(audited, method="newcombe", p_values="exact"),
    "worst_groups": lambda frame, **question: shared(pf.worst_groups, frame, "spsf", **question),
    "of groups": lambda frame, **question: shared(
        pf.metrics, frame, pf.entry("fpsf", groups="conjunctions"), **question
    ),
    "decompose": lambda frame, **question: shared(pf.decompose, frame, "cddpl", **question),
}
OF_SCORES: dict[str, Call] = {
    "metrics": lambda frame, **question: shared(
        pf.metrics, frame, "auc_difference", "ece_gap", **question
    ),
    "rates": pf.rates,
    "audit": lambda frame, **question: shared(
        pf.audit, frame, "auc_difference", "calibration_difference", replicates=10, **question
    ),
    "delong": lambda frame, **question: shared(
        pf.audit, frame, "auc_difference", method="delong", **question
    ),
    "worst_groups": lambda frame, **question: shared(
        pf.worst_groups, frame, "miscalibration", **question
    ),
    "calibration": partial(pf.calibration, bins=4),
}


def with_models(frame: pl.DataFrame) -> pl.DataFrame:
    """Decisions of many types that follow from the columns of `tests.strategies`."""
    other = pl.col("p") ^ (pl.col("u") > 0)
    return frame.with_columns(
        opposite=~pl.col("p"),
        number=pl.col("p").cast(pl.Int8),
        whole=other.cast(pl.Int64),
        text=pl.when(other).then(pl.lit("yes")).otherwise(pl.lit("no")),
        word=pl.when(pl.col("p"))
        .then(pl.lit("good"))
        .otherwise(pl.lit("bad"))
        .cast(pl.Enum(["bad", "good"])),
        doubtful=pl.col("s") / 2,
        points=(pl.col("s") * 100).cast(pl.Int32),
        short=pl.col("s").cast(pl.Float32),
    )


# The predictions of several models, their further arguments, and those of a model that has others.
Models = tuple[dict[str, str], dict[str, Any], dict[str, dict[str, Any]]]

MODELS: dict[str, Models] = {
    "Booleans": ({"b": "opposite", "a": "p"}, {}, {}),
    "the same column twice": ({"a": "p", "b": "p"}, {}, {}),
    "numbers": ({"a": "number", "b": "whole", "c": "p"}, {}, {}),
    "text, and positive values by column": (
        {"a": "text", "b": "word", "c": "p"},
        {"positive": {"text": "yes", "word": "good"}},
        {"a": {"positive": {"text": "yes"}}, "b": {"positive": {"word": "good"}}, "c": {}},
    ),
    "the other way round": ({"a": "p", "b": "opposite"}, {"positive": {"p": False}}, {"b": {}}),
    "one threshold": ({"a": "s", "b": "doubtful"}, {"threshold": 0.29}, {}),
    "a threshold of each model": (
        {"a": "s", "b": "points", "c": "s"},
        {"threshold": {"a": 0.57, "b": 29, "c": 0.1}},
        {name: {"threshold": at} for name, at in {"a": 0.57, "b": 29, "c": 0.1}.items()},
    ),
    "several thresholds": ({"a": "s", "b": "short"}, {"threshold": [0.7, 0.29]}, {}),
    "every threshold": ({"a": "s", "b": "s"}, {"threshold": "every"}, {}),
    "more than are counted together": (
        {f"{i:02d}": ("p", "opposite", "whole")[i % 3] for i in range(MOST_TOGETHER + 2)},
        {},
        {},
    ),
}


def apart(call: Call, frame: pl.DataFrame, models: Models, **question: Any) -> pl.DataFrame:
    """The answers of single calls, below each other."""
    columns, alike, own = models
    answers: dict[str, pl.DataFrame] = {
        name: shared(call, frame, predicted=column, **question | own.get(name, alike))
        for name, column in sorted(columns.items())
    }
    return pl.concat(
        answer.select(pl.lit(name).alias("model"), pl.all()) for name, answer in answers.items()
    )


def together(call: Call, frame: Any, models: Models, **question: Any) -> Any:
    columns, alike, _ = models
    return shared(call, frame, predicted=columns, **question | alike)


# Each function with some kinds of models, and metrics with all.
PAIRED = [
    (name, kind)
    for place, name in enumerate(OF_DECISIONS)
    for number, kind in enumerate(MODELS)
    if name == "metrics" or number % 5 == place % 5
]


@pytest.mark.extras
@pytest.mark.parametrize(("name", "kind"), PAIRED)
def test_decisions(name: str, kind: str) -> None:
    frame, call, models = with_models(FULL), OF_DECISIONS[name], MODELS[kind]
    expected = apart(call, frame, models, **QUESTION)
    assert_frame_equal(together(call, frame, models, **QUESTION), expected, rel_tol=1e-12)


SIDES: dict[str, dict[str, Any]] = {
    "side d": {"disfavored": "F"},
    "the group with the highest rate": {"favored": pf.HIGHEST},
    "the largest group": {"favored": pf.LARGEST},
    "all rows": {"favored": pf.OVERALL, "disfavored": "X"},
    "an intersection": {"facet": pl.struct("sex", "u").alias("both")},
    "several facets": {"facet": ["sex", "u"]},
    "no facet": {"facet": None, "subgroup": None},
}


@pytest.mark.extras
@pytest.mark.parametrize("question", SIDES.values(), ids=SIDES)
def test_sides_are_found_for_each_model(question: dict[str, Any]) -> None:
    frame, given = with_models(FULL), QUESTION | question
    for name, call in (("Booleans", pf.metrics), ("several thresholds", pf.rates)):
        expected = apart(call, frame, MODELS[name], **given)
        assert_frame_equal(together(call, frame, MODELS[name], **given), expected, rel_tol=1e-12)


OF_ROWS: dict[str, dict[str, Any]] = {
    "rows": {},
    "weights": {"weight": "w"},
    "counts": {"count": "k"},
    "both": {"weight": "w", "count": "k"},
}


@examples(20)
@given(frames(), st.sampled_from([*OF_ROWS]), st.sampled_from([*MODELS]))
def test_decisions_in_any_rows(frame: pl.DataFrame, rows: str, name: str) -> None:
    question, invented = QUESTION | OF_ROWS[rows], with_models(frame)
    if name.startswith("text"):
        # A positive value that does not occur is an error.
        invented = invented.with_columns(
            text=pl.when("p").then(pl.lit("yes")).otherwise(pl.lit(""))
        )
    for call in (pf.metrics, pf.rates, audited):
        expected = apart(call, invented, MODELS[name], **question)
        assert_frame_equal(
            together(call, invented, MODELS[name], **question), expected, rel_tol=1e-12
        )


WITH_GAPS: dict[str, Models] = {
    "decisions": ({"a": "p", "b": "opposite", "c": "whole"}, {}, {}),
    "decisions of many": (
        {f"{i:02d}": ("p", "opposite", "whole")[i % 3] for i in range(MOST_TOGETHER + 2)},
        {},
        {},
    ),
    "a decision and scores": (
        {"a": "p", "b": "s", "c": "doubtful"},
        {"threshold": {"b": 0.5, "c": 0.29}},
        {"a": {}, "b": {"threshold": 0.5}, "c": {"threshold": 0.29}},
    ),
    "scores": ({"a": "s", "b": "doubtful"}, {}, {}),
    "thresholds": ({"a": "s", "b": "doubtful"}, {"threshold": [0.29, 0.5]}, {}),
}


@examples(20)
@given(
    frames(least=3),
    st.lists(st.tuples(*[st.sampled_from([0, 0, 0, 1, 2])] * 5), min_size=42, max_size=42),
    st.sampled_from([*OF_ROWS]),
    st.sampled_from([*WITH_GAPS]),
)
def test_a_row_with_a_gap_is_left_out_for_all_models(
    frame: pl.DataFrame, gaps: list[tuple[int, ...]], rows: str, name: str
) -> None:
    models, question = WITH_GAPS[name], QUESTION | OF_ROWS[rows]
    columns = ["p", "opposite", "whole", "s", "doubtful"]
    drawn = pl.DataFrame(gaps[: frame.height], columns, orient="row")
    invented = with_models(frame).with_columns(
        pl.when(drawn[column] == 0).then(pl.col(column)) for column in columns
    )
    nan = (drawn["s"] == 2) & invented["s"].is_null()
    invented = invented.with_columns(s=pl.when(nan).then(float("nan")).otherwise("s"))
    used = list(dict.fromkeys(models[0].values()))
    is_known = pl.all_horizontal(
        pl.col(used).is_not_null() & pl.col(used).cast(pl.Float64).is_not_nan()
    )
    unknown_in_all = invented.with_columns(pl.when(is_known).then(pl.col(used)))
    for call in (pf.rates, pf.metrics):
        answer = together(call, invented, models, nulls="drop", **question)
        expected = apart(call, unknown_in_all, models, nulls="drop", **question)
        assert_frame_equal(answer, expected, rel_tol=1e-12)


@pytest.mark.parametrize("resolution", [None, 0.05])
@pytest.mark.parametrize("call", OF_SCORES.values(), ids=OF_SCORES)
def test_scores(call: Call, resolution: float | None) -> None:
    models: Models = ({"a": "s", "b": "doubtful", "c": "short"}, {}, {})
    question = {**QUESTION, "resolution": resolution}
    frame = with_models(FULL)
    expected = apart(call, frame, models, **question)
    assert_frame_equal(together(call, frame, models, **question), expected, rel_tol=1e-12)


@pytest.mark.parametrize("name", ["Booleans", "numbers", "one threshold"])
@pytest.mark.parametrize("call", [pf.metrics, pf.rates, audited])
def test_models_are_counted_in_one_scan(call: Call, name: str) -> None:
    lazy = together(call, with_models(FULL).lazy(), MODELS[name], **QUESTION)
    assert scans_of(lazy) == 1
    columns, shared, _ = MODELS[name]
    assert scans_of(pf.cells(with_models(FULL).lazy(), predicted=columns, **QUESTION | shared)) == 1


@pytest.mark.parametrize("number", [19, 20])
def test_cells_keep_the_decisions_of_many_models(number: int) -> None:
    frame = pl.DataFrame(
        {"sex": ["F", "M", "F", None], "y": [True, False, True, None]}
    ).with_columns(
        pl.Series(f"p{i}", [bool((i >> row) & 1) for row in range(4)]) for i in range(number)
    )
    question: dict[str, Any] = {"facet": "sex", "label": "y", "nulls": "drop"}
    question["predicted"] = {f"model {i}": f"p{i}" for i in range(number)}
    expected = pf.metrics(frame, "accuracy", "dppl", **question)
    cells = pf.cells(frame, **question)
    assert cells["n"].sum() == 4
    of_cells = pf.metrics(cells, "accuracy", "dppl", count="n", **question)
    assert_frame_equal(of_cells, expected)
