"""Checks of the features, the columns that distances between individuals are computed from."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from polars_fairness.errors import FairnessError
from polars_fairness.question.columns import Column


def require_numeric_features(features: Iterable[Column]) -> None:
    """Raise for a feature that is not numeric, and say how to make it so."""
    for column in features:
        if column.dtype.is_numeric() or column.dtype == pl.Boolean:
            continue
        how = (
            f"one of its parts, such as pl.col({column.name!r}).dt.epoch('d')"
            if column.dtype.is_temporal()
            else f"frame.to_dummies({column.name!r}), or pl.col({column.name!r}) == value"
        )
        msg = (
            f"features: {column.name!r} is {column.dtype}, whose values have no distance; "
            f"encode it as numbers first: {how}"
        )
        raise FairnessError(msg)
