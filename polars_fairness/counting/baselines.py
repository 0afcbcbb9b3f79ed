"""The cells of a frame and of its baseline together, and the errors of a baseline's data."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import polars as pl

from polars_fairness.counting.polars_rows import TALLIES_OF_CHECKS
from polars_fairness.errors import FairnessError, quoted
from polars_fairness.question.facets import written
from polars_fairness.question.outcomes import Outcome
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import IS_BASELINE


def with_baseline(
    cells: pl.LazyFrame, here: Roles, baseline: pl.LazyFrame, there: Roles, together: Roles
) -> pl.LazyFrame:
    """The cells of a frame, and below them those of its baseline, as one question reads both."""
    named = {by.name: key for key, by in there.windows.by_key.items()}
    windows = {
        # A value that the type of the frame cannot hold is that of no window there, as null is.
        key: pl.col(named[by.name]).cast(by.dtype, strict=False)
        if by.name in named
        else pl.lit(None, by.dtype)
        for key, by in together.windows.by_key.items()
    }
    above = cells.drop(TALLIES_OF_CHECKS, strict=False).with_columns(
        pl.lit(value=False).alias(IS_BASELINE), *_converted(here, together)
    )
    below = baseline.with_columns(
        pl.lit(value=True).alias(IS_BASELINE), *_converted(there, together), **windows
    )
    names = above.collect_schema().names()
    # Whether rows are counted by a column decides which numbers of them a cell has.
    found = below.collect_schema().names()
    return pl.concat([above, below.select(name for name in names if name in found)], how="diagonal")


def _converted(source: Roles, together: Roles) -> Iterator[pl.Expr]:
    """The keys of cells in the types that both have in common."""
    for keys in (together.strata, together.points):
        for key, column in keys.by_key.items():
            yield pl.col(key).cast(column.dtype)
    for one, common in zip(source.outcomes_counted, together.outcomes_counted, strict=True):
        yield _as_common(one, common)


def _as_common(outcome: Outcome, common: Outcome) -> pl.Expr:
    key, dtype = pl.col(outcome.key), common.column.dtype
    if common.is_boolean:
        return key
    if not outcome.is_boolean or common.positive is None:
        return key.cast(dtype)
    values = map(str, count()) if dtype == pl.String else count()
    negative = next(value for value in values if value not in common.positive)
    accepted, rejected = (pl.lit(value, dtype) for value in (common.positive[0], negative))
    return pl.when(key).then(accepted).when(~key).then(rejected).alias(outcome.key)


def refuse_no_reference(cells: pl.DataFrame, roles: Roles) -> None:
    """Raise if no place of the frame has a reference in the baseline."""
    here, there = (cells.filter(pl.col(IS_BASELINE) == is_there) for is_there in (False, True))
    if there.is_empty():
        raise FairnessError("baseline: it has no rows; give the rows or the cells to compare with")
    if here.is_empty():
        return
    for facet in roles.facets if roles.are_apart else ():
        of_frame, of_baseline = (
            part.filter(facet=facet.name)["value"].drop_nulls().unique().sort().to_list()
            for part in (here, there)
        )
        if of_frame and not {*of_frame} & {*of_baseline}:
            kind = facet.column.dtype
            raise FairnessError(
                f"baseline: {facet.name!r} has no group in common: "
                f"{quoted(map(written, of_frame), len(of_frame), kind)} in the frame, "
                f"{quoted(map(written, of_baseline), len(of_baseline), kind) or 'no known value'} "
                "in the baseline; give a baseline with the same groups"
            )
