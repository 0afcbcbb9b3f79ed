"""Figures of the comparisons of a facet: a chart for each metric, on one scale for each kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any, Final

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.formula.metric import Metric
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.judged import is_ratio, worst_first
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.scale_ends import ends_of
from polars_fairness.reporting.words import (
    band,
    band_of,
    favored_in_words,
    number,
    sides_in_words,
    size,
    size_name,
    span,
    window_in_words,
)

_MOST_ROWS: Final = 14
_TONES: Final = {"uncertain": "Uncertain", "within": "Within", "open": "Undefined"}

Row = Mapping[str, Any]
Compared = tuple[Comparison, Row]


def comparison_figures(
    findings: Findings, comparisons: Sequence[Comparison], names: Sequence[str]
) -> list[Figure]:
    """One figure for each of these metrics, with a row for each of the comparisons of a facet.

    Metrics of one kind have one scale. In all figures the rows have one order, in which the values
    of the first metric that are farthest outside come first; many rows are cut off.
    """
    of_metrics = {
        name: [
            (each, row)
            for each in _worst_first(comparisons, names)
            for row in each.table.rows(named=True)
            if row["metric"] == name
        ]
        for name in names
    }
    kinds: dict[str, list[Row]] = {}
    for name, rows in of_metrics.items():
        kinds.setdefault(kind_of(findings.metric(name)), []).extend(row for _, row in rows)
    ends = {kind: ends_of(rows, is_log=kind == "ratio") for kind, rows in kinds.items()}
    return [
        _figure(findings, name, rows, ends[kind_of(findings.metric(name))])
        for name, rows in of_metrics.items()
        if rows
    ]


def kind_of(metric: Metric) -> str:
    """The metrics beside which a value can be compared: ratios, differences, or this one alone.

    Test statistics grow with the number of rows, so each has a scale of its own.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [kind_of(pf.CATALOGUE[name]) for name in ("di", "dppl", "two_sd")]
    ['ratio', 'difference', 'two_sd']
    """
    if is_ratio(metric):
        return "ratio"
    low, high = metric.range
    is_difference = metric.ideal == 0 and low >= -1 and high <= 1 and metric.has_interval
    return "difference" if is_difference else metric.name


def _worst_first(comparisons: Sequence[Comparison], names: Sequence[str]) -> list[Comparison]:
    """The comparisons by the first of these metrics that they have, the farthest outside first."""

    def badness(comparison: Comparison) -> tuple[float, ...]:
        by_name = {row["metric"]: row for row in comparison.table.iter_rows(named=True)}
        first = next((by_name[name] for name in names if name in by_name), None)
        return (inf,) if first is None else worst_first(first)

    return sorted(comparisons, key=badness)


def _figure(
    findings: Findings, name: str, rows: Sequence[Compared], ends: tuple[float, ...]
) -> Figure:
    metric = findings.metric(name)
    first = rows[0][1]
    favored = {favored_in_words(each) for each, _ in rows if each.disfavored is not None}
    against = f"against {favored.pop()}" if len(favored) == 1 else ""
    title = name if metric.title == name else f"{name}, {metric.title}"
    most = f"the {_MOST_ROWS} worst of {len(rows):,}" if len(rows) > _MOST_ROWS else ""
    notes = ", ".join(filter(None, [against, most]))
    named = [(_name(each, rows, is_against_one=bool(against)), row) for each, row in rows]
    marks = [
        {
            "name": group,
            **{key: row[key] for key in ("value", "lower", "upper")},
            "tone": tone_of(row["verdict"]).name,
            "text": number(row["value"]),
            size_name(row["n_disfavored"]): size(row["n_disfavored"]),
        }
        for group, row in named[:_MOST_ROWS]
    ]
    settings = {
        "band": band_of(first),
        "ideal": first["ideal"],
        "ends": ends,
        "is_log": is_ratio(metric),
        "sign": findings.signs[name] or 0,
    }
    caption = f"{title}\n{notes}" if notes else title
    return Figure(caption, " ".join(_in_words(named)), "comparison", marks, settings)


def _name(comparison: Comparison, rows: Sequence[Compared], *, is_against_one: bool) -> str:
    """What sets a comparison apart from the others of a chart."""
    if comparison.disfavored is None:
        name = sides_in_words(comparison)
    elif is_against_one:
        name = comparison.disfavored
    else:
        name = f"{comparison.disfavored} against {favored_in_words(comparison)}"
    is_in_one_window = len({each.window for each, _ in rows}) == 1
    return name if is_in_one_window else f"{name}, {window_in_words(comparison.window)}"


def _in_words(named: Sequence[tuple[str, Row]]) -> Iterator[str]:
    """The finding, and the values by their verdicts, those outside the band first."""
    limits = band_of(named[0][1])
    by_tone: dict[str, list[str]] = {}
    for name, row in named:
        tone = "" if limits is None else tone_of(row["verdict"]).name
        by_tone.setdefault(tone, []).append(_value_in_words(name, row))
    if limits is None:
        yield f"There is no band: {'; '.join(by_tone[''])}."
        return
    outside = by_tone.get("outside", [])
    groups = "group" if len(named) == 1 else "groups"
    which = f": {'; '.join(outside)}" if outside else ""
    verb = "is" if len(outside) < 2 else "are"
    yield (
        f"{len(outside) or 'None'} of {len(named):,} {groups} {verb} outside the band of "
        f"{band(limits)}{which}."
    )
    for tone, words in _TONES.items():
        if tone in by_tone:
            yield f"{words}: {'; '.join(by_tone[tone])}."


def _value_in_words(name: str, row: Row) -> str:
    if row["value"] is None:
        return name
    interval = span(row["lower"], row["upper"])
    return f"{name} {number(row['value'])}{interval and f' ({interval})'}"
