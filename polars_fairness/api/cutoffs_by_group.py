"""The function `cutoffs_by_group`: what a score could achieve with a cut-off for each group."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Unpack, cast

from polars_fairness.answers.cutoffs import OWN_COLUMNS, columns, cut_off
from polars_fairness.answers.cutoffs import schema as cutoffs_schema
from polars_fairness.answers.objective import objective_of
from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.call import Call
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.signatures import answers
from polars_fairness.counting.cells import cells_of_complete_rows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import Question, parted
from polars_fairness.question.audit_arguments import EQUAL, OF_CUTOFFS, CutoffQuestion
from polars_fairness.question.outcomes import ROLES
from polars_fairness.values.formula_checks import adds_up_over_rows


@answers(*OF_CUTOFFS)
def cutoffs_by_group(frame: AnyFrame, **given: Unpack[CutoffQuestion]) -> PolarsFrame:
    """Return the best cut-off of each group: what the score could achieve, with equal rates or not.

    It shows what a score costs a group that it ranks or calibrates worse than others, and no rule
    to decide by: cut-offs that differ by group may be unlawful. For one cut-off for all rows, see
    `choose`.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    {own arguments}
    **question
        As in `metrics`, with one facet, a label and a score; ``disfavored``, ``favored`` and
        ``subgroup`` change nothing. Without ``threshold``, every distinct score or multiple of
        ``resolution`` is tried. Rows whose facet is unknown are in no group, and in no number.

    Returns
    -------
    LazyFrame or DataFrame
        One row per group, then one for all groups together, whose ``facet`` is "(all)". The columns
        are those of ``by``, then:

        ``facet``, ``value``, ``n``
            The group and its rows.
        ``threshold_0``, ``share_0``
            A threshold, and the share of the group's rows that it decides. It is infinite where no
            row is accepted, and minus infinity where all rows are, whatever their score.
        ``threshold_1``, ``share_1``
            A higher threshold that decides another share, where equal rates need a mixture of two.
        ``share_at_random``, ``rate_at_random``
            The share of the group's rows that is decided without the score, and the probability
            that such a row is accepted. Equalised odds may need it for groups whose score ranks
            them better.
        ``selection_rate``, ``tpr``, ``fpr``
            The rates on average.
        the value to maximise
            Such as ``accuracy``, on average.

        Of equally good cut-offs, those that accept most are shown. A group without the rate that is
        to be equal has its own best threshold. All is null where the value to maximise is
        undefined.

    Examples
    --------
    Equal true positive rates: of a group's rows, a share is decided by each of two thresholds.

    >>> import polars_fairness as pf
    >>> question = {"facet": "race", "label": "repaid", "score": "score", "weight": "weight"}
    >>> profit = pf.entry("utility", tp=1, fp=-5)
    >>> scores = pf.datasets.fico()
    >>> cutoffs = pf.cutoffs_by_group(scores, equal="tpr", maximise=profit, **question)
    >>> cutoffs.select("value", "threshold_0", "share_0", "threshold_1", "tpr", "utility")
    shape: (5, 6)
    ┌──────────┬─────────────┬──────────┬─────────────┬──────────┬───────────┐
    │ value    ┆ threshold_0 ┆ share_0  ┆ threshold_1 ┆ tpr      ┆ utility   │
    │ ---      ┆ ---         ┆ ---      ┆ ---         ┆ ---      ┆ ---       │
    │ str      ┆ f64         ┆ f64      ┆ f64         ┆ f64      ┆ f64       │
    ╞══════════╪═════════════╪══════════╪═════════════╪══════════╪═══════════╡
    │ Asian    ┆ 46.0        ┆ 0.666909 ┆ 46.5        ┆ 0.749967 ┆ 0.476324  │
    │ Black    ┆ 29.5        ┆ 0.232845 ┆ 30.0        ┆ 0.749967 ┆ -0.107396 │
    │ Hispanic ┆ 35.0        ┆ 0.744287 ┆ 35.5        ┆ 0.749967 ┆ 0.132161  │
    │ White    ┆ 46.5        ┆ 1.0      ┆ null        ┆ 0.749967 ┆ 0.470382  │
    │ null     ┆ null        ┆ null     ┆ null        ┆ 0.749967 ┆ 0.381418  │
    └──────────┴─────────────┴──────────┴─────────────┴──────────┴───────────┘
    """
    own, others = parted(given, OF_CUTOFFS)
    question = cast("Question", others)
    EQUAL.refuse_other_choices(own["equal"])
    objective = objective_of(own["maximise"], OWN_COLUMNS)
    if not adds_up_over_rows(objective):
        raise FairnessError(
            "maximise: the best cut-offs of groups are found one by one, and "
            f"{objective.name!r} is no sum over rows; give a value that is, such as 'accuracy', "
            "'selection_rate' or pf.entry('utility', ...)"
        )
    call = Call.at_thresholds(frame, question, "cutoffs_by_group", own)
    call = replace(call, roles=call.roles.keeping(ROLES).of_scores)
    refuse_taken_names(call.roles, {"by"}, columns(objective))
    compute = partial(cut_off, objective=objective, equal=own["equal"])
    return call.answer(cells_of_complete_rows, compute, cutoffs_schema(call.roles, objective))
