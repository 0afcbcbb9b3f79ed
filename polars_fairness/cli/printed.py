"""What a command prints, and shows while it works."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from select import select
from threading import Event, Thread
from time import monotonic
from traceback import print_exception
from typing import Final, TextIO

from polars_fairness.cli.options import TRACEBACK
from polars_fairness.errors import FairnessError
from polars_fairness.inference.progress import progress_heard
from polars_fairness.reporting.parts import printable


def say(text: str) -> None:
    """Print to stdout; it is no error if a reader has closed the pipe, such as ``| head``."""
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
            "write elsewhere"
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


PATIENCE: Final = 1.0  # seconds before anything is shown
BEAT: Final = 0.2

_BAR: Final = 20


@contextmanager
def time_shown() -> Iterator[None]:
    """Show time and progress on stderr while the block runs, and clear the line at the end."""
    if not _is_terminal():
        yield
        return
    line = _Line()
    clock = Thread(target=line.tick, daemon=True)
    clock.start()
    try:
        with progress_heard(line.hear):
            yield
    finally:
        line.done.set()
        clock.join()


def leave_line() -> None:
    """Begin a new line on a terminal, after an interrupt has left a line unfinished."""
    if _is_terminal():
        print(file=sys.stderr)


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


class _Line:
    """A line on a terminal that is overwritten again and again."""

    def __init__(self) -> None:
        self.done = Event()
        self._began = monotonic()
        self._drawn: tuple[int, int] | None = None

    def hear(self, done: int, total: int) -> None:
        self._drawn = (done, total)

    def tick(self) -> None:
        widest = 0
        wait = PATIENCE
        while not self.done.wait(wait):
            text = self._text()
            widest = max(widest, len(text))
            print(f"\r{text.ljust(widest)}", end="", file=sys.stderr, flush=True)
            wait = BEAT
        if widest:
            print(f"\r{' ' * widest}\r", end="", file=sys.stderr, flush=True)

    def _text(self) -> str:
        seconds = f"{monotonic() - self._began:.0f} s"
        # Draws begin when everything is counted; after the last draw, another part of the call may
        # have to be counted.
        if self._drawn is None or self._drawn[0] >= self._drawn[1]:
            return f"counting, {seconds}"
        done, total = self._drawn
        bar = ("#" * (_BAR * done // total)).ljust(_BAR, ".")
        return f"drawing [{bar}] {100 * done // total} %, {seconds}"
