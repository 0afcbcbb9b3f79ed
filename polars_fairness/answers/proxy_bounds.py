"""Bounds of metrics where groups are known in probability, from the cells of their proxies.

Among the rows with one value of the proxies, a share p is of a group and a share q has an outcome.
As many rows as p and q leave no choice, and at most as many as both allow, are of the group and
have the outcome. Sums over proxy cells are the farthest counts of a side (Kallus et al. 2022).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Final

import numpy as np
import polars as pl

from polars_fairness.answers.audit import closed_bounds, values_and_bounds
from polars_fairness.answers.bounds import ENDS, IS_DEFINED, METRIC, rows_of_bounds, schema
from polars_fairness.answers.criteria import Criteria
from polars_fairness.counting.clusters import CLUSTER
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.counting.counts import PARTS, finest, tallied, with_finest_counts
from polars_fairness.counting.decided_sides import sides_decided
from polars_fairness.counting.decisions import decided
from polars_fairness.counting.left_out import without_key
from polars_fairness.counting.sides import COMPARISON_KEY
from polars_fairness.formula.levels import COMPARISON
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.rates import RATES
from polars_fairness.formula.sides import a, d
from polars_fairness.inference.bound_names import REASON
from polars_fairness.inference.deviations import Floats, deviations
from polars_fairness.inference.jackknife import are_counted
from polars_fairness.inference.quantiles import critical_value
from polars_fairness.question.facets import Facet
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import by_needs, place_keys
from polars_fairness.values.formula_checks import rates_compared
from polars_fairness.values.levels import computed

# In cells of 30 rows, means pull ends of ±1 to ±0.86; in cells of 1,000 to ±0.975.
_LEAST_ROWS: Final = 100

_ROW: Final = "row\x1f"
_SUMS: Final = ("rows", "of_d", "of_a", "above", "below")


def has_proxy_bounds(metric: Metric) -> bool:
    """Whether a metric compares one rate of both sides."""
    return len(rates_compared(metric)) == 1


def bounded_by_proxy(
    seen: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric], criteria: Criteria
) -> pl.LazyFrame:
    """The range of each metric of each comparison, from the cells of all rows by their proxies."""
    inside = roles.with_inner_names
    of_all, sided = sides_decided(decided(seen, inside), inside)
    cells = collected(of_all)
    numbered = {f"\x1f{i:06}": metric for i, metric in enumerate(metrics.values())}
    names = dict(zip(numbered, metrics, strict=True))
    closed = partial(closed_bounds, [*numbered], metrics, roles, criteria)
    without_intervals = replace(criteria.options, confidence=None)
    found = []
    for counting, alike in by_needs(numbered, sided):
        alone = collected(without_key(cells.lazy(), CLUSTER))
        known = values_and_bounds(
            alone, alone.lazy(), counting, alike, closed, without_intervals, None
        )
        complete = of_complete_rows(cells.lazy(), counting)
        counted = collected(with_finest_counts(complete, counting))
        if roles.cluster is None:
            counted = counted.with_columns(pl.lit(0, pl.UInt8).alias(CLUSTER))
        for name, metric in alike.items():
            confidence = None if are_counted(roles) else criteria.options.confidence
            ends = _ends(known, counted, counting, metric, confidence)
            table = known.hstack(ends)
            found.append(rows_of_bounds(table, counting, name, names[name], metric, criteria))
    order = [*place_keys(inside), "disfavored", METRIC]
    rows = pl.concat(found, how="diagonal").sort(order, nulls_last=True, maintain_order=True)
    named = rows.rename(dict(zip(roles.windows.keys, roles.windows.names, strict=True)))
    return named[schema(roles).names()].lazy()


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
