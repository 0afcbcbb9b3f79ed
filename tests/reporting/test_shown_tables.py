"""The tables of answers: expected numbers are worked out by hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from inspect import getdoc
from math import inf
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from polars_fairness.api.columns import (
    ADVERSE_IMPACT,
    AUDIT,
    BOUNDED,
    CALIBRATED,
    CONTRIBUTIONS,
    IMPACT_RATIOS,
    LENDING_TABLE,
    QUANTILES,
    RANKED,
    REPRESENTED,
    SEGMENTS,
    SWEPT,
    SWITCHED,
    Columns,
    Kind,
    names_of,
)
from polars_fairness.api.columns import ANSWERS as COLUMNS
from polars_fairness.reporting.colours import LIGHT
from polars_fairness.reporting.outputs.text_tables import text_of
from polars_fairness.reporting.shown.layouts import LAYOUTS, OF_CHANGES, Layout, layout_of
from polars_fairness.reporting.shown.recognised import recognised
from tests.reporting.answers_about_scores import choice
from tests.reporting.reports import BERKELEY, HOSTILE, Elements, monthly
from tests.reporting.test_recognised import ANSWERS, KINDS
from tests.strategies import EVERYTHING, FULL, examples

HIRED: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "hired"}


def layout(answer: pl.DataFrame) -> Layout:
    return layout_of(recognised(answer, LAYOUTS))


def column(answer: pl.DataFrame, name: str) -> list[Any]:
    return [row[name] for row in layout(answer).rows]


def test_the_rows_of_an_audit_are_counted_below_it() -> None:
    is_known = pl.int_range(pl.len()) >= 3
    some = monthly().with_columns(hired=pl.when(is_known).then("hired"))
    question = {**HIRED, "by": "month", "confidence": None, "nulls": "drop"}
    counted = ["sex: 8 rows seen, 3 dropped, 5 used, 0 of them unknown"]
    assert layout(pf.audit(some, "dppl", "di", **question)).notes == counted
    scored = some.with_columns(score=pl.col("hired").cast(pl.Float64))
    question |= {"predicted": "score", "threshold": [0.5, 1.0]}
    assert layout(pf.audit(scored, "dppl", "di", **question)).notes == counted


def test_a_p_value_is_shown_if_the_audit_has_one() -> None:
    audit = pf.audit(monthly(), "dppl", confidence=None, **HIRED)
    assert "p_value" not in layout(audit).columns
    assert "p_value" in layout(audit.with_columns(p_value=0.25)).columns
    assert column(audit.with_columns(p_value=0.25), "p_value") == [0.25]


def test_a_heading_says_which_window_and_whether_rows_are_few() -> None:
    audit = pf.audit(monthly(), "dppl", by="month", minimum_count=3, confidence=None, **HIRED)
    assert column(audit, "under") == [
        "month 2025-01-01, sex: F (2) against everyone else (2); few rows",
        "month 2025-02-01, sex: F (2) against everyone else (2); few rows",
    ]


def test_rates_have_the_row_over_all_rows_last() -> None:
    frame = pl.DataFrame({"sex": ["F", "F", None, "M"], "hired": [0, 1, 0, 1]})
    shown = layout(pf.rates(frame, facet="sex", predicted="hired"))
    assert [row["name"] for row in shown.rows] == ["F", "M", "unknown", "(all)"]
    assert {row["under"] for row in shown.rows} == {"by sex"}
    assert [row["is_total"] for row in shown.rows] == [False, False, False, True]
    assert [row["selection_rate"] for row in shown.rows] == [0.5, 1, 0, 0.5]
    assert [row["n"] for row in shown.rows] == [2, 1, 1, 4]
    # Without labels there is no other rate.
    assert [*shown.columns] == ["n", "selection_rate"]


@pytest.mark.parametrize("name", ["positive", "auc"])
def test_a_window_may_be_called_as_a_column_that_rates_do_not_have(name: str) -> None:
    shown = layout(
        pf.rates(monthly(), facet="sex", predicted="hired", by=pl.col("month").alias(name))
    )
    assert [*shown.columns] == ["n", "selection_rate"]
    assert shown.rows[0]["under"] == f"{name} 2025-01-01, by sex"


def html(answer: pl.DataFrame) -> str:
    return pf.table(answer).as_raw_html()


class Cells(HTMLParser):
    """The text and the style of each cell of a table."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self._style = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("td", "th"):
            self._style = dict(attrs).get("style") or ""

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.found[data.strip()] = self._style


@pytest.mark.extras
def test_a_verdict_has_the_colour_and_the_mark_of_its_tone() -> None:
    cells = Cells(html(pf.audit(pf.datasets.berkeley(), "di", "mh_ratio", "ci", **BERKELEY))).found
    assert f"color: {LIGHT.outside}" in cells["▲ outside, against Female"]
    assert f"color: {LIGHT.within}" in cells["● within the band"]
    assert f"color: {LIGHT.soft}" in cells["no band"]
    assert f"color: {LIGHT.ink}" in cells["0.682"]
    assert "nowrap" in cells["0.682"]
    assert "nowrap" not in cells["▲ outside, against Female"]


@pytest.mark.extras
def test_numbers_are_written_as_in_a_report() -> None:
    values = {"value": [0.68203, None, inf, -inf], "lower": [0.62873, None, 1.0, -inf]}
    audit = pl.concat([pf.audit(monthly(), "di", confidence=None, **HIRED)] * 4).with_columns(
        pl.Series("value", values["value"]), pl.Series("lower", values["lower"]), upper=pl.lit(2.0)
    )
    cells = Cells(html(audit)).found
    assert {"0.682", "undefined", "∞", "−∞", "0.629 to 2.000", "–", "−∞ to 2.000"} <= set(cells)


@pytest.mark.extras
def test_rates_are_percentages_and_undefined_ones_say_so() -> None:
    frame = pl.DataFrame({"sex": ["F", "M", "M"], "y": [0, 1, 1], "p": [0, 1, 0]})
    cells = Cells(html(pf.rates(frame, facet="sex", label="y", predicted="p"))).found
    # The one woman has a negative label: no true positive rate.
    assert {"50.0 %", "100.0 %", "0.0 %", "undefined", "33.3 %", "True positive rate"} <= set(cells)
    assert "font-weight: bold" in cells["(all)"]
    assert "font-weight: bold" in cells["33.3 %"]


@pytest.mark.extras
def test_a_long_answer_says_how_much_is_shown() -> None:
    frame = pl.DataFrame({"branch": range(300), "hired": [0, 1] * 150})
    page = html(pf.rates(frame, facet="branch", predicted="hired"))
    assert "The first 200 of 301 rows; filter the answer to see others." in page
    assert page.count("<tr") < 220


def test_the_heading_of_a_choice_names_the_chosen_one() -> None:
    """The table may be cut before its row."""
    assert {*column(choice(), "under")} == {"threshold 0.5 is chosen"}
    rejected = choice().with_columns(is_chosen=pl.lit(False))
    assert {*column(rejected, "under")} == {"none of these is chosen"}
    windows = choice().select(pl.lit("n").alias("branch"), pl.all())
    assert {*column(windows, "under")} == {"branch n, threshold 0.5 is chosen"}


def test_a_choice_among_models_has_a_row_for_each() -> None:
    models = pl.Series("model", ["a", "b", "c"])
    of_models = layout(choice().select(models, pl.exclude("threshold")))
    assert (of_models.name.label, [row["name"] for row in of_models.rows]) == ("Model", [*"abc"])
    of_both = layout(choice().select(models, pl.all()))
    assert next(iter(of_both.columns)) == "threshold"
    assert (of_both.rows[1]["name"], of_both.rows[1]["threshold"]) == ("b", 0.5)


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_has_the_columns_that_are_declared_for_it(kind: Kind) -> None:
    answer = ANSWERS[kind](FULL, **EVERYTHING)
    declared = names_of(COLUMNS[kind])
    own = [name for name in answer.columns if name in declared]
    assert own == [name for name in declared if name in own]
    optional = {each.name for each in COLUMNS[kind] if each.optional}
    assert {*declared} - {*own} <= optional


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_a_table_fits_the_terminal_whatever_the_names(kind: Kind, width: int) -> None:
    name = "very " * 50 + "\x1b[31m\n"
    odd = FULL.with_columns(pl.col("sex").replace("F", name), u=pl.lit("x_" * 99 + "\x1b[31m\n"))
    given = {**EVERYTHING, "disfavored": name}
    by = [pl.col("u").alias("b\x1b\n" + "r" * 70)]
    text = text_of(layout(ANSWERS[kind](odd, **given, by=by)), width)
    assert max(map(len, text.splitlines())) <= width
    assert "\x1b" not in text
    assert "\N{REPLACEMENT CHARACTER}[31m\N{REPLACEMENT CHARACTER}" in text


@pytest.mark.parametrize("width", [60, 80, 100])
def test_a_narrow_terminal_shows_models_and_changes_too(width: int) -> None:
    frame = FULL.with_columns(z=~pl.col("y"))
    models = {"predicted": {"p": "p", "new_" * 9: "z"}, "champion": "p", "replicates": 20}
    audit = layout(pf.audit(frame, "selection_rate_gap", "di", **EVERYTHING | models))
    for names in (["model", "value", "interval", "verdict"], ["model", *OF_CHANGES]):
        text = text_of(audit.of(names), width)
        assert max(map(len, text.splitlines())) <= width
        assert {"metric", "model", names[-1]} <= {*text.splitlines()[0].split()}


@pytest.mark.extras
@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_without_rows_says_so(kind: Kind) -> None:
    nothing = ANSWERS[kind](FULL, **EVERYTHING).clear()
    assert text_of(layout(nothing), 80) == "Nothing to show: the answer has no rows."
    assert "Nothing to show: the answer has no rows." in html(nothing)


DECLARED: dict[Callable[..., Any], Columns] = {
    pf.audit: AUDIT,
    pf.worst_groups: RANKED,
    pf.decompose: CONTRIBUTIONS,
    pf.switches: SWITCHED,
    pf.calibration: CALIBRATED,
    pf.choose: SWEPT,
    pf.bounds: BOUNDED,
    pf.representation: REPRESENTED,
    pf.hiring.impact_ratios: IMPACT_RATIOS,
    pf.hiring.adverse_impact: ADVERSE_IMPACT,
    pf.lending.table: LENDING_TABLE,
    pf.lending.quantiles: QUANTILES,
    pf.lending.segments: SEGMENTS,
}


@pytest.mark.parametrize(
    ("function", "columns"), DECLARED.items(), ids=[each.__qualname__ for each in DECLARED]
)
def test_a_docstring_lists_the_columns_that_are_declared(
    function: Callable[..., Any], columns: Columns
) -> None:
    returns = str(getdoc(function)).partition("Returns\n---")[2].partition("Examples\n---")[0]
    listed = re.findall(r"^ {4}((?:``[^`]+``(?:, )?)+)$", returns, re.MULTILINE)
    described = {name for line in listed for name in re.findall("``([^`]+)``", line)}
    assert described <= {*names_of(columns), "model", "threshold"}
    assert {*names_of(columns)} <= {*re.findall("``([^`]+)``", returns)}


@pytest.mark.extras
@examples(20)
@given(name=st.text(min_size=1), value=st.text(), kind=st.sampled_from(["audit", "rates"]))
def test_names_and_values_are_text(name: str, value: str, kind: str) -> None:
    name = name + HOSTILE
    frame = pl.DataFrame({name: [value + HOSTILE, "other"] * 4, "p\x1f": [0, 1, 1, 1] * 2})
    question: dict[str, Any] = {"facet": name, "predicted": "p\x1f"}
    if kind == "audit":
        answer = pf.audit(frame, "di", confidence=None, by=pl.lit(value).alias("when"), **question)
    else:
        answer = pf.rates(frame, **question)
    elements = Elements(html(answer))
    assert "script" not in {tag for tag, _ in elements.found}
    assert HOSTILE in elements.text


@pytest.mark.extras
def test_great_tables_can_format_the_numbers_differently() -> None:
    audit = pf.audit(pf.datasets.berkeley(), "di", **BERKELEY)
    assert ">0.7<" in pf.table(audit).fmt_number("value", decimals=1).as_raw_html()
