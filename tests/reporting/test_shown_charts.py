"""The charts of answers: expected numbers are worked out by hand."""

from __future__ import annotations

import json
from math import inf, log
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from polars_fairness.reporting.charts.marks import Lines
from polars_fairness.reporting.colours import LIGHT
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.shown.figures import FIGURES, figures_of
from polars_fairness.reporting.shown.recognised import recognised
from tests.reporting.reports import BERKELEY, HOSTILE, four_each, monthly
from tests.strategies import examples

HIRED: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "hired"}
PNG = b"\x89PNG\r\n\x1a\n"


def figures(answer: pl.DataFrame) -> list[Figure]:
    return figures_of(recognised(answer, FIGURES))


def test_an_audit_is_a_forest_with_its_numbers_beside_it() -> None:
    (forest,) = figures(pf.audit(pf.datasets.berkeley(), "di", "ci", **BERKELEY))
    di, ci = forest.chart.marks
    # The band of di is 0.8 to 1.25, so half of it is log 1.25; below it, di speaks against d.
    assert di["value"] == pytest.approx(-log((557 / 1835) / (1198 / 2691)) / log(1.25))
    assert (di["name"], di["Band"]) == ("di  0.682", "0.8 to 1.25")
    assert (di["Verdict"], di["tone"]) == ("outside, against Female", "outside")
    assert (ci["value"], ci["Band"], ci["Verdict"]) == (None, "none", "no band")
    assert forest.caption.startswith("sex: Female against everyone else\n")


def test_bands_of_the_caller_are_those_of_the_chart() -> None:
    audit = pf.audit(monthly(), "dppl", confidence=None, bands={"dppl": (-0.5, 0.5)}, **HIRED)
    (forest,) = figures(audit)
    # 1 of 4 women and 2 of 4 men were hired: a difference of 0.25, half of half the band.
    assert forest.chart.marks[0]["value"] == pytest.approx(0.5)
    assert forest.chart.marks[0]["Band"] == "−0.5 to 0.5"


def test_a_metric_of_the_callers_own_has_no_known_side() -> None:
    own = pf.Metric("own", "Own", pf.terms.d.selection_rate - pf.terms.a.selection_rate)
    audit = pf.audit(monthly(), own, confidence=None, bands={"own": (-0.1, 0.1)}, **HIRED)
    (forest,) = figures(audit)
    assert "do not show which side" in forest.caption
    assert forest.chart.marks[0]["value"] == pytest.approx(-2.5)


def test_windows_of_time_are_drawn_over_time_and_others_one_by_one() -> None:
    (series,) = figures(pf.audit(monthly(), "dppl", by="month", confidence=None, **HIRED))
    assert isinstance(series.chart, Lines)
    assert [point["y"] for point in series.chart.marks] == [0, 0.5]
    assert [point["tone"] for point in series.chart.marks] == ["within", "outside"]
    by_name = pf.audit(
        monthly(), "dppl", by=pl.col("month").cast(pl.String), confidence=None, **HIRED
    )
    captions = [figure.caption.split("\n")[0] for figure in figures(by_name)]
    assert captions == [
        "sex: F against everyone else (month 2025-01-01)",
        "sex: F against everyone else (month 2025-02-01)",
    ]


def test_rates_have_intervals_if_they_are_of_counts() -> None:
    frame = monthly().with_columns(w=1.5)
    question: dict[str, Any] = {"facet": "sex", "predicted": "hired"}
    (counted,) = figures(pf.rates(frame, **question))
    assert [point["name"] for point in counted.chart.marks] == ["F", "M", "All rows"]
    assert [point["Rate"] for point in counted.chart.marks] == ["25.0 %", "50.0 %", "37.5 %"]
    # Wilson's interval of 1 of 4 at z = 1.96 is 0.0456 to 0.6994 (Newcombe 1998, method 3).
    assert counted.chart.marks[0]["lower"] == pytest.approx(0.0456, abs=5e-5)
    assert counted.chart.marks[0]["upper"] == pytest.approx(0.6994, abs=5e-5)
    (weighted,) = figures(pf.rates(frame, weight="w", **question))
    assert {point["lower"] for point in weighted.chart.marks} == {None}
    assert [point["Weight"] for point in weighted.chart.marks] == ["6.0", "6.0", "12.0"]


def test_groups_are_drawn_by_rank_with_the_overall_rate() -> None:
    answer = pf.worst_groups(four_each(), "spsf", facet=["sex", "race"], predicted="hired")
    (ranked,) = figures(answer)
    assert [point["value"] for point in ranked.chart.marks] == answer["rate"].to_list()
    assert vars(ranked.chart)["ideal"] == 0.5
    sides = {point["name"]: point["side"] for point in ranked.chart.marks}
    assert sides["sex F, race b"] == "below"
    assert sides["sex M"] == "above"
    assert sides["sex F, race w"] is None


def test_the_shrunken_rate_is_drawn_if_there_is_one() -> None:
    question: dict[str, Any] = {"facet": ["sex", "race"], "predicted": "hired", "confidence": None}
    answer = pf.worst_groups(four_each(), "spsf", shrink=True, **question)
    (ranked,) = figures(answer)
    assert [point["value"] for point in ranked.chart.marks] == answer["shrunken_rate"].to_list()


def test_many_groups_are_cut_and_the_title_says_so() -> None:
    frame = pl.DataFrame({"branch": range(40), "hired": [0, 1] * 20})
    question: dict[str, Any] = {"facet": "branch", "predicted": "hired"}
    (rates,) = figures(pf.rates(frame, **question))
    (ranked,) = figures(pf.worst_groups(frame, "spsf", **question))
    assert len(rates.chart.marks) == 31
    assert len(ranked.chart.marks) == 30
    assert all("(the first 30 of 40)" in figure.caption for figure in (rates, ranked))


def drawn(answer: pl.DataFrame) -> dict[str, Any]:
    specification: dict[str, Any] = pf.chart(answer).to_dict()
    return specification


def answers() -> dict[str, pl.DataFrame]:
    applicants = pf.datasets.berkeley()
    question = {name: value for name, value in BERKELEY.items() if name != "confidence"}
    groups: dict[str, Any] = {"predicted": "admitted", "count": "n"}
    return {
        "audit": pf.audit(applicants, "di", "ddpl", "ci", **BERKELEY),
        "over time": pf.audit(monthly(), "dppl", by="month", confidence=None, **HIRED),
        "rates": pf.rates(applicants, facet="sex", **groups),
        "worst_groups": pf.worst_groups(applicants, "spsf", facet=["sex", "department"], **groups),
        "decompose": pf.decompose(applicants, "cddpl", **question),
    }


@pytest.mark.extras
@pytest.mark.parametrize("name", answers())
def test_a_chart_is_a_picture_with_axes_and_without_variables(name: str, tmp_path: Path) -> None:
    answer = answers()[name]
    chart = pf.chart(answer)
    chart.save(tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes().startswith(PNG)
    chart.save(tmp_path / "chart.svg")
    picture = (tmp_path / "chart.svg").read_text("utf-8")
    assert "var(" not in picture
    assert f'fill="{LIGHT.paper}"' in picture
    assert "role-axis-label" in picture
    assert "role-axis-tick" in picture


@pytest.mark.extras
def test_the_numbers_of_an_audit_are_in_its_picture(tmp_path: Path) -> None:
    pf.chart(answers()["audit"]).save(tmp_path / "chart.svg")
    picture = (tmp_path / "chart.svg").read_text("utf-8")
    for text in ("di  0.682", "0.8 to 1.25", "outside, against Female", "no band", "ci  0.189"):
        assert f">{text}<" in picture.replace("\N{NO-BREAK SPACE}", " ")
    assert f'fill="{LIGHT.outside}"' in picture


@pytest.mark.extras
@pytest.mark.parametrize("name", answers())
def test_an_answer_without_rows_is_drawn_as_words(name: str) -> None:
    shown = drawn(answers()[name].clear())
    assert "Nothing to show: the answer has no rows." in str(shown)
    assert len(shown["vconcat"]) == 1


@pytest.mark.extras
def test_many_charts_are_cut_and_a_line_says_so() -> None:
    frame = pl.concat([monthly().with_columns(branch=pl.lit(i)) for i in range(17)])
    shown = drawn(pf.audit(frame, "dppl", by="branch", confidence=None, **HIRED))
    assert len(shown["vconcat"]) == 16
    assert shown["title"]["text"] == ["The first 16 of 17 charts; filter the answer to see others."]


@pytest.mark.extras
def test_infinite_and_undefined_values_are_drawn(tmp_path: Path) -> None:
    audit = pl.concat([pf.audit(monthly(), "di", confidence=None, **HIRED)] * 4).with_columns(
        pl.Series("value", [inf, -inf, None, 1.0]),
        pl.Series("lower", [-inf, -inf, None, 0.5]),
        pl.Series("upper", [inf, inf, None, inf]),
    )
    rates = pf.rates(monthly(), facet="sex", predicted="hired")
    over_time = pf.audit(monthly(), "di", by="month", confidence=None, **HIRED)
    for answer in (
        audit,
        rates.with_columns(selection_rate=pl.Series([inf, None, 0.5])),
        over_time.with_columns(value=pl.Series([inf, 1.0]), upper=pl.lit(inf), lower=pl.lit(0.5)),
    ):
        chart = pf.chart(answer)
        json.dumps(chart.to_dict(), allow_nan=False)
        chart.save(tmp_path / "chart.png")


@pytest.mark.extras
@examples(12)
@given(name=st.text(min_size=1), value=st.text(), kind=st.sampled_from(["audit", "rates"]))
def test_names_and_values_are_text(name: str, value: str, kind: str) -> None:
    """A control character that is not replaced would end the process."""
    frame = pl.DataFrame(
        {name + HOSTILE: ["\x1b" + value, "\x1b" + value + "!"] * 4, "p\x1f": [0, 1, 1, 1] * 2}
    )
    question: dict[str, Any] = {"facet": name + HOSTILE, "predicted": "p\x1f"}
    if kind == "audit":
        answer = pf.audit(frame, "di", confidence=None, by=pl.lit(value).alias("when"), **question)
    else:
        answer = pf.rates(frame, **question)
    import vl_convert

    assert vl_convert.vegalite_to_svg(drawn(answer)).startswith("<svg")
