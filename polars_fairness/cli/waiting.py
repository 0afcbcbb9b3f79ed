"""A sign of life while a long scan runs; for a person at a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import Final

PATIENCE: Final = 1.0  # seconds that nobody minds
BEAT: Final = 0.2


@contextmanager
def time_shown() -> Iterator[None]:
    """Show on stderr how long it has taken so far, and leave nothing behind."""
    if not sys.stderr.isatty():
        yield
        return
    done = Event()
    clock = Thread(target=_tick, args=(done,), daemon=True)
    clock.start()
    try:
        yield
    finally:
        done.set()
        clock.join()


def _tick(done: Event) -> None:
    began = monotonic()
    shown = ""
    wait = PATIENCE
    while not done.wait(wait):
        shown = f"counting, {monotonic() - began:.0f} s"
        print(f"\r{shown}", end="", file=sys.stderr, flush=True)
        wait = BEAT
    if shown:
        print(f"\r{' ' * len(shown)}\r", end="", file=sys.stderr, flush=True)
