"""A report as Markdown, in which all names and values from the data are escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from polars_fairness.reporting.parts import (
    Document,
    Part,
    Section,
    Sentences,
    Table,
    Tally,
    writable,
)
from polars_fairness.reporting.tables import is_number, page_cells

# Underscores within words and a dot or dash within a line mean nothing to Markdown.
_SPECIAL: Final = re.compile(r"[\\`*\[\]|~#]|\b_|_\b|(?<!\w)_|_(?!\w)")
_ENTITIES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def written_in_markdown(document: Document) -> str:
    """The headings, sentences and tables of a report as Markdown."""
    details = [as_text(line) for line in document.details]
    blocks = [f"# {as_text(document.title)}", *details, *_blocks(document.first)]
    blocks += map(section_in_markdown, document.sections)
    blocks += map(as_text, document.last)
    return "\n\n".join(blocks) + "\n"


def section_in_markdown(section: Section) -> str:
    """The heading of a section, and what stands below it."""
    finding = [as_text(section.finding)] if section.finding else []
    heading = f"{'#' * section.level} {as_text(section.title)}"
    return "\n\n".join([heading, *finding, *_blocks(section.parts)])


def _blocks(parts: Iterable[Part]) -> Iterator[str]:
    return (block for part in parts if (block := _block(part)))


def as_text(words: str) -> str:
    """The words on one line, with all characters of Markdown and HTML syntax escaped."""
    one_line = " ".join(writable(words).split())
    return _SPECIAL.sub(lambda sign: f"\\{sign[0]}", one_line.translate(_ENTITIES))


def _block(part: Part) -> str:
    if isinstance(part, str):
        return as_text(part)
    if isinstance(part, Sentences):
        return "" if part.look == "legend" else "\n\n".join(map(as_text, part.sentences))
    if isinstance(part, Table):
        return _table(part)
    tallies = (each for each in part if isinstance(each, Tally))
    return "\n".join(f"- {each.count:,} {as_text(each.words)}" for each in tallies)


def _table(table: Table) -> str:
    columns, of_page = page_cells(table)
    rows = [
        [as_text(each.label) for each in columns],
        ["--:" if is_number(each) else "---" for each in columns],
    ]
    for cells in of_page:
        texts = []
        for cell in cells:
            said, detail = as_text(cell.said), as_text(cell.detail)
            detail = f"({detail})" if detail else ""
            texts.append(" ".join(filter(None, [as_text(cell.text), said, detail])))
        # A heading of the rows below it has one cell.
        rows.append(texts + [""] * (len(columns) - len(cells)))
    lines = (f"| {' | '.join(texts)} |" for texts in rows)
    return "\n".join([f"**{as_text(table.caption)}**", "", *lines])
