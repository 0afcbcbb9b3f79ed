"""The command line speaks of options, not of the arguments of Python."""

from __future__ import annotations

import re
import shlex
from argparse import Action, _SubParsersAction
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polars_fairness.cli.commands import OPTIONS, parser
from polars_fairness.cli.own_words import name_options
from polars_fairness.errors import listed
from polars_fairness.hiring.arguments import OF_IMPACT_RATIOS, OF_PUBLICATION
from polars_fairness.lending.arguments import OF_LENDING_TABLE, OF_QUANTILES, OF_SEGMENTS
from polars_fairness.pay.arguments import OF_PAY
from polars_fairness.question.arguments import METRICS, OF_QUESTION
from polars_fairness.question.audit_arguments import OF_AUDIT, OF_CHOOSE, OF_WORST_GROUPS
from tests.paths import ROOT

KEPT = ROOT / "tests" / "snapshots" / "kept" / "complaints"
OF_QUESTIONS = (METRICS, *OF_QUESTION, *OF_AUDIT, *OF_CHOOSE, *OF_WORST_GROUPS)
OF_LENDING = (*OF_LENDING_TABLE, *OF_QUANTILES, *OF_SEGMENTS)
OF_TABLES = (*OF_IMPACT_RATIOS, *OF_LENDING, *OF_PUBLICATION, *OF_PAY)
ROWS = (*OF_QUESTIONS, *OF_TABLES)


@pytest.mark.parametrize(
    ("argument", "value", "typed"),
    [
        ("favored", {"sex": ["F", "O'M"]}, ["sex=F", "sex=O'M"]),
        ("favored", {"sex": "F", "age": 3}, ["sex=F", "age=3"]),
        ("favored", {"a b": "x"}, ["a b=x"]),
        ("disfavored", {"x=": "{], y"}, ["x=={], y"]),
        ("bands", {"di": None}, ["di=none"]),
        ("nulls", "drop", ["drop"]),
        ("resolution", 0.01, ["0.01"]),
        ("baseline", date(2026, 3, 1), ["2026-03-01"]),
    ],
)
def test_a_hint_can_be_pasted(argument: str, value: Any, typed: list[str]) -> None:
    words = [word for each in typed for word in (OPTIONS[argument], each)]
    assert shlex.split(name_options(f"give {argument}={value!r}"))[1:] == words


def test_the_names_of_users_stay() -> None:
    message = "facet: ' or a frame' with .filter() is no column, 'a (low, high)' is"
    said = "--facet: ' or a frame' with --where is no column, 'a (low, high)' is"
    assert name_options(message) == said


@pytest.mark.parametrize(("value", "typed"), [("-1", "-1"), (-1e-05, "-1e-05")])
def test_a_value_that_begins_with_a_dash_is_no_option(value: Any, typed: str) -> None:
    hint = f"give threshold={value!r}"
    assert shlex.split(name_options(hint))[1:] == [f"--threshold={typed}"]


def test_dates_and_times_are_those_that_a_shell_takes() -> None:
    found = [date(2026, 3, 1), datetime(2026, 3, 1, 4, 5), "datetime.date(2026, 3, 1)"]
    message = f"baseline: has {listed(found)}"
    assert name_options(message) == (
        "--baseline: has 2026-03-01, 2026-03-01 04:05:00 and 'datetime.date(2026, 3, 1)'"
    )


@given(st.text(), st.sampled_from(sorted(OPTIONS)))
def test_text_of_users_stays(text: str, name: str) -> None:
    quoted = [repr(text), repr(f"{name}={text}"), repr(f"{name}=")]
    message = f"{name}= or {', '.join(quoted)}; {name}={text!r}"
    option = OPTIONS[name]
    assert name_options(message).startswith(f"{option} or {', '.join(quoted)}; {option}")


def actions() -> Iterator[Action]:
    [commands] = [a for a in parser()._actions if isinstance(a, _SubParsersAction)]
    for command in commands.choices.values():
        yield from command._actions


def test_every_option_of_an_argument_is_known() -> None:
    of_the_program = {"help", "where", "format", "html", "pdf", "json", "output", "overwrite"}
    of_the_program |= {"fail_on", "allow_undefined", "reference", "top", "utility", "as_clarify"}
    of_the_program |= {"probabilities", "table", "text", "most_bytes"}
    found = {
        action.dest: action.option_strings[-1]
        for action in actions()
        if action.option_strings and action.dest not in of_the_program
    }
    assert found.keys() >= {row.name for row in ROWS if row.option}
    assert {name: OPTIONS[name] for name in found} == found


QUOTED = re.compile(r"""(?<!\w)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|--[a-z-]+[ =]\S+""")
IN_PYTHON = re.compile(rf"(?<!\w)({'|'.join(OPTIONS)})=(?!=)|pf\.[A-Z]|\.(filter|alias)\(|datetime")


@pytest.mark.parametrize("file", sorted(KEPT.glob("*.txt")), ids=lambda file: file.stem)
def test_a_shell_reads_no_python_in_any_message_that_is_kept(file: Path) -> None:
    kept = re.findall(
        r"^(?:FairnessError|ComputeError): (.*)", file.read_text("utf-8"), re.MULTILINE
    )
    said = {each: QUOTED.sub("", name_options(each)) for each in kept}
    assert {each for each, rest in said.items() if IN_PYTHON.search(rest)} == set()
