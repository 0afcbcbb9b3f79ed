"""The section on four fifths with significance, which the rule on hiring tools does not name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import polars as pl

from polars_fairness.reporting.parts import Cell, Section, Table
from polars_fairness.reporting.prescribed.impact_tables import APPLICANTS, RATIO
from polars_fairness.reporting.prescribed.windows import by_facet, by_window, compared
from polars_fairness.reporting.prescribed.wording import ALONE, flag_cell, interval_heads
from polars_fairness.reporting.tables import p_value
from polars_fairness.reporting.words import number, share, size, span

_TITLE: Final = "Four-fifths with significance"
_FINDING: Final = (
    "This section is not part of the summary above. Each group is compared with the group of the "
    "highest selection rate, as 29 CFR 1607.4(D) has it. Flagged are groups whose rate is below "
    "four fifths of the highest, if the difference is significant: beyond two standard deviations, "
    "or with a p-value of Fisher’s exact test below 0.05. 29 CFR 1607.4(D) names no test."
)
_SHORTFALLS: Final = (
    "The shortfall is how many more people of the group would have to be selected to reach the "
    "highest rate, and to reach four fifths of it. Standard deviations above 0: the group is "
    "selected less."
)
_SMALL: Final = (
    "Groups of less than {:g} % of the applicants are compared, and none of them is the highest."
)
_KINDS: Final = {
    (True, True): "Below four fifths, and significant",
    (True, False): "Below four fifths, not significant",
    (False, True): "Significant, not below four fifths",
}

Row = Mapping[str, Any]


def adverse_section(
    adverse: pl.DataFrame, confidence: float | None, exclude_below: float | None
) -> Iterator[Section]:
    """The section, with a finding and a table for each window and facet."""
    notes = (
        [_SHORTFALLS]
        if exclude_below is None
        else [_SHORTFALLS, _SMALL.format(100 * exclude_below)]
    )
    yield Section(_TITLE, tuple(notes), finding=_FINDING)
    for window, of_window in by_window(adverse):
        for facet, part in by_facet(of_window):
            about = f"{facet}, {window}" if window else facet
            rows = compared(part).rows(named=True)
            if rows:
                table = _table(about, rows, confidence)
                yield Section(f"By {about}", (table,), 3, " ".join(_findings(rows)))
            else:
                yield Section(f"By {about}", (), 3, ALONE)


def _findings(rows: Sequence[Row]) -> Iterator[str]:
    """Which groups are below four fifths, significantly or not, in words."""
    first = rows[0]
    highest = f"{first['favored']}, {share(first['reference_rate'])}"
    yield f"The highest selection rate is that of {highest}."
    found = {
        words: [
            f"{row['disfavored']} ({number(row['impact_ratio'])})"
            for row in rows
            if (row["is_below_four_fifths"], row["is_significant"]) == kind
        ]
        for kind, words in _KINDS.items()
    }
    yield from (f"{words}: {', '.join(names)}." for words, names in found.items() if names)
    unknown = [row["disfavored"] for row in rows if row["is_flagged"] is None]
    if not any(found.values()) and len(unknown) < len(rows):
        yield "No group is below four fifths of it, or differs significantly."
    if unknown:
        yield f"Not judged: {', '.join(unknown)}."


def _table(about: str, rows: Sequence[Row], confidence: float | None) -> Table:
    bounds = interval_heads(confidence)
    numbers = (APPLICANTS, "Selection rate", RATIO, *bounds)
    shortfalls = ("Shortfall", "To four fifths", "Standard deviations", "p-value")
    first = rows[0]
    reference = (
        Cell(first["favored"], "the highest"),
        Cell(size(first["n_favored"])),
        Cell(share(first["reference_rate"])),
        *(Cell("") for _ in (RATIO, *bounds, *shortfalls, "Flag")),
    )
    return Table(
        caption=f"Each group against {first['favored']}, by {about}",
        heads=("Group", *numbers, *shortfalls, "Flag"),
        rows=(reference, *(tuple(_row(row, bounds)) for row in rows)),
        numbers=frozenset({*numbers, *shortfalls}),
        look="prescribed",
    )


def _row(row: Row, bounds: Sequence[str]) -> Iterator[Cell]:
    yield Cell(row["disfavored"])
    yield Cell(size(row["n_disfavored"]))
    yield Cell(share(row["rate"]))
    yield Cell(number(row["impact_ratio"]))
    yield from (Cell(span(row["lower"], row["upper"]) or "–") for _ in bounds)
    yield Cell(size(row["shortfall"]))
    yield Cell(size(row["shortfall_to_four_fifths"]))
    yield Cell(number(row["two_sd"], 2))
    yield Cell(p_value(row["p_value"]))
    yield flag_cell(is_flagged=row["is_flagged"])
