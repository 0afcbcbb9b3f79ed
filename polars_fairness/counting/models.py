"""Several models: which of them are counted jointly, and joint cells to the cells of each model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import polars as pl

from polars_fairness.counting.polars_rows import ALL_KNOWN, TALLIES, sums_of_tallies
from polars_fairness.question.columns import Column
from polars_fairness.question.models import CHAMPION, Model
from polars_fairness.question.outcomes import Outcome
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import MODEL, THRESHOLD

# The decisions of eight models and a champion make at most 59,049 cells of a group.
MOST_TOGETHER: Final = 8


@dataclass(frozen=True)
class Count:
    """One count of the rows, and the models whose decisions or scores it has.

    Where decisions are counted, ``roles.decisions`` has the decisions of these models and then, if
    there is one, the decision of the champion.
    """

    roles: Roles
    models: tuple[str, ...] = ()
    threshold: float | None = None


def counts_of(roles: Roles) -> list[Count]:
    """The counts that a question needs: one, or some of a few models each."""
    if not roles.models:
        return [Count(roles)]
    bare = replace(roles, windows=roles.windows.of_rows, models=(), predicted=None)
    if roles.predicted is None:
        counts = [Count(replace(bare, score=model.score), (model.name,)) for model in roles.models]
    else:
        several = roles.windows.has_thresholds and roles.thresholds
        counts = [
            _decided_jointly(bare, models, roles, threshold)
            for models in _batches(roles.models)
            for threshold in (several if isinstance(several, tuple) else [None])
        ]
    if roles.nulls == "drop" and len(counts) > 1:
        columns = tuple(_column(model) for model in roles.models)
        counts = [replace(count, roles=replace(count.roles, all_known=columns)) for count in counts]
    return counts


def all_decisions(roles: Roles) -> Roles:
    """The question about the decisions of all models, counted jointly."""
    bare = replace(roles, windows=roles.windows.of_rows, models=(), predicted=None)
    return _decided_jointly(bare, roles.models, roles, None).roles


def by_model(cells: pl.LazyFrame, count: Count, roles: Roles) -> pl.LazyFrame:
    """The cells of each model: those of a joint count, added up over the other models.

    A row that lacks the prediction of one model has none in the cells of each.
    """
    if not count.models:
        return cells
    fold = partial(_folded, count=count, windows=roles.windows.made, champion=roles.champion)
    schema = cells.collect_schema()
    empty = fold(pl.DataFrame(schema=schema))
    return cells.map_batches(
        fold,
        predicate_pushdown=False,
        projection_pushdown=False,
        slice_pushdown=False,
        schema=empty.schema,
    )


def _batches(models: Sequence[Model]) -> list[Sequence[Model]]:
    starts = range(0, len(models), MOST_TOGETHER)
    return [models[start : start + MOST_TOGETHER] for start in starts]


def _decided_jointly(
    bare: Roles, models: Sequence[Model], roles: Roles, threshold: float | None
) -> Count:
    names = [model.name for model in models]
    champion = [model for model in roles.models if model.name == roles.champion]
    decisions = tuple(
        _decision(number, model, threshold) for number, model in enumerate([*models, *champion])
    )
    return Count(replace(bare, decisions=decisions), tuple(names), threshold)


def _decision(number: int, model: Model, threshold: float | None) -> Outcome:
    assert model.predicted is not None
    decision = replace(model.predicted, number=number)
    if threshold is None:
        return decision
    return replace(decision, threshold=threshold, is_of_score=False)


def _column(model: Model) -> Column:
    source = model.predicted or model.score
    assert source is not None
    return source.column


def _folded(
    cells: pl.DataFrame, count: Count, windows: Sequence[str], champion: str | None
) -> pl.DataFrame:
    decisions = count.roles.decisions
    all_known = [ALL_KNOWN] if count.roles.all_known else []
    tallies = [name for name in cells.columns if name in TALLIES]
    folded = (*(each.key for each in decisions), *all_known, *tallies)
    keys = [name for name in cells.columns if name not in folded]
    known = pl.all_horizontal(
        pl.lit(True),
        *(pl.col(each.key).is_not_null() for each in decisions),
        *map(pl.col, all_known),
    )
    parts = []
    for number, name in enumerate(count.models):
        window = {MODEL: pl.lit(name), THRESHOLD: pl.lit(count.threshold, pl.Float64)}
        if decisions:
            outcome = {"predicted": _decided(decisions[number], known)}
        else:
            outcome = {"score": pl.when(known).then("score")}
        if champion is not None:
            outcome[CHAMPION] = _decided(decisions[-1], known)
        columns = {key: window[key] for key in windows} | outcome
        # In the order of the cells of one model, so that they are sorted in the same way.
        names = [*windows, *(key for key in keys if key not in columns), *outcome]
        parts.append(
            cells.with_columns(**columns)
            .group_by(names, maintain_order=True)
            .agg(**sums_of_tallies(tallies))
        )
    return pl.concat(parts)


def _decided(decision: Outcome, known: pl.Expr) -> pl.Expr:
    return pl.when(known).then(decision.positive_of(pl.col(decision.key)))
