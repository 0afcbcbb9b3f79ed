"""The page of a notebook has its text, its code and what each cell shows."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import notebook_pages
import pytest
from notebooks import NOTEBOOKS


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=str)
def test_a_code_host_shows_what_each_cell_shows(path: Path) -> None:
    cells = json.loads(path.read_text("utf-8"))["cells"]
    code = [each for each in cells if each["cell_type"] == "code"]
    shows = [isinstance(ast.parse("".join(each["source"])).body[-1], ast.Expr) for each in code]
    assert [bool(each["outputs"]) for each in code] == shows
    assert path.stat().st_size < 250_000


def cell(kind: str, source: str, number: int) -> dict[str, object]:
    return {"cell_type": kind, "source": source.splitlines(keepends=True), "id": f"cell-{number}"}


@pytest.mark.extras
def test_a_page_has_what_each_cell_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook_pages, "PICTURES", tmp_path)
    begin = (
        "import polars as pl, polars_fairness as pf\n"
        'hired = pl.DataFrame({"sex": ["F", "M"] * 9, "hired": [0, 1, 1] * 6})\n'
        'audit = pf.audit(hired, "di", facet="sex", predicted="hired")'
    )
    report = 'pf.report(hired, "di", facet="sex", predicted="hired")'
    cells = [
        cell("markdown", "# Hiring\n\nA story.", 1),
        *(
            cell("code", source, number)
            for number, source in enumerate(
                (begin, "hired.head(1)", "pf.table(audit)", "pf.chart(audit)", report), start=2
            )
        ),
    ]
    path = tmp_path / "hiring.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    page = notebook_pages.page_of(path)
    assert page.startswith(f"# Hiring\n\nA story.\n\n```python\n{begin}\n```\n\n```python\n")
    assert "```text\n┌─────┬───────┐\n│ sex ┆ hired │\n" in page
    assert "<div><div id=" in page
    assert "](../pictures/notebook-hiring-cell-5.svg)" in page
    assert "[The page](../pictures/notebook-hiring-cell-6.html)" in page
    assert {each.suffix for each in tmp_path.iterdir()} == {".ipynb", ".svg", ".html"}
