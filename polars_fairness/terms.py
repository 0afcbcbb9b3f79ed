"""The words a formula is written in.

A formula is ordinary polars arithmetic on terms such as ``a.tp`` or ``d_i.rejected``. A term
is a column of one of the small frames that ``compare`` derives from the cells, so the names
of the columns a formula mentions also say what data it needs.

==========================  =============================================================
``a``, ``d``, ``both``      the favored side, the disfavored side, and the two together
``a_i``, ``d_i``, ``both_i``  the same inside one stratum, for ``stratified`` and
                            ``across_strata``
``a_v``, ``d_v``            the same for one label value, for ``over_labels``
``d_x``                     the members of d at one point, for ``among_favored``
``g_x``                     everybody at one point, for ``among_everybody``
``g``                       one group, for ``across``, ``partition`` and ``population``
``all_``                    all of them, for ``across``
==========================  =============================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Final, Literal, get_args

import polars as pl

from polars_fairness.errors import FairnessError, listed, require_flag, require_whole

COUNTS: Final = {
    "n": (),
    "positive": ("label",),
    "negative": ("label",),
    "accepted": ("predicted",),
    "rejected": ("predicted",),
    "tp": ("label", "predicted"),
    "fp": ("label", "predicted"),
    "fn": ("label", "predicted"),
    "tn": ("label", "predicted"),
}
"""Every count, with the outcomes it is made of."""

RATES: Final = {
    "selection_rate": (("accepted",), ("n",)),
    "base_rate": (("positive",), ("n",)),
    "tpr": (("tp",), ("positive",)),
    "fpr": (("fp",), ("negative",)),
    "tnr": (("tn",), ("negative",)),
    "fnr": (("fn",), ("positive",)),
    "ppv": (("tp",), ("accepted",)),
    "npv": (("tn",), ("rejected",)),
    "fdr": (("fp",), ("accepted",)),
    "for": (("fn",), ("rejected",)),
    "accuracy": (("tp", "tn"), ("n",)),
    "f1": (("tp", "tp"), ("tp", "tp", "fp", "fn")),
}
"""Every rate: the counts to add above the line, and those below it."""

EFFECTIVE: Final = {f"effective_{count}": count for count in COUNTS}
"""The effective number of rows behind each count: (Σw)²/Σw² with weights (Kish), else the count."""

PROPORTIONS: Final = tuple(
    rate for rate, (above, _) in RATES.items() if len({*above}) == len(above)
)
"""The rates that count each person once; f1 counts some twice."""


def fraction(side: str, rate: str) -> tuple[pl.Expr, pl.Expr]:
    """Write a rate of one side as two sums: above the line, and below it."""
    above, below = (reduce(add, (pl.col(f"{side}.{c}") for c in part)) for part in RATES[rate])
    return above, below


def outcomes_of(word: str) -> frozenset[str]:
    """The outcomes without which a count or rate has no value.

    Examples
    --------
    >>> sorted(outcomes_of("tpr"))
    ['label', 'predicted']
    """
    word = EFFECTIVE.get(word, word)
    parts = RATES.get(word, ((word,), ()))
    return frozenset(role for part in parts for count in part for role in COUNTS.get(count, ()))


INFINITY: Final = float("inf")

# What a quotient by 0 is, the call decides and not the formula: a column of one value, null or a
# number, carries the decision into whatever frame the formula meets.
UNDEFINED: Final = pl.col("undefined")

# Beside it, what a divisor of 0 is: null, or 0 itself where 0/0 has a number.
NO_DIVISOR: Final = pl.col("no_divisor")


def ratio(numerator: pl.Expr, denominator: pl.Expr) -> pl.Expr:
    """Divide, and say what a zero denominator means: undefined, whatever stands above it.

    Where the call gives a number for undefined, 0/0 is that number and x/0 is infinite.
    """
    return unbounded_ratio(numerator, _nonzero(denominator))


def unbounded_ratio(numerator: pl.Expr, denominator: pl.Expr) -> pl.Expr:
    """Divide as `ratio` does, but let x/0 be infinite: the metric's source says it is."""
    quotient = numerator / denominator
    # `fill_nan` would write the quotient three times into the plan, and this does twice.
    return pl.when(quotient.is_nan()).then(UNDEFINED).otherwise(quotient)


def logarithm(value: pl.Expr) -> pl.Expr:
    """Take the natural logarithm; that of 0 is undefined as 1/0 is."""
    return _nonzero(value).log()


def _nonzero(value: pl.Expr) -> pl.Expr:
    return pl.when(value == 0).then(NO_DIVISOR).otherwise(value)


def smaller(left: pl.Expr, right: pl.Expr) -> pl.Expr:
    """Take the smaller of two, undefined where either is: polars' own minimum skips nulls."""
    return pl.when(left <= right).then(left).when(left > right).then(right).otherwise(None)


def larger(left: pl.Expr, right: pl.Expr) -> pl.Expr:
    """Take the larger of two, undefined where either is."""
    return pl.when(left >= right).then(left).when(left < right).then(right).otherwise(None)


def total(value: pl.Expr) -> pl.Expr:
    """Sum, undefined where one part is: polars' own sum skips nulls, and of nothing it is 0."""
    return pl.when(value.is_not_null().all()).then(value.sum()).otherwise(None)


class Side:
    """The counts and rates of one side or group, as expressions.

    ``effective_n`` is how many rows of equal weight would tell as much, (Σw)²/Σw²; there is one
    for every count. ``share`` is the part of a side's rows that are in this stratum or have this
    label value; ``vote`` the part of the nearest neighbours of this point that were accepted.

    Examples
    --------
    >>> from polars_fairness.terms import a, d
    >>> (a.tpr - d.tpr).meta.root_names()
    ['a.tpr', 'd.tpr']
    """

    n: pl.Expr
    positive: pl.Expr
    negative: pl.Expr
    accepted: pl.Expr
    rejected: pl.Expr
    tp: pl.Expr
    fp: pl.Expr
    fn: pl.Expr
    tn: pl.Expr
    selection_rate: pl.Expr
    base_rate: pl.Expr
    tpr: pl.Expr
    fpr: pl.Expr
    tnr: pl.Expr
    fnr: pl.Expr
    ppv: pl.Expr
    npv: pl.Expr
    fdr: pl.Expr
    for_: pl.Expr
    accuracy: pl.Expr
    f1: pl.Expr
    effective_n: pl.Expr
    effective_positive: pl.Expr
    effective_negative: pl.Expr
    effective_accepted: pl.Expr
    effective_rejected: pl.Expr
    share: pl.Expr
    vote: pl.Expr

    def __init__(self, name: str) -> None:
        self.name = name
        for term in (*COUNTS, *RATES, *EFFECTIVE, "share", "vote"):
            setattr(self, "for_" if term == "for" else term, pl.col(f"{name}.{term}"))


a, d, both = Side("a"), Side("d"), Side("both")
a_i, d_i, both_i = Side("a_i"), Side("d_i"), Side("both_i")
a_v, d_v = Side("a_v"), Side("d_v")
g = Side("g")
all_ = Side("all")
d_x, g_x = Side("d_x"), Side("g_x")

Standing = Literal["member of d", "individual"]
Level = (
    Literal["comparison", "stratum", "across strata", "label value"]
    | Literal["group", "population", "partition"]
    | Standing
)

CLARIFYS_K: Final = 5


@dataclass(frozen=True)
class Neighbourhood:
    """Whose votes count as those of the nearest: how many, and how distance is measured."""

    k: int = CLARIFYS_K
    standardize: bool = False
    progress: bool | None = None

    def __post_init__(self) -> None:
        require_whole("k", self.k, 1, "a whole number of neighbours")
        require_flag("standardize", self.standardize)
        require_flag("progress", self.progress, (True, False, None))

    def neighbours_among(self, rows: int) -> int:
        """How many neighbours vote: of few rows Clarify asks one, unless told how many."""
        return 1 if self.k == CLARIFYS_K and rows < 10 else self.k


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


@dataclass(frozen=True)
class Formula:
    """An expression and the level of the small frame it is evaluated on."""

    level: Level
    expression: pl.Expr
    neighbourhood: Neighbourhood = Neighbourhood()
    groups: Groups = Groups()
    each: Each | None = None
    largest: Largest | None = None
    may_overlap: bool = True


def stratified(expression: pl.Expr) -> Formula:
    """Average over the strata, each weighted by its size; strata without a value stay out.

    Examples
    --------
    >>> from polars_fairness.terms import a_i, d_i, stratified
    >>> stratified(a_i.selection_rate - d_i.selection_rate).level
    'stratum'
    """
    return Formula("stratum", expression)


def across_strata(expression: pl.Expr) -> Formula:
    """Aggregate over the strata, whatever their number: one value common to all.

    Examples
    --------
    >>> from polars_fairness.terms import a_i, across_strata, d_i
    >>> across_strata((a_i.selection_rate - d_i.selection_rate).max()).level
    'across strata'
    """
    return Formula("across strata", expression)


def over_labels(expression: pl.Expr) -> Formula:
    """Aggregate over the values of the label, whatever their number."""
    return Formula("label value", expression)


def across(
    expression: pl.Expr,
    *,
    each: Each | None = None,
    largest: Largest | None = None,
    may_overlap: bool = True,
) -> Formula:
    """Aggregate over the groups whose facet is known, or over those of `Metric.over`.

    ``each`` takes the value apart by groups, for `subgroups`; ``largest`` gives a maximum over
    groups a simultaneous interval; what adds groups up says that they may not overlap.
    """
    return Formula("group", expression, each=each, largest=largest, may_overlap=may_overlap)


def population(expression: pl.Expr) -> Formula:
    """Aggregate over everybody, whether their facet is known or not."""
    return Formula("population", expression)


def partition(expression: pl.Expr) -> Formula:
    """Aggregate over everybody by group, those whose facet is unknown being one group."""
    return Formula("partition", expression)


def among_favored(expression: pl.Expr, neighbourhood: Neighbourhood) -> Formula:
    """Aggregate over the members of d by the point where they stand among the members of a."""
    return Formula("member of d", expression, neighbourhood)


def among_everybody(expression: pl.Expr, neighbourhood: Neighbourhood) -> Formula:
    """Aggregate over everybody by the point where they stand among everybody."""
    return Formula("individual", expression, neighbourhood)
