"""The measures of the scores of groups, and the values of metrics that compare them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import polars as pl

from polars_fairness.counting.counts import Counts, tallied
from polars_fairness.formula.levels import GROUP, GROUP_BY_SCORE
from polars_fairness.formula.measures import Measure
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import ARE_PROBABILITIES
from polars_fairness.formula.sides import g, g_s
from polars_fairness.formula.tree import Expression, choose, rewritten, term
from polars_fairness.question.roles import Roles
from polars_fairness.values.by_key import computed_by_key, in_table

_ARE_PROBABILITIES: Final = "are probabilities\x1f"


def measured(
    counts: pl.DataFrame, roles: Roles, measures: Collection[Measure], keys: Sequence[str]
) -> pl.DataFrame:
    """The measures and counts of each group, from its counts in the order of scores."""
    values = measured_by(roles, measures)
    return computed_by_key(counts, values, GROUP_BY_SCORE, keys, roles.zero_division)


def measured_by(roles: Roles, measures: Iterable[Measure]) -> dict[str, Expression]:
    """The formulas of the measures and counts of a group over its scores."""
    return {
        **{f"{g.name}.{count}": term(f"{g_s.name}.{count}").sum() for count in tallied(roles)},
        **{measure.column: in_table(measure.value, GROUP_BY_SCORE, roles) for measure in measures},
        _ARE_PROBABILITIES: in_table(ARE_PROBABILITIES, GROUP_BY_SCORE, roles),
    }


def values_of_measures(
    of_groups: pl.DataFrame, roles: Roles, metrics: Mapping[str, Metric], keys: Sequence[str]
) -> pl.DataFrame:
    """The values of metrics of measures, from the measures of each group."""
    values = formulas_of_measures(roles, metrics)
    return computed_by_key(of_groups, values, GROUP, keys, roles.zero_division)


def formulas_of_measures(roles: Roles, metrics: Mapping[str, Metric]) -> dict[str, Expression]:
    """The formulas over the measures of groups.

    What is about probabilities is null in all groups if the scores of one of them are none.
    """
    are_probabilities = (term(_ARE_PROBABILITIES) == 1).all()
    of_probabilities = {
        measure.term for measure in measures_of(metrics) if measure.is_about_probabilities
    }
    counts = Counts.of(roles)

    def change(part: Expression) -> Expression | None:
        if part.op != "term":
            return None
        if part in of_probabilities:
            return choose(are_probabilities, part)
        return counts.term(part.args[0])

    return {
        f"metric.{name}": rewritten(metric.parsed.expression, change)
        for name, metric in metrics.items()
    }


def measures_of(metrics: Mapping[str, Metric]) -> list[Measure]:
    """The different measures of groups that formulas mention."""
    measures = dict.fromkeys(metric.parsed.measure for metric in metrics.values())
    return [measure for measure in measures if measure is not None]
