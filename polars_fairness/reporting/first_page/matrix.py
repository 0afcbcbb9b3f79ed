"""The matrix of the first page: the groups, their sizes, and the verdicts of the metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.first_page.scale import Scale
from polars_fairness.reporting.judged import is_ratio, judged_metrics, worst_first
from polars_fairness.reporting.parts import Axis, Bar, Cell, Dot, Table
from polars_fairness.reporting.verdicts import verdict_in_words
from polars_fairness.reporting.words import (
    ALL_ROWS,
    favored_in_words,
    number,
    size,
    span,
    window_in_words,
)

_MOST_METRICS: Final = 7
_OUTSIDE: Final = "Outside"

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Compared:
    """A comparison with its rows of the audit by metric."""

    comparison: Comparison
    rows: Mapping[str, Row]

    @classmethod
    def of(cls, comparison: Comparison) -> Compared:
        rows = {row["metric"]: row for row in comparison.table.iter_rows(named=True)}
        return cls(comparison, rows)


def matrix(findings: Findings, comparisons: Sequence[Comparison], most: int) -> tuple[Table, ...]:
    """One row for each comparison, or for the worst so many; nothing without metrics to judge."""
    judged = judged_metrics(findings)
    if not judged or not comparisons:
        return ()
    lead, *others = judged
    shown = [Compared.of(each) for each in worst_comparisons(comparisons, judged, most)]
    rows = [each.rows.get(lead) for each in shown]
    scale, axis = _scale(findings, lead, [row for row in rows if row])
    columns = others[:_MOST_METRICS]
    names_windows = len({each.window for each in comparisons}) > 1
    sizes = "Weight" if findings.is_weighted else "Rows"
    heads = ("Group", sizes, lead, *columns, _OUTSIDE)
    return (
        Table(
            caption=_caption(findings, comparisons, shown),
            heads=heads,
            rows=tuple(
                (
                    *_group(findings, each, names_windows=names_windows),
                    _dotted(each, lead, scale, axis),
                    *(_valued(each, name) for name in columns),
                    _outside_of(each, judged),
                )
                for each in shown
            ),
            numbers=frozenset({sizes, *columns, _OUTSIDE}),
            axes={lead: axis},
            look="matrix",
        ),
    )


def worst_comparisons(
    comparisons: Sequence[Comparison], judged: Sequence[str], most: int
) -> list[Comparison]:
    """The comparisons in their order, or the worst of them if there are more than so many."""

    def badness(comparison: Comparison) -> tuple[Any, ...]:
        rows = [
            worst_first(row)
            for row in comparison.table.iter_rows(named=True)
            if row["metric"] in judged
        ]
        by_lead = [
            worst_first(row)
            for row in comparison.table.iter_rows(named=True)
            if row["metric"] == judged[0]
        ]
        outside = sum(place == 0 for place, _ in rows)
        return (-outside, *(by_lead or [(len(rows), 0.0)]))

    worst = sorted(range(len(comparisons)), key=lambda i: badness(comparisons[i]))[:most]
    return [comparisons[i] for i in sorted(worst)]


def _caption(
    findings: Findings, comparisons: Sequence[Comparison], shown: Sequence[Compared]
) -> str:
    windows = {each.window for each in comparisons}
    window = next(iter(windows))
    where = f", {window_in_words(window)}" if len(windows) == 1 and window else ""
    favored = {favored_in_words(each.comparison) for each in shown if each.comparison.disfavored}
    against = f" against {favored.pop()}" if len(favored) == 1 else ""
    most = f", the {len(shown)} worst of {len(comparisons):,}"
    return f"Each group{against}{where}{most if len(shown) < len(comparisons) else ''}"


def _scale(findings: Findings, lead: str, rows: Sequence[Row]) -> tuple[Scale, Axis]:
    metric, band = findings.metric(lead), findings.band(lead)
    values = [row[key] for row in rows for key in ("value", "lower", "upper")]
    scale = Scale.of([*values, *(band or ())], metric.ideal, is_log=is_ratio(metric))
    return scale, scale.axis(band)


def _group(findings: Findings, each: Compared, *, names_windows: bool) -> Iterator[Cell]:
    comparison = each.comparison
    name = comparison.disfavored or "all groups"
    about = [comparison.facet or ALL_ROWS] if len(findings.facets) > 1 else []
    if names_windows:
        about.append(window_in_words(comparison.window))
    yield Cell(name, ", ".join(about))
    first = next(iter(each.rows.values()))
    n = first["n_disfavored"]
    everything = findings.rows_in(comparison.window)
    share = n / everything if n is not None and everything else None
    yield Cell(size(n), picture=None if share is None else Bar(min(1.0, share)))


def _dotted(each: Compared, lead: str, scale: Scale, axis: Axis) -> Cell:
    row = each.rows.get(lead)
    if row is None:
        return Cell("–")
    words, tone = verdict_in_words(row, each.comparison), tone_of(row["verdict"]).name
    if row["value"] is None:
        return Cell(words, tone=tone)
    ends = [None if row[key] is None else scale.place(row[key]) for key in ("lower", "upper")]
    dot = Dot(scale.place(row["value"]), ends[0], ends[1], tone, axis)
    interval = span(row["lower"], row["upper"])
    return Cell(number(row["value"], digits=2), interval, tone, dot, words)


def _valued(each: Compared, name: str) -> Cell:
    row = each.rows.get(name)
    if row is None:
        return Cell("–")
    if row["value"] is None:
        return Cell("–", tone="open", said=row["verdict"])
    words = verdict_in_words(row, each.comparison)
    return Cell(number(row["value"], digits=2), tone=tone_of(row["verdict"]).name, said=words)


def _outside_of(each: Compared, judged: Sequence[str]) -> Cell:
    rows = [row for name, row in each.rows.items() if name in judged]
    outside = sum(tone_of(row["verdict"]).name == "outside" for row in rows)
    return Cell(f"{outside} of {len(rows)}")
