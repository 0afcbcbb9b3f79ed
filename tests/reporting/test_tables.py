"""Answers as tables: recognised by their columns, printed in a terminal, and as HTML."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from datetime import date
from functools import partial
from inspect import getdoc
from itertools import product
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.api.columns import ANSWERS as COLUMNS
from polars_fairness.api.columns import REPRESENTED, Kind, names_of
from polars_fairness.reporting.answer_tables import OF_CHANGES, TABLES, lay_out, recognised
from polars_fairness.reporting.parts import Table
from polars_fairness.reporting.tables import text_of
from tests.frames import shared
from tests.strategies import EVERYTHING, FULL

PRESCRIBED: dict[Kind, Callable[[], Any]] = {
    "hiring_impact_ratios": lambda: pf.hiring.impact_ratios(
        pf.datasets.candidates(), sex="sex", race="race", selected="selected", confidence=None
    ),
    "hiring_adverse_impact": lambda: pf.hiring.adverse_impact(
        pf.datasets.candidates(), facet="sex", selected="selected"
    ),
    "lending_table": lambda: pf.lending.table(
        pf.datasets.loans(), facet="sex", favored="M", predicted="approved", confidence=None
    ),
    "lending_segments": lambda: pf.lending.segments(
        pf.datasets.loans(), facet="sex", favored="M", predicted="approved", subgroup="branch"
    ),
    "lending_quantiles": lambda: pf.lending.quantiles(
        pf.datasets.loans(), facet="sex", favored="M", score="score", confidence=None
    ),
    "pay_table": lambda: pf.pay.table(
        pf.datasets.salaries(), facet="sex", pay="total_pay", category="grade", confidence=None
    ),
}


KINDS = tuple(kind for kind in COLUMNS if kind not in PRESCRIBED)


# A reported number is of one window, and is compared at once.
OF_WINDOWS: list[Kind] = [kind for kind in KINDS if kind != "compare"]


QUESTIONS: dict[str, dict[str, Any]] = {
    "counted": {"count": "k"},
    "weighted in windows": {"weight": "w", "by": ["month", pl.col("u")]},
}


def by_score(given: dict[str, Any]) -> dict[str, Any]:
    """The same question, in which a score decides."""
    return {**given, "predicted": None, "score": "s"}


ANSWERS: dict[Kind, Callable[..., Any]] = {
    "audit": lambda frame, **given: shared(pf.audit, frame, "di", confidence=None, **given),
    "bounds": lambda frame, **given: shared(
        pf.bounds, frame, "di", confidence=None, **{**given, "subgroup": None}
    ),
    "plan": lambda frame, **given: shared(pf.plan, frame, "di", replicates=20, **given),
    "compare": lambda frame, **given: shared(
        pf.compare,
        frame,
        "di",
        reported=0.5,
        **{"disfavored": "F", **given, "facet": "sex", "by": None},
    ),
    "rates": lambda frame, **given: shared(pf.rates, frame, **given),
    "worst_groups": lambda frame, **given: shared(pf.worst_groups, frame, "spsf", **given),
    "decompose": lambda frame, **given: shared(pf.decompose, frame, "cddpl", **given),
    "drivers": lambda frame, **given: shared(pf.drivers, frame, controls="v", **given),
    "intake": lambda frame, **given: shared(pf.intake, frame, **given),
    "metrics": lambda frame, **given: shared(pf.metrics, frame, "di", "dppl", **given),
    "calibration": lambda frame, **given: shared(pf.calibration, frame, **by_score(given)),
    "choose": lambda frame, **given: shared(
        pf.choose, frame, "di", threshold=[0.2, 0.5], **by_score(given)
    ),
    "switches": lambda frame, **given: shared(
        pf.switches,
        frame,
        champion="p",
        **given | {"predicted": {"p": "p", "y": ~pl.col("y").alias("z")}},
    ),
    "pairs": lambda frame, **given: shared(
        pf.pairs,
        frame.with_columns(case=pl.int_range(pl.len()) // 2),
        **{**given, "subgroup": None, "cluster": "case"},
    ),
    "confusions": partial(shared, pf.confusions),
}


# The columns of each choice that say what its candidates are.
CHOICES: dict[tuple[str, ...], dict[str, Any]] = {
    ("threshold",): {"predicted": "s", "threshold": [0.2, 0.5]},
    ("model",): {"predicted": {"p": "p", "y": "z"}},
    ("model", "threshold"): {"predicted": {"s": "s", "t": "v"}, "threshold": [0.2, 0.5]},
}


@pytest.mark.parametrize("kind", OF_WINDOWS)
@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS.keys())
def test_every_answer_is_recognised_with_its_windows(kind: Kind, question: dict[str, Any]) -> None:
    frame = FULL.with_columns(month=pl.lit(date(2025, 1, 1)))
    answer = ANSWERS[kind](frame, **EVERYTHING, **question)
    found = recognised(answer, KINDS)
    assert found.kind == kind
    models = ["model"] if kind == "switches" else []
    assert found.windows == (["month", "u"] if "by" in question else []) + models
    assert found.attributes == (["sex"] if kind == "worst_groups" else [])


@pytest.mark.parametrize(("candidate", "given"), CHOICES.items())
@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS.keys())
def test_candidates_are_no_windows(
    candidate: tuple[str, ...], given: dict[str, Any], question: dict[str, Any]
) -> None:
    frame = FULL.with_columns(month=pl.lit(date(2025, 1, 1)), z=~pl.col("y"))
    answer = shared(pf.choose, frame, "di", **EVERYTHING | given, **question)
    found = recognised(answer, KINDS)
    assert found.candidate == candidate
    assert found.windows == (["month", "u"] if "by" in question else [])


@pytest.mark.extras
@pytest.mark.parametrize(("kind", "prescribed"), PRESCRIBED.items())
def test_a_prescribed_table_is_recognised(kind: Kind, prescribed: Callable[[], Any]) -> None:
    assert recognised(prescribed(), COLUMNS).kind == kind
    assert "sex" in pf.table(prescribed()).as_raw_html()


@pytest.mark.parametrize("show", [pf.table, pf.chart])
def test_a_missing_extra_is_named(show: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polars_fairness.errors.find_spec", lambda _: None)
    with pytest.raises(ImportError, match=r"needs .*, not installed .*polars-fairness\[report\]"):
        show(FULL)


def laid_out(answer: pl.DataFrame) -> Table:
    return lay_out(recognised(answer, TABLES))


def html(answer: pl.DataFrame) -> str:
    return pf.table(answer).as_raw_html()


@pytest.mark.extras
def test_a_long_answer_says_how_much_is_shown() -> None:
    frame = pl.DataFrame({"branch": range(300), "hired": [0, 1] * 150})
    page = html(pf.rates(frame, facet="branch", predicted="hired"))
    assert "The first 200 of 301 rows; filter the answer to see others." in page
    assert page.count("<tr") < 220


@pytest.mark.extras
@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_has_its_declared_columns_and_without_rows_says_so(kind: Kind) -> None:
    answer = ANSWERS[kind](FULL, **EVERYTHING)
    nothing = answer.clear()
    assert text_of(laid_out(nothing), 80) == "Nothing to show: the answer has no rows."
    assert "Nothing to show: the answer has no rows." in html(nothing)
    declared = names_of(COLUMNS[kind])
    own = [name for name in answer.columns if name in declared]
    assert own == [name for name in declared if name in own]
    optional = {each.name for each in COLUMNS[kind] if each.optional}
    assert {*declared} - {*own} <= optional


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_fits_the_terminal_whatever_the_names(kind: Kind) -> None:
    name = "very " * 50 + "\x1b[31m\n"
    odd = FULL.with_columns(pl.col("sex").replace("F", name), u=pl.lit("x_" * 99 + "\x1b[31m\n"))
    given = {**EVERYTHING, "disfavored": name}
    by = [pl.col("u").alias("b\x1b\n" + "r" * 70)]
    table = laid_out(ANSWERS[kind](odd, **given, by=by))
    for width in (60, 80, 100, 200):
        text = text_of(table, width)
        assert max(map(len, text.splitlines())) <= width
        assert "\x1b" not in text
        assert "\N{REPLACEMENT CHARACTER}[31m\N{REPLACEMENT CHARACTER}" in text


def test_a_narrow_terminal_shows_models_and_changes_too() -> None:
    frame = FULL.with_columns(z=~pl.col("y"))
    models = {"predicted": {"p": "p", "new_" * 9: "z"}, "champion": "p", "replicates": 20}
    audit = laid_out(shared(pf.audit, frame, "selection_rate_gap", "di", **EVERYTHING | models))
    columns = (["model", "value", "interval", "verdict"], ["model", *OF_CHANGES])
    for names, width in product(columns, (60, 80, 100)):
        text = text_of(audit.select(names), width)
        assert max(map(len, text.splitlines())) <= width
        assert {"metric", "model", names[-1]} <= {*text.splitlines()[0].split()}


WITH_LISTS = [each for each in COLUMNS if each not in ("compare", "rates", "metrics", "confusions")]


@pytest.mark.parametrize("kind", [*WITH_LISTS, "representation"])
def test_a_docstring_lists_the_columns_that_are_declared(kind: Any) -> None:
    columns = REPRESENTED if kind == "representation" else COLUMNS[kind]
    module, _, name = kind.partition("_")
    function = getattr(getattr(pf, module), name) if kind in PRESCRIBED else getattr(pf, kind)
    returns = str(getdoc(function)).partition("Returns\n---")[2].partition("Examples\n---")[0]
    listed = re.findall(r"^ {4}((?:``[^`]+``(?:, )?)+)$", returns, re.MULTILINE)
    described = {name for line in listed for name in re.findall("``([^`]+)``", line)}
    assert described <= {*names_of(columns), "model", "threshold"}
    assert {*names_of(columns)} <= {*re.findall("``([^`]+)``", returns)}


@pytest.fixture(autouse=True)
def _in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "90")


def printed(answer: Any, capsys: pytest.CaptureFixture[str]) -> str:
    pf.show(answer)
    return capsys.readouterr().out


@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_printed_as_the_command_line_has_it(
    kind: Kind, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = ANSWERS[kind](FULL, by="u", **EVERYTHING)
    expected = text_of(laid_out(answer), 90, most=40)
    found = printed(answer, capsys)
    assert found == f"{expected}\n"
    assert max(map(len, found.splitlines())) <= 90
    assert printed(answer.lazy(), capsys) == found


def test_comparisons_that_matter_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    """1 is accepted as often as 4, 2 half as often, and 3 has no rate by its label."""
    rows = pl.DataFrame({"g": [1, 1, 2, 2, 4, 4], "p": [1, 1, 1, 0, 1, 1]})
    answer = pf.audit(rows, "di", facet="g", favored=4, predicted="p", confidence=None)
    assert answer["disfavored"].to_list() == ["1", "2"]
    found = printed(answer, capsys)
    assert found.index("g: 2 (2) against 4") < found.index("g: 1 (2) against 4")


def test_metrics_that_count_other_rows_stand_below_one_another(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """1 is accepted as often as 3, but not by the rows with a label; 2 the other way round."""
    accepted = {1: (1, 9), 2: (5, 0), 3: (5, 5)}
    rows = pl.DataFrame(
        [
            (group, place < positive, label)
            for group, counts in accepted.items()
            for label, positive in zip((True, None), counts, strict=True)
            for place in range(10)
        ],
        schema=["g", "p", "y"],
        orient="row",
    )
    question: dict[str, Any] = {"facet": "g", "favored": 3, "predicted": "p", "label": "y"}
    answer = pf.audit(rows, "di", "rd", **question, nulls="drop", rule="point", confidence=None)
    assert answer["verdict"].to_list() == ["within", "depends", "outside", "depends"]
    found = [line[:4] for line in printed(answer, capsys).splitlines() if line.startswith("g: ")]
    assert found[:4] == ["g: 2", "g: 2", "g: 1", "g: 1"]


@pytest.mark.extras
def test_a_notebook_has_a_table_of_html(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    displayed: list[Any] = []
    notebook = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=None))
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=displayed.append))
    answer = shared(pf.audit, FULL, "di", confidence=None, **EVERYTHING)
    assert printed(answer, capsys) == ""
    [table] = displayed
    assert f">{answer['metric'][0]}</th>" in table.as_raw_html()
    monkeypatch.setattr("polars_fairness.reporting.shown.find_spec", lambda _: None)
    assert "verdict" in printed(answer, capsys)


@pytest.mark.parametrize("kind", ["audit", "rates"])
def test_estimated_people_are_whole_numbers_and_weights_are_not(
    kind: Kind, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of 9 rows with a chance of 0.3 to be F, about 3 people are; 9 rows of 1.5 weigh 13.5."""
    rows = pl.DataFrame({"f": [0.3] * 9, "m": [0.7] * 9, "p": [0, 1, 1] * 3, "w": [1.5] * 9})
    facet = pf.probabilities("sex", {"F": "f", "M": "m"})
    question: dict[str, Any] = {"facet": facet, "predicted": "p", "estimator": "weighted"}
    if kind == "audit":
        question["confidence"] = None
    ask: Callable[..., pl.DataFrame] = getattr(pf, kind)
    pf.show(ask(rows, **question))
    people = capsys.readouterr().out
    pf.show(ask(rows, weight="w", **question))
    weights = capsys.readouterr().out
    # 2.7 and 6.3 people; a weight of 4.05 and of 9.45.
    shown = [r"\b3\b.*\b6\b", r"\b4\.[01]\b.*\b9\.[45]\b"]
    for text, sizes in zip((people, weights), shown, strict=True):
        assert re.search(sizes, text, re.DOTALL), text
    assert "6.3" not in people
