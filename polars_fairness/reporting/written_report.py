"""What all reports have in common: how a notebook shows one, and how it is written elsewhere."""

from __future__ import annotations

import datetime
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack, cast

from polars_fairness.api.signatures import takes
from polars_fairness.errors import FairnessError, require_extra, shown
from polars_fairness.question.arguments import Argument
from polars_fairness.question.audit_arguments import DAY, NOTES, OF_PAGE, PageTexts, Texts
from polars_fairness.reporting.outputs.markdown import written_in_markdown
from polars_fairness.reporting.outputs.pdf import pdf_of, require_charts, require_printer
from polars_fairness.reporting.parts import Document, writable


def write_file(path: str | Path, content: bytes) -> None:
    """Write a file, or raise an error with the reason."""
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise FairnessError(
            f"path: cannot write {str(path)!r}: {error.strerror}; give the name of a file in a "
            "folder that there is"
        ) from error


def checked_texts(given: Mapping[str, Any], arguments: Iterable[Argument] = OF_PAGE) -> Texts:
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
    if NOTES.name in texts:
        require_extra(NOTES.name, "report", "markdown_it")
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
    def _document(self, texts: Texts) -> Document:
        """Everything that the report says, with these texts."""

    @abstractmethod
    def _as_json(self, texts: Texts) -> Mapping[str, Any]:
        """The report as one object of JSON, with these texts."""

    def _repr_html_(self) -> str:
        require_charts()
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
        write_file(path, self._page(checked_texts(texts)).encode())

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
        require_printer()
        write_file(path, pdf_of(self._page(checked_texts(texts))))

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
        return written_in_markdown(self._document(checked_texts(texts)))

    @takes(*OF_PAGE, shared=())
    def write_json(self, path: str | Path, **texts: Unpack[PageTexts]) -> None:
        """Write the report as a JSON file, for other programs.

        It is one object: ``title`` and ``about`` are what the page says of itself, ``package`` is
        the version of this package, and the answers are records, as the command line prints them.
        ``polars-fairness schema`` prints its schema, which ``$schema`` names.

        Parameters
        ----------
        path
            The file to write; an existing file is replaced.
        {arguments}
        """
        text = json.dumps(self._as_json(checked_texts(texts)), ensure_ascii=False, indent=1)
        write_file(path, f"{writable(text)}\n".encode())

    def _page(self, texts: Texts) -> str:
        """The whole page, drawn once if HTML and PDF have the same texts."""
        require_charts()
        from polars_fairness.reporting.outputs.page import page  # brought by the extra

        of_texts = tuple(texts.items())
        if of_texts not in self._pages:
            self._pages[of_texts] = page(self._document(texts))
        return self._pages[of_texts]

    @cached_property
    def _pages(self) -> dict[tuple[tuple[str, str], ...], str]:
        return {}
