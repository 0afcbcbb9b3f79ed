"""Contrasts: each row of an audit beside the row of another model or window."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from polars_fairness.counting.sides import COMPARISON_KEY
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.arithmetic import difference
from polars_fairness.inference.bound_names import REFERENCE
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import MODEL

CONTRAST: Final = ("reference", "difference", "difference_lower", "difference_upper", "change")
"""The columns that a contrast adds to an audit."""

BOUNDS_OF_DIFFERENCE: Final = CONTRAST[2:4]
BOUNDS_OF_FARTHER: Final = ("farther_lower\x1f", "farther_upper\x1f")

# Rounding errors of formulas are far smaller, and differences that matter far larger.
_ROUNDING: Final = 1e-12


@dataclass(frozen=True)
class Contrast:
    """What each window of an audit is compared with.

    Parameters
    ----------
    champion
        The model that the others are compared with on the same rows.
    window
        The window before ("previous"), the first window ("first"), or a window's value.
    """

    champion: str | None = None
    window: object = None

    def references(self, windows: pl.DataFrame, roles: Roles) -> pl.DataFrame:
        """The keys of windows, and those of the reference of each; windows without one left out."""
        keys = roles.windows.keys
        same = {key: pl.col(key).alias(f"{REFERENCE}{key}") for key in keys}
        if self.champion is not None:
            champion = pl.lit(self.champion).alias(f"{REFERENCE}{MODEL}")
            return windows.select(*keys, *(same | {MODEL: champion}).values())
        [key] = roles.windows.by_key
        values = windows[key].drop_nulls().unique().sort()
        found = pl.DataFrame({key: values, f"{REFERENCE}{key}": self._before(values, roles)})
        pairs = windows.join(found.drop_nulls(), on=key, maintain_order="left")
        return pairs.select(*keys, *(same | {key: pl.col(f"{REFERENCE}{key}")}).values())

    def _before(self, values: pl.Series, roles: Roles) -> pl.Series:
        """The window that each of these is compared with, or null."""
        if self.window == "previous":
            return values.shift(1)
        if self.window == "first":
            return pl.select(pl.when(values != values.min()).then(values.min())).to_series()
        chosen = values.filter(values == self.window)
        if chosen.is_empty():
            name = roles.windows.columns[0].name
            msg = (
                f"baseline: {self.window!r} never occurs in {name!r}, which has "
                f"{listed(values.to_list())}; name one of these"
            )
            raise FairnessError(msg)
        return pl.select(pl.when(values != chosen[0]).then(chosen[0])).to_series()


def with_contrasts(
    rows: pl.DataFrame, references: pl.DataFrame, windows: Sequence[str], metric_key: str
) -> pl.DataFrame:
    """Add to each row the value of its reference, the difference, and the change."""
    reference_keys = [f"{REFERENCE}{key}" for key in windows]
    comparison = ["facet", COMPARISON_KEY, "favored", metric_key]
    answers = rows.select(
        *(pl.col(key).alias(f"{REFERENCE}{key}") for key in windows),
        *comparison,
        reference="value",
        has_fair_reference=pl.col("verdict") == "fair",
    )
    found = rows.join(
        references, on=list(windows), how="left", nulls_equal=True, maintain_order="left"
    ).join(
        answers,
        on=[*reference_keys, *comparison],
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )
    contrasted = found.with_columns(
        difference(pl.col("value"), pl.col("reference")).alias("difference")
    )
    return contrasted.with_columns(*_bounds_around("difference"), _change().alias("change"))


def _bounds_around(column: str) -> Iterator[pl.Expr]:
    """The bounds of a difference, which hold it, where there is one."""
    lower, upper = BOUNDS_OF_DIFFERENCE
    for bound, outermost in ((lower, pl.min_horizontal), (upper, pl.max_horizontal)):
        is_known = pl.col(column).is_not_null() & pl.col(bound).is_not_null()
        yield pl.when(is_known).then(outermost(bound, column)).alias(bound)


def _change() -> pl.Expr:
    """Whether a value is farther from the ideal than the value that it is compared with."""
    least, most = map(pl.col, BOUNDS_OF_FARTHER)
    are_fair = (pl.col("verdict") == "fair") & pl.col("has_fair_reference")
    return (
        pl.when(pl.col("difference").is_null())
        .then(None)
        .when(least > _ROUNDING)
        .then(pl.lit("worse"))
        .when(most < -_ROUNDING)
        .then(pl.lit("better"))
        .when(are_fair)
        .then(pl.lit("same"))
        .otherwise(pl.lit("unclear"))
    )
