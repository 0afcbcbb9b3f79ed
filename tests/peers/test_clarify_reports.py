"""Our `analysis.json` beside the reports of Clarify's own package, on the same files."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from smclarify.bias.report import (
    FacetColumn,
    LabelColumn,
    StageType,
    bias_report,
    label_value_or_threshold,
)

from polars_fairness.cli import main

STAGES = {
    "pre_training_bias_metrics": StageType.PRE_TRAINING,
    "post_training_bias_metrics": StageType.POST_TRAINING,
}

BOTH = {"pre_training_bias": {"methods": "all"}, "post_training_bias": {"methods": "all"}}


def applicants(rows: int = 400, seed: int = 7) -> pl.DataFrame:
    """Random applicants, with columns of each kind that Clarify reads in its own way."""
    random = np.random.default_rng(seed)
    sex = random.choice(["F", "M"], rows)
    score = random.random(rows).round(4)
    return pl.DataFrame(
        {
            "sex": sex,
            "race": random.choice(["A", "B", "C"], rows, p=[0.5, 0.3, 0.2]),
            "age": random.integers(18, 90, rows),
            "children": random.integers(0, 4, rows),
            "income": (random.normal(50, 15, rows) + 5 * (sex == "M")).round(2),
            "savings": random.exponential(9, rows).round(3),
            "branch": random.choice(["north", "south", "west"], rows),
            "member": random.random(rows) < 0.5,
            "repaid": (score + random.normal(0, 0.3, rows) > 0.4).astype(int),
            "approved": (score + 0.1 * (sex == "M") > 0.55).astype(int),
            "grade": random.choice(["good", "fair", "bad"], rows),
            "guess": random.choice(["good", "fair", "bad"], rows),
            "loss": random.normal(0, 1, rows).round(3),
            "forecast": random.normal(0, 1, rows).round(3),
            "score": score,
        }
    )


def ours(configuration: dict[str, Any], frame: pl.DataFrame, *options: str) -> dict[str, Any]:
    """The analysis that the command writes about a CSV file of these rows."""
    frame.write_csv("data.csv")
    Path("analysis_config.json").write_text(
        json.dumps({"dataset_type": "text/csv", "methods": BOTH} | configuration)
    )
    words = ["clarify", "analysis_config.json", "data.csv", "--output", "analysis.json"]
    assert main([*words, "--overwrite", *options]) == 0
    analysis: dict[str, Any] = json.loads(Path("analysis.json").read_text())
    return analysis


def theirs(configuration: dict[str, Any]) -> dict[str, Any]:
    """What Clarify's package reports about the same file."""
    rows = pd.read_csv("data.csv")
    label, predicted = configuration["label"], configuration.get("predicted_label")
    positive = configuration["label_values_or_threshold"]
    group = configuration.get("group_variable")
    analysis: dict[str, Any] = {"version": "1.0"}
    methods = configuration.get("methods", BOTH)
    for section, stage in STAGES.items():
        method = methods.get(section.removesuffix("_metrics"))
        if method is None:
            continue
        names = method["methods"]
        facets: dict[str, Any] = {}
        for facet in configuration["facet"]:
            name, values = facet["name_or_index"], facet.get("value_or_threshold")
            facets[name] = bias_report(
                rows,
                FacetColumn(name, values and [*values]),
                LabelColumn(label, rows[label], [*positive]),
                stage,
                None if predicted is None else LabelColumn(predicted, rows[predicted]),
                ["all"] if names == "all" else names,
                None if group is None else rows[group],
            )
        analysis[section] = {
            "facets": facets,
            "label": label,
            "label_value_or_threshold": label_value_or_threshold(rows[label], [*positive]),
        }
    return analysis


Entries = dict[str, dict[str, Any]]


def values(analysis: dict[str, Any]) -> Entries:
    """The values of an analysis by what they are of; their order is compared separately."""
    return {
        f"{section}, {facet}, {entry['value_or_threshold']}": {
            metric["name"]: (metric["description"], metric["value"], "error" in metric)
            for metric in entry["metrics"]
        }
        for section in STAGES.keys() & analysis.keys()
        for facet, entries in analysis[section]["facets"].items()
        for entry in entries
    }


def close(entries: Entries) -> Entries:
    """The same values up to the rounding of floats."""
    return {
        key: {
            name: (text, close_to(value), failed) for name, (text, value, failed) in metrics.items()
        }
        for key, metrics in entries.items()
    }


def close_to(value: Any) -> Any:
    return pytest.approx(value, abs=1e-12) if isinstance(value, float) else value


def without_values(analysis: dict[str, Any]) -> dict[str, Any]:
    """Everything but the facets: the version, and the label of each section."""
    return {
        section: content
        if isinstance(content, str)
        else {key: value for key, value in content.items() if key != "facets"}
        for section, content in analysis.items()
    }


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    logging.disable(logging.CRITICAL)  # Clarify logs each metric without a value


LABEL = {"label": "repaid", "label_values_or_threshold": [1], "predicted_label": "approved"}
FEATURES = ["age", "children", "income", "savings"]

CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "a value": {**LABEL, "facet": [{"name_or_index": "sex", "value_or_threshold": ["F"]}]},
    "several values": {
        **LABEL,
        "facet": [{"name_or_index": "race", "value_or_threshold": ["B", "C"]}],
    },
    "each value of two": {**LABEL, "facet": [{"name_or_index": "sex"}]},
    "each value of three": {
        **LABEL,
        "facet": [{"name_or_index": "race", "value_or_threshold": []}],
        "group_variable": "branch",
    },
    "whole numbers above a threshold": {
        **LABEL,
        "facet": [{"name_or_index": "age", "value_or_threshold": [40]}],
        "group_variable": "branch",
    },
    "a threshold in text": {
        **LABEL,
        "facet": [{"name_or_index": "age", "value_or_threshold": ["40"]}],
    },
    "numbers above a threshold": {
        **LABEL,
        "facet": [{"name_or_index": "income", "value_or_threshold": [50]}],
        "group_variable": "children",
    },
    "few whole numbers are values": {
        **LABEL,
        "facet": [{"name_or_index": "children", "value_or_threshold": [0]}],
    },
    "whole numbers, several values": {
        **LABEL,
        "facet": [{"name_or_index": "age", "value_or_threshold": [20, 30, 40, 50]}],
    },
    "each of a few whole numbers": {**LABEL, "facet": [{"name_or_index": "children"}]},
    "each of two Booleans": {**LABEL, "facet": [{"name_or_index": "member"}]},
    "a Boolean": {**LABEL, "facet": [{"name_or_index": "member", "value_or_threshold": [True]}]},
    "a Boolean as 1": {**LABEL, "facet": [{"name_or_index": "member", "value_or_threshold": [1]}]},
    "several facets": {
        **LABEL,
        "facet": [
            {"name_or_index": "sex", "value_or_threshold": ["F"]},
            {"name_or_index": "age", "value_or_threshold": [60]},
        ],
        "group_variable": "branch",
    },
    "labels of several values": {
        "label": "grade",
        "label_values_or_threshold": ["good", "fair"],
        "predicted_label": "guess",
        "facet": [{"name_or_index": "sex", "value_or_threshold": ["F"]}],
        "group_variable": "branch",
    },
    "a threshold of labels": {
        "label": "loss",
        "label_values_or_threshold": [0.25],
        "predicted_label": "forecast",
        "facet": [{"name_or_index": "race"}],
        "group_variable": "branch",
    },
    "a favorable 0": {
        "label": "repaid",
        "label_values_or_threshold": [0],
        "predicted_label": "approved",
        "facet": [{"name_or_index": "sex", "value_or_threshold": ["F"]}],
    },
    "labels in text": {
        "label": "repaid",
        "label_values_or_threshold": ["1"],
        "predicted_label": "approved",
        "facet": [{"name_or_index": "sex", "value_or_threshold": ["F"]}],
    },
    "before training": {
        "label": "repaid",
        "label_values_or_threshold": [1],
        "facet": [{"name_or_index": "sex", "value_or_threshold": ["F"]}],
        "methods": {"pre_training_bias": {"methods": "all"}},
    },
    "metrics by name": {
        **LABEL,
        "facet": [{"name_or_index": "sex", "value_or_threshold": ["F"]}],
        "methods": {
            "pre_training_bias": {"methods": ["DPL", "CI"]},
            "post_training_bias": {"methods": ["DPPL", "DI", "AD"]},
        },
    },
}


def applicants_for(configuration: dict[str, Any]) -> pl.DataFrame:
    """The columns that the configuration names, and some features; not text, if it names none."""
    named = [configuration["label"], *(each["name_or_index"] for each in configuration["facet"])]
    named += [configuration.get(key) for key in ("predicted_label", "group_variable")]
    frame = applicants()
    return frame.select(name for name in frame.columns if name in {*named, *FEATURES})


@pytest.mark.parametrize("configuration", CONFIGURATIONS.values(), ids=CONFIGURATIONS)
def test_agrees(configuration: dict[str, Any]) -> None:
    found = ours(configuration, applicants_for(configuration), "--as-clarify")
    expected = theirs(configuration)
    assert without_values(found) == without_values(expected)
    assert values(found) == close(values(expected))


@pytest.mark.parametrize("configuration", CONFIGURATIONS.values(), ids=CONFIGURATIONS)
def test_agrees_by_default_but_in_the_sign_of_the_flip_test(configuration: dict[str, Any]) -> None:
    """In these rows, each rate is that of some rows, and each label is on both sides."""
    found = values(ours(configuration, applicants_for(configuration)))
    expected = close(values(theirs(configuration)))
    for entry, metrics in found.items():
        ours_of_flips, theirs_of_flips = (
            each.pop("FT", None) for each in (metrics, expected[entry])
        )
        if ours_of_flips is not None and not theirs_of_flips[2]:
            assert -ours_of_flips[1] == theirs_of_flips[1]
    assert found == expected
