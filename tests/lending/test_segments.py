"""Groups beside their reference inside segments: by hand, as an audit has them, and rearranged."""

from __future__ import annotations

from itertools import product
from math import exp, sqrt
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy.stats import chi2, false_discovery_control, fisher_exact, norm

import polars_fairness as pf
from polars_fairness.api.columns import SEGMENTS, names_of
from tests.frames import people
from tests.lending.test_table import by_holm
from tests.strategies import FULL, examples, frames

pytestmark = pytest.mark.extras

CELLS: dict[str, Any] = {
    "facet": "race",
    "favored": "White",
    "predicted": "approved",
    "subgroup": "branch",
    "count": "n",
}
ROWS: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "p", "subgroup": "branch"}
BERKELEY: dict[str, Any] = {
    "facet": "sex",
    "favored": "Male",
    "predicted": "admitted",
    "subgroup": "department",
    "count": "n",
}

# Approved and rejected of each group, by branch. Branch 2 has no approval and branch 3 no Asian.
BRANCHES: list[dict[str, tuple[int, int]]] = [
    {"White": (60, 40), "Black": (25, 35), "Asian": (30, 12)},
    {"White": (30, 90), "Black": (8, 70), "Asian": (9, 30)},
    {"White": (0, 9), "Black": (0, 5), "Asian": (0, 7)},
    {"White": (5, 5), "Black": (9, 2)},
]


SCHEMA = ["branch", "race", "approved", "n"]


def loans(branches: list[dict[str, tuple[int, int]]]) -> pl.DataFrame:
    return pl.DataFrame(
        [
            (branch, race, approved, n)
            for branch, groups in enumerate(branches)
            for race, numbers in groups.items()
            for approved, n in zip((1, 0), numbers, strict=True)
        ],
        schema=SCHEMA,
        orient="row",
    )


def test_every_number_by_hand() -> None:
    """Branches with odds ratios of 9 and 1/9, which have 1 on average and none in common.

    Breslow and Day: each cell is expected to be 2, with a variance of 1/(4/2); eight rows are too
    few for the p-value. Robins, Breslow and
    Greenland: the sums of products are (9 + 1)/8 and (1 + 9)/8, and the variance of the logarithm
    is (0.875 + 0.75 + 0.875)/(2·1.25²) = 0.8.
    """
    opposite = [
        {"White": (1, 3), "Black": (3, 1)},
        {"White": (3, 1), "Black": (1, 3)},
        {"White": (4, 0), "Black": (2, 0)},
    ]
    frame = pl.concat(
        [loans(opposite), pl.DataFrame([(0, None, 1, 7)], schema=SCHEMA, orient="row")]
    )
    row = pf.lending.segments(frame, **CELLS).row(0, named=True)
    assert row == {
        "facet": "race",
        "disfavored": "Black",
        "favored": "White",
        "n_disfavored": 10,
        "n_favored": 12,
        "n_unknown": 7,
        "rows_dropped": 0,
        "segments": 2,
        "cmh": 0.0,
        "p_value": 1.0,
        "breslow_day": pytest.approx(4.0, rel=1e-12),
        "breslow_day_p_value": None,
        "mh_odds_ratio": 1.0,
        "lower": pytest.approx(exp(-1.959964 * sqrt(0.8)), rel=1e-6),
        "upper": pytest.approx(exp(1.959964 * sqrt(0.8)), rel=1e-6),
    }
    assert [*row] == [*names_of(SEGMENTS)]


def test_berkeleys_departments_turn_the_whole_round() -> None:
    """R's mantelhaen.test prints 0.9046968 for men over women and a normal p of 0.2323,
    DescTools::BreslowDayTest X-squared = 18.826 and p = 0.002071."""
    frame = pf.datasets.berkeley()
    whole = pf.lending.table(frame, **{**BERKELEY, "subgroup": None})
    inside = pf.lending.segments(frame, **BERKELEY).row(0, named=True)
    assert whole["odds_ratio_upper"].item() < 1 < inside["mh_odds_ratio"]
    assert inside["segments"] == 6
    assert inside["mh_odds_ratio"] == pytest.approx(1 / 0.9046968, abs=1e-6)
    assert inside["p_value"] == pytest.approx(0.2323, rel=0.03)
    assert inside["breslow_day"] == pytest.approx(18.826, abs=5e-4)
    assert inside["breslow_day_p_value"] == pytest.approx(0.002071, abs=1e-6)


@pytest.mark.parametrize(
    ("p_values", "adjust"), [("holm", by_holm), ("bh", false_discovery_control)]
)
def test_p_values_are_adjusted_over_the_groups_column_by_column(p_values: Any, adjust: Any) -> None:
    rng = np.random.default_rng(19)
    groups = ["White", *(f"group {i}" for i in range(8)), "alone"]
    branches = [
        {group: (int(rng.integers(1, 30)), int(rng.integers(1, 30))) for group in groups[:-1]}
        for _ in range(3)
    ]
    frame = loans([*branches, {"alone": (3, 4)}])
    exact, adjusted = (
        pf.lending.segments(frame, **CELLS, p_values=how) for how in ("exact", p_values)
    )
    columns = ["p_value", "breslow_day_p_value"]
    for column in columns:
        by_group = dict(zip(exact["disfavored"], exact[column], strict=True))
        assert by_group.pop("alone") is None  # no test, and so not counted as one
        theirs = adjust([*by_group.values()])
        found = dict(zip(adjusted["disfavored"], adjusted[column], strict=True))
        assert found == pytest.approx(dict(zip(by_group, theirs, strict=True)) | {"alone": None})
    assert_frame_equal(adjusted.drop(columns), exact.drop(columns))


@pytest.mark.parametrize("weight", [None, "w"])
@given(frame=frames(least=8), zero_division=st.sampled_from([None, 0.0]))
@examples(25)
def test_values_and_intervals_are_those_of_an_audit(
    weight: str | None, frame: pl.DataFrame, zero_division: float | None
) -> None:
    question = {**ROWS, "weight": weight, "zero_division": zero_division, "by": "k"}
    answer = pf.lending.segments(frame, **question)
    audits = {
        name: pf.audit(frame, name, p_values="exact", **question)
        for name in ("cmh", "breslow_day", "mh_odds_ratio")
    }
    for name, audit in audits.items():
        assert answer[name].equals(audit["value"].alias(name))
    assert answer.select("lower", "upper").equals(audits["mh_odds_ratio"].select("lower", "upper"))
    p_values = answer.select("p_value", "breslow_day_p_value")
    if weight is None:
        assert p_values["p_value"].equals(audits["cmh"]["p_value"])
        assert p_values["breslow_day_p_value"].equals(
            audits["breslow_day"]["p_value"].alias("breslow_day_p_value")
        )
        return
    numbers = answer.select("segments", "cmh", "breslow_day").rows()
    for (p, p_of_alike), (segments, cmh, breslow_day) in zip(p_values.rows(), numbers, strict=True):
        if p_of_alike is not None:
            assert p_of_alike == pytest.approx(chi2.sf(breslow_day, segments - 1), rel=1e-9)
        if zero_division is None:
            assert (p is None) == (cmh is None)
            assert p_of_alike is None or breslow_day is not None


@given(frame=frames(least=8))
@examples(25)
def test_segments_count_if_they_have_both_sides_and_both_outcomes(frame: pl.DataFrame) -> None:
    for row in pf.lending.segments(frame, **ROWS).iter_rows(named=True):
        sides = frame.filter(pl.col("sex").is_in([row["disfavored"], "M"]))
        informative = sum(
            part["sex"].n_unique() == 2 and part["p"].n_unique() == 2
            for part in sides.partition_by("branch")
        )
        assert row["segments"] == informative
        assert (row["p_value"] is None) == (informative == 0)


def test_equal_weights_leave_the_exact_test_and_others_a_normal_one() -> None:
    """With weights of 1.5 if accepted and of 1, 60 rows are 75²/97.5 people."""
    rows = [("F", 1), ("F", 0), ("F", 0), ("M", 1), ("M", 1), ("M", 0)] * 10
    frame = pl.DataFrame(rows, schema=["sex", "p"], orient="row").with_columns(branch=0)
    equal, unequal = (
        pf.lending.segments(frame.with_columns(w=w), **ROWS, weight="w")["p_value"].item()
        for w in (pl.lit(0.3), 1 + pl.col("p") / 2)
    )
    assert equal == pytest.approx(fisher_exact([[10, 20], [20, 10]]).pvalue)
    # 15 and 20 of the weight of F are accepted and rejected, 30 and 10 of M's.
    n = 75**2 / 97.5
    excess = (30 * 20 - 15 * 10) / 75 * n / 75
    variance = 35 * 40 * 45 * 30 / 75**4 * n**2 / (n - 1)
    assert unequal == pytest.approx(2 * norm.sf((excess - 0.5) / sqrt(variance)))


@given(frame=frames(least=8), unit=st.sampled_from([1e-3, 1e3]))
@examples(15)
def test_the_unit_of_weights_changes_nothing(frame: pl.DataFrame, unit: float) -> None:
    one, other = (
        pf.lending.segments(each, **ROWS, weight="w").drop("n_disfavored", "n_favored", "n_unknown")
        for each in (frame, frame.with_columns(pl.col("w") * unit))
    )
    assert_frame_equal(one, other, rel_tol=1e-9, abs_tol=1e-12)


def test_windows_models_and_thresholds_have_rows_of_their_own() -> None:
    frame = people().with_columns(other=1 - pl.col("score"))
    question = {**ROWS, "predicted": {"now": "score", "new": "other"}, "threshold": [0.25, 0.5]}
    answer = pf.lending.segments(frame, **question, by="month")
    assert answer.columns[:4] == ["month", "model", "threshold", "facet"]
    for month, model, threshold in product((0, 1), ("now", "new"), (0.25, 0.5)):
        score = {"now": "score", "new": "other"}[model]
        alone = pf.lending.segments(
            frame.filter(month=month).with_columns(p=pl.col(score) >= threshold), **ROWS
        )
        of_window = answer.filter(month=month, model=model, threshold=threshold)
        assert_frame_equal(of_window.drop("month", "model", "threshold"), alone)


def test_the_reference_may_be_found_and_segments_may_be_combinations() -> None:
    frame = loans(BRANCHES).with_columns(product=pl.lit("card"))
    found, given = (
        pf.lending.segments(frame, **{**CELLS, "favored": favored})
        for favored in (pf.LARGEST, "White")
    )
    assert_frame_equal(found, given)
    combined = pf.lending.segments(frame, **{**CELLS, "subgroup": ["branch", "product"]})
    assert_frame_equal(combined, given)


def test_without_intervals_bounds_are_null() -> None:
    answer = pf.lending.segments(loans(BRANCHES), **CELLS, confidence=None)
    assert answer.select("lower", "upper").null_count().row(0) == (2, 2)
    narrow, wide = (
        pf.lending.segments(loans(BRANCHES), **CELLS, confidence=confidence)
        for confidence in (0.5, 0.99)
    )
    assert (narrow["lower"] > wide["lower"]).all()
    assert (narrow["upper"] < wide["upper"]).all()


def test_few_rows_give_few_numbers() -> None:
    alone = loans([{"White": (1, 0), "Black": (0, 1)}])
    row = pf.lending.segments(alone, **CELLS).row(0, named=True)
    assert (row["segments"], row["mh_odds_ratio"], row["breslow_day"]) == (1, 0.0, None)
    # One is expected of each two, with a variance of 1·1·1·1/(4·1): one standard deviation. The
    # accepted row may as well be the other one.
    assert (row["cmh"], row["p_value"]) == (1.0, 1.0)
    only_white = pf.lending.segments(loans([{"White": (3, 2)}]), **CELLS)
    assert only_white.height == 1
    assert only_white.drop("facet", "n_unknown", "rows_dropped").null_count().row(0) == (1,) * 12
    empty = pf.lending.segments(alone.clear(), **CELLS)
    assert empty.is_empty()
    assert empty.schema == only_white.schema


def test_columns_of_segments_may_have_any_name() -> None:
    named = FULL.rename({"branch": "segments"})
    answer = pf.lending.segments(named, **{**ROWS, "subgroup": "segments"})
    assert_frame_equal(answer, pf.lending.segments(FULL, **ROWS))
