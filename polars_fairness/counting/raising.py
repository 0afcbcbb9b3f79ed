"""Errors that a plan raises: their texts are expressions over cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Final, TypeVar

import polars as pl

from polars_fairness.errors import MOST_QUOTED, FairnessError
from polars_fairness.question.facets import SEPARATOR

TEXTS: Final = (pl.String, pl.Categorical, pl.Enum)

Part = str | pl.Expr | Callable[[], pl.Expr]
"""A part of the text of an error."""

_Answer = TypeVar("_Answer")

# Whether faults have no texts yet, while an answer is computed at once, and what stands for one.
_ARE_BRIEF: Final[ContextVar[bool | None]] = ContextVar("are brief", default=None)
_BRIEF: Final = "without words\x1f"


class Faults:
    """Errors that a table may have, and the columns from which their texts are made.

    What is used several times is a column of its own: polars writes out an expression wherever it
    is used, and texts of groups whose shares differ had 20,000 nodes. Errors without texts use
    nearly everything once.

    Parameters
    ----------
    source
        The argument that holds the rows, which errors name, where it is not the frame.
    """

    def __init__(self, source: str = "") -> None:
        self._source = f"{source}: " if source else ""
        self.are_brief = bool(_ARE_BRIEF.get())
        self._texts: list[pl.Expr] = []
        self._layers: list[list[pl.Expr]] = []
        self._layer_of: dict[str, int] = {}

    def held(self, value: pl.Expr) -> pl.Expr:
        """An expression as a column of its own, where texts are made of it."""
        if self.are_brief:
            return value
        layers = [self._layer_of.get(name, -1) for name in value.meta.root_names()]
        layer, name = max(layers, default=-1) + 1, f"held.{len(self._layer_of)}\x1f"
        self._layer_of[name] = layer
        self._layers += [[]] * (layer == len(self._layers))
        self._layers[layer] = [*self._layers[layer], value.alias(name)]
        return pl.col(name)

    def one(self, value: pl.Expr) -> pl.Expr:
        """One value of the whole table."""
        return self.held(value).first()

    def listed(self, values: pl.Expr) -> pl.Expr:
        """Some values of the whole table, in a list.

        What is made of them is made of the list: where two columns have an expression of another
        length in common, sinks of polars 2.1 in memory take it for a column, and end.
        """
        return self.one(values.implode())

    def add(self, is_there: pl.Expr, *parts: Part) -> None:
        """An error, where it is there; some parts of its text only the table shows.

        Parts that are functions make what takes long, where texts are made.
        """
        if self.are_brief:
            self._texts.append(pl.when(is_there).then(pl.lit(_BRIEF)))
            return
        made = (each if isinstance(each, str | pl.Expr) else each() for each in parts)
        texts = (pl.lit(each) if isinstance(each, str) else each for each in made)
        self._texts.append(pl.when(is_there).then(pl.concat_str([pl.lit(self._source), *texts])))

    def raised(self, table: pl.LazyFrame) -> pl.LazyFrame:
        """The same table, in a plan that raises the first of these errors.

        All columns stand in one struct behind the fault. So no projection of the caller's can take
        the fault away from them, and no filter can pass the unnesting.
        """
        if not self._texts:
            return table
        # Strict parsing of a text that is no number is the one error of polars with a text of ours.
        fault = pl.coalesce(self._texts).str.to_integer(strict=True)
        # A filter, and not `when`: of a frame in several chunks polars 2.1, in memory, takes what
        # is left of a choice for elementwise once the sums in it are columns, and loses rows.
        packed = pl.struct(table.collect_schema().names()).alias("cell").filter(fault.is_null())
        for layer in self._layers:
            table = table.with_columns(layer)
        return table.select(packed).unnest("cell")

    def quoted(
        self,
        values: pl.Expr,
        dtype: pl.DataType,
        distinct: pl.Expr | None = None,
        kind: str = "",
    ) -> pl.Expr:
        """Values `listed` in words, if the column has few; else how many it has."""
        texts = self.one(values.list.eval(as_text(pl.element(), dtype)))
        number = values.list.len() if distinct is None else distinct
        many = pl.concat_str([whole(number), pl.lit(f" distinct values ({kind or dtype})")])
        return pl.when(number <= MOST_QUOTED).then(joined_in_words(texts)).otherwise(many)


_RAISED: Final = re.compile(
    r'strict integer parsing failed for \d+ value\(s\): \["(.*?)"\]; ', re.S
)


class _WithoutWordsError(Exception):
    """An error of a user, before it has its text."""


@contextmanager
def errors_of_users() -> Iterator[None]:
    """Raise what a plan raises of `Faults` as the error of a user."""
    try:
        yield
    except pl.exceptions.ComputeError as error:
        match = _RAISED.match(str(error))
        if match is None:
            raise
        raise _WithoutWordsError if match[1] == _BRIEF else FairnessError(match[1]) from None


def worded_if_raised(answer: Callable[[], _Answer]) -> _Answer:
    """Compute an answer; only if there is an error, once more with the texts of errors.

    To make these texts, and to compute them, took 16 of the 30 ms of `di` of ten rows. A plan that
    is returned has them, since nothing computes it once more.
    """
    if _ARE_BRIEF.get() is not None:
        return answer()
    with suppress(_WithoutWordsError):
        return _answered(answer, are_brief=True)
    return _answered(answer, are_brief=False)


def _answered(answer: Callable[[], _Answer], *, are_brief: bool) -> _Answer:
    before = _ARE_BRIEF.set(are_brief)
    try:
        with errors_of_users():
            return answer()
    finally:
        _ARE_BRIEF.reset(before)


def as_text(values: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Values as an error writes them: texts in quotation marks."""
    text = values.cast(pl.String)
    if dtype in TEXTS:
        return pl.lit("'") + as_written(text) + "'"
    return text.str.to_titlecase() if dtype == pl.Boolean else text


def as_written(keys: pl.Expr) -> pl.Expr:
    """Keys as results show them."""
    return keys.str.replace_all(SEPARATOR, " & ", literal=True)


def joined_in_words(texts: pl.Expr, joined_by: str = "and", most: int = 10) -> pl.Expr:
    """A list of texts as a list in a sentence, cut after the first few."""
    number = texts.list.len().cast(pl.Int64)
    first, last = texts.list.head((number - 1).clip(0)).list.join(", "), texts.list.last()
    more = pl.format("{} and {} more", texts.list.head(most).list.join(", "), number - most)
    several = pl.concat_str([first, pl.lit(f" {joined_by} "), last])
    return pl.when(number > most).then(more).when(number > 1).then(several).otherwise(last)


def whole(number: pl.Expr) -> pl.Expr:
    """A whole number with a comma before each three digits."""
    digits = number.cast(pl.Int64).cast(pl.String).str.reverse()
    return digits.str.replace_all(r"(\d{3})", "${1},").str.strip_chars_end(",").str.reverse()


def short(number: pl.Expr) -> pl.Expr:
    """A number with at most three digits that count."""
    return number.cast(pl.String).str.replace(r"(\.0*\d{1,2})\d*", "${1}")


def percent(part: pl.Expr) -> pl.Expr:
    """A share of all as so many of a hundred."""
    text = pl.format("{} %", (100 * part).round(1))
    return pl.when((part > 0) & (part < 0.0005)).then(pl.lit("below 0.1 %")).otherwise(text)
