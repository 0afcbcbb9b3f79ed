"""Groups beside their reference, with the numbers that fair lending looks at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.errors import FairnessError, require_number
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.bound_names import bound_names
from polars_fairness.inference.significance import cmh_p, holm
from polars_fairness.question.roles import Roles

# The name of each column with an interval, and the metric in it.
_OF_DECISIONS: Final = {"air": "di", "points": "dppl", "odds_ratio": "odds_ratio"}
_OF_SCORES: Final = {"smd": "smd"}


@dataclass(frozen=True)
class Limits:
    """What a group has to be beyond, all three of them, to be flagged."""

    minimum_ratio: float
    maximum_points: float
    significance: float

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            number = require_number(name, value, least=0)
            most = 100 if name == "maximum_points" else 1
            if number > most:
                msg = f"{name}: takes a number between 0 and {most}, got {value!r}"
                raise FairnessError(msg)


def _types(size: pl.DataType) -> dict[str, pl.DataType]:
    """The columns after those of windows, with their types."""
    with_ends = [f"{name}{end}" for name in _NOT_LAST for end in ("", "_lower", "_upper")]
    return {
        **types_of_comparisons(size),
        **dict.fromkeys((*RATES, *with_ends), pl.Float64()),
        **dict.fromkeys(("shortfall", "shortfall_to_four_fifths"), size),
        **dict.fromkeys(("p_value", "air", "lower", "upper"), pl.Float64()),
        "is_flagged": pl.Boolean(),
    }


_NOT_LAST: Final = ("points", "odds_ratio", "smd")

COLUMNS: Final = tuple(_types(pl.Int64()))
"""The columns of the result after those of windows."""


def schema(roles: Roles) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    return pl.Schema({**roles.windows.types, **_types(roles.size)})


def metrics_of(roles: Roles) -> dict[str, Metric]:
    """The metrics behind the columns of the table, as far as the question allows them."""
    names = {**_OF_DECISIONS, **(_OF_SCORES if roles.score else {})}
    return {metric: CATALOGUE[metric] for metric in (*names.values(), "two_sd")}


def lending_table(
    seen: pl.LazyFrame, roles: Roles, options: AuditOptions, limits: Limits
) -> pl.LazyFrame:
    """Every group beside its reference, from the cells of all rows."""
    compared = comparisons_of(seen, roles, metrics_of(roles), options)
    p_value = compared[f"di{P_VALUE}"]
    if roles.weight is not None:
        p_value = cmh_p(compared["two_sd"])
    if options.p_values == "holm":
        p_value = holm(p_value)
    table = exactly(
        compared.with_columns(p_value.alias("p_value"), *_valued(roles)),
        roles,
        {
            "shortfall": (roles.size, lambda pair: pair.shortfall()),
            "shortfall_to_four_fifths": (roles.size, lambda pair: pair.shortfall(FOUR_FIFTHS)),
            "is_below": (pl.Boolean(), lambda pair: pair.is_below(limits.minimum_ratio)),
            "is_lower": (pl.Boolean(), lambda pair: pair.is_lower_by_more(limits.maximum_points)),
        },
    )
    is_significant = pl.col("p_value") < limits.significance
    flagged = pl.col("is_below") & pl.col("is_lower") & is_significant
    return as_answer(table.with_columns(is_flagged=flagged), roles, COLUMNS)


def _valued(roles: Roles) -> Iterator[pl.Expr]:
    """The columns with values and bounds, named as the table names them."""
    metrics = {**_OF_DECISIONS, **_OF_SCORES}
    for name, metric in metrics.items():
        is_there = roles.score is not None or name not in _OF_SCORES
        ends = ("lower", "upper") if name == "air" else (f"{name}_lower", f"{name}_upper")
        for column, source in zip((name, *ends), (metric, *bound_names(metric)), strict=True):
            found = pl.col(source) if is_there else pl.lit(None, pl.Float64)
            yield (100 * found if name == "points" else found).alias(column)
