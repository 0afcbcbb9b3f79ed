"""What the tables that a rule or a practice prescribes have in common on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import polars as pl

from polars_fairness.answers.audit import rows_by_facet
from polars_fairness.answers.verdicts import tone_of
from polars_fairness.cli.printed import printable
from polars_fairness.cli.tables import GAP, wrapped
from polars_fairness.cli.words import Row, heading, number, side, size

NOTHING: Final = "Nothing to compare: there are no rows."

_NO_GROUPS: Final = "no two groups"

_FLAGS: Final = {True: "flagged", False: "no", None: "not judged"}
_TONES: Final = {True: "outside", False: "fair", None: "undefined"}


def windows_of(answer: pl.DataFrame) -> list[str]:
    """The first columns of an answer, which name a window."""
    return answer.columns[: answer.columns.index("facet")]


def headings(answer: pl.DataFrame) -> list[str]:
    """For each group its window, its facet, and the group that it is compared with."""
    windows = windows_of(answer)
    return [heading(row, windows, _against(row)) for row in answer.iter_rows(named=True)]


def _against(row: Row) -> str:
    facet = printable(row["facet"])
    if row["disfavored"] is None:
        return facet
    rate = f", rate {number(row['reference_rate'])}" if "reference_rate" in row else ""
    return f"{facet}: against {side(row, 'favored')} ({size(row['n_favored'])}{rate})"


def group(row: Row) -> str:
    """The group of a row that is compared; a facet with one group has none."""
    return _NO_GROUPS if row["disfavored"] is None else side(row, "disfavored")


def numbers(rows: Sequence[Row], name: str) -> list[str]:
    """The cells of a column of numbers."""
    return [number(row[name]) for row in rows]


def sizes(rows: Sequence[Row], name: str) -> list[str]:
    """The cells of a column of numbers of rows, or of sums of weights."""
    return ["" if row[name] is None else size(row[name]) for row in rows]


def flag(row: Row, ratio: str) -> str:
    """Whether a group is flagged, or could not be judged; ``ratio`` is the column of its ratio."""
    has_no_ratio = row["is_flagged"] is False and row[ratio] is None
    return "no ratio" if has_no_ratio else _FLAGS[row["is_flagged"]]


def flag_colour(row: Row) -> str:
    """The escape code of the colour of a flag."""
    return tone_of(_TONES[row["is_flagged"]]).ansi


def left_out(answer: pl.DataFrame, by: Sequence[str], width: int) -> Iterator[str]:
    """A line on the unknown and the dropped rows of each facet, over all windows of ``by``."""
    for facet, unknown, dropped in rows_by_facet(answer, by, ("n_unknown", "n_dropped")).rows():
        text = f"{printable(facet)}: {size(unknown)} unknown, {dropped:,} dropped"
        yield from wrapped(text, width, GAP)
