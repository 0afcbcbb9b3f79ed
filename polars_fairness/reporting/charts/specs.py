"""What is drawn of groups, and what is said of them: a `Spec` for each kind of answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import polars as pl

from polars_fairness.counting.sides import ALL
from polars_fairness.reporting.charts.marks import MOST_LINES, Dots
from polars_fairness.reporting.charts.scales import Values
from polars_fairness.reporting.findings import parts_of
from polars_fairness.reporting.parts import Chart, Figure, first_of
from polars_fairness.reporting.tables import group_in_words
from polars_fairness.reporting.words import ALL_ROWS, window_in_words

MOST_POINTS: Final = 500
"""About as many points as a line has pixels on a page."""
MOST_IN_WORDS: Final = 5

Row = Mapping[str, Any]
Rows = Sequence[Row]
Group = tuple[str, Rows]
Groups = Sequence[Group]
Each = TypeVar("Each")


@dataclass(frozen=True)
class Spec:
    """What a figure is called, what is drawn of each group, and what is said of each and of all.

    ``chart`` takes the marks, the names of the groups, and the name of all rows or "". What was
    ``found`` is said first, then each group with what is ``said`` of it.
    """

    title: str
    marks: Callable[[Rows], Sequence[Row]]
    said: Callable[[Rows], Iterable[str]]
    found: str | Callable[[Groups], str]
    chart: Callable[..., Chart]
    meaning: str = ""
    note: str = ""
    most: int = MOST_LINES

    def figure(self, groups: Groups, about: str = "", total: Rows = ()) -> Figure:
        """The figure of the first of these groups, and of all rows, with a title about them."""
        named = groups[: self.most]
        shown = [*named, *([(ALL_ROWS, total)] if total else [])]
        marks = [
            {"line": i, "name": name, **mark}
            for i, (name, rows) in enumerate(shown)
            for mark in self.marks(rows)
        ]
        chart = self.chart(marks, [name for name, _ in named], ALL_ROWS if total else "")
        words = "; ".join(f"{name} {', '.join(self.said(rows))}".lstrip() for name, rows in shown)
        title = f"{self.title}{about}"
        text = [", ".join(filter(None, [title, self.meaning])) + ":"]
        found = self.found if isinstance(self.found, str) else self.found(named or shown)
        text += [f"{each}." for each in (found, words) if each]
        return Figure("\n".join(filter(None, [title, self.note])), " ".join(text), chart)


def figures_by_facet(
    specs: Sequence[Spec], frame: pl.DataFrame, windows: Sequence[str]
) -> list[Figure]:
    """The figures of each window and facet, with the groups of the facet and all rows."""
    return [
        spec.figure(groups, f" by {facet}{first_of(groups, spec.most)}{window}", total)
        if groups
        else spec.figure([], f" of all rows{window}", total)
        for window, facet, groups, total in _by_facet(frame, windows)
        for spec in specs
    ]


def _by_facet(
    frame: pl.DataFrame, windows: Sequence[str]
) -> Iterator[tuple[str, str, list[Group], Rows]]:
    """The window, the facet, the rows of each of its groups by their names, and of all rows."""
    for part in parts_of(frame, windows) if frame.height else ():
        facets: dict[str, dict[str | None, list[Row]]] = {}
        for row in part.iter_rows(named=True):
            facets.setdefault(row["facet"], {}).setdefault(row["value"], []).append(row)
        total = facets.pop(ALL, {}).get(None, [])
        window = window_in_words(tuple((name, part[name][0]) for name in windows))
        for facet, groups in facets.items() or [("", {})]:
            named: list[Group] = [(group_in_words(rows[0]), rows) for rows in groups.values()]
            yield window and f", {window}", facet, named, total


def evenly(things: Sequence[Each], most: int) -> list[Each]:
    """At most so many of these things at equal distances, with the first and the last.

    Examples
    --------
    >>> evenly(range(9), 3)
    [0, 4, 8]
    """
    if len(things) <= most:
        return [*things]
    return [things[round(i * (len(things) - 1) / (most - 1))] for i in range(most)]


def dots(scale: Values, **options: Any) -> Callable[..., Dots]:
    """What draws the marks of a `Spec` as a row of dots each."""
    return lambda marks, *_: Dots(marks, scale, **options)
