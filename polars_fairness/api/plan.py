"""Answers as they are returned: part of the plan for a LazyFrame, computed at once otherwise."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping
from functools import partial
from typing import Final

import polars as pl

from polars_fairness.api.baselines import Baseline, Cells
from polars_fairness.api.bound import CheckedQuestion
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.columns import Columns, names_of, types_of
from polars_fairness.api.unused_arguments import refuse_unused_arguments
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.collected import WORTH_OPTIMISING, collected, streamed
from polars_fairness.counting.counts import Frame, in_python, listed, shared, unlisted
from polars_fairness.counting.polars_rows import PolarsRows, is_tally
from polars_fairness.counting.rows import AnyFrame, PolarsFrame, Rows
from polars_fairness.errors import about
from polars_fairness.question.columns import column_called
from polars_fairness.question.outcomes import NUMBERS
from polars_fairness.question.roles import Roles


def answer_of(
    bound: CheckedQuestion,
    roles: Roles,
    compute: Callable[..., pl.LazyFrame],
    columns: Columns | Mapping[str, pl.DataType],
    *,
    without: Collection[str] = (),
    shown: Roles | None = None,
    beside: Container[str] = ("by",),
    cells_of: Callable[[Rows, Roles], pl.LazyFrame] = cells_of_all_rows,
    baseline: Baseline | None = None,
    by_cluster: bool = False,
    in_plan: bool = False,
) -> PolarsFrame:
    """The answer, computed from the cells: a LazyFrame for a LazyFrame, else a DataFrame.

    ``roles`` are those of the question as far as the answer needs them. It has the columns of
    windows, of ``shown`` if given, then these; those of the arguments ``beside`` have no name of
    these. For a LazyFrame, what is computed ``in_plan`` is steps of polars and no others.

    Clusters change no value, so only what has intervals counts by them.
    """
    shown = shown or roles
    if isinstance(columns, tuple):
        refuse_taken_names(shown, beside, names_of(columns))
        columns = types_of(columns, roles.size, without)
    refuse_taken_names(shown, beside, columns)
    schema = {**shown.windows.types, **columns}
    refuse_unused_arguments()
    in_plan &= bound.has_plans
    roles = roles.answered(in_plan=in_plan, by_cluster=by_cluster)
    is_alone = not in_plan and baseline is None and cells_of is cells_of_all_rows
    if is_alone and isinstance(bound.rows, PolarsRows) and bound.rows.would_sort_scores(roles):
        step = partial(_answer_of_rows, roles, compute, schema)
        return in_python(bound.rows.named(roles), step, schema)
    cells = cells_of(bound.rows, roles)
    if baseline is not None:
        there = baseline.roles.answered(in_plan=in_plan, by_cluster=by_cluster)
        with about(there.source):
            below = Cells(unlisted(cells_of(baseline.rows, there)), there)
        both = Cells(unlisted(cells), roles).above(below)
        cells, roles = both.frame, both.roles
    return answered(bound.frame, cells, partial(compute, roles=roles), schema, in_plan=in_plan)


def answered(
    frame: AnyFrame,
    cells: pl.LazyFrame,
    answer: Callable[[pl.LazyFrame], pl.LazyFrame],
    schema: Mapping[str, pl.DataType],
    *,
    in_plan: bool,
) -> PolarsFrame:
    """Compute an answer from cells: as part of the plan for a LazyFrame, at once otherwise.

    An answer that needs its cells at hand, and so is not ``in_plan``, is one step in Python. So is
    that of a DataFrame: polars would plan and stream it with the rest, which takes longer than the
    work: all metrics of ten rows took 24 ms, and take 14 ms.
    """
    step = partial(_answer, answer)
    if not isinstance(frame, pl.LazyFrame):
        # Inside a plan the step has one core: outside, 100,000 strata take half the time.
        few = isinstance(frame, pl.DataFrame) and frame.height < WORTH_OPTIMISING
        # To plan and to stream the count of ten rows takes a quarter of a call.
        return step(collected(cells, is_cheap=True) if few else streamed(cells))
    if in_plan:
        # The cache is never the root of the plan: polars 2.1 panics there, above shared parts.
        # Keys first, which tell all cells apart.
        names = sorted(cells.collect_schema().names(), key=is_tally)
        return answer(shared(sort_cells(cells.select(names)))).select(
            column_called(name).cast(dtype) for name, dtype in schema.items()
        )
    return in_python(cells, step, schema)


def _answer_of_rows(
    roles: Roles,
    compute: Callable[..., pl.LazyFrame],
    schema: Mapping[str, pl.DataType],
    rows: pl.DataFrame,
) -> pl.DataFrame:
    """The answer from rows at hand, as from those of a DataFrame.

    As a key of a plan, a raw score is a cell for each row: `auc_difference` of 5 million rows took
    16 s and 1.9 GB, and takes 2.2 s and 0.9 GB where the rows are sorted.
    """
    cells = cells_of_all_rows(PolarsRows(rows.lazy(), in_memory=True), roles)
    answer = answered(rows, cells, partial(compute, roles=roles), schema, in_plan=False)
    assert isinstance(answer, pl.DataFrame)
    return answer


def sort_cells(cells: Frame) -> Frame:
    """Sort cells by their values, so that sums of floats are the same in every run.

    Streaming returns cells in random order: of 30 audits of the same rows, 24 differed in a last
    digit. A million values of a number are sorted ten times as fast if they are the first key.
    """
    order: list[pl.Expr | str] = []
    schema: pl.Schema = cells.collect_schema()
    numbers: list[str] = [n for n in NUMBERS if n in schema and schema[n].is_float()]
    for name in dict.fromkeys([*numbers, *schema]):
        value, dtype = pl.col(name), schema[name]
        if isinstance(dtype, pl.List):
            order.append(value.is_null())  # within a list scores are in order
        elif dtype not in (pl.String, pl.Enum, pl.Categorical):
            order.append(name)
        elif isinstance(cells, pl.DataFrame) and cells.height > WORTH_OPTIMISING:
            order.append(_ranked(cells[name]))
        else:
            # An enumeration has an order of its own, but the same values need the same order.
            order.append(name if dtype == pl.String else value.cast(pl.String))
    return cells.sort(order)


_MOST_TEXTS: Final = 1000


def _ranked(column: pl.Series) -> pl.Expr:
    """Texts by their places in order, if they are few.

    So a million cells of six controls are sorted in 0.8 seconds, and by their texts in 2.7.
    """
    known = column.unique().drop_nulls().cast(pl.String).sort()
    texts = pl.col(column.name).cast(pl.String)
    return texts if known.len() > _MOST_TEXTS else texts.cast(pl.Enum(known)).to_physical()


def collected_unless_lazy(frame: AnyFrame, answer: pl.LazyFrame) -> PolarsFrame:
    """Return an answer lazily for a LazyFrame, else collected: rows stream four times faster."""
    return answer if isinstance(frame, pl.LazyFrame) else streamed(answer)


def _answer(answer: Callable[[pl.LazyFrame], pl.LazyFrame], cells: pl.DataFrame) -> pl.DataFrame:
    cells = sort_cells(listed(cells))
    is_cheap = cells.height < WORTH_OPTIMISING
    return collected(answer(cells.lazy()), is_cheap=is_cheap)
