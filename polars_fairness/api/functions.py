"""The functions that users call, by name; each is loaded when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, Final

from polars_fairness.api.unknown_arguments import PUBLIC
from polars_fairness.catalogue import CATALOGUE

Function = Callable[..., Any]

ONE_METRIC: Final = "answers.one_metric"


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
    "cells": "answers.cells",
    "rates": "answers.rates",
    "confusions": "answers.confusions",
    "metrics": "answers.metrics",
    "audit": "answers.audit",
    "bounds": "answers.bounds",
    "plan": "answers.plan",
    "check": "reporting.gate",
    "compare": "elsewhere.compare",
    "decompose": "answers.decompose",
    "drivers": "answers.drivers",
    "worst_groups": "answers.worst_groups",
    "report": "reporting.report",
    "switches": "answers.switches",
    "pairs": "answers.pairs",
    "calibration": "answers.calibration",
    "choose": "answers.choose",
    "explore": "explorer",
    "fliptest": "answers.individuals",
    "consistency": "answers.individuals",
    "reweigh": "answers.reweighing",
    "reweighed": "answers.reweighing",
    "representation": "answers.representation",
    "intake": "answers.intake",
}

_OF: Final = {"of": "facade.bound"}

FUNCTIONS: Final = Functions({**_ANSWERS, **_OF})
"""The functions of the package; each takes a frame and a question."""

ANSWERS: Final = Functions({**dict.fromkeys(CATALOGUE.names, ONE_METRIC), **_ANSWERS})
"""The functions that answer a question, and one for each name of a metric."""

METHODS: Final = Functions({**dict.fromkeys(CATALOGUE.names, ONE_METRIC), **_ANSWERS, **_OF})
"""The methods of a frame: those that answer a question, and the one that binds it."""

_OF_MODULES: Final = {
    "hiring": ("adverse_impact", "impact_ratios", "report"),
    "lending": ("quantiles", "report", "segments", "table"),
    "pay": ("report", "table"),
}

PRESCRIBED: Final[Mapping[str, Functions]] = {
    module: Functions(
        {name: f"{module}.{'page' if name == 'report' else 'tables'}" for name in names}
    )
    for module, names in _OF_MODULES.items()
}
"""The functions of the public modules, by module and name."""

PUBLIC.update({"": METHODS, **PRESCRIBED})


def prescribed(
    module: str, names: Mapping[str, object]
) -> tuple[Callable[[str], Function], Callable[[], list[str]]]:
    """What finds a function of a public module, loaded when it is used, and what lists them."""

    def find(name: str) -> Function:
        if name not in PRESCRIBED[module]:
            raise AttributeError(f"module 'polars_fairness.{module}' has no attribute {name!r}")
        return PRESCRIBED[module][name]

    return find, lambda: [*PRESCRIBED[module], *(name for name in names if name.startswith("__"))]
