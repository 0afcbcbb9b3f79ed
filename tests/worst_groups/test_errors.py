"""Errors of `worst_groups`, at the call and from the data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.counting.raising import errors_of_users
from polars_fairness.terms import Each, g
from tests.worst_groups.people import PEOPLE, QUESTION


@pytest.mark.parametrize(
    ("call", "message"),
    # Calls marked `type: ignore` have to be errors at run time too.
    [
        (
            lambda: pf.worst_groups(
                PEOPLE, pf.entry("spsf", groups="intersections"), depth=1, **QUESTION
            ),
            "depth, minimum_count, include_unknown: 'spsf' has groups of its own; give ",
        ),
        (
            lambda: pf.worst_groups(PEOPLE, "dppl", **QUESTION),
            "metric: 'dppl' does not rank groups; give a metric that does, 'sele",
        ),
        (
            lambda: pf.worst_groups(PEOPLE, "equalized_odds_gap", label="p2", **QUESTION),
            "label: no column 'p2'",
        ),
        (
            lambda: pf.worst_groups(PEOPLE, "fps", **QUESTION),
            "no metric 'fps'; did you mean 'fpsf'",
        ),
        (lambda: pf.worst_groups(PEOPLE, "fpsf", **QUESTION), "label: fpsf needs it"),
        (lambda: pf.worst_groups(PEOPLE, "spsf", predicted="p"), "facet: spsf needs it"),
        (
            lambda: pf.worst_groups(PEOPLE, "spsf", depth=0, **QUESTION),
            "depth: takes a whole number of attributes, at least 1, got 0",
        ),
        (
            lambda: pf.worst_groups(PEOPLE, "spsf", minimum_count=1.5, **QUESTION),  # type: ignore[call-overload]
            r"minimum_count: takes a whole number of rows, at least 0, got 1\.5",
        ),
        (
            lambda: pf.worst_groups(PEOPLE, "spsf", shrink="yes", **QUESTION),  # type: ignore[call-overload]
            "shrink: takes True or False, got 'yes'",
        ),
        (
            lambda: pf.worst_groups(PEOPLE, "spsf", confidence=2, **QUESTION),
            "confidence: takes a number between 0 and 1, such as 0.95, or None, got 2",
        ),
        (
            lambda: pf.worst_groups(
                PEOPLE, "spsf", facet=pl.struct("sex", "race").alias("both"), predicted="p"
            ),
            "facet: 'both' is an intersection already",
        ),
        (
            lambda: pf.worst_groups(
                PEOPLE.rename({"sex": "rank"}), "spsf", facet=["rank", "race"], predicted="p"
            ),
            "facet: the result has a column called 'rank' already",
        ),
        (
            lambda: pf.worst_groups(PEOPLE, "spsf", by=pl.lit(1).alias("rank"), **QUESTION),
            "by: the result has a column called 'rank' already",
        ),
        (
            lambda: pf.worst_groups(PEOPLE, "spsf", harm="low", **QUESTION),  # type: ignore[call-overload]
            r"harm: takes 'below', 'above' or 'both', or a dictionary {metric: harm}, got 'low'",
        ),
        (
            lambda: pf.worst_groups(PEOPLE, "spsf", harm={"spsf": "low"}, **QUESTION),  # type: ignore[dict-item]
            "harm: 'spsf' takes 'below', 'above' or 'both', got 'low'",
        ),
        (
            lambda: pf.worst_groups(PEOPLE, "spsf", harm={"fpsf": "above"}, **QUESTION),
            "harm: 'fpsf' is not among the metrics; did you mean 'spsf'?",
        ),
        (
            lambda: pf.worst_groups(
                PEOPLE.rename({"sex": "direction"}),
                "spsf",
                facet=["direction", "race"],
                predicted="p",
            ),
            "facet: the result has a column called 'direction' already",
        ),
        (
            lambda: Each("f1", g.n, g.n),
            "rate: takes 'selection_rate', .* got 'f1'",
        ),
    ],
)
def test_a_question_without_a_meaning_is_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(pf.FairnessError, match=message):
        call()


def test_errors_of_the_data_are_raised_when_it_runs() -> None:
    broken = PEOPLE.with_columns(p=pl.lit(None, pl.Int64), age=pl.lit(1))
    for depth in (None, 1, 2):
        question = {**QUESTION, "facet": ["sex", "race", "age"]}
        lazy = pf.worst_groups(broken.lazy(), "spsf", depth=depth, **question)
        for engine in ("streaming", "in-memory"):
            with (
                pytest.raises(pf.FairnessError, match="predicted: missing values: 'p' has 20"),
                errors_of_users(),
            ):
                lazy.collect(engine=engine)
        dropped = pf.worst_groups(broken, "spsf", depth=depth, nulls="drop", **question)
        assert dropped.is_empty()
