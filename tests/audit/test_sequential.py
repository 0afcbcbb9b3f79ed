"""Audits that are repeated: windows of all rows so far, and intervals for every look."""

from __future__ import annotations

from datetime import date, timedelta
from math import inf, log, sqrt
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.terms import d
from tests.audit.questions import F_AGAINST_M
from tests.frames import shared

Bounds = tuple[float, float]

SEQUENTIAL: dict[str, Any] = {**F_AGAINST_M, "by": "day", "sequential": "each"}
DAYS = [date(2025, 1, 1) + timedelta(days=i) for i in range(3)]

# On each day, of F and M, the accepted and the rejected. Day 2 has no row of F.
COUNTS = [((3, 7), (8, 4)), ((0, 0), (5, 15)), ((1, 19), (10, 10))]
SO_FAR = [((3, 7), (8, 4)), ((3, 7), (13, 19)), ((4, 26), (23, 29))]

DECIDED = pl.DataFrame(
    [
        (day, sex, p, n)
        for day, counts in zip(DAYS, COUNTS, strict=True)
        for sex, decided in zip("FM", counts, strict=True)
        for p, n in zip((1, 0), decided, strict=True)
        if n
    ],
    schema=["day", "sex", "p", "n"],
    orient="row",
)


def in_rows(counted: pl.DataFrame) -> pl.DataFrame:
    return counted.drop("n")[[row for row, n in enumerate(counted["n"]) for _ in range(n)]]


def of_rate(accepted: int, rejected: int, alpha: float) -> Bounds:
    """The confidence sequence of a mean (Waudby-Smith et al. 2021), tightest at 1,000 rows.

    The deviation is that of the rows and of -2·ln(alpha) more, half of them accepted.
    """
    t = accepted + rejected
    if not t:
        return 0.0, 1.0
    rho_squared = (-2 * log(alpha) + log(-2 * log(alpha)) + 1) / 1_000
    start = -2 * log(alpha)
    share = (accepted + start / 2) / (t + start)
    factor = 2 * (t * rho_squared + 1) / (t**2 * rho_squared)
    reach = sqrt(share * (1 - share) * factor * log(sqrt(t * rho_squared + 1) / alpha))
    return max(accepted / t - reach, 0.0), min(accepted / t + reach, 1.0)


def of_difference(one: Bounds, other: Bounds) -> Bounds:
    return one[0] - other[1], one[1] - other[0]


def of_ratio(one: Bounds, other: Bounds) -> Bounds:
    return one[0] / other[1], one[1] / other[0] if other[0] else inf


def test_a_window_has_all_rows_up_to_it() -> None:
    answer = pf.audit(DECIDED, "dppl", **SEQUENTIAL)
    assert answer["day"].to_list() == DAYS
    assert answer["n_disfavored"].to_list() == [10, 10, 30]
    assert answer["n_favored"].to_list() == [12, 32, 52]
    assert answer["rows_seen"].to_list() == [22, 42, 82]
    expected = [8 / 12 - 3 / 10, 13 / 32 - 3 / 10, 23 / 52 - 4 / 30]
    assert answer["value"].to_list() == pytest.approx(expected)


@pytest.mark.parametrize("confidence", [0.95, 0.99])
def test_each_side_has_half_of_the_chance_to_be_wrong(confidence: float) -> None:
    alpha = (1 - confidence) / 2
    answer = pf.audit(DECIDED, "dppl", "di", confidence=confidence, **SEQUENTIAL)
    for day, (of_d, of_a) in zip(DAYS, SO_FAR, strict=True):
        rate_of_d, rate_of_a = (of_rate(*counts, alpha) for counts in (of_d, of_a))
        for metric, expected in (
            ("dppl", of_difference(rate_of_a, rate_of_d)),
            ("di", of_ratio(rate_of_d, rate_of_a)),
        ):
            row = answer.row(
                by_predicate=(pl.col("day") == day) & (pl.col("metric") == metric), named=True
            )
            assert (row["lower"], row["upper"]) == pytest.approx(expected), (day, metric)


def test_all_comparisons_together_share_the_chance_to_be_wrong() -> None:
    """Three groups in two branches: 6 comparisons of each of two metrics, and a rate a branch."""
    rows = pl.DataFrame(
        [
            (branch, day, group, p)
            for branch in ("north", "south")
            for day in DAYS
            for group, accepted in zip("FMX", (2, 5, 3), strict=True)
            for p in [1] * accepted + [0] * 4
        ],
        schema=["branch", "day", "sex", "p"],
        orient="row",
    )
    question: dict[str, Any] = {"facet": "sex", "predicted": "p", "by": ["branch", "day"]}
    metrics = "dppl", "di", "selection_rate"
    shared = pf.audit(rows, *metrics, sequential="all", **question)
    alone = 1 - 0.05 / (6 + 6 + 2)
    assert_frame_equal(
        shared, pf.audit(rows, *metrics, sequential="each", confidence=alone, **question)
    )
    ranked = {**question, "disfavored": "F", "favored": pf.HIGHEST}
    [chosen] = (
        pf.audit(rows, "dppl", sequential="all", **ranked)
        .filter(branch="north", day=DAYS[0])
        .rows(named=True)
    )
    # Any of three pairs in each of two branches may be the one that is shown.
    of_d, of_a = of_rate(2, 4, 0.05 / 2 / 3 / 2), of_rate(5, 4, 0.05 / 2 / 3 / 2)
    assert (chosen["lower"], chosen["upper"]) == pytest.approx(of_difference(of_a, of_d))


def test_a_rate_by_itself_has_the_whole_chance_to_be_wrong() -> None:
    rate = pf.Metric("rate", "Selection rate of d", d.selection_rate)
    answer = pf.audit(DECIDED, rate, **SEQUENTIAL)
    expected = [of_rate(*of_d, 0.05) for of_d, _ in SO_FAR]
    assert answer["lower"].to_list() == pytest.approx([low for low, _ in expected])
    assert answer["upper"].to_list() == pytest.approx([high for _, high in expected])


@pytest.mark.parametrize(("metric", "label"), [("selection_rate", 1), ("accuracy", 0)])
def test_a_rate_of_all_rows_has_an_interval_too(metric: str, label: int) -> None:
    """With one label for all rows, accuracy is the share of rows decided like it."""
    answer = shared(
        pf.audit, DECIDED.with_columns(y=pl.lit(label)), metric, label="y", **SEQUENTIAL
    )
    of_all = [(accepted + more, rejected + less) for (accepted, rejected), (more, less) in SO_FAR]
    right_and_wrong = [counts if label else counts[::-1] for counts in of_all]
    expected = [of_rate(*counts, 0.05) for counts in right_and_wrong]
    assert answer["lower"].to_list() == pytest.approx([low for low, _ in expected])
    assert answer["upper"].to_list() == pytest.approx([high for _, high in expected])


@pytest.mark.parametrize("label", [1, 0])
def test_rates_of_a_label_count_the_rows_of_this_label(label: int) -> None:
    """Where all labels are 1, true positive rates are selection rates; else they have no rows."""
    labelled = DECIDED.with_columns(y=pl.lit(label))
    rates, metrics = (
        shared(pf.audit, labelled, each, label="y", **SEQUENTIAL) for each in ("dppl", "rd")
    )
    if label:
        bounds = ["lower", "upper"]
        # rd is tpr_a - tpr_d, as dppl is of selection rates.
        assert_frame_equal(metrics[bounds], rates[bounds])
    else:
        assert metrics["verdict"].to_list() == ["undefined"] * 3
        assert metrics["lower"].null_count() == 3


def test_a_group_without_an_accepted_row_does_not_alarm() -> None:
    """0 of 5 against 5 of 5 has a deviation of 0 on both sides, and an interval all the same."""
    first = pl.DataFrame({"day": DAYS[0], "sex": ["F", "M"], "p": [0, 1], "n": [5, 5]})
    [row] = pf.audit(first, "dppl", **SEQUENTIAL).rows(named=True)
    none, all_ = of_rate(0, 5, 0.025), of_rate(5, 0, 0.025)
    assert (row["lower"], row["upper"]) == pytest.approx(of_difference(all_, none))
    assert row["lower"] < 0 < row["upper"]
    assert row["verdict"] == "uncertain"


def test_a_side_without_rows_so_far_has_no_value() -> None:
    late = DECIDED.filter((pl.col("sex") == "M") | (pl.col("day") == DAYS[2]))
    answer = pf.audit(late, "dppl", **SEQUENTIAL)
    assert answer["n_disfavored"].to_list() == [0, 0, 20]
    assert answer["value"].is_null().to_list() == [True, True, False]
    assert answer["lower"].is_null().to_list() == [True, True, False]
    assert answer["verdict"].to_list()[:2] == ["undefined"] * 2


def test_cells_of_days_rows_and_lazy_rows_give_the_same() -> None:
    of_cells = pf.audit(DECIDED, **SEQUENTIAL)
    rows = in_rows(DECIDED)
    question = {**SEQUENTIAL, "count": None}
    assert_frame_equal(pf.audit(rows, **question), of_cells)
    assert_frame_equal(pf.audit(rows.lazy(), **question).collect(), of_cells)
    cells = pf.cells(rows, facet="sex", predicted="p", by="day")
    shuffled = cells.sample(fraction=1, shuffle=True, seed=1)
    assert_frame_equal(pf.audit(shuffled, **SEQUENTIAL), of_cells)


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from("FM"), st.booleans()), min_size=1))
def test_a_look_is_the_audit_of_the_rows_up_to_it(drawn: list[tuple[int, str, bool]]) -> None:
    rows = pl.DataFrame(drawn, schema=["week", "sex", "p"], orient="row")
    # Of the types that both sexes occur in, whatever is drawn.
    rows = rows.with_columns(pl.col("sex").cast(pl.Enum(["F", "M"])))
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "favored": "M", "predicted": "p"}
    looks = pf.audit(rows, "dppl", by="week", sequential="each", **question)
    assert looks["week"].to_list() == sorted(rows["week"].unique().to_list())
    compared = ["n_disfavored", "n_favored", "rows_seen", "value"]
    for week, *found in looks.select("week", *compared).rows():
        until = pf.audit(rows.filter(pl.col("week") <= week), "dppl", confidence=None, **question)
        assert found == pytest.approx([*until[compared].row(0)])


def test_other_columns_are_apart() -> None:
    """Each branch has its own looks, at its own days; so have the rows of an unknown branch."""
    north = DECIDED.with_columns(branch=pl.lit("north"))
    south = DECIDED.filter(pl.col("day") != DAYS[1]).with_columns(branch=pl.lit("south"))
    unknown = DECIDED.with_columns(branch=pl.lit(None, pl.String))
    frame = pl.concat([south, unknown, north])
    every = pf.audit(frame, "dppl", **SEQUENTIAL | {"by": ["branch", "day"]})
    for branch, rows in (("north", north), ("south", south), (None, unknown)):
        alone = pf.audit(rows, "dppl", **SEQUENTIAL)
        found = every.filter(pl.col("branch").eq_missing(branch))
        assert_frame_equal(found.drop("branch"), alone)


def test_a_date_is_the_time_beside_a_number_and_a_number_beside_text() -> None:
    numbered = DECIDED.with_columns(week=pl.lit(1), branch=pl.lit("north"))
    by_day = pf.audit(DECIDED, "dppl", **SEQUENTIAL)
    beside = pf.audit(numbered, "dppl", **SEQUENTIAL | {"by": ["week", "day"]})
    assert_frame_equal(beside.drop("week"), by_day)
    days = numbered.with_columns(pl.col("day").dt.ordinal_day())
    beside = pf.audit(days, "dppl", **SEQUENTIAL | {"by": ["day", "branch"]})
    assert_frame_equal(beside.drop("branch", "day"), by_day.drop("day"))


@pytest.mark.parametrize(
    "time",
    [
        pl.col("day").cast(pl.Datetime("us", "Europe/Paris")),
        pl.col("day").dt.ordinal_day().cast(pl.Float64),
        pl.col("day").dt.ordinal_day().cast(pl.Decimal(10, 1)),
        pl.col("day").dt.ordinal_day().cast(pl.UInt8),
    ],
)
def test_every_type_with_an_order_in_time_is_taken(time: pl.Expr) -> None:
    answer = pf.audit(DECIDED.with_columns(time), "dppl", **SEQUENTIAL)
    assert answer["n_favored"].to_list() == [12, 32, 52]


def test_models_and_thresholds_are_apart() -> None:
    rows = in_rows(DECIDED).with_columns(s=0.2 + 0.6 * pl.col("p"), q=1 - pl.col("p"))
    question = {**SEQUENTIAL, "count": None}
    alone = pf.audit(rows, "dppl", **question)
    models = pf.audit(rows, "dppl", **question | {"predicted": {"one": "p", "other": "q"}})
    assert_frame_equal(models.filter(model="one").drop("model"), alone)
    swept = pf.audit(rows, "dppl", **question | {"predicted": "s"}, threshold=[0.5, 0.9])
    assert_frame_equal(swept.filter(threshold=0.5).drop("threshold"), alone)
    assert swept.filter(threshold=0.9)["value"].to_list() == [0.0] * 3


def test_metrics_of_scores_have_values_and_no_intervals() -> None:
    rows = in_rows(DECIDED).with_columns(s=0.2 + 0.6 * pl.col("p"), y=pl.col("p"))
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "label": "y", "score": "s"}
    looks = pf.audit(rows, by="day", sequential="each", **question).filter(metric="abroca")
    for day, value, lower in looks["day", "value", "lower"].rows():
        until = pf.audit(rows.filter(pl.col("day") <= day), "abroca", **question)
        assert (value, lower) == (pytest.approx(until["value"].item()), None)


def test_without_names_other_metrics_have_no_interval_and_no_verdict() -> None:
    assert pf.audit(DECIDED, "cohens_d", **F_AGAINST_M)["verdict"].null_count() == 0
    answer = pf.audit(DECIDED, **SEQUENTIAL)
    without = answer.filter(pl.col("lower").is_null() & pl.col("value").is_not_null())
    assert "cohens_d" in without["metric"]
    assert without["upper"].null_count() == without["verdict"].null_count() == without.height
    # A rule by the value needs no interval.
    by_value = pf.audit(DECIDED, rule={"cohens_d": "point"}, **SEQUENTIAL)
    assert by_value.filter(metric="cohens_d")["verdict"].null_count() == 0


def test_an_overall_reference_has_the_interval_of_two_rates() -> None:
    """No more than one of the two bounds is wrong at a time, whether or not they share rows."""
    question = {**SEQUENTIAL, "favored": pf.OVERALL}
    answer = pf.audit(DECIDED, "dppl", **question)
    rates = [
        (of_rate(accepted + more, rejected + less, 0.025), of_rate(accepted, rejected, 0.025))
        for (accepted, rejected), (more, less) in SO_FAR
    ]
    expected = [of_difference(*each) for each in rates]
    assert answer["lower"].to_list() == pytest.approx([low for low, _ in expected])
    assert answer["upper"].to_list() == pytest.approx([high for _, high in expected])


def test_rows_are_dropped_from_each_look() -> None:
    rows = DECIDED.with_columns(
        p=pl.when((pl.col("sex") == "M") & (pl.col("day") == DAYS[1])).then(None).otherwise("p")
    )
    answer = pf.audit(rows, "dppl", nulls="drop", **SEQUENTIAL)
    assert answer["rows_seen"].to_list() == [22, 42, 82]
    assert answer["rows_dropped"].to_list() == [0, 20, 20]
    assert answer["n_favored"].to_list() == [12, 12, 32]


@pytest.mark.parametrize("missing", [None, float("nan")])
@pytest.mark.parametrize("nulls", ["raise", "drop"])
def test_a_row_without_a_time_is_refused(missing: float | None, nulls: str) -> None:
    frame = DECIDED.with_columns(day=pl.col("day").dt.ordinal_day().cast(pl.Float64))
    frame = frame.with_columns(day=pl.when(pl.col("day") == 2).then(missing).otherwise("day"))
    question = SEQUENTIAL | {"nulls": nulls, "facet": ["sex", "q"], "disfavored": {"sex": "F"}}
    frame = frame.with_columns(q=1 - pl.col("p"))
    with pytest.raises(pf.FairnessError, match=r"^by: 'day' has 20 rows without a value"):
        pf.audit(frame, "dppl", **question | {"favored": {"sex": "M"}})
