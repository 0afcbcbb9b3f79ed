"""The function `representation`: the shares of groups in the data and in a population."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import isfinite
from typing import Any, Final, Unpack

import polars as pl

from polars_fairness.api.bound import read
from polars_fairness.api.columns import REPRESENTED, types_of
from polars_fairness.api.plan import answer_of
from polars_fairness.api.signatures import answers
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import complete_cells
from polars_fairness.counting.counts import CLUSTER, shared, with_columns_of
from polars_fairness.counting.faults import Faults, Found, texts_of, whole
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.errors import (
    FairnessError,
    listed,
    quoted,
    require_confidence,
    require_extra,
    shown,
)
from polars_fairness.inference.closed_forms import wilson_of
from polars_fairness.inference.significance import adjusted, chi_squared_p
from polars_fairness.question.arguments import Question
from polars_fairness.question.audit_arguments import P_VALUES
from polars_fairness.question.columns import Column
from polars_fairness.question.facets import Facet, key_of, written
from polars_fairness.question.judging import PValues
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import groups_shown

_LEAST_EXPECTED: Final = 5
"""The fewest expected rows of each group for a valid chi-squared test (Cochran 1954)."""

_TOO_FEW: Final = (
    f"reference: a group would have fewer than {_LEAST_EXPECTED} rows, too few for a test"
)

_SQUARES: Final = "squares\x1f"


@answers(columns=REPRESENTED)
def representation(
    frame: AnyFrame,
    *,
    reference: Shares,
    confidence: float | None = 0.95,
    p_values: PValues | None = None,
    **question: Unpack[Question],
) -> PolarsFrame:
    """Return the share of each group in the data, and its share in a population.

    The population is the one that the data should represent, such as the adults of a region. The
    data cannot show whether it is the right population, or whether its shares are right.

    Parameters
    ----------
    reference
        The shares in the population: ``{value: share}``, or a polars frame with the column of the
        facet and one more column. Percentages and numbers of people are scaled to add up to 1.
        For several facets, ``{facet: shares}``; for an intersection, the values are tuples.
    confidence
        The confidence level of the intervals; None for none.
    p_values
        "exact" for the p-value of the chi-squared test, which compares all groups of a facet at
        once; "holm" or "bh" to adjust it for the number of facets and windows. Extra
        ``significance``.
    **question
        As in `metrics`. Outcomes, scores, sides and ``subgroup`` are for other answers.

    Returns
    -------
    LazyFrame or DataFrame
        One row for each group of each facet, even without rows, and one for the rows whose facet
        is unknown, which have no share. The columns are those of ``by``, then:
        {columns}

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> rows = pl.DataFrame({"sex": ["F"] * 30 + ["M"] * 70})
    >>> answer = pf.representation(rows, facet="sex", reference={"F": 0.5, "M": 0.5})
    >>> answer.select("value", "share", "reference", "ratio", pl.col("lower", "upper").round(3))
    shape: (2, 6)
    ┌───────┬───────┬───────────┬───────┬───────┬───────┐
    │ value ┆ share ┆ reference ┆ ratio ┆ lower ┆ upper │
    │ ---   ┆ ---   ┆ ---       ┆ ---   ┆ ---   ┆ ---   │
    │ str   ┆ f64   ┆ f64       ┆ f64   ┆ f64   ┆ f64   │
    ╞═══════╪═══════╪═══════════╪═══════╪═══════╪═══════╡
    │ F     ┆ 0.3   ┆ 0.5       ┆ 0.6   ┆ 0.438 ┆ 0.792 │
    │ M     ┆ 0.7   ┆ 0.5       ┆ 1.4   ┆ 1.208 ┆ 1.562 │
    └───────┴───────┴───────────┴───────┴───────┴───────┘
    """
    require_confidence(confidence)
    P_VALUES.refuse_other_values(p_values)
    if p_values is not None:
        require_extra("p_values", "significance", "scipy")
    own = {"confidence": confidence, "p_values": p_values}
    bound = read(frame, question, "representation", own)
    roles = bound.roles.without_models.without_outcomes
    population = find_shares(roles.facets, reference)
    compute = partial(represented, population=population, confidence=confidence, p_values=p_values)
    by_cluster = confidence is not None
    in_plan = p_values is None and not (by_cluster and roles.left_out)
    return answer_of(
        *(bound, roles, compute, REPRESENTED),
        without=[] if p_values else ["p_value"],
        by_cluster=by_cluster,
        in_plan=in_plan,
    )


Shares = Mapping[Any, Any] | pl.DataFrame | pl.LazyFrame

# Shares in per cent of a census are rounded.
_LEAST: Final = 0.99


def find_shares(facets: Sequence[Facet], given: Shares) -> pl.DataFrame:
    """The share of each group of each facet, with the columns ``facet``, ``value``, ``reference``.

    Shares, percentages and numbers of people add up to 1 for each facet.
    """
    columns = [facet.column for facet in facets]
    parts = []
    for facet, shares in _shares_by_facet(facets, given):
        numbers: dict[str, float] = {}
        for value, number in _pairs(facet.column, shares):
            if value is None or (isinstance(value, tuple) and None in value):
                raise FairnessError(
                    f"reference: {facet.name!r} has a share of an unknown group; leave it out, as "
                    "shares are those of the known groups"
                )
            key = key_of("reference", facet.column, value, columns)
            if key in numbers:
                raise FairnessError(
                    f"reference: {written(key)!r} of {facet.name!r} has two shares; give one"
                )
            numbers[key] = _number(facet, key, number)
        total = sum(numbers.values())
        if total < _LEAST:
            raise FairnessError(
                f"reference: the shares of {facet.name!r} add up to {total:g}; give those of all "
                "groups, which add up to 1, or numbers of people"
            )
        scaled = [number / total for number in numbers.values()]
        parts.append(pl.DataFrame({"facet": facet.name, "value": [*numbers], "reference": scaled}))
    return pl.concat(parts)


def _shares_by_facet(facets: Sequence[Facet], given: Shares) -> Iterator[tuple[Facet, Shares]]:
    """The shares of each facet: those of the only one, or of each by its name."""
    if not isinstance(given, Mapping | pl.DataFrame | pl.LazyFrame):
        raise FairnessError(
            f"reference: takes {{value: share}} or a polars frame, got {shown(given)}"
        )
    frames = (Mapping, pl.DataFrame, pl.LazyFrame)
    if isinstance(given, Mapping) and any(isinstance(each, frames) for each in given.values()):
        names = [facet.name for facet in facets]
        if {*given} != {*names}:
            raise FairnessError(
                f"reference: has shares for {listed(given)}, but facet= has "
                f"{listed(names)}; give {{facet: shares}} for each of them"
            )
        yield from ((facet, given[facet.name]) for facet in facets)
    elif len(facets) > 1:
        raise FairnessError(
            f"reference: there are {len(facets)} facets, {listed(each.name for each in facets)}; "
            "give {facet: shares} for each of them"
        )
    else:
        yield facets[0], given


def _pairs(column: Column, given: Shares) -> Iterator[tuple[Any, Any]]:
    if isinstance(given, Mapping):
        yield from given.items()
        return
    frame = given if isinstance(given, pl.DataFrame) else given.collect()
    fields = [column.name]
    if isinstance(column.dtype, pl.Struct) and column.name not in frame.columns:
        fields = [field.name for field in column.dtype.fields]
    numbers = [name for name in frame.columns if name not in fields]
    if not {*fields} <= {*frame.columns} or len(numbers) != 1:
        raise FairnessError(
            f"reference: the frame has the columns {listed(frame.columns)}; give one with "
            f"{listed(fields)} and one more column, the share or the number of people"
        )
    for *values, number in frame.select(*fields, *numbers).rows():
        # A struct is a dictionary in Python, and a facet of several columns a tuple.
        value = tuple(values[0].values()) if isinstance(values[0], dict) else tuple(values)
        yield (value if isinstance(column.dtype, pl.Struct) else value[0]), number


def _number(facet: Facet, key: str, number: Any) -> float:
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    if not is_number or not isfinite(number) or number < 0:
        raise FairnessError(
            f"reference: the share of {written(key)!r} of {facet.name!r} is {shown(number)}; give "
            "a number of at least 0"
        )
    return float(number)


def represented(
    seen: pl.LazyFrame,
    roles: Roles,
    population: pl.DataFrame,
    confidence: float | None,
    p_values: PValues | None,
) -> pl.LazyFrame:
    """Each group of each window with its shares, from cells of all rows by facet."""
    place = [*roles.windows.keys, "facet"]
    mass, squares = roles.mass, roles.squares
    used = complete_cells(seen, roles)
    groups = used.group_by(*place, "value").agg(
        n=pl.col(mass).sum(), **{_SQUARES: pl.col(squares).sum().cast(pl.Float64)}
    )
    groups = shared(_without_other_groups(groups, population.lazy(), roles))
    every = groups.select(place).unique().join(population.lazy(), on="facet")
    table = every.join(groups, on=[*place, "value"], how="full", coalesce=True, nulls_equal=True)
    is_known = pl.col("value").is_not_null()

    def sum_of_place(of_known: pl.Expr) -> pl.Expr:
        total = pl.when(is_known).then(of_known).sum()
        return total.over(place)

    size, reference = pl.col("n").cast(pl.Float64), pl.col("reference")
    ordered = table.sort(*roles.place_order, "value")
    counted = ordered.with_columns(pl.col("n", _SQUARES).fill_null(0))
    total = sum_of_place(size)
    shares = counted.with_columns(
        share=pl.when(is_known, total > 0).then(size / total),
        effective=total**2 / sum_of_place(pl.col(_SQUARES)),
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
    tested = _tested(of_places, p_values)
    bounds = (pl.lit(None, pl.Float64), pl.lit(None, pl.Float64))
    if confidence is not None:
        of = pl.col("effective")
        if roles.left_out:
            rows = _rows_over_clusters(used, shares, place, mass, confidence)
            shares = shares.join(rows, on=[*place, "value"], how="left", nulls_equal=True)
            of = pl.col("rows")
        bounds = wilson_of(share, of, confidence)
    is_untested = pl.lit(p_values is not None) & (pl.col("least") < _LEAST_EXPECTED)
    joined = with_columns_of(shares, tested, place)
    answer = joined.with_columns(
        ratio=share / reference,
        lower=bounds[0] / reference,
        upper=bounds[1] / reference,
        psi=pl.when(is_known, "is_any").then("psi"),
        p_value=pl.when(is_known).then("p_value"),
        note=pl.when(is_known, is_untested).then(pl.lit(_TOO_FEW)),
    )
    types = types_of(REPRESENTED[2:], roles.size, [] if p_values else ["p_value"])
    shown = {name: pl.col(name).cast(dtype) for name, dtype in types.items()}
    return groups_shown(answer, roles, shown)


def _rows_over_clusters(
    used: pl.LazyFrame, shares: pl.LazyFrame, place: list[str], mass: str, confidence: float
) -> pl.LazyFrame:
    """The rows that the interval of each share counts: all known rows, over clusters."""
    from polars_fairness.inference.deviations import rows_over_clusters  # it needs numpy

    known, keys = used.filter(pl.col("value").is_not_null()), [*place, "value"]
    own = known.group_by(*keys, CLUSTER).agg(above=pl.col(mass).sum())
    whole = known.group_by(*place, CLUSTER).agg(whole=pl.col(mass).sum())
    groups = shares.select(*keys, "effective").filter(pl.col("value").is_not_null())
    every = groups.join(whole, on=place, nulls_equal=True)
    by_cluster = every.join(own, on=[*keys, CLUSTER], how="left", nulls_equal=True)
    above, rows = pl.col("above").fill_null(0), pl.col("effective") / pl.len()
    return rows_over_clusters(
        collected(by_cluster.with_columns(above=above, rows=rows.over(keys))),
        keys,
        pl.col("above") / pl.col("whole"),
        pl.col("whole"),
        pl.col("rows"),
        confidence,
    ).lazy()


def _without_other_groups(
    groups: pl.LazyFrame, population: pl.LazyFrame, roles: Roles
) -> pl.LazyFrame:
    """The groups, in a plan that raises if one of them has no share in the population."""
    known = pl.col("value").is_not_null() & (pl.col("n") > 0)
    is_other, facet = known & pl.col("reference").is_null(), pl.col("facet")
    faults = Faults(roles)

    def groups_of(table: pl.DataFrame, name: str) -> str:
        here = table.filter(known, facet == name)
        values = texts_of(here.filter(is_other)["value"].unique().sort())
        return quoted(values, here["value"].n_unique(), "groups", str)

    for name in sorted(each.name for each in roles.facets):
        others = is_other & (facet == name)
        faults.add(
            others.any(),
            f"reference: '{name}' has ",
            Found("groups", partial(groups_of, name=name)),
            " in the data, and ",
            whole(pl.col("n").filter(others).sum(), "their"),
            " rows have no share in the population; add it, or give the value as unknown",
        )
    beside = groups.join(population, on=["facet", "value"], how="left")
    return faults.raised(beside).drop("reference")


def _tested(places: pl.LazyFrame, requested: PValues | None) -> pl.LazyFrame:
    """The p-values of the population's shares, one test for each facet of each window."""
    if requested is None:
        return places.with_columns(p_value=pl.lit(None, pl.Float64))
    table = collected(places)
    is_tested = (table["least"] >= _LEAST_EXPECTED) & table["statistic"].is_finite()
    statistics = table.select(pl.when(is_tested).then("statistic")).to_series()
    p_values = adjusted(chi_squared_p(statistics, table["freedom"]), requested)
    return table.with_columns(p_values).lazy()
