"""The frame of every page, and what the pages of prescribed tables have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from itertools import groupby
from typing import Any, ClassVar, Final

import polars as pl

from polars_fairness.api.columns import Kind
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.counting.sides import ALL
from polars_fairness.question.arguments import Argument
from polars_fairness.question.audit_arguments import Texts
from polars_fairness.reporting.answer_tables import lay_out
from polars_fairness.reporting.findings import parts_of
from polars_fairness.reporting.outputs.records import tables_as_json
from polars_fairness.reporting.parts import Cell, Document, Markdown, Part, Row, Section, Table
from polars_fairness.reporting.short_names import with_short_names
from polars_fairness.reporting.shown.recognised import Answer
from polars_fairness.reporting.words import ALL_ROWS, EVERYONE_ELSE, window_in_words
from polars_fairness.reporting.written_report import WrittenReport

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


@dataclass(frozen=True, eq=False, repr=False)
class PrescribedReport(WrittenReport):
    """A page of tables that a rule or a practice prescribes.

    ``tables`` are the names of its tables, each with its schema; ``module`` has the functions.
    """

    module: ClassVar[str]
    tables: ClassVar[Mapping[str, str]]

    options: Mapping[str, Any]
    """The arguments of the call, with the defaults of its own ones."""
    answers: Mapping[str, pl.DataFrame]
    """The tables by name, as far as the question allows them."""
    published: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    """The texts that a rule has published beside the tables."""

    def _document(self, texts: Texts) -> Document:
        return with_short_names(self).page(texts)

    @abstractmethod
    def page(self, texts: Texts) -> Document:
        """Everything that the page says."""

    def _as_json(self, texts: Texts) -> dict[str, Any]:
        tables = {
            name: (f"{self.module}_{schema}", self.answers.get(name))
            for name, schema in self.tables.items()
        }
        title, about = texts.get("title", self.title), {**self.published, **texts}
        return tables_as_json(f"{self.module}_document", title, about, tables)


@dataclass(frozen=True)
class PrescribedCommand:
    """What a command prints about prescribed tables, and the page that it writes.

    ``table_of`` computes the table of a name for the arguments of a question. The gate judges the
    flags of a table, ``judged``, whose ratios are in a column; it needs the options of
    ``decisions``. A page has further ``texts``, which ``published`` checks before a file is read.
    """

    taken: Sequence[Argument]
    table_of: Callable[[str, AnyFrame, Mapping[str, Any]], PolarsFrame]
    report: Callable[..., PrescribedReport]
    judged: tuple[str, str] = ("table", "air")
    decisions: str = "--predicted, or --threshold"
    shown: Callable[[Mapping[str, Any]], Sequence[str]] = lambda _: ("table",)
    notes: Callable[[Mapping[str, Any], pl.DataFrame], Sequence[str]] = lambda *_: ()
    texts: Sequence[Argument] = ()
    published: Callable[[Mapping[str, Any]], object] = dict


def sort_facets(answer: PolarsFrame, facets: Sequence[str]) -> pl.DataFrame:
    """The rows of an answer, sorted by facet in the order of ``facets``."""
    place = pl.col("facet").replace_strict(facets, range(len(facets)), return_dtype=pl.Int64)
    return answer.lazy().collect(engine="streaming").sort(place, maintain_order=True)


def compared(answer: pl.DataFrame) -> pl.DataFrame:
    """The rows of comparisons; a facet with fewer than two known groups has a row without sides."""
    return answer.filter(pl.col("disfavored").is_not_null())


def split_windows(
    answer: pl.DataFrame, before: str = "facet"
) -> Iterator[tuple[str, pl.DataFrame]]:
    """The rows of each window, with the window in words; empty words without windows.

    The columns of windows stand before a column.
    """
    names = answer.columns[: answer.columns.index(before)]
    for part in parts_of(answer, names) if answer.height else ():
        yield window_in_words(tuple((name, part[name][0]) for name in names)), part


def split_facets(answer: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
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


def answer_tables(
    kind: Kind, answer: pl.DataFrame, caption: str = "By {}", called: str = "reference"
) -> Iterator[Table]:
    """A table for each window and facet of an answer, as `lay_out` has it.

    Side a of each comparison, by the name that it is ``called``, stands above its groups.
    """
    for window, part in split_windows(answer):
        for facet, of_facet in split_facets(part):
            table = lay_out(Answer(kind, of_facet))
            rows = table.rows if "value" in answer.columns else _below_references(table, called)
            about = ", ".join(filter(None, [caption.format(facet), window]))
            yield prescribed(about, table, ({**row, "under": ""} for row in rows))


def prescribed(caption: str, table: Table, rows: Iterable[Row]) -> Table:
    """A table of a page with these rows, in the look of what a rule prescribes."""
    return replace(table, rows=[*rows], caption=caption, notes=(), look="prescribed")


def _below_references(table: Table, called: str) -> Iterator[Row]:
    """The rows of each side a: its own size and rate, then the groups compared with it."""
    for (name, size, rate), groups in groupby(
        table.rows,
        lambda row: (favored_in_row(row), row["n_favored"], row.get("reference_rate")),
    ):
        yield {"name": Cell(name, called), "n_disfavored": size, "rate": rate}
        yield from groups


def favored_in_row(row: Mapping[str, Any]) -> str:
    """Side a of a row: a group, all rows, or everyone else."""
    if row["favored"] == ALL:
        return f"{ALL_ROWS.lower()} of known group"
    return str(row["favored"] or EVERYONE_ELSE)
