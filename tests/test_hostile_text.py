"""Text of the user's that means something to a language it passes through stays text."""

from __future__ import annotations

from datetime import date
from html import escape

import polars as pl
import pytest

import polars_fairness as pf

# References to groups and other escapes of a regular expression's replacement.
REPLACEMENTS = ["CORP\\dan", "CORP\\1", "CORP\\ann", "\\g<0>", "\\", "a\\"]


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


@pytest.mark.parametrize("text", REPLACEMENTS)
def test_no_text_is_a_template_of_a_replacement(text: str) -> None:
    frame = _rows().with_columns(pl.col("sex") + text).rename({"sex": f"sex{text}"})
    told = pf.report(frame, "dppl", facet=f"sex{text}", predicted="hired", confidence=None)
    page = told._repr_html_()
    label = escape(f"sex{text}: F{text} against everyone else")
    assert f'aria-label="Metrics, {label}" tabindex="0"' in page
    assert f"<caption><span>Metrics, {label}</span></caption>" in page
