"""Cells to counts: rows by label and prediction, their sums, and rates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import add
from typing import Final

import polars as pl

from polars_fairness.counting.complete_rows import have_rows
from polars_fairness.formula.arithmetic import ratio, unbounded_ratio
from polars_fairness.formula.in_polars import with_values
from polars_fairness.formula.rates import (
    COUNTS,
    EFFECTIVE,
    RATES,
    SUMS_BY_SCORE,
)
from polars_fairness.formula.scores import SCORE
from polars_fairness.formula.tree import Expression, choose, term
from polars_fairness.question.outcomes import CHAMPION, sums_of_numbers
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS

_FINEST: Final = {
    ("label", "predicted"): ("tp", "fp", "fn", "tn"),
    ("label",): ("positive", "negative"),
    ("predicted",): ("accepted", "rejected"),
    (): ("n",),
}

SPLIT: Final = {
    ("n", "label"): ("positive", "negative"),
    ("n", "predicted"): ("accepted", "rejected"),
    ("positive", "predicted"): ("tp", "fn"),
    ("negative", "predicted"): ("fp", "tn"),
}
"""The counts into which an outcome divides a count: where it is positive, and where it is not.

The finest counts are sums of rows. All other counts are sums of these, never differences: so with
weights 0 stays 0, and n is accepted + rejected to the last digit.
"""

PARTS: Final = {
    "positive": ("tp", "fn"),
    "negative": ("fp", "tn"),
    "accepted": ("tp", "fp"),
    "rejected": ("fn", "tn"),
}
"""The counts by label and prediction that add up to each coarser count."""

_SQUARES: Final = "_sq"

_NO_ROWS: Final = 1e-20
"""The effective rows, (Σw)²/Σw², up to which an estimated count is 0 but for its last digits."""

SCORES: Final = "_scores"
SQUARED_SCORES: Final = "_squared_scores"
"""The endings of the sums of scores, and of squared scores, beside a count."""


def squared(count: str) -> str:
    """The name of the sum of squared weights beside a sum of weights."""
    return f"{count}{_SQUARES}"


def finest(roles: Roles) -> tuple[str, ...]:
    """The finest counts of a call; `with_terms` computes all others from them.

    In a paired question each is divided by the champion's decision.
    """
    counts = _FINEST[roles.binary_roles]
    return tuple(chain.from_iterable(map(halves, counts))) if roles.is_paired else counts


def finest_of(counts: Iterable[str], roles: Roles) -> list[str]:
    """The finest counts that some counts are made of."""
    known = finest(roles)
    parts = ([each] if each in known else known if each == "n" else PARTS[each] for each in counts)
    return [*dict.fromkeys(chain.from_iterable(parts))]


def halves(count: str) -> tuple[str, str]:
    """The names of a count's rows that the champion accepts, and of those that it rejects."""
    return f"{count}@accepted", f"{count}@rejected"


def tallied(roles: Roles) -> tuple[str, ...]:
    """The columns to add up: the finest counts, and the sums that are kept beside each of them."""
    counts, numbers = finest(roles), (*sums_of_numbers(roles.numbers), *roles.sums_ranks)
    if not roles.is_weighted and not roles.sums_scores:
        return (*counts, *numbers)
    beside = (f"{count}{ending}" for ending in _sums_beside_counts(roles) for count in counts)
    return (*counts, *beside, *numbers)


def _sums_beside_counts(roles: Roles) -> dict[str, str]:
    """The sums of cells that are kept beside counts, by the ending of their names.

    With weights these are the squared weights, and with rounded scores the scores and their
    squares. If scores are not rounded, their sums follow from the counts.
    """
    sums = {_SQUARES: "weight_sq"} if roles.is_weighted else {}
    if roles.sums_scores:
        sums |= zip(endings_of_scores(roles), SUMS, strict=True)
    return sums


def endings_of_scores(roles: Roles) -> tuple[str, ...]:
    """How the sums of scores that are kept beside counts end, if there are such sums."""
    return (SCORES, SQUARED_SCORES) if roles.sums_scores else ()


def with_finest_counts(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """Add the finest counts to cells: the ``mass`` of a cell in one of them, 0 in the others.

    The mass is the number of rows, or the sum of their weights. Counts are floats, which are exact
    for whole numbers up to 9e15: formulas multiply counts, and the product of two counts above 3e9
    does not fit into 64 bits.
    """
    mass = pl.col(roles.mass).cast(pl.Float64)
    counts = _placed({"n": mass}, roles)
    for ending, column in _sums_beside_counts(roles).items():
        sums = _placed({"n": pl.col(column)}, roles)
        counts |= {f"{count}{ending}": value for count, value in sums.items()}
    return cells.filter(have_rows(roles)).with_columns(mass=mass, **counts)


def _placed(whole: dict[str, pl.Expr], roles: Roles) -> dict[str, pl.Expr]:
    """Place a number of a cell in the finest count of its outcomes; 0 in the other counts."""
    for outcome in roles.binary_outcomes:
        yes = outcome.positive_of(pl.col(outcome.key))
        whole = {
            SPLIT[count, outcome.role][is_no]: pl.when(~yes if is_no else yes)
            .then(value)
            .otherwise(0.0)
            for count, value in whole.items()
            for is_no in (False, True)
        }
    if not roles.is_paired:
        return whole
    return {
        name: pl.when(accepts).then(value).otherwise(0.0)
        for count, value in whole.items()
        for name, accepts in zip(halves(count), (pl.col(CHAMPION), ~pl.col(CHAMPION)), strict=True)
    }


def added_up(cells: pl.LazyFrame, keys: Sequence[str], side: str, roles: Roles) -> pl.LazyFrame:
    """The sums of the finest counts by keys, named as counts of a side, in the order of cells."""
    return cells.group_by(keys, maintain_order=True).agg(
        pl.col(count).sum().alias(f"{side}.{count}") for count in tallied(roles)
    )


def with_terms(table: pl.LazyFrame, terms: Iterable[str], roles: Roles) -> pl.LazyFrame:
    """Add the counts and rates among the terms to a table of finest counts."""
    counts = Counts.of(roles)
    expressions = {name: counts.term(name) for name in sorted(terms)}
    made = {name: each for name, each in expressions.items() if each is not term(name)}
    return with_values(table, made, roles.zero_division)


@dataclass(frozen=True)
class Counts:
    """The sums that are known of each side or group, and how all terms are made of them.

    What a regression counts in cells may add up to 0, and is 1e-15 by rounding: a true positive
    rate over such a count was 1e14. So an estimated count of next to no effective rows is 0.
    """

    known: tuple[str, ...]
    finest: tuple[str, ...]
    is_weighted: bool
    is_estimated: bool = False

    @classmethod
    def of(cls, roles: Roles) -> Counts:
        """The sums that a question keeps."""
        is_weighted = roles.is_weighted
        is_estimated = is_weighted and roles.windows.has_estimators
        return cls(tallied(roles), finest(roles), is_weighted, is_estimated)

    def term(self, name: str) -> Expression:
        """A term as an expression of known sums; what is no count is a column itself."""
        side, _, word = name.partition(".")
        if word in SUMS_BY_SCORE:
            return self._sum_by_score(side, word)
        if word in EFFECTIVE:
            return self._effective(side, EFFECTIVE[word])
        if word in RATES:
            above, below = (
                reduce(add, (self._count(side, count) for count in part))
                for part in (RATES[word].above, RATES[word].below)
            )
            # A part is never more than its whole, so no rate is x/0 with x above 0, but of
            # regressions.
            return ratio(above, below) if self.is_estimated else unbounded_ratio(above, below)
        return self._count(side, word) if word in COUNTS else term(name)

    def sum_of(self, name: str) -> Expression | None:
        """The sum of an estimated count over rows of a table, where it may cancel as well."""
        side, _, word = name.partition(".")
        if word not in COUNTS:
            return None
        return self._settled(self._summed(side, word).sum(), self._summed(side, squared("n")).sum())

    def _count(self, side: str, count: str) -> Expression:
        summed = self._summed(side, count)
        if not self.is_estimated:
            return summed
        return self._settled(summed, self._summed(side, squared("n")))

    def _settled(self, count: Expression, squares: Expression) -> Expression:
        return choose(count**2 <= _NO_ROWS * squares, 0.0, count)

    def _effective(self, side: str, count: str) -> Expression:
        """The effective sample size, (Σw)²/Σw² (Kish 1965)."""
        total = self._count(side, count)
        if not self.is_weighted:
            return total
        return choose(total > 0, total**2 / self._count(side, squared(count)), 0.0)

    def _sum_by_score(self, side: str, word: str) -> Expression:
        """The sum of scores, or of squared scores or weights, over the rows of a count."""
        count = SUMS_BY_SCORE[word]
        if word == "squared_weights":
            return self._summed(side, squared(count) if self.is_weighted else count)
        is_squared = word == "squared_scores"
        if any(each.endswith(SCORES) for each in self.known):
            return self._summed(side, f"{count}{SQUARED_SCORES if is_squared else SCORES}")
        return self._summed(side, count) * (SCORE**2 if is_squared else SCORE)

    def _summed(self, side: str, count: str) -> Expression:
        if count in self.known:
            return term(f"{side}.{count}")
        name, *_ = count.split("_")
        halves = ("positive", "negative")
        if {"tp", "accepted"} & {*self.known}:
            halves = ("accepted", "rejected")
        parts = halves if name == "n" else PARTS[name]
        return reduce(add, (self._summed(side, part + count[len(name) :]) for part in parts))
