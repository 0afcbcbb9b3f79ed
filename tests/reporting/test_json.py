"""A report as a JSON file: what it says of itself, and the records of the command line."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.cli.formats import schema_of
from tests.conftest import Run
from tests.reporting.reports import HOSTILE, monthly

HIRED: dict[str, Any] = {"facet": "sex", "predicted": "hired", "by": "month"}


def written(report: pf.Report, **texts: Any) -> dict[str, Any]:
    report.write_json("report.json", **texts)
    found: dict[str, Any] = json.loads(Path("report.json").read_text("utf-8"))
    return found


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_it_says_what_the_report_is_and_what_was_requested() -> None:
    policy = pf.Policy(name="Hiring", version="2")
    report = pf.report(monthly(), "dppl", **HIRED, policy=policy)
    found = written(report, title=HOSTILE, date=date(2025, 3, 1))
    assert found["schema"] == "urn:polars-fairness:document:1"
    assert found["title"] == HOSTILE
    assert found["about"] == {"title": HOSTILE, "date": "2025-03-01"}
    assert found["package"] == {"name": "polars-fairness", "version": pf.__version__}
    assert found["data"] == {"digest": report.to_dict()["data/digest"]}
    assert found["policy"] == {"name": "Hiring", "version": "2", "hash": policy.hash}
    assert found["question"]["facet"] == "sex"
    assert found["question"]["confidence"] == "95 %"


def test_its_records_are_those_of_the_command_line(run: Run) -> None:
    found = written(pf.report(monthly(), "dppl", "di", **HIRED, replicates=50))
    assert [record["value"] for record in found["audit"]] == [0, 1, 0.5, 0]
    monthly().write_parquet("hired.parquet")
    words = ["--facet", "sex", "--predicted", "hired", "--by", "month", "--format", "json"]
    audit = ["audit", "hired.parquet", "--metric", "dppl,di", "--replicates", "50"]
    assert found["audit"] == json.loads(run(*audit, *words)[1])
    assert found["rates"] == json.loads(run("rates", "hired.parquet", *words)[1])


@pytest.mark.extras
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"subgroup": "part", "p_values": "exact", "minimum_count": 3, "policy": "Hiring"},
        {"predicted": {"a": "hired", "b": pl.col("half") == 1}, "champion": "a"},
        {"predicted": None, "score": "share", "threshold": [0.25, 0.75]},
    ],
)
def test_it_agrees_with_its_schema(more: dict[str, Any]) -> None:
    import jsonschema

    frame = monthly().with_columns(
        half=pl.Series([1, 2] * 4), part=pl.lit(1), share=pl.Series([0.1, 0.5] * 4)
    )
    if "policy" in more:
        more = {**more, "policy": pf.Policy(name=more["policy"])}
    question = {**HIRED, "label": "half", "label_threshold": 2, "replicates": 10, **more}
    metrics = ["di", "rd", *(["cddpl"] if "subgroup" in question else [])]
    found = written(pf.report(frame, *metrics, **question), title="T")
    jsonschema.Draft202012Validator(schema_of("document")).validate(found)
    assert found["audit"]
    assert ("cddpl" in found["decompose"]) == ("subgroup" in more)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema_of("document")).validate(found | {"about": None})


def test_a_column_that_would_hide_the_schema_is_an_error() -> None:
    report = pf.report(monthly().rename({"month": "schema"}), "di", **HIRED | {"by": "schema"})
    with pytest.raises(pf.FairnessError, match=r"by: in JSON, 'schema' names the schema .* rename"):
        report.write_json("report.json")


def test_the_same_arguments_give_the_same_bytes() -> None:
    for name in ("one", "other"):
        pf.report(monthly(), "di", "dppl", **HIRED, replicates=20).write_json(name)
    assert Path("one").read_bytes() == Path("other").read_bytes()
