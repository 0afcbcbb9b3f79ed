"""The tables of conventions: both calls of each row run as they stand on the page.

A row holds the name of a case, a call and what it gives there, a call and what it gives here, a
reason, and the line of the peer that decides its number with some words of that line.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from functools import cache
from importlib.metadata import packages_distributions, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl

from .documents import Interpreter, examples

HEADER: Final = "| case | there | here | why |"
CALL: Final = r"`([^`]+)` → \*\*([^*]+)\*\*"
ROW: Final = re.compile(
    rf"\| \*\*([^*]+)\*\*: [^|]+ \| {CALL} \| {CALL} \| [^|]+[.] `([^`:]+):(\d+)`: `([^`]+)` \|"
)
WARNING: Final = ", with a warning"


class Row(NamedTuple):
    """What a row of a table says."""

    name: str
    call_there: str
    there: str
    call_here: str
    here: str
    file: str
    line: str
    words: str

    @property
    def package(self) -> str:
        return self.file.partition("/")[0]

    @property
    def decisive_line(self) -> str:
        """The line of the peer's file that the row names."""
        spec = find_spec(self.package)
        assert spec
        assert spec.origin
        path = Path(spec.origin).parent / self.file.partition("/")[2]
        return path.read_text("utf-8").splitlines()[int(self.line) - 1]

    @property
    def installed(self) -> str:
        """The name and the version of the peer that is installed."""
        [name] = distributions()[self.package]
        return f"{name} {version(name)}"


@cache
def distributions() -> Mapping[str, list[str]]:
    """The names of packages by their modules: found once, since it reads the files of all."""
    return packages_distributions()


def rows_by_section(page: Path) -> dict[str, list[Row]]:
    """The rows of each section of a page; each line of its tables is one."""
    rows: dict[str, list[Row]] = {}
    for title, text in _sections(page):
        if HEADER in text:
            table = text.partition(HEADER)[2].partition("\n\n")[0].splitlines()[2:]
            found = [ROW.fullmatch(line) for line in table]
            unread = [line for line, match in zip(table, found, strict=True) if not match]
            assert unread == [], f"not in the form of a row: {unread}"
            rows[title] = [Row(*match.groups()) for match in found if match]
    return rows


def versions_named(page: Path, title: str) -> str:
    """What a section says before its table, which names the versions that its rows are about."""
    return " ".join(dict(_sections(page))[title].partition(HEADER)[0].split())


def _sections(page: Path) -> list[tuple[str, str]]:
    sections = re.split(r"^## ", page.read_text("utf-8"), flags=re.MULTILINE)
    return [(title, text) for title, _, text in (each.partition("\n") for each in sections)]


def names_of(page: Path) -> Mapping[str, Any]:
    """What the Python of a page has defined at its end."""
    interpreter = Interpreter()
    for block, _ in examples(page):
        interpreter.paste(block)
    return interpreter.locals


def given(call: str, names: Mapping[str, Any]) -> str:
    """What a call gives, as a page shows it: a number, null, or the name of an error."""
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
