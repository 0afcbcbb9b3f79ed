"""The files of a configuration as one frame, in which every column that it names is found."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from glob import escape
from typing import Final

import polars as pl
from polars.exceptions import PolarsError

from polars_fairness.clarify.configuration import (
    JSON_LINES,
    PARQUET,
    Configuration,
    SecondFile,
    Where,
)
from polars_fairness.errors import FairnessError, did_you_mean, listed, reason_of

# Clarify reads CSV by pandas, for which these texts stand for missing values.
_MISSING: Final = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
    *("<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
)

_NUMBER: Final = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*\Z")


# All rows decide the types: a score of 0 and 1 may have its first decimal in the last row.
_scan_csv: Final = partial(
    pl.scan_csv, has_header=False, infer_schema_length=None, null_values=[*_MISSING]
)


@dataclass(frozen=True)
class _TableFile:
    """Rows with the names of their columns; ``features`` are those that may be features."""

    rows: pl.LazyFrame
    columns: tuple[str, ...]
    features: tuple[str, ...]
    by_path: dict[str, str] = field(default_factory=dict)
    """The columns of JSON Lines that a path led to, by this path."""

    def find(self, key: str, where: Where) -> str:
        """The name of the column that a key of the configuration names, or has the index of."""
        if isinstance(where, int):
            if where >= len(self.columns):
                raise FairnessError(
                    f"{key}: no column {where} in the data; the last is "
                    f"{len(self.columns) - 1}, {self.columns[-1]!r}"
                )
            return self.columns[where]
        name = self.by_path.get(where, where)
        if name not in self.columns:
            raise FairnessError(
                f"{key}: no column {name!r} in the data; {did_you_mean(name, self.columns)}"
            )
        return name


def _csv_file(files: Sequence[str], headers: Sequence[str] | None, key: str) -> _TableFile:
    """The rows of CSV files, whose first lines may hold the names of the columns or may not.

    Clarify's documentation does not say how it tells the two apart. Here, a first line with the
    names of ``headers`` holds names; without ``headers``, so does one in which nothing is a number.
    The names may stand in another order in each file.
    """
    lines = [_first_line(file) for file in files]
    has_no_names = headers is None and any(map(_NUMBER.match, lines[0]))
    columns = _placeholders(len(lines[0])) if has_no_names else [*(headers or lines[0])]
    _require_distinct(columns, key)
    parts = []
    for file, line in zip(files, lines, strict=True):
        has_names = sorted(line) == sorted(columns)
        if not has_names and headers is not None:
            _require_as_many(headers, len(line), key, repr(file))
            if _looks_like_names(file, line, columns):
                raise FairnessError(
                    f"{key}: line 1 of {file!r} looks like names, but "
                    f"{_difference(line, columns)}; write {key} as in this line, or remove it"
                )
        elif not has_names and has_no_names:
            _require_alike(file, _placeholders(len(line)), columns, key, files[0])
            if _looks_like_names(file, line, columns):
                raise FairnessError(
                    f"{key}: line 1 of {file!r} looks like names, and {files[0]!r} has none; name "
                    f"the columns in {key}"
                )
        elif not has_names:
            _require_alike(file, line, columns, key, files[0])
        rows = _csv_rows(file, line if has_names else columns, has_names=has_names)
        parts.append(rows.select(columns))
    return _plain(pl.concat(parts, how="vertical_relaxed"))


def _first_line(file: str) -> list[str]:
    with readable(file, "text/csv"):
        line = pl.read_csv(*as_no_patterns([file]), has_header=False, infer_schema=False, n_rows=1)
    return [cell or "" for cell in line.row(0)]


def _csv_rows(file: str, names: Sequence[str], *, has_names: bool) -> pl.LazyFrame:
    with readable(file, "text/csv"):
        rows = _scan_csv(as_no_patterns([file]), skip_rows=int(has_names), new_columns=[*names])
        rows.collect_schema()
    return rows


def _looks_like_names(file: str, line: Sequence[str], columns: Sequence[str]) -> bool:
    """Whether a line is no row: it has no number, though there are numbers below one of its words.

    Names that differ from those expected in the case of a letter are no row either.
    """
    if sorted(map(str.lower, line)) == sorted(map(str.lower, columns)):
        return True
    if any(map(_NUMBER.match, line)):
        return False
    with readable(file, "text/csv"):
        below = _scan_csv(as_no_patterns([file]), skip_rows=1, raise_if_empty=False)
        dtypes = below.collect_schema().dtypes()
    return any(
        dtype.is_numeric() and word not in _MISSING
        for word, dtype in zip(line, dtypes, strict=False)
    )


def _require_alike(
    file: str, names: Sequence[str], columns: Sequence[str], key: str, first: str
) -> None:
    if sorted(names) != sorted(columns):
        raise FairnessError(
            f"{key}: line 1 of {file!r} {_difference(names, columns)}, unlike that of {first!r}; "
            f"begin each file with the same names, or give {key} if one has none"
        )


def _difference(names: Sequence[str], columns: Sequence[str]) -> str:
    lacks = [name for name in columns if name not in names]
    has = [name for name in names if name not in columns]
    parts = [f"{verb} {listed(each)}" for verb, each in (("lacks", lacks), ("has", has)) if each]
    return " and ".join(parts)


def _parquet_file(files: Sequence[str], headers: Sequence[str] | None) -> _TableFile:
    """The rows of Parquet files; ``headers`` are new names for the columns."""
    with readable(files[0], "application/x-parquet"):
        rows = pl.scan_parquet(as_no_patterns(files))
        columns = rows.collect_schema().names()
    if headers is not None:
        _require_as_many(headers, len(columns), "headers")
        _require_distinct(headers, "headers")
        rows = rows.rename(dict(zip(columns, headers, strict=True)))
    return _plain(rows)


@contextmanager
def readable(file: str, kind: str) -> Iterator[None]:
    """Say that a file, or one of several that begin with it, cannot be read as its type."""
    try:
        yield
    except (PolarsError, OSError) as error:
        raise FairnessError(
            f"dataset_type: {file!r} cannot be read as {kind}: {reason_of(error)}; check the "
            "type and the file"
        ) from error


def as_no_patterns(files: Sequence[str]) -> list[str]:
    """The names so that polars does not read one such as `loans[1].csv` as a pattern."""
    return [file if "://" in file else escape(file) for file in files]


def _placeholders(width: int) -> list[str]:
    """Clarify's names for columns without names."""
    return [f"column_{place}" for place in range(width)]


def _require_as_many(headers: Sequence[str], width: int, key: str, of: str = "the data") -> None:
    """Raise unless there is a name for each column."""
    if len(headers) != width:
        raise FairnessError(
            f"{key}: has {len(headers)} names, and {of} {width} columns; name each column"
        )


def _require_distinct(headers: Sequence[str], key: str) -> None:
    """Raise if two columns have the same name."""
    twice = sorted({name for name in headers if headers.count(name) > 1})
    if twice:
        raise FairnessError(f"{key}: {listed(twice)} names several columns; give each its own name")


def _plain(rows: pl.LazyFrame) -> _TableFile:
    columns = tuple(rows.collect_schema().names())
    return _TableFile(rows, columns, columns)


_PATH: Final = re.compile(r'("[^"]+"|\w+)(\.("[^"]+"|\w+))*\Z')
_FIELD: Final = re.compile(r'"([^"]+)"|(\w+)')


def _json_lines_file(
    files: Sequence[str],
    headers: Sequence[str] | None,
    features: str | None,
    outcomes: Mapping[str, Where],
) -> _TableFile:
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
        _require_as_many(headers, len(old), "headers")
    _require_distinct(new, "headers")
    return _TableFile(
        rows.rename(dict(zip(old, new, strict=True))),
        tuple(new),
        tuple(new[: len(names)]),
        dict(zip(found, new[len(names) :], strict=True)),
    )


def _fields_of(key: str, path: str) -> list[str]:
    if not _PATH.match(path):
        raise FairnessError(
            f"{key}: {path!r} is no path of plain fields; write one such as data.features, or for "
            "features a list of them, [age, data.sex]"
        )
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
        raise FairnessError(f"{key}: no field {field!r} in the data; {did_you_mean(field, fields)}")


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
        raise FairnessError(
            f"features: {features!r} leads to no list; give a list of paths, [age, data.sex]"
        )
    first, *inner = _fields_of("features", features)
    texts = scan(schema_overrides={first: _with_texts(schema[first], inner)})
    lists = texts.select(values).collect().to_series()
    longest = lists.list.len().max()
    elements = {
        name: _typed(lists.list.get(place, null_on_oob=True))
        for place, name in enumerate(_placeholders(longest if isinstance(longest, int) else 0))
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


def _main_file(configuration: Configuration, files: Sequence[str]) -> _TableFile:
    headers = configuration.headers
    if configuration.dataset_type == PARQUET:
        return _parquet_file(files, headers)
    if configuration.dataset_type != JSON_LINES:
        return _csv_file(files, headers, "headers")
    outcomes = {"label": configuration.label}
    if (predictions := configuration.predictions) is not None:
        outcomes[predictions.key] = predictions.column
    return _json_lines_file(files, headers, configuration.features, outcomes)


def _require_other_columns(facets: Sequence[Found], outcomes: Mapping[str, str]) -> None:
    """Raise if a facet is an outcome too, whose column stands beside the key that names it."""
    for place, facet in enumerate(facets):
        if facet.column in outcomes:
            raise FairnessError(
                f"facet[{place}].name_or_index: {facet.name!r} is the column of "
                f"{outcomes[facet.column]} too; name another column for one"
            )


class _Join:
    """The main file, and how the rows of second files are found beside its own."""

    def __init__(
        self, main: _TableFile, identifier: Where | None, beside: Mapping[str, Sequence[str]]
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
        file = _csv_file(self.beside[second.key], second.headers, second.headers_key)
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
        raise FairnessError(
            f"{key}: has {there:,} rows, and the data {here:,}; give {_IDENTIFIER}, the column by "
            "which to join them"
        )


def _require_one_type(rows: pl.LazyFrame, other: pl.LazyFrame, identifier: str, key: str) -> None:
    here, there = (each.collect_schema()[identifier] for each in (rows, other))
    if here != there:
        raise FairnessError(
            f"{_IDENTIFIER}: {identifier!r} holds {here} in the data, and {there} in the file of "
            f"{key}; write both alike"
        )


def _require_distinct_values(rows: pl.LazyFrame, identifier: str) -> None:
    repeated = pl.col(identifier).len() - pl.col(identifier).n_unique()
    if more := rows.select(repeated).collect(engine="streaming").item():
        raise FairnessError(
            f"{_IDENTIFIER}: {identifier!r} names {more:,} rows again that it has named before; "
            "name a column whose values are all different"
        )


def _require_partners(rows: pl.LazyFrame, other: pl.LazyFrame, identifier: str, key: str) -> None:
    """Raise if a join would lose rows: they have to be the same people in both files."""
    lone = [
        left.join(right, on=identifier, how="anti").select(pl.len())
        for left, right in ((rows, other), (other, rows))
    ]
    places = ("of the data", "there"), ("", "in the data")
    for counted, (of, where) in zip(pl.collect_all(lone, engine="streaming"), places, strict=True):
        if many := counted.item():
            subject = f"{many:,} {'row' if many == 1 else 'rows'} {of}".rstrip()
            raise FairnessError(
                f"{key}: {subject} {'has' if many == 1 else 'have'} no partner {where} by "
                f"{identifier!r}; give both files the same rows"
            )
