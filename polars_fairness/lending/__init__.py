"""Tables that fair lending prescribes by practice; no legal opinions."""

from polars_fairness.lending.document import report
from polars_fairness.lending.group_table import table
from polars_fairness.lending.quantile_table import quantiles
from polars_fairness.lending.segment_table import segments

__all__ = ["quantiles", "report", "segments", "table"]


def __dir__() -> list[str]:
    return [name for name in globals() if name in __all__ or name.startswith("__")]
