"""The printed tables about hiring: impact ratios, and the four-fifths rule with significance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import polars as pl

from polars_fairness.cli.prescribed_words import (
    NOTHING,
    flag,
    flag_colour,
    group,
    headings,
    numbers,
    sizes,
    windows_of,
)
from polars_fairness.cli.printed import printable
from polars_fairness.cli.tables import Column, headed
from polars_fairness.cli.words import Row, heading, interval, number, size

_NO_CATEGORY: Final = "no category"


def impact_ratios_table(answer: pl.DataFrame, width: int) -> str:
    """A block of lines for each table of each window."""
    if answer.is_empty():
        return NOTHING
    rows: Sequence[Row] = answer.rows(named=True)
    windows = windows_of(answer)
    return headed([_heading(row, windows) for row in rows], _of_ratios(rows), width)


def _heading(row: Row, windows: Sequence[str]) -> str:
    median = "" if row["median"] is None else f", median {row['median']:.10g}"
    return heading(row, windows, f"by {printable(row['facet'])}{median}")


def _of_ratios(rows: Sequence[Row]) -> Iterator[Column]:
    is_scored = any(row["median"] is not None for row in rows)
    ratios = ["excluded" if row["is_excluded"] else number(row["impact_ratio"]) for row in rows]
    yield Column("category", [_category(row) for row in rows], least=12)
    yield Column("people", [size(row["n"]) for row in rows], is_number=True)
    yield Column("share", [number(row["share"]) for row in rows], is_number=True, is_optional=True)
    rate = "scoring_rate" if is_scored else "selection_rate"
    yield Column(rate, [number(row["rate"]) for row in rows], is_number=True, least=9)
    yield Column("impact_ratio", ratios, is_number=True, least=8)
    if any(row["lower"] is not None for row in rows):
        yield Column("interval", [interval(row) for row in rows], least=8)


def _category(row: Row) -> str:
    return _NO_CATEGORY if row["value"] is None else printable(row["value"])


def adverse_impact_table(answer: pl.DataFrame, width: int, *, in_colour: bool) -> str:
    """A block of lines for each facet of each window, below the group with the highest rate."""
    if answer.is_empty():
        return NOTHING
    return headed(
        headings(answer), _of_impacts(answer.rows(named=True), in_colour=in_colour), width
    )


def _of_impacts(rows: Sequence[Row], *, in_colour: bool) -> Iterator[Column]:
    yield Column("group", [group(row) for row in rows], least=10)
    yield Column("people", sizes(rows, "n_disfavored"), is_number=True)
    yield Column("rate", numbers(rows, "rate"), is_number=True)
    yield Column("impact_ratio", numbers(rows, "impact_ratio"), is_number=True, least=7)
    yield Column("shortfall", sizes(rows, "shortfall"), is_number=True)
    yield Column("to_4/5", sizes(rows, "shortfall_to_four_fifths"), is_number=True)
    yield Column("two_sd", numbers(rows, "two_sd"), is_number=True, is_optional=True)
    yield Column("p", numbers(rows, "p_value"), is_number=True)
    colours = [flag_colour(row) for row in rows] if in_colour else ()
    yield Column("flag", [_flag(row) for row in rows], colours=colours)


def _flag(row: Row) -> str:
    """Whether a group is flagged, and if not, the one of the two reasons that holds."""
    found = flag(row, "impact_ratio")
    reasons = {"is_below_four_fifths": "below 4/5", "is_significant": "significant"}
    one_holds = (words for name, words in reasons.items() if row[name])
    return next(one_holds, found) if row["is_flagged"] is False else found
