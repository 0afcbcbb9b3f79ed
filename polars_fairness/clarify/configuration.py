"""The bias part of an `analysis_config.json`, with errors that name its keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from sys import float_info
from typing import Any, Final

import polars as pl

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.errors import FairnessError, did_you_mean, listed, shown
from polars_fairness.formula.formulas import over_labels
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import a_v, d_v


@dataclass(frozen=True)
class ReportedMetric:
    """A metric as Clarify reports it, and the name that it has here."""

    name: str
    description: str
    here: str


# Clarify writes them in this order, that of their names.
BEFORE_TRAINING: Final = (
    ReportedMetric("CDDL", "Conditional Demographic Disparity in Labels (CDDL)", "cddl"),
    ReportedMetric("CI", "Class Imbalance (CI)", "ci"),
    ReportedMetric("DPL", "Difference in Positive Proportions in Labels (DPL)", "dpl"),
    ReportedMetric("JS", "Jensen-Shannon Divergence (JS)", "js"),
    ReportedMetric("KL", "Kullback-Liebler Divergence (KL)", "kl"),
    ReportedMetric("KS", "Kolmogorov-Smirnov Distance (KS)", "ks"),
    ReportedMetric("LP", "L-p Norm (LP)", "lp"),
    ReportedMetric("TVD", "Total Variation Distance (TVD)", "tvd"),
)
AFTER_TRAINING: Final = (
    ReportedMetric("AD", "Accuracy Difference (AD)", "ad"),
    ReportedMetric(
        "CDDPL", "Conditional Demographic Disparity in Predicted Labels (CDDPL)", "cddpl"
    ),
    ReportedMetric("DAR", "Difference in Acceptance Rates (DAR)", "dar"),
    ReportedMetric("DCA", "Difference in Conditional Acceptance (DCA)", "dcacc"),
    ReportedMetric("DCR", "Difference in Conditional Rejection (DCR)", "dcr"),
    ReportedMetric("DI", "Disparate Impact (DI)", "di"),
    ReportedMetric("DPPL", "Difference in Positive Proportions in Predicted Labels (DPPL)", "dppl"),
    ReportedMetric("DRR", "Difference in Rejection Rates (DRR)", "drr"),
    ReportedMetric("FT", "Flip Test (FT)", "fliptest"),
    ReportedMetric("GE", "Generalized Entropy (GE)", "ge"),
    ReportedMetric("RD", "Recall Difference (RD)", "rd"),
    ReportedMetric("SD", "Specificity Difference (SD)", "sd"),
    ReportedMetric("TE", "Treatment Equality (TE)", "te"),
)

FLIPTEST: Final = "fliptest"

_is_common: Final = (a_v.share > 0) & (d_v.share > 0)
_distance: Final = (a_v.share - d_v.share).abs()
_mean: Final = (a_v.share + d_v.share) / 2


def _common(summand: pl.Expr) -> pl.Expr:
    """A summand over the labels, null for a label that one side lacks.

    Clarify drops these labels, and does not rescale the shares of the others.
    """
    return pl.when(_is_common).then(summand)


def _divergence(share: pl.Expr, reference: pl.Expr) -> pl.Expr:
    return _common(share * (share / reference).log()).sum()


_OVER_COMMON_LABELS: Final = {
    "js": (_divergence(a_v.share, _mean) + _divergence(d_v.share, _mean)) / 2,
    "kl": _divergence(a_v.share, d_v.share),
    "ks": _common(_distance).max(),
    "lp": _common(_distance**2).sum().sqrt(),
    "tvd": _common(_distance).sum() / 2,
}


def as_clarify_computes(name: str) -> Metric:
    """The metric by Clarify's arithmetic, where that is not ``zero_division=0.0`` alone."""
    metric = CATALOGUE[name]
    if name not in _OVER_COMMON_LABELS:
        return metric
    value = pl.when(_is_common.any()).then(_OVER_COMMON_LABELS[name])
    return replace(metric, formula=over_labels(value), aliases=())


@dataclass(frozen=True)
class Kind:
    """The values that a key takes."""

    takes: str
    fits: Callable[[Any], bool]


@dataclass(frozen=True)
class Keys:
    """The keys of an object: those about bias, and those that Clarify knows besides."""

    used: Mapping[str, Kind]
    unused: tuple[str, ...] = ()


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _is_column(value: Any) -> bool:
    is_index = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return isinstance(value, str) or is_index


def _is_value(value: Any) -> bool:
    # Python reads NaN, which is not JSON, and takes 1e999 for infinite.
    return isinstance(value, str) or (
        isinstance(value, int | float) and abs(value) <= float_info.max
    )


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _are(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


_TEXT: Final = Kind("text", _is_text)
_SHARE: Final = Kind("a number from 0 to 1", _is_share)
_COLUMN: Final = Kind("the name of a column, or its index from 0", _is_column)
_COLUMNS: Final = Kind("a list of names or indexes of columns", _are(_is_column))
_NAMES: Final = Kind("a list of names", _are(_is_text))
_VALUES: Final = Kind(
    "a list of values, or of one threshold",
    lambda value: _is_value(value) or _are(_is_value)(value),
)
_OBJECT: Final = Kind("an object, {...}", _is_object)
_OBJECTS: Final = Kind("a list of objects, [{...}]", _are(_is_object))
_METRICS: Final = Kind(
    '"all" or a list of names of metrics',
    lambda value: value == "all" or _are(_is_text)(value),
)

CONFIGURATION: Final = Keys(
    {
        "version": _TEXT,
        "dataset_type": _TEXT,
        "headers": _NAMES,
        "features": _TEXT,
        "label": _COLUMN,
        "label_values_or_threshold": _VALUES,
        "facet": _OBJECTS,
        "group_variable": _COLUMN,
        "predicted_label": _COLUMN,
        "probability_threshold": _SHARE,
        "excluded_columns": _COLUMNS,
        "joinsource_name_or_index": _COLUMN,
        "predicted_label_dataset_uri": _TEXT,
        "predicted_label_headers": _NAMES,
        "facet_dataset_uri": _TEXT,
        "facet_headers": _NAMES,
        "methods": _OBJECT,
        "predictor": _OBJECT,
    },
    # The rows are those of the files given to the command.
    unused=("dataset_uri", "segment_config", "time_series_data_config"),
)
FACET: Final = Keys({"name_or_index": _COLUMN, "value_or_threshold": _VALUES})
_METHODS: Final = Keys(
    {"pre_training_bias": _OBJECT, "post_training_bias": _OBJECT},
    unused=("shap", "asymmetric_shapley_value", "pdp", "report"),
)
METHOD: Final = Keys({"methods": _METRICS})
_PREDICTOR: Final = Keys(
    {"label": _COLUMN, "probability": _COLUMN},
    # No model is called.
    unused=(
        "model_name",
        "endpoint_name",
        "endpoint_name_prefix",
        "target_model",
        "instance_type",
        "initial_instance_count",
        "accelerator_type",
        "content_type",
        "accept_type",
        "content_template",
        "record_template",
        "custom_attributes",
        "label_headers",
        "time_series_predictor_config",
    ),
)


class _JsonObject:
    """An object of the configuration, whose keys are known and take their values."""

    def __init__(self, values: Mapping[str, Any], keys: Keys, key: str = "") -> None:
        self.values = values
        self.keys = keys
        self.key = key
        for name, value in values.items():
            self._check(name, value)

    def _check(self, name: str, value: Any) -> None:
        if name in self.keys.unused:
            return
        if name not in self.keys.used:
            known = [*self.keys.used, *self.keys.unused]
            found = f"no such key; {did_you_mean(name, known, most=20)}"
            if name in CONFIGURATION.used:
                found = f"is a key of the configuration itself; move it out of {self.key}"
            raise FairnessError(f"{self.key_of(name)}: {found}")
        kind = self.keys.used[name]
        if value is not None and not kind.fits(value):
            raise FairnessError(f"{self.key_of(name)}: takes {kind.takes}, got {shown(value)}")

    def key_of(self, name: str) -> str:
        """The way to a key, such as `methods.shap`."""
        return f"{self.key}.{name}" if self.key else name

    def get(self, name: str) -> Any:
        """The value of a key, None if there is none."""
        return self.values.get(name)

    def required(self, name: str, example: str) -> Any:
        """The value of a key; raise if there is none."""
        value = self.values.get(name)
        if value is None or value == []:
            raise FairnessError(f"{self.key_of(name)}: is missing; give it, as in {example}")
        return value

    def several(self, name: str) -> tuple[Any, ...] | None:
        """The elements of a list, None if there is none."""
        value = self.values.get(name)
        return None if value is None else tuple(value)

    def inner(self, name: str, keys: Keys) -> _JsonObject:
        """The object at a key, empty if there is none."""
        return _JsonObject(self.values.get(name) or {}, keys, self.key_of(name))

    def unused(self) -> Iterator[str]:
        """The keys that are there, but not about bias."""
        return (self.key_of(name) for name in self.values if name in self.keys.unused)


def _object_in(path: str) -> Mapping[str, Any]:
    """The object in a file; raise if this is no JSON."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
        found = json.loads(text)
    except UnicodeDecodeError as error:
        raise FairnessError("is not text in UTF-8; save it as UTF-8") from error
    except OSError as error:
        raise FairnessError(
            f"cannot be read: {error.strerror}; give the name of an analysis configuration"
        ) from error
    except json.JSONDecodeError as error:
        raise FairnessError(
            f"is no JSON: {error.msg} in line {error.lineno}, column {error.colno}; mend it there"
        ) from error
    except ValueError as error:  # of Python, about numbers of thousands of digits
        raise FairnessError(f"is no JSON that can be read: {error}; mend it there") from error
    if not isinstance(found, dict):
        raise FairnessError(f"takes an object, {{...}}, got {shown(found)}")
    return found


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
            return _configuration(_JsonObject(_object_in(path), CONFIGURATION))
        except RecursionError as error:
            raise FairnessError(
                "is nested too deeply; no key takes more than lists of objects of lists"
            ) from error


def _configuration(table: _JsonObject) -> Configuration:
    if table.get("version") not in (None, VERSION):
        raise FairnessError(
            f"version: takes {VERSION!r}, the only one there is, got {table.get('version')!r}"
        )
    methods = table.inner("methods", _METHODS)
    predictor = table.inner("predictor", _PREDICTOR)
    before = _reported(methods, "pre_training_bias", BEFORE_TRAINING)
    after = _reported(methods, "post_training_bias", AFTER_TRAINING)
    if before is None and after is None:
        raise FairnessError(
            f"methods: neither {listed(_METHODS.used, 'nor')} is among them; add one or both"
        )
    predictions = _predictions(table, predictor, needed=after is not None)
    if after is not None and predictions is None:
        raise FairnessError(
            "methods.post_training_bias: needs predictions, and no model is called here; name "
            "their column in predicted_label, or that of scores in predictor.probability"
        )
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


def _dataset_type(table: _JsonObject) -> str:
    known = (CSV, JSON_LINES, PARQUET)
    found = table.required("dataset_type", f'"dataset_type": "{CSV}"').lower()
    if found not in known:
        raise FairnessError(
            f"dataset_type: {found!r} cannot be read; convert the file to one of {listed(known)}"
        )
    return str(found)


def _facets(table: _JsonObject) -> Iterator[Facet]:
    example = '"facet": [{"name_or_index": "sex", "value_or_threshold": ["F"]}]'
    for place, values in enumerate(table.required("facet", example)):
        facet = _JsonObject(values, FACET, f"facet[{place}]")
        column = facet.required("name_or_index", '"name_or_index": "sex"')
        given = facet.get("value_or_threshold")
        yield Facet(column, () if given is None else _values(given))


def _values(given: Any) -> tuple[Value, ...]:
    return tuple(given) if isinstance(given, list) else (given,)


def _reported(
    methods: _JsonObject, stage: str, all_of_stage: Sequence[ReportedMetric]
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
            raise FairnessError(
                f"{table.key_of('methods')}: no metric {name!r}; {did_you_mean(name, known, 13)}"
            )
    return tuple(metric for metric in all_of_stage if metric.name in given)


def _predictions(table: _JsonObject, predictor: _JsonObject, *, needed: bool) -> Predictions | None:
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


def _second_file(table: _JsonObject, name: str) -> SecondFile | None:
    uri, headers = table.get(f"{name}_dataset_uri"), table.several(f"{name}_headers")
    if uri is None:
        if headers is not None:
            raise FairnessError(
                f"{name}_headers: are those of {name}_dataset_uri, which is missing; give both"
            )
        return None
    if _dataset_type(table) != CSV:
        raise FairnessError(
            f"{name}_dataset_uri: is for dataset_type {CSV!r} alone; join the files yourself"
        )
    return SecondFile(f"{name}_dataset_uri", uri, f"{name}_headers", headers)
