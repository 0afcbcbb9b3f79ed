"""The flip test of an analysis: the one metric that needs rows, and their features."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from polars_fairness.api.metrics import metrics
from polars_fairness.clarify.comparisons import Comparison, Result
from polars_fairness.clarify.dataset import Dataset, Found
from polars_fairness.clarify.reported import FLIPTEST
from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.arguments import Nulls


def flips(
    dataset: Dataset,
    predicted: pl.Expr,
    comparisons: Sequence[Comparison],
    *,
    as_clarify: bool,
    nulls: Nulls,
) -> dict[str, Result]:
    """The flip test of each comparison of a facet, by the comparison's name."""
    numeric, others = _features(dataset, comparisons[0].facet.found)
    if not numeric or (as_clarify and others):
        reason = (
            f"features have to be numbers; leave these out in excluded_columns: {listed(others)}"
        )
        return dict.fromkeys((comparison.name for comparison in comparisons), Result(None, reason))
    try:
        answer = metrics(
            dataset.rows,
            FLIPTEST,
            facet=[comparison.row_in_d.alias(comparison.name) for comparison in comparisons],
            disfavored={comparison.name: True for comparison in comparisons},
            predicted=predicted,
            features=numeric,
            nulls=nulls,
        ).lazy()
        found = answer.collect(engine="streaming").rows_by_key("facet", named=True, unique=True)
    except FairnessError as error:
        return dict.fromkeys(
            (comparison.name for comparison in comparisons), Result(None, str(error))
        )
    values = {name: row[FLIPTEST] for name, row in found.items()}
    # Clarify's package exchanges the two kinds of flips that its page defines.
    return {
        name: Result(0 - value if as_clarify and value is not None else value)
        for name, value in values.items()
    }


def no_numbers(dataset: Dataset) -> list[str]:
    """The columns that would be features of the flip test of a facet, but hold no numbers."""
    others = [_features(dataset, facet)[1] for facet in dataset.facets]
    return sorted(set().union(*others))


def _features(dataset: Dataset, facet: Found) -> tuple[list[str], list[str]]:
    """The features of the flip test that are numbers, and those that are not."""
    schema = dataset.rows.collect_schema()
    names = [name for name in dataset.features if name != facet.column]
    numeric = [name for name in names if schema[name].is_numeric() or schema[name] == pl.Boolean]
    return numeric, [name for name in names if name not in numeric]
