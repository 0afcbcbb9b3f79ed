"""Functions that print to stdout and stderr."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from select import select
from traceback import print_exception
from typing import TextIO

from polars_fairness.cli.options import TRACEBACK
from polars_fairness.errors import FairnessError
from polars_fairness.reporting.parts import printable

PASSED, FAILED = 0, 1
"""The exit codes of a command without a mistake."""


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
