"""The functions `reweigh` and `reweighed`: weights that make labels independent of groups."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, Unpack

import polars as pl

from polars_fairness.api.bound import read, unbound
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.plan import answer_of, answered, collected_unless_lazy
from polars_fairness.api.signatures import answers
from polars_fairness.counting.cells import cells_by_attributes
from polars_fairness.counting.complete_rows import complete_cells
from polars_fairness.counting.counts import in_python, with_columns_of
from polars_fairness.counting.polars_rows import OWN, PolarsRows
from polars_fairness.counting.rows import AnyFrame, PolarsFrame, Rows
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import Question
from polars_fairness.question.roles import Roles

NUMBERS: Final = ("n", "factor")
"""The numbers of each group and label."""

_LABEL: Final = "read label"


@answers()
def reweigh(frame: AnyFrame, **question: Unpack[Question]) -> PolarsFrame:
    """Return the factors that make labels independent of groups, one for each group and label.

    The factor of a group and a label is how often they would occur together if they were
    independent, divided by how often they do: P(g)·P(y) / P(g, y) (Kamiran and Calders 2012). Rows
    whose weights are multiplied by it, as by `reweighed`, have a `dpl` of 0, and each group and
    each label keeps its total weight, if every group has rows of every label.

    Parameters
    ----------
    **question
        As in `metrics`. It needs ``facet`` and ``label``. Several facets together define the
        groups, and rows whose facet is unknown are a group too. Without ``positive`` and
        ``label_threshold``, each value of the label counts separately. Predictions, scores,
        ``disfavored``, ``favored`` and ``subgroup`` are for other answers.

    Returns
    -------
    LazyFrame or DataFrame
        One row for each group and label that occur together. The columns are those of ``by``, of
        ``facet``, and of ``label``, which is True and False with ``positive`` or
        ``label_threshold``; then:

        ``n``
            The number of rows; with ``weight``, the sum of their weights.
        ``factor``
            The factor, computed in each window of ``by``.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> loans = pl.DataFrame({"sex": ["F", "F", "F", "M"], "repaid": [0, 0, 1, 1]})
    >>> pf.reweigh(loans, facet="sex", label="repaid")
    shape: (3, 4)
    ┌─────┬────────┬─────┬────────┐
    │ sex ┆ repaid ┆ n   ┆ factor │
    │ --- ┆ ---    ┆ --- ┆ ---    │
    │ str ┆ i64    ┆ i64 ┆ f64    │
    ╞═════╪════════╪═════╪════════╡
    │ F   ┆ 0      ┆ 2   ┆ 0.75   │
    │ F   ┆ 1      ┆ 1   ┆ 1.5    │
    │ M   ┆ 1      ┆ 1   ┆ 0.5    │
    └─────┴────────┴─────┴────────┘
    """
    bound = read(frame, question, "reweigh")
    roles = _question_of_labels(bound.roles)
    refuse_taken_names(roles, {"by", "facet", "label"}, NUMBERS)
    [label] = roles.outcomes
    types: dict[str, pl.DataType] = {
        **{facet.name: facet.column.dtype for facet in roles.facets},
        label.column.name: pl.Boolean() if label.is_binary else label.column.dtype,
        **dict(zip(NUMBERS, (roles.size, pl.Float64()), strict=True)),
    }
    return answer_of(bound, roles, tabulated, types, beside=(), cells_of=cells_of_groups)


@answers()
def reweighed(
    frame: AnyFrame, *, name: str = "weight", **question: Unpack[Question]
) -> PolarsFrame:
    """Return the frame with weights that make labels independent of groups.

    Each row's weight is multiplied by the factor of its group and label, as in `reweigh`. With the
    new weights, `dpl` is 0, and each group and each label keeps its total weight, if every group
    has rows of every label.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, or a DataFrame.
    name
        The name of the new column.
    **question
        As in `reweigh`.

    Returns
    -------
    LazyFrame or DataFrame
        All columns and rows of the frame, in their order, and one more column: the row's weight,
        which is 1 without ``weight``, times the factor. With ``count`` it is the total weight of
        the rows that a row stands for. A weight or count of 0 stays 0; the other rows that
        ``nulls="drop"`` leaves out have no weight: null.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> loans = pl.DataFrame({"sex": ["F", "F", "M", "M", "M"], "repaid": [0, 1, 1, 0, 1]})
    >>> fair = pf.reweighed(loans, facet="sex", label="repaid")
    >>> fair["weight"].round(3).to_list()
    [0.8, 1.2, 0.9, 1.2, 0.9]
    >>> dpl = fair.fairness.dpl(facet="sex", disfavored="F", label="repaid", weight="weight")
    >>> dpl["dpl"].round(12).abs().item()
    0.0
    """
    given = unbound(frame)
    if not isinstance(given, pl.LazyFrame | pl.DataFrame):
        raise FairnessError(
            "frame: reweighed returns rows with all their columns, but the rows of a "
            f"{type(given).__name__} are not loaded; join the answer of reweigh with them there, "
            "by its columns before 'n', and multiply their weights by 'factor'"
        )
    roles = _question_of_labels(read(frame, question, "reweighed").roles)
    rows = PolarsRows(given.lazy())
    # Raise for a new column without a name of its own.
    if not isinstance(name, str):
        raise FairnessError(f"name: takes the name of the new column, got {name!r}")
    if name in rows.schema:
        raise FairnessError(
            f"name: the frame already has a column {name!r}; give name= another name"
        )
    # Counted by a query of their own: in one with the rows that they count, polars would compute
    # these once, and hold them in memory.
    counted = cells_of_groups(rows, roles)
    cells = in_python(pl.LazyFrame(), partial(_counted, counted), counted.collect_schema())
    compute = partial(factored, roles=roles)
    factors = answered(given, cells, compute, compute(cells).collect_schema(), in_plan=False)
    return collected_unless_lazy(given, with_factors(rows, factors.lazy(), roles, name))


def _question_of_labels(roles: Roles) -> Roles:
    """The question about groups and labels only, where each label value is one by itself."""
    return roles.without_intervals.without_models.keeping(())


# The factor of a group g and a label y is P(g)·P(y) / P(g, y): how often they would occur together
# if they were independent, over how often they do.
def cells_of_groups(rows: Rows, roles: Roles) -> pl.LazyFrame:
    """The cells of complete rows by all facets together."""
    return complete_cells(cells_by_attributes(rows, roles), roles)


def factored(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells with their factors, computed in each window.

    A facet that is unknown is a value like any other, so that no row is without a factor.
    """
    [label] = roles.outcomes
    mass = pl.col(roles.mass).cast(pl.Float64)
    windows, group = roles.windows.keys, [*roles.windows.keys, *roles.joint_keys]

    def total(keys: Sequence[str]) -> pl.Expr:
        return mass.sum().over(keys) if keys else mass.sum()

    independent = total(group) * total([*windows, _LABEL]) / total(windows)
    return (
        cells.filter(mass > 0)
        .with_columns(label.as_returned(pl.col(label.role)).alias(_LABEL))
        .with_columns(factor=independent / total([*group, _LABEL]), mass=mass)
    )


def tabulated(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The small frame: the size and the factor of each group and label."""
    [label] = roles.outcomes
    keys = [*roles.windows.keys, *roles.joint_keys, _LABEL]
    return (
        factored(cells, roles)
        .group_by(keys)
        .agg(pl.col("mass").sum().cast(roles.size).alias("n"), pl.col("factor").first())
        .sort(keys, nulls_last=True)
        .select(
            *roles.windows.as_named(),
            *(
                facet.column_of([*map(pl.col, facet.keys)]).alias(facet.name)
                for facet in roles.facets
            ),
            pl.col(_LABEL).alias(label.column.name),
            *NUMBERS,
        )
    )


def _counted(cells: pl.LazyFrame, _: pl.DataFrame) -> pl.DataFrame:
    return cells.collect(engine="streaming")


def with_factors(
    rows: PolarsRows, factors: pl.LazyFrame, roles: Roles, weight: str
) -> pl.LazyFrame:
    """The rows, with one more column: their weight times the factor of their group and label.

    A row that is left out has no weight, but a weight or a count of 0 stays 0.
    """
    [label] = roles.outcomes
    keys = [*roles.windows.keys, *roles.joint_keys, label.role]
    given = {"weight": roles.weight, "count": roles.count}
    measures = [measure for measure, column in given.items() if column is not None]
    own = pl.col(measures[0]).cast(pl.Float64) if measures else pl.lit(1.0)
    is_nothing = pl.any_horizontal(pl.lit(value=False), *(pl.col(name) == 0 for name in measures))
    product = pl.when(is_nothing).then(0.0).otherwise(own * pl.col("factor"))
    return with_columns_of(
        rows.keyed(roles, roles.facets), factors.select(*keys, "factor"), keys
    ).select(
        *(pl.col(f"{OWN}{name}").alias(name) for name in rows.schema.names()),
        product.alias(weight),
    )
