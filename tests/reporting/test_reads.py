"""How often a report reads the rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest
from polars.io.plugins import register_io_source

import polars_fairness as pf
from tests.reporting.reports import BOTH, four_each


@pytest.mark.parametrize(
    ("facets", "metric", "reads"),
    [
        # Once per facet for the audit, once per facet for the rates, once for the worst groups.
        (2, "dppl", 2 + 2 + 1),
        # For pairs of three facets: once per facet to count its values, and once more.
        (3, "dppl", 3 + 3 + 4),
        # If no metric is for one facet, the audit reads once.
        (2, pf.spsf(groups="conjunctions"), 1 + 2 + 1),
        (3, pf.spsf(groups="conjunctions"), 1 + 3 + 1),
    ],
    ids=["two facets", "three facets", "both at once", "all three at once"],
)
def test_rows_are_read_as_often_as_the_documents_say(
    facets: int, metric: str | pf.Metric, reads: int
) -> None:
    frame = four_each().with_columns(half=pl.Series([1, 2] * 8))
    seen = []

    def read(columns: list[str] | None, *_: Any) -> Iterator[pl.DataFrame]:
        seen.append(columns)
        yield frame.select(columns or frame.columns)

    question = BOTH | {"facet": ["sex", "race", "half"][:facets], "confidence": None}
    pf.report(register_io_source(read, schema=frame.schema), metric, **question)
    assert len(seen) == reads
