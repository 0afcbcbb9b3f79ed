"""The sides and groups that a formula mentions, with their counts and rates as expressions."""

from __future__ import annotations

from typing import Final

from polars_fairness.formula.rates import (
    COUNTS,
    EFFECTIVE,
    RATES,
    SUMS_BY_SCORE,
    SUMS_OF_NUMBERS,
    SUMS_OF_RANKS,
)
from polars_fairness.formula.tree import Expression, term

OF_GROUPS: Final = (*COUNTS, *RATES, *EFFECTIVE, *SUMS_OF_NUMBERS, *SUMS_OF_RANKS)
"""The words for what is known of every group."""

_LABELS: Final = ("n", "positive", "negative")

BY_SCORE: Final = (*_LABELS, *(f"effective_{count}" for count in _LABELS), *SUMS_BY_SCORE)
"""The words for what is known of the rows of a score."""

ATTRIBUTES: Final = (*OF_GROUPS, "share", "vote", "odds", *SUMS_BY_SCORE, "start", "end")
"""The attributes of a side."""


class Side:
    """The counts and rates of one side or group, as expressions.

    ``effective_n`` is how many rows of equal weight would be as precise, (Σw)²/Σw²; every count has
    such a term. ``share`` is the part of a side's rows that are in this stratum or have this
    label value; ``vote`` the part of the nearest neighbours of this point that were accepted;
    ``odds`` those of being accepted at equal controls.
    ``scores`` and ``squared_scores`` are sums over the rows of a score, ``squared_weights`` is the
    sum of their squared weights; ``start`` and ``end`` are the true positive rates at the ends of
    an interval of false positive rates.

    Examples
    --------
    >>> from polars_fairness.terms import a, d
    >>> sorted((a.tpr - d.tpr).terms)
    ['a.tpr', 'd.tpr']
    """

    # terms: written by `make generated`
    n: Expression
    positive: Expression
    negative: Expression
    accepted: Expression
    rejected: Expression
    tp: Expression
    fp: Expression
    fn: Expression
    tn: Expression
    selection_rate: Expression
    base_rate: Expression
    tpr: Expression
    fpr: Expression
    tnr: Expression
    fnr: Expression
    ppv: Expression
    npv: Expression
    fdr: Expression
    false_omission_rate: Expression
    accuracy: Expression
    f1: Expression
    effective_n: Expression
    effective_positive: Expression
    effective_negative: Expression
    effective_accepted: Expression
    effective_rejected: Expression
    effective_tp: Expression
    effective_fp: Expression
    effective_fn: Expression
    effective_tn: Expression
    observed_place: Expression
    observed_sum: Expression
    observed_squares: Expression
    observed_negative: Expression
    observed_nonzero: Expression
    estimated_place: Expression
    estimated_sum: Expression
    estimated_squares: Expression
    estimated_negative: Expression
    estimated_nonzero: Expression
    residual_squares: Expression
    residual_distance: Expression
    residual_below: Expression
    residual_below_sq: Expression
    observed_log: Expression
    estimated_log: Expression
    attention: Expression
    divergence: Expression
    share: Expression
    vote: Expression
    odds: Expression
    scores: Expression
    squared_scores: Expression
    positive_scores: Expression
    negative_scores: Expression
    squared_weights: Expression
    start: Expression
    end: Expression
    # end of terms

    def __init__(self, name: str) -> None:
        self.name = name
        for attribute in ATTRIBUTES:
            setattr(self, attribute, term(f"{name}.{attribute}"))

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
a_c, d_c = Side("a_c"), Side("d_c")
g = Side("g")
all_ = Side("all")
d_x, g_x = Side("d_x"), Side("g_x")
a_s, d_s, g_s = Side("a_s"), Side("d_s"), Side("g_s")
