"""The comparisons that a report shows: of the latest window, and mirrored ones once."""

from __future__ import annotations

from collections import Counter
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
    """The comparisons of the latest window, or of all windows if these are no times.

    Mirrored ones are shown once, as `without_mirrored` has it.
    """
    return shown_among(findings, findings.comparisons())


def shown_among(findings: Findings, comparisons: Iterable[Comparison]) -> list[Comparison]:
    """Those of the comparisons, of any frame with sides, that the report shows."""
    latest, column = latest_window(findings), findings.time_column
    shown = [
        each
        for each in without_mirrored(findings, comparisons)
        if latest is None or dict(each.window)[str(column)] == latest
    ]
    # In the order of the question, which may put first what matters most.
    places: dict[str | None, int] = {facet: i for i, facet in enumerate(findings.facets)}
    shown.sort(key=lambda each: places.get(each.facet, len(places)))
    return shown


def without_mirrored(findings: Findings, comparisons: Iterable[Comparison]) -> list[Comparison]:
    """These comparisons, without those that say the same as others.

    Where each of two groups was compared with the other, the comparison is kept in which more
    verdicts speak against side d, in all windows together.
    """
    turned = _turned_round(_with_other_group(findings, each) for each in findings.comparisons())
    named = (_with_other_group(findings, each) for each in comparisons)
    return [each for each in named if (each.facet, each.disfavored, each.favored) not in turned]


def count_of_mirrored(findings: Findings) -> int:
    """The number of pairs of groups that are shown in one direction of two."""
    named = [_with_other_group(findings, each) for each in findings.comparisons()]
    return len(_turned_round(named))


def _with_other_group(findings: Findings, comparison: Comparison) -> Comparison:
    """The comparison with the other group's name, if everyone else is one group."""
    if comparison.favored is not None or comparison.disfavored is None:
        return comparison
    others = findings.groups_of(comparison.facet) - {comparison.disfavored}
    return replace(comparison, favored=others.pop()) if len(others) == 1 else comparison


def _turned_round(compared: Iterable[Comparison]) -> set[tuple[str | None, ...]]:
    """The sides of comparisons that say the same as others with the sides exchanged.

    Both are in one window: a reference that is another group elsewhere mirrors nothing.
    """
    against: Counter[tuple[str | None, ...]] = Counter()
    windows: dict[tuple[str | None, ...], set[Window]] = {}
    for each in compared:
        sides = (each.facet, each.disfavored, each.favored)
        against[sides] += each.table["verdict"].to_list().count("against_disfavored")
        windows.setdefault(sides, set()).add(each.window)
    order = [*against]
    return {
        (facet, d, a)
        for place, (facet, d, a) in enumerate(order)
        if d is not None
        and not windows[facet, d, a].isdisjoint(windows.get((facet, a, d), ()))
        and (against[facet, a, d], -order.index((facet, a, d))) > (against[facet, d, a], -place)
    }
