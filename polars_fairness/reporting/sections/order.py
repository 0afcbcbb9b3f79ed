"""The sections of a report, in the order in which a reader needs them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from polars_fairness.formula.rates import RATES
from polars_fairness.reporting.charts.forest import forest_figures, with_place
from polars_fairness.reporting.charts.rates import rate_figures
from polars_fairness.reporting.charts.trends import MOST_TRENDS, changes_over_time, trend_figures
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.parts import MOST_FIGURES, Part, Section, Sentences, drawn
from polars_fairness.reporting.sections.appendix import appendix
from polars_fairness.reporting.sections.contrasts import compared
from polars_fairness.reporting.sections.contributions import of_contributions
from polars_fairness.reporting.sections.facets import facet_sections
from polars_fairness.reporting.sections.rows import of_rows
from polars_fairness.reporting.sections.score_sections import over_thresholds, scores_section
from polars_fairness.reporting.sections.switched_rows import switched_section
from polars_fairness.reporting.sections.worst_groups import worst_groups
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


def _in_full(findings: Findings) -> Iterable[Section]:
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


_OF_TIME: Final = (
    "The shaded strip is the band, the dashed line is the ideal. A circle is within the band, a "
    "triangle is outside, a diamond is uncertain."
)
_OF_REFERENCES: Final = " A dash is the value that this one is compared with."
_OF_STEPS: Final = (
    " A thick line with its difference above it is a change from the window before beyond chance: "
    "its interval excludes 0, and the intervals of all {:,} such steps hold together, by "
    "Bonferroni's correction."
)


def sections_of(findings: Findings) -> list[Section]:
    """The sections of a report, without empty ones."""
    sections = [
        *(_swept(findings) if findings.is_swept else _at_one_threshold(findings)),
        of_rows(findings),
        *(_in_full(findings) if findings.is_in_full and not findings.is_swept else ()),
        *appendix(findings),
    ]
    return [section for section in sections if section.parts or section.finding]


def _swept(findings: Findings) -> Iterable[Section]:
    yield from over_thresholds(findings)
    yield from compared(findings)


def _at_one_threshold(findings: Findings) -> Iterable[Section]:
    yield from facet_sections(findings)
    yield from compared(findings)
    yield from switched_section(findings)
    yield from worst_groups(findings)
    yield _over_time(findings)
    yield scores_section(findings)
    yield of_contributions(findings)


def _over_time(findings: Findings) -> Section:
    figures = trend_figures(findings, MOST_TRENDS)
    largest = changes_over_time(findings, 1)
    others = [change for change in changes_over_time(findings) if change not in largest]
    references = "" if findings.options.contrast is None else _OF_REFERENCES
    steps = "" if findings.steps.is_empty() else _OF_STEPS.format(findings.steps.height)
    legend = Sentences("legend", (f"{_OF_TIME}{references}{steps}",))
    parts: tuple[Part, ...] = (*others, legend, tuple(figures)) if figures else ()
    return Section("Over time", parts, finding="".join(largest))
