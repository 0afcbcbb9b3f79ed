"""Every page of the site is in the navigation, under its name, and leads to another."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import built_pages
import pytest

from tests.paths import ROOT

DOCS = ROOT / "docs"
HOME = "index.md"
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
SITE = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]


def entries(nav: list[Any], section: str = "") -> Iterator[tuple[str, str]]:
    """Each page of a navigation, with its title there, or that of the section which it opens."""
    for entry in nav:
        if isinstance(entry, str):
            yield entry, section
        else:
            for title, below in entry.items():
                yield from [(below, title)] if isinstance(below, str) else entries(below, title)


# The build of the site writes them.
BUILT = [path.relative_to(DOCS).as_posix() for path in built_pages.pages()]
OF_NOTEBOOKS = [page for page in BUILT if page.startswith("notebooks/")]
TITLES = dict(entries(SITE["nav"]))


def text_of(page: str) -> str:
    """The Markdown of a page, with what it includes."""
    text = (DOCS / page).read_text("utf-8")
    return re.sub(r'--8<-- "(.*)"', lambda found: (ROOT / found[1]).read_text("utf-8"), text)


def heading_of(page: str) -> str:
    found = re.search(r"^# (.+)", text_of(page), re.MULTILINE)
    assert found, f"{page} has no heading"
    return found[1]


def words(text: str) -> set[str]:
    return {*re.findall(r"\w+", text.lower())}


def test_every_page_is_in_the_navigation_once() -> None:
    pages = [*PAGES, *BUILT]
    assert Counter(page for page, _ in entries(SITE["nav"])) == dict.fromkeys(pages, 1)


@pytest.mark.parametrize("page", OF_NOTEBOOKS)
def test_a_notebook_has_its_heading_in_the_navigation(page: str) -> None:
    notebook = json.loads((DOCS / page).with_suffix(".ipynb").read_text("utf-8"))
    assert notebook["cells"][0]["source"][0] == f"# {TITLES[page]}\n"


@pytest.mark.parametrize("page", [page for page in PAGES if page != HOME])
def test_a_page_has_its_heading_in_the_navigation_or_a_part_of_it(page: str) -> None:
    assert words(TITLES[page]) <= words(heading_of(page))


@pytest.mark.parametrize("page", [page for page in PAGES if page != HOME])
def test_a_page_leads_to_another(page: str) -> None:
    assert linked_from(page) - {page}


def linked_from(page: str) -> set[str]:
    """The pages of the site to which a page has links."""
    folder = (DOCS / page).parent
    links = re.findall(r"\]\((?!https?:)([^)#]+\.md)", text_of(page))
    linked = {Path(folder, link).resolve() for link in links}
    return {path.relative_to(DOCS).as_posix() for path in linked if path.is_relative_to(DOCS)}
