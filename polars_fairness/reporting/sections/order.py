"""The sections of a report, in the order in which a reader needs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import polars as pl

from polars_fairness.api.verdicts import tone_of
from polars_fairness.formula.rates import RATES
from polars_fairness.question.audit_arguments import Texts
from polars_fairness.reporting.answer_tables import lay_out
from polars_fairness.reporting.charts.comparisons import forest_figures, with_place
from polars_fairness.reporting.charts.groups import (
    contribution_figure,
    drivers_figure,
    rate_figures,
)
from polars_fairness.reporting.charts.over_time import MOST_TRENDS, changes_over_time, trend_figures
from polars_fairness.reporting.document import page_of
from polars_fairness.reporting.drivers import drivers_in_words
from polars_fairness.reporting.findings import Comparison, Findings, comparisons_of, sides_of
from polars_fairness.reporting.outcome_notes import notes_on_answers
from polars_fairness.reporting.parts import (
    MOST_FIGURES,
    Document,
    Part,
    Section,
    Sentences,
    Table,
    drawn,
)
from polars_fairness.reporting.sections.contrasts import compared, switched_section
from polars_fairness.reporting.sections.facets import appendix, facet_sections
from polars_fairness.reporting.sections.first_page import MOST_NOTES, first_page, used_in_words
from polars_fairness.reporting.sections.groups import confusions_section, worst_groups
from polars_fairness.reporting.sections.score_sections import scores_section, threshold_sections
from polars_fairness.reporting.sections.values import comparison_table
from polars_fairness.reporting.short_names import ON_FIRST_PAGE, with_short_names
from polars_fairness.reporting.shown.recognised import Answer
from polars_fairness.reporting.tables import (
    contributions_table,
    cut,
    left_out_of,
    missing_outcomes_table,
    rates_of,
    rates_table,
    reconciliation_table,
    strata_of,
    subgroups_of,
)
from polars_fairness.reporting.verdicts import group_by_facet, shown_among
from polars_fairness.reporting.words import (
    column_in_words,
    comparison_in_words,
    facet_in_words,
    favored_in_words,
    number,
    size,
    standards_of,
    title_of,
    value_in_words,
)

_OF_ROWS: Final = (
    "A row is left out if its weight or count is 0 and, if nulls is drop, if its weight or count "
    "is missing, or an outcome, score or feature that the metric or rate needs; groups are "
    "listed with the rows that have all outcomes. A row whose facet is "
    "unknown is on neither side, but counts among all rows."
)


def rows_section(findings: Findings) -> Section:
    """One line if all rows were used and all facets are known, else the tables that say where."""
    audited = findings.audited
    if audited.is_empty():
        return Section("The rows", ())
    parts: list[Part] = []
    # The first page has the others.
    notes = notes_on_answers(findings.rated, audited, findings.question)[MOST_NOTES:]
    if notes:
        parts.append(Sentences("notes", tuple(notes)))
    at_one = findings.keep_lowest_threshold() if findings.is_swept else findings
    # Without a facet, no row has a known one.
    has_unknown = (pl.col("n_unknown") > 0) & pl.col("facet").is_not_null()
    counted = at_one.audited.filter((pl.col("rows_dropped") > 0) | has_unknown)
    if findings.is_in_full:
        parts += [_OF_ROWS, reconciliation_table(at_one, at_one.audited)]
    elif not counted.is_empty():
        parts += [_OF_ROWS, *cut(reconciliation_table(at_one, counted), "facets or windows")]
        parts += _bounds_in_words(at_one)
    if not at_one.left_out.is_empty():
        table = missing_outcomes_table(at_one)
        parts += [table] if findings.is_in_full else cut(table, "groups")
    return Section("The rows", tuple(parts), finding=used_in_words(findings))


_MOST_BOUNDS: Final = 10


def _bounds_in_words(findings: Findings) -> Iterator[str]:
    """How far the rows of unknown group could move a metric."""
    for row in findings.bounds.head(_MOST_BOUNDS).iter_rows(named=True):
        facet = column_in_words(row["facet"])
        beside = "everyone else" if row["favored"] is None else value_in_words(row["favored"])
        yield (
            f"Whatever the {facet} of the {size(row['n_unknown'])} rows of unknown {facet} is, "
            f"{row['metric']} of {value_in_words(row['disfavored'])} against {beside} lies "
            f"between {number(row['lowest'], beside=standards_of(row))} and "
            f"{number(row['highest'], beside=standards_of(row))}."
        )


_MOST_ROWS: Final = 10
_MOST_CHARTS: Final = 2
_OF_CONTRIBUTIONS: Final = (
    "A conditional metric is an average over subgroups, weighted by their rows. A contribution is "
    "what one subgroup adds to this average."
)


def contributions_section(findings: Findings) -> Section:
    """The subgroups that contribute most to each metric, with a table where it is not fair.

    In full there is a table of each comparison in every window, and the charts of the last ones.
    """
    sentences: list[str] = []
    parts: list[Part] = []
    for name, frame in findings.decomposed.items():
        every = [*comparisons_of(frame, findings.windows)]
        compared = shown_among(findings, every)
        sentences += _largest(findings, name, compared)
        if not findings.is_in_full:
            for comparisons in group_by_facet(compared).values():
                parts += _contribution_parts(findings, name, comparisons)
            continue
        for i, comparison in enumerate(every, start=MOST_FIGURES - len(every)):
            figure = contribution_figure(name, comparison) if i >= 0 else None
            parts += [(figure,)] if figure else []
            parts += [contributions_table(name, [comparison]), *left_out_of(comparison)]
    opening = (_OF_CONTRIBUTIONS,) if parts else ()
    return Section("Subgroups", (*opening, *parts), finding=" ".join(sentences))


def _largest(findings: Findings, name: str, compared: Sequence[Comparison]) -> Iterator[str]:
    """The subgroup with the largest contribution of all, as a sentence."""
    contributions = [
        (abs(row["contribution"]), subgroup, row, comparison)
        for comparison in compared
        for subgroup, row in subgroups_of(comparison, comparison.table.height)
        if row["contribution"] is not None
    ]
    if not contributions:
        return
    _, subgroup, row, comparison = max(contributions, key=lambda each: each[0])
    total = _audited(findings, name, comparison)["value"]
    columns = " & ".join(strata_of(comparison.table))
    yield (
        f"{columns} {subgroup} contributes most to {name}: {number(row['contribution'])} of "
        f"{number(total)}, {comparison_in_words(comparison)}."
    )


def _audited(findings: Findings, name: str, comparison: Comparison) -> dict[str, Any]:
    """The row of the audit that has the value of the metric."""
    # Side a may be named on the page where the audit has everyone else.
    place = (comparison.window, sides_of(comparison)[:2])
    [row] = (
        row
        for each in findings.comparisons()
        if (each.window, sides_of(each)[:2]) == place
        for row in each.table.filter(metric=name).iter_rows(named=True)
    )
    return row


def _contribution_parts(
    findings: Findings, name: str, comparisons: Sequence[Comparison]
) -> Iterator[Part]:
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


_OF_DRIVERS: Final = (
    "A contribution is by how much the difference falls when this control is held equal too, the "
    "mean over all orders of the controls (Shapley). Alone is by how much it falls with this "
    "control only; beyond the others, after all others."
)


def drivers_section(findings: Findings) -> Section:
    """What each control accounts for of a difference: a bridge and a table of each comparison."""
    driven = findings.driven
    every = [*comparisons_of(driven, findings.windows)] if driven.height else []
    compared = [*filter(_is_split, shown_among(findings, every))]
    parts: list[Part] = [_OF_DRIVERS] if compared else []
    for each in compared[:_MOST_CHARTS]:
        figure = drivers_figure(each)
        parts += [(figure,)] if figure else []
    parts += [_drivers_table(each) for each in compared[:_MOST_ROWS]]
    sentences = [f"{comparison_in_words(each)}: {_split_in_words(each)}" for each in compared]
    return Section("What controls account for", tuple(parts), finding=" ".join(sentences[:1]))


def _split_in_words(comparison: Comparison) -> str:
    return drivers_in_words(comparison.table.rows(named=True))


def _is_split(comparison: Comparison) -> bool:
    return bool(_split_in_words(comparison))


def _drivers_table(comparison: Comparison) -> Table:
    table = lay_out(Answer("drivers", comparison.table))
    rows = [{**row, "under": ""} for row in table.rows]
    metric = comparison.table["metric"][0]
    caption = f"What controls account for of {metric}, {comparison_in_words(comparison)}"
    return replace(table, rows=rows, caption=caption, notes=())


_OF_FOREST: Final = (
    "Each metric is drawn on the scale of its own band, the shaded middle. A circle is fair, "
    "a triangle is outside, a diamond is uncertain. The thin vertical line is the ideal. "
    "Values beyond the edge of the chart are drawn at the edge."
)


def _full_sections(findings: Findings) -> Iterable[Section]:
    """The rates of every group, and a section of metrics for each comparison."""
    rated, shown = rates_of(findings)
    meanings = "; ".join(f"{RATES[rate].title}: {RATES[rate].meaning}" for rate in shown)
    opening = [f"{meanings}."] if shown else []
    figures = drawn(rate_figures(rated, shown, findings.windows))
    table = rates_table(findings, "Rates by group", rated.rows(named=True), shown, in_full=True)
    yield Section("Rates by group", (*opening, *figures, table))
    comparisons = findings.comparisons()
    if not comparisons:
        return
    drawn_from = MOST_FIGURES - len(comparisons)
    only = f" Charts show the last {MOST_FIGURES} comparisons only." if drawn_from < 0 else ""
    yield Section("Metrics", (Sentences("legend", (_OF_FOREST + only,)),))
    for i, comparison in enumerate(comparisons, start=drawn_from):
        forests = forest_figures(with_place(comparison), findings.signs) if i >= 0 else []
        sizes, values = (
            _sizes_in_words(findings, comparison),
            comparison_table(findings, comparison),
        )
        parts: tuple[Part, ...] = (sizes, *((forest,) for forest in forests), values)
        yield Section(comparison_in_words(comparison), parts, level=3)


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
    if findings.is_swept:
        sections = [*threshold_sections(findings), *compared(findings), rows_section(findings)]
    else:
        sections = [
            *facet_sections(findings),
            *compared(findings),
            *switched_section(findings),
            *confusions_section(findings),
            *worst_groups(findings),
            _time_section(findings),
            scores_section(findings),
            contributions_section(findings),
            drivers_section(findings),
            rows_section(findings),
            *(_full_sections(findings) if findings.is_in_full else ()),
        ]
    sections += appendix(findings)
    return [section for section in sections if section.parts or section.finding]


def _time_section(findings: Findings) -> Section:
    figures = trend_figures(findings, MOST_TRENDS)
    largest = changes_over_time(findings, 1)
    others = [change for change in changes_over_time(findings) if change not in largest]
    references = "" if findings.options.contrast is None else _OF_REFERENCES
    steps = "" if findings.steps.is_empty() else _OF_STEPS.format(findings.steps.height)
    legend = Sentences("legend", (f"{_OF_TIME}{references}{steps}",))
    parts: tuple[Part, ...] = (*others, legend, tuple(figures)) if figures else ()
    return Section("Over time", parts, finding="".join(largest))


def document_of(findings: Findings, texts: Texts) -> Document:
    """Everything that a report says, as plain text, tables and figures."""
    known = findings.digest
    return page_of(
        texts,
        title_of(findings.question),
        first_page(with_short_names(findings, ON_FIRST_PAGE)),
        sections_of(findings),
        details=() if findings.policy is None else (f"Policy: {findings.policy}",),
        last=() if known is None else (f"SHA-256 of the counts of the data: {known}",),
    )
