"""Groups beside their reference, where the best shares of all rows by score are accepted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import polars as pl

from polars_fairness.answers.options import AuditOptions
from polars_fairness.answers.prescribed.comparisons import (
    RATES,
    as_answer,
    comparisons_of,
    p_values_of_rates,
    types_of_comparisons,
)
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.decisions import decided_by_window
from polars_fairness.counting.sample_lines import ACCEPTED_SHARE, SHARE, at_best_shares
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.bound_names import bound_names
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import THRESHOLD


def _types(size: pl.DataType) -> dict[str, pl.DataType]:
    """The columns after those of windows of scores, with their types."""
    return {
        **dict.fromkeys((SHARE, THRESHOLD, ACCEPTED_SHARE), pl.Float64()),
        **types_of_comparisons(size),
        **dict.fromkeys((*RATES, "points", "p_value", "air", "lower", "upper"), pl.Float64()),
    }


COLUMNS: Final = tuple(_types(pl.Int64()))
"""The columns of the result after those of windows of scores."""


def schema(roles: Roles) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    return pl.Schema({**roles.windows.of_scores.types, **_types(roles.size)})


def metrics_of(roles: Roles) -> dict[str, Metric]:
    """The metrics behind the columns of the table."""
    names = ("di", "dppl") if roles.weight is None else ("di", "dppl", "two_sd")
    return {name: CATALOGUE[name] for name in names}


def quantiles_of(
    seen: pl.LazyFrame, roles: Roles, options: AuditOptions, shares: Sequence[float]
) -> pl.LazyFrame:
    """Every group beside its reference at the threshold of each share, from cells by score."""
    lines, keys = at_best_shares(seen, roles, shares), roles.windows.keys
    cells, of_decisions = decided_by_window(seen, roles, lines.select(keys).unique())
    compared = comparisons_of(cells, of_decisions, metrics_of(roles), options)
    # Shares with the same threshold are one line, and one test.
    tested = compared.with_columns(p_values_of_rates(compared, roles, options))
    table = lines.join(
        tested, on=keys, how="inner", nulls_equal=True, maintain_order="left_right"
    ).with_columns(
        pl.when(pl.col(ACCEPTED_SHARE).is_not_null()).then(THRESHOLD).alias(THRESHOLD),
        points=100 * pl.col("dppl"),
        air=pl.col("di"),
        **dict(zip(("lower", "upper"), map(pl.col, bound_names("di")), strict=True)),
    )
    return as_answer(table, replace(roles, windows=roles.windows.of_scores), COLUMNS)
