"""Columns to cells: how each column is counted, and its cells as arrays of numbers.

A column is counted by its values, in bins, or by whether it is known: one read of the rows decides,
and one group-by counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from json import loads
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl

from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.counts import CLUSTER, GROUPS
from polars_fairness.counting.faults import errors_of_users
from polars_fairness.counting.polars_rows import PolarsRows
from polars_fairness.formula.arrays import Floats, Ints
from polars_fairness.question.columns import Column, KeyColumns
from polars_fairness.question.facets import written
from polars_fairness.question.roles import Roles

_BINS: Final = 20
"""Numbers of more values are counted in so many bins of about as many rows."""

_KEPT: Final = 50_000
"""Edges of bins follow from so many rows, and from fewer and fewer of those after them."""

_MOST_VALUES, _MOST_OF_ALL, _ROWS_OF_A_VALUE = 200, 50_000, 20
"""Of more values a text is an identifier: of 900 zip codes in 200,000 rows, an unrelated column had
a V of 0.013, and one that told groups apart its 0.440."""

_SLACK: Final = 1.25
"""Of 20 values an estimate was 19 to 21: up to a quarter more, values are counted first."""

_MOST_OF_CLUSTERS: Final = 2_000
"""Each group of clusters has a table of all values."""

_ROUNDING: Final = 1e-9

_VALUE: Final = "subgroup.0"
_PLACE, _MASS, _SQUARES = (f"{name}\x1f" for name in ("place", "mass", "squares"))
WINDOW, _FACET, _GROUP, _VALUE_PLACE, _LABEL, _UNIT = (
    f"{name}\x1f" for name in ("window", "facet", "group", "value", "label", "unit")
)
OF_WINDOW, OF_FACET, OF_GROUP, OF_VALUE, OF_LABEL, OF_UNIT = range(6)
"""The keys of cells, by the line that has their places."""


@dataclass(frozen=True)
class Source:
    """The rows of a frame, and the question about them."""

    rows: PolarsRows
    roles: Roles

    @classmethod
    def of(cls, rows: PolarsRows, roles: Roles, name: str = "") -> Source:
        """The rows of an argument of this name, and the question about groups and labels alone."""
        counted = roles.without_models.joined(are_apart=True, are_joint=False)
        return cls(rows, counted.with_source(name))

    def cells(self, key: Key | None) -> pl.LazyFrame:
        """The cells by facet, label and a column; without one, by all facets together too."""
        roles = self.roles
        if key is None:
            is_joint = len(roles.facets) > 1 and not roles.has_intersections
            roles = roles.joined(are_apart=True, are_joint=is_joint)
            return cells_of_all_rows(self.rows, roles)
        dtype = key.column.dtype if key.kind == "values" else pl.UInt8()
        strata = KeyColumns("subgroup", (Column("value", key.by, dtype),))
        return cells_of_all_rows(self.rows, replace(roles, strata=strata))


@dataclass(frozen=True)
class Key:
    """How a column is counted: by its values, in bins, or by whether it is known."""

    column: Column
    kind: str
    distinct: int
    by: pl.Expr
    note: str | None = None

    @property
    def fields(self) -> dict[str, Any]:
        """What each row about the column says of it."""
        distinct = None if self.kind == "nested" else self.distinct
        return {"column": self.column.name, "kind": self.kind, "distinct": distinct}


def is_ordered(column: Column) -> bool:
    """Whether values are numbers or times."""
    return column.dtype.is_numeric() or column.dtype.is_temporal()


def _as_number(column: Column) -> pl.Expr:
    value = column.expression
    physical = value.to_physical() if column.dtype.is_temporal() else value
    return physical.cast(pl.Float64).fill_nan(None)


def _ways(
    source: Source, of_edges: Source, columns: Sequence[Column]
) -> Callable[[Column, int | None], Key]:
    """How a column is counted, from one read of the rows: by an estimate of how many values it has.

    Given how many these are, as cells have them, it says how they are counted in truth. The edges
    of bins follow from the first 50,000 rows, every second of the next 50,000, every third of the
    next, and so on, each with the rows that it stands for.
    """
    flat = [each for each in columns if not (each.dtype.is_nested() or each.dtype == pl.Object)]
    roles = source.roles
    units = pl.len() if roles.count is None else roles.count.expression.sum()
    if roles.cluster is not None:
        units = roles.cluster.expression.hash().approx_n_unique()
    values = {f"{_VALUE}{i}": each.expression for i, each in enumerate(flat)}
    counted = source.rows.frame.select(
        units.alias(_UNIT),
        # Hashed, since it takes no categories.
        *(value.hash().approx_n_unique().alias(name) for name, value in values.items()),
        *(value.null_count().alias(f"{name}{_MASS}") for name, value in values.items()),
    )
    count, step = of_edges.roles.count, pl.col(_PLACE) // _KEPT + 1
    sample = (
        of_edges.rows.frame.select(
            *(
                _as_number(each).alias(f"{_VALUE}{i}")
                for i, each in enumerate(flat)
                if is_ordered(each)
            ),
            (pl.lit(1) if count is None else count.expression.fill_null(0)).alias(_MASS),
        )
        .with_row_index(_PLACE)
        .filter(pl.col(_PLACE) % step == 0)
        .with_columns(pl.col(_MASS) * step)
    )
    with errors_of_users():
        found, kept = pl.collect_all([counted, sample], engine="streaming")
    [facts] = found.to_dicts()
    most_of_all = _MOST_OF_ALL if roles.cluster is None else _MOST_OF_CLUSTERS
    most = max(_MOST_VALUES, min(most_of_all, int(facts[_UNIT] or 0) // _ROWS_OF_A_VALUE))
    names = {each.name: name for each, name in zip(flat, values, strict=True)}

    def key_of(column: Column, counted: int | None) -> Key:
        known = pl.when(column.expression.is_not_null()).then(pl.lit(1, pl.UInt8))
        if (name := names.get(column.name)) is None:
            note = f"{column.dtype}: its values are not compared; name a field or a number of it"
            return Key(column, "nested", 0, known, note)
        distinct, slack = counted, 1.0
        if distinct is None:
            distinct, slack = facts[name] - (facts[f"{name}{_MASS}"] > 0), _SLACK
        if is_ordered(column) and distinct > slack * _BINS:
            value = _as_number(column)
            above = (value > edge for edge in _edges(kept[name], kept[_MASS]))
            bins = pl.sum_horizontal(pl.lit(0, pl.UInt8), *(each.cast(pl.UInt8) for each in above))
            return Key(column, "numbers", distinct, pl.when(value.is_not_null()).then(bins))
        if distinct > slack * most:
            note = f"about {distinct:,} values, of which so many rows tell {most:,}; not compared"
            return Key(column, "identifier", distinct, known, note)
        if distinct <= 1:
            return Key(column, "constant", distinct, known, "one value; nothing to compare")
        value = column.expression
        is_float = column.dtype.is_float()
        return Key(column, "values", distinct, value.fill_nan(None) if is_float else value)

    return key_of


def _edges(values: pl.Series, rows: pl.Series) -> list[float]:
    """The quantiles between bins of as many rows each; equal ones once, and not the largest."""
    is_known = values.is_not_null().to_numpy()
    numbers, sizes = values.to_numpy()[is_known], rows.to_numpy()[is_known]
    if not sizes.sum():
        return []
    order = np.argsort(numbers, kind="stable")
    shares = np.cumsum(sizes[order]) / sizes.sum()
    places = np.searchsorted(shares, np.arange(1, _BINS) / _BINS - _ROUNDING)
    edges = np.unique(numbers[order][places])
    return [float(each) for each in edges[edges < numbers.max()]]


@dataclass(frozen=True)
class Places:
    """The windows of an answer, and the groups of each facet, in order."""

    windows: pl.DataFrame
    groups: pl.DataFrame
    names: dict[str, list[str]]  # the groups of each facet, and of all facets together

    @classmethod
    def of(cls, cells: Sequence[pl.DataFrame], roles: Roles) -> Places:
        keys = roles.windows.keys
        windows = cells[0].select(pl.lit(0, pl.UInt32).alias(WINDOW)).head(1)
        if keys:
            windows = cells[0].select(keys).unique().sort(keys, nulls_last=True)
            windows = windows.with_row_index(WINDOW)
        known = pl.concat([each.select("facet", "value") for each in cells]).drop_nulls()
        keys_of = {
            facet.name: facet.sort_keys(known.filter(facet=facet.name)["value"].unique())
            for facet in roles.facets
        }
        names = {name: [*map(written, keys)] for name, keys in keys_of.items()}
        joint = known.filter(pl.col("facet") == roles.joint_facet)["value"].unique().sort()
        if len(keys_of) > 1 and roles.joint_facet not in keys_of:
            values = [(each, [*loads(each).values()]) for each in joint]
            of_all = [(each, parts) for each, parts in values if None not in parts]
            keys_of[roles.joint_facet] = [each for each, _ in of_all]
            names[roles.joint_facet] = [" & ".join(map(str, parts)) for _, parts in of_all]
        groups = pl.DataFrame(
            [
                (facet, key, group)
                for facet, keys in keys_of.items()
                for group, key in enumerate(keys)
            ],
            schema={"facet": pl.String, "value": pl.String, _GROUP: pl.Int64},
            orient="row",
        )
        return cls(windows, groups, names)


@dataclass(frozen=True)
class Cells:
    """The cells of a column as numbers: the places of their keys, a line each, and their rows.

    The place of a key that is not known is -1.
    """

    places: Ints
    mass: Floats
    squares: Floats
    values: int  # how many the column has
    has_units: bool  # whether there are clusters

    @classmethod
    def of(
        cls, cells: pl.DataFrame, values: pl.DataFrame | None, roles: Roles, places: Places
    ) -> Cells:
        keys = roles.windows.keys
        table = cells.join(places.groups, on=["facet", "value"], how="left")
        if keys:
            table = table.join(places.windows, on=keys, how="left", nulls_equal=True)
        else:
            table = table.with_columns(pl.lit(0).alias(WINDOW))
        if values is None:
            table = table.with_columns(pl.lit(None).alias(_VALUE_PLACE))
        else:
            table = table.join(values, on=_VALUE, how="left")
        label, facets = roles.label, [*places.names]
        positive = pl.lit(None) if label is None else label.positive_of(pl.col(label.key))
        unit = pl.col(CLUSTER) if roles.left_out else pl.lit(0)
        of_keys = (
            pl.col(WINDOW),
            pl.col("facet").replace_strict(facets, range(len(facets)), default=None).alias(_FACET),
            *map(pl.col, (_GROUP, _VALUE_PLACE)),
            (1 - positive.cast(pl.Int64)).alias(_LABEL),
            unit.alias(_UNIT),
        )
        # In one order, so that sums of floats are the same in every run.
        table = (
            table.filter(pl.col(roles.mass) > 0)
            .select(
                *(each.cast(pl.Int64).fill_null(-1) for each in of_keys),
                pl.col(roles.mass).cast(pl.Float64).alias(_MASS),
                pl.col(roles.squares).cast(pl.Float64).alias(_SQUARES),
            )
            .sort(pl.all())
        )
        *numbers, mass, squares = (each.to_numpy() for each in table)
        number = 0 if values is None else values.height
        return cls(np.stack(numbers), mass, squares, number, bool(roles.left_out))

    def where(self, key: int, place: int) -> Cells:
        """The cells whose key has this place."""
        chosen = self.places[key] == place
        return replace(
            self,
            places=self.places[:, chosen],
            mass=self.mass[chosen],
            squares=self.squares[chosen],
        )

    def counts(
        self, rows: Ints, columns: Ints, shape: tuple[int, int]
    ) -> tuple[Floats, Floats, Floats | None]:
        """The cells by two keys, where both are known: rows, squared weights, parts by cluster."""
        known = (rows >= 0) & (columns >= 0)
        flat, size = (rows * shape[1] + columns)[known], shape[0] * shape[1]

        def summed(places: Ints, of: Floats, *axes: int) -> Floats:
            number = int(np.prod((*axes, size)))
            sums = np.bincount(places, of[known], number).astype(np.float64)
            return sums.reshape(*axes, *shape)

        of_units = self.places[OF_UNIT][known] * size + flat
        parts = summed(of_units, self.mass, GROUPS) if self.has_units else None
        return summed(flat, self.mass), summed(flat, self.squares), parts


class ByColumn(NamedTuple):
    """The cells of frames, the first without columns too, and each by each column."""

    places: Places
    plain: Cells
    keys: Sequence[Key]
    cells: Sequence[Sequence[Cells]]


def cells_by_column(sources: Sequence[Source], columns: Sequence[Column]) -> ByColumn:
    """One read for values and edges, then one group-by for each column, all at once.

    Values are those of the first frame, and edges of bins those of the last one.
    """
    key_of = _ways(sources[0], sources[-1], columns)
    keys = [key_of(each, None) for each in columns]
    plans = [each.cells(key) for each in sources for key in (None, *keys)]
    with errors_of_users():
        tables = pl.collect_all(plans, engine="streaming")
    # For each key, the cells of each frame.
    plain, *by_key = [tables[i :: len(keys) + 1] for i in range(len(keys) + 1)]
    places = Places.of(plain, sources[0].roles)
    cells: list[list[Cells]] = [[] for _ in sources]
    for number, tables in enumerate(by_key):
        values, column = _values_of(tables), columns[number]
        if keys[number].kind == "values":
            key = key_of(replace(column, expression=pl.col(_VALUE)), values.height)
            keys[number] = replace(key, column=column)
            if key.kind != "values":
                by_key[number] = [each.with_columns(key.by.alias(_VALUE)) for each in tables]
                values = _values_of(by_key[number])
        for mine, table, each in zip(cells, by_key[number], sources, strict=True):
            mine.append(Cells.of(table, values, each.roles, places))
    return ByColumn(places, Cells.of(plain[0], None, sources[0].roles, places), keys, cells)


def _values_of(tables: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """The values that cells have, in order, each with its place."""
    known = pl.concat([each.select(_VALUE) for each in tables], how="vertical_relaxed")
    return known.drop_nulls().unique().sort(_VALUE).with_row_index(_VALUE_PLACE)
