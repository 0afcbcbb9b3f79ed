"""The groups that a formula ranges over, and what it takes of each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

import polars as pl

from polars_fairness.errors import FairnessError, listed, require_flag, require_whole
from polars_fairness.formula.rates import PROPORTIONS

GroupsOf = Literal["values", "intersections", "conjunctions"]
GROUPS_OF: Final[tuple[GroupsOf, ...]] = get_args(GroupsOf)


@dataclass(frozen=True)
class Groups:
    """Which groups a formula runs over; unless they are the values of one facet, over all facets.

    An intersection fixes every attribute, a conjunction one or more of them.
    """

    of: GroupsOf = "values"
    depth: int | None = None
    minimum_count: int | None = None
    unknown: bool = True

    def __post_init__(self) -> None:
        if self.of not in GROUPS_OF:
            msg = f"groups: takes {listed(GROUPS_OF, 'or')}, got {self.of!r}"
            raise FairnessError(msg)
        if self.depth is not None:
            require_whole("depth", self.depth, 1, "a whole number of attributes, or None for all")
        if self.minimum_count is not None:
            require_whole("minimum_count", self.minimum_count, 0, "a whole number of rows, or None")
        require_flag("unknown", self.unknown)
        if self.of == "values" and (self.minimum_count is not None or not self.unknown):
            msg = (
                "minimum_count, unknown: are about groups of several facets; give groups="
                "'intersections' or 'conjunctions' too"
            )
            raise FairnessError(msg)
        if self.of != "conjunctions" and self.depth is not None:
            msg = f"depth: {self.depth} says nothing of {self.of}; give groups='conjunctions'"
            raise FairnessError(msg)

    @property
    def are_joint(self) -> bool:
        """Whether several facets define them together."""
        return self.of != "values"

    def sizes(self, attributes: int) -> range:
        """How many of so many attributes a group may fix."""
        if self.of == "intersections":
            return range(attributes, attributes + 1)
        return range(1, min(self.depth or attributes, attributes) + 1)


@dataclass(frozen=True)
class Each:
    """What every group has in a value that speaks of the worst: a share times a distance."""

    rate: str
    share: pl.Expr
    distance: pl.Expr
    is_worst_where_small: bool = False

    def __post_init__(self) -> None:
        if self.rate not in PROPORTIONS:
            msg = f"rate: takes {listed(PROPORTIONS, 'or', len(PROPORTIONS))}, got {self.rate!r}"
            raise FairnessError(msg)


Contrast = Literal["difference", "ratio", "log ratio", "distance from all"]


@dataclass(frozen=True)
class Largest:
    """What a formula takes the largest of: contrasts of rates over groups, or over their pairs.

    A maximum needs a band that holds for all of them at once; this says which contrasts these are.
    """

    contrast: Contrast
    rates: tuple[str, ...]
