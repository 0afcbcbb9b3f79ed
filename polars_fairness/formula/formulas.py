"""A formula: an expression, and the level that it is evaluated at."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from polars_fairness.formula.groups import Each, Groups, Largest
from polars_fairness.formula.levels import (
    ACROSS_STRATA,
    GROUP,
    INDIVIDUAL,
    LABEL_VALUE,
    MEMBER_OF_D,
    PARTITION,
    POPULATION,
    STRATUM,
    Level,
)
from polars_fairness.formula.neighbourhood import Neighbourhood


@dataclass(frozen=True)
class Formula:
    """An expression and the level of the small frame it is evaluated on."""

    level: Level
    expression: pl.Expr
    neighbourhood: Neighbourhood = field(default_factory=Neighbourhood)
    groups: Groups = field(default_factory=Groups)
    each: Each | None = None
    largest: Largest | None = None
    may_overlap: bool = True


def stratified(expression: pl.Expr) -> Formula:
    """Average over the strata, each weighted by its size; strata without a value stay out.

    Examples
    --------
    >>> from polars_fairness.terms import a_i, d_i, stratified
    >>> stratified(a_i.selection_rate - d_i.selection_rate).level.name
    'stratum'
    """
    return Formula(STRATUM, expression)


def across_strata(expression: pl.Expr) -> Formula:
    """Aggregate over the strata, whatever their number: one value common to all.

    Examples
    --------
    >>> from polars_fairness.terms import a_i, across_strata, d_i
    >>> across_strata((a_i.selection_rate - d_i.selection_rate).max()).level.name
    'across strata'
    """
    return Formula(ACROSS_STRATA, expression)


def over_labels(expression: pl.Expr) -> Formula:
    """Aggregate over the values of the label, whatever their number."""
    return Formula(LABEL_VALUE, expression)


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
    return Formula(GROUP, expression, each=each, largest=largest, may_overlap=may_overlap)


def population(expression: pl.Expr) -> Formula:
    """Aggregate over everybody, whether their facet is known or not."""
    return Formula(POPULATION, expression)


def partition(expression: pl.Expr) -> Formula:
    """Aggregate over everybody by group, those whose facet is unknown being one group."""
    return Formula(PARTITION, expression)


def among_favored(expression: pl.Expr, neighbourhood: Neighbourhood) -> Formula:
    """Aggregate over the members of d by the point where they stand among the members of a."""
    return Formula(MEMBER_OF_D, expression, neighbourhood)


def among_everybody(expression: pl.Expr, neighbourhood: Neighbourhood) -> Formula:
    """Aggregate over everybody by the point where they stand among everybody."""
    return Formula(INDIVIDUAL, expression, neighbourhood)
