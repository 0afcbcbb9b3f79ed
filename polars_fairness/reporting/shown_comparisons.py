"""The comparisons that a report shows: those of the latest window, with names of both sides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import polars as pl

from polars_fairness.reporting.findings import Comparison, Findings, Window
from polars_fairness.reporting.words import window_in_words


def latest_window(findings: Findings) -> object:
    """The last date or time of ``by``, None without one."""
    column = findings.time_column
    return None if column is None else findings.audited[column].max()


def latest_in_words(findings: Findings) -> list[str]:
    """The last date or time with the name of its column, none without one."""
    latest, column = latest_window(findings), findings.time_column
    return [] if column is None or latest is None else [window_in_words(((column, latest),))]


def in_latest_window(findings: Findings, frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of the last date or time; all rows if ``by`` is none."""
    column = findings.time_column
    if column is None or latest_window(findings) is None:
        return frame
    # By the column itself: polars takes a name such as `^a$` for a pattern.
    return frame.filter(frame[column] == latest_window(findings))


def comparisons_shown(findings: Findings) -> list[Comparison]:
    """The comparisons of the latest window, or of all windows if these are no times."""
    return shown_among(findings, findings.comparisons())


def shown_among(findings: Findings, comparisons: Iterable[Comparison]) -> list[Comparison]:
    """Those of the comparisons, of any frame with sides, that the report shows."""
    latest, column = latest_window(findings), findings.time_column
    shown = [
        each
        for each in with_other_groups(findings, comparisons)
        if latest is None or dict(each.window)[str(column)] == latest
    ]
    # In the order of the question, which may put first what matters most.
    places: dict[str | None, int] = {facet: i for i, facet in enumerate(findings.facets)}
    shown.sort(key=lambda each: places.get(each.facet, len(places)))
    return shown


def with_other_groups(findings: Findings, comparisons: Iterable[Comparison]) -> list[Comparison]:
    """These comparisons, with the name of the other group where everyone else is one group."""
    return [_with_other_group(findings, each) for each in comparisons]


def _with_other_group(findings: Findings, comparison: Comparison) -> Comparison:
    if comparison.favored is not None or comparison.disfavored is None:
        return comparison
    others = findings.groups_of(comparison.facet) - {comparison.disfavored}
    return replace(comparison, favored=others.pop()) if len(others) == 1 else comparison


def by_facet(comparisons: Iterable[Comparison]) -> dict[str | None, list[Comparison]]:
    """The comparisons of each facet; None stands for those of no facet."""
    found: dict[str | None, list[Comparison]] = {}
    for comparison in comparisons:
        found.setdefault(comparison.facet, []).append(comparison)
    return found


def apart(findings: Findings, window: Window) -> Window:
    """The part of a window that tells it from others where only the latest time is shown."""
    return tuple((name, value) for name, value in window if name != findings.time_column)
