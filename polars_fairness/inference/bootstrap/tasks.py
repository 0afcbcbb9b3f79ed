"""What to draw, and what to evaluate on each draw: a task for each table of counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.formula.levels import Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import g
from polars_fairness.inference.bootstrap.counts import (
    counts_at,
    drawable,
    joint_counts,
    joint_values,
    level_values,
    side_digests,
)
from polars_fairness.inference.bootstrap.draws import Drawable, Drawing, drawn, undrawn
from polars_fairness.inference.bootstrap.pairs import counts_of_decisions
from polars_fairness.inference.bootstrap.percentiles import Floats
from polars_fairness.inference.bootstrap.spans import in_spans
from polars_fairness.inference.progress import report_progress
from polars_fairness.question.roles import Roles
from polars_fairness.values.folds import Common, with_common_profile
from polars_fairness.values.levels import index_of, keys_of, measures_of, terms_of

Evaluate = Callable[[pl.LazyFrame], pl.LazyFrame]
"""Takes a table of counts; returns the values of metrics on it, a row for each draw."""


@dataclass(frozen=True)
class Task:
    """Counts to draw, and the metrics to evaluate on each draw.

    ``alike`` gives the counts as they would be without a difference between sides or groups. For
    metrics of scores, ``exact`` has the values on the counts by score, also where counts by span
    are drawn in place of these. In a paired question, ``of_champion`` evaluates the champion's
    decisions on the same counts.
    """

    keys: list[str]
    counts: Drawable
    metrics: Mapping[str, Metric]
    evaluate: Evaluate
    alike: Callable[[Common], Drawable]
    exact: pl.DataFrame | None = None
    of_champion: Evaluate | None = None

    def values(self) -> pl.DataFrame:
        """The values on the counts as they are, a row for each place."""
        return collected(self.evaluate(undrawn(self.counts).lazy()))


def tasks_of(
    cells: pl.DataFrame, scored: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]
) -> list[Task]:
    """The tasks for some metrics, which are drawn together where they need the same counts."""
    of_scores = {name: each for name, each in metrics.items() if each.parsed.level.is_by_score}
    of_cells = {name: each for name, each in metrics.items() if name not in of_scores}
    tasks = list(_tasks(cells, roles, of_cells))
    if of_scores:
        # Once for all thresholds, at which scores are the same.
        tasks += _tasks(collected(scored), roles.of_scores, of_scores)
    return tasks


def _tasks(cells: pl.DataFrame, roles: Roles, metrics: Mapping[str, Metric]) -> Iterator[Task]:
    joint_metrics = {name: metric for name, metric in metrics.items() if metric.is_joint}
    alone = replace(roles, is_paired=False)
    if joint_metrics:
        counts, values = joint_counts(cells, roles)
        evaluate = partial(joint_values, values=values, roles=alone, metrics=joint_metrics)

        def alike(common: Common) -> Drawable:
            return joint_counts(cells, roles, common)[0]

        task = Task([*roles.windows.keys, "facet"], counts, joint_metrics, evaluate, alike)
        yield _paired(task, [g.name], roles)
    others: dict[tuple[Level, frozenset[str]], dict[str, Metric]] = {}
    for name, metric in metrics.items():
        if not metric.is_joint:
            # By the outcomes that a metric needs: the other metrics do not change its draws.
            outcomes = frozenset(metric.needs) & {"label", "predicted"}
            others.setdefault((metric.parsed.level, outcomes), {})[name] = metric
    digests = side_digests(cells, alone)
    for (level, outcomes), at_level in others.items():
        # Whatever needs no decision is the same under two models.
        is_paired = roles.is_paired and "predicted" in outcomes
        needed = replace(roles.with_outcomes(outcomes), is_paired=is_paired)
        table = counts_at(level, cells, needed)
        evaluate = partial(
            level_values, roles=alone.with_outcomes(outcomes), level=level, metrics=at_level
        )
        task = Task(
            keys_of(level, roles),
            drawable(table, level, needed, digests),
            at_level,
            evaluate,
            partial(_drawable_alike, table, level=level, roles=needed, digests=digests),
        )
        yield (
            _of_scores(task, table, needed, level, digests)
            if level.is_by_score
            else _paired(task, [side.name for side in level.counted], needed)
        )


def _drawable_alike(
    counts: pl.DataFrame, common: Common, level: Level, roles: Roles, digests: pl.DataFrame
) -> Drawable:
    index = index_of(level, roles)
    alike = with_common_profile(counts, common, level, roles, keys_of(level, roles), index)
    return drawable(alike, level, roles, digests)


def _paired(task: Task, sides: Sequence[str], roles: Roles) -> Task:
    """The task of a paired question: both models' decisions are evaluated on the same counts."""
    if not roles.is_paired:
        return task if roles.champion is None else replace(task, of_champion=task.evaluate)

    def of(*, champion: bool) -> Evaluate:
        counts = counts_of_decisions(sides, roles, of_champion=champion)
        return lambda drawn: task.evaluate(drawn.with_columns(counts))

    return replace(task, evaluate=of(champion=False), of_champion=of(champion=True))


def _of_scores(
    whole: Task, counts: pl.DataFrame, roles: Roles, level: Level, digests: pl.DataFrame
) -> Task:
    """The task with spans of scores in place of scores, where these are too many to draw."""
    whole = replace(whole, exact=whole.values())
    measures = measures_of(whole.metrics)
    bins = {each.bins for each in measures if each.bins is not None}
    terms = terms_of(whole.metrics).union(*(each.terms for each in measures))
    spans, of_spans = in_spans(counts, roles, level, sorted(bins), terms)
    if spans is counts:
        return whole
    return replace(
        whole,
        counts=drawable(spans, level, of_spans, digests),
        alike=partial(_drawable_alike, spans, level=level, roles=of_spans, digests=digests),
        evaluate=partial(level_values, roles=of_spans, level=level, metrics=whole.metrics),
    )


class Progress:
    """Reports how many rows of counts have been drawn, of all to be drawn."""

    def __init__(self, total: int) -> None:
        self._done, self._total = 0, total
        report_progress(0, total)

    def advance(self, rows: int) -> None:
        self._done += rows
        report_progress(self._done, self._total)


def drawn_values(
    counts: Drawable,
    evaluate: Evaluate,
    metrics: Iterable[str],
    places: slice,
    drawing: Drawing,
    progress: Progress | None,
) -> dict[str, Floats]:
    """The values of each metric on draws of some places: a line for each place."""
    values = []
    for table in drawn(counts, places, drawing):
        values.append(collected(evaluate(table.lazy())))
        if progress is not None:
            progress.advance(table.height)
    lines = len(counts.rows[places])

    def of_places(name: str) -> Floats:
        columns = (each[f"metric.{name}"].fill_null(np.nan).to_numpy() for each in values)
        return np.hstack([column.reshape(lines, -1) for column in columns])

    return {name: of_places(name) for name in metrics}
