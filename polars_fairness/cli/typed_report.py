"""Typed arguments of a report, which files it is written to, and the libraries that it needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from polars_fairness.cli.report_files import FILES
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import Argument
from polars_fairness.question.document_arguments import NOTES, OF_DOCUMENT, OF_PAGE
from polars_fairness.question.harm import HARM, refuse_invalid_harm
from polars_fairness.question.page_arguments import OF_PUBLICATION
from polars_fairness.reporting.found.about import About
from polars_fairness.reporting.outputs.extras import require_charts, require_printer
from polars_fairness.reporting.prescribed.publication import Publication

OF_REPORT: Final[tuple[Argument, ...]] = (
    replace(HARM, meaning=f"with --html or --pdf: {HARM.meaning}"),
    *OF_DOCUMENT,
)
"""The arguments of a report that an audit without one does not have."""


def report_of(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of an audit's report, as far as they were typed, checked by themselves."""
    given = texts_of_report(arguments, OF_REPORT)
    refuse_invalid_harm(given.get(HARM.name))
    About(**{name: value for name, value in given.items() if name != HARM.name})
    return given


def about_page_of(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a page on lending, as far as they were typed, checked by themselves."""
    given = texts_of_report(arguments, OF_PAGE)
    About(**given)
    return given


def publication_of(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a page on hiring, as far as they were typed, checked by themselves."""
    given = texts_of_report(arguments, OF_PUBLICATION)
    if FILES.keys() & arguments.keys():
        Publication(**given)
    return given


def texts_of_report(arguments: Mapping[str, Any], rows: Iterable[Argument]) -> dict[str, Any]:
    """What was typed about a report, with its notes read from their file."""
    given = {row.name: arguments[row.name] for row in rows if row.name in arguments}
    if given and not FILES.keys() & arguments.keys():
        name = next(iter(given))
        msg = f"{name}: is about a report, which was not requested; add --html, --pdf or --json"
        raise FairnessError(msg)
    if "html" in arguments:
        require_charts()
    if "pdf" in arguments:
        require_printer()
    if NOTES.name in given:
        given[NOTES.name] = _text_of(given[NOTES.name])
    return given


def _text_of(path: str) -> str:
    try:
        return Path(path).read_text("utf-8-sig")
    except OSError as error:
        msg = f"notes: cannot read {path!r}: {error.strerror}; give a file with Markdown"
        raise FairnessError(msg) from error
    except UnicodeDecodeError as error:
        msg = f"notes: {path!r} is not text in UTF-8; write it as UTF-8"
        raise FairnessError(msg) from error
