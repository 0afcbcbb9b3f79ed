"""Facets whose groups are known in probability, and what is added up for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement
from typing import Final

from polars_fairness.errors import FairnessError, shown
from polars_fairness.question.columns import ColumnLike, Probabilities
from polars_fairness.question.facets import Facet
from polars_fairness.question.outcomes import sums_of_numbers
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS
from polars_fairness.question.windows import LINEAR

SQUARES: Final = "squares"
"""The sum of squared weights times squared probabilities."""

Of = tuple[int | str, ...]
"""What a sum is of: a group, two groups, or a group and another sum of its rows."""


def probabilities(name: str, columns: Mapping[str, ColumnLike]) -> Probabilities:
    """Name a facet whose groups are known in probability, such as race estimated from an address.

    Give it as ``facet``, alone or in a list. Everything is then computed by two estimators, in a
    column ``estimator`` before ``facet``: "weighted" counts each row by its probabilities, and
    "linear" is the regression of outcomes on them; both need probabilities that are calibrated. The
    probabilities of a row add up to 1, or to less where the rest is unknown.

    Parameters
    ----------
    name
        The name of the facet in results.
    columns
        The column with the probability of each group. A null adds nothing: it is left to unknown.

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
            raise FairnessError(f"columns: {shown(each)} is no name; write it as text")
    return Probabilities(name, dict(columns))


def has_probabilities(facet: object) -> bool:
    """Whether the groups of a facet that was given are known in probability."""
    facets = facet if isinstance(facet, list | tuple) else [facet]
    return any(isinstance(each, Probabilities) for each in facets)


def returned_name(facet: Facet, of: Of) -> str:
    """The column with a sum in the answer of `cells`, from which it is read again."""
    names = [column.name for column in facet.probabilities.values()]
    return "*".join(names[each] if isinstance(each, int) else each for each in of)


def sums_of(facet: Facet, roles: Roles) -> Iterator[Of]:
    """What is added up for a facet: shares, and what the estimators need beside them."""
    groups = range(len(facet.probabilities))
    yield from ((group,) for group in groups)
    if LINEAR in roles.estimators:
        yield from combinations_with_replacement(groups, 2)
    else:
        yield from ((group, group) for group in groups)
    if roles.weight is not None:
        yield from ((SQUARES, group) for group in groups)
    for word in sums_of_numbers(roles.numbers):
        # A place is the same for all groups.
        if not word.endswith("_place"):
            yield from ((word, group) for group in groups)
    if roles.score is not None and roles.score.is_rounded:
        yield from ((each, group) for each in SUMS for group in groups)
