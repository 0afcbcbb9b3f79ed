"""The function `lending.table`: groups beside their reference, as fair lending looks at them."""

from __future__ import annotations

from functools import partial
from typing import Any, Final, Unpack, cast

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.answers.prescribed.lending_table import (
    COLUMNS,
    Deviation,
    Limits,
    lending_table,
    metrics_of,
)
from polars_fairness.answers.prescribed.lending_table import schema as schema_of_table
from polars_fairness.api.prescribed.reference_needed import (
    call_about_decisions,
    options_and_question_of,
    refuse_segments,
)
from polars_fairness.api.refusals import refuse_taken_names
from polars_fairness.api.signatures import takes
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import defaults, named
from polars_fairness.question.prescribed_arguments import (
    DEVIATION,
    OF_LENDING_TABLE,
    LendingQuestion,
)
from polars_fairness.question.roles import Roles

_OWN: Final = defaults(
    named(OF_LENDING_TABLE, "minimum_ratio", "maximum_points", "significance", DEVIATION.name)
)


@takes(*OF_LENDING_TABLE, module="lending")
def table(frame: AnyFrame, **given: Unpack[LendingQuestion]) -> PolarsFrame:
    """Compare each group with its reference by the numbers that fair lending looks at.

    A group is flagged only if its ratio, its percentage points and its p-value are all beyond
    their limits. The limits are arguments, and none is a law. A number that is exactly at its limit
    is not beyond it: rates are compared in whole numbers; with weights, whose sums differ in their
    last digits, a rate is beyond a limit if it is by more than 1e-12.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per group other than the reference. The columns are those of ``by``, with several
        models ``model``, with several thresholds ``threshold``, then:

        ``facet``, ``disfavored``, ``favored``
            The group, and its reference.
        ``n_disfavored``, ``n_favored``, ``n_unknown``, ``n_dropped``
            The rows of both, the rows whose group is unknown, and the rows left out, as far as
            decisions are known; the difference of mean scores has the rows with a score.
        ``rate``, ``reference_rate``
            The rates of acceptance of both.
        ``points``
            The rate of the reference less the rate of the group, in percentage points: above 0, the
            group is accepted less often. Its bounds are ``points_lower`` and ``points_upper``.
        ``odds_ratio``
            The odds of acceptance of the group over those of its reference, with bounds.
        ``smd``
            The mean score of the reference less the mean score of the group, in standard
            deviations, with bounds: above 0, the scores of the group are lower. Null if the call
            has no scores.
        ``shortfall``, ``shortfall_to_four_fifths``
            How many more rows of the group would have to be accepted to reach the rate of its
            reference, and to reach four fifths of it; with ``weight``, the sum of their weights.
            With ``favorable=False``, how many fewer would have to be affected, for the rate of the
            reference, and for five fourths of it.
        ``p_value``
            The p-value of Fisher's exact test; with ``weight``, that of the normal distribution of
            `two_sd`, from the effective number of rows.
        ``air``, ``lower``, ``upper``
            The adverse impact ratio, the rate of the group over the rate of its reference.
        ``is_flagged``
            Whether the group is beyond all three limits. With ``favorable=False``, it is beyond
            those of the ratio and of the points if the reference is, beside the group. Null if it
            could not be judged, for want of rows on a side.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> applicants = pf.datasets.berkeley()
    >>> table = pf.lending.table(
    ...     applicants, facet="sex", favored="Male", predicted="admitted", count="n"
    ... )
    >>> table.select("disfavored", "shortfall", pl.col("air").round(3), "is_flagged").rows()
    [('Female', 260, 0.682, True)]
    """
    own = {name: cast("Any", given.get(name, default)) for name, default in _OWN.items()}
    of_deviation = own.pop(DEVIATION.name)
    DEVIATION.refuse_other_choices(of_deviation)
    limits = Limits(**own)
    options, question = options_and_question_of(given, _OWN)
    refuse_segments(question, "lending.table")
    call = call_about_decisions(frame, question, "lending.table")
    _refuse_impossible_deviations(call.roles, of_deviation)
    call = call.with_metrics([*metrics_of(call.roles, of_deviation).values()])
    refuse_taken_names(call.roles, {"by"}, COLUMNS)
    compute = partial(lending_table, options=options, limits=limits, of_deviation=of_deviation)
    return call.answer(cells_of_all_rows, compute, schema_of_table(call.roles))


def _refuse_impossible_deviations(roles: Roles, of_deviation: Deviation) -> None:
    if of_deviation == "population" and roles.score is None:
        msg = (
            "deviation: 'population' is the deviation of scores, and there are none; give score=, "
            "or leave deviation= out"
        )
        raise FairnessError(msg)
    if of_deviation == "pooled" and roles.score is not None and roles.facets_against_all:
        msg = (
            "deviation: 'pooled' is the deviation within both groups, and pf.OVERALL holds the "
            "rows of the group too; give deviation='population', or leave score= out"
        )
        raise FairnessError(msg)
