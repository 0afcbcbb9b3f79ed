"""The function `cutoffs_by_group`: what a score could achieve with a cut-off for each group.

A threshold and the one below it can both be used, each for a random share of the rows. So a group
can reach all of the line between two points, and every point under the hull of all its points. The
best is the highest sum over accepted rows, to which each true and each false positive adds its
worth.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise
from math import inf
from typing import Final, NamedTuple, TypeVar, Unpack, cast

import polars as pl

from polars_fairness.answers.choose import objective_of, rate_of_all_rows
from polars_fairness.api.bound import read_at_thresholds
from polars_fairness.api.plan import answer_of
from polars_fairness.api.signatures import answers
from polars_fairness.counting.cells import cells_of_complete_rows
from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import unlisted, with_finest_counts
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.counting.sides import ALL
from polars_fairness.errors import FairnessError
from polars_fairness.formula.levels import POPULATION
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import g
from polars_fairness.question.arguments import Question, parted
from polars_fairness.question.audit_arguments import OF_CUTOFFS, CutoffQuestion, Equal
from polars_fairness.question.facets import written
from polars_fairness.question.outcomes import ROLES
from polars_fairness.question.roles import Roles
from polars_fairness.values.formula_checks import adds_up_over_rows, both_outcomes
from polars_fairness.values.levels import computed

_THRESHOLDS: Final = (
    *("threshold_0", "share_0", "threshold_1", "share_1"),
    *("share_at_random", "rate_at_random"),
)
OWN_COLUMNS: Final = ("facet", "value", "n", *_THRESHOLDS)
"""The columns of the result before the rates."""

_RATES: Final = ("selection_rate", "tpr", "fpr")

_COUNTS: Final = tuple(f"{g.name}.{count}" for count in ("tp", "fp", "fn", "tn"))


@answers(*OF_CUTOFFS)
def cutoffs_by_group(frame: AnyFrame, **given: Unpack[CutoffQuestion]) -> PolarsFrame:
    """Return the best cut-off of each group: what the score could achieve, with equal rates or not.

    It shows what a score costs a group that it ranks or calibrates worse than others, and no rule
    to decide by: cut-offs that differ by group may be unlawful. For one cut-off for all rows, see
    `choose`.

    Parameters
    ----------
    {own arguments}
    **question
        As in `metrics`, with one facet, a label and a score; ``disfavored``, ``favored`` and
        ``subgroup`` change nothing. Without ``threshold``, every distinct score or multiple of
        ``resolution`` is tried. Rows whose facet is unknown are in no group, and in no number.

    Returns
    -------
    LazyFrame or DataFrame
        One row per group, then one for all groups together, whose ``facet`` is "(all)". The columns
        are those of ``by``, then:

        ``facet``, ``value``, ``n``
            The group and its rows.
        ``threshold_0``, ``share_0``
            A threshold, and the share of the group's rows that it decides. It is infinite where no
            row is accepted, and minus infinity where all rows are, whatever their score.
        ``threshold_1``, ``share_1``
            A higher threshold that decides another share, where equal rates need a mixture of two.
        ``share_at_random``, ``rate_at_random``
            The share of the group's rows that is decided without the score, and the probability
            that such a row is accepted. Equalised odds may need it for groups whose score ranks
            them better.
        ``selection_rate``, ``tpr``, ``fpr``
            The rates on average.
        the value to maximise
            Such as ``accuracy``, on average.

        Of equally good cut-offs, those that accept most are shown. A group without the rate that is
        to be equal has its own best threshold. All is null where the value to maximise is
        undefined.

    Examples
    --------
    Equal true positive rates: of a group's rows, a share is decided by each of two thresholds.

    >>> import polars_fairness as pf
    >>> question = {"facet": "race", "label": "repaid", "score": "score", "weight": "weight"}
    >>> profit = pf.entry("utility", tp=1, fp=-5)
    >>> scores = pf.datasets.fico()
    >>> cutoffs = pf.cutoffs_by_group(scores, equal="tpr", maximise=profit, **question)
    >>> cutoffs.select("value", "threshold_0", "share_0", "threshold_1", "tpr", "utility")
    shape: (5, 6)
    ┌──────────┬─────────────┬──────────┬─────────────┬──────────┬───────────┐
    │ value    ┆ threshold_0 ┆ share_0  ┆ threshold_1 ┆ tpr      ┆ utility   │
    │ ---      ┆ ---         ┆ ---      ┆ ---         ┆ ---      ┆ ---       │
    │ str      ┆ f64         ┆ f64      ┆ f64         ┆ f64      ┆ f64       │
    ╞══════════╪═════════════╪══════════╪═════════════╪══════════╪═══════════╡
    │ Asian    ┆ 46.0        ┆ 0.666909 ┆ 46.5        ┆ 0.749967 ┆ 0.476324  │
    │ Black    ┆ 29.5        ┆ 0.232845 ┆ 30.0        ┆ 0.749967 ┆ -0.107396 │
    │ Hispanic ┆ 35.0        ┆ 0.744287 ┆ 35.5        ┆ 0.749967 ┆ 0.132161  │
    │ White    ┆ 46.5        ┆ 1.0      ┆ null        ┆ 0.749967 ┆ 0.470382  │
    │ null     ┆ null        ┆ null     ┆ null        ┆ 0.749967 ┆ 0.381418  │
    └──────────┴─────────────┴──────────┴─────────────┴──────────┴───────────┘
    """
    own, others = parted(given, OF_CUTOFFS)
    question = cast("Question", others)
    objective = objective_of(own["maximise"], OWN_COLUMNS)
    if not adds_up_over_rows(objective):
        raise FairnessError(
            "maximise: the best cut-offs of groups are found one by one, and "
            f"{objective.name!r} is no sum over rows; give a value that is, such as 'accuracy', "
            "'selection_rate' or pf.entry('utility', ...)"
        )
    bound = read_at_thresholds(frame, question, "cutoffs_by_group", own)
    roles = bound.roles.keeping(ROLES).counting_scores
    compute = partial(cut_off, objective=objective, equal=own["equal"])
    columns = _types(roles, objective)
    return answer_of(bound, roles, compute, columns, cells_of=cells_of_complete_rows)


def _types(roles: Roles, objective: Metric) -> dict[str, pl.DataType]:
    """The columns after those of windows, with their types."""
    numbers = dict.fromkeys((*OWN_COLUMNS, *_RATES, objective.name), pl.Float64())
    return numbers | {"facet": pl.String(), "value": pl.String(), "n": roles.size}


def cut_off(
    cells: pl.LazyFrame, roles: Roles, objective: Metric, equal: Equal | None
) -> pl.LazyFrame:
    """A row for each group of each window, then one for all of them, from cells by score."""
    keys, types = roles.windows.keys, _types(roles, objective)
    # The true and false positives with exactly each score, the highest score first.
    place, threshold = [*keys, "facet", "value"], pl.col("score").alias("threshold")
    known = with_finest_counts(unlisted(cells), roles).filter(pl.col("value").is_not_null())
    sums = {"tp": pl.col("positive").sum(), "fp": pl.col("negative").sum()}
    summed = known.group_by(*place, threshold).agg(**sums)
    counts = collected(summed.sort(*place, -pl.col("threshold"), nulls_last=True))
    windows = counts.partition_by(keys, maintain_order=True) if keys else [counts]
    answers = [
        _window_cutoffs(window, roles, objective, FINDS[equal]).select(
            *(
                pl.lit(window[key]).first().alias(name)
                for key, name in zip(keys, roles.windows.names, strict=True)
            ),
            *(pl.col(name).cast(dtype) for name, dtype in types.items()),
        )
        for window in windows
        if window.height
    ]
    return pl.concat([pl.Schema({**roles.windows.types, **types}).to_frame(), *answers]).lazy()


def _window_cutoffs(
    counts: pl.DataFrame, roles: Roles, objective: Metric, find: Find
) -> pl.DataFrame:
    """The groups of one window, then all of them, with their cut-offs and what these achieve."""
    [facet] = roles.facets
    by_value = counts.partition_by("value", as_dict=True)
    values = facet.sort_keys(counts["value"].unique())
    groups = [Group(points_of(by_value[value,].select(Point._fields))) for value in values]
    worth = _worth(objective, groups, roles)
    cutoffs = [None] * len(groups) if worth is None else find(groups, worth)
    rows = [
        {"facet": facet.name, "value": written(value), **_counts(group, cutoff), **_shown(cutoff)}
        for value, group, cutoff in zip(values, groups, cutoffs, strict=True)
    ]
    of_groups = pl.DataFrame(rows, infer_schema_length=None)
    of_all = of_groups.select(pl.lit(ALL).alias("facet"), pl.col("n", *_COUNTS).sum())
    both = pl.concat([of_groups, of_all], how="diagonal")
    rates = {name: rate_of_all_rows(name) for name in _RATES}
    reached = _values(both, {**rates, objective.name: objective}, roles)
    # Without a value to maximise there are no best cut-offs, and no numbers that they reach.
    return both.hstack(reached.clear(len(reached)) if worth is None else reached)


def _counts(group: Group, cutoff: Cutoff | None) -> dict[str, float | None]:
    """The rows of a group and, on average, how many of them are of each kind."""
    n = group.positive + group.negative
    if cutoff is None:
        return {"n": n, **dict.fromkeys(_COUNTS)}
    tp, fp = (cutoff.expected(each, group) for each in (TRUE_POSITIVES, FALSE_POSITIVES))
    # Rounding may leave a count below 0.
    kinds = (tp, fp, max(group.positive - tp, 0.0), max(group.negative - fp, 0.0))
    return {"n": n, **dict(zip(_COUNTS, kinds, strict=True))}


def _shown(cutoff: Cutoff | None) -> dict[str, float | None]:
    """The thresholds and shares of a cut-off, as columns of the result."""
    if cutoff is None:
        return dict.fromkeys(_THRESHOLDS)
    (lower, share), *upper = (
        (point.threshold, share * (1 - cutoff.share_at_random)) for point, share in cutoff.mixture
    )
    higher = upper[0] if upper else (None, 0.0)
    chance = cutoff.rate_at_random if cutoff.share_at_random else None
    shown = (lower, share, *higher, cutoff.share_at_random, chance)
    return dict(zip(_THRESHOLDS, shown, strict=True))


def _worth(objective: Metric, groups: Sequence[Group], roles: Roles) -> Quantity | None:
    """What a true and a false positive add to the objective; None if it is undefined."""
    positive = sum(group.positive for group in groups)
    negative = sum(group.negative for group in groups)
    kinds = [
        (0.0, 0.0, positive, negative),
        (positive, 0.0, 0.0, negative),
        (0.0, negative, positive, 0.0),
    ]
    counts = pl.DataFrame(kinds, schema=_COUNTS, orient="row")
    of_none, of_positive, of_negative = _values(counts, {"objective": objective}, roles)[
        "objective"
    ]
    if None in (of_none, of_positive, of_negative):
        return None
    return Quantity(
        (of_positive - of_none) / positive if positive else 0.0,
        (of_negative - of_none) / negative if negative else 0.0,
    )


def _values(counts: pl.DataFrame, metrics: Mapping[str, Metric], roles: Roles) -> pl.DataFrame:
    """The values of metrics of all rows, for each row of counts."""
    both = replace(both_outcomes(), zero_division=roles.zero_division)
    numbered = counts.lazy().select(pl.col(*_COUNTS).cast(pl.Float64)).with_row_index("row")
    values = computed(collected(numbered), both, POPULATION, metrics, ["row"])
    return values.select(pl.col(f"metric.{name}").fill_nan(None).alias(name) for name in metrics)


# Sums of weights differ in their last digits, and so do the slopes that are made of them.
_ROUNDING: Final = 1e-12


class Point(NamedTuple):
    """A threshold, and the true and false positives of the rows that it accepts."""

    threshold: float
    tp: float
    fp: float


class Quantity(NamedTuple):
    """A sum over accepted rows: what each true and each false positive adds to it.

    Examples
    --------
    >>> ACCEPTED.value_at(Point(0.5, tp=3, fp=1))
    4
    """

    tp: float
    fp: float

    def value_at(self, point: Point) -> float:
        return self.tp * point.tp + self.fp * point.fp

    @property
    def values_at_points(self) -> pl.Expr:
        """The quantity at each of many points."""
        return self.tp * pl.col("tp") + self.fp * pl.col("fp")


ACCEPTED: Final = Quantity(1, 1)
TRUE_POSITIVES: Final = Quantity(1, 0)
FALSE_POSITIVES: Final = Quantity(0, 1)

_Mixture = tuple[tuple[Point, float], ...]
"""One point, or two, each with the share of the rows that its threshold decides."""


def points_of(steps: pl.DataFrame) -> pl.DataFrame:
    """The points of a curve, from no row accepted to all.

    The steps are the true and false positives with exactly each score, the highest score first.

    Examples
    --------
    >>> steps = pl.DataFrame({"threshold": [0.9, 0.4], "tp": [2.0, 1.0], "fp": [0.0, 3.0]})
    >>> points_of(steps).rows()
    [(inf, 0.0, 0.0), (0.9, 2.0, 0.0), (0.4, 3.0, 3.0)]
    """
    none = pl.DataFrame([Point(inf, 0.0, 0.0)], orient="row", schema=steps.schema)
    return pl.concat([none, steps.with_columns(pl.col("tp", "fp").cum_sum())])


def hull(points: pl.DataFrame, across: Quantity, up: Quantity) -> list[Point]:
    """The points of the upper hull of a curve, in order.

    Parameters
    ----------
    points
        The thresholds with their true and false positives, from no row accepted to all.
    across, up
        The quantities on the two axes. Each accepted row adds 0 or more to the one across.

    Examples
    --------
    >>> steps = pl.DataFrame({"threshold": [0.9, 0.6, 0.3], "tp": [1.0, 2, 1], "fp": [1.0, 0, 3]})
    >>> [each.threshold for each in hull(points_of(steps), FALSE_POSITIVES, TRUE_POSITIVES)]
    [inf, 0.6, 0.3]
    """
    corners: list[Point] = []
    for row in _without_dents(points, across, up).iter_rows():
        point = Point(*row)
        while len(corners) > 1 and not _is_steeper(corners[-2], corners[-1], point, across, up):
            corners.pop()
        corners.append(point)
    # Of points above each other, the highest is part of the hull.
    first, *_, last = corners
    if across.value_at(corners[1]) == across.value_at(first) and up.value_at(
        corners[1]
    ) >= up.value_at(first):
        del corners[0]
    elif across.value_at(corners[-2]) == across.value_at(last) and up.value_at(
        corners[-2]
    ) > up.value_at(last):
        del corners[-1]
    return corners


def _without_dents(points: pl.DataFrame, across: Quantity, up: Quantity) -> pl.DataFrame:
    """Leave out most points that lie on or below the line between their neighbours.

    No such point is part of the hull. Of a million points of random scores 280 were left, and 276
    of these were the hull. Without this, the loop over points in Python took 2 s.
    """
    # A point that repeats the one before it, as where a weight is below the last digit of a sum,
    # would make a dent of both.
    moves = (pl.col("tp").diff() != 0) | (pl.col("fp").diff() != 0)
    points = points.filter(moves.fill_null(value=True))
    x, y = across.values_at_points, up.values_at_points
    is_bump = y.diff() * x.diff().shift(-1) > y.diff().shift(-1) * x.diff()
    is_bump = is_bump.fill_null(value=True)  # the first and the last point
    fewer = points.filter(is_bump)
    while len(fewer) < 0.9 * len(points):
        points, fewer = fewer, fewer.filter(is_bump)
    return fewer


def between(points: Sequence[Point], across: Quantity, amount: float) -> _Mixture:
    """The mixture of neighbouring points that reaches an amount of the quantity across.

    Examples
    --------
    >>> points = [Point(inf, 0, 0), Point(0.6, 3, 1), Point(0.3, 4, 4)]
    >>> [(point.threshold, share) for point, share in between(points, ACCEPTED, 5)]
    [(0.3, 0.25), (0.6, 0.75)]
    """
    near = _ROUNDING * across.value_at(points[-1])
    above = min(bisect_left(points, amount - near, key=across.value_at), len(points) - 1)
    upper = points[above]
    if above == 0 or across.value_at(upper) <= amount + near:
        return ((upper, 1.0),)
    lower = points[above - 1]
    share = (amount - across.value_at(lower)) / (across.value_at(upper) - across.value_at(lower))
    return (upper, share), (lower, 1 - share)


def expected(mixture: _Mixture, quantity: Quantity) -> float:
    """What a quantity is on average, if each point has its share of the rows."""
    return sum(share * quantity.value_at(point) for point, share in mixture)


def _is_steeper(start: Point, middle: Point, end: Point, across: Quantity, up: Quantity) -> bool:
    """Whether a curve rises more before its middle than after it."""
    (before, after), (rise, fall) = (
        (
            quantity.value_at(middle) - quantity.value_at(start),
            quantity.value_at(end) - quantity.value_at(middle),
        )
        for quantity in (across, up)
    )
    one, other = rise * after, fall * before
    return one - other > _ROUNDING * (abs(one) + abs(other))


Choice = TypeVar("Choice")
_Curve = Callable[[float], float]


@dataclass(frozen=True, eq=False)
class Group:
    """A group with its points: thresholds with their true and false positives, the highest first.

    At the first point no row is accepted, at the last point all are.
    """

    points: pl.DataFrame

    @cached_property
    def all_accepted(self) -> Point:
        return Point(*self.points.row(-1))

    @property
    def positive(self) -> float:
        return self.all_accepted.tp

    @property
    def negative(self) -> float:
        return self.all_accepted.fp

    def total(self, quantity: Quantity) -> float:
        """A quantity if all rows are accepted."""
        return quantity.value_at(self.all_accepted)


@dataclass(frozen=True)
class Cutoff:
    """How the rows of a group are decided: by thresholds, and a share of the rows at random."""

    mixture: _Mixture  # the lower threshold first, each with its share of what thresholds decide
    share_at_random: float = 0.0
    rate_at_random: float = 0.0  # the chance of such a row to be accepted

    def expected(self, quantity: Quantity, group: Group) -> float:
        """What a quantity of the group is on average."""
        by_chance = self.share_at_random * self.rate_at_random * group.total(quantity)
        return (1 - self.share_at_random) * expected(self.mixture, quantity) + by_chance


def best_apart(groups: Sequence[Group], worth: Quantity) -> list[Cutoff]:
    """The best threshold of each group by itself; of equally good thresholds the lowest."""
    return [_best_alone(group, worth) for group in groups]


def _best_alone(group: Group, worth: Quantity) -> Cutoff:
    value = worth.values_at_points
    best = group.points.filter(value >= value.max() - _ROUNDING * _most([group], worth))
    return Cutoff(((Point(*best.row(-1)), 1.0),))


def best_at_equal_rate(groups: Sequence[Group], worth: Quantity, share: Quantity) -> list[Cutoff]:
    """The best cut-offs that accept an equal share of a quantity in each group.

    A group in which this quantity is 0 has its own best threshold.
    """
    hulls = {group: hull(group.points, share, worth) for group in groups if group.total(share) > 0}
    if not hulls:
        return best_apart(groups, worth)

    def mixture(group: Group, rate: float) -> _Mixture:
        return between(hulls[group], share, rate * group.total(share))

    def total(rate: float) -> float:
        return sum(expected(mixture(group, rate), worth) for group in hulls)

    rates = {share.value_at(each) / group.total(share) for group in hulls for each in hulls[group]}
    rate = _last_best(sorted(rates), total, _most(groups, worth))
    return [
        Cutoff(mixture(group, rate)) if group in hulls else _best_alone(group, worth)
        for group in groups
    ]


def best_at_equal_odds(groups: Sequence[Group], worth: Quantity) -> list[Cutoff]:
    """The best cut-offs at which groups have equal true and equal false positive rates.

    Their rates lie on the lower envelope of the hulls of the ROC curves (Hardt, Price and Srebro
    2016). A group whose hull is above the envelope is decided at random in part. A group with one
    label has to reach the rate that it has.
    """
    hulls = {
        group: hull(group.points, FALSE_POSITIVES, TRUE_POSITIVES)
        for group in groups
        if group.positive > 0 and group.negative > 0
    }
    if not hulls:
        return best_apart(groups, worth)

    def tpr(group: Group, fpr: float) -> float:
        at_fpr = between(hulls[group], FALSE_POSITIVES, fpr * group.negative)
        return expected(at_fpr, TRUE_POSITIVES) / group.positive

    def total(odds: tuple[float, float]) -> float:
        fpr, tpr = odds
        positive = sum(group.positive for group in groups)
        negative = sum(group.negative for group in groups)
        return worth.tp * positive * tpr + worth.fp * negative * fpr

    # Between these rates all curves are straight; their lower envelope has corners where they meet.
    fprs = sorted({each.fp / group.negative for group in hulls for each in hulls[group]})
    curves = [partial(tpr, group) for group in hulls]
    crossings = (each for left, right in pairwise(fprs) for each in _crossings(left, right, curves))
    envelope = [(x, min(curve(x) for curve in curves)) for x in sorted([*fprs, *crossings])]
    odds = _last_best(envelope, total, _most(groups, worth))
    return [_cutoff_at(odds, group, hulls.get(group)) for group in groups]


def _cutoff_at(odds: tuple[float, float], group: Group, of_hull: Sequence[Point] | None) -> Cutoff:
    fpr, tpr = odds
    if of_hull is None:
        points = [Point(*row) for row in group.points.iter_rows()]
        rate = tpr if group.positive > 0 else fpr
        return Cutoff(between(points, ACCEPTED, rate * group.total(ACCEPTED)))
    mixture = between(of_hull, FALSE_POSITIVES, fpr * group.negative)
    highest = expected(mixture, TRUE_POSITIVES) / group.positive
    if highest - tpr <= _ROUNDING:
        return Cutoff(mixture)
    # Random decisions have equal rates, and no group's hull is below these.
    return Cutoff(mixture, (highest - tpr) / (highest - fpr), fpr)


def _crossings(left: float, right: float, curves: Sequence[_Curve]) -> Iterator[float]:
    """Where the lowest of several straight lines changes."""
    first = min(curves, key=lambda curve: (curve(left), curve(right)))
    last = min(curves, key=lambda curve: (curve(right), curve(left)))
    above, below = last(left) - first(left), first(right) - last(right)
    if min(above, below) <= _ROUNDING:
        return
    at = left + (right - left) * above / (above + below)
    yield at
    if first(at) - min(curve(at) for curve in curves) > _ROUNDING:
        yield from _crossings(left, at, curves)
        yield from _crossings(at, right, curves)


def _most(groups: Sequence[Group], worth: Quantity) -> float:
    """The size of the largest sums, beside which rounding errors are judged."""
    return sum(abs(worth.tp) * group.positive + abs(worth.fp) * group.negative for group in groups)


def _last_best(choices: Sequence[Choice], worth: Callable[[Choice], float], most: float) -> Choice:
    """The last of the choices that are as good as any, except for rounding errors."""
    worths = [worth(choice) for choice in choices]
    least = max(worths) - _ROUNDING * most
    return next(
        choice
        for choice, each in zip(reversed(choices), reversed(worths), strict=True)
        if each >= least
    )


Find = Callable[[Sequence[Group], Quantity], list[Cutoff]]

FINDS: Final[dict[Equal | None, Find]] = {
    None: best_apart,
    "selection_rate": partial(best_at_equal_rate, share=ACCEPTED),
    # Groups of equal true positive rates have equal false negative rates as well.
    **dict.fromkeys(("tpr", "fnr"), partial(best_at_equal_rate, share=TRUE_POSITIVES)),
    **dict.fromkeys(("fpr", "tnr"), partial(best_at_equal_rate, share=FALSE_POSITIVES)),
    "equalized_odds": best_at_equal_odds,
}
"""How the best cut-offs are found, by the rate that is to be equal."""
