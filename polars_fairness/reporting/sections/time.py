"""The section over time, and since when a value is outside its band."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from polars_fairness.api.verdicts import tone_of
from polars_fairness.reporting.charts.curves import (
    Series,
    change_in_words,
    figures_of_series,
    trends,
)
from polars_fairness.reporting.parts import Cell, Row, Section, Sentence, Table, numbers, texts
from polars_fairness.reporting.verdicts import apart, disadvantages_d, with_other_groups
from polars_fairness.reporting.voice import Value, Voice
from polars_fairness.reporting.words import (
    cap,
    low,
    measured,
    measured_span,
    standards_of,
    unit_of,
    value_in_words,
    verdict_in_words,
    window_in_words,
)
from polars_fairness.values.evaluate import SIDES

_MOST_TRENDS: Final = 8
_MOST_ROWS: Final = 24
_MOST_FACETS: Final = 3
_OF_TIME: Final = (
    "The shaded strip is the band, the dashed line is the ideal. A circle is within the band, a "
    "triangle is outside, a diamond is uncertain."
)
_OF_REFERENCES: Final = " A dash is the value that this one is compared with."
_OF_STEPS: Final = (
    " A thick line, with the difference above it, is a significant change from the window before: "
    "its interval excludes 0, and the intervals of all {:,} such steps hold together, by "
    "Bonferroni's correction."
)


def since_in_words(voice: Voice) -> Iterator[Sentence]:
    """Since when the first value of each facet that is outside its band is so, or was."""
    answers, column = voice.answers, voice.answers.time_column
    if column is not None and not voice.of(tone="outside"):
        earlier = answers.audited.filter(answers.audited[column] != answers.latest)["verdict"]
        n = [tone_of(verdict).name for verdict in earlier].count("outside")
        were, s = ("was", "") if n == 1 else ("were", "s")
        their = "its" if n == 1 else "their"
        if n:
            text = f"In earlier windows, {n:,} value{s} {were} outside {their} band{s}."
            yield Sentence(text, counts=True)
    for facet in voice.facets[:_MOST_FACETS]:
        values = voice.leading(facet)
        if values and values[0].tone == "outside":
            since = _since(voice, values[0])
            if since:
                title = low(voice.title(values[0].metric))
                text = f"The {title} of {voice.who(values[0])} {since}"
                yield Sentence(text, counts=True)


def _since(voice: Voice, value: Value) -> str:
    """Since which window a value of the latest one has been outside; empty if not known.

    Another group may be side a in another window, or none: then it is not known there.
    """
    answers = voice.answers
    column = answers.time_column
    if column is None:
        return ""
    of_value = apart(answers, value.comparison.window)
    verdicts: dict[Any, tuple[str | None, bool]] = {}
    for each in with_other_groups(answers, answers.comparisons):
        time = dict(each.window)[column]
        if apart(answers, each.window) != of_value or time is None:
            continue
        verdicts.setdefault(time, (None, False))
        if all(getattr(each, side) == getattr(value.comparison, side) for side in SIDES):
            for row in each.table.filter(metric=value.metric).iter_rows(named=True):
                verdicts[time] = row["verdict"], disadvantages_d(row)
    known, judgement = sorted(verdicts), (value.row["verdict"], disadvantages_d(value.row))
    before = [time for time in known if verdicts[time] != judgement]
    in_a_row = [time for time in known if not before or time > before[-1]]
    if len(known) < 2:
        return ""
    if not before:
        return f"is outside its band in each of the {len(known):,} windows."
    if len(in_a_row) > 1:
        since = window_in_words(((column, in_a_row[0]),))
        return (
            f"has been outside its band in each window since {since}, {len(in_a_row):,} in a row."
        )
    is_known = tone_of(verdicts[before[-1]][0]).name in ("within", "outside")
    words = "it was not" if is_known else "this is not known"
    before_that = window_in_words(((column, before[-1]),))
    return f"is outside its band; in the window before, {before_that}, {words}."


def time_section(voice: Voice) -> Section:
    """The metrics that are followed over time, each as a line and as a table."""
    answers = voice.answers
    shown = trends(answers)[:_MOST_TRENDS]
    references = "" if answers.options.contrast is None else _OF_REFERENCES
    steps = "" if answers.steps.is_empty() else _OF_STEPS.format(answers.steps.height)
    notes = (f"{_OF_TIME}{references}{steps}",) if shown else ()
    figures = figures_of_series(
        shown, voice.title, unit_of=lambda name: unit_of(answers.metric(name))
    )
    return Section("Over time", (), (_table(voice, shown),) if shown else (), tuple(figures), notes)


def _table(voice: Voice, shown: list[Series]) -> Table:
    """Each value of the lines, the latest last."""
    rows: list[Row] = []
    notes = []
    for series in shown:
        unit = unit_of(voice.answers.metric(series.metric))
        sides = voice.compared(series.comparison)
        under = f"{voice.title(series.metric)} ({series.metric}), {sides}"
        if hidden := len(series.rows[:-_MOST_ROWS]):
            notes.append(f"{hidden:,} earlier windows are not shown.")
        for row in series.rows[-_MOST_ROWS:]:
            step = series.steps.get(row[series.column])
            rows.append(
                {
                    "under": under,
                    "window": Cell(value_in_words(row[series.column])),
                    "value": Cell(
                        measured(row["value"], unit, standards_of(row)),
                        measured_span(row["lower"], row["upper"], unit, standards_of(row)),
                    ),
                    "step": Cell(change_in_words(step, unit)),
                    "judgement": Cell(
                        cap(verdict_in_words(row)), tone=tone_of(row["verdict"]).name
                    ),
                }
            )
    heads = {"step": "Change beyond chance"} if any(series.steps for series in shown) else {}
    columns = texts(window=value_in_words(shown[0].column)) + numbers(value="")
    columns += texts(**heads, judgement="")
    return Table(columns, rows, "Values over time", list(dict.fromkeys(notes)))
