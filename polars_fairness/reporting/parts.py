"""The parts of a report, and tables of answers, before they are written."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from polars_fairness.api.columns import Column, Columns
from polars_fairness.reporting.scales import Scale

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


def isolated(text: str) -> str:
    r"""A text of a user so that its direction, if it has one of its own, turns no number beside it.

    Examples
    --------
    >>> isolated("Female"), ascii(isolated("\u202eF"))
    ('Female', "'\\u2068\\ufffdF\\u2069'")
    """
    if not _TURNING.search(ISOLATED.sub("", text)):
        return text
    unturned = _FORMATTING.sub("\N{REPLACEMENT CHARACTER}", text)
    return f"\u2068{unturned}\u2069"


def printable(value: object) -> str:
    """A value as text, without characters that would move the cursor or isolate directions."""
    text = ISOLATED.sub(r"\1", str(value))
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


@dataclass(frozen=True)
class Dot:
    """What a chart draws of a row: a value with its interval, in the tone of its verdict.

    A page draws it as a strip in the row; a chart alone draws those with one ``title`` below each
    other, each beside its ``name``.
    """

    scale: Scale
    value: float | None
    lower: float | None = None
    upper: float | None = None
    tone: str = ""
    title: str = ""
    name: str = ""
    beside: Mapping[str, str] = field(default_factory=dict)
    """The texts beside it in a chart alone, by the heads of their columns."""


@dataclass(frozen=True)
class Cell:
    """A text as it is shown, smaller text beside it, and the tone that gives its colour.

    ``items`` stand below each other in place of the text; a terminal has the ``exact`` text. The
    ``ground`` is the name and the depth of the colour below the text.
    """

    text: str
    detail: str = ""
    tone: str = ""
    items: tuple[str, ...] = ()
    exact: str | None = None
    ground: tuple[str, float] | None = None

    @property
    def in_terminal(self) -> str:
        return self.text if self.exact is None else self.exact


Row = Mapping[str, Any]
Look = Literal["", "exhibit", "board", "rates", "values", "groups", "dense", "texts", "prescribed"]


def texts(**labels: str) -> Columns:
    """Columns of text by their names, each below its label or else its name."""
    return tuple(Column(name, type="text", label=label) for name, label in labels.items())


def numbers(**labels: str) -> Columns:
    """Columns of numbers by their names, each below its label or else its name."""
    return tuple(Column(name, label=label) for name, label in labels.items())


@dataclass(frozen=True)
class Table:
    """Rows below columns; the first column names the rows.

    A row has a value for each column; a `Cell`, or a word in place of a number, stands as it is. It
    may have ``under``, the heading below which it stands, the ``tones`` of its verdicts by their
    columns, ``is_total`` if it is about all rows, the ``key`` by which sentences name it, and
    ``dots``, its `Dot` in each column that has some. A page draws those of the ``strips``, each
    before its column. A ``look`` is that of the style sheet. The ``legend`` has notes that stand
    below the table where it shows their columns.
    """

    columns: Columns
    rows: Sequence[Row]
    caption: str = ""
    notes: Sequence[str] = ()
    look: Look = "dense"
    strips: tuple[str, ...] = ()
    legend: Mapping[str, str] = field(default_factory=dict)

    def notes_on(self, columns: Iterable[Column]) -> list[str]:
        """What stands below the table with these columns."""
        of_columns = (self.legend.get(each.name) for each in columns)
        return [note for note in (*self.notes, *of_columns) if note]

    def dots(self, strip: str) -> list[Dot]:
        """The dots of a strip."""
        return [row["dots"][strip] for row in self.rows if strip in row.get("dots", {})]

    def without_empty(self, *names: str) -> Table:
        """The table without those of these columns whose cells say nothing in any row."""
        empty = {name for name in names if not any(row[name].text for row in self.rows)}
        return replace(self, columns=tuple(each for each in self.columns if each.name not in empty))

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
    """A chart with its title, whose other lines are smaller; a table says the same in text."""

    caption: str
    chart: Chart


@dataclass(frozen=True)
class Sentence:
    """What is said from rows of an answer.

    ``keys`` name the rows of the tables that have its numbers. Only a sentence that counts rows of
    a table has numbers that are in no row.
    """

    text: str
    keys: tuple[str, ...] = ()
    counts: bool = False


@dataclass(frozen=True)
class Paragraph:
    """Sentences, perhaps after a label."""

    sentences: tuple[Sentence, ...]
    label: str = ""

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)


@dataclass(frozen=True)
class Section:
    """A heading, sentences, and the charts and tables of the answers that these read.

    ``notes`` stand below the tables. ``level`` is that of the heading, as in HTML. What is to be
    published without the rest is a sheet of its own.
    """

    title: str
    paragraphs: tuple[Paragraph, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()
    level: int = 2
    is_sheet: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.paragraphs or self.tables or self.figures or self.notes)


def said(*texts: str) -> tuple[Paragraph, ...]:
    """Paragraphs of fixed words, without numbers of rows."""
    return tuple(Paragraph((Sentence(text, counts=True),)) for text in texts if text)


@dataclass(frozen=True)
class Document:
    """A page: a title and the lines below it, its sections, and the last lines.

    The first section is page one, whose first sentence is the lead. ``about`` has what programs
    read of a page: its author and its description. The ``kind`` of report stands above the title.
    """

    title: str
    details: tuple[str, ...]
    sections: tuple[Section, ...]
    last: tuple[str, ...]
    about: Mapping[str, str] = field(default_factory=dict)
    kind: str = "Fairness audit"

    def numbers(self) -> Mapping[int, int]:
        """The number of each table, by its identity, through the page."""
        tables = (table for section in self.sections for table in section.tables)
        return {id(table): number for number, table in enumerate(tables, start=1)}

    def tables_of(self, paragraph: Paragraph) -> list[int]:
        """The numbers of the tables that have the rows of a paragraph; rates are there too."""
        keys = {key for sentence in paragraph.sentences for key in sentence.keys}
        numbers = self.numbers()
        return [
            numbers[id(table)]
            for section in self.sections
            for table in section.tables
            # The rates of a group stand beside its values.
            if any(row.get("key") in keys and row["key"][:5] != "rate/" for row in table.rows)
        ]


MOST_FIGURES: Final = 24


def first_of(all_of_them: Sized, most: int) -> str:
    """How many are not drawn, if any, for the title of a figure."""
    return f" (the first {most} of {len(all_of_them):,})" if len(all_of_them) > most else ""
