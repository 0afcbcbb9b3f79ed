# Written by `make generated` from the catalogue; for type checkers and editors.
import datetime
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, Unpack

import polars as pl

from polars_fairness.catalogue.data import OfValues
from polars_fairness.formula.groups import GroupsOf
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question
from polars_fairness.question.audit_arguments import Equal, Harms
from polars_fairness.question.columns import ColumnLike, Columns, Facets, Models
from polars_fairness.question.judging import Band, PValues, Rules
from polars_fairness.question.policy import FailOn, Policy
from polars_fairness.api.representation import Shares
from polars_fairness.explorer.exploration import Exploration
from polars_fairness.hiring.page import HiringReport
from polars_fairness.lending.page import LendingReport
from polars_fairness.reporting.report import Report
from polars_fairness.api.bound import BoundQuestion

Frame = TypeVar("Frame", pl.LazyFrame, pl.DataFrame)

class Hiring(Generic[Frame]):
    def __init__(self, frame: Frame) -> None: ...
    def adverse_impact(self, *, facet: Columns, selected: ColumnLike, minimum_share: float = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., unknown: Any = ..., positive: Any = ..., by: Columns | None = ..., count: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ...) -> Frame:
        r"""Compare each group with the group of the highest selection rate, and test the difference."""
    def impact_ratios(self, *, sex: ColumnLike, race: ColumnLike, selected: ColumnLike | None = ..., score: ColumnLike | None = ..., exclude_below: float | None = ..., justification: str | None = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., unknown: Any = ..., positive: Any = ..., by: Columns | None = ..., count: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ...) -> Frame:
        r"""Return the selection or scoring rate of each category of people, and its impact ratio."""
    def report(self, *, sex: ColumnLike, race: ColumnLike, selected: ColumnLike | None = ..., score: ColumnLike | None = ..., exclude_below: float | None = ..., justification: str | None = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., audit_date: str | datetime.date | None = ..., data: str | None = ..., distribution_date: str | datetime.date | None = ..., test_data: str | None = ..., unknown: Any = ..., positive: Any = ..., by: Columns | None = ..., count: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ...) -> HiringReport:
        r"""The summary of a bias audit as a page: what New York City's rule has an employer publish."""

class Lending(Generic[Frame]):
    def __init__(self, frame: Frame) -> None: ...
    def quantiles(self, *, facet: Facets | None = ..., predicted: ColumnLike | Models | None = ..., label: ColumnLike | None = ..., observed: ColumnLike | None = ..., estimated: ColumnLike | Models | None = ..., disfavored: Any = ..., favored: Any = ..., unknown: Any = ..., score: ColumnLike | None = ..., resolution: float | None = ..., positive: Any = ..., classes: Literal['each', 'cumulative'] | None = ..., favorable: bool = ..., label_threshold: float | None = ..., subgroup: Columns | None = ..., features: Columns | None = ..., by: Columns | None = ..., every: str | None = ..., period: str | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., estimator: Literal['both', 'weighted', 'linear'] = ..., cluster: ColumnLike | None = ..., nulls: Literal['raise', 'drop'] = ..., zero_division: float | None = ..., shares: Sequence[float] = ..., p_values: Literal['exact', 'holm', 'bh'] = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ...) -> Frame:
        r"""Compare each group with its reference where the best share of all rows is accepted."""
    def report(self, *, minimum_ratio: float = ..., maximum_points: float = ..., significance: float = ..., deviation: Literal['pooled', 'population'] = ..., p_values: Literal['exact', 'holm', 'bh'] = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., shares: Sequence[float] = ..., **question: Unpack[Question]) -> LendingReport:
        r"""The tables of lending as a page: what was found, each group beside its reference, the limits."""
    def segments(self, *, p_values: Literal['exact', 'holm', 'bh'] = ..., confidence: float | None = ..., **question: Unpack[Question]) -> Frame:
        r"""Compare each group with its reference inside every segment, such as a branch or a product."""
    def table(self, *, minimum_ratio: float = ..., maximum_points: float = ..., significance: float = ..., deviation: Literal['pooled', 'population'] = ..., p_values: Literal['exact', 'holm', 'bh'] = ..., confidence: float | None = ..., replicates: int = ..., seed: int = ..., **question: Unpack[Question]) -> Frame:
        r"""Compare each group with its reference by the numbers that fair lending looks at."""

class Fairness(Generic[Frame]):
    @property
    def hiring(self) -> Hiring[Frame]: ...
    @property
    def lending(self) -> Lending[Frame]: ...
    def __init__(self, frame: Frame) -> None: ...
    def cells(self, *, hide_below: int | None = ..., **question: Unpack[Question]) -> Frame:
        r"""Return the number of rows of every combination of values of the given columns."""
    def rates(self, *, hide_below: int | None = ..., names: Literal['aequitas', 'aif360', 'clarify', 'fairlearn', 'fairness_indicators', 'holisticai', 'smclarify', 'solas'] | None = ..., **question: Unpack[Question]) -> Frame:
        r"""Return the counts and rates of every group of each facet, and of all rows."""
    def confusions(self, **question: Unpack[Question]) -> Frame:
        r"""Return a confusion matrix of each group, of any number of classes."""
    def metrics(self, *metrics: str | Metric | Sequence[str | Metric], **question: Unpack[Question]) -> Frame:
        r"""Return the values of fairness metrics, one row for each comparison of two sides."""
    def audit(self, *metrics: str | Metric | Sequence[str | Metric], confidence: float | None = ..., replicates: int = ..., seed: int = ..., policy: Policy | str | Path | None = ..., hide_below: int | None = ..., method: Literal['auto', 'newcombe', 'log', 'delong'] = ..., sequential: bool = ..., bands: Mapping[str, Band] | None = ..., rule: Rules = ..., minimum_count: int | None = ..., p_values: Literal['exact', 'holm', 'bh'] | None = ..., champion: str | None = ..., baseline: Any = ..., baseline_count: ColumnLike | None = ..., drift: Literal['clarify'] | None = ..., bounds: bool = ..., **question: Unpack[Question]) -> Frame:
        r"""Return one row for each metric of each comparison, with an interval and a verdict."""
    def bounds(self, *metrics: str | Metric | Sequence[str | Metric], confidence: float | None = ..., replicates: int = ..., seed: int = ..., bands: Mapping[str, Band] | None = ..., proxy: Columns | None = ..., **question: Unpack[Question]) -> Frame:
        r"""Return the smallest and the largest value of metrics, whatever the unknown groups are."""
    def check(self, *metrics: str | Metric | Sequence[str | Metric], confidence: float | None = ..., replicates: int = ..., seed: int = ..., policy: Policy | str | Path | None = ..., hide_below: int | None = ..., method: Literal['auto', 'newcombe', 'log', 'delong'] = ..., sequential: bool = ..., bands: Mapping[str, Band] | None = ..., rule: Rules = ..., minimum_count: int | None = ..., p_values: Literal['exact', 'holm', 'bh'] | None = ..., champion: str | None = ..., baseline: Any = ..., baseline_count: ColumnLike | None = ..., drift: Literal['clarify'] | None = ..., bounds: bool = ..., fail_on: FailOn | Sequence[FailOn] | None = ..., allow_undefined: bool = ..., **question: Unpack[Question]) -> pl.DataFrame:
        r"""Return an audit that passes its gate, or raise `UnfairError` with the audit."""
    def compare(self, metric: str | Metric | None, *, reported: float | str | Mapping[str, float | str | Mapping[str, float | str]], **question: Unpack[Question]) -> pl.DataFrame:
        r"""Return whether the rows give a number that was reported, and by which conventions if not."""
    def decompose(self, metric: str | Metric, **question: Unpack[Question]) -> Frame:
        r"""Return the contribution of every subgroup to a conditional metric."""
    def worst_groups(self, metric: str | Metric, *, hide_below: int | None = ..., depth: int | None = ..., minimum_count: int | None = ..., include_unknown: bool = ..., shrink: bool = ..., confidence: float | None = ..., harm: Harms | None = ..., **question: Unpack[Question]) -> Frame:
        r"""Rank every group that the attributes define, alone and combined, by its disparity."""
    def report(self, *metrics: str | Metric | Sequence[str | Metric], confidence: float | None = ..., replicates: int = ..., seed: int = ..., policy: Policy | str | Path | None = ..., hide_below: int | None = ..., method: Literal['auto', 'newcombe', 'log', 'delong'] = ..., sequential: bool = ..., bands: Mapping[str, Band] | None = ..., rule: Rules = ..., minimum_count: int | None = ..., p_values: Literal['exact', 'holm', 'bh'] | None = ..., champion: str | None = ..., baseline: Any = ..., baseline_count: ColumnLike | None = ..., drift: Literal['clarify'] | None = ..., bounds: bool = ..., harm: Harms | None = ..., detail: Literal['findings', 'full'] = ..., unit: str | None = ..., **question: Unpack[Question]) -> Report:
        r"""An audit as a page: the question, the rows, rates, metrics and charts."""
    def switches(self, *, champion: str, **question: Unpack[Question]) -> Frame:
        r"""Return how many rows of each group a model accepts or rejects otherwise than the champion."""
    def calibration(self, *, bins: int = ..., confidence: float | None = ..., **question: Unpack[Question]) -> Frame:
        r"""Return the mean score and the share of positive labels in each bin of scores, by group."""
    def choose(self, *metrics: str | Metric | Sequence[str | Metric], maximise: str | Metric = ..., bands: Mapping[str, Band] | None = ..., holdout: Any = ..., seed: int = ..., confidence: float | None = ..., **question: Unpack[Question]) -> Frame:
        r"""Choose the threshold or model with the highest accuracy whose metrics are in their bands."""
    def cutoffs_by_group(self, *, equal: Literal['selection_rate', 'tpr', 'fpr', 'tnr', 'fnr', 'equalized_odds'] | None = ..., maximise: str | Metric = ..., **question: Unpack[Question]) -> Frame:
        r"""Return the best cut-off of each group: what the score could achieve, with equal rates or not."""
    def explore(self, *metrics: str | Metric | Sequence[str | Metric], bands: Mapping[str, Band] | None = ..., **question: Unpack[Question]) -> Exploration:
        r"""A page on which a person moves the threshold of a score, and sees what follows from it."""
    def fliptest(self, *, k: int = ..., standardize: bool = ..., progress: bool | None = ..., flips: bool = ..., **question: Unpack[Question]) -> Frame:
        r"""Compare the decision on each member of d with the votes of its nearest members of a."""
    def reweigh(self, **question: Unpack[Question]) -> Frame:
        r"""Return the factors that make labels independent of groups, one for each group and label."""
    def reweighed(self, *, name: str = ..., **question: Unpack[Question]) -> Frame:
        r"""Return the frame with weights that make labels independent of groups."""
    def representation(self, *, reference: Shares, confidence: float | None = ..., p_values: PValues | None = ..., **question: Unpack[Question]) -> Frame:
        r"""Return the share of each group in the data beside its share in a population."""
    def of(self, *, policy: Policy | str | Path | None = ..., **question: Unpack[Question]) -> BoundQuestion[Frame]:
        r"""Return the question about a frame, whose methods answer it."""
    @staticmethod
    def metric_names() -> list[str]: ...
    def __getattr__(self, metric: str) -> Callable[..., Frame]: ...
