"""Formulas in the columns of a table of counts, and their values for each key of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import add
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from polars_fairness.counting.counts import SCORES, Counts
from polars_fairness.formula.arithmetic import unbounded_ratio
from polars_fairness.formula.levels import Level
from polars_fairness.formula.scores import ARE_PROBABILITIES, RESOLUTION, SCORE
from polars_fairness.formula.tree import Expression, choose, literal, rewritten, term
from polars_fairness.question.roles import Roles

if TYPE_CHECKING:
    from polars_fairness.formula.in_numpy import Layout

_ROWS: Final = "rows of key\x1f"

# A mean of ones may differ from 1 in its last digits.
_ROUNDING: Final = 1e-9


def in_table(expression: Expression, level: Level, roles: Roles) -> Expression:
    """An expression of terms, over the columns of the table of counts of a level."""
    resolution = None
    if (score := roles.score) is not None and score.is_rounded:
        resolution = float("nan") if score.resolution is None else float(score.resolution)
    return _in_columns(expression, level, resolution, Counts.of(roles))


@lru_cache(maxsize=4096)
def _in_columns(
    expression: Expression, level: Level, resolution: float | None, counts: Counts
) -> Expression:
    def change(part: Expression) -> Expression | None:
        if part is RESOLUTION:
            return literal(resolution)
        if part is ARE_PROBABILITIES and level.is_by_score:
            return change_all(_are_probabilities(level, resolution, counts))
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


def computed_by_key(
    parts: pl.DataFrame,
    formulas: Mapping[str, Expression],
    level: Level,
    keys: Sequence[str],
    zero_division: float | None,
) -> pl.DataFrame:
    """The values of formulas that are written in columns of a table, for each of the keys."""
    from polars_fairness.formula.in_numpy import Layout, program  # numpy takes time to import

    # A comparison is a row.
    is_row = not level.is_aggregate and level.divided_by is None
    ones = parts.select(keys), None, [1] * parts.height
    places, order, sizes = ones if is_row else _places(parts, keys)
    if not sizes:
        return places.with_columns(pl.lit(None, pl.Float64).alias(name) for name in formulas)
    layout = Layout(sizes)
    columns = _Columns(parts if order is None else parts[order], level, layout)
    nullable = frozenset(each.name for each in parts if each.null_count())
    found = program(tuple(formulas.items()), zero_division, nullable)(columns, layout)
    values = (layout.series(name, value, null) for name, (value, null) in found.items())
    return pl.DataFrame([*places, *values])


def _places(
    table: pl.DataFrame, keys: Sequence[str]
) -> tuple[pl.DataFrame, pl.Series | None, Sequence[int]]:
    """The keys of a table, the order in which their rows stand together, and how many these are."""
    if not keys:
        return pl.DataFrame(), None, [table.height]
    rows = table.select(keys).with_row_index(_ROWS)
    places = rows.group_by(keys, maintain_order=True).agg(_ROWS)
    order = places[_ROWS].explode()
    return places.drop(_ROWS), order, places[_ROWS].list.len().to_list()


@dataclass(frozen=True)
class _Columns:
    """The columns of a table as programs take them, with the sums of sides or groups."""

    table: pl.DataFrame
    level: Level
    layout: Layout

    def __getitem__(self, name: str) -> Any:
        side, _, word = name.partition(".")
        is_sum = side in (each.name for each in self.level.sums)
        if name in self.table.columns:
            values = self.layout.shaped(self.table[name].cast(pl.Float64).to_numpy())
            return self.layout.first(values) if is_sum and not self.level.has_sides else values
        found = [self[f"{each}.{word}"] for each in self.level.counted_names]
        return found[0] + found[1] if self.level.has_sides else self.layout.total(found[0])
