"""The printed table of an audit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import polars as pl

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.cli.printed import printable
from polars_fairness.cli.tables import Column, table, wrapped

Row = dict[str, Any]


def audit_table(answer: pl.DataFrame, width: int, *, in_colour: bool) -> str:
    """A block of lines for each comparison, and at the end the number of rows counted."""
    if answer.is_empty():
        return "Nothing to compare: there are no rows."
    windows = answer.columns[: answer.columns.index("facet")]
    rows = answer.rows(named=True)
    titles, lines = table(_columns(answer, rows, in_colour=in_colour), width - len(_INDENT))
    shown = [_indented(titles)]
    last = ""
    for row, line in zip(rows, lines, strict=True):
        heading = _heading(row, windows)
        if heading != last:
            shown += ["", *wrapped(heading, width, _INDENT)]
            last = heading
        shown.append(_indented(line))
    reconciled = [
        line for text in _reconciled(answer, windows) for line in wrapped(text, width, _INDENT)
    ]
    return "\n".join([*shown, "", *reconciled])


_INDENT: Final = "  "


def _indented(text: str) -> str:
    return "\n".join(_INDENT + line for line in text.splitlines())


def _columns(answer: pl.DataFrame, rows: Sequence[Row], *, in_colour: bool) -> Iterator[Column]:
    colours = [tone_of(row["verdict"]).ansi for row in rows] if in_colour else ()
    yield Column("metric", [row["metric"] for row in rows], least=13)
    yield Column("value", [_number(row["value"]) for row in rows], is_number=True)
    if answer["lower"].count() or answer["upper"].count():
        yield Column("interval", [_interval(row) for row in rows], least=8)
    ideals = [f"{row['ideal']:g}" for row in rows]
    yield Column("ideal", ideals, is_number=True, is_optional=True)
    if "p_value" in answer.columns:
        yield Column("p", [_number(row["p_value"]) for row in rows], is_number=True)
    yield Column("verdict", [_verdict(row) for row in rows], least=9, colours=colours)


def _heading(row: Row, windows: Sequence[str]) -> str:
    where = "".join(f"{printable(name)} {printable(row[name])}, " for name in windows)
    if row["facet"] is None:
        return f"{where}all rows"
    facet = printable(row["facet"])
    if row["disfavored"] is None:
        return f"{where}{facet}: all groups"
    sides = " against ".join(
        f"{_side(row, argument)} ({_size(row[f'n_{argument}'])})"
        for argument in ("disfavored", "favored")
    )
    few = "; few rows" if row.get("is_small") else ""
    return f"{where}{facet}: {sides}{few}"


def _verdict(row: Row) -> str:
    verdict = row["verdict"] or ""
    if not verdict.startswith("against_"):
        return str(verdict)
    return f"against {_side(row, verdict.removeprefix('against_'))}"


def _side(row: Row, argument: str) -> str:
    return "everyone else" if row[argument] is None else printable(row[argument])


def _reconciled(answer: pl.DataFrame, windows: Sequence[str]) -> Iterator[str]:
    """A line on the rows seen, dropped and used for each facet, over all windows."""
    counts = ["rows_seen", "rows_used", "rows_dropped", "n_unknown"]
    of_facets = (
        answer[[*windows, "facet", *counts]]
        .unique(maintain_order=True)
        .group_by("facet", maintain_order=True)
        .agg(pl.col(counts).sum())
    )
    for facet, seen, used, dropped, unknown in of_facets.iter_rows():
        name = "" if facet is None else f"{printable(facet)}: "
        of_unknown = "" if facet is None else f", {_size(unknown)} of them unknown"
        yield f"{name}{seen:,} rows seen, {dropped:,} dropped, {used:,} used{of_unknown}"


def _size(n: float) -> str:
    return f"{n:,}" if isinstance(n, int) else f"{n:,.1f}"


def _number(value: float | None) -> str:
    """A number with three decimals; a number other than 0 that rounds to 0 has two digits."""
    if value is None:
        return ""
    if 0 < abs(value) < 0.0005:
        return f"{value:.1e}"
    return f"{value + 0.0:.3f}"  # -0.0 is 0.0


def _interval(row: Row) -> str:
    if row["lower"] is None and row["upper"] is None:
        return ""
    return f"{_number(row['lower'])} to {_number(row['upper'])}"
