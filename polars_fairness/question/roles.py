"""The arguments of a call, checked against the schema of its frame, as one frozen value.

Errors that the schema shows are raised at the call.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, TypeGuard

import polars as pl

from polars_fairness.errors import FairnessError, require_number
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import DEFAULTS, NULLS, OF_QUESTION, Nulls, Question
from polars_fairness.question.columns import Column, find_columns, find_single_column
from polars_fairness.question.facets import Facet, find_facets
from polars_fairness.question.features import require_numeric_features
from polars_fairness.question.key_columns import KeyColumns
from polars_fairness.question.outcomes import Outcome, find_outcomes, outcome_of_score
from polars_fairness.question.scores import (
    SUMS,
    Score,
    ThresholdLike,
    find_score,
    find_thresholds,
    is_several,
    numbers_of,
)
from polars_fairness.question.windows import Windows


@dataclass(frozen=True)
class Roles:
    """Which column plays which part in one call."""

    windows: Windows
    facets: tuple[Facet, ...]
    strata: KeyColumns
    points: KeyColumns
    label: Outcome | None
    predicted: Outcome | None
    score: Score | None
    # The thresholds at which the score decides; None where the prediction is decided otherwise.
    thresholds: tuple[float, ...] | Literal["every"] | None
    weight: Column | None
    count: Column | None
    nulls: Nulls
    zero_division: float | None
    # Whether metrics are about single facets, about all facets together, or some about each.
    are_apart: bool = True
    are_joint: bool = False
    # Whether rows are counted by their scores, and not by decisions.
    counts_scores: bool = False

    @cached_property
    def joint_facet(self) -> str:
        """The name of all facets together."""
        return " & ".join(facet.name for facet in self.facets)

    @cached_property
    def joint_keys(self) -> list[str]:
        """The names of all attributes in cells."""
        return [key for facet in self.facets for key in facet.keys]

    @cached_property
    def reference_keys(self) -> list[str]:
        """The column of cells that holds the group found as side a, if a facet needs one."""
        return ["reference"] if any(facet.finds_group for facet in self.facets) else []

    @cached_property
    def ranks_groups(self) -> bool:
        """Whether side a is the group with the highest rate, for some facet."""
        references = (facet.reference for facet in self.facets)
        return any(each is not None and each.ranks_by_rate for each in references)

    @cached_property
    def ranking_outcome(self) -> Outcome | None:
        """The outcome by whose positive rows groups are ranked."""
        return self.predicted or self.label

    @cached_property
    def facets_against_all(self) -> list[str]:
        """The names of facets whose side a holds side d too."""
        return [facet.name for facet in self.facets if facet.is_against_all]

    def against_the_rest(self) -> Roles:
        """The same question with the rows outside d as side a, where side a is all rows."""
        if not self.facets_against_all:
            return self
        facets = (
            replace(facet, reference=None) if facet.is_against_all else facet
            for facet in self.facets
        )
        return replace(self, facets=tuple(facets))

    @cached_property
    def decides_by_score(self) -> bool:
        """Whether predictions follow from the scores that rows are counted by."""
        return self.score is not None and self.thresholds is not None

    @cached_property
    def undecided(self) -> Roles:
        """The question about cells by score, before scores are compared with thresholds."""
        if not self.decides_by_score:
            return self
        return replace(self, windows=self.windows.of_rows, predicted=None, thresholds=None)

    @cached_property
    def of_scores(self) -> Roles:
        """The question about cells by score and label, whatever the decisions."""
        windows = self.windows.of_rows
        return replace(self, windows=windows, predicted=None, thresholds=None, counts_scores=True)

    @cached_property
    def sums_scores(self) -> bool:
        """Whether counts have the sums of their scores beside them."""
        return self.counts_scores and self.score is not None and self.score.is_rounded

    @cached_property
    def is_about_scores(self) -> bool:
        """Whether metrics of scores are meant if none is named.

        Not by a threshold alone: it makes two cells of a group, where scores would make as many as
        there are rows. Nor once scores are rounded down to thresholds.
        """
        score = self.score
        if score is None or score.thresholds:
            return False
        return score.argument == "score" or score.resolution is not None or self.predicted is None

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        return tuple(outcome for outcome in (self.label, self.predicted) if outcome is not None)

    @cached_property
    def columns_by_role(self) -> tuple[tuple[str, Column], ...]:
        """Every column of the call with the argument that names it."""
        return (
            *(("by", column) for column in self.windows.columns),
            *(("facet", facet.column) for facet in self.facets),
            *(("subgroup", column) for column in self.strata.columns),
            *(("features", column) for column in self.points.columns),
            *((outcome.argument, outcome.column) for outcome in self.outcomes),
            *((score.argument, score.column) for score in [self.score] if self._is_apart(score)),
            *(("weight", column) for column in [self.weight] if column),
            *(("count", column) for column in [self.count] if column),
        )

    def _is_apart(self, score: Score | None) -> TypeGuard[Score]:
        """Whether the score is a column of its own beside the predictions."""
        predicted = self.predicted
        return score is not None and not (predicted and predicted.column.is_same(score.column))

    @cached_property
    def key_columns(self) -> tuple[Column, ...]:
        """The columns that cells are counted by, in the order of the result of `cells`."""
        return tuple(
            column for role, column in self.columns_by_role if role not in ("weight", "count")
        )

    @cached_property
    def size(self) -> pl.DataType:
        """The type of a number of rows: whole, or a float for a sum of weights."""
        return pl.Float64() if self.weight else pl.Int64()

    @cached_property
    def binary_outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes whose positive values are known."""
        return tuple(outcome for outcome in self.outcomes if outcome.is_binary)

    @cached_property
    def given(self) -> frozenset[str]:
        """The needs of a metric that this call meets."""
        met: set[str] = {outcome.role for outcome in self.binary_outcomes}
        for need, is_met in (
            ("facet", self.facets),
            ("label values", self.label),
            ("subgroup", self.strata),
            ("features", self.points),
            ("score", self.score),
        ):
            if is_met:
                met.add(need)
        return frozenset(met)

    def allow(self, metric: Metric) -> bool:
        """Whether everything that a metric needs was given and is meant."""
        is_meant = self.is_about_scores or "score" not in metric.needs
        return is_meant and self.given.issuperset(metric.needs)

    def as_counted(self) -> Roles:
        """The same question about frames that have the keys as columns."""
        return replace(
            self,
            windows=self.windows.in_cells(),
            facets=tuple(facet.at([pl.col(key) for key in facet.keys]) for facet in self.facets),
            strata=self.strata.in_cells(),
            points=self.points.in_cells(),
            label=self.label and self.label.at(pl.col("label")),
            predicted=self.predicted and self.predicted.at(pl.col("predicted")),
            score=None,  # its key is no score, and is a column already
        )

    def with_outcomes(self, roles: Container[str]) -> Roles:
        """The same question without the outcomes of other roles."""
        return replace(
            self,
            label=self.label if "label" in roles else None,
            predicted=self.predicted if "predicted" in roles else None,
        )


def find_roles(schema: pl.Schema, question: Question) -> Roles:
    """Check a call's arguments against the frame's schema."""
    given = DEFAULTS | question
    found = _columns_by_argument(schema, given)

    def single(argument: str) -> Column | None:
        return next(iter(found[argument]), None)

    threshold = given["threshold"]
    single_threshold: Any = None if is_several(threshold) else threshold
    of_score = single_threshold is not threshold
    scored, predicted_by = single("score"), single("predicted")
    if scored is not None:
        scored = numbers_of(scored)
    if predicted_by is None and threshold is not None:
        predicted_by = scored
    label, predicted = find_outcomes(
        {"label": single("label"), "predicted": None if of_score else predicted_by},
        {"label": given["label_threshold"], "predicted": single_threshold},
        given["positive"],
    )
    if of_score:
        predicted = outcome_of_score(predicted_by)
    if predicted is not None and predicted_by is scored:
        predicted = replace(predicted, is_given_as_score=True)
    is_decided = predicted is not None and threshold is None
    score = find_score(scored, predicted_by, given["resolution"], is_decided=is_decided)
    if score and single("count") and {*SUMS} <= {*schema}:
        _refuse_weighted_sums(schema, single("weight"))
        score = replace(score, has_sums=True)
    roles = Roles(
        windows=Windows("by", found["by"], has_thresholds=of_score),
        facets=find_facets(found["facet"], given["disfavored"], given["favored"]),
        strata=KeyColumns("subgroup", found["subgroup"]),
        points=KeyColumns("features", found["features"]),
        label=label,
        predicted=predicted,
        score=score,
        thresholds=_thresholds_of_score(threshold, score, predicted),
        weight=single("weight"),
        count=single("count"),
        nulls=given["nulls"],
        zero_division=given["zero_division"],
    )
    _refuse_odd_settings(roles)
    require_numeric_features(roles.points.columns)
    _refuse_two_roles(roles)
    return roles


def _refuse_weighted_sums(schema: pl.Schema, weight: Column | None) -> None:
    """Raise if cells have weighted sums of scores, and are used without their weight."""
    if "weight_sq" in schema and weight is None:
        msg = (
            "weight: the sums of scores of these cells are weighted, and weight was not given; "
            "give weight= as when they were counted"
        )
        raise FairnessError(msg)


def _thresholds_of_score(
    given: ThresholdLike | None, score: Score | None, predicted: Outcome | None
) -> tuple[float, ...] | Literal["every"] | None:
    """The thresholds at which the score decides; None if the prediction is another column's."""
    if given is None or score is None or predicted is None:
        return None
    if not predicted.column.is_same(score.column):
        if predicted.is_of_score:
            msg = (
                f"threshold: several are for the score, {score.column.name!r}, and predicted is "
                f"{predicted.column.name!r}; leave predicted= out, or give one threshold"
            )
            raise FairnessError(msg)
        return None
    return find_thresholds(given, score)


def _columns_by_argument(schema: pl.Schema, given: Question) -> dict[str, tuple[Column, ...]]:
    """Find the columns of every argument, in the order in which engines look for them too."""
    found = {}
    for argument in (row for row in OF_QUESTION if row.kind.names_columns):
        find = find_columns if argument.kind.is_several else find_single_column
        value: Any = given.get(argument.name)
        found[argument.name] = find(schema, argument.name, value)
    return found


def _refuse_odd_settings(roles: Roles) -> None:
    NULLS.refuse_other_choices(roles.nulls)
    setting = roles.zero_division
    if setting is not None:
        require_number("zero_division", setting, "None or a number")
    for argument, column in (("weight", roles.weight), ("count", roles.count)):
        if column is not None and not column.dtype.is_numeric():
            msg = f"{argument}: {column.name!r} is {column.dtype}; name a column of numbers"
            raise FairnessError(msg)


def _refuse_two_roles(roles: Roles) -> None:
    for (one, column), (other, twin) in combinations(roles.columns_by_role, 2):
        # A feature may also be a `by`, `subgroup` or `weight` column.
        both_meant = {"features"} < {one, other} <= {"features", "by", "subgroup", "weight"}
        if column.is_same(twin) and not both_meant:
            roles_named = one if one == other else f"{one}, {other}"
            msg = f"{roles_named}: {column.name!r} cannot be both; name another column for one"
            raise FairnessError(msg)
