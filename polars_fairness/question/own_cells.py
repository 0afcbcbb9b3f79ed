"""Frames that are cells, as `cells` returns them, whose number of rows no argument names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import polars as pl

from polars_fairness.errors import FairnessError
from polars_fairness.question.columns import GivenAs, Probabilities

MOST_CELLS: Final = 100_000
"""Frames with more rows are not examined: to look at as many takes 5 ms."""

_COUNT: Final = "n"


def uncounted(why: str) -> str:
    """The error about cells without a count: each would be a single row."""
    return (
        f"count: the column 'n' seems to count rows, like that of cells: {why}; give count='n' "
        "if each row stands for that many, else rename or drop this column"
    )


def columns_mentioned(given: object) -> Iterator[str]:
    """The columns that the value of an argument mentions, whatever its form.

    Examples
    --------
    >>> sorted(columns_mentioned(["sex", {"fico": pl.col("score") // 10}]))
    ['fico', 'score', 'sex']
    """
    if isinstance(given, str):
        yield given
    elif isinstance(given, pl.Expr):
        yield from given.meta.root_names()
    elif isinstance(given, Probabilities):
        yield from columns_mentioned(given.columns)
    elif isinstance(given, GivenAs):
        yield from columns_mentioned(given.column)
    elif isinstance(given, Mapping):
        yield from columns_mentioned([*given.keys(), *given.values()])
    elif isinstance(given, Sequence) and not isinstance(given, bytes):
        for each in given:
            yield from columns_mentioned(each)


def may_be_cells(columns: Sequence[str], mentioned: Collection[str]) -> bool:
    """Whether the last of these columns has the name of a count of cells, and is not mentioned."""
    return len(columns) > 1 and columns[-1] == _COUNT and _COUNT not in mentioned


def refuse_own_cells(frame: object, given: object) -> None:
    """Raise if the rows of a DataFrame are cells, whose count none of these arguments names."""
    if isinstance(frame, pl.DataFrame) and may_be_cells(frame.columns, {*columns_mentioned(given)}):
        refuse_cells_as_rows(frame)


def refuse_cells_as_rows(frame: pl.DataFrame) -> None:
    """Raise if rows are cells: their numbers are whole, and nothing else repeats.

    Cells taken for rows would all count the same: a rate of 30 % could silently become 50 %.
    """
    numbers = frame[_COUNT]
    if not 0 < frame.height <= MOST_CELLS or not numbers.dtype.is_integer():
        return
    keys = frame.drop(_COUNT)
    if pl.Object in keys.dtypes or numbers.null_count() or (numbers == 1).all():
        return
    if keys.n_unique() == frame.height:
        raise FairnessError(uncounted("it is the last, and no two rows agree in all others"))
