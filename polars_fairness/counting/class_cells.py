"""Cells by class to cells of one class against the rest, for each class: arithmetic on cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Final

import polars as pl

from polars_fairness.counting.counts import shared, unlisted, with_columns_of
from polars_fairness.counting.faults import Faults, Found, texts_of, whole
from polars_fairness.counting.polars_rows import TALLIES_OF_CHECKS, WHOLE, is_tally
from polars_fairness.errors import listed
from polars_fairness.question.outcomes import ROLES, VALUES_OF_CLASSES
from polars_fairness.question.roles import Roles

MOST_CLASSES: Final = 1_000

# Inner columns: no key of cells has such a name.
_CLASS: Final = "class\x1f"
_KNOWN: Final = "known\x1f"
_TAKEN: Final = "taken\x1f"


def cells_of_each_class(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells in which each class is positive in turn, as one more window."""
    if roles.classes is None:
        return cells
    *_, (key, column) = roles.windows.by_key.items()
    classes, cells = roles.classes, unlisted(cells)
    names = cells.collect_schema().names()
    outcomes = [*dict.fromkeys(outcome.key for outcome in classes.outcomes)]
    tallies = [name for name in names if is_tally(name) and name not in TALLIES_OF_CHECKS]
    keys = [name for name in names if not is_tally(name) and name not in outcomes]
    typed = cells.select(*keys, pl.col(outcomes).cast(column.dtype), *tallies)
    cells = shared(_checked(typed, roles, outcomes, column.dtype))
    columns, parts = [_CLASS, *keys, *outcomes, *tallies], []
    if classes.one_by_one:
        occurring = [
            cells.filter(pl.col("n") > 0).select(pl.col(each).alias(_CLASS)) for each in outcomes
        ]
        values = pl.concat(occurring).drop_nulls().unique().sort(_CLASS)
        of = _cells_of_class
        if classes.is_cumulative:
            of, values = _cells_of_class_or_higher, values.select(_without_lowest(column.dtype))
        one_by_one = _one_by_one(cells, of, shared(values), keys, outcomes, tallies)
        parts.append(one_by_one.select(columns))
    if classes.all_at_once:
        columns += VALUES_OF_CLASSES
        parts.append(_all_at_once(cells, column.dtype).select(columns))
    in_order = pl.concat(parts, how="diagonal").rename({_CLASS: key})
    return in_order.sort(key, maintain_order=True)


def _checked(
    cells: pl.LazyFrame, roles: Roles, outcomes: Sequence[str], dtype: pl.DataType
) -> pl.LazyFrame:
    """The cells, in a plan that raises what is wrong with the number of their classes."""
    assert roles.classes is not None
    faults = Faults(roles)
    occurring = [pl.col(each).filter(pl.col("n") > 0) for each in outcomes]
    values = reduce(pl.Expr.append, occurring).drop_nulls()
    number = values.n_unique()
    names = listed(outcome.column.name for outcome in roles.classes.outcomes)
    faults.add(
        number > MOST_CLASSES,
        "classes: there are ",
        whole(number, "more"),
        f" in {names}, and at most {MOST_CLASSES:,} are compared; merge rare ones, or "
        f"give positive=",
    )
    has_classes = isinstance(dtype, pl.Enum) and len(dtype.categories) > 1
    if roles.classes.is_cumulative and not has_classes:
        faults.add(
            number == 1,
            "classes: only ",
            Found("one", lambda table: texts_of(table.select(values.first()).to_series())[0]),
            " occurs, and classes='cumulative' leaves the lowest class out; give classes='each'",
        )
    return faults.raised(cells)


def _all_at_once(cells: pl.LazyFrame, dtype: pl.DataType) -> pl.LazyFrame:
    """The cells with their classes as further keys: each row is of its class, or not.

    So a right prediction is a true positive, a wrong one a false negative.
    """
    given = cells.collect_schema().names()
    values = {
        name: (pl.col(role) if role in given else pl.lit(None)).cast(pl.String)
        for role, name in zip(ROLES, VALUES_OF_CLASSES, strict=True)
    }
    label, predicted = map(pl.col, VALUES_OF_CLASSES)
    is_right = predicted.eq_missing(label) | pl.lit("label" not in given)
    decided = {
        "label": pl.when(label.is_not_null()).then(pl.lit(True)),
        "predicted": pl.when(predicted.is_not_null()).then(is_right),
    }
    return cells.with_columns(pl.lit(None, dtype).alias(_CLASS), **values).with_columns(**decided)


def _one_by_one(
    cells: pl.LazyFrame,
    of: Callable[[pl.LazyFrame, list[str], list[str], list[str]], pl.LazyFrame],
    values: pl.LazyFrame,
    keys: list[str],
    outcomes: list[str],
    tallies: list[str],
) -> pl.LazyFrame:
    """The cells of each class against the rest.

    The time grows with cells, not with cells times classes: ``of`` gives the cells with a positive
    outcome, and what is left of their group is the rest of each class.
    """
    known = [f"{_KNOWN}{each}" for each in outcomes]
    by_known = cells.with_columns(
        pl.col(each).is_not_null().alias(name) for each, name in zip(outcomes, known, strict=True)
    )
    groups = [*keys, *known]
    taken = of(by_known, groups, outcomes, tallies).join(values, on=_CLASS, how="semi")
    totals = by_known.group_by(groups, maintain_order=True).agg(pl.col(tallies).sum())
    parts = taken.group_by(_CLASS, *groups).agg(
        pl.col(name).sum().alias(f"{_TAKEN}{name}") for name in tallies
    )
    rest = with_columns_of(totals.join(values, how="cross"), parts, [_CLASS, *groups])
    rest = rest.with_columns(
        pl.col(name) - pl.col(f"{_TAKEN}{name}").fill_null(0) for name in tallies
    )
    rest = _left(rest, tallies).with_columns(
        pl.when(pl.col(name)).then(pl.lit(False)).alias(each)
        for each, name in zip(outcomes, known, strict=True)
    )
    columns = [_CLASS, *keys, *outcomes, *tallies]
    return pl.concat([taken.select(columns), rest.select(columns)])


def _cells_of_class(
    cells: pl.LazyFrame, groups: list[str], outcomes: list[str], tallies: list[str]
) -> pl.LazyFrame:
    first, *others = (cells.with_columns(pl.col(each).alias(_CLASS)) for each in outcomes)
    both = [
        first,
        *(other.filter(pl.col(outcomes[0]).ne_missing(pl.col(_CLASS))) for other in others),
    ]
    return (
        pl.concat(both)
        .drop_nulls(_CLASS)
        .with_columns(pl.col(outcomes) == pl.col(_CLASS))
        .group_by(_CLASS, *groups, *outcomes, maintain_order=True)
        .agg(pl.col(tallies).sum())
    )


def _cells_of_class_or_higher(
    cells: pl.LazyFrame, groups: list[str], outcomes: list[str], tallies: list[str]
) -> pl.LazyFrame:
    """The cells with an outcome of a class or a higher one, for each class."""
    highest, lowest = pl.max_horizontal(outcomes), pl.min_horizontal(outcomes)
    # From the highest class down, the higher outcome of a row is positive first, and then both are.
    steps = ((highest, highest, 1), (lowest, highest, -1), (lowest, lowest, 1))
    groups = [*groups, *outcomes]
    changes = (
        pl.concat(
            cells.with_columns(place.alias(_CLASS), pl.col(tallies) * sign).with_columns(
                pl.col(outcomes) >= least
            )
            for place, least, sign in steps
        )
        .drop_nulls(_CLASS)
        .group_by(_CLASS, *groups, maintain_order=True)
        .agg(pl.col(tallies).sum())
    )
    everywhere = changes.select(_CLASS).unique().join(changes.select(groups).unique(), how="cross")
    whole = everywhere.join(changes, on=[_CLASS, *groups], how="left", nulls_equal=True)
    so_far = pl.col(tallies).fill_null(0).cum_sum()
    return _left(whole.with_columns(so_far.over(groups, order_by=_CLASS, descending=True)), tallies)


def _left(cells: pl.LazyFrame, tallies: list[str]) -> pl.LazyFrame:
    """The cells that have rows, after a difference.

    Sums of weights differ in their last digits: without rows, nothing is left of them.
    """
    whole = [name for name in tallies if name in WHOLE]
    return cells.filter(pl.sum_horizontal(whole) > 0).with_columns(
        pl.when(pl.col("n") > 0).then(pl.col(name).clip(lower_bound=0)).otherwise(0.0).alias(name)
        for name in tallies
        if name not in WHOLE
    )


def _without_lowest(dtype: pl.DataType) -> pl.Expr:
    """The classes that occur, without the lowest; of an order, one at least is compared.

    In a month all of whose rows are of one class, no group has more of a higher class than others.
    """
    value = pl.col(_CLASS)
    if not isinstance(dtype, pl.Enum) or len(dtype.categories) == 1:
        return value.slice(1)
    lowest, second = (pl.lit(each, dtype) for each in dtype.categories[:2])
    of_one = pl.when(value == lowest).then(second).otherwise(value)
    first = pl.when(pl.len() == 1).then(of_one)
    return first.otherwise(pl.when(value > value.min()).then(value)).drop_nulls().alias(_CLASS)
