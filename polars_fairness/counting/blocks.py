"""Which facets to count jointly: each block is counted once, and smaller counts are its sums."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import inf, prod
from typing import Final

import polars as pl

from polars_fairness.question.facets import Facet
from polars_fairness.question.roles import Roles

# Ten million rows, eight attributes of six values, all triples: 13 s and 2 GB with one count of all
# attributes, 9.4 s with a count of each triple, 5.1 s with blocks of five, which have 31,000 cells.
MOST_CELLS: Final = 100_000

_BYTE: Final = 256


def blocks_of(groupings: Sequence[Sequence[Facet]], roles: Roles) -> list[tuple[Facet, ...]]:
    """Choose blocks of facets to count jointly; each grouping is part of one block.

    A grouping of several facets is a block. A single facet is counted as part of such a block if it
    can be. The other single facets form blocks whose number of cells is bounded by the types of
    their values. A text may have as many values as there are rows, so it is a block by itself.
    """
    blocks = [tuple(grouping) for grouping in groupings if len(grouping) != 1]
    single = [facet for grouping in groupings if len(grouping) == 1 for facet in grouping]
    missing = [facet for facet in single if not any(facet in block for block in blocks)]
    values = [prod(map(_most_values, (dtype for _, dtype in each.fields))) for each in missing]
    one_by_one = combinations(range(len(missing)), 1)
    chosen = chosen_blocks(one_by_one, values, _most_cells_per_value(roles), MOST_CELLS)
    return [*blocks, *(tuple(missing[each] for each in block) for block in chosen)]


def block_with(grouping: Sequence[Facet], blocks: Sequence[Sequence[Facet]]) -> int:
    """The number of the first block that has all facets of a grouping."""
    return next(i for i, block in enumerate(blocks) if all(each in block for each in grouping))


def chosen_blocks(
    wanted: Iterable[Iterable[int]], values: Sequence[float], per_value: float, most_cells: int
) -> list[list[int]]:
    """Choose blocks of attributes so that each combination is part of one, with few cells each.

    Parameters
    ----------
    wanted
        The combinations. Each is part of a block, however many cells that takes.
    values
        How many values each attribute has.
    per_value
        How many cells there are for each combination of attribute values.
    most_cells
        The most cells of a block that has more than one combination.
    """

    def fits(new: int, block: set[int]) -> bool:
        size = per_value * prod(values[each] for each in block)
        return new not in block and size * values[new] <= most_cells

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


def _most_cells_per_value(roles: Roles) -> float:
    """An upper bound of the number of cells for each facet value, from the types of other keys."""
    keys = (*roles.windows.columns, *roles.strata.columns, *roles.points.columns)
    # An assumed outcome is 0 or 1: other numbers are an error when the query runs.
    outcomes = (
        _most_values(pl.Boolean() if each.is_boolean or each.assumed else each.column.dtype)
        for each in roles.outcomes
    )
    return prod((*(_most_values(key.dtype) for key in keys), *outcomes))


def _most_values(dtype: pl.DataType) -> float:
    """An upper bound of the number of values of a column, null included."""
    if dtype == pl.Boolean:
        return 3
    if isinstance(dtype, pl.Enum):
        return len(dtype.categories) + 1
    return _BYTE + 1 if dtype in (pl.Int8, pl.UInt8) else inf
