"""Contrasts: each row of an audit compared with that of another model or window."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import polars as pl

from polars_fairness.answers.hidden import KNOWN_WITHOUT_VALUES, OF_METRIC, ROW_COUNTS, nulled
from polars_fairness.api import columns
from polars_fairness.api.columns import names_of
from polars_fairness.api.verdicts import DEPENDS
from polars_fairness.counting.collected import WORTH_OPTIMISING, collected
from polars_fairness.counting.counts import GROUPS, with_columns_of
from polars_fairness.counting.sides import COMPARISON_KEY, GROUPS_CHOSEN_FROM, favored, written_key
from polars_fairness.errors import FairnessError, listed, quoted
from polars_fairness.formula.arrays import Bools, Floats, Ints
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.deviations import DEVIATIONS, joined, reaches
from polars_fairness.inference.significance import adjusted, normal_p
from polars_fairness.question.facets import value_as
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import IS_BASELINE, MODEL, Windows
from polars_fairness.values.lines import (
    BOUNDS_OF_DIFFERENCE,
    BOUNDS_OF_SUM,
    CORRELATION,
    METRIC,
    REFERENCE,
)

IS_OF_GONE_WINDOW: Final = pl.col("rows_seen") == 0
"""Whether a row of an audit is about a window that only the baseline has."""

IS_OF_GROUP_ALONE: Final = pl.col("disfavored").is_not_null() & pl.col("n_favored").is_null()
"""Whether a row of an audit is about a group that only one window has, and is no comparison."""

_REFERENCE_DEPENDS: Final = "the reference depends on missing labels"
_KNOWN_OF_SIDES: Final = ("n_disfavored", "n_favored", "is_small")

_LACKS_SIDE: Final = pl.any_horizontal(pl.col("n_disfavored", "n_favored") == 0)
_HAS_VALUE, _HAS_REFERENCE = (pl.col(name).is_not_null() for name in ("value", "reference"))


CONTRAST: Final = names_of(columns.CONTRAST)
"""The columns that a contrast adds to an audit."""

IS_RATIO, IS_NUMBER = "is ratio\x1f", "is number\x1f"
"""The columns that say whether a metric is a ratio, and whether it is about numbers."""

CERTAINTY: Final = "certainty\x1f"
"""How far 0 is from what a change is judged by, in reaches of the interval that leaves it out."""

TOGETHER: Final = "change_together\x1f"
"""The column of changes that hold for all rows together; others, worse or better, are unclear."""

HAS_ROWS: Final = "has_rows\x1f"
"""The column that says whether both sides of a comparison have rows."""

HAS_ROWS_THERE: Final = f"{REFERENCE}{HAS_ROWS}"
_ROW: Final = "row\x1f"

# Rounding errors of formulas are far smaller, and differences that matter far larger.
_ROUNDING: Final = 1e-12


@dataclass(frozen=True)
class Contrast:
    """What each window of an audit is compared with.

    Without both, windows are compared with those of the baseline, whose cells are beside them.
    """

    champion: str | None = None  # the model that others are compared with on the same rows
    window: object = None  # the one before ("previous"), the first one ("first"), or a value

    def references(self, windows: pl.DataFrame, roles: Roles) -> pl.DataFrame:
        """The keys of windows, and those of the reference of each; windows without one left out."""
        if roles.windows.has_baseline:
            return _baseline_windows(windows, roles.windows)
        keys = roles.windows.keys
        same = {key: pl.col(key).alias(f"{REFERENCE}{key}") for key in keys}
        if self.champion is not None:
            champion = pl.lit(self.champion).alias(f"{REFERENCE}{MODEL}")
            return windows.select(*keys, *(same | {MODEL: champion}).values())
        [key] = roles.windows.without_classes.by_key
        values = windows[key].drop_nulls().unique().sort()
        matched = pl.DataFrame(
            {key: values, f"{REFERENCE}{key}": self._reference_windows(values, roles)}
        )
        pairs = windows.join(matched.drop_nulls(), on=key, maintain_order="left")
        return pairs.select(*keys, *(same | {key: pl.col(f"{REFERENCE}{key}")}).values())

    def _reference_windows(self, values: pl.Series, roles: Roles) -> pl.Series:
        if self.window == "previous" or values.is_empty():
            return values.shift(1)
        if self.window == "first":
            chosen = values.head(1)
        else:
            chosen = values.filter(values == value_as(self.window, values.dtype))
        if chosen.is_empty():
            name = roles.windows.columns[0].name
            raise FairnessError(
                f"baseline: {self.window!r} never occurs in {name!r}, which has "
                f"{quoted(values, len(values), values.dtype)}; name one of these"
            )
        return pl.select(pl.when(values != chosen).then(chosen)).to_series()


def _baseline_windows(windows: pl.DataFrame, keys: Windows) -> pl.DataFrame:
    """The keys of each window of the frame, and those of the same window in the baseline."""
    matched = [*(keys.matched or ()), *keys.without_baseline.made]
    here, there = (windows.filter(pl.col(IS_BASELINE) == is_there) for is_there in (False, True))
    renamed = there.rename({key: f"{REFERENCE}{key}" for key in keys.keys})
    if not matched:
        return here.join(renamed, how="cross")
    same = [f"{REFERENCE}{key}" for key in matched]
    # Only the class may be null: that of all classes at once.
    known = here.drop_nulls(
        [key for key in matched if not keys.has_classes or key != keys.class_key]
    )
    pairs = known.join(
        renamed,
        left_on=matched,
        right_on=same,
        nulls_equal=True,
        coalesce=False,
        maintain_order="left",
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
    raise FairnessError(
        f"baseline: no window in common: {listed(each.name for each in columns)} has {of_frame} in "
        f"the frame, and {of_baseline or 'no known value'} in the baseline; give a baseline with "
        f"these windows, or drop {listed(read)} from it, so that it is the reference of each "
        "window"
    )


@dataclass(frozen=True)
class _Pairs:
    """The rows of an audit, and the number of the row that each is compared with.

    It is that after the last where there is none.
    """

    rows: pl.DataFrame
    reference: Ints

    @classmethod
    def of(cls, rows: pl.DataFrame, references: pl.DataFrame, roles: Roles) -> _Pairs:
        """The row of the same comparison in the window of the reference."""
        windows = roles.windows.keys
        # The group found as side a may be another one in another window; of one model, it is not.
        side_a = ["favored"] if roles.champion is not None else []
        comparison = [*windows, "facet", COMPARISON_KEY, *side_a, METRIC]
        own = rows.lazy().select(comparison)
        beside = with_columns_of(
            own, _of_references(own.with_row_index(_ROW), references, windows), comparison
        )
        number = collected(beside.select(_ROW), is_cheap=rows.height < WORTH_OPTIMISING)
        return cls(rows, number[_ROW].fill_null(rows.height).to_numpy())

    def here(self, name: str) -> Floats:
        """The numbers of a column; NaN where there are none."""
        return self.rows[name].cast(pl.Float64).fill_null(np.nan).to_numpy()

    def both(self, name: str) -> tuple[Floats, Floats]:
        """The numbers of a column, and those of the references."""
        here = self.here(name)
        return here, np.append(here, np.nan)[self.reference]

    def offset(self, values: Floats) -> Floats:
        """By how much values are above the ideal; of a ratio, their logarithm."""
        is_ratio, ideal = self.rows[IS_RATIO].to_numpy(), self.here("ideal")
        return np.where(is_ratio, np.log(values), values - ideal)

    def there(self, flags: Bools) -> Bools:
        """Whether something holds of the references."""
        there: Bools = np.append(flags, [False])[self.reference]
        return there

    @cached_property
    def moved(self) -> tuple[Floats, Floats]:
        """What each group of clusters moves in the values, and in the references."""
        known = [each or [np.nan] * GROUPS for each in self.rows[DEVIATIONS].to_list()]
        here = np.array([*known, [np.nan] * GROUPS])
        return here[:-1], here[self.reference]

    def correlation(self) -> Floats:
        """That of each value with its reference, by what groups of clusters move in both."""
        one, other = self.moved
        squares = np.nansum(one**2, axis=1) * np.nansum(other**2, axis=1)
        product, found = np.nansum(one * other, axis=1), np.full(len(squares), np.nan)
        np.divide(product, np.sqrt(squares), out=found, where=squares > 0)
        return found

    def bounds(self, confidence: float) -> Iterator[Floats]:
        """The bounds of differences and sums of numbers, from what groups of rows move in both.

        Numbers vary with the rows that two models have in common.
        """
        (one, other), lower, values = self.moved, self.both("lower"), self.both("value")
        has_bounds = ~np.isnan(lower).any(axis=0) & self.rows[IS_NUMBER].to_numpy()
        chosen_from = self.rows[GROUPS_CHOSEN_FROM].fill_null(2).to_list()
        # A ratio, whose offset is a logarithm, moves by itself as its offset does.
        here, there = (np.where(self.rows[IS_RATIO], each, 1.0)[:, None] for each in values)
        for value, moved in (
            (values[0] - values[1], here * one - there * other),
            (sum(map(self.offset, values)), one + other),
        ):
            reach = np.where(has_bounds, reaches(moved, chosen_from, confidence), np.nan)
            yield np.stack([value - reach, value + reach])


@np.errstate(divide="ignore", invalid="ignore")  # of infinity
def with_contrasts(
    rows: pl.DataFrame,
    references: pl.DataFrame,
    roles: Roles,
    drift: str | None,
    confidence: float | None,
) -> pl.DataFrame:
    """Add to each row the value of its reference, the difference, and the change."""
    pairs, is_same = _Pairs.of(rows, references, roles), np.full(rows.height, False)
    one, other = map(np.stack, zip(*map(pairs.both, ("lower", "value", "upper")), strict=True))
    offset, offset_there = pairs.offset(one), pairs.offset(other)
    known = [np.stack([*map(pairs.here, each)]) for each in (BOUNDS_OF_DIFFERENCE, BOUNDS_OF_SUM)]
    correlation = None
    if roles.champion is not None:
        is_same = rows[MODEL].is_in(roles.models_like_champion).to_numpy()
        correlation = pairs.correlation() if roles.left_out else pairs.here(CORRELATION)
        if confidence is not None:
            paired = pairs.bounds(confidence)
            known = [np.where(np.isnan(b), a, b) for a, b in zip(known, paired, strict=True)]
    elif roles.cluster is not None:
        # A cluster may have rows in both windows.
        correlation = pairs.correlation()
    is_zero = (is_same & ~np.isnan(one[1])) | (one[1] == other[1])
    difference = np.where(is_zero, 0.0, one[1] - other[1])
    bounds = _recovered(known[0], one, other, correlation)
    # They hold the difference, and the same decisions have none.
    held = np.where(is_same, 0.0, [np.fmin(bounds[0], difference), np.fmax(bounds[1], difference)])
    bounds = np.where(np.isnan([difference, *bounds]).any(axis=0), np.nan, held)
    anti = None if correlation is None else -correlation
    of_sum = _recovered(known[1], offset, -offset_there[::-1], anti)
    depends = rows["verdict"].eq_missing(DEPENDS).to_numpy()
    is_known = rows["verdict"].ne_missing("undefined").to_numpy() & rows[HAS_ROWS].to_numpy()
    is_known &= ~depends
    is_within = rows["verdict"].eq_missing("within").to_numpy()
    if drift is None:
        are_alike = (is_within & pairs.there(is_within)) | is_same
        change = _change(difference, bounds, of_sum, are_alike)
        # 0 is so many reaches away from the difference, or from the sum if that is nearer.
        by_sum = _reaches(offset[1] + offset_there[1], of_sum)
        certainty = np.fmin(_reaches(difference, bounds), by_sum)
    else:
        # The rule of Clarify is no test of a change.
        certainty = np.full(rows.height, np.nan)
        change = _change_by_clarify(pairs, difference, np.abs(offset[1]) - np.abs(offset_there[1]))
    # What has no verdict for want of an estimate, or of labels, is neither better nor worse.
    change[~(is_known & pairs.there(is_known))] = None
    numbers = dict(zip(CONTRAST[1:-1], (difference, *bounds), strict=True))
    numbers |= {"reference": other[1], CERTAINTY: certainty}
    return rows.with_columns(
        *(pl.Series(name, each, pl.Float64, nan_to_null=True) for name, each in numbers.items()),
        pl.Series("change", change.tolist(), pl.String),
        pl.Series(HAS_ROWS_THERE, pairs.there(rows[HAS_ROWS].to_numpy())),
        note=pl.when(pl.Series(pairs.there(depends)))
        .then(pl.concat_str("note", pl.lit(_REFERENCE_DEPENDS), separator="; ", ignore_nulls=True))
        .otherwise("note"),
    )


def _recovered(known: Floats, one: Floats, other: Floats, correlation: Floats | None) -> Floats:
    """Bounds of a difference of two values from the intervals of both, unless they are known.

    An interval tells how far its value varies in each direction; these variances are recovered and
    added up (Zou and Donner 2008). So the bounds are as valid as the two intervals, also for
    distances and maxima, whose differences drawn at random are too narrow: with these, 100 of 100
    audits of 1,000 rows, beside 10,000 rows without any change, found `equalized_odds_gap` worse.

    Values of the same rows vary together. Then each varies by the larger of its two reaches, since
    a bound that ends at the ideal says little of how the value varies with another.
    """
    (low, value, high), (low_there, there, high_there) = one, other
    of_one, of_other = (value - low, high - value), (high_there - there, there - low_there)
    is_known = ~np.isnan([low, value, low_there, there]).any(axis=0)
    if correlation is None:
        correlation = np.zeros(len(value))
    else:
        of_one, of_other = ((np.fmax(*each),) * 2 for each in (of_one, of_other))
        is_known &= ~np.isnan(correlation)
    bounds = []
    for sign, here, beside, whole in zip(
        (-1, 1), of_one, of_other, (low - high_there, high - low_there), strict=True
    ):
        reach = joined(here, beside, correlation)
        end = value - there + sign * np.where(np.isnan(reach), np.inf, reach)
        # For an infinite value, the ends of both intervals are known.
        bounds.append(np.where(np.isnan(end), whole, end))
    return np.where(np.isnan(known) & is_known, bounds, known)


def _change(difference: Floats, bounds: Floats, of_sum: Floats, are_alike: Bools) -> Any:
    """Whether a value is farther from the ideal than the value that it is compared with.

    It is where the difference and the sum of both offsets from the ideal have the same sign: their
    product is what one squared offset has more than the other. Where neither value is off the
    ideal, both intervals hold 0 as often as they say, whatever the sizes of the samples.
    """
    (least, most), (least_sum, most_sum) = bounds, of_sum
    rises, falls = least > _ROUNDING, most < -_ROUNDING
    is_above, is_below = least_sum > _ROUNDING, most_sum < -_ROUNDING
    is_worse = (rises & is_above) | (falls & is_below)
    is_better = (rises & is_below) | (falls & is_above)
    words = ("worse", "better", "same")
    change = np.select([is_worse, is_better, are_alike], words, "unclear").astype(object)
    change[np.isnan(difference)] = None
    return change


def _reaches(value: Floats, bounds: Floats) -> Floats:
    """How far a value is from 0, in reaches of its interval to this side."""
    lower, upper = bounds
    reach = np.where(value > 0, value - lower, upper - value)
    # A value may be at an end of drawn bounds. For an infinite one, only its interval is known.
    share = np.abs(value) / np.where(reach > 0, reach, upper - lower)
    return np.where(np.isnan(lower), np.nan, np.where(np.isnan(share), 1.0, share))


def _change_by_clarify(pairs: _Pairs, difference: Floats, farther: Floats) -> Any:
    """Whether a value drifted from its baseline by the rule of SageMaker Model Monitor.

    It documents both conditions: the bootstrap interval and the allowed range are disjoint, and the
    value is worse than the value of the baseline. It is so much ``farther`` from the ideal.
    """
    lower, upper, least, most = map(pairs.here, ("lower", "upper", "band_lower", "band_upper"))
    is_outside = (lower > most + _ROUNDING) | (upper < least - _ROUNDING)
    change = np.where(is_outside & (farther > _ROUNDING), "worse", "same").astype(object)
    change[np.isnan([difference, lower, upper, least]).any(axis=0)] = None
    return change


def with_changes_together(
    rows: pl.DataFrame, confidence: float | None, is_compared: pl.Expr
) -> pl.DataFrame:
    """Add the changes of compared rows as they hold for all of them together, by Holm's method.

    By itself each of 264 changes is one for the worse by chance in one of forty data sets: of 60
    pages on 1,000 rows beside 100,000, without any change or disparity, 50 named some, and 1 does.
    """
    rows = rows.with_columns(pl.when(is_compared).then("change").alias(TOGETHER))
    if confidence is None:
        return rows
    change = pl.col(TOGETHER)
    is_shown = change.is_in(("worse", "better"))
    z = NormalDist().inv_cdf((1 + confidence) / 2) * pl.col(CERTAINTY)
    of_shown = normal_p(rows.select(pl.when(is_shown).then(z)).to_series())
    p_values = pl.when(is_shown).then(of_shown).when(change.is_not_null()).then(1.0)
    is_by_chance = adjusted(rows.select(p_values).to_series(), "holm") > 1 - confidence
    return rows.with_columns(
        pl.when(is_shown & is_by_chance).then(pl.lit("unclear")).otherwise(change).alias(TOGETHER)
    )


# What vanished has a row without a value beside its reference, and what is new a row without a
# reference. The verdict of both is "undefined", whatever the band: nothing was compared.
def is_gone(columns: Collection[str]) -> pl.Expr:
    """Whether a row of an audit with these columns is about what only the reference has."""
    vanished = (_LACKS_SIDE & _HAS_REFERENCE) | IS_OF_GONE_WINDOW
    of_group = IS_OF_GROUP_ALONE & (pl.col("n_disfavored") == 0)
    return _undefined_if(columns, (vanished | of_group) & ~_HAS_VALUE)


def is_new(columns: Collection[str]) -> pl.Expr:
    """Whether a row of an audit with these columns is about what the reference lacks."""
    # By the rule of significance, a value without a p-value is undefined too.
    has_test = pl.col("p_value").is_not_null() if "p_value" in columns else pl.lit(value=True)
    came = _HAS_VALUE & ~_LACKS_SIDE.fill_null(value=False) & has_test
    of_group = IS_OF_GROUP_ALONE & (pl.col("n_disfavored") > 0)
    return _undefined_if(columns, (came | of_group) & ~_HAS_REFERENCE)


def is_apart(columns: Collection[str]) -> pl.Expr:
    """Whether a row of an audit is about a window or a group that has no comparison in it."""
    return is_gone(columns) & IS_OF_GONE_WINDOW | (
        (is_gone(columns) | is_new(columns)) & IS_OF_GROUP_ALONE
    )


def _undefined_if(columns: Collection[str], is_absent: pl.Expr) -> pl.Expr:
    if "reference" not in columns:
        return pl.lit(value=False)
    return ((pl.col("verdict") == "undefined") & is_absent).fill_null(value=False)


PART: Final = "part\x1f"
"""The number of the metrics that count the same rows."""

_SIDED, _OF_FACET, _IS_THERE = "sided\x1f", "of facet\x1f", "is there\x1f"
_KEY, _SIZE = pl.col(COMPARISON_KEY), pl.col("size")


def with_absences(
    rows: pl.DataFrame,
    references: pl.DataFrame,
    groups: pl.LazyFrame,
    roles: Roles,
    parts: Sequence[Mapping[str, Metric]],
    least: int,
) -> pl.DataFrame:
    """The rows of a frame, and rows of what only the frame or its reference has.

    ``groups`` has those of each window with their size, for each part of the metrics. A row with
    fewer rows than the ``least`` is small.
    """
    if roles.champion is not None:
        return rows  # All models decide about the same ones.
    groups = groups.rename({"value": COMPARISON_KEY})
    # The size of side a in every window, by its name in results.
    others = (
        (pl.col("facet") == facet.name) & ~_KEY.is_in(facet.favored)
        for facet in roles.facets
        if facet.favored
    )
    members = groups.filter(~pl.any_horizontal(pl.lit(value=False), *others))
    named = members.with_columns(reference=COMPARISON_KEY).with_columns(favored=favored(roles))
    keys = [*roles.windows.keys, "facet", PART, "favored"]
    sides_a = named.group_by(keys).agg(n_favored=_SIZE.sum())
    changed = _changed_groups(groups, references, roles, parts)
    absent = [_absent_rows(rows, references, changed, sides_a, roles)]
    if roles.windows.has_baseline:
        absent.append(_rows_of_gone_windows(rows, roles))
    unlike = pl.concat(absent).with_columns(
        is_small=pl.col("n_disfavored") < least, verdict=pl.lit("undefined")
    )
    shown = pl.concat([_marked(rows, references, changed, roles), unlike], how="diagonal")
    if roles.windows.has_baseline:
        shown = shown.filter(~pl.col(IS_BASELINE))
    return collected(shown, is_cheap=True)


def _changed_groups(
    groups: pl.LazyFrame,
    references: pl.DataFrame,
    roles: Roles,
    parts: Sequence[Mapping[str, Metric]],
) -> pl.LazyFrame:
    """The groups that only one window of a pair has, by metric, with their size here, or 0."""
    windows = roles.windows.keys
    both = groups.join(references.lazy(), on=windows, how="semi", nulls_equal=True).join(
        _of_references(groups, references, windows),
        on=[*windows, "facet", COMPARISON_KEY, PART],
        how="full",
        coalesce=True,
        nulls_equal=True,
    )
    metrics = pl.LazyFrame(
        [
            (part, name, each.has_sides, each.parsed.level.keeps_groups_apart and not each.is_joint)
            for part, of_part in enumerate(parts)
            for name, each in of_part.items()
        ],
        (PART, METRIC, _SIDED, _OF_FACET),
        orient="row",
    )
    changed = both.filter(_SIZE.is_null() != pl.col("size_right").is_null())
    by_metric = changed.join(metrics, on=PART).with_columns(_SIZE.fill_null(0))
    return collected(by_metric, is_cheap=True).lazy()


def _absent_rows(
    rows: pl.DataFrame,
    references: pl.DataFrame,
    changed: pl.LazyFrame,
    sides_a: pl.LazyFrame,
    roles: Roles,
) -> pl.LazyFrame:
    """A row for each metric of the changed groups that no comparison shows.

    Those of a comparison that only the reference has are beside its value.
    """
    places = [*roles.windows.keys, "facet"]
    comparison, audited = [*places, COMPARISON_KEY, METRIC], rows.lazy()
    there = _of_references(audited.filter(HAS_ROWS), references, roles.windows.keys).select(
        *comparison, "favored", reference="value", **{_IS_THERE: pl.lit(value=True)}
    )
    of_places = audited.select(*places, *OF_METRIC, *ROW_COUNTS).unique([*places, METRIC])
    is_gone = (_SIZE == 0) & pl.col(_IS_THERE).is_not_null()
    # Whether a group is all of side a, or on neither of two sides that were given.
    is_elsewhere = [pl.lit(value=False)]
    for facet in roles.facets:
        is_of_facet = pl.col("facet") == facet.name
        if len(facet.favored) == 1:
            is_elsewhere.append(is_of_facet & _KEY.is_in(facet.favored))
        if facet.disfavored and facet.favored:
            is_elsewhere.append(is_of_facet & ~_KEY.is_in([*facet.disfavored, *facet.favored]))
    return (
        changed.join(of_places, on=[*places, METRIC], nulls_equal=True)
        .join(audited, on=comparison, how="anti", nulls_equal=True)
        .join(there, on=comparison, how="left", nulls_equal=True)
        .filter(pl.col(_OF_FACET) | pl.col(_SIDED) & (is_gone | ~pl.any_horizontal(is_elsewhere)))
        .join(sides_a, on=[*places, PART, "favored"], how="left", nulls_equal=True)
        .select(
            *(*places, COMPARISON_KEY, *OF_METRIC, *ROW_COUNTS),
            pl.when(is_gone).then(pl.col("favored", "reference")),
            pl.when(is_gone).then(pl.col("n_favored").fill_null(0)),
            disfavored=written_key(_KEY, roles),
            n_disfavored=_SIZE,
        )
        .cast({name: rows.schema[name] for name in ("n_disfavored", "n_favored")})
    )


def _rows_of_gone_windows(rows: pl.DataFrame, roles: Roles) -> pl.LazyFrame:
    """The rows of windows that only the baseline has, without values."""
    here, there = (
        rows.lazy().filter(pl.col(IS_BASELINE) == is_there) for is_there in (False, True)
    )
    if matched := _matched(roles):
        gone = there.join(here, on=matched, how="anti", nulls_equal=True)
    else:
        gone = there.filter(rows[IS_BASELINE].all())
    return gone.with_columns(pl.lit(value=False).alias(IS_BASELINE)).select(
        *(*roles.windows.keys, "facet", COMPARISON_KEY, *OF_METRIC),
        pl.col(*ROW_COUNTS) * 0,
        "favored",
        pl.col("value").alias("reference"),
        pl.col("n_favored") * 0,
        "disfavored",
        pl.col("n_disfavored") * 0,
    )


def _marked(
    rows: pl.DataFrame, references: pl.DataFrame, changed: pl.LazyFrame, roles: Roles
) -> pl.LazyFrame:
    """The rows, without the value, the reference or the change that compares nothing."""
    places, marked = [*roles.windows.keys, "facet"], rows.lazy()
    flags = {
        "has_pair": (references.lazy(), roles.windows.keys),
        "is_of_others": (changed.filter(_OF_FACET), [*places, METRIC]),
        "comes": (changed.filter(_SIZE > 0), [*places, COMPARISON_KEY, METRIC]),
    }
    if matched := roles.windows.has_baseline and _matched(roles):
        flags["is_known"] = marked.filter(IS_BASELINE), matched
    for flag, (frame, on) in flags.items():
        known = frame.select(*on, pl.lit(value=True).alias(flag)).unique()
        marked = with_columns_of(marked, known, on)
    has_pair, is_of_others, comes, *is_known = (pl.col(flag).is_not_null() for flag in flags)
    here, there = pl.col(HAS_ROWS), pl.col(HAS_ROWS_THERE)
    is_compared = has_pair & _KEY.is_not_null()
    # A group that is side a there has no comparison there, and is not new.
    finding = [facet.name for facet in roles.facets if facet.finds_group]
    may_be_new = ~pl.col("facet").is_in(finding) | comes
    is_gone, is_new = is_compared & ~here & there, is_compared & here & ~there & may_be_new
    kept = {*places, *KNOWN_WITHOUT_VALUES, *_KNOWN_OF_SIDES, *CONTRAST, "verdict", "note"}
    is_undefined = pl.any_horizontal(is_gone, is_new, *(~each for each in is_known))
    return marked.with_columns(
        *nulled(rows, is_gone, {*rows.columns} - kept),
        *nulled(rows, is_new, ["reference"]),
        # A gap between other groups is neither better nor worse.
        *nulled(rows, is_gone | is_new | is_of_others, CONTRAST[1:]),
        verdict=pl.when(is_undefined).then(pl.lit("undefined")).otherwise("verdict"),
    ).drop(flags)


def _of_references(
    table: pl.LazyFrame, references: pl.DataFrame, windows: Sequence[str]
) -> pl.LazyFrame:
    """The rows of the reference of each window, with the keys of the window."""
    on = [f"{REFERENCE}{key}" for key in windows]
    there = table.rename(dict(zip(windows, on, strict=True)))
    # Windows without a reference are not among these: null is no key of theirs.
    return references.lazy().join(there, on=on, nulls_equal=True).drop(on)


def _matched(roles: Roles) -> list[str]:
    """The keys by which windows of the frame and of the baseline are the same."""
    return [*(roles.windows.matched or ()), *roles.windows.without_baseline.made]
