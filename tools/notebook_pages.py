"""The notebooks as pages of the site, each cell with what it shows.

The pages are there only while the site is built, and their charts and reports are in
``docs/pictures/``. Git ignores both, and so do the checks, which may run at the same time.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from notebooks import NOTEBOOKS

PICTURES: Final = NOTEBOOKS.parent / "pictures"
# A wide frame is one line a row, which scrolls, and is not folded.
_WIDTH: Final = 160


def pages() -> list[Path]:
    """The page of each notebook, which is there only while the site is built."""
    return [path.with_suffix(".md") for path in sorted(NOTEBOOKS.glob("*.ipynb"))]


@contextmanager
def written() -> Iterator[None]:
    """Write the pages, and remove them in the end."""
    PICTURES.mkdir(exist_ok=True)
    try:
        for path in pages():
            path.write_text(page_of(path.with_suffix(".ipynb")), "utf-8")
        yield
    finally:
        for path in pages():
            path.unlink(missing_ok=True)


def page_of(notebook: Path) -> str:
    """The Markdown of a notebook, whose cells are run in order."""
    variables: dict[str, Any] = {}
    parts = []
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
            continue
        code = ast.parse(text)
        last = code.body.pop()
        exec(compile(code, notebook.name, "exec"), variables)
        parts.append(f"```python\n{text}\n```")
        if isinstance(last, ast.Expr):
            value = eval(ast.unparse(last), variables)
            parts.append(_shown(value, f"notebook-{notebook.stem}-{cell['id']}"))
        else:
            exec(ast.unparse(last), variables)
    return "\n\n".join(parts) + "\n"


def _shown(value: Any, name: str) -> str:
    """The Markdown of what a cell shows: a table, a chart, a report, or a value as text."""
    import polars as pl

    if hasattr(value, "as_raw_html"):
        return f"<div>{value.as_raw_html()}</div>"
    if hasattr(value, "write_html"):
        value.write_html(PICTURES / f"{name}.html")
        return f"[The page](../pictures/{name}.html)"
    if hasattr(value, "save"):
        value.save(PICTURES / f"{name}.svg")
        return f"![The chart that the cell above makes](../pictures/{name}.svg)"
    with pl.Config(tbl_cols=-1, tbl_rows=-1, tbl_width_chars=_WIDTH, tbl_hide_dataframe_shape=True):
        return f"```text\n{value}\n```"
