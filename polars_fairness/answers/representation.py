"""Cells to representation: the share of each group in the data beside its share elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import Final

import polars as pl

from polars_fairness.answers.columns import REPRESENTED, names_of, types_of
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.counting.sides import written_key
from polars_fairness.errors import FairnessError, quoted
from polars_fairness.inference.closed_forms.rates import wilson_of
from polars_fairness.inference.significance import adjusted, chi_squared_p
from polars_fairness.question.facets import written
from polars_fairness.question.judging import PValues
from polars_fairness.question.roles import Roles

COLUMNS: Final = names_of(REPRESENTED)
"""The columns of the result after those of ``by``."""

_LEAST_EXPECTED: Final = 5
"""A chi-squared test holds for so many expected rows of each group (Cochran 1954)."""

_TOO_FEW: Final = (
    f"reference: a group would have fewer than {_LEAST_EXPECTED} rows, too few for a test"
)

_SQUARES: Final = "squares\x1f"


def schema(roles: Roles, p_values: PValues | None) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    without = () if p_values else ("p_value",)
    return pl.Schema({**roles.windows.types, **types_of(REPRESENTED, roles.size, without)})


def represented(
    seen: pl.LazyFrame,
    roles: Roles,
    population: pl.DataFrame,
    confidence: float | None,
    p_values: PValues | None,
) -> pl.LazyFrame:
    """Each group of each window with its shares, from cells of all rows by facet."""
    place = [*roles.windows.keys, "facet"]
    mass, squares = ("n", "n") if roles.weight is None else ("weight", "weight_sq")
    groups = collected(
        of_complete_rows(seen, roles)
        .group_by(*place, "value")
        .agg(n=pl.col(mass).sum(), **{_SQUARES: pl.col(squares).sum().cast(pl.Float64)})
    )
    _refuse_other_groups(groups, population)
    every = groups.select(place).unique().join(population, on="facet")
    table = every.join(groups, on=[*place, "value"], how="full", coalesce=True, nulls_equal=True)
    is_known = pl.col("value").is_not_null()

    def in_place(of_known: pl.Expr) -> pl.Expr:
        total = pl.when(is_known).then(of_known).sum()
        return total.over(place)

    size, reference = pl.col("n").cast(pl.Float64), pl.col("reference")
    counted = table.with_columns(pl.col("n", _SQUARES).fill_null(0))
    total = in_place(size)
    shares = counted.with_columns(
        share=pl.when(is_known, total > 0).then(size / total),
        effective=total**2 / in_place(pl.col(_SQUARES)),
    )
    share = pl.col("share")
    psi = (share - reference) * (share / reference).log()
    # A group without rows on both sides has no part in it.
    psi = pl.when(share == reference).then(0.0).otherwise(psi)
    of_places = (
        shares.filter(is_known)
        .group_by(place, maintain_order=True)
        .agg(
            psi=psi.sum(),
            statistic=(pl.col("effective") * (share - reference) ** 2 / reference).sum(),
            freedom=pl.len() - 1,
            least=(pl.col("effective") * reference).min(),
            is_any=share.is_not_null().any(),
        )
    )
    tested = of_places.with_columns(_p_values(of_places, p_values))
    bounds = (pl.lit(None, pl.Float64), pl.lit(None, pl.Float64))
    if confidence is not None:
        z = NormalDist().inv_cdf((1 + confidence) / 2)
        bounds = wilson_of(share, pl.col("effective"), z)
    is_untested = pl.lit(p_values is not None) & (pl.col("least") < _LEAST_EXPECTED)
    answer = shares.join(tested, on=place, how="left", nulls_equal=True).with_columns(
        ratio=share / reference,
        lower=bounds[0] / reference,
        upper=bounds[1] / reference,
        psi=pl.when(is_known, "is_any").then("psi"),
        p_value=pl.when(is_known).then("p_value"),
        note=pl.when(is_known, is_untested).then(pl.lit(_TOO_FEW)),
        written=written_key(pl.col("value"), roles),
    )
    types = schema(roles, p_values)
    named = answer.sort(*place, "written", "value", nulls_last=True).with_columns(value="written")
    return (
        named.with_columns(roles.windows.as_named())
        .select(pl.col(name).cast(dtype) for name, dtype in types.items())
        .lazy()
    )


def _refuse_other_groups(groups: pl.DataFrame, population: pl.DataFrame) -> None:
    """Raise if the data have groups whose share in the population is not known."""
    known = groups.filter(pl.col("value").is_not_null(), pl.col("n") > 0)
    others = known.join(population, on=["facet", "value"], how="anti")
    if others.is_empty():
        return
    facet = others["facet"].min()
    of_facet = others.filter(facet=facet).group_by("value").agg(pl.col("n").sum()).sort("value")
    values = [written(value) for value in of_facet["value"]]
    distinct = known.filter(facet=facet)["value"].n_unique()
    raise FairnessError(
        f"reference: {facet!r} has {quoted(values, distinct, 'groups')} in the data, and "
        f"{of_facet['n'].sum():,g} rows have no share in the population; add it, or give the value "
        "as unknown"
    )


def _p_values(places: pl.DataFrame, requested: PValues | None) -> pl.Series:
    """The p-values of equal shares, one test for each facet of each window."""
    if requested is None:
        return pl.Series("p_value", [None] * places.height, pl.Float64)
    is_tested = (places["least"] >= _LEAST_EXPECTED) & places["statistic"].is_finite()
    statistics: Sequence[float | None] = [
        value if tested else None
        for value, tested in zip(places["statistic"], is_tested, strict=True)
    ]
    return adjusted(chi_squared_p(statistics, places["freedom"]), requested)
