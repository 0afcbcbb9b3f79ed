"""The lines of a TOML file on which its keys stand: `tomllib` reads values without their lines."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from typing import Any, Final

# What may be open at the end of a line: nothing, arrays, or a text of several lines.
_CLOSINGS: Final = ("", "\n]", "\n]]", '\n"""', "\n'''")


def line_of(text: str, path: Sequence[str | int]) -> int | None:
    """The number of the line on which a key stands, or an element of an array.

    The file is read again and again, each time one line further, until the path of keys and
    places leads to something. None if it leads nowhere in the whole file.

    Examples
    --------
    >>> from polars_fairness.question.toml_lines import line_of
    >>> text = "[bands]  # edges belong to a band" + chr(10) + "di = [0.8, 1.25]"
    >>> line_of(text, ["bands", "di"]), line_of(text, ["bands"]), line_of(text, ["rules"])
    (2, 1, None)
    """
    lines = text.replace("\r\n", "\n").split("\n")
    for number in range(1, len(lines) + 1):
        part = "\n".join(lines[:number])
        if any(_leads_somewhere(path, table) for table in _tables(part)):
            return number
    return None


def _tables(part: str) -> Iterator[dict[str, Any]]:
    """What the part of a file says, if it can be read when what is open at its end is closed."""
    for closing in _CLOSINGS:
        try:
            yield tomllib.loads(part + closing)
        except tomllib.TOMLDecodeError:
            continue


def _leads_somewhere(path: Sequence[str | int], table: Any) -> bool:
    for step in path:
        try:
            table = table[step]
        except (KeyError, IndexError, TypeError):
            return False
    return True
