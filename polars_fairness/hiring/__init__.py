"""Tables about hiring that a rule prescribes; no legal opinions.

The impact ratios of New York City's Local Law 144 (6 RCNY § 5-301), and the four-fifths rule of
the Uniform Guidelines on Employee Selection Procedures (29 CFR 1607.4(D)) with significance.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from polars_fairness.hiring.document import report
    from polars_fairness.hiring.four_fifths import adverse_impact
    from polars_fairness.hiring.ratios import impact_ratios

__all__ = ["adverse_impact", "impact_ratios", "report"]

# Loaded when they are used: the command line reads the arguments of these functions for its help.
_PLACES: Final = {"adverse_impact": "four_fifths", "impact_ratios": "ratios", "report": "document"}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return [name for name in {*globals(), *__all__} if name in __all__ or name.startswith("__")]
