"""Scores: every threshold and every metric of scores, beside a bare count and scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
from contestants import scanned
from markdown_tables import figure, table
from measure import Job, Result, in_turn
from side_by_side import TOLERANCE, Promise, table_of_promises

import polars_fairness as pf

ROWS = (2_000_000, 20_000_000)
COLUMNS = ("sex", "label", "score")
QUESTION: dict[str, Any] = {"facet": "sex", "disfavored": "F", "label": "label", "score": "score"}
DECISIONS: dict[str, Any] = {
    "predicted": "score",
    "threshold": [i / 100 for i in range(1, 100)],
}
RESOLUTION = 0.001

AUC = ["auc_difference"]
METRICS = [name for name, metric in pf.CATALOGUE.items() if "score" in metric.needs]

FLOOR = "floor: count by sex and label, and add up the score"
SORT = "floor: sort the scores within each group, in memory"
AT_THRESHOLDS = "polars-fairness: all metrics at 99 thresholds"
ROUNDED = "polars-fairness: metrics of scores, resolution 0.001"
AUC_ROUNDED = "polars-fairness: AUC by sex, in memory, resolution 0.001"
AUC_EXACT = "polars-fairness: AUC by sex, in memory"
AUC_LAZY = "polars-fairness: AUC by sex, exact"
ALL = "polars-fairness: metrics of scores, in memory"
INTERVALS = "polars-fairness: metrics of scores with intervals, in memory"
SCIKIT_LEARN = "scikit-learn: AUC by sex, in memory"

Results = dict[str, dict[str, Result]]


def at_thresholds(rows: pl.LazyFrame) -> float:
    answer = pf.metrics(rows, **QUESTION | {"score": None}, **DECISIONS).collect()
    return float(answer["dppl"].sum())


def of_scores(
    rows: pl.LazyFrame | pl.DataFrame, metrics: Sequence[str], resolution: float | None = None
) -> float:
    answer = pf.metrics(rows, metrics, resolution=resolution, **QUESTION).lazy().collect()
    return float(answer["auc_difference"].item())


def with_intervals(rows: pl.DataFrame) -> float:
    answer = pf.audit(rows, METRICS, **QUESTION)
    return float(answer.filter(metric="auc_difference")["value"].item())


def floor_count(rows: pl.LazyFrame) -> None:
    rows.group_by("sex", "label").agg(pl.len(), pl.col("score").sum()).collect()


def floor_sort(rows: pl.DataFrame) -> None:
    for group in rows.partition_by("sex"):
        group.sort("score")


def floor_decode(rows: pl.LazyFrame) -> None:
    rows.select(COLUMNS).sink_batches(lambda batch: None)


def by_hand(rows: pl.LazyFrame, steps: int) -> None:
    """Count by rounded scores, as cheaply as polars can: 0.29 * 100 is below 29."""
    step = (pl.col("score") * steps).floor().alias("step")
    rows.with_columns(step).group_by("sex", "label", "step").agg(pl.len()).collect()


def in_memory(folder: Path) -> pl.DataFrame:
    return scanned(folder).select(COLUMNS).collect()


def in_arrays(folder: Path) -> dict[str, tuple[Any, Any]]:
    """Return the labels and scores of each group, so that only the metric is timed."""
    groups = in_memory(folder).partition_by("sex", as_dict=True)
    return {
        str(sex): (rows["label"].to_numpy(), rows["score"].to_numpy())
        for (sex,), rows in groups.items()
    }


def scikit_learn(groups: dict[str, tuple[Any, Any]]) -> float:
    from sklearn.metrics import roc_auc_score

    of_group = {sex: roc_auc_score(*rows) for sex, rows in groups.items()}
    return float(of_group["M"] - of_group["F"])


JOBS = {
    "floor: decode the three columns": Job(scanned, floor_decode, ()),
    FLOOR: Job(scanned, floor_count, ()),
    "polars by hand: count by hundredths of the score too": Job(
        scanned, partial(by_hand, steps=100), ()
    ),
    AT_THRESHOLDS: Job(scanned, at_thresholds),
    "polars by hand: count by thousandths of the score too": Job(
        scanned, partial(by_hand, steps=1_000), ()
    ),
    ROUNDED: Job(scanned, partial(of_scores, metrics=METRICS, resolution=RESOLUTION)),
    AUC_LAZY: Job(scanned, partial(of_scores, metrics=AUC)),
    "polars-fairness: metrics of scores, exact": Job(scanned, partial(of_scores, metrics=METRICS)),
    SORT: Job(in_memory, floor_sort, ()),
    AUC_ROUNDED: Job(in_memory, partial(of_scores, metrics=AUC, resolution=RESOLUTION)),
    AUC_EXACT: Job(in_memory, partial(of_scores, metrics=AUC)),
    ALL: Job(in_memory, partial(of_scores, metrics=METRICS)),
    INTERVALS: Job(in_memory, with_intervals),
    SCIKIT_LEARN: Job(in_arrays, scikit_learn, ("sklearn.metrics",)),
}

PROMISES = (
    Promise(20_000_000, AT_THRESHOLDS, FLOOR, 1.6, at_least=False),
    Promise(20_000_000, ROUNDED, FLOOR, 1.8, at_least=False),
    Promise(20_000_000, SCIKIT_LEARN, AUC_ROUNDED, 20),
    *(Promise(rows, AUC_EXACT, SORT, 1.6, at_least=False) for rows in ROWS),
    *(Promise(rows, AUC_LAZY, SORT, 1.6, at_least=False) for rows in ROWS),
    *(Promise(rows, SCIKIT_LEARN, AUC_EXACT, 3) for rows in ROWS),
    *(Promise(rows, ALL, SORT, 4, at_least=False) for rows in ROWS),
    Promise(2_000_000, INTERVALS, ALL, 3, at_least=False),
)


def results(data: Path, most_rows: int) -> Results:
    """Measure every job; the exact AUC is to be that of scikit-learn."""
    got = {
        str(rows): in_turn("scores", JOBS, data / str(rows)) for rows in ROWS if rows <= most_rows
    }
    for of_rows in got.values():
        values: list[Any] = [of_rows[name].get("value") for name in (AUC_EXACT, SCIKIT_LEARN)]
        if None not in values and abs(values[0] - values[1]) > TOLERANCE:
            raise ValueError(f"polars-fairness answers {values[0]}, and scikit-learn {values[1]}")
    return got


def tables(results: Results) -> str:
    columns = ("what", "seconds", "ratio", "seconds to load", "peak MB")
    of_rows = [
        table(f"{int(rows):,} rows", columns, [line(name, all_, all_[FLOOR]) for name in all_])
        for rows, all_ in results.items()
    ]
    return "\n".join([*of_rows, table_of_promises(PROMISES, results)])


def line(name: str, results: dict[str, Result], floor: Result) -> list[str]:
    result = results[name]
    if "gave_up" in result:
        return [name, result["gave_up"], "", "", ""]
    seconds, load = result["seconds"], result["load_seconds"]
    return [name, *map(figure, (seconds, seconds / floor["seconds"], load, result["megabytes"]))]
