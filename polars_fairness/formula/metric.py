"""A metric: one entry of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, Literal, TypedDict

import polars as pl

from polars_fairness.errors import FairnessError, did_you_mean, listed
from polars_fairness.formula.formulas import Formula, population
from polars_fairness.formula.levels import COMPARISON, GROUP, Groups, GroupsOf
from polars_fairness.formula.sides import RATES, SUMS_OF_RANKS, g, outcomes_of
from polars_fairness.formula.tree import INFINITY, Expression, term

Sign = Literal[1, -1, 0]

ANY: Final = (-INFINITY, INFINITY)


class Unfavorable(TypedDict, total=False):
    """The arguments of a `Metric` that change if a positive outcome is bad for the person."""

    formula: Expression | Formula
    definition: str
    sign: Sign
    above: str
    below: str
    reading: str


def said(sentence: str, d: str = "d", a: str = "a", value: str = "") -> str:
    """A sentence of a metric with the names of the sides, and the value, in its slots.

    Examples
    --------
    >>> said("{d} is accepted {value} times as often as {a}", "F", "M", "0.8")
    'F is accepted 0.8 times as often as M'
    """
    return sentence.format(d=d, a=a, value=value)


@dataclass(frozen=True)
class Metric:
    """One fairness metric: its formula, and everything a reader needs to know about the number.

    Parameters
    ----------
    name
        The name of the method and of the column.
    title
        The name written out.
    formula
        Arithmetic on the terms of `polars_fairness.terms`, bare for a comparison of two
        sides, or wrapped in `stratified`, `across_strata`, `over_labels`, `over_scores`,
        `over_roc`, `across`, `across_measured`, `partition` or `population`.
    definition
        The formula as a person writes it, in one line.
    range, ideal, acceptable
        The values it can take, the value that means no difference, and the band usually accepted. A
        metric with ``ideal=None``, such as the selection rate, has no band and no verdict.
    sign
        Which side a value above the ideal disadvantages: 1 for d, -1 for a, 0 if the value does not
        show it. By default, it is derived from the formula: -1 if the value rises as more of d are
        accepted. If the value may rise or fall, a metric with a band needs a sign.
    has_interval
        Whether the value is an estimate with an interval. A test statistic has no interval: it
        includes its uncertainty, and its verdict follows from its value.
    degrees_of_freedom
        The degrees of freedom of a value that has a chi-squared distribution under the null
        hypothesis: a formula of the same level, null if there is nothing to test. The p-value of
        the metric then follows from its value.
    only_named
        Whether the metric is computed only if a call names it.
    above, below
        What a value above or below the ideal means, with ``{d}`` and ``{a}`` for the sides.
    reading
        A sentence that states the value, with ``{value}``, ``{d}`` and ``{a}``.
    unfavorable
        The arguments that change with ``favorable=False``, if a positive outcome is bad for the
        person, such as ``{"above": "{a} is flagged more often than {d}"}``. The sign need not be
        given: it is reversed, unless the formula shows it by how often predictions are correct.
    source
        Who defines the metric.
    aliases
        Other systems' names for the same number.
    titles
        The titles of aliases that differ from that of the metric.
    conventions
        The conventions behind the number where definitions of the metric differ, one sentence each.
    settles_zero_division
        Whether the formula itself defines 0/0, whatever the ``zero_division`` of a call.
    takes_weights
        Whether rows may have weights. If not, a call with ``weight`` is an error.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> from polars_fairness.terms import a, d, ratio
    >>> rejections = pf.Metric(
    ...     name="rejection_ratio",
    ...     title="Ratio of rejection rates",
    ...     formula=ratio(d.rejected * a.n, a.rejected * d.n),
    ...     definition="rejection rate of d over that of a",
    ...     range=(0, float("inf")),
    ...     ideal=1,
    ... )
    >>> rejections.needs
    ('facet', 'predicted')
    >>> hired = pl.DataFrame({"sex": ["F", "F", "M", "M", "M"], "hired": [1, 0, 1, 1, 0]})
    >>> question = {"facet": "sex", "disfavored": "F", "predicted": "hired"}
    >>> pf.metrics(hired, rejections, **question)["rejection_ratio"]
    shape: (1,)
    Series: 'rejection_ratio' [f64]
    [
        1.5
    ]

    The value falls as more of d are accepted, so a high value disadvantages d:

    >>> judged = {"bands": {"rejection_ratio": (0.8, 1.25)}, "confidence": None}
    >>> pf.audit(hired, rejections, **judged, **question)["verdict"].item()
    'outside'
    """

    name: str
    title: str
    formula: Expression | Formula = field(compare=False, repr=False)
    definition: str = ""
    range: tuple[float, float] = ANY
    ideal: float | None = 0
    acceptable: tuple[float, float] | None = None
    sign: Sign | None = None
    has_interval: bool = True
    degrees_of_freedom: Formula | None = field(default=None, compare=False, repr=False)
    only_named: bool = False
    above: str = ""
    below: str = ""
    reading: str = ""
    unfavorable: Unfavorable = field(default_factory=Unfavorable, compare=False, repr=False)
    source: str = ""
    aliases: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    conventions: tuple[str, ...] = field(default=(), compare=False, repr=False)
    settles_zero_division: bool = False
    takes_weights: bool = True

    def __post_init__(self) -> None:
        _require_expressions(self)
        if self.sign not in (1, -1, 0, None):
            raise FairnessError(f"sign: takes 1, -1, 0 or None, got {self.sign!r}")
        if self.ideal is None and self.acceptable is not None:
            raise FairnessError(
                f"acceptable: {self.name!r} has no ideal; give ideal=, or leave the band out"
            )
        for name in ("above", "below", "reading"):
            for sentence in (getattr(self, name), str(self.unfavorable.get(name, ""))):
                _require_slots(name, sentence)
        if self.degrees_of_freedom is not None:
            # It is refused as any other formula is.
            freedom = Metric(f"{self.name}.freedom", "", self.degrees_of_freedom)
            if freedom.parsed.level != self.parsed.level or self.parsed.level.decomposes:
                raise FairnessError(
                    f"formula: {self.name!r} and {freedom.name!r} need one level, whose rows they "
                    "reduce to one number"
                )
        level, measure = self.parsed.level, self.parsed.measure
        own = set() if measure is None else measure.term.terms
        if foreign := sorted(self.terms - level.terms.union(own)):
            sides = listed((f"{side.name}." for side in level.sides), "or")
            known = sorted(level.terms)
            raise FairnessError(
                f"formula: {listed(foreign)} in {self.name!r} is not a term at the level "
                f"{level.name!r}, where terms begin with {sides}; {did_you_mean(foreign[0], known)}"
            )

    @cached_property
    def parsed(self) -> Formula:
        """The formula with its level; a bare expression compares two sides."""
        if isinstance(self.formula, Formula):
            return self.formula
        return Formula(COMPARISON, self.formula)

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms in the formula, such as ``a.tp``, and in its part of each group."""
        each = self.parsed.each
        parts = [] if each is None else [each.share, each.distance, each.rate_of(g)]
        mentioned = (part.terms for part in [self.parsed.expression, *parts])
        return frozenset(name for names in mentioned for name in names if "." in name)

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """The arguments without which the metric has no value, derived from the formula."""
        needed = set(self.parsed.level.needs)
        for name in self.terms:
            needed |= outcomes_of(name.partition(".")[2])
        if self.parsed.measure is not None:
            needed |= self.parsed.measure.needs
        values = ("label", "label values", "predicted", "predicted values")
        of_outcomes = (*values, "observed", "estimated", "score")
        order = ("facet", *of_outcomes, "subgroup", "controls")
        return tuple(role for role in order if role in needed)

    @cached_property
    def has_sides(self) -> bool:
        """Whether the value belongs to a comparison of two sides."""
        return self.parsed.level.has_sides

    @property
    def ranges_over_groups(self) -> bool:
        """Whether `over` can change its groups."""
        return self.parsed.level == GROUP

    @cached_property
    def is_joint(self) -> bool:
        """Whether the value belongs to all facets together."""
        return self.parsed.groups.are_joint

    @cached_property
    def compares_classes(self) -> bool:
        """Whether the value is about all classes at once, where outcomes have several.

        Rows are right or wrong whatever their class: an accuracy is also one of each class.
        """
        rates = {term.partition(".")[2] for term in self.terms}
        return self.parsed.level.divides_values or rates == {"accuracy"}

    @property
    def is_test(self) -> bool:
        """Whether the value is a test statistic: by chance alone 5 % of values leave its band."""
        return not self.has_interval and self.acceptable is not None

    @property
    def is_about_numbers(self) -> bool:
        """Whether the value is one of numbers as outcomes, and not of counts."""
        return not {"observed", "estimated"}.isdisjoint(self.needs)

    @property
    def adds_up_numbers(self) -> bool:
        """Whether the value is made of sums of numbers, and not of their order."""
        return self.is_about_numbers and self.parsed.level.number is None

    @cached_property
    def sums_of_ranks(self) -> frozenset[str]:
        """What the value needs of the sums that the ranks of rows by score add up to."""
        return frozenset(SUMS_OF_RANKS) & {term.rpartition(".")[2] for term in self.terms}

    @property
    def is_about_ranks(self) -> bool:
        """Whether the value depends on the ranks of rows by score."""
        return bool(self.sums_of_ranks)

    @cached_property
    def is_ratio(self) -> bool:
        """Whether the value compares by division: 1/2 is as far from the ideal as 2."""
        return self.ideal == 1 and self.range[0] >= 0

    def offset(self, value: pl.Expr) -> pl.Expr:
        """How far a value is above the ideal, for a ratio by its logarithm."""
        return value.log() if self.is_ratio else value - self.ideal

    def distance(self, value: pl.Expr) -> pl.Expr:
        """How far a value is from the ideal, on either side."""
        return self.offset(value).abs()

    def over(
        self,
        groups: GroupsOf,
        *,
        depth: int | None = None,
        minimum_count: int | None = None,
        include_unknown: bool = True,
    ) -> Metric:
        """Return the metric for other groups than the values of each facet.

        Parameters
        ----------
        groups
            "values" of each facet on its own; "intersections", which fix the values of all facets
            together; or "conjunctions", which fix the values of one facet or more.
        depth
            The most facets that a conjunction fixes; by default all.
        minimum_count
            Leave out intersections or conjunctions of fewer rows.
        include_unknown
            Whether null counts as a value of an attribute, in intersections and conjunctions. If
            not, groups that would fix it are left out; their rows still count among all rows.

        Examples
        --------
        >>> import polars_fairness as pf
        >>> anywhere = pf.CATALOGUE["fpsf"].over("conjunctions", depth=2)
        >>> anywhere.is_joint
        True
        """
        formula = self.parsed
        if not self.ranges_over_groups:
            raise FairnessError(
                f"groups: {self.name!r} is not a metric across groups; give one, such as "
                "'fpsf' or 'selection_rate_gap'"
            )
        chosen = Groups(groups, depth, minimum_count, include_unknown)
        if groups == "conjunctions" and not formula.may_overlap:
            raise FairnessError(
                f"groups: {self.name!r} adds groups up, and conjunctions share members; give "
                "'intersections'"
            )
        return replace(self, formula=replace(formula, groups=chosen))

    def named(self, name: str) -> Metric:
        """Return the same metric under another name, for two variants in one call.

        Examples
        --------
        >>> import polars_fairness as pf
        >>> pf.entry("lp", p=1).named("l1").name
        'l1'
        """
        title = self.titles.get(name, self.title)
        return replace(self, name=name, title=title, aliases=(), titles={})


def ideal_as_text(ideal: float | None) -> str:
    """An ideal as a table shows it, empty if a metric has none."""
    return "" if ideal is None else f"{ideal:g}"


def _require_slots(name: str, sentence: str) -> None:
    try:
        said(sentence)
    except (KeyError, IndexError, ValueError, AttributeError) as error:
        raise FairnessError(
            f"{name}: {sentence!r} has braces around something other than {{d}}, {{a}} and "
            f"{{value}}; name one of these, or write a brace twice"
        ) from error


def _require_expressions(metric: Metric) -> None:
    formula = metric.parsed
    each = [] if formula.each is None else [formula.each.share, formula.each.distance]
    for part in (formula.expression, *each):
        if not isinstance(part, Expression):
            raise FairnessError(
                f"formula: {metric.name!r} takes arithmetic on the terms of polars_fairness.terms, "
                f"bare or wrapped in across() or the like, got {part!r}"
            )


def rate_of_all_rows(name: str) -> Metric:
    """A rate as a metric of all rows."""
    return Metric(name, RATES[name].title, population(term(f"g.{name}")))
