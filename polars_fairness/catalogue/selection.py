"""Acceptance: two sides, predictions only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import polars as pl

from polars_fairness.catalogue.sources import (
    AIF360,
    BRESLOW_DAY,
    CLARIFY,
    COCHRAN,
    HOLISTICAI,
    MANTEL_HAENSZEL,
    MORRIS,
    WOOLF,
)
from polars_fairness.formula.arithmetic import (
    INFINITY,
    UNDEFINED,
    larger,
    logarithm,
    ratio,
    smaller,
    unbounded_ratio,
)
from polars_fairness.formula.formulas import across_strata, stratified
from polars_fairness.formula.metric import ANY, Metric
from polars_fairness.formula.sides import Side, a, a_i, both, both_i, d, d_i

A_ACCEPTED_MORE: Final = "a is accepted more often than d"
D_ACCEPTED_MORE: Final = "d is accepted more often than a"
D_REJECTED_MORE: Final = "d has a larger share of the rejections than of the acceptances"
A_REJECTED_MORE: Final = "a has a larger share of the rejections than of the acceptances"

Part = Callable[[Side], pl.Expr]


# With weights, the effective number of rows stands in place of the number of rows.
_rows_per_weight: Final = both.effective_n / both.n


# q'(1 - q') is written accepted * rejected / n²: if all rows of a side are accepted, the sum of
# squares is exactly 0, even where weights make 1 - q' a rounding error.
def _sum_of_squares(side: Side) -> pl.Expr:
    # A side may have less than one effective row; its sum of squares is 0 then.
    freedom = (side.n * _rows_per_weight - 1).clip(lower_bound=0)
    return freedom * side.accepted * side.rejected / side.n**2


_difference: Final = a.selection_rate - d.selection_rate
_freedom: Final = both.effective_n - 2
_pooled_deviation: Final = (
    pl.when(_freedom > 0)
    .then(((_sum_of_squares(a) + _sum_of_squares(d)) / _freedom).sqrt())
    .otherwise(0.0)
)
_balance: Final = both.effective_n * a.n * d.n


def excess_and_variance(yes: Part, no: Part) -> tuple[pl.Expr, pl.Expr]:
    """The excess of yes in a over its expected count, and its variance, both summed over strata.

    A stratum has as many people as its effective number of rows.
    """
    n_a, n_d, n = (yes(side) + no(side) for side in (a_i, d_i, both_i))
    rows_per_weight = both_i.effective_n / both_i.n
    people = n * rows_per_weight
    # A − E, written without a difference of two nearly equal counts: where the sides change
    # places, only its sign changes.
    excess = (yes(a_i) * no(d_i) - yes(d_i) * no(a_i)) / n * rows_per_weight
    variance = n_a * n_d * yes(both_i) * no(both_i) / n**2 * rows_per_weight**2 / (people - 1)
    # A stratum of one person has no information, and its variance would be 0/0.
    counts = (n > 0) & (people > 1)
    return pl.when(counts).then(excess).sum(), pl.when(counts).then(variance).sum()


def _products(one: pl.Expr, other: pl.Expr) -> pl.Expr:
    return pl.when(both_i.n > 0).then(one * other / both_i.n).sum()


_excess, _variance = excess_and_variance(lambda side: side.accepted, lambda side: side.rejected)
_agreeing: Final = _products(d_i.accepted, a_i.rejected)
_opposing: Final = _products(d_i.rejected, a_i.accepted)

_is_informative: Final = (d_i.n > 0) & (a_i.n > 0) & (both_i.accepted > 0) & (both_i.rejected > 0)
INFORMATIVE_STRATA: Final = _is_informative.sum()
"""The number of strata with rows of both sides and of both outcomes."""

# Where the common odds ratio is 0 or infinite, each stratum has it too, and no variance.
_differ: Final = (INFORMATIVE_STRATA > 1) & (_agreeing > 0) & (_opposing > 0)


def _squared_distance(common: pl.Expr) -> pl.Expr:
    """(A − E)²/V of a stratum: how far its accepted rows of d are from the common odds ratio.

    The expected counts of a stratum have the common odds ratio and its margins. They solve a
    quadratic, which is no quadratic if the odds ratio is 1. The solution is written without the
    division by 0 then, and with one difference of numbers that may be nearly equal: `excess`.
    """
    excess = d_i.accepted * a_i.rejected - common * d_i.rejected * a_i.accepted
    opposing = d_i.rejected + a_i.accepted
    root = (
        (d_i.accepted - a_i.rejected) ** 2
        + 2 * common * (d_i.n * a_i.n + both_i.accepted * both_i.rejected)
        + common**2 * (d_i.rejected - a_i.accepted) ** 2
    ).sqrt()

    def expected(one: pl.Expr, other: pl.Expr) -> pl.Expr:
        """An expected count, as a multiple: A − E is 2·excess in the same unit."""
        more = one * opposing + 2 * d_i.rejected * a_i.accepted
        return one * (root + one - other) + common * more

    one, other = d_i.accepted, a_i.rejected
    distance = 4 * excess**2 * root / (expected(one, other) * expected(other, one))
    return distance * both_i.effective_n / both_i.n


METRICS: Final = (
    Metric(
        name="dppl",
        title="Difference in positive proportions in predicted labels",
        formula=a.selection_rate - d.selection_rate,
        definition="q'a − q'd",
        latex=r"q'_a - q'_d",
        range=(-1, 1),
        acceptable=(-0.1, 0.1),
        above=A_ACCEPTED_MORE,
        below=D_ACCEPTED_MORE,
        source=CLARIFY,
    ),
    Metric(
        name="statistical_parity",
        title="Statistical parity difference",
        formula=d.selection_rate - a.selection_rate,
        definition="q'd − q'a",
        latex=r"q'_d - q'_a",
        range=(-1, 1),
        acceptable=(-0.1, 0.1),
        above=D_ACCEPTED_MORE,
        below=A_ACCEPTED_MORE,
        source=f"{HOLISTICAI}, {AIF360}",
    ),
    Metric(
        name="di",
        aliases=("disparate_impact", "adverse_impact_ratio"),
        title="Disparate impact",
        formula=unbounded_ratio(d.selection_rate, a.selection_rate),
        definition="q'd / q'a",
        latex=r"\frac{q'_d}{q'_a}",
        range=(0, INFINITY),
        ideal=1,
        acceptable=(0.8, 1.25),
        above=D_ACCEPTED_MORE,
        below=A_ACCEPTED_MORE,
        reading="d is accepted {value} times as often as a",
        source=f"{CLARIFY}, {AIF360}",
    ),
    Metric(
        name="success_ratio",
        title="Success ratio",
        formula=unbounded_ratio(a.selection_rate, d.selection_rate),
        definition="q'a / q'd",
        latex=r"\frac{q'_a}{q'_d}",
        range=(0, INFINITY),
        ideal=1,
        acceptable=(0.8, 1.25),
        above=A_ACCEPTED_MORE,
        below=D_ACCEPTED_MORE,
        reading="a is accepted {value} times as often as d",
        source=HOLISTICAI,
    ),
    Metric(
        name="four_fifths",
        title="Four-fifths rule",
        formula=ratio(
            smaller(a.selection_rate, d.selection_rate),
            larger(a.selection_rate, d.selection_rate),
        ),
        definition="min(q'a, q'd) / max(q'a, q'd)",
        latex=r"\frac{\min(q'_a, q'_d)}{\max(q'_a, q'_d)}",
        range=(0, 1),
        ideal=1,
        acceptable=(0.8, 1),
        sign=0,
        above="impossible",
        below="one side is accepted more often than the other; the value does not say which",
        source=HOLISTICAI,
    ),
    Metric(
        name="cohens_d",
        title="Cohen's d",
        formula=ratio(_difference, _pooled_deviation),
        definition="(q'a − q'd) / s, s² = ((na−1)q'a(1−q'a) + (nd−1)q'd(1−q'd)) / (na+nd−2)",
        latex=r"\frac{q'_a - q'_d}{s}, \quad "
        r"s^2 = \frac{(n_a - 1) q'_a (1 - q'_a) + (n_d - 1) q'_d (1 - q'_d)}{n_a + n_d - 2}",
        range=ANY,
        acceptable=(-0.2, 0.2),
        above=A_ACCEPTED_MORE,
        below=D_ACCEPTED_MORE,
        source=HOLISTICAI,
    ),
    Metric(
        name="two_sd",
        aliases=("z_difference",),
        title="Two-standard-deviations rule, on the difference",
        formula=ratio(_difference, (both.accepted * both.rejected / _balance).sqrt()),
        definition="(q'a − q'd) / √(q'(1−q') / (N·P(1−P))), q' pooled, N = na+nd, P = na/N",
        latex=r"\frac{q'_a - q'_d}{\sqrt{q' (1 - q') / (N P (1 - P))}}, "
        r"\quad N = n_a + n_d, \quad P = n_a / N",
        range=ANY,
        acceptable=(-2, 2),
        has_interval=False,
        above=A_ACCEPTED_MORE,
        below=D_ACCEPTED_MORE,
        source=f"{HOLISTICAI}, {MORRIS}",
    ),
    Metric(
        name="z_ratio",
        title="Two-standard-deviations rule, on the log ratio",
        formula=ratio(
            logarithm(a.selection_rate) - logarithm(d.selection_rate),
            (both.rejected * both.n**2 / (both.accepted * _balance)).sqrt(),
        ),
        definition="ln(q'a/q'd) / √((1−q') / (q'·N·P(1−P))), q' pooled, N = na+nd, P = na/N",
        latex=r"\frac{\ln q'_a - \ln q'_d}{\sqrt{(1 - q') / (q' N P (1 - P))}}, "
        r"\quad N = n_a + n_d, \quad P = n_a / N",
        range=ANY,
        acceptable=(-2, 2),
        has_interval=False,
        above=A_ACCEPTED_MORE,
        below=D_ACCEPTED_MORE,
        source=f"{HOLISTICAI}, {MORRIS}",
    ),
    Metric(
        name="ddpl",
        title="Demographic disparity in predicted labels",
        formula=ratio(d.rejected, both.rejected) - ratio(d.accepted, both.accepted),
        definition="rejected_d/rejected_both − accepted_d/accepted_both",
        latex=r"\frac{\mathrm{rejected}_d}{\mathrm{rejected}_{\mathrm{both}}} - "
        r"\frac{\mathrm{accepted}_d}{\mathrm{accepted}_{\mathrm{both}}}",
        range=(-1, 1),
        acceptable=(-0.1, 0.1),
        above=D_REJECTED_MORE,
        below=A_REJECTED_MORE,
        source=CLARIFY,
    ),
    Metric(
        name="odds_ratio",
        title="Odds ratio",
        formula=unbounded_ratio(d.accepted * a.rejected, d.rejected * a.accepted),
        definition="accepted_d·rejected_a / (rejected_d·accepted_a)",
        latex=r"\frac{\mathrm{accepted}_d \cdot \mathrm{rejected}_a}"
        r"{\mathrm{rejected}_d \cdot \mathrm{accepted}_a}",
        range=(0, INFINITY),
        ideal=1,
        above=D_ACCEPTED_MORE,
        below=A_ACCEPTED_MORE,
        reading="the odds of d to be accepted are {value} times those of a",
        source=WOOLF,
    ),
    Metric(
        name="cddpl",
        title="Conditional demographic disparity in predicted labels",
        formula=stratified(
            ratio(d_i.rejected, both_i.rejected) - ratio(d_i.accepted, both_i.accepted)
        ),
        definition="Σ nᵢ·ddplᵢ / Σ nᵢ over the subgroups i",
        latex=r"\frac{\sum_i n_i \cdot \mathrm{ddpl}_i}{\sum_i n_i}",
        range=(-1, 1),
        acceptable=(-0.1, 0.1),
        above=f"within subgroups, {D_REJECTED_MORE}",
        below=f"within subgroups, {A_REJECTED_MORE}",
        source=CLARIFY,
    ),
    Metric(
        name="mh_odds_ratio",
        title="Mantel–Haenszel common odds ratio",
        formula=across_strata(unbounded_ratio(_agreeing, _opposing)),
        definition="Σ accepted_dᵢ·rejected_aᵢ/nᵢ / Σ rejected_dᵢ·accepted_aᵢ/nᵢ over subgroups i",
        latex=r"\frac{\sum_i \mathrm{accepted}_{d,i} \cdot \mathrm{rejected}_{a,i} / n_i}"
        r"{\sum_i \mathrm{rejected}_{d,i} \cdot \mathrm{accepted}_{a,i} / n_i}",
        range=(0, INFINITY),
        ideal=1,
        above=f"within subgroups, {D_ACCEPTED_MORE}",
        below=f"within subgroups, {A_ACCEPTED_MORE}",
        source=MANTEL_HAENSZEL,
    ),
    Metric(
        name="cmh",
        title="Cochran–Mantel–Haenszel statistic, its signed root",
        formula=across_strata(ratio(_excess, _variance.sqrt())),
        definition="Σ (Aᵢ − Eᵢ) / √Σ Vᵢ over subgroups i, A = accepted_a, E = na·accepted/n, "
        "V = na·nd·accepted·rejected / (n²(n−1))",
        latex=r"\frac{\sum_i (A_i - E_i)}{\sqrt{\sum_i V_i}}, "
        r"\quad E_i = \frac{n_{a,i} \cdot \mathrm{accepted}_i}{n_i}, "
        r"\quad V_i = \frac{n_{a,i} \cdot n_{d,i} \cdot "
        r"\mathrm{accepted}_i \cdot \mathrm{rejected}_i}{n_i^2 (n_i - 1)}",
        range=ANY,
        acceptable=(-2, 2),
        has_interval=False,
        above=f"within subgroups, {A_ACCEPTED_MORE}",
        below=f"within subgroups, {D_ACCEPTED_MORE}",
        source=f"{COCHRAN}, {MANTEL_HAENSZEL}",
    ),
    Metric(
        name="breslow_day",
        title="Breslow–Day statistic: whether odds ratios of subgroups are alike",
        formula=across_strata(
            pl.when(_differ)
            .then(pl.when(_is_informative).then(_squared_distance(_agreeing / _opposing)).sum())
            .otherwise(UNDEFINED.first())
        ),
        definition="Σ (Aᵢ − Eᵢ)² / Vᵢ over subgroups i, A = accepted_d, E and V its expected count "
        "and variance where the odds ratio is mh_odds_ratio",
        latex=r"\sum_i \frac{(A_i - E_i)^2}{V_i}",
        range=(0, INFINITY),
        ideal=None,
        sign=0,
        has_interval=False,
        degrees_of_freedom=across_strata(
            # Without `otherwise` polars 1 cannot read the plan that it has written.
            pl.when(_differ).then(INFORMATIVE_STRATA - 1).otherwise(None)
        ),
        source=BRESLOW_DAY,
    ),
)
