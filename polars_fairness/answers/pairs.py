"""The function `pairs`: how often the same case is decided differently for another group."""

from __future__ import annotations

from typing import Final, Unpack, cast

import polars as pl

from polars_fairness.answers.switches import mcnemar_of
from polars_fairness.api.bound import read
from polars_fairness.api.columns import PAIRED
from polars_fairness.api.plan import answer_of
from polars_fairness.api.signatures import answers
from polars_fairness.counting.complete_rows import complete_cells
from polars_fairness.counting.counts import with_finest_counts
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.counting.sides import COMPARISON_KEY, favored, with_sides, written_key
from polars_fairness.errors import FairnessError
from polars_fairness.formula.formulas import Formula
from polars_fairness.formula.levels import STRATUM
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import a_i, d_i
from polars_fairness.formula.tree import ratio
from polars_fairness.question.arguments import Question
from polars_fairness.question.columns import GivenAs
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import prepared
from polars_fairness.values.levels import counted, keys_of, strata_values

_ROUNDING: Final = 1e-12

_RATES: Final = {
    side.name: Metric(side.name, "", Formula(STRATUM, ratio(side.accepted, side.n)))
    for side in (d_i, a_i)
}


@answers(columns=PAIRED)
def pairs(frame: AnyFrame, **question: Unpack[Question]) -> PolarsFrame:
    """Return how often the same case is decided differently when only its group differs.

    A case is a prompt, a résumé or an application that is decided once for each group; ``cluster``
    names it. If a case has several rows of a group, the share of them that is accepted counts.

    Parameters
    ----------
    **question
        As in `metrics`, with ``predicted``, and with the case of each row as ``cluster``.
        ``label`` only affects which rows are complete.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison. The columns are those of ``by``, with several models ``model``, with
        several classes ``positive``, then:
        {columns}

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> answers = pl.DataFrame(
    ...     {
    ...         "case": [1, 1, 2, 2, 3, 3],
    ...         "name": ["Emily", "Lakisha"] * 3,
    ...         "call": [True, True, True, False, False, False],
    ...     }
    ... )
    >>> question = {"facet": "name", "disfavored": "Lakisha", "predicted": "call"}
    >>> pf.pairs(answers, cluster="case", **question).select("n", "only_favored", "difference")
    shape: (1, 3)
    ┌─────┬──────────────┬────────────┐
    │ n   ┆ only_favored ┆ difference │
    │ --- ┆ ---          ┆ ---        │
    │ i64 ┆ i64          ┆ f64        │
    ╞═════╪══════════════╪════════════╡
    │ 3   ┆ 1            ┆ 0.333333   │
    └─────┴──────────────┴────────────┘
    """
    read(frame, question, "pairs")
    if (case := question.get("cluster")) is None:
        raise FairnessError("cluster: pairs needs the case of each row; name its column")
    # Each case is a stratum.
    by_case = {**question, "cluster": None, "subgroup": [GivenAs("cluster", case)]}
    bound = read(frame, cast("Question", by_case))
    roles = bound.roles.keeping({"predicted", "subgroup"})
    return answer_of(bound, roles, paired, PAIRED)


def paired(seen: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """Every comparison with its cases, from the cells of all rows by case."""
    cells, _, sided = prepared(seen, roles)
    roles = sided.needing({"predicted"})
    cells = with_finest_counts(complete_cells(cells, roles), roles)
    counts = counted(with_sides(cells, roles), roles, STRATUM)
    cases = strata_values(counts, roles, _RATES, STRATUM, keys_of(STRATUM, roles))
    d, a = (pl.col(f"metric.{name}") for name in _RATES)
    is_pair, is_alike = d.is_not_null() & a.is_not_null(), (d - a).abs() < _ROUNDING
    kinds = {
        "n": is_pair,
        "unpaired": ~is_pair,
        "both_accepted": is_alike & (d > 0),
        "only_favored": ~is_alike & (a > d),
        "only_disfavored": ~is_alike & (d > a),
        "both_rejected": is_alike & (d == 0),
    }
    keys = [*roles.windows.keys, "facet", COMPARISON_KEY, *roles.reference_keys]
    table = (
        cases.filter(pl.col(STRATUM.size) > 0)
        .group_by(keys, maintain_order=True)
        .agg(
            *(
                each.fill_null(value=False).sum().cast(pl.Int64).alias(name)
                for name, each in kinds.items()
            ),
            difference=(a - d).mean(),
        )
    )
    sides = written_key(pl.col(COMPARISON_KEY), roles), favored(roles)
    order = [*roles.place_order, sides[0]]
    return table.sort(order, nulls_last=True, maintain_order=True).select(
        *roles.windows.as_named(),
        "facet",
        *(each.alias(name) for each, name in zip(sides, ("disfavored", "favored"), strict=True)),
        *kinds,
        "difference",
        mcnemar_of(*map(pl.col, ("only_favored", "only_disfavored"))).alias("mcnemar_p_value"),
    )
