"""Ctrl-C and SIGTERM, which take effect at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from types import FrameType
from typing import Final, NoReturn, TypeVar

from polars_fairness.cli.printed import leave_line
from polars_fairness.reporting.outputs.files import remove_unfinished

_BEAT: Final = 0.1

T = TypeVar("T")


def end_at_signals() -> None:
    """Let Ctrl-C and SIGTERM end the process, with the exit codes 130 and 143 of shells.

    With a handler, because KeyboardInterrupt may be swallowed or become another error, such as in
    an import. A signal that the parent process ignores is ignored here too.
    """
    for number, usual in (
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGTERM, signal.SIG_DFL),
    ):
        if signal.getsignal(number) == usual:
            signal.signal(number, _end)


def _end(number: int, _: FrameType | None) -> NoReturn:
    try:
        remove_unfinished()
        leave_line()
    finally:
        # Interrupted work still runs in its thread, and sys.exit might wait for it.
        os._exit(128 + number)


def interruptible(work: Callable[[], T]) -> T:
    """The result of a function; a signal does not wait for the function to return.

    Python handles signals in the main thread, as soon as this thread runs Python code again. Within
    a query of polars this can take as long as the query, so the function runs in another thread.
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
