"""The cells by score that metrics of scores are computed from."""

from __future__ import annotations

import polars as pl

from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.question.roles import Roles


def cells_by_score(seen: pl.LazyFrame, decided: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells of complete rows by score, with the groups found as side a if a facet needs them.

    ``decided`` has the groups that were found: at each threshold there may be another one, which
    then has comparisons of its own.
    """
    cells = of_complete_rows(seen, roles.undecided)
    if not roles.reference_keys:
        return cells
    places = [*roles.windows.of_scores.keys, "facet"]
    found = decided.select(*places, *roles.reference_keys).unique(maintain_order=True)
    return cells.join(found, on=places, how="left", nulls_equal=True, maintain_order="left_right")
