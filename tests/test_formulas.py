"""User metrics: an expression that is no formula is refused, and the sign is found."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any, Final

import pytest

import polars_fairness as pf
from polars_fairness.formula.tree import literal
from polars_fairness.terms import (
    a,
    a_i,
    a_v,
    across,
    across_strata,
    all_,
    d,
    d_i,
    d_v,
    g,
    over_labels,
    population,
    ratio,
    stratified,
)
from tests.frames import QUESTION, people, shared

ODDS: Final = ratio(d.accepted * a.rejected, d.rejected * a.accepted)


def own(formula: Any, **more: Any) -> pf.Metric:
    return pf.Metric("own", "Own", formula, **more)


def test_equal_parts_of_formulas_are_one_object() -> None:
    written = [(d.accepted * a.rejected / 2).log(), (d.accepted * a.rejected / 2).log()]
    assert written[0] is written[1]
    assert pickle.loads(pickle.dumps(written[0])) is written[0]
    assert literal(0.0) is not literal(-0.0)
    assert literal(1) is literal(True)


@pytest.mark.parametrize(
    "formula",
    [
        ODDS,
        stratified(d_i.share - a_i.share),
        across_strata((a_i.tpr - d_i.tpr).max()),
        over_labels((d_v.n * a_v.n).sum()),
        across(g.selection_rate.std()),
        across((g.n / all_.n * g.tpr).sum()),
        across(ratio(g.tpr.max(), g.tpr.min())),
        population(g.accepted.sum()),
    ],
)
def test_a_formula_of_one_value_is_computed(formula: Any) -> None:
    answer = shared(pf.metrics, people(), own(formula), subgroup="branch", **QUESTION)
    assert answer["own"].null_count() == 0


# Signs


def test_an_odds_ratio_below_its_band_speaks_against_women() -> None:
    """557 of 1,835 women and 1,198 of 2,691 men are admitted: odds in a ratio of 0.54."""
    question: dict[str, Any] = {"facet": "sex", "predicted": "admitted", "count": "n"}
    bands = {"own": (0.8, 1.25)}
    odds = own(ODDS, ideal=1)
    answer = pf.audit(pf.datasets.berkeley(), odds, bands=bands, **question)
    assert answer.select("disfavored", "favored", "verdict").rows() == [
        ("Female", "Male", "outside")
    ]
    accepted = own(ODDS, ideal=1, acceptable=(0.8, 1.25))
    again = pf.audit(pf.datasets.berkeley(), accepted, **question)
    assert again["verdict"].equals(answer["verdict"])


def test_a_band_needs_a_sign_where_the_formula_has_none() -> None:
    distance = own((a.tpr - d.tpr).abs())
    bands = {"own": (0, 0.1)}
    assert pf.audit(people(), distance, confidence=None, **QUESTION)["verdict"].to_list() == [None]
    answer = pf.audit(people(), replace(distance, sign=0), bands=bands, **QUESTION)
    assert answer["verdict"].null_count() == 0


# Counts
