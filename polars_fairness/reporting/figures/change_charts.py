"""Figures of changes: how far each value is from the one that it is compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from polars_fairness.answers.contrasts import BOUNDS_OF_DIFFERENCE
from polars_fairness.answers.verdicts import tone_of_change
from polars_fairness.reporting.figures.comparison_charts import (
    Compared,
    Named,
    figures_of_rows,
    value_of_group,
)
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.words import facet_in_words

_CHANGES: Final = ("worse", "unclear", "better", "same")
"""The changes in the order in which a reader has to know them."""


def change_figures(
    findings: Findings, comparisons: Sequence[Comparison], names: Sequence[str]
) -> list[Figure]:
    """One figure for each of these metrics, with the differences of the comparisons of a facet.

    Each difference has its interval, in the unit of its metric, around a line at 0. Metrics of one
    kind have one scale.
    """
    of_metrics = {name: _rows(comparisons, name) for name in names}
    about = facet_in_words(comparisons[0].facet)
    return figures_of_rows(findings, of_metrics, _in_words, about, has_ratios=False)


def _rows(comparisons: Sequence[Comparison], name: str) -> list[Compared]:
    """The rows that have a difference, as the value that is drawn; what is worse comes first."""
    changed = [
        (comparison, row)
        for comparison in comparisons
        for row in comparison.table.iter_rows(named=True)
        if row["metric"] == name and row["difference"] is not None
    ]
    changed.sort(key=lambda each: (_CHANGES.index(each[1]["change"]), -abs(each[1]["difference"])))
    return [(comparison, _as_value(row)) for comparison, row in changed]


def _as_value(row: Mapping[str, Any]) -> dict[str, Any]:
    lower, upper = (row[bound] for bound in BOUNDS_OF_DIFFERENCE)
    return {
        **row,
        "value": row["difference"],
        "lower": lower,
        "upper": upper,
        "ideal": 0.0,
        "band_lower": None,
        "band_upper": None,
        "tone": tone_of_change(row["change"]).name,
    }


def _in_words(named: Sequence[Named]) -> Iterator[str]:
    """How many are worse, and the differences by their changes."""
    by_change: dict[str, list[str]] = {}
    for name, row in named:
        by_change.setdefault(row["change"], []).append(value_of_group(name, row))
    worse = by_change.pop("worse", [])
    verb = "is" if len(worse) < 2 else "are"
    which = f": {'; '.join(worse)}" if worse else ""
    yield f"{len(worse) or 'None'} of {len(named):,} {verb} worse{which}."
    for change in _CHANGES:
        if change in by_change:
            yield f"{change.capitalize()}: {'; '.join(by_change[change])}."
