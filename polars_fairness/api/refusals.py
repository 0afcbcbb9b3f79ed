"""Questions that have no answer, refused at the call: what is missing, and what to give."""

from __future__ import annotations

from collections.abc import Container, Iterable

from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.metric import Metric
from polars_fairness.question.outcomes import Outcome
from polars_fairness.question.roles import Roles


def refuse_missing_needs(roles: Roles, metric: Metric) -> None:
    """Refuse a metric for which something is missing, and say what."""
    for need in metric.needs:
        if need not in roles.given:
            _refuse_missing(roles, metric.name, need)


def refuse_unknown_positive(roles: Roles, what: str, *outcomes: Outcome) -> None:
    """Refuse outcomes whose positive values are not known."""
    for outcome in outcomes:
        if not outcome.is_binary:
            _refuse_missing(roles, what, outcome.role)


def refuse_no_columns(roles: Roles, what: str) -> None:
    """Refuse a question that names no column to count by."""
    if not roles.key_columns:
        msg = f"{what}: nothing to count by; name a column as facet=, label= or predicted="
        raise FairnessError(msg)


def refuse_intersections(roles: Roles) -> None:
    """Refuse facets that are made of several attributes already."""
    for facet in roles.facets:
        if facet.is_intersection:
            names = [name for name, _ in facet.fields]
            msg = (
                f"facet: {facet.name!r} is an intersection already; list its attributes one "
                f"by one, {listed(names)}"
            )
            raise FairnessError(msg)


def refuse_taken_names(roles: Roles, arguments: Container[str], output: Iterable[str]) -> None:
    """Refuse columns of these arguments that could not stand beside those of the result."""
    taken = list(output)
    for role, column in roles.columns_by_role:
        if role not in arguments:
            continue
        if column.name in taken:
            msg = (
                f"{role}: the result has a column called {column.name!r} already; give this "
                "one another name with .alias()"
            )
            raise FairnessError(msg)
        taken.append(column.name)


def _refuse_missing(roles: Roles, what: str, need: str) -> None:
    argument = need.partition(" ")[0]
    outcome = {"label": roles.label, "predicted": roles.predicted}.get(argument)
    if outcome is None:
        msg = f"{what}: needs {argument}=, which was not given; name the {argument} column"
    else:
        msg = (
            f"positive: {what} needs to know which values of {outcome.column.name!r} "
            f"({outcome.column.dtype}) count as positive; give positive="
        )
    raise FairnessError(msg)
