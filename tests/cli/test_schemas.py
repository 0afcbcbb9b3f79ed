"""Answers in JSON agree with their schemas."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.cli.formats import ANSWERS, schema_of
from tests.cli.loans import LOANS
from tests.conftest import Run

FACETS = ["--facet", "sex", "--facet", "race", "--label", "repaid", "--positive", "yes"]
DECIDED = [*FACETS, "--predicted", "approved"]
SCORED = [*FACETS, "--score", "score", "--threshold", "0.25,0.65"]

PEOPLE = ["--sex", "sex", "--race", "race", "--replicates", "10"]

LENDING = [*FACETS[:4], "--favored", "sex=M", "--favored", "race=W", "--replicates", "10"]

MODELS = ["--predicted", "a=score", "--predicted", "b=score", "--champion", "a"]

METRICS = ["--metric", "di,rd"]

# Calls with the columns that the question adds, by answer: a command, or one of its tables.
CALLS: list[tuple[str, list[str], set[str]]] = [
    ("audit", [*DECIDED, "--by", "branch", "--replicates", "10", *METRICS], {"branch"}),
    (
        "audit",
        [*SCORED, *METRICS, "--p-values", "exact", "--minimum-count", "3", "--weight", "age"],
        set(),
    ),
    ("audit", [*DECIDED, "--where", "age > 9"], set()),
    ("bounds", [*DECIDED, "--metric", "di,rd", "--by", "branch"], {"branch"}),
    ("plan", [*DECIDED, "--metric", "di,rd", "--by", "branch"], {"branch"}),
    (
        "compare",
        [*DECIDED[4:], "--facet", "sex", "--disfavored", "F", "--metric", "di", "--reported", "-2"],
        set(),
    ),
    ("rates", [*DECIDED, "--by", "since"], {"since"}),
    ("rates", [*SCORED, "--weight", "age"], set()),
    (
        "worst_groups",
        [*DECIDED, "--metric", "fpsf", "--shrink", "--by", "branch"],
        {"branch", "sex", "race", "fixed sex", "fixed race"},
    ),
    (
        "worst_groups",
        [*SCORED[:-2], "--metric", "miscalibration"],
        {"sex", "race", "fixed sex", "fixed race"},
    ),
    ("decompose", [*DECIDED, "--metric", "cddpl", "--subgroup", "branch"], {"branch"}),
    ("decompose", [*DECIDED, "--metric", "cddl", "--subgroup", "branch"], {"branch"}),
    ("drivers", [*DECIDED, "--control", "branch"], set()),
    (
        "switches",
        [*FACETS, *MODELS, "--by", "branch", "--threshold", "a=0.3", "--threshold", "b=0.6"],
        {"branch"},
    ),
    ("switches", [*FACETS, *MODELS, "--weight", "age", "--threshold", "0.3,0.6"], set()),
    ("pairs", [*DECIDED, "--cluster", "age", "--by", "branch"], {"branch"}),
    ("hiring_impact_ratios", [*PEOPLE, "--selected", "approved", "--by", "branch"], {"branch"}),
    ("hiring_impact_ratios", [*PEOPLE, "--score", "score"], set()),
    ("hiring_adverse_impact", [*PEOPLE, "--selected", "approved", "--by", "branch"], {"branch"}),
    (
        "lending_table",
        [*LENDING, "--predicted", "approved", "--score", "score", "--by", "branch"],
        {"branch"},
    ),
    ("lending_table", [*LENDING, *SCORED[-4:], "--weight", "age"], set()),
    ("lending_segments", [*LENDING, *SCORED[-4:], "--subgroup", "branch"], set()),
    ("lending_quantiles", [*LENDING, "--score", "score", "--by", "branch"], {"branch"}),
    ("pay_table", [*FACETS[:2], "--pay", "score", "--category", "race", "--by", "age"], {"age"}),
    ("audit", [*DECIDED, *METRICS, "--probabilities", "age group:old=score"], set()),
    ("rates", [*DECIDED, "--probabilities", "age group:old=score"], set()),
    ("choose", [*SCORED, "--metric", "di,rd"], {"accuracy", "di", "rd"}),
]


def refuse_other(records: object, schema: dict[str, Any]) -> None:
    import jsonschema

    jsonschema.Draft202012Validator(schema).validate(records)


@pytest.mark.extras
@pytest.mark.parametrize(("answer", "words", "added"), CALLS)
def test_answers_agree_with_their_schemas(
    answer: str, words: list[str], added: set[str], run: Run
) -> None:
    command, _, table = answer.replace("worst_groups", "worst-groups").partition("_")
    of_table = ["--table", table] if table else []
    code, out, err = run(command, "loans.parquet", *words, *of_table, "--format", "json")
    assert (code, err) == (0, "")
    schema = schema_of(answer)
    refuse_other(json.loads(out), schema)
    # A key that the question does not add has a description.
    known = {*schema["items"]["properties"]} | added
    assert {key for record in json.loads(out) for key in record} <= known


@pytest.mark.extras
def test_the_catalogue_agrees_with_its_schema(run: Run) -> None:
    refuse_other(json.loads(run("metrics", "--format", "json")[1]), schema_of("metrics"))


@pytest.mark.extras
def test_the_dictionary_of_a_report_agrees_with_its_schema() -> None:
    question: dict[str, Any] = {"facet": "sex", "predicted": "approved", "replicates": 10}
    policy = pf.Policy(name="Loans", metrics=["di"])
    for by in (None, ["branch"]):
        report = pf.report(
            LOANS, "tpr_gap", "di", **question, by=by, label="age", policy=policy, label_threshold=2
        )
        refuse_other(report.to_dict(), schema_of("report"))
    models: dict[str, Any] = {"now": "approved", "older": pl.col("age") >= 2}
    paired = pf.report(LOANS, "di", facet="sex", predicted=models, champion="now", replicates=10)
    assert any(key.startswith("change/") for key in paired.to_dict())
    refuse_other(paired.to_dict(), schema_of("report"))


@pytest.mark.extras
def test_a_schema_refuses_what_is_no_answer(run: Run) -> None:
    import jsonschema

    words = [*DECIDED, "--metric", "di", "--confidence", "none", "--format", "json"]
    records = json.loads(run("audit", "loans.parquet", *words)[1])
    changes: list[dict[str, Any]] = [
        {"verdict": "unfair"},
        {"value": "1"},
        {"rows_used": 1.5},
        {"schema": "urn:polars-fairness:audit:0"},
        {"branch": ["n"]},
    ]
    for change in changes:
        with pytest.raises(jsonschema.ValidationError):
            refuse_other([records[0] | change], schema_of("audit"))
    del records[0]["metric"]
    with pytest.raises(jsonschema.ValidationError):
        refuse_other(records, schema_of("audit"))


def test_a_column_that_is_called_schema_is_refused_in_json_only(run: Run) -> None:
    LOANS.rename({"branch": "schema"}).write_parquet("loans.parquet")
    words = ["rates", "loans.parquet", "--predicted", "approved", "--by", "schema"]
    code, out, err = run(*words, "--format", "json")
    assert (code, out) == (2, "")
    assert "--format: in JSON, 'schema' names the schema of the answer" in err
    assert run(*words, "--format", "csv")[1].startswith("schema,facet,")


@pytest.mark.extras
def test_the_program_prints_each_schema(run: Run) -> None:
    import jsonschema

    documents = {"document"}
    of_commands = {*(answer for answer, _, _ in CALLS), "metrics", "report"}
    assert {*ANSWERS} == of_commands | documents
    for answer in ANSWERS:
        code, out, _ = run("schema", answer)
        assert code == 0
        jsonschema.Draft202012Validator.check_schema(json.loads(out))
        assert json.loads(out)["$id"] == f"urn:polars-fairness:{answer}:1"
    assert run("schema", "cells")[0] == 2
