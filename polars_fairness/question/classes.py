"""Several classes: each is positive in turn, beside the rest or the lower ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import polars as pl

from polars_fairness.errors import FairnessError, keyword
from polars_fairness.question.outcomes import Classes
from polars_fairness.question.roles import Roles


def with_classes(roles: Roles, *, is_cumulative: bool) -> Roles:
    """The question in which each class is positive in turn, of one about outcomes."""
    for score in (model.score for model in roles.models if model.score):
        _refuse(f"{score.column.name!r} is {score.column.dtype}, and {_TYPES}")
    for model in roles.models:
        if model.predicted is None:
            _refuse(f"the predictions of model {model.name!r} are floats, and {_TYPES}")
    label, predicted = roles.label, [model.predicted for model in roles.models if model.predicted]
    if label is None and not predicted:
        _refuse(f"no outcome has classes; give {keyword('label')} or {keyword('predicted')}")
    of_classes = Classes(
        label and label.without_assumption(),
        tuple(each.without_assumption() for each in predicted),
        is_cumulative,
    )
    types = {outcome.column.name: outcome.column.dtype for outcome in of_classes.outcomes}
    dtype = _common_type(types)
    if is_cumulative and not (isinstance(dtype, pl.Enum) or dtype.is_integer()):
        name, given = next(iter(types.items()))
        _refuse(
            f"{keyword('classes', 'cumulative')} needs an order, and {name!r} is {given}; cast it "
            f"to pl.Enum with the lowest class first, or give {keyword('classes', 'each')}"
        )
    return replace(
        roles,
        windows=roles.windows.of_classes(dtype),
        label=label and label.decided(),
        models=tuple(
            replace(model, predicted=model.predicted and model.predicted.decided())
            for model in roles.models
        ),
        classes=of_classes,
    )


_TYPES: Final = "classes are text, whole numbers, Booleans or an Enum"


def _common_type(types: Mapping[str, pl.DataType]) -> pl.DataType:
    """The type of classes, the same for both outcomes."""
    for name, dtype in types.items():
        is_text = dtype in (pl.String, pl.Categorical, pl.Enum)
        if not (is_text or dtype.is_integer() or dtype == pl.Boolean):
            _refuse(f"{name!r} is {dtype}, and {_TYPES}; cast it")
    first, *others = types.values()
    if any(other != first for other in others):
        listed = " and ".join(f"{name!r} is {dtype}" for name, dtype in types.items())
        _refuse(f"{listed}, so that their classes cannot be compared; cast one to the other's type")
    return pl.String() if first == pl.Categorical else first


def _refuse(reason: str) -> None:
    raise FairnessError(f"classes: {reason}")
