"""The functions that users call, by name; each is loaded when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, Final

from polars_fairness.catalogue import CATALOGUE

Function = Callable[..., Any]

ONE_METRIC: Final = "api.one_metric"


class Functions(Mapping[str, Function]):
    """Functions by name, from the modules that define them."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        self._modules = modules

    def __getitem__(self, name: str) -> Function:
        module = import_module(f"polars_fairness.{self._modules[name]}")
        function: Function = (
            module.one_metric(name) if self._modules[name] == ONE_METRIC else getattr(module, name)
        )
        return function

    def __contains__(self, name: object) -> bool:
        return name in self._modules

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


_ANSWERS: Final = {
    "cells": "api.cells",
    "rates": "api.rates",
    "confusions": "api.confusions",
    "metrics": "api.metrics",
    "audit": "api.audit",
    "bounds": "api.bounds",
    "check": "reporting.check",
    "compare": "api.compare",
    "decompose": "api.decompose",
    "worst_groups": "api.worst_groups",
    "report": "reporting.report",
    "switches": "api.switches",
    "calibration": "api.calibration",
    "choose": "api.choose",
    "cutoffs_by_group": "api.cutoffs_by_group",
    "explore": "explorer.exploration",
    "fliptest": "api.fliptest",
    "reweigh": "api.reweighing",
    "reweighed": "api.reweighing",
    "representation": "api.representation",
}

_OF: Final = {"of": "api.bound"}

FUNCTIONS: Final = Functions({**_ANSWERS, **_OF})
"""The functions of the package; each takes a frame and a question."""

ANSWERS: Final = Functions({**dict.fromkeys(CATALOGUE.names, ONE_METRIC), **_ANSWERS})
"""What answers a question: the functions, and one for each name of a metric."""

METHODS: Final = Functions({**dict.fromkeys(CATALOGUE.names, ONE_METRIC), **_ANSWERS, **_OF})
"""The methods of a frame: what answers a question, and what binds one."""

PRESCRIBED: Final[Mapping[str, Functions]] = {
    "hiring": Functions(
        {
            "adverse_impact": "hiring.four_fifths",
            "impact_ratios": "hiring.ratios",
            "report": "hiring.document",
        }
    ),
    "lending": Functions(
        {
            "quantiles": "lending.quantile_table",
            "report": "lending.document",
            "segments": "lending.segment_table",
            "table": "lending.group_table",
        }
    ),
}
"""The functions of the public modules, by module and name."""
