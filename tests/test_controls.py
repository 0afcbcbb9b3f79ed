"""Metrics at equal controls, beside the regressions of statsmodels and regressions by hand."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any, Final

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.inference.significance import chi_squared
from polars_fairness.values.regression import (
    Combinations,
    NoRegressionError,
    covariance,
    least_squares,
    logistic,
)
from tests.frames import shared
from tests.reference.moments import of_rows

DIFFERENCE, RATIO, ODDS = "adjusted_difference", "adjusted_ratio", "adjusted_odds_ratio"
QUESTION: Final[dict[str, Any]] = {
    "facet": "sex",
    "disfavored": "F",
    "predicted": "hired",
    "controls": ["grade", "years"],
}


def people(seed: int, rows: int = 400) -> pl.DataFrame:
    """People whose grade and years differ by sex, and decide in part."""
    draw = np.random.default_rng(seed)
    is_f = draw.random(rows) < 0.4
    grade = draw.integers(0, 4, rows) - is_f * draw.integers(0, 2, rows)
    years = draw.integers(0, 12, rows)
    chance = 1 / (1 + np.exp(1 - 0.4 * grade - 0.1 * years + 0.6 * is_f))
    return pl.DataFrame(
        {
            "sex": np.where(is_f, "F", "M"),
            "grade": [f"g{each}" for each in grade],
            "years": years,
            "hired": draw.random(rows) < chance,
            "weight": draw.integers(1, 9, rows) / 4,
        }
    )


def by_statsmodels(rows: pl.DataFrame, times: pl.Series | None = None) -> tuple[float, float]:
    """The mean chances of all rows as members of a and of d, by repeated rows."""
    sm = pytest.importorskip("statsmodels.api")
    if times is not None:
        rows = rows[np.repeat(np.arange(rows.height), times.to_numpy())]
    is_d = (rows["sex"] == "F").to_numpy().astype(float)
    levels = [rows["grade"] == each for each in rows["grade"].unique().sort()[1:]]
    columns = [np.ones(rows.height), is_d, rows["years"].to_numpy(), *map(np.asarray, levels)]
    design = np.column_stack(columns).astype(float)
    fit = sm.Logit(rows["hired"].to_numpy().astype(float), design).fit(disp=0, tol=1e-14)
    found = []
    for side in (0.0, 1.0):
        design[:, 1] = side
        found.append(float(fit.predict(design).mean()))
    return found[0], found[1]


@pytest.mark.parametrize("seed", range(4))
def test_values_are_those_of_statsmodels(seed: int) -> None:
    rows = people(seed)
    a, d = by_statsmodels(rows)
    answer = pf.metrics(rows, DIFFERENCE, RATIO, **QUESTION)
    assert answer.select(DIFFERENCE, RATIO).row(0) == pytest.approx((a - d, d / a), abs=1e-8)


def test_counts_and_weights_are_so_many_rows() -> None:
    rows = people(9)
    times = (rows["weight"] * 4).cast(pl.Int64)
    a, d = by_statsmodels(rows, times)
    for mass in ({"count": times.alias("n")}, {"weight": "weight"}):
        held = rows.with_columns(mass["count"]) if "count" in mass else rows
        own = {**QUESTION, **({"count": "n"} if "count" in mass else mass)}
        assert pf.metrics(held, DIFFERENCE, **own)[DIFFERENCE].item() == pytest.approx(
            a - d, abs=1e-8
        )


def test_a_control_that_is_the_same_for_all_changes_nothing() -> None:
    rows = people(6).with_columns(same=pl.lit("x"))
    own = {**QUESTION, "controls": "same"}
    answer = pf.audit(rows, DIFFERENCE, "dppl", RATIO, "di", **own)
    values = dict(zip(answer["metric"], answer["value"], strict=True))
    assert values[DIFFERENCE] == pytest.approx(values["dppl"], abs=1e-12)
    assert values[RATIO] == pytest.approx(values["di"], abs=1e-12)


def test_a_level_of_one_outcome_adds_no_difference() -> None:
    """In g9 all are hired: the others have their own difference, in their share of rows."""
    rows = people(7).select("sex", "grade", "hired")
    certain = pl.DataFrame({"sex": ["F", "M"] * 50, "grade": ["g9"] * 100, "hired": [True] * 100})
    own = {**QUESTION, "controls": "grade"}
    alone = pf.metrics(rows, DIFFERENCE, **own)[DIFFERENCE].item()
    together = pf.metrics(pl.concat([rows, certain]), DIFFERENCE, **own)[DIFFERENCE].item()
    assert together == pytest.approx(alone * rows.height / (rows.height + 100), abs=1e-9)


def test_a_side_of_one_outcome_is_the_limit() -> None:
    """No F is hired: d has the mean 0, and a that of its own rows' regression."""
    rows = people(8).with_columns(hired=pl.col("hired") & (pl.col("sex") == "M"))
    sm = pytest.importorskip("statsmodels.api")
    men = rows.filter(sex="M")
    # Of the lowest grade there is no man: its column would be that of no rows.
    known = men["grade"].unique().sort()[1:]

    def design(of: pl.DataFrame) -> Any:
        columns = [np.ones(of.height), *(np.asarray(of["grade"] == each) for each in known)]
        return np.column_stack(columns).astype(float)

    fit = sm.Logit(men["hired"].to_numpy().astype(float), design(men)).fit(disp=0, tol=1e-14)
    answer = pf.audit(rows, DIFFERENCE, **{**QUESTION, "controls": "grade"})
    in_use = rows.filter(pl.col("grade").is_in(men["grade"].unique().to_list()))
    expected = fit.predict(design(in_use)).sum() / rows.height
    assert answer["value"].item() == pytest.approx(expected, abs=1e-8)
    assert answer["lower"].item() < expected < answer["upper"].item()


@pytest.mark.parametrize(
    "controls",
    [
        pytest.param("sex_again", id="the controls determine the side"),
        pytest.param("decided", id="the controls separate the outcomes"),
    ],
)
def test_what_cannot_be_told_apart_is_undefined(controls: str) -> None:
    rows = people(3).with_columns(
        sex_again=pl.col("sex") + "x", decided=pl.col("hired").cast(pl.Float64)
    )
    answer = pf.audit(rows, DIFFERENCE, **{**QUESTION, "controls": controls})
    assert answer.select("value", "lower", "upper").row(0) == (None, None, None)


@pytest.mark.parametrize("kind", ["one is accepted", "one is not", "log-normal"])
def test_outliers_among_numbers_separate_nothing(kind: str) -> None:
    """A logistic regression has a maximum beside one income of 9,000 among others up to 918."""
    sm = pytest.importorskip("statsmodels.api")
    draw = np.random.default_rng(31)
    size = 4_000
    is_f = draw.random(size) < 0.4
    income = np.minimum(draw.gamma(4, 100, size), 918)
    if kind == "log-normal":
        income = draw.lognormal(5, 1.5, size)
    hired = draw.random(size) < 1 / (1 + np.exp(1 - income / 150 + 0.4 * is_f))
    if kind != "log-normal":
        income[7], hired[7] = 9_000, kind == "one is accepted"
    design = np.column_stack([np.ones(size), is_f, income / income.std()]).astype(float)
    fit = sm.GLM(hired.astype(float), design, family=sm.families.Binomial()).fit(tol=1e-14)
    frame = pl.DataFrame({"sex": np.where(is_f, "F", "M"), "income": income, "hired": hired})
    answer = pf.audit(frame, ODDS, **{**QUESTION, "controls": "income"})
    [(odds, lower, upper)] = answer.select("value", "lower", "upper").rows()
    assert odds == pytest.approx(np.exp(fit.params[1]), rel=1e-8)
    assert np.log([lower, upper]) == pytest.approx(fit.conf_int()[1], abs=0.02)


def test_a_regression_without_a_maximum_is_none() -> None:
    """Outcomes are separated if a linear program finds a plane with all of each on its side."""
    optimize = pytest.importorskip("scipy.optimize")
    number = {"separated": 0, "fitted": 0}
    for seed in range(150):
        draw = np.random.default_rng(seed)
        size = draw.integers(6, 40)
        is_d = draw.random(size) < 0.5
        drawn: Any = [draw.normal, draw.standard_exponential, draw.standard_cauchy][seed % 3]
        controls = [drawn(size=size) for _ in range(1 + seed % 2)]
        y = (draw.random(size) < 1 / (1 + np.exp(-8 * np.clip(controls[0], -9, 9)))).astype(float)
        if any(np.unique(y[own]).size < 2 for own in (is_d, ~is_d)):
            continue
        scaled = [each / np.abs(each).max() for each in controls]
        design = np.column_stack([np.ones(size), is_d, *scaled])
        apart = (2 * y - 1)[:, np.newaxis] * design
        found = optimize.linprog(
            -apart.sum(axis=0),
            A_ub=np.vstack([-apart, apart]),
            b_ub=np.repeat([0.0, 1.0], size),
            bounds=(None, None),
        )
        is_separated = found.fun < -1e-7
        rows = Combinations(is_d, [], [], scaled, ["first", "second"][: len(scaled)])
        try:
            fit = logistic(rows, np.ones(size), y)
        except NoRegressionError:
            number["separated"] += is_separated
        else:
            assert not is_separated
            assert rows.sums(y - fit.expected) == pytest.approx(0, abs=1e-8)
            number["fitted"] += 1
    assert min(number.values()) > 25


def test_what_a_row_moves_is_what_the_fit_without_it_shows() -> None:
    own, n, y = combinations(people(11))
    fit = logistic(own, n, y)
    moved = fit.without(np.arange(n.size), n, y)
    for place in range(5):
        left = n * (np.arange(n.size) != place)
        again = logistic(own, left, y * left)
        shown = [fit.means[0] - again.means[0], fit.means[1] - again.means[1]]
        shown.append(fit.effect - again.effect)
        assert moved[:, place] == pytest.approx(shown, rel=0.03, abs=2e-5)


def test_the_variance_of_the_effect_is_that_of_a_regression_with_all_its_columns() -> None:
    """HC2, of columns that are made."""
    rows = people(12)
    own, n, y = combinations(rows)
    fit = logistic(own, n, y)
    levels = [own.levels[0] == each for each in range(1, own.sizes[0])]
    design = np.column_stack([np.ones(n.size), own.is_d, *levels]).astype(float)
    spread = fit.expected * (1 - fit.expected)
    inverse = np.linalg.inv(design.T @ (spread[:, np.newaxis] * design))
    leverage = spread * np.einsum("ij,jk,ik->i", design, inverse, design)
    parts = (((y - fit.expected) * (design @ inverse[1])) ** 2) / (1 - leverage)
    assert covariance(fit.influence(n), n, y, n > 0)[2, 2] == pytest.approx(parts.sum(), rel=1e-9)


@pytest.mark.extras
def test_the_p_value_is_that_of_a_score_test() -> None:
    """Of the controls alone by statsmodels, with Hall's transformation; one for all three."""
    sm = pytest.importorskip("statsmodels.api")

    rows = people(12)
    is_d, y = (rows["sex"] == "F").to_numpy() * 1.0, rows["hired"].to_numpy() * 1.0
    levels = [(rows["grade"] == each).to_numpy() for each in rows["grade"].unique().sort()[1:]]
    design = np.column_stack([np.ones(rows.height), *levels]).astype(float)
    p = sm.Logit(y, design).fit(disp=0, tol=1e-14).predict(design)
    spread = p * (1 - p)
    weighed = design * spread[:, np.newaxis]
    apart = is_d - design @ np.linalg.solve(design.T @ weighed, weighed.T @ is_d)
    variance = (spread * apart**2).sum()
    x = (is_d * (y - p)).sum() / np.sqrt(variance)
    lean = (spread * (1 - 2 * p) * apart**3).sum() / variance**1.5
    hall = 2 / lean * (1 - (1 - lean * x / 6) ** 3) + lean / 6
    expected = 2 * NormalDist().cdf(-abs(hall))
    given = {**QUESTION, "controls": "grade", "p_values": "exact"}
    answer = pf.audit(rows, DIFFERENCE, RATIO, ODDS, **given)
    assert answer["p_value"].to_list() == pytest.approx([expected] * 3, rel=1e-6)
    judged = pf.audit(rows, ODDS, rule="significant", **given)["verdict"].item()
    assert judged == ("outside" if expected < 0.05 else "uncertain")


def test_no_event_on_a_side_is_shown_by_interval_and_p_value() -> None:
    """0 of 50 beside 70 of 500: by Wald's test p was 0.08, while the interval left out 0."""
    rows = pl.DataFrame(
        {
            "sex": ["F", "F", "M", "M", "M", "M"],
            "office": ["n", "s", "n", "n", "s", "s"],
            "hired": [0, 0, 1, 0, 1, 0],
            "n": [30, 20, 10, 190, 60, 240],
        }
    )
    question = {**QUESTION, "controls": "office", "count": "n"}
    audit = pf.audit(rows, DIFFERENCE, RATIO, p_values="exact", rule="significant", **question)
    assert audit.row(0, named=True)["p_value"] == pytest.approx(0.0047, abs=1e-4)
    assert audit.select("lower", "upper").row(0) == pytest.approx((0.044, 0.170), abs=1e-3)
    assert audit["verdict"].to_list() == ["outside"] * 2
    [_, control, _] = pf.drivers(rows, **question).to_dicts()
    assert control["lower"] < control["contribution"] - 0.02


def combinations(rows: pl.DataFrame) -> tuple[Combinations, Any, Any]:
    """Each row as a combination of its own, with one control."""
    is_d, grade = rows["sex"] == "F", rows["grade"].rank("dense").to_numpy().astype(int) - 1
    own = Combinations(is_d.to_numpy(), [grade], [int(grade.max()) + 1], [], ["grade"])
    return own, np.ones(rows.height), rows["hired"].to_numpy().astype(float)


def test_notes_say_what_is_left_out() -> None:
    rows = people(7).select("sex", "grade", "hired")
    certain = pl.DataFrame({"sex": ["F", "M"] * 50, "grade": ["g9"] * 100, "hired": [True] * 100})
    alone = pl.DataFrame({"sex": ["M"] * 30, "grade": ["g8"] * 30, "hired": [True, False] * 15})
    some = rows.filter(pl.col("grade").is_in(["g1", "g2"]))
    frame = pl.concat([some, certain, alone], how="diagonal")
    frame = frame.with_columns(same=pl.lit("x"))
    note = pf.audit(frame, DIFFERENCE, **{**QUESTION, "controls": ["grade", "same"]})["note"].item()
    assert note == (
        "controls: without 'same', which does not vary or follows from others; 1 of 5 levels, with "
        "100 rows, have one outcome and add no difference; 1 of 5 levels, with 30 rows, have rows "
        "of one side, so that nothing is compared there"
    )


def test_controls_are_rounded_to_their_width() -> None:
    rows = people(1)
    by_hand = ["grade", (pl.col("years") / 3).round() * 3]
    one, other = (
        pf.metrics(rows, DIFFERENCE, **{**QUESTION, "controls": each})[DIFFERENCE].item()
        for each in ({"grade": None, "years": 3.0}, by_hand)
    )
    assert one == pytest.approx(other, abs=1e-12)


def test_the_highest_is_wider_by_all_pairs() -> None:
    rows = people(13).with_columns(
        sex=pl.when(pl.col("years") == 5).then(pl.lit("X")).otherwise("sex")
    )
    own = {**QUESTION, "controls": "grade", "disfavored": None}
    chosen = pf.audit(rows, DIFFERENCE, **own, favored=pf.HIGHEST).filter(disfavored="F")
    named = pf.audit(rows, DIFFERENCE, **own, favored="M").filter(disfavored="F")
    assert chosen["value"].item() == pytest.approx(named["value"].item(), abs=1e-12)
    assert chosen["lower"].item() < named["lower"].item()


def test_one_row_a_cluster_is_no_cluster() -> None:
    rows = people(14, 2000).with_columns(person=pl.int_range(2000), office=pl.int_range(2000) % 4)
    plain = pf.audit(rows, DIFFERENCE, ODDS, **QUESTION)
    of_rows = pf.audit(rows, DIFFERENCE, ODDS, cluster="person", **QUESTION)
    for bound in ("value", "lower", "upper"):
        assert of_rows[bound].to_list() == pytest.approx(plain[bound].to_list(), rel=0.1)
    few = pf.audit(rows, DIFFERENCE, cluster="office", **QUESTION)
    assert few["lower"].item() is None
    assert "effective clusters, and an interval needs 5" in few["note"].item()


def of_estimated_sex(rows: pl.DataFrame, **more: Any) -> dict[str, Any]:
    """The question about these rows, of whose sex only a probability is known."""
    sex = pf.probabilities("sex", {"F": "p", "M": 1 - pl.col("p")})
    return {**QUESTION, "controls": "grade", "facet": sex, "favored": "M", **more}


def test_rows_of_known_probability_are_rows_of_both_sides() -> None:
    """Each row twice, by its probability of either side; known sides have their own interval."""
    rows = people(17, 2000)
    p = pl.when(sex="F").then(0.8).otherwise(0.3) - pl.col("years") / 100
    likely = paid(17, 2000).with_columns(p=p)
    twice = pl.concat(
        likely.with_columns(sex=pl.lit(side), p=share)
        for side, share in (("F", pl.col("p")), ("M", 1 - pl.col("p")))
    )
    named = {**QUESTION, "controls": "grade", "favored": "M", "observed": "pay"}
    names = [DIFFERENCE, RATIO, ODDS, LESS]
    by_rows = pf.metrics(twice, names, **named, weight="p").select(names).row(0)
    question = of_estimated_sex(likely, observed="pay", estimator="weighted")
    assert pf.metrics(likely, names, **question).select(names).row(0) == pytest.approx(by_rows)
    audited = pf.audit(likely, names, **question)
    assert audited["value"].to_list() == pytest.approx(by_rows)
    split = shared(pf.drivers, likely, **question)
    assert split["contribution"][-1] == pytest.approx(by_rows[0])
    certain = rows.with_columns(p=(pl.col("sex") == "F").cast(pl.Float64))
    exact = pf.audit(rows, DIFFERENCE, ODDS, **{**QUESTION, "controls": "grade"})
    known = pf.audit(certain, DIFFERENCE, ODDS, **of_estimated_sex(certain, estimator="weighted"))
    for bound in ("value", "lower", "upper"):
        assert known[bound].to_list() == pytest.approx(exact[bound].to_list(), rel=0.2)
    linear = pf.audit(certain, DIFFERENCE, **of_estimated_sex(certain, estimator="linear"))
    assert linear.select("value", "note").row(0) == (
        None,
        "controls: the linear estimator has no regression of two sides; the weighted one has",
    )
    assert (
        pf.drivers(certain, **of_estimated_sex(certain, estimator="linear"))["contribution"].count()
        == 0
    )


BERKELEY: Final[dict[str, Any]] = {
    "facet": "sex",
    "disfavored": "Female",
    "predicted": "admitted",
    "count": "n",
}


def test_at_equal_departments_the_gap_of_berkeley_is_gone() -> None:
    """As statsmodels has it by rows, and by a fit of all columns for the note."""
    rows = pf.datasets.berkeley()
    sm = pytest.importorskip("statsmodels.api")
    each = rows[np.repeat(np.arange(rows.height), rows["n"].to_numpy())]
    is_d = (each["sex"] == "Female").to_numpy().astype(float)
    levels = [(each["department"] == name).to_numpy() for name in "BCDEF"]
    design = np.column_stack([np.ones(each.height), is_d, *levels]).astype(float)
    y = each["admitted"].to_numpy().astype(float)
    fit = sm.Logit(y, design).fit(disp=0, tol=1e-14)
    means = []
    for side in (0.0, 1.0):
        design[:, 1] = side
        means.append(float(fit.predict(design).mean()))
    design[:, 1] = is_d
    answer = pf.audit(rows, DIFFERENCE, ODDS, controls="department", **BERKELEY)
    expected = (means[0] - means[1], np.exp(fit.params[1]))
    assert answer["value"].to_list() == pytest.approx(expected, abs=1e-8)
    p = fit.predict(design)
    more = np.column_stack([is_d * each for each in levels])
    weight = (p * (1 - p))[:, np.newaxis]
    crossed = design.T @ (weight * more)
    variance = more.T @ (weight * more) - crossed.T @ np.linalg.solve(
        design.T @ (weight * design), crossed
    )
    score = more.T @ (y - p)
    chance = chi_squared(float(score @ np.linalg.solve(variance, score)), 5)
    note = f"at all values of 'department' (p = {chance:.4f})"
    assert note in answer["note"][0]
    assert chance == pytest.approx(0.0021, abs=1e-4)


def test_controls_that_interact_are_found_inside_equal_combinations() -> None:
    """All columns made: the difference inside combinations beyond the fit, and its error."""
    rows = people(16, 1500)
    is_d = (rows["sex"] == "F").to_numpy()
    one, two = rows["grade"].rank("dense").to_numpy().astype(int) - 1, rows["years"].to_numpy() % 3
    y = (np.random.default_rng(1).random(1500) < 0.3 + 0.4 * ((one > 1) == (two > 1))).astype(float)
    sizes = [int(one.max()) + 1, 3]
    own = Combinations(is_d, [one, two], sizes, [], ["one", "two"])
    fit, strata = logistic(own, np.ones(1500), y), one * 3 + two
    more, error, share = fit.inside(y, strata)
    columns = [one == each for each in range(1, sizes[0])] + [two == 1, two == 2]
    design = np.column_stack([np.ones(1500), is_d, *columns]).astype(float)
    above = below = kept = 0.0
    contrast = np.zeros(1500)
    for stratum in np.unique(strata):
        of_a, of_d = (strata == stratum) & ~is_d, (strata == stratum) & is_d
        if of_a.any() and of_d.any():
            overlap = of_a.sum() * of_d.sum() / (of_a.sum() + of_d.sum())
            left = y - fit.expected
            above += overlap * (left[of_a].mean() - left[of_d].mean())
            below += overlap
            contrast += overlap * (of_a / of_a.sum() - of_d / of_d.sum())
            kept += of_a.sum() + of_d.sum()
    weight = fit.expected * (1 - fit.expected)
    contrast /= below
    effects = np.linalg.solve(design.T @ (weight[:, None] * design), design.T @ (weight * contrast))
    left = contrast - design @ effects
    assert (more, share) == pytest.approx((above / below, kept / 1500), abs=1e-9)
    assert error == pytest.approx(np.sqrt((weight * left**2).sum()), rel=1e-6)


def test_beside_a_champion_rows_count_once() -> None:
    """The same decisions differ by 0 for certain; others by less than two independent models."""
    rows = people(15).with_columns(
        same=pl.col("hired") & pl.lit(value=True), other=pl.col("hired") ^ (pl.col("years") == 3)
    )
    models = {"old": "hired", "same": "same", "new": "other"}
    own = {**QUESTION, "predicted": models, "champion": "old"}
    answer = pf.audit(rows, DIFFERENCE, RATIO, ODDS, **own)
    of_same = answer.filter(model="same").select("difference_lower", "difference_upper")
    assert of_same.to_numpy() == pytest.approx(np.zeros((3, 2)), abs=1e-6)
    new = answer.filter(model="new")
    apart = pf.audit(
        rows, DIFFERENCE, RATIO, ODDS, **(QUESTION | {"predicted": "other"}), baseline=rows
    )
    for beside, alone in zip(new.iter_rows(named=True), apart.iter_rows(named=True), strict=True):
        assert beside["value"] == pytest.approx(alone["value"], abs=1e-12)
        width = beside["difference_upper"] - beside["difference_lower"]
        assert width < 0.7 * (alone["difference_upper"] - alone["difference_lower"])


PAID: Final[dict[str, Any]] = {**QUESTION, "predicted": None, "observed": "pay"}
LESS, TIMES = "adjusted_observed_difference", "adjusted_observed_ratio"


def paid(seed: int, rows: int = 400) -> pl.DataFrame:
    """The same people with pay, log-normal at equal grades and years."""
    draw = np.random.default_rng(seed + 100)
    grade = pl.col("grade").str.slice(1).cast(pl.Int64)
    noise = pl.lit(pl.Series(draw.normal(size=rows)))
    log = 3 + 0.1 * grade + 0.02 * pl.col("years") - 0.05 * (pl.col("sex") == "F") + 0.4 * noise
    return people(seed, rows).with_columns(pay=log.exp())


def by_least_squares(rows: pl.DataFrame, times: Any = 1) -> tuple[float, float]:
    """−β of pay, and exp(β) of its logarithm, by all columns and repeated rows."""
    sm = pytest.importorskip("statsmodels.api")
    rows = rows[np.repeat(np.arange(rows.height), times)]
    levels = [rows["grade"] == each for each in rows["grade"].unique().sort()[1:]]
    columns = [np.ones(rows.height), rows["sex"] == "F", rows["years"], *levels]
    design = np.column_stack(columns).astype(float)
    pay = rows["pay"].to_numpy()
    return -sm.OLS(pay, design).fit().params[1], np.exp(sm.OLS(np.log(pay), design).fit().params[1])


@pytest.mark.parametrize("seed", range(4))
def test_numbers_are_those_of_least_squares(seed: int) -> None:
    rows = paid(seed)
    expected = by_least_squares(rows)
    halves = pl.concat(pf.cells(rows[start::2], **PAID) for start in (0, 1))
    counted = {**PAID, "count": "n"}
    for frame, question in ((rows, PAID), (halves, counted)):
        answer = pf.metrics(frame, LESS, TIMES, **question)
        assert answer.select(LESS, TIMES).row(0) == pytest.approx(expected, abs=1e-8)
    audited = pf.audit(rows, LESS, TIMES, **PAID)
    assert audited["value"].to_list() == pytest.approx(expected, abs=1e-8)
    times = (rows["weight"] * 4).cast(pl.Int64)
    expected = by_least_squares(rows, times.to_numpy())
    weighted = {**PAID, "weight": "weight"}
    for frame, question in ((rows.with_columns(n=times), counted), (rows, weighted)):
        answer = pf.metrics(frame, LESS, TIMES, **question)
        assert answer.select(LESS, TIMES).row(0) == pytest.approx(expected, abs=1e-8)


def test_what_is_left_without_rows_is_least_squares_without_them() -> None:
    own, n, _ = combinations(rows := paid(21))
    pay, groups = rows["pay"].to_numpy(), np.arange(rows.height) % 50
    fit = least_squares(own, n, pay)
    moved = fit.without(groups, n, pay)
    for group in range(5):
        left = n * (groups != group)
        again = least_squares(own, left, pay * left)
        assert moved[2, group] == pytest.approx(fit.effect - again.effect, abs=1e-6)
        apart = fit.means[0] - fit.means[1] - again.means[0] + again.means[1]
        assert moved[0, group] - moved[1, group] == pytest.approx(apart, abs=1e-6)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_cluster_of_each_row_leans_as_rows_do(sign: int) -> None:
    """None of d has the bonus that some of a have: d may be that far above, or below, its mean."""
    draw, row = np.random.default_rng(4), np.arange(180)
    amounts = 3_000 + 300 * draw.normal(size=180) + 9_000 * (row % 35 == 34)
    frame = pl.DataFrame(
        {
            "row": pl.Series(row, dtype=pl.UInt8),
            "sex": np.where(row < 34, "F", "M"),
            "grade": (row % 3).astype(str),
            "pay": sign * amounts,
        }
    )
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "observed": "pay"}
    question |= {"controls": "grade"}
    of_rows, of_clusters = (
        shared(pf.audit, frame, LESS, **question, **more).row(0, named=True)
        for more in ({}, {"cluster": "row"})
    )
    reaches = [
        (each["value"] - each["lower"], each["upper"] - each["value"])
        for each in (of_rows, of_clusters)
    ]
    assert (reaches[0][0] > 2 * reaches[0][1]) == (sign > 0)
    assert reaches[1] == pytest.approx(reaches[0], rel=0.1)


@pytest.mark.parametrize(("rows", "cluster"), [(90, "row"), (90, "team"), (900, "team")])
def test_estimates_of_few_groups_of_rows_are_compared_with_a_champions(
    rows: int, cluster: str
) -> None:
    """Both models have the same groups of rows, and these are fewer than 200.

    Least squares are linear, so two models differ by the regression of their difference.
    """
    years = pl.col("years")
    frame = paid(23, rows).with_columns(
        row=pl.int_range(rows),
        team=pl.int_range(rows) % 30,
        old=20 + years,
        new=22 + years + (years == 3) * years,
    )
    frame = frame.with_columns(same=pl.col("old") + 0, more=pl.col("new") - pl.col("old"))
    models = {"old": "old", "new": "new", "same": "same"}
    asked_of = {**PAID, "cluster": cluster}
    names = ["adjusted_estimate_difference", "adjusted_estimate_ratio", "mae_difference"]
    answer = shared(pf.audit, frame, names, estimated=models, champion="old", **asked_of)
    contrast = ["difference", "difference_lower", "difference_upper"]
    of_same = answer.filter(pl.col("value").is_not_null(), model="same")
    assert of_same.filter(pl.col("metric").str.starts_with("adjusted_estimate")).height == 2
    assert of_same.select(contrast).fill_null(0).to_numpy() == pytest.approx(0, abs=1e-9)
    new = answer.filter(model="new", metric="adjusted_estimate_difference")
    [(difference, lower, upper)] = new.select(contrast).rows()
    expected = shared(pf.metrics, frame, LESS, **(asked_of | {"observed": "more"}))[LESS].item()
    assert difference == pytest.approx(expected, abs=1e-9)
    assert lower < difference < upper


@pytest.mark.extras
@pytest.mark.parametrize("weight", [None, "weight"])
def test_intervals_of_numbers_are_those_of_rows_one_by_one(weight: str | None) -> None:
    rows = paid(22)
    given = {**PAID, "controls": "grade", "p_values": "exact", "weight": weight}
    levels = [rows["grade"] == each for each in rows["grade"].unique().sort()[1:]]
    columns, pay = np.column_stack(levels), rows["pay"].to_numpy()
    w = None if weight is None else rows[weight].to_numpy()
    answer = pf.audit(rows, LESS, TIMES, **given).to_dicts()
    for row, y in zip(answer, (pay, np.log(pay)), strict=True):
        expected = of_rows(y, (rows["sex"] == "F").to_numpy() * 1, columns, w)
        low, high = expected.interval()
        ends = (low, high) if row["metric"] == LESS else (np.exp(-high), np.exp(-low))
        assert (row["lower"], row["upper"]) == pytest.approx(ends, rel=1e-9)
        assert row["p_value"] == pytest.approx(expected.p_value, rel=1e-6)


@pytest.mark.extras
def test_intervals_of_many_numbers_are_about_those_of_robust_errors() -> None:
    """HC2 of all columns, made by hand, and p-values beside them."""
    rows = paid(22, 4000)
    own, n, _ = combinations(rows)
    levels = [own.levels[0] == each for each in range(1, own.sizes[0])]
    design = np.column_stack([np.ones(n.size), own.is_d, *levels]).astype(float)
    inverse = np.linalg.inv(design.T @ design)
    leverage = np.einsum("ij,jk,ik->i", design, inverse, design)
    given = {**PAID, "controls": "grade", "p_values": "exact"}
    answer = pf.audit(rows, LESS, TIMES, **given)
    for row, y in zip(answer.iter_rows(named=True), (rows["pay"], rows["pay"].log()), strict=True):
        effects = inverse @ design.T @ y.to_numpy()
        left = y.to_numpy() - design @ effects
        error = np.sqrt(((left * (design @ inverse[1])) ** 2 / (1 - leverage)).sum())
        ends = np.array([row["lower"], row["upper"]])
        width = np.ptp(ends if row["metric"] == LESS else np.log(ends))
        assert width == pytest.approx(2 * 1.96 * error, rel=0.02)
        z = abs(effects[1]) / error
        assert row["p_value"] == pytest.approx(2 * NormalDist().cdf(-z), abs=0.01)


def test_a_ratio_needs_numbers_above_0_and_equal_numbers_have_no_interval() -> None:
    rows = paid(23).with_columns(pay=pl.when(pl.col("years") > 0).then("pay").otherwise(0.0))
    answer = pf.audit(rows, LESS, TIMES, **PAID)
    assert answer["value"].is_null().to_list() == [False, True]
    assert answer["note"][1] == "controls: a ratio of numbers needs all of them above 0"
    same = paid(23).with_columns(pay=pl.lit(7.0))
    assert "none of the rows moves the value" in pf.audit(same, LESS, **PAID)["note"].item()


@pytest.mark.simulation
def test_notes_of_numbers_find_what_the_regression_misses() -> None:
    """Equal chances: each note in about one of twenty data sets, whose spread differs by side."""

    def of_data(seed: int, *, of_d: float = 0.0, of_both: float = 0.0) -> str:
        draw = np.random.default_rng(seed)
        is_f, grade = draw.random(1200) < 0.35, draw.integers(0, 2, 1200)
        is_same = draw.random(1200) < np.where(is_f, 0.75, 0.25)
        office = np.where(is_same, grade, 1 - grade)
        log = 3 + 0.1 * grade - of_d * is_f * grade + of_both * is_same
        rows = pl.DataFrame(
            {
                "sex": np.where(is_f, "F", "M"),
                "grade": grade.astype(str),
                "office": office.astype(str),
                "pay": np.exp(draw.normal(log, 0.3 + 0.2 * is_f)),
            }
        )
        found = pf.audit(rows, TIMES, **{**PAID, "controls": ["grade", "office"]})
        return found["note"].item() or ""

    of_one, of_all = "not the same at all values", "the difference of logarithms, a less d, is 0."
    equal = [of_data(seed) for seed in range(60)]
    for note in (of_one, of_all):
        # 10 of 60 or more happen once in 1,000 times.
        assert sum(note in each for each in equal) <= 9
    assert all(of_one in of_data(seed, of_d=0.25) for seed in range(3))
    assert all(of_all in of_data(seed, of_both=0.4) for seed in range(3))


@pytest.mark.parametrize("controls", ["branch", "u"])
def test_any_rows_have_an_interval_or_a_reason(controls: str) -> None:
    draw, size = np.random.default_rng(60), 1_500
    rows = pl.DataFrame(
        {
            "set": np.arange(size) // 10,
            "sex": draw.choice(["F", "M"], size),
            "branch": draw.choice(["n", "s", "w"], size),
            "p": draw.random(size) < 0.2,
            "u": draw.integers(0, 2, size),
        }
    )
    names = [DIFFERENCE, RATIO, ODDS]
    found = pf.audit(rows, names, facet="sex", predicted="p", controls=controls, by="set")
    without = found.filter(pl.col("value").is_not_null() & pl.col("lower").is_null())
    # A regression on u decides some rows for certain; on branch it never does.
    assert without.is_empty() == (controls == "branch")
    assert without["note"].null_count() == 0


@pytest.mark.parametrize("undefined", [None, 0.0, 1.0])
def test_a_number_for_0_divided_by_0_makes_no_interval(undefined: float | None) -> None:
    # Three clusters are too few for an interval, whatever 0/0 is.
    rows = people(11).with_row_index("team").with_columns(pl.col("team") % 3)
    answer = pf.audit(rows, DIFFERENCE, RATIO, **QUESTION, cluster="team", zero_division=undefined)
    assert answer.select("lower", "upper").null_count().row(0) == (2, 2)
    assert answer["value"].null_count() == 0
