"""The roles that columns play in a call, as one frozen value."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, Literal

import polars as pl

from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Nulls
from polars_fairness.question.columns import Column, KeyColumns
from polars_fairness.question.facets import Facet
from polars_fairness.question.outcomes import (
    ESTIMATED,
    ROLES,
    VALUES_OF_CLASSES,
    Classes,
    Model,
    Number,
    Outcome,
    Role,
    ThresholdsTried,
    add_powers,
    require_models,
)
from polars_fairness.question.scores import Best, Score
from polars_fairness.question.windows import ESTIMATOR, Windows


@dataclass(frozen=True)
class Roles:
    """Which column plays which part in one call, and what its cells hold.

    What follows from the columns is a property, such as what rows stand for. The rest is stated
    by the properties and methods here that make the same question about other cells, and nowhere
    else. Cells have the keys and the sums that their question says: those that are counted of
    `undecided`, and those of comparisons once scores have decided.
    """

    windows: Windows
    facets: tuple[Facet, ...]
    strata: KeyColumns
    controls: KeyColumns
    label: Outcome | None
    # None without predictions and scores; the one model of a question without names has none.
    models: tuple[Model, ...]
    weight: Column | None
    count: Column | None
    cluster: Column | None
    numbers: tuple[Number, ...]  # numbers as outcomes: observed, estimated or both
    nulls: Nulls
    zero_division: float | None
    favorable: bool = True  # whether a positive outcome is good for the person
    # The classes that are positive in turn; then the outcomes are True or False in each window.
    classes: Classes | None = None
    estimators: tuple[str, ...] = ()  # how groups that are known only as probabilities are counted
    champion: str | None = None  # the model that the others are compared with on the same rows

    # The sums that the rows have if they are cells; of cells whose count was not given, their `n`.
    tallies: frozenset[str] = frozenset()
    # Whether the sums of groups that are known only as probabilities are divided into 200 parts.
    has_parts: bool = False
    # Whether metrics are about single facets, about all facets together, or some about each.
    are_apart: bool = True
    are_joint: bool = False
    counts_scores: bool = False  # whether rows are counted by their scores, and not by decisions
    # What cells have of the sums that the ranks of their rows add up to.
    sums_ranks: tuple[str, ...] = ()
    only_ranks: bool = False  # whether scores are there for these sums alone
    is_paired: bool = False  # whether counts are divided by the decision of the champion
    # Whether an answer is made as a plan: sides that the data decide are columns of the cells.
    in_plan: bool = False
    # The argument that holds the rows, which errors name, where it is not the frame.
    source: str = ""

    @cached_property
    def uncertain_facets(self) -> tuple[Facet, ...]:
        """The facets whose groups are known only as probabilities."""
        return tuple([facet for facet in self.facets if facet.is_uncertain])

    @cached_property
    def as_counted(self) -> Roles:
        """The question as rows are counted, before the estimators of groups are applied.

        Several classes are counted as they stand, before each is positive in turn.
        """
        if self.classes:
            of_models = zip(self.models, self.classes.predicted, strict=False)
            return replace(
                self,
                windows=self.windows.without_classes,
                label=self.classes.label,
                models=tuple(replace(model, predicted=each) for model, each in of_models),
                classes=None,
            )
        if not self.uncertain_facets:
            return self
        return replace(self, windows=self.windows.without(ESTIMATOR))

    @property
    def place_order(self) -> list[str | pl.Expr]:
        """What rows of answers are sorted by: windows, and facets in the order of the question."""
        names = [facet.name for facet in self.facets]
        places = pl.col("facet").replace_strict(
            names, range(len(names)), default=None, return_dtype=pl.UInt32
        )
        # Another name: streaming, polars 1 takes the first rows of a sort by the names of its keys.
        facet = places.alias("place\x1f") if len(names) > 1 else "facet"
        return [*self.windows.keys, facet]

    @cached_property
    def left_out(self) -> Literal["", "clusters", "parts"]:
        """What is left out for intervals, one of 200 groups after the other.

        That is clusters, or parts of what is added up of rows whose groups are known in
        probability. These rows have the sums that say how they vary.
        """
        return "clusters" if self.cluster else "parts" if self.has_parts else ""

    def answered(self, *, in_plan: bool, by_cluster: bool = True) -> Roles:
        """The same question, in a plan or with cells at hand; clusters only where they are used."""
        return replace(self if by_cluster else self.without_intervals, in_plan=in_plan)

    def with_source(self, source: str) -> Roles:
        """The same question about the rows that this argument holds."""
        return replace(self, source=source)

    @cached_property
    def row_by_row(self) -> Roles:
        """The same question about rows that mostly differ, which is no sign of cells."""
        return replace(self, tallies=frozenset()) if self.may_be_cells else self

    @cached_property
    def without_intervals(self) -> Roles:
        """The same question about values without intervals."""
        return replace(self, cluster=None, has_parts=False) if self.left_out else self

    @property
    def showing_spread(self) -> Roles:
        """The same question about cells that say how values vary.

        For numbers they have sums of powers, and of estimated groups those of products of
        probabilities.
        """
        if self.uncertain_facets:
            return replace(self, has_parts=True)
        is_weighted = self.weight is not None
        return replace(self, numbers=add_powers(self.numbers, is_weighted=is_weighted))

    @cached_property
    def words_of_clusters(self) -> tuple[str, str]:
        """The argument that rows are left out by, and what is left out."""
        return ("cluster", "clusters") if self.cluster else ("facet", "rows")

    @cached_property
    def named_models(self) -> tuple[Model, ...]:
        """The models that are windows, each under its name."""
        return tuple([model for model in self.models if model.name is not None])

    @cached_property
    def predicted(self) -> Outcome | None:
        """The prediction in cells; of named models True and False, whatever each predicts."""
        predicted = self.models[0].predicted if self.models else None
        return predicted.decided() if predicted and self.named_models else predicted

    @cached_property
    def score(self) -> Score | None:
        """The score; of several models, that of the first."""
        return self.models[0].score if self.models else None

    @cached_property
    def thresholds(self) -> ThresholdsTried:
        """The thresholds that are windows, the same for each model."""
        predicted = self.models[0].predicted if self.models else None
        return predicted.thresholds if predicted and self.windows.has_thresholds else ()

    @cached_property
    def best(self) -> Best | None:
        """The cuts that accept the best rows of each window, if there are any."""
        return self.thresholds if isinstance(self.thresholds, Best) else None

    @cached_property
    def counts_in_part(self) -> bool:
        """Whether a row may count in part: of known probability, or tied at a best cut."""
        # Without predictions, it is not known whether thresholds are best cuts.
        may_be_best = self.windows.has_thresholds and self.predicted is None
        return self.windows.has_estimators or self.best is not None or may_be_best

    @cached_property
    def with_inner_names(self) -> Roles:
        """The same question, with the keys of windows as their names."""
        if not self.windows.columns:
            return self
        return replace(self, windows=self.windows.named_by_keys())

    @cached_property
    def joint_facet(self) -> str:
        """The name of all facets together."""
        return " & ".join(facet.name for facet in self.facets)

    @cached_property
    def joint_keys(self) -> list[str]:
        """The names of all attributes in cells."""
        return [key for facet in self.facets for key in facet.keys]

    @cached_property
    def has_intersections(self) -> bool:
        """Whether a facet is an intersection of several attributes."""
        return any(facet.is_intersection for facet in self.facets)

    @cached_property
    def reference_keys(self) -> list[str]:
        """The column of cells that holds the group found as side a, if a facet needs one."""
        return ["reference"] if any(f.finds_group or f.may_pair for f in self.facets) else []

    @cached_property
    def ranks_groups(self) -> bool:
        """Whether side a is the group with the highest rate, for some facet."""
        return any(facet.reference and facet.reference.ranks_by_rate for facet in self.facets)

    @cached_property
    def ranking_outcome(self) -> Outcome | None:
        """The outcome by whose positive rows groups are ranked."""
        return self.predicted or self.label

    @cached_property
    def facets_against_all(self) -> list[str]:
        """The names of facets whose side a holds side d too."""
        return [facet.name for facet in self.facets if facet.is_against_all]

    def with_facets(self, facets: Iterable[Facet]) -> Roles:
        """The same question about other facets, or about these with other sides."""
        return replace(self, facets=tuple(facets))

    def against_the_rest(self) -> Roles:
        """The same question with the rows outside d as side a, where side a is all rows."""
        if not self.facets_against_all:
            return self
        return self.with_facets(
            replace(facet, reference=None) if facet.is_against_all else facet
            for facet in self.facets
        )

    @cached_property
    def decides_by_score(self) -> bool:
        """Whether predictions follow from the scores that rows are counted by."""
        return bool(self.models) and all(model.decides_by_score for model in self.models)

    @cached_property
    def without_models(self) -> Roles:
        """The same question about rows by their groups and labels alone."""
        return replace(self.keeping(("label",)), windows=self.windows.without_made, models=())

    def with_window(self, made: str) -> Roles:
        """The same question about cells with one more window, which the question makes."""
        return replace(self, windows=self.windows.with_made(made))

    def joined(self, *, are_apart: bool, are_joint: bool) -> Roles:
        """The same question about single facets, about all facets together, or about both."""
        return replace(self, are_apart=are_apart, are_joint=are_joint)

    def summing_ranks(self, sums: Iterable[str], *, have_scores: bool) -> Roles:
        """The same question about cells with what ranks add up to, and with scores beside it."""
        return replace(self, sums_ranks=tuple(sorted(sums)), only_ranks=not have_scores)

    @cached_property
    def without_sums(self) -> Roles:
        """The same question about cells without sums of numbers and of ranks."""
        return replace(self, numbers=(), sums_ranks=())

    @cached_property
    def without_outcomes(self) -> Roles:
        """The same question about groups alone, and how many rows they have."""
        return replace(self.without_sums, label=None, models=())

    @cached_property
    def counting_scores(self) -> Roles:
        """The question about cells by score and label, whatever the decisions."""
        models = tuple(replace(model, predicted=None) for model in self.models)
        return replace(
            self, windows=self.windows.without_thresholds, models=models, counts_scores=True
        )

    @cached_property
    def undecided(self) -> Roles:
        """The question about cells as rows are counted, before scores decide."""
        return self.counting_scores if self.decides_by_score else self

    def counting_number(self, role: str) -> Roles:
        """The question about cells by the values of a number, which stand as scores."""
        [column] = (number.column for number in self.numbers if number.role == role)
        models = (Model(None, None, Score(column)),)
        return replace(self.counting_scores.without_outcomes, models=models)

    def with_scores(self, change: Callable[[Score], Score | None]) -> Roles:
        """The same question with another score, for each model that has one."""
        models = (
            replace(model, score=change(model.score)) if model.score else model
            for model in self.models
        )
        return replace(self, models=tuple(models))

    def with_decision(self, predicted: Outcome | None) -> Roles:
        """The same question with another prediction of its one model; named models keep theirs."""
        if not self.models or self.named_models or predicted is self.predicted:
            return self
        return replace(self, models=(replace(self.models[0], predicted=predicted),))

    def keeping(self, needs: Container[str]) -> Roles:
        """The same question without the parts that none of these needs.

        True and 1 are assumed positive only in outcomes that are needed.
        """
        roles, changed = self, dict[str, Any]()
        if self.score is not None and "score" not in needs:
            # Scores count only as far as they decide.
            tried = self.thresholds if self.decides_by_score else ()
            if isinstance(tried, tuple):
                roles = self.with_scores(
                    lambda each: each.with_thresholds(tried) if tried else None
                )
        if self.predicted and "predicted" not in needs:
            roles = roles.with_decision(self.predicted.without_assumption())
        if self.label and self.label.assumed and "label" not in needs:
            changed["label"] = self.label.without_assumption()
        if any(number.role not in needs for number in self.numbers):
            changed["numbers"] = tuple(each for each in self.numbers if each.role in needs)
        if self.strata and "subgroup" not in needs:
            changed["strata"] = replace(self.strata, columns=())
        if self.controls and "controls" not in needs:
            changed["controls"] = replace(self.controls, columns=())
        return replace(roles, **changed) if changed else roles

    def estimated_by(self, model: Model) -> Roles:
        """The same question about the numbers that a model estimates, if it does."""
        if model.estimated is None:
            return self
        numbers = (
            replace(each, column=model.estimated.column) if each.role == ESTIMATED else each
            for each in self.numbers
        )
        return replace(self, numbers=tuple(numbers))

    def with_thresholds(self, thresholds: tuple[float, ...]) -> Roles:
        """The same question at other thresholds, with scores counted only as far as they decide."""
        models = tuple(model.with_thresholds(thresholds) for model in self.models)
        return replace(self, models=models).with_scores(
            lambda each: each.with_thresholds(thresholds)
        )

    def against(self, champion: str) -> Roles:
        """The same question about decisions, of each model beside the champion's."""
        require_models("champion", [champion], [str(model.name) for model in self.models])
        if self.models[0].estimated is not None or isinstance(self.thresholds, Best | str):
            return replace(self, champion=champion)
        return replace(self.with_scores(lambda _: None), champion=champion)

    @cached_property
    def models_like_champion(self) -> list[str | None]:
        """The names of the models that decide by the champion's column and threshold."""
        [champion] = (model for model in self.models if model.name == self.champion)
        return [model.name for model in self.models if model.decides_like(champion)]

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
    def shows_scores(self) -> bool:
        """Whether cells keep the scores, so that they answer the same question as the rows."""
        return self.is_about_scores or self.windows.has_thresholds

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        return tuple(filter(None, (self.label, self.predicted)))

    @cached_property
    def summed_numbers(self) -> tuple[Number, ...]:
        """The numbers that are added up."""
        return tuple([number for number in self.numbers if number.is_summed])

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Every column of the call."""
        masses = filter(None, (self.weight, self.count))
        return (*self.key_columns, *(number.column for number in self.numbers), *masses)

    @cached_property
    def columns_read(self) -> tuple[Column, ...]:
        """Every column of rows that the question reads, of all models; but for their count."""
        of_models = ((each.predicted, each.score, each.estimated) for each in self.models)
        sources = (self.label, *chain.from_iterable(of_models), *self.numbers)
        return (
            *self.windows.columns,
            *(facet.column for facet in self.facets),
            *self.strata.columns,
            *self.controls.columns,
            *(source.column for source in sources if source),
            *filter(None, (self.weight, self.cluster)),
        )

    @cached_property
    def columns_beside_outcomes(self) -> tuple[Column, ...]:
        """The columns that rows are counted by, besides outcomes and scores."""
        of_facets = [facet.column for facet in self.facets if not facet.is_uncertain]
        return (
            *self.windows.columns,
            *of_facets,
            *self.strata.columns,
            *self.controls.columns,
            *filter(None, (self.cluster,)),
        )

    @cached_property
    def key_columns(self) -> tuple[Column, ...]:
        """The columns that cells are counted by."""
        outcomes = [outcome.column for outcome in self.outcomes]
        has_own_score = bool(self.models) and self.models[0].has_own_score
        score = [self.score.column] if self.score and has_own_score else []
        return (*self.columns_beside_outcomes, *outcomes, *score)

    @cached_property
    def is_weighted(self) -> bool:
        """Whether rows stand for their weights, or for parts of rows."""
        return self.weight is not None or self.windows.has_estimators

    @cached_property
    def mass(self) -> Literal["n", "weight"]:
        """The tally of cells that says what their rows stand for.

        That is how many they are, or their weights, or parts of rows whose groups are known in
        probability.
        """
        return "weight" if self.is_weighted else "n"

    @cached_property
    def has_squares(self) -> bool:
        """Whether the rows are cells, which have the sums of squared weights already."""
        return "weight_sq" in self.tallies

    @cached_property
    def may_be_cells(self) -> bool:
        """Whether the rows may be cells whose count was not given."""
        return self.count is None and bool(self.tallies)

    @cached_property
    def squares(self) -> str:
        """The tally of cells with the sum of the squares of what each row stands for."""
        return "weight_sq" if self.is_weighted else "n"

    @cached_property
    def size(self) -> pl.DataType:
        """The type of a number of rows: whole, or a float for a sum of weights."""
        return pl.Float64() if self.is_weighted else pl.Int64()

    def sized(self, number: pl.Expr) -> pl.Expr:
        """A number of rows in its type; the parts of rows add up to whole ones but for rounding."""
        return number.cast(pl.Float64) if self.is_weighted else number.round().cast(pl.Int64)

    @cached_property
    def binary_outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes whose positive values are known."""
        return tuple([outcome for outcome in self.outcomes if outcome.is_binary])

    @cached_property
    def binary_roles(self) -> tuple[Role, ...]:
        """The roles of the outcomes whose positive values are known."""
        return tuple([outcome.role for outcome in self.binary_outcomes])

    @cached_property
    def given(self) -> frozenset[str]:
        """The needs of a metric that this call meets."""
        met: set[str] = {*self.binary_roles, *(number.role for number in self.numbers)}
        for need, is_met in (
            ("facet", self.facets),
            ("label values", self.label),
            ("predicted values", self.predicted),
            ("subgroup", self.strata),
            ("controls", self.controls),
            ("score", self.score),
        ):
            if is_met:
                met.add(need)
        return frozenset(met)

    @cached_property
    def value_keys(self) -> tuple[str, str]:
        """The keys of cells that hold the values of the label and of the prediction."""
        return VALUES_OF_CLASSES if self.classes else ("label", "predicted")

    def allow(self, metric: Metric) -> bool:
        """Whether everything that a metric needs was given and is meant."""
        is_meant = self.is_about_scores or "score" not in metric.needs
        return is_meant and self.given.issuperset(metric.needs)

    def rows_needed_by(self, needs: Container[str]) -> frozenset[str]:
        """The roles of the columns that a row may not lack, if it is to count for these needs."""
        needed: set[str] = {role for role in ROLES if role in needs or f"{role} values" in needs}
        needed |= {need for need in ("observed", "estimated", "score") if need in needs}
        # Where a score decides, a row has both or neither.
        both = {"predicted", "score"} if self.decides_by_score else set[str]()
        return frozenset(needed | both if needed & both else needed)

    def needing(self, needs: Container[str]) -> Roles:
        """The same question about the rows that metrics with these needs count.

        With ``nulls="drop"`` a row is left out of the metrics that need what it lacks, and of no
        other. Without, no row lacks anything.
        """
        if self.nulls != "drop":
            return self
        needed = self.rows_needed_by(needs)
        counted = self.with_outcomes(needed)
        return replace(
            counted if "score" in needed else counted.with_scores(lambda _: None),
            numbers=tuple(each for each in self.numbers if each.role in needed),
        )

    @cached_property
    def ranking(self) -> Roles:
        """The same question about the rows that decide which groups are sides."""
        outcome = self.ranking_outcome
        return self.needing({outcome.role} if outcome else {"score"})

    @cached_property
    def paired(self) -> Roles:
        """The same question about the decisions of a model and of the champion together."""
        return replace(self, is_paired=self.champion is not None and self.predicted is not None)

    @cached_property
    def unpaired(self) -> Roles:
        """The same question about the decisions of one model."""
        return replace(self, is_paired=False) if self.is_paired else self

    def with_outcomes(self, roles: Container[str]) -> Roles:
        """The same question without the outcomes of other roles."""
        if all(outcome.role in roles for outcome in self.outcomes):
            return self
        models = self.models
        if "predicted" not in roles:
            models = tuple(replace(model, predicted=None) for model in models)
        return replace(self, label=self.label if "label" in roles else None, models=models)
