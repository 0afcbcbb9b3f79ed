"""Findings, told in the order in which a person asks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from polars_fairness.formula.rates import RATES
from polars_fairness.reporting.figures import contribution_figure, rate_figures, time_figures
from polars_fairness.reporting.findings import Comparison, Findings, comparisons_of
from polars_fairness.reporting.forest import forest_figures
from polars_fairness.reporting.parts import Figure, Part, Section
from polars_fairness.reporting.question_table import question_table
from polars_fairness.reporting.tables import (
    contributions_table,
    definitions_table,
    left_out_of,
    metrics_table,
    rates_of,
    rates_table,
    reconciliation_table,
)
from polars_fairness.reporting.verdicts import tallies
from polars_fairness.reporting.words import (
    EVERYONE_ELSE,
    comparison_in_words,
    confidence_in_words,
    size,
)
from polars_fairness.reporting.worst_groups import worst_groups

_MOST_FIGURES: Final = 24

_SYMBOLS: Final = ", ".join(
    f"{rate.symbol} {rate.meaning}" for rate in RATES.values() if rate.symbol != rate.name
)
_LEGEND: Final = (
    "In these words d is the disfavored side of a comparison and a the favored, n a number of "
    f"rows, {_SYMBOLS}. A band holds the values that are usually tolerated; it is a convention, "
    "not a finding."
)
_OF_ROWS: Final = (
    "Rows are left out where they weigh 0 and, if nulls is drop, where something is missing. Who "
    "has no known facet is on nobody's side, and counts among everybody."
)
_OF_FOREST: Final = (
    "Each metric is drawn on the scale of its own band, which is the shaded middle. A circle lies "
    "within it, a triangle outside; a diamond is uncertain. The thin upright line is the ideal. "
    "What lies farther than the chart reaches is drawn at its edge."
)
_OF_TIME: Final = "The shaded strip is the band, the dashed line the ideal."
_OF_CONTRIBUTIONS: Final = (
    "A conditional metric is an average over subgroups. These are the parts of the sum: a subgroup "
    "weighs by its rows."
)


def sections_of(findings: Findings) -> list[Section]:
    """Everything there is to tell."""
    told = [
        Section("At a glance", _at_a_glance(findings)),
        Section("The question", (question_table(findings),)),
        Section("The rows", _rows(findings)),
        Section("Rates by group", _rates(findings)),
        *_metrics(findings),
        *worst_groups(findings),
        Section("Over time", _over_time(findings)),
        Section("Subgroups", _contributions(findings)),
        Section("What the metrics mean", _meanings(findings)),
    ]
    return [section for section in told if section.parts]


def _at_a_glance(findings: Findings) -> tuple[Part, ...]:
    comparisons = findings.comparisons()
    if not comparisons:
        return ("There is nothing to compare: no rows, or no group with a known facet.",)
    # Windows are told apart further down; here it matters who is compared.
    sides = dict.fromkeys(comparison_in_words(replace(each, window=())) for each in comparisons)
    each = f", for each {' and '.join(findings.windows)}" if findings.windows else ""
    return (_sentence(f"Compared{each}:", list(sides)), tallies(findings))


def _sentence(opening: str, things: Sequence[str], most: int = 8) -> str:
    more = f"; and {len(things) - most:,} more" if len(things) > most else ""
    return f"{opening} {'; '.join(things[:most])}{more}."


def _rows(findings: Findings) -> tuple[Part, ...]:
    if findings.audited.is_empty():
        return ()
    return (
        _OF_ROWS,
        reconciliation_table(findings),
    )


def _rates(findings: Findings) -> tuple[Part, ...]:
    _, shown = rates_of(findings)
    meanings = "; ".join(f"{RATES[rate].title}: {RATES[rate].meaning}" for rate in shown)
    told = [f"{meanings}. {_intervals_in_words(findings)}"] if shown else []
    return (*told, *_drawn(rate_figures(findings)), rates_table(findings))


def _intervals_in_words(findings: Findings) -> str:
    if findings.confidence is None:
        return "No intervals were asked for."
    if findings.is_weighted:
        return "Rows carry weights, so the rates have no intervals: Wilson's are about counts."
    return f"Intervals are Wilson's, {confidence_in_words(findings.confidence)}."


def _metrics(findings: Findings) -> Iterable[Section]:
    """One section for the whole, and one below it for each comparison."""
    comparisons = findings.comparisons()
    if not comparisons:
        return
    drawn_from = _MOST_FIGURES - len(comparisons)
    only = f" Charts are of the last {_MOST_FIGURES} comparisons only." if drawn_from < 0 else ""
    yield Section("Metrics", (_OF_FOREST + only, _intervals_of_metrics(findings)))
    for i, comparison in enumerate(comparisons, start=drawn_from):
        forests = forest_figures(findings, comparison) if i >= 0 else []
        yield Section(
            comparison_in_words(comparison),
            (
                _sizes_in_words(findings, comparison),
                *((forest,) for forest in forests),
                metrics_table(findings, comparison),
            ),
            level=3,
        )


def _intervals_of_metrics(findings: Findings) -> str:
    if findings.confidence is None:
        return "No intervals were asked for."
    sure = confidence_in_words(findings.confidence)
    return f"What stands below a value is its interval, {sure}, where one could be found."


def _sizes_in_words(findings: Findings, comparison: Comparison) -> str:
    """Say how many there are on each side, and whether these are few."""
    table = comparison.table
    if comparison.disfavored is None:
        if any(findings.metric(name).has_sides for name in table["metric"]):
            return "There was nobody to compare."
        return f"All metrics of {comparison.facet or 'everybody'} that have no sides."
    d, a = (size(table[column][0]) for column in ("n_disfavored", "n_favored"))
    counted = "in weight" if findings.is_weighted else "rows"
    favored = comparison.favored or EVERYONE_ELSE
    told = f"d is {comparison.disfavored}, {d} {counted}; a is {favored}, {a} {counted}."
    if "is_small" not in table.columns or not table["is_small"].any():
        return told
    least = findings.options.minimum_count
    return f"{told} A side has fewer than {least} rows: take these values with care."


def _over_time(findings: Findings) -> tuple[Part, ...]:
    drawn = _drawn(time_figures(findings))
    return (_OF_TIME, *drawn) if drawn else ()


def _contributions(findings: Findings) -> tuple[Part, ...]:
    parts: list[Part] = []
    for name, frame in findings.decomposed.items():
        comparisons = list(comparisons_of(frame, findings.windows))
        for i, comparison in enumerate(comparisons, start=_MOST_FIGURES - len(comparisons)):
            figure = contribution_figure(name, comparison) if i >= 0 else None
            parts += [(figure,)] if figure else []
            parts += [contributions_table(name, comparison), *left_out_of(comparison)]
    return (_OF_CONTRIBUTIONS, *parts) if parts else ()


def _meanings(findings: Findings) -> tuple[Part, ...]:
    metrics = findings.metrics()
    return (_LEGEND, definitions_table(metrics)) if metrics else ()


def _drawn(figures: Sequence[Figure]) -> tuple[Part, ...]:
    """Draw so many as a page can hold."""
    if len(figures) <= _MOST_FIGURES:
        return (tuple(figures),) if figures else ()
    told = f"These are the last {_MOST_FIGURES} of {len(figures)} charts; the tables have all."
    return (told, tuple(figures[-_MOST_FIGURES:]))
