"""The columns that a file or a stream of Arrow has, by its description.

polars drops a column that has the name of another one, and panics where it reads the rows. The
descriptions are tables of FlatBuffers; only their columns' names are read.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

from polars_fairness.errors import FairnessError

_FILE: Final = b"ARROW1"


def field_of(content: bytes, table: int, number: int) -> int | None:
    """The place of a table's field, from 0 on; None if the table does not have it."""
    fields = table - number_at(content, table)
    if number_at(content, fields, 2) < 6 + 2 * number:  # the table ends before it
        return None
    field = number_at(content, fields + 4 + 2 * number, 2)
    return table + field if field else None


def followed(content: bytes, place: int | None) -> int:
    """The place that a place of the content leads to."""
    return 0 if place is None else place + number_at(content, place)


def number_at(content: bytes, start: int, size: int = 4) -> int:
    """The whole number that stands at a place."""
    return int.from_bytes(content[start : start + size], "little", signed=size > 2)


def refuse_alike_columns_of_file(file: str) -> None:
    """Raise if two columns of a file have one name, as its last part describes them."""
    with Path(file).open("rb") as content:
        size = content.seek(0, 2)
        content.seek(max(0, size - 10))
        end = content.read()
        length = number_at(end, 0)
        if not end.endswith(_FILE) or not 0 < length <= size - 10:
            return  # which polars says
        content.seek(size - 10 - length)
        footer = content.read(length)
    _refuse_alike_columns(footer, field_of(footer, followed(footer, 0), 1), repr(file))


def refuse_alike_columns_of_stream(message: bytes, name: str) -> None:
    """Raise if two columns of a stream have one name, as its first message describes them."""
    _refuse_alike_columns(message, field_of(message, followed(message, 0), 2), name)


def _refuse_alike_columns(content: bytes, schema: int | None, name: str) -> None:
    columns = followed(content, field_of(content, followed(content, schema), 1))
    texts = []
    # A broken description may count more columns than it has bytes.
    number = min(number_at(content, columns), len(content) // 4)
    for place in range(columns + 4, columns + 4 + 4 * number, 4):
        text = followed(content, field_of(content, followed(content, place), 0))
        texts.append(
            content[text + 4 : text + 4 + number_at(content, text)].decode(errors="replace")
        )
    [(column, times)] = Counter(filter(None, texts)).most_common(1) or [("", 0)]
    if times > 1:
        raise FairnessError(
            f"path: {name} has {times} columns called {column!r}; give each a name of its own"
        )
