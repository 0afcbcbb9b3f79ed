"""The terms that formulas are written in.

A formula is ordinary arithmetic on terms such as ``a.tp`` or ``d_i.rejected``. Each term is a
column of a small table derived from the cells, so the terms of a formula show which data it needs.
Parts of a formula can be compared by ``<`` and other operators, joined by ``&`` and ``|``, and
have methods such as ``abs``, ``log``, ``sqrt``, ``sum`` and ``max``. What polars spells otherwise:

==============================  =========================================================
``pl.when(...).then(...)``      ``choose(condition, value, otherwise)``
``pl.max_horizontal``           ``larger``, or ``greatest``, which leaves nulls out
``pl.min_horizontal``           ``smaller``, or ``least``
``fill_nan(None)``              ``known(value)``
``fill_null(0)``                ``choose(value.is_null(), 0, value)``
``cum_sum()``, ``shift()``      ``running_sum()``, ``previous()``, ``next()``
==============================  =========================================================

==========================  =============================================================
``a``, ``d``, ``both``      the favored side, the disfavored side, and the two together
``a_i``, ``d_i``, ``both_i``  the same within one stratum, for ``stratified`` and
                            ``across_strata``
``a_v``, ``d_v``            the same for one value of an outcome, for ``over_labels``
``a_s``, ``d_s``            the same for one score, for ``over_scores``; for ``over_roc``, on one
                            interval of false positive rates
``g_s``                     one group at one score, for a measure in ``across_measured``
``g``                       one group, for ``across``, ``partition`` and ``population``
``all_``                    all rows, for ``across``
==========================  =============================================================
"""

from polars_fairness.formula.formulas import (
    Formula,
    across,
    across_measured,
    across_strata,
    at_equal_controls,
    over_labels,
    over_roc,
    over_scores,
    partition,
    population,
    stratified,
)
from polars_fairness.formula.levels import Contrast, Each, Groups, GroupsOf, Largest, Level
from polars_fairness.formula.scores import (
    MEASURES,
    SCORE,
    WIDTH,
    Measure,
    area_between,
    auc,
    brier,
    calibration_error,
    ecce,
    ecce_sigma,
    ece,
    kolmogorov_smirnov,
    mean_score,
    overshoot,
    share_up_to,
    variance,
    wasserstein,
)
from polars_fairness.formula.sides import (
    COUNTS,
    EFFECTIVE,
    PROPORTIONS,
    RATES,
    SUMS_BY_SCORE,
    Side,
    a,
    a_c,
    a_i,
    a_s,
    a_v,
    all_,
    both,
    both_i,
    d,
    d_c,
    d_i,
    d_s,
    d_v,
    g,
    g_s,
)
from polars_fairness.formula.tree import (
    INFINITY,
    UNDEFINED,
    Expression,
    choose,
    greatest,
    known,
    larger,
    least,
    logarithm,
    ratio,
    smaller,
    total,
    unbounded_ratio,
)

__all__ = [
    "COUNTS",
    "EFFECTIVE",
    "INFINITY",
    "MEASURES",
    "PROPORTIONS",
    "RATES",
    "SCORE",
    "SUMS_BY_SCORE",
    "UNDEFINED",
    "WIDTH",
    "Contrast",
    "Each",
    "Expression",
    "Formula",
    "Groups",
    "GroupsOf",
    "Largest",
    "Level",
    "Measure",
    "Side",
    "a",
    "a_c",
    "a_i",
    "a_s",
    "a_v",
    "across",
    "across_measured",
    "across_strata",
    "all_",
    "area_between",
    "at_equal_controls",
    "auc",
    "both",
    "both_i",
    "brier",
    "calibration_error",
    "choose",
    "d",
    "d_c",
    "d_i",
    "d_s",
    "d_v",
    "ecce",
    "ecce_sigma",
    "ece",
    "g",
    "g_s",
    "greatest",
    "known",
    "kolmogorov_smirnov",
    "larger",
    "least",
    "logarithm",
    "mean_score",
    "over_labels",
    "over_roc",
    "over_scores",
    "overshoot",
    "partition",
    "population",
    "ratio",
    "share_up_to",
    "smaller",
    "stratified",
    "total",
    "unbounded_ratio",
    "variance",
    "wasserstein",
]
