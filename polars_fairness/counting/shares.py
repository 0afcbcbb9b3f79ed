"""Sums over rows whose groups are known in probability: from these, groups are estimated.

A row adds its share, what it stands for times the probability, to the sum of each group, and the
products of two probabilities to those of each two groups. All add up over shards and days, so that
what is estimated from the cells of many files is what their rows would give.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from hashlib import md5
from operator import add, mul, or_
from typing import Any, Final

from polars_fairness.question.facets import Facet
from polars_fairness.question.probabilities import SQUARES, sums_of
from polars_fairness.question.roles import Roles

PREFIX: Final = "share_"

ROWS: Final = "rows"
"""What a row stands for."""

ROUNDED, EXCESSIVE, IMPOSSIBLE = "rounded", "excessive", "impossible"
"""The rows whose sum is scaled to 1, those whose sum is above 1, and those without probabilities.
"""

# Columns are rounded: three thirds of two digits add up to 0.99.
_MOST_ROUNDED: Final = 0.01 + 1e-9
_LEAST_ROUNDED: Final = 1e-9


def is_share(tally: str) -> bool:
    """Whether a column of cells has sums of shares."""
    return tally.startswith(PREFIX)


def share(facet: Facet, *of: int | str) -> str:
    """The column of cells with a sum."""
    # Engines read some characters of a facet's name as more than a name.
    name = md5(facet.name.encode()).hexdigest()[:12]
    return PREFIX + "_".join([name, *map(str, of)])


def scaled(columns: Sequence[Any], of: Any, total: Any = None) -> list[Any]:
    """The probabilities of a row, scaled to 1 where rounding alone kept their sum from it.

    ``of`` is polars or narwhals, and ``columns`` has an expression of it for each group; ``total``
    is a column with their sum, if there is one.
    """
    total = reduce(add, columns) if total is None else total
    is_near = (total - 1.0).abs() <= _MOST_ROUNDED
    scale = of.when(is_near).then(1.0 / total).otherwise(of.lit(1.0))
    return [column * scale for column in columns]


def checked(facet: Facet, columns: Sequence[Any], nans: Sequence[Any], of: Any) -> dict[str, Any]:
    """Whether a row is scaled, adds up to more than 1, or has no probabilities, as 0 or 1."""
    total = reduce(add, columns)
    distance = (total - 1.0).abs()
    conditions = {
        ROUNDED: (distance > _LEAST_ROUNDED) & (distance <= _MOST_ROUNDED),
        EXCESSIVE: total > 1.0 + _MOST_ROUNDED,
        IMPOSSIBLE: reduce(or_, [*nans, *(each < -_LEAST_ROUNDED for each in columns)]),
    }
    return {
        share(facet, name): of.when(condition).then(of.lit(1)).otherwise(of.lit(0))
        for name, condition in conditions.items()
    }


def shares(
    facet: Facet, roles: Roles, probabilities: Sequence[Any], beside: dict[str, Any]
) -> dict[str, Any]:
    """What a row adds to each sum, in polars or in an engine.

    ``beside`` has its `ROWS` and `SQUARES`, and its sums of scores, where these are not 1.
    """
    found = {}
    for of in sums_of(facet, roles):
        kind = next((each for each in of if isinstance(each, str)), ROWS)
        factors = [probabilities[each] for each in of if isinstance(each, int)]
        factors *= 2 if kind == SQUARES else 1
        found[share(facet, *of)] = reduce(mul, factors, *([beside[kind]] if kind in beside else []))
    return found
