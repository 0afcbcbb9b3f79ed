"""Which cells to count so that every conjunction asked for is a sum of them.

All attributes at once take one pass, and most often have few cells. Where they have many, and a
conjunction may not fix all attributes, or may not be small, blocks of attributes are counted such
that every conjunction lies within one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from math import comb, prod
from typing import Final

import polars as pl

from polars_fairness.cells import cells_by
from polars_fairness.intersections import Attributes, rolled_up
from polars_fairness.roles import Facet, Roles
from polars_fairness.rows import Rows
from polars_fairness.terms import Groups

# Of ten million rows with eight attributes of six values all triples take 13 s and 2 GB by one
# count of everything, 9.4 s by one of each triple, and 5.1 s by blocks of five, of 31,000 cells.
MOST_CELLS: Final = 100_000

# So many take some 4 GB.
MOST_AT_ONCE: Final = 10_000_000

# To cover more would take seconds: 4,845, of four among twenty attributes, take 1.3.
MOST_COMBINATIONS: Final = 5_000

BLOCK: Final = "block"


def cells_of_blocks(rows: Rows, roles: Roles, groups: Groups) -> pl.LazyFrame:
    """Count cells, each named after the attributes that its block has."""
    facets = roles.facets
    most, may_be_small = groups.sizes(len(facets))[-1], not groups.minimum_count
    if most == len(facets) and may_be_small:
        return _counted(rows, roles, [facets])
    one_by_one = _counted(rows, roles, [[facet] for facet in facets])
    if most == 1:
        return one_by_one
    return one_by_one.map_batches(
        partial(_counted_anew, rows, roles, groups),
        predicate_pushdown=False,
        projection_pushdown=False,
        slice_pushdown=False,
    )


def chosen_blocks(values: Sequence[int], size: int, cells: int) -> list[list[int]]:
    """Cover every combination of so many attributes by blocks that do not have too many cells.

    ``values`` says how many values each attribute has, ``cells`` into how many every group of
    people is divided beside.
    """
    missing = [frozenset(each) for each in combinations(range(len(values)), size)]
    blocks = []
    while missing:
        block = set(missing[0])
        while fitting := _fitting(block, values, cells):
            block.add(max(fitting, key=lambda new: sum(each <= {*block, new} for each in missing)))
        blocks.append(sorted(block))
        missing = [each for each in missing if not each <= block]
    return blocks


def _fitting(block: set[int], values: Sequence[int], cells: int) -> list[int]:
    """The attributes that a block could have as well."""
    of_block = cells * prod(values[each] for each in block)
    others = (each for each in range(len(values)) if each not in block)
    return [each for each in others if of_block * values[each] <= MOST_CELLS]


def _counted_anew(
    rows: Rows, roles: Roles, groups: Groups, one_by_one: pl.DataFrame
) -> pl.DataFrame:
    """Choose blocks by how many values there are, and count those."""
    values = [
        one_by_one.filter(pl.col(BLOCK) == name)[name].n_unique() for name in roles.joint_attributes
    ]
    beside = [*roles.window, *(outcome.role for outcome in roles.outcomes)]
    divided = one_by_one.select(beside).n_unique() if beside else 1

    def cells_of(block: Sequence[int]) -> int:
        return int(min(n, divided * prod(values[each] for each in block)))

    def counted(blocks: Sequence[Sequence[int]]) -> pl.DataFrame:
        facets = [[roles.facets[each] for each in block] for block in blocks]
        # Shared, the rows of a filtered frame would be kept in memory.
        separately = pl.QueryOptFlags(comm_subplan_elim=False)
        cells = _counted(rows, roles, facets)
        return cells.collect(engine="streaming", optimizations=separately)

    n = one_by_one.filter(pl.col(BLOCK) == roles.joint_attributes[0])["n"].sum()
    everything = range(len(values))
    most, at_once = groups.sizes(len(values))[-1], cells_of(everything)
    if at_once <= MOST_CELLS or comb(len(values), most) > MOST_COMBINATIONS:
        return counted([everything])
    if most < len(values):
        blocks = chosen_blocks(values, most, divided)
        is_less = sum(map(cells_of, blocks)) < at_once
        return counted(blocks if is_less else [everything])
    if at_once <= MOST_AT_ONCE:
        return counted([everything])
    # A conjunction is no larger than its parts: where none of a size is large enough, none of more
    # attributes is.
    cells = one_by_one
    for size in range(2, most + 1):
        larger = counted(chosen_blocks(values, size, divided))
        if not _has_groups(larger, roles, size, groups.minimum_count or 0):
            break
        cells = larger
    return cells


def _has_groups(cells: pl.DataFrame, roles: Roles, size: int, minimum_count: int) -> bool:
    tables = rolled_up(tables_of(cells), roles.window, ["n"], range(size, size + 1))
    return any((table["n"] >= minimum_count).any() for table in tables)


def tables_of(cells: pl.DataFrame) -> dict[Attributes, pl.DataFrame]:
    """Take cells apart by the attributes that they have."""
    return {
        tuple(str(block).split()): part
        for (block,), part in cells.partition_by(BLOCK, as_dict=True).items()
    }


def _counted(rows: Rows, roles: Roles, blocks: Sequence[Sequence[Facet]]) -> pl.LazyFrame:
    """The cells of some blocks of facets, one below the other, in columns that all have."""
    outcomes = [outcome.role for outcome in roles.outcomes]
    sums = ["n", "weight", "weight_sq"] if roles.weight else ["n"]
    parts = []
    for facets, cells in zip(blocks, cells_by(rows, roles, blocks), strict=True):
        own = [name for facet in facets for name in roles.attributes(facet)]
        attributes = (
            pl.col(name) if name in own else pl.lit(None, facet.column.dtype).alias(name)
            for name, facet in zip(roles.joint_attributes, roles.facets, strict=True)
        )
        named = pl.lit(" ".join(own)).alias(BLOCK)
        parts.append(cells.select(*roles.window, *attributes, *outcomes, *sums, named))
    return pl.concat(parts)
