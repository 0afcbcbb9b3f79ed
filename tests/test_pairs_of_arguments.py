"""Arguments in pairs that are drawn anew in each run: an answer, the same lazily, or an error.

`PAIRS_SEED=number` draws the pairs of a run again that failed; its message has the number.
"""

from __future__ import annotations

import os
from datetime import date, timedelta
from itertools import pairwise
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf

QUESTIONS: Final[dict[str, dict[str, Any]]] = {
    "decisions": {"label": "y", "predicted": "p"},
    "scores": {"label": "y", "score": "score"},
    "models": {"label": "y", "predicted": {"old": "p", "new": "other"}, "champion": "old"},
    "numbers": {"observed": "pay", "estimated": {"old": "guess", "new": "better"}},
    "numbers beside a champion": {
        "observed": "pay",
        "estimated": {"old": "guess", "new": "better"},
        "champion": "old",
    },
}
ARGUMENTS: Final[list[dict[str, Any]]] = [
    {"by": "day", "every": "1mo"},
    {"by": "day", "every": "1mo", "period": "2mo"},
    {"by": "day", "every": "1mo", "baseline": "previous"},
    {"controls": "income"},
    {"controls": {"income": 500}, "p_values": "exact"},
    {"cluster": "team"},
    {"weight": "weight"},
    {"subgroup": "branch"},
    {"favored": pf.HIGHEST, "disfavored": None},
    {"favored": pf.OVERALL},
    {"confidence": None},
    {"bounds": True},
    {"hide_below": 20},
    {"minimum_count": 50, "p_values": "adjusted"},
    {"equivalence": True},
    {"rule": "significant", "p_values": "exact"},
    {"zero_division": 0.0},
    {"favorable": False},
    {"facet": ["sex", "branch"], "disfavored": None},
    {"nulls": "drop"},
]


def people(size: int = 240) -> pl.DataFrame:
    """People of fewer than 200 teams, whose scores never repeat; one income is an outlier."""
    draw = np.random.default_rng(8)
    score, income = draw.random(size), draw.gamma(4, 100, size)
    income[7] = 9_000
    pay = 20 + score + draw.normal(size=size)
    return pl.DataFrame(
        {
            "sex": draw.choice(["F", "M"], size),
            "branch": draw.choice(["north", "south"], size),
            "team": draw.integers(0, 30, size),
            "day": [date(2026, 1, 1) + timedelta(days=i * 7 % 90) for i in range(size)],
            "score": score,
            "y": draw.random(size) < score,
            "p": score > 0.5,
            "other": score + draw.normal(0, 0.2, size) > 0.5,
            "income": income,
            "pay": pay,
            "guess": pay + draw.normal(size=size),
            "better": pay + draw.normal(0, 0.5, size),
            "weight": draw.integers(1, 5, size) / 2,
        }
    )


def audited(frame: Any, question: dict[str, Any]) -> pl.DataFrame | str:
    """The audit, or the text of its error: any other error is a defect."""
    try:
        answer: pl.DataFrame = pf.audit(frame, replicates=20, **question).lazy().collect()
    except pf.FairnessError as error:
        return str(error)
    return answer


@pytest.mark.extras
@pytest.mark.parametrize("pairs", [2, pytest.param(12, marks=pytest.mark.nightly)])
def test_pairs_of_arguments_have_one_answer_or_an_error(pairs: int) -> None:
    seed = int(os.environ.get("PAIRS_SEED", np.random.SeedSequence().generate_state(1)[0]))
    draw, frame, answers = np.random.default_rng(seed), people(), 0
    for name, own in QUESTIONS.items():
        drawn = draw.permutation(len(ARGUMENTS))[: pairs + 1]
        for one, other in pairwise(drawn):
            question = {"facet": "sex", "disfavored": "F", **own}
            question |= ARGUMENTS[one] | ARGUMENTS[other]
            shown = f"PAIRS_SEED={seed}: {name}, {ARGUMENTS[one]}, {ARGUMENTS[other]}"
            try:
                eagerly, lazily = audited(frame, question), audited(frame.lazy(), question)
                if isinstance(eagerly, str) or isinstance(lazily, str):
                    assert lazily == eagerly
                else:
                    assert_frame_equal(lazily, eagerly, rel_tol=1e-8, abs_tol=1e-9)
                    answers += 1
            except BaseException as error:
                error.add_note(shown)
                raise
    assert answers > 0, f"PAIRS_SEED={seed}"
