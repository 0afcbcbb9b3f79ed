"""Regressions of an outcome on the side and on controls, from cells, with the influence of rows.

A *combination* is a value of every control on one side. All of its rows are alike but for their
outcome, so that a regression reads sums over them: a million rows of sixty combinations cost what
sixty rows cost. Levels of a control are columns of the regression that are never made: sums by
level take their place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np

from polars_fairness.formula.arrays import Bools, Floats, Ints

A, D = 0, 1
"""The sides, as places of an array."""

_DETERMINED: Final = 1e-9
"""The share of a column's variation below which earlier columns determine it."""

_STEPS: Final = 100
_SMALLEST_STEP: Final = 1e-9

_CERTAIN: Final = 35.0
"""A linear predictor as far from 0 has an outcome that no float tells from a certain one."""

_MOST_LEVERAGE: Final = 0.99
_TINY: Final = 1e-300
_KNOWN: Final = 1e-8
"""The share of a column's variance below which the fit determines it."""

_GROUPS_A_LEVEL: Final = 4
"""The groups of rows for each level, below which these do not show how levels vary."""

_NONE: Final = 1e-12
"""A share of outcomes below which sums of weights have none."""


class NoRegressionError(ValueError):
    """The reason why rows have no regression."""


@dataclass(frozen=True)
class Combinations:
    """Combinations of controls and side, and the levels and numbers of each.

    Attributes
    ----------
    is_d
        Whether the rows are on side d; else on side a.
    levels
        For each control by levels, the number of each combination's level, from 0.
    sizes
        How many levels each of these controls has.
    numbers
        For each control that is a number, its value, scaled to a mean near 0 and a spread near 1.
    names
        The controls' names, those by levels first.
    """

    is_d: Bools
    levels: Sequence[Ints]
    sizes: Sequence[int]
    numbers: Sequence[Floats]
    names: Sequence[str]

    def only(self, kept: Bools | Ints) -> Combinations:
        """Some of the combinations."""
        return Combinations(
            self.is_d[kept],
            [each[kept] for each in self.levels],
            self.sizes,
            [each[kept] for each in self.numbers],
            self.names,
        )

    @cached_property
    def plain(self) -> list[Floats]:
        """The columns that are no levels: 1, the side, and numbers."""
        return [np.ones(self.is_d.size), self.is_d.astype(float), *self.numbers]

    @cached_property
    def starts(self) -> Ints:
        """The place of each control's first level among the columns, and how many columns are."""
        return np.cumsum([len(self.plain), *self.sizes])

    @property
    def width(self) -> int:
        """How many columns the regression has."""
        return int(self.starts[-1])

    def blocks(self) -> Iterator[tuple[Ints, int, int]]:
        """The levels of each control, how many it has, and the place of the first."""
        yield from zip(self.levels, self.sizes, map(int, self.starts[:-1]), strict=True)

    @cached_property
    def pairs(self) -> list[tuple[slice, slice, Ints]]:
        """The columns of each two controls, and the place of each combination in their table.

        For a control and itself, these are its levels. Each step of Newton's method adds up all of
        these tables: to find the places anew took a third of the fit of a million combinations.
        """
        blocks = [(slice(start, start + size), level) for level, size, start in self.blocks()]
        return [
            (own, beside, level if own == beside else level * (beside.stop - beside.start) + other)
            for number, (own, level) in enumerate(blocks, start=1)
            for beside, other in blocks[:number]
        ]

    def sums(self, values: Floats) -> Floats:
        """Xᵀv: the sum of values in each column."""
        by_level = [np.bincount(level, values, size) for level, size, _ in self.blocks()]
        return np.concatenate([[each @ values for each in self.plain], *by_level])

    def sums_by(self, ids: Ints, values: Floats, count: int) -> Floats:
        """The sums of values in each column, a row for each of so many groups."""
        plain = [np.bincount(ids, each * values, count)[:, np.newaxis] for each in self.plain]
        by_level = [
            np.bincount(ids * size + level, values, count * size).reshape(count, size)
            for level, size, _ in self.blocks()
        ]
        return np.hstack([*plain, *by_level])

    def predicted(self, effects: Floats) -> Floats:
        """Xb: the sum of the columns' effects in each combination."""
        predictor = np.zeros(self.is_d.size)
        for effect, column in zip(effects, self.plain, strict=False):
            predictor += effect * column
        for level, size, start in self.blocks():
            predictor += effects[start : start + size][level]
        return predictor

    def products(self, weights: Floats) -> Floats:
        """XᵀWX: the weighted sums of products of two columns."""
        products = np.zeros((self.width, self.width))
        for place, column in enumerate(self.plain):
            products[place] = products[:, place] = self.sums(weights * column)
        for own, beside, pair in self.pairs:
            if own == beside:
                products[own, own] = np.diag(products[0, own])
            else:
                shape = own.stop - own.start, beside.stop - beside.start
                products[own, beside] = np.bincount(pair, weights, np.prod(shape)).reshape(shape)
                products[beside, own] = products[own, beside].T
        return products

    def quadratic(self, matrix: Floats) -> Floats:
        """XᵀMX of each combination, M symmetric: its leverage, without its weight."""
        plain = self.plain
        form = np.zeros(self.is_d.size)
        for place, column in enumerate(plain):
            others = self.predicted(matrix[place])
            own = sum(matrix[place, each] * value for each, value in enumerate(plain))
            form += column * (2 * others - own)
        for own, beside, pair in self.pairs:
            block = matrix[own, beside]
            form += np.diag(block)[pair] if own == beside else 2 * block.ravel()[pair]
        return form


def independent_columns(products: Floats, *, of_sides: bool = True) -> Bools:
    """The columns that no earlier one determines; the side comes last, if it has a column.

    Levels of a control add up to the first column, so that one level of each goes.
    """
    left, kept = products.copy(), np.zeros(len(products), bool)
    spread = np.diag(products).copy()
    for place in [0, *range(2, len(products)), *([1] if of_sides else [])]:
        if spread[place] > 0 and left[place, place] > _DETERMINED * spread[place]:
            kept[place] = True
            left -= np.outer(left[:, place], left[place]) / left[place, place]
    return kept


@dataclass(frozen=True)
class Fit:
    """A regression: the mean of each side at equal controls, and how each row moves it.

    Attributes
    ----------
    rows, n
        The combinations that were fitted, and their weights.
    used
        Which of all combinations these are. Others lie in a level of one outcome, and add a
        difference of 0.
    expected
        The fitted outcome of each combination.
    chances
        That of each combination as member of a and as member of d; those left out have their own.
    kept
        The columns that no others determine.
    means
        The means of all rows' fitted outcomes, as members of a and as members of d.
    effect
        The coefficient of d, β.
    left_out
        The combinations that lie in a level of one outcome.
    total
        The weight of all rows.
    is_linear
        Whether it is least squares: of numbers, which are ``chances`` then.
    """

    rows: Combinations
    n: Floats
    used: Bools
    expected: Floats
    chances: Floats
    kept: Bools
    effect: float
    left_out: Bools
    total: float
    means: tuple[float, float]
    is_linear: bool = False

    def spread(self, chance: Floats) -> Floats:
        """How much an outcome varies beside its chance: p(1 − p); numbers are weighted alike."""
        return np.ones_like(chance) if self.is_linear else chance * (1 - chance)

    @property
    def determined(self) -> list[str]:
        """The controls that are the same for all rows, or that others determine."""
        plain = dict(
            zip(
                self.rows.names[len(self.rows.sizes) :],
                self.kept[2 : len(self.rows.plain)],
                strict=True,
            )
        )
        blocks = zip(self.rows.names, self.rows.blocks(), strict=False)
        by_level = {
            name: self.kept[start : start + size].any() for name, (_, size, start) in blocks
        }
        return [name for name in self.rows.names if not {**plain, **by_level}[name]]

    @cached_property
    def curve(self) -> Floats:
        """A: the products of the columns, weighted by p(1 − p)."""
        return self.rows.products(self.n * self.spread(self.expected))

    @cached_property
    def inverse(self) -> Floats:
        """A⁻¹, with 0 in the columns that are not kept."""
        inverse, own = np.zeros_like(self.curve), np.ix_(self.kept, self.kept)
        inverse[own] = np.linalg.inv(self.curve[own])
        return inverse

    @cached_property
    def slopes(self) -> Floats:
        """How the effects of the columns move the mean of a, that of d, and β."""
        slopes = np.zeros((3, self.rows.width))
        for side in (A, D):
            chance = self.chances[side][self.used]
            slopes[side] = self.rows.sums(self.n * self.spread(chance) / self.total)
            slopes[side, 1] = side * slopes[side, 0]
        slopes[2, 1] = 1
        return slopes

    @cached_property
    def direct(self) -> Floats:
        """By how much the chance of a row of each combination moves a mean that it is part of."""
        own = [
            (chance - mean) / self.total
            for chance, mean in zip(self.chances, self.means, strict=True)
        ]
        return np.stack([*own, np.zeros(self.used.size)])

    def influence(self, squares: Floats) -> tuple[Floats, Floats]:
        """What one row of each combination moves, of the outcome 0, and for each unit more of it.

        That is in the mean of a, in that of d, and in β; divided by √(1 − h), its leverage, for
        which ``squares`` has the sums of squared weights.
        """
        base, moved = self.direct.copy(), np.zeros((3, self.used.size))
        moved[:, self.used] = [self.rows.predicted(self.inverse @ each) for each in self.slopes]
        base[:, self.used] -= self.expected * moved[:, self.used]
        share = np.ones(self.used.size)
        leverage = self.spread(self.expected) * self.rows.quadratic(self.inverse)
        share[self.used] -= np.minimum(squares[self.used] / self.n * leverage, _MOST_LEVERAGE)
        return base / np.sqrt(share), moved / np.sqrt(share)

    def interactions(
        self, y: Floats, groups: Ints | None = None, squares: Floats | None = None
    ) -> Iterator[tuple[str, float, int]]:
        """Score tests of whether the effect of d depends on a control: its name, χ², and degrees.

        A column for members of d at each level is never fitted: how the residuals of this fit lean
        on it shows whether it would have an effect. How much they lean by chance, groups of rows
        show, if there are any, or the sums of squared residuals: of numbers it does not follow from
        the fit.
        """
        own, is_d = self.rows.only(self.rows.is_d), self.rows.is_d
        beside = own.products((self.n * self.spread(self.expected))[is_d])
        residuals = y[self.used] - self.n * self.expected
        score, apart = own.sums(residuals[is_d]), np.zeros((0, self.rows.width))
        of_d = of_all = apart
        if squares is not None:
            of_d, of_all = own.products(squares[is_d]), self.rows.products(squares)
        if groups is not None:
            ids = groups[self.used]
            number = int(groups.max(initial=-1)) + 1
            leaning = own.sums_by(ids[is_d], residuals[is_d], number)
            apart = leaning - self.rows.sums_by(ids, residuals, number) @ self.inverse @ beside
        names, sizes = self.rows.names, self.rows.sizes
        plain = zip(names[len(sizes) :], range(2, len(self.rows.plain)), strict=True)
        columns = [(name, slice(place, place + 1)) for name, place in plain]
        blocks = zip(names, self.rows.blocks(), strict=False)
        columns += [(name, slice(start, start + size)) for name, (_, size, start) in blocks]
        for name, at in columns:
            fitted = self.inverse @ beside[:, at]
            variance = beside[at, at] - beside[:, at].T @ fitted
            if squares is not None:
                crossed = of_d[at] @ fitted
                variance = of_d[at, at] - crossed - crossed.T + fitted.T @ of_all @ fitted
            if groups is not None:
                number = len(apart)
                if variance.shape[0] > number / _GROUPS_A_LEVEL:
                    continue
                variance = apart[:, at].T @ apart[:, at] * number / (number - variance.shape[0])
            spreads, axes = np.linalg.eigh(variance)
            scale = beside if squares is None else of_d
            known = spreads > _KNOWN * np.abs(np.diag(scale[at, at])).max(initial=_TINY)
            if known.any():
                leans = axes[:, known].T @ score[at]
                yield name, float((leans**2 / spreads[known]).sum()), int(known.sum())

    def inside(
        self,
        y: Floats,
        strata: Ints,
        groups: Ints | None = None,
        squares: Floats | None = None,
    ) -> tuple[float, float, float]:
        """How much more a is ahead within equal combinations than in the fit.

        That, its standard error, and the share of the rows that are in combinations of both sides.
        Groups of rows show the error, if there are any, or the sums of squared residuals.
        """
        ids, is_d = strata[self.used], self.rows.is_d
        of_a, of_d = (np.bincount(ids, self.n * own) for own in (~is_d, is_d))
        both = (of_a > 0) & (of_d > 0)
        overlap = np.where(both, of_a * of_d / np.where(both, of_a + of_d, 1), 0)
        if not both.any():
            return 0.0, 0.0, 0.0
        of_side = np.where(is_d, -of_d[ids], of_a[ids])
        each = np.where(both[ids], overlap[ids] / overlap.sum() / of_side, 0.0)
        weight = self.n * self.spread(self.expected)
        apart = each - self.rows.predicted(self.inverse @ self.rows.sums(weight * each))
        variance = float((weight * apart**2).sum())
        if variance < _KNOWN * float((weight * each**2).sum()):
            # Without numbers and with one control, the fit has this difference already.
            return 0.0, 0.0, 0.0
        residuals = y[self.used] - self.n * self.expected
        more = float((each * residuals).sum())
        if squares is not None:
            variance = float((apart**2 * squares).sum())
        elif groups is not None:
            variance = float((np.bincount(groups[self.used], apart * residuals) ** 2).sum())
        return more, float(np.sqrt(variance)), float(self.n[both[ids]].sum() / self.total)

    def added(self, groups: Ints, n: Floats, y: Floats) -> Floats:
        """The sum of what the rows of each group move in both means and β, to the first order."""
        residuals, moved = y[self.used] - n[self.used] * self.expected, n * self.direct
        for place, slope in enumerate(self.slopes):
            moved[place, self.used] += residuals * self.rows.predicted(self.inverse @ slope)
        return np.stack([np.bincount(groups, each) for each in moved])

    def without(self, groups: Ints, n: Floats, y: Floats) -> Floats:
        """What each group of rows moves in both means and β where it is left out, by one step.

        The numbers are those of all combinations; groups are numbered from 0.
        """
        number = int(groups.max(initial=-1)) + 1
        size = np.bincount(groups, n, number)
        direct = np.stack([np.bincount(groups, n * each, number) for each in self.direct])
        moved: Floats = direct * self.total / np.where(size < self.total, self.total - size, np.inf)
        ids, own = groups[self.used], np.ix_(self.kept, self.kept)
        order = np.argsort(ids, kind="stable")
        ends = np.searchsorted(ids[order], np.arange(number + 1))
        residuals = y[self.used] - self.n * self.expected
        for group, (start, end) in enumerate(pairwise(ends)):
            at = order[start:end]
            part = self.rows.only(at)
            lost = part.products(self.n[at] * self.spread(self.expected[at]))[own]
            left = self.curve[own] - lost
            left += 1e-9 * np.diag(np.diag(self.curve[own]))
            step = np.linalg.lstsq(left, part.sums(residuals[at])[self.kept], rcond=1e-10)[0]
            moved[:, group] += self.slopes[:, self.kept] @ step
        return moved


def covariance(
    influence: tuple[Floats, Floats], squares: Floats, of_yes: Floats, own: Bools
) -> Floats:
    """The sums of products of what some rows move in both means and β.

    The sums of squared weights are those of all rows of each combination, and of the positive ones.
    """
    base, moved = (each[:, own] for each in influence)
    both = base + moved
    covariances: Floats = (base * (squares - of_yes)[own]) @ base.T + (both * of_yes[own]) @ both.T
    return covariances


def _certain_chances(rows: Combinations, n: Floats, y: Floats) -> Floats:
    """The outcome of the combinations that lie in a level whose rows have one outcome, else NaN.

    Without these rows, another level may have one outcome only.
    """
    chances = np.full(n.size, np.nan)
    while True:
        known = ~np.isnan(chances)
        used = ~known & (n > 0)
        for level, size, _ in rows.blocks():
            total = np.bincount(level[used], n[used], size)
            share = np.bincount(level[used], y[used], size) / np.where(total > 0, total, np.nan)
            certain = np.where(np.minimum(share, 1 - share) < _NONE, np.round(share), np.nan)
            chances = np.where(np.isnan(chances), certain[level], chances)
        if (known == ~np.isnan(chances)).all():
            return chances


def _expected(predicted: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(predicted, -_CERTAIN, _CERTAIN)))


def logistic(rows: Combinations, n: Floats, y: Floats) -> Fit:
    """Fit a logistic regression to the weights of combinations and of their positive rows.

    Where a side has one outcome only, its coefficient is infinite: the other side alone is fitted,
    and what rows move is not known.
    """
    used = np.isnan(_certain_chances(rows, n, y))
    left_out = ~used
    used &= n > 0
    fitted, size, positive = rows.only(used), n[used], y[used]
    if np.unique(fitted.is_d).size < 2:
        raise NoRegressionError("no level has rows of both sides and both outcomes")
    kept = _kept(fitted, size)
    shares = [positive[own].sum() / size[own].sum() for own in (~fitted.is_d, fitted.is_d)]
    own = np.divide(y, n, out=np.zeros(n.size), where=n > 0)
    chances = np.stack([own, own])
    if any(min(share, 1 - share) < _NONE for share in shares):
        for side, share in enumerate(shares):
            chances[side][used] = _side_chances(fitted, size, positive, side, share)
        effect = np.inf if shares[D] > shares[A] else -np.inf
        expected = np.full(size.size, np.nan)
    else:
        effects = _fitted(fitted, size, positive, kept)
        effect, predicted = float(effects[1]), fitted.predicted(effects)
        expected = _expected(predicted)
        without = predicted - effect * fitted.plain[1]
        for side in (A, D):
            chances[side][used] = _expected(without + effect * side)
    means = _means(chances, n)
    total = float(n.sum())
    return Fit(fitted, size, used, expected, chances, kept, effect, left_out, total, means)


def without_side(fit: Fit, rows: Combinations, n: Floats, y: Floats) -> Fit:
    """The fit of the controls alone, at which both sides are equal.

    It exists wherever both outcomes do, whether or not a side has one outcome only.
    """
    fitted, size = fit.rows, fit.n
    controls = fit.kept.copy()
    controls[1] = False
    expected = _expected(fitted.predicted(_fitted(fitted, size, y[fit.used], controls)))
    chance = np.divide(y, n, out=np.zeros(n.size), where=n > 0)
    chance[fit.used] = expected
    chances = np.stack([chance, chance])
    return replace(fit, expected=expected, chances=chances, effect=0.0, means=_means(chances, n))


def least_squares(rows: Combinations, n: Floats, y: Floats) -> Fit:
    """Fit least squares to the weights of combinations and to the weighted sums of a number."""
    used = n > 0
    fitted, size = rows.only(used), n[used]
    if np.unique(fitted.is_d).size < 2:
        raise NoRegressionError("one side has no rows")
    kept, effects = _kept(fitted, size), np.zeros(fitted.width)
    own = np.ix_(kept, kept)
    effects[kept] = np.linalg.solve(fitted.products(size)[own], fitted.sums(y[used])[kept])
    expected, chances = fitted.predicted(effects), np.zeros((2, n.size))
    for side in (A, D):
        chances[side][used] = expected + effects[1] * (side - fitted.plain[1])
    means, total, effect = _means(chances, n), float(n.sum()), float(effects[1])
    return Fit(
        fitted,
        size,
        used,
        expected,
        chances,
        kept,
        effect,
        np.zeros(n.size, bool),
        total,
        means,
        is_linear=True,
    )


def _kept(rows: Combinations, n: Floats) -> Bools:
    kept = independent_columns(rows.products(n))
    if not kept[1]:
        raise NoRegressionError("they determine the side")
    return kept


def _means(chances: Floats, n: Floats) -> tuple[float, float]:
    of_a, of_d = (float(each) for each in chances @ n / n.sum())
    return of_a, of_d


def _side_chances(rows: Combinations, n: Floats, y: Floats, side: int, share: float) -> Floats:
    """The chances of all rows by the regression of one side alone on the controls."""
    if min(share, 1 - share) < _NONE:
        return np.full(n.size, round(share))
    n, y = (np.where(rows.is_d == side, each, 0.0) for each in (n, y))
    chances = _certain_chances(rows, n, y)
    if (used := np.isnan(chances)).any():
        fitted, n, y = rows.only(used), n[used], y[used]
        kept = independent_columns(fitted.products(n), of_sides=False)
        chances[used] = _expected(fitted.predicted(_fitted(fitted, n, y, kept)))
    return chances


def _fitted(rows: Combinations, n: Floats, y: Floats, kept: Bools) -> Floats:
    """The columns' effects, by Newton's method, whose steps are halved where they go too far.

    Where controls separate the outcomes, predictors grow by about one a step, without an end. That
    some row's predictor is large shows nothing: one income of 9,000 beside 20,000 others of up to
    918 had 60, and an effect that hardly differed.
    """
    if not _NONE * n.sum() < y.sum() < (1 - _NONE) * n.sum():
        raise NoRegressionError("all rows have one outcome")
    effects = np.zeros(rows.width)
    effects[0] = np.log(y.sum() / (n.sum() - y.sum()))
    step, before = np.zeros(rows.width), np.inf
    for _ in range(_STEPS):
        predicted = rows.predicted(effects)
        # −Σ log of the chance of each outcome, without a difference of large numbers.
        loss = float((n * np.logaddexp(0, predicted) - y * predicted).sum())
        if loss > before + 1e-9 * abs(before):
            step /= 2
            effects -= step
            continue
        before = loss
        expected = _expected(predicted)
        slope = rows.sums(y - n * expected)[kept]
        curve = rows.products(n * expected * (1 - expected))[np.ix_(kept, kept)]
        step = np.zeros(rows.width)
        try:
            step[kept] = np.linalg.solve(curve, slope)
        except np.linalg.LinAlgError:
            break
        effects += step
        if (np.abs(step) <= _SMALLEST_STEP * np.maximum(np.abs(effects), 1)).all():
            return effects
    raise NoRegressionError("they separate the outcomes")
