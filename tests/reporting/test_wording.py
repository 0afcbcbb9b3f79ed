"""Numbers, bands and dates as a report writes them."""

from __future__ import annotations

import polars as pl

import polars_fairness as pf


def test_a_struct_is_written_as_its_fields() -> None:
    frame = pl.DataFrame({"sex": ["F", "M"], "race": ["B", "W"], "p": [1, 0]})
    both = pl.struct("sex", "race")
    report = pf.report(frame, "dppl", facet=both, predicted="p", confidence=None)
    assert repr(report) == "Report('Column p, by sex & race')"
    assert "sex &amp; race, computed as" in report.to_markdown()
