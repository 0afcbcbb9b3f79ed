"""Cells to counts: who was positive, accepted, rightly or wrongly, in any part of the cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import add
from typing import Final

import polars as pl

from polars_fairness.roles import Roles
from polars_fairness.terms import RATES, ratio

LABEL: Final = pl.col("positive_label")
PREDICTED: Final = pl.col("positive_prediction")

# The finest counts that a set of binary outcomes allows. All others are sums of these, never a
# difference: where weights are added, 0 stays 0, and n is accepted + rejected to the last digit.
_FINEST: Final = {
    ("label", "predicted"): {
        "tp": LABEL & PREDICTED,
        "fp": ~LABEL & PREDICTED,
        "fn": LABEL & ~PREDICTED,
        "tn": ~LABEL & ~PREDICTED,
    },
    ("label",): {"positive": LABEL, "negative": ~LABEL},
    ("predicted",): {"accepted": PREDICTED, "rejected": ~PREDICTED},
    (): {"n": pl.lit(True)},
}

_SUMS: Final = {
    "positive": ("tp", "fn"),
    "negative": ("fp", "tn"),
    "accepted": ("tp", "fp"),
    "rejected": ("fn", "tn"),
}


def prepare(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """Say of every cell what it weighs and which of its outcomes are positive."""
    mass = pl.col("n" if roles.weight is None else "weight")
    outcomes = {"label": LABEL, "predicted": PREDICTED}
    return cells.with_columns(
        mass.alias("mass"),
        *(
            outcome.positive_of(pl.col(outcome.role)).alias(
                outcomes[outcome.role].meta.output_name()
            )
            for outcome in roles.binary_outcomes
        ),
    ).filter(pl.col("mass") > 0)


def finest(roles: Roles) -> Mapping[str, pl.Expr]:
    """The counts to add up, each with its condition on prepared cells."""
    return _FINEST[tuple(outcome.role for outcome in roles.binary_outcomes)]


def added_up(cells: pl.LazyFrame, keys: Sequence[str], side: str, roles: Roles) -> pl.LazyFrame:
    """Add up the finest counts of a side by some keys; `with_terms` makes all others of them.

    As floats, which hold whole numbers up to 9e15 exactly: formulas multiply counts, and a
    product of two beyond 3e9 does not fit into 64 bits.
    """
    mass = pl.col("mass")
    return cells.group_by(keys).agg(
        mass.filter(condition).sum().cast(pl.Float64).alias(f"{side}.{count}")
        for count, condition in finest(roles).items()
    )


def with_terms(table: pl.LazyFrame, terms: Iterable[str], roles: Roles) -> pl.LazyFrame:
    """Add to a table of finest counts the other counts, then the rates, among the terms."""
    counts: set[tuple[str, str]] = set()
    rates: dict[str, pl.Expr] = {}
    for term in sorted(terms):
        side, word = term.split(".")
        parts = RATES.get(word, ((word,), ()))
        counts.update((side, count) for part in parts for count in part)
        if word in RATES:
            above, below = (reduce(add, (pl.col(f"{side}.{c}") for c in part)) for part in parts)
            rates[term] = ratio(above, below)
    known = finest(roles)
    sums = {
        f"{side}.{count}": _summed(side, count, roles)
        for side, count in sorted(counts)
        if count not in known
    }
    undefined = pl.lit(roles.zero_division, pl.Float64)
    return table.with_columns(undefined=undefined, **sums).with_columns(**rates)


def _summed(side: str, count: str, roles: Roles) -> pl.Expr:
    if count in finest(roles):
        return pl.col(f"{side}.{count}")
    halves = ("accepted", "rejected") if "predicted" in roles.given else ("positive", "negative")
    parts = halves if count == "n" else _SUMS[count]
    return reduce(add, (_summed(side, part, roles) for part in parts))
