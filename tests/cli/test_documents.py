"""The commands that the documents show, and what they print."""

from __future__ import annotations

import re
import shlex

import pytest

import polars_fairness as pf
from polars_fairness.cli.commands import parser
from tests.conftest import Run
from tests.documents import DOCUMENTS, examples
from tests.paths import ROOT


def commands_of(page: str) -> list[list[str]]:
    """Return the words of each command of the program that a page shows."""
    blocks = re.findall(r"```(?:sh|yaml)\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)
    return [
        shlex.split(re.split(r" > | \|\| ", line)[0])[1:]
        for block in blocks
        for line in map(str.strip, block.replace("\\\n", " ").splitlines())
        if line.startswith("polars-fairness ")
    ]


PAGES = [path.relative_to(ROOT).as_posix() for path in DOCUMENTS]
WITH_COMMANDS = [page for page in PAGES if commands_of(page)]


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_commands_in_the_documents_are_parsed(page: str) -> None:
    assert len(WITH_COMMANDS) > 5
    for command in commands_of(page):
        assert parser().parse_args(command).run


@pytest.mark.parametrize("page", ["README.md", "docs/first-hour.md"])
def test_the_gate_of_a_page_fails_on_the_file_that_it_wrote(page: str, run: Run) -> None:
    """The loans were made with a disparity."""
    pf.datasets.loans().write_parquet("loans.parquet")
    [command] = commands_of(page)
    assert run(*command)[0] == 1


def write_files_of(page: str) -> str:
    """Run the Python of a page that writes the files of its commands; return the page's text."""
    block = next(block for block, _ in examples(ROOT / page) if ".write_" in block)
    exec(block, {})
    return (ROOT / page).read_text("utf-8")


@pytest.mark.extras
def test_every_command_of_the_page_runs(run: Run) -> None:
    write_files_of("docs/reference/command-line.md")
    for command in commands_of("docs/reference/command-line.md"):
        assert (command, run(*command)[0]) == (command, "--fail-on" in command)


@pytest.mark.extras
@pytest.mark.parametrize(
    ("page", "fewest"),
    [
        ("docs/reference/command-line.md", 1),
        ("docs/coming-from/clarify.md", 1),
        ("docs/how-to/monitor.md", 1),
    ],
)
def test_commands_print_what_the_page_shows(page: str, fewest: int, run: Run) -> None:
    text = write_files_of(page)
    examples = re.findall(r"```sh\n([^`]*)```\n\n```text\n([^`]*)```", text)
    assert len(examples) >= fewest
    for typed, printed in examples:
        assert run(*shlex.split(typed.replace("\\\n", " "))[1:])[1] == printed


def test_samples_of_the_page_are_printed(run: Run) -> None:
    page = "docs/reference/command-line.md"
    shown = re.findall(r"^polars_fairness_\w+\{.*", write_files_of(page), re.MULTILINE)
    [command] = [each for each in commands_of(page) if "openmetrics" in each]
    assert len(shown) == 3
    assert {*shown} <= {*run(*command)[1].splitlines()}
