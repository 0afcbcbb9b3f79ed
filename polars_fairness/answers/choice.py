"""Candidates beside each other: what each achieves, whether it is fair enough, and the best one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from operator import le
from shlex import quote
from typing import Final

import polars as pl

from polars_fairness.answers import columns
from polars_fairness.answers.columns import names_of
from polars_fairness.answers.criteria import of_metrics
from polars_fairness.answers.objective import rate_of_all_rows
from polars_fairness.answers.verdicts import widened
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.collected import collected
from polars_fairness.counting.decided_sides import sides_decided
from polars_fairness.counting.decisions import decided
from polars_fairness.errors import FairnessError, either, keyword
from polars_fairness.formula.metric import Metric
from polars_fairness.question.judging import (
    Band,
    refuse_band_without_ideal,
    refuse_invalid_bands,
)
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import ESTIMATOR
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
    """What a candidate is chosen by: the metric to maximise, and the bands of other metrics."""

    objective: Metric
    metrics: Mapping[str, Metric]
    bands: Mapping[str, Band]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the result after the candidate."""
        values = dict.fromkeys(("selection_rate", self.objective.name, *self.metrics))
        return (*values, *FLAGS)


def find_aims(
    objective: Metric, metrics: Mapping[str, Metric], given: Mapping[str, Band] | None
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
    return Aims(objective, metrics, bands)


def schema(roles: Roles, aims: Aims) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    types = {name: pl.Boolean() if name in FLAGS else pl.Float64() for name in aims.columns}
    return pl.Schema({**roles.windows.types, **types})


def chosen(seen: pl.LazyFrame, roles: Roles, aims: Aims) -> pl.LazyFrame:
    """A row for each candidate of each window, from the cells of all rows."""
    # Inner names of windows and metrics: none is a pattern or the name of a column.
    inside = roles.with_inner_names
    numbered = {f"\x1f{i}": name for i, name in enumerate(aims.metrics)}
    overall = {_OBJECTIVE: aims.objective, _SELECTED: rate_of_all_rows("selection_rate")}
    metrics = {number: aims.metrics[name] for number, name in numbered.items()}
    cells, sided = sides_decided(decided(seen, inside), inside)
    scored = cells_by_score(seen, cells, sided)
    table = collected(compared(cells, sided, {**metrics, **overall}, scored))
    of_all_rows = (pl.col(name).first() for name in overall)
    of_metrics = (
        summary
        for number, name in numbered.items()
        for summary in _summaries(number, aims.metrics[name], aims.bands[name], roles)
    )
    swept = table.group_by(roles.windows.keys, maintain_order=True).agg(*of_all_rows, *of_metrics)
    by = [*roles.windows.of_rows.keys, *([ESTIMATOR] if roles.windows.has_estimators else [])]
    parts = swept.partition_by(by, maintain_order=True) if by else []
    marked = pl.concat(_marked(part, [*numbered]) for part in parts or [swept])
    names = dict(zip(roles.windows.keys, roles.windows.names, strict=True)) | numbered
    names |= {_OBJECTIVE: aims.objective.name}
    if aims.objective.name != "selection_rate":
        names |= {_SELECTED: "selection_rate"}
    return marked.rename(names)[schema(roles, aims).names()].lazy()


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
    rows = swept.rows(named=True)
    is_within = [_all_known(row[f"{number}{_IS_IN_BAND}"] for number in numbers) for row in rows]
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
        for place, (each, within) in enumerate(zip(costs, is_within, strict=True))
        if each is not None and within
    ]
    _, chosen_place = min(may_be_chosen, default=(None, None))
    return swept.with_columns(
        pl.Series("is_within", is_within, pl.Boolean),
        pl.Series("is_on_frontier", [each and each in lowest for each in costs], pl.Boolean),
        pl.Series("is_chosen", [place == chosen_place for place in range(len(costs))], pl.Boolean),
    )


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
