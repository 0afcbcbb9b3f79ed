"""The error of missing values: how many there are, and in which groups their share differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import log
from typing import Final

import polars as pl

from polars_fairness.counting.complete_rows import rows_seen
from polars_fairness.errors import FairnessError
from polars_fairness.question.columns import Column
from polars_fairness.question.facets import written
from polars_fairness.question.roles import Roles

_MOST_GROUPS: Final = 3
"""The largest number of groups that the error names for a column."""

_LEAST_ODDS: Final = 1_000
"""The least odds against chance at which the error names a group of a facet."""

# The label of people who were refused is often unknown; the others alone are no fair sample.
_OTHER_METRICS: Final = "; metrics that need no label still count them"


@dataclass(frozen=True)
class _Missing:
    """A column with the number of rows of each cell, and of those rows in which it is missing."""

    argument: str
    column: Column
    rows: pl.Expr
    missing: pl.Expr


@dataclass(frozen=True)
class _Group:
    """The rows of a facet value, and how many values are missing in them."""

    facet: str
    value: str | None
    missing: int
    rows: int

    @property
    def share(self) -> float:
        return self.missing / self.rows

    @property
    def name(self) -> str:
        value = "unknown" if self.value is None else repr(written(self.value))
        return f"where {self.facet!r} is {value}"


def refuse_missing_values(
    cells: pl.DataFrame, by_facet: Iterable[pl.DataFrame], roles: Roles
) -> None:
    """Raise if a column has missing values, and name groups in which their share differs.

    ``by_facet`` has the same rows, once for each facet, with the columns ``facet`` and ``value``.
    """
    columns = list(_columns(roles))
    numbers = cells.select(each.missing.sum().alias(f"{i}") for i, each in enumerate(columns))
    found = [each for i, each in enumerate(columns) if numbers[f"{i}"].item()]
    if found:
        facets = list(by_facet)
        arguments = ", ".join(dict.fromkeys(each.argument for each in found))
        # Several models may have the same column.
        where = "; ".join(dict.fromkeys(_in_words(each, cells, facets) for each in found))
        for_all = ", for all models alike," if len(roles.decisions) > 1 else ""
        only_labels = arguments == "label" and {each.argument for each in columns} > {"label"}
        apart = _OTHER_METRICS if only_labels else ""
        msg = (
            f"{arguments}: missing values: {where}; "
            f"fill them, or leave these rows out{for_all} with nulls='drop'{apart}"
        )
        raise FairnessError(msg)


def _columns(roles: Roles) -> Iterator[_Missing]:
    seen = rows_seen(roles)
    columns: list[tuple[str, str, Column]] = [
        (outcome.argument, outcome.key, outcome.column) for outcome in roles.outcomes
    ]
    if (score := roles.score) is not None:
        columns.append((score.argument, "score", score.column))
    features = [("features", key, feature) for key, feature in roles.points.by_key.items()]
    for argument, key, column in (*columns, *features):
        missing = pl.when(pl.col(key).is_null()).then(seen).otherwise(0)
        yield _Missing(argument, column, seen, missing)
    for role, number in (("weight", roles.weight), ("count", roles.count)):
        if number is not None:
            # A weight or a count is missing in a row of the frame, however many that stands for.
            yield _Missing(role, number, pl.col("rows"), pl.col(f"null_{role}s"))


def _in_words(column: _Missing, cells: pl.DataFrame, facets: Iterable[pl.DataFrame]) -> str:
    missing, rows = cells.select(missing=column.missing.sum(), all=column.rows.sum()).row(0)
    text = f"{column.column.name!r} has {missing:,} ({_percent(missing / rows)})"
    # In a weight or a count NaN is an error of its own.
    if column.column.dtype.is_float() and column.argument not in ("weight", "count"):
        text += ", null or NaN"
    differing = [group for facet in facets for group in _differing(column, facet, missing / rows)]
    for group in differing:
        if group.missing == group.rows == missing:
            return f"{text}, exactly {group.name}"

    def most_different(group: _Group) -> tuple[float, float, str]:
        return -round(abs(group.share - missing / rows), 12), -group.share, group.name

    differing.sort(key=most_different)
    shares = (f"{_percent(group.share)} {group.name}" for group in differing[:_MOST_GROUPS])
    return ": ".join(filter(None, [text, ", ".join(shares)]))


def _differing(column: _Missing, facet: pl.DataFrame, share: float) -> list[_Group]:
    """The groups whose share of missing values differs from that of all rows beyond chance."""
    groups = [
        _Group(*each)
        for each in facet.group_by("facet", "value")
        .agg(missing=column.missing.sum(), all=column.rows.sum())
        .filter(pl.col("all") > 0)
        .rows()
    ]
    # Hoeffding (1963): if values are missing at random, a share as far away on the same side has
    # at most the probability exp(-rows * divergence), however few rows the group has.
    least = log(_LEAST_ODDS * max(len(groups), 1))
    return [each for each in groups if each.rows * _divergence(each.share, share) > least]


def _divergence(share: float, of_all: float) -> float:
    """The Kullback-Leibler divergence of two shares; the share of all rows is 1 only if all are."""
    parts = ((share, of_all), (1 - share, 1 - of_all))
    return sum(one * log(one / other) for one, other in parts if one > 0)


def _percent(share: float) -> str:
    return "below 0.1 %" if 0 < share < 0.0005 else f"{100 * share:.1f} %"
