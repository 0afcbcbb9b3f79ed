"""The section of subgroups: which of them contribute most to the conditional metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.reporting.charts.contributions import contribution_figure
from polars_fairness.reporting.findings import Comparison, Findings, comparisons_of
from polars_fairness.reporting.parts import MOST_FIGURES, Part, Section
from polars_fairness.reporting.shown_comparisons import by_facet, shown_among
from polars_fairness.reporting.tables import contributions_table, left_out_of, subgroups_of
from polars_fairness.reporting.words import comparison_in_words, number

_MOST_ROWS: Final = 10
_MOST_CHARTS: Final = 2
_OF_CONTRIBUTIONS: Final = (
    "A conditional metric is an average over subgroups, weighted by their rows. A contribution is "
    "what one subgroup adds to this average."
)


def of_contributions(findings: Findings) -> Section:
    """The subgroups that contribute most to each metric, with a table where it is not fair."""
    sentences, parts = [], []
    for name, frame in findings.decomposed.items():
        compared = shown_among(findings, comparisons_of(frame, findings.windows))
        sentences += [*_largest(findings, name, compared)]
        for comparisons in by_facet(compared).values():
            parts += [*_of_facet(findings, name, comparisons)]
    if findings.is_in_full:
        parts = [*_in_full(findings)]
    opening = (_OF_CONTRIBUTIONS,) if parts else ()
    return Section("Subgroups", (*opening, *parts), finding=" ".join(sentences))


def _largest(findings: Findings, name: str, compared: Sequence[Comparison]) -> Iterator[str]:
    """The subgroup with the largest contribution of all, as a sentence."""
    found = [
        (abs(row["contribution"]), subgroup, row, comparison)
        for comparison in compared
        for subgroup, row in subgroups_of(comparison, comparison.table.height)
        if row["contribution"] is not None
    ]
    if not found:
        return
    _, subgroup, row, comparison = max(found, key=lambda each: each[0])
    total = _audited(findings, name, comparison)["value"]
    contribution = f"{number(row['contribution'])} of {number(total)}"
    yield (
        f"{_columns(comparison)} {subgroup} contributes most to {name}: {contribution}, "
        f"{comparison_in_words(comparison)}."
    )


def _columns(comparison: Comparison) -> str:
    columns = comparison.table.columns
    return " & ".join(columns[columns.index("favored") + 1 : columns.index("n")])


def _audited(findings: Findings, name: str, comparison: Comparison) -> dict[str, Any]:
    """The row of the audit that has the value of the metric."""
    row: dict[str, Any] = next(
        row
        for each in findings.comparisons()
        if (each.window, each.facet, each.disfavored)
        == (comparison.window, comparison.facet, comparison.disfavored)
        for row in each.table.iter_rows(named=True)
        if row["metric"] == name
    )
    return row


def _of_facet(findings: Findings, name: str, comparisons: Sequence[Comparison]) -> Iterator[Part]:
    """Charts of what is outside the band, or has none, and a table unless all is within."""
    tones = [tone_of(_audited(findings, name, each)["verdict"]).name for each in comparisons]
    if set(tones) == {"within"}:
        return
    outside = [
        figure
        for each, tone in zip(comparisons, tones, strict=True)
        if tone in ("outside", "open") and (figure := contribution_figure(name, each))
    ]
    if outside:
        yield tuple(outside[:_MOST_CHARTS])
    yield contributions_table(name, comparisons, _MOST_ROWS)


def _in_full(findings: Findings) -> Iterable[Part]:
    """A table of each comparison in every window, and the charts of the last ones."""
    for name, frame in findings.decomposed.items():
        comparisons = list(comparisons_of(frame, findings.windows))
        for i, comparison in enumerate(comparisons, start=MOST_FIGURES - len(comparisons)):
            figure = contribution_figure(name, comparison) if i >= 0 else None
            yield from [(figure,)] if figure else []
            yield contributions_table(name, [comparison])
            yield from left_out_of(comparison)
