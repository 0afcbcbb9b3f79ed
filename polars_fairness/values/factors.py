"""Factors that make labels independent of groups (Kamiran and Calders 2012).

The factor of a group g and a label y is P(g)·P(y) / P(g, y): how often they would occur together if
they were independent, over how often they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from polars_fairness.counting.cells import cells_by
from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.counting.polars_rows import OWN, PolarsRows
from polars_fairness.counting.rows import Rows
from polars_fairness.question.roles import Roles

NUMBERS: Final = ("n", "factor")
"""The numbers of each group and label."""

_LABEL: Final = "read label"


def cells_of_groups(rows: Rows, roles: Roles) -> pl.LazyFrame:
    """The cells of complete rows by all facets together."""
    return of_complete_rows(cells_by(rows, roles, [roles.facets]), roles)


def factored(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells with their factors, computed in each window.

    A facet that is unknown is a value like any other, so that no row is without a factor.
    """
    [label] = roles.outcomes
    mass = pl.col("n" if roles.weight is None else "weight").cast(pl.Float64)
    windows, group = roles.windows.keys, [*roles.windows.keys, *roles.joint_keys]

    def total(keys: Sequence[str]) -> pl.Expr:
        return mass.sum().over(keys) if keys else mass.sum()

    independent = total(group) * total([*windows, _LABEL]) / total(windows)
    return (
        cells.filter(mass > 0)
        .with_columns(label.as_returned(pl.col(label.role)).alias(_LABEL))
        .with_columns(factor=independent / total([*group, _LABEL]), mass=mass)
    )


def schema(roles: Roles) -> pl.Schema:
    """The columns of the small frame of factors with their types, known before anything runs."""
    [label] = roles.outcomes
    read = pl.Boolean() if label.is_binary else label.column.dtype
    groups = {facet.name: facet.column.dtype for facet in roles.facets}
    numbers = dict(zip(NUMBERS, (roles.size, pl.Float64()), strict=True))
    return pl.Schema({**roles.windows.types, **groups, label.column.name: read, **numbers})


def tabulated(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The small frame: the size and the factor of each group and label."""
    [label] = roles.outcomes
    keys = [*roles.windows.keys, *roles.joint_keys, _LABEL]
    return (
        factored(cells, roles)
        .group_by(keys)
        .agg(pl.col("mass").sum().cast(roles.size).alias("n"), pl.col("factor").first())
        .sort(keys, nulls_last=True)
        .select(
            *roles.windows.as_named(),
            *(
                facet.column_of([*map(pl.col, facet.keys)]).alias(facet.name)
                for facet in roles.facets
            ),
            pl.col(_LABEL).alias(label.column.name),
            *NUMBERS,
        )
    )


def with_factors(
    rows: PolarsRows, factors: pl.LazyFrame, roles: Roles, weight: str
) -> pl.LazyFrame:
    """The rows, with one more column: what they weigh, times the factor of their group and label.

    A row that is left out has no weight, but a weight or a count of 0 stays 0.
    """
    [label] = roles.outcomes
    keys = [*roles.windows.keys, *roles.joint_keys, label.role]
    given = {"weight": roles.weight, "count": roles.count}
    measures = [measure for measure, column in given.items() if column is not None]
    own = pl.col(measures[0]).cast(pl.Float64) if measures else pl.lit(1.0)
    is_nothing = pl.any_horizontal(pl.lit(value=False), *(pl.col(name) == 0 for name in measures))
    product = pl.when(is_nothing).then(0.0).otherwise(own * pl.col("factor"))
    return (
        rows.keyed(roles, roles.facets)
        .join(
            factors.select(*keys, "factor"),
            on=keys,
            how="left",
            nulls_equal=True,
            maintain_order="left",
        )
        .select(
            *(pl.col(f"{OWN}{name}").alias(name) for name in rows.schema.names()),
            product.alias(weight),
        )
    )
