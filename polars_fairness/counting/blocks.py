"""Which columns to count jointly, so that every count wanted is a sum of a small joint count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import inf, prod
from typing import Final

import polars as pl

from polars_fairness.question.facets import Facet
from polars_fairness.question.roles import Roles

# Of ten million rows with eight attributes of six values all triples take 13 s and 2 GB by one
# count of everything, 9.4 s by one of each triple, and 5.1 s by blocks of five, of 31,000 cells.
MOST_CELLS: Final = 100_000

_BYTE: Final = 256


def blocks_of(groupings: Sequence[Sequence[Facet]], roles: Roles) -> list[tuple[Facet, ...]]:
    """Choose what to count so that each grouping lies within one block.

    Groupings of several facets are counted as they are. Facets alone are taken from one of these
    where they can be, and else counted jointly as far as their types bound the number of cells.
    A text may have as many values as there are rows, so it is counted by itself.
    """
    blocks = [tuple(grouping) for grouping in groupings if len(grouping) != 1]
    alone = [facet for grouping in groupings if len(grouping) == 1 for facet in grouping]
    missing = [facet for facet in alone if not any(facet in block for block in blocks)]
    values = [prod(map(_most_values, (dtype for _, dtype in each.fields))) for each in missing]
    each_alone = combinations(range(len(missing)), 1)
    chosen = chosen_blocks(each_alone, values, _most_cells_beside(roles), MOST_CELLS)
    return [*blocks, *(tuple(missing[each] for each in block) for block in chosen)]


def block_with(grouping: Sequence[Facet], blocks: Sequence[Sequence[Facet]]) -> int:
    """Find the first block that a grouping lies within."""
    return next(i for i, block in enumerate(blocks) if all(each in block for each in grouping))


def chosen_blocks(
    wanted: Iterable[Iterable[int]], values: Sequence[float], beside: float, most_cells: int
) -> list[list[int]]:
    """Cover combinations of attributes by blocks that do not have too many cells.

    Parameters
    ----------
    wanted
        The combinations; each lies within one of the blocks, however many cells it has.
    values
        How many values each attribute has.
    beside
        How many cells there are of what else is counted by.
    most_cells
        How many cells a block may have that holds more than one combination.
    """

    def fits(new: int, block: set[int]) -> bool:
        of_block = prod(values[each] for each in block)
        return new not in block and beside * of_block * values[new] <= most_cells

    missing = [frozenset(each) for each in wanted]
    candidates = sorted(frozenset().union(*missing))
    blocks = []
    while missing:
        block = set(missing[0])
        while fitting := [new for new in candidates if fits(new, block)]:
            block.add(max(fitting, key=lambda new: sum(each <= {*block, new} for each in missing)))
        blocks.append(sorted(block))
        missing = [each for each in missing if not each <= block]
    return blocks


def _most_cells_beside(roles: Roles) -> float:
    """How many cells a facet of one value has at most, as far as the types say."""
    keys = (*roles.windows.columns, *roles.strata.columns, *roles.points.columns)
    # An outcome of other numbers than 0 and 1 is refused where only these were assumed.
    outcomes = (
        _most_values(pl.Boolean() if each.is_boolean or each.assumed else each.column.dtype)
        for each in roles.outcomes
    )
    return prod((*(_most_values(key.dtype) for key in keys), *outcomes))


def _most_values(dtype: pl.DataType) -> float:
    """How many values a column has at most, null among them."""
    if dtype == pl.Boolean:
        return 3
    if isinstance(dtype, pl.Enum):
        return len(dtype.categories) + 1
    return _BYTE + 1 if dtype in (pl.Int8, pl.UInt8) else inf
