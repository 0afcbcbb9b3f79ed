"""Typed champions and baselines: what each window of an audit is compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from polars_fairness.cli.files import BASELINE_WORDS, files_of_baseline, opened
from polars_fairness.cli.paths import files_of
from polars_fairness.cli.typed_values import value_of
from polars_fairness.errors import FairnessError
from polars_fairness.question.audit_arguments import AuditQuestion
from polars_fairness.question.windows import MODEL


def contrast_of(arguments: Mapping[str, Any], schema: pl.Schema) -> dict[str, object]:
    """The typed baseline, if there is one: a word, the rows of files, or a window's value."""
    if "baseline" not in arguments:
        return {}
    text: str = arguments["baseline"]
    by: Sequence[str] = arguments.get("by", [])
    if files_of_baseline(arguments):
        return {"baseline": _rows_of(text, arguments)}
    if text in BASELINE_WORDS:
        return {"baseline": text}
    if not by:
        msg = (
            f"baseline: there is no file {text!r}, and no window without --by; give a file, or "
            "--by with previous, first or the value of a window"
        )
        raise FairnessError(msg)
    return {"baseline": value_of(text, schema.get(by[0], pl.String()))}


def _rows_of(path: str, arguments: Mapping[str, Any]) -> pl.LazyFrame:
    """The rows of a baseline's files: all of them, since --where often names a time."""
    try:
        return opened(files_of([path]), {**arguments, "where": None})
    except FairnessError as error:
        msg = f"baseline: {str(error).removeprefix('path: ')}"
        raise FairnessError(msg) from error


def is_excused(given: AuditQuestion, answer: pl.DataFrame) -> pl.Expr:
    """Whether a row is compared with nothing by design: the champion's own, or of one window."""
    baseline, champion = given.get("baseline"), given.get("champion")
    if champion is not None:
        return pl.col(MODEL) == champion
    if baseline is None or isinstance(baseline, pl.LazyFrame):
        return pl.lit(value=False)
    # A window's name or value is for a single column of --by, the first of the answer.
    window = pl.col(answer.columns[0])
    # In the order of the type: an Enum's categories have one of their own.
    first = window.drop_nulls().sort().first()
    return window.eq_missing(first if baseline in BASELINE_WORDS else pl.lit(baseline))
