"""Checks of a formula on made-up counts: whether it gives one value, and its sign."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, wraps
from itertools import product
from typing import Any, Final, TypeVar, TypeVarTuple

import polars as pl

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.levels import COMPARISON, Level
from polars_fairness.formula.metric import Metric, Sign
from polars_fairness.formula.sides import EFFECTIVE, RATES, SUMS_OF_NUMBERS, SUMS_OF_RANKS
from polars_fairness.formula.tree import AGGREGATES, ALONG, Expression, has_rows, parts_of
from polars_fairness.question.reading import find_roles
from polars_fairness.question.roles import Roles
from polars_fairness.values.levels import computed

_SCORES: Final = (0.2, 0.5, 0.8)
_LABELS: Final = ("positive", "negative")
_KINDS: Final = ("tp", "fp", "fn", "tn")

# tp, fp, fn and tn of a side; or of each score, how many rows are positive and how many negative.
Counts = tuple[float, ...]
_OF_D: Final[tuple[Counts, ...]] = tuple(product((3.0, 5.0), repeat=4))
_OF_A: Final[tuple[Counts, ...]] = (
    (4.0, 4.0, 4.0, 4.0), (2.0, 6.0, 3.0, 5.0), (6.0, 3.0, 5.0, 2.0)
)  # fmt: skip
_SCORES_OF_D: Final[tuple[Counts, ...]] = tuple(
    (one, 4.0, other, 8 - other, third, 8 - one)
    for one, other, third in product((3.0, 5.0), repeat=3)
)
_SCORES_OF_A: Final[tuple[Counts, ...]] = (
    (4.0, 4.0, 4.0, 4.0, 4.0, 4.0), (2.0, 6.0, 4.0, 4.0, 6.0, 2.0), (6.0, 2.0, 4.0, 4.0, 2.0, 6.0)
)  # fmt: skip

# What one more row of d that fares better adds to the counts of d, by their places.
_Move = tuple[tuple[int, int], ...]
_Moves = tuple[_Move, ...]

_ACCEPTED: Final[_Moves] = (((2, -1), (0, 1)), ((3, -1), (1, 1)))
_CORRECT: Final[_Moves] = (((2, -1), (0, 1)), ((1, -1), (3, 1)))
_POSITIVE: Final[_Moves] = (((3, -1), (2, 1)), ((1, -1), (0, 1)))
_MORE_ROWS: Final[_Moves] = tuple(((kind, 1),) for kind in range(4))
_HIGHER: Final[_Moves] = tuple(((count, -1), (count + 2, 1)) for count in range(4))
_NEARER_LABEL: Final[_Moves] = tuple(
    ((count, -by), (count + 2, by)) for count, by in ((0, 1), (1, -1), (2, 1), (3, -1))
)

# Smaller differences are rounding errors.
_LEAST: Final = 1e-9


@cache
def label_and_score() -> Roles:
    """The roles of made-up counts by score: a label and a score, nothing else."""
    types = {"label": pl.Boolean(), "score": pl.Float64()}
    return find_roles(pl.Schema(types), {"label": "label", "score": "score"}).counting_scores


@cache
def made_up(level: Level) -> pl.DataFrame:
    """Counts of several comparisons, or of the groups of several facets, by the column ``key``."""
    words, scores = (_LABELS, _SCORES) if level.is_by_score else (_KINDS, (None,))
    names = [f"{side.name}.{word}" for side in (*level.counted, *level.beside) for word in words]
    is_single = level.has_sides if level.is_by_score else not level.divided_by
    groups = 1 if is_single and not level.keeps_groups_apart else 3 + level.is_within_labels
    rows = [
        (
            key,
            str(row),
            score,
            *((3 * i + row + 5 * at + 1) * key % 101 + 2.0 for i in range(len(names))),
        )
        for key in (37, 53, 71, 89, 11, 23, 67, 97)
        for row in range(groups)
        for at, score in enumerate(scores)
    ]
    sums = {
        f"{side.name}.{word}": pl.col("value").cast(pl.Float64) + len(side.name) + number % 5
        for side in level.counted
        for number, word in enumerate((*SUMS_OF_NUMBERS, *SUMS_OF_RANKS))
    }
    return pl.DataFrame(rows, ["key", "value", "score", *names], orient="row").with_columns(
        # Inside labels, shares are those of the rows of a label.
        label=pl.col("value").cast(pl.Int64) // 2,
        stratum="value",
        **sums,
    )


def require_one_value(metric: Metric) -> None:
    """Raise unless a formula gives one number at its level.

    Examples
    --------
    >>> import polars_fairness as pf
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
_More = TypeVarTuple("_More")


def once_for_entries(
    check: Callable[[Metric, *_More], _Found],
) -> Callable[[Metric, *_More], _Found]:
    """A check that remembers what it finds for entries of the catalogue, which never change.

    An audit of all metrics of 1,000 rows took 73 ms, and takes 45 with signs found once.
    """
    known: dict[tuple[Any, ...], _Found] = {}

    @wraps(check)
    def remembered(metric: Metric, *more: *_More) -> _Found:
        if metric is not CATALOGUE.get(metric.name):
            return check(metric, *more)
        key = (metric.name, *more)
        if key not in known:
            known[key] = check(metric, *more)
        return known[key]

    return remembered


@once_for_entries
def needs_sides_apart(metric: Metric) -> bool:
    """Whether a metric would be wrong if side a includes the rows of side d.

    It is right if its value depends on proportions inside each side only. Then it stays the same on
    made-up counts when all counts of a are multiplied.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [needs_sides_apart(pf.CATALOGUE[name]) for name in ("di", "kl", "ddpl", "ci", "tpr_gap")]
    [False, False, True, True, False]
    """
    level = metric.parsed.level
    if not level.has_sides:
        return False
    # A mean over strata weights these by the rows of both sides.
    if level.decomposes or level.divided_by == "controls":
        return True
    few = made_up(level)
    more = few.with_columns(pl.col(f"^{level.counted[0].name}\\..*$") * 3)
    one, other = (_values(counts, metric, ["key"])["metric."] for counts in (few, more))
    is_near = ((one - other).abs() <= _LEAST * (1 + one.abs())).fill_null(value=False)
    return len(one) != len(other) or not (is_near | one.eq_missing(other)).all()


@once_for_entries
def sign_of(metric: Metric) -> Sign | None:
    """The sign: 1 if a value above the ideal disadvantages d, -1 if it disadvantages a, else 0.

    A metric may state its sign. If not, the sign is derived from the formula: made-up counts of d
    are changed so that d fares better. If the value only falls, a high value disadvantages d; if it
    only rises, a. First, more rows of d are accepted. If the value then both rises and
    falls, or never changes, more rows of d are predicted correctly instead. For a formula of scores
    rows of d get higher scores, or else scores nearer their labels. For a formula of labels alone
    more rows of d are positive, and for a formula of sizes alone d has more rows. None if no change
    shows a sign.

    Examples
    --------
    >>> import polars_fairness as pf
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
    for moves in _ways_to_fare_better(metric):
        values = _values(_paths(metric.parsed.level, moves), metric, ["pair", "move", "step"])
        changes = pl.when(pl.col("step") > 0).then(pl.col("metric.").diff())
        steps = values.select(changes.fill_nan(None)).to_series().drop_nulls()
        rises, falls = (steps > _LEAST).any(), (steps < -_LEAST).any()
        if rises != falls:
            return (-1 if rises else 1), moves in (_ACCEPTED, _POSITIVE, _HIGHER)
    return None, True


def _ways_to_fare_better(metric: Metric) -> tuple[_Moves, ...]:
    """The moves by which d fares better, in one way after the other."""
    level = metric.parsed.level
    if metric.is_about_numbers or metric.is_about_ranks or level.divides_values:
        return ()  # no value is better than another
    if level.is_by_score:
        return _HIGHER, _NEARER_LABEL
    if "predicted" in metric.needs:
        return (_ACCEPTED, _CORRECT) if "label" in metric.needs else (_ACCEPTED,)
    return (_POSITIVE if "label" in metric.needs else _MORE_ROWS,)


@cache
def _paths(level: Level, moves: _Moves) -> pl.DataFrame:
    """The counts of pairs of small sides, before and after one and two moves of d."""
    by_score = level.is_by_score
    kinds = _LABELS if by_score else _KINDS
    size = len(kinds)
    of_a, of_d = (_SCORES_OF_A, _SCORES_OF_D) if by_score else (_OF_A, _OF_D)
    scores: Sequence[float | None] = _SCORES if by_score else [None]
    rows = [
        (pair, number, step, score, *(n for side in moved for n in side[place : place + size]))
        for pair, (*others, d) in enumerate(product(*[of_a] * (len(level.counted) - 1), of_d))
        for number, move in enumerate(map(dict, moves))
        for step in range(3)
        for moved in [(*others, [n + step * move.get(i, 0) for i, n in enumerate(d)])]
        for place, score in zip(range(0, 6, size), scores, strict=False)
    ]
    names = [f"{side}.{kind}" for side in level.counted_names for kind in kinds]
    return pl.DataFrame(rows, ["pair", "move", "step", "score", *names], orient="row")


@cache
def both_outcomes() -> Roles:
    """The roles of made-up counts: a label and a prediction, nothing else."""
    outcomes = {"label": pl.Boolean(), "predicted": pl.Boolean()}
    return find_roles(pl.Schema(outcomes), {"label": "label", "predicted": "predicted"})


def _values(counts: pl.DataFrame, metric: Metric, keys: Sequence[str]) -> pl.DataFrame:
    level = metric.parsed.level
    roles = label_and_score() if level.is_by_score else both_outcomes()
    if "odds" in level.words:
        counts = counts.with_columns(
            (
                (pl.col(f"{side}.tp") + pl.col(f"{side}.fp"))
                / (pl.col(f"{side}.fn") + pl.col(f"{side}.tn"))
            ).alias(f"{side}.odds")
            for side in level.counted_names
        )
    return computed(counts, roles, level, {"": metric}, keys)


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
    >>> [sets_sides_apart(pf.CATALOGUE[name]) for name in ("di", "rd", "dcr", "four_fifths")]
    [True, True, False, False]
    """
    if metric.parsed.level != COMPARISON or metric.is_about_numbers or metric.is_about_ranks:
        return False
    # Imported here: it takes time to import.
    import numpy as np

    # As they are, and with one row more of each count: a column each.
    values = _steps_of(metric, np.vstack([np.zeros(_COUNTS), np.eye(_COUNTS)]))
    with np.errstate(invalid="ignore"):  # infinity less infinity
        steps = values[:, 1:] - values[:, :1]
    rises, falls = (steps > _LEAST).any(axis=0), (steps < -_LEAST).any(axis=0)
    of_a, of_d = np.split(rises * 1 - falls, 2)
    return not ((rises & falls).any() or (of_a * of_d > 0).any())


@once_for_entries
def moves_one_way(metric: Metric) -> bool:
    """Whether a value of two sides only rises, or only falls, with the labels of each decision.

    So it does in each side and decision if a row with a positive label more, in place of one with a
    negative label, never moves it in the other direction. It is tried on made-up counts.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [moves_one_way(pf.CATALOGUE[name]) for name in ("rd", "dpl", "average_odds_difference")]
    [True, True, False]
    """
    # Imported here: it takes time to import.
    import numpy as np

    more = np.eye(_COUNTS)
    values = _steps_of(metric, more)
    # Positive and negative ones stand side by side: tp, fp, fn and tn of each side.
    with np.errstate(invalid="ignore"):
        steps = values[:, 0::2] - values[:, 1::2]
    return not ((steps > _LEAST).any(axis=0) & (steps < -_LEAST).any(axis=0)).any()


_COUNTS: Final = len(COMPARISON.counted) * len(_KINDS)


def _steps_of(metric: Metric, more: Any) -> Any:
    """The values of a metric on made-up pairs of sides, with more of some count in each column."""
    # Imported here: they need numpy, which takes time to import.
    import numpy as np

    from polars_fairness.values.by_key import Rows
    from polars_fairness.values.replicates import values_of

    names = [f"{side.name}.{kind}" for side in COMPARISON.counted for kind in _KINDS]
    counts = np.array([*product(_FEW, repeat=len(names))])
    columns = dict(zip(names, (counts[:, np.newaxis] + more).transpose(2, 0, 1), strict=True))
    rows = Rows(columns, [1] * len(counts))
    return values_of(rows, both_outcomes(), COMPARISON, {"": metric})["metric."]


@once_for_entries
def reads_all_labels(metric: Metric) -> bool:
    """Whether a value changes where more of the rows that one decision gets have a label.

    Labels alone are those of both decisions. For labels beside predictions it is tried on made-up
    counts, three times as many of the rejected on one side.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [reads_all_labels(pf.CATALOGUE[name]) for name in ("rd", "dpl", "di", "dar")]
    [True, True, False, False]
    """
    level = metric.parsed.level
    if level.is_by_score or metric.is_joint or not {"label", "label values"} & {*metric.needs}:
        return False
    if "predicted" not in metric.needs:
        return True
    few = made_up(level)
    [side, *_] = level.counted
    rejected = [name for name in few.columns if name in (f"{side.name}.fn", f"{side.name}.tn")]
    counts = few, few.with_columns(pl.col(rejected) * 3)
    one, other = (_values(each, metric, ["key"])["metric."] for each in counts)
    return not ((one - other).abs() <= _LEAST * (1 + one.abs())).fill_null(value=False).all()


def has_bounds(metric: Metric, *, is_weighted: bool) -> bool:
    """Whether a metric has bounds over rows of unknown group.

    With weights, effective rows depend on which rows of an outcome go where, not on their sum.
    """
    words = {term.partition(".")[2] for term in metric.terms}
    has_sums = not (is_weighted and words & {*EFFECTIVE})
    return metric.has_interval and has_sums and sets_sides_apart(metric)


def rates_compared(metric: Metric) -> list[str]:
    """The rates of two sides in a formula."""
    words = {term.partition(".")[2] for term in metric.terms} if metric.has_sides else set[str]()
    return sorted(word for word in words if word in RATES and RATES[word].is_proportion)
