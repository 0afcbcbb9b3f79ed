"""Formulas: an expression with its level, and a function for each level."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from polars_fairness.formula.levels import (
    ACROSS_STRATA,
    AT_EQUAL_CONTROLS,
    BOTH_VALUES,
    GROUP,
    GROUP_BY_SCORE,
    LABEL_VALUE,
    PARTITION,
    POPULATION,
    PREDICTED_VALUE,
    ROC,
    SCORE,
    STRATUM,
    Each,
    Groups,
    Largest,
    Level,
)
from polars_fairness.formula.scores import Measure, only_of_probabilities
from polars_fairness.formula.tree import Expression


@dataclass(frozen=True)
class Formula:
    """An expression of terms, and the level at which it is evaluated."""

    level: Level
    expression: Expression
    groups: Groups = field(default_factory=Groups)
    each: Each | None = None
    largest: Largest | None = None
    may_overlap: bool = True
    measure: Measure | None = None
    of_probabilities: bool = False
    # The share of rows below the quantiles that it compares.
    at: float | None = None

    @property
    def is_about_probabilities(self) -> bool:
        """Whether there is a value only for scores between 0 and 1."""
        measure = self.measure
        return self.of_probabilities or (measure is not None and measure.is_about_probabilities)


def stratified(expression: Expression) -> Formula:
    """Average over the strata, weighted by their sizes; strata without a value are left out.

    Examples
    --------
    >>> from polars_fairness.terms import a_i, d_i, stratified
    >>> stratified(a_i.selection_rate - d_i.selection_rate).level.name
    'stratum'
    """
    return Formula(STRATUM, expression)


def across_strata(expression: Expression) -> Formula:
    """Aggregate over the strata, whatever their number, to one value.

    Examples
    --------
    >>> from polars_fairness.terms import a_i, across_strata, d_i
    >>> across_strata((a_i.selection_rate - d_i.selection_rate).max()).level.name
    'across strata'
    """
    return Formula(ACROSS_STRATA, expression)


def at_equal_controls(expression: Expression) -> Formula:
    """Compare the fitted values of all rows as members of each side, by a regression on controls.

    Examples
    --------
    >>> from polars_fairness.terms import a_c, at_equal_controls, d_c
    >>> at_equal_controls(a_c.selection_rate - d_c.selection_rate).level.name
    'at equal controls'
    """
    return Formula(AT_EQUAL_CONTROLS, expression)


ValuesOf = Literal["label", "predicted", "both"]
"""The outcome whose values a formula ranges over."""

_OVER_VALUES: Final = {"label": LABEL_VALUE, "predicted": PREDICTED_VALUE, "both": BOTH_VALUES}


def over_labels(expression: Expression, outcome: ValuesOf = "label") -> Formula:
    """Aggregate over the values of an outcome, whatever their number, to one value.

    The values are those of the label or, by ``outcome``, those "predicted", or the pairs of "both".
    A share at a pair is one of the rows of its label value; null if the side has none.

    Examples
    --------
    >>> from polars_fairness.terms import a_v, d_v, over_labels
    >>> over_labels((a_v.share - d_v.share).abs().max(), "predicted").level.name
    'predicted value'
    """
    return Formula(_OVER_VALUES[outcome], expression)


def across(
    expression: Expression,
    *,
    each: Each | None = None,
    largest: Largest | None = None,
    may_overlap: bool = True,
) -> Formula:
    """Aggregate over the groups whose facet is known, or over the groups given to `Metric.over`.

    ``each`` defines the part of each group in the value, for `worst_groups`. ``largest`` describes
    a maximum over groups, which then has a simultaneous interval. A formula that adds up groups
    has ``may_overlap=False``.
    """
    return Formula(GROUP, expression, each=each, largest=largest, may_overlap=may_overlap)


def over_scores(expression: Expression, *, of_probabilities: bool = False) -> Formula:
    """Aggregate over the scores, from the lowest to the highest, to one value.

    With ``of_probabilities`` there is a value only if all scores lie between 0 and 1.

    Examples
    --------
    >>> from polars_fairness.terms import auc, a_s, d_s, over_scores
    >>> over_scores(auc(a_s, a_s) - auc(d_s, d_s)).level.name
    'score'
    """
    value = only_of_probabilities(expression) if of_probabilities else expression
    return Formula(SCORE, value, of_probabilities=of_probabilities)


def over_roc(expression: Expression) -> Formula:
    """Aggregate over the intervals of false positive rates on which both ROC curves are straight.

    Examples
    --------
    >>> from polars_fairness.terms import a_s, area_between, d_s, over_roc
    >>> over_roc(area_between(a_s, d_s)).level.name
    'ROC'
    """
    return Formula(ROC, expression)


def across_measured(expression: Expression, measure: Measure, each: Each | None = None) -> Formula:
    """Aggregate over the groups whose facet is known, with a measure of the scores of each.

    Examples
    --------
    >>> from polars_fairness.terms import MEASURES, across_measured
    >>> auc = MEASURES["auc"]
    >>> across_measured(auc.term.max() - auc.term.min(), auc).level.name
    'group by score'
    """
    return Formula(GROUP_BY_SCORE, expression, measure=measure, each=each)


def population(expression: Expression) -> Formula:
    """Aggregate over all rows as one group, whether their facet is known or unknown."""
    return Formula(POPULATION, expression)


def partition(expression: Expression) -> Formula:
    """Aggregate over the groups; the rows whose facet is unknown are a group too."""
    return Formula(PARTITION, expression)
