"""One law for formulas: over counts with zeros, polars has the values of numpy."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache
from itertools import chain
from random import Random
from typing import Any, Final, get_args

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.counting.counts import tallied
from polars_fairness.elsewhere import TOOLS, tool_of
from polars_fairness.formula.formulas import across_strata
from polars_fairness.formula.levels import (
    AT_EQUAL_CONTROLS,
    GROUP_BY_SCORE,
    POPULATION,
    ROC,
    Level,
)
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.closed_forms import Method, closed_form
from polars_fairness.question.reading import find_roles
from polars_fairness.question.roles import Roles
from polars_fairness.terms import a_i, choose, d_i, known
from polars_fairness.values.formula_checks import if_unfavorable
from polars_fairness.values.levels import computed, valued

TYPES: Final[dict[str, Any]] = {
    "label": pl.Boolean(),
    "predicted": pl.Boolean(),
    "observed": pl.Float64(),
    "estimated": pl.Float64(),
    "score": pl.Float64(),
    "weight": pl.Float64(),
}
OUTCOMES: Final = ("label", "predicted", "observed", "estimated", "score")
QUESTIONS: Final = (
    ("label", "predicted"),
    ("label", "predicted", "weight"),
    ("observed", "estimated"),
    ("label", "score"),
    ("label", "score", "weight"),
)
# Each keyword of a function of another tool, with another value than its default.
KEYWORDS: Final = {
    "method": "to_overall",
    "agg": "mean",
    "of": "labels",
    "alpha": 0,
    "privileged": True,
    "smd_denominator": "pooled",
}
# What an operation does that no entry of the catalogue needs there.
OTHERS: Final = {
    "carried": across_strata(choose(d_i.n > 2, d_i.n).carried().sum()),
    "without nulls": across_strata(known((d_i.n / a_i.n).log()).mean()),
    "of nothing": across_strata(choose(d_i.n > 1e9, d_i.n).max()),
    "of nothing, added": across_strata(choose(d_i.n > 1e9, d_i.n).sum()),
    "variance": across_strata(known(d_i.n / a_i.n).var()),
    "whole": across_strata(choose((d_i.n >= 0).all(), a_i.n).count()),
    "any": across_strata(choose((known(d_i.n / a_i.n) > 1).any(), 2, 3)),
    "all": across_strata(choose((known(d_i.n / a_i.n) > 1).all(), 2, 3)),
}


@cache
def formulas() -> dict[str, Metric]:
    """All formulas: those of the catalogue, of other tools, and of the bounds of both."""
    entries = dict(pf.CATALOGUE) | {
        f"bad {name}": if_unfavorable(metric) for name, metric in pf.CATALOGUE.items()
    }
    for tool in map(tool_of, TOOLS):
        for row in tool.rows:
            given = inspect.signature(row.formula).parameters.keys() & KEYWORDS.keys()
            variants: list[dict[str, Any]] = [{}, *({each: KEYWORDS[each]} for each in given)]
            for keywords in variants:
                entries[f"{tool.name}.{row.function} {keywords}"] = tool.metric(row, **keywords)
    found = dict(chain.from_iterable(map(_with_bounds, entries.items())))
    return found | {name: Metric(name, name, formula) for name, formula in OTHERS.items()}


def _with_bounds(entry: tuple[str, Metric]) -> Iterator[tuple[str, Metric]]:
    name, metric = entry
    yield entry
    for method in get_args(Method):
        for i, bound in enumerate(closed_form(metric, method, 0.95) or ()):
            yield f"{name} {method} {i}", bound


def question(given: tuple[str, ...], zero_division: float | None) -> Roles:
    types = pl.Schema({name: TYPES[name] for name in given})
    named: Any = {name: name for name in given} | {"zero_division": zero_division}
    roles = find_roles(types, named)
    return roles.counting_scores if "score" in given else roles


def lattice(level: Level, roles: Roles) -> pl.DataFrame:
    """Counts by key, many of them 0, with sides, groups and scores that have no rows."""
    random, rows = Random(level.name), list[dict[str, Any]]()
    for key in range(120):
        few = random.choice([(0, 1), (0, 0, 3, 8), (0, 0, 1, 2, 7, 30), (5, 11, 2, 40), (25, 160)])
        is_one = level in (POPULATION, AT_EQUAL_CONTROLS) or (
            level.table == "sides" and level.divided_by is None
        )
        places = [
            {"value": str(i), "label": str(i // 2), "predicted": str(i % 2), "score": score}
            for i in range(1 if is_one or level.has_sides or not level.is_by_score else 3)
            for score in sorted(random.sample([0.0, 0.05, 0.25, 0.3, 0.5, 0.77, 1.0], 4))
        ][: 1 if is_one else 12]
        for place in places:
            row: dict[str, Any] = {"key": key, **place, "number": len(rows)}
            for side in (*level.counted, *level.beside):
                counts = {name: float(random.choice(few)) for name in tallied(roles)}
                for name in counts:
                    if name.endswith("_sq") and not name.startswith("residual"):
                        counts[name] = counts[name.removesuffix("_sq")] * (0.7 + key % 7 / 10)
                row |= {f"{side.name}.{name}": number for name, number in counts.items()}
                if level == AT_EQUAL_CONTROLS:
                    for word in ("odds", "estimated_log", "observed_log"):
                        row[f"{side.name}.{word}"] = random.choice((0.0, 0.4, 1.0, 3.0))
            rows.append(row)
    return pl.DataFrame(rows)


@pytest.mark.newest
@pytest.mark.parametrize(
    "zero_division", [None, 0.25, pytest.param(0.0, marks=pytest.mark.nightly)]
)
@pytest.mark.parametrize("given", QUESTIONS)
def test_polars_has_the_values_of_numpy(
    given: tuple[str, ...], zero_division: float | None
) -> None:
    roles, by_level = question(given, zero_division), dict[Level, dict[str, Metric]]()
    for name, metric in formulas().items():
        level = metric.parsed.level
        needs = set(metric.needs) & set(OUTCOMES)
        if level in (ROC, GROUP_BY_SCORE) or metric.is_about_ranks or not needs <= set(given):
            continue
        if level.is_by_score == ("score" in given):
            by_level.setdefault(level, {})[name] = metric
    assert sum(map(len, by_level.values())) > 20
    for level, metrics in by_level.items():
        counts = lattice(level, roles)
        ours = computed(counts, roles, level, metrics, ["key"])
        plan = valued(counts.lazy(), roles, level, metrics, ["key"]).collect()
        for name in metrics:
            one, other = (each[f"metric.{name}"] for each in (ours, plan))
            if zero_division is None:
                one, other = one.fill_nan(None), other.fill_nan(None)
            assert one.is_null().equals(other.is_null()), name
            near = (one - other).abs() <= 1e-12 * (1 + one.abs())
            assert ((one == other) | near).all(), name
