"""Cells by score to calibration: how often labels are positive, beside what the scores say."""

from __future__ import annotations

from statistics import NormalDist
from typing import Final

import polars as pl

from polars_fairness.answers.columns import CALIBRATED, names_of, types_of
from polars_fairness.counting.cells import with_all_rows
from polars_fairness.counting.clusters import CLUSTER
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.counting.sides import ALL, written_key
from polars_fairness.inference.closed_forms.rates import wilson_of
from polars_fairness.question.roles import Roles

_BIN: Final = "bin"


COLUMNS: Final = names_of(CALIBRATED)
"""The columns of the result after those of ``by``."""


def schema(roles: Roles) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    return pl.Schema({**roles.windows.types, **types_of(CALIBRATED, roles.size)})


def calibrated(
    seen: pl.LazyFrame, roles: Roles, bins: int, confidence: float | None
) -> pl.LazyFrame:
    """Every bin of every group, and of all rows, from the cells of all rows by bin."""
    seen = with_all_rows(seen, roles)
    keys = [*roles.windows.keys, "facet", "value"]
    used = of_complete_rows(seen, roles)
    numbers = _numbers(used, [*keys, _BIN], roles, bins)
    if roles.cluster is not None and roles.label is not None and confidence is not None:
        # Imported here: it needs numpy.
        from polars_fairness.inference.deviations import rows_over_clusters

        by_cluster = collected(_numbers(used, [*keys, _BIN, CLUSTER], roles, bins))
        positive, mass, n = map(pl.col, ("positive", "mass", "n"))
        rows = rows_over_clusters(by_cluster, [*keys, _BIN], positive, mass, n, confidence)
        numbers = numbers.join(rows.lazy(), on=[*keys, _BIN], how="left", nulls_equal=True)
    # Ends by Python: polars divides by multiplying, so that 3/10 would not be the float 0.3.
    ends = [(place, place / bins, (place + 1) / bins) for place in range(bins)]
    every_bin = pl.LazyFrame(ends, [_BIN, "bin_lower", "bin_upper"], orient="row")
    table = (
        seen.select(keys)
        .unique(maintain_order=True)
        .join(every_bin, how="cross")
        .join(numbers, on=[*keys, _BIN], how="left", nulls_equal=True)
    )
    mass = pl.col("mass")
    base_rate = pl.col("positive") / mass if roles.label else pl.lit(None, pl.Float64)
    of = mass**2 / pl.col("squares") if roles.cluster is None else pl.col("rows")
    lower, upper = _bounds(base_rate, of, confidence)
    columns = (
        pl.col("facet").fill_null(ALL),
        written_key(pl.col("value"), roles),
        pl.col("bin_lower"),
        pl.col("bin_upper"),
        mass.fill_null(0),
        pl.col("score_sum") / mass,
        base_rate,
        lower,
        upper,
    )
    # Two groups that are written in the same way stay apart.
    written = written_key(pl.col("value"), roles).alias("written")
    order = [*map(pl.col, [*roles.windows.keys, "facet"]), written, pl.col("value"), pl.col(_BIN)]
    return table.sort(order, nulls_last=True).select(
        *roles.windows.as_named(),
        *(
            column.cast(dtype).alias(name)
            for column, (name, dtype) in zip(
                columns, types_of(CALIBRATED, roles.size).items(), strict=True
            )
        ),
    )


def _numbers(used: pl.LazyFrame, keys: list[str], roles: Roles, bins: int) -> pl.LazyFrame:
    """The rows and the mass of each bin, and its positive labels, squared weights and scores."""
    mass, squares = (
        pl.col(name).cast(pl.Float64)
        for name in (("n", "n") if roles.weight is None else ("weight", "weight_sq"))
    )
    sums = {"mass": mass, "squares": squares, "score_sum": pl.col("score_sum"), "n": pl.col("n")}
    if roles.label is not None:
        is_positive = roles.label.positive_of(pl.col("label"))
        sums["positive"] = pl.when(is_positive).then(mass).otherwise(0.0)
    # The last bin holds its upper end, a score of 1.
    place = (pl.col("score") * bins).round().cast(pl.Int64).clip(upper_bound=bins - 1)
    placed = used.with_columns(place.alias(_BIN))
    return placed.group_by(keys).agg(value.sum().alias(name) for name, value in sums.items())


def _bounds(rate: pl.Expr, of: pl.Expr, confidence: float | None) -> tuple[pl.Expr, pl.Expr]:
    """Wilson's interval of a rate, from the effective number of rows with weights (Kish)."""
    if confidence is None:
        return pl.lit(None), pl.lit(None)
    return wilson_of(rate, of, NormalDist().inv_cdf((1 + confidence) / 2))
