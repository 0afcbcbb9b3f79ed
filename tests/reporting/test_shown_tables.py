"""The tables of answers: expected numbers are worked out by hand."""

from __future__ import annotations

from html.parser import HTMLParser
from math import inf
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from polars_fairness.reporting.colours import LIGHT
from polars_fairness.reporting.shown.layouts import LAYOUTS, Layout, layout_of
from polars_fairness.reporting.shown.recognised import recognised
from tests.reporting.answers_about_scores import calibration, choice
from tests.reporting.reports import BERKELEY, HOSTILE, Elements, four_each, monthly
from tests.strategies import examples

HIRED: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "hired"}
TWO_MODELS = {"predicted": {"now": "admitted", "other": ~pl.col("admitted").alias("rejected")}}


def layout(answer: pl.DataFrame) -> Layout:
    return layout_of(recognised(answer, LAYOUTS))


def column(answer: pl.DataFrame, name: str) -> list[Any]:
    return [row[name] for row in layout(answer).rows]


def test_an_audit_has_its_values_bands_and_verdicts() -> None:
    shown = layout(pf.audit(pf.datasets.berkeley(), "di", "mh_ratio", "ci", **BERKELEY))
    rows = {row["name"]: row for row in shown.rows}
    assert rows["di"]["value"] == pytest.approx((557 / 1835) / (1198 / 2691))
    assert (rows["di"]["ideal"], rows["di"]["band"]) == (1, "0.8 to 1.25")
    assert (rows["di"]["verdict"], rows["di"]["tones"]["verdict"]) == (
        "outside, against Female",
        "outside",
    )
    assert (rows["mh_ratio"]["verdict"], rows["mh_ratio"]["tones"]["verdict"]) == (
        "within the band",
        "within",
    )
    assert (rows["ci"]["verdict"], rows["ci"]["band"]) == ("no band", "none")
    assert {row["interval"] for row in shown.rows} == {"–"}
    assert {row["under"] for row in shown.rows} == {
        "sex: Female (1,835) against everyone else (2,691)"
    }


def test_rows_that_an_audit_left_out_are_noted() -> None:
    is_known = pl.int_range(pl.len()) >= 3
    some = monthly().with_columns(hired=pl.when(is_known).then("hired"))
    question = {**HIRED, "by": "month", "confidence": None, "nulls": "drop"}
    assert layout(pf.audit(some, "dppl", "di", **question)).notes == [
        "sex: 3 of 8 rows were left out, for missing values or no weight."
    ]
    assert layout(pf.audit(monthly(), "dppl", **question)).notes == []
    scored = some.with_columns(score=pl.col("hired").cast(pl.Float64))
    question |= {"predicted": "score", "threshold": [0.5, 1.0]}
    assert layout(pf.audit(scored, "dppl", "di", **question)).notes == [
        "sex: 3 of 8 rows were left out, for missing values or no weight."
    ]


def test_a_p_value_is_shown_if_the_audit_has_one() -> None:
    audit = pf.audit(monthly(), "dppl", confidence=None, **HIRED)
    assert "p_value" not in layout(audit).columns
    assert "p_value" in layout(audit.with_columns(p_value=0.25)).columns
    assert column(audit.with_columns(p_value=0.25), "p_value") == [0.25]


def test_a_heading_says_which_window_and_whether_rows_are_few() -> None:
    audit = pf.audit(monthly(), "dppl", by="month", minimum_count=3, confidence=None, **HIRED)
    assert column(audit, "under") == [
        "sex: F (2) against everyone else (2) (month 2025-01-01); few rows",
        "sex: F (2) against everyone else (2) (month 2025-02-01); few rows",
    ]


def test_rates_have_the_row_over_all_rows_last_and_apart() -> None:
    frame = pl.DataFrame({"sex": ["F", "F", None, "M"], "hired": [0, 1, 0, 1]})
    shown = layout(pf.rates(frame, facet="sex", predicted="hired"))
    assert [row["name"] for row in shown.rows] == ["F", "M", "unknown", "(all)"]
    assert [row["under"] for row in shown.rows] == ["sex", "sex", "sex", "All rows"]
    assert [row["is_total"] for row in shown.rows] == [False, False, False, True]
    assert [row["selection_rate"] for row in shown.rows] == [0.5, 1, 0, 0.5]
    assert [row["n"] for row in shown.rows] == [2, 1, 1, 4]
    # Without labels there is no other rate.
    assert [name for name in shown.columns if name not in ("n", "n_dropped")] == ["selection_rate"]


def test_a_window_may_be_called_as_a_count_that_rates_do_not_have() -> None:
    shown = layout(
        pf.rates(monthly(), facet="sex", predicted="hired", by=pl.col("month").alias("positive"))
    )
    assert {*shown.columns} == {"n", "selection_rate", "n_dropped"}
    assert shown.rows[0]["under"] == "sex (positive 2025-01-01)"


def test_groups_have_their_rates_and_their_side_of_the_overall_rate() -> None:
    answer = pf.subgroups(four_each(), "spsf", facet=["sex", "race"], predicted="hired")
    rows = {row["name"]: row for row in layout(answer).rows}
    # Hired are 8 of 16: 0 of 4 women of race b, 2 of 8 women, 6 of 8 men.
    assert rows["sex F, race b"]["rate"] == 0
    assert rows["sex F, race b"]["direction"] == "below"
    assert rows["sex M"]["direction"] == "above"
    assert rows["sex F, race w"]["direction"] == "–"
    # 4 of 16 rows, and half from 0.5.
    assert rows["sex F, race b"]["product"] == 0.125
    assert [row["rank"] for row in layout(answer).rows] == sorted(answer["rank"])


def test_a_shrunken_rate_is_shown_beside_the_rate() -> None:
    question: dict[str, Any] = {"facet": ["sex", "race"], "predicted": "hired", "confidence": None}
    answer = pf.subgroups(four_each(), "spsf", shrink=True, **question)
    assert column(answer, "shrunken_rate") == answer["shrunken_rate"].to_list()
    assert set(column(answer, "interval")) == {"–"}
    assert "shrunken_rate" not in layout(pf.subgroups(four_each(), "spsf", **question)).columns


def test_contributions_are_below_their_comparison() -> None:
    question = {name: value for name, value in BERKELEY.items() if name != "confidence"}
    answer = pf.decompose(pf.datasets.berkeley(), "cddpl", **question)
    shown = layout(answer)
    assert [row["name"] for row in shown.rows] == answer["department"].to_list()
    assert sum(row["contribution"] for row in shown.rows) == pytest.approx(-0.019, abs=5e-4)
    assert {row["under"] for row in shown.rows} == {"sex: Female against everyone else"}


def test_metrics_have_a_row_each() -> None:
    answer = pf.metrics(monthly(), "dppl", "di", by="month", **HIRED)
    shown = layout(answer)
    # F were hired 1 of 2 in January and 0 of 2 in February, M always 1 of 2.
    values = [(row["name"], row["value"]) for row in shown.rows]
    assert values == [("dppl", 0.0), ("di", 1.0), ("dppl", 0.5), ("di", 0.0)]
    assert [row["ideal"] for row in shown.rows] == [0, 1] * 2


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


def test_calibration_has_a_row_for_each_bin_of_each_group() -> None:
    shown = layout(calibration())
    assert [row["under"] for row in shown.rows] == [
        *["sex: F"] * 2,
        *["sex: M"] * 3,
        "All rows",
    ]
    assert [row["name"] for row in shown.rows[2:5]] == ["0 to 0.25", "0.25 to 0.5", "0.5 to 0.75"]
    assert [row["interval"] for row in shown.rows[2:5]] == [
        *("10.0 to 90.0 %", "–", "10.0 to 90.0 %"),
    ]
    assert column(calibration(), "n") == [1, 3, 2, 0, 2, 3]


def test_a_choice_has_a_row_for_each_threshold() -> None:
    shown = layout(choice())
    assert [row["name"] for row in shown.rows] == ["0.25", "0.5", "0.75"]
    assert column(choice(), "di") == [1.0, 0.9, None]
    assert column(choice(), "is_within") == ["yes", "yes", "–"]
    assert column(choice(), "is_chosen") == ["no", "yes", "no"]


def test_a_choice_among_models_has_a_row_for_each() -> None:
    models = pl.Series("model", ["a", "b", "c"])
    of_models = layout(choice().select(models, pl.exclude("threshold")))
    assert (of_models.names, [row["name"] for row in of_models.rows]) == ("Model", [*"abc"])
    of_both = layout(choice().select(models, pl.all()))
    assert (of_both.names, of_both.rows[1]["name"]) == ("Candidate", "b at 0.5")


@pytest.mark.extras
@pytest.mark.parametrize("kind", LAYOUTS)
def test_an_empty_answer_is_an_empty_table(kind: str) -> None:
    question: dict[str, Any] = {"facet": "sex", "predicted": "admitted", "count": "n"}
    nothing = pf.datasets.berkeley().clear()
    answers = {
        "audit": lambda: pf.audit(nothing, "di", **question),
        "metrics": lambda: pf.metrics(nothing, "di", **question),
        "rates": lambda: pf.rates(nothing, **question).clear(),
        "subgroups": lambda: pf.subgroups(nothing, "spsf", **question),
        "decompose": lambda: pf.decompose(nothing, "cddpl", subgroup="department", **question),
        "calibration": lambda: calibration().clear(),
        "choose": lambda: choice().clear(),
        "switches": lambda: pf.switches(nothing, champion="now", **question | TWO_MODELS),
    }
    assert "Nothing to show: the answer has no rows." in html(answers[kind]())


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
