"""What the ranks of rows by score add up to in cells: attention, and how far groups are from even.

A row of rank r, 1 for the highest score of its window, gets the attention 1/log₂(1 + r) (Singh and
Joachims 2018). Rows of equal scores share the mean of theirs, and are one step.
"""

from __future__ import annotations

from functools import partial
from math import log
from typing import Any, Final

import numpy as np
import polars as pl

from polars_fairness.counting.collected import collected, map_all_cells
from polars_fairness.counting.complete_rows import have_rows
from polars_fairness.counting.decisions import (
    ABOVE,
    AT,
    STEP,
    TOTAL,
    WINDOW,
    sort_by_score,
    with_mass,
)
from polars_fairness.counting.polars_rows import TALLIES_OF_CHECKS, is_tally
from polars_fairness.counting.score_lists import are_listed, unlisted
from polars_fairness.question.roles import Roles

# The ranks whose attention is added up one by one; that of ranks beyond is an integral, which
# differs from the sum by less than 1e-13 of it.
_ONE_BY_ONE: Final = 1_000_000

# Inner columns: no key of cells has such a name.
_CELL, _GROUP, _SHARE, _SO_FAR, _GIVEN, _A, _B = (
    f"{name}\x1f" for name in ("cell", "group", "share", "so far", "given", "a", "b")
)

Floats = np.ndarray[Any, np.dtype[np.float64]]


def attention_up_to(ranks: Floats) -> Floats:
    """The sum of 1/log₂(1 + r) over the ranks up to each of these; between ranks it is a line.

    Examples
    --------
    >>> attention_up_to(np.array([0.0, 1.0, 3.0, 2.5])).round(4).tolist()
    [0.0, 1.0, 2.1309, 1.8809]
    """
    most = int(min(_ONE_BY_ONE, np.ceil(ranks.max(initial=1.0))))
    sums = np.concatenate([[0.0], np.cumsum(1 / np.log2(np.arange(2.0, most + 2)))])
    attention: Floats = np.interp(ranks, np.arange(most + 1.0), sums)
    if ranks.max(initial=0.0) > most:
        integral = log(2) * (_logarithmic_integral(ranks + 1.5) - _logarithmic_integral(most + 1.5))
        attention = np.where(ranks > most, sums[-1] + integral, attention)
    return attention


def _logarithmic_integral(x: Floats | float) -> Floats:
    """The integral of 1/ln, but for a constant, by its series."""
    u = np.log(x)
    term, integral = np.ones_like(u), np.log(u)
    for k in range(1, 200):
        term = term * u / k
        integral = integral + term / k
    return integral


def with_sums_of_ranks(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells with what their rows' ranks add up to."""
    return map_all_cells(cells, partial(_with_sums_of_ranks, roles=roles))


def _with_sums_of_ranks(cells: pl.DataFrame, roles: Roles) -> pl.DataFrame:
    if are_listed(cells):
        numbered = cells.with_row_index(_CELL)
        by_score = _with_sums_of_ranks(unlisted(numbered), roles)
        sums = by_score.group_by(_CELL).agg(pl.col(roles.sums_ranks).sum())
        return numbered.join(sums, on=_CELL, how="left", maintain_order="left").drop(_CELL)
    rows, size = pl.col("n"), pl.col(roles.mass).cast(pl.Float64)
    is_ranked = pl.col("score").is_not_null() & have_rows(roles)
    is_named = pl.col("value").is_not_null()
    ranked = collected(sort_by_score(cells.lazy().filter(is_ranked), roles, rows))
    ranked = ranked.with_columns(_attention_of_steps(ranked).alias("attention") / pl.col(AT) * size)
    parts = [ranked, cells.filter(~is_ranked)]
    if "divergence" in roles.sums_ranks:
        named = collected(with_mass(ranked.lazy().filter(is_named), rows))
        parts = [_with_divergence(named, size), ranked.filter(~is_named), *parts[1:]]
    table = pl.concat(parts, how="diagonal").select(
        *cells.columns, pl.col(roles.sums_ranks).fill_null(0.0)
    )
    return _without_scores(table, roles) if roles.only_ranks else table


def _without_scores(cells: pl.DataFrame, roles: Roles) -> pl.DataFrame:
    """The cells with one score in place of all of their group: it shows that these are known.

    A hundred thousand queries of fifty rows are 200,000 cells of two groups, not five million.
    """
    names = [name for name in cells.columns if name not in ("score", *roles.sums_ranks)]
    tallies = [name for name in names if is_tally(name) and name not in TALLIES_OF_CHECKS]
    keys = [name for name in names if not is_tally(name)]
    return (
        cells.group_by(*keys, pl.col("score").is_null().alias(_GROUP), maintain_order=True)
        .agg(pl.col("score").first(), pl.col(*tallies, *roles.sums_ranks).sum())
        .drop(_GROUP)
    )


def _attention_of_steps(ranked: pl.DataFrame) -> pl.Expr:
    """The attention that all rows of the score of each cell get together."""
    above = ranked[ABOVE].cast(pl.Float64)
    ends = (attention_up_to(each.to_numpy()) for each in (above + ranked[AT], above))
    return pl.lit(pl.Series(np.subtract(*ends), dtype=pl.Float64))


def _with_divergence(named: pl.DataFrame, size: pl.Expr) -> pl.DataFrame:
    """The cells with the part of each in the discounted mean of divergences.

    At a step with the shares c of the rows of a group, and R of all rows, up to it, the part of the
    group is its share of all rows times c/R·ln(c/R) times the attention w of the step. From one row
    of the group to the next c does not change, so that sums of w/R and of w·ln(R)/R over steps are
    enough, and no step is a row of each group.
    """
    so_far, given = pl.col(_SO_FAR), pl.col(_GIVEN)
    sums = pl.col(_A, _B)
    cells = (
        named.with_row_index(_GROUP)
        .with_columns(
            (_attention_of_steps(named) * pl.col("n") / pl.col(AT)).alias(_GIVEN),
            size.cum_sum().over(WINDOW).alias(_SO_FAR),
            size.sum().over(WINDOW).alias(TOTAL),
            pl.col(_GROUP).first().over(WINDOW, "value"),
        )
        # Shares are of the last sum so far: of equal scores they are 1, and no last digit differs.
        .with_columns(so_far.last().over(STEP) / so_far.last().over(WINDOW))
        .with_columns((given / so_far).alias(_A), (given / so_far * so_far.log()).alias(_B))
        # From the last step on, where they are small: sums from the first would lose digits.
        .with_columns(sums.cum_sum(reverse=True).over(WINDOW), given.sum().over(WINDOW))
        .with_columns(sums.first().over(STEP))
        .sort(_GROUP, maintain_order=True)
        .with_columns(
            sums - sums.shift(-1, fill_value=0).over(_GROUP),
            size.cum_sum().over(_GROUP).alias(_SO_FAR),
            (size.sum().over(_GROUP) / pl.col(TOTAL)).alias(_SHARE),
            pl.struct(_GROUP, STEP).rle_id().alias(STEP).set_sorted(),
        )
    )
    cells = cells.with_columns(so_far / so_far.last().over(_GROUP))
    part = pl.col(_SHARE) * so_far * (so_far.log() * pl.col(_A) - pl.col(_B)) / given
    # Cells of a group with one score share what stands at the last of them.
    return cells.with_columns(part.alias(_A)).with_columns(
        ((pl.col(_A).sum() / size.sum()).over(STEP) * size).alias("divergence")
    )
