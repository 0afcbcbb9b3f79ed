"""A user's text with a meaning in a language that it passes through stays text."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from datetime import date
from html import escape, unescape
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import vl_convert

import polars_fairness as pf
from polars_fairness.cli import main
from polars_fairness.reporting import words
from polars_fairness.reporting.charts.marks import Heat, draw_figures
from polars_fairness.reporting.parts import Figure

# References to groups and other escapes of a regular expression's replacement.
REPLACEMENTS = ["CORP\\dan", "CORP\\1", "CORP\\ann", "\\g<0>", "\\", "a\\"]
# The end of a string in an expression, and a call of one of Vega's functions after it.
EXPRESSIONS = [
    "a\nb",
    "a\rb",
    "a\u2028b",
    'a"b',
    "a'b",
    "a\\1",
    '" + warn("ran") + "',
    "\\\" + warn('ran') + '",
    "' + warn(1) + '",
    "datum['x'].y[0]\\.z",
    "${warn(1)}",
]


def _rows() -> pl.DataFrame:
    """Two facets, two months and three strata, with a gap in each."""
    return pl.DataFrame(
        {
            "sex": ["F", "M"] * 12,
            "race": ["b", "b", "w", "w"] * 6,
            "stratum": ["x", "x", "y", "y", "z", "z"] * 4,
            "month": [date(2025, 1, 1)] * 12 + [date(2025, 2, 1)] * 12,
            "hired": [0, 1, 1, 1, 0, 0] * 4,
        }
    )


def _report_of(text: str, *metrics: str) -> pf.Report:
    """A report in which every name and every value contains this text."""
    texts = pl.col("sex", "race", "stratum") + text
    frame = _rows().with_columns(texts).rename(lambda name: f"{name}{text}")
    return pf.report(
        frame,
        *metrics,
        facet=[f"sex{text}", f"race{text}"],
        disfavored={f"sex{text}": f"F{text}", f"race{text}": f"b{text}"},
        predicted=f"hired{text}",
        subgroup=f"stratum{text}",
        by=f"month{text}",
        confidence=None,
    )


@pytest.mark.parametrize("text", REPLACEMENTS)
def test_no_text_is_a_template_of_a_replacement(text: str) -> None:
    frame = _rows().with_columns(pl.col("sex") + text).rename({"sex": f"sex{text}"})
    question: dict[str, Any] = {"predicted": "hired", "confidence": None}
    page = pf.report(frame, "dppl", facet=f"sex{text}", **question)._repr_html_()
    label = escape(f"Rates by sex{text}")
    assert re.search(rf"<caption><b>Table \d+\.</b> {re.escape(label)}</caption>", page)


def _expressions(part: Any, key: str = "") -> Iterator[str]:
    """Every text of a Vega specification that Vega reads as an expression."""
    if isinstance(part, dict):
        for name, value in part.items():
            yield from _expressions(value, name)
    elif isinstance(part, list):
        for value in part:
            yield from _expressions(value, key)
    elif key in ("signal", "expr", "test", "update", "init", "calculate", "filter"):
        yield str(part)


def test_no_text_of_a_user_is_part_of_an_expression(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_MOST", 10_000)
    everything = "WARN".join([*EXPRESSIONS, *REPLACEMENTS])
    report = _report_of(everything, "dppl", "cddpl")
    assert escape(f"sex{everything}") in report._repr_html_()
    for answer in (report.answers.audited, report.answers.rated):
        chart = pf.chart(answer).to_dict()
        assert "WARN" in json.dumps(chart)
        found = [*_expressions(vl_convert.vegalite_to_vega(chart))]
        assert found
        assert not [each for each in found if "WARN" in each]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_charts_show_text_that_would_run_as_an_expression(text: str) -> None:
    mark = {"row": 0, "column": 0, "side": "above", "depth": 1, "text": "+1"}
    rows = [f"row{i}{text}" for i in range(8)]
    chart = Heat([mark], rows, ["column"], (f"down{text}", f"across{text}"))
    drawn = draw_figures([Figure("", chart)], "").to_dict()
    shown = unescape(re.sub(r"<[^>]*>", "", vl_convert.vegalite_to_svg(drawn)))
    # Vega breaks a title at a line break.
    for part in [*rows, f"down{text}", f"across{text}"]:
        assert "".join(part.split()) in "".join(shown.split())


# Each begins as a formula of a spreadsheet does, or as markup, or is an escape of a terminal.
FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"]
MARKUP = ["<script>alert(1)</script>", "[x](http://y)", "a|b", "`c`", "\x1b[31m", "\x9b31m", "&lt;"]


def _answer(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Audit, at a shell, columns whose names and values begin with this text."""
    first = f"{text}F"
    dtype = pl.Enum([first, "M"]) if "SUM" in text else pl.String
    _rows().select(
        pl.lit(f"{text}now").alias(f"{text}by"),
        pl.col("sex").replace("F", first).cast(dtype).alias(f"{text}sex"),
        "hired",
    ).write_parquet(tmp_path / "rows.parquet")
    arguments = [f"--facet={text}sex", f"--by={text}by", "--predicted=hired", "--metric=dppl"]
    file = str(tmp_path / "rows.parquet")
    assert main(["audit", file, *arguments, "--confidence=none", *words]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("text", FORMULAS)
def test_csv_holds_no_formulas(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = ("--disfavored=M", f"--favored={text}F")
    written = _answer(text, tmp_path, capsys, "--format", "csv", *sides)
    [row] = csv.DictReader(io.StringIO(written, newline=""))
    assert row[f"'{text}by"] == f"'{text}now"
    assert (row["facet"], row["favored"]) == (f"'{text}sex", f"'{text}F")
    # 1 of 3 of F were hired and 2 of 3 of M; a negative number is one.
    assert float(row["value"]) == pytest.approx(-1 / 3)


@pytest.mark.parametrize("text", MARKUP)
def test_markdown_holds_no_markup(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = _answer(text, tmp_path, capsys, "--format", "markdown")
    report = pf.report(
        pl.read_parquet(tmp_path / "rows.parquet"),
        "dppl",
        facet=f"{text}sex",
        predicted="hired",
        confidence=None,
    )
    for shown in (written, report.to_markdown()):
        assert "<script" not in shown
        assert "](" not in shown.replace("\\](", "")
        assert "&lt;F" not in shown
        assert "\x1b" not in shown
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in written.splitlines()}) == 1
    assert written.replace("\n", "").isprintable()


@pytest.mark.parametrize("text", [*FORMULAS, *MARKUP])
def test_other_formats_hold_text_as_it_is(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = json.loads(_answer(text, tmp_path, capsys, "--format", "json"))
    assert {record["facet"] for record in records} == {f"{text}sex"}
    shown = {record[side] for record in records for side in ("disfavored", "favored")}
    assert shown == {f"{text}F", "M"}
    assert _answer(text, tmp_path, capsys).replace("\n", "").isprintable()


@pytest.mark.parametrize("output", ["cells.csv", "stdout"])
def test_cells_are_read_back_as_they_were(
    output: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, back = str(tmp_path / "rows.parquet"), str(tmp_path / "cells.csv")
    named = pl.concat_str(pl.lit("=1"), "sex").alias("@sex")
    _rows().select(named, "hired").write_parquet(file)
    count = ["cells", file, "--facet", "@sex", "--predicted", "hired"]
    if output == "stdout":
        assert main(count) == 0
        Path(back).write_text(capsys.readouterr().out, "utf-8")
    else:
        assert main([*count, "--output", back]) == 0
    arguments = [
        "--facet=@sex",
        "--predicted=hired",
        "--metric=dppl",
        "--disfavored==1F",
        "--count=n",
    ]
    assert main(["audit", back, *arguments, "--format=json"]) == 0
    [record] = json.loads(capsys.readouterr().out)
    assert (record["facet"], record["disfavored"]) == ("@sex", "=1F")
    assert record["value"] == pytest.approx(1 / 3)
