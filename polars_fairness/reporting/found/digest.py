"""The digest of a report's data, by which two reports are known to be of the same data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Final

import polars as pl

from polars_fairness.answers.plan import in_order
from polars_fairness.api.call import Call
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.rows import AnyFrame, Rows
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question
from polars_fairness.question.outcomes import Outcome
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS

_COUNT: Final = "n"
_SUMS: Final = ("weight", "weight_sq", *SUMS)

# Sums of floats differ in the last digits from run to run. Those of weights with few decimals may
# lie half-way between two roundings, and would fall to either side; times pi they do not.
_DIGITS: Final = 8
_FACTOR: Final = 3.141592653589793


def digest_of(frame: AnyFrame, metrics: Sequence[str | Metric], question: Question) -> str:
    """The SHA-256 of the cells that metrics need, features aside, as text in one order.

    It is the same for rows in any order, and for cells in place of rows. The rows of two facets are
    also counted together, without subgroups: of these, or of more facets, there could be almost as
    many such cells as rows.
    """
    call = Call.of(frame, question).with_metrics(metrics).without_features()
    roles = call.roles.undecided
    questions = [replace(roles, are_apart=True, are_joint=False)]
    if len(roles.facets) == 2 and not any(facet.is_intersection for facet in roles.facets):
        together = call.without_strata().roles.undecided
        questions.append(replace(together, are_apart=False, are_joint=True))
    return sha256("".join(_text_of(call.rows, each) for each in questions).encode()).hexdigest()


def _text_of(rows: Rows, roles: Roles) -> str:
    """The cells of a question as text."""
    # Rows that lack an outcome count for the metrics that do not need it.
    counted = cells_of_all_rows(rows, roles).filter(pl.col(_COUNT) > 0)
    cells = counted.collect(engine="streaming")
    # Before the number of rows stand the keys, after it also sums that only checks need.
    names = cells.columns[: cells.columns.index(_COUNT)]
    sums = [name for name in _SUMS if name in cells.columns]
    summed = (
        cells.lazy()
        .with_columns(_as_returned(each, cells) for each in roles.outcomes)
        .group_by(names)
        .agg(pl.col(_COUNT).sum(), pl.col(sums).sum())
        .with_columns((pl.col(sums) * _FACTOR).round_sig_figs(_DIGITS))
        .collect()
    )
    return in_order(summed.with_columns(_writable(summed.select(names)))).write_csv()


def _as_returned(outcome: Outcome, cells: pl.DataFrame) -> pl.Expr:
    """An outcome as `cells` returns it, or its values where metrics may need each of several."""
    value = pl.col(outcome.key)
    return outcome.as_returned(value) if cells[outcome.key].drop_nulls().n_unique() <= 2 else value


def _writable(keys: pl.DataFrame) -> Iterator[pl.Expr | pl.Series]:
    """The keys that have to be written in another way to be the same in all engines."""
    for name, dtype in keys.schema.items():
        if isinstance(dtype, pl.Datetime):
            yield pl.col(name).dt.cast_time_unit("us")
        elif isinstance(dtype, pl.Duration | pl.Binary) or dtype.is_nested():
            yield pl.Series(name, [repr(value) for value in keys[name].to_list()])
        elif isinstance(dtype, pl.Float32):
            yield pl.col(name).cast(pl.Float64)
