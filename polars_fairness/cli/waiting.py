"""The line on a terminal that shows time and progress during a long calculation."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import Final

from polars_fairness.inference.progress import progress_heard

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
