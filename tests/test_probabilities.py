"""Groups that are known in probability: values, windows, cells, intervals and errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import shared

RACE = pf.probabilities("race", {"Black": "p_black", "White": "p_white"})


def test_separation_is_1_where_groups_are_known_and_0_where_nothing_is() -> None:
    rows = pl.DataFrame({"p": [1.0, 1.0, 0.0], "q": [0.0, 0.0, 1.0], "h": [0.5, 0.5, 0.5]})
    known = pf.rates(rows, facet=pf.probabilities("g", {"A": "p", "B": "q"}))
    assert known["separation"].drop_nulls().to_list() == pytest.approx([1, 1, 1, 1])
    halves = rows.with_columns(other=pl.col("h"))
    unknown = pf.rates(halves, facet=pf.probabilities("g", {"A": "h", "B": "other"}))
    assert unknown.filter(pl.col("value") == "A")["separation"].to_list() == pytest.approx([0.0])


def known(seed: int = 0) -> pl.DataFrame:
    draw = np.random.default_rng(seed)
    n = 600
    group = draw.integers(0, 3, n)
    return pl.DataFrame(
        {
            "group": np.array(["A", "B", "C"])[group],
            **{f"p{i}": (group == i) * 1.0 for i in range(3)},
            "predicted": draw.random(n) < 0.4,
            "label": draw.random(n) < 0.5,
            "challenger": draw.random(n) < 0.5,
            "score": draw.integers(0, 101, n) / 100,
            "branch": draw.integers(0, 4, n),
            "month": draw.integers(0, 3, n),
            "weight": draw.integers(1, 4, n) * 1.0,
            "times": draw.integers(1, 4, n),
        }
    )


KNOWN = pf.probabilities("group", {"A": "p0", "B": "p1", "C": "p2"})
DECISIONS: dict[str, Any] = {"predicted": "predicted", "label": "label"}

QUESTIONS: dict[str, dict[str, Any]] = {
    "decisions": DECISIONS,
    "weights": {**DECISIONS, "weight": "weight"},
    "counts": {**DECISIONS, "count": "times"},
    "both": {**DECISIONS, "count": "times", "weight": "weight"},
    "windows": {**DECISIONS, "by": "month"},
    "strata": {**DECISIONS, "subgroup": "branch"},
    "models": {
        "predicted": {"champion": "predicted", "challenger": "challenger"},
        "label": "label",
    },
    "thresholds": {"score": "score", "label": "label", "threshold": [0.3, 0.6]},
    "scores": {"score": "score", "label": "label", "resolution": 0.01},
    "each score": {"score": "score", "label": "label"},
    "highest": {**DECISIONS, "favored": pf.HIGHEST},
    "largest": {**DECISIONS, "favored": pf.LARGEST},
    "overall": {**DECISIONS, "favored": pf.OVERALL},
    "named": {**DECISIONS, "disfavored": ["A", "B"], "favored": "C"},
}


def assert_same_numbers(hard: pl.DataFrame, soft: pl.DataFrame, *, is_linear: bool) -> None:
    """All numbers equal to 1e-12, but those of strata, which a regression over all rows lacks."""
    assert soft.height == hard.height
    for name in hard.columns:
        if hard[name].dtype.is_numeric():
            expected = hard[name].cast(pl.Float64).to_numpy()
            found = soft[name].cast(pl.Float64).to_numpy()
            if is_linear and np.isnan(found).all():
                continue
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12, err_msg=name)
        elif hard[name].dtype == pl.String and name not in ("note", "verdict"):
            assert soft[name].to_list() == hard[name].to_list()


@pytest.mark.parametrize("estimator", ["weighted", "linear"])
@pytest.mark.parametrize("name", QUESTIONS)
def test_known_groups_written_as_probabilities(name: str, estimator: Any) -> None:
    question = QUESTIONS[name]
    for function in (pf.metrics, pf.rates):
        if function is pf.rates and "favored" in question:
            continue
        if function is pf.rates and name == "strata":
            continue
        hard = function(known(), facet="group", **question)
        soft = function(known(), facet=KNOWN, estimator=estimator, **question)
        assert_same_numbers(hard, soft, is_linear=estimator == "linear")


def mixed(n: int = 1000, seed: int = 3) -> pl.DataFrame:
    draw = np.random.default_rng(seed)
    p = draw.beta(0.6, 0.9, n)
    return pl.DataFrame(
        {
            "p_black": p,
            "p_white": (1 - p) * draw.uniform(0.5, 1, n),
            "sex": draw.choice(["F", "M"], n),
            "accepted": draw.random(n) < 0.4,
            "label": draw.random(n) < 0.5,
            "score": draw.integers(0, 101, n) / 100,
            "weight": draw.integers(0, 3, n) * 1.0,
        }
    )


def test_what_is_left_to_1_is_unknown() -> None:
    rows = pl.DataFrame(
        {
            "p_black": [0.5, 0.25, None, 0.0],
            "p_white": [0.5, 0.25, None, 1.0],
            "accepted": [1, 0, 1, 1],
        }
    )
    found = pf.metrics(rows, "dppl", facet=RACE, predicted="accepted", estimator="weighted")
    assert found["n_unknown"].to_list() == pytest.approx([1.5])
    # Black: 0.5 of 0.75 accepted; White: 0.5 and 1 of 1.75.
    assert found["dppl"].item() == pytest.approx(1.5 / 1.75 - 0.5 / 0.75)


def test_a_group_that_means_unknown_is_what_is_left_to_1() -> None:
    rows = mixed().with_columns(p_none=1 - pl.col("p_black") - pl.col("p_white"))
    groups = {"Black": "p_black", "White": "p_white", "Unknown": "p_none"}
    with_unknown = pf.probabilities("race", groups)
    question: dict[str, Any] = {"predicted": "accepted", "unknown": ["Unknown", "Declined"]}
    for disfavored in (None, "Black"):
        found, expected = (
            pf.metrics(rows, "di", facet=facet, disfavored=disfavored, **question)
            for facet in (with_unknown, RACE)
        )
        assert_frame_equal(found, expected)


def test_rounded_probabilities_are_scaled_to_1() -> None:
    rounded = pl.DataFrame({"p_black": [0.5, 0.33], "p_white": [0.51, 0.66], "accepted": [1, 0]})
    exact = pl.DataFrame(
        {"p_black": [50 / 101, 1 / 3], "p_white": [51 / 101, 2 / 3], "accepted": [1, 0]}
    )
    question: dict[str, Any] = {"facet": RACE, "predicted": "accepted"}
    found, expected = (pf.metrics(rows, "dppl", **question) for rows in (rounded, exact))
    assert_frame_equal(found, expected, abs_tol=1e-12)
    assert found["n_unknown"].to_list() == [0.0, 0.0]
    words = "facet: the probabilities of 2 rows added up to 0.99 to 1.01, and were scaled to 1"
    notes = pf.audit(rounded, "dppl", **question, confidence=None)["note"]
    assert notes.str.contains(words, literal=True).to_list() == [True, True]
    assert not pf.audit(exact, "dppl", **question)["note"].str.contains("scaled").any()


def test_a_group_that_hardly_occurs_leaves_the_regression() -> None:
    rows = known().with_columns(p3=pl.when(pl.col("score") == 1).then(1e-13).otherwise(0.0))
    with_more = pf.probabilities("group", {"A": "p0", "B": "p1", "C": "p2", "D": "p3"})
    question: dict[str, Any] = {**DECISIONS, "disfavored": "A", "favored": "B"}
    question |= {"estimator": "linear"}
    found = shared(pf.metrics, rows, "dppl", facet=with_more, **question)["dppl"]
    assert found.item() == pytest.approx(
        shared(pf.metrics, rows, "dppl", facet=KNOWN, **question)["dppl"].item(), abs=1e-9
    )


def test_groups_that_probabilities_do_not_tell_apart_have_no_value_and_a_reason() -> None:
    # B and C always halve what A leaves: A is identified, B and C are not.
    draw = np.random.default_rng(1)
    a = draw.choice([0.1, 0.5, 0.9], 300)
    rows = pl.DataFrame(
        {"a": a, "b": (1 - a) / 2, "c": (1 - a) / 2, "accepted": draw.random(300) < 0.5}
    )
    facet = pf.probabilities("g", {"A": "a", "B": "b", "C": "c"})
    question: dict[str, Any] = {"facet": facet, "predicted": "accepted", "estimator": "linear"}
    rates = pf.rates(rows, **question).filter(pl.col("value").is_not_null())
    assert rates["value"].to_list() == ["A"]
    two = pf.probabilities("g", {"A": "a", "rest": pl.col("b") * 2})
    of_two = pf.rates(rows, facet=two, predicted="accepted", estimator="linear")
    assert rates["selection_rate"].item() == pytest.approx(of_two["selection_rate"][0], abs=1e-9)
    audit = pf.audit(rows, "dppl", disfavored="B", favored="A", **question)
    assert audit.select("value", "verdict", "note").row(0) == (
        None,
        "undefined",
        "facet: the probabilities do not tell a side from other groups",
    )


def test_counts_below_0_have_no_verdict() -> None:
    # The regression line of 0.9 accepted at p = 0.4 and 0 at p = 0.6 is above 1 at p = 0.
    rows = pl.DataFrame(
        {
            "p_black": [0.4] * 100 + [0.6] * 100,
            "p_white": [0.6] * 100 + [0.4] * 100,
            "accepted": [1] * 90 + [0] * 110,
        }
    )
    audit = pf.audit(rows, "dppl", facet=RACE, predicted="accepted")
    linear = audit.filter(estimator="linear").row(0, named=True)
    assert linear["value"] == pytest.approx(4.5)
    assert linear["verdict"] == "undefined"
    assert "a rate outside 0 to 1" in linear["note"]
    assert audit.filter(estimator="weighted")["verdict"].item() == "outside"


def test_quotients_of_counts_below_0_have_no_verdict() -> None:
    # The share of positive labels falls from 0.9 at p = 0.4 to 0.1 at 0.6: to -1.5 at 1. Decisions
    # are halves of all, so that a true positive rate is -75 / -150, and looks possible.
    rows = pl.DataFrame(
        {
            "p_black": [0.4] * 100 + [0.6] * 100,
            "p_white": [0.6] * 100 + [0.4] * 100,
            "label": [1] * 90 + [0] * 10 + [1] * 10 + [0] * 90,
            "accepted": [0, 1] * 100,
        }
    )
    names = ("rd", "ad", "tpr_gap", "di", "ge")
    audit = pf.audit(
        *(rows, *names),
        facet=RACE,
        predicted="accepted",
        label="label",
        bands=dict.fromkeys(names, (0, 1)),
        estimator="linear",
        confidence=None,
    )
    found = dict(audit.select("metric", pl.struct("value", "verdict", "note")).rows())
    assert [found[name]["value"] for name in names[:4]] == pytest.approx([0, 0, 0, 1], abs=1e-12)
    for name in names:
        is_possible = name in ("di", "ge")
        assert (found[name]["verdict"] == "undefined") != is_possible
        assert (found[name]["note"] is None) == is_possible


def test_a_side_of_fewer_rows_than_none_has_a_value_and_a_reason() -> None:
    # Decisions are known of 9 in 10 rows at p = 0.4, and of 1 in 10 at 0.6, half of them accepted.
    rows = pl.DataFrame(
        {
            "p_black": [0.4] * 100 + [0.6] * 100,
            "p_white": [0.6] * 100 + [0.4] * 100,
            "accepted": [0, 1] * 45 + [None] * 10 + [0, 1] * 5 + [None] * 90,
        }
    )
    question: dict[str, Any] = {"facet": RACE, "predicted": "accepted", "estimator": "linear"}
    [found] = pf.audit(rows, "di", nulls="drop", **question).rows(named=True)
    assert found["n_disfavored"] == pytest.approx(-150)
    assert (found["value"], found["verdict"]) == (pytest.approx(1), "undefined")
    assert "the regression gives a count below 0" in found["note"]


def in_strata(seed: int, *, is_known: bool) -> pl.DataFrame:
    """Rows whose probabilities and decisions differ by branch."""
    draw = np.random.default_rng(seed)
    branch = draw.integers(0, 4, 600)
    p = draw.beta(0.3 + 0.3 * branch, 0.8)
    p = p.round() if is_known else p
    return pl.DataFrame(
        {
            "p_black": p,
            "p_white": 1 - p,
            "race": np.where(p > 0.5, "Black", "White"),
            "branch": branch,
            "month": draw.integers(0, 2, 600),
            "accepted": draw.random(600) < 0.3 + 0.1 * branch - 0.2 * p,
            "weight": draw.integers(0, 4, 600) * 1.0,
        }
    )


def fixed_effects(rows: pl.DataFrame, *, is_weighted: bool = False) -> float:
    """White less Black, by least squares with a constant for each branch."""
    branch = rows["branch"].to_numpy()
    columns = [rows["p_black"].to_numpy(), *(branch == each for each in np.unique(branch))]
    root = np.sqrt(rows["weight"].to_numpy()) if is_weighted else np.ones(rows.height)
    accepted = rows["accepted"].to_numpy() * root
    found = np.linalg.lstsq(np.column_stack(columns) * root[:, np.newaxis], accepted, rcond=None)
    return -float(found[0][0])


OF_STRATA: dict[str, Any] = {"favored": "White", "predicted": "accepted", "subgroup": "branch"}
SLOPE: dict[str, Any] = {**OF_STRATA, "facet": RACE, "estimator": "linear"}


@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("is_known", [False, True])
def test_the_linear_difference_of_strata_is_their_common_slope(
    weight: str | None, is_known: bool
) -> None:
    for seed in range(2):
        rows = in_strata(seed, is_known=is_known)
        question: dict[str, Any] = {"by": "month", "weight": weight}
        # Metrics of all rows have the regression over all rows beside it.
        found = pf.metrics(rows, "mh_difference", "dppl", **SLOPE, **question)
        expected = [
            fixed_effects(of_month, is_weighted=weight is not None)
            for of_month in rows.partition_by("month")
        ]
        assert sorted(found["mh_difference"]) == pytest.approx(sorted(expected), abs=1e-12)
        alone = pf.metrics(rows, "dppl", **{**SLOPE, **question, "subgroup": None})
        assert found["dppl"].to_list() == pytest.approx(alone["dppl"].to_list(), abs=1e-12)
        if is_known:
            hard = pf.metrics(rows, "mh_difference", facet="race", **OF_STRATA, **question)
            same = pytest.approx(hard["mh_difference"].to_list(), abs=1e-12)
            assert found["mh_difference"].to_list() == same


def test_the_common_slope_of_rows_with_decisions_and_of_cells() -> None:
    rows = in_strata(7, is_known=False)
    decided = rows.with_columns(accepted=pl.when(pl.col("month") == 1).then("accepted"))
    expected = pytest.approx(fixed_effects(rows.filter(month=1)), abs=1e-12)
    assert (
        pf.metrics(decided, "mh_difference", nulls="drop", **SLOPE)["mh_difference"][0] == expected
    )
    cells = pf.cells(rows, **OF_STRATA, facet=RACE)
    again = pf.metrics(cells, "mh_difference", count="n", **SLOPE)["mh_difference"][0]
    assert again == pytest.approx(fixed_effects(rows), abs=1e-12)


def test_the_interval_of_a_common_slope_is_that_of_rows_left_out_one_by_one() -> None:
    rows = in_strata(9, is_known=False)
    audit = pf.audit(rows, "mh_difference", **SLOPE)
    assert (audit["value"].item(), audit["note"].item()) == (
        pytest.approx(fixed_effects(rows), abs=1e-12),
        None,
    )
    row = pl.int_range(rows.height)
    moved = [
        fixed_effects(rows.filter(row != each)) - fixed_effects(rows) for each in range(rows.height)
    ]
    reach = (audit["upper"] - audit["lower"]).item() / 2
    assert reach / sum(each**2 for each in moved) ** 0.5 == pytest.approx(1.98, abs=0.04)


def variances(rows: pl.DataFrame) -> dict[str, float]:
    """Those of `dppl` by either estimator, from what each row moves in it."""
    p, y = rows["p_black", "p_white"].to_numpy(), rows["accepted"].to_numpy() * 1.0
    rates, sign = p.T @ y / p.sum(axis=0), np.array([-1, 1])
    weighted = (p * (y[:, np.newaxis] - rates) / p.sum(axis=0)) @ sign
    effects = np.linalg.solve(p.T @ p, p.T @ y)
    linear = (p @ np.linalg.solve(p.T @ p, sign)) * (y - p @ effects)
    return {"weighted": float((weighted**2).sum()), "linear": float((linear**2).sum())}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"score": "score", "label": "y", "resolution": 0.01},
        {"subgroup": "branch"},
    ],
    ids=str,
)
def test_intervals_are_those_of_what_each_row_moves(more: dict[str, Any]) -> None:
    """So they are whatever else a call asks for."""
    draw = np.random.default_rng(2)
    rows = in_strata(3, is_known=False).with_columns(
        score=draw.integers(0, 101, 600) / 100, y=draw.random(600) < 0.5
    )
    names = ["dppl", *(["auc_difference"] if "score" in more else [])]
    question: dict[str, Any] = {"facet": RACE, "favored": "White", "predicted": "accepted"}
    audit = shared(pf.audit, rows, *names, **question, **more).filter(metric="dppl")
    assert audit.height == 2
    for estimator, variance in variances(rows).items():
        [row] = audit.filter(estimator=estimator).rows(named=True)
        for reach in (row["value"] - row["lower"], row["upper"] - row["value"]):
            assert reach / variance**0.5 == pytest.approx(1.98, abs=0.03)


def test_a_regression_on_more_than_six_groups_has_no_interval_and_a_reason() -> None:
    draw = np.random.default_rng(4)
    shares = draw.dirichlet(np.full(7, 0.2), 900)
    rows = pl.DataFrame({f"p{i}": shares[:, i] for i in range(7)})
    rows = rows.with_columns(accepted=pl.Series(draw.random(900) < 0.4))
    groups = pf.probabilities("g", {str(i): f"p{i}" for i in range(7)})
    question: dict[str, Any] = {"disfavored": "0", "favored": "1", "predicted": "accepted"}
    audit = pf.audit(rows, "dppl", facet=groups, **question)
    weighted, linear = (audit.filter(estimator=each) for each in ("weighted", "linear"))
    assert weighted["lower"].null_count() == 0
    assert (linear["lower"].item(), linear["value"].null_count()) == (None, 0)
    assert "a regression on more than 6 groups" in linear["note"].item()


def test_numbers_have_intervals_over_clusters_alone() -> None:
    rows = mixed(400).with_row_index("row")
    question: dict[str, Any] = {"facet": RACE, "observed": "score", "estimator": "weighted"}
    for metric in ("observed_difference", "adjusted_observed_difference"):
        asked = {**question, **({"controls": "sex"} if "adjusted" in metric else {})}
        alone = pf.audit(rows, metric, **asked)
        assert (alone["value"].null_count(), alone["lower"].item()) == (0, None)
        assert "give cluster= with a column that numbers the rows" in alone["note"].item()
        assert pf.audit(rows, metric, **asked, cluster="row")["lower"].null_count() == 0


def test_other_metrics_of_strata_have_no_linear_value() -> None:
    rows = in_strata(1, is_known=False)
    names = [
        name
        for name, metric in pf.CATALOGUE.items()
        if metric.needs == ("facet", "predicted", "subgroup") and name != "mh_difference"
    ]
    audit = pf.audit(rows, *names, **SLOPE)
    assert len(names) > 3
    assert audit["value"].null_count() == audit.height == len(names)
    assert set(audit["note"].str.contains("one regression over all strata")) == {True}


@pytest.mark.parametrize("groups", [{"White": "half"}, {"White": "half", "Other": "other"}])
def test_a_common_slope_needs_two_groups_that_are_all_rows(groups: dict[str, str]) -> None:
    half = pl.col("p_white") / 2
    rows = in_strata(1, is_known=False).with_columns(half=half, other=half)
    facet = pf.probabilities("race", {"Black": "p_black", **groups})
    audit = pf.audit(rows, "mh_difference", **{**SLOPE, "facet": facet})
    assert (audit["value"][0], audit["verdict"][0]) == (None, "undefined")
    assert "needs two groups that are all rows" in audit["note"][0]


def test_a_common_slope_needs_a_stratum_in_which_probabilities_vary() -> None:
    black = (pl.col("branch") + 1) / 7
    rows = in_strata(1, is_known=False).with_columns(p_black=black, p_white=1 - black)
    assert pf.metrics(rows, "mh_difference", **SLOPE)["mh_difference"].to_list() == [None]


def test_a_common_slope_beyond_1_has_no_verdict() -> None:
    chance = 0.5 - 0.05 * pl.col("accepted").cast(pl.Float64)
    rows = in_strata(1, is_known=False).with_columns(p_black=chance, p_white=1 - chance)
    [found] = pf.audit(rows, "mh_difference", **SLOPE).rows(named=True)
    assert (found["value"], found["verdict"]) == (pytest.approx(20), "undefined")
    assert "a rate outside 0 to 1" in found["note"]


def test_the_interval_of_a_regression_is_that_of_rows_left_out_one_by_one() -> None:
    # In most rows of the one town Black is certainly not the group: the regression counts it there.
    draw = np.random.default_rng(5)
    p = np.where(draw.random(600) < 0.5, 0.0, draw.uniform(0.2, 0.9, 600))
    score = (draw.integers(0, 40, 600) * 10 + 5 * (p > 0)) / 1000
    rows = pl.DataFrame(
        {"p_black": p, "p_white": 1 - p, "score": score, "y": draw.random(600) < 0.5}
    )
    audit = shared(
        pf.audit,
        *(rows, "score_difference"),
        facet=RACE,
        score="score",
        label="y",
        resolution=0.005,
        estimator="linear",
    )

    def difference(of: np.ndarray[Any, Any]) -> float:
        shares = np.column_stack([p, 1 - p])[of]
        means = np.linalg.solve(shares.T @ shares, shares.T @ score[of])
        return float(means[1] - means[0])

    row = np.arange(600)
    moved = [difference(row != each) - difference(row >= 0) for each in row]
    assert audit["value"].item() == pytest.approx(difference(row >= 0), abs=1e-9)
    reach = (audit["upper"] - audit["lower"]).item() / 2
    # Of 160 cells by score, parts are left out several at once, with signs as if drawn.
    assert reach / sum(each**2 for each in moved) ** 0.5 == pytest.approx(1.985, rel=0.1)


def test_probabilities_that_do_not_vary_have_no_interval_and_no_verdict() -> None:
    rows = mixed(1000).with_columns(p_black=pl.lit(0.3), p_white=pl.lit(0.7))
    names = ("dppl", "di", "tvd", "selection_rate_gap")
    audit = pf.audit(rows, *names, facet=RACE, predicted="accepted", label="label")
    weighted = audit.filter(estimator="weighted")
    assert weighted["lower"].null_count() == 4
    assert weighted["verdict"].drop_nulls().to_list() == ["undefined", "undefined"]
    assert weighted["note"].str.contains("none of the rows moves the value").all()


def test_too_few_rows_of_an_outcome_have_no_interval() -> None:
    rows = mixed(5000).with_columns(accepted=pl.int_range(pl.len()) < 12)
    audit = pf.audit(rows, "dppl", facet=RACE, predicted="accepted", estimator="weighted")
    assert audit.select("lower", "verdict").row(0) == (None, "undefined")
    assert "fewer than 10 rows of an outcome" in audit["note"][0]


@pytest.mark.extras
def test_a_probability_below_0_by_rounding_is_0() -> None:
    question: dict[str, Any] = {"facet": RACE, "predicted": "accepted"}
    exact = pf.metrics(with_row(0.0, 1.0), "dppl", **question)
    rounded = with_row(-1e-18, 1.0)
    assert_frame_equal(pf.metrics(rounded, "dppl", **question), exact, abs_tol=1e-12)
    assert_frame_equal(pf.metrics(rounded.to_arrow(), "dppl", **question), exact, abs_tol=1e-12)


def with_row(p_black: float | None, p_white: float | None) -> pl.DataFrame:
    row = {"p_black": p_black, "p_white": p_white, "accepted": True}
    return pl.concat([mixed().select(*row), pl.DataFrame([row])])
