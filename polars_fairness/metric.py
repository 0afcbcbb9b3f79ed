"""What one entry of the catalogue says."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, Literal

import polars as pl

from polars_fairness.errors import FairnessError
from polars_fairness.terms import INFINITY, Formula, Groups, GroupsOf, outcomes_of

ANY: Final = (-INFINITY, INFINITY)

_NEEDS_OF_LEVEL: Final = {
    "comparison": ("facet",),
    "stratum": ("facet", "subgroup"),
    "across strata": ("facet", "subgroup"),
    "label value": ("facet", "label values"),
    "group": ("facet",),
    "population": (),
    "partition": ("facet",),
    "member of d": ("facet", "predicted", "features"),
    "individual": ("predicted", "features"),
}

_WITHOUT_SIDES: Final = ("group", "population", "partition", "individual")


@dataclass(frozen=True)
class Metric:
    """One fairness metric: its formula, and everything a reader has to know about the number.

    Parameters
    ----------
    name
        The name of the method and of the column.
    title
        The name written out.
    formula
        Polars arithmetic on the words of `polars_fairness.terms`, bare for a comparison of two
        sides, or wrapped in `stratified`, `across_strata`, `over_labels`, `across`,
        `partition`, `population`, `among_favored` or `among_everybody`.
    definition
        The formula as a person writes it, in one line.
    range, ideal, acceptable
        The values it can take, the value that means fair, and the band usually tolerated.
    sign
        Which side a value above the ideal speaks against: 1 for d, -1 for a, 0 where the value
        does not tell.
    has_interval
        Whether a value is an estimate that an interval is put about. A test statistic is none: it
        contains its uncertainty already, and is judged by its value.
    above, below
        What a value above or below the ideal means.
    source
        Who defines it.
    aliases
        Other systems' names for the same number.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> from polars_fairness.terms import a, d, ratio
    >>> odds_ratio = pf.Metric(
    ...     name="odds_ratio",
    ...     title="Odds ratio",
    ...     formula=ratio(d.accepted * a.rejected, d.rejected * a.accepted),
    ...     definition="odds of acceptance of d over those of a",
    ...     range=(0, float("inf")),
    ...     ideal=1,
    ... )
    >>> odds_ratio.needs
    ('facet', 'predicted')
    >>> hired = pl.DataFrame({"sex": ["F", "F", "M", "M", "M"], "hired": [1, 0, 1, 1, 0]})
    >>> pf.metrics(hired, odds_ratio, facet="sex", disfavored="F", predicted="hired")["odds_ratio"]
    shape: (1,)
    Series: 'odds_ratio' [f64]
    [
        0.5
    ]
    """

    name: str
    title: str
    formula: pl.Expr | Formula = field(compare=False, repr=False)
    definition: str = ""
    range: tuple[float, float] = ANY
    ideal: float = 0
    acceptable: tuple[float, float] | None = None
    sign: Literal[1, -1, 0] = 1
    has_interval: bool = True
    above: str = ""
    below: str = ""
    source: str = ""
    aliases: tuple[str, ...] = ()

    @cached_property
    def parsed(self) -> Formula:
        """The formula with its level; a bare expression compares two sides."""
        if isinstance(self.formula, Formula):
            return self.formula
        return Formula("comparison", self.formula)

    @cached_property
    def terms(self) -> frozenset[str]:
        """The columns the formula mentions, such as ``a.tp``, and what it has of each group."""
        each = self.parsed.each
        parts = [] if each is None else [each.share, each.distance, pl.col(f"g.{each.rate}")]
        mentioned = (part.meta.root_names() for part in [self.parsed.expression, *parts])
        return frozenset(name for names in mentioned for name in names if "." in name)

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """The arguments without which there is no value; read off the formula itself."""
        needed = set(_NEEDS_OF_LEVEL[self.parsed.level])
        for term in self.terms:
            needed |= outcomes_of(term.partition(".")[2])
        order = ("facet", "label", "label values", "predicted", "subgroup", "features")
        return tuple(role for role in order if role in needed)

    @property
    def has_sides(self) -> bool:
        """Whether the value belongs to a comparison of two sides."""
        return self.parsed.level not in _WITHOUT_SIDES

    @property
    def is_joint(self) -> bool:
        """Whether the value belongs to all facets together."""
        return self.parsed.groups.are_joint

    def over(
        self,
        groups: GroupsOf,
        *,
        depth: int | None = None,
        minimum_count: int | None = None,
        unknown: bool = True,
    ) -> Metric:
        """Take a metric across groups over other groups than the values of each facet.

        Parameters
        ----------
        groups
            "values" of each facet on its own; "intersections", which fix the values of all facets
            together; or "conjunctions", which fix those of one facet or more.
        depth
            How many facets a conjunction fixes at most; None for all.
        minimum_count
            Leave out intersections or conjunctions of fewer rows.
        unknown
            Whether null is a value of an attribute too, in intersections and conjunctions; if
            not, groups that would fix it are left out, and their rows are part of everybody.

        Examples
        --------
        >>> import polars_fairness as pf
        >>> anywhere = pf.CATALOGUE["fpsf"].over("conjunctions", depth=2)
        >>> anywhere.is_joint
        True
        """
        formula = self.parsed
        if formula.level != "group":
            msg = (
                f"groups: {self.name!r} is no metric across groups; give one of those, such as "
                "'fpsf' or 'selection_rate_gap'"
            )
            raise FairnessError(msg)
        chosen = Groups(groups, depth, minimum_count, unknown)
        if groups == "conjunctions" and not formula.may_overlap:
            msg = (
                f"groups: {self.name!r} adds groups up, and conjunctions share members; give "
                "'intersections'"
            )
            raise FairnessError(msg)
        return replace(self, formula=replace(formula, groups=chosen))

    def named(self, name: str) -> Metric:
        """Give the same metric another column name, to ask for two variants in one call.

        Examples
        --------
        >>> import polars_fairness as pf
        >>> pf.lp(p=1).named("l1").name
        'l1'
        """
        return replace(self, name=name, aliases=())
