"""Two decisions about the same rows: how many rows each model decides otherwise, in each group."""

from __future__ import annotations

from typing import Final

import polars as pl

from polars_fairness.counting.cells import with_all_rows
from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.counting.sides import ALL, written_key
from polars_fairness.inference.switched_rows import mcnemar
from polars_fairness.question.models import CHAMPION
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import MODEL

KINDS: Final = {
    "kept_accepted": (True, True),
    "newly_accepted": (False, True),
    "newly_rejected": (True, False),
    "kept_rejected": (False, False),
}
"""Whether the champion accepts a row, and whether the model does, by kind of row."""


def _types(size: pl.DataType) -> dict[str, pl.DataType]:
    """The columns after those of windows, with their types."""
    return {
        **dict.fromkeys(("facet", "value"), pl.String()),
        **dict.fromkeys(("n", *KINDS), size),
        **dict.fromkeys(("change_in_rate", "mcnemar_p_value"), pl.Float64()),
    }


COLUMNS: Final = tuple(_types(pl.Int64()))
"""The columns of the result after those of windows."""


def schema(roles: Roles) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    return pl.Schema({**roles.windows.types, **_types(roles.size)})


def switched(seen: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """Every group of each facet, and all rows, under each model but the champion.

    ``seen`` has the cells of all rows with the decisions of model and champion. A group whose rows
    are all dropped is shown, with counts of 0.
    """
    seen = with_all_rows(seen.filter(pl.col(MODEL) != roles.champion), roles)
    keys = [*roles.windows.keys, "facet", "value"]
    table = (
        seen.select(keys)
        .unique(maintain_order=True)
        .join(
            _counts(of_complete_rows(seen, roles.needing({"predicted"})), keys, roles),
            on=keys,
            how="left",
            nulls_equal=True,
        )
        .with_columns(pl.col("n", *KINDS).fill_null(0))
    )
    n, more, fewer = map(pl.col, ("n", "newly_accepted", "newly_rejected"))
    change = pl.when(n > 0).then((more - fewer) / n).otherwise(roles.zero_division)
    value = written_key(pl.col("value"), roles).alias("value")
    numbers = {"change_in_rate": change, "mcnemar_p_value": _p_value(more, fewer, roles)}
    return table.sort(*roles.windows.keys, "facet", value, nulls_last=True).select(
        *roles.windows.as_named(),
        pl.col("facet").fill_null(ALL),
        value,
        "n",
        *KINDS,
        *(column.cast(pl.Float64).alias(name) for name, column in numbers.items()),
    )


def _counts(used: pl.LazyFrame, keys: list[str], roles: Roles) -> pl.LazyFrame:
    """The rows of each kind, and of all kinds; with weights, the sums of their weights."""
    mass = pl.col("n" if roles.weight is None else "weight")
    is_kind = {
        name: (pl.col(CHAMPION) == before) & (pl.col("predicted") == now)
        for name, (before, now) in KINDS.items()
    }
    return used.group_by(keys).agg(
        mass.sum().alias("n"),
        *(
            pl.when(each).then(mass).otherwise(0).sum().alias(name)
            for name, each in is_kind.items()
        ),
    )


def _p_value(more: pl.Expr, fewer: pl.Expr, roles: Roles) -> pl.Expr:
    """The p-value of McNemar's exact test; null with weights, as their sums are no counts."""
    if roles.weight is not None:
        return pl.lit(None)
    return pl.struct(more, fewer).map_elements(
        lambda switches: mcnemar(*switches.values()), return_dtype=pl.Float64
    )
