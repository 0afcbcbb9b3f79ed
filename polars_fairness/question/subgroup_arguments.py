"""The further arguments of `subgroups`, described once, as `arguments` describes the others."""

from __future__ import annotations

from typing import Final

from polars_fairness.question.arguments import CONFIDENCE, FLAG, HOW_MANY, Argument, Option
from polars_fairness.question.harm import HARM

OF_SUBGROUPS: Final = (
    Argument(
        "depth",
        HOW_MANY,
        "the largest number of attributes that a group fixes",
        "1 gives the values of each attribute only; None has no limit.",
        option=Option("certainty", note="default no limit"),
    ),
    Argument(
        "minimum_count",
        HOW_MANY,
        "leave out groups with fewer rows",
        option=Option("certainty"),
    ),
    Argument(
        "unknown",
        FLAG,
        "whether null is a value of an attribute",
        "If not, groups that would fix null are left out; their rows still count among all rows.",
        default=True,
        option=Option("certainty", name="no_unknown", note="leave out groups of unknown values"),
    ),
    Argument(
        "shrink",
        FLAG,
        "whether to move the rates of small groups towards the mean rate of all groups of the same "
        "depth",
        "Empirical Bayes: a Beta distribution is fitted to these groups. ``beta``, "
        "``direction`` and ``rank`` are then computed from the shrunken rate.",
        default=False,
        option=Option("certainty", note="move rates of small groups towards the mean rate"),
    ),
    Argument(
        "confidence",
        CONFIDENCE,
        "the confidence level of the interval of each rate",
        "None for no intervals. It is Wilson's interval, with weights for the effective number of "
        "rows. For a shrunken rate it is the central interval of its Beta distribution (extra "
        "``significance``).",
        default=0.95,
        option=Option("certainty", note="none for no intervals"),
    ),
    HARM,
)
"""The further arguments of `subgroups`: which groups, their intervals and their order."""
