"""Progress of a long calculation, reported to listeners."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[int, int], None]

# One list for the process, not a context variable: polars calls Python from threads of its own.
_listeners: list[Listener] = []


def report_progress(done: int, total: int) -> None:
    """Report how many parts of a calculation are done; without listeners this costs nothing."""
    for listener in _listeners:
        listener(done, total)


@contextmanager
def progress_heard(listener: Listener) -> Iterator[None]:
    """Call a function with each progress reported inside the `with` block.

    Examples
    --------
    >>> with progress_heard(lambda done, total: print(f"{done} of {total}")):
    ...     report_progress(1, 3)
    1 of 3
    >>> report_progress(2, 3)
    """
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
