"""The function `audit`: metrics with intervals and verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Unpack

from polars_fairness.answers.audit import COLUMNS as AUDIT_COLUMNS
from polars_fairness.answers.audit import audited, types_of_audit
from polars_fairness.answers.contrasts import CERTAINTY
from polars_fairness.answers.options import (
    find_criteria,
    options_and_question,
    refuse_other_than_sequences,
)
from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.call import Call
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.policies import under_policy
from polars_fairness.api.signatures import answers
from polars_fairness.counting.cells import cells_of_all_rows, cells_up_to_each_time
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.formula.metric import Metric
from polars_fairness.question.audit_arguments import OF_AUDIT, AuditQuestion
from polars_fairness.question.baselines import refuse_impossible_window
from polars_fairness.question.windows import time_of


@answers(*OF_AUDIT)
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

        ``facet``, ``disfavored``, ``favored``
            The comparison. Both sides are null for a metric without sides.
        ``metric``
            The metric.
        ``n_disfavored``, ``n_favored``, ``n_unknown``
            The rows of each side, and the rows whose facet is unknown.
        ``rows_seen``, ``rows_used``, ``rows_dropped``
            All rows, the rows that the metric counts, and the rows that it leaves out.
        ``ideal``, ``band_lower``, ``band_upper``
            The ideal value, and the ends of the band, null for a metric without a band.
        ``is_small``
            Given ``minimum_count``: whether the metric compares fewer rows.
        ``p_value``
            With ``p_values``: the probability of a difference as large by chance alone.
        ``note``
            What a reader would not expect: both sides have one outcome only, strata that allow no
            comparison and how many rows they hold, a facet of more than fifty groups that are
            compared one by one; else null.
        ``reference``, ``difference``, ``difference_lower``, ``difference_upper``, ``change``
            With ``champion`` or ``baseline``: the value there, the value here less it with an
            interval, and whether the value is farther from its ideal: "worse" or "better" if the
            intervals show it, else "same" if both are fair or the decisions are the same, else
            "unclear"; with ``drift``, as its rule says. Null if there is nothing to compare with,
            or a verdict is "undefined". A group or a window of the baseline that is missing has a
            row without a value; one that the baseline lacks has a value and no reference.
        ``lowest``, ``highest``
            With ``bounds``: the smallest and the largest value, whatever the group of the rows of
            unknown group is.
        ``value``, ``lower``, ``upper``
            The value, and the bounds of its interval.
        ``verdict``
            "fair" if the interval lies inside the band, "uncertain" if it crosses an edge of the
            band. If it lies outside: "against_disfavored" or "against_favored", or "outside" for
            a metric without sides, or if neither the value nor the rates show a side. Without an
            interval, or by another ``rule``, the value is judged. "undefined" for a metric without
            a value, null for a metric without a band; "undefined" for both where only one of
            ``baseline`` and frame has the group or the window. With ``bounds``: "depends" where an
            edge of the band lies between ``lowest`` and ``highest``.

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
    call = Call.of(frame, question, "audit", vars(options))
    if options.champion is not None:
        call = call.against(options.champion)
    every_column = call.roles
    call = call.with_metrics(named)
    if options.confidence is not None:
        call = call.with_rows_apart()
    if options.has_baseline_frame:
        call = call.beside(options.baseline, question, options.baseline_count)
    elif options.baseline is not None:
        refuse_impossible_window(options.baseline, call.roles)
    criteria = find_criteria(call.metrics, call.roles, options)
    if named:
        refuse_other_than_sequences(criteria, call.metrics, every_column)
    refuse_taken_names(call.roles, {"by"}, AUDIT_COLUMNS)
    compute = partial(audited, metrics=call.metrics, criteria=criteria)
    cells_of = cells_of_all_rows
    if options.sequential:
        cells_of = partial(cells_up_to_each_time, time=time_of(call.roles.windows))
    return call.answer(
        compute, types_of_audit(call.roles, options), cells_of=cells_of, by_cluster=True
    )
