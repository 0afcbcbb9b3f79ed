"""Names and values that could be taken for markup, and characters that no page can have."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import polars as pl
import pytest

import polars_fairness as pf
from tests.reporting.reports import BOTH, four_each


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
