"""The parts of a report, as plain text, before it is written as a page or as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

ChartOfScores = Literal["roc", "calibration", "scores", "sweep", "frontier"]
Chart = Literal["rates", "forest", "time", "contributions", "heat", ChartOfScores]


@dataclass(frozen=True)
class Cell:
    """A text, smaller text beside it, and the kind of verdict that gives its colour."""

    text: str
    detail: str = ""
    tone: str = ""


@dataclass(frozen=True)
class Table:
    """A table; the first cell of a row names it, the columns in ``numbers`` are aligned right."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numbers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Figure:
    """The numbers of a chart, and the same numbers in words; the page draws the chart."""

    caption: str
    in_words: str
    chart: Chart
    marks: Sequence[Mapping[str, Any]]
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Panel:
    """The numbers of a chart at every threshold; a reader of the page chooses the threshold.

    A mark has the place of its threshold as ``at``, and that of its window as ``window``.
    """

    chart: Literal["rates", "disparities", "curve"]
    title: str
    subtitle: str
    names: Sequence[Mapping[str, Any]]
    marks: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Tally:
    """How often the audit has a verdict."""

    count: int
    words: str
    tone: str


Part = str | Table | tuple[Figure, ...] | tuple[Tally, ...]
"""A paragraph, a table, figures that may stand side by side, or the counts of the verdicts."""


@dataclass(frozen=True)
class Section:
    """A heading and the parts below it; ``level`` as in HTML."""

    title: str
    parts: tuple[Part, ...]
    level: int = 2
