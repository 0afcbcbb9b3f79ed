"""The modules that a file imports, in any form of import."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path


def imported_modules(path: Path) -> set[str]:
    """Return the dotted names of the modules that a file imports, inside functions too.

    A name imported from a package counts as a module of its own where the package's folder has
    it: `from package import module` gives `package.module`, `from package import value` gives
    `package`. This is looked up for the packages beside the file's own.
    """
    name = _module_name(path)
    root = path.resolve().parents[name.count(".") + (path.stem == "__init__")]
    package = name if path.stem == "__init__" else name.rpartition(".")[0]
    return {
        module
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        for module in _modules_of(node, package, root)
    }


def _modules_of(node: ast.AST, package: str, root: Path) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        source = _source_of(node, package)
        for alias in node.names:
            inner = f"{source}.{alias.name}"
            yield inner if _is_module(inner, root) else source


def _source_of(node: ast.ImportFrom, package: str) -> str:
    """The module that names are taken from; each dot beyond the first goes up by one package."""
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    return ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [node.module])])


def _module_name(path: Path) -> str:
    """The dotted name of a file, from the outermost folder around it that is a package."""
    path = path.resolve()
    parts = [] if path.stem == "__init__" else [path.stem]
    for folder in path.parents:
        if not (folder / "__init__.py").exists():
            break
        parts.insert(0, folder.name)
    return ".".join(parts)


@cache
def _is_module(name: str, root: Path) -> bool:
    place = root.joinpath(*name.split("."))
    return place.with_suffix(".py").exists() or (place / "__init__.py").exists()
