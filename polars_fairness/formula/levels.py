"""Levels: what a formula ranges over, and what follows from it.

A formula is evaluated on a small table, with a row for each comparison, stratum, label value,
score or group. The level says which of these. To add a level, make an object like the
objects below: what its table has, and whether formulas aggregate it, says how they are evaluated.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Final, Literal, get_args

from polars_fairness.errors import FairnessError, listed, require_flag, require_whole
from polars_fairness.formula.numbers import NUMBERS_OF_GROUPS, NumberOfGroup
from polars_fairness.formula.sides import (
    BY_SCORE,
    OF_GROUPS,
    PROPORTIONS,
    Side,
    a,
    a_c,
    a_i,
    a_s,
    a_v,
    all_,
    both,
    both_i,
    d,
    d_c,
    d_i,
    d_s,
    d_v,
    g,
    g_s,
)
from polars_fairness.formula.tree import Expression, term

Table = Literal["sides", "groups"]
Number = Literal["observed", "estimated"]
Division = Literal[
    "subgroup", "controls", "label values", "predicted values", "both values", "score"
]
KindOfGroups = Literal["known", "known and unknown", "all in one"]
KindOfTest = Literal["fisher", "cmh"]


@dataclass(frozen=True)
class Level:
    """The rows that a formula ranges over."""

    name: str
    table: Table  # it counts a beside d, or groups
    counted: tuple[Side, ...]  # on each row; of two sides, a first
    _: KW_ONLY
    sums: tuple[Side, ...] = ()  # of the counted sides or groups, if formulas may mention them
    beside: tuple[Side, ...] = ()  # the rows of known group on neither side, likewise
    has_sides: bool  # whether there is a value for each comparison of two sides
    needs: tuple[str, ...]  # the arguments without which the table has no rows
    row: str  # what a row of the table is
    is_aggregate: bool = True  # whether a formula makes one value of all rows, or one on each row
    divided_by: Division | None = None  # of a comparison or a group; rows by score are sorted by it
    groups: KindOfGroups | None = None  # which of them have a row
    words: tuple[str, ...] = OF_GROUPS  # the counts, rates and other terms that the sides have
    decomposes: bool = False  # whether a value is an average over the rows, weighted by their size
    test: KindOfTest | None = None  # of whether two sides have one rate; the latter is over strata
    is_redrawn: bool = True  # whether a bootstrap can draw the rows again
    number: Number | None = None  # the number as outcome by whose values rows are counted as scores

    def __hash__(self) -> int:
        # Levels are keys many times in a call, where a hash of all fields would take 0.5 ms.
        return hash(self.name)

    @cached_property
    def counted_names(self) -> tuple[str, ...]:
        """The names of the sides or groups that are counted."""
        return tuple(side.name for side in self.counted)

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides and groups whose terms a formula may mention."""
        return (*self.counted, *self.sums, *self.beside)

    @property
    def keeps_groups_apart(self) -> bool:
        """Whether each group has a row."""
        return self.groups in ("known", "known and unknown")

    @property
    def compares_groups(self) -> bool:
        """Whether each row is a group that the formula compares with the others."""
        return self.groups == "known"

    @property
    def is_one_group(self) -> bool:
        """Whether all rows of the data are one row."""
        return self.groups == "all in one"

    @cached_property
    def divides_values(self) -> bool:
        """Whether each row is a value of an outcome, or a pair of values of both."""
        return self.divided_by in ("label values", "predicted values", "both values")

    @property
    def is_within_labels(self) -> bool:
        """Whether the shares and profiles of a side are those of the rows of one label value."""
        return self.divided_by == "both values"

    @cached_property
    def is_by_score(self) -> bool:
        """Whether rows are counted by score."""
        return self.divided_by == "score"

    @property
    def has_order(self) -> bool:
        """Whether the rows of a table are in order, that of the scores."""
        return self.is_by_score and self.has_sides

    @property
    def size(self) -> str:
        """The term for how many rows of the data a row of the table stands for."""
        total, *_ = self.sums or self.counted
        return f"{total.name}.n"

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms that a formula may be written in."""
        return frozenset(f"{side.name}.{word}" for side in self.sides for word in self.words)


COMPARISON: Final = Level(
    "comparison", "sides", (a, d), sums=(both,), has_sides=True, needs=("facet",),
    row="comparison", is_aggregate=False, test="fisher",
)  # fmt: skip
STRATUM: Final = Level(
    "stratum", "sides", (a_i, d_i), sums=(both_i,), has_sides=True, needs=("facet", "subgroup"),
    row="stratum", is_aggregate=False, divided_by="subgroup", words=(*OF_GROUPS, "share"),
    decomposes=True, test="cmh",
)  # fmt: skip
ACROSS_STRATA: Final = replace(STRATUM, name="across strata", is_aggregate=True, decomposes=False)
AT_EQUAL_CONTROLS: Final = Level(
    "at equal controls", "sides", (a_c, d_c), has_sides=True, needs=("facet", "controls"),
    row="comparison", is_aggregate=False, divided_by="controls",
    words=(
        *("selection_rate", "base_rate", "odds", "n"),
        *(f"{number}_{word}" for number in ("observed", "estimated") for word in ("sum", "log")),
    ),
    is_redrawn=False,
)  # fmt: skip
LABEL_VALUE: Final = Level(
    "label value", "sides", (a_v, d_v), has_sides=True, needs=("facet", "label values"),
    row="label value", divided_by="label values", words=(*OF_GROUPS, "share"),
)  # fmt: skip
PREDICTED_VALUE: Final = replace(
    LABEL_VALUE, name="predicted value", needs=("facet", "predicted values"),
    row="predicted value", divided_by="predicted values",
)  # fmt: skip
BOTH_VALUES: Final = replace(
    LABEL_VALUE, name="label and predicted value",
    needs=("facet", "label values", "predicted values"), row="pair of values",
    divided_by="both values",
)  # fmt: skip
GROUP: Final = Level(
    "group", "groups", (g,), sums=(all_,), has_sides=False, needs=("facet",), row="group",
    groups="known",
)  # fmt: skip
POPULATION: Final = Level(
    "population", "groups", (g,), has_sides=False, needs=(), row="group", groups="all in one",
)  # fmt: skip
PARTITION: Final = Level(
    "partition", "groups", (g,), has_sides=False, needs=("facet",), row="group",
    groups="known and unknown",
)  # fmt: skip
SCORE: Final = Level(
    "score", "sides", (a_s, d_s), has_sides=True, needs=("facet", "score"), row="score",
    divided_by="score", words=BY_SCORE,
)  # fmt: skip
ROC: Final = replace(
    SCORE, name="ROC", needs=("facet", "label", "score"), row="interval",
    words=("start", "end"),
)  # fmt: skip
GROUP_BY_SCORE: Final = Level(
    "group by score", "groups", (g_s,), sums=(g, all_), has_sides=False,
    needs=("facet", "score"), row="group", divided_by="score", groups="known",
    words=("n", "positive", "negative", "base_rate"),
)  # fmt: skip
BY_OBSERVED: Final = replace(
    SCORE, name="observed number", needs=("facet", "observed"), row="number", words=("n",),
    is_redrawn=False, number="observed",
)  # fmt: skip
BY_ESTIMATED: Final = replace(
    BY_OBSERVED, name="estimated number", needs=("facet", "estimated"), number="estimated",
)  # fmt: skip


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
    there may be a ``number``, by the name of its statistic. Its "spread" is the share of its
    variance that lies between groups.
    """

    contrast: Contrast
    rates: tuple[str, ...] = ()
    number: str = ""

    @property
    def rate_of_pairs(self) -> str | None:
        """The rate whose difference or ratio between two groups is the value, if there is one."""
        is_of_pairs = self.contrast in ("difference", "ratio") and len(self.rates) == 1
        return self.rates[0] if is_of_pairs else None
