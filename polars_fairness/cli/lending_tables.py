"""The printed tables about lending: groups beside their reference, by share and by segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from polars_fairness.cli.prescribed_words import (
    NOTHING,
    flag,
    flag_colour,
    group,
    headings,
    numbers,
    sizes,
)
from polars_fairness.cli.printed import printable
from polars_fairness.cli.tables import Column, column_of_sizes, headed
from polars_fairness.cli.words import Row, comparison, heading, interval, threshold


def lending_table(answer: pl.DataFrame, width: int, *, in_colour: bool) -> str:
    """A block of lines for each facet of each window, below the reference of its groups."""
    if answer.is_empty():
        return NOTHING
    rows: Sequence[Row] = answer.rows(named=True)
    return headed(headings(answer), _of_groups(answer, rows, in_colour=in_colour), width)


def _of_groups(answer: pl.DataFrame, rows: Sequence[Row], *, in_colour: bool) -> Iterator[Column]:
    yield from _groups(rows)
    yield Column("rate", numbers(rows, "rate"), is_number=True)
    yield from _ratios(answer, rows)
    yield Column("points", _points(rows), is_number=True)
    yield Column("odds_ratio", numbers(rows, "odds_ratio"), is_number=True, least=6)
    if answer["smd"].count():
        yield Column("smd", numbers(rows, "smd"), is_number=True)
    yield Column("shortfall", sizes(rows, "shortfall"), is_number=True)
    yield Column("to_4/5", sizes(rows, "shortfall_to_four_fifths"), is_number=True)
    yield Column("p", numbers(rows, "p_value"), is_number=True)
    colours = [flag_colour(row) for row in rows] if in_colour else ()
    yield Column("flag", [flag(row, "air") for row in rows], colours=colours)


def quantiles_table(answer: pl.DataFrame, width: int) -> str:
    """A block of lines for each comparison of each window, with a line for each share."""
    if answer.is_empty():
        return NOTHING
    windows = answer.columns[: answer.columns.index("share")]
    blocks: dict[str, list[Row]] = {}
    for row in answer.iter_rows(named=True):
        is_compared = row["disfavored"] is not None
        sides = comparison(row) if is_compared else f"{printable(row['facet'])}: {group(row)}"
        blocks.setdefault(heading(row, windows, sides), []).append(row)
    rows = [row for block in blocks.values() for row in block]
    texts = [text for text, block in blocks.items() for _ in block]
    return headed(texts, _of_shares(answer, rows), width)


def _of_shares(answer: pl.DataFrame, rows: Sequence[Row]) -> Iterator[Column]:
    yield Column("share", [f"{row['share']:.10g}" for row in rows], is_number=True)
    yield Column("threshold", [threshold(row) for row in rows], is_number=True)
    yield Column("accepted_share", numbers(rows, "accepted_share"), is_number=True, least=9)
    yield Column("rate", numbers(rows, "rate"), is_number=True)
    yield Column("reference_rate", numbers(rows, "reference_rate"), is_number=True, least=10)
    yield from _ratios(answer, rows)
    yield Column("points", _points(rows), is_number=True)
    yield Column("p", numbers(rows, "p_value"), is_number=True)


def segments_table(answer: pl.DataFrame, width: int) -> str:
    """A block of lines for each facet of each window, below the reference of its groups."""
    if answer.is_empty():
        return NOTHING
    return headed(headings(answer), _of_segments(answer, answer.rows(named=True)), width)


def _of_segments(answer: pl.DataFrame, rows: Sequence[Row]) -> Iterator[Column]:
    yield from _groups(rows)
    yield Column("segments", sizes(rows, "segments"), is_number=True)
    yield Column("mh_odds_ratio", numbers(rows, "mh_odds_ratio"), is_number=True, least=6)
    yield from _intervals(answer, rows)
    yield Column("cmh", numbers(rows, "cmh"), is_number=True)
    yield Column("p", numbers(rows, "p_value"), is_number=True)
    yield Column("breslow_day", numbers(rows, "breslow_day"), is_number=True, least=8)
    yield Column("its_p", numbers(rows, "breslow_day_p_value"), is_number=True)


def _groups(rows: Sequence[Row]) -> Iterator[Column]:
    yield Column("group", [group(row) for row in rows], least=10)
    known = [row["n_disfavored"] for row in rows if row["n_disfavored"] is not None]
    title = column_of_sizes(known).title
    yield Column(title, sizes(rows, "n_disfavored"), is_number=True)


def _ratios(answer: pl.DataFrame, rows: Sequence[Row]) -> Iterator[Column]:
    yield Column("air", numbers(rows, "air"), is_number=True)
    yield from _intervals(answer, rows)


def _intervals(answer: pl.DataFrame, rows: Sequence[Row]) -> Iterator[Column]:
    if answer["lower"].count() or answer["upper"].count():
        yield Column("interval", [interval(row) for row in rows], least=8)


def _points(rows: Sequence[Row]) -> list[str]:
    return ["" if row["points"] is None else f"{row['points'] + 0.0:.1f}" for row in rows]
