"""Bounds of distances between AUCs: those of the differences of their closed forms, folded.

Draws say nothing where the scores separate the labels, since each of them has the same ROC curves:
of 10, 20 and 40 rows a side without error, drawn intervals of `abroca` and `auc_gap` held a true
distance in 41 to 70 of 100. A distance between two curves is at least that of their areas, and no
narrower than what is known of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.counts import tallied
from polars_fairness.formula.levels import SCORE, Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import a_s, d_s, g_s
from polars_fairness.inference.closed_forms.scores import LEAST_OUT_OF_ORDER, numbers_of_area
from polars_fairness.inference.deviations import Floats
from polars_fairness.inference.draws import (
    Drawing,
    Draws,
    level_values,
)
from polars_fairness.inference.quantiles import confidence_of_a_pair
from polars_fairness.question.roles import Roles
from polars_fairness.values.by_key import Rows

_DISTANCES: Final = [CATALOGUE[name].parsed for name in ("abroca", "auc_gap")]


def is_between_areas(metric: Metric) -> bool:
    """Whether a metric is a distance between the ROC curves, or the AUCs, of sides or groups.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [is_between_areas(pf.CATALOGUE[name]) for name in ("abroca", "auc_gap", "brier_gap")]
    [True, True, False]
    """
    formula = metric.parsed
    return any(
        formula.level == each.level
        and formula.measure == each.measure
        and formula.expression is each.expression
        for each in _DISTANCES
    )


def bounds_between_areas(counts: Draws, level: Level, roles: Roles, drawing: Drawing) -> Floats:
    """The lower and the upper bound of the distance between AUCs, for each place.

    Of several groups it is the largest of all pairs, whose bounds hold together. Of these, and of
    sides that share rows, only AUCs with few rows out of order count: other draws vary enough.
    NaN where no two count.
    """
    bounds = np.full((2, counts.places.height), np.nan)
    are_apart = not roles.facets_against_all
    confidences = drawing.confidences(counts.places)
    found = {each: _areas(counts, level, roles, each) for each in {*confidences}}
    for place, confidence in enumerate(confidences):
        areas = found[confidence][place]
        if (groups := len(areas)) > 2:
            of_pair = confidence_of_a_pair(groups, confidence)
            if of_pair not in found:
                found[of_pair] = _areas(counts, level, roles, of_pair)
            areas = found[of_pair][place]
        for (one, low, high, order), (other, other_low, other_high, other_order) in combinations(
            areas, 2
        ):
            is_alone = groups == 2 and (are_apart or not level.has_sides)
            if not is_alone and min(order, other_order) >= LEAST_OUT_OF_ORDER:
                continue
            lower = one - other - np.hypot(one - low, other_high - other)
            upper = one - other + np.hypot(high - one, other - other_low)
            folded = [max(0.0, lower, -upper), max(upper, -lower)]
            if (0.0, 1.0) in ((low, high), (other_low, other_high)):
                # Of a single positive or negative row nothing is known.
                folded = [0.0, 1.0]
            bounds[:, place] = np.fmax(bounds[:, place], folded)
    return bounds


def _areas(
    counts: Draws, level: Level, roles: Roles, confidence: float
) -> list[list[Sequence[float]]]:
    """By place, each AUC that is known, its bounds, and how many rows are out of order."""
    rows = counts.undrawn(counts.all_places)
    sides = level.counted if level.has_sides else (a_s,)
    numbers = [*numbers_of_area(a_s, confidence)]
    metrics = {
        f"{side.name}{word}": Metric("area", "", number)
        for side in sides
        for word, number in numbers_of_area(side, confidence).items()
    }
    place = np.arange(len(rows.sizes))
    if not level.has_sides:
        # Each group by itself, as side a.
        assert rows.parts is not None
        starts = np.flatnonzero(np.diff(rows.parts, prepend=-1))
        place = np.repeat(place, rows.sizes)[starts]
        columns = dict(rows.columns)
        for count in tallied(roles):
            columns[f"{a_s.name}.{count}"] = columns[f"{g_s.name}.{count}"]
            columns[f"{d_s.name}.{count}"] = np.zeros(len(rows.parts))
        rows = Rows(columns, np.diff(starts, append=len(rows.parts)).tolist())
    values = level_values(rows, counts.all_places, roles, SCORE, metrics)
    found: list[list[Sequence[float]]] = [[] for _ in range(counts.places.height)]
    for side in sides:
        areas = np.hstack([values[f"{side.name}{word}"] for word in numbers])
        for number, area in zip(place, areas, strict=True):
            if not np.isnan(area).any():
                found[number].append(area.tolist())
    return found
