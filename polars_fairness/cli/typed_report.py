"""Typed arguments of a report, which files it is written to, and the libraries that it needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import Argument
from polars_fairness.question.document_arguments import NOTES, OF_DOCUMENT
from polars_fairness.question.harm import HARM, refuse_invalid_harm
from polars_fairness.reporting.found.about import About
from polars_fairness.reporting.outputs.extras import require_charts, require_printer

OF_REPORT: Final[tuple[Argument, ...]] = (
    replace(HARM, meaning=f"with --html or --pdf: {HARM.meaning}"),
    *OF_DOCUMENT,
)
"""The arguments of a report that an audit without one does not have."""

FILES: Final[Mapping[str, str]] = {
    "html": "also write a report, as an HTML page",
    "pdf": "also write a report, as a PDF",
    "json": "also write a report, as JSON with a schema",
}
"""The options that name the file of a report, with what they do."""


def report_of(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of the report, as far as they were typed and before anything is counted."""
    given = {row.name: arguments[row.name] for row in OF_REPORT if row.name in arguments}
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
    refuse_invalid_harm(given.get(HARM.name))
    About(**{name: value for name, value in given.items() if name != HARM.name})
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
