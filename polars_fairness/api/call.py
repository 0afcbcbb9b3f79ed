"""A call: a frame and a question, checked against the frame's schema, and its answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import is_
from types import MappingProxyType
from typing import Any, cast

import polars as pl

from polars_fairness.answers.columns import Columns, names_of, types_of
from polars_fairness.answers.plan import PolarsFrame, answered
from polars_fairness.api.clashes import (
    NEEDS,
    Case,
    refuse_clashes,
    refuse_clashes_of,
    refuse_divided_multiples,
    refuse_missing_needs,
    refuse_taken_names,
    refuse_unknown_positive,
    refuse_unranked_groups,
)
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.baselines import with_baseline
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.clusters import EACH_ROW
from polars_fairness.counting.counted_rows import CountedRows
from polars_fairness.counting.rows import AnyFrame, Rows, column_names, rows_of
from polars_fairness.counting.score_lists import unlisted
from polars_fairness.errors import FairnessError, about, either, keyword, require_extra, shown
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question
from polars_fairness.question.baselines import (
    beside_baseline,
    question_about_cells,
    question_of_baseline,
    refuse_uncounted_cells,
)
from polars_fairness.question.columns import ColumnLike
from polars_fairness.question.reading import find_roles
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import EVERY, is_several
from polars_fairness.question.windows import Windows
from polars_fairness.values.evaluate import COLUMNS
from polars_fairness.values.formula_checks import (
    if_unfavorable,
    needs_sides_apart,
    require_one_value,
)


def unbound(frame: AnyFrame) -> AnyFrame:
    """The frame itself, where a call stands in its place."""
    return frame.frame if isinstance(frame, Call) else frame


@dataclass(frozen=True)
class Call:
    """A frame, how its rows are counted, the roles of its columns, and the requested metrics.

    The roles were read from the arguments in ``question``. Given in place of a frame, a call with
    the same arguments is not read again.
    """

    frame: AnyFrame
    question: Question
    rows: Rows
    roles: Roles
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    baseline: Call | None = None

    @classmethod
    def of(
        cls,
        frame: AnyFrame,
        question: Question,
        answer: str = "",
        own: Mapping[str, Any] = MappingProxyType({}),
    ) -> Call:
        """The call for a question, which is checked against the frame's schema.

        It is refused if it has no answer from the function of this name, which has these arguments
        of its own.
        """
        case = Case(answer, {**question, **own})
        refuse_clashes(case)
        call = cls._read(frame, question)
        refuse_clashes(replace(case, read=call.roles))
        refuse_missing_needs(call.roles, answer, NEEDS.get(answer, ()))
        return call

    @classmethod
    def _read(cls, frame: AnyFrame, question: Question) -> Call:
        if isinstance(frame, Call):
            is_same = len(question) == len(frame.question) and all(
                map(is_, map(frame.question.get, question), question.values())
            )
            # A DataFrame may have other rows by now, and even other columns.
            rows = rows_of(frame.frame, question)
            if is_same and rows.schema == frame.rows.schema:
                return replace(frame, rows=rows)
            return cls._read(frame.frame, question)
        if isinstance(frame, CountedRows):
            return cls(frame.frame, question, frame, find_roles(frame.schema, question))
        rows = rows_of(frame, question)
        return cls(frame, question, rows, find_roles(rows.schema, question))

    @property
    def columns(self) -> list[str]:
        return column_names(self.frame)

    @classmethod
    def at_thresholds(
        cls, frame: AnyFrame, question: Question, answer: str, own: Mapping[str, Any]
    ) -> Call:
        """The call for a question about thresholds beside each other; by default, about each."""
        given = question.get("threshold")
        several = EVERY if given is None else given if is_several(given) else [given]
        return cls.of(frame, cast("Question", {**question, "threshold": several}), answer, own)

    @classmethod
    def of_candidates(
        cls, frame: AnyFrame, question: Question, answer: str, own: Mapping[str, Any]
    ) -> Call:
        """The call for a question about models or thresholds beside each other, or both.

        Several models that decide need no threshold.
        """
        if isinstance(question.get("predicted"), Mapping):
            call = cls.of(frame, question, answer, own)
            if call.roles.predicted is not None:
                return call
        return cls.at_thresholds(frame, question, answer, own)

    def against(self, champion: str) -> Call:
        """The same call about each model's decisions beside the champion's."""
        return replace(self, roles=self.roles.against(champion))

    def beside(
        self,
        baseline: AnyFrame,
        question: Question,
        count: ColumnLike | None,
        source: str = "baseline",
    ) -> Call:
        """The same call beside that of the same question to the rows of a baseline."""
        names = column_names(baseline)
        with about(source):
            if source == "baseline":
                refuse_uncounted_cells(question, count, names, column_names(self.frame))
            adapted = question_of_baseline(question, count, self.rows.schema, names)
            schema = rows_of(baseline, adapted).schema
            there = Call.of(baseline, question_about_cells(question, adapted, schema))
            metrics_requested([*self.metrics.values()], there.roles)
            there = there.serving(self.metrics.values())
            if self.roles.clusters_are_rows:
                there = there._with(cluster=EACH_ROW)
            if self.roles.score is not None and self.roles.score.probabilities_for:
                there = there.with_probabilities(self.metrics)
        roles = replace(there.roles, source=source)
        return replace(self, baseline=replace(there, roles=roles))

    def with_rows_apart(self) -> Call:
        """The same call, whose rows are left out in groups: for numbers, or estimated groups."""
        is_uncertain = bool(self.roles.uncertain_facets)
        has_numbers = any(metric.is_about_numbers for metric in self.metrics.values())
        if self.roles.cluster is not None or not (is_uncertain or has_numbers):
            return self
        score = self.roles.score if is_uncertain else None
        if score is not None and not score.is_rounded and not self.roles.decides_by_score:
            raise FairnessError(
                "resolution: intervals of groups known in probability need each score 200 times; "
                f"give {keyword('resolution', 0.01)} or another, or {keyword('confidence', None)}"
            )
        return self._with(cluster=EACH_ROW)

    def with_metrics(self, metrics: Sequence[object]) -> Call:
        """The same call with metrics, given as names and objects, and in lists of these."""
        refuse_unranked_groups(self.roles)
        found = metrics_requested(metrics, self.roles)
        call = self.serving(found.values())
        return replace(call.with_probabilities(found) if metrics else call, metrics=found)

    def with_metric(self, metric: object) -> Call:
        """The same call with one metric, given as a name or as an object."""
        if not isinstance(metric, str | Metric):
            raise FairnessError(f"metric: takes one name or Metric, got {metric!r}")
        return self.with_metrics([metric])

    def serving(self, metrics: Collection[Metric]) -> Call:
        """The same call without the parts of the question that these metrics do not need."""
        needed = {need for metric in metrics for need in metric.needs}
        if self.roles.ranks_groups and (ranked_by := self.roles.ranking_outcome):
            needed.add(ranked_by.role)
        # The sums of cells show whether their scores were rounded by another resolution.
        if self.roles.score and self.roles.score.has_sums:
            needed.add("score")
        call = self.keeping(needed)._with_groups_of(metrics)._with_classes_of(metrics)
        if sums := {each for metric in metrics for each in metric.sums_of_ranks}:
            only_ranks = not call.roles.decides_by_score and all(
                each.is_about_ranks or "score" not in each.needs for each in metrics
            )
            call = call._with(sums_ranks=tuple(sorted(sums)), only_ranks=only_ranks)
        if call.roles.points:
            require_extra("features", "neighbours", "scipy", "tqdm")
        return call

    def keeping(self, needs: Container[str]) -> Call:
        """The same call without the parts of the question that none of these needs."""
        return replace(self, roles=self.roles.keeping(needs))

    def with_probabilities(self, named: Mapping[str, Metric]) -> Call:
        """The same call, in which scores have to lie between 0 and 1 if a named metric needs it."""
        if self.roles.score is None:
            return self
        of_probabilities = (
            name for name, metric in named.items() if metric.parsed.is_about_probabilities
        )
        name = next(of_probabilities, None)
        if name is None:
            return self
        roles = self.roles.with_scores(lambda each: replace(each, probabilities_for=name))
        return replace(self, roles=roles)

    def answer(
        self,
        compute: Callable[..., pl.LazyFrame],
        columns: Columns | Mapping[str, pl.DataType],
        *,
        without: Collection[str] = (),
        windows: Windows | None = None,
        beside: Container[str] = ("by",),
        cells_of: Callable[[Rows, Roles], pl.LazyFrame] = cells_of_all_rows,
        by_cluster: bool = False,
        in_plan: bool = False,
    ) -> PolarsFrame:
        """The answer, computed from the cells: a LazyFrame for a LazyFrame, else a DataFrame.

        It has the columns of windows, then these; those of the arguments ``beside`` have no name
        of these. Of a LazyFrame, what is computed ``in_plan`` is steps of polars and no others.

        Clusters change no value, so only what has intervals counts by them.
        """
        shown = replace(self.roles, windows=self.roles.windows if windows is None else windows)
        if isinstance(columns, tuple):
            refuse_taken_names(shown, beside, names_of(columns))
            columns = types_of(columns, self.roles.size, without)
        refuse_taken_names(shown, beside, columns)
        schema = pl.Schema({**shown.windows.types, **columns})
        call = self
        if self.roles.cluster is not None and not by_cluster:
            baseline = self.baseline and self.baseline._with(cluster=None)
            call = replace(self._with(cluster=None), baseline=baseline)
        in_plan &= isinstance(call.frame, pl.LazyFrame)
        cells, roles = cells_of(call.rows, call.roles), call.roles
        if call.baseline is not None:
            there = call.baseline.roles
            roles = beside_baseline(roles, there)
            with about(there.source):
                below = cells_of(call.baseline.rows, there)
            cells = with_baseline(unlisted(cells), call.roles, unlisted(below), there, roles)
        if in_plan:
            roles = replace(roles, in_plan=True)
        return answered(call.frame, cells, partial(compute, roles=roles), schema, in_plan=in_plan)

    def _with_groups_of(self, metrics: Collection[Metric]) -> Call:
        """The same call, with the facets one by one, joined, or both, as the metrics need them."""
        are_joint = {metric.is_joint for metric in metrics}
        if True not in are_joint:
            return self
        if len(are_joint) > 1 and len(self.roles.facets) == 1:
            raise FairnessError(
                f"groups: with one facet, {self.roles.joint_facet!r}, the rows of metrics over "
                "intersections or conjunctions could not be distinguished from other rows; request "
                "them in a call of their own"
            )
        return self._with(are_apart=False in are_joint, are_joint=True)

    def _with_classes_of(self, metrics: Collection[Metric]) -> Call:
        """The same call, with the classes one by one, all at once, or both, as metrics need them.

        A group has the highest rate of one class, and not of all.
        """
        classes = self.roles.classes
        if classes is None or not metrics:
            return self
        each_alone = not all(metric.parsed.level.divides_values for metric in metrics)
        all_at_once = any(metric.compares_classes for metric in metrics)
        all_at_once &= not self.roles.ranks_groups
        return self._with(classes=replace(classes, one_by_one=each_alone, all_at_once=all_at_once))

    def _with(self, **roles: Any) -> Call:
        return replace(self, roles=replace(self.roles, **roles))


def metrics_requested(metrics: Sequence[object], roles: Roles) -> dict[str, Metric]:
    """The requested metrics by name; without names, all metrics that the columns allow.

    These are without the metrics that are `only_named`.
    """
    if not metrics:
        return _allowed(roles)
    requested: dict[str, Metric] = {}
    for metric in one_by_one(metrics):
        if not isinstance(metric, str | Metric):
            name = getattr(metric, "__name__", None)
            hint = f"; give {name!r}" if name in CATALOGUE else ""
            takes = "names, Metric objects and lists of these"
            raise FairnessError(f"metrics: takes {takes}, got {shown(metric)}{hint}")
        name, found = (
            (metric, CATALOGUE[metric]) if isinstance(metric, str) else (metric.name, metric)
        )
        if name in (*requested, *COLUMNS, *roles.windows.made):
            raise FairnessError(
                f"metrics: there is a column {name!r} already; "
                f"{either('rename one metric with .named()', 'leave it out')}"
            )
        refuse_missing_needs(roles, found.name, found.needs)
        if found is not CATALOGUE.get(found.name):
            require_one_value(found)
        refuse_clashes_of(found, roles)
        if (measure := found.parsed.measure) and measure.bins is not None:
            refuse_divided_multiples(roles, name, measure.bins)
        requested[name] = found if roles.favorable else if_unfavorable(found)
    return requested


def one_by_one(metrics: Iterable[object]) -> list[Any]:
    """The metrics of a call, with the metrics of a list or tuple in its place."""
    unpacked: list[Any] = []
    for metric in metrics:
        if not isinstance(metric, list | tuple):
            unpacked.append(metric)
        elif metric:
            unpacked += one_by_one(metric)
        else:
            raise FairnessError("metrics: got an empty list; name a metric, or leave it out")
    return unpacked


def _is_meant(metric: Metric, roles: Roles) -> bool:
    """Whether a metric is computed without being named.

    Over two classes, `confusion_distance` is another metric's number.
    """
    compares_classes = roles.classes is not None and metric.parsed.level.divides_values
    return not roles.ranks_groups if compares_classes else not metric.only_named


def _allowed(roles: Roles) -> dict[str, Metric]:
    if roles.predicted is not None:
        refuse_unknown_positive(roles, "metrics", roles.predicted)
    allowed = {
        name: metric if roles.favorable else if_unfavorable(metric)
        for name, metric in CATALOGUE.items()
        if roles.allow(metric)
        and _is_meant(metric, roles)
        and not (roles.facets_against_all and needs_sides_apart(metric))
    }
    if not allowed:
        raise FairnessError(
            f"metrics: no metric can be computed from these arguments; give {keyword('facet')}, "
            f"and {keyword('label')} or {keyword('predicted')}"
        )
    return allowed
