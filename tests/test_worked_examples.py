"""Figures of the sources, each computed by hand or printed by its author."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.frames import DEPARTMENTS, QUESTION, fairness, predictions


def value(frame: pl.DataFrame, name: str, **question: object) -> float:
    arguments = {**QUESTION, "disfavored": "d", "count": "n", **question}
    return float(pf.metrics(frame, name, **arguments)[name].item())


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


def test_the_size_of_a_group_moves_demographic_disparity_and_not_the_rates() -> None:
    """0 of 50 of d and 285 of 950 of a are accepted in each of four branches."""
    frame = pl.concat(
        predictions(d=(0, 50), a=(285, 665)).with_columns(branch=pl.lit(branch))
        for branch in "nesw"
    )
    question: dict[str, Any] = {"facet": "sex", "disfavored": "d", "predicted": "p"}
    question |= {"subgroup": "branch", "count": "n"}
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
