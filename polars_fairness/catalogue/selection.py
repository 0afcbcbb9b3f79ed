"""Acceptance: two sides, predictions only."""

from __future__ import annotations

from typing import Any, Final

from polars_fairness.catalogue.strata import (
    CMH,
    COMMON_DIFFERENCE,
    COMMON_ODDS_RATIO,
    COMMON_RATIO,
    DEGREES_OF_FREEDOM,
    DISTANCE_OF_ODDS_RATIOS,
)
from polars_fairness.catalogue.wording import (
    AIF360,
    CLARIFY,
    HOLISTICAI,
    MANTEL_HAENSZEL,
    sentences,
)
from polars_fairness.formula.formulas import across_strata, stratified
from polars_fairness.formula.metric import ANY, Metric
from polars_fairness.formula.sides import Side, a, both, both_i, d, d_i
from polars_fairness.formula.tree import (
    INFINITY,
    Expression,
    choose,
    larger,
    logarithm,
    ratio,
    smaller,
    unbounded_ratio,
)

DIFFERENCE: Final[dict[str, Any]] = {"range": (-1, 1), "acceptable": (-0.1, 0.1)}
RATIO: Final[dict[str, Any]] = {"range": (0, INFINITY), "ideal": 1, "acceptable": (0.8, 1.25)}
TEST: Final[dict[str, Any]] = {"range": ANY, "acceptable": (-2, 2), "has_interval": False}

A_ACCEPTED_MORE: Final = "{a} is {accepted} more often than {d}"
D_ACCEPTED_MORE: Final = "{d} is {accepted} more often than {a}"
D_REJECTED_MORE: Final = "{d} has a larger share of the {rejections} than of the {acceptances}"

# With weights, the effective number of rows stands in place of the number of rows.
_rows_per_weight: Final = both.effective_n / both.n


# q'(1 - q') is written accepted * rejected / n²: if all rows of a side are accepted, the sum of
# squares is exactly 0, even where weights make 1 - q' a rounding error.
def _sum_of_squares(side: Side) -> Expression:
    # A side may have less than one effective row; its sum of squares is 0 then.
    freedom = (side.n * _rows_per_weight - 1).clip(lower=0)
    return freedom * side.accepted * side.rejected / side.n**2


_difference: Final = a.selection_rate - d.selection_rate
_freedom: Final = both.effective_n - 2
_pooled_deviation: Final = choose(
    _freedom > 0, ((_sum_of_squares(a) + _sum_of_squares(d)) / _freedom).sqrt(), 0.0
)
_balance: Final = both.effective_n * a.n * d.n


METRICS: Final = (
    Metric(name="dppl", title="Selection rate difference",
        formula=a.selection_rate - d.selection_rate, definition="q'a − q'd", **DIFFERENCE,
        **sentences(A_ACCEPTED_MORE), source=CLARIFY),
    Metric(name="statistical_parity", title="Statistical parity difference",
        formula=d.selection_rate - a.selection_rate, definition="q'd − q'a", **DIFFERENCE,
        **sentences(D_ACCEPTED_MORE), source=f"{HOLISTICAI}, {AIF360}"),
    Metric(name="di", aliases=("disparate_impact", "adverse_impact_ratio"),
        title="Impact ratio", titles={"adverse_impact_ratio": "Adverse impact ratio"},
        formula=unbounded_ratio(d.selection_rate, a.selection_rate),
        definition="q'd / q'a", **RATIO,
        **sentences(D_ACCEPTED_MORE, reading="{d} is {accepted} {value} times as often as {a}"),
        source=f"{CLARIFY}, {AIF360}"),
    Metric(name="success_ratio", title="Success ratio",
        formula=unbounded_ratio(a.selection_rate, d.selection_rate), definition="q'a / q'd",
        **RATIO,
        **sentences(A_ACCEPTED_MORE, reading="{a} is {accepted} {value} times as often as {d}"),
        source=HOLISTICAI),
    Metric(name="four_fifths", title="Four-fifths rule",
        formula=ratio(
            smaller(a.selection_rate, d.selection_rate), larger(a.selection_rate, d.selection_rate)
        ),
        definition="min(q'a, q'd) / max(q'a, q'd)", range=(0, 1), ideal=1, acceptable=(0.8, 1),
        sign=0,
        **sentences(
            above="impossible",
            below="one side is {accepted} more often than the other; the value does not say which",
        ),
        source=HOLISTICAI),
    Metric(name="cohens_d", title="Cohen's d", formula=ratio(_difference, _pooled_deviation),
        definition="(q'a − q'd) / s, s² = ((na−1)q'a(1−q'a) + (nd−1)q'd(1−q'd)) / (na+nd−2)",
        range=ANY, acceptable=(-0.2, 0.2), **sentences(A_ACCEPTED_MORE), source=HOLISTICAI),
    Metric(name="two_sd", aliases=("z_difference",),
        title="Two-standard-deviation rule for the difference",
        formula=ratio(_difference, (both.accepted * both.rejected / _balance).sqrt()),
        definition="(q'a − q'd) / √(q'(1−q') / (N·P(1−P))), q' pooled, N = na+nd, P = na/N", **TEST,
        **sentences(A_ACCEPTED_MORE), source=f"{HOLISTICAI}, Morris 2001"),
    Metric(name="z_ratio", title="Two-standard-deviation rule for the log ratio",
        formula=ratio(
            logarithm(a.selection_rate) - logarithm(d.selection_rate),
            (both.rejected * both.n**2 / (both.accepted * _balance)).sqrt(),
        ),
        definition="ln(q'a/q'd) / √((1−q') / (q'·N·P(1−P))), q' pooled, N = na+nd, P = na/N",
        **TEST, **sentences(A_ACCEPTED_MORE), source=f"{HOLISTICAI}, Morris 2001"),
    Metric(name="ddpl", title="Demographic disparity in predicted labels",
        formula=ratio(d.rejected, both.rejected) - ratio(d.accepted, both.accepted),
        definition="rejected_d/rejected_both − accepted_d/accepted_both", range=(-1, 1),
        **sentences(D_REJECTED_MORE), source=CLARIFY),
    Metric(name="odds_ratio", title="Odds ratio",
        formula=unbounded_ratio(d.accepted * a.rejected, d.rejected * a.accepted),
        definition="accepted_d·rejected_a / (rejected_d·accepted_a)", range=(0, INFINITY), ideal=1,
        **sentences(
            D_ACCEPTED_MORE,
            reading="the odds of {d} being {accepted} are {value} times those of {a}",
        ),
        source="Woolf 1955"),
    Metric(name="cddpl", title="Conditional demographic disparity",
        formula=stratified(
            ratio(d_i.rejected, both_i.rejected) - ratio(d_i.accepted, both_i.accepted)
        ),
        definition="Σ nᵢ·ddplᵢ / Σ nᵢ over the strata i", range=(-1, 1),
        **sentences("within strata, " + D_REJECTED_MORE), source=CLARIFY),
    Metric(name="mh_ratio", title="Impact ratio within strata",
        formula=across_strata(COMMON_RATIO),
        definition="Σ accepted_dᵢ·n_aᵢ/nᵢ / Σ accepted_aᵢ·n_dᵢ/nᵢ over the strata i", **RATIO,
        **sentences(
            "within strata, " + D_ACCEPTED_MORE,
            reading="within strata, {d} is {accepted} {value} times as often as {a}",
        ),
        source=MANTEL_HAENSZEL),
    Metric(name="mh_difference", title="Selection rate difference within strata",
        formula=across_strata(COMMON_DIFFERENCE),
        definition="Σ (accepted_aᵢ·n_dᵢ − accepted_dᵢ·n_aᵢ)/nᵢ / Σ n_aᵢ·n_dᵢ/nᵢ over the strata i",
        **DIFFERENCE, **sentences("within strata, " + A_ACCEPTED_MORE), source=MANTEL_HAENSZEL),
    Metric(name="mh_odds_ratio", title="Mantel–Haenszel common odds ratio",
        formula=across_strata(COMMON_ODDS_RATIO),
        definition="Σ accepted_dᵢ·rejected_aᵢ/nᵢ / Σ rejected_dᵢ·accepted_aᵢ/nᵢ over the strata i",
        range=(0, INFINITY), ideal=1, **sentences("within strata, " + D_ACCEPTED_MORE),
        source=MANTEL_HAENSZEL),
    Metric(name="cmh", title="Signed root of the Cochran–Mantel–Haenszel statistic",
        formula=across_strata(CMH),
        definition="Σ (Aᵢ − Eᵢ) / √Σ Vᵢ over the strata i, A = accepted_a, E = na·accepted/n, "
        "V = na·nd·accepted·rejected / (n²(n−1))",
        **TEST, **sentences("within strata, " + A_ACCEPTED_MORE),
        source=f"Cochran 1954, {MANTEL_HAENSZEL}"),
    Metric(name="breslow_day",
        title="Breslow–Day statistic for different odds ratios",
        formula=across_strata(DISTANCE_OF_ODDS_RATIOS),
        definition="Σ (Aᵢ − Eᵢ)² / Vᵢ over the strata i, A = accepted_d, E and V its expected "
        "count and variance if the odds ratio is mh_odds_ratio",
        range=(0, INFINITY), ideal=None, sign=0, has_interval=False,
        degrees_of_freedom=across_strata(DEGREES_OF_FREEDOM), source="Breslow and Day 1980"),
)  # fmt: skip
