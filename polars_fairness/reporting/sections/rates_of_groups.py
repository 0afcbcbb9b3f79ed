"""The rates of the groups of a facet: charts, and their numbers in one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.counting.sides import ALL
from polars_fairness.formula.rates import RATES
from polars_fairness.reporting.charts.rates import rate_figures
from polars_fairness.reporting.findings import Comparison, Findings, Window
from polars_fairness.reporting.parts import Cell, Part, Sentences, Table
from polars_fairness.reporting.sections.matrix import worst_comparisons
from polars_fairness.reporting.shown_comparisons import apart, in_latest_window
from polars_fairness.reporting.tables import (
    MOST_ROWS,
    group_in_words,
    is_of_all_rows,
    more_in_words,
    rate_span,
    rates_of,
    size_cells,
    size_heads,
)
from polars_fairness.reporting.words import ALL_ROWS, share, window_in_words

_MOST_COMPARISONS: Final = MOST_ROWS - 2
"""How many groups are shown beside the group or groups that they are compared with."""

Row = Mapping[str, Any]
Compared = Mapping[str | None, Sequence[Comparison]]


def rates_by_facet(
    findings: Findings, by_facet: Compared, judged: Sequence[str]
) -> dict[str | None, tuple[Part, ...]]:
    """The charts and the table of the rates of each facet; of many groups, the worst."""
    rated, shown = rates_of(findings)
    latest = in_latest_window(findings, rated)
    tables: dict[str | None, tuple[list[dict[str, Any]], str]] = {}
    for facet, comparisons in by_facet.items():
        is_shown = pl.col("facet").is_in([ALL if facet is None else facet, ALL]) & (pl.col("n") > 0)
        rows = latest.filter(is_shown).rows(named=True)
        has_groups = any(row["facet"] == facet for row in rows)
        if has_groups or [*by_facet] == [None]:
            tables[facet] = _worst(findings, rows, comparisons, judged)
    drawn = pl.DataFrame(
        [row for rows, _ in tables.values() for row in rows], schema=latest.schema
    ).unique(maintain_order=True)
    figures = rate_figures(drawn, shown, [])
    found: dict[str | None, tuple[Part, ...]] = {}
    for i, (facet, (rows, more)) in enumerate(tables.items()):
        of_facet = tuple(figures[i * len(shown) : (i + 1) * len(shown)])
        found[facet] = (
            *((of_facet,) if of_facet else ()),
            _table(findings, facet, rows, shown),
            *([Sentences("notes", (more,))] if more else []),
        )
    return found


def _worst(
    findings: Findings,
    rows: Sequence[dict[str, Any]],
    comparisons: Sequence[Comparison],
    judged: Sequence[str],
) -> tuple[list[dict[str, Any]], str]:
    """The rows of all groups or of the worst, named also by their windows; and what is left out."""
    windows = [name for name, _ in apart(findings, comparisons[0].window)]
    is_several = len({_window(row, windows) for row in rows}) > 1
    groups = [row for row in rows if not is_of_all_rows(row)]
    more = ""
    if len(groups) > MOST_ROWS:
        most = _MOST_COMPARISONS // 2 if is_several else _MOST_COMPARISONS
        worst = worst_comparisons(comparisons, judged, most) if judged else comparisons[:most]
        sides = {
            (apart(findings, each.window), side)
            for each in worst
            for side in (each.disfavored, each.favored)
        }
        found = [row for row in groups if (_window(row, windows), row["value"]) in sides]
        # A side of several values is no group of the table.
        found = found or groups[:most]
        outside = sum(_is_outside(each, judged) for each in comparisons)
        outside -= sum(_is_outside(each, judged) for each in worst)
        of_them = f"{outside:,} of the comparisons with them outside a band" if outside else ""
        more = more_in_words(groups, len(found), "groups", of_them)
        groups = found
    if is_several:
        return [_named(row, windows) for row in groups], more
    return [*groups, *(row for row in rows if is_of_all_rows(row))], more


def _window(row: Row, windows: Sequence[str]) -> Window:
    return tuple((name, row[name]) for name in windows)


def _named(row: dict[str, Any], windows: Sequence[str]) -> dict[str, Any]:
    return row | {"value": f"{group_in_words(row)}, {window_in_words(_window(row, windows))}"}


def _is_outside(comparison: Comparison, judged: Sequence[str]) -> bool:
    rows = comparison.table.iter_rows(named=True)
    return any(
        row["metric"] in judged and tone_of(row["verdict"]).name == "outside" for row in rows
    )


def _table(
    findings: Findings, facet: str | None, rows: Sequence[Row], shown: Sequence[str]
) -> Table:
    heads = (*size_heads(findings), *(RATES[rate].title for rate in shown))
    return Table(
        caption=f"Rates of {ALL_ROWS.lower()}" if facet is None else f"Rates by {facet}",
        heads=("Group", *heads),
        rows=tuple(
            (
                Cell(group_in_words(row)),
                *size_cells(row),
                *(Cell(share(row[rate]), rate_span(row, rate)) for rate in shown),
            )
            for row in rows
        ),
        numbers=frozenset(heads),
        look="dense",
    )
