"""Cells to counts: who was positive, accepted, rightly or wrongly, in any part of the cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from operator import add
from typing import Final

import polars as pl

from polars_fairness.formula.arithmetic import unbounded_ratio
from polars_fairness.formula.rates import EFFECTIVE, RATES
from polars_fairness.question.roles import Roles

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

PARTS: Final = {
    "positive": ("tp", "fn"),
    "negative": ("fp", "tn"),
    "accepted": ("tp", "fp"),
    "rejected": ("fn", "tn"),
}
"""The counts of rows by label and prediction that add up to each coarser count."""

_SQUARES: Final = "_sq"


def squared(count: str) -> str:
    """The name of the sum of squared weights beside a sum of weights."""
    return f"{count}{_SQUARES}"


def finest(roles: Roles) -> tuple[str, ...]:
    """The counts that are added up; `with_terms` makes all others of them."""
    return _FINEST[tuple(outcome.role for outcome in roles.binary_outcomes)]


def tallied(roles: Roles) -> tuple[str, ...]:
    """The columns that are added up: the finest counts, and with weights their sums of squares."""
    counts = finest(roles)
    return (*counts, *map(squared, counts)) if roles.weight else counts


def prepare(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """Put what a cell weighs, its ``mass``, into the one of the finest counts it belongs to.

    As floats, which hold whole numbers up to 9e15 exactly: formulas multiply counts, and a
    product of two beyond 3e9 does not fit into 64 bits.
    """
    mass = pl.col("n" if roles.weight is None else "weight").cast(pl.Float64)
    counts = _placed({"n": mass}, roles)
    if roles.weight is not None:
        squares = _placed({"n": pl.col("weight_sq")}, roles)
        counts |= {squared(count): value for count, value in squares.items()}
    return cells.filter(mass > 0).with_columns(mass=mass, **counts)


def _placed(whole: dict[str, pl.Expr], roles: Roles) -> dict[str, pl.Expr]:
    """Split what a cell has, one outcome after the other, into the finest counts."""
    for outcome in roles.binary_outcomes:
        yes = outcome.positive_of(pl.col(outcome.role))
        whole = {
            _SPLIT[count, outcome.role][is_no]: pl.when(~yes if is_no else yes)
            .then(value)
            .otherwise(0.0)
            for count, value in whole.items()
            for is_no in (False, True)
        }
    return whole


def added_up(cells: pl.LazyFrame, keys: Sequence[str], side: str, roles: Roles) -> pl.LazyFrame:
    """Add up the finest counts of a side by some keys, in the order of the cells."""
    return cells.group_by(keys, maintain_order=True).agg(
        pl.col(count).sum().alias(f"{side}.{count}") for count in tallied(roles)
    )


def with_terms(table: pl.LazyFrame, terms: Iterable[str], roles: Roles) -> pl.LazyFrame:
    """Add to a table of finest counts the other counts, then the rates, among the terms."""
    rules = {
        "undefined": pl.lit(roles.zero_division, pl.Float64),
        "no_divisor": pl.lit(None if roles.zero_division is None else 0.0, pl.Float64),
    }
    sums, quotients = _expressions(frozenset(terms), tallied(roles), roles.weight is not None)
    return table.with_columns(**rules, **sums).with_columns(**quotients)


# Written anew for each call, all terms of the catalogue took a fifth of the time of 1,000 rows.
@lru_cache(maxsize=256)
def _expressions(
    terms: frozenset[str],
    known: tuple[str, ...],
    is_weighted: bool,  # noqa: FBT001
) -> tuple[dict[str, pl.Expr], dict[str, pl.Expr]]:
    """Write the sums of known counts that terms mention, then the quotients of these."""
    counts: set[tuple[str, str]] = set()
    quotients: dict[str, pl.Expr] = {}
    for term in sorted(terms):
        side, word = term.split(".")
        if word == "vote":
            continue  # neighbours give it, not counts
        if word in EFFECTIVE:
            count = EFFECTIVE[word]
            counts |= {(side, count), (side, squared(count))} if is_weighted else {(side, count)}
            quotients[term] = (
                _effective(f"{side}.{count}") if is_weighted else pl.col(f"{side}.{count}")
            )
            continue
        rate = RATES.get(word)
        counts.update((side, count) for count in (rate.counts if rate else (word,)))
        if rate:
            # A part is never more than its whole, so nothing here is x/0.
            quotients[term] = unbounded_ratio(*rate.sums(side))
    sums = {
        f"{side}.{count}": _summed(side, count, known)
        for side, count in sorted(counts)
        if count not in known
    }
    return sums, quotients


def _effective(count: str) -> pl.Expr:
    """How many rows of equal weight would tell as much: (Σw)²/Σw² (Kish 1965)."""
    total = pl.col(count)
    return pl.when(total > 0).then(total**2 / pl.col(squared(count))).otherwise(0.0)


def _summed(side: str, count: str, known: Sequence[str]) -> pl.Expr:
    if count in known:
        return pl.col(f"{side}.{count}")
    name = count.removesuffix(_SQUARES)
    halves = ("accepted", "rejected") if {"tp", "accepted"} & {*known} else ("positive", "negative")
    parts = halves if name == "n" else PARTS[name]
    return reduce(add, (_summed(side, part + count[len(name) :], known) for part in parts))
