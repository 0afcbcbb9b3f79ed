"""The metrics of a configuration as Clarify's `analysis.json`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import isinf
from typing import Any, Final, NamedTuple

import polars as pl
from polars import selectors

from polars_fairness.answers.individuals import fliptest
from polars_fairness.answers.metrics import metrics
from polars_fairness.api.bound import collected_here
from polars_fairness.counting.collected import streamed
from polars_fairness.elsewhere.clarify_configuration import Configuration, Given, ReportedMetric
from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.arguments import Nulls, Question

# Clarify takes whole numbers for continuous if they have so many values for each value known.
_CONTINUOUS: Final = 0.05


class _Column(NamedTuple):
    """A column with its known values and how often each occurs."""

    name: str
    values: pl.Series
    rows: int

    @property
    def is_continuous(self) -> bool:
        """Whether Clarify reads a single number as a threshold of the column, not as a value."""
        dtype = self.values.dtype
        is_dense = dtype.is_integer() and len(self.values) / self.rows >= _CONTINUOUS
        return is_dense or dtype.is_float() or dtype.is_decimal()

    def alike(self, value: Any) -> float | str:
        """What a value of the configuration and one of the column have in common."""
        dtype = self.values.dtype
        text = str(int(value)) if isinstance(value, bool) else str(value)
        if dtype == pl.Boolean:
            text = {"true": "1", "false": "0"}.get(text.lower(), text)
        try:
            return float(text) if dtype.is_numeric() or dtype == pl.Boolean else text
        except ValueError:
            return text

    def matches(self, values: Sequence[Any]) -> list[Any]:
        """The values of the column that are among these."""
        wanted = {self.alike(value) for value in values}
        return [each for each in self.values if self.alike(each) in wanted]


class _Selection(NamedTuple):
    """Rows that are selected, those of some values or those above a threshold; and its text."""

    text: str
    values: Sequence[Any] = ()
    threshold: float | None = None

    def of(self, column: _Column) -> pl.Expr:
        """Whether a row of this column is selected; null if its value is unknown."""
        if self.threshold is not None:
            return pl.col(column.name) > self.threshold
        matched = pl.Series(column.matches(self.values), dtype=column.values.dtype)
        return pl.col(column.name).is_in(matched.implode())


def _columns_of(rows: pl.LazyFrame, names: Sequence[str]) -> dict[str, _Column]:
    """The columns with their values, from one scan."""
    unique = [*dict.fromkeys(names)]
    grouped = [rows.group_by(value=pl.col(name)).agg(rows=pl.len()).drop_nulls() for name in unique]
    columns = {}
    for name, each in zip(unique, pl.collect_all(grouped, engine="streaming"), strict=True):
        if each.is_empty():
            raise FairnessError(f"{name!r} has no values; give files with values of it")
        columns[name] = _Column(name, each["value"].sort(), int(each["rows"].sum()))
    return columns


def _selections(given: Given, column: _Column, *, is_outcome: bool = False) -> list[_Selection]:
    """The selection that values or a threshold give; without them, each value in turn."""
    if column.is_continuous and len(given.values) < 2:
        threshold = _threshold(given, column)
        largest: Any = column.values.max()
        # No row lies above the largest: in a table of few rows, Clarify's rule takes the 0 and 1
        # of a label for continuous, and its reports then hold errors alone.
        if threshold != largest:
            edges = sorted([threshold, largest])
            if not all(isinstance(edge, int) for edge in edges):
                edges = [float(edge) for edge in edges]
            return [_Selection(f"({edges[0]}, {edges[1]}]", threshold=threshold)]
    if not given.values:
        return [_Selection(str(value), [value]) for value in column.values]
    missing = [value for value in given.values if not column.matches([value])]
    if missing and not (is_outcome and len(missing) < len(given.values)):
        raise FairnessError(
            f"{given.of_values}: {listed(missing)} never occurs in {column.name!r}; there are "
            f"{listed(column.values)}"
        )
    return [_Selection(",".join(map(str, given.values)), given.values)]


def _threshold(given: Given, column: _Column) -> float:
    """The one number given for a continuous column."""
    problem = "is missing"
    for value in given.values:
        number = column.alike(value)
        if isinstance(number, float):
            return value if isinstance(value, int) else number
        problem = f"{value!r} is no number"
    raise FairnessError(
        f"{given.of_values}: {problem}, and {column.name!r} holds {len(column.values):,} different "
        "numbers, so that Clarify reads it as continuous; give one threshold, as in [40]"
    )


def _require_labels(predicted: _Column, label: _Column, of_label: _Selection) -> None:
    """Raise if predictions are none of the labels, so that all would be unfavorable."""
    are_scores = predicted.values.dtype.is_float() and not label.values.dtype.is_float()
    others = len(predicted.matches([*label.values])) < len(predicted.values)
    never = others and not predicted.matches(of_label.values)
    if of_label.threshold is None and (are_scores or never):
        key, _, name = predicted.name.partition(": ")
        raise FairnessError(
            f"{key}: {name!r} holds {listed(predicted.values)}, and the labels are "
            f"{listed(label.values)}; name a column of these labels, or in predictor.probability "
            "one of scores, which become 1 above probability_threshold and 0 elsewhere"
        )


class _Comparison(NamedTuple):
    """The rows on side d by one facet, under a name that no column has."""

    facet: Given
    text: str
    name: str
    in_d: pl.Expr


_Value = float | str | None

# For Clarify, a conditional metric has no value without rows of either outcome.
_CONDITIONAL: Final = ("CDDL", "CDDPL")
_NO_STRATA: Final = "the configuration has no group_variable"
_SIDES: Final = {"n_disfavored": "d", "n_favored": "a"}


def analysis_of(
    configuration: Configuration, rows: pl.LazyFrame, *, as_clarify: bool, nulls: Nulls
) -> dict[str, Any]:
    """What Clarify writes about the bias in these rows.

    With ``as_clarify``, the metrics are those of Clarify's package.
    """
    rows = rows.with_columns(selectors.float().fill_nan(None))
    predictions = configuration.predictions
    names = [configuration.label.column, *(each.column for each in configuration.facets)]
    if predictions is not None:
        outcome = pl.col(predictions.column)
        if predictions.threshold is not None:
            dtype = rows.collect_schema()[predictions.column]
            if not dtype.is_numeric():
                problem = f"{predictions.column!r} holds {dtype}, and scores are numbers"
                raise FairnessError(f"{predictions.key}: {problem}; name their column")
            outcome = (outcome > predictions.threshold).cast(pl.Int64)
        # A name of its own, since the column may be a feature or a stratum too.
        names.append(f"{predictions.key}: {predictions.column}")
        rows = rows.with_columns(outcome.alias(names[-1]))
    columns = _columns_of(rows, names)
    label = columns[names[0]]
    [of_label] = _selections(configuration.label, label, is_outcome=True)
    question: Question = {"label": of_label.of(label).alias(f"label: {label.name}"), "nulls": nulls}
    if predictions is not None:
        _require_labels(columns[names[-1]], label, of_label)
        question["predicted"] = of_label.of(columns[names[-1]])
    if (group := configuration.group_variable) is not None:
        question["subgroup"] = pl.col(group).alias(f"group_variable: {group}")
    comparisons = [
        _Comparison(facet, each.text, f"{facet.key}: {facet.column} {each.text}", each.of(column))
        for facet, column in ((facet, columns[facet.column]) for facet in configuration.facets)
        for each in _selections(facet, column)
    ]
    results = _results(rows, configuration, comparisons, question, as_clarify=as_clarify)
    if configuration.has_flip_test:
        for name, value in _flips(rows, configuration, comparisons, question):
            # Clarify's package exchanges the two kinds of flips that its page defines.
            opposite = 0 - value if isinstance(value, float) else value
            results[name]["FT"] = opposite if as_clarify else value
    analysis: dict[str, Any] = {"version": "1.0"}
    for stage, reported in configuration.stages.items():
        facets: dict[str, list[Any]] = {facet.column: [] for facet in configuration.facets}
        for each in comparisons:
            values = [_report(metric, results[each.name]) for metric in reported]
            facets[each.facet.column].append({"value_or_threshold": each.text, "metrics": values})
        of_stage = {"label": label.name, "label_value_or_threshold": of_label.text}
        analysis[stage] = {"facets": facets, **of_stage}
    return analysis


def _report(metric: ReportedMetric, results: Mapping[str, _Value]) -> dict[str, Any]:
    """A metric as Clarify writes it; a text says why there is no value."""
    value: Any = results[metric.name]
    entry = {"name": metric.name, "description": f"{metric.title} ({metric.name})", "value": value}
    if value is None or isinstance(value, str):
        reason = value or "undefined: a rate in its formula is that of no rows"
        return entry | {"value": None, "error": reason}
    # JSON has no infinity: Clarify writes its name.
    return entry | {"value": ("Infinity" if value > 0 else "-Infinity") if isinf(value) else value}


def _results(
    rows: pl.LazyFrame,
    configuration: Configuration,
    comparisons: Sequence[_Comparison],
    question: Question,
    *,
    as_clarify: bool,
) -> dict[str, dict[str, _Value]]:
    """The metrics that counts suffice for, by the name of the comparison."""
    names = {
        metric.name: f"smclarify.{metric.name}" if as_clarify else metric.here
        for of_stage in configuration.stages.values()
        for metric in of_stage
        if metric.name != "FT" and ("subgroup" in question or metric.name not in _CONDITIONAL)
    }
    results: dict[str, dict[str, _Value]] = {}
    of_counts = partial(metrics, collected_here(rows), *names.values()) if names else None
    for key, row in _answered(of_counts, comparisons, question).items():
        values: dict[str, _Value] = dict.fromkeys(_CONDITIONAL, _NO_STRATA)
        empty = [side for each, side in _SIDES.items() if row and not row[each]]
        for metric, here in names.items():
            # Beside a side of no rows, the package of Clarify has no value but of all rows.
            is_refused = empty and metric != "GE" and (as_clarify or row[here] is None)
            values[metric] = f"no row is on side {empty[0]}" if is_refused else row[here]
        results[key] = values
    return results


def _flips(
    rows: pl.LazyFrame,
    configuration: Configuration,
    comparisons: Sequence[_Comparison],
    question: Question,
) -> Iterator[tuple[str, _Value]]:
    """The flip test of each comparison, with the features that its facet leaves."""
    for facet in configuration.facets:
        of_facet = [comparison for comparison in comparisons if comparison.facet is facet]
        own: Question = {"predicted": question["predicted"], "nulls": question["nulls"]}
        schema = rows.select(configuration.features).collect_schema()
        others = (name for name, dtype in schema.items() if is_number(dtype))
        test = partial(fliptest, rows, features=[name for name in others if name != facet.column])
        try:
            answers = _answered(test, of_facet, own)
        except FairnessError as error:
            # It alone needs an extra, and features.
            yield from ((each.name, str(error)) for each in of_facet)
        else:
            yield from ((name, row["fliptest"]) for name, row in answers.items())


def is_number(dtype: pl.DataType) -> bool:
    """Whether a column of this type may be a feature."""
    return dtype.is_numeric() or dtype == pl.Boolean


def _answered(
    answer: Callable[..., pl.LazyFrame] | None,
    comparisons: Sequence[_Comparison],
    question: Question,
) -> dict[str, dict[str, Any]]:
    """The row of each comparison in an answer, by its name."""
    if not comparisons or answer is None:
        return {comparison.name: {} for comparison in comparisons}
    compared: Question = {
        **question,
        "facet": [comparison.in_d.alias(comparison.name) for comparison in comparisons],
        "disfavored": {comparison.name: True for comparison in comparisons},
    }
    rows = streamed(answer(**compared))
    return dict(rows.rows_by_key("facet", named=True, unique=True))
