"""`show`: any answer as text, and as a table of HTML in a notebook."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.api.columns import Kind
from polars_fairness.reporting.outputs.text_tables import text_of
from polars_fairness.reporting.shown.layouts import LAYOUTS, layout_of
from polars_fairness.reporting.shown.recognised import recognised
from tests.reporting.test_recognised import ANSWERS, KINDS
from tests.strategies import EVERYTHING, FULL


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
    expected = text_of(layout_of(recognised(answer, LAYOUTS)), 90, most=40)
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
    assert [verdict == "fair" for verdict in answer["verdict"]] == [True, False, False, True]
    found = [line[:4] for line in printed(answer, capsys).splitlines() if line.startswith("g: ")]
    assert found[:4] == ["g: 1", "g: 1", "g: 2", "g: 2"]


def test_of_many_rows_the_first_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    rows = pl.select(g=pl.int_range(210), p=pl.int_range(210) % 2)
    found = printed(pf.rates(rows, facet="g", predicted="p"), capsys)
    assert "171 more rows; filter the answer to see others" in found
    assert len(found.splitlines()) < 50


@pytest.mark.extras
def test_a_notebook_has_a_table_of_html(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    displayed: list[Any] = []
    notebook = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=None))
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=displayed.append))
    answer = pf.audit(FULL, "di", confidence=None, **EVERYTHING)
    assert printed(answer, capsys) == ""
    [table] = displayed
    assert f">{answer['metric'][0]}</th>" in table.as_raw_html()
    monkeypatch.setattr("polars_fairness.reporting.shown.answers.find_spec", lambda _: None)
    assert "verdict" in printed(answer, capsys)


def test_windows_keep_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    rows = pl.DataFrame(
        {"day": [1] * 4 + [2] * 4, "g": [1, 1, 4, 4] * 2, "p": [1] * 4 + [1, 0, 1, 1]}
    )
    question: dict[str, Any] = {"facet": "g", "favored": 4, "predicted": "p", "by": "day"}
    found = printed(pf.audit(rows, "di", confidence=None, **question), capsys)
    assert found.index("day 1") < found.index("day 2")


@pytest.mark.parametrize("given", [FULL, pf.cells(FULL, facet="sex", predicted="p")])
def test_frames_that_are_no_answers_are_refused(given: pl.DataFrame) -> None:
    with pytest.raises(pf.FairnessError, match=r"^answer: takes a frame that 'audit'.* returned"):
        pf.show(given)


@pytest.mark.parametrize("given", [None, "audit", {"sex": ["F"]}])
def test_what_is_no_frame_is_refused(given: Any) -> None:
    with pytest.raises(pf.FairnessError, match=r"^answer: takes a frame that 'audit'.* returned"):
        pf.show(given)
