"""Ctrl-C at any time, also while code runs that does not look out for it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from typing import Final, TypeVar

_BEAT: Final = 0.1

T = TypeVar("T")


def interruptible(work: Callable[[], T]) -> T:
    """Return what work returns; a KeyboardInterrupt does not wait for it.

    Python raises KeyboardInterrupt in the main thread, when that runs Python code again. Within a
    query of polars this can take as long as the query, so the work is done in another thread. After
    an interrupt that thread is still at work: leave the process by `os._exit`.
    """
    answer: Future[T] = Future()
    # Daemonic, or Python would wait for it at the end.
    Thread(target=_settle, args=(answer, work), daemon=True).start()
    # A wait without an end cannot be interrupted on Windows.
    while not answer.done():
        wait([answer], _BEAT)
    return answer.result()


def _settle(answer: Future[T], work: Callable[[], T]) -> None:
    try:
        answer.set_result(work())
    except BaseException as error:  # noqa: BLE001 - also the panics of polars, raised again above
        answer.set_exception(error)
