"""A section for each facet: what was found of which metric, the rates, and the values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import polars as pl

from polars_fairness.counting.sides import ALL
from polars_fairness.formula.numbers import NUMBERS_OF_GROUPS
from polars_fairness.formula.sides import RATES
from polars_fairness.question.completing import Assumption
from polars_fairness.reporting.answers import bounds_of, window_of
from polars_fairness.reporting.parts import (
    Cell,
    Dot,
    Paragraph,
    Row,
    Section,
    Sentence,
    Table,
    numbers,
    texts,
)
from polars_fairness.reporting.scales import Scale, Values
from polars_fairness.reporting.sections.page_one import (
    dagger,
    labelled_rows,
    row_of_value,
    scale_of_values,
)
from polars_fairness.reporting.tables import rates_of
from polars_fairness.reporting.verdicts import apart, filter_latest, latest_in_words
from polars_fairness.reporting.voice import Value, Voice, rate_key
from polars_fairness.reporting.words import (
    PERCENT,
    ROBUSTNESS,
    cap,
    facet_in_words,
    few,
    in_each_of,
    low,
    number,
    robustness_in_words,
    rows_counted,
    share,
    share_span,
    size,
    spelled,
    unit_of,
    window_in_words,
)
from polars_fairness.values.evaluate import ROWS

_MOST_ROWS: Final = 40
_FEWEST_ROWS: Final = 6
"""How many values of a metric a table has at least."""
_MOST_NAMED: Final = 4
_MOST_METRICS: Final = 5
_FEWEST_OF_STRIP: Final = 3
_FAR_FROM_0: Final = 0.4
"""From which share of the highest rate on the lowest one begins its scale, in place of 0."""
_JUDGED: Final = ("outside", "uncertain", "within")


def facet_sections(voice: Voice) -> Iterator[Section]:
    """A section for each facet; without one, of all rows."""
    when = latest_in_words(voice.answers)
    for facet in voice.facets:
        title = cap(f"all {voice.words.rows}") if facet is None else f"By {facet_in_words(facet)}"
        tables = [*_rates_tables(voice, facet)]
        if shown := [value for value in voice.shown if value.facet == facet]:
            tables.append(_values_table(voice, facet, shown))
        paragraphs = (Paragraph(tuple(_opening(voice, facet))),)
        notes = tuple(_small(voice, facet))
        yield Section(", ".join([title, *when]), paragraphs, tuple(tables), notes=notes)


def _opening(voice: Voice, facet: str | None) -> Iterator[Sentence]:
    """What was found of which metric: page one has what leads."""
    judged = [value for value in voice.of(facet) if value.is_judged]
    if not judged:
        yield Sentence("No value is judged.")
        return
    places = {(value.comparison.disfavored, value.comparison.window) for value in judged}
    sides = {value.comparison.disfavored for value in judged}
    if len(places) == 1 and None not in sides:
        by_tone = {tone: [v for v in judged if v.tone == tone] for tone in _JUDGED}
        found = [
            f"{tone} in "
            + few(
                (f"{low(voice.title(v.metric))} ({voice.said(v)})" for v in values), _MOST_METRICS
            )
            for tone, values in by_tone.items()
            if values
        ]
        first = judged[0]
        a = voice.called(facet, first.comparison.favored)
        text = f"{voice.who(first)} against {a}: {'; '.join(found)}."
        shown = [v for values in by_tone.values() for v in values[: _MOST_METRICS + 1]]
        yield Sentence(cap(text), tuple(value.key for value in shown))
        return
    yield Sentence(_counted(voice, facet, judged), counts=True)
    visible = {value.key for values in _by_metric(voice, facet).values() for value in values}
    for tone in ("outside", "uncertain"):
        of_tone = [value for value in judged if value.tone == tone]
        metrics = [*dict.fromkeys(value.metric for value in of_tone)]
        parts, named = [], list[Value]()
        for name in metrics[:_MOST_METRICS]:
            values = [value for value in of_tone if value.metric == name]
            # A table that is cut has the first values of each metric.
            shown = [value for value in values if value.key in visible][: _MOST_NAMED + 1]
            names = (f"{voice.who(value)} ({voice.said(value)})" for value in shown)
            if shown:
                parts.append(f"{low(voice.title(name))} of {few(names, of=len(values))}")
            named += shown
        if more := len(metrics) - _MOST_METRICS:
            parts += [f"{more:,} more metrics"] if more > 0 else []
        if parts:
            yield Sentence(f"{cap(tone)}: {'; '.join(parts)}.", tuple(v.key for v in named))


def _counted(voice: Voice, facet: str | None, judged: Sequence[Value]) -> str:
    """How many groups are compared with what, and how many of their values are judged how."""
    compared = [each.comparison for each in judged if each.comparison.disfavored is not None]
    groups, sides = (
        [*dict.fromkeys(getattr(each, side) for each in compared)]
        for side in ("disfavored", "favored")
    )
    counts = [
        f"{'all' if n == len(judged) else n} {'is' if n == 1 else 'are'} {tone}"
        for tone in _JUDGED
        if (n := sum(value.tone == tone for value in judged))
    ]
    found = f"in {len(judged):,} judged values: {few(counts)}."
    if not groups:
        return cap(found)
    names, are = f"{spelled(len(groups))} groups", "are"
    if len(groups) == 1:
        names, are = (
            voice.called(facet, groups[0]),
            "are" if voice.is_named(facet, *groups) else "is",
        )
    beside = f" with {voice.called(facet, sides[0])}" if len(sides) == 1 else ""
    windows = [*dict.fromkeys(apart(voice.answers, each.window) for each in compared)]
    return ", ".join(
        filter(None, [cap(f"{names} {are} compared{beside}"), in_each_of(windows), found])
    )


def _small(voice: Voice, facet: str | None) -> Iterator[str]:
    small = {voice.subject_with_window(v): None for v in voice.of(facet) if v.row.get("is_small")}
    if small:
        least = voice.answers.options.minimum_count
        yield (
            f"A side has fewer than {least:,} {voice.words.rows}, so interpret these values with "
            f"care: {few(small)}."
        )
    if any(v.comparison.disfavored is None and voice.metric(v).has_sides for v in voice.of(facet)):
        yield "There were no groups to compare."


def _rates_tables(voice: Voice, facet: str | None) -> Iterator[Table]:
    """The size and the rates of each group, of the unknown, and of all rows."""
    answers = voice.answers
    rated, shown = rates_of(answers)
    strip = next((name for name in ("selection_rate", *shown) if name in shown), None)
    # n is of the rows that have all outcomes, which few of those that are decided may be.
    counted = answers.size_of(RATES[strip]) if strip else "n"
    rows = filter_latest(answers, rated).filter(
        pl.col("facet").is_in([ALL if facet is None else facet, ALL]), pl.col(counted) > 0
    )
    of_all = rows.filter(pl.col("facet") == ALL).rows(named=True)
    groups = rows.filter(pl.col("facet") != ALL).rows(named=True)
    if not (groups or facet is None):
        return
    names = [name for name, _ in apart(answers, voice.comparisons[0].window)]
    hidden = groups[_MOST_ROWS:]
    if hidden:
        order = {value.group_key: place for place, value in enumerate(voice.of(facet))}
        references = {value.reference_key for value in voice.of(facet)}
        windows = answers.windows

        def place(row: Mapping[str, Any]) -> tuple[bool, int]:
            key = rate_key(row["facet"], row["value"], window_of(row, windows))
            return key not in references, order.get(key, len(order))

        groups.sort(key=place)
        hidden = groups[_MOST_ROWS:]
    means = [name for name in NUMBERS_OF_GROUPS if name in rated.columns]
    has_strip = strip is not None and len(groups) >= _FEWEST_OF_STRIP
    scale = _scale_of_rates(strip, [*groups, *of_all]) if strip and has_strip else None
    favored = {value.comparison.favored for value in voice.of(facet)}
    table_rows: list[Row] = []
    for row in [*groups[:_MOST_ROWS], *of_all]:
        is_all, window = row["facet"] == ALL, window_in_words(window_of(row, names))
        group = row["value"]
        if is_all:
            name = cap(f"all {voice.words.rows}")
        elif group is None:
            name = f"{cap(facet_in_words(facet))} unknown"
        else:
            name = voice.head(facet, group)
        reference = "reference" if group in favored and group is not None and not is_all else ""
        table_rows.append(
            {
                "group": Cell(name, ", ".join(filter(None, [reference, window]))),
                "n": Cell(size(row[counted] if answers.is_weighted else round(row[counted]))),
                "rows": Cell(f"{row[ROWS]:,}" if ROWS in row else ""),
                **{
                    each: Cell(
                        "–" if row[each] is None else share(row[each]),
                        share_span(*_bounds(row, each)),
                    )
                    for each in shown
                },
                **{
                    each: Cell("–" if row[each] is None else number(row[each], 2)) for each in means
                },
                "key": rate_key(row["facet"], group, window_of(row, answers.windows)),
                "is_reference": is_all,
                "dots": {strip: Dot(scale, row[strip], *_bounds(row, strip))}
                if scale and strip
                else {},
            }
        )
    heads = {"n": voice.sizes, **({"rows": cap(voice.words.rows)} if answers.is_weighted else {})}
    heads |= {each: RATES[each].title for each in shown} | dict.fromkeys(means, "")
    what = "Numbers" if means and not shown else "Rates"
    about = f"of all {voice.words.rows}" if facet is None else f"by {facet_in_words(facet)}"
    notes = []
    if answers.confidence_of_rates is not None and shown:
        notes.append(
            f"Below each rate: its {voice.confidence} Wilson interval{rows_counted(answers)}."
        )
    known = (each for each in shown if any(row[each] is not None for row in groups))
    notes += labelled_rows(voice, known)
    if hidden:
        notes.append(f"{len(hidden):,} groups not shown.")
    columns, note = texts(group="") + numbers(**heads), " ".join(notes)
    strips = (strip,) if scale and strip else ()
    yield Table(columns, table_rows, f"{what} {about}", [note], "rates", strips)


def _bounds(row: Mapping[str, Any], rate: str) -> tuple[float | None, float | None]:
    lower, upper = (row[bound] for bound in bounds_of(rate))
    return lower, upper


def _scale_of_rates(rate: str, rows: Sequence[Mapping[str, Any]]) -> Scale:
    """The scale of a rate; the dashed line is that of all rows."""
    ends = [row[key] for row in rows for key in (rate, *bounds_of(rate)) if row[key] is not None]
    lowest, highest = min(ends, default=0.0), max(ends, default=1.0) or 1.0
    start = 0.0 if lowest < _FAR_FROM_0 * highest else 0.96 * lowest
    of_all = [row[rate] for row in rows if row["facet"] == ALL]
    ideal = of_all[0] if len(of_all) == 1 else None
    return Scale(Values.of_shares(ends, start), None, ideal, 100, PERCENT)


def _by_metric(voice: Voice, facet: str | None) -> dict[str, list[Value]]:
    """The values of each metric that a table of a facet has room for, the worst first."""
    shown = [value for value in voice.shown if value.facet == facet]
    metrics = [name for name in voice.metrics if any(value.metric == name for value in shown)]
    room = max(_MOST_ROWS // max(1, len(metrics)), _FEWEST_ROWS)
    return {name: [v for v in shown if v.metric == name][:room] for name in metrics}


def _values_table(voice: Voice, facet: str | None, shown: Sequence[Value]) -> Table:
    """The values of a facet: a row for each metric, or for each group below its metric."""
    answers = voice.answers
    places = {(value.comparison.disfavored, value.comparison.window) for value in shown}
    is_one = len(places) == 1
    metrics = [name for name in voice.metrics if any(value.metric == name for value in shown)]
    scales = {}
    for name in metrics:
        of_metric = [value for value in shown if value.metric == name]
        unit = unit_of(answers.metric(name))
        alike = [v for v in shown if unit != "number" and voice.unit(v) == unit]
        scales[name] = scale_of_values(voice, of_metric, alike)
    favored = {value.comparison.favored for value in shown if value.comparison.disfavored}
    by_metric = _by_metric(voice, facet)
    rows = [
        _row(voice, value, scales, is_one=is_one)
        for values in by_metric.values()
        for value in values
    ]
    kept = {value.key for values in by_metric.values() for value in values}
    hidden = [value for value in shown if value.key not in kept]
    counted = "weight" if answers.is_weighted else voice.words.rows
    unknown = "unknown groups" if answers.options.unlabelled is None else "missing labels"
    heads = {"band": ""} if is_one else {}
    heads |= {"range": f"Range over {unknown}", "holds": "Holds from", "p": "p-value"}
    heads |= {"judgement": "", "robustness": "", "needed": f"{cap(counted)} to settle it"}
    heads |= {"says": "In words"} if is_one else {}
    first = texts(metric="") if is_one else texts(group="")
    columns = first + numbers(value="") + texts(**heads)
    about = f"all {voice.words.rows}" if facet is None else f"by {facet_in_words(facet)}"
    against = ""
    if len(favored) == 1:
        a = voice.name(facet, next(iter(favored)))
        d = voice.name(facet, shown[0].comparison.disfavored) if is_one else "each group"
        against = f", {d} against {a}"
    notes = [
        "Shaded: the accepted band." if any(v.row["band_lower"] is not None for v in shown) else ""
    ]
    notes.append("Dashed: equality.")
    if any(voice.unit(value) == "points" for value in shown):
        notes.append("Differences are in percentage points.")
    notes += [dagger(voice)] if any(map(voice.dagger, shown)) else []
    notes += [ROBUSTNESS] if any(value.row.get("robustness") for value in shown) else []
    if answers.options.unlabelled is not None:
        assumption = Assumption.of(answers.options.unlabelled)
        notes.append(f"Missing labels {assumption.in_words}.")
    if hidden:
        outside = sum(value.tone == "outside" for value in hidden)
        of_them = f", {outside:,} of them outside" if outside else ""
        notes.append(f"{len(hidden):,} values not shown{of_them}.")
    caption, note = f"Values {about}{against}", " ".join(filter(None, notes))
    table = Table(columns, rows, caption, [note], "values", ("value",))
    return table.without_empty("range", "holds", "p", "robustness", "needed")


def _row(voice: Voice, value: Value, scales: Mapping[str, Scale], *, is_one: bool) -> Row:
    row, name = value.row, value.metric
    band, title = voice.band(value), voice.title(name)
    under = (
        ""
        if is_one
        else f"{title} ({name}), " + (f"band {band}" if band else "no band, not judged")
    )
    return {
        **row_of_value(voice, value, scales[name]),
        "under": under,
        "metric": Cell(title, name),
        "band": Cell(band),
        "range": Cell(voice.range(value)),
        "holds": Cell(f"{times:.2f} times" if (times := row.get("holds_from")) else ""),
        "robustness": Cell(robustness_in_words(row)),
        "needed": Cell(voice.needed(value)),
        "says": Cell(f"{cap(voice.reading(value))}."),
    }
