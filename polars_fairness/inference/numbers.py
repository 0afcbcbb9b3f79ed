"""Intervals of numbers as outcomes, from sums of powers of the numbers.

What a row moves in a number of its side, such as a mean or a quotient, is a polynomial of its own
numbers. So the sums of powers say how the number varies, and no row has to be left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, TypeVar

import numpy as np
import polars as pl

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import with_columns_of, with_finest_counts, with_terms
from polars_fairness.counting.sides import with_sides
from polars_fairness.formula.arrays import Bools, Floats, Ints
from polars_fairness.formula.in_polars import with_values
from polars_fairness.formula.levels import COMPARISON, STRATUM, Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.numbers import (
    Of,
    actual_to_expected,
    mean,
    mean_distance,
    mean_residual,
    mean_square,
    root_mean_square,
)
from polars_fairness.formula.powers import DISTANCE, ESTIMATED, OBSERVED, RESIDUAL, Power
from polars_fairness.inference.deviations import LEAST_CLUSTERS, LEAST_LEFT, less
from polars_fairness.inference.draws import Drawing
from polars_fairness.inference.moments import Moments, unseen_rows
from polars_fairness.inference.quantiles import critical_values
from polars_fairness.question.outcomes import NUMBERS, sums_of_numbers
from polars_fairness.question.roles import Roles
from polars_fairness.values.levels import counted, keys_of
from polars_fairness.values.lines import BOUNDS, REASON, VALUE, Lines

Exponents = tuple[tuple[str, int], ...]
Limits = Sequence[Floats]
Polynomial = Mapping[Exponents, Floats]
"""What a row moves, by the products of powers of its numbers: a coefficient for each place."""

_PLACE: Final = "place\x1f"
_TINY: Final = 1e-300

# Sums of powers around a place near the mean, and places of equal numbers, keep so many digits.
_ROUNDING: Final = 1e-12

_ALONE: Final = 1.5
"""Up to so many effective rows of a stratum do not say how they vary: one row, and rounding."""


@dataclass(frozen=True)
class Sums:
    """The sums of one side, or of groups: an array with a number for each place."""

    side: str
    columns: Mapping[str, Floats]
    is_weighted: bool

    def __call__(self, weight: int, exponents: Exponents = ()) -> Floats:
        """The sum of a power of weights times a product of powers of numbers."""
        weight = weight if self.is_weighted else 1
        if exponents == ((DISTANCE, 2),):
            apart, (one, two) = self.apart, (((RESIDUAL, each),) for each in (1, 2))
            return self(weight, two) + apart * (2 * self(weight, one) + apart * self(weight))
        if not exponents and weight < 3:
            return self.n if weight == 1 else self.n**2 / self["effective_n"]
        if exponents == ((RESIDUAL, 1),) and weight == 1:
            return self["estimated_sum"] - self["observed_sum"]
        return self[Power(weight, exponents).name]

    def __getitem__(self, word: str) -> Floats:
        return self.columns[f"{self.side}.{word}"]

    @property
    def n(self) -> Floats:
        """The rows; with weights, their sum."""
        return self["n"]

    @property
    def rows(self) -> Floats:
        """How many rows of equal weight know as much of a variance."""
        return self(2) ** 2 / self(4) if self.is_weighted else self.n

    @property
    def share_left(self) -> Floats:
        """What a mean varies by if each row is left out once, as a multiple of the usual."""
        return 1 / np.maximum(1 - self(2) / self.n**2, LEAST_LEFT)

    @property
    def apart(self) -> Floats:
        """How far the place of estimated is above that of observed."""
        return (self["estimated_place"] - self["observed_place"]) / self.n

    def mean(self, number: str) -> Floats:
        """The mean of a number, less its place."""
        return self(1, ((number, 1),)) / self.n

    def place(self, number: str) -> Floats:
        """The place of a number."""
        return self[f"{number}_place"] / self.n

    def spread(self, number: str) -> Floats:
        """The mean of squared distances from the mean."""
        return self(1, ((number, 2),)) / self.n - self.mean(number) ** 2

    def total(self, weight: int, polynomial: Polynomial) -> Floats:
        """The sum of a polynomial over all rows; 0 where it is no more than rounding."""
        parts = [factor * self(weight, exponents) for exponents, factor in polynomial.items()]
        value, size = np.sum(parts, axis=0), np.sum(np.abs(parts), axis=0)
        settled: Floats = np.where(np.abs(value) <= _ROUNDING * size, 0.0, value)
        return settled


def multiplied(one: Polynomial, other: Polynomial) -> dict[Exponents, Floats]:
    """The product of two polynomials."""
    found: dict[Exponents, Floats] = {}
    for (left, factor), (right, more) in product(one.items(), other.items()):
        powers = Counter(dict(left)) + Counter(dict(right))
        exponents = tuple(sorted(powers.items()))
        found[exponents] = found.get(exponents, 0.0) + factor * more
    return found


def _plus(
    one: Polynomial, other: Polynomial, times: Floats | float = 1.0
) -> dict[Exponents, Floats]:
    added = dict(one)
    for exponents, factor in other.items():
        added[exponents] = added.get(exponents, 0.0) + times * factor
    return added


def _from_mean(number: str) -> Callable[[Sums], Polynomial]:
    return lambda sums: {((number, 1),): np.ones(len(sums.n)), (): -sums.mean(number)}


def _squared_error(sums: Sums) -> Polynomial:
    apart = {((RESIDUAL, 1),): np.ones(len(sums.n)), (): sums.apart}
    square = multiplied(apart, apart)
    return _plus(square, {(): -sums.total(1, square) / sums.n})


def _of_quotient(sums: Sums) -> Polynomial:
    """By R = Σo/Σe it is (o − Re)/ē."""
    expected = sums.place(ESTIMATED) + sums.mean(ESTIMATED)
    quotient = (sums.place(OBSERVED) + sums.mean(OBSERVED)) / expected
    return {
        ((OBSERVED, 1),): (1 - quotient) / expected,
        ((RESIDUAL, 1),): -quotient / expected,
        (): (sums.place(OBSERVED) - quotient * sums.place(ESTIMATED)) / expected,
    }


@dataclass(frozen=True)
class Statistic:
    """A number of a side: its formula, and what a row moves in it, times the rows of the side.

    For a root it is what a row moves in the square.
    """

    of: Of
    row: Callable[[Sums], Polynomial]
    is_root: bool = False

    def moments(self, sums: Sums, row: Polynomial) -> tuple[Floats, Floats]:
        """The variance of the number, as if each row were left out once, and its third moment."""
        square, n, share = multiplied(row, row), sums.n, sums.share_left
        third = sums.total(3, multiplied(square, row)) * share**3 / n**3
        return (sums.total(2, square) + sums.total(3, square) / n) * share / n**2, third

    def limits(self, value: Floats, reaches: Floats) -> Limits:
        """The number between its limits."""
        below, above = reaches
        if not self.is_root:
            return value - below, value, value + above
        low, high = np.maximum(value**2 - below, 0.0), value**2 + above
        return np.sqrt(low), value, np.sqrt(high)


STATISTICS: Final = {
    "observed_mean": Statistic(mean(OBSERVED), _from_mean(OBSERVED)),
    "estimated_mean": Statistic(mean(ESTIMATED), _from_mean(ESTIMATED)),
    "residual_mean": Statistic(mean_residual, _from_mean(RESIDUAL)),
    "mae": Statistic(
        mean_distance,
        lambda sums: {
            ((DISTANCE, 1),): np.ones(len(sums.n)),
            (): -sums["residual_distance"] / sums.n,
        },
    ),
    "mse": Statistic(mean_square, _squared_error),
    "rmse": Statistic(root_mean_square, _squared_error, is_root=True),
    "actual_to_expected": Statistic(actual_to_expected, _of_quotient),
}
"""The numbers of sides and groups that have intervals, by name."""

_A_LESS_D, _D_LESS_A, _D_OVER_A = "a less d", "d less a", "d over a"
IN_UNITS: Final = "a less d, in standard deviations"
_COMPARED: Final = {
    **{
        f"{name}_{word}": (f"{number}_mean", way)
        for name, number in (("estimate", ESTIMATED), ("observed", OBSERVED))
        for word, way in (("difference", _A_LESS_D), ("ratio", _D_OVER_A), ("smd", IN_UNITS))
    },
    "residual_difference": ("residual_mean", _D_LESS_A),
    "actual_to_expected_ratio": ("actual_to_expected", _D_OVER_A),
    **{
        f"{name}_{word}": (name, way)
        for name in ("mae", "rmse")
        for word, way in (("difference", _D_LESS_A), ("ratio", _D_OVER_A))
    },
}
"""The metrics that compare two sides: what they compare, and how."""

_CONDITIONAL: Final = {
    "conditional_estimate_difference": "estimated_mean",
    "conditional_observed_difference": "observed_mean",
}

Named = TypeVar("Named")


def _of_entry(metric: Metric, entries: Mapping[str, Named]) -> Named | None:
    """What a table has of the entry of the catalogue with the formula of a metric."""
    for name, found in entries.items():
        if metric.parsed.expression is CATALOGUE[name].parsed.expression:
            return found
    return None


def compared(metric: Metric) -> tuple[str, str] | None:
    """The name of the number of both sides that a metric compares, and how."""
    return _of_entry(metric, _COMPARED)


# From sums of products of both numbers, 83 to 90 % of intervals of a correlation and of R² held,
# of log-normal amounts of 40 and 100 rows; where each row is left out, 92 to 97 % do.
NO_FORMULA: Final = (
    "cluster: how such a number varies is known over clusters alone; give cluster= with a column "
    "that numbers the rows, if these are independent"
)

Ends = tuple[Floats, list[str | None]]
"""The ends of each value, and why it has none."""


def bounded_numbers(
    cells: pl.DataFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
    lines: Lines,
) -> None:
    """Put the bounds of metrics of numbers on the lines, or why there are none."""
    by_level: dict[Level, dict[str, Metric]] = {}
    for name, metric in metrics.items():
        by_level.setdefault(metric.parsed.level, {})[name] = metric
    for level, alike in by_level.items():
        held = None
        if level in (COMPARISON, STRATUM):
            held = _sums_at(level, cells, roles, alike.values())
        for name, metric in alike.items():
            exact = lines.array(VALUE, name)
            found: Ends | None = None
            with np.errstate(all="ignore"):  # of places that have no interval
                if held is not None:
                    found = _ends(metric, exact, held, roles, drawing, lines.table)
            none: Ends = np.full((2, len(exact)), np.nan), [NO_FORMULA] * len(exact)
            ends, reasons = found or none
            ends = np.clip(ends, *metric.range)
            reasons = [None if np.isnan(v) else r for v, r in zip(exact, reasons, strict=True)]
            has_reason = np.array([each is not None for each in reasons], np.bool_)
            ends[:, has_reason | np.isnan(exact)] = np.nan
            for column, each in zip((*BOUNDS, REASON), (*ends, reasons), strict=True):
                lines.columns.setdefault(column, {})[name] = each


def _sums_at(
    level: Level, cells: pl.DataFrame, roles: Roles, metrics: Iterable[Metric]
) -> pl.DataFrame:
    """The sums of each side at each place of a level, and the numbers that metrics compare."""
    sided = with_sides(with_finest_counts(cells.lazy(), roles), roles)
    words = ("n", "effective_n")
    terms = [f"{side.name}.{word}" for side in level.counted for word in words]
    table = with_terms(counted(sided, roles, level), terms, roles)
    numbers = {
        f"{side.name}.{found[0]}": STATISTICS[found[0]].of(side)
        for metric in metrics
        if (found := compared(metric)) is not None
        for side in level.counted
    }
    return collected(with_values(table, numbers, roles.zero_division))


def _moments_of(
    statistic: Statistic,
    sides: Sequence[Sums],
    rows: Sequence[Polynomial],
) -> Moments:
    known = [*map(statistic.moments, sides, rows)]
    variance, third = (np.stack(each) for each in zip(*known, strict=True))
    weights = [np.stack([side(power) for side in sides]) for power in (1, 2, 3)]
    return Moments.of_means(variance, third, np.stack([side.rows for side in sides]), weights)


def numbers_named(metric: Metric) -> str:
    """The arguments that name the numbers of a metric."""
    return ", ".join(need for need in metric.needs if need in NUMBERS)


def _reasons(metric: Metric, rows: Floats, varies: Bools) -> list[str | None]:
    """Why places have no interval, by the fewest effective rows, and whether numbers vary."""
    named = numbers_named(metric)
    alike = f"{named}: none of the rows moves the value, so how it varies is not known"
    return [
        f"{named}: the smaller side has {n:.1f} effective rows, and an interval needs "
        f"{LEAST_CLUSTERS:.0f}"
        if n < LEAST_CLUSTERS - _ROUNDING
        else None
        if does_vary
        else alike
        for n, does_vary in zip(rows, varies, strict=True)
    ]


def _ends(
    metric: Metric,
    exact: Floats,
    table: pl.DataFrame,
    roles: Roles,
    drawing: Drawing,
    lines: pl.DataFrame,
) -> Ends | None:
    """The ends of what compares both sides, or averages a difference over strata."""
    level, inside = metric.parsed.level, _of_entry(metric, _CONDITIONAL)
    if (found := (inside, _A_LESS_D) if inside else compared(metric)) is None:
        return None
    (name, way), keys = found, keys_of(level, roles)
    statistic, size = STATISTICS[name], len(exact)
    held = lines.select(keys).with_row_index(_PLACE)
    held = with_columns_of(held, table, keys)
    if inside:
        held = held.filter(pl.col(f"{side.name}.n") > 0 for side in level.counted)
    words = ("n", "effective_n", *STATISTICS, *sums_of_numbers(roles.numbers))
    names = {f"{side.name}.{word}" for side in level.counted for word in words} & {*held.columns}
    columns = {name: held[name].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in names}
    sides = [Sums(side.name, columns, roles.is_weighted) for side in level.counted]
    at = held[_PLACE].to_numpy()
    rows, none = [statistic.row(side) for side in sides], np.zeros(size)

    def summed(each: Floats) -> Floats:
        return np.bincount(at, each, size).astype(np.float64)

    middles = [exact, none] if inside or way == IN_UNITS else [side[name] for side in sides]
    if inside:
        moments = _moments_of_strata(statistic, sides, rows, at, summed)
    elif way == IN_UNITS:
        in_units = [*_in_units(sides, rows, exact)]
        rows, alone = ([each[part] for each in in_units] for part in (0, 1))
        # The unit of few skewed amounts moves with their mean, and would hide how that varies: of
        # 50 rows, one in ten with a claim, 92 % of intervals held, and 96 % without.
        moments = _moments_of(statistic, sides, alone)
        with_unit = [
            side.total(2, multiplied(row, row)) * (side.share_left / side.n) ** 2
            for side, row in zip(sides, rows, strict=True)
        ]
        moments = replace(moments, variance=np.fmax(moments.variance, with_unit))
    else:
        moments = _moments_of(statistic, sides, rows)
    together = none
    if roles.facets_against_all and not inside:
        # The rows of d are rows of a too.
        shared = sides[1].total(2, multiplied(*rows)) / (sides[0].n * sides[1].n)
        is_shared = held["facet"].is_in(roles.facets_against_all).to_numpy()
        together = np.where(is_shared, shared / np.sqrt(moments.variance.prod(axis=0)), none)
    seen = moments.with_unseen
    times = critical_values(drawing.chosen_from(lines), drawing.confidence, seen.freedom)
    of_a, of_d = map(statistic.limits, middles, np.moveaxis(seen.reaches(times), 1, 0))
    effective = [summed(side.n) ** 2 / summed(side(2)) for side in sides]
    # Not only the last digits of numbers of their size vary.
    varies = moments.variance.sum(axis=0) > (_ROUNDING * np.abs(middles).sum(axis=0)) ** 2
    reasons = _reasons(metric, np.minimum(*map(np.nan_to_num, effective)), varies)
    return ends_of(way, of_a, of_d, together), reasons


def ends_of(way: str, of_a: Limits, of_d: Limits, together: Floats) -> Floats:
    """The ends of what compares a number of both sides, from its limits, as Zou and Donner do."""
    if way == _D_OVER_A:
        of_a, of_d = ([np.log(end) for end in each] for each in (of_a, of_d))
        return np.exp(less(of_d, of_a, together))
    return np.array(less(*((of_d, of_a) if way == _D_LESS_A else (of_a, of_d)), together))


def _in_units(
    sides: Sequence[Sums], rows: Sequence[Polynomial], value: Floats
) -> Iterator[tuple[Polynomial, Polynomial]]:
    """What rows of a and of d move in a difference in units of the pooled standard deviation.

    The second of both is the part that a row moves in the difference alone.
    """
    [(number, _)] = next(iter(rows[0]))
    sizes = [side["effective_n"] for side in sides]
    freedom = sizes[0] + sizes[1] - 2
    spreads = [side.spread(number) for side in sides]
    unit = np.sqrt((sizes[0] * spreads[0] + sizes[1] * spreads[1]) / freedom)
    for row, size, spread, sign in zip(rows, sizes, spreads, (-1, 1), strict=True):
        alone = {exponents: factor / unit for exponents, factor in row.items()}
        moved = _plus(multiplied(row, row), {(): -spread})
        yield _plus(alone, moved, sign * value * size / freedom / (2 * unit**2)), alone


def _moments_of_strata(
    statistic: Statistic,
    sides: Sequence[Sums],
    rows: Sequence[Polynomial],
    at: Ints,
    summed: Callable[[Floats], Floats],
) -> Moments:
    """The moments of means inside strata: each side of a stratum has a variance of its own."""
    n = sides[0].n + sides[1].n
    share = n / summed(n)[at]
    of_rows = [multiplied(row, row) for row in rows]
    squares = [side.total(2, each) for side, each in zip(sides, of_rows, strict=True)]
    thirds = [
        side.total(3, multiplied(each, row))
        for side, each, row in zip(sides, of_rows, rows, strict=True)
    ]
    left = [side(2) * (1 - side(2) / side.n**2) for side in sides]
    # What rows vary around the means of their strata, by the rows that show it.
    both = sum(map(summed, squares)) / np.maximum(sum(map(summed, left)), _TINY)
    third_of_both = sum(map(summed, thirds)) / sum(summed(side(3)) for side in sides)
    parts = []
    for side, row, square, third, of in zip(sides, rows, squares, thirds, left, strict=True):
        own, own_third = statistic.moments(side, row)
        inside = summed(square) / np.maximum(summed(of), _TINY)
        # A single row of a stratum varies as the others of its side do.
        alone = side(2) * inside[at] / side.n**2
        own = share**2 * np.where(side["effective_n"] > _ALONE, own, alone)
        variance = summed(own)
        parts.append(
            (
                variance,
                summed(share**3 * own_third),
                np.where(
                    variance > 0,
                    variance**2 / np.maximum(summed(own**2 / side.rows), _TINY),
                    summed(side.rows),
                ),
                both * summed((share / side.n) ** 2 * side(2)),
                third_of_both * summed((share / side.n) ** 3 * side(3)),
                *(summed(side.n), summed(side(2)), summed(side(3)), summed(square), summed(third)),
            )
        )
    variance, third, seen, common, common_third, *weights, squared, cubed = np.stack(parts, axis=1)
    unseen = unseen_rows(weights, squared, cubed)
    return Moments(variance, third, seen, common, common_third, unseen)
