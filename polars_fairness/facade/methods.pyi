# Written by `make generated` from the catalogue; for type checkers and editors.
import datetime
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

import polars as pl

from polars_fairness.catalogue.data import OfValues
from polars_fairness.formula.levels import GroupsOf
from polars_fairness.formula.metric import Metric
from polars_fairness.question.audit_arguments import Harms
from polars_fairness.question.completing import Unlabelled
from polars_fairness.question.columns import ColumnLike, Columns, Facets, Models
from polars_fairness.question.judging import Band, PValues, Rules
from polars_fairness.question.policy import FailOn, Policy, Unjudged
from polars_fairness.question.scores import ThresholdLike
from polars_fairness.answers.representation import Shares
from polars_fairness.explorer import Exploration
from polars_fairness.hiring.page import HiringReport
from polars_fairness.lending.page import LendingReport
from polars_fairness.pay.page import PayReport
from polars_fairness.reporting.report import Report
from polars_fairness.facade.bound import BoundQuestion

Frame = TypeVar("Frame", pl.LazyFrame, pl.DataFrame)

class HiringMethods(Generic[Frame]):
    _frame: Frame
    def __init__(self, frame: Frame) -> None: ...
    def adverse_impact(self, *, facet: Columns, selected: ColumnLike, minimum_share: float = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., unknown: Any = ..., positive: Any = ..., by: Columns | None = ..., count: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ...) -> Frame:
        r"""Compare each group with the group with the highest selection rate, and test the difference."""
    def impact_ratios(self, *, sex: ColumnLike, race: ColumnLike, selected: ColumnLike | None = ..., score: ColumnLike | None = ..., exclude_below: float | None = ..., justification: str | None = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., unknown: Any = ..., positive: Any = ..., by: Columns | None = ..., count: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ...) -> Frame:
        r"""Return the selection or scoring rate of each category of people, and its impact ratio."""
    def report(self, *, sex: ColumnLike, race: ColumnLike, selected: ColumnLike | None = ..., score: ColumnLike | None = ..., exclude_below: float | None = ..., justification: str | None = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., audit_date: str | datetime.date | None = ..., data: str | None = ..., distribution_date: str | datetime.date | None = ..., test_data: str | None = ..., unknown: Any = ..., positive: Any = ..., by: Columns | None = ..., count: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ...) -> HiringReport:
        r"""The summary of a bias audit as a page: what employers must publish in New York City."""

class LendingMethods(Generic[Frame]):
    _frame: Frame
    def __init__(self, frame: Frame) -> None: ...
    def quantiles(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., shares: Sequence[float] = ..., p_values: Literal['exact', 'holm', 'bh'] = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ...) -> Frame:
        r"""Compare each group with its reference if a share of all rows, the best, is accepted."""
    def report(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., minimum_ratio: float = ..., maximum_points: float = ..., significance: float = ..., deviation: Literal['pooled', 'population'] = ..., p_values: Literal['exact', 'holm', 'bh'] = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., shares: Sequence[float] = ...) -> LendingReport:
        r"""The tables of lending as a page: the findings, each group and its reference, the limits."""
    def segments(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., p_values: Literal['exact', 'holm', 'bh'] = ..., confidence: float | None = ...) -> Frame:
        r"""Compare each group with its reference within every segment, such as a branch or a product."""
    def table(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., minimum_ratio: float = ..., maximum_points: float = ..., significance: float = ..., deviation: Literal['pooled', 'population'] = ..., p_values: Literal['exact', 'holm', 'bh'] = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ...) -> Frame:
        r"""Compare each group with its reference by the numbers that are customary in fair lending."""

class PayMethods(Generic[Frame]):
    _frame: Frame
    def __init__(self, frame: Frame) -> None: ...
    def report(self, *, facet: Facets | None, favored: Any = ..., unknown: Any = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., nulls: Literal['raise', 'drop'] = ..., pay: ColumnLike, basic: ColumnLike | None = ..., variable: ColumnLike | None = ..., category: ColumnLike | None = ..., hours: ColumnLike | None = ..., minimum_count: int = ..., rule: Literal['eu', 'uk'] = ..., confidence: float | None = ...) -> PayReport:
        r"""The numbers about pay as a page: one that an employer can publish, and an appendix."""
    def table(self, *, facet: Facets | None, favored: Any = ..., unknown: Any = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., nulls: Literal['raise', 'drop'] = ..., pay: ColumnLike, basic: ColumnLike | None = ..., variable: ColumnLike | None = ..., category: ColumnLike | None = ..., hours: ColumnLike | None = ..., minimum_count: int = ..., rule: Literal['eu', 'uk'] = ..., confidence: float | None = ...) -> Frame:
        r"""The numbers about pay that article 9(1) of Directive (EU) 2023/970 names, one in each row."""

class FrameMethods(Generic[Frame]):
    _frame: Frame
    def __init__(self, frame: Frame) -> None: ...
    def cells(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., hide_below: int | None = ...) -> Frame:
        r"""Return the number of rows of every combination of values of the given columns."""
    def rates(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., hide_below: int | None = ..., names: Literal['aequitas', 'aif360', 'clarify', 'fairlearn', 'fairness_indicators', 'holisticai', 'smclarify', 'solas'] | None = ...) -> Frame:
        r"""Return the counts and rates of every group of each facet, and of all rows."""
    def confusions(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ...) -> Frame:
        r"""Return a confusion matrix of each group, of any number of classes."""
    def metrics(self, *metrics: str | Metric | Sequence[str | Metric], facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ...) -> Frame:
        r"""Return the values of fairness metrics, one row for each comparison of two sides."""
    def audit(self, *metrics: str | Metric | Sequence[str | Metric], facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., policy: Policy | str | Path | None = ..., hide_below: int | None = ..., unlabelled: Unlabelled | None = ..., unlabelled_by: Columns | None = ..., method: Literal['auto', 'newcombe', 'log', 'delong'] = ..., sequential: Literal['each', 'all'] | None = ..., bands: Mapping[str, Band] | None = ..., rule: Rules = ..., minimum_count: int | None = ..., p_values: Literal['exact', 'holm', 'bh'] | None = ..., equivalence: bool = ..., champion: str | None = ..., baseline: Any = ..., baseline_count: ColumnLike | None = ..., drift: Literal['clarify'] | None = ..., bounds: bool = ...) -> Frame:
        r"""Return one row for each metric of each comparison, with an interval and a verdict."""
    def bounds(self, *metrics: str | Metric | Sequence[str | Metric], facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., bands: Mapping[str, Band] | None = ..., unlabelled: Unlabelled | None = ..., unlabelled_by: Columns | None = ...) -> Frame:
        r"""Return the smallest and largest values of metrics, whatever the unknown groups are."""
    def plan(self, *metrics: str | Metric | Sequence[str | Metric], facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., method: Literal['auto', 'newcombe', 'log', 'delong'] = ..., bands: Mapping[str, Band] | None = ..., power: float = ...) -> Frame:
        r"""Return what difference these rows can detect, and how many rows would settle each verdict."""
    def check(self, *metrics: str | Metric | Sequence[str | Metric], facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., policy: Policy | str | Path | None = ..., hide_below: int | None = ..., unlabelled: Unlabelled | None = ..., unlabelled_by: Columns | None = ..., method: Literal['auto', 'newcombe', 'log', 'delong'] = ..., sequential: Literal['each', 'all'] | None = ..., bands: Mapping[str, Band] | None = ..., rule: Rules = ..., minimum_count: int | None = ..., p_values: Literal['exact', 'holm', 'bh'] | None = ..., equivalence: bool = ..., champion: str | None = ..., baseline: Any = ..., baseline_count: ColumnLike | None = ..., drift: Literal['clarify'] | None = ..., bounds: bool = ..., fail_on: FailOn | Sequence[FailOn] | None = ..., allow_undefined: bool = ..., maximum_within_p_value: float | None = ..., unjudged: Literal['pass', 'fail'] = ...) -> pl.DataFrame:
        r"""Return an audit that passes its gate, or raise `OutsideBandError` with the audit."""
    def compare(self, metric: str | Metric | None, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., reported: float | str | Mapping[str, float | str | Mapping[str, float | str]]) -> pl.DataFrame:
        r"""Return whether the rows give a reported number, and if not, which conventions do."""
    def decompose(self, metric: str | Metric, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ...) -> Frame:
        r"""Return the contribution of every stratum to a conditional metric."""
    def drivers(self, metric: str | Metric, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., confidence: float | None = ...) -> Frame:
        r"""Return how much of a difference between two sides each control accounts for."""
    def worst_groups(self, metric: str | Metric, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., hide_below: int | None = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ..., shrink: bool = ..., confidence: float | None = ..., harm: Harms | None = ...) -> Frame:
        r"""Rank every group that the attributes define, alone and combined, by its disparity."""
    def report(self, *metrics: str | Metric | Sequence[str | Metric], facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., policy: Policy | str | Path | None = ..., hide_below: int | None = ..., unlabelled: Unlabelled | None = ..., unlabelled_by: Columns | None = ..., method: Literal['auto', 'newcombe', 'log', 'delong'] = ..., sequential: Literal['each', 'all'] | None = ..., bands: Mapping[str, Band] | None = ..., rule: Rules = ..., minimum_count: int | None = ..., p_values: Literal['exact', 'holm', 'bh'] | None = ..., equivalence: bool = ..., champion: str | None = ..., baseline: Any = ..., baseline_count: ColumnLike | None = ..., drift: Literal['clarify'] | None = ..., bounds: bool = ..., harm: Harms | None = ..., unit: str | None = ..., columns: Columns | None = ...) -> Report:
        r"""An audit as a page: the question, the rows, rates, metrics and charts."""
    def switches(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., champion: str) -> Frame:
        r"""Return how many rows of each group a model decides differently from the champion."""
    def pairs(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ...) -> Frame:
        r"""Return how often the same case is decided differently when only its group differs."""
    def calibration(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., bins: int = ..., confidence: float | None = ...) -> Frame:
        r"""Return the mean score and the share of positive labels in each bin of scores, by group."""
    def choose(self, *metrics: str | Metric | Sequence[str | Metric], facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., maximise: str | Metric = ..., bands: Mapping[str, Band] | None = ..., holdout: Any = ..., seed: int = ..., confidence: float | None = ...) -> Frame:
        r"""Choose the threshold or model with the highest accuracy whose metrics are within their bands."""
    def explore(self, *metrics: str | Metric | Sequence[str | Metric], facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., bands: Mapping[str, Band] | None = ...) -> Exploration:
        r"""A page on which a person moves the threshold of a score and sees the effects."""
    def fliptest(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., features: Columns, k: int = ..., standardize: bool = ..., progress: bool | None = ..., flips: bool = ...) -> Frame:
        r"""Compare the decision on each member of d with the votes of its nearest members of a."""
    def consistency(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., features: Columns, k: int = ..., standardize: bool = ..., progress: bool | None = ...) -> Frame:
        r"""Return how far the decision on each individual agrees with those on its nearest neighbours."""
    def reweigh(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ...) -> Frame:
        r"""Return the factors that make labels independent of groups, one for each group and label."""
    def reweighed(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., name: str = ...) -> Frame:
        r"""Return the frame with weights that make labels independent of groups."""
    def representation(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., reference: Shares, confidence: float | None = ..., p_values: PValues | None = ...) -> Frame:
        r"""Return the share of each group in the data, and its share in a population."""
    def intake(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., policy: Policy | str | Path | None = ..., columns: Columns | None = ..., baseline: Any = ..., confidence: float = ...) -> Frame:
        r"""Return what data show about groups before a model is trained or judged on them."""
    def of(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., threshold: ThresholdLike | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., controls: Columns | Mapping[str, float | None] | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., policy: Policy | str | Path | None = ...) -> BoundQuestion[Frame]:
        r"""Return a question about a frame, whose methods answer it."""
    @staticmethod
    def metric_names() -> list[str]: ...
    def __getattr__(self, metric: str) -> Callable[..., Frame]: ...

class BoundMethods(Generic[Frame]):
    @staticmethod
    def metric_names() -> list[str]: ...
    def dppl(self) -> Frame:
        r"""Selection rate difference: q'a − q'd."""
    def statistical_parity(self) -> Frame:
        r"""Statistical parity difference: q'd − q'a, the opposite sign of HolisticAI's `statistical_parity`."""
    def di(self) -> Frame:
        r"""Impact ratio: q'd / q'a."""
    def disparate_impact(self) -> Frame:
        r"""Impact ratio: q'd / q'a."""
    def adverse_impact_ratio(self) -> Frame:
        r"""Impact ratio: q'd / q'a."""
    def success_ratio(self) -> Frame:
        r"""Success ratio: q'a / q'd."""
    def four_fifths(self) -> Frame:
        r"""Four-fifths rule: min(q'a, q'd) / max(q'a, q'd)."""
    def cohens_d(self) -> Frame:
        r"""Cohen's d: (q'a − q'd) / s, s² = ((na−1)q'a(1−q'a) + (nd−1)q'd(1−q'd)) / (na+nd−2)."""
    def two_sd(self) -> Frame:
        r"""Two-standard-deviation rule for the difference: (q'a − q'd) / √(q'(1−q') / (N·P(1−P))), q' pooled, N = na+nd, P = na/N."""
    def z_difference(self) -> Frame:
        r"""Two-standard-deviation rule for the difference: (q'a − q'd) / √(q'(1−q') / (N·P(1−P))), q' pooled, N = na+nd, P = na/N."""
    def z_ratio(self) -> Frame:
        r"""Two-standard-deviation rule for the log ratio: ln(q'a/q'd) / √((1−q') / (q'·N·P(1−P))), q' pooled, N = na+nd, P = na/N."""
    def ddpl(self) -> Frame:
        r"""Demographic disparity in predicted labels: rejected_d/rejected_both − accepted_d/accepted_both."""
    def odds_ratio(self) -> Frame:
        r"""Odds ratio: accepted_d·rejected_a / (rejected_d·accepted_a)."""
    def cddpl(self) -> Frame:
        r"""Conditional demographic disparity: Σ nᵢ·ddplᵢ / Σ nᵢ over the strata i."""
    def mh_ratio(self) -> Frame:
        r"""Impact ratio within strata: Σ accepted_dᵢ·n_aᵢ/nᵢ / Σ accepted_aᵢ·n_dᵢ/nᵢ over the strata i."""
    def mh_difference(self) -> Frame:
        r"""Selection rate difference within strata: Σ (accepted_aᵢ·n_dᵢ − accepted_dᵢ·n_aᵢ)/nᵢ / Σ n_aᵢ·n_dᵢ/nᵢ over the strata i."""
    def mh_odds_ratio(self) -> Frame:
        r"""Mantel–Haenszel common odds ratio: Σ accepted_dᵢ·rejected_aᵢ/nᵢ / Σ rejected_dᵢ·accepted_aᵢ/nᵢ over the strata i."""
    def cmh(self) -> Frame:
        r"""Signed root of the Cochran–Mantel–Haenszel statistic: Σ (Aᵢ − Eᵢ) / √Σ Vᵢ over the strata i, A = accepted_a, E = na·accepted/n, V = na·nd·accepted·rejected / (n²(n−1))."""
    def breslow_day(self) -> Frame:
        r"""Breslow–Day statistic for different odds ratios: Σ (Aᵢ − Eᵢ)² / Vᵢ over the strata i, A = accepted_d, E and V its expected count and variance if the odds ratio is mh_odds_ratio."""
    def adjusted_difference(self) -> Frame:
        r"""Difference in selection rates at equal controls: m_a − m_d, the mean fitted q' with all rows on side a, and on side d."""
    def adjusted_ratio(self) -> Frame:
        r"""Ratio of selection rates at equal controls: m_d / m_a, the mean fitted q' with all rows on side d, and on side a."""
    def adjusted_odds_ratio(self) -> Frame:
        r"""Odds ratio at equal controls: exp(β), β of d in a logistic regression on side and controls."""
    def adjusted_base_rate_difference(self) -> Frame:
        r"""Difference in base rates at equal controls: m_a − m_d, the mean fitted q with all rows on side a, and on side d."""
    def adjusted_base_rate_ratio(self) -> Frame:
        r"""Ratio of base rates at equal controls: m_d / m_a, the mean fitted q with all rows on side d, and on side a."""
    def adjusted_estimate_difference(self) -> Frame:
        r"""Difference in mean estimated value at equal controls: −β, β of d in a least-squares regression of estimated on side and controls."""
    def adjusted_estimate_ratio(self) -> Frame:
        r"""Ratio of estimated values at equal controls: exp(β), β of d in a least-squares regression of log estimated, all above 0."""
    def adjusted_observed_difference(self) -> Frame:
        r"""Difference in mean observed value at equal controls: −β, β of d in a least-squares regression of observed on side and controls."""
    def adjusted_observed_ratio(self) -> Frame:
        r"""Ratio of observed values at equal controls: exp(β), β of d in a least-squares regression of log observed, all above 0."""
    def dcacc(self) -> Frame:
        r"""Difference in conditional acceptance: positive_a/accepted_a − positive_d/accepted_d."""
    def dcr(self) -> Frame:
        r"""Difference in conditional rejection: negative_d/rejected_d − negative_a/rejected_a."""
    def sd(self) -> Frame:
        r"""Specificity difference: tnr_d − tnr_a = fpr_a − fpr_d."""
    def fpr_difference(self) -> Frame:
        r"""Specificity difference: tnr_d − tnr_a = fpr_a − fpr_d."""
    def rd(self) -> Frame:
        r"""True positive rate difference: tpr_a − tpr_d."""
    def equal_opportunity_difference(self) -> Frame:
        r"""True positive rate difference: tpr_a − tpr_d, the opposite sign of AIF360's `equal_opportunity_difference`."""
    def dar(self) -> Frame:
        r"""Positive predictive value difference: ppv_a − ppv_d."""
    def drr(self) -> Frame:
        r"""Negative predictive value difference: npv_d − npv_a."""
    def ad(self) -> Frame:
        r"""Accuracy difference: acc_a − acc_d."""
    def accuracy_difference(self) -> Frame:
        r"""Accuracy difference: acc_a − acc_d."""
    def te(self) -> Frame:
        r"""Treatment equality: fn_d/fp_d − fn_a/fp_a."""
    def te_inverse(self) -> Frame:
        r"""Treatment equality, earlier form: fp_a/fn_a − fp_d/fn_d."""
    def average_odds_difference(self) -> Frame:
        r"""Average odds difference: ((tpr_a − tpr_d) + (fpr_a − fpr_d)) / 2, the opposite sign of AIF360's `average_odds_difference`."""
    def average_abs_odds_difference(self) -> Frame:
        r"""Average absolute odds difference: (|tpr_a − tpr_d| + |fpr_a − fpr_d|) / 2."""
    def confusion_distance(self) -> Frame:
        r"""Confusion distance: ½ Σ|P_a(i|j) − P_d(i|j)| over predicted classes i and observed classes j that both sides have, divided by the number of these j."""
    def disparity_change(self) -> Frame:
        r"""Change in disparity from labels to predictions: (q'a − q'd) − (q_a − q_d)."""
    def fdr_difference(self) -> Frame:
        r"""False discovery rate difference: fdr_a − fdr_d."""
    def for_difference(self) -> Frame:
        r"""False omission rate difference: for_a − for_d."""
    def fnr_difference(self) -> Frame:
        r"""False negative rate difference: fnr_a − fnr_d."""
    def predictive_value_difference(self) -> Frame:
        r"""Average predictive value difference: ((ppv_a − ppv_d) + (for_a − for_d)) / 2."""
    def ci(self) -> Frame:
        r"""Class imbalance: (na − nd) / (na + nd)."""
    def dpl(self) -> Frame:
        r"""Base rate difference: q_a − q_d."""
    def ddl(self) -> Frame:
        r"""Demographic disparity in labels: negative_d/negative_both − positive_d/positive_both."""
    def cddl(self) -> Frame:
        r"""Conditional demographic disparity in labels: Σ nᵢ·ddlᵢ / Σ nᵢ over the strata i."""
    def kl(self, *, outcome: OfValues = ...) -> Frame:
        r"""The Kullback–Leibler divergence of side a's values of an outcome from those of side d."""
    def js(self, *, outcome: OfValues = ...) -> Frame:
        r"""The Jensen–Shannon divergence of the two sides' values of an outcome."""
    def lp(self, *, p: float = ..., outcome: OfValues = ...) -> Frame:
        r"""The distance of the two sides' distributions of an outcome in the p-norm."""
    def tvd(self, *, outcome: OfValues = ...) -> Frame:
        r"""The total variation distance of the two sides' distributions of an outcome."""
    def ks(self, *, outcome: OfValues = ...) -> Frame:
        r"""The largest difference between the two sides in the share of one value of an outcome."""
    def ge(self, *, alpha: float = ...) -> Frame:
        r"""The inequality of benefits, as the generalized entropy index."""
    def theil(self) -> Frame:
        r"""Theil index: mean((b/µ)·ln(b/µ)), b = y' − y + 1."""
    def coefficient_of_variation(self) -> Frame:
        r"""Coefficient of variation of the benefits: √(2·GE₂)."""
    def ge_between(self) -> Frame:
        r"""Generalized entropy between groups: GE₂ after each row's benefit is replaced by its group's mean benefit."""
    def selection_rate_gap(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""Demographic parity, largest difference: max − min of q' over the groups."""
    def demographic_parity_difference(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""Demographic parity, largest difference: max − min of q' over the groups."""
    def tpr_gap(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""True positive rate, largest difference: max − min of tpr over the groups."""
    def fpr_gap(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""False positive rate, largest difference: max − min of fpr over the groups."""
    def tnr_gap(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""True negative rate, largest difference: max − min of tnr over the groups."""
    def fnr_gap(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""False negative rate, largest difference: max − min of fnr over the groups."""
    def ppv_gap(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""Positive predictive value, largest difference: max − min of ppv over the groups."""
    def npv_gap(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""Negative predictive value, largest difference: max − min of npv over the groups."""
    def accuracy_gap(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""Accuracy, largest difference: max − min of acc over the groups."""
    def selection_rate_ratio(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""Demographic parity, smallest ratio: min / max of q' over the groups."""
    def demographic_parity_ratio(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""Demographic parity, smallest ratio: min / max of q' over the groups."""
    def tpr_ratio(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""True positive rate, smallest ratio: min / max of tpr over the groups."""
    def fpr_ratio(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""False positive rate, smallest ratio: min / max of fpr over the groups."""
    def tnr_ratio(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""True negative rate, smallest ratio: min / max of tnr over the groups."""
    def fnr_ratio(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""False negative rate, smallest ratio: min / max of fnr over the groups."""
    def ppv_ratio(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""Positive predictive value, smallest ratio: min / max of ppv over the groups."""
    def npv_ratio(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""Negative predictive value, smallest ratio: min / max of npv over the groups."""
    def accuracy_ratio(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""Accuracy, smallest ratio: min / max of acc over the groups."""
    def equalized_odds_gap(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""Equalized odds, largest difference: the larger of tpr_gap and fpr_gap."""
    def equalized_odds_difference(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""Equalized odds, largest difference: the larger of tpr_gap and fpr_gap."""
    def equalized_odds_ratio(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""Equalized odds, smallest ratio: the smaller of tpr_ratio and fpr_ratio."""
    def fpsf(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""False positive subgroup fairness: max over g of (negative_g / n_all)·|fpr_all − fpr_g|."""
    def fnsf(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""False negative subgroup fairness: max over g of (positive_g / n_all)·|fnr_all − fnr_g|."""
    def spsf(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""Statistical parity subgroup fairness: max over g of (n_g / n_all)·|q'_all − q'_g|."""
    def differential_fairness(self, *, concentration: float = ..., groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""The largest log ratio of two groups' smoothed selection rates, or rejection rates."""
    def spread(self, *, rate: str = ..., groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""The variance between the rates of groups, minus the variance expected by chance."""
    def cdd_shares(self, *, groups: GroupsOf = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ...) -> Frame:
        r"""Conditional demographic disparity of the groups' shares: Σ_g (n_g/n)·(rejected_g/rejected_all − accepted_g/accepted_all)."""
    def auc_difference(self) -> Frame:
        r"""Difference in AUC: AUC_a − AUC_d."""
    def xauc_difference(self) -> Frame:
        r"""Difference in cross-group AUC: Pr[s⁺_a > s⁻_d] − Pr[s⁺_d > s⁻_a], ties counting half."""
    def bpsn_auc(self) -> Frame:
        r"""Background positive, subgroup negative AUC: Pr[s⁺_a > s⁻_d], ties counting half."""
    def bnsp_auc(self) -> Frame:
        r"""Background negative, subgroup positive AUC: Pr[s⁺_d > s⁻_a], ties counting half."""
    def abroca(self) -> Frame:
        r"""Absolute between-ROC area: ∫₀¹ |ROC_a − ROC_d|."""
    def score_difference(self) -> Frame:
        r"""Difference in mean score: s̄_a − s̄_d."""
    def smd(self) -> Frame:
        r"""Standardized mean difference of scores: (s̄_a − s̄_d) / s, s² = ((na−1)v_a + (nd−1)v_d) / (na+nd−2), v = Σ(s−s̄)² / (n−1)."""
    def score_ks(self) -> Frame:
        r"""Kolmogorov–Smirnov distance of the scores: max over thresholds t of |F_a(t) − F_d(t)|."""
    def score_wasserstein(self) -> Frame:
        r"""Wasserstein distance of the scores: ∫ |F_a − F_d| dt."""
    def score_wasserstein_positive(self) -> Frame:
        r"""Wasserstein distance of the scores of positive rows: ∫ |F_a|1 − F_d|1| dt."""
    def score_wasserstein_negative(self) -> Frame:
        r"""Wasserstein distance of the scores of negative rows: ∫ |F_a|0 − F_d|0| dt."""
    def balance_positive(self) -> Frame:
        r"""Balance for the positive class: s̄_a|1 − s̄_d|1."""
    def balance_negative(self) -> Frame:
        r"""Balance for the negative class: s̄_a|0 − s̄_d|0."""
    def calibration_difference(self) -> Frame:
        r"""Difference in calibration: (q_d − s̄_d) − (q_a − s̄_a)."""
    def brier_difference(self) -> Frame:
        r"""Difference in Brier score: mean (s − y)² of d − that of a."""
    def auc_gap(self) -> Frame:
        r"""Gap in AUC: max − min of AUC_g over the groups g."""
    def brier_gap(self) -> Frame:
        r"""Gap in Brier score: max − min of mean (s − y)² over the groups g."""
    def ece_gap(self, *, bins: int = ...) -> Frame:
        r"""The range of the groups' expected calibration errors."""
    def miscalibration(self) -> Frame:
        r"""Largest weighted miscalibration: max over g of (n_g / n_all)·ECCE_g."""
    def exposure_ratio(self) -> Frame:
        r"""Exposure ratio: mean of 1/log₂(1 + rank) of d / that of a."""
    def skew_at(self) -> Frame:
        r"""Skew among the accepted: ln(share of d among the accepted / share of d among all) of both sides."""
    def ndkl(self) -> Frame:
        r"""Normalized discounted divergence of a ranking: Σ_r KL(shares among the best r ‖ shares among all)/log₂(1 + r) / Σ_r 1/log₂(1 + r)."""
    def estimate_difference(self) -> Frame:
        r"""Difference in mean estimated value: ē_a − ē_d."""
    def conditional_estimate_difference(self) -> Frame:
        r"""Conditional difference in mean estimated value: Σ nᵢ·(ē_aᵢ − ē_dᵢ) / Σ nᵢ over the strata i."""
    def estimate_ratio(self) -> Frame:
        r"""Ratio of mean estimated values: ē_d / ē_a, of numbers of 0 or more."""
    def estimate_smd(self) -> Frame:
        r"""Standardized mean difference of estimated values: (ē_a − ē_d) / s, s the pooled standard deviation."""
    def observed_difference(self) -> Frame:
        r"""Difference in mean observed value: ō_a − ō_d."""
    def conditional_observed_difference(self) -> Frame:
        r"""Conditional difference in mean observed value: Σ nᵢ·(ō_aᵢ − ō_dᵢ) / Σ nᵢ over the strata i."""
    def observed_ratio(self) -> Frame:
        r"""Ratio of mean observed values: ō_d / ō_a, of numbers of 0 or more."""
    def observed_smd(self) -> Frame:
        r"""Standardized mean difference of observed values: (ō_a − ō_d) / s, s the pooled standard deviation."""
    def residual_difference(self) -> Frame:
        r"""Difference in mean residual: r̄_d − r̄_a, r = estimated − observed."""
    def actual_to_expected_ratio(self) -> Frame:
        r"""Ratio of actual to expected: (Σo_d / Σe_d) / (Σo_a / Σe_a)."""
    def mae_difference(self) -> Frame:
        r"""Difference in mean absolute error: mae_d − mae_a."""
    def mae_ratio(self) -> Frame:
        r"""Ratio of mean absolute error: mae_d / mae_a."""
    def rmse_difference(self) -> Frame:
        r"""Difference in root mean squared error: rmse_d − rmse_a."""
    def rmse_ratio(self) -> Frame:
        r"""Ratio of root mean squared error: rmse_d / rmse_a."""
    def correlation_difference(self) -> Frame:
        r"""Difference in correlation: ρ_a − ρ_d."""
    def r2_difference(self) -> Frame:
        r"""Difference in share of explained variance: R²_a − R²_d."""
    def estimate_gap(self) -> Frame:
        r"""Gap in mean estimated value: max − min of the mean estimated value over the groups."""
    def mae_gap(self) -> Frame:
        r"""Gap in mean absolute error: max − min of the mean absolute error over the groups."""
    def rmse_gap(self) -> Frame:
        r"""Gap in root mean squared error: max − min of the root mean squared error over the groups."""
    def worst_mse(self) -> Frame:
        r"""Worst mean squared error: max over groups of the mean of r²."""
    def explained_by_group(self) -> Frame:
        r"""Variance explained by the group: 1 − (1 − η²)(n − 1)/(n − K), η² the variance between the K groups over all."""
    def estimate_median_difference(self) -> Frame:
        r"""Difference in the median of estimated values: median_a − median_d of estimated."""
    def estimate_median_ratio(self) -> Frame:
        r"""Ratio of the median of estimated values: median_d / median_a of estimated, both above 0."""
    def observed_median_difference(self) -> Frame:
        r"""Difference in the median of observed values: median_a − median_d of observed."""
    def observed_median_ratio(self) -> Frame:
        r"""Ratio of the median of observed values: median_d / median_a of observed, both above 0."""
    def estimate_quantile_difference(self, *, at: float = ...) -> Frame:
        r"""The difference between the sides in a quantile of estimated values."""
    def estimate_quantile_ratio(self, *, at: float = ...) -> Frame:
        r"""The ratio between the sides in a quantile of estimated values."""
    def observed_quantile_difference(self, *, at: float = ...) -> Frame:
        r"""The difference between the sides in a quantile of observed values."""
    def observed_quantile_ratio(self, *, at: float = ...) -> Frame:
        r"""The ratio between the sides in a quantile of observed values."""
    def accuracy(self) -> Frame:
        r"""Accuracy: (tp + tn) / n of all rows."""
    def selection_rate(self) -> Frame:
        r"""Selection rate: accepted / n of all rows."""
    def utility(self, *, tp: float = ..., fp: float = ..., fn: float = ..., tn: float = ...) -> Frame:
        r"""The mean utility of the outcomes of all rows."""
    def cells(self, *, hide_below: int | None = ...) -> Frame:
        r"""Return the number of rows of every combination of values of the given columns."""
    def rates(self, *, hide_below: int | None = ..., names: Literal['aequitas', 'aif360', 'clarify', 'fairlearn', 'fairness_indicators', 'holisticai', 'smclarify', 'solas'] | None = ...) -> Frame:
        r"""Return the counts and rates of every group of each facet, and of all rows."""
    def confusions(self) -> Frame:
        r"""Return a confusion matrix of each group, of any number of classes."""
    def metrics(self, *metrics: str | Metric | Sequence[str | Metric]) -> Frame:
        r"""Return the values of fairness metrics, one row for each comparison of two sides."""
    def audit(self, *metrics: str | Metric | Sequence[str | Metric], confidence: float | None = ..., replicates: int = ..., seed: int = ..., policy: Policy | str | Path | None = ..., hide_below: int | None = ..., unlabelled: Unlabelled | None = ..., unlabelled_by: Columns | None = ..., method: Literal['auto', 'newcombe', 'log', 'delong'] = ..., sequential: Literal['each', 'all'] | None = ..., bands: Mapping[str, Band] | None = ..., rule: Rules = ..., minimum_count: int | None = ..., p_values: Literal['exact', 'holm', 'bh'] | None = ..., equivalence: bool = ..., champion: str | None = ..., baseline: Any = ..., baseline_count: ColumnLike | None = ..., drift: Literal['clarify'] | None = ..., bounds: bool = ...) -> Frame:
        r"""Return one row for each metric of each comparison, with an interval and a verdict."""
    def bounds(self, *metrics: str | Metric | Sequence[str | Metric], confidence: float | None = ..., replicates: int = ..., seed: int = ..., bands: Mapping[str, Band] | None = ..., unlabelled: Unlabelled | None = ..., unlabelled_by: Columns | None = ...) -> Frame:
        r"""Return the smallest and largest values of metrics, whatever the unknown groups are."""
    def plan(self, *metrics: str | Metric | Sequence[str | Metric], confidence: float | None = ..., replicates: int = ..., seed: int = ..., method: Literal['auto', 'newcombe', 'log', 'delong'] = ..., bands: Mapping[str, Band] | None = ..., power: float = ...) -> Frame:
        r"""Return what difference these rows can detect, and how many rows would settle each verdict."""
    def check(self, *metrics: str | Metric | Sequence[str | Metric], confidence: float | None = ..., replicates: int = ..., seed: int = ..., policy: Policy | str | Path | None = ..., hide_below: int | None = ..., unlabelled: Unlabelled | None = ..., unlabelled_by: Columns | None = ..., method: Literal['auto', 'newcombe', 'log', 'delong'] = ..., sequential: Literal['each', 'all'] | None = ..., bands: Mapping[str, Band] | None = ..., rule: Rules = ..., minimum_count: int | None = ..., p_values: Literal['exact', 'holm', 'bh'] | None = ..., equivalence: bool = ..., champion: str | None = ..., baseline: Any = ..., baseline_count: ColumnLike | None = ..., drift: Literal['clarify'] | None = ..., bounds: bool = ..., fail_on: FailOn | Sequence[FailOn] | None = ..., allow_undefined: bool = ..., maximum_within_p_value: float | None = ..., unjudged: Literal['pass', 'fail'] = ...) -> pl.DataFrame:
        r"""Return an audit that passes its gate, or raise `OutsideBandError` with the audit."""
    def compare(self, metric: str | Metric | None, *, reported: float | str | Mapping[str, float | str | Mapping[str, float | str]]) -> pl.DataFrame:
        r"""Return whether the rows give a reported number, and if not, which conventions do."""
    def decompose(self, metric: str | Metric) -> Frame:
        r"""Return the contribution of every stratum to a conditional metric."""
    def drivers(self, metric: str | Metric, *, confidence: float | None = ...) -> Frame:
        r"""Return how much of a difference between two sides each control accounts for."""
    def worst_groups(self, metric: str | Metric, *, hide_below: int | None = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ..., shrink: bool = ..., confidence: float | None = ..., harm: Harms | None = ...) -> Frame:
        r"""Rank every group that the attributes define, alone and combined, by its disparity."""
    def report(self, *metrics: str | Metric | Sequence[str | Metric], confidence: float | None = ..., replicates: int = ..., seed: int = ..., policy: Policy | str | Path | None = ..., hide_below: int | None = ..., unlabelled: Unlabelled | None = ..., unlabelled_by: Columns | None = ..., method: Literal['auto', 'newcombe', 'log', 'delong'] = ..., sequential: Literal['each', 'all'] | None = ..., bands: Mapping[str, Band] | None = ..., rule: Rules = ..., minimum_count: int | None = ..., p_values: Literal['exact', 'holm', 'bh'] | None = ..., equivalence: bool = ..., champion: str | None = ..., baseline: Any = ..., baseline_count: ColumnLike | None = ..., drift: Literal['clarify'] | None = ..., bounds: bool = ..., harm: Harms | None = ..., unit: str | None = ..., columns: Columns | None = ...) -> Report:
        r"""An audit as a page: the question, the rows, rates, metrics and charts."""
    def switches(self, *, champion: str) -> Frame:
        r"""Return how many rows of each group a model decides differently from the champion."""
    def pairs(self) -> Frame:
        r"""Return how often the same case is decided differently when only its group differs."""
    def calibration(self, *, bins: int = ..., confidence: float | None = ...) -> Frame:
        r"""Return the mean score and the share of positive labels in each bin of scores, by group."""
    def choose(self, *metrics: str | Metric | Sequence[str | Metric], maximise: str | Metric = ..., bands: Mapping[str, Band] | None = ..., holdout: Any = ..., seed: int = ..., confidence: float | None = ...) -> Frame:
        r"""Choose the threshold or model with the highest accuracy whose metrics are within their bands."""
    def explore(self, *metrics: str | Metric | Sequence[str | Metric], bands: Mapping[str, Band] | None = ...) -> Exploration:
        r"""A page on which a person moves the threshold of a score and sees the effects."""
    def fliptest(self, *, features: Columns, k: int = ..., standardize: bool = ..., progress: bool | None = ..., flips: bool = ...) -> Frame:
        r"""Compare the decision on each member of d with the votes of its nearest members of a."""
    def consistency(self, *, features: Columns, k: int = ..., standardize: bool = ..., progress: bool | None = ...) -> Frame:
        r"""Return how far the decision on each individual agrees with those on its nearest neighbours."""
    def reweigh(self) -> Frame:
        r"""Return the factors that make labels independent of groups, one for each group and label."""
    def reweighed(self, *, name: str = ...) -> Frame:
        r"""Return the frame with weights that make labels independent of groups."""
    def representation(self, *, reference: Shares, confidence: float | None = ..., p_values: PValues | None = ...) -> Frame:
        r"""Return the share of each group in the data, and its share in a population."""
    def intake(self, *, policy: Policy | str | Path | None = ..., columns: Columns | None = ..., baseline: Any = ..., confidence: float = ...) -> Frame:
        r"""Return what data show about groups before a model is trained or judged on them."""
