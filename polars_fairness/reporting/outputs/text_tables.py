"""A table as text that fits a terminal: what is too wide continues on the next line, uncut."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest
from textwrap import TextWrapper
from typing import Final

from polars_fairness.api.columns import TEXTS, Column
from polars_fairness.api.verdicts import TONES
from polars_fairness.reporting.parts import Table, printable
from polars_fairness.reporting.tables import written
from polars_fairness.reporting.words import NOTHING

_GAP: Final = "  "


def terminal_text(tables: Iterable[Table], width: int, most: int | None = None) -> str:
    """Tables below each other, in colour where stdout is a terminal that shows colours."""
    # https://no-color.org
    has_colours = sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    texts = (text_of(each, width, in_colour=has_colours, most=most) for each in tables)
    return "\n\n".join(texts)


def text_of(table: Table, width: int, *, in_colour: bool = False, most: int | None = None) -> str:
    """The rows of a table in blocks, each below its heading, and its notes; the first of many.

    Wide columns are left out, the last one first, if other columns would have to shrink.
    """
    rows = table.rows[:most]
    if not rows:
        return NOTHING
    columns = [replace(each, title=printable(each.title)) for each in table.columns]
    texts = {
        each.name: [printable(written(each, row, in_terminal=True)) for row in rows]
        for each in columns
    }
    indent = _GAP if any(row["under"] for row in rows) else ""
    widths = _fitted(columns, texts, width - len(indent))
    columns = [each for each in columns if each.name in widths]

    def line(cells: Iterable[str], colours: Sequence[str]) -> str:
        broken = [
            wrapped(cell, widths[each.name], "") for cell, each in zip(cells, columns, strict=True)
        ]
        lines = []
        for parts in zip_longest(*broken, fillvalue=""):
            padded = [
                part.ljust(widths[each.name])
                if each.format in TEXTS
                else part.rjust(widths[each.name])
                for part, each in zip(parts, columns, strict=True)
            ]
            # The last column needs no padding, and padding must not be coloured.
            padded[-1] = padded[-1].rstrip()
            painted = (
                f"{colour}{part}\x1b[0m" if colour and part.strip() else part
                for part, colour in zip(padded, colours, strict=True)
            )
            lines.append(f"{indent}{_GAP.join(painted).rstrip()}")
        return "\n".join(lines)

    shown = [line([each.title for each in columns], [""] * len(columns))]
    last = ""
    for i, row in enumerate(rows):
        if row["under"] != last:
            shown += ["", *wrapped(printable(row["under"]), width, _GAP)]
            last = row["under"]
        colours = [
            TONES[row["tones"][each.name]].ansi if in_colour and each.format == "verdict" else ""
            for each in columns
        ]
        shown.append(line([texts[each.name][i] for each in columns], colours))
    more = len(table.rows) - len(rows)
    notes = [f"{more:,} more rows; filter the answer to see others"] if more else []
    lines = [
        line for note in (*notes, *table.notes) for line in wrapped(printable(note), width, _GAP)
    ]
    return "\n".join([*shown, *(["", *lines] if lines else [])])


class _OfName(TextWrapper):
    """A wrapper that breaks a name after an underscore."""

    wordsep_simple_re = re.compile(r"(?<=_)")


def wrapped(text: str, width: int, indent: str = _GAP) -> list[str]:
    """The lines of a text, none wider than the width."""
    kind = TextWrapper if " " in text else _OfName
    wrapper = kind(width=max(width, 1), subsequent_indent=indent, break_on_hyphens=False)
    return wrapper.wrap(text) or [""]


def _fitted(columns: Sequence[Column], texts: dict[str, list[str]], width: int) -> dict[str, int]:
    """The width of each column that is shown; if all are too wide, the widest ones shrink first."""
    widths = {each.name: max(map(len, (each.title, *texts[each.name]))) for each in columns}

    def too_much() -> int:
        return max(sum(widths.values()) + len(_GAP) * (len(widths) - 1) - width, 0)

    optional = [each.name for each in columns if each.is_wide]
    while optional and too_much():
        del widths[optional.pop()]
    shown = [each for each in columns if each.name in widths and each.least is not None]
    for each in sorted(shown, key=lambda each: widths[each.name], reverse=True):
        own = widths[each.name]
        widths[each.name] = max(own - too_much(), min(own, each.least or own))
    return widths
