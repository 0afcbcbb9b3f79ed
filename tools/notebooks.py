"""Notebooks of marimo as notebooks of Jupyter, cell by cell, with the outputs of the last run."""

from __future__ import annotations

import ast
import json
from inspect import cleandoc
from pathlib import Path
from textwrap import dedent
from typing import Any, Final

NOTEBOOKS: Final = Path(__file__).parent.parent / "docs" / "notebooks"
METADATA: Final = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def notebooks_of_jupyter() -> dict[Path, str]:
    """Return each notebook of Jupyter with its text, made from the one of marimo beside it."""
    return {path.with_suffix(".ipynb"): jupyter(path) for path in sorted(NOTEBOOKS.glob("*.py"))}


def jupyter(path: Path) -> str:
    """Return the notebook of Jupyter with the cells of one of marimo, as Jupyter saves it.

    Cells keep what they showed when the notebook was last run, unless a cell has changed since.
    """
    source = path.read_text("utf-8")
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    cells = [cell for function in functions if (cell := cell_of(function, source.splitlines()))]
    numbered = [{"id": f"cell-{i}", **cell} for i, cell in enumerate(cells, start=1)]
    there = path.with_suffix(".ipynb")
    before = json.loads(there.read_text("utf-8"))["cells"] if there.exists() else []
    if [each["source"] for each in before] == [each["source"] for each in numbered]:
        numbered = before
    return as_text(numbered)


def as_text(cells: list[dict[str, Any]]) -> str:
    """Return the file of a notebook with these cells."""
    notebook = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def cell_of(function: ast.FunctionDef, lines: list[str]) -> dict[str, Any] | None:
    """Return the cell that a function of marimo is; none for the import of marimo itself."""
    *body, last = function.body
    match body:
        case [ast.Import(names=[ast.alias(name="marimo")])]:
            return None
        case [ast.Expr(ast.Call(ast.Attribute(ast.Name("mo"), "md"), [ast.Constant(str(text))]))]:
            return {"cell_type": "markdown", "metadata": {}, "source": in_lines(cleandoc(text))}
    code = dedent("\n".join(lines[function.lineno : last.lineno - 1])).strip()
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": in_lines(code),
    }


def in_lines(text: str) -> list[str]:
    """Return the lines of a text with their ends, as Jupyter keeps them."""
    return text.splitlines(keepends=True)
