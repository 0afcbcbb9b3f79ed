# Written by `make generated` from the catalogue; for type checkers and editors.
import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Unpack, overload

import polars as pl


from polars_fairness import datasets as datasets, hiring as hiring
from polars_fairness import lending as lending, terms as terms
from polars_fairness.catalogue import Catalogue
from polars_fairness.errors import FairnessError as FairnessError
from polars_fairness.formula.metric import Metric as Metric
from polars_fairness.namespace import Fairness as Fairness
from polars_fairness.question.policy import Policy as Policy
from polars_fairness.question.references import HIGHEST as HIGHEST
from polars_fairness.question.references import LARGEST as LARGEST
from polars_fairness.question.references import OVERALL as OVERALL
from polars_fairness.reporting.explore import Exploration as Exploration
from polars_fairness.reporting.report import Report as Report
from polars_fairness.reporting.shown.answers import chart as chart, table as table
from polars_fairness.question.arguments import Question
from polars_fairness.question.columns import ColumnLike
from polars_fairness.question.audit_arguments import Harms
from polars_fairness.question.judging import Band, Rules
from polars_fairness.counting.rows import EngineFrame
from polars_fairness.formula.groups import GroupsOf

__version__: str
__all__: list[str]
CATALOGUE: Catalogue
def __dir__() -> list[str]: ...

@overload
def cells(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def cells(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Return the number of rows of every combination of values of the given columns.

    With ``count="n"``, every function takes the cells in place of the rows and gives the same
    values. Cells of several files, days or machines can be concatenated first. With
    ``nulls="drop"``, rows that lack an outcome, score or feature are cells of their own, which are
    null there: the question about the cells needs ``nulls="drop"`` too.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    **question
        As in `metrics`. ``disfavored`` and ``favored`` change nothing.

    Returns
    -------
    LazyFrame or DataFrame
        One row per combination. The columns are the given columns, then ``n``, the number of
        rows; with ``weight`` also the sum of the weights and, as ``weight_sq``, the sum of their
        squares. An outcome with ``threshold`` or ``positive`` is returned as True and False. With
        ``score``, ``resolution``, a prediction without ``threshold``, or several thresholds, the
        scores are kept, so that the cells answer the same question as the rows; with
        ``resolution`` also, as ``score_sum`` and ``score_sq``, the sums of the scores and of their
        squares.
        ``positive`` for a label of three or more values is an error, because the metrics over
        label values need each value: give ``positive`` when you use the cells.
    """
@overload
def rates(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def rates(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Return the counts and rates of every group of each facet, and of all rows.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    **question
        As in `metrics`. ``disfavored``, ``favored`` and ``subgroup`` change nothing.

    Returns
    -------
    LazyFrame or DataFrame
        One row per facet and facet value, with null as the ``value`` of rows whose facet is
        unknown; then one row for all rows, whose ``facet`` is "(all)". The columns are those of
        ``by``, ``facet`` and ``value``, then ``n``, the rates, ``n_dropped`` and the other counts.
        A count or rate is null if it needs an outcome that was not given, a rate also if it is
        undefined. A rate has the rows whose outcomes it needs are known. ``n`` and the other
        counts are of the rows that have all outcomes given, and ``n_dropped`` is the number of all
        others. With ``weight``, the other counts are sums of weights.
    """
@overload
def metrics(frame: pl.LazyFrame, *metrics: str | Metric | Sequence[str | Metric], **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def metrics(frame: pl.DataFrame | EngineFrame, *metrics: str | Metric | Sequence[str | Metric], **question: Unpack[Question]) -> pl.DataFrame:
    r"""Return the values of fairness metrics, one row for each comparison of two sides.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine: Spark,
        DuckDB, Ibis, Dask, pyarrow, pandas, ... (extra ``engines``). The other engine counts its
        own rows; its columns are given by name, and the answer is a DataFrame.
    *metrics
        Names from the catalogue, or metrics of your own, one by one or in lists. Without any, all
        metrics of the catalogue that the given columns allow, except `utility`.
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
        One row per comparison. The columns are those of ``by``, then:

        ``facet``, ``disfavored``, ``favored``
            The facet and its two sides. ``favored`` is null if side a is everyone else, names the
            group that was found for a reference, and is "(all)" for ``pf.OVERALL``.
        ``n_disfavored``, ``n_favored``, ``n_unknown``
            The rows of each side, and the rows whose facet is unknown. Where metrics need
            different columns and ``nulls="drop"``, these are the rows that have what all need.
        ``n_dropped``
            The rows that a metric leaves out; with ``weight`` too, this is a number of rows.
        one column for each metric
            Its value, null if undefined. The value of a metric without sides, such as `ge`, is
            repeated on every row of the facet.

        If a window has no comparison for the facet, because all its values are unknown, side d
        has no rows, or all rows were left out, there is one row with null sides.
    """
@overload
def audit(frame: pl.LazyFrame, *metrics: str | Metric | Sequence[str | Metric], confidence: float | None = ..., method: Literal['bootstrap', 'newcombe', 'log', 'delong'] = ..., replicates: int = ..., seed: int = ..., sequential: bool = ..., bands: Mapping[str, Band] | None = ..., rule: Rules = ..., minimum_count: int | None = ..., p_values: Literal['exact', 'holm', 'bh'] | None = ..., policy: Policy | str | Path | None = ..., champion: str | None = ..., baseline: Any = ..., baseline_count: ColumnLike | None = ..., drift: Literal['clarify'] | None = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def audit(frame: pl.DataFrame | EngineFrame, *metrics: str | Metric | Sequence[str | Metric], confidence: float | None = ..., method: Literal['bootstrap', 'newcombe', 'log', 'delong'] = ..., replicates: int = ..., seed: int = ..., sequential: bool = ..., bands: Mapping[str, Band] | None = ..., rule: Rules = ..., minimum_count: int | None = ..., p_values: Literal['exact', 'holm', 'bh'] | None = ..., policy: Policy | str | Path | None = ..., champion: str | None = ..., baseline: Any = ..., baseline_count: ColumnLike | None = ..., drift: Literal['clarify'] | None = ..., **question: Unpack[Question]) -> pl.DataFrame:
    r"""Return one row for each metric of each comparison, with an interval and a verdict.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    *metrics
        As in `metrics`. Without any, all metrics that the given columns allow.
    confidence
        The confidence level: how often such intervals contain the true value. None for no
        intervals.
    method
        How the intervals of comparisons of two sides are computed. "bootstrap" is for every
        metric: it draws the counts from Gamma distributions with the same means and variances.
        "newcombe" is for differences of two rates, "log" for ratios of two rates or of two
        odds, and "delong" for AUCs and differences of two AUCs; other metrics keep the
        bootstrap. By default, maxima over groups, conditional metrics, AUCs and differences of
        means over scores have intervals of their own, and test statistics have none.
    replicates
        The number of draws of the bootstrap. At most a million.
    seed
        The seed of the bootstrap's random numbers. The same seed gives the same draws.
    sequential
        Whether each window has all rows up to its time, for audits that are repeated. One
        column of ``by`` is then a date or a number. The intervals are confidence sequences:
        they hold at all looks together, however often one looks, if rows are independent:
        effects of a week that all its rows share make them wrong more often. Rates have them,
        and differences and ratios of two rates; other metrics, if none is named, have a value
        only.
    bands
        The acceptable values of metrics, in place of the bands of the catalogue.
        ``{metric: (low, high)}``; None for no verdict.
    rule
        How a verdict is reached: by the interval, by the value alone, or by its significance.
        One for all metrics, or ``{metric: rule}``. By "interval", fair if the whole interval
        lies in the band, against a side if none of it does, else uncertain. By "point", the
        value alone is judged. By "significant", against a side if the value lies outside the
        band and its p-value is below 0.05, else fair; undefined without a p-value. This rule
        adds ``p_values``, exact unless requested otherwise (extra ``significance``).
    minimum_count
        Comparisons with fewer rows on a side are marked. A column ``is_small`` is true for
        them.
    p_values
        The p-value of each comparison, exact or adjusted for the number of tests. A column
        ``p_value`` has the p-value of Fisher's exact test of the rate that the metric compares;
        for conditional metrics, of the test of Cochran, Mantel and Haenszel; ``breslow_day`` is
        a test itself, for subgroups of many rows. It is null if neither test fits the metric,
        with weights, and for Fisher beyond 10^9 rows. "exact" leaves them as they are; the
        others adjust them for the number of p-values of this audit. Take each adjusted p-value
        of at most 0.05 for a difference: by the method of Holm ("holm"), the probability of one
        false alarm or more is at most 0.05, however the tests depend on each other. By the
        method of Benjamini and Hochberg ("bh"), the expected share of false alarms among these
        differences, the false discovery rate, is at most 0.05, if the tests are independent or
        depend on each other positively. Extra ``significance``.
    policy
        What an organisation has decided about its audits, in a file. A `Policy` or the path of
        its file. Its metrics are computed beside those that the call names. An argument that
        contradicts it is an error.
    champion
        The model that each other model is compared with on the same rows. One of the names in
        ``predicted``. Adds the columns of a contrast. Not with ``baseline``, and not for
        metrics of scores.
    baseline
        What each window is compared with. A frame that the same question is put to: windows are
        compared with those of the same value; if it lacks a column of ``by``, with all its
        rows. Sides that are not given, and thresholds, are found in both frames together. Or
        "previous", "first" or a value of ``by``: the window before, the first one, or this one.
        Adds the columns of a contrast.
    baseline_count
        The number of rows that each row of the baseline stands for. For a baseline of cells.
        Without ``count``, these are the cells of such rows as the frame has: as `cells` returns
        them, with an expression's column under its output name.
    drift
        How a change from the baseline is found, in place of the interval of the difference. By
        "clarify", as SageMaker Model Monitor finds drift: "worse" if the interval and the band
        have no value in common, and the value is farther from its ideal than that of the
        baseline; else "same". How far a ratio is from 1 is measured by its logarithm. Null if
        one of the values is undefined, or if there is no interval or no band.
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
        One row per comparison and metric. A window without a comparison has one row for each
        metric, with null sides. The columns are those of ``by``, then:

        ``facet``, ``disfavored``, ``favored``
            The comparison. Both sides are null for a metric without sides.
        ``metric``
            The metric.
        ``n_disfavored``, ``n_favored``, ``n_unknown``
            The rows of each side, and the rows whose facet is unknown.
        ``rows_seen``, ``rows_used``, ``rows_dropped``
            All rows, the rows that the metric counts, and the rows that it leaves out.
        ``ideal``, ``band_lower``, ``band_upper``
            The ideal value, and the ends of the band, null for a metric without a band.
        ``is_small``
            Given ``minimum_count``: whether the metric compares fewer rows.
        ``p_value``
            With ``p_values``: the probability of a difference as large by chance alone.
        ``reference``, ``difference``, ``difference_lower``, ``difference_upper``, ``change``
            With ``champion`` or ``baseline``: the value there, the value here less it with an
            interval, and whether the value is farther from its ideal: "worse" or "better" if the
            intervals show it, else "same" if both are fair or the decisions are the same, else
            "unclear"; with ``drift``, as its rule says. Null if there is nothing to compare with,
            or a verdict is "undefined". A group or a window of the baseline that is missing has a
            row without a value; one that the baseline lacks has a value and no reference.
        ``value``, ``lower``, ``upper``
            The value, and the bounds of its interval.
        ``verdict``
            "fair" if the interval lies inside the band, "uncertain" if it crosses an edge of the
            band. If it lies outside: "against_disfavored" or "against_favored", or "outside" for
            a metric without sides, or if neither the value nor the rates show a side. Without an
            interval, or by another ``rule``, the value is judged. "undefined" for a metric without
            a value, null for a metric without a band; "undefined" for both where only one of
            ``baseline`` and frame has the group or the window.
    """
@overload
def decompose(frame: pl.LazyFrame, metric: str | Metric, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def decompose(frame: pl.DataFrame | EngineFrame, metric: str | Metric, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Return the contribution of every subgroup to a conditional metric.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    metric
        The name of a conditional metric, such as "cddpl", or a metric of your own made with
        ``stratified``.
    **question
        As in `metrics`.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison and subgroup in which a side has rows, with the largest absolute
        contribution first. The columns are those of ``by``, ``facet``, ``disfavored``,
        ``favored``, those of ``subgroup``, then:

        ``n``
            The rows of both sides.
        ``share_of_rejected``, ``share_of_accepted``
            The share of d in the subgroup's rejected and accepted rows. A metric of labels has
            ``share_of_negative`` and ``share_of_positive`` instead.
        ``value``
            The metric inside the subgroup, null if undefined.
        ``contribution``
            ``value`` times ``n``, divided by the total ``n`` of all subgroups that have a value.
            The contributions of a comparison add up to the metric.
    """
@overload
def subgroups(frame: pl.LazyFrame, metric: str | Metric, *, depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., shrink: bool = ..., confidence: float | None = ..., harm: Harms | None = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def subgroups(frame: pl.DataFrame | EngineFrame, metric: str | Metric, *, depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., shrink: bool = ..., confidence: float | None = ..., harm: Harms | None = ..., **question: Unpack[Question]) -> pl.DataFrame:
    r"""Rank every group that the attributes define, alone and combined, by its disparity.

    Groups on the side of the overall rate that fares worse come first, the worst group at the top.
    With ``harm="both"`` its ``alpha*beta`` equals the value of the same metric with
    ``groups="conjunctions"``. Otherwise it is the worst on that side, and the value may belong to
    a group that fares best.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    metric
        A metric across groups. It decides what alpha, the weight of a group, and beta, its
        distance, are:

        - "fpsf", "fnsf" or "spsf": alpha is the share of all rows that the group's rate is
          about, beta the distance of this rate from the overall rate.
        - A gap, such as "tpr_gap": alpha is 1, beta the distance of the group's rate from the
          farthest rate of another group.
        - A ratio, such as "selection_rate_ratio": alpha is 1, beta the smallest ratio between the
          group's rate and the rate of another group.
        - "miscalibration": alpha is the share of all rows, beta the cumulative calibration error
          of the group's scores.
        - A metric of your own, made with ``across(..., each=...)``.
        - A metric that brings its groups, such as ``fpsf(groups="intersections")``.
    depth
        The largest number of attributes that a group fixes. 1 gives the values of each
        attribute only; None has no limit.
    minimum_count
        Leave out groups with fewer rows.
    unknown_groups
        Whether null is a value of an attribute. If not, groups that would fix null are left
        out; their rows still count among all rows.
    shrink
        Whether to move the rates of small groups towards the mean rate of all groups of the
        same depth. Empirical Bayes: a Beta distribution is fitted to these groups. ``beta``,
        ``direction`` and ``rank`` are then computed from the shrunken rate.
    confidence
        The confidence level of the interval of each rate. None for no intervals. It is Wilson's
        interval, with weights for the effective number of rows. For a shrunken rate it is the
        central interval of its Beta distribution (extra ``significance``).
    harm
        The side of the overall rate on which groups fare worse; these are ranked first.
        "below", "above" or "both", which ranks all groups by their distance, whichever side
        they are on. Without it, the side that fares worse as ``favorable`` has it, and both for
        calibration. In a report, ``{metric: side}`` gives a metric a side of its own.
    **question
        As in `metrics`. The columns of ``facet`` are the attributes. ``disfavored``, ``favored``
        and ``subgroup`` change nothing.

    Returns
    -------
    LazyFrame or DataFrame
        One row per group that has rows, in the order of ``rank``. The columns are those of
        ``by``, then:

        the attributes
            The values that the group fixes; null for an attribute that it leaves open.
        ``n``, ``share``
            The rows of the group, and their share of all rows.
        ``depth``
            The number of attributes that the group fixes.
        ``group``, ``fixed``
            The attributes as a struct; and a struct of Booleans, whether the group fixes each
            attribute. It distinguishes an unknown attribute from an open one.
        ``alpha``, ``beta``, ``alpha*beta``
            The weight of the group, its distance, and their product.
        ``lower``, ``upper``, ``rate_of_all``, ``rate``, ``shrunken_rate``
            The bounds of the group's rate, or of its shrunken rate if there is one; the overall
            rate; the group's rate; with ``shrink`` also its shrunken rate. The bounds are not
            adjusted for the rank: the worst of many groups is worst by chance too. Of thirty groups
            with one rate, those of 95 % held the rate of the worst in 4 of 10 cases; of groups
            whose rates differ, in 7 or 8.
        ``mean_score``
            With "miscalibration", whose rate is the base rate, also the group's mean score.
        ``direction``
            "below" or "above": where the group's rate is, seen from the overall rate; with
            "miscalibration", seen from its mean score. Null if they are equal, except for the last
            digits, or if the group has no rate.
        ``rank``
            1 for the worst group of a window. The groups on the side that ``harm`` names have the
            first ranks, then all others, both by ``alpha*beta``. Null for a group without a rate.
    """
def report(frame: pl.LazyFrame | pl.DataFrame | EngineFrame, *metrics: str | Metric | Sequence[str | Metric], confidence: float | None = ..., method: Literal['bootstrap', 'newcombe', 'log', 'delong'] = ..., replicates: int = ..., seed: int = ..., sequential: bool = ..., bands: Mapping[str, Band] | None = ..., rule: Rules = ..., minimum_count: int | None = ..., p_values: Literal['exact', 'holm', 'bh'] | None = ..., policy: Policy | str | Path | None = ..., champion: str | None = ..., baseline: Any = ..., baseline_count: ColumnLike | None = ..., drift: Literal['clarify'] | None = ..., harm: Harms | None = ..., title: str | None = ..., subject: str | None = ..., author: str | None = ..., model: str | None = ..., version: str | None = ..., date: str | datetime.date | None = ..., notes: str | None = ..., detail: Literal['findings', 'full'] = ..., **question: Unpack[Question]) -> Report:
    r"""An audit as a page: the question, the rows, rates, metrics and charts.

    The call counts the rows at once, also of a LazyFrame, and reads them once: everything on the
    page is computed from the same cells. Of three facets or more, or two with ``subgroup``, the
    number of values is read first unless their types bound it; if there are too many, facets are
    read one by one. A comparison of individuals by ``features``, several models that give scores,
    and a ``baseline`` of other rows have reads of their own.

    With several thresholds, the page shows each metric over them, with its band, and no tables and
    charts of each threshold. Several models stand below each other, each with its rates, metrics
    and charts; with ``champion`` or ``baseline`` there is a section of differences.

    ``confidence`` is also the confidence of the Wilson intervals of rates. ``minimum_count`` is
    also the smallest size of the worst groups, unless a given metric has groups of its own.
    ``harm`` is for the worst groups only. The positive values of outcomes need to be known, as in
    `rates`.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, or a frame of another engine.
    *metrics
        As in `audit`; without any, every metric that the columns allow. With two facets or more,
        the metrics over intersections or conjunctions rank the worst groups; without such metrics,
        fpsf and fnsf do, or spsf if there are no labels, over at most two facets.
    confidence
        The confidence level: how often such intervals contain the true value. None for no
        intervals.
    method
        How the intervals of comparisons of two sides are computed. "bootstrap" is for every
        metric: it draws the counts from Gamma distributions with the same means and variances.
        "newcombe" is for differences of two rates, "log" for ratios of two rates or of two
        odds, and "delong" for AUCs and differences of two AUCs; other metrics keep the
        bootstrap. By default, maxima over groups, conditional metrics, AUCs and differences of
        means over scores have intervals of their own, and test statistics have none.
    replicates
        The number of draws of the bootstrap. At most a million.
    seed
        The seed of the bootstrap's random numbers. The same seed gives the same draws.
    sequential
        Whether each window has all rows up to its time, for audits that are repeated. One
        column of ``by`` is then a date or a number. The intervals are confidence sequences:
        they hold at all looks together, however often one looks, if rows are independent:
        effects of a week that all its rows share make them wrong more often. Rates have them,
        and differences and ratios of two rates; other metrics, if none is named, have a value
        only.
    bands
        The acceptable values of metrics, in place of the bands of the catalogue.
        ``{metric: (low, high)}``; None for no verdict.
    rule
        How a verdict is reached: by the interval, by the value alone, or by its significance.
        One for all metrics, or ``{metric: rule}``. By "interval", fair if the whole interval
        lies in the band, against a side if none of it does, else uncertain. By "point", the
        value alone is judged. By "significant", against a side if the value lies outside the
        band and its p-value is below 0.05, else fair; undefined without a p-value. This rule
        adds ``p_values``, exact unless requested otherwise (extra ``significance``).
    minimum_count
        Comparisons with fewer rows on a side are marked. A column ``is_small`` is true for
        them.
    p_values
        The p-value of each comparison, exact or adjusted for the number of tests. A column
        ``p_value`` has the p-value of Fisher's exact test of the rate that the metric compares;
        for conditional metrics, of the test of Cochran, Mantel and Haenszel; ``breslow_day`` is
        a test itself, for subgroups of many rows. It is null if neither test fits the metric,
        with weights, and for Fisher beyond 10^9 rows. "exact" leaves them as they are; the
        others adjust them for the number of p-values of this audit. Take each adjusted p-value
        of at most 0.05 for a difference: by the method of Holm ("holm"), the probability of one
        false alarm or more is at most 0.05, however the tests depend on each other. By the
        method of Benjamini and Hochberg ("bh"), the expected share of false alarms among these
        differences, the false discovery rate, is at most 0.05, if the tests are independent or
        depend on each other positively. Extra ``significance``.
    policy
        What an organisation has decided about its audits, in a file. A `Policy` or the path of
        its file. Its metrics are computed beside those that the call names. An argument that
        contradicts it is an error.
    champion
        The model that each other model is compared with on the same rows. One of the names in
        ``predicted``. Adds the columns of a contrast. Not with ``baseline``, and not for
        metrics of scores.
    baseline
        What each window is compared with. A frame that the same question is put to: windows are
        compared with those of the same value; if it lacks a column of ``by``, with all its
        rows. Sides that are not given, and thresholds, are found in both frames together. Or
        "previous", "first" or a value of ``by``: the window before, the first one, or this one.
        Adds the columns of a contrast.
    baseline_count
        The number of rows that each row of the baseline stands for. For a baseline of cells.
        Without ``count``, these are the cells of such rows as the frame has: as `cells` returns
        them, with an expression's column under its output name.
    drift
        How a change from the baseline is found, in place of the interval of the difference. By
        "clarify", as SageMaker Model Monitor finds drift: "worse" if the interval and the band
        have no value in common, and the value is farther from its ideal than that of the
        baseline; else "same". How far a ratio is from 1 is measured by its logarithm. Null if
        one of the values is undefined, or if there is no interval or no band.
    harm
        The side of the overall rate on which groups fare worse; these are ranked first.
        "below", "above" or "both", which ranks all groups by their distance, whichever side
        they are on. Without it, the side that fares worse as ``favorable`` has it, and both for
        calibration. In a report, ``{metric: side}`` gives a metric a side of its own.
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
    detail
        How much of the audit the report shows. "findings" shows what the audit found, and the
        rest in short; "full" shows all values, tables and charts.
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
    Report
        A notebook shows it; its methods write it for elsewhere, such as ``write_html`` and
        ``write_pdf``.
    """
@overload
def switches(frame: pl.LazyFrame, *, champion: str, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def switches(frame: pl.DataFrame | EngineFrame, *, champion: str, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Return how many rows of each group a model accepts or rejects otherwise than the champion.

    Two models may accept equally many rows of a group, and not the same rows.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    champion
        The name of the model that the others are compared with.
    **question
        As in `metrics`, with several models as ``predicted``. ``label`` only changes which rows
        are complete; ``disfavored``, ``favored`` and ``subgroup`` change nothing.

    Returns
    -------
    LazyFrame or DataFrame
        One row per model other than the champion, facet and facet value, with null as the ``value``
        of rows whose facet is unknown; then one row for all rows, whose ``facet`` is "(all)". The
        columns are those of ``by``, ``model``, with several thresholds ``threshold``, ``facet`` and
        ``value``, then:

        ``n``
            The number of rows; with ``weight``, here and below, the sum of their weights.
        ``kept_accepted``, ``newly_accepted``, ``newly_rejected``, ``kept_rejected``
            Rows that both accept; that the model accepts and the champion rejects (swap-ins); that
            the model rejects and the champion accepts (swap-outs); that both reject.
        ``change_in_rate``
            The selection rate of the model less that of the champion.
        ``mcnemar_p_value``
            The p-value of McNemar's exact test that as many rows switch one way as the other; 1
            where no row switches, null with weights.
    """
@overload
def calibration(frame: pl.LazyFrame, *, bins: int = ..., confidence: float | None = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def calibration(frame: pl.DataFrame | EngineFrame, *, bins: int = ..., confidence: float | None = ..., **question: Unpack[Question]) -> pl.DataFrame:
    r"""Return the mean score and the share of positive labels in each bin of scores, by group.

    Scores mean the same in two groups if, at the same score, labels are positive equally often.
    The numbers of rows show how the scores of each group are distributed.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    bins
        The number of bins of equal width from 0 to 1. A bin holds its lower end; the last one
        holds 1 too. Scores have to lie between 0 and 1.
    confidence
        The confidence level of the intervals; None for none.
    **question
        As in `metrics`. It needs a score: ``score``, or ``predicted`` where that is the score.
        Without ``label``, only the rows and their mean scores are known. A threshold, a
        prediction decided otherwise, ``resolution``, ``disfavored``, ``favored``, ``subgroup``
        and ``features`` change nothing.

    Returns
    -------
    LazyFrame or DataFrame
        All bins of each group of each facet, with null as the ``value`` of rows whose facet is
        unknown; then those of all rows, whose ``facet`` is "(all)". The columns are those of
        ``by``, ``facet`` and ``value``, then:

        ``bin_lower``, ``bin_upper``
            The ends of the bin.
        ``n``
            The number of rows; with ``weight``, the sum of their weights.
        ``mean_score``, ``base_rate``
            The mean score, and the share whose label is positive. Null in an empty bin.
        ``lower``, ``upper``
            The bounds of Wilson's interval of ``base_rate``. With weights it is computed from the
            effective number of rows (Kish).
    """
@overload
def choose(frame: pl.LazyFrame, *metrics: str | Metric | Sequence[str | Metric], maximise: str | Metric = ..., bands: Mapping[str, Band] | None = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def choose(frame: pl.DataFrame | EngineFrame, *metrics: str | Metric | Sequence[str | Metric], maximise: str | Metric = ..., bands: Mapping[str, Band] | None = ..., **question: Unpack[Question]) -> pl.DataFrame:
    r"""Choose the threshold or model with the highest accuracy whose metrics are in their bands.

    The candidates are the thresholds, the models, or each model at each threshold. A candidate
    decides all groups alike. The answer shows what each achieves, so that the price of each
    disparity can be read off.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    *metrics
        Names from the catalogue, or metrics of your own, that are to lie in their bands. Without
        any, the best candidate is chosen whatever its disparity.
    maximise
        The value of all rows that is to be as high as possible. Such as "accuracy",
        "selection_rate" or ``pf.utility(tp=1, fp=-5)``; or the name of a rate.
    bands
        The acceptable values of metrics, in place of the bands of the catalogue.
        ``{metric: (low, high)}``; None for a metric that is shown and sets no limit.
    **question
        As in `metrics`. Without ``threshold``, every distinct score or multiple of ``resolution``
        is tried. With several models as ``predicted``, each is a candidate: as it decides, at one
        threshold, or at each of several.

    Returns
    -------
    LazyFrame or DataFrame
        One row per candidate. The columns are those of ``by``, then:

        ``model``, ``threshold``
            The candidate; only with several models, and only where thresholds are tried.
        ``selection_rate``
            The share of all rows that it accepts.
        the value to maximise
            Such as ``accuracy``, of all rows.
        one column for each metric
            The value of the comparison that is farthest from the ideal, in any facet; of ratios, r
            and 1/r are equally far. Null if it is undefined for a comparison.
        ``is_within``
            Whether each metric lies in its band, for every comparison. Null if one is undefined.
        ``is_on_frontier``
            Whether no other candidate is better in one value, and as good in all others.
        ``is_chosen``
            Whether the candidate is chosen: the highest value of all candidates within the bands.
            Of equal values, the one with less disparity, in the order of the metrics, then the
            first model by name, then the lowest threshold. It is true once in a window, or never if
            no candidate is within.
    """
@overload
def cutoffs_by_group(frame: pl.LazyFrame, *, equal: Literal['selection_rate', 'tpr', 'fpr', 'tnr', 'fnr', 'equalized_odds'] | None = ..., maximise: str | Metric = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def cutoffs_by_group(frame: pl.DataFrame | EngineFrame, *, equal: Literal['selection_rate', 'tpr', 'fpr', 'tnr', 'fnr', 'equalized_odds'] | None = ..., maximise: str | Metric = ..., **question: Unpack[Question]) -> pl.DataFrame:
    r"""Return the best cut-off of each group: what the score could achieve, with equal rates or not.

    It shows what a score costs a group that it ranks or calibrates worse than others, and no rule
    to decide by: cut-offs that differ by group may be unlawful. For one cut-off for all rows, see
    `choose`.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    equal
        The rate that is to be equal in all groups. "equalized_odds" is for equal true and equal
        false positive rates. None looks for the best cut-off of each group by itself.
    maximise
        The value of all rows that is to be as high as possible. Such as "accuracy",
        "selection_rate" or ``pf.utility(tp=1, fp=-5)``; or the name of a rate.
    **question
        As in `metrics`, with one facet, a label and a score; ``disfavored``, ``favored`` and
        ``subgroup`` change nothing. Without ``threshold``, every distinct score or multiple of
        ``resolution`` is tried. Rows whose facet is unknown are in no group, and in no number.

    Returns
    -------
    LazyFrame or DataFrame
        One row per group, then one for all groups together, whose ``facet`` is "(all)". The columns
        are those of ``by``, then:

        ``facet``, ``value``, ``n``
            The group and its rows.
        ``threshold_0``, ``share_0``
            A threshold, and the share of the group's rows that it decides. It is infinite where no
            row is accepted, and minus infinity where all rows are, whatever their score.
        ``threshold_1``, ``share_1``
            A higher threshold that decides another share, where equal rates need a mixture of two.
        ``share_at_random``, ``rate_at_random``
            The share of the group's rows that is decided without the score, and the probability
            that such a row is accepted. Equalised odds may need it for groups whose score ranks
            them better.
        ``selection_rate``, ``tpr``, ``fpr``
            The rates on average.
        the value to maximise
            Such as ``accuracy``, on average.

        Of equally good cut-offs, those that accept most are shown. A group without the rate that is
        to be equal has its own best threshold. All is null where the value to maximise is
        undefined.
    """
def explore(frame: pl.LazyFrame | pl.DataFrame | EngineFrame, *metrics: str | Metric | Sequence[str | Metric], bands: Mapping[str, Band] | None = ..., **question: Unpack[Question]) -> Exploration:
    r"""A page on which a person moves the threshold of a score, and sees what follows from it.

    It shows the selection rate and, with labels, the true and the false positive rate of each
    group; metrics with their bands, each judged by its value alone; and values of all rows, such as
    the accuracy. The numbers are those of `rates` and `metrics` at each threshold, from one
    counting of the rows, which happens at once, also of a LazyFrame.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, or a frame of another engine.
    *metrics
        As in `metrics`, also ``pf.utility(...)``. Without any, "di", "dppl", "rd" and
        "average_odds_difference", as far as the columns allow. The accuracy and the selection rate
        of all rows are always among them.
    bands
        The acceptable values of metrics, in place of the bands of the catalogue.
        ``{metric: (low, high)}``; None for no verdict.
    **question
        As in `metrics`. Without ``threshold``, the thresholds are about 100 round numbers from the
        lowest to the highest score, or the multiples of ``resolution``. Rows are then counted by
        each distinct score; of many million rows, give one of the two.

    Returns
    -------
    Exploration
        A notebook shows it; ``write_html`` writes one file, which can be sent to others.
    """
@overload
def reweigh(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def reweigh(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Return the factors that make labels independent of groups, one for each group and label.

    The factor of a group and a label is how often they would occur together if they were
    independent, over how often they do: P(g)·P(y) / P(g, y) (Kamiran and Calders 2012). Rows whose
    weights are multiplied by it have a `dpl` of 0, and each group and each label keeps its total
    weight, if every group has rows of every label. `reweighed` multiplies them.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    **question
        As in `metrics`. It needs ``facet`` and ``label``. Several facets together define the
        groups, and rows whose facet is unknown are a group too. Without ``positive`` and
        ``label_threshold``, each value of the label is one by itself. Predictions, scores,
        ``disfavored``, ``favored``, ``subgroup`` and ``features`` change nothing.

    Returns
    -------
    LazyFrame or DataFrame
        One row for each group and label that occur together. The columns are those of ``by``, of
        ``facet``, and of ``label``, which is True and False with ``positive`` or
        ``label_threshold``; then:

        ``n``
            The number of rows; with ``weight``, the sum of their weights.
        ``factor``
            The factor, computed in each window of ``by``.
    """
@overload
def reweighed(frame: pl.LazyFrame, *, name: str = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def reweighed(frame: pl.DataFrame | EngineFrame, *, name: str = ..., **question: Unpack[Question]) -> pl.DataFrame:
    r"""Return the frame with weights that make labels independent of groups.

    Each row's weight is multiplied by the factor of its group and label, as in `reweigh`. With the
    new weights, `dpl` is 0, and each group and each label keeps its total weight, if every group
    has rows of every label.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, or a DataFrame.
    name
        The name of the new column.
    **question
        As in `reweigh`.

    Returns
    -------
    LazyFrame or DataFrame
        All columns and rows of the frame, in their order, and one more column: the row's weight,
        which is 1 without ``weight``, times the factor. With ``count`` it is the total weight of
        the rows that a row stands for. A weight or count of 0 stays 0; the other rows that
        ``nulls="drop"`` leaves out have no weight: null.
    """
@overload
def dppl(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def dppl(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Difference in positive proportions in predicted labels: q'a − q'd.

    Above 0: a is accepted more often than d.
    Below 0: d is accepted more often than a.
    Range -1 to 1, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def statistical_parity(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def statistical_parity(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Statistical parity difference: q'd − q'a.

    Above 0: d is accepted more often than a.
    Below 0: a is accepted more often than d.
    Range -1 to 1, ideal 0. Source: HolisticAI, AIF360.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def di(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def di(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Disparate impact: q'd / q'a.

    Above 1: d is accepted more often than a.
    Below 1: a is accepted more often than d.
    Range 0 to inf, ideal 1. Source: Amazon SageMaker Clarify, AIF360.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def disparate_impact(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def disparate_impact(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Disparate impact: q'd / q'a.

    Another name for `di`.

    Above 1: d is accepted more often than a.
    Below 1: a is accepted more often than d.
    Range 0 to inf, ideal 1. Source: Amazon SageMaker Clarify, AIF360.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def adverse_impact_ratio(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def adverse_impact_ratio(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Disparate impact: q'd / q'a.

    Another name for `di`.

    Above 1: d is accepted more often than a.
    Below 1: a is accepted more often than d.
    Range 0 to inf, ideal 1. Source: Amazon SageMaker Clarify, AIF360.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def success_ratio(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def success_ratio(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Success ratio: q'a / q'd.

    Above 1: a is accepted more often than d.
    Below 1: d is accepted more often than a.
    Range 0 to inf, ideal 1. Source: HolisticAI.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def four_fifths(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def four_fifths(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Four-fifths rule: min(q'a, q'd) / max(q'a, q'd).

    Above 1: impossible.
    Below 1: one side is accepted more often than the other; the value does not say which.
    Range 0 to 1, ideal 1. Source: HolisticAI.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def cohens_d(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def cohens_d(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Cohen's d: (q'a − q'd) / s, s² = ((na−1)q'a(1−q'a) + (nd−1)q'd(1−q'd)) / (na+nd−2).

    Above 0: a is accepted more often than d.
    Below 0: d is accepted more often than a.
    Range -inf to inf, ideal 0. Source: HolisticAI.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def two_sd(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def two_sd(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Two-standard-deviations rule, on the difference: (q'a − q'd) / √(q'(1−q') / (N·P(1−P))), q' pooled, N = na+nd, P = na/N.

    Above 0: a is accepted more often than d.
    Below 0: d is accepted more often than a.
    Range -inf to inf, ideal 0. Source: HolisticAI, Morris 2001.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def z_difference(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def z_difference(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Two-standard-deviations rule, on the difference: (q'a − q'd) / √(q'(1−q') / (N·P(1−P))), q' pooled, N = na+nd, P = na/N.

    Another name for `two_sd`.

    Above 0: a is accepted more often than d.
    Below 0: d is accepted more often than a.
    Range -inf to inf, ideal 0. Source: HolisticAI, Morris 2001.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def z_ratio(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def z_ratio(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Two-standard-deviations rule, on the log ratio: ln(q'a/q'd) / √((1−q') / (q'·N·P(1−P))), q' pooled, N = na+nd, P = na/N.

    Above 0: a is accepted more often than d.
    Below 0: d is accepted more often than a.
    Range -inf to inf, ideal 0. Source: HolisticAI, Morris 2001.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def ddpl(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def ddpl(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Demographic disparity in predicted labels: rejected_d/rejected_both − accepted_d/accepted_both.

    Above 0: d has a larger share of the rejections than of the acceptances.
    Below 0: a has a larger share of the rejections than of the acceptances.
    Range -1 to 1, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def odds_ratio(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def odds_ratio(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Odds ratio: accepted_d·rejected_a / (rejected_d·accepted_a).

    Above 1: d is accepted more often than a.
    Below 1: a is accepted more often than d.
    Range 0 to inf, ideal 1. Source: Woolf 1955.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def cddpl(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def cddpl(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Conditional demographic disparity in predicted labels: Σ nᵢ·ddplᵢ / Σ nᵢ over the subgroups i.

    Above 0: within subgroups, d has a larger share of the rejections than of the acceptances.
    Below 0: within subgroups, a has a larger share of the rejections than of the acceptances.
    Range -1 to 1, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet``, ``predicted`` and ``subgroup``; all arguments are those of `metrics`.
    """
@overload
def mh_ratio(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def mh_ratio(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Mantel–Haenszel ratio of selection rates: Σ accepted_dᵢ·n_aᵢ/nᵢ / Σ accepted_aᵢ·n_dᵢ/nᵢ over the subgroups i.

    Above 1: within subgroups, d is accepted more often than a.
    Below 1: within subgroups, a is accepted more often than d.
    Range 0 to inf, ideal 1. Source: Mantel and Haenszel 1959, Greenland and Robins 1985.

    Needs ``facet``, ``predicted`` and ``subgroup``; all arguments are those of `metrics`.
    """
@overload
def mh_difference(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def mh_difference(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Mantel–Haenszel difference of selection rates: Σ (accepted_aᵢ·n_dᵢ − accepted_dᵢ·n_aᵢ)/nᵢ / Σ n_aᵢ·n_dᵢ/nᵢ over subgroups i.

    Above 0: within subgroups, a is accepted more often than d.
    Below 0: within subgroups, d is accepted more often than a.
    Range -1 to 1, ideal 0. Source: Mantel and Haenszel 1959, Sato 1989.

    Needs ``facet``, ``predicted`` and ``subgroup``; all arguments are those of `metrics`.
    """
@overload
def mh_odds_ratio(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def mh_odds_ratio(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Mantel–Haenszel common odds ratio: Σ accepted_dᵢ·rejected_aᵢ/nᵢ / Σ rejected_dᵢ·accepted_aᵢ/nᵢ over subgroups i.

    Above 1: within subgroups, d is accepted more often than a.
    Below 1: within subgroups, a is accepted more often than d.
    Range 0 to inf, ideal 1. Source: Mantel and Haenszel 1959.

    Needs ``facet``, ``predicted`` and ``subgroup``; all arguments are those of `metrics`.
    """
@overload
def cmh(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def cmh(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Cochran–Mantel–Haenszel statistic, its signed root: Σ (Aᵢ − Eᵢ) / √Σ Vᵢ over subgroups i, A = accepted_a, E = na·accepted/n, V = na·nd·accepted·rejected / (n²(n−1)).

    Above 0: within subgroups, a is accepted more often than d.
    Below 0: within subgroups, d is accepted more often than a.
    Range -inf to inf, ideal 0. Source: Cochran 1954, Mantel and Haenszel 1959.

    Needs ``facet``, ``predicted`` and ``subgroup``; all arguments are those of `metrics`.
    """
@overload
def breslow_day(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def breslow_day(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Breslow–Day statistic: whether odds ratios of subgroups are alike: Σ (Aᵢ − Eᵢ)² / Vᵢ over subgroups i, A = accepted_d, E and V its expected count and variance where the odds ratio is mh_odds_ratio.

    Range 0 to inf, no ideal. Source: Breslow and Day 1980.

    Needs ``facet``, ``predicted`` and ``subgroup``; all arguments are those of `metrics`.
    """
@overload
def dcacc(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def dcacc(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Difference in conditional acceptance: positive_a/accepted_a − positive_d/accepted_d.

    Above 0: a is accepted less than its labels suggest, compared with d.
    Below 0: d is accepted less than its labels suggest, compared with a.
    Range -inf to inf, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def dcr(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def dcr(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Difference in conditional rejection: negative_d/rejected_d − negative_a/rejected_a.

    Above 0: a is rejected more than its labels suggest, compared with d.
    Below 0: d is rejected more than its labels suggest, compared with a.
    Range -inf to inf, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def sd(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def sd(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Specificity difference: tnr_d − tnr_a = fpr_a − fpr_d.

    Above 0: a is wrongly accepted more often than d.
    Below 0: d is wrongly accepted more often than a.
    Range -1 to 1, ideal 0. Source: Amazon SageMaker Clarify, HolisticAI.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def fpr_difference(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def fpr_difference(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Specificity difference: tnr_d − tnr_a = fpr_a − fpr_d.

    Another name for `sd`.

    Above 0: a is wrongly accepted more often than d.
    Below 0: d is wrongly accepted more often than a.
    Range -1 to 1, ideal 0. Source: Amazon SageMaker Clarify, HolisticAI.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def rd(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def rd(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Recall difference: tpr_a − tpr_d.

    Above 0: qualified members of a are accepted more often than qualified members of d.
    Below 0: qualified members of d are accepted more often than qualified members of a.
    Range -1 to 1, ideal 0. Source: Amazon SageMaker Clarify, HolisticAI.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def equal_opportunity_difference(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def equal_opportunity_difference(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Recall difference: tpr_a − tpr_d.

    Another name for `rd`.

    Above 0: qualified members of a are accepted more often than qualified members of d.
    Below 0: qualified members of d are accepted more often than qualified members of a.
    Range -1 to 1, ideal 0. Source: Amazon SageMaker Clarify, HolisticAI.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def dar(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def dar(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Difference in acceptance rates: ppv_a − ppv_d.

    Above 0: an acceptance is right more often in a than in d.
    Below 0: an acceptance is right more often in d than in a.
    Range -1 to 1, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def drr(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def drr(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Difference in rejection rates: npv_d − npv_a.

    Above 0: a rejection is right more often in d than in a.
    Below 0: a rejection is right more often in a than in d.
    Range -1 to 1, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def ad(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def ad(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Accuracy difference: acc_a − acc_d.

    Above 0: predictions are right more often for a than for d.
    Below 0: predictions are right more often for d than for a.
    Range -1 to 1, ideal 0. Source: Amazon SageMaker Clarify, HolisticAI.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def accuracy_difference(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def accuracy_difference(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Accuracy difference: acc_a − acc_d.

    Another name for `ad`.

    Above 0: predictions are right more often for a than for d.
    Below 0: predictions are right more often for d than for a.
    Range -1 to 1, ideal 0. Source: Amazon SageMaker Clarify, HolisticAI.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def te(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def te(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Treatment equality: fn_d/fp_d − fn_a/fp_a.

    Above 0: d has more wrong rejections per wrong acceptance than a.
    Below 0: a has more wrong rejections per wrong acceptance than d.
    Range -inf to inf, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def te_inverse(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def te_inverse(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Treatment equality, earlier form: fp_a/fn_a − fp_d/fn_d.

    Above 0: a has more wrong acceptances per wrong rejection than d.
    Below 0: d has more wrong acceptances per wrong rejection than a.
    Range -inf to inf, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def average_odds_difference(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def average_odds_difference(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Average odds difference: ((tpr_a − tpr_d) + (fpr_a − fpr_d)) / 2.

    Above 0: at equal labels, a is accepted more often than d.
    Below 0: at equal labels, d is accepted more often than a.
    Range -1 to 1, ideal 0. Source: HolisticAI.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def average_abs_odds_difference(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def average_abs_odds_difference(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Average absolute odds difference: (|tpr_a − tpr_d| + |fpr_a − fpr_d|) / 2.

    Above 0: at equal labels, the sides are accepted at different rates.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: AIF360.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def disparity_change(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def disparity_change(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Change in disparity from labels to predictions: (q'a − q'd) − (q_a − q_d).

    Above 0: a is accepted more than its labels suggest, compared with d.
    Below 0: d is accepted more than its labels suggest, compared with a.
    Range -2 to 2, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def fdr_difference(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def fdr_difference(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""False discovery rate difference: fdr_a − fdr_d.

    Above 0: an acceptance is wrong more often in a than in d.
    Below 0: an acceptance is wrong more often in d than in a.
    Range -1 to 1, ideal 0. Source: AIF360.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def for_difference(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def for_difference(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""False omission rate difference: for_a − for_d.

    Above 0: a rejection is wrong more often in a than in d.
    Below 0: a rejection is wrong more often in d than in a.
    Range -1 to 1, ideal 0. Source: AIF360.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def fnr_difference(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def fnr_difference(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""False negative rate difference: fnr_a − fnr_d.

    Above 0: qualified members of a are rejected more often than qualified members of d.
    Below 0: qualified members of d are rejected more often than qualified members of a.
    Range -1 to 1, ideal 0. Source: AIF360.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def predictive_value_difference(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def predictive_value_difference(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Average predictive value difference: ((ppv_a − ppv_d) + (for_a − for_d)) / 2.

    Above 0: at equal decisions, a turns out qualified more often than d.
    Below 0: at equal decisions, d turns out qualified more often than a.
    Range -1 to 1, ideal 0. Source: AIF360.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def ci(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def ci(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Class imbalance: (na − nd) / (na + nd).

    Above 0: d has fewer rows than a.
    Below 0: a has fewer rows than d.
    Range -1 to 1, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet``; all arguments are those of `metrics`.
    """
@overload
def dpl(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def dpl(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Difference in proportions of labels: q_a − q_d.

    Above 0: positive labels are more frequent in a than in d.
    Below 0: positive labels are more frequent in d than in a.
    Range -1 to 1, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet`` and ``label``; all arguments are those of `metrics`.
    """
@overload
def ddl(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def ddl(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Demographic disparity in labels: negative_d/negative_both − positive_d/positive_both.

    Above 0: d has a larger share of the negative labels than of the positive.
    Below 0: a has a larger share of the negative labels than of the positive.
    Range -1 to 1, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet`` and ``label``; all arguments are those of `metrics`.
    """
@overload
def cddl(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def cddl(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Conditional demographic disparity in labels: Σ nᵢ·ddlᵢ / Σ nᵢ over the subgroups i.

    Above 0: within subgroups, d has a larger share of the negative labels than of the positive.
    Below 0: within subgroups, a has a larger share of the negative labels than of the positive.
    Range -1 to 1, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet``, ``label`` and ``subgroup``; all arguments are those of `metrics`.
    """
@overload
def kl(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def kl(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Kullback–Leibler divergence of the labels: Σ Pa·ln(Pa/Pd) over every label value.

    Above 0: the labels of the two sides are distributed differently.
    Below 0: impossible.
    Range 0 to inf, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet`` and ``label``; all arguments are those of `metrics`.
    """
@overload
def js(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def js(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Jensen–Shannon divergence of the labels: ½ Σ Pa·ln(Pa/P) + ½ Σ Pd·ln(Pd/P), P = (Pa+Pd)/2.

    Above 0: the labels of the two sides are distributed differently.
    Below 0: impossible.
    Range 0 to 0.693147, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet`` and ``label``; all arguments are those of `metrics`.
    """
@overload
def lp(*, p: float = ...) -> Metric:
    r"""The distance of the two sides' label distributions in the p-norm.

    Parameters
    ----------
    p
        The order of the norm, at least 1; infinity for the largest distance.
    """
@overload
def lp(frame: pl.LazyFrame, *, p: float = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def lp(frame: pl.DataFrame | EngineFrame, *, p: float = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def tvd(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def tvd(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Total variation distance of the labels: ½ Σ|Pa−Pd|.

    Above 0: the labels of the two sides are distributed differently.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet`` and ``label``; all arguments are those of `metrics`.
    """
@overload
def ks(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def ks(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Kolmogorov–Smirnov distance of the labels: max|Pa−Pd| over the label values.

    Above 0: the labels of the two sides are distributed differently.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Amazon SageMaker Clarify.

    Needs ``facet`` and ``label``; all arguments are those of `metrics`.
    """
@overload
def ge(*, alpha: float = ...) -> Metric:
    r"""The inequality of benefits, as the generalised entropy index.

    Parameters
    ----------
    alpha
        How much weight large benefits get: 2 is half the squared coefficient of variation, 1
        the Theil index, 0 the mean log deviation. If the benefit of any row is 0, orders of 0 and
        below are undefined.
    """
@overload
def ge(frame: pl.LazyFrame, *, alpha: float = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def ge(frame: pl.DataFrame | EngineFrame, *, alpha: float = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def theil(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def theil(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Theil index: mean((b/µ)·ln(b/µ)), b = y' − y + 1.

    Above 0: errors benefit some and cost others.
    Below 0: impossible.
    Range 0 to inf, ideal 0. Source: AIF360.

    Needs ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def coefficient_of_variation(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def coefficient_of_variation(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Coefficient of variation of the benefits: √(2·GE₂).

    Above 0: errors benefit some and cost others.
    Below 0: impossible.
    Range 0 to inf, ideal 0. Source: AIF360.

    Needs ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def ge_between(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def ge_between(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Generalised entropy between groups: GE₂ after each row's benefit is replaced by its group's mean benefit.

    Above 0: some groups benefit from errors and others pay for them.
    Below 0: impossible.
    Range 0 to inf, ideal 0. Source: AIF360.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def selection_rate_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""Demographic parity, largest difference: max − min of q' over the groups.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def selection_rate_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def selection_rate_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def demographic_parity_difference(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""Demographic parity, largest difference: max − min of q' over the groups.

    Another name for `selection_rate_gap`.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def demographic_parity_difference(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def demographic_parity_difference(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def tpr_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""True positive rate, largest difference: max − min of tpr over the groups.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def tpr_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def tpr_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def fpr_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""False positive rate, largest difference: max − min of fpr over the groups.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def fpr_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def fpr_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def tnr_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""True negative rate, largest difference: max − min of tnr over the groups.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def tnr_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def tnr_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def fnr_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""False negative rate, largest difference: max − min of fnr over the groups.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def fnr_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def fnr_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def ppv_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""Positive predictive value, largest difference: max − min of ppv over the groups.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def ppv_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def ppv_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def npv_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""Negative predictive value, largest difference: max − min of npv over the groups.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def npv_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def npv_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def accuracy_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""Accuracy, largest difference: max − min of acc over the groups.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def accuracy_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def accuracy_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def selection_rate_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""Demographic parity, smallest ratio: min / max of q' over the groups.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def selection_rate_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def selection_rate_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def demographic_parity_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""Demographic parity, smallest ratio: min / max of q' over the groups.

    Another name for `selection_rate_ratio`.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def demographic_parity_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def demographic_parity_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def tpr_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""True positive rate, smallest ratio: min / max of tpr over the groups.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def tpr_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def tpr_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def fpr_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""False positive rate, smallest ratio: min / max of fpr over the groups.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def fpr_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def fpr_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def tnr_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""True negative rate, smallest ratio: min / max of tnr over the groups.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def tnr_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def tnr_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def fnr_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""False negative rate, smallest ratio: min / max of fnr over the groups.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def fnr_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def fnr_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def ppv_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""Positive predictive value, smallest ratio: min / max of ppv over the groups.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def ppv_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def ppv_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def npv_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""Negative predictive value, smallest ratio: min / max of npv over the groups.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def npv_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def npv_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def accuracy_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""Accuracy, smallest ratio: min / max of acc over the groups.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def accuracy_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def accuracy_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def equalized_odds_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""Equalized odds, largest difference: the larger of tpr_gap and fpr_gap.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def equalized_odds_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def equalized_odds_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def equalized_odds_difference(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""Equalized odds, largest difference: the larger of tpr_gap and fpr_gap.

    Another name for `equalized_odds_gap`.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def equalized_odds_difference(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def equalized_odds_difference(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def equalized_odds_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""Equalized odds, smallest ratio: the smaller of tpr_ratio and fpr_ratio.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def equalized_odds_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def equalized_odds_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def fpsf(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""False positive subgroup fairness: max over g of (negative_g / n_all)·|fpr_all − fpr_g|.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Kearns et al. 2018.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def fpsf(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def fpsf(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def fnsf(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""False negative subgroup fairness: max over g of (positive_g / n_all)·|fnr_all − fnr_g|.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Kearns et al. 2018.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def fnsf(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def fnsf(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def spsf(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""Statistical parity subgroup fairness: max over g of (n_g / n_all)·|q'_all − q'_g|.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Kearns et al. 2018.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def spsf(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def spsf(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def differential_fairness(*, concentration: float = ..., groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""The largest log ratio of two groups' smoothed selection rates, or rejection rates.

    Parameters
    ----------
    concentration
        How many rows to add to each group, half accepted and half rejected; 0 does not smooth.
    groups, depth, minimum_count, unknown_groups
        Which groups, as in `Metric.over`.
    """
@overload
def differential_fairness(frame: pl.LazyFrame, *, concentration: float = ..., groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def differential_fairness(frame: pl.DataFrame | EngineFrame, *, concentration: float = ..., groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def spread(*, rate: str = ..., groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""The variance between the rates of groups, less the variance expected by chance.

    The gap of many small groups is large even if all groups have the same true rate. This metric
    is then 0 on average, and often below 0. It is the variance between the groups' rates less the
    mean sampling variance of the rates. Groups of a single row have no sampling variance and are
    left out.

    Parameters
    ----------
    rate
        Which rate, such as "selection_rate" or "tpr".
    groups, depth, minimum_count, unknown_groups
        Which groups, as in `Metric.over`.
    """
@overload
def spread(frame: pl.LazyFrame, *, rate: str = ..., groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def spread(frame: pl.DataFrame | EngineFrame, *, rate: str = ..., groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def cdd_shares(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ...) -> Metric:
    r"""Conditional demographic disparity of the groups' shares: Σ_g (n_g/n)·(rejected_g/rejected_all − accepted_g/accepted_all).

    Above 0: large groups have a larger share of the rejections than of the acceptances.
    Below 0: small groups have a larger share of the rejections than of the acceptances.
    Range -1 to 1, ideal 0. Source: Amazon SageMaker Clarify, AIF360.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown_groups
        The groups, as in `Metric.over`.
    """
@overload
def cdd_shares(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def cdd_shares(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown_groups: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def fliptest(*, k: int = ..., standardize: bool = ..., progress: bool | None = ...) -> Metric:
    r"""Compare the decision on each member of d with the votes of its nearest members of a.

    The k members of a nearest by Euclidean distance over ``features`` vote with their own
    outcomes. A tied vote is for the negative outcome. Members of a at the same distance share the
    places that nearer ones leave, so the order of rows changes nothing.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    features
        The columns of numbers or Booleans that distances between individuals are measured on.
    k
        The number of neighbours that vote. The default 5 becomes 1 if a has fewer than 10 rows,
        as in Clarify. For any other k, side a must have at least k rows.
    standardize
        Whether to divide every feature by its standard deviation over the rows of both sides,
        before measuring distances.
    flips
        Whether to return the members of d whose outcome flips, in place of their number.
    progress
        Whether to show a progress bar. None shows one on a terminal only, and for long work only.
    **question
        As in `metrics`. A member of d counts with its weight; each neighbour has one vote.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison. The columns are those of ``by``, ``facet``, ``disfavored``,
        ``favored``, ``n_disfavored``, ``n_favored``, then:

        ``unfavorable_flips``
            The members of d who were rejected although their neighbours were accepted.
        ``favorable_flips``
            The members of d who were accepted although their neighbours were rejected. Both kinds
            of flips are named for a positive outcome that is good, also with ``favorable=False``.
        ``fliptest``
            The difference of the two, divided by ``n_disfavored``.

        With ``flips=True``, one row per member of d whose outcome flips. The columns are those of
        ``by`` that are not columns of the frame, ``facet``, ``disfavored``, ``favored``, then:

        ``flip``
            "unfavorable" or "favorable".
        ``vote``
            The share of votes for acceptance.
        the columns of the frame
            The member's own row.
    """
@overload
def fliptest(frame: pl.LazyFrame, *, k: int = ..., standardize: bool = ..., progress: bool | None = ..., flips: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def fliptest(frame: pl.DataFrame | EngineFrame, *, k: int = ..., standardize: bool = ..., progress: bool | None = ..., flips: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def ft(*, k: int = ..., standardize: bool = ..., progress: bool | None = ...) -> Metric:
    r"""Compare the decision on each member of d with the votes of its nearest members of a.

    Another name for `fliptest`.

    The k members of a nearest by Euclidean distance over ``features`` vote with their own
    outcomes. A tied vote is for the negative outcome. Members of a at the same distance share the
    places that nearer ones leave, so the order of rows changes nothing.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    features
        The columns of numbers or Booleans that distances between individuals are measured on.
    k
        The number of neighbours that vote. The default 5 becomes 1 if a has fewer than 10 rows,
        as in Clarify. For any other k, side a must have at least k rows.
    standardize
        Whether to divide every feature by its standard deviation over the rows of both sides,
        before measuring distances.
    flips
        Whether to return the members of d whose outcome flips, in place of their number.
    progress
        Whether to show a progress bar. None shows one on a terminal only, and for long work only.
    **question
        As in `metrics`. A member of d counts with its weight; each neighbour has one vote.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison. The columns are those of ``by``, ``facet``, ``disfavored``,
        ``favored``, ``n_disfavored``, ``n_favored``, then:

        ``unfavorable_flips``
            The members of d who were rejected although their neighbours were accepted.
        ``favorable_flips``
            The members of d who were accepted although their neighbours were rejected. Both kinds
            of flips are named for a positive outcome that is good, also with ``favorable=False``.
        ``fliptest``
            The difference of the two, divided by ``n_disfavored``.

        With ``flips=True``, one row per member of d whose outcome flips. The columns are those of
        ``by`` that are not columns of the frame, ``facet``, ``disfavored``, ``favored``, then:

        ``flip``
            "unfavorable" or "favorable".
        ``vote``
            The share of votes for acceptance.
        the columns of the frame
            The member's own row.
    """
@overload
def ft(frame: pl.LazyFrame, *, k: int = ..., standardize: bool = ..., progress: bool | None = ..., flips: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def ft(frame: pl.DataFrame | EngineFrame, *, k: int = ..., standardize: bool = ..., progress: bool | None = ..., flips: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def consistency(*, k: int = ..., standardize: bool = ..., progress: bool | None = ...) -> Metric:
    r"""The agreement of each individual's prediction with its nearest neighbours'.

    Parameters
    ----------
    k
        The number of neighbours. An individual is its own neighbour too. Individuals on the same
        point, or at the same distance, share the places that nearer individuals leave.
    standardize
        Whether to divide every feature by its standard deviation before measuring distances.
    progress
        Whether to show a progress bar; None shows it on a terminal only.
    """
@overload
def consistency(frame: pl.LazyFrame, *, k: int = ..., standardize: bool = ..., progress: bool | None = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def consistency(frame: pl.DataFrame | EngineFrame, *, k: int = ..., standardize: bool = ..., progress: bool | None = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def auc_difference(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def auc_difference(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Difference in AUC: AUC_a − AUC_d.

    Above 0: the scores rank the rows of a better than those of d.
    Below 0: the scores rank the rows of d better than those of a.
    Range -1 to 1, ideal 0. Source: Borkan et al. 2019.

    Needs ``facet``, ``label`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def xauc_difference(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def xauc_difference(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Difference in cross-group AUC: Pr[s⁺_a > s⁻_d] − Pr[s⁺_d > s⁻_a], a tie being half.

    Above 0: positive rows of a are ranked above negative rows of d more often than the reverse.
    Below 0: positive rows of d are ranked above negative rows of a more often than the reverse.
    Range -1 to 1, ideal 0. Source: Kallus and Zhou 2019.

    Needs ``facet``, ``label`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def bpsn_auc(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def bpsn_auc(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Background positive, subgroup negative AUC: Pr[s⁺_a > s⁻_d], a tie being half.

    Above 1: impossible.
    Below 1: negative rows of d are ranked above positive rows of a.
    Range 0 to 1, ideal 1. Source: Borkan et al. 2019.

    Needs ``facet``, ``label`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def bnsp_auc(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def bnsp_auc(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Background negative, subgroup positive AUC: Pr[s⁺_d > s⁻_a], a tie being half.

    Above 1: impossible.
    Below 1: negative rows of a are ranked above positive rows of d.
    Range 0 to 1, ideal 1. Source: Borkan et al. 2019.

    Needs ``facet``, ``label`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def abroca(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def abroca(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Absolute between-ROC area: ∫₀¹ |ROC_a − ROC_d|.

    Above 0: the scores rank the rows of the two sides differently well.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Gardner et al. 2019.

    Needs ``facet``, ``label`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def score_difference(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def score_difference(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Difference in mean score: s̄_a − s̄_d.

    Above 0: the scores of a are higher.
    Below 0: the scores of d are higher.
    Range -inf to inf, ideal 0. Source: HolisticAI.

    Needs ``facet`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def smd(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def smd(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Standardized mean difference of scores: (s̄_a − s̄_d) / s, s² = ((na−1)v_a + (nd−1)v_d) / (na+nd−2), v = Σ(s−s̄)² / (n−1).

    Above 0: the scores of a are higher.
    Below 0: the scores of d are higher.
    Range -inf to inf, ideal 0. Source: Cohen 1988.

    Needs ``facet`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def score_ks(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def score_ks(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Kolmogorov–Smirnov distance of the scores: max over thresholds t of |F_a(t) − F_d(t)|.

    Above 0: the scores of the two sides are distributed differently.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Smirnov 1939.

    Needs ``facet`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def score_wasserstein(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def score_wasserstein(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Wasserstein distance of the scores: ∫ |F_a − F_d| dt.

    Above 0: the scores of the two sides are distributed differently.
    Below 0: impossible.
    Range 0 to inf, ideal 0. Source: Jiang et al. 2020.

    Needs ``facet`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def score_wasserstein_positive(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def score_wasserstein_positive(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Wasserstein distance of the scores of positive rows: ∫ |F_a|1 − F_d|1| dt.

    Above 0: among the rows whose label is positive, the scores of the two sides are distributed differently.
    Below 0: impossible.
    Range 0 to inf, ideal 0. Source: Becker et al. 2024.

    Needs ``facet``, ``label`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def score_wasserstein_negative(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def score_wasserstein_negative(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Wasserstein distance of the scores of negative rows: ∫ |F_a|0 − F_d|0| dt.

    Above 0: among the rows whose label is negative, the scores of the two sides are distributed differently.
    Below 0: impossible.
    Range 0 to inf, ideal 0. Source: Becker et al. 2024.

    Needs ``facet``, ``label`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def balance_positive(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def balance_positive(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Balance for the positive class: s̄_a|1 − s̄_d|1.

    Above 0: among the rows whose label is positive, the scores of a are higher.
    Below 0: among the rows whose label is positive, the scores of d are higher.
    Range -inf to inf, ideal 0. Source: Kleinberg et al. 2016.

    Needs ``facet``, ``label`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def balance_negative(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def balance_negative(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Balance for the negative class: s̄_a|0 − s̄_d|0.

    Above 0: among the rows whose label is negative, the scores of a are higher.
    Below 0: among the rows whose label is negative, the scores of d are higher.
    Range -inf to inf, ideal 0. Source: Kleinberg et al. 2016.

    Needs ``facet``, ``label`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def calibration_difference(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def calibration_difference(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Difference in calibration: (q_d − s̄_d) − (q_a − s̄_a).

    Above 0: beside a, d does better than its scores say.
    Below 0: beside d, a does better than its scores say.
    Range -2 to 2, ideal 0. Source: Pleiss et al. 2017.

    Needs ``facet``, ``label`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def brier_difference(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def brier_difference(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Difference in Brier score: mean (s − y)² of d − that of a.

    Above 0: the scores of d are farther from its labels.
    Below 0: the scores of a are farther from its labels.
    Range -1 to 1, ideal 0. Source: Brier 1950.

    Needs ``facet``, ``label`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def auc_gap(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def auc_gap(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Gap in AUC: max − min of AUC_g over the groups g.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def brier_gap(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def brier_gap(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Gap in Brier score: max − min of mean (s − y)² over the groups g.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Brier 1950, Fairlearn.

    Needs ``facet``, ``label`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def ece_gap(*, bins: int = ...) -> Metric:
    r"""The range of the groups' expected calibration errors.

    Parameters
    ----------
    bins
        The number of bins of equal width, between 0 and 1, within which scores and labels are
        compared.
    """
@overload
def ece_gap(frame: pl.LazyFrame, *, bins: int = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def ece_gap(frame: pl.DataFrame | EngineFrame, *, bins: int = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def miscalibration(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def miscalibration(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Largest weighted miscalibration: max over g of (n_g / n_all)·ECCE_g.

    Above 0: some group's labels are more or fewer than its scores say.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Arrieta-Ibarra et al. 2022.

    Needs ``facet``, ``label`` and ``score``; all arguments are those of `metrics`.
    """
@overload
def accuracy(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def accuracy(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Accuracy: (tp + tn) / n of all rows.

    Above 1: impossible.
    Below 1: some predictions differ from their labels.
    Range 0 to 1, ideal 1. Source: scikit-learn.

    Needs ``label`` and ``predicted``; all arguments are those of `metrics`.
    """
@overload
def selection_rate(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def selection_rate(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Selection rate: accepted / n of all rows.

    Range 0 to 1, no ideal. Source: Fairlearn.

    Needs ``predicted``; all arguments are those of `metrics`.
    """
@overload
def utility(*, tp: float = ..., fp: float = ..., fn: float = ..., tn: float = ...) -> Metric:
    r"""The mean over all rows of what their outcomes are worth.

    It has no ideal. It is computed only where it is named: what outcomes are worth is for the
    caller to say. By default, a row accepted rightly gains as much as one accepted wrongly loses.

    Parameters
    ----------
    tp, fp, fn, tn
        The worth of a true positive, a false positive, a false negative and a true negative.
    """
@overload
def utility(frame: pl.LazyFrame, *, tp: float = ..., fp: float = ..., fn: float = ..., tn: float = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def utility(frame: pl.DataFrame | EngineFrame, *, tp: float = ..., fp: float = ..., fn: float = ..., tn: float = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
