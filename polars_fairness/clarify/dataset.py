"""The files of a configuration as one frame, in which every column that it names is found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from polars_fairness.clarify.configuration import (
    JSON_LINES,
    PARQUET,
    Configuration,
    SecondFile,
    Where,
)
from polars_fairness.clarify.json_lines import json_lines_file
from polars_fairness.clarify.table_files import TableFile, csv_file, parquet_file
from polars_fairness.errors import FairnessError

_IDENTIFIER: Final = "joinsource_name_or_index"
_ROW: Final = "row (polars-fairness)"


@dataclass(frozen=True)
class Found:
    """A column of the frame, and its name in its file."""

    name: str
    column: str


@dataclass(frozen=True)
class Predicted:
    """The column of predictions: of labels, or of scores if there is a threshold."""

    found: Found
    key: str
    threshold: float | None


@dataclass(frozen=True)
class Dataset:
    """The rows, and the columns of them that the configuration names."""

    rows: pl.LazyFrame
    label: str
    predicted: Predicted | None
    facets: tuple[Found, ...]
    group_variable: str | None
    features: tuple[str, ...]
    """All columns but the outcomes, the identifier, and those excluded."""


def dataset_of(
    configuration: Configuration, files: Sequence[str], beside: Mapping[str, Sequence[str]]
) -> Dataset:
    """The rows of the files, joined with those of the second files.

    ``beside`` has the files of each second file by the key that names it.
    """
    main = _main_file(configuration, files)
    join = _Join(main, configuration.identifier, beside)
    rows = main.rows
    keys = {
        f"facet[{place}].name_or_index": facet.column
        for place, facet in enumerate(configuration.facets)
    }
    rows, facets = join.found(rows, keys, configuration.facet_file)
    predicted = None
    if (predictions := configuration.predictions) is not None:
        key = {predictions.key: predictions.column}
        rows, [found] = join.found(rows, key, configuration.predicted_file)
        predicted = Predicted(found, predictions.key, predictions.threshold)
    label = main.find("label", configuration.label)
    outcomes = {label: "label"}
    if predicted is not None:
        outcomes[predicted.found.column] = predicted.key
    _require_other_columns(facets, outcomes)
    group_variable = configuration.group_variable
    out = {*outcomes, *join.identifiers}
    out.update(main.find("excluded_columns", each) for each in configuration.excluded)
    return Dataset(
        rows=rows,
        label=label,
        predicted=predicted,
        facets=tuple(facets),
        group_variable=None
        if group_variable is None
        else main.find("group_variable", group_variable),
        features=tuple(name for name in main.features if name not in out),
    )


def _main_file(configuration: Configuration, files: Sequence[str]) -> TableFile:
    headers = configuration.headers
    if configuration.dataset_type == PARQUET:
        return parquet_file(files, headers)
    if configuration.dataset_type != JSON_LINES:
        return csv_file(files, headers, "headers")
    outcomes = {"label": configuration.label}
    if (predictions := configuration.predictions) is not None:
        outcomes[predictions.key] = predictions.column
    return json_lines_file(files, headers, configuration.features, outcomes)


def _require_other_columns(facets: Sequence[Found], outcomes: Mapping[str, str]) -> None:
    """Raise if a facet is an outcome too, whose column stands beside the key that names it."""
    for place, facet in enumerate(facets):
        if facet.column in outcomes:
            msg = (
                f"facet[{place}].name_or_index: {facet.name!r} is the column of "
                f"{outcomes[facet.column]} too; name another column for one"
            )
            raise FairnessError(msg)


class _Join:
    """The main file, and how the rows of second files are found beside its own."""

    def __init__(
        self, main: TableFile, identifier: Where | None, beside: Mapping[str, Sequence[str]]
    ) -> None:
        self.main = main
        self.identifier = identifier
        self.beside = beside
        self.identifiers = [] if identifier is None else [main.find(_IDENTIFIER, identifier)]

    def found(
        self, rows: pl.LazyFrame, keys: Mapping[str, Where], second: SecondFile | None
    ) -> tuple[pl.LazyFrame, list[Found]]:
        """The columns that the keys name, in the main file or in a second one beside it."""
        if second is None:
            names = [self.main.find(key, where) for key, where in keys.items()]
            return rows, [Found(name, name) for name in names]
        file = csv_file(self.beside[second.key], second.headers, second.headers_key)
        names = [file.find(key, where) for key, where in keys.items()]
        # The files may have columns of the same name.
        found = {name: f"{name} ({second.key})" for name in names}
        columns = [pl.col(name).alias(column) for name, column in found.items()]
        added = [Found(name, found[name]) for name in names]
        if self.identifier is None:
            _require_as_many_rows(rows, file.rows, second.key)
            # Joined, since `concat` by "horizontal" warns on polars 1.44, and its cure on polars 2.
            beside = file.rows.select(columns).with_row_index(_ROW)
            return rows.with_row_index(_ROW).join(beside, on=_ROW).drop(_ROW), added
        [left], right = self.identifiers, file.find(_IDENTIFIER, self.identifier)
        other = file.rows.select(*columns, pl.col(right).alias(left))
        _require_one_type(rows, other, left, second.key)
        for each in (rows, other):
            _require_distinct_values(each, left)
        _require_partners(rows, other, left, second.key)
        return rows.join(other, on=left), added


def _require_as_many_rows(rows: pl.LazyFrame, other: pl.LazyFrame, key: str) -> None:
    counted = pl.collect_all([rows.select(pl.len()), other.select(pl.len())], engine="streaming")
    here, there = (each.item() for each in counted)
    if here != there:
        msg = (
            f"{key}: has {there:,} rows, and the data {here:,}; give {_IDENTIFIER}, the column by "
            "which to join them"
        )
        raise FairnessError(msg)


def _require_one_type(rows: pl.LazyFrame, other: pl.LazyFrame, identifier: str, key: str) -> None:
    here, there = (each.collect_schema()[identifier] for each in (rows, other))
    if here != there:
        msg = (
            f"{_IDENTIFIER}: {identifier!r} holds {here} in the data, and {there} in the file of "
            f"{key}; write both alike"
        )
        raise FairnessError(msg)


def _require_distinct_values(rows: pl.LazyFrame, identifier: str) -> None:
    repeated = pl.col(identifier).len() - pl.col(identifier).n_unique()
    if more := rows.select(repeated).collect(engine="streaming").item():
        msg = (
            f"{_IDENTIFIER}: {identifier!r} names {more:,} rows again that it has named before; "
            "name a column whose values are all different"
        )
        raise FairnessError(msg)


def _require_partners(rows: pl.LazyFrame, other: pl.LazyFrame, identifier: str, key: str) -> None:
    """Raise if a join would lose rows: they have to be the same people in both files."""
    lone = [
        left.join(right, on=identifier, how="anti").select(
            pl.len(), example=pl.col(identifier).min()
        )
        for left, right in ((rows, other), (other, rows))
    ]
    places = ("of the data", "there"), ("", "in the data")
    for counted, (of, where) in zip(pl.collect_all(lone, engine="streaming"), places, strict=True):
        [(many, example)] = counted.rows()
        if many:
            subject = f"{many:,} {'row' if many == 1 else 'rows'} {of}".rstrip()
            msg = (
                f"{key}: {subject} {'has' if many == 1 else 'have'} no partner {where}, such as "
                f"that whose {identifier!r} is {example!r}; give both files the same rows"
            )
            raise FairnessError(msg)
