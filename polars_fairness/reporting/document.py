"""The report as a document: its first page, and the sections after it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from typing import Final

from polars_fairness.question.arguments import Question
from polars_fairness.reporting.findings import About, Findings
from polars_fairness.reporting.parts import Document, Markdown, Section
from polars_fairness.reporting.sections.first_page import first_page
from polars_fairness.reporting.sections.order import sections_of
from polars_fairness.reporting.words import title_of

_BELOW: Final = ("model", "version", "author", "date")


def document_of(findings: Findings) -> Document:
    """Everything that a report says, as plain text, tables and figures."""
    about = findings.about
    policy = () if findings.policy is None else (f"Policy: {findings.policy}",)
    return Document(
        title=title_of(findings.question, about),
        details=(*details_of(findings.question, about), *policy),
        first=tuple(first_page(findings)),
        sections=(*notes_of(about), *sections_of(findings)),
        last=(made_by(), f"SHA-256 of the counts of the data: {findings.digest}"),
        about=read_by_programs(about),
    )


def made_by() -> str:
    """The last line of each page, with the version of this package."""
    return f"Made by polars-fairness {version('polars-fairness')}."


def details_of(question: Question, about: About) -> Iterator[str]:
    """The lines below the title, as far as they are known."""
    if about.subject is not None:
        yield about.subject
    if about.title is not None:
        yield title_of(question)
    given = [f"{name.capitalize()}: {about.texts[name]}" for name in _BELOW if name in about.texts]
    if given:
        yield " · ".join(given)


def notes_of(about: About) -> Iterator[Section]:
    """The section with the notes of the user, if there are any."""
    if about.notes is not None:
        yield Section("Notes", (Markdown(about.notes),))


def read_by_programs(about: About) -> dict[str, str]:
    """The author and the description of a page, as far as they are known."""
    given = (("author", about.author), ("description", about.subject))
    return {name: text for name, text in given if text is not None}
