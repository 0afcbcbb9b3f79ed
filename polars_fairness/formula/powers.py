"""Sums of powers of numbers as outcomes: how their means, and all that is made of these, vary.

The sums add up over rows and cells, so that no interval depends on the order of rows. They are of
products of numbers less the places of these, and of weights.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from itertools import product
from math import comb
from operator import add, mul
from typing import Any, Final

OBSERVED, ESTIMATED, RESIDUAL = "observed", "estimated", "residual"

POWER: Final = "power_"
"""How the words for sums of powers begin."""

DISTANCE: Final = "distance"
"""The absolute residual. Like a logarithm it has no place: it is as it stands."""

_ALREADY_SUMMED: Final = {
    **{(number, 1): f"{number}_sum" for number in (OBSERVED, ESTIMATED)},
    **{(number, 2): f"{number}_squares" for number in (OBSERVED, ESTIMATED, RESIDUAL)},
    (DISTANCE, 1): "residual_distance",
    **{(f"{number}_log", 1): f"{number}_log" for number in (OBSERVED, ESTIMATED)},
}
"""The sums of cells that are such powers too, by number and exponent."""


@dataclass(frozen=True)
class Power:
    """A product of powers of numbers, times a power of the weight; rows weigh 1 without weights."""

    weight: int
    exponents: tuple[tuple[str, int], ...] = ()

    @cached_property
    def name(self) -> str:
        """The word for its sum."""
        if self.weight == 1 and len(self.exponents) == 1:
            [(number, exponent)] = self.exponents
            if (number, exponent) in _ALREADY_SUMMED:
                return _ALREADY_SUMMED[number, exponent]
        weight = f"w{self.weight}" if self.weight > 1 else ""
        numbers = [f"{number}{exponent}" for number, exponent in self.exponents]
        return POWER + "_".join(filter(None, [weight, *numbers]))

    @cached_property
    def degree(self) -> int:
        """The sum of the exponents."""
        return sum(exponent for _, exponent in self.exponents)

    @cached_property
    def needs(self) -> frozenset[str]:
        """The numbers that it is made of."""
        numbers = {number.removesuffix("_log") for number, _ in self.exponents}
        return frozenset((OBSERVED, ESTIMATED) if numbers & {RESIDUAL, DISTANCE} else numbers)

    @cached_property
    def is_mean(self) -> bool:
        """Whether it is the sum of a number that has a place: 0 around its mean."""
        return self.degree == 1 and self.weight == 1 and not self.name.endswith(("_log", DISTANCE))

    def returned(self, columns: Mapping[str, str]) -> str:
        """The column with its sum in the answer of `cells`, given those of the numbers."""
        parts = [("weight", self.weight)] if self.weight > 1 else []
        named = [(columns.get(number, number), exponent) for number, exponent in self.exponents]
        return "*".join(f"{name}^{exponent}" for name, exponent in (*parts, *named))

    def moved(
        self, sums: Callable[[Power], Any | None], by: Mapping[str, Any], rows: Callable[[int], Any]
    ) -> Any:
        """The sum where each number is larger, by binomials, in polars or in an engine.

        ``sums`` gives that of a smaller power, None for 0, and ``rows`` those of weights alone.
        """
        terms = []
        for smaller in product(
            *(
                range(exponent + 1) if number in by else (exponent,)
                for number, exponent in self.exponents
            )
        ):
            factors, held = [], []
            times = 1
            for (number, exponent), own in zip(self.exponents, smaller, strict=True):
                times *= comb(exponent, own)
                factors += [by[number]] * (exponent - own) if own < exponent else []
                held += [(number, own)] if own else []
            known = sums(Power(self.weight, tuple(held))) if held else rows(self.weight)
            if known is not None:
                terms.append(reduce(mul, factors, known * float(times)))
        return reduce(add, terms)


@cache
def powers(numbers: frozenset[str], *, has_log: bool, is_weighted: bool) -> tuple[Power, ...]:
    """The powers that intervals need beside the sums that values need."""
    needed = [Power(1, each) for each in _products(numbers, has_log=has_log)]
    if is_weighted:
        cubed = [
            each for each in needed if each.degree <= 3 or {*dict(each.exponents)} <= {RESIDUAL}
        ]
        needed = [
            *(Power(2, each.exponents) for each in needed if each.degree <= 4),
            *(Power(3), *(Power(3, each.exponents) for each in cubed), Power(4)),
        ]
    # Every residual is estimated less observed.
    return tuple([each for each in needed if each.name.startswith(POWER) and each != _OF_RESIDUALS])


_OF_RESIDUALS: Final = Power(1, ((RESIDUAL, 1),))


def _products(numbers: Collection[str], *, has_log: bool) -> Iterator[tuple[tuple[str, int], ...]]:
    """The products whose sums say how a mean of numbers varies, and how skewed it is.

    A variance is made of squares of these: of a mean square, of the fourth power.
    """
    for number in sorted(numbers):
        yield from (((number, exponent),) for exponent in range(1, 5))
        if has_log:
            yield from (((f"{number}_log", exponent),) for exponent in range(1, 4))
    if len(numbers) > 1:
        yield from (((RESIDUAL, exponent),) for exponent in range(1, 7))
        yield from (((DISTANCE, exponent),) for exponent in (1, 3))
        for one, other in product(range(1, 3), repeat=2):
            if one + other <= 3:
                yield (OBSERVED, one), (RESIDUAL, other)
