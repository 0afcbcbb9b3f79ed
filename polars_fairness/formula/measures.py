"""What scores say of one group: the columns of `rates` beside the rates, and what gaps compare."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from polars_fairness.formula.rates import outcomes_of
from polars_fairness.formula.scores import (
    auc,
    auc_error,
    brier,
    ecce,
    ecce_sigma,
    ece,
    mean_score,
    only_of_probabilities,
    quantile_of_scores,
)
from polars_fairness.formula.sides import g, g_s
from polars_fairness.formula.tree import Expression, term

BINS: Final = 10


@dataclass(frozen=True)
class Measure:
    """A number that the scores of a group have, with all that the package knows about it.

    Examples
    --------
    >>> sorted(MEASURES["auc"].needs), MEASURES["auc"].term
    (['label'], g.auc)
    """

    name: str  # the word for it in formulas and in columns
    formula: Expression = field(compare=False, repr=False)  # over the scores, of terms of g_s
    title: str
    meaning: str  # its explanation in a report
    is_about_probabilities: bool = False  # whether only scores between 0 and 1 have it
    bins: int | None = None  # of scores between 0 and 1, if it divides them

    @property
    def column(self) -> str:
        """The name of its term."""
        return f"{g.name}.{self.name}"

    @property
    def term(self) -> Expression:
        """The measure of a group, as a formula across groups mentions it."""
        return term(self.column)

    @property
    def value(self) -> Expression:
        """The measure of one group, a single value over its scores."""
        return only_of_probabilities(self.formula) if self.is_about_probabilities else self.formula

    @property
    def terms(self) -> frozenset[str]:
        """The terms of each score that it is made of."""
        return frozenset(name for name in self.formula.terms if "." in name)

    @property
    def needs(self) -> frozenset[str]:
        """The outcomes without which it has no value."""
        return frozenset(
            outcome for term in self.terms for outcome in outcomes_of(term.partition(".")[2])
        )


def calibration_error(bins: int = BINS) -> Measure:
    """The expected calibration error over so many bins of equal width."""
    return Measure(
        name="ece" if bins == BINS else f"ece_{bins}",
        formula=ece(g_s, bins),
        title="Expected calibration error",
        meaning=f"the mean distance of base rate and mean score over {bins} bins of scores",
        is_about_probabilities=True,
        bins=bins,
    )


QUANTILES: Final = {
    "score_p10": (10, "10th percentile of scores"),
    "median_score": (50, "Median score"),
    "score_p90": (90, "90th percentile of scores"),
}
"""The quantiles of scores, with their percentages and titles."""

_ALL: Final = (
    Measure("mean_score", mean_score(g_s), "Mean score", "the mean score"),
    *(
        Measure(
            name=name,
            formula=quantile_of_scores(g_s, percent / 100),
            title=title,
            meaning=f"the lowest score that {percent} % of the rows do not exceed",
        )
        for name, (percent, title) in QUANTILES.items()
    ),
    Measure("auc", auc(g_s, g_s), "Area under the ROC curve",
            "the chance that a positive row has a higher score than a negative row"),
    Measure("auc_error", auc_error(g_s), "Error of the AUC",
            "the most that rounding the scores can have moved the AUC"),
    Measure("brier", brier(g_s), "Brier score", "the mean squared distance of score and label",
            is_about_probabilities=True),
    calibration_error(),
    Measure("ecce", ecce(g_s), "Cumulative calibration error",
            "the range of the cumulative differences of labels and scores, by rising score",
            is_about_probabilities=True),
    Measure("ecce_sigma", ecce_sigma(g_s), "Cumulative calibration error in standard errors",
            "the cumulative calibration error, in standard errors under perfect calibration",
            is_about_probabilities=True),
)  # fmt: skip

MEASURES: Final = {measure.name: measure for measure in _ALL}
"""Every measure by its name, in the order of the columns of `rates`."""
