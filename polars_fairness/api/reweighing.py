"""The functions `reweigh` and `reweighed`: weights that make labels independent of groups."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Unpack

import polars as pl

from polars_fairness.answers.plan import PolarsFrame, answered, collected_unless_lazy
from polars_fairness.api.call import Call, unbound
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.signatures import answers
from polars_fairness.counting.collected import counted_apart
from polars_fairness.counting.polars_rows import PolarsRows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import Question
from polars_fairness.values.factors import (
    NUMBERS,
    cells_of_groups,
    factored,
    schema,
    tabulated,
    with_factors,
)


@answers()
def reweigh(frame: AnyFrame, **question: Unpack[Question]) -> PolarsFrame:
    """Return the factors that make labels independent of groups, one for each group and label.

    The factor of a group and a label is how often they would occur together if they were
    independent, over how often they do: P(g)·P(y) / P(g, y) (Kamiran and Calders 2012). Rows whose
    weights are multiplied by it have a `dpl` of 0, and each group and each label keeps its total
    weight, if every group has rows of every label. `reweighed` multiplies them.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    **question
        As in `metrics`. It needs ``facet`` and ``label``. Several facets together define the
        groups, and rows whose facet is unknown are a group too. Without ``positive`` and
        ``label_threshold``, each value of the label is one by itself. Predictions, scores,
        ``disfavored``, ``favored``, ``subgroup`` and ``features`` change nothing.

    Returns
    -------
    LazyFrame or DataFrame
        One row for each group and label that occur together. The columns are those of ``by``, of
        ``facet``, and of ``label``, which is True and False with ``positive`` or
        ``label_threshold``; then:

        ``n``
            The number of rows; with ``weight``, the sum of their weights.
        ``factor``
            The factor, computed in each window of ``by``.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> loans = pl.DataFrame({"sex": ["F", "F", "F", "M"], "repaid": [0, 0, 1, 1]})
    >>> pf.reweigh(loans, facet="sex", label="repaid")
    shape: (3, 4)
    ┌─────┬────────┬─────┬────────┐
    │ sex ┆ repaid ┆ n   ┆ factor │
    │ --- ┆ ---    ┆ --- ┆ ---    │
    │ str ┆ i64    ┆ i64 ┆ f64    │
    ╞═════╪════════╪═════╪════════╡
    │ F   ┆ 0      ┆ 2   ┆ 0.75   │
    │ F   ┆ 1      ┆ 1   ┆ 1.5    │
    │ M   ┆ 1      ┆ 1   ┆ 0.5    │
    └─────┴────────┴─────┴────────┘
    """
    call = _call(frame, question, "reweigh")
    refuse_taken_names(call.roles, {"by", "facet", "label"}, NUMBERS)
    return call.answer(cells_of_groups, tabulated, schema(call.roles))


@answers()
def reweighed(
    frame: AnyFrame, *, name: str = "weight", **question: Unpack[Question]
) -> PolarsFrame:
    """Return the frame with weights that make labels independent of groups.

    Each row's weight is multiplied by the factor of its group and label, as in `reweigh`. With the
    new weights, `dpl` is 0, and each group and each label keeps its total weight, if every group
    has rows of every label.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, or a DataFrame.
    name
        The name of the new column.
    **question
        As in `reweigh`.

    Returns
    -------
    LazyFrame or DataFrame
        All columns and rows of the frame, in their order, and one more column: the row's weight,
        which is 1 without ``weight``, times the factor. With ``count`` it is the total weight of
        the rows that a row stands for. A weight or count of 0 stays 0; the other rows that
        ``nulls="drop"`` leaves out have no weight: null.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> loans = pl.DataFrame({"sex": ["F", "F", "M", "M", "M"], "repaid": [0, 1, 1, 0, 1]})
    >>> fair = pf.reweighed(loans, facet="sex", label="repaid")
    >>> fair["weight"].round(3).to_list()
    [0.8, 1.2, 0.9, 1.2, 0.9]
    >>> dpl = fair.fairness.dpl(facet="sex", disfavored="F", label="repaid", weight="weight")
    >>> dpl["dpl"].round(12).abs().item()
    0.0
    """
    given = unbound(frame)
    if not isinstance(given, pl.LazyFrame | pl.DataFrame):
        raise FairnessError(
            "frame: reweighed returns rows with all their columns, and the rows of a "
            f"{type(given).__name__} are not loaded; join the answer of reweigh with them there, "
            "by its columns before 'n', and multiply their weights by 'factor'"
        )
    call = _call(frame, question, "reweighed")
    rows = PolarsRows(given.lazy())
    _refuse_other_columns(name, rows)
    cells = counted_apart(cells_of_groups(rows, call.roles))
    compute = partial(factored, roles=call.roles)
    factors = answered(given, cells, compute, compute(cells).collect_schema(), in_plan=False)
    return collected_unless_lazy(given, with_factors(rows, factors.lazy(), call.roles, name))


def _call(frame: AnyFrame, question: Question, function: str) -> Call:
    """The call about groups and labels only, where each label value is one by itself."""
    call = Call.of(frame, question, function)
    of_rows = replace(call.roles, windows=call.roles.windows.of_rows, models=())
    return replace(call, roles=of_rows.keeping(()))


def _refuse_other_columns(name: Any, rows: PolarsRows) -> None:
    """Raise for a new column without a name of its own."""
    if not isinstance(name, str):
        raise FairnessError(f"name: takes the name of the new column, got {name!r}")
    if name in rows.schema:
        raise FairnessError(
            f"name: the frame has a column {name!r} already; give name= another name"
        )
