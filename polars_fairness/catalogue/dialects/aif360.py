"""AIF360's metrics of data sets, and its functions in the manner of scikit-learn.

Its unprivileged side is our d. In the functions a rate of no rows is 0, and so is x/0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, Literal

from polars_fairness.catalogue.data import METRICS as OF_DATA
from polars_fairness.catalogue.dialects.entries import (
    COUNTED,
    NO_WEIGHTS,
    RATED,
    RATES_OF_LABELS,
    Contrast,
    Number,
    Of,
    Row,
    Tool,
    Written,
    chosen,
    coefficient_of_variation,
    entropy_of_groups,
    entropy_of_rows,
    entropy_of_sides,
    first_or_larger,
    number,
    quotient,
    rate,
    rows,
)
from polars_fairness.errors import require_number
from polars_fairness.formula.arithmetic import (
    INFINITY,
    greatest,
    known,
    of_several,
    unbounded_ratio,
)
from polars_fairness.formula.formulas import (
    Formula,
    across,
    across_measured,
    over_scores,
    population,
)
from polars_fairness.formula.scores import Measure, mean_score_of_negative, mean_score_of_positive
from polars_fairness.formula.sides import Side, a, a_s, both, d, d_s, g, g_s
from polars_fairness.formula.tree import Expression, choose, literal, term

LABELS: Final = "BinaryLabelDatasetMetric"
PREDICTIONS: Final = "ClassificationMetric"

D_MINUS_A: Final = "unprivileged minus privileged: d − a"
NAN: Final = "a rate of no labels is nan"
ZERO: Final = "a rate of no decisions is 0"
NO_ROWS: Final = "a rate of no rows is 0"
OF_KNOWN: Final = "of all rows means those of known group"

SPAN: Final[dict[str, Any]] = {"range": (-1, 1)}
SHARE: Final[dict[str, Any]] = {"range": (0, 1)}
DISTANCE: Final[dict[str, Any]] = {"range": (0, INFINITY)}


def _apart(of: Of) -> Expression:
    return of(d) - of(a)


def _of_all_or_side(number: Number) -> Written:
    of = number.of

    def formula(*, privileged: bool | None = None) -> Expression | Formula:
        values: dict[bool | None, Expression | Formula] = {
            None: population(of(g).max()),
            True: of(a),
            False: of(d),
        }
        return chosen("privileged", privileged, values)

    return formula


_CONTRASTS: Final = {
    "rate": Contrast("{function}", "{x} of all rows, or of a side", _of_all_or_side, (), RATED),
    "count": Contrast(
        "Number of rows: {number}", "{x} of all rows, or of a side", _of_all_or_side, (), COUNTED
    ),
    "d-a": Contrast(
        "{function}", "{d} − {a}", lambda number: _apart(number.of), (D_MINUS_A,), SPAN
    ),
    "d/a": Contrast(
        "{function}",
        "{d} / {a}",
        lambda number: unbounded_ratio(number.of(d), number.of(a)),
        ("unprivileged over privileged: d / a", "x/0 is infinite, 0/0 is nan"),
        DISTANCE | {"ideal": 1},
    ),
    "all": Contrast(
        "{function} of all rows", "{x}", lambda number: population(number.of(g).max()), (), RATED
    ),
}

# L: BinaryLabelDatasetMetric, P: ClassificationMetric.
# Function, number, contrast, 0/0, the nearest metric here, other names.
_OF_CLASSES: Final = """
L.disparate_impact                base_rate           d/a   -   -
L.statistical_parity_difference   base_rate           d-a   -   dpl mean_difference
L.base_rate                       base_rate           rate  -   -
P.disparate_impact                selection_rate      d/a   -   di
P.statistical_parity_difference   selection_rate      d-a   -   statistical_parity mean_difference
P.selection_rate                  selection_rate      rate  -   -
L.num_instances                   n                   count -   -
L.num_positives                   positive            count -   -
L.num_negatives                   negative            count -   -
P.num_pred_positives              accepted            count -   -
P.num_pred_negatives              rejected            count -   -
P.num_true_positives              tp                  count -   - power
P.num_false_positives             fp                  count -   -
P.num_false_negatives             fn                  count -   -
P.num_true_negatives              tn                  count -   -
P.true_positive_rate              tpr                 rate  nan - recall sensitivity
P.true_positive_rate_difference   tpr                 d-a   nan rd equal_opportunity_difference
P.false_positive_rate             fpr                 rate  nan -
P.false_positive_rate_difference  fpr                 d-a   nan sd
P.false_positive_rate_ratio       fpr                 d/a   nan -
P.false_negative_rate             fnr                 rate  nan -
P.false_negative_rate_difference  fnr                 d-a   nan fnr_difference
P.false_negative_rate_ratio       fnr                 d/a   nan -
P.true_negative_rate              tnr                 rate  nan - specificity
P.positive_predictive_value       ppv                 rate  0   - precision
P.negative_predictive_value       npv                 rate  0   -
P.false_discovery_rate            fdr                 rate  0   -
P.false_discovery_rate_difference fdr                 d-a   0   fdr_difference
P.false_discovery_rate_ratio      fdr                 d/a   0   -
P.false_omission_rate             false_omission_rate rate  0   -
P.false_omission_rate_difference  false_omission_rate d-a   0   for_difference
P.false_omission_rate_ratio       false_omission_rate d/a   0   -
P.accuracy                        accuracy            rate  nan -
P.error_rate                      1-accuracy          rate  -   -
P.error_rate_difference           1-accuracy          d-a   -   ad
P.error_rate_ratio                1-accuracy          d/a   -   -
"""
# Function, number, contrast, 0/0, the nearest metric here, other names.
_OF_FUNCTIONS: Final = """
sklearn.equal_opportunity_difference tpr                 d-a 0 rd
sklearn.base_rate                    base_rate           all 0 -
sklearn.selection_rate               selection_rate      all 0 selection_rate
sklearn.specificity_score            tnr                 all 0 -
sklearn.sensitivity_score            tpr                 all 0 -
sklearn.false_omission_rate_error    false_omission_rate all 0 -
sklearn.false_negative_rate_error    1-tpr               all 1 -
sklearn.false_positive_rate_error    1-tnr               all 1 -
"""

# What both classes have: of labels in one, of predictions in the other.
_OF_BOTH: Final = ("disparate_impact", "statistical_parity_difference")


def _of_class(row: Row) -> Row:
    """The row of a method by its names with its class and without.

    The methods about labels are those of predictions too, but for those it has of its own.
    """
    letter, _, function = row.function.partition(".")
    owner = LABELS if letter == "L" else PREDICTIONS
    others = [PREDICTIONS] if owner == LABELS and function not in _OF_BOTH else []
    names = (function, *row.shorts)
    row.function = f"{owner}.{function}"
    row.shorts = (*names, *(f"{each}.{name}" for each in (owner, *others) for name in names))
    return row


def _of_odds(fpr: Of, tpr: Of, own: str, error: str, owner: str) -> Iterator[Row]:
    false, true = _apart(fpr), _apart(tpr)
    yield Row(
        f"{owner}.average_odds_difference", "Average odds difference",
        "((fpr_d − fpr_a) + (tpr_d − tpr_a)) / 2", (false + true) / 2,
        "average_odds_difference", D_MINUS_A, own, **SPAN,
    )  # fmt: skip
    yield Row(
        f"{owner}.{error}", "Average absolute odds difference",
        "(|fpr_d − fpr_a| + |tpr_d − tpr_a|) / 2", (false.abs() + true.abs()) / 2,
        "average_abs_odds_difference", D_MINUS_A, own, **SHARE,
    )  # fmt: skip
    yield Row(
        f"{owner}.average_predictive_value_difference", "Average predictive value difference",
        "((ppv_d − ppv_a) + (for_d − for_a)) / 2",
        (_apart(rate("ppv", 0.0)) + _apart(rate("false_omission_rate", 0.0))) / 2,
        "predictive_value_difference", D_MINUS_A, ZERO, **SPAN,
    )  # fmt: skip


_LARGER_ODDS: Final = Row(
    "P.equalized_odds_difference", "Equalized odds difference",
    "max(|fpr_d − fpr_a|, |tpr_d − tpr_a|)",
    first_or_larger(_apart(rate("fpr")).abs(), _apart(rate("tpr")).abs()),
    "equalized_odds_gap", D_MINUS_A,
    "nan if the false positive rates are; true positive rates that are nan are left out", **SHARE,
)  # fmt: skip


_ORDER_0: Final = "order 0 is divided by the mean benefit once more"


def _of_entropy() -> Iterator[Row]:
    own = ("weights are not read there", _ORDER_0)
    for before, title, formula, ours in (
        ("", "benefits of rows", entropy_of_rows, ("ge", "theil", "coefficient_of_variation")),
        ("between_group_", "mean benefits of both sides", entropy_of_sides, ("", "", "")),
        ("between_all_groups_", "mean benefits of groups", entropy_of_groups,
         ("ge_between", "", "")),
    ):  # fmt: skip
        beside = ["rows on neither side count, with the benefit 0"] * ("sides" in title)
        for function, index, written, nearest in (
            ("generalized_entropy_index", "Generalized entropy", formula, ours[0]),
            ("theil_index", "Theil index", formula(alpha=1), ours[1]),
            ("coefficient_of_variation", "Coefficient of variation",
             coefficient_of_variation(formula), ours[2]),
        ):  # fmt: skip
            yield Row(
                f"P.{before}{function}", f"{index} of the {title}", "of b = y' − y + 1", written,
                nearest, *own, *beside, **DISTANCE, **NO_WEIGHTS,
            )  # fmt: skip


def _require_concentration(concentration: float) -> float:
    return require_number("concentration", concentration, "a number of at least 0", least=0)


def _largest_log_ratio(rate: Expression) -> Expression:
    """The largest log ratio of smoothed rates of groups, or of their complements."""
    spans = [known(each.log().max() - each.log().min()) for each in (rate, 1 - rate)]
    return of_several(rate, choose(~spans[0].is_null(), greatest(*spans)))


def _of_smoothing(*counts: str) -> Written:
    def formula(concentration: float = 1.0) -> Formula:
        added = _require_concentration(concentration)
        first, *others = (
            _largest_log_ratio((term(f"{g.name}.{count}") + added / 2) / (g.n + added))
            for count in counts
        )
        return across(first - others[0] if others else first)

    return formula


_UNIT: Final = "the smoothing counts in the unit of the weights, not in rows"
_LARGEST: Final = "max over pairs of |ln r_g − ln r_h| and |ln(1−r_g) − ln(1−r_h)|"
_LESS: Final = "edf of the predictions − edf of the labels"
_SMOOTHED_LABELS: Final = Row(
    "L.smoothed_empirical_differential_fairness",
    "Smoothed empirical differential fairness of the labels",
    f"{_LARGEST}, r_g = (positive_g + c/2) / (n_g + c)",
    _of_smoothing("positive"), "differential_fairness", _UNIT, **DISTANCE,
)  # fmt: skip
_AMPLIFICATION: Final = Row(
    "P.differential_fairness_bias_amplification",
    "Differential fairness of the predictions less that of the labels", _LESS,
    _of_smoothing("accepted", "positive"), "", _UNIT,
)  # fmt: skip


def _generalized(
    label: str, side: Side, *, is_missed: bool = False
) -> tuple[Expression, Expression]:
    """The scores of the rows of a label, or what they lack to 1, and the rows of the label."""
    scores, rows = (term(f"{side.name}.{word}").sum() for word in (f"{label}_scores", label))
    return (rows - scores if is_missed else scores), rows


_MEANS: Final = {
    label: Measure(f"mean_score_of_{label}", mean(g_s), f"Mean score of {label} rows", "")
    for label, mean in (("positive", mean_score_of_positive), ("negative", mean_score_of_negative))
}


def _generalized_of_all(
    label: str, value: Callable[[Expression, Expression], Expression], *, is_missed: bool
) -> Formula:
    """The same of all groups, those on neither side too."""
    mean, rows = _MEANS[label], term(f"{g.name}.{label}")
    part = 1 - mean.term if is_missed else mean.term
    return across_measured(value((part * rows).sum(), rows.sum()), mean)


def _of_generalized(
    label: str, value: Callable[[Expression, Expression], Expression], *, is_missed: bool
) -> Written:
    def formula(*, privileged: bool | None = None) -> Formula:
        side = chosen("privileged", privileged, {None: None, True: a_s, False: d_s})
        if side is None:
            return _generalized_of_all(label, value, is_missed=is_missed)
        return over_scores(value(*_generalized(label, side, is_missed=is_missed)))

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
        yield Row(
            f"P.generalized_{name}_rate", f"{title} rate",
            f"{symbol}: the mean of the scores of {label} rows, or what it lacks to 1",
            _of_generalized(label, quotient, is_missed=is_missed), "", NAN, OF_KNOWN, **RATED,
        )  # fmt: skip
        yield Row(
            f"P.num_generalized_{name}s", f"{title}s",
            f"the sum of the scores of {label} rows, or what it lacks to their number",
            _of_generalized(label, lambda above, _: above, is_missed=is_missed), "", OF_KNOWN,
            **COUNTED,
        )  # fmt: skip
    gtpr, gfpr = (
        quotient(*_generalized(label, d_s)) - quotient(*_generalized(label, a_s))
        for label in ("positive", "negative")
    )
    yield Row(
        "P.generalized_equalized_odds_difference", "Generalized equalized odds difference",
        "max(|gfpr_d − gfpr_a|, |gtpr_d − gtpr_a|)",
        over_scores(first_or_larger(gfpr.abs(), gtpr.abs())), "", NAN, **SHARE,
    )  # fmt: skip


_OUTCOMES: Final = "of predictions; of='labels' for labels, where y_pred is left out there"
_OCCURRING: Final = "the smoothing counts the outcomes that a group has: one or two"

Outcomes = Literal["predictions", "labels"]
_COUNTS: Final = {"predictions": ("accepted", "rejected"), "labels": ("positive", "negative")}


def _of(formula: Callable[[str, str], Expression | Formula]) -> Written:
    """A formula of the two counts of predictions, or of those of labels."""
    return lambda of="predictions": formula(*chosen("of", of, _COUNTS))


def _share(yes: str) -> Of:
    return lambda side: term(f"{side.name}.{yes}") / side.n


def _divergence(of: Outcomes = "predictions") -> Expression | Formula:
    [of_labels] = (metric.formula for metric in OF_DATA if metric.name == "kl")
    parts = []
    for decided, label in zip(_COUNTS["predictions"], _COUNTS["labels"], strict=True):
        one, other = (_share(decided)(side) for side in (a, d))
        part = choose(one == 0, 0.0, one * (one / other).log())
        parts.append(choose(term(f"{both.name}.{label}") > 0, part, 0.0))
    return chosen("of", of, {"predictions": sum(parts, literal(0.0)), "labels": of_labels})


def _conditional(yes: str, no: str) -> Formula:
    accepted, rejected = term(f"{g.name}.{yes}"), term(f"{g.name}.{no}")
    apart = rejected / rejected.sum() - accepted / accepted.sum()
    return across((g.n * apart).sum() / g.n.sum(), may_overlap=False)


def _smoothed(yes: str, no: str, concentration: float) -> Expression:
    """The smoothed rate; the smoothing counts the outcomes that the group has."""
    added = _require_concentration(concentration)
    accepted, rejected = term(f"{g.name}.{yes}"), term(f"{g.name}.{no}")
    outcomes = (accepted > 0) + (rejected > 0)
    return (accepted + added / outcomes) / (g.n + added)


def _edf(of: Outcomes = "predictions", concentration: float = 1.0) -> Formula:
    return across(_largest_log_ratio(_smoothed(*chosen("of", of, _COUNTS), concentration)))


def _amplification(concentration: float = 1.0) -> Formula:
    one, other = (_largest_log_ratio(_smoothed(*each, concentration)) for each in _COUNTS.values())
    return across(one - other)


def _smoothed_rate(yes: str, no: str) -> Written:
    return lambda concentration=1.0: population(_smoothed(yes, no, concentration).max())


def _of_functions() -> Iterator[Row]:
    for function in ("statistical_parity_difference", "mean_difference"):
        yield Row(
            f"sklearn.{function}", "Statistical parity difference", "q'd − q'a",
            _of(lambda yes, _: _apart(_share(yes))), "statistical_parity", D_MINUS_A, _OUTCOMES,
            **SPAN,
        )  # fmt: skip
    yield Row(
        "sklearn.disparate_impact_ratio", "Disparate impact ratio", "q'd / q'a",
        _of(lambda yes, _: quotient(_share(yes)(d), _share(yes)(a), 0.0)),
        "di", "x/0 and 0/0 are 0", _OUTCOMES, **DISTANCE, ideal=1,
    )  # fmt: skip
    yield from rows(_OF_FUNCTIONS, _CONTRASTS, {"0": NO_ROWS, "1": "1 less a rate of no rows is 1"})
    own = "a false positive rate of no rows is 1, a true one 0"
    fpr, tpr = number("1-tnr", 1.0).of, rate("tpr", 0.0)
    yield from _of_odds(fpr, tpr, own, "average_odds_error", "sklearn")
    yield Row(
        "sklearn.class_imbalance", "Class imbalance", "(n_d − n_a) / n", (d.n - a.n) / both.n,
        "ci", D_MINUS_A, **SPAN,
    )  # fmt: skip
    yield Row(
        "sklearn.kl_divergence", "Kullback–Leibler divergence", "Σ Pa·ln(Pa/Pd)", _divergence, "kl",
        _OUTCOMES, "of predictions, over the values of the labels: it may be below 0", sign=0,
    )  # fmt: skip
    yield Row(
        "sklearn.conditional_demographic_disparity", "Conditional demographic disparity of shares",
        "Σ_g (n_g/n)·(rejected_g/rejected − accepted_g/accepted)", _of(_conditional),
        "cdd_shares", _OUTCOMES, "an error if all outcomes are one value, null here", **SPAN,
    )  # fmt: skip
    yield Row(
        "sklearn.smoothed_edf", "Smoothed empirical differential fairness", _LARGEST, _edf,
        "differential_fairness", _OUTCOMES, _OCCURRING,
        "if some groups are all positive, infinite; there their order may decide", sign=0,
        **DISTANCE,
    )  # fmt: skip
    yield Row(
        "sklearn.df_bias_amplification", "Differential fairness of predictions less that of labels",
        _LESS, _amplification, "", _OCCURRING, sign=0,
    )  # fmt: skip
    for name, of in (("base_rate", "labels"), ("selection_rate", "predictions")):
        yield Row(
            f"sklearn.smoothed_{name}", f"Smoothed {name.replace('_', ' ')} of all rows",
            "(positive + c/k) / (n + c), k outcomes that occur", _smoothed_rate(*_COUNTS[of]),
            "", "the smoothing counts the outcomes that occur: one or two", **RATED,
        )  # fmt: skip
    yield Row(
        "sklearn.num_samples", "Number of rows, or the sum of weights", "n of all rows",
        population(g.n.sum()), **COUNTED,
    )  # fmt: skip
    for before, title, formula, ours in (
        ("", "benefits of rows", entropy_of_rows, "ge"),
        ("between_group_", "mean benefits of groups", entropy_of_groups, "ge_between"),
    ):
        yield Row(
            f"sklearn.{before}generalized_entropy_error", f"Generalized entropy of the {title}",
            "of b = y' − y + 1", formula, ours, _ORDER_0, **DISTANCE, **NO_WEIGHTS,
        )  # fmt: skip
    for name, label, is_missed, definition in (
        ("fpr", "negative", False, "the mean score of negative rows"),
        ("fnr", "positive", True, "what the mean score of positive rows lacks to 1"),
    ):
        found = _generalized_of_all(label, partial(quotient, empty=0.0), is_missed=is_missed)
        yield Row(
            f"sklearn.generalized_{name}", f"Generalized {name}", definition, found,
            "", NO_ROWS, OF_KNOWN, **RATED,
        )  # fmt: skip


_TENTH: Final = (-0.1, 0.1)

TOOL: Final = Tool(
    name="aif360",
    title="AIF360",
    version="0.6.1",
    page="https://aif360.readthedocs.io/en/stable/modules/generated/aif360.metrics.{owner}.html",
    rows=(
        *map(
            _of_class,
            (
                *rows(_OF_CLASSES, _CONTRASTS, {"nan": NAN, "0": ZERO}),
                *_of_odds(rate("fpr"), rate("tpr"), NAN, "average_abs_odds_difference", "P"),
                _LARGER_ODDS,
                *_of_entropy(),
                _SMOOTHED_LABELS,
                _AMPLIFICATION,
                *_of_scores(),
            ),
        ),
        *_of_functions(),
    ),
    bands={
        "disparate_impact": (0.8, 1.25),
        "disparate_impact_ratio": (0.8, 1.25),
        "statistical_parity_difference": _TENTH,
        "mean_difference": _TENTH,
        "true_positive_rate_difference": _TENTH,
        "equal_opportunity_difference": _TENTH,
        "average_odds_difference": _TENTH,
    },
    reasons={
        **dict.fromkeys(
            ("sklearn.difference", "sklearn.ratio", "sklearn.intersection", "sklearn.one_vs_rest"),
            "it takes a function; give the name of the difference, the ratio or the rate",
        ),
        "sklearn.make_scorer": "it makes scorers; pf.scorer does so here",
        "sklearn.num_pos_neg": "it has two numbers; they are aif360.num_positives and so on",
        **dict.fromkeys(
            (
                "sklearn.generalized_entropy_index",
                "sklearn.theil_index",
                "sklearn.coefficient_of_variation",
            ),
            "it takes numbers, not outcomes; aif360.sklearn.generalized_entropy_error has their "
            "benefits",
        ),
        "sklearn.consistency_score": "it compares individuals; 'consistency' is ours",
        "sklearn.mdss_bias_score": "it scores a subset by a scan; worst_groups finds groups",
        "sklearn.ot_distance": "it solves a transport problem; score_wasserstein is ours",
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
