"""Tables that fit the terminal: text that is too wide continues on the next line, uncut."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import TextWrapper
from typing import Final

from polars_fairness.cli.printed import printable
from polars_fairness.cli.words import Row, size, threshold
from polars_fairness.question.windows import MODEL, THRESHOLD

GAP: Final = "  "


@dataclass(frozen=True)
class Column:
    """One column of a table.

    ``least`` is the smallest width to which it may shrink, with text that continues on the next
    line. Optional columns are left out, the last one first, if other columns would have to shrink.
    ``colours`` has an escape code for each cell.
    """

    title: str
    cells: Sequence[str]
    is_number: bool = False
    least: int | None = None
    is_optional: bool = False
    colours: Sequence[str] = ()

    @property
    def width(self) -> int:
        return max(map(len, (self.title, *self.cells)))


def column_of_sizes(sizes: Sequence[float]) -> Column:
    """The numbers of rows of groups, or their weights, which are no whole numbers in an answer."""
    title = "weight" if any(isinstance(n, float) for n in sizes) else "rows"
    return Column(title, [size(n) for n in sizes], is_number=True)


def columns_made(rows: Sequence[Row], made: Container[str]) -> Iterator[Column]:
    """The model and the threshold of rows, as far as the question makes these windows."""
    if MODEL in made:
        yield Column(MODEL, [printable(row[MODEL]) for row in rows], least=8)
    if THRESHOLD in made:
        yield Column(THRESHOLD, [threshold(row) for row in rows], is_number=True)


class _OfName(TextWrapper):
    """A wrapper that breaks a name after an underscore."""

    wordsep_simple_re = re.compile(r"(?<=_)")


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """The lines of a text, none wider than the width."""
    kind = TextWrapper if " " in text else _OfName
    wrapper = kind(width=max(width, 1), subsequent_indent=indent, break_on_hyphens=False)
    return wrapper.wrap(text) or [""]


def table(columns: Iterable[Column], width: int) -> tuple[str, list[str]]:
    """The line of titles and the text of each row, with the columns side by side."""
    kept = _that_fit(list(columns), width)
    widths = _widths(kept, width)
    titles = _row(kept, widths, [column.title for column in kept], [""] * len(kept))
    rows = [
        _row(kept, widths, [column.cells[i] for column in kept], [_colour(c, i) for c in kept])
        for i in range(len(kept[0].cells))
    ]
    return titles, rows


def headed(headings: Sequence[str], columns: Iterable[Column], width: int) -> str:
    """A table whose rows stand in blocks, each below its heading; "" is no heading."""
    titles, lines = table(columns, width - len(GAP))
    shown = [_indented(titles)]
    last = ""
    for text, line in zip(headings, lines, strict=True):
        if text != last:
            shown += ["", *wrapped(text, width, GAP)]
            last = text
        shown.append(_indented(line))
    return "\n".join(shown)


def _indented(text: str) -> str:
    return "\n".join(GAP + line for line in text.splitlines())


def _that_fit(columns: list[Column], width: int) -> list[Column]:
    optional = [column for column in columns if column.is_optional]
    while optional and _total([column.width for column in columns]) > width:
        columns.remove(optional.pop())
    return columns


def _widths(columns: Sequence[Column], width: int) -> list[int]:
    """The width of each column; if all are too wide together, the widest ones shrink first."""
    widths = [column.width for column in columns]
    for i in sorted(range(len(columns)), key=widths.__getitem__, reverse=True):
        least = columns[i].least
        if least is not None:
            too_much = max(_total(widths) - width, 0)
            widths[i] = max(widths[i] - too_much, min(widths[i], least))
    return widths


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _row(
    columns: Sequence[Column], widths: Sequence[int], cells: Sequence[str], colours: Sequence[str]
) -> str:
    broken = [wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    lines = []
    for parts in zip_longest(*broken, fillvalue=""):
        padded = [
            part.rjust(width) if column.is_number else part.ljust(width)
            for part, width, column in zip(parts, widths, columns, strict=True)
        ]
        # The last column needs no padding, and padding must not be coloured.
        padded[-1] = padded[-1].rstrip()
        painted = [_painted(text, colour) for text, colour in zip(padded, colours, strict=True)]
        lines.append(GAP.join(painted).rstrip())
    return "\n".join(lines)


def _colour(column: Column, i: int) -> str:
    return column.colours[i] if column.colours else ""


def _painted(text: str, colour: str) -> str:
    return f"{colour}{text}\x1b[0m" if colour and text.strip() else text
