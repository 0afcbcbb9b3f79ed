"""Values of an audit one below the other, with the names of the sides in place of d and a."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.judged import worst_first
from polars_fairness.reporting.parts import Cell, Table
from polars_fairness.reporting.shown_comparisons import apart
from polars_fairness.reporting.sides_named import named
from polars_fairness.reporting.tables import p_value
from polars_fairness.reporting.verdicts import is_within, verdict_in_words
from polars_fairness.reporting.words import (
    band,
    band_of,
    meaning_of,
    number,
    sides_in_words,
    span,
    window_in_words,
)


@dataclass(frozen=True)
class Value:
    """One row of an audit, and the comparison that it is of."""

    row: Mapping[str, Any]
    comparison: Comparison


def values_of(comparisons: Iterable[Comparison], metrics: Sequence[str]) -> list[Value]:
    """The values of these metrics, comparison by comparison."""
    names = set(metrics)
    return [
        Value(row, comparison)
        for comparison in comparisons
        for row in comparison.table.iter_rows(named=True)
        if row["metric"] in names
    ]


def fair_in_words(fair: Iterable[Value]) -> str:
    """Where fair values are: within the band, or by the rule "significant" perhaps not."""
    is_within_all = all(is_within(each.row["value"], band_of(each.row)) for each in fair)
    return "within the band" if is_within_all else "within the band or not significantly outside"


def worst_of_each(values: Iterable[Value], judged: Sequence[str]) -> list[Value]:
    """Values outside their bands first: the worst of each metric, then the second of each, ...

    How far a value is from its band says nothing beside another metric: a test statistic grows
    with the number of rows.
    """
    by_metric: dict[str, list[Value]] = {name: [] for name in judged}
    for value in values:
        by_metric[value.row["metric"]].append(value)
    ranked = [
        (worst_first(value.row)[0], place, value)
        for of_metric in by_metric.values()
        for place, value in enumerate(sorted(of_metric, key=lambda each: worst_first(each.row)))
    ]
    ranked.sort(key=lambda each: each[:2])
    return [value for _, _, value in ranked]


def values_table(findings: Findings, caption: str, values: Sequence[Value]) -> Table:
    """The values with their intervals and verdicts, and what they say.

    Where the values are of several comparisons, each is named.
    """
    compared = {_compared(findings, value.comparison) for value in values}
    has_bands = any(band_of(value.row) for value in values)
    has_p = any(value.row.get("p_value") is not None for value in values)
    judged = ("Band", *(("p-value",) if has_p else ()), "Verdict") if has_bands else ()
    rows = []
    for value in values:
        row, comparison = value.row, value.comparison
        verdict = Cell(verdict_in_words(row, comparison), tone=tone_of(row["verdict"]).name)
        p = [Cell(p_value(row["p_value"]))] if has_p else []
        rows.append(
            (
                Cell(row["metric"]),
                *([_compared(findings, comparison)] if len(compared) > 1 else []),
                Cell(number(row["value"]), span(row["lower"], row["upper"])),
                *([Cell(band(band_of(row))), *p, verdict] if has_bands else []),
                Cell(named(meaning_of(findings.metric(row["metric"]), row["value"]), comparison)),
            )
        )
    groups = [] if len(compared) > 1 else [cell.text for cell in compared]
    return Table(
        caption=": ".join([caption, *groups]),
        heads=("Metric", *(() if groups else ("Groups",)), "Value", *judged, "What it says"),
        rows=tuple(rows),
        numbers=frozenset({"Value", "Band", "p-value"}),
        look="dense",
    )


def _compared(findings: Findings, comparison: Comparison) -> Cell:
    window = window_in_words(apart(findings, comparison.window))
    return Cell(sides_in_words(comparison), window)
