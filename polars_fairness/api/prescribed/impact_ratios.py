"""The function `hiring.impact_ratios`: rates of categories beside the highest rate."""

from __future__ import annotations

from functools import partial
from typing import Final, Unpack

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.answers.prescribed.impact_ratios import COLUMNS, METRICS, impact_ratios_of
from polars_fairness.answers.prescribed.impact_ratios import schema as schema_of_ratios
from polars_fairness.api.call import Call
from polars_fairness.api.prescribed.people import (
    NOT_OF_PEOPLE,
    call_of,
    category,
    options_of,
    unknown_texts,
)
from polars_fairness.api.refusals import refuse_taken_names
from polars_fairness.api.signatures import takes
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError, require_number, shown
from polars_fairness.question.columns import ColumnLike
from polars_fairness.question.prescribed_arguments import (
    OF_IMPACT_RATIOS,
    OF_PEOPLE,
    ImpactRatiosQuestion,
)
from polars_fairness.question.references import HIGHEST
from polars_fairness.question.scores import EVERY, Score

_LARGEST_EXCLUDED: Final = 0.02

_REFUSED: Final = {
    **NOT_OF_PEOPLE,
    "facet": "the categories are given as sex= and race=",
    "resolution": "the median needs the score of each person; leave it out",
}


@takes(*OF_IMPACT_RATIOS, shared=OF_PEOPLE, module="hiring", refused=_REFUSED)
def impact_ratios(frame: AnyFrame, **given: Unpack[ImpactRatiosQuestion]) -> PolarsFrame:
    """Return the selection or scoring rate of each category of people, and its impact ratio.

    The numbers of a bias audit by New York City's Local Law 144 (6 RCNY § 5-301), in three tables:
    by sex, by race and ethnicity, and by both together. A person whose sex or race is unknown is in
    no category of a table that needs it.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per category. A table without a category has a row whose ``value`` is null, which
        counts the unknown people. The columns are those of ``by``, then:

        ``facet``, ``value``
            The table, such as "sex", and the category.
        ``n``
            The people of the category.
        ``rate``, ``selected``
            The selection rate, or with ``score`` the scoring rate; and the number of people behind
            it: those selected, or those whose score is above the median.
        ``share``
            The share of the category in the people whose category is known.
        ``n_unknown``, ``n_dropped``
            The people whose category is unknown, and the rows left out.
        ``median``
            The median score of all people, those of unknown category included; null without
            ``score``.
        ``impact_ratio``, ``lower``, ``upper``
            The rate over the highest rate of the table, with the bounds of its interval; 1 without
            bounds for the category with the highest rate; null if the category is excluded.
        ``is_excluded``
            Whether the category is left out of the impact ratios.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> applicants = pl.DataFrame(
    ...     {
    ...         "sex": ["F", "F", "M", "M"],
    ...         "race": ["White", "White", "Asian", "Asian"],
    ...         "hired": [True, False, True, False],
    ...         "n": [34, 42, 50, 42],
    ...     }
    ... )
    >>> ratios = pf.hiring.impact_ratios(
    ...     applicants, sex="sex", race="race", selected="hired", count="n"
    ... )
    >>> ratios.filter(facet="sex").select("value", "n", pl.col("impact_ratio").round(2)).rows()
    [('F', 76, 0.82), ('M', 92, 1.0)]
    """
    call, below = call_of_ratios(frame, given), given.get("exclude_below")
    compute = partial(
        impact_ratios_of,
        options=options_of(given, p_values=None),
        exclude_below=below,
        unknown=unknown_texts(given.get("unknown")),
    )
    return call.answer(cells_of_all_rows, compute, schema_of_ratios(call.roles))


def call_of_ratios(frame: AnyFrame, given: ImpactRatiosQuestion) -> Call:
    """The call for the three tables, checked against the frame's schema."""
    below = given.get("exclude_below")
    _refuse_odd_exclusions(below, given.get("justification"))
    score = given.get("score")
    _refuse_other_than_one(given.get("selected"), score)
    _refuse_positive_scores(score, given.get("positive"))
    of_score = {} if score is None else {"score": score, "threshold": EVERY}
    call = call_of(
        frame,
        given,
        "hiring.impact_ratios",
        facet=[category(name, given[name]) for name in ("sex", "race")],
        favored=HIGHEST(minimum_share=below or 0.0),
        **of_score,
    )
    _refuse_rounded_scores(call.roles.score)
    call = call.with_intersection().with_metrics([*METRICS.values()])
    refuse_taken_names(call.roles.undecided, {"by"}, COLUMNS)
    return call


def _refuse_other_than_one(selected: ColumnLike | None, score: ColumnLike | None) -> None:
    if (selected is None) == (score is None):
        found = "neither was given" if selected is None else "both were given"
        msg = (
            f"selected, score: the rates follow from one of them, and {found}; give selected= for "
            "selection rates, or score= for scoring rates"
        )
        raise FairnessError(msg)


def _refuse_positive_scores(score: ColumnLike | None, positive: object) -> None:
    if score is not None and positive is not None:
        msg = (
            "positive: is for selected=, and a score is above the median or not; leave positive= "
            "out, or give selected= in place of score="
        )
        raise FairnessError(msg)


def _refuse_rounded_scores(score: Score | None) -> None:
    if score is not None and score.has_sums:
        msg = (
            "score: the scores of these cells were rounded down to multiples, and the median "
            "needs the score of each person; count the cells without resolution="
        )
        raise FairnessError(msg)


def _refuse_odd_exclusions(below: float | None, justification: object) -> None:
    if below is None:
        if justification is not None:
            msg = (
                "justification: is for categories that are left out, and none are; give "
                "exclude_below=0.02, or leave it out"
            )
            raise FairnessError(msg)
        return
    takes_share = "a share above 0 and up to 0.02, the most that the rule allows"
    if not 0 < require_number("exclude_below", below, takes_share) <= _LARGEST_EXCLUDED:
        msg = f"exclude_below: takes {takes_share}, got {below!r}"
        raise FairnessError(msg)
    if justification is None or not str(justification).strip():
        msg = (
            "justification: the rule requires a reason for leaving out categories; give "
            "justification='...', or leave exclude_below= out"
        )
        raise FairnessError(msg)
    if not isinstance(justification, str):
        msg = f"justification: takes a text, got {shown(justification)}"
        raise FairnessError(msg)
