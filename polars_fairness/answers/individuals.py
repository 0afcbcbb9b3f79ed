"""The functions `fliptest` and `consistency`: decisions on similar individuals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Unpack

import numpy as np
import polars as pl

from polars_fairness.api.bound import CheckedQuestion, read, unbound
from polars_fairness.api.clashes import refuse_unranked_groups
from polars_fairness.api.plan import answer_of, collected_unless_lazy
from polars_fairness.api.signatures import answers
from polars_fairness.counting.cells import cells_of_all_rows, one_facet_cells
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import complete_cells, row_counts, rows_seen
from polars_fairness.counting.counts import in_python, with_columns_of
from polars_fairness.counting.polars_rows import OWN, PolarsRows
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.counting.sides import (
    COMPARISON_KEY,
    favored,
    sides_decided,
    with_sides,
    written_key,
)
from polars_fairness.errors import MOST_QUOTED, FairnessError, require_extra
from polars_fairness.question.arguments import Question
from polars_fairness.question.columns import Column, Columns, GivenAs
from polars_fairness.question.facets import written
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import evaluated, place_keys, presented, types_of_values
from polars_fairness.values.neighbours import Neighbourhood, Pool, shares_accepted, space_of

PATIENCE: Final = 1.0
"""The seconds before a progress bar is shown."""

_FLIPS: Final = ("unfavorable_flips", "favorable_flips", "fliptest")
_COLUMNS_OF_MEMBERS: Final = ("facet", "disfavored", "favored", "flip", "vote")


@answers()
def fliptest(
    frame: AnyFrame,
    *,
    features: Columns,
    k: int = 5,
    standardize: bool = False,
    progress: bool | None = None,
    flips: bool = False,
    **question: Unpack[Question],
) -> PolarsFrame:
    """Compare the decision on each member of d with the votes of its nearest members of a.

    The k nearest members of a, by Euclidean distance over ``features``, vote with their outcomes. A
    tied vote counts as negative. Members of a at the same distance share the remaining places, so
    the order of rows has no effect.

    Parameters
    ----------
    features
        The columns of numbers or Booleans by which distances between individuals are measured.
    k
        The number of neighbours that vote. The default 5 becomes 1 if a has fewer than 10 rows,
        as in Clarify. With a given k, side a must have at least k rows.
    standardize
        Whether to divide every feature by its standard deviation over the rows of both sides,
        before measuring distances.
    flips
        Whether to return the members of d whose outcome flips, in place of their number.
    progress
        Whether to show a progress bar. None shows one on a terminal only, and for long work only.
    **question
        As in `metrics`, about one model and one threshold. The label, scores, strata and clusters
        are for other answers. A member of d counts with its weight; each neighbour has one vote.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison. The columns are ``facet``, ``disfavored``, ``favored``,
        ``n_disfavored``, ``n_favored``, then:

        ``unfavorable_flips``
            The members of d who were rejected although their neighbours were accepted.
        ``favorable_flips``
            The members of d who were accepted although their neighbours were rejected. These names
            assume that a positive outcome is good, even with ``favorable=False``.
        ``fliptest``
            The difference of the two, divided by ``n_disfavored``.

        With ``flips=True``, one row per member of d whose outcome flips. The columns are
        ``facet``, ``disfavored``, ``favored``, then:

        ``flip``
            "unfavorable" or "favorable".
        ``vote``
            The share of votes for acceptance.
        the columns of the frame
            The row of the member.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> loans = pl.DataFrame(
    ...     {
    ...         "sex": ["F", "F", "F", "M", "M", "M"],
    ...         "income": [20, 41, 60, 22, 40, 61],
    ...         "approved": [0, 0, 1, 0, 1, 1],
    ...     }
    ... )
    >>> question = {"facet": "sex", "disfavored": "F", "predicted": "approved"}
    >>> pf.fliptest(loans, features="income", **question).select(pl.nth(range(-3, 0)))
    shape: (1, 3)
    ┌───────────────────┬─────────────────┬──────────┐
    │ unfavorable_flips ┆ favorable_flips ┆ fliptest │
    │ ---               ┆ ---             ┆ ---      │
    │ i64               ┆ i64             ┆ f64      │
    ╞═══════════════════╪═════════════════╪══════════╡
    │ 1                 ┆ 0               ┆ 0.333333 │
    └───────────────────┴─────────────────┴──────────┘
    >>> pf.fliptest(loans, features="income", flips=True, **question).drop("facet", "favored")
    shape: (1, 6)
    ┌────────────┬─────────────┬──────┬─────┬────────┬──────────┐
    │ disfavored ┆ flip        ┆ vote ┆ sex ┆ income ┆ approved │
    │ ---        ┆ ---         ┆ ---  ┆ --- ┆ ---    ┆ ---      │
    │ str        ┆ str         ┆ f64  ┆ str ┆ i64    ┆ i64      │
    ╞════════════╪═════════════╪══════╪═════╪════════╪══════════╡
    │ F          ┆ unfavorable ┆ 1.0  ┆ F   ┆ 41     ┆ 0        │
    └────────────┴─────────────┴──────┴─────┴────────┴──────────┘
    """
    neighbourhood = Neighbourhood(k, standardize, progress)
    bound, roles = _individuals(frame, features, question, "fliptest", {"flips": flips})
    if not flips:
        shown = types_of_values(roles, _FLIPS)
        shown |= dict.fromkeys(_FLIPS[:2], roles.size)
        compute = partial(_counted_flips, neighbourhood=neighbourhood)
        answer = answer_of(bound, roles, compute, shown)
        return answer.drop("n_unknown", "rows_dropped")
    rows = unbound(frame)
    if not isinstance(rows, pl.LazyFrame | pl.DataFrame):
        raise FairnessError(
            f"flips: returns rows with all their columns, but the rows of a "
            f"{type(rows).__name__} are not loaded; load the columns to show into a polars frame "
            "first"
        )
    return collected_unless_lazy(rows, _members_flipped(rows, bound, roles, neighbourhood))


@answers()
def consistency(
    frame: AnyFrame,
    *,
    features: Columns,
    k: int = 5,
    standardize: bool = False,
    progress: bool | None = None,
    **question: Unpack[Question],
) -> PolarsFrame:
    """Return how far the decision on each individual agrees with those on its nearest neighbours.

    It is 1 minus the mean of abs(y' − v), where y' is 1 for an accepted individual, else 0, and v
    is the share accepted among its k nearest, itself included (Zemel et al. 2013, AIF360). At 1,
    similar individuals are treated alike.

    Parameters
    ----------
    features
        The columns of numbers or Booleans by which distances between individuals are measured.
    k
        The number of neighbours, including the individual itself. Individuals at the same point, or
        at the same distance, share the places that nearer individuals leave.
    standardize
        Whether to divide every feature by its standard deviation, before measuring distances.
    progress
        Whether to show a progress bar. None shows one on a terminal only, and for long work only.
    **question
        As in `fliptest`, without the facet and the sides: it is about all rows.

    Returns
    -------
    LazyFrame or DataFrame
        One row with the columns ``n``, the number of rows or the sum of their weights,
        ``rows_dropped`` and ``consistency``.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> loans = pl.DataFrame({"income": [1, 2, 3, 7, 8, 9], "approved": [0, 0, 1, 1, 1, 1]})
    >>> pf.consistency(loans, features="income", k=3, predicted="approved")["consistency"].round(3)
    shape: (1,)
    Series: 'consistency' [f64]
    [
        0.778
    ]
    """
    neighbourhood = Neighbourhood(k, standardize, progress)
    bound, roles = _individuals(frame, features, question, "consistency")
    roles = roles.with_facets(())
    shown = {"n": roles.size, "rows_dropped": pl.Int64(), "consistency": pl.Float64()}
    return answer_of(bound, roles, partial(_consistent, neighbourhood=neighbourhood), shown)


def _individuals(
    frame: AnyFrame,
    features: Columns,
    question: Question,
    answer: str,
    own: Mapping[str, Any] = MappingProxyType({}),
) -> tuple[CheckedQuestion, Roles]:
    given: Any = features if isinstance(features, list | tuple) else [features]
    places: Any = [
        GivenAs("features", each, check=_require_distances, may_be_several=True) for each in given
    ]
    bound = read(frame, {**question, "subgroup": places}, answer, own)
    roles = bound.roles.keeping(("predicted", "subgroup")).with_outcomes(("predicted",))
    refuse_unranked_groups(roles)
    if not roles.strata:
        raise FairnessError(f"features: {answer} requires it; name the features column")
    require_extra("features", "neighbours", "scipy", "tqdm")
    return bound, roles.without_intervals.row_by_row


def _require_distances(column: Column) -> None:
    """Raise for a feature that is not numeric, and say how to make it so."""
    if column.dtype.is_numeric() or column.dtype == pl.Boolean:
        return
    how = (
        f"one of its parts, such as pl.col({column.name!r}).dt.epoch('d')"
        if column.dtype.is_temporal()
        else f"frame.to_dummies({column.name!r}), or pl.col({column.name!r}) == value"
    )
    raise FairnessError(
        f"features: {column.name!r} is {column.dtype}, whose values have no distance; "
        f"encode it as numbers first: {how}"
    )


def _with_places(seen: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells of all rows with numbers as features; a row that lacks one has no prediction."""
    keys = roles.strata.keys
    cells = collected(
        seen.with_columns(pl.col(keys).cast(pl.Float64).fill_nan(None)), is_cheap=True
    )
    rows = one_facet_cells(cells.lazy(), roles).with_columns(rows=rows_seen(roles)).collect()
    for key, column in roles.strata.by_key.items():
        missing = int(rows.filter(pl.col(key).is_null())["rows"].sum())
        if missing and roles.nulls == "raise":
            raise FairnessError(
                f"features: missing values: {column.name!r} has {missing:,} "
                f"({100 * missing / int(rows['rows'].sum()):.1f} %), null or NaN; fill them, or "
                "leave these rows out with nulls='drop'"
            )
        if complete_cells(rows.lazy(), roles).collect()[key].is_infinite().any():
            raise FairnessError(
                f"features: {column.name!r} has infinite values, which have no distance to "
                "others; replace them, or leave these rows out with .filter()"
            )
    known = pl.all_horizontal(pl.col(key).is_not_null() for key in keys)
    return cells.lazy().with_columns(pl.when(known).then("predicted").alias("predicted"))


def _accepted(roles: Roles) -> pl.Expr:
    """Whether a cell, or a row with its keys, is predicted positive."""
    assert roles.predicted is not None
    return roles.predicted.positive_of(pl.col("predicted"))


def _counted_flips(seen: pl.LazyFrame, roles: Roles, neighbourhood: Neighbourhood) -> pl.LazyFrame:
    """The members of d who are decided against the votes, of both kinds, and their difference."""
    decided, roles = sides_decided(seen, roles)
    cells = _with_places(decided, roles)
    places = row_counts(cells, place_keys(roles), roles)
    complete = complete_cells(cells, roles)
    keys = ["facet", COMPARISON_KEY]
    votes, accepted, mass = pl.col("vote") > 0.5, _accepted(roles), pl.col(roles.mass)
    members = _votes(complete, roles, neighbourhood)
    is_known = votes.is_not_null().all()
    kinds = {"unfavorable_flips": votes & ~accepted, "favorable_flips": ~votes & accepted}
    flips = (
        members.lazy()
        .group_by(keys)
        .agg(
            pl.when(is_known)
            .then(mass.filter(flips).sum())
            .cast(pl.Float64)
            .alias(f"metric.{name}")
            for name, flips in kinds.items()
        )
    )
    more, fewer = (pl.col(f"metric.{name}") for name in kinds)
    no_members = pl.col("d.n") == 0
    is_compared = (pl.col("a.n") != 0) & ~no_members
    of_sides = is_compared if roles.zero_division is None else pl.lit(value=True)
    values = (
        with_columns_of(evaluated(complete, places, roles, {}, None), flips, keys)
        .with_columns(
            pl.when(no_members).then(0.0).otherwise(each).name.keep() for each in (more, fewer)
        )
        .with_columns(((more - fewer) / pl.col("d.n")).alias("metric.fliptest"))
        .with_columns(
            pl.when(of_sides).then(f"metric.{name}").alias(f"metric.{name}") for name in _FLIPS
        )
    )
    return presented(values, roles, _FLIPS).with_columns(pl.col(*kinds).cast(roles.size))


def _consistent(seen: pl.LazyFrame, roles: Roles, neighbourhood: Neighbourhood) -> pl.LazyFrame:
    """How far decisions agree with the votes of the nearest rows."""
    cells = _with_places(seen, roles)
    of_all = row_counts(cells, ["facet"], roles).select("rows_dropped").sum()
    individuals = _votes(complete_cells(cells, roles), roles, neighbourhood)
    mass, vote = pl.col(roles.mass), pl.col("vote")
    astray = pl.when(_accepted(roles)).then(1 - vote).otherwise(vote)
    value = (1 - (mass * astray).sum() / mass.sum()).fill_nan(roles.zero_division)
    sums = individuals.lazy().select(n=roles.sized(mass.sum()), consistency=value)
    return pl.concat([sums, of_all], how="horizontal").select("n", "rows_dropped", "consistency")


def _votes(cells: pl.LazyFrame, roles: Roles, neighbourhood: Neighbourhood) -> pl.DataFrame:
    """The cells of individuals with the votes of their neighbours.

    They are the members of d of each comparison, whose neighbours are members of a; without a
    facet all rows, which are their own neighbours.
    """
    from tqdm import tqdm

    sided = with_sides(cells, roles) if roles.facets else cells
    points = collected(
        sided.with_columns(accepted=pl.when(_accepted(roles)).then("n").otherwise(0))
    )
    progress = neighbourhood.progress
    with tqdm(
        desc="nearest neighbours",
        total=points.filter("in_d").height if roles.facets else points.height,
        # For tqdm, None means "on a terminal only".
        disable=None if progress is None else not progress,
        delay=PATIENCE,
        leave=False,
    ) as bar:
        no_rows = points.clear().with_columns(pl.lit(None, pl.Float64).alias("vote"))
        voted = [
            individuals.with_columns(
                _shares(individuals, pool, k, roles, neighbourhood, bar.update).alias("vote")
            )
            for individuals, pool, k in _queries(points, roles, neighbourhood)
        ]
        return pl.concat([no_rows, *voted])


def _queries(
    points: pl.DataFrame, roles: Roles, neighbourhood: Neighbourhood
) -> Iterator[tuple[pl.DataFrame, pl.DataFrame, int]]:
    """Some individuals, the pool in which their neighbours are sought, and how many of these."""
    if not roles.facets:
        if not points.is_empty():
            _refuse_too_few_neighbours(neighbourhood.k, _rows(points))
            yield points, points, neighbourhood.k
        return
    facets = {facet.name: facet for facet in roles.facets}
    for (name,), part in points.group_by("facet", maintain_order=True):
        members = part.filter(pl.col("in_d") & pl.col(COMPARISON_KEY).is_not_null())
        for (comparison,), individuals in members.group_by(COMPARISON_KEY, maintain_order=True):
            others = pl.col("value") != comparison
            pool = part.filter(others if facets[str(name)].one_against_the_rest else "in_a")
            rows = _rows(pool)
            k = neighbourhood.neighbours_among(rows)
            if rows:
                side = f" on side a of {name!r}"
                if part["value"].n_unique() <= MOST_QUOTED:
                    side += f", with {written(str(comparison))!r} as side d"
                _refuse_too_few_neighbours(k, rows, side)
            yield individuals, pool, k


def _refuse_too_few_neighbours(k: int, rows: int, side: str = "") -> None:
    if rows < k:
        raise FairnessError(
            f"k: {k} neighbours were requested, but there are only {rows} rows{side}; lower k"
        )


def _rows(points: pl.DataFrame) -> int:
    return int(points["n"].sum())


def _shares(
    individuals: pl.DataFrame,
    among: pl.DataFrame,
    k: int,
    roles: Roles,
    neighbourhood: Neighbourhood,
    report: Callable[[int], object],
) -> pl.Series:
    if among.is_empty():
        return pl.Series([None], dtype=pl.Float64).new_from_index(0, individuals.height)
    keys = roles.strata.keys
    pool_points = among.group_by(keys).agg(pl.col("n", "accepted").sum())
    rows = [frame["n"].to_numpy() for frame in (pool_points, individuals)]
    points, queries = (
        np.ascontiguousarray(frame.select(keys).to_numpy()) for frame in (pool_points, individuals)
    )
    space = space_of(points, queries, np.concatenate(rows) if neighbourhood.standardize else None)
    pool = Pool(space, rows[0], pool_points["accepted"].to_numpy())
    return pl.Series(shares_accepted(pool, k, report))


def _members_flipped(
    frame: pl.LazyFrame | pl.DataFrame,
    bound: CheckedQuestion,
    roles: Roles,
    neighbourhood: Neighbourhood,
) -> pl.LazyFrame:
    """The members of d whose neighbours vote against their prediction."""
    rows = PolarsRows(frame.lazy())
    own = rows.schema.names()
    for name in _COLUMNS_OF_MEMBERS:
        if name in own:
            raise FairnessError(
                f"flips: the result adds a column {name!r}, and there is one already; rename the "
                "frame's column"
            )
    cells = cells_of_all_rows(bound.rows, roles)
    keys = ["facet", "value", *roles.strata.keys]
    types = cells.collect_schema()
    voted = {"disfavored": pl.String(), "favored": pl.String(), "vote": pl.Float64()}
    floats = dict.fromkeys(roles.strata.keys, pl.Float64())
    vote = partial(_votes_on_members, roles=roles, neighbourhood=neighbourhood, keys=keys)
    votes = in_python(cells, vote, {**{key: types[key] for key in keys}, **floats, **voted})
    members = pl.concat(rows.members(roles, facet) for facet in roles.facets)
    accepted = _accepted(roles)
    return (
        members.with_columns(pl.col(roles.strata.keys).cast(pl.Float64))
        .join(votes, on=keys, nulls_equal=True, maintain_order="left")
        .filter((pl.col("vote") > 0.5) != accepted)
        .with_columns(
            flip=pl.when(accepted).then(pl.lit("favorable")).otherwise(pl.lit("unfavorable"))
        )
        .sort(*roles.place_order, "disfavored", nulls_last=True, maintain_order=True)
        .select(*_COLUMNS_OF_MEMBERS, *(pl.col(f"{OWN}{name}").alias(name) for name in own))
    )


def _votes_on_members(
    cells: pl.DataFrame, roles: Roles, neighbourhood: Neighbourhood, keys: Sequence[str]
) -> pl.DataFrame:
    """The vote on the members of d at each point, with the two sides of their comparison."""
    decided, roles = sides_decided(cells.lazy(), roles)
    complete = complete_cells(_with_places(decided, roles), roles)
    individuals = _votes(complete, roles, neighbourhood)
    return individuals.select(
        *keys,
        written_key(pl.col(COMPARISON_KEY), roles).alias("disfavored"),
        favored(roles).alias("favored"),
        "vote",
    ).unique(keys, maintain_order=True)
