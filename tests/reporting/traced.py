"""The law of a page: every number of a sentence is in a row that the sentence names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import polars_fairness as pf
from polars_fairness.reporting.document import WrittenReport
from polars_fairness.reporting.parts import Document, Table
from polars_fairness.reporting.tables import blocks, cell_of, page_columns

_NUMBER: Final = re.compile(r"(?<![\w/.])\u2212?\d[\d,]*(?:\.\d+)?")
_COUNTS: Final = re.compile(r"\d[\d,]* more\b")


def document_of(report: WrittenReport, **given: Any) -> Document:
    return report._document(given)


def numbers_in(text: str) -> list[str]:
    return [found.rstrip(",") for found in _NUMBER.findall(text)]


def _rows(table: Table) -> Iterator[tuple[str, str]]:
    """The key of each row, with its texts, its heading, the caption and the notes."""
    for under, rows in blocks(table.rows):
        for row in rows:
            cells = [cell_of(column, row) for column in page_columns(table)]
            texts = " | ".join(
                f"{each.text} {each.detail} {' '.join(each.items)}" for each in cells
            )
            if row.get("key"):
                yield row["key"], " | ".join([under, texts, table.caption, *table.notes])


def untraced(document: Document, confidence: float | None = 0.95) -> list[tuple[str, str]]:
    """The numbers of sentences that the rows they name do not have, each with its sentence."""
    rows: dict[str, str] = {}
    for section in document.sections:
        for table in section.tables:
            for key, text in _rows(table):
                rows[key] = f"{rows.get(key, '')} | {text}"
    level = "" if confidence is None else f"{100 * confidence:.10g}\u202f%"
    found = []
    for section in document.sections:
        for paragraph in section.paragraphs:
            for sentence in paragraph.sentences:
                if sentence.counts:
                    continue
                known = numbers_in(" | ".join(rows.get(key, "") for key in sentence.keys))
                text = _COUNTS.sub("", sentence.text.replace(level, "") if level else sentence.text)
                found += [
                    (number, sentence.text) for number in numbers_in(text) if number not in known
                ]
    return found


__all__ = ["document_of", "numbers_in", "pf", "untraced"]
