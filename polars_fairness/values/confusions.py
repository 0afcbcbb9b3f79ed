"""Cells to the confusion matrix of each group, and of all rows, whatever the number of classes."""

from __future__ import annotations

from typing import Final

import polars as pl

from polars_fairness.counting.cells import with_all_rows
from polars_fairness.counting.class_cells import MOST_CLASSES
from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.counting.decisions import decided
from polars_fairness.counting.raising import Faults, whole
from polars_fairness.counting.sides import ALL, written_key
from polars_fairness.errors import keyword
from polars_fairness.question.roles import Roles

COLUMNS: Final = ("facet", "value", "label", "predicted", "n", "share")


def schema(roles: Roles) -> pl.Schema:
    """The columns of the matrices with their types, known before anything runs."""
    read: dict[str, pl.DataType] = {
        each.role: pl.Boolean() if each.is_binary else each.column.dtype for each in roles.outcomes
    }
    names = dict.fromkeys(("facet", "value"), pl.String())
    numbers = {"n": roles.size, "share": pl.Float64()}
    return pl.Schema(roles.windows.types | names | read | numbers)


def confused(seen: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The matrix of each group: a row for each pair of classes, with 0 where no row has it."""
    outcomes = [outcome.key for outcome in roles.outcomes]
    groups = [*roles.windows.keys, "facet", "value"]
    cells = (
        of_complete_rows(with_all_rows(decided(seen, roles), roles), roles)
        .with_columns(each.as_returned(pl.col(each.key)).alias(each.key) for each in roles.outcomes)
        .group_by(*groups, *outcomes)
        .agg(pl.col("n" if roles.weight is None else "weight").sum().alias("n"))
        .sort(*groups, *outcomes)
    )
    faults = Faults()
    for outcome in roles.outcomes:
        number = pl.col(outcome.key).n_unique()
        faults.add(
            number > MOST_CLASSES,
            f"{outcome.argument}: {outcome.column.name!r} has ",
            whole(number),
            f" classes, and {MOST_CLASSES:,} are the most of a matrix; merge rare ones, or give "
            f"{keyword('positive')}",
        )
    found = faults.raised(cells).cache()
    grid = found.select(groups).unique()
    for key in outcomes:
        grid = grid.join(found.select(key).unique(), how="cross")
    n, undefined = pl.col("n"), pl.lit(roles.zero_division, pl.Float64)
    of_class = n.sum().over([*groups, outcomes[0]])
    value = written_key(pl.col("value"), roles).alias("value")
    return (
        grid.join(found, on=[*groups, *outcomes], how="left", nulls_equal=True)
        .with_columns(n.fill_null(0).cast(roles.size))
        .with_columns(share=pl.when(of_class > 0).then(n / of_class).otherwise(undefined))
        .sort(*roles.windows.keys, "facet", value, *outcomes, nulls_last=True)
        .select(
            *roles.windows.as_named(),
            pl.col("facet").fill_null(ALL),
            value,
            *outcomes,
            "n",
            "share",
        )
    )
