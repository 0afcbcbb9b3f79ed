"""The documents: numbers that blocks print, commands that work, and files in their forms."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

import polars_fairness as pf
from tests.conventions import rows_by_section
from tests.paths import ROOT

PAGES = [
    *sorted(ROOT.glob("*.md")),
    *(ROOT / "docs").rglob("*.md"),
]
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in PAGES}


def prose(text: str) -> str:
    """Return the sentences of a document: without code, tables, headings, comments and links."""
    text = re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"\$\$.*?\$\$|<!--.*?-->|<[^>]*>", "", text, flags=re.DOTALL)
    text = re.sub(r"^(\||#|:::|--8<--).*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"`[^`]*`", "code", text)


# Limits of the four-fifths rule, and what a page supposes or has from elsewhere.
NOT_PRINTED = {
    *("0.8", "1.25"),
    *("docs/explanation/which-metric.md: 62.5", "docs/explanation/which-metric.md: 37.5"),
    *("docs/explanation/concepts.md: 0.5", "docs/explanation/intervals.md: 0.05"),
    *("docs/how-to/large-data.md: 0.4", "docs/how-to/large-data.md: 0.4005"),
}
WITH_NUMBERS = [
    name
    for name in TEXTS
    if name.startswith(("docs/how-to/", "docs/explanation/", "docs/first-hour"))
]


@pytest.mark.parametrize("name", WITH_NUMBERS)
def test_decimal_numbers_of_sentences_are_those_of_blocks(name: str) -> None:
    """What blocks print is compared with what their Python prints; here it may be rounded."""
    blocks = " ".join(re.findall(r"```.*?```", TEXTS[name], re.DOTALL))
    shown = [float(number) for number in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", blocks)]
    said = re.findall(r"(?<![\w.])(\d+\.(\d+))( %)?", prose(TEXTS[name]))
    unknown = [
        number
        for number, decimals, percent in said
        if number not in {f"{value * (100 if percent else 1):.{len(decimals)}f}" for value in shown}
    ]
    assert [number for number in unknown if not NOT_PRINTED & {number, f"{name}: {number}"}] == []


def test_what_the_first_release_removes() -> None:
    """Where a reader arrives, one line says how to install what nobody can download yet."""
    said = [name for name in TEXTS if "before the first release" in TEXTS[name].lower()]
    is_released = re.search(r"^## \[\d", TEXTS["CHANGELOG.md"], re.MULTILINE)
    assert said == ([] if is_released else ["README.md", "docs/index.md"])


def test_the_readme_is_short() -> None:
    assert len(TEXTS["README.md"].splitlines()) <= 150


@pytest.mark.parametrize("name", TEXTS)
def test_the_number_of_metrics_is_that_of_the_catalogue(name: str) -> None:
    said = re.findall(r"(\d\d+)\s+metrics\b", TEXTS[name])
    assert {*said} <= {str(len(pf.CATALOGUE))}
    assert said or name != "README.md"


def test_the_number_of_conventions_is_that_of_their_tables() -> None:
    pages = [ROOT / name for name in TEXTS if name.startswith("docs/coming-from/")]
    rows = sum(len(table) for page in pages for table in rows_by_section(page).values())
    assert "one of over fifty" in TEXTS["README.md"]
    assert 50 < rows < 60


def test_packages_with_figures_have_a_version_in_the_page_of_benchmarks() -> None:
    page = TEXTS["docs/reference/benchmarks.md"]
    [machine] = re.findall(r"^This run used: (.*)\.$", page, re.MULTILINE)
    known = {name for name, _ in re.findall(r"([\w-]+) (\d[\d.]*)(?=, |$)", machine)}
    measured = {*re.findall(r"^\| ([\w-]+): ", page, re.MULTILINE)} - {"floor"}
    assert measured
    assert {name.lower() for name in measured} <= known


def test_the_changelog_has_the_form_of_keep_a_changelog() -> None:
    headings = re.findall(r"^##+ .*$", TEXTS["CHANGELOG.md"], re.MULTILINE)
    assert headings[0] in ("## [Unreleased]", f"## [{pf.__version__}]")
    kinds = "Added|Changed|Deprecated|Removed|Fixed|Security"
    form = rf"## \[(Unreleased|\d+\.\d+\.\d+\] - \d{{4}}-\d\d-\d\d)\]?|### ({kinds})"
    assert [each for each in headings if not re.fullmatch(form, each)] == []


def test_supported_versions_are_the_required_and_tested_ones() -> None:
    page = TEXTS["docs/project/versions.md"]
    oldest = dict(re.findall(r"^\| (\w+) \| ([\d.]+)(?:, but not [\d.]+)? \|", page, re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == f">={oldest['Python']}"
    assert [f"numpy>={oldest['numpy']}"] == project["dependencies"][:1]
    [left_out] = re.findall(r"^\| polars \| [\d.]+, but not ([\d.]+) \|", page, re.MULTILINE)
    assert project["dependencies"][1] == f"polars>={oldest['polars']},!={left_out}.*"
    assert f" polars=={oldest['polars']}\n" in (ROOT / "Makefile").read_text("utf-8")
    [tested] = re.findall(
        r"python: (\[.*\])", (ROOT / ".github/workflows/ci.yml").read_text("utf-8")
    )
    [newest] = re.findall(r"^\| Python \| [\d.]+ \| ([\d.]+) \|", page, re.MULTILINE)
    assert [oldest["Python"], newest] == [json.loads(tested)[0], json.loads(tested)[-1]]
