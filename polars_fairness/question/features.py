"""What tells how alike two individuals are."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from polars_fairness.errors import FairnessError
from polars_fairness.question.columns import Column


def refuse_what_has_no_distance(features: Iterable[Column]) -> None:
    """Refuse a feature that is no number, and say how to make it one."""
    for column in features:
        if column.dtype.is_numeric() or column.dtype == pl.Boolean:
            continue
        how = (
            f"one of its parts, such as pl.col({column.name!r}).dt.epoch('d')"
            if column.dtype.is_temporal()
            else f"frame.to_dummies({column.name!r}), or pl.col({column.name!r}) == value"
        )
        msg = (
            f"features: {column.name!r} is {column.dtype}, between whose values there is no "
            f"distance; encode it as numbers first: {how}"
        )
        raise FairnessError(msg)
