"""The content of Clarify's `analysis.json`, computed from cells."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isinf
from typing import Any, Final

import polars as pl

from polars_fairness.api.cells import cells
from polars_fairness.api.metrics import metrics
from polars_fairness.clarify.comparisons import Comparison, Result, comparisons_of
from polars_fairness.clarify.configuration import VERSION, Configuration
from polars_fairness.clarify.dataset import Dataset
from polars_fairness.clarify.flips import flips
from polars_fairness.clarify.reading import Reading, reading_of
from polars_fairness.clarify.reported import FLIPTEST, ReportedMetric, as_clarify_computes
from polars_fairness.errors import FairnessError
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import both
from polars_fairness.question.arguments import Nulls, Question

_WITHOUT_SIDES: Final = ("ge",)

# For Clarify, a conditional metric has no value without rows of either outcome.
_OUTCOMES: Final = {"cddl": ("positive", "negative"), "cddpl": ("accepted", "rejected")}


def analysis_of(
    configuration: Configuration, dataset: Dataset, *, as_clarify: bool, nulls: Nulls
) -> dict[str, Any]:
    """What Clarify writes about the bias in these rows.

    With ``as_clarify``, what differs on purpose is done in Clarify's way.
    """
    reading = reading_of(configuration, dataset, as_clarify=as_clarify)
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
                    _report(comparison, of_comparison, reported)
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
    comparison: Comparison, results: Mapping[str, Result], reported: Sequence[ReportedMetric]
) -> dict[str, Any]:
    """A comparison as Clarify writes it."""
    return {
        "value_or_threshold": comparison.text,
        "metrics": [
            {
                "name": metric.name,
                "description": metric.description,
                **_as_json(results[metric.here]),
            }
            for metric in reported
        ],
    }


def _as_json(result: Result) -> dict[str, Any]:
    """JSON has no infinity: Clarify writes its name."""
    value = result.value
    if value is None:
        return {"value": None, "error": result.reason}
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
        counted = cells(self.dataset.rows, **question).lazy().collect(engine="streaming")
        if counted.is_empty():
            msg = "each row has a missing value; fill some of them in the data"
            raise FairnessError(msg)
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
        if name not in _WITHOUT_SIDES and not (self.as_clarify and outcomes):
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
