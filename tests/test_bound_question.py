"""A bound question: its methods give what the functions give, with its arguments left out."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.api import bound as reading
from polars_fairness.api.functions import FUNCTIONS, Functions
from polars_fairness.facade import methods
from polars_fairness.question.arguments import DEFAULTS
from tests.frames import fairness, people, used

PEOPLE = people()
QUESTION: dict[str, Any] = {
    "facet": ["sex", "race"],
    "label": "y",
    "predicted": "p",
    "score": "score",
    "subgroup": "branch",
    "nulls": "drop",
}
NUMBERS = {
    "observed": (pl.col("score") * 2).alias("claim"),
    "estimated": (pl.col("score") + 1).alias("price"),
}
SCORED: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "score", "nulls": "drop"}
MODELS: dict[str, Any] = {
    "facet": "sex",
    "predicted": {"old": "p", "new": (pl.col("score") >= 0.5).alias("new")},
}

# Of each function: a question, and what it takes beside one.
CALLS: dict[str, tuple[dict[str, Any], tuple[Any, ...], dict[str, Any]]] = {
    "cells": (QUESTION, (), {}),
    "rates": (QUESTION, (), {}),
    "confusions": (QUESTION, (), {}),
    "metrics": (QUESTION, ("di", ["rd", "cddpl"]), {}),
    "audit": (QUESTION, ("di", "cddpl"), {"confidence": 0.9, "method": "log"}),
    "check": (QUESTION, ("di",), {"bands": {"di": (1e-9, 1e9)}, "allow_undefined": True}),
    "compare": ({**QUESTION, "facet": "sex"}, ("di",), {"reported": {"F": 0.5}}),
    "bounds": ({**QUESTION, "subgroup": None}, ("di",), {"confidence": 0.9}),
    "plan": ({**QUESTION, "subgroup": None}, ("di",), {"power": 0.9, "method": "log"}),
    "decompose": (QUESTION, ("cddpl",), {}),
    "drivers": ({**QUESTION, "subgroup": None, "controls": "branch"}, (), {"confidence": 0.9}),
    "worst_groups": (QUESTION, ("spsf",), {"depth": 1}),
    "switches": (MODELS, (), {"champion": "old"}),
    "pairs": ({**QUESTION, "subgroup": None, "cluster": "branch"}, (), {}),
    "calibration": (SCORED, (), {"bins": 3}),
    "choose": (SCORED, ("di",), {"bands": {"di": (0.5, 2)}}),
    "fliptest": ({**QUESTION, "facet": "sex"}, (), {"features": "month", "k": 1}),
    "consistency": (QUESTION, (), {"features": "month", "k": 1}),
    "intake": ({"facet": "sex", "label": "y", "nulls": "drop"}, (), {}),
    "reweigh": ({"facet": "sex", "label": "y"}, (), {}),
    "representation": ({"facet": "sex"}, (), {"reference": {"F": 1, "M": 1, "X": 1}}),
    "reweighed": ({"facet": "sex", "label": "y"}, (), {"name": "factor"}),
}
# Each metric's method is made alike.
ONE_METRIC = ("di", "cddpl", "auc_gap", "mae_gap")
NEEDING_SCIPY = {"fliptest", "consistency"}


def marked(name: str) -> Any:
    return pytest.param(name, marks=[pytest.mark.extras] if name in NEEDING_SCIPY else [])


# That a plan has the answer of its rows is a law over all functions, `test_every_answer.py`.
@pytest.mark.parametrize(
    ("name", "frame"),
    [
        *(pytest.param(*marked(name).values, PEOPLE, marks=marked(name).marks, id=name)
          for name in (*CALLS, *ONE_METRIC)),
        *(pytest.param(name, PEOPLE.lazy(), id=f"{name}, lazily")
          for name in ("audit", "rates", "di", "check")),
    ],
)  # fmt: skip
def test_a_method_gives_what_the_namespace_gives(name: str, frame: Any) -> None:
    of_metric = {**QUESTION, **NUMBERS, "facet": "sex"}
    question, by_place, options = CALLS.get(name, (of_metric, (), {}))
    bound = fairness(frame).of(**question)
    assert bound.question == pf.of(frame, **question).question
    answer = getattr(bound, name)(*by_place, **options)
    asked = used(name, by_place, {**question, **options})
    expected = getattr(fairness(frame), name)(*by_place, **asked)
    kind = pl.DataFrame if name in ("check", "compare") else type(frame)
    assert type(answer) is type(expected) is kind
    assert_frame_equal(answer, expected)
    # A plan is read the same way as a frame.
    if name in FUNCTIONS and kind is pl.DataFrame:
        assert_frame_equal(getattr(pf, name)(bound, *by_place, **options), expected)


@pytest.mark.extras
def test_pages_are_those_of_the_functions() -> None:
    question: dict[str, Any] = {"facet": "sex", "predicted": "p"}
    page = pf.of(PEOPLE, **question).report("di", confidence=None)
    assert page.to_dict() == pf.report(PEOPLE, "di", confidence=None, **question).to_dict()
    given = {**SCORED, "threshold": [0.25, 0.5]}
    of_method, of_function = pf.of(PEOPLE, **given).explore("di"), pf.explore(PEOPLE, "di", **given)
    assert_frame_equal(of_method.audited, of_function.audited)
    assert_frame_equal(of_method.rated, of_function.rated)


@pytest.mark.parametrize("argument", DEFAULTS)
def test_methods_refuse_arguments_of_the_question(argument: str) -> None:
    bound: Any = pf.of(PEOPLE, facet="sex", predicted="p")
    for name in ("audit", "di", "rates"):
        message = rf"^{argument}: is part of the bound question, .* replace\({argument}="
        with pytest.raises(pf.FairnessError, match=message) as caught:
            getattr(bound, name)(**{argument: "x"})
        assert isinstance(caught.value, TypeError)


def test_replace_gives_another_question_and_keeps_this_one() -> None:
    bound = pf.of(PEOPLE, facet="sex", predicted="p", nulls="drop")
    other = bound.replace(facet="race", favored="White")
    assert other.question == {
        "facet": "race",
        "predicted": "p",
        "nulls": "drop",
        "favored": "White",
    }
    assert bound.question == {"facet": "sex", "predicted": "p", "nulls": "drop"}
    assert bound.replace(predicted=None, favored=None).question == {"facet": "sex", "nulls": "drop"}


def test_a_question_prints_what_it_compares() -> None:
    bound = pf.of(
        PEOPLE,
        facet=["sex", pl.col("race") == "White"],
        favored={"sex": ["M", "X"]},
        predicted="score",
        threshold=0.5,
    )
    assert repr(bound) == (
        """BoundQuestion(facet=['sex', [(col("race")) == ("White")]], """
        "favored={'sex': ['M', 'X']}, predicted='score', threshold=0.5)"
    )


def test_a_question_can_be_sent_to_another_process() -> None:
    bound = pf.of(PEOPLE, facet="sex", predicted="p", by=pl.col("month"))
    sent = pickle.loads(pickle.dumps(bound))
    assert repr(sent) == repr(bound)
    assert_frame_equal(sent.di(), bound.di())


def test_a_question_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = pf.of(PEOPLE, facet="sex", predicted="p", by=pl.col("month"))
    answers = [bound.di(), bound.audit("di", replicates=20), bound.cells()]
    monkeypatch.setattr(reading, "find_roles", _refuse)
    again = [bound.di(), bound.audit("di", replicates=20), bound.cells()]
    for one, other in zip(answers, again, strict=True):
        assert_frame_equal(one, other)
    with pytest.raises(AssertionError, match="read again"):
        bound.replace(facet="race")


def _refuse(*_: object) -> None:
    raise AssertionError("read again")


def test_a_question_about_other_columns_is_read_again() -> None:
    """A column of a DataFrame that changes its type in place is checked as it is."""
    frame = pl.DataFrame({"sex": ["F", "F", "M", "M"], "p": [0, 1, 1, 1]})
    bound = pf.of(frame, facet="sex", disfavored="F", predicted="p")
    frame.replace_column(1, pl.Series("p", [False, True, False, True]))
    assert bound.di()["di"].item() == 1.0
    frame.replace_column(1, pl.Series("q", [0, 1, 0, 1]))
    with pytest.raises(pf.FairnessError, match="predicted: no column 'p'"):
        bound.di()


def test_threads_may_make_a_method_at_once() -> None:
    """A `StopIteration` in one of them would end an enclosing `map` without an error."""
    threads = 8
    barrier = Barrier(threads)

    def made_together(function: Any) -> Any:
        barrier.wait(timeout=10)
        return function

    class Frame:
        """A class with one method, which is made when all threads look for it."""

    def name_of_method(frame: Any) -> str:
        return str(frame.rates.__name__)

    vars(methods)["_add_methods"](Frame, Functions({"rates": "answers.rates"}), made_together)
    with ThreadPoolExecutor(threads) as pool:
        made = pool.map(name_of_method, [Frame()] * threads)
        assert [*made] == ["rates"] * threads
