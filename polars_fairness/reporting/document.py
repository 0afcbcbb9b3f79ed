"""The report as a document: its first page, and the sections after it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from typing import Final

from polars_fairness.reporting.findings import Findings
from polars_fairness.reporting.parts import Document, Markdown, Section
from polars_fairness.reporting.sections.first_page.first_page import first_page
from polars_fairness.reporting.sections.order import sections_of
from polars_fairness.reporting.words import title_of

_BELOW: Final = ("model", "version", "author", "date")


def document_of(findings: Findings) -> Document:
    """Everything that a report says, as plain text, tables and figures."""
    about = findings.about
    return Document(
        title=title_of(findings.question, about),
        details=tuple(_details(findings)),
        first=tuple(first_page(findings)),
        sections=(*_notes(findings), *sections_of(findings)),
        last=(
            f"Made by polars-fairness {version('polars-fairness')}.",
            f"SHA-256 of the counts of the data: {findings.digest}",
        ),
        about={
            name: text
            for name, text in (("author", about.author), ("description", about.subject))
            if text is not None
        },
    )


def _details(findings: Findings) -> Iterator[str]:
    """The lines below the title, as far as they are known."""
    about = findings.about
    if about.subject is not None:
        yield about.subject
    if about.title is not None:
        yield title_of(findings.question)
    given = [f"{name.capitalize()}: {about.texts[name]}" for name in _BELOW if name in about.texts]
    if given:
        yield " · ".join(given)
    if findings.policy is not None:
        yield f"Policy: {findings.policy}"


def _notes(findings: Findings) -> Iterator[Section]:
    if (notes := findings.about.notes) is not None:
        yield Section("Notes", (Markdown(notes),))
