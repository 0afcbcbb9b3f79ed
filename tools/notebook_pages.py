"""The notebooks as pages of the site, each cell with what it shows.

Charts and reports are in ``docs/pictures/``, which git ignores. As a program, it writes what cells
show into the notebooks, which a code host then shows.
"""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from notebooks import NOTEBOOKS, as_text, in_lines

PICTURES: Final = NOTEBOOKS.parent / "pictures"
# A wide frame is one line a row, which scrolls, and is not folded.
_WIDTH: Final = 160
AGAIN: Final = "run tools/notebook_pages.py, which writes what cells show into the notebooks"


def page_of(notebook: Path) -> str:
    """The Markdown of a notebook, whose cells are run in order."""
    parts = []
    for cell, value in run(notebook):
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        if value is not None:
            parts.append(_shown(value, f"notebook-{notebook.stem}-{cell['id']}"))
            shown = [each["data"]["text/plain"] for each in cell.get("outputs", ())]
            if shown and "".join(shown[0]) != _as_text(value):
                raise ValueError(f"{notebook}: cell {cell['id']} shows another result; {AGAIN}")
    return "\n\n".join(parts) + "\n"


def run(notebook: Path) -> Iterator[tuple[dict[str, Any], Any]]:
    """Each cell of a notebook with the value that it shows, if it does."""
    variables: dict[str, Any] = {}
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        value = None
        if cell["cell_type"] == "code":
            code = ast.parse("".join(cell["source"]))
            last = code.body.pop()
            exec(compile(code, notebook.name, "exec"), variables)
            if isinstance(last, ast.Expr):
                value = eval(ast.unparse(last), variables)
            else:
                exec(ast.unparse(last), variables)
        yield cell, value


def with_outputs(notebook: Path) -> str:
    """The notebook with what each cell shows, as a code host shows it without running it."""
    cells = []
    for cell, value in run(notebook):
        if value is not None:
            data = {"text/plain": in_lines(_as_text(value))}
            if hasattr(value, "as_raw_html"):
                html = value.as_raw_html()
                [by_chance] = re.findall(r'<div id="(\w+)"', html)
                data["text/html"] = in_lines(html.replace(by_chance, cell["id"]))
            elif hasattr(value, "save"):
                data["image/svg+xml"] = in_lines(_as_svg(value))
            output = {"data": data, "execution_count": None, "metadata": {}}
            cell["outputs"] = [{"output_type": "execute_result", **output}]
        cells.append(cell)
    return as_text(cells)


def _as_text(value: Any) -> str:
    """What a cell shows, as text; of a report, its beginning."""
    import polars as pl

    if hasattr(value, "as_raw_html"):
        return "A table"
    if hasattr(value, "to_markdown"):
        return str(value.to_markdown()).partition("\n## ")[0]
    if hasattr(value, "save"):
        return "A chart"
    with pl.Config(tbl_cols=-1, tbl_rows=-1, tbl_width_chars=_WIDTH, tbl_hide_dataframe_shape=True):
        return str(value)


def _as_svg(chart: Any) -> str:
    with TemporaryDirectory() as scratch:
        chart.save(path := Path(scratch, "chart.svg"))
        return path.read_text("utf-8")


def _shown(value: Any, name: str) -> str:
    """The Markdown of what a cell shows: a table, a chart, a report, or a value as text."""
    if hasattr(value, "as_raw_html"):
        return f"<div>{value.as_raw_html()}</div>"
    if hasattr(value, "write_html"):
        value.write_html(PICTURES / f"{name}.html")
        return f"[The page](../pictures/{name}.html)"
    if hasattr(value, "save"):
        (PICTURES / f"{name}.svg").write_text(_as_svg(value), "utf-8")
        return f"![The chart that the cell above makes](../pictures/{name}.svg)"
    return f"```text\n{_as_text(value)}\n```"


if __name__ == "__main__":
    folder = Path.cwd()
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        with TemporaryDirectory() as scratch:
            os.chdir(scratch)
            text = with_outputs(path)
            os.chdir(folder)
        path.write_text(text, "utf-8")
