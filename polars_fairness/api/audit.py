"""The function `audit`: metrics with intervals and verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Unpack

from polars_fairness.answers.audit import COLUMNS as AUDIT_COLUMNS
from polars_fairness.answers.audit import audited, types_of_audit
from polars_fairness.answers.columns import AUDIT
from polars_fairness.answers.contrasts import CERTAINTY
from polars_fairness.answers.options import (
    find_criteria,
    options_and_question,
    refuse_other_than_sequences,
)
from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.bound import answer_of, find_baseline, read, under_policy
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.requested import requested, with_rows_apart
from polars_fairness.api.signatures import answers
from polars_fairness.counting.cells import cells_of_all_rows, cells_up_to_each_time
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.formula.metric import Metric
from polars_fairness.question.audit_arguments import OF_AUDIT, AuditQuestion
from polars_fairness.question.baselines import refuse_impossible_window
from polars_fairness.question.windows import time_of


@answers(*OF_AUDIT, columns=AUDIT)
def audit(
    frame: AnyFrame, *metrics: str | Metric | Sequence[str | Metric], **given: Unpack[AuditQuestion]
) -> PolarsFrame:
    """Return one row for each metric of each comparison, with an interval and a verdict.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    *metrics
        As in `metrics`. Without any, all metrics that the given columns allow.
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison and metric. A window without a comparison has one row for each
        metric, with null sides. The columns are those of ``by``, then:

        {columns}

    Examples
    --------
    >>> import polars_fairness as pf
    >>> applicants = pf.datasets.berkeley()
    >>> audit = pf.audit(
    ...     applicants,
    ...     "di",
    ...     "mh_ratio",
    ...     facet="sex",
    ...     disfavored="Female",
    ...     predicted="admitted",
    ...     subgroup="department",
    ...     count="n",
    ... )
    >>> audit.select("metric", "verdict").rows()
    [('di', 'against_disfavored'), ('mh_ratio', 'fair')]
    """
    return audit_with_certainty(frame, *metrics, **given).drop(CERTAINTY, strict=False)


def audit_with_certainty(
    frame: AnyFrame, *metrics: str | Metric | Sequence[str | Metric], **given: Unpack[AuditQuestion]
) -> PolarsFrame:
    """Return an audit, beside a reference with the column by which changes hold together."""
    named, given = under_policy(frame, metrics, given)
    options, question = options_and_question(given)
    bound = read(frame, question, "audit", vars(options))
    every_column = bound.roles
    if options.champion is not None:
        every_column = every_column.against(options.champion)
    found, roles = requested(named, every_column)
    if options.confidence is not None:
        roles = with_rows_apart(found.values(), roles)
    baseline = None
    if options.has_baseline_frame:
        baseline = find_baseline(options.baseline, bound, found, roles, options.baseline_count)
    elif options.baseline is not None:
        refuse_impossible_window(options.baseline, roles)
    criteria = find_criteria(found, roles, options)
    if named:
        refuse_other_than_sequences(criteria, found, every_column)
    refuse_taken_names(roles, {"by"}, AUDIT_COLUMNS)
    cells_of = cells_of_all_rows
    if options.sequential:
        cells_of = partial(cells_up_to_each_time, time=time_of(roles.windows))
    return answer_of(
        bound,
        roles,
        partial(audited, metrics=found, criteria=criteria),
        types_of_audit(roles, options),
        cells_of=cells_of,
        baseline=baseline,
        by_cluster=True,
    )
