"""One count of the rows for all that a page shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polars_fairness.answers.options import AuditOptions
from polars_fairness.api.call import Call
from polars_fairness.counting.counted_rows import CountedRows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question
from polars_fairness.question.roles import Roles
from polars_fairness.reporting.found.scores import shows_scores


def counted_once(
    frame: AnyFrame, metrics: Sequence[str | Metric], options: AuditOptions, question: Question
) -> CountedRows:
    """The rows of a page, to be counted when the first answer needs their cells.

    Without a metric of subgroups the rows are not counted by them, and without charts or metrics of
    scores not by scores. Features are not counted: almost every row would be a cell.
    """
    call = Call.of(frame, question)
    beside_champion = call if options.champion is None else call.against(options.champion)
    audited = beside_champion.with_metrics(metrics)
    own, needed = call.without_features().roles, audited.roles
    finest = []
    if shows_scores(own) or own.is_about_scores or (needed.score and not needed.score.thresholds):
        finest.append(_by_score(replace(own, strata=needed.strata, are_joint=needed.are_joint)))
    if own.predicted or not own.models:
        finest.append(audited.without_features().without_scores().roles.undecided)
    if needed.strata:
        # Of many subgroups, what needs all facets jointly is counted without them.
        without = replace(needed.strata, columns=())
        finest = [replace(each, strata=kept) for each in finest for kept in (each.strata, without)]
    return CountedRows.of(frame, call.rows, finest)


def _by_score(roles: Roles) -> Roles:
    """The question about cells by score; beside it the decision at a threshold, if there is one."""
    if roles.models or roles.windows.has_thresholds:
        return roles.undecided
    return replace(roles, thresholds=None)
