"""What a page says, read from its Markdown or from its script."""

from __future__ import annotations

import gzip
import re
from base64 import b64decode


def rows_below(markdown: str, caption: str) -> list[list[str]]:
    """The rows of the table below a caption."""
    _, below = re.split(rf"\*\*Table \d+\. {re.escape(caption)}\*\*\n\n", markdown, maxsplit=1)
    table, _, _ = below.partition("\n\n")
    _, _, *lines = ([cell.strip() for cell in line.split(" | ")] for line in table.split("\n"))
    return [[line[0].removeprefix("| "), *line[1:-1], line[-1].rstrip(" |")] for line in lines]


def unpacked(page: str) -> str:
    """The script of an exploration, which unpacks itself in a browser."""
    (packed,) = re.findall(r"atob\((?:\"|&quot;)([A-Za-z0-9+/=]+)(?:\"|&quot;)\)", page)
    return gzip.decompress(b64decode(packed)).decode()


def with_end_tags(page: str) -> str:
    """The page with the end tags of rows and cells, which HTML leaves out."""
    cells = r"(<(t[hd])\b[^>]*>(?:(?!<t[hdr]\b|<tbody|</table).)*)"
    rows = r"(<(tr)\b[^>]*>(?:(?!<tr\b|<tbody|</table).)*)"
    for each in (cells, rows):
        page = re.sub(each, r"\1</\2>", page, flags=re.DOTALL)
    return page
