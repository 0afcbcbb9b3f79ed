"""The page about Fairness Indicators, whose Python calls TensorFlow Model Analysis too."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
from fairness_indicators.fairness_indicators_metrics import FAIRNESS_INDICATORS_SUB_METRICS
from tensorflow_model_analysis.proto.config_pb2 import ModelSpec, Options, SlicingSpec

import polars_fairness as pf
from polars_fairness.api.unknown_arguments import IN_OTHER_TOOLS
from polars_fairness.elsewhere import tool_of
from tests.conventions import Row, given, rows_by_section, versions_named
from tests.documents import OF_INDICATORS, run_document

[(TITLE, ROWS)] = rows_by_section(OF_INDICATORS).items()

RATES: Final = {
    "positive_rate": pl.col("selection_rate"),
    "negative_rate": 1 - pl.col("selection_rate"),
    "true_positive_rate": pl.col("tpr"),
    "recall": pl.col("tpr"),
    "false_positive_rate": pl.col("fpr"),
    "true_negative_rate": pl.col("tnr"),
    "false_negative_rate": pl.col("fnr"),
    "precision": pl.col("ppv"),
    "false_discovery_rate": pl.col("fdr"),
    "false_omission_rate": pl.col("false_omission_rate"),
}


def test_the_page_prints_and_its_calls_give_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One test, since each analysis takes some seconds."""
    monkeypatch.chdir(tmp_path)
    names = run_document(OF_INDICATORS, capsys)
    assert {
        row.name: (given(row.call_there, names), given(row.call_here, names)) for row in ROWS
    } == {row.name: (row.there, row.here) for row in ROWS}
    _compare_every_rate(names)


def _compare_every_rate(names: Mapping[str, Any]) -> None:
    """The rates of the page's loans, in each slice and at each threshold."""
    compared = 0
    for threshold in names["thresholds"]:
        accepted = {"predicted": pl.col("score") > threshold}
        rates = pf.rates(names["loans"], facet="sex", label="repaid", **accepted)
        entries = {
            sex: pf.metrics(
                names["loans"],
                [f"fairness_indicators.{name}@{threshold}" for name in RATES],
                facet="sex",
                disfavored=sex,
                label="repaid",
                score="score",
            )
            for sex in ("F", "M")
        }
        for key, metrics in names["result"].get_metrics_for_all_slices().items():
            value = dict(key).get("sex")
            of_slice = rates.filter(pl.col("value").eq_missing(value))
            for name, rate in RATES.items():
                there = metrics[f"fairness_indicators_metrics/{name}@{threshold}"]["doubleValue"]
                here = of_slice.select(rate).item()
                assert float(there) == pytest.approx(here, rel=1e-12, abs=1e-12)
                assert not isnan(float(there))
                if value is not None:
                    of_entry = entries[value][f"fairness_indicators.{name}@{threshold}"].item()
                    assert of_entry == pytest.approx(here, rel=1e-12, abs=1e-12)
                compared += 1
    assert compared == len(RATES) * 3 * len(names["thresholds"])


@pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in ROWS])
def test_the_line_of_the_peer_holds_the_words_of_the_page(row: Row) -> None:
    assert row.words in row.decisive_line


def test_the_page_names_the_versions_that_are_installed() -> None:
    text = versions_named(OF_INDICATORS, TITLE)
    assert [row.installed for row in ROWS if row.installed not in text] == []


def test_every_metric_has_an_entry() -> None:
    rows = tool_of("fairness_indicators").rows
    assert {row.function for row in rows} == {*FAIRNESS_INDICATORS_SUB_METRICS} == {*RATES}


def test_every_row_differs() -> None:
    assert [row.name for row in ROWS if row.there == row.here] == []


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (ModelSpec, "label_key"),
        (ModelSpec, "prediction_key"),
        (ModelSpec, "example_weight_key"),
        (SlicingSpec, "feature_keys"),
        (Options, "min_slice_size"),
    ],
)
def test_fields_of_a_configuration_are_known_names_of_arguments(message: Any, field: str) -> None:
    assert field in message.DESCRIPTOR.fields_by_name
    assert field in {name for row in IN_OTHER_TOOLS for name in row.there}
