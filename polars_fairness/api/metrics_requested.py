"""Which metrics are asked for, and whether the question can be answered."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.errors import FairnessError, require_extra
from polars_fairness.formula.metric import Metric
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import COLUMNS
from polars_fairness.values.formula_checks import refuse_what_has_no_value


def serving(roles: Roles, metrics: Collection[Metric]) -> Roles:
    """Leave what these metrics need of a question, and see that it can be answered."""
    needed = roles.without_idle_assumptions(metrics).without_idle_features(metrics)
    needed = needed.for_groups_of(metrics)
    if needed.points:
        require_extra("features", "neighbours", "scipy", "tqdm")
    return needed


def asked_for(metrics: Sequence[object], roles: Roles) -> dict[str, Metric]:
    """Find the metrics asked for; a metric goes by the name it was asked by."""
    if not metrics:
        return _allowed(roles)
    asked: dict[str, Metric] = {}
    for metric in metrics:
        if not isinstance(metric, str | Metric):
            msg = f"metrics: takes names and Metric objects, got {metric!r}"
            raise FairnessError(msg)
        name, found = (
            (metric, CATALOGUE[metric]) if isinstance(metric, str) else (metric.name, metric)
        )
        if name in asked or name in COLUMNS:
            msg = f"metrics: there is a column {name!r} already; rename one metric with .named()"
            raise FairnessError(msg)
        roles.must_allow(found)
        if found is not CATALOGUE.get(found.name):
            refuse_what_has_no_value(found)
        asked[name] = found
    return asked


def _allowed(roles: Roles) -> dict[str, Metric]:
    if roles.predicted is not None:
        roles.must_tell_positive("metrics", roles.predicted)
    allowed = {name: metric for name, metric in CATALOGUE.items() if roles.allow(metric)}
    if not allowed:
        msg = "metrics: no metric goes by what was given; give facet= and label= or predicted="
        raise FairnessError(msg)
    return allowed
