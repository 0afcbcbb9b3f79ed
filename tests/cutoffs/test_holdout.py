"""`choose` on rows held out: what the chosen candidate reaches there, and how sure that is."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf

LOANS = pf.datasets.loans()
IS_2024 = pl.col("decided_on").dt.year() == 2024
FIRST, LATER = LOANS.filter(IS_2024), LOANS.filter(~IS_2024)
QUESTION: dict[str, Any] = {"facet": "sex", "label": "repaid", "score": "score"}
TRIED = [0.36, 0.4, 0.42, 0.44]


def test_a_frame_held_out_has_the_values_of_its_own_audit() -> None:
    found = pf.choose(FIRST, "di", threshold=TRIED, holdout=LATER, confidence=0.95, **QUESTION)
    audits = {"": FIRST, "holdout_": LATER}
    for row in found.iter_rows(named=True):
        for prefix, frame in audits.items():
            audit = pf.audit(
                frame, "di", "accuracy", "selection_rate", threshold=[row["threshold"]], **QUESTION
            )
            for of_metric in audit.iter_rows(named=True):
                name = f"{prefix}{of_metric['metric']}"
                assert row[name] == pytest.approx(of_metric["value"], rel=1e-12)
                assert row[f"{name}_lower"] == pytest.approx(of_metric["lower"], rel=1e-12)
                assert row[f"{name}_upper"] == pytest.approx(of_metric["upper"], rel=1e-12)
            assert row[f"{prefix}is_within"] == (0.8 <= row[f"{prefix}di"] <= 1.25)


def test_rows_held_out_do_not_change_the_choice() -> None:
    alone = pf.choose(FIRST, "di", "rd", threshold=TRIED, **QUESTION)
    beside = pf.choose(FIRST, "di", "rd", threshold=TRIED, holdout=LATER, **QUESTION)
    assert_frame_equal(beside.select(alone.columns), alone)
    assert beside.columns[len(alone.columns) :] == [
        *("holdout_selection_rate", "holdout_accuracy", "holdout_di", "holdout_rd"),
        "holdout_is_within",
    ]


def test_scores_that_only_the_holdout_has_are_no_candidates() -> None:
    other = LATER.with_columns(pl.col("score") / 2)
    found = pf.choose(FIRST.head(300), holdout=other, **QUESTION)
    assert {*found["threshold"]} >= {*FIRST["score"].head(300)}
    assert found["is_chosen"].sum() == 1
    chosen = found.row(by_predicate=pl.col("is_chosen"), named=True)
    accepted = other["score"] >= chosen["threshold"]
    assert chosen["holdout_selection_rate"] == pytest.approx(accepted.mean(), rel=1e-12)
    assert chosen["holdout_accuracy"] == pytest.approx((accepted == other["repaid"]).mean())


@pytest.mark.parametrize("frame", [LOANS, LOANS.lazy()], ids=["DataFrame", "LazyFrame"])
def test_a_share_divides_the_rows(frame: Any) -> None:
    given = {"threshold": TRIED, "holdout": 0.3, **QUESTION}
    found = [pf.choose(frame, "di", seed=seed, **given).lazy().collect() for seed in (0, 0, 1)]
    assert_frame_equal(found[0], found[1])
    assert not found[0].equals(found[2])
    everyone = pf.choose(LOANS, threshold=TRIED, **QUESTION)
    for part in found:
        # What is accepted of all rows is accepted of the one part or of the other.
        for row, whole in zip(part.iter_rows(named=True), everyone["selection_rate"], strict=True):
            seen, held_out = row["selection_rate"], row["holdout_selection_rate"]
            share = (whole - seen) / (held_out - seen)
            assert share == pytest.approx(0.3, abs=0.02)


@pytest.mark.simulation
def test_the_best_of_many_is_honest_on_rows_held_out_only() -> None:
    """Twenty models that toss coins are right half of the time; the best of them looks better."""
    random, names = np.random.default_rng(1), [f"m{i}" for i in range(20)]
    tossed = random.random((40 * 400, 22)) < 0.5
    rows = pl.DataFrame(tossed, schema=[*names, "y", "sex"], orient="row")
    rows = rows.with_columns(data=pl.int_range(pl.len()) // 400)
    models = {name: name for name in names}
    question: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": models, "by": "data"}
    best = pf.choose(rows, holdout=0.5, confidence=0.95, **question).filter("is_chosen")
    ends = [(f"{prefix}accuracy_lower", f"{prefix}accuracy_upper") for prefix in ("", "holdout_")]
    here, held = (best.select(pl.lit(0.5).is_between(*each).sum()).item() for each in ends)
    assert best.height == 40
    assert held >= 34  # 95 % of 40 are 38; fewer than 34 come once in 300 times
    assert here <= 32
