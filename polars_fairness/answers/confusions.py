"""The function `confusions`: a confusion matrix of each group."""

from __future__ import annotations

from typing import Final, Unpack

import polars as pl

from polars_fairness.api.bound import read
from polars_fairness.api.columns import CONFUSED, types_of
from polars_fairness.api.plan import answer_of
from polars_fairness.api.signatures import answers
from polars_fairness.counting.cells import with_all_rows
from polars_fairness.counting.class_cells import MOST_CLASSES
from polars_fairness.counting.complete_rows import complete_cells
from polars_fairness.counting.counts import shared
from polars_fairness.counting.decisions import decided
from polars_fairness.counting.faults import Faults, whole
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import Question
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import groups_shown

_IS_KNOWN: Final = "is known\x1f"


@answers(columns=CONFUSED)
def confusions(frame: AnyFrame, **question: Unpack[Question]) -> PolarsFrame:
    """Return a confusion matrix of each group, of any number of classes.

    Parameters
    ----------
    **question
        As in `metrics`; ``label`` and ``predicted`` are required, and ``disfavored``, ``favored``
        and ``classes`` are for other answers. With ``positive`` or a threshold, an outcome is True
        or False. With ``nulls="drop"``, the shares of a group are null if no row of a decision has
        a label.

    Returns
    -------
    LazyFrame or DataFrame
        One row per group, observed class and predicted class. The columns are those of ``by``, the
        model or the threshold if there are several, then:
        {columns}

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> triage = pl.DataFrame({"sex": ["F", "F", "M"], "need": list("abb"), "given": list("aab")})
    >>> pf.confusions(triage, facet="sex", label="need", predicted="given").head(4)
    shape: (4, 6)
    ┌───────┬───────┬───────┬───────────┬─────┬───────┐
    │ facet ┆ value ┆ label ┆ predicted ┆ n   ┆ share │
    │ ---   ┆ ---   ┆ ---   ┆ ---       ┆ --- ┆ ---   │
    │ str   ┆ str   ┆ str   ┆ str       ┆ i64 ┆ f64   │
    ╞═══════╪═══════╪═══════╪═══════════╪═════╪═══════╡
    │ sex   ┆ F     ┆ a     ┆ a         ┆ 1   ┆ 1.0   │
    │ sex   ┆ F     ┆ a     ┆ b         ┆ 0   ┆ 0.0   │
    │ sex   ┆ F     ┆ b     ┆ a         ┆ 1   ┆ 1.0   │
    │ sex   ┆ F     ┆ b     ┆ b         ┆ 0   ┆ 0.0   │
    └───────┴───────┴───────┴───────────┴─────┴───────┘
    """
    bound = read(frame, question, "confusions")
    roles = bound.roles.as_counted.keeping(())
    for outcome in roles.outcomes:
        argument = "label_threshold" if outcome.role == "label" else "threshold"
        if outcome.column.dtype.is_float() and not outcome.is_binary:
            raise FairnessError(
                f"{outcome.argument}: {outcome.column.name!r} is {outcome.column.dtype}, and "
                "classes are text, whole numbers, Booleans or an Enum; give "
                f"{argument}=, or cast it"
            )
    types = types_of(CONFUSED, roles.size) | {
        each.role: pl.Boolean() if each.is_binary else each.column.dtype for each in roles.outcomes
    }
    return answer_of(bound, roles, confused, types, in_plan=True)


def confused(seen: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The matrix of each group: a row for each pair of classes, with 0 where no row has it."""
    outcomes = [outcome.key for outcome in roles.outcomes]
    groups = [*roles.windows.keys, "facet", "value"]
    all_cells = with_all_rows(decided(seen, roles), roles)
    cells = (
        complete_cells(all_cells, roles)
        .with_columns(each.as_returned(pl.col(each.key)).alias(each.key) for each in roles.outcomes)
        .group_by(*groups, *outcomes)
        .agg(pl.col(roles.mass).sum().alias("n"))
        .sort(*roles.place_order, "value", *outcomes)
    )
    faults = Faults(roles)
    for outcome in roles.outcomes:
        number = pl.col(outcome.key).n_unique()
        faults.add(
            number > MOST_CLASSES,
            f"{outcome.argument}: {outcome.column.name!r} has ",
            whole(number, "more"),
            f" classes, and {MOST_CLASSES:,} are the most of a matrix; merge rare ones, or give "
            f"positive=",
        )
    checked = shared(faults.raised(cells))
    grid = checked.select(groups).unique()
    for key in outcomes:
        grid = grid.join(checked.select(key).unique(), how="cross")
    n, undefined = pl.col("n"), pl.lit(roles.zero_division, pl.Float64)
    of_class = n.sum().over([*groups, outcomes[0]])
    table = (
        grid.join(checked, on=[*groups, *outcomes], how="left", nulls_equal=True)
        .with_columns(n.fill_null(0).cast(roles.size))
        .with_columns(share=pl.when(of_class > 0).then(n / of_class).otherwise(undefined))
    )
    if roles.nulls == "drop" and len(outcomes) > 1:
        # The share of a label's rows is not known where none of a decision's rows has a label.
        has_label = pl.col("label").is_not_null() & (pl.col(roles.mass) > 0)
        lacking = (
            all_cells.filter(pl.col("predicted").is_not_null(), pl.col(roles.mass) > 0)
            .group_by(*groups, "predicted")
            .agg(has_label.any().alias(_IS_KNOWN))
            .group_by(groups)
            .agg(pl.col(_IS_KNOWN).all())
        )
        share = pl.when(pl.col(_IS_KNOWN).fill_null(value=True)).then("share").alias("share")
        table = table.join(lacking, on=groups, how="left", nulls_equal=True).with_columns(share)
    shown = {name: pl.col(name) for name in (*outcomes, "n", "share")}
    return groups_shown(table, roles, shown, outcomes)
