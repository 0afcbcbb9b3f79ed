"""Numbers as outcomes: values, nulls, offsets, intervals, notes and errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.cli import main
from polars_fairness.counting.raising import errors_of_users

ALL = [name for name, metric in pf.CATALOGUE.items() if metric.is_about_numbers]
NAMES = [name for name in ALL if "subgroup" not in pf.CATALOGUE[name].needs]
OF_TWO_SIDES = [name for name in NAMES if pf.CATALOGUE[name].has_sides]
QUESTION: dict[str, Any] = {
    "facet": "sex",
    "disfavored": "F",
    "estimated": "price",
    "observed": "claim",
}


def quotes(rows: int = 400, seed: int = 1) -> pl.DataFrame:
    """Prices of skewed amounts, and claims that are often 0."""
    random = np.random.default_rng(seed)
    claim = random.lognormal(3, 1, rows) * (random.random(rows) < 0.7)
    return pl.DataFrame(
        {
            "sex": random.choice(["F", "M"], rows),
            "branch": random.choice(["n", "s"], rows),
            "price": 0.5 * claim + random.lognormal(2, 0.5, rows),
            "claim": claim,
            "w": random.random(rows) + 0.5,
        }
    )


def values(frame: pl.DataFrame | pl.LazyFrame, **more: Any) -> dict[str, Any]:
    with errors_of_users():
        answer = pf.metrics(frame.lazy(), NAMES, **{**QUESTION, **more}).collect()
    return {name: answer[name].item() for name in NAMES}


def test_an_offset_changes_no_digit_that_the_data_have() -> None:
    frame = quotes().with_columns(pl.col("price", "claim").round(1))
    far = frame.with_columns(pl.col("price", "claim") + 1e9)
    here, there = values(frame), values(far)
    for name in NAMES:
        if "ratio" not in name or name in ("mae_ratio", "rmse_ratio"):
            # A number near 1e9 has seven decimals.
            assert there[name] == pytest.approx(here[name], rel=1e-6, abs=1e-6), name


def test_numbers_in_whole_columns_are_those_of_floats() -> None:
    frame = quotes().with_columns(pl.col("price", "claim").cast(pl.Int32))
    floats = frame.with_columns(pl.col("price", "claim").cast(pl.Float64))
    decimals = frame.with_columns(pl.col("price", "claim").cast(pl.Decimal(12, 2)))
    expected = pytest.approx(values(floats), rel=1e-12)
    assert values(frame) == expected
    assert values(decimals) == expected


def test_a_row_that_lacks_a_number_counts_for_the_metrics_that_do_not_need_it() -> None:
    frame = quotes().with_columns(
        claim=pl.when(pl.int_range(pl.len()) % 5 > 0).then("claim"),
        price=pl.when(pl.int_range(pl.len()) % 7 > 0).then("price").otherwise(float("nan")),
    )
    found = values(frame, nulls="drop")
    known = pl.col("claim").is_not_null(), pl.col("price").is_not_nan()
    of_claims, of_prices = (values(frame.filter(each).fill_nan(0).fill_null(0)) for each in known)
    of_both = values(frame.filter(*known))
    for name in NAMES:
        needs = pf.CATALOGUE[name].needs
        expected = (
            of_both
            if {"observed", "estimated"} <= {*needs}
            else of_claims
            if "observed" in needs
            else of_prices
        )
        assert found[name] == pytest.approx(expected[name], rel=1e-12), name
    audit = pf.audit(frame, "observed_difference", **QUESTION, nulls="drop")
    assert audit["rows_used"].item() == 320


def test_each_window_and_stratum_counts_its_own_rows() -> None:
    frame = quotes()
    windows = pf.metrics(frame, NAMES, **QUESTION, by="branch")
    for row in windows.iter_rows(named=True):
        alone = values(frame.filter(branch=row["branch"]))
        for name in NAMES:
            assert row[name] == pytest.approx(alone[name], rel=1e-9), name


@pytest.mark.parametrize("weight", [None, "w"])
def test_a_count_repeats_rows(weight: str | None) -> None:
    frame = quotes(60).with_columns(k=pl.int_range(pl.len()) % 4)
    repeated = frame[[row for row, k in enumerate(frame["k"]) for _ in range(k)]]
    counted = frame.with_columns(pl.col("w") * pl.col("k"))
    audit = pf.audit(counted, **QUESTION, count="k", weight=weight)
    assert_frame_equal(audit, pf.audit(repeated, **QUESTION, weight=weight))
    assert audit["lower"].is_not_null().sum() > 10
    by_branch = pf.audit(counted.lazy(), by="branch", **QUESTION, count="k", weight=weight)
    assert by_branch.collect(engine="streaming")["lower"].is_not_null().sum() > 10


def test_the_interval_of_large_counts_is_that_of_so_many_rows() -> None:
    """16 prices in all, each of 20 to 3,000 people: the ends of Welch's interval."""
    ratios = []
    for seed in range(30):
        people = np.random.default_rng(seed).integers(20, 3_000, 16)
        price = np.tile(np.arange(8.0) ** 2, 2)
        frame = pl.DataFrame({"sex": ["F"] * 8 + ["M"] * 8, "price": price, "k": people})
        question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "estimated": "price"}
        [row] = pf.audit(frame, "estimate_difference", count="k", **question).to_dicts()
        sides = [np.repeat(price[i : i + 8], people[i : i + 8]) for i in (0, 8)]
        error = sum(each.var(ddof=1) / len(each) for each in sides) ** 0.5
        ratios.append((row["upper"] - row["lower"]) / 2 / (1.96 * error))
    assert 1 <= np.mean(ratios) <= 1.1
    assert np.std(ratios) < 0.1


@pytest.mark.extras
@pytest.mark.parametrize("offset", [0.0, 1e9])
@pytest.mark.parametrize(
    "more", [{"by": "branch"}, {"weight": "w"}, {"count": "k", "weight": "w", "subgroup": "branch"}]
)
def test_shards_equal_the_whole(more: dict[str, Any], offset: float) -> None:
    """Cells of parts, in polars and in DuckDB, counted again, and cells of cells."""
    import duckdb

    frame = quotes(2_000).with_columns(
        pl.col("price", "claim").round(1) + offset, k=pl.int_range(pl.len()) % 4
    )
    again, database = {**more, "count": "n"}, duckdb.connect()
    names = ALL if "subgroup" in more else NAMES
    whole = pf.metrics(frame, names, **QUESTION, **more)
    parts = pl.concat(pf.cells(frame[i::3], **QUESTION, **more) for i in range(3))
    with pytest.raises(pf.FairnessError, match=r"^count: for intervals of numbers, .* polars"):
        pf.audit(database.from_arrow(frame.to_arrow()), "mae_ratio", **QUESTION, count="k")
    for rows, question in [
        (parts, again),
        (pf.cells(parts, **QUESTION, **again), again),
        (database.from_arrow(frame.to_arrow()), more),
        (database.from_arrow(parts.to_arrow()), again),
    ]:
        found: Any = pf.metrics(rows, names, **QUESTION, **question)
        # A number near 1e9 has seven decimals.
        assert_frame_equal(found, whole, rel_tol=1e-6 if offset else 1e-9, abs_tol=1e-6)


def test_cells_keep_which_numbers_are_known() -> None:
    frame = quotes().with_columns(
        claim=pl.when(pl.int_range(pl.len()) % 5 > 0).then("claim"),
        price=pl.when(pl.int_range(pl.len()) % 7 > 0).then("price").otherwise(float("nan")),
    )
    cells = pf.cells(frame, **QUESTION, nulls="drop")
    assert cells.height == 8
    assert cells.select("claim", "price").null_count().row(0) == (4, 4)
    found = values(cells, nulls="drop", count="n")
    assert found == pytest.approx(values(frame, nulls="drop"), rel=1e-9)


def test_cells_by_cluster_have_the_intervals_of_rows() -> None:
    frame = quotes().with_columns(house=pl.int_range(pl.len()) // 3)
    question = {**QUESTION, "cluster": "house"}
    of_rows = pf.audit(frame, "mae_ratio", **question)
    cells = pf.cells(frame, **question)
    assert_frame_equal(pf.audit(cells, "mae_ratio", **question, count="n"), of_rows, rel_tol=1e-9)
    assert of_rows["lower"].item() < of_rows["value"].item()


def test_a_common_factor_of_weights_changes_nothing() -> None:
    frame = quotes()
    expected = values(frame, weight="w")
    for name, value in values(frame.with_columns(pl.col("w") * 8), weight="w").items():
        assert value == pytest.approx(expected[name], rel=1e-12), name


@pytest.mark.parametrize("question", [{"cluster": "branch"}, {"subgroup": "branch"}, {}])
@pytest.mark.parametrize("uncertain", [False, True])
def test_a_cell_without_weight_adds_nothing(*, question: dict[str, Any], uncertain: bool) -> None:
    """All rows of a branch, and of some groups of rows, weigh 0."""
    frame = quotes().with_columns(
        branch=(pl.int_range(pl.len()) % 50).cast(pl.UInt8),
        f=pl.when(sex="F").then(0.9).otherwise(0.2),
        m=pl.when(sex="F").then(0.1).otherwise(0.8),
    )
    frame = frame.with_columns(w=pl.when(pl.col("branch") > 6).then("w").otherwise(0.0))
    question = {**QUESTION, "weight": "w", **question}
    if uncertain:
        question["facet"] = pf.probabilities("sex", {"F": "f", "M": "m"})
    names = ["estimate_smd", "rmse_ratio", "mae_difference", "correlation_difference"]
    found, expected = (
        pf.audit(rows, names, **question)["value"].to_list()
        for rows in (frame, frame.filter(pl.col("w") > 0))
    )
    assert None not in expected
    assert found == pytest.approx(expected, rel=1e-9)


def test_rates_have_the_numbers_of_each_group() -> None:
    frame = quotes()
    rates = pf.rates(frame, facet="sex", estimated="price", observed="claim")
    for row in rates.iter_rows(named=True):
        group = frame if row["value"] is None else frame.filter(sex=row["value"])
        price, claim = (group[name].to_numpy() for name in ("price", "claim"))
        expected = {
            "estimated_mean": price.mean(),
            "estimated_deviation": price.std(ddof=1),
            "observed_mean": claim.mean(),
            "observed_deviation": claim.std(ddof=1),
            "mae": np.abs(price - claim).mean(),
            "rmse": np.sqrt(((price - claim) ** 2).mean()),
            "correlation": np.corrcoef(price, claim)[0, 1],
            "r2": 1 - ((price - claim) ** 2).sum() / ((claim - claim.mean()) ** 2).sum(),
        }
        assert {name: row[name] for name in expected} == pytest.approx(expected, rel=1e-9)
    alone = pf.rates(frame, facet="sex", estimated="price")
    assert "mae" not in alone.columns
    assert "estimated_mean" in alone.columns


def test_streaming_gives_the_same_values() -> None:
    frame = quotes(3_000)
    cases: list[dict[str, Any]] = [{}, {"weight": "w"}, {"nulls": "drop"}, {"by": "branch"}]
    for more in cases:
        plan = pf.metrics(frame.lazy(), NAMES, **QUESTION, **more)
        assert_frame_equal(
            plan.collect(engine="streaming"), plan.collect(engine="in-memory"), abs_tol=1e-12
        )


def test_facets_that_are_read_in_one_pass_have_the_intervals_of_each(tmp_path: Path) -> None:
    """Rows of a CSV are dear to read, so that all facets are counted in one pass."""
    path = tmp_path / "quotes.csv"
    quotes().write_csv(path)
    names = ["estimate_ratio", "mae_difference"]
    question: dict[str, Any] = {"estimated": "price", "observed": "claim"}
    both = pf.audit(pl.scan_csv(path), names, facet=["sex", "branch"], **question).collect()
    for facet in ("sex", "branch"):
        alone = pf.audit(quotes(), names, facet=facet, **question)
        assert_frame_equal(both.filter(facet=facet), alone, rel_tol=1e-9)


def test_a_column_without_any_number_is_undefined() -> None:
    frame = quotes().with_columns(price=pl.lit(None))
    found = values(frame, nulls="drop")
    known = {name for name, value in found.items() if value is not None}
    assert known == {"observed_difference", "observed_ratio", "observed_smd"}
    with pytest.raises(pf.FairnessError, match=r"^estimated: missing values: 'price' has 400"):
        values(frame)


def test_unequal_sides_and_tiny_ones() -> None:
    frame = quotes(20_001).with_columns(sex=pl.Series(["F"] + ["M"] * 20_000))
    found = values(frame)
    price = frame["price"].to_numpy()
    assert found["estimate_difference"] == pytest.approx(price[1:].mean() - price[0])
    assert found["correlation_difference"] is None
    audit = pf.audit(frame, "estimate_difference", **QUESTION)
    assert audit["lower"].item() is None
    assert "effective groups of rows" in audit["note"].item()


def test_favorable_turns_verdicts_of_amounts_and_not_of_errors() -> None:
    frame = quotes(2_000).with_columns(
        price=pl.when(sex="F").then(pl.col("price") * 2).otherwise("price")
    )
    names = ["estimate_ratio", "mae_ratio"]
    good, bad = (
        pf.audit(frame, names, **QUESTION, favorable=each, confidence=None)["verdict"].to_list()
        for each in (True, False)
    )
    assert good == ["against_favored", "against_disfavored"]
    assert bad == ["against_disfavored", "against_disfavored"]


@pytest.mark.parametrize(
    ("change", "undefined"),
    [
        ({"price": pl.lit(3.0)}, {"correlation_difference", "estimate_smd"}),
        ({"claim": pl.lit(3.0)}, {"correlation_difference", "r2_difference", "observed_smd"}),
        ({"price": pl.col("price") - 20}, {"estimate_ratio", "actual_to_expected_ratio"}),
        ({"price": pl.col("claim")}, {"mae_ratio", "rmse_ratio"}),
    ],
)
def test_a_value_that_is_undefined_says_why(
    change: dict[str, pl.Expr], undefined: set[str]
) -> None:
    audit = pf.audit(quotes().with_columns(**change), OF_TWO_SIDES, **QUESTION)
    without = audit.filter(pl.col("value").is_null())
    assert {*without["metric"]} == undefined
    assert without["note"].str.contains("all equal|a ratio needs").all()
    assert {*without["verdict"].drop_nulls()} <= {"undefined"}


@pytest.mark.parametrize("price", [3.0, 0.1, 1e9 + 0.1])
def test_equal_numbers_do_not_show_how_they_vary(price: float) -> None:
    audit = pf.audit(quotes().with_columns(price=pl.lit(price)), "estimate_ratio", **QUESTION)
    assert audit["value"].item() == pytest.approx(1)
    assert audit.select("lower", "verdict").row(0) == (None, "undefined")
    assert "none of the groups of rows moves the value" in audit["note"].item()


def standard_errors(frame: pl.DataFrame, column: str) -> tuple[Any, Any]:
    """The means of women and of men, and the squares of their standard errors."""
    sides = [frame.filter(sex=each)[column].to_numpy() for each in "FM"]
    return [each.mean() for each in sides], [each.var(ddof=1) / len(each) for each in sides]


def test_the_interval_of_a_difference_is_about_as_wide_as_by_welch() -> None:
    ratios = []
    for seed in range(40):
        normal = np.random.default_rng(seed).normal(50, 9, 1_000)
        frame = quotes(1_000, seed).with_columns(price=normal)
        [row] = pf.audit(frame, "estimate_difference", **QUESTION).to_dicts()
        _, squares = standard_errors(frame, "price")
        ratios.append((row["upper"] - row["lower"]) / 2 / (1.96 * sum(squares) ** 0.5))
    # Variances of 200 groups of rows vary by a twentieth, and Student's quantile is larger.
    assert np.mean(ratios) == pytest.approx(1.02, abs=0.03)
    assert np.std(ratios) < 0.12


@pytest.mark.parametrize("metric", ["observed_difference", "observed_ratio"])
def test_claims_that_are_mostly_0_have_wilsons_limits(metric: str) -> None:
    """Each row is a group of its own, so that the limits follow from n, Σx, Σx² and k."""
    d, a = ([*amounts, *[0.0] * (40 - len(amounts))] for amounts in ([3.0, 9.0], [5.0, 4.0, 9.0]))
    rows = pl.DataFrame({"sex": ["F"] * 40 + ["M"] * 40, "claim": d + a})
    rows = rows.with_columns(house=pl.int_range(80).cast(pl.UInt8))
    question: dict[str, Any] = {
        "facet": "sex",
        "disfavored": "F",
        "observed": "claim",
        "cluster": "house",
    }
    [row] = pf.audit(rows, metric, **question).to_dicts()
    t = 2.0227  # 39 degrees of freedom
    own, parts = [], [d, a]
    sums = [(sum(x), sum(each**2 for each in x), sum(each > 0 for each in x)) for x in parts]
    pooled = sum(s2 for _, s2, _ in sums) / sum(s1 for s1, _, _ in sums)
    relative = sum(k * k * s2 / s1**2 for s1, s2, k in sums) / sum(k for *_, k in sums)
    for s1, s2, k in sums:
        # The jackknife of 80 groups, 40 of them of a side, makes of 40 rows 39.
        mean, n, effective = s1 / 40, 39, (s1 / 40) ** 2 / (s2 / 40) * 39
        largest = max(s2 / s1, pooled, s1 / k * relative)
        unit = (effective * s2 / s1 + 50 * largest) / (effective + 50)
        p, whole = mean / unit, 1 + t**2 / n
        middle, reach = p + t**2 / (2 * n), t * (p * (1 - p) / n + t**2 / (4 * n**2)) ** 0.5
        error = ((s2 / 40 - mean**2) / 39) ** 0.5
        high = max((middle + reach) / whole * unit, mean + t * error)
        own.append([(middle - reach) / whole * unit, mean, high])
    of_d, of_a = (np.log(own) if metric == "observed_ratio" else np.array(own)[::-1]).tolist()
    apart = of_d[1] - of_a[1]
    ends = [
        apart - ((of_d[1] - of_d[0]) ** 2 + (of_a[2] - of_a[1]) ** 2) ** 0.5,
        apart + ((of_d[2] - of_d[1]) ** 2 + (of_a[1] - of_a[0]) ** 2) ** 0.5,
    ]
    expected = np.exp(ends) if metric == "observed_ratio" else ends
    assert (row["lower"], row["upper"]) == pytest.approx(tuple(expected), rel=1e-3)


@pytest.mark.parametrize(
    "more", [{}, {"weight": "w"}, {"cluster": "house"}], ids=["rows", "weights", "clusters"]
)
def test_intervals_of_rare_claims_hold(more: dict[str, str]) -> None:
    """50 rows of d, one in ten with a claim, and no difference: Fieller's held in 75 to 85 %."""
    random, sets = np.random.default_rng(3), 200
    rows = sets * 350
    claims = pl.DataFrame(
        {
            "set": np.repeat(np.arange(sets), 350),
            "house": np.arange(rows),
            "sex": np.tile(["F"] * 50 + ["M"] * 300, sets),
            "claim": random.lognormal(2, 1, rows) * (random.random(rows) < 0.1),
            "w": random.uniform(0.5, 1.5, rows),
        }
    )
    question: dict[str, Any] = {
        "facet": "sex",
        "disfavored": "F",
        "observed": "claim",
        "by": "set",
        **more,
    }
    names = ["observed_difference", "observed_ratio", "observed_smd"]
    audit = pf.audit(claims, names, **question).drop_nulls("lower")
    shares = audit.group_by("metric").agg(pl.col("ideal").is_between("lower", "upper").mean())
    assert (shares["ideal"] > 0.93).all()


def test_a_side_whose_numbers_are_all_0_has_no_interval() -> None:
    frame = quotes().with_columns(claim=pl.when(sex="M").then("claim").otherwise(0.0))
    audit = pf.audit(frame, "observed_difference", "residual_difference", **QUESTION)
    assert audit["lower"].to_list() == [None, None]
    assert audit["note"].str.contains("the numbers of a side are all 0").all()


@pytest.mark.extras
def test_the_intervals_of_root_mean_squares_are_made_of_those_of_their_logarithms() -> None:
    """40 groups are left out by hand; ends of a side are Hall's, of both Zou and Donner's."""
    from scipy.stats import t

    groups = 40
    frame = quotes(800).with_columns(
        sex=pl.Series(["F", "M"] * 400), group=(pl.int_range(pl.len()) // 2 % groups).cast(pl.UInt8)
    )
    audit = pf.audit(frame, "rmse_difference", "rmse_ratio", cluster="group", **QUESTION)
    sides, moved = [], []
    for sex in "FM":
        of_side = frame.filter(sex=sex)
        squares = (of_side["price"] - of_side["claim"]).to_numpy() ** 2
        left = [squares[of_side["group"].to_numpy() != i].mean() for i in range(groups)]
        log = np.log(squares.mean()) / 2
        moves = (np.log(left) / 2 - log) * (1 - 1 / groups) ** 0.5
        error = (moves**2).sum() ** 0.5
        skewness = np.clip(-(moves**3).sum() / error**3, -1.5, 1.5)
        normal = np.array([1, -1]) * t.ppf(0.975, groups - 1)
        hall = 3 / skewness * (np.cbrt(1 + skewness * (normal - skewness / 6)) - 1)
        below, above = np.maximum(abs(normal), abs(hall)) * error
        sides.append(np.array([log - below, log, log + above]))
        moved.append(moves)
    together = np.corrcoef(moved)[0, 1]
    assert abs(together) > 0.05
    in_units = [np.exp(each) for each in sides]
    of_difference, of_ratio = (
        [
            d[1] - a[1] + sign * (x**2 + y**2 - 2 * together * x * y) ** 0.5
            for sign, x, y in [(-1, d[1] - d[0], a[2] - a[1]), (1, d[2] - d[1], a[1] - a[0])]
        ]
        for d, a in (in_units, sides)
    )
    found = audit.select("lower", "upper").rows()
    assert found[0] == pytest.approx(of_difference, rel=1e-3)
    assert found[1] == pytest.approx(np.exp(of_ratio), rel=1e-3)


def test_counts_and_numbers_in_one_audit_keep_their_own_intervals() -> None:
    frame = quotes().with_columns(cheap=pl.col("price") < 15)
    of_counts: dict[str, Any] = {"predicted": "cheap", "p_values": "exact"}
    names = ["di", "two_sd"]
    both = pf.audit(frame, [*names, "estimate_ratio"], **of_counts, **QUESTION)
    question = {name: value for name, value in QUESTION.items() if name in ("facet", "disfavored")}
    assert_frame_equal(
        both.filter(pl.col("metric").is_in(names)), pf.audit(frame, names, **of_counts, **question)
    )
    alone = pf.audit(frame, "estimate_ratio", **QUESTION)
    assert_frame_equal(both.filter(metric="estimate_ratio").drop("p_value"), alone)


def test_scores_stand_beside_numbers_also_those_of_the_same_column() -> None:
    """Scores that mostly differ, in memory, are sorted and not grouped by."""
    frame = quotes()
    question: dict[str, Any] = {**QUESTION, "score": "price", "threshold": pf.best(0.1)}
    names = ["di", "score_difference", "estimate_difference"]
    audit = pf.audit(frame, names, **question)
    assert_frame_equal(audit, pf.audit(frame.lazy(), names, **question).collect())
    prices = frame.sort("price")["sex"].tail(40).to_list()
    women, men = (frame.filter(sex=sex)["price"].to_numpy() for sex in "FM")
    of_women, of_men = prices.count("F") / len(women), prices.count("M") / len(men)
    assert audit["value"].to_list() == pytest.approx(
        [of_women / of_men, *[men.mean() - women.mean()] * 2]
    )


MODELS: dict[str, Any] = {**QUESTION, "estimated": {"old": "price", "new": "next", "same": "price"}}


def test_models_of_the_same_rows_differ_by_paired_rows() -> None:
    frame = quotes(3_000).with_columns(next=pl.col("price") * 1.1 + 0.02 * pl.col("claim"))
    audit = pf.audit(frame, "estimate_difference", "mae_ratio", **MODELS, champion="old")
    new = audit.row(by_predicate=(pl.col("model") == "new") & (pl.col("ideal") == 0), named=True)
    paired = frame.with_columns(pl.col("next") - pl.col("price"))
    means, squares = standard_errors(paired, "next")
    assert new["difference"] == pytest.approx(means[1] - means[0])
    # Variances of 200 groups of rows vary by a twentieth.
    width = new["difference_upper"] - new["difference_lower"]
    assert width == pytest.approx(2 * 1.96 * sum(squares) ** 0.5, rel=0.15)
    same = audit.filter(model="same").select("^difference.*$", "change").unique()
    assert same.rows() == [(0, 0, 0, "same")]


def rmse(observed: Any, estimated: Any) -> float:
    return float(np.sqrt(np.mean((estimated - observed) ** 2)))


def mae(observed: Any, estimated: Any) -> float:
    return float(np.mean(np.abs(estimated - observed)))


def correlation(observed: Any, estimated: Any) -> float:
    return float(np.corrcoef(observed, estimated)[0, 1])


def test_differences_of_models_vary_as_leaving_out_each_row_says() -> None:
    """Both err alike where amounts are log-normal, and differ by little."""
    random = np.random.default_rng(4)
    sides, names = [], ("claim", "price", "next")
    for _ in range(2):
        claim = random.lognormal(0, 1, 300)
        price = np.minimum(claim, 3) / 2 + 1
        sides.append((claim, price, price * (1 + random.normal(0, 0.1, 300))))
    frame = pl.concat(
        pl.DataFrame(dict(zip(names, side, strict=True))).with_columns(sex=pl.lit(sex))
        for sex, side in zip("FM", sides, strict=True)
    )
    compared = {
        "rmse_difference": rmse,
        "mae_difference": mae,
        "correlation_difference": correlation,
    }
    ratios = {"rmse_ratio": rmse, "mae_ratio": mae}
    audit = pf.audit(
        frame,
        *compared,
        *ratios,
        **MODELS | {"estimated": {"old": "price", "new": "next"}},
        champion="old",
    )
    for name, of in (compared | ratios).items():
        row = audit.row(
            by_predicate=(pl.col("model") == "new") & (pl.col("metric") == name), named=True
        )

        def value(d: Any, a: Any, estimate: int, of: Any = of, name: str = name) -> float:
            one, other = of(d[0], d[estimate]), of(a[0], a[estimate])
            if name.endswith("ratio"):
                return float(one / other)
            return float(other - one if name.startswith("correlation") else one - other)

        def change(d: Any, a: Any) -> float:
            return value(d, a, 2) - value(d, a, 1)

        d, a = (np.array(side) for side in sides)
        left = [[change(np.delete(d, i, 1), a), change(d, np.delete(a, i, 1))] for i in range(300)]
        error = np.sqrt(((np.array(left) - change(d, a)) ** 2).sum())
        assert row["difference"] == pytest.approx(change(d, a))
        for bound in ("difference_lower", "difference_upper"):
            # Groups of rows vary by a tenth, and Student's quantile is the larger one.
            assert 0.75 * 1.96 < abs(row[bound] - row["difference"]) / error < 1.5 * 1.96


def test_a_row_that_lacks_a_number_of_one_model_counts_for_none() -> None:
    frame = quotes().with_columns(
        next=pl.when(pl.int_range(pl.len()) % 3 > 0).then(pl.col("price") + 1)
    )
    found = pf.metrics(frame, "estimate_difference", **MODELS, nulls="drop")
    known = frame.filter(pl.col("next").is_not_null())
    assert found["estimate_difference"].to_list() == pytest.approx(
        [values(known)["estimate_difference"]] * 3
    )


@pytest.mark.parametrize("more", [{}, {"weight": "w"}, {"count": "k", "by": "branch"}])
def test_probabilities_of_0_and_1_are_known_groups(more: dict[str, Any]) -> None:
    frame = quotes().with_columns(
        pl.col("price", "claim").round(1) + 1e6,
        k=pl.int_range(pl.len()) % 4,
        f=(pl.col("sex") == "F").cast(pl.Float64),
        m=(pl.col("sex") == "M").cast(pl.Float64),
    )
    known = pf.metrics(frame, NAMES, **QUESTION, favored="M", **more)
    uncertain = {**QUESTION, "facet": pf.probabilities("sex", {"F": "f", "M": "m"})}
    estimated = pf.metrics(frame, NAMES, **uncertain, favored="M", **more)
    for estimator in ("linear", "weighted"):
        found = estimated.filter(estimator=estimator).select(NAMES)
        assert_frame_equal(found, known.select(NAMES), rel_tol=1e-8, abs_tol=1e-8)


def test_means_and_errors_of_probable_groups_are_averages_and_regressions() -> None:
    random = np.random.default_rng(1)
    frame = (
        quotes()
        .with_columns(p=pl.Series(random.beta(0.5, 0.5, 400)))
        .with_columns(q=1 - pl.col("p"))
    )
    question = {**QUESTION, "facet": pf.probabilities("g", {"p": "p", "q": "q"})}
    del question["disfavored"]
    rates = pf.rates(frame, **question).filter(pl.col("value").is_not_null())
    shares, price = frame.select("p", "q").to_numpy(), frame["price"].to_numpy()
    distance = np.abs(price - frame["claim"].to_numpy())
    for column, number in (("estimated_mean", price), ("mae", distance)):
        by_regression = np.linalg.lstsq(shares, number)[0]
        by_weight = [np.average(number, weights=each) for each in shares.T]
        assert rates[column].to_list() == pytest.approx([*by_regression, *by_weight], rel=1e-9)
    audit = pf.audit(frame, "estimate_difference", **question)
    assert (audit["lower"] < audit["value"]).all()


@pytest.mark.extras
def test_groups_are_ranked_by_their_means_and_errors() -> None:
    from scipy.stats import sem, t

    frame = quotes(600)
    question: dict[str, Any] = {**QUESTION, "facet": ["sex", "branch"], "disfavored": None}
    prices = pf.worst_groups(frame, "estimate_gap", **question, favorable=False)
    of_sides = pf.worst_groups(frame, "estimate_difference", **question, favorable=False)
    assert_frame_equal(of_sides, prices)
    assert prices["direction"].to_list()[:2] == ["above", "above"]
    mean = {row["group"]: row for row in prices.iter_rows(named=True)}
    for sex, branch in [("F", "n"), ("M", "s")]:
        group = frame.filter(sex=sex, branch=branch)["price"].to_numpy()
        row = mean[f"{sex} & {branch}"]
        assert row["rate"] == pytest.approx(group.mean())
        expected = t.interval(0.95, len(group) - 1, group.mean(), sem(group))
        assert (row["lower"], row["upper"]) == pytest.approx(expected, rel=1e-4)
    jointly = pf.CATALOGUE["mae_gap"].over("conjunctions")
    gap = pf.metrics(frame, jointly, **question)["mae_gap"].item()
    ranked = pf.worst_groups(frame, "mae_gap", **question, harm="both", confidence=None)
    assert ranked["weighted_gap"][0] == pytest.approx(gap)


def test_a_table_of_text_under_a_policy_is_read_as_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quotes().with_columns(next=pl.col("price") + 1).write_csv(tmp_path / "quotes.csv")
    (tmp_path / "fair.toml").write_text(
        'name = "Premiums"\nmetrics = ["estimate_difference"]\nfacets = ["sex"]\n'
        '[question]\nobserved = "claim"\nestimated = "price"\n'
    )
    arguments = [str(tmp_path / "quotes.csv"), "--format", "csv"]
    assert main(["audit", *arguments, "--policy", str(tmp_path / "fair.toml")]) == 0
    of_models = ["--estimated", "old=price", "--estimated", "new=next", "--champion", "old"]
    more = ["--facet", "sex", *of_models, "--metric", "estimate_difference"]
    assert main(["audit", *arguments, *more]) == 0
    first, *models = (
        line.split(",")[0] for line in capsys.readouterr().out.splitlines() if "sex" in line
    )
    assert (first, models) == ("sex", ["new", "old"])


def test_p_values_and_sequences_leave_numbers_without() -> None:
    frame = quotes().with_columns(cheap=pl.col("price") < 15)
    tested = pf.audit(
        frame, "di", "estimate_ratio", predicted="cheap", p_values="exact", **QUESTION
    )
    assert tested["p_value"].is_null().to_list() == [False, True]
    with pytest.raises(
        pf.FairnessError, match=r"^sequential: .*'estimate_ratio' is none; .* none is one"
    ):
        pf.audit(frame, "estimate_ratio", sequential=True, **QUESTION)


def test_a_baseline_is_compared_as_independent_rows() -> None:
    old, new = quotes(2_000, 1), quotes(2_000, 2).with_columns(pl.col("price") * 3)
    audit = pf.audit(new, "estimate_difference", baseline=old, **QUESTION)
    assert audit["difference"].item() == pytest.approx(
        values(new)["estimate_difference"] - values(old)["estimate_difference"]
    )
    assert audit["difference_lower"].item() < audit["difference"].item()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: pf.metrics(quotes(), **QUESTION | {"estimated": "branch"}),
            r"^estimated: 'branch' is String, not a number",
        ),
        (
            lambda: pf.metrics(quotes(), "mae_difference", facet="sex", estimated="price"),
            r"^observed: mae_difference needs it",
        ),
        (
            lambda: pf.metrics(quotes(), **QUESTION | {"observed": "price"}),
            r"^observed, estimated: 'price' cannot be both",
        ),
        (
            lambda: values(quotes().with_columns(price=float("inf"))),
            r"^estimated: 'price' has infinite values, which have no mean",
        ),
        (
            lambda: values(quotes().with_columns(price=pl.Series([1e200] + [1.0] * 399))),
            r"^estimated: 'price' has .* values whose squares are; replace them",
        ),
        (
            lambda: values(
                quotes().with_columns(price=pl.Series([float("inf"), float("-inf")] * 200)),
                weight="w",
            ),
            r"^estimated: 'price' has infinite values",
        ),
        (
            lambda: values(
                quotes().with_columns(claim=pl.when(pl.col("sex") == "F").then("claim"))
            ),
            r"^observed: missing values: 'claim' has \d+ .*, exactly where 'sex' is 'M'",
        ),
        (
            lambda: values(pf.cells(quotes(), **QUESTION, weight="w").drop("w"), count="n"),
            r"^weight: the sums of these cells are weighted",
        ),
        (
            lambda: pf.audit(quotes().with_columns(k=-1), "mae_ratio", count="k", **QUESTION),
            r"^count: 'k' has negative values;",
        ),
        (
            lambda: pf.metrics(quotes(), **QUESTION | {"estimated": {}}),
            r"^estimated: got an empty dictionary",
        ),
        (
            lambda: pf.metrics(quotes(), predicted="sex", **QUESTION | {"estimated": {"a": "w"}}),
            r"^predicted: several models estimate numbers",
        ),
        (
            lambda: pf.audit(quotes(), champion="a", **QUESTION),
            r"^champion: is compared .* estimated= names none",
        ),
        (
            lambda: pf.switches(quotes(), champion="a", **QUESTION | {"estimated": {"a": "price"}}),
            r"^predicted: switches needs it",
        ),
        (
            lambda: pf.worst_groups(quotes(), "estimate_ratio", **QUESTION),
            r"give a metric that does, 'estimate_gap', 'mae_gap' or 'rmse_gap'$",
        ),
        (
            lambda: pf.worst_groups(quotes(), "estimate_gap", shrink=True, **QUESTION),
            r"^shrink: moves rates towards the mean, and 'estimate_gap' is about numbers",
        ),
        (
            lambda: pf.cells(quotes().rename({"w": "price_sq"}), by="price_sq", **QUESTION),
            r"^by: the result has a column called 'price_sq'",
        ),
        (
            lambda: pf.cells(
                quotes().rename({"price": "claim_sq"}), **QUESTION | {"estimated": "claim_sq"}
            ),
            r"^estimated: the result has a column called 'claim_sq'",
        ),
        (
            lambda: pf.cells(quotes().rename({"w": "price_sq"}), weight="price_sq", **QUESTION),
            r"^weight: the result has a column called 'price_sq'",
        ),
    ],
)
def test_errors(call: Callable[[], object], message: str) -> None:
    with pytest.raises(pf.FairnessError, match=message), errors_of_users():
        call()
