"""The report as a document: its first page, and the sections after it."""

from __future__ import annotations

from collections.abc import Iterator

from polars_fairness.reporting.findings import Findings
from polars_fairness.reporting.first_page.first_page import first_page
from polars_fairness.reporting.parts import Document, Markdown, Section
from polars_fairness.reporting.sections import sections_of
from polars_fairness.reporting.words import title_of


def document_of(findings: Findings) -> Document:
    """Everything that a report says, as plain text, tables and figures."""
    return Document(
        title=title_of(findings.question),
        details=(),
        first=tuple(first_page(findings)),
        sections=(*_notes(findings), *sections_of(findings)),
    )


def _notes(findings: Findings) -> Iterator[Section]:
    if (notes := findings.about.notes) is not None:
        yield Section("Notes", (Markdown(notes),))
