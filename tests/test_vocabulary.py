"""One word for each idea, over all outputs that tests/snapshots keeps."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest

import polars_fairness as pf
from polars_fairness.api.verdicts import VERDICTS
from polars_fairness.reporting.words import verdict_in_words
from tests.frames import shared
from tests.snapshots.kept import KEPT

WORDS: Final = {
    "outside": "outside",
    "within": "within",
    "uncertain": "uncertain",
    "depends": "uncertain: depends on unknown race",
    "undefined": "not computed",
    None: "no band",
}
"""What an answer says, and what a page says of it."""

TITLES: Final = {
    "di": "Impact ratio",
    "disparate_impact": "Impact ratio",
    "adverse_impact_ratio": "Adverse impact ratio",
    "mh_ratio": "Impact ratio within strata",
    "dppl": "Selection rate difference",
    "statistical_parity": "Statistical parity difference",
    "rd": "True positive rate difference",
    "equal_opportunity_difference": "True positive rate difference",
    "sd": "Specificity difference",
    "fpr_difference": "False positive rate difference",
    "ad": "Accuracy difference",
    "accuracy_difference": "Accuracy difference",
    "cddpl": "Conditional demographic disparity",
}

NEVER_SAID: Final = {
    "a conclusion about conduct": r"\b(un)?fair\b(?!ness)",
    "chance as a verdict": r"not by chance",
    "a side as a verdict": r"outside, against",
    "distances of unlike metrics": r"Farthest from its ideal",
    "a warning in place of an interval that holds": r"not adjusted for the rank",
    "a rank that may be chance": r"fares worst",
    "doubt as a verdict": r"perhaps outside",
    "old verdicts": r"against_(dis)?favored|\bunfair\b",
    "a legal finding": r"[Dd]isparate impact",
}
OUTPUTS: Final = {
    path.relative_to(KEPT).as_posix(): path.read_text("utf-8")
    for folder in ("answers", "charts", "pages", "passages", "tables")
    for path in sorted((KEPT / folder).iterdir())
}


def test_a_page_says_each_verdict_by_one_word() -> None:
    assert {*WORDS} == {*VERDICTS, None}
    row = {"facet": "race"}
    assert {each: verdict_in_words({**row, "verdict": each}) for each in WORDS} == WORDS


@pytest.mark.parametrize("name", TITLES)
def test_a_report_calls_a_metric_what_the_caller_calls_it(name: str) -> None:
    """Its heading, its sentences and its tables have the name of the call, and its title."""
    question: dict[str, Any] = {
        "facet": "sex",
        "favored": "M",
        "predicted": "approved",
        "label": "repaid",
    }
    report = shared(
        pf.report, pf.datasets.loans(), name, subgroup="branch", nulls="drop", **question
    )
    text = report.to_markdown()
    assert TITLES[name] in text
    assert re.search(rf"\b{name}\b", text)
    others = {pf.CATALOGUE[name].name, *pf.CATALOGUE[name].aliases} - {name}
    sentences = re.sub(r"`[^`]*`", "", text)
    for other in others:
        assert not re.search(rf"(?<![\w.]){other}(?![\w.])", sentences), other


@pytest.mark.parametrize("what", NEVER_SAID)
def test_what_is_never_said_is_in_no_output(what: str) -> None:
    said = [name for name, text in OUTPUTS.items() if re.search(NEVER_SAID[what], text)]
    assert said == []
