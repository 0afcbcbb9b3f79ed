"""The frame of every page, and what the pages of hiring and of lending have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from typing import Final

import polars as pl

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.answers.verdicts import tone_of
from polars_fairness.question.audit_arguments import Texts
from polars_fairness.reporting.findings import parts_of
from polars_fairness.reporting.parts import Cell, Document, Markdown, Part, Section
from polars_fairness.reporting.words import confidence_in_words, window_in_words

_BELOW: Final = ("model", "version", "author", "date")


def page_of(
    texts: Texts,
    title: str,
    first: Iterable[Part],
    sections: Iterable[Section],
    *,
    kind: str = "Fairness report",
    details: Iterable[str] = (),
    last: Iterable[str] = (),
) -> Document:
    """A page with what its texts say of it; a title that they replace stands below theirs."""
    below = [f"{name.capitalize()}: {texts[name]}" for name in _BELOW if name in texts]
    lines = [texts.get("subject"), title if "title" in texts else "", " · ".join(below), *details]
    notes = [Section("Notes", (Markdown(texts["notes"]),))] if "notes" in texts else []
    read_by_programs = {"author": texts.get("author"), "description": texts.get("subject")}
    return Document(
        title=texts.get("title", title),
        details=tuple(filter(None, lines)),
        first=tuple(first),
        sections=(*notes, *sections),
        last=(f"Made by polars-fairness {version('polars-fairness')}.", *last),
        about={name: text for name, text in read_by_programs.items() if text is not None},
        kind=kind,
    )


def in_order(answer: PolarsFrame, facets: Sequence[str]) -> pl.DataFrame:
    """The rows of an answer with its facets in this order, in place of that of their names."""
    place = pl.col("facet").replace_strict(facets, range(len(facets)), return_dtype=pl.Int64)
    return answer.lazy().collect(engine="streaming").sort(place, maintain_order=True)


def compared(answer: pl.DataFrame) -> pl.DataFrame:
    """The rows of comparisons; a facet with fewer than two known groups has a row without sides."""
    return answer.filter(pl.col("disfavored").is_not_null())


def by_window(answer: pl.DataFrame, before: str = "facet") -> Iterator[tuple[str, pl.DataFrame]]:
    """The rows of each window, with the window in words; empty words without windows.

    The columns of windows stand before a column.
    """
    names = answer.columns[: answer.columns.index(before)]
    for part in parts_of(answer, names) if answer.height else ():
        yield window_in_words(tuple((name, part[name][0]) for name in names)), part


def by_facet(answer: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """The rows of each facet, with its name."""
    for part in parts_of(answer, ["facet"]) if answer.height else ():
        yield part["facet"][0], part


NO_ADVICE: Final = (
    "These are tables of counts and rates, and no legal advice. They state a computation and not "
    "the law. Rules change: whether and where one is in force has to be checked on the day."
)
ALONE: Final = (
    "There is nothing to compare: fewer than two groups are known, or none is large enough to "
    "compare with."
)


def interval_heads(confidence: float | None) -> tuple[str, ...]:
    """The head of the column of intervals, if there is one."""
    return () if confidence is None else (f"{confidence_in_words(confidence)} interval",)


def flag_cell(*, is_flagged: bool | None) -> Cell:
    """The cell of a flag; a group that could not be judged has a null."""
    if is_flagged is None:
        return Cell("not judged", tone=tone_of("undefined").name)
    return Cell("flagged", tone=tone_of("outside").name) if is_flagged else Cell("no")
