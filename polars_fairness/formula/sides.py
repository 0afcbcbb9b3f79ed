"""The sides and groups that a formula mentions, with their counts and rates as expressions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Final

from polars_fairness.formula.tree import Expression, term

COUNTS: Final = {
    "n": (),
    "positive": ("label",),
    "negative": ("label",),
    "accepted": ("predicted",),
    "rejected": ("predicted",),
    "tp": ("label", "predicted"),
    "fp": ("label", "predicted"),
    "fn": ("label", "predicted"),
    "tn": ("label", "predicted"),
}
"""Every count, with the outcomes that it needs."""

EFFECTIVE: Final = {f"effective_{count}": count for count in COUNTS}
"""The effective number of rows behind each count: (Σw)²/Σw² with weights (Kish), else the count."""

SUMS_BY_SCORE: Final = {
    "scores": "n",
    "squared_scores": "n",
    "positive_scores": "positive",
    "negative_scores": "negative",
    "squared_weights": "n",
}
"""What is added up over the rows of a count: their scores, squared scores or squared weights.

Each row counts by its weight; without weights ``squared_weights`` is the count itself.
"""

SUMS_OF_RANKS: Final = ("attention", "divergence")
"""What is added up of the ranks of rows by score.

Attention is 1/log₂(1 + rank); divergence is a group's part in `ndkl`.
"""

SUMS_OF_NUMBERS: Final = {
    **{
        f"{number}_{word}": (number,)
        for number in ("observed", "estimated")
        for word in ("place", "sum", "squares", "negative")
    },
    "residual_squares": ("observed", "estimated"),
    "residual_distance": ("observed", "estimated"),
    **{
        f"{number}_{word}": (number, "controls")
        for number in ("observed", "estimated")
        for word in ("nonzero", "log")
    },
}
"""What is added up of numbers as outcomes, with the arguments that it needs.

Sums and squares are of a number less its place; residuals are estimated less observed. At equal
controls rows are added up that are not 0, and the logarithms of the numbers above 0.
"""


@dataclass(frozen=True)
class Rate:
    """A quotient of sums of counts, with all that the package knows about it.

    Examples
    --------
    >>> rate = RATES["accuracy"]
    >>> (rate.above, rate.below, sorted(rate.needs), rate.is_proportion)
    (('tp', 'tn'), ('n',), ['label', 'predicted'], True)
    """

    name: str  # the word for it in formulas, in columns and in the names of metrics
    above: tuple[str, ...]  # the counts to add above the line
    below: tuple[str, ...]
    symbol: str  # how definitions of metrics write it
    title: str
    meaning: str  # its explanation in a report
    parity: str | None = None  # the name for equal rates of all groups
    has_gap: bool = True  # whether the catalogue has its gap and ratio, if it is a proportion
    in_report: bool = False  # whether a report shows it for every group

    @property
    def counts(self) -> tuple[str, ...]:
        """The counts it is made of."""
        return (*self.above, *self.below)

    @property
    def needs(self) -> frozenset[str]:
        """The outcomes without which it has no value."""
        return frozenset(outcome for count in self.counts for outcome in COUNTS[count])

    @property
    def is_proportion(self) -> bool:
        """Whether it is a share of one count, in which each row counts once; f1 is not."""
        return len(self.below) == 1 and len({*self.above}) == len(self.above)

    @property
    def mixes_decisions(self) -> bool:
        """Whether it counts labels of rows of both decisions together."""
        of_one = (("accepted",), ("rejected",))
        return "label" in self.needs and self.below not in of_one

    @property
    def whole(self) -> str:
        """The count that a proportion is a share of."""
        (whole,) = self.below
        return whole

    @property
    def rows(self) -> str:
        """The term for how many rows a proportion is about; with weights, the effective number."""
        return f"effective_{self.whole}"

    def sums(self, side: str) -> tuple[Expression, Expression]:
        """Write the rate of one side as two sums: above the line, and below it."""
        above, below = (
            reduce(add, (term(f"{side}.{count}") for count in part))
            for part in (self.above, self.below)
        )
        return above, below


_ALL: Final = (
    Rate("selection_rate", ("accepted",), ("n",), "q'", "Selection rate",
         "the share predicted positive", "Demographic parity", in_report=True),
    Rate("base_rate", ("positive",), ("n",), "q", "Base rate",
         "the share whose label is positive", has_gap=False, in_report=True),
    Rate("tpr", ("tp",), ("positive",), "tpr", "True positive rate",
         "the share predicted positive among rows whose label is positive", in_report=True),
    Rate("fpr", ("fp",), ("negative",), "fpr", "False positive rate",
         "the share predicted positive among rows whose label is negative", in_report=True),
    Rate("tnr", ("tn",), ("negative",), "tnr", "True negative rate",
         "the share predicted negative among rows whose label is negative"),
    Rate("fnr", ("fn",), ("positive",), "fnr", "False negative rate",
         "the share predicted negative among rows whose label is positive"),
    Rate("ppv", ("tp",), ("accepted",), "ppv", "Positive predictive value",
         "the share whose label is positive among rows predicted positive"),
    Rate("npv", ("tn",), ("rejected",), "npv", "Negative predictive value",
         "the share whose label is negative among rows predicted negative"),
    Rate("fdr", ("fp",), ("accepted",), "fdr", "False discovery rate",
         "the share whose label is negative among rows predicted positive", has_gap=False),
    Rate("false_omission_rate", ("fn",), ("rejected",), "for", "False omission rate",
         "the share whose label is positive among rows predicted negative", has_gap=False),
    Rate("accuracy", ("tp", "tn"), ("n",), "acc", "Accuracy",
         "the share whose prediction equals the label"),
    Rate("f1", ("tp", "tp"), ("tp", "tp", "fp", "fn"), "f1", "F1 score",
         "the harmonic mean of positive predictive value and true positive rate"),
)  # fmt: skip

RATES: Final = {rate.name: rate for rate in _ALL}
"""Every rate by its name, in the order of the columns of `rates`."""

PROPORTIONS: Final = tuple(rate.name for rate in _ALL if rate.is_proportion)
"""The names of the rates in which each row counts once."""


def outcomes_of(word: str) -> frozenset[str]:
    """The outcomes without which a count or rate has no value.

    Examples
    --------
    >>> sorted(outcomes_of("tpr"))
    ['label', 'predicted']
    """
    if word in RATES:
        return RATES[word].needs
    if word == "odds":
        return frozenset(("predicted",))
    if word in SUMS_OF_RANKS:
        return frozenset(("score",))
    if word in SUMS_OF_NUMBERS:
        return frozenset(SUMS_OF_NUMBERS[word])
    return frozenset(COUNTS.get((EFFECTIVE | SUMS_BY_SCORE).get(word, word), ()))


OF_GROUPS: Final = (*COUNTS, *RATES, *EFFECTIVE, *SUMS_OF_NUMBERS, *SUMS_OF_RANKS)
"""The words for what is known of every group."""

_LABELS: Final = ("n", "positive", "negative")

BY_SCORE: Final = (*_LABELS, *(f"effective_{count}" for count in _LABELS), *SUMS_BY_SCORE)
"""The words for what is known of the rows of a score."""

ATTRIBUTES: Final = (*OF_GROUPS, "share", "odds", *SUMS_BY_SCORE, "start", "end")
"""The attributes of a side."""


class Side:
    """The counts and rates of one side or group, as expressions.

    ``effective_n`` is how many rows of equal weight would be as precise, (Σw)²/Σw²; every count has
    such a term. ``share`` is the part of a side's rows that are in this stratum or have this
    label value; ``odds`` those of being accepted at equal controls.
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
    estimated_place: Expression
    estimated_sum: Expression
    estimated_squares: Expression
    estimated_negative: Expression
    residual_squares: Expression
    residual_distance: Expression
    observed_nonzero: Expression
    observed_log: Expression
    estimated_nonzero: Expression
    estimated_log: Expression
    attention: Expression
    divergence: Expression
    share: Expression
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
a_s, d_s, g_s = Side("a_s"), Side("d_s"), Side("g_s")
