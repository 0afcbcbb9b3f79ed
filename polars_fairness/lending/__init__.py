"""Tables that are customary in fair lending; no legal opinions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polars_fairness.api.functions import prescribed

if TYPE_CHECKING:
    from polars_fairness.lending.page import report
    from polars_fairness.lending.tables import quantiles, segments, table

__all__ = ["quantiles", "report", "segments", "table"]

__getattr__, __dir__ = prescribed("lending", globals())
