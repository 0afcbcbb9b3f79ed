"""The roles that columns play in a call, as one frozen value."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeGuard

import polars as pl

from polars_fairness.errors import FairnessError, keyword
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Nulls
from polars_fairness.question.columns import Column, KeyColumns
from polars_fairness.question.facets import Facet
from polars_fairness.question.models import Model, require_models
from polars_fairness.question.outcomes import Outcome
from polars_fairness.question.scores import EVERY, Score
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
    # Whether a positive outcome is good for the person.
    favorable: bool = True
    # Whether metrics are about single facets, about all facets together, or some about each.
    are_apart: bool = True
    are_joint: bool = False
    # Whether rows are counted by their scores, and not by decisions.
    counts_scores: bool = False
    # Several models; `predicted`, `score` and `thresholds` then say what all have in common.
    models: tuple[Model, ...] = ()
    # The model that the others are compared with on the same rows.
    champion: str | None = None
    # Whether counts are divided by the decision of the champion.
    is_paired: bool = False
    # The predictions of models that are counted jointly, in place of `predicted`.
    decisions: tuple[Outcome, ...] = ()
    # The argument that holds the rows, which errors name, where it is not the frame.
    source: str = ""
    # The predictions of all models, where a row that lacks one is dropped for all of them.
    all_known: tuple[Column, ...] = ()

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
        return replace(self, windows=self.windows.of_scores, predicted=None, thresholds=None)

    @cached_property
    def of_scores(self) -> Roles:
        """The question about cells by score and label, whatever the decisions."""
        windows = self.windows.of_scores
        return replace(self, windows=windows, predicted=None, thresholds=None, counts_scores=True)

    @cached_property
    def scores(self) -> tuple[Score, ...]:
        """The score; of several models, that of each."""
        found = [model.score for model in self.models] if self.models else [self.score]
        return tuple(score for score in found if score and self.score)

    def with_score(self, change: Callable[[Score | None], Score | None]) -> Roles:
        """The same question with another score, for each model."""
        models = (replace(model, score=change(model.score)) for model in self.models)
        return replace(self, score=change(self.score), models=tuple(models))

    def against(self, champion: str) -> Roles:
        """The same question about decisions, of each model beside the champion's."""
        require_models("champion", [champion], [model.name for model in self.models])
        if self.predicted is None:
            raise FairnessError(
                "champion: compares decisions, and the models give scores; give "
                f"{keyword('threshold')}"
            )
        if self.windows.has_thresholds and self.thresholds == EVERY:
            raise FairnessError(
                "champion: the decisions of both models are counted at given thresholds, got "
                f"{keyword('threshold', 'every')}; list some thresholds"
            )
        return replace(self.with_score(lambda _: None), champion=champion)

    @cached_property
    def models_like_champion(self) -> list[str]:
        """The names of the models that decide by the champion's column and threshold."""
        [champion] = (model for model in self.models if model.name == self.champion)
        return [model.name for model in self.models if model.decides_like(champion)]

    def of_model(self, model: Model) -> Roles:
        """The same question about one model."""
        return replace(
            self,
            models=(),
            predicted=self.predicted and model.predicted,
            score=self.score and model.score,
            thresholds=self.thresholds and model.thresholds,
        )

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
        outcomes = (self.label, self.predicted, *self.decisions)
        return tuple(outcome for outcome in outcomes if outcome is not None)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Every column of the call."""
        numbers = (column for column in (self.weight, self.count) if column)
        return (*self.key_columns, *numbers)

    def _is_apart(self, score: Score | None) -> TypeGuard[Score]:
        """Whether the score is a column of its own beside the predictions."""
        predicted = self.predicted
        return score is not None and not (predicted and predicted.column.is_same(score.column))

    @cached_property
    def key_columns(self) -> tuple[Column, ...]:
        """The columns that cells are counted by, in the order of the result of `cells`."""
        return (
            *self.windows.columns,
            *(facet.column for facet in self.facets),
            *self.strata.columns,
            *self.points.columns,
            *(outcome.column for outcome in self.outcomes),
            *(score.column for score in [self.score] if self._is_apart(score)),
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
            decisions=tuple(each.at(pl.col(each.key)) for each in self.decisions),
            all_known=(),  # likewise a key
            score=None,  # its key is no score, and is a column already
        )

    def rows_needed_by(self, needs: Container[str]) -> frozenset[str]:
        """The roles of the columns that a row may not lack, if it is to count for these needs."""
        found = {"label"} if "label" in needs or "label values" in needs else set[str]()
        found |= {need for need in ("predicted", "score", "features") if need in needs}
        # Where a score decides, a row has both or neither.
        both = {"predicted", "score"} if self.decides_by_score else set[str]()
        return frozenset(found | both if found & both else found)

    def needing(self, needs: Container[str]) -> Roles:
        """The same question about the rows that metrics with these needs count.

        With ``nulls="drop"`` a row is left out of the metrics that need what it lacks, and of no
        other. Without, no row lacks anything.
        """
        if self.nulls != "drop":
            return self
        needed = self.rows_needed_by(needs)
        has_score = "score" in needed
        return replace(
            self.with_outcomes(needed),
            score=self.score if has_score else None,
            thresholds=self.thresholds if has_score else None,
            points=self.points if "features" in needed else replace(self.points, columns=()),
        )

    @cached_property
    def ranking(self) -> Roles:
        """The same question about the rows that decide which groups are sides."""
        outcome = self.ranking_outcome
        return self.needing({outcome.role} if outcome else {"score"})

    def with_outcomes(self, roles: Container[str]) -> Roles:
        """The same question without the outcomes of other roles."""
        return replace(
            self,
            label=self.label if "label" in roles else None,
            predicted=self.predicted if "predicted" in roles else None,
        )
