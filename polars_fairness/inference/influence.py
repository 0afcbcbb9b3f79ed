"""How far each row moves the means of a regression: intervals and p-values at equal controls.

And what each control accounts for of a difference, by Shapley's rule over all orders of controls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import factorial
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import polars as pl

from polars_fairness.counting.counts import CLUSTER, GROUPS, with_finest_counts
from polars_fairness.counting.sides import with_sides
from polars_fairness.errors import listed
from polars_fairness.formula.arrays import Floats
from polars_fairness.formula.levels import AT_EQUAL_CONTROLS
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.numbers import centred_mean, mean_log
from polars_fairness.formula.sides import a_c, d_c
from polars_fairness.formula.tree import Expression, unbounded_ratio
from polars_fairness.inference.deviations import (
    DEVIATIONS,
    LEAST_CLUSTERS,
    LEAST_LEFT,
    few_clusters,
    less,
    wilson,
)
from polars_fairness.inference.draws import Drawing
from polars_fairness.inference.moments import (
    Moments,
    freedom_of,
    unseen_rows,
)
from polars_fairness.inference.numbers import NO_FORMULA, Sums, multiplied
from polars_fairness.inference.quantiles import smallest, student
from polars_fairness.inference.significance import chi_squared
from polars_fairness.inference.unmeasured import Unmeasured
from polars_fairness.question.outcomes import CHAMPION, NUMBERS
from polars_fairness.question.roles import Roles
from polars_fairness.values.controls import LOG, Place, regressed
from polars_fairness.values.levels import keys_of
from polars_fairness.values.lines import (
    BOUNDS,
    CORRELATION,
    NOTE,
    P_VALUE,
    REASON,
    UNMEASURED,
    VALUE,
    Found,
)
from polars_fairness.values.regression import (
    A,
    D,
    Fit,
    NoRegressionError,
    covariance,
    logistic,
    without_side,
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

_TINY: Final = 1e-300


def compare_at_equal_controls(
    cells: pl.DataFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
    *,
    are_tested: bool,
) -> Iterator[Found]:
    """The values, bounds, p-values and notes at equal controls.

    The confidence of ``drawing`` is 0 where no bounds are wanted.
    """
    level = AT_EQUAL_CONTROLS
    keys = keys_of(level, roles)
    more = [name for name in (CLUSTER, CHAMPION) if name in cells.columns][:1]
    more = [] if roles.left_out == "parts" else more
    sided = with_sides(with_finest_counts(cells.lazy(), roles), roles)
    for each in regressed(sided, roles, metrics, keys, *more):
        columns: dict[str, dict[str, Any]] = {}
        confidences = drawing.confidences(each.keys)
        for (place, fit), confidence in zip(each.fits, confidences, strict=True):
            note: str | None = f"controls: {fit}"
            moved = None
            if isinstance(fit, Fit):
                rare = _RARE / len(each.fits)
                note, moved = _note(place, each.of, fit, rare), moved_by(place, each.of, fit)
                if moved is None:
                    note = "; ".join(filter(None, (note, why_no_interval(fit))))
            for name, metric in each.metrics.items():
                kind = _kind(metric.parsed.expression)
                row = _judged(moved, kind, roles, confidence, are_tested=are_tested)
                if says_what_is_unmeasured(metric):
                    is_fit = isinstance(fit, Fit)
                    row[UNMEASURED] = Unmeasured.of(place, each.of) if is_fit else None
                for column, value in ({NOTE: note} | row).items():
                    columns.setdefault(column, {}).setdefault(name, []).append(value)
        for column in (*BOUNDS, P_VALUE, CORRELATION):
            for name, values in columns.get(column, {}).items():
                columns[column][name] = np.array(values, float)
        columns[VALUE] = {
            name: each.values[f"metric.{name}"].fill_null(np.nan).to_numpy()
            for name in each.metrics
        }
        yield Found(each.keys, keys, columns)


def says_what_is_unmeasured(metric: Metric) -> bool:
    """Whether a metric is a difference at equal controls, or one of logarithms of numbers."""
    is_of_numbers = any(number in metric.needs for number in NUMBERS)
    return metric.parsed.level == AT_EQUAL_CONTROLS and (is_of_numbers or not metric.is_ratio)


def _judged(
    moved: Moved | Effect | None,
    kind: str | None,
    roles: Roles,
    confidence: float,
    *,
    are_tested: bool,
) -> dict[str, Any]:
    """The bounds of a value, its p-value, and what contrasts need, by column."""
    reason = None if moved is None else moved.reason(roles)
    known, row = None if reason else moved, dict[str, Any]({REASON: reason})
    if confidence:
        bounds = _NO_BOUNDS if known is None else known.bounds(kind, confidence)
        row |= dict(zip(BOUNDS, bounds, strict=True))
    if are_tested:
        row[P_VALUE] = None if known is None else known.p_value
    if isinstance(moved, Moved) and roles.cluster:
        row[DEVIATIONS] = moved.deviations(kind)
    elif isinstance(moved, Moved) and roles.champion is not None:
        row[CORRELATION] = moved.correlation(kind)
    return row


def _note(place: Place, of: str, fit: Fit, rare: float) -> str | None:
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
    shows_residuals = fit.is_linear and (place.key == CLUSTER or place.has_powers)
    if shows_residuals or (is_counted and not fit.is_linear and np.isfinite(fit.effect)):
        said += _what_it_misses(fit, of, place, rare)
    return f"controls: {'; '.join(said)}" if said else None


def _what_it_misses(fit: Fit, of: str, place: Place, rare: float) -> Iterator[str]:
    """Whether the effect of d depends on a control, or that of a control on another one.

    Of 1,000 data sets without either, each note speaks in about one of twenty, whatever the number
    of comparisons: ``rare`` is divided by it. Two controls that interact and confound gave 0.016
    for a true 0.093: only the second note found it.
    """
    y = place.counts[of]
    groups = squares = None
    if place.key == CLUSTER:
        groups = np.unique(place.groups, return_inverse=True)[1]
    elif fit.is_linear:
        squares = _Residuals.of(place, of, fit).squares
    p_values = {name: chi_squared(x, df) for name, x, df in fit.interactions(y, groups, squares)}
    if p_values:
        name = min(p_values, key=lambda each: p_values[each])
        if (p := p_values[name] * len(p_values)) < rare:
            shown = "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"
            yield f"the difference is not the same at all values of {name!r} ({shown})"
    more, error, share = fit.inside(y, place.strata, groups, squares)
    if error > 0 and chi_squared((more / error) ** 2, 1) < rare:
        much = f"{abs(more):.3g}" if fit.is_linear else f"{abs(more) * 100:.1f} points"
        size = f"{much} {'larger' if more > 0 else 'smaller'}"
        what = "difference of logarithms" if of.endswith(LOG) else "difference"
        yield (
            f"inside equal combinations ({share * 100:.0f} % of rows) the {what}, a less d, is "
            f"{size}"
        )


@dataclass(frozen=True)
class _Residuals:
    """Sums of powers of what least squares leaves of the numbers of each combination.

    They are Σw²r², Σw³r² and Σw³r³, and ``counts`` has Σw to Σw⁴.
    """

    squares: Floats
    heavier: Floats
    cubes: Floats
    counts: tuple[Floats, ...]

    @classmethod
    def of(cls, place: Place, of: str, fit: Fit) -> _Residuals:
        """Those of a fit of a number, or of its logarithm, from the sums of a place."""
        return cls.of_moves(place, of, np.stack([-fit.expected, np.ones_like(fit.expected)]))

    @classmethod
    def of_moves(cls, place: Place, of: str, moves: Floats) -> _Residuals:
        """Those of a part that does not depend on the number, and one of each unit of it."""
        number, (base, unit) = of.removesuffix("_sum"), moves
        held = {f".{word}": each for word, each in place.counts.items()}
        held[".effective_n"] = place.counts["n"] ** 2 / place.squares["n"]
        sums = Sums("", held, place.is_weighted)
        row = {(): base, ((number, 1),): unit}
        square = multiplied(row, row)
        cube, counts = multiplied(square, row), tuple(map(sums, (1, 2, 3, 4)))
        return cls(sums.total(2, square), sums.total(3, square), sums.total(3, cube), counts)


@dataclass(frozen=True)
class Effect:
    """β of numbers, and how far independent rows move it: rule and measurement in `moments`.

    The moments are those of −β, which is a less d.
    """

    effect: float
    moments: Moments
    effective: float
    of: str

    @classmethod
    def of_fit(cls, place: Place, of: str, fit: Fit) -> Effect:
        """The moments of each side, from the sums of its combinations."""
        left, is_d = _Residuals.of(place, of, fit), fit.rows.is_d
        n, squares, cubes, fourth = left.counts
        moved = -fit.rows.predicted(fit.inverse[1])
        q = fit.rows.quadratic(fit.inverse)
        share = 1 / np.maximum(1 - q * squares / n, LEAST_LEFT)
        own = moved**2 * (left.squares + q * left.heavier) * share
        thirds = moved**3 * left.cubes * share**3
        common = (left.squares * share).sum() / squares.sum()
        common_third = (left.cubes * share**1.5).sum() / cubes.sum()

        def summed(each: Floats) -> Floats:
            return np.array([each[side].sum() for side in (~is_d, is_d)])[:, np.newaxis]

        variance, weights = summed(own), (summed(n), summed(squares), summed(cubes))
        rows = weights[1] ** 2 / summed(fourth)
        with np.errstate(divide="ignore", invalid="ignore"):
            if fit.kept.sum() > 2:
                # As many rows as the variance is made of (Satterthwaite, over combinations). The
                # square of a variance that n rows estimate is 1 + 2/n times the true one: without
                # that, intervals of 10 beside 54 people were 1.38 times as wide as those of HC3.
                of_each = squares**2 / fourth
                made_of = variance**2 / summed(own**2 / (of_each + 2))
                rows = np.where(variance > 0, made_of, summed(of_each))
            unseen = unseen_rows(weights, summed(left.squares), summed(left.cubes))
        moments = Moments(
            *(variance, summed(thirds), rows),
            common * summed(moved**2 * squares),
            common_third * summed(moved**3 * cubes),
            unseen,
        )
        return cls(fit.effect, moments, float((weights[0] ** 2 / weights[1]).min()), of)

    def bounds(self, kind: str | None, confidence: float) -> Bounds:
        """The bounds of a difference of numbers, or of a ratio by its logarithm."""
        held = self.moments.with_unseen
        reaches = held.reaches_of_sum(student((1 + confidence) / 2, held.freedom))
        [below], [above] = reaches.tolist()
        return _of_difference(kind, -self.effect - below, -self.effect + above)

    @property
    def p_value(self) -> float:
        """The level at which the interval touches 0."""
        from scipy.stats import t as distribution  # brought by an extra

        held, side, most = self.moments.with_unseen, 0 if self.effect < 0 else 1, 1.0

        def holds_0(t: float) -> bool:
            return bool(held.reaches_of_sum(np.array([t]))[side, 0] >= abs(self.effect))

        while not holds_0(most):
            most *= 2
        return float(2 * distribution.sf(smallest(holds_0, most), held.freedom[0]))

    def reason(self, _: Roles) -> str | None:
        """Why there is no interval."""
        number = self.of.partition("_")[0]
        if self.effective < LEAST_CLUSTERS - _ROUNDING:
            return (
                f"{number}: the smaller side has {self.effective:.1f} effective rows, and an "
                f"interval needs {LEAST_CLUSTERS:.0f}"
            )
        if not self.moments.variance.sum() > 0:
            return f"{number}: none of the rows moves the value, so how it varies is not known"
        return None


@dataclass(frozen=True)
class Moved:
    """The means of both sides and β, and how far the rows move them.

    Attributes
    ----------
    means
        The means of a and of d.
    effect
        β.
    covariance
        The covariance of the means and β.
    by_side
        What the rows of each side add to it, as far as degrees of freedom go by that.
    effective
        The effective rows of each side, or clusters, (Σw)²/Σw².
    moved
        What each group of clusters moves in both means and β; None where rows are independent.
    groups
        The groups of clusters that have rows; 0 where rows are independent.
    varies
        Whether both sides have both outcomes.
    null
        What the fit of the controls alone says of independent rows.
    other, crossed
        The same of the champion's decisions, and the covariance with these.
    of_sides
        What each group moves in a mean number by its rows of a, and by those of d, where −β is the
        difference of both.
    """

    means: tuple[float, float]
    effect: float
    covariance: Floats
    by_side: Floats
    effective: Floats
    moved: Floats | None = None
    groups: int = 0
    varies: bool = True
    null: _Null | None = None
    other: Moved | None = None
    crossed: Floats | None = None
    of_sides: Floats | None = None

    def contrast(self, kind: str | None) -> Floats:
        """How the means and β move a value, or its logarithm if it is a ratio."""
        if kind in _OF_EFFECT:
            return np.array([0.0, 0.0, _OF_EFFECT[kind]])
        of_a, of_d = self.means
        parts = (1.0, -1.0) if kind == "difference" else (-1 / of_a, 1 / of_d)
        return np.array([*parts, 0.0])

    def deviations(self, kind: str | None) -> list[float] | None:
        """What each group of clusters moves in a value; None if it is not known."""
        if self.moved is None or not self.varies:
            return None
        moved: list[float] = (self.contrast(kind) @ self.moved).tolist()
        return moved

    def correlation(self, kind: str | None) -> float | None:
        """The correlation of a value with that of the champion."""
        if self.other is None or self.crossed is None:
            return None
        one, other = self.contrast(kind), self.other.contrast(kind)
        variances = one @ self.covariance @ one * (other @ self.other.covariance @ other)
        return float(one @ self.crossed @ other / np.sqrt(variances)) if variances > 0 else None

    def freedom(self, contrast: Floats, by_side: Floats | None = None) -> float:
        """The degrees of freedom of a sum of what rows move, as Welch has them."""
        held = self.by_side if by_side is None else by_side
        parts = np.einsum("i,sij,j->s", contrast, held, contrast)
        below = (parts**2 / np.maximum(self.effective - 1, _ROUNDING)).sum()
        degrees = float(parts.sum() ** 2 / below) if below > 0 else _LEAST_FREEDOM
        if self.groups:
            return max(1.0, min(self.groups - 1, degrees))
        return max(_LEAST_FREEDOM, degrees)

    @property
    def p_value(self) -> float | None:
        """The p-value of equal sides: that of all metrics of the outcome."""
        return None if self.null is None else self.null.p_value

    def bounds(self, kind: str | None, confidence: float) -> Bounds:
        """The bounds of a difference, a ratio or an odds ratio; of other formulas there are none.

        Where they and the p-value disagree, the end on the side of equal sides goes there: by the
        score test 0 of 50 beside 70 of 500 is p = 0.005, and by Wald's 0.08.
        """
        if kind is None:
            return _NO_BOUNDS
        if kind in _OF_EFFECT and np.isfinite(self.effect):
            low, high = self._effect_bounds(kind, confidence)
        else:
            low, high = self._bounds_of_means(kind, confidence)
        if (p := self.p_value) is None or kind in ("less", "times"):
            return low, high
        equal, is_different = (0.0 if kind == "difference" else 1.0), p <= 1 - confidence
        is_above = self.effect < 0 if kind == "difference" else self.effect > 0
        if is_different == (low <= equal <= high):
            end = (
                equal if not is_different else np.nextafter(equal, np.inf if is_above else -np.inf)
            )
            low, high = (float(end), high) if is_above else (low, float(end))
        return low, high

    def _effect_bounds(self, kind: str, confidence: float) -> Bounds:
        if self.of_sides is not None:
            return _of_difference(kind, *self._difference(self.of_sides, confidence))
        variance, contrast = self.covariance[2, 2], self.contrast(kind)
        if self.null is not None:
            variance = max(variance, self.null.variance_of_effect)
        reach = float(student((1 + confidence) / 2, self.freedom(contrast))) * np.sqrt(variance)
        return float(np.exp(self.effect - reach)), float(np.exp(self.effect + reach))

    def _difference(self, of_sides: Floats, confidence: float) -> Bounds:
        """The bounds of −β of numbers, from those of each side, by the rule of `moments`.

        What both sides move together leans to the side that has had its rare amounts, and away from
        the one that has not: where 2 % have a bonus, 65 % of intervals of 60 people beside 600 held
        by it, 73 % if it was reversed, and 97.5 % do by side; of clusters of four 75, 81 and 98.
        """
        variance, third = ((of_sides**power).sum(axis=1, keepdims=True) for power in (2, 3))
        seen = Moments.of_means(variance, third, self.effective[:, np.newaxis]).with_unseen
        freedom = np.maximum(np.minimum(seen.freedom, self.groups - 1), 1.0)
        below, above = seen.reaches(student((1 + confidence) / 2, freedom))[..., 0]
        scale = np.sqrt(variance.prod())
        together = of_sides.prod(axis=0).sum() / scale if scale > 0 else 0.0
        of_a, of_d = np.stack([-below, np.zeros(2), above], axis=1) - np.array([[self.effect], [0]])
        low, high = less(of_a, of_d, together)
        return float(low), float(high)

    def _bounds_of_means(self, kind: str, confidence: float) -> Bounds:
        """The bounds of what compares both means, each between Wilson's limits.

        A side counts as many rows as make its variance: of its own fit, or that of the controls
        alone if these are fewer. Rare outcomes that a side did not have are in the second.
        """
        z, contrast = _NORMAL.inv_cdf((1 + confidence) / 2), np.array([1.0, -1.0, 0.0])
        null, is_known = self.null, np.isfinite(self.effect)
        by_side = self.by_side if is_known or null is None else null.by_side
        freedom = self.freedom(contrast, by_side)
        t = float(student((1 + confidence) / 2, freedom))
        covariance, ends = self.covariance, []
        for side in (A, D):
            mean, variance = self.means[side], covariance[side, side]
            rows = np.inf if null is not None and not is_known else self.effective[side]
            if is_known and variance > _CERTAIN:
                rows = mean * (1 - mean) / variance
            if null is not None:
                rows = min(rows, null.rows[side])
            low, high = wilson(mean, rows * (z / t) ** 2, z)
            ends.append(np.array([max(low, 0.0), mean, min(high, 1.0)]))
        of_a, of_d = ends
        spread = np.sqrt(covariance[A, A] * covariance[D, D]) if is_known else 0.0
        correlation = float(covariance[A, D] / spread) if spread > 0 else 0.0
        if kind == "difference":
            return less(of_a, of_d, correlation)
        if kind == "odds":
            of_a, of_d = (each / np.maximum(1 - each, _TINY) for each in (of_a, of_d))
        with np.errstate(divide="ignore", invalid="ignore"):
            if of_d[1] <= 0 or (kind == "odds" and of_a[1] >= 1 / _ROUNDING):
                return 0.0, float(of_d[2] / of_a[0])
            if of_a[1] <= 0 or (kind == "odds" and of_d[1] >= 1 / _ROUNDING):
                return float(of_d[0] / of_a[2]), float("inf")
            low, high = less(np.log(of_d), np.log(of_a), correlation)
        return float(np.exp(low)), float(np.exp(high))

    def reason(self, roles: Roles) -> str | None:
        """Why there is no interval over clusters."""
        argument, named = roles.words_of_clusters
        if self.groups and (reason := few_clusters(self.effective.min(), roles)):
            return reason
        if not self.varies:
            why = f"none of the {named} moves the value"
            if np.isinf(self.effect):
                why = f"a side has one outcome in all {named}"
            return f"{argument}: {why}, so how it varies is not known"
        return None


@dataclass(frozen=True)
class _Null:
    """A fit of the controls alone, which exists wherever both outcomes do.

    Attributes
    ----------
    rows
        How many rows each side's mean counts where it is known as this fit says.
    by_side
        What the rows of each side add to the covariance of both means.
    variance_of_effect
        The variance of β at equal sides.
    p_value
        That of the score test of equal sides, with Hall's transformation for its skewness; None
        where rows are of both. Of the likelihood ratio the size at few events was 8 to 9 % for 5.
    """

    rows: Floats
    by_side: Floats
    variance_of_effect: float
    p_value: float | None

    @classmethod
    def of(cls, fit: Fit, y: Floats, squares: Floats) -> _Null:
        """What a fit of the controls alone says of both means."""
        is_d, n, p, of_used = fit.rows.is_d, fit.n, fit.expected, squares[fit.used]
        spread = p * (1 - p)
        _, moved = fit.influence(squares)
        moved = moved[:, fit.used]
        varies = of_used * spread
        by_side = np.stack([(moved * varies * own) @ moved.T for own in (~is_d, is_d)])
        mean, covariance = fit.means[0], by_side.sum(axis=0)
        with np.errstate(divide="ignore"):
            rows = mean * (1 - mean) / np.diag(covariance)[:2]
        score = float((y[fit.used] - n * p)[is_d].sum())
        kept = fit.kept.copy()
        kept[1] = False
        own = np.ix_(kept, kept)
        effects = np.zeros(fit.rows.width)
        effects[kept] = np.linalg.solve(fit.curve[own], fit.rows.sums(n * spread * is_d)[kept])
        apart = is_d - fit.rows.predicted(effects)
        variance = float((varies * apart**2).sum())
        # Rows of a combination weigh alike here.
        cubes = of_used**2 / n
        lean = float((cubes * spread * (1 - 2 * p) * apart**3).sum()) / variance**1.5
        x = score / np.sqrt(variance)
        if abs(lean) > _ROUNDING:
            x = 2 / lean * (1 - (1 - lean * x / 6) ** 3) + lean / 6
        return cls(rows, by_side, float(covariance[2, 2]), 2 * _NORMAL.cdf(-abs(x)))


def why_no_interval(fit: Fit) -> str:
    """Why it is not known what rows move in a regression."""
    decided = "controls: no interval, since the controls decide the outcome of all rows"
    return NO_FORMULA if fit.is_linear else decided


def moved_by(place: Place, of: str, fit: Fit) -> Moved | Effect | None:
    """What rows, or groups of clusters, move in a regression; None where that is not known."""
    n, y = place.counts["n"], place.counts[of]
    if place.key == CLUSTER:
        return _moved_by_clusters(place, fit, y)
    if fit.is_linear:
        return Effect.of_fit(place, of, fit) if place.has_powers else None
    squares, of_yes = place.squares["n"], place.squares[of]
    try:
        own, base, moved = _moved_by_rows(place, of, fit, n, y, squares, of_yes)
    except NoRegressionError:
        return None
    if place.key != CHAMPION or np.isinf(fit.effect):
        return own
    accepted = place.groups.astype(float)
    try:
        there = logistic(place.rows, n, n * accepted)
        if np.isinf(there.effect):
            return own
        other, first, more = _moved_by_rows(
            place, of, there, n, n * accepted, squares, squares * accepted
        )
    except NoRegressionError:
        return own
    if of == "positive":
        return replace(own, other=own, crossed=own.covariance)
    crossed = (base * squares + moved * of_yes) @ (first + more * accepted).T
    return replace(own, other=other, crossed=crossed)


def _moved_by_rows(
    place: Place, of: str, fit: Fit, n: Floats, y: Floats, squares: Floats, of_yes: Floats
) -> tuple[Moved, Floats, Floats]:
    """What independent rows move, and the influence of one row of each combination."""
    is_d = place.rows.is_d
    sides = (~is_d, is_d)
    effective = np.array([n[own].sum() ** 2 / squares[own].sum() for own in sides])
    null = _Null.of(without_side(fit, place.rows, n, y), y, squares)
    if place.together:
        null = replace(null, p_value=None, variance_of_effect=0.0)
    base = moved = np.zeros((3, n.size))
    by_side, shared = np.zeros((2, 3, 3)), np.zeros((3, 3))
    if np.isfinite(fit.effect):
        base, moved = influence = fit.influence(squares)
        by_side = np.stack([covariance(influence, squares, of_yes, own) for own in sides])
        shared = place.shared(of, base, base + moved)
    total = by_side.sum(axis=0) + shared + shared.T
    return Moved(fit.means, fit.effect, total, by_side, effective, null=null), base, moved


def _moved_by_clusters(place: Place, fit: Fit, y: Floats) -> Moved:
    n, sides = place.counts["n"], (~place.rows.is_d, place.rows.is_d)
    occurring, groups = np.unique(place.groups, return_inverse=True)
    sizes = np.stack([np.bincount(groups, n * own) for own in sides])
    effective, number = sizes.sum(axis=1) ** 2 / (sizes**2).sum(axis=1), occurring.size
    if np.isinf(fit.effect):
        unknown = np.full((3, 3, 3), np.nan)
        known = fit.means, fit.effect, unknown[0], unknown[:2], effective
        return Moved(*known, groups=number, varies=False)
    # Contrasts pair the groups of two models or windows, so each has the places of all.
    moved, times = np.zeros((3, GROUPS)), np.sqrt((number - 1) / number)
    moved[:, occurring] = fit.without(groups, n, y) * times
    of_sides = None
    if fit.is_linear:
        expected = np.zeros_like(y)
        expected[fit.used] = fit.n * fit.expected
        of_sides = np.zeros((2, GROUPS))
        of_sides[A, occurring] = -fit.without(groups, n, np.where(sides[D], expected, y))[2] * times
        of_sides[D] = moved[2] + of_sides[A]
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
        number,
        varies=bool(covariance[2, 2] > (_ROUNDING * size) ** 2),
        of_sides=of_sides,
    )


def _of_difference(kind: str | None, low: float, high: float) -> Bounds:
    """The bounds of a difference of numbers, a less d, or of a ratio if it is one of logarithms."""
    return (low, high) if kind == "less" else (float(np.exp(-high)), float(np.exp(-low)))


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


_OF_EFFECT: Final = {"odds": 1.0, "times": 1.0, "less": -1.0}
"""The values that follow from β alone, and its sign in them."""


RAW, CONTROL, ADJUSTED = PARTS = ("raw", "control", "adjusted")

COLUMNS: Final = (
    *("part", "control", "contribution", "lower", "upper", "alone", "beyond_the_others", "note"),
)


def drivers_of(
    place: Place, of: str, formula: Expression, roles: Roles, confidence: float
) -> Iterator[dict[str, Any]]:
    """The raw difference, what each control accounts for, and what is left: a row each.

    The raw difference is a metric without controls, which has its interval elsewhere.

    A set of controls is a number with a bit for each of them. What rows move in a contribution is
    the same sum over sets of controls as the contribution itself. The confidence is 0 for no
    intervals.
    """
    kind, names = _kind(formula), [column.name for column in roles.controls.columns]
    sets, whole = 1 << len(names), (1 << len(names)) - 1
    shares, left = _shares(len(names)), np.full(sets, np.nan)
    of_all: Moved | Effect | None = None
    reason, moves = None, list[Floats | None]()
    for held in range(sets):
        fit = _fit_at(place, names, held, of)
        moves.append(None)
        if not isinstance(fit, Fit):
            reason = f"controls: {fit}"
            continue
        left[held] = -fit.effect if fit.is_linear else fit.means[0] - fit.means[1]
        if confidence:
            of_all = moved_by(place.holding(_held(names, held)), of, fit)
            reason = reason or (why_no_interval(fit) if of_all is None else of_all.reason(roles))
            moves[held] = None if of_all is None else _moves(place, fit, of_all)
    reach_of = np.full((2, len(names)), np.nan)
    if of_all is not None and not reason:
        parts = [
            np.tensordot(shares[:, held], each, 0)
            for held, each in enumerate(moves)
            if each is not None
        ]
        none = np.zeros((len(names), 2, place.counts["n"].size))
        total: Floats = np.sum(parts or [none], axis=0)
        if isinstance(of_all, Effect):
            reach_of = _reach_of_numbers(place, of, total, confidence)
        elif not of_all.groups:
            reach_of = _reach_of_rates(place, of, names, shares, total, confidence)
        else:
            t = float(student((1 + confidence) / 2, of_all.freedom(of_all.contrast(kind))))
            reach_of = t * np.sqrt((total**2).sum(axis=(1, 2))) * np.ones((2, 1))

    neither = (None, None)
    yield dict(zip(COLUMNS, (RAW, None, left[0], *neither, *neither, reason), strict=True))
    for i, (name, value) in enumerate(zip(names, shares @ left, strict=True)):
        alone, beyond = left[0] - left[1 << i], left[whole & ~(1 << i)] - left[whole]
        bounds = value - reach_of[0, i], value + reach_of[1, i]
        row = CONTROL, name, value, *bounds, alone, beyond, reason
        yield dict(zip(COLUMNS, row, strict=True))
    known = None if reason else of_all
    ends = neither if known is None else known.bounds(kind, confidence)
    yield dict(zip(COLUMNS, (ADJUSTED, None, left[-1], *ends, *neither, reason), strict=True))


def _held(names: Sequence[str], held: int) -> list[str]:
    return [name for i, name in enumerate(names) if held >> i & 1]


def _fit_at(place: Place, names: Sequence[str], held: int, of: str) -> Fit | NoRegressionError:
    return place.holding(_held(names, held)).fit(of)


def _moves(place: Place, fit: Fit, moved: Moved | Effect) -> Floats | None:
    """What the rows of each combination move in a difference, in two parts.

    For rates these are rows of either outcome; of numbers what does not depend on the number, and
    what each unit of it moves. For clusters, there is one part of groups.
    """
    if isinstance(moved, Effect):
        per_unit = -fit.rows.predicted(fit.inverse[1])
        return np.stack([-per_unit * fit.expected, per_unit])
    if moved.moved is not None:
        contrast = np.array([0.0, 0.0, -1.0] if fit.is_linear else [1.0, -1.0, 0.0])
        return (contrast @ moved.moved)[np.newaxis]
    if np.isinf(fit.effect):
        return None
    base, more = fit.influence(place.squares["n"])
    return np.stack([base[A] - base[D], base[A] - base[D] + more[A] - more[D]])


def _reach_of_rates(
    place: Place,
    of: str,
    names: Sequence[str],
    shares: Floats,
    total: Floats,
    confidence: float,
) -> Floats:
    """How far the ends of contributions are below and above them.

    A side varies as its own rows do, or as they would if both sides were equal at equal controls,
    if that is more: a side without an event varies by nothing of its own, and such intervals had
    no width.
    """
    n, squares, is_d = place.counts["n"], place.squares["n"], place.rows.is_d
    fit = place.fit(of)
    assert isinstance(fit, Fit)
    null = without_side(fit, place.rows, n, place.counts[of])
    chance = null.chances[0]
    expected = replace(
        place,
        counts={**place.counts, of: n * chance},
        squares={**place.squares, of: squares * chance},
    )
    total_at_equal = np.zeros((len(names), 2, n.size))
    for held in range(1 << len(names)):
        at_equal = _fit_at(expected, names, held, of)
        if isinstance(at_equal, Fit) and np.isfinite(at_equal.effect):
            base, more = at_equal.influence(squares)
            apart = np.stack([base[A] - base[D], base[A] - base[D] + more[A] - more[D]])
            total_at_equal += np.tensordot(shares[:, held], apart, 0)
    variance = np.zeros((2, len(names)))
    for moved, yes in ((total, place.squares[of]), (total_at_equal, squares * chance)):
        parts = (moved**2 * np.stack([squares - yes, yes])).sum(axis=1)
        of_sides = np.stack([parts[:, side].sum(axis=1) for side in (~is_d, is_d)])
        variance = np.maximum(variance, of_sides)
    effective = [n[side].sum() ** 2 / squares[side].sum() for side in (~is_d, is_d)]
    freedom = freedom_of(variance, np.array(effective)[:, np.newaxis])
    t = student((1 + confidence) / 2, np.maximum(freedom, _LEAST_FREEDOM))
    shared = np.diag(place.shared(of, *np.moveaxis(total, 1, 0)))
    reaches: Floats = t * np.sqrt(variance.sum(axis=0) + 2 * shared) * np.ones((2, 1))
    return reaches


def _reach_of_numbers(place: Place, of: str, total: Floats, confidence: float) -> Floats:
    """The same of numbers: by the moments of what their rows move."""
    left = [_Residuals.of_moves(place, of, each) for each in total]
    is_d = place.rows.is_d
    parts = []
    for side in (~is_d, is_d):
        variance = np.array([each.squares[side].sum() for each in left])
        third = np.array([each.cubes[side].sum() for each in left])
        _, squares, _, fourth = (each[side] for each in left[0].counts)
        parts.append((variance, third, np.full(len(left), squares.sum() ** 2 / fourth.sum())))
    variance, third, rows = np.stack(parts, axis=1)
    seen = Moments.of_means(variance, third, rows).with_unseen
    t = student((1 + confidence) / 2, seen.freedom)
    return seen.reaches_of_sum(t)


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
