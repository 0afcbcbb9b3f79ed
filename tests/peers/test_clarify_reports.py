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
BOTH = {stage.removesuffix("_metrics"): {"methods": "all"} for stage in STAGES}


def applicants(rows: int = 400) -> pl.DataFrame:
    """Random applicants, with columns of each kind that Clarify reads in its own way."""
    random = np.random.default_rng(7)
    sex, score = random.choice(["F", "M"], rows), random.random(rows)
    columns: dict[str, Any] = {"sex": sex}
    columns |= {"race": random.choice(["A", "B", "C"], rows, p=[0.5, 0.3, 0.2])}
    columns |= {"age": random.integers(18, 90, rows), "children": random.integers(0, 4, rows)}
    columns |= {"income": (random.normal(50, 15, rows) + 5 * (sex == "M")).round(2)}
    columns |= {"savings": random.exponential(9, rows).round(3)}
    columns |= {"branch": random.choice(["north", "south", "west"], rows)}
    columns |= {"member": random.random(rows) < 0.5}
    columns |= {"repaid": (score + random.normal(0, 0.3, rows) > 0.4).astype(int)}
    columns |= {"approved": (score + 0.1 * (sex == "M") > 0.55).astype(int)}
    columns |= {each: random.choice(["good", "fair", "bad"], rows) for each in ("grade", "guess")}
    columns |= {each: random.normal(0, 1, rows).round(3) for each in ("loss", "forecast")}
    return pl.DataFrame(columns)


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
    data = pd.read_csv("data.csv")
    columns = ("label", "predicted_label", "group_variable")
    label, predicted, group = (data.get(configuration.get(key)) for key in columns)
    positive = configuration["label_values_or_threshold"]
    analysis: dict[str, Any] = {}
    methods = configuration.get("methods", BOTH)
    for stage in BOTH.keys() & methods.keys():
        names = methods[stage]["methods"]
        found = {
            each["name_or_index"]: bias_report(
                data,
                FacetColumn(each["name_or_index"], each.get("value_or_threshold") or None),
                LabelColumn(configuration["label"], label, positive),
                STAGES[f"{stage}_metrics"],
                predicted if predicted is None else LabelColumn(predicted.name, predicted),
                ["all"] if names == "all" else names,
                group,
            )
            for each in configuration["facet"]
        }
        analysis[f"{stage}_metrics"] = {
            "facets": found,
            "label": configuration["label"],
            "label_value_or_threshold": label_value_or_threshold(label, positive),
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


def close(metrics: dict[str, Any]) -> dict[str, Any]:
    """The same values up to the rounding of floats."""
    return {
        name: (text, pytest.approx(value, abs=1e-12) if isinstance(value, float) else value, failed)
        for name, (text, value, failed) in metrics.items()
    }


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    logging.disable(logging.CRITICAL)  # Clarify logs each metric without a value


LABEL: dict[str, Any] = {
    "label": "repaid", "label_values_or_threshold": [1], "predicted_label": "approved",
}  # fmt: skip
GRADES: dict[str, Any] = {
    "label": "grade", "label_values_or_threshold": ["good", "fair"], "predicted_label": "guess",
}  # fmt: skip
LOSSES: dict[str, Any] = {
    "label": "loss", "label_values_or_threshold": [0.25], "predicted_label": "forecast",
}  # fmt: skip
NAMED = {"pre_training_bias": {"methods": ["DPL", "CI"]}, "post_training_bias": {"methods": ["DI"]}}


def of(name: str, *values: Any, **more: Any) -> dict[str, Any]:
    return {"facet": [{"name_or_index": name, "value_or_threshold": [*values]}], **more}


CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "a value": LABEL | of("sex", "F"),
    "several values": LABEL | of("race", "B", "C"),
    "each value of two": LABEL | {"facet": [{"name_or_index": "sex"}]},
    "each value of three": LABEL | of("race", group_variable="branch"),
    "whole numbers above a threshold": LABEL | of("age", 40, group_variable="branch"),
    "a threshold in text": LABEL | of("age", "40"),
    "numbers above a threshold": LABEL | of("income", 50, group_variable="children"),
    "few whole numbers are values": LABEL | of("children", 0),
    "whole numbers, several values": LABEL | of("age", 20, 30, 40, 50),
    "each of a few whole numbers": LABEL | of("children"),
    "each of two Booleans": LABEL | of("member"),
    "a Boolean as 1": LABEL | of("member", 1),
    "several facets": LABEL | {"facet": of("sex", "F")["facet"] + of("age", 60)["facet"]},
    "labels of several values": GRADES | of("sex", "F", group_variable="branch"),
    "a threshold of labels": LOSSES | of("race", group_variable="branch"),
    "a favorable 0": LABEL | of("sex", "F", label_values_or_threshold=[0]),
    "labels in text": LABEL | of("sex", "F", label_values_or_threshold=["1"]),
    "metrics by name": LABEL | of("sex", "F", methods=NAMED),
}
FEATURES = ["age", "children", "income", "savings"]


def columns_of(configuration: dict[str, Any]) -> pl.DataFrame:
    """The columns that the configuration names, and some features."""
    named = [each["name_or_index"] for each in configuration["facet"]]
    named += [configuration.get(key) for key in ("label", "predicted_label", "group_variable")]
    frame = applicants()
    return frame.select(name for name in frame.columns if name in {*named, *FEATURES})


# Each takes seconds: the others differ from one of these in the type of a column or a value.
BY_DAY = {
    *("a value", "each value of three", "numbers above a threshold", "several facets"),
    *("labels of several values", "a threshold of labels", "metrics by name"),
}


@pytest.mark.parametrize(
    "configuration",
    [
        pytest.param(each, id=name, marks=[] if name in BY_DAY else [pytest.mark.nightly])
        for name, each in CONFIGURATIONS.items()
    ],
)
def test_agrees_and_by_default_but_in_the_sign_of_the_flip_test(
    configuration: dict[str, Any],
) -> None:
    """In these rows, each rate is that of some rows, and each label is on both sides."""
    frame = columns_of(configuration)
    found, default = (ours(configuration, frame, *options) for options in (["--as-clarify"], []))
    expected = theirs(configuration)
    for stage in STAGES.keys() & expected.keys():
        for key in ("label", "label_value_or_threshold"):
            assert found[stage][key] == default[stage][key] == expected[stage][key]
    for entry, metrics in values(expected).items():
        text, flips, failed = metrics.pop("FT", ("", None, True))
        for analysis, sign in ((found, 1), (default, -1)):
            here = values(analysis)[entry]
            of_flips = {"FT": here.pop("FT", None)}
            assert here == close(metrics)
            if not failed:  # as with a feature of text
                assert of_flips == close({"FT": (text, sign * flips, False)})
