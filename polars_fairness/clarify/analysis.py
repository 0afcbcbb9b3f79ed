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
from polars_fairness.clarify.configuration import VERSION, Configuration
from polars_fairness.clarify.dataset import Dataset
from polars_fairness.clarify.entries import Entry, Result, entries_of
from polars_fairness.clarify.flips import flips
from polars_fairness.clarify.measures import FLIPTEST, Measure, as_clarify_computes
from polars_fairness.clarify.reading import Reading, reading_of
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
    names = [each.metric for each in chain.from_iterable(filter(None, stages.values()))]
    results = _Analysis(dataset, reading, as_clarify, nulls).results(names)
    sections = {
        stage: {
            "facets": {
                facet: [_report(entry, of_entry, measures) for entry, of_entry in of_facet]
                for facet, of_facet in results.items()
            },
            "label": dataset.label,
            "label_value_or_threshold": reading.label_text,
        }
        for stage, measures in stages.items()
        if measures is not None
    }
    return {"version": VERSION, **sections}


def _report(
    entry: Entry, results: Mapping[str, Result], measures: Sequence[Measure]
) -> dict[str, Any]:
    """An entry as Clarify writes it."""
    return {
        "value_or_threshold": entry.text,
        "metrics": [
            {
                "name": measure.name,
                "description": measure.description,
                **_as_json(results[measure.metric]),
            }
            for measure in measures
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
    ) -> dict[str, list[tuple[Entry, Mapping[str, Result]]]]:
        """The results of the metrics, for each entry of each facet."""
        counted = self._cells()
        of_cells = [name for name in names if name != FLIPTEST]
        entries = [
            entry
            for facet in self.reading.facets
            for entry in entries_of(facet, counted, as_clarify=self.as_clarify)
        ]
        found = self._from_cells(counted, entries, of_cells)
        if FLIPTEST in names:
            for name, result in self._flips(entries).items():
                found[name][FLIPTEST] = result
        results: dict[str, list[tuple[Entry, Mapping[str, Result]]]] = {}
        for facet in self.reading.facets:
            results.setdefault(facet.found.name, [])
        for entry in entries:
            results[entry.facet.found.name].append((entry, found[entry.name]))
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
        self, counted: pl.DataFrame, entries: Sequence[Entry], names: Sequence[str]
    ) -> dict[str, dict[str, Result]]:
        """The metrics that cells suffice for, by the names of the entry and of the metric."""
        if not entries:
            return {}
        question: Question = {
            "facet": [entry.cell_in_d.alias(entry.name) for entry in entries],
            "disfavored": {entry.name: True for entry in entries},
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
        by_entry = metrics(
            counted,
            *(as_clarify_computes(name) if self.as_clarify else name for name in computed),
            *(Metric(name=each, title=each, formula=getattr(both, each)) for each in outcomes),
            **question,
        ).lazy()
        rows = by_entry.collect().rows_by_key("facet", named=True, unique=True)
        return {
            entry.name: {name: self._result(name, rows[entry.name]) for name in names}
            for entry in entries
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
                return Result(None, "no row has a value that is selected")
            if not row["n_favored"]:
                return Result(None, "each row has a value that is selected")
        return Result(row[name], "undefined: a rate in its formula is that of no rows")

    def _flips(self, entries: Sequence[Entry]) -> dict[str, Result]:
        """The flip test, whose features are those of each facet, by the names of the entries."""
        found: dict[str, Result] = {}
        for facet in self.reading.facets:
            of_facet = [entry for entry in entries if entry.facet is facet]
            if of_facet and self.reading.predicted is not None:
                found |= flips(
                    self.dataset,
                    self.reading.predicted,
                    of_facet,
                    as_clarify=self.as_clarify,
                    nulls=self.nulls,
                )
        return found
