"""The rates of Fairness Indicators at a threshold, of one slice: our d."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Final

from polars_fairness.elsewhere.entries import (
    RATED,
    RATES_OF_LABELS,
    Row,
    Tool,
    Written,
    quotient,
)
from polars_fairness.errors import require_number
from polars_fairness.formula.formulas import Formula, over_scores
from polars_fairness.formula.scores import SCORE
from polars_fairness.formula.sides import d_s
from polars_fairness.formula.tree import choose

# For each rate, the counts above the line and those below it.
_RATES: Final = {
    "false_positive_rate": ("fp", "fp + tn"),
    "false_negative_rate": ("fn", "tp + fn"),
    "true_positive_rate": ("tp", "tp + fn"),
    "true_negative_rate": ("tn", "fp + tn"),
    "positive_rate": ("tp + fp", "tp + fp + tn + fn"),
    "negative_rate": ("tn + fn", "tp + fp + tn + fn"),
    "false_discovery_rate": ("fp", "tp + fp"),
    "false_omission_rate": ("fn", "tn + fn"),
    "precision": ("tp", "tp + fp"),
    "recall": ("tp", "tp + fn"),
}


def _threshold_formula(*parts: str) -> Written:
    def formula(threshold: float = 0.5) -> Formula:
        is_accepted = require_number("threshold", threshold) < SCORE
        counts = {
            "tp": choose(is_accepted, d_s.positive).sum(),
            "fp": choose(is_accepted, d_s.negative).sum(),
            "fn": choose(~is_accepted, d_s.positive).sum(),
            "tn": choose(~is_accepted, d_s.negative).sum(),
        }
        above, below = (reduce(add, map(counts.__getitem__, part.split(" + "))) for part in parts)
        return over_scores(quotient(above, below))

    return formula


TOOL: Final = Tool(
    name="fairness_indicators",
    title="Fairness Indicators",
    version="0.52.0",
    page="https://www.tensorflow.org/responsible_ai/fairness_indicators/guide",
    rows=tuple(
        Row(function, f"({above}) / ({below}) of d", _threshold_formula(above, below), **RATED)
        for function, (above, below) in _RATES.items()
    ),
    columns={
        "n": "example_count",
        "selection_rate": "positive_rate",
        **RATES_OF_LABELS,
        "ppv": "precision",
        "fdr": "false_discovery_rate",
    },
    conventions=("scores above the threshold are positive", "a rate of no rows is nan"),
)
