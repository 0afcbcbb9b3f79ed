"""Page one: what was found, in sentences, the metric that leads, and all judged values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import polars as pl

from polars_fairness.api.verdicts import DEPENDS, tone_of
from polars_fairness.formula.sides import RATES
from polars_fairness.question.audit_arguments import FEW_ROWS
from polars_fairness.question.judging import Rule
from polars_fairness.question.windows import ESTIMATOR
from polars_fairness.reporting.outcome_notes import notes_on_answers
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
from polars_fairness.reporting.scales import Scale, scale_of
from polars_fairness.reporting.sections.contrasts import changes, switches_in_words
from polars_fairness.reporting.sections.groups import groups_in_words
from polars_fairness.reporting.sections.rows import used_in_words
from polars_fairness.reporting.sections.scores import scores_in_words
from polars_fairness.reporting.sections.time import since_in_words
from polars_fairness.reporting.verdicts import (
    OF_ALL_PAIRS,
    disadvantages_d,
    filter_latest,
    is_chosen,
    statistics_in_words,
)
from polars_fairness.reporting.voice import MEANS, ORDER, Value, Voice, read_as
from polars_fairness.reporting.words import (
    SUBGROUP_INSTEAD,
    band_of,
    bracketed,
    cap,
    clusters_in_words,
    column_in_words,
    facet_in_words,
    few,
    low,
    mostly_few,
    p_value,
    share,
    size,
    spelled,
    unit_of,
    value_in_words,
)

_MOST_FACETS: Final = 3
_MOST_ROWS: Final = 20
"""How many groups of a facet the exhibit has."""
_MOST_ITEMS: Final = 5
"""How many values a cell of the board names."""
_MOST_NAMED: Final = 4
_NOTHING: Final = "There is nothing to compare: no rows, or no group with a known facet."
_JUDGED: Final = ("outside", "uncertain", "within")
STRATIFIED: Final = ("mh_ratio", "mh_difference")


def page_one(voice: Voice) -> Section:
    """The lead, a point for each facet, the tables behind both, and how to read them."""
    if not voice.comparisons:
        return Section("", (Paragraph((Sentence(_NOTHING),)),))
    points = [*_points(voice)]
    first, *others = points
    lead, *rest = first.sentences
    paragraphs = [Paragraph((lead,))]
    paragraphs += [Paragraph(tuple(rest), first.label)] if rest else []
    front = front_of(voice)
    tables = [exhibit(front)] if front.lead_metric is not None else []
    tables += [board(voice)] if voice.judged else []
    return Section("", (*paragraphs, *others), tuple(tables), notes=tuple(_how(voice)))


def front_of(voice: Voice) -> Voice:
    """The values that lead: of many windows, what holds over all of them."""
    if voice.answers.overall is None:
        return voice
    return Voice(voice.answers, voice.words, is_overall=True)


def _points(voice: Voice) -> Iterator[Paragraph]:
    front = front_of(voice)
    is_outside = any(value.tone == "outside" for value in (*front.judged, *voice.judged))
    if not voice.judged:
        yield Paragraph((Sentence(_none_judged(voice)),))
    elif not is_outside:
        lead, *others = _nothing_outside(voice)
        yield Paragraph((lead, *others), "All values")
    if is_outside or not voice.judged:
        yield from _facets(front, is_judged=bool(voice.judged))
    yield from _means(voice)
    yield from _estimated(voice)
    contrast = "Changes" if voice.answers.options.champion is None else "Models"
    for label, sentences in (
        *groups_in_words(voice),
        ("Over time", since_in_words(voice)),
        (contrast, [*changes(voice), *switches_in_words(voice)]),
        ("Scores", scores_in_words(voice)),
        ("All values", _tally(voice) if is_outside else ()),
        ("All windows", _few_rows(voice) if front.is_overall else ()),
        (cap(voice.words.rows), used_in_words(voice)),
    ):
        if shown := tuple(sentences):
            yield Paragraph(shown, label)


def _none_judged(voice: Voice) -> str:
    of_bands = [value for value in voice.values if value.row["band_lower"] is not None]
    if not of_bands:
        return "No metric has a band, so no value is judged."
    if any(value.is_known for value in of_bands):
        return "No value of a metric with a band can be judged."
    return "No value of a metric with a band can be computed, so none is judged."


def _facets(voice: Voice, *, is_judged: bool) -> Iterator[Paragraph]:
    facets = [facet for facet in voice.facets if voice.of(facet)]
    for place, facet in enumerate(facets[:_MOST_FACETS]):
        label = f"By {facet_in_words(facet)}" if facet is not None else "All rows"
        label += f", over all {voice.strata}" if voice.is_overall else ""
        yield Paragraph(tuple(_finding(voice, facet, again=place > 0 or not is_judged)), label)
    if more := facets[_MOST_FACETS:]:
        names = few(map(facet_in_words, more), len(more))
        yield Paragraph((Sentence(f"The sections below are also about {names}."),), "More facets")


def _finding(voice: Voice, facet: str | None, *, again: bool) -> Iterator[Sentence]:
    """Who is treated how, how that is judged, and what else differs in the same facet."""
    values = voice.leading(facet)
    if not any(value.is_judged for value in values):
        shown = [value for value in voice.shown if value.facet == facet]
        values = sorted(shown or voice.of(facet), key=lambda value: -voice.distance(value))
    first, *others = values
    reading, value = voice.reading(first), voice.said(first)
    interval = "" if first.is_judged else voice.interval(first)
    is_last = reading.endswith(f" {value}")
    yield voice.say(f"{reading}{bracketed(interval) if is_last else ''}.", [first])
    if interval and not is_last:
        its = f"The {low(voice.title(first.metric))} is {value}; its {voice.confidence} interval is"
        yield voice.say(f"{its} {interval}.", [first])
    if judged := voice.judged_in_words(first, again=again):
        yield voice.say(judged, [first])
    if voice.is_overall and first.row.get("p_value") is not None:
        # The exhibit has it.
        yield voice.say(f"The p-value of equal rates is {p_value(first.row['p_value'])}.", [first])
    if first.is_judged:
        yield from _elsewhere(voice, first, others)
    if first.tone == "outside":
        yield from _others_outside(voice, first, others)
        yield from _within_strata(voice, first)
    yield from _worse(voice, facet, first)
    yield from _at_equal_controls(voice, first)


_ALSO: Final = {"outside": "outside the band", "within": "within the band"}


def _elsewhere(voice: Voice, first: Value, others: Sequence[Value]) -> Iterator[Sentence]:
    """The same comparison with other models, or in other windows."""
    group = first.comparison.disfavored
    same = [each for each in others if each.comparison.disfavored == group and each.is_judged]
    if len(same) > _MOST_NAMED:
        n = sum(value.tone == "outside" for value in (first, *same))
        text = f"{cap(voice.side(first))}: outside the band in {n:,} of {len(same) + 1:,} windows."
        yield Sentence(text, board_keys(voice), counts=True)
        return
    found = []
    for value in same:
        also = "also " if value.tone == first.tone else ""
        is_beyond = value.tone == "within" and not value.is_in_band
        where = "not significant" if is_beyond else f"{also}{_ALSO.get(value.tone, 'uncertain')}"
        shown = f"{voice.said(value)}{voice.beside(value)}"
        found.append(f"{voice.where(value)}, it is {shown}, {where}")
    if found:
        yield voice.say(f"{'; '.join(found)}.", same)


def _others_outside(voice: Voice, first: Value, others: Sequence[Value]) -> Iterator[Sentence]:
    """The other groups outside, on the side of the first and on the other side of the band."""
    worst = {each.comparison.disfavored: each for each in (*reversed(others), first)}
    outside = [each for each in others if each.tone == "outside" and each in worst.values()]
    side = disadvantages_d(first.row)
    same = [value for value in outside if disadvantages_d(value.row) == side]
    if same:
        groups = "groups are" if len(same) > 1 else "group is"
        text = f"{spelled(len(same))} more {groups} outside in the same way: {_named(voice, same)}."
        yield voice.say(text, same[: _MOST_NAMED + 1])
    if other := [value for value in outside if value not in same]:
        are = "are" if len(other) > 1 else "is"
        text = f"On the other side of the band {are} {_named(voice, other)}."
        yield voice.say(text, other[: _MOST_NAMED + 1])


def _named(voice: Voice, values: Sequence[Value]) -> str:
    return few(f"{voice.who(value)} ({voice.with_interval(value)})" for value in values)


def _within_strata(voice: Voice, first: Value) -> Iterator[Sentence]:
    """The same comparison within strata, where the group that leads has one."""
    for value in voice.of(first.facet):
        is_same = value.comparison.disfavored == first.comparison.disfavored
        if value.metric not in STRATIFIED or value.metric == first.metric or not is_same:
            continue
        if value.comparison.window != first.comparison.window or not value.is_judged:
            continue
        where = {
            "outside": ", also outside the band",
            "uncertain": "; the interval crosses the edge of the band",
            "within": ", within the band",
        }[value.tone]
        yield voice.say(f"{voice.reading(value)}{voice.beside(value)}{where}.", [value])
        return


def _at_equal_controls(voice: Voice, first: Value) -> Iterator[Sentence]:
    """What is left at equal controls, and how strong an unmeasured confounder would have to be."""
    same = (first.comparison.disfavored, first.comparison.window)
    for value in (first, *voice.of(first.facet)):
        row = value.row
        if (value.comparison.disfavored, value.comparison.window) != same:
            continue
        if row.get("robustness") is None or row["lower"] is None:
            continue
        controls = voice.answers.roles.controls.columns
        names = few([value_in_words(each.name) for each in controls], len(controls))
        if value is not first:
            lies = {"outside": ", outside the band", "within": ", within the band"}
            what = "ratio" if voice.unit(value) == "ratio" else "difference"
            yield voice.say(
                f"At equal {names}, a {what} of {voice.said(value)} is left "
                f"({voice.interval(value)}){lies.get(value.tone, '')}.",
                [value],
            )
        if row["robustness"] > 0:
            yield voice.say(voice.unmeasured(value), [value])
        return


def _worse(voice: Voice, facet: str | None, first: Value) -> Iterator[Sentence]:
    """The worst value of another metric that is judged worse than the first."""
    place = ORDER.index(first.tone)
    others = [
        value
        for value in voice.of(facet)
        if value.metric != first.metric and value.is_judged and ORDER.index(value.tone) < place
    ]
    others.sort(key=lambda value: (ORDER.index(value.tone), -voice.distance(value)))
    for value in others[:1]:
        what = "the difference" if voice.unit(value) == "points" else "the value"
        is_outside = f"{what}, {voice.said(value)}{voice.beside(value)}, is outside the band of "
        is_outside += voice.band(value)
        if value.tone != "outside":
            is_outside = f"whether {is_outside}, the data do not tell"
        yield voice.say(f"But {voice.reading(value)}: {is_outside}.", [value])


def _tally(voice: Voice) -> Iterator[Sentence]:
    """How many values are judged how, and how many stay outside if all hold together."""
    counts = {tone: len(voice.of(tone=tone)) for tone in _JUDGED}
    keys, judged = board_keys(voice), len(voice.judged)
    not_significant = _not_significant(voice)
    if counts["outside"] == judged:
        text = f"{_all_judged(judged)} outside {'their bands' if judged > 1 else 'its band'}."
    else:
        inside = "within it" if counts["outside"] else "within the band"
        inside = f"counted as {inside}" if not_significant else inside
        found = zip(counts.values(), ("outside the band", "uncertain", inside), strict=True)
        parts = [f"{n:,} {'is' if n == 1 else 'are'} {word}" for n, word in found if n]
        text = f"Of {judged:,} judged values, {few(parts)}."
    yield Sentence(text, keys, counts=True)
    yield from not_significant
    by_interval = [value for value in voice.of(tone="outside") if voice.is_by_interval(value)]
    if by_interval and voice.intervals > 1:
        n, sure = len(by_interval), sum(map(voice.stays_outside, by_interval))
        widened = f"if the {voice.intervals:,} intervals are widened to hold together"
        if n < counts["outside"]:
            those = f"The {n:,} with an interval" if n > 1 else "The one with an interval"
        else:
            those = {1: "It", 2: "Both"}.get(n, f"All {n:,}")
        if sure == n:
            text = f"{those} {'stays' if n == 1 else 'stay'} outside {widened}."
        elif not sure:
            none = "It does not stay" if n == 1 else f"None of the {n:,} stays"
            text = f"{none} outside {widened}: †."
        else:
            text = f"{sure:,} of the {n:,} {'stays' if sure == 1 else 'stay'} outside {widened}; "
            text += f"the other{' is' if n - sure == 1 else 's are'} marked †."
        yield Sentence(text, keys, counts=True)


def _nothing_outside(voice: Voice) -> Iterator[Sentence]:
    not_significant = _not_significant(voice)
    counted = "counted as " if not_significant else ""
    latest = voice.answers.latest
    where = "" if latest is None else f" in the latest window, {value_in_words(latest)}"
    yield Sentence(f"No value is {counted}outside its accepted band{where}.", counts=True)
    within, unsure = voice.of(tone="within"), voice.of(tone="uncertain")
    judged, keys = len(voice.judged), board_keys(voice)
    their, s = ("its", "") if len(within) == 1 else ("their", "s")
    whole = f"{counted}within {their} band{s}"
    if voice.intervals == judged:
        whole += f" with {their} whole {voice.confidence} interval{s}"
    if not unsure:
        yield Sentence(f"{_all_judged(judged)} {whole}.", keys, counts=True)
    else:
        if within:
            are = "is" if len(within) == 1 else "are"
            text = f"{len(within):,} of {judged:,} judged values {are} {whole}."
            yield Sentence(text, keys, counts=True)
        yield from _open(voice, unsure, is_all=not within)
    yield from not_significant
    if not unsure and voice.lead_metric is not None and voice.intervals:
        yield from _ruled_out(voice)
    if any(voice.is_by_interval(value) for value in (*within, *unsure) if not _depends(value)):
        yield _by_chance(voice, keys)


def _not_significant(voice: Voice) -> list[Sentence]:
    """Which values lie outside their bands, and count as within for want of significance."""
    values = [
        value
        for value in voice.of(tone="within")
        if voice.answers.rule(value.metric) == "significant" and not value.is_in_band
    ]
    named = [f"{low(voice.title(v.metric))} of {voice.who(v)} ({voice.said(v)})" for v in values]
    text = f"Outside but not significant, and so counted as within: {few(named)}."
    return [voice.say(text, values[: _MOST_NAMED + 1])] if values else []


def _all_judged(judged: int) -> str:
    if judged == 1:
        return "The only judged value is"
    return f"{'Both' if judged == 2 else f'All {judged:,}'} judged values are"


def _open(voice: Voice, unsure: Sequence[Value], *, is_all: bool) -> Iterator[Sentence]:
    """Which values are uncertain, and what would settle them."""
    n = len(unsure)
    others = f"The other {spelled(n)} are" if n > 1 else "The other is"
    opening = f"{_all_judged(n) if is_all else others} uncertain"
    by_rows = [value for value in unsure if not _depends(value)]
    tell = f"more {voice.words.rows} are needed to tell" if by_rows else "missing data decide"
    keys = board_keys(voice)
    if len(unsure) > _MOST_NAMED:
        names = few(dict.fromkeys(voice.who(value) for value in unsure))
        yield Sentence(f"{opening}, for {names}: {tell}.", keys, counts=True)
        return
    yield Sentence(f"{opening}.", keys, counts=True)
    named, planned = [], []
    for value in unsure:
        who = voice.who(value)
        what = f"{cap(who)}: {low(voice.title(value.metric))} {voice.said(value)}"
        more = f"; {voice.decides(value)}" if _depends(value) else voice.beside(value)
        named.append(f"{what}{more}.")
        if needed := voice.needed(value):
            is_weighted = voice.answers.is_weighted
            rows = f"a weight of {needed}" if is_weighted else f"{needed} {voice.words.rows}"
            settled = f"the {low(voice.title(value.metric))} of {who}"
            planned.append(voice.say(f"About {rows} would settle {settled}.", [value]))
    yield voice.say(" ".join(named), unsure)
    yield from planned
    if by_rows and not planned:
        yield Sentence(f"{cap(tell)}.")


def _depends(value: Value) -> bool:
    """Whether missing data decide a verdict, so that more rows would not."""
    return bool(value.row["verdict"] == DEPENDS)


def _ruled_out(voice: Voice) -> Iterator[Sentence]:
    """Between which ends the intervals of the metric that leads lie."""
    of_lead = [
        value for value in voice.of(metric=voice.lead_metric) if value.row["lower"] is not None
    ]
    if not of_lead:
        return
    lowest = min(of_lead, key=lambda value: value.row["lower"])
    highest = max(of_lead, key=lambda value: value.row["upper"])
    low_end, high_end = (voice.interval(each).split(" to ") for each in (lowest, highest))
    text = (
        f"The {voice.confidence} intervals of the {low(voice.title(lowest.metric))} lie between "
        f"{low_end[0]} and {high_end[1]}, so differences beyond these are unlikely."
    )
    yield voice.say(text, [lowest, highest])


_MAY_BE_CHANCE: Final = "contains equality: the differences may be due to chance."


def _by_chance(voice: Voice, keys: tuple[str, ...]) -> Sentence:
    """Whether any interval excludes equality if all are widened to hold together."""
    by_interval = [value for value in voice.judged if voice.is_by_interval(value)]
    n = sum(map(voice.is_apart, by_interval))
    if len(by_interval) == 1:
        found = "does not contain equality." if n else _MAY_BE_CHANCE
        return Sentence(f"Its interval {found}")
    found = f"{n:,} {'does' if n == 1 else 'do'} not contain equality."
    if n == len(by_interval):
        found = f"{'neither' if n == 2 else 'none'} contains equality."
    return Sentence(
        f"If the {len(by_interval):,} intervals are widened to hold together, "
        f"{found if n else f'every one {_MAY_BE_CHANCE}'}",
        keys,
        counts=True,
    )


def _means(voice: Voice) -> Iterator[Paragraph]:
    """For each facet the group whose mean is most surely apart from that of its reference."""
    for facet in voice.facets[:_MOST_FACETS]:
        values = [value for value in voice.of(facet) if value.metric in MEANS]
        if values and voice.lead_metric not in MEANS:
            value = max(values, key=voice.distance)
            label = f"Means by {facet_in_words(facet)}" if facet is not None else "Means"
            unit = f" {voice.answers.unit}" if voice.answers.unit else ""
            text = f"{voice.reading(value)}: a difference of {voice.said(value)}{unit}"
            text += f"{voice.beside(value)}."
            yield Paragraph((voice.say(text, [value]),), label)


def _estimated(voice: Voice) -> Iterator[Paragraph]:
    answers = voice.answers
    for facet in answers.estimated:
        rated = filter_latest(answers, answers.rated).filter(
            pl.col("facet") == facet, pl.col("value").is_not_null()
        )
        one = rated.filter(pl.col(ESTIMATOR) == pl.col(ESTIMATOR).first())
        groups = one.group_by("value").agg(pl.col("n").sum()).sort("n", descending=True)
        named = [f"{n:,.0f} are {voice.called(facet, group)}" for group, n in groups.rows()]
        text = f"{cap(facet_in_words(facet))} is estimated, not known: about {few(named)}."
        yield Paragraph((Sentence(text, counts=True),), cap(facet_in_words(facet)))


def _few_rows(voice: Voice) -> Iterator[Sentence]:
    answers = voice.answers
    compared = [each for each in voice.comparisons if each.disfavored is not None]
    smaller = pl.min_horizontal("n_disfavored", "n_favored").max()
    sizes = [each.table.select(smaller).item() for each in compared]
    if answers.is_weighted:
        return
    least = answers.options.minimum_count or FEW_ROWS
    people = "people" if answers.is_uncertain else voice.words.rows
    yield from (Sentence(text, counts=True) for text in mostly_few(sizes, least, people))
    yield Sentence(SUBGROUP_INSTEAD)


# The tables


def scale_of_values(voice: Voice, values: Sequence[Value], beside: Sequence[Value] = ()) -> Scale:
    """The scale of the strips of some values of one metric, and of others of its unit."""
    unit = voice.unit(values[0])
    rows = [value.row for value in (*values, *beside)]
    scale, lead = scale_of(rows, is_log=unit == "ratio"), values[0].row
    return Scale(scale, band_of(lead), lead["ideal"], 100 if unit == "points" else 1)


def row_of_value(voice: Voice, value: Value, scale: Scale) -> dict[str, Any]:
    """What every table of values says of a value."""
    row = value.row
    ends = (row["value"], row["lower"], row["upper"])
    return {
        "group": Cell(voice.subject(value), voice.detail(value)),
        "value": Cell(voice.number(value), voice.interval(value)),
        "p": Cell("" if row.get("p_value") is None else p_value(row["p_value"])),
        "judgement": voice.judgement(value),
        "key": value.key,
        "dots": {"value": Dot(scale, *ends, tone_of(row["verdict"]).name)},
    }


def exhibit(voice: Voice) -> Table:
    """The metric that leads, of every group beside its reference."""
    shown: list[Value] = []
    hidden = 0
    for facet in voice.facets:
        values = voice.leading(facet)
        if values and values[0].metric == voice.lead_metric:
            shown += values[:_MOST_ROWS]
            hidden += len(values[_MOST_ROWS:])
    metric, of = str(voice.lead_metric), len(shown) + hidden
    scale, rate = scale_of_values(voice, shown), voice.rate_of(metric)
    rows: list[Row] = []
    for facet in dict.fromkeys(value.facet for value in shown):
        of_facet = [value for value in shown if value.facet == facet]
        under = f"By {facet_in_words(facet)}" if len({v.facet for v in shown}) > 1 else ""
        rows += [_exhibit_row(voice, value, rate, scale) | {"under": under} for value in of_facet]
        rows += [
            _exhibit_row(voice, value, rate, scale, is_reference=True) | {"under": under}
            for value in _references(voice, of_facet)
        ]
    title = voice.title(metric)
    columns = [*texts(group="", n=voice.sizes)]
    answers = voice.answers
    # Where rows count one by one, those selected are a whole number.
    is_in_part = answers.is_weighted or answers.is_uncertain or answers.options.sequential
    if rate == "selection_rate" and not (is_in_part or answers.question.get("classes")):
        columns += texts(decided=cap(voice.words.decided))
    columns += texts(rate=RATES[rate].title) + numbers(value=title)
    columns += texts(p="p-value", judgement="")
    worst = f", {len(shown):,} of {of:,}" if hidden else ""
    beside = (
        "the selection rate of each group divided by that of its reference"
        if read_as(metric) == "di" and not answers.options.sequential
        else "each group compared with its reference"
    )
    notes = [f"Shaded: the accepted band, {voice.band(shown[0])}."]
    if answers.confidence is not None:
        notes.append(f"Lines: {voice.confidence} intervals{clusters_in_words(answers)}.")
    notes += ["Dashed: equality."] if shown[0].row["ideal"] is not None else []
    notes += labelled_rows(voice, [rate]) if any(row["rate"].text for row in rows) else []
    notes += [dagger(voice)] if any(map(voice.dagger, voice.judged)) else []
    notes += [f"{hidden:,} not shown."] if hidden else []
    caption, note = f"{title}: {beside}{worst}", " ".join(notes)
    table = Table(tuple(columns), rows, caption, [note], "exhibit", ("value",))
    return table.without_empty("rate", "p")


def labelled_rows(voice: Voice, rates: Iterable[str]) -> list[str]:
    """That rates of labels use the rows with a label, if some have none."""
    needed = [low(RATES[rate].title) for rate in rates if "label" in RATES[rate].needs]
    if not needed or voice.answers.left_out.is_empty():
        return []
    return [f"{cap(few(needed, len(needed)))}: of the rows with a label."]


def dagger(voice: Voice) -> str:
    """The meaning of †."""
    return (
        f"† Outside by its own interval, but not if all {voice.intervals:,} intervals are widened "
        "to hold together."
    )


def _exhibit_row(
    voice: Voice, value: Value, rate: str, scale: Scale, *, is_reference: bool = False
) -> dict[str, Any]:
    """A group with its size, its rate and its value; or side a, which it is compared with."""
    row, answers = value.row, voice.answers
    rates = voice.rates(value.reference_key if is_reference else value.group_key)
    share_of = None if rates is None else rates.get(rate)
    counted = None if rates is None else rates[answers.size_of(RATES[rate])]
    whole = row["n_disfavored"] if counted is None and not is_reference else counted
    if whole is not None and not answers.is_weighted:
        whole = round(whole)
    cells = {
        "n": Cell(size(whole)),
        "decided": Cell(
            "" if share_of is None or not counted else f"{round(share_of * counted):,}"
        ),
        "rate": Cell("" if share_of is None else share(share_of)),
    }
    if not is_reference:
        return {**cells, **row_of_value(voice, value, scale)}
    detail = ", ".join(filter(None, ["reference", voice.window(value)]))
    return {
        **cells,
        "group": Cell(voice.head(value.facet, value.comparison.favored), detail),
        "value": Cell("" if row["ideal"] is None else f"{row['ideal']:g}"),
        "p": Cell(""),
        "judgement": Cell(""),
        "key": value.reference_key,
        "is_reference": True,
        "dots": {"value": Dot(scale, None)},
    }


def _references(voice: Voice, values: Sequence[Value]) -> Iterator[Value]:
    """A value for the side a of each window, if it is a group or all rows, not compared itself."""
    seen = {(value.comparison.disfavored, value.comparison.window) for value in values}
    for value in values:
        place = (value.comparison.favored, value.comparison.window)
        if place[0] is not None and place not in seen and voice.rates(value.reference_key):
            seen.add(place)
            yield value


def board_keys(voice: Voice) -> tuple[str, ...]:
    """The keys of the rows of the board: of the metrics with a judged value."""
    judged = {value.metric for value in voice.judged}
    return tuple(f"board/{name}" for name in voice.metrics if name in judged)


def board(voice: Voice) -> Table:
    """Every metric with a band, and which groups are outside, uncertain and within."""
    keys = board_keys(voice)
    judged = [key.partition("/")[2] for key in keys]
    rows: list[Row] = [
        {
            "metric": Cell(voice.title(name), name),
            "band": Cell(voice.band(voice.of(metric=name)[0])),
            **{tone: _items(voice, voice.of(metric=name, tone=tone)) for tone in _JUDGED},
            "key": key,
        }
        for name, key in zip(judged, keys, strict=True)
    ]
    counts = {tone: len(voice.of(tone=tone)) for tone in _JUDGED}
    heads = {tone: f"{cap(tone)}: {n:,}" for tone, n in counts.items()}
    columns = texts(metric="", band="", **heads)
    notes = [
        "Values are those of each group against its reference; differences are in percentage "
        "points."
    ]
    shown = {value.metric for value in voice.shown}
    free = [
        low(voice.title(name)) for name in voice.metrics if name in shown and name not in judged
    ]
    if free:
        of_others = [voice.answers.band(name) for name in voice.metrics if name not in judged]
        why = "a band or a value" if of_others.count(None) < len(free) else "a band"
        notes.append(
            f"Not judged, without {why}: {few(free, len(free))}; the sections have their values."
        )
    caption = "Every judged value, by verdict"
    return Table(columns, rows, caption, [" ".join(notes)], look="board")


def _items(voice: Voice, values: Sequence[Value]) -> Cell:
    items = [
        f"{voice.number(value)} {voice.subject_with_window(value)}{voice.dagger(value)}"
        for value in values
    ]
    if len(items) > _MOST_ITEMS + 1:
        items = [*items[:_MOST_ITEMS], f"{len(items) - _MOST_ITEMS:,} more"]
    return Cell("", tone=values[0].tone if values else "", items=tuple(items))


# How to read this

_VERDICTS: Final[Mapping[Rule, str]] = {
    "interval": (
        "Outside: the whole {} interval lies outside the band. Within: all of it lies inside. "
        "Uncertain: it crosses an edge."
    ),
    "point": "Outside: the value lies outside the band. Within: it lies inside.",
    "significant": (
        "Outside: the value lies outside the band and the difference is significant. Within: any "
        "other value."
    ),
}
_DEPENDS: Final = (
    "Depends: missing data decide whether the value is outside or within, and more rows would not "
    "help."
)
_LIMIT: Final = (
    "A value outside its band is a reason to look closer, not a finding of unlawful "
    "discrimination; a value within its band is no proof that there is none."
)
_OF_LOOKS: Final = (
    "Metrics of a window use all rows up to it; sizes and rates of groups use only its own rows."
)
_MOST_NOTES: Final = 3


def _how(voice: Voice) -> Iterator[str]:
    answers = voice.answers
    latest = answers.latest
    if latest is not None:
        when = f"{value_in_words(latest)}, the latest window"
        yield f"Unless another window is named, this is about {when}."
    if voice.judged:
        yield from _verdicts(voice)
        if any(map(_depends, voice.judged)):
            yield _DEPENDS
        yield _bands(voice)
        statistics = pl.concat(each.table for each in voice.comparisons)
        yield from statistics_in_words(statistics, answers.question)
    yield from _decided(voice)
    what = "A high number" if answers.is_about_numbers else f"Being {voice.words.decided}"
    yield f"{what} is taken as {'good' if answers.favorable else 'bad'} for the person."
    if any(is_chosen(answers.question, facet) for facet in answers.facets):
        yield OF_ALL_PAIRS
    if answers.options.sequential:
        yield _OF_LOOKS
    yield from (f"{each}." for each in answers.notes)
    notes = notes_on_answers(answers.rated, answers.audited, answers.question)
    yield from notes[:_MOST_NOTES]
    if more := len(notes[_MOST_NOTES:]):
        yield f"{more:,} more {'note is' if more == 1 else 'notes are'} in the section on rows."
    if voice.judged:
        yield _LIMIT


def _verdicts(voice: Voice) -> Iterator[str]:
    """What outside, uncertain and within mean, by each of the rules."""
    metrics: dict[Rule, dict[str, None]] = {}
    for value in voice.judged:
        rule = voice.answers.rule(value.metric)
        rule = "point" if rule == "interval" and not voice.intervals else rule
        metrics.setdefault(rule, {})[low(voice.title(value.metric))] = None
    for rule, titles in metrics.items():
        text = _VERDICTS[rule].format(voice.confidence)
        yield f"For {few(titles)}: {low(text)}" if len(metrics) > 1 else text


def _bands(voice: Voice) -> str:
    bands = {value.metric: voice.band(value) for value in voice.judged}
    kinds = []
    units = {unit_of(voice.answers.metric(name)) for name in bands}
    given = {name for name, limits in (voice.answers.options.bands or {}).items() if limits}
    own = [name for name in bands if name in given]
    if "ratio" in units and any(bands[n] == "0.80 to 1.25" for n in bands):
        kinds.append(
            "0.80 to 1.25 for ratios, the four-fifths rule (29 CFR 1607.4(D)) and its inverse"
        )
    if "points" in units and any(bands[n] == "−10 to 10 points" for n in bands):
        kinds.append("−10 to 10 percentage points for differences, a convention")
    others = {
        name: band
        for name, band in bands.items()
        if name not in own and band not in ("0.80 to 1.25", "−10 to 10 points")
    }
    kinds += [f"{band} for {low(voice.title(name))}" for name, band in others.items()]
    kinds += [f"{bands[name]} for {low(voice.title(name))}, as the author gave it" for name in own]
    text = f"Bands: {'; '.join(kinds)}."
    return text if own else f"{text} The author of the audit may set others."


def _decided(voice: Voice) -> Iterator[str]:
    question = voice.answers.question
    column, threshold, positive = (
        question.get(key) for key in ("predicted", "threshold", "positive")
    )
    name = column_in_words(question.get("score") if column is None else column)
    values = positive.get(name) if isinstance(positive, Mapping) else positive
    decided = voice.words.decided
    if isinstance(threshold, int | float):
        yield f"A row is {decided} if {name} is at least {threshold:g}."
    elif values is not None and column is not None and not isinstance(column, Mapping):
        several = values if isinstance(values, list | tuple | set | frozenset) else [values]
        yield f"A row is {decided} if {name} is {' or '.join(map(value_in_words, several))}."
