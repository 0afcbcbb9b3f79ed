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
from polars_fairness.lending.document import LendingReport

__all__: list[str]
def __dir__() -> list[str]: ...

@overload
def quantiles(frame: pl.LazyFrame, *, shares: Sequence[float] = ..., p_values: Literal['exact', 'holm', 'bh'] = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., facet: Columns | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., label: ColumnLike | None = ..., predicted: ColumnLike | Models | None = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., features: Columns | None = ..., by: Columns | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ...) -> pl.LazyFrame: ...
@overload
def quantiles(frame: pl.DataFrame | EngineFrame, *, shares: Sequence[float] = ..., p_values: Literal['exact', 'holm', 'bh'] = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., facet: Columns | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., label: ColumnLike | None = ..., predicted: ColumnLike | Models | None = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., features: Columns | None = ..., by: Columns | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ...) -> pl.DataFrame:
    r"""Compare each group with its reference where the best share of all rows is accepted.

    For each share, the rows with the highest scores are accepted: from the highest score on at
    which at least this share of all complete rows of the window is accepted, those of unknown facet
    included; with ``weight``, this share of their weight, but for 1e-12 of it. Rows with equal
    scores are accepted together. A share is taken as it is written, 0.1 as one tenth, and compared
    in whole numbers. With ``resolution``, scores rounded down to its multiples are equal, so that
    more may be accepted.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    shares
        The shares of all rows that are accepted, one after the other. Above 0 and below 1. The
        rows with the highest scores are accepted.
    p_values
        The p-values, exact or adjusted for the number of comparisons in the whole table. "holm"
        bounds the probability of one false alarm or more, "bh" (Benjamini and Hochberg) the
        expected share of false alarms among the differences found. Extra ``significance``.
    confidence
        The confidence level: how often such intervals contain the true value. None for no
        intervals.
    replicates
        The number of draws of the bootstrap. At most a million.
    seed
        The seed of the bootstrap's random numbers. The same seed gives the same draws.
    facet
        Sensitive attributes, each compared on its own. One or more columns. A struct is an
        intersection of attributes; without an alias it is called after them, ``sex & race``.
    disfavored
        Side d, the group that the question is about. A value, a list of values or
        ``{facet: value(s)}``. Without it, each value outside side a is side d in turn; of a
        facet with exactly two values and no side given, only the first in order is side d, and
        the other is side a.
    favored
        Side a, the group that d is compared with. Given like ``disfavored``, or as a reference:
        ``pf.HIGHEST`` is the group with the highest selection rate, or base rate without
        predictions, in each window, or the lowest with ``favorable=False``, beside which
        intervals and p-values hold for all pairs of groups; ``pf.LARGEST`` the largest group;
        ``pf.OVERALL`` all rows whose facet is known, those of d included. Without it, side a is
        everyone else whose facet is known.
    unknown
        The values of facets that mean that the group is unknown. A value or a list of values,
        such as ``["Unknown", "Declined to answer"]``. A null always does.
    label
        The observed outcome.
    predicted
        The predicted or decided outcome. A column, or ``{model: column}`` for several models,
        which are counted in one scan: then a column ``model`` stands before ``facet``.
    score
        The number behind the decision, the higher the more likely positive. For the metrics of
        scores. Without it, ``predicted`` is the score where it is a float or has a threshold.
        With a threshold and no ``predicted``, the score decides.
    resolution
        Scores are rounded down to multiples of this number. None counts each distinct score.
        Counts at multiples, means and Brier scores stay exact; ``auc_error`` of `rates` bounds
        the error of an AUC.
    positive
        The values of an outcome that count as positive. A value or a list of values, for both
        ``label`` and ``predicted``; or ``{column: value(s)}``, for each outcome by itself. True
        and 1 are positive for an outcome that is not named, or whose type does not fit the
        values.
    favorable
        Whether a positive outcome is good for the person. Give False if it is bad, such as a
        stop, a charge or a denial. It turns verdicts, ``pf.HIGHEST``, the worst groups and the
        words of a report, and the benefits of `ge` and its kin; no other value changes. Metrics
        of how well a side is served, such as `ad`, keep their verdicts.
    label_threshold
        The smallest value of a continuous label that counts as positive.
    subgroup
        The strata of conditional metrics. One or more columns.
    features
        The measurements by which similar individuals are found. Columns of numbers or Booleans,
        for `fliptest` and `consistency`.
    by
        Everything is computed once for each combination of values of these columns. One or more
        columns.
    weight
        The sampling weight of each row. Finite and at least 0.
    count
        The number of rows that each row stands for. A weight is then the total weight of these
        rows.
    nulls
        How rows with a missing outcome, feature, weight or count are treated. "raise" raises an
        error, "drop" leaves a row out of the metrics that need what it lacks.
    zero_division
        The value of 0/0. None leaves undefined values null; a number replaces 0/0.

    Returns
    -------
    LazyFrame or DataFrame
        One row per share and group other than the reference. The columns are those of ``by``, with
        several models ``model``, then:

        ``share``, ``threshold``, ``accepted_share``
            The share, the smallest score that is accepted, and the share that is really accepted,
            which equal scores make larger. The last two are null in a window without complete rows.
        ``facet``, ``disfavored``, ``favored``
            The group, and its reference.
        ``n_disfavored``, ``n_favored``, ``n_unknown``, ``n_dropped``
            The rows of both, the rows whose group is unknown, and the rows left out.
        ``rate``, ``reference_rate``
            The rates of acceptance of both.
        ``points``
            The rate of the reference less the rate of the group, in percentage points.
        ``p_value``
            As in `table`. Adjusted, shares with the same threshold count as one comparison.
        ``air``, ``lower``, ``upper``
            The adverse impact ratio, the rate of the group over the rate of its reference.
    """
def report(frame: pl.LazyFrame | pl.DataFrame | EngineFrame, *, minimum_ratio: float = ..., maximum_points: float = ..., significance: float = ..., deviation: Literal['pooled', 'population'] = ..., p_values: Literal['exact', 'holm', 'bh'] = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., shares: Sequence[float] = ..., title: str | None = ..., subject: str | None = ..., author: str | None = ..., model: str | None = ..., version: str | None = ..., date: str | datetime.date | None = ..., notes: str | None = ..., **question: Unpack[Question]) -> LendingReport:
    r"""The tables of lending as a page: what was found, each group beside its reference, the limits.

    With ``score``, the page has the adverse impact ratios where the best shares of all rows are
    accepted, also as a chart. With ``subgroup``, such as the branch or the product, it has the
    tests over these segments, and the table of each segment. These are tables, and no legal advice.

    The call counts the rows at once, also of a LazyFrame, and reads them once. The page needs the
    extras ``report`` and ``significance``.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, or a frame of another engine.
    minimum_ratio
        A group is flagged only if its adverse impact ratio is below this number. With
        ``favorable=False``, if the ratio of the reference to the group is.
    maximum_points
        A group is flagged only if its rate is lower by more percentage points than this. With
        ``favorable=False``, if it is higher by more.
    significance
        A group is flagged only if its p-value is below this number.
    deviation
        The standard deviation by which a difference of mean scores is divided. "pooled" is the
        deviation within the two groups, "population" the deviation of all complete rows of the
        window, those of unknown facet included. With weights, both take the effective number of
        rows (Kish).
    p_values
        The p-values, exact or adjusted for the number of comparisons in the whole table. "holm"
        bounds the probability of one false alarm or more, "bh" (Benjamini and Hochberg) the
        expected share of false alarms among the differences found. Extra ``significance``.
    confidence
        The confidence level: how often such intervals contain the true value. None for no
        intervals.
    replicates
        The number of draws of the bootstrap. At most a million.
    seed
        The seed of the bootstrap's random numbers. The same seed gives the same draws.
    shares
        The shares of all rows that are accepted, one after the other. Above 0 and below 1. The
        rows with the highest scores are accepted.
    title
        The title of the report. Without it, the outcome and the facets.
    subject
        What the report is about, such as the decision and the population.
    author
        Who answers for the report.
    model
        The name of the model that decides or scores.
    version
        The version of the model.
    date
        The date of the report. Without it, the report has no date: the same arguments give the
        same report, byte for byte.
    notes
        Notes on the report, in Markdown. As CommonMark defines it. HTML is shown as text, an
        image as a link. Extra ``report``.
    facet
        Sensitive attributes, each compared on its own. One or more columns. A struct is an
        intersection of attributes; without an alias it is called after them, ``sex & race``.
    disfavored
        Side d, the group that the question is about. A value, a list of values or
        ``{facet: value(s)}``. Without it, each value outside side a is side d in turn; of a
        facet with exactly two values and no side given, only the first in order is side d, and
        the other is side a.
    favored
        Side a, the group that d is compared with. Given like ``disfavored``, or as a reference:
        ``pf.HIGHEST`` is the group with the highest selection rate, or base rate without
        predictions, in each window, or the lowest with ``favorable=False``, beside which
        intervals and p-values hold for all pairs of groups; ``pf.LARGEST`` the largest group;
        ``pf.OVERALL`` all rows whose facet is known, those of d included. Without it, side a is
        everyone else whose facet is known.
    unknown
        The values of facets that mean that the group is unknown. A value or a list of values,
        such as ``["Unknown", "Declined to answer"]``. A null always does.
    label
        The observed outcome.
    predicted
        The predicted or decided outcome. A column, or ``{model: column}`` for several models,
        which are counted in one scan: then a column ``model`` stands before ``facet``.
    score
        The number behind the decision, the higher the more likely positive. For the metrics of
        scores. Without it, ``predicted`` is the score where it is a float or has a threshold.
        With a threshold and no ``predicted``, the score decides.
    resolution
        Scores are rounded down to multiples of this number. None counts each distinct score.
        Counts at multiples, means and Brier scores stay exact; ``auc_error`` of `rates` bounds
        the error of an AUC.
    positive
        The values of an outcome that count as positive. A value or a list of values, for both
        ``label`` and ``predicted``; or ``{column: value(s)}``, for each outcome by itself. True
        and 1 are positive for an outcome that is not named, or whose type does not fit the
        values.
    threshold
        The smallest score that counts as positive. A number; or several, or "every" distinct
        score or multiple of ``resolution``. Then everything is computed at each threshold, from
        one scan, and a column ``threshold`` stands before ``facet``. With several models also
        ``{model: number}``; a model that it does not name decides by itself.
    favorable
        Whether a positive outcome is good for the person. Give False if it is bad, such as a
        stop, a charge or a denial. It turns verdicts, ``pf.HIGHEST``, the worst groups and the
        words of a report, and the benefits of `ge` and its kin; no other value changes. Metrics
        of how well a side is served, such as `ad`, keep their verdicts.
    label_threshold
        The smallest value of a continuous label that counts as positive.
    subgroup
        The strata of conditional metrics. One or more columns.
    features
        The measurements by which similar individuals are found. Columns of numbers or Booleans,
        for `fliptest` and `consistency`.
    by
        Everything is computed once for each combination of values of these columns. One or more
        columns.
    weight
        The sampling weight of each row. Finite and at least 0.
    count
        The number of rows that each row stands for. A weight is then the total weight of these
        rows.
    nulls
        How rows with a missing outcome, feature, weight or count are treated. "raise" raises an
        error, "drop" leaves a row out of the metrics that need what it lacks.
    zero_division
        The value of 0/0. None leaves undefined values null; a number replaces 0/0.

    Returns
    -------
    LendingReport
        A notebook shows it; ``write_html``, ``write_pdf``, ``to_markdown`` and ``write_json`` write
        it for elsewhere.
    """
@overload
def segments(frame: pl.LazyFrame, *, p_values: Literal['exact', 'holm', 'bh'] = ..., confidence: float | None = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def segments(frame: pl.DataFrame | EngineFrame, *, p_values: Literal['exact', 'holm', 'bh'] = ..., confidence: float | None = ..., **question: Unpack[Question]) -> pl.DataFrame:
    r"""Compare each group with its reference inside every segment, such as a branch or a product.

    The columns of ``subgroup`` hold the segments. All rows together may say the opposite of each
    segment, if a group applies more often where few are accepted.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    p_values
        The p-values, exact or adjusted for the number of comparisons in the whole table. "holm"
        bounds the probability of one false alarm or more, "bh" (Benjamini and Hochberg) the
        expected share of false alarms among the differences found. Extra ``significance``.
    confidence
        The confidence level: how often such intervals contain the true value. None for no
        intervals.
    facet
        Sensitive attributes, each compared on its own. One or more columns. A struct is an
        intersection of attributes; without an alias it is called after them, ``sex & race``.
    disfavored
        Side d, the group that the question is about. A value, a list of values or
        ``{facet: value(s)}``. Without it, each value outside side a is side d in turn; of a
        facet with exactly two values and no side given, only the first in order is side d, and
        the other is side a.
    favored
        Side a, the group that d is compared with. Given like ``disfavored``, or as a reference:
        ``pf.HIGHEST`` is the group with the highest selection rate, or base rate without
        predictions, in each window, or the lowest with ``favorable=False``, beside which
        intervals and p-values hold for all pairs of groups; ``pf.LARGEST`` the largest group;
        ``pf.OVERALL`` all rows whose facet is known, those of d included. Without it, side a is
        everyone else whose facet is known.
    unknown
        The values of facets that mean that the group is unknown. A value or a list of values,
        such as ``["Unknown", "Declined to answer"]``. A null always does.
    label
        The observed outcome.
    predicted
        The predicted or decided outcome. A column, or ``{model: column}`` for several models,
        which are counted in one scan: then a column ``model`` stands before ``facet``.
    score
        The number behind the decision, the higher the more likely positive. For the metrics of
        scores. Without it, ``predicted`` is the score where it is a float or has a threshold.
        With a threshold and no ``predicted``, the score decides.
    resolution
        Scores are rounded down to multiples of this number. None counts each distinct score.
        Counts at multiples, means and Brier scores stay exact; ``auc_error`` of `rates` bounds
        the error of an AUC.
    positive
        The values of an outcome that count as positive. A value or a list of values, for both
        ``label`` and ``predicted``; or ``{column: value(s)}``, for each outcome by itself. True
        and 1 are positive for an outcome that is not named, or whose type does not fit the
        values.
    threshold
        The smallest score that counts as positive. A number; or several, or "every" distinct
        score or multiple of ``resolution``. Then everything is computed at each threshold, from
        one scan, and a column ``threshold`` stands before ``facet``. With several models also
        ``{model: number}``; a model that it does not name decides by itself.
    favorable
        Whether a positive outcome is good for the person. Give False if it is bad, such as a
        stop, a charge or a denial. It turns verdicts, ``pf.HIGHEST``, the worst groups and the
        words of a report, and the benefits of `ge` and its kin; no other value changes. Metrics
        of how well a side is served, such as `ad`, keep their verdicts.
    label_threshold
        The smallest value of a continuous label that counts as positive.
    subgroup
        The strata of conditional metrics. One or more columns.
    features
        The measurements by which similar individuals are found. Columns of numbers or Booleans,
        for `fliptest` and `consistency`.
    by
        Everything is computed once for each combination of values of these columns. One or more
        columns.
    weight
        The sampling weight of each row. Finite and at least 0.
    count
        The number of rows that each row stands for. A weight is then the total weight of these
        rows.
    nulls
        How rows with a missing outcome, feature, weight or count are treated. "raise" raises an
        error, "drop" leaves a row out of the metrics that need what it lacks.
    zero_division
        The value of 0/0. None leaves undefined values null; a number replaces 0/0.

    Returns
    -------
    LazyFrame or DataFrame
        One row per group other than the reference; the rows of each segment are those of `table`
        with ``by``. The columns are those of ``by``, with several models ``model``, with several
        thresholds ``threshold``, then:

        ``facet``, ``disfavored``, ``favored``
            The group, and its reference.
        ``n_disfavored``, ``n_favored``, ``n_unknown``, ``n_dropped``
            The rows of both, the rows whose group is unknown, and the rows left out.
        ``segments``
            How many segments have rows of both and of both outcomes. The others say nothing.
        ``cmh``, ``p_value``
            The statistic of Cochran, Mantel and Haenszel, above 0 if the group is accepted less
            often inside the segments, and its p-value: that in no segment the rates differ.
        ``breslow_day``, ``breslow_day_p_value``
            The statistic of Breslow and Day and its p-value: that the odds ratios of all segments
            are alike. Null with fewer than two segments; the p-value also where segments have few
            rows, by which it would be too small.
        ``mh_odds_ratio``, ``lower``, ``upper``
            The odds of acceptance of the group over those of its reference that the segments have
            in common, by Mantel and Haenszel, with the bounds of Robins, Breslow and Greenland.

        Each column of p-values is adjusted by itself. With ``weight``, each segment counts as its
        effective number of rows.
    """
@overload
def table(frame: pl.LazyFrame, *, minimum_ratio: float = ..., maximum_points: float = ..., significance: float = ..., deviation: Literal['pooled', 'population'] = ..., p_values: Literal['exact', 'holm', 'bh'] = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def table(frame: pl.DataFrame | EngineFrame, *, minimum_ratio: float = ..., maximum_points: float = ..., significance: float = ..., deviation: Literal['pooled', 'population'] = ..., p_values: Literal['exact', 'holm', 'bh'] = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., **question: Unpack[Question]) -> pl.DataFrame:
    r"""Compare each group with its reference by the numbers that fair lending looks at.

    A group is flagged only if its ratio, its percentage points and its p-value are all beyond
    their limits. The limits are arguments, and none is a law. A number that is exactly at its limit
    is not beyond it: rates are compared in whole numbers; with weights, whose sums differ in their
    last digits, a rate is beyond a limit if it is by more than 1e-12.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    minimum_ratio
        A group is flagged only if its adverse impact ratio is below this number. With
        ``favorable=False``, if the ratio of the reference to the group is.
    maximum_points
        A group is flagged only if its rate is lower by more percentage points than this. With
        ``favorable=False``, if it is higher by more.
    significance
        A group is flagged only if its p-value is below this number.
    deviation
        The standard deviation by which a difference of mean scores is divided. "pooled" is the
        deviation within the two groups, "population" the deviation of all complete rows of the
        window, those of unknown facet included. With weights, both take the effective number of
        rows (Kish).
    p_values
        The p-values, exact or adjusted for the number of comparisons in the whole table. "holm"
        bounds the probability of one false alarm or more, "bh" (Benjamini and Hochberg) the
        expected share of false alarms among the differences found. Extra ``significance``.
    confidence
        The confidence level: how often such intervals contain the true value. None for no
        intervals.
    replicates
        The number of draws of the bootstrap. At most a million.
    seed
        The seed of the bootstrap's random numbers. The same seed gives the same draws.
    facet
        Sensitive attributes, each compared on its own. One or more columns. A struct is an
        intersection of attributes; without an alias it is called after them, ``sex & race``.
    disfavored
        Side d, the group that the question is about. A value, a list of values or
        ``{facet: value(s)}``. Without it, each value outside side a is side d in turn; of a
        facet with exactly two values and no side given, only the first in order is side d, and
        the other is side a.
    favored
        Side a, the group that d is compared with. Given like ``disfavored``, or as a reference:
        ``pf.HIGHEST`` is the group with the highest selection rate, or base rate without
        predictions, in each window, or the lowest with ``favorable=False``, beside which
        intervals and p-values hold for all pairs of groups; ``pf.LARGEST`` the largest group;
        ``pf.OVERALL`` all rows whose facet is known, those of d included. Without it, side a is
        everyone else whose facet is known.
    unknown
        The values of facets that mean that the group is unknown. A value or a list of values,
        such as ``["Unknown", "Declined to answer"]``. A null always does.
    label
        The observed outcome.
    predicted
        The predicted or decided outcome. A column, or ``{model: column}`` for several models,
        which are counted in one scan: then a column ``model`` stands before ``facet``.
    score
        The number behind the decision, the higher the more likely positive. For the metrics of
        scores. Without it, ``predicted`` is the score where it is a float or has a threshold.
        With a threshold and no ``predicted``, the score decides.
    resolution
        Scores are rounded down to multiples of this number. None counts each distinct score.
        Counts at multiples, means and Brier scores stay exact; ``auc_error`` of `rates` bounds
        the error of an AUC.
    positive
        The values of an outcome that count as positive. A value or a list of values, for both
        ``label`` and ``predicted``; or ``{column: value(s)}``, for each outcome by itself. True
        and 1 are positive for an outcome that is not named, or whose type does not fit the
        values.
    threshold
        The smallest score that counts as positive. A number; or several, or "every" distinct
        score or multiple of ``resolution``. Then everything is computed at each threshold, from
        one scan, and a column ``threshold`` stands before ``facet``. With several models also
        ``{model: number}``; a model that it does not name decides by itself.
    favorable
        Whether a positive outcome is good for the person. Give False if it is bad, such as a
        stop, a charge or a denial. It turns verdicts, ``pf.HIGHEST``, the worst groups and the
        words of a report, and the benefits of `ge` and its kin; no other value changes. Metrics
        of how well a side is served, such as `ad`, keep their verdicts.
    label_threshold
        The smallest value of a continuous label that counts as positive.
    subgroup
        The strata of conditional metrics. One or more columns.
    features
        The measurements by which similar individuals are found. Columns of numbers or Booleans,
        for `fliptest` and `consistency`.
    by
        Everything is computed once for each combination of values of these columns. One or more
        columns.
    weight
        The sampling weight of each row. Finite and at least 0.
    count
        The number of rows that each row stands for. A weight is then the total weight of these
        rows.
    nulls
        How rows with a missing outcome, feature, weight or count are treated. "raise" raises an
        error, "drop" leaves a row out of the metrics that need what it lacks.
    zero_division
        The value of 0/0. None leaves undefined values null; a number replaces 0/0.

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
    """
