"""Many distinct scores: sorted or hashed, in lists or one by one, in spans or each by itself."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.values import score_comparisons
from tests.frames import shared

METRICS: Final = [name for name, metric in pf.CATALOGUE.items() if "score" in metric.needs]
QUESTION: Final[dict[str, Any]] = {"facet": "sex", "label": "y", "score": "s"}


def people(n: int, decimals: int = 16) -> pl.DataFrame:
    """People of three groups and two shops; some scores are unknown, and some are zeros."""
    random = np.random.default_rng(7)
    score = random.beta(2, 3, n).round(decimals)
    score[::97] = 0.0
    score[1::97] = -0.0
    return pl.DataFrame(
        {
            "sex": random.choice(["F", "M", "X"], n),
            "age": random.choice(["young", "old", "?"], n),
            "shop": random.integers(0, 2, n),
            "day": np.datetime64("2025-01-01") + random.integers(0, 150, n),
            "y": random.random(n) < score,
            "s": score,
        }
    ).with_columns(
        age=pl.col("age").replace("?", None),
        s=pl.when(pl.int_range(n) % 31 == 0)
        .then(None)
        .when(pl.int_range(n) % 37 == 0)
        .then(float("nan"))
        .otherwise("s"),
    )


@pytest.mark.parametrize(
    ("rows", "question"),
    [
        (25_000, {}),
        (300, {"by": "shop", "favored": "M"}),
        (300, {"facet": ["sex", "age"], "disfavored": None}),
        (300, {"favored": pf.HIGHEST, "threshold": [0.3, 0.6]}),
        (300, {"favored": pf.OVERALL}),
        (300, {"by": "day", "every": "1mo"}),
        (300, {"by": ["shop", "day"], "every": "1mo", "period": "3mo"}),
        (25_000, {"facet": "age", "zero_division": 0.0}),
    ],
)
def test_sorted_scores_have_the_answers_of_hashed_ones(rows: int, question: dict[str, Any]) -> None:
    frame, asked_of = people(rows), {**QUESTION, "nulls": "drop", **question}
    for answer in (pf.metrics, pf.rates):
        # Side a holds the rows of d too, which a pooled variance would count twice.
        names = [name for name in METRICS if name != "smd" or "favored" not in question]
        of_scores = names if answer is pf.metrics else []
        in_lists = shared(answer, frame, *of_scores, **asked_of)
        hashed = shared(answer, frame.lazy(), *of_scores, **asked_of).collect()
        # Counted by a column of ones, scores are never in lists.
        one_by_one = shared(answer, frame.with_columns(k=1), *of_scores, **asked_of, count="k")
        for other in (hashed, one_by_one):
            assert_frame_equal(in_lists, other, rel_tol=1e-11, abs_tol=1e-12)


def test_a_release_in_memory_is_the_same_baseline_for_rows_of_each_kind() -> None:
    frame = people(3_000)
    asked_of = {**QUESTION, "disfavored": "F", "nulls": "drop", "by": "day", "every": "1mo"}
    audits = [
        pf.audit(rows, "auc_difference", **asked_of, baseline=release).lazy().collect()
        for rows in (frame, frame.lazy())
        for release in (frame, frame.lazy())
    ]
    for audit in audits[1:]:
        assert_frame_equal(audit, audits[0], rel_tol=1e-11, abs_tol=1e-12)


def test_closed_forms_on_spans_are_as_wide_as_on_all_scores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frame = people(40_000)
    question: dict[str, Any] = {**QUESTION, "disfavored": "F", "favored": "M", "nulls": "drop"}
    names = [name for name in METRICS if name.endswith("_difference") or name == "smd"]
    in_spans = pf.audit(frame, *names, **question)
    monkeypatch.setattr(score_comparisons, "FINE", 10**9)
    monkeypatch.setattr("polars_fairness.values.score_comparisons.FINE", 10**9)
    each = pf.audit(frame, *names, **question)
    width = each["upper"] - each["lower"]
    assert in_spans["value"].equals(each["value"])
    for bound in ("lower", "upper"):
        assert not in_spans[bound].equals(each[bound])
        assert ((in_spans[bound] - each[bound]).abs() < 1e-3 * width).all()


@pytest.mark.parametrize("rows", [300, 25_000])
@pytest.mark.parametrize("decimals", [1, 16])
def test_raw_scores_of_a_plan_go_the_way_of_a_frame(rows: int, decimals: int) -> None:
    """As keys of a plan they made a cell for each row, which took three to nine times as long."""
    frame = people(rows, decimals).drop_nulls().drop_nans()
    question = {**QUESTION, "disfavored": "F"}
    answers: dict[str, Any] = {
        "metrics": lambda of: pf.metrics(of, "auc_difference", by="shop", **question),
        "audit": lambda of: shared(pf.audit, of, "score_ks", confidence=None, **question),
    }
    for name, answer in answers.items():
        plan = answer(frame.lazy())
        assert "AGGREGATE" not in plan.explain(), name
        assert_frame_equal(plan.collect(), answer(frame), check_exact=True)
