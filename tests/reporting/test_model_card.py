"""The part of a model card: metadata in YAML, as Hugging Face reads them, and Markdown."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.reporting.reports import HOSTILE, monthly

pytestmark = pytest.mark.extras

HIRED: dict[str, Any] = {"facet": "sex", "predicted": "hired", "confidence": None}


@pytest.mark.parametrize(
    "name", ["m", HOSTILE, "---\n- x: #", "yes", "\x85\u2028\ufeff😀", "'\"\\"]
)
def test_metadata_have_the_judged_values_of_the_latest_window(name: str) -> None:
    """In February 0 of 2 F and 1 of 2 M were hired; a gap has no band."""
    import yaml

    frame = monthly().with_columns(sex=pl.col("sex").replace("F", name))
    report = pf.report(frame, "dppl", "selection_rate_gap", **HIRED, by="month", disfavored=name)
    _, metadata, text = report.to_model_card(model=name, subject=name).split("---\n", 2)
    [entry] = yaml.safe_load(metadata)["model-index"]
    [result] = entry["results"]
    [metric] = result["metrics"]
    where = f"sex: {name} against M (month 2025-02-01)"
    assert metric == {
        "type": "dppl",
        "name": f"{pf.CATALOGUE['dppl'].title}, {where}",
        "value": 0.5,
    }
    assert entry["name"] == result["dataset"]["name"] == name
    assert text.startswith("\n## Fairness: hired by sex\n\n")
    assert "<script" not in text


def test_each_model_has_its_results_and_several_thresholds_have_none() -> None:
    """Of the old model, F has 1 of 4 and M 2 of 4."""
    models = {"old": "hired", "new": pl.lit(True)}
    card = pf.report(monthly(), "dppl", **HIRED | {"predicted": models}).to_model_card()
    values = {
        model: card.split(f'- name: "{model}"')[1].split("value: ")[1][:4] for model in models
    }
    assert values == {"old": "0.25", "new": "0.00"}
    scored = monthly().with_columns(score=pl.col("hired") / 2)
    several: dict[str, Any] = {"facet": "sex", "score": "score", "threshold": [0.2, 0.4]}
    assert pf.report(scored, "dppl", **several, confidence=None).to_model_card().startswith("## ")
