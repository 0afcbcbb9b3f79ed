"""The function `hiring.adverse_impact`: groups beside the group with the highest selection rate."""

from __future__ import annotations

from functools import partial
from typing import Final, Unpack

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.answers.prescribed.adverse_impact import COLUMNS, METRICS, adverse_impacts
from polars_fairness.answers.prescribed.adverse_impact import schema as schema_of_impacts
from polars_fairness.api.prescribed.people import NOT_OF_PEOPLE, call_of, options_of, unknown_texts
from polars_fairness.api.refusals import refuse_taken_names
from polars_fairness.api.signatures import takes
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import require_extra
from polars_fairness.question.prescribed_arguments import (
    OF_ADVERSE_IMPACT,
    OF_PEOPLE,
    AdverseImpactQuestion,
)
from polars_fairness.question.references import HIGHEST

_NAME: Final = "hiring.adverse_impact"

_REFUSED: Final = {
    **NOT_OF_PEOPLE,
    "score": "a score by itself selects no one; scoring rates are in hiring.impact_ratios",
    **dict.fromkeys(("sex", "race"), "facets are given as facet=, such as facet=['sex', 'race']"),
}


@takes(*OF_ADVERSE_IMPACT, shared=OF_PEOPLE, module="hiring", refused=_REFUSED)
def adverse_impact(frame: AnyFrame, **given: Unpack[AdverseImpactQuestion]) -> PolarsFrame:
    """Compare each group with the group of the highest selection rate, and test the difference.

    The four-fifths rule of the Uniform Guidelines on Employee Selection Procedures (29 CFR
    1607.4(D)): practical significance, a ratio below four fifths, beside statistical significance.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per group other than the highest. The columns are those of ``by``, then:

        ``facet``, ``disfavored``, ``favored``
            The group, and the group with the highest selection rate.
        ``n_disfavored``, ``n_favored``, ``n_unknown``, ``n_dropped``
            The people of both groups, the people whose group is unknown, and the rows left out.
        ``rate``, ``reference_rate``
            The selection rates of both groups.
        ``shortfall``, ``shortfall_to_four_fifths``
            How many more people of the group would have to be selected to reach the highest rate,
            and to reach four fifths of it, in whole people.
        ``two_sd``, ``p_value``
            The difference of the rates in standard deviations, above 0 if the group is selected
            less; and the p-value of Fisher's exact test.
        ``impact_ratio``, ``lower``, ``upper``
            The rate over the highest rate, with the bounds of its interval.
        ``is_below_four_fifths``
            Whether the ratio is below four fifths, compared in whole numbers.
        ``is_significant``
            Whether ``two_sd`` is beyond 2, or ``p_value`` below 0.05.
        ``is_flagged``
            Whether both are true. Null if no people are selected, and so there is no ratio.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> applicants = pl.DataFrame(
    ...     {"sex": ["F", "F", "M", "M"], "hired": [1, 0, 1, 0], "n": [10, 30, 20, 20]}
    ... )
    >>> pf.hiring.adverse_impact(applicants, facet="sex", selected="hired", count="n").select(
    ...     "disfavored", "favored", "impact_ratio", "shortfall_to_four_fifths", "is_flagged"
    ... ).rows()
    [('F', 'M', 0.5, 6, True)]
    """
    require_extra(_NAME, "significance", "scipy")
    options = options_of(given)
    highest = HIGHEST(minimum_share=given.get("minimum_share", 0.0))
    call = call_of(frame, given, _NAME, facet=given["facet"], favored=highest)
    call = call.with_metrics([*METRICS.values()])
    refuse_taken_names(call.roles, {"by"}, COLUMNS)
    compute = partial(adverse_impacts, options=options, unknown=unknown_texts(given.get("unknown")))
    return call.answer(cells_of_all_rows, compute, schema_of_impacts(call.roles))
