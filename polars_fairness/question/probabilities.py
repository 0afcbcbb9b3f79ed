"""Facets whose groups are known only as probabilities, and their sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from hashlib import md5
from itertools import combinations_with_replacement
from operator import add, mul, or_
from typing import Any, Final

from polars_fairness.errors import FairnessError, shown
from polars_fairness.question.columns import ColumnLike, Probabilities
from polars_fairness.question.facets import Facet
from polars_fairness.question.outcomes import sums_of_numbers
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS
from polars_fairness.question.windows import LINEAR

SQUARES: Final = "squares"
"""What a row stands for, squared if that is a weight."""

MOST_LINEAR: Final = 6
"""Up to so many groups it is known how a regression on probabilities varies: 203 sums show it."""

Of = tuple[int | str, ...]
"""What a sum is of: the product of groups' probabilities, or of one and another sum of its rows."""


def probabilities(name: str, columns: Mapping[str, ColumnLike]) -> Probabilities:
    """Name a facet whose groups are known only as probabilities, such as race from an address.

    Give it as ``facet``, alone or in a list. Everything is then computed by two estimators, named
    in a column ``estimator`` before ``facet``: "weighted" counts each row by its probabilities, and
    "linear" is the regression of outcomes on them. Both need calibrated probabilities. The
    probabilities of a row add up to 1, or to less if the rest is unknown.

    Parameters
    ----------
    name
        The name of the facet in results.
    columns
        The column with the probability of each group. A null counts as unknown.

    Returns
    -------
    The facet.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> towns = pl.DataFrame(
    ...     {
    ...         "p_black": [0.8, 0.8, 0.2, 0.2],
    ...         "p_white": [0.2, 0.2, 0.8, 0.8],
    ...         "accepted": [1, 0, 1, 0],
    ...         "n": [440, 560, 560, 440],
    ...     }
    ... )
    >>> race = pf.probabilities("race", {"Black": "p_black", "White": "p_white"})
    >>> compared = towns.fairness.dppl(facet=race, predicted="accepted", count="n")
    >>> compared.select("estimator", pl.col("dppl").round(3)).rows()
    [('linear', 0.2), ('weighted', 0.072)]
    """
    if not isinstance(columns, Mapping) or not columns:
        raise FairnessError(
            f"columns: takes {{group: column}}, got {shown(columns)}; give the column with the "
            "probability of each group"
        )
    for each in (name, *columns):
        if not isinstance(each, str):
            raise FairnessError(f"columns: {shown(each)} is not a name; write it as text")
    return Probabilities(name, dict(columns))


def has_probabilities(facet: object) -> bool:
    """Whether the groups of a facet that was given are known only as probabilities."""
    facets = facet if isinstance(facet, list | tuple) else [facet]
    return any(isinstance(each, Probabilities) for each in facets)


def _varying(groups: int, *, is_linear: bool) -> Iterator[Of]:
    """The products whose sums say how what a row adds to all sums of a cell varies.

    These are the products of any two of what it adds: probabilities and, as far as a regression
    goes by them, products of two.
    """
    for degree in range(1, most_factors(groups, is_linear=is_linear) + 1):
        yield from combinations_with_replacement(range(groups), degree)


def most_factors(groups: int, *, is_linear: bool) -> int:
    """How many probabilities are multiplied in the sums that say how estimates vary."""
    return 4 if is_linear and groups <= MOST_LINEAR else 2


def returned_name(facet: Facet, of: Of) -> str:
    """The column with a sum in the answer of `cells`, from which it is read again."""
    names = [column.name for column in facet.probabilities.values()]
    return "*".join(names[each] if isinstance(each, int) else each for each in of)


def sums_of(facet: Facet, roles: Roles) -> Iterator[Of]:
    """What is added up for a facet: shares, and what the estimators need beside them."""
    groups = range(len(facet.probabilities))
    yield from ((group,) for group in groups)
    is_linear, is_weighted = LINEAR in roles.estimators, roles.weight is not None
    varying = [*_varying(len(groups), is_linear=is_linear)] if roles.left_out else []
    squares = [(group, group) for group in groups]
    if is_linear:
        yield from combinations_with_replacement(groups, 2)
    else:
        yield from squares
    if is_weighted:
        yield from dict.fromkeys((SQUARES, *of) for of in (*squares, *varying))
    else:
        known = 2 if is_linear else 1
        yield from (of for of in varying if len(of) > known and (is_linear or of not in squares))
    for word in sums_of_numbers(roles.numbers):
        # A place is the same for all groups.
        if not word.endswith("_place"):
            yield from ((word, group) for group in groups)
    if roles.score is not None and roles.score.is_rounded:
        yield from ((each, group) for each in SUMS for group in groups)


def has_shares(roles: Roles) -> bool:
    """Whether the rows are cells, which have the sums of probabilities already.

    Those of one group have its name.
    """
    sums = (
        returned_name(facet, of)
        for facet in roles.uncertain_facets
        for of in sums_of(facet, roles.showing_spread)
        if len(of) > 1
    )
    return roles.tallies.issuperset(sums)


# A row adds its share, what it stands for times the probability, to the sum of each group, and the
# products of two probabilities to those of each two groups. All add up over shards and days, so
# that what is estimated from the cells of many files is what their rows would give.
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


def scaled(columns: Sequence[Any], of: Any, total: Any) -> list[Any]:
    """The probabilities of a row, scaled to 1 where rounding alone kept their sum from it.

    ``of`` is polars or SQL, and ``columns`` has an expression of it for each group; ``total`` is a
    column with their sum.
    """
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
    terms = {}
    for of in sums_of(facet, roles):
        kind = next((each for each in of if isinstance(each, str)), ROWS)
        factors = [probabilities[each] for each in of if isinstance(each, int)]
        terms[share(facet, *of)] = reduce(mul, factors, *([beside[kind]] if kind in beside else []))
    return terms
