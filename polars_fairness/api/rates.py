"""The counts and rates of every group."""

from __future__ import annotations

from typing import Unpack

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.call import Call
from polars_fairness.api.refusals import (
    refuse_no_columns,
    refuse_taken_names,
    refuse_unknown_positive,
)
from polars_fairness.api.signatures import takes
from polars_fairness.counting.cells import cells_of_complete_rows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.question.arguments import Question
from polars_fairness.values.rates import COLUMNS as RATE_COLUMNS
from polars_fairness.values.rates import rated
from polars_fairness.values.rates import schema as rates_schema


@takes()
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
    call = Call.of(frame, question).without_features()
    refuse_no_columns(call.roles, "rates")
    refuse_unknown_positive(call.roles, "rates", *call.roles.outcomes)
    refuse_taken_names(call.roles, {"by"}, ("facet", "value", *RATE_COLUMNS))
    return call.answer(cells_of_complete_rows, rated, rates_schema(call.roles))
