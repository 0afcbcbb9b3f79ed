"""Numbers as outcomes: values, nulls, offsets, intervals, notes and errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy import stats

import polars_fairness as pf
from polars_fairness.counting.faults import errors_of_users
from tests.frames import shared
from tests.reference.moments import of_rows, score_limits

ALL = [
    name
    for name, metric in pf.CATALOGUE.items()
    if metric.adds_up_numbers and "controls" not in metric.needs
]
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
    audit = shared(pf.audit, frame, "observed_difference", **QUESTION, nulls="drop")
    assert audit["rows_used"].item() == 320


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
    assert np.mean(ratios) == pytest.approx(1, abs=0.01)
    assert np.std(ratios) < 0.01


@pytest.mark.extras
@pytest.mark.parametrize("offset", [pytest.param(0.0, marks=pytest.mark.nightly), 1e9])
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
    for rows, question in [
        (parts, again),
        (pf.cells(parts, **QUESTION, **again), again),
        (database.from_arrow(frame.to_arrow()), more),
        (database.from_arrow(parts.to_arrow()), again),
    ]:
        found: Any = pf.metrics(rows, names, **QUESTION, **question)
        # A number near 1e9 has seven decimals.
        assert_frame_equal(found, whole, rel_tol=1e-6 if offset else 1e-9, abs_tol=1e-6)


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
        shared(pf.audit, rows, names, **question)["value"].to_list()
        for rows in (frame, frame.filter(pl.col("w") > 0))
    )
    assert None not in expected
    assert found == pytest.approx(expected, rel=1e-9)


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


@pytest.mark.parametrize("price", [3.0, 1e9 + 0.1])
def test_equal_numbers_do_not_show_how_they_vary(price: float) -> None:
    audit = shared(
        pf.audit, quotes().with_columns(price=pl.lit(price)), "estimate_ratio", **QUESTION
    )
    assert audit["value"].item() == pytest.approx(1)
    assert audit.select("lower", "verdict").row(0) == (None, "undefined")
    assert "none of the rows moves the value" in audit["note"].item()


def standard_errors(frame: pl.DataFrame, column: str) -> tuple[Any, Any]:
    """The means of women and of men, and the squares of their standard errors."""
    sides = [frame.filter(sex=each)[column].to_numpy() for each in "FM"]
    return [each.mean() for each in sides], [each.var(ddof=1) / len(each) for each in sides]


def test_the_interval_of_a_difference_is_about_as_wide_as_by_welch() -> None:
    ratios = []
    for seed in range(40):
        normal = np.random.default_rng(seed).normal(50, 9, 1_000)
        frame = quotes(1_000, seed).with_columns(price=normal)
        [row] = shared(pf.audit, frame, "estimate_difference", **QUESTION).to_dicts()
        _, squares = standard_errors(frame, "price")
        ratios.append((row["upper"] - row["lower"]) / 2 / (1.96 * sum(squares) ** 0.5))
    assert np.mean(ratios) == pytest.approx(1, abs=0.01)
    assert np.std(ratios) < 0.01


@pytest.mark.parametrize("weight", [None, "w"])
def test_the_ends_are_those_of_rows_one_by_one(weight: str | None) -> None:
    frame = quotes(120)
    w = None if weight is None else frame[weight].to_numpy()
    is_d = (frame["sex"] == "F").to_numpy() * 1
    price, claim = frame["price"].to_numpy(), frame["claim"].to_numpy()
    numbers = {
        "estimate_difference": (price, 1),
        "observed_difference": (claim, 1),
        "residual_difference": (price - claim, -1),
        "mae_difference": (abs(price - claim), -1),
    }
    for name, (number, sign) in numbers.items():
        [row] = shared(pf.audit, frame, name, weight=weight, **QUESTION).to_dicts()
        ends = sorted(sign * end for end in of_rows(number, is_d, weight=w).interval())
        # The skewness of all rows together is that of rows as they are, or left out one by one.
        assert (row["lower"], row["upper"]) == pytest.approx(ends, rel=1e-2), name


def test_a_ratio_joins_the_limits_of_both_sides_by_their_logarithms() -> None:
    frame = quotes(120)
    number, is_d = frame["claim"].to_numpy(), (frame["sex"] == "F").to_numpy() * 1
    moments, logs = of_rows(number, is_d), []
    t = stats.t.ppf(0.975, moments.freedom)
    for side, sign in ((1, -1), (0, 1)):
        mean = number[is_d == side].mean()
        v, k = moments.variance[side], moments.third[side] * sign
        below, above = score_limits(v, k, t)
        logs.append(np.log([mean - below, mean, mean + above]))
    (low, d, high), (low_a, a, high_a) = logs
    expected = np.exp(
        [d - a - np.hypot(d - low, high_a - a), d - a + np.hypot(high - d, a - low_a)]
    )
    [row] = shared(pf.audit, frame, "observed_ratio", **QUESTION).to_dicts()
    assert (row["lower"], row["upper"]) == pytest.approx(tuple(expected), rel=1e-2)


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
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "observed": "claim", "by": "set"}
    question |= {**more}
    names = ["observed_difference", "observed_ratio", "observed_smd"]
    audit = pf.audit(claims, names, **question).drop_nulls("lower")
    shares = audit.group_by("metric").agg(pl.col("ideal").is_between("lower", "upper").mean())
    assert (shares["ideal"] > 0.93).all()


def test_a_side_without_a_claim_may_have_had_one() -> None:
    """A side of 0 alone varies as the rows of both do; where both are 0, nothing does."""
    claim = pl.when(sex="M").then("claim").otherwise(0.0)
    frame = quotes().with_columns(claim=claim)
    one, none = (
        shared(pf.audit, each, "observed_difference", **QUESTION).row(0, named=True)
        for each in (frame.with_columns(pl.col("claim")), frame.with_columns(claim=pl.lit(0.0)))
    )
    of_a = frame.filter(sex="M")["claim"]
    alone = 1.96 * float(of_a.std() or 0) / len(of_a) ** 0.5  # type: ignore[arg-type]
    assert one["lower"] < one["value"] - 1.1 * alone
    assert none["lower"] is None
    assert "observed: none of the rows moves the value" in none["note"]


@pytest.mark.extras
def test_the_limits_of_root_mean_squares_are_roots_of_those_of_squares() -> None:
    """40 groups are left out by hand and count as rows; sides are joined by what moves both."""
    groups = 40
    frame = quotes(800).with_columns(
        sex=pl.Series(["F", "M"] * 400), group=(pl.int_range(pl.len()) // 2 % groups).cast(pl.UInt8)
    )
    audit = pf.audit(frame, "rmse_difference", "rmse_ratio", cluster="group", **QUESTION)
    squares, moved = [], []
    for sex in "FM":
        of_side = frame.filter(sex=sex)
        errors = (of_side["price"] - of_side["claim"]).to_numpy() ** 2
        left = [errors[of_side["group"].to_numpy() != i].mean() for i in range(groups)]
        squares.append(errors.mean())
        moved.append((np.array(left) - errors.mean()) * (1 - 1 / groups) ** 0.5)
    own = [((each**2).sum(), -(each**3).sum()) for each in moved]
    common, common_third = np.mean(own, axis=0)
    unseen = np.mean([k**2 * groups / v**3 for v, k in own])
    sides, known = [], []
    for v, k in own:
        more = unseen if common > v else 0.0
        third = k * groups / (groups + 10)
        known.append(
            (
                (groups * v + more * common) / (groups + more),
                (groups * third + more * common_third) / (groups + more),
            )
        )
    variances = np.array(known)[:, 0]
    freedom = min(variances.sum() ** 2 / (variances**2 / (groups - 1)).sum(), groups - 1)
    for square, (v, k) in zip(squares, known, strict=True):
        below, above = score_limits(v, k, stats.t.ppf(0.975, freedom))
        sides.append(np.sqrt([max(square - below, 0), square, square + above]))
    together = (moved[0] * moved[1]).sum() / np.sqrt(own[0][0] * own[1][0])
    assert abs(together) > 0.02
    with np.errstate(divide="ignore"):
        pairs = sides, [np.log(each) for each in sides]
    of_difference, of_ratio = (
        [
            d[1] - a[1] + sign * (x**2 + y**2 - 2 * together * x * y) ** 0.5
            for sign, x, y in [(-1, d[1] - d[0], a[2] - a[1]), (1, d[2] - d[1], a[1] - a[0])]
        ]
        for d, a in pairs
    )
    found = audit.select("lower", "upper").rows()
    assert found[0] == pytest.approx(of_difference, rel=1e-3)
    assert found[1] == pytest.approx(np.exp(of_ratio), rel=1e-3)


MODELS: dict[str, Any] = {**QUESTION, "estimated": {"old": "price", "new": "next", "same": "price"}}


def test_models_of_the_same_rows_differ_by_paired_rows() -> None:
    """A column that numbers the rows tells them apart."""
    frame = quotes(3_000).with_row_index("row")
    frame = frame.with_columns(next=pl.col("price") * 1.1 + 0.02 * pl.col("claim"))
    question = {**MODELS, "champion": "old"}
    with pytest.raises(pf.FairnessError, match=r"^cluster: two models estimate numbers"):
        shared(pf.audit, frame, "estimate_difference", **question)
    audit = pf.audit(frame, "estimate_difference", "mae_ratio", cluster="row", **question)
    new = audit.row(by_predicate=(pl.col("model") == "new") & (pl.col("ideal") == 0), named=True)
    paired = frame.with_columns(pl.col("next") - pl.col("price"))
    means, squares = standard_errors(paired, "next")
    assert new["difference"] == pytest.approx(means[1] - means[0])
    # Variances of 200 groups of rows vary by a twentieth.
    width = new["difference_upper"] - new["difference_lower"]
    assert width == pytest.approx(2 * 1.96 * sum(squares) ** 0.5, rel=0.15)
    same = audit.filter(model="same").select("^difference.*$", "change").unique()
    assert same.rows() == [(0, 0, 0, "same")]


@pytest.mark.extras
def test_groups_are_ranked_by_their_means_and_errors() -> None:
    from scipy.stats import sem, t

    frame = quotes(600)
    question: dict[str, Any] = {**QUESTION, "facet": ["sex", "branch"], "disfavored": None}
    prices = shared(pf.worst_groups, frame, "estimate_gap", **question, favorable=False)
    of_sides = shared(pf.worst_groups, frame, "estimate_difference", **question, favorable=False)
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
