"""What a stranger types for a metric leads to it, or to where the number is."""

from __future__ import annotations

import ast
import subprocess
import sys
from typing import Final

import pytest

import polars_fairness as pf
from polars_fairness.catalogue.hints import NO_METRICS, SYNONYMS

# The guesses, and what the hint has to name first: one of these.
GUESSES: Final = {
    "air": "di",
    "adverse impact": "di",
    "impact ratio": "di",
    "Disparate Impact Ratio": "di",
    "risk ratio": "di",
    "80 % rule": "di four_fifths",
    "80% rule": "di four_fifths",
    "4/5 rule": "di four_fifths",
    "four-fifths-rule": "four_fifths",
    "SPD": "statistical_parity",
    "statistical_parity_difference": "statistical_parity dpl",
    "demographic parity": "dppl statistical_parity selection_rate_gap",
    "dp_difference": "dppl statistical_parity selection_rate_gap",
    "selection rate difference": "dppl selection_rate_gap",
    "equal opportunity": "rd tpr_gap",
    "eo": "rd tpr_gap",
    "recall": "rd tpr_gap",
    "tpr difference": "rd tpr_gap",
    "true_positive_rate": "rd tpr_gap",
    "equalized odds": "equalized_odds_gap average_odds_difference",
    "equalised_odds": "equalized_odds_gap average_odds_difference",
    "eqodds": "equalized_odds_gap",
    "AOD": "average_odds_difference",
    "false_positive_rate_difference": "sd fpr_gap fpr_difference",
    "predictive equality": "sd fpr_gap",
    "specificity": "sd tnr_gap",
    "precision": "dar ppv_gap",
    "predictive_parity": "dar ppv_gap",
    "treatment_equality": "te",
    "accuracy parity": "ad accuracy_gap",
    "error rate difference": "ad accuracy_gap",
    "calibration": "calibration_difference",
    "roc_auc_score": "auc_difference auc_gap",
    "gini": "auc_difference",
    "ks statistic": "score_ks ks",
    "earth mover's distance": "score_wasserstein",
    "cohen d": "cohens_d",
    "z-test": "two_sd",
    "conditional statistical parity": "cddpl",
    "generalized entropy index": "ge",
    "wage gap": "observed_ratio",
    "CI": "ci",
    "dpll": "dpl",
}

# What is no metric, and the words that say what to do.
ELSEWHERE: Final = {
    "log loss": "it is not included; 'brier_difference'",
    "logloss": "it is not included; 'brier_difference'",
    "f1": "pf.rates has it",
    "MCC": "it is not included; pf.rates",
    "PSI": "it is not included; pf.audit(baseline",
    "individual fairness": "call pf.consistency(frame, features=",
    "counterfactual fairness": "call pf.fliptest(frame, features=",
    "xyzzy": "no name or title is similar",
}


def hint_for(guess: str) -> str:
    with pytest.raises(KeyError, match="no metric") as raised:
        pf.CATALOGUE[guess]
    return str(raised.value).partition("; ")[2]


@pytest.mark.parametrize("guess", GUESSES)
def test_a_guess_leads_to_a_metric(guess: str) -> None:
    *_, (_, *named) = [hint_for(guess).partition("?")[0].split("'")]
    assert named[0] in GUESSES[guess].split()
    assert len(named) // 2 <= 6


@pytest.mark.parametrize("guess", ELSEWHERE)
def test_what_is_no_metric_leads_to_where_it_is(guess: str) -> None:
    assert ELSEWHERE[guess] in hint_for(guess)


def test_a_name_of_another_tool_is_named_with_the_tool() -> None:
    named = hint_for("false_positive_rate_difference")
    for tool in ("aif360", "fairlearn", "solas"):
        assert f"'{tool}.false_positive_rate_difference'" in named


def test_synonyms_are_of_metrics_and_stand_once() -> None:
    metrics = {name for names in SYNONYMS for name in names.split()}
    assert metrics <= {*pf.CATALOGUE.names}
    synonyms = [name for names in SYNONYMS.values() for name in names.split(", ")]
    synonyms += NO_METRICS
    assert len(synonyms) == len({*synonyms})
    assert not {*synonyms} & {*pf.CATALOGUE.names}
    for named, each in SYNONYMS.items():
        for name in each.split(", "):
            assert hint_for(name).startswith(f"did you mean '{named.split()[0]}'"), name


def test_other_tools_are_loaded_for_a_hint_and_for_no_other_question() -> None:
    text = """
import sys, polars_fairness as pf
def loaded(): return [name for name in sys.modules if ".elsewhere" in name]
first = ("own" in pf.CATALOGUE, pf.CATALOGUE.get("own"), pf.CATALOGUE.get("own", 1), loaded())
try:
    pf.CATALOGUE["own"]
except KeyError:
    pass
print([*first, bool(loaded())])
"""
    printed = subprocess.run([sys.executable, "-c", text], check=True, capture_output=True).stdout
    assert ast.literal_eval(printed.decode()) == [False, None, 1, [], True]
    assert "aif360.no_such" not in pf.CATALOGUE
    assert "aif360.average_odds_difference" in pf.CATALOGUE
