"""What only a page in full shows: every group, and every comparison in every window."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from polars_fairness.formula.rates import RATES
from polars_fairness.reporting.figures.figures import MOST_FIGURES, drawn, rate_figures
from polars_fairness.reporting.figures.forest import forest_figures, with_place
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.parts import Part, Section, Sentences
from polars_fairness.reporting.tables import metrics_table, rates_of, rates_table
from polars_fairness.reporting.words import (
    comparison_in_words,
    facet_in_words,
    favored_in_words,
    size,
)

_OF_FOREST: Final = (
    "Each metric is drawn on the scale of its own band, the shaded middle. A circle is fair, "
    "a triangle is outside, a diamond is uncertain. The thin vertical line is the ideal. "
    "Values beyond the edge of the chart are drawn at the edge."
)


def in_full(findings: Findings) -> Iterable[Section]:
    """The rates of every group, and a section of metrics for each comparison."""
    yield Section("Rates by group", _rates(findings))
    comparisons = findings.comparisons()
    if not comparisons:
        return
    drawn_from = MOST_FIGURES - len(comparisons)
    only = f" Charts show the last {MOST_FIGURES} comparisons only." if drawn_from < 0 else ""
    yield Section("Metrics", (Sentences("legend", (_OF_FOREST + only,)),))
    for i, comparison in enumerate(comparisons, start=drawn_from):
        forests = forest_figures(with_place(comparison), findings.signs) if i >= 0 else []
        yield Section(
            comparison_in_words(comparison),
            (
                _sizes_in_words(findings, comparison),
                *((forest,) for forest in forests),
                metrics_table(findings, comparison),
            ),
            level=3,
        )


def _rates(findings: Findings) -> tuple[Part, ...]:
    rated, shown = rates_of(findings)
    meanings = "; ".join(f"{RATES[rate].title}: {RATES[rate].meaning}" for rate in shown)
    opening = [f"{meanings}."] if shown else []
    return (*opening, *drawn(rate_figures(rated, shown, findings.windows)), rates_table(findings))


def _sizes_in_words(findings: Findings, comparison: Comparison) -> str:
    """The size of each side, with a warning if a side is small."""
    table = comparison.table
    if comparison.disfavored is None:
        if any(findings.metric(name).has_sides for name in table["metric"]):
            return "There were no groups to compare."
        return f"All metrics without sides, for {facet_in_words(comparison.facet)}."
    d, a = (size(table[column][0]) for column in ("n_disfavored", "n_favored"))
    counted = "in weight" if findings.is_weighted else "rows"
    favored = favored_in_words(comparison)
    sizes = f"d is {comparison.disfavored}, {d} {counted}; a is {favored}, {a} {counted}."
    if "is_small" not in table.columns or not table["is_small"].any():
        return sizes
    least = findings.options.minimum_count
    return f"{sizes} A side has fewer than {least} rows: interpret these values with care."
