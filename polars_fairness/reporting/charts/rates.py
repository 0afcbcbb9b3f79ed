"""Rows of dots: rates of groups, groups by rank, and contributions of subgroups."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Final

import polars as pl

from polars_fairness.counting.sides import ALL
from polars_fairness.formula.rates import RATES
from polars_fairness.reporting.charts.scales import Values
from polars_fairness.reporting.charts.specs import Groups, Row, Rows, Spec, dots, figures_by_facet
from polars_fairness.reporting.findings import Comparison, bounds_of
from polars_fairness.reporting.parts import Figure, first_of
from polars_fairness.reporting.tables import rate_span, subgroups_of
from polars_fairness.reporting.words import (
    comparison_in_words,
    extremes_in_words,
    number,
    share,
    share_span,
    size,
    size_name,
)

_MOST_ROWS: Final = 30
_MOST_SUBGROUPS: Final = 20
_OF_RATES: Final = ("Rate", "Interval", "Rows", "Weight")


def rate_figures(
    rated: pl.DataFrame, shown: Sequence[str], windows: Sequence[str], note: str = ""
) -> list[Figure]:
    """One figure for every window, facet and shown rate; the last group of each is all rows.

    Figures of the same rate have one scale.
    """
    ends = {rate: pl.max_horizontal(rate, bounds_of(rate)[1]).cast(pl.Float64) for rate in shown}
    known = [end.filter(end.is_finite()).max().alias(rate) for rate, end in ends.items()]
    highest = rated.select(known).row(0, named=True) if shown else {}
    specs = [_rates(rate, highest[rate] or 1, note) for rate in shown]
    is_alone = (rated["facet"] == ALL).all()
    return [] if is_alone else figures_by_facet(specs, rated, windows)


def _rates(rate: str, highest: float, note: str) -> Spec:
    lower, upper = bounds_of(rate)
    return Spec(
        RATES[rate].title,
        lambda rows: [_rated(row, row[rate], row[lower], row[upper]) for row in rows],
        lambda rows: filter(None, (share(rows[0][rate]), rate_span(rows[0], rate))),
        lambda groups: extremes_in_words(((name, rows[0][rate]) for name, rows in groups), share),
        dots(Values(0, highest, is_share=True), columns=_OF_RATES),
        note=note,
        most=_MOST_ROWS,
    )


def _rated(row: Row, rate: float | None, lower: float | None, upper: float | None) -> Row:
    return {
        "value": rate,
        "lower": lower,
        "upper": upper,
        "Rate": share(rate),
        "Interval": share_span(lower, upper),
        size_name(row["n"]): size(row["n"]),
    }


def ranked_figure(groups: Groups, window: str) -> Figure:
    """Groups by rank, each with one row, beside the overall rate."""
    overall = groups[0][1][0]["rate_of_all"]
    line = f"the dashed line is the overall rate, {share(overall)}"
    known = [overall, *(row[key] for _, (row,) in groups for key in ("rate", "upper"))]
    highest = max((each for each in known if each is not None and isfinite(each)), default=1)

    def marks(rows: Rows) -> Sequence[Row]:
        rated = (_rated(row, row["rate"], row["lower"], row["upper"]) for row in rows)
        return [{**mark, "side": row["direction"]} for mark, row in zip(rated, rows, strict=True)]

    spec = Spec(
        "Groups by rank, the worst first",
        marks,
        lambda rows: [share(rows[0]["rate"])],
        lambda _: line,
        dots(
            Values(0, highest or 1, is_share=True),
            columns=_OF_RATES,
            ideal=overall if overall is not None and isfinite(overall) else None,
        ),
        note=line,
        most=_MOST_ROWS,
    )
    return spec.figure(groups, f"{first_of(groups, _MOST_ROWS)}{window and ', '}{window}")


def contribution_figure(name: str, comparison: Comparison) -> Figure | None:
    """The largest contributions to a conditional metric; None if no subgroup has one."""
    groups = [
        (subgroup, [row])
        for subgroup, row in subgroups_of(comparison, _MOST_SUBGROUPS)
        if row["contribution"] is not None and isfinite(row["contribution"])
    ]
    if not groups:
        return None

    def found(groups: Groups) -> str:
        most, (row,) = max(groups, key=lambda each: abs(each[1][0]["contribution"]))
        return f"farthest from 0 for {most}, {number(row['contribution'])}"

    spec = Spec(
        f"Contributions of subgroups to {name}, {comparison_in_words(comparison)}",
        lambda rows: [
            {
                "lower": 0,
                "upper": row["contribution"],
                "Contribution": number(row["contribution"]),
                "Value": number(row["value"]),
                size_name(row["n"]): size(row["n"]),
            }
            for row in rows
        ],
        lambda rows: [number(rows[0]["contribution"])],
        found,
        dots(
            Values.of([0, *(row["contribution"] for _, (row,) in groups)]),
            columns=("Contribution", "Value", "Rows", "Weight"),
            ideal=0,
            bars=True,
        ),
        most=_MOST_SUBGROUPS,
    )
    return spec.figure(groups, first_of(comparison.table, _MOST_SUBGROUPS))
