"""Baselines: the same question about the rows that a frame is compared with, and its cells.

The windows of a frame and of its baseline stand together in one table of cells.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Final, NoReturn, cast

import polars as pl

from polars_fairness.api.bound import CheckedQuestion
from polars_fairness.api.requested import metrics_requested, serving
from polars_fairness.counting.polars_rows import TALLIES_OF_CHECKS
from polars_fairness.counting.rows import AnyFrame, Rows, column_names, rows_of
from polars_fairness.errors import FairnessError, about, quoted, shown
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question
from polars_fairness.question.columns import Column, ColumnLike, is_text
from polars_fairness.question.facets import fits, written
from polars_fairness.question.header import Header
from polars_fairness.question.outcomes import Outcome
from polars_fairness.question.own_cells import refuse_own_cells
from polars_fairness.question.reading import asked_of
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import IS_BASELINE

WORDS: Final = ("previous", "first")

_EXAMPLES: Final = {
    pl.Date: ", such as datetime.date(2026, 1, 31)",
    pl.Datetime: ", such as datetime.datetime(2026, 1, 31)",
}


@dataclass(frozen=True)
class Baseline:
    """The rows that a frame is compared with, and the same question about them."""

    rows: Rows
    roles: Roles


def find_baseline(
    frame: AnyFrame,
    bound: CheckedQuestion,
    metrics: Mapping[str, Metric],
    roles: Roles,
    count: ColumnLike | None,
    source: str = "baseline",
) -> Baseline:
    """The baseline of a question that serves these metrics, in the frame given as ``source``."""
    names = column_names(frame)
    with about(source):
        if source == "baseline":
            refuse_uncounted_cells(bound.given, count, names, column_names(bound.frame))
        # Beside rows of the frame, the baseline may be cells of such rows.
        are_cells = count is not None and bound.given.get("count") is None
        named = Header(pl.Schema(dict.fromkeys(names, pl.Null())), are_cells).named(bound.roles)
        if count is None:
            refuse_own_cells(frame, named)
        rows = rows_of(frame, cast("Question", {**named, "count": count}))
        there = asked_of(Header(rows.schema, are_cells), count, bound.roles)
        metrics_requested([*metrics.values()], there)
        of_probabilities = roles.score is not None and roles.score.probabilities_for is not None
        served = serving(metrics, there, are_named=of_probabilities)
    served = served.showing_spread if roles.has_parts else served
    return Baseline(rows, served.with_source(source))


def refuse_impossible_window(given: object, roles: Roles) -> None:
    """Raise unless a baseline is a word or a value that can be a window of one column."""
    [column] = roles.windows.without_classes.columns
    # polars would read 01/02/2026 as the first of February.
    is_text = isinstance(given, str)
    is_written_date = is_text and column.dtype.is_temporal()
    if (is_text and given in WORDS) or (fits(given, column.dtype) and not is_written_date):
        return
    example = _EXAMPLES.get(column.dtype.base_type(), " of that type")
    raise FairnessError(
        f"baseline: {shown(given)} cannot be a value of {column.name!r} ({column.dtype}); give a "
        f"value{example}, 'previous', 'first' or a frame"
    )


def refuse_uncounted_cells(
    question: Question, count: object, names: Collection[str], names_of_frame: Collection[str]
) -> None:
    """Raise if the rows of a baseline seem to be cells, which would each count as one row."""
    counted_by = question.get("count")
    if count is not None:
        return
    if isinstance(counted_by, str) and counted_by in names:
        raise FairnessError(
            f"it has the column {counted_by!r}, which counts the rows of the frame; give "
            f"baseline_count={counted_by!r} if it counts those of the baseline, else drop it there"
        )
    if counted_by is None and "n" in names and "n" not in names_of_frame:
        raise FairnessError(
            "it has a column 'n', as cells have, and the frame has none; give "
            "baseline_count='n' if its rows are cells, else drop this column"
        )


@dataclass(frozen=True)
class Cells:
    """Cells, and the question that they are of."""

    frame: pl.LazyFrame
    roles: Roles

    @property
    def keys(self) -> dict[str, Column]:
        """The keys beside windows, facets and outcomes."""
        return {**self.roles.strata.by_key, **self.roles.controls.by_key}

    def above(self, baseline: Cells) -> Cells:
        """These cells, and below them those of a baseline: a key says of which of both they are.

        Columns have a type that holds the values of both.
        """
        here, there = self.roles, baseline.roles
        named = {by.name: key for key, by in there.windows.by_key.items()}
        matched = tuple(key for key, by in here.windows.by_key.items() if by.name in named)
        windows = {key: pl.lit(None, by.dtype) for key, by in here.windows.by_key.items()}
        for key in matched:
            by = here.windows.by_key[key]
            _with_common_type(by, there.windows.by_key[named[by.name]])
            # A value that the type of the frame cannot hold is that of no window there, as null is.
            windows[key] = pl.col(named[by.name]).cast(by.dtype, strict=False)
        for one, other in zip(here.facets, there.facets, strict=True):
            _with_common_type(one.column, other.column)
        # Where scores have 32 bits in one frame only, thresholds would be rounded for it. Cells of
        # rows that one threshold decided have no scores.
        scores = ([m.score.column for m in each.models if m.score] for each in (here, there))
        for score, scored in zip(*scores, strict=False):
            if (score.dtype == pl.Float32) != (scored.dtype == pl.Float32):
                _refuse_types(score, scored)
        keys = {key: _with_common_type(one, baseline.keys[key]) for key, one in self.keys.items()}
        outcomes = {
            one.role: _common_outcome(one, other)
            for one, other in zip(here.outcomes, there.outcomes, strict=True)
        }
        parts = []
        for is_there, cells in enumerate((self, baseline)):
            values = {IS_BASELINE: pl.lit(bool(is_there)), **(windows if is_there else {})}
            values |= {key: pl.col(key).cast(column.dtype) for key, column in keys.items()}
            values |= {
                each.key: _as_common(each, outcomes[each.role])
                for each in cells.roles.undecided.outcomes
            }
            parts.append(cells.frame.with_columns(**values))
        names = parts[0].drop(TALLIES_OF_CHECKS, strict=False).collect_schema().names()
        # Whether rows are counted by a column decides which numbers of them a cell has.
        present = parts[1].collect_schema()
        below = parts[1].select(name for name in names if name in present)
        together = here.with_decision(outcomes.get("predicted"))
        return Cells(
            pl.concat([parts[0].select(names), below], how="diagonal"),
            replace(
                together,
                windows=replace(here.windows.with_made(IS_BASELINE), matched=matched),
                strata=replace(here.strata, columns=tuple(keys[key] for key in here.strata.by_key)),
                controls=replace(
                    here.controls, columns=tuple(keys[key] for key in here.controls.by_key)
                ),
                label=outcomes.get("label"),
            ),
        )


def _common_outcome(here: Outcome, there: Outcome) -> Outcome:
    """The outcome of both; where one alone is Boolean, that of the other.

    The other may have values that metrics of label values tell apart.
    """
    if here.is_boolean and there.is_boolean:
        return here
    if not (here.is_boolean or there.is_boolean):
        return replace(here, column=_with_common_type(here.column, there.column))
    typed = there if here.is_boolean else here
    if not (typed.column.dtype.is_numeric() or is_text(typed.column.dtype)):
        _refuse_types(here.column, there.column)
    dtype = pl.String() if is_text(typed.column.dtype) else typed.column.dtype
    return replace(typed, column=replace(typed.column, dtype=dtype))


def _with_common_type(here: Column, there: Column) -> Column:
    dtype = _common(here.dtype, there.dtype)
    if dtype is None:
        _refuse_types(here, there)
    return replace(here, dtype=dtype)


def _common(here: pl.DataType, there: pl.DataType) -> pl.DataType | None:
    """A type that holds the values of both, if they differ in their size or categories alone."""
    if here == there:
        return here
    if here.is_integer() and there.is_integer():
        return pl.Int64()
    if here.is_float() and there.is_float():
        return pl.Float64()
    if is_text(here) and is_text(there):
        return pl.String()
    if isinstance(here, pl.Datetime) and isinstance(there, pl.Datetime):
        return here if here.time_zone == there.time_zone else None
    if isinstance(here, pl.Struct) and isinstance(there, pl.Struct):
        one, other = (pl.Schema(each.to_schema()) for each in (here, there))
        both = {name: _common(dtype, other.get(name, pl.Null())) for name, dtype in one.items()}
        known = {name: dtype for name, dtype in both.items() if dtype is not None}
        return pl.Struct(known) if known == both and one.names() == other.names() else None
    return None


def _refuse_types(here: Column, there: Column) -> NoReturn:
    raise FairnessError(
        f"baseline: {here.argument}: {here.name!r} is {here.dtype} in the frame and {there.dtype} "
        "in the baseline; cast one of them to the type of the other"
    )


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
