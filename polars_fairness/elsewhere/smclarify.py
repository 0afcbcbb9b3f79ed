"""The metrics of Clarify's package: its sensitive facet is our d. A quotient 0/0 is 0."""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import Final

from polars_fairness.catalogue.data import METRICS as OF_DATA
from polars_fairness.catalogue.performance import METRICS as OF_ERRORS
from polars_fairness.catalogue.population import METRICS as OF_ALL
from polars_fairness.catalogue.selection import METRICS as OF_SELECTION
from polars_fairness.elsewhere.entries import (
    CONTRASTS,
    DISTANCE,
    RATED,
    RATIO,
    SPAN,
    Contrast,
    Number,
    Row,
    Tool,
    entropy_of_rows,
    rows,
)
from polars_fairness.formula.formulas import Formula, across_strata, over_labels
from polars_fairness.formula.metric import ANY
from polars_fairness.formula.sides import RATES, Side, a, a_v, both, both_i, d, d_i, d_v
from polars_fairness.formula.tree import INFINITY, Expression, choose, difference, term

OURS: Final = {metric.name: metric for metric in (*OF_DATA, *OF_SELECTION, *OF_ERRORS, *OF_ALL)}
_TITLES: Final = {name: metric.title for name, metric in OURS.items()}
ZERO: Final = "0/0 is 0"
INFINITE: Final = "x/0 is infinite, and the difference of two infinite numbers 0"
UNKNOWN: Final = "rows of unknown facet are on the other side there, on no side here"
COMMON: Final = "label values that one side lacks are left out, the other shares stay as they are"
NONE: Final = "an error if they have none in common, null here"
STRATA: Final = "a share of no rows of a stratum is 0, and the stratum counts"
ALIKE: Final = "an error if all rows have one outcome, null here"


def _divide(above: Expression, below: Expression) -> Expression:
    return choose((above == 0) & (below == 0), 0.0, above / below)


def _quotient(word: str) -> Number:
    """A quotient of two counts, by the symbol of the rate that it is."""
    above, below = word.split("/")
    alike = (rate.symbol for rate in RATES.values() if (*rate.above, *rate.below) == (above, below))

    def formula(side: Side) -> Expression:
        return _divide(*(term(f"{side.name}.{count}") for count in (above, below)))

    return Number(next(alike, word), formula)


def _f1(side: Side) -> Expression:
    precision, recall = (_NUMBERS[word](side) for word in ("tp/accepted", "tp/positive"))
    return 2 * _divide(precision * recall, precision + recall)


# Function, number, contrast, 0/0, the nearest metric here.
_OF_SIDES: Final = """
DPL  positive/n        a-d 0 dpl
DPPL accepted/n        a-d 0 dppl
DCA  positive/accepted a~d 0 dcacc
DCR  negative/rejected d~a 0 dcr
RD   tp/positive       a-d 0 rd
SD   tn/negative       d-a 0 sd
DAR  tp/accepted       a-d 0 dar
DRR  tn/rejected       d-a 0 drr
AD   accuracy          a-d 0 ad
TE   fn/fp             d~a 0 te
"""
# The numbers of the sensitive facet that its report shows beside the metrics.
_OF_FACET: Final = """
accuracy               accuracy          d   0 -
PPL                    accepted/n        d   0 -
PNL                    rejected/n        d   0 -
recall                 tp/positive       d   0 -
specificity            tn/negative       d   0 -
precision              tp/accepted       d   0 -
rejection_rate         tn/rejected       d   0 -
conditional_acceptance positive/accepted d<∞ 0 -
conditional_rejection  negative/rejected d<∞ 0 -
f1_score               f1                d   0 -
"""
_NUMBERS: Final = {
    "accuracy": Number("acc", lambda side: _divide(side.tp + side.tn, side.n)),
    "f1": Number("f1", _f1),
    **{
        word: _quotient(word)
        for table in (_OF_SIDES, _OF_FACET)
        for word in table.split()[1::5]
        if "/" in word
    },
}
_CONTRASTS: Final = CONTRASTS | {
    "d<∞": Contrast("{x} of d", lambda of: of(d), RATED | DISTANCE),
    "a~d": Contrast("{a} − {d}", lambda of: difference(of(a), of(d)), {"range": ANY}),
    "d~a": Contrast("{d} − {a}", lambda of: difference(of(d), of(a)), {"range": ANY}),
}
_WORDS: Final = {"0": (ZERO,), "a~d": (INFINITE,), "d~a": (INFINITE,)}

_is_common: Final = (a_v.share > 0) & (d_v.share > 0)
_mean: Final = (a_v.share + d_v.share) / 2
_apart: Final = (a_v.share - d_v.share).abs()


def _sum(value: Expression) -> Expression:
    return choose(_is_common.any(), choose(_is_common, value).sum())


def _divergence(share: Expression, other: Expression) -> Expression:
    return _sum(share * (share / other).log())


_of_mean: Final = _divergence(a_v.share, _mean) + _divergence(d_v.share, _mean)


def _label_row(
    function: str, definition: str, value: Expression, least: float, most: float
) -> Row:  # without a common label a share may be left out that the other side has: below 0
    return Row(
        function, f"{definition} over the labels of both sides", over_labels(value),
        function.lower(), COMMON, NONE, title=_TITLES[function.lower()], range=(least, most),
        sign=0,
    )  # fmt: skip


def _conditional(no: str, yes: str) -> Formula:
    """The mean over strata of d's share of one outcome less its share of the other."""

    def share(count: str) -> Expression:
        part, whole = (term(f"{side.name}.{count}") for side in (d_i, both_i))
        return choose(whole == 0, 0.0, part / whole)

    gap = (both_i.n * (share(no) - share(yes))).sum() / both_i.n.sum()
    totals = (term(f"{both_i.name}.{count}").sum() for count in (no, yes))
    return across_strata(choose(reduce(and_, (each > 0 for each in totals)), gap))


TOOL: Final = Tool(
    name="smclarify",
    title="smclarify",
    version="0.5",
    page="https://github.com/aws/amazon-sagemaker-clarify/tree/master/src/smclarify/bias/metrics",
    rows=(
        *rows(_OF_SIDES, _WORDS, _CONTRASTS, _NUMBERS, _TITLES),
        Row("DI", "q'd / q'a", _divide(d.selection_rate, a.selection_rate), "di", ZERO,
            "x/0 is infinite", title=_TITLES["di"], **RATIO),
        Row("CI", "(na − nd) / (na + nd)", (a.n - d.n) / (a.n + d.n), "ci", title=_TITLES["ci"],
            **SPAN),
        _label_row("KL", "Σ Pa·ln(Pa/Pd)", _divergence(a_v.share, d_v.share), -INFINITY, INFINITY),
        _label_row("JS", "½ Σ Pa·ln(Pa/P) + ½ Σ Pd·ln(Pd/P)", _of_mean / 2, -INFINITY, 1),
        _label_row("LP", "√Σ(Pa−Pd)²", _sum(_apart**2).sqrt(), 0, 2**0.5),
        _label_row("TVD", "½ Σ|Pa−Pd|", _sum(_apart) / 2, 0, 1),
        _label_row("KS", "max|Pa−Pd|", choose(_is_common, _apart).max(), 0, 1),
        *(
            Row(function, f"Σ nᵢ·({no}_dᵢ/{no}ᵢ − {yes}_dᵢ/{yes}ᵢ) / Σ nᵢ", _conditional(no, yes),
                function.lower(), STRATA, ALIKE, title=_TITLES[function.lower()], **SPAN)
            for function, no, yes in (
                ("CDDL", "negative", "positive"), ("CDDPL", "rejected", "accepted"),
            )
        ),
        Row("GE", "of b = y' − y + 1 of rows, order 2", entropy_of_rows(2),
            "ge", "an error if no row has a benefit, null here", title=_TITLES["ge"], **DISTANCE),
        Row("proportion", "n_d / n", d.n / both.n, "", ZERO, **RATED),
        *rows(_OF_FACET, _WORDS, _CONTRASTS, _NUMBERS),
    ),
    without={
        "it compares individuals, and which neighbours at one distance it takes is chance; "
        "pf.fliptest is ours": "FT",
        "it has four numbers; rates has the counts": "confusion_matrix",
        "it has a number for each pair of classes; confusions has them":
            "multicategory_confusion_matrix",
        "it has two numbers; rates has base_rate, and what it lacks to 1":
            "observed_label_distribution",
    },
    columns={
        "selection_rate": "PPL",
        "tpr": "recall",
        "tnr": "specificity",
        "ppv": "precision",
        "npv": "rejection_rate",
        "f1": "f1_score",
    },
    conventions=(UNKNOWN,),
    takes_weights=False,
)  # fmt: skip
