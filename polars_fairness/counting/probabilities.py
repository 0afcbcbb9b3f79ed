"""Parts of the sums of estimated groups, which vary as rows do and are left out in their place.

A row adds its probabilities to the sums of its cell, and to those of a regression their products.
How what rows add varies, sums of products of more probabilities say. They add up over rows and
cells, so that no interval depends on the order of rows: by groups of rows, 38 of 60 orders of one
frame had an interval beyond 0, and 22 had not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
import polars as pl

from polars_fairness.counting.counts import GROUPS, scattered
from polars_fairness.formula.arrays import Floats, Ints
from polars_fairness.question.facets import Facet
from polars_fairness.question.probabilities import SQUARES, most_factors, share
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS
from polars_fairness.question.windows import LINEAR

_DETERMINED: Final = 1e-9
"""The share of a variance below which what went before determines a sum."""

_ROUNDING: Final = 1e-9
"""So much of what rows of a cell move is no more than the last digits."""

_TIMES: Final = 4
"""So many groups have a part of each column: of one row alone, less than all is left out."""

_MOST_CELLS: Final = 5_000
"""So many cells are in every group in 50 MB; of more, numbers of many rows differ by less."""


@dataclass(frozen=True)
class Parts:
    """What is left out of the sums of cells, a line for each part.

    Attributes
    ----------
    cell
        The number of the cell that a part is of.
    group
        The group that it is left out with, one of 200.
    shares
        What it has of the count of each group, the unknown one last.
    products
        What it has of the products of each two groups; without columns where nothing goes by these.
    """

    cell: Ints
    group: Ints
    shares: Floats
    products: Floats

    @classmethod
    def of_known(cls, squares: Floats, outcome: Ints) -> Parts:
        """The parts of cells whose rows are of one group, from the squares of what they add."""
        cell, group, moved = _parts(squares[:, np.newaxis, np.newaxis], outcome)
        return cls(cell, group, moved, moved[:, 1:])

    @property
    def of_regression(self) -> Parts:
        """Those by which a regression varies; none of more groups than products are known of."""
        if self.products.size or not self.cell.size:
            return self
        size = self.shares.shape[1] - 1
        none = np.zeros((0, size * (size + 1) // 2))
        return Parts(self.cell[:0], self.group[:0], self.shares[:0], none)

    @classmethod
    def of_estimated(
        cls, cells: pl.DataFrame, facet: Facet, roles: Roles, whole: Floats, outcome: Ints
    ) -> Parts:
        """The parts of cells of groups known only as probabilities; ``whole`` has their counts."""
        size = len(facet.probabilities)
        is_linear = LINEAR in roles.estimators and most_factors(size, is_linear=True) > 2
        pairs = [*combinations_with_replacement(range(size), 2)] if is_linear else []
        added = [(), *((group,) for group in range(size)), *pairs]
        covariance = np.empty((cells.height, len(added), len(added)))
        for (i, one), (j, other) in combinations_with_replacement(enumerate(added), 2):
            column = _column_of(sorted((*one, *other)), facet, roles)
            squares = cells[column].cast(pl.Float64).fill_null(0.0).to_numpy()
            covariance[:, i, j] = covariance[:, j, i] = squares
        cell, group, moved = _parts(covariance, outcome)
        shares = moved[:, 1 : size + 1]
        rest = moved[:, 0] - shares.sum(axis=1)
        # No row of a cell may be in part unknown.
        is_known = np.abs(rest) <= _ROUNDING * np.sqrt(covariance[cell, 0, 0])
        rest[is_known | ~whole[:, -1].any()] = 0.0
        return cls(cell, group, np.column_stack([shares, rest]), moved[:, size + 1 :])

    def moved(self, numbers: Mapping[str, Floats]) -> dict[str, Floats]:
        """What each part has of numbers of cells by group, as far as these follow from counts."""
        counts = numbers["weight"].sum(axis=1)
        moved = {"weight": self.shares}
        for name in SUMS:
            if name in numbers:
                # Rows of a cell have nearly the same score.
                whole = np.divide(
                    numbers[name].sum(axis=1), counts, out=np.zeros_like(counts), where=counts != 0
                )
                moved[name] = self.shares * whole[self.cell, np.newaxis]
        return moved

    def beside(self, whole: Floats, parts: Floats) -> Floats:
        """Numbers of each cell without its parts, and those of the parts below them."""
        rest = whole.copy()
        np.subtract.at(rest, self.cell, parts)
        return np.vstack([rest, parts])

    def placed(self, whole: Floats, parts: Floats) -> Floats:
        """Numbers of each cell in each group, and last of the rest."""
        placed = np.zeros((GROUPS + 1, *whole.shape))
        np.add.at(placed, (self.group, self.cell), parts)
        placed[GROUPS] = whole - placed[:GROUPS].sum(axis=0)
        return placed


def _column_of(of: list[int], facet: Facet, roles: Roles) -> str:
    """The column of cells with the sum of a product, of what rows stand for, squared."""
    if roles.weight is not None:
        return share(facet, SQUARES, *of) if of else "weight_sq"
    return share(facet, *of) if of else "n"


def _roots(covariance: Floats) -> Floats:
    """The factors L of each covariance, LLᵀ; without what is no more than rounding (Cholesky)."""
    left, roots = covariance.copy(), np.zeros_like(covariance)
    for i in range(covariance.shape[1]):
        pivot = left[:, i, i]
        varies = pivot > _DETERMINED * covariance[:, i, i]
        scale = np.sqrt(np.where(varies, pivot, 1.0))[:, np.newaxis]
        roots[:, i:, i] = np.where(varies[:, np.newaxis], left[:, i:, i] / scale, 0.0)
        left -= roots[:, :, i, np.newaxis] * roots[:, np.newaxis, :, i]
    return roots


def _parts(covariance: Floats, outcome: Ints) -> tuple[Ints, Ints, Floats]:
    """The cell, the group and the numbers of each part, from the covariances of cells.

    The columns of factors of a covariance are independent of each other, and the squares of what
    they move add up to a variance. Each is divided evenly among as many groups as there are for it:
    the less is left out at once, the more what it moves is in proportion.
    """
    roots = _roots(covariance)
    cells, sums, _ = roots.shape
    columns = cells * sums
    if columns > GROUPS:
        return _drawn_parts(roots, covariance, outcome)
    times = GROUPS // max(1, columns)
    group = np.arange(columns * times)
    column, sign = group % max(1, columns), 1 - 2 * (group // max(1, columns) % 2)
    numbers = np.moveaxis(roots, 2, 1).reshape(columns, sums)[column]
    numbers = numbers * (sign / np.sqrt(times))[:, np.newaxis]
    kept = numbers.any(axis=1)
    return (column // max(1, sums))[kept], group[kept], numbers[kept]


def _drawn_parts(roots: Floats, covariance: Floats, outcome: Ints) -> tuple[Ints, Ints, Floats]:
    """The same of more columns than groups: several are left out at once, with signs as if drawn.

    An interval is then as exact as over 200 groups of rows, about a twentieth of its width. What
    the cells of an ``outcome`` have together is exact, so that no score and no stratum that a call
    asks for as well changes the interval of a rate.
    """
    cells, sums, _ = roots.shape
    part = np.arange(_TIMES * cells * sums)
    time, column = np.divmod(part, cells * sums)
    cell, group = column // sums, (column + time * (GROUPS // _TIMES)) % GROUPS
    scale = (1 - 2 * (scattered(part) % 2)) / np.sqrt(_TIMES)
    numbers = np.moveaxis(roots, 2, 1).reshape(-1, sums)[column] * scale[:, np.newaxis]
    outcomes = int(outcome.max()) + 1
    if cells <= _MOST_CELLS and outcomes * sums <= GROUPS:
        whole, drawn = np.zeros((outcomes, sums, sums)), np.zeros((outcomes, GROUPS, sums))
        np.add.at(whole, outcome, covariance)
        np.add.at(drawn, (outcome[cell], group), numbers)
        flat = np.moveaxis(drawn, 2, 1).reshape(outcomes * sums, GROUPS)
        exact = np.zeros((outcomes, sums, outcomes, sums))
        exact[np.arange(outcomes), :, np.arange(outcomes)] = _roots(whole)
        inverse = np.linalg.pinv(_roots((flat @ flat.T)[np.newaxis])[0], rcond=_ROUNDING)
        more = exact.reshape(len(flat), len(flat)) @ inverse @ flat - flat
        share = covariance @ np.linalg.pinv(whole, rcond=_ROUNDING, hermitian=True)[outcome]
        placed = np.moveaxis(share @ more.reshape(outcomes, sums, GROUPS)[outcome], 2, 1)
        np.add.at(placed, (cell, group), numbers)
        cell, group = map(np.ravel, np.indices((cells, GROUPS)))
        numbers = placed.reshape(cell.size, sums)
    kept = numbers.any(axis=1)
    return cell[kept], group[kept], numbers[kept]
