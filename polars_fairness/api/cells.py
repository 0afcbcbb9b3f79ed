"""Cells: the counts that everything is computed from."""

from __future__ import annotations

from typing import Unpack

from polars_fairness.answers.plan import PolarsFrame, collected_unless_lazy
from polars_fairness.api.call import Call
from polars_fairness.api.refusals import refuse_no_columns, refuse_taken_names
from polars_fairness.api.signatures import takes
from polars_fairness.counting.cells import joint_cells
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.question.arguments import OF_QUESTION, Question


@takes()
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
    call = Call.of(frame, question).assuming_positive(needed=())
    refuse_no_columns(call.roles, "cells")
    sums = ("n", "weight_sq") if call.roles.weight else ("n",)
    shown = {row.name for row in OF_QUESTION if row.kind.names_columns} - {"count"}
    refuse_taken_names(call.roles, shown, sums)
    return collected_unless_lazy(frame, joint_cells(call.rows, call.roles))
