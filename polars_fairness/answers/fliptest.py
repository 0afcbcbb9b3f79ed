"""The function `fliptest`: members of d compared with similar members of a."""

from __future__ import annotations

from typing import Unpack

import polars as pl

from polars_fairness.answers.metrics import metrics
from polars_fairness.api.bound import read, unbound
from polars_fairness.api.plan import collected_unless_lazy
from polars_fairness.api.requested import requested
from polars_fairness.api.signatures import answers
from polars_fairness.catalogue.individuals import fliptest as flips_between_neighbours
from polars_fairness.catalogue.individuals import kinds_of_flips
from polars_fairness.counting.cells import cells_of_complete_rows
from polars_fairness.counting.polars_rows import PolarsRows
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.errors import FairnessError
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question


@answers()
def fliptest(
    frame: AnyFrame,
    *,
    k: int = 5,
    standardize: bool = False,
    progress: bool | None = None,
    flips: bool = False,
    **question: Unpack[Question],
) -> PolarsFrame:
    """Compare the decision on each member of d with the votes of its nearest members of a.

    The k members of a nearest by Euclidean distance over ``features`` vote with their own
    outcomes. A tied vote is for the negative outcome. Members of a at the same distance share the
    places that nearer ones leave, so the order of rows changes nothing.

    Parameters
    ----------
    features
        The columns of numbers or Booleans that distances between individuals are measured on.
    k
        The number of neighbours that vote. The default 5 becomes 1 if a has fewer than 10 rows,
        as in Clarify. For any other k, side a must have at least k rows.
    standardize
        Whether to divide every feature by its standard deviation over the rows of both sides,
        before measuring distances.
    flips
        Whether to return the members of d whose outcome flips, in place of their number.
    progress
        Whether to show a progress bar. None shows one on a terminal only, and for long work only.
    **question
        As in `metrics`. A member of d counts with its weight; each neighbour has one vote.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison. The columns are those of ``by``, ``facet``, ``disfavored``,
        ``favored``, ``n_disfavored``, ``n_favored``, then:

        ``unfavorable_flips``
            The members of d who were rejected although their neighbours were accepted.
        ``favorable_flips``
            The members of d who were accepted although their neighbours were rejected. Both kinds
            of flips are named for a positive outcome that is good, also with ``favorable=False``.
        ``fliptest``
            The difference of the two, divided by ``n_disfavored``.

        With ``flips=True``, one row per member of d whose outcome flips. The columns are those of
        ``by`` that are not columns of the frame, ``facet``, ``disfavored``, ``favored``, then:

        ``flip``
            "unfavorable" or "favorable".
        ``vote``
            The share of votes for acceptance.
        the columns of the frame
            The member's own row.

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
    metric = flips_between_neighbours(k=k, standardize=standardize, progress=progress)
    return flipped(frame, metric, flips=flips, **question)


def flipped(
    frame: AnyFrame, metric: Metric, *, flips: bool = False, **question: Unpack[Question]
) -> PolarsFrame:
    """The answer of `fliptest`, for a metric of this kind under any name."""
    counts = kinds_of_flips(metric)
    if not flips:
        answer = metrics(frame, metric, *counts, **question)
        size = pl.Int64 if question.get("weight") is None else pl.Float64
        flipped = pl.col([count.name for count in counts]).cast(size)
        shown = pl.exclude("n_unknown", "rows_dropped", metric.name)
        return answer.with_columns(flipped).select(shown, metric.name)
    rows = unbound(frame)
    if not isinstance(rows, pl.LazyFrame | pl.DataFrame):
        raise FairnessError(
            f"flips: returns rows with all their columns, and the rows of a "
            f"{type(rows).__name__} are not loaded; load the columns to show into a polars frame "
            "first"
        )
    bound = read(frame, question, "fliptest", {"flips": flips})
    _, roles = requested([metric], bound.roles)
    roles = roles.needing(metric.needs)
    from polars_fairness.values.neighbours import members_flipped  # brought by the extra

    cells = cells_of_complete_rows(bound.rows, roles)
    return collected_unless_lazy(
        rows, members_flipped(PolarsRows(rows.lazy()), cells, roles, metric)
    )
