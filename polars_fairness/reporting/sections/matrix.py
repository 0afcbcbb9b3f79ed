"""The matrix of the first page: the groups, their sizes, and the verdicts of their metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, isfinite, log
from operator import itemgetter
from typing import Any, Final, Literal

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.formula.numbers import NUMBERS_OF_GROUPS, NumberOfGroup
from polars_fairness.formula.rates import RATES, Rate
from polars_fairness.question.judging import Band
from polars_fairness.question.outcomes import ESTIMATED, OBSERVED
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.lead_metrics import (
    is_ratio,
    judged_metrics,
    requested_without_band,
    worst_first,
)
from polars_fairness.reporting.parts import Axis, Bar, Cell, Dot, Head, Table
from polars_fairness.reporting.shown_comparisons import apart, by_facet, latest_in_words
from polars_fairness.reporting.verdicts import verdict_in_words
from polars_fairness.reporting.words import (
    facet_in_words,
    favored_in_words,
    number,
    share,
    sides_in_words,
    size,
    span,
    window_in_words,
)
from polars_fairness.values.rates import ROWS

_RATIOS: Final = (1.5, 2, 3, 4, 5, 10)
_STEPS: Final = (0.1, 0.2, 0.3, 0.5)


@dataclass(frozen=True)
class Scale:
    """A scale that reaches equally far to both sides of the ideal, ratios by their logarithms."""

    ideal: float
    reach: float
    is_log: bool

    @classmethod
    def of(cls, values: Iterable[float | None], ideal: float | None, *, is_log: bool) -> Scale:
        """The scale with room for these values; far ratios and infinite values are at its edge."""
        middle = ideal or 0.0
        known = [value for value in values if value is not None and isfinite(value)]
        if is_log:
            far = max((abs(log(value)) for value in known if value > 0), default=0.0)
            reach = next((each for each in _RATIOS if log(each) >= far), _RATIOS[-1])
            return cls(1.0, log(reach), is_log)
        far = max((abs(value - middle) for value in known), default=0.0)
        unit = 1.0
        while far > 0.5 * unit:
            unit *= 10
        reach = next((step * unit for step in _STEPS if step * unit >= far), 0.5 * unit)
        return cls(middle, reach, is_log)

    def place(self, value: float) -> float:
        """Where a value is, from 0 at the left edge to 1."""
        logarithm = log(value) if self.is_log and value > 0 else -self.reach
        far = logarithm if self.is_log else value - self.ideal
        return 0.5 + max(-1.0, min(1.0, far / self.reach)) / 2

    def axis(self, band: Band) -> Axis:
        """The axis with ticks at the edges of the scale and at the ideal."""
        ends = (-self.reach, 0.0, self.reach)
        at = (exp(end) if self.is_log else self.ideal + end for end in ends)
        ticks = tuple((i / 2, f"{value:.3g}".replace("-", "−")) for i, value in enumerate(at))
        limits = None if band is None else (self.place(band[0]), self.place(band[1]))
        return Axis(ticks=ticks, ideal=0.5, band=limits)


_MOST_METRICS: Final = 5
_OUTSIDE: Final = "Outside"
_ABSENT: Final = Cell("–")

Row = Mapping[str, Any]


def matrix(findings: Findings, comparisons: Sequence[Comparison], most: int) -> tuple[Table, ...]:
    """One row for each comparison, or for the worst so many; nothing without metrics to judge."""
    judged, open_ = judged_metrics(findings), requested_without_band(findings)
    compared = [each for each in comparisons if each.table["metric"].is_in(judged + open_).any()]
    if MODEL in findings.windows:
        compared = _models_side_by_side(findings, compared)
    if not compared:
        return ()
    shown = worst_comparisons(compared, judged + open_, most)
    return (_Matrix(findings, judged, open_, shown).table(of=len(compared)),)


def _models_side_by_side(findings: Findings, comparisons: Sequence[Comparison]) -> list[Comparison]:
    """The comparisons of each facet with the models of a group below each other, champion first."""
    places: dict[object, int] = {}

    def place(comparison: Comparison) -> tuple[int, bool]:
        others = tuple(each for each in comparison.window if each[0] != MODEL)
        group = (comparison.facet, comparison.disfavored, comparison.favored, others)
        is_champion = dict(comparison.window)[MODEL] == findings.options.champion
        return places.setdefault(group, len(places)), not is_champion

    return sorted(comparisons, key=place)


def worst_comparisons(
    comparisons: Sequence[Comparison], judged: Sequence[str], most: int
) -> list[Comparison]:
    """The comparisons in their order, or the worst of them if there are more than so many.

    A comparison is worse than another if more of its values are outside, or as many and the value
    of the lead metric is farther outside.
    """

    def badness(i: int) -> tuple[float, ...]:
        rows = {row["metric"]: row for row in comparisons[i].table.iter_rows(named=True)}
        outside = sum(
            tone_of(rows[name]["verdict"]).name == "outside" for name in judged if name in rows
        )
        return -outside, *(worst_first(rows[judged[0]]) if judged[0] in rows else ())

    worst = sorted(range(len(comparisons)), key=badness)[:most]
    return [comparisons[i] for i in sorted(worst)]


@dataclass(frozen=True)
class _Matrix:
    """The table that has a row for each of some comparisons."""

    findings: Findings
    judged: Sequence[str]
    open_: Sequence[str]
    shown: Sequence[Comparison]

    def table(self, of: int) -> Table:
        """The table; its caption says if the comparisons are the worst of more."""
        least = max(0, _MOST_METRICS - len(self.open_))
        lead, *others = [*self.judged[: 1 + least], *self.open_][: 1 + _MOST_METRICS]
        sizes = "Weight" if self.findings.is_weighted else "Rows"
        counted = [_OUTSIDE] if self.judged else []
        rate = (self.mean or self.rate).title
        titles = ("Group", sizes, rate, lead, *others, *counted)
        of_numbers = {sizes, rate, *others, *counted}
        heads = [Head(title, itemgetter(i), title in of_numbers) for i, title in enumerate(titles)]
        if self.judged:
            heads[3] = replace(heads[3], axis=self.axis)
        return Table(self._caption(of), heads, [*self._rows(others, len(heads))], "matrix")

    def _rows(self, others: Sequence[str], width: int) -> Iterator[Cell | tuple[Cell, ...]]:
        """The rows of each facet below its heading, and the groups that are side a of each."""
        of_facets = by_facet(self.shown)
        for facet, comparisons in of_facets.items():
            if len(of_facets) > 1:
                yield Cell(facet_in_words(facet), self._against(comparisons))
            yield from (tuple(self._row(each, others)) for each in comparisons)
            for each in self._of_references(comparisons):
                absent = [Cell("")] * (width - 3)
                window = self._apart(each)
                group = Cell(str(each.favored), ", ".join(filter(None, ["reference", window])))
                yield (group, *self._size(each, "favored"), *absent)

    def _against(self, comparisons: Sequence[Comparison]) -> str:
        favored = {favored_in_words(each) for each in comparisons if each.disfavored is not None}
        return f"against {favored.pop()}" if len(favored) == 1 else ""

    def _of_references(self, comparisons: Sequence[Comparison]) -> Iterator[Comparison]:
        """A comparison for each side a that is one group, and no side d, in a window."""
        shown = {(each.window, each.disfavored) for each in comparisons}
        for each in comparisons:
            place = (each.window, each.favored)
            if place not in shown and self.findings.rates_of_group(each, "favored"):
                shown.add(place)
                yield each

    @cached_property
    def mean(self) -> NumberOfGroup | None:
        """The mean that stands in place of a rate where numbers are the only outcomes."""
        if not self.findings.is_about_numbers:
            return None
        role = next(role for role in (ESTIMATED, OBSERVED) if self.findings.question.get(role))
        return NUMBERS_OF_GROUPS[f"{role}_mean"]

    @cached_property
    def rate(self) -> Rate:
        """The rate of each group that stands beside its size."""
        has_decisions = self.findings.rated["selection_rate"].count()
        return RATES["selection_rate" if has_decisions else "base_rate"]

    @cached_property
    def scale(self) -> Scale:
        """The scale of the lead metric, with room for its band and for all values shown."""
        lead = self.judged[0]
        rows = [each.table.filter(metric=lead) for each in self.shown]
        values = [
            value for row in rows for key in ("value", "lower", "upper") for value in row[key]
        ]
        metric, band = self.findings.metric(lead), self.findings.band(lead)
        return Scale.of([*values, *(band or ())], metric.ideal, is_log=is_ratio(metric))

    @cached_property
    def axis(self) -> Axis:
        return self.scale.axis(self.findings.band(self.judged[0]))

    @cached_property
    def windows(self) -> set[Any]:
        return {each.window for each in self.shown}

    def _apart(self, comparison: Comparison) -> str:
        """The window where the rows are of several; the latest time is in the caption."""
        is_one = len(self.windows) == 1
        return "" if is_one else window_in_words(apart(self.findings, comparison.window))

    def _caption(self, of: int) -> str:
        window = [window_in_words(next(iter(self.windows)))] if len(self.windows) == 1 else []
        where = "".join(f", {each}" for each in window or latest_in_words(self.findings) if each)
        has_headings = len({each.facet for each in self.shown}) > 1
        against = "" if has_headings else self._against(self.shown)
        most = f", the {len(self.shown)} worst of {of:,}" if len(self.shown) < of else ""
        return f"Each group{against and ' '}{against}{where}{most}"

    def _row(self, comparison: Comparison, others: Sequence[str]) -> Iterator[Cell]:
        rows = {row["metric"]: row for row in comparison.table.iter_rows(named=True)}
        yield from self._group(comparison)
        if self.judged:
            yield self._dotted(comparison, rows.get(self.judged[0]))
        else:
            yield _valued(comparison, rows.get(self.open_[0]))
        yield from (_valued(comparison, rows.get(name)) for name in others)
        tones = [tone_of(rows[name]["verdict"]).name for name in self.judged if name in rows]
        if self.judged:
            yield Cell(f"{tones.count('outside')} of {len(tones)}" if tones else "")

    def _group(self, comparison: Comparison) -> Iterator[Cell]:
        """The name of the group, its size beside that of all rows, and its rate."""
        of_facet = [each for each in self.shown if each.facet == comparison.facet]
        against = f"against {favored_in_words(comparison)}"
        has_one = comparison.disfavored is None or self._against(of_facet)
        window = self._apart(comparison)
        group = comparison.disfavored
        name = sides_in_words(comparison) if group is None else group
        yield Cell(name, ", ".join(filter(None, ["" if has_one else against, window])))
        yield from self._size(comparison, "disfavored")

    def _size(
        self, comparison: Comparison, side: Literal["disfavored", "favored"]
    ) -> Iterator[Cell]:
        """The size of a side beside that of all rows, and its rate."""
        rates = self.findings.rates_of_group(comparison, side)
        # Of the window alone, as the rate is: a sequential audit counts all rows up to it.
        column = self.findings.size_of(self.rate)
        whole = float if self.findings.is_weighted else round
        n = whole(rates[column]) if rates else comparison.table[f"n_{side}"][0]
        everything = self.findings.rows_in(comparison.window, column)
        bar = Bar(min(1.0, n / everything)) if n and everything else None
        # With weights, the number of rows too.
        yield Cell(size(n), f"{rates[ROWS]:,} rows" if rates and ROWS in rates else "", picture=bar)
        if not rates:
            yield _ABSENT
        elif self.mean:
            yield Cell(number(rates[self.mean.name], digits=2))
        else:
            yield Cell(share(rates[self.rate.name]))

    def _dotted(self, comparison: Comparison, row: Row | None) -> Cell:
        if row is None or row["value"] is None:
            return _valued(comparison, row)
        ends = (row["lower"], row["upper"])
        lower, upper = (None if end is None else self.scale.place(end) for end in ends)
        tone, interval = tone_of(row["verdict"]).name, span(*ends)
        words = verdict_in_words(row, comparison)
        return Cell(
            number(row["value"], digits=2),
            tone=tone,
            picture=Dot(self.scale.place(row["value"]), lower, upper, tone, self.axis),
            said=f"{words}, interval {interval}" if interval else words,
        )


def _valued(comparison: Comparison, row: Row | None) -> Cell:
    if row is None:
        return _ABSENT
    text = "–" if row["value"] is None else number(row["value"], digits=2)
    tone = tone_of(row["verdict"]).name
    return Cell(text, tone=tone, said=verdict_in_words(row, comparison))
