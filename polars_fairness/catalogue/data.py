"""Bias in the data, before any model: two sides, labels only."""

from __future__ import annotations

from math import log
from sys import float_info
from typing import Final

import polars as pl

from polars_fairness.catalogue.sources import CLARIFY
from polars_fairness.errors import require_number
from polars_fairness.formula.arithmetic import INFINITY, ratio, total
from polars_fairness.formula.formulas import over_labels, stratified
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import a, a_v, both, both_i, d, d_i, d_v

DIFFERENT: Final = "the labels of the two sides are distributed differently"
IMPOSSIBLE: Final = "impossible"

_distance: Final = (a_v.share - d_v.share).abs()
_mean: Final = (a_v.share + d_v.share) / 2


def _divergence(share: pl.Expr, reference: pl.Expr) -> pl.Expr:
    """The sum of share·ln(share/reference) over the label values; a share of 0 adds nothing."""
    is_beyond = (share > 0) & (reference == 0)
    summand = pl.when((share > 0) & (reference > 0)).then(share * (share / reference).log())
    # Rounding may leave -1e-17 where the two distributions are equal. Infinity is not summed but
    # returned in place of the sum: compensated sums, as in polars 1, turn it into NaN.
    is_defined = total(share).is_not_null() & total(reference).is_not_null()
    finite = pl.when(is_defined).then(summand.sum()).clip(lower_bound=0)
    return pl.when(is_beyond.any()).then(INFINITY).otherwise(finite)


def lp(p: float = 2) -> Metric:
    """The distance of the two sides' label distributions in the p-norm.

    Parameters
    ----------
    p
        The order of the norm, at least 1; infinity for the largest distance.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> loans = pl.DataFrame({"sex": ["F", "F", "M", "M"], "repaid": [1, 0, 1, 1]})
    >>> loans.fairness.lp(p=1, facet="sex", disfavored="F", label="repaid")["lp"].item()
    1.0
    """
    p = require_number("p", p, "a number of at least 1", least=1)
    return Metric(
        name="lp",
        title=f"L{p:g} norm of the label distributions' difference",
        formula=over_labels(_norm(p)),
        definition=f"(Σ|Pa−Pd|^p)^(1/p), p = {p:g}",
        latex=r"\left(\sum_v \left| P_a(v) - P_d(v) \right|^p\right)^{1/p}, \quad p = "
        + f"{p:g}".replace("inf", r"\infty"),
        range=(0, 2 ** (1 / p)),
        sign=0,
        above=DIFFERENT,
        below=IMPOSSIBLE,
        source=CLARIFY,
    )


def _norm(p: float) -> pl.Expr:
    largest = _distance.max()
    if p == INFINITY:
        return largest
    # Relative to the largest distance: 0.2 to the power of 500 would be 0. If all distances are 0,
    # the relative distances are 0 too, and not 0/0.
    relative = _distance / largest.clip(lower_bound=float_info.min)
    return largest * total(relative**p) ** (1 / p)


METRICS: Final = (
    Metric(
        name="ci",
        title="Class imbalance",
        formula=ratio(a.n - d.n, a.n + d.n),
        definition="(na − nd) / (na + nd)",
        latex=r"\frac{n_a - n_d}{n_a + n_d}",
        range=(-1, 1),
        above="{d} has fewer rows than {a}",
        below="{a} has fewer rows than {d}",
        source=CLARIFY,
    ),
    Metric(
        name="dpl",
        title="Difference in proportions of labels",
        formula=a.base_rate - d.base_rate,
        definition="q_a − q_d",
        latex=r"q_a - q_d",
        range=(-1, 1),
        above="positive labels are more frequent in {a} than in {d}",
        below="positive labels are more frequent in {d} than in {a}",
        source=CLARIFY,
    ),
    Metric(
        name="ddl",
        title="Demographic disparity in labels",
        formula=ratio(d.negative, both.negative) - ratio(d.positive, both.positive),
        definition="negative_d/negative_both − positive_d/positive_both",
        latex=r"\frac{\mathrm{negative}_d}{\mathrm{negative}_{\mathrm{both}}} - "
        r"\frac{\mathrm{positive}_d}{\mathrm{positive}_{\mathrm{both}}}",
        range=(-1, 1),
        above="{d} has a larger share of the negative labels than of the positive",
        below="{a} has a larger share of the negative labels than of the positive",
        source=CLARIFY,
    ),
    Metric(
        name="cddl",
        title="Conditional demographic disparity in labels",
        formula=stratified(
            ratio(d_i.negative, both_i.negative) - ratio(d_i.positive, both_i.positive)
        ),
        definition="Σ nᵢ·ddlᵢ / Σ nᵢ over the subgroups i",
        latex=r"\frac{\sum_i n_i \cdot \mathrm{ddl}_i}{\sum_i n_i}",
        range=(-1, 1),
        above="within subgroups, {d} has a larger share of the negative labels than of the "
        "positive",
        below="within subgroups, {a} has a larger share of the negative labels than of the "
        "positive",
        source=CLARIFY,
    ),
    Metric(
        name="kl",
        title="Kullback–Leibler divergence of the labels",
        formula=over_labels(_divergence(a_v.share, d_v.share)),
        definition="Σ Pa·ln(Pa/Pd) over every label value",
        latex=r"\sum_v P_a(v) \cdot \ln \frac{P_a(v)}{P_d(v)}",
        range=(0, INFINITY),
        sign=0,
        above=DIFFERENT,
        below=IMPOSSIBLE,
        source=CLARIFY,
    ),
    Metric(
        name="js",
        title="Jensen–Shannon divergence of the labels",
        formula=over_labels(
            ((_divergence(a_v.share, _mean) + _divergence(d_v.share, _mean)) / 2).clip(
                upper_bound=log(2)
            )
        ),
        definition="½ Σ Pa·ln(Pa/P) + ½ Σ Pd·ln(Pd/P), P = (Pa+Pd)/2",
        latex=r"\frac{1}{2} \sum_v P_a(v) \cdot \ln \frac{P_a(v)}{P(v)} + "
        r"\frac{1}{2} \sum_v P_d(v) \cdot \ln \frac{P_d(v)}{P(v)}, \quad P = \frac{P_a + P_d}{2}",
        range=(0, log(2)),
        sign=0,
        above=DIFFERENT,
        below=IMPOSSIBLE,
        source=CLARIFY,
    ),
    lp(),
    Metric(
        name="tvd",
        title="Total variation distance of the labels",
        formula=over_labels(total(_distance) / 2),
        definition="½ Σ|Pa−Pd|",
        latex=r"\frac{1}{2} \sum_v \left| P_a(v) - P_d(v) \right|",
        range=(0, 1),
        sign=0,
        above=DIFFERENT,
        below=IMPOSSIBLE,
        source=CLARIFY,
    ),
    Metric(
        name="ks",
        title="Kolmogorov–Smirnov distance of the labels",
        formula=over_labels(_distance.max()),
        definition="max|Pa−Pd| over the label values",
        latex=r"\max_v \left| P_a(v) - P_d(v) \right|",
        range=(0, 1),
        sign=0,
        above=DIFFERENT,
        below=IMPOSSIBLE,
        source=CLARIFY,
    ),
)

PARAMETRISED: Final = (lp,)
