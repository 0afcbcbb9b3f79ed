"""Tables that fair lending prescribes by practice; no legal opinions."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from polars_fairness.lending.document import report
    from polars_fairness.lending.group_table import table
    from polars_fairness.lending.quantile_table import quantiles
    from polars_fairness.lending.segment_table import segments

__all__ = ["quantiles", "report", "segments", "table"]

# Loaded when they are used: the command line reads the arguments of these functions for its help.
_PLACES: Final = {
    "quantiles": "quantile_table",
    "report": "document",
    "segments": "segment_table",
    "table": "group_table",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return [name for name in {*globals(), *__all__} if name in __all__ or name.startswith("__")]
