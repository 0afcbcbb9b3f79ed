"""Bias in the data, before any model: two sides, labels only."""

from __future__ import annotations

from collections.abc import Callable
from math import log
from sys import float_info
from typing import Any, Final, Literal, get_args

from polars_fairness.catalogue.wording import CLARIFY, sentences
from polars_fairness.errors import FairnessError, require_number
from polars_fairness.formula.formulas import over_labels, stratified
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import a, a_v, both, both_i, d, d_i, d_v
from polars_fairness.formula.tree import INFINITY, Expression, choose, ratio, total

OfValues = Literal["label", "predicted"]
"""The outcome whose values a distance compares."""

_distance: Final = (a_v.share - d_v.share).abs()
_mean: Final = (a_v.share + d_v.share) / 2


def _divergence(share: Expression, reference: Expression) -> Expression:
    """The sum of share·ln(share/reference) over the label values; a share of 0 adds nothing."""
    summand = choose(share > 0, share * (share / reference).log())
    is_defined = ~total(share).is_null() & ~total(reference).is_null()
    # Rounding may leave -1e-17 where the two distributions are equal.
    return choose(is_defined, summand.sum()).clip(lower=0)


def _distance_of(outcome: OfValues, **entry: Any) -> Metric:
    """A distance between the two sides' distributions of the values of an outcome.

    The title and the definition of the entry have a place for the outcome.
    """
    if outcome not in get_args(OfValues):
        raise FairnessError(f"outcome: takes 'label' or 'predicted', got {outcome!r}")
    what = "labels" if outcome == "label" else "predictions"
    return Metric(
        **{
            **entry,
            "title": entry["title"].format(what),
            "definition": entry["definition"].format(outcome),
            "formula": over_labels(entry["formula"], outcome),
        },
        sign=0,
        above=f"the {what} of the two sides are distributed differently",
        below="impossible",
        source=CLARIFY,
    )


_DOCUMENTED: Final = """{sentence}

Parameters
----------
outcome
    "label" or "predicted": the outcome whose values are compared.

Examples
--------
>>> import polars as pl
>>> triage = pl.DataFrame({{"sex": ["F", "F", "M", "M"], "level": list("abbb")}})
>>> question = {{"facet": "sex", "disfavored": "F", "predicted": "level"}}
>>> round(triage.fairness.{name}(outcome="predicted", **question)["{name}"].item(), 4)
{example}
"""


def _distance_factory(
    name: str, sentence: str, example: float, **entry: Any
) -> Callable[..., Metric]:
    """A distance as a function of the outcome whose values it compares."""

    def distance(outcome: OfValues = "label") -> Metric:
        return _distance_of(outcome, name=name, **entry)

    distance.__name__ = distance.__qualname__ = name
    distance.__doc__ = _DOCUMENTED.format(name=name, sentence=sentence, example=example)
    return distance


kl: Final = _distance_factory("kl",
    "The Kullback–Leibler divergence of side a's values of an outcome from those of side d.",
    0.6931, title="Kullback–Leibler divergence of the {}",
    formula=_divergence(a_v.share, d_v.share), definition="Σ Pa·ln(Pa/Pd) over every {} value",
    range=(0, INFINITY))  # fmt: skip
_halves: Final = (_divergence(a_v.share, _mean) + _divergence(d_v.share, _mean)) / 2
js: Final = _distance_factory("js",
    "The Jensen–Shannon divergence of the two sides' values of an outcome.", 0.2158,
    title="Jensen–Shannon divergence of the {}", formula=_halves.clip(upper=log(2)),
    definition="½ Σ Pa·ln(Pa/P) + ½ Σ Pd·ln(Pd/P), P = (Pa+Pd)/2", range=(0, log(2)))  # fmt: skip
tvd: Final = _distance_factory("tvd",
    "The total variation distance of the two sides' distributions of an outcome.", 0.5,
    title="Total variation distance of the {}", formula=total(_distance) / 2,
    definition="½ Σ|Pa−Pd|", range=(0, 1))  # fmt: skip
ks: Final = _distance_factory("ks",
    "The largest difference between the two sides in the share of one value of an outcome.", 0.5,
    title="Kolmogorov–Smirnov distance of the {}", formula=_distance.max(),
    definition="max|Pa−Pd| over the {} values", range=(0, 1))  # fmt: skip


def lp(p: float = 2, outcome: OfValues = "label") -> Metric:
    """The distance of the two sides' distributions of an outcome in the p-norm.

    Parameters
    ----------
    p
        The order of the norm, at least 1; infinity for the largest distance.
    outcome
        "label" or "predicted": the outcome whose values are compared.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> loans = pl.DataFrame({"sex": ["F", "F", "M", "M"], "repaid": [1, 0, 1, 1]})
    >>> loans.fairness.lp(p=1, facet="sex", disfavored="F", label="repaid")["lp"].item()
    1.0
    """
    p = require_number("p", p, "a number of at least 1", least=1)
    norm = largest = _distance.max()
    if p != INFINITY:
        # Relative to the largest distance: 0.2 to the power of 500 would be 0. If all distances are
        # 0, the relative distances are 0 too, and not 0/0.
        relative = _distance / largest.clip(lower=float_info.min)
        norm = largest * total(relative**p) ** (1 / p)
    return _distance_of(outcome, name="lp",
        title=f"L{p:g} norm of the difference of the {{}}' distributions", formula=norm,
        definition=f"(Σ|Pa−Pd|^p)^(1/p), p = {p:g}", range=(0, 2 ** (1 / p)))  # fmt: skip


METRICS: Final = (
    Metric(name="ci", title="Class imbalance", formula=ratio(a.n - d.n, a.n + d.n),
        definition="(na − nd) / (na + nd)", range=(-1, 1),
        **sentences("{d} has fewer rows than {a}"), source=CLARIFY),
    Metric(name="dpl", title="Base rate difference",
        formula=a.base_rate - d.base_rate, definition="q_a − q_d", range=(-1, 1),
        **sentences("positive labels are more frequent in {a} than in {d}"), source=CLARIFY),
    Metric(name="ddl", title="Demographic disparity in labels",
        formula=ratio(d.negative, both.negative) - ratio(d.positive, both.positive),
        definition="negative_d/negative_both − positive_d/positive_both", range=(-1, 1),
        **sentences("{d} has a larger share of the negative labels than of the positive"),
        source=CLARIFY),
    Metric(name="cddl", title="Conditional demographic disparity in labels",
        formula=stratified(
            ratio(d_i.negative, both_i.negative) - ratio(d_i.positive, both_i.positive)
        ),
        definition="Σ nᵢ·ddlᵢ / Σ nᵢ over the strata i", range=(-1, 1),
        **sentences(
            "within strata, {d} has a larger share of the negative labels than of the positive"
        ),
        source=CLARIFY),
    kl(),
    js(),
    lp(),
    tvd(),
    ks(),
)  # fmt: skip

PARAMETRISED: Final = (kl, js, lp, tvd, ks)
