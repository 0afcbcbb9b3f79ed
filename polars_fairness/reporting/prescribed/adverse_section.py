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

# The share of tables with a flag has a standard error of 0.005 at most.
_TABLES: Final = 10_000

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
                found = " ".join([*_findings(rows), _by_chance(rows, exclude_below or 0.0)])
                yield Section(f"By {about}", (table,), 3, found)
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


def _by_chance(rows: Sequence[Row], least_share: float) -> str:
    """How often a table of these groups has a flag if all rates are the same, in words.

    The highest of many rates is high by chance too. The rule does not allow for it, so the sentence
    says what it comes to: in tables that are drawn at the rate of all people.
    """
    # Imported here: numpy takes longer to load than the rest.
    import numpy as np

    first = rows[0]
    n = np.array([first["n_favored"], *(row["n_disfavored"] for row in rows)])
    rates = np.array([first["reference_rate"], *(row["rate"] for row in rows)])
    drawn = np.random.default_rng(0).binomial(n, (n * rates).sum() / n.sum(), (_TABLES, len(n)))
    drawn_rates = drawn / n
    may_be_highest = n >= least_share * n.sum()
    place = np.where(may_be_highest, drawn_rates, -1.0).argmax(axis=1)[:, np.newaxis]
    highest, of_highest = np.take_along_axis(drawn_rates, place, axis=1), n[place]
    pooled = (drawn + np.take_along_axis(drawn, place, axis=1)) / (n + of_highest)
    variance = pooled * (1 - pooled) * (1 / n + 1 / of_highest)
    is_beyond = (highest - drawn_rates) ** 2 > 2**2 * variance
    is_flagged = is_beyond & (drawn_rates < 0.8 * highest)
    per_cent = round(100 * is_flagged.any(axis=1).mean())
    tables = f"about {per_cent}" if per_cent else "fewer than 1"
    return (
        f"If all {len(n)} groups had the same rate, {tables} of 100 tables of these sizes would "
        "have a flag by chance."
    )


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
