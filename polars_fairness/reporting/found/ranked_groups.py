"""The groups of several facets, ranked by each metric that ranks groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import polars as pl

from polars_fairness.answers.criteria import of_metrics
from polars_fairness.answers.options import AuditOptions
from polars_fairness.answers.subgroups.blocks import cells_of_blocks
from polars_fairness.answers.subgroups.table import find_options, subgroup_table
from polars_fairness.api.call import Call
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.collected import collected
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.formula.groups import Each, Groups
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.rates import RATES, Rate
from polars_fairness.question.arguments import Question
from polars_fairness.question.audit_arguments import HARM, Harm, Harms
from polars_fairness.question.roles import Roles

_DEPTH: Final = 2
"""How many facets a group fixes at most by default: pairs of many facets are still few."""


@dataclass(frozen=True, eq=False)
class RankedGroups:
    """The result of `subgroups` for one metric, the worst group of each window first.

    The columns of ``by`` and ``facet`` have numbers for names (``by.0``, ``facet.0``), so that they
    never have the name of another column of the table; ``windows`` has the name of each column that
    makes windows. ``value.0`` and so on are the values that a group fixes, as text; ``name`` is the
    name of the group.
    """

    metric: Metric
    harm: Harm
    facets: tuple[str, ...]
    windows: Mapping[str, str]
    table: pl.DataFrame

    @property
    def groups(self) -> Groups:
        return self.metric.parsed.groups

    @property
    def each(self) -> Each:
        each = self.metric.parsed.each
        assert each is not None
        return each

    @property
    def rate(self) -> Rate:
        return RATES[self.each.rate]

    def by_window(self) -> Iterator[tuple[tuple[tuple[str, object], ...], pl.DataFrame]]:
        """The table of each window."""
        keys = [*self.windows]
        parts = self.table.partition_by(keys, maintain_order=True) if keys else [self.table]
        for part in parts:
            values = part.row(0)[: len(keys)]
            yield tuple(zip(self.windows.values(), values, strict=True)), part


def rank_groups(
    frame: AnyFrame,
    metrics: Sequence[str | Metric],
    options: AuditOptions,
    question: Question,
    harm: Harms | None,
) -> tuple[RankedGroups, ...]:
    """The ranked groups of each metric over several facets, from one table of cells."""
    call = Call.of(frame, question)
    chosen = _chosen(metrics, call.roles, options.minimum_count)
    if not chosen:
        return ()
    if isinstance(harm, Mapping):
        of_metrics(HARM.name, harm, {metric.name: metric for metric in chosen})
    call = call.serving(chosen).without_strata()
    counted = Groups("conjunctions", _depth(chosen))
    cells = cells_of_blocks(call.rows, call.roles, counted).collect(engine="streaming")
    rankings = (_ranked(cells, call.roles, metric, options.confidence, harm) for metric in chosen)
    return tuple(ranking for ranking in rankings if ranking.table["rank"].count())


def _chosen(
    metrics: Sequence[str | Metric], roles: Roles, minimum_count: int | None
) -> list[Metric]:
    """The requested metrics that rank groups; without any, metrics that the outcomes allow."""
    if len(roles.facets) < 2 or any(facet.is_intersection for facet in roles.facets):
        return []
    given = [metric for metric in metrics if isinstance(metric, Metric)]
    ranking = [metric for metric in given if metric.is_joint and metric.parsed.each]
    if ranking:
        return ranking
    names = ("fpsf", "fnsf") if {"label", "predicted"} <= roles.given else ("spsf",)
    allowed = (CATALOGUE[name] for name in names if roles.allow(CATALOGUE[name]))
    return [
        metric.over("conjunctions", depth=_DEPTH, minimum_count=minimum_count) for metric in allowed
    ]


def _depth(metrics: Sequence[Metric]) -> int | None:
    """The largest number of facets that a group of any of these metrics fixes; None for all."""
    depths = [metric.parsed.groups.depth for metric in metrics]
    return None if None in depths else max(depth for depth in depths if depth)


def _ranked(
    cells: pl.DataFrame,
    roles: Roles,
    metric: Metric,
    confidence: float | None,
    harm: Harms | None,
) -> RankedGroups:
    options = find_options(
        metric,
        metric.parsed.groups,
        shrink=False,
        confidence=confidence,
        harm=harm,
        favorable=roles.favorable,
    )
    facets = (
        replace(facet, column=replace(facet.column, name=f"facet.{i}"))
        for i, facet in enumerate(roles.facets)
    )
    inside = replace(roles, windows=roles.windows.named_by_keys(), facets=tuple(facets))
    table = collected(subgroup_table(cells.lazy(), inside, options))
    return RankedGroups(
        metric=metric,
        harm=options.harm,
        facets=tuple(facet.name for facet in roles.facets),
        windows=dict(zip(roles.windows.keys, roles.windows.names, strict=True)),
        table=table.with_columns(*_texts(roles)).with_columns(_name(roles).alias("name")),
    )


def _texts(roles: Roles) -> Iterator[pl.Expr]:
    for i, facet in enumerate(roles.facets):
        text = facet.key([pl.col(f"facet.{i}")]).fill_null("unknown")
        yield pl.when(pl.col("fixed").struct.field(f"facet.{i}")).then(text).alias(f"value.{i}")


def _name(roles: Roles) -> pl.Expr:
    parts = (pl.lit(f"{each.name} ") + pl.col(f"value.{i}") for i, each in enumerate(roles.facets))
    return pl.concat_str(parts, separator=", ", ignore_nulls=True)
