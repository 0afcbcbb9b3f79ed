"""The metrics of a configuration as Clarify's `analysis.json`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from math import isinf
from operator import or_
from typing import Any, Final

import polars as pl

from polars_fairness.api.cells import cells
from polars_fairness.api.metrics import metrics
from polars_fairness.clarify.configuration import (
    FLIPTEST,
    VERSION,
    Configuration,
    ReportedMetric,
    Value,
    as_clarify_computes,
)
from polars_fairness.clarify.dataset import Dataset, Found, Predicted
from polars_fairness.errors import FairnessError, in_python, listed, quoted
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import both
from polars_fairness.question.arguments import Nulls, Question

# Clarify takes whole numbers for continuous if they have so many values for each value known.
_CONTINUOUS: Final = 0.05

_TRUTH: Final = {"true": True, "false": False, "1": True, "0": False}


@dataclass(frozen=True)
class Given:
    """A column, and the values or the threshold that a key gives for it."""

    key: str
    name: str
    column: str
    values: tuple[Value, ...]
    is_outcome: bool = False


@dataclass(frozen=True)
class Selection:
    """The rows that are selected: those of some values, or those above a threshold.

    With neither, each value is selected in turn.
    """

    text: str
    values: tuple[Value, ...] = ()
    threshold: float | None = None

    @property
    def takes_turns(self) -> bool:
        """Whether each value is selected in turn."""
        return self.threshold is None and not self.values

    def of(self, column: pl.Expr, dtype: pl.DataType, key: str = "", holds: str = "") -> pl.Expr:
        """Whether a row of this column is selected; null if its value is unknown.

        An error names the key, and says what the column holds.
        """
        if self.threshold is not None:
            return _numbers(column, dtype) > self.threshold
        typed = [_typed(value, dtype) for value in self.values]
        known = [value for value in typed if value is not None]
        if not known:
            raise FairnessError(
                f"{key}: {holds}, and never {listed(self.values, 'or')}, the favorable labels"
            )
        return reduce(or_, (comparable(column, dtype) == value for value in known))


@dataclass(frozen=True)
class _Facts:
    """What decides how Clarify reads a column."""

    dtype: pl.DataType
    known: int
    unknown: int
    distinct: int
    numbers: int
    largest: float | None
    occur: list[bool]

    def are_continuous(self, *, as_clarify: bool) -> bool:
        """Whether Clarify reads a single number as a threshold of the column, not as a value.

        pandas has no whole numbers beside missing values, so that Clarify reads floats there.
        """
        dtype = self.dtype
        if dtype.is_float() or dtype.is_decimal():
            return True
        if dtype.is_integer() and as_clarify and self.unknown:
            return True
        are_whole = dtype.is_integer() or (dtype == pl.String and self.numbers == self.known)
        return are_whole and self.known > 0 and self.distinct / self.known >= _CONTINUOUS


def selections(
    rows: pl.LazyFrame, all_given: Sequence[Given], *, as_clarify: bool
) -> list[Selection]:
    """The selections that the keys give, from one scan."""
    schema = rows.collect_schema()
    scanned = rows.select(
        _facts(given, schema[given.column]).alias(str(place))
        for place, given in enumerate(all_given)
    ).collect(engine="streaming")
    found = []
    for place, given in enumerate(all_given):
        facts = _Facts(schema[given.column], **scanned[str(place)].item())
        if not facts.known and not facts.unknown:
            raise FairnessError("no rows; give files with rows")
        selection = _selection(given, facts, as_clarify=as_clarify)
        if selection.threshold is None:
            _require_occurring(given, facts, rows)
        found.append(selection)
    return found


def _selection(given: Given, facts: _Facts, *, as_clarify: bool) -> Selection:
    if len(given.values) > 1 or not facts.are_continuous(as_clarify=as_clarify):
        return Selection(",".join(map(str, given.values)), given.values)
    if not given.values:
        raise FairnessError(
            f"{given.key}: is missing, and {given.name!r} holds {facts.distinct:,} different "
            "numbers, so that Clarify reads it as continuous; give one threshold, as in [40]"
        )
    [value] = given.values
    try:
        threshold = value if isinstance(value, int | float) else float(value)
    except ValueError as error:
        raise FairnessError(
            f"{given.key}: {value!r} is no number, and {given.name!r} holds {facts.distinct:,} "
            "different numbers, so that Clarify reads it as continuous; give one threshold"
        ) from error
    if threshold == facts.largest:
        # No row lies above it: Clarify's reports then hold errors alone. In a table of few rows,
        # its rule takes the 0 and 1 of a label for continuous too.
        return Selection(str(value), given.values)
    edges = sorted([threshold, *([] if facts.largest is None else [facts.largest])])
    if not all(isinstance(edge, int) for edge in edges) or (as_clarify and facts.unknown):
        edges = [float(edge) for edge in edges]
    return Selection(f"({edges[0]}, {edges[-1]}]", threshold=threshold)


def _require_occurring(given: Given, facts: _Facts, rows: pl.LazyFrame) -> None:
    """Raise for a value that never occurs, of a label if none of its values does."""
    missing = [value for value, occurs in zip(given.values, facts.occur, strict=True) if not occurs]
    if not missing or (given.is_outcome and len(missing) < len(given.values)):
        return
    column = comparable(pl.col(given.column), facts.dtype)
    there = rows.select(column.drop_nulls().unique().sort()).collect(engine="streaming")
    values = there.to_series()
    found = "all are missing"
    if len(values):
        found = f"there are {quoted(values, len(values), facts.dtype)}"
    raise FairnessError(f"{given.key}: {listed(missing)} never occurs in {given.name!r}; {found}")


def _facts(given: Given, dtype: pl.DataType) -> pl.Expr:
    column = comparable(pl.col(given.column), dtype)
    numbers = _numbers(pl.col(given.column), dtype)
    typed = [_typed(value, dtype) for value in given.values]
    occur = [pl.lit(False) if value is None else (column == value).any() for value in typed]
    return pl.struct(
        known=column.count(),
        unknown=column.null_count(),
        distinct=column.drop_nulls().n_unique(),
        numbers=numbers.count(),
        largest=numbers.max(),
        occur=pl.concat_list(occur) if occur else pl.lit([], dtype=pl.List(pl.Boolean)),
    )


def comparable(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """The column with values that JSON has; NaN is unknown."""
    if dtype.is_float():
        return column.fill_nan(None)
    if dtype.is_decimal():
        return column.cast(pl.Float64)
    return column if dtype.is_integer() or dtype == pl.Boolean else column.cast(pl.String)


def _numbers(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """The column as numbers, null where a text is none."""
    values = comparable(column, dtype)
    return values if dtype.is_numeric() else values.cast(pl.Int64, strict=False)


def _typed(value: Value, dtype: pl.DataType) -> Value | None:
    """The value as the column would hold it, None if it cannot."""
    if dtype == pl.Boolean:
        return _TRUTH.get(str(value).lower())
    if not dtype.is_numeric():
        return str(value)
    if isinstance(value, int):
        return int(value)  # also True and False
    try:
        number = float(value)
    except ValueError:
        return None
    return int(number) if number.is_integer() else number


@dataclass(frozen=True)
class _FacetReading:
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
    facets: tuple[_FacetReading, ...]
    subgroup: pl.Expr | None


def _reading_of(configuration: Configuration, dataset: Dataset, *, as_clarify: bool) -> Reading:
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
            _FacetReading(found, selection, counted.alias(f"facet[{place}]: {found.name}"))
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
            raise FairnessError(
                f"{key}: {found.name!r} holds {dtype}, and scores are numbers; name their column"
            )
        becomes = (comparable(column, dtype) > predicted.threshold).cast(pl.Int64)
        holds = f"{found.name!r} becomes 1 above probability_threshold, and 0 elsewhere"
        return label.of(becomes, pl.Int64(), key, holds)
    if dtype.is_float() and label.threshold is None and not dtype_of_label.is_float():
        raise FairnessError(
            f"{key}: {found.name!r} holds {dtype} such as scores, and labels are "
            f"{listed(label.values, 'or')}; name it in predictor.probability instead, with its "
            "probability_threshold"
        )
    return label.of(column, dtype, key, f"{found.name!r} holds {dtype}")


@dataclass(frozen=True)
class Comparison:
    """A comparison: its facet, and whether a cell, and whether a row, is on side d."""

    name: str
    text: str
    facet: _FacetReading
    cell_in_d: pl.Expr
    row_in_d: pl.Expr


@dataclass(frozen=True)
class Result:
    """The value of a metric for a comparison; without a value, the reason."""

    value: float | None
    reason: str = ""


def comparisons_of(
    facet: _FacetReading, cells: pl.DataFrame, *, as_clarify: bool
) -> Iterator[Comparison]:
    """The comparisons of a facet, whose values occur in the cells."""
    name = facet.counted.meta.output_name()
    if not facet.selection.takes_turns:
        yield Comparison(name, facet.selection.text, facet, pl.col(name), facet.counted)
        return
    for value in cells[name].drop_nulls().unique().sort():
        in_d = [column == value for column in (pl.col(name), facet.counted)]
        if as_clarify:
            in_d = [each.fill_null(value=False) for each in in_d]
        yield Comparison(f"{name} {value!r}", str(value), facet, *in_d)


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
            (comparison.name for comparison in comparisons), Result(None, error.message)
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


_WITHOUT_SIDES: Final = ("ge",)

# For Clarify, a conditional metric has no value without rows of either outcome.
_OUTCOMES: Final = {"cddl": ("positive", "negative"), "cddpl": ("accepted", "rejected")}


def analysis_of(
    configuration: Configuration,
    dataset: Dataset,
    *,
    as_clarify: bool,
    nulls: Nulls,
    in_words: Callable[[str], str] = in_python,
) -> dict[str, Any]:
    """What Clarify writes about the bias in these rows.

    With ``as_clarify``, what differs on purpose is done in Clarify's way. ``in_words`` writes the
    reason why there is no value.
    """
    reading = _reading_of(configuration, dataset, as_clarify=as_clarify)
    stages = {
        "post_training_bias_metrics": configuration.after_training,
        "pre_training_bias_metrics": configuration.before_training,
    }
    names = [each.here for each in chain.from_iterable(filter(None, stages.values()))]
    results = _Analysis(dataset, reading, as_clarify, nulls).results(names)
    sections = {
        stage: {
            "facets": {
                facet: [
                    _report(comparison, of_comparison, reported, in_words)
                    for comparison, of_comparison in of_facet
                ]
                for facet, of_facet in results.items()
            },
            "label": dataset.label,
            "label_value_or_threshold": reading.label_text,
        }
        for stage, reported in stages.items()
        if reported is not None
    }
    return {"version": VERSION, **sections}


def _report(
    comparison: Comparison,
    results: Mapping[str, Result],
    reported: Sequence[ReportedMetric],
    in_words: Callable[[str], str],
) -> dict[str, Any]:
    """A comparison as Clarify writes it."""
    return {
        "value_or_threshold": comparison.text,
        "metrics": [
            {
                "name": metric.name,
                "description": metric.description,
                **_as_json(results[metric.here], in_words),
            }
            for metric in reported
        ],
    }


def _as_json(result: Result, in_words: Callable[[str], str]) -> dict[str, Any]:
    """JSON has no infinity: Clarify writes its name."""
    value = result.value
    if value is None:
        return {"value": None, "error": in_words(result.reason)}
    if isinf(value):
        return {"value": "Infinity" if value > 0 else "-Infinity"}
    return {"value": value}


@dataclass(frozen=True)
class _Analysis:
    """A question about a dataset, whose metrics are computed from the same cells."""

    dataset: Dataset
    reading: Reading
    as_clarify: bool
    nulls: Nulls

    def results(
        self, names: Collection[str]
    ) -> dict[str, list[tuple[Comparison, Mapping[str, Result]]]]:
        """The results of the metrics, for each comparison of each facet."""
        counted = self._cells()
        of_cells = [name for name in names if name != FLIPTEST]
        comparisons = [
            comparison
            for facet in self.reading.facets
            for comparison in comparisons_of(facet, counted, as_clarify=self.as_clarify)
        ]
        found = self._from_cells(counted, comparisons, of_cells)
        if FLIPTEST in names:
            for name, result in self._flips(comparisons).items():
                found[name][FLIPTEST] = result
        results: dict[str, list[tuple[Comparison, Mapping[str, Result]]]] = {}
        for facet in self.reading.facets:
            results.setdefault(facet.found.name, [])
        for comparison in comparisons:
            results[comparison.facet.found.name].append((comparison, found[comparison.name]))
        return results

    def _cells(self) -> pl.DataFrame:
        question: Question = {
            "facet": [facet.counted for facet in self.reading.facets],
            "label": self.reading.label,
            "nulls": self.nulls,
        }
        if self.reading.predicted is not None:
            question["predicted"] = self.reading.predicted
        if self.reading.subgroup is not None:
            question["subgroup"] = self.reading.subgroup
        rows = cells(self.dataset.rows, **question).lazy()
        counted: pl.DataFrame = rows.collect(engine="streaming")
        outcomes = [self.reading.label, self.reading.predicted]
        known = [each.meta.output_name() for each in outcomes if each is not None]
        if counted.drop_nulls(known).is_empty():
            raise FairnessError("each row has a missing value; fill some of them in the data")
        return counted

    def _from_cells(
        self, counted: pl.DataFrame, comparisons: Sequence[Comparison], names: Sequence[str]
    ) -> dict[str, dict[str, Result]]:
        """The metrics that cells suffice for, by the names of the comparison and of the metric."""
        if not comparisons:
            return {}
        question: Question = {
            "facet": [comparison.cell_in_d.alias(comparison.name) for comparison in comparisons],
            "disfavored": {comparison.name: True for comparison in comparisons},
            "label": self.reading.label.meta.output_name(),
            "count": "n",
            "nulls": self.nulls,
            "zero_division": 0.0 if self.as_clarify else None,
        }
        outcomes = ["positive", "negative"]
        if self.reading.predicted is not None:
            question["predicted"] = self.reading.predicted.meta.output_name()
            outcomes += ["accepted", "rejected"]
        if self.reading.subgroup is not None:
            question["subgroup"] = self.reading.subgroup.meta.output_name()
        computed = [name for name in names if "subgroup" in question or name not in _OUTCOMES]
        by_comparison = metrics(
            counted,
            *(as_clarify_computes(name) if self.as_clarify else name for name in computed),
            *(Metric(name=each, title=each, formula=getattr(both, each)) for each in outcomes),
            **question,
        ).lazy()
        rows = by_comparison.collect().rows_by_key("facet", named=True, unique=True)
        return {
            comparison.name: {name: self._result(name, rows[comparison.name]) for name in names}
            for comparison in comparisons
        }

    def _result(self, name: str, row: Mapping[str, Any]) -> Result:
        """The value of a metric, or the reason why there is none, which Clarify gives too."""
        outcomes = _OUTCOMES.get(name, ())
        if outcomes and self.reading.subgroup is None:
            return Result(None, "the configuration has no group_variable")
        for outcome in outcomes:
            if not row[outcome]:
                return Result(None, f"no row of either side is {outcome}")
        # The sizes are those of the rows that all metrics have; a metric may have more.
        may_lack_rows = self.as_clarify or row[name] is None
        if name not in _WITHOUT_SIDES and may_lack_rows and not (self.as_clarify and outcomes):
            if not row["n_disfavored"]:
                return Result(None, "no row is on side d")
            if not row["n_favored"]:
                return Result(None, "no row is on side a")
        return Result(row[name], "undefined: a rate in its formula is that of no rows")

    def _flips(self, comparisons: Sequence[Comparison]) -> dict[str, Result]:
        """The flip test of each comparison, with the features that its facet leaves."""
        found: dict[str, Result] = {}
        for facet in self.reading.facets:
            of_facet = [comparison for comparison in comparisons if comparison.facet is facet]
            if of_facet and self.reading.predicted is not None:
                found |= flips(
                    self.dataset,
                    self.reading.predicted,
                    of_facet,
                    as_clarify=self.as_clarify,
                    nulls=self.nulls,
                )
        return found
