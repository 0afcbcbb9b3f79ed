"""The questions a user asks, as plain functions that take the frame first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Unpack

import polars as pl

from polars_fairness.answers import PolarsFrame, answered, like
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.catalogue.individuals import kinds_of_flips
from polars_fairness.cells import comparable_cells, joint_cells
from polars_fairness.compare import COLUMNS, compared
from polars_fairness.compare import schema as metrics_schema
from polars_fairness.contributions import columns as columns_of_contributions
from polars_fairness.contributions import contributed
from polars_fairness.contributions import schema as contributions_schema
from polars_fairness.errors import FairnessError, listed, require_extra
from polars_fairness.metric import Metric
from polars_fairness.rates import COLUMNS as RATE_COLUMNS
from polars_fairness.rates import rated
from polars_fairness.rates import schema as rates_schema
from polars_fairness.roles import Question, Roles, find_roles
from polars_fairness.rows import AnyFrame, RowsHere, rows_of


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
        Which outcome, or outcomes, count as positive; True and 1 unless said otherwise.
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
        then one column per metric.

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
    asked: dict[str, Metric] = _asked(metrics, roles)
    roles = _serving(roles, asked.values())
    roles.must_not_collide({"by"}, (*COLUMNS, *asked))
    answer, schema = partial(compared, roles=roles, metrics=asked), metrics_schema(roles, asked)
    return answered(frame, comparable_cells(rows, roles), answer, schema)


def decompose(frame: AnyFrame, metric: str | Metric, **question: Unpack[Question]) -> PolarsFrame:
    """Take a conditional metric apart: what every subgroup adds to it.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine.
    metric
        The name of a conditional metric, such as "cddpl", or one of your own made with
        ``stratified``.
    **question
        As in `metrics`.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison and subgroup in which either side has rows, those that add most,
        or take most away, first: the columns of ``by``, ``facet``, ``disfavored``, ``favored``,
        the columns of ``subgroup``; ``n``, the rows of both sides; ``share_of_rejected`` and
        ``share_of_accepted``, the part of them that falls to d (of a metric of labels
        ``share_of_negative`` and ``share_of_positive``); ``value``, the metric inside the
        subgroup; ``contribution``, that value times n, over the n of all subgroups that have a
        value. The contributions of a comparison add up to the metric.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> question = {"facet": "sex", "disfavored": "Female", "predicted": "admitted", "count": "n"}
    >>> parts = pf.decompose(pf.datasets.berkeley(), "cddpl", subgroup="department", **question)
    >>> parts.select("department", "n", "value", "contribution").head(2)
    shape: (2, 4)
    ┌────────────┬─────┬───────────┬──────────────┐
    │ department ┆ n   ┆ value     ┆ contribution │
    │ ---        ┆ --- ┆ ---       ┆ ---          │
    │ str        ┆ i64 ┆ f64       ┆ f64          │
    ╞════════════╪═════╪═══════════╪══════════════╡
    │ A          ┆ 933 ┆ -0.090858 ┆ -0.01873     │
    │ F          ┆ 714 ┆ -0.047188 ┆ -0.007444    │
    └────────────┴─────┴───────────┴──────────────┘
    """
    rows = rows_of(frame, question)
    roles = find_roles(rows.schema, question)
    [found] = _asked([metric], roles).values()
    if found.parsed.level != "stratum":
        known = [name for name, each in CATALOGUE.items() if each.parsed.level == "stratum"]
        msg = (
            f"metric: {found.name!r} is no average over subgroups; give a conditional metric, "
            f"{listed(known, 'or')}, or one made with stratified()"
        )
        raise FairnessError(msg)
    roles = _serving(roles, [found])
    roles.must_not_collide({"by", "subgroup"}, columns_of_contributions(found))
    answer = partial(contributed, roles=roles, metric=found)
    schema = contributions_schema(roles, found)
    return answered(frame, comparable_cells(rows, roles), answer, schema)


def fliptest(
    frame: AnyFrame, metric: Metric, *, flips: bool = False, **question: Unpack[Question]
) -> PolarsFrame:
    """Ask of every member of d how those of a who are most alike were decided.

    The k nearest members of a vote, by Euclidean distance over ``features``; a tie is a vote for
    the negative outcome. Those equally far share the last seats, so that the order of rows
    decides nothing. Without a frame this gives the `Metric`, to be passed to `metrics`.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine.
    features
        What tells how alike two individuals are: columns of numbers or Booleans.
    k
        How many neighbours vote. 5, the default, is 1 where a has fewer than 10 rows, as in
        Clarify; of any other number a must have as many rows.
    standardize
        Divide every feature by its standard deviation over the rows of both sides first.
    flips
        Return the members of d whose outcome flips, in place of their number.
    progress
        Show a progress bar: on a terminal only, and only of long work, unless said.
    **question
        As in `metrics`. A member of d counts its weight, its neighbours one vote each.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison: the columns of ``by``, then ``facet``, ``disfavored``,
        ``favored``, ``n_disfavored``, ``n_favored``, ``unfavorable_flips`` (members of d
        rejected whose neighbours are accepted), ``favorable_flips`` (the reverse) and
        ``fliptest``, their difference over ``n_disfavored``. With ``flips=True`` one row per
        member of d whose outcome flips: ``facet``, ``disfavored``, ``favored``, ``flip``
        ("unfavorable" or "favorable"), ``vote`` (the share of its neighbours accepted) and the
        row's own columns; first the columns of ``by`` that are not among these.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> loans = pl.DataFrame(
    ...     {
    ...         "sex": ["F", "F", "F", "M", "M", "M"],
    ...         "income": [20, 41, 60, 22, 40, 61],
    ...         "approved": [0, 0, 1, 0, 1, 1],
    ...     }
    ... )
    >>> question = {"facet": "sex", "disfavored": "F", "predicted": "approved"}
    >>> pf.fliptest(loans, features="income", **question).select(pl.nth(range(-3, 0)))
    shape: (1, 3)
    ┌───────────────────┬─────────────────┬──────────┐
    │ unfavorable_flips ┆ favorable_flips ┆ fliptest │
    │ ---               ┆ ---             ┆ ---      │
    │ i64               ┆ i64             ┆ f64      │
    ╞═══════════════════╪═════════════════╪══════════╡
    │ 1                 ┆ 0               ┆ 0.333333 │
    └───────────────────┴─────────────────┴──────────┘
    >>> pf.fliptest(loans, features="income", flips=True, **question).drop("facet", "favored")
    shape: (1, 6)
    ┌────────────┬─────────────┬──────┬─────┬────────┬──────────┐
    │ disfavored ┆ flip        ┆ vote ┆ sex ┆ income ┆ approved │
    │ ---        ┆ ---         ┆ ---  ┆ --- ┆ ---    ┆ ---      │
    │ str        ┆ str         ┆ f64  ┆ str ┆ i64    ┆ i64      │
    ╞════════════╪═════════════╪══════╪═════╪════════╪══════════╡
    │ F          ┆ unfavorable ┆ 1.0  ┆ F   ┆ 41     ┆ 0        │
    └────────────┴─────────────┴──────┴─────┴────────┴──────────┘
    """
    counts = kinds_of_flips(metric)
    if not flips:
        answer = metrics(frame, metric, *counts, **question)
        size = pl.Int64 if question.get("weight") is None else pl.Float64
        flipped = pl.col([count.name for count in counts]).cast(size)
        shown = pl.exclude("n_unknown", metric.name)
        return answer.with_columns(flipped).select(shown, metric.name)
    if not isinstance(frame, pl.LazyFrame | pl.DataFrame):
        msg = (
            f"flips: shows rows with all their columns, and those of a {type(frame).__name__} stay "
            "where they are; bring the columns to show into a polars frame first"
        )
        raise FairnessError(msg)
    rows = RowsHere(frame.lazy())
    roles = find_roles(rows.schema, question)
    roles.must_allow(metric)
    roles = _serving(roles, [metric])
    from polars_fairness.neighbours import members_flipped  # brought by the extra

    return like(frame, members_flipped(rows, comparable_cells(rows, roles), roles, metric))


def _serving(roles: Roles, metrics: Collection[Metric]) -> Roles:
    """Leave what these metrics need of a question, and see that it can be answered."""
    needed = roles.without_idle_assumptions(metrics).without_idle_features(metrics)
    if needed.features:
        require_extra("features", "neighbours", "scipy", "tqdm")
    return needed


def _asked(metrics: Sequence[object], roles: Roles) -> dict[str, Metric]:
    """Find the metrics asked for; a metric goes by the name it was asked by."""
    if not metrics:
        return _allowed(roles)
    asked: dict[str, Metric] = {}
    for metric in metrics:
        if not isinstance(metric, str | Metric):
            msg = f"metrics: takes names and Metric objects, got {metric!r}"
            raise FairnessError(msg)
        name, found = (
            (metric, CATALOGUE[metric]) if isinstance(metric, str) else (metric.name, metric)
        )
        if name in asked or name in COLUMNS:
            msg = f"metrics: there is a column {name!r} already; rename one metric with .named()"
            raise FairnessError(msg)
        roles.must_allow(found)
        asked[name] = found
    return asked


def _allowed(roles: Roles) -> dict[str, Metric]:
    if roles.predicted is not None:
        roles.must_tell_positive("metrics", roles.predicted)
    allowed = {name: metric for name, metric in CATALOGUE.items() if roles.allow(metric)}
    if not allowed:
        msg = "metrics: no metric goes by what was given; give facet= and label= or predicted="
        raise FairnessError(msg)
    return allowed
