"""The frame of every page, and what the pages of prescribed tables have in common."""

from __future__ import annotations

import datetime
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar, Final, Self, Unpack, cast

import polars as pl

from polars_fairness.api.columns import Kind
from polars_fairness.api.signatures import takes
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.counting.sides import ALL
from polars_fairness.errors import FairnessError, listed, shown
from polars_fairness.question.arguments import Argument
from polars_fairness.question.audit_arguments import (
    DAY,
    OF_PAGE,
    OF_TEXTS,
    WORDS,
    PageTexts,
    Texts,
)
from polars_fairness.question.author_words import AuthorWords
from polars_fairness.reporting.answer_tables import Answer, lay_out
from polars_fairness.reporting.answers import parts_of
from polars_fairness.reporting.outputs.files import write_file
from polars_fairness.reporting.outputs.markdown import written_in_markdown
from polars_fairness.reporting.outputs.pdf import pdf_of, require_pages, require_printer
from polars_fairness.reporting.parts import (
    Cell,
    Document,
    Row,
    Section,
    Table,
    isolated,
    said,
    writable,
)
from polars_fairness.reporting.words import (
    ALL_ROWS,
    EVERYONE_ELSE,
    facet_in_words,
    value_in_words,
    window_in_words,
)


def checked_texts(given: Mapping[str, Any], arguments: Iterable[Argument] = OF_TEXTS) -> Texts:
    """The texts of a page that are given, each checked; a date is text, as 2025-01-31."""
    texts: Any = {}
    for row in (row for row in arguments if given.get(row.name) is not None):
        name, text, is_date = row.name, given[row.name], row.kind is DAY
        if is_date and isinstance(text, datetime.date):
            text = str(text)
        if not isinstance(text, str) or not text.strip():
            takes = "text or a date" if is_date else "text"
            advice = "; leave it out if there is none" if isinstance(text, str) else ""
            raise FairnessError(f"{name}: takes {takes}, got {shown(text)}{advice}")
        texts[name] = writable(text)
    return cast("Texts", texts)


class WrittenReport(ABC):
    """A report that a notebook shows as a page, and that its methods write for elsewhere.

    What the page says of itself, such as its title, is given where it is written.
    """

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.title!r})"

    @property
    @abstractmethod
    def title(self) -> str:
        """The title of a page that is given none."""

    @abstractmethod
    def document(self, texts: Texts, words: AuthorWords) -> Document:
        """Everything that the report says, with these texts, in these words."""

    def checked_words(self, given: Any) -> AuthorWords:
        """The words of the author, each checked."""
        return AuthorWords.of(given)

    def _document(self, given: Mapping[str, Any]) -> Document:
        return self.document(checked_texts(given), self.checked_words(given.get(WORDS.name)))

    def _repr_html_(self) -> str:
        require_pages()
        from polars_fairness.reporting.outputs.page import fragment  # brought by the extra

        return fragment(self._document({}))

    @takes(*OF_PAGE, shared=())
    def write_html(self, path: str | Path, **texts: Unpack[PageTexts]) -> None:
        """Write the report as one HTML file, which loads nothing and runs no script.

        Parameters
        ----------
        path
            The file to write; an existing file is replaced.
        {arguments}
        """
        write_file(path, self.written("html", **texts))

    @takes(*OF_PAGE, shared=())
    def write_pdf(self, path: str | Path, **texts: Unpack[PageTexts]) -> None:
        """Write the report as a PDF, with an outline, page numbers and tags for screen readers.

        It is the page that `write_html` writes, printed on A4 by WeasyPrint (extra ``pdf``), which
        loads nothing but the fonts of the system. With the same fonts, the same results give the
        same PDF, byte for byte.

        Parameters
        ----------
        path
            The file to write; an existing file is replaced.
        {arguments}
        """
        write_file(path, self.written("pdf", **texts))

    @takes(*OF_PAGE, shared=())
    def to_markdown(self, **texts: Unpack[PageTexts]) -> str:
        """The report as Markdown, without the charts.

        Parameters
        ----------
        {arguments}

        Returns
        -------
        str
            Headings, sentences and tables.
        """
        return written_in_markdown(self._document(texts))

    def written(self, kind: str, **given: Unpack[PageTexts]) -> bytes:
        """The content of a file of this kind: ``html`` or ``pdf``."""
        if kind == "pdf":
            require_printer()
        page = self._page(given)
        return pdf_of(page) if kind == "pdf" else page.encode()

    def _page(self, given: Mapping[str, Any]) -> str:
        """The whole page, drawn once if HTML and PDF have the same texts and words."""
        require_pages()
        from polars_fairness.reporting.outputs.page import page  # brought by the extra

        said = repr(sorted(given.items()))
        if said not in self._pages:
            self._pages[said] = page(self._document(given))
        return self._pages[said]

    @cached_property
    def _pages(self) -> dict[str, str]:
        return {}


_BELOW: Final = ("model", "version", "author", "date")


def page_of(
    texts: Texts,
    title: str,
    sections: Iterable[Section],
    *,
    kind: str = "Fairness audit",
    details: Iterable[str] = (),
    last: Iterable[str] = (),
) -> Document:
    """A page with what its texts say of it; a title that they replace stands below theirs."""
    own = {name: isolated(str(text)) for name, text in texts.items()}
    below = [f"{name.capitalize()}: {own[name]}" for name in _BELOW if name in own]
    lines = [own.get("subject"), title if "title" in own else "", " · ".join(below), *details]
    paragraphs = re.split(r"\n\s*\n", texts.get("notes", ""))
    noted = said(*(isolated(each.strip()) for each in paragraphs))
    first, *others = (each for each in sections if not each.is_empty)
    notes = [Section("Notes", noted)] if "notes" in texts else []
    read_by_programs = {"author": own.get("author"), "description": own.get("subject")}
    return Document(
        title=own.get("title", title),
        details=tuple(filter(None, lines)),
        sections=(first, *notes, *others),
        last=(f"Made by polars-fairness {version('polars-fairness')}.", *last),
        about={name: text for name, text in read_by_programs.items() if text is not None},
        kind=kind,
    )


@dataclass(frozen=True, eq=False, repr=False)
class PrescribedReport(WrittenReport):
    """A page of tables that a rule or a practice prescribes.

    Below the title stands what kind of page it is, with the ``details``.
    """

    kind: ClassVar[str]

    options: Mapping[str, Any]
    """The arguments of the call, with the defaults of its own ones."""
    answers: Mapping[str, pl.DataFrame]
    """The tables by name, as far as the question allows them."""
    published: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    """The texts that a rule has published beside the tables."""

    @property
    def details(self) -> tuple[str, ...]:
        """Further lines below the title."""
        return ()

    @abstractmethod
    def sections(self) -> Iterable[Section]:
        """The first page, and the sections below it."""

    @property
    def last(self) -> tuple[str, ...]:
        """What stands below all sections."""
        return ()

    def checked_words(self, given: Any) -> AuthorWords:
        """The words of the author for groups; what else the page says is prescribed."""
        words = AuthorWords.of(given)
        if others := sorted({*(given or ())} - {"groups"}):
            raise FairnessError(
                f"words: the other words of this page are prescribed, got {listed(others)}; give "
                "'groups' alone"
            )
        known: dict[str, set[str]] = {}
        for answer in self.answers.values():
            for facet, part in split_facets(answer):
                for name in _groups_of(answer):
                    known.setdefault(facet, set()).update(part[name].drop_nulls())
        words.refuse_unknown_values(known)
        return words

    def called(self, words: AuthorWords) -> Self:
        """The report with the author's words for groups in its tables."""
        return replace(self, answers={n: called(t, words) for n, t in self.answers.items()})

    def document(self, texts: Texts, words: AuthorWords) -> Document:
        sections, kind = self.called(words).sections(), self.kind
        return page_of(texts, self.title, sections, kind=kind, details=self.details, last=self.last)


def called(answer: pl.DataFrame, words: AuthorWords) -> pl.DataFrame:
    """An answer with the author's words in place of the values of facets."""
    of_facets = [
        pl.when(facet=facet).then(pl.col(name).replace(groups)).alias(name)
        for facet, groups in words.in_json["groups"].items()
        for name in _groups_of(answer)
    ]
    for each in of_facets:
        answer = answer.with_columns(pl.coalesce(each, each.meta.output_name()))
    return answer


def _groups_of(answer: pl.DataFrame) -> list[str]:
    """The columns that name groups; a value may also be a number."""
    names = {"value", "disfavored", "favored", "against", "disadvantaged"}
    return [name for name in answer.columns if name in names and answer.schema[name] == pl.String]


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
    for part in parts_of(answer, names):
        yield window_in_words(tuple((name, part[name][0]) for name in names)), part


def split_facets(answer: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """The rows of each facet, with its name."""
    for part in parts_of(answer, ["facet"]):
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
            rows = [{"key": key_of_row(row), **row} if "disfavored" in row else row for row in rows]
            about = ", ".join(filter(None, [caption.format(facet_in_words(facet)), window]))
            yield prescribed(about, table, rows)


def prescribed(caption: str, table: Table, rows: Iterable[Row]) -> Table:
    """A table of a page with these rows, in the look of what a rule prescribes."""
    return replace(table.captioned(caption, rows), look="prescribed")


def _below_references(table: Table, called: str) -> Iterator[Row]:
    """The rows of each side a: its own size and rate, then the groups compared with it."""
    for (name, size, rate), of_reference in groupby(
        table.rows,
        lambda row: (favored_in_row(row), row["n_favored"], row.get("reference_rate")),
    ):
        groups = [*of_reference]
        key = key_of_reference(groups[0])
        yield {"name": Cell(name, called), "n_disfavored": size, "rate": rate, "key": key}
        yield from groups


def key_of_row(row: Mapping[str, Any]) -> str:
    """The key of a comparison in a table of a page."""
    names = [*row]  # of windows, which stand before the facet, and of the answer
    windows = "/".join(f"{name}={row[name]}" for name in names[: names.index("facet")])
    return f"{row['facet']}/{row['disfavored']}/{row['favored']}/{windows}"


def key_of_reference(row: Mapping[str, Any]) -> str:
    """The key of side a of a comparison."""
    return key_of_row({**row, "disfavored": row["favored"], "favored": None})


def favored_in_row(row: Mapping[str, Any]) -> str:
    """Side a of a row: a group, all rows, or everyone else."""
    if row["favored"] == ALL:
        return f"{ALL_ROWS.lower()} of known group"
    return EVERYONE_ELSE if row["favored"] is None else value_in_words(row["favored"])
