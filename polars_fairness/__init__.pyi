# Written by `make generated` from the catalogue; for type checkers and editors.
from collections.abc import Mapping
from typing import Literal, Unpack, overload

import polars as pl


from polars_fairness import datasets as datasets, terms as terms
from polars_fairness.catalogue import Catalogue
from polars_fairness.errors import FairnessError as FairnessError
from polars_fairness.formula.metric import Metric as Metric
from polars_fairness.namespace import Fairness as Fairness
from polars_fairness.reporting.report import Report as Report
from polars_fairness.question.arguments import Band, Question
from polars_fairness.counting.rows import EngineFrame
from polars_fairness.formula.groups import GroupsOf

__version__: str
__all__: list[str]
CATALOGUE: Catalogue

@overload
def cells(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def cells(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Count every combination of the columns named.

    The result is a frame like any other: asked again with ``count="n"``, alone or concatenated
    with the cells of other files, days or machines, it gives what the rows gave.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine.
    **question
        As in `metrics`; sides play no part.

    Returns
    -------
    LazyFrame or DataFrame
        The columns named, an outcome made by ``threshold`` or ``positive`` as True and False,
        then ``n`` and, with ``weight``, its sum and ``weight_sq``, the sum of its squares.
        ``positive`` of a label of three or more values is an error: the metrics over label values
        need each of them. Give it with the question asked of the cells.
    """
@overload
def rates(frame: pl.LazyFrame, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def rates(frame: pl.DataFrame | EngineFrame, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Count and rate every group of every facet, and everybody.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine.
    **question
        As in `metrics`; sides play no part.

    Returns
    -------
    LazyFrame or DataFrame
        One row per facet value (``value`` is null where the facet is unknown), then one for
        every row (``facet`` is null): the counts, as sums of weights where a weight is given,
        and the rates, null where undefined or not determined by the outcomes given.
    """
@overload
def metrics(frame: pl.LazyFrame, *metrics: str | Metric, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def metrics(frame: pl.DataFrame | EngineFrame, *metrics: str | Metric, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Compute fairness metrics for every comparison of two sides.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine (Spark,
        DuckDB, Ibis, Dask, pyarrow, pandas, ...; extra ``engines``), which counts; its columns
        are taken by name, and the answer is a DataFrame.
    *metrics
        Names from the catalogue, or metrics of your own; none for every metric that the
        columns given allow.
    facet
        Sensitive attributes, each compared on its own. A column or several; a struct is an
        intersection of attributes.
    disfavored
        Side d, the group that the question is about. A value, a list of values or
        ``{facet: value(s)}``. Without it, every value that is not on side a is d in turn.
    favored
        Side a, the group that d is compared with. Given as ``disfavored`` is. Without it, a is
        everyone else whose facet is known.
    label
        The outcome as it was observed.
    predicted
        The outcome as it was predicted or decided.
    positive
        The outcomes that count as positive. A value or a list of values, of ``label`` and
        ``predicted`` alike; or ``{column: value(s)}``, each outcome its own. True and 1 for an
        outcome that it does not name, or whose type it does not fit.
    threshold
        A predicted score is positive from here on.
    label_threshold
        A continuous label is positive from here on.
    subgroup
        The strata of the conditional metrics. A column or several.
    features
        Measures how alike two individuals are. Columns of numbers or Booleans, for `fliptest`
        and `consistency`.
    by
        Everything is computed once for each combination of these. A column or several.
    weight
        The sampling weight of each row. Finite and at least 0.
    count
        How many rows each row stands for. A weight beside it is their total.
    nulls
        What a missing outcome, feature, weight or count does. "raise" raises an error, "drop"
        drops the row.
    zero_division
        What 0/0 is taken for. None leaves undefined values null; a number takes the place of
        0/0.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison: the columns of ``by``, then ``facet``, ``disfavored``,
        ``favored`` (null for everyone else), ``n_disfavored``, ``n_favored``, ``n_unknown``,
        then one column per metric. A metric without sides, such as `ge`, repeats on every row of
        its facet; in a window in which that has no comparison, because no value of it is known or
        no row is on side d, it stands on a row without sides.
    """
@overload
def audit(frame: pl.LazyFrame, *metrics: str | Metric, confidence: float | None = ..., method: Literal['bootstrap', 'newcombe', 'log'] = ..., replicates: int = ..., seed: int = ..., bands: Mapping[str, Band] | None = ..., minimum_count: int | None = ..., p_values: Literal['exact', 'holm'] | None = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def audit(frame: pl.DataFrame | EngineFrame, *metrics: str | Metric, confidence: float | None = ..., method: Literal['bootstrap', 'newcombe', 'log'] = ..., replicates: int = ..., seed: int = ..., bands: Mapping[str, Band] | None = ..., minimum_count: int | None = ..., p_values: Literal['exact', 'holm'] | None = ..., **question: Unpack[Question]) -> pl.DataFrame:
    r"""Compute metrics, each on a row of its own with an interval and a verdict.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine.
    *metrics
        As in `metrics`; none for every metric that the columns given allow.
    confidence
        How often intervals made this way hold the truth. None for no intervals.
    method
        How the intervals of comparisons of two sides are found. "bootstrap" for every metric,
        by drawing the counts again from Gamma distributions with their own means and variances;
        "newcombe" for differences of two rates, "log" for ratios, where the others stay with
        the bootstrap. Maxima over groups and conditional metrics have intervals of their own,
        and test statistics none.
    replicates
        How many samples the bootstrap draws. At most a million.
    seed
        Where the random numbers of the bootstrap start. The same seed draws the same.
    bands
        The values tolerated, in place of the catalogue's. ``{metric: (low, high)}`` instead of
        `Metric.acceptable`; None for no verdict.
    minimum_count
        Mark comparisons with fewer rows on a side. A column ``is_small`` marks them.
    p_values
        Test each comparison. A column ``p_value`` has how likely chance alone is, by Fisher's
        exact test of the rate that a metric compares, or within strata by the test of Cochran,
        Mantel and Haenszel; null where neither fits the metric, and with weights. With "holm"
        p-values are adjusted for all rows of this audit, with "exact" they are not. Extra
        ``significance``.
    facet
        Sensitive attributes, each compared on its own. A column or several; a struct is an
        intersection of attributes.
    disfavored
        Side d, the group that the question is about. A value, a list of values or
        ``{facet: value(s)}``. Without it, every value that is not on side a is d in turn.
    favored
        Side a, the group that d is compared with. Given as ``disfavored`` is. Without it, a is
        everyone else whose facet is known.
    label
        The outcome as it was observed.
    predicted
        The outcome as it was predicted or decided.
    positive
        The outcomes that count as positive. A value or a list of values, of ``label`` and
        ``predicted`` alike; or ``{column: value(s)}``, each outcome its own. True and 1 for an
        outcome that it does not name, or whose type it does not fit.
    threshold
        A predicted score is positive from here on.
    label_threshold
        A continuous label is positive from here on.
    subgroup
        The strata of the conditional metrics. A column or several.
    features
        Measures how alike two individuals are. Columns of numbers or Booleans, for `fliptest`
        and `consistency`.
    by
        Everything is computed once for each combination of these. A column or several.
    weight
        The sampling weight of each row. Finite and at least 0.
    count
        How many rows each row stands for. A weight beside it is their total.
    nulls
        What a missing outcome, feature, weight or count does. "raise" raises an error, "drop"
        drops the row.
    zero_division
        What 0/0 is taken for. None leaves undefined values null; a number takes the place of
        0/0.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison and metric: the columns of ``by``, then ``facet``, ``disfavored``,
        ``favored`` (both null where a metric has no sides), ``metric``, ``value``, ``lower``,
        ``upper``, ``ideal``, ``verdict``: "fair" where the whole interval is tolerated,
        "against_disfavored" or "against_favored" where none of it is, "outside" where none of it is
        and the metric has no sides (or neither its value nor the rates name one), "uncertain"
        between, "undefined" without a value, null where nobody said what is tolerated. Then
        ``n_disfavored``, ``n_favored``, ``n_unknown``, and of how many rows that is said:
        ``rows_seen``, ``rows_used``, ``rows_dropped``. A window with nobody to compare has one row
        for each metric, with null sides.
    """
@overload
def decompose(frame: pl.LazyFrame, metric: str | Metric, **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def decompose(frame: pl.DataFrame | EngineFrame, metric: str | Metric, **question: Unpack[Question]) -> pl.DataFrame:
    r"""Take a conditional metric apart: what every subgroup adds to it.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine.
    metric
        The name of a conditional metric, such as "cddpl", or one of your own made with
        ``stratified``.
    **question
        As in `metrics`.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison and subgroup in which either side has rows, those that add most,
        or take most away, first: the columns of ``by``, ``facet``, ``disfavored``, ``favored``,
        the columns of ``subgroup``; ``n``, the rows of both sides; ``share_of_rejected`` and
        ``share_of_accepted``, the part of them that falls to d (of a metric of labels
        ``share_of_negative`` and ``share_of_positive``); ``value``, the metric inside the
        subgroup; ``contribution``, that value times n, over the n of all subgroups that have a
        value. The contributions of a comparison add up to the metric.
    """
@overload
def subgroups(frame: pl.LazyFrame, metric: str | Metric, *, depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., shrink: bool = ..., confidence: float | None = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def subgroups(frame: pl.DataFrame | EngineFrame, metric: str | Metric, *, depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., shrink: bool = ..., confidence: float | None = ..., **question: Unpack[Question]) -> pl.DataFrame:
    r"""Tell of every group that the attributes define, alone and together, how far it is off.

    The top row is what the same metric comes to over ``groups="conjunctions"``.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine.
    metric
        "fpsf", "fnsf" or "spsf": alpha is the share of everybody that the group's rate is about,
        beta the distance of that rate from the rate of all. A gap, such as "tpr_gap": alpha is 1,
        beta the distance from the group farthest away. A ratio, such as "selection_rate_ratio":
        alpha is 1, beta the smallest ratio with another group. Or a metric of your own, made with
        ``across(..., each=...)``; or one that has its groups with it, such as
        ``fpsf(groups="intersections")``.
    depth
        How many attributes a group fixes at most: 1 for the values of each attribute; None for
        all.
    minimum_count
        Leave out groups of fewer rows.
    unknown
        Whether null is a value of an attribute; if not, groups that would fix it are left out, and
        their rows are part of everybody.
    shrink
        Draw the rates of groups of few rows to those of all groups that fix as many attributes:
        empirical Bayes with a Beta distribution fitted to them. ``beta`` and the rank are then of
        the shrunken rate.
    confidence
        How often the interval of a rate shall hold the truth; None for no intervals. Wilson's, of
        weighted rows as many as are worth the same; of a shrunken rate the middle of its Beta
        distribution, for which extra ``significance`` is needed.
    **question
        As in `metrics`. The columns of ``facet`` are the attributes; sides and subgroups play no
        part.

    Returns
    -------
    LazyFrame or DataFrame
        One row per group that occurs, the worst first: the columns of ``by``; the attributes, null
        where the group does not fix them; ``group``, the same as a struct; ``fixed``, a struct that
        says of each attribute whether the group fixes it, so that null for any value and null for
        unknown are told apart; ``depth``, how many it fixes; ``n`` and ``share``, its rows and
        their part of all; ``rate``, with ``shrink`` ``shrunken_rate``, and ``lower`` and ``upper``,
        the bounds of the latter of them; ``rate_of_all``; ``alpha``, ``beta``, ``alpha*beta``, and
        ``rank``, 1 for the worst of a window, null where the group has no rate.
    """
def report(frame: pl.LazyFrame | pl.DataFrame | EngineFrame, *metrics: str | Metric, confidence: float | None = ..., method: Literal['bootstrap', 'newcombe', 'log'] = ..., replicates: int = ..., seed: int = ..., bands: Mapping[str, Band] | None = ..., minimum_count: int | None = ..., p_values: Literal['exact', 'holm'] | None = ..., **question: Unpack[Question]) -> Report:
    r"""Audit, and put the answer on a page: the question, the rows, rates, metrics and charts.

    Everything is counted when this is called, also of a LazyFrame, whose rows are read once per
    facet for the audit, for the rates of groups and for each metric that is taken apart by
    subgroups; once more for the audit where a metric is over several facets. For the worst groups
    they are read once, or, where a group fixes fewer facets than there are, once per facet and at
    least once more. Of large data, give the result of `cells`.

    ``confidence`` holds for the Wilson intervals of rates as well, and ``minimum_count`` for the
    worst groups where no metric given says otherwise. The positive values of outcomes need to be
    known, as in `rates`.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, or a frame of another engine.
    *metrics
        As in `audit`; none for every metric that the columns given allow. Of two facets or more,
        those over intersections or conjunctions are taken apart group by group, the worst first;
        where there are none, fpsf and fnsf, or spsf without labels, over at most two facets.
    confidence
        How often intervals made this way hold the truth. None for no intervals.
    method
        How the intervals of comparisons of two sides are found. "bootstrap" for every metric,
        by drawing the counts again from Gamma distributions with their own means and variances;
        "newcombe" for differences of two rates, "log" for ratios, where the others stay with
        the bootstrap. Maxima over groups and conditional metrics have intervals of their own,
        and test statistics none.
    replicates
        How many samples the bootstrap draws. At most a million.
    seed
        Where the random numbers of the bootstrap start. The same seed draws the same.
    bands
        The values tolerated, in place of the catalogue's. ``{metric: (low, high)}`` instead of
        `Metric.acceptable`; None for no verdict.
    minimum_count
        Mark comparisons with fewer rows on a side. A column ``is_small`` marks them.
    p_values
        Test each comparison. A column ``p_value`` has how likely chance alone is, by Fisher's
        exact test of the rate that a metric compares, or within strata by the test of Cochran,
        Mantel and Haenszel; null where neither fits the metric, and with weights. With "holm"
        p-values are adjusted for all rows of this audit, with "exact" they are not. Extra
        ``significance``.
    facet
        Sensitive attributes, each compared on its own. A column or several; a struct is an
        intersection of attributes.
    disfavored
        Side d, the group that the question is about. A value, a list of values or
        ``{facet: value(s)}``. Without it, every value that is not on side a is d in turn.
    favored
        Side a, the group that d is compared with. Given as ``disfavored`` is. Without it, a is
        everyone else whose facet is known.
    label
        The outcome as it was observed.
    predicted
        The outcome as it was predicted or decided.
    positive
        The outcomes that count as positive. A value or a list of values, of ``label`` and
        ``predicted`` alike; or ``{column: value(s)}``, each outcome its own. True and 1 for an
        outcome that it does not name, or whose type it does not fit.
    threshold
        A predicted score is positive from here on.
    label_threshold
        A continuous label is positive from here on.
    subgroup
        The strata of the conditional metrics. A column or several.
    features
        Measures how alike two individuals are. Columns of numbers or Booleans, for `fliptest`
        and `consistency`.
    by
        Everything is computed once for each combination of these. A column or several.
    weight
        The sampling weight of each row. Finite and at least 0.
    count
        How many rows each row stands for. A weight beside it is their total.
    nulls
        What a missing outcome, feature, weight or count does. "raise" raises an error, "drop"
        drops the row.
    zero_division
        What 0/0 is taken for. None leaves undefined values null; a number takes the place of
        0/0.

    Returns
    -------
    Report
        Shows itself in a notebook; ``write_html``, ``to_markdown`` and ``to_dict`` for elsewhere.
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
def selection_rate_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""Demographic parity, largest difference: max − min of q' over the groups.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def selection_rate_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def selection_rate_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def demographic_parity_difference(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""Demographic parity, largest difference: max − min of q' over the groups.

    Another name for `selection_rate_gap`.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def demographic_parity_difference(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def demographic_parity_difference(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def tpr_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""True positive rate, largest difference: max − min of tpr over the groups.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def tpr_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def tpr_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def fpr_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""False positive rate, largest difference: max − min of fpr over the groups.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def fpr_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def fpr_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def tnr_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""True negative rate, largest difference: max − min of tnr over the groups.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def tnr_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def tnr_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def fnr_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""False negative rate, largest difference: max − min of fnr over the groups.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def fnr_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def fnr_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def ppv_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""Positive predictive value, largest difference: max − min of ppv over the groups.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def ppv_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def ppv_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def npv_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""Negative predictive value, largest difference: max − min of npv over the groups.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def npv_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def npv_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def accuracy_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""Accuracy, largest difference: max − min of acc over the groups.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def accuracy_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def accuracy_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def selection_rate_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""Demographic parity, smallest ratio: min / max of q' over the groups.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def selection_rate_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def selection_rate_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def demographic_parity_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""Demographic parity, smallest ratio: min / max of q' over the groups.

    Another name for `selection_rate_ratio`.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def demographic_parity_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def demographic_parity_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def tpr_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""True positive rate, smallest ratio: min / max of tpr over the groups.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def tpr_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def tpr_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def fpr_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""False positive rate, smallest ratio: min / max of fpr over the groups.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def fpr_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def fpr_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def tnr_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""True negative rate, smallest ratio: min / max of tnr over the groups.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def tnr_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def tnr_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def fnr_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""False negative rate, smallest ratio: min / max of fnr over the groups.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def fnr_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def fnr_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def ppv_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""Positive predictive value, smallest ratio: min / max of ppv over the groups.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def ppv_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def ppv_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def npv_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""Negative predictive value, smallest ratio: min / max of npv over the groups.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def npv_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def npv_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def accuracy_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""Accuracy, smallest ratio: min / max of acc over the groups.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def accuracy_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def accuracy_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def equalized_odds_gap(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""Equalized odds, largest difference: the larger of tpr_gap and fpr_gap.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def equalized_odds_gap(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def equalized_odds_gap(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def equalized_odds_difference(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""Equalized odds, largest difference: the larger of tpr_gap and fpr_gap.

    Another name for `equalized_odds_gap`.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def equalized_odds_difference(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def equalized_odds_difference(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def equalized_odds_ratio(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""Equalized odds, smallest ratio: the smaller of tpr_ratio and fpr_ratio.

    Above 1: impossible.
    Below 1: the groups differ; the value does not show which is worse off.
    Range 0 to 1, ideal 1. Source: Fairlearn.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def equalized_odds_ratio(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def equalized_odds_ratio(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def fpsf(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""False positive subgroup fairness: max over g of (negative_g / n_all)·|fpr_all − fpr_g|.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Kearns et al. 2018.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def fpsf(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def fpsf(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def fnsf(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""False negative subgroup fairness: max over g of (positive_g / n_all)·|fnr_all − fnr_g|.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Kearns et al. 2018.

    Needs ``facet``, ``label`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def fnsf(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def fnsf(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def spsf(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""Statistical parity subgroup fairness: max over g of (n_g / n_all)·|q'_all − q'_g|.

    Above 0: the groups differ; the value does not show which is worse off.
    Below 0: impossible.
    Range 0 to 1, ideal 0. Source: Kearns et al. 2018.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def spsf(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def spsf(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def differential_fairness(*, concentration: float = ..., groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""The largest log ratio of two groups' smoothed selection rates, or rejection rates.

    Parameters
    ----------
    concentration
        How many rows to add to each group, half accepted and half rejected; 0 does not smooth.
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def differential_fairness(frame: pl.LazyFrame, *, concentration: float = ..., groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def differential_fairness(frame: pl.DataFrame | EngineFrame, *, concentration: float = ..., groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def spread(*, rate: str = ..., groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""The variance between the rates of groups, less the variance expected by chance.

    The gap of many small groups is large even if all groups have the same true rate. This metric
    is then 0 on average, and often below 0. It is the variance between the groups' rates less the
    mean sampling variance of the rates. Groups of a single row have no sampling variance and are
    left out.

    Parameters
    ----------
    rate
        Which rate, such as "selection_rate" or "tpr".
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def spread(frame: pl.LazyFrame, *, rate: str = ..., groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def spread(frame: pl.DataFrame | EngineFrame, *, rate: str = ..., groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def cdd_shares(*, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ...) -> Metric:
    r"""Conditional demographic disparity of the groups' shares: Σ_g (n_g/n)·(rejected_g/rejected_all − accepted_g/accepted_all).

    Above 0: large groups have a larger share of the rejections than of the acceptances.
    Below 0: small groups have a larger share of the rejections than of the acceptances.
    Range -1 to 1, ideal 0. Source: Amazon SageMaker Clarify, AIF360.

    Needs ``facet`` and ``predicted``; all arguments are those of `metrics`.

    Parameters
    ----------
    groups, depth, minimum_count, unknown
        Which groups, as in `Metric.over`.
    """
@overload
def cdd_shares(frame: pl.LazyFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def cdd_shares(frame: pl.DataFrame | EngineFrame, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., unknown: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def fliptest(*, k: int = ..., standardize: bool = ..., progress: bool | None = ...) -> Metric:
    r"""Ask of every member of d how those of a who are most alike were decided.

    The k nearest members of a vote, by Euclidean distance over ``features``; a tie is a vote for
    the negative outcome. Those equally far share the last seats, so that the order of rows
    decides nothing. Without a frame this gives the `Metric`, to be passed to `metrics`.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine.
    features
        What tells how alike two individuals are: columns of numbers or Booleans.
    k
        How many neighbours vote. 5, the default, is 1 where a has fewer than 10 rows, as in
        Clarify; of any other number a must have as many rows.
    standardize
        Divide every feature by its standard deviation over the rows of both sides first.
    flips
        Return the members of d whose outcome flips, in place of their number.
    progress
        Show a progress bar: on a terminal only, and only of long work, unless said.
    **question
        As in `metrics`. A member of d counts its weight, its neighbours one vote each.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison: the columns of ``by``, then ``facet``, ``disfavored``,
        ``favored``, ``n_disfavored``, ``n_favored``, ``unfavorable_flips`` (members of d
        rejected whose neighbours are accepted), ``favorable_flips`` (the reverse) and
        ``fliptest``, their difference over ``n_disfavored``. With ``flips=True`` one row per
        member of d whose outcome flips: ``facet``, ``disfavored``, ``favored``, ``flip``
        ("unfavorable" or "favorable"), ``vote`` (the share of its neighbours accepted) and the
        row's own columns; first the columns of ``by`` that are not among these.
    """
@overload
def fliptest(frame: pl.LazyFrame, *, k: int = ..., standardize: bool = ..., progress: bool | None = ..., flips: bool = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def fliptest(frame: pl.DataFrame | EngineFrame, *, k: int = ..., standardize: bool = ..., progress: bool | None = ..., flips: bool = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
@overload
def ft(*, k: int = ..., standardize: bool = ..., progress: bool | None = ...) -> Metric:
    r"""Ask of every member of d how those of a who are most alike were decided.

    Another name for `fliptest`.

    The k nearest members of a vote, by Euclidean distance over ``features``; a tie is a vote for
    the negative outcome. Those equally far share the last seats, so that the order of rows
    decides nothing. Without a frame this gives the `Metric`, to be passed to `metrics`.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine.
    features
        What tells how alike two individuals are: columns of numbers or Booleans.
    k
        How many neighbours vote. 5, the default, is 1 where a has fewer than 10 rows, as in
        Clarify; of any other number a must have as many rows.
    standardize
        Divide every feature by its standard deviation over the rows of both sides first.
    flips
        Return the members of d whose outcome flips, in place of their number.
    progress
        Show a progress bar: on a terminal only, and only of long work, unless said.
    **question
        As in `metrics`. A member of d counts its weight, its neighbours one vote each.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison: the columns of ``by``, then ``facet``, ``disfavored``,
        ``favored``, ``n_disfavored``, ``n_favored``, ``unfavorable_flips`` (members of d
        rejected whose neighbours are accepted), ``favorable_flips`` (the reverse) and
        ``fliptest``, their difference over ``n_disfavored``. With ``flips=True`` one row per
        member of d whose outcome flips: ``facet``, ``disfavored``, ``favored``, ``flip``
        ("unfavorable" or "favorable"), ``vote`` (the share of its neighbours accepted) and the
        row's own columns; first the columns of ``by`` that are not among these.
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
        point, or equally far, share the votes that are left.
    standardize
        Whether to divide every feature by its standard deviation before measuring distances.
    progress
        Whether to show a progress bar; None shows it on a terminal only.
    """
@overload
def consistency(frame: pl.LazyFrame, *, k: int = ..., standardize: bool = ..., progress: bool | None = ..., **question: Unpack[Question]) -> pl.LazyFrame: ...
@overload
def consistency(frame: pl.DataFrame | EngineFrame, *, k: int = ..., standardize: bool = ..., progress: bool | None = ..., **question: Unpack[Question]) -> pl.DataFrame: ...
