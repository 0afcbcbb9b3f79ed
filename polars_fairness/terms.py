"""The terms that formulas are written in.

A formula is ordinary polars arithmetic on terms such as ``a.tp`` or ``d_i.rejected``. Each term is
a column of a small table that is derived from the cells. So the columns in a formula also show
which data it needs.

==========================  =============================================================
``a``, ``d``, ``both``      the favored side, the disfavored side, and the two together
``a_i``, ``d_i``, ``both_i``  the same inside one stratum, for ``stratified`` and
                            ``across_strata``
``a_v``, ``d_v``            the same for one label value, for ``over_labels``
``d_x``                     the members of d at one point, for ``among_favored``
``g_x``                     all individuals at one point, for ``among_everybody``
``g``                       one group, for ``across``, ``partition`` and ``population``
``all_``                    all rows, for ``across``
==========================  =============================================================
"""

from polars_fairness.formula.arithmetic import (
    INFINITY,
    UNDEFINED,
    larger,
    logarithm,
    ratio,
    smaller,
    total,
    unbounded_ratio,
)
from polars_fairness.formula.formulas import (
    Formula,
    across,
    across_strata,
    among_everybody,
    among_favored,
    over_labels,
    partition,
    population,
    stratified,
)
from polars_fairness.formula.groups import Contrast, Each, Groups, GroupsOf, Largest
from polars_fairness.formula.levels import Level
from polars_fairness.formula.neighbourhood import Neighbourhood
from polars_fairness.formula.rates import COUNTS, EFFECTIVE, PROPORTIONS, RATES
from polars_fairness.formula.sides import (
    Side,
    a,
    a_i,
    a_v,
    all_,
    both,
    both_i,
    d,
    d_i,
    d_v,
    d_x,
    g,
    g_x,
)

__all__ = [
    "COUNTS",
    "EFFECTIVE",
    "INFINITY",
    "PROPORTIONS",
    "RATES",
    "UNDEFINED",
    "Contrast",
    "Each",
    "Formula",
    "Groups",
    "GroupsOf",
    "Largest",
    "Level",
    "Neighbourhood",
    "Side",
    "a",
    "a_i",
    "a_v",
    "across",
    "across_strata",
    "all_",
    "among_everybody",
    "among_favored",
    "both",
    "both_i",
    "d",
    "d_i",
    "d_v",
    "d_x",
    "g",
    "g_x",
    "larger",
    "logarithm",
    "over_labels",
    "partition",
    "population",
    "ratio",
    "smaller",
    "stratified",
    "total",
    "unbounded_ratio",
]
