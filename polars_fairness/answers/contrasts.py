"""Contrasts: each row of an audit beside the row of another model or window."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import polars as pl

from polars_fairness.api import columns
from polars_fairness.api.columns import names_of
from polars_fairness.counting.collected import WORTH_OPTIMISING, collected
from polars_fairness.counting.counts import GROUPS
from polars_fairness.counting.sides import COMPARISON_KEY, GROUPS_CHOSEN_FROM, favored, written_key
from polars_fairness.errors import FairnessError, listed, quoted
from polars_fairness.formula.in_polars import rendered
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.tree import INFINITY, difference, term
from polars_fairness.inference.significance import adjusted, normal_p
from polars_fairness.question.facets import value_as
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import IS_BASELINE, MODEL, Windows
from polars_fairness.values.lines import (
    BOUNDS_OF_DIFFERENCE,
    BOUNDS_OF_SUM,
    CORRELATION,
    DEVIATIONS,
    METRIC,
    REFERENCE,
)

IS_OF_GONE_WINDOW: Final = pl.col("rows_seen") == 0
"""Whether a row of an audit is about a window that only the baseline has."""

IS_OF_GROUP_ALONE: Final = pl.col("disfavored").is_not_null() & pl.col("n_favored").is_null()
"""Whether a row of an audit is about a group that only one window has, and is no comparison."""

_LACKS_SIDE: Final = pl.any_horizontal(pl.col("n_disfavored", "n_favored") == 0)
_HAS_VALUE, _HAS_REFERENCE = (pl.col(name).is_not_null() for name in ("value", "reference"))


CONTRAST: Final = names_of(columns.CONTRAST)
"""The columns that a contrast adds to an audit."""

OFFSET: Final = ("offset\x1f", "offset_lower\x1f", "offset_upper\x1f")
"""By how much a value, and the bounds of its interval, are above its ideal."""

SLOPE: Final = "slope\x1f"
"""By how much a value moves as its offset does: a ratio, whose offset is a logarithm, by itself."""

CERTAINTY: Final = "certainty\x1f"
"""How far 0 is from what a change is judged by, in reaches of the interval that leaves it out."""

TOGETHER: Final = "change_together\x1f"
"""The column of changes that hold for all rows together; others, worse or better, are unclear."""

HAS_ROWS: Final = "has_rows\x1f"
"""The column that says whether both sides of a comparison have rows."""

HAS_ROWS_THERE: Final = f"{REFERENCE}{HAS_ROWS}"
_REACH: Final = "reach\x1f"
_IS_KNOWN, _IS_KNOWN_THERE = "is_known\x1f", f"{REFERENCE}is_known\x1f"

_DIFFERENCE: Final = rendered(difference(term("value"), term("reference")))

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
        """The window that each of these is compared with, or null."""
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
        f"these windows, or drop {listed(read)} from it, and all of it is the reference of each "
        "window"
    )


def with_contrasts(
    rows: pl.DataFrame,
    references: pl.DataFrame,
    roles: Roles,
    of_numbers: Collection[str],
    drift: str | None,
    confidence: float | None,
) -> pl.DataFrame:
    """Add to each row the value of its reference, the difference, and the change.

    The metrics ``of_numbers`` vary with the rows that they have in common.
    """
    paired = _join_references(rows, references, roles)
    is_same, correlation = pl.lit(value=False), None
    if roles.champion is not None:
        is_same = pl.col(MODEL).is_in(roles.models_like_champion)
    if roles.left_out:
        # A cluster may have rows in both windows.
        paired = paired.with_columns(_correlated(paired).alias(CORRELATION))
    if roles.champion is not None and confidence is not None and of_numbers:
        paired = _with_paired_bounds(paired, confidence, pl.col(METRIC).is_in(of_numbers))
    if roles.champion is not None or roles.counts_clusters:
        correlation = pl.col(CORRELATION)
    value, offset = _Estimate.of("value", "lower", "upper"), _Estimate.of(*OFFSET)
    reference = _Estimate.of("reference", f"{REFERENCE}lower", f"{REFERENCE}upper")
    offset_there = _Estimate.of(*(f"{REFERENCE}{name}" for name in OFFSET))
    reaches, bounds = _recovered(BOUNDS_OF_DIFFERENCE, value, reference, correlation)
    anti = None if correlation is None else -correlation
    reaches_of_sum, bounds_of_sum = _recovered(BOUNDS_OF_SUM, offset, -offset_there, anti)
    difference = pl.when(is_same & _HAS_VALUE).then(0.0).otherwise(_DIFFERENCE)
    # One after the other: polars computes a part of an expression anew wherever it stands, and what
    # `fill_nan` fills three times. In one step the bounds of two rows took 10 ms.
    contrasted = (
        paired.lazy()
        .with_columns(*reaches, *reaches_of_sum, difference.alias("difference"))
        .with_columns(*bounds, *bounds_of_sum)
        .with_columns(_bounds_around("difference", is_same))
    )
    change = _change(is_same) if drift is None else _change_by_clarify()
    # What has no verdict for want of an estimate is neither better nor worse.
    known_change = pl.when(_IS_KNOWN, _IS_KNOWN_THERE).then(change)
    # The rule of Clarify is no test of a change.
    certainty = pl.lit(None, pl.Float64)
    if drift is None:
        # 0 is so many reaches away from the difference, or from the sum if that is nearer.
        by_difference = _reaches(pl.col("difference"), BOUNDS_OF_DIFFERENCE)
        by_sum = _reaches(offset.value + offset_there.value, BOUNDS_OF_SUM)
        certainty = pl.min_horizontal(by_difference, by_sum)
    plan = contrasted.with_columns(known_change.alias("change"), certainty.alias(CERTAINTY))
    return collected(plan, is_cheap=rows.height < WORTH_OPTIMISING)


def _join_references(rows: pl.DataFrame, references: pl.DataFrame, roles: Roles) -> pl.DataFrame:
    """Each row beside what the row of the same comparison says in the window of its reference."""
    windows = roles.windows.keys
    reference_keys = [f"{REFERENCE}{key}" for key in windows]
    # The group found as side a may be another one in another window. Paired counts have one side a.
    side_a = ["favored"] if roles.champion is not None else []
    comparison = ["facet", COMPARISON_KEY, *side_a, METRIC]
    is_known = pl.col("verdict").ne_missing("undefined") & pl.col(HAS_ROWS)
    judged = rows.lazy().with_columns(is_known.alias(_IS_KNOWN))
    answers = judged.select(
        *(pl.col(key).alias(f"{REFERENCE}{key}") for key in windows),
        *comparison,
        reference="value",
        has_reference_within=pl.col("verdict") == "within",
        **{f"{REFERENCE}{name}": name for name in ("lower", "upper", *OFFSET, SLOPE, DEVIATIONS)},
        **{HAS_ROWS_THERE: HAS_ROWS, _IS_KNOWN_THERE: _IS_KNOWN},
    )
    # Windows without a reference are not among these: null is no key of theirs.
    of_references = references.lazy().join(answers, on=reference_keys, nulls_equal=True)
    paired = judged.join(
        of_references,
        on=[*windows, *comparison],
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )
    return collected(paired, is_cheap=rows.height < WORTH_OPTIMISING)


def _with_paired_bounds(
    rows: pl.DataFrame, confidence: float, are_numbers: pl.Expr
) -> pl.DataFrame:
    """Add the bounds of differences and sums of numbers, from what groups of rows move in both."""
    needed = (*_column_pair("lower"), *_column_pair(DEVIATIONS))
    all_known = pl.all_horizontal(pl.col(needed).is_not_null(), are_numbers)
    are_known = rows.select(all_known).to_series()
    at, known = are_known.arg_true(), rows.filter(are_known)
    if at.is_empty():
        return rows
    # Imported here: it needs numpy.
    from polars_fairness.inference.deviations import reaches

    chosen_from = known[GROUPS_CHOSEN_FROM].fill_null(2).to_list()
    one, other = (known[each].list.to_array(GROUPS).to_numpy() for each in _column_pair(DEVIATIONS))
    slope, slope_there = (known[each].to_numpy()[:, None] for each in _column_pair(SLOPE))
    offset, offset_there = map(pl.col, _column_pair(OFFSET[0]))
    bound_columns = []
    for names, value, moved in (
        (
            BOUNDS_OF_DIFFERENCE,
            pl.col("value") - pl.col("reference"),
            slope * one - slope_there * other,
        ),
        (BOUNDS_OF_SUM, offset + offset_there, one + other),
    ):
        of_known = pl.Series(reaches(moved, chosen_from, confidence)).fill_nan(None)
        reach = pl.repeat(None, rows.height, dtype=pl.Float64, eager=True).scatter(at, of_known)
        bound_columns += [
            (value + sign * reach).alias(name) for sign, name in zip((-1, 1), names, strict=True)
        ]
    return rows.with_columns(bound_columns)


def _column_pair(name: str) -> tuple[str, str]:
    """A column of a row, and that of its reference."""
    return name, f"{REFERENCE}{name}"


def _correlated(rows: pl.DataFrame) -> pl.Series:
    """The correlation of each value with its reference, by what groups of clusters move in both."""
    one, other = (
        rows[name].list.eval(pl.element().fill_nan(None))
        for name in (DEVIATIONS, f"{REFERENCE}{DEVIATIONS}")
    )
    both = pl.DataFrame({"one": one, "other": other}).select(
        product=(pl.col("one") * pl.col("other")).list.sum(),
        squares=(pl.col("one") * pl.col("one")).list.sum()
        * (pl.col("other") * pl.col("other")).list.sum(),
    )
    return both.select(
        pl.when(pl.col("squares") > 0).then(pl.col("product") / pl.col("squares").sqrt())
    ).to_series()


@dataclass(frozen=True)
class _Estimate:
    """A value with the bounds of its interval, which hold it."""

    value: pl.Expr
    lower: pl.Expr
    upper: pl.Expr

    @classmethod
    def of(cls, *columns: str) -> _Estimate:
        return cls(*map(pl.col, columns))

    @property
    def reach(self) -> pl.Expr:
        """How far the farther bound is from the value."""
        return pl.max_horizontal(self.value - self.lower, self.upper - self.value)

    def __neg__(self) -> _Estimate:
        return _Estimate(-self.value, -self.upper, -self.lower)


def _recovered(
    names: Sequence[str], one: _Estimate, other: _Estimate, correlation: pl.Expr | None
) -> tuple[list[pl.Expr], list[pl.Expr]]:
    """Bounds of a difference of two values from the intervals of both, unless they were drawn.

    They are made of how far they reach, columns by themselves.

    An interval tells how far its value varies in each direction; these variances are recovered and
    added up (Zou and Donner 2008). So the bounds are as valid as the two intervals, also for
    distances and maxima, whose differences drawn at random are too narrow: with these, 100 of 100
    audits of 1,000 rows, beside 10,000 rows without any change, found `equalized_odds_gap` worse.

    Values of the same rows vary together. Then each varies by the larger of its two reaches, since
    a bound that ends at the ideal says little of how the value varies with another.
    """
    reaches, bounds = [], []
    for name, sign, near, far in zip(
        names, (-1, 1), (one.lower, one.upper), (other.upper, other.lower), strict=True
    ):
        here, there = sign * (near - one.value), sign * (other.value - far)
        squares = here**2 + there**2
        if correlation is not None:
            here, there = one.reach, other.reach
            squares = (here - there) ** 2 + 2 * (1 - correlation) * here * there
        reach = f"{name}{_REACH}"
        reaches.append(squares.clip(lower_bound=0).sqrt().alias(reach))
        end = one.value - other.value + sign * pl.col(reach).fill_nan(INFINITY)
        # Of an infinite value, the ends of both intervals are known.
        bounds.append(pl.coalesce(name, end.fill_nan(near - far)).alias(name))
    return reaches, bounds


def _bounds_around(column: str, is_same: pl.Expr) -> Iterator[pl.Expr]:
    """The bounds of a difference, which hold it, where there is one; 0 for the same decisions."""
    lower, upper = BOUNDS_OF_DIFFERENCE
    for bound, outermost in ((lower, pl.min_horizontal), (upper, pl.max_horizontal)):
        is_known = pl.col(column).is_not_null() & pl.col(bound).is_not_null()
        held = pl.when(is_same).then(0.0).otherwise(outermost(bound, column))
        yield pl.when(is_known).then(held).alias(bound)


def _change(is_same: pl.Expr) -> pl.Expr:
    """Whether a value is farther from the ideal than the value that it is compared with.

    It is where the difference and the sum of both offsets from the ideal have the same sign: their
    product is what one squared offset has more than the other. Where neither value is off the
    ideal, both intervals hold 0 as often as they say, whatever the sizes of the samples.
    """
    least, most = map(pl.col, BOUNDS_OF_DIFFERENCE)
    least_sum, most_sum = map(pl.col, BOUNDS_OF_SUM)
    rises, falls = least > _ROUNDING, most < -_ROUNDING
    is_above, is_below = least_sum > _ROUNDING, most_sum < -_ROUNDING
    are_within = (pl.col("verdict") == "within") & pl.col("has_reference_within")
    return (
        pl.when(pl.col("difference").is_null())
        .then(None)
        .when((rises & is_above) | (falls & is_below))
        .then(pl.lit("worse"))
        .when((rises & is_below) | (falls & is_above))
        .then(pl.lit("better"))
        .when(are_within | is_same)
        .then(pl.lit("same"))
        .otherwise(pl.lit("unclear"))
    )


def _reaches(value: pl.Expr, bounds: Sequence[str]) -> pl.Expr:
    """How far a value is from 0, in reaches of its interval to this side."""
    lower, upper = map(pl.col, bounds)
    reach = pl.when(value > 0).then(value - lower).otherwise(upper - value)
    # A value may be at an end of drawn bounds. Of an infinite one, only its interval is known.
    scale = pl.when(reach > 0).then(reach).otherwise(upper - lower)
    return (value.abs() / scale).fill_nan(1.0)


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


def _change_by_clarify() -> pl.Expr:
    """Whether a value drifted from its baseline by the rule of SageMaker Model Monitor.

    It documents both conditions: the bootstrap interval and the allowed range are disjoint, and the
    value is worse than the value of the baseline.
    """
    is_above = pl.col("lower") > pl.col("band_upper") + _ROUNDING
    is_below = pl.col("upper") < pl.col("band_lower") - _ROUNDING
    offset, _, _ = OFFSET
    distance, distance_there = pl.col(offset).abs(), pl.col(f"{REFERENCE}{offset}").abs()
    is_farther = distance > distance_there + _ROUNDING
    drifted = (
        pl.when((is_above | is_below) & is_farther).then(pl.lit("worse")).otherwise(pl.lit("same"))
    )
    needed = ("value", "reference", "lower", "upper", "band_lower")
    return pl.when(pl.all_horizontal(pl.col(needed).is_not_null())).then(drifted)


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


_ROWS: Final = ("n_unknown", "rows_seen", "rows_used", "rows_dropped")
_OF_CHANGE: Final = CONTRAST[1:]

KNOWN_WITHOUT_VALUES: Final = (
    *(COMPARISON_KEY, METRIC, "disfavored", "favored", "metric"),
    *("ideal", "band_lower", "band_upper", *_ROWS),
)
"""What a row of an audit says of its comparison, its metric and all rows, and not of a group.

Besides windows and facets. Where a group is hidden or gone, all other columns are null, also those
that are added later.
"""
_KNOWN_OF_SIDES: Final = ("n_disfavored", "n_favored", "is_small")


@dataclass(frozen=True)
class Absences:
    """What an audit compares, as far as it says what is absent."""

    roles: Roles  # the question, whose facets have their sides
    metrics: Mapping[str, Metric]  # by their names in the column ``metric_key``
    metric_key: str
    # The keys of windows, and those of the reference of each; windows without one left out.
    pairs: pl.LazyFrame
    groups: pl.LazyFrame  # the groups of every window, with their size
    minimum_count: int  # the number of rows below which a row is small

    def shown_in(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows of an audit, marked where they have no counterpart, and rows of the missing."""
        # Three queries take 15 ms, where one for each step took 26.
        rows = rows.drop(f"{REFERENCE}{key}" for key in self._windows)
        plan, schema = rows.lazy(), rows.schema
        changed = _compute_once(self._changed_groups())
        gone = self._gone_comparisons(plan, changed, schema)
        marked = self._marked(plan, changed, schema).select(schema.names())
        compared = _compute_once(pl.concat([marked, gone.select(schema.names())]))
        parts = [compared, self._groups_alone(compared, changed, schema)]
        if self.roles.windows.has_baseline:
            is_all_gone = rows[IS_BASELINE].all()
            gone_windows = self._gone_windows(plan, schema, is_all_gone=is_all_gone)
            parts = [self._marked_new_windows(compared), parts[1], gone_windows]
        return collected(pl.concat(part.select(schema.names()) for part in parts), is_cheap=True)

    @property
    def _windows(self) -> list[str]:
        return self.roles.windows.keys

    @property
    def _places(self) -> list[str]:
        return [*self._windows, "facet"]

    def _reference_rows(self, table: pl.LazyFrame) -> pl.LazyFrame:
        """The rows of the reference of each window, with the keys of the window."""
        on = [f"{REFERENCE}{key}" for key in self._windows]
        there = table.rename(dict(zip(self._windows, on, strict=True)))
        return self.pairs.join(there, on=on, nulls_equal=True).drop(on)

    def _changed_groups(self) -> pl.LazyFrame:
        """The groups that only one window of a pair has, with their size here, 0 if it is gone."""
        keys = [*self._places, "value"]
        compared = self.pairs.select(self._windows)
        here = compared.join(self.groups, on=self._windows, nulls_equal=True)
        there = self._reference_rows(self.groups)
        gone = there.join(here, on=keys, how="anti", nulls_equal=True)
        new = here.join(there, on=keys, how="anti", nulls_equal=True)
        return pl.concat([gone.select(*keys, pl.col("size") * 0), new.select(*keys, "size")])

    def _marked(self, rows: pl.LazyFrame, changed: pl.LazyFrame, schema: pl.Schema) -> pl.LazyFrame:
        """The rows, without the value, the reference or the change that compares nothing."""
        group = [*self._places, COMPARISON_KEY]
        of_groups = changed.rename({"value": COMPARISON_KEY})
        flags = {
            "has_pair": (self.pairs, self._windows),
            "has_changed": (changed.unique(self._places), self._places),
            "comes": (of_groups.filter(pl.col("size") > 0), group),
        }
        for flag, (frame, on) in flags.items():
            flagged = frame.select(*on, pl.lit(value=True).alias(flag))
            rows = rows.join(flagged, on=on, how="left", nulls_equal=True, maintain_order="left")
        flagged = rows.with_columns(pl.col(*flags, HAS_ROWS_THERE).fill_null(value=False))
        return flagged.with_columns(self._marks(schema))

    def _marks(self, schema: pl.Schema) -> Iterator[pl.Expr]:
        is_compared = pl.col("has_pair") & pl.col(COMPARISON_KEY).is_not_null()
        here, there = pl.col(HAS_ROWS), pl.col(HAS_ROWS_THERE)
        # A group that is side a there has no comparison there, and is not new.
        finding = [facet.name for facet in self.roles.facets if facet.finds_group]
        may_be_new = ~pl.col("facet").is_in(finding) | pl.col("comes")
        is_gone, is_new = is_compared & ~here & there, is_compared & here & ~there & may_be_new
        # A gap between other groups is neither better nor worse.
        is_of_others = pl.col("has_changed") & pl.col(self.metric_key).is_in(
            self._whole_facet_metrics
        )
        yield from _null_where(is_gone, *self._of_groups(schema) - {*CONTRAST, "note"})
        yield from _null_where(is_new, "reference")
        yield from _null_where(is_gone | is_new | is_of_others, *_OF_CHANGE)
        yield _undefined_where(is_gone | is_new)

    def _of_groups(self, schema: pl.Schema) -> set[str]:
        """The columns that are null where one side of a comparison is gone."""
        known = (*self._places, *KNOWN_WITHOUT_VALUES, *_KNOWN_OF_SIDES, IS_BASELINE)
        return {*schema} - {*known, "reference", "verdict"}

    def _without_value(self, schema: pl.Schema, reference: pl.Expr) -> list[pl.Expr]:
        """What is known where there is no value: at most that of the reference."""
        return [
            *(pl.lit(None, schema[name]).alias(name) for name in self._of_groups(schema)),
            reference.alias("reference"),
            pl.lit("undefined").alias("verdict"),
        ]

    @property
    def _whole_facet_metrics(self) -> list[str]:
        """The metrics that have one value for the groups of a facet together."""
        return [
            name
            for name, metric in self.metrics.items()
            if metric.parsed.level.keeps_groups_apart and not metric.is_joint
        ]

    def _gone_comparisons(
        self, rows: pl.LazyFrame, changed: pl.LazyFrame, schema: pl.Schema
    ) -> pl.LazyFrame:
        """The comparisons of groups that have rows in the window of the reference alone."""
        there = self._reference_rows(rows.filter(pl.col(COMPARISON_KEY).is_not_null(), HAS_ROWS))
        keys = [*self._places, COMPARISON_KEY]
        gone = there.join(rows, on=[*keys, self.metric_key], how="anti", nulls_equal=True)
        groups = changed.filter(size=0).rename({"value": COMPARISON_KEY})
        gone = gone.join(groups, on=keys, how="semi", nulls_equal=True)
        sizes = self._sizes_of_a().select(
            *self._places, "favored", pl.col("size").cast(schema["n_favored"])
        )
        return (
            gone.drop(_ROWS)
            .join(
                rows.select(*self._places, *_ROWS).unique(self._places),
                on=self._places,
                nulls_equal=True,
            )
            .join(sizes, on=[*self._places, "favored"], how="left", nulls_equal=True)
            .with_columns(
                *self._without_value(schema, pl.col("value")),
                n_disfavored=pl.lit(0, schema["n_disfavored"]),
                n_favored=pl.col("size").fill_null(0),
                is_small=pl.lit(self.minimum_count > 0),
            )
        )

    def _sizes_of_a(self) -> pl.LazyFrame:
        """The size of side a in every window, by its name in results."""
        others = (
            (pl.col("facet") == facet.name) & ~pl.col("value").is_in(facet.favored)
            for facet in self.roles.facets
            if facet.favored
        )
        members = self.groups.filter(~pl.any_horizontal(pl.lit(value=False), *others))
        named = members.with_columns(reference="value")
        named = named.with_columns(favored(self.roles).alias("favored"))
        return named.group_by(*self._places, "favored").agg(pl.col("size").sum())

    def _groups_alone(
        self, compared: pl.LazyFrame, changed: pl.LazyFrame, schema: pl.Schema
    ) -> pl.LazyFrame:
        """A row of each metric for the changed groups that no comparison shows by itself."""
        own = compared.select(*self._places, pl.col(COMPARISON_KEY).alias("value"))
        by_metric = compared.unique([*self._places, self.metric_key], maintain_order=True)
        changes = changed.join(by_metric.drop("value"), on=self._places, nulls_equal=True)
        sided = [name for name, metric in self.metrics.items() if metric.has_sides]
        metric = pl.col(self.metric_key)
        alone = pl.concat(
            [
                changes.filter(metric.is_in(self._whole_facet_metrics)),
                changes.filter(metric.is_in(sided) & ~self._is_shown_by_others()).join(
                    own, on=[*self._places, "value"], how="anti", nulls_equal=True
                ),
            ]
        )
        return alone.with_columns(
            pl.col("value").alias(COMPARISON_KEY),
            disfavored=written_key(pl.col("value"), self.roles),
            favored=pl.lit(None, pl.String),
            n_disfavored=pl.col("size").cast(schema["n_disfavored"]),
            n_favored=pl.lit(None, schema["n_favored"]),
            is_small=pl.col("size") < self.minimum_count,
        ).with_columns(*self._without_value(schema, pl.lit(None, pl.Float64)))

    def _is_shown_by_others(self) -> pl.Expr:
        """Whether a group is all of side a, or on neither of two sides that were given."""
        conditions = [pl.lit(value=False)]
        for facet in self.roles.facets:
            is_of_facet, value = pl.col("facet") == facet.name, pl.col("value")
            if len(facet.favored) == 1:
                conditions.append(is_of_facet & value.is_in(facet.favored))
            if facet.disfavored and facet.favored:
                sides = [*facet.disfavored, *facet.favored]
                conditions.append(is_of_facet & ~value.is_in(sides))
        return pl.any_horizontal(conditions)

    @property
    def _matched(self) -> list[str]:
        """The keys by which windows of the frame and of the baseline are the same."""
        windows = self.roles.windows
        return [*(windows.matched or ()), *windows.without_baseline.made]

    def _marked_new_windows(self, rows: pl.LazyFrame) -> pl.LazyFrame:
        """The rows, with an undefined verdict in windows that the baseline lacks."""
        if not self._matched:
            return rows
        known = rows.filter(IS_BASELINE).select(self._matched).unique()
        flagged = rows.join(
            known.with_columns(is_known=True),
            on=self._matched,
            how="left",
            nulls_equal=True,
            maintain_order="left",
        )
        return flagged.with_columns(_undefined_where(pl.col("is_known").is_null()))

    def _gone_windows(
        self, rows: pl.LazyFrame, schema: pl.Schema, *, is_all_gone: bool
    ) -> pl.LazyFrame:
        """The rows of windows that only the baseline has, without values."""
        here, there = (rows.filter(pl.col(IS_BASELINE) == is_there) for is_there in (False, True))
        if self._matched:
            gone = there.join(here, on=self._matched, how="anti", nulls_equal=True)
        else:
            gone = there.filter(is_all_gone)
        return gone.with_columns(
            *self._without_value(schema, pl.col("value")),
            pl.col("n_disfavored", "n_favored", *_ROWS) * 0,
            is_small=pl.lit(self.minimum_count > 0),
        ).with_columns(pl.lit(value=False).alias(IS_BASELINE))


def _compute_once(plan: pl.LazyFrame) -> pl.LazyFrame:
    """The same rows, computed once for all that follows from them."""
    return collected(plan, is_cheap=True).lazy()


def _null_where(is_absent: pl.Expr, *names: str) -> Iterator[pl.Expr]:
    for name in names:
        yield pl.when(~is_absent).then(name).alias(name)


def _undefined_where(is_absent: pl.Expr) -> pl.Expr:
    undefined = pl.lit("undefined")
    return pl.when(is_absent).then(undefined).otherwise("verdict").alias("verdict")
