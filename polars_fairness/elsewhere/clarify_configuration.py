"""The bias part of an `analysis_config.json`, with errors that name its keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from sys import float_info
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from polars_fairness.errors import FairnessError, did_you_mean, listed, shown


class ReportedMetric(NamedTuple):
    """A metric as Clarify reports it, and the name that it has here."""

    name: str
    title: str
    here: str


# Clarify writes them in this order, that of their names.
STAGES: Final = {
    "post_training_bias": (
        ReportedMetric("AD", "Accuracy Difference", "ad"),
        ReportedMetric("CDDPL", "Conditional Demographic Disparity in Predicted Labels", "cddpl"),
        ReportedMetric("DAR", "Difference in Acceptance Rates", "dar"),
        ReportedMetric("DCA", "Difference in Conditional Acceptance", "dcacc"),
        ReportedMetric("DCR", "Difference in Conditional Rejection", "dcr"),
        ReportedMetric("DI", "Disparate Impact", "di"),
        ReportedMetric("DPPL", "Difference in Positive Proportions in Predicted Labels", "dppl"),
        ReportedMetric("DRR", "Difference in Rejection Rates", "drr"),
        ReportedMetric("FT", "Flip Test", "fliptest"),
        ReportedMetric("GE", "Generalized Entropy", "ge"),
        ReportedMetric("RD", "Recall Difference", "rd"),
        ReportedMetric("SD", "Specificity Difference", "sd"),
        ReportedMetric("TE", "Treatment Equality", "te"),
    ),
    "pre_training_bias": (
        ReportedMetric("CDDL", "Conditional Demographic Disparity in Labels", "cddl"),
        ReportedMetric("CI", "Class Imbalance", "ci"),
        ReportedMetric("DPL", "Difference in Positive Proportions in Labels", "dpl"),
        ReportedMetric("JS", "Jensen-Shannon Divergence", "js"),
        ReportedMetric("KL", "Kullback-Liebler Divergence", "kl"),
        ReportedMetric("KS", "Kolmogorov-Smirnov Distance", "ks"),
        ReportedMetric("LP", "L-p Norm", "lp"),
        ReportedMetric("TVD", "Total Variation Distance", "tvd"),
    ),
}


def _a(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind)


def _is_column(value: Any) -> bool:
    is_index = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return isinstance(value, str) or is_index


def _is_value(value: Any) -> bool:
    # Python reads NaN, which is not JSON, and takes 1e999 for infinite.
    is_number = isinstance(value, int | float) and abs(value) <= float_info.max
    return isinstance(value, str) or is_number


def _list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


# What a key takes, in words, and whether a value is of that kind.
_KINDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "text": _a(str),
    "a number from 0 to 1": lambda x: isinstance(x, int | float) and 0 <= x <= 1,
    "the name of a column, or its index from 0": _is_column,
    "a list of names or indexes of columns": _list_of(_is_column),
    "a list of names": _list_of(_a(str)),
    "a list of values, or of one threshold": lambda x: _is_value(x) or _list_of(_is_value)(x),
    "an object, {...}": _a(dict),
    "a list of objects, [{...}]": _list_of(_a(dict)),
    '"all" or a list of names of metrics': lambda x: x == "all" or _list_of(_a(str))(x),
}
_TEXT, _SHARE, _COLUMN, _COLUMNS, _NAMES, _VALUES, _OBJECT, _OBJECTS, _METRICS = _KINDS


class Keys(NamedTuple):
    """The keys of an object: used, about other things, and with what to do instead."""

    used: Mapping[str, str]
    unused: tuple[str, ...] = ()
    instead: Mapping[str, str] = MappingProxyType({})


_JOINED: Final = (
    *("joinsource_name_or_index", "predicted_label_dataset_uri", "predicted_label_headers"),
    *("facet_dataset_uri", "facet_headers"),
)
_CONFIGURATION: Final = Keys(
    {
        **dict.fromkeys(("label", "predicted_label", "group_variable"), _COLUMN),
        **dict.fromkeys(("version", "dataset_type"), _TEXT),  # files have names that say the type
        **dict.fromkeys(("methods", "predictor"), _OBJECT),
        "headers": _NAMES,
        "facet": _OBJECTS,
        "excluded_columns": _COLUMNS,
        "label_values_or_threshold": _VALUES,
        "probability_threshold": _SHARE,
    },
    # The rows are those of the files given to the command.
    unused=("dataset_uri", "segment_config", "time_series_data_config"),
    instead=dict.fromkeys(_JOINED, "join the files first, and give the file of all columns")
    | {"features": "write each value as a field of its own, and name the fields in the keys"},
)
_FACET: Final = Keys({"name_or_index": _COLUMN, "value_or_threshold": _VALUES})
_METHODS: Final = Keys(
    {"pre_training_bias": _OBJECT, "post_training_bias": _OBJECT},
    unused=("shap", "asymmetric_shapley_value", "pdp", "report"),
)
_PREDICTOR: Final = Keys(
    {"label": _COLUMN, "probability": _COLUMN},
    # No model is called.
    unused=(
        *("model_name", "endpoint_name", "endpoint_name_prefix", "target_model"),
        *("instance_type", "initial_instance_count", "accelerator_type", "content_type"),
        *("accept_type", "content_template", "record_template", "custom_attributes"),
        *("label_headers", "time_series_predictor_config"),
    ),
)


class Given(NamedTuple):
    """A column, and the values or the threshold given for it, by the keys that give them."""

    key: str
    column: str
    of_values: str
    values: tuple[str | float, ...]


class Predictions(NamedTuple):
    """The column of predicted labels, or of scores that become labels above a threshold."""

    key: str
    column: str
    threshold: float | None = None


class Configuration(NamedTuple):
    """What a configuration says about bias; ``unused`` has the keys that are about other things."""

    label: Given
    facets: tuple[Given, ...]
    predictions: Predictions | None
    group_variable: str | None
    features: tuple[str, ...]
    """All columns but the outcomes and those excluded."""
    stages: Mapping[str, tuple[ReportedMetric, ...]]
    """The metrics of each section of the analysis."""
    unused: tuple[str, ...]

    @property
    def has_flip_test(self) -> bool:
        """Whether the flip test is among the metrics."""
        return any(each.name == "FT" for of_stage in self.stages.values() for each in of_stage)


def read_object(path: str) -> dict[str, Any]:
    """The object in a file; raise if it is not JSON."""
    try:
        content = json.loads(Path(path).read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise FairnessError(
            f"cannot be read as JSON in UTF-8: {error}; give an analysis configuration"
        ) from error
    if not isinstance(content, dict):
        raise FairnessError(f"takes an object, {{...}}, got {shown(content)}")
    return content


def configuration_of(content: Mapping[str, Any], columns: Sequence[str]) -> Configuration:
    """The configuration in an object, about data with these columns; raise for a mistake."""
    table = _JsonObject(content, _CONFIGURATION, columns)
    if table.values.get("version", "1.0") != "1.0":
        raise FairnessError(f"version: takes '1.0', the only one, got {content['version']!r}")
    if list(table.values.get("headers", columns)) != list(columns):
        raise FairnessError(
            f"headers: are not the names in the data, {listed(columns)}; write headers into line "
            "1 of each file, and leave the key out"
        )
    methods, predictor = table.inner("methods", _METHODS), table.inner("predictor", _PREDICTOR)
    stages = dict(_stages(methods))
    if not stages:
        raise FairnessError(
            f"methods: neither {listed(_METHODS.used, 'nor')} is among them; add one or both"
        )
    predictions = _predictions(table, predictor) if "post_training_bias" in stages else None
    label = table.given("label", "repaid", "label_values_or_threshold", "[1]")
    outcomes = {label.column: "label"}
    if predictions is not None:
        outcomes[predictions.column] = predictions.key
    given = table.values.get("excluded_columns", [])
    left_out = {*outcomes, *(table.column("excluded_columns", each) for each in given)}
    return Configuration(
        label=label,
        facets=tuple(_facets(table, outcomes)),
        predictions=predictions,
        group_variable=table.column_at("group_variable"),
        features=tuple(name for name in columns if name not in left_out),
        stages={f"{stage}_metrics": metrics for stage, metrics in stages.items()},
        unused=(*table.unused(), *methods.unused(), *predictor.unused()),
    )


class _JsonObject:
    """An object of the configuration, whose keys are known and take their values."""

    def __init__(
        self, values: Mapping[str, Any], keys: Keys, columns: Sequence[str], key: str = ""
    ) -> None:
        self.values = {name: value for name, value in values.items() if value is not None}
        self.keys, self.columns, self.key = keys, columns, key
        for name, value in self.values.items():
            if name in keys.instead:
                raise FairnessError(f"{self.key_of(name)}: is not read; {keys.instead[name]}")
            if name not in (*keys.used, *keys.unused):
                hint = did_you_mean(name, [*keys.used, *keys.unused], most=20)
                raise FairnessError(f"{self.key_of(name)}: no such key; {hint}")
            takes = keys.used.get(name)
            if takes is not None and not _KINDS[takes](value):
                raise FairnessError(f"{self.key_of(name)}: takes {takes}, got {shown(value)}")

    def key_of(self, name: str) -> str:
        """The path of a key, such as `methods.shap`."""
        return f"{self.key}.{name}" if self.key else name

    def required(self, name: str, example: str) -> Any:
        """The value of a key; raise if there is none."""
        if self.values.get(name, []) == []:
            key = self.key_of(name)
            raise FairnessError(f'{key}: is missing; give it, as in "{name}": {example}')
        return self.values[name]

    def inner(self, name: str, keys: Keys, place: int | None = None) -> _JsonObject:
        """The object at a key, empty if there is none; with a place, that of a list of objects."""
        value, key = self.values.get(name, {}), self.key_of(name)
        if place is not None:
            value, key = value[place], f"{key}[{place}]"
        return _JsonObject(value, keys, self.columns, key)

    def unused(self) -> Iterator[str]:
        """The keys that are there, but not about bias."""
        return (self.key_of(name) for name in self.values if name in self.keys.unused)

    def column(self, name: str, where: str | int) -> str:
        """The column that a key names, or has the index of."""
        if isinstance(where, int) and where < len(self.columns):
            return self.columns[where]
        if where not in self.columns:
            hint = did_you_mean(str(where), self.columns)
            raise FairnessError(f"{self.key_of(name)}: no column {where!r} in the data; {hint}")
        return str(where)

    def column_at(self, name: str) -> str | None:
        """The column at a key, if there is one."""
        return self.column(name, self.values[name]) if name in self.values else None

    def given(self, name: str, example: str, of_values: str, values: str = "") -> Given:
        """A column with its values, which are required if there is an example of them."""
        column = self.column(name, self.required(name, f'"{example}"'))
        content = self.required(of_values, values) if values else self.values.get(of_values, [])
        several = tuple(content) if isinstance(content, list) else (content,)
        return Given(self.key_of(name), column, self.key_of(of_values), several)


def _facets(table: _JsonObject, outcomes: Mapping[str, str]) -> Iterator[Given]:
    example = '[{"name_or_index": "sex", "value_or_threshold": ["F"]}]'
    for place, _ in enumerate(table.required("facet", example)):
        inner = table.inner("facet", _FACET, place)
        facet = inner.given("name_or_index", "sex", "value_or_threshold")
        if facet.column in outcomes:
            raise FairnessError(
                f"{facet.key}: {facet.column!r} is the column of {outcomes[facet.column]} too; "
                "name another column for one"
            )
        yield facet


def _stages(methods: _JsonObject) -> Iterator[tuple[str, tuple[ReportedMetric, ...]]]:
    """The metrics of each stage that the methods name."""
    for stage, metrics in STAGES.items():
        if stage not in methods.values:
            continue
        table = methods.inner(stage, Keys({"methods": _METRICS}))
        known = [metric.name for metric in metrics]
        given = table.required("methods", '"all"')
        names = known if given in ("all", ["all"]) else given
        for name in names:
            if name not in known:
                hint = did_you_mean(name, known, 13)
                raise FairnessError(f"{table.key_of('methods')}: no metric {name!r}; {hint}")
        yield stage, tuple(metric for metric in metrics if metric.name in names)


def _predictions(table: _JsonObject, predictor: _JsonObject) -> Predictions:
    """The column of predictions: of labels, else of the model's labels, else of its scores."""
    for inner, name in (
        (table, "predicted_label"),
        (predictor, "label"),
        (predictor, "probability"),
    ):
        if (column := inner.column_at(name)) is not None:
            above = (
                table.values.get("probability_threshold", 0.5) if name == "probability" else None
            )
            return Predictions(inner.key_of(name), column, above)
    raise FairnessError(
        "methods.post_training_bias: needs predictions, and no model is called here; name their "
        "column in predicted_label, or that of scores in predictor.probability"
    )
