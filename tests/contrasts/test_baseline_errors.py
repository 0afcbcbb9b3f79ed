"""Errors of baselines that answer another question, or none."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.counting.raising import errors_of_users
from tests.frames import people

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
        pf.audit(rows.lazy(), *(metrics or ("rd",)), baseline=baseline, **(QUESTION | more))
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


@pytest.mark.parametrize("column", ["sex", "y", "p"])
def test_a_column_that_the_baseline_lacks(column: str) -> None:
    argument = {"sex": "facet", "y": "label", "p": "predicted"}[column]
    message = refused(people().drop(column).lazy())
    assert message.startswith(f"baseline: {argument}: no column {column!r}; ")


def test_predictions_that_are_scores_in_the_baseline() -> None:
    message = refused(people().with_columns(p=pl.col("score")))
    assert message.startswith("baseline: predicted: 'p' is Float64, a score; give threshold=")


@pytest.mark.parametrize(
    ("column", "other", "more", "message"),
    [
        ("sex", 1, {"disfavored": None}, "facet: 'sex' is String in the frame and Int32 in"),
        ("month", "2026", {}, "by: 'month' is Int64 in the frame and String in the baseline; cast"),
        ("month", date(2026, 1, 1), {}, "by: 'month' is Int64 in the frame and Date in the"),
    ],
)
def test_columns_of_other_types(column: str, other: Any, more: Any, message: str) -> None:
    baseline = people().with_columns(pl.lit(other).alias(column))
    assert refused(baseline, "rd", "cddpl", **({"subgroup": "race"} | more)).startswith(
        f"baseline: {message}"
    )


def test_subgroups_of_another_type() -> None:
    message = refused(people().with_columns(branch=2.5), "cddpl", subgroup="branch")
    assert message.startswith("baseline: subgroup: 'branch' is String in the frame and Float64 in")


@pytest.mark.parametrize("given", [[date(2026, 1, 1)], {"sex": ["F"]}, object()])
def test_what_is_neither_a_frame_nor_a_window(given: object) -> None:
    """polars makes a series of another type of these where it expects dates."""
    frame = people().with_columns(month=date(2026, 1, 1))
    message = refused(given, frame=frame)
    assert "cannot be a value of 'month' (Date); give a value, such as datetime.date(" in message


def test_times_of_other_zones_and_scores_of_other_precision() -> None:
    then = datetime(2026, 1, 1)
    frame = people().with_columns(month=pl.lit(then))
    zoned = frame.with_columns(pl.col("month").dt.replace_time_zone("UTC"))
    assert "by: 'month' is Datetime(" in refused(zoned, frame=frame)
    short = people().with_columns(pl.col("score").cast(pl.Float32))
    message = refused(short, "auc_difference", score="score")
    assert message.startswith("baseline: score: 'score' is Float64 in the frame and Float32 in")


def test_scores_of_one_model_with_other_precision() -> None:
    models = {"predicted": {"a": "score", "b": "other"}, "threshold": [0.2, 0.4]}
    frame = people().with_columns(other=pl.col("score"))
    short = frame.with_columns(pl.col("other").cast(pl.Float32))
    message = refused(short, frame=frame, **models)
    assert message.startswith("baseline: predicted: 'other' is Float64 in the frame and Float32 in")


def test_intersections_of_other_attributes() -> None:
    facet = pl.struct("sex", "race").alias("group")
    frame = people().with_columns(facet)
    other = people().with_columns(pl.struct("sex", "branch").alias("group"))
    message = refused(other, frame=frame, facet="group", disfavored=None)
    assert message.startswith("baseline: facet: 'group' is Struct(")
    more = frame.with_columns(pl.struct("sex", pl.lit(1).alias("race")).alias("group"))
    message = refused(more, frame=frame, facet="group", disfavored=None)
    assert message.startswith("baseline: facet: 'group' is Struct(")


def test_arguments_that_contradict_each_other() -> None:
    models = {"old": "p", "new": "y"}
    message = refused(people(), predicted=models, label=None, champion="old")
    assert message.startswith("baseline: champion= is given too")
    message = refused("previous", baseline_count="n")
    assert message.startswith("baseline_count: names a column of the baseline, and no frame was")
    message = refused(None, baseline_count="n")
    assert message.startswith("baseline_count: names a column of the baseline, and no frame was")
    cells = pf.cells(people(), facet="sex", label="y", predicted="p", by="month")
    message = refused(cells, frame=cells, count="n")
    assert message == (
        "baseline: it has the column 'n' that counts the rows of the frame; give "
        "baseline_count='n' if it counts those of the baseline, else drop it there"
    )
    message = refused(cells)
    assert message == (
        "baseline: it has a column 'n', as cells have, and the frame has none; give "
        "baseline_count='n' if its rows are cells, else drop this column"
    )
    message = refused(people(), baseline_count="k")
    assert message.startswith("baseline: count: no column 'k'; ")


def test_a_baseline_that_is_no_frame() -> None:
    message = refused(people()["sex"])
    assert message.startswith("baseline: Series cannot be a value of 'month' (Int64); give a value")
    message = refused(["previous"])
    assert message.startswith("baseline: ['previous'] cannot be a value of 'month'")


# When it runs


def test_errors_of_the_data_say_that_they_are_about_the_baseline() -> None:
    missing = people().with_columns(y=pl.when(pl.col("month") > 0).then("y").alias("y"))
    message = refused_when_it_runs(missing)
    assert message.startswith("baseline: label: missing values: 'y' has ")
    broken = people().with_columns(k=0.5)
    message = refused_when_it_runs(broken, baseline_count="k")
    assert message.startswith("baseline: count: 'k' has 240 values that are not whole numbers")
    assert refused_when_it_runs(people(), frame=missing).startswith("label: missing values: ")
    with pytest.raises(pf.FairnessError, match=r"^baseline: label: missing"):
        pf.audit(people(), "rd", baseline=missing, **QUESTION)


def test_a_side_that_never_occurs_in_the_baseline() -> None:
    men = people().filter(pl.col("sex") == "M")
    message = refused_when_it_runs(men)
    assert message.startswith("baseline: disfavored: 'F' never occurs in 'sex', which has 'M'")


def test_no_group_in_common() -> None:
    codes = people().with_columns(pl.col("sex").replace_strict({"F": "1", "M": "2"}))
    message = refused_when_it_runs(codes, disfavored=None)
    assert message == (
        "baseline: 'sex' has no group in common: 'F' and 'M' in the frame, '1' and '2' in the "
        "baseline; give a baseline with the same groups"
    )
    unknown = people().with_columns(sex=pl.lit(None, pl.String))
    message = refused_when_it_runs(unknown, disfavored=None)
    assert "'F' and 'M' in the frame, no known value in the baseline" in message


def test_no_window_in_common() -> None:
    later = people().with_columns(pl.col("month") + 12)
    message = refused_when_it_runs(later)
    assert message == (
        "baseline: no window in common: 'month' has 0, 1 and 2 in the frame, and 12, 13 and 14 in "
        "the baseline; give a baseline with these windows, or drop 'month' from it, and all of it "
        "is the reference of each window"
    )
    quarter = ((pl.col("month") + pl.col("score") * 0) // 3).alias("quarter")
    message = refused_when_it_runs(later, by=quarter)
    assert message.startswith("baseline: no window in common: 'quarter' has 0.0 in the frame, and")
    assert ", or drop 'month' and 'score' from it, and all" in message


@pytest.mark.parametrize("more", [{}, {"by": None}])
def test_an_empty_baseline(more: Any) -> None:
    for frame in (people(), people().clear()):
        message = refused_when_it_runs(people().clear(), frame=frame, **more)
        assert message == "baseline: it has no rows; give the rows or the cells to compare with"


def test_of_an_empty_frame_everything_vanished() -> None:
    answer = pf.audit(people().clear(), "rd", baseline=people(), **QUESTION)
    full = pf.audit(people(), "rd", baseline=people(), **QUESTION)
    assert answer.schema == full.schema
    assert answer.select("month", "reference").rows() == full.select("month", "value").rows()
    assert answer["verdict"].to_list() == ["undefined"] * full.height
    whole = pf.audit(people().clear(), "rd", baseline=people().drop("month"), **QUESTION)
    assert whole.select("month", "rows_seen", "verdict").rows() == [(None, 0, "undefined")]
