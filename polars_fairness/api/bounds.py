"""The function `bounds`: how far rows of unknown group could move a metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Unpack, cast, overload

import polars as pl

from polars_fairness.answers.bounds import COLUMNS, bounded, schema
from polars_fairness.answers.criteria import find_criteria
from polars_fairness.answers.options import AuditOptions
from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.call import Call
from polars_fairness.api.metrics_requested import one_by_one
from polars_fairness.api.refusals import (
    refuse_clusters,
    refuse_missing_needs,
    refuse_taken_names,
)
from polars_fairness.api.signatures import takes
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.rows import AnyFrame, EngineFrame
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question, defaults, parted
from polars_fairness.question.audit_arguments import OF_AUDIT, OF_BOUNDS, BoundsQuestion
from polars_fairness.values.extremes import has_bounds


@overload
def bounds(
    frame: pl.LazyFrame,
    *metrics: str | Metric | Sequence[str | Metric],
    **given: Unpack[BoundsQuestion],
) -> pl.LazyFrame: ...
@overload
def bounds(
    frame: pl.DataFrame | EngineFrame,
    *metrics: str | Metric | Sequence[str | Metric],
    **given: Unpack[BoundsQuestion],
) -> pl.DataFrame: ...
@takes(*OF_BOUNDS)
def bounds(
    frame: AnyFrame,
    *metrics: str | Metric | Sequence[str | Metric],
    **given: Unpack[BoundsQuestion],
) -> PolarsFrame:
    """Return the smallest and the largest value of metrics, whatever the unknown groups are.

    Of each outcome, any part of the rows of unknown group may belong to either side; nothing is
    assumed about them. Groups found by ``pf.HIGHEST`` or ``pf.LARGEST`` are those of the rows whose
    group is known. Beside ``pf.OVERALL`` side a has all rows in any case.

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
            Whether the value is undefined for some groups of the unknown rows.
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
    options = AuditOptions(**{**defaults(OF_AUDIT), **own})
    call = Call.of(frame, cast("Question", question))
    refuse_missing_needs(call.roles, "bounds", ["facet"])
    refuse_clusters(call.roles, "bounds")
    named = one_by_one(metrics)
    call = call.with_metrics(named)
    found = {name: each for name, each in call.metrics.items() if has_bounds(each)}
    others = [name for name in call.metrics if name not in found]
    if named and others:
        allowed = Call.of(frame, cast("Question", question)).with_metrics([]).metrics
        known = [name for name, each in allowed.items() if has_bounds(each)]
        raise FairnessError(
            f"bounds: {listed(others)} may be farthest where rows of one outcome are divided "
            "between the sides, and has no bounds; of the metrics that the columns allow, "
            f"{listed(known, most=len(known))} have"
        )
    call = replace(call, metrics=found).serving(found.values())
    call = replace(call, metrics=found)
    criteria = find_criteria(found, call.roles, options)
    refuse_taken_names(call.roles, {"by"}, COLUMNS)
    compute = partial(bounded, metrics=found, criteria=criteria)
    return call.answer(cells_of_all_rows, compute, schema(call.roles))
