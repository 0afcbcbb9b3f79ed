"""Typed models: the prediction and the threshold of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from polars_fairness.cli.typed_judging import each_once
from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.scores import ThresholdLike


def predicted_in(texts: Sequence[str], schema: pl.Schema) -> str | dict[str, str]:
    """The column of the predictions, or that of each model in ``model=column``.

    A single text that is a column is this column, also with an ``=`` in its name.
    """
    [first, *others] = texts
    if not others and (first in schema or "=" not in first):
        return first
    return each_once("predicted", [_model_and_column(text, schema) for text in texts])


def _model_and_column(text: str, schema: pl.Schema) -> tuple[str, str]:
    """The model and its column: split at the first ``=`` before a column, else at the first."""
    splits = [(text[:at], text[at + 1 :]) for at, sign in enumerate(text) if sign == "="]
    if not splits:
        msg = f"predicted: {text!r} names no model; of several models, write each as MODEL=COLUMN"
        raise FairnessError(msg)
    return next((split for split in splits if split[1] in schema), splits[0])


def threshold_in(arguments: Mapping[str, Any]) -> ThresholdLike | None:
    """The typed threshold, or several, or that of each model; only several make a column."""
    given: list[Any] = arguments.get("threshold", [None])
    of_models = [each for each in given if isinstance(each, tuple)]
    if len(of_models) == len(given):
        return each_once("threshold", of_models)
    if of_models:
        typed = [f"{name}={number:g}" for name, number in of_models]
        msg = (
            f"threshold: {listed(typed)} is for one model, and others are for all; give the "
            "thresholds of all models, or one MODEL=NUMBER for each"
        )
        raise FairnessError(msg)
    return given[0] if len(given) == 1 else given


def columns_of(predicted: str | Mapping[str, str]) -> Iterator[str]:
    """The columns of all models."""
    yield from [predicted] if isinstance(predicted, str) else predicted.values()


def windows_made(answer: pl.DataFrame, arguments: Mapping[str, Any]) -> list[str]:
    """The first columns of an answer that are no columns of --by: models and thresholds."""
    windows = answer.columns[: answer.columns.index("facet")]
    return windows[len(arguments.get("by", [])) :]
