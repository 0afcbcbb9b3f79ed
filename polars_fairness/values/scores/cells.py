"""The cells by score that metrics of scores are computed from."""

from __future__ import annotations

import polars as pl

from polars_fairness.question.roles import Roles


def cells_by_score(seen: pl.LazyFrame, decided: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells of all rows by score, with the groups found as side a if a facet needs them.

    ``decided`` has the groups that were found: at each threshold there may be another one, which
    then has comparisons of its own.
    """
    if not roles.reference_keys:
        return seen
    places = [*roles.windows.of_scores.keys, "facet"]
    found = decided.select(*places, *roles.reference_keys).unique(maintain_order=True)
    return seen.join(found, on=places, how="left", nulls_equal=True, maintain_order="left_right")
