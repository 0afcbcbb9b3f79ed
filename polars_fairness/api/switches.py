"""The function `switches`: the rows that a model decides otherwise than the champion."""

from __future__ import annotations

from typing import Unpack

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.answers.switches import COLUMNS, switched
from polars_fairness.answers.switches import schema as switches_schema
from polars_fairness.api.call import Call
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.signatures import answers
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.question.arguments import Question


@answers()
def switches(frame: AnyFrame, *, champion: str, **question: Unpack[Question]) -> PolarsFrame:
    """Return how many rows of each group a model accepts or rejects otherwise than the champion.

    Two models may accept equally many rows of a group, and not the same rows.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    champion
        The name of the model that the others are compared with.
    **question
        As in `metrics`, with several models as ``predicted``. ``label`` only changes which rows
        are complete; ``disfavored``, ``favored`` and ``subgroup`` change nothing.

    Returns
    -------
    LazyFrame or DataFrame
        One row per model other than the champion, facet and facet value, with null as the ``value``
        of rows whose facet is unknown; then one row for all rows, whose ``facet`` is "(all)". The
        columns are those of ``by``, ``model``, with several thresholds ``threshold``, ``facet`` and
        ``value``, then:

        ``n``
            The number of rows; with ``weight``, here and below, the sum of their weights.
        ``kept_accepted``, ``newly_accepted``, ``newly_rejected``, ``kept_rejected``
            Rows that both accept; that the model accepts and the champion rejects (swap-ins); that
            the model rejects and the champion accepts (swap-outs); that both reject.
        ``change_in_rate``
            The selection rate of the model less that of the champion.
        ``mcnemar_p_value``
            The p-value of McNemar's exact test that as many rows switch one way as the other; 1
            where no row switches, null with weights.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> loans = pl.DataFrame(
    ...     {
    ...         "sex": ["F", "F", "F", "M", "M", "M"],
    ...         "today": [False, False, True, True, True, False],
    ...         "next": [True, False, True, False, True, False],
    ...     }
    ... )
    >>> models = {"today": "today", "next": "next"}
    >>> answer = pf.switches(loans, champion="today", facet="sex", predicted=models)
    >>> answer.select("model", "value", "newly_accepted", "newly_rejected", "mcnemar_p_value")
    shape: (3, 5)
    ┌───────┬───────┬────────────────┬────────────────┬─────────────────┐
    │ model ┆ value ┆ newly_accepted ┆ newly_rejected ┆ mcnemar_p_value │
    │ ---   ┆ ---   ┆ ---            ┆ ---            ┆ ---             │
    │ str   ┆ str   ┆ i64            ┆ i64            ┆ f64             │
    ╞═══════╪═══════╪════════════════╪════════════════╪═════════════════╡
    │ next  ┆ F     ┆ 1              ┆ 0              ┆ 1.0             │
    │ next  ┆ M     ┆ 0              ┆ 1              ┆ 1.0             │
    │ next  ┆ null  ┆ 1              ┆ 1              ┆ 1.0             │
    └───────┴───────┴────────────────┴────────────────┴─────────────────┘
    """
    call = Call.of(frame, question, "switches", {"champion": champion}).against(champion)
    call = call.keeping(())
    refuse_taken_names(call.roles, {"by"}, COLUMNS)
    return call.answer(cells_of_all_rows, switched, switches_schema(call.roles))
