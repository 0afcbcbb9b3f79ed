"""AIF360's metrics of data sets, and its functions in the manner of scikit-learn.

Its unprivileged side is our d. In the functions a rate of no rows is 0, and so is x/0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, Literal

from polars_fairness.catalogue.data import METRICS as OF_DATA
from polars_fairness.elsewhere.entries import (
    CONTRASTS,
    COUNTED,
    DISTANCE,
    NO_WEIGHTS,
    RATED,
    RATES_OF_LABELS,
    RATIO,
    SHARE,
    SPAN,
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
    number,
    quotient,
    rows,
)
from polars_fairness.errors import require_number
from polars_fairness.formula.formulas import (
    Formula,
    across,
    across_measured,
    over_scores,
    population,
)
from polars_fairness.formula.scores import Measure, mean_score_of_negative, mean_score_of_positive
from polars_fairness.formula.sides import Side, a, a_s, both, d, d_s, g, g_s
from polars_fairness.formula.tree import (
    Expression,
    choose,
    greatest,
    known,
    literal,
    needing_several,
    term,
)

LABELS: Final = "BinaryLabelDatasetMetric"
PREDICTIONS: Final = "ClassificationMetric"

D_MINUS_A: Final = "unprivileged minus privileged: d − a"
NAN: Final = "a rate of no labels is nan"
ZERO: Final = "a rate of no decisions is 0"
NO_ROWS: Final = "a rate of no rows is 0"
OF_KNOWN: Final = "of all rows means those of known group"
_OF_RATIO: Final = ("unprivileged over privileged: d / a", "x/0 is infinite, 0/0 is nan")


def _all_or_side(of: Number) -> Written:
    def formula(*, privileged: bool | None = None) -> Expression | Formula:
        values: dict[bool | None, Expression | Formula] = {
            None: population(of(g).max()), True: of(a), False: of(d),
        }  # fmt: skip
        return chosen("privileged", privileged, values)

    return formula


_CONTRASTS: Final = CONTRASTS | {
    "rate": Contrast("{x} of all rows, or of a side", _all_or_side, RATED),
    "count": Contrast("{x} of all rows, or of a side", _all_or_side, COUNTED),
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
# Function, number, contrast, 0/0, the nearest metric here.
_OF_FUNCTIONS: Final = """
sklearn.equal_opportunity_difference tpr                 d-a 0 rd
sklearn.base_rate                    base_rate           all 0 -
sklearn.selection_rate               selection_rate      all 0 selection_rate
sklearn.specificity_score            tnr                 all 0 -
sklearn.sensitivity_score            tpr                 all 0 -
sklearn.false_omission_rate_error    false_omission_rate all 0 -
sklearn.false_negative_rate_error    1-tpr               all 1 -
sklearn.false_positive_rate_error    1-tnr               all 1 -
sklearn.num_samples                  n                   sum - -
"""


def _class_row(row: Row) -> Row:
    """The row of a method by its names with its class and without.

    The methods about labels are those of predictions too, but for those it has of its own.
    """
    letter, _, function = row.function.partition(".")
    owner = LABELS if letter == "L" else PREDICTIONS
    has_own = function in ("disparate_impact", "statistical_parity_difference")
    owners = [owner] if has_own or owner == PREDICTIONS else [owner, PREDICTIONS]
    names = (function, *row.shorts)
    row.function = f"{owner}.{function}"
    row.shorts = (*names, *(f"{each}.{name}" for each in owners for name in names))
    return row


def _odds_rows(owner: str, error: str, fpr: Of, tpr: Of, own: str) -> tuple[Row, ...]:
    false, true = fpr(d) - fpr(a), tpr(d) - tpr(a)
    ppv, omitted = number("ppv", 0.0), number("false_omission_rate", 0.0)
    values = ((ppv(d) - ppv(a)) + (omitted(d) - omitted(a))) / 2
    return (
        Row(f"{owner}.average_odds_difference", "((fpr_d − fpr_a) + (tpr_d − tpr_a)) / 2",
            (false + true) / 2, "average_odds_difference", D_MINUS_A, own, **SPAN),
        Row(f"{owner}.{error}", "(|fpr_d − fpr_a| + |tpr_d − tpr_a|) / 2",
            (false.abs() + true.abs()) / 2, "average_abs_odds_difference", D_MINUS_A, own, **SHARE),
        Row(f"{owner}.average_predictive_value_difference",
            "((ppv_d − ppv_a) + (for_d − for_a)) / 2", values, "predictive_value_difference",
            D_MINUS_A, ZERO, **SPAN),
    )  # fmt: skip


def _larger_distance(false: Expression, true: Expression) -> Expression:
    """Python's max: undefined if the first is, else it leaves out the other."""
    return choose(~false.abs().is_null(), greatest(false.abs(), true.abs()))


_LARGER: Final = (
    "nan if the false positive rates are; true positive rates that are nan are left out"
)
_ORDER_0: Final = "order 0 is divided by the mean benefit once more"


def _entropy_rows() -> Iterator[Row]:
    ours = {
        "generalized_entropy_index": "ge",
        "theil_index": "theil",
        "coefficient_of_variation": "coefficient_of_variation",
        "between_all_groups_generalized_entropy_index": "ge_between",
    }
    for before, benefits, formula in (
        ("", "b = y' − y + 1 of rows", entropy_of_rows),
        ("between_group_", "the mean b = y' − y + 1 of sides", entropy_of_sides),
        ("between_all_groups_", "the mean b = y' − y + 1 of groups", entropy_of_groups),
    ):
        beside = ["rows on neither side count, with the benefit 0"] * ("sides" in benefits)
        indices: dict[str, Formula | Written] = {
            "generalized_entropy_index": formula,
            "theil_index": formula(alpha=1),
            "coefficient_of_variation": coefficient_of_variation(formula),
        }
        for index, written in indices.items():
            yield Row(
                f"P.{before}{index}", f"of {benefits}", written, ours.get(f"{before}{index}", ""),
                "weights are not read there", _ORDER_0, *beside, **DISTANCE, **NO_WEIGHTS,
            )  # fmt: skip


Outcomes = Literal["predictions", "labels"]
_COUNTS: Final = {"predictions": ("accepted", "rejected"), "labels": ("positive", "negative")}


def _smoothed(yes: str, concentration: float, no: str = "") -> Expression:
    """The smoothed rate of two outcomes, or with the other outcome of those that a group has."""
    added = require_number("concentration", concentration, "a number of at least 0", least=0)
    accepted = term(f"{g.name}.{yes}")
    outcomes = (accepted > 0) + (term(f"{g.name}.{no}") > 0) if no else 2
    return (accepted + added / outcomes) / (g.n + added)


def _largest_log_ratio(rate: Expression) -> Expression:
    """The largest log ratio of smoothed rates of groups, or of their complements."""
    spans = [known(each.log().max() - each.log().min()) for each in (rate, 1 - rate)]
    return needing_several(rate, choose(~spans[0].is_null(), greatest(*spans)))


def _amplification(*, of_occurring: bool) -> Written:
    def formula(concentration: float = 1.0) -> Formula:
        of_predictions, of_labels = (
            _largest_log_ratio(_smoothed(yes, concentration, no if of_occurring else ""))
            for yes, no in _COUNTS.values()
        )
        return across(of_predictions - of_labels)

    return formula


def _edf(of: Outcomes = "predictions", concentration: float = 1.0) -> Formula:
    yes, no = chosen("of", of, _COUNTS)
    return across(_largest_log_ratio(_smoothed(yes, concentration, no)))


def _edf_of_labels(concentration: float = 1.0) -> Formula:
    return across(_largest_log_ratio(_smoothed("positive", concentration)))


def _smoothed_rate(yes: str, no: str) -> Written:
    return lambda concentration=1.0: population(_smoothed(yes, concentration, no).max())


_UNIT: Final = "the smoothing counts in the unit of the weights, not in rows"
_LARGEST: Final = "max over pairs of |ln r_g − ln r_h| and |ln(1−r_g) − ln(1−r_h)|"
_LESS: Final = "edf of the predictions − edf of the labels"


def _generalized(label: str, side: Side, *, is_missed: bool) -> tuple[Expression, Expression]:
    """The scores of the rows of a label, or what they lack to 1, and the rows of the label."""
    scores, rows = (term(f"{side.name}.{word}").sum() for word in (f"{label}_scores", label))
    return (rows - scores if is_missed else scores), rows


_MEANS: Final = {
    label: Measure(f"mean_score_of_{label}", mean(g_s), f"Mean score of {label} rows", "")
    for label, mean in (("positive", mean_score_of_positive), ("negative", mean_score_of_negative))
}
Value = Callable[[Expression, Expression], Expression]


def _generalized_of_all(label: str, value: Value, *, is_missed: bool) -> Formula:
    """The same of all groups, those on neither side too."""
    mean, rows = _MEANS[label], term(f"{g.name}.{label}")
    part = 1 - mean.term if is_missed else mean.term
    return across_measured(value((part * rows).sum(), rows.sum()), mean)


def _generalized_rate(label: str, value: Value, *, is_missed: bool) -> Written:
    def formula(*, privileged: bool | None = None) -> Formula:
        side = chosen("privileged", privileged, {None: None, True: a_s, False: d_s})
        if side is None:
            return _generalized_of_all(label, value, is_missed=is_missed)
        return over_scores(value(*_generalized(label, side, is_missed=is_missed)))

    return formula


def _score_rows() -> Iterator[Row]:
    """Rates in which a row counts by its score."""
    for name, label, is_missed in (
        ("true_positive", "positive", False), ("false_positive", "negative", False),
        ("false_negative", "positive", True), ("true_negative", "negative", True),
    ):  # fmt: skip
        of_rows = f"{'1 less ' * is_missed}the scores of {label} rows"
        yield Row(
            f"P.generalized_{name}_rate", f"the mean of {of_rows}",
            _generalized_rate(label, quotient, is_missed=is_missed), "", NAN, OF_KNOWN, **RATED,
        )  # fmt: skip
        yield Row(
            f"P.num_generalized_{name}s", f"the sum of {of_rows}",
            _generalized_rate(label, lambda above, _: above, is_missed=is_missed), "", OF_KNOWN,
            **COUNTED,
        )  # fmt: skip
    true, false = (
        quotient(*_generalized(label, d_s, is_missed=False))
        - quotient(*_generalized(label, a_s, is_missed=False))
        for label in ("positive", "negative")
    )
    yield Row(
        "P.generalized_equalized_odds_difference", "max(|gfpr_d − gfpr_a|, |gtpr_d − gtpr_a|)",
        over_scores(_larger_distance(false, true)), "", NAN, **SHARE,
    )  # fmt: skip


_OUTCOMES: Final = "of predictions; of='labels' for labels, where y_pred is left out there"


def _count_formula(formula: Callable[[str, str], Expression | Formula]) -> Written:
    """A formula of the two counts of predictions, or of those of labels."""
    return lambda of="predictions": formula(*chosen("of", of, _COUNTS))


def _share(yes: str, side: Side) -> Expression:
    return term(f"{side.name}.{yes}") / side.n


def _divergence(of: Outcomes = "predictions") -> Expression | Formula:
    [of_labels] = (metric.formula for metric in OF_DATA if metric.name == "kl")
    parts = []
    for decided, label in zip(*_COUNTS.values(), strict=True):
        one, other = (_share(decided, side) for side in (a, d))
        part = choose(one == 0, 0.0, one * (one / other).log())
        parts.append(choose(term(f"{both.name}.{label}") > 0, part, 0.0))
    return chosen("of", of, {"predictions": sum(parts, literal(0.0)), "labels": of_labels})


def _conditional(yes: str, no: str) -> Formula:
    accepted, rejected = term(f"{g.name}.{yes}"), term(f"{g.name}.{no}")
    apart = rejected / rejected.sum() - accepted / accepted.sum()
    return across((g.n * apart).sum() / g.n.sum(), may_overlap=False)


_OCCURRING: Final = "the smoothing counts the outcomes that a group has: one or two"
_IN_ALL: Final = "the smoothing counts the outcomes that occur: one or two"
_gfpr, _gfnr = (
    _generalized_of_all(label, partial(quotient, empty=0.0), is_missed=label == "positive")
    for label in ("negative", "positive")
)
_ROWS_OF_FUNCTIONS: Final = (
    *(
        Row(f"sklearn.{function}", "q'd − q'a",
            _count_formula(lambda yes, _: _share(yes, d) - _share(yes, a)),
            "statistical_parity", D_MINUS_A, _OUTCOMES, **SPAN)
        for function in ("statistical_parity_difference", "mean_difference")
    ),
    Row("sklearn.disparate_impact_ratio", "q'd / q'a",
        _count_formula(lambda yes, _: quotient(_share(yes, d), _share(yes, a), 0.0)),
        "di", "x/0 and 0/0 are 0", _OUTCOMES, **RATIO),
    *rows(
        _OF_FUNCTIONS,
        {"d-a": (D_MINUS_A,), "0": (NO_ROWS,), "1": ("1 less a rate of no rows is 1",)},
    ),
    *_odds_rows("sklearn", "average_odds_error", number("1-tnr", 1.0), number("tpr", 0.0),
              "a false positive rate of no rows is 1, a true one 0"),
    Row("sklearn.class_imbalance", "(n_d − n_a) / n", (d.n - a.n) / both.n, "ci", D_MINUS_A,
        **SPAN),
    Row("sklearn.kl_divergence", "Σ Pa·ln(Pa/Pd)", _divergence, "kl", _OUTCOMES,
        "of predictions, over the values of the labels: it may be below 0", sign=0),
    Row("sklearn.conditional_demographic_disparity",
        "Σ_g (n_g/n)·(rejected_g/rejected − accepted_g/accepted)", _count_formula(_conditional),
        "cdd_shares", _OUTCOMES, "an error if all outcomes are one value, null here", **SPAN),
    Row("sklearn.smoothed_edf", _LARGEST, _edf, "differential_fairness", _OUTCOMES, _OCCURRING,
        "if some groups are all positive, infinite; there their order may decide", sign=0,
        **DISTANCE),
    Row("sklearn.df_bias_amplification", _LESS, _amplification(of_occurring=True), "", _OCCURRING,
        sign=0),
    *(
        Row(f"sklearn.smoothed_{name}", "(positive + c/k) / (n + c), k outcomes that occur",
            _smoothed_rate(*_COUNTS[of]), "", _IN_ALL, **RATED)
        for name, of in (("base_rate", "labels"), ("selection_rate", "predictions"))
    ),
    Row("sklearn.generalized_entropy_error", "of b = y' − y + 1 of rows", entropy_of_rows,
        "ge", _ORDER_0, **DISTANCE, **NO_WEIGHTS),
    Row("sklearn.between_group_generalized_entropy_error", "of the mean b = y' − y + 1 of groups",
        entropy_of_groups, "ge_between", _ORDER_0, **DISTANCE, **NO_WEIGHTS),
    Row("sklearn.generalized_fpr", "the mean score of negative rows", _gfpr, "", NO_ROWS, OF_KNOWN,
        **RATED),
    Row("sklearn.generalized_fnr", "what the mean score of positive rows lacks to 1", _gfnr,
        "", NO_ROWS, OF_KNOWN, **RATED),
)  # fmt: skip
_WORDS: Final = {"d-a": (D_MINUS_A,), "d/a": _OF_RATIO, "nan": (NAN,), "0": (ZERO,)}
_OF_DATASETS: Final = (
    *rows(_OF_CLASSES, _WORDS, _CONTRASTS),
    *_odds_rows("P", "average_abs_odds_difference", number("fpr"), number("tpr"), NAN),
    Row("P.equalized_odds_difference", "max(|fpr_d − fpr_a|, |tpr_d − tpr_a|)",
        _larger_distance(d.fpr - a.fpr, d.tpr - a.tpr), "equalized_odds_gap", D_MINUS_A, _LARGER,
        **SHARE),
    *_entropy_rows(),
    Row("L.smoothed_empirical_differential_fairness",
        f"{_LARGEST}, r_g = (positive_g + c/2) / (n_g + c)", _edf_of_labels,
        "differential_fairness", _UNIT, **DISTANCE),
    Row("P.differential_fairness_bias_amplification", _LESS, _amplification(of_occurring=False),
        "", _UNIT),
    *_score_rows(),
)  # fmt: skip
TOOL: Final = Tool(
    name="aif360",
    title="AIF360",
    version="0.6.1",
    page="https://aif360.readthedocs.io/en/stable/modules/generated/aif360.metrics.{owner}.html",
    rows=(*map(_class_row, _OF_DATASETS), *_ROWS_OF_FUNCTIONS),
    bands={
        **dict.fromkeys(("disparate_impact", "disparate_impact_ratio"), (0.8, 1.25)),
        **dict.fromkeys(
            ("statistical_parity_difference", "mean_difference", "true_positive_rate_difference",
             "equal_opportunity_difference", "average_odds_difference"), (-0.1, 0.1),
        ),
    },
    without={
        "it takes a function; give the name of the difference, the ratio or the rate":
            "sklearn.difference sklearn.ratio sklearn.intersection sklearn.one_vs_rest",
        "it takes a method; give the name of the difference or ratio itself": "difference ratio",
        "it makes scorers; pf.scorer does so here": "sklearn.make_scorer",
        "it has two numbers; they are aif360.num_positives and so on": "sklearn.num_pos_neg",
        "it has four numbers; they are aif360.num_true_positives and so on":
            "binary_confusion_matrix",
        "it has four numbers; they are aif360.num_generalized_true_positives and so on":
            "generalized_binary_confusion_matrix",
        "it has thirteen numbers; they are aif360.true_positive_rate and so on":
            "performance_measures",
        "it takes numbers, not outcomes; aif360.sklearn.generalized_entropy_error has benefits":
            "sklearn.generalized_entropy_index sklearn.theil_index "
            "sklearn.coefficient_of_variation",
        "it compares individuals; 'consistency' is ours": "sklearn.consistency_score",
        "it compares individuals, and which neighbours at one distance it takes is chance; "
        "'consistency' is ours": "consistency",
        "it scores a subset by a scan; worst_groups finds groups": "sklearn.mdss_bias_score",
        "it fits a model of the attributes; worst_groups finds groups": "rich_subgroup",
        "it solves a transport problem; score_wasserstein is ours": "sklearn.ot_distance",
    },
    columns={
        "n": "num_instances",
        **RATES_OF_LABELS,
        "ppv": "positive_predictive_value",
        "npv": "negative_predictive_value",
        "fdr": "false_discovery_rate",
        **{each: f"num_{kind}s" for each, kind in (
            ("tp", "true_positive"), ("fp", "false_positive"),
            ("fn", "false_negative"), ("tn", "true_negative"),
        )},
    },
)  # fmt: skip
