"""What each control accounts for of a difference: Shapley's rule over all orders of controls."""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial
from typing import Any, Final

import numpy as np

from polars_fairness.formula.tree import Expression
from polars_fairness.inference.influence import NO_INTERVAL, Moved, bounds_of, moved_by
from polars_fairness.inference.quantiles import student
from polars_fairness.question.roles import Roles
from polars_fairness.values.controls import Place
from polars_fairness.values.regression import Fit, Floats

RAW, CONTROL, ADJUSTED = PARTS = ("raw", "control", "adjusted")

COLUMNS: Final = (
    *("part", "control", "contribution", "lower", "upper", "alone", "beyond_the_others", "note"),
)


def drivers_of(
    place: Place, of: str, formula: Expression, roles: Roles, confidence: float
) -> Iterator[dict[str, Any]]:
    """The raw difference, what each control accounts for, and what is left: a row each.

    A set of controls is a number with a bit for each of them. What rows move in a contribution is
    the same sum over sets of controls as the contribution itself. The confidence is 0 for no
    intervals.
    """
    names = [column.name for column in roles.controls.columns]
    sets, whole = 1 << len(names), (1 << len(names)) - 1
    shares, left = _shares(len(names)), np.full(sets, np.nan)
    ends, total, reason = dict[int, Moved | None](), np.zeros(()), None
    for held in range(sets):
        fit = place.holding([name for i, name in enumerate(names) if held >> i & 1]).fit(of)
        if not isinstance(fit, Fit):
            reason = f"controls: {fit}"
            continue
        contrast = np.array([0.0, 0.0, -1.0] if fit.is_linear else [1.0, -1.0, 0.0])
        left[held] = -fit.effect if fit.is_linear else fit.means[0] - fit.means[1]
        moved = moved_by(place, of, fit) if confidence else None
        if held in (0, whole):
            ends[held] = moved
        if confidence and moved is None:
            reason = NO_INTERVAL
        if moved is not None:
            reason = reason or moved.reason(roles)
            total = total + np.outer(shares[:, held], contrast @ moved.moved)
    reach, of_all = np.full(len(names), np.nan), ends.get(whole)
    if of_all is not None and not reason:
        t = float(student((1 + confidence) / 2, of_all.freedom(of_all.contrast(formula))))
        reach = t * np.sqrt(total**2 @ of_all.times)

    def of_end(part: str, held: int) -> dict[str, Any]:
        moved = None if reason else ends.get(held)
        bounds = (None, None) if moved is None else bounds_of(formula, moved, confidence)
        return dict(
            zip(COLUMNS, (part, None, left[held], *bounds, None, None, reason), strict=True)
        )

    yield of_end(RAW, 0)
    for i, (name, value) in enumerate(zip(names, shares @ left, strict=True)):
        alone, beyond = left[0] - left[1 << i], left[whole & ~(1 << i)] - left[whole]
        bounds = value - reach[i], value + reach[i]
        row = CONTROL, name, value, *bounds, alone, beyond, reason
        yield dict(zip(COLUMNS, row, strict=True))
    yield of_end(ADJUSTED, whole)


def _shares(controls: int) -> Floats:
    """How often each set of controls counts in what each control accounts for (Shapley 1953)."""
    found = np.zeros((controls, 1 << controls))
    for held in range(1 << controls):
        size = held.bit_count()
        for i in range(controls):
            if not held >> i & 1:
                weight = factorial(size) * factorial(controls - 1 - size) / factorial(controls)
                found[i, held] += weight
                found[i, held | 1 << i] -= weight
    return found
