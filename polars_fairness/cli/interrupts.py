"""Ctrl-C that takes effect at once, also during a query of polars."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from typing import Final, TypeVar

_BEAT: Final = 0.1

T = TypeVar("T")


def interruptible(work: Callable[[], T]) -> T:
    """The result of a function; a KeyboardInterrupt does not wait for the function to return.

    Python raises KeyboardInterrupt in the main thread, as soon as this thread runs Python code
    again. Within a query of polars this can take as long as the query, so the function runs in
    another thread. After an interrupt the other thread still runs: end the process by `os._exit`.
    """
    answer: Future[T] = Future()
    # A daemon, because Python waits for other threads before it exits.
    Thread(target=_settle, args=(answer, work), daemon=True).start()
    # A wait without a timeout cannot be interrupted on Windows.
    while not answer.done():
        wait([answer], _BEAT)
    return answer.result()


def _settle(answer: Future[T], work: Callable[[], T]) -> None:
    try:
        answer.set_result(work())
    except BaseException as error:  # noqa: BLE001 - also the panics of polars, raised again above
        answer.set_exception(error)
