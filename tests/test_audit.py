"""An audit: intervals, verdicts, and of how many rows that is said."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from math import exp, inf, isnan, log, nan, sqrt
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy import stats

import polars_fairness as pf
from polars_fairness.closed_forms import wilson
from polars_fairness.terms import a, d, ratio
from polars_fairness.uncertainty.percentiles import _student
from tests.frames import QUESTION, confusion, people, predictions
from tests.paths import BENCHMARKS
from tests.strategies import EVERYTHING, frames

COLUMNS = [
    *("facet", "disfavored", "favored", "metric", "value", "lower", "upper", "ideal", "verdict"),
    *("n_disfavored", "n_favored", "n_unknown", "rows_seen", "rows_used", "rows_dropped"),
]
F_AGAINST_M: dict[str, Any] = {
    "facet": "sex",
    "disfavored": "F",
    "favored": "M",
    "predicted": "p",
    "count": "n",
}


def asked(frame: pl.DataFrame, metric: str | pf.Metric, **more: Any) -> dict[str, Any]:
    return pf.audit(frame, metric, **{**F_AGAINST_M, **more}).row(0, named=True)


# Bounds


@pytest.mark.parametrize(("accepted", "rejected"), [(30, 70), (3, 5), (30, 0)])
def test_the_bootstrap_of_a_proportion_is_its_posterior(accepted: int, rejected: int) -> None:
    """Counts drawn as Gamma make a rate Beta; side a is so large that it has no part in it."""
    frame = predictions(F=(accepted, rejected), M=(10**9, 10**9))
    told = asked(frame, "dppl", replicates=50_000)
    # What to leave out is that of Student's distribution, widened by n/(n-1).
    n = accepted + rejected
    level = stats.norm.cdf(-sqrt(n / (n - 1)) * stats.t.ppf(0.975, n - 1))
    # Of rejections there were none: half a one.
    posterior = stats.beta(accepted, rejected or 0.5)
    low, high = (0.5 - posterior.ppf(share) for share in (1 - level, level))
    assert told["lower"] == pytest.approx(min(low, told["value"]), abs=0.01)
    assert told["upper"] == pytest.approx(high, abs=0.01)


def test_weights_draw_with_their_own_variance() -> None:
    """Σw² = 4 Σw doubles nothing but the spread: of 100 rows of weight 4 as of 100 rows."""
    frame = predictions(F=(30, 70), M=(10**6, 10**6)).with_columns(w=4.0 * pl.col("n"))
    plain, weighted = asked(frame, "dppl"), asked(frame, "dppl", weight="w")
    assert weighted["lower"] == pytest.approx(plain["lower"])
    assert weighted["upper"] == pytest.approx(plain["upper"])
    uneven = frame.with_columns(weight_sq=pl.col("w") * 16.0)
    wider = asked(uneven, "dppl", weight="w")
    spread, wide = (told["upper"] - told["lower"] for told in (plain, wider))
    assert wide / spread == pytest.approx(2, rel=0.1)


def test_heavier_rows_draw_heavier() -> None:
    """Of 100 rows the 30 accepted weigh ten times as much: 10B / (10B + 1 - B), of a Beta B."""
    counted = predictions(F=(30, 70), M=(10**9, 10**9))
    frame = counted.with_columns(
        w=pl.col("n") * pl.when(pl.col("p") == 1).then(10.0).otherwise(1.0)
    )
    told = asked(frame, "dppl", weight="w", replicates=50_000)
    level = stats.norm.cdf(-sqrt(100 / 99) * stats.t.ppf(0.975, 99))
    shares = [stats.beta(30, 70).ppf(share) for share in (1 - level, level)]
    expected = [10 / 11 - 10 * share / (10 * share + 1 - share) for share in shares]
    assert [told["lower"], told["upper"]] == pytest.approx(expected, abs=0.01)


def test_newcombes_own_example() -> None:
    """Newcombe 1998, table II (a): 56 of 70 against 48 of 80, method 10."""
    told = asked(predictions(F=(48, 32), M=(56, 14)), "dppl", method="newcombe")
    assert told["value"] == pytest.approx(0.2)
    assert told["lower"] == pytest.approx(0.0524, abs=5e-5)
    assert told["upper"] == pytest.approx(0.3339, abs=5e-5)


@pytest.mark.parametrize(
    ("accepted", "people", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)],
)
def test_wilsons_interval_of_a_rate(accepted: int, people: int, low: float, high: float) -> None:
    """Newcombe 1998, 'Two-sided confidence intervals for the single proportion', table I."""
    low_bound, high_bound = wilson(pl.lit(accepted / people), pl.lit(people), 1.959964)
    bounds = pl.select(low=low_bound, high=high_bound).row(0)
    assert bounds == pytest.approx((low, high), abs=5e-5)


def test_the_log_interval_by_hand() -> None:
    told = asked(predictions(F=(20, 80), M=(60, 140)), "di", method="log")
    deviation = sqrt(1 / 20 - 1 / 100 + 1 / 60 - 1 / 200)
    value = (20 / 100) / (60 / 200)
    assert told["lower"] == pytest.approx(exp(log(value) - 1.959964 * deviation))
    assert told["upper"] == pytest.approx(exp(log(value) + 1.959964 * deviation))


def test_metrics_without_that_closed_form_stay_with_the_bootstrap() -> None:
    frame = predictions(F=(20, 80), M=(60, 140))
    by_name = pf.audit(frame, "dppl", "cohens_d", method="newcombe", **F_AGAINST_M)
    drawn = pf.audit(frame, "dppl", "cohens_d", **F_AGAINST_M)
    assert_frame_equal(by_name.filter(metric="cohens_d"), drawn.filter(metric="cohens_d"))
    assert by_name["lower"][0] != drawn["lower"][0]


@pytest.mark.parametrize("probability", [0.8, 0.95, 0.975, 0.995])
@pytest.mark.parametrize("freedom", [1, 2, 3, 5, 10, 30, 1_000])
def test_students_quantiles(probability: float, freedom: int) -> None:
    expected = stats.t.ppf(probability, freedom)
    assert _student(probability, freedom) == pytest.approx(expected, rel=0.02)


def test_all_of_three_is_not_certain() -> None:
    told = asked(predictions(F=(3, 0), M=(500, 500)), "dppl")
    assert told["value"] == -0.5
    assert told["upper"] > -0.3


def test_one_of_one_says_hardly_anything() -> None:
    told = asked(predictions(F=(1, 0), M=(500, 500)), "dppl")
    assert told["upper"] > 0.4


@pytest.mark.parametrize("minority", [0.5, 0.05])
def test_intervals_hold_the_truth(minority: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A smaller version of benchmarks/intervals.py, of which the standard deviation is 1.3 %."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    covered = importlib.import_module("intervals").covered
    shares = covered(minority, people=500, sets=300, method="bootstrap")
    assert shares.keys() == {"dppl", "di", "rd", "cddpl"}
    assert all(0.915 <= share <= 0.985 for share in shares.values()), shares


def test_a_metric_of_ones_own_has_an_interval() -> None:
    formula = ratio(d.accepted * a.rejected, d.rejected * a.accepted)
    odds = pf.Metric(name="odds", title="Odds ratio", formula=formula, ideal=1)
    told = asked(predictions(F=(20, 80), M=(60, 140)), odds)
    assert told["value"] == pytest.approx(20 * 140 / (80 * 60))
    assert 0 < told["lower"] < told["value"] < told["upper"]
    assert told["verdict"] is None


def test_an_infinite_ratio() -> None:
    told = asked(predictions(F=(40, 60), M=(0, 100)), "di")
    assert told["value"] == told["upper"] == inf
    assert told["lower"] > 1.25
    assert told["verdict"] == "against_favored"


# What changes nothing

AUDITED = [name for name, metric in pf.CATALOGUE.items() if "features" not in metric.needs]


@settings(max_examples=10)
@given(frames(least=2), st.sampled_from([None, "w"]), st.randoms(use_true_random=False))
def test_what_the_rows_give_cells_give(
    frame: pl.DataFrame, weight: str | None, random: Any
) -> None:
    question = {**EVERYTHING, "weight": weight, "replicates": 20, "seed": 3}
    told = pf.audit(frame, *AUDITED, **question)
    order = random.sample(range(frame.height), frame.height)
    assert_frame_equal(pf.audit(frame[order], *AUDITED, **question), told)
    shards = [pf.cells(frame[i::2], **EVERYTHING, weight=weight) for i in range(2)]
    assert_frame_equal(pf.audit(pl.concat(shards), *AUDITED, count="n", **question), told)
    assert_frame_equal(pf.audit(frame.lazy(), *AUDITED, **question).collect(), told)


@settings(max_examples=15)
@given(frames(least=2))
def test_intervals_hold_their_value_and_stay_in_range(frame: pl.DataFrame) -> None:
    told = pf.audit(frame, *AUDITED, replicates=20, **EVERYTHING)
    assert not told.select(pl.col("value", "lower", "upper").is_nan().any()).row(0)[0]
    known = told.filter(pl.col("value").is_not_null())
    assert (known["lower"] <= known["value"]).all()
    assert (known["value"] <= known["upper"]).all()
    for name in AUDITED:
        low, high = pf.CATALOGUE[name].range
        of_metric = known.filter(metric=name)
        assert (of_metric["lower"] >= low - 1e-9).all(), name
        assert (of_metric["upper"] <= high + 1e-9).all(), name
    unknown = told.filter(pl.col("value").is_null())
    assert unknown.select("lower", "upper").null_count().row(0) == (unknown.height,) * 2


def test_values_are_those_of_metrics() -> None:
    question = {**QUESTION, "subgroup": "branch", "by": "month"}
    wide = pf.metrics(people(), *AUDITED, **question)
    told = pf.audit(people(), *AUDITED, replicates=5, **question)
    for name in AUDITED:
        values = told.filter(metric=name)["value"]
        every = wide if pf.CATALOGUE[name].has_sides else wide.unique("month", maintain_order=True)
        assert values.to_list() == pytest.approx(every[name].to_list(), nan_ok=True)


def test_a_seed_draws_the_same_again() -> None:
    one, again, other = (
        pf.audit(people(), "dppl", seed=seed, **QUESTION)["lower"] for seed in (1, 1, 2)
    )
    assert one.equals(again)
    assert not one.equals(other)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pf.audit(people(), "dppl", "rd", "ge", **QUESTION)
    monkeypatch.setattr("polars_fairness.uncertainty.draws._AT_ONCE", 100)
    assert_frame_equal(pf.audit(people(), "dppl", "rd", "ge", **QUESTION), whole)


def test_a_lazy_audit_is_a_plan() -> None:
    def fail(_: pl.DataFrame) -> pl.DataFrame:
        raise AssertionError

    broken = people().lazy().map_batches(fail, schema=people().schema)
    planned = pf.audit(broken, "dppl", minimum_count=3, p_values="exact", by="month", **QUESTION)
    answer = pf.audit(people(), "dppl", minimum_count=3, p_values="exact", by="month", **QUESTION)
    assert planned.collect_schema() == answer.schema
    assert answer.columns == ["month", *COLUMNS, "is_small", "p_value"]


# Verdicts


@pytest.mark.parametrize(
    ("metric", "f", "m", "verdict"),
    [
        ("dppl", (500, 500), (520, 480), "fair"),
        ("dppl", (300, 700), (600, 400), "against_disfavored"),
        ("dppl", (600, 400), (300, 700), "against_favored"),
        ("dppl", (5, 5), (6, 4), "uncertain"),
        ("dppl", (0, 0), (6, 4), None),
        ("statistical_parity", (300, 700), (600, 400), "against_disfavored"),
        ("di", (300, 700), (600, 400), "against_disfavored"),
        ("di", (600, 400), (300, 700), "against_favored"),
        ("success_ratio", (300, 700), (600, 400), "against_disfavored"),
        ("four_fifths", (300, 700), (600, 400), "against_disfavored"),
        ("four_fifths", (600, 400), (300, 700), "against_favored"),
        ("ddpl", (300, 700), (600, 400), "against_disfavored"),
    ],
)
def test_verdicts(metric: str, f: tuple[int, int], m: tuple[int, int], verdict: str | None) -> None:
    frame = predictions(F=f, M=m)
    if verdict is None:
        told = pf.audit(frame, metric, **{**F_AGAINST_M, "disfavored": "M", "favored": None})
        assert told["verdict"].to_list() == ["undefined"]
    else:
        assert asked(frame, metric)["verdict"] == verdict


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        (-0.2, "against_favored"),
        (-0.125, "fair"),
        (0.25, "fair"),
        (0.3, "against_disfavored"),
    ],
)
def test_without_intervals_the_value_is_judged(value: float, verdict: str) -> None:
    frame = predictions(F=(round(1000 * (0.5 - value)), round(1000 * (0.5 + value))), M=(1, 1))
    told = asked(frame, "dppl", confidence=None, bands={"dppl": (-0.125, 0.25)})
    assert (told["lower"], told["upper"], told["verdict"]) == (None, None, verdict)


@pytest.mark.parametrize(
    ("metric", "f", "m"),
    [("dppl", (30, 70), (40, 60)), ("di", (24, 76), (30, 70)), ("four_fifths", (24, 76), (30, 70))],
)
def test_what_equals_an_edge_lies_in_the_band(
    metric: str, f: tuple[int, int], m: tuple[int, int]
) -> None:
    """0.4 - 0.3 is more than 0.1 in floats, and 0.24 / 0.3 less than 0.8."""
    for frame in (predictions(F=f, M=m), predictions(F=m, M=f)):
        assert asked(frame, metric, confidence=None)["verdict"] == "fair"


def test_every_band_has_a_direction() -> None:
    """Where d fares worse in every respect every verdict says so, and the reverse."""
    worse, better = (10, 10, 40, 40), (45, 30, 5, 20)  # tp, fp, fn, tn
    told = [("F", worse), ("M", better)]
    frame = pl.DataFrame(
        [
            (sex, y, p, n)
            for sex, counts in told
            for (y, p), n in zip(((1, 1), (0, 1), (1, 0), (0, 0)), counts, strict=True)
        ],
        schema=["sex", "y", "p", "n"],
        orient="row",
    ).with_columns(branch=pl.lit("n"))
    banded = [name for name, metric in pf.CATALOGUE.items() if metric.acceptable]
    question = {**EVERYTHING, "count": "n", "confidence": None}
    for d_side, verdict in (("F", "against_disfavored"), ("M", "against_favored")):
        audit = pf.audit(frame, *banded, disfavored=d_side, **question)
        assert dict(audit.select("metric", "verdict").iter_rows()) == dict.fromkeys(banded, verdict)


@pytest.mark.parametrize("confidence", [0.95, None])
def test_without_sides_a_value_is_outside(confidence: float | None) -> None:
    """Women are accepted in 1 of 10, men in 9 of 10: whatever is measured is far off."""
    frame = pl.DataFrame(
        {
            "sex": ["F"] * 100 + ["M"] * 100,
            "y": [0, 1] * 100,
            "p": [1] * 10 + [0] * 90 + [1] * 90 + [0] * 10,
            "x": [*range(200)],
        }
    )
    bands = {
        "selection_rate_ratio": (0.8, 1),
        "selection_rate_gap": (0, 0.1),
        "fpsf": (0, 0.01),
        "ge": (0, 0.01),
        "ge_between": (0, 0.01),
        "consistency": (1, 1),
    }
    question = {**QUESTION, "features": "x", "bands": bands, "confidence": confidence}
    answer = pf.audit(frame, *bands, **question)
    assert dict(answer.select("metric", "verdict").iter_rows()) == dict.fromkeys(bands, "outside")
    assert pf.audit(frame, *bands, **{**question, "bands": dict.fromkeys(bands, (-9, 9))})[
        "verdict"
    ].unique().to_list() == ["fair"]


@pytest.mark.parametrize(
    ("f", "m", "verdict"),
    [
        # tp, fp, fn, tn
        ((10, 10, 40, 40), (40, 40, 10, 10), "against_disfavored"),
        ((40, 40, 10, 10), (10, 10, 40, 40), "against_favored"),
        ((50, 0, 0, 50), (0, 50, 50, 0), "outside"),
    ],
)
def test_a_distance_is_read_with_the_rates_of_the_sides(
    f: tuple[int, ...], m: tuple[int, ...], verdict: str
) -> None:
    metric, frame = "average_abs_odds_difference", confusion(F=f, M=m)
    answer = asked(frame, metric, label="y", bands={metric: (0, 0.1)}, confidence=None)
    assert answer["verdict"] == verdict


@pytest.mark.parametrize("metric", ["kl", "js", "lp", "tvd", "ks"])
def test_distances_of_labels_name_no_side(metric: str) -> None:
    frame = pl.DataFrame({"sex": ["F"] * 3 + ["M"] * 3, "y": ["x", "y", "z", "x", "x", "x"]})
    question = {"facet": "sex", "label": "y", "bands": {metric: (0, 0.1)}, "confidence": None}
    assert pf.audit(frame, metric, **question)["verdict"].to_list() == ["outside", "outside"]
    binary = frame.with_columns(y=pl.col("y") == "x")
    assert pf.audit(binary, metric, "dpl", **question)["verdict"].to_list() == [
        *("outside", None, "outside", None)
    ]


def test_no_band_no_verdict() -> None:
    frame = predictions(F=(300, 700), M=(600, 400))
    assert asked(frame, "ci")["verdict"] is None
    assert asked(frame, "ci", bands={"ci": (-0.5, 0.5)})["verdict"] == "fair"
    assert asked(frame, "dppl", bands={"dppl": None})["verdict"] is None


# Rows


def test_metrics_without_sides_appear_once() -> None:
    told = pf.audit(people(), "dppl", "ge", "tpr_gap", replicates=5, **QUESTION)
    assert told.columns == COLUMNS
    assert told.select("disfavored", "favored", "metric").rows() == [
        ("F", None, "dppl"),
        ("M", None, "dppl"),
        (None, None, "ge"),
        (None, None, "tpr_gap"),
    ]
    assert told["n_disfavored"].null_count() == 2


def test_the_rows_are_reconciled() -> None:
    frame = pl.DataFrame(
        [
            ("F", 1, 1.0),
            ("F", None, 1.0),
            ("M", 0, 1.0),
            ("M", 1, 0.0),
            ("M", 1, None),
            (None, 1, 2.0),
        ],
        schema=["sex", "p", "w"],
        orient="row",
    )
    question = {"facet": "sex", "disfavored": "F", "predicted": "p", "nulls": "drop"}
    rows = ["rows_seen", "rows_used", "rows_dropped", "n_unknown"]
    assert pf.audit(frame, "dppl", **question).select(rows).row(0) == (6, 5, 1, 1)
    assert pf.audit(frame, "dppl", weight="w", **question).select(rows).row(0) == (6, 3, 3, 2.0)
    counted = frame.with_columns(n=pl.lit(10))
    assert pf.audit(counted, "dppl", count="n", **question).select(rows).row(0) == (60, 50, 10, 10)


PRESENT_OR_NOT: Final[dict[str, tuple[pl.DataType, list[Any]]]] = {
    "sex": (pl.String(), ["F", "M", None]),
    "branch": (pl.String(), ["n", "s", None]),
    "month": (pl.Int64(), [1, 2, None]),
    "y": (pl.Boolean(), [True, False, None]),
    "p": (pl.Boolean(), [True, False, None]),
    "score": (pl.Float64(), [0.2, 0.8, nan, None]),
    "w": (pl.Float64(), [1.0, 2.5, 0.0, None]),
    "k": (pl.Int64(), [1, 3, 0, None]),
    "x": (pl.Float64(), [1.0, 2.0, nan, None]),
}


def is_known(value: float | bool | None) -> bool:
    return value is not None and not (isinstance(value, float) and isnan(value))


@settings(max_examples=60)
@given(
    st.lists(
        st.fixed_dictionaries({n: st.sampled_from(v) for n, (_, v) in PRESENT_OR_NOT.items()})
    ),
    st.sampled_from([{"predicted": "p"}, {"predicted": "score", "threshold": 0.5}]),
    st.fixed_dictionaries(
        {},
        optional={
            "label": st.just("y"),
            "weight": st.just("w"),
            "count": st.just("k"),
            "by": st.just("month"),
            "subgroup": st.just("branch"),
            "features": st.just("x"),
        },
    ),
)
def test_rows_seen_are_used_or_dropped(
    rows: list[dict[str, Any]], predicted: dict[str, Any], more: dict[str, str]
) -> None:
    """Whatever is missing, a row is used, or dropped; one whose count is missing is one row."""
    frame = pl.DataFrame(rows, schema={name: dtype for name, (dtype, _) in PRESENT_OR_NOT.items()})
    missing = [more.get("label"), predicted["predicted"], more.get("features")]
    expected: dict[Any, list[float]] = {}
    for row in rows:
        stands_for = row["k"] if "count" in more else 1
        kept = {"w": row["w"] or 0 if "weight" in more else 1, "k": stands_for or 0}
        is_used = all(kept.values()) and all(is_known(row[name]) for name in missing if name)
        seen, used = 1 if stands_for is None else stands_for, stands_for if is_used else 0
        counted = (seen, used, seen - used, used if row["sex"] is None else 0)
        window = (row["month"],) if "by" in more else ()
        sums = expected.setdefault(window, [0] * 4)
        expected[window] = [one + other for one, other in zip(sums, counted, strict=True)]
    metric = pf.consistency(k=1) if "features" in more else "dppl"
    question = {"facet": "sex", **predicted, **more, "nulls": "drop", "confidence": None}
    answer = pf.audit(frame, metric, **question)
    columns = ["rows_seen", "rows_used", "rows_dropped", "n_unknown"]
    columns = columns[:3] if "weight" in more else columns
    windows = ["month"] if "by" in more else []
    found = answer.select(*windows, *columns).unique().rows()
    assert {row[: len(windows)]: list(row[len(windows) :]) for row in found} == {
        window: sums[: len(columns)] for window, sums in expected.items()
    }
    assert len(found) == len(expected)


def test_small_sides_are_marked_and_shown() -> None:
    frame = predictions(F=(3, 2), M=(60, 40), X=(10, 10))
    told = pf.audit(
        frame, "dppl", facet="sex", favored="M", predicted="p", count="n", minimum_count=6
    )
    assert told.select("disfavored", "is_small").rows() == [("F", True), ("X", False)]
    heavy = frame.with_columns(w=pl.col("n") * 100.0)
    weighted = pf.audit(heavy, "dppl", minimum_count=6, weight="w", **F_AGAINST_M)
    assert weighted["is_small"].to_list() == [True]


def test_several_facets_and_windows() -> None:
    told = pf.audit(
        people(), "dppl", "ge", facet=["sex", "race"], label="y", predicted="p", by="month"
    )
    once = told.filter(metric="ge").select("month", "facet").rows()
    assert once == [(month, facet) for month in range(3) for facet in ("race", "sex")]
    # Two sexes and three races are known, in three windows.
    assert told.height == 3 * (2 + 3) + len(once)
    assert told["rows_seen"].unique().sort().to_list() == [40, 100]


def test_of_nobody_there_is_no_verdict() -> None:
    """By its formula ddpl is 0 where d has no rows; that is not fair."""
    frame = pl.DataFrame(
        {"sex": ["F", "M", "M", "M"], "p": [1, 1, 1, 0], "month": [1, 1, 2, 2]},
    )
    told = pf.audit(frame, "ddpl", "dppl", facet="sex", disfavored="F", predicted="p", by="month")
    of_nobody = told.filter(month=2)
    assert of_nobody["value"].to_list() == [0.0, None]
    assert of_nobody["lower"].null_count() == 2
    assert of_nobody["verdict"].to_list() == ["undefined", "undefined"]


def test_the_whole_population_needs_no_facet() -> None:
    """The interval of ge is as wide as resampling the rows, as of old, makes it."""
    benefit = (people()["p"].cast(pl.Int8) - people()["y"].cast(pl.Int8) + 1).to_numpy()
    drawn = np.random.default_rng(0).choice(benefit, (2_000, len(benefit)))
    entropies = ((drawn**2).mean(axis=1) / drawn.mean(axis=1) ** 2 - 1) / 2
    low, high = np.quantile(entropies, [0.025, 0.975])
    alone = pf.audit(people(), "ge", label="y", predicted="p").row(0, named=True)
    beside = pf.audit(people(), "ge", **QUESTION).row(0, named=True)
    assert (alone["facet"], beside["facet"]) == (None, "sex")
    for told in (alone, beside):
        assert told["upper"] - told["lower"] == pytest.approx(high - low, rel=0.1)


# Benefits of 1, 1 and 0 with a mean of 2/3, by hand.
UNEQUAL: Final = {
    "ge": 1 / 4,
    "theil": log(3 / 2),
    "coefficient_of_variation": sqrt(1 / 2),
    "ge_between": 0.0,
}
NOWHERE: Final = pl.DataFrame(
    {"sex": [None, None, None], "y": [1, 0, 1], "p": [1, 0, 0], "month": [1, 1, 1]},
    schema_overrides={"sex": pl.String},
)


def test_the_whole_population_has_its_value_where_no_facet_is_known() -> None:
    answer = pf.audit(NOWHERE, *UNEQUAL, "dppl", "tpr_gap", **QUESTION)
    expected = [*UNEQUAL.values(), None, None]
    assert answer["value"].to_list() == [None if v is None else pytest.approx(v) for v in expected]
    assert answer.select("disfavored", "n_unknown", "rows_used").unique().rows() == [(None, 3, 3)]
    question = {"label": "y", "predicted": "p"}
    without = pf.audit(NOWHERE, *[name for name in UNEQUAL if name != "ge_between"], **question)
    bounds = answer.filter(pl.col("metric").is_in(without["metric"].implode()))
    assert_frame_equal(bounds.select("lower", "upper"), without.select("lower", "upper"))


@pytest.mark.parametrize("engine", ["streaming", "in-memory"])
def test_a_window_without_a_comparison_has_a_row_for_what_has_no_sides(engine: Any) -> None:
    """In month 1 no sex is known, in month 2 all are on side a: nothing is compared in either."""
    known = NOWHERE.with_columns(sex=pl.lit("M"), month=2)
    both = NOWHERE.with_columns(sex=pl.Series(["F", "M", "M"]), month=3)
    frame = pl.concat([NOWHERE, known.cast(NOWHERE.schema), both.cast(NOWHERE.schema)])
    question = {**QUESTION, "favored": "M", "by": "month"}
    answer = pf.metrics(frame.lazy(), "ge", "dppl", "tpr_gap", **question).collect(engine=engine)
    assert answer.select("month", "disfavored", "n_disfavored", "n_unknown").rows() == [
        (1, None, None, 3),
        (2, None, None, 0),
        (3, "F", 1, 0),
    ]
    assert answer["ge"].to_list() == pytest.approx([1 / 4] * 3)
    assert answer["dppl"].to_list() == [None, None, -1.0]
    # Of one group of known sex the largest gap is 0.
    assert answer["tpr_gap"].to_list() == [None, 0.0, 1.0]
    sided = pf.metrics(frame.lazy(), "dppl", **question).collect(engine=engine)
    assert sided["month"].to_list() == [3]


def test_a_facet_is_small_where_one_group_is() -> None:
    frame = predictions(F=(3, 2), M=(60, 40))
    question = {"facet": "sex", "predicted": "p", "count": "n", "minimum_count": 6}
    assert pf.audit(frame, "selection_rate_gap", **question)["is_small"].to_list() == [True]


def test_an_empty_frame_has_no_comparisons() -> None:
    told = pf.audit(people().clear(), "dppl", "ge", **QUESTION)
    assert told.columns == COLUMNS
    assert told.is_empty()


def test_neighbours_have_values_without_intervals() -> None:
    told = pf.audit(people(), "fliptest", "dppl", features="score", disfavored="F", **QUESTION)
    value = pf.fliptest(people(), features="score", disfavored="F", **QUESTION)["fliptest"].item()
    assert told["value"][0] == value
    assert told["lower"].is_null().to_list() == [True, False]
    without = pf.audit(people(), "dppl", disfavored="F", **QUESTION)
    assert_frame_equal(told[1:], without)


def test_how_likely_chance_alone_is() -> None:
    """The tea tasting of Fisher, as acceptances; p-values of two by hand are doubled by Holm."""
    frame = predictions(F=(3, 1), M=(1, 3)).with_columns(branch=pl.lit("n"))
    question = {**F_AGAINST_M, "subgroup": "branch"}
    told = pf.audit(frame, "dppl", "ci", "cddpl", p_values="exact", **question)
    # Cochran, Mantel and Haenszel: 3 expected 2, variance 4·4·4·4/(8²·7).
    cmh = 2 * (1 - stats.norm.cdf(1 / sqrt(256 / 448)))
    assert told["p_value"].to_list() == pytest.approx([34 / 70, None, cmh])
    adjusted = pf.audit(frame, "dppl", "ci", "cddpl", p_values="holm", **question)
    assert adjusted["p_value"].to_list() == pytest.approx([34 / 70, None, 2 * cmh])
    weighted = pf.audit(frame.with_columns(w=1.0), "dppl", p_values="exact", weight="w", **question)
    assert weighted["p_value"].to_list() == [None]


def test_where_all_were_accepted_nothing_is_certain() -> None:
    """Three of three on either side: that nobody was rejected does not make it fair."""
    for p in (True, 1, 1.0, "yes"):
        frame = pl.DataFrame({"sex": ["F"] * 3 + ["M"] * 3, "p": [p] * 6})
        for dtype in [pl.String, pl.Categorical, pl.Enum(["yes", "no"])] if p == "yes" else [None]:
            told = pf.audit(
                frame if dtype is None else frame.cast({"p": dtype}),
                "dppl",
                "di",
                facet="sex",
                disfavored="F",
                predicted="p",
                positive=p,
            )
            assert told["verdict"].to_list() == ["uncertain", "uncertain"], (p, dtype)


def test_formulas_are_not_sure_of_nothing() -> None:
    nobody = asked(predictions(F=(0, 1), M=(2, 0)), "di", method="log")
    assert (nobody["lower"], nobody["upper"], nobody["verdict"]) == (0.0, inf, "uncertain")
    everybody = asked(predictions(F=(3, 0), M=(3, 0)), "di", method="log")
    assert (everybody["lower"], everybody["upper"], everybody["verdict"]) == (0.0, inf, "uncertain")
    frame = pl.DataFrame({"sex": ["F"] * 3 + ["M"] * 2, "p": [1, 1, 0, 1, 1], "y": [1, 1, 1, 0, 0]})
    question = {"facet": "sex", "disfavored": "F", "label": "y", "predicted": "p"}
    rd = pf.audit(frame, "rd", method="newcombe", zero_division=1.0, **question)
    assert rd["verdict"].to_list() == ["uncertain"]


def test_windows_without_a_comparison_are_accounted_for() -> None:
    frame = pl.DataFrame(
        {
            "month": [1, 1, 2, 2, 2],
            "sex": ["F", "M", "F", "M", "M"],
            "p": [None, None, 1, 0, 1],
        }
    )
    question = {"facet": "sex", "disfavored": "F", "predicted": "p", "nulls": "drop"}
    told = pf.audit(frame, "dppl", "ci", by="month", **question)
    assert told.filter(month=1).select(
        "disfavored", "metric", "value", "verdict", "rows_seen", "rows_used", "rows_dropped"
    ).rows() == [
        (None, "dppl", None, "undefined", 2, 0, 2),
        (None, "ci", None, None, 2, 0, 2),
    ]
    unknown = pl.DataFrame(
        {"sex": [None, None], "p": [1, 0]}, schema={"sex": pl.String, "p": pl.Int8}
    )
    lost = pf.audit(unknown, "dppl", facet="sex", predicted="p").row(0, named=True)
    assert (lost["rows_used"], lost["n_unknown"], lost["verdict"]) == (2, 2, "undefined")


@pytest.mark.parametrize("name", ["a", "z"])
def test_a_small_group_is_seen_whatever_it_is_called(name: str) -> None:
    frame = predictions(**{name: (3, 1), "m": (250, 250), "n": (300, 200)})
    question = {"facet": "sex", "predicted": "p", "count": "n", "minimum_count": 30}
    told = pf.audit(frame, "selection_rate_gap", **question).row(0, named=True)
    assert told["is_small"]
    assert told["lower"] < 0.06
    beside = pf.audit(frame, "selection_rate_gap", disfavored="m", favored="n", **question)
    assert beside["is_small"].to_list() == [True]


def test_weight_0_is_dropped_whatever_it_stands_for() -> None:
    frame = predictions(F=(3, 2), M=(4, 1)).with_columns(w=pl.col("p") * pl.col("n") * 1.0)
    told = asked(frame, "dppl", weight="w")
    assert (told["rows_seen"], told["rows_used"], told["rows_dropped"]) == (10, 7, 3)


def test_intersections_that_are_written_alike() -> None:
    frame = pl.DataFrame(
        {
            "x": ["a & b", "a", "c"] * 40,
            "z": ["c", "b & c", "d"] * 40,
            "p": [1, 0, 1, 1, 1, 0] * 20,
        }
    )
    for facet in (["x", "z"], ["z", "x"]):
        told = pf.audit(frame, "dppl", facet=pl.struct(facet).alias("f"), predicted="p")
        middle = (told["lower"] + told["upper"]) / 2
        assert (middle - told["value"]).abs().max() < 0.05


@pytest.mark.parametrize("more", [{}, {"confidence": None}, {"p_values": "exact"}], ids=str)
def test_all_facets_together_may_be_asked_alone(more: dict[str, Any]) -> None:
    frame = pl.DataFrame({"sex": list("FFMM"), "race": list("bwbw"), "p": [0, 1, 1, 1]})
    everywhere = pf.spsf(groups="conjunctions")
    told = pf.audit(frame, everywhere, facet=["sex", "race"], predicted="p", **more)
    # The one woman of race b: a quarter of all, three quarters off.
    assert told.select("facet", "value", "disfavored").rows() == [("sex & race", 0.1875, None)]


def test_enumerations_draw_as_text_does() -> None:
    text = people()
    enumerated = text.with_columns(
        pl.col("sex").cast(pl.Enum(["M", "X", "F"])),
        pl.col("branch").cast(pl.Enum(["s", "south", "north"])),
    )
    question = {**QUESTION, "subgroup": "branch", "disfavored": "F"}
    assert_frame_equal(
        pf.audit(enumerated, "di", "cddpl", **question), pf.audit(text, "di", "cddpl", **question)
    )


@pytest.mark.parametrize("name", ["*", "^a$", "", "0", "\x1f0", "by.0", "n", "lean"])
def test_names_that_are_patterns(name: str) -> None:
    frame = people().rename({"month": name})
    told = pf.audit(frame, "di", pf.CATALOGUE["dppl"].named("^b$"), by=name, **QUESTION)
    expected = pf.audit(people(), "di", "dppl", by="month", **QUESTION)
    assert told.columns[0] == name
    assert told["lower"].equals(expected["lower"])
    assert told["metric"].unique(maintain_order=True).to_list() == ["di", "^b$"]


# Mistakes

MISTAKES: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: pf.audit(people(), confidence=1.5, **QUESTION),
        r"confidence: takes a number between 0 and 1, or None, got 1\.5",
    ),
    (
        lambda: pf.audit(people(), confidence="high", **QUESTION),  # type: ignore[call-overload]
        "confidence: takes a number, got 'high'",
    ),
    (
        lambda: pf.audit(people(), method="wald", **QUESTION),  # type: ignore[call-overload]
        "method: takes 'bootstrap', 'newcombe' or 'log', got 'wald'",
    ),
    (
        lambda: pf.audit(people(), "di", method="newcombe", **QUESTION),
        "method: 'newcombe' is for differences of two rates, and none of these is one: 'di'; "
        "use 'bootstrap'",
    ),
    (
        lambda: pf.audit(people(), "dppl", method="newcombe", weight="w", **QUESTION),
        "method: 'newcombe' is about counts, and weight= is given; use 'bootstrap'",
    ),
    (
        lambda: pf.audit(people(), replicates=0, **QUESTION),
        "replicates: takes a whole number, at least 1, got 0",
    ),
    (
        lambda: pf.audit(people(), seed=1.5, **QUESTION),  # type: ignore[call-overload]
        r"seed: takes a whole number, at least 0, got 1\.5",
    ),
    (
        lambda: pf.audit(people(), minimum_count=-1, **QUESTION),
        "minimum_count: takes a whole number, at least 0, got -1",
    ),
    (
        lambda: pf.audit(people(), "dppl", bands={"dpl": (0, 1)}, **QUESTION),
        "bands: 'dpl' is not asked for; did you mean 'dppl'?",
    ),
    (
        lambda: pf.audit(people(), "dppl", bands={"dppl": (1, 0)}, **QUESTION),
        r"bands: 'dppl' takes a pair \(low, high\) or None, got \(1, 0\)",
    ),
    (
        lambda: pf.audit(people(), "dppl", p_values="bonferroni", **QUESTION),  # type: ignore[call-overload]
        "p_values: takes 'exact', 'holm' or None, got 'bonferroni'",
    ),
    (
        lambda: pf.audit(people(), "di", bands={"di": 5}, **QUESTION),  # type: ignore[dict-item]
        r"bands: 'di' takes a pair \(low, high\) or None, got 5",
    ),
    (
        lambda: pf.audit(people(), "di", bands={"di": ()}, **QUESTION),  # type: ignore[dict-item]
        r"bands: 'di' takes a pair \(low, high\) or None, got \(\)",
    ),
    (
        lambda: pf.audit(people(), "di", bands={"di": ("a", "b")}, **QUESTION),  # type: ignore[dict-item]
        "bands: takes numbers, for 'di' too, got 'a'",
    ),
    (
        lambda: pf.audit(people(), "di", bands=[1], **QUESTION),  # type: ignore[call-overload]
        r"bands: takes a dictionary \{metric: \(low, high\)\}, got \[1\]",
    ),
    (
        lambda: pf.audit(people(), "di", method=["log"], **QUESTION),  # type: ignore[call-overload]
        r"method: takes 'bootstrap', 'newcombe' or 'log', got \['log'\]",
    ),
    (
        lambda: pf.audit(people().rename({"month": "verdict"}), by="verdict", **QUESTION),
        "by: the result has a column called 'verdict' already; give this one another name with",
    ),
]


@pytest.mark.parametrize(("ask", "message"), MISTAKES, ids=[text for _, text in MISTAKES])
def test_mistakes(ask: Callable[[], Any], message: str) -> None:
    with pytest.raises(pf.FairnessError, match=f"^{message}"):
        ask()
