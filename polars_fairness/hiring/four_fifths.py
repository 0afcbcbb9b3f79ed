"""The four-fifths rule of adverse impact, with significance."""

from __future__ import annotations

from functools import partial
from typing import Final, Unpack

import polars as pl

from polars_fairness.answers.columns import ADVERSE_IMPACT
from polars_fairness.answers.comparisons import (
    FOUR_FIFTHS,
    as_answer,
    comparisons_of,
    exactly,
)
from polars_fairness.answers.options import AuditOptions
from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.answers.verdicts import is_significant
from polars_fairness.api.signatures import answers
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.counting.decided_sides import groups_of_facets
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import keyword, require_extra
from polars_fairness.hiring.arguments import OF_ADVERSE_IMPACT, OF_PEOPLE, AdverseImpactQuestion
from polars_fairness.hiring.people import (
    NOT_OF_PEOPLE,
    call_of,
    options_of,
    refuse_unknown_categories,
)
from polars_fairness.inference.bound_names import P_VALUE, bound_names
from polars_fairness.question.facets import HIGHEST
from polars_fairness.question.roles import Roles

METRICS: Final = {name: CATALOGUE[name] for name in ("di", "two_sd")}

# Beyond two standard deviations, or a p-value below 0.05: 29 CFR 1607.4(D) as courts read it.
_DEVIATIONS: Final = 2


def _adverse_impacts(seen: pl.LazyFrame, roles: Roles, options: AuditOptions) -> pl.LazyFrame:
    """Every group beside the highest one, from the cells of all rows."""
    groups = groups_of_facets(of_complete_rows(seen, roles), roles).rename({"rows": "n"})
    refuse_unknown_categories(collected(groups), roles)
    # The rule compares each rate with the highest, and does not ask how many there are.
    compared = comparisons_of(seen, roles, METRICS, options, as_if_named=True)
    lower, upper = (pl.col(name) for name in bound_names("di"))
    p_value = pl.col(f"di{P_VALUE}")
    differs = pl.col("is_beyond") | is_significant(p_value)
    is_below = pl.col("is_below_four_fifths")
    table = exactly(
        compared,
        roles,
        {
            "shortfall": (roles.size, lambda pair: pair.shortfall()),
            "shortfall_to_four_fifths": (roles.size, lambda pair: pair.shortfall(FOUR_FIFTHS)),
            "is_below_four_fifths": (pl.Boolean(), lambda pair: pair.is_below(0.8)),
            "is_beyond": (pl.Boolean(), lambda pair: pair.differs_by_more(_DEVIATIONS)),
        },
    ).with_columns(
        p_value=p_value,
        lower=lower,
        upper=upper,
        impact_ratio=pl.col("di"),
        is_significant=differs,
        is_flagged=pl.when(is_below.is_not_null()).then(is_below & differs),
    )
    return as_answer(table, roles, ADVERSE_IMPACT)


_NAME: Final = "hiring.adverse_impact"

_REFUSED: Final = {
    **NOT_OF_PEOPLE,
    "score": "a score by itself selects no one; scoring rates are in hiring.impact_ratios",
    **dict.fromkeys(
        ("sex", "race"), f"facets are given as {keyword('facet')}, such as facet=['sex', 'race']"
    ),
}


@answers(*OF_ADVERSE_IMPACT, shared=OF_PEOPLE, module="hiring", refused=_REFUSED)
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
        ``n_disfavored``, ``n_favored``, ``n_unknown``, ``rows_dropped``
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
    compute = partial(_adverse_impacts, options=options)
    return call.answer(compute, ADVERSE_IMPACT)
