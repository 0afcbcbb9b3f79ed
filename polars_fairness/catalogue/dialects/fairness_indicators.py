"""The rates of Fairness Indicators at a threshold, of one slice: our d."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import add
from typing import Final

from polars_fairness.catalogue.dialects.entries import (
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

# Of each rate, the counts above the line and those below it.
_RATES: Final = {
    "false_positive_rate": (("fp",), ("fp", "tn")),
    "false_negative_rate": (("fn",), ("tp", "fn")),
    "true_positive_rate": (("tp",), ("tp", "fn")),
    "true_negative_rate": (("tn",), ("fp", "tn")),
    "positive_rate": (("tp", "fp"), ("tp", "fp", "tn", "fn")),
    "negative_rate": (("tn", "fn"), ("tp", "fp", "tn", "fn")),
    "false_discovery_rate": (("fp",), ("tp", "fp")),
    "false_omission_rate": (("fn",), ("tn", "fn")),
    "precision": (("tp",), ("tp", "fp")),
    "recall": (("tp",), ("tp", "fn")),
}


def _at_threshold(above: tuple[str, ...], below: tuple[str, ...]) -> Written:
    def formula(threshold: float = 0.5) -> Formula:
        is_accepted = require_number("threshold", threshold) < SCORE
        counts = {
            "tp": choose(is_accepted, d_s.positive).sum(),
            "fp": choose(is_accepted, d_s.negative).sum(),
            "fn": choose(~is_accepted, d_s.positive).sum(),
            "tn": choose(~is_accepted, d_s.negative).sum(),
        }
        one, other = (reduce(add, (counts[each] for each in part)) for part in (above, below))
        return over_scores(quotient(one, other))

    return formula


def _rows() -> Iterator[Row]:
    for function, (above, below) in _RATES.items():
        title = f"{function.replace('_', ' ').capitalize()} of a slice"
        definition = f"({' + '.join(above)}) / ({' + '.join(below)}) of d"
        yield Row(function, title, definition, _at_threshold(above, below), **RATED)


TOOL: Final = Tool(
    name="fairness_indicators",
    title="Fairness Indicators",
    version="0.52.0",
    page="https://www.tensorflow.org/responsible_ai/fairness_indicators/guide",
    rows=tuple(_rows()),
    reasons={},
    columns={
        "n": "example_count",
        "selection_rate": "positive_rate",
        **RATES_OF_LABELS,
        "ppv": "precision",
        "fdr": "false_discovery_rate",
    },
    conventions=("scores above the threshold are positive", "a rate of no rows is nan"),
)
