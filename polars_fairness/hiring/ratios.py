"""Impact ratios: of each category's rate to the highest rate, by sex, by race and by both."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final, Unpack

import polars as pl

from polars_fairness.answers.columns import IMPACT_RATIOS
from polars_fairness.answers.comparisons import as_answer, comparisons_of
from polars_fairness.answers.options import AuditOptions
from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.call import Call
from polars_fairness.api.signatures import answers
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.cells import of_one_facet
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import of_complete_rows, row_counts
from polars_fairness.counting.decided_sides import groups_of_facets, is_large
from polars_fairness.counting.decisions import decided_by_window
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.counting.score_lists import unlisted
from polars_fairness.counting.sides import COMPARISON_KEY, written_key
from polars_fairness.errors import FairnessError, keyword, require_number, shown
from polars_fairness.hiring.arguments import OF_IMPACT_RATIOS, OF_PEOPLE, ImpactRatiosQuestion
from polars_fairness.hiring.people import (
    NOT_OF_PEOPLE,
    call_of,
    category,
    options_of,
    refuse_unknown_categories,
)
from polars_fairness.inference.bound_names import bound_names
from polars_fairness.question.facets import HIGHEST, intersection_of
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import EVERY, Score
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.values.evaluate import place_keys

MEDIAN: Final = "median"


METRICS: Final = {"di": CATALOGUE["di"]}

_ENDS: Final = ("lower", "upper")


def _impact_ratios_of(
    seen: pl.LazyFrame,
    roles: Roles,
    options: AuditOptions,
    exclude_below: float | None,
) -> pl.LazyFrame:
    """Every category with its rate and its impact ratio, from the cells of all rows."""
    lines = None
    if roles.decides_by_score:
        lines = above_the_median(seen, roles)
        seen, roles = decided_by_window(seen, roles, lines)
    categories = _categories(seen, roles, lines)
    refuse_unknown_categories(categories, roles)
    # The rule divides each rate by the highest, whatever the number of categories.
    compared = comparisons_of(seen, roles, METRICS, options, as_if_named=True)
    ratios = compared.select(
        *place_keys(roles),
        pl.col(COMPARISON_KEY).alias("value"),
        pl.col("di").alias("impact_ratio"),
        *(pl.col(name).alias(end) for name, end in zip(bound_names("di"), _ENDS, strict=True)),
        is_compared=pl.lit(True),
    )
    keys = [*place_keys(roles), "value"]
    share = pl.col("share")
    is_small = pl.lit(False) if exclude_below is None else ~is_large(share, exclude_below)
    is_excluded = is_small.fill_null(False)
    # Each category but the highest has a comparison with the highest.
    is_highest = pl.col("is_compared").is_null() & (pl.col("rate") > 0)
    table = (
        categories.join(ratios, on=keys, how="left", nulls_equal=True)
        .with_columns(is_excluded=is_excluded)
        .with_columns(pl.when(is_highest).then(1.0).otherwise("impact_ratio").alias("impact_ratio"))
        .with_columns(
            pl.when(~pl.col("is_excluded")).then(name).alias(name)
            for name in ("impact_ratio", *_ENDS)
        )
        .sort(*place_keys(roles), written_key(pl.col("value"), roles), "value", nulls_last=True)
        .with_columns(written_key(pl.col("value"), roles).alias("value"))
    )
    return as_answer(table, replace(roles, windows=roles.windows.of_scores), IMPACT_RATIOS)


def _categories(seen: pl.LazyFrame, roles: Roles, lines: pl.DataFrame | None) -> pl.DataFrame:
    """The categories of each table with their numbers of people, and their selection rates.

    A table without a category has a row without a value, which counts the unknown people.
    """
    groups = groups_of_facets(of_complete_rows(seen, roles), roles)
    places = place_keys(roles)
    of_tables = row_counts(seen, places, roles)
    joined = of_tables.join(groups, on=places, how="left", nulls_equal=True).with_columns(
        pl.col("size", "positive").fill_null(0)
    )
    if lines is None:
        joined = joined.with_columns(pl.lit(None, pl.Float64).alias(MEDIAN))
    else:
        joined = joined.join(lines.lazy(), on=roles.windows.keys, how="left", nulls_equal=True)
    is_category = pl.col("value").is_not_null()
    return collected(
        joined.select(
            *places,
            "value",
            n="size",
            rate=pl.when(is_category).then(pl.col("positive") / pl.col("size")),
            selected="positive",
            share=pl.when(is_category).then(pl.col("size") / pl.col("size").sum().over(places)),
            n_unknown="unknown",
            rows_dropped="rows_dropped",
            median=MEDIAN,
        )
    )


_LARGEST_EXCLUDED: Final = 0.02

_REFUSED: Final = {
    **NOT_OF_PEOPLE,
    "facet": f"the categories are given as {keyword('sex')} and {keyword('race')}",
    "resolution": "the median needs the score of each person; leave it out",
}


@answers(*OF_IMPACT_RATIOS, shared=OF_PEOPLE, module="hiring", refused=_REFUSED)
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
        ``n_unknown``, ``rows_dropped``
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
        _impact_ratios_of,
        options=options_of(given, p_values=None),
        exclude_below=below,
    )
    return call.answer(compute, IMPACT_RATIOS, windows=call.roles.windows.of_scores)


def call_of_ratios(frame: AnyFrame, given: ImpactRatiosQuestion) -> Call:
    """The call for the three tables, checked against the frame's schema."""
    below = given.get("exclude_below")
    _refuse_odd_exclusions(below, given.get("justification"))
    score = given.get("score")
    if given.get("selected") is None and score is None:
        raise FairnessError(
            "selected, score: the rates follow from one of them, and neither was given; give "
            f"{keyword('selected')} for selection rates, or {keyword('score')} for scoring rates"
        )
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
    facets = (*call.roles.facets, intersection_of(call.roles.facets))
    return replace(call, roles=replace(call.roles, facets=facets)).with_metrics([*METRICS.values()])


def _refuse_rounded_scores(score: Score | None) -> None:
    if score is not None and score.has_sums:
        raise FairnessError(
            "score: the scores of these cells were rounded down to multiples, and the median "
            f"needs the score of each person; count the cells without {keyword('resolution')}"
        )


def _refuse_odd_exclusions(below: float | None, justification: object) -> None:
    if below is None:
        return
    takes_share = "a share above 0 and up to 0.02, the most that the rule allows"
    if not 0 < require_number("exclude_below", below, takes_share) <= _LARGEST_EXCLUDED:
        raise FairnessError(f"exclude_below: takes {takes_share}, got {below!r}")
    if justification is None or not str(justification).strip():
        raise FairnessError(
            "justification: the rule requires a reason for leaving out categories; give "
            f"{keyword('justification', '...')}, or leave {keyword('exclude_below')} out"
        )
    if not isinstance(justification, str):
        raise FairnessError(f"justification: takes a text, got {shown(justification)}")


def above_the_median(seen: pl.LazyFrame, roles: Roles) -> pl.DataFrame:
    """The median score of each window, and as its threshold the smallest score above the median.

    Rows of unknown facet count too. The median of an even number of rows is the mean of the two
    in the middle. Where no score is above the median, the threshold is infinite.
    """
    scores = _scores(seen, roles)
    keys = roles.windows.of_scores.keys
    by_window = scores.group_by(keys, maintain_order=True)
    score, place, last = pl.col("score"), pl.col("n").cum_sum(), pl.col("n").sum()
    # In whole numbers, each at most the number of rows.
    low = score.filter(place >= last - last // 2).first()
    high = score.filter(place > last // 2).first()
    above = score.filter(score > low).min()
    found = {MEDIAN: low / 2 + high / 2, THRESHOLD: above.fill_null(float("inf"))}
    return by_window.agg(**found) if keys else scores.select(**found)


def _scores(seen: pl.LazyFrame, roles: Roles) -> pl.DataFrame:
    """The number of complete rows of each score of a window, in the order of the scores.

    With weights, the sum of their weights.
    """
    cells = unlisted(of_complete_rows(of_one_facet(seen, roles), roles, by_score=True))
    keys = [*roles.windows.of_scores.keys, "score"]
    mass = pl.col("n" if roles.weight is None else "weight")
    counted = cells.group_by(keys, maintain_order=True).agg(mass.sum().alias("n"))
    return collected(counted.sort(keys))
