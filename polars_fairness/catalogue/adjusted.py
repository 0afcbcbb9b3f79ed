"""Two sides at equal controls: what may explain a difference is held constant."""

from __future__ import annotations

from typing import Any, Final

from polars_fairness.catalogue.selection import A_ACCEPTED_MORE, D_ACCEPTED_MORE, DIFFERENCE, RATIO
from polars_fairness.catalogue.wording import sentences
from polars_fairness.formula.formulas import at_equal_controls
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.numbers import centred_mean, mean_log
from polars_fairness.formula.sides import a_c, d_c
from polars_fairness.formula.tree import unbounded_ratio

EXAMINERS: Final = "marginal effects of a logistic regression, as bank examiners require"
PAY: Final = "regression with controls, as in pay audits"
EQUAL: Final = "at equal controls, "

_RATIO: Final[dict[str, Any]] = {**RATIO, "sign": -1}


def _adjusted_metrics(number: str, name: str) -> tuple[Metric, Metric]:
    """What compares a number at equal controls; whether more is good depends on the outcome."""
    higher = f"{EQUAL}the mean {number} value is higher for {{}} than for {{}}"
    return (
        Metric(name=f"adjusted_{name}_difference",
            title=f"Difference in mean {number} value at equal controls",
            formula=at_equal_controls(centred_mean(number)(a_c) - centred_mean(number)(d_c)),
            definition=f"−β, β of d in a least-squares regression of {number} on side and controls",
            sign=1, **sentences(higher.format("{a}", "{d}")), source=PAY),
        Metric(name=f"adjusted_{name}_ratio", title=f"Ratio of {number} values at equal controls",
            formula=at_equal_controls((mean_log(number)(d_c) - mean_log(number)(a_c)).exp()),
            definition=f"exp(β), β of d in a least-squares regression of log {number}, all above 0",
            **_RATIO,
            **sentences(
                f"{EQUAL}the {number} value is higher for {{d}} than for {{a}}",
                reading=f"{EQUAL}the {number} value is {{value}} times as high for {{d}} as for "
                "{a}",
            ),
            source=PAY),
    )  # fmt: skip


# fmt: off
METRICS: Final = (
    Metric(name="adjusted_difference", title="Difference in selection rates at equal controls",
        formula=at_equal_controls(a_c.selection_rate - d_c.selection_rate),
        definition="m_a − m_d, the mean fitted q' with all rows on side a, and on side d",
        **DIFFERENCE, **sentences(EQUAL + A_ACCEPTED_MORE), source=EXAMINERS),
    Metric(name="adjusted_ratio", title="Ratio of selection rates at equal controls",
        formula=at_equal_controls(unbounded_ratio(d_c.selection_rate, a_c.selection_rate)),
        definition="m_d / m_a, the mean fitted q' with all rows on side d, and on side a", **RATIO,
        **sentences(
            EQUAL + D_ACCEPTED_MORE,
            reading=EQUAL + "{d} is {accepted} {value} times as often as {a}",
        ),
        source=EXAMINERS),
    Metric(name="adjusted_odds_ratio", title="Odds ratio at equal controls",
        formula=at_equal_controls(unbounded_ratio(d_c.odds, a_c.odds)),
        definition="exp(β), β of d in a logistic regression on side and controls", **RATIO,
        **sentences(
            EQUAL + D_ACCEPTED_MORE,
            reading=EQUAL + "the odds of {d} being {accepted} are {value} times those of {a}",
        ),
        source=EXAMINERS),
    Metric(name="adjusted_base_rate_difference", title="Difference in base rates at equal controls",
        formula=at_equal_controls(a_c.base_rate - d_c.base_rate),
        definition="m_a − m_d, the mean fitted q with all rows on side a, and on side d",
        **DIFFERENCE, **sentences(EQUAL + "{a} is {qualified} more often than {d}"),
        source=EXAMINERS),
    Metric(name="adjusted_base_rate_ratio", title="Ratio of base rates at equal controls",
        formula=at_equal_controls(unbounded_ratio(d_c.base_rate, a_c.base_rate)),
        definition="m_d / m_a, the mean fitted q with all rows on side d, and on side a", **RATIO,
        **sentences(
            EQUAL + "{d} is {qualified} more often than {a}",
            reading=EQUAL + "{d} is {qualified} {value} times as often as {a}",
        ),
        source=EXAMINERS),
    *_adjusted_metrics("estimated", "estimate"),
    *_adjusted_metrics("observed", "observed"),
)
