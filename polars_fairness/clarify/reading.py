"""How a configuration reads its data: which rows are favorable, predicted so, and on side d."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from polars_fairness.clarify.configuration import Configuration
from polars_fairness.clarify.dataset import Dataset, Found, Predicted
from polars_fairness.clarify.selections import Given, Selection, comparable, selections
from polars_fairness.errors import FairnessError, listed


@dataclass(frozen=True)
class FacetReading:
    """A facet, and whether a row is on side d; or its value, where each value takes its turn."""

    found: Found
    selection: Selection
    counted: pl.Expr


@dataclass(frozen=True)
class Reading:
    """The columns of a question, made from those that the configuration names."""

    label: pl.Expr
    label_text: str
    predicted: pl.Expr | None
    facets: tuple[FacetReading, ...]
    subgroup: pl.Expr | None


def reading_of(configuration: Configuration, dataset: Dataset, *, as_clarify: bool) -> Reading:
    """Read the columns as Clarify does.

    With ``as_clarify``, a row whose value is unknown is on side a, and its outcome is negative.
    """
    schema = dataset.rows.collect_schema()

    def known(selected: pl.Expr) -> pl.Expr:
        return selected.fill_null(value=False) if as_clarify else selected

    given = _given(configuration, dataset)
    label, *facets = selections(dataset.rows, given, as_clarify=as_clarify)
    of_label = label.of(pl.col(dataset.label), schema[dataset.label])
    predicted = None
    if dataset.predicted is not None:
        selected = _predicted(dataset.predicted, label, schema, schema[dataset.label])
        name = f"{dataset.predicted.key}: {dataset.predicted.found.name}"
        predicted = known(selected).alias(name)
    readings = []
    for place, (found, selection) in enumerate(zip(dataset.facets, facets, strict=True)):
        column, dtype = pl.col(found.column), schema[found.column]
        counted = comparable(column, dtype)
        if not selection.takes_turns:
            counted = known(selection.of(column, dtype))
        # No two names are the same, even if one column is a facet twice, or also the label.
        readings.append(
            FacetReading(found, selection, counted.alias(f"facet[{place}]: {found.name}"))
        )
    group = dataset.group_variable
    return Reading(
        label=known(of_label).alias(f"label: {dataset.label}"),
        label_text=label.text,
        predicted=predicted,
        facets=tuple(readings),
        subgroup=None if group is None else pl.col(group).alias(f"group_variable: {group}"),
    )


def _given(configuration: Configuration, dataset: Dataset) -> list[Given]:
    label = dataset.label
    facets = zip(configuration.facets, dataset.facets, strict=True)
    return [
        Given(
            "label_values_or_threshold", label, label, configuration.label_values, is_outcome=True
        ),
        *(
            Given(f"facet[{place}].value_or_threshold", found.name, found.column, facet.values)
            for place, (facet, found) in enumerate(facets)
        ),
    ]


def _predicted(
    predicted: Predicted, label: Selection, schema: pl.Schema, dtype_of_label: pl.DataType
) -> pl.Expr:
    """Whether the predicted label of a row is favorable."""
    found, key = predicted.found, predicted.key
    column, dtype = pl.col(found.column), schema[found.column]
    if predicted.threshold is not None:
        if not dtype.is_numeric():
            msg = f"{key}: {found.name!r} holds {dtype}, and scores are numbers; name their column"
            raise FairnessError(msg)
        becomes = (comparable(column, dtype) > predicted.threshold).cast(pl.Int64)
        holds = f"{found.name!r} becomes 1 above probability_threshold, and 0 elsewhere"
        return label.of(becomes, pl.Int64(), key, holds)
    if dtype.is_float() and label.threshold is None and not dtype_of_label.is_float():
        msg = (
            f"{key}: {found.name!r} holds {dtype} such as scores, and labels are "
            f"{listed(label.values, 'or')}; name it in predictor.probability instead, with its "
            "probability_threshold"
        )
        raise FairnessError(msg)
    return label.of(column, dtype, key, f"{found.name!r} holds {dtype}")
