"""What is kept of a page, a table or a message, and its comparison with what is there now."""

from __future__ import annotations

import json
import os
import re
from difflib import unified_diff
from pathlib import Path
from typing import Any, Final

import pytest

KEPT: Final = Path(__file__).parent / "kept"
REWRITE: Final = "SNAPSHOTS" in os.environ
"""Whether `make snapshots` writes them anew."""

_MOST_LINES: Final = 30
_VERSION: Final = re.compile(r"(polars-fairness )\d[\w.]*")
_DIGEST: Final = re.compile(r"\b[0-9a-f]{64}\b")
_HEAD: Final = re.compile(r"<head>.*</head>\n", re.DOTALL)
_CHART: Final = re.compile(r"<svg([^>]*)>.*?</svg>", re.DOTALL)
_ROLE: Final = re.compile(r' role="(?:table|rowgroup|row|columnheader|rowheader|cell)"')
_COLUMN: Final = re.compile(r' data-column="[^"]*"')
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
    """The elements of a page without styles, roles and column names; of charts, their words."""

    def words(chart: re.Match[str]) -> str:
        label = _WORDS.search(chart[1])
        return f"<svg>{label[1]}</svg>" if label else "<svg/>"

    return _CHART.sub(words, _ROLE.sub("", _COLUMN.sub("", _HEAD.sub("", page))))


def rounded(records: str) -> str:
    """JSON with one record on each line; numbers of six digits, the same on every machine."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: plain(each) for name, each in value.items()}
        return float(f"{value:.6g}") if isinstance(value, float) else value

    return "\n".join(json.dumps(plain(each), ensure_ascii=False) for each in json.loads(records))
