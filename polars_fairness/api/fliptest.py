"""The flip test of individuals."""

from __future__ import annotations

from typing import Unpack

import polars as pl

from polars_fairness.answers.plan import PolarsFrame, collected_unless_lazy
from polars_fairness.api.call import Call
from polars_fairness.api.metrics import metrics
from polars_fairness.catalogue.individuals import kinds_of_flips
from polars_fairness.counting.cells import cells_of_complete_rows
from polars_fairness.counting.polars_rows import PolarsRows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question


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
    call = Call.of(frame, question).with_metrics([metric])
    from polars_fairness.values.neighbours.flipped_rows import (
        members_flipped,  # brought by the extra
    )

    cells = cells_of_complete_rows(call.rows, call.roles)
    return collected_unless_lazy(
        frame, members_flipped(PolarsRows(frame.lazy()), cells, call.roles, metric)
    )
