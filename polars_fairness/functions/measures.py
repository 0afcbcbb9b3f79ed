"""What there is: cells, rates and metrics."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Unpack

import polars as pl

from polars_fairness.answers import PolarsFrame, answered, like
from polars_fairness.cells import comparable_cells, joint_cells
from polars_fairness.compare import COLUMNS, compared
from polars_fairness.compare import schema as metrics_schema
from polars_fairness.functions.asked import asked_for, serving
from polars_fairness.metric import Metric
from polars_fairness.rates import COLUMNS as RATE_COLUMNS
from polars_fairness.rates import rated
from polars_fairness.rates import schema as rates_schema
from polars_fairness.roles import Question, Roles, find_roles
from polars_fairness.rows import AnyFrame, rows_of


def cells(frame: AnyFrame, **question: Unpack[Question]) -> PolarsFrame:
    """Count every combination of the columns named.

    The result is a frame like any other: asked again with ``count="n"``, alone or concatenated
    with the cells of other files, days or machines, it gives what the rows gave.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine.
    **question
        As in `metrics`; sides play no part.

    Returns
    -------
    LazyFrame or DataFrame
        The columns named, an outcome made by ``threshold`` or ``positive`` as True and False,
        then ``n`` and, with ``weight``, its sum and ``weight_sq``, the sum of its squares.
        ``positive`` of a label of three or more values is an error: the metrics over label values
        need each of them. Give it with the question asked of the cells.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.DataFrame({"sex": ["F", "F", "M"], "score": [0.2, 0.3, 0.7]})
    >>> pf.cells(hired, facet="sex", predicted="score", threshold=0.5)
    shape: (2, 3)
    ┌─────┬───────┬─────┐
    │ sex ┆ score ┆ n   │
    │ --- ┆ ---   ┆ --- │
    │ str ┆ bool  ┆ i64 │
    ╞═════╪═══════╪═════╡
    │ F   ┆ false ┆ 2   │
    │ M   ┆ true  ┆ 1   │
    └─────┴───────┴─────┘
    """
    rows = rows_of(frame, question)
    roles = find_roles(rows.schema, question).without_idle_assumptions([])
    roles.must_name_columns("cells")
    sums = ("n", "weight_sq") if roles.weight else ("n",)
    named = {"by", "facet", "subgroup", "features", "label", "predicted", "weight"}
    roles.must_not_collide(named, sums)
    return like(frame, joint_cells(rows, roles))


def rates(frame: AnyFrame, **question: Unpack[Question]) -> PolarsFrame:
    """Count and rate every group of every facet, and everybody.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine.
    **question
        As in `metrics`; sides play no part.

    Returns
    -------
    LazyFrame or DataFrame
        One row per facet value (``value`` is null where the facet is unknown), then one for
        every row (``facet`` is null): the counts, as sums of weights where a weight is given,
        and the rates, null where undefined or not determined by the outcomes given.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.DataFrame({"sex": ["F", "F", None, "M"], "hired": [0, 1, 0, 1]})
    >>> rates = pf.rates(hired, facet="sex", predicted="hired")
    >>> rates.select("facet", "value", "n", "selection_rate")
    shape: (4, 4)
    ┌───────┬───────┬─────┬────────────────┐
    │ facet ┆ value ┆ n   ┆ selection_rate │
    │ ---   ┆ ---   ┆ --- ┆ ---            │
    │ str   ┆ str   ┆ i64 ┆ f64            │
    ╞═══════╪═══════╪═════╪════════════════╡
    │ sex   ┆ F     ┆ 2   ┆ 0.5            │
    │ sex   ┆ M     ┆ 1   ┆ 1.0            │
    │ sex   ┆ null  ┆ 1   ┆ 0.0            │
    │ null  ┆ null  ┆ 4   ┆ 0.5            │
    └───────┴───────┴─────┴────────────────┘
    """
    rows = rows_of(frame, question)
    roles = find_roles(rows.schema, question).without_idle_features([])
    roles.must_name_columns("rates")
    roles.must_tell_positive("rates", *roles.outcomes)
    roles.must_not_collide({"by"}, ("facet", "value", *RATE_COLUMNS))
    answer, schema = partial(rated, roles=roles), rates_schema(roles)
    return answered(frame, comparable_cells(rows, roles), answer, schema)


def metrics(frame: AnyFrame, *metrics: str | Metric, **question: Unpack[Question]) -> PolarsFrame:
    """Compute fairness metrics for every comparison of two sides.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine (Spark,
        DuckDB, Ibis, Dask, pyarrow, pandas, ...; extra ``engines``), which counts; its columns
        are taken by name, and the answer is a DataFrame.
    *metrics
        Names from the catalogue, or metrics of your own; none for every metric that the
        columns given allow.
    facet
        The sensitive attributes, a column or several; each is compared on its own. A struct
        is an intersection of attributes.
    disfavored, favored
        Side d and side a, as a value, a list of values or ``{facet: value(s)}``. Only d: a is
        everyone else whose facet is known. Only a: every other value in turn is d. Neither:
        every value in turn against everyone else.
    label, predicted
        The observed and the predicted outcome.
    positive
        Which outcomes are positive, as a value or a list of values, of ``label`` and
        ``predicted`` alike; or ``{column: value(s)}``, each outcome its own. True and 1 for an
        outcome that it does not name, or whose type it does not fit.
    threshold, label_threshold
        A predicted score, or a continuous label, is positive from here on.
    subgroup
        The strata of the conditional metrics, a column or several.
    features
        What tells how alike two individuals are, for `fliptest` and `consistency`: columns of
        numbers or Booleans.
    by
        Everything is computed once for each combination of these columns.
    weight
        A sampling weight, finite and at least 0.
    count
        How many rows each row stands for; a weight beside it is their total.
    nulls
        What a missing outcome, feature, weight or count does: "raise", or "drop" the row.
    zero_division
        None leaves undefined values null; a number takes the place of 0/0.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison: the columns of ``by``, then ``facet``, ``disfavored``,
        ``favored`` (null for everyone else), ``n_disfavored``, ``n_favored``, ``n_unknown``,
        then one column per metric. A metric without sides, such as `ge`, repeats on every row of
        its facet; in a window in which that has no comparison, because no value of it is known or
        no row is on side d, it stands on a row without sides.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.LazyFrame({"sex": ["F", "F", "M", "M"], "hired": [0, 1, 1, 1]})
    >>> pf.metrics(hired, "dppl", "di", facet="sex", disfavored="F", predicted="hired").collect()
    shape: (1, 8)
    ┌───────┬────────────┬─────────┬──────────────┬───────────┬───────────┬──────┬─────┐
    │ facet ┆ disfavored ┆ favored ┆ n_disfavored ┆ n_favored ┆ n_unknown ┆ dppl ┆ di  │
    │ ---   ┆ ---        ┆ ---     ┆ ---          ┆ ---       ┆ ---       ┆ ---  ┆ --- │
    │ str   ┆ str        ┆ str     ┆ i64          ┆ i64       ┆ i64       ┆ f64  ┆ f64 │
    ╞═══════╪════════════╪═════════╪══════════════╪═══════════╪═══════════╪══════╪═════╡
    │ sex   ┆ F          ┆ null    ┆ 2            ┆ 2         ┆ 0         ┆ 0.5  ┆ 0.5 │
    └───────┴────────────┴─────────┴──────────────┴───────────┴───────────┴──────┴─────┘
    """
    rows = rows_of(frame, question)
    roles = find_roles(rows.schema, question)
    asked: dict[str, Metric] = asked_for(metrics, roles)
    roles = serving(roles, asked.values())
    roles.must_not_collide({"by"}, (*COLUMNS, *asked))
    answer, schema = partial(_compared, roles=roles, metrics=asked), metrics_schema(roles, asked)
    return answered(frame, comparable_cells(rows, roles), answer, schema)


def _compared(cells: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]) -> pl.LazyFrame:
    """Leave out rows without sides where every metric compares two."""
    values = compared(cells, roles, metrics)
    if all(metric.has_sides for metric in metrics.values()):
        return values.filter(pl.col("disfavored").is_not_null())
    return values
