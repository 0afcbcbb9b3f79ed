"""Figures to charts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import altair as alt

from polars_fairness.reporting.charts.comparison import comparison_chart
from polars_fairness.reporting.charts.contributions import contributions_chart
from polars_fairness.reporting.charts.curves import (
    calibration_chart,
    roc_chart,
    scores_chart,
    sweep_chart,
)
from polars_fairness.reporting.charts.forest import forest_chart
from polars_fairness.reporting.charts.frontier import frontier_chart
from polars_fairness.reporting.charts.heat import heat_chart
from polars_fairness.reporting.charts.look import Look
from polars_fairness.reporting.charts.rates import rate_chart
from polars_fairness.reporting.charts.switches import switches_chart
from polars_fairness.reporting.charts.time import time_chart
from polars_fairness.reporting.parts import Chart, Figure

_BUILDERS: Final[Mapping[Chart, Any]] = {
    "rates": rate_chart,
    "comparison": comparison_chart,
    "forest": forest_chart,
    "time": time_chart,
    "contributions": contributions_chart,
    "switches": switches_chart,
    "heat": heat_chart,
    "roc": roc_chart,
    "calibration": calibration_chart,
    "scores": scores_chart,
    "sweep": sweep_chart,
    "frontier": frontier_chart,
}


def built(figure: Figure, look: Look) -> alt.LayerChart:
    """The chart of a figure, without a width."""
    chart: alt.LayerChart = _BUILDERS[figure.chart](figure.marks, look, **figure.settings)
    return chart
