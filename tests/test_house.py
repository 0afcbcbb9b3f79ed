"""Rules of the project: imports, generated files, signatures."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import re
import subprocess
import sys
from dataclasses import fields
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import polars as pl
import pytest
from crossings import CAPABILITIES, LOWER, crossings
from write_generated import generated

import polars_fairness as pf
from polars_fairness.api.functions import ANSWERS, FUNCTIONS, METHODS, PRESCRIBED
from polars_fairness.question.arguments import DEFAULTS
from polars_fairness.question.roles import Roles
from tests.frames import fairness
from tests.imports import imported_modules
from tests.paths import ROOT

PACKAGE = ROOT / "polars_fairness"

CONTRIBUTING = ROOT / "CONTRIBUTING.md"

# The rows of the map: a module imports from its own row and from the rows above it only.
MAP = re.compile(r"^\| `(\w+)(?:/|\.py)` \|", re.MULTILINE)
FOLDERS = MAP.findall(CONTRIBUTING.read_text("utf-8"))


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    paths = {path: path.relative_to(ROOT).with_suffix("").parts for path in PACKAGE.rglob("*.py")}
    return {".".join(parts).removesuffix(".__init__"): path for path, parts in paths.items()}


MODULES = modules()


def folder_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


@cache
def imports_of(module: str) -> set[str]:
    """The modules of the package that a module imports."""
    return imported_modules(MODULES[module]) & MODULES.keys()


def test_every_folder_is_on_the_map() -> None:
    assert {folder_of(module) for module in MODULES} - {"", "__main__"} == set(FOLDERS)


# What commands make, and git ignores.
MADE = {".durations/", "site/"}


def test_every_file_and_folder_that_is_named_is_there() -> None:
    """Each may be named by the end of its path, as `charts/` of `reporting/`."""
    named = {
        *re.findall(r"`([\w.-]+(?:/[\w.-]+)*(?:/|\.[a-z]+))`", CONTRIBUTING.read_text("utf-8"))
    }
    paths = {name for name in named if "/" in name or name.endswith(".py")}
    assert {"errors.py", "reporting/", "question/arguments.py"} <= paths
    there = [
        ROOT / folder for folder in ("polars_fairness", "docs", "tests", "tools", "benchmarks")
    ]
    found = [f"/{path.relative_to(ROOT)}" for each in there for path in (each, *each.rglob("*"))]
    ends = {path: path.removesuffix("/") for path in paths - MADE}
    missing = {path for path, end in ends.items() if not any(f.endswith(f"/{end}") for f in found)}
    assert missing == set()


@pytest.mark.parametrize("folder", FOLDERS)
def test_imports_point_one_way(folder: str) -> None:
    below = set(FOLDERS[: FOLDERS.index(folder) + 1])
    for module in MODULES:
        if folder_of(module) == folder:
            assert {folder_of(name) for name in imports_of(module)} <= below | {""}, module


# Names of other tools are known in `elsewhere/`, which the table of prefixes and the list of all
# functions have as text.
OF_OTHER_TOOLS = re.compile(r'ToolMetric|[."]elsewhere\.|\bTOOLS?\b|AMONG_ALL')
MAY_NAME_TOOLS = {"polars_fairness.catalogue.prefixes", "polars_fairness.api.functions"}


def test_lower_modules_do_not_import_what_stands_apart() -> None:
    for module in MODULES:
        if folder_of(module) in LOWER:
            imported = {folder_of(name) for name in imports_of(module)}
            assert imported.isdisjoint({"elsewhere", "reporting", "cli"}), module


def test_lower_modules_have_no_words_of_other_tools() -> None:
    naming = {
        module
        for module, path in MODULES.items()
        if folder_of(module) in LOWER and OF_OTHER_TOOLS.search(path.read_text("utf-8"))
    }
    assert naming == MAY_NAME_TOOLS


@pytest.mark.parametrize("name", CAPABILITIES)
def test_no_capability_is_named_in_more_modules(name: str) -> None:
    """A ceiling only falls: a change that lowers a figure lowers its ceiling too."""
    modules, ceiling = crossings(CAPABILITIES[name]), CAPABILITIES[name].ceiling
    assert len(modules) <= ceiling, f"{name} is named in one more of {modules}"
    assert len(modules) == ceiling, f"{name}: lower its ceiling in tools/crossings.py"


def test_what_cells_hold_is_stated_in_one_place() -> None:
    """A function that made a question about other cells could contradict what they hold."""
    names = [field.name for field in fields(Roles)]
    held = {*names[names.index("tallies") :]}
    own = {PACKAGE / "question" / name for name in ("roles.py", "reading.py")}
    stated = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in {*PACKAGE.rglob("*.py")} - own
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id == "replace"
        if held.intersection(keyword.arg for keyword in node.keywords)
    ]
    assert not stated


def test_no_answer_knows_the_list_of_all_functions() -> None:
    """It names every answer: with an import of it, 57 modules stood in one ring."""
    named = "polars_fairness.api.functions"
    importing = {folder_of(module) for module in MODULES if named in imports_of(module)}
    assert importing == {"facade", "hiring", "lending", "pay"}


def test_no_modules_import_each_other() -> None:
    TopologicalSorter({module: imports_of(module) for module in MODULES}).prepare()


@pytest.mark.extras
def test_a_module_is_found_by_its_path() -> None:
    """No package has both a function and a module of one name."""
    for module in MODULES:
        parent, _, name = module.rpartition(".")
        if parent and name != "__main__":
            found = importlib.import_module(module)
            assert getattr(importlib.import_module(parent), name) is found, module


@pytest.mark.parametrize(
    "name", sorted({*pf.__all__} - {"terms", "datasets", "expr", "hiring", "lending", "pay"})
)
def test_public_names_are_no_modules(name: str) -> None:
    assert f"polars_fairness.{name}" not in MODULES


def test_generated_files_are_up_to_date() -> None:
    texts = generated()
    assert ROOT / "docs" / "how-to" / "polars.md" in texts
    for path, text in texts.items():
        assert path.read_text("utf-8") == text, f"{path.name}: run `make generated`"


@pytest.mark.parametrize("name", METHODS)
def test_functions_and_methods_show_what_they_take(name: str) -> None:
    function, method = METHODS[name], getattr(pf.Fairness, name)
    for shown in (function, method):
        parameters = inspect.signature(shown).parameters
        assert set(DEFAULTS) <= set(parameters)
        assert shown.__name__ == name
        assert inspect.getdoc(shown)
    assert next(iter(inspect.signature(function).parameters)) == "frame"
    assert next(iter(inspect.signature(method).parameters)) == "self"


OF_MODULES = [(module, name) for module, functions in PRESCRIBED.items() for name in functions]


@pytest.mark.parametrize(("module", "name"), OF_MODULES)
def test_functions_of_modules_are_methods_too(module: str, name: str) -> None:
    function, method = (
        PRESCRIBED[module][name],
        getattr(getattr(pf.Fairness(pl.DataFrame()), module), name),
    )
    assert getattr(getattr(pf, module), name) is function
    of_function, of_method = (inspect.signature(shown).parameters for shown in (function, method))
    assert ["frame", *of_method] == [*of_function]
    assert inspect.getdoc(method) == inspect.getdoc(function)


@pytest.mark.extras
@pytest.mark.parametrize("name", METHODS)
def test_examples_of_functions_run(name: str) -> None:
    examples = doctest.DocTestFinder(recurse=False).find(METHODS[name], name, globs={})
    assert examples
    assert examples[0].examples
    if name in FUNCTIONS:
        return  # these run with those of their modules
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert runner.run(examples[0]).failed == 0


def completed(thing: object) -> set[str]:
    """The names that an editor offers after the dot."""
    return {name for name in dir(thing) if not name.startswith("_")}


def test_completion_sees_everything_public_and_nothing_else() -> None:
    for module in (pf, pf.terms, pf.datasets, pf.hiring, pf.lending, pf.pay):
        assert completed(module) == set(module.__all__)
        assert {"__name__", "__doc__", "__all__"} <= set(dir(module))
    assert {*FUNCTIONS, "CATALOGUE", "Metric", "FairnessError", "datasets"} <= set(pf.__all__)
    assert "__version__" in dir(pf)
    for frame in (pl.LazyFrame(), pl.DataFrame()):
        assert completed(fairness(frame)) == {*FUNCTIONS, *PRESCRIBED, "metric_names"}
        assert all(hasattr(fairness(frame), name) for name in METHODS)
        for name, functions in PRESCRIBED.items():
            assert completed(getattr(fairness(frame), name)) == set(functions)
    assert {*pf.CATALOGUE.names, *FUNCTIONS} == {*METHODS} == {*ANSWERS, "of"}


def test_the_public_names_are_known_to_type_checkers() -> None:
    assert not {*pf.__all__} & {*pf.CATALOGUE.names}
    [types] = (
        node
        for node in ast.parse((PACKAGE / "__init__.py").read_text("utf-8")).body
        if isinstance(node, ast.If) and not node.orelse
    )
    imported = [
        name for node in types.body if isinstance(node, ast.ImportFrom) for name in node.names
    ]
    assert sorted(name.asname or "" for name in imported) == pf.__all__
    assert all(name.name == name.asname for name in imported)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signatures_begin_with_what_is_compared(name: str) -> None:
    named = [
        each.name
        for each in inspect.signature(FUNCTIONS[name]).parameters.values()
        if each.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    assert named[:3] == ["facet", "predicted", "label"]


FIRST = {"errors", "formula", "catalogue", "question", "counting", "values", "answers", "api"}


@pytest.mark.parametrize(
    ("code", "folders", "most"),
    [
        ("", set(), 1),
        ("pf.FairnessError, pf.HIGHEST", {"errors", "question"}, 10),
        ("frame.fairness.di(facet='sex', predicted='hired')", {*FIRST, "facade"}, 93),
        ("pf.audit(frame, 'di', facet='sex', predicted='hired')", {*FIRST, "inference"}, 126),
    ],
)
def test_only_what_is_used_is_loaded(code: str, folders: set[str], most: int) -> None:
    """In a process of its own, since other tests load everything; ``most`` is of modules."""
    text = f"""
import sys, polars as pl, polars_fairness as pf
frame = pl.DataFrame({{"sex": ["F", "M"], "hired": [0, 1]}})
{code}
print([*sys.modules])
"""
    printed = subprocess.run([sys.executable, "-c", text], check=True, capture_output=True).stdout
    names = [name for name in ast.literal_eval(printed.decode()) if name in MODULES]
    assert {folder_of(name) for name in names} - {""} == folders
    assert len(names) <= most


def test_all_data_sets_are_public() -> None:
    in_module = ast.parse((PACKAGE / "datasets.py").read_text("utf-8")).body
    defined = [node.name for node in in_module if isinstance(node, ast.FunctionDef)]
    assert pf.datasets.__all__ == sorted(name for name in defined if not name.startswith("_"))


def test_the_citation_is_of_this_version() -> None:
    assert f"\nversion: {pf.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_the_demo_prints_its_figures() -> None:
    shown = subprocess.run(
        [sys.executable, "-W", "error", "-m", "polars_fairness.demo"],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    ).stdout
    for figure in ("4,526", "0.304", "0.445", "0.144", "-0.019"):
        assert figure in shown
