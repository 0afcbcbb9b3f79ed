"""The function `cells`: the counts from which everything else is computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Final, Unpack, cast

import polars as pl

from polars_fairness.answers.hidden import NOTE, cells_and_hidden
from polars_fairness.api.bound import CheckedQuestion, read
from polars_fairness.api.clashes import refuse_no_columns, refuse_taken
from polars_fairness.api.plan import collected_unless_lazy, sort_cells
from polars_fairness.api.signatures import answers
from polars_fairness.counting.cells import cells_of_all_rows, joint_cells
from polars_fairness.counting.counts import unlisted
from polars_fairness.counting.models import Count, counts_of, decided_jointly
from polars_fairness.counting.rows import AnyFrame, PolarsFrame, Rows
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import OF_COLUMNS, Question, parted
from polars_fairness.question.audit_arguments import HIDE_BELOW, CellsQuestion
from polars_fairness.question.columns import expressions_in
from polars_fairness.question.outcomes import (
    NUMBERS,
    ROLES,
    returned_sums,
    sums_of_numbers,
)
from polars_fairness.question.probabilities import returned_name, sums_of
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS


@answers(HIDE_BELOW)
def cells(frame: AnyFrame, **question: Unpack[CellsQuestion]) -> PolarsFrame:
    """Return the number of rows of every combination of values of the given columns.

    With ``count="n"``, every function takes the cells in place of the rows and gives the same
    values. Cells of several files, days or machines can be concatenated first. Nulls are not an
    error here: rows with a missing outcome, number or weight become cells with a null there, and
    each row with a missing count becomes a separate cell. Questions about the cells then find these
    nulls, and take ``nulls="drop"``.

    Parameters
    ----------
    **question
        As in `metrics`. ``disfavored``, ``favored`` and ``nulls`` are for questions about the
        cells.
    {own arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per combination. The columns are the given columns, then ``n``, the number of
        rows; with ``weight`` also the sum of the weights and, as ``weight_sq``, the sum of their
        squares. An outcome with ``threshold`` or ``positive`` is returned as True and False; a
        Boolean outcome keeps its values, and ``positive`` has to be given again. A computed column
        needs a different name, by ``.alias()``. With ``score``, ``resolution``, a prediction
        without ``threshold``, or several thresholds, the scores are kept, so that the cells answer
        the same questions as the rows; with ``resolution``, so are the sums of the scores and of
        their squares, as ``score_sum`` and ``score_sq``. A column of ``observed`` or ``estimated``
        has the mean of the cell. It is followed by the sum of squared distances from the mean,
        ending in ``_sq``, sums of higher powers, such as ``claim^3``, and the number of negative
        numbers; with both columns, by sums of powers of residuals. ``positive`` for a label of
        three or more values is an error, because metrics over label values need each value: give
        ``positive`` when you use the cells. With ``hide_below``, groups are the combinations of all
        facets, a column ``note`` says which are hidden, and the cells can no longer be counted.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.DataFrame({"sex": ["F", "F", "M"], "score": [0.2, 0.3, 0.7]})
    >>> pf.cells(hired, facet="sex", predicted="score", threshold=0.5)
    shape: (2, 3)
    ┌─────┬───────┬─────┐
    │ sex ┆ score ┆ n   │
    │ --- ┆ ---   ┆ --- │
    │ str ┆ bool  ┆ i64 │
    ╞═════╪═══════╪═════╡
    │ F   ┆ false ┆ 2   │
    │ M   ┆ true  ┆ 1   │
    └─────┴───────┴─────┘
    """
    own, others = parted(question, [HIDE_BELOW])
    # The same question about the cells would compute it again, from what it was computed to.
    for argument in OF_COLUMNS:
        given = others.get(argument.name) if argument.name != "count" else None
        for each in expressions_in(given):
            name = each.meta.output_name(raise_if_undetermined=False)
            is_plain = each.meta.undo_aliases().meta.eq(pl.col(name or ""))
            if name in each.meta.root_names() and not is_plain:
                raise FairnessError(
                    f"{argument.name}: {each} is computed, and has the name of a column that it "
                    "is computed from; a question about the cells would compute it twice; name it: "
                    f".alias({f'{name}_read'!r})"
                )
    return counted_cells(read(frame, cast("Question", others), "cells", own), own["hide_below"])


def counted_cells(bound: CheckedQuestion, least: int | None = None) -> PolarsFrame:
    """The cells of a question, without those of hidden groups."""
    count = count_of_cells(bound, [] if least is None else [NOTE])
    answer = joint_cells(bound.rows, count)
    if least is not None:
        by, facets = len(count.roles.windows.keys), len(count.roles.facets)
        answer = cells_and_hidden(answer, by, facets, least)
    return collected_unless_lazy(bound.frame, answer)


def count_of_cells(bound: CheckedQuestion, beside: Sequence[str] = ()) -> Count:
    """The count whose cells answer a question, and that have these columns ``beside``."""
    roles = bound.roles.as_counted.keeping(
        (
            "subgroup",
            "controls",
            *NUMBERS,
            *(["score"] if bound.roles.shows_scores else []),
        )
    )
    # A column that is a stratum and a control is one column of the cells.
    shown = (*roles.strata.columns, *([] if roles.windows.period else roles.windows.columns))
    controls = roles.controls.apart_from(shown)
    roles = replace(roles, controls=controls).showing_spread
    models = roles.named_models
    [count] = [decided_jointly(roles, models, None)] if models else counts_of(roles)
    refuse_no_columns(count.key_columns, "cells")
    sums = ["n", *beside, *(["weight_sq"] if roles.weight else [])]
    if count.score is not None and count.score.is_rounded:
        sums += SUMS
    of_numbers = {
        name: number for number in roles.numbers for name in returned_sums([number]).values()
    }
    sums += [name for name in returned_sums(roles.numbers).values() if name not in of_numbers]
    named_after = (
        *(replace(number.column, name=name) for name, number in of_numbers.items()),
        *(
            replace(facet.column, name=returned_name(facet, of))
            for facet in roles.uncertain_facets
            for of in sums_of(facet, roles)
        ),
    )
    of_sums = (*(number.column for number in roles.numbers), *filter(None, [roles.weight]))
    # First, so that an error is about the column that has the name, and not about its namesake.
    refuse_taken((*named_after, *count.key_columns, *of_sums), sums)
    return replace(count, roles=count.roles.answered(in_plan=bound.has_plans))


_COUNT: Final = "n"
_SUMS: Final = ("weight", "weight_sq", *SUMS)

# Sums of floats differ in the last digits from run to run. Those of weights with few decimals may
# lie half-way between two roundings, and would fall to either side; times pi they do not.
_DIGITS: Final = 8
_FACTOR: Final = 3.141592653589793
_ROUNDING: Final = 1e-10


def digest_of(rows: Rows, roles: Roles) -> str:
    """The SHA-256 of the cells of a question as text in one order.

    It is the same for rows in any order, and for cells in place of rows. The rows of two facets,
    if both are known, are also counted together, without subgroups: of these, or of more facets,
    there could be almost as many such cells as rows.
    """
    roles = roles.keeping((*ROLES, *NUMBERS, "subgroup", "score"))
    questions = [roles.joined(are_apart=True, are_joint=False)]
    if len(roles.facets) == 2 and not (roles.has_intersections or roles.uncertain_facets):
        together = roles.keeping((*ROLES, *NUMBERS, "score"))
        questions.append(together.joined(are_apart=False, are_joint=True))
    return sha256("".join(_text_of(rows, each) for each in questions).encode()).hexdigest()


def _text_of(rows: Rows, roles: Roles) -> str:
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
            for each in roles.undecided.outcomes
            if cells[each.key].drop_nulls().n_unique() <= 2
        )
        .group_by(names)
        .agg(pl.col(_COUNT, *sums, *sums_of_numbers(roles.numbers)).sum())
        .select(*names, _COUNT, *sums, *_digest_sums(roles))
        .collect()
    )
    # For groups known only as probabilities, the rows are a sum of floats too.
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
