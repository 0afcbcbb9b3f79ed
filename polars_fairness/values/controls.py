"""Rates of both sides at equal controls, from the counts of each combination of controls."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress, pairwise
from typing import Final

import numpy as np
import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import CLUSTER, REST, SPLIT, with_columns_of, with_terms
from polars_fairness.errors import FairnessError
from polars_fairness.formula.arrays import Bools, Floats, Ints
from polars_fairness.formula.levels import AT_EQUAL_CONTROLS
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.powers import Power
from polars_fairness.question.outcomes import powers_of, sums_of_numbers
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import ESTIMATOR, LINEAR
from polars_fairness.values.levels import computed, counted
from polars_fairness.values.regression import (
    Combinations,
    Fit,
    NoRegressionError,
    least_squares,
    logistic,
)

SIDES: Final = AT_EQUAL_CONTROLS.counted_names
OUTCOMES: Final = {"accepted": "predicted", "positive": "label"}
"""The count of the positive rows of each outcome, whose regression is logistic."""

LOG: Final = "_log"
_MISSING: Final = " (missing)"

MOST_LEVELS: Final = 1000

_NONE: Final = 1e-9
"""The share of the rows that is no row, but for rounding."""

_NUMBER, _ROW, _TOGETHER = "number\x1f", "row\x1f", "together\x1f"

_NO_LINEAR: Final = "the linear estimator has no regression of two sides; the weighted one has"


@dataclass(frozen=True)
class Place:
    """One comparison: its combinations of controls and sides, and their counts.

    Over clusters, a combination has a row for each of the ``groups`` of clusters; beside a
    champion, one for each of its decisions. ``key`` says which.

    Attributes
    ----------
    counts
        The weights of all rows and of the positive rows of each outcome, and sums of numbers.
    squares
        The sums of their squared weights.
    strata
        The number of each combination of controls, which both sides have in common.
    is_linear, is_estimated
        Whether the linear estimator counted them, so that some may be negative, or either one.
    is_weighted, has_powers
        Whether rows have weights, and whether there are sums of powers of numbers.
    pairs, together
        The combinations of both sides that differ by side alone, and of rows that are in part of
        both the sums of products of their weights on either, as there are ``squares``.
    """

    rows: Combinations
    counts: Mapping[str, Floats]
    squares: Mapping[str, Floats]
    groups: Ints
    key: str | None
    strata: Ints
    is_linear: bool
    is_estimated: bool
    is_weighted: bool
    has_powers: bool
    pairs: tuple[Ints, Ints]
    together: Mapping[str, Floats]

    def sum_of_squares(self, of: str) -> float | None:
        """The sum of squares of an outcome; None of estimated groups.

        Those of logarithms are powers, which are added up for intervals without weights.
        """
        squares = of if of in OUTCOMES else of.removesuffix("_sum") + "_squares"
        if of.endswith(LOG):
            squares = Power(1, ((of, 2),)).name
        is_known = squares in self.counts and not self.is_estimated
        return float(self.counts[squares].sum()) if is_known else None

    def shared(self, of: str, no: Floats, yes: Floats) -> Floats:
        """What rows of both sides add to a covariance of what rows of either outcome move.

        Both have a column for each combination. It is that of what they move on side a with what
        they move on side d.
        """
        if not self.together:
            return np.zeros((len(no), len(no)))
        of_a, of_d = self.pairs
        of_yes = self.together[of]
        parts = ((no, self.together["n"] - of_yes), (yes, of_yes))
        shared: Floats = np.sum(
            [(each[:, of_a] * squares) @ each[:, of_d].T for each, squares in parts], axis=0
        )
        return shared

    def fit(self, regressed: str) -> Fit | NoRegressionError:
        """The regression of a count or a sum on the side and the controls, or why there is none."""
        n, y = self.counts["n"], self.counts[regressed]
        try:
            if self.is_linear:
                return NoRegressionError(_NO_LINEAR)
            if regressed in OUTCOMES:
                return logistic(self.rows, n, y)
            number = regressed.removesuffix(LOG)
            if number != regressed:
                lacking = n.sum() - self.counts[f"{number}_nonzero"].sum()
                if lacking > _NONE * n.sum() or self.counts[f"{number}_negative"].any():
                    return NoRegressionError("a ratio of numbers needs all of them above 0")
            return least_squares(self.rows, n, y)
        except NoRegressionError as error:
            return error

    def holding(self, names: Container[str]) -> Place:
        """The same rows, with some of the controls held equal."""
        rows, number = self.rows, len(self.rows.levels)
        kept = [name.removesuffix(_MISSING) in names for name in rows.names]
        held = replace(
            rows,
            levels=[*compress(rows.levels, kept)],
            sizes=[*compress(rows.sizes, kept)],
            numbers=[*compress(rows.numbers, kept[number:])],
            names=[*compress(rows.names, kept)],
        )
        return replace(self, rows=held)

    def one_sided(self) -> tuple[int, float]:
        """The levels in which one side alone has rows, and the rows of these."""
        n, is_in = self.counts["n"], np.zeros(self.groups.size, bool)
        levels = 0
        for level, size, _ in self.rows.blocks():
            of_d, of_all = (np.bincount(level, each, size) for each in (n * self.rows.is_d, n))
            alone = (of_all > 0) & ((of_d <= 0) | (of_d >= of_all))
            levels += int(alone.sum())
            is_in |= alone[level]
        return levels, float(n[is_in].sum())

    def left_out(self, fit: Fit) -> tuple[int, int, float]:
        """The levels that a fit leaves out, all levels, and the rows left out."""
        n, left = self.counts["n"], 0
        levels = 0
        for level, size, _ in self.rows.blocks():
            of_all, kept = (np.bincount(level, each, size) > 0 for each in (n, n * ~fit.left_out))
            levels, left = levels + int(of_all.sum()), left + int((of_all & ~kept).sum())
        return left, levels, float(n[fit.left_out].sum())


def _counts(roles: Roles) -> list[str]:
    return ["n", *(count for count, role in OUTCOMES.items() if role in roles.binary_roles)]


def places_to_fit(
    table: pl.DataFrame, places: pl.DataFrame, roles: Roles, key: str | None = None
) -> Iterator[Place]:
    """The combinations of each comparison, in the order of places."""
    numbered = places.with_row_index(_NUMBER)
    held = table.join(numbered, on=places.columns, nulls_equal=True, maintain_order="left")
    numbers = held[_NUMBER].to_numpy()
    levels, amounts = _controls(held, roles)
    sizes = [int(each.max(initial=0)) + 1 for each in levels.values()]
    groups = np.zeros(held.height) if key is None else held[key].cast(pl.Int64).to_numpy()
    counts = _counts(roles)
    order = np.argsort(numbers, kind="stable")
    estimator = places[ESTIMATOR] if ESTIMATOR in places.columns else [None] * places.height
    ends = np.searchsorted(numbers[order], np.arange(places.height + 1))
    for (start, end), counted_by in zip(pairwise(ends), estimator, strict=True):
        own = held[order[start:end]]
        has_rows = np.concatenate([own[f"{side}.n"].to_numpy() for side in SIDES]) > 0
        at = np.tile(order[start:end], 2)[has_rows]
        strata = own.with_row_index(_ROW).select(pl.first(_ROW).over(roles.controls.keys))[_ROW]

        def counted(name: str, own: pl.DataFrame = own, has_rows: Bools = has_rows) -> Floats:
            return np.concatenate([own[f"{side}.{name}"].to_numpy() for side in SIDES])[has_rows]

        sums = {name: counted(name) for name in (*counts, *sums_of_numbers(roles.numbers))}
        is_here = has_rows.reshape(len(SIDES), -1)
        of_both, number = is_here.all(axis=0), has_rows.cumsum().reshape(is_here.shape) - 1
        rows = Combinations(
            np.repeat([False, True], own.height)[has_rows],
            [each[at] for each in levels.values()],
            sizes,
            [_scaled(each[at], sums["n"]) for each in amounts.values()],
            [*levels, *amounts],
        )
        squares = {
            name: np.divide(sums[name] ** 2, of_one, out=np.zeros(of_one.size), where=of_one > 0)
            for name in counts
            for of_one in [counted(f"effective_{name}")]
        }
        yield Place(
            rows,
            sums,
            squares,
            groups[at].astype(np.int64),
            key,
            np.tile(strata.to_numpy(), 2)[has_rows],
            counted_by == LINEAR,
            counted_by is not None,
            roles.is_weighted,
            bool(powers_of(roles.numbers)),
            (number[0, of_both], number[1, of_both]),
            {
                name: own[f"{_TOGETHER}{name}"].fill_null(0.0).to_numpy()[of_both]
                for name in counts
                if f"{_TOGETHER}{name}" in own.columns
            },
        )


def _scaled(number: Floats, n: Floats) -> Floats:
    middle = number - (number * n).sum() / n.sum() if n.size else number
    spread = np.abs(middle).max(initial=0.0)
    return middle / spread if spread > 0 else middle


def _controls(table: pl.DataFrame, roles: Roles) -> tuple[dict[str, Ints], dict[str, Floats]]:
    """The number of each row's level, for each control by levels, and the controls of numbers.

    Null is a level too. Where a number is missing, it is the mean, beside a level of its own.
    """
    levels: dict[str, Ints] = {}
    numbers: dict[str, Floats] = {}
    for key, column in roles.controls.by_key.items():
        if column.dtype.is_numeric():
            number = table[key].cast(pl.Float64).to_numpy()
            is_known = np.isfinite(number)
            mean = number[is_known].mean() if is_known.any() else 0.0
            numbers[column.name] = np.where(is_known, number, mean)
            if not is_known.all():
                levels[f"{column.name}{_MISSING}"] = (~is_known).astype(np.int64)
            continue
        known = table.select(key).unique(maintain_order=True).with_row_index(_NUMBER)
        if known.height > MOST_LEVELS:
            raise FairnessError(
                f"controls: {column.name!r} has {known.height} levels, and at most {MOST_LEVELS} "
                "can be held constant; group them, or give numbers as numbers"
            )
        at = table.select(key).join(known, on=key, nulls_equal=True, maintain_order="left")
        levels[column.name] = at[_NUMBER].to_numpy().astype(np.int64)
    return levels, numbers


@dataclass(frozen=True)
class Regressed:
    """The regressions of one count or sum: the metrics that read them, and their values by key."""

    of: str
    metrics: Mapping[str, Metric]
    keys: pl.DataFrame
    fits: Sequence[tuple[Place, Fit | NoRegressionError]]
    values: pl.DataFrame


def regressed(
    sided: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    keys: Sequence[str],
    key: str | None = None,
) -> Iterator[Regressed]:
    """The regressions that metrics read, from the counts of cells by side.

    Each outcome has a table of its own, since it may have a regression where the other has none.
    """
    # How many rows of one weight the counts of both sides are, too.
    words = [word for count in _counts(roles) for word in (count, f"effective_{count}")]
    terms = [f"{side}.{word}" for side in SIDES for word in words]
    more = [] if key is None else [key]
    table = collected(with_terms(counted(sided, roles, AT_EQUAL_CONTROLS, more), terms, roles))
    if not more and CLUSTER in sided.collect_schema():
        table = _with_products(table, sided, roles, [*keys, *roles.controls.keys])
    places = table.select(keys).unique(maintain_order=True)
    of_places = [*places_to_fit(table, places, roles, key)]
    for of, own in _read(metrics, roles).items():
        fits = [(place, place.fit(of)) for place in of_places]
        words = [word for word, _ in _side_numbers(of, None, 0, 0)]
        by_column: dict[str, list[float | None]] = {
            f"{side}.{word}": [] for side in SIDES for word in words
        }
        for place, fit in fits:
            n = float(place.counts["n"].sum())
            for side, name in enumerate(SIDES):
                for word, value in _side_numbers(
                    of, None if isinstance(fit, Exception) else fit, side, n
                ):
                    by_column[f"{name}.{word}"].append(value)
        columns = (pl.Series(name, each, pl.Float64) for name, each in by_column.items())
        is_label, is_predicted = (OUTCOMES.get(of) == role for role in ("label", "predicted"))
        alone = replace(
            roles,
            numbers=(),
            label=roles.label if is_label else None,
            models=roles.models if is_predicted else (),
            weight=None,
            windows=roles.windows.without(ESTIMATOR),
        )
        counts = places.with_columns(columns)
        values = computed(counts, alone, AT_EQUAL_CONTROLS, own, keys)
        yield Regressed(of, own, places, fits, values)


def _with_products(
    table: pl.DataFrame, sided: pl.LazyFrame, roles: Roles, keys: Sequence[str]
) -> pl.DataFrame:
    """The counts of combinations with how rows that are in part of both sides vary together.

    Each part of the rows of a combination has one outcome.
    """
    counts, (of_a, of_d) = _counts(roles), SIDES
    parts = counted(sided.filter(pl.col(CLUSTER) != REST), roles, AT_EQUAL_CONTROLS, [CLUSTER])
    by_part = with_terms(parts, [f"{side}.{name}" for side in SIDES for name in counts], roles)
    products = by_part.group_by(keys).agg(
        (pl.col(f"{of_a}.{name}") * pl.col(f"{of_d}.{name}")).sum().alias(f"{_TOGETHER}{name}")
        for name in counts
    )
    return with_columns_of(table, collected(products), keys)


def _read(metrics: Mapping[str, Metric], roles: Roles) -> dict[str, dict[str, Metric]]:
    """The metrics by the count or the sum whose regression they read."""
    by_outcome = {
        of: {name: each for name, each in metrics.items() if role in each.needs}
        for of, role in OUTCOMES.items()
        if role in roles.binary_roles
    }
    for number in roles.numbers:
        for of in (f"{number.role}_sum", f"{number.role}{LOG}"):
            terms = {f"{side}.{of}" for side in SIDES}
            by_outcome[of] = {name: each for name, each in metrics.items() if each.terms & terms}
    return {of: own for of, own in by_outcome.items() if own}


def _side_numbers(
    of: str, fit: Fit | None, side: int, n: float
) -> Iterator[tuple[str, float | None]]:
    """The fitted counts of all rows as members of a side."""
    if of in OUTCOMES:
        shares = (None, None) if fit is None else (n * fit.means[side], n * (1 - fit.means[side]))
        yield from zip(SPLIT["n", OUTCOMES[of]], shares, strict=True)
        # The effect may be infinite, and 0 times infinity is no number.
        yield "odds", None if fit is None else float(np.exp(fit.effect)) if side else 1.0
    else:
        yield of, None if fit is None else n * fit.means[side]
        yield "n", None if fit is None else n
