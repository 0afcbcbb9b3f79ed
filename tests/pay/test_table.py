"""The table of pay: forty people by hand, random frames in plain Python, and wrong amounts."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import Any, Final

import duckdb
import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf

# Sex, grade, pay, basic pay, bonus, the number of such people, forty in all, in order of pay, and
# the hours of each where pay is by the hour.
FORTY: Final = [
    ("F", "low", 10, 10, 0, 5, 1),
    ("M", "low", 10, 9, 1, 3, 1),
    ("F", "low", 12, 10, 2, 4, 1),
    ("M", "low", 12, 12, 0, 2, 2),
    ("F", "low", 15, 15, 0, 2, 2),
    ("F", "high", 20, 16, 4, 3, 1),
    ("M", "high", 20, 20, 0, 5, 2),
    ("M", "high", 30, 25, 5, 6, 2),
    ("F", "high", 30, 30, 0, 2, 2),
    ("M", None, 50, 40, 10, 7, 2),
    ("F", None, 50, 50, 0, 1, 2),
]
WORKED: Final = pl.DataFrame(
    [(*row[:5], row[6]) for row in FORTY for _ in range(row[5])],
    schema=["sex", "grade", "pay", "basic", "bonus", "hours"],
    orient="row",
)
PEOPLE: Final = WORKED.drop("hours")
# The pay of the year of the same people, by the hours.
YEARLY: Final = WORKED.with_columns(pl.col("pay", "basic", "bonus") * pl.col("hours"))
QUESTION: Final[dict[str, Any]] = {
    "facet": "sex",
    "favored": "M",
    "pay": "pay",
    "basic": "basic",
    "variable": "bonus",
    "category": "grade",
    "minimum_count": 5,
}


@cache
def of_forty() -> pl.DataFrame:
    return pf.pay.table(PEOPLE, **QUESTION)


@cache
def of_both_forms() -> pl.DataFrame:
    return pf.pay.table(YEARLY, **QUESTION, hours="hours")


def values(table: pl.DataFrame, **of: Any) -> list[float]:
    found = table.filter(**of)
    return found.get_column("value").to_list()


def test_medians_of_forty_people_by_hand() -> None:
    table = of_forty().filter(measure="median_gap")
    # The ninth of 17 women has 12, the twelfth of 23 men 30. Ten women have no bonus, and the
    # twelfth man has 5: a gap of 100 %. Of those who have one, the fourth of seven women has 2, and
    # the eighth and the ninth of sixteen men have 5.
    assert table.select("point", "pay").rows() == [
        ("c", "total"),
        ("d", "variable"),
        ("d", "received"),
    ]
    assert table["value"].to_list() == pytest.approx([1 - 12 / 30, 1, 1 - 2 / 5])
    assert table["note"].to_list() == [None] * 3
    # Beside women, ten of whom have none, a gap would be over a median of 0.
    of_men = pf.pay.table(PEOPLE, **{**QUESTION, "favored": "F"}).filter(point="d", pay="variable")
    assert of_men.select("value", "note").row(0) == (
        None,
        "variable: the median of F is 0, so the gap is undefined",
    )


def test_a_mean_of_0_is_a_gap_of_100_per_cent() -> None:
    people = PEOPLE.with_columns(pl.when(sex="F").then(0).otherwise("bonus").alias("bonus"))
    table = pf.pay.table(people, **QUESTION).filter(point="b", pay="variable")
    assert table.select("value", "note").rows() == [(1.0, None)]


def test_gaps_at_equal_controls_are_those_of_least_squares() -> None:
    people = PEOPLE.drop_nulls("grade")
    table = pf.pay.table(people, **QUESTION, controls="basic").filter(measure="adjusted_gap")

    def left(rows: pl.DataFrame) -> float:
        is_woman, log = (rows["sex"] == "F").cast(pl.Float64), rows["pay"].cast(pl.Float64).log()
        x = np.column_stack([np.ones(rows.height), is_woman, rows["basic"]])
        return 1 - float(np.exp(np.linalg.lstsq(x, log.to_numpy())[0][1]))

    of_categories = [left(people.filter(grade=grade)) for grade in ("high", "low")]
    assert table["category"].to_list() == [None, "high", "low"]
    assert table["value"].to_list() == pytest.approx([left(people), *of_categories])


def test_categories_by_hand() -> None:
    table = of_forty().filter(point="g")
    total = table.filter(pay="total")
    assert total["category"].to_list() == ["high", "low", None]
    # High: women 60 + 60 of 5, men 100 + 180 of 11. Low: women 50 + 48 + 30 of 11, men 54 of 5.
    high, low = 1 - 24 / (280 / 11), 1 - (128 / 11) / (54 / 5)
    assert total["value"].to_list() == [pytest.approx(high), pytest.approx(low), None]
    assert total["is_five_percent_or_more"].to_list() == [True, True, None]
    assert total["note"].to_list() == [None, None, "fewer than 5 workers on a side"]
    # Basic pay of low grades: women 20 of 10, 10 and 15, men 9 and 12; each gap has its flag.
    parts = table.filter(pl.col("pay") != "total", pl.col("value").is_not_null())
    flags = (parts["value"].abs() >= 0.05).to_list()
    assert parts["is_five_percent_or_more"].to_list() == flags
    assert len(flags) == 4
    assert (total["n_disfavored"].to_list(), total["n_favored"].to_list()) == (
        [5, 11, 1],
        [11, 5, 7],
    )
    basic = 1 - ((48 + 60) / 5) / ((100 + 150) / 11)
    assert values(table, pay="basic", category="high") == pytest.approx([basic])
    assert values(table, pay="variable", category="high") == pytest.approx(
        [1 - (12 / 5) / (30 / 11)]
    )


@pytest.mark.parametrize(
    ("women", "is_flagged"), [(95, True), (96, False), (105, True), (104, False)]
)
def test_five_per_cent_counts_in_either_direction(women: int, is_flagged: bool) -> None:
    people = pl.DataFrame({"sex": ["F", "F", "M", "M"], "pay": [women, women, 100, 100], "k": "k"})
    question: dict[str, Any] = {**QUESTION, "basic": None, "variable": None, "category": "k"}
    table = pf.pay.table(people, **{**question, "minimum_count": 0, "confidence": None})
    assert table.filter(point="g")["is_five_percent_or_more"].to_list() == [is_flagged]


def in_form(form: str, **of: Any) -> pl.DataFrame:
    """The numbers of one form of the pay of forty people by the year and by the hour."""
    return of_both_forms().filter(form=form, **of)


def test_both_forms_of_pay_stand_beside_each_other() -> None:
    table = of_both_forms()
    assert table.filter(pl.col("point") < "e").select("point", "pay", "form").rows() == [
        (point, pay, form)
        for point, pay in (
            *(("a", "total"), ("b", "variable"), ("b", "received"), ("c", "total")),
            *(("d", "variable"), ("d", "received")),
        )
        for form in ("annual", "hourly")
    ]
    assert {*table.filter(point="e")["form"]} == {None}
    own = [each for each in table.columns if each not in ("form", "note")]
    # Each half is what a call with such pay alone has.
    for form, people in (("annual", YEARLY), ("hourly", PEOPLE)):
        alone = pf.pay.table(people.drop("hours", strict=False), **QUESTION)
        expected = alone.filter(pl.col("point") != "e").select(own)
        assert_frame_equal(table.filter(form=form).select(own), expected, rel_tol=1e-12)


def test_pay_of_a_year_by_hand() -> None:
    """In a year women have 10 (5 of them), 12 (4), 20 (3), 30 (2), 60 (2) and 100 (1).

    Men have 10 (3), 24 (2), 40 (5), 60 (6) and 100 (7).
    """
    [mean] = in_form("annual", point="a").rows(named=True)
    assert (mean["amount_disfavored"], mean["amount_favored"]) == (438 / 17, 1338 / 23)
    assert mean["value"] == pytest.approx(1 - (438 / 17) / (1338 / 23))
    [median] = in_form("annual", point="c").rows(named=True)
    assert (median["amount_disfavored"], median["amount_favored"]) == (12, 60)
    assert median["value"] == pytest.approx(1 - 12 / 60)
    # Bonuses: women 2 (4) and 4 (3), men 1 (3), 10 (6) and 20 (7).
    variable, received = in_form("annual", point="b").rows(named=True)
    assert variable["value"] == pytest.approx(1 - (20 / 17) / (203 / 23))
    assert received["value"] == pytest.approx(1 - (20 / 7) / (203 / 16))
    assert (received["amount_disfavored"], received["amount_favored"]) == (20 / 7, 203 / 16)
    high = in_form("annual", point="g", pay="total", category="high")
    assert high["value"].to_list() == pytest.approx([1 - (180 / 5) / (560 / 11)])
    assert high.select("amount_disfavored", "amount_favored").row(0) == (180 / 5, 560 / 11)


def test_pay_by_the_hour_by_hand() -> None:
    [mean] = in_form("hourly", point="a").rows(named=True)
    assert (mean["amount_disfavored"], mean["amount_favored"]) == (298 / 17, 684 / 23)
    [median] = in_form("hourly", point="c").rows(named=True)
    assert (median["amount_disfavored"], median["amount_favored"]) == (12, 30)
    # Ten women have no bonus, and so has the one in the middle.
    medians = in_form("hourly", point="d").select("amount_disfavored", "amount_favored")
    assert medians.rows() == [(0, 5), (2, 5)]


def test_quarters_are_people_with_their_share_and_the_pay_at_their_ends() -> None:
    """Of a year, eight people have 10, and two of four women with 12 are in the lowest quarter.

    Of eight people with 60, two women among them, six are in the third quarter.
    """
    women = in_form("annual", point="f", disfavored="F")
    assert women["value"].to_list() == pytest.approx([0.7, 0.7, 0.15, 0.15])
    # 1.5 women to the nearest whole.
    people = women.select("n_disfavored", "n_quarter").rows()
    assert people == [(7, 10), (7, 10), (1.5, 10), (1.5, 10)]
    ends = women.select("quarter_from", "quarter_to").rows()
    assert ends == [(None, 12), (12, 40), (40, 60), (60, None)]
    by_hour = in_form("hourly", point="f", disfavored="M").select("quarter_from", "quarter_to")
    assert by_hour.rows() == [(None, 12), (12, 20), (20, 30), (30, None)]


def test_without_hours_the_table_says_what_is_missing() -> None:
    table = of_forty()
    assert {*table["form"]} == {"annual", None}
    said = table.filter(pl.col("note").str.starts_with("hours: "))
    assert said.select("point", "measure").rows() == [("a", "mean_gap")]
    assert in_form("annual")["note"].str.contains("hours").sum() == 0


def test_the_side_that_has_less_is_named_unless_chance_alone_could_do_it() -> None:
    people = pl.DataFrame({
        "sex": ["F", "M"] * 60,
        "grade": ["even"] * 40 + ["women less"] * 40 + ["men less"] * 40,
        "pay": [*range(50, 90), *[80, 100] * 20, *[100, 80] * 20],
        "basic": [*[90, 100] * 15, *[200, 100] * 5, *[80, 100] * 20, *[100, 80] * 20],
    }).with_columns(pl.col("pay") + pl.int_range(pl.len()) % 5, pl.col("basic") / 4)  # fmt: skip
    table = pf.pay.table(people, **{**QUESTION, "variable": None}).filter(point="g")
    found = table.select("category", "pay", "is_five_percent_or_more", "disadvantaged").rows()
    assert found == [
        ("even", "total", False, None),
        ("even", "basic", True, None),
        ("men less", "total", True, "M"),
        ("men less", "basic", True, "M"),
        ("women less", "total", True, "F"),
        ("women less", "basic", True, "F"),
    ]
    sure = pf.pay.table(people, **{**QUESTION, "variable": None, "confidence": None})
    assert sure.filter(category="even", pay="basic")["disadvantaged"].to_list() == ["M"]


@pytest.mark.parametrize("without", ["F", "M"])
def test_a_side_of_which_nobody_receives_variable_pay(without: str) -> None:
    people = PEOPLE.with_columns(pl.when(sex=without).then(0).otherwise("bonus").alias("bonus"))
    table = pf.pay.table(people, **QUESTION)
    received = table.filter(pay="received")
    assert received["value"].to_list() == [None, None]
    assert {*received["note"]} == {"variable: fewer than two groups receive any"}
    assert received["form"].to_list() == ["annual"] * 2
    assert values(table, point="e", disfavored=without) == [0]


def test_gaps_at_equal_controls_say_what_was_not_measured() -> None:
    """The same as of the logarithms; a category is brought to the edge of five per cent."""
    people = PEOPLE.drop_nulls("grade").with_columns(pl.col("pay").log().alias("log"))
    table = pf.pay.table(people, **QUESTION, controls="basic").filter(measure="adjusted_gap")
    of_all: dict[str, Any] = {"facet": "sex", "favored": "M", "controls": "basic"}
    name, said = "adjusted_estimate_difference", ("robustness", "unmeasured_times")
    expected = [
        pf.audit(rows, name, estimated="log", **of_all, bands={name: band}).select(said).row(0)
        for rows, band in (
            (people, None),
            *(
                (people.filter(grade=grade), (-np.log(1.05), -np.log(0.95)))
                for grade in ("high", "low")
            ),
        )
    ]
    assert table["category"].to_list() == [None, "high", "low"]
    for found, row in zip(table.select(said).rows(), expected, strict=True):
        assert found[0] == pytest.approx(row[0], rel=1e-6)
        assert found[1] == (row[1] and pytest.approx(row[1], rel=1e-6))
    assert "robustness" not in pf.pay.table(people, **QUESTION).columns


def test_a_terminal_explains_robustness_only_where_it_shows_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = pf.pay.table(PEOPLE.drop_nulls("grade"), **QUESTION, controls="basic")
    for width, is_there in (("60", False), ("200", True)):
        monkeypatch.setenv("COLUMNS", width)
        pf.show(table)
        shown = capsys.readouterr().out
        assert ("robust" in shown.partition("\n")[0].split()) is is_there
        assert ("Robustness: how many times" in shown) is is_there


def test_each_year_is_a_table_of_its_own_beside_the_year_before() -> None:
    raised = PEOPLE.with_columns(
        pl.when(sex="F").then(pl.col("pay") * 1.1).otherwise("pay").alias("pay")
    )
    years = pl.concat(
        [
            PEOPLE.with_columns(pl.col("pay").cast(pl.Float64), year=2026),
            raised.with_columns(year=2027),
        ]
    )
    table = pf.pay.table(years, **QUESTION, by="year").filter(point="a", measure="mean_gap")
    alone = [
        pf.pay.table(each, **QUESTION).filter(point="a", measure="mean_gap")
        for each in (PEOPLE, raised)
    ]
    assert table["value"].to_list() == pytest.approx([each["value"].item() for each in alone])
    assert table["change"].to_list() == [
        None,
        pytest.approx(alone[1]["value"].item() - alone[0]["value"].item()),
    ]


def test_the_united_kingdom_has_its_own_points_to_one_decimal_of_a_per_cent() -> None:
    question = {name: each for name, each in QUESTION.items() if name not in ("basic", "category")}
    table = pf.pay.table(PEOPLE, **question, rule="uk")
    eu = pf.pay.table(PEOPLE, **question)
    assert values(table, point="a") == [round(values(eu, point="a")[0], 3)]
    assert values(table, point="b") == [0.6]
    assert values(table, point="c") == [round(1 - (20 / 7) / (103 / 16), 3)]
    assert values(table, point="e") == [0.412, 0.696]
    # Hourly pay, and the bonuses of a year.
    both = pf.pay.table(YEARLY, **question, rule="uk", hours="hours")
    assert both.filter(pl.col("point") < "e").select("point", "form").rows() == [
        *(("a", "hourly"), ("b", "hourly"), ("c", "annual"), ("d", "annual")),
    ]
    assert values(both, point="b") == [0.6]
    assert values(both, point="c") == [round(1 - (20 / 7) / (203 / 16), 3)]


def brute_force(people: pl.DataFrame) -> dict[tuple[str, Any], float]:
    """Gaps, shares that receive and shares of quarters, person by person."""
    rows = people.rows(named=True)
    of = {sex: [row for row in rows if row["sex"] == sex] for sex in "FM"}
    found: dict[tuple[str, Any], float] = {}

    def mean(amounts: list[Any]) -> Fraction:
        return Fraction(sum(amounts)) / len(amounts)

    for point, name in (("a", "pay"), ("b", "bonus")):
        women, men = (mean([row[name] for row in of[sex]]) for sex in "FM")
        found[point, None] = float((men - women) / men)
    for sex in "FM":
        found["e", sex] = float(mean([int(row["bonus"] > 0) for row in of[sex]]))
    # A person of a pay that k others have too takes up as much of each quarter as they do.
    ordered = sorted(row["pay"] for row in rows)
    for number in range(4):
        whole = {"F": Fraction(0), "M": Fraction(0)}
        for row in rows:
            first, tied = ordered.index(row["pay"]), ordered.count(row["pay"])
            quarter = Fraction(len(rows), 4)
            inside = min(Fraction(first + tied), (number + 1) * quarter) - max(
                Fraction(first), number * quarter
            )
            whole[row["sex"]] += max(inside, Fraction(0)) / tied
        for sex, part in whole.items():
            found[f"f{number + 1}", sex] = float(part / sum(whole.values()))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_random_people_have_what_plain_python_finds(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(9, 60))
    people = pl.DataFrame({
        "sex": ["F", "M", *random.choice(["F", "M"], n)],
        "pay": random.integers(3, 12, n + 2),
        "bonus": [1, 1, *random.integers(0, 3, n)],
    })  # fmt: skip
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "pay": "pay", "variable": "bonus"}
    table = pf.pay.table(people, **question, minimum_count=0)
    is_theirs = (pl.col("measure") != "median_gap") & (pl.col("pay") != "received")
    found = {}
    for row in table.filter(is_theirs).rows(named=True):
        key = row["point"] + ("" if row["quarter"] is None else str(row["quarter"]))
        found[key, None if row["favored"] else row["disfavored"]] = row["value"]
    assert found == pytest.approx(brute_force(people))


def test_shares_of_quarters_hold_what_they_say() -> None:
    """Of 400 employers of 200 people, intervals at 95 % hold the share behind each quarter."""
    random, held, truths = np.random.default_rng(1), [], []
    for _ in range(2):
        n = 200_000
        woman = random.random(n) < 0.4
        quarter = np.argsort(np.argsort(np.exp(random.normal(size=n)) * np.where(woman, 0.8, 1)))
        truths.append([woman[quarter // (n // 4) == each].mean() for each in range(4)])
    truth = np.mean(truths, axis=0)
    n, companies = 200, 400
    woman = random.random(n * companies) < 0.4
    frame = pl.DataFrame({
        "company": np.repeat(np.arange(companies), n),
        "sex": np.where(woman, "F", "M"),
        "pay": np.exp(random.normal(size=n * companies)) * np.where(woman, 0.8, 1),
    })  # fmt: skip
    table = pf.pay.table(frame, facet="sex", favored="M", pay="pay", by="company")
    shares = table.filter(point="f", disfavored="F").sort("company", "quarter")
    lower, upper = (shares[end].to_numpy().reshape(companies, 4) for end in ("lower", "upper"))
    held = ((lower <= truth) & (truth <= upper)).mean(axis=0)
    assert (held >= 0.94).all(), held


def test_gaps_at_equal_controls_of_few_people_hold_and_are_no_wider_than_they_need() -> None:
    """Ten women beside 54 men, in grades and years that make a combination of almost everyone.

    Of 1,000 such employers 95.4 % of intervals held, and 94.3 % of those with the variance of HC3,
    which leaves each person out once; they were 1.06 times as wide as these.
    """
    random, sets, n, less = np.random.default_rng(3), 250, 64, -0.06
    is_woman = np.tile(np.arange(n) < 10, sets)
    grade, years = random.integers(0, 3, n * sets), random.integers(0, 15, n * sets)
    log = 0.25 * grade + 0.01 * years + less * is_woman + random.normal(10, 0.12, n * sets)
    frame = pl.DataFrame({
        "employer": np.repeat(np.arange(sets), n),
        "sex": np.where(is_woman, "F", "M"),
        "grade": grade.astype(str),
        "years": years,
        "pay": np.exp(log),
    })  # fmt: skip
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "pay": "pay"}
    table = pf.pay.table(frame, **question, controls=["grade", "years"], by="employer")
    gaps = table.filter(measure="adjusted_gap").sort("employer")
    lower, upper = (gaps[end].to_numpy() for end in ("lower", "upper"))
    truth = 1 - np.exp(less)
    assert ((lower <= truth) & (truth <= upper)).mean() >= 0.92
    widths = []
    for i in range(sets):
        of = slice(i * n, (i + 1) * n)
        dummies = (is_woman[of], years[of], grade[of] == 1, grade[of] == 2)
        x = np.column_stack([np.ones(n), *dummies])
        inverse = np.linalg.inv(x.T @ x)
        left = log[of] - x @ inverse @ x.T @ log[of]
        moved = (inverse @ x.T)[1] * left / (1 - np.einsum("ij,jk,ik->i", x, inverse, x))
        widths.append(2 * 2.001 * np.sqrt((moved**2).sum()))  # t of 59 degrees
    of_logarithms = np.log((1 - lower) / (1 - upper))
    assert of_logarithms.mean() <= 1.2 * np.mean(widths)


def test_missing_amounts_are_an_error_or_left_out() -> None:
    gone = pl.when(pl.int_range(pl.len()) > 3).then("bonus").alias("bonus")
    people = PEOPLE.with_columns(gone)
    table = pf.pay.table(people, **QUESTION, nulls="drop")
    assert table.filter(point="e")["rows_dropped"].to_list() == [4, 4]
    assert values(table, point="e")[0] == pytest.approx(7 / 13)
    whole = of_forty()
    for point in ("a", "f"):
        assert values(table, point=point) == values(whole, point=point)


def test_a_facet_of_more_than_two_groups_needs_a_favored_one() -> None:
    people = PEOPLE.with_columns(
        pl.when(pl.int_range(pl.len()) > 30).then(pl.lit("X")).otherwise("sex").alias("sex")
    )
    assert {*pf.pay.table(people, **QUESTION)["disfavored"]} == {"F", "M", "X"}


@pytest.mark.extras
def test_rows_of_any_order_and_engine_have_the_same_numbers() -> None:
    expected = of_forty()
    others = (PEOPLE.reverse(), PEOPLE.to_arrow(), duckdb.from_arrow(PEOPLE.to_arrow()))
    for frame in others:
        assert_frame_equal(pf.pay.table(frame, **QUESTION), expected, rel_tol=1e-12)
    plan = pf.pay.table(PEOPLE.lazy(), **QUESTION)
    assert isinstance(plan, pl.LazyFrame)
    assert plan.collect_schema() == expected.schema
    assert_frame_equal(plan.collect(), expected, rel_tol=1e-12)


STEPS: Final = pl.DataFrame({
    "sex": ["F"] * 12 + ["M"] * 12,
    "pay": [*range(20_000, 32_000, 1000), *range(22_000, 40_000, 1500)],
})  # fmt: skip
BY_SEX: Final[dict[str, Any]] = {"facet": "sex", "favored": "M", "pay": "pay"}


def test_a_worker_whom_the_end_of_a_quarter_divides_counts_in_part() -> None:
    """The eighteenth and the nineteenth of 24 have 31,000: a woman and a man."""
    shares = pf.pay.table(STEPS, **BY_SEX).filter(point="f")
    assert shares.filter(disfavored="F").select("n_disfavored", "n_quarter", "value").rows() == [
        *((4, 6, pytest.approx(4 / 6)), (4, 6, pytest.approx(4 / 6))),
        *((3.5, 6, pytest.approx(3.5 / 6)), (0.5, 6, pytest.approx(0.5 / 6))),
    ]


def test_nothing_tells_the_bonus_of_one_person() -> None:
    is_one = pl.int_range(24) == 3
    bonus = pl.when(is_one).then(777).when(pl.int_range(24) > 12).then(500 + pl.int_range(24))
    people = STEPS.with_columns(bonus=bonus.otherwise(0))
    received = pf.pay.table(people, **BY_SEX, variable="bonus").filter(pay="received")
    amounts = ("value", "lower", "upper", "amount_disfavored", "amount_favored")
    assert received.select("n_disfavored", "n_favored").rows() == [(1, 11)] * 2
    assert received.select(amounts).rows() == [(None,) * 5] * 2
    assert received["note"].to_list() == ["fewer than 10 workers on a side"] * 2
    shown = pf.pay.table(people, **BY_SEX, variable="bonus", minimum_count=1)
    assert {*shown.filter(pay="received")["amount_disfavored"]} == {777}


def test_a_window_of_few_workers_has_no_gap() -> None:
    """In the second year there is one woman beside twelve men."""
    years = pl.concat([STEPS.with_columns(year=2026), STEPS.tail(13).with_columns(year=2027)])
    gaps = pf.pay.table(years, **BY_SEX, by="year").filter(point="a").sort("year")
    assert gaps["n_disfavored"].to_list() == [12, 1]
    assert gaps["amount_disfavored"].to_list() == [25_500, None]
    assert gaps["amount_favored"].to_list() == [30_250, None]
    assert gaps["note"].to_list()[1] == "fewer than 10 workers on a side"
    assert gaps["value"].to_list() == [pytest.approx(1 - 25_500 / 30_250), None]


def test_an_interval_without_an_end_is_none() -> None:
    """Of three values a side, the binomial ranks of 95 % are below the first."""
    people = pl.DataFrame({"sex": ["F"] * 3 + ["M"] * 3, "pay": [1, 2, 300, 10, 20, 30]})
    gaps = pf.pay.table(people, **BY_SEX, minimum_count=0).filter(pl.col("point") < "e")
    assert gaps.select("measure", "lower", "upper").rows() == [
        ("mean_gap", None, None),
        ("median_gap", None, None),
    ]
    assert gaps["value"].to_list() == pytest.approx([1 - 101 / 20, 1 - 2 / 20])
    assert gaps["note"].to_list() == [
        "pay: the smaller side has 3.0 effective rows, and an interval needs 5",
        "pay: too few workers for an interval",
    ]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"basic": "pay"}, "basic: 'pay' is given as pay too; name the column of basic, or"),
        ({"hours": "pay"}, "hours: 'pay' is given as pay too"),
        ({"variable": "pay"}, "variable: 'pay' is given as pay too"),
        (
            {"variable": "twice"},
            "variable: 24 of 24 workers have more in 'twice' than in 'pay', their total pay",
        ),
        (
            {"basic": "more", "category": "grade"},
            "basic: 2 of 24 workers have more in 'more' than in 'pay'",
        ),
        (
            {"variable": "blank"},
            "variable: 21 of 24 workers have no value in 'blank'; fill with 0 for those who have "
            "none, or give nulls='drop' if it is not known",
        ),
    ],
)
def test_parts_of_pay_are_of_it(given: dict[str, Any], message: str) -> None:
    number = pl.int_range(24)
    people = STEPS.with_columns(
        twice=pl.col("pay") * 2,
        more=pl.col("pay") + pl.when(number < 2).then(1).otherwise(0),
        blank=pl.when(number < 3).then(1),
        grade=pl.lit("low"),
    )
    with pytest.raises(pf.FairnessError, match=re.escape(message)):
        pf.pay.table(people, **BY_SEX, **given)


def test_hourly_pay_may_be_less_than_the_bonus_of_a_year() -> None:
    people = STEPS.with_columns(pl.col("pay") / 2000, bonus=300)
    table = pf.pay.table(people, **BY_SEX, variable="bonus", rule="uk")
    assert values(table, point="c") == [0]


def test_without_known_hours_a_note_says_so() -> None:
    people = STEPS.with_columns(hours=pl.lit(None, pl.Float64))
    table = pf.pay.table(people, **BY_SEX, hours="hours", nulls="drop")
    hourly = table.filter(form="hourly").select("point", "value", "note").rows()
    said = "hours: known for fewer than two groups"
    assert hourly == [("a", None, said), ("c", None, said)]
