"""Strategies for small, lopsided tables of decisions with nulls."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import polars as pl
from hypothesis import settings
from hypothesis import strategies as st

import polars_fairness as pf
from tests import reference

SCHEMA = {
    "sex": pl.String,
    "branch": pl.String,
    "y": pl.Boolean,
    "p": pl.Boolean,
    "w": pl.Float64,
    "k": pl.Int64,
    "u": pl.Int8,
    "v": pl.Float64,
    "s": pl.Float64,
}

# Ties, both ends, and decimals that floats multiply inexactly.
SCORES = (0.0, 0.1, 0.125, 0.29, 0.1 + 0.2, 0.5, 0.57, 0.6, 0.65, 0.7, 0.999, 1.0)

EVERYTHING: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p", "subgroup": "branch"}
WITH_SCORES: dict[str, Any] = {**EVERYTHING, "score": "s", "controls": "branch"}
NUMBERS: dict[str, Any] = {"observed": pl.col("o"), "estimated": pl.col("e")}
EVERY_OUTCOME: dict[str, Any] = {**WITH_SCORES, **NUMBERS}

OF_COUNTS = [name for name, metric in pf.CATALOGUE.items() if not metric.is_about_numbers]
"""The metrics that a question without numbers as outcomes allows."""


def examples(number: int) -> settings:
    """Try this percentage of the examples that the profile tries."""
    return settings(max_examples=max(1, number * settings().max_examples // 100))


def rows(
    values: tuple[str | None, ...] = ("F", "M", "X", None),
) -> st.SearchStrategy[tuple[Any, ...]]:
    """One person's decision, with a weight that floats add exactly, also divided by a number of
    copies, features so coarse that many people are equally near, and a score."""
    return st.tuples(
        st.sampled_from(values),
        st.sampled_from(["n", "s", "e", None]),
        st.booleans(),
        st.booleans(),
        st.integers(1, 64).map(lambda shares: 3 * shares / 8),
        st.integers(1, 4),
        st.integers(-2, 2),
        st.integers(0, 3).map(lambda halves: halves / 2),
        st.sampled_from(SCORES),
    )


def frames(
    values: tuple[str | None, ...] = ("F", "M", "X", None), least: int = 0
) -> st.SearchStrategy[pl.DataFrame]:
    """Frames of decisions; every frame has an F and an M, so that both can be named."""
    fixed = [
        ("F", "n", True, True, 1.0, 1, 0, 0.5, 0.7),
        ("M", "n", False, False, 1.0, 1, 1, 0.5, 0.29),
    ]
    return st.lists(rows(values), min_size=least, max_size=40).map(
        lambda drawn: with_numbers(pl.DataFrame([*fixed, *drawn], schema=SCHEMA, orient="row"))
    )


def with_numbers(frame: pl.DataFrame) -> pl.DataFrame:
    """The same people with a number that happened and one that was estimated."""
    return frame.with_columns(
        o=pl.col("u").cast(pl.Float64) + pl.col("v") + 2, e=pl.col("k") + pl.col("v") * pl.col("w")
    )


def decisions(
    frame: pl.DataFrame,
    weight: str | None = None,
    facet: str = "sex",
    resolution: float | None = None,
) -> list[reference.Row]:
    """The same people for the brute force."""
    return [
        reference.Row(
            row[facet],
            row["y"],
            row["p"],
            row["branch"],
            row[weight] if weight else 1.0,
            (row["u"], row["v"]),
            score := reference.as_typed(row["s"]),
            reference.rounded_down(score, resolution),
            *(Fraction(row.get(name, 0)) for name in ("o", "e")),
        )
        for row in frame.iter_rows(named=True)
    ]


def _in_every_combination() -> pl.DataFrame:
    kinds = product(["F", "M", "X", None], ["n", "s"], [True, False], [True, False])
    rows = [
        (*kind, (1 + i % 5) / 8, 1 + i % 3, i % 5 - 2, (i + copy) % 4 / 2, (i + 3 * copy) % 10 / 10)
        for i, kind in enumerate(kinds)
        for copy in range(1 + i * i % 7)
    ]
    return with_numbers(pl.DataFrame(rows, schema=SCHEMA, orient="row"))


# Every side has every outcome in every stratum, each with its own frequency, so that every metric
# has a value.
FULL = _in_every_combination()

ATTRIBUTES = ("sex", "race", "age")

JOINTLY: dict[str, Any] = {"facet": [*ATTRIBUTES], "label": "y", "predicted": "p"}


def people_of_many_groups(least: int = 0) -> st.SearchStrategy[pl.DataFrame]:
    """Decisions about people with three attributes; each attribute has nulls."""
    person = st.tuples(
        st.sampled_from(["F", "M", None]),
        st.sampled_from(["b", "w", "a", None]),
        st.sampled_from([30, 60, None]),
        st.booleans(),
        st.booleans(),
        st.integers(1, 64).map(lambda shares: 3 * shares / 8),
        st.integers(1, 3),
        st.sampled_from(["north", "south", None]),
    )
    schema = [
        *zip(ATTRIBUTES, (pl.String, pl.String, pl.Int8), strict=True),
        *[("y", pl.Boolean), ("p", pl.Boolean), ("w", pl.Float64), ("k", pl.Int64)],
        ("branch", pl.String),
    ]
    return st.lists(person, min_size=least, max_size=30).map(
        lambda drawn: pl.DataFrame(drawn, schema=dict(schema), orient="row")
    )


def joint_rows(frame: pl.DataFrame, weight: str | None) -> list[reference.Row]:
    """The same people for the brute force, all attributes being one facet."""
    return [
        reference.Row(
            tuple(row[name] for name in ATTRIBUTES),
            row["y"],
            row["p"],
            weight=row[weight] if weight else 1.0,
        )
        for row in frame.iter_rows(named=True)
    ]
