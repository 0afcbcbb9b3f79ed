"""How classes are confused in each group: figures and tables of matrices, and their section."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

import polars as pl

from polars_fairness.counting.sides import ALL
from polars_fairness.reporting.charts.marks import Heat
from polars_fairness.reporting.findings import Findings, parts_of
from polars_fairness.reporting.parts import Cell, Figure, Head, Part, Section, Table, drawn, numbers
from polars_fairness.reporting.tables import group_in_words
from polars_fairness.reporting.verdicts import in_latest_window
from polars_fairness.reporting.words import (
    extremes_in_words,
    named_in_words,
    share,
    size,
    value_in_words,
)

MOST_CLASSES: Final = 12
"""The largest number of classes that a matrix has room for."""

_TITLE: Final = "Of each label, the share predicted"
_NOTE: Final = "wrong predictions have another colour than right ones"
_MOST_CHARTS: Final = 4
_FEWEST: Final = 30
"""Shares of fewer rows of a label are no finding."""


def matrices_of(confused: pl.DataFrame, windows: Sequence[str]) -> list[pl.DataFrame]:
    """The matrix of each group and of all rows, those of many classes left out."""
    if confused.is_empty() or max(classes_of(confused).values()) > MOST_CLASSES:
        return []
    return [part for part in parts_of(confused, [*windows, "facet", "value"]) if part["n"].sum()]


def classes_of(confused: pl.DataFrame) -> dict[str, int]:
    """The number of classes of the label, and of the prediction."""
    return {role: confused[role].n_unique() for role in ("label", "predicted")}


def confusion_figures(confused: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """A heat map for each window and group; for all rows where there are no groups."""
    groups = confused.filter(pl.col("facet") != ALL)
    return [
        _figure(part, windows)
        for part in matrices_of(groups, windows) or matrices_of(confused, windows)
    ]


def group_of(row: dict[str, Any], windows: Sequence[str]) -> str:
    """The window and the group of a matrix in words."""
    group = group_in_words(row)
    of_facet = group if row["facet"] == ALL else f"{row['facet']} {group}"
    return ", ".join([*(named_in_words(name, row[name]) for name in windows), of_facet])


def _figure(part: pl.DataFrame, windows: Sequence[str]) -> Figure:
    rows = part.rows(named=True)
    down, across = (
        {each: number for number, each in enumerate(part[role].unique(maintain_order=True))}
        for role in ("label", "predicted")
    )
    marks = [
        {
            "row": down[row["label"]],
            "column": across[row["predicted"]],
            "side": "below" if row["label"] == row["predicted"] else "above",
            "depth": row["share"],
            "text": share(row["share"]),
        }
        for row in rows
        if row["share"] is not None
    ]
    labels, predictions = ([*map(value_in_words, classes)] for classes in (down, across))
    title = f"{_TITLE}: {group_of(rows[0], windows)}"
    words = "; ".join(f"{_pair(row)} {share(row['share'])}" for row in rows)
    return Figure(
        f"{title}\n{_NOTE}",
        f"{title}: {words}.",
        Heat(marks, labels, predictions, ("label", "predicted")),
    )


def _pair(row: dict[str, Any]) -> str:
    return f"{value_in_words(row['label'])} as {value_in_words(row['predicted'])}"


def confusions_section(findings: Findings) -> Iterator[Section]:
    """The matrix of each group, and the confusion whose shares are farthest apart."""
    if findings.confused.is_empty():
        return
    confused, windows = in_latest_window(findings, findings.confused), findings.windows_of_matrices
    matrices = matrices_of(confused, windows)
    if not matrices:
        return
    figures = confusion_figures(confused, windows)
    shown = figures if findings.is_in_full else figures[:_MOST_CHARTS]
    parts: tuple[Part, ...] = (*drawn(shown), _table(matrices, windows))
    yield Section("Confused classes", parts, finding=" ".join(_farthest(confused, windows)))


def _farthest(confused: pl.DataFrame, windows: Sequence[str]) -> Iterator[str]:
    """For each window and facet, the wrong prediction whose share differs most between groups."""
    label, predicted = (pl.col(role).cast(pl.String) for role in ("label", "predicted"))
    by_label = parts_of(confused, [*windows, "facet", "value", "label"])
    rows = [part for part in by_label if sum(part["n"]) >= _FEWEST]
    wrong = pl.concat([confused.clear(), *rows]).filter(
        label != predicted, pl.col("value").is_not_null()
    )
    for part in parts_of(wrong, [*windows, "facet"]) if wrong.height else ():
        apart = pl.col("share").max() - pl.col("share").min()
        pairs = parts_of(part, ["label", "predicted"])
        pair = max(pairs, key=lambda each: float(each.select(apart).item()))
        row = pair.row(0, named=True)
        groups = [(group_in_words(each), each["share"]) for each in pair.iter_rows(named=True)]
        where = "".join(f", {named_in_words(name, row[name])}" for name in windows)
        yield (
            f"Rows of {value_in_words(row['label'])} that are predicted "
            f"{value_in_words(row['predicted'])}, by {row['facet']}{where}: "
            f"{extremes_in_words(groups, share)}, of groups with at least {_FEWEST} such rows."
        )


def _table(matrices: Sequence[pl.DataFrame], windows: Sequence[str]) -> Table:
    """The matrices below each other: a row for each class of the label."""
    across = [*map(value_in_words, matrices[0]["predicted"].unique(maintain_order=True))]
    rows: list[Cell | list[dict[str, Any]]] = []
    for part in matrices:
        rows.append(Cell(group_of(part.row(0, named=True), windows)))
        rows += [of_label.rows(named=True) for of_label in parts_of(part, ["label"])]
    shares = lambda i, row: Cell(share(row[i]["share"]), size(row[i]["n"]))  # noqa: E731
    return Table(
        _TITLE,
        [
            Head("Label", lambda row: value_in_words(row[0]["label"])),
            numbers("Rows", lambda row: size(sum(each["n"] for each in row))),
            *(numbers(each, partial(shares, i)) for i, each in enumerate(across)),
        ],
        rows,
        "",
    )
