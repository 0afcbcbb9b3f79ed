"""The criteria by which an audit judges metrics: bands, signs and closed-form bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from polars_fairness.answers.options import AuditOptions
from polars_fairness.errors import FairnessError, did_you_mean, listed
from polars_fairness.formula.metric import Metric, Sign
from polars_fairness.inference.closed_forms.rates import bounds as limits
from polars_fairness.inference.closed_forms.strata import conditional_bounds
from polars_fairness.question.arguments import Band
from polars_fairness.question.roles import Roles
from polars_fairness.values.formula_checks import sign_of

_FORMS: Final = {"newcombe": "differences of two rates", "log": "ratios of two rates"}

Bounds = tuple[Metric, Metric]


@dataclass(frozen=True)
class Criteria:
    """The criteria for the metrics of an audit, by the names that metrics have in it."""

    options: AuditOptions
    closed_forms: Mapping[str, Bounds]
    bands: Mapping[str, Band]
    signs: Mapping[str, Sign]


def find_criteria(metrics: Mapping[str, Metric], roles: Roles, options: AuditOptions) -> Criteria:
    """Find the criteria for metrics, or refuse options that do not fit the metrics."""
    closed_forms = _closed_forms_of_method(metrics, roles, options)
    bands = _bands(metrics, {} if options.bands is None else options.bands)
    signs = _signs(metrics, bands)
    find = partial(conditional_bounds, confidence=_confidence(options))
    return Criteria(options, closed_forms | _closed_forms(metrics, find), bands, signs)


def _closed_forms_of_method(
    metrics: Mapping[str, Metric], roles: Roles, options: AuditOptions
) -> dict[str, Bounds]:
    method = options.method
    if method == "bootstrap":
        return {}
    if roles.weight:
        msg = f"method: {method!r} takes counts, but weight= is given; use 'bootstrap'"
        raise FairnessError(msg)
    find = partial(limits, method=method, confidence=_confidence(options))
    found = _closed_forms(metrics, find)
    if not found:
        msg = (
            f"method: {method!r} is for {_FORMS[method]}, and none of these is one: "
            f"{listed(metrics)}; use 'bootstrap'"
        )
        raise FairnessError(msg)
    return found


def _confidence(options: AuditOptions) -> float:
    # Without intervals the bounds show only whether a metric has the form, at any confidence.
    return options.confidence or 0.5


def _closed_forms(
    metrics: Mapping[str, Metric], find: Callable[[Metric], Bounds | None]
) -> dict[str, Bounds]:
    found = {name: find(metric) for name, metric in metrics.items()}
    return {name: pair for name, pair in found.items() if pair}


def _bands(metrics: Mapping[str, Metric], given: Mapping[str, Band]) -> dict[str, Band]:
    for name in given:
        if name not in metrics:
            msg = f"bands: {name!r} is not among the metrics; {did_you_mean(str(name), metrics)}"
            raise FairnessError(msg)
    return {name: given.get(name, metric.acceptable) for name, metric in metrics.items()}


def _signs(metrics: Mapping[str, Metric], bands: Mapping[str, Band]) -> dict[str, Sign]:
    """The sign of each metric with a band: the side that a value above the ideal speaks against."""
    signs: dict[str, Sign] = {}
    for name in (name for name, band in bands.items() if band is not None):
        sign = sign_of(metrics[name])
        if sign is None:
            msg = (
                f"bands: the formula of {name!r} does not show which side a value above its ideal "
                "speaks against; give the metric sign=1 for d, -1 for a, or 0 if no value does"
            )
            raise FairnessError(msg)
        signs[name] = sign
    return signs
