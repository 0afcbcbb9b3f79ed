"""Every two arguments of every function go together, or are refused by a row of one table."""

from __future__ import annotations

from inspect import signature
from itertools import combinations
from traceback import extract_tb
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.api.functions import FUNCTIONS, PRESCRIBED, Function

pytestmark = pytest.mark.extras

UNUSED: Final = "nothing in this answer uses it"
ROWS: Final = pl.DataFrame(
    {
        "sex": ["F", "F", "M", "M"] * 8,
        "race": ["a", "b", "b", "a"] * 8,
        "branch": ["x", "y"] * 16,
        "y": [True, False, False, True] * 8,
        "p": [True, False, True, True] * 8,
        "p2": [True, True, True, False] * 8,
        "words": ["yes", "no", "no", "yes"] * 8,
        "given": [0.5, 1.0, 2.5, 0.25] * 8,
        "debt": [0.5, 1.5, 0.0, 4.0] * 8,
        "paid": [1.5, 3.0, 2.0, 0.75] * 8,
        "priced": [1.0, 2.0, 4.0, 3.75] * 8,
        "s": [0.125, 0.25, 0.75, 0.875] * 8,
        "p_f": [0.125, 0.25, 0.75, 0.875] * 8,
        "p_m": [0.875, 0.75, 0.25, 0.125] * 8,
        "x": [1, 2, 3, 4] * 8,
        "w": [1.0, 2.0, 1.0, 3.0] * 8,
        "n": [1, 2, 1, 3] * 8,
        "judge": [1, 2, 3, 4, 5, 6, 7, 8] * 4,
        "day": pl.Series([1, 40, 80, 120] * 8).cast(pl.Date),
    }
)

# The arguments that change what is computed, each with what it needs.
TRIED: Final[tuple[dict[str, Any], ...]] = (
    {"facet": pl.struct("sex", "race"), "disfavored": ("F", "a"), "favored": ("M", "b")},
    {"facet": pf.probabilities("sex", {"F": "p_f", "M": "p_m"})},
    {"predicted": "p"},
    {"predicted": {"one": "p", "two": "p2"}},
    {"observed": "paid"},
    {"estimated": "priced"},
    {"estimated": {"one": "priced", "two": "given"}},
    {"disfavored": "F", "facet": "sex"},
    {"favored": pf.HIGHEST},
    {"favored": pf.OVERALL},
    {"unknown": "X"},
    {"score": "s", "resolution": 0.125},
    {"positive": "yes", "label": "words"},
    {"classes": "each"},
    {"predicted": "given", "threshold": 0.5},
    {"predicted": "given", "threshold": [0.5, 1.0]},
    {"predicted": "given", "threshold": pf.best(4)},
    {"label": "debt", "label_threshold": 0.5},
    {"subgroup": "branch"},
    {"by": "day"},
    {"by": "day", "every": "1mo"},
    {"period": "2mo"},
    {"by": "day", "every": "1mo", "period": "2mo"},
    {"weight": "w"},
    {"count": "n"},
    {"cluster": "judge"},
    {"nulls": "drop"},
    {"confidence": None},
    {"hide_below": 3},
    {"method": "newcombe"},
    {"sequential": "each", "by": "day"},
    {"rule": "significant"},
    {"p_values": "exact"},
    {"champion": "one"},
    {"baseline": "previous"},
    {"baseline": ROWS, "baseline_count": "n"},
    {"baseline_count": "n"},
    {"drift": "clarify"},
    {"bounds": True},
    {"holdout": 0.5},
    {"flips": True},
    {"deviation": "pooled"},
    {"deviation": "population"},
    {"justification": "few"},
    {"selected": "p"},
)

# What each function is called with by position, and a question that it answers.
OUTCOMES: Final = {"facet": "sex", "label": "y", "predicted": "p"}
MODELS: Final = {**OUTCOMES, "predicted": {"one": "p", "two": "p2"}}
SCORED: Final = {"facet": "sex", "label": "y", "score": "s"}
LENT: Final = {**OUTCOMES, "favored": "M"}
BASES: Final[dict[str, tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "cells": ((), OUTCOMES),
    "rates": ((), OUTCOMES),
    "confusions": ((), OUTCOMES),
    "metrics": (("dppl",), OUTCOMES),
    "audit": (("dppl",), OUTCOMES),
    "bounds": (("dppl",), OUTCOMES),
    "plan": (("dppl",), OUTCOMES),
    "compare": (("dppl",), {**OUTCOMES, "disfavored": "F", "reported": 0.5}),
    "decompose": (("cddpl",), {**OUTCOMES, "subgroup": "branch"}),
    "drivers": ((), {**OUTCOMES, "controls": "branch"}),
    "worst_groups": (("spsf",), OUTCOMES),
    "switches": ((), {**MODELS, "champion": "one"}),
    "pairs": ((), {**OUTCOMES, "cluster": "branch"}),
    "calibration": ((), SCORED),
    "choose": ((), SCORED),
    "fliptest": ((), {**OUTCOMES, "features": "x", "k": 1}),
    "consistency": ((), {**OUTCOMES, "features": "x", "k": 1}),
    "reweigh": ((), OUTCOMES),
    "reweighed": ((), {**OUTCOMES, "name": "new"}),
    "intake": ((), {"facet": "sex"}),
    "representation": ((), {"facet": "sex", "reference": {"F": 1, "M": 1}}),
    "hiring.adverse_impact": ((), {"facet": "sex", "selected": "p"}),
    "hiring.impact_ratios": ((), {"sex": "sex", "race": "race", "selected": "p"}),
    "lending.table": ((), LENT),
    "lending.segments": ((), {**LENT, "subgroup": "branch"}),
    "lending.quantiles": ((), {"facet": "sex", "favored": "M", "score": "s"}),
    "pay.table": ((), {"facet": "sex", "favored": "M", "pay": "priced"}),
}


def function_of(name: str) -> Function:
    module, _, own = name.rpartition(".")
    return PRESCRIBED[module][own] if module else FUNCTIONS[own]


def is_refused_by_the_table(error: BaseException) -> bool:
    *_, last = extract_tb(error.__traceback__)
    return last.filename.endswith("clashes.py")


# All are 8,000 calls, a minute: the night's. Else each function takes a thirtieth of the pairs.
@pytest.mark.parametrize("step", [30, pytest.param(1, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("name", BASES)
def test_two_arguments_go_together_or_are_refused_by_the_table(name: str, step: int) -> None:
    positional, base = BASES[name]
    function = function_of(name)
    taken = signature(function).parameters
    known = [each for each in TRIED if each.keys() <= taken.keys()]
    # Its rule is that of a country.
    known = [each for each in known if name != "pay.table" or "rule" not in each]
    # These are about bounds.
    known = [each for each in known if name not in ("intake", "plan") or "confidence" not in each]
    wrong = {}
    first = [*BASES].index(name) % step
    for one, other in list(combinations(known, 2))[first::step]:
        # The shares of a population are those of one facet.
        if one.keys() & other.keys() or ("reference" in base and "facet" in {*one, *other}):
            continue
        try:
            function(ROWS.lazy(), *positional, **{**base, **one, **other})
        except pf.FairnessError as error:
            if not is_refused_by_the_table(error) and UNUSED not in str(error):
                wrong[f"{one} {other}"] = str(error)
    assert not wrong


def test_functions_that_are_not_tried_pass_their_question_on() -> None:
    tried = {
        *BASES,
        *("of", "check", "report", "explore", "hiring.report", "lending.report", "pay.report"),
    }
    assert tried == {*FUNCTIONS, *(f"{m}.{f}" for m, each in PRESCRIBED.items() for f in each)}
