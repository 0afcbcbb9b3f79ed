"""Positive values, cells, and the weight of a row."""

from __future__ import annotations

import math
from typing import Any, Final

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import fairness, people


@pytest.mark.parametrize(
    ("outcome", "question"),
    [
        ([True, False, True, False], {}),
        ([1, 0, 1, 0], {}),
        ([False, True, False, True], {"positive": False}),
        ([False, True, False, True], {"positive": 0}),
        ([0, 1, 0, 1], {"positive": 0}),
        ([1, 2, 1, 2], {"positive": 1}),
        (["yes", "no", "yes", "no"], {"positive": "yes"}),
        (["yes", "no", "maybe", "no"], {"positive": ["yes", "maybe"]}),
        ([0.5, 0.4, 0.9, 0.0], {"threshold": 0.5}),
        ([5, 4, 9, 0], {"threshold": 4.5}),
        ([1.0, 0.0, 1.0, 0.0], {"positive": 1}),
        (pl.Series([0.3, 0.1, 0.3, 0.1], dtype=pl.Float32), {"positive": 0.3}),
    ],
)
def test_positive_predictions_are_true_1_listed_or_at_the_threshold(
    outcome: list[Any], question: dict[str, Any]
) -> None:
    frame = pl.DataFrame({"sex": ["F", "F", "M", "M"], "p": outcome})
    answer = pf.rates(frame, predicted="p", **question)
    assert answer["selection_rate"].to_list() == [0.5]
    cells = pf.cells(frame, predicted="p", **question)
    if question:
        assert cells.rows() == [(False, 2), (True, 2)]


def test_a_label_of_other_groups_alone_adds_nothing_to_a_divergence() -> None:
    """Of F and M half are a, half b; c is a label of X alone."""
    frame = pl.DataFrame({"sex": list("FFMMXX"), "y": list("ababcc")})
    got = pf.metrics(frame, "kl", "js", facet="sex", disfavored="F", favored="M", label="y")
    assert got.select("kl", "js").row(0) == (0.0, 0.0)


@pytest.mark.parametrize("p", [1, 1.5, 2, 60, 500, 1e300, math.inf])
def test_norms_of_any_order_follow_the_formula(p: float) -> None:
    """The shares of a, b and c differ by 0.10, 0.15 and 0.05."""
    counts = {"n": [50, 30, 20, 40, 45, 15]}
    frame = pl.DataFrame({"sex": list("FFFMMM"), "y": list("abcabc"), **counts})
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "label": "y"}
    expected = 0.15 * (1 + (2 / 3) ** p + (1 / 3) ** p) ** (1 / p)
    assert fairness(frame).lp(p=p, count="n", **question)["lp"].item() == pytest.approx(
        expected, rel=1e-14
    )
    alike = pl.DataFrame({"sex": list("FM"), "y": ["a", "a"]})
    assert fairness(alike).lp(p=p, **question)["lp"].item() == 0.0
    undefined = pl.DataFrame({"sex": ["F"], "y": ["a"]})
    assert fairness(undefined).lp(p=p, **question)["lp"].item() is None


def test_squares_of_small_whole_weights_are_not_cut_off() -> None:
    frame = pl.DataFrame({"sex": ["F", "F"], "w": [100, 50]}, schema_overrides={"w": pl.Int8})
    assert pf.cells(frame, facet="sex", weight="w").rows() == [("F", 2, 150.0, 12_500.0)]


LITERALS: dict[str, dict[str, Any]] = {
    "a facet": {"facet": pl.lit("all").alias("g")},
    "a window": {"by": pl.lit(2025).alias("year"), "facet": pl.lit("all").alias("g")},
    "outcomes": {"label": pl.lit(False).alias("y"), "predicted": pl.lit(True).alias("p")},
    "literals of literals": {"facet": (pl.lit("a") + "ll").alias("g")},
    "a weight and a count": {"facet": pl.lit("all").alias("g")}
    | {"weight": pl.lit(6.0).alias("weight"), "count": pl.lit(3).alias("k")},
}


@pytest.mark.parametrize("question", LITERALS.values(), ids=LITERALS)
def test_a_literal_is_a_value_of_every_row(question: dict[str, Any], tmp_path: Any) -> None:
    frame = people()
    by_hand = {role: column.meta.output_name() for role, column in question.items()}
    made = frame.with_columns(question.values())
    frame.write_parquet(tmp_path / "people.parquet")
    scan = pl.scan_parquet(tmp_path / "people.parquet")
    for function in (pf.cells, pf.rates):
        expected = function(made, **by_hand)
        rows = 240 * (
            6 if "weight" in question and function is pf.rates else 3 if "count" in question else 1
        )
        assert expected["n"].max() == rows
        assert_frame_equal(function(frame, **question), expected)
        for engine in ("streaming", "in-memory"):
            got = function(scan, **question).lazy().collect(engine=engine)
            assert_frame_equal(got, expected)


ZEROS: Final = pl.DataFrame({"x": [0.0, -0.0, 0.0, -0.0, 1.0], "p": [True, False] * 2 + [True]})


@pytest.mark.parametrize("engine", ["streaming", "in-memory"])
@pytest.mark.parametrize("role", ["by", "subgroup", "score"])
def test_no_cell_is_of_minus_zero(role: str, engine: Any) -> None:
    for resolution in [None, 0.5] if role == "score" else [None]:
        question: dict[str, Any] = {role: "x", "predicted": "p", "resolution": resolution}
        cells = pf.cells(ZEROS.lazy(), **question).collect(engine=engine)
        found = zip(map(str, cells["x"]), cells["p"], cells["n"], strict=True)
        assert sorted(found) == [("0.0", False, 2), ("0.0", True, 2), ("1.0", True, 1)]


def test_counted_rows_without_squares_weigh_the_same_each() -> None:
    totals = pl.DataFrame({"sex": ["F"], "n": [4], "w": [6.0]})
    answer = pf.cells(totals, facet="sex", count="n", weight="w")
    assert answer.rows() == [("F", 4, 6.0, 9.0)]


def test_cells_keep_the_types_of_their_columns() -> None:
    frame = people().select(
        pl.col("sex").cast(pl.Enum(["F", "M", "X"])),
        sr=pl.struct("sex", "race"),
        day=pl.date(2025, 1, 1) + pl.duration(days=pl.col("month")),
        y="y",
    )
    answer = pf.cells(frame, facet=["sex", "sr"], label="y", by="day")
    assert answer.schema == {
        "day": pl.Date(),
        "sex": pl.Enum(["F", "M", "X"]),
        "sr": frame.schema["sr"],
        "y": pl.Boolean(),
        "n": pl.Int64(),
    }
    again = pf.metrics(answer, facet=["sex", "sr"], label="y", by="day", count="n")
    assert_frame_equal(again, pf.metrics(frame, facet=["sex", "sr"], label="y", by="day"))


def test_counts_beyond_32_bits_and_products_beyond_64() -> None:
    many = 5_000_000_000
    frame = pl.DataFrame({"sex": ["F", "F", "M", "M"], "p": [1, 0, 1, 0], "n": [many] * 4})
    question: dict[str, Any] = {"facet": "sex", "predicted": "p", "count": "n"}
    assert pf.cells(frame, **question)["n"].dtype == pl.Int64
    assert pf.rates(frame, **question)["n"].to_list() == [2 * many, 2 * many, 4 * many]
    answer = pf.metrics(frame, "two_sd", "cohens_d", disfavored="F", **question)
    assert answer["n_disfavored"].item() == 2 * many
    assert answer.select("two_sd", "cohens_d").row(0) == (0.0, 0.0)
