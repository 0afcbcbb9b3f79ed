"""Formulas in the columns of a table of counts, and their values for each key of the table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial, reduce
from operator import add
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from polars_fairness.counting.counts import SCORES, Counts, tallied
from polars_fairness.formula.levels import COMPARISON, GROUP, GROUP_BY_SCORE, Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import ARE_PROBABILITIES, RESOLUTION, SCORE, Measure
from polars_fairness.formula.sides import a, d, g, g_s
from polars_fairness.formula.tree import (
    Expression,
    choose,
    literal,
    or_undefined,
    rewritten,
    term,
    unbounded_ratio,
)
from polars_fairness.question.roles import Roles

if TYPE_CHECKING:
    from polars_fairness.formula.arrays import Bools, Floats, Ints
    from polars_fairness.formula.in_numpy import Layout

    Values = tuple[Floats, Bools]
    """Values, and where they are null: a line for each place, a column for each replicate."""


_ARE_PROBABILITIES: Final = "are probabilities\x1f"


_ROWS: Final = "rows of key\x1f"
_SIZES: Final = {f"{side.name}.n": side.n for side in (d, a)}

# A mean of ones may differ from 1 in its last digits.
_ROUNDING: Final = 1e-9


def write_in_columns(level: Level, roles: Roles) -> Callable[[Expression], Expression]:
    """What writes expressions of terms over the columns of the table of counts of a level."""
    resolution = None
    if (score := roles.score) is not None and score.is_rounded:
        resolution = float("nan") if score.resolution is None else float(score.resolution)
    return partial(_column_expression, level=level, resolution=resolution, counts=Counts.of(roles))


def formulas_of(metrics: Mapping[str, Metric], level: Level, roles: Roles) -> dict[str, Expression]:
    """The formulas over the table of a level; an average over strata has their sizes as weights."""
    formulas, in_columns = {}, write_in_columns(level, roles)
    for name, metric in metrics.items():
        expression = metric.parsed.expression
        if level.decomposes:
            value, size = or_undefined(expression), term(level.size)
            known = choose(~value.is_null(), size)
            expression = unbounded_ratio((value * size).sum(), known.sum())
        formulas[f"metric.{name}"] = in_columns(expression)
    if level == COMPARISON:
        formulas |= {name: in_columns(each) for name, each in _SIZES.items()}
    return formulas


@lru_cache(maxsize=4096)
def _column_expression(
    expression: Expression, level: Level, resolution: float | None, counts: Counts
) -> Expression:
    def change(part: Expression) -> Expression | None:
        if part is RESOLUTION:
            return literal(resolution)
        if part is ARE_PROBABILITIES and level.is_by_score:
            return change_all(_are_probabilities(level, resolution, counts))
        if part.op == "sum" and counts.is_estimated and part.args[0].op == "term":
            return counts.sum_of(part.args[0].args[0])
        if part.op != "term":
            return None
        side, _, word = part.args[0].partition(".")
        # Inside labels a share is a column, since it is one of the rows of a label.
        if word == "share" and not level.is_within_labels:
            rows = counts.term(f"{side}.n")
            return unbounded_ratio(rows, rows.sum())
        return counts.term(part.args[0])

    def change_all(part: Expression) -> Expression:
        return rewritten(part, change)

    return change_all(expression)


def _are_probabilities(level: Level, resolution: float | None, counts: Counts) -> Expression:
    """Whether all scores lie between 0 and 1."""
    lie_between = (SCORE >= 0) & (SCORE <= 1)
    if resolution is not None:
        mass, scores = (
            reduce(
                add,
                (
                    term(f"{side}.{count}{ending}")
                    for side in level.counted_names
                    for count in counts.finest
                ),
            )
            for ending in ("", SCORES)
        )
        # Rounded down to 1, a score may be above it. Then the mean is, if only by a last digit.
        lie_between &= scores <= mass * (1 + _ROUNDING)
    return choose(lie_between.all(), 1, 0)


@dataclass(frozen=True)
class Rows:
    """The rows of a table, place by place, with an array for each column.

    A column with replicates has one for each of these. ``sizes`` has the number of rows of each
    place, and ``parts`` numbers the groups with scores of their own, or the rows of one label. Of
    some places among others, ``first`` is the number of the first row, ``place`` of the first one.
    """

    columns: Mapping[str, Floats]
    sizes: Sequence[int]
    parts: Ints | None = None
    nullable: frozenset[str] = frozenset()
    first: int = 0
    place: int = 0

    @cached_property
    def replicates(self) -> int:
        """The number of replicates."""
        return max([1, *[int(each.shape[1]) for each in self.columns.values() if each.ndim > 1]])

    def values(
        self, formulas: Mapping[str, Expression], level: Level, zero_division: float | None
    ) -> dict[str, Values]:
        """The values of formulas that are written in columns."""
        from polars_fairness.formula.in_numpy import Layout, program  # numpy takes time to import

        layout, replicates = Layout(self.sizes), self.replicates
        run = program(tuple(formulas.items()), zero_division, self.nullable)
        return {
            name: (layout.place_values(value, replicates), layout.place_values(null, replicates))
            for name, (value, null) in run(_Terms(self.columns, level, layout), layout).items()
        }


def computed_by_key(
    table: pl.DataFrame,
    formulas: Mapping[str, Expression],
    level: Level,
    keys: Sequence[str],
    zero_division: float | None,
    apart: Sequence[str] = (),
    ready: Callable[[Rows], Rows] | None = None,
) -> pl.DataFrame:
    """The values of formulas that are written in columns of a table, for each of the keys.

    The rows, numbered by the columns that set them ``apart``, are made ``ready`` before.
    """
    # A comparison is a row.
    are_rows = not level.is_aggregate and level.divided_by is None
    places, table, sizes = split_by_place(table, keys, are_rows=are_rows)
    numbers = {
        each.name: (each if each.dtype == pl.Float64 else each.cast(pl.Float64)).to_numpy()
        for each in table
        if each.dtype.is_numeric() or each.dtype == pl.Boolean
    }
    nullable = frozenset(each.name for each in table if each.null_count())
    rows = Rows(numbers, sizes, numbers_of_parts(table, apart) if apart else None, nullable)
    if not rows.sizes:
        return places.with_columns(pl.lit(None, pl.Float64).alias(name) for name in formulas)
    rows, columns = rows if ready is None else ready(rows), [*places]
    for name, (value, null) in rows.values(formulas, level, zero_division).items():
        series = pl.Series(name, value[:, 0].astype(float, copy=False))
        columns.append(series.scatter(null[:, 0].nonzero()[0], None) if null.any() else series)
    return pl.DataFrame(columns)


def split_by_place(
    table: pl.DataFrame, keys: Sequence[str], *, are_rows: bool
) -> tuple[pl.DataFrame, pl.DataFrame, Sequence[int]]:
    """The keys of a table, each once in its order; its rows key by key; and how many each has.

    Where rows are places, each has keys of its own.
    """
    if are_rows:
        return table[[*keys]], table, [1] * table.height
    if all(table[key].n_unique() == 1 for key in keys):
        return table.select(keys).head(1), table, [table.height]
    by = table[[*keys]].with_row_index(_ROWS).group_by(keys, maintain_order=True)
    places = by.agg(_ROWS)
    rows = places.drop_in_place(_ROWS)
    return places, table[rows.explode(empty_as_null=False)], rows.list.len().to_list()


def numbers_of_parts(table: pl.DataFrame, apart: Sequence[str]) -> Ints:
    """The number of each row's part: that of the rows with the same values in some columns."""
    number = pl.struct(apart).rank("dense").cast(pl.Int64) - 1
    numbers: Ints = table.select(number).to_series().to_numpy()
    return numbers


@dataclass(frozen=True)
class _Terms:
    """The columns of a table as programs take them, with the sums of sides or groups."""

    columns: Mapping[str, Floats]
    level: Level
    layout: Layout

    def __getitem__(self, name: str) -> Any:
        side, _, word = name.partition(".")
        level, layout = self.level, self.layout
        if name in self.columns:
            values = layout.shaped(self.columns[name])
            is_sum = not level.has_sides and side in [each.name for each in level.sums]
            return layout.first(values) if is_sum else values
        sides = [self[f"{each}.{word}"] for each in level.counted_names]
        return sides[0] + sides[1] if level.has_sides else layout.total(sides[0])


def measured(
    counts: pl.DataFrame, roles: Roles, measures: Collection[Measure], keys: Sequence[str]
) -> pl.DataFrame:
    """The measures and counts of each group, from its counts in the order of scores."""
    values = measured_by(roles, measures)
    return computed_by_key(counts, values, GROUP_BY_SCORE, keys, roles.zero_division)


def measured_by(roles: Roles, measures: Iterable[Measure]) -> dict[str, Expression]:
    """The formulas of the measures and counts of a group over its scores."""
    in_columns = write_in_columns(GROUP_BY_SCORE, roles)
    return {
        **{f"{g.name}.{count}": term(f"{g_s.name}.{count}").sum() for count in tallied(roles)},
        **{measure.column: in_columns(measure.value) for measure in measures},
        _ARE_PROBABILITIES: in_columns(ARE_PROBABILITIES),
    }


def values_of_measures(
    of_groups: pl.DataFrame, roles: Roles, metrics: Mapping[str, Metric], keys: Sequence[str]
) -> pl.DataFrame:
    """The values of metrics of measures, from the measures of each group."""
    values = formulas_of_measures(roles, metrics)
    return computed_by_key(of_groups, values, GROUP, keys, roles.zero_division)


def formulas_of_measures(roles: Roles, metrics: Mapping[str, Metric]) -> dict[str, Expression]:
    """The formulas over the measures of groups.

    What is about probabilities is null in all groups if the scores of one of them are none.
    """
    are_probabilities = (term(_ARE_PROBABILITIES) == 1).all()
    of_probabilities = {
        measure.term for measure in measures_of(metrics) if measure.is_about_probabilities
    }
    counts = Counts.of(roles)

    def change(part: Expression) -> Expression | None:
        if part.op != "term":
            return None
        if part in of_probabilities:
            return choose(are_probabilities, part)
        return counts.term(part.args[0])

    return {
        f"metric.{name}": rewritten(metric.parsed.expression, change)
        for name, metric in metrics.items()
    }


def measures_of(metrics: Mapping[str, Metric]) -> list[Measure]:
    """The different measures of groups that formulas mention."""
    measures = dict.fromkeys(metric.parsed.measure for metric in metrics.values())
    return [measure for measure in measures if measure is not None]
