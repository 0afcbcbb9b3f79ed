"""Numbers as outcomes: observed values, estimated values, and their distance."""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import Any, Final

from polars_fairness.catalogue.wording import (
    DIFFER_ABOVE,
    FAIRLEARN,
    HOLISTICAI,
    IMPOSSIBLE,
    sentences,
)
from polars_fairness.formula.formulas import Formula, across, stratified
from polars_fairness.formula.levels import COMPARISON, Each, Largest
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.numbers import (
    Of,
    actual_to_expected,
    centred_mean,
    correlation,
    explained_by_group,
    mean,
    mean_distance,
    mean_residual,
    mean_square,
    needing_all_groups,
    pooled_deviation,
    r2,
    root_mean_square,
)
from polars_fairness.formula.sides import a, a_i, all_, d, d_i, g
from polars_fairness.formula.tree import (
    INFINITY,
    Expression,
    choose,
    larger,
    literal,
    needing_several,
    ratio,
    term,
)

_RATIO: Final[dict[str, Any]] = {"range": (0, INFINITY), "ideal": 1, "acceptable": (0.8, 1.25)}


def _quotient(of: Of, *negative: Expression) -> Formula:
    """A number of d over that of a, where both are above 0 and no value is below."""
    parts = of(d), of(a)
    is_ratio = reduce(and_, (*(each > 0 for each in parts), *(each == 0 for each in negative)))
    return Formula(COMPARISON, choose(is_ratio, parts[0] / parts[1]))


def _gap(of: Of, name: str) -> Formula:
    """The gap of a number; a group's part is its distance from the group farthest away."""
    own = of(g)
    farthest = larger(own.max() - own, own - own.min())
    value = needing_all_groups(g, own, needing_several(own, own.max() - own.min()))
    largest = Largest("difference", number=name)
    return across(value, each=Each(name, literal(1.0), farthest), largest=largest)


def _mean_metrics(number: str, name: str, mean_of: str) -> tuple[Metric, ...]:
    """What compares the means of a number."""
    higher = f"the mean {number} value is higher for {{}} than for {{}}"
    a_higher, d_higher = higher.format("{a}", "{d}"), higher.format("{d}", "{a}")
    apart = centred_mean(number)(a) - centred_mean(number)(d)
    negative = (term(f"{side.name}.{number}_negative") for side in (a, d))
    return (
        Metric(name=f"{name}_difference", title=f"Difference in mean {number} value",
            formula=Formula(COMPARISON, apart),
            definition=f"{mean_of}_a − {mean_of}_d", sign=1, **sentences(a_higher),
            source=HOLISTICAI),
        Metric(name=f"conditional_{name}_difference",
            title=f"Conditional difference in mean {number} value",
            formula=stratified(
                # Means of no rows are not compared, whatever a call says 0/0 is.
                choose(
                    (a_i.n > 0) & (d_i.n > 0), centred_mean(number)(a_i) - centred_mean(number)(d_i)
                )
            ),
            definition=f"Σ nᵢ·({mean_of}_aᵢ − {mean_of}_dᵢ) / Σ nᵢ over the strata i", sign=1,
            **sentences(f"within strata, {a_higher}"), source="standardization by strata"),
        Metric(name=f"{name}_ratio", title=f"Ratio of mean {number} values",
            formula=_quotient(mean(number), *negative),
            definition=f"{mean_of}_d / {mean_of}_a, of numbers of 0 or more", **_RATIO, sign=-1,
            **sentences(
                d_higher,
                reading=f"the mean {number} value is {{value}} times as high for {{d}} as for "
                "{a}",
            ),
            source=HOLISTICAI),
        Metric(name=f"{name}_smd", title=f"Standardized mean difference of {number} values",
            formula=Formula(COMPARISON, ratio(apart, pooled_deviation(number))),
            definition=f"({mean_of}_a − {mean_of}_d) / s, s the pooled standard deviation", sign=1,
            **sentences(a_higher), source=HOLISTICAI),
    )  # fmt: skip


def _error_metrics(of: Of, name: str, title: str) -> tuple[Metric, ...]:
    """What compares an error of the two sides; a larger error is bad, whatever the outcome."""
    worse = f"the {title} is larger for {{}} than for {{}}"
    d_worse, a_worse = worse.format("{d}", "{a}"), worse.format("{a}", "{d}")
    return (
        Metric(name=f"{name}_difference", title=f"Difference in {title}",
            formula=Formula(COMPARISON, of(d) - of(a)),
            definition=f"{name}_d − {name}_a", sign=1, above=d_worse, below=a_worse,
            unfavorable={"sign": 1}, source=FAIRLEARN),
        Metric(name=f"{name}_ratio", title=f"Ratio of {title}",
            formula=_quotient(of),
            definition=f"{name}_d / {name}_a", **_RATIO, sign=1, above=d_worse, below=a_worse,
            reading=f"the {title} of {{d}} is {{value}} times that of {{a}}",
            unfavorable={"sign": 1}, source=HOLISTICAI),
    )  # fmt: skip


def _fit_metric(of: Of, name: str, title: str, symbol: str, span: tuple[float, float]) -> Metric:
    higher = f"the {title} is higher for {{}} than for {{}}"
    return Metric(name=f"{name}_difference", title=f"Difference in {title}", formula=of(a) - of(d),
        definition=f"{symbol}_a − {symbol}_d", range=span, sign=1,
        above=higher.format("{a}", "{d}"), below=higher.format("{d}", "{a}"),
        unfavorable={"sign": 1}, source=HOLISTICAI)  # fmt: skip


def _gap_of(of: Of, name: str, title: str, number: str | None = None) -> Metric:
    return Metric(name=f"{name}_gap", title=f"Gap in {title}",
        formula=_gap(of, number or name),
        definition=f"max − min of the {title} over the groups", range=(0, INFINITY), **DIFFER_ABOVE,
        source=FAIRLEARN)  # fmt: skip


_MAE: Final = (mean_distance, "mae", "mean absolute error")
_RMSE: Final = (root_mean_square, "rmse", "root mean squared error")

METRICS: Final = (
    *_mean_metrics("estimated", "estimate", "ē"),
    *_mean_metrics("observed", "observed", "ō"),
    Metric(name="residual_difference", title="Difference in mean residual",
        formula=Formula(COMPARISON, mean_residual(d) - mean_residual(a)),
        definition="r̄_d − r̄_a, r = estimated − observed", sign=-1,
        above="compared with {a}, {d} is overestimated",
        below="compared with {a}, {d} is underestimated",
        source="Calders et al. 2013"),
    Metric(name="actual_to_expected_ratio", title="Ratio of actual to expected",
        formula=_quotient(
            actual_to_expected,
            *(
                term(f"{side.name}.{number}_negative")
                for side in (a, d)
                for number in ("observed", "estimated")
            ),
        ),
        definition="(Σo_d / Σe_d) / (Σo_a / Σe_a)", **_RATIO, sign=1,
        above="compared with {a}, more is observed for {d} than is estimated",
        below="compared with {a}, less is observed for {d} than is estimated",
        reading="the ratio of observed to estimated of {d} is {value} times that of {a}",
        source="insurance practice"),
    *_error_metrics(*_MAE),
    *_error_metrics(*_RMSE),
    _fit_metric(correlation, "correlation", "correlation", "ρ", (-2, 2)),
    _fit_metric(r2, "r2", "share of explained variance", "R²", (-INFINITY, INFINITY)),
    _gap_of(centred_mean("estimated"), "estimate", "mean estimated value", "estimated_mean"),
    _gap_of(*_MAE),
    _gap_of(*_RMSE),
    Metric(name="worst_mse", title="Worst mean squared error",
        formula=across(
            needing_all_groups(g, mean_square(g), mean_square(g).max()),
            largest=Largest("number itself", number="mse"),
        ),
        definition="max over groups of the mean of r²", range=(0, INFINITY),
        above="the estimates of some group are inaccurate", below=IMPOSSIBLE,
        source="Agarwal et al. 2019"),
    Metric(name="explained_by_group", title="Variance explained by the group",
        formula=across(
            explained_by_group(g, all_), largest=Largest("spread", number="estimated_mean")
        ),
        definition="1 − (1 − η²)(n − 1)/(n − K), η² the variance between the K groups over all",
        range=(-INFINITY, 1), above="the group explains part of the variance of the estimates",
        below="the group explains less than chance would", source="Kelley 1935"),
)  # fmt: skip
