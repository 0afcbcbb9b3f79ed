"""Tables of people: impact ratios, and the four-fifths rule with significance."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, Unpack, cast

import polars as pl

from polars_fairness.answers.comparisons import (
    FOUR_FIFTHS,
    as_answer,
    comparisons_of,
    end_names,
    exactly,
    p_value_name,
)
from polars_fairness.answers.options import AuditOptions, options_and_question
from polars_fairness.api.bound import CheckedQuestion, read
from polars_fairness.api.clashes import refuse_unknown_positive
from polars_fairness.api.columns import ADVERSE_IMPACT, IMPACT_RATIOS
from polars_fairness.api.plan import answer_of
from polars_fairness.api.requested import requested
from polars_fairness.api.signatures import answers
from polars_fairness.api.verdicts import is_significant
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.cells import one_facet_cells
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import complete_cells, row_counts
from polars_fairness.counting.counts import unlisted
from polars_fairness.counting.decisions import decided_by_window
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.counting.sides import COMPARISON_KEY, groups_of_facets, is_large, written_key
from polars_fairness.errors import (
    FairnessError,
    listed,
    require_extra,
    require_number,
    shown,
)
from polars_fairness.hiring.arguments import (
    OF_ADVERSE_IMPACT,
    OF_IMPACT_RATIOS,
    OF_PEOPLE,
    AdverseImpactQuestion,
    ImpactRatiosQuestion,
)
from polars_fairness.question.arguments import Question, defaults
from polars_fairness.question.audit_arguments import OF_INTERVALS
from polars_fairness.question.columns import Column, GivenAs, Probabilities
from polars_fairness.question.facets import HIGHEST, Reference, intersection_of
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import EVERY
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.values.evaluate import place_keys

_UNKNOWN: Final = ("", "unknown")


def refuse_unknown_categories(groups: pl.DataFrame, roles: Roles) -> None:
    """Raise for a category such as "Unknown" or a blank text, with its number of people, ``n``.

    If it had the highest rate, all others would be compared with it.
    """
    means_unknown = pl.col("value").str.strip_chars().str.to_lowercase().is_in(_UNKNOWN)
    for facet in roles.facets:
        unknown = groups.filter(means_unknown, facet=facet.name)
        if unknown.height:
            names = unknown["value"].unique(maintain_order=True).to_list()
            raise FairnessError(
                f"{facet.column.argument}: {facet.name!r} is {listed(names, 'or')} for "
                f"{unknown['n'].sum():,} of the people, which would count as a category; give "
                f"unknown={names!r}, or make it null"
            )


_PEOPLE: Final = "this table counts whole people, not weights"
_HIGHEST: Final = "each group is compared with the group with the highest rate; leave it out"

NOT_OF_PEOPLE: Final = {
    "weight": f"{_PEOPLE}; leave it out, or give count= if each row stands for several people",
    "predicted": "who was selected is given as selected=",
    "label": "the tables are about who was selected, whatever the outcome; leave it out",
    "threshold": "decisions are given as selected=, such as selected=pl.col('score') >= 0.5",
    "favored": _HIGHEST,
    "disfavored": _HIGHEST,
    "favorable": "the rules take a selection as good for a person; leave it out",
    "subgroup": "for a table of each stratum, give by=",
}
"""Why tables of people do not take some arguments of other functions."""


def about_people(
    frame: AnyFrame,
    given: Mapping[str, Any],
    function: str,
    *,
    facet: object,
    favored: Reference,
    **others: object,
) -> CheckedQuestion:
    """The question about selections, or about scores, for a table of people."""
    for argument in ("selected", "score"):
        if isinstance(given.get(argument), Mapping):
            raise FairnessError(
                f"{argument}: takes one column, got a dictionary; make one call for each tool, or "
                f"give the tool of each row as by="
            )
    shared = {row.name: given[row.name] for row in OF_PEOPLE if row.name in given}
    question = {"facet": facet, "favored": favored, **shared, **others}
    if given.get("selected") is not None:
        question["predicted"] = GivenAs("selected", given["selected"])
    own = {**defaults(OF_INTERVALS), **given}
    bound = read(frame, cast("Question", question), function, own)
    predicted, score = bound.roles.predicted, bound.roles.score
    if predicted is not None:
        refuse_unknown_positive(bound.roles, function, predicted)
    elif score is not None:
        column = score.column
        raise FairnessError(
            f"{column.argument}: {column.name!r} is {column.dtype}, a score; name a column that "
            f"says who was selected, or give positive= if its values do"
        )
    return bound


def category(argument: str, given: Any) -> GivenAs:
    """The column that has the category of each person; raise about one that is imputed."""

    def refuse(problem: str) -> None:
        raise FairnessError(
            f"{argument}: {problem}, like imputed probabilities, but the rule counts only people "
            "whose category is known; name one column with the category of each person, null where "
            "it is unknown, and cast codes to whole numbers"
        )

    def check(column: Column) -> None:
        if column.dtype.is_float() or column.dtype.is_decimal() or column.dtype.is_nested():
            refuse(f"{column.name!r} is {column.dtype}")

    if isinstance(given, Probabilities):
        refuse(f"got probabilities of {given.name!r}")
    if isinstance(given, Mapping) or (isinstance(given, list | tuple) and len(given) != 1):
        refuse("got several columns")
    return GivenAs(argument, given, check=check)


MEDIAN: Final = "median"
_RATIO: Final = {"di": CATALOGUE["di"]}
_ENDS: Final = ("lower", "upper")


def _impact_ratios_of(
    seen: pl.LazyFrame, roles: Roles, options: AuditOptions, exclude_below: float | None
) -> pl.LazyFrame:
    """Every category with its rate and its impact ratio, from the cells of all rows."""
    lines = None
    if roles.decides_by_score:
        lines = above_the_median(seen, roles)
        seen, roles = decided_by_window(seen, roles, lines)
    categories = _categories(seen, roles, lines)
    refuse_unknown_categories(categories, roles)
    # The rule divides each rate by the highest, whatever the number of categories.
    compared = comparisons_of(seen, roles, _RATIO, options, as_if_named=True)
    ratios = compared.select(
        *place_keys(roles),
        pl.col(COMPARISON_KEY).alias("value"),
        pl.col("di").alias("impact_ratio"),
        *(pl.col(name).alias(end) for name, end in zip(end_names("di"), _ENDS, strict=True)),
        is_compared=pl.lit(True),
    )
    is_small = None if exclude_below is None else ~is_large(pl.col("share"), exclude_below)
    is_excluded = pl.lit(False) if is_small is None else is_small.fill_null(False)
    # Each category but the highest has a comparison with the highest.
    is_highest = pl.col("is_compared").is_null() & (pl.col("rate") > 0)
    table = (
        categories.join(ratios, on=[*place_keys(roles), "value"], how="left", nulls_equal=True)
        .with_columns(is_excluded=is_excluded)
        .with_columns(impact_ratio=pl.when(is_highest).then(1.0).otherwise("impact_ratio"))
        .with_columns(
            pl.when(~pl.col("is_excluded")).then(name).alias(name)
            for name in ("impact_ratio", *_ENDS)
        )
        .sort(*roles.place_order, written_key(pl.col("value"), roles), "value", nulls_last=True)
        .with_columns(written_key(pl.col("value"), roles).alias("value"))
    )
    return as_answer(table, roles.windows.without_thresholds, IMPACT_RATIOS)


def _categories(seen: pl.LazyFrame, roles: Roles, lines: pl.DataFrame | None) -> pl.DataFrame:
    """The categories of each table with their numbers of people, and their selection rates.

    A table without a category has a row without a value, which counts the unknown people.
    """
    groups = groups_of_facets(complete_cells(seen, roles), roles)
    places = place_keys(roles)
    of_tables = row_counts(seen, places, roles)
    joined = of_tables.join(groups, on=places, how="left", nulls_equal=True)
    if lines is not None:
        joined = joined.join(lines.lazy(), on=roles.windows.keys, how="left", nulls_equal=True)
    is_category = pl.col("value").is_not_null()
    size, positive = (pl.col(name).fill_null(0) for name in ("size", "positive"))
    return collected(
        joined.select(
            *places,
            "value",
            n=size,
            rate=pl.when(is_category).then(positive / size),
            selected=positive,
            share=pl.when(is_category).then(size / size.sum().over(places)),
            n_unknown="unknown",
            rows_dropped="rows_dropped",
            median=pl.lit(None, pl.Float64) if lines is None else MEDIAN,
        )
    )


_LARGEST_EXCLUDED: Final = 0.02

_NOT_OF_RATIOS: Final = {
    **NOT_OF_PEOPLE,
    "facet": "the categories are given as sex= and race=",
    "resolution": "the median needs the score of each person; leave it out",
}


@answers(
    *OF_IMPACT_RATIOS,
    shared=OF_PEOPLE,
    module="hiring",
    refused=_NOT_OF_RATIOS,
    columns=IMPACT_RATIOS,
)
def impact_ratios(frame: AnyFrame, **given: Unpack[ImpactRatiosQuestion]) -> PolarsFrame:
    """Return the selection or scoring rate of each category of people, and its impact ratio.

    The numbers of a bias audit by New York City's Local Law 144 (6 RCNY § 5-301), in three tables:
    by sex, by race and ethnicity, and by both together. A person whose sex or race is unknown is
    left out of the tables that need it.

    Parameters
    ----------
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per category. A table without a category has a row whose ``value`` is null, which
        counts the unknown people. The columns are those of ``by``, then:
        {columns}

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> ratios = pf.hiring.impact_ratios(
    ...     pf.datasets.candidates(), sex="sex", race="race", selected="selected"
    ... )
    >>> ratios.filter(facet="sex").select("value", "n", pl.col("impact_ratio").round(2)).rows()
    [('Female', 873, 0.93), ('Male', 1066, 1.0)]
    """
    bound, roles = about_ratios(frame, given)
    below, options = given.get("exclude_below"), options_and_question(cast("Any", given))[0]
    compute = partial(_impact_ratios_of, options=options, exclude_below=below)
    return answer_of(bound, roles, compute, IMPACT_RATIOS, shown=roles.counting_scores)


def about_ratios(frame: AnyFrame, given: ImpactRatiosQuestion) -> tuple[CheckedQuestion, Roles]:
    """The question of the three tables, and the roles of their columns."""
    names = ("exclude_below", "justification", "score")
    below, reason, score = (cast("Any", given.get(name)) for name in names)
    if below is not None:
        takes = "a share above 0 and up to 0.02, the most that the rule allows"
        if not 0 < require_number("exclude_below", below, takes) <= _LARGEST_EXCLUDED:
            raise FairnessError(f"exclude_below: takes {takes}, got {below!r}")
        if reason is None or not str(reason).strip():
            raise FairnessError(
                "justification: the rule requires a reason for leaving out categories; give "
                "justification='...', or leave exclude_below= out"
            )
        if not isinstance(reason, str):
            raise FairnessError(f"justification: takes a text, got {shown(reason)}")
    if given.get("selected") is None and score is None:
        raise FairnessError(
            "selected, score: one of them is required; give selected= for selection rates, or "
            "score= for scoring rates"
        )
    of_score: dict[str, Any] = {} if score is None else {"score": score, "threshold": EVERY}
    bound = about_people(
        frame,
        given,
        "hiring.impact_ratios",
        facet=[category(name, given[name]) for name in ("sex", "race")],
        favored=HIGHEST(minimum_share=below or 0.0),
        **of_score,
    )
    if bound.roles.score is not None and bound.roles.score.has_sums:
        raise FairnessError(
            "score: the scores of these cells were rounded down, but the median needs the score of "
            "each person; count the cells without resolution="
        )
    facets = (*bound.roles.facets, intersection_of(bound.roles.facets))
    return bound, requested([*_RATIO.values()], bound.roles.with_facets(facets))[1]


def above_the_median(seen: pl.LazyFrame, roles: Roles) -> pl.DataFrame:
    """The median score of each window, and as its threshold the smallest score above the median.

    Rows of unknown facet count too. The median of an even number of rows is the mean of the two
    in the middle. Where no score is above the median, the threshold is infinite.
    """
    keys = roles.windows.without_thresholds.keys
    cells = unlisted(complete_cells(one_facet_cells(seen, roles), roles.counting_scores))
    mass = pl.col(roles.mass).sum()
    counted = cells.group_by(*keys, "score", maintain_order=True).agg(mass.alias("n"))
    scores = collected(counted.sort(*keys, "score"))
    score, place, last = pl.col("score"), pl.col("n").cum_sum(), pl.col("n").sum()
    # In whole numbers, each at most the number of rows.
    low = score.filter(place >= last - last // 2).first()
    high = score.filter(place > last // 2).first()
    above = score.filter(score > low).min()
    columns = {MEDIAN: low / 2 + high / 2, THRESHOLD: above.fill_null(float("inf"))}
    by_window = scores.group_by(keys, maintain_order=True)
    return by_window.agg(**columns) if keys else scores.select(**columns)


_TESTED: Final = {name: CATALOGUE[name] for name in ("di", "two_sd")}

_DEVIATIONS: Final = 2
"""The most standard deviations, besides a p-value below 0.05: how courts read 29 CFR 1607.4(D)."""


def _adverse_impacts(seen: pl.LazyFrame, roles: Roles, options: AuditOptions) -> pl.LazyFrame:
    """Every group compared with the highest, from the cells of all rows."""
    groups = groups_of_facets(complete_cells(seen, roles), roles).rename({"rows": "n"})
    refuse_unknown_categories(collected(groups), roles)
    # The rule compares each rate with the highest, and does not ask how many there are.
    compared = comparisons_of(seen, roles, _TESTED, options, as_if_named=True)
    bounds = dict(zip(_ENDS, map(pl.col, end_names("di")), strict=True))
    p_value, is_below = pl.col(p_value_name("di")), pl.col("is_below_four_fifths")
    differs = pl.col("is_beyond") | is_significant(p_value)
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
        **bounds,
        p_value=p_value,
        impact_ratio=pl.col("di"),
        is_significant=differs,
        is_flagged=pl.when(is_below.is_not_null()).then(is_below & differs),
    )
    return as_answer(table, roles.windows, ADVERSE_IMPACT)


_NOT_OF_IMPACTS: Final = {
    **NOT_OF_PEOPLE,
    "score": "a score by itself selects no one; scoring rates are in hiring.impact_ratios",
    **dict.fromkeys(("sex", "race"), "facets are given as facet=, such as facet=['sex', 'race']"),
}


@answers(
    *OF_ADVERSE_IMPACT,
    shared=OF_PEOPLE,
    module="hiring",
    refused=_NOT_OF_IMPACTS,
    columns=ADVERSE_IMPACT,
)
def adverse_impact(frame: AnyFrame, **given: Unpack[AdverseImpactQuestion]) -> PolarsFrame:
    """Compare each group with the group with the highest selection rate, and test the difference.

    The four-fifths rule of the Uniform Guidelines on Employee Selection Procedures (29 CFR
    1607.4(D)): practical significance, a ratio below four fifths, and statistical significance.

    Parameters
    ----------
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per group other than the highest. The columns are those of ``by``, then:
        {columns}

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
    require_extra("hiring.adverse_impact", "significance", "scipy")
    options, _ = options_and_question(cast("Any", {**given, "p_values": "exact"}))
    highest = HIGHEST(minimum_share=given.get("minimum_share", 0.0))
    name, facet = "hiring.adverse_impact", given["facet"]
    bound = about_people(frame, given, name, facet=facet, favored=highest)
    _, roles = requested([*_TESTED.values()], bound.roles)
    return answer_of(bound, roles, partial(_adverse_impacts, options=options), ADVERSE_IMPACT)


TABLES: Final = ("impact_ratios", "adverse_impact")
"""The tables of one question about people; the second is about selections only."""


def table_of(name: str, frame: AnyFrame, given: Mapping[str, Any]) -> PolarsFrame:
    """One of the tables of a question that `impact_ratios` takes."""
    if name == TABLES[0]:
        return impact_ratios(frame, **cast("ImpactRatiosQuestion", given))
    of_others = {row.name for row in (*OF_ADVERSE_IMPACT, *OF_PEOPLE)}
    own = {argument: value for argument, value in given.items() if argument in of_others}
    own["facet"] = [given["sex"], given["race"]]
    own["minimum_share"] = given.get("exclude_below") or 0.0
    return adverse_impact(frame, **cast("AdverseImpactQuestion", own))
