"""Models: how predictions are decided, of one model or of several on the same rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, Final

import polars as pl

from polars_fairness.errors import (
    FairnessError,
    did_you_mean,
    either,
    keyword,
    listed,
    require_number,
    shown,
)
from polars_fairness.question.columns import Column, find_single_column
from polars_fairness.question.facets import fits
from polars_fairness.question.numbers import Number
from polars_fairness.question.outcomes import (
    Outcome,
    ThresholdsTried,
    refuse_unknown_outcomes,
)
from polars_fairness.question.scores import Score, ThresholdLike, find_thresholds, is_several

CHAMPION: Final = "champion"
"""The key of cells that holds the decision of the model that others are compared with."""


@dataclass(frozen=True)
class Model:
    """A model: how its predictions are decided, and its score.

    The decision is given, or made of the values of a column at a threshold, or at each of several.
    Where this column is the score too, rows can be counted by score before they are decided.

    Parameters
    ----------
    name
        None of the only model of a question that names none.
    predicted
        The decision; None for a score without one.
    score
        The score that metrics of scores are about; None where these are not requested.
    estimated
        The number that a named model estimates, in place of a decision and a score.
    """

    name: str | None
    predicted: Outcome | None
    score: Score | None
    estimated: Number | None = None

    @cached_property
    def has_own_score(self) -> bool:
        """Whether the score is a column of its own beside the predictions."""
        if self.score is None or self.predicted is None:
            return self.score is not None
        return not self.predicted.column.is_same(self.score.column)

    @property
    def decides_by_score(self) -> bool:
        """Whether the decision follows from the score that rows are counted by."""
        if self.score is None or self.predicted is None:
            return False
        return bool(self.predicted.thresholds) and not self.has_own_score

    def at_given(self, threshold: ThresholdLike | None) -> Model:
        """The model with the thresholds of its score, if a threshold of a score is given."""
        if threshold is None or self.score is None or self.predicted is None or self.has_own_score:
            return self
        thresholds = find_thresholds(threshold, self.score)
        # One threshold is compared with rows as it was given.
        return self.at(thresholds) if is_several(threshold) else self

    def at(self, thresholds: ThresholdsTried) -> Model:
        """The same model, which decides at other thresholds."""
        predicted = self.predicted and replace(self.predicted, thresholds=thresholds)
        return replace(self, predicted=predicted)

    def decides_like(self, other: Model) -> bool:
        """Whether this model's decisions or numbers are another's, by the same column."""
        if self.estimated is not None and other.estimated is not None:
            return self.estimated.column.is_same(other.estimated.column)
        if self.predicted is None or other.predicted is None:
            return False
        if not self.predicted.column.is_same(other.predicted.column):
            return False
        return self.predicted == replace(other.predicted, column=self.predicted.column)


def questions_of_models(
    schema: pl.Schema, question: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """What each model changes in a question: its prediction, threshold and positive values."""
    predicted, threshold = question["predicted"], question["threshold"]
    refuse_no_models("predicted", predicted)
    thresholds = _thresholds(threshold, predicted)
    label = find_single_column(schema, "label", question["label"])
    columns = {
        name: find_single_column(schema, "predicted", given) for name, given in predicted.items()
    }
    _refuse_one_threshold(threshold, [*chain.from_iterable(columns.values())])
    others = () if question["label_threshold"] is not None else label
    decided = {name: columns[name] if thresholds[name] is None else () for name in predicted}
    outcomes = [*others, *chain.from_iterable(decided.values())]
    if isinstance(question["positive"], Mapping):
        refuse_unknown_outcomes(question["positive"], outcomes)
    return {
        name: {
            "predicted": given,
            "threshold": thresholds[name],
            "positive": _positive(question["positive"], [*others, *decided[name]], outcomes),
        }
        for name, given in predicted.items()
    }


def _thresholds(given: object, models: Mapping[str, object]) -> Mapping[str, object]:
    """The threshold of each model; those without one in a dictionary decide by themselves."""
    if not isinstance(given, Mapping):
        return dict.fromkeys(models, given)
    require_models("threshold", given, models)
    takes = "one number for each model, or a list that is for all of them"
    numbers = {name: require_number("threshold", each, takes) for name, each in given.items()}
    return dict.fromkeys(models) | numbers


def _refuse_one_threshold(given: object, columns: Sequence[Column]) -> None:
    """Raise if a threshold is for scores, and also for decisions beside them."""
    decided = [column for column in columns if not column.dtype.is_numeric()]
    if given is None or isinstance(given, Mapping) or len(decided) in (0, len(columns)):
        return
    raise FairnessError(
        f"threshold: {shown(given)} is for each model, and {decided[0].name!r} is "
        f"{decided[0].dtype}, not a number; give thresholds to the others, "
        f"{either('threshold={model: number}', '--threshold MODEL=NUMBER')}"
    )


def _positive(given: object, own: Sequence[Column], outcomes: Sequence[Column]) -> object:
    """The positive values for one model, without those that are for others only."""
    if isinstance(given, Mapping):
        names = [column.name for column in own]
        return {column: values for column, values in given.items() if column in names}
    if given is None:
        return None
    values = given if isinstance(given, list | tuple | set | frozenset) else [given]
    fitting = [
        value for value in values if _fits_one_of(own, value) or not _fits_one_of(outcomes, value)
    ]
    return fitting if fitting or not values else None


def _fits_one_of(columns: Iterable[Column], value: object) -> bool:
    return any(fits(value, column.dtype) for column in columns)


def require_models(argument: str, given: Iterable[object], models: Collection[str]) -> None:
    """Raise if a name is not that of a model."""
    for name in given:
        if name not in models:
            raise FairnessError(
                f"{argument}: {name!r} is not among the models; {did_you_mean(str(name), models)}"
            )


def refuse_no_models(argument: str, models: Mapping[Any, object]) -> None:
    """Raise if a dictionary of models is empty, or names no column of one."""
    if not models:
        raise FairnessError(
            f"{argument}: got an empty dictionary; name a column, or "
            f"{either('{model: column}', 'MODEL=COLUMN')}"
        )
    for name, column in models.items():
        if not isinstance(name, str):
            raise FairnessError(
                f"{argument}: a model is named by a text, got {shown(name)}; give "
                f"{either('{name: column}', 'MODEL=COLUMN')}"
            )
        if column is None:
            raise FairnessError(
                f"{argument}: model {name!r} has no column; name one, or leave the model out"
            )


def refuse_different_kinds(models: tuple[Model, ...]) -> None:
    """Raise if some models decide, and others give only scores; or if decisions are unknown."""
    for model in models:
        if model.predicted is not None and not model.predicted.is_binary:
            column = model.predicted.column
            raise FairnessError(
                f"positive: which values of {column.name!r} ({column.dtype}), the predictions of "
                f"model {model.name!r}, count as positive is not known; give {keyword('positive')}"
            )
    decide = [model.name for model in models if model.predicted is not None]
    if decide and len(decide) < len(models):
        others = [model.name for model in models if model.predicted is None]
        raise FairnessError(
            f"predicted: {listed(decide)} decides, and {listed(others)} is a score without a "
            f"threshold; give {keyword('threshold')} for each, "
            f"{either('{model: number}', 'MODEL=NUMBER')}"
        )
