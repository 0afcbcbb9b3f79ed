"""The function `confusions`: a confusion matrix of each group."""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.call import Call
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.signatures import answers
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError, keyword
from polars_fairness.question.arguments import Question
from polars_fairness.values.confusions import COLUMNS, confused, schema


@answers()
def confusions(frame: AnyFrame, **question: Unpack[Question]) -> PolarsFrame:
    """Return a confusion matrix of each group, of any number of classes.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    **question
        As in `metrics`; ``label`` and ``predicted`` are needed, and ``disfavored``, ``favored`` and
        ``classes`` change nothing. With ``positive`` or a threshold, an outcome is True or False.

    Returns
    -------
    LazyFrame or DataFrame
        One row per group, class of the label and class predicted. The columns are those of
        ``by``, with several models or thresholds these, then:

        ``facet``, ``value``
            The group; a null value is the group of unknown facet. All rows together have the facet
            "(all)".
        ``label``, ``predicted``
            The class observed and the class predicted.
        ``n``
            The rows of the group with both, or the sum of their weights; 0 if there are none.
        ``share``
            ``n`` over all rows of the group whose label is this class; null if there are none.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> triage = pl.DataFrame({"sex": ["F", "F", "M"], "need": list("abb"), "given": list("aab")})
    >>> pf.confusions(triage, facet="sex", label="need", predicted="given").head(4)
    shape: (4, 6)
    ┌───────┬───────┬───────┬───────────┬─────┬───────┐
    │ facet ┆ value ┆ label ┆ predicted ┆ n   ┆ share │
    │ ---   ┆ ---   ┆ ---   ┆ ---       ┆ --- ┆ ---   │
    │ str   ┆ str   ┆ str   ┆ str       ┆ i64 ┆ f64   │
    ╞═══════╪═══════╪═══════╪═══════════╪═════╪═══════╡
    │ sex   ┆ F     ┆ a     ┆ a         ┆ 1   ┆ 1.0   │
    │ sex   ┆ F     ┆ a     ┆ b         ┆ 0   ┆ 0.0   │
    │ sex   ┆ F     ┆ b     ┆ a         ┆ 1   ┆ 1.0   │
    │ sex   ┆ F     ┆ b     ┆ b         ┆ 0   ┆ 0.0   │
    └───────┴───────┴───────┴───────────┴─────┴───────┘
    """
    call = Call.of(frame, question, "confusions")
    call = replace(call, roles=call.roles.of_rows.keeping(()))
    for outcome in call.roles.outcomes:
        argument = "label_threshold" if outcome.role == "label" else "threshold"
        if outcome.column.dtype.is_float() and not outcome.is_binary:
            raise FairnessError(
                f"{outcome.argument}: {outcome.column.name!r} is {outcome.column.dtype}, and "
                "classes are text, whole numbers, Booleans or an Enum; give "
                f"{keyword(argument)}, or cast it"
            )
    refuse_taken_names(call.roles, {"by"}, COLUMNS)
    return call.answer(cells_of_all_rows, confused, schema(call.roles), in_plan=True)
