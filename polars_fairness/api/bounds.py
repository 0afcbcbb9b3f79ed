"""The function `bounds`: how far rows of unknown group could move a metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Unpack, cast

from polars_fairness.answers.bounds import COLUMNS, bounded, schema
from polars_fairness.answers.criteria import find_criteria
from polars_fairness.answers.options import AuditOptions
from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.answers.proxy_bounds import bounded_by_proxy, has_proxy_bounds
from polars_fairness.api.call import Call
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.metrics_requested import one_by_one
from polars_fairness.api.signatures import answers
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question, defaults, parted
from polars_fairness.question.audit_arguments import OF_AUDIT, OF_BOUNDS, PROXY, BoundsQuestion
from polars_fairness.question.columns import ColumnLike, Columns, GivenAs
from polars_fairness.question.windows import WEIGHTED
from polars_fairness.values.extremes import has_bounds


@answers(*OF_BOUNDS)
def bounds(
    frame: AnyFrame,
    *metrics: str | Metric | Sequence[str | Metric],
    **given: Unpack[BoundsQuestion],
) -> PolarsFrame:
    """Return the smallest and the largest value of metrics, whatever the unknown groups are.

    Of each outcome, any part of the rows of unknown group may belong to either side; nothing is
    assumed about them. Groups found by ``pf.HIGHEST`` or ``pf.LARGEST`` are those of the rows whose
    group is known. Beside ``pf.OVERALL`` side a has all rows in any case.

    With ``proxy``, of groups known in probability, they are those that the mean probabilities and
    outcomes of each cell of the proxies allow, and ``value`` is that of the weighted estimator.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    *metrics
        As in `metrics`. Those that each outcome moves in one direction in the rows of d, and in the
        other in those of a, such as differences and ratios of two rates; others are an error.
        Without any, all of these that the given columns allow.
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison and metric. The columns are those of ``by``, then:

        ``facet``, ``disfavored``, ``favored``, ``metric``
            The comparison and the metric.
        ``n_disfavored``, ``n_favored``, ``n_unknown``
            The rows of each side, and the rows whose facet is unknown.
        ``rows_seen``, ``rows_used``, ``rows_dropped``, ``ideal``, ``band_lower``, ``band_upper``
            As in `audit`.
        ``note``
            Whether the value is undefined for some groups of the unknown rows; with ``cluster``,
            why there are no bounds of the ends; with ``proxy``, why an end has none.
        ``value``
            The value of the rows whose group is known.
        ``lowest``, ``highest``
            The smallest and the largest value.
        ``lower``, ``upper``
            The lower bound of the interval of the smallest value, and the upper bound of that of
            the largest.
        ``verdict``
            "fair" if all between ``lower`` and ``upper`` lies in the band, "against_disfavored" or
            "against_favored" if none of it does, else "depends": on the rows that are not known.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> question = {"facet": "race", "disfavored": "Black", "favored": "White"}
    >>> answer = pf.bounds(pf.datasets.loans(), "di", predicted="approved", **question)
    >>> answer.select(pl.col("value", "lowest", "highest").round(3), "verdict")
    shape: (1, 4)
    ┌───────┬────────┬─────────┬─────────┐
    │ value ┆ lowest ┆ highest ┆ verdict │
    │ ---   ┆ ---    ┆ ---     ┆ ---     │
    │ f64   ┆ f64    ┆ f64     ┆ str     │
    ╞═══════╪════════╪═════════╪═════════╡
    │ 0.885 ┆ 0.372  ┆ 1.805   ┆ depends │
    └───────┴────────┴─────────┴─────────┘
    """
    own, question = parted(given, OF_BOUNDS)
    call = Call.of(frame, cast("Question", question), "bounds", own)
    proxy = own.pop(PROXY.name)
    options = AuditOptions(**{**defaults(OF_AUDIT), **own})
    if proxy is not None:
        question = _with_proxies(question, proxy)
        call = Call.of(frame, cast("Question", question))
    has = has_bounds if proxy is None else has_proxy_bounds
    named = one_by_one(metrics)
    call = call.with_metrics(named)
    found = {name: each for name, each in call.metrics.items() if has_bounds(each) and has(each)}
    others = [name for name in call.metrics if name not in found]
    if (named and others) or not found:
        allowed = Call.of(frame, cast("Question", question)).with_metrics([]).metrics
        known = [name for name, each in allowed.items() if has_bounds(each) and has(each)]
        why = (
            "may be farthest where rows of one outcome are divided between the sides, and has no "
            "bounds"
        )
        if proxy is not None:
            why = "is not about one rate of each side, and has no bounds over proxies"
        among = f"of the metrics that the columns allow, {listed(known, most=len(known))} have"
        if not known:
            among = "no metric of the columns given has bounds; name the predicted or label column"
        raise FairnessError(f"bounds: {f'{listed(others)} {why}; ' if named else ''}{among}")
    if proxy is None:
        call = call.serving(found.values())
    else:
        needs = {need for metric in found.values() for need in metric.needs}
        call = Call.of(frame, cast("Question", question)).keeping({*needs, "subgroup"})
    call = replace(call, metrics=found)
    criteria = find_criteria(found, call.roles, options)
    refuse_taken_names(call.roles, {"by"}, COLUMNS)
    if proxy is None:
        compute = partial(bounded, metrics=found, criteria=criteria)
        return call.answer(cells_of_all_rows, compute, schema(call.roles), by_cluster=True)
    compute = partial(bounded_by_proxy, metrics=found, criteria=criteria)
    by_rows = call.with_rows_apart() if options.confidence is not None else call
    return by_rows.answer(cells_of_all_rows, compute, schema(call.roles), by_cluster=True)


def _with_proxies(question: Mapping[str, Any], proxy: Columns) -> dict[str, Any]:
    """The question by the values of the proxies, which are its strata."""
    columns = proxy if isinstance(proxy, list | tuple) else [cast("ColumnLike", proxy)]
    given = [GivenAs(PROXY.name, column) for column in columns]
    return {**question, "subgroup": given, "estimator": WEIGHTED}
