"""The documents: their Python runs, and their links lead somewhere."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import built_pages
import pytest

from tests.documents import (
    DOCUMENTS,
    OF_OTHER_PACKAGES,
    OF_PLACES,
    PLACES,
    run_document,
    text_of,
)
from tests.paths import ROOT


@pytest.mark.extras
@pytest.mark.parametrize("path", sorted({*DOCUMENTS} - {*OF_OTHER_PACKAGES}), ids=str)
def test_code_of_documents_runs_and_prints_what_they_show(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Paste the Python of a document into a fresh interpreter, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    run_document(path, capsys)


@pytest.mark.parametrize("part", PLACES)
def test_parts_about_other_programs_name_the_versions_that_run_them(part: str) -> None:
    installed = (ROOT / "tests" / "places" / "requirements.txt").read_text("utf-8").split()
    named = re.findall(r"`([\w-]+==[\w.]+)`", text_of(OF_PLACES, part))
    assert named
    assert {*named} <= {*installed}


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_links_of_documents_lead_to_files(path: Path) -> None:
    text = path.read_text("utf-8")
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    assert len(links) == text.count("](") - text.count("](http") - text.count("](#")
    assert [link for link in links if not leads_to_a_file(path.parent / link)] == []


def leads_to_a_file(path: Path) -> bool:
    """Whether there is a file, or will be one when the site is built."""
    return path.exists() or path.resolve() in built_pages.pages()


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_links_to_parts_of_documents_lead_to_headings(path: Path) -> None:
    """But for entries of functions, which the build of the site makes and checks."""
    text = path.read_text("utf-8")
    links = re.findall(r"\]\((?!https?:)([^)#]*)#(?!polars_fairness\.)([^)]+)\)", text)
    assert [
        f"{link}#{part}"
        for link, part in links
        if part not in headings_of(path.parent / link if link else path)
    ] == []


@cache
def headings_of(path: Path) -> set[str]:
    """The headings of a document as links name them."""
    text = re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\s-]", "", each).lower().replace(" ", "-") for each in headings}
