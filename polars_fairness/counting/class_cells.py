"""Cells by class to cells of one class against the rest, for each class: arithmetic on cells."""

from __future__ import annotations

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
        of = _cumulative if classes.is_cumulative else _against_the_rest
        parts.append(of(cells, found, keys, outcomes, tallies).select(columns))
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


def _against_the_rest(
    cells: pl.DataFrame, found: pl.Series, keys: list[str], outcomes: list[str], tallies: list[str]
) -> pl.DataFrame:
    """The cells of each class against the rest.

    The time grows with cells, not with cells times classes: a cell is positive for one class or
    two, and what is left of its group is the rest of each class.
    """
    known = [f"{_KNOWN}{each}" for each in outcomes]
    by_known = cells.with_columns(
        pl.col(each).is_not_null().alias(name) for each, name in zip(outcomes, known, strict=True)
    )
    first, *others = (by_known.with_columns(pl.col(each).alias(_CLASS)) for each in outcomes)
    both = [
        first,
        *(other.filter(pl.col(outcomes[0]).ne_missing(pl.col(_CLASS))) for other in others),
    ]
    taken = (
        pl.concat(both)
        .filter(pl.col(_CLASS).is_not_null())
        .with_columns(pl.col(outcomes) == pl.col(_CLASS))
        .group_by(_CLASS, *keys, *known, *outcomes, maintain_order=True)
        .agg(pl.col(tallies).sum())
    )
    totals = by_known.group_by(*keys, *known, maintain_order=True).agg(pl.col(tallies).sum())
    parts = taken.group_by(_CLASS, *keys, *known).agg(
        pl.col(name).sum().alias(f"{_TAKEN}{name}") for name in tallies
    )
    whole = [name for name in tallies if name in WHOLE]
    rest = totals.join(found.to_frame(), how="cross").join(
        parts, on=[_CLASS, *keys, *known], how="left", nulls_equal=True, maintain_order="left"
    )
    rest = rest.with_columns(
        pl.col(name) - pl.col(f"{_TAKEN}{name}").fill_null(0) for name in tallies
    ).filter(pl.sum_horizontal(whole) > 0)
    # Sums of weights differ in their last digits: without rows, nothing is left of them.
    rest = rest.with_columns(
        pl.when(pl.col("n") > 0).then(pl.col(name).clip(lower_bound=0)).otherwise(0.0).alias(name)
        for name in tallies
        if name not in WHOLE
    ).with_columns(
        pl.when(pl.col(name)).then(pl.lit(False)).alias(each)
        for each, name in zip(outcomes, known, strict=True)
    )
    columns = [_CLASS, *keys, *outcomes, *tallies]
    return pl.concat([taken.select(columns), rest.select(columns)])


def _cumulative(
    cells: pl.DataFrame, found: pl.Series, keys: list[str], outcomes: list[str], tallies: list[str]
) -> pl.DataFrame:
    """The cells of each class or a higher one against the lower ones."""
    if len(found) == 1:
        raise FairnessError(
            f"classes: only {found[0]!r} occurs, and {keyword('classes', 'cumulative')} leaves "
            f"the lowest class out; give {keyword('classes', 'each')}"
        )
    empty = cells.with_columns(pl.lit(None, found.dtype).alias(_CLASS)).clear()
    parts = [empty.with_columns(pl.col(outcomes).cast(pl.Boolean))]
    for each in found[1:]:
        value = pl.lit(pl.Series([each], dtype=found.dtype)).first()
        higher = cells.with_columns(pl.col(outcomes) >= value, value.alias(_CLASS))
        parts.append(
            higher.group_by(_CLASS, *keys, *outcomes, maintain_order=True).agg(
                pl.col(tallies).sum()
            )
        )
    columns = [_CLASS, *keys, *outcomes, *tallies]
    return pl.concat(part.select(columns) for part in parts)
