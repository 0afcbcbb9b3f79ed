"""The rows behind a page: how many were used, were left out, and what they say of groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import polars as pl

from polars_fairness.api.columns import RATED, Column, picked
from polars_fairness.api.verdicts import DEPENDS
from polars_fairness.inference.allocations import ENDS
from polars_fairness.inference.completions import HOLDS_FROM
from polars_fairness.question.completing import Assumption
from polars_fairness.reporting.answer_tables import Answer, lay_out
from polars_fairness.reporting.answers import Answers, filter_window, parts_of, window_of
from polars_fairness.reporting.outcome_notes import notes_on_answers
from polars_fairness.reporting.parts import Paragraph, Section, Sentence, Table, said
from polars_fairness.reporting.tables import (
    group_columns,
    named_row,
    text_table,
    window_columns,
    with_windows,
)
from polars_fairness.reporting.verdicts import filter_latest, latest_in_words
from polars_fairness.reporting.voice import Value, Voice, read_as
from polars_fairness.reporting.words import (
    ONE_BY_ONE,
    bracketed,
    cap,
    column_in_words,
    examined_in_words,
    facet_in_words,
    few,
    key_of_finding,
    low,
    measured,
    measured_span,
    share,
    size,
    standards_of,
    unit_of,
    value_in_words,
)
from polars_fairness.values.evaluate import ROWS
from polars_fairness.values.unlabelled import NOT_KNOWN

_OF_ROWS: Final = (
    "A row is left out if its weight or count is 0. With nulls='drop', it is also left out if its "
    "weight or count is missing, or an outcome, score or feature that the metric or rate needs. "
    "Groups are listed with the rows that have all outcomes. A row whose facet is unknown is on "
    "neither side, but counts among all rows."
)
_MOST_ROWS: Final = 40
_MOST_BOUNDS: Final = 10
_MOST_RANGES: Final = 3
_METRICS, _SHARE = "metrics\x1f", "share\x1f"


def used_in_words(voice: Voice) -> Iterator[Sentence]:
    """How many rows were used, and how many are in no comparison because their facet is unknown."""
    answers, rows = voice.answers, voice.words.rows
    of_metrics = _shown_counts(voice)
    first = of_metrics[0]
    seen, used = (sum(row[name] for row in first) for name in ("rows_seen", "rows_used"))
    most = sum(row["rows_used"] for row in of_metrics[-1])
    where = ""
    if not answers.options.sequential:
        where = "".join(f"In the window {each}, " for each in latest_in_words(answers))
    if answers.options.hide_below is not None:
        of_all = parts_of(filter_latest(answers, answers.answer), answers.windows_of_rows)
        where = "In the windows shown, " if len(first) < len(of_all) else where
    keys = ("rows",)
    if used == most == seen:
        yield Sentence(cap(f"{where}all {seen:,} {rows} were used."), keys, counts=True)
    else:
        # With ``nulls="drop"``, what a row lacks leaves it out of the metrics that need this.
        which = f"{used:,} to {most:,}" if most > used else f"{used:,}"
        as_needed = ", depending on the metric" if most > used else ""
        text = f"{where}{which} of {seen:,} {rows} were used{as_needed}."
        yield Sentence(cap(text), keys, counts=True)
    bounded = _ends_of_facets(voice) if answers.options.bounds else {}
    for facet, n in _unknown(voice).items():
        name = column_in_words(facet)
        counted = f"{size(round(n))} of {seen:,} {rows}"
        if answers.is_weighted:
            whole = sum(answers.rows_in(window_of(row, answers.windows)) for row in first)
            counted = f"a weight of {size(n)}{bracketed(share(n / whole) if whole else '')}"
        are = f"{cap(name)} is unknown for {counted}"
        if facet in bounded:
            text = f"{are}, and that decides: {bounded[facet]}."
        else:
            text = f"{are}; these are in no comparison by {name}."
        yield Sentence(text, keys, counts=True)
    yield from _of_missing_labels(voice)


def _of_missing_labels(voice: Voice) -> Iterator[Sentence]:
    unknown: dict[str, list[str]] = {}
    ranges = []
    for value in voice.values:
        row = value.row
        label, is_so, _ = (row["note"] or "").rpartition("label: ")[2].partition(NOT_KNOWN)
        if is_so:
            called = f"the {low(voice.title(value.metric))} of {voice.who(value)}"
            unknown.setdefault(label, []).append(called)
        elif voice.answers.options.unlabelled is not None and row["lowest"] is not None:
            ranges.append(value)
    for label, values in unknown.items():
        text = f"A label is {label}: {few(values)} cannot be computed."
        yield Sentence(text, ("rows",), counts=True)
    in_tables = {value.key for value in voice.shown}
    said_of = [value for value in ranges if value.key in in_tables][:_MOST_RANGES]
    for place, value in enumerate(said_of):
        yield from _of_range(voice, value, again=place > 0)


def _of_range(voice: Voice, value: Value, *, again: bool) -> Iterator[Sentence]:
    """Where one value lies whatever the labels are, and from when it speaks against which side."""
    row, decided, yes = value.row, voice.words.decided, voice.words.label[0]
    facet, d, a = value.facet, value.comparison.disfavored, value.comparison.favored
    it, opening = f"the {low(voice.title(value.metric))} of {voice.who(value)}", ""
    is_of_accepted = _are_of_accepted(voice, value)
    if not again:
        if row["value"] is None:
            asked, it = it, "it"
            if read_as(value.metric) == "rd" and voice.is_named(facet, d, a):
                asked = f"whether {voice.who(value)} {yes} are {decided} as often as "
                asked, it = asked + voice.called(facet, a), "the difference"
            why = f"no one who is not {decided} has a label"
            why = why if is_of_accepted else "no one with some decision has a label"
            yield voice.say(f"{asked} cannot be said: {why}.", [value])
        assumption = Assumption.of(voice.answers.options.unlabelled)
        opening = f"where missing labels {assumption.in_words}, "
        opening = "whatever the missing labels are, " if assumption.kind == "any" else opening
    lowest, highest = (row[end] for end in ENDS)
    span = measured_span(lowest, highest, voice.unit(value), standards_of(row))
    lies = f"lies between {span.replace(' to ', ' and ')}"
    lies = lies if lowest < highest else f"is {span.partition(' to ')[2]}"
    yield voice.say(f"{opening}{it} {lies}.", [value])
    times = row[HOLDS_FROM]
    if times and (verdict := _verdict_at_once(voice, value)):
        those = (f"those not {decided}", f"those {decided}")
        those = those if is_of_accepted else ("those without a label", "those with one")
        each = f" of each {facet_in_words(facet)}" if facet is not None else ""
        share_of = f"the share {yes} among {those[0]}{each} is at least"
        text = f"it is {verdict} if {share_of} {times:.2f} times that among {those[1]}."
        yield voice.say(text, [value])


def _verdict_at_once(voice: Voice, value: Value) -> str:
    """What a value is where people without a label are as often positive as the others."""
    at_once, row = voice.answers.at_once, value.row
    if at_once.is_empty():
        return ""
    places = at_once.columns[: at_once.columns.index("metric") + 1]
    is_same = [pl.col(name).eq_missing(pl.lit(row[name])) for name in places]
    [(verdict, against)] = at_once.filter(is_same).select("verdict", "against").rows()
    if against is None:
        return f"{verdict} the accepted band"
    return f"to the disadvantage of {voice.called(value.facet, against)}"


def _are_of_accepted(voice: Voice, value: Value) -> bool:
    rated = voice.answers.rated
    if "labelled_rejected" not in rated.columns:
        return False
    of_facet = rated.filter(pl.col("facet").eq_missing(pl.lit(value.facet)))
    return not of_facet.is_empty() and of_facet["labelled_rejected"].sum() == 0


def _ends_of_facets(voice: Voice) -> dict[str, str]:
    """The ends of a value's range, for each facet whose unknown rows decide a verdict."""
    answers, ends = voice.answers, dict[str, str]()
    depends = answers.bounds.filter(verdict=DEPENDS) if answers.bounds.height else answers.bounds
    for row in depends.iter_rows(named=True):
        unit = unit_of(answers.metric(row["metric"]))
        lowest, highest = (
            measured(row[end], unit, standards_of(row)) for end in ("lowest", "highest")
        )
        title, who = voice.title(row["metric"]), voice.called(row["facet"], row["disfavored"])
        text = f"the {low(title)} of {who} may lie anywhere between {lowest} and {highest}"
        ends.setdefault(row["facet"], text)
    return ends


def _shown_counts(voice: Voice) -> list[list[dict[str, int]]]:
    """The counts of each window shown, for each metric; those with the fewest rows used first."""
    answers = voice.answers
    if answers.options.sequential:
        # The last windows count the rows of all windows before them.
        columns = {name: answers.audited[name] for name in answers.windows_of_rows}
        dates = [name for name, column in columns.items() if column.dtype.is_temporal()]
        times = dates or [name for name, column in columns.items() if column.dtype.is_numeric()]
        branches = parts_of(answers.audited, [name for name in columns if name not in times])
        shown = pl.concat(
            branch.filter(branch[time] == branch[time].max())
            for branch in branches
            for time in times
        )
    else:
        shown = filter_latest(answers, answers.audited)
    # Every facet counts the same rows, and so does every threshold and model.
    of_metrics = [
        [part.row(0, named=True) for part in parts_of(of_metric, answers.windows_of_rows)]
        for of_metric in parts_of(shown, ["metric"])
    ]
    return sorted(of_metrics, key=lambda rows: sum(row["rows_used"] for row in rows))


def _unknown(voice: Voice) -> dict[str, float]:
    """The rows of unknown facet, or their weight, of the windows shown; null where it is hidden."""
    answers = voice.answers
    shown = filter_latest(answers, answers.audited)
    unknown = {
        facet: sum(
            part.select(pl.col("n_unknown").min()).item() or 0
            for part in parts_of(shown.filter(facet=facet), answers.windows_of_rows)
        )
        for facet in answers.facets
    }
    return {facet: n for facet, n in unknown.items() if n}


def rows_section(voice: Voice) -> Section:
    """How many rows were seen, used and left out, and how far unknown ones could move a metric."""
    answers = voice.answers
    audited = answers.audited
    if audited.is_empty():
        return Section("The rows")
    # Page one has the first ones.
    notes = notes_on_answers(answers.rated, audited, answers.question)
    tables = [_reconciliation_table(answers, audited)]
    if not answers.bounds.is_empty():
        tables.append(_bounds_table(voice))
    if not answers.left_out.is_empty():
        tables.append(_missing_outcomes_table(answers))
    is_all = (audited["rows_dropped"].sum() == 0) and not _unknown(voice)
    opening = () if is_all else said(_OF_ROWS)
    paragraphs = (Paragraph(tuple(used_in_words(voice))), *opening)
    return Section("The rows", paragraphs, tuple(tables), notes=tuple(notes))


def _cut(table: Table, what: str) -> Table:
    more = len(table.rows) - _MOST_ROWS
    notes = [*table.notes, f"{more:,} more {what} are not shown."] if more > 0 else table.notes
    return replace(table, rows=table.rows[:_MOST_ROWS], notes=notes)


def _reconciliation_table(answers: Answers, audited: pl.DataFrame) -> Table:
    """How many rows were seen, used and left out, for each window and facet.

    All models decide about the same rows. Metrics that count others have a line of their own.
    """
    windows = answers.windows_of_rows
    counted = {"rows_seen": "Seen", "rows_used": "Used", "rows_dropped": "Left out"}
    rows = [
        {
            **alike.row(0, named=True),
            _METRICS: ", ".join(map(value_in_words, alike["metric"].unique(maintain_order=True))),
        }
        for part in parts_of(audited, [*windows, "facet"])
        for alike in parts_of(part, [*counted])
    ]
    places, columns = [*windows, "facet"], [*windows, "facet", *counted]
    is_by_metric = audited[columns].n_unique() > audited[places].n_unique()
    counted["n_unknown"] = "Weight, facet unknown" if answers.is_weighted else "Facet unknown"
    # The rates of a sequential audit are those of single windows.
    if answers.is_weighted and not answers.options.sequential:
        counted[ROWS] = "Facet unknown"
        for row in rows:
            # The number of rows whose facet is unknown, whatever their weights.
            of_window = filter_window(answers.rated, window_of(row, answers.windows))
            unknown = of_window.filter(pl.col("facet") == row["facet"], pl.col("value").is_null())
            row[ROWS] = int(unknown[ROWS].sum())
    table = Table(
        (
            Column("facet", type="text"),
            *window_columns(windows),
            *([Column(_METRICS, type="text", label="Metrics")] if is_by_metric else []),
            *(Column(name, type="size", label=title) for name, title in counted.items()),
        ),
        [
            {**with_windows(row, windows), "facet": row["facet"] or "no facet", "key": "rows"}
            for row in rows
        ],
        "Rows seen, used and left out",
    )
    return _cut(table, "facets or windows")


def _missing_outcomes_table(answers: Answers) -> Table:
    n, dropped = picked(RATED, "n", "rows_dropped")
    table = Table(
        (
            *group_columns(answers),
            n,
            replace(dropped, label="Left out"),
            Column(_SHARE, label="Share left out", format="share"),
        ),
        [
            {
                **named_row(answers, row),
                _SHARE: row["rows_dropped"] / row["n"] if row["n"] else None,
            }
            for row in answers.left_out.rows(named=True)
        ],
        "Missing outcomes by group",
    )
    return _cut(table, "groups")


def _bounds_table(voice: Voice) -> Table:
    answers = voice.answers
    rows = []
    for row in answers.bounds.head(_MOST_BOUNDS).iter_rows(named=True):
        unit = unit_of(answers.metric(row["metric"]))
        ends = (measured(row[end], unit, standards_of(row)) for end in ("lowest", "highest"))
        sides = (
            voice.head(row["facet"], row["disfavored"]),
            voice.name(row["facet"], row["favored"]),
        )
        rows.append((*sides, size(row["n_unknown"]), *ends))
    titles = ("Group", "Reference", "Rows of unknown group", "Lowest", "Highest")
    title = voice.title(answers.bounds["metric"][0])
    return text_table(f"{title}, whatever the unknown groups are", titles, rows, "rows")


def data_section(voice: Voice) -> Section:
    """What was found in the columns that are given, and the numbers that are not within limits."""
    examined = voice.answers.examined
    if examined.is_empty():
        return Section("")
    rows = filter_latest(voice.answers, examined)
    answer = Answer("intake", rows)
    table = lay_out(answer)
    shown = [
        {**row, "key": key_of_finding(row)}
        for row in table.rows
        if row["tones"]["verdict"] in ("outside", "uncertain")
    ]
    judged = rows["verdict"].count()
    said = () if answer.windows else tuple(examined_in_words(rows, voice.called))
    caption = "Numbers of the data beyond their limits"
    return Section(
        "The data",
        (Paragraph(said),) if said else (),
        (replace(table, rows=shown, caption=caption, notes=()),) if shown else (),
        notes=(
            f"{judged - len(shown):,} of {judged:,} numbers are within their limits or undefined.",
            f"{cap(ONE_BY_ONE)}.",
        ),
    )
