"""Baselines: the same question about the rows that a frame is compared with, and its cells.

The windows of a frame and of its baseline stand together in one table of cells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Final, NoReturn, cast

import polars as pl

from polars_fairness.api.bound import CheckedQuestion, read
from polars_fairness.api.requested import metrics_requested, serving
from polars_fairness.counting.polars_rows import TALLIES_OF_CHECKS
from polars_fairness.counting.rows import AnyFrame, Rows, column_names, rows_of
from polars_fairness.errors import FairnessError, about, quoted, shown
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import OF_COLUMNS, Question
from polars_fairness.question.columns import Column, ColumnLike, KeyColumns, find_columns, is_text
from polars_fairness.question.facets import fits, written
from polars_fairness.question.outcomes import Outcome
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
        question: dict[str, Any] = {**bound.given, "count": count}
        # Beside rows of the frame, the baseline may be cells of such rows.
        if are_cells := count is not None and bound.given.get("count") is None:
            question |= named_in_cells(question, bound.rows.schema, names)
        adapted = _question_of_baseline(question, bound.rows.schema, names)
        schema = rows_of(frame, adapted).schema
        # Of the baseline: cells may lack the column of rows that an expression read.
        windows = find_columns(schema, "by", adapted["by"])
        if not any(column.dtype in (pl.Date, pl.Datetime) for column in windows):
            adapted |= {"every": None, "period": None}
        if are_cells:
            adapted = question_about_cells(adapted, schema, bound.roles)
        there = read(frame, adapted)
        metrics_requested([*metrics.values()], there.roles)
        of_probabilities = roles.score is not None and roles.score.probabilities_for is not None
        served = serving(metrics, there.roles, are_named=of_probabilities)
    if roles.left_out == "rows":
        served = replace(served, left_out="rows")
    return Baseline(there.rows, replace(served, source=source))


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
            f"it has the column {counted_by!r} that counts the rows of the frame; give "
            f"baseline_count={counted_by!r} if it counts those of the baseline, else drop it there"
        )
    if counted_by is None and "n" in names and "n" not in names_of_frame:
        raise FairnessError(
            "it has a column 'n', as cells have, and the frame has none; give "
            "baseline_count='n' if its rows are cells, else drop this column"
        )


def _question_of_baseline(
    question: Mapping[str, Any], schema: pl.Schema, names: Collection[str]
) -> Question:
    """The question without the columns of ``by`` that a baseline of these columns lacks.

    The rows of the frame have this schema.
    """
    adapted = {**question}
    by = adapted.get("by")
    listed = by if isinstance(by, list | tuple) else [] if by is None else [by]
    adapted["by"] = []
    for each in listed:
        is_selection = isinstance(each, pl.Expr) and each.meta.is_column_selection()
        of_columns = find_columns(schema, "by", each) if is_selection else ()
        for given in [column.name for column in of_columns] if is_selection else [each]:
            read = given.meta.root_names() if isinstance(given, pl.Expr) else [given]
            if {*read} <= {*names}:
                adapted["by"].append(given)
    return cast("Question", adapted)


def question_about_cells(
    question: Mapping[str, Any], schema: pl.Schema, of_rows: Roles
) -> Question:
    """The question about cells, without what outcomes that are True or False there do not need.

    The threshold or the positive values have decided them already, if they are not so in the rows.
    """
    given: dict[str, Any] = {**question}
    outcomes = (of_rows.label, *(model.predicted for model in of_rows.models))
    undecided = {each.column.name for each in outcomes if each and each.column.dtype == pl.Boolean}
    booleans = {name for name, dtype in schema.items() if dtype == pl.Boolean} - undecided
    if given.get("predicted") is None and given.get("score") in booleans:
        given |= {"predicted": given["score"], "score": None}
    label, predicted = given.get("label"), given.get("predicted")
    models = [*predicted.values()] if isinstance(predicted, Mapping) else [predicted]
    if label in booleans:
        given["label_threshold"] = None
    if booleans.issuperset(models):
        given["threshold"] = None
    positive = given.get("positive")
    if isinstance(positive, Mapping):
        given["positive"] = {
            name: values for name, values in positive.items() if name not in booleans
        } or None
    elif booleans.issuperset(each for each in (label, *models) if each is not None):
        given["positive"] = None
    return cast("Question", given)


def named_in_cells(
    question: Mapping[str, Any], schema: pl.Schema, names: Collection[str]
) -> dict[str, Any]:
    """The columns of a question about rows of this schema by the names that cells have for them.

    An expression's column is there under its output name.
    """
    return {
        each.name: _named(each.name, question.get(each.name), schema, names)
        for each in OF_COLUMNS
        if each.name != "count"
    }


def _named(argument: str, given: Any, schema: pl.Schema, names: Collection[str]) -> Any:
    """An argument, with the output names of expressions in place of these, where there are such."""
    if isinstance(given, Mapping):
        return {model: _named(argument, each, schema, names) for model, each in given.items()}
    if isinstance(given, list | tuple):
        parts = [_named(argument, part, schema, names) for part in given]
        return [each for part in parts for each in (part if isinstance(part, list) else [part])]
    if not isinstance(given, pl.Expr):
        return given
    named = [column.name for column in find_columns(schema, argument, given)]
    if not {*named} <= {*names}:
        return given
    return named[0] if len(named) == 1 else named


def combine_roles(here: Roles, there: Roles) -> Roles:
    """The question about the cells of a frame and of its baseline, which stand together.

    Columns have a type that holds the values of both.
    """
    names = {column.name: column for column in there.windows.columns}
    matched = tuple(key for key, by in here.windows.by_key.items() if by.name in names)
    for by in here.windows.columns:
        if by.name in names:
            _common_type("by", by, names[by.name])
    for one, other in zip(here.facets, there.facets, strict=True):
        _common_type("facet", one.column, other.column)
    # Where scores have 32 bits in one frame only, thresholds would be rounded for it. Cells of rows
    # that one threshold decided have no scores.
    scores = ([model.score for model in roles.models if model.score] for roles in (here, there))
    for score, other in zip(*scores, strict=False):
        if (score.column.dtype == pl.Float32) != (other.column.dtype == pl.Float32):
            _refuse_types(score.argument, score.column, other.column)
    return replace(
        here.with_decision(_common_outcome(here.predicted, there.predicted)),
        windows=replace(here.windows.with_made(IS_BASELINE), matched=matched),
        strata=_common_keys(here.strata, there.strata),
        controls=_common_keys(here.controls, there.controls),
        label=_common_outcome(here.label, there.label),
    )


def _common_keys(here: KeyColumns, there: KeyColumns) -> KeyColumns:
    """The columns of one argument, in types that hold the values of both frames."""
    columns = (
        replace(one, dtype=_common_type(here.argument, one, other))
        for one, other in zip(here.columns, there.columns, strict=True)
    )
    return replace(here, columns=tuple(columns))


def _common_outcome(here: Outcome | None, there: Outcome | None) -> Outcome | None:
    """The outcome of both; where one alone is Boolean, that of the other.

    The other may have values that metrics of label values tell apart.
    """
    if here is None or there is None or (here.is_boolean and there.is_boolean):
        return here
    if not (here.is_boolean or there.is_boolean):
        dtype = _common_type(here.role, here.column, there.column)
        return replace(here, column=replace(here.column, dtype=dtype))
    typed = there if here.is_boolean else here
    if not (typed.column.dtype.is_numeric() or is_text(typed.column.dtype)):
        _refuse_types(here.role, here.column, there.column)
    dtype = pl.String() if is_text(typed.column.dtype) else typed.column.dtype
    return replace(typed, column=replace(typed.column, dtype=dtype))


def _common_type(argument: str, here: Column, there: Column) -> pl.DataType:
    dtype = _common(here.dtype, there.dtype)
    if dtype is None:
        _refuse_types(argument, here, there)
    return dtype


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


def _refuse_types(argument: str, here: Column, there: Column) -> NoReturn:
    raise FairnessError(
        f"baseline: {argument}: {here.name!r} is {here.dtype} in the frame and {there.dtype} in "
        "the baseline; cast one of them to the type of the other"
    )


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
    present = below.collect_schema().names()
    return pl.concat(
        [above, below.select(name for name in names if name in present)], how="diagonal"
    )


def _converted(source: Roles, together: Roles) -> Iterator[pl.Expr]:
    """The keys of cells in the types that both have in common."""
    for keys in (together.strata, together.controls):
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
