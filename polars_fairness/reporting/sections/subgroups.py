"""The sections on the parts of a difference: contributions of strata, and of controls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from polars_fairness.api.columns import Column
from polars_fairness.reporting.answer_tables import Answer, lay_out
from polars_fairness.reporting.answers import Comparison, comparisons_of, strata_of
from polars_fairness.reporting.parts import Cell, Paragraph, Row, Section, Sentence, Table, said
from polars_fairness.reporting.verdicts import apart, shown_among
from polars_fairness.reporting.voice import Voice
from polars_fairness.reporting.words import (
    cap,
    comparison_in_words,
    drivers_in_words,
    facet_in_words,
    low,
    measured,
    measured_span,
    sides_in_words,
    unit_in_words,
    unit_of,
    value_in_words,
    where_in_words,
)

_MOST_ROWS: Final = 10
_OF_CONTRIBUTIONS: Final = (
    "A conditional metric is an average over strata, weighted by their rows. A contribution is "
    "what one stratum adds to this average."
)
_OF_DRIVERS: Final = (
    "A contribution is how much the difference falls when this control is held constant too, "
    "averaged over all orders of the controls (Shapley). Alone: how much it falls with this "
    "control only. Beyond the others: how much it falls when this control is added last."
)


def contributions_section(voice: Voice) -> Section:
    """The strata that contribute most to each conditional metric."""
    answers, tables = voice.answers, list[Table]()
    paragraphs = []
    for name, frame in answers.decomposed.items():
        compared = shown_among(answers, comparisons_of(frame, answers.windows))
        if sentences := [*_largest(voice, name, compared)]:
            paragraphs.append(Paragraph(tuple(sentences)))
        for facet in dict.fromkeys(each.facet for each in compared):
            of_facet = [each for each in compared if each.facet == facet]
            tables.append(_contributions_table(voice, name, of_facet))
    paragraphs += said(_OF_CONTRIBUTIONS) if tables else ()
    return Section("Subgroups", tuple(paragraphs), tuple(tables))


def _subgroups(comparison: Comparison) -> Iterator[tuple[str, dict[str, Any]]]:
    names = strata_of(comparison.table)
    for row in comparison.table.iter_rows(named=True):
        yield " & ".join(value_in_words(row[name]) for name in names), row


def _key(name: str, comparison: Comparison, subgroup: str) -> str:
    return f"part/{name}/{comparison_in_words(comparison)}/{subgroup}"


def _largest(voice: Voice, name: str, compared: Sequence[Comparison]) -> Iterator[Sentence]:
    contributions = [
        (abs(row["contribution"]), subgroup, row, comparison)
        for comparison in compared
        for subgroup, row in _subgroups(comparison)
        if row["contribution"] is not None
    ]
    if not contributions:
        return
    _, subgroup, row, comparison = max(contributions, key=lambda each: each[0])
    columns = " & ".join(map(value_in_words, strata_of(comparison.table)))
    unit = unit_of(voice.answers.metric(name))
    yield Sentence(
        f"{cap(columns)} {subgroup} contributes most to the {low(voice.title(name))} of "
        f"{_who(voice, comparison)}: {measured(row['contribution'], unit)}{unit_in_words(unit)}.",
        (_key(name, comparison, subgroup),),
    )


def _who(voice: Voice, comparison: Comparison) -> str:
    """Side d of a comparison, with its window where there are several."""
    where = where_in_words(apart(voice.answers, comparison.window))
    return f"{voice.called(comparison.facet, comparison.disfavored)} {where}".rstrip()


_MEASURED: Final = ("contribution", "value", "alone", "beyond_the_others")


def _in_unit(voice: Voice, name: str, row: Row) -> dict[str, Any]:
    """A row of contributions to a metric in the unit of its values."""
    unit = unit_of(voice.answers.metric(name))
    interval = measured_span(row.get("lower"), row.get("upper"), unit)
    cells = {key: Cell(measured(row[key], unit)) for key in _MEASURED if key in row}
    dot = row["dots"]["contribution"]
    scale = replace(dot.scale, factor=100 if unit == "points" else 1)
    contribution = replace(cells["contribution"], detail=interval)
    dots = {"contribution": replace(dot, scale=scale)}
    return {**row, **cells, "contribution": contribution, "dots": dots}


def _contributions_table(voice: Voice, name: str, comparisons: Sequence[Comparison]) -> Table:
    first, is_several = comparisons[0], len(comparisons) > 1
    tables = [lay_out(Answer("decompose", each.table)) for each in comparisons]
    rows: list[dict[str, Any]] = [
        {**row, "sides": sides_in_words(each), "key": _key(name, each, row["name"])}
        for each, table in zip(comparisons, tables, strict=True)
        for row in table.rows
    ]
    rows.sort(key=lambda row: -abs(row["contribution"] or 0))
    about = facet_in_words(first.facet) if is_several else voice.compared(first)
    shown = [_in_unit(voice, name, row) for row in rows[:_MOST_ROWS]]
    in_points = ", in points" * (unit_of(voice.answers.metric(name)) == "points")
    table = tables[0].captioned(
        f"{voice.title(name)} ({name}) by subgroup{in_points}, {about}", shown
    )
    table = replace(table, strips=("contribution",))
    if more := len(rows) - _MOST_ROWS:
        table = replace(table, notes=[f"{more:,} not shown."] if more > 0 else [])
    if not is_several:
        return table
    subgroup, *columns = table.columns
    sides = Column("sides", type="text", label="Groups")
    return replace(table, columns=(subgroup, sides, *columns))


def drivers_section(voice: Voice) -> Section:
    """What each control accounts for of a difference: a table of each comparison."""
    answers = voice.answers
    every = comparisons_of(answers.driven, answers.windows) if answers.driven.height else ()
    compared = [
        each
        for each in shown_among(answers, every)
        if drivers_in_words(each.table.rows(named=True))
    ]
    paragraphs = [
        Paragraph(
            (
                Sentence(
                    f"{cap(voice.compared(each))}. {drivers_in_words(each.table.rows(named=True))}",
                    counts=True,
                ),
            )
        )
        for each in compared[:1]
    ]
    paragraphs += said(_OF_DRIVERS) if compared else ()
    tables = tuple(_drivers_table(voice, each) for each in compared[:_MOST_ROWS])
    return Section("What controls account for", tuple(paragraphs), tables)


def _drivers_table(voice: Voice, comparison: Comparison) -> Table:
    metric = comparison.table["metric"][0]
    table = lay_out(Answer("drivers", comparison.table))
    in_points = ", in points" * (unit_of(voice.answers.metric(metric)) == "points")
    title = f"{voice.title(metric)}{in_points}, {voice.compared(comparison)}"
    rows = [_in_unit(voice, metric, row) for row in table.rows]
    caption = f"What controls account for: {title}"
    return replace(table.captioned(caption, rows), strips=("contribution",))
