"""What a report is made of, before it is written as a page or as Markdown: plain text only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Chart = Literal["rates", "forest", "time", "contributions", "heat"]


@dataclass(frozen=True)
class Cell:
    """A text, what stands smaller beside it, and the kind of verdict it tells."""

    text: str
    detail: str = ""
    tone: str = ""


@dataclass(frozen=True)
class Table:
    """Rows whose first cell names them; the columns named in ``numbers`` stand to the right."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numbers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Figure:
    """What a chart shows, and the same in words; the page draws it."""

    caption: str
    in_words: str
    chart: Chart
    marks: Sequence[Mapping[str, Any]]
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Tally:
    """How often a verdict was found."""

    count: int
    words: str
    tone: str


Part = str | Table | tuple[Figure, ...] | tuple[Tally, ...]
"""A paragraph, a table, figures that may stand side by side, or what was found at a glance."""


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it; ``level`` as in HTML."""

    title: str
    parts: tuple[Part, ...]
    level: int = 2
