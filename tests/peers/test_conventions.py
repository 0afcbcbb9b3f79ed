"""The table of conventions: both calls of each row run as they stand on the page."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

import pytest

from tests.conventions import WARNING, Row, given, names_of, rows_by_section, versions_named
from tests.paths import ROOT

from .quiet import import_aif360_for_pages

PAGE: Final = ROOT / "docs" / "coming-from" / "conventions.md"
AT_LEAST: Final = 40

ROWS: Final = rows_by_section(PAGE)
ALL: Final = [pytest.param(row, id=row.name) for rows in ROWS.values() for row in rows]


@pytest.fixture(scope="module")
def names() -> Mapping[str, Any]:
    """What the Python of the page has defined at its end."""
    import_aif360_for_pages()
    return names_of(PAGE)


@pytest.mark.parametrize("row", ALL)
def test_both_calls_give_what_the_page_shows(row: Row, names: Mapping[str, Any]) -> None:
    assert given(row.call_there, names) == row.there
    assert given(row.call_here, names) == row.here


@pytest.mark.parametrize("row", ALL)
def test_the_line_of_the_peer_holds_the_words_of_the_page(row: Row) -> None:
    assert row.words in row.decisive_line


def test_sections_name_the_versions_that_are_installed() -> None:
    for title, rows in ROWS.items():
        text = versions_named(PAGE, title)
        assert [row.installed for row in rows if row.installed not in text] == []


def test_each_case_has_a_name_of_its_own() -> None:
    names = sorted(row.name for rows in ROWS.values() for row in rows)
    assert [name for name, following in pairwise(names) if name == following] == []


def test_rows_differ_but_for_those_that_say_that_they_agree() -> None:
    rows = [row for rows in ROWS.values() for row in rows]
    agree = [row.name for row in rows if row.there.removesuffix(WARNING) == row.here]
    assert agree == [row.name for row in rows if row.name.endswith("(the same)")]
    assert len(rows) - len(agree) >= AT_LEAST
