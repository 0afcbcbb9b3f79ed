"""The files that a report is written to."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from polars_fairness.cli.outputs import output_of
from polars_fairness.cli.waiting import time_shown
from polars_fairness.reporting.written_report import WrittenReport

FILES: Final[Mapping[str, str]] = {
    "html": "also write a report, as an HTML page",
    "pdf": "also write a report, as a PDF",
    "json": "also write a report, as JSON with a schema",
}
"""The options that name the file of a report, with what they do."""


def add_report_files(command: ArgumentParser) -> None:
    """Add the options that name the files of a report."""
    for kind, meaning in FILES.items():
        command.add_argument(f"--{kind}", metavar="FILE", help=meaning)


def files_of_report(
    arguments: Mapping[str, Any], files: Sequence[str], outputs: ExitStack
) -> dict[str, Path | None]:
    """A temporary file for each typed file of a report, checked to be writable."""
    return {
        kind: outputs.enter_context(output_of(arguments, kind, files))
        for kind in FILES
        if kind in arguments
    }


def write_report(written: Mapping[str, Path | None], report: Callable[[], WrittenReport]) -> None:
    """Make the report once and write it to these files, if there are any."""
    if written:
        with time_shown():
            made = report()
            for kind, path in written.items():
                getattr(made, f"write_{kind}")(path)
