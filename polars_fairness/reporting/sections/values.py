"""The values of an audit: one below the other, or a row for each group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import polars as pl

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.formula.metric import Metric, ideal_as_text
from polars_fairness.question.outcomes import ESTIMATED, OBSERVED
from polars_fairness.question.windows import MODEL, THRESHOLD
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.lead_metrics import worst_first
from polars_fairness.reporting.parts import Cell, Head, Table, numbers
from polars_fairness.reporting.sections.matrix import worst_comparisons
from polars_fairness.reporting.shown_comparisons import apart, comparisons_shown, latest_in_words
from polars_fairness.reporting.tables import MOST_ROWS
from polars_fairness.reporting.verdicts import direction_in_words, is_within, verdict_in_words
from polars_fairness.reporting.words import (
    band,
    band_of,
    column_in_words,
    comparison_in_words,
    confidence_in_words,
    facet_in_words,
    favored_in_words,
    interval_of,
    number,
    p_value,
    sides_in_words,
    size,
    value_of,
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


def size_of(value: Value) -> float | None:
    """The rows of side d, or their weight; None without sides."""
    return None if value.comparison.disfavored is None else value.row["n_disfavored"]


def subject(findings: Findings, value: Value) -> str:
    """The group of a value with its size, and its window where there are several."""
    window, n = window_in_words(apart(findings, value.comparison.window)), size_of(value)
    details = [window] if window else []
    if n is not None:
        rows = f"{size(n)} row{'s' * (n != 1)}"
        if findings.is_uncertain:
            rows = f"about {n:,.0f} people"
        details.append(f"weight {size(n)}" if findings.is_weighted else rows)
    name = value.comparison.disfavored or sides_in_words(value.comparison)
    return f"{name} ({', '.join(details)})" if details else name


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


def values_table(
    findings: Findings, caption: str, values: Sequence[Value], *, in_full: bool = False
) -> Table:
    """The values with their intervals and verdicts, and what they say.

    Where the values are of several comparisons, each is named. In full, metrics have their titles
    and ideals, and the caption names the one comparison.
    """
    compared = {_compared(findings, value.comparison) for value in values}
    is_several = len(compared) > 1
    has_bands = in_full or any(band_of(value.row) for value in values)
    has_p = any(value.row.get("p_value") is not None for value in values)

    def metric(value: Value) -> Metric:
        return findings.metric(value.row["metric"])

    def says(value: Value) -> str:
        return direction_in_words(metric(value), value.row, value.comparison)

    heads = {
        Head("Metric", lambda each: Cell(metric(each).name, metric(each).title * in_full)): True,
        Head("Groups", lambda each: _compared(findings, each.comparison)): is_several,
        numbers("Value", lambda each: Cell(value_of(each.row), interval_of(each.row))): True,
        numbers("Ideal", lambda each: ideal_as_text(each.row["ideal"])): in_full,
        numbers("Band", lambda each: band(band_of(each.row))): has_bands,
        numbers("p-value", lambda each: p_value(each.row["p_value"])): has_bands and has_p,
        Head("Verdict", _verdict): has_bands,
        Head("What it says", says): True,
    }
    groups = [] if is_several or in_full else [cell.text for cell in compared]
    shown = [head for head, is_shown in heads.items() if is_shown]
    return Table(": ".join([caption, *groups]), shown, values)


def _verdict(value: Value) -> Cell:
    words = verdict_in_words(value.row, value.comparison)
    return Cell(words, tone=tone_of(value.row["verdict"]).name)


def of_comparison(findings: Findings, comparison: Comparison) -> Table:
    """All metrics of one comparison."""
    values = [Value(row, comparison) for row in comparison.table.iter_rows(named=True)]
    caption = f"Metrics, {comparison_in_words(comparison)}"
    return values_table(findings, caption, values, in_full=True)


def _compared(findings: Findings, comparison: Comparison) -> Cell:
    window = window_in_words(apart(findings, comparison.window))
    return Cell(sides_in_words(comparison), window)


FEWEST: Final = 3
"""With fewer comparisons, a table of values one below the other has room for words."""
_MOST_METRICS: Final = 6

Row = Mapping[str, Any]


def value_tables(
    findings: Findings, comparisons: Sequence[Comparison], judged: Sequence[str]
) -> Iterator[Table]:
    """The values of the metrics that are not within their bands for each of the comparisons.

    Of many comparisons there are the worst, and a table has as many metrics as a page has room for.
    """
    names = [name for name in judged if any(not _is_fair(each, name) for each in comparisons)]
    worst = worst_comparisons(comparisons, judged, MOST_ROWS)
    for first in range(0, len(names), _MOST_METRICS):
        yield _table(findings, worst, names[first : first + _MOST_METRICS])


def _is_fair(comparison: Comparison, name: str) -> bool:
    verdicts = comparison.table.filter(metric=name)["verdict"]
    return all(tone_of(verdict).name == "within" for verdict in verdicts)


def _table(findings: Findings, comparisons: Sequence[Comparison], names: Sequence[str]) -> Table:
    facet = facet_in_words(comparisons[0].facet)
    favored = {favored_in_words(each) for each in comparisons}
    against = f", each group against {next(iter(favored))}" if len(favored) == 1 else ""
    bands = {name: band(findings.band(name)) for name in names}

    def group(each: Comparison | None) -> Cell:
        if each is None:
            return Cell("Band")
        alone = each.disfavored if against else None
        window = window_in_words(apart(findings, each.window))
        return Cell(alone or sides_in_words(each), window)

    def value(name: str, each: Comparison | None) -> Cell | str:
        if each is None:
            return bands[name]
        rows = each.table.filter(pl.col("metric") == name).rows(named=True)
        return _cell(each, rows[0]) if rows else "–"

    return Table(
        f"{', '.join(names)} by {facet}{against}",
        [Head("Group", group), *(numbers(name, partial(value, name)) for name in names)],
        [None, *comparisons],
    )


def _cell(comparison: Comparison, row: Row) -> Cell:
    p = row.get("p_value")
    details = [interval_of(row), "" if p is None else f"p {p_value(p)}"]
    text = "–" if row["value"] is None else value_of(row)
    words, tone = verdict_in_words(row, comparison), tone_of(row["verdict"]).name
    return Cell(text, ", ".join(filter(None, details)), tone, said=words)


DIFFERENCES: Final = {"estimate_difference": ESTIMATED, "observed_difference": OBSERVED}
"""The differences of means, with the argument that names their column."""


def means_in_words(findings: Findings) -> Iterator[str]:
    """For each facet the group whose mean is farthest from that of its side a."""
    role = next((role for role in DIFFERENCES.values() if findings.question.get(role)), None)
    if role is None:
        return
    [name] = (name for name, of in DIFFERENCES.items() if of == role)
    widest: dict[tuple[str | None, str | None], Value] = {}
    for value in values_of(comparisons_shown(findings), [name]):
        apart = value.row["value"]
        place = value.comparison.facet, value.row.get(MODEL)
        known = widest.get(place)
        if apart is not None and (known is None or abs(apart) > abs(known.row["value"])):
            widest[place] = value
    when = "".join(f", in {window}" for window in latest_in_words(findings))
    for (facet, _), value in widest.items():
        yield f"By {facet}{when}, {_mean_in_words(findings, value, role)}."


def _mean_in_words(findings: Findings, value: Value, role: str) -> str:
    row, comparison = value.row, value.comparison
    # A mean is the same at each threshold.
    window = tuple(each for each in comparison.window if each[0] != THRESHOLD)
    group = subject(findings, replace(value, comparison=replace(comparison, window=window)))
    unit = f" {findings.unit}" if findings.unit else ""
    given: Any = findings.question.get(role)
    column = column_in_words(given[row[MODEL]] if isinstance(given, Mapping) else given)
    rates = findings.rates_of_group(comparison)
    mean = f" is {number(rates[f'{role}_mean'], digits=2)}{unit}," if rates else " is"
    # The metric is a less d, the sentence about d.
    lower, upper = row["lower"], row["upper"]
    is_lower = row["value"] > 0
    ends = (lower, upper) if is_lower or lower is None else (-upper, -lower)
    interval = ""
    if None not in ends and findings.confidence is not None:
        span = " to ".join(number(end, 2, beside=(0,)) for end in ends)
        interval = f" ({confidence_in_words(findings.confidence)} interval {span})"
    apart, other = number(abs(row["value"]), 2, beside=(0,)), favored_in_words(comparison)
    if lower is not None and lower <= 0 <= upper:
        differs = f"not shown to differ from that of {other}: a difference of {apart}{unit}"
    else:
        differs = f"{apart}{unit} {'lower' if is_lower else 'higher'} than that of {other}"
    return f"the mean {column} of {group}{mean} {differs}{interval}"
