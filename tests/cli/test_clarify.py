"""The command `clarify`: the types of files, what it reads from a configuration, and mistakes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from math import log, sqrt
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from polars_fairness.clarify.configuration import AFTER_TRAINING, BEFORE_TRAINING
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
CONFIGURATION: dict[str, Any] = {
    "dataset_type": "text/csv",
    "label": "repaid",
    "label_values_or_threshold": [1],
    "predicted_label": "approved",
    "facet": [{"name_or_index": "sex", "value_or_threshold": ["F"]}],
    "methods": {**DPL, **DPPL},
}
# M: 1 of 1 repaid, 1 of 1 approved; F: 2 of 3 repaid, 1 of 3 approved.
VALUES = {"DPL": 1 - 2 / 3, "DPPL": 1 - 1 / 3}

Clarify = Callable[..., tuple[int, str, str]]


@pytest.fixture
def clarify(run: Run) -> Clarify:
    """Run the command on a file, with keys of the configuration changed, or left out if None."""

    def call(*options: str, file: str = "rows.csv", **changes: Any) -> tuple[int, str, str]:
        keys = {
            name: value for name, value in (CONFIGURATION | changes).items() if value is not None
        }
        Path("analysis_config.json").write_text(json.dumps(keys))
        return run("clarify", "analysis_config.json", file, *options)

    return call


@pytest.fixture(autouse=True)
def rows() -> None:
    ROWS.write_csv("rows.csv")


def values(printed: str) -> dict[str, Any]:
    """The values in an analysis of one entry."""
    sections = json.loads(printed)
    assert sections.pop("version") == "1.0"
    found: dict[str, Any] = {}
    for section in sections.values():
        [[entry]] = section["facets"].values()
        found |= {metric["name"]: metric["value"] for metric in entry["metrics"]}
    return found


def close(expected: dict[str, float]) -> dict[str, Any]:
    return {name: pytest.approx(value) for name, value in expected.items()}


def test_prints_what_clarify_writes(clarify: Clarify) -> None:
    code, out, err = clarify()
    assert (code, err) == (0, "")
    [dpl] = json.loads(out)["pre_training_bias_metrics"]["facets"]["sex"][0].pop("metrics")
    assert json.loads(out)["pre_training_bias_metrics"] == {
        "label": "repaid",
        "label_value_or_threshold": "1",
        "facets": {"sex": [{"value_or_threshold": "F", "metrics": [dpl]}]},
    }
    assert dpl == {
        "name": "DPL",
        "description": "Difference in Positive Proportions in Labels (DPL)",
        "value": pytest.approx(1 / 3),
    }
    assert values(out) == close(VALUES)


# Files


def parquet() -> dict[str, Any]:
    ROWS.write_parquet("rows")
    return {"dataset_type": "application/x-parquet"}


def parquet_with_headers() -> dict[str, Any]:
    ROWS.rename(str.upper).write_parquet("rows")
    return {"dataset_type": "application/x-parquet", "headers": ROWS.columns}


def csv_without_a_header() -> dict[str, Any]:
    ROWS.write_csv("rows", include_header=False)
    return {"headers": ROWS.columns}


def csv_with_a_header_and_headers() -> dict[str, Any]:
    ROWS.write_csv("rows")
    return {"headers": ROWS.columns}


def csv_without_names() -> dict[str, Any]:
    ROWS.write_csv("rows", include_header=False)
    facet = [{"name_or_index": "column_0", "value_or_threshold": ["F"]}]
    return {"label": "column_2", "predicted_label": "column_3", "facet": facet}


def csv_by_index() -> dict[str, Any]:
    ROWS.write_csv("rows")
    facet = [{"name_or_index": 0, "value_or_threshold": ["F"]}]
    return {"label": 2, "predicted_label": 3, "facet": facet}


def flat_json_lines() -> dict[str, Any]:
    ROWS.write_ndjson("rows")
    return {"dataset_type": "application/jsonlines"}


def listed_paths() -> dict[str, Any]:
    ROWS.select(
        "repaid", person=pl.struct("sex", "age"), model=pl.struct("approved", "score")
    ).write_ndjson("rows")
    return {
        "dataset_type": "application/jsonlines",
        "features": "[person.sex, person.age]",
        "headers": ["sex", "age", "repaid", "approved"],
        "predicted_label": "model.approved",
    }


def dense_json_lines() -> dict[str, Any]:
    lines = [
        {
            "data": {"features": [row["sex"], row["age"]], "label": row["repaid"]},
            "p": row["approved"],
        }
        for row in ROWS.to_dicts()
    ]
    Path("rows").write_text("\n".join(map(json.dumps, lines)))
    return {
        "dataset_type": "application/jsonlines",
        "features": "data.features",
        "headers": ["sex", "age", "repaid", "approved"],
        "label": "data.label",
        "predicted_label": "p",
    }


FILES = [
    parquet,
    parquet_with_headers,
    csv_without_a_header,
    csv_with_a_header_and_headers,
    csv_without_names,
    csv_by_index,
    flat_json_lines,
    listed_paths,
    dense_json_lines,
]


@pytest.mark.parametrize("file", FILES)
def test_every_type_of_file_has_the_same_answer(
    file: Callable[[], dict[str, Any]], clarify: Clarify
) -> None:
    code, out, err = clarify(file="rows", **file())
    assert (code, err) == (0, "")
    assert values(out) == close(VALUES)


def test_elements_of_a_list_are_of_the_type_of_their_own_column(clarify: Clarify) -> None:
    """Beside a text, polars reads numbers as text too; 31 to 63 are whole numbers again."""
    facet = [{"name_or_index": "age", "value_or_threshold": [45]}]
    code, out, _ = clarify(file="rows", **(dense_json_lines() | {"facet": facet}))
    assert code == 0
    # 5 values in 100 rows: continuous for Clarify. Above 45: 2 of 2 repaid, else 2 of 3.
    [entry] = json.loads(out)["pre_training_bias_metrics"]["facets"]["age"]
    assert entry["value_or_threshold"] == "(45, 63]"
    assert entry["metrics"][0]["value"] == pytest.approx(2 / 3 - 1)


def test_elements_of_a_list_may_be_true_and_false(clarify: Clarify) -> None:
    changes = dense_json_lines()
    lines = Path("rows").read_text().replace('"F"', "true").replace('"M"', "false")
    Path("rows").write_text(lines)
    facet = [{"name_or_index": "sex", "value_or_threshold": [True]}]
    _, out, _ = clarify(file="rows", **(changes | {"facet": facet}))
    assert values(out) == close(VALUES)


HOSTILE = [
    "n",
    "facet",
    "a b",
    "x.y",
    "$",
    "label: n",
    "",
    "é",
    "'",
    "facet[0]: n",
    "predicted_label",
]


@pytest.mark.extras
@pytest.mark.parametrize("shift", range(len(HOSTILE)))
def test_columns_may_have_any_name(shift: int, clarify: Clarify) -> None:
    names = [*HOSTILE[shift:], *HOSTILE[:shift]]
    sex, repaid, approved, *features = names
    ROWS.select(
        pl.col("sex").alias(sex),
        pl.col("repaid").alias(repaid),
        pl.col("approved").alias(approved),
        *((pl.int_range(pl.len()) % 3).alias(name) for name in features),
    ).write_parquet("rows")
    code, out, err = clarify(
        file="rows",
        dataset_type="application/x-parquet",
        label=repaid,
        predicted_label=approved,
        facet=[{"name_or_index": sex, "value_or_threshold": ["F"]}],
        group_variable=features[0],
        methods={**DPL, "post_training_bias": {"methods": ["CDDPL", "DPPL", "FT"]}},
    )
    assert (code, err) == (0, "")
    found = values(out)
    assert None not in (found.pop("CDDPL"), found.pop("FT"))
    assert found == close(VALUES)


def test_files_of_a_folder_are_read_together(clarify: Clarify) -> None:
    Path("folder").mkdir()
    for place, part in enumerate((ROWS[:30], ROWS[30:])):
        part.write_csv(f"folder/{place}.csv")
    _, out, _ = clarify(file="folder")
    assert values(out) == close(VALUES)


# F: 1 of 2 approved, 2 of 2 repaid. M: 2 of 2 approved, 1 of 2 repaid.
PARTS = ["F,1,0\nM,1,1\n", "F,1,1\nM,0,1\n"]
SWAPPED = "F,1,1\nM,1,0\n"  # sex, approved, repaid: the second part again
OF_PARTS = {"DPL": 1 / 2 - 1, "DPPL": 1 - 1 / 2}


@pytest.mark.parametrize(
    ("first", "second", "headers"),
    [
        ("sex,repaid,approved\n" + PARTS[0], "sex,approved,repaid\n" + SWAPPED, False),
        ("sex,repaid,approved\n" + PARTS[0], "sex,approved,repaid\n" + SWAPPED, True),
        ("sex,repaid,approved\n" + PARTS[0], PARTS[1], True),
        (PARTS[0], "sex,repaid,approved\n" + PARTS[1], True),
        (PARTS[0], "sex,approved,repaid\n" + SWAPPED, True),
        ("sex,approved,repaid\n" + SWAPPED, PARTS[0], True),
        (PARTS[0], PARTS[1], True),
    ],
)
def test_columns_of_several_files_are_found_by_the_names_of_each(
    first: str, second: str, headers: bool, clarify: Clarify
) -> None:
    Path("folder").mkdir()
    Path("folder/a.csv").write_text(first)
    Path("folder/b.csv").write_text(second)
    code, out, err = clarify(
        file="folder", headers=["sex", "repaid", "approved"] if headers else None
    )
    assert (code, err) == (0, "")
    assert values(out) == close(OF_PARTS)


@pytest.mark.parametrize(
    ("first", "second", "headers", "message"),
    [
        (
            "sex,repaid,approved\n" + PARTS[0],
            "sex,repaid,Approved\n" + PARTS[1],
            None,
            "headers: line 1 of 'folder/b.csv' lacks 'approved' and has 'Approved', unlike that of "
            "'folder/a.csv'; begin each file with the same names, or give headers if one has none",
        ),
        (
            "sex,repaid,approved\n" + PARTS[0],
            "sex,repaid,approved,more\nF,1,1,1\n",
            None,
            "headers: line 1 of 'folder/b.csv' has 'more', unlike that of 'folder/a.csv'; ",
        ),
        (
            "sex,repaid,approved\n" + PARTS[0],
            PARTS[1],
            None,
            "headers: line 1 of 'folder/b.csv' lacks 'sex', 'repaid' and 'approved' and has 'F', ",
        ),
        (
            PARTS[0],
            "sex,repaid,approved\n" + PARTS[1],
            None,
            "headers: line 1 of 'folder/b.csv' looks like names, and 'folder/a.csv' has none; name "
            "the columns in headers",
        ),
        (
            PARTS[0],
            "F,1\n",
            None,
            "headers: line 1 of 'folder/b.csv' lacks 'column_2', unlike that of 'folder/a.csv'; ",
        ),
        (
            PARTS[0],
            "Sex,repaid,approved\n" + PARTS[1],
            ["sex", "repaid", "approved"],
            "headers: line 1 of 'folder/b.csv' looks like names, but lacks 'sex' and has 'Sex'; "
            "write headers as in this line, or remove it",
        ),
        (
            PARTS[0],
            "F,1\n",
            ["sex", "repaid", "approved"],
            "headers: has 3 names, and 'folder/b.csv' 2 columns; name each column",
        ),
        (
            "sex,repaid,approved\n" + PARTS[0],
            "",
            None,
            "dataset_type: 'folder/b.csv' cannot be read as text/csv: empty CSV",
        ),
    ],
)
def test_a_file_with_other_columns_is_named(
    first: str, second: str, headers: list[str] | None, message: str, clarify: Clarify
) -> None:
    Path("folder").mkdir()
    Path("folder/a.csv").write_text(first)
    Path("folder/b.csv").write_text(second)
    code, out, err = clarify(file="folder", headers=headers)
    assert (code, out) == (2, "")
    assert err.startswith(f"polars-fairness: analysis_config.json: {message}"), err


@pytest.mark.parametrize("names", [["Sex", "Age"], ["gender", "years"]])
def test_names_that_are_not_those_of_headers_are_no_row(names: list[str], clarify: Clarify) -> None:
    headers = [*names, *ROWS.columns[2:]]
    facet = [{"name_or_index": names[0], "value_or_threshold": ["F"]}]
    code, out, err = clarify(headers=headers, facet=facet)
    assert (code, out) == (2, "")
    assert err.startswith(
        "polars-fairness: analysis_config.json: headers: line 1 of 'rows.csv' looks like names, "
        f"but lacks {names[0]!r} and {names[1]!r} and has 'sex' and 'age'; "
    )


def test_names_of_columns_of_text_may_differ_in_their_case(clarify: Clarify) -> None:
    """No number stands below them, and they are names all the same."""
    words = {"sex": "sex", "repaid": "repaid", "approved": "approved"}
    ROWS.select(pl.col(words).cast(pl.String).replace({"1": "yes", "0": "no"})).write_csv(
        "rows.csv"
    )
    changes: dict[str, Any] = {"label_values_or_threshold": ["yes"]}
    assert values(clarify(headers=[*words], **changes)[1]) == close(VALUES)
    code, out, err = clarify(headers=["sex", "Repaid", "approved"], label="Repaid", **changes)
    assert (code, out) == (2, "")
    assert "line 1 of 'rows.csv' looks like names" in err


def test_a_first_row_without_numbers_is_a_row(clarify: Clarify) -> None:
    """Its numbers are missing, or its columns hold text."""
    Path("rows.csv").write_text("F,,1\nF,1,1\nM,NA,1\nM,1,0\n".replace(",1\n", ",yes\n"))
    code, out, err = clarify(
        headers=["sex", "age", "approved"],
        label="approved",
        label_values_or_threshold=["yes"],
        predicted_label=None,
        methods=DPL,
    )
    assert (code, err) == (0, "")
    assert values(out) == {"DPL": 1 / 2 - 1}


# Second files


def test_predictions_in_a_second_file_are_those_of_the_same_rows(clarify: Clarify) -> None:
    ROWS.select(predicted_label="approved").write_csv("predictions.csv")
    changes = {"predicted_label": None, "predicted_label_dataset_uri": "predictions.csv"}
    _, out, _ = clarify(**changes)
    assert values(out) == close(VALUES)


def test_second_files_are_joined_by_an_identifier(clarify: Clarify) -> None:
    named = ROWS.with_row_index("id")
    named.drop("sex", "approved").write_csv("rows.csv")
    shuffled = named.sample(fraction=1, shuffle=True, seed=1)
    shuffled.select("id", "repaid", "approved").write_csv("predictions.csv")
    # The names of the columns stand in the configuration, not in the file.
    shuffled.reverse().select("id", "sex").write_csv("facets.csv", include_header=False)
    _, out, _ = clarify(
        predicted_label_dataset_uri="predictions.csv",
        facet_dataset_uri="facets.csv",
        facet_headers=["id", "sex"],
        joinsource_name_or_index="id",
    )
    assert values(out) == close(VALUES)


def test_a_second_file_of_other_rows_needs_an_identifier(clarify: Clarify) -> None:
    ROWS[1:].select("approved").write_csv("predictions.csv")
    code, out, err = clarify(predicted_label_dataset_uri="predictions.csv")
    assert (code, out) == (2, "")
    assert err == (
        "polars-fairness: analysis_config.json: predicted_label_dataset_uri: has 99 rows, and the "
        "data 100; give joinsource_name_or_index, the column by which to join them\n"
    )


def test_an_identifier_names_each_row_once(clarify: Clarify) -> None:
    ROWS.write_csv("predictions.csv")
    code, _, err = clarify(
        predicted_label_dataset_uri="predictions.csv", joinsource_name_or_index="age"
    )
    assert code == 2
    assert "joinsource_name_or_index: 'age' names 95 rows again" in err


@pytest.mark.parametrize("key", ["facet_dataset_uri", "predicted_label_dataset_uri"])
@pytest.mark.parametrize("nulls", [[], ["--nulls", "drop"], ["--as-clarify"]])
def test_a_row_without_a_partner_is_not_lost(key: str, nulls: list[str], clarify: Clarify) -> None:
    named = ROWS.with_row_index("id")
    named.write_csv("rows.csv")
    named[3:].write_csv("second.csv")
    code, out, err = clarify(*nulls, **{key: "second.csv"}, joinsource_name_or_index="id")
    assert (code, out) == (2, "")
    assert err == (
        f"polars-fairness: analysis_config.json: {key}: 3 rows of the data have no partner there by "
        "'id'; give both files the same rows\n"
    )
    named[:99].write_csv("rows.csv")
    named.write_csv("second.csv")
    code, out, err = clarify(*nulls, **{key: "second.csv"}, joinsource_name_or_index="id")
    assert (code, out) == (2, "")
    assert err == (
        f"polars-fairness: analysis_config.json: {key}: 1 row has no partner in the data by "
        "'id'; give both files the same rows\n"
    )


def test_a_row_without_an_identifier_has_no_partner(clarify: Clarify) -> None:
    ROWS.with_columns(id=pl.Series([None, *range(1, 100)])).write_csv("rows.csv")
    code, _, err = clarify(facet_dataset_uri="rows.csv", joinsource_name_or_index="id")
    assert code == 2
    assert "1 row of the data has no partner there by 'id'; " in err


def test_identifiers_are_of_one_type(clarify: Clarify) -> None:
    ROWS.with_row_index("id").write_csv("rows.csv")
    ROWS.select("approved", id=pl.format("{}a", pl.int_range(pl.len()))).write_csv("p.csv")
    code, _, err = clarify(predicted_label_dataset_uri="p.csv", joinsource_name_or_index="id")
    assert code == 2
    assert "joinsource_name_or_index: 'id' holds Int64 in the data, and String in the file" in err


# Predictions


def test_scores_above_the_threshold_become_labels(clarify: Clarify) -> None:
    """A score of 0.5 is not above it."""
    _, out, _ = clarify(predicted_label=None, predictor={"probability": "score"}, methods=DPPL)
    assert values(out) == {"DPPL": 1.0}
    changes = {"predictor": {"probability": "score"}, "probability_threshold": 0.4}
    _, out, _ = clarify(predicted_label=None, methods=DPPL, **changes)
    assert values(out) == close({"DPPL": 1 - 1 / 3})


@pytest.mark.parametrize("written", ["csv", "ndjson"])
def test_the_last_row_may_hold_the_first_decimal(written: str, clarify: Clarify) -> None:
    """A type guessed from the first rows would be that of whole numbers."""
    first: dict[str, Any]
    last: dict[str, Any]
    first, last = ({"sex": "M", "repaid": 1, "approved": 1, "score": x} for x in (1, 0.5))
    second: dict[str, Any] = {"sex": "F", "repaid": 1, "approved": 1, "score": 0}
    rows = [*[first, second] * 6_000, last]
    if written == "csv":
        text = [",".join(first), *(",".join(map(str, row.values())) for row in rows)]
    else:
        text = [json.dumps(row) for row in rows]
    Path("rows").write_text("\n".join(text) + "\n")
    kind = {"csv": "text/csv", "ndjson": "application/jsonlines"}[written]
    changes = {"predictor": {"probability": "score"}, "probability_threshold": 0.4}
    code, out, _ = clarify(
        file="rows", dataset_type=kind, predicted_label=None, methods=DPPL, **changes
    )
    assert (code, values(out)) == (0, {"DPPL": 1.0})


def test_a_score_below_the_threshold_becomes_a_favorable_0(clarify: Clarify) -> None:
    changes = {"predictor": {"probability": "score"}, "label_values_or_threshold": [0]}
    _, out, _ = clarify(predicted_label=None, methods=DPPL, **changes)
    assert values(out) == {"DPPL": -1.0}


def test_predicted_labels_come_before_those_of_the_predictor(clarify: Clarify) -> None:
    ROWS.with_columns(guess="repaid").write_csv("rows.csv")
    predictor = {"label": "guess", "probability": "score"}
    _, out, _ = clarify(predictor=predictor)
    assert values(out) == close(VALUES)
    _, out, _ = clarify(predicted_label=None, methods=DPPL, predictor=predictor)
    assert values(out) == close({"DPPL": VALUES["DPL"]})


def test_predictions_may_all_be_negative(clarify: Clarify) -> None:
    ROWS.with_columns(approved=pl.lit(0)).write_csv("rows.csv")
    assert values(clarify(methods=DPPL)[1]) == {"DPPL": 0.0}


# Differences on purpose: by default, and in Clarify's way


# 4 of F and 4 of M; 1 of F is unknown of its outcome, 1 row is unknown of its facet.
MISSING = pl.DataFrame(
    {
        "sex": ["F", "F", "F", "F", "M", "M", "M", "M", None, None],
        "repaid": [1, 1, 0, None, 1, 1, 1, 0, 0, 0],
        "approved": [1, 0, 0, 1, 1, 1, 1, 0, 0, 0],
    },
    schema_overrides={"repaid": pl.Int64},
)


def test_missing_values_are_refused_dropped_or_read_as_clarify_does(clarify: Clarify) -> None:
    MISSING.write_csv("rows.csv")
    code, out, err = clarify()
    assert (code, out) == (2, "")
    assert err == (
        "polars-fairness: analysis_config.json: label: missing values: 'label: repaid' has 1 "
        "(10.0 %); fill them, or leave these rows out with --nulls drop; metrics that need no "
        "label still count them\n"
    )
    _, out, _ = clarify("--nulls", "drop")
    # F: 2 of 3 repaid, 2 of 4 approved. M: 3 of 4, and 3 of 4. The other two are on no side.
    assert values(out) == close({"DPL": 3 / 4 - 2 / 3, "DPPL": 3 / 4 - 2 / 4})
    _, out, _ = clarify("--as-clarify")
    # F: 2 of 4 and 2 of 4. Side a has the unknown too: 3 of 6, and 3 of 6.
    assert values(out) == close({"DPL": 3 / 6 - 2 / 4, "DPPL": 3 / 6 - 2 / 4})


def test_a_label_that_one_side_lacks_counts_or_for_clarify_is_dropped(clarify: Clarify) -> None:
    methods = {"pre_training_bias": {"methods": ["JS", "KL", "KS", "LP", "TVD"]}}
    _, out, _ = clarify(methods=methods)
    # Each M repaid, and 2 of 3 of F.
    whole = {
        "JS": (log(1 / (5 / 6)) + 2 / 3 * log(2 / 3 / (5 / 6)) + 1 / 3 * log(2)) / 2,
        "KL": log(3 / 2),
        "KS": 1 / 3,
        "LP": sqrt(2) / 3,
        "TVD": 1 / 3,
    }
    assert values(out) == close(whole)
    _, out, _ = clarify("--as-clarify", methods=methods)
    dropped = {
        "JS": (log(1 / (5 / 6)) + 2 / 3 * log(2 / 3 / (5 / 6))) / 2,
        "KL": log(3 / 2),
        "KS": 1 / 3,
        "LP": 1 / 3,
        "TVD": 1 / 6,
    }
    assert values(out) == close(dropped)


def test_infinity_is_a_word_and_an_undefined_value_has_an_error(clarify: Clarify) -> None:
    nobody_of_m = ROWS.with_columns(approved=pl.col("approved") * (pl.col("sex") == "F"))
    nobody_of_m.write_csv("rows.csv")
    methods = {"post_training_bias": {"methods": ["DI", "DCA", "DAR"]}}
    _, out, _ = clarify(methods=methods)
    # M: 40 repaid, none approved. F: 2 repaid for each approved.
    assert values(out) == {"DI": "Infinity", "DCA": "Infinity", "DAR": None}
    [dar, *_] = json.loads(out)["post_training_bias_metrics"]["facets"]["sex"][0]["metrics"]
    assert dar["error"] == "undefined: a rate in its formula is that of no rows"
    _, out, _ = clarify("--as-clarify", methods=methods)
    # Of those approved, each second of F has repaid: for Clarify, 0/0 is 0.
    assert values(out) == {"DI": "Infinity", "DCA": "Infinity", "DAR": -1.0}


@pytest.mark.extras
def test_the_flip_test_has_the_sign_of_clarifys_page_or_that_of_its_package(
    clarify: Clarify,
) -> None:
    pl.DataFrame(
        {
            "sex": ["F", "F", "F", "M", "M", "M"],
            "income": [20, 41, 60, 22, 40, 61],
            "repaid": [1, 0, 1, 0, 1, 1],
            "approved": [0, 0, 1, 0, 1, 1],
        }
    ).write_csv("rows.csv")
    methods = {"post_training_bias": {"methods": ["FT"]}}
    # The nearest of M: 22, 40 and 61. One of three flips, from rejected to accepted.
    assert values(clarify(methods=methods)[1]) == close({"FT": 1 / 3})
    assert values(clarify("--as-clarify", methods=methods)[1]) == close({"FT": -1 / 3})


@pytest.mark.extras
def test_text_is_no_feature_of_the_flip_test_and_an_error_for_clarify(clarify: Clarify) -> None:
    ROWS.with_columns(branch=pl.lit("north")).write_csv("rows.csv")
    methods = {"post_training_bias": {"methods": ["FT"]}}
    _, out, err = clarify(methods=methods)
    assert values(out)["FT"] is not None
    assert err == "polars-fairness: FT: not used as features, as they hold no numbers: branch\n"
    code, out, err = clarify("--as-clarify", methods=methods)
    assert (code, values(out)) == (0, {"FT": None})
    assert err == (
        "polars-fairness: FT: features have to be numbers; leave these out in excluded_columns: "
        "'branch'\n"
    )
    assert clarify(methods=methods, excluded_columns=["branch"])[2] == ""


def test_the_flip_test_needs_an_extra_and_nothing_else_does(
    clarify: Clarify, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("polars_fairness.errors.find_spec", lambda _: None)
    methods = {"post_training_bias": {"methods": ["DPPL", "FT"]}}
    code, out, err = clarify(methods=methods)
    assert code == 0
    assert values(out) == close({"DPPL": VALUES["DPPL"]}) | {"FT": None}
    [_, flips] = json.loads(out)["post_training_bias_metrics"]["facets"]["sex"][0]["metrics"]
    assert 'pip install "polars-fairness[neighbours]"' in flips["error"]
    assert err == f"polars-fairness: FT: {flips['error']}\n"


@pytest.mark.extras
def test_missing_features_leave_other_metrics_as_they_are(clarify: Clarify) -> None:
    ROWS.with_columns(age=pl.when(pl.col("age") > 28).then("age")).write_csv("rows.csv")
    methods = {"post_training_bias": {"methods": ["DPPL", "FT"]}}
    _, out, err = clarify(methods=methods)
    assert values(out) == close({"DPPL": VALUES["DPPL"]}) | {"FT": None}
    assert err.startswith("polars-fairness: FT: features: missing values: 'age' has 20 (20.0 %)")
    assert err.endswith("leave these rows out with --nulls drop\n")
    _, out, err = clarify("--nulls", "drop", methods=methods)
    assert err == ""
    assert values(out)["FT"] is not None


def test_the_page_names_every_metric() -> None:
    page = (ROOT / "docs" / "coming-from" / "clarify.md").read_text("utf-8")
    named = dict(re.findall(r"\| `([A-Z]+)` \| `([a-z]+)` ", page))
    assert named == {each.name: each.here for each in (*BEFORE_TRAINING, *AFTER_TRAINING)}


# Nothing that Clarify knows is an error, and all else is


def test_keys_about_other_things_are_named_and_not_used(clarify: Clarify) -> None:
    code, out, err = clarify(
        version="1.0",
        dataset_uri="s3://bucket/rows.csv",
        methods={**DPL, **DPPL, "shap": {"num_samples": 10}, "report": {"name": "report"}},
        predictor={"model_name": "m", "instance_type": "ml.m5.large"},
    )
    assert (code, values(out)) == (0, close(VALUES))
    assert err == (
        "polars-fairness: not used, as not about bias: dataset_uri, methods.shap, methods.report, "
        "predictor.model_name, predictor.instance_type\n"
    )


MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown key": ({"labels": 1}, "labels: no such key; did you mean 'label'"),
    "an unknown key of a facet": (
        {"facet": [{"name_or_index": "sex", "value": ["F"]}]},
        "facet[0].value: no such key; ",
    ),
    "an unknown method": ({"methods": {"bias": {}}}, "methods.bias: no such key; "),
    "an unknown key of a method": (
        {"methods": {"pre_training_bias": {"method": "all"}}},
        "methods.pre_training_bias.method: no such key; did you mean 'methods'?",
    ),
    "an unknown key of the predictor": (
        {"predictor": {"probabilities": 1}},
        "predictor.probabilities: no such key; did you mean 'probability'?",
    ),
    "a key inside of another": (
        {"predictor": {"probability": "score", "probability_threshold": 0.4}},
        "predictor.probability_threshold: is a key of the configuration itself; move it out of "
        "predictor",
    ),
    "an unknown metric": (
        {"methods": {"pre_training_bias": {"methods": ["DPPL"]}}},
        "methods.pre_training_bias.methods: no metric 'DPPL'; did you mean 'DPL'",
    ),
    "no method": ({"methods": {"shap": {}}}, "methods: neither 'pre_training_bias' nor"),
    "no predictions": ({"predicted_label": None}, "methods.post_training_bias: needs predictions"),
    "another version": ({"version": "2.0"}, "version: takes '1.0', the only one there is"),
    "an unknown type of data": (
        {"dataset_type": "application/json"},
        "dataset_type: 'application/json' cannot be read; convert the file to one of 'text/csv',",
    ),
    "no type of data": ({"dataset_type": None}, "dataset_type: is missing; give it, as in "),
    "no label": ({"label": None}, "label: is missing; give it, as in "),
    "no facet": ({"facet": []}, "facet: is missing; give it, as in "),
    "a facet that is no object": ({"facet": ["sex"]}, "facet: takes a list of objects, [{...}]"),
    "a facet without a column": (
        {"facet": [{"value_or_threshold": ["F"]}]},
        "facet[0].name_or_index: is missing; ",
    ),
    "a facet that is not in the data": (
        {"facet": [{"name_or_index": "sexx", "value_or_threshold": ["F"]}]},
        "facet[0].name_or_index: no column 'sexx' in the data; did you mean 'sex'?",
    ),
    "an index beyond the columns": (
        {"label": 9},
        "label: no column 9 in the data; the last is 4, 'score'",
    ),
    "an index below 0": ({"label": -1}, "label: takes the name of a column, or its index from 0"),
    "a facet value that never occurs": (
        {"facet": [{"name_or_index": "sex", "value_or_threshold": ["F", "f"]}]},
        "facet[0].value_or_threshold: 'f' never occurs in 'sex'; there are 'F' and 'M'",
    ),
    "a label value that never occurs": (
        {"label_values_or_threshold": ["yes"]},
        "label_values_or_threshold: 'yes' never occurs in 'repaid'; there are 0 and 1",
    ),
    "a group variable that is not in the data": (
        {"group_variable": "branch"},
        "group_variable: no column 'branch' in the data; ",
    ),
    "an excluded column that is not in the data": (
        {"excluded_columns": ["ages"]},
        "excluded_columns: no column 'ages' in the data; did you mean 'age'?",
    ),
    "an identifier that is not in the data": (
        {"joinsource_name_or_index": "id"},
        "joinsource_name_or_index: no column 'id' in the data; ",
    ),
    "a continuous facet without a threshold": (
        {"facet": [{"name_or_index": "score"}]},
        "facet[0].value_or_threshold: is missing, and 'score' holds 5 different numbers",
    ),
    "a continuous facet with a word": (
        {"facet": [{"name_or_index": "score", "value_or_threshold": ["high"]}]},
        "facet[0].value_or_threshold: 'high' is no number, and 'score' holds 5 different numbers",
    ),
    "scores as predicted labels": (
        {"predicted_label": "score"},
        "predicted_label: 'score' holds Float64 such as scores, and labels are 1; name it in "
        "predictor.probability instead",
    ),
    "scores for labels that are words": (
        {
            "predicted_label": None,
            "predictor": {"probability": "score"},
            "label": "sex",
            "label_values_or_threshold": ["M"],
            "facet": [{"name_or_index": "age", "value_or_threshold": [40]}],
        },
        "predictor.probability: 'score' becomes 1 above probability_threshold, and 0 elsewhere, "
        "and never 'M'",
    ),
    "predictions that are no scores": (
        {
            "predicted_label": None,
            "predictor": {"probability": "sex"},
            "facet": [{"name_or_index": "age", "value_or_threshold": [40]}],
        },
        "predictor.probability: 'sex' holds String, and scores are numbers",
    ),
    "headers for other columns": (
        {"headers": ["sex", "age"]},
        "headers: has 2 names, and 'rows.csv' 5 columns; name each column",
    ),
    "a threshold that is no number": (
        {"probability_threshold": float("nan")},
        "probability_threshold: takes a number from 0 to 1, got nan",
    ),
    "a threshold without end": (
        {"probability_threshold": float("inf")},
        "probability_threshold: takes a number from 0 to 1, got inf",
    ),
    "a threshold above 1": (
        {"probability_threshold": 1.01},
        "probability_threshold: takes a number from 0 to 1, got 1.01",
    ),
    "a threshold below 0": (
        {"probability_threshold": -0.5},
        "probability_threshold: takes a number from 0 to 1, got -0.5",
    ),
    "a value that is no number": (
        {"label_values_or_threshold": [float("nan")]},
        "label_values_or_threshold: takes a list of values, or of one threshold, got [nan]",
    ),
    "a value of a facet without end": (
        {"facet": [{"name_or_index": "age", "value_or_threshold": [-float("inf")]}]},
        "facet[0].value_or_threshold: takes a list of values, or of one threshold, got [-inf]",
    ),
    "a value with too many digits": (
        {"label_values_or_threshold": 10**400},
        "label_values_or_threshold: takes a list of values, or of one threshold, got int",
    ),
    "a facet that is the label": (
        {"facet": [{"name_or_index": "repaid"}]},
        "facet[0].name_or_index: 'repaid' is the column of label too; name another column for one",
    ),
    "a facet that is the label by its index": (
        {"facet": [{"name_or_index": "sex"}, {"name_or_index": 2, "value_or_threshold": [1]}]},
        "facet[1].name_or_index: 'repaid' is the column of label too; name another column for one",
    ),
    "a facet that is the prediction": (
        {"facet": [{"name_or_index": "approved"}]},
        "facet[0].name_or_index: 'approved' is the column of predicted_label too; name another",
    ),
    "headers that name two columns": (
        {"headers": ["sex", "age", "age", "repaid", "approved"]},
        "headers: 'age' names several columns; give each its own name",
    ),
    "a second file that is not there": (
        {"predicted_label_dataset_uri": "no.csv"},
        "predicted_label_dataset_uri: there is no 'no.csv'; ",
    ),
    "headers without a second file": (
        {"facet_headers": ["sex"]},
        "facet_headers: are those of facet_dataset_uri, which is missing; give both",
    ),
    "a second file beside another type": (
        {"dataset_type": "application/x-parquet", "facet_dataset_uri": "rows.csv"},
        "facet_dataset_uri: is for dataset_type 'text/csv' alone; join the files yourself",
    ),
    "CSV that is said to be Parquet": (
        {"dataset_type": "application/x-parquet"},
        "dataset_type: 'rows.csv' cannot be read as application/x-parquet: ",
    ),
}


@pytest.mark.parametrize(("changes", "message"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_named_and_nothing_is_written(
    changes: dict[str, Any], message: str, clarify: Clarify
) -> None:
    code, out, err = clarify("--output", "analysis.json", **changes)
    assert (code, out) == (2, "")
    assert err.startswith(f"polars-fairness: analysis_config.json: {message}"), err
    assert err.count("\n") == 1
    assert sorted(path.name for path in Path().iterdir() if path.suffix != ".parquet") == [
        "analysis_config.json",
        "rows.csv",
    ]


JSON_MISTAKES = {
    "a path that is not there": (
        {"label": "data.lable"},
        "label: no field 'lable' in the data; did you mean 'label'?",
    ),
    "no path of plain fields": (
        {"label": "data.labels[0]"},
        "label: 'data.labels[0]' is no path of plain fields; write one such as data.features",
    ),
    "features that are no list": (
        {"features": "data.label"},
        "features: 'data.label' leads to no list; give a list of paths, [age, data.sex]",
    ),
    "too few headers": (
        {"headers": ["sex"]},
        "headers: has 1 names, and the data 4 columns; name each column",
    ),
}


@pytest.mark.parametrize(("changes", "message"), JSON_MISTAKES.values(), ids=JSON_MISTAKES)
def test_mistakes_about_json_lines_are_named(
    changes: dict[str, Any], message: str, clarify: Clarify
) -> None:
    code, out, err = clarify(file="rows", **(dense_json_lines() | changes))
    assert (code, out) == (2, "")
    assert err.startswith(f"polars-fairness: analysis_config.json: {message}"), err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"label": "repaid",}', "is no JSON: "),
        (b"[]", "takes an object, {...}, got []"),
        (b"\xff\xfe", "is not text in UTF-8; save it as UTF-8"),
        (b'{"a": ' * 10_000 + b"1" + b"}" * 10_000, "is nested too deeply; "),
        (b'{"label": ' + b"[" * 10_000 + b"]" * 10_000 + b"}", "is nested too deeply; "),
        (b'{"label": 1' + b"0" * 5_000 + b"}", "is no JSON that can be read: "),
    ],
)
def test_a_broken_configuration_is_named(text: bytes, message: str, run: Run) -> None:
    Path("broken.json").write_bytes(text)
    code, out, err = run("clarify", "broken.json", "rows.csv")
    assert (code, out) == (2, "")
    assert err.startswith(f"polars-fairness: broken.json: {message}")


def test_files_that_are_not_there_are_named(run: Run, clarify: Clarify) -> None:
    assert run("clarify", "no.json", "rows.csv")[2] == (
        "polars-fairness: no.json: cannot be read: No such file or directory; give the name of an "
        "analysis configuration\n"
    )
    assert clarify(file="no.csv")[2].startswith("polars-fairness: path: there is no 'no.csv'; ")


def test_data_without_rows_are_named(clarify: Clarify) -> None:
    ROWS.clear().write_csv("rows.csv")
    assert "dataset_type: 'rows.csv' cannot be read as text/csv: empty CSV" in clarify()[2]
    ROWS.clear().write_parquet("rows")
    code, out, err = clarify(file="rows", dataset_type="application/x-parquet")
    assert (code, out) == (2, "")
    assert "analysis_config.json: no rows; give files with rows" in err


def test_data_whose_rows_are_all_dropped_are_named(clarify: Clarify) -> None:
    ROWS.with_columns(approved=pl.lit(None, pl.Int64)).write_parquet("rows")
    changes = {"dataset_type": "application/x-parquet"}
    code, out, err = clarify("--nulls", "drop", file="rows", **changes)
    assert (code, out) == (2, "")
    assert "each row has a missing value" in err


# The output


def test_the_output_is_replaced_on_request_only(clarify: Clarify) -> None:
    assert clarify("--output", "analysis.json")[:2] == (0, "")
    written = Path("analysis.json").read_text()
    assert values(written) == close(VALUES)
    code, _, err = clarify("--output", "analysis.json")
    assert code == 2
    assert "'analysis.json' exists already; add --overwrite" in err
    assert clarify("--output", "analysis.json", "--overwrite", methods=DPL)[0] == 0
    assert values(Path("analysis.json").read_text()) == close({"DPL": VALUES["DPL"]})


@pytest.mark.parametrize("output", ["rows.csv", "analysis_config.json"])
def test_no_output_is_written_over_an_input(output: str, clarify: Clarify) -> None:
    code, _, err = clarify("--output", output, "--overwrite")
    assert code == 2
    assert f"{output!r} is the input" in err
