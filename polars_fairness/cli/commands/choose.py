"""The command `choose`: models and thresholds beside each other, and the best of the fair ones."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, cast

import polars as pl

import polars_fairness as pf
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.cli.answers import terminal_text, work_of
from polars_fairness.cli.files import files_given, rows_given
from polars_fairness.cli.typed import judging_of, maximised_in
from polars_fairness.counting.decisions import with_round_thresholds
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import Question
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.answer_tables import Answer, choice_table
from polars_fairness.reporting.words import exact_band

# A terminal has room for so many lines.
_THRESHOLDS: Final = 20


def run(typed: Namespace) -> int:
    """Print or write what each threshold achieves."""
    with work_of(typed) as work:
        arguments = work.arguments
        bands = judging_of(arguments).get("bands", {})
        aims = {"maximise": maximised_in(arguments), "bands": bands, **_holdout_of(arguments)}
        aims |= {name: arguments[name] for name in ("seed", "confidence") if name in arguments}
        answer = work.answer(partial(_choose, arguments.get("metrics", []), aims))
        work.show(answer, lambda: "\n\n".join(_parts(answer, arguments, aims)))
    return 0


def _holdout_of(arguments: Mapping[str, Any]) -> dict[str, object]:
    """The typed rows to hold out, if there are any: a share, or the rows of files."""
    if "holdout" not in arguments:
        return {}
    if files_given("holdout", arguments):
        return {"holdout": rows_given("holdout", arguments)}
    text: str = arguments["holdout"]
    try:
        return {"holdout": float(text)}
    except ValueError:
        raise FairnessError(
            f"holdout: there is no file {text!r}; give one, or a share such as 0.3"
        ) from None


def _choose(
    names: Sequence[str], aims: Mapping[str, Any], rows: pl.LazyFrame, **question: Any
) -> pl.LazyFrame:
    tried = with_round_thresholds(cast("Question", question), rows, _THRESHOLDS)
    return cast("pl.LazyFrame", pf.choose(rows, *names, **aims, **tried))


def _parts(
    answer: pl.DataFrame, arguments: Mapping[str, Any], aims: Mapping[str, Any]
) -> Iterator[str]:
    maximised = getattr(aims["maximise"], "name", aims["maximise"])
    bands = {name: CATALOGUE[name].acceptable for name in arguments.get("metrics", [])}
    bands |= aims["bands"]
    limits = ", ".join(f"{name} {exact_band(band)}" for name, band in bands.items() if band)
    candidate = (choice := Answer("choose", answer)).candidate
    chosen = f"has the highest {maximised}{limits and f' with {limits}'}"
    none = f"no {' and '.join(candidate)} has {limits or maximised}"
    yield terminal_text(choice_table(choice, chosen, none))
    if THRESHOLD in candidate and "threshold" not in arguments and not answer.is_empty():
        yield (
            f"Without --threshold, {answer[THRESHOLD].n_unique()} round ones are tried; "
            "--threshold every tries each score."
        )
