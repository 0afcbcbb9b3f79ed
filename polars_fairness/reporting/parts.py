"""The parts of a report, and tables of answers, before they are written."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from polars_fairness.api.columns import Columns

_NOT_WRITABLE: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def writable(text: str) -> str:
    r"""The text with a replacement for characters that XML forbids, such as a terminal's escape.

    Examples
    --------
    >>> writable("red: \x1b[31m")
    'red: \ufffd[31m'
    """
    return _NOT_WRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)


_FORMATTING: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
_TURNING: Final = re.compile(
    "[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]"
)
ISOLATED: Final = re.compile("\u2068([^\u202a-\u202e\u2066-\u2069]*)\u2069")
"""A text between U+2068 and U+2069, whose direction is its own."""


def unturned(text: str) -> str:
    """The text without the characters that turn the direction of what follows."""
    return _FORMATTING.sub("\N{REPLACEMENT CHARACTER}", text)


def isolated(text: str) -> str:
    r"""A text of a user so that its direction, if it has one of its own, turns no number beside it.

    Examples
    --------
    >>> isolated("Female"), ascii(isolated("\u202eF"))
    ('Female', "'\\u2068\\ufffdF\\u2069'")
    """
    if not _TURNING.search(text) or ISOLATED.fullmatch(text):
        return text
    return f"\u2068{unturned(text)}\u2069"


def printable(value: object) -> str:
    """A value as text, without characters that would move the cursor."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(value))


@dataclass(frozen=True)
class Bar:
    """A bar in a cell of a table, as long as a share from 0 to 1."""

    share: float


@dataclass(frozen=True)
class Dot:
    """A value with its interval in the tone of its verdict; numbers are places from 0 to 1."""

    value: float
    lower: float | None
    upper: float | None
    tone: str
    axis: Axis


@dataclass(frozen=True)
class Axis:
    """The scale of the dots of a column, with the place and the text of each tick."""

    ticks: tuple[tuple[float, str], ...]
    ideal: float | None
    band: tuple[float, float] | None


@dataclass(frozen=True)
class Cell:
    """A text, smaller text beside it, and the kind of verdict that gives its colour.

    ``picture`` shows what the texts say. ``said`` is for readers who do not see the colour and the
    mark, where the text has no words for them.
    """

    text: str
    detail: str = ""
    tone: str = ""
    picture: Bar | Dot | None = None
    said: str = ""


Row = Mapping[str, Any]


@dataclass(frozen=True)
class Table:
    """Rows below columns; the first column names the rows.

    A row has a value for each column; a `Cell`, or a word in place of a number, stands as it is. It
    may have ``under``, the heading below which it stands, the ``tones`` of its verdicts by their
    columns, and ``is_total`` if it is about all rows. An axis stands below the title of its column.
    A ``look`` is that of the style sheet.
    """

    columns: Columns
    rows: Sequence[Row]
    caption: str = ""
    notes: Sequence[str] = ()
    look: Literal["", "matrix", "dense", "prescribed"] = "dense"
    axes: Mapping[str, Axis] = field(default_factory=dict)

    def captioned(self, caption: str, rows: Iterable[Row] | None = None) -> Table:
        """The rows, or these, without headings and notes, below a caption that says as much."""
        kept = self.rows if rows is None else rows
        return replace(self, rows=[{**row, "under": ""} for row in kept], caption=caption, notes=())

    def select(self, names: Iterable[str]) -> Table:
        """The names of the rows with these columns only, without notes."""
        by_name = {each.name: each for each in self.columns}
        columns = (self.columns[0], *(by_name[name] for name in names))
        return replace(self, columns=columns, notes=())


@dataclass(frozen=True)
class Chart(ABC):
    """A chart, with the marks that it draws; each kind says what a mark has."""

    marks: Sequence[Mapping[str, Any]]

    @property
    def is_flat(self) -> bool:
        """Whether it is wider than high."""
        return False

    @property
    def has_heads(self) -> bool:
        """Whether columns of numbers stand beside its marks, below their names."""
        return False

    @abstractmethod
    def draw(self, look: Any) -> Any:
        """The chart for Vega-Lite, without a width, in the `Look` of a page or of a chart alone."""


@dataclass(frozen=True)
class Figure:
    """A chart, and its numbers in words."""

    caption: str
    in_words: str
    chart: Chart


@dataclass(frozen=True)
class Tally:
    """How often the audit has a verdict."""

    count: int
    words: str
    tone: str


@dataclass(frozen=True)
class Sentences:
    """Paragraphs that belong together: a headline, changes over time, codes, facts, or notes.

    A legend is about what only a page has: charts and marks.
    """

    look: Literal["headline", "codes", "facts", "legend", "notes"]
    sentences: tuple[str, ...]


Part = str | Sentences | Table | tuple[Figure, ...] | tuple[Tally, ...]
"""A paragraph, several, a table, figures side by side, or the counts of the verdicts."""


@dataclass(frozen=True)
class Section:
    """A heading, the sentence that says what was found, and the parts; ``level`` as in HTML."""

    title: str
    parts: tuple[Part, ...]
    level: int = 2
    finding: str = ""


@dataclass(frozen=True)
class Document:
    """A report: a title and the lines below it, the first page, sections, and the last lines.

    ``about`` has what programs read of a page: its author and its description. The ``kind`` of
    report stands above the title.
    """

    title: str
    details: tuple[str, ...]
    first: tuple[Part, ...]
    sections: tuple[Section, ...]
    last: tuple[str, ...]
    about: Mapping[str, str] = field(default_factory=dict)
    kind: str = "Fairness report"


MOST_FIGURES: Final = 24


def first_of(all_of_them: Sized, most: int) -> str:
    """How many are not drawn, if any, for the title of a figure."""
    return f" (the first {most} of {len(all_of_them):,})" if len(all_of_them) > most else ""


def drawn(figures: Sequence[Figure]) -> tuple[Part, ...]:
    """The figures, or the last of them if there are too many for a page."""
    if len(figures) <= MOST_FIGURES:
        return (tuple(figures),) if figures else ()
    note = f"These are the last {MOST_FIGURES} of {len(figures)} charts; the tables have all."
    return (note, tuple(figures[-MOST_FIGURES:]))
