"""The printed table of an audit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from polars_fairness.answers.audit import rows_by_facet
from polars_fairness.answers.verdicts import tone_of
from polars_fairness.cli.at_thresholds import by_comparison
from polars_fairness.cli.printed import printable
from polars_fairness.cli.tables import GAP, Column, columns_made, headed, wrapped
from polars_fairness.cli.words import (
    Row,
    comparison,
    heading,
    interval,
    number,
    size,
    verdict,
)
from polars_fairness.formula.metric import ideal_as_text


def audit_table(
    answer: pl.DataFrame,
    width: int,
    *,
    in_colour: bool,
    made: Sequence[str] = (),
    time: str | None = None,
) -> str:
    """A block of lines for each comparison, and at the end the number of rows counted.

    ``made`` are the last of the windows: models and thresholds. They stand beside their metric.
    ``time`` is the window up to whose time a sequential audit counts.
    """
    if answer.is_empty():
        return "Nothing to compare: there are no rows."
    windows = answer.columns[: answer.columns.index("facet") - len(made)]
    rows: Sequence[Row] = answer.rows(named=True)
    rows = [*by_comparison(rows, lambda row: _heading(row, windows))]
    headings = [_heading(row, windows) for row in rows]
    metric, *others = _columns(answer, rows, in_colour=in_colour)
    shown = headed(headings, [metric, *columns_made(rows, made), *others], width)
    reconciled = [
        line for text in _reconciled(answer, windows, time) for line in wrapped(text, width, GAP)
    ]
    return "\n".join([shown, "", *reconciled])


def _columns(answer: pl.DataFrame, rows: Sequence[Row], *, in_colour: bool) -> Iterator[Column]:
    colours = [tone_of(row["verdict"]).ansi for row in rows] if in_colour else ()
    yield Column("metric", [row["metric"] for row in rows], least=13)
    yield Column("value", [number(row["value"]) for row in rows], is_number=True)
    if answer["lower"].count() or answer["upper"].count():
        yield Column("interval", [interval(row) for row in rows], least=8)
    ideals = [ideal_as_text(row["ideal"]) for row in rows]
    yield Column("ideal", ideals, is_number=True, is_optional=True)
    if "p_value" in answer.columns:
        yield Column("p", [number(row["p_value"]) for row in rows], is_number=True)
    yield Column("verdict", [verdict(row) for row in rows], least=9, colours=colours)


def _heading(row: Row, windows: Sequence[str]) -> str:
    few = "; few rows" if row.get("is_small") else ""
    return f"{heading(row, windows, comparison(row))}{few}"


def _reconciled(answer: pl.DataFrame, windows: Sequence[str], time: str | None) -> Iterator[str]:
    """A line on the rows seen, dropped and used for each facet, over all windows.

    Where metrics count different rows, there are several lines, each with the names of its metrics.
    """
    counts = ("rows_seen", "rows_used", "rows_dropped", "n_unknown")
    of_facets = rows_by_facet(answer, windows, counts, time)
    for facet, seen, used, dropped, unknown, metrics in of_facets.iter_rows():
        name = "" if facet is None else f"{printable(facet)}: "
        if metrics is not None:
            name += f"{', '.join(map(printable, metrics))}: "
        of_unknown = "" if facet is None else f", {size(unknown)} of them unknown"
        yield f"{name}{seen:,} rows seen, {dropped:,} dropped, {used:,} used{of_unknown}"
