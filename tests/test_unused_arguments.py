"""An argument that nothing in an answer uses is an error, and no argument changes nothing."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.api.functions import FUNCTIONS, PRESCRIBED
from tests.conftest import Run
from tests.test_own_cells import ROWS

pytestmark = pytest.mark.extras

SIDES: dict[str, Any] = {"facet": "g", "favored": "M"}
DECIDED = SIDES | {"predicted": "p"}
SCORED = SIDES | {"score": "score", "label": "y"}
CALLS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "audit": (("di",), DECIDED | {"confidence": None}),
    "bounds": (("di",), DECIDED | {"confidence": None}),
    "calibration": ((), SCORED),
    "cells": ((), DECIDED),
    "check": (("di",), DECIDED | {"confidence": None, "bands": {"di": (1e-9, 1e9)}}),
    "choose": (("dppl",), SCORED),
    "compare": (("di",), DECIDED | {"reported": 1.0}),
    "confusions": ((), DECIDED | {"label": "y"}),
    "decompose": (("cddpl",), DECIDED | {"subgroup": "h"}),
    "di": ((), DECIDED),
    "drivers": (("adjusted_difference",), DECIDED | {"controls": "h", "confidence": None}),
    "explore": (("dppl",), SCORED),
    "consistency": ((), DECIDED | {"features": ["score"]}),
    "fliptest": ((), DECIDED | {"features": ["score"]}),
    "intake": ((), {"facet": "g", "label": "y"}),
    "metrics": (("di",), DECIDED),
    "pairs": ((), DECIDED | {"cluster": "c"}),
    "plan": (("di",), DECIDED),
    "rates": ((), DECIDED),
    "report": (("di",), DECIDED | {"confidence": None}),
    "representation": ((), {"facet": "g", "reference": {"F": 0.5, "M": 0.5}}),
    "reweigh": ((), {"facet": "g", "label": "y"}),
    "reweighed": ((), {"facet": "g", "label": "y"}),
    "switches": ((), SIDES | {"predicted": {"a": "p", "b": "q"}, "champion": "a"}),
    "worst_groups": (("spsf",), {"facet": ["g", "h"], "predicted": "p"}),
    "lending.quantiles": ((), SIDES | {"score": "score"}),
    "lending.report": ((), DECIDED),
    "lending.segments": ((), DECIDED | {"subgroup": "h"}),
    "lending.table": ((), DECIDED),
}
ARGUMENTS: dict[str, Any] = {
    "subgroup": "j",
    "controls": "month",
    "observed": "amount",
    "estimated": "price",
}
WORDS = "nothing in this answer uses it; it is for "


def test_every_function_of_a_question_is_called() -> None:
    of_question = {"of"} | {
        f"{module}.{name}" for module in ("hiring", "pay") for name in PRESCRIBED[module]
    }
    every = {*FUNCTIONS, *(f"{m}.{name}" for m, of in PRESCRIBED.items() for name in of)}
    assert {*CALLS} - {"di"} == every - of_question


def called(name: str, frame: Any = ROWS, **more: Any) -> Any:
    metrics, question = CALLS[name]
    module, _, function = name.rpartition(".")
    methods = frame.fairness if not module else getattr(pf, module)
    places = metrics if not module else (frame, *metrics)
    return getattr(methods, function)(*places, **question | more)


def shown(answer: Any) -> str:
    if isinstance(answer, pl.DataFrame):
        return answer.write_json()
    # What a page says of its question is no use of an argument.
    text: str = answer.to_markdown() if hasattr(answer, "to_markdown") else repr(answer)
    return text.partition("The question")[0]


@pytest.mark.parametrize("argument", ARGUMENTS)
@pytest.mark.parametrize("name", CALLS)
def test_an_argument_changes_something_or_is_an_error(name: str, argument: str) -> None:
    if argument in CALLS[name][1]:
        return
    answer, before = None, shown(called(name))
    with suppress(pf.FairnessError):
        answer = called(name, **{argument: ARGUMENTS[argument]})
    assert answer is None or shown(answer) != before


@pytest.mark.parametrize("argument", ARGUMENTS)
@pytest.mark.parametrize("name", ["metrics", "audit", "check", "plan", "bounds", "report"])
def test_the_error_names_metrics_that_use_it(name: str, argument: str) -> None:
    if (name, argument) in (("report", "observed"), ("report", "estimated")):
        return  # its rates have them
    with pytest.raises(pf.FairnessError, match=rf"^{argument}: {WORDS}") as raised:
        called(name, **{argument: ARGUMENTS[argument]})
    users = [each for each in pf.CATALOGUE if repr(each) in str(raised.value)]
    assert users
    for user in users:
        assert argument in {need.partition(" ")[0] for need in pf.CATALOGUE[user].needs}


def test_without_names_the_metrics_are_all_that_the_arguments_allow() -> None:
    assert "mh_ratio" in pf.metrics(ROWS, **DECIDED, subgroup="h").columns
    with pytest.raises(pf.FairnessError, match=f"^controls: {WORDS}"):
        pf.metrics(ROWS, **SIDES, controls="month")


def test_a_bound_question_may_be_about_more_than_one_answer() -> None:
    q = pf.of(ROWS, **DECIDED, subgroup="h", controls="month")
    assert q.di()["di"].equals(pf.metrics(ROWS, "di", **DECIDED)["di"])
    assert q.rates().equals(pf.rates(ROWS, **DECIDED))
    policy = pf.Policy(name="p", question={"subgroup": "h"}, metrics=["di"], fail_on="outside")
    assert not pf.audit(ROWS, **DECIDED, policy=policy, confidence=None).is_empty()
    # A policy whose metrics use it counts as the call's names do.
    conditional = pf.Policy(name="p", metrics=["mh_ratio"])
    audit = pf.audit(ROWS, "di", **DECIDED, subgroup="h", policy=conditional, confidence=None)
    assert audit["metric"].to_list() == ["mh_ratio", "di"]


def test_a_gate_and_a_page_say_what_was_unused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    q = pf.of(ROWS, **DECIDED, subgroup="h")
    with pytest.raises(pf.OutsideBandError, match=f"subgroup: {WORDS}"):
        q.check("di", bands={"di": (0.999, 1.001)}, confidence=None)
    assert f"subgroup: {WORDS}" in q.report("di", confidence=None).to_markdown()
    assert WORDS not in q.report("di", "mh_ratio", confidence=None).to_markdown()
    ROWS.write_parquet("rows.parquet")
    words = ["audit", "rows.parquet", "--facet", "g", "--favored", "M", "--predicted", "p"]
    words += ["--metric", "di", "--subgroup", "h", "--confidence", "none"]
    code, _, err = run(*words, "--fail-on", "outside", "--band", "di=0.01:100")
    assert code == 0
    assert f"--subgroup: {WORDS}" in err
