"""The command line, `polars-fairness`: audits and counts of files."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from polars.exceptions import PanicException, PolarsError

from polars_fairness.cli.interrupts import end_at_signals, interruptible
from polars_fairness.cli.options import TRACEBACK, WrongOptionsError
from polars_fairness.cli.printed import complain, leave_line, show_traceback
from polars_fairness.errors import FairnessError, reason_of
from polars_fairness.reporting.outputs.files import remove_unfinished

WRONG_CALL, DEFECT, INTERRUPTED = 2, 3, 130

_WRONG_CALLS = (
    FairnessError,
    WrongOptionsError,
    PanicException,
    OSError,
    ImportError,
    MemoryError,
)


def program() -> NoReturn:
    """Run ``polars-fairness`` with the arguments of this process, and end the process."""
    end_at_signals()
    sys.exit(main())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``polars-fairness`` and return its exit code.

    Parameters
    ----------
    arguments
        The arguments after the program's name; None for the arguments of this process.

    Returns
    -------
    int
        0 for success, 1 if ``--fail-on`` failed, 2 for a wrong call, which one line on stderr
        explains, 3 for a defect of this package, 130 if the user interrupted.

    Examples
    --------
    >>> from polars_fairness.cli import main
    >>> main(["metrics", "di"])
    name  definition  range   ideal  band
    di    q'd / q'a   0 to ∞      1  0.8 to 1.25
    0
    """
    try:
        # Imported after a program has its handler of signals: this is a sixth of its start.
        from polars_fairness.cli.commands import parser

        typed = parser().parse_args(arguments)
        return interruptible(partial(_run, typed))
    except KeyboardInterrupt:
        remove_unfinished()
        leave_line()
        return INTERRUPTED
    except _WRONG_CALLS as error:
        show_traceback(error)
        from polars_fairness.cli.own_words import name_options

        ours = name_options(str(error)) if isinstance(error, FairnessError) else ""
        complain(ours or reason_of(error))
        return WRONG_CALL
    except Exception as error:  # noqa: BLE001 - Python would exit with 1, as a failed gate does
        show_traceback(error)
        complain(
            f"a defect of polars-fairness, {type(error).__name__}: {reason_of(error)}; "
            f"{TRACEBACK}=1 in the environment shows where; please report it"
        )
        return DEFECT


def _run(typed: Namespace) -> int:
    # Imported here: help and versions need none of it, and show up half a second earlier.
    from polars_fairness.api.unused_arguments import calls_of_ours
    from polars_fairness.cli.files import reason_in_files
    from polars_fairness.cli.standard_input import rows_piped_in
    from polars_fairness.counting.faults import errors_of_users

    with rows_piped_in(typed), _named_by_policy(vars(typed)):
        try:
            # The question of a shell may be about more than one command answers.
            with calls_of_ours(), errors_of_users():
                return int(typed.run(typed))
        except (PolarsError, PanicException) as error:
            raise FairnessError(reason_in_files(error, vars(typed).get("paths", []))) from error


@contextmanager
def _named_by_policy(arguments: Mapping[str, Any]) -> Iterator[None]:
    """Add the file to the error about what only the question of a policy says."""
    try:
        yield
    except FairnessError as error:
        name, file = error.argument, arguments.get("policy")
        if name is None or file is None or name in arguments:
            raise
        from polars_fairness.question.policy import Policy

        if name not in Policy.read(file).question:
            raise
        raise FairnessError(f"{Path(file).name}: {error}") from error
