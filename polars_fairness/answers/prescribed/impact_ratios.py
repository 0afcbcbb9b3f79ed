"""The rate of each category of people beside the highest rate, as Local Law 144 has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import polars as pl

from polars_fairness.answers.options import AuditOptions
from polars_fairness.answers.prescribed.comparisons import as_answer, comparisons_of
from polars_fairness.answers.prescribed.unknown_categories import (
    refuse_unknown_categories,
    with_unknown,
)
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import of_complete_rows, row_counts
from polars_fairness.counting.decided_sides import groups_of_facets, is_large
from polars_fairness.counting.decisions import decided_by_window
from polars_fairness.counting.sample_lines import MEDIAN, above_the_median
from polars_fairness.counting.sides import COMPARISON_KEY, written_key
from polars_fairness.inference.bound_names import bound_names
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import place_keys

METRICS: Final = {"di": CATALOGUE["di"]}

ENDS: Final = ("lower", "upper")

_NUMBERS: Final = ("n", "rate", "selected", "share", "n_unknown", "n_dropped", MEDIAN)

_COUNTS: Final = ("n", "selected", "n_unknown", "n_dropped")

_TYPES: Final[dict[str, pl.DataType]] = {
    **dict.fromkeys(("facet", "value"), pl.String()),
    **{name: pl.Int64() if name in _COUNTS else pl.Float64() for name in _NUMBERS},
    **dict.fromkeys(("impact_ratio", *ENDS), pl.Float64()),
    "is_excluded": pl.Boolean(),
}

COLUMNS: Final = tuple(_TYPES)
"""The columns of the result after those of ``by``."""


def schema(roles: Roles) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    return pl.Schema({**roles.windows.of_scores.types, **_TYPES})


def impact_ratios_of(
    seen: pl.LazyFrame,
    roles: Roles,
    options: AuditOptions,
    exclude_below: float | None,
    unknown: Sequence[str],
) -> pl.LazyFrame:
    """Every category with its rate and its impact ratio, from the cells of all rows."""
    seen = with_unknown(seen, unknown)
    lines = None
    if roles.decides_by_score:
        lines = above_the_median(seen, roles)
        seen, roles = decided_by_window(seen, roles, lines)
    categories = _categories(seen, roles, lines)
    refuse_unknown_categories(categories, roles)
    # The rule divides each rate by the highest, whatever the number of categories.
    compared = comparisons_of(seen, roles, METRICS, options, as_if_named=True)
    ratios = compared.select(
        *place_keys(roles),
        pl.col(COMPARISON_KEY).alias("value"),
        pl.col("di").alias("impact_ratio"),
        *(pl.col(name).alias(end) for name, end in zip(bound_names("di"), ENDS, strict=True)),
        is_compared=pl.lit(True),
    )
    keys = [*place_keys(roles), "value"]
    share = pl.col("share")
    is_small = pl.lit(False) if exclude_below is None else ~is_large(share, exclude_below)
    is_excluded = is_small.fill_null(False)
    # Each category but the highest has a comparison with the highest.
    is_highest = pl.col("is_compared").is_null() & (pl.col("rate") > 0)
    table = (
        categories.join(ratios, on=keys, how="left", nulls_equal=True)
        .with_columns(is_excluded=is_excluded)
        .with_columns(pl.when(is_highest).then(1.0).otherwise("impact_ratio").alias("impact_ratio"))
        .with_columns(
            pl.when(~pl.col("is_excluded")).then(name).alias(name)
            for name in ("impact_ratio", *ENDS)
        )
        .sort(*place_keys(roles), written_key(pl.col("value"), roles), "value", nulls_last=True)
        .with_columns(written_key(pl.col("value"), roles).alias("value"))
    )
    return as_answer(table, replace(roles, windows=roles.windows.of_scores), COLUMNS)


def _categories(seen: pl.LazyFrame, roles: Roles, lines: pl.DataFrame | None) -> pl.DataFrame:
    """The categories of each table with their numbers of people, and their selection rates.

    A table without a category has a row without a value, which counts the unknown people.
    """
    groups = groups_of_facets(of_complete_rows(seen, roles), roles)
    places = place_keys(roles)
    of_tables = row_counts(seen, places, roles)
    joined = of_tables.join(groups, on=places, how="left", nulls_equal=True).with_columns(
        pl.col("size", "positive").fill_null(0)
    )
    if lines is None:
        joined = joined.with_columns(pl.lit(None, pl.Float64).alias(MEDIAN))
    else:
        joined = joined.join(lines.lazy(), on=roles.windows.keys, how="left", nulls_equal=True)
    is_category = pl.col("value").is_not_null()
    return collected(
        joined.select(
            *places,
            "value",
            n="size",
            rate=pl.when(is_category).then(pl.col("positive") / pl.col("size")),
            selected="positive",
            share=pl.when(is_category).then(pl.col("size") / pl.col("size").sum().over(places)),
            n_unknown="unknown",
            n_dropped="rows_dropped",
            median=MEDIAN,
        )
    )
