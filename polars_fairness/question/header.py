"""What a frame of cells holds beside its keys, and where it has what was asked of another frame."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import polars as pl

from polars_fairness.question.columns import (
    Column,
    ColumnLike,
    KeyColumns,
    Probabilities,
    UncertainColumn,
    column_called,
    find_single_column,
)
from polars_fairness.question.outcomes import (
    ROLES,
    Model,
    Number,
    Outcome,
    add_powers,
    find_outcomes,
    number_of,
    returned_sums,
)
from polars_fairness.question.own_cells import columns_mentioned
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS, Score, numbers_of
from polars_fairness.question.windows import Windows, is_time

_Keys = TypeVar("_Keys", bound=KeyColumns)


def tallies_in(schema: pl.Schema, keys: Container[str]) -> frozenset[str]:
    """The columns of cells that are sums: those of numbers that are no keys."""
    return frozenset(
        name for name, dtype in schema.items() if dtype.is_numeric() and name not in keys
    )


def score_with_sums(score: Score, tallies: frozenset[str]) -> Score:
    """The score, which cells that have its sums keep rounded."""
    return replace(score, has_sums=True) if tallies.issuperset(SUMS) else score


def numbers_with_sums(numbers: Sequence[Number], tallies: frozenset[str]) -> tuple[Number, ...]:
    """The numbers, whose sums cells have if they have all of them."""
    sums = (returned_sums(add_powers(numbers, is_weighted=each)).values() for each in (False, True))
    has_sums = bool(numbers) and any(map(tallies.issuperset, sums))
    return tuple([replace(number, has_sums=has_sums) for number in numbers])


@dataclass(frozen=True)
class Header:
    """The columns of a frame, in which those of a question about another frame are looked up.

    Where its rows ``are_cells`` of such rows, a computed column is there under its output name, and
    outcomes that are decided are True and False.
    """

    schema: pl.Schema
    are_cells: bool

    def given(self, asked: Column) -> ColumnLike | Probabilities:
        """What names the column here."""
        if isinstance(asked, UncertainColumn):
            parts: Any = zip(asked.groups, map(self.given, asked.parts), strict=True)
            return Probabilities(asked.name, dict(parts))
        is_plain = asked.expression.meta.eq(column_called(asked.name))
        if is_plain or (self.are_cells and asked.name in self.schema):
            return asked.name
        return asked.expression.alias(asked.name)

    def named(self, question: Roles) -> dict[str, Any]:
        """What names the columns of a question that are here, by argument."""
        named: dict[str, Any] = {}
        for column in filter(self._holds, question.as_counted.columns_read):
            named.setdefault(column.argument, []).append(self.given(column))
        return {name: given[0] if len(given) == 1 else given for name, given in named.items()}

    def column(self, asked: Column) -> Column:
        """The column here; raise if there is none."""
        [column] = find_single_column(self.schema, asked.argument, self.given(asked))
        return column

    def keys(self, asked: _Keys) -> _Keys:
        return replace(asked, columns=tuple(map(self.column, asked.columns)))

    def windows(self, asked: Windows) -> Windows:
        """The windows without the columns that this frame lacks."""
        held = self.keys(replace(asked, columns=tuple(filter(self._holds, asked.columns))))
        period = asked.period
        if period is not None:
            name = asked.by_key[period.key].name
            times = {each.name: key for key, each in held.by_key.items() if is_time(each.dtype)}
            period = replace(period, key=times[name]) if name in times else None
        return replace(held, period=period)

    def _holds(self, asked: Column) -> bool:
        return {*columns_mentioned(self.given(asked))} <= self.schema.keys()

    def outcome(self, asked: Outcome | None, *, tries_several: bool = False) -> Outcome | None:
        """The outcome as the rows here have it: decided in cells, or with what decides it."""
        if asked is None:
            return None
        column = self.column(asked.column)
        if tries_several:
            return replace(asked, column=numbers_of(column))
        is_decided = self.are_cells and pl.Boolean == column.dtype != asked.column.dtype
        positive = (False,) if asked.is_inverted else asked.positive
        is_given = positive is not None and not (is_decided or asked.assumed)
        columns, thresholds = dict.fromkeys(ROLES), dict.fromkeys(ROLES)
        found = find_outcomes(
            {**columns, asked.role: column},
            {**thresholds, asked.role: None if is_decided else asked.threshold},
            {column.name: positive} if is_given else None,
        )[ROLES.index(asked.role)]
        return found and replace(found, shares_positive=asked.shares_positive)

    def model(self, asked: Model, *, tries_several: bool) -> Model:
        """The model, without the score of a decision that cells hold."""
        predicted = self.outcome(asked.predicted, tries_several=tries_several)
        score = None
        if asked.score is not None:
            column = self.column(asked.score.column)
            if not (predicted and predicted.column == column and column.dtype == pl.Boolean):
                score = replace(asked.score, column=numbers_of(column), has_sums=False)
        return Model(asked.name, predicted, score, asked.estimated and self.number(asked.estimated))

    def number(self, asked: Number) -> Number:
        return replace(number_of(self.column(asked.column)), has_log=asked.has_log)
