"""The table of conventions: both calls of each row run as they stand on the page.

A row holds the name of a case, a call and what it gives there, a call and what it gives here, a
reason, and the line of the peer that decides its number with some words of that line.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from importlib.metadata import packages_distributions, version
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl
import pytest

from tests.documents import ROOT, Interpreter, examples

from .quiet import import_aif360_for_pages

PAGE: Final = ROOT / "docs" / "coming-from" / "index.md"
HEADER: Final = "| case | there | here | why |"
CALL: Final = r"`([^`]+)` → \*\*([^*]+)\*\*"
ROW: Final = re.compile(
    rf"\| \*\*([^*]+)\*\*: [^|]+ \| {CALL} \| {CALL} \| [^|]+[.] `([^`:]+):(\d+)`: `([^`]+)` \|"
)
WARNING: Final = ", with a warning"
AT_LEAST: Final = 40


class Row(NamedTuple):
    """What a row of the table says."""

    name: str
    call_there: str
    there: str
    call_here: str
    here: str
    file: str
    line: str
    words: str

    @property
    def source(self) -> list[str]:
        """The lines of the peer's file."""
        package, _, path = self.file.partition("/")
        spec = find_spec(package)
        assert spec
        assert spec.origin
        return (Path(spec.origin).parent / path).read_text("utf-8").splitlines()


def _rows() -> dict[str, list[Row]]:
    """The rows of each section of the page; each line of its tables is one."""
    sections = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    rows: dict[str, list[Row]] = {}
    for section in sections:
        title, _, text = section.partition("\n")
        if HEADER in text:
            table = text.partition(HEADER)[2].partition("\n\n")[0].splitlines()[2:]
            found = [ROW.fullmatch(line) for line in table]
            unread = [line for line, match in zip(table, found, strict=True) if not match]
            assert unread == [], f"not in the form of a row: {unread}"
            rows[title] = [Row(*match.groups()) for match in found if match]
    return rows


ROWS: Final = _rows()
ALL: Final = [pytest.param(row, id=row.name) for rows in ROWS.values() for row in rows]


@pytest.fixture(scope="module")
def names() -> Mapping[str, Any]:
    """What the Python of the page has defined at its end."""
    import_aif360_for_pages()
    interpreter = Interpreter()
    for block, _ in examples(PAGE):
        interpreter.paste(block)
    return interpreter.locals


def _given(call: str, names: Mapping[str, Any]) -> str:
    """What a call gives, as the page shows it: a number, null, or the name of an error."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            found = _shown(eval(call, dict(names)))  # a call of our own page
        except Exception as error:  # noqa: BLE001  # whatever error there is belongs in the table
            found = type(error).__name__
    return found + WARNING if warned else found


def _shown(found: Any) -> str:
    if isinstance(found, pl.DataFrame):
        [found] = found.to_series(-1).unique()
    if found is None or isinstance(found, str):
        return found or "null"
    return f"{float(found) + 0:.4g}"  # without the sign of -0


@pytest.mark.parametrize("row", ALL)
def test_both_calls_give_what_the_page_shows(row: Row, names: Mapping[str, Any]) -> None:
    assert _given(row.call_there, names) == row.there
    assert _given(row.call_here, names) == row.here


@pytest.mark.parametrize("row", ALL)
def test_the_line_of_the_peer_holds_the_words_of_the_page(row: Row) -> None:
    assert row.words in row.source[int(row.line) - 1]


def test_sections_name_the_versions_that_are_installed() -> None:
    distributions = packages_distributions()
    for title, rows in ROWS.items():
        text = PAGE.read_text("utf-8").partition(f"\n## {title}\n")[2].partition(HEADER)[0]
        for package in {row.file.partition("/")[0] for row in rows}:
            [name] = distributions[package]
            assert f"{name} {version(name)}" in " ".join(text.split())


def test_each_case_has_a_name_of_its_own() -> None:
    names = sorted(row.name for rows in ROWS.values() for row in rows)
    assert [name for name, following in pairwise(names) if name == following] == []


def test_rows_differ_but_for_those_that_say_that_they_agree() -> None:
    rows = [row for rows in ROWS.values() for row in rows]
    agree = [row.name for row in rows if row.there.removesuffix(WARNING) == row.here]
    assert agree == [row.name for row in rows if row.name.endswith("(the same)")]
    assert len(rows) - len(agree) >= AT_LEAST
