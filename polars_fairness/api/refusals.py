"""Errors at the call: a missing argument, an unknown positive value, a name that is taken.

The argument `name` is the metric or the function that cannot be computed.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from math import ceil

from polars_fairness.errors import FairnessError, either, keyword, listed
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question
from polars_fairness.question.columns import Column
from polars_fairness.question.outcomes import Outcome
from polars_fairness.question.references import HIGHEST, LARGEST, OVERALL
from polars_fairness.question.roles import Roles
from polars_fairness.values.formula_checks import needs_sides_apart


def refuse_missing_needs(roles: Roles, name: str, needs: Iterable[str]) -> None:
    """Raise if an argument is missing that is needed."""
    for need in needs:
        if need not in roles.given:
            _refuse_missing(roles, name, need)


def refuse_unknown_positive(roles: Roles, name: str, *outcomes: Outcome) -> None:
    """Raise if the positive values of an outcome are unknown."""
    for outcome in outcomes:
        if not outcome.is_binary:
            _refuse_missing(roles, name, outcome.role)


def refuse_clusters(roles: Roles, name: str) -> None:
    """Raise if rows belong together, and the intervals or tests of a function take them apart."""
    if roles.cluster is not None:
        raise FairnessError(
            f"cluster: {name} computes intervals or p-values as if rows were independent; leave "
            f"{keyword('cluster')} out, or compare the groups by audit, which has intervals over "
            "clusters"
        )


def refuse_best(roles: Roles, name: str) -> None:
    """Raise if the best so many are accepted, and a function is about decisions of each row."""
    if roles.best is not None:
        raise FairnessError(
            f"threshold: {name} needs decisions of whole rows, and at {roles.best!r} rows that tie "
            "count in part; give a number, or call audit"
        )


def refuse_uncertain_groups(roles: Roles, name: str, instead: str) -> None:
    """Raise if groups are known in probability, and a function is about known ones."""
    for facet in roles.uncertain_facets:
        raise FairnessError(
            f"facet: {name} needs to know the group of each row, and of {facet.name!r} only "
            f"probabilities are known; {instead}"
        )


def refuse_classes(roles: Roles, what: str = "this") -> None:
    """Raise if each class is positive in turn, and a function is about two outcomes."""
    if roles.classes is not None:
        raise FairnessError(
            f"classes: {what} is about two outcomes, and each class is positive in turn in "
            "metrics, rates, audit, decompose, worst_groups and bounds only; leave it out, and "
            f"give {keyword('positive')}"
        )


def refuse_unranked_groups(roles: Roles) -> None:
    """Raise if the group with the highest rate is side a, and there is no rate."""
    if not roles.ranks_groups:
        return
    if roles.ranking_outcome is None:
        raise FairnessError(
            f"favored: {HIGHEST.written} is the group with the highest rate of an outcome, and "
            f"none was given; name the predicted or the label column, or give {LARGEST.written}"
        )
    given = either("favored=pf.HIGHEST", HIGHEST.in_a_shell)
    refuse_unknown_positive(roles, given, roles.ranking_outcome)


def refuse_ranked_classes(roles: Roles, metric: Metric) -> None:
    """Raise if a metric compares all classes at once, and side a has the highest rate of one."""
    if roles.classes and roles.ranks_groups and metric.parsed.level.divides_values:
        raise FairnessError(
            f"favored: {metric.name!r} compares all classes at once, and {HIGHEST.written} is the "
            f"group with the highest rate of one; name a group, or give {LARGEST.written}"
        )


def refuse_shared_rows(roles: Roles, metric: Metric) -> None:
    """Raise if side a holds side d too, and the metric needs sides without rows in common."""
    if roles.facets_against_all and needs_sides_apart(metric):
        raise FairnessError(
            f"favored: {metric.name!r} depends on how many rows the sides have, or on each of "
            f"them, and with {OVERALL.written} the rows of d would count on both sides; compare d "
            f"with the rest, without {OVERALL.written}, or leave the metric out"
        )


def refuse_divided_multiples(roles: Roles, name: str, bins: int) -> None:
    """Raise if scores were rounded down to multiples that may lie in two bins."""
    score = roles.score
    if score is None or score.divides_bins(bins):
        return
    if score.multiples is None:
        raise FairnessError(
            f"resolution: {name!r} needs to know to which multiples the scores of these cells were "
            f"rounded down; give the {keyword('resolution')} by which they were counted"
        )
    width, step = 1 / bins, float(score.multiples.step)
    raise FairnessError(
        f"resolution: multiples of {step:g} may lie in two of the {bins} bins of {name!r}; give "
        f"another number of bins, or a resolution that divides their width of {width:g}, such as "
        f"{width / ceil(width / step):g}"
    )


def refuse_scores_of_models(roles: Roles, name: str) -> None:
    """Raise if models have scores without one threshold each: a row has several scores then."""
    if roles.predicted is None or roles.decides_by_score:
        raise FairnessError(
            f"threshold: {name} of several models hold their decisions; give one threshold, or "
            f"{either('{model: number}', 'MODEL=NUMBER')}, or count the scores of each model in a "
            "call of its own"
        )


def refuse_models(question: Question, name: str) -> None:
    """Raise if there are several models, and the function is about one."""
    if isinstance(question.get("predicted"), Mapping):
        raise FairnessError(
            f"predicted: {name} is about one model; name one column, and call it for each model"
        )


def refuse_no_columns(columns: Sequence[Column], name: str) -> None:
    """Raise if the question names no column to count by."""
    if not columns:
        raise FairnessError(
            f"{name}: no column to count by; give {keyword('facet')}, {keyword('label')} or "
            f"{keyword('predicted')}"
        )


def refuse_intersections(roles: Roles) -> None:
    """Raise if a facet is an intersection of several attributes already."""
    for facet in roles.facets:
        if facet.is_intersection:
            names = [name for name, _ in facet.fields]
            raise FairnessError(
                f"facet: {facet.name!r} is an intersection already; list its attributes one "
                f"by one, {listed(names)}"
            )


def refuse_facet_named(roles: Roles, name: str) -> None:
    """Raise if a facet has the name that stands for all rows in the result."""
    if any(facet.name == name for facet in roles.facets):
        raise FairnessError(
            f"facet: in the result {name!r} stands for all rows; give this column another name "
            f"{either('with .alias()', 'in the file')}"
        )


def refuse_taken_names(roles: Roles, arguments: Container[str], output: Iterable[str]) -> None:
    """Raise if a column of these arguments has the name of another column of the result."""
    shown = (column for column in roles.columns if column.argument in arguments)
    refuse_taken(shown, (*roles.windows.made, *output))


def refuse_taken(columns: Iterable[Column], output: Iterable[str]) -> None:
    """Raise if a column of the caller has the name of another column of the result."""
    taken = [*output]
    for column in columns:
        if column.name in taken:
            raise FairnessError(
                f"{column.argument}: the result has a column called {column.name!r} already; give "
                f"this column another name {either('with .alias()', 'in the file')}"
            )
        taken.append(column.name)


def _refuse_missing(roles: Roles, name: str, need: str) -> None:
    argument = need.partition(" ")[0]
    if argument == "score" and roles.champion is not None:
        raise FairnessError(
            f"champion: {name} is about scores, and a champion is compared by the decisions on the "
            f"same rows; leave the metric out, or call audit without {keyword('champion')}"
        )
    outcome = {"label": roles.label, "predicted": roles.predicted}.get(argument)
    if argument == "predicted" and outcome is None and (score := roles.score) is not None:
        if score.argument == "score":
            msg = (
                f"{name}: needs decisions; give {keyword('threshold')} to make them from the score"
            )
        else:
            msg = (
                f"predicted: {score.column.name!r} is {score.column.dtype}, a score; give "
                f"{keyword('threshold')} to make decisions from it, or {keyword('positive')} if "
                "its values are decisions already"
            )
    elif outcome is None:
        msg = f"{name}: needs {keyword(argument)}, which was not given; name the {argument} column"
    else:
        msg = (
            f"positive: {name} needs to know which values of {outcome.column.name!r} "
            f"({outcome.column.dtype}) count as positive; give {keyword('positive')}"
        )
    raise FairnessError(msg)
