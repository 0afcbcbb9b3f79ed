"""Tables that fair lending prescribes by practice; no legal opinions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polars_fairness.api.functions import prescribed

if TYPE_CHECKING:
    from polars_fairness.lending.document import report
    from polars_fairness.lending.group_table import table
    from polars_fairness.lending.quantile_table import quantiles
    from polars_fairness.lending.segment_table import segments

__all__ = ["quantiles", "report", "segments", "table"]

__getattr__, __dir__ = prescribed("lending", globals())
