"""Contrasts: each row of an audit beside the row of another model or window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import polars as pl

from polars_fairness.counting.sides import COMPARISON_KEY
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.arithmetic import difference
from polars_fairness.inference.bound_names import REFERENCE
from polars_fairness.question.facets import value_as
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import IS_BASELINE, MODEL, Windows

CONTRAST: Final = ("reference", "difference", "difference_lower", "difference_upper", "change")
"""The columns that a contrast adds to an audit."""

BOUNDS_OF_DIFFERENCE: Final = CONTRAST[2:4]
BOUNDS_OF_FARTHER: Final = ("farther_lower\x1f", "farther_upper\x1f")

DISTANCE: Final = "distance\x1f"
"""The column of a value's distance from its ideal."""

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
        The window before ("previous"), the first window ("first"), or a window's value. Where it is
        None too, windows are compared with those of the baseline, whose cells are beside them.
    """

    champion: str | None = None
    window: object = None

    def references(self, windows: pl.DataFrame, roles: Roles) -> pl.DataFrame:
        """The keys of windows, and those of the reference of each; windows without one left out."""
        if roles.windows.has_baseline:
            return _in_baseline(windows, roles.windows)
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
        if self.window == "previous" or values.is_empty():
            return values.shift(1)
        if self.window == "first":
            chosen = values.head(1)
        else:
            chosen = values.filter(values == value_as(self.window, values.dtype))
        if chosen.is_empty():
            name = roles.windows.columns[0].name
            msg = (
                f"baseline: {self.window!r} never occurs in {name!r}, which has "
                f"{listed(values.to_list())}; name one of these"
            )
            raise FairnessError(msg)
        return pl.select(pl.when(values != chosen).then(chosen)).to_series()


def _in_baseline(windows: pl.DataFrame, keys: Windows) -> pl.DataFrame:
    """The keys of each window of the frame, and those of the same window in the baseline."""
    matched = [*(keys.matched or ()), *keys.of_frame.made]
    here, there = (windows.filter(pl.col(IS_BASELINE) == is_there) for is_there in (False, True))
    renamed = there.rename({key: f"{REFERENCE}{key}" for key in keys.keys})
    if not matched:
        return here.join(renamed, how="cross")
    same = [f"{REFERENCE}{key}" for key in matched]
    pairs = here.join(
        renamed, left_on=matched, right_on=same, coalesce=False, maintain_order="left"
    )
    if pairs.is_empty():
        _refuse_other_windows(here, there, keys)
    return pairs


def _refuse_other_windows(here: pl.DataFrame, there: pl.DataFrame, keys: Windows) -> None:
    """Raise if the windows of a frame are known, and none of them is in the baseline."""
    known, others = (
        each.select(keys.matched or ()).drop_nulls().unique().sort(pl.all())
        for each in (here, there)
    )
    if known.is_empty():
        return
    columns = [keys.by_key[key] for key in known.columns]
    read = dict.fromkeys(name for each in columns for name in each.expression.meta.root_names())
    of_frame, of_baseline = (
        listed(row[0] if len(row) == 1 else row for row in each.rows()) for each in (known, others)
    )
    msg = (
        f"baseline: no window in common: {listed(each.name for each in columns)} has {of_frame} in "
        f"the frame, and {of_baseline or 'no known value'} in the baseline; give a baseline with "
        f"these windows, or drop {listed(read)} from it, and all of it is the reference of each "
        "window"
    )
    raise FairnessError(msg)


def with_contrasts(
    rows: pl.DataFrame,
    references: pl.DataFrame,
    roles: Roles,
    metric_key: str,
    drift: str | None,
) -> pl.DataFrame:
    """Add to each row the value of its reference, the difference, and the change."""
    windows = roles.windows.keys
    reference_keys = [f"{REFERENCE}{key}" for key in windows]
    # The group found as side a may be another one in another window. Paired counts have one side a.
    side_a = ["favored"] if roles.champion is not None else []
    comparison = ["facet", COMPARISON_KEY, *side_a, metric_key]
    answers = rows.select(
        *(pl.col(key).alias(f"{REFERENCE}{key}") for key in windows),
        *comparison,
        reference="value",
        has_fair_reference=pl.col("verdict") == "fair",
        distance_of_reference=DISTANCE,
    )
    # Windows without a reference are not among these: null is no key of theirs.
    of_references = references.join(answers, on=reference_keys, nulls_equal=True)
    found = rows.join(
        of_references,
        on=[*windows, *comparison],
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )
    contrasted = found.with_columns(
        difference(pl.col("value"), pl.col("reference")).alias("difference")
    )
    change = _change() if drift is None else _change_by_clarify()
    return contrasted.with_columns(*_bounds_around("difference"), change.alias("change"))


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


def _change_by_clarify() -> pl.Expr:
    """Whether a value drifted from its baseline by the rule of SageMaker Model Monitor.

    It documents both conditions: the bootstrap interval and the allowed range are disjoint, and the
    value is worse than the value of the baseline.
    """
    is_above = pl.col("lower") > pl.col("band_upper") + _ROUNDING
    is_below = pl.col("upper") < pl.col("band_lower") - _ROUNDING
    is_farther = pl.col(DISTANCE) > pl.col("distance_of_reference") + _ROUNDING
    drifted = (
        pl.when((is_above | is_below) & is_farther).then(pl.lit("worse")).otherwise(pl.lit("same"))
    )
    needed = ("value", "reference", "lower", "upper", "band_lower")
    return pl.when(pl.all_horizontal(pl.col(needed).is_not_null())).then(drifted)
