"""The metrics of Clarify's package: its sensitive facet is our d. A quotient 0/0 is 0."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import add, and_
from typing import Final

from polars_fairness.catalogue.dialects.entries import RATED, Of, Row, Tool, entropy_of_rows
from polars_fairness.formula.arithmetic import INFINITY, difference
from polars_fairness.formula.formulas import Formula, across_strata, over_labels
from polars_fairness.formula.metric import ANY
from polars_fairness.formula.sides import Side, a, a_v, both, both_i, d, d_i, d_v
from polars_fairness.formula.tree import Expression, choose, term

ZERO: Final = "0/0 is 0"
INFINITE: Final = "x/0 is infinite, and the difference of two infinite numbers 0"
UNKNOWN: Final = "rows of unknown facet are on the other side there, on no side here"
COMMON: Final = "label values that one side lacks are left out, the other shares stay as they are"


def _divide(above: Expression, below: Expression) -> Expression:
    return choose((above == 0) & (below == 0), 0.0, above / below)


def _of(above: str, *below: str) -> Of:
    """A quotient of a count and a sum of counts."""
    return lambda side: _divide(
        term(f"{side.name}.{above}"), reduce(add, (term(f"{side.name}.{each}") for each in below))
    )


def _f1(side: Side) -> Expression:
    precision, recall = _of("tp", "accepted")(side), _of("tp", "positive")(side)
    return 2 * _divide(precision * recall, precision + recall)


_accuracy: Final[Of] = lambda side: _divide(side.tp + side.tn, side.n)  # noqa: E731


def _of_sides() -> Iterator[Row]:
    for function, title, of, symbol, is_a_first, ours in (
        ("DPL", "Difference in proportions of labels", _of("positive", "n"), "q", True, "dpl"),
        ("DPPL", "Difference in proportions of predicted labels", _of("accepted", "n"), "q'", True,
         "dppl"),
        ("DCA", "Difference in conditional acceptance", _of("positive", "accepted"),
         "positive/accepted", True, "dcacc"),
        ("DCR", "Difference in conditional rejection", _of("negative", "rejected"),
         "negative/rejected", False, "dcr"),
        ("RD", "Recall difference", _of("tp", "positive"), "tpr", True, "rd"),
        ("SD", "Specificity difference", _of("tn", "negative"), "tnr", False, "sd"),
        ("DAR", "Difference in acceptance rates", _of("tp", "accepted"), "ppv", True, "dar"),
        ("DRR", "Difference in rejection rates", _of("tn", "rejected"), "npv", False, "drr"),
        ("AD", "Accuracy difference", _accuracy, "acc", True, "ad"),
        ("TE", "Treatment equality", _of("fn", "fp"), "fn/fp", False, "te"),
    ):  # fmt: skip
        one, other = (a, d) if is_a_first else (d, a)
        is_rate = "/" not in symbol
        yield Row(
            function, title, f"{symbol} of {one.name} − {symbol} of {other.name}",
            of(one) - of(other) if is_rate else difference(of(one), of(other)),
            ours, ZERO, *([] if is_rate else [INFINITE]), range=(-1, 1) if is_rate else ANY,
        )  # fmt: skip
    yield Row(
        "DI", "Disparate impact", "q'd / q'a", _divide(d.selection_rate, a.selection_rate),
        "di", ZERO, "x/0 is infinite", range=(0, INFINITY), ideal=1,
    )  # fmt: skip
    yield Row(
        "CI", "Class imbalance", "(na − nd) / (na + nd)", (a.n - d.n) / (a.n + d.n), "ci",
        range=(-1, 1),
    )  # fmt: skip


_is_common: Final = (a_v.share > 0) & (d_v.share > 0)
_mean: Final = (a_v.share + d_v.share) / 2
_apart: Final = (a_v.share - d_v.share).abs()


def _sum(value: Expression) -> Expression:
    return choose(_is_common.any(), choose(_is_common, value).sum())


def _divergence(share: Expression, other: Expression) -> Expression:
    return _sum(share * (share / other).log())


def _of_labels() -> Iterator[Row]:
    of_mean = _divergence(a_v.share, _mean) + _divergence(d_v.share, _mean)
    for function, title, definition, value, top in (
        ("KL", "Kullback–Leibler divergence", "Σ Pa·ln(Pa/Pd)",
         _divergence(a_v.share, d_v.share), INFINITY),
        ("JS", "Jensen–Shannon divergence", "½ Σ Pa·ln(Pa/P) + ½ Σ Pd·ln(Pd/P)",
         of_mean / 2, 1),
        ("LP", "L2 norm", "√Σ(Pa−Pd)²", _sum(_apart**2).sqrt(), 2**0.5),
        ("TVD", "Total variation distance", "½ Σ|Pa−Pd|", _sum(_apart) / 2, 1),
        ("KS", "Kolmogorov–Smirnov distance", "max|Pa−Pd|", choose(_is_common, _apart).max(), 1),
    ):  # fmt: skip
        # Without a common label a share may be left out that the other side has: below 0.
        least = -INFINITY if function in ("KL", "JS") else 0
        yield Row(
            function, f"{title} of the labels", f"{definition} over the labels of both sides",
            over_labels(value), function.lower(), COMMON,
            "an error if they have none in common, null here", range=(least, top), sign=0,
        )  # fmt: skip


def _conditional(no: str, yes: str) -> Formula:
    """The mean over strata of d's share of one outcome less its share of the other."""

    def share(count: str) -> Expression:
        part, whole = (term(f"{side.name}.{count}") for side in (d_i, both_i))
        return choose(whole == 0, 0.0, part / whole)

    found = (both_i.n * (share(no) - share(yes))).sum() / both_i.n.sum()
    totals = (term(f"{both_i.name}.{count}").sum() for count in (no, yes))
    return across_strata(choose(reduce(and_, (each > 0 for each in totals)), found))


def _of_strata() -> Iterator[Row]:
    for function, of, no, yes, ours in (
        ("CDDL", "labels", "negative", "positive", "cddl"),
        ("CDDPL", "predicted labels", "rejected", "accepted", "cddpl"),
    ):
        yield Row(
            function, f"Conditional demographic disparity in {of}",
            f"Σ nᵢ·({no}_dᵢ/{no}ᵢ − {yes}_dᵢ/{yes}ᵢ) / Σ nᵢ", _conditional(no, yes), ours,
            "a share of no rows of a stratum is 0, and the stratum counts",
            "an error if all rows have one outcome, null here", range=(-1, 1),
        )  # fmt: skip


def _of_facet() -> Iterator[Row]:
    """The rates of the sensitive facet that its report shows beside the metrics."""
    for function, definition, of in (
        ("proportion", "n_d / n", lambda side: side.n / both.n),
        ("accuracy", "(tp + tn) / n", _accuracy),
        ("PPL", "accepted / n", _of("accepted", "n")),
        ("PNL", "rejected / n", _of("rejected", "n")),
        ("recall", "tp / positive", _of("tp", "positive")),
        ("specificity", "tn / negative", _of("tn", "negative")),
        ("precision", "tp / accepted", _of("tp", "accepted")),
        ("rejection_rate", "tn / rejected", _of("tn", "rejected")),
        ("conditional_acceptance", "positive / accepted", _of("positive", "accepted")),
        ("conditional_rejection", "negative / rejected", _of("negative", "rejected")),
        ("f1_score", "2·precision·recall / (precision + recall)", _f1),
    ):
        span = (0, INFINITY) if function.startswith("conditional") else (0, 1)
        yield Row(
            function, f"{function.replace('_', ' ').capitalize()} of the facet",
            f"{definition}, of d", of(d), "", ZERO, **RATED | {"range": span},
        )  # fmt: skip


TOOL: Final = Tool(
    name="smclarify",
    title="smclarify",
    version="0.5",
    page="https://github.com/aws/amazon-sagemaker-clarify/tree/master/src/smclarify/bias/metrics",
    rows=(
        *_of_sides(),
        *_of_labels(),
        *_of_strata(),
        Row(
            "GE", "Generalized entropy of the benefits of rows", "of b = y' − y + 1, order 2",
            entropy_of_rows(2), "ge", "an error if no row has a benefit, null here",
            range=(0, INFINITY),
        ),
        *_of_facet(),
    ),
    reasons={
        "FT": "it compares individuals, and which neighbours at one distance it takes is chance; "
        "pf.fliptest is ours",
        "confusion_matrix": "it has four numbers; rates has the counts",
        "multicategory_confusion_matrix": "it has a number for each pair of classes; confusions "
        "has them",
        "observed_label_distribution": "it has two numbers; rates has base_rate, and what it lacks "
        "to 1",
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
