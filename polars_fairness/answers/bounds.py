"""The function `bounds`: how far rows of unknown group could move a metric."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Final, Unpack, cast

import numpy as np
import polars as pl

from polars_fairness.answers.audit import Counted, as_shown, by_number, values_and_bounds
from polars_fairness.answers.audit_rows import STANDARD, ends
from polars_fairness.answers.notes import METRIC
from polars_fairness.answers.options import AuditOptions, Criteria, find_criteria
from polars_fairness.api.bound import read
from polars_fairness.api.columns import BOUNDED, names_of
from polars_fairness.api.plan import answer_of
from polars_fairness.api.requested import one_by_one, requested, serving, with_rows_apart
from polars_fairness.api.signatures import answers
from polars_fairness.api.verdicts import DEPENDS, judged, widened
from polars_fairness.counting.cells import without_key
from polars_fairness.counting.clusters import CLUSTER
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.counting.counts import PARTS, finest, tallied, with_finest_counts
from polars_fairness.counting.polars_rows import is_tally, sums_of_tallies
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.counting.sides import COMPARISON_KEY, by_facet, find_choice
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.levels import COMPARISON
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.rates import RATES
from polars_fairness.formula.sides import a, d
from polars_fairness.inference.bound_names import REASON, bound_names
from polars_fairness.inference.deviations import Floats, deviations
from polars_fairness.inference.jackknife import are_counted
from polars_fairness.inference.quantiles import critical_value
from polars_fairness.question.arguments import Question, defaults, parted
from polars_fairness.question.audit_arguments import OF_AUDIT, OF_BOUNDS, PROXY, BoundsQuestion
from polars_fairness.question.columns import ColumnLike, GivenAs
from polars_fairness.question.facets import Facet
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import ALLOCATION, WEIGHTED
from polars_fairness.values.evaluate import SIDES, SIZES, by_needs, is_meant, place_keys, prepared
from polars_fairness.values.extremes import (
    IS_KNOWN,
    IS_WHOLE,
    WAY,
    WHOLE,
    has_bounds,
    values_by_way,
    ways_of,
)
from polars_fairness.values.formula_checks import rates_compared
from polars_fairness.values.levels import computed, keys_of

# In cells of 30 rows, means pull ends of ±1 to ±0.86; in cells of 1,000 to ±0.975.
_LEAST_ROWS: Final = 100

_ROW: Final = "row\x1f"
_SUMS: Final = ("rows", "of_d", "of_a", "above", "below")


COLUMNS: Final = names_of(BOUNDED)
"""The columns of the result after those of ``by``."""

# No column of a caller and no metric has such a name.
IS_DEFINED: Final = "is defined\x1f"

# A group that is none of the user's: one of everyone else.
_OTHERS: Final = "others\x1f"

ENDS: Final = ("lowest", "highest")

# So many comparisons at a time are joined with the cells of their facet.
_AT_ONCE: Final = 50


@answers(*OF_BOUNDS, columns=BOUNDED)
def bounds(
    frame: AnyFrame,
    *metrics: str | Metric | Sequence[str | Metric],
    **given: Unpack[BoundsQuestion],
) -> PolarsFrame:
    """Return the smallest and the largest value of metrics, whatever the unknown groups are.

    Of each outcome, any part of the rows of unknown group may belong to either side; nothing is
    assumed about them. Groups found by ``pf.HIGHEST`` or ``pf.LARGEST`` are those of the rows whose
    group is known. Beside ``pf.OVERALL`` side a has all rows in any case.

    With ``proxy``, of groups known in probability, they are those that the mean probabilities and
    outcomes of each cell of the proxies allow, and ``value`` is that of the weighted estimator.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    *metrics
        As in `metrics`. Those that each outcome moves in one direction in the rows of d, and in the
        other in those of a, such as differences and ratios of two rates; others are an error.
        Without any, all of these that the given columns allow.
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison and metric. The columns are those of ``by``, then:

        {columns}

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> question = {"facet": "race", "disfavored": "Black", "favored": "White"}
    >>> answer = pf.bounds(pf.datasets.loans(), "di", predicted="approved", **question)
    >>> answer.select(pl.col("value", "lowest", "highest").round(3), "verdict")
    shape: (1, 4)
    ┌───────┬────────┬─────────┬─────────┐
    │ value ┆ lowest ┆ highest ┆ verdict │
    │ ---   ┆ ---    ┆ ---     ┆ ---     │
    │ f64   ┆ f64    ┆ f64     ┆ str     │
    ╞═══════╪════════╪═════════╪═════════╡
    │ 0.885 ┆ 0.372  ┆ 1.805   ┆ depends │
    └───────┴────────┴─────────┴─────────┘
    """
    own, question = parted(given, OF_BOUNDS)
    bound = read(frame, cast("Question", question), "bounds", own)
    proxy = own.pop(PROXY.name)
    options = AuditOptions(**{**defaults(OF_AUDIT), **own})
    if proxy is not None:
        # The values of the proxies are the strata.
        columns = proxy if isinstance(proxy, list | tuple) else [cast("ColumnLike", proxy)]
        given_as = [GivenAs(PROXY.name, column) for column in columns]
        question |= {"subgroup": given_as, "estimator": WEIGHTED}
        bound = read(frame, cast("Question", question))
    has = partial(has_bounds, is_weighted=bound.roles.is_weighted)
    named = one_by_one(metrics)
    known, roles = requested(named, bound.roles)

    def is_bounded(metric: Metric) -> bool:
        return has(metric) and (proxy is None or len(rates_compared(metric)) == 1)

    found = {name: each for name, each in known.items() if is_bounded(each)}
    others = [name for name in known if name not in found]
    if (named and others) or not found:
        allowed, _ = requested([], bound.roles)
        have = [name for name, each in allowed.items() if is_bounded(each)]
        why = (
            "may be farthest where rows of one outcome are divided between the sides, and has no "
            "bounds"
        )
        if proxy is not None:
            why = "is not about one rate of each side, and has no bounds over proxies"
        among = f"of the metrics that the columns allow, {listed(have, most=len(have))} have"
        if not have:
            among = "no metric of the columns given has bounds; name the predicted or label column"
        raise FairnessError(f"bounds: {f'{listed(others)} {why}; ' if named else ''}{among}")
    if proxy is None:
        roles = serving(found, roles)
    else:
        needs = {need for metric in found.values() for need in metric.needs}
        roles = bound.roles.keeping({*needs, "subgroup"})
    criteria = find_criteria(found, roles, options)
    if proxy is not None and options.confidence is not None:
        roles = with_rows_apart(found.values(), roles)
    compute = bounded if proxy is None else bounded_by_proxy
    of_found = partial(compute, metrics=found, criteria=criteria)
    return answer_of(bound, roles, of_found, BOUNDED, by_cluster=True)


# Rows of unknown group are given to both sides, all of one outcome together, in each way that there
# is. The metrics move farthest where all go to one side (`sets_sides_apart`). The two ways that
# lead farthest become windows, which are audited as any other.
def bounded(
    seen: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric], criteria: Criteria
) -> pl.LazyFrame:
    """The range of each metric of each comparison, from the cells of all rows."""
    numbered = by_number(metrics)
    plan, _, sided = prepared(seen, roles.with_inner_names)
    cells = collected(plan)
    counted = Counted.of(cells, cells.lazy(), sided, find_choice(cells.lazy(), sided))
    names, found = dict(zip(numbered, metrics, strict=True)), []
    for counting, alike in by_needs(numbered, sided):
        complete = collected(of_complete_rows(counted.cells.lazy(), counting))
        ways = ways_of(counting)
        extremes = values_by_way(complete, counting, alike, ways)
        known = values_and_bounds(counted, counting, alike, criteria.options)
        in_ways = _filled(cells, counting, extremes, ways)
        filled = Counted.of(in_ways, in_ways.lazy(), counting)
        if counted.choice is not None:
            of_ways = in_ways.select(*place_keys(counting), ALLOCATION).unique(maintain_order=True)
            chosen = of_ways.join(counted.choice, on=place_keys(counting), nulls_equal=True)
            filled = replace(filled, choice=chosen)
        windows = replace(counting.windows, made=(ALLOCATION, *counting.windows.made))
        in_windows = replace(counting, windows=windows)
        limits = values_and_bounds(filled, in_windows, alike, criteria.options)
        for name, metric in alike.items():
            table = _with_ends(known, limits, extremes, counting, name, metric, criteria)
            found.append(rows_of_bounds(table, counting, name, names[name], metric, criteria))
    return as_shown(pl.concat(found, how="diagonal"), roles, COLUMNS)


def _at(extremes: pl.DataFrame, name: str, end: str, keys: Sequence[str]) -> pl.DataFrame:
    """One end of a metric's range in each comparison, and the first way to it."""
    value = pl.col(name)
    reached = value.min() if end == "lowest" else value.max()
    return (
        extremes.filter(value == reached.over(keys))
        .unique(keys, keep="first", maintain_order=True)
        .select(*keys, pl.col(name).alias(end), pl.col(WAY).alias(f"{end}{WAY}"))
    )


def _filled(
    cells: pl.DataFrame, roles: Roles, extremes: pl.DataFrame, ways: pl.DataFrame
) -> pl.DataFrame:
    """The cells of each way that leads farthest, the unknown rows in the groups of one comparison.

    A comparison and a way are one window, `ALLOCATION`.
    """
    keys = keys_of(COMPARISON, roles)
    metrics = [name for name in extremes.columns if name not in (*keys, WAY, IS_KNOWN)]
    needed = pl.concat(
        _at(extremes, name, end, keys).select(*keys, pl.col(f"{end}{WAY}").alias(WAY))
        for name in metrics
        for end in ENDS
    ).unique(maintain_order=True)
    numbered = needed.with_columns(_allocation(pl.col(WAY))).join(
        ways.filter(IS_WHOLE), on=["facet", WAY]
    )
    of_sides = _sides_of(cells, roles, needed.select(keys).unique(maintain_order=True))
    by_count = collected(with_finest_counts(of_sides.lazy(), roles))
    joined = by_count.join(numbered, on=keys, nulls_equal=True, maintain_order="right_left")
    of_d, of_a = (
        pl.any_horizontal(
            (pl.col(count) > 0) & (pl.col(f"{side.name}.{count}{WHOLE}") == 1)
            for count in finest(roles)
        )
        for side in (d, a)
    )
    no_group = pl.lit(None, pl.String)
    value = (
        pl.when(pl.col("value").is_not_null())
        .then("value")
        .when(of_d)
        .then(by_facet(roles, _in_d, no_group))
        .when(of_a)
        .then(by_facet(roles, _in_a, no_group))
    )
    tallies = [name for name in cells.columns if is_tally(name)]
    others = [name for name in cells.columns if name not in ("value", *tallies)]
    return joined.group_by(*others, ALLOCATION, value.alias("value"), maintain_order=True).agg(
        **sums_of_tallies(tallies)
    )


def _sides_of(cells: pl.DataFrame, roles: Roles, comparisons: pl.DataFrame) -> pl.DataFrame:
    """The cells of each comparison, one group for each side, and the unknown rows.

    A facet of a thousand values has a thousand comparisons, each with the cells of all values.
    """
    place = place_keys(roles)
    tallies = [name for name in cells.columns if is_tally(name)]
    others = [name for name in cells.columns if name not in ("value", *tallies)]
    is_unknown = pl.col("value").is_null()
    parts = []
    for some in [*comparisons.iter_slices(_AT_ONCE)] or [comparisons]:
        joined = cells.join(some, on=place, nulls_equal=True, maintain_order="right_left")
        grouped = joined.with_columns(
            value=by_facet(roles, _group_of, pl.lit(None, pl.String)), unknown=is_unknown
        )
        known = grouped.filter(pl.col("unknown") | pl.col("value").is_not_null())
        parts.append(
            known.group_by(*others, COMPARISON_KEY, "value", maintain_order=True).agg(
                **sums_of_tallies(tallies)
            )
        )
    return pl.concat(parts)


def _group_of(facet: Facet) -> pl.Expr:
    """The group that stands for the side of a known value in a comparison; null for neither."""
    value, of_d, of_a = pl.col("value"), _in_d(facet), _in_a(facet)
    is_in_d = value.is_in(facet.disfavored) if facet.disfavored else value == of_d
    if facet.finds_group:
        is_in_a = value == of_a
    elif facet.favored:
        is_in_a = value.is_in(facet.favored)
    else:
        is_in_a = value.is_not_null()
    return pl.when(is_in_d).then(of_d).when(is_in_a).then(of_a)


def _allocation(way: pl.Expr) -> pl.Expr:
    """The key of a window that has the unknown rows of one comparison given in one way."""
    return pl.concat_str(COMPARISON_KEY, way.cast(pl.String), separator="\x1e").alias(ALLOCATION)


def _in_d(facet: Facet) -> pl.Expr:
    """A group of side d."""
    return pl.lit(facet.disfavored[0]) if facet.disfavored else pl.col(COMPARISON_KEY)


def _in_a(facet: Facet) -> pl.Expr:
    """A group of side a."""
    if facet.finds_group:
        return pl.col("reference")
    return pl.lit(facet.favored[0] if facet.favored else _OTHERS)


def _with_ends(
    known: pl.DataFrame,
    limits: pl.DataFrame,
    extremes: pl.DataFrame,
    roles: Roles,
    name: str,
    metric: Metric,
    criteria: Criteria,
) -> pl.DataFrame:
    """The values with both ends of a metric's range, their bounds, and whether all have a value."""
    keys = keys_of(COMPARISON, roles)
    table = known
    for end, is_lower in zip(ENDS, (True, False), strict=True):
        at = _at(extremes, name, end, keys).with_columns(_allocation(pl.col(f"{end}{WAY}")))
        lower = upper = pl.lit(None)
        if criteria.options.confidence:
            lower, upper = ends(name, *bound_names(name), has_sides=metric.has_sides)
        bound = lower.alias("lower") if is_lower else upper.alias("upper")
        reason = pl.col(f"^{name}{REASON}$").alias(f"{end}{REASON}")
        of_end = limits.select(*keys, ALLOCATION, bound, reason)
        both = at.join(of_end, on=[*keys, ALLOCATION], how="left", nulls_equal=True)
        table = table.join(
            both.drop(ALLOCATION, f"{end}{WAY}"),
            on=keys,
            how="left",
            nulls_equal=True,
            maintain_order="left",
        )
    is_defined = extremes.group_by(keys).agg(
        pl.col(name).filter(IS_KNOWN).is_not_null().all().alias(IS_DEFINED),
        pl.col(IS_KNOWN).all(),
    )
    return table.join(is_defined, on=keys, how="left", nulls_equal=True, maintain_order="left")


def rows_of_bounds(
    table: pl.DataFrame, roles: Roles, name: str, called: str, metric: Metric, criteria: Criteria
) -> pl.DataFrame:
    """The rows of one metric, by its inner name and the name by which it is called.

    ``table`` has its values, and the columns `ENDS`, ``lower``, ``upper`` and `IS_DEFINED`.
    """
    band = criteria.bands[called]
    least, most = ("lower", "upper") if criteria.options.confidence else ENDS
    verdict = undefined = pl.lit(None, pl.String)
    if band is not None:
        low, high = map(pl.lit, widened(band))
        sign = pl.lit(criteria.signs.get(called, 0))
        verdict = judged(pl.col(least), pl.col(most), low, high, sign, pl.lit(0))
        undefined = pl.lit("undefined")
    depends = pl.lit(DEPENDS)
    verdict = (
        pl.when(pl.col("lowest").is_null())
        .then(undefined)
        .when(verdict.is_null())
        .then(None)
        # A way without a value, or without an interval, is none that is fair.
        .when(~pl.col(IS_DEFINED) | pl.col(least).is_null() | pl.col(most).is_null())
        .then(depends)
        .otherwise(pl.when(verdict == "uncertain").then(depends).otherwise(verdict))
    )
    if roles.windows.has_classes:
        table = table.filter(is_meant(metric, roles))
    words = pl.lit("facet: the value is undefined if the unknown rows are of some groups")
    is_undefined = pl.col("lowest").is_not_null() & ~pl.col(IS_DEFINED)
    reasons = [pl.col(f"{end}{REASON}") for end in ENDS if f"{end}{REASON}" in table.columns]
    if IS_KNOWN in table.columns:
        single = pl.lit(
            "weight: a single row may be all that a side has of an outcome, and its weight is not "
            "kept in cells; give the rows"
        )
        reasons.insert(0, pl.when(pl.col("lowest").is_null() & ~pl.col(IS_KNOWN)).then(single))
    standard = zip(STANDARD, (metric.ideal, *(band or (None, None))), strict=True)
    return table.select(
        *place_keys(roles),
        *SIDES[1:],
        pl.lit(called).alias("metric"),
        *SIZES,
        "rows_seen",
        "rows_used",
        "rows_dropped",
        *(pl.lit(number, pl.Float64).alias(column) for column, number in standard),
        pl.coalesce(pl.when(is_undefined).then(words), *reasons).alias("note"),
        pl.col(name).alias("value"),
        *ENDS,
        *(pl.col(end).cast(pl.Float64) for end in ("lower", "upper")),
        verdict.alias("verdict"),
        pl.lit(name).alias(METRIC),
    )


# Among the rows with one value of the proxies, a share p is of a group and a share q has an
# outcome. As many rows as p and q leave no choice, and at most as many as both allow, are of the
# group and have the outcome. Sums over proxy cells are the farthest counts of a side (Kallus et al.
# 2022).
def bounded_by_proxy(
    seen: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric], criteria: Criteria
) -> pl.LazyFrame:
    """The range of each metric of each comparison, from the cells of all rows by their proxies."""
    numbered = by_number(metrics)
    plan, _, sided = prepared(seen, roles.with_inner_names)
    cells = collected(plan)
    without_intervals = replace(criteria.options, confidence=None)
    alone = collected(without_key(cells.lazy(), CLUSTER))
    names, found = dict(zip(numbered, metrics, strict=True)), []
    for counting, alike in by_needs(numbered, sided):
        known = values_and_bounds(Counted(alone, alone.lazy()), counting, alike, without_intervals)
        complete = of_complete_rows(cells.lazy(), counting)
        counted = collected(with_finest_counts(complete, counting))
        if not roles.left_out:
            counted = counted.with_columns(pl.lit(0, pl.UInt8).alias(CLUSTER))
        for name, metric in alike.items():
            confidence = None if are_counted(roles) else criteria.options.confidence
            ends = _ends(known, counted, counting, metric, confidence)
            table = known.hstack(ends)
            found.append(rows_of_bounds(table, counting, name, names[name], metric, criteria))
    return as_shown(pl.concat(found, how="diagonal"), roles, COLUMNS)


def _ends(
    known: pl.DataFrame,
    counted: pl.DataFrame,
    roles: Roles,
    metric: Metric,
    confidence: float | None,
) -> pl.DataFrame:
    """The ends of a metric's range in each comparison, and the bounds of these."""
    rate = RATES[rates_compared(metric)[0]]
    above = _finest_of(rate.above, roles)
    below = [count for count in _finest_of(rate.below, roles) if count not in above]
    facets = {facet.name: facet for facet in roles.facets}
    rows: list[tuple[float | None, ...]] = []
    for row in known.select(*place_keys(roles), COMPARISON_KEY).iter_rows(named=True):
        comparison = row.pop(COMPARISON_KEY)
        if comparison is None:
            rows.append((None,) * 4)
            continue
        own = counted.filter(pl.col(key).eq_missing(pl.lit(value)) for key, value in row.items())
        sums = _Sums.of(own, facets[row["facet"]], comparison, roles, above, below)
        rows.append(_range(sums, roles, metric, (above[0], below[0]), confidence))
    types = dict.fromkeys((*ENDS, "lower", "upper"), pl.Float64)
    ends = pl.DataFrame(rows, types, orient="row")
    has_none = pl.any_horizontal(pl.col("lower", "upper").is_null())
    why = pl.lit(
        "proxy: the lowest or highest value is 0, infinite or undefined, or would be without some "
        "rows, and has no bound"
    )
    is_missing = has_none & pl.col(ENDS[0]).is_not_null() & pl.lit(confidence is not None)
    return ends.with_columns(
        pl.all_horizontal(pl.col(ENDS).is_not_null()).alias(IS_DEFINED),
        pl.when(is_missing).then(why).alias(f"{ENDS[0]}{REASON}"),
    )


def _finest_of(counts: Sequence[str], roles: Roles) -> list[str]:
    """The finest counts that some counts are made of."""
    known = finest(roles)

    def parts(count: str) -> Collection[str]:
        if count in known:
            return [count]
        return known if count == "n" else PARTS[count]

    return [*dict.fromkeys(chain.from_iterable(map(parts, counts)))]


@dataclass(frozen=True)
class _Sums:
    """Sums of the rows of each proxy cell, in rows, without each group of rows, in columns.

    The last column has all rows: those of a cell, those of d and of a in it, and those with the
    outcome above and below the line of a rate.
    """

    rows: Floats
    of_d: Floats
    of_a: Floats
    above: Floats
    below: Floats

    @classmethod
    def of(
        cls,
        counted: pl.DataFrame,
        facet: Facet,
        comparison: str,
        roles: Roles,
        above: Sequence[str],
        below: Sequence[str],
    ) -> _Sums:
        """The sums of one comparison, small cells merged in the order of the share of d."""
        groups = [*facet.probabilities]
        side_d = list(facet.disfavored) or [comparison]
        others = groups if facet.is_against_all else [g for g in groups if g not in side_d]
        mass, value = pl.col("mass"), pl.col("value")
        cells = counted.group_by(*roles.strata.keys, CLUSTER).agg(
            rows=mass.sum(),
            of_d=mass.filter(value.is_in(side_d)).sum(),
            of_a=mass.filter(value.is_in(list(facet.favored) or others)).sum(),
            above=pl.sum_horizontal(above).sum(),
            below=pl.sum_horizontal(below).sum(),
            n=pl.col("n").sum(),
        )
        # Sums of shares differ in their last digits: a cell of 100 rows has 99.99999999999999.
        whole = cells.group_by(roles.strata.keys).agg(
            (pl.col("of_d").sum() / pl.col("rows").sum()).round(12), pl.col("n").sum().round()
        )
        ordered = whole.sort("of_d", *roles.strata.keys)
        merged = ordered.with_columns(pl.Series(_ROW, _merged(ordered["n"].to_list())))
        placed = cells.join(
            merged.select(*roles.strata.keys, _ROW), on=roles.strata.keys, nulls_equal=True
        )
        clusters = placed[CLUSTER].unique().sort()
        at = placed[_ROW].to_numpy(), clusters.search_sorted(placed[CLUSTER]).to_numpy()
        found = []
        for name in _SUMS:
            of_clusters = np.zeros((merged[_ROW].n_unique(), len(clusters) + 1))
            np.add.at(of_clusters, at, placed[name].to_numpy())
            found.append(of_clusters.sum(axis=1, keepdims=True) - of_clusters)
        return cls(*found)


def _merged(rows: Sequence[float]) -> list[int]:
    """The number of the merged cell of each cell, each with as many rows as means need."""
    found, number, held = [], 0, 0.0
    for each in rows:
        if held >= _LEAST_ROWS:
            number, held = number + 1, 0.0
        found.append(number)
        held += each
    if number and held < _LEAST_ROWS:
        found = [min(each, number - 1) for each in found]
    return found


def _range(
    sums: _Sums,
    roles: Roles,
    metric: Metric,
    counts: tuple[str, str],
    confidence: float | None,
) -> tuple[float | None, ...]:
    """The lowest and the highest value, the lower bound of the one, the upper of the other."""
    of_d, of_a = (_farthest(sums, each) for each in (sums.of_d, sums.of_a))
    ways = [
        _values(roles, metric, counts, of_d[way], of_a[1 - way])  # one high where the other is low
        for way in (0, 1)
    ]
    exact = [float(values[-1]) for values in ways]
    if any(np.isnan(exact)):
        return (None,) * 4
    first, last = sorted((0, 1), key=lambda way: exact[way])
    bounds: list[float | None] = [None, None]
    if confidence is not None:
        for place, (way, sign) in enumerate(((first, -1), (last, 1))):
            bounds[place] = _bound(ways[way], sums, metric, sign, confidence)
    return exact[first], exact[last], *bounds


def _farthest(sums: _Sums, of_side: Floats) -> list[tuple[Floats, Floats]]:
    """The counts above and below the line with the lowest and with the highest rate of a side."""

    def most(outcome: Floats) -> Floats:
        found: Floats = np.minimum(of_side, outcome).sum(axis=0)
        return found

    def least(outcome: Floats) -> Floats:
        found: Floats = np.clip(of_side + outcome - sums.rows, 0, None).sum(axis=0)
        return found

    return [(least(sums.above), most(sums.below)), (most(sums.above), least(sums.below))]


def _values(
    roles: Roles,
    metric: Metric,
    counts: tuple[str, str],
    of_d: tuple[Floats, Floats],
    of_a: tuple[Floats, Floats],
) -> Floats:
    """The values of a metric without each group of rows, and last without none."""
    size = len(of_d[0])
    columns = {f"{side.name}.{name}": np.zeros(size) for side in (d, a) for name in tallied(roles)}
    for side, numbers in ((d, of_d), (a, of_a)):
        for count, each in zip(counts, numbers, strict=True):
            columns[f"{side.name}.{count}"] = each
    table = pl.DataFrame(columns).with_row_index(_ROW).lazy()
    found = computed(collected(table), roles, COMPARISON, {"value": metric}, [_ROW])
    values: Floats = found.sort(_ROW)["metric.value"].fill_null(np.nan).to_numpy()
    return values


def _bound(
    values: Floats, sums: _Sums, metric: Metric, sign: int, confidence: float
) -> float | None:
    """The end of a range less, or more, what a sample of other rows may move it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        placed = np.log(values) if metric.is_ratio else values
    if not np.isfinite(placed).all():
        return None
    size = sums.rows.sum(axis=0)
    moved = deviations(placed[-1:], placed[np.newaxis, :-1], size[-1:], size[np.newaxis, :-1])
    reach = critical_value(2, confidence, moved.shape[1] - 1) * np.sqrt((moved**2).sum())
    end = placed[-1] + sign * reach
    return float(np.clip(np.exp(end) if metric.is_ratio else end, *metric.range))
