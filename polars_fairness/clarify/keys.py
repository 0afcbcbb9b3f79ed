"""The keys that a configuration may have, and the values that they take."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from sys import float_info
from typing import Any, Final

from polars_fairness.errors import FairnessError, did_you_mean, shown


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
METHODS: Final = Keys(
    {"pre_training_bias": _OBJECT, "post_training_bias": _OBJECT},
    unused=("shap", "asymmetric_shapley_value", "pdp", "report"),
)
METHOD: Final = Keys({"methods": _METRICS})
PREDICTOR: Final = Keys(
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


class JsonObject:
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
            msg = f"{self.key_of(name)}: {found}"
            raise FairnessError(msg)
        kind = self.keys.used[name]
        if value is not None and not kind.fits(value):
            msg = f"{self.key_of(name)}: takes {kind.takes}, got {shown(value)}"
            raise FairnessError(msg)

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
            msg = f"{self.key_of(name)}: is missing; give it, as in {example}"
            raise FairnessError(msg)
        return value

    def several(self, name: str) -> tuple[Any, ...] | None:
        """The elements of a list, None if there is none."""
        value = self.values.get(name)
        return None if value is None else tuple(value)

    def inner(self, name: str, keys: Keys) -> JsonObject:
        """The object at a key, empty if there is none."""
        return JsonObject(self.values.get(name) or {}, keys, self.key_of(name))

    def unused(self) -> Iterator[str]:
        """The keys that are there, but not about bias."""
        return (self.key_of(name) for name in self.values if name in self.keys.unused)


def object_in(path: str) -> Mapping[str, Any]:
    """The object in a file; raise if this is no JSON."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
        found = json.loads(text)
    except UnicodeDecodeError as error:
        msg = "is not text in UTF-8; save it as UTF-8"
        raise FairnessError(msg) from error
    except OSError as error:
        msg = f"cannot be read: {error.strerror}; give the name of an analysis configuration"
        raise FairnessError(msg) from error
    except json.JSONDecodeError as error:
        msg = f"is no JSON: {error.msg} in line {error.lineno}, column {error.colno}; mend it there"
        raise FairnessError(msg) from error
    except ValueError as error:  # of Python, about numbers of thousands of digits
        msg = f"is no JSON that can be read: {error}; mend it there"
        raise FairnessError(msg) from error
    if not isinstance(found, dict):
        msg = f"takes an object, {{...}}, got {shown(found)}"
        raise FairnessError(msg)
    return found
