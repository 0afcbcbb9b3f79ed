"""Checks of a formula on made-up counts: whether it gives one value, and its sign."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial, reduce, wraps
from itertools import product
from math import isclose
from typing import Final, TypeVar

import polars as pl

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.levels import COMPARISON, Level
from polars_fairness.formula.metric import Metric, Sign
from polars_fairness.formula.rates import RATES, SUMS_OF_NUMBERS, SUMS_OF_RANKS
from polars_fairness.formula.sides import Side, g
from polars_fairness.formula.tree import AGGREGATES, ALONG, Expression, has_rows, parts_of
from polars_fairness.question.reading import find_roles
from polars_fairness.question.roles import Roles
from polars_fairness.values.levels import computed

_SCORES: Final = (0.2, 0.5, 0.8)
_LABELS: Final = ("positive", "negative")

# Of each score, how many rows of d, and of a, are positive and how many negative.
_COUNTS_OF_D: Final = tuple(
    (one, 4.0, other, 8 - other, third, 8 - one)
    for one, other, third in product((3.0, 5.0), repeat=3)
)
_COUNTS_OF_A: Final = (
    (4.0, 4.0, 4.0, 4.0, 4.0, 4.0),
    (2.0, 6.0, 4.0, 4.0, 6.0, 2.0),
    (6.0, 2.0, 4.0, 4.0, 2.0, 6.0),
)

Counts = tuple[float, ...]

# Rows of d with this label get the next score, above or below.
_Moves = tuple[tuple[str, int], ...]

_HIGHER: Final[_Moves] = (("positive", 1), ("negative", 1))
_NEARER_LABEL: Final[_Moves] = (("positive", 1), ("negative", -1))


@cache
def label_and_score() -> Roles:
    """The roles of made-up counts by score: a label and a score, nothing else."""
    types = {"label": pl.Boolean(), "score": pl.Float64()}
    return find_roles(pl.Schema(types), {"label": "label", "score": "score"}).of_scores


@cache
def few_counts(level: Level) -> pl.DataFrame:
    """The counts of one comparison, or of three groups, at three scores."""
    names = [f"{side.name}.{label}" for side in level.counted for label in _LABELS]
    groups = ["x"] if level.has_sides else ["x", "y", "z"]
    rows = [
        ("few", group, score, *(float((5 * i + 3 * j + 7 * k) % 11 + 2) for k in range(len(names))))
        for i, group in enumerate(groups)
        for j, score in enumerate(_SCORES)
    ]
    return pl.DataFrame(rows, ["key", "value", "score", *names], orient="row")


def _steps_by_score(metric: Metric, moves: _Moves) -> pl.Series:
    """The changes of a value as one row of d after the other gets another score."""
    return _changes_of(metric, _score_paths(metric.parsed.level, moves))


def _changes_of(metric: Metric, paths: pl.DataFrame) -> pl.Series:
    """The changes of a value along paths, from step to step."""
    values = _values(paths, metric, ["pair", "move", "step"])
    return values.select(pl.when(pl.col("step") > 0).then(pl.col("metric.").diff())).to_series()


@cache
def _score_paths(level: Level, moves: _Moves) -> pl.DataFrame:
    """The counts of pairs of small sides, before and after one and two rows of d moved."""
    a, d = (side.name for side in level.counted)
    rows = [
        (pair, move, step, score, *_at(of_a, i), *_at(_moved(of_d, step, label, start, by), i))
        for pair, (of_d, of_a) in enumerate(product(_COUNTS_OF_D, _COUNTS_OF_A))
        for move, ((label, by), start) in enumerate(product(moves, (0, 1)))
        for step in range(3)
        for i, score in enumerate(_SCORES)
    ]
    names = [f"{side}.{label}" for side in (a, d) for label in _LABELS]
    table = pl.DataFrame(rows, ["pair", "move", "step", "score", *names], orient="row")
    return table.sort("pair", "move", "step", "score")


def _at(counts: Counts, place: int) -> Counts:
    """The counts of one score, a number for each label."""
    return counts[len(_LABELS) * place : len(_LABELS) * (place + 1)]


def _moved(counts: Counts, rows: int, label: str, start: int, by: int) -> Counts:
    """The counts after rows with a label moved to the score after the start, or from it back."""
    low, high = (len(_LABELS) * (start + place) + _LABELS.index(label) for place in (0, 1))
    change = {low: -by * rows, high: by * rows}
    return tuple(count + change.get(i, 0) for i, count in enumerate(counts))


_KINDS: Final = ("tp", "fp", "fn", "tn")

# What is added to the counts of d when one more of its rows fares better.
_Move = tuple[tuple[str, float], ...]

_ACCEPTED: Final[tuple[_Move, ...]] = ((("fn", -1), ("tp", 1)), (("tn", -1), ("fp", 1)))
_CORRECT: Final[tuple[_Move, ...]] = ((("fn", -1), ("tp", 1)), (("fp", -1), ("tn", 1)))
_POSITIVE: Final[tuple[_Move, ...]] = ((("tn", -1), ("fn", 1)), (("fp", -1), ("tp", 1)))
_MORE_ROWS: Final[tuple[_Move, ...]] = tuple(((kind, 1),) for kind in _KINDS)

# tp, fp, fn, tn
_SIDES_OF_D: Final = tuple(product((3.0, 5.0), repeat=4))
_SIDES_OF_A: Final = ((4.0, 4.0, 4.0, 4.0), (2.0, 6.0, 3.0, 5.0), (6.0, 3.0, 5.0, 2.0))

# Smaller differences are rounding errors.
_LEAST: Final = 1e-9


def require_one_value(metric: Metric) -> None:
    """Raise unless a formula gives one number at its level.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> from polars_fairness.values.formula_checks import require_one_value
    >>> from polars_fairness.terms import across, g
    >>> require_one_value(pf.Metric("worst", "Worst rate", across(g.tpr.min())))
    >>> require_one_value(pf.Metric("any", "Any rate", across(g.tpr)))
    Traceback (most recent call last):
    ...
    polars_fairness.errors.FairnessError: formula: 'any' has a value for each group; reduce \
them to one, as .max() or .sum() does
    """
    level, expression = metric.parsed.level, metric.parsed.expression
    unknown = sorted(name for name in expression.terms if "." not in name)
    if unknown and not level.is_by_score:
        raise FairnessError(
            f"formula: {metric.name!r} reads {listed(unknown)}; use the terms of "
            "polars_fairness.terms"
        )
    if mistake := _mistake(level, expression):
        raise FairnessError(f"formula: {metric.name!r} {mistake}")


def _mistake(level: Level, expression: Expression) -> str:
    """Say why there is not one value for each row, or one for all rows, as the level needs."""
    parts = [*parts_of(expression)]
    if not level.is_aggregate:
        if not any(part.op in AGGREGATES or part.op in ALONG for part in parts):
            return ""
        return f"mixes each {level.row} with others; leave out aggregates such as .max() or .sum()"
    if has_rows(expression):
        return f"has a value for each {level.row}; reduce them to one, as .max() or .sum() does"
    is_in_order = any(
        part.op in ALONG or (part.op == "first" and has_rows(part.args[0])) for part in parts
    )
    if is_in_order and not level.has_order and not level.is_by_score:
        return "depends on the order of rows, which is arbitrary; leave out .first() and the like"
    return ""


_Found = TypeVar("_Found")


def once_for_entries(check: Callable[[Metric], _Found]) -> Callable[[Metric], _Found]:
    """A check that remembers what it finds for entries of the catalogue, which never change.

    An audit of all metrics of 1,000 rows took 73 ms, and takes 45 with signs found once.
    """

    @cache
    def of_entry(name: str) -> _Found:
        return check(CATALOGUE[name])

    @wraps(check)
    def remembered(metric: Metric) -> _Found:
        is_entry = metric is CATALOGUE.get(metric.name)
        return of_entry(metric.name) if is_entry else check(metric)

    return remembered


@once_for_entries
def needs_sides_apart(metric: Metric) -> bool:
    """Whether a metric would be wrong where side a holds the rows of side d too.

    It is right if its value depends on proportions inside each side only. Then it stays the same on
    made-up counts when all counts of a are multiplied.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> from polars_fairness.values.formula_checks import needs_sides_apart
    >>> [needs_sides_apart(pf.CATALOGUE[name]) for name in ("di", "kl", "ddpl", "ci", "tpr_gap")]
    [False, False, True, True, False]
    """
    level = metric.parsed.level
    if not level.has_sides:
        return False
    # A mean over strata weights these by the rows of both sides; neighbours are rows themselves.
    if level.has_points or level.decomposes:
        return True
    few = few_counts(level) if level.is_by_score else _few_rows(level)
    more = few.with_columns(pl.col(f"^{level.counted[0].name}\\..*$") * 3)
    return not _are_alike(*(_values(counts, metric, [])["metric."] for counts in (few, more)))


@once_for_entries
def sign_of(metric: Metric) -> Sign | None:
    """The sign: 1 if a value above the ideal speaks against d, -1 if against a, 0 if neither.

    A metric may state its sign. If not, the sign is read off the formula: made-up counts of d are
    changed so that d fares better. If the value only falls, a high value speaks against d; if it
    only rises, against a. First, more rows of d are accepted. If the value then both rises and
    falls, or never changes, more rows of d are predicted correctly instead. For a formula of scores
    rows of d get higher scores, or else scores nearer their labels. For a formula of labels alone
    more rows of d are positive, and for a formula of sizes alone d has more rows. None if no change
    shows a sign.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> from polars_fairness.values.formula_checks import sign_of
    >>> [sign_of(pf.CATALOGUE[name]) for name in ("dppl", "di", "four_fifths", "tpr_gap")]
    [1, -1, 0, 0]
    """
    if metric.sign is not None or not metric.has_sides:
        return metric.sign or 0
    return _sign_shown(metric)[0]


@once_for_entries
def if_unfavorable(metric: Metric) -> Metric:
    """The metric where a positive outcome is bad for the person.

    Its sign turns if the formula shows it by more rows of d that are accepted or positive, or by
    higher scores of d. It stays if the formula shows it by rows of d whose predictions are correct,
    or by how many rows d has: to be served worse is bad in either case.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> from polars_fairness.values.formula_checks import if_unfavorable
    >>> [if_unfavorable(pf.CATALOGUE[name]).sign for name in ("dppl", "di", "rd")]
    [-1, 1, -1]
    """
    sign = sign_of(metric)
    turns = metric.has_sides and sign and _sign_shown(metric)[1]
    turned = replace(metric, sign=-1 if sign == 1 else 1) if turns else metric
    return replace(turned, **metric.unfavorable) if metric.unfavorable else turned


def _sign_shown(metric: Metric) -> tuple[Sign | None, bool]:
    """The sign that a formula shows, and whether it turns with what is good for the person.

    One that is not shown turns: it is stated for a positive outcome that is good.
    """
    if metric.is_about_numbers or metric.is_about_ranks:
        return None, True
    for steps, turns in _changes(metric):
        rises, falls = (steps > _LEAST).any(), (steps < -_LEAST).any()
        if rises != falls:
            return (-1 if rises else 1), turns
    return None, True


def _changes(metric: Metric) -> Iterator[tuple[pl.Series, bool]]:
    """The changes of the value as d fares better, in one way after the other.

    Each with whether d would fare worse by it if a positive outcome were bad.
    """
    if metric.parsed.level.is_by_score:
        steps = (
            (_steps_by_score(metric, each), each == _HIGHER) for each in (_HIGHER, _NEARER_LABEL)
        )
    else:
        ways = _ways_to_fare_better(metric)
        steps = ((_steps(metric, each), each in (_ACCEPTED, _POSITIVE)) for each in ways)
    for changes, turns in steps:
        yield changes.fill_nan(None).drop_nulls(), turns


def adds_up_over_rows(metric: Metric) -> bool:
    """Whether each accepted row changes a metric of all rows by an amount that depends on no other.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> from polars_fairness.values.formula_checks import adds_up_over_rows
    >>> [adds_up_over_rows(pf.CATALOGUE[name]) for name in ("accuracy", "utility", "theil")]
    [True, True, False]
    """
    positive, negative = 3.0, 4.0
    accepted = list(product((0.0, 1.0, positive), (0.0, 2.0, negative)))
    kinds = [(tp, fp, positive - tp, negative - fp) for tp, fp in accepted]
    counts = pl.DataFrame(kinds, _counts_of(g.name), orient="row")
    found = _values(counts.with_row_index("row"), metric, ["row"])["metric."]
    values = dict(zip(accepted, found, strict=True))
    if None in values.values():
        return False
    of_none = values[0.0, 0.0]
    of_tp = (values[positive, 0.0] - of_none) / positive
    of_fp = (values[0.0, negative] - of_none) / negative
    return all(
        isclose(value, of_none + tp * of_tp + fp * of_fp, abs_tol=_LEAST)
        for (tp, fp), value in values.items()
    )


def _ways_to_fare_better(metric: Metric) -> Iterator[tuple[_Move, ...]]:
    if metric.parsed.level.divides_values:
        return  # no value is better than another
    if "predicted" in metric.needs:
        yield _ACCEPTED
        if "label" in metric.needs:
            yield _CORRECT
    else:
        yield _POSITIVE if "label" in metric.needs else _MORE_ROWS


def _steps(metric: Metric, moves: tuple[_Move, ...]) -> pl.Series:
    """The change of the value at each step."""
    return _changes_of(metric, _paths(metric.parsed.level, moves))


@cache
def _paths(level: Level, moves: tuple[_Move, ...]) -> pl.DataFrame:
    """The counts of pairs of small sides, before and after one and two moves of d.

    At a level of individuals there are two points, with different votes.
    """
    sides = _names(level.counted)
    d = sides[-1]
    tables = [
        pl.DataFrame(_SIDES_OF_D if side == d else _SIDES_OF_A, _counts_of(side), orient="row")
        for side in sides
    ]
    pairs = reduce(partial(pl.DataFrame.join, how="cross"), tables)
    steps = [
        (number, step, *(step * dict(move).get(kind, 0.0) for kind in _KINDS))
        for number, move in enumerate(moves)
        for step in range(3)
    ]
    votes = [0.25, 0.75] if level.has_points else [None]
    return (
        pairs.with_row_index("pair")
        .join(pl.DataFrame(steps, ["move", "step", *_KINDS], orient="row"), how="cross")
        .with_columns(pl.col(f"{d}.{kind}") + pl.col(kind) for kind in _KINDS)
        .join(pl.DataFrame({f"{d}.vote": votes}), how="cross")
        .sort("pair", "move", "step")
    )


@cache
def _few_rows(level: Level) -> pl.DataFrame:
    """Three rows of a level, all of whose counts differ."""
    counts = {
        f"{side}.{kind}": [float((3 * i + row) * 37 % 101 + 2) for row in range(3)]
        for i, (side, kind) in enumerate(product(_names((*level.counted, *level.beside)), _KINDS))
    }
    votes = {f"{side}.vote": [0.2, 0.6, 1.0] for side in _names(level.counted)}
    numbers = {
        f"{side}.{word}": [float(row + len(side) + number % 5) for row in range(3)]
        for side in _names(level.counted)
        for number, word in enumerate((*SUMS_OF_NUMBERS, *SUMS_OF_RANKS))
    }
    return pl.DataFrame(counts | votes | numbers)


def _names(sides: Iterable[Side]) -> list[str]:
    return [side.name for side in sides]


def _counts_of(side: str) -> list[str]:
    return [f"{side}.{kind}" for kind in _KINDS]


@cache
def both_outcomes() -> Roles:
    """The roles of made-up counts: a label and a prediction, nothing else."""
    outcomes = {"label": pl.Boolean(), "predicted": pl.Boolean()}
    return find_roles(pl.Schema(outcomes), {"label": "label", "predicted": "predicted"})


def _values(counts: pl.DataFrame, metric: Metric, keys: Sequence[str]) -> pl.DataFrame:
    """The value of a metric for each of the keys of made-up counts."""
    level = metric.parsed.level
    roles = label_and_score() if level.is_by_score else both_outcomes()
    return computed(counts, roles, level, {"": metric}, keys)


def _are_alike(one: pl.Series, other: pl.Series) -> bool:
    if len(one) != len(other):
        return False
    is_near = ((one - other).abs() <= _LEAST * (1 + one.abs())).fill_null(value=False)
    return (is_near | one.eq_missing(other)).all()


# With 0 among them, sides lack outcomes; so many of each make 6,561 pairs of sides.
_FEW: Final = (0.0, 2.0, 7.0)


@once_for_entries
def sets_sides_apart(metric: Metric) -> bool:
    """Whether each outcome moves a value in one direction in d's rows, and in the other in a's.

    Then rows of that outcome that belong to either side move it farthest if all of them belong to
    one, whatever the other counts are. It is tried on made-up counts.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> from polars_fairness.values.formula_checks import sets_sides_apart
    >>> [sets_sides_apart(pf.CATALOGUE[name]) for name in ("di", "rd", "dcr", "four_fifths")]
    [True, True, False, False]
    """
    if metric.parsed.level != COMPARISON or metric.is_about_numbers or metric.is_about_ranks:
        return False
    a, d = (side.name for side in COMPARISON.counted)
    names = [f"{side}.{kind}" for side in (a, d) for kind in _KINDS]
    counts = pl.DataFrame(list(product(_FEW, repeat=len(names))), names, orient="row")
    before = _values(counts, metric, [])["metric."]
    for kind in _KINDS:
        directions = []
        for side in (a, d):
            more = counts.with_columns(pl.col(f"{side}.{kind}") + 1)
            steps = (_values(more, metric, [])["metric."] - before).fill_nan(None).drop_nulls()
            rises, falls = bool((steps > _LEAST).any()), bool((steps < -_LEAST).any())
            if rises and falls:
                return False
            directions.append(rises - falls)
        of_a, of_d = directions
        if of_a * of_d > 0:
            return False
    return True


def rates_compared(metric: Metric) -> list[str]:
    """The rates of two sides in a formula."""
    words = {term.partition(".")[2] for term in metric.terms} if metric.has_sides else set[str]()
    return sorted(word for word in words if word in RATES and RATES[word].is_proportion)
