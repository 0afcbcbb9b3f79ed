"""Complete rows, and the rows that are dropped because they are not complete.

A row is *complete* if its label, prediction and score are known and its weight and count
are above 0, as far as a call names these columns.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from polars_fairness.question.outcomes import sums_of_numbers
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS


def complete_cells(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells of complete rows."""
    return cells.filter(are_complete(roles))


def rows_seen(roles: Roles) -> pl.Expr:
    """The number of rows of a cell; some of them are in no count.

    With ``count``, a row counts that many times; a row without a count is one row.
    """
    counted = "n" if not roles.is_weighted else "counted" if roles.count else "rows"
    return pl.sum_horizontal(counted, "null_counts") if roles.count else pl.col(counted)


def row_counts(cells: pl.LazyFrame, keys: Sequence[str], roles: Roles) -> pl.LazyFrame:
    """The numbers of rows seen, used and dropped, by keys of the cells of all rows.

    ``unknown`` beside them is the number of rows used whose facet is unknown or, with weights, the
    sum of their weights.
    """
    is_used, mass = are_complete(roles), roles.mass
    seen, used = rows_seen(roles).sum(), pl.when(is_used).then("n").otherwise(0).sum()
    is_unknown = is_used & pl.col("value").is_null()
    counts = cells.group_by(keys, maintain_order=True).agg(
        rows_seen=seen,
        rows_used=used,
        rows_dropped=seen - used,
        unknown=pl.when(is_unknown).then(mass).otherwise(0).sum(),
    )
    if not roles.counts_in_part or "value" in keys:
        return counts
    # Both estimators have the same sum of the unknown, but for its last digits.
    unknown = pl.col("unknown").round(9)
    return counts.with_columns(whole_rows("rows_seen", "rows_used", "rows_dropped"), unknown)


def whole_rows(*names: str) -> pl.Expr:
    """Numbers of rows as whole numbers, where they are sums of parts of rows."""
    return pl.col(*names).round().cast(pl.Int64)


def are_complete(roles: Roles) -> pl.Expr:
    """Whether the rows of a cell are complete."""
    known = [outcome.key for outcome in roles.outcomes]
    if roles.nulls == "drop":
        known += [number.role for number in roles.numbers]
    if roles.score is not None and not roles.decides_by_score:
        known.append("score")
    return pl.all_horizontal(have_rows(roles), *[pl.col(name).is_not_null() for name in known])


def have_rows(roles: Roles) -> pl.Expr:
    """Whether a cell has rows or a count: by a regression a group without rows may have one."""
    has_rows = pl.col("n") > 0
    if not roles.windows.has_estimators:
        return has_rows
    # What numbers add up to may cancel in other cells than the count does.
    sums = ["weight", *sums_of_numbers(roles.numbers), *(SUMS if roles.sums_scores else ())]
    return has_rows | pl.any_horizontal(pl.col(sums) != 0)
