"""The metrics that a call requests, and the question about what these need."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from polars_fairness.api.clashes import (
    refuse_clashes_of,
    refuse_divided_multiples,
    refuse_missing_needs,
    refuse_unknown_positive,
    refuse_unranked_groups,
)
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.errors import FairnessError, shown
from polars_fairness.formula.metric import Metric
from polars_fairness.question.outcomes import Number
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import COLUMNS
from polars_fairness.values.formula_checks import (
    if_unfavorable,
    needs_sides_apart,
    require_one_value,
)


def requested(metrics: Sequence[object], roles: Roles) -> tuple[dict[str, Metric], Roles]:
    """The metrics given as names and objects, and in lists of these, and the question for them."""
    refuse_unranked_groups(roles)
    named_metrics = metrics_requested(metrics, roles)
    return named_metrics, serving(named_metrics, roles, are_named=bool(metrics))


def one_requested(metric: object, roles: Roles) -> tuple[Metric, Roles]:
    """The metric given as a name or as an object, and the question for it."""
    if not isinstance(metric, str | Metric):
        raise FairnessError(f"metric: takes one name or Metric, got {metric!r}")
    by_name, roles = requested([metric], roles)
    return next(iter(by_name.values())), roles


def serving(metrics: Mapping[str, Metric], roles: Roles, *, are_named: bool = False) -> Roles:
    """The question without what these metrics do not need.

    If they are named, and not just all that the columns allow, the scores of one that is about
    probabilities have to lie between 0 and 1.
    """
    needed = {need for metric in metrics.values() for need in metric.needs}
    if roles.ranks_groups and (ranked_by := roles.ranking_outcome):
        needed.add(ranked_by.role)
    if roles.nulls == "drop" and "label" in needed and roles.predicted:
        needed.add("predicted")  # it shows whose labels are missing
    # The sums of cells show whether their scores were rounded by another resolution.
    if roles.score and roles.score.has_sums:
        needed.add("score")
    kept = _joined(metrics.values(), roles.keeping(needed))
    changed: dict[str, Any] = {}
    if kept.classes is not None and metrics:
        # A group has the highest rate of one class, and not of all.
        at_once = not kept.ranks_groups and any(m.compares_classes for m in metrics.values())
        each = not all(metric.parsed.level.divides_values for metric in metrics.values())
        changed["classes"] = replace(kept.classes, one_by_one=each, all_at_once=at_once)
    if by_value := {metric.parsed.level.number for metric in metrics.values()} - {None}:
        added_up = {
            n for metric in metrics.values() if metric.adds_up_numbers for n in metric.needs
        }
        changed["numbers"] = tuple(
            _key_number(each, is_summed=each.role in added_up) if each.role in by_value else each
            for each in kept.numbers
        )
    if sums := {each for metric in metrics.values() for each in metric.sums_of_ranks}:
        is_for_ranks = all(
            each.is_about_ranks or "score" not in each.needs for each in metrics.values()
        )
        kept = kept.summing_ranks(sums, have_scores=kept.decides_by_score or not is_for_ranks)
    of_probabilities = (
        name for name, metric in metrics.items() if metric.parsed.is_about_probabilities
    )
    if are_named and kept.score and (name := next(of_probabilities, None)):
        kept = kept.with_scores(lambda each: replace(each, probabilities_for=name))
    return replace(kept, **changed) if changed else kept


def _key_number(number: Number, *, is_summed: bool) -> Number:
    """The number as a key of cells; raise if it is a mean of several values."""
    if number.has_sums:
        name = number.column.name
        raise FairnessError(
            f"{number.role}: a quantile needs every value of {name!r}, but these cells hold means; "
            f"give cells(..., score={name!r}), or the rows"
        )
    return replace(number, is_key=True, is_summed=is_summed)


def _joined(metrics: Collection[Metric], roles: Roles) -> Roles:
    """The question with the facets one by one, joined, or both, as the metrics need them."""
    are_joint = {metric.is_joint for metric in metrics}
    if True not in are_joint:
        return roles
    if len(are_joint) > 1 and len(roles.facets) == 1:
        raise FairnessError(
            f"groups: with one facet, {roles.joint_facet!r}, rows of metrics over intersections or "
            "conjunctions look like other rows; request these metrics in a separate call"
        )
    return roles.joined(are_apart=False in are_joint, are_joint=True)


def with_certainty(metrics: Collection[Metric], roles: Roles) -> Roles:
    """The question whose cells show how the values of metrics vary."""
    has_numbers = any(metric.adds_up_numbers for metric in metrics)
    if roles.left_out:
        return roles
    # From sums of powers of what both models say of each row, by Welch's rule with the rows of both
    # sides, 91 to 100 % of intervals of a difference of means held, but 80 to 89 % of those of a
    # ratio of root mean squares of 30 rows a side; and they need sums to the eighth power.
    if has_numbers and roles.champion is not None:
        raise FairnessError(
            "cluster: two models estimate numbers for the same rows, and the interval of their "
            "difference needs a column that identifies the rows; give cluster= or confidence=None"
        )
    # At cuts that the data give. At given thresholds, rows are counted by the decisions of both.
    if roles.champion is not None and roles.decides_by_score:
        raise FairnessError(
            "cluster: several models accept the best of the same rows, and the interval of their "
            "difference needs a column that identifies the rows; give cluster= or confidence=None"
        )
    score = roles.score if roles.uncertain_facets else None
    if score is not None and not score.is_rounded and not roles.decides_by_score:
        raise FairnessError(
            "resolution: with intervals of groups known only as probabilities, each score is "
            "counted 200 times; give resolution=0.01 or another, or confidence=None"
        )
    return roles.showing_spread


def metrics_requested(metrics: Sequence[object], roles: Roles) -> dict[str, Metric]:
    """The requested metrics by name; without names, all that the columns allow and `_is_meant`."""
    if not metrics:
        return _allowed(roles)
    requested: dict[str, Metric] = {}
    for metric in one_by_one(metrics):
        if not isinstance(metric, str | Metric):
            name = getattr(metric, "__name__", None)
            hint = f"; give {name!r}" if name in CATALOGUE else ""
            takes = "names, Metric objects and lists of these"
            raise FairnessError(f"metrics: takes {takes}, got {shown(metric)}{hint}")
        name, chosen = (
            (metric, CATALOGUE[metric]) if isinstance(metric, str) else (metric.name, metric)
        )
        if name in (*requested, *COLUMNS, *roles.windows.made):
            raise FairnessError(
                f"metrics: there is already a column {name!r}; rename one metric with .named()"
            )
        refuse_missing_needs(roles, chosen.name, chosen.needs)
        if chosen is not CATALOGUE.get(chosen.name):
            require_one_value(chosen)
        refuse_clashes_of(chosen, roles)
        if (measure := chosen.parsed.measure) and measure.bins is not None:
            refuse_divided_multiples(roles, name, measure.bins)
        requested[name] = chosen if roles.favorable else if_unfavorable(chosen)
    return requested


def one_by_one(metrics: Iterable[object]) -> list[Any]:
    """The metrics of a call, lists and tuples flattened."""
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
            "metrics: no metric can be computed from these arguments; give facet=, "
            "and label= or predicted="
        )
    return allowed
