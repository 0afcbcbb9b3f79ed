"""Figures of the sources, each computed by hand or printed by its author."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.frames import DEPARTMENTS, QUESTION, confusion, fairness, predictions


def value(frame: pl.DataFrame, name: str, **question: object) -> float:
    arguments = {**QUESTION, "disfavored": "d", "count": "n", **question}
    return float(pf.metrics(frame, name, **arguments)[name].item())


def observed_and_predicted(a: tuple[int, int], d: tuple[int, int], size: int) -> pl.DataFrame:
    """Sides with given numbers of observed and predicted positives; agreement does not matter."""

    def side(positive: int, accepted: int) -> tuple[int, int, int, int]:
        tp = min(positive, accepted)
        return tp, accepted - tp, positive - tp, size - positive - accepted + tp

    return confusion(a=side(*a), d=side(*d))


@pytest.mark.parametrize(
    ("a", "d", "expected"), [((70, 60), (20, 30), 1 / 2), ((50, 60), (40, 30), -1 / 2)]
)
def test_dcacc_of_the_worked_example(
    a: tuple[int, int], d: tuple[int, int], expected: float
) -> None:
    frame = observed_and_predicted(a, d, size=100)
    assert value(frame, "dcacc") == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("a", "d", "expected"), [((50, 60), (40, 30), 1 / 2), ((70, 60), (20, 30), -1 / 2)]
)
def test_dcr_of_the_worked_example(a: tuple[int, int], d: tuple[int, int], expected: float) -> None:
    """The pairs are observed and predicted negatives: swap the outcomes to make them."""
    frame = observed_and_predicted(a, d, size=100).with_columns(
        (pl.col("y", "p") == 0).cast(pl.Int64)
    )
    assert value(frame, "dcr") == pytest.approx(expected, abs=1e-15)


def test_specificity_and_recall_of_the_worked_example() -> None:
    frame = confusion(a=(65, 10, 5, 20), d=(20, 5, 7, 18))
    assert value(frame, "sd") == pytest.approx(18 / 23 - 20 / 30, abs=1e-15)
    assert value(frame, "rd") == pytest.approx(65 / 70 - 20 / 27, abs=1e-15)


def test_acceptance_and_rejection_rates_of_the_worked_example() -> None:
    frame = confusion(a=(35, 35, 20, 80), d=(40, 60, 10, 40))
    assert value(frame, "dar") == pytest.approx(0.10, abs=1e-15)
    assert value(frame, "drr") == pytest.approx(0, abs=1e-15)


def test_the_accuracy_difference_of_the_worked_example() -> None:
    frame = confusion(a=(60, 10, 20, 10), d=(40, 10, 40, 10))
    assert value(frame, "ad") == pytest.approx(0.2, abs=1e-15)


def test_treatment_equality_of_the_worked_example() -> None:
    frame = confusion(a=(43, 6, 8, 43), d=(20, 2, 5, 23))
    assert value(frame, "te") == pytest.approx(2.5 - 8 / 6, abs=1e-15)


def test_disparate_impact_of_the_worked_example() -> None:
    frame = predictions(a=(60, 40), d=(50, 50))
    assert value(frame, "di", label=None) == pytest.approx(5 / 6, abs=1e-15)


def test_the_figures_that_holisticai_prints() -> None:
    frame = pl.DataFrame(
        {
            "sex": list("aaaadddddd"),
            "p": [1, 1, 1, 0, 1, 1, 0, 0, 0, 0],
            "y": [1, 1, 0, 0, 1, 1, 1, 0, 0, 0],
        }
    )
    expected = {"four_fifths": 4 / 9, "two_sd": 1.290994449, "z_ratio": 1.256287689, "rd": 1 / 3}
    answer = pf.metrics(frame, *expected, disfavored="d", **QUESTION)
    assert answer.select(*expected).row(0) == pytest.approx(tuple(expected.values()), abs=1e-9)


def test_twelve_rows_by_hand() -> None:
    frame = confusion(F=(2, 2, 1, 2), M=(0, 2, 2, 1))
    expected = {
        "ci": -1 / 6,
        "di": 10 / 7,
        "dcacc": 1 / 4,
        "dcr": 1 / 3,
        "rd": -2 / 3,
        "sd": 1 / 6,
        "dar": -1 / 2,
        "drr": 1 / 3,
        "ad": -13 / 35,
        "te": -1 / 2,
        "ge": 0.24556213017751485,
    }
    answer = pf.metrics(frame, *expected, disfavored="F", count="n", **QUESTION)
    assert answer.select(*expected).row(0) == pytest.approx(tuple(expected.values()), abs=1e-15)


def test_berkeleys_reversal_by_hand() -> None:
    """Hand arithmetic on the totals: 557 women and 1,198 men admitted, 1,278 and 1,493 not."""
    answer = fairness(pf.datasets.berkeley()).metrics(
        "ddpl",
        "dppl",
        "cddpl",
        facet="sex",
        disfavored="Female",
        predicted="admitted",
        subgroup="department",
        count="n",
    )
    assert answer["n_disfavored"].item() == 1835
    assert answer["n_favored"].item() == 2691
    assert answer["ddpl"].item() == pytest.approx(1278 / 2771 - 557 / 1755, abs=1e-15)
    assert answer["dppl"].item() == pytest.approx(1198 / 2691 - 557 / 1835, abs=1e-15)
    weighted = sum(
        (rejected + admitted) * (wr / rejected - wa / admitted)
        for wr, rejected, wa, admitted in DEPARTMENTS.values()
    )
    assert answer["cddpl"].item() == pytest.approx(weighted / 4526, abs=1e-15)
    assert abs(answer["cddpl"].item()) < answer["ddpl"].item() / 5


def test_berkeleys_odds_ratio_by_hand() -> None:
    """557 of 1,835 women and 1,198 of 2,691 men were admitted."""
    answer = fairness(pf.datasets.berkeley()).odds_ratio(
        facet="sex", disfavored="Female", predicted="admitted", count="n"
    )
    assert answer["odds_ratio"].item() == pytest.approx(557 * 1493 / (1278 * 1198), rel=1e-14)


def test_berkeleys_common_ratio_and_difference_by_hand() -> None:
    """Mantel and Haenszel's sums over the departments, in exact fractions."""
    answer = pf.metrics(
        pf.datasets.berkeley(),
        "mh_ratio",
        "mh_difference",
        facet="sex",
        disfavored="Female",
        predicted="admitted",
        subgroup="department",
        count="n",
    )
    of_women = of_men = weights = Fraction(0)
    for wr, rejected, wa, admitted in DEPARTMENTS.values():
        n, women = rejected + admitted, wr + wa
        of_women += Fraction(wa * (n - women), n)
        of_men += Fraction((admitted - wa) * women, n)
        weights += Fraction(women * (n - women), n)
    assert answer["mh_ratio"].item() == pytest.approx(float(of_women / of_men), rel=1e-14)
    difference = float((of_men - of_women) / weights)
    assert answer["mh_difference"].item() == pytest.approx(difference, rel=1e-13)


def test_the_size_of_a_group_moves_demographic_disparity_and_not_the_rates() -> None:
    """0 of 50 of d and 285 of 950 of a are accepted in each of four branches."""
    frame = pl.concat(
        predictions(d=(0, 50), a=(285, 665)).with_columns(branch=pl.lit(branch))
        for branch in "nesw"
    )
    question: dict[str, Any] = {
        "facet": "sex",
        "disfavored": "d",
        "predicted": "p",
        "subgroup": "branch",
        "count": "n",
    }
    answer = pf.audit(frame, "cddpl", "ddpl", "di", "mh_ratio", "mh_difference", **question)
    values = [50 / 715, 50 / 715, 0, 0, 0.3]
    assert answer["value"].to_list() == pytest.approx(values, abs=1e-15)
    assert answer["verdict"].to_list() == [None, None, *["against_disfavored"] * 3]
    # A band makes a verdict of it, and a wrong one.
    banded = pf.audit(frame, "cddpl", bands={"cddpl": (-0.1, 0.1)}, **question)
    assert banded["verdict"].item() == "fair"


def test_berkeleys_common_odds_ratio_and_cmh_equal_rs() -> None:
    """The departments in exact fractions; R's `mantelhaen.test(UCBAdmissions)` prints 0.9046968
    for the odds of men over the odds of women, and 1.5246 without continuity correction."""
    answer = fairness(pf.datasets.berkeley()).metrics(
        "mh_odds_ratio",
        "cmh",
        facet="sex",
        disfavored="Female",
        predicted="admitted",
        subgroup="department",
        count="n",
    )
    above = below = excess = variance = Fraction(0)
    for wr, rejected, wa, admitted in DEPARTMENTS.values():
        n, women, men_admitted = rejected + admitted, wr + wa, admitted - wa
        men = n - women
        above += Fraction(wa * (rejected - wr), n)
        below += Fraction(wr * men_admitted, n)
        excess += men_admitted - Fraction(men * admitted, n)
        variance += Fraction(men * women * admitted * rejected, n * n * (n - 1))
    assert answer["mh_odds_ratio"].item() == pytest.approx(float(above / below), rel=1e-14)
    assert answer["mh_odds_ratio"].item() == pytest.approx(1 / 0.9046968, abs=1e-6)
    assert answer["cmh"].item() == pytest.approx(float(excess) / sqrt(variance), rel=1e-13)
    assert answer["cmh"].item() == pytest.approx(-sqrt(1.5246), abs=1e-4)
