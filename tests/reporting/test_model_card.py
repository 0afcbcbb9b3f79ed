"""The part of a model card: metadata in YAML, as Hugging Face reads them, and Markdown."""

from __future__ import annotations

import re
from math import inf
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.reporting.reports import HOSTILE, monthly

pytestmark = pytest.mark.extras

HIRED: dict[str, Any] = {"facet": "sex", "predicted": "hired", "confidence": None}


def parts_of(card: str) -> tuple[Any, str]:
    """The metadata and the text of a card, split as Hugging Face splits them."""
    import yaml

    found = re.match(r"^(\s*---[\r\n]+)([\S\s]*?)([\r\n]+---(\r\n|\n|$))", card)
    assert found
    return yaml.safe_load(found[2]), card[found.end() :]


def test_metadata_have_the_judged_values_of_the_latest_window() -> None:
    """In February 0 of 2 F and 1 of 2 M were hired; a gap has no band."""
    report = pf.report(monthly(), "dppl", "di", "selection_rate_gap", **HIRED, by="month")
    metadata, text = parts_of(report.to_model_card(model="m", subject="S"))
    where = "sex: F against M (month 2025-02-01)"
    metrics = [
        {"type": "dppl", "name": f"{pf.CATALOGUE['dppl'].title}, {where}", "value": 0.5},
        {"type": "di", "name": f"{pf.CATALOGUE['di'].title}, {where}", "value": 0.0},
    ]
    task, dataset = {"type": "tabular-classification"}, {"type": "tabular", "name": "S"}
    results = [{"task": task, "dataset": dataset, "metrics": metrics}]
    assert metadata == {"model-index": [{"name": "m", "results": results}]}
    assert text.startswith("\n## Fairness: hired by sex\n\n")
    assert "\n# " not in text
    assert report.findings.digest in text


def test_each_model_has_its_results() -> None:
    models = {"old": "hired", "new": pl.lit(True)}
    report = pf.report(monthly(), "dppl", **HIRED | {"predicted": models})
    metadata, _ = parts_of(report.to_model_card())
    # Of the old model, F has 1 of 4 and M 2 of 4.
    found = {each["name"]: each["results"][0]["metrics"] for each in metadata["model-index"]}
    assert {name: [each["value"] for each in metrics] for name, metrics in found.items()} == {
        "old": [0.25],
        "new": [0.0],
    }


@pytest.mark.parametrize(
    "name",
    [HOSTILE, "a: b # c", "---\n- x", "yes", "\x85\u2028\ufeff\x7f😀", "'\"\\", "1", "%&*!|>"],
)
def test_hostile_names_are_text_in_yaml(name: str) -> None:
    frame = monthly().with_columns(sex=pl.col("sex").replace("F", name))
    question = HIRED | {"disfavored": name}
    metadata, text = parts_of(
        pf.report(frame, "dppl", **question).to_model_card(model=name, subject=name)
    )
    [entry] = metadata["model-index"]
    [result] = entry["results"]
    assert entry["name"] == result["dataset"]["name"] == name
    assert result["metrics"][0]["name"].endswith(f"sex: {name} against M")
    assert "<script" not in text


def test_infinite_values_are_numbers_and_undefined_ones_are_left_out() -> None:
    frame = pl.DataFrame({"sex": ["F", "M", "M"], "hired": [1, 0, 0], "able": [0, 1, 0]})
    question = HIRED | {"disfavored": "F"}
    report = pf.report(frame, "di", "rd", **question, label="able")
    metadata, _ = parts_of(report.to_model_card())
    metrics = metadata["model-index"][0]["results"][0]["metrics"]
    assert {each["type"]: each["value"] for each in metrics} == {"di": inf}


def test_small_values_are_numbers() -> None:
    """Accepted are 1 of 10 million F, and the one M."""
    columns = {"sex": ["F", "F", "M"], "hired": [1, 0, 1], "n": [1, 9_999_999, 1]}
    report = pf.report(pl.DataFrame(columns), "di", **HIRED, disfavored="F", count="n")
    metadata, _ = parts_of(report.to_model_card())
    [metric] = metadata["model-index"][0]["results"][0]["metrics"]
    assert metric["value"] == 1e-07


def test_without_judged_values_and_at_several_thresholds_there_are_no_metadata() -> None:
    empty = pf.report(monthly().clear(), "dppl", **HIRED)
    scores = monthly().with_columns(score=pl.col("hired") / 2)
    several = {"facet": "sex", "score": "score", "threshold": [0.2, 0.4], "confidence": None}
    swept = pf.report(scores, "dppl", **several)  # type: ignore[arg-type]
    for report in (empty, swept):
        assert report.to_model_card().startswith("## Fairness: ")
