"""What all reports have in common: how a notebook shows one, and how it is written elsewhere."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from polars_fairness.errors import FairnessError
from polars_fairness.reporting.outputs.extras import require_charts, require_printer
from polars_fairness.reporting.outputs.markdown import written_in_markdown
from polars_fairness.reporting.outputs.pdf import pdf_of
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


class WrittenReport(ABC):
    """A report that a notebook shows as a page, and that its methods write for elsewhere."""

    @property
    @abstractmethod
    def _document(self) -> Document:
        """Everything that the report says."""

    @abstractmethod
    def _as_json(self) -> Mapping[str, Any]:
        """The report as one object of JSON."""

    def _repr_html_(self) -> str:
        require_charts()
        from polars_fairness.reporting.outputs.page import fragment  # brought by the extra

        return fragment(self._document)

    def write_html(self, path: str | Path) -> None:
        """Write the report as one HTML file, which loads nothing and runs no script.

        Parameters
        ----------
        path
            The file to write; an existing file is replaced.
        """
        write_file(path, self._page.encode())

    def write_pdf(self, path: str | Path) -> None:
        """Write the report as a PDF, with an outline, page numbers and tags for screen readers.

        It is the page that `write_html` writes, printed on A4 by WeasyPrint (extra ``pdf``), which
        loads nothing but the fonts of the system. With the same fonts, the same results give the
        same PDF, byte for byte.

        Parameters
        ----------
        path
            The file to write; an existing file is replaced.
        """
        require_printer()
        write_file(path, pdf_of(self._page))

    def to_markdown(self) -> str:
        """The report as Markdown, without the charts.

        Returns
        -------
        str
            Headings, sentences and tables.
        """
        return written_in_markdown(self._document)

    def write_json(self, path: str | Path) -> None:
        """Write the report as a JSON file, for other programs.

        Parameters
        ----------
        path
            The file to write; an existing file is replaced.
        """
        text = json.dumps(self._as_json(), ensure_ascii=False, indent=1)
        write_file(path, f"{writable(text)}\n".encode())

    @cached_property
    def _page(self) -> str:
        """The whole page, drawn once for HTML and PDF."""
        require_charts()
        from polars_fairness.reporting.outputs.page import page  # brought by the extra

        return page(self._document)
