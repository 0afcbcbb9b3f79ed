"""What a report shows of a contrast: each metric and its reference, and the switched rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from math import erfc, sqrt
from typing import Any, Final

import polars as pl

from polars_fairness.answers.contrasts import (
    IS_OF_GONE_WINDOW,
    IS_OF_GROUP_ALONE,
    TOGETHER,
    is_gone,
    is_new,
)
from polars_fairness.api.verdicts import tone_of_change
from polars_fairness.catalogue.wording import word
from polars_fairness.counting.sides import ALL
from polars_fairness.inference.closed_forms import wilson_of
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.answers import comparisons_of, parts_of, window_of
from polars_fairness.reporting.parts import (
    Cell,
    Dot,
    Paragraph,
    Row,
    Section,
    Sentence,
    Table,
    numbers,
    said,
    texts,
)
from polars_fairness.reporting.scales import Scale, Values
from polars_fairness.reporting.tables import is_of_all_rows
from polars_fairness.reporting.verdicts import filter_latest, with_other_groups
from polars_fairness.reporting.voice import Value, Voice, key_of
from polars_fairness.reporting.words import (
    PERCENT,
    Unit,
    bracketed,
    cap,
    confidence_in_words,
    contrast_in_words,
    few,
    low,
    measured,
    measured_span,
    share,
    share_span,
    sides_in_words,
    size,
    standards_of,
    unit_in_words,
    unit_of,
    value_in_words,
    where_in_words,
    window_in_words,
)
from polars_fairness.values.lines import BOUNDS_OF_DIFFERENCE

_MOST_NAMED: Final = 4
_MOST_ROWS: Final = 40
_MOST_MODELS: Final = 3
_BY_HARM: Final = ("worse", "unclear", "better", "same")
"""The changes in order of importance for a reader."""
_ABSENT: Final = {
    "Without rows, where {} has some": is_gone,
    "New, where {} has no rows": is_new,
}
_NO_REFERENCES: Final = "Nothing can be compared: no value has a reference."
_OF_CHANGES: Final = (
    "A metric is worse if its interval shows that the value is farther from the ideal than the "
    "reference is, and better if it shows that the value is nearer. Otherwise it is the same if "
    "both are within the band, and unclear if not. Worse and better hold for all changes on the "
    "page together, by Holm's method."
)
_OF_DRIFT: Final = (
    "A metric is worse if its whole interval lies outside the band, and its value is farther from "
    "the ideal than the reference is, by the rule of SageMaker Model Monitor; otherwise it is the "
    "same."
)
_OF_PAIRS: Final = (
    "All models decide about the same rows, so differences and their intervals depend only on the "
    "rows that they decide differently."
)


def _changed(voice: Voice) -> list[Value]:
    """The values that have a reference, the worst first; none of the champion's."""
    answers = voice.answers
    rows = answers.audited.filter(pl.col(TOGETHER).is_not_null())
    values = [
        Value(row, comparison, f"change/{key_of(row['metric'], comparison)}")
        for comparison in with_other_groups(answers, comparisons_of(rows, answers.windows))
        for row in comparison.table.iter_rows(named=True)
    ]
    metrics = [*dict.fromkeys(value.metric for value in values)]
    values.sort(
        key=lambda value: (
            _BY_HARM.index(value.row[TOGETHER]),
            metrics.index(value.metric),
            -abs(value.row["difference"] or 0.0),
        )
    )
    return values


def changes(voice: Voice) -> Iterator[Sentence]:
    """How many values are worse than their references, and how the metric that leads changed."""
    answers = voice.answers
    if answers.options.contrast is None:
        return
    changed = _changed(voice)
    if not changed:
        yield Sentence(_NO_REFERENCES)
        return
    counts = Counter(value.row[TOGETHER] for value in changed)
    worse = [value for value in changed if value.row[TOGETHER] == "worse"]
    named = [f"{low(voice.title(v.metric))} of {_who(voice, v)}" for v in worse]
    n = len(worse)
    parts = [f"{n or 'none':} {'are' if n > 1 else 'is'} worse{f' ({few(named)})' if n else ''}"]
    parts += [
        f"{counts[change]:,} {'is' if counts[change] == 1 else 'are'} {words}"
        for change, words in (("better", "better"), ("same", "the same"), ("unclear", "unclear"))
        if counts[change]
    ]
    values = f"{len(changed):,} value{'s' * (len(changed) > 1)}"
    values += " of all windows" if answers.time_column is not None else ""
    text = f"Compared with {contrast_in_words(answers)}: of {values}, {few(parts)}."
    yield Sentence(text, tuple(value.key for value in worse), counts=True)
    alone = sum(value.row["change"] != value.row[TOGETHER] for value in changed)
    if alone:
        yield Sentence(
            f"Judged one by one, {alone:,} more would be worse or better, possibly by chance.",
            counts=True,
        )
    shown = changed[:_MOST_ROWS]
    lead = [value for value in shown if value.metric == voice.lead_metric] or shown
    seen: dict[object, None] = {}
    for value in lead:
        model = value.row.get(MODEL)
        if model not in seen and len(seen) < _MOST_MODELS and value.row["difference"] is not None:
            seen[model] = None
            yield _change_in_words(voice, value)


def _who(voice: Voice, value: Value) -> str:
    return " ".join(filter(None, [voice.side(value), where_in_words(value.comparison.window)]))


def _change_in_words(voice: Voice, value: Value) -> Sentence:
    """A value and its reference: "With new, the impact ratio of … is …, and with old …"."""
    row, unit = value.row, voice.unit(value)
    champion = voice.answers.options.champion
    now = f"With model {value_in_words(row[MODEL])}" if champion is not None else "Now"
    if champion is None and (column := voice.answers.time_column) is not None:
        now = cap(where_in_words(((column, dict(value.comparison.window)[column]),)))
    other = f"in {contrast_in_words(voice.answers)},"
    if champion is not None:
        other = f"with the champion, {value_in_words(champion)},"
    title = low(voice.title(value.metric))
    v = measured(row["value"], unit, standards_of(row)) + unit_in_words(unit)
    reference = measured(row["reference"], unit, standards_of(row)) + unit_in_words(unit)
    apart_by, interval = _difference(row, unit)
    text = (
        f"{now}, the {title} of {voice.side(value)} is {v}, and {other} {reference}: a difference "
        f"of {apart_by}{unit_in_words(unit)}{bracketed(interval)}, {row[TOGETHER]}."
    )
    return Sentence(text, (value.key,))


def _difference(row: Mapping[str, Any], unit: Unit) -> tuple[str, str]:
    lower, upper = (row[name] for name in BOUNDS_OF_DIFFERENCE)
    return measured(row["difference"], unit, (0,)), measured_span(lower, upper, unit, (0,))


def contrast_section(voice: Voice) -> Section:
    """Each value and its reference, the worst first, and what has no counterpart."""
    answers = voice.answers
    if answers.options.contrast is None:
        return Section("")
    reference = contrast_in_words(answers)
    opening = []
    # Groups and windows without a counterpart, so that nothing is known of a change.
    for words, is_absent in _ABSENT.items():
        absent = answers.answer.filter(is_absent(answers.answer.columns))
        subjects = [*_subjects(absent, answers.windows)]
        more = f"; and {len(subjects) - _MOST_NAMED:,} more" if len(subjects) > _MOST_NAMED else ""
        if subjects:
            named = "; ".join(subjects[:_MOST_NAMED])
            opening.append(f"{words.format(reference)}: {named}{more}.")
    changed = _changed(voice)
    paragraphs = (Paragraph(tuple(changes(voice))), *said(*opening))
    tables = (_differences_table(voice, changed, reference),) if changed else ()
    return Section(f"Compared with {reference}", paragraphs, tables)


def _subjects(absent: pl.DataFrame, windows: list[str]) -> Iterator[str]:
    """Whole windows first, then comparisons and groups with the windows that lack them."""
    whole: dict[str, None] = {}
    lacking: dict[str, list[str]] = {}
    for each in comparisons_of(absent, windows):
        window = window_in_words(each.window)
        if window and each.table.select(IS_OF_GONE_WINDOW.all()).item():
            whole[window] = None
            continue
        is_alone = each.table.select(IS_OF_GROUP_ALONE.all()).item()
        sides = value_in_words(each.disfavored) if is_alone else sides_in_words(each)
        subject = f"{value_in_words(each.facet)}: {sides}" if each.facet else sides
        lacking.setdefault(subject, []).append(window)
    yield from whole
    for subject, of_windows in lacking.items():
        where = of_windows[0] if len(of_windows) == 1 else f"{len(of_windows):,} windows"
        yield f"{subject} ({where})" if where else subject


def _differences_table(voice: Voice, changed: list[Value], reference: str) -> Table:
    answers, shown = voice.answers, changed[:_MOST_ROWS]
    metrics = [*dict.fromkeys(value.metric for value in shown)]
    scales = {name: _scale(voice, [v for v in shown if v.metric == name]) for name in metrics}
    rows: list[Row] = []
    for name in metrics:
        unit = unit_of(answers.metric(name))
        under = f"{voice.title(name)} ({name})" + (", in points" if unit == "points" else "")
        for value in (value for value in shown if value.metric == name):
            row, comparison = value.row, value.comparison
            together, alone = row[TOGETHER], row["change"]
            tone = tone_of_change(together).name
            apart_by, interval = _difference(row, unit)
            lower, upper = (row[end] for end in BOUNDS_OF_DIFFERENCE)
            by = "" if value.facet is None else f"by {value_in_words(value.facet)}"
            details = [by, window_in_words(comparison.window)]
            rows.append(
                {
                    "under": under,
                    "group": Cell(voice.subject(value), ", ".join(filter(None, details))),
                    "reference": Cell(measured(row["reference"], unit, standards_of(row))),
                    "value": Cell(measured(row["value"], unit, standards_of(row))),
                    "difference": Cell(apart_by, interval),
                    "change": Cell(
                        together.capitalize(),
                        "" if alone == together else f"{alone} by itself",
                        tone,
                    ),
                    "key": value.key,
                    "dots": {
                        "difference": Dot(scales[name], row["difference"], lower, upper, tone)
                    },
                }
            )
    columns = texts(group="") + numbers(reference="", value="", difference="") + texts(change="")
    of_changes = _OF_CHANGES if answers.options.drift is None else _OF_DRIFT
    notes = [f"A difference is the value minus its reference. {of_changes}"]
    notes += [_OF_PAIRS] if answers.options.champion is not None else []
    if answers.confidence is not None:
        confidence = confidence_in_words(answers.confidence)
        notes.append(f"Lines: {confidence} intervals of the differences; dashed: no difference.")
    alone = answers.audited.filter(pl.col("change").is_null()).height
    if alone:
        notes.append(f"Not shown, without a reference or a value: {alone:,}.")
    if more := len(changed) - len(shown):
        notes.append(f"{more:,} more are not shown.")
    caption = f"Differences from {reference}, the worst first"
    return Table(columns, rows, caption, [" ".join(notes)], "values", ("difference",))


def _scale(voice: Voice, values: list[Value]) -> Scale:
    numbers = [
        value.row[name] for value in values for name in ("difference", *BOUNDS_OF_DIFFERENCE)
    ]
    factor = 100 if voice.unit(values[0]) == "points" else 1
    return Scale(Values.covering([0.0, *numbers]), None, 0.0, factor)


# Switched rows


def _switches(row: Mapping[str, Any]) -> float:
    return float(row["newly_accepted"] + row["newly_rejected"])


def _by_model(voice: Voice) -> list[pl.DataFrame]:
    switched = voice.answers.switched
    if switched.is_empty():
        return []
    return parts_of(filter_latest(voice.answers, switched), voice.answers.windows)


def _key(row: Mapping[str, Any], windows: list[str]) -> str:
    return f"switched/{row['facet']}/{row['value']}/{window_in_words(window_of(row, windows))}"


def _newly(voice: Voice) -> dict[str, str]:
    favorable = voice.answers.favorable
    return {name: f"newly {word(name, favorable=favorable)}" for name in ("accepted", "rejected")}


def switches_in_words(voice: Voice) -> Iterator[Sentence]:
    """How many rows each model of a window decides differently from the champion."""
    answers = voice.answers
    champion = value_in_words(answers.options.champion)
    words = _newly(voice)
    parts = _by_model(voice)[:_MOST_MODELS]
    tested = sum(part.height - 1 for part in parts)
    for part in parts:
        rows = part.rows(named=True)
        everything = next(row for row in rows if is_of_all_rows(row))
        model = value_in_words(everything[MODEL])
        places = [name for name in answers.windows if name != MODEL]
        where = bracketed(window_in_words(window_of(everything, places)))
        keys = [_key(everything, answers.windows)]
        if not _switches(everything):
            text = f"Model {model} decides all {voice.words.rows} like {champion}{where}."
            yield Sentence(text, tuple(keys))
            continue
        accepted, rejected = everything["newly_accepted"], everything["newly_rejected"]
        often, most = "", _most_often(voice, rows, everything, tested)
        if most is not None:
            row, interval = most
            keys.append(_key(row, answers.windows))
            group = voice.called(row["facet"], row["value"])
            rate = share(_switches(row) / row["n"])
            often = f", most often for {group} ({rate}, {interval})"
        rate = share(_switches(everything) / everything["n"])
        yield Sentence(
            f"Model {model} decides {size(accepted + rejected)} of {size(everything['n'])} "
            f"{voice.words.rows} ({rate}) differently from {champion}{where}{often}: "
            f"{size(accepted)} {words['accepted']}, {size(rejected)} {words['rejected']}.",
            tuple(keys),
        )


def _most_often(
    voice: Voice, rows: list[dict[str, Any]], everything: Mapping[str, Any], tested: int
) -> tuple[dict[str, Any], str] | None:
    """The group whose share differs most surely from that of all others, and is higher.

    None unless it does at the level of the page: by Bonferroni's correction over all groups. The
    highest of the shares, without a test, was that of a group of 2 % on 12 of 30 pages on which
    switches did not depend on it.
    """
    confidence = voice.answers.confidence
    if confidence is None or voice.answers.is_weighted:
        return None
    surest: tuple[float, dict[str, Any]] | None = None
    total, n = _switches(everything), everything["n"]
    for row in rows:
        if is_of_all_rows(row) or row["value"] is None or not 0 < row["n"] < n:
            continue
        own, others = _switches(row) / row["n"], (total - _switches(row)) / (n - row["n"])
        pooled = total / n
        variance = pooled * (1 - pooled) * (1 / row["n"] + 1 / (n - row["n"]))
        z = (own - others) / sqrt(variance) if variance else 0.0
        p = erfc(abs(z) / sqrt(2))
        if z > 0 and p * tested <= 1 - confidence and (surest is None or p < surest[0]):
            surest = p, row
    if surest is None:
        return None
    _, row = surest
    level = 1 - (1 - confidence) / tested
    own = _switches(row) / row["n"]
    return row, share_span(*_wilson(own, row["n"], level))


def _wilson(rate: float, n: float, level: float) -> tuple[float, float]:
    low_end, high_end = wilson_of(pl.lit(rate), pl.lit(n), level)
    return pl.select(lower=low_end, upper=high_end).row(0)


def switched_section(voice: Voice) -> Section:
    """How many rows of each group each model decides differently from the champion."""
    sentences = [*switches_in_words(voice)]
    if not sentences:
        return Section("")
    answers = voice.answers
    parts = _by_model(voice)
    confidence = answers.confidence
    tested = sum(part.height - 1 for part in parts[:_MOST_MODELS])
    rows: list[Row] = []
    for part in parts[:_MOST_MODELS]:
        under = window_in_words(window_of(part.row(0, named=True), answers.windows))
        shares = [_switches(row) / row["n"] for row in part.rows(named=True) if row["n"]]
        scale = Scale(Values.of_shares(shares), factor=100, sign=PERCENT)
        for row in part.rows(named=True)[:_MOST_ROWS]:
            is_all = is_of_all_rows(row)
            rate = _switches(row) / row["n"] if row["n"] else None
            bounds: tuple[float | None, float | None] = (None, None)
            if rate is not None and confidence is not None and not (answers.is_weighted or is_all):
                bounds = _wilson(rate, row["n"], 1 - (1 - confidence) / tested)
            name = "Unknown"
            if is_all or row["value"] is not None:
                name = voice.head(row["facet"], ALL if is_all else row["value"])
            rows.append(
                {
                    "under": under,
                    "group": Cell(name, "" if is_all else f"by {value_in_words(row['facet'])}"),
                    "n": Cell(size(row["n"])),
                    "accepted": Cell(size(row["newly_accepted"])),
                    "rejected": Cell(size(row["newly_rejected"])),
                    "all": Cell(size(row["newly_accepted"] + row["newly_rejected"])),
                    "share": Cell("–" if rate is None else share(rate), share_span(*bounds)),
                    "key": _key(row, answers.windows),
                    "is_reference": is_all,
                    "dots": {"share": Dot(scale, rate, *bounds)},
                }
            )
    heads = {"n": voice.sizes, **{name: cap(each) for name, each in _newly(voice).items()}}
    columns = texts(group="") + numbers(**heads, all="Otherwise", share="")
    notes = []
    if confidence is not None and not answers.is_weighted:
        notes.append("Below each share: its Wilson interval; they hold together for all groups.")
    if more := len(parts) - _MOST_MODELS:
        notes += [f"{more:,} more models or windows are not shown."] if more > 0 else []
    caption = f"Rows decided differently from {value_in_words(answers.options.champion)}"
    table = Table(columns, rows, caption, [" ".join(notes)], "values", ("share",))
    return Section("Switched rows", (Paragraph(tuple(sentences)),), (table,))
