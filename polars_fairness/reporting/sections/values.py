"""The values of an audit: one below the other, or a row for each group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.formula.metric import ideal_as_text
from polars_fairness.question.outcomes import ESTIMATED, OBSERVED
from polars_fairness.question.windows import MODEL, THRESHOLD
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.lead_metrics import worst_first
from polars_fairness.reporting.parts import Cell, Table
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
    rows = []
    for value in values:
        row, comparison = value.row, value.comparison
        metric, verdict = findings.metric(row["metric"]), verdict_in_words(row, comparison)
        judged = (
            Cell(band(band_of(row))),
            *([Cell(p_value(row["p_value"]))] if has_p else []),
            Cell(verdict, tone=tone_of(row["verdict"]).name),
        )
        rows.append(
            (
                Cell(row["metric"], metric.title if in_full else ""),
                *([_compared(findings, comparison)] if is_several else []),
                Cell(value_of(row), interval_of(row)),
                *([Cell(ideal_as_text(row["ideal"]))] if in_full else []),
                *(judged if has_bands else ()),
                Cell(direction_in_words(metric, row, comparison)),
            )
        )
    groups = [] if is_several or in_full else [cell.text for cell in compared]
    heads = {
        "Metric": True,
        "Groups": is_several,
        "Value": True,
        "Ideal": in_full,
        "Band": has_bands,
        "p-value": has_bands and has_p,
        "Verdict": has_bands,
        "What it says": True,
    }
    return Table(
        caption=": ".join([caption, *groups]),
        heads=tuple(head for head, is_shown in heads.items() if is_shown),
        rows=tuple(rows),
        numbers=frozenset({"Value", "Ideal", "Band", "p-value"}),
        look="dense",
    )


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
    limits = (Cell("Band"), *(Cell(band(findings.band(name))) for name in names))
    return Table(
        caption=f"{', '.join(names)} by {facet}{against}",
        heads=("Group", *names),
        rows=(
            limits,
            *(
                (_name(findings, each, is_against_one=bool(against)), *_cells(each, names))
                for each in comparisons
            ),
        ),
        numbers=frozenset(names),
        look="dense",
    )


def _name(findings: Findings, comparison: Comparison, *, is_against_one: bool) -> Cell:
    window = window_in_words(apart(findings, comparison.window))
    alone = comparison.disfavored if is_against_one else None
    return Cell(alone or sides_in_words(comparison), window)


def _cells(comparison: Comparison, names: Sequence[str]) -> Iterator[Cell]:
    rows = {row["metric"]: row for row in comparison.table.iter_rows(named=True)}
    for name in names:
        yield _cell(comparison, rows[name]) if name in rows else Cell("–")


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
