"""User metrics: an expression that is no formula is refused, and the sign is found."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.formula.tree import Expression, literal, term
from polars_fairness.terms import (
    Each,
    Neighbourhood,
    Side,
    a,
    a_i,
    a_v,
    across,
    across_strata,
    all_,
    among_favored,
    both,
    d,
    d_i,
    d_v,
    d_x,
    g,
    larger,
    over_labels,
    partition,
    population,
    ratio,
    stratified,
    unbounded_ratio,
)
from polars_fairness.values.formula_checks import sign_of
from tests.frames import QUESTION, people

ODDS: Final = ratio(d.accepted * a.rejected, d.rejected * a.accepted)


def own(formula: Any, **more: Any) -> pf.Metric:
    return pf.Metric("own", "Own", formula, **more)


# Refused when it is made


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("a.tpr - d.tpr", "formula: 'own' takes arithmetic on the terms"),
        (None, "formula: 'own' takes arithmetic on the terms"),
        (0.5, "formula: 'own' takes arithmetic on the terms"),
        (a, "formula: 'own' takes arithmetic on the terms"),
        (pl.col("a.tpr") - pl.col("d.tpr"), "formula: 'own' takes arithmetic on the terms"),
        (across(3), "formula: 'own' takes arithmetic on the terms"),  # type: ignore[arg-type]
        (a.tpr - term("d.nosuch"), "formula: 'd.nosuch' in 'own' is no term at the level"),
        (
            a.tpr - d_i.tpr,
            "formula: 'd_i.tpr' in 'own' is no term at the level 'comparison'",
        ),
        (
            stratified(a.tpr - d_i.tpr),
            "formula: 'a.tpr' in 'own' is no term at the level 'stratum'",
        ),
        (across(g.tpr.max() - a.tpr), "formula: 'a.tpr' in 'own' is no term at the level 'group'"),
        (population(all_.tpr), "formula: 'all.tpr' in 'own' is no term at the level 'population'"),
        (a.share, "formula: 'a.share' in 'own' is no term at the level 'comparison'"),
        (across(g.vote.max()), "formula: 'g.vote' in 'own' is no term at the level 'group'"),
        (
            across(g.tpr.max(), each=Each("tpr", a.n, g.tpr)),
            "formula: 'a.n' in 'own' is no term at the level 'group'",
        ),
    ],
)
def test_a_metric_of_no_formula_cannot_be_made(formula: Any, message: str) -> None:
    with pytest.raises(pf.FairnessError, match=f"^{message}"):
        own(formula)


def test_a_mistyped_term_is_answered_with_the_nearest() -> None:
    with pytest.raises(pf.FairnessError, match=r"did you mean .*'d\.accepted'"):
        own(term("d.acepted") - a.accepted)


COLUMN: Final[Any] = pl.col("d.tpr")
TEXT: Final[Any] = "x"


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (lambda: a.tpr - COLUMN, r"takes the terms .* larger for pl\.max_horizontal"),
        (lambda: larger(a.tpr, COLUMN), r"choose for pl\.when"),
        (lambda: a.tpr + TEXT, "takes terms and numbers, got 'x'"),
        (lambda: 1 if a.tpr > d.tpr else 0, r"choose\(condition, value, otherwise\)"),
        (lambda: a.tpr.fill_null(0), r"has no 'fill_null'; write choose\(value\.is_null\(\)"),
        (lambda: g.n.cum_sum() + 1, r"has no 'cum_sum'; write running_sum\(\)"),
        (lambda: g.tpr.max().over("sex"), "has no 'over'; write terms such as all_.n"),
    ],
)
def test_what_a_formula_may_not_hold_is_answered_with_the_word_to_use(
    write: Callable[[], Any], message: str
) -> None:
    with pytest.raises((pf.FairnessError, AttributeError), match=f"^formula: .*{message}"):
        write()


def test_equal_parts_of_formulas_are_one_object() -> None:
    written = [(d.accepted * a.rejected / 2).log(), (d.accepted * a.rejected / 2).log()]
    assert written[0] is written[1]
    assert pickle.loads(pickle.dumps(written[0])) is written[0]
    assert literal(0.0) is not literal(-0.0)
    assert literal(1) is literal(True)


@pytest.mark.parametrize("sentence", ["{c} is better", "{0} is better", "{d", "{}", "{d.x}"])
@pytest.mark.parametrize("name", ["above", "below", "reading"])
def test_a_sentence_has_slots_for_the_sides_and_the_value_only(name: str, sentence: str) -> None:
    message = f"^{name}: {re.escape(repr(sentence))} has braces around what is none of {{d}}"
    with pytest.raises(pf.FairnessError, match=message):
        own(ODDS, **{name: sentence})
    with pytest.raises(pf.FairnessError, match=message):
        own(ODDS, unfavorable={name: sentence})


@pytest.mark.parametrize("sign", [2, "d", 0.5])
def test_a_sign_is_one_of_three(sign: Any) -> None:
    with pytest.raises(pf.FairnessError, match=r"^sign: takes 1, -1, 0 or None, got"):
        own(a.tpr - d.tpr, sign=sign)


# Refused when it is used

MANY: Final = [across(g.tpr), across_strata(d_i.tpr), over_labels(a_v.share), partition(g.n)]
MIXING: Final = [
    *(a.tpr.max() - d.tpr, stratified(d_i.n / d_i.n.sum()), a.n.running_sum(), a.n.previous())
]
ORDERED: Final = [across(g.tpr.first()), across(g.n.running_sum().max()), across(g.n.next().sum())]
UNKNOWN: Final = [term("tpr"), a.tpr - term("age")]


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        *((formula, "has a value for each") for formula in MANY),
        *((formula, "mixes each") for formula in MIXING),
        *((formula, "depends on the order of rows") for formula in ORDERED),
        *((formula, r"reads '(tpr|age)'; use the terms of") for formula in UNKNOWN),
    ],
)
@pytest.mark.parametrize("function", [pf.metrics, pf.audit])
def test_a_formula_without_one_value_is_refused(
    function: Callable[..., Any], formula: Any, message: str
) -> None:
    with pytest.raises(pf.FairnessError, match=f"^formula: 'own' {message}"):
        function(people().lazy(), own(formula), subgroup="branch", **QUESTION)


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
    answer = pf.metrics(people(), own(formula), subgroup="branch", **QUESTION)
    assert answer["own"].null_count() == 0


# Signs

# The sign of "rate of a less rate of d": it is good to be accepted and, for rates that do not
# depend on acceptance, to be decided correctly.
OF_RATES: Final = {
    **dict.fromkeys(["selection_rate", "tpr", "fpr", "ppv", "npv", "accuracy", "f1"], 1),
    **dict.fromkeys(["fnr", "tnr", "fdr", "false_omission_rate"], -1),
    "base_rate": 1,
}


def rate(side: Side, name: str) -> Expression:
    return term(f"{side.name}.{name}")


@pytest.mark.parametrize("name", OF_RATES)
def test_the_sign_of_a_comparison_of_rates_is_that_of_its_rate(name: str) -> None:
    sign = OF_RATES[name]
    one, other = rate(a, name), rate(d, name)
    assert sign_of(own(one - other)) == sign
    assert sign_of(own(other - one)) == -sign
    assert sign_of(own(unbounded_ratio(other, one), ideal=1)) == -sign
    assert sign_of(own((one - other).abs())) is None
    assert sign_of(own((one - other).abs(), sign=0)) == 0
    assert sign_of(own(one - other, sign=-1)) == -1
    in_strata = rate(a_i, name) - rate(d_i, name)
    assert sign_of(own(stratified(in_strata))) == sign
    assert sign_of(own(across_strata(in_strata.max()))) == sign


@pytest.mark.parametrize(
    ("formula", "sign"),
    [
        (ODDS, -1),
        (ratio(a.n, both.n), 1),
        (d.tpr * a.fpr - d.fpr, -1),
        (larger(a.tpr, d.tpr) - d.ppv, None),
        (over_labels((a_v.share - d_v.share).sum()), None),
        (among_favored(ratio(d_x.rejected.sum(), d_x.n.sum()), Neighbourhood()), 1),
        (across(g.tpr.max()), 0),
    ],
)
def test_the_sign_of_other_formulas_is_found_or_unknown(formula: Any, sign: int | None) -> None:
    assert sign_of(own(formula)) == sign


def test_an_odds_ratio_below_its_band_speaks_against_women() -> None:
    """557 of 1,835 women and 1,198 of 2,691 men are admitted: odds in a ratio of 0.54."""
    question: dict[str, Any] = {"facet": "sex", "predicted": "admitted", "count": "n"}
    bands = {"own": (0.8, 1.25)}
    odds = own(ODDS, ideal=1)
    answer = pf.audit(pf.datasets.berkeley(), odds, bands=bands, **question)
    assert answer.select("disfavored", "favored", "verdict").rows() == [
        ("Female", "Male", "against_disfavored")
    ]
    accepted = own(ODDS, ideal=1, acceptable=(0.8, 1.25))
    again = pf.audit(pf.datasets.berkeley(), accepted, **question)
    assert again["verdict"].equals(answer["verdict"])


def test_a_band_needs_a_sign_where_the_formula_has_none() -> None:
    distance = own((a.tpr - d.tpr).abs())
    bands = {"own": (0, 0.1)}
    message = "^bands: the formula of 'own' does not show which side a value above its ideal speaks"
    for metric, given in ((distance, bands), (replace(distance, acceptable=(0, 0.1)), None)):
        with pytest.raises(pf.FairnessError, match=message):
            pf.audit(people(), metric, bands=given, **QUESTION)
    assert pf.audit(people(), distance, confidence=None, **QUESTION)["verdict"].to_list() == [None]
    answer = pf.audit(people(), replace(distance, sign=0), bands=bands, **QUESTION)
    assert answer["verdict"].null_count() == 0


# Counts


def test_nothing_has_no_effective_rows() -> None:
    frame = pl.DataFrame({"sex": list("FFM"), "y": [0, 0, 1], "p": [0, 1, 1], "w": [0.1, 0.2, 1]})
    answer = pf.metrics(frame, own(d.effective_positive), disfavored="F", weight="w", **QUESTION)
    assert answer["own"].item() == 0.0


def test_counts_beyond_64_bits_are_multiplied() -> None:
    frame = pl.DataFrame({"sex": list("FM"), "n": [4 * 10**9] * 2})
    answer = pf.metrics(frame, own(population(g.n.sum() * g.n.sum())), count="n")
    assert answer["own"].item() == 64e18
