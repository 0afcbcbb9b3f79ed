"""`show`, `table` and `chart` take each answer, or say what shows it; nothing goes in silence."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.answer_tables import TABLES, recognised

LOANS: Final = pf.datasets.loans().head(600)
QUESTION: Final[dict[str, Any]] = {"facet": "sex", "predicted": "approved"}
WITHOUT_CHARTS: Final[dict[str, Callable[[], pl.DataFrame]]] = {
    "representation": lambda: pf.representation(
        LOANS, facet="sex", reference={"sex": {"F": 0.5, "M": 0.5}}
    ),
    "fliptest": lambda: pf.fliptest(LOANS, features=["debt"], **QUESTION),
    "fliptest(flips=True)": lambda: pf.fliptest(LOANS, features=["debt"], flips=True, **QUESTION),
    "reweigh": lambda: pf.reweigh(LOANS, facet="sex", label="repaid"),
    "cells": lambda: pf.cells(LOANS, **QUESTION),
}
WITH_KINDS: Final[dict[str, Callable[[], pl.DataFrame]]] = {
    **WITHOUT_CHARTS,
    "audit": lambda: pf.audit(LOANS, "di", "dppl", **QUESTION),
    "bounds": lambda: pf.bounds(LOANS, "di", **QUESTION),
    "plan": lambda: pf.plan(LOANS, "di", **QUESTION),
    "rates": lambda: pf.rates(LOANS, label="repaid", **QUESTION),
    "metrics": lambda: pf.metrics(LOANS, "di", "dppl", **QUESTION),
    "worst_groups": lambda: pf.worst_groups(
        LOANS, "spsf", facet=["sex", "branch"], predicted="approved"
    ),
    "decompose": lambda: pf.decompose(LOANS, "cddpl", subgroup="branch", **QUESTION),
    "confusions": lambda: pf.confusions(LOANS, label="repaid", **QUESTION),
}


@pytest.mark.extras
@pytest.mark.parametrize("name", WITHOUT_CHARTS)
def test_each_answer_has_a_table(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = WITHOUT_CHARTS[name]()
    pf.show(answer)
    shown = capsys.readouterr().out
    html = pf.table(answer).as_raw_html()
    for value in answer.head(1).rows()[0]:
        if isinstance(value, str):
            assert value in shown
            assert value in html
        elif isinstance(value, int) and not isinstance(value, bool):
            assert f"{value}" in shown.replace(",", "")
    with pytest.raises(pf.FairnessError, match=r"returned; pf\.show and pf\.table show it"):
        pf.chart(answer)


@pytest.mark.parametrize("name", sorted({*WITH_KINDS} - {"cells"}))
def test_a_trimmed_answer_is_recognised_rightly(name: str) -> None:
    """Without one or two columns it is still what it is, never another answer.

    Bounds without one of their ends are an audit, and new weights without their factor are cells.
    """
    answer = WITH_KINDS[name]()
    assert recognised(answer, TABLES).kind == name
    for some in [*combinations(answer.columns, 1), *combinations(answer.columns[-6:], 2)]:
        if {"bounds": {"lowest", "highest"}, "reweigh": {"factor"}}.get(name, set()) & {*some}:
            continue
        trimmed = answer.drop(some)
        try:
            assert recognised(trimmed, TABLES).kind == name, some
        except pf.FairnessError as error:
            said = str(error)
            assert f"looks like what {name!r} returned" in said or "looks like" not in said, some


@pytest.mark.extras
def test_what_has_no_chart_has_a_table() -> None:
    with pytest.raises(pf.FairnessError, match=r"returned; pf\.show and pf\.table show it"):
        pf.chart(pf.bounds(LOANS, "di", **QUESTION))


def test_the_chosen_candidate_is_shown_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Of 80 thresholds a terminal has 40, and the chosen one would be below them."""
    chosen = pf.choose(
        LOANS,
        "di",
        facet="sex",
        label="repaid",
        score="score",
        threshold=[i / 100 for i in range(90, 10, -1)],
    )
    [row] = chosen.filter("is_chosen").rows(named=True)
    assert chosen.height > 40
    pf.show(chosen)
    shown = [line for line in capsys.readouterr().out.splitlines() if line.startswith("   ")]
    assert shown[0].split()[0] == f"{row['threshold']:g}"
    assert "chosen" in shown[0]
    assert sum("chosen" in line for line in shown) == 1


@pytest.mark.parametrize("width", [50, 60, 70, 80, 90, 100, 200])
def test_no_interval_and_no_band_goes_in_silence(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    answers = [
        pf.audit(LOANS, "di", "average_odds_difference", label="repaid", **QUESTION),
        pf.plan(LOANS, "di", "dppl", **QUESTION),
        pf.bounds(LOANS, "di", facet="race", predicted="approved"),
        pf.rates(LOANS, label="repaid", **QUESTION),
    ]
    for answer in answers:
        pf.show(answer)
        narrow = capsys.readouterr().out
        monkeypatch.setenv("COLUMNS", "1000")
        pf.show(answer)
        wide = capsys.readouterr().out.splitlines()[0].split()
        monkeypatch.setenv("COLUMNS", str(width))
        head = narrow.split("\n\n")[0].split()
        for title in {"interval", "band"} & {*wide} - {*head}:
            assert f"no room in {width} columns for " in narrow
            assert title in narrow.partition("no room in")[2]
