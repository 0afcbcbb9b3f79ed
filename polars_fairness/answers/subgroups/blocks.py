"""The cells to count for groups of several attributes: each group is a sum of cells.

Counting all attributes at once takes one pass and usually gives few cells. If it gives many, and
groups fix fewer attributes or have a minimum count, blocks of attributes are counted in its place.
Every group that is needed then lies within one block.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import comb, prod
from typing import Final

import polars as pl

from polars_fairness.counting.blocks import MOST_CELLS, chosen_blocks
from polars_fairness.counting.cells import cells_by
from polars_fairness.counting.rows import Rows
from polars_fairness.formula.groups import Groups
from polars_fairness.question.facets import Facet
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS
from polars_fairness.values.intersections import Attributes, rolled_up

# This many cells take some 4 GB.
MOST_AT_ONCE: Final = 10_000_000

# Covering more combinations takes seconds: 4,845, four of twenty attributes, take 1.3.
MOST_COMBINATIONS: Final = 5_000

BLOCK: Final = "block"


def cells_of_blocks(rows: Rows, roles: Roles, groups: Groups) -> pl.LazyFrame:
    """Count the cells of all blocks; column `BLOCK` names the attributes of a cell's block."""
    roles = roles.undecided
    facets = roles.facets
    most, may_be_small = groups.sizes(len(facets))[-1], not groups.minimum_count
    if most == len(facets) and may_be_small:
        return _counted(rows, roles, [facets])
    one_by_one = _counted(rows, roles, [[facet] for facet in facets])
    if most == 1:
        return one_by_one
    return one_by_one.map_batches(
        partial(_counted_by_size, rows, roles, groups),
        predicate_pushdown=False,
        projection_pushdown=False,
        slice_pushdown=False,
    )


@dataclass(frozen=True)
class Sizes:
    """Rows, values of each attribute, and ``beside``: combinations of windows and outcomes."""

    rows: int
    values: tuple[int, ...]
    beside: int

    def cells_of(self, block: Sequence[int]) -> int:
        """The largest number of cells that some attributes can have."""
        return min(self.rows, self.beside * prod(self.values[each] for each in block))

    def blocks_of(self, wanted: Iterable[Iterable[int]]) -> list[list[int]]:
        """Cover combinations of attributes by blocks of few cells."""
        return chosen_blocks(wanted, self.values, self.beside, MOST_CELLS)


def blocks_for(sizes: Sizes, most: int, *, may_be_small: bool) -> list[list[int]] | None:
    """The blocks to count for groups of at most so many attributes; None if these are too large."""
    everything = [*range(len(sizes.values))]
    at_once = sizes.cells_of(everything)
    if at_once <= MOST_CELLS:
        return [everything]
    if most < len(everything) and comb(len(everything), most) <= MOST_COMBINATIONS:
        blocks = sizes.blocks_of(combinations(everything, most))
        return blocks if sum(map(sizes.cells_of, blocks)) < at_once else [everything]
    return [everything] if may_be_small or at_once <= MOST_AT_ONCE else None


def _counted_by_size(
    rows: Rows, roles: Roles, groups: Groups, one_by_one: pl.DataFrame
) -> pl.DataFrame:
    """Choose blocks by the number of values of each attribute, and count their cells."""
    sizes, most = _sizes(one_by_one, roles), groups.sizes(len(roles.facets))[-1]
    least = groups.minimum_count or 0
    if blocks := blocks_for(sizes, most, may_be_small=not least):
        return _collected(rows, roles, blocks)
    cells = one_by_one
    for size in range(2, most + 1):
        larger = _next_combinations(_large_combinations(cells, roles, size - 1, least))
        if not larger:
            break
        found = _collected(rows, roles, sizes.blocks_of(larger))
        cells = pl.concat([_uncovered(cells, found), found])
    return cells


def _large_combinations(
    cells: pl.DataFrame, roles: Roles, size: int, least: int
) -> set[frozenset[int]]:
    """The combinations of ``size`` attributes that have a group of at least ``least`` rows."""
    of_size = range(size, size + 1)
    tables = rolled_up(
        tables_of(cells), roles.windows.keys, ["n"], of_size, rows="n", minimum_count=least
    )
    positions = {name: i for i, name in enumerate(roles.joint_keys)}
    return {
        frozenset(positions[name] for name in table.columns if name in positions)
        for table in tables
        if (table["n"] >= least).any()
    }


def _next_combinations(large: set[frozenset[int]]) -> list[frozenset[int]]:
    """Combinations with one attribute more, all of whose parts are among the given (Apriori)."""
    attributes = frozenset().union(*large)
    larger = {each | {new} for each in large for new in attributes - each}
    return [
        each for each in sorted(larger, key=sorted) if all(each - {one} in large for one in each)
    ]


def _uncovered(cells: pl.DataFrame, larger: pl.DataFrame) -> pl.DataFrame:
    """The cells of the blocks that do not lie within a larger block."""
    blocks = [set(block.split()) for block in larger[BLOCK].unique()]
    own = [
        name
        for name in cells[BLOCK].unique()
        if not any(set(name.split()) <= each for each in blocks)
    ]
    return cells.filter(pl.col(BLOCK).is_in(own))


def _sizes(one_by_one: pl.DataFrame, roles: Roles) -> Sizes:
    of_each = [one_by_one.filter(pl.col(BLOCK) == name) for name in roles.joint_keys]
    values = zip(of_each, roles.joint_keys, strict=True)
    beside = [*roles.windows.keys, *_outcomes(roles)]
    return Sizes(
        rows=int(of_each[0]["n"].sum()),
        values=tuple(cells[name].n_unique() for cells, name in values),
        beside=one_by_one.select(beside).n_unique() if beside else 1,
    )


def _collected(rows: Rows, roles: Roles, blocks: Sequence[Sequence[int]]) -> pl.DataFrame:
    cells = _counted(rows, roles, [[roles.facets[each] for each in block] for block in blocks])
    return cells.collect(engine="streaming")


def tables_of(cells: pl.DataFrame) -> dict[Attributes, pl.DataFrame]:
    """The cells of each block, by the attributes of the block."""
    return {
        tuple(str(block).split()): part
        for (block,), part in cells.partition_by(BLOCK, as_dict=True).items()
    }


def _counted(rows: Rows, roles: Roles, blocks: Sequence[Sequence[Facet]]) -> pl.LazyFrame:
    """The cells of some blocks of facets, one below the other, with the same columns."""
    sums = ["n", "weight", "weight_sq"] if roles.weight else ["n"]
    if roles.score is not None and roles.score.is_rounded:
        sums += SUMS
    parts = []
    for facets, cells in zip(blocks, cells_by(rows, roles, blocks), strict=True):
        own = [name for facet in facets for name in facet.keys]
        attributes = (
            pl.col(name) if name in own else pl.lit(None, facet.column.dtype).alias(name)
            for name, facet in zip(roles.joint_keys, roles.facets, strict=True)
        )
        named = pl.lit(" ".join(own)).alias(BLOCK)
        parts.append(
            cells.select(*roles.windows.keys, *attributes, *_outcomes(roles), *sums, named)
        )
    return pl.concat(parts)


def _outcomes(roles: Roles) -> list[str]:
    """The keys of outcomes and of the score."""
    return [*(outcome.key for outcome in roles.outcomes), *(["score"] if roles.score else [])]
