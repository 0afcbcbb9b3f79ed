"""The rows that describe arguments: all other places that show an argument follow from its row."""

from __future__ import annotations

import sys
from dataclasses import replace
from inspect import getdoc, signature
from pathlib import Path
from typing import Any, get_type_hints

import polars as pl
import pyarrow as pa
import pytest

import polars_fairness as pf
from polars_fairness.answers.options import AuditOptions
from polars_fairness.api.signatures import takes
from polars_fairness.cli import commands
from polars_fairness.cli.commands import parser
from polars_fairness.cli.typed import question_of
from polars_fairness.counting.rows import rows_of
from polars_fairness.question import arguments
from polars_fairness.question.arguments import COLUMN, OF_QUESTION, Argument, Option, defaults
from polars_fairness.question.audit_arguments import (
    HARM,
    OF_AUDIT,
    OF_CHOOSE,
    OF_PAGE,
    OF_WORST_GROUPS,
    AuditArguments,
)
from polars_fairness.reporting.tables import question_table
from tests.conftest import Run
from tests.reporting.reports import berkeley


def test_checked_options_have_the_types_of_the_arguments() -> None:
    assert get_type_hints(AuditOptions) == get_type_hints(AuditArguments)


def test_choices_have_a_default_among_them() -> None:
    for row in (
        *OF_QUESTION,
        *OF_AUDIT,
        *OF_PAGE,
        *OF_WORST_GROUPS,
        *OF_CHOOSE,
    ):
        if row.choices:
            assert row.default in (None, *row.choices)


DESCRIBED: dict[str, tuple[Argument, ...]] = {
    "audit": (*OF_AUDIT, *OF_QUESTION),
    "report": (*OF_AUDIT, HARM, *OF_QUESTION),
    "metrics": OF_QUESTION,
    "worst_groups": OF_WORST_GROUPS,
    "choose": OF_CHOOSE,
}


@pytest.mark.parametrize("name", DESCRIBED)
def test_docstrings_describe_every_argument_in_whole_lines(name: str) -> None:
    lines = (getdoc(getattr(pf, name)) or "").splitlines()
    for row in DESCRIBED[name]:
        assert lines[lines.index(row.name) + 1].startswith(f"    {row.sentence}"[:70])
    assert [line for line in lines if line.startswith("{")] == []
    assert [line for line in lines if line.count("``") % 2] == []


@pytest.fixture
def region(monkeypatch: pytest.MonkeyPatch) -> Argument:
    """Describe one more argument of a question: a column."""
    row = Argument(
        COLUMN,
        "where it was decided",
        name="region",
        type="ColumnLike | None",
        option=Option("columns", note="wide"),
    )
    ours = [each for name, each in sys.modules.items() if name.startswith("polars_fairness.")]
    for module in ours:
        for rows in {"OF_QUESTION", "OF_COLUMNS"} & {*vars(module)}:
            monkeypatch.setattr(module, rows, (*vars(module)[rows], row))
    monkeypatch.setitem(vars(arguments)["DEFAULTS"], row.name, row.default)
    for name, command in commands.COMMANDS.items():
        if {*OF_QUESTION} <= {*command.shared}:
            longer = replace(command, shared=(*command.shared, row))
            monkeypatch.setitem(vars(commands)["COMMANDS"], name, longer)
    # It holds the arguments of a question as its default.
    *others, _ = question_of.__defaults__ or ()
    monkeypatch.setattr(question_of, "__defaults__", (*others, (*OF_QUESTION, row)))
    return row


def test_a_new_row_has_its_default_and_its_place_in_docstrings(region: Argument) -> None:
    def compute(**question: Any) -> None:
        """Compute.

        Parameters
        ----------
        {arguments}
        """

    described = takes(region)(compute)
    assert defaults([region]) == {"region": None}
    assert signature(described).parameters["region"].default is None
    assert "\nregion\n    Where it was decided." in (getdoc(described) or "")


def test_a_new_row_is_an_option(region: Argument, capsys: pytest.CaptureFixture[str]) -> None:
    assert parser().parse_args(["cells", "a.csv", "--region", "place"]).region == "place"
    with pytest.raises(SystemExit):
        parser().parse_args(["audit", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert f"--region COLUMN {region.meaning}; wide" in shown


def test_a_new_option_reaches_the_question(
    region: Argument, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run: Run
) -> None:
    received: dict[str, Any] = {}

    def cells(_: pl.LazyFrame, **question: Any) -> pl.LazyFrame:
        received.update(question)
        return pl.LazyFrame()

    monkeypatch.setattr(pf, "cells", cells, raising=False)
    rows = tmp_path / "rows.parquet"
    pl.DataFrame({"place": [1]}).write_parquet(rows)
    run("cells", str(rows), "--region", "place")
    assert received == {region.name: "place"}


def test_a_report_lists_a_new_row(region: Argument) -> None:
    answers = berkeley("ddpl").answers
    question = {**answers.question, region.name: "place"}
    vars(answers)["_parted"] = (answers.options, question)
    rows = [tuple(cell.text for cell in row.values()) for row in question_table(answers).rows]
    assert ("region", "place", "Where it was decided.") in rows


def test_of_a_frame_in_memory_the_column_of_a_new_row_is_read(region: Argument) -> None:
    question: Any = {"facet": "sex", "favored": "another", region.name: "place"}
    rows = rows_of(pa.table({"sex": [1], "place": [2], "another": [3]}), question)
    assert rows.schema.names() == ["sex", "place"]
