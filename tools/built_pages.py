"""The pages that are written while the site is built: of notebooks, and of other tools' names.

Git ignores them, and so do the checks, which may run at the same time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from notebook_pages import PICTURES, page_of
from notebooks import NOTEBOOKS
from tool_names import page_of_names

NAMES: Final = NOTEBOOKS.parent / "coming-from" / "all-names.md"


def of_notebooks() -> list[Path]:
    """The page of each notebook."""
    return [path.with_suffix(".md") for path in sorted(NOTEBOOKS.glob("*.ipynb"))]


def pages() -> list[Path]:
    """Every page that is there only while the site is built."""
    return [*of_notebooks(), NAMES]


@contextmanager
def written() -> Iterator[None]:
    """Write the pages, and remove them in the end."""
    PICTURES.mkdir(exist_ok=True)
    try:
        for path in of_notebooks():
            path.write_text(page_of(path.with_suffix(".ipynb")), "utf-8")
        NAMES.write_text(page_of_names(), "utf-8")
        yield
    finally:
        for path in pages():
            path.unlink(missing_ok=True)
