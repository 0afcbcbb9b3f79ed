"""Tables that fair lending prescribes by practice; no legal opinions."""

from polars_fairness.api.prescribed.lending_table import table
from polars_fairness.api.prescribed.quantiles import quantiles
from polars_fairness.api.prescribed.segments import segments
from polars_fairness.reporting.prescribed.lending_report import report

__all__ = ["quantiles", "report", "segments", "table"]


def __dir__() -> list[str]:
    return [name for name in globals() if name in __all__ or name.startswith("__")]
