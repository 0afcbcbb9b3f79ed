"""The tables that rules and practices prescribe, for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import polars as pl

from polars_fairness.answers.columns import (
    ADVERSE_IMPACT,
    IMPACT_RATIOS,
    LENDING_TABLE,
    QUANTILES,
    SEGMENTS,
    Column,
    Columns,
)
from polars_fairness.answers.verdicts import tone_of
from polars_fairness.reporting.plain_words import Row, comparison, heading, number, side, size
from polars_fairness.reporting.shown.layouts import GROUP, INTERVAL, Layout, of_sizes

_NO_GROUPS: Final = "no two groups"
_NO_CATEGORY: Final = "no category"

_FLAGS: Final = {True: "flagged", False: "no", None: "not judged"}
_TONES: Final = {True: "outside", False: "fair", None: "undefined"}
_FLAG_COLUMN: Final = Column("flag", type="text", format="verdict")


def windows_of(answer: pl.DataFrame) -> list[str]:
    """The first columns of an answer, which name a window."""
    return answer.columns[: answer.columns.index("facet")]


def _layout(
    answer: pl.DataFrame,
    declared: Columns,
    names: str,
    rows: Sequence[dict[str, Any]],
    name: Column = GROUP,
) -> Layout:
    """These columns of a table; without intervals, scores or flags none for them."""
    known = {each.name: each for each in declared} | {"interval": INTERVAL, "flag": _FLAG_COLUMN}
    if not (answer["lower"].count() or answer["upper"].count()):
        del known["interval"]
    if "smd" in known and not answer["smd"].count():
        del known["smd"]
    if "n_disfavored" in known:
        known["n_disfavored"] = of_sizes(known["n_disfavored"], answer["n_disfavored"])
    return Layout(name, {each: known[each] for each in names.split() if each in known}, rows)


def _rows(answer: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """For each group its window, its facet, and the group that it is compared with."""
    windows = windows_of(answer)
    for row in answer.iter_rows(named=True):
        yield {
            **row,
            "under": heading(row, windows, _against(row)),
            "name": group(row),
            "interval": (row["lower"], row["upper"]),
        }


def _against(row: Row) -> str:
    if row["disfavored"] is None:
        return str(row["facet"])
    rate = f", rate {number(row['reference_rate'])}" if "reference_rate" in row else ""
    return f"{row['facet']}: against {side(row, 'favored')} ({size(row['n_favored'])}{rate})"


def group(row: Row) -> str:
    """The group of a row that is compared; a facet with one group has none."""
    return _NO_GROUPS if row["disfavored"] is None else side(row, "disfavored")


def _flagged(row: Row, ratio: str, reasons: Mapping[str, str]) -> dict[str, Any]:
    """Whether a group is flagged, or could not be; if not, the one reason that holds."""
    has_no_ratio = row["is_flagged"] is False and row[ratio] is None
    found = "no ratio" if has_no_ratio else _FLAGS[row["is_flagged"]]
    if row["is_flagged"] is False:
        found = next((words for name, words in reasons.items() if row[name]), found)
    tone = tone_of(_TONES[row["is_flagged"]]).name
    return {**row, "flag": (found, found), "tones": {"flag": tone}}


def impact_ratios_layout(answer: pl.DataFrame) -> Layout:
    """The categories of each table of each window."""
    windows, is_scored = windows_of(answer), answer["median"].count() > 0
    rows = []
    for row in answer.iter_rows(named=True):
        median = "" if row["median"] is None else f", median {row['median']:.10g}"
        own = {
            "under": heading(row, windows, f"by {row['facet']}{median}"),
            "name": _NO_CATEGORY if row["value"] is None else row["value"],
            "impact_ratio": "excluded" if row["is_excluded"] else number(row["impact_ratio"]),
            "interval": (row["lower"], row["upper"]),
        }
        rows.append({**row, **own})
    category = Column("category", type="text", least=12)
    layout = _layout(answer, IMPACT_RATIOS, "n share rate impact_ratio interval", rows, category)
    rate = replace(layout.columns["rate"], title="scoring_rate" if is_scored else "selection_rate")
    return replace(layout, columns=layout.columns | {"rate": rate})


def adverse_impact_layout(answer: pl.DataFrame) -> Layout:
    """The groups of each facet of each window, below the group with the highest rate."""
    reasons = {"is_below_four_fifths": "below 4/5", "is_significant": "significant"}
    rows = [_flagged(row, "impact_ratio", reasons) for row in _rows(answer)]
    names = "n_disfavored rate impact_ratio shortfall shortfall_to_four_fifths two_sd p_value flag"
    layout = _layout(answer, ADVERSE_IMPACT, names, rows)
    people = replace(layout.columns["n_disfavored"], title="people")
    return replace(layout, columns=layout.columns | {"n_disfavored": people})


def lending_layout(answer: pl.DataFrame) -> Layout:
    """The groups of each facet of each window, below their reference."""
    rows = [_flagged(row, "air", {}) for row in _rows(answer)]
    names = "n_disfavored rate air interval points odds_ratio smd shortfall"
    names += " shortfall_to_four_fifths p_value flag"
    return _layout(answer, LENDING_TABLE, names, rows)


def quantiles_layout(answer: pl.DataFrame) -> Layout:
    """The shares of each comparison of each window."""
    windows = answer.columns[: answer.columns.index("share")]
    blocks: dict[str, list[dict[str, Any]]] = {}
    for row in answer.iter_rows(named=True):
        is_compared = row["disfavored"] is not None
        sides = comparison(row) if is_compared else f"{row['facet']}: {group(row)}"
        under = heading(row, windows, sides)
        own = {"under": under, "name": row["share"], "interval": (row["lower"], row["upper"])}
        blocks.setdefault(under, []).append({**row, **own})
    rows = [row for block in blocks.values() for row in block]
    names = "threshold accepted_share rate reference_rate air interval points p_value"
    return _layout(answer, QUANTILES, names, rows, QUANTILES[0])


def segments_layout(answer: pl.DataFrame) -> Layout:
    """The groups of each facet of each window, below their reference."""
    names = "n_disfavored segments mh_odds_ratio interval cmh p_value breslow_day"
    return _layout(answer, SEGMENTS, f"{names} breslow_day_p_value", [*_rows(answer)])


PRESCRIBED: Final[Mapping[tuple[str, ...], Callable[[pl.DataFrame], Layout]]] = {
    ("impact_ratio", "is_excluded"): impact_ratios_layout,
    ("impact_ratio", "is_below_four_fifths"): adverse_impact_layout,
    ("air", "reference_rate", "is_flagged"): lending_layout,
    ("air", "accepted_share"): quantiles_layout,
    ("mh_odds_ratio", "breslow_day_p_value"): segments_layout,
}
"""The layout of each table, by columns that it alone has."""
