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

from polars_fairness.counting.decisions import AT, refuse_ranks
from polars_fairness.counting.score_lists import unlisted
from polars_fairness.formula.rates import SUMS_OF_RANKS
from polars_fairness.question.roles import Roles

# The ranks whose attention is added up one by one; that of ranks beyond is an integral, which
# differs from the sum by less than 1e-13 of it.
_ONE_BY_ONE: Final = 1_000_000

# Inner columns: no key of cells has such a name.
_ROWS, _SIZE, _STEP, _A, _B, _ALL_A, _ALL_B, _TOTAL, _ALL_STEPS = (
    f"{name}\x1f" for name in ("rows", "size", "step", "a", "b", "all a", "all b", "total", "steps")
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
    found: Floats = np.interp(ranks, np.arange(most + 1.0), sums)
    if ranks.max(initial=0.0) > most:
        integral = log(2) * (_logarithmic_integral(ranks + 1.5) - _logarithmic_integral(most + 1.5))
        found = np.where(ranks > most, sums[-1] + integral, found)
    return found


def _logarithmic_integral(x: Floats | float) -> Floats:
    """The integral of 1/ln, but for a constant, by its series."""
    u = np.log(x)
    term, found = np.ones_like(u), np.log(u)
    for k in range(1, 200):
        term = term * u / k
        found = found + term / k
    return found


def with_sums_of_ranks(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells with what their rows' ranks add up to, if metrics need it."""
    if not roles.sums_ranks:
        return cells
    found = unlisted(cells)
    compute = partial(_with_sums_of_ranks, roles=roles)
    empty = compute(pl.DataFrame(schema=found.collect_schema()))
    return found.map_batches(
        compute,
        predicate_pushdown=False,
        projection_pushdown=False,
        slice_pushdown=False,
        schema=empty.schema,
    )


def _with_sums_of_ranks(cells: pl.DataFrame, roles: Roles) -> pl.DataFrame:
    place = [*(key for key in roles.windows.of_scores.keys if key in cells.columns), "facet"]
    size = pl.col("weight" if roles.weight else "n").cast(pl.Float64)
    ranked = cells.filter(pl.col("score").is_not_null(), pl.col("n") > 0)
    found = cells.join(
        _attention(ranked, place, roles), on=[*place, "score"], how="left", nulls_equal=True
    ).join(
        _divergence(ranked.filter(pl.col("value").is_not_null()), place, size),
        on=[*place, "value", "score"],
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )
    return found.with_columns((pl.col(name) * size).fill_null(0.0) for name in SUMS_OF_RANKS)


def _falling(ranked: pl.DataFrame, keys: list[str], **sums: pl.Expr) -> pl.DataFrame:
    """Sums at each score of some keys, from the highest score to the lowest."""
    return (
        ranked.group_by(*keys, "score")
        .agg(**sums)
        .sort(*keys, "score", descending=[*(False for _ in keys), True], nulls_last=True)
    )


def _with_attention(steps: pl.DataFrame, place: list[str]) -> pl.DataFrame:
    """Steps with the attention that all their rows together get."""
    up_to = steps.select(pl.col(_ROWS).cum_sum().over(place).cast(pl.Float64)).to_series()
    ends = (attention_up_to(each.to_numpy()) for each in (up_to, up_to - steps[_ROWS]))
    return steps.with_columns(pl.Series(_STEP, np.subtract(*ends), pl.Float64))


def _attention(ranked: pl.DataFrame, place: list[str], roles: Roles) -> pl.DataFrame:
    """The mean attention of the rows of each score, of all rows of a window."""
    steps = _falling(ranked, place, **{_ROWS: pl.col("n").sum()})
    refuse_ranks(steps.rename({_ROWS: AT}), place, roles)
    return _with_attention(steps, place).select(
        *place, "score", (pl.col(_STEP) / pl.col(_ROWS)).alias("attention")
    )


def _divergence(ranked: pl.DataFrame, place: list[str], size: pl.Expr) -> pl.DataFrame:
    """The part of each group, score and unit of size in the discounted mean of divergences.

    At a step with the sizes c of a group, and R of all groups, up to it, the part of the group is
    c/R·ln(c/(R·P)) times the attention w of the step. From one row of the group to the next c does
    not change, so that sums of w/R and of w·ln(R)/R over steps are enough, and no step is a row of
    each group.
    """
    sums = {_ROWS: pl.col("n").sum(), _SIZE: size.sum()}
    step, so_far = pl.col(_STEP), pl.col(_SIZE).cum_sum().over(place)
    steps = _with_attention(_falling(ranked, place, **sums), place).with_columns(
        (step / so_far).alias(_A), (step * so_far.log() / so_far).alias(_B)
    )
    steps = steps.select(
        *place,
        "score",
        *((pl.col(each).cum_sum().over(place) - pl.col(each)).alias(each) for each in (_A, _B)),
        *(
            pl.col(each).sum().over(place).alias(total)
            for each, total in (
                (_A, _ALL_A),
                (_B, _ALL_B),
                (_SIZE, _TOTAL),
                (_STEP, _ALL_STEPS),
            )
        ),
    )
    group = [*place, "value"]
    groups = _falling(ranked, group, **sums).join(
        steps, on=[*place, "score"], how="left", nulls_equal=True, maintain_order="left"
    )
    up_to, of_all = pl.col(_SIZE).cum_sum().over(group), pl.col(_SIZE).sum().over(group)
    until_next = (
        pl.coalesce(pl.col(each).shift(-1).over(group), total) - pl.col(each)
        for each, total in ((_A, _ALL_A), (_B, _ALL_B))
    )
    in_a, in_b = until_next
    part = up_to * ((up_to * pl.col(_TOTAL) / of_all).log() * in_a - in_b) / pl.col(_ALL_STEPS)
    return groups.select(*group, "score", (part / pl.col(_SIZE)).alias("divergence"))
