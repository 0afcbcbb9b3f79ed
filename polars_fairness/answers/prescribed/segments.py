"""Groups beside their reference inside every segment: one odds ratio, and whether there is one."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import Final

import polars as pl

from polars_fairness.answers.options import AuditOptions
from polars_fairness.answers.prescribed.comparisons import (
    as_answer,
    bounds_of_audit,
    comparisons_of,
    types_of_comparisons,
)
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.catalogue.strata import INFORMATIVE_STRATA
from polars_fairness.counting.decided_sides import GROUPS_CHOSEN_FROM
from polars_fairness.formula.formulas import across_strata
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.bound_names import bound_names
from polars_fairness.inference.significance import (
    Test,
    adjusted,
    exact_p_values,
    families_of,
    find_test,
    of_all_pairs,
    parts_of,
)
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import place_keys

METRICS: Final = {name: CATALOGUE[name] for name in ("cmh", "breslow_day", "mh_odds_ratio")}
"""The metrics in columns of their own."""

_P_VALUES: Final = {"p_value": "cmh", "breslow_day_p_value": "breslow_day"}

_SEGMENTS: Final = Metric(
    "segments", "", across_strata(INFORMATIVE_STRATA), ideal=None, has_interval=False
)


def _types(size: pl.DataType) -> dict[str, pl.DataType]:
    """The columns after those of windows, with their types."""
    numbers = ("cmh", "p_value", "breslow_day", "breslow_day_p_value")
    return {
        **types_of_comparisons(size),
        "segments": pl.Int64(),
        **dict.fromkeys((*numbers, "mh_odds_ratio", "lower", "upper"), pl.Float64()),
    }


COLUMNS: Final = tuple(_types(pl.Int64()))
"""The columns of the result after those of windows."""


def schema(roles: Roles) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    return pl.Schema({**roles.windows.types, **_types(roles.size)})


def segments_of(seen: pl.LazyFrame, roles: Roles, options: AuditOptions) -> pl.LazyFrame:
    """Every group beside its reference over the segments, from the cells of all rows."""
    tests = _tests()
    metrics = {**METRICS, "segments": _SEGMENTS, **parts_of(tests)}
    # The tests of an audit are of rows; these are of the effective numbers of rows with weights.
    without_tests = replace(options, p_values=None)
    closed = partial(bounds_of_audit, METRICS, roles, options)
    compared = comparisons_of(seen, roles, metrics, without_tests, closed)
    families = families_of(compared, place_keys(roles))
    p_values = [
        adjusted(of_all_pairs(p, compared[GROUPS_CHOSEN_FROM]), options.p_values, families)
        for p in exact_p_values(compared, tests)
    ]
    lower, upper = bound_names("mh_odds_ratio")
    table = compared.with_columns(
        pl.col("segments").cast(pl.Int64),
        *(p.alias(name) for name, p in zip(_P_VALUES, p_values, strict=True)),
        pl.col(lower).alias("lower"),
        pl.col(upper).alias("upper"),
    )
    return as_answer(table, roles, COLUMNS)


@cache
def _tests() -> dict[str, Test]:
    found = {name: find_test(METRICS[name]) for name in _P_VALUES.values()}
    return {name: test for name, test in found.items() if test is not None}
