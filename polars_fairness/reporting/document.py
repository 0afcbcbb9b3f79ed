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
        title=findings.about.title or title_of(findings.question),
        details=tuple(_details(findings)),
        first=tuple(first_page(findings)),
        sections=(*_notes(findings), *sections_of(findings)),
    )


def _details(findings: Findings) -> Iterator[str]:
    """The lines below the title: what the report is about, and who made it of which model."""
    about = findings.about
    if about.subject is not None:
        yield about.subject
    if about.title is not None:
        yield title_of(findings.question)
    labelled = {"Model": about.model, "Version": about.version, "Author": about.author}
    made = [f"{label}: {text}" for label, text in labelled.items() if text is not None]
    if line := " · ".join([*made, *([about.date] if about.date is not None else [])]):
        yield line
    if findings.policy is not None:
        yield f"Judged by the policy {findings.policy}."


def _notes(findings: Findings) -> Iterator[Section]:
    if (notes := findings.about.notes) is not None:
        yield Section("Notes", (Markdown(notes),))
