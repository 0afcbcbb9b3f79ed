"""What a formula ranges over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

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

Standing = Literal["member of d", "individual"]
Level = (
    Literal["comparison", "stratum", "across strata", "label value"]
    | Literal["group", "population", "partition"]
    | Standing
)

NEEDS_OF_LEVEL: Final = {
    "comparison": ("facet",),
    "stratum": ("facet", "subgroup"),
    "across strata": ("facet", "subgroup"),
    "label value": ("facet", "label values"),
    "group": ("facet",),
    "population": (),
    "partition": ("facet",),
    "member of d": ("facet", "predicted", "features"),
    "individual": ("predicted", "features"),
}

SIDES_OF_LEVEL: Final[Mapping[Level, tuple[Side, ...]]] = {
    "comparison": (a, d, both),
    "stratum": (a_i, d_i, both_i),
    "across strata": (a_i, d_i, both_i),
    "label value": (a_v, d_v),
    "group": (g, all_),
    "population": (g,),
    "partition": (g,),
    "member of d": (d_x,),
    "individual": (g_x,),
}
"""Whose counts and rates a formula may mention."""

# What not every side has.
LEVELS_WITH: Final[Mapping[str, tuple[Level, ...]]] = {
    "share": ("stratum", "across strata", "label value"),
    "vote": ("member of d", "individual"),
}

WITHOUT_SIDES: Final = ("group", "population", "partition", "individual")
