"""A report as Markdown, in which all names and values from the data are escaped."""

from __future__ import annotations

import re
from typing import Final

from polars_fairness.reporting.parts import Cell, Document, Paragraph, Section, Table, writable
from polars_fairness.reporting.tables import blocks, cell_of, is_number, page_columns

# Underscores within words and a dot or dash within a line mean nothing to Markdown.
_SPECIAL: Final = re.compile(r"[\\`*\[\]|~#]|\b_|_\b|(?<!\w)_|_(?!\w)")
_SPACES: Final = re.compile(r"[^\S\u00a0\u202f]+")
_ENTITIES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def written_in_markdown(document: Document) -> str:
    """The headings, sentences and tables of a report as Markdown."""
    blocks = [f"# {as_text(document.title)}", *map(as_text, document.details)]
    for section in document.sections:
        blocks += section_in_markdown(section, document)
    blocks += map(as_text, document.last)
    return "\n\n".join(blocks) + "\n"


def section_in_markdown(section: Section, document: Document, title: str = "") -> list[str]:
    """The heading of a section, or this title, and what stands below it."""
    title = title or section.title
    heading = [f"{'#' * section.level} {as_text(title)}"] if title else []
    numbers = document.numbers()
    return [
        *heading,
        *map(_paragraph, section.paragraphs),
        *(_table(table, numbers[id(table)]) for table in section.tables),
        *map(as_text, section.notes),
    ]


def as_text(words: str) -> str:
    """The words on one line, with all characters of Markdown and HTML syntax escaped."""
    # Without the narrow spaces before "%", which `split` would break.
    one_line = _SPACES.sub(" ", writable(words)).strip()
    return _SPECIAL.sub(lambda sign: f"\\{sign[0]}", one_line.translate(_ENTITIES))


def _paragraph(paragraph: Paragraph) -> str:
    label = f"**{as_text(paragraph.label)}.** " if paragraph.label else ""
    return label + as_text(paragraph.text)


def _table(table: Table, number: int) -> str:
    columns = page_columns(table)
    lines = [
        [as_text(each.label) for each in columns],
        ["--:" if is_number(each) else "---" for each in columns],
    ]
    for under, rows in blocks(table.rows):
        lines += [[as_text(under), *[""] * (len(columns) - 1)]] if under else []
        lines += [[_cell(cell_of(each, row)) for each in columns] for row in rows]
    written = (f"| {' | '.join(texts)} |" for texts in lines)
    notes = (line for note in table.notes_on(columns) for line in ("", as_text(note)))
    return "\n".join([f"**Table {number}. {as_text(table.caption)}**", "", *written, *notes])


def _cell(cell: Cell) -> str:
    if cell.items:
        return ", ".join(map(as_text, cell.items))
    detail = f"({as_text(cell.detail)})" if cell.detail else ""
    return " ".join(filter(None, [as_text(cell.text), detail]))
