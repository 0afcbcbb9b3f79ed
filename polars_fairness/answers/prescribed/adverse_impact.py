"""Groups beside the group with the highest selection rate: the ratio and its significance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from polars_fairness.answers.audit_values import P_VALUE
from polars_fairness.answers.options import AuditOptions
from polars_fairness.answers.prescribed.comparisons import (
    RATES,
    as_answer,
    comparisons_of,
    exactly,
    types_of_comparisons,
)
from polars_fairness.answers.prescribed.exact_comparisons import FOUR_FIFTHS
from polars_fairness.answers.prescribed.unknown_categories import (
    refuse_unknown_categories,
    with_unknown,
)
from polars_fairness.answers.verdicts import is_significant
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.counting.decided_sides import groups_of_facets
from polars_fairness.inference.bound_names import bound_names
from polars_fairness.question.roles import Roles

METRICS: Final = {name: CATALOGUE[name] for name in ("di", "two_sd")}

# Beyond two standard deviations, or a p-value below 0.05: 29 CFR 1607.4(D) as courts read it.
_DEVIATIONS: Final = 2

_FLAGS: Final = ("is_below_four_fifths", "is_significant", "is_flagged")


def _types(size: pl.DataType) -> dict[str, pl.DataType]:
    """The columns after those of ``by``, with their types."""
    numbers = ("two_sd", "p_value", "lower", "upper", "impact_ratio")
    return {
        **types_of_comparisons(size),
        **dict.fromkeys(RATES, pl.Float64()),
        **dict.fromkeys(("shortfall", "shortfall_to_four_fifths"), size),
        **dict.fromkeys(numbers, pl.Float64()),
        **dict.fromkeys(_FLAGS, pl.Boolean()),
    }


COLUMNS: Final = tuple(_types(pl.Int64()))
"""The columns of the result after those of ``by``."""


def schema(roles: Roles) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    return pl.Schema({**roles.windows.types, **_types(roles.size)})


def adverse_impacts(
    seen: pl.LazyFrame, roles: Roles, options: AuditOptions, unknown: Sequence[str]
) -> pl.LazyFrame:
    """Every group beside the highest one, from the cells of all rows."""
    seen = with_unknown(seen, unknown)
    groups = groups_of_facets(of_complete_rows(seen, roles), roles).rename({"rows": "n"})
    refuse_unknown_categories(collected(groups), roles)
    # The rule compares each rate with the highest, and does not ask how many there are.
    compared = comparisons_of(seen, roles, METRICS, options, as_if_named=True)
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
    return as_answer(table, roles, COLUMNS)
