"""A rate is described once, and is everywhere that rates are."""

from __future__ import annotations

from typing import Any

import pytest

import polars_fairness as pf
from polars_fairness.formula.sides import SUMS_OF_NUMBERS, SUMS_OF_RANKS, Rate
from polars_fairness.terms import COUNTS, EFFECTIVE, PROPORTIONS, RATES, SUMS_BY_SCORE, Side, d
from tests import frames, reference
from tests.reference.groups import COMPARED

QUESTION: dict[str, Any] = {"facet": ["sex", "race"], "label": "y", "predicted": "p"}


def test_f1_is_no_proportion() -> None:
    """True positives count twice, in its numerator and its denominator."""
    assert {*RATES} - {*PROPORTIONS} == {"f1"}


def test_a_rate_over_two_counts_is_no_proportion() -> None:
    """Its rows have no count of their own that an interval could be computed from."""
    share_of_errors = Rate("x", ("fp",), ("fp", "fn"), "x", "X", "x")
    assert not share_of_errors.is_proportion


@pytest.mark.parametrize("name", RATES)
def test_no_two_rates_share_their_description(name: str) -> None:
    own = RATES[name]
    assert own.name == name
    assert own.title
    assert own.meaning
    for other in RATES.values():
        if other is not own:
            assert not {own.symbol, own.title, own.meaning} & {
                *(other.symbol, other.title, other.meaning)
            }


def test_a_side_has_every_count_and_rate() -> None:
    words = {*COUNTS, *RATES, *EFFECTIVE, *SUMS_BY_SCORE}
    words |= {*SUMS_OF_NUMBERS, *SUMS_OF_RANKS, "share", "start", "end", "odds"}
    assert {*Side.__annotations__} == words
    for word in words:
        assert getattr(d, word).terms == {f"d.{word}"}


def test_every_rate_is_a_column_of_rates() -> None:
    table = pf.rates(frames.people(), **QUESTION)
    assert table.columns == ["facet", "value", "n", *RATES, "rows_dropped", "tp", "fp", "fn", "tn"]
    assert table.select(*RATES).null_count().sum_horizontal().item() == 0


def test_the_brute_force_knows_every_rate() -> None:
    assert {*reference.rates([])} == {"n", "tp", "fp", "fn", "tn", *RATES}


@pytest.mark.parametrize("name", PROPORTIONS)
def test_a_rate_has_a_gap_and_a_ratio_or_none_of_them(name: str) -> None:
    for contrast in ("gap", "ratio"):
        assert (f"{name}_{contrast}" in pf.CATALOGUE) == (name in COMPARED)
