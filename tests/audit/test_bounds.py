"""The bounds of an audit's intervals, drawn and in closed form."""

from __future__ import annotations

import importlib
from math import exp, hypot, inf, log, sqrt
from typing import Any

import polars as pl
import pytest
from scipy import stats

import polars_fairness as pf
from polars_fairness.inference.quantiles import student
from polars_fairness.terms import a, d, ratio
from tests.audit.questions import AUDITED, F_AGAINST_M, audit_row
from tests.frames import predictions
from tests.paths import BENCHMARKS
from tests.strategies import EVERYTHING, FULL


@pytest.mark.parametrize(("accepted", "rejected"), [(30, 70), (3, 5), (30, 0)])
def test_bootstrap_bounds_of_a_rate_are_quantiles_of_its_posterior(
    accepted: int, rejected: int
) -> None:
    """Counts drawn from Gamma give a rate drawn from Beta; side a is too large to matter."""
    frame = predictions(F=(accepted, rejected), M=(10**9, 10**9))
    row = audit_row(frame, "dppl", replicates=50_000)
    # The tails have the share of Student's distribution beyond a quantile widened by n/(n-1).
    n = accepted + rejected
    level = stats.norm.cdf(-sqrt(n / (n - 1)) * stats.t.ppf(0.975, n - 1))
    # No row was rejected: the posterior takes half a row.
    posterior = stats.beta(accepted, rejected or 0.5)
    low, high = (0.5 - posterior.ppf(share) for share in (1 - level, level))
    assert row["lower"] == pytest.approx(min(low, row["value"]), abs=0.01)
    assert row["upper"] == pytest.approx(high, abs=0.01)


def test_squared_weights_widen_intervals_and_equal_weights_do_not() -> None:
    """100 rows of weight 4 are as certain as 100 rows; Σw² times 4 doubles only the width."""
    frame = predictions(F=(30, 70), M=(10**6, 10**6)).with_columns(w=4.0 * pl.col("n"))
    plain, weighted = audit_row(frame, "dppl"), audit_row(frame, "dppl", weight="w")
    assert weighted["lower"] == pytest.approx(plain["lower"])
    assert weighted["upper"] == pytest.approx(plain["upper"])
    uneven = frame.with_columns(weight_sq=pl.col("w") * 16.0)
    wider = audit_row(uneven, "dppl", weight="w")
    spread, wide = (row["upper"] - row["lower"] for row in (plain, wider))
    assert wide / spread == pytest.approx(2, rel=0.1)


def test_bounds_of_uneven_weights_are_quantiles_of_a_weighted_posterior() -> None:
    """The 30 accepted of 100 rows weigh 10 each: the rate is 10B / (10B + 1 - B), B from Beta."""
    counted = predictions(F=(30, 70), M=(10**9, 10**9))
    frame = counted.with_columns(
        w=pl.col("n") * pl.when(pl.col("p") == 1).then(10.0).otherwise(1.0)
    )
    row = audit_row(frame, "dppl", weight="w", replicates=50_000)
    level = stats.norm.cdf(-sqrt(100 / 99) * stats.t.ppf(0.975, 99))
    shares = [stats.beta(30, 70).ppf(share) for share in (1 - level, level)]
    expected = [10 / 11 - 10 * share / (10 * share + 1 - share) for share in shares]
    assert [row["lower"], row["upper"]] == pytest.approx(expected, abs=0.01)


def test_newcombe_bounds_equal_the_figures_of_his_paper() -> None:
    """Newcombe 1998, table II (a): 56 of 70 against 48 of 80, method 10."""
    row = audit_row(predictions(F=(48, 32), M=(56, 14)), "dppl", method="newcombe")
    assert row["value"] == pytest.approx(0.2)
    assert row["lower"] == pytest.approx(0.0524, abs=5e-5)
    assert row["upper"] == pytest.approx(0.3339, abs=5e-5)


def test_log_bounds_of_a_ratio_follow_the_formula() -> None:
    row = audit_row(predictions(F=(20, 80), M=(60, 140)), "di", method="log")
    deviation = sqrt(1 / 20 - 1 / 100 + 1 / 60 - 1 / 200)
    value = (20 / 100) / (60 / 200)
    assert row["lower"] == pytest.approx(exp(log(value) - 1.959964 * deviation))
    assert row["upper"] == pytest.approx(exp(log(value) + 1.959964 * deviation))


def wilsons_low_end(rows: int) -> float:
    """Of a rate of 1 of so many rows."""
    return rows / (rows + 1.959964**2)


def test_a_rate_of_1_is_not_certain_in_log_bounds() -> None:
    """Ten of ten may have a rate of 0.72; the ratio cannot be above 1 over the other rate."""
    row = audit_row(predictions(F=(10, 0), M=(990, 10)), "di", method="log")
    low, high = stats.binomtest(990, 1_000).proportion_ci(method="wilson")
    down = hypot(log(wilsons_low_end(10)), log(high / 0.99))
    assert row["lower"] == pytest.approx(exp(log(1 / 0.99) - down), rel=1e-6)
    assert row["upper"] == pytest.approx(1 / low, rel=1e-6)
    assert row["verdict"] == "uncertain"
    both = audit_row(predictions(F=(3, 0), M=(4, 0)), "di", method="log")
    ends = [wilsons_low_end(3), 1 / wilsons_low_end(4)]
    assert [both["lower"], both["upper"]] == pytest.approx(ends, rel=1e-6)


@pytest.mark.parametrize(
    ("rows", "rates", "least"),
    [
        ((10, 1_000), (0.99, 0.99), 0.95),
        ((30, 30), (0.75, 0.999), 0.95),
        ((3, 30), (0.8, 0.99), 0.92),
    ],
)
def test_log_bounds_cover_ratios_of_rates_near_1(
    rows: tuple[int, int], rates: tuple[float, float], least: float
) -> None:
    """Every outcome of both sides, each by its probability: by Katz 10, 89 and 87 of 100."""
    of_d, of_a = rows
    frame = pl.DataFrame(
        [
            (f"{in_d} {in_a}", sex, p, n)
            for in_d in range(1, of_d + 1)
            for in_a in range(max(1, int(of_a * 0.7)), of_a + 1)
            for sex, accepted, of in (("F", in_d, of_d), ("M", in_a, of_a))
            for p, n in ((1, accepted), (0, of - accepted))
        ],
        schema=["sample", "sex", "p", "n"],
        orient="row",
    )
    answer = pf.audit(frame, "di", method="log", by="sample", **F_AGAINST_M)
    accepted = answer["sample"].str.split(" ").list.to_array(2).to_numpy().astype(int)
    chances = stats.binom.pmf(accepted, rows, rates).prod(axis=1)
    held = (answer["lower"] <= rates[0] / rates[1]) & (answer["upper"] >= rates[0] / rates[1])
    assert chances.sum() > 0.98
    assert (chances * held.to_numpy()).sum() / chances.sum() >= least


def test_log_bounds_of_an_odds_ratio_follow_woolfs_formula() -> None:
    """As those of the common odds ratio of one stratum, and not for the odds of other counts."""
    frame = predictions(F=(20, 80), M=(60, 140)).with_columns(branch=pl.lit("n"))
    answer = pf.audit(
        *(frame, "odds_ratio", "mh_odds_ratio"), method="log", subgroup="branch", **F_AGAINST_M
    )
    value, reach = 20 * 140 / (80 * 60), 1.959964 * sqrt(1 / 20 + 1 / 80 + 1 / 60 + 1 / 140)
    expected = (value, exp(log(value) - reach), exp(log(value) + reach))
    for row in answer.select("value", "lower", "upper").iter_rows():
        assert row == pytest.approx(expected)
    own = pf.Metric("own", "Own", ratio(a.positive * d.negative, a.negative * d.positive), ideal=1)
    as_labels = {**F_AGAINST_M, "predicted": None, "label": "p"}
    of_labels = pf.audit(frame, own, method="log", **as_labels)
    inverse = tuple(1 / each for each in (expected[0], expected[2], expected[1]))
    assert of_labels.select("value", "lower", "upper").row(0) == pytest.approx(inverse)
    never = audit_row(predictions(F=(20, 0), M=(60, 140)), "odds_ratio", method="log")
    assert (never["value"], never["lower"], never["upper"]) == (inf, 0.0, inf)
    crossed = pf.Metric("own", "Own", ratio(d.accepted * a.n, d.n * a.accepted), ideal=1)
    with pytest.raises(pf.FairnessError, match="'log' is for ratios of two rates or of two odds"):
        pf.audit(frame, crossed, method="log", **F_AGAINST_M)


@pytest.mark.parametrize("probability", [0.8, 0.95, 0.975, 0.995])
def test_quantiles_of_students_distribution_equal_scipys(probability: float) -> None:
    freedom = [1, 1.1, 1.9, 2, 2.5, 3, 5.5, 10, 30, 100, 1e4, 1e8]
    expected = stats.t.ppf(probability, freedom)
    assert student(probability, freedom) == pytest.approx(expected, rel=1e-9)
    few = [0.5, 0.9]
    assert student(probability, few) == pytest.approx(stats.t.ppf(probability, few), rel=4e-3)


@pytest.mark.parametrize("accepted", [1, 3])
def test_a_few_rows_all_accepted_have_the_interval_of_all_draws(accepted: int) -> None:
    """With so few rows Student's distribution leaves out no draw; half a row is rejected."""
    row = audit_row(predictions(F=(accepted, 0), M=(10**9, 10**9)), "dppl", replicates=1_000)
    assert row["value"] == -0.5
    assert row["lower"] == pytest.approx(-0.5, abs=1e-3)
    # The lowest of 1,000 draws lies here in 99 of 100 cases.
    lowest = [stats.beta(accepted, 0.5).ppf(1 - p ** (1 / 1_000)) for p in (0.995, 0.005)]
    assert lowest[0] < 0.5 - row["upper"] < lowest[1]
    assert row["verdict"] == "uncertain"


@pytest.mark.simulation
@pytest.mark.parametrize("minority", [0.5, 0.05])
def test_intervals_cover_the_true_value_as_often_as_they_say(
    minority: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A smaller version of benchmarks/certainty.py; its standard deviation is 1.3 %."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    certainty = importlib.import_module("certainty")
    names = ("dppl", "di", "rd", "cddpl")
    shares = certainty.coverage(certainty.of_sexes(500, minority).audited(300, *names))
    assert {*shares["metric"]} == {*names}
    assert shares["held"].is_between(91.5, 98.5).all()


def test_an_infinite_ratio_has_an_infinite_upper_bound() -> None:
    row = audit_row(predictions(F=(40, 60), M=(0, 100)), "di")
    assert row["value"] == row["upper"] == inf
    assert row["lower"] > 1.25
    assert row["verdict"] == "outside"


def test_every_metric_but_test_statistics_has_bounds_in_the_full_frame() -> None:
    """The property below leaves out null bounds; in this frame it leaves out no others."""
    answer = pf.audit(FULL, *AUDITED, replicates=20, **EVERYTHING)
    assert answer["value"].null_count() == 0
    unbounded = answer.filter(pl.col("lower").is_null() | pl.col("upper").is_null())
    assert {*unbounded["metric"]} == {"two_sd", "z_ratio", "cmh", "breslow_day", "spread"}


def test_closed_forms_are_uncertain_where_an_outcome_never_occurs() -> None:
    none_in_d = audit_row(predictions(F=(0, 1), M=(2, 0)), "di", method="log")
    assert (none_in_d["lower"], none_in_d["upper"], none_in_d["verdict"]) == (0.0, inf, "uncertain")
    frame = pl.DataFrame({"sex": ["F"] * 3 + ["M"] * 2, "p": [1, 1, 0, 1, 1], "y": [1, 1, 1, 0, 0]})
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "label": "y", "predicted": "p"}
    rd = pf.audit(frame, "rd", method="newcombe", zero_division=1.0, **question)
    assert rd["verdict"].to_list() == ["uncertain"]
