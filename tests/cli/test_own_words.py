"""The command line speaks of options, not of the arguments of Python."""

from __future__ import annotations

import ast
import re
import shlex
from argparse import Action, _SubParsersAction
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from polars_fairness.cli.arguments import parser
from polars_fairness.cli.printed import OPTIONS, in_own_words
from polars_fairness.errors import keyword, listed, literal
from polars_fairness.hiring.arguments import OF_IMPACT_RATIOS, OF_PUBLICATION
from polars_fairness.lending.arguments import OF_LENDING_TABLE, OF_QUANTILES, OF_SEGMENTS
from polars_fairness.question.arguments import METRICS, OF_QUESTION
from polars_fairness.question.audit_arguments import OF_AUDIT, OF_CHOOSE, OF_WORST_GROUPS
from tests.cli.loans import LOANS
from tests.conftest import Run
from tests.paths import ROOT

PACKAGE = ROOT / "polars_fairness"
OF_QUESTIONS = (METRICS, *OF_QUESTION, *OF_AUDIT, *OF_CHOOSE, *OF_WORST_GROUPS)
OF_TABLES = (*OF_IMPACT_RATIOS, *OF_LENDING_TABLE, *OF_QUANTILES, *OF_SEGMENTS, *OF_PUBLICATION)
ROWS = (*OF_QUESTIONS, *OF_TABLES)

MISTAKES = [
    (
        "--facet sex --label repaid --metric dpl",
        "--positive: dpl needs to know which values of 'repaid' (String) count as positive; give "
        "--positive",
    ),
    (
        "--metric di --facet sex --predicted score",
        "--predicted: 'score' is Float64, a score; give --threshold to make decisions from it, or "
        "--positive if its values are decisions already",
    ),
    (
        "--facet sex --predicted missing",
        "--predicted: missing values: 'missing' has 1 (11.1 %); fill them, or leave these rows out "
        "with --nulls drop",
    ),
    (
        "--facet sex --disfavored f --predicted approved",
        "--disfavored: 'f' never occurs in 'sex', which has 'F' and 'M'; did you mean 'F'?",
    ),
    (
        "--facet race --facet sex --disfavored race=F --predicted approved",
        "--disfavored: 'F' never occurs in 'race', which has 'B' and 'W'; give --disfavored sex=F",
    ),
    (
        "--facet sex --favored highest --predicted approved",
        "--favored: 'highest' never occurs in 'sex', which has 'F' and 'M'; give "
        "--reference highest",
    ),
    ("--facet sx --predicted approved", "--facet: no column 'sx'; did you mean 'sex'?"),
    (
        "--facet sex --disfavored F --favored F --predicted approved",
        "--favored, --disfavored: 'F' is on both sides of 'sex'; remove it from one",
    ),
    (
        "--facet sex --label approved --predicted approved",
        "--label, --predicted: 'approved' cannot be both; name another column for one",
    ),
    (
        "--facet sex --predicted approved --weight negative",
        "--weight: 'negative' has negative values; a weight is finite and at least 0",
    ),
    (
        "--facet sex --predicted approved --count half",
        "--count: 'half' has 1 values that are not whole numbers; a count is a number of rows (for "
        "anything else use --weight)",
    ),
    (
        "--facet sex --predicted approved --metric dpl",
        "--label: dpl needs it, and it was not given; name the label column",
    ),
    (
        "--facet sex --predicted approved --threshold 1",
        "--threshold: predicted 'approved' is Boolean, not a number; leave --threshold out",
    ),
    (
        "--facet sex --predicted approved --confidence 2",
        "--confidence: takes a number between 0 and 1, such as 0.95, or none, got 2.0",
    ),
    (
        "--facet sex --predicted approved --metric di --band di=1:0",
        "--band: 'di' takes LOW:HIGH or none, got (1.0, 0.0)",
    ),
    (
        "--facet sex --facet sex --predicted approved",
        "--facet: two columns are called 'sex'; leave one out, or rename it in the file",
    ),
    (
        "--facet label= --label repaid --facet sex --favored yes",
        "--favored: 'yes' names no facet; with several facets, write 'label==yes', or another of "
        "'label=' and 'sex'",
    ),
    (
        "threshold=1 --facet sex",
        "path: there is no 'threshold=1'; give a file, a folder",
    ),
]


@pytest.mark.parametrize(("typed", "message"), MISTAKES, ids=[typed for typed, _ in MISTAKES])
def test_mistakes_are_explained_by_options(typed: str, message: str, run: Run) -> None:
    LOANS.with_columns(
        pl.Series("missing", [None, *[True] * 8]),
        pl.Series("negative", [-1, *[1] * 8]),
        pl.Series("half", [0.5, *[1.0] * 8]),
        pl.Series("label=", ["yes"] * 9),
    ).write_parquet("loans.parquet")
    code, out, err = run("audit", "loans.parquet", *typed.split())
    assert (code, out) == (2, "")
    assert err.startswith(f"polars-fairness: {message}")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (
            "worst-groups --metric spsf --depth 0",
            "--depth: takes a whole number of attributes, at least 1, got 0",
        ),
        (
            "worst-groups --metric spsf --minimum-count -1",
            "--minimum-count: takes a whole number of rows, at least 0, got -1",
        ),
        (
            "worst-groups --metric spsf --harm x",
            "--harm: takes 'below', 'above' or 'both', got 'x'",
        ),
        (
            "decompose --metric di",
            "--metric: 'di' is no average over subgroups; give a conditional metric, 'cddpl', "
            "'cddl', 'conditional_estimate_difference' or 'conditional_observed_difference'",
        ),
        (
            "audit --rule x",
            "--rule: takes 'interval', 'point' or 'significant', or METRIC=RULE for one metric, "
            "got 'x'",
        ),
        ("audit --zero-division nan", "--zero-division: takes a number, got nan"),
    ],
)
def test_only_what_an_option_takes_is_named(typed: str, message: str, run: Run) -> None:
    command, *words = typed.split()
    question = ["--facet", "sex", "--predicted", "approved"]
    code, _, err = run(command, "loans.parquet", *question, *words)
    assert (code, err) == (2, f"polars-fairness: {message}\n")


def test_mistakes_in_a_policy_are_explained_by_options(run: Run) -> None:
    Path("fairness.toml").write_text('name = "Loans"\nconfidence = 2', "utf-8")
    question = ["--facet", "sex", "--predicted", "approved", "--policy", "fairness.toml"]
    code, _, err = run("audit", "loans.parquet", *question)
    assert (code, err) == (
        2,
        "polars-fairness: fairness.toml, line 2: confidence: takes a number between 0 and 1, such "
        "as 0.95, or none, got 2\n",
    )


def test_the_words_that_argparse_refuses_stay_as_they_were_typed(run: Run) -> None:
    err = run("audit", "loans.parquet", "--fact", "positive=1")[2]
    assert "unrecognized arguments: --fact positive=1; did you mean --facet or" in err


@pytest.mark.parametrize(
    ("argument", "value", "python", "typed"),
    [
        ("favored", {"sex": ["F", "O'M"]}, "favored={'sex': ['F', \"O'M\"]}", ["sex=F", "sex=O'M"]),
        ("favored", {"sex": "F", "age": 3}, "favored={'sex': 'F', 'age': 3}", ["sex=F", "age=3"]),
        ("favored", {"a b": "x"}, "favored={'a b': 'x'}", ["a b=x"]),
        ("disfavored", {"x=": "{], y"}, "disfavored={'x=': '{], y'}", ["x=={], y"]),
        ("bands", {"di": None}, "bands={'di': None}", ["di=none"]),
        ("nulls", "drop", "nulls='drop'", ["drop"]),
        ("resolution", 0.01, "resolution=0.01", ["0.01"]),
        ("baseline", date(2026, 3, 1), "baseline=datetime.date(2026, 3, 1)", ["2026-03-01"]),
    ],
)
def test_a_hint_can_be_pasted(argument: str, value: Any, python: str, typed: list[str]) -> None:
    hint = f"give {keyword(argument, value)}"
    words = [word for each in typed for word in (OPTIONS[argument], each)]
    assert str(pf.FairnessError(hint)) == f"give {python}"
    assert shlex.split(in_own_words(hint))[1:] == words


@pytest.mark.parametrize(("value", "typed"), [("-1", "-1"), (-1e-05, "-1e-05")])
def test_a_value_that_begins_with_a_dash_is_no_option(value: Any, typed: str) -> None:
    hint = f"give {keyword('threshold', value)}"
    assert shlex.split(in_own_words(hint))[1:] == [f"--threshold={typed}"]


def test_dates_and_times_are_those_that_a_shell_takes() -> None:
    found = [date(2026, 3, 1), datetime(2026, 3, 1, 4, 5), "datetime.date(2026, 3, 1)"]
    message = f"baseline: has {listed(found, write=literal)}"
    assert in_own_words(message) == (
        "--baseline: has 2026-03-01, 2026-03-01 04:05:00 and 'datetime.date(2026, 3, 1)'"
    )


@given(st.text(), st.sampled_from(sorted(OPTIONS)))
def test_text_of_users_stays(text: str, name: str) -> None:
    quoted = [repr(text), repr(f"{name}={text}"), repr(keyword(name))]
    message = f"{keyword(name)} or {', '.join(quoted)}; {keyword(name, text)}"
    option = OPTIONS[name]
    assert in_own_words(message).startswith(f"{option} or {', '.join(quoted)}; {option}")
    assert str(pf.FairnessError(message)).startswith(f"{name}= or {', '.join(quoted)}; {name}=")


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


def texts() -> Iterator[str]:
    """The texts of messages in the folders whose errors reach the command line."""
    folders = ["question", "counting", "values", "inference", "answers", "api", "cli"]
    folders += ["clarify", "hiring", "lending"]
    for path in (path for name in folders for path in (PACKAGE / name).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "FairnessError":
                yield from outside_of_slots(node)


def outside_of_slots(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("keyword", "either"):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from outside_of_slots(child)


def test_messages_name_arguments_by_slots() -> None:
    names = "|".join(OPTIONS)
    words = re.compile(
        rf"(?<![-\w.'({{])({names})=(?!=)|(?<!or )pf\.[A-Z]{{2}}|with \.(filter|alias)\("
    )
    found = [text for text in texts() if words.search(text)]
    assert found == []
