"""Groups beside their reference, with the numbers that fair lending looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

import polars as pl

from polars_fairness.answers.options import AuditOptions
from polars_fairness.answers.prescribed.comparisons import (
    RATES,
    as_answer,
    bounds_of_audit,
    comparisons_of,
    exactly,
    p_values_of_rates,
    types_of_comparisons,
)
from polars_fairness.answers.prescribed.exact_comparisons import FOUR_FIFTHS, ExactComparison
from polars_fairness.answers.verdicts import is_significant
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.collected import collected
from polars_fairness.errors import FairnessError, require_number
from polars_fairness.formula.measures import Measure
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import deviation
from polars_fairness.formula.sides import g_s
from polars_fairness.inference.bound_names import bound_names
from polars_fairness.question.roles import Roles
from polars_fairness.values.rates import measures_by_group

Deviation = Literal["pooled", "population"]

# The name of each column with an interval, and the metric in it.
_OF_DECISIONS: Final = {"points": "dppl", "odds_ratio": "odds_ratio", "air": "di"}
_OF_SCORES: Final[dict[Deviation, str]] = {"pooled": "smd", "population": "score_difference"}

_DEVIATION: Final = Measure(
    "deviation", deviation(g_s), "Standard deviation", "the standard deviation of the scores"
)


@dataclass(frozen=True)
class Limits:
    """What a group has to be beyond, all three of them, to be flagged."""

    minimum_ratio: float
    maximum_points: float
    significance: float

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            most = 100 if name == "maximum_points" else 1
            takes = f"a number between 0 and {most}"
            if require_number(name, value, takes, least=0) > most:
                msg = f"{name}: takes {takes}, got {value!r}"
                raise FairnessError(msg)


def _types(size: pl.DataType) -> dict[str, pl.DataType]:
    """The columns after those of windows, with their types."""
    with_ends = [each for name in ("points", "odds_ratio", "smd") for each in _columns_of(name)]
    return {
        **types_of_comparisons(size),
        **dict.fromkeys((*RATES, *with_ends), pl.Float64()),
        **dict.fromkeys(("shortfall", "shortfall_to_four_fifths"), size),
        **dict.fromkeys(("p_value", *_columns_of("air")), pl.Float64()),
        "is_flagged": pl.Boolean(),
    }


def _columns_of(name: str) -> tuple[str, str, str]:
    """The columns of a value and its bounds; those of the ratio are named as in an audit."""
    return (name, "lower", "upper") if name == "air" else (name, f"{name}_lower", f"{name}_upper")


COLUMNS: Final = tuple(_types(pl.Int64()))
"""The columns of the result after those of windows."""


def schema(roles: Roles) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    return pl.Schema({**roles.windows.types, **_types(roles.size)})


def metrics_of(roles: Roles, of_deviation: Deviation) -> dict[str, Metric]:
    """The metrics behind the columns of the table, as far as the question allows them."""
    names = [*_OF_DECISIONS.values()]
    if roles.score is not None:
        names.append(_OF_SCORES[of_deviation])
    if roles.weight is not None:
        names.append("two_sd")
    return {name: CATALOGUE[name] for name in names}


def lending_table(
    seen: pl.LazyFrame,
    roles: Roles,
    options: AuditOptions,
    limits: Limits,
    of_deviation: Deviation,
) -> pl.LazyFrame:
    """Every group beside its reference, from the cells of all rows."""
    metrics = metrics_of(roles, of_deviation)
    closed = partial(bounds_of_audit, metrics, roles, options)
    compared = comparisons_of(seen, roles, metrics, options, closed)
    if roles.score is not None and of_deviation == "population":
        compared = _in_deviations(compared, seen, roles)
    p_values = p_values_of_rates(compared, roles, options)
    valued = compared.with_columns(p_values, *_valued(roles, of_deviation))
    table = exactly(valued, roles, _in_whole_numbers(roles, limits))
    is_beyond = is_significant(pl.col("p_value"), limits.significance)
    flagged = pl.col("is_below") & pl.col("is_lower") & is_beyond
    return as_answer(table.with_columns(is_flagged=flagged), roles, COLUMNS)


def _in_whole_numbers(
    roles: Roles, limits: Limits
) -> dict[str, tuple[pl.DataType, Callable[[ExactComparison], Any]]]:
    """The columns from the counts of both sides: what is missing, and whether it is too much."""
    shortfall = ExactComparison.shortfall if roles.favorable else ExactComparison.excess
    ratio, points = limits.minimum_ratio, limits.maximum_points

    def worse_off(pair: ExactComparison) -> ExactComparison:
        """The pair, whose first side has the lower rate where that is worse, else the higher."""
        return pair if roles.favorable else pair.turned

    return {
        "shortfall": (roles.size, shortfall),
        "shortfall_to_four_fifths": (roles.size, lambda pair: shortfall(pair, FOUR_FIFTHS)),
        "is_below": (pl.Boolean(), lambda pair: worse_off(pair).is_below(ratio)),
        "is_lower": (pl.Boolean(), lambda pair: worse_off(pair).is_lower_by_more(points)),
    }


def _in_deviations(compared: pl.DataFrame, seen: pl.LazyFrame, roles: Roles) -> pl.DataFrame:
    """The differences of mean scores and their bounds, in deviations of all rows of the window."""
    # Every facet counts the same rows.
    of_places = seen.with_columns(value=pl.lit(None, pl.String))
    measured, _ = measures_by_group(of_places, roles.needing({"score"}), [_DEVIATION])
    keys, spread = [*roles.windows.of_scores.keys, "facet"], _DEVIATION.term
    found = collected(measured.select(*keys, spread))
    joined = compared.join(found, on=keys, how="left", nulls_equal=True, maintain_order="left")
    # As in every formula, a quotient by 0 is undefined unless the call gives 0/0 a number.
    undefined = roles.zero_division
    in_place_of_0 = None if undefined is None else 0.0
    divisor = pl.when(spread > 0).then(spread).otherwise(in_place_of_0)
    name = _OF_SCORES["population"]
    return joined.with_columns(
        (pl.col(column) / divisor).fill_nan(undefined) for column in (name, *bound_names(name))
    )


def _valued(roles: Roles, of_deviation: Deviation) -> Iterator[pl.Expr]:
    """The columns with values and bounds, named as the table names them."""
    metrics: dict[str, str | None] = {**_OF_DECISIONS, "smd": None}
    if roles.score is not None:
        metrics["smd"] = _OF_SCORES[of_deviation]
    for name, metric in metrics.items():
        sources = (metric, *bound_names(metric)) if metric else (None, None, None)
        for column, source in zip(_columns_of(name), sources, strict=True):
            found = pl.col(source) if source else pl.lit(None, pl.Float64)
            yield (100 * found if name == "points" else found).alias(column)
