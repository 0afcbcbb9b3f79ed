"""The best shares of all rows by score: which score they begin at, and who is accepted."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy.stats import fisher_exact

import polars_fairness as pf
from tests.frames import people
from tests.strategies import examples, frames

pytestmark = pytest.mark.extras

QUESTION: dict[str, Any] = {"facet": "sex", "favored": "M", "score": "s", "confidence": None}


def quantiles(frame: pl.DataFrame, **question: Any) -> pl.DataFrame:
    return pf.lending.quantiles(frame, **{**QUESTION, **question})


def assert_same(left: pl.DataFrame, right: pl.DataFrame) -> None:
    assert_frame_equal(left, right, rel_tol=1e-9, abs_tol=1e-12)


TEN = pl.DataFrame(
    {
        "s": [0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1],
        "sex": ["M", "M", "F", None, "M", "F", "M", None, "F", "F"],
    }
)


def test_the_best_shares_by_hand() -> None:
    """Two of ten tie for the second place, so that half of each is accepted; unknown rows count."""
    answer = quantiles(TEN, shares=[0.5, 0.1, 0.2, 0.5])
    assert answer.columns[:6] == [
        *("share", "threshold", "accepted_share"),
        *("facet", "disfavored", "favored"),
    ]
    found = answer.select("share", "threshold", "accepted_share", "rate", "reference_rate", "air")
    assert found.rows() == [
        (0.1, 0.9, 0.1, 0.0, 0.25, 0.0),
        (0.2, 0.8, 0.2, 0.125, 0.375, pytest.approx(1 / 3)),
        (0.5, 0.6, 0.5, 0.25, 0.75, pytest.approx(1 / 3)),
    ]
    sizes = answer.select("n_disfavored", "n_favored", "n_unknown", "rows_dropped").unique()
    assert sizes.rows() == [(4, 4, 2, 0)]
    assert answer["points"].to_list() == [25.0, 25.0, 50.0]


def test_the_shares_are_tenths_unless_given() -> None:
    answer = quantiles(TEN)
    assert answer["share"].to_list() == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    assert quantiles(TEN, shares=0.3)["threshold"].to_list() == [0.8]


@pytest.mark.parametrize(
    ("share", "rows", "needed"), [(0.07, 100, 7), (0.55, 100, 55), (0.1, 3, 1), (0.5, 20, 10)]
)
def test_a_share_is_taken_as_it_is_written(share: float, rows: int, needed: int) -> None:
    """In floats, 0.07 of 100 rows are 7.000000000000001; ten times 0.1 is less than half of 20."""
    frame = pl.DataFrame({"s": range(rows), "sex": (["F", "M"] * rows)[:rows]})
    assert quantiles(frame, shares=[share])["threshold"].to_list() == [rows - needed]
    weighted = frame.with_columns(w=0.1)
    by_weight = quantiles(weighted, shares=[share], weight="w")
    assert by_weight["threshold"].to_list() == [rows - needed]


def test_weights_make_shares_of_the_weight() -> None:
    frame = TEN.with_columns(w=pl.Series([6.0, *[1.0] * 4, *[2.0] * 5]))
    answer = quantiles(frame, shares=[0.3, 0.31, 0.5], weight="w")
    assert answer["threshold"].to_list() == [0.9, 0.8, 0.6]
    assert answer["accepted_share"].to_list() == pytest.approx([0.3, 0.31, 0.5], rel=1e-12)
    assert answer["reference_rate"].to_list() == pytest.approx([0.6, 0.61, 0.8], rel=1e-12)
    one, other = (
        quantiles(frame.with_columns(pl.col("w") * unit), shares=[0.3, 0.31, 0.5], weight="w")
        for unit in (1, 0.3)
    )
    sums = ("n_disfavored", "n_favored", "n_unknown")
    assert_same(one.drop(sums), other.drop(sums))


@pytest.mark.parametrize("dtype", [pl.Float32, pl.Float64, pl.Int64])
def test_scores_may_have_any_type_of_number(dtype: Any) -> None:
    frame = TEN.with_columns(
        (pl.col("s") * 10).round().cast(dtype) / (1 if dtype.is_integer() else 10)
    )
    frame = frame.with_columns(pl.col("s").cast(dtype))
    answer, expected = quantiles(frame), quantiles(TEN)
    assert_same(answer.drop("threshold"), expected.drop("threshold"))


def test_rounded_scores_are_equal_more_often() -> None:
    answer = quantiles(TEN, shares=[0.2, 0.5], resolution=0.25)
    assert answer["threshold"].to_list() == [0.75, 0.5]
    assert answer["accepted_share"].to_list() == [0.2, 0.5]
    assert answer["rate"].to_list() == pytest.approx([2 / 3 / 4, (1 + 2 / 3) / 4])
    cells = pf.cells(TEN, facet="sex", score="s", resolution=0.25)
    of_cells = quantiles(cells, shares=[0.2, 0.5], resolution=0.25, count="n")
    assert_same(of_cells, answer)


def test_each_window_and_model_has_its_thresholds() -> None:
    frame = pl.concat(
        TEN.with_columns(t=1 - pl.col("s"), half=pl.lit(half)) for half in ("first", "second")
    ).with_columns(s=pl.when(half="second").then(pl.col("s") / 2).otherwise("s"))
    models = {"score": None, "predicted": {"one": "s", "two": "t"}, "shares": [0.2]}
    answer = quantiles(frame, **models, by="half")
    assert answer.columns[:3] == ["half", "model", "share"]
    found = answer.select("half", "model", pl.col("threshold").round(12)).rows()
    assert found == [
        ("first", "one", 0.8),
        ("first", "two", 0.8),
        ("second", "one", 0.4),
        ("second", "two", 0.8),
    ]
    alone = quantiles(frame.filter(half="second"), shares=[0.2], score="t")
    assert_same(answer[3:].drop("half", "model"), alone)


def test_a_window_without_complete_rows_has_no_threshold() -> None:
    frame = pl.concat([TEN.with_columns(b=1), TEN.with_columns(b=2, s=pl.lit(None, pl.Float64))])
    answer = quantiles(frame, by="b", shares=[0.2, 0.5], nulls="drop")
    columns = ("b", "share", "threshold", "accepted_share", "disfavored", "rows_dropped", "air")
    assert answer.select(columns).rows()[2:] == [
        (2, 0.2, None, None, None, 10, None),
        (2, 0.5, None, None, None, 10, None),
    ]
    assert quantiles(TEN.clear()).schema == quantiles(TEN).schema


def test_rows_accepted_in_part_have_no_p_value() -> None:
    """With each row nine times, nine of 36 men are the best tenth; the next 18 rows tie."""
    answer = quantiles(pl.concat([TEN] * 9), shares=[0.1, 0.15, 0.3])
    expected = [fisher_exact([[0, 36], [9, 27]]).pvalue, None, fisher_exact([[9, 27], [18, 18]])[1]]
    assert answer["p_value"].to_list() == [expected[0], None, pytest.approx(expected[2])]


@pytest.mark.parametrize("favored", ["M", pf.HIGHEST, pf.LARGEST, pf.OVERALL])
def test_without_ties_the_numbers_are_those_of_the_table_at_the_thresholds(favored: Any) -> None:
    one = TEN.with_columns(pl.col("s") - pl.int_range(10) / 100)
    frame = pl.concat([one, one.with_columns(sex=pl.lit("X"), s=pl.col("s") - 0.001)])
    question: dict[str, Any] = {**QUESTION, "favored": favored}
    answer = pf.lending.quantiles(frame, shares=[0.2, 0.6], **question)
    deviation: dict[str, Any] = {"deviation": "population"} if favored is pf.OVERALL else {}
    thresholds = answer["threshold"].unique().to_list()
    table = pf.lending.table(frame, **question, **deviation, threshold=thresholds)
    columns = [name for name in answer.columns if name in table.columns]
    assert len(columns) == 15
    assert_same(answer.select(columns).sort("threshold", "disfavored"), table.select(columns))


shares_as_written = st.sampled_from(["0.1", "0.07", "0.25", "0.5", "0.55", "0.9", "0.999"])


@given(frames(), shares_as_written, st.sampled_from([None, "w"]))
@examples(40)
def test_each_row_is_accepted_as_by_brute_force(
    frame: pl.DataFrame, share: str, weight: str | None
) -> None:
    """Row by row: what the rows above leave of the share, divided among the rows that tie."""
    answer = quantiles(frame, shares=[float(share)], by="branch", weight=weight)
    assert {*answer["branch"]} == {*frame["branch"]}
    columns = ("branch", "disfavored", "threshold", "accepted_share", "rate")
    for branch, group, threshold, accepted, rate in answer.select(columns).iter_rows():
        rows = [row for row in frame.iter_rows(named=True) if row["branch"] == branch]
        mass = [Fraction(row[weight]) if weight else Fraction(1) for row in rows]
        needed = Fraction(share) * sum(mass)
        needed = needed if weight else Fraction(ceil(needed))
        parts = []
        for row in rows:
            above = sum(m for other, m in zip(rows, mass, strict=True) if other["s"] > row["s"])
            tied = sum(m for other, m in zip(rows, mass, strict=True) if other["s"] == row["s"])
            parts.append(min(Fraction(1), max(Fraction(0), (needed - above) / tied)))
        assert threshold == min(row["s"] for row, part in zip(rows, parts, strict=True) if part)
        assert accepted == pytest.approx(float(needed / sum(mass)), rel=1e-12)
        of_group = [
            (m, part) for row, m, part in zip(rows, mass, parts, strict=True) if row["sex"] == group
        ]
        # Without a comparison, no group is named.
        if group and of_group and any(row["sex"] == "M" for row in rows):
            of_all = sum(m for m, _ in of_group)
            expected = float(sum(m * part for m, part in of_group) / of_all)
            assert rate == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_a_score_that_is_missing_is_an_error_or_drops_the_row() -> None:
    frame = people().with_columns(score=pl.when(pl.col("branch") != "north").then("score"))
    with pytest.raises(pf.FairnessError, match="score: missing values: 'score' has 171"):
        pf.lending.quantiles(frame, facet="sex", favored="M", score="score")
    answer = pf.lending.quantiles(
        frame, facet="sex", favored="M", score="score", nulls="drop", confidence=None
    )
    assert answer["rows_dropped"].unique().to_list() == [frame["score"].null_count()]
