"""The names of groups that `subgroups` ranks, and of the windows of any answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from polars_fairness.reporting.shown.recognised import Answer
from polars_fairness.reporting.words import value_in_words, window_in_words

Row = Mapping[str, Any]


def group_name(answer: Answer, row: Row) -> str:
    """The name of a group: the attributes that it fixes, with their values."""
    group, fixed = row["group"], row["fixed"]
    return ", ".join(
        f"{name} {value_in_words(group[name])}" for name in answer.attributes if fixed[name]
    )


def windows_in_words(answer: Answer, row: Row) -> str:
    """The window of a row of the answer; empty without ``by``."""
    return window_in_words(tuple((name, row[name]) for name in answer.windows))


def rate_of(row: Row) -> float | None:
    """The rate by which a group is ranked: the shrunken rate if there is one."""
    rate: float | None = row.get("shrunken_rate", row["rate"])
    return rate
