"""The counts of intersections and conjunctions of facets; each is a sum of cells."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import tallied, with_columns_of
from polars_fairness.errors import FairnessError
from polars_fairness.formula.levels import Groups
from polars_fairness.formula.sides import all_, g
from polars_fairness.question.roles import Roles
from polars_fairness.values.levels import summed_up

Attributes = tuple[str, ...]


def rolled_up(
    cells: pl.DataFrame,
    attributes: Attributes,
    keys: Sequence[str],
    sums: Sequence[str],
    sizes: range,
    *,
    rows: str,
    minimum_count: int,
) -> Iterator[pl.DataFrame]:
    """The sums of cells for each subset of attributes that has one of these sizes.

    The sum ``rows`` is the size of a group, which is left out below ``minimum_count``. A group with
    one more attribute is never larger (Apriori: Agrawal and Srikant 1994), so groups that are too
    small are not divided further.
    """
    walk = _Walk(tuple(keys), tuple(sums), sizes, rows, minimum_count)
    yield from walk.below(walk.pruned(_Branch(cells, (), attributes, {})))


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

    def below(self, branch: _Branch) -> Iterator[pl.DataFrame]:
        """Yield the groups of the fixed attributes with each subset of the open ones."""
        fixed = branch.fixed
        still_open = branch.open if len(fixed) < self.sizes.stop - 1 else ()
        if len(fixed) + len(still_open) < self.sizes.start:
            return
        if not still_open:
            yield self._added_up(branch.cells, fixed)
            return
        first, rest = still_open[0], still_open[1:]
        if len(fixed) + len(rest) >= self.sizes.start:
            without = self._added_up(branch.cells, (*fixed, *rest))
            yield from self.below(replace(branch, cells=without, open=rest))
        cells, with_first = branch.cells, (*fixed, first)
        if first in branch.large:
            on = [*self.keys, *with_first]
            cells = cells.join(
                branch.large[first], on=on, how="semi", nulls_equal=True, maintain_order="left"
            )
        yield from self.below(self.pruned(_Branch(cells, with_first, rest, {})))

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


ROWS: Final = "rows"

# Of 12 attributes, 2.6 million groups take 2.3 GB, and fourteen million 11.6.
MOST_GROUPS: Final = 2_000_000

Values = Mapping[str, pl.Series]


def joint_tables(cells: pl.LazyFrame, roles: Roles) -> tuple[pl.DataFrame, Values]:
    """The joint cells of all facets with attributes coded as numbers, and the values of each."""
    cells = cells.filter(pl.col("facet") == roles.joint_facet)
    texts = pl.Struct(dict.fromkeys(roles.joint_keys, pl.String()))
    decoded = pl.col("value").str.json_decode(texts).alias("attributes")
    # Each value is decoded once: cells of other outcomes and windows repeat it.
    attributes = cells.select("value").unique().with_columns(decoded).unnest("attributes")
    jointly = collected(cells.join(attributes, on="value"))
    values = values_of(jointly, roles.joint_keys)
    return collected(coded(jointly.lazy(), values)), values


def values_of(cells: pl.DataFrame, attributes: Iterable[str]) -> Values:
    """The sorted values of each attribute, and null as the last, whether it occurs or not."""
    return {
        name: cells[name].drop_nulls().unique().sort().extend_constant(None, 1)
        for name in attributes
    }


def coded(cells: pl.LazyFrame, values: Values) -> pl.LazyFrame:
    """Replace each attribute value by its position among the values.

    In tables of groups, null is then an attribute that the group does not fix.
    """
    return cells.with_columns(
        pl.col(name).replace_strict(
            known[:-1], range(len(known) - 1), default=len(known) - 1, return_dtype=pl.UInt32
        )
        for name, known in values.items()
    )


def groups_of(
    cells: pl.LazyFrame,
    values: Values,
    roles: Roles,
    groups: Groups,
    keys: Sequence[str],
    *,
    most: float | None = None,
) -> pl.DataFrame:
    """The counts of each group, and of all rows of its window, from cells by all attributes.

    More than ``most`` conjunctions, `MOST_GROUPS` unless it is given, are an error.
    """
    sums = [pl.col(count).sum().alias(f"{g.name}.{count}") for count in tallied(roles)]
    sums.append(pl.col("n").sum().alias(ROWS))
    names = [each.meta.output_name() for each in sums]
    finest = collected(summed_up(cells, [*keys, *values], sums))
    whole = [
        pl.col(f"{g.name}.{count}").sum().alias(f"{all_.name}.{count}") for count in tallied(roles)
    ]
    all_rows = collected(summed_up(finest.lazy(), keys, whole))
    parts = rolled_up(
        finest,
        tuple(values),
        keys,
        names,
        groups.sizes(len(values)),
        rows=ROWS,
        minimum_count=groups.minimum_count or 0,
    )
    if not groups.include_unknown:
        parts = (
            part.filter(
                pl.col(name) < len(known) - 1
                for name, known in values.items()
                if name in part.columns
            )
            for part in parts
        )
    if groups.of == "conjunctions":
        parts = _few(
            parts, finest[[*values]], all_rows.height, MOST_GROUPS if most is None else most
        )
    # The empty table keeps the columns where no group is large enough.
    table = pl.concat([finest.clear(), *parts], how="diagonal")
    if not keys:
        return table.join(all_rows, how="cross")
    return with_columns_of(table, all_rows, keys)


def _few(
    parts: Iterable[pl.DataFrame],
    attributes: pl.DataFrame,
    windows: int,
    most: float,
) -> Iterator[pl.DataFrame]:
    made = 0
    for part in parts:
        made += part.height
        if made > most:
            values = [attribute.n_unique() for attribute in attributes]
            raise FairnessError(
                f"facet: {len(values)} attributes define more than {most:,} groups; "
                f"{_fewer(values, windows, most)}raise minimum_count=, below "
                "which no group is made"
            )
        yield part


def _fewer(values: Iterable[int], windows: int, most: float) -> str:
    """The largest depth that cannot have too many groups, as advice; no word if there is none."""
    # The groups of each depth are at most the coefficients of the product of (1 + values·x).
    of_depth = [1]
    for number in values:
        higher = [0, *(each * number for each in of_depth)]
        of_depth = [less + more for less, more in zip([*of_depth, 0], higher, strict=True)]
    sums = [windows * each for each in accumulate(of_depth[1:])]
    depth = bisect_right(sums, most)
    if not depth:
        return ""
    return f"give depth={depth!r}, which has at most {sums[depth - 1]:,}, or "
