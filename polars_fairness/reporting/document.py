"""The report as a document: its first page, and the sections after it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from typing import Final

from polars_fairness.question.document_arguments import Texts
from polars_fairness.reporting.findings import Findings
from polars_fairness.reporting.parts import Document, Markdown, Section
from polars_fairness.reporting.sections.first_page import first_page
from polars_fairness.reporting.sections.order import sections_of
from polars_fairness.reporting.words import title_of

_BELOW: Final = ("model", "version", "author", "date")


def document_of(findings: Findings, texts: Texts) -> Document:
    """Everything that a report says, as plain text, tables and figures."""
    title = title_of(findings.question)
    policy = () if findings.policy is None else (f"Policy: {findings.policy}",)
    known = findings.digest
    digest = () if known is None else (f"SHA-256 of the counts of the data: {known}",)
    return Document(
        title=texts.get("title", title),
        details=(*details_of(texts, title), *policy),
        first=tuple(first_page(findings)),
        sections=(*notes_of(texts), *sections_of(findings)),
        last=(made_by(), *digest),
        about=read_by_programs(texts),
    )


def made_by() -> str:
    """The last line of each page, with the version of this package."""
    return f"Made by polars-fairness {version('polars-fairness')}."


def details_of(texts: Texts, title: str) -> Iterator[str]:
    """The lines below the title, as far as they are known, with the title that was replaced."""
    if "subject" in texts:
        yield texts["subject"]
    if "title" in texts:
        yield title
    given = [f"{name.capitalize()}: {texts[name]}" for name in _BELOW if name in texts]
    if given:
        yield " · ".join(given)


def notes_of(texts: Texts) -> Iterator[Section]:
    """The section with the notes of the user, if there are any."""
    if "notes" in texts:
        yield Section("Notes", (Markdown(texts["notes"]),))


def read_by_programs(texts: Texts) -> dict[str, str]:
    """The author and the description of a page, as far as they are known."""
    names = {"author": "author", "description": "subject"}
    return {name: texts[given] for name, given in names.items() if given in texts}
