"""The rows that models decide otherwise than the champion: figures, and their section."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import polars as pl

from polars_fairness.catalogue.wording import word
from polars_fairness.counting.sides import ALL
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.charts.scales import Values
from polars_fairness.reporting.charts.specs import Groups, Row, Rows, Spec, dots
from polars_fairness.reporting.findings import Findings, Window, parts_of
from polars_fairness.reporting.parts import Figure, Part, Section, Sentences, first_of
from polars_fairness.reporting.shown_comparisons import in_latest_window
from polars_fairness.reporting.tables import group_in_words, is_of_all_rows, more_in_words
from polars_fairness.reporting.words import (
    extremes_in_words,
    share,
    size,
    size_name,
    window_in_words,
)

_TITLE: Final = "Switched rows"
_MOST_GROUPS: Final = 30
MOST_MODELS: Final = 3
_MOST_CHARTS: Final = 4
_NOTE: Final = "shares of the rows of each group"


def switched_section(findings: Findings) -> Iterator[Section]:
    """How many rows each model decides otherwise than the champion, with charts by group."""
    if findings.options.champion is None:
        return
    sentences = switches_in_words(findings)
    charts = [
        figure
        for part in _by_model(findings)
        if any(map(_switches, part.rows(named=True)))
        for figure in switched_figures(part, findings.windows, favorable=findings.favorable)
    ]
    if not sentences:
        return
    finding = " ".join(sentences[:MOST_MODELS])
    shown = charts if findings.is_in_full else charts[:_MOST_CHARTS]
    notes = [more_in_words(sentences, MOST_MODELS, "models or windows")]
    notes.append(more_in_words(charts, len(shown), "charts"))
    lines = tuple(filter(None, notes))
    drawn: tuple[Part, ...] = (tuple(shown),) if shown else ()
    of_others = (Sentences("notes", lines),) if lines else ()
    yield Section(_TITLE, (*drawn, *of_others), finding=finding)


def switches_in_words(findings: Findings) -> list[str]:
    """A sentence for each model and window about the rows that it decides otherwise."""
    champion, words = str(findings.options.champion), _words(favorable=findings.favorable)
    sentences = []
    for part in _by_model(findings):
        rows = part.rows(named=True)
        window = tuple((name, rows[0][name]) for name in findings.windows)
        sentences.append(_in_a_sentence(rows, window, champion, words))
    return sentences


def _by_model(findings: Findings) -> list[pl.DataFrame]:
    switched = in_latest_window(findings, findings.switched)
    return parts_of(switched, findings.windows) if switched.height else []


def switched_figures(
    switched: pl.DataFrame, windows: Sequence[str], *, favorable: bool = True
) -> list[Figure]:
    """One figure for every window, model and facet: what is newly accepted and newly rejected."""
    groups = switched.filter(pl.col("facet") != ALL)
    parts = parts_of(groups, [*windows, "facet"]) if groups.height else ()
    return [_figure(part, windows, _words(favorable=favorable)) for part in parts]


def _words(*, favorable: bool) -> dict[str, str]:
    """The words for the rows that a model newly accepts, and for those that it newly rejects."""
    return {
        outcome: f"newly {word(outcome, favorable=favorable)}"
        for outcome in ("accepted", "rejected")
    }


def _figure(part: pl.DataFrame, windows: Sequence[str], words: Mapping[str, str]) -> Figure:
    """What is newly accepted is drawn to the right, and what is newly rejected to the left."""
    rows = part.rows(named=True)
    window = window_in_words(tuple((name, rows[0][name]) for name in windows))

    def marks(rows: Rows) -> list[Row]:
        return [
            {
                "lower": -_of_rows(row, "rejected"),
                "upper": _of_rows(row, "accepted"),
                **{text.capitalize(): size(row[f"newly_{each}"]) for each, text in words.items()},
                size_name(row["n"]): size(row["n"]),
            }
            for row in rows
        ]

    def found(groups: Groups) -> str:
        known = ((name, row) for name, (row,) in groups if row["n"])
        return extremes_in_words(((name, _switches(row) / row["n"]) for name, row in known), share)

    ends = [mark[end] for mark in marks(rows[:_MOST_GROUPS]) for end in ("lower", "upper")]
    spec = Spec(
        f"Switched by {rows[0]['facet']}{first_of(part, _MOST_GROUPS)}, {window}",
        marks,
        lambda rows: [f"{share(_of_rows(rows[0], each))} {words[each]}" for each in words],
        found,
        dots(
            Values.of([0, *ends], is_share=True),
            title=f"← {words['rejected']}, {words['accepted']} →",
            columns=(*(text.capitalize() for text in words.values()), "Rows", "Weight"),
            ideal=0,
            bars=True,
        ),
        note=_NOTE,
        most=_MOST_GROUPS,
    )
    return spec.figure([(group_in_words(row), [row]) for row in rows])


def _of_rows(row: Row, outcome: str) -> float:
    return float(row[f"newly_{outcome}"] / row["n"] if row["n"] else 0)


def _switches(row: Row) -> float:
    return float(row["newly_accepted"] + row["newly_rejected"])


def _in_a_sentence(
    rows: Sequence[Row], window: Window, champion: str, words: Mapping[str, str]
) -> str:
    """How many of all rows a model decides otherwise, and the group with the largest share."""
    everything = next(row for row in rows if is_of_all_rows(row))
    places = window_in_words(tuple(each for each in window if each[0] != MODEL))
    where = f" ({places})" if places else ""
    model = dict(window)[MODEL]
    if not _switches(everything):
        return f"{model} decides all rows as {champion} does{where}."
    of_groups = [row for row in rows if not is_of_all_rows(row) and row["n"]]
    most = max(of_groups, key=lambda row: _switches(row) / row["n"], default=None)
    often = ""
    if most is not None:
        often = f", most often of {most['facet']} {group_in_words(most)} ({_share_of(most)})"
    return (
        f"{model} decides {size(everything['newly_accepted'] + everything['newly_rejected'])} of "
        f"{size(everything['n'])} rows ({_share_of(everything)}) otherwise than {champion}"
        f"{where}{often}: {size(everything['newly_accepted'])} {words['accepted']}, "
        f"{size(everything['newly_rejected'])} {words['rejected']}."
    )


def _share_of(row: Row) -> str:
    return share(_switches(row) / row["n"])
