"""What polars prints of a wide answer: its first and last four columns."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.frames import fairness

QUESTION: dict[str, Any] = {"facet": "sex", "predicted": "admitted", "count": "n"}


def columns_printed(frame: pl.DataFrame) -> list[str]:
    with pl.Config() as settings:
        settings.restore_defaults()
        names = str(frame).splitlines()[2]
    return names.replace("│", "").replace(" ", "").split("┆")


SMALL_OR_BY_CHANCE = {"minimum_count": 30, "p_values": "exact"}


@pytest.mark.parametrize(
    "more", [{}, pytest.param(SMALL_OR_BY_CHANCE, marks=pytest.mark.extras)], ids=str
)
def test_an_audit_prints_its_values_intervals_and_verdicts(more: dict[str, Any]) -> None:
    question = {**QUESTION, "disfavored": "Female", **more}
    answer = fairness(pf.datasets.berkeley()).audit("di", "dppl", **question)
    assert columns_printed(answer) == [
        *("facet", "disfavored", "favored", "metric", "…"),
        *("value", "lower", "upper", "verdict"),
    ]


def test_rates_print_each_group_with_its_selection_rate() -> None:
    answer = fairness(pf.datasets.berkeley()).rates(**QUESTION)
    assert columns_printed(answer) == [
        *("facet", "value", "n", "selection_rate", "…"),
        *("tp", "fp", "fn", "tn"),
    ]


def test_ranked_groups_print_their_rows_rates_and_ranks() -> None:
    facets = ["sex", "department"]
    answer = fairness(pf.datasets.berkeley()).worst_groups("spsf", **{**QUESTION, "facet": facets})
    assert columns_printed(answer) == [
        *("group", "sex", "department", "n", "…"),
        *("rate_of_all", "rate", "direction", "rank"),
    ]
