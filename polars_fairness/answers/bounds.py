"""The function `bounds`: how far rows of unknown group could move a metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, Unpack, cast

import polars as pl

from polars_fairness.answers.audit import (
    Counted,
    as_shown,
    audited,
    completed_by,
    number_metrics,
    ranges_of,
    values_and_bounds,
    with_ranges,
)
from polars_fairness.answers.audit_rows import against_on_range, rows_of_metrics, verdict_on_range
from polars_fairness.answers.options import AuditOptions, Criteria, find_criteria
from polars_fairness.api.bound import CheckedQuestion, read
from polars_fairness.api.columns import BOUNDED, names_of
from polars_fairness.api.plan import answer_of
from polars_fairness.api.requested import one_by_one, requested, serving
from polars_fairness.api.signatures import answers
from polars_fairness.api.verdicts import DEPENDS
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.allocations import ENDS, IS_DEFINED, IS_KNOWN, LIMITS, WHY
from polars_fairness.inference.completions import HOLDS_FROM, has_range
from polars_fairness.question.arguments import Question, defaults, parted
from polars_fairness.question.audit_arguments import OF_AUDIT, OF_BOUNDS, BoundsQuestion
from polars_fairness.question.columns import column_called
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import group_by_needs
from polars_fairness.values.formula_checks import has_bounds
from polars_fairness.values.unlabelled import may_lack_labels

COLUMNS: Final = names_of(BOUNDED)
"""The columns of the result after those of ``by``."""


@answers(*OF_BOUNDS, columns=BOUNDED)
def bounds(
    frame: AnyFrame,
    *metrics: str | Metric | Sequence[str | Metric],
    **given: Unpack[BoundsQuestion],
) -> PolarsFrame:
    """Return the smallest and largest values of metrics, whatever the unknown groups are.

    Nothing is assumed about rows of unknown group: with each outcome, any number of them may belong
    to either side. ``pf.HIGHEST`` and ``pf.LARGEST`` are found among the rows whose group is known.
    With ``pf.OVERALL``, side a always has all rows. With ``unlabelled``, the range is that over
    missing labels.

    Parameters
    ----------
    *metrics
        As in `metrics`, but only those that an outcome moves in one direction for rows of d, and in
        the other for rows of a, such as differences and ratios of two rates. Without any, all of
        these that the given columns allow.
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison and metric. The columns are those of ``by``, then:
        {columns}

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
    bound = read(frame, cast("Question", question), "bounds", own)
    options = AuditOptions(**{**defaults(OF_AUDIT), **own})
    is_bounded = partial(has_bounds, is_weighted=bound.roles.is_weighted)
    named = one_by_one(metrics)
    if options.unlabelled is not None:
        return _of_missing_labels(bound, named, options)
    known, roles = requested(named, bound.roles)
    bounded_metrics = {name: each for name, each in known.items() if is_bounded(each)}
    others = [name for name in known if name not in bounded_metrics]
    if (named and others) or not bounded_metrics:
        allowed, _ = requested([], bound.roles)
        have = [name for name, each in allowed.items() if is_bounded(each)]
        why = (
            "has no bounds, as it may be farthest from its ideal with rows of one outcome on both "
            "sides"
        )
        among = f"of the metrics that the columns allow, {listed(have, most=len(have))} have"
        if not have:
            among = "no metric of the columns given has bounds; name the predicted or label column"
        raise FairnessError(f"bounds: {f'{listed(others)} {why}; ' if named else ''}{among}")
    roles = serving(bounded_metrics, roles)
    criteria = find_criteria(bounded_metrics, roles, options)
    of_bounded_metrics = partial(bounded, metrics=bounded_metrics, criteria=criteria)
    without = {HOLDS_FROM}
    return answer_of(bound, roles, of_bounded_metrics, BOUNDED, without=without, by_cluster=True)


def _of_missing_labels(
    bound: CheckedQuestion, named: Sequence[Any], options: AuditOptions
) -> PolarsFrame:
    """The range of metrics over the labels of rows that have none; unknown groups stay unknown."""
    known, roles = requested(named, bound.roles)
    by_strata = options.unlabelled_by is not None
    metrics = {name: each for name, each in known.items() if has_range(each, by_strata=by_strata)}
    if others := [name for name in known if named and name not in metrics]:
        settled = [name for name in others if "label" not in known[name].needs]
        why = "needs no label" if settled else "has no range over missing labels"
        raise FairnessError(
            f"unlabelled: {listed(settled or others)} {why}; name differences of rates that need "
            "labels of both decisions, such as 'rd'"
        )
    if not metrics:
        raise FairnessError("unlabelled: no metric of the columns given needs missing labels")
    bound, roles = completed_by(bound, serving(metrics, roles), options)
    criteria = find_criteria(metrics, roles, options)
    columns = [*roles.windows.types, *COLUMNS]

    def compute(seen: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
        return audited(seen, roles, metrics, criteria).select(map(column_called, columns))

    return answer_of(bound, roles, compute, BOUNDED)


# Rows of unknown group are given to both sides, all of one outcome together, in each way that there
# is. The metrics move farthest where all go to one side (`sets_sides_apart`).
def bounded(
    seen: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric], criteria: Criteria
) -> pl.LazyFrame:
    """The range of each metric of each comparison, from the cells of all rows."""
    inside = roles.with_inner_names
    counted = Counted.of(seen, inside)
    # Their values are those where unknown rows are in neither side; their intervals show only
    # whether they depend on missing labels.
    options = criteria.options
    if not may_lack_labels(counted.whole):
        options = replace(options, confidence=None)
    numbered = number_metrics(metrics)
    names, rows = dict(zip(numbered, metrics, strict=True)), []
    for counting, alike in group_by_needs(numbered, counted.whole):
        lines = values_and_bounds(counted, counting, alike, options)
        ranges = ranges_of(counted, counting, alike, criteria.options)
        of_alike = rows_of_metrics(lines, inside, alike, names, criteria)
        rows.append(with_ranges(of_alike, inside, [ranges]))
    least, most = LIMITS if criteria.options.confidence else ENDS
    words = pl.lit("facet: the value is undefined if the unknown rows are of some groups")
    single = pl.lit(
        "weight: a single row may be all that a side has of an outcome, and its weight is not "
        "kept in cells; give the rows"
    )
    has_none, is_defined = pl.col("lowest").is_null(), pl.col(IS_DEFINED)
    note = pl.coalesce(
        pl.when(pl.col("verdict") == DEPENDS).then("note"),
        pl.when(~has_none & ~is_defined).then(words),
        pl.when(has_none & ~pl.col(IS_KNOWN)).then(single),
        WHY,
    )
    answer = pl.concat(rows, how="diagonal").with_columns(
        *(pl.col(end).alias(name) for end, name in zip(LIMITS, ("lower", "upper"), strict=True)),
        verdict=pl.when(pl.col("verdict") == DEPENDS)
        .then("verdict")
        .otherwise(verdict_on_range(least, most, IS_DEFINED)),
        against=against_on_range(least),
        note=note,
    )
    return as_shown(answer, roles, [name for name in COLUMNS if name != HOLDS_FROM])
