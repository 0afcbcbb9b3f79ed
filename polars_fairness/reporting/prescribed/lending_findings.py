"""The tables of a page on lending, and what was found in them, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any, Final

import polars as pl

from polars_fairness.catalogue.wording import word
from polars_fairness.counting.sides import ALL
from polars_fairness.question.arguments import Question
from polars_fairness.reporting.found.about import About
from polars_fairness.reporting.prescribed.windows import by_facet, compared
from polars_fairness.reporting.prescribed.wording import ALONE
from polars_fairness.reporting.words import (
    ALL_ROWS,
    EVERYONE_ELSE,
    column_in_words,
    facet_in_words,
    number,
    size,
    window_in_words,
)

_MOST_NAMED: Final = 3
_METHODS: Final = {"holm": "Holm", "bh": "Benjamini and Hochberg"}

Row = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class LendingFindings:
    """What the page shows: the question, the options of the call, and the tables.

    ``quantiles`` are there with scores; ``segments`` and ``in_segments``, the table of each
    segment, with subgroups.
    """

    question: Question
    options: Mapping[str, Any]
    about: About
    table: pl.DataFrame
    quantiles: pl.DataFrame | None = None
    segments: pl.DataFrame | None = None
    in_segments: pl.DataFrame | None = None

    @property
    def confidence(self) -> float | None:
        return self.options["confidence"]  # type: ignore[no-any-return]

    @property
    def favorable(self) -> bool:
        """Whether a positive outcome is good for the person."""
        return self.question.get("favorable", True)

    @property
    def accepted(self) -> str:
        """The word for rows whose outcome is positive."""
        return word("affected", favorable=self.favorable)

    @property
    def has_scores(self) -> bool:
        """Whether there are scores whose means can be compared."""
        return self.table["smd"].count() > 0

    @cached_property
    def windows(self) -> list[str]:
        """The columns that make windows."""
        return self.table.columns[: self.table.columns.index("facet")]

    def window_of(self, row: Row) -> str:
        """The window of a row in words."""
        return window_in_words(tuple((name, row[name]) for name in self.windows))

    @property
    def adjusted_by(self) -> str | None:
        """Who the method is called after by which p-values are adjusted, if they are."""
        return _METHODS.get(self.options["p_values"])

    @property
    def limits(self) -> str:
        """When a comparison is flagged."""
        ratio, points, significance = (
            self.options[name] for name in ("minimum_ratio", "maximum_points", "significance")
        )
        adjusted = f", adjusted by {self.adjusted_by}," if self.adjusted_by else ""
        beyond = (
            f"its adverse impact ratio is below {ratio:g}, its rate is more than {points:g} points "
            "lower"
        )
        if not self.favorable:
            beyond = (
                f"the reference’s rate divided by its own is below {ratio:g}, its rate is more "
                f"than {points:g} points higher"
            )
        return (
            f"A group is flagged where {beyond} and the p-value{adjusted} is below "
            f"{significance:g}. These are limits of this call, and not of a law."
        )


def headline(findings: LendingFindings) -> Iterator[str]:
    """For each facet: which groups are flagged, and which could not be judged."""
    for facet, part in by_facet(findings.table):
        rows = compared(part).rows(named=True)
        if not rows:
            yield f"By {facet_in_words(facet)}: {ALONE[0].lower()}{ALONE[1:]}"
            continue
        flagged = [row for row in rows if row["is_flagged"]]
        comparisons = "comparison" if len(rows) == 1 else "comparisons"
        found = f"By {facet_in_words(facet)}, {len(flagged):,} of {len(rows):,} {comparisons} "
        found += "is flagged" if len(flagged) == 1 or len(rows) == 1 else "are flagged"
        if flagged:
            worst = sorted(flagged, key=lambda row: air_or_last(row, favorable=findings.favorable))
            named = "; ".join(_named(findings, row) for row in worst[:_MOST_NAMED])
            more = len(flagged) - _MOST_NAMED
            found += f": {named}" + (f"; and {more:,} more" if more > 0 else "")
        yield f"{found}."
        if unknown := [row for row in rows if row["is_flagged"] is None]:
            names = ", ".join(_sides(findings, row) for row in unknown[:_MOST_NAMED])
            more = len(unknown) - _MOST_NAMED
            names += f" and {more:,} more" if more > 0 else ""
            missing = "as a ratio or p-value is missing"
            yield f"Not judged by {facet_in_words(facet)}, {missing}: {names}."
    yield from _in_segments(findings)


def in_no_comparison(findings: LendingFindings) -> Iterator[str]:
    """The rows of unknown group and those left out; with windows, a section has them."""
    if findings.windows:
        return
    places = [part.row(0, named=True) for _, part in by_facet(findings.table)]
    if any(place["n_unknown"] for place in places):
        counts = ", ".join(
            f"{size(place['n_unknown'])} by {place['facet']}"
            for place in places
            if place["n_unknown"]
        )
        is_weighted = findings.question.get("weight") is not None
        rows = "Weight of rows" if is_weighted else "Rows"
        yield f"{rows} of unknown group, which are in no comparison: {counts}."
    if dropped := max((place["n_dropped"] for place in places), default=0):
        yield f"Rows left out: {size(dropped)}."


def _in_segments(findings: LendingFindings) -> Iterator[str]:
    """How many comparisons inside segments are flagged, for each facet."""
    if findings.in_segments is None:
        return
    columns = column_in_words(findings.question.get("subgroup"))
    for facet, part in by_facet(findings.in_segments):
        inside = compared(part)["is_flagged"]
        comparisons = f"{inside.len():,} comparison{'' if inside.len() == 1 else 's'}"
        yield (
            f"In the segments of {columns}, {inside.sum():,} of {comparisons} by "
            f"{facet_in_words(facet)} {'is' if inside.len() == 1 else 'are'} flagged."
        )


def _named(findings: LendingFindings, row: Row) -> str:
    """A comparison that is flagged, with the numbers for which it is."""
    points = f"{number(row['points'], 1)} points less"
    if not findings.favorable:
        points = f"{number(-row['points'], 1)} points more"
    return f"{_sides(findings, row)} (ratio {number(row['air'])}, {points})"


def _sides(findings: LendingFindings, row: Row) -> str:
    window = findings.window_of(row)
    where = f" with {window}" if window else ""
    return f"{row['disfavored']} against {favored_in_row(row)}{where}"


def air_or_last(row: Row, *, favorable: bool) -> float:
    """The AIR by which comparisons are sorted, worst first; an undefined one comes last."""
    if row["air"] is None:
        return inf
    return float(row["air"]) if favorable else -float(row["air"])


def favored_in_row(row: Row) -> str:
    """Side a of a row: a group, all rows, or everyone else."""
    if row["favored"] == ALL:
        return f"{ALL_ROWS.lower()} of known group"
    return row["favored"] or EVERYONE_ELSE


def favored_of_all(rows: Iterable[Row]) -> str | None:
    """Side a, if it is the same of all rows."""
    found = {favored_in_row(row) for row in rows}
    return found.pop() if len(found) == 1 else None
