"""Audits of several models and thresholds, in the order in which a terminal shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import polars as pl

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.cli.words import Row
from polars_fairness.question.windows import THRESHOLD


def each_verdict_once(answer: pl.DataFrame) -> pl.DataFrame:
    """An audit at several thresholds, where a metric that needs no decisions has a verdict once.

    It is the same at each threshold, so its row has none.
    """
    names = answer["metric"].unique()
    on_decisions = [name for name in names if "predicted" in CATALOGUE[name].needs]
    threshold = pl.when(pl.col("metric").is_in(on_decisions)).then(THRESHOLD)
    keys = [*answer.columns[: answer.columns.index("facet") + 3], "metric"]
    return answer.with_columns(threshold.alias(THRESHOLD)).unique(keys, maintain_order=True)


def by_comparison(rows: Iterable[Row], heading: Callable[[Row], str]) -> Iterator[Row]:
    """The rows under each heading together, with all models and thresholds of each metric."""
    blocks: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        blocks.setdefault(heading(row), {}).setdefault(row["metric"], []).append(row)
    for block in blocks.values():
        for of_metric in block.values():
            yield from of_metric
