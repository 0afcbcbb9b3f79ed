"""The counts of rows that a question needs: by decisions, and by scores, of its models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from polars_fairness.question.columns import Column
from polars_fairness.question.outcomes import Model, Outcome
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import Score

# The decisions of eight models and a champion make at most 59,049 cells of a group.
MOST_TOGETHER: Final = 8


@dataclass(frozen=True)
class Count:
    """One count of the rows of a question: the outcomes and the score that it has as keys.

    Parameters
    ----------
    models
        The named models whose decisions or scores it has. Decisions are numbered in this order;
        after them is that of the champion, if there is one.
    threshold
        The threshold of these decisions, where it is a window.
    all_known
        The predictions of all models, where a row that lacks one is dropped for all of them.
    may_lack
        The weight and the count, where rows that lack these are cells of their own.
    """

    roles: Roles
    outcomes: tuple[Outcome, ...]
    score: Score | None
    models: tuple[Model, ...] = ()
    threshold: float | None = None
    all_known: tuple[Column, ...] = ()
    may_lack: tuple[Column, ...] = ()

    @classmethod
    def row_by_row(cls, roles: Roles) -> Count:
        """The count by the decision of each row, and beside it by score if there is one."""
        return cls(roles, roles.outcomes, roles.score)

    @property
    def decisions(self) -> list[Outcome]:
        """The decisions of named models."""
        return [outcome for outcome in self.outcomes if outcome.number is not None]

    @property
    def key_columns(self) -> tuple[Column, ...]:
        """The columns that rows are counted by, in the order of the result of `cells`."""
        outcomes = (outcome.column for outcome in self.outcomes)
        score = [self.score.column] if self.score else []
        return (*self.roles.columns_beside_outcomes, *outcomes, *score)


def counts_of(roles: Roles) -> list[Count]:
    """The counts that a question needs: one, or some of a few models each."""
    models = roles.named_models
    if not models:
        return [Count(roles, roles.undecided.outcomes, roles.score)]
    if roles.predicted is None or roles.decides_by_score:
        label = (roles.label,) if roles.label else ()
        counts = [
            Count(roles.estimated_by(model), label, model.score, (model,)) for model in models
        ]
    else:
        assert not isinstance(roles.thresholds, str)
        are_binary = all(model.predicted and model.predicted.is_binary for model in models)
        # Of 100 classes, two models together make 10,000 cells of a group, and three a million.
        together = MOST_TOGETHER if are_binary else 1
        counts = [
            decided_jointly(roles, models[start : start + together], threshold)
            for start in range(0, len(models), together)
            for threshold in roles.thresholds or [None]
        ]
    if roles.nulls == "drop" and len(counts) > 1:
        columns = tuple(_column(model) for model in models)
        counts = [replace(count, all_known=columns) for count in counts]
    return counts


def decided_jointly(roles: Roles, models: Sequence[Model], threshold: float | None) -> Count:
    """The count by the decisions of some models, at a threshold if they have scores."""
    champion = [model for model in roles.named_models if model.name == roles.champion]
    label = (roles.label,) if roles.label else ()
    decisions = []
    for number, model in enumerate([*models, *champion]):
        decided = model if threshold is None else model.with_thresholds((threshold,))
        assert decided.predicted is not None
        decisions.append(replace(decided.predicted, number=number))
    return Count(roles, (*label, *decisions), roles.score, tuple(models), threshold)


def _column(model: Model) -> Column:
    source = model.predicted or model.score or model.estimated
    assert source is not None
    return source.column
