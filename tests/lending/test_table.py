"""Groups beside their reference: each number of the table, and the flag."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, inf
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from polars.testing import assert_frame_equal
from scipy.stats import false_discovery_control, fisher_exact, norm

import polars_fairness as pf
from tests.frames import one_row_each, predictions
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


def test_every_number_by_hand() -> None:
    """Of 40 women 20 are accepted, of 40 men 30; and 7 people of unknown sex."""
    frame = pl.concat(
        [predictions(F=(20, 20), M=(30, 10)), pl.DataFrame({"sex": [None], "p": [1], "n": [7]})],
        how="vertical_relaxed",
    )
    row = only(table(frame, **CELLS))
    assert row == {
        "facet": "sex",
        "disfavored": "F",
        "favored": "M",
        "n_disfavored": 40,
        "n_favored": 40,
        "n_unknown": 7,
        "rows_dropped": 0,
        "rate": 0.5,
        "reference_rate": 0.75,
        "points": 25.0,
        "points_lower": None,
        "points_upper": None,
        "odds_ratio": pytest.approx(1 / 3, rel=1e-15),
        "odds_ratio_lower": None,
        "odds_ratio_upper": None,
        "smd": None,
        "smd_lower": None,
        "smd_upper": None,
        # Three quarters of 40 are 30, ten more; four fifths of these are 24, four more.
        "shortfall": 10,
        "shortfall_to_four_fifths": 4,
        "p_value": pytest.approx(fisher_exact([[20, 20], [30, 10]]).pvalue, rel=1e-12),
        "air": pytest.approx(2 / 3, rel=1e-15),
        "lower": None,
        "upper": None,
        "is_flagged": True,
    }


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


def test_a_p_value_of_one_in_twenty_is_not_below_it() -> None:
    """Of 16 people with 4 yes, the 2 of a group of 2: (6 over 120) is the only table as rare."""
    row = only(table(predictions(F=(2, 12), M=(2, 0)), **CELLS))
    assert (row["p_value"], row["air"]) == (pytest.approx(0.05), pytest.approx(1 / 7))
    assert row["is_flagged"] is False


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


def test_shortfalls_are_whole_rows_and_sums_of_weights_are_not_rounded() -> None:
    """A rate of 3/4 in a group of 5: 4 reach it, 3 reach four fifths of it."""
    frame = predictions(F=(0, 5), M=(3, 1)).with_columns(w=pl.col("n") * 0.1)
    row = only(table(frame, **CELLS))
    assert (row["shortfall"], row["shortfall_to_four_fifths"]) == (4, 3)
    weighted = only(table(frame, **CELLS, weight="w"))
    assert weighted["shortfall"] == pytest.approx(0.375, rel=1e-12)
    assert weighted["shortfall_to_four_fifths"] == pytest.approx(0.3, rel=1e-12)


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


def test_the_pooled_deviation_is_that_of_the_two_groups() -> None:
    women, men = (SCORED.filter(sex=sex)["s"].to_numpy() for sex in ("F", "M"))
    freedom = len(women) + len(men) - 2
    squares = ((women - women.mean()) ** 2).sum() + ((men - men.mean()) ** 2).sum()
    expected = (men.mean() - women.mean()) / np.sqrt(squares / freedom)
    assert only(table(SCORED, **ROWS))["smd"] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("deviation", ["pooled", "population"])
def test_rounded_scores_keep_their_deviation(deviation: Any) -> None:
    """Cells of rounded scores have the sums of the scores and of their squares."""
    cells = pf.cells(SCORED, facet="sex", predicted="p", score="s", resolution=0.25)
    of_cells = table(
        cells, **ROWS, count="n", resolution=0.25, deviation=deviation, maximum_points=5
    )
    assert_same(of_cells, table(SCORED, **ROWS, deviation=deviation, maximum_points=5))
    assert_same(table(SCORED, **ROWS, resolution=0.25, deviation=deviation), of_cells)


def test_each_model_and_window_has_its_deviation_at_every_threshold() -> None:
    models = {"facet": "sex", "favored": "M", "predicted": {"one": "s", "two": "t"}}
    answer = table(SCORED, **models, threshold=[0.3, 0.5], deviation="population", by="month")
    assert answer.columns[:3] == ["month", "model", "threshold"]
    assert answer["threshold"].to_list() == [0.3, 0.5] * 4
    expected = [
        in_population_deviations(rows, None, score)
        for rows in SCORED.partition_by("month")
        for score in ("s", "s", "t", "t")
    ]
    assert answer["smd"].to_list() == pytest.approx(expected, rel=1e-12)


def test_equal_scores_have_no_deviation() -> None:
    frame = SCORED.with_columns(s=0.5)
    for deviation in ("pooled", "population"):
        assert only(table(frame, **ROWS, deviation=deviation))["smd"] is None
        zero = only(table(frame, **ROWS, deviation=deviation, zero_division=0.0))
        assert zero["smd"] == 0.0


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("favored", ["M", pf.HIGHEST])
def test_values_and_intervals_are_those_of_an_audit(favored: Any, weight: str | None) -> None:
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


def test_an_interval_contains_its_value() -> None:
    """All rows of both sides have one outcome: draws are far from the ratio of 0."""
    row = only(pf.lending.table(predictions(F=(0, 3), M=(3, 0)), **CELLS, replicates=100))
    assert row["lower"] <= row["air"] <= row["upper"]
    assert row["air"] == 0


BRANCHES = predictions(F=(5, 95), M=(30, 70), X=(28, 72), O=(18, 82), P=(17, 83))


def by_holm(p_values: list[float]) -> list[float]:
    """Each p-value times the number of those that are not smaller, and none above a larger one."""
    stricter = {p: p * sum(other >= p for other in p_values) for p in p_values}
    return [min(1, max(stricter[other] for other in p_values if other <= p)) for p in p_values]


@pytest.mark.parametrize(
    ("p_values", "adjusted"), [("holm", by_holm), ("bh", false_discovery_control)]
)
def test_p_values_are_adjusted_over_the_whole_table(p_values: Any, adjusted: Any) -> None:
    frame = pl.concat(
        BRANCHES.with_columns(n=pl.col("n") // times, branch=times) for times in (1, 3)
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


def test_all_rows_may_be_the_reference_of_scores_too() -> None:
    question = {**ROWS, "favored": pf.OVERALL, "deviation": "population"}
    row = table(SCORED, **question).filter(disfavored="F").row(0, named=True)
    known = SCORED.drop_nulls("sex")
    means = known["s"].mean(), known.filter(sex="F")["s"].mean()
    expected = (means[0] - means[1]) / SCORED["s"].std()  # type: ignore[operator]
    assert row["smd"] == pytest.approx(expected, rel=1e-12)


def test_several_facets_have_references_of_their_own() -> None:
    frame = SCORED.with_columns(age=pl.Series([30, 65] * 6))
    answer = table(
        frame, facet=["sex", "age"], favored={"sex": "M", "age": [30]}, predicted="p", score="s"
    )
    found = answer.select("facet", "disfavored", "favored").rows()
    assert found == [("age", "65", "30"), ("sex", "F", "M")]
    assert_same(answer.filter(facet="sex"), table(frame, **ROWS))


def test_few_rows_give_few_numbers() -> None:
    pair = (
        SCORED.filter(pl.col("sex").is_not_null()).unique("sex", keep="first").with_columns(p=True)
    )
    assert only(table(pair, **ROWS))["is_flagged"] is False
    assert table(pair, **ROWS).schema == table(SCORED, **ROWS).schema


def assert_same(left: pl.DataFrame, right: pl.DataFrame) -> None:
    assert_frame_equal(left, right, rel_tol=1e-9, abs_tol=1e-12)


BY_ROWS: dict[str, Any] = {**ROWS, "by": "branch", "maximum_points": 5, "minimum_ratio": 0.9}


def expected_rows(frame: pl.DataFrame) -> dict[tuple[Any, str], tuple[Any, ...]]:
    """The numbers of each comparison with M, one row after the other, in whole numbers."""
    found = {}
    for branch in frame["branch"].unique():
        rows = [row for row in frame.iter_rows(named=True) if row["branch"] == branch]
        groups: dict[str, list[bool]] = {}
        for row in rows:
            groups.setdefault(row["sex"], []).append(row["p"])
        if "M" not in groups:
            continue
        n_of, yes_of = len(groups["M"]), sum(groups["M"])
        for sex in {*groups} - {"M", None}:
            n, yes = len(groups[sex]), sum(groups[sex])
            rate, reference = Fraction(yes, n), Fraction(yes_of, n_of)
            ratio = rate / reference if reference else inf if rate else None
            points = 100 * (reference - rate)
            opposed = (n - yes) * yes_of
            odds = yes * (n_of - yes_of) / opposed if opposed else None
            if not opposed and yes * (n_of - yes_of):
                odds = inf
            p_value = fisher_exact([[yes, n - yes], [yes_of, n_of - yes_of]]).pvalue
            flags = ratio is not None and ratio < Fraction(9, 10), points > 5, p_value < 0.05
            found[branch, sex] = (
                *(n, n_of, float(rate), float(reference), float(points), odds),
                max(0, ceil(reference * n) - yes),
                max(0, ceil(Fraction(4, 5) * reference * n) - yes),
                *(p_value, None if ratio is None else float(ratio), all(flags)),
            )
    return found


@given(frames())
@examples(30)
def test_the_table_is_that_of_brute_force(frame: pl.DataFrame) -> None:
    answer = table(frame, **BY_ROWS).drop_nulls("disfavored").filter(pl.col("n_favored") > 0)
    names = (
        *("n_disfavored", "n_favored", "rate", "reference_rate", "points", "odds_ratio"),
        *("shortfall", "shortfall_to_four_fifths", "p_value", "air", "is_flagged"),
    )
    keyed = answer.filter(pl.col("n_disfavored") > 0)
    found = {
        (row["branch"], row["disfavored"]): tuple(row[name] for name in names)
        for row in keyed.iter_rows(named=True)
    }
    expected = expected_rows(frame)
    assert found.keys() == expected.keys()
    for key, numbers in found.items():
        for name, number, by_hand in zip(names, numbers, expected[key], strict=True):
            assert number == by_hand or number == pytest.approx(by_hand, rel=1e-9), name


@given(frames())
@examples(20)
def test_the_unit_of_weights_changes_no_flag(frame: pl.DataFrame) -> None:
    sums = ("n_disfavored", "n_favored", "n_unknown", "shortfall", "shortfall_to_four_fifths")
    question = {**BY_ROWS, "deviation": "population", "weight": "w"}
    expected = table(frame, **question)
    rescaled = table(frame.with_columns(pl.col("w") * 0.3), **question)
    assert_same(rescaled.drop(sums), expected.drop(sums))
    assert_same(rescaled.select(sums), expected.select(pl.col(sums) * 0.3))
