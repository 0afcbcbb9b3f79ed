"""The function `bounds`: how far rows of unknown group could move a metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Unpack, cast

import numpy as np
import polars as pl

from polars_fairness.answers.audit import (
    Counted,
    as_shown,
    number_metrics,
    ranges_of,
    values_and_bounds,
    with_ranges,
)
from polars_fairness.answers.audit_rows import against_on_range, rows_of_metrics, verdict_on_range
from polars_fairness.answers.options import AuditOptions, Criteria, find_criteria
from polars_fairness.api.bound import read
from polars_fairness.api.columns import BOUNDED, names_of
from polars_fairness.api.plan import answer_of
from polars_fairness.api.requested import one_by_one, requested, serving, with_rows_apart
from polars_fairness.api.signatures import answers
from polars_fairness.counting.cells import without_key
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import complete_cells
from polars_fairness.counting.counts import CLUSTER, finest_of, tallied, with_finest_counts
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.counting.sides import COMPARISON_KEY, find_choice
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.levels import COMPARISON
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import RATES, a, d
from polars_fairness.inference.allocations import ENDS, IS_DEFINED, IS_KNOWN, LIMITS, WHY
from polars_fairness.inference.bound_names import METRIC
from polars_fairness.inference.deviations import (
    Floats,
    deviations,
    effective_clusters,
    few_clusters,
)
from polars_fairness.inference.jackknife import are_counted
from polars_fairness.inference.quantiles import critical_value
from polars_fairness.question.arguments import Question, defaults, parted
from polars_fairness.question.audit_arguments import OF_AUDIT, OF_BOUNDS, PROXY, BoundsQuestion
from polars_fairness.question.columns import ColumnLike, GivenAs
from polars_fairness.question.facets import Facet
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import WEIGHTED
from polars_fairness.values.evaluate import group_by_needs, place_keys, prepared
from polars_fairness.values.formula_checks import has_bounds, rates_compared
from polars_fairness.values.levels import computed

# In cells of 30 rows, means pull ends of ±1 to ±0.86; in cells of 1,000 to ±0.975.
_LEAST_ROWS: Final = 100

_ROW: Final = "row\x1f"
_SUMS: Final = ("rows", "of_d", "of_a", "above", "below")


COLUMNS: Final = names_of(BOUNDED)
"""The columns of the result after those of ``by``."""


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

    bounded_metrics = {name: each for name, each in known.items() if is_bounded(each)}
    others = [name for name in known if name not in bounded_metrics]
    if (named and others) or not bounded_metrics:
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
        roles = serving(bounded_metrics, roles)
    else:
        needs = {need for metric in bounded_metrics.values() for need in metric.needs}
        roles = bound.roles.keeping({*needs, "subgroup"})
    criteria = find_criteria(bounded_metrics, roles, options)
    if proxy is not None and options.confidence is not None:
        roles = with_rows_apart(bounded_metrics.values(), roles)
    compute = bounded if proxy is None else bounded_by_proxy
    of_bounded_metrics = partial(compute, metrics=bounded_metrics, criteria=criteria)
    return answer_of(bound, roles, of_bounded_metrics, BOUNDED, by_cluster=True)


# Rows of unknown group are given to both sides, all of one outcome together, in each way that there
# is. The metrics move farthest where all go to one side (`sets_sides_apart`).
def bounded(
    seen: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric], criteria: Criteria
) -> pl.LazyFrame:
    """The range of each metric of each comparison, from the cells of all rows."""
    plan, _, sided = prepared(seen, roles.with_inner_names)
    cells = collected(plan)
    counted = Counted.of(cells, cells.lazy(), sided, find_choice(cells.lazy(), sided))
    by_rows = replace(counted, by_cluster=None)
    numbered, parts = number_metrics(metrics), []
    for counting, alike in group_by_needs(numbered, sided):
        known = _known(by_rows, counting, alike, criteria)
        parts.append((alike, known, ranges_of(counted, counting, alike, criteria.options)))
    return _shown(parts, roles, metrics, criteria)


def _known(
    counted: Counted, roles: Roles, metrics: Mapping[str, Metric], criteria: Criteria
) -> pl.DataFrame:
    """The values of metrics where unknown rows are in neither side, without their intervals."""
    options = replace(criteria.options, confidence=None)
    return values_and_bounds(counted, roles, metrics, options)


def _shown(
    parts: Iterable[tuple[Mapping[str, Metric], pl.DataFrame, pl.DataFrame]],
    roles: Roles,
    metrics: Mapping[str, Metric],
    criteria: Criteria,
) -> pl.LazyFrame:
    """The answer, from metrics that count the same rows, their values and their ranges."""
    inside, names = roles.with_inner_names, dict(zip(number_metrics(metrics), metrics, strict=True))
    rows = [
        with_ranges(rows_of_metrics(values, inside, alike, names, criteria), inside, [ranges])
        for alike, values, ranges in parts
    ]
    least, most = LIMITS if criteria.options.confidence else ENDS
    words = pl.lit("facet: the value is undefined if the unknown rows are of some groups")
    single = pl.lit(
        "weight: a single row may be all that a side has of an outcome, and its weight is not "
        "kept in cells; give the rows"
    )
    has_none, is_defined = pl.col("lowest").is_null(), pl.col(IS_DEFINED)
    note = pl.coalesce(
        pl.when(~has_none & ~is_defined).then(words),
        pl.when(has_none & ~pl.col(IS_KNOWN)).then(single),
        WHY,
    )
    answer = pl.concat(rows, how="diagonal").with_columns(
        *(pl.col(end).alias(name) for end, name in zip(LIMITS, ("lower", "upper"), strict=True)),
        verdict=verdict_on_range(least, most, IS_DEFINED),
        against=against_on_range(least),
        note=note,
    )
    return as_shown(answer, roles, COLUMNS)


# Among the rows with one value of the proxies, a share p is of a group and a share q has an
# outcome. As many rows as p and q leave no choice, and at most as many as both allow, are of the
# group and have the outcome. Sums over proxy cells are the farthest counts of a side (Kallus et al.
# 2022).
def bounded_by_proxy(
    seen: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric], criteria: Criteria
) -> pl.LazyFrame:
    """The range of each metric of each comparison, from the cells of all rows by their proxies."""
    plan, _, sided = prepared(seen, roles.with_inner_names)
    cells = collected(plan)
    alone = collected(without_key(cells.lazy(), CLUSTER))
    parts = []
    for counting, alike in group_by_needs(number_metrics(metrics), sided):
        known = _known(Counted(alone, alone.lazy()), counting, alike, criteria)
        complete = complete_cells(cells.lazy(), counting)
        counted = collected(with_finest_counts(complete, counting))
        if not roles.left_out:
            counted = counted.with_columns(pl.lit(0, pl.UInt8).alias(CLUSTER))
        confidence = None if are_counted(roles) else criteria.options.confidence
        ranges = pl.concat(
            _ends(known, counted, counting, metric, confidence).with_columns(
                pl.lit(name).alias(METRIC)
            )
            for name, metric in alike.items()
        )
        parts.append((alike, known, ranges))
    return _shown(parts, roles, metrics, criteria)


def _ends(
    known: pl.DataFrame,
    counted: pl.DataFrame,
    roles: Roles,
    metric: Metric,
    confidence: float | None,
) -> pl.DataFrame:
    """The ends of a metric's range in each comparison, and the bounds of these."""
    rate = RATES[rates_compared(metric)[0]]
    above = finest_of(rate.above, roles)
    below = [count for count in finest_of(rate.below, roles) if count not in above]
    facets = {facet.name: facet for facet in roles.facets}
    rows: list[tuple[float | str | None, ...]] = []
    keys = known.select(*place_keys(roles), COMPARISON_KEY)
    for row in keys.iter_rows(named=True):
        comparison = row.pop(COMPARISON_KEY)
        if comparison is None:
            rows.append((None,) * 5)
            continue
        own = counted.filter(pl.col(key).eq_missing(pl.lit(value)) for key, value in row.items())
        sums = _Sums.of(own, facets[row["facet"]], comparison, roles, above, below)
        few = None if confidence is None else few_clusters(sums.clusters, roles)
        of_sums = _range(sums, roles, metric, (above[0], below[0]), None if few else confidence)
        rows.append((*of_sums, few))
    types = dict.fromkeys((*ENDS, *LIMITS), pl.Float64()) | {WHY: pl.String()}
    ends = pl.DataFrame(rows, types, orient="row")
    has_none = pl.any_horizontal(pl.col(LIMITS).is_null())
    why = pl.lit(
        "proxy: the lowest or highest value is 0, infinite or undefined, or would be without some "
        "rows, and has no bound"
    )
    is_missing = has_none & pl.col(ENDS[0]).is_not_null() & pl.lit(confidence is not None)
    return pl.concat([keys, ends], how="horizontal").with_columns(
        pl.lit(value=True).alias(IS_KNOWN),
        pl.all_horizontal(pl.col(ENDS).is_not_null()).alias(IS_DEFINED),
        pl.when(is_missing).then(pl.coalesce(WHY, why)).alias(WHY),
    )


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
        sums = []
        for name in _SUMS:
            of_clusters = np.zeros((merged[_ROW].n_unique(), len(clusters) + 1))
            np.add.at(of_clusters, at, placed[name].to_numpy())
            sums.append(of_clusters.sum(axis=1, keepdims=True) - of_clusters)
        return cls(*sums)

    @property
    def clusters(self) -> float:
        """The effective clusters, or groups of rows, of the side that has fewer."""
        sizes = (each.sum(axis=0) for each in (self.of_d, self.of_a))
        return min(effective_clusters(each[-1:], each[np.newaxis, :-1]).item() for each in sizes)


def _merged(rows: Sequence[float]) -> list[int]:
    """The number of the merged cell of each cell, each with as many rows as means need."""
    numbers, number, held = [], 0, 0.0
    for each in rows:
        if held >= _LEAST_ROWS:
            number, held = number + 1, 0.0
        numbers.append(number)
        held += each
    if number and held < _LEAST_ROWS:
        numbers = [min(each, number - 1) for each in numbers]
    return numbers


def _range(
    sums: _Sums, roles: Roles, metric: Metric, counts: tuple[str, str], confidence: float | None
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
            bounds[place] = _bound(ways[way], sums, metric, sign, confidence, roles)
    return exact[first], exact[last], *bounds


def _farthest(sums: _Sums, of_side: Floats) -> list[tuple[Floats, Floats]]:
    """The counts above and below the line with the lowest and with the highest rate of a side."""

    def most(outcome: Floats) -> Floats:
        count: Floats = np.minimum(of_side, outcome).sum(axis=0)
        return count

    def least(outcome: Floats) -> Floats:
        count: Floats = np.clip(of_side + outcome - sums.rows, 0, None).sum(axis=0)
        return count

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
    answer = computed(collected(table), roles, COMPARISON, {"value": metric}, [_ROW])
    values: Floats = answer.sort(_ROW)["metric.value"].fill_null(np.nan).to_numpy()
    return values


def _bound(
    values: Floats, sums: _Sums, metric: Metric, sign: int, confidence: float, roles: Roles
) -> float | None:
    """The end of a range less, or more, what a sample of other rows may move it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        placed = np.log(values) if metric.is_ratio else values
    if not np.isfinite(placed).all():
        return None
    size = sums.rows.sum(axis=0)
    moved = deviations(placed[-1:], placed[np.newaxis, :-1], size[-1:], size[np.newaxis, :-1])
    # Groups of rows are of one size; those of a few clusters are not.
    groups = moved.shape[1] if roles.left_out == "rows" else sums.clusters
    reach = critical_value(2, confidence, groups - 1) * np.sqrt((moved**2).sum())
    end = placed[-1] + sign * reach
    return float(np.clip(np.exp(end) if metric.is_ratio else end, *metric.range))
