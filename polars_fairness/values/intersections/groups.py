"""The counts of intersections and conjunctions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import tallied
from polars_fairness.formula.groups import Groups
from polars_fairness.formula.sides import all_, g
from polars_fairness.question.roles import Roles
from polars_fairness.values.intersections.lattice import Attributes, rolled_up
from polars_fairness.values.levels import summed_up

ROWS: Final = "rows"

Values = Mapping[str, pl.Series]


def joint_attributes(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The joint cells of all facets, with each attribute as a column again."""
    texts = pl.Struct(dict.fromkeys(roles.joint_keys, pl.String()))
    decoded = pl.col("value").str.json_decode(texts).alias("attributes")
    # Each value is decoded once: cells of other outcomes and windows repeat it.
    values = cells.select("value").unique().with_columns(decoded).unnest("attributes")
    return cells.join(values, on="value")


def joint_tables(cells: pl.LazyFrame, roles: Roles) -> tuple[pl.DataFrame, Values]:
    """The joint cells of all facets with attributes coded as numbers, and the values of each."""
    of_all = joint_attributes(cells.filter(pl.col("facet") == roles.joint_facet), roles)
    jointly = collected(of_all)
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
    cells: Mapping[Attributes, pl.LazyFrame],
    values: Values,
    roles: Roles,
    groups: Groups,
    keys: Sequence[str],
) -> pl.DataFrame:
    """The counts of each group, and of all rows of its window, from tables of some attributes."""
    sums = [pl.col(count).sum().alias(f"{g.name}.{count}") for count in tallied(roles)]
    sums.append(pl.col("n").sum().alias(ROWS))
    names = [each.meta.output_name() for each in sums]
    tables = {
        attributes: collected(summed_up(each, [*keys, *attributes], sums))
        for attributes, each in cells.items()
    }
    all_rows = _all_rows(next(iter(tables.values())), roles, keys)
    parts = rolled_up(
        tables,
        keys,
        names,
        groups.sizes(len(values)),
        rows=ROWS,
        minimum_count=groups.minimum_count or 0,
    )
    known = parts if groups.unknown else (_known(part, values) for part in parts)
    # The empty table keeps the columns where no group is large enough.
    table = pl.concat([next(iter(tables.values())).clear(), *known], how="diagonal")
    absent = (pl.lit(None, pl.UInt32).alias(name) for name in values if name not in table.columns)
    table = table.with_columns(absent)
    if not keys:
        return table.join(all_rows, how="cross")
    return table.join(all_rows, on=keys, how="left", nulls_equal=True, maintain_order="left")


def _all_rows(table: pl.DataFrame, roles: Roles, keys: Sequence[str]) -> pl.DataFrame:
    sums = [
        pl.col(f"{g.name}.{count}").sum().alias(f"{all_.name}.{count}") for count in tallied(roles)
    ]
    return collected(summed_up(table.lazy(), keys, sums))


def _known(part: pl.DataFrame, values: Values) -> pl.DataFrame:
    """The groups that fix no attribute at unknown."""
    return part.filter(
        pl.col(name) < len(known) - 1 for name, known in values.items() if name in part.columns
    )
