"""AIF360's functions in the manner of scikit-learn: a rate of no rows is 0, and so is x/0."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, Literal

from polars_fairness.catalogue.data import METRICS as OF_DATA
from polars_fairness.catalogue.dialects.benefits import entropy_of_groups, entropy_of_rows
from polars_fairness.catalogue.dialects.entries import (
    COUNTED,
    NO_WEIGHTS,
    RATED,
    Of,
    Row,
    Written,
    chosen,
    constant,
    quotient,
    rate,
)
from polars_fairness.errors import require_number
from polars_fairness.formula.arithmetic import INFINITY, greatest, known, of_several
from polars_fairness.formula.formulas import Formula, across, over_scores, population
from polars_fairness.formula.rates import RATES
from polars_fairness.formula.sides import Side, a, a_s, both, d, d_s, g
from polars_fairness.formula.tree import Expression, choose, literal, term

D_MINUS_A: Final = "unprivileged minus privileged: d − a"
ZERO: Final = "a rate of no rows is 0"
LABELS: Final = "of predictions; of='labels' for labels, where y_pred is left out there"
ONE: Final = "1 less a rate of no rows is 1"

Outcomes = Literal["predictions", "labels"]
Pair = tuple[str, str]

_COUNTS: Final[dict[str, Pair]] = {
    "predictions": ("accepted", "rejected"),
    "labels": ("positive", "negative"),
}


def _row(
    function: str,
    title: str,
    definition: str,
    formula: Written,
    ours: str = "",
    *conventions: str,
    **more: Any,
) -> Row:
    return Row(f"sklearn.{function}", title, definition, formula, ours, conventions, (), more)


def _of(formula: Callable[[str, str], Expression | Formula]) -> Written:
    """A formula of the two counts of predictions, or of those of labels."""
    return lambda of="predictions": formula(*chosen("of", of, _COUNTS))


def _apart(of: Of) -> Expression:
    return of(d) - of(a)


def _share(yes: str) -> Of:
    return lambda side: term(f"{side.name}.{yes}") / side.n


_JUDGED: Final = ("equal_opportunity_difference", "average_odds_difference")
_TPR, _TNR = _apart(rate("tpr", 0.0)), _apart(rate("tnr", 0.0))


def _of_sides() -> Iterator[Row]:
    for function in ("statistical_parity_difference", "mean_difference"):
        yield _row(
            function, "Statistical parity difference", "q'd − q'a",
            _of(lambda yes, _: _apart(_share(yes))), "statistical_parity", D_MINUS_A, LABELS,
            range=(-1, 1), acceptable=(-0.1, 0.1),
        )  # fmt: skip
    yield _row(
        "disparate_impact_ratio", "Disparate impact ratio", "q'd / q'a",
        _of(lambda yes, _: quotient(_share(yes)(d), _share(yes)(a), 0.0)),
        "di", "x/0 and 0/0 are 0", LABELS, range=(0, INFINITY), ideal=1, acceptable=(0.8, 1.25),
    )  # fmt: skip
    predictive = (_apart(rate("ppv", 0.0)) + _apart(rate("false_omission_rate", 0.0))) / 2
    for function, title, definition, value, ours, own in (
        ("equal_opportunity_difference", "Equal opportunity difference", "tpr_d − tpr_a",
         _TPR, "rd", ZERO),
        ("average_odds_difference", "Average odds difference",
         "((fpr_d − fpr_a) + (tpr_d − tpr_a)) / 2", (_TPR - _TNR) / 2, "average_odds_difference",
         "a false positive rate of no rows is 1, a true one 0"),
        ("average_odds_error", "Average odds error", "(|fpr_d − fpr_a| + |tpr_d − tpr_a|) / 2",
         (_TPR.abs() + _TNR.abs()) / 2, "average_abs_odds_difference",
         "a false positive rate of no rows is 1, a true one 0"),
        ("average_predictive_value_difference", "Average predictive value difference",
         "((ppv_d − ppv_a) + (for_d − for_a)) / 2", predictive, "predictive_value_difference",
         ZERO),
    ):  # fmt: skip
        span = (0, 1) if function.endswith("error") else (-1, 1)
        band = (-0.1, 0.1) if function in _JUDGED else None
        yield _row(
            function, title, definition, constant(value), ours, D_MINUS_A, own,
            range=span, acceptable=band,
        )  # fmt: skip
    yield _row(
        "class_imbalance", "Class imbalance", "(n_d − n_a) / n", constant((d.n - a.n) / both.n),
        "ci", D_MINUS_A, range=(-1, 1),
    )  # fmt: skip


def _divergence(of: Outcomes = "predictions") -> Expression | Formula:
    [of_labels] = (metric.formula for metric in OF_DATA if metric.name == "kl")
    parts = []
    for decided, label in zip(*(_COUNTS[each] for each in ("predictions", "labels")), strict=True):
        one, other = (_share(decided)(side) for side in (a, d))
        part = choose(one == 0, 0.0, one * (one / other).log())
        parts.append(choose(term(f"{both.name}.{label}") > 0, part, 0.0))
    return chosen("of", of, {"predictions": sum(parts, literal(0.0)), "labels": of_labels})


def _conditional(yes: str, no: str) -> Formula:
    accepted, rejected = term(f"{g.name}.{yes}"), term(f"{g.name}.{no}")
    apart = rejected / rejected.sum() - accepted / accepted.sum()
    return across((g.n * apart).sum() / g.n.sum(), may_overlap=False)


def _smoothed(side: Side, yes: str, no: str, concentration: float) -> Expression:
    """The smoothed rate; the smoothing counts the outcomes that the group has."""
    accepted, rejected = term(f"{side.name}.{yes}"), term(f"{side.name}.{no}")
    outcomes = (accepted > 0) + (rejected > 0)
    return (accepted + concentration / outcomes) / (side.n + concentration)


def _smoothing(yes: str, no: str, concentration: float) -> Expression:
    number = require_number("concentration", concentration, "a number of at least 0", least=0)
    found = _smoothed(g, yes, no, number)
    spans = [known(each.log().max() - each.log().min()) for each in (found, 1 - found)]
    return of_several(found, choose(~spans[0].is_null(), greatest(*spans)))


def _edf(of: Outcomes = "predictions", concentration: float = 1.0) -> Formula:
    return across(_smoothing(*chosen("of", of, _COUNTS), concentration))


def _amplification(concentration: float = 1.0) -> Formula:
    one, other = (_smoothing(*_COUNTS[of], concentration) for of in ("predictions", "labels"))
    return across(one - other)


def _of_groups() -> Iterator[Row]:
    outcomes = "the smoothing counts the outcomes that a group has: one or two"
    yield _row(
        "kl_divergence", "Kullback–Leibler divergence", "Σ Pa·ln(Pa/Pd)", _divergence,
        "kl", LABELS, "of predictions, over the values of the labels: it may be below 0", sign=0,
    )  # fmt: skip
    yield _row(
        "conditional_demographic_disparity", "Conditional demographic disparity of shares",
        "Σ_g (n_g/n)·(rejected_g/rejected − accepted_g/accepted)", _of(_conditional),
        "cdd_shares", LABELS, "an error if all outcomes are one value, null here", range=(-1, 1),
    )  # fmt: skip
    yield _row(
        "smoothed_edf", "Smoothed empirical differential fairness",
        "max over pairs of |ln r_g − ln r_h| and |ln(1−r_g) − ln(1−r_h)|", _edf,
        "differential_fairness", LABELS, outcomes,
        "if some groups are all positive, infinite; there their order may decide", sign=0,
        range=(0, INFINITY),
    )  # fmt: skip
    yield _row(
        "df_bias_amplification", "Differential fairness of predictions less that of labels",
        "edf of the predictions − edf of the labels", _amplification, "", outcomes, sign=0,
    )  # fmt: skip


def _of_all_rows() -> Iterator[Row]:
    for function, word, ours, is_complement in (
        ("base_rate", "base_rate", "", False),
        ("selection_rate", "selection_rate", "selection_rate", False),
        ("specificity_score", "tnr", "", False),
        ("sensitivity_score", "tpr", "", False),
        ("false_omission_rate_error", "false_omission_rate", "", False),
        ("false_negative_rate_error", "tpr", "", True),
        ("false_positive_rate_error", "tnr", "", True),
    ):
        above, below = (part.sum() for part in RATES[word].sums(g.name))
        found = quotient(above, below, 0.0)
        symbol = RATES[word].symbol
        yield _row(
            function, f"{function.replace('_', ' ').capitalize()} of all rows",
            f"1 − {symbol}" if is_complement else symbol,
            constant(population(1 - found if is_complement else found)), ours,
            ONE if is_complement else ZERO, **RATED,
        )  # fmt: skip
    for function, of in (
        ("smoothed_base_rate", "labels"),
        ("smoothed_selection_rate", "predictions"),
    ):
        yield _row(
            function, f"{function.replace('_', ' ').capitalize()} of all rows",
            "(positive + c/k) / (n + c), k outcomes that occur", _smoothed_rate(*_COUNTS[of]),
            "", "the smoothing counts the outcomes that occur: one or two", **RATED,
        )  # fmt: skip
    yield _row(
        "num_samples", "Number of rows, or the sum of weights", "n of all rows",
        constant(population(g.n.sum())), **COUNTED,
    )  # fmt: skip


def _smoothed_rate(yes: str, no: str) -> Written:
    def formula(concentration: float = 1.0) -> Formula:
        number = require_number("concentration", concentration, "a number of at least 0", least=0)
        return population(_smoothed(g, yes, no, number).max())

    return formula


def _of_benefits() -> Iterator[Row]:
    for function, title, formula, ours in (
        ("generalized_entropy_error", "benefits of rows", entropy_of_rows, "ge"),
        ("between_group_generalized_entropy_error", "mean benefits of groups", entropy_of_groups,
         "ge_between"),
    ):  # fmt: skip
        yield _row(
            function, f"Generalized entropy of the {title}", "of b = y' − y + 1", formula, ours,
            "order 0 is divided by the mean benefit once more", range=(0, INFINITY), **NO_WEIGHTS,
        )  # fmt: skip


def _of_scores() -> Iterator[Row]:
    negative = (a_s.negative + d_s.negative).sum()
    positive = (a_s.positive + d_s.positive).sum()
    missed = positive - (a_s.positive_scores + d_s.positive_scores).sum()
    for name, above, below, definition in (
        ("fpr", (a_s.negative_scores + d_s.negative_scores).sum(), negative,
         "the mean score of negative rows"),
        ("fnr", missed, positive, "what the mean score of positive rows lacks to 1"),
    ):  # fmt: skip
        yield _row(
            f"generalized_{name}", f"Generalized {name}", definition,
            constant(over_scores(quotient(above, below, 0.0))), "", ZERO,
            "of all rows means those of both sides", **RATED,
        )  # fmt: skip


FUNCTIONS: Final = (
    *_of_sides(), *_of_groups(), *_of_all_rows(), *_of_benefits(), *_of_scores(),
)  # fmt: skip


REASONS: Final = {
    **dict.fromkeys(
        ("sklearn.difference", "sklearn.ratio", "sklearn.intersection", "sklearn.one_vs_rest"),
        "it takes a function; give the name of the difference, the ratio or the rate",
    ),
    "sklearn.make_scorer": "it makes scorers; pf.scorer does so here",
    "sklearn.num_pos_neg": "it has two numbers; they are aif360.num_positives and so on",
    **dict.fromkeys(
        (
            "sklearn.generalized_entropy_index", "sklearn.theil_index",
            "sklearn.coefficient_of_variation",
        ),
        "it takes numbers, not outcomes; aif360.sklearn.generalized_entropy_error has their "
        "benefits",
    ),
    "sklearn.consistency_score": "it compares individuals; 'consistency' is ours",
    "sklearn.mdss_bias_score": "it scores a subset by a scan; worst_groups finds groups",
    "sklearn.ot_distance": "it solves a transport problem; score_wasserstein is ours",
}  # fmt: skip
