"""A layout as text that fits a terminal: what is too wide continues on the next line, uncut."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import TextWrapper
from typing import Any, Final

from polars_fairness.answers.columns import TEXTS, Column, Format
from polars_fairness.answers.verdicts import TONES
from polars_fairness.formula.metric import ideal_as_text
from polars_fairness.reporting.parts import printable
from polars_fairness.reporting.plain_words import digits, interval, number, size, span
from polars_fairness.reporting.shown.layouts import Layout, Row
from polars_fairness.reporting.words import NOTHING, Beside, standards_of, value_in_words

GAP: Final = "  "


_WRITTEN: Final[Mapping[Format, Callable[[Any], str]]] = {
    "product": number,
    "hundredth": number,
    "share": number,
    "points": number,
    "tenth": lambda value: "" if value is None else f"{value + 0.0:.1f}",
    "p_value": number,
    "score": digits,
    "ideal": ideal_as_text,
    "size": lambda value: "" if value is None else size(value),
    "text": lambda value: "" if value is None else value_in_words(value),
    "verdict": lambda pair: pair[0],
    "shares": lambda pair: interval(*pair),
    "band": span,
}


@dataclass(frozen=True)
class _Cells:
    """The texts of one column, and an escape code for each if it is coloured."""

    column: Column
    cells: Sequence[str]
    colours: Sequence[str] = ()

    @property
    def width(self) -> int:
        return max(map(len, (printable(self.column.title), *self.cells)))


def text_of(layout: Layout, width: int, *, in_colour: bool = False) -> str:
    """The rows of a layout in blocks, each below its heading, and its notes.

    Wide columns are left out, the last one first, if other columns would have to shrink.
    """
    if not layout.rows:
        return NOTHING
    columns = [
        _Cells(layout.name, [_text(layout.name, row["name"]) for row in layout.rows]),
        *(_cells_of(layout, each, in_colour=in_colour) for each in layout.columns.values()),
    ]
    indent = GAP if any(row["under"] for row in layout.rows) else ""
    titles, lines = _table(columns, width - len(indent))
    shown = [_indented(titles, indent)]
    last = ""
    for row, line in zip(layout.rows, lines, strict=True):
        if row["under"] != last:
            shown += ["", *wrapped(printable(row["under"]), width, GAP)]
            last = row["under"]
        shown.append(_indented(line, indent))
    notes = [line for note in layout.notes for line in wrapped(printable(note), width, GAP)]
    return "\n".join([*shown, *(["", *notes] if notes else [])])


def _cells_of(layout: Layout, column: Column, *, in_colour: bool) -> _Cells:
    texts = [_text(column, row[column.name], _beside(column, row)) for row in layout.rows]
    is_coloured = in_colour and column.format == "verdict"
    tones = [row["tones"][column.name] for row in layout.rows] if is_coloured else []
    return _Cells(column, texts, [TONES[tone].ansi for tone in tones])


def _beside(column: Column, row: Row) -> Beside:
    """The numbers beside which those of a column show on which side they are."""
    if column.name in ("difference", "difference_interval"):
        return (0,)
    has_standards = column.name in ("value", "interval", "reference") and "band_lower" in row
    return standards_of(row) if has_standards else ()


def _text(column: Column, value: Any, beside: Beside = ()) -> str:
    # A word may stand in place of a number.
    if isinstance(value, str):
        return printable(value)
    if column.format in ("number", "known"):
        return number(value, beside)
    if column.format == "span":
        lower, upper = value
        return interval(lower, upper, beside)
    return printable(_WRITTEN[column.format](value))


def in_colour() -> bool:
    """Whether stdout is a terminal that shows colours (https://no-color.org)."""
    return sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


class _OfName(TextWrapper):
    """A wrapper that breaks a name after an underscore."""

    wordsep_simple_re = re.compile(r"(?<=_)")


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """The lines of a text, none wider than the width."""
    kind = TextWrapper if " " in text else _OfName
    wrapper = kind(width=max(width, 1), subsequent_indent=indent, break_on_hyphens=False)
    return wrapper.wrap(text) or [""]


def _table(columns: Iterable[_Cells], width: int) -> tuple[str, list[str]]:
    """The line of titles and the text of each row, with the columns side by side."""
    kept = _that_fit(list(columns), width)
    widths = _widths(kept, width)
    titles = _row(kept, widths, [printable(each.column.title) for each in kept], [""] * len(kept))
    rows = [
        _row(kept, widths, [column.cells[i] for column in kept], [_colour(c, i) for c in kept])
        for i in range(len(kept[0].cells))
    ]
    return titles, rows


def _indented(text: str, indent: str) -> str:
    return "\n".join(indent + line for line in text.splitlines())


def _that_fit(columns: list[_Cells], width: int) -> list[_Cells]:
    optional = [column for column in columns if column.column.is_wide]
    while optional and _total([column.width for column in columns]) > width:
        columns.remove(optional.pop())
    return columns


def _widths(columns: Sequence[_Cells], width: int) -> list[int]:
    """The width of each column; if all are too wide together, the widest ones shrink first."""
    widths = [column.width for column in columns]
    for i in sorted(range(len(columns)), key=widths.__getitem__, reverse=True):
        least = columns[i].column.least
        if least is not None:
            too_much = max(_total(widths) - width, 0)
            widths[i] = max(widths[i] - too_much, min(widths[i], least))
    return widths


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _row(
    columns: Sequence[_Cells], widths: Sequence[int], cells: Sequence[str], colours: Sequence[str]
) -> str:
    broken = [wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    lines = []
    for parts in zip_longest(*broken, fillvalue=""):
        padded = [
            part.ljust(width) if column.column.format in TEXTS else part.rjust(width)
            for part, width, column in zip(parts, widths, columns, strict=True)
        ]
        # The last column needs no padding, and padding must not be coloured.
        padded[-1] = padded[-1].rstrip()
        painted = [_painted(text, colour) for text, colour in zip(padded, colours, strict=True)]
        lines.append(GAP.join(painted).rstrip())
    return "\n".join(lines)


def _colour(column: _Cells, i: int) -> str:
    return column.colours[i] if column.colours else ""


def _painted(text: str, colour: str) -> str:
    return f"{colour}{text}\x1b[0m" if colour and text.strip() else text
