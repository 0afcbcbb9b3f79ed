"""Names and values that could be taken for markup, and characters that no page can have."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.reporting.reports import BOTH, HOSTILE, Elements, four_each


@cache
def hostile() -> pf.Report:
    frame = pf.datasets.berkeley().with_columns(
        pl.col("sex").replace("Female", HOSTILE),
        pl.col("department").replace("A", HOSTILE),
    )
    names = {"sex": f"sex{HOSTILE}", "admitted": f"p{HOSTILE}", "department": f"s{HOSTILE}"}
    question: dict[str, Any] = {
        "facet": names["sex"],
        "disfavored": HOSTILE,
        "predicted": names["admitted"],
    }
    frame = frame.rename(names)
    return pf.report(frame, subgroup=names["department"], count="n", confidence=None, **question)


def test_names_and_values_are_text_on_a_page(tmp_path: Path) -> None:
    hostile().write_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    elements = Elements(page)
    assert "script" not in {tag for tag, _ in elements.found}
    assert not any(name.startswith("on") for _, attributes in elements.found for name in attributes)
    assert HOSTILE in elements.text
    keys = [found["data-key"] or "" for _, found in elements.found if "data-key" in found]
    assert any(HOSTILE.replace("/", "%2F") in key for key in keys)


def test_names_and_values_are_text_in_markdown() -> None:
    text = hostile().to_markdown()
    assert "<script" not in text
    tables = [line for line in text.splitlines() if line.startswith("|")]
    widths = [len(re.findall(r"(?<!\\)\|", line)) for line in tables]
    heads = [i for i, line in enumerate(tables) if set(line) <= set("|-: ")]
    for head in heads:
        assert widths[head - 1] == widths[head]
    assert set(widths) == {widths[head] for head in heads}


@pytest.mark.parametrize("character", ["\x1b", "\x00", "\x07", "\ufffe"])
def test_characters_that_no_page_can_have_are_replaced(character: str, tmp_path: Path) -> None:
    """Unreplaced they would end the process while the charts are drawn."""
    name = f"a{character}b"
    frame = pl.DataFrame({name: [name, "c"] * 20, "p": [0, 1, 1, 1] * 10})
    pf.report(frame, "di", facet=name, predicted="p").write_html(tmp_path / "page.html")
    written = (tmp_path / "page.html").read_text("utf-8")
    assert character not in written
    assert "a\N{REPLACEMENT CHARACTER}b" in written


def test_windows_may_have_the_name_of_a_pattern() -> None:
    frame = pl.concat(
        four_each().with_columns(pl.lit(date(2025, month, 1)).alias("^m$")) for month in (1, 2)
    )
    report = pf.report(frame, "dppl", by="^m$", **BOTH)
    assert "## By sex, ^m$ 2025-02-01" in report.to_markdown()
