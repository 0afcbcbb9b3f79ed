"""What is kept of a page, a table or a message, and its comparison with what is there now."""

from __future__ import annotations

import json
import os
import re
from difflib import unified_diff
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import pytest

from tests.pages import with_end_tags

KEPT: Final = Path(__file__).parent / "kept"
REWRITE: Final = "SNAPSHOTS" in os.environ
"""Whether `make snapshots` writes them anew."""

_MOST_LINES: Final = 30
_VERSION: Final = re.compile(r"(polars-fairness )\d[\w.]*")
_DIGEST: Final = re.compile(r"\b[0-9a-f]{64}\b")
_HEAD: Final = re.compile(r"<head>.*</head>\n", re.DOTALL)
_CHART: Final = re.compile(r"<svg([^>]*)>.*?</svg>", re.DOTALL)
_COLUMN: Final = re.compile(r' style="--pf-[^"]*"')
_WORDS: Final = re.compile(r'aria-label="([^"]*)"')


def same(name: str, text: str) -> None:
    """Compare a text with the one that is kept, or keep it."""
    path = KEPT / name
    text = _DIGEST.sub("DIGEST", _VERSION.sub(r"\1VERSION", text)).rstrip("\n") + "\n"
    if REWRITE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return
    before = path.read_text("utf-8") if path.exists() else ""
    names = (f"kept/{name}", f"{name} now")
    diff = [*unified_diff(before.splitlines(), text.splitlines(), *names, n=1, lineterm="")]
    more = [f"... {len(diff) - _MOST_LINES} more lines"] if len(diff) > _MOST_LINES else []
    if diff:
        shown = "\n".join(line[:300] for line in [*diff[:_MOST_LINES], *more])
        pytest.fail(f"{shown}\nIf this is meant, `make snapshots` keeps it.", pytrace=False)


def readable(page: str) -> str:
    """The elements of a page without styles and column names; of charts, their words."""

    def words(chart: re.Match[str]) -> str:
        label = _WORDS.search(chart[1])
        return f"<svg>{label[1]}</svg>" if label else "<svg/>"

    return _CHART.sub(words, _COLUMN.sub("", _HEAD.sub("", page)))


class _Reader(HTMLParser):
    """The lines of a page that a person reads: its paragraphs, headings, and rows of tables."""

    BLOCKS: Final = frozenset(("p", "h1", "h2", "h3", "caption", "figcaption", "th", "td", "li"))

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self._text: list[str] = []
        self._cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        # Links lead to tables of the page, and what is hidden repeats text as a picture.
        hidden = tag in ("svg", "a", "head") or given.get("aria-hidden") == "true"
        hidden |= given.get("class") == "pf-kicker" or bool(self._open and self._open[-1][1])
        self._open.append((tag, hidden))
        if tag == "small" and not hidden:
            self._text.append("(")

    def handle_endtag(self, tag: str) -> None:
        hidden = self._open[-1][1]
        while self._open and self._open.pop()[0] != tag:
            pass
        if hidden:
            return
        if tag == "small":
            self._text.append(")")
        if tag in self.BLOCKS:
            line, self._text = "".join(self._text).strip(), []
            (self._cells if tag in ("th", "td") else self.lines).append(line)
        if tag == "tr":
            self.lines.append(" | ".join(self._cells))
            self._cells = []

    def handle_data(self, data: str) -> None:
        if not (self._open and self._open[-1][1]):
            self._text.append(data)


def read_page(page: str) -> list[str]:
    """What a person reads on a page, line by line, without the headings that only a page has."""
    reader = _Reader()
    reader.feed(with_end_tags(page))
    lines = (line.rstrip(" |,").replace(", ", " ") for line in reader.lines)
    return [line for line in lines if line and line not in ("How to read this", "Contents")]


def read_markdown(text: str) -> list[str]:
    """What a person reads in Markdown, line by line; several values in a cell have no commas."""

    def plain(line: str) -> str:
        cells = re.split(r"(?<!\\)\|", line.removeprefix("|")) if line.startswith("|") else [line]
        said = " | ".join(each.strip() for each in cells).lstrip("# ").rstrip(" |")
        return unescape(re.sub(r"\*\*|`|\\(?=[^A-Za-z0-9\s])", "", said)).replace(", ", " ")

    lines = text.splitlines()
    return [plain(line) for line in lines if line and not re.fullmatch(r"[-:| ]+", line)]


def rounded(records: str) -> str:
    """JSON with one record on each line; numbers of six digits, the same on every machine."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: plain(each) for name, each in value.items()}
        return float(f"{value:.6g}") if isinstance(value, float) else value

    return "\n".join(json.dumps(plain(each), ensure_ascii=False) for each in json.loads(records))
