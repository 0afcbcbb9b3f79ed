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
from pandas._libs.parsers import STR_NA_VALUES
from smclarify.bias.report import (
    FacetColumn,
    LabelColumn,
    StageType,
    bias_report,
    label_value_or_threshold,
)

from polars_fairness.cli import main
from tests.documents import examples
from tests.paths import ROOT

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
def test_agrees_and_by_default_but_in_the_sign_of_the_flip_test(
    configuration: dict[str, Any],
) -> None:
    """In these rows, each rate is that of some rows, and each label is on both sides."""
    frame = applicants_for(configuration)
    found, default = (ours(configuration, frame, *options) for options in (["--as-clarify"], []))
    expected = theirs(configuration)
    assert without_values(found) == without_values(default) == without_values(expected)
    assert values(found) == close(values(expected))
    by_default = values(default)
    for entry, metrics in values(expected).items():
        text, flips, failed = metrics.pop("FT", ("", None, True))
        of_flips = by_default[entry].pop("FT", None)
        if not failed:
            assert of_flips == (text, close_to(-flips), False)
        assert by_default[entry] == close({entry: metrics})[entry]


def sparse(seed: int) -> pl.DataFrame:
    """A few rows in which many rates are those of no rows, and some values are missing."""
    random = np.random.default_rng(seed)
    rows = 45  # so many that Clarify does not take 0 and 1 for continuous
    rare = random.choice([0.02, 0.5, 0.98], 3)
    frame = pl.DataFrame(
        {
            "sex": random.choice(["F", "M"], rows, p=[rare[0], 1 - rare[0]]),
            "age": random.integers(18, 60, rows),
            "branch": random.choice(["north", "south", "west"], rows),
            "repaid": (random.random(rows) < rare[1]).astype(int),
            "approved": (random.random(rows) < rare[2]).astype(int),
        }
    )
    first = pl.int_range(pl.len()) < 2
    certain = frame.with_columns(
        # Both occur at least once, as Clarify's package requires of predictions.
        pl.when(first).then(pl.int_range(pl.len())).otherwise(pl.col(name)).alias(name)
        for name in ("repaid", "approved")
    ).with_columns(sex=pl.when(first).then(pl.lit("F")).otherwise(pl.col("sex")))
    is_missing = pl.Series(random.random(rows) < 0.1)
    return certain.with_columns(sex=pl.when(~is_missing).then("sex"))


@pytest.mark.parametrize("seed", range(12))
def test_agrees_where_rates_are_those_of_no_rows_and_facets_are_unknown(seed: int) -> None:
    configuration = {
        **LABEL,
        "facet": [
            {"name_or_index": "sex", "value_or_threshold": ["F"]},
            {"name_or_index": "age", "value_or_threshold": [40]},
        ],
        "group_variable": "branch",
    }
    found = ours(configuration, sparse(seed), "--as-clarify")
    assert values(found) == close(values(theirs(configuration)))


def test_unknown_outcomes_are_negative_for_clarify() -> None:
    unknown = pl.int_range(pl.len()) % 7 == 0
    frame = applicants().with_columns(
        grade=pl.when(~unknown).then("grade"), guess=pl.when(~unknown.reverse()).then("guess")
    )
    configuration: dict[str, Any] = {
        "label": "grade",
        "label_values_or_threshold": ["good"],
        "predicted_label": "guess",
        "facet": [{"name_or_index": "sex", "value_or_threshold": ["F"]}],
    }
    found = ours(configuration, frame.select("sex", "grade", "guess", "savings"), "--as-clarify")
    assert values(found) == close(values(theirs(configuration)))


def test_whole_numbers_beside_missing_ones_are_continuous_for_clarify() -> None:
    """pandas reads them as floats: children above 1, and not 1 child, are then side d."""
    unknown = pl.int_range(pl.len()) == 3
    frame = applicants().with_columns(children=pl.when(~unknown).then("children"))
    frame = frame.select("sex", "children", "repaid", "approved")
    configuration = {
        **LABEL,
        "facet": [{"name_or_index": "children", "value_or_threshold": [1]}],
        "methods": {"pre_training_bias": {"methods": ["CI", "DPL"]}},
    }
    found = ours(configuration, frame, "--as-clarify")
    expected = theirs(configuration)
    assert values(found) == close(values(expected))
    [entry] = expected["pre_training_bias_metrics"]["facets"]["children"]
    assert entry["value_or_threshold"] == "(1.0, 3.0]"
    [entry] = ours(configuration, frame)["pre_training_bias_metrics"]["facets"]["children"]
    assert entry["value_or_threshold"] == "1"


def test_words_for_missing_values_in_csv_are_those_of_pandas() -> None:
    words = sorted(STR_NA_VALUES)
    frame = applicants().with_columns(
        sex=pl.Series(words * 2 + ["F"] * 200 + ["M"] * (200 - 2 * len(words))),
    )
    configuration = {**LABEL, "facet": [{"name_or_index": "sex", "value_or_threshold": ["F"]}]}
    frame = frame.select("sex", "repaid", "approved", "income", "savings")
    expected = ours(configuration, frame.with_columns(pl.col("sex").replace(words, None)))
    assert ours(configuration, frame) == expected
    assert values(ours(configuration, frame, "--as-clarify")) == close(
        values(theirs(configuration))
    )


def test_in_a_table_of_few_rows_clarify_finds_no_row_above_a_label_of_1() -> None:
    """It takes 0 and 1 for continuous, and reads 1 as a threshold."""
    frame = applicants(30).select("sex", "repaid", "approved")
    configuration = {**LABEL, "facet": [{"name_or_index": "sex", "value_or_threshold": ["F"]}]}
    found = values(ours(configuration, frame))
    rates = frame.group_by("sex").agg(pl.col("repaid").mean())
    q = dict(rates.iter_rows())
    [dpl] = [each["DPL"][1] for each in found.values() if "DPL" in each]
    assert dpl == pytest.approx(q["M"] - q["F"])
    with pytest.raises(ValueError, match="Positive Predicted Index Series contains all False"):
        theirs(configuration)


def test_one_side_alone_has_the_same_values_and_errors() -> None:
    frame = applicants().select(pl.lit("F").alias("sex"), "repaid", "approved", "children")
    configuration = {**LABEL, "facet": [{"name_or_index": "sex"}], "group_variable": "children"}
    found = ours(configuration, frame, "--as-clarify")
    assert values(found) == close(values(theirs(configuration)))


def test_entries_of_unknown_facets_hold_errors_alone_and_are_left_out() -> None:
    frame = sparse(3).select("sex", "repaid", "approved", "age")
    configuration = {**LABEL, "facet": [{"name_or_index": "sex"}]}
    found = values(ours(configuration, frame, "--as-clarify"))
    expected = values(theirs(configuration))
    unknown = {key for key in expected if key.endswith("nan")}
    assert found.keys() == expected.keys() - unknown
    assert {key: expected[key] for key in found} == close(found)
    for key in unknown:
        without = {name: value for name, (_, value, _) in expected[key].items() if name != "GE"}
        assert set(without.values()) == {None}


def test_agrees_on_the_loans_of_the_page() -> None:
    page = ROOT / "docs" / "coming-from" / "clarify.md"
    [block] = [block for block, _ in examples(page) if "configuration = " in block]
    made: dict[str, Any] = {}
    exec(block, made)
    assert main(["clarify", "analysis_config.json", "loans.csv", "--output", "analysis.json"]) == 0
    found = json.loads(Path("analysis.json").read_text())
    Path("loans.csv").rename("data.csv")
    expected = theirs(made["configuration"])
    assert without_values(found) == without_values(expected)
    assert values(found) == close(values(expected))


def test_clarify_takes_the_word_false_for_true() -> None:
    frame = applicants().select("member", "repaid", "approved")
    configuration = {
        **LABEL,
        "facet": [{"name_or_index": "member", "value_or_threshold": ["False"]}],
    }
    found = values(ours(configuration, frame, "--as-clarify"))
    expected = values(theirs(configuration))
    [of_false], [of_true] = (
        [each["CI"][1] for each in entries.values() if "CI" in each]
        for entries in (found, expected)
    )
    assert of_false == pytest.approx(-of_true)
    members = frame["member"].sum() / frame.height
    assert of_false == pytest.approx(2 * members - 1)
