"""Functions that print to stdout and stderr, and the formats JSON, CSV and Markdown."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from select import select
from traceback import print_exception
from typing import Final, TextIO

import polars as pl
import polars.selectors as cs

from polars_fairness.errors import FairnessError, about
from polars_fairness.reporting.outputs.markdown import as_text
from polars_fairness.reporting.outputs.records import records_of
from polars_fairness.reporting.parts import printable

PASSED, FAILED = 0, 1
"""The exit codes of a command without a mistake."""

TRACEBACK: Final = "POLARS_FAIRNESS_TRACEBACK"
"""The environment variable that makes errors print their traceback."""


def say(text: str) -> None:
    """Print to stdout; a reader that has closed the pipe, such as ``| head``, is no error."""
    if sys.stdout is None:  # closed by the shell: `>&-`
        return
    try:
        _write_all(sys.stdout, text if text.endswith("\n") else f"{text}\n")
    except BrokenPipeError:
        return
    except UnicodeEncodeError as error:
        missing = error.object[error.start]
        raise FairnessError(
            f"stdout: {error.encoding} cannot write {missing!a}; set PYTHONUTF8=1"
        ) from error
    except OSError as error:
        raise FairnessError(
            f"stdout: not all of the answer could be written: {error.strerror}; free space, or "
            "write to another place"
        ) from error


def _write_all(stream: TextIO, text: str) -> None:
    """Write a whole text to a stream, past its buffer.

    With PYTHONUNBUFFERED set, Python writes once and drops what a full disk or pipe did not take;
    with a buffer, it would fail again when it flushes the rest at exit.
    """
    try:
        descriptor = stream.fileno()
    except OSError:  # a stream in memory
        stream.write(text)
        return
    stream.flush()
    left = memoryview(text.replace("\n", os.linesep).encode(stream.encoding, stream.errors or ""))
    while left:
        try:
            left = left[os.write(descriptor, left) :]
        except BlockingIOError:  # a pipe that does not wait for its reader
            select([], [descriptor], [])


def show_traceback(error: BaseException) -> None:
    """Print the traceback of an error if the environment variable is set."""
    if os.environ.get(TRACEBACK) and sys.stderr is not None:
        with suppress(OSError):
            print_exception(error)


def complain(text: str) -> None:
    """Print a line on stderr; a closed or full stderr is no error."""
    if sys.stderr is None:
        return
    with suppress(OSError):
        _write_all(sys.stderr, f"polars-fairness: {printable(text)}\n")


def width() -> int:
    """The width of the terminal; the environment variable COLUMNS overrides it."""
    return shutil.get_terminal_size().columns


def as_json(frame: pl.DataFrame, answer: str) -> str:
    """A list of records, one per line; programs that read a list could not read an object."""
    with about("--format"):
        records = [json.dumps(each, ensure_ascii=False) for each in records_of(frame, answer)]
    return "[\n" + ",\n".join(f"  {record}" for record in records) + "\n]" if records else "[]"


def as_csv(frame: pl.DataFrame, _answer: str) -> str:
    """Comma-separated values that no spreadsheet takes for formulas.

    Text that begins like a formula gets an apostrophe before it, as OWASP advises. Numbers are
    unchanged.
    """
    names = pl.DataFrame([frame.columns], orient="row")
    return "".join(
        _unlike_formulas(part).write_csv(include_header=False) for part in (names, frame)
    )


def _unlike_formulas(frame: pl.DataFrame) -> pl.DataFrame:
    texts = (cs.string() | cs.categorical() | cs.enum()).cast(pl.String)
    return frame.with_columns(texts.str.replace(r"\A[=+\-@\t\r\n]", "'${0}"))


def as_markdown(frame: pl.DataFrame, _answer: str) -> str:
    """A table in Markdown."""
    rows = [frame.columns, ["---"] * frame.width, *frame.iter_rows()]
    return "\n".join(f"| {' | '.join(map(_in_markdown, row))} |" for row in rows)


Format = Callable[[pl.DataFrame, str], str]

FORMATS: Final[Mapping[str, Format]] = {"json": as_json, "csv": as_csv, "markdown": as_markdown}
"""The formats of every answer: functions of the answer and of its name, such as "audit"."""


def _in_markdown(value: object) -> str:
    return "" if value is None else printable(as_text(str(value)))
