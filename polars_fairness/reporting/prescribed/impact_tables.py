"""The tables of impact ratios, and the facts that the rule has published about each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import polars as pl

from polars_fairness.reporting.parts import Cell, Table
from polars_fairness.reporting.prescribed.windows import by_facet
from polars_fairness.reporting.prescribed.wording import interval_heads
from polars_fairness.reporting.words import number, score, share, size, span

APPLICANTS: Final = "Applicants"
RATIO: Final = "Impact ratio"
_LEFT_OUT: Final = "left out"

Row = Mapping[str, Any]


def impact_tables(ratios: pl.DataFrame, confidence: float | None) -> Iterator[Table]:
    """The table of each facet of one window."""
    is_scored = ratios["median"].count() > 0
    outcome = ("Above the median", "Scoring rate") if is_scored else ("Selected", "Selection rate")
    bounds = interval_heads(confidence)
    for facet, part in by_facet(ratios.filter(pl.col("value").is_not_null())):
        numbers = (APPLICANTS, *outcome, RATIO, *bounds)
        yield Table(
            caption=f"By {facet}",
            heads=("Category", *numbers),
            rows=tuple(
                (
                    Cell(row["value"]),
                    Cell(size(row["n"])),
                    Cell(size(row["selected"])),
                    Cell(share(row["rate"])),
                    _ratio(row),
                    *(Cell(span(row["lower"], row["upper"]) or "–") for _ in bounds),
                )
                for row in part.iter_rows(named=True)
            ),
            numbers=frozenset(numbers),
            look="prescribed",
        )


def _ratio(row: Row) -> Cell:
    if row["is_excluded"]:
        return Cell(_LEFT_OUT)
    return Cell(number(row["impact_ratio"]))


def lowest_ratios(windows: Iterable[tuple[str, pl.DataFrame]], facets: Sequence[str]) -> Table:
    """The lowest impact ratio of each table, with its category: a row for each window."""
    return Table(
        caption="The lowest impact ratio of each table",
        heads=("Tables", *facets),
        rows=tuple(
            (Cell(window), *(_lowest(ratios.filter(pl.col("facet") == facet)) for facet in facets))
            for window, ratios in windows
        ),
        look="dense",
    )


def _lowest(table: pl.DataFrame) -> Cell:
    known = table.drop_nulls("impact_ratio").sort("impact_ratio", maintain_order=True)
    return Cell(number(known["impact_ratio"][0]), known["value"][0]) if known.height else Cell("–")


def facts_of_tables(
    ratios: pl.DataFrame,
    facets: Sequence[str],
    exclude_below: float | None,
    justification: str | None,
) -> Iterator[str]:
    """What the rule has published about the tables of one window, one for each of the facets."""
    tables = {facet: part.row(0, named=True) for facet, part in by_facet(ratios)}
    if any(row["n_unknown"] for row in tables.values()):
        counts = ", ".join(f"{size(row['n_unknown'])} by {facet}" for facet, row in tables.items())
        yield f"Applicants of unknown category, who are in no row of a table: {counts}."
    else:
        yield "Applicants of unknown category: 0 in each table."
    if unknown := [facet for facet in facets if tables[facet]["value"] is None]:
        yield f"All applicants are of unknown category by {', '.join(unknown)}."
    first, *_ = tables.values()
    if first["n_dropped"]:
        yield f"Applicants without a known outcome, who are left out: {size(first['n_dropped'])}."
    if first["median"] is not None:
        yield f"The median score of all applicants is {score(first['median'])}."
    if ratios["is_excluded"].any():
        yield (
            f"Categories that are “{_LEFT_OUT}” have less than {100 * (exclude_below or 0):g} % of "
            f"the applicants of their table. Justification: {justification}"
        )
