"""Cells of many attributes to cells of fewer: each conjunction is a sum of cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

Attributes = tuple[str, ...]


def rolled_up(
    tables: Mapping[Attributes, pl.DataFrame],
    keys: Sequence[str],
    sums: Sequence[str],
    sizes: range,
    *,
    rows: str,
    minimum_count: int,
) -> Iterator[pl.DataFrame]:
    """The sums of cells for each subset of attributes that has one of these sizes.

    Parameters
    ----------
    tables
        Cells, by the attributes that they have; each subset is added up from one of the tables.
    keys, sums
        The key columns beside the attributes, and the columns to add up.
    sizes
        How many attributes a subset may have.
    rows, minimum_count
        The sum that is the size of a group, and the smallest size that is kept. A group with one
        more attribute is never larger (Apriori: Agrawal and Srikant 1994), so groups that are too
        small are not divided further.
    """
    done: list[frozenset[str]] = []
    for held, table in sorted(tables.items(), key=lambda item: item[1].height):
        start = _Branch(table, (), held, {})
        walk = _Walk(tuple(keys), tuple(sums), sizes, rows, minimum_count, tuple(done))
        yield from walk.below(walk.pruned(start))
        done.append(frozenset(held))


@dataclass(frozen=True)
class _Branch:
    """Cells whose groups fix some attributes, and the open attributes that may divide them."""

    cells: pl.DataFrame
    fixed: Attributes
    open: Attributes
    # By open attribute: the groups of it and the fixed ones that are large, unless all are.
    large: Mapping[str, pl.DataFrame]


@dataclass(frozen=True)
class _Walk:
    """A walk over subsets, which leaves out or fixes one attribute after the other.

    For all 255 subsets of eight attributes of six values it reads 24 million cells; adding up each
    subset from all cells would read 428 million.
    """

    keys: Attributes
    sums: Attributes
    sizes: range
    rows: str
    minimum_count: int
    done: tuple[frozenset[str], ...]

    def below(self, branch: _Branch) -> Iterator[pl.DataFrame]:
        """Yield the groups of the fixed attributes with each subset of the open ones."""
        fixed = branch.fixed
        still_open = branch.open if len(fixed) < self.sizes.stop - 1 else ()
        if not self._is_wanted({*fixed, *still_open}):
            return
        if not still_open:
            yield self._added_up(branch.cells, fixed)
            return
        first, rest = still_open[0], still_open[1:]
        if self._is_wanted({*fixed, *rest}):
            without = self._added_up(branch.cells, (*fixed, *rest))
            yield from self.below(replace(branch, cells=without, open=rest))
        cells, with_first = branch.cells, (*fixed, first)
        if first in branch.large:
            on = [*self.keys, *with_first]
            cells = cells.join(
                branch.large[first], on=on, how="semi", nulls_equal=True, maintain_order="left"
            )
        yield from self.below(self.pruned(_Branch(cells, with_first, rest, {})))

    def _is_wanted(self, attributes: set[str]) -> bool:
        """Whether a subset of attributes is large enough, and not part of a table walked before."""
        return len(attributes) >= self.sizes.start and not any(
            attributes <= each for each in self.done
        )

    def pruned(self, branch: _Branch) -> _Branch:
        """Leave out open attributes by which all groups would be too small."""
        if not self.minimum_count or len(branch.fixed) == self.sizes.stop - 1:
            return branch
        still_open, large = [], {}
        for name in branch.open:
            groups = self._added_up(branch.cells, (*branch.fixed, name))
            kept = groups.filter(pl.col(self.rows) >= self.minimum_count)
            if not kept.is_empty():
                still_open.append(name)
            if kept.height < groups.height:
                large[name] = kept
        cells = branch.cells
        if 0 < len(still_open) < len(branch.open):
            cells = self._added_up(cells, (*branch.fixed, *still_open))
        return _Branch(cells, branch.fixed, tuple(still_open), large)

    def _added_up(self, cells: pl.DataFrame, attributes: Attributes) -> pl.DataFrame:
        by = cells.group_by(*self.keys, *attributes, maintain_order=True)
        return by.agg(pl.col(self.sums).sum())
