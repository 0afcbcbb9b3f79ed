"""The groups that a formula ranges over, and the part of each group in its value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from polars_fairness.errors import FairnessError, listed, require_flag, require_whole
from polars_fairness.formula.numbers import NUMBERS_OF_GROUPS, Amount, NumberOfGroup, Of
from polars_fairness.formula.rates import PROPORTIONS
from polars_fairness.formula.sides import Side
from polars_fairness.formula.tree import Expression, term

GroupsOf = Literal["values", "intersections", "conjunctions"]
GROUPS_OF: Final[tuple[GroupsOf, ...]] = get_args(GroupsOf)


@dataclass(frozen=True)
class Groups:
    """Which groups a formula ranges over: values of one facet, or groups of all facets together.

    An intersection fixes every attribute, a conjunction one or more of them.
    """

    of: GroupsOf = "values"
    depth: int | None = None
    minimum_count: int | None = None
    include_unknown: bool = True

    def __post_init__(self) -> None:
        if self.of not in GROUPS_OF:
            raise FairnessError(f"groups: takes {listed(GROUPS_OF, 'or')}, got {self.of!r}")
        if self.depth is not None:
            takes = "a whole number of attributes"
            require_whole("depth", self.depth, 1, takes)
        if self.minimum_count is not None:
            takes = "a whole number of rows"
            require_whole("minimum_count", self.minimum_count, 0, takes)
        require_flag("include_unknown", self.include_unknown)
        if self.of == "values" and (self.minimum_count is not None or not self.include_unknown):
            raise FairnessError(
                "minimum_count, include_unknown: apply to groups of several facets; give groups="
                "'intersections' or 'conjunctions' too"
            )
        if self.of != "conjunctions" and self.depth is not None:
            raise FairnessError(
                f"depth: {self.depth} does not apply to {self.of}; give groups='conjunctions'"
            )

    @property
    def are_joint(self) -> bool:
        """Whether a group is defined by several facets."""
        return self.of != "values"

    def sizes(self, attributes: int) -> range:
        """How many of the attributes a group may fix."""
        if self.of == "intersections":
            return range(attributes, attributes + 1)
        return range(1, min(self.depth or attributes, attributes) + 1)


@dataclass(frozen=True)
class Each:
    """The part of each group in a maximum or minimum over groups: a share times a distance.

    ``rate`` names a proportion, or a number of groups such as ``"mae"``.
    """

    rate: str
    share: Expression
    distance: Expression
    is_worst_where_small: bool = False

    def __post_init__(self) -> None:
        known = (*PROPORTIONS, *NUMBERS_OF_GROUPS)
        if self.rate not in known:
            raise FairnessError(f"rate: takes {listed(known, 'or', len(known))}, got {self.rate!r}")

    @property
    def number(self) -> NumberOfGroup | None:
        """What the groups have in place of a rate, for numbers as outcomes."""
        return NUMBERS_OF_GROUPS.get(self.rate)

    def rate_of(self, side: Side) -> Expression:
        """The rate of a group or of all rows, by its terms."""
        return self.number.of(side) if self.number else term(f"{side.name}.{self.rate}")


Contrast = Literal[
    "difference", "ratio", "log ratio", "distance from all", "number itself", "spread"
]


@dataclass(frozen=True)
class Largest:
    """The contrasts of rates, of groups or of pairs of groups, whose largest is the value.

    The interval of a maximum has to hold for all of these contrasts at once. In place of rates
    there may be a ``number``: an amount, or one above 0 whose logarithm has an interval. Its
    "spread" is the share of its variance that lies between groups.
    """

    contrast: Contrast
    rates: tuple[str, ...] = ()
    number: Amount | Of | None = None
