"""How a page words an audit: its values in the order of a reader, names, numbers, sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, log
from typing import Any, Final

import polars as pl

from polars_fairness.api.verdicts import DEPENDS, tone_of, widened
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.catalogue.wording import word
from polars_fairness.counting.sides import ALL
from polars_fairness.formula.metric import Metric, said
from polars_fairness.formula.sides import RATES
from polars_fairness.question.author_words import AuthorWords
from polars_fairness.question.completing import Assumption
from polars_fairness.question.outcomes import ESTIMATED, OBSERVED
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.answers import Answers, Comparison, Window, comparisons_of
from polars_fairness.reporting.parts import Cell, Sentence
from polars_fairness.reporting.verdicts import (
    apart,
    comparisons_shown,
    disadvantages_d,
    p_of_interval,
    shown_among,
)
from polars_fairness.reporting.words import (
    EVERYONE_ELSE,
    PEOPLE,
    Unit,
    band_of,
    bracketed,
    cap,
    column_in_words,
    comparison_in_words,
    confidence_in_words,
    facet_in_words,
    labels_known,
    low,
    measured,
    measured_band,
    measured_span,
    number,
    p_value,
    raw_text,
    share,
    size,
    standards_of,
    unit_in_words,
    unit_of,
    unmeasured_in_words,
    value_in_words,
    verdict_in_words,
    where_in_words,
    window_in_words,
)
from polars_fairness.values.evaluate import SIDES

ORDER: Final = ("outside", "uncertain", "within", "undefined", "open")
"""The tones of values in the order of a reader; without a value, and without a band, come last."""

_READINGS: Final[Mapping[str, tuple[str, str]]] = {
    "di": (
        "{d} are {decided} {v} times as often as {a}: {rate_d} against {rate_a}",
        "the selection rate of {d} is {v} times that of {a}: {rate_d} against {rate_a}",
    ),
    "mh_ratio": (
        "compared within each {strata}, {d} are {decided} {v} times as often as {a}",
        "compared within each {strata}, the selection rate of {d} is {v} times that of {a}",
    ),
    "dppl": (
        "{rate_d} of {d} and {rate_a} of {a} are {decided}",
        "the selection rate is {rate_d} for {d} and {rate_a} for {a}",
    ),
    "rd": (
        "of those {yes}, {rate_d} of {d} and {rate_a} of {a} are {decided}",
        "the true positive rate is {rate_d} for {d} and {rate_a} for {a}",
    ),
    "fpr_difference": (
        "of those {no}, {rate_d} of {d} and {rate_a} of {a} are {decided}",
        "the false positive rate is {rate_d} for {d} and {rate_a} for {a}",
    ),
    "ad": (
        "predictions are right for {rate_d} of {d} and {rate_a} of {a}",
        "predictions are right for {rate_d} of {d} and {rate_a} of {a}",
    ),
}
"""The sentences of a metric about people with words, and about groups by their names."""
_EXTREMES: Final[Mapping[str, tuple[str, str]]] = {
    "di": (
        "{rate_d} of {d} and {rate_a} of {a} are {decided}: the {title} is {v}",
        "the selection rate is {rate_d} for {d} and {rate_a} for {a}: the {title} is {v}",
    ),
}
"""The same of a ratio of 0 or infinity: nobody is selected infinitely many times as often."""
_RATES_OF: Final = {"fpr_difference": "fpr", "mh_ratio": "selection_rate"}
_SAME_RATES: Final = {"statistical_parity": "dppl"}
MEANS: Final = {"estimate_difference": ESTIMATED, "observed_difference": OBSERVED}
"""The differences of means, with the argument that names their column."""


@dataclass(frozen=True)
class Value:
    """A value of an audit: its row, the comparison that it is of, and the key of both."""

    row: Mapping[str, Any]
    comparison: Comparison
    key: str

    @property
    def metric(self) -> str:
        return str(self.row["metric"])

    @property
    def facet(self) -> str | None:
        return self.comparison.facet

    @property
    def tone(self) -> str:
        """Where the value lies; "undefined" if there is none, "open" without a band."""
        if not self.is_known or self.row["verdict"] == "undefined":
            return "undefined"
        return tone_of(self.row["verdict"]).name

    @property
    def is_known(self) -> bool:
        """Whether there is a value, or a range of what missing labels leave open."""
        return self.row["value"] is not None or self.row.get("lowest") is not None

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """The ends of its interval; without one the value, or its range."""
        row = self.row
        if row["lower"] is not None:
            return row["lower"], row["upper"]
        if row["value"] is not None:
            return row["value"], row["value"]
        return row.get("lowest"), row.get("highest")

    @property
    def is_judged(self) -> bool:
        return self.row["band_lower"] is not None and self.tone not in ("undefined", "open")

    @property
    def is_in_band(self) -> bool:
        """Whether the value itself lies in its band, whatever its verdict."""
        limits = band_of(self.row)
        if limits is None or self.row["value"] is None:
            return False
        least, most = widened(limits)
        return bool(least <= self.row["value"] <= most)

    @property
    def group_key(self) -> str:
        return rate_key(self.facet, self.comparison.disfavored, self.comparison.window)

    @property
    def reference_key(self) -> str:
        facet, favored = self.facet, self.comparison.favored
        return rate_key(ALL if favored == ALL else facet, favored, self.comparison.window)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the value, and of the rates of both sides."""
        return self.key, self.group_key, self.reference_key


def read_as(metric: str) -> str:
    """The metric whose sentence an alias has, unless it has one of its own."""
    if metric in _READINGS or metric not in CATALOGUE:
        return metric
    return _SAME_RATES.get(metric, CATALOGUE[metric].name)


def key_of(metric: str, comparison: Comparison) -> str:
    """The key of a value in `to_dict`, and of its row on a page."""
    sides = [comparison.facet, comparison.disfavored]
    parts = [metric, *(part for part in sides if part is not None)]
    windows = [_window_key(name, value) for name, value in comparison.window]
    return "/".join([*map(_escaped, parts), *windows])


def rate_key(facet: str | None, group: object, window: Window = ()) -> str:
    """The key of a row of the table of rates."""
    value = None if facet == ALL else group
    windows = [_window_key(name, value) for name, value in window]
    return "/".join(["rate", _escaped(str(facet)), _escaped(raw_text(value)), *windows])


def _window_key(name: str, value: object) -> str:
    column = _escaped(name).replace("=", "%3D")
    return column if value is None else f"{column}={_escaped(raw_text(value))}"


def _escaped(part: str) -> str:
    return part.replace("%", "%25").replace("/", "%2F").replace("#", "%23")


@dataclass(frozen=True, eq=False)
class Voice:
    """The answers of a report, and what its author calls people, decisions, labels and rows.

    Its values are those that a page shows; where windows are many and no times, page one is about
    what holds over all of them: the values of ``overall``.
    """

    answers: Answers
    words: AuthorWords = field(default_factory=AuthorWords)
    is_overall: bool = False

    @cached_property
    def comparisons(self) -> list[Comparison]:
        answers = self.answers
        if not self.is_overall:
            return comparisons_shown(answers)
        assert answers.overall is not None
        audited = answers.overall.audited
        windows = audited.columns[: audited.columns.index("facet")]
        return shown_among(answers, comparisons_of(audited, windows))

    @cached_property
    def values(self) -> list[Value]:
        """The values in the order of a reader, those of a facet and metric together."""
        values = [
            Value(row, comparison, key_of(row["metric"], comparison))
            for comparison in self.comparisons
            for row in comparison.table.iter_rows(named=True)
        ]
        asked = [*dict.fromkeys(value.metric for value in values)]
        values.sort(
            key=lambda value: (
                asked.index(value.metric),
                ORDER.index(value.tone),
                value.tone == "outside" and not disadvantages_d(value.row),
                -self.distance(value),
            )
        )
        return values

    def of(self, facet: object = ..., metric: object = ..., tone: object = ...) -> list[Value]:
        """The values of a facet, a metric and a tone, of any where none is given."""
        return [
            value
            for value in self.values
            if (facet is ... or value.facet == facet)
            and (metric is ... or value.metric == metric)
            and (tone is ... or value.tone == tone)
        ]

    def distance(self, value: Value) -> float:
        """How far the nearer end of an interval is from the ideal; 0 if the ideal is inside."""
        ideal, (lower, upper) = value.row["ideal"], value.ends
        if ideal is None or lower is None or upper is None or lower <= ideal <= upper:
            return 0.0
        near = lower if lower > ideal else upper
        if self.unit(value) == "ratio":
            return abs(log(near)) if 0 < near < inf else inf
        return abs(float(near - ideal))

    @cached_property
    def metrics(self) -> list[str]:
        """The metrics: those with a value outside first, then uncertain, within, without a band."""
        names = [*dict.fromkeys(value.metric for value in self.values)]
        return sorted(names, key=lambda name: self._worst(self.of(metric=name)))

    @cached_property
    def facets(self) -> list[str | None]:
        """The facets: the worst judged value first, then the most rows of groups outside."""
        names = [*dict.fromkeys(value.facet for value in self.values)]
        given = {name: place for place, name in enumerate(self.answers.facets)}
        names.sort(key=lambda name: given.get(name or "", len(given)))

        def concern(facet: str | None) -> tuple[float, ...]:
            outside = [each for each in self.of(facet, tone="outside") if each.row["n_disfavored"]]
            rows = sum({each.group_key: each.row["n_disfavored"] for each in outside}.values())
            return self._worst(self.of(facet)), -rows

        return sorted(names, key=concern)

    @staticmethod
    def _worst(values: Iterable[Value]) -> int:
        judged = (ORDER.index(value.tone) for value in values)
        return min(judged, default=len(ORDER))

    @cached_property
    def judged(self) -> list[Value]:
        return [value for value in self.values if value.is_judged]

    @cached_property
    def lead_metric(self) -> str | None:
        """The metric that leads: ``di`` if it is requested, else the first with a band and sides.

        Where it is within its band everywhere and another is outside, the other leads.
        """
        compared = [value for value in self.judged if value.comparison.disfavored is not None]
        names = [*dict.fromkeys(value.metric for value in compared or self.judged)]
        if not names:
            return None
        lead = next((name for name in names if read_as(name) == "di"), names[0])
        worst = {name: self._worst(self.of(metric=name)) for name in names}
        is_within = worst[lead] > ORDER.index("uncertain")
        outside = [name for name in names if worst[name] == ORDER.index("outside")]
        return outside[0] if is_within and outside else lead

    def leading(self, facet: str | None) -> list[Value]:
        """The values of a facet by the metric that leads, or by its first with a band.

        Those of a champion stand behind those of the models that may follow it.
        """
        lead = self.of(facet, self.lead_metric)
        if all(value.tone == "undefined" for value in lead):
            judged = [value for value in self.of(facet) if value.is_judged]
            lead = self.of(facet, judged[0].metric) if judged else lead
        champion = self.answers.options.champion
        return sorted(lead, key=lambda each: champion is not None and each.row[MODEL] == champion)

    @cached_property
    def intervals(self) -> int:
        """How many values are judged by their intervals."""
        return len([value for value in self.judged if self.is_by_interval(value)])

    def is_by_interval(self, value: Value) -> bool:
        return self.answers.rule(value.metric) == "interval" and value.row["lower"] is not None

    def stays_outside(self, value: Value) -> bool:
        """Whether a value stays outside its band if all intervals are widened to hold together.

        By Bonferroni's correction. By single intervals 5 of 40 pages on three facets of five groups
        that do not differ had a sentence that said so of a value.
        """
        if not self.is_by_interval(value):
            return True
        level = 1 - (self.answers.confidence or 0.0)
        return p_of_interval(self.answers, value.row) <= level / self.intervals

    def is_apart(self, value: Value) -> bool:
        """Whether an interval does not contain the ideal if all are widened to hold together."""
        row = value.row
        at_ideal = {**row, "band_lower": row["ideal"], "band_upper": row["ideal"]}
        if row["value"] == row["ideal"]:
            return False
        level = 1 - (self.answers.confidence or 0.0)
        return p_of_interval(self.answers, at_ideal) <= level / self.intervals

    # Names

    def metric(self, value: Value) -> Metric:
        return self.answers.metric(value.metric)

    def unit(self, value: Value) -> Unit:
        return unit_of(self.metric(value))

    def title(self, name: str) -> str:
        """The title of a metric, with the strata of one within strata."""
        title = self.answers.metric(name).title
        return title.replace("within strata", f"within each {self.strata}")

    @property
    def strata(self) -> str:
        given = self.answers.question.get("subgroup")
        if given is None:
            names = [name for name in self.answers.windows_of_rows if self.is_overall]
            return " and ".join(map(value_in_words, names)) or "stratum"
        return column_in_words(given)

    @property
    def sizes(self) -> str:
        """What the sizes of groups count, at the head of a column."""
        if self.answers.is_weighted:
            return "Weight"
        return PEOPLE if self.answers.is_uncertain else cap(self.words.rows)

    def is_named(self, facet: str | None, *groups: str | None) -> bool:
        """Whether the author has a word for the people of each group."""
        return facet is not None and all(
            group is not None and self.words.group((facet,), (group,)) is not None
            for group in groups
        )

    def name(self, facet: str | None, group: str | None) -> str:
        """A group as a table has it: the author's word, or its value."""
        if group == ALL:
            return f"all {self.words.rows}"
        if group is None or facet is None:
            return EVERYONE_ELSE if group is None else value_in_words(group)
        return self.words.group((facet,), (group,)) or value_in_words(group)

    def head(self, facet: str | None, group: str | None) -> str:
        """A group at the head of a row; a value of the data keeps its letters."""
        name = self.name(facet, group)
        is_value = group not in (ALL, None) and not self.is_named(facet, group)
        return name if is_value else cap(name)

    def called(self, facet: str | None, group: str | None) -> str:
        """A group in a sentence: the author's word for these people, else "the group F"."""
        name = self.name(facet, group)
        is_value = group not in (ALL, None) and not self.is_named(facet, group)
        return f"the group {name}" if is_value else name

    def window(self, value: Value) -> str:
        """What tells the window of a value from others; empty where there is one."""
        return window_in_words(apart(self.answers, value.comparison.window))

    def subject(self, value: Value) -> str:
        """Side d of a value in a table; a metric without sides is about all groups."""
        group = value.comparison.disfavored
        if group is None:
            return "All groups" if value.facet is not None else cap(f"all {self.words.rows}")
        return self.head(value.facet, group)

    def subject_with_window(self, value: Value) -> str:
        window = self.window(value)
        return f"{self.subject(value)} ({window})" if window else self.subject(value)

    def side(self, value: Value) -> str:
        """Side d of a value in a sentence; a metric without sides is about all groups."""
        group = value.comparison.disfavored
        if group is not None:
            return self.called(value.facet, group)
        return "all groups" if value.facet is not None else f"all {self.words.rows}"

    def where(self, value: Value) -> str:
        """Where a value is, in a sentence; empty where there is one window."""
        return where_in_words(apart(self.answers, value.comparison.window))

    def who(self, value: Value) -> str:
        """Side d of a value in a sentence, with its window where there are several."""
        return " ".join(filter(None, [self.side(value), self.where(value)]))

    def detail(self, value: Value) -> str:
        """What stands beside a group in a table: its window, and side a if that is all others."""
        favored = value.comparison.favored
        against = f"against {EVERYONE_ELSE}" * bool(favored is None and value.comparison.disfavored)
        return ", ".join(filter(None, [self.window(value), against]))

    def compared(self, comparison: Comparison) -> str:
        """A comparison at the head of a table: its facet, its sides and its window."""
        facet, d, a = comparison.facet, comparison.disfavored, comparison.favored
        if facet is None or d is None:
            return comparison_in_words(comparison)
        window = bracketed(window_in_words(comparison.window))
        return (
            f"{value_in_words(facet)}: {self.name(facet, d)} against {self.name(facet, a)}{window}"
        )

    # Numbers

    def number(self, value: Value) -> str:
        """A value in its unit, as a table has it; its range where that is all that is known."""
        row, unit = value.row, self.unit(value)
        if row["value"] is None and value.is_known:
            return self.range(value).removesuffix(unit_in_words(unit))
        return measured(row["value"], unit, standards_of(row))

    def said(self, value: Value) -> str:
        """A value in a sentence, where points have their unit."""
        return self.number(value) + unit_in_words(self.unit(value))

    def range(self, value: Value) -> str:
        """Between which ends what is unknown leaves a value; empty without such ends."""
        row = value.row
        ends = row.get("lowest"), row.get("highest")
        return measured_span(*ends, self.unit(value), standards_of(row))

    @property
    def assumed(self) -> str:
        """What is assumed of missing labels; empty without ``unlabelled``."""
        given = self.answers.options.unlabelled
        return "" if given is None else Assumption.of(given).in_words

    def is_over_labels(self, value: Value) -> bool:
        """Whether missing labels leave a range of a value."""
        return bool(self.assumed) and value.row["lowest"] is not None

    def interval(self, value: Value) -> str:
        row = value.row
        return measured_span(row["lower"], row["upper"], self.unit(value), standards_of(row))

    def beside(self, value: Value) -> str:
        """The interval of a value in parentheses, if it has one."""
        return bracketed(self.interval(value))

    def with_interval(self, value: Value) -> str:
        """A value of a group in parentheses: the value, and its interval."""
        return ", ".join(filter(None, [self.said(value), self.interval(value)]))

    def band(self, value: Value) -> str:
        return measured_band(band_of(value.row), self.unit(value))

    def needed(self, value: Value) -> str:
        """How many rows, or which weight, settle an uncertain value; empty if that is not known."""
        planned, row = self.answers.planned, value.row
        if planned.is_empty():
            return ""
        is_same = [pl.col(name).eq_missing(pl.lit(row[name])) for name in (*SIDES, "metric")]
        found = planned.filter(*is_same)["rows_needed"].drop_nulls()
        return size(found[0]) if len(found) else ""

    @property
    def shown(self) -> list[Value]:
        """The values that sections show: of metrics that are requested or have a band.

        Where none has a band, all are shown.
        """
        shows_all = bool(self.answers.requested) or not self.judged
        has_band = self.answers.band
        return [value for value in self.values if shows_all or has_band(value.metric) is not None]

    @property
    def confidence(self) -> str:
        confidence = self.answers.confidence
        return "" if confidence is None else confidence_in_words(confidence)

    @cached_property
    def _rates(self) -> Mapping[str, Mapping[str, Any]]:
        overall = self.answers.overall if self.is_overall else None
        rated = self.answers.rated if overall is None else overall.rated
        windows = rated.columns[: rated.columns.index("facet")]
        return {
            rate_key(row["facet"], row["value"], tuple((name, row[name]) for name in windows)): row
            for row in rated.iter_rows(named=True)
        }

    def rates(self, key: str) -> Mapping[str, Any] | None:
        """The rates of the group of a key, None if this is no single group."""
        return self._rates.get(key)

    def rate_of(self, metric: str) -> str:
        """The rate that stands beside the values of a metric."""
        name = read_as(metric)
        if name in _RATES_OF:
            return _RATES_OF[name]
        terms = {term.partition(".")[2] for term in self.answers.metric(metric).terms}
        rates = [rate for rate in RATES if rate in terms]
        if len(rates) == 1 and RATES[rates[0]].is_proportion:
            return rates[0]
        has_decisions = self.answers.rated["selection_rate"].count()
        return "selection_rate" if has_decisions else "base_rate"

    # Sentences

    def reading(self, value: Value) -> str:
        """What a value says and where, with the rates of both sides where it compares these."""
        return ", ".join(filter(None, [self.where(value), self._reading(value)]))

    def _reading(self, value: Value) -> str:
        comparison, row, metric = value.comparison, value.row, self.metric(value)
        if not value.is_known:
            return f"the {low(self.title(value.metric))} of {self.side(value)} is not computed"
        facet, d, a = comparison.facet, comparison.disfavored, comparison.favored
        name, title = read_as(value.metric), low(self.title(value.metric))
        is_times = not (self.unit(value) == "ratio" and row["value"] in (0.0, inf))
        sides = {"d": self.side(value), "a": self.called(facet, a), "v": self.said(value)}
        if self.is_over_labels(value):
            # The rates are those of the labelled rows, which such a value is not about.
            ends = self.range(value).split(" to ")
            who = sides["d"] if d is None else f"{sides['d']} compared with {sides['a']}"
            if row["lowest"] == row["highest"]:
                return f"the {title} of {who} is {sides['v']}, where missing labels {self.assumed}"
            lies = f"lies between {' and '.join(ends)}"
            return f"the {title} of {who} {lies}, depending on the missing labels"
        if name in MEANS:
            return self._means_in_words(value, MEANS[name])
        # With looks, rates are those of the last window, and values those of all up to it.
        keys = (value.group_key, value.reference_key)
        is_of_looks = bool(self.answers.options.sequential)
        of_d, of_a = (None if is_of_looks else self.rates(key) for key in keys)
        rate = self.rate_of(value.metric)
        if name in _READINGS and d is not None:
            people, groups = _READINGS[name] if is_times else _EXTREMES.get(name, ("", ""))
            template = people if self.is_named(facet, d, a) else groups
            if of_d is None or of_a is None:
                template = template.partition(":")[0] if is_times and "{v}" in template else ""
            if template:
                rates = {"rate_d": of_d and share(of_d[rate]), "rate_a": of_a and share(of_a[rate])}
                words, (yes, no) = self.words, self.words.label
                more = {"decided": words.decided, "yes": yes, "no": no, "strata": self.strata}
                return template.format(**sides, **rates, **more, title=title)
        if metric.reading and d is not None and is_times:
            return self._read_aloud(metric, facet, d, a, sides)
        if d is None:
            return f"the {title} of {sides['d']} is {sides['v']}"
        return f"the {title} of {sides['d']} compared with {sides['a']} is {sides['v']}"

    def _read_aloud(
        self, metric: Metric, facet: str | None, d: str, a: str | None, sides: Mapping[str, str]
    ) -> str:
        """The sentence of a metric, with the author's word for the decision, about people."""
        accepted = word("accepted", favorable=self.answers.favorable)
        reading = metric.reading.replace(accepted, self.words.decided)
        if self.is_named(facet, d, a):
            # The error of these people is still one.
            reading = re.sub(r"(?<!of )(\{[da]\}) is ", r"\1 are ", reading)
        return said(reading, sides["d"], sides["a"], sides["v"])

    def _means_in_words(self, value: Value, role: str) -> str:
        """The means of both sides, or their difference alone."""
        comparison = value.comparison
        unit = f" {self.answers.unit}" if self.answers.unit else ""
        means = [
            None if rates is None else rates.get(f"{role}_mean")
            for rates in (self.rates(value.group_key), self.rates(value.reference_key))
        ]
        d, a = self.side(value), self.called(comparison.facet, comparison.favored)
        column = _column_of(self.answers, role, value)
        mean_d, mean_a = means
        if mean_d is None or mean_a is None:
            return f"the mean {column} of {d} is {self.number(value)}{unit} less than that of {a}"
        of_d, of_a = number(mean_d, 2), number(mean_a, 2)
        return f"the mean {column} is {of_d}{unit} for {d} and {of_a}{unit} for {a}"

    def judgement(self, value: Value) -> Cell:
        """The verdict on a value in a table; † if it is outside by its own interval only."""
        row = value.row
        if not value.is_known:
            return Cell("Not computed", tone="open")
        if row["verdict"] == "undefined":
            return Cell("Not judged", tone="open")
        words = cap(verdict_in_words(row))
        return Cell(f"{words}{self.dagger(value)}", tone=tone_of(row["verdict"]).name)

    def dagger(self, value: Value) -> str:
        """The mark of a value that is outside by its own interval only."""
        is_alone = value.tone == "outside" and not self.stays_outside(value)
        return "\N{NO-BREAK SPACE}†" if is_alone else ""

    def unmeasured(self, value: Value) -> str:
        """How strong an unmeasured confounder would have to be to bring a value to its band."""
        row, needs = value.row, self.metric(value).needs
        edge, limits = "zero", band_of(row)
        if limits is not None:
            unit = unit_in_words(self.unit(value))
            low_end, high_end = self.band(value).removesuffix(unit).split(" to ")
            is_low = abs(row["value"] - limits[0]) < abs(row["value"] - limits[1])
            edge = (low_end if is_low else high_end) + unit
        role = next((role for role in (ESTIMATED, OBSERVED) if role in needs), None)
        outcome = "the label" if "label" in needs else f"who is {self.words.decided}"
        if role is not None:
            outcome = _column_of(self.answers, role, value)
        return unmeasured_in_words(row, facet_in_words(value.facet), outcome, edge)

    def say(
        self,
        text: str,
        values: Sequence[Value] = (),
        *,
        counts: bool = False,
        keys: Sequence[str] = (),
    ) -> Sentence:
        """A sentence about values, which name their rows."""
        named = [key for value in values for key in value.keys]
        return Sentence(cap(text), tuple(dict.fromkeys([*named, *keys])), counts=counts)

    def decides(self, value: Value) -> str:
        """What decides a verdict that depends on what is unknown, and what it leaves open."""
        row, known = value.row, labels_known(value.row)
        what = (
            "missing labels decide" if known else f"unknown {facet_in_words(value.facet)} decides"
        )
        if row.get("lowest") == row.get("highest"):
            return f"{what}: they {self.assumed or f'are {known}'}"
        return f"{what}: the value may lie anywhere from {self.range(value)}"

    def judged_in_words(self, value: Value, *, again: bool) -> str:
        """How a value is judged: its band, unless it was said before, and its interval."""
        row, tone, band = value.row, value.tone, self.band(value)
        if not value.is_judged:
            return ""
        if row["verdict"] == DEPENDS:
            return f"The accepted band is {band}, and {self.decides(value)}."
        rule, opening = self.answers.rule(value.metric), f"The accepted band is {band}; "
        if rule == "significant" and row.get("p_value") is not None:
            p = p_value(row["p_value"])
            is_significant = tone == "outside"
            return (
                f"The difference is {'' if is_significant else 'not '}significant (p {p}) and the "
                f"value is {'outside' if is_significant else 'not judged outside'} the accepted "
                f"band, {band}."
            )
        if not self.is_by_interval(value):
            where = {"outside": "outside it", "within": "inside it"}.get(tone, "not judged")
            none = " No interval was requested." if self.answers.confidence is None else ""
            return f"{opening}the value is {where}.{none}"
        interval = f"the {self.confidence} interval, {self.interval(value)},"
        whole = f"the whole {self.confidence} interval, {self.interval(value)},"
        words = {
            "outside": f"{whole} is outside {{}}.",
            "uncertain": f"{interval} crosses {{}}, so the data do not tell.",
            "within": f"{whole} is inside {{}}.",
        }[tone]
        if again:
            return cap(words.format("the edge of the band" if tone == "uncertain" else "the band"))
        return opening + words.format("its edge" if tone == "uncertain" else "it")


def _column_of(answers: Answers, role: str, value: Value) -> str:
    given: Any = answers.question.get(role)
    if isinstance(given, Mapping):
        given = given[value.row[MODEL]]
    return column_in_words(given)
