"""Candidates beside each other: what each achieves, whether it is fair enough, and the best one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from operator import le
from shlex import quote
from typing import Any, Final

import polars as pl

from polars_fairness.answers import columns
from polars_fairness.answers.audit import audited
from polars_fairness.answers.columns import HOLDOUT, LOWER, UPPER, names_of
from polars_fairness.answers.criteria import find_criteria, of_metrics
from polars_fairness.answers.objective import rate_of_all_rows
from polars_fairness.answers.options import AuditOptions
from polars_fairness.answers.verdicts import widened
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.clusters import CLUSTER
from polars_fairness.counting.collected import collected
from polars_fairness.counting.decided_sides import sides_decided
from polars_fairness.counting.decisions import decided
from polars_fairness.counting.left_out import without_key
from polars_fairness.errors import FairnessError, either, keyword
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import defaults
from polars_fairness.question.audit_arguments import OF_AUDIT
from polars_fairness.question.judging import (
    Band,
    refuse_band_without_ideal,
    refuse_invalid_bands,
)
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import ESTIMATOR, HELD_OUT, IS_BASELINE
from polars_fairness.values.evaluate import compared
from polars_fairness.values.score_comparisons import cells_by_score

FLAGS: Final = names_of(columns.FLAGS)

# Values that are equal except for the last digits, as sums of weights are.
_DIGITS: Final = 12

# Inner columns: no column of a caller has such a name.
_OBJECTIVE, _SELECTED, _DISTANCE, _IS_IN_BAND = (
    f"{name}\x1f" for name in ("objective", "selected", "distance", "is_in_band")
)

Costs = tuple[float, ...]
"""What a candidate is to have little of: minus the objective, then the disparity of each metric."""


@dataclass(frozen=True)
class Aims:
    """What a candidate is chosen by: the metric to maximise, and the bands of other metrics.

    Beside the values stand their intervals at a confidence, if there is one, and beside both what
    rows held out say.
    """

    objective: Metric
    metrics: Mapping[str, Metric]
    bands: Mapping[str, Band]
    confidence: float | None = None
    seed: int = 0
    has_holdout: bool = False

    @property
    def values(self) -> list[str]:
        """The columns of values, with those of their intervals."""
        names = dict.fromkeys(("selection_rate", self.objective.name, *self.metrics))
        bounds = () if self.confidence is None else (LOWER, UPPER)
        return [f"{name}{bound}" for name in names for bound in ("", *bounds)]

    @property
    def columns(self) -> list[str]:
        """The columns of the result after the candidate."""
        held_out = (*self.values, "is_within") if self.has_holdout else ()
        return [*self.values, *FLAGS, *(f"{HOLDOUT}{name}" for name in held_out)]


def find_aims(
    objective: Metric,
    metrics: Mapping[str, Metric],
    given: Mapping[str, Band] | None,
    **beside: Any,
) -> Aims:
    """Find the bands of metrics, and refuse metrics without one."""
    if given is None:
        given = {}
    refuse_invalid_bands(given)
    bands = {name: metric.acceptable for name, metric in metrics.items()}
    bands |= of_metrics("bands", given, metrics)
    for name, metric in metrics.items():
        if name in ("selection_rate", objective.name, *FLAGS):
            raise FairnessError(
                f"metrics: there is a column {name!r} already; "
                f"{either('rename one metric with .named()', 'leave it out')}"
            )
        if metric.ideal is None:
            is_shipped = metric is CATALOGUE.get(name)
            itself = "the Metric itself, such as maximise=pf.entry('utility', ...)"
            aim = keyword("maximise", name) if is_shipped else either(itself, "--utility")
            raise FairnessError(
                f"metrics: no value of {name!r} means fair, so no candidate is chosen by its "
                f"distance from one; leave it out, or give {aim}"
            )
        if bands[name] is None and name not in given:
            given_here = either(
                f"bands={{{name!r}: (low, high)}}", f"--band {quote(name)}=LOW:HIGH"
            )
            raise FairnessError(
                f"bands: {name!r} has no band; give {given_here} to choose by it, or "
                f"{keyword('bands', {name: None})} to show it only"
            )
        refuse_band_without_ideal(name, bands[name], metric.ideal)
    return Aims(objective, metrics, bands, **beside)


def schema(roles: Roles, aims: Aims) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    types = {
        name: pl.Boolean() if name.removeprefix(HOLDOUT) in FLAGS else pl.Float64()
        for name in aims.columns
    }
    return pl.Schema({**roles.windows.types, **types})


def chosen(seen: pl.LazyFrame, roles: Roles, aims: Aims) -> pl.LazyFrame:
    """A row for each candidate of each window, from the cells of all rows."""
    matched = [*roles.windows.by_key]
    if roles.windows.has_baseline:
        matched = [*(roles.windows.matched or ())]
        seen = seen.rename({IS_BASELINE: HELD_OUT})
        roles = replace(roles, windows=roles.windows.held_out())
    # Inner names of windows and metrics: none is a pattern or the name of a column.
    inside = roles.with_inner_names
    numbered = {f"\x1f{i}": name for i, name in enumerate(aims.metrics)}
    overall = {_OBJECTIVE: aims.objective, _SELECTED: rate_of_all_rows("selection_rate")}
    metrics = {number: aims.metrics[name] for number, name in numbered.items()}
    swept = _swept(without_key(seen, CLUSTER), inside, metrics, overall, aims)
    keys = roles.windows.keys
    if aims.confidence is not None:
        bounds = _bounds(seen, inside, metrics | overall, aims)
        swept = swept.join(bounds, on=keys, how="left", nulls_equal=True, maintain_order="left")
    held_out = [name for name in keys if name == HELD_OUT]
    here = swept.filter(~pl.col(HELD_OUT)) if held_out else swept
    by = [*roles.windows.of_rows.keys, *([ESTIMATOR] if roles.windows.has_estimators else [])]
    parts = here.partition_by(by, maintain_order=True) if by else []
    marked = pl.concat(_marked(part, [*numbered]) for part in parts or [here])
    if held_out:
        same = [*matched, *(name for name in roles.windows.made if name != HELD_OUT)]
        there = _with_flag(swept.filter(HELD_OUT), [*numbered]).select(
            *same, pl.exclude(keys).name.prefix(HOLDOUT)
        )
        marked = marked.join(there, on=same, how="left", nulls_equal=True, maintain_order="left")
    names = numbered | {_OBJECTIVE: aims.objective.name}
    if aims.objective.name != "selection_rate":
        names |= {_SELECTED: "selection_rate"}
    renamed = {
        f"{prefix}{number}{bound}": f"{prefix}{name}{bound}"
        for number, name in names.items()
        for prefix in ("", HOLDOUT)
        for bound in ("", LOWER, UPPER)
    }
    renamed |= dict(zip(keys, roles.windows.names, strict=True))
    of_windows = [name for name in roles.windows.names if name != HELD_OUT]
    return marked.rename(renamed, strict=False)[[*of_windows, *aims.columns]].lazy()


def _swept(
    seen: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    overall: Mapping[str, Metric],
    aims: Aims,
) -> pl.DataFrame:
    """A row for each candidate of each window: its values, and how fair they are."""
    roles = replace(roles, cluster=None)
    cells, sided = sides_decided(decided(seen, roles), roles)
    scored = cells_by_score(seen, cells, sided)
    table = collected(compared(cells, sided, {**metrics, **overall}, scored))
    bands = dict(zip(metrics, (aims.bands[name] for name in aims.metrics), strict=True))
    of_all_rows = (pl.col(name).first() for name in overall)
    of_metrics = (
        summary
        for number, metric in metrics.items()
        for summary in _summaries(number, metric, bands[number], roles)
    )
    return table.group_by(roles.windows.keys, maintain_order=True).agg(*of_all_rows, *of_metrics)


def _bounds(
    seen: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric], aims: Aims
) -> pl.DataFrame:
    """The interval of each value, in columns: of a metric, that of the farthest comparison."""
    given = defaults(OF_AUDIT) | {"confidence": aims.confidence, "seed": aims.seed}
    options = AuditOptions(**given)
    rows = collected(audited(seen, roles, metrics, find_criteria(metrics, roles, options)))
    keys = roles.windows.keys
    found = rows.select(keys).unique(maintain_order=True)
    for number, metric in metrics.items():
        distance = metric.distance(pl.col("value")) if metric.ideal is not None else pl.lit(0.0)
        is_defined = pl.col("value").is_not_null().all()
        of_metric = (
            rows.filter(metric=number)
            .group_by(keys)
            .agg(
                pl.when(is_defined)
                .then(pl.col(name).get(distance.arg_max()))
                .alias(f"{number}_{name}")
                for name in ("lower", "upper")
            )
        )
        found = found.join(of_metric, on=keys, how="left", nulls_equal=True)
    return found


def _summaries(number: str, metric: Metric, band: Band, roles: Roles) -> Iterator[pl.Expr]:
    """The value that is farthest from the ideal, its distance, and whether all are in the band."""
    value = pl.col(number)
    if roles.are_joint:
        value = value.filter((pl.col("facet") == roles.joint_facet) == metric.is_joint)
    distance = metric.distance(value)
    is_defined = value.is_not_null().all()
    yield pl.when(is_defined).then(value.get(distance.arg_max())).alias(number)
    yield pl.when(is_defined).then(distance.max()).alias(f"{number}{_DISTANCE}")
    is_in_band = pl.lit(value=True) if band is None else value.is_between(*widened(band)).all()
    yield pl.when(is_defined).then(is_in_band).alias(f"{number}{_IS_IN_BAND}")


def _marked(swept: pl.DataFrame, numbers: Sequence[str]) -> pl.DataFrame:
    """The candidates of one window, with the flags of each."""
    swept = _with_flag(swept, numbers)
    objective = swept[_OBJECTIVE]
    size = max(filter(isfinite, objective.abs().drop_nulls()), default=0) or 1
    columns = [-objective / size, *(swept[f"{number}{_DISTANCE}"] for number in numbers)]
    costs = [
        None if None in each else tuple(round(cost, _DIGITS) for cost in each)
        for each in zip(*columns, strict=True)
    ]
    lowest = lowest_of({each for each in costs if each is not None})
    may_be_chosen = [
        (each, place)
        for place, (each, within) in enumerate(zip(costs, swept["is_within"], strict=True))
        if each is not None and within
    ]
    _, chosen_place = min(may_be_chosen, default=(None, None))
    return swept.with_columns(
        pl.Series("is_on_frontier", [each and each in lowest for each in costs], pl.Boolean),
        pl.Series("is_chosen", [place == chosen_place for place in range(len(costs))], pl.Boolean),
    )


def _with_flag(swept: pl.DataFrame, numbers: Sequence[str]) -> pl.DataFrame:
    """The candidates with the flag whether all their metrics are in their bands."""
    rows = swept.rows(named=True)
    is_within = [_all_known(row[f"{number}{_IS_IN_BAND}"] for number in numbers) for row in rows]
    return swept.with_columns(pl.Series("is_within", is_within, pl.Boolean))


def _all_known(flags: Iterable[bool | None]) -> bool | None:
    """Whether all are true; None if one is unknown."""
    known = [*flags]
    return None if None in known else all(known)


def lowest_of(costs: Collection[Costs]) -> set[Costs]:
    """The costs beside which no others are as low in every part.

    Examples
    --------
    >>> sorted(lowest_of([(1, 4), (2, 2), (3, 2), (4, 1)]))
    [(1, 4), (2, 2), (4, 1)]
    """
    lowest: set[Costs] = set()
    beaten_by: list[Costs] = []
    # In ascending order, costs can only be beaten by earlier ones, whose first part is as low.
    for cost in sorted({*costs}):
        others = cost[1:]
        if any(all(map(le, each, others)) for each in beaten_by):
            continue
        lowest.add(cost)
        beaten_by = [each for each in beaten_by if not all(map(le, others, each))] + [others]
    return lowest
