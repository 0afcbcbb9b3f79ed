"""The digest of counts: the same for rows in any order, and for cells in place of rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import Final

import polars as pl

from polars_fairness.api.plan import sort_cells
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.rows import Rows
from polars_fairness.counting.score_lists import unlisted
from polars_fairness.question.outcomes import NUMBERS, ROLES, sums_of_numbers
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS

_COUNT: Final = "n"
_SUMS: Final = ("weight", "weight_sq", *SUMS)

# Sums of floats differ in the last digits from run to run. Those of weights with few decimals may
# lie half-way between two roundings, and would fall to either side; times pi they do not.
_DIGITS: Final = 8
_FACTOR: Final = 3.141592653589793
_ROUNDING: Final = 1e-10


def digest_of(rows: Rows, roles: Roles) -> str:
    """The SHA-256 of the cells of a question, features aside, as text in one order.

    It is the same for rows in any order, and for cells in place of rows. The rows of two facets,
    if both are known, are also counted together, without subgroups: of these, or of more facets,
    there could be almost as many such cells as rows.
    """
    roles = roles.keeping((*ROLES, *NUMBERS, "subgroup", "score"))
    questions = [replace(roles, are_apart=True, are_joint=False)]
    if len(roles.facets) == 2 and not (roles.has_intersections or roles.uncertain_facets):
        together = roles.keeping((*ROLES, *NUMBERS, "score"))
        questions.append(replace(together, are_apart=False, are_joint=True))
    return sha256("".join(_text_of(rows, each) for each in questions).encode()).hexdigest()


def _text_of(rows: Rows, roles: Roles) -> str:
    """The cells of a question as text."""
    # Rows that lack an outcome count for the metrics that do not need it.
    counted = unlisted(cells_of_all_rows(rows, roles)).filter(pl.col(_COUNT) > 0)
    cells = counted.collect(engine="streaming")
    # Before the number of rows stand the keys, after it also sums that only checks need.
    names = cells.columns[: cells.columns.index(_COUNT)]
    sums = [name for name in _SUMS if name in cells.columns]
    summed = (
        cells.lazy()
        .with_columns(
            # As `cells` returns it, or its values where metrics may need each of several.
            each.as_returned(pl.col(each.key))
            for each in roles.outcomes_counted
            if cells[each.key].drop_nulls().n_unique() <= 2
        )
        .group_by(names)
        .agg(pl.col(_COUNT, *sums, *sums_of_numbers(roles.numbers)).sum())
        .select(*names, _COUNT, *sums, *_digest_sums(roles))
        .collect()
    )
    # Of groups known in probability, the rows are a sum of floats too.
    floats = [each for each in summed.columns[len(names) :] if summed.schema[each].is_float()]
    rounded = (pl.col(floats) * _FACTOR).round_sig_figs(_DIGITS)
    keys = _writable(summed.select(names))
    return sort_cells(summed.with_columns(rounded).with_columns(keys)).write_csv()


def _digest_sums(roles: Roles) -> Iterator[pl.Expr]:
    """The sums of numbers and of their squares, whatever place they are centred on."""
    mass = pl.col("weight" if roles.is_weighted else _COUNT)
    places = [pl.col(f"{number.role}_place") for number in roles.numbers]
    moved = [pl.col(f"{number.role}_sum") for number in roles.numbers]
    names = [number.role for number in roles.numbers]
    if len(names) > 1:
        names.append("residual")
        places.append(places[1] - places[0])
        moved.append(moved[1] - moved[0])
        yield pl.col("residual_distance")
    for name, place, own in zip(names, places, moved, strict=True):
        squares = pl.col(f"{name}_squares") + place * (2 * own + place) / mass
        yield squares.alias(f"{name}_squares")
        # Numbers whose mean is 0 add up to what rounding leaves.
        is_known = (place + own).abs() > _ROUNDING * (mass * squares).sqrt()
        yield pl.when(is_known).then(place + own).otherwise(0.0).alias(f"{name}_sum")


def _writable(keys: pl.DataFrame) -> Iterator[pl.Expr | pl.Series]:
    """The keys that have to be written in another way to be the same in all engines."""
    for name, dtype in keys.schema.items():
        if isinstance(dtype, pl.Datetime):
            yield pl.col(name).dt.cast_time_unit("us")
        elif isinstance(dtype, pl.Duration | pl.Binary) or dtype.is_nested():
            yield pl.Series(name, [repr(value) for value in keys[name].to_list()])
        elif isinstance(dtype, pl.Float32):
            yield pl.col(name).cast(pl.Float64)
