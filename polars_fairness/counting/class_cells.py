"""Cells by class to cells of one class against the rest, for each class: arithmetic on cells."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import polars as pl

from polars_fairness.counting.collected import on_all_cells
from polars_fairness.counting.polars_rows import TALLIES_OF_CHECKS, WHOLE, is_tally
from polars_fairness.counting.score_lists import unlisted
from polars_fairness.errors import FairnessError, keyword, listed
from polars_fairness.question.outcomes import ROLES, VALUES_OF_CLASSES, Classes
from polars_fairness.question.roles import Roles

MOST_CLASSES: Final = 1_000

# Inner columns: no key of cells has such a name.
_CLASS: Final = "class\x1f"
_KNOWN: Final = "known\x1f"
_TAKEN: Final = "taken\x1f"


def of_each_class(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells in which each class is positive in turn, as one more window."""
    if roles.classes is None:
        return cells
    *_, (key, column) = roles.windows.by_key.items()
    compute = partial(_of_each_class, classes=roles.classes, key=key, dtype=column.dtype)
    packed = unlisted(cells)
    return on_all_cells(packed, compute)


def _of_each_class(
    cells: pl.DataFrame, classes: Classes, key: str, dtype: pl.DataType
) -> pl.DataFrame:
    outcomes = [*dict.fromkeys(outcome.key for outcome in classes.outcomes)]
    tallies = [name for name in cells.columns if is_tally(name) and name not in TALLIES_OF_CHECKS]
    keys = [name for name in cells.columns if not is_tally(name) and name not in outcomes]
    cells = cells.select(*keys, pl.col(outcomes).cast(dtype), *tallies)
    occurring = pl.concat(cells.filter(pl.col("n") > 0)[each].rename(_CLASS) for each in outcomes)
    found = occurring.drop_nulls().unique().sort()
    if len(found) > MOST_CLASSES:
        names = listed(outcome.column.name for outcome in classes.outcomes)
        raise FairnessError(
            f"classes: there are {len(found):,} in {names}, and {MOST_CLASSES:,} are the most that "
            f"are compared; merge rare ones, or give {keyword('positive')}"
        )
    columns, parts = [_CLASS, *keys, *outcomes, *tallies], []
    if classes.one_by_one:
        of = _of_this_or_higher if classes.is_cumulative else _of_this
        compared = _without_lowest(found) if classes.is_cumulative else found
        parts.append(_one_by_one(cells, of, compared, keys, outcomes, tallies).select(columns))
    if classes.all_at_once:
        columns += VALUES_OF_CLASSES
        parts.append(_all_at_once(cells, dtype).select(columns))
    in_order = pl.concat(parts, how="diagonal").rename({_CLASS: key})
    return in_order.sort(key, maintain_order=True)


def _all_at_once(cells: pl.DataFrame, dtype: pl.DataType) -> pl.DataFrame:
    """The cells with their classes as further keys: each row is of its class, or not.

    So a right prediction is a true positive, a wrong one a false negative.
    """
    values = {
        name: (pl.col(role) if role in cells.columns else pl.lit(None)).cast(pl.String)
        for role, name in zip(ROLES, VALUES_OF_CLASSES, strict=True)
    }
    label, predicted = map(pl.col, VALUES_OF_CLASSES)
    is_right = predicted.eq_missing(label) | pl.lit("label" not in cells.columns)
    decided = {
        "label": pl.when(label.is_not_null()).then(pl.lit(True)),
        "predicted": pl.when(predicted.is_not_null()).then(is_right),
    }
    return cells.with_columns(pl.lit(None, dtype).alias(_CLASS), **values).with_columns(**decided)


def _one_by_one(
    cells: pl.DataFrame,
    of: Callable[[pl.DataFrame, list[str], list[str], list[str]], pl.DataFrame],
    found: pl.Series,
    keys: list[str],
    outcomes: list[str],
    tallies: list[str],
) -> pl.DataFrame:
    """The cells of each class against the rest.

    The time grows with cells, not with cells times classes: ``of`` gives the cells with a positive
    outcome, and what is left of their group is the rest of each class.
    """
    known = [f"{_KNOWN}{each}" for each in outcomes]
    by_known = cells.with_columns(
        pl.col(each).is_not_null().alias(name) for each, name in zip(outcomes, known, strict=True)
    )
    groups = [*keys, *known]
    taken = of(by_known, groups, outcomes, tallies).join(found.to_frame(), on=_CLASS, how="semi")
    totals = by_known.group_by(groups, maintain_order=True).agg(pl.col(tallies).sum())
    parts = taken.group_by(_CLASS, *groups).agg(
        pl.col(name).sum().alias(f"{_TAKEN}{name}") for name in tallies
    )
    rest = totals.join(found.to_frame(), how="cross").join(
        parts, on=[_CLASS, *groups], how="left", nulls_equal=True, maintain_order="left"
    )
    rest = rest.with_columns(
        pl.col(name) - pl.col(f"{_TAKEN}{name}").fill_null(0) for name in tallies
    )
    rest = _left(rest, tallies).with_columns(
        pl.when(pl.col(name)).then(pl.lit(False)).alias(each)
        for each, name in zip(outcomes, known, strict=True)
    )
    columns = [_CLASS, *keys, *outcomes, *tallies]
    return pl.concat([taken.select(columns), rest.select(columns)])


def _of_this(
    cells: pl.DataFrame, groups: list[str], outcomes: list[str], tallies: list[str]
) -> pl.DataFrame:
    """The cells with an outcome of a class, for each class."""
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


def _of_this_or_higher(
    cells: pl.DataFrame, groups: list[str], outcomes: list[str], tallies: list[str]
) -> pl.DataFrame:
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
    of_classes = changes.select(_CLASS).unique().sort(_CLASS, descending=True)
    everywhere = of_classes.join(changes.select(groups).unique(maintain_order=True), how="cross")
    whole = everywhere.join(
        changes, on=[_CLASS, *groups], how="left", nulls_equal=True, maintain_order="left"
    )
    return _left(whole.with_columns(pl.col(tallies).fill_null(0).cum_sum().over(groups)), tallies)


def _left(cells: pl.DataFrame, tallies: list[str]) -> pl.DataFrame:
    """The cells that have rows, after a difference.

    Sums of weights differ in their last digits: without rows, nothing is left of them.
    """
    whole = [name for name in tallies if name in WHOLE]
    return cells.filter(pl.sum_horizontal(whole) > 0).with_columns(
        pl.when(pl.col("n") > 0).then(pl.col(name).clip(lower_bound=0)).otherwise(0.0).alias(name)
        for name in tallies
        if name not in WHOLE
    )


def _without_lowest(found: pl.Series) -> pl.Series:
    """The classes that occur, without the lowest; of an order, one at least is compared.

    In a month all of whose rows are of one class, no group has more of a higher class than others.
    """
    if len(found) != 1:
        return found[1:]
    order = found.dtype.categories if isinstance(found.dtype, pl.Enum) else found
    if len(order) == 1:
        raise FairnessError(
            f"classes: only {found[0]!r} occurs, and {keyword('classes', 'cumulative')} leaves "
            f"the lowest class out; give {keyword('classes', 'each')}"
        )
    return found if found[0] != order[0] else order[1:2].cast(found.dtype).alias(found.name)
