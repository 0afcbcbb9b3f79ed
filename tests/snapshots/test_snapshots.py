"""Words and layout of what a person sees are as they were; `make snapshots` keeps them anew."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from shlex import split
from typing import Any, Final

import pytest

import polars_fairness as pf
from polars_fairness.cli import commands
from polars_fairness.explorer import cutoffs_in_words, panels_of
from tests.conftest import Run
from tests.reporting.traced import document_of, untraced
from tests.snapshots import options
from tests.snapshots.charts import CHARTS, EXPLORED, as_text, figures_of, on_page, shown
from tests.snapshots.commands import COMMANDS, FILES
from tests.snapshots.complaints import NAMES, calls
from tests.snapshots.kept import (
    KEPT,
    REWRITE,
    read_markdown,
    read_page,
    readable,
    rounded,
    same,
)
from tests.snapshots.pages import PAGES
from tests.snapshots.passages import PASSAGES, passage

pytestmark = pytest.mark.extras

WITH_ELEMENTS: Final = "several-facets"
PYTHON: Final = sorted(
    {path.stem for path in (KEPT / "complaints").glob("*.txt")} - {"shell", "options"}
)


@pytest.mark.parametrize("design", PAGES)
def test_a_page_is_as_it_was_and_its_numbers_are_traced(design: str, tmp_path: Path) -> None:
    """Its Markdown is kept, its HTML has the same lines, and of one page the elements are kept."""
    report = PAGES[design]()
    same(f"pages/{design}.md", f"{report.to_markdown()}\n{on_page(report)}")
    report.write_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    captions = [figure.caption.replace(", ", " ") for figure in figures_of(report)]
    lines = [line for line in read_page(page) if line not in captions]
    assert lines == read_markdown(report.to_markdown())
    assert untraced_of(report) == []
    if design == WITH_ELEMENTS:
        same(f"pages/{design}.html", readable(page))


def test_what_a_terminal_shows_is_as_it_was(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the commands that the kept file lists; what is on stderr stands below the table."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(commands, "parser", cache(commands.parser))
    options.write_files()
    shown = []
    for typed in calls("terminal", prompt := "$ polars-fairness ", "tables"):
        code, out, err = run(*split(typed))
        assert code == (1 if "--fail-on:" in err and "are unclear" not in err else 0), typed
        shown.append(f"{prompt}{typed}\n{out}{err}".rstrip())
    same("tables/terminal.txt", "\n\n".join(shown))


def untraced_of(report: Any) -> list[tuple[str, str]]:
    confidence = getattr(report.answers, "confidence", 0.95)
    return untraced(document_of(report), confidence)


def kept_as(title: str) -> str:
    return f"passages/{title.lower().replace(' ', '-') or 'first-page'}.md"


@pytest.mark.parametrize("title", PASSAGES)
def test_a_passage_is_as_it_was(title: str) -> None:
    """Those of one section together; of a first page, what stands above the sections."""
    reports = {name: ask() for name, ask in PASSAGES[title].items()}
    found = {name: passage(report, title, name) for name, report in reports.items()}
    assert all(found.values())
    texts = "\n\n".join(f"# {name}\n{text}" for name, text in found.items())
    same(kept_as(title), texts)
    lost = {name: untraced_of(report) for name, report in reports.items()}
    assert {name: each for name, each in lost.items() if each} == {}


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_of_an_answer_is_as_it_was(name: str) -> None:
    same(f"charts/{name.replace(' ', '-')}.txt", shown(pf.chart(CHARTS[name]()).to_dict()))


@pytest.mark.parametrize("name", EXPLORED)
def test_panels_of_an_explorer_are_as_they_were(name: str) -> None:
    explored = EXPLORED[name]()
    panels = (as_text(each) for each in panels_of(explored))
    same(f"charts/explore-{name}.txt", "\n\n".join([cutoffs_in_words(explored), *panels]))


@pytest.fixture
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name, rows in FILES.items():
        if f"{name}.parquet" in request.node.callspec.params["typed"]:
            rows().write_parquet(f"{name}.parquet")


@pytest.mark.usefixtures("_files")
@pytest.mark.parametrize(("name", "typed"), COMMANDS.items(), ids=COMMANDS)
def test_what_a_command_prints_is_as_it_was(name: str, typed: str, run: Run) -> None:
    code, table, _ = run(*typed.split())
    assert code == 0
    same(f"tables/{name}.txt", f"$ polars-fairness {typed}\n\n{table}")
    same(f"answers/{name}.json", rounded(run(*typed.split(), "--format", "json")[1]))


@pytest.mark.parametrize("subject", PYTHON)
def test_what_a_wrong_call_says_is_as_it_was(subject: str) -> None:
    same(f"complaints/{subject}.txt", "\n".join(map(complaint_of, calls(subject, ">>> "))))


def complaint_of(call: str) -> str:
    with pytest.raises(Exception) as found:
        eval(call, dict(NAMES))
    said = str(found.value)
    if isinstance(found.value, pf.FairnessError):
        places = ("expr.", "hiring.", "fairness.toml: ")
        assert said.startswith(found.value.argument or places)
    else:
        # Below the first line, polars writes the plan.
        said = said.partition("\n")[0]
    return f">>> {call}\n{type(found.value).__name__}: {said}"


def test_what_a_wrong_command_says_is_as_it_was(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    FILES["berkeley"]().write_parquet("berkeley.parquet")
    said = []
    for typed in calls("shell", "$ polars-fairness "):
        code, out, complaint = run(*typed.split())
        assert (code, out) == (2, "")
        said.append(f"$ polars-fairness {typed}\n{complaint.strip()}")
    same("complaints/shell.txt", "\n".join(said))


def test_what_wrong_options_say_is_as_it_was(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(commands, "parser", cache(commands.parser))
    options.write_files()
    before, said = {*tmp_path.iterdir()}, []
    for typed in calls("options", "$ "):
        code, out, complaint = run(*split(typed))
        assert (code, out, complaint.count("\n")) == (2, "", 1), typed
        # The choices are in quotes in some versions of Python.
        said.append(f"$ {typed}\n{complaint.partition(' (choose from ')[0].strip()}")
    same("complaints/options.txt", "\n".join(said))
    assert {*tmp_path.iterdir()} == before


def test_all_that_is_kept_is_compared() -> None:
    names = {
        *(f"pages/{design}.md" for design in PAGES),
        f"pages/{WITH_ELEMENTS}.html",
        *map(kept_as, PASSAGES),
        *(f"charts/explore-{name}.txt" for name in EXPLORED),
        *(f"charts/{name.replace(' ', '-')}.txt" for name in CHARTS),
        *(f"tables/{name}.txt" for name in (*COMMANDS, "terminal")),
        *(f"answers/{name}.json" for name in COMMANDS),
        *(f"complaints/{subject}.txt" for subject in (*PYTHON, "shell", "options")),
    }
    kept = {path.relative_to(KEPT).as_posix(): path for path in KEPT.rglob("*.*")}
    if REWRITE:
        for name in kept.keys() - names:
            kept[name].unlink()
        return
    assert kept.keys() == names
    assert sum(path.stat().st_size for path in kept.values()) < 560_000
