"""The function `lending.table`: groups beside their reference, as fair lending looks at them."""

from __future__ import annotations

from functools import partial
from typing import Any, Final, Unpack, cast

from polars_fairness.answers.options import options_and_question
from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.answers.prescribed.lending_table import (
    COLUMNS,
    Limits,
    lending_table,
    metrics_of,
)
from polars_fairness.answers.prescribed.lending_table import schema as schema_of_table
from polars_fairness.api.call import Call
from polars_fairness.api.refusals import refuse_taken_names
from polars_fairness.api.signatures import takes
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import defaults, named
from polars_fairness.question.prescribed_arguments import OF_LENDING_TABLE, LendingQuestion

_LIMITS: Final = defaults(
    named(OF_LENDING_TABLE, "minimum_ratio", "maximum_points", "significance")
)
_OWN: Final = {*_LIMITS, "deviation"}


@takes(*OF_LENDING_TABLE, module="lending")
def table(frame: AnyFrame, **given: Unpack[LendingQuestion]) -> PolarsFrame:
    """Compare each group with its reference by the numbers that fair lending looks at.

    A group is flagged only if its ratio, its percentage points and its p-value are all beyond
    their limits. The limits are arguments, and none is a law.

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
            The rows of both, the rows whose group is unknown, and the rows left out.
        ``rate``, ``reference_rate``
            The rates of acceptance of both.
        ``points``
            The rate of the reference less the rate of the group, in percentage points: above 0, the
            group is accepted less often. Its bounds are ``points_lower`` and ``points_upper``.
        ``odds_ratio``
            The odds of acceptance of the group over those of its reference, with bounds.
        ``smd``
            The mean score of the reference less the mean score of the group, in standard
            deviations, with bounds: above 0, the scores of the group are lower. Null without
            ``score``.
        ``shortfall``, ``shortfall_to_four_fifths``
            How many more rows of the group would have to be accepted to reach the rate of its
            reference, and to reach four fifths of it; with ``weight``, the sum of their weights.
        ``p_value``
            Of Fisher's exact test; with ``weight``, of the normal distribution of `two_sd`.
        ``air``, ``lower``, ``upper``
            The adverse impact ratio, the rate of the group over the rate of its reference.
        ``is_flagged``
            Whether the group is beyond all three limits. Null if it cannot be judged.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> applicants = pf.datasets.berkeley()
    >>> table = pf.lending.table(
    ...     applicants, facet="sex", favored="Male", predicted="admitted", count="n"
    ... )
    >>> table.select("disfavored", "shortfall", "air", "is_flagged").rows()
    [('Female', 260, 0.6820330259439635, True)]
    """
    limits = Limits(
        **{name: cast("Any", given.get(name, default)) for name, default in _LIMITS.items()}
    )
    of_audit = {name: value for name, value in given.items() if name not in _OWN}
    options, question = options_and_question(cast("Any", {"p_values": "exact", **of_audit}))
    if question.get("favored") is None:
        msg = (
            "favored: each group is compared with a reference, which was not given; give the "
            "group, such as favored='White', or pf.HIGHEST or pf.LARGEST"
        )
        raise FairnessError(msg)
    call = Call.of(frame, question)
    call = call.with_metrics([*metrics_of(call.roles).values()])
    refuse_taken_names(call.roles, {"by"}, COLUMNS)
    compute = partial(lending_table, options=options, limits=limits)
    return call.answer(cells_of_all_rows, compute, schema_of_table(call.roles))
