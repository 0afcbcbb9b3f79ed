"""The command `clarify`: what it reads from a configuration, differences, and mistakes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from polars_fairness.elsewhere.clarify_configuration import STAGES
from tests.conftest import Run
from tests.paths import ROOT

ROWS = pl.DataFrame(
    {
        "sex": ["F", "F", "F", "M", "M"] * 20,
        "age": [31, 45, 52, 28, 63] * 20,
        "repaid": [1, 0, 1, 1, 1] * 20,
        "approved": [1, 0, 0, 1, 1] * 20,
        "score": [0.5, 0.2, 0.4, 0.8, 0.7] * 20,
    }
)
DPL = {"pre_training_bias": {"methods": ["DPL"]}}
DPPL = {"post_training_bias": {"methods": ["DPPL"]}}
FT = {"post_training_bias": {"methods": ["DPPL", "FT"]}}
SEX = {"name_or_index": "sex", "value_or_threshold": ["F"]}
CONFIGURATION: dict[str, Any] = {
    "dataset_type": "text/csv",
    "label": "repaid",
    "label_values_or_threshold": [1],
    "predicted_label": "approved",
    "facet": [SEX],
    "methods": {**DPL, **DPPL},
}
# M: 1 of 1 repaid, 1 of 1 approved; F: 2 of 3 repaid, 1 of 3 approved.
VALUES = {"DPL": pytest.approx(1 - 2 / 3), "DPPL": pytest.approx(1 - 1 / 3)}

Clarify = Callable[..., tuple[int, str, str]]


@pytest.fixture
def clarify(run: Run) -> Clarify:
    """Run the command on a file, with keys of the configuration changed, or left out if None."""

    def call(*options: str, file: str = "rows.csv", **changes: Any) -> tuple[int, str, str]:
        Path("analysis_config.json").write_text(json.dumps(CONFIGURATION | changes))
        return run("clarify", "analysis_config.json", file, *options)

    ROWS.write_csv("rows.csv")
    return call


def values(printed: str) -> dict[str, Any]:
    """The values in an analysis of one comparison."""
    found: dict[str, Any] = {}
    for section in json.loads(printed).values():
        if isinstance(section, dict):
            [[entry]] = section["facets"].values()
            found |= {metric["name"]: metric["value"] for metric in entry["metrics"]}
    return found


def test_prints_the_values_of_each_method(clarify: Clarify) -> None:
    code, out, err = clarify()
    assert (code, err, values(out)) == (0, "", VALUES)


def test_rows_are_read_as_audit_reads_them(clarify: Clarify) -> None:
    """The name of a file says its type; a column has its name or its index."""
    by_index = {"label": 2, "predicted_label": 3, "facet": [SEX | {"name_or_index": 0}]}
    Path("parts").mkdir()
    ROWS[:30].write_csv("parts/a.csv")
    ROWS[30:].write_csv("parts/b.csv")
    ROWS.write_parquet("rows.parquet")
    ROWS.write_ndjson("rows.jsonl")
    ROWS[:5].write_csv("few.csv")  # so few that Clarify takes 0 and 1 for continuous
    for file in ("rows.csv", "parts", "rows.parquet", "rows.jsonl", "few.csv"):
        for changes in ({}, by_index, {"headers": ROWS.columns}):
            assert values(clarify(file=file, **changes)[1]) == VALUES


def test_scores_above_the_threshold_become_labels(clarify: Clarify) -> None:
    """A score of 0.5 is not above it."""
    scored = {"predicted_label": None, "predictor": {"probability": "score"}, "methods": DPPL}
    assert values(clarify(**scored)[1]) == {"DPPL": 1.0}
    assert values(clarify(**scored, probability_threshold=0.4)[1]) == {"DPPL": VALUES["DPPL"]}
    assert values(clarify(**scored, label_values_or_threshold=[0])[1]) == {"DPPL": -1.0}
    # Predicted labels come before those of the predictor.
    assert values(clarify(predictor={"label": "repaid", "probability": "score"})[1]) == VALUES


def test_missing_values_are_refused_or_dropped(clarify: Clarify) -> None:
    pl.DataFrame(
        {
            "sex": ["F", "F", "F", "F", "M", "M", "M", "M", None, None],
            "repaid": [1, 1, 0, None, 1, 1, 1, 0, 0, 0],
            "approved": [1, 0, 0, 1, 1, 1, 1, 0, 0, 0],
        },
    ).write_csv("missing.csv")
    code, out, err = clarify(file="missing.csv")
    assert (code, out) == (2, "")
    assert "label: missing values: 'label: repaid' has 1 (10.0 %); fill them, or leave" in err
    for option in ([], ["--as-clarify"]):
        _, out, _ = clarify("--nulls", "drop", *option, file="missing.csv")
        # F: 2 of 3 repaid, 2 of 4 approved. M: 3 of 4, and 3 of 4. The other two are on no side.
        assert values(out) == pytest.approx({"DPL": 3 / 4 - 2 / 3, "DPPL": 3 / 4 - 2 / 4})


def test_infinity_is_a_word_and_an_undefined_value_has_an_error(clarify: Clarify) -> None:
    approved = pl.col("approved") * (pl.col("sex") == "F")
    ROWS.with_columns(approved).write_csv("women.csv")
    call = {"file": "women.csv", "methods": {"post_training_bias": {"methods": ["DI", "DAR"]}}}
    _, out, _ = clarify(**call)
    # M: 40 repaid, none approved. F: all approved have repaid.
    assert values(out) == {"DI": "Infinity", "DAR": None}
    [dar, _] = json.loads(out)["post_training_bias_metrics"]["facets"]["sex"][0]["metrics"]
    assert dar["error"] == "undefined: a rate in its formula is that of no rows"
    # For Clarify, 0/0 is 0.
    assert values(clarify("--as-clarify", **call)[1]) == {"DI": "Infinity", "DAR": -1.0}


@pytest.mark.extras
def test_features_of_the_flip_test_are_numbers_without_missing_values(clarify: Clarify) -> None:
    ROWS.with_columns(branch=pl.lit("north")).write_csv("text.csv")
    _, out, err = clarify(file="text.csv", methods=FT)
    assert values(out)["FT"] is not None
    assert err == "polars-fairness: FT: not used as features, as they hold no numbers: branch\n"
    ROWS.with_columns(age=pl.when(pl.col("age") > 28).then("age")).write_csv("nulls.csv")
    _, out, err = clarify(file="nulls.csv", methods=FT)
    assert values(out) == {"DPPL": VALUES["DPPL"], "FT": None}
    assert err.startswith("polars-fairness: FT: features: missing values: 'age' has 20 (20.0 %)")
    assert err.endswith("leave these rows out with --nulls drop\n")


def test_the_page_names_metrics_that_have_another_name_here() -> None:
    page = (ROOT / "docs" / "coming-from" / "clarify.md").read_text("utf-8")
    otherwise = dict(re.findall(r"`([A-Z]+)` is \[?`([a-z]+)`", page))
    names = {each.name: each.here for of_stage in STAGES.values() for each in of_stage}
    assert otherwise == {name: here for name, here in names.items() if here != name.lower()}


def facet(name: str | int, *given: Any) -> dict[str, Any]:
    return {"facet": [{"name_or_index": name, "value_or_threshold": [*given]}]}


SCORES = {"predicted_label": None, "predictor": {"probability": "score"}}
FILES = ["joinsource_name_or_index", "facet_dataset_uri", "predicted_label_dataset_uri"]
VALUE = "value_or_threshold"
MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"labels": 1}, "labels: no such key; did you mean 'label'"),
    ({"methods": {"pre_training_bias": {"methods": ["DPPL"]}}}, "methods.pre_training_bias.me"),
    ({"methods": {"shap": {}}}, "methods: neither 'pre_training_bias' nor"),
    ({"predicted_label": None}, "methods.post_training_bias: needs predictions"),
    ({"version": "2.0"}, "version: takes '1.0', the only one, got '2.0'"),
    ({"label": None}, 'label: is missing; give it, as in "label": "repaid"'),
    ({"label": 9}, "label: no column 9 in the data; "),
    ({"facet": ["sex"]}, "facet: takes a list of objects, [{...}], got ['sex']"),
    ({"facet": [{VALUE: ["F"]}]}, "facet[0].name_or_index: is missing; "),
    (facet("sexx", "F"), "facet[0].name_or_index: no column 'sexx' in the data; did you"),
    (facet(2, 1), "facet[0].name_or_index: 'repaid' is the column of label too; name another"),
    (facet("sex", "F", "f"), f"facet[0].{VALUE}: 'f' never occurs in 'sex'; there are 'F'"),
    (facet("score"), f"facet[0].{VALUE}: is missing, and 'score' holds 5 different"),
    (facet("score", "high"), f"facet[0].{VALUE}: 'high' is no number, and 'score'"),
    ({"label_values_or_threshold": [float("nan")]}, "label_values_or_threshold: takes a list of"),
    ({"excluded_columns": ["ages"]}, "excluded_columns: no column 'ages' in the data; did you"),
    ({"predicted_label": "score"}, "predicted_label: 'score' holds 0.2, 0.4, "),
    (
        {**SCORES, **facet("age", 40), "label": "sex", "label_values_or_threshold": ["M"]},
        "predictor.probability: 'score' holds 0 and 1, and the labels are 'F' and 'M'; name a",
    ),
    (
        {**SCORES, **facet("age", 40), "predictor": {"probability": "sex"}},
        "predictor.probability: 'sex' holds String, and scores are numbers; name",
    ),
    ({"probability_threshold": 1.01}, "probability_threshold: takes a number from 0 to 1, got 1"),
    ({"headers": ["sex", "age"]}, "headers: are not the names in the data, 'sex', 'age', 'repaid'"),
    ({"features": "data"}, "features: is not read; write each value as a field of its own"),
    *(({key: "id"}, f"{key}: is not read; join the files first") for key in FILES),
]


@pytest.mark.parametrize(("changes", "message"), MISTAKES, ids=[text for _, text in MISTAKES])
def test_mistakes_are_named_and_nothing_is_written(
    changes: dict[str, Any], message: str, clarify: Clarify
) -> None:
    code, out, err = clarify("--output", "analysis.json", **changes)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"polars-fairness: analysis_config.json: {message}"), err
    assert not Path("analysis.json").exists()


BROKEN = [b'{"label": "repaid",}', b"[]", b"\xff\xfe", b'{"a": ' * 10_000, b"1" * 5_000]


@pytest.mark.parametrize("text", BROKEN, ids=len)
def test_a_broken_configuration_is_named(text: bytes, run: Run) -> None:
    Path("broken.json").write_bytes(text)
    for name in ("broken.json", "none.json"):
        code, out, err = run("clarify", name, "rows.csv")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert re.match(f"polars-fairness: {name}: (cannot be read as JSON|takes an object)", err)
