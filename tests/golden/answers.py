"""The answers to all questions as one long table, and how two such tables differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import isnan
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl

from polars_fairness.errors import FairnessError
from tests.golden.questions import Question, questions

FILE: Final = Path(__file__).with_name("answers.parquet")
TOLERANCE: Final = 1e-12
SHOWN: Final = 20

WORDS: Final = ("verdict", "against", "change", "direction", "ours")
SENTENCES: Final = ("note", "why")
"""Columns whose words are free, but not whether there are any."""

KEYS: Final = ("threshold", "bin_lower")
"""Columns of numbers that say which row it is."""


class Place(NamedTuple):
    """A cell of an answer."""

    question: str
    row: str
    column: str


Value = float | str | None
Answers = dict[Place, Value]


def answers(requested: Iterable[Question] = ()) -> Answers:
    """All answers; a question that is refused has the type of the error as its only cell."""
    return {place: value for each in requested or questions() for place, value in _cells(each)}


def _cells(question: Question) -> Iterator[tuple[Place, Value]]:
    try:
        answer = question.answer()
    except FairnessError as error:
        yield Place(question.name, "", "refused"), type(error).__name__
        return
    if answer.is_empty():
        yield Place(question.name, "", "rows"), 0.0
    named = [
        name
        for name, dtype in answer.schema.items()
        if name in KEYS
        or not (dtype.is_numeric() or dtype == pl.Boolean or name in (*WORDS, *SENTENCES))
    ]
    valued = [name for name in answer.columns if name not in named or name in KEYS]
    rows = sorted(
        (
            (
                [_as_text(row[each]) for each in named],
                [_as_value(each, row[each]) for each in valued],
            )
            for row in answer.iter_rows(named=True)
        ),
        key=repr,
    )
    seen: Counter[str] = Counter()
    for keys, values in rows:
        key = ", ".join(keys)
        seen[key] += 1
        row = f"{key} #{seen[key]}" if seen[key] > 1 else key
        for name, value in zip(valued, values, strict=True):
            yield Place(question.name, row, name), value


def _as_text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _as_value(name: str, value: object) -> Value:
    if name in SENTENCES:
        return float(value is not None)
    if value is None or isinstance(value, str):
        return value
    return float(value)  # type: ignore[arg-type] # a number or a flag


def write(found: Answers) -> None:
    """Keep these answers as those to compare with."""
    table = pl.DataFrame(
        {
            "question": [place.question for place in found],
            "row": [place.row for place in found],
            "column": [place.column for place in found],
            "number": [value if isinstance(value, float) else None for value in found.values()],
            "text": [value if isinstance(value, str) else None for value in found.values()],
        },
        schema_overrides={"number": pl.Float64, "text": pl.String},
    )
    table.sort("question", "column", maintain_order=True).write_parquet(
        FILE, compression="zstd", compression_level=22, statistics=False
    )


def written() -> Answers:
    """The answers that the file has."""
    return {
        Place(question, row, column): number if text is None else text
        for question, row, column, number, text in pl.read_parquet(FILE).iter_rows()
    }


def differences(then: Answers, now: Answers) -> list[str]:
    """One line for each cell that moved, came or went."""
    return [
        f"{', '.join(filter(None, place[:2]))}: {place.column} was "
        f"{_shown(place, then)}, is {_shown(place, now)}"
        for place in {**then, **now}
        if place not in then or place not in now or not _are_equal(then[place], now[place])
    ]


def _shown(place: Place, found: Answers) -> str:
    return repr(found[place]) if place in found else "not there"


def _are_equal(then: Value, now: Value) -> bool:
    if isinstance(then, float) and isinstance(now, float):
        reach = TOLERANCE * max(1.0, abs(then))
        return then == now or (isnan(then) and isnan(now)) or abs(then - now) <= reach
    return then == now
