"""The printed table of a sweep: what each model or threshold achieves, and the chosen one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

import polars as pl

from polars_fairness.answers.choice import FLAGS
from polars_fairness.answers.verdicts import tone_of
from polars_fairness.cli.printed import printable
from polars_fairness.cli.tables import Column, columns_made, headed
from polars_fairness.cli.words import Row, heading, number, span, threshold, values
from polars_fairness.question.judging import Band
from polars_fairness.question.windows import THRESHOLD

_WITHIN: Final = {True: "within", False: "outside", None: "undefined"}
_VERDICTS: Final = {True: "fair", False: "outside", None: "undefined"}


def sweep_table(
    answer: pl.DataFrame,
    maximised: str,
    bands: Mapping[str, Band],
    width: int,
    *,
    made: Sequence[str],
    in_colour: bool,
) -> str:
    """A block of lines for each window, below the candidate that is chosen there.

    ``made`` are the columns that name a candidate: its model, its threshold, or both.
    """
    if answer.is_empty():
        return "Nothing to choose from: there are no rows."
    windows = answer.columns[: answer.columns.index(made[0])]
    limits = ", ".join(f"{name} {span(band)}" for name, band in bands.items() if band)
    rows, headings = [], []
    for _, group in groupby(answer.rows(named=True), lambda row: values(row, windows)):
        of_window = list(group)
        rows += of_window
        found = heading(of_window[0], windows, _found(of_window, made, maximised, limits))
        headings += [found] * len(of_window)
    marks = _marks(rows, has_limits=bool(limits), in_colour=in_colour)
    shown = [*columns_made(rows, made), *_values(answer, rows, made), *marks]
    return headed(headings, shown, width)


def _found(rows: Sequence[Row], made: Sequence[str], maximised: str, limits: str) -> str:
    chosen = next((row for row in rows if row["is_chosen"]), None)
    if chosen is None:
        return f"no {' and '.join(made)} has {limits or maximised}"
    texts = {name: printable(chosen[name]) for name in made}
    if THRESHOLD in made:
        texts[THRESHOLD] = threshold(chosen)
    candidate = ", ".join(f"{name} {text}" for name, text in texts.items())
    with_limits = f" with {limits}" if limits else ""
    return f"{candidate} has the highest {maximised}{with_limits}"


def _values(answer: pl.DataFrame, rows: Sequence[Row], made: Sequence[str]) -> Iterator[Column]:
    first, end = answer.columns.index(made[-1]) + 1, answer.columns.index(FLAGS[0])
    selected, *others = answer.columns[first:end]
    cells = [number(row[selected]) for row in rows]
    yield Column(selected, cells, is_number=True, least=9, is_optional=bool(others))
    for name in others:
        yield Column(name, [number(row[name]) for row in rows], is_number=True, least=9)


def _marks(rows: Sequence[Row], *, has_limits: bool, in_colour: bool) -> Iterator[Column]:
    within = [_WITHIN[row["is_within"]] if has_limits else "" for row in rows]
    choice = [
        "chosen" if row["is_chosen"] else word for row, word in zip(rows, within, strict=True)
    ]
    colours = [tone_of(_VERDICTS[row["is_within"]]).ansi for row in rows] if in_colour else ()
    yield Column("choice", choice, colours=colours)
    frontier = ["yes" if row["is_on_frontier"] else "" for row in rows]
    yield Column("frontier", frontier, is_optional=True)
