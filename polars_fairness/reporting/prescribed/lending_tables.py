"""The tables of a page on lending."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

import polars as pl

from polars_fairness.reporting.findings import parts_of
from polars_fairness.reporting.parts import Cell, Table
from polars_fairness.reporting.prescribed.lending_findings import (
    LendingFindings,
    air_or_last,
    favored_in_row,
    favored_of_all,
)
from polars_fairness.reporting.prescribed.windows import by_facet, compared
from polars_fairness.reporting.prescribed.wording import flag_cell
from polars_fairness.reporting.tables import p_value
from polars_fairness.reporting.words import number, share, size, size_name, span, value_in_words

RATE: Final = "Rate"
AIR: Final = "AIR"
POINTS: Final = "Points"
ODDS_RATIO: Final = "Odds ratio"
SMD: Final = "SMD"
SHORTFALL: Final = "Shortfall"
FOUR_FIFTHS: Final = "To four fifths"
P: Final = "p-value"
FLAG: Final = "Flag"
SEGMENTS: Final = "Segments"
COCHRAN: Final = "Cochran, Mantel, Haenszel"
BRESLOW_DAY: Final = "Breslow, Day"
COMMON_ODDS_RATIO: Final = "Odds ratio within segments"

Row = Mapping[str, Any]


def comparison_tables(of_window: pl.DataFrame, about: str) -> Iterator[Table]:
    """The table of each facet of one window, the references above the groups."""
    has_scores = of_window["smd"].count() > 0
    for facet, part in by_facet(of_window):
        rows = part.rows(named=True)
        scored = (SMD,) if has_scores else ()
        numbers = (
            *(size_name(rows[0]["n_disfavored"]), RATE, AIR, POINTS, ODDS_RATIO, *scored),
            *(SHORTFALL, FOUR_FIFTHS, P),
        )
        yield Table(
            caption=f"By {facet}{about and ', '}{about}",
            heads=("Group", *numbers, FLAG),
            rows=tuple(_below_references(rows, len(numbers) + 2, has_scores=has_scores)),
            numbers=frozenset(numbers),
            look="prescribed",
        )


def _below_references(
    rows: Sequence[Row], width: int, *, has_scores: bool
) -> Iterator[tuple[Cell, ...]]:
    """The rows of each reference: its own size and rate, then the groups compared with it."""
    for _, against_one in groupby(
        rows, key=lambda row: (row["favored"], row["n_favored"], row["reference_rate"])
    ):
        first, *others = against_one
        yield (
            Cell(favored_in_row(first), "reference"),
            Cell(size(first["n_favored"])),
            Cell(share(first["reference_rate"])),
            *(Cell("") for _ in range(width - 3)),
        )
        yield from (_compared(row, has_scores=has_scores) for row in (first, *others))


def _compared(row: Row, *, has_scores: bool) -> tuple[Cell, ...]:
    return (
        Cell(row["disfavored"]),
        Cell(size(row["n_disfavored"])),
        Cell(share(row["rate"])),
        Cell(number(row["air"]), span(row["lower"], row["upper"])),
        Cell(number(row["points"], 1), _span(row, "points", 1)),
        Cell(number(row["odds_ratio"]), _span(row, "odds_ratio")),
        *([Cell(number(row["smd"]), _span(row, "smd"))] if has_scores else []),
        Cell(size(row["shortfall"])),
        Cell(size(row["shortfall_to_four_fifths"])),
        Cell(p_value(row["p_value"])),
        flag_cell(is_flagged=row["is_flagged"]),
    )


def _span(row: Row, column: str, digits: int = 3) -> str:
    """The interval of a column, empty if it has none."""
    return span(row[f"{column}_lower"], row[f"{column}_upper"], digits=digits)


def lowest_table(findings: LendingFindings, most: int) -> Table:
    """The comparisons that are flagged or have the lowest AIR, those that are flagged first."""
    rows = compared(findings.table).rows(named=True)
    favorable = findings.favorable
    lowest = sorted(
        rows, key=lambda row: (not row["is_flagged"], air_or_last(row, favorable=favorable))
    )
    size_head = size_name(rows[0]["n_disfavored"])
    numbers = (size_head, RATE, AIR, POINTS, P)
    how_many = f"{most} of {len(rows):,} comparisons" if len(rows) > most else "All comparisons"
    return Table(
        caption=f"{how_many}, flagged ones and {'low' if favorable else 'high'} ratios first",
        heads=("Group", "Compared with", *numbers, FLAG),
        rows=tuple(
            (
                Cell(row["disfavored"], ", ".join(filter(None, [row["facet"], window]))),
                Cell(favored_in_row(row)),
                Cell(size(row["n_disfavored"])),
                Cell(share(row["rate"])),
                Cell(number(row["air"])),
                Cell(number(row["points"], 1)),
                Cell(p_value(row["p_value"])),
                flag_cell(is_flagged=row["is_flagged"]),
            )
            for row in lowest[:most]
            for window in [findings.window_of(row)]
        ),
        numbers=frozenset(numbers),
        look="prescribed",
    )


def quantile_tables(of_window: pl.DataFrame, about: str, accepted: str) -> Iterator[Table]:
    """For each facet of one window, the AIR of each group where a share of all rows is accepted."""
    for facet, part in by_facet(of_window):
        rows = part.rows(named=True)
        at_shares = {row["share"]: row["accepted_share"] for row in rows}
        favored = favored_of_all(rows)
        groups: dict[str, dict[float, Row]] = {}
        for row in rows:
            groups.setdefault(row["disfavored"], {})[row["share"]] = row
        shares = {each: f"{100 * each:g} %" for each in at_shares}
        against = f" against {favored}" if favored else ""
        yield Table(
            caption=f"AIR{against} by share {accepted}, by {facet}{about and ', '}{about}",
            heads=("Group", *shares.values()),
            rows=(
                (Cell("All rows", accepted), *(Cell(share(each)) for each in at_shares.values())),
                *(
                    (
                        Cell(group),
                        *(
                            _air_at(by_share.get(each), is_one=favored is not None)
                            for each in shares
                        ),
                    )
                    for group, by_share in groups.items()
                ),
            ),
            numbers=frozenset(shares.values()),
            look="prescribed",
        )


def _air_at(row: Row | None, *, is_one: bool) -> Cell:
    """The AIR at a share; the reference has none where it is that of the share."""
    if row is None:
        return Cell("–")
    return Cell(number(row["air"]), "" if is_one else f"against {favored_in_row(row)}")


def segment_tables(of_window: pl.DataFrame, about: str) -> Iterator[Table]:
    """The tests over segments, for each facet of one window."""
    for facet, part in by_facet(of_window):
        rows = part.rows(named=True)
        numbers = (
            *(size_name(rows[0]["n_disfavored"]), SEGMENTS, COMMON_ODDS_RATIO, COCHRAN, P),
            *(BRESLOW_DAY, f"{P} of {BRESLOW_DAY}"),
        )
        yield Table(
            caption=f"Over segments, by {facet}{about and ', '}{about}",
            heads=("Group", *numbers),
            rows=tuple(
                (
                    Cell(row["disfavored"], f"against {favored_in_row(row)}"),
                    Cell(size(row["n_disfavored"])),
                    Cell(size(row["segments"])),
                    Cell(number(row["mh_odds_ratio"]), span(row["lower"], row["upper"])),
                    Cell(number(row["cmh"], 2)),
                    Cell(p_value(row["p_value"])),
                    Cell(number(row["breslow_day"], 2)),
                    Cell(p_value(row["breslow_day_p_value"])),
                )
                for row in rows
            ),
            numbers=frozenset(numbers),
            look="prescribed",
        )


def left_out_table(table: pl.DataFrame, windows: Sequence[str]) -> Table:
    """How many rows are in no comparison, for each facet and window."""
    heads = ("Facet unknown", "Left out")
    parts = parts_of(table, [*windows, "facet"]) if table.height else []
    return Table(
        caption="Rows in no comparison",
        heads=("Facet", *windows, *heads),
        rows=tuple(
            (
                Cell(row["facet"]),
                *(Cell(value_in_words(row[name])) for name in windows),
                Cell(size(row["n_unknown"])),
                Cell(size(row["n_dropped"])),
            )
            for row in (part.row(0, named=True) for part in parts)
        ),
        numbers=frozenset(heads),
        look="dense",
    )
