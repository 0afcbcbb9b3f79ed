"""The counts of each level, made once for all that reads them: values, draws, groups left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import accumulate
from operator import add
from typing import Final

import numpy as np
import polars as pl

from polars_fairness.counting.collected import WORTH_OPTIMISING, collected, collected_together
from polars_fairness.counting.counts import (
    CLUSTER,
    GROUPS,
    REST,
    endings_of_scores,
    finest,
    parts_of,
    squared,
    tallied,
    with_finest_counts,
)
from polars_fairness.counting.sides import with_sides
from polars_fairness.formula.arrays import Floats, Ints
from polars_fairness.formula.levels import Level
from polars_fairness.formula.metric import Metric
from polars_fairness.question.roles import Roles
from polars_fairness.values.by_key import Rows, numbers_of_parts, split_by_place
from polars_fairness.values.levels import counted, index_of, keys_of
from polars_fairness.values.replicates import values_of

WITHOUT_D: Final = "without d\x1f"
"""1 in comparisons whose side a was counted without side d, although it holds d, else 0."""

_PLACE: Final = "place\x1f"
_ROW: Final = "row\x1f"
_NOTHING: Final = 1e-12


@dataclass(frozen=True)
class LevelCounts:
    """The counts of a level, place by place: of a comparison, or of a facet in a window.

    The rows of a place, such as the strata of a comparison, follow one another. ``keys`` tell rows
    apart, and ``columns`` have their counts and the other numbers that formulas need; ``parts`` are
    those of `Rows`. Of rows that belong together, ``by_cluster`` has for each column of counts what
    each group of clusters adds to each row.
    """

    places: pl.DataFrame
    keys: pl.DataFrame
    columns: Mapping[str, Floats]
    sizes: Sequence[int]
    parts: Ints | None = None
    by_cluster: Mapping[str, Floats] = field(default_factory=dict)

    @classmethod
    def of_level(
        cls, table: pl.DataFrame, level: Level, roles: Roles, more: Sequence[str] = ()
    ) -> LevelCounts:
        """The counts of a table of a level, with more of its sums."""
        index = [*(["value"] if level.keeps_groups_apart else []), *index_of(level, roles)]
        names = [
            f"{side.name}.{count}"
            for side in (*level.counted, *level.beside)
            for count in tallied(roles)
        ]
        held = cls.of_table(table, keys_of(level, roles), index, [*names, *more])
        columns = dict(held.columns)
        for name in {"score", *roles.value_keys}.intersection(index):
            if (dtype := held.keys.schema[name]).is_numeric() or dtype == pl.Boolean:
                columns[name] = held.keys[name].cast(pl.Float64).to_numpy()
        if level.has_sides and roles.facets_against_all:
            # Side a was counted without side d, although it holds d.
            is_against_all = held.keys["facet"].is_in(roles.facets_against_all)
            columns[WITHOUT_D] = is_against_all.cast(pl.Float64).to_numpy()
        apart = {"score": "value", "both values": roles.value_keys[0]}.get(level.divided_by or "")
        if apart not in table.columns:
            return replace(held, columns=columns)
        placed = held.keys.with_columns(pl.Series(_PLACE, held.place))
        return replace(held, columns=columns, parts=numbers_of_parts(placed, [_PLACE, apart]))

    @classmethod
    def of_table(
        cls,
        counts: pl.DataFrame,
        keys: Sequence[str],
        index: Sequence[str],
        names: Sequence[str],
    ) -> LevelCounts:
        """The counts of these names, place by place; those divided by cluster are added up."""
        divided = counts
        if CLUSTER in counts.columns:
            counts = divided.group_by(*keys, *index, maintain_order=True).agg(pl.col(names).sum())
            counts = counts.sort(*keys, *index) if "score" in index else counts
        places, table, sizes = split_by_place(counts, keys, are_rows=not index)
        added: dict[str, Floats] = {}
        if divided is not counts:
            known = divided.filter(pl.col(CLUSTER) != REST)
            rows = table.select(*keys, *index).with_row_index(_ROW)
            known = known.join(rows, on=[*keys, *index], nulls_equal=True)
            at = known[_ROW].to_numpy(), known[CLUSTER].to_numpy()
            added = {name: np.zeros((table.height, GROUPS)) for name in names}
            for name, of_groups in added.items():
                of_groups[at] = known[name].to_numpy()
        columns = {name: table[name].to_numpy().astype(np.float64, copy=False) for name in names}
        kept = table[[name for name in table.columns if name not in columns]]
        return cls(places, kept, columns, sizes, by_cluster=added)

    @cached_property
    def ends(self) -> list[int]:
        """Place i has the rows from ``ends[i]`` up to ``ends[i + 1]``."""
        return [0, *accumulate(self.sizes)]

    @cached_property
    def place(self) -> Ints:
        """The number of its place on each row."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @property
    def all_places(self) -> slice:
        """All places."""
        return slice(0, len(self.sizes))

    def rows(self, places: slice) -> Rows:
        """The counts of some places as they are."""
        ends = self.ends[places.start : places.stop + 1]
        rows = slice(ends[0], ends[-1])
        parts = None
        if self.parts is not None and len(ends) > 1:
            parts = self.parts[rows] - self.parts[rows].min()
        columns = {name: each[rows] for name, each in self.columns.items()}
        return Rows(columns, np.diff(ends).tolist(), parts, first=ends[0], place=places.start)

    def left_out(self, places: slice) -> Rows:
        """The counts of some places without each group of clusters, and last without none."""
        exact = self.rows(places)
        rows = slice(self.ends[places.start], self.ends[places.stop])
        columns = {}
        for name, of_groups in self.by_cluster.items():
            whole, added = exact.columns[name][:, np.newaxis], of_groups[rows]
            left = whole - added
            # Sums of weights without all of their parts are 0 but for the last digits.
            left[np.abs(left) <= _NOTHING * np.maximum(np.abs(whole), np.abs(added))] = 0
            columns[name] = np.hstack([left, whole])
        return replace(exact, columns={**exact.columns, **columns})

    def of_outcomes(self, level: Level, held: Roles, needed: Roles) -> LevelCounts:
        """The counts of a question about fewer outcomes, or about one model of two.

        ``held`` is the question that is counted.
        """
        parts = {count: parts_of(count, held) for count in finest(needed)}
        sides = level.counted_names
        known, kept = (
            {f"{side}.{count}" for side in sides for count in tallied(each)}
            for each in (held, needed)
        )
        if known == kept:
            return self
        columns, by_cluster = (
            {
                name: each
                for name, each in with_counts(of, sides, parts, needed).items()
                if name in kept or name not in known
            }
            for of in (self.columns, self.by_cluster)
        )
        return replace(self, columns=columns, by_cluster=by_cluster)


def with_counts(
    columns: Mapping[str, Floats],
    sides: Iterable[str],
    parts: Mapping[str, Sequence[str]],
    roles: Roles,
) -> dict[str, Floats]:
    """The columns of counts, and of the sums beside them, with those that add others up."""
    endings = ["", *([squared("")] if roles.is_weighted else []), *endings_of_scores(roles)]
    added = {
        f"{side}.{count}{ending}": reduce(add, [columns[f"{side}.{part}{ending}"] for part in own])
        for side in sides
        for count, own in parts.items()
        for ending in endings
        if columns
    }
    return {**columns, **added}


class Tables:
    """The counts of each level, made once from the cells of complete rows.

    Where side a holds side d too, the other rows of side a are counted in its place: only these are
    independent of d. `level_values` adds d again.
    """

    def __init__(self, cells: pl.DataFrame, roles: Roles) -> None:
        self.cells, self.roles = cells, roles
        self._made: dict[Level, LevelCounts] = {}

    @cached_property
    def _sided(self) -> pl.DataFrame:
        apart = self.roles.against_the_rest()
        cells = self.cells.lazy()
        if len(self.roles.facets) > 1:
            # Cells of all facets together have no sides.
            cells = cells.filter(pl.col("facet").is_in([each.name for each in self.roles.facets]))
        sided = with_sides(with_finest_counts(cells, self.roles), apart)
        return collected(sided, is_cheap=self._is_cheap)

    @property
    def are_clustered(self) -> bool:
        """Whether the cells are those of each group of clusters."""
        return CLUSTER in self.cells.columns

    @property
    def _is_cheap(self) -> bool:
        return self.cells.height < WORTH_OPTIMISING

    def make(self, levels: Iterable[Level]) -> None:
        """Count all of these levels at once."""
        missing = [level for level in dict.fromkeys(levels) if level not in self._made]
        if not missing:
            return
        apart = self.roles.against_the_rest()
        clusters = [CLUSTER] if self.are_clustered else []
        sided = self._sided.lazy()
        plans = [counted(sided, apart, level, clusters) for level in missing]
        tables = collected_together(plans, is_cheap=self._is_cheap)
        for level, table in zip(missing, tables, strict=True):
            self._made[level] = LevelCounts.of_level(table, level, self.roles)

    def at(self, level: Level, needed: Roles | None = None) -> LevelCounts:
        """The counts of a level; of another question, which needs fewer outcomes."""
        self.make([level])
        counts = self._made[level]
        return counts if needed is None else counts.of_outcomes(level, self.roles, needed)


def level_values(
    rows: Rows,
    roles: Roles,
    level: Level,
    metrics: Mapping[str, Metric],
    settled: float | None = None,
) -> dict[str, Floats]:
    """Values of metrics on replicates of `LevelCounts`: a line for each place.

    What is undefined, and not null, is ``settled`` by a number if there is one.
    """
    if not rows.sizes:
        return {name: np.empty((0, 1)) for name in metrics}
    if roles.facets_against_all and WITHOUT_D in rows.columns:
        columns, (a, d) = dict(rows.columns), level.counted_names
        for count in tallied(roles):
            of_d = (columns[f"{d}.{count}"].T * columns[WITHOUT_D]).T
            columns[f"{a}.{count}"] = columns[f"{a}.{count}"] + of_d
        rows = replace(rows, columns=columns)
    values = values_of(rows, roles, level, metrics, settled)
    return {name: values[f"metric.{name}"] for name in metrics}
