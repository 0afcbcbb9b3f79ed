"""The metrics that a call requests: names looked up, and needs checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from polars_fairness.api.clashes import (
    refuse_clashes_of,
    refuse_divided_multiples,
    refuse_missing_needs,
    refuse_unknown_positive,
)
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.errors import FairnessError, either, keyword, shown
from polars_fairness.formula.metric import Metric
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import COLUMNS
from polars_fairness.values.formula_checks import (
    if_unfavorable,
    needs_sides_apart,
    require_one_value,
)


def metrics_requested(metrics: Sequence[object], roles: Roles) -> dict[str, Metric]:
    """The requested metrics by name; without names, all metrics that the columns allow.

    These are without the metrics that are `only_named`.
    """
    if not metrics:
        return _allowed(roles)
    requested: dict[str, Metric] = {}
    for metric in one_by_one(metrics):
        if not isinstance(metric, str | Metric):
            name = getattr(metric, "__name__", None)
            hint = f"; give {name!r}" if name in CATALOGUE else ""
            takes = "names, Metric objects and lists of these"
            raise FairnessError(f"metrics: takes {takes}, got {shown(metric)}{hint}")
        name, found = (
            (metric, CATALOGUE[metric]) if isinstance(metric, str) else (metric.name, metric)
        )
        if name in (*requested, *COLUMNS, *roles.windows.made):
            raise FairnessError(
                f"metrics: there is a column {name!r} already; "
                f"{either('rename one metric with .named()', 'leave it out')}"
            )
        refuse_missing_needs(roles, found.name, found.needs)
        if found is not CATALOGUE.get(found.name):
            require_one_value(found)
        refuse_clashes_of(found, roles)
        if (measure := found.parsed.measure) and measure.bins is not None:
            refuse_divided_multiples(roles, name, measure.bins)
        requested[name] = found if roles.favorable else if_unfavorable(found)
    return requested


def one_by_one(metrics: Iterable[object]) -> list[Any]:
    """The metrics of a call, with the metrics of a list or tuple in its place."""
    unpacked: list[Any] = []
    for metric in metrics:
        if not isinstance(metric, list | tuple):
            unpacked.append(metric)
        elif metric:
            unpacked += one_by_one(metric)
        else:
            raise FairnessError("metrics: got an empty list; name a metric, or leave it out")
    return unpacked


def _is_meant(metric: Metric, roles: Roles) -> bool:
    """Whether a metric is computed without being named.

    Over two classes, `confusion_distance` is another metric's number.
    """
    compares_classes = roles.classes is not None and metric.parsed.level.divides_values
    return not roles.ranks_groups if compares_classes else not metric.only_named


def _allowed(roles: Roles) -> dict[str, Metric]:
    if roles.predicted is not None:
        refuse_unknown_positive(roles, "metrics", roles.predicted)
    allowed = {
        name: metric if roles.favorable else if_unfavorable(metric)
        for name, metric in CATALOGUE.items()
        if roles.allow(metric)
        and _is_meant(metric, roles)
        and not (roles.facets_against_all and needs_sides_apart(metric))
    }
    if not allowed:
        raise FairnessError(
            f"metrics: no metric can be computed from these arguments; give {keyword('facet')}, "
            f"and {keyword('label')} or {keyword('predicted')}"
        )
    return allowed
