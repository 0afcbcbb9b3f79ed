"""Rows that are counted once, by all that several questions need, and then not read again.

The cells of each question are sums of the cells counted. A question that needs more than was
counted, such as other columns, is counted from the rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

import polars as pl

from polars_fairness.counting.counts import CLUSTER, unlisted
from polars_fairness.counting.models import Count
from polars_fairness.counting.polars_rows import (
    MOST_CELLS,
    Counted,
    blocks_of,
    row_keys_beside_score,
    sums_of_tallies,
    tallies_of,
    with_scores,
)
from polars_fairness.counting.rows import AnyFrame, Rows, column_names
from polars_fairness.question.columns import Column
from polars_fairness.question.facets import Facet
from polars_fairness.question.scores import SUMS, Score, Unrounded


@dataclass(frozen=True)
class FineCells:
    """The cells of one count, counted when they are first needed; its facets are attributes."""

    rows: Rows
    count: Count
    of_facets: tuple[tuple[Facet, ...], ...]

    @classmethod
    def of(cls, rows: Rows, count: Count) -> FineCells:
        """The cells of a count; attributes that its facets have in common are counted once."""
        attributes: list[Facet] = []
        of_facets = tuple(_attributes_of(facet, attributes) for facet in count.roles.facets)
        of_attributes = replace(count, roles=count.roles.with_facets(attributes))
        return cls(rows, of_attributes, of_facets)

    @cached_property
    def blocks(self) -> tuple[tuple[Facet, ...], ...]:
        """The attributes that are counted jointly: all together, or else those of each facet."""
        everything = self.count.roles.facets
        is_needed = self.count.roles.are_joint or everything in self.of_facets
        if is_needed or len(everything) < 2 or self._has_few_cells:
            return (everything,)
        return tuple(dict.fromkeys(self.of_facets))

    @property
    def _has_few_cells(self) -> bool:
        """Whether all attributes together have few cells, by their types or by their values.

        Two attributes without subgroups are counted jointly anyway, for the worst groups.
        """
        count, attributes = self.count, self.count.roles.facets
        are_bounded = len(blocks_of([[each] for each in attributes], count)) == 1
        if are_bounded or (len(attributes) == 2 and not count.roles.strata):
            return True
        if count.score is not None and isinstance(count.score.rounding, Unrounded):
            return False
        return prod(self.rows.values(attributes, count).values()) <= MOST_CELLS

    @cached_property
    def _cells(self) -> list[pl.DataFrame]:
        [counted] = self.rows.counted(self.blocks, [self.count])
        # One at a time: collected together, polars would share the rows and hold them in memory.
        return [unlisted(each.cells).collect(engine="streaming") for each in counted]

    def added_up(self, facets: Sequence[Facet], count: Count) -> pl.LazyFrame | None:
        """The cells of a count by some facets; None if they do not follow from these cells."""
        measures, score_keys = self._measures(count, facets), self._score_keys(count.score)
        if measures is None or score_keys is None:
            return None
        needed = row_keys_beside_score(count, facets)
        for number, block in enumerate(self.blocks):
            keys = _columns_of_keys(needed, row_keys_beside_score(self.count, block))
            if keys is not None and {*measures} <= {*self._cells[number].columns, *SUMS}:
                cells = _grouped(self._cells[number].lazy(), [*keys, *score_keys], measures)
                return with_scores(cells, count)
        return None

    def _measures(self, count: Count, facets: Sequence[Facet]) -> dict[str, pl.Expr] | None:
        roles, own = count.roles, self.count.roles
        if not (_are_same(roles.weight, own.weight) and _are_same(roles.count, own.count)):
            return None
        if roles.cluster and not _are_same(roles.cluster, own.cluster):
            return None
        measures = {name: pl.col(name) for name in tallies_of(count, facets)}
        is_rounded = self.count.score is not None and self.count.score.is_rounded
        if {*SUMS} <= measures.keys() and not is_rounded:
            mass, value = pl.col(roles.mass), pl.col("score")
            measures |= dict(zip(SUMS, (value * mass, value**2 * mass), strict=True))
        return measures

    def _score_keys(self, score: Score | None) -> list[pl.Expr] | None:
        own = self.count.score
        if score is None:
            return []
        if own is None or not own.column.is_same(score.column) or not _divides(own, score):
            return None
        if not isinstance(own.rounding, Unrounded):
            # Rounded scores have 64 bits.
            score = replace(score, column=replace(score.column, dtype=pl.Float64()))
        return [score.rounding.key(pl.col("score")).alias("score")]


@dataclass(frozen=True)
class CountedRows:
    """The rows of a frame that are counted once, and answer each question from these cells."""

    frame: AnyFrame
    rows: Rows
    counts: tuple[FineCells, ...]

    @classmethod
    def of(cls, frame: AnyFrame, rows: Rows, counts: Iterable[Count] = ()) -> CountedRows:
        """The rows, to be counted by the keys of some counts."""
        return cls(frame, rows, tuple(FineCells.of(rows, each) for each in counts))

    @property
    def columns(self) -> list[str]:
        return column_names(self.frame)

    @cached_property
    def schema(self) -> pl.Schema:
        return self.rows.schema

    def counted(
        self, groupings: Iterable[Sequence[Facet]], counts: Sequence[Count]
    ) -> list[list[Counted]]:
        """For each count, the cells of all groupings, added up or counted from the rows."""
        wanted = [tuple(grouping) for grouping in groupings]
        cells_by_count = [self._added_up(wanted, count) for count in counts]
        others = [count for count, cells in zip(counts, cells_by_count, strict=True) if not cells]
        counted = iter(self.rows.counted(wanted, others) if others else ())
        return [cells or next(counted) for cells in cells_by_count]

    def values(self, facets: Sequence[Facet], count: Count) -> dict[str, int]:
        """About how many values each key of rows has."""
        return self.rows.values(facets, count)

    def _added_up(self, groupings: Sequence[tuple[Facet, ...]], count: Count) -> list[Counted]:
        for fine in self.counts:
            cells = [(fine.added_up(grouping, count), grouping) for grouping in groupings]
            added = [Counted(each, grouping) for each, grouping in cells if each is not None]
            if len(added) == len(cells):
                return added
        return []


def _attributes_of(facet: Facet, attributes: list[Facet]) -> tuple[Facet, ...]:
    """The attributes of a facet; those not known before join the list."""
    if facet.is_uncertain:
        if facet not in attributes:
            attributes.append(facet)
        return (facet,)
    own = []
    for column in facet.columns:
        same = (each for each in attributes if each.column.is_same(column))
        attribute = next(same, None)
        if attribute is None:
            attribute = Facet(len(attributes), column, (), (), unknown=facet.unknown)
            attributes.append(attribute)
        own.append(attribute)
    return tuple(sorted(dict.fromkeys(own), key=lambda each: each.number))


def _columns_of_keys(needed: Sequence[pl.Expr], held: Sequence[pl.Expr]) -> list[pl.Expr] | None:
    """The columns of cells that hold these keys; None if one is missing."""
    values = {key.meta.output_name(): key.meta.undo_aliases() for key in held}
    columns = []
    for key in needed:
        value = key.meta.undo_aliases()
        if key.meta.output_name() == CLUSTER:
            # Compared as a column: no two functions in Python are the same for polars.
            columns.append(pl.col(CLUSTER))
            continue
        name = next((name for name, other in values.items() if other.meta.eq(value)), None)
        if name is None:
            return None
        columns.append(pl.col(name).alias(key.meta.output_name()))
    return columns


def _grouped(
    cells: pl.LazyFrame, keys: Sequence[pl.Expr], measures: Mapping[str, pl.Expr]
) -> pl.LazyFrame:
    named = cells.select(*keys, **measures)
    return named.group_by(key.meta.output_name() for key in keys).agg(**sums_of_tallies(measures))


def _are_same(one: Column | None, other: Column | None) -> bool:
    return one is other if one is None or other is None else one.is_same(other)


def _divides(own: Score, score: Score) -> bool:
    """Whether all scores of a cell have the same key when they are counted by another score."""
    if isinstance(own.rounding, Unrounded):
        return True
    if own.thresholds:
        return bool(score.thresholds) and {*score.thresholds} <= {*own.thresholds}
    multiples, others = own.multiples, score.multiples
    assert multiples is not None
    if score.thresholds:
        return all(multiples.nearest(each) == each for each in score.thresholds)
    return others is not None and (others.step / multiples.step).denominator == 1
