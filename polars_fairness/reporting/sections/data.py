"""The section of what data say about groups, column by column."""

from __future__ import annotations

from dataclasses import replace

from polars_fairness.reporting.answer_tables import Answer, lay_out
from polars_fairness.reporting.parts import Paragraph, Section
from polars_fairness.reporting.verdicts import filter_latest
from polars_fairness.reporting.voice import Voice
from polars_fairness.reporting.words import ONE_BY_ONE, cap, examined_in_words, key_of_finding


def data_section(voice: Voice) -> Section:
    """What was found in the columns that are given, and the numbers that are not within limits."""
    examined = voice.answers.examined
    if examined.is_empty():
        return Section("")
    rows = filter_latest(voice.answers, examined)
    answer = Answer("intake", rows)
    table = lay_out(answer)
    shown = [
        {**row, "key": key_of_finding(row)}
        for row in table.rows
        if row["tones"]["verdict"] in ("outside", "uncertain")
    ]
    judged = rows["verdict"].count()
    said = () if answer.windows else tuple(examined_in_words(rows, voice.called))
    caption = "Numbers of the data beyond their limits"
    return Section(
        "The data",
        (Paragraph(said),) if said else (),
        (replace(table, rows=shown, caption=caption, notes=()),) if shown else (),
        notes=(
            f"{judged - len(shown):,} of {judged:,} numbers are within their limits or undefined.",
            f"{cap(ONE_BY_ONE)}.",
        ),
    )
