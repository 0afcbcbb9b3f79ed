"""How far each row moves the means of a regression: intervals and p-values at equal controls.

And what each control accounts for of a difference, by Shapley's rule over all orders of controls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import factorial
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import polars as pl

from polars_fairness.counting.counts import CLUSTER, GROUPS, with_finest_counts
from polars_fairness.counting.sides import with_sides
from polars_fairness.errors import listed
from polars_fairness.formula.levels import AT_EQUAL_CONTROLS
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.numbers import centred_mean, mean_log
from polars_fairness.formula.sides import a_c, d_c
from polars_fairness.formula.tree import Expression, unbounded_ratio
from polars_fairness.inference.bound_names import (
    CORRELATION,
    DEVIATIONS,
    NOTE,
    P_VALUE,
    REASON,
    bound_names,
)
from polars_fairness.inference.deviations import few_clusters, less, wilson
from polars_fairness.inference.draws import Drawing
from polars_fairness.inference.jackknife import are_counted, skewed_reach
from polars_fairness.inference.quantiles import student
from polars_fairness.inference.significance import chi_squared
from polars_fairness.question.outcomes import CHAMPION, NUMBERS
from polars_fairness.question.roles import Roles
from polars_fairness.values.controls import LOG, Place, regressed
from polars_fairness.values.levels import counted, keys_of
from polars_fairness.values.regression import (
    A,
    D,
    Fit,
    Floats,
    NoRegressionError,
    covariance,
    logistic,
)

Bounds = tuple[float, float]

_NORMAL: Final = NormalDist()
_NO_BOUNDS: Final = (float("nan"), float("nan"))
_LEAST_FREEDOM: Final = 2.0
_ROUNDING: Final = 1e-9
_RARE: Final = 0.05
"""A note speaks where chance alone would make it speak less often."""

_CERTAIN: Final = 1e-14
"""A variance below which no row moves a mean."""


def compare_at_equal_controls(
    cells: pl.DataFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
    *,
    are_tested: bool,
) -> tuple[list[str], pl.DataFrame]:
    """The values, bounds, p-values and notes at equal controls: key columns, and a table.

    The confidence of ``drawing`` is 0 where no bounds are wanted.
    """
    level = AT_EQUAL_CONTROLS
    keys = keys_of(level, roles)
    more = [name for name in (CLUSTER, CHAMPION) if name in cells.columns][:1]
    sided = with_sides(with_finest_counts(cells.lazy(), roles), roles)
    types = {NOTE: pl.String(), REASON: pl.String(), DEVIATIONS: pl.List(pl.Float64)}
    answer = pl.DataFrame()
    for each in regressed(counted(sided, roles, level, more), roles, metrics, keys, *more):
        by_column: dict[str, list[Any]] = {}
        confidences = drawing.confidences(each.keys)
        for (place, fit), confidence in zip(each.fits, confidences, strict=True):
            note: str | None = f"controls: {fit}"
            moved = None
            if isinstance(fit, Fit):
                note, moved = _note(place, each.of, fit), moved_by(place, each.of, fit)
                if moved is None and not fit.is_linear:
                    note = "; ".join(filter(None, (note, NO_INTERVAL)))
            for name, metric in each.metrics.items():
                formula = metric.parsed.expression
                row = _judged(moved, formula, roles, confidence, are_tested=are_tested)
                for ending, value in ({NOTE: note} | row).items():
                    by_column.setdefault(f"metric.{name}{ending}", []).append(value)
        columns = []
        for name, values in by_column.items():
            dtype = next((t for ending, t in types.items() if name.endswith(ending)), pl.Float64())
            columns.append(pl.Series(name, values, dtype, nan_to_null=dtype == pl.Float64))
        of_metrics = each.values[[f"metric.{name}" for name in each.metrics]]
        answer = each.keys if answer.is_empty() else answer
        answer = answer.with_columns(of_metrics.get_columns() + columns)
    return keys, answer


def _judged(
    moved: Moved | None,
    formula: Expression,
    roles: Roles,
    confidence: float,
    *,
    are_tested: bool,
) -> dict[str, Any]:
    """The bounds of a value, its p-value, and what contrasts need, by the endings of names."""
    reason, row = None if moved is None else moved.reason(roles), dict[str, Any]()
    known = None if reason else moved
    if confidence:
        bounds = _NO_BOUNDS if known is None else bounds_of(formula, known, confidence)
        row |= dict(zip(bound_names(""), bounds, strict=True))
    if are_tested:
        row[P_VALUE] = None if known is None else known.p_value
    if roles.left_out:
        row |= {REASON: reason, DEVIATIONS: moved and moved.deviations(formula)}
    elif roles.champion is not None:
        row[CORRELATION] = moved and moved.correlation(formula)
    return row


def _note(place: Place, of: str, fit: Fit) -> str | None:
    """What a reader would not expect of a regression: what it drops, and compares with nothing."""
    said = []
    if fit.determined:
        said.append(f"without {listed(fit.determined)}, which does not vary or follows from others")
    left, levels, rows = place.left_out(fit)
    if left:
        said.append(
            f"{left} of {levels} levels, with {rows:.0f} rows, have one outcome and add no "
            "difference"
        )
    alone, rows = place.one_sided()
    if alone:
        said.append(
            f"{alone} of {levels} levels, with {rows:.0f} rows, have rows of one side, so that "
            "nothing is compared there"
        )
    is_counted = place.key is None and np.array_equal(place.counts["n"], place.squares["n"])
    if (fit.is_linear and place.key == CLUSTER) or (
        is_counted and not fit.is_linear and np.isfinite(fit.effect)
    ):
        said += _what_it_misses(fit, of, place)
    return f"controls: {'; '.join(said)}" if said else None


def _what_it_misses(fit: Fit, of: str, place: Place) -> Iterator[str]:
    """Whether the effect of d depends on a control, or that of a control on another one.

    Of 1,000 data sets without either, each note speaks in about one of twenty. Two controls that
    interact and confound gave 0.016 for a true 0.093: only the second note found it.
    """
    y = place.counts[of]
    groups = np.unique(place.groups, return_inverse=True)[1] if fit.is_linear else None
    p_values = {name: chi_squared(x, df) for name, x, df in fit.interactions(y, groups)}
    if p_values:
        name = min(p_values, key=lambda each: p_values[each])
        if (p := p_values[name] * len(p_values)) < _RARE:
            shown = "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"
            yield f"the difference is not the same at all values of {name!r} ({shown})"
    more, error, share = fit.inside(y, place.strata, groups)
    if error > 0 and chi_squared((more / error) ** 2, 1) < _RARE:
        much = f"{abs(more):.3g}" if fit.is_linear else f"{abs(more) * 100:.1f} points"
        size = f"{much} {'larger' if more > 0 else 'smaller'}"
        what = "difference of logarithms" if of.endswith(LOG) else "difference"
        yield (
            f"inside equal combinations ({share * 100:.0f} % of rows) the {what}, a less d, is "
            f"{size}"
        )


@dataclass(frozen=True)
class Moved:
    """The means of both sides and β, and how far the rows move them.

    Attributes
    ----------
    means
        The means of a and of d, in which a side of one outcome has half a row of the other.
    effect
        β.
    covariance
        The covariance of the means and β.
    by_side
        What the rows of each side add to it, as far as degrees of freedom go by that.
    effective
        The effective rows of each side, or clusters, (Σw)²/Σw².
    moved
        What each group of clusters moves in both means and β; or one row of each combination that
        has either outcome.
    times
        How often each of these counts in the covariance: the sums of squared weights.
    groups
        The groups of clusters that have rows; 0 where rows are independent.
    varies
        Whether both sides have both outcomes.
    other, crossed
        The same of the champion's decisions, and the covariance with these.
    """

    means: tuple[float, float]
    effect: float
    covariance: Floats
    by_side: Floats
    effective: Floats
    moved: Floats
    times: Floats
    groups: int = 0
    varies: bool = True
    other: Moved | None = None
    crossed: Floats | None = None

    def contrast(self, formula: Expression) -> Floats:
        """How the means and β move a value, or its logarithm if it is a ratio."""
        kind = _kind(formula)
        if kind in _OF_EFFECT:
            return np.array([0.0, 0.0, _OF_EFFECT[kind]])
        of_a, of_d = self.means
        parts = (1.0, -1.0) if kind == "difference" else (-1 / of_a, 1 / of_d)
        return np.array([*parts, 0.0])

    def deviations(self, formula: Expression) -> list[float] | None:
        """What each group of clusters moves in a value; None if it is not known."""
        known = self.groups and self.varies
        return (self.contrast(formula) @ self.moved).tolist() if known else None

    def correlation(self, formula: Expression) -> float | None:
        """The correlation of a value with that of the champion."""
        if self.other is None or self.crossed is None:
            return None
        one, other = self.contrast(formula), self.other.contrast(formula)
        variances = one @ self.covariance @ one * (other @ self.other.covariance @ other)
        return float(one @ self.crossed @ other / np.sqrt(variances)) if variances > 0 else None

    def freedom(self, contrast: Floats) -> float:
        """The degrees of freedom of a sum of what rows move, as Welch has them."""
        parts = np.einsum("i,sij,j->s", contrast, self.by_side, contrast)
        below = (parts**2 / np.maximum(self.effective - 1, _ROUNDING)).sum()
        degrees = float(parts.sum() ** 2 / below) if below > 0 else _LEAST_FREEDOM
        if self.groups:
            return max(1.0, min(self.groups - 1, degrees))
        return max(_LEAST_FREEDOM, degrees)

    @property
    def p_value(self) -> float | None:
        """The p-value of β by Wald's test: that of all metrics of the outcome."""
        from scipy.stats import t as distribution  # brought by an extra

        error = float(np.sqrt(self.covariance[2, 2]))
        if not error > 0:
            return None
        freedom = self.freedom(np.array([0.0, 0.0, 1.0]))
        return float(2 * distribution.sf(abs(self.effect) / error, freedom))

    def reason(self, roles: Roles) -> str | None:
        """Why there is no interval over clusters."""
        argument, named = roles.words_of_clusters
        if are_counted(roles):
            return "count: how rows differ that were counted before is not known"
        if self.groups and (reason := few_clusters(self.effective.min(), roles)):
            return reason
        if not self.varies:
            why = f"none of the {named} moves the value"
            if np.isinf(self.effect):
                why = f"a side has one outcome in all {named}"
            return f"{argument}: {why}, so how it varies is not known"
        return None


NO_INTERVAL: Final = "controls: no interval, since a side has one outcome where both are compared"


def moved_by(place: Place, of: str, fit: Fit) -> Moved | None:
    """What rows, or groups of clusters, move in a regression; of numbers, groups alone do.

    None where a side has one outcome, and half a row of the other one makes no regression.
    """
    n, y = place.counts["n"], place.counts[of]
    if place.key == CLUSTER:
        return _moved_by_clusters(place, fit, y)
    if fit.is_linear:
        return None
    squares, of_yes = place.squares["n"], place.squares[of]
    try:
        own, base, moved = _moved_by_rows(place, fit, n, y, squares, of_yes)
    except NoRegressionError:
        return None
    if place.key != CHAMPION:
        return own
    accepted = place.groups.astype(float)
    try:
        there = logistic(place.rows, n, n * accepted)
        other, first, more = _moved_by_rows(
            place, there, n, n * accepted, squares, squares * accepted
        )
    except NoRegressionError:
        return own
    if of == "positive":
        return replace(own, other=own, crossed=own.covariance)
    crossed = (base * squares + moved * of_yes) @ (first + more * accepted).T
    return replace(own, other=other, crossed=crossed)


def _moved_by_rows(
    place: Place, fit: Fit, n: Floats, y: Floats, squares: Floats, of_yes: Floats
) -> tuple[Moved, Floats, Floats]:
    """What independent rows move, and the influence of one row of each combination."""
    rows = place.rows
    sides = (~rows.is_d, rows.is_d)
    if np.isinf(fit.effect):
        for own in sides:
            total, yes = n[own].sum(), y[own].sum()
            if not _ROUNDING < yes / total < 1 - _ROUNDING:
                # A side of one outcome has half a row of the other one, spread over its rows.
                weight = squares[own].sum() / total
                more = np.where(own, weight / 2 * n / total, 0.0)
                n, squares = n + more, squares + weight * more
                if yes == 0:
                    y, of_yes = y + more, of_yes + weight * more
        fit = logistic(rows, n, y)
    influence = fit.influence(squares)
    by_side = np.stack([covariance(influence, squares, of_yes, own) for own in sides])
    effective = np.array([n[own].sum() ** 2 / squares[own].sum() for own in sides])
    base, moved = influence
    both, times = np.hstack([base, base + moved]), np.concatenate([squares - of_yes, of_yes])
    variance = by_side.sum(axis=0)
    return Moved(fit.means, fit.effect, variance, by_side, effective, both, times), base, moved


def _moved_by_clusters(place: Place, fit: Fit, y: Floats) -> Moved:
    """What groups of clusters move where each is left out."""
    n, sides = place.counts["n"], (~place.rows.is_d, place.rows.is_d)
    occurring, groups = np.unique(place.groups, return_inverse=True)
    sizes = np.stack([np.bincount(groups, n * own) for own in sides])
    effective, number = sizes.sum(axis=1) ** 2 / (sizes**2).sum(axis=1), occurring.size
    if np.isinf(fit.effect):
        none = np.full((3, 3), np.nan)
        both = np.stack([none, none])
        unknown = np.full((3, GROUPS), np.nan), np.ones(GROUPS)
        return Moved(fit.means, fit.effect, none, both, effective, *unknown, number, varies=False)
    # Contrasts pair the groups of two models or windows, so each has the places of all.
    moved = np.zeros((3, GROUPS))
    moved[:, occurring] = fit.without(groups, n, y) * np.sqrt((number - 1) / number)
    by_side = [fit.added(groups, n * own, y * own) for own in sides]
    both = np.stack([each @ each.T for each in by_side])
    covariance = moved @ moved.T
    size = max(np.abs([*fit.means, fit.effect])) if fit.is_linear else 0.0
    return Moved(
        fit.means,
        fit.effect,
        covariance,
        both,
        effective,
        moved,
        np.ones(moved.shape[1]),
        number,
        varies=bool(covariance[2, 2] > (_ROUNDING * size) ** 2),
    )


def _kind(formula: Expression) -> str | None:
    """Whether a formula is a difference or a ratio of rates, of means, or of odds."""
    for one, other in ((a_c.selection_rate, d_c.selection_rate), (a_c.base_rate, d_c.base_rate)):
        if formula is one - other:
            return "difference"
        if formula is unbounded_ratio(other, one):
            return "ratio"
    for number in NUMBERS:
        if formula is centred_mean(number)(a_c) - centred_mean(number)(d_c):
            return "less"
        if formula is (mean_log(number)(d_c) - mean_log(number)(a_c)).exp():
            return "times"
    return "odds" if formula is unbounded_ratio(d_c.odds, a_c.odds) else None


def bounds_of(formula: Expression, moved: Moved, confidence: float) -> Bounds:
    """The bounds of a difference, a ratio or an odds ratio; of other formulas there are none."""
    kind = _kind(formula)
    if kind in _OF_EFFECT:
        return _effect_bounds(moved, kind, moved.contrast(formula), confidence)
    if kind is None:
        return _NO_BOUNDS
    of_a, of_d, correlation = _limited_means(moved, confidence)
    if kind == "difference":
        return less(of_a, of_d, correlation)
    low, high = less(np.log(of_d), np.log(of_a), correlation)
    return float(np.exp(low)), float(np.exp(high))


_OF_EFFECT: Final = {"odds": 1.0, "times": 1.0, "less": -1.0}
"""The values that follow from β alone, and its sign in them."""


def _effect_bounds(moved: Moved, kind: str, contrast: Floats, confidence: float) -> Bounds:
    t = float(student((1 + confidence) / 2, moved.freedom(contrast)))
    value, error = contrast[2] * moved.effect, float(np.sqrt(moved.covariance[2, 2]))
    below = above = t
    if kind != "odds":
        of_groups = -(contrast @ moved.moved)[np.newaxis]
        below, above = (float(each[0]) for each in skewed_reach(np.array([t]), of_groups))
    ends = value - below * error, value + above * error
    return ends if kind == "less" else (float(np.exp(ends[0])), float(np.exp(ends[1])))


def _limited_means(moved: Moved, confidence: float) -> tuple[Floats, Floats, float]:
    """The means of a and of d, each between Wilson's limits, and their correlation."""
    z = _NORMAL.inv_cdf((1 + confidence) / 2)
    t = float(student((1 + confidence) / 2, moved.freedom(np.array([1.0, -1.0, 0.0]))))
    covariance, ends = moved.covariance, []
    for side in (A, D):
        mean, variance = moved.means[side], covariance[side, side]
        rows = moved.effective[side]
        if variance > _CERTAIN:
            rows = mean * (1 - mean) / variance
        low, high = wilson(mean, rows * (z / t) ** 2, z)
        ends.append(np.array([low, mean, high]))
    spread = np.sqrt(covariance[A, A] * covariance[D, D])
    of_a, of_d = ends
    return of_a, of_d, float(covariance[A, D] / spread) if spread > 0 else 0.0


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

    def end_row(part: str, held: int) -> dict[str, Any]:
        moved = None if reason else ends.get(held)
        bounds = (None, None) if moved is None else bounds_of(formula, moved, confidence)
        return dict(
            zip(COLUMNS, (part, None, left[held], *bounds, None, None, reason), strict=True)
        )

    yield end_row(RAW, 0)
    for i, (name, value) in enumerate(zip(names, shares @ left, strict=True)):
        alone, beyond = left[0] - left[1 << i], left[whole & ~(1 << i)] - left[whole]
        bounds = value - reach[i], value + reach[i]
        row = CONTROL, name, value, *bounds, alone, beyond, reason
        yield dict(zip(COLUMNS, row, strict=True))
    yield end_row(ADJUSTED, whole)


def _shares(controls: int) -> Floats:
    """How often each set of controls counts in what each control accounts for (Shapley 1953)."""
    shares = np.zeros((controls, 1 << controls))
    for held in range(1 << controls):
        size = held.bit_count()
        for i in range(controls):
            if not held >> i & 1:
                weight = factorial(size) * factorial(controls - 1 - size) / factorial(controls)
                shares[i, held] += weight
                shares[i, held | 1 << i] -= weight
    return shares
