"""Files that are read as rows, and written with cells: none twice, none silently left out.

The name decides the format. CSV, TSV and NDJSON have no types: their text in all rows decides.
"""

from __future__ import annotations

import csv
import gzip
import os
import zlib
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from glob import escape, glob, has_magic
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import IO, Any, Final, Literal, NoReturn

import numpy as np
import polars as pl
from polars.exceptions import PanicException, PolarsError

from polars_fairness.api.baselines import WORDS as BASELINE_WORDS
from polars_fairness.cli.commands import ARGUMENTS
from polars_fairness.cli.options import PROBABILITIES
from polars_fairness.cli.printed import complain
from polars_fairness.cli.typed import columns_of, controls_in, models_in, value_of
from polars_fairness.errors import (
    MOST_QUOTED,
    FairnessError,
    did_you_mean,
    listed,
    reason_of,
)
from polars_fairness.question.columns import find_columns
from polars_fairness.question.own_cells import MOST_CELLS, may_be_cells, refuse_cells_as_rows


def files_of(paths: Sequence[str]) -> list[str]:
    """The files of all paths; raise if one is found twice, or cannot be found or listed.

    A line on stderr says which names of folders are skipped.
    """
    skipped: list[str] = []
    files = _distinct_files(paths, skipped)
    if skipped:
        named = listed(skipped, most=3)
        complain(f"path: names that begin with _ or . are not read: {named}")
    return files


def _distinct_files(paths: Sequence[str], skipped: list[str]) -> list[str]:
    """The files of all paths, as `files_of`; the names that are skipped are added to a list."""
    files = [file for path in paths for file in _files_of(path, skipped)]
    file_by_identity: dict[object, str] = {}
    for file in files:
        identity = _identity(file)
        if identity in file_by_identity:
            names = listed(dict.fromkeys((file_by_identity[identity], file)))
            raise FairnessError(
                f"path: the same file twice, {names}; its rows would count twice; give it once"
            )
        file_by_identity[identity] = file
    return files


def _files_of(path: str, skipped: list[str]) -> list[str]:
    """The files of a path: the file itself, the files of a folder, or the matches of a pattern."""
    if "://" in path or Path(path).is_file():
        return [path]
    if Path(path).is_dir():
        files = sorted(_data_below(path, [_identity(path)], skipped))
    elif has_magic(path):
        _refuse_unlisted_folders(path)
        matches = sorted(glob(path, recursive=True))  # noqa: PTH207 - Path.glob takes no absolute pattern
        files = [file for match in matches for file in _files_of(match, skipped)]
    else:
        _refuse_no_file(path)
        raise FairnessError(
            f"path: there is no {path!r}; give a file, a folder, or a pattern in quotes"
        )
    if not files:
        raise FairnessError(
            f"path: no files in {path!r}; give a file, a folder, or a pattern in quotes"
        )
    return files


def _identity(file: str) -> object:
    """An object that is equal for two names of one file, links included."""
    if "://" in file:
        return file
    status = Path(file).stat()
    return status.st_dev, status.st_ino


def _data_below(folder: str, inside: Sequence[object], skipped: list[str]) -> Iterator[str]:
    """The files below a folder, without `_SUCCESS` and the like, which engines put beside data.

    ``inside`` identifies this folder and those it is in: a link to one of them has nothing new.
    """
    for path in _listed(folder):
        if Path(path).name.startswith(("_", ".")):
            skipped.append(path)
        elif Path(path).is_file():
            yield path
        elif not Path(path).is_dir():
            _refuse_no_file(path)
        elif (identity := _identity(path)) not in inside:
            yield from _data_below(path, [*inside, identity], skipped)


def _listed(folder: str) -> list[str]:
    try:
        return sorted(str(path) for path in Path(folder).iterdir())
    except OSError as error:
        raise FairnessError(
            f"path: cannot list the folder {folder!r}: {error.strerror}; get permission, or "
            "name the files that are meant"
        ) from error


def _refuse_unlisted_folders(pattern: str) -> None:
    """Raise if a folder that a pattern looks into cannot be listed; `glob` would pass over it."""
    folders = [str(each) for each in reversed(Path(pattern).parents)]
    for folder, part in zip(folders, Path(pattern).parts[-len(folders) :], strict=True):
        if has_magic(folder) or has_magic(part):
            for match in glob(folder, recursive=True):  # noqa: PTH207 - as above
                if Path(match).is_dir():
                    _listed(match)


def _refuse_no_file(path: str) -> None:
    """Raise for an entry of a folder that is not a file, such as a broken link."""
    if Path(path).is_fifo() or Path(path).is_char_device():
        # Its rows are there once, and text is read twice.
        raise FairnessError(f"path: {path!r} is a pipe; give -, and pipe it in: ... - < {path}")
    if Path(path).is_symlink():
        raise FairnessError(f"path: the link {path!r} leads to no file; remove or correct it")
    if os.path.lexists(path):
        raise FairnessError(
            f"path: {path!r} is not a file with rows; remove it, or name the files that are meant"
        )


MOST_BYTES: Final = 16 * 10**9

GZIP: Final = b"\x1f\x8b"
_MOST_IN_BYTE: Final = 1_032  # bytes that gzip packs into one, at most
_PACKED_OTHERWISE: Final = {b"BZh": "bzip2", b"\x28\xb5\x2f\xfd": "zstd", b"\xfd7zXZ": "xz"}
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_QUOTE: Final = ord('"')
_BLOCK: Final = 1 << 18


def _refuse_bad_lines(files: Sequence[str], separator: str) -> None:
    """Raise for the first line with more or fewer fields than the header, or that is not UTF-8."""
    for file in files:
        header = _header(file, separator)
        # A field longer than Python reads, such as of a quote that never ends, is left to polars.
        with suppress(csv.Error), _lines(file, separator) as lines:
            for row in lines:
                if len(row) != len(header) and (row or len(header) > 1):
                    problem = f"has {len(row)} fields" if row else "is empty"
                    advice = "correct the line; a field with a separator stands in quotes"
                    raise FairnessError(
                        f"path: line {lines.line_num} of {file!r} {problem}, and the header has "
                        f"{len(header)}; {advice if row else 'remove the line'}"
                    )


def _header(file: str, separator: str) -> list[str]:
    with _lines(file, separator) as lines:
        try:
            header: list[str] = next(lines, [])
        except csv.Error as error:
            raise FairnessError(
                f"path: the header of {file!r} cannot be read: {error}; begin the file with the "
                "names of its columns"
            ) from error
    if not header:
        raise FairnessError(
            f"path: {file!r} does not begin with the names of columns; give a file with a header"
        )
    return header


@contextmanager
def _lines(file: str, separator: str) -> Iterator[Any]:
    """A reader of the lines of a file; raise if they are not UTF-8."""
    try:
        with _unpacked(file, "rt", encoding="utf-8-sig", newline="") as text:
            yield csv.reader(text, delimiter=separator)
    except UnicodeDecodeError as error:
        of = "UTF-16" if error.object.startswith(_UTF_16) else "WINDOWS-1252"
        advice = f"convert it, such as with iconv -f {of} -t UTF-8"
        if error.object.startswith(GZIP):
            advice = "it is compressed twice; decompress it once"
        wrong = error.object[error.start : error.start + 1]
        raise FairnessError(f"path: {file!r} is not UTF-8: {wrong!r}; {advice}") from error


@contextmanager
def _unpacked(file: str, mode: str, **settings: Any) -> Iterator[IO[Any]]:
    """A file, decompressed if it is gzip; raise if it is compressed otherwise, or broken."""
    beginning = _beginning(file)
    refuse_packed_otherwise(file, beginning)
    opened: Any = gzip.open if beginning.startswith(GZIP) else open
    with unpacking(file), opened(file, mode, **settings) as content:
        yield content


def _beginning(file: str) -> bytes:
    with open(file, "rb") as start:  # noqa: PTH123 - a name of a file is no pattern here
        return start.read(8)


def refuse_packed_otherwise(file: str, beginning: bytes) -> None:
    """Raise for a file that another program than gzip has compressed, by its first bytes."""
    for start, name in _PACKED_OTHERWISE.items():
        if beginning.startswith(start):
            raise FairnessError(
                f"path: {file!r} is compressed with {name}; decompress it first, or use gzip"
            )


@contextmanager
def unpacking(file: str) -> Iterator[None]:
    """Raise with the name of a file that cannot be decompressed to its end."""
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise FairnessError(
            f"path: {file!r} cannot be decompressed: {reason_of(error)}; compress it again"
        ) from error


def blocks_within(most: int, content: IO[bytes], name: str) -> Iterator[bytes]:
    """The decompressed bytes; raise beyond a limit: a megabyte may hold a gigabyte of zeros."""
    length = 0
    while block := content.read(_BLOCK):
        length += len(block)
        if length > most:
            raise FairnessError(
                f"path: {name} is longer than {most:,} bytes; give the decompressed file itself, "
                "or allow more with --most-bytes"
            )
        yield block


def _separators(file: str, separator: int) -> int:
    """The number of field separators in a file, without those in quotes."""
    total, is_quoted = 0, False
    with _unpacked(file, "rb") as content:
        while read := content.read(_BLOCK):
            block = np.frombuffer(read, np.uint8)
            separates = block == separator
            quotes = np.flatnonzero(block == _QUOTE)
            parts = np.add.reduceat(separates, np.append(0, quotes), dtype=np.int64)
            # From the start of the block, and from each quote, to the next quote.
            total += int(parts[int(is_quoted) :: 2].sum())
            is_quoted ^= len(quotes) % 2 == 1
    return total


_SHOWN: Final = 300  # characters of a reason: polars quotes the field, which may be the file
_SAMPLE: Final = 1_000

_NAMING: Final = {row.name for row in ARGUMENTS if row.kind.names_columns} - {"text"}

# Groups differ by their text: as numbers, the postal codes 02134 and 2134 would be one.
_OF_GROUPS: Final = ("facet", "subgroup", "sex", "race")

# Text beside numbers is a mistake in these, and in outcomes with a threshold.
_OF_NUMBERS: Final = (
    *("score", "observed", "estimated", "weight", "count", "baseline_count"),
    PROBABILITIES.name,
)
_COMPARED: Final = {"threshold": "predicted", "label_threshold": "label"}

_DAYS: Final = ("%Y-%m-%d", "%Y/%m/%d", "%d-%m-%Y", "%d/%m/%Y")
_MOMENTS: Final = (
    *("%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%d %H:%M"),
    *("%Y-%m-%dT%H:%M:%S%.f%#z", "%Y-%m-%d %H:%M:%S%.f%#z"),
)

Reading = Callable[[pl.Expr], pl.Expr]
"""Text as values of a type; null where it is not such a value."""


def _as_boolean(text: pl.Expr) -> pl.Expr:
    word = text.str.to_lowercase()
    return pl.when(word == "true").then(True).when(word == "false").then(False)


def _as_whole(text: pl.Expr) -> pl.Expr:
    """Whole numbers, if written as usual: 02134 and +1 are not."""
    number = text.cast(pl.Int64, strict=False)
    return pl.when(number.cast(pl.String) == text).then(number)


def _as_number(text: pl.Expr) -> pl.Expr:
    """Numbers; 02134 is not one."""
    return pl.when(~text.str.contains(r"^[+-]?0\d")).then(text.cast(pl.Float64, strict=False))


_NUMBERS: Final = (_as_boolean, _as_whole, _as_number)
_TIMES: Final[Sequence[Reading]] = (
    *(lambda text, form=form: text.str.to_date(form, strict=False) for form in _DAYS),
    *(
        lambda text, form=form: text.str.to_datetime(form, time_unit="us", strict=False)
        for form in _MOMENTS
    ),
)


Use = tuple[Literal["question", "where"], str]
"""The use of a column and its name: --where may compare numbers where the question has text."""


def _candidates_of(
    arguments: Mapping[str, Any], schema: pl.Schema, *, has_text: bool
) -> tuple[dict[Use, Sequence[Reading]], dict[str, str]]:
    """How the text of each column that the options name may be read, the preferred reading first.

    Without a reading, a column stays text. Beside it, which argument needs numbers in a column.
    With ``has_text``, the schema says which columns are text, and --where compares them as such.
    """
    names, texts = schema.names(), _texts_in(arguments, schema.names())
    plain = {name for name, dtype in schema.items() if not dtype.is_nested()}
    named = {
        name: [column for column in _columns_in(arguments, name, names) if column in plain]
        for name in _NAMING & arguments.keys()
    }
    if PROBABILITIES.name in arguments:
        columns = (column for _, each in arguments[PROBABILITIES.name] for column in each.values())
        named[PROBABILITIES.name] = [column for column in columns if column in plain]
    # A column of two roles is read as the later of these.
    question: dict[str, Sequence[Reading]] = dict.fromkeys(chain(*named.values()), _NUMBERS)
    question |= dict.fromkeys(named.get("by", ()), (_as_whole, *_TIMES))
    groups = (column for name in _OF_GROUPS for column in named.get(name, ()))
    question |= dict.fromkeys((*groups, *(name for name in texts if name in plain)), ())
    candidates: dict[Use, Sequence[Reading]] = {
        ("question", name): reads for name, reads in question.items()
    }
    if arguments.get("where") is not None:
        with suppress(PolarsError):  # text that is no SQL is refused later
            for name in pl.sql_expr(arguments["where"]).meta.root_names():
                if name in plain:
                    is_text = name in texts or (has_text and schema[name] == pl.String)
                    candidates["where", name] = () if is_text else (*_NUMBERS, *_TIMES)
    needing = (*_OF_NUMBERS, *(_COMPARED[each] for each in _COMPARED.keys() & arguments.keys()))
    numbers = [(column, name) for name in needing for column in named.get(name, ())]
    widths = _controls_in(arguments, names)
    numbers += [(name, "controls") for name in named.get("controls", ()) if widths[name]]
    return candidates, {column: name for column, name in numbers if question[column] == _NUMBERS}


def _texts_in(arguments: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """The columns that --text names."""
    texts: list[str] = arguments.get("text", [])
    for name in texts:
        if name not in names:
            raise FairnessError(f"--text: no column {name!r}; {did_you_mean(name, names)}")
    return texts


def _controls_in(arguments: Mapping[str, Any], names: Sequence[str]) -> Mapping[str, float | None]:
    """The controls that the options or a policy name, with the width of each that is rounded."""
    given = arguments.get("controls", ())
    if not isinstance(given, Mapping):
        given = controls_in([given] if isinstance(given, str) else given, names)
    return given if isinstance(given, Mapping) else dict.fromkeys(given)


def _columns_in(arguments: Mapping[str, Any], name: str, names: Sequence[str]) -> Iterable[str]:
    if name == "controls":
        return _controls_in(arguments, names)
    given: str | Mapping[str, str] | Sequence[str] = arguments[name]
    if isinstance(given, str | Mapping):
        return columns_of(given)
    if name in ("predicted", "estimated"):
        return columns_of(models_in(name, given, pl.Schema(dict.fromkeys(names, pl.String()))))
    return given


def _readings_of(
    texts: pl.LazyFrame, candidates: Mapping[Use, Sequence[Reading]], *others: pl.Expr
) -> tuple[dict[Use, Reading], pl.DataFrame]:
    """The first reading of each column that all its values allow, if any does.

    One pass over all rows: what holds for the first rows may not hold for the last. A reading that
    the first rows refute is not tried on the others. The answer of ``others`` comes from that pass.
    """
    names = list(dict.fromkeys(name for _, name in candidates))
    sample = texts.select(names).head(_SAMPLE).collect()
    left = {
        use: [read for read in reads if not sample.select(_refutes(use[1], read)).item()]
        for use, reads in candidates.items()
    }
    tests = {
        f"{use} {place}\x1f": _refutes(use[1], read)
        for use, reads in left.items()
        for place, read in enumerate(reads)
    }
    filled = {f"{name}\x1f": _is_filled(name).any() for name in names}
    answer = texts.select(*others, **tests, **filled).collect(engine="streaming")
    readings = {}
    for use, reads in left.items():
        is_refuted = [answer[f"{use} {place}\x1f"].item() for place, _ in enumerate(reads)]
        allowed = [read for read, refuted in zip(reads, is_refuted, strict=True) if not refuted]
        if not answer[f"{use[1]}\x1f"].item():
            # Outcomes and the like without any value are numbers, all other columns text.
            allowed = [_as_whole] if reads == [*_NUMBERS] else []
        if allowed:
            readings[use] = allowed[0]
    return readings, answer


def _refutes(name: str, read: Reading) -> pl.Expr:
    """Whether a value of the column cannot be read so."""
    return (_is_filled(name) & read(pl.col(name)).is_null()).any()


def _is_filled(name: str) -> pl.Expr:
    """Whether a field has text."""
    return pl.col(name).is_not_null() & (pl.col(name) != "")


_SEPARATORS: Final = {"csv": ",", "tsv": "\t"}

_ROWS: Final = "rows\x1f"
_TEXT: Final = "text\x1f"  # before the names of columns that a condition reads as numbers
_FILE: Final = "file\x1f"
_GUESSED: Final = 10_000

_Filter = Callable[[pl.LazyFrame], pl.LazyFrame]
Scan = Callable[..., pl.LazyFrame]


def as_no_patterns(files: Sequence[str]) -> list[str]:
    """The names so that polars does not read one such as `loans[1].csv` as a pattern."""
    return [file if "://" in file else escape(file) for file in files]


def _rows_of_text(
    kind: str, files: Sequence[str], arguments: Mapping[str, Any], kept: _Filter
) -> pl.LazyFrame:
    """The rows of CSV, TSV or NDJSON that a filter keeps, with the types that all rows allow.

    For a million rows of CSV, this and a count of them take about as long as the count alone took
    when polars guessed the types of all columns from the first 10,000 rows.
    """
    separator, local = _SEPARATORS.get(kind, ""), [file for file in files if "://" not in file]
    scan: Scan = partial(_scan_csv, separator=separator) if separator else _scan_ndjson
    most = arguments.get("most_bytes", MOST_BYTES)
    for file in local:
        # polars has no limit for decompressed files.
        is_small = Path(file).stat().st_size * _MOST_IN_BYTE <= most
        if not is_small and _beginning(file).startswith(GZIP):
            with _unpacked(file, "rb") as content:
                deque(blocks_within(most, content, repr(file)), maxlen=0)
    try:
        _refuse_unusable(local, separator)
        return _typed(scan, separator, files, arguments, kept)
    except (PolarsError, OSError) as error:
        if separator:
            _refuse_bad_lines(local, separator)
        _refuse_first_unreadable(kind, files, scan, error)


def _typed(
    scan: Scan, separator: str, files: Sequence[str], arguments: Mapping[str, Any], kept: _Filter
) -> pl.LazyFrame:
    local = [file for file in files if "://" not in file]
    schema = scan(files).collect_schema()
    candidates, needing = _candidates_of(arguments, schema, has_text=not separator)
    named = list(dict.fromkeys(name for _, name in candidates))
    header = _header(local[0], separator) if local and separator else []
    for name in named:
        # polars would rename the second.
        if header.count(name) > 1:
            raise FairnessError(
                f"path: {header.count(name)} columns of {local[0]!r} are called {name!r}; give "
                "each a name of its own in the header"
            )
    texts = scan(files, texts=named)
    # Every column, so that polars finds the rows with more fields than the header.
    others = [pl.len().alias(_ROWS), *([pl.all().null_count()] if separator else [])]
    readings, counted = _readings_of(texts, candidates, *others)
    rows = counted[_ROWS].item()
    if len(header) > 1:
        # All columns were read, so no row has more fields. For one that has fewer, polars fills the
        # rest with nulls: the separators say so. To count them took 0.1 s of processor time for a
        # million rows of 9 columns, whose reading took 0.5 s; to split each line by Python takes
        # seconds, and is left to files whose number is wrong.
        separators = sum(_separators(file, ord(separator)) for file in local)
        if separators != (rows + len(local)) * (len(header) - 1):
            _refuse_bad_lines(local, separator)
    if rows == 0:
        raise FairnessError(f"path: {listed(files)} has no rows; give files with rows")
    for name, argument in needing.items():
        if ("question", name) not in readings:
            _refuse_text_beside_numbers(partial(scan, files, texts=named), name, argument)
    columns, conditions = (
        {name: read(pl.col(name)) for (of, name), read in readings.items() if of == use}
        for use in ("question", "where")
    )
    if arguments.get("where") is None:
        return texts.with_columns(**columns)
    # The question has its own reading of a column that the condition compares.
    texts_of = {f"{_TEXT}{name}": pl.col(name) for use, name in candidates if use == "where"}
    back = {name.removeprefix(_TEXT): pl.col(name) for name in texts_of}
    filtered = kept(texts.with_columns(**texts_of, **conditions))
    return filtered.with_columns(**back).drop(texts_of).with_columns(**columns)


def _scan_csv(
    files: Sequence[str], *, separator: str, texts: Sequence[str] = (), **settings: Any
) -> pl.LazyFrame:
    names = as_no_patterns(files)
    return pl.scan_csv(names, separator=separator, infer_schema=False, **settings)


def _scan_ndjson(
    files: Sequence[str], *, texts: Sequence[str] = (), **settings: Any
) -> pl.LazyFrame:
    return pl.scan_ndjson(
        as_no_patterns(files),
        infer_schema_length=_GUESSED,
        schema_overrides=dict.fromkeys(texts, pl.String()),
        **settings,
    )


def _refuse_text_beside_numbers(scan: Scan, name: str, argument: str) -> None:
    """Raise if some values of a column are numbers and others are not."""
    text = pl.col(name)
    is_number = _as_number(text).is_not_null()
    row = (
        scan(include_file_paths=_FILE)
        .select(
            numbers=is_number.sum(),
            others=(_is_filled(name) & ~is_number).sum(),
            first=text.filter(_is_filled(name) & ~is_number).first(),
            file=pl.col(_FILE).filter(_is_filled(name) & ~is_number).first(),
            distinct=text.n_unique(),
        )
        .collect(engine="streaming")
        .row(0, named=True)
    )
    if row["numbers"]:
        first = f"{row['first']!r} " if row["distinct"] <= MOST_QUOTED else ""
        raise FairnessError(
            f"{argument}: {row['others']:,} values of {name!r} are not numbers, the first being "
            f"{first}in {row['file']!r}; correct them, or leave the fields empty "
            f"and add nulls='drop'"
        )


def _refuse_unusable(files: Sequence[str], separator: str) -> None:
    """Raise for a file without content, different headers, and a mark that polars does not skip."""
    for file in files:
        if Path(file).stat().st_size == 0:
            raise FairnessError(f"path: {file!r} is empty; remove it or write it again")
    headers = {file: _header(file, separator) for file in files if separator}
    for file, header in headers.items():
        if header != headers[files[0]]:
            raise FairnessError(
                f"path: the columns of {file!r} are {listed(header)}, and those of {files[0]!r} "
                f"are {listed(headers[files[0]])}; give files with the same columns in the same "
                "order"
            )
    for file in () if separator else files:
        with _unpacked(file, "rb") as content:
            if content.read(3) == BOM_UTF8:
                raise FairnessError(
                    f"path: {file!r} begins with a byte order mark; save it as UTF-8 without one"
                )


def _refuse_first_unreadable(
    kind: str, files: Sequence[str], scan: Scan, error: PolarsError | OSError
) -> NoReturn:
    """Raise for the first file that cannot be read alone, else for the first of all."""
    broken, reason = files[0], error
    for file in files:
        try:
            scan([file]).select(pl.all().null_count()).collect(engine="streaming")
        except (PolarsError, OSError) as own:
            broken, reason = file, own
            break
    raise FairnessError(
        f"path: cannot read {broken!r} as {kind}: {reason_of(reason)[:_SHOWN]}; check the file"
    ) from error


_FORMATS: Final = {
    ".parquet": "parquet",
    ".csv": "csv",
    ".csv.gz": "csv",
    ".tsv": "tsv",
    ".tsv.gz": "tsv",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".arrow": "ipc",
    ".feather": "ipc",
    ".ipc": "ipc",
}

_SCANS: Final[dict[str, Callable[[list[str]], pl.LazyFrame]]] = {
    "parquet": partial(pl.scan_parquet, hive_partitioning=True),
    "ipc": partial(pl.scan_ipc, hive_partitioning=True),
}

_SCHEMAS: Final[dict[str, Callable[[str], dict[str, pl.DataType]]]] = {
    "parquet": pl.read_parquet_schema,
    "ipc": pl.read_ipc_schema,
}

_SINGLE: Final = ("configuration", "notes", "policy", "schema", "words")
"""The arguments that name one file to read."""

_BESIDE: Final = ("baseline", "holdout")
"""The arguments that may name files of rows."""

TABLES: Final[Mapping[str, Callable[[pl.DataFrame, BytesIO], object]]] = {
    ".parquet": pl.DataFrame.write_parquet,
    ".csv": pl.DataFrame.write_csv,
    ".tsv": partial(pl.DataFrame.write_csv, separator="\t"),
    ".ndjson": pl.DataFrame.write_ndjson,
    ".jsonl": pl.DataFrame.write_ndjson,
    ".arrow": pl.DataFrame.write_ipc,
    ".feather": pl.DataFrame.write_ipc,
    ".ipc": pl.DataFrame.write_ipc,
}
"""How a table is written, by the ending of its file."""


def files_beside(arguments: Mapping[str, Any]) -> list[str]:
    """The files that are read beside those of the rows, by whatever argument names them."""
    single = [arguments[name] for name in _SINGLE if name in arguments]
    return [*single, *(file for name in _BESIDE for file in files_given(name, arguments))]


def files_given(argument: str, arguments: Mapping[str, Any]) -> list[str]:
    """The files that an argument names, such as a baseline; empty if it names none."""
    text: str | None = arguments.get(argument)
    if text is None or text in BASELINE_WORDS:
        return []
    names_rows = "://" in text or text.lower().endswith(tuple(_FORMATS))
    if not (names_rows or Path(text).exists() or has_magic(text)):
        return []
    with _about(argument):
        return _distinct_files([text], [])


def rows_given(argument: str, arguments: Mapping[str, Any]) -> pl.LazyFrame:
    """The rows of these files: all of them, since --where often names a time."""
    with _about(argument):
        return opened(files_of([arguments[argument]]), {**arguments, "where": None})


def baseline_given(arguments: Mapping[str, Any], schema: pl.Schema) -> dict[str, object]:
    """The typed baseline, if there is one: a word, the rows of files, or a window's value."""
    if "baseline" not in arguments:
        return {}
    text: str = arguments["baseline"]
    by: Sequence[str] = arguments.get("by", [])
    if files_given("baseline", arguments):
        return {"baseline": rows_given("baseline", arguments)}
    if text in BASELINE_WORDS:
        return {"baseline": text}
    if not by:
        raise FairnessError(
            f"baseline: there is no file {text!r}, and no window without --by; give a file, or "
            "--by with previous, first or the value of a window"
        )
    return {"baseline": value_of(text, schema.get(by[0], pl.String()))}


@contextmanager
def _about(argument: str) -> Iterator[None]:
    """Raise errors about files as errors about the argument that names them."""
    try:
        yield
    except FairnessError as error:
        raise FairnessError(f"{argument}: {str(error).removeprefix('path: ')}") from error


def opened(files: Sequence[str], arguments: Mapping[str, Any]) -> pl.LazyFrame:
    """The rows of files of one format that --where keeps, as the typed arguments read them."""
    formats = {_format_of(file): file for file in files}
    if len(formats) > 1:
        raise FairnessError(
            f"path: files of different formats, {listed(formats.values())}; give one format only"
        )
    [kind] = formats
    kept = partial(_kept, arguments.get("where"))
    if kind not in _SCANS:
        return _rows_of_text(kind, files, arguments, kept)
    try:
        rows = _SCANS[kind](as_no_patterns(files))
        schema = rows.collect_schema()
    except (PolarsError, OSError) as error:
        _refuse_first_unreadable(kind, files, _SCANS[kind], error)
    texts = _texts_in(arguments, schema.names())
    return kept(rows.with_columns(pl.col(texts).cast(pl.String)) if texts else rows)


def refuse_files_of_cells(rows: pl.LazyFrame, arguments: Mapping[str, Any]) -> None:
    """Raise if files have cells, and no argument names the column with their numbers of rows."""
    schema = rows.collect_schema()
    names = schema.names()
    mentioned = {
        column
        for argument in _NAMING & arguments.keys()
        for column in _columns_in(arguments, argument, names)
    }
    if "count" not in arguments and may_be_cells(names, mentioned):
        first = rows.head(MOST_CELLS + 1)
        if schema["n"] == pl.String:
            first = first.with_columns(_as_whole(pl.col("n")))
        refuse_cells_as_rows(first.collect(engine="streaming"))


def reason_in_files(error: PolarsError | PanicException, paths: Sequence[str]) -> str:
    """Why rows could not be counted: the first file with other columns, or what polars says."""
    # Schemas are read only now: each takes a request where files are far away.
    known: tuple[str, dict[str, pl.DataType]] | None = None
    for file in _distinct_files(paths, []):
        if "://" in file or _format_of(file) not in _SCHEMAS:
            continue
        try:
            schema = _SCHEMAS[_format_of(file)](file)
        except (PolarsError, OSError) as broken:
            return f"path: cannot read {file!r}: {reason_of(broken)}; write it again"
        first, types = known = known or (file, schema)
        name = next((name for name in types | schema if types.get(name) != schema.get(name)), None)
        if name is not None:
            return (
                f"path: {file!r} differs from {first!r}: column {name!r} is "
                f"{schema.get(name, 'missing')} in the first and {types.get(name, 'missing')} in "
                "the second; give files of one kind, or count each kind into a CSV file by "
                "`polars-fairness cells`, and give these with --count n"
            )
    if isinstance(error, PanicException):
        return (
            f"path: polars gave up on {listed(paths, most=3)}: {reason_of(error)}; write the files "
            "again, each column with a name of its own"
        )
    return reason_of(error)


def _format_of(path: str) -> str:
    name = path.lower()
    kind = next((form for ending, form in _FORMATS.items() if name.endswith(ending)), None)
    if kind is None:
        raise FairnessError(
            f"path: {path!r} has no known format; the name must end in one of {listed(_FORMATS)}"
        )
    return kind


_TIME_BESIDE_TEXT: Final = "cannot compare 'date/datetime/time' to a string value"


def _kept(where: str | None, rows: pl.LazyFrame) -> pl.LazyFrame:
    """The rows for which the condition is true."""
    if where is None:
        return rows
    try:
        condition = pl.sql_expr(where)
    except PolarsError as error:
        raise FairnessError(
            f"--where: {where!r} is not an SQL expression: {reason_of(error)}; "
            "write one such as 'year = 2025'"
        ) from error
    try:
        columns = find_columns(rows.collect_schema(), "--where", condition)
    except FairnessError as error:
        if _TIME_BESIDE_TEXT not in str(error):
            raise
        raise FairnessError(
            f"--where: {where!r} compares a date or a time with text; write it as DATE "
            "'2026-11-23' or TIMESTAMP '2026-11-23 08:00:00'"
        ) from error
    types = [column.dtype for column in columns]
    if types != [pl.Boolean()]:
        raise FairnessError(
            f"--where: {where!r} is {types[0]}, not true or false; compare it with something"
        )
    return rows.filter(condition)
