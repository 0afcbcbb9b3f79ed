"""`intake`: each number against arithmetic by hand, scipy and simulation, and what it refuses."""

from __future__ import annotations

import re
from datetime import date, timedelta
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.inference.association import noncentrality
from polars_fairness.inference.significance import chi_squared
from tests.frames import shared
from tests.reference.wilson import wilson

COUNTS: Final = {
    ("F", "a"): 30, ("F", "b"): 50, ("F", "c"): 20,
    ("M", "a"): 60, ("M", "b"): 40, ("M", "c"): 50,
    ("X", "a"): 35, ("X", "b"): 35, ("X", "c"): 80,
}  # fmt: skip


def rows_of(counts: dict[tuple[Any, ...], int], *names: str) -> pl.DataFrame:
    rows = [key for key, number in counts.items() for _ in range(number)]
    return pl.DataFrame(rows, schema=list(names), orient="row")


ROWS: Final = rows_of(COUNTS, "sex", "branch")


def only(answer: pl.DataFrame, **fields: Any) -> dict[str, Any]:
    [row] = answer.filter(**fields).rows(named=True)
    return row


def newcombe(one: float, n: int, other: float, m: int, z: float) -> tuple[float, float]:
    (low, high), (low_there, high_there) = wilson(one, n, z), wilson(other, m, z)
    below = sqrt((one - low) ** 2 + (high_there - other) ** 2)
    return one - other - below, one - other + sqrt((high - one) ** 2 + (other - low_there) ** 2)


@pytest.mark.extras
def test_the_association_is_that_of_scipy_corrected_by_bergsma() -> None:
    from scipy.stats import chi2_contingency
    from scipy.stats.contingency import association

    table = np.array([*COUNTS.values()]).reshape(3, 3)
    n = table.sum()
    squared = max(0.0, association(table, method="cramer") ** 2 * 2 - 2 * 2 / (n - 1))
    size = 3 - (3 - 1) ** 2 / (n - 1)
    row = only(pf.intake(ROWS, facet="sex"), check="proxy")
    assert row["value"] == pytest.approx(sqrt(squared / (size - 1)), rel=1e-12)
    expected = chi2_contingency(table, correction=False).pvalue
    assert row["p_value"] == pytest.approx(expected, rel=1e-9)
    assert (row["n"], row["kind"], row["distinct"]) == (400, "values", 3)


@pytest.mark.extras
@pytest.mark.parametrize(("x", "freedom"), [(20, 1), (40, 5), (300, 100), (5_000, 19.5)])
def test_chi_squared_distributions_are_those_of_scipy(x: float, freedom: float) -> None:
    from scipy.stats import chi2, ncx2

    assert chi_squared(x, freedom) == pytest.approx(chi2.sf(x, freedom), rel=1e-9)
    for z in (-3.9, -1.96, 1.96, 3.9):
        at = noncentrality(x, freedom, z)
        off = NormalDist().inv_cdf(ncx2.cdf(x, freedom, at)) - z
        # Sankaran's approximation makes far bounds of one degree of freedom a little too wide.
        assert -0.01 < off < (0.2 if z > 3 else 0.01)


@pytest.mark.parametrize("weight", [False, True])
def test_missing_values_and_base_rates_have_newcombes_interval(*, weight: bool) -> None:
    counts = {
        ("F", None, True): 15, ("F", 1, True): 35, ("F", 1, False): 50,
        ("M", None, False): 10, ("M", 1, True): 90, ("M", 1, False): 100,
    }  # fmt: skip
    rows = rows_of(counts, "sex", "v", "y").with_columns(w=2.0)
    more: dict[str, Any] = {"weight": "w"} if weight else {"columns": "v"}
    answer = pf.intake(rows, facet="sex", label="y", **more)
    # Missing, base rates and the leak of the missing: v has one value.
    z = NormalDist().inv_cdf(1 - 0.05 / 3 / 2)
    missing, label = (only(answer, check=check) for check in ("missing", "labels"))
    assert (missing["group"], missing["column"], label["group"]) == ("F", "v", "F")
    for row, one, other in ((missing, 0.15, 0.05), (label, 0.5, 0.45)):
        assert row["value"] == pytest.approx(one - other)
        found = row["lower"], row["upper"]
        assert found == pytest.approx(newcombe(one, 100, other, 200, z), rel=1e-9)
        pooled = (100 * one + 200 * other) / 300
        deviations = (one - other) / sqrt(pooled * (1 - pooled) * (1 / 100 + 1 / 200))
        assert row["p_value"] == pytest.approx(2 * NormalDist().cdf(-deviations), rel=1e-9)


def test_a_group_without_labels_hides_no_other_group() -> None:
    rows = rows_of({("A",): 200, ("B",): 200, ("C",): 50}, "g").with_columns(
        y=pl.when(pl.col("g") != "C").then(
            (pl.int_range(pl.len()) % 4 == 0) == (pl.col("g") == "B")
        )
    )
    question: dict[str, Any] = {"facet": "g", "label": "y", "nulls": "drop", "columns": []}
    answer = shared(pf.intake, rows, **question)
    two = pf.intake(rows.filter(pl.col("g") != "C"), **question)
    own = ["check", "group", "value", "verdict"]
    assert answer.filter(check="labels")[own].rows() == [
        ("labels", "A", 0.5, "outside"),
        ("labels", "B", -0.5, "outside"),
        ("labels", "C", None, "undefined"),
    ]
    assert answer.filter(check="labels", group="C")["note"].item() == (
        "label: known for 0 % of C, 100 % of all others; the value is about rows with a label"
    )
    coverage = answer.filter(check="coverage")[own]
    assert coverage.head(2).equals(two.filter(check="coverage")[own])
    assert coverage.row(2) == ("coverage", "C", 1.0, "outside")
    alone = pf.intake(rows.filter(pl.col("g") != "B"), **question)
    assert alone["verdict"].to_list() == ["undefined", "outside", "outside"]


def test_a_base_rate_says_of_how_many_rows_the_label_is_known() -> None:
    """By hand: 250 of 500 women have a label, and all men."""
    rows = rows_of({("F",): 500, ("M",): 500}, "sex").with_columns(
        y=pl.when((pl.col("sex") == "M") | (pl.int_range(pl.len()) % 2 == 0)).then(
            pl.int_range(pl.len()) % 4 == 0
        )
    )
    question: dict[str, Any] = {"facet": "sex", "label": "y", "columns": []}
    row = only(pf.intake(rows, **question, nulls="drop"), check="labels")
    assert row["note"] == (
        "label: known for 50 % of F, 100 % of all others; the value is about rows with a label"
    )
    complete = pf.intake(rows.filter(pl.col("y").is_not_null()), **question)
    assert only(complete, check="labels") == row | {"note": None}


@pytest.mark.parametrize("label", [0, 1])
def test_labels_of_one_value_differ_in_no_group(label: int) -> None:
    rows = rows_of({("F",): 100, ("M",): 200}, "sex").with_columns(y=label)
    answer = pf.intake(rows, facet="sex", label="y", columns=[])
    [row] = answer.filter(check="labels").rows(named=True)
    z = NormalDist().inv_cdf(1 - 0.05 / 2)
    found = row["lower"], row["upper"]
    assert found == pytest.approx(newcombe(label, 100, label, 200, z), rel=1e-9)
    assert (row["value"], row["p_value"], row["verdict"]) == (0, 1, "within")


def test_base_rates_are_those_of_metrics() -> None:
    loans = pf.datasets.loans()
    question: dict[str, Any] = {"facet": "race", "label": "repaid"}
    labels = pf.intake(loans, **question).filter(check="labels").select("group", "value")
    expected = pf.metrics(loans, "dpl", **question).select("disfavored", -pl.col("dpl"))
    assert labels.rows() == [(group, pytest.approx(value)) for group, value in expected.rows()]


def test_the_widest_gap_is_the_one_that_is_farthest_from_0_for_certain() -> None:
    missing, sizes = {"a": 40, "b": 3, "c": 30}, {"a": 400, "b": 20, "c": 580}
    counts = {(g, v): missing[g] if v is None else sizes[g] - missing[g]
              for g in "abc" for v in (None, 1)}  # fmt: skip
    row = only(pf.intake(rows_of(counts, "g", "v"), facet="g"), check="missing")
    # Three gaps, and one column whose values cannot be compared.
    z = NormalDist().inv_cdf(1 - 0.05 / 3 / 2)
    expected = {
        g: newcombe(missing[g] / n, n, (73 - missing[g]) / (1000 - n), 1000 - n, z)
        for g, n in sizes.items()
    }
    surest = max(expected, key=lambda g: max(expected[g][0], -expected[g][1], 0))
    assert (row["group"], surest) == ("c", "c")
    assert (row["lower"], row["upper"]) == pytest.approx(expected["c"], rel=1e-9)
    # That of b is wider, and less sure.
    assert abs(row["value"]) < missing["b"] / 20 - 70 / 980


def test_numbers_are_compared_in_bins_of_as_many_rows_and_have_a_direction() -> None:
    numbers = [*range(200)]
    rows = pl.DataFrame({"sex": ["F"] * 100 + ["M"] * 100, "x": numbers, "when": numbers})
    rows = rows.with_columns(pl.lit(date(2026, 1, 1)) + pl.duration(days="when"))
    answer = pf.intake(rows.rename({"literal": "day"}).drop("when"), facet="sex")
    for name in ("x", "day"):
        row = only(answer, column=name)
        # Each group has ten bins of ten rows by itself.
        assert (row["kind"], row["group"], row["auc"]) == ("numbers", "F", 0.0)
        # The statistic is the number of rows.
        assert row["value"] == pytest.approx(sqrt((1 - 19 / 199) / (1 - 1 / 199)))
    reversed_ = pf.intake(rows.with_columns(-pl.col("x")), facet="sex", columns="x")
    assert only(reversed_, check="proxy")["auc"] == 1.0


def test_what_rows_show_is_shown_with_the_power_that_is_claimed() -> None:
    rows = rows_of(
        {("F", 1): 60, ("F", 0): 140, ("M", 1): 240, ("M", 0): 560}, "sex", "y"
    ).with_columns(race=pl.Series(["a", "b"] * 500))
    answer = pf.intake(rows, facet=["sex", "race"], label="y").filter(check="coverage")
    row = only(answer, facet="sex", group="F")
    assert row["value"] == pytest.approx(2.8016 * sqrt(0.3 * 0.7 * (1 / 200 + 1 / 800)), rel=1e-4)
    assert row["verdict"] == "outside"  # beyond 0.1
    both = answer.filter(facet="sex & race")["group"].to_list()
    assert both == ["F & a", "F & b", "M & a", "M & b"]
    # Draws in which F differs by so much are told apart in 80 %.
    random = np.random.default_rng(79)
    one = random.binomial(200, 0.3 - row["value"] * 0.8, 20_000) / 200
    other = random.binomial(800, 0.3 + row["value"] * 0.2, 20_000) / 800
    pooled = 0.2 * one + 0.8 * other
    deviations = (other - one) / np.sqrt(pooled * (1 - pooled) * (1 / 200 + 1 / 800))
    assert (deviations > NormalDist().inv_cdf(0.975)).mean() == pytest.approx(0.8, abs=0.03)


def test_drift_is_total_variation_less_what_chance_gives() -> None:
    def rows(share: float, n: int) -> pl.DataFrame:
        return rows_of({("F", "a"): round(share * n), ("F", "b"): round((1 - share) * n),
                        ("M", "a"): n // 2, ("M", "b"): n // 2}, "sex", "v")  # fmt: skip

    answer = pf.intake(rows(0.7, 1000), facet="sex", baseline=rows(0.4, 500))
    row = only(answer, check="drift", group="F")
    error = sqrt(0.4 * 0.6 / 500 + 0.7 * 0.3 / 1000)
    assert row["value"] == pytest.approx(0.3 - sqrt(2 / np.pi) * error)
    # A proxy and two drifts: Wilson and Hilferty's quantile of a half-normal is within 2 %.
    z = NormalDist().inv_cdf(1 - 0.05 / 3 / 4)
    assert row["lower"] == pytest.approx(0.3 - z * error, abs=0.02 * z * error)
    assert row["verdict"] == "outside"
    assert only(answer, check="drift", group="M")["value"] == 0


def test_windows_are_compared_with_the_one_before_or_the_first() -> None:
    def block(month: int, share: float) -> pl.DataFrame:
        values = ["a"] * round(200 * share) + ["b"] * round(200 * (1 - share))
        rows = pl.DataFrame({"sex": ["F", "M"] * 100, "v": sorted(values)})
        return rows.with_columns(v=pl.Series(values[::2] + values[1::2]), month=month)

    rows = pl.concat([block(1, 0.2), block(2, 0.8), block(3, 0.8)])
    found = {
        baseline: pf.intake(rows, facet="sex", by="month", baseline=baseline)
        .filter(pl.col("check") == "drift", pl.col("value") > 0.1)["month"]
        .unique()
        .sort()
        .to_list()
        for baseline in ("previous", "first")
    }
    assert found == {"previous": [2], "first": [2, 3]}
    alone = pf.intake(rows, facet="sex", by="month").filter(check="proxy")
    for month in (1, 2, 3):
        expected = only(
            pf.intake(rows.filter(month=month).drop("month"), facet="sex"), check="proxy"
        )
        assert only(alone, month=month)["value"] == pytest.approx(expected["value"])


def test_a_copy_of_the_label_and_missing_values_give_it_away() -> None:
    label = pl.Series([True, False] * 2_000)
    rows = pl.DataFrame({"g": ["a", "a", "b", "b"] * 1_000, "y": label}).with_columns(
        copy=pl.when("y").then(pl.lit("yes")).otherwise(pl.lit("no")),
        absent=pl.when("y").then(1),
        other=pl.Series(["u", "u", "v", "w"] * 1_000),
    )
    leaks = pf.intake(rows, facet="g", label="y").filter(check="leak")
    verdicts = dict(leaks.select("column", "verdict").rows())
    assert verdicts == {"copy": "outside", "absent": "outside", "other": "within"}
    assert leaks["facet"].null_count() == leaks.height


def test_loans_and_german_credit() -> None:
    loans = pf.intake(pf.datasets.loans(), facet=["sex", "race"], label="repaid")
    outside = loans.filter(check="proxy", facet="sex", verdict="outside")
    found = {row["column"]: round(row["value"], 2) for row in outside.rows(named=True)}
    assert {"score": 0.29, "branch": 0.28, "income": 0.13}.items() <= found.items()
    assert loans.filter(check="proxy", facet="race", verdict="outside").is_empty()
    older = (pl.col("age") > 25).alias("older")
    german = pf.intake(pf.datasets.german_credit(), facet=older, label="good")
    assert "age" not in german["column"]
    young = only(german, check="labels")
    # Kamiran and Calders: 110 of 190 of the young are good, and 590 of 810 others.
    assert young["value"] == pytest.approx(110 / 190 - 590 / 810)
    assert young["verdict"] == "uncertain"
    assert german.filter(check="proxy", verdict="outside").is_empty()


def test_how_each_column_is_counted() -> None:
    n = 3_000
    rows = pl.DataFrame({"g": ["a", "b"] * (n // 2)}).with_columns(
        name=pl.int_range(n).cast(pl.String),
        constant=pl.lit("x"),
        nothing=pl.lit(None),
        listed=pl.int_range(n).cast(pl.Int64).implode().over("g", mapping_strategy="join"),
        enum=pl.Series(["x", "y", "z"] * (n // 3), dtype=pl.Enum(["x", "y", "z"])),
        category=pl.Series(["x", "y", "z"] * (n // 3), dtype=pl.Categorical),
        flag=pl.int_range(n) % 3 == 0,
        few=pl.int_range(n) % 7,
        decimal=(pl.int_range(n) % 100).cast(pl.Decimal(10, 2)),
        binary=(pl.int_range(n) % 3).cast(pl.String).cast(pl.Binary),
        nan=pl.when(pl.int_range(n) % 2 == 0).then(float("nan")).otherwise(pl.int_range(n) * 1.5),
        infinite=pl.when(pl.int_range(n) % 50 == 0).then(float("inf")).otherwise(pl.int_range(n)),
        span=pl.duration(seconds=pl.int_range(n)),
        clock=pl.time(pl.int_range(n) % 24, 0, 0),
        unsigned=pl.int_range(n).cast(pl.UInt64) + 2**63,
    )
    answer = pf.intake(rows.lazy(), facet="g").collect()
    assert_frame_equal(answer, pf.intake(rows, facet="g"))
    kinds = dict(answer.filter(check="proxy").select("column", "kind").rows())
    assert kinds == {
        "name": "identifier", "constant": "constant", "nothing": "constant", "listed": "nested",
        "enum": "values", "category": "values", "flag": "values", "few": "values",
        "decimal": "numbers", "binary": "values", "nan": "numbers", "infinite": "numbers",
        "span": "numbers", "clock": "numbers", "unsigned": "numbers",
    }  # fmt: skip
    skipped = answer.filter(pl.col("kind").is_in(["identifier", "constant", "nested"]))
    assert skipped.select("value", "verdict").null_count().row(0) == (4, 4)
    assert skipped["note"].null_count() == 0
    # NaN is missing: all of it in group a.
    assert only(answer, check="missing")["value"] == 1.0
    text = rows.select("g", pl.col("name").str.slice(0, 3))
    assert only(pf.intake(text, facet="g"), check="proxy")["kind"] == "identifier"


def test_how_a_column_is_counted_follows_from_its_values_and_no_estimate() -> None:
    """Numbers of 20 values are compared by value, and texts of 200; one more is too many.

    By an estimate of how many they are, a third of such columns were taken for others.
    """
    random, rows = np.random.default_rng(0), 400
    kinds, columns = dict[str, str](), dict[str, Any]()
    for number in range(40):
        for most, kind in ((20, "numbers"), (200, "identifier")):
            values = random.random(most + number % 2)
            if kind == "identifier":
                values = np.array([f"{each:.9f}" for each in values])
            held = np.concatenate([values, random.choice(values, rows - len(values))])
            name = f"{kind} {number}"
            columns[name], kinds[name] = held, kind if number % 2 else "values"
    frame = pl.DataFrame({"sex": ["F", "M"] * (rows // 2), **columns})
    found = pf.intake(frame, facet="sex").filter(check="proxy")
    assert dict(found.select("column", "kind").rows()) == kinds
    of_values = found.filter(kind="values")["distinct"]
    assert {*of_values} == {20, 200}


def test_small_groups_and_rare_values_are_said() -> None:
    counts = {("a", f"v{i % 4}"): 0 for i in range(4)} | {
        (group, f"v{i}"): 25 for group in "ab" for i in range(4)
    }
    rows = rows_of({**counts, ("a", "rare"): 1, ("b", "odd"): 1, ("few", "v0"): 9}, "g", "v")
    row = only(pf.intake(rows, facet="g"), check="proxy")
    assert row["note"] == "without few: few rows; 2 rare values counted as one"
    assert row["verdict"] == "within"
    alone = pf.intake(rows.filter(pl.col("g") != "b"), facet="g")
    row = only(alone, check="proxy")
    assert (row["value"], row["verdict"]) == (None, "undefined")
    assert "too few rows to compare" in row["note"]


@pytest.mark.parametrize("frame", ["one row", "one group", "no rows", "no columns", "unknown"])
def test_frames_that_say_nothing(frame: str) -> None:
    rows = ROWS.with_columns(y=pl.col("branch") == "a")
    given = {
        "one row": rows.head(1),
        "one group": rows.filter(sex="F"),
        "no rows": rows.clear(),
        "no columns": rows.select("sex", "y"),
        "unknown": rows.with_columns(sex=pl.lit(None, pl.String)),
    }[frame]
    answer = pf.intake(given, facet="sex", label="y", baseline=given)
    assert answer.schema == pf.intake(rows, facet="sex", label="y").schema
    if frame == "no columns":
        assert {*answer["check"]} == {"labels", "coverage"}
    else:
        # At most a row that says that a column has one value.
        compared = ~pl.col("check").is_in(["leak", "drift"])
        known = answer.filter(compared).select("value", "verdict")
        assert known.null_count().row(0) == (known.height, known.height)


def test_cells_and_equal_weights_have_the_answer_of_their_rows() -> None:
    rows = ROWS.with_columns(y=pl.int_range(pl.len()) % 3 == 0, x=pl.int_range(pl.len()) % 37)
    question: dict[str, Any] = {"facet": "sex", "label": "y"}
    expected = pf.intake(rows, **question)
    cells = rows.group_by(pl.all()).agg(many=pl.len())
    assert_frame_equal(pf.intake(cells, count="many", **question), expected, rel_tol=1e-9)
    weighed = pf.intake(rows.with_columns(w=3.0), weight="w", **question)
    # Equal weights are taken for such as might differ: Student's bounds are a little wider.
    numbers = ["check", "column", "group", "value", "verdict"]
    assert_frame_equal(weighed.select(numbers), expected.select(numbers), rel_tol=1e-9)
    assert (weighed["n"] == 3 * expected["n"]).all()


def test_people_that_are_repeated_need_their_cluster() -> None:
    """Ten rows of each person: without clusters an unrelated column seems to tell groups apart."""
    random = np.random.default_rng(79)
    people = pl.DataFrame(
        {
            "who": range(300),
            "g": random.choice(["a", "b"], 300),
            "v": random.choice([*"stuvwxyz"], 300),
            "y": random.random(300) < 0.4,
        }
    )
    rows = pl.concat([people] * 10)
    question: dict[str, Any] = {"facet": "g", "label": "y", "columns": "v"}
    people_alone = pf.intake(people, **question)
    naive = pf.intake(rows, **question)
    clustered = pf.intake(rows, cluster="who", **question)
    for check in ("proxy", "leak"):
        once, ten, right = (only(each, check=check) for each in (people_alone, naive, clustered))
        # By hand: the chi-squared statistic is ten times as large, its distribution is not.
        assert ten["p_value"] < 1e-3 < once["p_value"]
        assert right["p_value"] == pytest.approx(once["p_value"], abs=0.2)
        assert right["lower"] == once["lower"] == 0 < ten["lower"]
    once, right = (only(each, check="labels") for each in (people_alone, clustered))
    width = right["upper"] - right["lower"]
    assert width == pytest.approx(once["upper"] - once["lower"], rel=0.15)


def test_of_few_clusters_there_is_no_verdict() -> None:
    rows = ROWS.with_columns(c=pl.int_range(pl.len()) % 4, y=pl.int_range(pl.len()) % 2 == 0)
    answer = pf.intake(rows, facet="sex", label="y", cluster="c").filter(
        pl.col("check") != "coverage"
    )
    assert {*answer["verdict"]} == {"undefined"}
    assert answer["lower"].null_count() == answer.height
    assert answer["note"].str.contains("4.0 effective clusters, and an interval needs 5").all()


def test_limits_are_those_of_a_policy(tmp_path: Path) -> None:
    loans = pf.datasets.loans()
    file = tmp_path / "fairness.toml"
    file.write_text(
        'name = "Data"\nconfidence = 0.9\nfacets = ["sex"]\n'
        '[question]\nlabel = "repaid"\n[limits]\nproxy = 0.2\ncoverage = "none"\n'
    )
    answer = pf.intake(loans, policy=file)
    proxies = answer.filter(check="proxy", verdict="outside")["column"].to_list()
    assert proxies == ["branch", "score"]
    coverage = answer.filter(check="coverage")
    assert coverage.select("limit", "verdict").null_count().row(0) == (2, 2)
    expected = pf.intake(loans, facet="sex", label="repaid", confidence=0.9)
    assert_frame_equal(answer.select("value", "lower"), expected.select("value", "lower"))
    with pytest.raises(pf.FairnessError, match=r"confidence: 0\.95 contradicts 0\.9 of the policy"):
        pf.intake(loans, policy=file, confidence=0.95)
    for limits, message in (
        ({"proxi": 0.1}, "limits: no check 'proxi'; did you mean 'proxy'"),
        ({"proxy": 2}, "limits: takes a number from 0 to 1 for 'proxy', got 2"),
        ([], "limits: takes a table with limits of checks"),
    ):
        with pytest.raises(pf.FairnessError, match=re.escape(message)):
            pf.Policy(name="Data", limits=limits)  # type: ignore[arg-type]


def test_calls_that_have_no_answer() -> None:
    rows = ROWS.with_columns(y=pl.lit("yes"), t=pl.lit(date(2026, 1, 1)) + timedelta(days=1))
    calls: list[tuple[dict[str, Any], str]] = [
        ({}, "facet: intake requires it"),
        ({"facet": "sex", "label": "y"}, "positive: intake needs to know which values of 'y'"),
        ({"facet": "sex", "confidence": None}, "confidence: verdicts need bounds"),
        ({"facet": "sex", "columns": ["branch", "sex"]}, "columns: 'sex' is the facet, with which"),
        (
            {"facet": "sex", "label": "y", "positive": "yes", "columns": "y"},
            "columns: 'y' is the label, with which",
        ),
        ({"facet": "sex", "columns": "brunch"}, "columns: no column 'brunch'; did you mean"),
        (
            {"facet": "sex", "by": "t", "baseline": 3},
            "baseline: takes a frame, 'previous' or 'first', got 3",
        ),
        ({"facet": "sex", "baseline": "first"}, "baseline: names a window, but by= "),
        ({"facet": "sex", "baseline": ROWS, "by": "t"}, "baseline: a frame is compared as a whole"),
        (
            {"facet": "sex", "baseline": ROWS},
            "baseline: no column 'y'; .* leave it out by columns=",
        ),
        (
            {"facet": "sex", "baseline": rows.with_columns(y=1)},
            "baseline: 'y' is Int32, and String in the frame; cast one of them",
        ),
        (
            {"facet": "sex", "by": pl.col("branch").alias("value")},
            "by: the result already has a column",
        ),
        ({"facet": "sex", "label": "branch", "positive": "a", "classes": "each"}, "classes: "),
    ]
    for question, message in calls:
        with pytest.raises(pf.FairnessError, match=message):
            pf.intake(rows, **question)


@pytest.mark.parametrize("design", ["plain", "weights", "clusters"])
def test_unrelated_columns_are_rarely_found(design: str) -> None:
    """Of pages with some 80 numbers each, at most 5 % may have a finding; `nightly` draws 200."""
    # More than 1 of 5 happen in 2 % where 5 % are right.
    random = np.random.default_rng(79)
    assert sum(has_finding(random, design, 300) for _ in range(5)) <= 1


@pytest.mark.nightly
@pytest.mark.parametrize("n", [200, 1_000, 5_000])
@pytest.mark.parametrize("design", ["plain", "weights", "clusters"])
def test_unrelated_columns_are_rarely_found_in_many_pages(design: str, n: int) -> None:
    random = np.random.default_rng(79)
    assert sum(has_finding(random, design, n) for _ in range(200)) <= 18  # 5 %, and three errors


def has_finding(random: np.random.Generator, design: str, n: int) -> bool:
    def people(n: int) -> pl.DataFrame:
        ranks = {k: 1 / np.arange(1, k + 1) ** 1.2 for k in (5, 10, 150)}
        texts = {k: random.choice(k, n, p=p / p.sum()).astype(str) for k, p in ranks.items()}
        number = random.normal(size=n)
        return pl.DataFrame(
            {
                "sex": random.choice(["F", "M"], n, p=[0.45, 0.55]),
                "race": random.choice([*"abcde"], n, p=[0.6, 0.2, 0.12, 0.07, 0.01]),
                **{f"text{k}": text for k, text in texts.items()},
                "rare": random.random(n) < 0.03,
                "number": np.where(random.random(n) < 0.1, np.nan, number),
                "skewed": np.exp(random.normal(size=n) * 2),
                "zeros": np.where(random.random(n) < 0.8, 0, random.exponential(size=n)),
                "y": random.random(n) < 0.2,
                "w": random.exponential(size=n) + 0.1,
            }
        )

    def rows() -> pl.DataFrame:
        if design == "clusters":
            return people(n // 4).with_row_index("c")[np.sort(random.integers(0, n // 4, n))]
        return people(n)

    more = {"plain": {}, "weights": {"weight": "w"}, "clusters": {"cluster": "c"}}[design]
    columns = ["text5", "text10", "text150", "rare", "number", "skewed", "zeros"]
    question: dict[str, Any] = {"facet": ["sex", "race"], "label": "y", "columns": columns, **more}
    answer = pf.intake(rows(), baseline=rows(), **question)
    judged = answer.filter(pl.col("check") != "coverage")
    return judged["verdict"].is_in(["outside", "uncertain"]).any()


@pytest.mark.parametrize(("n", "k"), [(500, 2), (5_000, 12)])
def test_bounds_of_an_association_hold_it(n: int, k: int) -> None:
    """At 99 %, for true associations of 0, 0.1 and 0.5: one interval of 100 may miss."""
    from polars_fairness.inference.association import Tally, association

    random = np.random.default_rng(79)
    for shift in (0.0, 0.1, 0.5):
        own, other = np.full(k, 1 / k), np.full(k, 1 / k)
        own[: k // 2] *= 1 + shift
        own[k // 2 :] *= 1 - shift
        other[: k // 2] *= 1 - shift
        other[k // 2 :] *= 1 + shift
        shares = np.stack([own, other]) / 2
        # Each cell is 1 ± shift times that of independence.
        misses = 0
        for _ in range(200):
            counts = random.multinomial(n, shares.ravel()).reshape(2, k).astype(float)
            span = association(Tally(counts, counts), 0.01)
            assert span.lower is not None
            assert span.upper is not None
            misses += not span.lower - 1e-12 <= shift <= span.upper + 1e-12
        assert misses <= 7
