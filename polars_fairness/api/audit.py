"""Metrics with intervals and verdicts."""

from __future__ import annotations

from functools import partial
from typing import Unpack

from polars_fairness.answers.audit import COLUMNS as AUDIT_COLUMNS
from polars_fairness.answers.audit import audited
from polars_fairness.answers.audit import schema as audit_schema
from polars_fairness.answers.criteria import find_criteria
from polars_fairness.answers.options import options_and_question
from polars_fairness.answers.plan import PolarsFrame, answered
from polars_fairness.api.metrics_requested import asked_for, serving
from polars_fairness.api.signatures import takes
from polars_fairness.counting.cells import seen_cells
from polars_fairness.counting.rows import AnyFrame, rows_of
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import OF_AUDIT, AuditQuestion
from polars_fairness.question.roles import find_roles


@takes(*OF_AUDIT)
def audit(
    frame: AnyFrame,
    *metrics: str | Metric,
    **question: Unpack[AuditQuestion],
) -> PolarsFrame:
    """Compute metrics, each on a row of its own with an interval and a verdict.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine.
    *metrics
        As in `metrics`; none for every metric that the columns given allow.
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison and metric: the columns of ``by``, then ``facet``, ``disfavored``,
        ``favored`` (both null where a metric has no sides), ``metric``, ``value``, ``lower``,
        ``upper``, ``ideal``, ``verdict``: "fair" where the whole interval is tolerated,
        "against_disfavored" or "against_favored" where none of it is, "outside" where none of it is
        and the metric has no sides (or neither its value nor the rates name one), "uncertain"
        between, "undefined" without a value, null where nobody said what is tolerated. Then
        ``n_disfavored``, ``n_favored``, ``n_unknown``, and of how many rows that is said:
        ``rows_seen``, ``rows_used``, ``rows_dropped``. A window with nobody to compare has one row
        for each metric, with null sides.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> applicants = pf.datasets.berkeley()
    >>> told = pf.audit(
    ...     applicants,
    ...     "di",
    ...     "cddpl",
    ...     facet="sex",
    ...     disfavored="Female",
    ...     predicted="admitted",
    ...     subgroup="department",
    ...     count="n",
    ... )
    >>> told.select("metric", "verdict").rows()
    [('di', 'against_disfavored'), ('cddpl', 'fair')]
    """
    options, asked_of_rows = options_and_question(question)
    rows = rows_of(frame, asked_of_rows)
    roles = find_roles(rows.schema, asked_of_rows)
    asked: dict[str, Metric] = asked_for(metrics, roles)
    roles = serving(roles, asked.values())
    criteria = find_criteria(asked, roles, options)
    roles.must_not_collide({"by"}, AUDIT_COLUMNS)
    answer = partial(audited, roles=roles, metrics=asked, criteria=criteria)
    return answered(frame, seen_cells(rows, roles), answer, audit_schema(roles, options))
