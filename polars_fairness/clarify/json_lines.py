"""JSON Lines, whose columns are found by paths of fields such as `data.label`."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from functools import partial
from typing import Final

import polars as pl

from polars_fairness.clarify.configuration import JSON_LINES, Where
from polars_fairness.clarify.table_files import (
    TableFile,
    as_no_patterns,
    placeholders,
    readable,
    require_as_many,
    require_distinct,
)
from polars_fairness.errors import FairnessError, did_you_mean

_PATH: Final = re.compile(r'("[^"]+"|\w+)(\.("[^"]+"|\w+))*\Z')
_FIELD: Final = re.compile(r'"([^"]+)"|(\w+)')


def json_lines_file(
    files: Sequence[str],
    headers: Sequence[str] | None,
    features: str | None,
    outcomes: Mapping[str, Where],
) -> TableFile:
    """The rows of JSON Lines: their features, then the outcomes that the keys name.

    ``features`` is a path to a list of values, or a list of paths, ``[age, data.sex]``. Without it,
    the features are the fields of each line.
    """
    with readable(files[0], JSON_LINES):
        scan = partial(pl.scan_ndjson, as_no_patterns(files), infer_schema_length=None)
        schema = scan().collect_schema()
    found = {str(path): _column_at(key, str(path), schema) for key, path in outcomes.items()}
    if features is None or features.startswith("["):
        columns = _columns_of_features(features, schema, leave_out=found)
        rows = scan().select(column.alias(name) for name, column in (columns | found).items())
        names = [*columns]
    else:
        with readable(files[0], JSON_LINES):
            rows = _with_elements(scan, schema, features, found)
        names = rows.collect_schema().names()[: -len(found)]
    old = [*names, *found]
    new = old if headers is None else [*headers, *old[len(headers) :]]
    if headers is not None and len(headers) != len(names):
        require_as_many(headers, len(old), "headers")
    require_distinct(new, "headers")
    return TableFile(
        rows.rename(dict(zip(old, new, strict=True))),
        tuple(new),
        tuple(new[: len(names)]),
        dict(zip(found, new[len(names) :], strict=True)),
    )


def _fields_of(key: str, path: str) -> list[str]:
    if not _PATH.match(path):
        msg = (
            f"{key}: {path!r} is no path of plain fields; write one such as data.features, or for "
            "features a list of them, [age, data.sex]"
        )
        raise FairnessError(msg)
    return [quoted or plain for quoted, plain in _FIELD.findall(path)]


def _column_at(key: str, path: str, schema: pl.Schema) -> pl.Expr:
    """The column at the end of a path of fields."""
    first, *inner = _fields_of(key, path)
    _require_field(key, first, schema)
    column, dtype = pl.col(first), schema[first]
    for name in inner:
        fields = _fields_in(dtype)
        _require_field(key, name, fields)
        column, dtype = column.struct.field(name), fields[name]
    return column


def _fields_in(dtype: pl.DataType) -> pl.Schema:
    """The fields of a struct; other types have none."""
    return pl.Schema(dtype.to_schema() if isinstance(dtype, pl.Struct) else {})


def _require_field(key: str, field: str, fields: Mapping[str, object]) -> None:
    if field not in fields:
        msg = f"{key}: no field {field!r} in the data; {did_you_mean(field, fields)}"
        raise FairnessError(msg)


def _columns_of_features(
    features: str | None, schema: pl.Schema, leave_out: Container[str]
) -> dict[str, pl.Expr]:
    if features is not None:
        paths = [path.strip() for path in features.strip("[] ").split(",")]
        return {path: _column_at("features", path, schema) for path in paths}
    return {
        name: pl.col(name)
        for name, dtype in schema.items()
        if not dtype.is_nested() and name not in leave_out
    }


def _with_elements(
    scan: partial[pl.LazyFrame], schema: pl.Schema, features: str, outcomes: Mapping[str, pl.Expr]
) -> pl.LazyFrame:
    """The elements of the list at this path, each with a type of its own, beside the outcomes.

    polars gives all elements of a list one type: beside a text, numbers become text, and beside a
    2.5, 1 becomes 1.0. So it reads text here, and the type of each column is found anew.
    """
    values = _column_at("features", features, schema)
    [dtype] = pl.LazyFrame(schema=schema).select(values).collect_schema().dtypes()
    if not isinstance(dtype, pl.List):
        msg = f"features: {features!r} leads to no list; give a list of paths, [age, data.sex]"
        raise FairnessError(msg)
    first, *inner = _fields_of("features", features)
    texts = scan(schema_overrides={first: _with_texts(schema[first], inner)})
    lists = texts.select(values).collect().to_series()
    longest = lists.list.len().max()
    elements = {
        name: _typed(lists.list.get(place, null_on_oob=True))
        for place, name in enumerate(placeholders(longest if isinstance(longest, int) else 0))
    }
    others = texts.select(column.alias(path) for path, column in outcomes.items())
    return pl.DataFrame(elements).hstack(others.collect()).lazy()


def _with_texts(dtype: pl.DataType, path: Sequence[str]) -> pl.DataType:
    """A type in which the list at the end of the path holds text."""
    if not path or not isinstance(dtype, pl.Struct):
        return pl.List(pl.String)
    return pl.Struct(
        {
            name: _with_texts(inner, path[1:]) if name == path[0] else inner
            for name, inner in _fields_in(dtype).items()
        }
    )


def _typed(texts: pl.Series) -> pl.Series:
    """The column as whole numbers, numbers, Booleans or text: the first that all values are."""
    for dtype in (pl.Int64, pl.Float64):
        numbers = texts.cast(dtype, strict=False)
        if numbers.null_count() == texts.null_count():
            return numbers
    words = {"true": True, "false": False}
    flags = texts.replace_strict(words, default=None, return_dtype=pl.Boolean)
    return flags if flags.null_count() == texts.null_count() else texts
