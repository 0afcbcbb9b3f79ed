"""The figures of a report: the numbers of each chart, and the same numbers in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from math import isfinite
from typing import Any, Final

import polars as pl

from polars_fairness.formula.rates import RATES
from polars_fairness.reporting.findings import Comparison, bounds_of, parts_of
from polars_fairness.reporting.parts import Figure, Part
from polars_fairness.reporting.tables import (
    group_in_words,
    is_of_all_rows,
    rate_span,
    subgroups_of,
)
from polars_fairness.reporting.words import (
    comparison_in_words,
    extremes_in_words,
    number,
    share,
    size,
    size_name,
    window_in_words,
)

MOST_FIGURES: Final = 24
_MOST_GROUPS: Final = 30
_MOST_BARS: Final = 20


def rate_figures(rated: pl.DataFrame, shown: Sequence[str], windows: Sequence[str]) -> list[Figure]:
    """One figure for every window, facet and shown rate; the last group of each is all rows.

    Figures of the same rate have one scale.
    """
    ends = {rate: pl.max_horizontal(rate, bounds_of(rate)[1]).cast(pl.Float64) for rate in shown}
    known = [end.filter(end.is_finite()).max().alias(rate) for rate, end in ends.items()]
    highest = rated.select(known).row(0, named=True) if shown else {}
    figures = []
    for part in parts_of(rated, windows):
        table = part.to_dicts()
        all_rows = [row for row in table if is_of_all_rows(row)]
        window = window_in_words(tuple((name, table[0][name]) for name in windows))
        for facet in dict.fromkeys(row["facet"] for row in table if not is_of_all_rows(row)):
            groups = [row for row in table if row["facet"] == facet]
            about = f"{facet}, {window}" if window else facet
            about += first_of(groups, _MOST_GROUPS)
            drawn = groups[:_MOST_GROUPS] + all_rows
            figures += [_rate_figure(rate, about, drawn, highest[rate]) for rate in shown]
    return figures


def _rate_figure(
    rate: str, about: str, groups: Sequence[Mapping[str, Any]], highest: float | None
) -> Figure:
    lower, upper = bounds_of(rate)
    points = [
        {
            "name": group_in_words(row),
            "rate": row[rate],
            "lower": row[lower],
            "upper": row[upper],
            "Rate": share(row[rate]),
            "Interval": rate_span(row, rate),
            size_name(row["n"]): size(row["n"]),
        }
        for row in groups
    ]
    words = "; ".join(f"{group_in_words(row)} {_rate_in_words(row, rate)}" for row in groups)
    title = f"{RATES[rate].title} by {about}"
    of_groups = ((group_in_words(row), row[rate]) for row in groups if not is_of_all_rows(row))
    found = extremes_in_words(of_groups, share)
    return Figure(title, f"{title}: {found}. {words}.", "rates", points, {"highest": highest})


def first_of(all_of_them: Sized, most: int) -> str:
    """How many are not drawn, if any, for the title of a figure."""
    return f" (the first {most} of {len(all_of_them):,})" if len(all_of_them) > most else ""


def _rate_in_words(row: Mapping[str, Any], rate: str) -> str:
    interval = rate_span(row, rate)
    return f"{share(row[rate])}, {interval}" if interval else share(row[rate])


def contribution_figure(name: str, comparison: Comparison) -> Figure | None:
    """The largest contributions to a conditional metric; None if no subgroup has one."""
    bars = [
        {
            "name": subgroup,
            "contribution": row["contribution"],
            "Contribution": number(row["contribution"]),
            "Value": number(row["value"]),
            size_name(row["n"]): size(row["n"]),
        }
        for subgroup, row in subgroups_of(comparison, _MOST_BARS)
        if row["contribution"] is not None and isfinite(row["contribution"])
    ]
    if not bars:
        return None
    title = f"Contributions of subgroups to {name}, {comparison_in_words(comparison)}"
    title += first_of(comparison.table, _MOST_BARS)
    words = "; ".join(f"{bar['name']} {bar['Contribution']}" for bar in bars)
    most = max(bars, key=lambda bar: abs(bar["contribution"]))
    found = f"farthest from 0 for {most['name']}, {most['Contribution']}"
    return Figure(title, f"{title}: {found}. {words}.", "contributions", bars)


def drawn(figures: Sequence[Figure]) -> tuple[Part, ...]:
    """The figures, or the last of them if there are too many for a page."""
    if len(figures) <= MOST_FIGURES:
        return (tuple(figures),) if figures else ()
    note = f"These are the last {MOST_FIGURES} of {len(figures)} charts; the tables have all."
    return (note, tuple(figures[-MOST_FIGURES:]))
