"""The further arguments of `choose` and `cutoffs_by_group`, described once."""

from __future__ import annotations

from typing import Final, Literal, get_args

from polars_fairness.question.arguments import BANDS, CHOICE, METRIC, Argument, Option

Equal = Literal["selection_rate", "tpr", "fpr", "tnr", "fnr", "equalized_odds"]

MAXIMISE: Final = Argument(
    "maximise",
    METRIC,
    "the value of all rows that is to be as high as possible",
    'Such as "accuracy", "selection_rate" or ``pf.utility(tp=1, fp=-5)``; or the name of a rate.',
    default="accuracy",
    option=Option("certainty"),
)

EQUAL: Final = Argument(
    "equal",
    CHOICE,
    "the rate that is to be equal in all groups",
    '"equalized_odds" is for equal true and equal false positive rates. None looks for the best '
    "cut-off of each group by itself.",
    choices=get_args(Equal),
    choices_elsewhere=(
        ("demographic_parity", "selection_rate"),
        ("statistical_parity", "selection_rate"),
        ("selection_rate_parity", "selection_rate"),
        ("equal_opportunity", "tpr"),
        ("true_positive_rate", "tpr"),
        ("true_positive_rate_parity", "tpr"),
        ("predictive_equality", "fpr"),
        ("false_positive_rate", "fpr"),
        ("false_positive_rate_parity", "fpr"),
        ("true_negative_rate", "tnr"),
        ("true_negative_rate_parity", "tnr"),
        ("false_negative_rate", "fnr"),
        ("false_negative_rate_parity", "fnr"),
        ("equalised_odds", "equalized_odds"),
    ),
    option=Option("certainty", note="default no rate"),
)

OF_CHOOSE: Final = (
    MAXIMISE,
    Argument(
        "bands",
        BANDS,
        "the acceptable values of metrics, in place of the bands of the catalogue",
        "``{metric: (low, high)}``; None for a metric that is shown and sets no limit.",
        option=Option("certainty", name="band", note="METRIC=LOW:HIGH, or METRIC=none"),
    ),
)
"""The further arguments of `choose`."""

OF_CUTOFFS: Final = (EQUAL, MAXIMISE)
"""The further arguments of `cutoffs_by_group`."""
