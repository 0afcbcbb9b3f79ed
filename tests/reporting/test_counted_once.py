"""A report from one count is the report from the rows."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.reporting import answers as of_reports
from polars_fairness.reporting.answers import Answers
from tests.strategies import SCORES, examples

BOTH = pl.struct("sex", "race")
SCHEMA: dict[str, Any] = {
    "sex": pl.String,
    "race": pl.Enum(["b", "w", "o"]),
    "age": pl.Float64,
    "month": pl.Date,
    "branch": pl.String,
    "label": pl.String,
    "hired": pl.Int8,
    "advised": pl.Boolean,
    "score": pl.Float64,
    "short": pl.Float32,
    "weight": pl.Float64,
    "n": pl.Int64,
}


def people(least: int = 20) -> st.SearchStrategy[pl.DataFrame]:
    """Some people; both sexes, each label and each decision occur."""
    maybe = st.none
    one = st.tuples(
        st.sampled_from(["F", "M", None]),
        st.sampled_from(["b", "w", "o", None]),
        st.sampled_from([30.0, -0.0, 0.0, float("nan"), None]),
        st.sampled_from([date(2025, 1, 1), date(2025, 2, 1)]),
        st.sampled_from(["north", "south"]),
        st.sampled_from(["yes", "no", "late"]) | maybe(),
        st.integers(0, 1) | maybe(),
        st.booleans() | maybe(),
        st.sampled_from(SCORES) | maybe(),
        st.sampled_from(SCORES) | maybe(),
        st.sampled_from([0.0, 0.25, 1.0, 3.0]) | maybe(),
        st.integers(0, 3) | maybe(),
    )
    first = ("F", "b", 30.0, date(2025, 1, 1), "north")
    other = ("M", "w", *first[2:])
    fixed = [
        *((*person, "yes", 1, True, 0.7, 0.7, 1.0, 1) for person in (first, other)),
        *((*person, "no", 0, False, 0.3, 0.7, 1.0, 1) for person in (first, other)),
    ]
    return st.lists(one, min_size=least, max_size=40).map(
        lambda drawn: pl.DataFrame([*fixed, *drawn], schema=SCHEMA, orient="row")
    )


LABEL: dict[str, Any] = {"label": "label", "positive": {"label": "yes"}}
DECIDED: dict[str, Any] = {"facet": ["sex", "race"], "predicted": "hired", "nulls": "drop", **LABEL}
SCORED: dict[str, Any] = {"facet": ["sex", BOTH], "score": "score", "nulls": "drop", **LABEL}
MODELS: dict[str, Any] = {**DECIDED, "predicted": {"now": "hired", "new": "advised"}}

# Some questions have all metrics, and the others some of each level.
SOME: Final = ["di", "rd", "selection_rate_gap", "ge", "accuracy"]
SOME_OF_SCORES: Final = ["auc_difference", "score_difference", "brier_gap"]
QUESTIONS: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "decisions": ([], DECIDED),
    "no facet": ([], {**DECIDED, "facet": []}),
    "an intersection": ([], {**DECIDED, "facet": ["sex", "race", BOTH.alias("both")]}),
    "three facets": ([], {**DECIDED, "facet": ["sex", "race", "age"]}),
    "few rows are no group": ([], {**DECIDED, "minimum_count": 3}),
    "both at once": ([pf.entry("fpsf", groups="intersections")], DECIDED),
    "all three at once": (
        ["di", pf.entry("spsf", groups="conjunctions")],
        {**DECIDED, "facet": ["sex", "race", "age"]},
    ),
    "worst_groups": ([*SOME, "cddpl"], {**DECIDED, "subgroup": "branch", "by": "month"}),
    "one metric of subgroups": (["cddpl"], {**DECIDED, "subgroup": "branch", "by": "month"}),
    "weights": ([], {**DECIDED, "weight": "weight", "by": "branch"}),
    "counts": ([*SOME, "cddpl"], {**DECIDED, "count": "n", "subgroup": "branch"}),
    "weights and counts": (SOME, {**DECIDED, "count": "n", "weight": "weight"}),
    "scores": ([], SCORED),
    "scores of 32 bits": (SOME_OF_SCORES, {**SCORED, "score": "short"}),
    "scores beside decisions": (SOME_OF_SCORES, {**SCORED, "predicted": "hired"}),
    "scores by multiples": (SOME_OF_SCORES, {**SCORED, "resolution": 0.1, "weight": "weight"}),
    "scores by odd multiples": (SOME_OF_SCORES, {**SCORED, "resolution": 0.3, "count": "n"}),
    "short scores by multiples": (
        SOME_OF_SCORES[:2],
        {**SCORED, "score": "short", "resolution": 0.01},
    ),
    "a threshold": (["di"], {**SCORED, "threshold": 0.5}),
    "a threshold of short scores": (
        [*SOME, *SOME_OF_SCORES],
        {**SCORED, "score": "short", "threshold": 0.3},
    ),
    "a threshold of predictions": ([], {**DECIDED, "predicted": "short", "threshold": 0.7}),
    "multiples at a threshold": (
        ["di", "auc_difference"],
        {**SCORED, "threshold": 0.3, "resolution": 0.1},
    ),
    "models": (SOME, MODELS),
    "models beside a champion": (SOME, {**MODELS, "champion": "now", "weight": "weight"}),
    "models that score": (
        SOME_OF_SCORES,
        {**SCORED, "score": None, "predicted": {"a": "score", "b": "short"}},
    ),
    "models at a threshold": (
        ["di"],
        {**MODELS, "predicted": {"a": "score", "b": "short"}, "threshold": 0.5},
    ),
    "a baseline": (["di"], {**DECIDED, "by": "month", "baseline": "previous"}),
}


def found(frame: Any, metrics: list[Any], question: dict[str, Any]) -> dict[str, Any]:
    """The frames of a report, or the error."""
    try:
        report = pf.report(frame, *metrics, confidence=None, **question)
    except pf.FairnessError as error:
        return {"error": str(error)}
    return dict(frames_of(report.answers))


def frames_of(of: Answers) -> Any:
    yield from (("audited", of.audited), ("rated", of.rated), ("left_out", of.left_out))
    yield from of.decomposed.items()
    yield from ((f"rank {i}", each.table) for i, each in enumerate(of.rankings))
    if of.scores is not None:
        yield from (("swept", of.scores.swept), ("calibrated", of.scores.calibrated))


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_report_from_one_count_is_that_from_the_rows(name: str) -> None:
    metrics, question = QUESTIONS[name]

    @examples(3)
    @given(people())
    def check(frame: pl.DataFrame) -> None:
        once = found(frame, metrics, question)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(of_reports, "counted_once", lambda rows, *_: rows)
            often = found(frame, metrics, question)
        assert once.keys() == often.keys()
        for key, table in often.items():
            if isinstance(table, pl.DataFrame):
                assert_frame_equal(once[key], table, rel_tol=1e-9, abs_tol=1e-12)
            else:
                assert once[key] == table
        assume("error" not in often)

    check()


@pytest.mark.extras
def test_a_report_of_an_engine_is_that_of_polars() -> None:
    duckdb = pytest.importorskip("duckdb")
    frame = pl.DataFrame(
        {
            "sex": ["F", "F", "M", "M", None, "F", "M", "M"],
            "race": ["b", "w", "b", "w", "w", None, "w", "b"],
            "label": ["yes", "no", "yes", "no", "yes", "yes", "no", "yes"],
            "hired": [1, 0, 1, 1, 0, 0, 1, None],
            "score": [0.1, 0.2, float("nan"), 0.9, 0.5, 0.4, 0.7, 0.6],
            "weight": [1.0, 2.0, 0.5, 0.0, 1.0, 1.0, 3.0, 1.0],
        }
    ).with_columns(both=BOTH)
    question = {
        **DECIDED,
        "facet": ["sex", "race", "both"],
        "score": "score",
        "resolution": 0.1,
        "weight": "weight",
    }
    relation = duckdb.connect().from_arrow(frame.to_arrow())
    of_engine, of_polars = (found(each, [], question) for each in (relation, frame))
    assert "error" not in of_polars
    assert of_engine.keys() == of_polars.keys()
    for key, table in of_polars.items():
        assert_frame_equal(of_engine[key], table, rel_tol=1e-9, abs_tol=1e-12)
