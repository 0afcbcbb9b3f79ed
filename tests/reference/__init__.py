"""Every metric in plain Python, row by row, from the catalogue's text: slow, exact, independent.

Counts are fractions, so a denominator is 0 only where it is 0. `None` means undefined.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

from tests.reference import (
    amounts,
    controls,
    errors,
    groups,
    labels,
    population,
    predictions,
    quantiles,
    rankings,
    scores,
    strata,
)
from tests.reference.cases import Case, Formula, JointCase
from tests.reference.groups import COMPARED, gap, low_over_high
from tests.reference.numbers import Value
from tests.reference.rows import RATES, Counts, Row, as_typed, rounded_down
from tests.reference.scores import MEASURES

__all__ = [
    "MEASURES",
    "RATES",
    "Case",
    "Counts",
    "JointCase",
    "Row",
    "as_typed",
    "joint_metric",
    "measures",
    "metric",
    "rates",
    "rounded_down",
]

UNBOUNDED = frozenset(
    {
        *("di", "success_ratio", "odds_ratio", "mh_ratio", "mh_odds_ratio"),
        *("adjusted_ratio", "adjusted_odds_ratio", "adjusted_base_rate_ratio"),
        *("te", "te_inverse", "dcacc", "dcr", "kl"),
    }
)

_MODULES = (
    *(predictions, controls, strata, errors, labels, population),
    *(groups, scores, rankings, amounts),
)

FORMULAS: dict[str, Formula] = {
    **{formula.__name__: formula for module in _MODULES for formula in module.FORMULAS},
    **quantiles.FORMULAS_BY_NAME,
    **{f"{name}_gap": partial(gap, name=name) for name in COMPARED},
    **{f"{name}_ratio": partial(low_over_high, name=name) for name in COMPARED},
}
NAMES: tuple[str, ...] = tuple(FORMULAS)

OF_TWO_SIDES = frozenset(
    formula.__name__
    for module in (
        predictions,
        controls,
        strata,
        errors,
        labels,
        scores,
        rankings,
        amounts,
    )
    for formula in module.FORMULAS
    if formula.__name__
    not in (
        *("auc_gap", "brier_gap", "ece_gap", "miscalibration", "ndkl"),
        *("estimate_gap", "mae_gap", "rmse_gap", "worst_mse", "explained_by_group"),
    )
)
"""The metrics that compare side d with side a, and not all rows or groups."""


def number(value: Value) -> float | None:
    """The value as a float."""
    return None if value is None else float(value)


def metric(
    name: str,
    rows: Sequence[Row],
    d: set[Hashable],
    a: set[Hashable] | None,
    zero_division: float | None = None,
    resolution: float | None = None,
) -> float | None:
    """One metric of one comparison of d with a (None: all other rows with a known facet)."""
    step = None if resolution is None else as_typed(resolution)
    case = Case(rows, d, a, zero_division, name in UNBOUNDED, step)
    lacks_side = not case.rows_d or not case.rows_a
    if zero_division is None and name in OF_TWO_SIDES and lacks_side:
        return None
    return number(FORMULAS[name](case))


def joint_metric(name: str, case: JointCase) -> float | None:
    """One metric over the groups that all facets define together."""
    return number(FORMULAS[name](case))


def rates(rows: Sequence[Row], zero_division: float | None = None) -> dict[str, float | None]:
    """The counts and rates of some rows."""
    c, counts = Case(rows, set(), None, zero_division), Counts(rows)
    found: dict[str, Value] = {x: getattr(counts, x) for x in ("n", "tp", "fp", "fn", "tn")}
    found |= {name: c.rate(name, counts) for name in RATES}
    found["f1"] = c.ratio(2 * counts.tp, 2 * counts.tp + counts.fp + counts.fn)
    return {name: number(value) for name, value in found.items()}


def measures(
    rows: Sequence[Row], zero_division: float | None = None, resolution: float | None = None
) -> dict[str, float | None]:
    """What the scores of some rows are like."""
    step = None if resolution is None else as_typed(resolution)
    c = Case(rows, set(), None, zero_division, resolution=step)
    return {name: number(measure(c, rows)) for name, measure in MEASURES.items()}
