"""Rows in polars: one streaming group-by over the columns that a question names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import chain
from math import inf, prod
from operator import add
from typing import Final, NamedTuple

import polars as pl

from polars_fairness.counting.counts import (
    CLUSTER,
    GROUPS,
    MOST_REPEATED,
    SAMPLE,
    group_left_out,
    may_be_listed,
    shared,
)
from polars_fairness.counting.models import Count, counts_of
from polars_fairness.formula.powers import DISTANCE, POWER, Power
from polars_fairness.formula.sides import SUMS_OF_NUMBERS, SUMS_OF_RANKS
from polars_fairness.question.columns import (
    Column,
    column_called,
    with_one_zero_in_streams,
)
from polars_fairness.question.facets import Facet
from polars_fairness.question.outcomes import (
    ESTIMATED,
    NUMBERS,
    OBSERVED,
    powers_of,
    returned_sums,
    sums_of_numbers,
)
from polars_fairness.question.probabilities import (
    EXCESSIVE,
    IMPOSSIBLE,
    ROUNDED,
    ROWS,
    SQUARES,
    checked,
    has_shares,
    is_share,
    returned_name,
    scaled,
    share,
    shares,
    sums_of,
)
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS, Score

# Ten million rows, eight attributes of six values, all triples: 13 s and 2 GB with one count of all
# attributes, 9.4 s with a count of each triple, 5.1 s with blocks of five, which have 31,000 cells.
MOST_CELLS: Final = 100_000

_BYTE: Final = 256

# The most facets that are counted jointly only to see whether the rows are cells: more may have as
# many cells as there are rows.
_MOST_OF_CELLS: Final = 3


def blocks_of(groupings: Sequence[Sequence[Facet]], count: Count) -> list[tuple[Facet, ...]]:
    """Choose blocks of facets to count jointly; each grouping is part of one block.

    A grouping of several facets is a block. A single facet is counted as part of such a block if it
    can be. The other single facets form blocks whose number of cells is bounded by the types of
    their values. A text may have as many values as there are rows, so it is a block by itself.
    """
    if len(groupings) == 1:
        return [tuple(groupings[0])]
    everything = dict.fromkeys(facet for grouping in groupings for facet in grouping)
    if count.roles.may_be_cells and len(everything) <= _MOST_OF_CELLS:
        return [tuple(everything)]
    blocks = [tuple(grouping) for grouping in groupings if len(grouping) != 1]
    single = [facet for grouping in groupings if len(grouping) == 1 for facet in grouping]
    missing = [facet for facet in single if not any(facet in block for block in blocks)]
    # An upper bound of the number of cells for each facet value, from the types of other keys.
    roles = count.roles
    own = (roles.strata, roles.controls)
    keys = (*roles.windows.columns, *chain.from_iterable(each.columns for each in own))
    # An assumed outcome is 0 or 1: other numbers are an error when the query runs.
    outcomes = (
        _most_values(pl.Boolean() if each.is_boolean or each.assumed else each.column.dtype)
        for each in count.outcomes
    )
    clusters = GROUPS if roles.cluster else 1
    per_value = prod((*(_most_values(key.dtype) for key in keys), *outcomes, clusters))
    filled: list[tuple[float, list[Facet]]] = []
    for facet in missing:
        values = prod(_most_values(dtype) for _, dtype in facet.fields)
        for place, (cells, block) in enumerate(filled):
            if cells * values <= MOST_CELLS:
                filled[place] = (cells * values, [*block, facet])
                break
        else:
            filled.append((per_value * values, [facet]))
    return [*blocks, *(tuple(block) for _, block in filled)]


def blocks_with(
    groupings: Iterable[Sequence[Facet]], blocks: Sequence[Sequence[Facet]]
) -> Iterator[int]:
    """The number of the first block that has all facets of each grouping."""
    numbers = [{facet.number for facet in block} for block in blocks]
    of_facet: dict[int, list[int]] = {}
    for i, block in enumerate(numbers):
        for facet in block:
            of_facet.setdefault(facet, []).append(i)
    for grouping in groupings:
        wanted = {facet.number for facet in grouping}
        candidates = of_facet[grouping[0].number] if grouping else range(len(blocks))
        yield next(i for i in candidates if wanted <= numbers[i])


def _most_values(dtype: pl.DataType) -> float:
    """An upper bound of the number of values of a column, null included."""
    if dtype == pl.Boolean:
        return 3
    if isinstance(dtype, pl.Enum):
        return len(dtype.categories) + 1
    return _BYTE + 1 if dtype in (pl.Int8, pl.UInt8) else inf


OWN: Final = "own."  # before the names of the user's columns, where they stand beside keys
NO_SCORE: Final = "no score\x1f"
ALL_KNOWN: Final = "all_known"  # whether a row has the predictions of all models
LOWEST_WEIGHT: Final = "lowest_weight"
"""The smallest weight of a row in a cell, besides 0; null if all are 0."""

LOWEST_N: Final = "lowest_n"
"""The least ``n`` of rows that may be cells; -1 where a cell of ours has several of them."""

LOWEST: Final = (LOWEST_WEIGHT, "lowest_count", LOWEST_N)

TALLIES_OF_CHECKS: Final = (*LOWEST, "total_count", "broken_counts")
"""The aggregates that the checks of cells read, and that are no sums of what others are."""

MISSING: Final = "_missing"
INFINITE: Final = "_infinite"
"""The endings of how many numbers of a cell are missing, and of whether some are infinite."""

WHOLE: Final = (
    *("n", "rows", "counted", "null_weights", "null_counts", "broken_counts"),
    *(f"{number}{of}" for number in NUMBERS for of in (MISSING, INFINITE)),
)
"""The aggregates that are whole numbers."""

SPREAD: Final = "spread"
"""The sum of squared probabilities of a group, from which `separation` follows."""

SCALED_ROWS: Final = "scaled_rows"
"""The rows whose probabilities were scaled to 1."""

_SCALED: Final = "scaled"
_TOTAL: Final = "total"

RESIDUAL: Final = "residual"
"""The name of estimated less observed, beside those of the two numbers."""

_VALUE: Final = "\x1fvalue"  # after the role of a number, in rows
_MOVED: Final = "\x1fmoved"  # and less the mean of all rows

TALLIES: Final = (
    *(*WHOLE, *LOWEST, "total_count", "weight", "weight_sq", SPREAD, SCALED_ROWS, *SUMS),
    *(*SUMS_OF_NUMBERS, *SUMS_OF_RANKS),
)
"""The aggregates that a cell may have beside its keys, and beside sums of shares."""


def is_tally(name: str) -> bool:
    """Whether a column of cells has an aggregate, and not a key."""
    return name in TALLIES or is_share(name) or name.startswith(POWER) or name.endswith(_MOVED)


class Counted(NamedTuple):
    """The cells of some facets, whose attributes are keys."""

    cells: pl.LazyFrame
    facets: tuple[Facet, ...]

    @property
    def keys(self) -> list[str]:
        return [key for facet in self.facets for key in facet.keys]


@dataclass(frozen=True)
class PolarsRows:
    """The rows of a LazyFrame; ``in_memory`` where it only stands for a DataFrame."""

    frame: pl.LazyFrame
    in_memory: bool = False

    @property
    def schema(self) -> pl.Schema:
        return self.frame.collect_schema()

    def would_sort_scores(self, roles: Roles) -> bool:
        """Whether raw scores are counted, which are sorted only where the rows are at hand."""
        return not self.in_memory and any(map(may_be_listed, counts_of(roles.as_counted)))

    def named(self, roles: Roles) -> pl.LazyFrame:
        """The rows with the columns that a question names, as they are."""
        expressions = [column.expression for column in roles.columns]
        names = {name for each in expressions for name in each.meta.root_names()}
        names |= {"n"} if roles.may_be_cells else set()
        return self.frame.select(column_called(name) for name in self.schema if name in names)

    def counted(
        self, groupings: Iterable[Sequence[Facet]], counts: Sequence[Count]
    ) -> list[list[Counted]]:
        """The cells of each grouping, of each count; only the columns named are read.

        Facets counted jointly are read once: ten facets of 30 to 48 values, of 20 million filtered
        rows, take 1.8 s one by one, and 1.5 s two by two.
        """
        wanted = tuple(map(tuple, groupings))
        return [self._answers(wanted, count) for count in counts]

    def values(self, facets: Sequence[Facet], count: Count) -> dict[str, int]:
        """How many values each key of rows has; estimated, which needs a third of the memory."""
        numbers = self.frame.select(row_keys(count, facets)).select(
            pl.all().hash().approx_n_unique()  # hashed, since it takes no structs and no lists
        )
        return numbers.collect(engine="streaming").row(0, named=True)

    def _answers(self, groupings: Sequence[tuple[Facet, ...]], count: Count) -> list[Counted]:
        if self._scores_mostly_differ(count):
            return [Counted(self._listed(grouping, count), grouping) for grouping in groupings]
        blocks = blocks_of(groupings, count)
        counts = [self._counted(block, count) for block in blocks]
        if len(groupings) > len(blocks):
            counts = [shared(each) for each in counts]
        answers = []
        for grouping, block in zip(groupings, blocks_with(groupings, blocks), strict=True):
            cells = counts[block]
            if grouping != blocks[block]:
                keys = _names(row_keys(count, grouping))
                cells = cells.group_by(keys).agg(**sums_of_tallies(tallies_of(count, grouping)))
            answers.append(Counted(with_scores(cells, count), grouping))
        return answers

    def _scores_mostly_differ(self, count: Count) -> bool:
        """Whether the scores are to be sorted: few repeat, as the first rows in memory show."""
        if not (self.in_memory and may_be_listed(count)):
            return False
        scores = self.frame.head(SAMPLE).select(_score_keys(count)).drop_nulls()
        known = scores.collect(engine="in-memory").to_series()
        return len(known) - known.n_unique() <= MOST_REPEATED * len(known)

    def _listed(self, facets: Sequence[Facet], count: Count) -> pl.LazyFrame:
        """The cells with the scores of each in one list, in order."""
        beside_score = replace(count, score=None)
        keys = row_keys(beside_score, facets)
        [score] = _score_keys(count)
        rows = self.frame.with_columns(*keys, score).with_columns(
            pl.col("score").is_null().alias(NO_SCORE)
        )
        cells = rows.group_by(*_names(keys), NO_SCORE).agg(
            score=pl.col("score").sort(), n=pl.len().cast(pl.Int64)
        )
        return cells.with_columns(score=pl.when(~pl.col(NO_SCORE)).then("score")).drop(NO_SCORE)

    def _measures(self, count: Count) -> dict[str, pl.Expr]:
        roles = count.roles
        measures = _measures(roles)
        if roles.weight is not None:
            measures["weight_sq"] = self._squares(roles, roles.weight)
        if count.score is not None and count.score.is_rounded:
            measures |= _sums_of_scores(roles, count.score)
        numbers = {number.role: number.expression for number in roles.summed_numbers}
        measures |= {f"{role}{_VALUE}": value for role, value in numbers.items()}
        if len(numbers) > 1:
            measures[f"{RESIDUAL}{_VALUE}"] = numbers[ESTIMATED] - numbers[OBSERVED]
        if powers_of(roles.numbers):
            measures |= {
                f"{role}{_MOVED}": value - value.filter(value.is_finite()).mean()
                for role, value in numbers.items()
            }
        if any(number.has_sums for number in roles.numbers):
            measures |= {word: pl.col(name) for word, name in returned_sums(roles.numbers).items()}
        return measures

    def _counted(self, facets: Sequence[Facet], count: Count) -> pl.LazyFrame:
        keys = row_keys(count, facets)
        # No column of the frame is left, so that none has the name of one of these.
        # `with_columns` repeats a single value, such as a literal, on every row.
        measures = self._measures(count)
        inner = {key.meta.output_name(): key for key in keys} | measures
        totals = {}
        for facet in facets:
            if facet.is_uncertain:
                inner |= _shares_of_row(facet, count.roles)
                # A column: written out in each of 150 probabilities, their sum takes 16 s to plan.
                if not has_shares(count.roles):
                    totals[share(facet, _TOTAL)] = reduce(add, _probabilities_of_row(facet))
        frame = self.frame.with_columns(**totals) if totals else self.frame
        rows = frame.with_columns(**inner).select(*inner)
        counted = _aggregated(rows, _names(keys), tallies_of(count, facets))
        return _centred(counted, count.roles, facets)

    def _squares(self, roles: Roles, weighted_by: Column) -> pl.Expr:
        """The sums of squared weights, from which the variance of a weighted cell follows.

        Cells that are counted again have these sums in ``weight_sq``. For other rows with a count,
        each of the rows counted is taken to have the same weight.
        """
        weight = weighted_by.expression.cast(pl.Float64)
        if roles.count is None:
            return weight**2
        count = roles.count.expression
        squares = pl.col("weight_sq") if roles.has_squares else weight**2 / count
        # A row with a count of 0 has no squares: 0/0 would be NaN.
        return pl.when(count > 0, weight > 0).then(squares)

    def keyed(self, roles: Roles, facets: Sequence[Facet]) -> pl.LazyFrame:
        """The rows with their keys, ``weight`` and ``count``; `OWN` stands before other names."""
        keys, measures = row_keys(Count.row_by_row(roles), facets), _measures(roles)
        return self.frame.select(pl.all().name.prefix(OWN), *keys, **measures)

    def members(self, roles: Roles, facet: Facet) -> pl.LazyFrame:
        """The complete rows of `keyed`, with ``facet``, its name, and ``value`` for its keys."""
        outcomes = (pl.col(outcome.key).is_not_null() for outcome in roles.outcomes)
        measures = (pl.col(name) > 0 for name in _measures(roles))
        value = facet.key([pl.col(name) for name in facet.keys]).alias("value")
        complete = self.keyed(roles, [facet]).filter(*outcomes, *measures)
        return complete.select(pl.lit(facet.name).alias("facet"), value, pl.exclude(facet.keys))


def row_keys(count: Count, facets: Sequence[Facet]) -> list[pl.Expr]:
    """The expressions that rows are grouped by."""
    return [*row_keys_beside_score(count, facets), *_score_keys(count)]


def row_keys_beside_score(count: Count, facets: Sequence[Facet]) -> list[pl.Expr]:
    """The expressions that rows are grouped by, without the score."""
    outcomes = [outcome.expression.alias(outcome.key) for outcome in count.outcomes]
    attributes = [
        attribute.alias(name)
        for facet in facets
        for name, attribute in zip(facet.keys, facet.attributes, strict=True)
    ]
    all_known = [_known(each).is_not_null() for each in count.all_known]
    cluster = count.roles.cluster
    return [
        *count.roles.windows.as_keys(),
        *attributes,
        *count.roles.strata.as_keys(),
        *count.roles.controls.as_keys(),
        *([pl.all_horizontal(all_known).alias(ALL_KNOWN)] if all_known else []),
        *([group_left_out(cluster).alias(CLUSTER)] if cluster else []),
        *(
            pl.when(_known(column).is_not_null()).then(pl.lit(value=True)).alias(key)
            for key, column in columns_that_may_lack(count).items()
        ),
        *(
            with_one_zero_in_streams(number.expression).alias(number.role)
            for number in count.roles.numbers
            if number.is_key
        ),
        *outcomes,
    ]


def sums_of_tallies(tallies: Iterable[str]) -> dict[str, pl.Expr]:
    """The expressions that add up cells to cells of fewer keys."""
    return {name: pl.col(name).min() if name in LOWEST else pl.col(name).sum() for name in tallies}


def _names(keys: Iterable[pl.Expr]) -> list[str]:
    return [key.meta.output_name() for key in keys]


def columns_that_may_lack(count: Count) -> dict[str, Column]:
    """The numbers that rows may lack, by the key that says whether they do: null where so.

    Where a number is a key itself, it says so too.
    """
    numbers = count.roles.numbers if count.roles.nulls == "drop" else ()
    return {
        **{number.role: number.column for number in numbers if not number.is_key},
        **{f"known.{column.argument}": column for column in count.may_lack},
    }


def _known(column: Column) -> pl.Expr:
    """The values of a column, null where they are NaN."""
    value = column.expression
    return with_one_zero_in_streams(value.fill_nan(None)) if column.dtype.is_float() else value


def _score_keys(count: Count) -> list[pl.Expr]:
    score = count.score
    return [score.rounding.key(score.expression).alias("score")] if score else []


def with_scores(cells: pl.LazyFrame, count: Count) -> pl.LazyFrame:
    """The cells with the score that each key of a score stands for."""
    if count.score is None:
        return cells
    return cells.with_columns(score=count.score.rounding.score(pl.col("score")))


def _measures(roles: Roles) -> dict[str, pl.Expr]:
    measures = {}
    if roles.weight is not None:
        measures["weight"] = roles.weight.expression.cast(pl.Float64)
    if roles.count is not None:
        measures["count"] = roles.count.expression
    if roles.may_be_cells:
        measures[LOWEST_N] = pl.col("n").cast(pl.Int64, strict=False)
    return measures


def _sums_of_scores(roles: Roles, score: Score) -> dict[str, pl.Expr]:
    """The score of each row, and its square, times the rows or the weight that it stands for."""
    if score.has_sums:
        return {name: pl.col(name) for name in SUMS}
    value = score.expression.cast(pl.Float64)
    mass = pl.lit(1.0) if roles.count is None else roles.count.expression
    if roles.weight is not None:
        weight = roles.weight.expression.cast(pl.Float64)
        mass = weight if roles.count is None else pl.when(mass > 0).then(weight)
    return dict(zip(SUMS, (value * mass, value**2 * mass), strict=True))


def tallies_of(count: Count, facets: Iterable[Facet]) -> dict[str, pl.Expr]:
    """The aggregates of a cell: its rows, their weight, and numbers for the checks.

    Products of probabilities are made as they are added up: with a column for each, 5 million rows
    of six groups took a third longer.
    """
    tallies = _tallies_of_rows(count.roles)
    if count.score is not None and count.score.is_rounded:
        tallies |= {name: pl.col(name).sum() for name in SUMS}
    if count.roles.summed_numbers:
        tallies |= _moments_of_cells(count.roles)
    for facet in facets:
        if facet.is_uncertain:
            tallies |= {name: each.sum() for name, each in _shares(facet, count).items()}
    return tallies


_MOST_APART: Final = 1_000
_TOGETHER: Final = "together\x1f"


def _aggregated(
    rows: pl.LazyFrame, keys: Sequence[str], tallies: Mapping[str, pl.Expr]
) -> pl.LazyFrame:
    """The tallies of cells, as columns.

    A plan of polars takes memory by the square of the number of its aggregates: the 11,325 products
    of 150 groups took 12 s and 7 GB for 5,000 rows. In one struct, which streaming does not take
    apart again behind a function, they take 0.9 s and 0.25 GB, and the rows are held in memory.
    """
    if not keys:  # polars 1 groups by at least one
        return rows.select(**tallies)
    if len(tallies) <= _MOST_APART:
        return rows.group_by(keys).agg(**tallies)
    named_tallies = (tally.alias(name) for name, tally in tallies.items())
    together = pl.struct(named_tallies).map_batches(lambda each: each, returns_scalar=True)
    return rows.group_by(keys).agg(together.alias(_TOGETHER)).unnest(_TOGETHER)


def _mass(roles: Roles) -> pl.Expr | None:
    """What each row stands for; None where that is 1."""
    mass = None
    if roles.count is not None:
        mass = pl.col("count").cast(pl.Float64)
    if roles.weight is not None:
        weight = pl.col("weight")
        mass = weight if mass is None else pl.when(mass > 0).then(weight)
    return mass


def _mean_of(mass: pl.Expr | None) -> Callable[[pl.Expr], pl.Expr]:
    """The mean of a number over the rows of a cell, by what each row stands for."""

    def mean(value: pl.Expr) -> pl.Expr:
        if mass is None:
            return value.mean()
        # Products with a large offset have no digits left for what differs.
        middle, total = value.mean(), mass.sum()
        moved = pl.when(total > 0).then((mass * (value - middle)).sum() / total)
        return middle + moved.fill_null(0.0)

    return mean


# What is added up of each row, whatever the mean of the cell.
_OF_SIZES: Final = ("_nonzero", "_log", "_distance")


def _moments_of_cells(roles: Roles) -> dict[str, pl.Expr]:
    mass = _mass(roles)
    roles_of_numbers = [number.role for number in roles.summed_numbers]
    if len(roles_of_numbers) > 1:
        roles_of_numbers.append(RESIDUAL)
    terms = moments({role: pl.col(f"{role}{_VALUE}") for role in roles_of_numbers}, mass)
    for number in roles.summed_numbers:
        value = pl.col(f"{number.role}{_VALUE}")
        terms[f"{number.role}{MISSING}"] = _rows_where(value.is_null(), roles)
        if number.has_log:
            terms[f"{number.role}_log"] = _mean_of(mass)(_log(value))
            terms[f"{number.role}_nonzero"] = _mean_of(mass)((value != 0).cast(pl.Float64))
    terms |= _powers_of_cells(roles)
    if mass is None or not any(number.has_sums for number in roles.numbers):
        return terms
    is_counted, total = mass > 0, mass.sum()

    # Cells that are counted again vary within, and not only beside one another.
    def within(word: str) -> pl.Expr:
        return (pl.when(is_counted).then(word).sum() / total).fill_nan(0.0)

    squares = {word: terms[word] + within(word) for word in terms if word.endswith("_squares")}
    negative = {word: pl.col(word).sum() for word in terms if word.endswith("_negative")}
    others = {word: within(word) for word in terms if word.endswith(_OF_SIZES)}
    return {**terms, **squares, **negative, **others}


def moments(values: Mapping[str, pl.Expr], mass: pl.Expr | None) -> dict[str, pl.Expr]:
    """The means and variances of the numbers of a cell, from which `sums_around` makes its sums.

    polars computes both without a place to centre on; of rows with weights or counts it does so in
    memory.
    """
    mean = _mean_of(mass)

    def variance(value: pl.Expr) -> pl.Expr:
        return value.var(ddof=0) if mass is None else mean((value - mean(value)) ** 2)

    tallies: dict[str, pl.Expr] = {}
    for role, value in values.items():
        if role == RESIDUAL:
            tallies |= {
                "residual_squares": variance(value),
                "residual_distance": mean(value.abs()),
            }
            continue
        is_negative = value < 0 if mass is None else (value < 0) & (mass > 0)
        tallies |= {
            f"{role}_place": mean(value),
            f"{role}_sum": mean(value),
            f"{role}_squares": variance(value),
            f"{role}_negative": is_negative.sum().cast(pl.Float64),
            f"{role}{INFINITE}": mean(value),
        }
    return tallies


def _moved(roles: Roles) -> dict[str, pl.Expr]:
    """What each row adds to the sums of numbers around the means of its cell."""
    mass = _mass(roles)
    mean = _mean_of(mass)
    mass = pl.lit(1.0, pl.Float64) if mass is None else mass
    terms: dict[str, pl.Expr] = {}
    for number in roles.numbers:
        value = pl.col(f"{number.role}{_VALUE}")
        moved = value - mean(value)
        terms |= {
            f"{number.role}_sum": mass * moved,
            f"{number.role}_squares": mass * moved**2,
            f"{number.role}_negative": ((value < 0) & (mass > 0)).cast(pl.Float64),
        }
        if number.has_log:
            terms[f"{number.role}_log"] = mass * _log(value)
            terms[f"{number.role}_nonzero"] = mass * (value != 0)
    if len(roles.numbers) > 1:
        residual = pl.col(f"{RESIDUAL}{_VALUE}")
        terms["residual_squares"] = mass * (residual - mean(residual)) ** 2
        terms["residual_distance"] = mass * residual.abs()
    return terms


def _powers_of_cells(roles: Roles) -> dict[str, pl.Expr]:
    """The sums of powers of numbers around the mean of all rows, and how far cells are from it.

    Around the mean of each cell, polars holds the rows in memory: 2 million took 1.3 s, and 0.3 s
    around one place. Cells that are counted again have sums around their own means.
    """
    mass, has_sums = _mass(roles), any(number.has_sums for number in roles.numbers)
    mean, one = _mean_of(mass), pl.lit(1.0) if mass is None else mass
    values = {number.role: pl.col(f"{number.role}{_VALUE}") for number in roles.summed_numbers}
    by = {role: pl.col(f"{role}{_MOVED}") for role in values}
    means = {f"{role}{_MOVED}": mean(moved) for role, moved in by.items()}
    if len(values) > 1:
        values[RESIDUAL] = pl.col(f"{RESIDUAL}{_VALUE}")
        by[RESIDUAL] = by[ESTIMATED] - by[OBSERVED]
    if not has_sums:
        by |= {f"{role}_log": _log(values[role]) for role in values if role != RESIDUAL}
        by |= {DISTANCE: values[RESIDUAL].abs()} if RESIDUAL in values else {}

    def rows(weight: int) -> pl.Expr:
        if has_sums or weight == 1:
            return rows_of_cells(weight, one)
        if roles.count is None:
            return pl.col("weight") ** weight
        # Each of the rows counted has the same weight.
        return one * (one / pl.when(pl.col("count") > 0).then("count")) ** (weight - 1)

    def sums(power: Power) -> pl.Expr | None:
        return pl.col(power.name) if has_sums and not power.is_mean else None

    known = powers_of(roles.numbers)
    return means | {each.name: each.moved(sums, by, rows).sum() for each in known} if known else {}


def rows_of_cells(weight: int, mass: pl.Expr) -> pl.Expr:
    """The sums of powers of weights in cells."""
    return mass if weight == 1 else pl.col("weight_sq" if weight == 2 else Power(weight).name)


def _log(value: pl.Expr) -> pl.Expr:
    """The logarithm of a number above 0; 0 of others, whose logarithms are not compared."""
    return pl.when(value > 0).then(value.log()).otherwise(pl.when(value <= 0).then(0.0))


def _centred_shares(facet: Facet, distances: Mapping[str, pl.Expr]) -> dict[str, pl.Expr]:
    """The sums of `_moved` by group, around the place of all cells; residuals around theirs."""
    centred = {}
    for group in range(len(facet.probabilities)):
        rows = pl.col(share(facet, group))
        moved = {role: pl.col(share(facet, f"{role}_sum", group)) for role in distances}
        apart = dict(distances)
        if len(distances) > 1:
            for each in (moved, apart):
                each[RESIDUAL] = each[ESTIMATED] - each[OBSERVED]
        for role, distance in apart.items():
            squares = share(facet, f"{role}_squares", group)
            centred[squares] = pl.col(squares) + distance * (2 * moved[role] + distance * rows)
            if role in distances:
                centred[share(facet, f"{role}_sum", group)] = moved[role] + distance * rows
    return centred


def sums_around(places: Mapping[str, pl.Expr], mass: pl.Expr) -> dict[str, pl.Expr]:
    """The sums of numbers, less a place of each near its mean, from the `moments` of a cell.

    The place is one number for all cells that are added up.
    """
    sums: dict[str, pl.Expr] = {}
    distances = []
    for role, place in places.items():
        distance = (known_mean(role, mass) - place).fill_null(0.0)
        distances.append(distance)
        squares = pl.col(f"{role}_squares").fill_null(0.0)
        sums |= {
            f"{role}_place": mass * place.fill_nan(0.0),
            f"{role}_sum": mass * distance,
            f"{role}_squares": mass * (squares + distance**2),
        }
    if len(distances) > 1:
        observed, estimated = distances
        squares = pl.col("residual_squares").fill_null(0.0)
        sums["residual_squares"] = mass * (squares + (estimated - observed) ** 2)
        sums["residual_distance"] = mass * pl.col("residual_distance").fill_null(0.0)
    return sums


def known_mean(role: str, mass: pl.Expr) -> pl.Expr:
    """The mean of a number in a cell, null if it has no rows or an infinite number."""
    total = pl.col(f"{role}_sum")
    return pl.when((mass > 0) & total.is_finite()).then(total)


def _centred(cells: pl.LazyFrame, roles: Roles, facets: Iterable[Facet] = ()) -> pl.LazyFrame:
    """The cells with sums of numbers, less a place near their mean, in place of `moments`.

    The place is one number for all cells of a facet, so that sums add up.
    """
    if not roles.summed_numbers:
        return cells
    mass = pl.col("n" if roles.weight is None else "weight").cast(pl.Float64)
    places: dict[str, pl.Expr] = {}
    distances: dict[str, pl.Expr] = {}
    infinite: dict[str, pl.Expr] = {}
    for number in roles.summed_numbers:
        mean = known_mean(number.role, mass)
        total = pl.col(f"{number.role}_sum") + pl.col(f"{number.role}_squares")
        whole = pl.when(mean.is_not_null()).then(mass).sum()
        places[number.role] = (mean * mass).sum() / whole
        distances[number.role] = (mean - places[number.role]).fill_null(0.0)
        is_infinite = total.is_not_null() & ~total.is_finite() & (mass > 0)
        infinite[f"{number.role}{INFINITE}"] = is_infinite.cast(pl.Int64)
    sums = sums_around(places, mass)
    for number in roles.summed_numbers:
        for name in (f"{number.role}_log", f"{number.role}_nonzero") if number.has_log else ():
            sums[name] = mass * pl.col(name).fill_null(0.0)
    sums |= _powers_around_places(distances, mass, roles)
    for facet in facets:
        if facet.is_uncertain:
            sums |= _centred_shares(facet, distances)
    cells = cells.with_columns(**sums, **infinite)
    return cells.with_columns(pl.col(*sums_of_numbers(roles.numbers)).fill_null(0.0))


def _powers_around_places(
    distances: Mapping[str, pl.Expr], mass: pl.Expr, roles: Roles
) -> dict[str, pl.Expr]:
    """The sums of powers around places so far from the means of the cells."""
    known = powers_of(roles.numbers)
    if not known:
        return {}
    apart = {role: pl.col(f"{role}{_MOVED}").fill_null(0.0) for role in distances}
    by = {role: distance - apart[role] for role, distance in distances.items()}
    if len(by) > 1:
        for each in (by, apart):
            each[RESIDUAL] = each[ESTIMATED] - each[OBSERVED]

    def sums(power: Power) -> pl.Expr:
        if power.name.startswith(POWER) and not power.is_mean:
            return pl.col(power.name)
        # The others are means, and mean squares around the mean of the cell.
        [(number, _)] = power.exponents
        if power.is_mean:
            return mass * apart[number]
        is_square = power.degree == 2
        return mass * (pl.col(power.name) + (apart[number] ** 2 if is_square else 0.0))

    rows = partial(rows_of_cells, mass=mass)
    return {each.name: each.moved(sums, by, rows).fill_null(0.0) for each in known}


def _shares(facet: Facet, count: Count) -> dict[str, pl.Expr]:
    roles = count.roles
    if has_shares(roles):
        return {name: pl.col(name) for name in _shares_of_row(facet, roles)}
    beside = {}
    if roles.count is not None:
        beside[ROWS] = pl.col("count").cast(pl.Float64)
    if roles.weight is not None:
        weight = pl.col("weight")
        beside[ROWS] = weight if roles.count is None else pl.when(pl.col("count") > 0).then(weight)
        beside[SQUARES] = pl.col("weight_sq")
    beside |= {name: pl.col(name) for name in SUMS}
    beside |= _moved(roles)
    probabilities = [pl.col(share(facet, _SCALED, i)) for i in range(len(facet.probabilities))]
    checks = (share(facet, name) for name in (ROUNDED, EXCESSIVE, IMPOSSIBLE))
    terms: dict[str, pl.Expr] = shares(facet, roles, probabilities, beside)
    return terms | {name: pl.col(name) for name in checks}


def _shares_of_row(facet: Facet, roles: Roles) -> dict[str, pl.Expr]:
    """The probabilities of a row, scaled to 1, and what is odd about them; of cells their sums."""
    if has_shares(roles):
        return {
            share(facet, *of): column_called(returned_name(facet, of))
            for of in sums_of(facet, roles)
        }
    columns = _probabilities_of_row(facet)
    known = scaled(columns, pl, pl.col(share(facet, _TOTAL)))
    return {
        **{share(facet, _SCALED, i): each for i, each in enumerate(known)},
        **checked(facet, columns, [column.is_nan() for column in columns], pl),
    }


def _probabilities_of_row(facet: Facet) -> list[pl.Expr]:
    return [
        column.expression.cast(pl.Float64).fill_null(0.0) for column in facet.probabilities.values()
    ]


def _rows_where(condition: pl.Expr, roles: Roles) -> pl.Expr:
    """The number of rows seen for which a condition holds; without a count, a row is one."""
    count = pl.lit(1) if roles.count is None else pl.col("count").fill_null(1)
    return pl.when(condition).then(count.cast(pl.Int64, strict=False)).sum()


def _tallies_of_rows(roles: Roles) -> dict[str, pl.Expr]:
    # `len` has 32 bits: uncast, the sum over 4.3 billion rows would wrap round.
    rows = pl.len().cast(pl.Int64)
    alone = pl.when(pl.len() == 1).then(pl.col(LOWEST_N).min()).otherwise(-1)
    may_be_cells = {LOWEST_N: alone} if roles.may_be_cells else {}
    if roles.weight is None and roles.count is None:
        return {"n": rows, **may_be_cells}
    tallies = {"rows": rows, **may_be_cells}
    weight, count = pl.col("weight"), pl.col("count")
    # A row of weight 0 is left out.
    n, total = (weight > 0).sum().cast(pl.Int64), weight
    if roles.weight is not None:
        of_one = weight if roles.count is None else weight / count
        is_seen = weight > 0 if roles.count is None else (weight > 0) & (count > 0)
        # Not a filter: cudf-polars has none inside a group-by.
        tallies[LOWEST_WEIGHT] = pl.when((weight < 0) | is_seen).then(of_one).min()
        tallies["null_weights"] = _rows_where(weight.is_null(), roles)
    if roles.count is not None:
        whole_count = count.cast(pl.Int64, strict=False)
        n = whole_count.sum()
        # Beyond 2^63 a sum of integers wraps round; the sum of floats beside it shows that.
        tallies["total_count"] = whole_count.cast(pl.Float64).sum()
        tallies["lowest_count"] = count.min()
        tallies["null_counts"] = count.null_count().cast(pl.Int64)
        tallies["broken_counts"] = count.ne_missing(whole_count).sum().cast(pl.Int64)
        if roles.weight is not None:
            tallies["counted"] = whole_count.sum()
            # A null weight or count drops the row.
            n = pl.when(weight > 0).then(whole_count).sum()
            total = pl.when(count > 0).then(weight)
    if roles.weight is not None:
        tallies["weight"] = total.sum()
        tallies["weight_sq"] = pl.col("weight_sq").sum()
    return {"n": n, **tallies}
