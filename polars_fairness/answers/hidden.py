"""Groups of few people, whose counts and values an answer leaves out.

A group is hidden if it has fewer people than the smallest number that may be shown. One hidden
group alone would follow from the count of all rows, and so would two of one person each. So the
next smallest groups are hidden too, until two are and, beyond one person in each, they have as many
people together as the smallest number.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import polars as pl

from polars_fairness.counting.counts import with_columns_of
from polars_fairness.counting.sides import ALL, COMPARISON_KEY, members, with_sides
from polars_fairness.formula.metric import Metric
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import ROWS, rated, types_of_rates
from polars_fairness.values.lines import METRIC

# Inner columns: no column of a caller has such a name.
IS_HIDDEN, PLACE, PEOPLE, _ANY, _UNKNOWN = (
    f"{name}\x1f" for name in ("hidden", "place", "people", "any", "unknown")
)
OF_METRIC: Final = (METRIC, "metric", "ideal", "band_lower", "band_upper")
"""What is the same in all rows of a metric."""
ROW_COUNTS: Final = ("n_unknown", "rows_seen", "rows_used", "rows_dropped")
KNOWN_WITHOUT_VALUES: Final = (COMPARISON_KEY, "disfavored", "favored", *OF_METRIC, *ROW_COUNTS)
"""What a row of an audit says of its comparison, its metric and all rows, and not of a group.

Besides windows and facets. Where a group is hidden or gone, all other columns are null, also those
that are added later.
"""
_IN_SIDES: Final = ("in_d", "in_a")
NOTE: Final = "note"


def note_of_hidden(least: int) -> pl.Expr:
    """Why a row has no counts and values."""
    return pl.lit(f"hidden: fewer than {least} people, or next to such a group")


def has_hidden_note(least: int) -> pl.Expr:
    """Whether the note of a row says that it is hidden."""
    return (pl.col(NOTE) == note_of_hidden(least)).fill_null(value=False)


def with_hidden(
    groups: pl.LazyFrame, places: Sequence[str], keys: Sequence[str], people: str, least: int
) -> pl.LazyFrame:
    """Add whether groups, each a row of its place, are hidden; sorted by their number of people.

    Examples
    --------
    >>> groups = pl.LazyFrame({"facet": "race", "value": [*"abcd"], "n": [50, 4, 0, 20]})
    >>> with_hidden(groups, ["facet"], ["value"], "n", 10).collect()["value", IS_HIDDEN].rows()
    [('c', False), ('b', True), ('d', True), ('a', False)]
    """
    n = pl.when(pl.col(people) > 0).then(people)
    beyond = (n - 1).cum_sum().over(places) - (n - 1)
    is_beside = (n.cum_count().over(places) <= 2) | (beyond < least)
    has_small = (n < least).any().over(places)
    return groups.sort(people, *keys, nulls_last=True).with_columns(
        (has_small & n.is_not_null() & ((n < least) | is_beside))
        .fill_null(value=False)
        .alias(IS_HIDDEN)
    )


def nulled(table: pl.DataFrame, is_hidden: pl.Expr, names: Collection[str]) -> list[pl.Expr]:
    """These columns of a table, null where rows are hidden."""
    # By place: polars takes a name such as `^a$` or `*` for a pattern.
    return [
        pl.when(~is_hidden).then(pl.nth(place)).alias(name)
        for place, name in enumerate(table.columns)
        if name in names
    ]


def rated_and_hidden(
    seen: pl.LazyFrame, roles: Roles, *, least: int, has_rows: bool = False
) -> pl.LazyFrame:
    """The counts and rates of groups, hidden where they have few people, with a note."""
    table = rated(seen, roles, has_rows=True).with_row_index(PLACE)
    columns = table.collect_schema().names()
    keys = columns[1 : columns.index("n")]
    inside = {name: f"{i}\x1f" for i, name in enumerate(keys)}
    groups = table.rename(inside).with_columns(
        pl.col(ROWS if ROWS in columns else "n").alias(PEOPLE)
    )
    *places, value = inside.values()
    marked = with_hidden(groups, places, [value], PEOPLE, least).sort(PLACE)
    is_hidden, shown = pl.col(IS_HIDDEN), types_of_rates(roles, has_rows=has_rows)
    return marked.select(
        *(pl.col(key).alias(name) for name, key in inside.items()),
        *(pl.when(~is_hidden).then(name).alias(name) for name in shown if name not in inside),
        pl.when(is_hidden).then(note_of_hidden(least)).alias(NOTE),
    )


def cells_and_hidden(cells: pl.LazyFrame, by: int, facets: int, least: int) -> pl.LazyFrame:
    """The cells, without counts where few people have the same values of all facets.

    The first columns are those of ``by``, and then those of the facets.
    """
    names = cells.collect_schema().names()
    inside = {name: f"{i}\x1f" for i, name in enumerate(names)}
    numbers = names[names.index("n") :]
    keys = list(inside.values())[: by + facets]
    whole = cells.rename(inside).with_columns(pl.lit(0).alias(PLACE))
    groups = whole.group_by(PLACE, *keys).agg(pl.col(inside["n"]).sum().alias(PEOPLE))
    marked = with_hidden(groups, [PLACE, *keys[:by]], keys[by:], PEOPLE, least)
    is_hidden, note = pl.col(IS_HIDDEN), note_of_hidden(least)
    return (
        whole.join(marked, on=[PLACE, *keys], nulls_equal=True, maintain_order="left")
        .with_columns(pl.when(~is_hidden).then(pl.col(inside[each])) for each in numbers)
        .with_columns(pl.when(is_hidden).then(note).alias(NOTE))
        .select(*(pl.col(key).alias(name) for name, key in inside.items()), NOTE)
    )


_RANGE: Final = ("lowest", "highest")


def hidden_rows(
    rows: pl.DataFrame, cells: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric], least: int
) -> pl.DataFrame:
    """The rows of an audit, without counts and values by which those of a hidden group are known.

    A side that is all others, or all rows, gives the number of rows of unknown group, and a metric
    without sides rests on all groups. Notes on strata have numbers of rows.
    """
    marked = _marked(rows, cells, roles, least)
    is_hidden, verdict = pl.col(IS_HIDDEN), pl.col("verdict")
    shows_unknown = ~pl.col(_UNKNOWN).fill_null(value=True)
    of_strata = [name for name, metric in metrics.items() if "subgroup" in metric.needs]
    kept = pl.when(~pl.col("metric").is_in(of_strata)).then(NOTE)
    known = (*roles.windows.keys, "facet", *KNOWN_WITHOUT_VALUES, *_RANGE, "verdict", NOTE)
    return marked.with_columns(
        *nulled(marked, is_hidden, {*marked.columns} - {*known}),
        *nulled(marked, is_hidden | ~shows_unknown, _RANGE),
        # A count of the whole facet is the same in each of its rows.
        *nulled(marked, ~shows_unknown, ["n_unknown"]),
        *nulled(marked, pl.col("rows_seen").is_between(1, least - 1), ROW_COUNTS[1:]),
        pl.when(~is_hidden | verdict.is_null())
        .then(verdict)
        .otherwise(pl.lit("undefined"))
        .alias("verdict"),
        pl.when(is_hidden).then(note_of_hidden(least)).otherwise(kept).alias(NOTE),
    )


def _marked(rows: pl.DataFrame, cells: pl.LazyFrame, roles: Roles, least: int) -> pl.DataFrame:
    """The rows, and whether they are hidden, and whether those of unknown group are."""
    place = [*roles.windows.keys, "facet"]
    places = [*place, *roles.reference_keys]
    if roles.are_joint:
        cells = cells.filter(pl.col("facet") != roles.joint_facet)
    people = cells.group_by(*places, "value").agg(pl.col("n").sum())
    groups = with_hidden(people, place, ["value"], "n", least)
    is_hidden = pl.col(IS_HIDDEN)
    unknown = (is_hidden & pl.col("value").is_null()).any().alias(_UNKNOWN)
    of_place = groups.group_by(place).agg(is_hidden.any().alias(_ANY), unknown)
    sided = with_sides(groups, roles)
    compared = sided.select(*places, COMPARISON_KEY).unique().drop_nulls(COMPARISON_KEY)
    of_sides = (
        members(compared, sided, roles)
        .group_by(*place, COMPARISON_KEY)
        .agg((pl.col(side) & is_hidden).any().alias(f"{side}{IS_HIDDEN}") for side in _IN_SIDES)
    )
    in_d, in_a = (pl.col(f"{side}{IS_HIDDEN}") for side in _IN_SIDES)
    names_a = pl.col("favored").is_not_null() & (pl.col("favored") != ALL)
    is_of_sides = in_d | pl.when(names_a).then(in_a).otherwise(_UNKNOWN)
    has_sides = pl.col(COMPARISON_KEY).is_not_null()
    # What the combinations of facets hide is not looked at: metrics over them are hidden.
    is_hidden = pl.when(has_sides).then(is_of_sides).otherwise(_ANY).fill_null(value=True)
    joined = rows.lazy()
    for flags, keys in ((of_place, place), (of_sides, [*place, COMPARISON_KEY])):
        joined = with_columns_of(joined, flags, keys)
    return joined.with_columns(is_hidden.alias(IS_HIDDEN)).collect()
