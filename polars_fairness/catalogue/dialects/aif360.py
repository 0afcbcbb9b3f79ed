"""AIF360's metrics of data sets: unprivileged, our d, minus or over privileged, our a."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from operator import add
from typing import Any, Final

from polars_fairness.catalogue.dialects.aif360_functions import FUNCTIONS, REASONS
from polars_fairness.catalogue.dialects.benefits import (
    coefficient_of_variation,
    entropy_of_groups,
    entropy_of_rows,
    entropy_of_sides,
)
from polars_fairness.catalogue.dialects.entries import (
    COUNTED,
    NO_WEIGHTS,
    RATED,
    RATES_OF_LABELS,
    Of,
    Row,
    Tool,
    Written,
    chosen,
    constant,
    first_or_larger,
    quotient,
    rate,
)
from polars_fairness.errors import require_number
from polars_fairness.formula.arithmetic import INFINITY, greatest, of_several, unbounded_ratio
from polars_fairness.formula.formulas import Formula, across, over_scores, population
from polars_fairness.formula.rates import RATES
from polars_fairness.formula.sides import Side, a, a_s, d, d_s, g
from polars_fairness.formula.tree import Expression, term

LABELS: Final = "BinaryLabelDatasetMetric"
PREDICTIONS: Final = "ClassificationMetric"

D_MINUS_A: Final = "unprivileged minus privileged: d − a"
D_OVER_A: Final = "unprivileged over privileged: d / a"
NAN: Final = "a rate of no labels is nan"
ZERO: Final = "a rate of no decisions is 0"
OVER_ZERO: Final = "x/0 is infinite, 0/0 is nan"
WEIGHTLESS: Final = "weights are not read there"
TENTH: Final = (-0.1, 0.1)
OF_SIDES: Final = "of all rows means those of both sides"


def _error_rate(side: Side) -> Expression:
    return 1 - side.accuracy


# Method, title, the rate of a side, its convention, the nearest metric as a difference.
_RATES: Final[tuple[tuple[str, str, str, float | None, str], ...]] = (
    ("true_positive_rate", "True positive rate", "tpr", None, "rd"),
    ("false_positive_rate", "False positive rate", "fpr", None, "sd"),
    ("false_negative_rate", "False negative rate", "fnr", None, "fnr_difference"),
    ("true_negative_rate", "True negative rate", "tnr", None, "sd"),
    ("positive_predictive_value", "Positive predictive value", "ppv", 0.0, "dar"),
    ("negative_predictive_value", "Negative predictive value", "npv", 0.0, "drr"),
    ("false_discovery_rate", "False discovery rate", "fdr", 0.0, "fdr_difference"),
    ("false_omission_rate", "False omission rate", "false_omission_rate", 0.0, "for_difference"),
    ("accuracy", "Accuracy", "accuracy", None, "ad"),
)
_SHORT: Final = {
    "positive_predictive_value": ("precision",),
    "true_positive_rate": ("recall", "sensitivity"),
    "true_negative_rate": ("specificity",),
}
_DIFFERENCES: Final = (
    "true_positive_rate",
    "false_positive_rate",
    "false_negative_rate",
    "false_omission_rate",
    "false_discovery_rate",
)
_RATIOS: Final = _DIFFERENCES[1:]


def _difference(of: Of) -> Expression:
    return of(d) - of(a)


def _ratio(of: Of) -> Expression:
    return unbounded_ratio(of(d), of(a))


def _conditional(of_all: Expression, of: Of) -> Written:
    """A number of all rows, or of one side."""

    def formula(*, privileged: bool | None = None) -> Expression | Formula:
        values: dict[bool | None, Expression | Formula] = {
            None: population(of_all),
            True: of(a),
            False: of(d),
        }
        return chosen("privileged", privileged, values)

    return formula


def _row(
    of_class: str,
    function: str,
    title: str,
    definition: str,
    formula: Written,
    ours: str = "",
    *conventions: str,
    shorts: tuple[str, ...] = (),
    **more: Any,
) -> Row:
    names = (function, *shorts)
    also = [f"{of_class}.{short}" for short in shorts]
    # The methods about labels are those of predictions too, but for those it has of its own.
    if of_class == LABELS and function not in _OF_BOTH:
        also += [f"{PREDICTIONS}.{name}" for name in names]
    return Row(
        f"{of_class}.{function}",
        title,
        definition,
        formula,
        ours,
        conventions,
        (*names, *also),
        more,
    )


_OF_BOTH: Final = ("disparate_impact", "statistical_parity_difference")


def _of_outcomes() -> Iterator[Row]:
    """What both classes have: of labels in one, of predictions in the other."""
    for of_class, word, impact, parity in (
        (LABELS, "base_rate", "", "dpl"),
        (PREDICTIONS, "selection_rate", "di", "statistical_parity"),
    ):
        title, symbol = RATES[word].title.lower(), RATES[word].symbol
        of = rate(word)
        above, below = (part.sum() for part in RATES[word].sums(g.name))
        yield _row(
            of_class,
            "disparate_impact",
            f"Disparate impact, ratio of {title}s",
            f"{symbol}d / {symbol}a",
            constant(_ratio(of)),
            impact,
            D_OVER_A,
            OVER_ZERO,
            range=(0, INFINITY),
            ideal=1,
            acceptable=(0.8, 1.25),
        )
        yield _row(
            of_class,
            "statistical_parity_difference",
            f"Statistical parity, difference of {title}s",
            f"{symbol}d − {symbol}a",
            constant(_difference(of)),
            parity,
            D_MINUS_A,
            shorts=("mean_difference",),
            range=(-1, 1),
            acceptable=TENTH,
        )
        yield _row(
            of_class,
            word,
            RATES[word].title,
            f"{symbol} of all rows, or of a side",
            _conditional(quotient(above, below), of),
            **RATED,
        )


def _of_counts() -> Iterator[Row]:
    for of_class, function, count, shorts in (
        (LABELS, "num_instances", "n", ()),
        (LABELS, "num_positives", "positive", ()),
        (LABELS, "num_negatives", "negative", ()),
        (PREDICTIONS, "num_pred_positives", "accepted", ()),
        (PREDICTIONS, "num_pred_negatives", "rejected", ()),
        (PREDICTIONS, "num_true_positives", "tp", ("power",)),
        (PREDICTIONS, "num_false_positives", "fp", ()),
        (PREDICTIONS, "num_false_negatives", "fn", ()),
        (PREDICTIONS, "num_true_negatives", "tn", ()),
    ):
        yield _row(
            of_class,
            function,
            f"Number of rows: {count}",
            f"{count} of all rows, or of a side",
            _conditional(
                term(f"{g.name}.{count}").sum(),
                rate(count),
            ),
            shorts=shorts,
            **COUNTED,
        )


def _of_rates() -> Iterator[Row]:
    """Each rate, with its difference and its ratio if the class has them."""
    for function, title, word, empty, ours in _RATES:
        of, symbol = rate(word, empty), RATES[word].symbol
        own = NAN if empty is None else ZERO
        above, below = (part.sum() for part in RATES[word].sums(g.name))
        yield _row(
            PREDICTIONS,
            function,
            title,
            f"{symbol} of all rows, or of a side",
            _conditional(quotient(above, below, empty), of),
            "",
            own,
            shorts=_SHORT.get(function, ()),
            **RATED,
        )
        if function in _DIFFERENCES:
            yield _row(
                PREDICTIONS,
                f"{function}_difference",
                f"Difference of {title.lower()}s",
                f"{symbol}_d − {symbol}_a",
                constant(_difference(of)),
                ours,
                D_MINUS_A,
                own,
                shorts=("equal_opportunity_difference",) if word == "tpr" else (),
                range=(-1, 1),
                acceptable=TENTH if word == "tpr" else None,
            )
        if function in _RATIOS:
            yield _row(
                PREDICTIONS,
                f"{function}_ratio",
                f"Ratio of {title.lower()}s",
                f"{symbol}_d / {symbol}_a",
                constant(_ratio(of)),
                "",
                D_OVER_A,
                own,
                OVER_ZERO,
                range=(0, INFINITY),
                ideal=1,
            )


def _of_errors() -> Iterator[Row]:
    wrong = quotient((g.fp + g.fn).sum(), g.n.sum())
    yield _row(
        PREDICTIONS,
        "error_rate",
        "Error rate",
        "1 − acc of all rows, or of a side",
        _conditional(wrong, _error_rate),
        **RATED,
    )
    yield _row(
        PREDICTIONS,
        "error_rate_difference",
        "Difference of error rates",
        "(1 − acc_d) − (1 − acc_a)",
        constant(_difference(_error_rate)),
        "ad",
        D_MINUS_A,
        range=(-1, 1),
    )
    yield _row(
        PREDICTIONS,
        "error_rate_ratio",
        "Ratio of error rates",
        "(1 − acc_d) / (1 − acc_a)",
        constant(_ratio(_error_rate)),
        "",
        D_OVER_A,
        OVER_ZERO,
        range=(0, INFINITY),
        ideal=1,
    )


_TPR, _FPR = _difference(rate("tpr")), _difference(rate("fpr"))
_PPV, _FOR = _difference(rate("ppv", 0.0)), _difference(rate("false_omission_rate", 0.0))


def _of_odds() -> Iterator[Row]:
    for function, title, definition, value, ours, own in (
        (
            "average_odds_difference",
            "Average odds difference",
            "((fpr_d − fpr_a) + (tpr_d − tpr_a)) / 2",
            (_FPR + _TPR) / 2,
            "average_odds_difference",
            NAN,
        ),
        (
            "average_abs_odds_difference",
            "Average absolute odds difference",
            "(|fpr_d − fpr_a| + |tpr_d − tpr_a|) / 2",
            (_FPR.abs() + _TPR.abs()) / 2,
            "average_abs_odds_difference",
            NAN,
        ),
        (
            "average_predictive_value_difference",
            "Average predictive value difference",
            "((ppv_d − ppv_a) + (for_d − for_a)) / 2",
            (_PPV + _FOR) / 2,
            "predictive_value_difference",
            ZERO,
        ),
        (
            "equalized_odds_difference",
            "Equalized odds difference",
            "max(|fpr_d − fpr_a|, |tpr_d − tpr_a|)",
            first_or_larger(_FPR.abs(), _TPR.abs()),
            "equalized_odds_gap",
            "nan if the false positive rates are; true positive rates that are nan are left out",
        ),
    ):
        yield _row(
            PREDICTIONS, function, title, definition, constant(value), ours, D_MINUS_A, own,
            range=(0, 1) if "abs" in function or "equalized" in function else (-1, 1),
            acceptable=TENTH if function == "average_odds_difference" else None,
        )  # fmt: skip


def _of_entropy() -> Iterator[Row]:
    for before, title, formula, ours in (
        ("", "benefits of rows", entropy_of_rows, ("ge", "theil", "coefficient_of_variation")),
        ("between_group_", "mean benefits of both sides", entropy_of_sides, ("", "", "")),
        (
            "between_all_groups_",
            "mean benefits of groups",
            entropy_of_groups,
            ("ge_between", "", ""),
        ),
    ):
        own = [WEIGHTLESS, "order 0 is divided by the mean benefit once more"]
        if before == "between_group_":
            own.append("rows on neither side count, with the benefit 0")
        for function, index, written, nearest in (
            ("generalized_entropy_index", "Generalized entropy", formula, ours[0]),
            ("theil_index", "Theil index", constant(formula(alpha=1)), ours[1]),
            (
                "coefficient_of_variation",
                "Coefficient of variation",
                constant(coefficient_of_variation(formula)),
                ours[2],
            ),
        ):
            yield _row(
                PREDICTIONS,
                f"{before}{function}",
                f"{index} of the {title}",
                "of b = y' − y + 1",
                written,
                nearest,
                *own,
                range=(0, INFINITY),
                **NO_WEIGHTS,
            )


def _smoothed(count: str, concentration: float) -> Expression:
    """The largest log ratio of smoothed rates, or of their complements."""
    rate = (term(f"{g.name}.{count}") + concentration / 2) / (g.n + concentration)
    logs = [each.log() for each in (rate, 1 - rate)]
    return of_several(rate, greatest(*(each.max() - each.min() for each in logs)))


def _of_smoothing(*counts: str) -> Written:
    def formula(concentration: float = 1.0) -> Formula:
        concentration = require_number(
            "concentration", concentration, "a number of at least 0", least=0
        )
        first, *others = (_smoothed(count, concentration) for count in counts)
        return across(first - others[0] if others else first)

    return formula


_UNIT: Final = "the smoothing counts in the unit of the weights, not in rows"


def _generalized(
    label: str, *sides: Side, is_missed: bool = False
) -> tuple[Expression, Expression]:
    """The scores of the rows of a label, or what they lack to 1, and the rows of the label."""
    scores, rows = (
        reduce(add, (term(f"{side.name}.{word}").sum() for side in sides))
        for word in (f"{label}_scores", label)
    )
    return (rows - scores if is_missed else scores), rows


def _of_generalized(
    label: str, value: Callable[[Expression, Expression], Expression], *, is_missed: bool
) -> Written:
    def formula(*, privileged: bool | None = None) -> Formula:
        sides = chosen("privileged", privileged, {None: (d_s, a_s), True: (a_s,), False: (d_s,)})
        return over_scores(value(*_generalized(label, *sides, is_missed=is_missed)))

    return formula


def _of_scores() -> Iterator[Row]:
    """Rates in which a row counts by its score."""
    for name, symbol, label, is_missed in (
        ("true_positive", "gtpr", "positive", False),
        ("false_positive", "gfpr", "negative", False),
        ("false_negative", "gfnr", "positive", True),
        ("true_negative", "gtnr", "negative", True),
    ):
        title = f"Generalized {name.replace('_', ' ')}"
        yield _row(
            PREDICTIONS,
            f"generalized_{name}_rate",
            f"{title} rate",
            f"{symbol}: the mean of the scores of {label} rows, or what it lacks to 1",
            _of_generalized(label, quotient, is_missed=is_missed),
            "",
            NAN,
            OF_SIDES,
            **RATED,
        )
        yield _row(
            PREDICTIONS,
            f"num_generalized_{name}s",
            f"{title}s",
            f"the sum of the scores of {label} rows, or what it lacks to their number",
            _of_generalized(label, lambda above, _: above, is_missed=is_missed),
            "",
            OF_SIDES,
            **COUNTED,
        )
    gtpr, gfpr = (
        quotient(*_generalized(label, d_s)) - quotient(*_generalized(label, a_s))
        for label in ("positive", "negative")
    )
    yield _row(
        PREDICTIONS,
        "generalized_equalized_odds_difference",
        "Generalized equalized odds difference",
        "max(|gfpr_d − gfpr_a|, |gtpr_d − gtpr_a|)",
        constant(over_scores(first_or_larger(gfpr.abs(), gtpr.abs()))),
        "",
        NAN,
        range=(0, 1),
    )


TOOL: Final = Tool(
    name="aif360",
    title="AIF360",
    version="0.6.1",
    page="https://aif360.readthedocs.io/en/stable/modules/generated/aif360.metrics.{owner}.html",
    rows=(
        *_of_outcomes(),
        *_of_counts(),
        *_of_rates(),
        *_of_errors(),
        *_of_odds(),
        *_of_entropy(),
        _row(
            LABELS,
            "smoothed_empirical_differential_fairness",
            "Smoothed empirical differential fairness of the labels",
            "max over pairs of |ln r_g − ln r_h| and |ln(1−r_g) − ln(1−r_h)|, "
            "r_g = (positive_g + c/2) / (n_g + c)",
            _of_smoothing("positive"),
            "differential_fairness",
            _UNIT,
            range=(0, INFINITY),
        ),
        _row(
            PREDICTIONS,
            "differential_fairness_bias_amplification",
            "Differential fairness of the predictions less that of the labels",
            "edf of the predictions − edf of the labels",
            _of_smoothing("accepted", "positive"),
            "",
            _UNIT,
        ),
        *_of_scores(),
        *FUNCTIONS,
    ),
    reasons={
        **REASONS,
        "consistency": "it compares individuals, and which neighbours at one distance it takes is "
        "chance; 'consistency' is ours",
        "rich_subgroup": "it fits a model of the attributes; worst_groups finds groups",
        "binary_confusion_matrix": "it has four numbers; they are aif360.num_true_positives "
        "and so on",
        "generalized_binary_confusion_matrix": "it has four numbers; they are "
        "aif360.num_generalized_true_positives and so on",
        "performance_measures": "it has thirteen numbers; they are aif360.true_positive_rate "
        "and so on",
        "difference": "it takes a method; give the name of the difference itself",
        "ratio": "it takes a method; give the name of the ratio itself",
    },
    columns={
        "n": "num_instances",
        **RATES_OF_LABELS,
        "ppv": "positive_predictive_value",
        "npv": "negative_predictive_value",
        "fdr": "false_discovery_rate",
        "tp": "num_true_positives",
        "fp": "num_false_positives",
        "fn": "num_false_negatives",
        "tn": "num_true_negatives",
    },
)
