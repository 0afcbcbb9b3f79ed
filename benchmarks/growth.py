"""How the cost grows with rows, facets and other sizes, beside a bare count by the same keys."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
from markdown_tables import figure, table
from measure import Job, Result, in_turn

import polars_fairness as pf

MANY_VALUED = "many_valued.parquet"
STORED = 20_000_000  # rows of the largest log on disk; for more rows, it is scanned repeatedly

# Metrics of neighbours and of scores have separate benchmarks; numbers are other columns.
METRICS = [
    name
    for name, metric in pf.CATALOGUE.items()
    if not ({"features", "score"} & {*metric.needs} or metric.is_about_numbers or metric.only_named)
]

SIZES = {
    "rows": (100_000, 2_000_000, 20_000_000, 200_000_000, 1_000_000_000),
    "facets": (1, 2, 5, 10, 20),
    "facet values": (2, 10, 100, 1_000),
    "subgroups": (1, 10, 100, 1_000, 10_000, 100_000),
    "windows": (1, 12, 60, 120),
    "metrics": (1, 5, 10, 20, 40, len(METRICS)),
}


def question(series: str, size: int) -> dict[str, Any]:
    common: dict[str, Any] = {"facet": "sex", "label": "label", "predicted": "predicted"}
    match series:
        case "rows":
            return common | {"subgroup": "branch"}
        case "facets":
            return common | {"facet": [f"facet_{i}" for i in range(size)]}
        case "facet values":
            return common | {"facet": f"values_{size}"}
        case "subgroups":
            return common | {"subgroup": f"subgroups_{size}"}
        case "windows":
            return common | {"by": f"windows_{size}"}
        case _:
            return common | {"subgroup": "subgroups_100"}


def scanned(series: str, size: int, data: Path) -> pl.LazyFrame:
    if series != "rows":
        return pl.scan_parquet(data / MANY_VALUED)
    files = sorted((data / str(min(size, STORED))).glob("**/*.parquet"))
    return pl.scan_parquet(files * max(1, size // STORED), hive_partitioning=True)


def ours(series: str, size: int, rows: pl.LazyFrame) -> None:
    metrics = METRICS[:size] if series == "metrics" else []
    pf.metrics(rows, *metrics, **question(series, size)).collect()


def floor(series: str, size: int, rows: pl.LazyFrame) -> None:
    given = question(series, size)
    facets = [given["facet"]] if isinstance(given["facet"], str) else given["facet"]
    more = [given[role] for role in ("subgroup", "by") if role in given]
    counts = (rows.group_by(pl.col(facet).alias("facet"), *more).agg(pl.len()) for facet in facets)
    pl.concat(counts).collect()


ANSWERS = {"ours": ours, "floor": floor}


def name(series: str, size: int, whose: str) -> str:
    return f"{whose}: {size:,} {series}"


JOBS = {
    name(series, size, whose): Job(partial(scanned, series, size), partial(answer, series, size))
    for series, sizes in SIZES.items()
    for size in sizes
    for whose, answer in ANSWERS.items()
}


def results(data: Path, most_rows: int) -> dict[str, Any]:
    """Measure every point of at most ``most_rows`` rows, by series and size."""
    points = [
        (series, size)
        for series, sizes in SIZES.items()
        for size in sizes
        if series != "rows" or size <= most_rows
    ]
    got = in_turn("growth", [name(*point, whose) for point in points for whose in ANSWERS], data)
    by_series: dict[str, Any] = {}
    for series, size in points:
        point = {whose: got[name(series, size, whose)] for whose in ANSWERS}
        by_series.setdefault(series, {})[str(size)] = point
    return by_series


def tables(results: dict[str, Any]) -> str:
    return "\n".join(
        table(
            f"How cost grows with {series}",
            (series, "seconds", "bare count, seconds", "ratio", "peak MB"),
            [line(int(size), **point) for size, point in points.items()],
        )
        for series, points in results.items()
    )


def line(size: int, ours: Result, floor: Result) -> list[str]:
    if "gave_up" in ours or "gave_up" in floor:
        return [f"{size:,}", ours.get("gave_up", ""), floor.get("gave_up", ""), "", ""]
    ratio = ours["seconds"] / floor["seconds"]
    figures = (ours["seconds"], floor["seconds"], ratio, ours["megabytes"])
    return [f"{size:,}", *map(figure, figures)]
