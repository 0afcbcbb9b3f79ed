"""Answers are recognised by their columns, whatever the question was."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, get_args

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.api.columns import Kind
from polars_fairness.reporting.shown.recognised import recognised
from tests.strategies import EVERYTHING, FULL

PRESCRIBED: dict[Kind, Callable[[], Any]] = {
    "impact_ratios": lambda: pf.hiring.impact_ratios(
        pf.datasets.candidates(), sex="sex", race="race", selected="selected", confidence=None
    ),
    "adverse_impact": lambda: pf.hiring.adverse_impact(
        pf.datasets.candidates(), facet="sex", selected="selected"
    ),
    "lending_table": lambda: pf.lending.table(
        pf.datasets.loans(), facet="sex", favored="M", predicted="approved", confidence=None
    ),
    "lending_segments": lambda: pf.lending.segments(
        pf.datasets.loans(), facet="sex", favored="M", predicted="approved", subgroup="branch"
    ),
    "lending_quantiles": lambda: pf.lending.quantiles(
        pf.datasets.loans(), facet="sex", favored="M", score="score", confidence=None
    ),
}

KINDS: tuple[Kind, ...] = tuple(kind for kind in get_args(Kind) if kind not in PRESCRIBED)
# A reported number is of one window, and is compared at once.
OF_WINDOWS = [kind for kind in KINDS if kind != "compare"]

QUESTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "weighted": {"weight": "w"},
    "counted": {"count": "k"},
    "in windows": {"by": ["month", pl.col("u")]},
}


def by_score(given: dict[str, Any]) -> dict[str, Any]:
    """The same question, in which a score decides."""
    return {**given, "predicted": None, "score": "s"}


ANSWERS: dict[Kind, Callable[..., Any]] = {
    "audit": lambda frame, **given: frame.fairness.audit("di", confidence=None, **given),
    "bounds": lambda frame, **given: frame.fairness.bounds(
        "di", confidence=None, **{**given, "subgroup": None}
    ),
    "compare": lambda frame, **given: frame.fairness.compare(
        "di", reported=0.5, **{"disfavored": "F", **given, "facet": "sex", "by": None}
    ),
    "rates": lambda frame, **given: frame.fairness.rates(**given),
    "worst_groups": lambda frame, **given: frame.fairness.worst_groups("spsf", **given),
    "decompose": lambda frame, **given: frame.fairness.decompose("cddpl", **given),
    "metrics": lambda frame, **given: frame.fairness.metrics("di", "dppl", **given),
    "calibration": lambda frame, **given: frame.fairness.calibration(**by_score(given)),
    "choose": lambda frame, **given: frame.fairness.choose(
        "di", threshold=[0.2, 0.5], **by_score(given)
    ),
    "switches": lambda frame, **given: pf.switches(
        frame, champion="p", **given | {"predicted": {"p": "p", "y": ~pl.col("y").alias("z")}}
    ),
    "confusions": pf.confusions,
}

# The columns of each choice that say what its candidates are.
CHOICES: dict[tuple[str, ...], dict[str, Any]] = {
    ("threshold",): {"predicted": "s", "threshold": [0.2, 0.5]},
    ("model",): {"predicted": {"p": "p", "y": "z"}},
    ("model", "threshold"): {"predicted": {"s": "s", "t": "v"}, "threshold": [0.2, 0.5]},
}


@pytest.mark.parametrize("kind", OF_WINDOWS)
@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS.keys())
def test_every_answer_is_recognised_with_its_windows(kind: Kind, question: dict[str, Any]) -> None:
    frame = FULL.with_columns(month=pl.lit(date(2025, 1, 1)))
    answer = ANSWERS[kind](frame, **EVERYTHING, **question)
    found = recognised(answer, KINDS)
    assert found.kind == kind
    models = ["model"] if kind == "switches" else []
    assert found.windows == (["month", "u"] if "by" in question else []) + models
    assert found.attributes == (["sex"] if kind == "worst_groups" else [])


@pytest.mark.parametrize(("candidate", "given"), CHOICES.items())
@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS.keys())
def test_candidates_are_no_windows(
    candidate: tuple[str, ...], given: dict[str, Any], question: dict[str, Any]
) -> None:
    frame = FULL.with_columns(month=pl.lit(date(2025, 1, 1)), z=~pl.col("y"))
    answer = pf.choose(frame, "di", **EVERYTHING | given, **question)
    found = recognised(answer, KINDS)
    assert found.candidate == candidate
    assert found.windows == (["month", "u"] if "by" in question else [])
    with pytest.raises(pf.FairnessError, match="keep its column 'model' or 'threshold'"):
        recognised(answer.drop(candidate), KINDS)


@pytest.mark.parametrize("kind", OF_WINDOWS)
def test_a_lazy_answer_is_the_same(kind: Kind) -> None:
    eager, lazy = (ANSWERS[kind](frame, **EVERYTHING) for frame in (FULL, FULL.lazy()))
    assert isinstance(lazy, pl.LazyFrame)
    assert recognised(lazy, KINDS).frame.equals(eager)


def test_a_comparison_with_a_reported_number_is_recognised() -> None:
    assert recognised(ANSWERS["compare"](FULL, **EVERYTHING), KINDS).kind == "compare"


def test_an_audit_may_have_more_columns() -> None:
    answer = pf.audit(FULL, "di", minimum_count=5, confidence=None, **EVERYTHING)
    assert recognised(answer.with_columns(note=pl.lit("a")), KINDS).windows == []


def test_rows_are_no_answer() -> None:
    with pytest.raises(
        pf.FairnessError, match=r"^answer: takes a frame that 'audit'.*'branch'.*; give the result"
    ):
        recognised(FULL, KINDS)


@pytest.mark.parametrize("given", [None, "audit", {"sex": ["F"]}, 3])
def test_only_frames_are_answers(given: Any) -> None:
    with pytest.raises(pf.FairnessError, match=f"got {type(given).__name__}; give the"):
        recognised(given, KINDS)


@pytest.mark.extras
@pytest.mark.parametrize(("kind", "prescribed"), PRESCRIBED.items())
def test_a_prescribed_table_is_recognised(kind: Kind, prescribed: Callable[[], Any]) -> None:
    assert recognised(prescribed(), get_args(Kind)).kind == kind
    assert "sex" in pf.table(prescribed()).as_raw_html()


def test_an_answer_without_some_of_its_columns_says_which() -> None:
    answer = pf.audit(FULL, "di", confidence=None, **EVERYTHING).drop("lower", "upper")
    with pytest.raises(pf.FairnessError, match=r"'audit' returned; keep .* 'lower' and 'upper'"):
        recognised(answer, KINDS)


def test_a_kind_that_is_not_taken_is_named() -> None:
    with pytest.raises(pf.FairnessError, match="got what 'metrics' returned; give the"):
        recognised(pf.metrics(FULL, "di", **EVERYTHING), ("audit", "rates"))


@pytest.mark.parametrize("show", [pf.table, pf.chart])
def test_a_missing_extra_is_named(show: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polars_fairness.errors.find_spec", lambda _: None)
    with pytest.raises(ImportError, match=r"needs .*, not installed .*polars-fairness\[report\]"):
        show(FULL)


@pytest.mark.parametrize("column", ["ideal", "band_lower", "band_upper"])
@pytest.mark.parametrize("show", [pf.table, pf.chart])
def test_a_band_in_part_is_an_error(show: Any, column: str) -> None:
    rows = pl.DataFrame({"sex": ["F", "M"] * 20, "p": [0, 1, 1, 1] * 10})
    audit = pf.audit(rows, "di", facet="sex", predicted="p", confidence=None)
    with pytest.raises(pf.FairnessError, match=f"^answer: '{column}' is null in a row"):
        show(audit.with_columns(pl.lit(None, pl.Float64).alias(column)))
