"""A question says which keys and sums its cells have, before and after scores decide."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import pytest

from polars_fairness.api.bound import read
from polars_fairness.api.requested import requested, with_certainty
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.counts import CLUSTER
from polars_fairness.counting.polars_rows import is_tally
from polars_fairness.question.outcomes import (
    CHAMPION,
    VALUES_OF_CLASSES,
    powers_of,
    sums_of_numbers,
)
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS
from polars_fairness.values.evaluate import prepared
from tests.contrasts.questions import CLASSES, QUESTIONS, SCORED, WINDOWS, now_and_then

ALL_QUESTIONS: Final = {
    **QUESTIONS,
    "ranks": {**SCORED, "metrics": ["ndkl"]},
    "ranks and other scores": {**SCORED, "metrics": ["ndkl", "auc_difference"]},
    "several classes": {**CLASSES, "classes": "each", "metrics": ["kl", "di"]},
    "numbers by cluster": {**QUESTIONS["numbers"], "cluster": "who"},
    "quantiles": {**QUESTIONS["numbers"], "metrics": ["observed_median_difference"]},
    "weights": {**QUESTIONS["decisions"], "weight": "w"},
    "estimated by cluster": {**QUESTIONS["probabilities"], "cluster": "who"},
    "champion": {**QUESTIONS["models"], "champion": "old"},
}


@pytest.mark.parametrize("windows", ["months", "two months each"])
@pytest.mark.parametrize("name", [*ALL_QUESTIONS])
def test_cells_have_the_keys_and_sums_that_their_question_says(name: str, windows: str) -> None:
    asked: Any = {**ALL_QUESTIONS[name], **WINDOWS[windows]}
    named, champion = asked.pop("metrics", []), asked.pop("champion", None)
    bound = read(now_and_then()[0], asked)
    roles = bound.roles if champion is None else bound.roles.against(champion)
    metrics, roles = requested(named, roles)
    roles = with_certainty(metrics.values(), roles)
    counted = cells_of_all_rows(bound.rows, roles).collect()
    assert names_of_keys(counted) == sorted(keys_of(roles.undecided))
    assert sums_of(roles.undecided) <= {*counted.columns}
    if roles.are_apart:
        decided, _, sided = prepared(counted.lazy(), roles)
        cells = decided.collect()
        assert names_of_keys(cells) == sorted([*keys_of(sided), *sided.reference_keys])
        assert sums_of(sided) <= {*cells.columns}


def names_of_keys(cells: pl.DataFrame) -> list[str]:
    return sorted(name for name in cells.columns if not is_tally(name))


def keys_of(roles: Roles) -> list[str]:
    return [
        *roles.windows.keys,
        "facet",
        "value",
        *roles.strata.keys,
        *roles.controls.keys,
        *(outcome.key for outcome in roles.outcomes),
        *(number.role for number in roles.numbers if number.is_key),
        *(["score"] if roles.score and not roles.decides_by_score else []),
        *([CHAMPION] if roles.champion else []),
        *(VALUES_OF_CLASSES if roles.classes and roles.classes.all_at_once else []),
        *([CLUSTER] if roles.left_out else []),
    ]


def sums_of(roles: Roles) -> set[str]:
    return {
        "n",
        roles.mass,
        roles.squares,
        *sums_of_numbers(roles.numbers),
        *(power.name for power in powers_of(roles.numbers)),
        *(SUMS if roles.score and roles.score.is_rounded and not roles.decides_by_score else ()),
        *roles.sums_ranks,
    }
