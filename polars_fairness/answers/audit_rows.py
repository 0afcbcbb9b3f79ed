"""The rows of an audit: each metric in each comparison, with its interval, verdict and note.

A table of values has a column for each metric. These are stacked, and judged all at once: to judge
one metric after the other took a third of an audit of all metrics.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import NormalDist
from typing import Final

import polars as pl

from polars_fairness.answers.contrasts import (
    BOUNDS_OF_DIFFERENCE,
    BOUNDS_OF_SUM,
    HAS_ROWS,
    OFFSET,
    SLOPE,
)
from polars_fairness.answers.notes import (
    RANGE,
    WORDS,
    columns_of_notes,
    is_impossible,
    note_of_rows,
    words_of_notes,
)
from polars_fairness.answers.options import Criteria
from polars_fairness.api.verdicts import DEPENDS, judged, widened
from polars_fairness.counting.collected import WORTH_OPTIMISING, collected
from polars_fairness.counting.polars_rows import SCALED_ROWS
from polars_fairness.counting.sides import COMPARISON_KEY, GROUPS_CHOSEN_FROM
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.bound_names import (
    CORRELATION,
    DEVIATIONS,
    DIFFERENCE,
    METRIC,
    NOTE,
    P_VALUE,
    REASON,
    SUM,
    bound_names,
)
from polars_fairness.inference.significance import normal_p
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import SIDES, SIZES, is_meant, place_keys

ROWS: Final = ("rows_seen", "rows_used", "rows_dropped")
OF_SIDES: Final = (*SIDES[1:], *SIZES[:2])
STANDARD: Final = ("ideal", "band_lower", "band_upper")

# Inner columns: no column of a caller and no metric has such a name.
LEAN, SMALLER, GROUP, WORST, WIDENING = (
    f"{name}\x1f" for name in ("lean", "smaller", "group", "worst", "widening")
)
_FEWEST, _SIGN, _IS_RATIO, _IS_JOINT, _IS_MEANT = (
    f"{name}\x1f" for name in ("fewest", "sign", "ratio", "joint", "meant")
)
_HAS_INTERVAL, _BY_INTERVAL, _BY_BOUNDS, _BY_TEST = (
    f"{name}\x1f" for name in ("interval", "by interval", "by bounds", "by test")
)
_EDGES: Final = ("edge_lower\x1f", "edge_upper\x1f")
_JUDGED: Final = ("judged_lower\x1f", "judged_upper\x1f")


def ends(value: str, lower: str, upper: str, *, has_sides: bool) -> tuple[pl.Expr, pl.Expr]:
    """The bounds in a table of values and bounds, which contain the value; null without both."""
    low, middle, high = map(pl.col, (lower, value, upper))
    has_both = _is_estimated(middle, has_sides=has_sides) & low.is_not_null() & high.is_not_null()
    return (
        pl.when(has_both).then(pl.min_horizontal(low, middle)),
        pl.when(has_both).then(pl.max_horizontal(high, middle)),
    )


def _is_estimated(value: pl.Expr, *, has_sides: bool) -> pl.Expr:
    """Whether a value has an interval and a verdict.

    Without rows on a side a formula may have a value, but it is no estimate.
    """
    return value.is_not_null() & ((pl.col(SMALLER) > 0) | (not has_sides))


def rows_of_metrics(
    table: pl.DataFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    names: Mapping[str, str],
    criteria: Criteria,
) -> pl.DataFrame:
    """The rows of metrics, by their inner names; all of them have sides, or none has.

    ``names`` are those by which metrics are called.
    """
    places, options = place_keys(roles), criteria.options
    has_sides = all(metric.has_sides for metric in metrics.values())
    if not has_sides:
        of_sides = (*OF_SIDES, COMPARISON_KEY)
        sides = (pl.lit(None, table.schema[each]).alias(each) for each in of_sides)
        table = table.unique(places, keep="first", maintain_order=True).with_columns(sides)
    if roles.windows.has_classes:
        table = table.with_columns(
            is_meant(metric, roles).alias(f"{name}{_IS_MEANT}") for name, metric in metrics.items()
        )
    rows = _stacked(table, roles, metrics, _metric_table(table, roles, metrics, names, criteria))
    if roles.are_joint:
        rows = rows.filter((pl.col("facet") == roles.joint_facet) == pl.col(_IS_JOINT))
    if roles.windows.has_classes:
        rows = rows.filter(_IS_MEANT)
    low, high = ends("value", "lower", "upper", has_sides=has_sides)
    are_tested = options.p_values is not None
    # One after the other: polars computes a part of an expression anew wherever it stands.
    judged_rows = rows.lazy().with_columns(lower=low, upper=high).with_columns(_judged_ends())
    judged_rows = judged_rows.with_columns(
        is_small=pl.col(_FEWEST).fill_null(0) < (options.minimum_count or 0),
        verdict=_verdict(roles, has_sides=has_sides),
        note=note_of_rows(rows, roles, has_sides=has_sides, are_tested=are_tested),
        fair_p_value=pl.lit(None, pl.Float64),
        **(_contrast_columns(has_sides=has_sides) if options.contrast is not None else {}),
    )
    rows = collected(judged_rows, is_cheap=rows.height < WORTH_OPTIMISING)
    if not options.equivalence or options.confidence is None:
        return rows
    return rows.with_columns(_fair_p_values(rows, options.confidence))


def _contrast_columns(*, has_sides: bool) -> dict[str, pl.Expr]:
    """What a contrast with a reference is made of."""
    value, ideal, lower, upper = map(pl.col, ("value", "ideal", "lower", "upper"))
    return {
        HAS_ROWS: (pl.col(SMALLER) > 0) | (not has_sides),
        SLOPE: pl.when(_IS_RATIO).then(value).otherwise(1.0),
        **{
            name: pl.when(_IS_RATIO).then(each.log()).otherwise(each - ideal)
            for name, each in zip(OFFSET, (value, lower, upper), strict=True)
        },
    }


def _fair_p_values(rows: pl.DataFrame, confidence: float) -> pl.Series:
    """The p-values of the claims that values lie outside their bands: of two tests the larger.

    A value is as far within an edge as half widths of the interval toward that edge say.
    """
    value, lower, upper = map(pl.col, ("value", "lower", "upper"))
    least, most = map(pl.col, _EDGES)
    within = []
    for distance, is_most in ((value - least, False), (most - value, True)):
        above, below = upper - value, value - lower
        half = pl.when((distance >= 0) == is_most).then(above).otherwise(below)
        # Where both are infinite, or nothing, the side of the edge is known.
        within.append((distance / half).fill_nan(distance.sign()))
    z = NormalDist().inv_cdf((1 + confidence) / 2) * pl.min_horizontal(within)
    is_judged = pl.all_horizontal(
        pl.col("verdict") != "undefined", lower.is_not_null(), least.is_not_null()
    )
    z_scores = rows.select(pl.when(is_judged).then(z)).to_series()
    tail = normal_p(z_scores.abs()) / 2
    return rows.select(
        pl.when(z_scores > 0).then(tail).otherwise(1 - tail).alias("fair_p_value")
    ).to_series()


def _judged_ends() -> Iterator[pl.Expr]:
    """The ends that a verdict is about: of an interval, of a test, or the value twice."""
    value, ideal = pl.col("value"), pl.col("ideal").fill_null(0.0)
    # The value of a test is a number of standard errors: of all pairs it takes more.
    nearer = ideal + (value - ideal) / pl.col(WIDENING)
    for name, bound, outer in (
        (_JUDGED[0], "lower", pl.min_horizontal),
        (_JUDGED[1], "upper", pl.max_horizontal),
    ):
        end = pl.when(_BY_BOUNDS).then(bound).when(_BY_TEST).then(outer(nearer, value))
        yield end.otherwise(value).alias(name)


def _verdict(roles: Roles, *, has_sides: bool) -> pl.Expr:
    lean = pl.col(LEAN) if roles.favorable else -pl.col(LEAN)
    low, high, least, most, sign = map(pl.col, (*_JUDGED, *_EDGES, _SIGN))
    verdict = judged(low, high, least, most, sign, lean)
    is_judged = _is_estimated(pl.col("value"), has_sides=has_sides)
    if roles.has_rows_together:
        # The value of a test is a number of standard errors of independent rows.
        is_judged &= pl.col(_HAS_INTERVAL)
    is_judged &= pl.col(REASON).is_null() | ~pl.col(_BY_INTERVAL)
    if roles.windows.has_estimators:
        is_judged &= ~is_impossible()
    has_band = pl.col(_EDGES[0]).is_not_null()
    return pl.when(is_judged & has_band).then(verdict).when(has_band).then(pl.lit("undefined"))


def verdict_over_unknown() -> pl.Expr:
    """The verdict, or "depends" where the groups of unknown rows could move the value over an edge.

    The ends hold without chance; `bounds` also judges their intervals.
    """
    verdict, edges = pl.col("verdict"), map(pl.col, _EDGES)
    is_crossed = [(pl.col("lowest") < edge) & (edge < pl.col("highest")) for edge in edges]
    is_judged = (verdict != "undefined").fill_null(value=False)
    return (
        pl.when(is_judged & pl.any_horizontal(is_crossed)).then(pl.lit(DEPENDS)).otherwise(verdict)
    )


def verdict_on_range(least: str, most: str, is_defined: str) -> pl.Expr:
    """Where all between two ends lies, or "depends" where only some of it lies in the band."""
    low, high, is_known = pl.col(_EDGES[0]), pl.col(_EDGES[1]), pl.col(is_defined)
    verdict = judged(pl.col(least), pl.col(most), low, high, pl.col(_SIGN), pl.lit(0))
    # A way without a value, or without an interval, is none that is fair.
    depends = (
        ~is_known | pl.col(least).is_null() | pl.col(most).is_null() | (verdict == "uncertain")
    )
    judgement = pl.when(depends).then(pl.lit(DEPENDS)).otherwise(verdict)
    judgement = pl.when(pl.col("lowest").is_null()).then(pl.lit("undefined")).otherwise(judgement)
    return pl.when(low.is_not_null()).then(judgement)


def _metric_table(
    table: pl.DataFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    names: Mapping[str, str],
    criteria: Criteria,
) -> pl.DataFrame:
    """What is the same in all rows of a metric, a row for each metric."""
    rows, known, none = [], {*table.columns}, (None, None)
    for name, metric in metrics.items():
        called = names[name]
        band, by_interval = criteria.bands[called], criteria.rules[called] == "interval"
        has_bounds = {*bound_names(name)} <= known
        is_test = metric.has_sides and not (metric.has_interval or has_bounds)
        rows.append(
            {
                METRIC: name,
                "metric": called,
                **dict(zip(STANDARD, (metric.ideal, *(band or none)), strict=True)),
                **dict(zip(_EDGES, widened(band) if band else none, strict=True)),
                **dict(zip(RANGE, metric.range, strict=True)),
                _SIGN: criteria.signs.get(called, 0),
                _IS_RATIO: metric.is_ratio,
                _IS_JOINT: metric.is_joint,
                _HAS_INTERVAL: metric.has_interval,
                _BY_INTERVAL: by_interval,
                _BY_BOUNDS: by_interval and has_bounds,
                _BY_TEST: by_interval and is_test,
                **words_of_notes(metric, roles),
            }
        )
    types = dict.fromkeys((*STANDARD, *_EDGES, *RANGE), pl.Float64())
    return pl.DataFrame(rows, schema_overrides=types | dict.fromkeys(WORDS, pl.String()))


def _columns_of(name: str, metric: Metric) -> dict[str, str]:
    """The columns in a table of values that a metric's rows have, by their names in these."""
    fewest = SMALLER
    if not metric.has_sides:
        apart = metric.parsed.level.keeps_groups_apart
        fewest = f"{name}{WORST}" if metric.is_joint else GROUP if apart else "rows_used"
    columns = {"value": name, "p_value": f"{name}{P_VALUE}", _FEWEST: fewest}
    about = [role for role in ("predicted", "label") if role in metric.needs]
    # A distance between scores is about their order or their height, and not about a rate.
    has_lean = metric.has_sides and about and "score" not in metric.needs
    columns[LEAN] = f"{LEAN}{about[0]}" if has_lean else ""
    for ending, bounds in (
        ("", ("lower", "upper")),
        (DIFFERENCE, BOUNDS_OF_DIFFERENCE),
        (SUM, BOUNDS_OF_SUM),
    ):
        columns |= zip(bounds, bound_names(f"{name}{ending}"), strict=True)
    columns |= {
        each: f"{name}{each}" for each in (CORRELATION, DEVIATIONS, NOTE, REASON, _IS_MEANT)
    }
    return columns | columns_of_notes(name, metric)


def _stacked(
    table: pl.DataFrame, roles: Roles, metrics: Mapping[str, Metric], by_metric: pl.DataFrame
) -> pl.DataFrame:
    """The rows of all metrics, one after the other: null is in place of what a table lacks."""
    known, height = {*table.columns}, table.height
    columns = [_columns_of(name, metric) for name, metric in metrics.items()]
    inner = (COMPARISON_KEY, GROUPS_CHOSEN_FROM, SMALLER, WIDENING)
    common = [*place_keys(roles), *SIDES[1:], *SIZES, *ROWS, *inner]
    common += [SCALED_ROWS] if SCALED_ROWS in known else []
    number = pl.int_range(len(metrics) * height, eager=True) // max(height, 1)
    stacked = {}
    for word in columns[0]:
        dtype = _TYPES.get(word, pl.Float64())
        none = pl.Series(word, [None], dtype)
        if not any(each[word] in known for each in columns):
            stacked[word] = none.new_from_index(0, height * len(columns))
            continue
        none = none.new_from_index(0, height)
        of_metrics = [table[each[word]] if each[word] in known else none for each in columns]
        # To cast a column, even to the type that it has, takes longer than to stack it.
        of_type = [each if each.dtype == dtype else each.cast(dtype) for each in of_metrics]
        stacked[word] = pl.concat(of_type, rechunk=True)
    of_places = pl.concat([table[common]] * len(metrics), rechunk=True)
    return of_places.hstack(by_metric[number]).hstack(pl.DataFrame(stacked))


_TYPES: Final = {
    _IS_MEANT: pl.Boolean(),
    NOTE: pl.String(),
    REASON: pl.String(),
    DEVIATIONS: pl.List(pl.Float64),
}
