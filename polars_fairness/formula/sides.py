"""The sides and groups that a formula mentions, with their counts and rates as expressions."""

from __future__ import annotations

from typing import Final

import polars as pl

from polars_fairness.formula.rates import (
    COUNTS,
    EFFECTIVE,
    RATES,
    SUMS_BY_SCORE,
    SUMS_OF_NUMBERS,
    SUMS_OF_RANKS,
)

OF_GROUPS: Final = (*COUNTS, *RATES, *EFFECTIVE, *SUMS_OF_NUMBERS, *SUMS_OF_RANKS)
"""The words for what is known of every group."""

_LABELS: Final = ("n", "positive", "negative")

BY_SCORE: Final = (*_LABELS, *(f"effective_{count}" for count in _LABELS), *SUMS_BY_SCORE)
"""The words for what is known of the rows of a score."""

ATTRIBUTES: Final = (*OF_GROUPS, "share", "vote", *SUMS_BY_SCORE, "start", "end")
"""The attributes of a side."""


class Side:
    """The counts and rates of one side or group, as expressions.

    ``effective_n`` is how many rows of equal weight would be as precise, (Σw)²/Σw²; every count has
    such a term. ``share`` is the part of a side's rows that are in this stratum or have this
    label value; ``vote`` the part of the nearest neighbours of this point that were accepted.
    ``scores`` and ``squared_scores`` are sums over the rows of a score, ``squared_weights`` is the
    sum of their squared weights; ``start`` and ``end`` are the true positive rates at the ends of
    an interval of false positive rates.

    Examples
    --------
    >>> from polars_fairness.terms import a, d
    >>> (a.tpr - d.tpr).meta.root_names()
    ['a.tpr', 'd.tpr']
    """

    # terms: written by `make generated`
    n: pl.Expr
    positive: pl.Expr
    negative: pl.Expr
    accepted: pl.Expr
    rejected: pl.Expr
    tp: pl.Expr
    fp: pl.Expr
    fn: pl.Expr
    tn: pl.Expr
    selection_rate: pl.Expr
    base_rate: pl.Expr
    tpr: pl.Expr
    fpr: pl.Expr
    tnr: pl.Expr
    fnr: pl.Expr
    ppv: pl.Expr
    npv: pl.Expr
    fdr: pl.Expr
    false_omission_rate: pl.Expr
    accuracy: pl.Expr
    f1: pl.Expr
    effective_n: pl.Expr
    effective_positive: pl.Expr
    effective_negative: pl.Expr
    effective_accepted: pl.Expr
    effective_rejected: pl.Expr
    effective_tp: pl.Expr
    effective_fp: pl.Expr
    effective_fn: pl.Expr
    effective_tn: pl.Expr
    observed_place: pl.Expr
    observed_sum: pl.Expr
    observed_squares: pl.Expr
    observed_negative: pl.Expr
    observed_nonzero: pl.Expr
    estimated_place: pl.Expr
    estimated_sum: pl.Expr
    estimated_squares: pl.Expr
    estimated_negative: pl.Expr
    estimated_nonzero: pl.Expr
    residual_squares: pl.Expr
    residual_distance: pl.Expr
    residual_below: pl.Expr
    residual_below_sq: pl.Expr
    attention: pl.Expr
    divergence: pl.Expr
    share: pl.Expr
    vote: pl.Expr
    scores: pl.Expr
    squared_scores: pl.Expr
    positive_scores: pl.Expr
    negative_scores: pl.Expr
    squared_weights: pl.Expr
    start: pl.Expr
    end: pl.Expr
    # end of terms

    def __init__(self, name: str) -> None:
        self.name = name
        for attribute in ATTRIBUTES:
            setattr(self, attribute, pl.col(f"{name}.{attribute}"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Side) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[type[Side], tuple[str]]:
        # A serialized plan holds levels with their sides; a side is restored from its name alone.
        return Side, (self.name,)


a, d, both, neither = Side("a"), Side("d"), Side("both"), Side("neither")
a_i, d_i, both_i = Side("a_i"), Side("d_i"), Side("both_i")
a_v, d_v = Side("a_v"), Side("d_v")
g = Side("g")
all_ = Side("all")
d_x, g_x = Side("d_x"), Side("g_x")
a_s, d_s, g_s = Side("a_s"), Side("d_s"), Side("g_s")
