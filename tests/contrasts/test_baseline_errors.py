"""Errors of baselines that answer another question, or none."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.counting.faults import errors_of_users
from tests.frames import people, shared

QUESTION: dict[str, Any] = {
    "facet": "sex",
    "disfavored": "F",
    "label": "y",
    "predicted": "p",
    "by": "month",
}


def refused(baseline: Any, *metrics: str, frame: pl.DataFrame | None = None, **more: Any) -> str:
    """The message of the error at the call."""
    rows = people() if frame is None else frame
    with pytest.raises(pf.FairnessError) as error:
        shared(pf.audit, rows.lazy(), *(metrics or ("rd",)), baseline=baseline, **(QUESTION | more))
    return str(error.value)


def refused_when_it_runs(
    baseline: pl.DataFrame, frame: pl.DataFrame | None = None, **more: Any
) -> str:
    rows = people() if frame is None else frame
    plan = pf.audit(rows.lazy(), "rd", baseline=baseline.lazy(), **(QUESTION | more))
    with pytest.raises(pf.FairnessError) as error, errors_of_users():
        plan.collect()
    return str(error.value)


# At the call


def test_times_of_other_zones_and_scores_of_other_precision() -> None:
    then = datetime(2026, 1, 1)
    frame = people().with_columns(month=pl.lit(then))
    zoned = frame.with_columns(pl.col("month").dt.replace_time_zone("UTC"))
    assert "by: 'month' is Datetime(" in refused(zoned, frame=frame)
    short = people().with_columns(pl.col("score").cast(pl.Float32))
    message = refused(short, "auc_difference", score="score")
    assert message.startswith("baseline: score: 'score' is Float64 in the frame and Float32 in")


# When it runs


def test_no_window_in_common() -> None:
    later = people().with_columns(pl.col("month") + 12)
    message = refused_when_it_runs(later)
    assert message == (
        "baseline: no window in common: 'month' has 0, 1 and 2 in the frame, and 12, 13 and 14 in "
        "the baseline; give a baseline with these windows, or drop 'month' from it, so that it is "
        "the reference of each window"
    )
    quarter = ((pl.col("month") + pl.col("score") * 0) // 3).alias("quarter")
    message = refused_when_it_runs(later, by=quarter)
    assert message.startswith("baseline: no window in common: 'quarter' has 0.0 in the frame, and")
    assert ", or drop 'month' and 'score' from it, so that" in message


def test_of_an_empty_frame_everything_vanished() -> None:
    answer = pf.audit(people().clear(), "rd", baseline=people(), **QUESTION)
    full = pf.audit(people(), "rd", baseline=people(), **QUESTION)
    assert answer.schema == full.schema
    assert answer.select("month", "reference").rows() == full.select("month", "value").rows()
    assert answer["verdict"].to_list() == ["undefined"] * full.height
    whole = pf.audit(people().clear(), "rd", baseline=people().drop("month"), **QUESTION)
    assert whole.select("month", "rows_seen", "verdict").rows() == [(None, 0, "undefined")]
