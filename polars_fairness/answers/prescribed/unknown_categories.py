"""Values that mean that a category is unknown, and categories that are called so by mistake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.facets import SEPARATOR
from polars_fairness.question.roles import Roles

_UNKNOWN: Final = ("", "unknown")


def with_unknown(cells: pl.LazyFrame, unknown: Sequence[str]) -> pl.LazyFrame:
    """The cells, whose value is null where the text of it, or of a part of it, means unknown.

    In cells, so that it is the same for frames of every engine.
    """
    if not unknown:
        return cells
    parts = pl.col("value").str.split(SEPARATOR)
    means_unknown = parts.list.eval(pl.element().is_in(unknown)).list.any()
    return cells.with_columns(value=pl.when(~means_unknown).then("value"))


def refuse_unknown_categories(groups: pl.DataFrame, roles: Roles) -> None:
    """Raise for a category such as "Unknown" or a blank text, with its number of people, ``n``.

    If it had the highest rate, all others would be compared with it.
    """
    means_unknown = pl.col("value").str.strip_chars().str.to_lowercase().is_in(_UNKNOWN)
    for facet in roles.facets:
        found = groups.filter(means_unknown, facet=facet.name)
        if found.height:
            names = found["value"].unique(maintain_order=True).to_list()
            msg = (
                f"{facet.column.argument}: {facet.name!r} is {listed(names, 'or')} for "
                f"{found['n'].sum():,} of the people, which would be a category of its own; give "
                f"unknown={names!r}, or make it null"
            )
            raise FairnessError(msg)
