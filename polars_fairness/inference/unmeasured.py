"""How strong what was not measured would have to be to change a difference at equal controls.

It is the bias that least squares have without a control, by how much that control says of the side
and of the outcome (Cinelli and Hazlett 2020).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, nan, sqrt
from typing import Final, NamedTuple

import numpy as np

from polars_fairness.formula.arrays import Bools, Floats
from polars_fairness.inference.quantiles import smallest
from polars_fairness.values.controls import Place
from polars_fairness.values.regression import independent_columns

_SIDE: Final = 1
"""The column of the side among those of a regression."""

_MOST_TIMES: Final = 20.0
"""A control so much weaker than what it would take is no measure of it."""

_NONE: Final = 1e-12


class Benchmark(NamedTuple):
    """How much more a control says of the side, and of the outcome, than the others do: R²."""

    control: str
    of_side: float
    of_outcome: float


@dataclass(frozen=True)
class Unmeasured:
    """What least squares say of a difference, a less d, and of what would change it.

    Attributes
    ----------
    difference
        The difference by least squares.
    scale
        Its standard error times the root of the degrees of freedom, √(RSS/Σd̃²).
    benchmarks
        The controls that say anything of the side and of the outcome.
    """

    difference: float
    scale: float
    benchmarks: tuple[Benchmark, ...]

    @classmethod
    def of(cls, place: Place, of: str) -> Unmeasured | None:
        """That of a regression; None of what has no sum of squares, and where nothing is left."""
        if (squares := place.sum_of_squares(of)) is None:
            return None
        sums = _Sums.of(place, of, squares)
        of_all = [*np.flatnonzero(sums.kept)]
        others = [column for column in of_all if column != _SIDE]
        left, left_of_side = sums.left(-1, of_all), sums.left(_SIDE, others)
        if _SIDE not in of_all or left <= 0 or left_of_side <= 0:
            return None
        effect = sums.effects(-1, of_all)[of_all.index(_SIDE)]
        return cls(-effect, sqrt(left / left_of_side), tuple(sums.benchmarks(of_all)))

    def robustness(self, distance: float) -> float:
        """How much of what is left of both it takes to move the difference so far."""
        f = distance / self.scale
        return (sqrt(f**4 + 4 * f**2) - f**2) / 2

    def like(self, distance: float) -> tuple[float, str] | None:
        """How many times as much as a control it takes, and of which: the fewest of all."""
        known = []
        for each in self.benchmarks:

            def is_enough(times: float, of: Benchmark = each) -> bool:
                return bias(of, times) >= distance / self.scale

            if is_enough(_MOST_TIMES):
                known.append((smallest(is_enough, _MOST_TIMES), each.control))
        return min(known, default=None)

    def from_edge(self, value: float, edge: float) -> float:
        """How far the difference is from an edge; 0 if the value lies on the other side of it."""
        is_beyond = (value - edge) * (self.difference - edge) <= 0
        return 0.0 if is_beyond else abs(self.difference - edge)


def bias(benchmark: Benchmark, times: float) -> float:
    """The bias, in units of the scale, of what says so many times as much as a control does."""
    of_side, of_outcome = benchmark.of_side, benchmark.of_outcome
    share = times * of_side / (1 - of_side)
    if share >= 1 or times * of_side >= 1:
        return inf
    shared = times * of_side**2 / ((1 - times * of_side) * (1 - of_side))
    if shared >= 1:
        return inf
    lean = (sqrt(times) + sqrt(shared)) ** 2 / (1 - shared)
    return sqrt(min(1.0, lean * of_outcome / (1 - of_outcome)) * share / (1 - share))


@dataclass(frozen=True)
class _Sums:
    """The products of the columns of a regression and, last, of its outcome.

    ``rows`` is how many rows of equal weight there are, and ``blocks`` has the columns of each
    control.
    """

    products: Floats
    kept: Bools
    rows: float
    blocks: dict[str, list[int]]

    @classmethod
    def of(cls, place: Place, of: str, squares: float) -> _Sums:
        rows, n, y = place.rows, place.counts["n"], place.counts[of]
        width = rows.width
        products = np.empty((width + 1, width + 1))
        products[:width, :width] = rows.products(n)
        products[:width, -1] = products[-1, :width] = rows.sums(y)
        products[-1, -1] = squares
        plain = {name: [2 + i] for i, name in enumerate(rows.names[len(rows.sizes) :])}
        levels = {
            name: [*range(start, start + size)]
            for name, (_, size, start) in zip(rows.names, rows.blocks(), strict=False)
        }
        effective = float(n.sum() ** 2 / place.squares["n"].sum())
        kept = independent_columns(products[:width, :width])
        return cls(products, kept, effective, {**levels, **plain})

    def effects(self, target: int, columns: list[int]) -> Floats:
        """The effects of columns in least squares of another."""
        own = self.products[np.ix_(columns, columns)]
        return np.linalg.solve(own, self.products[columns, target]).astype(np.float64)

    def left(self, target: int, columns: list[int]) -> float:
        """The sum of squares that columns leave of another; 0 where it is no more than rounding."""
        whole = self.products[target, target]
        left = whole - self.products[columns, target] @ self.effects(target, columns)
        return float(left) if left > _NONE * whole else 0.0

    def benchmarks(self, of_all: list[int]) -> Iterator[Benchmark]:
        """What each control adds, adjusted for degrees of freedom.

        Unadjusted, a control of 485 levels says 0.42 of a side by chance, and adjusted 0.06.
        """
        for control, columns in self.blocks.items():
            # Another control may follow from this one, and stands for itself without it.
            others = [each for each in range(len(self.products) - 1) if each not in columns]
            held = independent_columns(self.products[np.ix_(others, others)])
            without = [each for each, is_held in zip(others, held, strict=True) if is_held]
            added = len(of_all) - len(without)
            freedom = self.rows - len(of_all)
            if added <= 0 or freedom <= 0:
                continue
            of_side, of_outcome = (
                1 - self.left(target, held) / self.left(target, less) * (own + added) / own
                for target, held, less, own in (
                    (_SIDE, _without_side(of_all), _without_side(without), freedom + 1),
                    (-1, of_all, without, freedom),
                )
            )
            if of_side > 0 and of_outcome > 0:
                yield Benchmark(control, of_side, of_outcome)


def _without_side(columns: list[int]) -> list[int]:
    return [column for column in columns if column != _SIDE]


def e_value(ratio: float) -> float:
    """How strongly, as a ratio, what was not measured would have to go with side and outcome.

    It is that of VanderWeele and Ding (2017).

    Examples
    --------
    >>> round(e_value(3.9), 2)
    7.26
    """
    if not 0 < ratio < inf:
        return inf if ratio >= 0 else nan
    ratio = max(ratio, 1 / ratio)
    return ratio + sqrt(ratio * (ratio - 1))
