"""What is wrong with the links of a site: files and headings that are not there, other hosts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Final
from urllib.parse import unquote

# A link that a reader follows, or what a browser fetches by itself.
LINK: Final = re.compile(r'<(\w+)\b[^>]*?\s(?:href|src)="?([^"\s>]+)')
ID: Final = re.compile(r'\s(?:id|name)="?([^"\s>]+)')
ELSEWHERE: Final = re.compile(r"(?:[a-z]+:)?//|mailto:|data:")


def broken_links(site: Path) -> Iterator[str]:
    """Yield a line for each link that leads nowhere, and each resource of another host."""
    site = site.resolve()
    pages = {path: path.read_text("utf-8") for path in site.rglob("*.html")}
    headings = {path: {unescape(each) for each in ID.findall(page)} for path, page in pages.items()}
    for path, page in pages.items():
        for element, link in {*LINK.findall(page)}:
            if reason := _fault(path, element, unquote(unescape(link)), headings):
                yield f"{path.relative_to(site)}: {link}: {reason}"


def _fault(path: Path, element: str, link: str, headings: Mapping[Path, set[str]]) -> str | None:
    """Return what is wrong with a link of a page, if anything is."""
    if ELSEWHERE.match(link):
        return None if element == "a" or link.startswith("data:") else "is loaded from another host"
    file, _, heading = link.partition("#")
    target = (path.parent / file.partition("?")[0]).resolve() if file else path
    if target.is_dir():
        target /= "index.html"
    if not target.exists():
        return "no such file"
    if heading and heading not in headings.get(target, {heading}):
        return "no such heading"
    return None
