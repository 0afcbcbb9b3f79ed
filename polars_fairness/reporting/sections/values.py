"""The values of an audit: a matrix on the first page, a list, or a row for each group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal

from polars_fairness.api.columns import AUDIT, Column
from polars_fairness.api.verdicts import tone_of
from polars_fairness.formula.numbers import NUMBERS_OF_GROUPS, NumberOfGroup
from polars_fairness.formula.sides import RATES, Rate
from polars_fairness.question.outcomes import ESTIMATED, OBSERVED
from polars_fairness.question.windows import MODEL, THRESHOLD
from polars_fairness.reporting.answer_tables import BAND, judged
from polars_fairness.reporting.charts.marks import Values
from polars_fairness.reporting.findings import Comparison, Findings, judged_metrics, sides_of
from polars_fairness.reporting.parts import Axis, Bar, Cell, Dot, Row, Table
from polars_fairness.reporting.tables import MOST_ROWS, number_cells
from polars_fairness.reporting.verdicts import (
    apart,
    comparisons_shown,
    direction_in_words,
    group_by_facet,
    is_ratio,
    is_within,
    latest_in_words,
    p_of_interval,
    requested_without_band,
    worst_first,
)
from polars_fairness.reporting.words import (
    PEOPLE,
    band,
    band_of,
    column_in_words,
    confidence_in_words,
    facet_in_words,
    favored_in_words,
    interval_of,
    number,
    p_value,
    rows_in_words,
    share,
    sides_in_words,
    size,
    span,
    value_of,
    verdict_in_words,
    window_in_words,
)
from polars_fairness.values.evaluate import ROWS

MOST_METRICS: Final = 5
"""How many columns of metrics stand beside that of the lead metric."""
_OUTSIDE: Final = "Outside"
_LEAD: Final = 3
"""The place of the column of the lead metric."""
_ABSENT: Final = Cell("–")

Side = Literal["disfavored", "favored"]


def matrix(findings: Findings, comparisons: Sequence[Comparison], most: int) -> tuple[Table, ...]:
    """One row for each comparison, or for the worst so many; nothing without metrics to judge.

    Models of a group stand below each other, the champion first.
    """
    judged, open_ = judged_metrics(findings), requested_without_band(findings)
    compared = [each for each in comparisons if each.table["metric"].is_in(judged + open_).any()]
    if not compared:
        return ()
    if MODEL in findings.windows:
        places: dict[object, int] = {}

        def place(comparison: Comparison) -> tuple[int, bool]:
            window = dict(comparison.window)
            is_challenger = window.pop(MODEL) != findings.options.champion
            group = (*sides_of(comparison), tuple(window.items()))
            return places.setdefault(group, len(places)), is_challenger

        compared.sort(key=place)
    shown = worst_comparisons(findings, compared, judged + open_, most)
    return (_Matrix(findings, judged, open_, shown).table(of=len(compared)),)


def worst_comparisons(
    findings: Findings, comparisons: Sequence[Comparison], judged: Sequence[str], most: int
) -> list[Comparison]:
    """The comparisons in their order, or the worst of them first if there are more than so many.

    A comparison is worse than another if more of its values are outside, or as many and there is
    more evidence that the value of the lead metric is: a small group may be far outside by chance.
    """
    if len(comparisons) <= most:
        return [*comparisons]

    def badness(comparison: Comparison) -> tuple[float, ...]:
        rows = {row["metric"]: row for row in comparison.table.iter_rows(named=True)}
        outside = [tone_of(rows[name]["verdict"]).name for name in judged if name in rows]
        if (lead := rows.get(judged[0])) is None:
            return (-outside.count("outside"),)
        place, farness = worst_first(lead)
        return -outside.count("outside"), place, p_outside(findings, lead), farness

    return sorted(comparisons, key=badness)[:most]


def p_outside(findings: Findings, row: Row) -> float:
    """How much evidence there is that a value is outside its band: the less, the more."""
    is_within_it = row["lower"] is None or is_within(row["value"], band_of(row))
    return 1.0 if is_within_it else p_of_interval(findings, row)


@dataclass(frozen=True)
class _Matrix:
    """The table that has a row for each of some comparisons."""

    findings: Findings
    judged: Sequence[str]
    open_: Sequence[str]
    shown: Sequence[Comparison]

    def table(self, of: int) -> Table:
        """The table; its caption says if the comparisons are the worst of more."""
        least = max(0, MOST_METRICS - len(self.open_))
        lead, *others = [*self.judged[: 1 + least], *self.open_][: 1 + MOST_METRICS]
        sizes = PEOPLE if self.findings.is_uncertain else "Rows"
        sizes = "Weight" if self.findings.is_weighted else sizes
        counted = [_OUTSIDE] if self.judged else []
        rate = (self.mean or self.rate).title
        titles = ("Group", sizes, rate, lead, *others, *counted)
        # Numbers for names: a metric may be called as another column is.
        columns = tuple(
            Column(str(i), type="text" if i in (0, _LEAD) else "number", label=title)
            for i, title in enumerate(titles)
        )
        of_facets = group_by_facet(self.shown)
        rows: list[Row] = []
        for facet, comparisons in of_facets.items():
            against = _against(comparisons)
            under = {"under": Cell(facet_in_words(facet), against) if len(of_facets) > 1 else ""}
            for each in comparisons:
                beside = "" if each.disfavored is None or against else _against([each])
                rows.append(under | number_cells(self._row(each, beside, others)))
            # Each side a that is one group, and no side d, in a window.
            there = {(each.window, each.disfavored) for each in comparisons}
            for each in comparisons if not self.findings.overall else ():
                place = (each.window, each.favored)
                if place not in there and self.findings.rates_of_group(each, "favored"):
                    there.add(place)
                    group = self._named(str(each.favored), "reference", each)
                    rows.append(under | number_cells([group, *self._size(each, "favored")]))
        against = "" if len(of_facets) > 1 else _against(self.shown)
        window = [window_in_words(next(iter(self.windows)))] if len(self.windows) == 1 else []
        where = "".join(f", {each}" for each in window or latest_in_words(self.findings) if each)
        most = f", the {len(self.shown)} worst of {of:,}" if len(self.shown) < of else ""
        caption = f"Each group{against and ' '}{against}{where}{most}"
        axes = {str(_LEAD): self.axis} if self.judged else {}
        return Table(columns, rows, caption, look="matrix", axes=axes)

    @cached_property
    def mean(self) -> NumberOfGroup | None:
        """The mean that stands in place of a rate where numbers are the only outcomes."""
        if not self.findings.is_about_numbers:
            return None
        role = next(role for role in (ESTIMATED, OBSERVED) if self.findings.question.get(role))
        return NUMBERS_OF_GROUPS[f"{role}_mean"]

    @cached_property
    def rate(self) -> Rate:
        return rate_of(self.findings)

    @cached_property
    def scale(self) -> Values:
        """The scale of the lead metric, with room for its band and for all values shown."""
        lead = self.judged[0]
        rows = [each.table.filter(metric=lead) for each in self.shown]
        values = [
            value for row in rows for key in ("value", "lower", "upper") for value in row[key]
        ]
        metric, band = self.findings.metric(lead), self.findings.band(lead)
        known = [*values, *(band or ())]
        return Values.around(metric.ideal or 0.0, known, is_log=is_ratio(metric))

    @cached_property
    def axis(self) -> Axis:
        """The axis with ticks at the edges of the scale and at the ideal."""
        scale, lead = self.scale, self.judged[0]
        ideal, limits = self.findings.metric(lead).ideal or 0.0, self.findings.band(lead)
        ticks = (
            (i / 2, f"{value:.3g}".replace("-", "−"))
            for i, value in enumerate((scale.low, ideal, scale.high))
        )
        strip = limits and (scale.place(limits[0]), scale.place(limits[1]))
        return Axis(ticks=tuple(ticks), ideal=0.5, band=strip)

    @cached_property
    def windows(self) -> set[Any]:
        return {each.window for each in self.shown}

    def _named(self, name: str, detail: str, comparison: Comparison) -> Cell:
        """A group; where rows are of several windows with its window, but for the latest time."""
        is_one = len(self.windows) == 1
        window = "" if is_one else window_in_words(apart(self.findings, comparison.window))
        return Cell(name, ", ".join(filter(None, [detail, window])))

    def _row(self, comparison: Comparison, against: str, others: Sequence[str]) -> Iterator[Cell]:
        rows = {row["metric"]: row for row in comparison.table.iter_rows(named=True)}
        name = comparison.disfavored
        yield self._named(sides_in_words(comparison) if name is None else name, against, comparison)
        yield from self._size(comparison, "disfavored")
        lead = rows.get((self.judged or self.open_)[0])
        cell = _valued(comparison, lead)
        if self.judged and lead is not None and lead["value"] is not None:
            ends = (lead["lower"], lead["upper"])
            lower, upper = (None if end is None else self.scale.place(end) for end in ends)
            dot = Dot(self.scale.place(lead["value"]), lower, upper, cell.tone, self.axis)
            interval = span(*ends)
            said = f"{cell.said}, interval {interval}" if interval else cell.said
            cell = replace(cell, picture=dot, said=said)
        yield cell
        yield from (_valued(comparison, rows.get(name)) for name in others)
        tones = [tone_of(rows[name]["verdict"]).name for name in self.judged if name in rows]
        if self.judged:
            yield Cell(f"{tones.count('outside')} of {len(tones)}" if tones else "")

    def _size(self, comparison: Comparison, side: Side) -> Iterator[Cell]:
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
            counted = " ".join(positives_in_words(self.findings, comparison, side))
            beside = self.findings.rates_of_group(comparison, "favored")
            if self.findings.overall and beside:
                of_a = f"{comparison.favored} {share(beside[self.rate.name])}"
                counted = "; ".join(filter(None, [counted, of_a]))
            yield Cell(share(rates[self.rate.name]), counted)


def _against(comparisons: Sequence[Comparison]) -> str:
    """Side a of comparisons, if all of them have the same."""
    favored = {favored_in_words(each) for each in comparisons if each.disfavored is not None}
    return f"against {favored.pop()}" if len(favored) == 1 else ""


def _valued(comparison: Comparison, row: Row | None) -> Cell:
    if row is None:
        return _ABSENT
    text = "–" if row["value"] is None else number(row["value"], digits=2)
    tone = tone_of(row["verdict"]).name
    return Cell(text, tone=tone, said=verdict_in_words(row))


@dataclass(frozen=True)
class Value:
    """One row of an audit, and the comparison that it is of."""

    row: Mapping[str, Any]
    comparison: Comparison


def values_of(comparisons: Iterable[Comparison], metrics: Sequence[str]) -> list[Value]:
    """The values of these metrics, comparison by comparison."""
    names = set(metrics)
    return [
        Value(row, comparison)
        for comparison in comparisons
        for row in comparison.table.iter_rows(named=True)
        if row["metric"] in names
    ]


def size_of(value: Value) -> float | None:
    """The rows of side d, or their weight; None without sides."""
    return None if value.comparison.disfavored is None else value.row["n_disfavored"]


def positives_in_words(
    findings: Findings, comparison: Comparison, side: Side = "disfavored"
) -> Iterator[str]:
    """How many rows of a side have a positive outcome, of how many, where each row counts once."""
    rates, rate = findings.rates_of_group(comparison, side), rate_of(findings)
    # Weights and probabilities count in part; a class of several has no counts in the answer.
    is_whole = not (findings.is_weighted or findings.is_uncertain or findings.options.sequential)
    is_counted = is_whole and not findings.question.get("classes")
    if is_counted and rates and rates[rate.name] is not None:
        n = rates[findings.size_of(rate)]
        yield f"{round(rates[rate.name] * n):,} of {n:,.0f}"


def rate_of(findings: Findings) -> Rate:
    """The rate of each group that stands beside its size."""
    has_decisions = findings.rated["selection_rate"].count()
    return RATES["selection_rate" if has_decisions else "base_rate"]


def subject(findings: Findings, value: Value) -> str:
    """The group of a value with its size, and its window where there are several."""
    window, n = window_in_words(apart(findings, value.comparison.window)), size_of(value)
    details = [window] if window else []
    if n is not None:
        details.append(rows_in_words(findings, n, value.comparison.facet))
    name = value.comparison.disfavored or sides_in_words(value.comparison)
    return f"{name} ({', '.join(details)})" if details else name


def within_in_words(values: Iterable[Value]) -> str:
    """Where values judged "within" are: in the band, or by the rule "significant" perhaps not."""
    is_within_all = all(is_within(each.row["value"], band_of(each.row)) for each in values)
    return "within the band" if is_within_all else "within the band or not significantly outside"


def worst_of_each(values: Iterable[Value], judged: Sequence[str]) -> list[Value]:
    """Values outside their bands first: the worst of each metric, then the second of each, ...

    How far a value is from its band says nothing beside another metric: a test statistic grows
    with the number of rows.
    """
    by_metric: dict[str, list[Value]] = {name: [] for name in judged}
    for value in values:
        by_metric[value.row["metric"]].append(value)
    ranked = [
        (worst_first(value.row)[0], place, value)
        for of_metric in by_metric.values()
        for place, value in enumerate(sorted(of_metric, key=lambda each: worst_first(each.row)))
    ]
    ranked.sort(key=lambda each: each[:2])
    return [value for _, _, value in ranked]


def values_table(findings: Findings, caption: str, values: Sequence[Value]) -> Table:
    """The values with their intervals and verdicts, and what they say.

    Where the values are of several comparisons, each is named.
    """
    rows: list[dict[str, Any]] = []
    for value in values:
        row, comparison = value.row, value.comparison
        metric = findings.metric(row["metric"])
        window = window_in_words(apart(findings, comparison.window))
        rows.append(
            {
                **row,
                **judged(row),
                "groups": Cell(sides_in_words(comparison), window),
                "says": direction_in_words(metric, row, comparison),
            }
        )
    names = {row["groups"] for row in rows}
    is_several = len(names) > 1
    has_bands = any(band_of(value.row) for value in values)
    has_p = any(value.row.get("p_value") is not None for value in values)
    known = {each.name: each for each in (*AUDIT, BAND, _GROUPS, _SAYS)}
    shown = {
        "metric": True,
        "groups": is_several,
        "value": True,
        "band": has_bands,
        "p_value": has_bands and has_p,
        "verdict": has_bands,
        "says": True,
    }
    groups = [] if is_several else [cell.text for cell in names]
    columns = tuple(known[name] for name, is_shown in shown.items() if is_shown)
    return Table(columns, rows, ": ".join([caption, *groups]))


_GROUPS: Final = Column("groups", type="text")
_SAYS: Final = Column("says", type="text", label="What it says")


FEWEST: Final = 3
"""With fewer comparisons, a table of values one below the other has room for words."""
_MOST_IN_TABLE: Final = 6


def value_tables(
    findings: Findings, comparisons: Sequence[Comparison], judged: Sequence[str]
) -> Iterator[Table]:
    """The values of the metrics that are not within their bands for each of the comparisons.

    Of many comparisons there are the worst, and a table has as many metrics as a page has room for.
    """
    values = values_of(comparisons, judged)
    unsettled = {
        each.row["metric"] for each in values if tone_of(each.row["verdict"]).name != "within"
    }
    names = [name for name in judged if name in unsettled]
    worst = worst_comparisons(findings, comparisons, judged, MOST_ROWS)
    facet, against = facet_in_words(worst[0].facet), _against(worst)

    def group(each: Comparison) -> Cell:
        alone = each.disfavored if against else None
        window = window_in_words(apart(findings, each.window))
        return Cell(alone or sides_in_words(each), window)

    def value(name: str, each: Comparison) -> Cell:
        row = next(iter(each.table.filter(metric=name).iter_rows(named=True)), None)
        if row is None:
            return _ABSENT
        p = row.get("p_value")
        details = [interval_of(row), "" if p is None else f"p {p_value(p)}"]
        text = "–" if row["value"] is None else value_of(row)
        words, tone = verdict_in_words(row), tone_of(row["verdict"]).name
        return Cell(text, ", ".join(filter(None, details)), tone, said=words)

    for first in range(0, len(names), _MOST_IN_TABLE):
        shown = names[first : first + _MOST_IN_TABLE]
        columns = [
            Column("", type="text", label="Group"),
            *(Column(name, label=name) for name in shown),
        ]
        bands = {"": "Band", **{name: band(findings.band(name)) for name in shown}}
        rows = [{"": group(each), **{name: value(name, each) for name in shown}} for each in worst]
        caption = f"{', '.join(shown)} by {facet}{against and ', each group '}{against}"
        yield Table(tuple(columns), [bands, *rows], caption)


DIFFERENCES: Final = {"estimate_difference": ESTIMATED, "observed_difference": OBSERVED}
"""The differences of means, with the argument that names their column."""


def means_in_words(findings: Findings) -> Iterator[str]:
    """For each facet the group whose mean is farthest from that of its side a."""
    differences = [name for name, role in DIFFERENCES.items() if findings.question.get(role)]
    widest: dict[tuple[str | None, str | None], Value] = {}
    for value in values_of(comparisons_shown(findings), differences[:1]):
        apart = value.row["value"]
        place = value.comparison.facet, value.row.get(MODEL)
        known = widest.get(place)
        if apart is not None and (known is None or abs(apart) > abs(known.row["value"])):
            widest[place] = value
    when = "".join(f", in {window}" for window in latest_in_words(findings))
    unit = f" {findings.unit}" if findings.unit else ""
    for (facet, model), value in widest.items():
        row, comparison, role = value.row, value.comparison, DIFFERENCES[value.row["metric"]]
        # A mean is the same at each threshold.
        window = tuple(each for each in comparison.window if each[0] != THRESHOLD)
        group = subject(findings, replace(value, comparison=replace(comparison, window=window)))
        given: Any = findings.question.get(role)
        column = column_in_words(given[model] if isinstance(given, Mapping) else given)
        rates = findings.rates_of_group(comparison)
        mean = f" is {number(rates[f'{role}_mean'], digits=2)}{unit}," if rates else " is"
        # The metric is a less d, the sentence about d.
        lower, upper = row["lower"], row["upper"]
        is_lower = row["value"] > 0
        ends = (lower, upper) if is_lower or lower is None else (-upper, -lower)
        interval = ""
        if None not in ends and findings.confidence is not None:
            bounds = " to ".join(number(end, 2, beside=(0,)) for end in ends)
            interval = f" ({confidence_in_words(findings.confidence)} interval {bounds})"
        apart, other = number(abs(row["value"]), 2, beside=(0,)), favored_in_words(comparison)
        if lower is not None and lower <= 0 <= upper:
            differs = f"not shown to differ from that of {other}: a difference of {apart}{unit}"
        else:
            differs = f"{apart}{unit} {'lower' if is_lower else 'higher'} than that of {other}"
        about = f"By {facet}{when}, the mean {column} of {group}{mean}"
        yield f"{about} {differs}{interval}."
