"""The bias part of Clarify's `analysis_config.json`, checked key by key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from polars_fairness.clarify.keys import (
    CONFIGURATION,
    FACET,
    METHOD,
    METHODS,
    PREDICTOR,
    JsonObject,
    object_in,
)
from polars_fairness.clarify.reported import (
    AFTER_TRAINING,
    BEFORE_TRAINING,
    FLIPTEST,
    ReportedMetric,
)
from polars_fairness.errors import FairnessError, did_you_mean, listed

Where = str | int
"""The name of a column, or its index, counted from 0."""

Value = str | float | bool

VERSION: Final = "1.0"
"""The only version of configurations and analyses."""

CSV: Final = "text/csv"
JSON_LINES: Final = "application/jsonlines"
PARQUET: Final = "application/x-parquet"


@dataclass(frozen=True)
class Facet:
    """A sensitive attribute, and the values or the threshold of the disadvantaged rows."""

    column: Where
    values: tuple[Value, ...]


@dataclass(frozen=True)
class SecondFile:
    """A file beside the rows: its key, where it is, and the names of its columns."""

    key: str
    uri: str
    headers_key: str
    headers: tuple[str, ...] | None


@dataclass(frozen=True)
class Predictions:
    """Where the predicted labels are, or the scores that become labels above a threshold."""

    key: str
    column: Where
    threshold: float | None


@dataclass(frozen=True)
class Configuration:
    """What a configuration says about bias; ``unused`` has the keys that are about other things."""

    dataset_type: str
    headers: tuple[str, ...] | None
    features: str | None
    label: Where
    label_values: tuple[Value, ...]
    facets: tuple[Facet, ...]
    group_variable: Where | None
    predictions: Predictions | None
    excluded: tuple[Where, ...]
    identifier: Where | None
    predicted_file: SecondFile | None
    facet_file: SecondFile | None
    before_training: tuple[ReportedMetric, ...] | None
    after_training: tuple[ReportedMetric, ...] | None
    unused: tuple[str, ...]

    @property
    def has_flip_test(self) -> bool:
        """Whether the flip test is among the metrics."""
        return any(each.here == FLIPTEST for each in self.after_training or ())

    @property
    def second_files(self) -> list[SecondFile]:
        """The files beside the data."""
        return [each for each in (self.facet_file, self.predicted_file) if each is not None]

    @classmethod
    def read(cls, path: str) -> Configuration:
        """Read a file; raise if it is no JSON, or has a mistake."""
        try:
            return _configuration(JsonObject(object_in(path), CONFIGURATION))
        except RecursionError as error:
            msg = "is nested too deeply; no key takes more than lists of objects of lists"
            raise FairnessError(msg) from error


def _configuration(table: JsonObject) -> Configuration:
    if table.get("version") not in (None, VERSION):
        msg = f"version: takes {VERSION!r}, the only one there is, got {table.get('version')!r}"
        raise FairnessError(msg)
    methods = table.inner("methods", METHODS)
    predictor = table.inner("predictor", PREDICTOR)
    before = _reported(methods, "pre_training_bias", BEFORE_TRAINING)
    after = _reported(methods, "post_training_bias", AFTER_TRAINING)
    if before is None and after is None:
        msg = f"methods: neither {listed(METHODS.used, 'nor')} is among them; add one or both"
        raise FairnessError(msg)
    predictions = _predictions(table, predictor, needed=after is not None)
    if after is not None and predictions is None:
        msg = (
            "methods.post_training_bias: needs predictions, and no model is called here; name "
            "their column in predicted_label, or that of scores in predictor.probability"
        )
        raise FairnessError(msg)
    return Configuration(
        dataset_type=_dataset_type(table),
        headers=table.several("headers"),
        features=table.get("features"),
        label=table.required("label", '"label": "approved"'),
        label_values=_values(
            table.required("label_values_or_threshold", '"label_values_or_threshold": [1]')
        ),
        facets=tuple(_facets(table)),
        group_variable=table.get("group_variable"),
        predictions=predictions,
        excluded=table.several("excluded_columns") or (),
        identifier=table.get("joinsource_name_or_index"),
        predicted_file=_second_file(table, "predicted_label"),
        facet_file=_second_file(table, "facet"),
        before_training=before,
        after_training=after,
        unused=(*table.unused(), *methods.unused(), *predictor.unused()),
    )


def _dataset_type(table: JsonObject) -> str:
    known = (CSV, JSON_LINES, PARQUET)
    found = table.required("dataset_type", f'"dataset_type": "{CSV}"').lower()
    if found not in known:
        msg = f"dataset_type: {found!r} cannot be read; convert the file to one of {listed(known)}"
        raise FairnessError(msg)
    return str(found)


def _facets(table: JsonObject) -> Iterator[Facet]:
    example = '"facet": [{"name_or_index": "sex", "value_or_threshold": ["F"]}]'
    for place, values in enumerate(table.required("facet", example)):
        facet = JsonObject(values, FACET, f"facet[{place}]")
        column = facet.required("name_or_index", '"name_or_index": "sex"')
        given = facet.get("value_or_threshold")
        yield Facet(column, () if given is None else _values(given))


def _values(given: Any) -> tuple[Value, ...]:
    return tuple(given) if isinstance(given, list) else (given,)


def _reported(
    methods: JsonObject, stage: str, all_of_stage: Sequence[ReportedMetric]
) -> tuple[ReportedMetric, ...] | None:
    if methods.get(stage) is None:
        return None
    table = methods.inner(stage, METHOD)
    given = table.required("methods", '"methods": "all"')
    if given in ("all", ["all"]):
        return tuple(all_of_stage)
    known = [metric.name for metric in all_of_stage]
    for name in given:
        if name not in known:
            msg = f"{table.key_of('methods')}: no metric {name!r}; {did_you_mean(name, known, 13)}"
            raise FairnessError(msg)
    return tuple(metric for metric in all_of_stage if metric.name in given)


def _predictions(table: JsonObject, predictor: JsonObject, *, needed: bool) -> Predictions | None:
    """The column of predictions: of labels, else of the model's labels, else of its scores."""
    column, label, scores = (
        table.get("predicted_label"),
        predictor.get("label"),
        predictor.get("probability"),
    )
    if column is None and needed:
        if label is not None:
            return Predictions("predictor.label", label, None)
        if scores is not None:
            threshold = table.get("probability_threshold")
            return Predictions(
                "predictor.probability", scores, 0.5 if threshold is None else threshold
            )
    if column is None and table.get("predicted_label_dataset_uri") is not None:
        column = "predicted_label"  # Clarify's default in the second file
    return None if column is None else Predictions("predicted_label", column, None)


def _second_file(table: JsonObject, name: str) -> SecondFile | None:
    uri, headers = table.get(f"{name}_dataset_uri"), table.several(f"{name}_headers")
    if uri is None:
        if headers is not None:
            msg = f"{name}_headers: are those of {name}_dataset_uri, which is missing; give both"
            raise FairnessError(msg)
        return None
    if _dataset_type(table) != CSV:
        msg = f"{name}_dataset_uri: is for dataset_type {CSV!r} alone; join the files yourself"
        raise FairnessError(msg)
    return SecondFile(f"{name}_dataset_uri", uri, f"{name}_headers", headers)
