"""A sign of life while a long calculation runs; for a person at a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import Final

from polars_fairness.inference.progress import progress_heard

PATIENCE: Final = 1.0  # seconds that are too short to be shown
BEAT: Final = 0.2

_BAR: Final = 20


@contextmanager
def time_shown() -> Iterator[None]:
    """Show on stderr how long it has taken and what part is done, and leave nothing behind."""
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
    """Begin a new line on a terminal, where what was shown has been interrupted."""
    if _is_terminal():
        print(file=sys.stderr)


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


class _Line:
    """The line of a terminal that is written over and over."""

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
        # The first draws come when everything is counted, and after the last ones there may be
        # more to count, for another question.
        if self._drawn is None or self._drawn[0] >= self._drawn[1]:
            return f"counting, {seconds}"
        done, total = self._drawn
        bar = ("#" * (_BAR * done // total)).ljust(_BAR, ".")
        return f"drawing [{bar}] {100 * done // total} %, {seconds}"
