# Written by `make generated` from the catalogue; for type checkers and editors.
import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Unpack, overload

import polars as pl


from polars_fairness.counting.rows import EngineFrame
from polars_fairness.question.arguments import Question
from polars_fairness.question.columns import ColumnLike, Columns, Models
from polars_fairness.question.scores import ThresholdLike
from polars_fairness.hiring.document import HiringReport

__all__: list[str]
def __dir__() -> list[str]: ...

@overload
def adverse_impact(frame: pl.LazyFrame, *, facet: Columns, selected: ColumnLike, minimum_share: float = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., unknown: Any = ..., positive: Any = ..., by: Columns | None = ..., count: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ...) -> pl.LazyFrame: ...
@overload
def adverse_impact(frame: pl.DataFrame | EngineFrame, *, facet: Columns, selected: ColumnLike, minimum_share: float = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., unknown: Any = ..., positive: Any = ..., by: Columns | None = ..., count: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ...) -> pl.DataFrame:
    r"""Compare each group with the group of the highest selection rate, and test the difference.

    The four-fifths rule of the Uniform Guidelines on Employee Selection Procedures (29 CFR
    1607.4(D)): practical significance, a ratio below four fifths, beside statistical significance.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    facet
        The columns whose groups are compared, each on its own. One or more columns.
    selected
        The column that says whether a person was selected.
    minimum_share
        The smallest share of the people that the group with the highest rate may have. Smaller
        groups are compared, and none of them is what others are compared with.
    confidence
        The confidence level: how often such intervals contain the true value. None for no
        intervals.
    replicates
        The number of draws of the bootstrap. At most a million.
    seed
        The seed of the bootstrap's random numbers. The same seed gives the same draws.
    unknown
        The values that mean that a category is unknown. A value or a list of values, such as
        ``["Unknown", "Declined to answer"]``. A null always does.
    positive
        The values that mean that a person was selected. A value or a list of values of
        ``selected``; without them, True and 1.
    by
        Everything is computed once for each combination of values of these columns. One or more
        columns, such as the job that people applied for. The table of each combination has a
        highest rate and a median of its own.
    count
        The number of people that each row stands for.
    nulls
        How rows with a missing selection, score or count are treated. "raise" raises an error,
        "drop" leaves a row out of the metrics that need what it lacks.

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
    """
@overload
def impact_ratios(frame: pl.LazyFrame, *, sex: ColumnLike, race: ColumnLike, selected: ColumnLike | None = ..., score: ColumnLike | None = ..., exclude_below: float | None = ..., justification: str | None = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., unknown: Any = ..., positive: Any = ..., by: Columns | None = ..., count: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ...) -> pl.LazyFrame: ...
@overload
def impact_ratios(frame: pl.DataFrame | EngineFrame, *, sex: ColumnLike, race: ColumnLike, selected: ColumnLike | None = ..., score: ColumnLike | None = ..., exclude_below: float | None = ..., justification: str | None = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., unknown: Any = ..., positive: Any = ..., by: Columns | None = ..., count: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ...) -> pl.DataFrame:
    r"""Return the selection or scoring rate of each category of people, and its impact ratio.

    The numbers of a bias audit by New York City's Local Law 144 (6 RCNY § 5-301), in three tables:
    by sex, by race and ethnicity, and by both together. A person whose sex or race is unknown is in
    no category of a table that needs it.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    sex
        The sex of each person. Null where it is unknown.
    race
        The race and ethnicity of each person, as one category. Null where it is unknown.
    selected
        The column that says whether a person was selected. Selected to move on in the process,
        or given a class by the tool.
    score
        The score of each person, in place of a selection. The rate of a category is then the
        share of its people above the median of all people.
    exclude_below
        Categories with a smaller share of the people are left out of the impact ratios. At most
        0.02, as the rule has it, and with a ``justification``. Their numbers and rates are
        still returned.
    justification
        Why these categories are left out. The rule requires it.
    confidence
        The confidence level: how often such intervals contain the true value. None for no
        intervals.
    replicates
        The number of draws of the bootstrap. At most a million.
    seed
        The seed of the bootstrap's random numbers. The same seed gives the same draws.
    unknown
        The values that mean that a category is unknown. A value or a list of values, such as
        ``["Unknown", "Declined to answer"]``. A null always does.
    positive
        The values that mean that a person was selected. A value or a list of values of
        ``selected``; without them, True and 1.
    by
        Everything is computed once for each combination of values of these columns. One or more
        columns, such as the job that people applied for. The table of each combination has a
        highest rate and a median of its own.
    count
        The number of people that each row stands for.
    nulls
        How rows with a missing selection, score or count are treated. "raise" raises an error,
        "drop" leaves a row out of the metrics that need what it lacks.

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
    """
def report(frame: pl.LazyFrame | pl.DataFrame | EngineFrame, *, sex: ColumnLike, race: ColumnLike, selected: ColumnLike | None = ..., score: ColumnLike | None = ..., exclude_below: float | None = ..., justification: str | None = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., date: str | datetime.date | None = ..., data: str | None = ..., distribution_date: str | datetime.date | None = ..., test_data: str | None = ..., tool: str | None = ..., auditor: str | None = ..., title: str | None = ..., notes: str | None = ..., unknown: Any = ..., positive: Any = ..., by: Columns | None = ..., count: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ...) -> HiringReport:
    r"""The summary of a bias audit as a page: what New York City's rule has an employer publish.

    The first page has what 6 RCNY 5-301 to 5-303 name, for sex, for race and ethnicity, and for
    both together, and fits one sheet of paper with the categories of the rule. Below it, with
    ``selected``, stands the four-fifths rule with significance by sex and by race, as
    `adverse_impact` has it, which the rule does not name. These are tables, and no legal advice.

    The call counts the rows at once, also of a LazyFrame, and reads them once. The page needs the
    extra ``report``, and with ``selected`` also ``significance``.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, or a frame of another engine.
    sex
        The sex of each person. Null where it is unknown.
    race
        The race and ethnicity of each person, as one category. Null where it is unknown.
    selected
        The column that says whether a person was selected. Selected to move on in the process,
        or given a class by the tool.
    score
        The score of each person, in place of a selection. The rate of a category is then the
        share of its people above the median of all people.
    exclude_below
        Categories with a smaller share of the people are left out of the impact ratios. At most
        0.02, as the rule has it, and with a ``justification``. Their numbers and rates are
        still returned.
    justification
        Why these categories are left out. The rule requires it.
    confidence
        The confidence level: how often such intervals contain the true value. None for no
        intervals.
    replicates
        The number of draws of the bootstrap. At most a million.
    seed
        The seed of the bootstrap's random numbers. The same seed gives the same draws.
    date
        The date of the most recent bias audit. Required: 6 RCNY 5-303(a)(1). A date, or text
        such as ``2026-11-22``.
    data
        The source and explanation of the data. Required: 6 RCNY 5-303(a)(1). A blank line
        begins a paragraph.
    distribution_date
        The date on which the employer began to use the tool. Required: 6 RCNY 5-303(a)(2).
        Given like ``date``.
    test_data
        Of test data, why historical data were not used, and how the data were made and
        obtained. 6 RCNY 5-302(b). Left out of an audit of historical data.
    tool
        The name of the tool.
    auditor
        Who made the bias audit.
    title
        The title of the page. Without it, the name of the tool, or the outcome.
    notes
        Notes on the report, in Markdown. As CommonMark defines it. HTML is shown as text, an
        image as a link. Extra ``report``.
    unknown
        The values that mean that a category is unknown. A value or a list of values, such as
        ``["Unknown", "Declined to answer"]``. A null always does.
    positive
        The values that mean that a person was selected. A value or a list of values of
        ``selected``; without them, True and 1.
    by
        Everything is computed once for each combination of values of these columns. One or more
        columns, such as the job that people applied for. The table of each combination has a
        highest rate and a median of its own.
    count
        The number of people that each row stands for.
    nulls
        How rows with a missing selection, score or count are treated. "raise" raises an error,
        "drop" leaves a row out of the metrics that need what it lacks.

    Returns
    -------
    HiringReport
        A notebook shows it; ``write_html``, ``write_pdf``, ``to_markdown`` and ``write_json`` write
        it for elsewhere.
    """
