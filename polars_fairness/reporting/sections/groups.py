"""The section of groups of several facets, and the one that is most surely low."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import polars as pl

from polars_fairness.reporting.answers import Answers, RankedGroups, Window
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
from polars_fairness.reporting.verdicts import apart
from polars_fairness.reporting.voice import Voice
from polars_fairness.reporting.words import (
    PERCENT,
    cap,
    facet_in_words,
    few,
    low,
    share,
    share_span,
    size,
    value_in_words,
    window_in_words,
)

_MOST_ROWS: Final = 40
_MOST_NAMED: Final = 4
_PLACES: Final = ("Below", "Not significant", "Above")


@dataclass(frozen=True, eq=False)
class Ranked:
    """The groups of several facets by one rate: those with enough rows, the surest first."""

    voice: Voice
    ranking: RankedGroups

    @property
    def answers(self) -> Answers:
        return self.voice.answers

    @property
    def is_low(self) -> bool:
        """Whether the lowest rates are the worst; else the highest."""
        return self.ranking.harm != "above"

    @property
    def rate(self) -> str:
        return low(self.ranking.rate.title)

    @property
    def facets(self) -> str:
        names = [*map(facet_in_words, self.ranking.facets)]
        return f"{names[0]} and {names[1]}" if len(names) == 2 else "several facets"

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The groups with enough rows; the first has the end of its interval farthest out."""
        rows = [
            {**row, "window": window, "key": self._key(window, row)}
            for window, part in self.answers.windows_shown(self.ranking)
            for row in self.answers.groups_of_several(self.ranking, part).iter_rows(named=True)
        ]
        sign = 1 if self.is_low else -1
        return sorted(rows, key=lambda row: sign * self._end(row))

    @cached_property
    def leaves_some_out(self) -> bool:
        """Whether a group has too few rows to be ranked."""
        return any(
            not part.filter(pl.col("depth") > 1, pl.col("n") < self.answers.least_rows).is_empty()
            for _, part in self.answers.windows_shown(self.ranking)
        )

    def _end(self, row: Row) -> float:
        end = row["upper" if self.is_low else "lower"]
        return float(row["rate"] if end is None else end)

    def _key(self, window: Window, row: Row) -> str:
        return f"group/{self.ranking.metric.name}/{row['name']}/{window_in_words(window)}"

    def key_of_all(self, window: Window) -> str:
        return f"group/{self.ranking.metric.name}//{window_in_words(window)}"

    def name(self, row: Row) -> str:
        """The author's word for the group, or its values."""
        fixed = [
            (facet, row[f"value.{i}"])
            for i, facet in enumerate(self.ranking.facets)
            if row[f"value.{i}"] is not None
        ]
        facets, values = zip(*fixed, strict=True)
        own = self.voice.words.group(facets, values)
        name = own or " & ".join(map(value_in_words, values))
        window = window_in_words(apart(self.answers, row["window"]))
        return f"{name} ({window})" if window else name

    def place(self, row: Row) -> int:
        """Whether a rate is below that of all rows, not significantly different, or above."""
        of_all = row["rate_of_all"]
        if row["upper"] is None or row["lower"] is None:
            return 1
        return 0 if row["upper"] < of_all else 2 if row["lower"] > of_all else 1

    def said(self) -> Iterator[Sentence]:
        """The group that is most surely low, and those of few rows that may be lower."""
        rows = self.voice.words.rows
        # Hidden groups have rows and a rate too.
        shown = " shown" if self.answers.options.hide_below is not None else ""
        if self.ranking.harm == "both" or self.answers.confidence is None:
            return
        if not self.rows:
            least = f"{self.answers.least_rows:,} {rows} or more"
            none = f"of {least} is shown" if shown else f"has {least}"
            yield Sentence(f"No group by {self.facets} {none}, so none is ranked.", counts=True)
            return
        apart_from_all = [row for row in self.rows if self.place(row) == (0 if self.is_low else 2)]
        if not apart_from_all:
            row = self.rows[0]
            yield Sentence(
                f"No group{shown} by {self.facets} has a {self.rate} that differs significantly "
                f"from the {share(row['rate_of_all'])} of all {rows}.",
                (self.key_of_all(row["window"]),),
            )
            return
        first, lowest = apart_from_all[0], "lowest" if self.is_low else "highest"
        group = "group" + shown
        group += f" of {self.answers.least_rows:,} {rows} or more" * self.leaves_some_out
        end = "upper" if self.is_low else "lower"
        yield Sentence(
            f"By the {end} end of the interval of the {self.rate}, the {lowest} {group} is "
            f"{self.name(first)}: {share(first['rate'])} "
            f"({share_span(first['lower'], first['upper'])}), against "
            f"{share(first['rate_of_all'])} of all {rows}.",
            (first["key"], self.key_of_all(first["window"])),
        )
        sign = 1 if self.is_low else -1
        farther = [row for row in self.rows if sign * row["rate"] < sign * first["rate"]]
        farther.sort(key=lambda row: sign * row["rate"])
        if farther := farther[:_MOST_NAMED]:
            names = (
                f"{self.name(row)} ({share(row['rate'])} of {size(row['n'])})" for row in farther
            )
            ends = few([share(row[end]) for row in farther], _MOST_NAMED)
            have = "have" if len(farther) > 1 else "has a"
            rates = "rates" if len(farther) > 1 else "rate"
            comparative = "lower" if self.is_low else "higher"
            limit = "high" if self.is_low else "low"
            yield Sentence(
                f"{cap(few(names, _MOST_NAMED))} {have} {comparative} {rates} here, but so few "
                f"{rows} that the true {rates} may be as {limit} as {ends}.",
                tuple(row["key"] for row in farther),
            )

    def table(self) -> Table:
        rows = sorted(self.rows, key=self.place if self.is_low else lambda row: -self.place(row))
        shown = rows[:_MOST_ROWS]
        ends = [row[key] for row in shown for key in ("rate", "upper", "rate_of_all")]
        windows = {row["window"]: row for row in shown}
        of_all = {row["rate_of_all"] for row in shown}
        ideal = of_all.pop() if len(of_all) == 1 else None
        scale = Scale(Values.of_shares(ends), None, ideal, 100, PERCENT)
        has_intervals = any(row["upper"] is not None for row in shown)
        all_rows = f"all {self.voice.words.rows}"
        columns = texts(group="", n=self.voice.sizes) + numbers(rate=self.ranking.rate.title)
        columns += texts(place=f"Compared with {all_rows}") if has_intervals else ()
        table_rows: list[Row] = [
            {
                "group": Cell(self.name(row)),
                "n": Cell(size(row["n"])),
                "rate": Cell(share(row["rate"]), share_span(row["lower"], row["upper"])),
                "place": Cell(_PLACES[self.place(row)]),
                "key": row["key"],
                "dots": {"rate": Dot(scale, row["rate"], row["lower"], row["upper"])},
            }
            for row in shown
        ]
        for window, row in windows.items():
            detail = window_in_words(apart(self.answers, window))
            table_rows.append(
                {
                    "group": Cell(cap(all_rows), detail),
                    "n": Cell(""),
                    "rate": Cell(share(row["rate_of_all"])),
                    "place": Cell(""),
                    "key": self.key_of_all(window),
                    "is_reference": True,
                }
            )
        notes = [f"Groups of {self.answers.least_rows:,} {self.voice.words.rows} or more."]
        if has_intervals:
            end = "upper" if self.is_low else "lower"
            notes.append(
                f"Sorted by whether they are below, not significantly different from or above the "
                f"rate of {all_rows}, then by the {end} end of the interval. The intervals hold "
                f"together for all {len(rows):,} groups."
            )
        if scale.ideal is not None:
            notes.append(f"Dashed: the rate of {all_rows}, {share(scale.ideal)}.")
        if hidden := len(rows) - len(shown):
            notes.append(f"{hidden:,} not shown.")
        caption = f"{self.ranking.rate.title} by {self.facets}"
        return Table(columns, table_rows, caption, [" ".join(notes)], "groups", ("rate",))


def ranked(voice: Voice) -> list[Ranked]:
    """The groups of several facets by each rate."""
    return [Ranked(voice, ranking) for ranking in voice.answers.groups]


def groups_in_words(voice: Voice) -> Iterator[tuple[str, list[Sentence]]]:
    """What page one says of the groups of several facets, with its label."""
    for each in ranked(voice)[:1]:
        if sentences := [*each.said()]:
            yield f"By {each.facets}", sentences


def groups_section(voice: Voice) -> Section:
    """The groups of several facets, a table for each rate."""
    every = ranked(voice)
    if not every:
        return Section("")
    paragraphs = [Paragraph(tuple(sentences)) for each in every if (sentences := [*each.said()])]
    tables = tuple(each.table() for each in every if each.rows)
    return Section(f"By {every[0].facets}", tuple(paragraphs), tables)
