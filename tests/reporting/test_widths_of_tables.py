"""Each row of each table of a report has a cell for each head, whatever the question."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.parts import Table


def _rows() -> pl.DataFrame:
    i = pl.int_range(240)
    return pl.select(
        sex=pl.lit(pl.Series(["F", "M", None])).gather(i * i % 7 % 3),
        black=(i * 17 % 80) / 100,
        white=(i * 29 % 20) / 100,
        stratum=i % 4,
        month=i // 120,
        weight=1 + i % 3,
        score=(i * 7 % 50) / 50,
        approved=pl.when(i % 9 > 0).then(i * 7 % 11 % 4 < 2),
        other=pl.when(i % 9 > 0).then(i * 5 % 13 % 3 < 1),
        repaid=pl.when(i % 13 > 0).then(i % 5 < 3),
        paid=(i * 3 % 11) / 2,
    )


ESTIMATED: Final = pf.probabilities("race", {"b": "black", "w": "white"})
FACETS: Final[dict[str, Any]] = {
    "known": "sex",
    "estimated": ESTIMATED,
    "both": ["sex", ESTIMATED],
}
OUTCOMES: Final[dict[str, dict[str, Any]]] = {
    "decisions": {"predicted": "approved", "label": "repaid", "subgroup": "stratum"},
    "models": {"predicted": {"one": "approved", "two": "other"}},
    "scores": {"score": "score", "label": "repaid", "threshold": 0.5, "resolution": 0.1},
    "numbers": {"observed": "paid", "predicted": "approved"},
}
MORE: Final[dict[str, dict[str, Any]]] = {
    "alone": {},
    "of weighted months": {"weight": "weight", "by": "month"},
}


@pytest.mark.parametrize("outcome", OUTCOMES)
@pytest.mark.parametrize("facet", FACETS)
def test_each_row_has_as_many_cells_as_there_are_heads(facet: str, outcome: str) -> None:
    rows = _rows()
    for more, nulls in product(MORE, ("drop", "raise")):
        question = {"facet": FACETS[facet], "nulls": nulls, **OUTCOMES[outcome], **MORE[more]}
        known = rows if nulls == "drop" else rows.drop_nulls(["approved", "other", "repaid"])
        metric = "observed_difference" if outcome == "numbers" else "dppl"
        report = pf.report(known, metric, **question, confidence=None, detail="full")
        tables = _tables(report)
        assert tables
        for table in tables:
            widths = {len(row) for row in table.rows} - {1}
            assert widths <= {len(table.heads)}, (question, table.caption, table.heads)


def _tables(report: pf.Report) -> list[Table]:
    document = report._document({})
    parts = (*document.first, *(part for section in document.sections for part in section.parts))
    return [part for part in parts if isinstance(part, Table)]
