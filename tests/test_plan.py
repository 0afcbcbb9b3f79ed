"""An answer is one plan, which reads only the columns named and streams over the rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import csv_of, ipc_of, ndjson_of, people, shared
from tests.plans import scans_of

pytestmark = pytest.mark.newest

QUESTION: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p", "subgroup": "branch"}

# Further arguments, and the number of columns that the answer needs.
QUESTIONS: dict[str, tuple[dict[str, Any], int]] = {
    "outcomes": ({}, 4),
    "a score": ({"predicted": "score", "threshold": 0.5}, 4),
    "weights": ({"weight": "w"}, 5),
    "counts": ({"count": "month"}, 5),
    "windows": ({"by": (pl.col("month") // 2).alias("pair")}, 5),
    "several facets": ({"facet": ["sex", "race"]}, 4),
    "an intersection": ({"facet": pl.struct("sex", "race").alias("sex_race")}, 5),
    "no values named": ({"favored": "M"}, 4),
    "nulls dropped": ({"nulls": "drop"}, 4),
}

# The colour, in the graph of a physical plan, of a node that falls back to the in-memory engine.
FALLEN_BACK = 'fillcolor="0.0 0.3 1.0"'


@pytest.fixture
def scan(tmp_path: Path) -> pl.LazyFrame:
    for year in (2024, 2025):
        folder = tmp_path / f"year={year}"
        folder.mkdir()
        people().with_columns(pl.lit(0).alias(f"unasked_{i}") for i in range(3)).write_parquet(
            folder / "0.parquet"
        )
    return pl.scan_parquet(tmp_path, hive_partitioning=True)


def graph_of(lazy: pl.LazyFrame) -> str:
    graph = lazy.show_graph(engine="streaming", plan_stage="physical", raw_output=True, show=False)
    assert graph is not None
    return graph


def nodes_above_rows(graph: str) -> list[str]:
    """List the nodes between the scans and the checked cells, as the graph paints them."""
    labels = dict(re.findall(r"^(\d+) (\[.*\]);$", graph, re.MULTILINE))
    edges = re.findall(r"^(\d+) -> (\d+);$", graph, re.MULTILINE)
    reached = [node for node, label in labels.items() if "scan" in label or "source" in label]
    assert reached
    for node in reached:
        if "group-by" in labels[node]:
            continue
        reached += [after for before, after in edges if before == node and after not in reached]
    return [labels[node] for node in reached]


def test_the_graph_paints_nodes_that_fall_back(scan: pl.LazyFrame) -> None:
    """If they had another colour, the test below would find no node in any plan."""
    quantile = scan.group_by("sex").agg(pl.col("score").quantile(0.5))
    assert [node for node in nodes_above_rows(graph_of(quantile)) if FALLEN_BACK in node]


@pytest.mark.extras
def test_columns_that_no_metric_needs_are_not_read(scan: pl.LazyFrame) -> None:
    for metric, columns in (("dppl", 3), ("cddpl", 4)):
        plan = shared(pf.metrics, scan, metric, **QUESTION).explain()
        assert f"PROJECT {columns}/" in plan
    assert (
        "PROJECT 5/"
        in shared(pf.fliptest, scan, features=["score", "w", "month"], **QUESTION).explain()
    )


@pytest.mark.extras
@pytest.mark.parametrize(("question", "_columns"), QUESTIONS.values(), ids=QUESTIONS)
def test_rows_are_streamed(scan: pl.LazyFrame, question: dict[str, Any], _columns: int) -> None:
    for function in (pf.metrics, pf.rates, pf.cells):
        nodes = nodes_above_rows(graph_of(shared(function, scan, **{**QUESTION, **question})))
        assert any("group-by" in node for node in nodes)
        assert not [node for node in nodes if FALLEN_BACK in node]


@pytest.mark.extras
@pytest.mark.parametrize(("question", "columns"), QUESTIONS.values(), ids=QUESTIONS)
def test_each_facet_is_one_scan_of_the_columns_named(
    scan: pl.LazyFrame, question: dict[str, Any], columns: int
) -> None:
    arguments = {**QUESTION, **question}
    scans = re.findall(r"multi-scan.*project: (\d+) total", graph_of(pf.metrics(scan, **arguments)))
    facets = arguments["facet"]
    facets = facets if isinstance(facets, list) else [facets]
    assert scans == [str(columns)] * len(facets)


SOURCES: dict[str, Callable[[pl.LazyFrame, Path], pl.LazyFrame]] = {
    "Parquet": lambda rows, _: rows,
    "CSV": csv_of,
    "NDJSON": ndjson_of,
    "an Arrow file": ipc_of,
    "a frame": lambda rows, _: rows.collect().lazy(),
    "a join": lambda rows, _: rows.join(pl.LazyFrame({"month": [0, 1]}), on="month"),
    "sorted rows": lambda rows, _: rows.sort("month"),
    "a window": lambda rows, _: rows.with_columns(w=pl.col("w").sum().over("sex")),
    "below each other": lambda rows, _: pl.concat([rows, rows.filter(pl.col("w") > 2)]),
}


@pytest.mark.parametrize("source", SOURCES)
def test_several_facets_have_the_same_answer_from_any_source(source: str, tmp_path: Path) -> None:
    people().write_parquet(tmp_path / "rows.parquet")
    rows = SOURCES[source](pl.scan_parquet(tmp_path / "rows.parquet"), tmp_path)
    question: dict[str, Any] = {"facet": ["sex", "race", "branch"], "label": "y", "predicted": "p"}
    assert_frame_equal(pf.rates(rows, **question).collect(), pf.rates(rows.collect(), **question))


def test_joint_counts_are_of_few_cells() -> None:
    """The number of cells is bounded by types alone, not by the data."""
    few, many = pl.Enum([f"{i}" for i in range(49)]), pl.Enum([f"{i}" for i in range(2_000)])
    types = {"a": few, "b": few, "c": few, "d": pl.Boolean(), "e": pl.Int8(), "f": pl.String()}
    frame = pl.LazyFrame(
        schema={**types, "g": many, "y": pl.Boolean(), "z": pl.Boolean(), "p": pl.Int64()}
    )
    question: dict[str, Any] = {"label": "y", "predicted": "p"}

    def reads(facets: str, **more: Any) -> int:
        return scans_of(pf.metrics(frame, facet=[*facets], **question, **more))

    # Two outcomes make 9 cells of a value: 50 * 50 * 9 are few enough, 50 * 50 * 50 * 9 are not.
    assert (reads("ab"), reads("abc"), reads("abd"), reads("dag")) == (1, 2, 1, 2)
    # A byte has 256 values; text and longer numbers may have any number of values.
    assert (reads("de"), reads("ae"), reads("af")) == (1, 2, 2)
    assert reads("abd", by=pl.lit("x").alias("text")) == 3
    assert reads("abd", subgroup="z") == 2


def test_filters_and_partitions_reach_the_scan(scan: pl.LazyFrame, tmp_path: Path) -> None:
    broken = tmp_path / "year=2026"
    broken.mkdir()
    (broken / "0.parquet").write_text("no parquet at all")
    partition = pl.scan_parquet(tmp_path, hive_partitioning=True).filter(year=2025, month=1)
    lazy = pf.metrics(partition, **QUESTION)
    assert re.search(r'SELECTION: .*col\("month"\)', lazy.explain())
    assert_frame_equal(
        lazy.collect(), pf.metrics(scan.filter(year=2025, month=1).collect(), **QUESTION)
    )
