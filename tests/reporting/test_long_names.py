"""Names of a page are short, and set groups apart; answers in other formats have them whole."""

from __future__ import annotations

import re
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.outputs.records import document_as_json

LONG = "a" * 20_000
NAMES = [f"{LONG}b{LONG}", f"{LONG}c{LONG}", "d"]
ROWS = pl.DataFrame(
    {
        "sex": NAMES * 20,
        "race": ["White", f"{LONG} & {LONG}"] * 30,
        "p": [0, 1, 1, 1, 0, 0] * 10,
        "y": [0, 1, 1, 0, 1] * 12,
        "s": [i / 60 for i in range(60)],
    }
)
REPORTS: dict[str, Any] = {
    "audit": lambda: pf.report(ROWS, facet=["sex", "race"], label="y", predicted="p"),
    "scores": lambda: pf.report(ROWS, facet="sex", label="y", score="s", confidence=None),
    "hiring": lambda: pf.hiring.report(
        ROWS,
        sex="sex",
        race="race",
        selected="p",
        replicates=20,
        audit_date="2026-01-01",
        data="all",
        distribution_date="2026-01-01",
    ),
    "lending": lambda: pf.lending.report(
        ROWS, facet="sex", favored="d", predicted="p", replicates=20
    ),
}


@pytest.mark.extras
@pytest.mark.parametrize("name", REPORTS)
def test_names_of_a_page_are_short_and_differ(name: str) -> None:
    report = REPORTS[name]()
    page: str = report.to_markdown()
    assert max(map(len, re.findall(r"a+", page))) <= 30
    assert len(page) < 100_000
    assert len(report._repr_html_()) < 300_000
    shortened = {*re.findall(r"a{30}…(\w{8})…a{30}", page)}
    assert len(shortened) >= 2
    if isinstance(report, pf.Report):
        assert NAMES[0] in str(document_as_json(report.answers, {}))


def test_names_are_short_and_notes_are_whole() -> None:
    name = "a group whose name is so long that two of them leave no room for what is said of it "
    rows = pl.DataFrame(
        {
            "sex": [name * 2, "M"] * 30,
            "decided": ["approved at once"] * 30
            + ["approved by a senior officer"] * 15
            + ["refused, with a letter that gives the reasons"] * 15,
        }
    )
    question: dict[str, Any] = {"predicted": "decided", "positive": "approved at once"}
    question["confidence"] = None
    page = pf.report(rows, "di", facet="sex", **question).to_markdown()
    assert name not in page
    assert {*map(len, re.findall(r"a group whose name [^…]*…\w{8}….{30}", page))} == {70}
    assert (
        "'approved at once' of 'decided' counts as yes, and 'approved by a senior officer' and "
        "'refused, with a letter that gives the reasons' as no."
    ) in page
