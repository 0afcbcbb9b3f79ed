"""The counts that outcomes allow, and the rates made of them."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Final

import polars as pl

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
"""Every count, with the outcomes it is made of."""

RATES: Final = {
    "selection_rate": (("accepted",), ("n",)),
    "base_rate": (("positive",), ("n",)),
    "tpr": (("tp",), ("positive",)),
    "fpr": (("fp",), ("negative",)),
    "tnr": (("tn",), ("negative",)),
    "fnr": (("fn",), ("positive",)),
    "ppv": (("tp",), ("accepted",)),
    "npv": (("tn",), ("rejected",)),
    "fdr": (("fp",), ("accepted",)),
    "for": (("fn",), ("rejected",)),
    "accuracy": (("tp", "tn"), ("n",)),
    "f1": (("tp", "tp"), ("tp", "tp", "fp", "fn")),
}
"""Every rate: the counts to add above the line, and those below it."""

EFFECTIVE: Final = {f"effective_{count}": count for count in COUNTS}
"""The effective number of rows behind each count: (Σw)²/Σw² with weights (Kish), else the count."""

PROPORTIONS: Final = tuple(
    rate for rate, (above, _) in RATES.items() if len({*above}) == len(above)
)
"""The rates that count each person once; f1 counts some twice."""


def fraction(side: str, rate: str) -> tuple[pl.Expr, pl.Expr]:
    """Write a rate of one side as two sums: above the line, and below it."""
    above, below = (reduce(add, (pl.col(f"{side}.{c}") for c in part)) for part in RATES[rate])
    return above, below


def outcomes_of(word: str) -> frozenset[str]:
    """The outcomes without which a count or rate has no value.

    Examples
    --------
    >>> sorted(outcomes_of("tpr"))
    ['label', 'predicted']
    """
    word = EFFECTIVE.get(word, word)
    parts = RATES.get(word, ((word,), ()))
    return frozenset(role for part in parts for count in part for role in COUNTS.get(count, ()))
