"""The commands beside the audit: cells, metrics, demo and their help."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.cli import main
from polars_fairness.cli.files import files_of, opened
from tests.cli.loans import GAP, LOANS, SEX, records
from tests.conftest import Run
from tests.frames import fairness


@pytest.mark.parametrize(
    "name", ["cells.parquet", "c.csv", "c.tsv", "c.ndjson", "c.jsonl", "c.arrow"]
)
def test_cells_are_written_and_audited(name: str, run: Run) -> None:
    counted = ["loans.parquet", "--facet", "sex", "--predicted", "approved", "--by", "branch"]
    assert run("cells", *counted, "--output", name) == (0, "", "")
    expected = fairness(LOANS).cells(facet="sex", predicted="approved", by="branch")
    named = {"facet": ["sex"], "predicted": ["approved"], "by": ["branch"], "count": "n"}
    assert_frame_equal(opened(files_of([name]), named).collect(), expected)
    [gap, _] = records(run, name, *SEX, *GAP, "--count", "n")
    assert gap["value"] == 0.5


def test_demo_prints_berkeleys_numbers(run: Run) -> None:
    code, out, _ = run("demo")
    assert code == 0
    assert "4,526" in out


def test_the_query_of_cells_is_that_of_the_function(run: Run) -> None:
    types = {"sex": "String", "branch": "String", "approved": "Boolean", "score": "Float64"}
    Path("types.json").write_text(json.dumps(types))
    asked = ["--facet", "sex", "--predicted", "score", "--threshold", "0.5", "--by", "branch"]
    table = ["--table", "loans", "--dialect", "snowflake", *asked]
    schema = pl.Schema({name: getattr(pl, dtype) for name, dtype in types.items()})
    question: dict[str, Any] = {"facet": "sex", "predicted": "score", "threshold": 0.5}
    expected = pf.sql(schema, table="loans", dialect="snowflake", by="branch", **question)
    assert run("sql", "--schema", "types.json", *table) == (0, f"{expected}\n", "")
    LOANS.write_parquet("rows.parquet")
    of_rows = pf.sql(LOANS, table="loans", dialect="duckdb", facet="sex", predicted="approved")
    words = ["--table", "loans", "--dialect", "duckdb", "--facet", "sex", "--predicted", "approved"]
    assert run("sql", "--schema", "rows.parquet", *words) == (0, f"{of_rows}\n", "")


def test_types_that_are_none_are_refused(run: Run) -> None:
    Path("types.json").write_text('{"sex": "Text"}')
    words = ["--table", "loans", "--dialect", "duckdb", "--facet", "sex"]
    code, _, err = run("sql", "--schema", "types.json", *words)
    assert code == 2
    assert err.startswith(
        "polars-fairness: --schema: 'types.json' is not an object of columns with "
    )


OF_FILES = [
    "audit",
    "bounds",
    "compare",
    "rates",
    "confusions",
    "worst-groups",
    "decompose",
    "drivers",
    "choose",
    "explore",
    "intake",
    "cells",
]
COMMANDS = [*OF_FILES, "sql", "metrics", "demo"]


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_has_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([*command.split(), "--help"])
    assert left.value.code == 0
    shown = capsys.readouterr().out
    assert command == "demo" or ("\nexample" in shown and "\nexit code:\n" in shown)
    assert command or all(f"\n    {name}" in shown for name in COMMANDS)


def test_without_a_command_it_prints_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    its_help = capsys.readouterr().out
    assert main([]) == 2
    printed = capsys.readouterr()
    assert printed.out == its_help
    required = "polars-fairness: the following arguments are required: COMMAND"
    assert printed.err == f"{required}; see polars-fairness --help\n"
