"""The reference of the functions has every public name once, and says what its types are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from inspect import cleandoc, isfunction, signature
from pkgutil import resolve_name

import pytest

import polars_fairness as pf
from tests.paths import ROOT

PAGES = {path.stem: path.read_text("utf-8") for path in (ROOT / "docs/reference/api").glob("*.md")}
PAGES["expr"] = (ROOT / "docs/how-to/polars.md").read_text("utf-8")
ENTRIES = [
    entry
    for page in PAGES.values()
    for entry in re.findall(r"^::: polars_fairness\.(\S+)$", page, re.MULTILINE)
]
MODULES = {name: getattr(pf, name) for name in pf.__all__ if find_spec(f"polars_fairness.{name}")}


def in_tables(page: str) -> Counter[str]:
    """The names in backticks in the first column of the tables of a page."""
    columns = re.findall(r"^\| (`[^|]*) \|", PAGES[page], re.MULTILINE)
    return Counter(name for column in columns for name in re.findall(r"`(?:pf\.)?(\w+)`", column))


def test_every_public_name_is_in_the_reference_once() -> None:
    found = Counter(ENTRIES)
    found += in_tables("question")
    found["CATALOGUE"] = found.pop("catalogue.Catalogue")
    public = {*pf.__all__} - {*pf.CATALOGUE.names} - {*MODULES}
    assert {name: found[name] for name in public} == dict.fromkeys(public, 1)


@pytest.mark.parametrize("module", MODULES)
def test_every_name_of_a_module_is_in_the_reference_once(module: str) -> None:
    inner = (name.partition(".")[2] for name in ENTRIES if name.startswith(f"{module}."))
    found = Counter(name for name in inner if "." not in name)
    if module in ("terms", "expr"):
        found += in_tables(module)
    assert found == dict.fromkeys(MODULES[module].__all__, 1)


def test_every_name_of_a_metric_is_in_the_table_once() -> None:
    page = (ROOT / "docs/reference/metrics/index.md").read_text("utf-8")
    columns = re.findall(r"^- (\[`[^:]*): ", page, re.MULTILINE)
    found = Counter(name for column in columns for name in re.findall(r"`(\w+)`", column))
    assert found == dict.fromkeys(pf.CATALOGUE.names, 1)


@pytest.mark.extras
def test_entries_exist() -> None:
    assert len(ENTRIES) > 70
    for entry in ENTRIES:
        resolve_name(f"polars_fairness.{entry}")


def types_shown() -> Iterator[str]:
    """What the signatures of the reference say of types."""
    for entry in ENTRIES:
        shown = resolve_name(f"polars_fairness.{entry}")
        if isfunction(shown) or entry in {"Policy", "Metric"}:
            of_entry = signature(shown)
            parameters = [str(each.annotation) for each in of_entry.parameters.values()]
            yield from (*parameters, str(of_entry.return_annotation))


@pytest.mark.extras
def test_names_of_types_are_explained() -> None:
    """But for those of other packages, and those that have an entry."""
    of_python = {"Any", "Literal", "Mapping", "None", "Path", "Sequence"}
    of_others = of_python | {"DataFrame", "LazyFrame", "Expr", "GT", "VConcatChart"}
    without_words = (re.sub(r"'[^']*'|\"[^\"]*\"", "", each) for each in types_shown())
    used = {name for each in without_words for name in re.findall(r"\b[A-Z]\w+", each)}
    assert "ColumnLike" in used
    explained = {entry.rpartition(".")[2] for entry in ENTRIES} | {*in_tables("question")}
    assert used - of_others - explained == set()


@pytest.mark.parametrize("name", pf.CATALOGUE.names)
def test_parameters_that_a_docstring_explains_exist(name: str) -> None:
    method = getattr(pf.Fairness, name)
    [_, *sections] = cleandoc(method.__doc__).split("\nParameters\n----------\n")
    lines = "\n".join(sections).partition("\n\n")[0].splitlines()
    explained = {name for line in lines if line[:1] != " " for name in line.split(", ")}
    assert explained - {"frame", "**question"} <= signature(method).parameters.keys()
