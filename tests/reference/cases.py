"""One comparison with its sides, groups and strata."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from tests.reference.numbers import Value
from tests.reference.rows import RATES, Counts, Row, split

Formula = Callable[["Case"], Value]


@dataclass(frozen=True)
class Case:
    """One comparison: all rows, the two sides, and the value of a division by 0."""

    rows: Sequence[Row]
    disfavored: set[Hashable]
    favored: set[Hashable] | None = None
    zero: float | None = None
    unbounded: bool = False
    resolution: Fraction | None = None

    @cached_property
    def known(self) -> list[Row]:
        """The rows whose facet is known."""
        return [row for row in self.rows if row.facet is not None]

    @cached_property
    def rows_d(self) -> list[Row]:
        """The disfavored rows."""
        return [row for row in self.known if row.facet in self.disfavored]

    @cached_property
    def rows_a(self) -> list[Row]:
        """The favored rows."""
        if self.favored is None:
            return [row for row in self.known if row.facet not in self.disfavored]
        return [row for row in self.known if row.facet in self.favored]

    @cached_property
    def d(self) -> Counts:
        """The counts of the disfavored."""
        return Counts(self.rows_d)

    @cached_property
    def a(self) -> Counts:
        """The counts of the favored."""
        return Counts(self.rows_a)

    @cached_property
    def both(self) -> Counts:
        """The counts of the two sides together."""
        return Counts([*self.rows_a, *self.rows_d])

    @cached_property
    def all(self) -> Counts:
        """The counts of all rows with a known facet."""
        return Counts(self.known)

    @cached_property
    def rows_of_groups(self) -> list[list[Row]]:
        """The rows of every known facet value."""
        return split(self.known, lambda row: row.facet)

    @cached_property
    def groups(self) -> list[Counts]:
        """The counts of every group."""
        return [Counts(group) for group in self.rows_of_groups]

    @cached_property
    def strata(self) -> list[Case]:
        """The same comparison inside every stratum."""
        parts = split(self.rows, lambda row: row.stratum)
        return [Case(part, self.disfavored, self.favored, self.zero) for part in parts]

    def ratio(self, x: Value, y: Value) -> Value:
        """X over y."""
        if x is None or y is None:
            return None
        if (x == 0 and y == 0) or (math.isinf(x) and math.isinf(y)):
            return self.zero
        if y != 0:
            return x / y
        if self.zero is None and not self.unbounded:
            return None
        return math.copysign(math.inf, x)

    def minus(self, x: Value, y: Value) -> Value:
        """X less y."""
        if x is None or y is None:
            return None
        if math.isinf(x) and math.isinf(y) and x == y:
            return self.zero
        return x - y

    def rate(self, name: str, of: Counts) -> Value:
        """One of the rates of a confusion matrix."""
        top, bottom = RATES[name]
        return self.ratio(getattr(of, top), getattr(of, bottom))

    def a_less_d(self, name: str) -> Value:
        """A rate of the favored less the same rate of the disfavored."""
        return self.minus(self.rate(name, self.a), self.rate(name, self.d))


def as_people(c: Case, compared: Sequence[Row]) -> Case:
    """The same rows, rescaled so that the compared rows weigh their effective number, (Σw)²/Σw²."""
    weights = [Fraction(row.weight) for row in compared]
    squares = sum(weight**2 for weight in weights)
    scale = sum(weights) / squares if squares else Fraction(1)
    return replace(c, rows=[replace(row, weight=Fraction(row.weight) * scale) for row in c.rows])


Group = tuple[tuple[int, Hashable | None], ...]


@dataclass(frozen=True)
class JointCase(Case):
    """All facets together: a row's facet is a tuple, and a group fixes some of its places."""

    sizes: tuple[int, ...] = ()
    minimum_count: int = 0
    unknown: bool = True

    @cached_property
    def known(self) -> list[Row]:
        """All rows: unknown is a value like any other."""
        return list(self.rows)

    @cached_property
    def members(self) -> dict[Group, list[Row]]:
        """The rows of every group that occurs, by the places that it fixes and their values."""
        found: dict[Group, list[Row]] = {}
        for row in self.rows:
            assert isinstance(row.facet, tuple)
            for size in self.sizes:
                for group in combinations(enumerate(row.facet), size):
                    if self.unknown or all(value is not None for _, value in group):
                        found.setdefault(group, []).append(row)
        return {group: rows for group, rows in found.items() if len(rows) >= self.minimum_count}

    @cached_property
    def rows_of_groups(self) -> list[list[Row]]:
        """The rows of every group."""
        return list(self.members.values())
