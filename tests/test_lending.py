"""Groups beside their reference: tables, best shares, segments and their page, by hand."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, inf, sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy.stats import chi2, false_discovery_control, fisher_exact, norm

import polars_fairness as pf
from tests.frames import by_outcome, one_row_each, predictions
from tests.reference.slices import assert_alike, beside
from tests.strategies import examples, frames

pytestmark = pytest.mark.extras

CELLS: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "p", "count": "n"}

ROWS: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "p", "score": "s"}

NO_INTERVALS: dict[str, Any] = {"confidence": None}


def only(answer: pl.DataFrame) -> dict[str, Any]:
    """The one row of an answer."""
    return answer.row(0, named=True) if answer.height == 1 else pytest.fail(f"{answer}")


def table(frame: pl.DataFrame, **question: Any) -> pl.DataFrame:
    return pf.lending.table(frame, **{**NO_INTERVALS, **question})


# Of 10,000 each: the ratio is exactly 0.8, the difference exactly 10 points.
@pytest.mark.parametrize(
    ("limits", "is_flagged"),
    [
        ({}, False),
        ({"minimum_ratio": 0.8000001}, True),
        ({"minimum_ratio": 0.81, "maximum_points": 10}, False),
        ({"minimum_ratio": 0.81, "maximum_points": 9.999}, True),
        ({"minimum_ratio": 0.81, "significance": 0}, False),
        ({"minimum_ratio": 1, "maximum_points": 0, "significance": 1}, True),
    ],
)
def test_a_group_is_flagged_if_all_three_numbers_are_beyond_their_limits(
    limits: dict[str, float], is_flagged: bool
) -> None:
    frame = predictions(F=(4000, 6000), M=(5000, 5000))
    assert only(table(frame, **CELLS, **limits))["is_flagged"] is is_flagged


def rows_of(**sides: tuple[int, int]) -> pl.DataFrame:
    """Each accepted and each rejected row by itself, with a weight whose sums are not exact."""
    return one_row_each(predictions(**sides)).with_columns(w=0.7)


@pytest.mark.parametrize("weight", [None, "w"])
def test_a_number_exactly_at_its_limit_is_not_beyond_it(weight: str | None) -> None:
    """The ratio is 4/5, and the difference 10 points; in floats they are beyond these."""
    question = {**ROWS, "score": None, "weight": weight, "significance": 1}
    assert (30 / 50) / (60 / 80) < 0.8
    ratio = rows_of(F=(30, 20), M=(60, 20))
    assert only(table(ratio, **question))["is_flagged"] is False
    assert only(table(ratio, **question, minimum_ratio=0.8001))["is_flagged"] is True
    assert 100 * (0.8 - 0.7) > 10
    question["minimum_ratio"] = 1
    for points in (rows_of(F=(70, 30), M=(80, 20)), rows_of(F=(40, 60), M=(50, 50))):
        assert only(table(points, **question, maximum_points=10))["is_flagged"] is False
        assert only(table(points, **question, maximum_points=9.99))["is_flagged"] is True


def test_limits_are_taken_as_they_are_written() -> None:
    """Seven of 1,000 are 0.7 points, which is more than the float 0.7 by its last digits."""
    question: dict[str, Any] = {**CELLS, "minimum_ratio": 1, "significance": 1}
    few = predictions(F=(493, 507), M=(500, 500))
    assert 0.7 / 100 < 7 / 1000
    assert only(table(few, **question, maximum_points=0.7))["is_flagged"] is False
    assert only(table(few, **question, maximum_points=0.69))["is_flagged"] is True


@pytest.mark.parametrize("unit", [1e-15, 1, 1e9])
def test_equal_weighted_rates_have_no_shortfall(unit: float) -> None:
    """What is missing by rounding grows with the unit of the weights, and so does the rest."""
    question = {**ROWS, "score": None, "weight": "w"}
    equal, fewer = rows_of(F=(30, 50), M=(60, 100)), rows_of(F=(20, 60), M=(60, 100))
    row = only(table(equal.with_columns(pl.col("w") * unit), **question))
    assert (row["shortfall"], row["shortfall_to_four_fifths"]) == (0.0, 0.0)
    row = only(table(fewer.with_columns(pl.col("w") * unit), **question))
    found = (row["shortfall"] / unit, row["shortfall_to_four_fifths"] / unit)
    # Ten rows of 0.7 each, and four.
    assert found == pytest.approx((7.0, 2.8))


def test_a_group_that_cannot_be_compared_is_neither_flagged_nor_cleared() -> None:
    """In the second window there are no men; in the third, only people of unknown sex."""
    frame = pl.DataFrame(
        {
            "by": [1, 1, 2, 3, 4, 4, 5, 5],
            "sex": ["F", "M", "F", None, "F", "M", "F", "M"],
            "p": [0, 0, 1, 1, 1, 0, 1, 1],
            "n": [9, 9, 9, 9, 9, 9, 9, 9],
        }
    )
    answer = table(frame, **CELLS, by="by")
    assert answer["disfavored"].to_list() == ["F", "F", None, "F", "F"]
    # To a rate of 0 there is no ratio, or an infinite one; but no more points than 0 either.
    assert answer["air"].to_list() == [None, None, None, inf, 1.0]
    assert answer["points"].to_list() == [0.0, None, None, -100.0, 0.0]
    assert answer["is_flagged"].to_list() == [False, None, None, False, False]
    assert answer["shortfall"].to_list() == [0, None, None, 0, 0]


SCORED = pl.DataFrame(
    {
        "month": [1, 1, 1, 1, 1, 1, 1, None, None, None, None, None],
        "sex": ["F", "F", "F", "M", "M", "M", None, "F", "F", "M", "M", None],
        "s": [0.1, 0.35, 0.3, 0.4, 0.8, 0.55, 0.97, 0.5, 0.2, 0.9, 0.1, 0.3],
        "t": [0.2, 0.25, 0.3, 0.1, 0.9, 0.35, 0.17, 0.4, 0.1, 0.7, 0.5, 0.9],
        "w": [1.0, 2.5, 0.5, 3.0, 1.0, 1.5, 2.0, 1.0, 4.0, 1.0, 0.25, 2.0],
        "n": [3, 1, 2, 2, 5, 1, 4, 2, 2, 1, 3, 1],
    }
).with_columns(p=pl.col("s") > 0.5)


def in_population_deviations(rows: pl.DataFrame, weight: str | None, score: str = "s") -> float:
    """The difference of mean scores of M and F in standard deviations of all rows, by numpy."""
    scores = rows[score].to_numpy()
    weights = rows[weight].to_numpy() if weight else np.ones(rows.height)
    women, men = ((rows["sex"] == sex).fill_null(value=False).to_numpy() for sex in ("F", "M"))
    mean = np.average(scores, weights=weights)
    variance = np.average((scores - mean) ** 2, weights=weights)
    effective = weights.sum() ** 2 / (weights**2).sum()
    difference = np.average(scores[men], weights=weights[men]) - np.average(
        scores[women], weights=weights[women]
    )
    return float(difference / np.sqrt(variance * effective / (effective - 1)))


@pytest.mark.parametrize("weight", [None, "w"])
def test_the_deviation_of_the_population_is_that_of_all_rows(weight: str | None) -> None:
    """Of the window, people of unknown sex included; with weights, by effective rows."""
    answer = table(SCORED, **ROWS, deviation="population", weight=weight, by="month")
    expected = [in_population_deviations(rows, weight) for rows in SCORED.partition_by("month")]
    assert answer["smd"].to_list() == pytest.approx(expected, rel=1e-12)
    if weight is None:
        one = SCORED.filter(month=1)
        women, men = (one.filter(sex=sex)["s"].mean() for sex in ("F", "M"))
        by_polars = (men - women) / one["s"].std()  # type: ignore[operator]
        assert answer["smd"][0] == pytest.approx(by_polars, rel=1e-12)


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("favored", ["M", pf.HIGHEST])
def test_values_and_intervals_of_a_table_are_those_of_an_audit(
    favored: Any, weight: str | None
) -> None:
    question: dict[str, Any] = {**ROWS, "favored": favored, "weight": weight, "replicates": 200}
    answer = pf.lending.table(SCORED, **question, seed=3)
    population = pf.lending.table(SCORED, **question, seed=3, deviation="population")
    audited = pf.audit(
        SCORED, "di", "dppl", "odds_ratio", "smd", "score_difference", **question, seed=3
    )
    of_metric = {row["metric"]: row for row in audited.iter_rows(named=True)}
    row = only(answer)

    def ends(name: str, times: float = 1) -> list[Any]:
        return [times * of_metric[name][end] for end in ("value", "lower", "upper")]

    assert [row["air"], row["lower"], row["upper"]] == ends("di")
    for column, metric, times in (
        ("points", "dppl", 100),
        ("odds_ratio", "odds_ratio", 1),
        ("smd", "smd", 1),
    ):
        found = [row[f"{column}{end}"] for end in ("", "_lower", "_upper")]
        assert found == pytest.approx(ends(metric, times), rel=1e-12)
    in_deviations = [only(population)[f"smd{end}"] for end in ("", "_lower", "_upper")]
    spread = of_metric["score_difference"]["value"] / in_deviations[0]
    assert in_deviations == pytest.approx(ends("score_difference", 1 / spread), rel=1e-12)


FIVE_GROUPS = predictions(F=(5, 95), M=(30, 70), X=(28, 72), O=(18, 82), P=(17, 83))


def by_holm(p_values: list[float]) -> list[float]:
    """Each p-value times the number of those that are not smaller, and none above a larger one."""
    stricter = {p: p * sum(other >= p for other in p_values) for p in p_values}
    return [min(1, max(stricter[other] for other in p_values if other <= p)) for p in p_values]


@pytest.mark.parametrize(
    ("p_values", "adjusted"), [("holm", by_holm), ("bh", false_discovery_control)]
)
def test_p_values_are_adjusted_over_the_whole_table(p_values: Any, adjusted: Any) -> None:
    frame = pl.concat(
        FIVE_GROUPS.with_columns(n=pl.col("n") // times, branch=times) for times in (1, 3)
    )
    question = {**CELLS, "by": "branch"}
    expected = adjusted(table(frame, **question)["p_value"].to_list())
    answer = table(frame, **question, p_values=p_values)
    assert answer["p_value"].to_list() == pytest.approx(expected, rel=1e-12)
    # What is flagged follows from the adjusted p-values.
    below = answer["air"] < 0.8
    assert answer["is_flagged"].to_list() == (below & (answer["p_value"] < 0.05)).to_list()
    assert answer["is_flagged"].sum() < table(frame, **question)["is_flagged"].sum()


def test_with_weights_the_p_value_is_normal_and_of_effective_rows() -> None:
    frame = SCORED.with_columns(p=pl.col("s") > 0.35)
    known = frame.drop_nulls("sex")
    w, p, men = (known[name].to_numpy() for name in ("w", "p", "sex"))
    men = men == "M"
    effective = w.sum() ** 2 / (w**2).sum()
    rate, share = np.average(p, weights=w), np.average(men, weights=w)
    rates = [np.average(p[side], weights=w[side]) for side in (men, ~men)]
    variance = rate * (1 - rate) / (effective * share * (1 - share))
    expected = 2 * norm.sf(abs(rates[0] - rates[1]) / np.sqrt(variance))
    row = only(table(frame, **ROWS, weight="w"))
    assert row["p_value"] == pytest.approx(expected, rel=1e-9)


def test_the_reference_may_be_found_in_the_data() -> None:
    frame = predictions(F=(10, 30), M=(30, 10), X=(60, 60))
    question: dict[str, Any] = {"facet": "sex", "predicted": "p", "count": "n"}
    highest = table(frame, **question, favored=pf.HIGHEST)
    assert highest["favored"].unique().to_list() == ["M"]
    assert highest["disfavored"].to_list() == ["F", "X"]
    largest = table(frame, **question, favored=pf.LARGEST)
    assert largest["favored"].unique().to_list() == ["X"]
    overall = table(frame, **question, favored=pf.OVERALL).filter(disfavored="F").row(0, named=True)
    assert overall["reference_rate"] == 100 / 200
    # All of 40 at the overall rate are 20. The test is against the rest, who share no rows with F.
    assert overall["shortfall"] == 10
    p_value = fisher_exact([[10, 30], [90, 70]]).pvalue
    assert overall["p_value"] == pytest.approx(p_value, rel=1e-9)
    listed = only(table(frame, **question, favored=["M", "X"]))
    assert (listed["favored"], listed["reference_rate"]) == ("M, X", 90 / 160)


def assert_same(left: pl.DataFrame, right: pl.DataFrame) -> None:
    assert_frame_equal(left, right, rel_tol=1e-9, abs_tol=1e-12)


BY_ROWS: dict[str, Any] = {**ROWS, "by": "branch", "maximum_points": 5, "minimum_ratio": 0.9}


@given(frames())
@examples(30)
def test_the_table_is_that_of_brute_force(frame: pl.DataFrame) -> None:
    answer = table(frame, **BY_ROWS).drop_nulls("disfavored")
    keyed = answer.filter(pl.col("n_favored") > 0, pl.col("n_disfavored") > 0)
    found = {(row["branch"], row["disfavored"]): row for row in keyed.iter_rows(named=True)}
    groups: dict[Any, dict[str, list[bool]]] = {}
    for row in frame.iter_rows(named=True):
        groups.setdefault(row["branch"], {}).setdefault(row["sex"], []).append(row["p"])
    expected = {
        (branch, sex): beside(sum(decided), len(decided), sum(of["M"]), len(of["M"]))
        for branch, of in groups.items()
        for sex, decided in of.items()
        if "M" in of and sex not in ("M", None)
    }
    assert found.keys() == expected.keys()
    for key, numbers in expected.items():
        ratio = numbers.pop("ratio")
        del numbers["two_sd"]
        is_low = ratio is not None and ratio < Fraction(9, 10)
        flagged = is_low and numbers["points"] > 5 and numbers["p_value"] < 0.05
        assert_alike(found[key], {**numbers, "air": ratio, "is_flagged": flagged})


@given(frames())
@examples(20)
def test_the_unit_of_weights_changes_no_flag(frame: pl.DataFrame) -> None:
    sums = ("n_disfavored", "n_favored", "n_unknown", "shortfall", "shortfall_to_four_fifths")
    question = {**BY_ROWS, "deviation": "population", "weight": "w"}
    expected = table(frame, **question)
    rescaled = table(frame.with_columns(pl.col("w") * 0.3), **question)
    assert_same(rescaled.drop(sums), expected.drop(sums))
    assert_same(rescaled.select(sums), expected.select(pl.col(sums) * 0.3))


BEST: dict[str, Any] = {"facet": "sex", "favored": "M", "score": "s", "confidence": None}


def quantiles(frame: pl.DataFrame, **question: Any) -> pl.DataFrame:
    return pf.lending.quantiles(frame, **{**BEST, **question})


TEN = pl.DataFrame(
    {
        "s": [0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1],
        "sex": ["M", "M", "F", None, "M", "F", "M", None, "F", "F"],
    }
)


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


LOANS: dict[str, Any] = {
    "facet": "race",
    "favored": "White",
    "predicted": "approved",
    "subgroup": "branch",
    "count": "n",
}

IN_BRANCH: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "p", "subgroup": "branch"}

BERKELEY: dict[str, Any] = {
    "facet": "sex",
    "favored": "Male",
    "predicted": "admitted",
    "subgroup": "department",
    "count": "n",
}

COUNTED_LOANS = ["branch", "race", "approved", "n"]


def loans(branches: list[dict[str, tuple[int, int]]]) -> pl.DataFrame:
    return pl.DataFrame(
        [
            (branch, race, approved, n)
            for branch, groups in enumerate(branches)
            for race, numbers in groups.items()
            for approved, n in zip((1, 0), numbers, strict=True)
        ],
        schema=COUNTED_LOANS,
        orient="row",
    )


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


@pytest.mark.parametrize("weight", [None, "w"])
@given(frame=frames(least=8), zero_division=st.sampled_from([None, 0.0]))
@examples(25)
def test_values_and_intervals_of_segments_are_those_of_an_audit(
    weight: str | None, frame: pl.DataFrame, zero_division: float | None
) -> None:
    question = {**IN_BRANCH, "weight": weight, "zero_division": zero_division, "by": "k"}
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
    for row in pf.lending.segments(frame, **IN_BRANCH).iter_rows(named=True):
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
        pf.lending.segments(frame.with_columns(w=w), **IN_BRANCH, weight="w")["p_value"].item()
        for w in (pl.lit(0.3), 1 + pl.col("p") / 2)
    )
    assert equal == pytest.approx(fisher_exact([[10, 20], [20, 10]]).pvalue)
    # 15 and 20 of the weight of F are accepted and rejected, 30 and 10 of M's.
    n = 75**2 / 97.5
    excess = (30 * 20 - 15 * 10) / 75 * n / 75
    variance = 35 * 40 * 45 * 30 / 75**4 * n**2 / (n - 1)
    assert unequal == pytest.approx(2 * norm.sf((excess - 0.5) / sqrt(variance)))


def test_few_rows_give_few_numbers() -> None:
    alone = loans([{"White": (1, 0), "Black": (0, 1)}])
    row = pf.lending.segments(alone, **LOANS).row(0, named=True)
    assert (row["segments"], row["mh_odds_ratio"], row["breslow_day"]) == (1, 0.0, None)
    # One is expected of each two, with a variance of 1·1·1·1/(4·1): one standard deviation. The
    # accepted row may as well be the other one.
    assert (row["cmh"], row["p_value"]) == (1.0, 1.0)
    only_white = pf.lending.segments(loans([{"White": (3, 2)}]), **LOANS)
    assert only_white.height == 1
    assert only_white.drop("facet", "n_unknown", "rows_dropped").null_count().row(0) == (1,) * 12
    empty = pf.lending.segments(alone.clear(), **LOANS)
    assert empty.is_empty()
    assert empty.schema == only_white.schema


# 60 of 100 men and 40 of 100 women are accepted, 81 of 160 White and 24 of 50 Black applicants.
COUNTED: Final = pl.DataFrame(
    {
        "sex": ["M", "M", "F", "F", None],
        "race": ["White", "Black", "White", "Black", "White"],
        "n": [80, 20, 70, 30, 10],
        "approved": [48, 12, 28, 12, 5],
    }
)

APPLICANTS: Final = by_outcome(COUNTED, "approved")

OF_PAGE: Final[dict[str, Any]] = {
    "facet": ["sex", "race"],
    "favored": {"sex": "M", "race": "White"},
    "predicted": "approved",
    "count": "n",
}

# North accepts 3 of 4 women and of men, South 1 of 4; most women apply in the South.
BRANCHES: Final = pl.DataFrame(
    {
        "branch": ["N"] * 4 + ["S"] * 4,
        "sex": ["M", "M", "F", "F"] * 2,
        "approved": [True, False] * 4,
        "n": [60, 20, 15, 5, 5, 15, 20, 60],
    }
)

IN_BRANCHES: Final[dict[str, Any]] = {
    **OF_PAGE,
    "facet": "sex",
    "favored": "M",
    "subgroup": "branch",
}

RANKED: Final = pl.DataFrame(
    {
        "sex": ["M"] * 4 + ["F"] * 4,
        "score": [0.9, 0.8, 0.7, 0.6, 0.55, 0.85, 0.3, 0.2],
        "approved": [True] * 4 + [False] * 4,
    }
)

BY_SCORE: Final[dict[str, Any]] = {
    "facet": "sex",
    "favored": "M",
    "predicted": "approved",
    "score": "score",
    "shares": [0.25, 0.5],
}


def report(frame: Any = APPLICANTS, **given: Any) -> Any:
    return pf.lending.report(frame, **{**OF_PAGE, "confidence": None, **given})


@pytest.mark.parametrize(
    ("frame", "found"),
    [
        (BRANCHES.clear(), "Nothing to show: the answer has no rows."),
        (BRANCHES.filter(sex="M"), "By sex: there is nothing to compare: fewer than two groups"),
        (BRANCHES.with_columns(sex=pl.lit(None, pl.String)), "there is nothing to compare"),
        (BRANCHES.head(1), "there is nothing to compare"),
        (
            # Of FN 15 of 20 are accepted, of FS 20 of 80; women in all 35 of 100, men 65.
            pl.concat([BRANCHES, BRANCHES.with_columns(pl.col("sex") + pl.col("branch"))]),
            "FS against FN: 25.0\u202f% and 75.0\u202f%, ratio 0.333, 50.0 points less",
        ),
    ],
)
def test_odd_frames_have_a_page(frame: pl.DataFrame, found: str, tmp_path: Path) -> None:
    page = report(frame, **{**IN_BRANCHES, "favored": pf.HIGHEST})
    assert found in page.to_markdown()
    page.write_html(tmp_path / "page.html")
    by = {**IN_BRANCHES, "subgroup": None, "favored": pf.HIGHEST, "by": "branch"}
    report(frame, **by).write_html(tmp_path / "page.html")


@pytest.mark.parametrize("favorable", [True, False])
def test_the_comparison_of_most_concern_is_that_of_the_group_worse_off(*, favorable: bool) -> None:
    """Beside 50 of 100 men: the ratios are 0.4 and 1.6; an undefined one comes last."""
    frame = predictions(F=(20, 80), M=(50, 50), X=(80, 20))
    page = report(frame, **CELLS, favorable=favorable)
    rows = sorted(page.table.iter_rows(named=True), key=page.concern)
    assert [row["disfavored"] for row in rows] == (["F", "X"] if favorable else ["X", "F"])
    assert page.concern({"air": None}) == inf
