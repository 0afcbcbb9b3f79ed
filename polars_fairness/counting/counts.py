"""Cells to counts: rows by label and prediction, their sums, and rates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from hashlib import md5
from itertools import chain
from operator import add
from typing import Any, Final, TypeVar

import polars as pl

from polars_fairness.counting.models import Count
from polars_fairness.formula.in_polars import with_values
from polars_fairness.formula.scores import SCORE
from polars_fairness.formula.sides import (
    COUNTS,
    EFFECTIVE,
    RATES,
    SUMS_BY_SCORE,
    SUMS_OF_RANKS,
)
from polars_fairness.formula.tree import Expression, choose, ratio, term, unbounded_ratio
from polars_fairness.question.columns import Column, column_called, is_text, with_one_zero
from polars_fairness.question.outcomes import CHAMPION, sums_of_numbers
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS, Unrounded

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


def halves(count: str) -> tuple[str, str]:
    """The names of a count's rows that the champion accepts, and of those that it rejects."""
    return f"{count}@accepted", f"{count}@rejected"


_FINEST: Final = {
    (roles, is_paired): tuple(chain.from_iterable(map(halves, counts))) if is_paired else counts
    for roles, counts in {
        ("label", "predicted"): ("tp", "fp", "fn", "tn"),
        ("label",): ("positive", "negative"),
        ("predicted",): ("accepted", "rejected"),
        (): ("n",),
    }.items()
    for is_paired in (False, True)
}
"""The finest counts by the outcomes of a call, and whether it is paired."""

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
    return _FINEST[roles.binary_roles, roles.is_paired]


def parts_of(count: str, roles: Roles) -> list[str]:
    """The finest counts of a call that add up to one of fewer outcomes, or of one model of two."""
    name, _, decision = count.partition("@")
    known = _FINEST[roles.binary_roles, False]
    parts = [name] if name in known else known if name == "n" else PARTS[name]
    if decision or not roles.is_paired:
        return [f"{part}@{decision}" if decision else part for part in parts]
    return [half for part in parts for half in halves(part)]


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
    """Add the finest counts to complete cells: their ``mass`` in one of them, 0 in the others.

    The mass is the number of rows, or the sum of their weights. Counts are floats, which are exact
    for whole numbers up to 9e15: formulas multiply counts, and the product of two counts above 3e9
    does not fit into 64 bits.
    """
    mass = pl.col(roles.mass).cast(pl.Float64)
    counts = _placed({"n": mass}, roles)
    for ending, column in _sums_beside_counts(roles).items():
        sums = _placed({"n": pl.col(column)}, roles)
        counts |= {f"{count}{ending}": value for count, value in sums.items()}
    return cells.with_columns(mass=mass, **counts)


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


Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)

# Of 20 million scores of four digits, counts by hashing take 0.2 s and lists 0.9; of distinct
# scores 2.2 and 1.3.
MOST_REPEATED: Final = 0.1

SAMPLE: Final = 10_000
"""The number of rows that show whether scores repeat."""


def may_be_listed(count: Count) -> bool:
    """Whether a count is by raw scores alone: each row of a cell then has one score and no more."""
    score, roles = count.score, count.roles
    return (
        score is not None
        and isinstance(score.rounding, Unrounded)
        and not score.has_sums
        and score.column.dtype.is_float()
        and not count.models
        and not roles.numbers
        and not roles.uncertain_facets
        and not roles.is_weighted
        and roles.count is None
    )


# Fewer cells are sorted as they are in some milliseconds.
_LEAST: Final = 20_000


def listed(cells: pl.DataFrame) -> pl.DataFrame:
    """The cells with their scores in lists, if they are many and each is the score of one row."""
    if cells.height < _LEAST or cells.schema.get("score") != pl.Float64:
        return cells
    # Weights, and the sums of rounded scores, stand after the number of rows.
    *keys, last = (name for name in cells.columns if name not in ("score", *SUMS_OF_RANKS))
    if last != "n":
        return cells
    known = cells.drop_nulls("score")
    if (known["n"] > 1).any():
        return cells
    sums = [name for name in ("n", *SUMS_OF_RANKS) if name in cells.columns]
    lists = known.group_by(keys).agg(pl.col("score").sort(), pl.col(sums).sum())
    unknown = cells.filter(pl.col("score").is_null()).cast({"score": pl.List(pl.Float64)})
    return pl.concat([lists, unknown.select(lists.columns)]).select(cells.columns)


def shared(plan: pl.LazyFrame) -> pl.LazyFrame:
    """The same rows, computed once for all parts of a plan that read them.

    Without a barrier a filter of one part may move into the cache: of 400 random plans polars 1.44
    panics in 61, and polars 2.0 loses rows in some.
    """
    return behind_barrier(plan.cache())


_ROW: Final = "row\x1f"


def behind_barrier(plan: pl.LazyFrame) -> pl.LazyFrame:
    """The same rows, from a struct of them, which no filter and no projection passes.

    Its fields are selected: cudf-polars does not translate `unnest`.
    """
    names = plan.collect_schema().names()
    row = plan.select(pl.struct(map(column_called, names)).alias(_ROW))
    return row.select(pl.col(_ROW).struct.field(name) for name in names)


def with_columns_of(table: Frame, other: Frame, keys: Sequence[str]) -> Frame:
    """The rows of a table in order with the columns of another one, null where it lacks their keys.

    Small tables mostly have the same keys in the same order: to see this takes 0.05 ms, and to join
    them 0.2.
    """
    if isinstance(table, pl.DataFrame) and isinstance(other, pl.DataFrame):
        by, of = table[keys], other[keys]
        if by.equals(of):
            return table.hstack(other.drop(keys))
    return table.join(other, on=keys, how="left", nulls_equal=True, maintain_order="left")


def in_python(
    table: pl.LazyFrame,
    step: Callable[[pl.DataFrame], pl.DataFrame],
    schema: Mapping[str, pl.DataType] | None = None,
    **more: bool,
) -> pl.LazyFrame:
    """What a step in Python makes of a whole table, when the plan runs.

    Without a schema, it is applied to a table without rows for the columns of its result.
    """
    if schema is None:
        schema = step(pl.DataFrame(schema=table.collect_schema())).schema
    pushdown = ("predicate_pushdown", "projection_pushdown", "slice_pushdown")
    return table.map_batches(
        step, schema=pl.Schema(schema), **dict.fromkeys(pushdown, False), **more
    )


def are_listed(cells: pl.DataFrame | pl.LazyFrame) -> bool:
    """Whether the scores of these cells stand in lists."""
    return isinstance(cells.collect_schema().get("score"), pl.List)


def unlisted(cells: Frame) -> Frame:
    """The cells with a row for each score, one after the other, in place of lists.

    What the ranks of a cell add up to is divided evenly: only its sum over a group has a meaning.
    """
    if not are_listed(cells):
        return cells
    n = pl.when(pl.col("score").is_null()).then("n").otherwise(1)
    sums = [name for name in SUMS_OF_RANKS if name in cells.collect_schema()]
    parts = (pl.col(name) / pl.col("score").list.len().fill_null(1) for name in sums)
    spread = cells.with_columns(*parts, n=n).explode("score", empty_as_null=False)
    return spread.with_columns(with_one_zero(pl.col("score")))


CLUSTER: Final = "cluster"
"""The key of cells that numbers the group of their clusters."""

GROUPS: Final = 200

REST: Final = 201
"""The group of what no group of clusters moves, where counts are no sums over clusters."""

PRIME: Final = 2**31 - 1  # the square of a smaller number fits into 64 bits
_FACTORS: Final = (48_271, 69_621)

Number = TypeVar("Number", bound=Any)


def scattered(number: Number) -> Number:
    """A number below `PRIME` for each whole number of 64 bits, as if drawn.

    Squares scatter numbers that follow each other: every second one may be of one side.
    """
    for factor in _FACTORS:
        number = (number % PRIME + PRIME) % PRIME * factor % PRIME
        number = (number * number + number) % PRIME
    return number


def is_group(dtype: pl.DataType) -> bool:
    """Whether values are groups already: those of `cells` have 8 bits, and are read again."""
    return dtype in (pl.UInt8, pl.Int8, pl.Boolean)


def group_left_out(cluster: Column) -> pl.Expr:
    """The number of the group that each row's cluster is left out with."""
    value, dtype = cluster.expression, cluster.dtype
    if is_text(dtype):
        return value.cast(pl.String).map_batches(
            _groups_of_texts, return_dtype=pl.UInt8, is_elementwise=True
        )
    if is_group(dtype):
        return ((value.cast(pl.Int16) % GROUPS + GROUPS) % GROUPS).cast(pl.UInt8)
    if dtype in (pl.UInt64, pl.Int128):
        value = value % PRIME
    return (scattered(value.cast(pl.Int64)) % GROUPS).cast(pl.UInt8)


def _groups_of_texts(texts: pl.Series) -> pl.Series:
    """The group of each text: the first 32 bits of its MD5, computed once for each text."""
    distinct = texts.drop_nulls().unique()
    groups = (int(md5(each.encode()).hexdigest()[:8], 16) % GROUPS for each in distinct)
    if distinct.is_empty():
        return pl.repeat(None, len(texts), dtype=pl.UInt8, eager=True)
    return texts.replace_strict(distinct, pl.Series(groups, dtype=pl.UInt8), default=None)
