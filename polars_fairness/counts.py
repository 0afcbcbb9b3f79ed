"""Cells to counts: who was positive, accepted, rightly or wrongly, in any part of the cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add
from typing import Final

import polars as pl

from polars_fairness.roles import Roles
from polars_fairness.terms import RATES, fraction, unbounded_ratio

# The finest counts that a set of binary outcomes allows. All others are sums of these, never a
# difference: where weights are added, 0 stays 0, and n is accepted + rejected to the last digit.
_FINEST: Final = {
    ("label", "predicted"): ("tp", "fp", "fn", "tn"),
    ("label",): ("positive", "negative"),
    ("predicted",): ("accepted", "rejected"),
    (): ("n",),
}

_SPLIT: Final = {
    ("n", "label"): ("positive", "negative"),
    ("n", "predicted"): ("accepted", "rejected"),
    ("positive", "predicted"): ("tp", "fn"),
    ("negative", "predicted"): ("fp", "tn"),
}

_SUMS: Final = {
    "positive": ("tp", "fn"),
    "negative": ("fp", "tn"),
    "accepted": ("tp", "fp"),
    "rejected": ("fn", "tn"),
}


def finest(roles: Roles) -> tuple[str, ...]:
    """The counts that are added up; `with_terms` makes all others of them."""
    return _FINEST[tuple(outcome.role for outcome in roles.binary_outcomes)]


def prepare(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """Put what a cell weighs, its ``mass``, into the one of the finest counts it belongs to.

    As floats, which hold whole numbers up to 9e15 exactly: formulas multiply counts, and a
    product of two beyond 3e9 does not fit into 64 bits.
    """
    mass = pl.col("n" if roles.weight is None else "weight").cast(pl.Float64)
    counts = {"n": mass}
    for outcome in roles.binary_outcomes:
        yes = outcome.positive_of(pl.col(outcome.role))
        counts = {
            _SPLIT[count, outcome.role][is_no]: pl.when(~yes if is_no else yes)
            .then(value)
            .otherwise(0.0)
            for count, value in counts.items()
            for is_no in (False, True)
        }
    return cells.filter(mass > 0).with_columns(mass=mass, **counts)


def added_up(cells: pl.LazyFrame, keys: Sequence[str], side: str, roles: Roles) -> pl.LazyFrame:
    """Add up the finest counts of a side by some keys."""
    return cells.group_by(keys).agg(
        pl.col(count).sum().alias(f"{side}.{count}") for count in finest(roles)
    )


def with_terms(table: pl.LazyFrame, terms: Iterable[str], roles: Roles) -> pl.LazyFrame:
    """Add to a table of finest counts the other counts, then the rates, among the terms."""
    counts: set[tuple[str, str]] = set()
    rates: dict[str, pl.Expr] = {}
    for term in sorted(terms):
        side, word = term.split(".")
        if word == "vote":
            continue  # neighbours give it, not counts
        parts = RATES.get(word, ((word,), ()))
        counts.update((side, count) for part in parts for count in part)
        if word in RATES:
            # A part is never more than its whole, so nothing here is x/0.
            rates[term] = unbounded_ratio(*fraction(side, word))
    known = finest(roles)
    sums = {
        f"{side}.{count}": _summed(side, count, roles)
        for side, count in sorted(counts)
        if count not in known
    }
    rules = {
        "undefined": pl.lit(roles.zero_division, pl.Float64),
        "no_divisor": pl.lit(None if roles.zero_division is None else 0.0, pl.Float64),
    }
    return table.with_columns(**rules, **sums).with_columns(**rates)


def _summed(side: str, count: str, roles: Roles) -> pl.Expr:
    if count in finest(roles):
        return pl.col(f"{side}.{count}")
    halves = ("accepted", "rejected") if "predicted" in roles.given else ("positive", "negative")
    parts = halves if count == "n" else _SUMS[count]
    return reduce(add, (_summed(side, part, roles) for part in parts))
