"""Metrics whose names begin with a prefix, as in `aif360.average_odds_difference`.

The module of a prefix is imported when a name with this prefix is first used. Only this module
knows of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Final, Literal, Protocol, get_args

from polars_fairness.formula.metric import Metric

Prefix = Literal[
    "aequitas",
    "aif360",
    "clarify",
    "fairlearn",
    "fairness_indicators",
    "holisticai",
    "smclarify",
    "solas",
]
"""The names before the dot."""

MODULES: Final[Mapping[str, str]] = {
    prefix: f"polars_fairness.elsewhere.{prefix}" for prefix in get_args(Prefix)
}


class Prefixed(Protocol):
    """What a module has under the name `TOOL`."""

    @property
    def columns(self) -> Mapping[str, str]:
        """Its names for the columns of `rates`, by ours."""

    @property
    def names(self) -> Iterable[str]:
        """The full name of every metric."""

    def called(self) -> Iterable[tuple[str, str, str]]:
        """The full name of each metric with each of its own names, and the nearest metric here."""

    def factory(self, name: str, /) -> Callable[..., Metric]:
        """What makes the metric of a full name; raise a `LookupError` if there is none."""


def prefixed(name: str) -> Prefixed | None:
    """The tool whose metrics a name is looked up in; None without a known prefix.

    Examples
    --------
    >>> prefixed("fairlearn.selection_rate_ratio").columns["tpr"]
    'true_positive_rate'
    >>> prefixed("selection_rate_ratio")
    """
    prefix, dot, _ = name.partition(".")
    if not dot or prefix not in MODULES:
        return None
    found: Prefixed = import_module(MODULES[prefix]).TOOL
    return found
