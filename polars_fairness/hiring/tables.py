"""Tables of people: impact ratios, and the four-fifths rule with significance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, Unpack, cast

import polars as pl

from polars_fairness.answers.comparisons import (
    FOUR_FIFTHS,
    as_answer,
    comparisons_of,
    exactly,
)
from polars_fairness.answers.options import AuditOptions, options_and_question
from polars_fairness.api.bound import BoundQuestion, read
from polars_fairness.api.clashes import refuse_unknown_positive
from polars_fairness.api.columns import ADVERSE_IMPACT, IMPACT_RATIOS
from polars_fairness.api.plan import answer_of
from polars_fairness.api.requested import requested
from polars_fairness.api.signatures import answers
from polars_fairness.api.verdicts import is_significant
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.cells import of_one_facet
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import of_complete_rows, row_counts
from polars_fairness.counting.decisions import decided_by_window
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.counting.score_lists import unlisted
from polars_fairness.counting.sides import COMPARISON_KEY, groups_of_facets, is_large, written_key
from polars_fairness.errors import (
    FairnessError,
    keyword,
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
from polars_fairness.inference.bound_names import P_VALUE, bound_names
from polars_fairness.question.arguments import Question
from polars_fairness.question.columns import Column, GivenAs, Probabilities
from polars_fairness.question.facets import HIGHEST, Reference, intersection_of
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import EVERY, Score
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.values.evaluate import place_keys

_UNKNOWN: Final = ("", "unknown")


def refuse_unknown_categories(groups: pl.DataFrame, roles: Roles) -> None:
    """Raise for a category such as "Unknown" or a blank text, with its number of people, ``n``.

    If it had the highest rate, all others would be compared with it.
    """
    means_unknown = pl.col("value").str.strip_chars().str.to_lowercase().is_in(_UNKNOWN)
    for facet in roles.facets:
        found = groups.filter(means_unknown, facet=facet.name)
        if found.height:
            names = found["value"].unique(maintain_order=True).to_list()
            raise FairnessError(
                f"{facet.column.argument}: {facet.name!r} is {listed(names, 'or')} for "
                f"{found['n'].sum():,} of the people, which would be a category of its own; give "
                f"{keyword('unknown', names)}, or make it null"
            )


_PEOPLE: Final = "this table counts people one by one, and a weight makes parts of people"
_HIGHEST: Final = "each group is compared with the one that has the highest rate; leave it out"

NOT_OF_PEOPLE: Final = {
    "weight": f"{_PEOPLE}; leave it out, or give {keyword('count')} if each row stands for "
    "several people",
    "predicted": f"who was selected is given as {keyword('selected')}",
    "label": "the tables are about who was selected, whatever the outcome; leave it out",
    "threshold": f"decisions are given as {keyword('selected')}, such as "
    "selected=pl.col('score') >= 0.5",
    "favored": _HIGHEST,
    "disfavored": _HIGHEST,
    "favorable": "the rules count selections as good for a person; leave it out",
    "subgroup": f"for a table of each stratum, give it as {keyword('by')}",
}
"""Why tables of people do not take some arguments of other functions."""

_OPTIONS: Final = ("confidence", "replicates", "seed")


def options_of(given: Mapping[str, Any], p_values: str | None = "exact") -> AuditOptions:
    """The options of intervals and p-values of a call."""
    options = {name: given[name] for name in _OPTIONS if name in given}
    return options_and_question(cast("Any", {**options, "p_values": p_values}))[0]


def about_people(
    frame: AnyFrame,
    given: Mapping[str, Any],
    function: str,
    *,
    facet: object,
    favored: Reference,
    **others: object,
) -> BoundQuestion[Any]:
    """The question about selections, or about scores, for a table of people."""
    for argument in ("selected", "score"):
        _refuse_several_tools(argument, given.get(argument))
    shared = {row.name: given[row.name] for row in OF_PEOPLE if row.name in given}
    question = {"facet": facet, "favored": favored, **shared, **others}
    if given.get("selected") is not None:
        question["predicted"] = GivenAs("selected", given["selected"])
    bound = read(frame, cast("Question", question), function, given)
    predicted, score = bound.roles.predicted, bound.roles.score
    if predicted is not None:
        refuse_unknown_positive(bound.roles, function, predicted)
    elif score is not None:
        _refuse_scores(score.column)
    return bound


def category(argument: str, given: Any) -> GivenAs:
    """The column that has the category of each person."""
    is_several = isinstance(given, list | tuple) and len(given) != 1
    if isinstance(given, Probabilities):
        _refuse_imputed(argument, f"got probabilities of {given.name!r}")
    if isinstance(given, Mapping) or is_several:
        _refuse_imputed(argument, "got several columns")
    return GivenAs(argument, given, check=_refuse_no_category)


def _refuse_no_category(column: Column) -> None:
    dtype = column.dtype
    if dtype.is_float() or dtype.is_decimal() or dtype.is_nested():
        _refuse_imputed(column.argument, f"{column.name!r} is {dtype}")


def _refuse_imputed(argument: str, found: str) -> None:
    raise FairnessError(
        f"{argument}: {found}, as imputed probabilities are; the rule counts people whose category "
        "is known, and a category that is imputed or inferred is not; name one column with the "
        "category of each person, null where it is unknown, and cast codes to whole numbers"
    )


def _refuse_several_tools(argument: str, given: object) -> None:
    if isinstance(given, Mapping):
        raise FairnessError(
            f"{argument}: takes one column, got a dictionary; the table is about one tool, so call "
            f"it for each, or give the tool of each row as {keyword('by')}"
        )


def _refuse_scores(column: Column) -> None:
    """Raise for scores where it has to be known who was selected."""
    raise FairnessError(
        f"{column.argument}: {column.name!r} is {column.dtype}, a score; name a column that says "
        f"who was selected, or give {keyword('positive')} if its values do"
    )


MEDIAN: Final = "median"


_RATIO: Final = {"di": CATALOGUE["di"]}

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
    compared = comparisons_of(seen, roles, _RATIO, options, as_if_named=True)
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

_NOT_OF_RATIOS: Final = {
    **NOT_OF_PEOPLE,
    "facet": f"the categories are given as {keyword('sex')} and {keyword('race')}",
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

        {columns}

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
    bound, roles = about_ratios(frame, given)
    compute = partial(
        _impact_ratios_of,
        options=options_of(given, p_values=None),
        exclude_below=given.get("exclude_below"),
    )
    return answer_of(bound, roles, compute, IMPACT_RATIOS, windows=roles.windows.of_scores)


def about_ratios(frame: AnyFrame, given: ImpactRatiosQuestion) -> tuple[BoundQuestion[Any], Roles]:
    """The question of the three tables, and the roles of their columns."""
    below = given.get("exclude_below")
    _refuse_odd_exclusions(below, given.get("justification"))
    score = given.get("score")
    if given.get("selected") is None and score is None:
        raise FairnessError(
            "selected, score: the rates follow from one of them, and neither was given; give "
            f"{keyword('selected')} for selection rates, or {keyword('score')} for scoring rates"
        )
    of_score = {} if score is None else {"score": score, "threshold": EVERY}
    bound = about_people(
        frame,
        given,
        "hiring.impact_ratios",
        facet=[category(name, given[name]) for name in ("sex", "race")],
        favored=HIGHEST(minimum_share=below or 0.0),
        **of_score,
    )
    _refuse_rounded_scores(bound.roles.score)
    facets = (*bound.roles.facets, intersection_of(bound.roles.facets))
    return bound, requested([*_RATIO.values()], replace(bound.roles, facets=facets))[1]


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
    mass = pl.col(roles.mass)
    counted = cells.group_by(keys, maintain_order=True).agg(mass.sum().alias("n"))
    return collected(counted.sort(keys))


_TESTED: Final = {name: CATALOGUE[name] for name in ("di", "two_sd")}

# Beyond two standard deviations, or a p-value below 0.05: 29 CFR 1607.4(D) as courts read it.
_DEVIATIONS: Final = 2


def _adverse_impacts(seen: pl.LazyFrame, roles: Roles, options: AuditOptions) -> pl.LazyFrame:
    """Every group beside the highest one, from the cells of all rows."""
    groups = groups_of_facets(of_complete_rows(seen, roles), roles).rename({"rows": "n"})
    refuse_unknown_categories(collected(groups), roles)
    # The rule compares each rate with the highest, and does not ask how many there are.
    compared = comparisons_of(seen, roles, _TESTED, options, as_if_named=True)
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

_NOT_OF_IMPACTS: Final = {
    **NOT_OF_PEOPLE,
    "score": "a score by itself selects no one; scoring rates are in hiring.impact_ratios",
    **dict.fromkeys(
        ("sex", "race"), f"facets are given as {keyword('facet')}, such as facet=['sex', 'race']"
    ),
}


@answers(
    *OF_ADVERSE_IMPACT,
    shared=OF_PEOPLE,
    module="hiring",
    refused=_NOT_OF_IMPACTS,
    columns=ADVERSE_IMPACT,
)
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
    require_extra(_NAME, "significance", "scipy")
    options = options_of(given)
    highest = HIGHEST(minimum_share=given.get("minimum_share", 0.0))
    bound = about_people(frame, given, _NAME, facet=given["facet"], favored=highest)
    _, roles = requested([*_TESTED.values()], bound.roles)
    compute = partial(_adverse_impacts, options=options)
    return answer_of(bound, roles, compute, ADVERSE_IMPACT)
