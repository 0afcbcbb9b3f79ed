"""The sections of a report, in the order in which a reader needs them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from polars_fairness.formula.rates import RATES
from polars_fairness.reporting.contrasts import compared
from polars_fairness.reporting.figures import (
    MOST_FIGURES,
    contribution_figure,
    drawn,
    rate_figures,
)
from polars_fairness.reporting.findings import Comparison, Findings, comparisons_of
from polars_fairness.reporting.forest import forest_figures, with_place
from polars_fairness.reporting.parts import Part, Section
from polars_fairness.reporting.question_table import question_table
from polars_fairness.reporting.score_sections import of_scores, over_thresholds
from polars_fairness.reporting.tables import (
    contributions_table,
    definitions_table,
    left_out_of,
    metrics_table,
    missing_outcomes_table,
    rates_of,
    rates_table,
    reconciliation_table,
)
from polars_fairness.reporting.trends import MOST_TRENDS, changes_over_time, trend_figures
from polars_fairness.reporting.verdicts import rules_in_words
from polars_fairness.reporting.words import (
    ALL_ROWS,
    comparison_in_words,
    confidence_in_words,
    favored_in_words,
    size,
)
from polars_fairness.reporting.worst_groups import worst_groups

_SYMBOLS: Final = ", ".join(
    f"{rate.symbol} is {rate.meaning}" for rate in RATES.values() if rate.symbol != rate.name
)
_LEGEND: Final = (
    "In the definitions, d is the disfavored side of a comparison, a is the favored side, n is a "
    f"number of rows, {_SYMBOLS}. A band holds the values that are usually acceptable; it is a "
    "convention, not a result."
)
_OF_ROWS: Final = (
    "A row is left out if its weight or count is 0 and, if nulls is drop, if an outcome, feature, "
    "weight or count is missing. A row whose facet is unknown is on neither side, but counts "
    "among all rows."
)
_OF_FOREST: Final = (
    "Each metric is drawn on the scale of its own band, the shaded middle. A circle is fair, "
    "a triangle is outside, a diamond is uncertain. The thin vertical line is the ideal. "
    "Values beyond the edge of the chart are drawn at the edge."
)
_OF_SIDES: Final = "A verdict against a side takes a positive outcome as favorable."
_OF_HARM: Final = (
    "The argument harm is about the worst groups only. A verdict against a side takes a positive "
    "outcome as favorable: if it is a burden, the verdict names the side that has it less often. "
    "Name the other outcome as positive for verdicts about the burden."
)
_OF_LOOKS: Final = (
    "The metrics and the row counts of a window are about all rows up to its time. Their intervals "
    "hold at all looks together, and metrics without such an interval have no verdict by it. Rates "
    "and all other tables are about the rows of a window alone."
)
_NO_INTERVALS: Final = "No intervals were requested."
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
_OF_CONTRIBUTIONS: Final = (
    "A conditional metric is an average over subgroups, weighted by their rows. A contribution is "
    "what one subgroup adds to this average."
)


def sections_of(findings: Findings) -> list[Section]:
    """The sections of a report, without empty ones."""
    of_rows = findings.at_lowest_threshold() if findings.is_swept else findings
    sections = [
        Section("The question", (question_table(findings),)),
        Section("The rows", _rows(of_rows)),
        *(_swept(findings) if findings.is_swept else _at_one_threshold(findings)),
        Section("What the metrics mean", _meanings(findings)),
    ]
    return [section for section in sections if section.parts]


def _swept(findings: Findings) -> Iterable[Section]:
    yield from over_thresholds(findings)
    yield from compared(findings)


def _at_one_threshold(findings: Findings) -> Iterable[Section]:
    yield Section("Rates by group", _rates(findings))
    yield Section("Scores", of_scores(findings))
    yield from _metrics(findings)
    yield from compared(findings)
    yield from worst_groups(findings)
    yield Section("Over time", _over_time(findings))
    yield Section("Subgroups", _contributions(findings))


def _rows(findings: Findings) -> tuple[Part, ...]:
    if findings.audited.is_empty():
        return ()
    missing = [] if findings.left_out.is_empty() else [missing_outcomes_table(findings)]
    return (_OF_ROWS, reconciliation_table(findings), *missing)


def _rates(findings: Findings) -> tuple[Part, ...]:
    rated, shown = rates_of(findings)
    meanings = "; ".join(f"{RATES[rate].title}: {RATES[rate].meaning}" for rate in shown)
    opening = [f"{meanings}. {_intervals_in_words(findings)}"] if shown else []
    return (*opening, *drawn(rate_figures(rated, shown, findings.windows)), rates_table(findings))


def _intervals_in_words(findings: Findings) -> str:
    if findings.confidence is None:
        return _NO_INTERVALS
    if findings.is_weighted:
        return "Rows have weights, so rates have no intervals: Wilson's formula is for counts."
    return f"Intervals are {confidence_in_words(findings.confidence)} Wilson intervals."


def _metrics(findings: Findings) -> Iterable[Section]:
    """An opening section, and a section for each comparison."""
    comparisons = findings.comparisons()
    if not comparisons:
        return
    drawn_from = MOST_FIGURES - len(comparisons)
    only = f" Charts show the last {MOST_FIGURES} comparisons only." if drawn_from < 0 else ""
    certainty = f"{_intervals_of_metrics(findings)} {rules_in_words(findings)} {_OF_SIDES}"
    yield Section("Metrics", (_OF_FOREST + only, certainty))
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


def _intervals_of_metrics(findings: Findings) -> str:
    if findings.confidence is None:
        return _NO_INTERVALS
    confidence = confidence_in_words(findings.confidence)
    return f"Each value is followed by its {confidence} interval, if it has one."


def _sizes_in_words(findings: Findings, comparison: Comparison) -> str:
    """The size of each side, with a warning if a side is small."""
    table = comparison.table
    if comparison.disfavored is None:
        if any(findings.metric(name).has_sides for name in table["metric"]):
            return "There were no groups to compare."
        return f"All metrics without sides, for {comparison.facet or ALL_ROWS.lower()}."
    d, a = (size(table[column][0]) for column in ("n_disfavored", "n_favored"))
    counted = "in weight" if findings.is_weighted else "rows"
    favored = favored_in_words(comparison)
    sizes = f"d is {comparison.disfavored}, {d} {counted}; a is {favored}, {a} {counted}."
    if "is_small" not in table.columns or not table["is_small"].any():
        return sizes
    least = findings.options.minimum_count
    return f"{sizes} A side has fewer than {least} rows: interpret these values with care."


def _over_time(findings: Findings) -> tuple[Part, ...]:
    figures = trend_figures(findings, MOST_TRENDS)
    if not figures:
        return ()
    references = "" if findings.options.contrast is None else _OF_REFERENCES
    steps = "" if findings.steps.is_empty() else _OF_STEPS.format(findings.steps.height)
    return (*changes_over_time(findings), f"{_OF_TIME}{references}{steps}", tuple(figures))


def _contributions(findings: Findings) -> tuple[Part, ...]:
    parts: list[Part] = []
    for name, frame in findings.decomposed.items():
        comparisons = list(comparisons_of(frame, findings.windows))
        for i, comparison in enumerate(comparisons, start=MOST_FIGURES - len(comparisons)):
            figure = contribution_figure(name, comparison) if i >= 0 else None
            parts += [(figure,)] if figure else []
            parts += [contributions_table(name, comparison), *left_out_of(comparison)]
    return (_OF_CONTRIBUTIONS, *parts) if parts else ()


def _meanings(findings: Findings) -> tuple[Part, ...]:
    metrics = findings.metrics()
    return (_LEGEND, definitions_table(metrics)) if metrics else ()
