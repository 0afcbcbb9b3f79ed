"""Groups known only as probabilities: every way to a value gives that of plain sums over the rows.

Of half or nine tenths of the rows a group is certainly not: columns of rounded probabilities are
like that. The regression counts such a group among these rows too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.formula.sides import RATES
from tests.reference.soft_groups import Soft, linear

Floats = np.ndarray[Any, np.dtype[np.float64]]
Values = dict[tuple[Any, ...], float]

RACE = pf.probabilities("race", {"Black": "p_black", "White": "p_white"})
SIDES: dict[str, Any] = {"facet": RACE, "disfavored": "Black", "favored": "White"}
DECISIONS = ("dppl", "di", "rd", "sd")
NUMBERS = ("estimate_difference", "observed_ratio", "mae_difference", "exposure_ratio")


def people(seed: int, rows: int = 250, certain: float = 0.5) -> pl.DataFrame:
    draw = np.random.default_rng(seed)
    black = np.where(draw.random(rows) < certain, 0.0, draw.beta(0.6, 0.9, rows).round(2))
    white = np.where(draw.random(rows) < 0.7, 1 - black, (1 - black) * draw.random(rows))
    amounts = draw.exponential(100, (2, rows)).round()
    return pl.DataFrame(
        {
            "p_black": black,
            "p_white": white.round(2),
            "score": draw.random(rows).round(2),
            "other": draw.random(rows).round(3),
            "label": draw.random(rows) < 0.4,
            "accepted": draw.random(rows) < 0.3,
            "observed": amounts[0],
            "estimated": amounts[1],
            "weight": draw.integers(0, 3, rows) * 1.5,
            "branch": draw.integers(0, 60, rows),
        }
    )


def counts(rows: pl.DataFrame, part: Floats, weight: Floats, estimator: str) -> Floats:
    """The parts of rows of each group: L(k) = diag(T)·G⁻¹·m(k), or m(k)."""
    shares = rows["p_black", "p_white"].to_numpy()
    total = shares.sum(axis=1, keepdims=True)
    shares = shares / np.where(abs(total - 1) < 0.0101, total, 1.0)
    shares = np.column_stack([shares, 1 - shares.sum(axis=1)])
    weighted = shares * weight[:, np.newaxis]
    found: Floats = weighted.T @ part
    if estimator == "linear":
        found = weighted.sum(axis=0) * np.linalg.solve(weighted.T @ shares, found)
    return found


def attention(rows: pl.DataFrame) -> Floats:
    """1/log₂(1 + rank), of equal scores their mean."""
    ranked = rows.select(pl.col("score").rank("ordinal", descending=True).alias("rank"), "score")
    given = 1 / (pl.col("rank") + 1).log(2)
    return ranked.select(given.mean().over("score")).to_series().to_numpy()


def by_hand(
    rows: pl.DataFrame, accepted: Floats, estimator: str, weight: str | None = None
) -> dict[str, float]:
    mass = rows[weight].to_numpy() if weight else np.ones(rows.height)
    of = partial(counts, rows, weight=mass, estimator=estimator)
    label = rows["label"].to_numpy() * 1.0
    observed, estimated = (rows[name].to_numpy() for name in ("observed", "estimated"))
    n = of(np.ones(rows.height))
    selected = of(accepted) / n
    tpr = of(accepted * label) / of(label)
    fpr = of(accepted * (1 - label)) / of(1 - label)
    amounts, estimates = of(observed) / n, of(estimated) / n
    error, seen = of(abs(observed - estimated)) / n, of(attention(rows)) / n
    return {
        "dppl": selected[1] - selected[0],
        "di": selected[0] / selected[1],
        "rd": tpr[1] - tpr[0],
        "sd": fpr[1] - fpr[0],
        "estimate_difference": estimates[1] - estimates[0],
        "observed_ratio": amounts[0] / amounts[1],
        "mae_difference": error[0] - error[1],
        "exposure_ratio": seen[0] / seen[1],
    }


def from_threshold(rows: pl.DataFrame, threshold: float, score: str = "score") -> Floats:
    return (rows[score] >= threshold).to_numpy() * 1.0


def among_best(rows: pl.DataFrame, share: float, weight: str | None) -> Floats:
    """The part of each row that is accepted, from the highest score on."""
    score = rows["score"].to_numpy()
    mass = rows[weight].to_numpy() if weight else np.ones(rows.height)
    left = share * mass.sum() if weight else np.ceil(share * rows.height - 1e-9)
    found = np.zeros(rows.height)
    for step in np.unique(score[mass > 0])[::-1]:
        found[score == step] = min(1.0, left / mass[score == step].sum())
        left = max(0.0, left - mass[score == step].sum())
    return found


Accepted = Callable[[pl.DataFrame, str | None], dict[float | None, Floats]]

TWO, BEST = (0.3, 0.9), (0.05, 0.2)

QUESTIONS: dict[str, tuple[dict[str, Any], Accepted]] = {
    "decisions": (
        {"predicted": "accepted"},
        lambda rows, _: {None: rows["accepted"].to_numpy() * 1.0},
    ),
    "a threshold": (
        {"score": "score", "threshold": 0.9},
        lambda rows, _: {None: from_threshold(rows, 0.9)},
    ),
    "thresholds": (
        {"score": "score", "threshold": [*TWO]},
        lambda rows, _: {each: from_threshold(rows, each) for each in TWO},
    ),
    "the best": (
        {"score": "score", "threshold": pf.best(*BEST)},
        lambda rows, weight: {each: among_best(rows, each, weight) for each in BEST},
    ),
}

OF_NUMBERS = {"observed": "observed", "estimated": "estimated"}


def answers(rows: pl.DataFrame, question: dict[str, Any], *names: str) -> Iterator[pl.DataFrame]:
    """The values of metrics by each way in."""
    yield pf.metrics(rows.lazy(), *names, **question).collect()
    yield pf.audit(rows, *names, **question, confidence=None)
    yield pf.audit(rows, *names, **question)
    yield pf.audit(rows, *names, **question, cluster="branch")
    if "observed" not in question:
        of_cells = {name: each for name, each in question.items() if "favored" not in name}
        shards = [pf.cells(part, **of_cells) for part in (rows[:90], rows[90:])]
        yield pf.metrics(pl.concat(shards), *names, **question, count="n")


def values_of(answer: pl.DataFrame, *keys: str, value: str = "value") -> Values:
    if "metric" not in answer.columns:
        metrics = [name for name in answer.columns if name in pf.CATALOGUE]
        answer = answer.unpivot(
            metrics, index=["estimator", *keys], variable_name="metric", value_name="value"
        )
    return {row[:-1]: row[-1] for row in answer.select("estimator", *keys, "metric", value).rows()}


def expected(
    rows: pl.DataFrame, accepted: Mapping[Any, Floats], names: tuple[str, ...], weight: str | None
) -> Values:
    return {
        (estimator, *([] if at is None else [at]), name): by_hand(rows, part, estimator, weight)[
            name
        ]
        for estimator in ("weighted", "linear")
        for at, part in accepted.items()
        for name in names
    }


@pytest.mark.extras
@pytest.mark.parametrize(
    ("name", "weight"), [*((name, None) for name in QUESTIONS), ("the best", "weight")]
)
def test_each_way_gives_one_value(name: str, weight: str | None) -> None:
    own, accepted = QUESTIONS[name]
    rows = people(seed=1, certain=0.9 if weight else 0.5)
    names = DECISIONS
    question = {**SIDES, **own, "label": "label", "weight": weight}
    if weight is None:
        names = (*DECISIONS, *(NUMBERS if "score" in own else NUMBERS[:3]))
        question |= OF_NUMBERS
    parts = accepted(rows, weight)
    by_sums = pytest.approx(expected(rows, parts, names, weight), rel=1e-9)
    at = [] if None in parts else ["threshold"]
    for answer in answers(rows, question, *names):
        assert values_of(answer, *at) == by_sums


def test_metrics_of_all_kinds_are_in_audits_what_metrics_returns() -> None:
    rows = people(seed=6, rows=150, certain=0.8)
    question: dict[str, Any] = {**SIDES, **OF_NUMBERS, "predicted": "accepted", "label": "label"}
    values = values_of(pf.metrics(rows, **question))
    names = sorted({name for *_, name in values})
    assert len(names) > 75
    found = values_of(pf.audit(rows, *names, **question))
    undefined = {key for key, value in found.items() if value is None}
    assert undefined == {key for key in found if values[key] is None}
    for key in found.keys() - undefined:
        assert found[key] == pytest.approx(values[key], rel=1e-9, abs=1e-9), key


@pytest.mark.extras
def test_numbers_alone_have_one_value_by_each_way() -> None:
    # All rows are one cell: leaving rows out moves its numbers, and not its count.
    rows, names = people(seed=5, certain=0.8), NUMBERS[:3]
    every = {None: np.ones(rows.height)}
    by_sums = pytest.approx(expected(rows, every, names, None), rel=1e-9)
    for answer in answers(rows, {**SIDES, **OF_NUMBERS}, *names):
        assert values_of(answer) == by_sums


@pytest.mark.parametrize("name", ["thresholds", "the best"])
def test_a_baseline_and_rates_have_the_same_value(name: str) -> None:
    own, accepted = QUESTIONS[name]
    rows, before = people(seed=2, certain=0.9), people(seed=3, rows=210)
    question = {**SIDES, **own, "label": "label", **OF_NUMBERS}
    names = (*DECISIONS, *NUMBERS[:3])
    parts = accepted(rows, None)
    at = [] if None in parts else ["threshold"]
    for confidence in (0.95, None):
        audit = pf.audit(rows, *names, **question, baseline=before, confidence=confidence)
        for column, source in (("value", rows), ("reference", before)):
            by_sums = expected(source, accepted(source, None), names, None)
            assert values_of(audit, *at, value=column) == pytest.approx(by_sums, rel=1e-9)
    rates = pf.rates(rows, facet=RACE, label="label", **own)
    found = rates.select("estimator", *at, "value", "selection_rate").rows()
    of_groups = {row[:-1]: row[-1] for row in found}
    for threshold, part in parts.items():
        for estimator in ("weighted", "linear"):
            of = partial(counts, rows, weight=np.ones(rows.height), estimator=estimator)
            key = [estimator, *([threshold] if at else [])]
            selected = of(part) / of(np.ones(rows.height))
            for group, rate in zip(("Black", "White"), selected, strict=False):
                assert of_groups[*key, group] == pytest.approx(rate, rel=1e-9)


@pytest.mark.parametrize("champion", [None, "champion"])
def test_models_have_the_value_of_each_alone(champion: str | None) -> None:
    rows = people(seed=4, certain=0.9)
    models = {"champion": "score", "challenger": "other"}
    question = {**SIDES, "predicted": models, "threshold": [*TWO], "label": "label"}
    parts = {
        (model, at): from_threshold(rows, at, score)
        for model, score in models.items()
        for at in TWO
    }
    found = expected(rows, parts, DECISIONS, None)
    by_sums = {(estimator, *place, name): each for (estimator, place, name), each in found.items()}
    at = ("model", "threshold")
    ways: list[dict[str, Any]] = [{}, {"confidence": None}, {"cluster": "branch"}]
    for more in ways:
        audit = pf.audit(rows, *DECISIONS, **question, champion=champion, **more)
        assert values_of(audit, *at) == pytest.approx(by_sums, rel=1e-9)
        if champion:
            of_champion = {key: value for key, value in by_sums.items() if key[1] == champion}
            beside = audit.filter(model="challenger").with_columns(model=pl.lit(champion))
            assert values_of(beside, *at, value="reference") == pytest.approx(of_champion, rel=1e-9)


def test_the_best_share_of_people_is_a_whole_number_of_rows() -> None:
    # 0.05 of 53 rows are 3, whether the group of each is a column or a probability of 0 or 1.
    draw = np.random.default_rng(1)
    black = draw.random(53) < 0.4
    rows = pl.DataFrame({"score": draw.random(53), "p_black": black * 1.0, "p_white": ~black * 1.0})
    rows = rows.with_columns(race=np.where(black, "Black", "White"))
    question = {**SIDES, "score": "score", "threshold": pf.best(0.05, 0.1)}
    known = pf.metrics(rows, "dppl", **{**question, "facet": "race"})["dppl"].to_list()
    assert pf.metrics(rows, "dppl", **question)["dppl"].to_list() == pytest.approx(known * 2)


OUTCOMES = tuple(product((True, False), repeat=2))


def counts_by_fractions(rows: Sequence[Soft]) -> Iterator[dict[str, Fraction]]:
    """The counts of each group by the regression, without rounding."""
    by_outcome = [linear(rows, outcome) for outcome in OUTCOMES]
    for of_group in zip(*by_outcome, strict=True):
        tp, fn, fp, tn = of_group
        found = {"tp": tp, "fn": fn, "fp": fp, "tn": tn, "n": tp + fn + fp + tn}
        found |= {"positive": tp + fn, "negative": fp + tn, "accepted": tp + fp}
        yield found | {"rejected": fn + tn}


def cancelling(share: str, *, is_turned: bool) -> tuple[list[Soft], pl.DataFrame]:
    """Rows: an outcome of 0.9 at p = 0.4 and 0.6 at p = 0.6: the regression gives 0 at p = 1."""
    draw = np.random.default_rng(1)
    levels = [(Fraction(2, 5), 90), (Fraction(3, 5), 60)]
    rows: list[Soft] = []
    for p, times in levels:
        for each in range(100):
            zero, other = (each < times) != is_turned, bool(draw.random() < 0.4)
            rows.append(((zero, other) if share == "label" else (other, zero), (p, 1 - p)))
    frame = pl.DataFrame(
        {
            "label": [outcome[0] for outcome, _ in rows],  # type: ignore[index]
            "predicted": [outcome[1] for outcome, _ in rows],  # type: ignore[index]
            "p_black": [float(p) for _, (p, _) in rows],
            "p_white": [float(p) for _, (_, p) in rows],
            "score": draw.random(len(rows)).round(1),
        }
    )
    return rows, frame


@pytest.mark.parametrize("is_turned", [False, True])
def test_what_divides_by_a_count_of_0_is_null_and_has_a_note(*, is_turned: bool) -> None:
    _, frame = cancelling("label", is_turned=is_turned)
    columns: dict[str, Any] = {"label": "label", "predicted": "predicted", "score": "score"}
    audit = pf.audit(frame, **SIDES, **columns, estimator="linear", confidence=None)
    value, note = pl.col("value"), pl.col("note")
    assert audit.filter(value.is_finite() & (value.abs() > 1e6)).is_empty()
    assert audit.filter(value.is_null() & note.is_null()).is_empty()
    # A group without a positive row, or without a negative one, by the regression.
    nulls = {"auc_difference", "abroca", "sd" if is_turned else "rd"}
    assert nulls <= {*audit.filter(value.is_null())["metric"]}


@pytest.mark.parametrize("share", ["label", "predicted"])
@pytest.mark.parametrize("is_turned", [False, True])
def test_a_rate_over_a_count_of_0_is_undefined(share: str, *, is_turned: bool) -> None:
    rows, frame = cancelling(share, is_turned=is_turned)
    question: dict[str, Any] = {"facet": RACE, "label": "label", "predicted": "predicted"}
    question["estimator"] = "linear"
    rates = pf.rates(frame, **question)
    undefined = 0
    for group, of_group in zip(("Black", "White"), counts_by_fractions(rows), strict=True):
        found = rates.row(by_predicate=pl.col("value") == group, named=True)
        for name, rate in RATES.items():
            above, below = (
                sum(of_group[count] for count in part) for part in (rate.above, rate.below)
            )
            value = float(above / below) if below else None
            assert found[name] == (pytest.approx(value, rel=1e-9) if below else None), (group, name)
            undefined += not below
    assert undefined >= 2
    for name in ("rd", "sd", "dar", "drr"):
        audit = pf.audit(frame, name, disfavored="Black", **question, bands={name: (-9e9, 9e9)})
        [row] = audit.select("value", "verdict").rows()
        assert row[1] == "undefined" or abs(row[0]) < 1e6


@pytest.mark.parametrize("seed", range(3))
def test_a_mean_of_squares_below_0_is_no_error_of_0(seed: int) -> None:
    rows = people(seed, rows=120, certain=0.8).with_columns(
        # Estimates are good where a group is likely: squares by the regression fall below 0.
        estimated=pl.col("estimated") * (1 - pl.col("p_black")) + pl.col("observed") * 0.9
    )
    of = partial(counts, rows, weight=np.ones(rows.height), estimator="linear")
    n: Floats = of(np.ones(rows.height))
    observed, estimated = (rows[name].to_numpy() for name in ("observed", "estimated"))
    square = of((estimated - observed) ** 2) / n
    distance = of(abs(estimated - observed)) / n
    own, other = (of(x**2) / n - (of(x) / n) ** 2 for x in (estimated, observed))
    together = of(estimated * observed) / n - of(estimated) / n * of(observed) / n
    with np.errstate(invalid="ignore"):
        expected = {
            "mae": distance,
            "rmse": np.sqrt(square),
            "r2": np.where(square < 0, np.nan, 1 - square / np.where(other > 0, other, np.nan)),
            "correlation": np.clip(
                together / np.sqrt(own * np.where(other > 0, other, np.nan)), -1, 1
            ),
        }
    question: dict[str, Any] = {"facet": RACE, "estimator": "linear", **OF_NUMBERS}
    rates = pf.rates(rows, **question).filter(pl.col("value").is_not_null()).sort("value")
    for name, values in expected.items():
        found = rates[name].cast(pl.Float64).fill_null(np.nan).to_numpy()
        np.testing.assert_allclose(found, values[:2], rtol=1e-6, err_msg=name)
    bands = dict.fromkeys(("mae_difference", "rmse_difference", "rmse_ratio", "rmse_gap"), (0, 2))
    audit = pf.audit(
        rows, *bands, "worst_mse", **question, disfavored="Black", favored="White", bands=bands
    )
    verdicts = dict(audit.select("metric", "verdict").rows())
    shown = dict(audit.select("metric", "value").rows())
    assert (shown["rmse_difference"] is None) == (square[:2].min() < 0)
    assert (shown["worst_mse"] is None) == (square[:2].min() < 0)
    for name in ("rmse_difference", "rmse_ratio", "rmse_gap"):
        assert (verdicts[name] == "undefined") >= (square[:2].min() < 0)
    assert (verdicts["mae_difference"] == "undefined") >= (distance[:2].min() < 0)
