"""The best so many: cuts by rank, and metrics of rankings, beside sums in plain Python."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.counting import steps
from tests.frames import shared
from tests.strategies import examples, frames

QUESTION: dict[str, Any] = {"facet": "sex", "disfavored": "F", "favored": "M", "score": "s"}

NORMAL: Final = NormalDist()

TEN = pl.DataFrame(
    {
        "s": [0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1],
        "sex": ["M", "M", "F", None, "M", "F", "M", None, "F", "F"],
        "y": [1, 0, 1, 1, 0, 1, 1, 0, 0, 1],
    }
)

Row = Mapping[str, Any]


def parts(rows: Sequence[Row], amount: str, weight: str | None) -> list[Fraction]:
    """The part of each row that is accepted: what the rows above leave, divided among its ties."""
    of_share = "." in amount
    mass = [Fraction(row[weight]) if weight and of_share else Fraction(1) for row in rows]
    needed = Fraction(amount)
    if of_share:
        needed *= sum(mass)
        needed = needed if weight else Fraction(math.ceil(needed))
    found = []
    for row in rows:
        above = sum(m for other, m in zip(rows, mass, strict=True) if other["s"] > row["s"])
        tied = sum(m for other, m in zip(rows, mass, strict=True) if other["s"] == row["s"])
        found.append(min(Fraction(1), max(Fraction(0), (needed - above) / tied)))
    return found


def rate(rows: Sequence[Row], accepted: Sequence[Fraction], weight: str | None, **of: Any) -> Any:
    """The selection rate of the rows with these values; None without rows."""
    held = [
        (Fraction(row[weight]) if weight else Fraction(1), part)
        for row, part in zip(rows, accepted, strict=True)
        if all(row[name] == value for name, value in of.items())
    ]
    total = sum(mass for mass, _ in held)
    return sum(mass * part for mass, part in held) / total if total else None


def less(left: Fraction | None, right: Fraction | None) -> float | None:
    return None if left is None or right is None else float(left - right)


def approx(value: float | None) -> Any:
    return value if value is None else pytest.approx(value, rel=1e-9, abs=1e-12)


@given(frames(), st.sampled_from(["0.1", "0.07", "0.5", "0.9", "1", "3", "7"]), st.booleans())
@examples(40)
def test_metrics_are_those_of_brute_force(
    frame: pl.DataFrame, amount: str, is_weighted: bool
) -> None:
    weight = "w" if is_weighted else None
    best = pf.best(float(amount) if "." in amount else int(amount))
    question = {**QUESTION, "label": "y", "by": "branch", "weight": weight, "threshold": best}
    answer = pf.metrics(frame, "dppl", "rd", "exposure_ratio", "ndkl", **question)
    assert {*answer["branch"]} == {*frame["branch"]}
    assert answer["threshold"].unique().to_list() == [float(amount)]
    for found in answer.iter_rows(named=True):
        rows = [row for row in frame.iter_rows(named=True) if row["branch"] == found["branch"]]
        accepted = parts(rows, amount, weight)
        rates = [rate(rows, accepted, weight, sex=sex) for sex in "MF"]
        assert found["dppl"] == approx(less(*rates))
        tprs = [rate(rows, accepted, weight, sex=sex, y=True) for sex in "MF"]
        assert found["rd"] == approx(less(*tprs))
        assert found["exposure_ratio"] == approx(exposure_ratio(rows, weight))
        assert found["ndkl"] == approx(ndkl(rows, weight))


def attention(rows: Sequence[Row]) -> dict[float, float]:
    """The mean of 1/log₂(1 + rank) over the rows of each score."""
    found = {}
    for score in {row["s"] for row in rows}:
        above = sum(row["s"] > score for row in rows)
        tied = sum(row["s"] == score for row in rows)
        places = range(above + 1, above + tied + 1)
        found[score] = sum(1 / math.log2(1 + place) for place in places) / tied
    return found


def exposure_ratio(rows: Sequence[Row], weight: str | None) -> float | None:
    of_score, means = attention(rows), []
    for sex in "FM":
        held = [(row[weight] if weight else 1, of_score[row["s"]]) for row in rows]
        held = [each for each, row in zip(held, rows, strict=True) if row["sex"] == sex]
        if not held:
            return None
        means.append(sum(w * each for w, each in held) / sum(w for w, _ in held))
    return means[0] / means[1]


def ndkl(rows: Sequence[Row], weight: str | None) -> float | None:
    """The mean over ranks of the divergence of the shares so far from the shares of all."""
    known = [row for row in rows if row["sex"] is not None]
    groups = {row["sex"] for row in known}
    if len(groups) < 2:
        return None

    def shares(held: Sequence[Row]) -> dict[str, float]:
        of = {sex: [r[weight] if weight else 1 for r in held if r["sex"] == sex] for sex in groups}
        total = sum(map(sum, of.values()))
        return {sex: sum(each) / total for sex, each in of.items()}

    of_all, of_score, found = shares(known), attention(known), 0.0
    for row in known:
        so_far = shares([other for other in known if other["s"] >= row["s"]])
        divergence = sum(p * math.log(p / of_all[sex]) for sex, p in so_far.items() if p)
        found += of_score[row["s"]] * divergence
    return found / sum(of_score[row["s"]] for row in known)


def test_many_rankings_of_scores_that_differ() -> None:
    """Scores that differ stand in lists, whose sums are those of their rows."""
    rng = np.random.default_rng(0)
    columns = {"q": np.arange(300) % 30, "s": rng.random(300), "sex": rng.choice(["F", "M"], 300)}
    frame = pl.DataFrame(columns)
    for names in (["exposure_ratio"], ["exposure_ratio", "ndkl"]):
        answer = pf.metrics(frame, *names, **QUESTION, by="q")
        for found in answer.iter_rows(named=True):
            rows = frame.filter(q=found["q"]).rows(named=True)
            assert found["exposure_ratio"] == approx(exposure_ratio(rows, None))
            assert "ndkl" not in names or found["ndkl"] == approx(ndkl(rows, None))


@pytest.mark.extras
def test_rows_that_tie_count_in_part() -> None:
    """Of two rows that tie for the second of two places, half of each is accepted."""
    answer = shared(pf.rates, TEN, **QUESTION, label="y", threshold=pf.best(2, 4))
    columns = ("threshold", "value", "n", "tp", "fp", "fn", "tn")
    assert answer.select(columns).rows()[:4] == [
        (2.0, "F", 4, 0.5, 0.0, 2.5, 1.0),
        (2.0, "M", 4, 1.0, 0.5, 1.0, 1.5),
        (2.0, None, 2, 0.0, 0.0, 1.0, 1.0),
        (2.0, None, 10, 1.5, 0.5, 4.5, 3.5),
    ]
    audit = pf.audit(TEN, "di", **QUESTION, threshold=pf.best(2, 4), p_values="exact")
    assert audit["p_value"].is_null().to_list() == [True, False]
    assert audit["note"].str.contains("tie at the cut").to_list() == [True, False]


def test_the_attention_of_many_ranks_is_an_integral(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "_ONE_BY_ONE", 1000)
    places = np.array([10.0, 1000.0, 1001.0, 50_000.0])
    exact = [sum(1 / math.log2(1 + r) for r in range(1, int(each) + 1)) for each in places]
    assert steps.attention_up_to(places).tolist() == pytest.approx(exact, rel=1e-9)


def test_intervals_are_those_of_decisions() -> None:
    """The cut is taken as it stands: who is accepted is a decision like any other."""
    draw = np.random.default_rng(7)
    frame = pl.DataFrame({"s": draw.normal(size=400), "sex": ["F", "M", "M", "M"] * 100})
    frame = frame.with_columns(y=pl.int_range(400) % 3 == 0)
    question = {**QUESTION, "label": "y"}
    of_scores = pf.audit(frame, "di", "dppl", "rd", **question, threshold=pf.best(0.2))
    accepted = pl.col("s") >= frame["s"].sort()[-80]
    decided = {**question, "score": None, "predicted": accepted.alias("accepted")}
    of_decisions = pf.audit(frame, "di", "dppl", "rd", **decided)
    columns = ["metric", "value", "lower", "upper", "verdict"]
    assert_frame_equal(of_scores.select(columns), of_decisions.select(columns), rel_tol=1e-9)
    assert {*of_scores["note"]} == {"threshold: the interval takes the cut as it stands"}


@pytest.mark.simulation
@pytest.mark.nightly
@pytest.mark.parametrize("rows", [200, 2000])
@pytest.mark.parametrize("apart", [0.0, 0.3])
def test_intervals_hold_although_the_cut_moves(rows: int, apart: float) -> None:
    """Normal scores of women lie so many deviations below those of men, 1,000 times."""
    draw, sets, shares = np.random.default_rng(1), 1000, [0.05, 0.2, 0.5]
    is_woman = draw.random(sets * rows) < 0.4
    frame = pl.DataFrame(
        {
            "set": np.repeat(np.arange(sets), rows),
            "sex": np.where(is_woman, "F", "M"),
            "s": draw.normal(size=sets * rows) - apart * is_woman,
        }
    )
    question = {**QUESTION, "threshold": pf.best(*shares), "by": "set"}
    found = pf.audit(frame, "di", "dppl", **question)
    for share in shares:
        low, high = -5.0, 5.0  # the cut of the population, by halving
        for _ in range(60):
            cut = (low + high) / 2
            women, men = NORMAL.cdf(-cut - apart), NORMAL.cdf(-cut)
            low, high = (cut, high) if 0.4 * women + 0.6 * men > share else (low, cut)
        for metric, truth in (("di", women / men), ("dppl", men - women)):
            of_metric = found.filter(metric=metric, threshold=share).drop_nulls("lower")
            held = of_metric.select(pl.lit(truth).is_between("lower", "upper").mean()).item()
            assert of_metric.height > 0.95 * sets
            assert 0.92 < held < 0.98, (share, metric)


@pytest.mark.parametrize(
    "question", [{}, {"weight": pl.lit(2.0).alias("w")}, {"favored": pf.HIGHEST}]
)
def test_intervals_follow_neither_sides_nor_other_windows(question: Mapping[str, Any]) -> None:
    scores = np.random.default_rng(5).normal(size=200)
    frame = pl.DataFrame({"s": scores, "sex": ["F", "M", "M", "M"] * 50, "b": 1})
    frame = frame.with_columns(y=pl.int_range(200) % 3 == 0)
    posed = {**QUESTION, "label": "y", "threshold": pf.best(0.2), "replicates": 100, "by": "b"}
    posed |= question
    names = ("dppl", "rd", "tpr_gap")
    columns = ("metric", "value", "lower", "upper")
    audit = pf.audit(frame, *names, **posed).select(columns).rows()
    assert all(lower < value < upper for _, value, lower, upper in audit)
    other = frame.with_columns(b=2, s=-pl.col("s"))
    both = pf.audit(pl.concat([other, frame]), "rd", **{**posed, "threshold": pf.best(0.2, 0.5)})
    assert both.filter(b=1, threshold=0.2).select(columns).rows() == audit[1:2]
    if "favored" not in question:
        mirror = shared(pf.audit, frame, "dppl", **{**posed, "disfavored": "M", "favored": "F"})
        _, value, lower, upper = audit[0]
        expected = tuple(map(approx, (-value, -upper, -lower)))
        assert mirror.select(columns).row(0)[1:] == expected


def test_examples_of_papers_and_of_fairranktune() -> None:
    """Exposures that Singh and Joachims 2018 print; what FairRankTune 0.0.7 gives, to its 1e-7."""
    expected = {
        # order: mean exposures of groups, NDKL
        "MMMFFF": ({"M": 0.7103099, "F": 0.3912455}, 0.4663623),
        "MFFM": ({"M": 0.7153383, "F": 0.5654649}, 0.2816444),
        "FMMMMMMMMM": ({"M": 0.3937288, "F": 1.0}, 0.6149797),
        "MMMMMMMMMF": ({"M": 0.4727216, "F": 0.2890648}, 0.0986561),
        "ABCABCCCAB": ({"A": 0.5772355, "B": 0.4356158, "C": 0.3762513}, 0.3567978),
    }
    for order, (exposures, divergence) in expected.items():
        scores = [float(-place) for place in range(len(order))]
        frame = pl.DataFrame({"group": list(order), "s": scores})
        d, *_, a = exposures
        question: dict[str, Any] = {"facet": "group", "disfavored": d, "favored": a, "score": "s"}
        answer = pf.metrics(frame, "exposure_ratio", "ndkl", **question)
        found = answer.row(0, named=True)
        assert found["exposure_ratio"] == pytest.approx(exposures[d] / exposures[a], abs=1e-6)
        assert found["ndkl"] == pytest.approx(divergence, abs=1e-5)
    # Printed for three men before three women: 0.71 and 0.39.
    assert {sex: round(each, 2) for sex, each in expected["MMMFFF"][0].items()} == {
        "M": 0.71,
        "F": 0.39,
    }
