"""At equal controls: two sides whose rows differ in what may explain a difference."""

from __future__ import annotations

from typing import Any, Final

from polars_fairness.catalogue.selection import A_ACCEPTED_MORE, D_ACCEPTED_MORE, DIFFERENCE, RATIO
from polars_fairness.catalogue.wording import sentences
from polars_fairness.formula.formulas import at_equal_controls
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.numbers import centred_mean, mean_log
from polars_fairness.formula.sides import a_c, d_c
from polars_fairness.formula.tree import unbounded_ratio

EXAMINERS: Final = "marginal effects of a logistic regression, as examiners of banks ask for"
PAY: Final = "regression with controls, as audits of pay have it"
EQUAL: Final = "at equal controls, "

_RATIO: Final[dict[str, Any]] = {**RATIO, "sign": -1}


def _adjusted_metrics(number: str, name: str) -> tuple[Metric, Metric]:
    """What compares a number at equal controls; to pay or to owe more is bad or good."""
    higher = f"{EQUAL}the mean of {number} is higher for {{}} than for {{}}"
    return (
        Metric(name=f"adjusted_{name}_difference",
            title=f"Difference in mean {number} at equal controls",
            formula=at_equal_controls(centred_mean(number)(a_c) - centred_mean(number)(d_c)),
            definition=f"−β, β of d in least squares of {number} on the side and the controls",
            sign=1, **sentences(higher.format("{a}", "{d}")), source=PAY),
        Metric(name=f"adjusted_{name}_ratio", title=f"Ratio of {number} at equal controls",
            formula=at_equal_controls((mean_log(number)(d_c) - mean_log(number)(a_c)).exp()),
            definition=f"exp(β), β of d in least squares of log {number}, all of it above 0",
            **_RATIO,
            **sentences(
                f"{EQUAL}{number} is higher for {{d}} than for {{a}}",
                reading=f"{EQUAL}{number} is {{value}} times as high for {{d}} as for {{a}}",
            ),
            source=PAY),
    )  # fmt: skip


# fmt: off
METRICS: Final = (
    Metric(name="adjusted_difference", title="Difference in selection rates at equal controls",
        formula=at_equal_controls(a_c.selection_rate - d_c.selection_rate),
        definition="m_a − m_d, the mean fitted q' of all rows as members of a, and of d",
        **DIFFERENCE, **sentences(EQUAL + A_ACCEPTED_MORE), source=EXAMINERS),
    Metric(name="adjusted_ratio", title="Ratio of selection rates at equal controls",
        formula=at_equal_controls(unbounded_ratio(d_c.selection_rate, a_c.selection_rate)),
        definition="m_d / m_a, the mean fitted q' of all rows as members of d, and of a", **RATIO,
        **sentences(
            EQUAL + D_ACCEPTED_MORE,
            reading=EQUAL + "{d} is {accepted} {value} times as often as {a}",
        ),
        source=EXAMINERS),
    Metric(name="adjusted_odds_ratio", title="Odds ratio at equal controls",
        formula=at_equal_controls(unbounded_ratio(d_c.odds, a_c.odds)),
        definition="exp(β), β of d in a logistic regression on the side and the controls", **RATIO,
        **sentences(
            EQUAL + D_ACCEPTED_MORE,
            reading=EQUAL + "the odds of {d} to be {accepted} are {value} times those of {a}",
        ),
        source=EXAMINERS),
    Metric(name="adjusted_base_rate_difference", title="Difference in base rates at equal controls",
        formula=at_equal_controls(a_c.base_rate - d_c.base_rate),
        definition="m_a − m_d, the mean fitted q of all rows as members of a, and of d",
        **DIFFERENCE, **sentences(EQUAL + "{a} is {qualified} more often than {d}"),
        source=EXAMINERS),
    Metric(name="adjusted_base_rate_ratio", title="Ratio of base rates at equal controls",
        formula=at_equal_controls(unbounded_ratio(d_c.base_rate, a_c.base_rate)),
        definition="m_d / m_a, the mean fitted q of all rows as members of d, and of a", **RATIO,
        **sentences(
            EQUAL + "{d} is {qualified} more often than {a}",
            reading=EQUAL + "{d} is {qualified} {value} times as often as {a}",
        ),
        source=EXAMINERS),
    *_adjusted_metrics("estimated", "estimate"),
    *_adjusted_metrics("observed", "observed"),
)
