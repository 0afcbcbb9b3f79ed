"""The function `decompose`: the contributions of the strata to a conditional metric."""

from __future__ import annotations

from functools import partial
from typing import Final, Unpack

import polars as pl

from polars_fairness.api.bound import read
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.columns import CONTRIBUTIONS
from polars_fairness.api.plan import answer_of
from polars_fairness.api.requested import one_requested
from polars_fairness.api.signatures import answers
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.complete_rows import complete_cells
from polars_fairness.counting.counts import with_finest_counts
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.counting.sides import COMPARISON_KEY, favored, with_sides, written_key
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.formulas import Formula
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.tree import ratio, term
from polars_fairness.question.arguments import Question
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import SIDES, prepared
from polars_fairness.values.levels import counted, keys_of, strata_values
from polars_fairness.values.unlabelled import with_known_values

_COUNTS_OF: Final = {"predicted": ("rejected", "accepted"), "label": ("negative", "positive")}


@answers(columns=CONTRIBUTIONS)
def decompose(frame: AnyFrame, metric: str | Metric, **question: Unpack[Question]) -> PolarsFrame:
    """Return the contribution of every stratum to a conditional metric.

    Parameters
    ----------
    metric
        The name of a conditional metric, such as "cddpl", or a metric of your own made with
        ``stratified``.
    **question
        As in `metrics`.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison and stratum in which a side has rows, with the largest absolute
        contribution first. The columns are those of ``by``, then the following, with those of
        ``subgroup`` after ``favored``:
        {columns}

    Examples
    --------
    >>> import polars_fairness as pf
    >>> question = {"facet": "sex", "disfavored": "Female", "predicted": "admitted", "count": "n"}
    >>> parts = pf.decompose(pf.datasets.berkeley(), "cddpl", subgroup="department", **question)
    >>> parts.select("department", "n", "value", "contribution").head(2)
    shape: (2, 4)
    ┌────────────┬─────┬───────────┬──────────────┐
    │ department ┆ n   ┆ value     ┆ contribution │
    │ ---        ┆ --- ┆ ---       ┆ ---          │
    │ str        ┆ i64 ┆ f64       ┆ f64          │
    ╞════════════╪═════╪═══════════╪══════════════╡
    │ A          ┆ 933 ┆ -0.090858 ┆ -0.01873     │
    │ F          ┆ 714 ┆ -0.047188 ┆ -0.007444    │
    └────────────┴─────┴───────────┴──────────────┘
    """
    bound = read(frame, question, "decompose")
    chosen, roles = one_requested(metric, bound.roles)
    if not chosen.parsed.level.decomposes:
        known = [name for name, each in CATALOGUE.items() if each.parsed.level.decomposes]
        raise FairnessError(
            f"metric: {chosen.name!r} is not an average over strata; give a conditional metric, "
            f"{listed(known, 'or')}, or one made with stratified()"
        )
    refuse_taken_names(roles, {"by", "subgroup"}, (*SIDES, "n", *_figures(chosen)))
    types = dict.fromkeys(SIDES, pl.String()) | roles.strata.types | {"n": roles.size}
    types |= dict.fromkeys(_figures(chosen), pl.Float64())
    compute = partial(contributed, metric=chosen)
    in_plan = not roles.uncertain_facets
    return answer_of(bound, roles, compute, types, beside=(), in_plan=in_plan)


def contributed(seen: pl.LazyFrame, roles: Roles, metric: Metric) -> pl.LazyFrame:
    """The contributions of strata to a conditional metric, the largest first in each comparison.

    ``seen`` has the cells of all rows.
    """
    all_cells, _, sided = prepared(seen, roles)
    roles = sided.needing(metric.needs)
    cells = complete_cells(all_cells, roles)
    figures = {**_shares_beside(metric), "value": metric}
    level = metric.parsed.level
    counts = counted(with_sides(with_finest_counts(cells, roles), roles), roles, level)
    parts = strata_values(counts, roles, figures, level, keys_of(level, roles))
    of_comparison = [*roles.windows.keys, "facet", COMPARISON_KEY]
    if roles.zero_division is None:
        # As in the value of the metric: without rows on a side nothing is compared.
        sides = (pl.col(f"{side.name}.n").sum().over(of_comparison) for side in level.counted)
        has_both = pl.all_horizontal(size_of_side > 0 for size_of_side in sides)
        parts = parts.with_columns(pl.when(has_both).then("metric.value").alias("metric.value"))
    size, value = pl.col(level.size), pl.col("metric.value")
    size_of_known = pl.when(value.is_not_null()).then(size).sum()
    contribution = value * size / size_of_known.over(of_comparison)
    disfavored = written_key(pl.col(COMPARISON_KEY), roles)
    comparison, strata = [*roles.place_order, disfavored], roles.strata.keys
    parts = parts.filter(size > 0).with_columns(contribution.alias("metric.contribution"))
    of_metric = dict.fromkeys(_figures(metric), metric)
    return (
        with_known_values(parts, all_cells, sided, of_metric)
        .sort(
            [*comparison, pl.col("metric.contribution").abs(), *strata],
            descending=[*(False for _ in comparison), True, *(False for _ in strata)],
            nulls_last=True,
        )
        .select(
            *roles.windows.as_named(),
            "facet",
            disfavored.alias("disfavored"),
            favored(roles).alias("favored"),
            *roles.strata.as_named(),
            size.cast(roles.size).alias("n"),
            *(pl.col(f"metric.{name}").alias(name) for name in _figures(metric)),
        )
    )


def _figures(metric: Metric) -> tuple[str, ...]:
    return (*_shares_beside(metric), "value", "contribution")


def _shares_beside(metric: Metric) -> dict[str, Metric]:
    """The shares of d shown beside a metric: of predictions if it needs these, else of labels."""
    level = metric.parsed.level
    (_, d), (both,) = level.counted, level.sums
    counts = next((counts for need, counts in _COUNTS_OF.items() if need in metric.needs), ())
    shares = {
        f"share_of_{count}": ratio(term(f"{d.name}.{count}"), term(f"{both.name}.{count}"))
        for count in counts
    }
    return {name: Metric(name, name, Formula(level, share)) for name, share in shares.items()}
