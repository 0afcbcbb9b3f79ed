"""Which cells to count so that every conjunction up to some depth is a sum of them.

All attributes at once take one pass, and are the only way where a conjunction may fix all of them.
Where it may not, and the cells of all at once come near the number of rows, blocks of attributes
are counted such that every conjunction lies within one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from math import prod
from typing import Final

import polars as pl

from polars_fairness.cells import cells_by
from polars_fairness.roles import Facet, Roles
from polars_fairness.rows import Rows

# Of ten million rows with eight attributes of six values all triples take 4.3 s and 1.8 GB by one
# count of everything, 9.1 s by one of each triple, and 3.4 s and 0.5 GB by blocks of four, which
# have 5,184 cells each; 4.1 s and 0.9 GB by blocks of six, which have 180,000.
MOST_CELLS: Final = 100_000

BLOCK: Final = "block"


def cells_of_blocks(rows: Rows, roles: Roles, depth: int | None) -> pl.LazyFrame:
    """Count cells, each named after the attributes that its block has."""
    facets = roles.facets
    size = min(depth or len(facets), len(facets))
    if size == len(facets):
        return _counted(rows, roles, [facets])
    one_by_one = _counted(rows, roles, [[facet] for facet in facets])
    if size == 1:
        return one_by_one
    return one_by_one.map_batches(
        partial(_counted_anew, rows, roles, size),
        predicate_pushdown=False,
        projection_pushdown=False,
        slice_pushdown=False,
    )


def chosen_blocks(values: Mapping[Facet, int], size: int, cells: int) -> list[tuple[Facet, ...]]:
    """Cover every combination of so many facets by blocks that do not have too many cells.

    ``values`` says how many values each facet has, ``cells`` into how many every group of people
    is divided beside.
    """
    missing = dict.fromkeys(combinations(values, size))
    blocks = []
    while missing:
        block = {*next(iter(missing))}
        while fitting := [
            facet
            for facet in values
            if facet not in block
            and cells * values[facet] * prod(values[each] for each in block) <= MOST_CELLS
        ]:
            block.add(max(fitting, key=lambda facet: _completed(missing, {*block, facet})))
        blocks.append(tuple(facet for facet in values if facet in block))
        missing = {each: None for each in missing if not {*each} <= block}
    return blocks


def _completed(missing: Mapping[tuple[Facet, ...], None], block: set[Facet]) -> int:
    return sum({*each} <= block for each in missing)


def _counted_anew(rows: Rows, roles: Roles, size: int, one_by_one: pl.DataFrame) -> pl.DataFrame:
    """Choose blocks by how many values there are, and count those."""
    values = {
        facet: one_by_one.filter(pl.col(BLOCK) == name)[name].n_unique()
        for facet, name in zip(roles.facets, roles.joint_attributes, strict=True)
    }
    beside = [*roles.window, *(outcome.role for outcome in roles.outcomes)]
    divided = one_by_one.select(beside).n_unique() if beside else 1
    cells = _counted(rows, roles, chosen_blocks(values, size, divided))
    # Shared, the rows of a filtered frame would be kept in memory: ten blocks of 10 million take
    # 0.6 GB without this and ... with it.
    separately = pl.QueryOptFlags(comm_subplan_elim=False)
    return cells.collect(engine="streaming", optimizations=separately)


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
