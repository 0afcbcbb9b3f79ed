"""How often a report reads the rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest
from polars.io.plugins import register_io_source

import polars_fairness as pf
from polars_fairness.counting import counted_rows
from tests.reporting.reports import BOTH, four_each


def reads_of(frame: pl.DataFrame, *metrics: str | pf.Metric, **question: Any) -> int:
    """How often a report reads a frame."""
    seen = []

    def read(columns: list[str] | None, *_: Any) -> Iterator[pl.DataFrame]:
        seen.append(columns)
        yield frame.select(columns or frame.columns)

    pf.report(register_io_source(read, schema=frame.schema), *metrics, confidence=None, **question)
    return len(seen)


PEOPLE = four_each().with_columns(
    half=pl.Series([1, 2] * 8),
    female=pl.Series([True, False] * 8),
    white=pl.Series([True, False, False, True] * 4),
    branch=pl.Series(["n", "s"] * 8, dtype=pl.Enum(["n", "s"])),
    job=pl.Series(["a", "b", "c", "d"] * 4),
    paid=pl.Series([0, 1, 1, 1] * 4),
    score=pl.Series([0.1, 0.2, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0] * 2),
    mark=pl.Series([0.5, 0.25] * 8),
    weight=pl.Series([1.0, 2.0, None, 4.0] * 4),
)

SUBGROUPS: dict[str, Any] = {"label": "paid", "subgroup": "branch"}
WEIGHTED = {"label": "paid", "weight": "weight", "nulls": "drop"}


@pytest.mark.parametrize(
    ("metrics", "question"),
    [
        (["dppl"], {}),
        ([], {"label": "paid"}),
        ([pf.entry("spsf", groups="conjunctions")], {}),
        (["dppl"], {"facet": ["sex", "race", pl.struct("sex", "race")]}),
        (["cddpl", "cddl", "di"], SUBGROUPS | {"facet": ["female", "white"]}),
        ([], {"label": "paid", "by": "half", "minimum_count": 2}),
        ([], WEIGHTED),
        ([], {"label": "paid", "score": "score", "resolution": 0.1}),
        ([], WEIGHTED | {"score": "score", "resolution": 0.1}),
        (["di"], {"label": "paid", "score": "score"}),
        (["di"], {"label": "paid", "predicted": "score", "threshold": 0.3}),
        (
            [],
            {
                "label": "paid",
                "predicted": {"now": "hired", "new": pl.col("score") > 0.5},
                "champion": "now",
            },
        ),
    ],
    ids=[
        "one metric",
        "all metrics of decisions",
        "both facets at once",
        "an intersection",
        "metrics of subgroups",
        "worst groups of a minimum count",
        "rows that are left out",
        "scores by multiples",
        "weighted scores",
        "scores beside decisions",
        "a threshold",
        "two models",
    ],
)
def test_rows_are_read_once(metrics: list[Any], question: dict[str, Any]) -> None:
    assert reads_of(PEOPLE, *metrics, **{**BOTH, **question}) == 1


@pytest.mark.parametrize(
    ("question", "reads"),
    [
        # For the number of values, and for the count.
        ({"facet": ["sex", "race", "job"]}, 1 + 1),
        ({"facet": ["sex", "race", "half"], "minimum_count": 2}, 1 + 1),
        (SUBGROUPS, 1 + 1),
        # Of each distinct score there are many cells, so facets are counted one by one; what needs
        # no subgroups is counted jointly.
        (SUBGROUPS | {"score": "score"}, 2 + 1),
        ({"predicted": {"new": "score", "old": "mark"}, "label": "paid"}, 2),
    ],
    ids=[
        "three texts",
        "two texts and a number",
        "subgroups of texts",
        "scores beside subgroups",
        "scores of two models",
    ],
)
def test_rows_are_read_as_often_as_the_documents_say(question: dict[str, Any], reads: int) -> None:
    assert reads_of(PEOPLE, **{**BOTH, **question}) == reads


def test_facets_of_many_cells_are_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_rows, "MOST_CELLS", 1)
    # The number of values, each facet with its subgroups, and both facets without subgroups.
    assert reads_of(PEOPLE, **BOTH, **SUBGROUPS) == 1 + 2 + 1
