"""The function `plan`: the differences that rows can show, and the rows that settle a verdict.

An interval is of another width where its value is another, and that of few rows of another shape
than that of many. So rows are counted several times over, and some rows of d with the other
outcome, and the intervals evaluated again: from the half width alone, rows for a power of 80 % have
one of 43 to 97.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import ceil, exp, inf, isfinite, log, sqrt
from statistics import NormalDist
from typing import Any, Final, Unpack, cast

import numpy as np
import polars as pl

from polars_fairness.answers.audit import audited
from polars_fairness.answers.options import AuditOptions, Criteria, find_criteria
from polars_fairness.api.bound import read
from polars_fairness.api.columns import PLANNED, types_of
from polars_fairness.api.plan import answer_of
from polars_fairness.api.requested import one_by_one, requested, with_rows_apart
from polars_fairness.api.signatures import answers
from polars_fairness.api.verdicts import widened
from polars_fairness.counting.clusters import CLUSTER, REST
from polars_fairness.counting.collected import collected
from polars_fairness.counting.polars_rows import LOWEST_WEIGHT, is_tally
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.counting.score_lists import unlisted
from polars_fairness.errors import FairnessError, listed, require_number
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.quantiles import critical_value
from polars_fairness.question.arguments import Question, defaults, parted
from polars_fairness.question.audit_arguments import OF_AUDIT, OF_PLAN, POWER, PlanQuestion
from polars_fairness.question.facets import SEPARATOR
from polars_fairness.question.judging import Band
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import STEP
from polars_fairness.values.evaluate import place_keys

TIMES: Final = (1 / 16, 1 / 4, 1, 4, 16, 256)
"""How many times over rows are counted; between and beyond, margins grow with the root of that."""

SHARES: Final = (-0.6, -0.3, -0.1, 0.05, 0.2, 0.5)
"""The shares of the rows of d that get the other outcome; below 0, of those with a positive one."""

MOST_GROUPS: Final = 10
"""The groups of a facet that are moved one by one; beside more, intervals are those of the rows."""

_MOST_CELLS: Final = 1_000_000
_FARTHEST: Final = 1e4
_NORMAL: Final = NormalDist()
_MOVED: Final = ("predicted", "score", "label")

Interval = tuple[float | None, float | None, float | None]
"""A value and both bounds."""


@answers(*OF_PLAN, columns=PLANNED)
def plan(
    frame: AnyFrame, *metrics: str | Metric | Sequence[str | Metric], **given: Unpack[PlanQuestion]
) -> PolarsFrame:
    """Return what difference these rows can show, and how many rows would settle each verdict.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    *metrics
        As in `metrics`: those that have an interval. Without any, all of these that the given
        columns allow.
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
    >>> loans = pf.datasets.loans().head(1_000)
    >>> planned = pf.plan(loans, "di", facet="sex", disfavored="F", predicted="approved")
    >>> planned.select(pl.col("value", "power", "detectable").round(2), "verdict")
    shape: (1, 4)
    ┌───────┬───────┬────────────┬────────────────────┐
    │ value ┆ power ┆ detectable ┆ verdict            │
    │ ---   ┆ ---   ┆ ---        ┆ ---                │
    │ f64   ┆ f64   ┆ f64        ┆ str                │
    ╞═══════╪═══════╪════════════╪════════════════════╡
    │ 0.69  ┆ 0.71  ┆ 0.13       ┆ against_disfavored │
    └───────┴───────┴────────────┴────────────────────┘
    """
    own, question = parted(given, OF_PLAN)
    bound = read(frame, cast("Question", question), "plan", own)
    power = own.pop(POWER.name)
    if not 0 < require_number("power", power) < 1:
        raise FairnessError(f"power: takes a number between 0 and 1, such as 0.8, got {power!r}")
    options = AuditOptions(**{**defaults(OF_AUDIT), **own})
    named = one_by_one(metrics)
    known, _ = requested(named, bound.roles)
    found = {name: each for name, each in known.items() if each.has_interval}
    if others := [name for name in known if named and name not in found]:
        raise FairnessError(f"metrics: {listed(others)} has no interval that rows could narrow")
    found, roles = requested([*found.values()], bound.roles)
    if options.confidence is not None:
        roles = with_rows_apart(found.values(), roles)
    compute = partial(planned, metrics=found, criteria=find_criteria(found, roles, options))
    return answer_of(bound, roles, partial(compute, power=power), PLANNED, by_cluster=True)


def planned(
    seen: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    criteria: Criteria,
    power: float,
) -> pl.LazyFrame:
    """Every comparison and metric with its power, from the cells of all rows."""
    cells = collected(unlisted(seen)).drop(LOWEST_WEIGHT, strict=False)
    tallies = [name for name in cells.columns if is_tally(name)]
    cells = cells.with_columns(pl.col(tallies).cast(pl.Float64))
    times = [k for k in TIMES if k >= 1 or CLUSTER not in cells.columns]
    over = [_counted_over(cells, tallies, roles, k) for k in times]
    rows = _audited(over, roles, metrics, criteria)
    numbers = _numbers_of_groups(cells, roles)
    moves = [*_moved(cells, tallies, roles, numbers)]
    moving = {
        name: each
        for name, each in metrics.items()
        if each.has_sides and not {*_MOVED}.isdisjoint(each.needs)
    }
    of_times, of_moves = _by_key(rows, roles), dict[tuple[object, ...], dict[int, Interval]]()
    if moves and moving:
        moved = _audited([each for *_, each in moves], roles, moving, criteria)
        of_moves = _by_key(moved, roles)
    groups = dict(cells.drop_nulls("value").group_by("facet").agg(pl.n_unique("value")).rows())
    rows_of_sides = pl.col("n_favored") + pl.col("n_disfavored").fill_null(0)
    all_rows = pl.col("n_favored") if roles.facets_against_all else rows_of_sides
    table, found = rows.filter(pl.col(STEP) == times.index(1)), []
    table = table.with_columns(
        pl.coalesce(all_rows, "rows_used").alias("rows"), pl.lit(power).alias("target")
    )
    for row in table.iter_rows(named=True):
        key, number = _key(row, roles), numbers.get((row["facet"], row["disfavored"]), 0)
        families: dict[str, list[Interval]] = {}
        for step, each in of_moves.get(key, {}).items():
            if moves[step][1] == number:
                families.setdefault(moves[step][0], []).append(each)
        at = {sqrt(times[step]): each for step, each in of_times[key].items()}
        metric, confidence = metrics[row["metric"]], criteria.options.confidence or 0.0
        z, least = _NORMAL.inv_cdf((1 + confidence) / 2), 0.0
        if metric.parsed.largest is not None and not metric.is_joint:
            # All differences between groups lie in the interval together, and the largest of a
            # sample is at least as large as that of equal groups.
            number = groups.get(row["facet"], 2)
            z, least = max(z, critical_value(number, confidence)), critical_value(number, 0.5)
        found.append(
            _row(row, metric, at, families, (z, least), criteria.bands[row["metric"]], power)
        )
    types = types_of(PLANNED, roles.size)
    shown = table.with_columns(
        pl.Series(name, [each[name] for each in found], types[name], strict=False)
        for name in ("power", "detectable", "rows_needed")
    )
    own = (pl.col(name).cast(dtype) for name, dtype in types.items())
    return shown.select(*roles.windows.of_frame.types, *own).lazy()


def _audited(
    steps: Sequence[pl.DataFrame], roles: Roles, metrics: Mapping[str, Metric], criteria: Criteria
) -> pl.DataFrame:
    """The audits of several tables of cells: each is one more window, as many at once as fit."""
    at_once = max(_MOST_CELLS // max(steps[0].height, 1), 1)
    numbered = [
        each.with_columns(pl.lit(step, pl.UInt32).alias(STEP)) for step, each in enumerate(steps)
    ]
    apart = replace(roles, windows=roles.windows.with_made(STEP))
    parts = (numbered[at : at + at_once] for at in range(0, len(numbered), at_once))
    return pl.concat(
        audited(pl.concat(part).lazy(), apart, metrics, criteria).collect() for part in parts
    )


def _key(row: Mapping[str, Any], roles: Roles) -> tuple[object, ...]:
    names = (*roles.windows.of_frame.types, "facet", "disfavored", "favored", "metric")
    return tuple(row[name] for name in names)


def _by_key(rows: pl.DataFrame, roles: Roles) -> dict[tuple[object, ...], dict[int, Interval]]:
    found: dict[tuple[object, ...], dict[int, Interval]] = {}
    for row in rows.iter_rows(named=True):
        interval = (row["value"], row["lower"], row["upper"])
        found.setdefault(_key(row, roles), {})[row[STEP]] = interval
    return found


def _counted_over(
    cells: pl.DataFrame, tallies: Sequence[str], roles: Roles, k: float
) -> pl.DataFrame:
    """The cells of k times as many rows; of k times as many clusters where these are counted.

    A group of clusters then has the sum of k times as many. From its mean it is as far as the root
    of k times its own distance.
    """
    if CLUSTER not in cells.columns or k == 1:
        return cells.with_columns(pl.col(tallies) * k)
    is_rest, place = pl.col(CLUSTER) == REST, place_keys(roles)
    own = cells.filter(~is_rest)
    keys = [name for name in own.columns if name not in (*tallies, CLUSTER)]
    groups = own.select(*place, CLUSTER).unique(maintain_order=True)
    means = own.group_by(keys, maintain_order=True).agg(pl.col(tallies).sum().name.suffix(STEP))
    known = means.join(groups, on=place, nulls_equal=True, maintain_order="left_right").join(
        own, on=[*keys, CLUSTER], how="left", nulls_equal=True, maintain_order="left"
    )
    number = pl.len().over(keys)
    spread = known.with_columns(
        pl.col(name).fill_null(0.0) * sqrt(k) + pl.col(f"{name}{STEP}") / number * (k - sqrt(k))
        for name in tallies
    )
    rest = cells.filter(is_rest).with_columns(pl.col(tallies) * k)
    return pl.concat([spread.select(cells.columns), rest])


def _numbers_of_groups(cells: pl.DataFrame, roles: Roles) -> dict[tuple[str, str], int]:
    """The groups of facets that are moved one by one, by facet and group: each may be in side a."""
    found: dict[tuple[str, str], int] = {}
    for facet in roles.facets if roles.are_apart else ():
        if not (facet.disfavored or facet.favored):
            values = cells.filter(pl.col("facet") == facet.name)["value"].drop_nulls().unique()
            found |= {
                (facet.name, each.replace(SEPARATOR, " & ")): i
                for i, each in enumerate(values.sort())
            }
    return found


def _moved(
    cells: pl.DataFrame,
    tallies: Sequence[str],
    roles: Roles,
    numbers: Mapping[tuple[str, str], int],
) -> Iterator[tuple[str, int, pl.DataFrame]]:
    """The cells in which a share of the rows of d has another outcome, with the role and the group.

    Groups in probability have no rows of their own, and a rate by which groups are found would find
    others.
    """
    if (
        not roles.facets
        or not roles.are_apart
        or roles.uncertain_facets
        or roles.ranks_groups
        or max(numbers.values(), default=0) > MOST_GROUPS
    ):
        return
    is_d = [
        (pl.col("facet") == facet.name)
        & (
            pl.col("value").is_in(facet.disfavored)
            if facet.disfavored
            else ~pl.col("value").is_in(facet.favored)
        )
        for facet in roles.facets
        if facet.disfavored or facet.favored
    ]
    written = pl.col("value").str.replace_all(SEPARATOR, " & ", literal=True)
    for number in range(max(numbers.values(), default=0) + 1):
        named = [
            (pl.col("facet") == facet) & (written == value)
            for (facet, value), each in numbers.items()
            if each == number
        ]
        are_moved = [*named, *(is_d if number == 0 else ())]
        is_moved = pl.any_horizontal(are_moved or [pl.lit(False)])
        for role in _MOVED:
            if role in cells.columns:
                yield from (
                    (role, number, each) for each in _of_role(cells, tallies, roles, role, is_moved)
                )


def _of_role(
    cells: pl.DataFrame, tallies: Sequence[str], roles: Roles, role: str, is_moved: pl.Expr
) -> Iterator[pl.DataFrame]:
    value = pl.col(role)
    known = cells[role].drop_nulls().unique()
    outcome = next((each for each in roles.binary_outcomes if each.key == role), None)
    if outcome is not None:
        is_high = outcome.positive_of(value)
    elif role == "score" and known.len():
        is_high = value == known.max()
    else:
        return
    keys = [name for name in cells.columns if name not in tallies]
    both = [known.to_frame().filter(each)[role] for each in (is_high, ~is_high)]
    if not all(map(len, both)):
        return
    ends = (known.min() if outcome is None else both[1][0], both[0][0])
    for share in SHARES:
        leaves = is_moved & (is_high != (share > 0) if outcome is not None else value.is_not_null())
        leaving = cells.filter(leaves)
        moved = leaving.with_columns(
            pl.col(tallies) * abs(share), pl.lit(ends[share > 0], cells.schema[role]).alias(role)
        )
        kept = cells.with_columns(
            pl.when(leaves.fill_null(value=False))
            .then(pl.col(tallies) * (1 - abs(share)))
            .otherwise(pl.col(tallies))
        )
        yield (
            pl.concat([kept, moved]).group_by(keys, maintain_order=True).agg(pl.col(tallies).sum())
        )


def _row(
    row: Mapping[str, Any],
    metric: Metric,
    at: Mapping[float, Interval],
    families: Mapping[str, Sequence[Interval]],
    errors: tuple[float, float],
    band: Band,
    power: float,
) -> dict[str, float | None]:
    """The power of a row, the distance that its rows would show, and the rows it needs.

    ``errors`` is how many standard errors an interval reaches, and a value of a sample at least.
    """
    found: dict[str, float | None] = dict.fromkeys(("power", "detectable", "rows_needed"))
    if row["value"] is None or row["lower"] is None or row["verdict"] == "undefined":
        return found
    if band is not None:
        roots, margins = _margins(at, row["value"], widened(band), metric.range, *errors)

        def reached(root: float) -> float:
            each = [_NORMAL.cdf(float(np.interp(root, roots, margin))) for margin in margins]
            return max(sum(each) - len(each) + 1, 0.0)

        found["power"] = reached(1.0)
        if reached(_FARTHEST) >= power:
            root = _smallest(lambda root: reached(root) >= power, _FARTHEST)
            # Few clusters have few degrees of freedom, which those of all rows do not show.
            root = max(root, 1.0) if roots[1] == 1 else root
            found["rows_needed"] = ceil(root**2 * row["rows"])
    found["detectable"] = _detectable(row, metric, families, errors[0], _NORMAL.inv_cdf(power))
    return found


def _margins(
    at: Mapping[float, Interval],
    value: float,
    edges: tuple[float, float],
    ends: tuple[float, float],
    z: float,
    least: float,
) -> tuple[list[float], list[list[float]]]:
    """By the root of k, how many standard deviations the verdict is from being another one.

    Outside the band it is that of the near end from the edge, inside that of both ends, unless an
    edge is where values end. Without rows it is z less than none.
    """
    roots, margins = [0.0], list[list[float]]()
    for root, (middle, lower, upper) in sorted(at.items()):
        if middle is None or lower is None or upper is None:
            continue
        below, above, both = (middle - lower) / z, (upper - middle) / z, (upper - lower) / (2 * z)
        if edges[0] <= value <= edges[1]:
            each = (
                [_divided(edges[1] - max(middle, least * above), above) - z]
                if edges[1] < ends[1]
                else []
            )
            each += [_divided(middle - edges[0], below) - z] if edges[0] > ends[0] else []
        else:
            each = [_divided(edges[0] - upper if value < edges[0] else lower - edges[1], both)]
        roots.append(root)
        margins.append([part if isfinite(part) else -z for part in each])
    none = [-z] * len(margins[-1])
    last = [(part + z) * _FARTHEST / roots[-1] - z for part in margins[-1]]
    return [*roots, _FARTHEST], [[*each] for each in zip(none, *margins, last, strict=True)]


def _divided(distance: float, by: float) -> float:
    return distance / by if by > 0 else (inf if distance > 0 else -inf)


def _smallest(holds: Callable[[float], bool], most: float) -> float:
    """The smallest number from which on a condition holds, by bisection."""
    low, high = 0.0, most
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _detectable(
    row: Mapping[str, Any],
    metric: Metric,
    families: Mapping[str, Sequence[Interval]],
    z: float,
    beyond: float,
) -> float | None:
    """The distance from the ideal whose near end there is as far from it as the power needs.

    How far an interval reaches depends on its value. Of the outcomes, it is that which moves the
    value most; of ratios, logarithms are as far on both sides.
    """
    ideal, starts = metric.ideal, metric.range[0] == metric.ideal
    if ideal is None:
        return None
    here = (row["value"], row["lower"], row["upper"])
    seen = [here, *max(families.values(), key=_span, default=[])]
    sign = 1 if row["value"] > ideal or starts else -1
    reach = {}
    for middle, lower, upper in filter(None, (_offsets(each, ideal, metric) for each in seen)):
        down, up = middle - lower, upper - middle
        near = down if sign > 0 else up
        if starts and lower <= 0:
            near = max(near, up)  # an interval that begins at the ideal is cut off there
        reach[middle * sign] = near + beyond * (down + up) / (2 * z)
    if not reach:
        return None
    places = sorted(reach)
    reaches = [reach[each] for each in places]

    def is_shown(distance: float) -> bool:
        return bool(distance >= np.interp(distance, places, reaches))

    distance = sign * _smallest(is_shown, max(reaches))
    found = exp(distance) * ideal if metric.is_ratio else ideal + distance
    is_possible = metric.range[0] <= found <= metric.range[1]
    return abs(found - ideal) if is_possible else None


def _span(family: Sequence[Interval]) -> float:
    known = [value for value, *_ in family if value is not None and isfinite(value)]
    return max(known, default=0.0) - min(known, default=0.0)


def _offsets(each: Interval, ideal: float, metric: Metric) -> tuple[float, ...] | None:
    known = [number for number in each if number is not None and isfinite(number)]
    if len(known) < 3 or (metric.is_ratio and min(known) <= 0):
        return None
    return tuple(log(n / ideal) if metric.is_ratio else n - ideal for n in known)
