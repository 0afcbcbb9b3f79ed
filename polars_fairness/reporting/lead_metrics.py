"""Which metrics a report puts first, and how far their values are from their bands."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, Final

from polars_fairness.answers.verdicts import TONES, tone_of
from polars_fairness.formula.metric import Metric
from polars_fairness.reporting.charts.scales import places
from polars_fairness.reporting.findings import Findings
from polars_fairness.reporting.words import band_of

_FIRST: Final = (
    "di",
    "dppl",
    "rd",
    "mh_ratio",
    "average_odds_difference",
    "cohens_d",
    "two_sd",
    "cmh",
)
"""The metrics that come first where the call names none: each kind of metric once."""

_PLACES: Final = {tone: place for place, tone in enumerate(TONES)}


def judged_metrics(findings: Findings) -> list[str]:
    """The metrics that have a band, and so a verdict; the lead metric first."""
    judged = [name for name in findings.metrics() if findings.band(name) is not None]
    if not findings.requested:
        judged.sort(key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))
    # A metric without sides has one value for all groups, and no place beside a group.
    judged.sort(key=lambda name: not findings.metric(name).has_sides)
    return judged


def requested_without_band(findings: Findings) -> list[str]:
    """The metrics that the call names and that have no band, so no verdict; with sides first."""
    if not findings.requested:
        return []
    metrics = findings.metrics()
    names = [name for name in metrics if findings.band(name) is None]
    return sorted(names, key=lambda name: not metrics[name].has_sides)


def is_ratio(metric: Metric) -> bool:
    """Whether 0.5 is as far from the ideal as 2, so that a scale has to be logarithmic."""
    return metric.ideal == 1 and metric.range[0] == 0


def farness(row: Mapping[str, Any]) -> float:
    """How far a value is from the middle of its band, in halves of the band's width."""
    band = band_of(row)
    if row["value"] is None or band is None:
        return -inf
    place = places(band, row["ideal"], 1)(row["value"])
    return -inf if place is None else abs(place)


def worst_first(row: Mapping[str, Any]) -> tuple[int, float]:
    """The key by which values outside their bands come first, the farthest of them before all."""
    return _PLACES[tone_of(row["verdict"]).name], -farness(row)
