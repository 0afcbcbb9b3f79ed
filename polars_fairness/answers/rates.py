"""The function `rates`: the counts and rates of every group."""

from __future__ import annotations

from functools import partial
from typing import Unpack, cast

import polars as pl

from polars_fairness.answers.hidden import NOTE, rated_and_hidden
from polars_fairness.api.bound import CheckedQuestion, read
from polars_fairness.api.clashes import (
    refuse_no_columns,
    refuse_taken_names,
    refuse_unknown_positive,
)
from polars_fairness.api.plan import answer_of
from polars_fairness.api.signatures import answers
from polars_fairness.catalogue.prefixes import prefixed
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.question.arguments import Question, parted
from polars_fairness.question.audit_arguments import HIDE_BELOW, NAMES_OF_TOOL, RatesQuestion
from polars_fairness.question.outcomes import NUMBERS, ROLES
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import RATE_COLUMNS, rated, types_of_rates


@answers(HIDE_BELOW, NAMES_OF_TOOL)
def rates(frame: AnyFrame, **question: Unpack[RatesQuestion]) -> PolarsFrame:
    """Return the counts and rates of every group of each facet, and of all rows.

    Parameters
    ----------
    **question
        As in `metrics`. ``disfavored``, ``favored`` and ``subgroup`` are for other answers.
    {own arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per facet and facet value, with null as the ``value`` of rows whose facet is
        unknown; then one row for all rows, whose ``facet`` is "(all)". The columns are those of
        ``by``, ``facet`` and ``value``, then ``n``, the rates, ``rows_dropped`` and the other
        counts. A count or rate is null if it needs an outcome that was not given; a rate also if
        it is undefined. A rate uses the rows that have the outcomes it needs. ``n`` and the other
        counts are of the rows that have all given outcomes, and ``rows_dropped`` is the number of
        the others. With ``weight``, the counts are sums of weights, except ``rows_dropped``. With
        ``hide_below``, a column ``note`` says which groups are hidden.

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
    │ (all) ┆ null  ┆ 4   ┆ 0.5            │
    └───────┴───────┴─────┴────────────────┘
    """
    own, others = parted(question, [HIDE_BELOW, NAMES_OF_TOOL])
    bound = read(frame, cast("Question", others), "rates", own)
    roles, named = roles_of_rates(bound.roles), prefixed(f"{own['names']}.")
    columns = {} if named is None else named.columns
    refuse_taken_names(roles, {"by"}, columns.values())
    shown = {*roles.windows.types, *types_of_rates(roles)}
    answer = answer_of_rates(bound, roles, own["hide_below"])
    return answer.rename({ours: there for ours, there in columns.items() if ours in shown})


def answer_of_rates(
    bound: CheckedQuestion, roles: Roles, hide_below: int | None, *, has_rows: bool = False
) -> PolarsFrame:
    """The rates of a question, with the number of rows of each if requested, and groups hidden."""
    compute, shown = partial(rated, has_rows=has_rows), types_of_rates(roles, has_rows=has_rows)
    if hide_below is not None:
        refuse_taken_names(roles, {"by"}, [NOTE])
        compute = partial(rated_and_hidden, has_rows=has_rows, least=hide_below)
        shown[NOTE] = pl.String()
    return answer_of(bound, roles, compute, shown, in_plan=not roles.uncertain_facets)


def roles_of_rates(roles: Roles) -> Roles:
    """The question as far as rates need it, or an error at the call."""
    kept = roles.keeping((*ROLES, *NUMBERS, *(["score"] if roles.is_about_scores else [])))
    if not kept.uncertain_facets:
        refuse_no_columns(kept.key_columns, "rates")
    refuse_unknown_positive(kept, "rates", *kept.outcomes)
    refuse_taken_names(kept, {"by"}, ("facet", "value", *RATE_COLUMNS))
    return kept
