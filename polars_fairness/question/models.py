"""Several models on the same rows: a dictionary of their predictions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, Literal

import polars as pl

from polars_fairness.errors import FairnessError, did_you_mean, listed, require_number, shown
from polars_fairness.question.columns import find_single_column
from polars_fairness.question.outcomes import Outcome
from polars_fairness.question.scores import Score

CHAMPION: Final = "champion"
"""The key of cells that holds the decision of the model that others are compared with."""


@dataclass(frozen=True)
class Model:
    """One of several models: its name, and how its predictions are decided."""

    name: str
    predicted: Outcome | None
    score: Score | None
    thresholds: tuple[float, ...] | Literal["every"] | None


def questions_of_models(
    schema: pl.Schema, question: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """What each model changes in a question: its prediction, threshold and positive values."""
    predicted, threshold = question["predicted"], question["threshold"]
    _refuse_no_models(predicted)
    thresholds = _thresholds(threshold, predicted)
    names = {
        name: [column.name for column in find_single_column(schema, "predicted", given)]
        for name, given in predicted.items()
    }
    return {
        name: {
            "predicted": given,
            "threshold": thresholds[name],
            "positive": _positive(question["positive"], names, name),
        }
        for name, given in predicted.items()
    }


def _thresholds(given: object, models: Mapping[str, object]) -> Mapping[str, object]:
    if not isinstance(given, Mapping):
        return dict.fromkeys(models, given)
    require_models("threshold", given, models)
    if absent := [name for name in models if name not in given]:
        msg = f"threshold: none for {listed(absent)}; give one for each model, or one for all"
        raise FairnessError(msg)
    return {name: require_number("threshold", each) for name, each in given.items()}


def _positive(given: object, columns: Mapping[str, Sequence[str]], model: str) -> object:
    """The positive values for one model, without those of the columns of the others."""
    if not isinstance(given, Mapping):
        return given
    of_others = {*chain.from_iterable(columns.values())} - {*columns[model]}
    return {column: values for column, values in given.items() if column not in of_others}


def require_models(argument: str, given: Iterable[object], models: Collection[str]) -> None:
    """Raise if a name is not that of a model."""
    for name in given:
        if name not in models:
            msg = f"{argument}: {name!r} is not among the models; {did_you_mean(str(name), models)}"
            raise FairnessError(msg)


def _refuse_no_models(predicted: Mapping[object, object]) -> None:
    if not predicted:
        msg = "predicted: got an empty dictionary; name a column, or {model: column}"
        raise FairnessError(msg)
    for name in predicted:
        if not isinstance(name, str):
            msg = f"predicted: a model is named by a text, got {shown(name)}; give {{name: column}}"
            raise FairnessError(msg)


def refuse_different_kinds(models: tuple[Model, ...]) -> None:
    """Raise if some models decide, and others give only scores; or if decisions are unknown."""
    for model in models:
        if model.predicted is not None and not model.predicted.is_binary:
            column = model.predicted.column
            msg = (
                f"positive: which values of {column.name!r} ({column.dtype}), the predictions of "
                f"model {model.name!r}, count as positive is not known; give positive="
            )
            raise FairnessError(msg)
    decide = [model.name for model in models if model.predicted is not None]
    if decide and len(decide) < len(models):
        others = [model.name for model in models if model.predicted is None]
        msg = (
            f"predicted: {listed(decide)} decides, and {listed(others)} is a score without a "
            "threshold; give threshold= for each, {model: number}"
        )
        raise FairnessError(msg)
