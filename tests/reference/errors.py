"""Two sides, labels and predictions."""

from __future__ import annotations

from fractions import Fraction

from tests.reference.cases import Case, Formula
from tests.reference.numbers import Value, half_of, size
from tests.reference.rows import Counts


def dcacc(c: Case) -> Value:
    """Observed over predicted positives, a less d."""
    return c.minus(c.ratio(c.a.positive, c.a.accepted), c.ratio(c.d.positive, c.d.accepted))


def dcr(c: Case) -> Value:
    """Observed over predicted negatives, d less a."""
    return c.minus(c.ratio(c.d.negative, c.d.rejected), c.ratio(c.a.negative, c.a.rejected))


def sd(c: Case) -> Value:
    """Specificity, d less a."""
    return c.minus(c.rate("tnr", c.d), c.rate("tnr", c.a))


def rd(c: Case) -> Value:
    """Recall, a less d."""
    return c.a_less_d("tpr")


def dar(c: Case) -> Value:
    """Precision, a less d."""
    return c.a_less_d("ppv")


def drr(c: Case) -> Value:
    """Negative predictive value, d less a."""
    return c.minus(c.rate("npv", c.d), c.rate("npv", c.a))


def ad(c: Case) -> Value:
    """Accuracy, a less d."""
    return c.a_less_d("accuracy")


def te(c: Case) -> Value:
    """False negatives over false positives, d less a."""
    return c.minus(c.ratio(c.d.fn, c.d.fp), c.ratio(c.a.fn, c.a.fp))


def te_inverse(c: Case) -> Value:
    """False positives over false negatives, a less d."""
    return c.minus(c.ratio(c.a.fp, c.a.fn), c.ratio(c.d.fp, c.d.fn))


def average_odds_difference(c: Case) -> Value:
    """Mean of the differences of the true and the false positive rates."""
    return half_of(c.a_less_d("tpr"), c.a_less_d("fpr"))


def average_abs_odds_difference(c: Case) -> Value:
    """Mean of the absolute differences of these rates."""
    return half_of(size(c.a_less_d("tpr")), size(c.a_less_d("fpr")))


def confusion_distance(c: Case) -> Value:
    """Mean, over the labels that both sides have, of half the distance of their predictions."""
    found, labels = Fraction(0), 0
    for label in {row.label for row in c.rows_a} & {row.label for row in c.rows_d}:
        sides = [[row for row in rows if row.label == label] for rows in (c.rows_a, c.rows_d)]
        masses = [Counts(rows).n for rows in sides]
        if not all(masses):
            continue
        labels += 1
        for predicted in {row.predicted for rows in sides for row in rows}:
            x, y = (
                Counts([row for row in rows if row.predicted == predicted]).n / mass
                for rows, mass in zip(sides, masses, strict=True)
            )
            found += abs(x - y) / 2
    return c.ratio(found, Fraction(labels))


def disparity_change(c: Case) -> Value:
    """Disparity of the predictions less disparity of the labels."""
    return c.minus(c.a_less_d("selection_rate"), c.a_less_d("base_rate"))


def fdr_difference(c: Case) -> Value:
    """False discovery rate, a less d."""
    return c.a_less_d("fdr")


def for_difference(c: Case) -> Value:
    """False omission rate, a less d."""
    return c.a_less_d("false_omission_rate")


def fnr_difference(c: Case) -> Value:
    """False negative rate, a less d."""
    return c.a_less_d("fnr")


def predictive_value_difference(c: Case) -> Value:
    """Mean of the differences of precision and false omission rate."""
    return half_of(c.a_less_d("ppv"), c.a_less_d("false_omission_rate"))


FORMULAS: tuple[Formula, ...] = (
    dcacc,
    dcr,
    sd,
    rd,
    dar,
    drr,
    ad,
    te,
    te_inverse,
    average_odds_difference,
    average_abs_odds_difference,
    confusion_distance,
    disparity_change,
    fdr_difference,
    for_difference,
    fnr_difference,
    predictive_value_difference,
)
