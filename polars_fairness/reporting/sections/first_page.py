"""The first page: what was found, in one look, and always on one sheet of paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf, isclose, log
from typing import Any, Final

import polars as pl

from polars_fairness.answers.contrasts import TOGETHER
from polars_fairness.api.verdicts import DEPENDS, OUTSIDE, TONES, tone_of
from polars_fairness.catalogue.wording import word
from polars_fairness.errors import listed
from polars_fairness.formula.metric import Metric
from polars_fairness.question.audit_arguments import FEW_ROWS
from polars_fairness.question.windows import ESTIMATOR, MODEL
from polars_fairness.reporting.charts.comparisons import (
    trend_figures,
)
from polars_fairness.reporting.findings import (
    Comparison,
    Findings,
    judged_metrics,
    parts_of,
    sides_of,
    window_of,
)
from polars_fairness.reporting.outcome_notes import notes_on_answers
from polars_fairness.reporting.parts import Part, Sentences
from polars_fairness.reporting.sections.contrasts import (
    MOST_MODELS,
    changes_in_words,
    switches_in_words,
)
from polars_fairness.reporting.sections.groups import (
    worst_group_in_words,
    worst_intersection_in_words,
)
from polars_fairness.reporting.sections.score_sections import (
    headline_of_scores,
    tables_of_scores,
)
from polars_fairness.reporting.sections.values import (
    DIFFERENCES,
    MOST_METRICS,
    Value,
    matrix,
    means_in_words,
    p_outside,
    size_of,
    subject,
    values_of,
)
from polars_fairness.reporting.verdicts import (
    apart,
    chance_in_words,
    comparisons_shown,
    disadvantages_d,
    filter_latest,
    group_by_facet,
    is_within,
    judged_by_interval,
    largest_sure,
    latest_in_words,
    latest_window,
    meaning_of,
    p_of_interval,
    requested_without_band,
    tallied,
    with_other_groups,
    worst_first,
)
from polars_fairness.reporting.words import (
    HIGH_TAKEN_AS_GOOD,
    NOT_ADJUSTED,
    SUBGROUP_INSTEAD,
    TAKEN_AS_GOOD,
    about_sides,
    band,
    band_of,
    clusters_in_words,
    code_in_words,
    column_in_words,
    confidence_in_words,
    difference_of,
    facet_in_words,
    interval_of,
    mostly_few,
    number,
    p_value,
    rows_in_words,
    share,
    sides_in_words,
    size,
    span,
    standards_of,
    value_in_words,
    value_of,
    window_in_words,
)
from polars_fairness.values.evaluate import ROWS, SIDES

MOST_NOTES: Final = 2
_OF_HARM: Final = (
    "Verdicts take a positive outcome as good for the person; the worst groups are those that harm "
    "names."
)
_MARKS: Final = (
    f"{TONES['outside'].mark} is outside the band, {TONES['uncertain'].mark} uncertain, "
    f"{TONES['within'].mark} within."
)

_OF_LOOKS: Final = (
    "Metrics of a window are about all rows up to it, sizes and rates of groups about its own rows."
)


def notes_of(findings: Findings, *, names_worst: bool) -> Iterator[str]:
    """The sentences in small print, with the worst group unless the headline names one."""
    is_sequential, latest = findings.options.sequential, latest_window(findings)
    in_all = ""
    if latest is not None:
        judged = findings.audited.filter(pl.col("verdict").is_not_null())
        is_outside = judged["verdict"] == OUTSIDE
        shown = filter_latest(findings, judged)
        outside = len(judged.filter(is_outside)) - len(shown.filter(verdict=OUTSIDE))
        others, words = judged.height - shown.height, ""
        if others:
            words = f" In the others, {outside:,} of {others:,} values were outside their bands."
        yield f"All of this is about {value_in_words(latest)}, the latest window.{words}"
        # Looks count all rows so far.
        windows = () if is_sequential else parts_of(findings.audited, findings.windows_of_rows)
        seen = sum(part["rows_seen"][0] for part in windows)
        in_all = f" In all {len(windows):,} windows: {seen:,}." if windows else ""
    yield from _accepted(findings)
    if "favorable" not in findings.question and (judged_metrics(findings) or findings.rankings):
        taken = HIGH_TAKEN_AS_GOOD if findings.is_about_numbers else TAKEN_AS_GOOD
        yield taken if findings.harm is None else _OF_HARM
    if is_sequential:
        yield _OF_LOOKS
    yield from chance_in_words(findings)
    if findings.overall is not None:
        yield SUBGROUP_INSTEAD
    if not names_worst:
        yield from worst_group_in_words(findings)
    yield f"{used_in_words(findings)}{in_all}"
    yield from (f"{each}." for each in findings.on_values)
    notes = notes_on_answers(findings.rated, findings.audited, findings.question)
    yield from notes[:MOST_NOTES]
    if more := len(notes[MOST_NOTES:]):
        yield f"{more:,} more {'note is' if more == 1 else 'notes are'} in the section of rows."


def _accepted(findings: Findings) -> Iterator[str]:
    """Which rows are accepted or flagged, where the call says it."""
    question, accepted = findings.question, word("accepted", favorable=findings.favorable)
    column, threshold, positive = (
        question.get(key) for key in ("predicted", "threshold", "positive")
    )
    name = column_in_words(question.get("score") if column is None else column)
    values = positive.get(name) if isinstance(positive, Mapping) else positive
    if isinstance(threshold, int | float):
        yield f"A row is {accepted} if {name} is at least {threshold:g}."
    elif values is not None and column is not None and not isinstance(column, Mapping):
        several = values if isinstance(values, list | tuple | set | frozenset) else [values]
        yield f"A row is {accepted} if {name} is {' or '.join(map(value_in_words, several))}."


def used_in_words(findings: Findings) -> str:
    """How many rows were used, are unknown, and were left out, in the windows shown."""
    is_sequential = findings.options.sequential
    if is_sequential:
        # The last windows count the rows of all windows before them.
        columns = {name: findings.audited[name] for name in findings.windows_of_rows}
        dates = [name for name, column in columns.items() if column.dtype.is_temporal()]
        times = dates or [name for name, column in columns.items() if column.dtype.is_numeric()]
        branches = parts_of(findings.audited, [name for name in columns if name not in times])
        shown = pl.concat(
            branch.filter(branch[time] == branch[time].max())
            for branch in branches
            for time in times
        )
    else:
        shown = filter_latest(findings, findings.audited)
    # Every facet counts the same rows, and so does every threshold and model.
    of_metrics = [
        [part.row(0, named=True) for part in parts_of(of_metric, findings.windows_of_rows)]
        for of_metric in parts_of(shown, ["metric"])
    ]
    # The metrics that need most have the fewest rows, and all others have these too.
    counted = sorted(of_metrics, key=lambda rows: sum(row["rows_used"] for row in rows))
    first = counted[0]
    seen, used = (sum(row[name] for row in first) for name in ("rows_seen", "rows_used"))
    most = sum(row["rows_used"] for row in counted[-1])
    unknown = {
        facet: sum(
            part.select(pl.col("n_unknown").min()).item() or 0  # null where it is hidden
            for part in parts_of(shown.filter(facet=facet), findings.windows_of_rows)
        )
        for facet in findings.facets
    }
    everything = used
    if findings.is_weighted:
        windows = (window_of(row, findings.windows) for row in first)
        everything = sum(map(findings.rows_in, windows))
    of_facets = [
        # Rows without a label count for metrics of decisions, and are not in the table of rates.
        f"{rows_in_words(findings, n, facet)} of unknown {facet}"
        + (f" ({share(n / everything)})" if everything else "")
        for facet, n in unknown.items()
        if n
    ]
    is_one = [n for n in unknown.values() if n] == [1]
    are = f" {'is' if is_one else 'are'} in no comparison"
    of_unknown = f"; of these, {' and '.join(of_facets)}{are}" if of_facets else ""
    where = "".join(f"In {each}, " for each in latest_in_words(findings) if not is_sequential)
    # With ``nulls="drop"``, what a row lacks leaves it out of the metrics that need this.
    which = f"{used:,} to {most:,}" if most > used else f"{used:,}"
    as_needed = ", as the metric needs" if most > used else ""
    return f"{where}{which} of {seen:,} rows were used{as_needed}{of_unknown}."


_MOST_FACETS: Final = 3
_MOST_NAMED: Final = 8
_MOST_METRICS: Final = 3
_NO_BANDS: Final = "No metric has a band, so there are no verdicts."

Row = Mapping[str, Any]


def headline(findings: Findings) -> Iterator[str]:
    """Sentences for each facet about its values outside, or two where the lead metric is within."""
    judged = judged_metrics(findings)
    yield from _estimated_in_words(findings)
    yield from _all_windows_in_words(findings)
    yield from means_in_words(findings)
    if not judged:
        yield from headline_of_scores(findings)
        yield from _farthest_in_words(findings)
        yield _NO_BANDS
        return
    of_facets = group_by_facet(comparisons_shown(findings))
    # Without named metrics, those of the table: each kind of metric once.
    shown = judged if findings.requested else judged[: 1 + MOST_METRICS]
    facet_values = {
        facet: _lead_first(values_of(each, shown), shown) for facet, each in of_facets.items()
    }
    # The worst facet first; facets as bad as each other in the order of the question.
    facets = sorted(
        (facet for facet in facet_values if facet_values[facet]),
        key=lambda facet: min(worst_first(each.row)[0] for each in facet_values[facet]),
    )
    when = [f"in {window}" for window in latest_in_words(findings)]
    for facet in facets[:_MOST_FACETS]:
        of_facet = [] if facet is None else [f"by {facet}"]
        sentence = ", ".join([*of_facet, *when, _finding(findings, facet_values[facet])])
        # A name keeps its letters.
        yield sentence[0].upper() + sentence[1:] if of_facet or when else sentence
    if more := facets[_MOST_FACETS:]:
        yield f"More facets: {', '.join(map(facet_in_words, more))}."
    yield from _farthest_in_words(findings)


def _estimated_in_words(findings: Findings) -> Iterator[str]:
    """About how many people are in each group of the facets that are known in probability."""
    for facet in findings.estimated:
        rated = filter_latest(findings, findings.rated).filter(
            pl.col("facet") == facet, pl.col("value").is_not_null()
        )
        one = rated.filter(pl.col(ESTIMATOR) == pl.col(ESTIMATOR).first())
        groups = one.group_by("value").agg(pl.col("n").sum()).sort("n", descending=True)
        (largest, people), *others = groups.head(_MOST_NAMED).rows()
        named = [f"{people:,.0f} people are {largest}"]
        named += [f"{n:,.0f} {group}" for group, n in others]
        named += [f"{len(groups) - _MOST_NAMED:,} of other groups"] * (len(groups) > _MOST_NAMED)
        yield (
            f"{facet[:1].upper()}{facet[1:]} is estimated from probabilities: about "
            f"{listed(named, write=str)}."
        )


def _all_windows_in_words(findings: Findings) -> Iterator[str]:
    """What holds over many windows together, and whether each has the rows to be judged alone."""
    if (overall := findings.overall) is None:
        return
    judged, columns = judged_metrics(overall), ", ".join(findings.windows_of_rows)
    windows = findings.audited[findings.windows_of_rows].n_unique()
    for facet, comparisons in group_by_facet(comparisons_shown(overall)).items():
        values = _lead_first(values_of(comparisons, judged), judged)
        first = min(values, key=partial(_foremost, overall))
        p = first.row["p_value"]
        test = "" if p is None else f" The p-value of equal rates is {p_value(p)}."
        yield (
            f"Over all {windows:,} windows of {columns}, by {facet}, "
            f"{_finding(overall, values)}{test}"
        )
    compared = [each for each in comparisons_shown(findings) if each.disfavored is not None]
    if findings.is_weighted:
        sides = [
            [findings.rates_of_group(each, "disfavored"), findings.rates_of_group(each, "favored")]
            for each in compared
        ]
        sizes = [
            min(rates[ROWS] for rates in of_both if rates) for of_both in sides if any(of_both)
        ]
    else:
        smaller = pl.min_horizontal("n_disfavored", "n_favored").max()
        sizes = [each.table.select(smaller).item() for each in compared]
    least = findings.options.minimum_count or FEW_ROWS
    yield from mostly_few(sizes, least, "people" if findings.is_uncertain else "rows")


def _challengers_in_words(findings: Findings) -> Iterator[str]:
    """What each challenger changes most by the lead metric, and which rows it switches."""
    champion, changes = findings.options.champion, ["worse", "better", "unclear", "same"]
    judged = judged_metrics(findings) or requested_without_band(findings)
    of_models: dict[object, list[Value]] = {}
    for each in values_of(comparisons_shown(findings), judged[:1]):
        model = dict(each.comparison.window)[MODEL]
        if model != champion and None not in (each.row[TOGETHER], each.row["difference"]):
            of_models.setdefault(model, []).append(each)
    for model, values in [*of_models.items()][:MOST_MODELS]:
        value = min(
            values,
            key=lambda each: (changes.index(each.row[TOGETHER]), -abs(each.row["difference"])),
        )
        row = value.row
        others = tuple(each for each in value.comparison.window if each[0] != MODEL)
        of_one = Value(row, replace(value.comparison, window=others))
        apart, interval = difference_of(row)
        if interval and findings.confidence is not None:
            interval = f" ({confidence_in_words(findings.confidence)} interval {interval})"
        of_facet = f"by {value.comparison.facet}, " if value.comparison.facet else ""
        yield (
            f"With {model}, {of_facet}{_read_aloud(findings, of_one)}, and with the champion, "
            f"{champion}, {number(row['reference'], 2, standards_of(row))}: {row[TOGETHER]}, a "
            f"difference of {apart}{interval}."
        )
    yield from switches_in_words(findings)[:MOST_MODELS]


def _farthest_in_words(findings: Findings) -> Iterator[str]:
    """For each requested metric without a band, the value that is farthest from its ideal."""
    requested = [name for name in requested_without_band(findings) if name not in DIFFERENCES]
    # Charts over time take the room of two sentences.
    for name in requested[: 1 if findings.time_column else _MOST_METRICS]:
        values = values_of(comparisons_shown(findings), [name])
        if values:
            metric = findings.metric(name)

            def distance(value: Value, metric: Metric = metric) -> float:
                """How far a value is from its ideal; of a ratio, by its logarithm."""
                x: float | None = value.row["value"]
                if x is None:
                    return -inf
                if metric.is_ratio:
                    return abs(log(x)) if x > 0 else inf
                return abs(x - (metric.ideal or 0.0))

            farthest = max(values, key=distance)
            sentence = _value_sentence(findings, farthest)
            facet = farthest.comparison.facet
            where = "" if facet is None else f" by {facet}"
            is_one = len({value.row["value"] for value in values}) == 1 or metric.ideal is None
            has_interval = farthest.row["lower"] is not None
            chosen = f", with an interval {NOT_ADJUSTED}" if has_interval else ""
            yield sentence if is_one else f"Farthest from its ideal{where}{chosen}: {sentence}"


def finding_of(findings: Findings, comparisons: Sequence[Comparison], judged: Sequence[str]) -> str:
    """What was found for a facet by the lead metric, and any value that is worse."""
    values = _lead_first(values_of(comparisons, judged), judged)
    return _finding(findings, values, begins=True) if values else ""


def _lead_first(values: Iterable[Value], judged: Sequence[str]) -> list[Value]:
    return sorted(values, key=lambda value: judged.index(value.row["metric"]))


def _finding(findings: Findings, judged: Sequence[Value], *, begins: bool = False) -> str:
    lead = judged[0].row["metric"]
    foremost = partial(_foremost, findings)
    of_lead = sorted((each for each in judged if each.row["metric"] == lead), key=foremost)
    first, worst = of_lead[0], min(judged, key=foremost)
    sentences = [_value_sentence(findings, first, begins=begins)]
    if begins and (planned := _planned(findings, first)):
        sentences.append(planned)
    if _tone(first.row) == "outside":
        # The other groups outside the band, the largest first, by sides.
        outside = [each for each in of_lead[1:] if _tone(each.row) == "outside"]
        side = disadvantages_d(first.row)
        alike = [each for each in outside if disadvantages_d(each.row) == side]
        on_other_side = [each for each in outside if each not in alike]
        for opening, values in (
            ("Also outside", alike),
            ("Outside on the other side", on_other_side),
        ):
            named = [
                f"{subject(findings, each)} {value_of(each.row, digits=2)}"
                for each in (_turned(findings, value) for value in values[:_MOST_NAMED])
            ]
            if more := len(values) - len(named):
                named.append(f"and {more:,} more")
            if named:
                sentences.append(f"{opening}: {', '.join(named)}.")
        sentences += _since(findings, first)
    if _tone(worst.row) != _tone(first.row):
        sentences.append(f"But {_value_sentence(findings, worst)}")
    return " ".join(sentences)


def _planned(findings: Findings, value: Value) -> str:
    """What these rows would show, and how many settle an uncertain value; empty if not known."""
    row = value.row
    if _tone(row) != "uncertain" or findings.planned.is_empty():
        return ""
    is_same = [pl.col(name).eq_missing(pl.lit(row[name])) for name in (*SIDES, "metric")]
    [planned] = findings.planned.filter(*is_same).rows(named=True)
    distance, needed = planned["detectable"], planned["rows_needed"]
    shown = ""
    if distance is not None:
        kind = "ratio" if findings.metric(row["metric"]).is_ratio else "value"
        side, sign = ("below", -1) if row["value"] < row["ideal"] else ("above", 1)
        edge = number(row["ideal"] + sign * distance)
        shown = f"These rows would show a {kind} {side} {edge}"
    if needed is None:
        return shown and f"{shown}."
    enough = f"a weight of {size(needed)}" if findings.is_weighted else f"{size(needed)} rows"
    return f"{shown}; {enough} would settle it." if shown else f"To settle it takes {enough}."


def _foremost(findings: Findings, value: Value) -> tuple[float, ...]:
    """The key by which the largest group comes first that fares worse, then any that is outside.

    Of many windows, that with the most evidence comes first: a small one is far outside by chance.
    """
    place, farness = worst_first(value.row)
    is_outside = _tone(value.row) == "outside"
    is_against_a = is_outside and not disadvantages_d(value.row)
    if findings.overall is not None:
        return place, is_against_a, p_outside(findings, value.row), farness
    return place, is_against_a, -(size_of(value) or 0) if is_outside else 0, farness


def _since(findings: Findings, value: Value) -> Iterator[str]:
    """Since which window a value of the latest one is outside its band.

    Another group may be side a in another window, or none: then nothing is known of it there.
    """
    column = findings.time_column
    if column is None:
        return
    of_value = apart(findings, value.comparison.window)
    verdicts: dict[Any, tuple[str | None, bool]] = {}
    for each in with_other_groups(findings, findings.comparisons()):
        time = dict(each.window)[column]
        if apart(findings, each.window) != of_value or time is None:
            continue
        verdicts.setdefault(time, (None, False))
        if sides_of(each) == sides_of(value.comparison):
            for row in each.table.filter(metric=value.row["metric"]).iter_rows(named=True):
                verdicts[time] = row["verdict"], disadvantages_d(row)
    known, judgement = sorted(verdicts), (value.row["verdict"], disadvantages_d(value.row))
    before = [time for time in known if verdicts[time] != judgement]
    in_a_row = [time for time in known if not before or time > before[-1]]
    if len(known) < 2:
        return
    if not before:
        yield f"This is so in each of the {len(known):,} windows."
    elif len(in_a_row) > 1:
        since = window_in_words(((column, in_a_row[0]),))
        yield f"This is so in each window since {since}, {len(in_a_row):,} in a row."
    else:
        is_known = tone_of(verdicts[before[-1]][0]).name in ("within", "outside")
        words = "not so in" if is_known else "not known of"
        yield f"This is {words} the window before, {window_in_words(((column, before[-1]),))}."


def _tone(row: Row) -> str:
    return tone_of(row["verdict"]).name


def _value_sentence(findings: Findings, value: Value, *, begins: bool = False) -> str:
    """A value read aloud, with its band and how sure the verdict is."""
    shown = _turned(findings, value)
    return (
        f"{_read_aloud(findings, shown, begins=begins)}: {_judged(findings, value.row, shown.row)}."
    )


def _turned(findings: Findings, value: Value) -> Value:
    """The value with its sides exchanged, where it speaks against side a and no side was named.

    A ratio is then one over it, and so are the ends of its interval; a band that is not the same
    for both sides is that of the sides as they are.
    """
    row, comparison = value.row, value.comparison
    metric, ratio, limits = findings.metric(row["metric"]), row["value"], band_of(row)
    is_named = any(
        comparison.facet in given if isinstance(given, Mapping) else given is not None
        for given in (findings.question.get("disfavored"), findings.question.get("favored"))
    )
    is_of_two = comparison.favored in findings.groups_of(comparison.facet)
    # Whether a metric of the user has one over it for exchanged sides is not known.
    is_mirrored = metric.is_ratio and metric.reading and row["metric"] not in findings.named
    if is_named or not is_of_two or not is_mirrored or not ratio or limits is None:
        return value
    is_against_a = (findings.signs[row["metric"]] or 0) * (ratio - 1) < 0
    if not is_against_a or not isclose(limits[0] * limits[1], 1):
        return value
    ends = {
        "value": 1 / ratio,
        **{
            end: None if row.get(other) is None else 1 / row[other] if row[other] else inf
            for pair in (("lower", "upper"), ("lowest", "highest"))
            for end, other in (pair, pair[::-1])
        },
        "n_disfavored": row["n_favored"],
    }
    d, a = comparison.disfavored, comparison.favored
    return Value({**row, **ends}, replace(comparison, disfavored=a, favored=d))


def _read_aloud(findings: Findings, of: Value, *, begins: bool = False) -> str:
    row, comparison = of.row, of.comparison
    metric, value = findings.metric(row["metric"]), row["value"]
    if metric.reading and value is not None:
        named = replace(comparison, disfavored=subject(findings, of))
        # A sentence may begin with the name of a group, which keeps its letters.
        first, rest = metric.reading[0], metric.reading[1:]
        reading = f"{first.upper() if begins else first}{rest}"
        return about_sides(reading, named, value_of(row, digits=2))
    # The latest window is named once, at the beginning.
    window = window_in_words(apart(findings, comparison.window))
    where = window and f" ({window})"
    of_value = f"{code_in_words(metric)} of {sides_in_words(comparison)} is {value_of(row)}{where}"
    meaning = meaning_of(metric, row)
    # Of a value that may be the ideal, which side it speaks against is not known.
    if not meaning or comparison.disfavored is None or _tone(row) != "outside":
        return of_value
    code = metric.name if metric.title.lower() == metric.name else f"{metric.title}, {metric.name}"
    return f"{about_sides(meaning, comparison)} ({code} {value_of(row)}){where}"


def _jointly(findings: Findings, row: Row) -> str:
    """Whether a value is outside by the intervals that hold for all values of the page."""
    if (among := judged_by_interval(findings).height) < 2:
        return ""
    is_sure = p_of_interval(findings, row) <= largest_sure(findings)
    widened = f"if all {among:,} intervals are widened to hold together"
    return f", also {widened}" if is_sure else f", but not {widened}"


def _judged(findings: Findings, row: Row, shown: Row) -> str:
    """The verdict on a row of the audit in words, with the interval of the row as it is shown."""
    limits, tone = band(band_of(row)), _tone(row)
    if row["value"] is not None and band_of(row) is None and findings.confidence is not None:
        interval = interval_of(row)
        confidence = confidence_in_words(findings.confidence)
        return f"{confidence} interval {interval}, without a band" if interval else "without a band"
    if row["value"] is None or tone == "open":
        is_alone = row["disfavored"] is not None and not row["n_favored"]
        why = ", as there are no rows to compare it with" if is_alone else ""
        return f"not computed{why}"
    if row["verdict"] == DEPENDS:
        unknown = f"{size(row['n_unknown'])} rows of unknown {row['facet']}"
        ends = span(shown["lowest"], shown["highest"], digits=2, beside=band_of(row) or ())
        whether = f"whether this is within the band of {limits} depends on the {unknown}"
        return f"{whether}, with which it is anywhere from {ends}"
    has_interval = findings.rule(row["metric"]) == "interval" and row["lower"] is not None
    if findings.rule(row["metric"]) == "significant":
        certainty = f"; its p-value is {p_value(row.get('p_value'))}"
    elif has_interval and findings.confidence is not None:
        confidence = confidence_in_words(findings.confidence)
        certainty = f" ({confidence} interval {interval_of(shown)})"
    else:
        certainty = ", judged by the value alone"
    if tone == "outside":
        sure = _jointly(findings, row) if has_interval else ""
        return f"outside the band of {limits}{sure}{certainty}"
    if tone == "uncertain":
        return f"uncertain by the band of {limits}{certainty}"
    is_in_band = is_within(row["value"], band_of(row))
    within = "within" if is_in_band else "within, since not significantly outside"
    return f"{within} the band of {limits}{certainty}"


_MOST_GROUPS: Final = 20
_MOST_GROUPS_AND_TRENDS: Final = 6
_NOTHING: Final = "There is nothing to compare: no rows, or no group with a known facet."


def first_page(findings: Findings) -> Iterator[Part]:
    """The sentences that answer, the matrix of groups and metrics, and the rows behind them."""
    comparisons = comparisons_shown(findings)
    if not comparisons:
        yield Sentences("headline", (_NOTHING,))
        return
    worst = tuple(worst_intersection_in_words(findings))
    beside = _challengers_in_words(findings) if findings.options.champion is not None else ()
    answers = (*beside, *changes_in_words(findings), *headline(findings), *worst)
    yield Sentences("headline", answers)
    yield from tallied(comparisons)
    trends = trend_figures(findings)
    most = _MOST_GROUPS_AND_TRENDS if trends or findings.overall else _MOST_GROUPS
    tables, metrics = matrix(findings, comparisons, most), findings.metrics()
    yield from tables
    # What the codes above the columns stand for.
    titles = [
        f"{each.label}: {metrics[each.label].title}"
        for table in tables
        for each in table.columns
        if each.label in metrics and metrics[each.label].title.lower() != each.label
    ]
    if titles:
        yield Sentences("codes", (f"{'; '.join(titles)}.",))
    yield from tables_of_scores(findings)
    if judged := judged_metrics(findings):
        lead, lines = judged[0], ""
        if findings.confidence is not None:
            confidence = confidence_in_words(findings.confidence)
            lines = f"; the lines are {confidence} intervals{clusters_in_words(findings)}"
        counted = f"Outside counts all {len(judged)} metrics that have a band."
        legend = (
            f"The strip behind the values of {lead} is its band, {band(findings.band(lead))}"
            f"{lines}. {_MARKS} {counted if len(judged) > 1 else ''}"
        )
        yield Sentences("legend", (legend.strip(),))
    if trends:
        yield tuple(trends)
    yield Sentences("notes", tuple(notes_of(findings, names_worst=bool(worst))))
