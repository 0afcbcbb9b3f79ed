"""Metrics with intervals and verdicts."""

from __future__ import annotations

from functools import partial
from typing import Unpack

from polars_fairness.answers.audit import COLUMNS as AUDIT_COLUMNS
from polars_fairness.answers.audit import audited
from polars_fairness.answers.audit import schema as audit_schema
from polars_fairness.answers.criteria import find_criteria
from polars_fairness.answers.options import options_and_question
from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.call import Call
from polars_fairness.api.refusals import refuse_taken_names
from polars_fairness.api.signatures import takes
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import OF_AUDIT, AuditQuestion


@takes(*OF_AUDIT)
def audit(
    frame: AnyFrame,
    *metrics: str | Metric,
    **given: Unpack[AuditQuestion],
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
    options, question = options_and_question(given)
    call = Call.of(frame, question).with_metrics(metrics)
    criteria = find_criteria(call.metrics, call.roles, options)
    refuse_taken_names(call.roles, {"by"}, AUDIT_COLUMNS)
    compute = partial(audited, metrics=call.metrics, criteria=criteria)
    return call.answer(cells_of_all_rows, compute, audit_schema(call.roles, options))
