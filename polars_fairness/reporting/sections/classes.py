"""The section of several classes: how they are confused in each group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import polars as pl

from polars_fairness.api.columns import CONFUSED, Column, picked
from polars_fairness.counting.sides import ALL
from polars_fairness.question.windows import POSITIVE
from polars_fairness.reporting.answers import parts_of
from polars_fairness.reporting.charts.curves import (
    OF_EACH_LABEL,
    confusion_figures,
    matrix_in_words,
)
from polars_fairness.reporting.parts import Cell, Paragraph, Section, Sentence, Table
from polars_fairness.reporting.verdicts import filter_latest
from polars_fairness.reporting.voice import Voice
from polars_fairness.reporting.words import (
    named_in_words,
    share,
    size,
    value_in_words,
)

MOST_CLASSES: Final = 12
"""The largest number of classes that a matrix has room for."""
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


def classes_section(voice: Voice) -> Section:
    """The matrix of each group, and the confusion whose shares are farthest apart."""
    answers = voice.answers
    if answers.confused.is_empty():
        return Section("")
    confused = filter_latest(answers, answers.confused)
    windows = [name for name in answers.windows if name != POSITIVE]
    matrices = matrices_of(confused, windows)
    if not matrices:
        return Section("")
    groups = confused.filter(pl.col("facet") != ALL)
    figures = confusion_figures(matrices_of(groups, windows) or matrices, windows)
    # The matrices below each other: a row for each class of the label.
    across = map(value_in_words, matrices[0]["predicted"].unique(maintain_order=True))
    rows = [
        {
            "under": matrix_in_words(part, windows),
            "label": value_in_words(of_label["label"][0]),
            "n": of_label["n"].sum(),
            **{
                str(i): Cell(share(row["share"]), size(row["n"]))
                for i, row in enumerate(of_label.rows(named=True))
            },
            "key": _key(of_label, windows),
        }
        for part in matrices
        for of_label in parts_of(part, ["label"])
    ]
    columns = (
        *picked(CONFUSED, "label", "n"),
        *(Column(str(i), label=each) for i, each in enumerate(across)),
    )
    table = Table(columns, rows, OF_EACH_LABEL)
    paragraph = Paragraph(tuple(_farthest(confused, windows)))
    return Section("Confused classes", (paragraph,), (table,), tuple(figures[:_MOST_CHARTS]))


def _key(part: pl.DataFrame, windows: Sequence[str]) -> str:
    return f"class/{matrix_in_words(part, windows)}/{value_in_words(part['label'][0])}"


def _farthest(confused: pl.DataFrame, windows: Sequence[str]) -> Iterator[Sentence]:
    """For each window and facet, the wrong prediction whose share differs most between groups."""
    label, predicted = (pl.col(role).cast(pl.String) for role in ("label", "predicted"))
    by_label = parts_of(confused, [*windows, "facet", "value", "label"])
    rows = [part for part in by_label if sum(part["n"]) >= _FEWEST]
    wrong = pl.concat([confused.clear(), *rows]).filter(
        label != predicted, pl.col("value").is_not_null()
    )
    apart = pl.col("share").max() - pl.col("share").min()
    for part in parts_of(wrong, [*windows, "facet"]):
        pairs = parts_of(part, ["label", "predicted"])
        pair = max(pairs, key=lambda each: float(each.select(apart).item()))
        groups = pair.sort("share")
        ends = [groups.head(1), groups.tail(1)]
        row = ends[0].row(0, named=True)
        where = "".join(f", {named_in_words(name, row[name])}" for name in windows)
        low, high = (f"{value_in_words(end['value'][0])}, {share(end['share'][0])}" for end in ends)
        yield Sentence(
            f"{value_in_words(row['label'])} is predicted {value_in_words(row['predicted'])}, by "
            f"{value_in_words(row['facet'])}{where}: lowest for {low}, highest for {high}.",
            tuple(_key(end, windows) for end in ends),
        )
