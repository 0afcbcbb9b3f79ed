"""Printed tables read back: the texts of a terminal, of HTML and of Markdown as rows of cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from math import isclose

from tests.pages import with_end_tags

NUMBER = re.compile(r"(?<![\w.])[-−+]?(?:\d[\d,]*(?:\.\d+)?(?:e[-+]\d+)?|inf\b|∞)")


@dataclass(frozen=True)
class Printed:
    """A row of a table, below a caption and a heading."""

    under: str
    cells: tuple[tuple[str, str], ...]
    """Each text below its title; the first one names the row."""


def in_terminal(text: str) -> list[Printed]:
    """The rows of a table whose columns stand at least two blanks apart."""
    titles, *lines = text.rstrip("\n").split("\n")
    indent = len(titles) - len(titles.lstrip())
    body, under, last = [], "", len(lines)
    if not indent:
        last = lines.index("") if "" in lines else last
    for line in lines[:last]:
        if line.startswith(" " * max(indent, 1)) or (line and not indent):
            body.append((under, line))
        elif line:
            under = line
    rows = [titles, *(line for _, line in body)]
    ends = _columns(rows)
    heads, *cells = ([row[start:end].strip() for start, end in ends] for row in rows)
    return [
        Printed(above, tuple(zip(heads, texts, strict=True)))
        for (above, _), texts in zip(body, cells, strict=True)
    ]


def _columns(rows: Sequence[str]) -> list[tuple[int, int]]:
    """Where each column starts and ends: two blanks in all rows part columns."""
    width = max(map(len, rows))
    is_blank = "".join(
        " " if all(row[i : i + 1] in ("", " ") for row in rows) else "x" for i in range(width)
    )
    return [found.span() for found in re.finditer(r"x(?: ?x)*", is_blank)]


def in_html(page: str) -> list[Printed]:
    """The rows of each table of a page, below its caption."""
    page = with_end_tags(re.sub(r"<(style|svg).*?</\1>", "", page, flags=re.DOTALL))
    # A strip draws what the texts of its row say.
    page = re.sub(r'<td class="pf-pic" aria-hidden="true">.*?</td>', "", page, flags=re.DOTALL)
    rows = []
    for table in re.findall(r"<table.*?</table>", page, re.DOTALL):
        caption = re.search(r"<caption>(.*?)</caption>", table, re.DOTALL)
        found = re.findall(r"<tr.*?</tr>", table, re.DOTALL)
        texts = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in found]
        above = _words(caption[1]) if caption else ""
        rows += [*_rows([[*map(_words, row)] for row in texts], above)]
    return rows


def _words(html: str) -> str:
    detail = html.replace("<small>", " (").replace("</small>", ")")
    return " ".join(unescape(re.sub(r"<[^>]*>", "", detail.replace("<wbr>", ""))).split())


def in_markdown(page: str) -> list[Printed]:
    """The rows of each table of a page, below its caption."""
    rows = []
    for caption, table in re.findall(r"\*\*(.+?)\*\*\n\n((?:\|.*\n?)+)", page):
        heads, _, *lines = table.strip("\n").split("\n")
        cells = [
            [unescape(re.sub(r"\\(.)", r"\1", cell.strip())) for cell in line[2:-2].split(" | ")]
            for line in (heads, *lines)
        ]
        rows += [*_rows(cells, unescape(re.sub(r"\\(.)", r"\1", caption)))]
    return rows


def _rows(cells: list[list[str]], caption: str) -> Iterator[Printed]:
    heads, *body = cells
    under = caption
    for name, *texts in body:
        if len(texts) < len(heads) - 1 or not any(texts):
            under = " ".join(filter(None, [caption, name]))
        else:
            yield Printed(under, tuple(zip(heads, (name, *texts), strict=True)))


def passages(page: str) -> Iterator[tuple[str, str]]:
    """The sentences of a page in Markdown, and the rows of its tables; each below its titles."""
    heading = caption = ""
    for line in unescape(re.sub(r"\\(.)", r"\1", page)).split("\n"):
        if line.startswith("#"):
            heading, caption = line, ""
        elif line.startswith("**Table"):
            caption = line
        elif line:
            yield f"{heading} {caption}", line


_PERCENT = re.compile(r"( (to|and) −?[\d.]+)?([ \u202f]%| points)")


def numbers_in(text: str) -> Iterator[tuple[str, bool]]:
    """Each number in a text, and whether it is of a hundred."""
    for found in NUMBER.finditer(text):
        yield found[0], bool(_PERCENT.match(text, found.end()))


def is_one_of(token: str, numbers: Iterable[float]) -> bool:
    """Whether a number in a text is one of these, up to its digits; words may say its sign."""
    signs = (1,) if token[0] in "-−+" else (1, -1)
    # Read once: a page has 300 numbers, each beside 3,000 of its answers.
    shown, reach = _read(token)
    return any(_is(shown, reach, sign * each) for each in numbers for sign in signs)


def agree(text: str, values: Sequence[float | None], *, in_points: bool = False) -> bool:
    """Whether a text has these numbers and no others, up to its digits; a missing one has none."""
    scale = 100 if "%" in text or in_points else 1
    known = [scale * value for value in values if value is not None]
    if text.startswith("<"):
        (limit,) = NUMBER.findall(text)
        return len(known) == 1 and known[0] < float(limit)
    found = NUMBER.findall(text)
    return len(found) == len(known) and all(
        _is(*_read(token), value) for token, value in zip(found, known, strict=True)
    )


def _read(token: str) -> tuple[float, float]:
    """A number in a text, and half of its last digit."""
    plain = token.replace("−", "-").replace(",", "").replace("∞", "inf")
    number, _, power = plain.partition("e")
    unit = 10.0 ** (int(power or 0) - len(number.partition(".")[2]))
    return float(plain), unit / 2 * (1 + 1e-6)


def _is(shown: float, reach: float, value: float) -> bool:
    return abs(shown - value) <= reach or isclose(shown, value)


def without_partner(fits: Sequence[Sequence[int]]) -> list[int]:
    """Pair each row with one of those that fit it, none twice; returns the rows without one."""
    taken: dict[int, int] = {}

    def place(row: int, seen: set[int]) -> bool:
        for each in fits[row]:
            if each not in seen:
                seen.add(each)
                if each not in taken or place(taken[each], seen):
                    taken[each] = row
                    return True
        return False

    return [row for row in range(len(fits)) if not place(row, set())]
